/* SPDX-License-Identifier: MIT */
/*
 * plan_check_onesweep.c: what must hold of a radix sort of one pass a digit, see plan_check.h: that
 * its passes have the digits of the window, lowest first, each moves what the one before it wrote,
 * its portions have every tile once, and no two steps share what belongs to one of them.
 */
#include "plan_check.h"

#include <inttypes.h>
#include <string.h>

enum { DIGITS = 256 };

/* A plan, and what its histogram says of all passes. */
typedef struct view {
    const ordo_sort_desc *desc;
    const ordo_summary *summary;
    const ordo_step *steps, *histogram;
    ordo_caps caps;
    uint64_t tiles, tile_items;
    const ordo_range *keys; /* where the last pass left them */
    uint64_t tickets;       /* a bit for each that is taken */
} view;

bool plan_is_onesweep_step(const ordo_step *step) {
    return strncmp(step->kernel, "onesweep_", 9) == 0;
}

static bool same_range(const ordo_range *a, const ordo_range *b) {
    return a->slot == b->slot && a->offset_bytes == b->offset_bytes &&
           a->size_bytes == b->size_bytes;
}

/* The steps before the passes: copies in place with an odd number of them, the counters, the
   histogram. Returns how many; 0: they are not there. */
static uint32_t find_passes(view *v) {
    bool odd_in_place = v->desc->in_place && v->summary->pass_count % 2;
    bool carried = v->desc->value_bytes &&
                   v->desc->value_bytes <= plan_told(&v->caps, "carried_value_bytes", 8);
    uint32_t at = odd_in_place ? 1 + carried : 0;
    for (uint32_t i = 0; i < at; i++) {
        if (i >= v->summary->step_count || strcmp(v->steps[i].entry, "move_copy") != 0)
            return 0;
    }
    if (at + 2 >= v->summary->step_count || strcmp(v->steps[at].entry, "onesweep_begin") != 0 ||
        strcmp(v->steps[at + 1].entry, "onesweep_histogram") != 0)
        return 0;
    v->histogram = &v->steps[at + 1];
    v->keys = &v->histogram->ranges[2];
    if (odd_in_place && !same_range(v->keys, &v->steps[0].ranges[0]))
        return 0;
    return at + 2;
}

/* Digits of all passes are counted, and the lists hold them. */
static const char *check_begin(view *v, const ordo_step *begin) {
    const ordo_step *h = v->histogram;
    uint64_t passes = v->summary->pass_count;
    v->tile_items = step_param(h, "tile_items");
    v->tiles = (v->desc->max_count - 1) / v->tile_items + 1;
    if (step_constant(h, "PASSES") != passes || step_constant(h, "BINS") != passes * DIGITS ||
        passes > 8)
        return "other passes are counted";
    if (step_param(h, "shift") != v->desc->skip_low_bits || step_param(h, "wider") >= passes ||
        step_param(h, "width") * passes + step_param(h, "wider") != plan_window_bits(v->desc))
        return "other digits are counted";
    if (!same_range(&begin->ranges[0], &h->ranges[0]) ||
        4 * step_param(begin, "counter_words") != h->ranges[0].size_bytes ||
        4 * (step_param(h, "starts") + passes * DIGITS) > h->ranges[0].size_bytes)
        return "counters that are not cleared";
    if (h->ranges[1].size_bytes != 4 * DIGITS * v->tiles)
        return "a table of another size";
    return NULL;
}

/* One step of a pass: the portion's tiles, in workgroup memory that it has. */
static const char *check_shape(const view *v, const ordo_step *step, uint64_t first_tile) {
    uint64_t group = step_constant(step, "GROUP_SIZE"), cells = step_constant(step, "CELLS");
    uint64_t portion_tiles = step_param(step, "portion_tiles"), left = v->tiles - first_tile;
    uint64_t groups = (uint64_t)step->group_count_x * step->group_count_y;
    if (group * step->items != v->tile_items || step_param(step, "tile_items") != v->tile_items)
        return "tiles of another size";
    if (portion_tiles * v->tile_items >= 1u << 30)
        return "a portion that words of the table cannot count";
    if (groups < (left < portion_tiles ? left : portion_tiles))
        return "too few workgroups for the portion";
    if (group < DIGITS ||
        step_constant(step, "PART") * step_constant(step, "ROUNDS") != v->tile_items ||
        step->items % step_constant(step, "ROUNDS"))
        return "a tile that the rounds do not move";
    uint64_t strips = step->subgroups ? group / v->caps.subgroup_size : group / 32 * 3;
    if (cells < step_constant(step, "PART") * step_constant(step, "KEY_WORDS") ||
        2 * cells < strips * DIGITS)
        return "too few cells";
    if (4 * (cells + DIGITS + group + 64 + 2) > v->caps.max_workgroup_bytes)
        return "too much workgroup memory";
    return NULL;
}

/* A step of a pass has its digit, and what belongs to it alone. */
static const char *check_scatter(view *v, const ordo_step *step, uint64_t pass, uint64_t portion,
                                 uint64_t first_tile) {
    const ordo_step *h = v->histogram;
    uint64_t wider = step_param(h, "wider"), width = step_param(h, "width") + (pass < wider);
    uint64_t shift =
        step_param(h, "shift") + pass * step_param(h, "width") + (pass < wider ? pass : wider);
    if (strncmp(step->entry, "onesweep_scatter", 16) != 0)
        return "a step that is not of the pass";
    if (step_param(step, "shift") != shift || step_param(step, "mask") != (1u << width) - 1)
        return "another digit than is counted";
    if (step_param(step, "starts") != step_param(h, "starts") + pass * DIGITS)
        return "starts of another pass";
    if (step_param(step, "nothing") != (pass % 2 ? 1u << 31 : 0))
        return "what the pass before left means something";
    if (step_param(step, "portion") != portion || step_param(step, "first_tile") != first_tile)
        return "another portion";
    uint64_t ticket = step_param(step, "ticket");
    if (ticket >= step_param(h, "starts") || ticket >= 64 || v->tickets >> ticket & 1)
        return "a ticket twice";
    v->tickets |= (uint64_t)1 << ticket;
    if (!same_range(&step->ranges[0], &h->ranges[0]) ||
        !same_range(&step->ranges[1], &h->ranges[1]))
        return "other lists than the histogram's";
    if (!same_range(&step->ranges[2], v->keys))
        return "keys that the pass before did not write";
    return check_shape(v, step, first_tile);
}

const char *plan_check_onesweep(const plan_problem *problem, const ordo_step *steps,
                                const ordo_summary *summary) {
    view v = {.desc = &problem->sort,
              .summary = summary,
              .steps = steps,
              .caps = plan_effective_caps(problem)};
    uint32_t at = find_passes(&v);
    if (at == 0)
        return "no beginning";
    const char *wrong = check_begin(&v, &steps[at - 2]);
    for (uint32_t pass = 0; !wrong && pass < summary->pass_count; pass++) {
        uint64_t first_tile = 0;
        for (uint32_t portion = 0; !wrong && first_tile < v.tiles; portion++, at++) {
            if (at == summary->step_count)
                return "steps are missing";
            wrong = check_scatter(&v, &steps[at], pass, portion, first_tile);
            first_tile += step_param(&steps[at], "portion_tiles");
        }
        v.keys = &steps[at - 1].ranges[3];
    }
    for (; !wrong && at < summary->step_count; at++) {
        if (plan_is_onesweep_step(&steps[at]))
            wrong = "a pass too many";
    }
    return wrong;
}
