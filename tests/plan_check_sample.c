/* SPDX-License-Identifier: MIT */
/*
 * plan_check_sample.c: what must hold of a sample sort, see plan_check.h: copies of what is sorted
 * in place, then one dispatch, whose workgroups have a slice each, or as many of them as the device
 * allows.
 */
#include "plan_check.h"

#include <string.h>

static const char *check_slices(const ordo_step *step, const ordo_caps *caps, uint64_t count) {
    uint64_t group = step_constant(step, "GROUP_SIZE");
    uint64_t slice = step_param(step, "slice_elements");
    uint64_t capacity = group * step->items, most = (uint64_t)caps->max_groups * caps->max_groups;
    uint64_t groups = (uint64_t)step->group_count_x * step->group_count_y;
    uint64_t slices = count <= capacity ? 1 : (count + slice - 1) / slice;
    slices = slices < capacity ? slices : capacity;
    if (group % 32 || group < 128 || slice == 0 || slice > capacity)
        return "a slice does not fit a workgroup";
    if (groups < (slices < most ? slices : most))
        return "too few workgroups for the slices";
    if (step_constant(step, "CELLS") != group * 33 / 4)
        return "not a cell for each element";
    if (step_constant(step, "MARKS") != group * 4)
        return "not four words of marks for each invocation";
    /* What both of these, lib/lane, the tail, lib/local_sort, lib/select and the kernel declare. */
    return 4 * (group * 33 / 4 + group * 4 + group + 64 + 64 + 52) > caps->max_workgroup_bytes
               ? "too much workgroup memory"
               : NULL;
}

const char *plan_check_sample(const plan_problem *problem, const ordo_step *steps,
                              const ordo_summary *summary) {
    const ordo_sort_desc *desc = &problem->sort;
    ordo_caps caps = plan_effective_caps(problem);
    uint64_t key_bytes = ordo_type_bytes(desc->key) * desc->max_count;
    uint64_t value_bytes = desc->value_bytes * desc->max_count;
    uint32_t copies = desc->in_place ? 1 + (value_bytes > 0) : 0;
    const ordo_step *step = &steps[copies];
    char entry[40] = "sample_slice_";
    strcat(entry, desc->argsort ? "index" : value_bytes ? "pairs" : "keys");
    bool quads = key_bytes > 256 && caps.offset_alignment_bytes <= 256;
    strcat(entry, quads ? "" : "_words");
    if (summary->step_count != copies + 1)
        return "other steps than copies and one sort";
    for (uint32_t i = 0; i < copies; i++) {
        if (strcmp(steps[i].entry, "move_copy") != 0)
            return "what comes before the sort is no copy";
    }
    if (strcmp(step->entry, entry) != 0)
        return "another entry point than the desc's";
    if (summary->digit_bits || summary->pass_count || summary->block_length || summary->index_bits)
        return "a sample sort with numbers of other methods";
    if (desc->method && !desc->in_place && summary->scratch_bytes)
        return "scratch out of place";
    const ordo_range *keys = &step->ranges[0], *tail = &step->ranges[step->range_count - 1];
    uint64_t tail_bytes = quads ? tail->size_bytes : 0;
    if (keys->size_bytes + tail_bytes != key_bytes || (desc->in_place && keys->slot))
        return "keys are not read whole, or from where they are written";
    if (step_param(step, "quad_words") != (quads ? keys->size_bytes / 4 : 0))
        return "another number of words in quads than is bound";
    if (quads && (tail->slot != keys->slot || keys->size_bytes % 16 || tail_bytes > 256 ||
                  tail->offset_bytes != keys->offset_bytes + keys->size_bytes))
        return "the tail is not what quads leave of the keys";
    return check_slices(step, &caps, desc->max_count);
}
