/* SPDX-License-Identifier: MIT */
/* plan_check.c: the promises of every plan, see plan_check.h. */
#include "plan_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT_COUNT = ORDO_SLOT_COUNT, INTERVAL_LIMIT = 64 };

const char *complain(const char *format, ...) {
    /* A text may be printed into the next. */
    static char texts[4][640];
    static uint32_t next;
    char *text = texts[next++ % 4];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof texts[0], format, list);
    va_end(list);
    return text;
}

uint32_t plan_told(const ordo_caps *caps, const char *name, uint32_t otherwise) {
    size_t length = strlen(name);
    for (const char *at = caps->tuning; at && (at = strstr(at, name)); at++) {
        bool begins = at == caps->tuning || strchr(" ,", at[-1]);
        if (begins && at[length] == '=')
            otherwise = (uint32_t)strtoul(at + length + 1, NULL, 10);
    }
    return otherwise;
}

/* ---- What the slots hold --------------------------------------------------------------------- */

/*
 * The slots of one plan: their sizes (0: the plan must not name the slot), whether the plan may
 * write them, whether they are its results, and which parts hold something.
 */
typedef struct slots {
    uint64_t bytes[SLOT_COUNT];
    bool writable[SLOT_COUNT];
    bool result[SLOT_COUNT];
    /* Disjoint intervals [from, to) of each slot that hold defined bytes. */
    struct interval {
        uint64_t from, to;
    } defined[SLOT_COUNT][INTERVAL_LIMIT];
    uint32_t defined_count[SLOT_COUNT];
} slots;

static void define(slots *s, ordo_slot slot, uint64_t from, uint64_t to) {
    struct interval *list = s->defined[slot];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->defined_count[slot]; i++) {
        if (list[i].to < from || list[i].from > to) {
            list[kept++] = list[i];
        } else {
            if (list[i].from < from)
                from = list[i].from;
            if (list[i].to > to)
                to = list[i].to;
        }
    }
    if (kept == INTERVAL_LIMIT)
        abort();
    list[kept] = (struct interval){from, to};
    s->defined_count[slot] = kept + 1;
}

static bool is_defined(const slots *s, ordo_slot slot, uint64_t from, uint64_t to) {
    for (uint32_t i = 0; i < s->defined_count[slot]; i++) {
        const struct interval *part = &s->defined[slot][i];
        if (part->from <= from && to <= part->to)
            return true;
    }
    return false;
}

static void slots_of(const plan_problem *problem, const ordo_summary *summary, slots *s) {
    memset(s, 0, sizeof *s);
    bool in_place = false;
    uint64_t *bytes = s->bytes;
    bytes[ORDO_SLOT_SCRATCH] = summary->scratch_bytes;
    if (problem->primitive == PLAN_SORT) {
        const ordo_sort_desc *desc = &problem->sort;
        in_place = desc->in_place;
        uint32_t key_bytes = desc->part_count ? 4 * desc->part_count : ordo_type_bytes(desc->key);
        bytes[ORDO_SLOT_IN] = desc->max_count * key_bytes;
        bytes[ORDO_SLOT_OUT] = desc->argsort ? 0 : bytes[ORDO_SLOT_IN];
        bytes[ORDO_SLOT_VALUES_IN] = desc->max_count * desc->value_bytes;
        bytes[ORDO_SLOT_VALUES_OUT] = desc->max_count * (desc->argsort ? 4 : desc->value_bytes);
    } else if (problem->primitive == PLAN_SCAN) {
        in_place = problem->scan.in_place;
        bytes[ORDO_SLOT_IN] = bytes[ORDO_SLOT_OUT] = problem->scan.max_count * 4;
    } else if (problem->primitive == PLAN_REDUCE) {
        bytes[ORDO_SLOT_IN] = problem->reduce.max_count * 4;
        bytes[ORDO_SLOT_OUT] = 4;
    } else {
        plan_third_slots(problem, bytes);
    }
    ordo_slot keys_out = in_place ? ORDO_SLOT_IN : ORDO_SLOT_OUT;
    ordo_slot values_out = in_place ? ORDO_SLOT_VALUES_IN : ORDO_SLOT_VALUES_OUT;
    if (in_place)
        bytes[ORDO_SLOT_OUT] = bytes[ORDO_SLOT_VALUES_OUT] = 0;
    s->result[keys_out] = bytes[keys_out] > 0;
    s->result[values_out] = bytes[values_out] > 0;
    s->result[ORDO_SLOT_STARTS] = bytes[ORDO_SLOT_STARTS] > 0;
    memcpy(s->writable, s->result, sizeof s->writable);
    s->writable[ORDO_SLOT_SCRATCH] = true;
    static const ordo_slot inputs[] = {ORDO_SLOT_IN, ORDO_SLOT_VALUES_IN, ORDO_SLOT_EDGES};
    for (int i = 0; i < 3; i++) {
        if (bytes[inputs[i]] > 0)
            define(s, inputs[i], 0, bytes[inputs[i]]);
    }
}

/* ---- Checks of steps ------------------------------------------------------------------------- */

static const char *check_numbers(const ordo_number *numbers, uint32_t count, uint32_t limit) {
    if (count > limit)
        return "too many constants or params";
    for (uint32_t i = 0; i < count; i++) {
        if (!numbers[i].name || !numbers[i].name[0])
            return "a constant or param has no name";
        for (uint32_t j = 0; j < i; j++) {
            if (strcmp(numbers[i].name, numbers[j].name) == 0)
                return "a name is given twice";
        }
    }
    return NULL;
}

static const char *check_range(const ordo_range *range, const ordo_caps *caps, const slots *s) {
    if ((uint32_t)range->slot >= SLOT_COUNT)
        return "an unknown slot";
    if (range->size_bytes == 0)
        return "an empty range";
    if (range->size_bytes % 4 != 0)
        return "a range of no whole words";
    if (range->offset_bytes % caps->offset_alignment_bytes != 0)
        return "a misaligned range";
    if (range->size_bytes > caps->max_binding_bytes)
        return "a range above max_binding_bytes";
    uint64_t slot_bytes = s->bytes[range->slot];
    if (range->offset_bytes > slot_bytes || range->size_bytes > slot_bytes - range->offset_bytes) {
        return complain("a range [%" PRIu64 ", +%" PRIu64 ") outside slot %d of %" PRIu64 " bytes",
                        range->offset_bytes, range->size_bytes, (int)range->slot, slot_bytes);
    }
    if (range->written && !s->writable[range->slot])
        return "an input is written out of place";
    if (range->read &&
        !is_defined(s, range->slot, range->offset_bytes, range->offset_bytes + range->size_bytes)) {
        return complain("slot %d is read at [%" PRIu64 ", +%" PRIu64 ") before it is written",
                        (int)range->slot, range->offset_bytes, range->size_bytes);
    }
    return NULL;
}

/* All ranges are bound read-write, so WebGPU forbids any two of one buffer to overlap. */
static bool ranges_meet(const ordo_range *a, const ordo_range *b) {
    return a->slot == b->slot && a->offset_bytes < b->offset_bytes + b->size_bytes &&
           b->offset_bytes < a->offset_bytes + a->size_bytes;
}

/* The words of the step's largest range. */
static uint64_t most_words(const ordo_step *step) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < step->range_count; i++) {
        if (step->ranges[i].size_bytes / 4 > most)
            most = step->ranges[i].size_bytes / 4;
    }
    return most;
}

bool plan_is_network_step(const ordo_step *step) {
    return strcmp(step->kernel, "bitonic") == 0 || strcmp(step->kernel, "oddeven") == 0;
}

/*
 * The workgroups times what one of them takes, `tile_items` where the kernel has such a param, else
 * ITEMS for each invocation, reach all elements: those of the largest range for a scan, of which
 * each level has its own number of items, else max_count. A scan's other ranges hold a word, or
 * more, for each workgroup's share. A network's steps reach its comparators: plan_check_network
 * looks there, plan_check_sample at slices. A sort from the top digit down gives each workgroup
 * tiles until none are left. What is bound in windows reaches the elements of one.
 */
static const char *check_cover(const ordo_step *step) {
    const char *wrong;
    if (plan_is_network_step(step) || plan_is_msd_step(step) || plan_is_onesweep_step(step) ||
        strcmp(step->kernel, "sample_slice") == 0)
        return NULL;
    if (plan_third_cover(step, &wrong))
        return wrong;
    uint64_t share = step_param(step, "tile_items");
    if (share == 0) {
        share = step_constant(step, "GROUP_SIZE") * step->items;
    }
    bool scans = strcmp(step->kernel, "scan") == 0 || strcmp(step->kernel, "scan_chain") == 0;
    uint64_t elements = scans ? most_words(step) : plan_window_elements(step, share);
    for (uint32_t i = 0; scans && i < step->range_count; i++) {
        if (step->ranges[i].size_bytes / 4 * share < elements)
            return "a scan's range of too few words";
    }
    return (uint64_t)step->group_count_x * step->group_count_y * share >= elements
               ? NULL
               : "too few workgroups for the elements";
}

static const char *check_step(const ordo_step *step, const ordo_caps *caps, slots *s) {
    if (!step->kernel || !step->entry || !step->kernel[0] || !step->entry[0])
        return "no kernel";
    if (step->subgroups && !caps->subgroups)
        return "subgroups without the capability";
    if (step->group_count_x < 1 || step->group_count_y < 1)
        return "no workgroups";
    if (step->group_count_x > caps->max_groups || step->group_count_y > caps->max_groups) {
        return complain("%u x %u workgroups", step->group_count_x, step->group_count_y);
    }
    const char *wrong = check_numbers(step->constants, step->constant_count, ORDO_MAX_CONSTANTS);
    if (!wrong)
        wrong = check_numbers(step->params, step->param_count, ORDO_MAX_PARAMS);
    if (wrong)
        return wrong;
    if (step->range_count < 1 || step->range_count > ORDO_MAX_RANGES)
        return "a bad range_count";
    if (step->range_count + 1 > caps->max_storage_buffers)
        return "too many storage buffers";
    bool writes = false;
    for (uint32_t i = 0; i < step->range_count; i++) {
        wrong = check_range(&step->ranges[i], caps, s);
        if (wrong)
            return wrong;
        writes = writes || step->ranges[i].written;
        for (uint32_t j = 0; j < i; j++) {
            if (ranges_meet(&step->ranges[i], &step->ranges[j]))
                return "ranges overlap";
        }
    }
    if (!writes)
        return "a step without effect";
    wrong = check_cover(step);
    if (wrong)
        return wrong;
    if (step_constant(step, "GROUP_SIZE") > caps->max_invocations)
        return "a workgroup above max_invocations";
    for (uint32_t i = 0; i < step->range_count; i++) {
        const ordo_range *range = &step->ranges[i];
        if (!range->written)
            continue;
        define(s, range->slot, range->offset_bytes, range->offset_bytes + range->size_bytes);
    }
    return NULL;
}

/* Whether one of the step's ranges writes here; what they write is defined in `written`. */
static bool step_writes(const ordo_step *step, ordo_slot slot, slots *written) {
    bool writes = false;
    for (uint32_t i = 0; i < step->range_count; i++) {
        const ordo_range *range = &step->ranges[i];
        if (range->slot != slot || !range->written)
            continue;
        define(written, slot, range->offset_bytes, range->offset_bytes + range->size_bytes);
        writes = true;
    }
    return writes;
}

/* The last step to write a result writes it whole, or the last in a row that bind windows do; and
   the plan ends with a result. */
static const char *check_results(const ordo_step *steps, uint32_t count, const slots *s) {
    bool ends_with_result = false;
    for (int slot = 0; slot < SLOT_COUNT; slot++) {
        slots written = {.bytes = {0}};
        if (!s->result[slot])
            continue;
        uint32_t last = count;
        while (last > 0 && !step_writes(&steps[last - 1], (ordo_slot)slot, &written))
            last--;
        for (uint32_t i = last; i > 0 && plan_is_windowed(&steps[i - 1]); i--)
            step_writes(&steps[i - 1], (ordo_slot)slot, &written);
        if (!is_defined(&written, (ordo_slot)slot, 0, s->bytes[slot]))
            return complain("the last write of slot %d is not whole", slot);
        ends_with_result = ends_with_result || last == count;
    }
    return ends_with_result ? NULL : "the last step writes no result";
}

static const char *check_steps(const plan_problem *problem, const ordo_step *steps,
                               const ordo_summary *summary) {
    ordo_caps caps = plan_effective_caps(problem);
    slots s;
    slots_of(problem, summary, &s);
    if (memcmp(s.bytes, summary->slot_bytes, sizeof s.bytes) != 0)
        return "slot_bytes are not those of the desc";
    for (uint32_t i = 0; i < summary->step_count; i++) {
        const char *wrong = check_step(&steps[i], &caps, &s);
        if (wrong)
            return complain("step %u (%s): %s", i, steps[i].kernel ? steps[i].kernel : "NULL",
                            wrong);
    }
    return summary->step_count ? check_results(steps, summary->step_count, &s) : NULL;
}

/* ---- Checks of the summary ------------------------------------------------------------------- */

/* Sorts, and what may have one inside. */
static bool sorts_inside(const plan_problem *problem) {
    return problem->primitive == PLAN_SORT || problem->primitive == PLAN_COUNTING_SORT ||
           problem->primitive == PLAN_GRID || problem->primitive == PLAN_TOP_K;
}

static bool has_numbers_of_sorts(const ordo_summary *summary) {
    return summary->method || summary->digit_bits || summary->pass_count || summary->block_length ||
           summary->fused_levels || summary->index_bits || summary->window_count;
}

static const char *check_refusal(const ordo_summary *summary, ordo_status status) {
    if (status != ORDO_INVALID && status != ORDO_UNSUPPORTED)
        return "an unexpected status";
    if (memchr(summary->message, 0, sizeof summary->message) == NULL)
        return "an endless message";
    if (summary->message[0] == 0)
        return "a refusal without a message";
    if (summary->step_count || summary->scratch_bytes || summary->moved_bytes ||
        summary->modelled_ns || has_numbers_of_sorts(summary)) {
        return "a refusal whose summary is more than a message";
    }
    for (int slot = 0; slot < SLOT_COUNT; slot++) {
        if (summary->slot_bytes[slot])
            return "a refusal with slot_bytes";
    }
    return NULL;
}

/* The most scratch that other methods would take of a device without limits. */
static uint64_t scratch_of_others(const plan_problem *problem) {
    plan_problem other = *problem;
    uint64_t most = 0;
    other.no_caps = false;
    other.caps = plan_effective_caps(problem);
    other.caps.max_buffer_bytes = other.caps.max_binding_bytes = UINT64_MAX;
    for (uint32_t method = ORDO_METHOD_BITONIC; method <= ORDO_METHOD_ONESWEEP; method++) {
        ordo_summary summary;
        other.sort.method = (ordo_method)method;
        if (plan_steps(&other, NULL, 0, &summary) == ORDO_OK && summary.scratch_bytes > most)
            most = summary.scratch_bytes;
    }
    return most;
}

/* A radix sort takes as many passes as its digits need, and little scratch; but what another method
   would take, or all that a buffer can hold, where it is chosen because that does not fit. */
static const char *check_radix(const plan_problem *problem, const ordo_summary *summary) {
    const ordo_sort_desc *sort = &problem->sort;
    ordo_caps caps = plan_effective_caps(problem);
    uint64_t count = sort->max_count, most = 4 * count + count / 5 + 4096;
    uint32_t window = plan_window_bits(sort);
    bool gives_way = sort->method == ORDO_METHOD_AUTO && summary->scratch_bytes > most;
    bool all_of_a_buffer =
        gives_way && caps.max_buffer_bytes - summary->scratch_bytes < caps.offset_alignment_bytes;
    if (gives_way && !all_of_a_buffer)
        most = scratch_of_others(problem);
    if (summary->block_length || summary->fused_levels || summary->index_bits)
        return "a radix sort with a network's numbers";
    if (summary->digit_bits * summary->pass_count < window)
        return "passes too few for the window";
    if (window > 0 && summary->digit_bits * (summary->pass_count - 1) >= window)
        return "more passes than the window takes";
    if (sort->key == ORDO_U32 && !sort->value_bytes && !sort->argsort && sort->digit_bits != 4 &&
        caps.offset_alignment_bytes <= 256 && !all_of_a_buffer && !plan_reserves(problem) &&
        !caps.tuning && summary->method == ORDO_METHOD_RADIX && summary->scratch_bytes > most) {
        return complain("%" PRIu64 " bytes of scratch", summary->scratch_bytes);
    }
    return NULL;
}

static const char *check_summary(const plan_problem *problem, const ordo_summary *summary) {
    plan_problem copy = *problem;
    uint64_t count = *plan_max_count(&copy);
    ordo_caps caps = plan_effective_caps(problem);
    if (summary->message[0] != 0)
        return "a message after success";
    if (problem->primitive != PLAN_SORT && summary->method)
        return "a method that only sorts have";
    if (!sorts_inside(problem) && has_numbers_of_sorts(summary))
        return "numbers that only sorts have";
    if (summary->scratch_bytes > caps.max_buffer_bytes)
        return "scratch above max_buffer_bytes";
    if (count > UINT32_MAX)
        return "a count above 2^32 - 1 is accepted";
    if (problem->primitive == PLAN_REDUCE || problem->primitive == PLAN_HISTOGRAM)
        return summary->step_count ? NULL : "no steps";
    if (count == 0 || (problem->primitive == PLAN_TOP_K && problem->top_k.k == 0)) {
        return summary->step_count || summary->scratch_bytes ? "work for no elements" : NULL;
    }
    bool copies_onto_itself = problem->primitive == PLAN_SORT && problem->sort.in_place &&
                              plan_window_bits(&problem->sort) == 0;
    if (copies_onto_itself)
        return summary->step_count || summary->scratch_bytes ? "work for an empty window" : NULL;
    if (summary->step_count == 0)
        return "no steps";
    if (summary->moved_bytes < 4 * count)
        return "less is moved than written";
    if (problem->primitive != PLAN_SORT)
        return NULL;

    const char *wrong = plan_check_method(problem, summary);
    if (wrong)
        return wrong;
    if (summary->method == ORDO_METHOD_RADIX || summary->method == ORDO_METHOD_ONESWEEP)
        return check_radix(problem, summary);
    if (summary->method == ORDO_METHOD_MSD)
        return NULL;
    return summary->digit_bits || summary->pass_count ? "a network with digits" : NULL;
}

static bool summaries_equal(const ordo_summary *a, const ordo_summary *b) {
    return a->step_count == b->step_count && a->scratch_bytes == b->scratch_bytes &&
           a->method == b->method && a->digit_bits == b->digit_bits &&
           a->pass_count == b->pass_count && a->block_length == b->block_length &&
           a->fused_levels == b->fused_levels && a->index_bits == b->index_bits &&
           a->window_count == b->window_count && a->moved_bytes == b->moved_bytes &&
           a->modelled_ns == b->modelled_ns && strcmp(a->message, b->message) == 0;
}

/* Fewer elements are accepted too, and take no more scratch. */
static const char *check_fewer(const plan_problem *problem, const ordo_summary *summary) {
    plan_problem copy = *problem;
    uint64_t *count = plan_max_count(&copy);
    uint64_t full = *count;
    uint64_t fewer[] = {full - 1, full / 2, full - full / 7, full & (full - 1), 0};
    for (size_t i = 0; full > 0 && i < sizeof fewer / sizeof *fewer; i++) {
        ordo_summary less;
        *count = fewer[i];
        if (plan_steps(&copy, NULL, 0, &less) != ORDO_OK) {
            return complain("%" PRIu64 " elements are refused: %s", fewer[i], less.message);
        }
        if (less.method == ORDO_METHOD_RADIX && summary->method == ORDO_METHOD_BITONIC &&
            !plan_reserves(problem))
            return complain("%" PRIu64 " elements are for radix", fewer[i]);
        if (less.scratch_bytes > summary->scratch_bytes) {
            return complain("%" PRIu64 " elements take more scratch, %" PRIu64 " bytes", fewer[i],
                            less.scratch_bytes);
        }
    }
    return NULL;
}

static bool all_bytes_are(const void *data, size_t size, int value) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != value)
            return false;
    }
    return true;
}

/* Plans into two arrays of different old contents, and into one that is a step too short. */
static const char *check_filling(const plan_problem *problem, const ordo_summary *summary,
                                 ordo_step *a, ordo_step *b) {
    uint32_t count = summary->step_count;
    size_t bytes = count * sizeof *a;
    ordo_summary filled;
    memset(a, 0xa5, bytes);
    memset(b, 0x3c, bytes);
    if (plan_steps(problem, a, count, &filled) != ORDO_OK)
        return "filling fails";
    if (!summaries_equal(summary, &filled))
        return "the summary depends on the steps array";
    if (plan_steps(problem, b, count, &filled) != ORDO_OK)
        return "planning twice fails";
    if (memcmp(a, b, bytes) != 0)
        return "planning twice gives different bytes";
    if (count == 0)
        return NULL;
    memset(b, 0x3c, bytes);
    if (plan_steps(problem, b, count - 1, &filled) != ORDO_INVALID)
        return "a short array is taken";
    if (filled.step_count != count)
        return "a short array is not told the step_count";
    if (filled.message[0] == 0)
        return "a short array gets no message";
    if (!all_bytes_are(b, bytes, 0x3c))
        return "a short array is changed";
    return NULL;
}

/* What makes any problem invalid: its max_count, or the capabilities. */
static bool breaks_other_rules(const plan_problem *problem) {
    plan_problem copy = *problem;
    ordo_caps caps = plan_effective_caps(problem);
    uint32_t alignment = caps.offset_alignment_bytes;
    return *plan_max_count(&copy) > UINT32_MAX || alignment < 4 || (alignment & (alignment - 1)) ||
           caps.rejected_methods & ~(uint32_t)PLAN_ALL_METHODS ||
           ordo_tuning_text(&caps, NULL, 0) == 1;
}

const char *plan_check(const plan_problem *problem, ordo_status *status) {
    ordo_summary summary;
    memset(&summary, 0xa5, sizeof summary);
    ordo_status outcome = plan_steps(problem, NULL, 0, &summary);
    if (status)
        *status = outcome;
    if (outcome != ORDO_OK) {
        ordo_step step;
        ordo_summary again;
        memset(&step, 0x3c, sizeof step);
        if (plan_steps(problem, &step, 1, &again) != outcome)
            return "two answers";
        if (!all_bytes_are(&step, sizeof step, 0x3c))
            return "a refusal changes the steps";
        if (plan_desc_rule(problem) == PLAN_GOOD && outcome == ORDO_INVALID &&
            !breaks_other_rules(problem))
            return complain("a desc that keeps its rules is refused: %s", summary.message);
        return check_refusal(&summary, outcome);
    }
    if (plan_desc_rule(problem) == PLAN_BAD)
        return "a desc that breaks its rules is planned";
    const char *wrong = check_summary(problem, &summary);
    if (wrong)
        return wrong;
    ordo_step *a = malloc((summary.step_count + 1) * sizeof *a);
    ordo_step *b = malloc((summary.step_count + 1) * sizeof *b);
    if (!a || !b)
        abort();
    wrong = check_filling(problem, &summary, a, b);
    if (!wrong)
        wrong = check_steps(problem, a, &summary);
    if (!wrong && summary.window_count != plan_count_windows(a, summary.step_count))
        wrong = "another window_count than that of the steps";
    bool sorts = problem->primitive == PLAN_SORT && problem->sort.max_count &&
                 plan_window_bits(&problem->sort);
    if (!wrong && sorts && summary.method == ORDO_METHOD_MSD)
        wrong = plan_check_msd(problem, a, &summary);
    else if (!wrong && sorts && summary.method == ORDO_METHOD_ONESWEEP)
        wrong = plan_check_onesweep(problem, a, &summary);
    else if (!wrong && sorts && summary.method == ORDO_METHOD_SAMPLE)
        wrong = plan_check_sample(problem, a, &summary);
    else if (!wrong && sorts && summary.method != ORDO_METHOD_RADIX)
        wrong = plan_check_network(problem, a, &summary);
    else if (!wrong && sorts && problem->sort.digit_bits != 4)
        wrong = plan_check_windows(problem, a, &summary);
    if (!wrong)
        wrong = check_fewer(problem, &summary);
    free(a);
    free(b);
    return wrong;
}
