/* SPDX-License-Identifier: MIT */
/*
 * plan_check_msd.c: what must hold of a sort from the most significant digit down, see
 * plan_check.h.
 *
 * Which buckets there are is known on the device alone, so that no number of workgroups follows
 * from the plan: all of them take more tiles or items if need be. What can be checked is which
 * steps there are, that each level reads what the one before it wrote, that all agree on where the
 * lists in scratch lie, and that these lie apart. test_plan_msd.c holds the lists against the most
 * that may be in them.
 */
#include "plan_check.h"

#include <inttypes.h>
#include <string.h>

enum { RECORD_WORDS = 5, CONTROL_WORDS = 64, MAX_LEVELS = 16 };
/* Of workgroup memory, beside what is named: of a partition, of a sort of an item. */
enum { OTHER_WORDS = 36, LOCAL_BYTES = 96 };

/* A plan as its desc and summary say it should be. */
typedef struct view {
    const ordo_sort_desc *desc;
    const ordo_summary *summary;
    const ordo_step *steps;
    ordo_caps caps;
    bool reserves; /* scratch is what another method would take */
    bool indices, sampled;
    bool fixed;  /* the root may have fixed-point digits */
    bool pairs;  /* values travel, */
    bool stable; /* and stay in order */
    uint32_t levels, key_words, value_words;
    /* Taken from the steps: the lists, and what each level writes. */
    const ordo_range *work, *keys[MAX_LEVELS], *values[MAX_LEVELS];
    const ordo_range *finished_indices; /* where a sort that ends early leaves them */
} view;

/* A constant that a step need not set. */
static bool flag(const ordo_step *step, const char *name, bool otherwise) {
    for (uint32_t i = 0; i < step->constant_count; i++) {
        if (strcmp(step->constants[i].name, name) == 0)
            return step->constants[i].value != 0;
    }
    return otherwise;
}

/* A workgroup sorts so many elements of 8 an invocation: see lib/local_sort.wgsl. */
static bool sorts(const view *v, const ordo_step *step) {
    uint64_t group = step_constant(step, "GROUP_SIZE"), cells = step_constant(step, "CELLS");
    return step->items == 8 && group % 32 == 0 && 4 * cells == group * 33 &&
           group <= v->caps.max_invocations &&
           4 * cells + LOCAL_BYTES <= v->caps.max_workgroup_bytes;
}

bool plan_is_msd_step(const ordo_step *step) { return strncmp(step->kernel, "msd_", 4) == 0; }

static bool same_range(const ordo_range *a, const ordo_range *b) {
    return a->slot == b->slot && a->offset_bytes == b->offset_bytes &&
           a->size_bytes == b->size_bytes;
}

static view view_of(const plan_problem *problem, const ordo_step *steps,
                    const ordo_summary *summary) {
    const ordo_sort_desc *desc = &problem->sort;
    view v = {.desc = desc,
              .summary = summary,
              .steps = steps,
              .caps = plan_effective_caps(problem),
              .reserves = plan_reserves(problem),
              .levels = summary->pass_count,
              .key_words = ordo_type_bytes(desc->key) / 4};
    v.indices = desc->argsort || desc->value_bytes > plan_told(&v.caps, "carried_value_bytes", 8);
    v.value_words = v.indices ? 1 : desc->value_bytes / 4;
    v.pairs = v.value_words > 0;
    v.stable = v.pairs && (v.indices || !desc->allow_unstable);
    v.sampled = strcmp(steps[0].entry, "msd_begin_sampled") == 0;
    v.fixed = v.sampled && desc->key == ORDO_F32 &&
              desc->max_count > plan_told(&v.caps, "msd_small_count", 1 << 20);
    return v;
}

/* Levels come to the end of the key's bits; large sorts have two to spare, for keys spread evenly.
   All have their counts in the control words. */
static const char *check_summary(const view *v) {
    uint32_t digit = v->summary->digit_bits, bits = 32 * v->key_words;
    uint64_t gathers = v->indices && !v->desc->argsort ? 1 + v->desc->in_place : 0;
    uint64_t finishes = v->sampled * (2u + (v->indices && !v->desc->argsort));
    uint64_t steps = 1 + finishes + (uint64_t)v->levels * (2 + v->stable) + 1 + gathers;
    bool small = v->desc->max_count <= plan_told(&v->caps, "msd_small_count", 1 << 20);
    if (v->summary->block_length || v->summary->fused_levels || v->summary->index_bits)
        return "a sort of digits with a network's numbers";
    if (digit != plan_told(&v->caps, "msd_digit_bits", 8) || v->levels > MAX_LEVELS ||
        v->levels != (bits + digit - 1) / digit + (small ? 0 : 2) ||
        2 + 3 * v->levels > CONTROL_WORDS)
        return complain("%u levels of %u bits for %u", v->levels, digit, bits);
    return v->summary->step_count == steps ? NULL : complain("%u steps", v->summary->step_count);
}

/* ---- Where the lists lie --------------------------------------------------------------------- */

/* The parts of work follow each other, and the root fits in. */
static const char *check_parts(const view *v, const ordo_step *begin) {
    static const char *const names[] = {"items", "records",    "next_records",
                                        "tiles", "next_tiles", "tables"};
    uint64_t words = v->work->size_bytes / 4, count = v->desc->max_count;
    uint64_t at[6], before = CONTROL_WORDS;
    for (uint32_t i = 0; i < 6; i++) {
        at[i] = step_param(begin, names[i]);
        if (at[i] < before || at[i] > words)
            return complain("%s at word %" PRIu64 " of %" PRIu64, names[i], at[i], words);
        before = at[i] + 1;
    }
    uint64_t root_bits = step_param(begin, "root_bits"), tile = step_param(begin, "tile_items");
    if (at[2] - at[1] != at[3] - at[2] || at[4] - at[3] != at[5] - at[4])
        return "lists of odd levels as long as those of even ones they are not";
    if (root_bits < 1 || root_bits > v->summary->digit_bits ||
        32 * v->key_words > root_bits + v->summary->digit_bits * (v->levels - 1))
        return complain("a root of %" PRIu64 " bits", root_bits);
    /* A sampled root may have a digit of its own, and the plan's besides. */
    if (RECORD_WORDS + ((uint64_t)2 << root_bits) > at[2] - at[1] ||
        v->sampled * 2 * (RECORD_WORDS + ((uint64_t)2 << v->summary->digit_bits)) > at[2] - at[1])
        return "no room for the root's record";
    if (v->sampled) {
        root_bits = v->summary->digit_bits;
    }
    if (v->stable && ((count - 1) / tile + 1) << root_bits > words - at[5])
        return "no room for the root's table";
    return NULL;
}

/* All steps have the params of the first, but for their level and which lists are whose. */
static const char *check_params(const view *v, const ordo_step *step, uint32_t level) {
    static const char *const swapped[] = {"records", "next_records", "tiles", "next_tiles"};
    const ordo_step *begin = &v->steps[0];
    if (step->param_count != begin->param_count)
        return "other params than the first step's";
    for (uint32_t i = 0; i < step->param_count; i++) {
        const char *name = step->params[i].name;
        uint64_t value = step->params[i].value, expected = step_param(begin, name);
        if (strcmp(name, "level") == 0)
            expected = level;
        for (uint32_t s = 0; s < 4; s++) {
            if (strcmp(name, swapped[s]) == 0)
                expected = step_param(begin, swapped[s ^ (level % 2)]);
        }
        if (value != expected)
            return complain("%s is %" PRIu64 ", not %" PRIu64, name, value, expected);
    }
    return same_range(&step->ranges[0], v->work) ? NULL : "other lists than the first step's";
}

static const char *check_key_constants(const view *v, const ordo_step *step) {
    static const uint32_t kinds[] = {0, 1, 2, 0, 1, 2};
    bool right = step_constant(step, "KEY_KIND") == kinds[v->desc->key] &&
                 step_constant(step, "KEY_WORDS") == v->key_words &&
                 step_constant(step, "DESCENDING") == (uint64_t)v->desc->order;
    return right ? NULL : "other keys than the desc's";
}

/* Kernels agree on whether the root may have fixed-point digits, which levels that are just enough
   have no bits to spare for. */
static const char *check_fixed(const view *v, const ordo_step *step) {
    return flag(step, "FIXED_ROOT", !v->fixed) == v->fixed ? NULL : "digits of other roots";
}

/* What a level reads: the caller's, and then what the one before it wrote. */
static const char *check_source(const view *v, const ordo_range *range, uint32_t level,
                                ordo_slot first, const ordo_range *const *written) {
    if (!range->read)
        return "a source is not read";
    if (level == 0)
        return range->slot == first && range->offset_bytes == 0 &&
                       range->size_bytes == v->summary->slot_bytes[first]
                   ? NULL
                   : "the first level does not read the caller's elements";
    return same_range(range, written[level - 1])
               ? NULL
               : "a level reads what the one before did not write";
}

static const char *check_begin(view *v) {
    const ordo_step *begin = &v->steps[0];
    uint32_t group = (uint32_t)step_constant(begin, "GROUP_SIZE");
    if (strcmp(begin->kernel, "msd_begin") != 0 || begin->range_count != 1u + v->sampled)
        return "it does not begin with msd_begin";
    if (begin->group_count_x != 1 || begin->group_count_y != 1 || group == 0 ||
        group & (group - 1) || step_constant(begin, "STABLE") != v->stable ||
        step_constant(begin, "ALONE") != !v->pairs)
        return "more than one workgroup begins, or not all of one";
    v->work = &begin->ranges[0];
    if (v->work->slot != ORDO_SLOT_SCRATCH)
        return "lists outside scratch";
    if (step_param(begin, "last_level") != v->levels - 1 ||
        step_param(begin, "key_bits") != 32 * v->key_words ||
        step_param(begin, "digit_bits") != v->summary->digit_bits ||
        step_param(begin, "max_count") != v->desc->max_count ||
        step_param(begin, "sampled") != v->sampled)
        return "other numbers than the summary's";
    const char *wrong = check_params(v, begin, 0);
    if (!wrong)
        wrong = check_key_constants(v, begin);
    if (!wrong)
        wrong = check_fixed(v, begin);
    if (!wrong && v->sampled)
        wrong = check_source(v, &begin->ranges[1], 0, ORDO_SLOT_IN, v->keys);
    return wrong ? wrong : check_parts(v, begin);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

/* Even levels write the alternate, odd ones the final place; *from then on every other is the
   same. */
static const char *check_target(const view *v, const ordo_range *range, uint32_t level,
                                ordo_slot last, const ordo_range **written) {
    written[level] = range;
    if (!range->written)
        return "a target is not written";
    if (level >= 2)
        return same_range(range, written[level - 2]) ? NULL : "a third place for elements";
    bool scratch = level == 0 || v->summary->slot_bytes[last] == 0;
    if (range->slot != (scratch ? ORDO_SLOT_SCRATCH : last))
        return complain("level %u writes slot %d", level, (int)range->slot);
    return NULL;
}

static const char *check_histogram(view *v, const ordo_step *step, uint32_t level) {
    const char *wrong = check_params(v, step, level);
    uint64_t group = step_constant(step, "GROUP_SIZE"), bins = step_constant(step, "BINS");
    if (strcmp(step->entry, "msd_histogram") != 0 || step->range_count != 2)
        return complain("%s is no histogram", step->entry);
    if (!wrong)
        wrong = check_key_constants(v, step);
    if (!wrong)
        wrong = check_fixed(v, step);
    if (wrong)
        return wrong;
    if (bins != 1u << v->summary->digit_bits || bins > group ||
        step_param(step, "tile_items") % (group * step->items))
        return "a histogram of another shape";
    if (step_constant(step, "STABLE") != v->stable)
        return "tables are written where none are, or the reverse";
    return check_source(v, &step->ranges[1], level, ORDO_SLOT_IN, v->keys);
}

/* What ends the sort early has the caller's keys, and their final place unless that is the same;
   values the like. */
static const char *check_finish(view *v, const ordo_step *step) {
    bool in_place = v->desc->in_place, pairs = v->pairs && !v->indices;
    const char *entry = pairs && in_place ? "msd_finish_pairs_in_place"
                        : pairs           ? "msd_finish_pairs"
                        : in_place        ? "msd_finish_keys_in_place"
                                          : "msd_finish_keys";
    uint32_t columns = 1u + pairs, sides = 2u - in_place;
    if (strcmp(step->entry, entry) != 0 || step->range_count != 1 + columns * sides)
        return complain("%s is not %s", step->entry, entry);
    for (uint32_t i = 0; i < columns * sides; i++) {
        static const ordo_slot slots[] = {ORDO_SLOT_IN, ORDO_SLOT_OUT, ORDO_SLOT_VALUES_IN,
                                          ORDO_SLOT_VALUES_OUT};
        const ordo_range *range = &step->ranges[1 + i];
        ordo_slot slot = slots[in_place ? 2 * i : i];
        bool out = in_place || i % 2;
        if (range->slot != slot || range->offset_bytes ||
            range->size_bytes != v->summary->slot_bytes[slot] || range->written != out ||
            range->read != (in_place || !out))
            return complain("%s has slot %d as range %u", entry, (int)range->slot, 1 + i);
    }
    if (pairs && step_constant(step, "VALUE_WORDS") != v->value_words)
        return "values of another size";
    return NULL;
}

static const char *check_finish_index(view *v, const ordo_step *step) {
    if (strcmp(step->entry, "msd_finish_index") != 0 || step->range_count != 2)
        return complain("%s does not make indices", step->entry);
    const ordo_range *indices = &step->ranges[1];
    if (!indices->written ||
        indices->slot != (v->desc->argsort ? ORDO_SLOT_VALUES_OUT : ORDO_SLOT_SCRATCH))
        return "indices elsewhere";
    v->finished_indices = indices;
    return NULL;
}

static const char *check_promises(view *v, const ordo_step *step) {
    if (strcmp(step->entry, "msd_check") != 0 || step->range_count != 2)
        return complain("%s does not check", step->entry);
    if (step_constant(step, "STABLE") != v->stable)
        return "tables are written where none are, or the reverse";
    return check_source(v, &step->ranges[1], 0, ORDO_SLOT_IN, v->keys);
}

/* What comes before the first level if keys are sampled: in the shape of its histogram, of which
   what ends the sort, in strides, needs not the items. */
static const char *check_sampled(view *v, const ordo_step *step, uint32_t count) {
    const ordo_step *histogram = step + count;
    const char *wrong = NULL;
    for (uint32_t i = 0; !wrong && i < count; i++, step++) {
        wrong = check_params(v, step, 0);
        if (!wrong)
            wrong = check_key_constants(v, step);
        if (!wrong && (step_constant(step, "BINS") != step_constant(histogram, "BINS") ||
                       (i == 0 && step->items != histogram->items) ||
                       step_constant(step, "GROUP_SIZE") != step_constant(histogram, "GROUP_SIZE")))
            wrong = "another shape than the histogram's";
        if (!wrong)
            wrong = i == 0                       ? check_promises(v, step)
                    : i == 2 || v->desc->argsort ? check_finish_index(v, step)
                                                 : check_finish(v, step);
    }
    return wrong;
}

static const char *check_scan(const view *v, const ordo_step *step, uint32_t level) {
    uint64_t words = step_constant(step, "GROUP_SIZE") * step->items;
    if (strcmp(step->entry, "msd_scan") != 0 || step->range_count != 1)
        return complain("%s is no scan of tables", step->entry);
    if (words % 32 || step_constant(step, "CELLS") != words / 32 * 33)
        return "a scan of another shape";
    return check_params(v, step, level);
}

/* The workgroup's cells hold all words of a part of a tile, the children while they are published,
   their sums, and what ranks keys in their order: counts of 16 bits. Beside them it has two words a
   digit, of pairs what sums a word an invocation, and a few others. */
static const char *check_cells(const view *v, const ordo_step *step) {
    uint64_t group = step_constant(step, "GROUP_SIZE"), bins = step_constant(step, "BINS");
    uint64_t cells = step_constant(step, "CELLS"), rounds = step_constant(step, "ROUNDS");
    uint64_t tile = step_param(step, "tile_items"), part = tile / rounds;
    uint64_t copies = v->pairs ? 1 : step_constant(step, "COPIES");
    uint64_t lane_words = v->pairs ? group + 64 : 0;
    uint32_t size = v->caps.subgroup_size;
    if (bins != 1u << v->summary->digit_bits || bins > group || group * step->items != tile)
        return "a partition of another shape";
    if (part * rounds != tile || step->items % rounds)
        return "parts that are not the tile";
    if (tile > UINT16_MAX || part * v->key_words > cells || 5 * bins > cells ||
        group / 8 * 17 > cells ||
        4 * (cells + copies * (bins + 1) + bins + lane_words + OTHER_WORDS) >
            v->caps.max_workgroup_bytes)
        return complain("%" PRIu64 " cells, %" PRIu64 " copies of counters", cells, copies);
    if (v->pairs ? copies != 1 : copies != 1 && copies != 4)
        return "counters in copies that nobody adds to";
    if (v->pairs && flag(step, "STABLE", true) != v->stable)
        return "ties in another order";
    if (!v->stable)
        return step->subgroups ? "ballots where order does not matter" : NULL;
    if (step->subgroups && (size < 1 || size > 64 || group % (2 * size) ||
                            step_constant(step, "SUBGROUP_SIZE") != size))
        return complain("ballots of %u lanes", size);
    uint64_t ranks = step->subgroups ? group / size / 2 * bins : group / 32 * bins / 2 * 3;
    return ranks <= cells && group % 64 == 0 ? NULL : "too few cells to rank in";
}

static const char *check_partition(view *v, const ordo_step *step, uint32_t level) {
    bool makes = v->indices && level == 0;
    const char *entry = !v->pairs ? "msd_partition_keys"
                        : makes   ? "msd_partition_index"
                                  : "msd_partition_pairs";
    ordo_slot keys_out = v->desc->in_place ? ORDO_SLOT_IN : ORDO_SLOT_OUT;
    ordo_slot values_out = v->desc->in_place ? ORDO_SLOT_VALUES_IN : ORDO_SLOT_VALUES_OUT;
    if (strcmp(step->entry, entry) != 0 ||
        step->range_count != 3u + v->pairs + (v->pairs && !makes))
        return complain("%s is not %s", step->entry, entry);
    const char *wrong = check_params(v, step, level);
    if (!wrong)
        wrong = check_key_constants(v, step);
    if (!wrong)
        wrong = check_fixed(v, step);
    if (!wrong)
        wrong = check_cells(v, step);
    if (!wrong)
        wrong = check_source(v, &step->ranges[1], level, ORDO_SLOT_IN, v->keys);
    if (!wrong)
        wrong = check_target(v, &step->ranges[2], level, keys_out, v->keys);
    if (wrong || !v->pairs)
        return wrong;
    if (step_constant(step, "VALUE_WORDS") != v->value_words)
        return "values of another size";
    /* Indices that only gather are in scratch on both sides. */
    bool scratch = v->indices && !v->desc->argsort && level == 1;
    if (scratch && step->ranges[3].slot != ORDO_SLOT_SCRATCH)
        return "indices in the place of values";
    v->values[level] = &step->ranges[3];
    if (!scratch)
        wrong = check_target(v, &step->ranges[3], level, values_out, v->values);
    if (!wrong && !makes)
        wrong = check_source(v, &step->ranges[4], level, ORDO_SLOT_VALUES_IN, v->values);
    return wrong;
}

/* ---- Items ----------------------------------------------------------------------------------- */

static const char *check_local(const view *v, const ordo_step *step) {
    const ordo_step *begin = &v->steps[0];
    uint64_t group = step_constant(step, "GROUP_SIZE");
    uint64_t items = step_param(begin, "items"), records = step_param(begin, "records");
    const ordo_range *control = &step->ranges[0], *list = &step->ranges[1];
    if (strcmp(step->entry, v->pairs ? "msd_local_pairs" : "msd_local_keys") != 0 ||
        step->range_count != 4u + 2u * v->pairs)
        return complain("%s does not sort items", step->entry);
    if (control->offset_bytes != v->work->offset_bytes || control->size_bytes < 8)
        return "no control words";
    if (list->offset_bytes != v->work->offset_bytes + 4 * items ||
        list->size_bytes != 4 * (records - items))
        return "a list of items that is not the levels'";
    if (group * step->items != step_param(begin, "item_count") || !sorts(v, step))
        return complain("items of %" PRIu64 " x %u keys", group, step->items);
    if (step_constant(step, "TIES") != v->pairs ||
        (v->pairs && (step_constant(step, "WRITE_KEYS") == v->desc->argsort ||
                      step_constant(step, "VALUE_WORDS") != v->value_words)))
        return "items with other values";
    for (uint32_t side = 0; side < 2; side++) {
        if (!same_range(&step->ranges[2 + side], v->keys[side]) ||
            (v->pairs && !same_range(&step->ranges[4 + side], v->values[side])))
            return "items elsewhere than where levels wrote them";
    }
    if (v->finished_indices && !same_range(v->finished_indices, v->values[1]))
        return "indices elsewhere if the sort ends early";
    return check_key_constants(v, step);
}

/* ---- One item -------------------------------------------------------------------------------- */

/* All elements are sorted by one workgroup, without scratch. */
static const char *check_small(const view *v) {
    const ordo_step *step = &v->steps[0];
    bool in_place = v->desc->in_place;
    uint64_t group = step_constant(step, "GROUP_SIZE");
    const char *entry = v->desc->argsort       ? "msd_small_index"
                        : v->pairs && in_place ? "msd_small_pairs_in_place"
                        : v->pairs             ? "msd_small_pairs"
                        : in_place             ? "msd_small_keys_in_place"
                                               : "msd_small_keys";
    /* Keys, and where they go unless in place; values, the same; of an argsort no keys go anywhere
       and no values come. */
    uint32_t ranges = v->desc->argsort ? 2 : (1u + v->pairs) * (2u - in_place);
    if (strcmp(step->entry, entry) != 0 || step->range_count != ranges)
        return complain("%s with %u ranges is not %s", step->entry, step->range_count, entry);
    if (step->group_count_x != 1 || step->group_count_y != 1 || v->summary->step_count != 1 ||
        group * step->items < v->desc->max_count || !sorts(v, step))
        return "an item too large for a workgroup";
    bool reserves = v->reserves;
    if ((v->summary->scratch_bytes && !reserves) || v->summary->digit_bits ||
        v->summary->pass_count)
        return "scratch or digits of one item";
    if (step_constant(step, "TIES") != v->pairs ||
        (v->pairs && step_constant(step, "VALUE_WORDS") != v->value_words))
        return "an item with other values";
    return check_key_constants(v, step);
}

const char *plan_check_msd(const plan_problem *problem, const ordo_step *steps,
                           const ordo_summary *summary) {
    view v = view_of(problem, steps, summary);
    if (strcmp(steps[0].kernel, "msd_small") == 0)
        return check_small(&v);
    const char *wrong = check_summary(&v);
    if (!wrong)
        wrong = check_begin(&v);
    const ordo_step *next = &steps[1];
    if (!wrong && v.sampled) {
        uint32_t count = 2u + (v.indices && !v.desc->argsort);
        wrong = check_sampled(&v, next, count);
        next += count;
    }
    for (uint32_t level = 0; !wrong && level < v.levels; level++) {
        wrong = check_histogram(&v, next++, level);
        if (!wrong && v.stable)
            wrong = check_scan(&v, next++, level);
        if (!wrong)
            wrong = check_partition(&v, next++, level);
        if (wrong)
            wrong = complain("level %u: %s", level, wrong);
    }
    return wrong ? wrong : check_local(&v, next);
}
