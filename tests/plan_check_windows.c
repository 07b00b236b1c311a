/* SPDX-License-Identifier: MIT */
/*
 * plan_check_windows.c: what must hold of a radix sort's steps where arrays may be bound in
 * windows, see plan_check.h: that each pass counts every window of its input once, moves all
 * elements of each to every place, values with keys, and reads what the pass before it wrote.
 */
#include "plan_check.h"

#include <inttypes.h>
#include <string.h>

/* A pass as it is read, step by step. Columns begin at the ranges of its first steps. */
typedef struct pass {
    const ordo_sort_desc *desc;
    uint64_t key_bytes, value_bytes; /* of what travels, an element */
    uint64_t tile_items;
    ordo_range keys_in, keys_out, values_in, values_out; /* the first windows; no bytes: none */
} pass;

static bool is(const ordo_step *step, const char *kernel) {
    return strcmp(step->kernel, kernel) == 0;
}

bool plan_is_windowed(const ordo_step *step) { return step_constant(step, "IN_WINDOWS") == 1; }

uint64_t plan_window_elements(const ordo_step *step, uint64_t share) {
    uint64_t count = step_param(step, "max_count");
    if (!plan_is_windowed(step))
        return count;
    uint64_t before = step_param(step, "first_tile") * share;
    uint64_t most = step_param(step, "window_tiles") * share;
    uint64_t left = before < count ? count - before : 0;
    return left < most ? left : most;
}

uint32_t plan_count_windows(const ordo_step *steps, uint32_t count) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!plan_is_windowed(&steps[i]))
            continue;
        uint64_t windows =
            step_param(&steps[i], "first_tile") / step_param(&steps[i], "window_tiles") + 1;
        most = windows > most ? windows : most;
    }
    return (uint32_t)most;
}

/* The range is `items` elements of the column, the first of them number `first`. */
static bool is_part(const ordo_range *range, const ordo_range *column, uint64_t bytes,
                    uint64_t first, uint64_t items) {
    return range->slot == column->slot && items > 0 && range->size_bytes == items * bytes &&
           range->offset_bytes == column->offset_bytes + first * bytes;
}

/* The windows that the histograms of a pass count. Returns the steps, 0 if there are none. */
static uint32_t check_counts(pass *p, const ordo_step *steps, uint32_t left, const char **wrong) {
    uint64_t counted = 0;
    uint32_t at = 0;
    for (; at < left && is(&steps[at], "radix_histogram"); at++) {
        const ordo_range *keys = &steps[at].ranges[1];
        p->tile_items = step_param(&steps[at], "tile_items");
        uint64_t items = plan_window_elements(&steps[at], p->tile_items);
        if (at == 0)
            p->keys_in = *keys;
        if (step_param(&steps[at], "first_tile") * p->tile_items != counted ||
            !is_part(keys, &p->keys_in, p->key_bytes, counted, items))
            *wrong =
                complain("a histogram of %" PRIu64 " elements from %" PRIu64 " on", items, counted);
        counted += items;
    }
    if (at > 0 && counted != p->desc->max_count)
        *wrong = complain("%" PRIu64 " elements are counted", counted);
    if (at > 0 && (at >= left || !is(&steps[at], "radix_scan")))
        *wrong = "no scan behind the counts";
    return at > 0 ? at + 1 : 0;
}

/* The keys of a scatter: one range, or four windows of which those beyond the last are idle. */
static bool check_keys_out(const pass *p, const ordo_step *step, uint64_t first, uint64_t items) {
    bool several = strcmp(step->entry, "radix_scatter_windows") == 0;
    if (!several)
        return !step_constant(step, "WRITE_KEYS") ||
               is_part(&step->ranges[3], &p->keys_out, p->key_bytes, first, items);
    uint64_t each = step_param(step, "out_items");
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t before = i * each < items ? i * each : items;
        uint64_t part = items - before < each ? items - before : each;
        const ordo_range *range = &step->ranges[3 + i];
        if (range->written != (part > 0) ||
            (part && !is_part(range, &p->keys_out, p->key_bytes, first + before, part)))
            return false;
    }
    return items <= 4 * each;
}

/* A scatter of some elements from number `in` on, to `out` places from number `to` on. */
static const char *check_scatter(const pass *p, const ordo_step *step, uint64_t in, uint64_t to,
                                 uint64_t out) {
    uint64_t items = plan_window_elements(step, p->tile_items);
    bool values = p->value_bytes > 0, reads = strstr(step->entry, "_pairs") != NULL;
    if (step_param(step, "first_tile") * p->tile_items != in || step_param(step, "out_first") != to)
        return complain("a scatter from %" PRIu64 " to %" PRIu64 " is missing", in, to);
    if (!is_part(&step->ranges[2], &p->keys_in, p->key_bytes, in, items))
        return "keys of another window are scattered";
    if (!check_keys_out(p, step, to, out))
        return "keys are scattered into other windows";
    if (values && !is_part(&step->ranges[4], &p->values_out, p->value_bytes, to, out))
        return "values are scattered into another window";
    if (reads && !is_part(&step->ranges[5], &p->values_in, p->value_bytes, in, items))
        return "values of another window are scattered";
    return NULL;
}

/* All scatters of a pass: each window of the input to all places, in order. Returns the steps. */
static uint32_t check_scatters(pass *p, const ordo_step *steps, uint32_t left, const char **wrong) {
    uint64_t count = p->desc->max_count, in = 0, to = 0;
    uint32_t at = 0;
    while (at < left && in < count && is(&steps[at], "radix_scatter")) {
        const ordo_step *step = &steps[at];
        p->tile_items = step_param(step, "tile_items");
        if (at == 0) {
            if (p->keys_in.size_bytes == 0)
                p->keys_in = step->ranges[2]; /* nothing was counted: one tile */
            p->keys_out = step->ranges[3];
            p->values_out = step->ranges[4];
            p->values_in = step->ranges[5];
        }
        uint64_t out = plan_is_windowed(step) ? step_param(step, "out_count") : count;
        const char *found = check_scatter(p, step, in, to, out);
        *wrong = found ? found : *wrong;
        to += out;
        if (to >= count) {
            in += plan_window_elements(step, p->tile_items);
            to = 0;
        }
        at++;
    }
    if (in < count)
        *wrong = "a pass does not move all elements";
    return at;
}

static bool same_start(const ordo_range *a, const ordo_range *b) {
    return a->slot == b->slot && a->offset_bytes == b->offset_bytes;
}

const char *plan_check_windows(const plan_problem *problem, const ordo_step *steps,
                               const ordo_summary *summary) {
    const ordo_sort_desc *desc = &problem->sort;
    ordo_caps caps = plan_effective_caps(problem);
    uint32_t at = 0, count = summary->step_count;
    bool gathers = desc->value_bytes > plan_told(&caps, "carried_value_bytes", 8);
    const char *wrong = NULL;
    pass before = {0};
    while (at < count && is(&steps[at], "move"))
        at++;
    for (uint32_t i = 0; i < summary->pass_count && !wrong; i++) {
        pass p = {.desc = desc, .key_bytes = ordo_type_bytes(desc->key)};
        p.value_bytes = desc->argsort || gathers ? 4 : desc->value_bytes;
        at += check_counts(&p, steps + at, count - at, &wrong);
        if (at >= count)
            return wrong ? wrong : "a pass without scatters";
        at += check_scatters(&p, steps + at, count - at, &wrong);
        if (i > 0 && !wrong && !same_start(&p.keys_in, &before.keys_out))
            wrong = "a pass reads other keys than the one before it wrote";
        if (i > 0 && !wrong && p.value_bytes && !same_start(&p.values_in, &before.values_out))
            wrong = "a pass reads other values than the one before it wrote";
        before = p;
    }
    while (!wrong && at < count && is(&steps[at], "move"))
        at++;
    return wrong ? wrong : at == count ? NULL : "steps behind the last pass";
}
