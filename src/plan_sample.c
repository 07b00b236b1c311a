/* SPDX-License-Identifier: MIT */
/*
 * plan_sample.c: sample sort, in one dispatch.
 *
 *     move_copy         (in place) keys, and values, to scratch
 *     sample_slice      each workgroup finds its slice of the result in all keys, and sorts it
 *
 * Every workgroup reads all keys, so that work grows with the square of their number; where that is
 * small it is the launch of further steps that counts. Values of any width are gathered by the
 * workgroup that has sorted their keys.
 */
#include "plan.h"

#include <stddef.h>

/* Elements that an invocation sorts: the networks of lib/local_sort are written out for so many.
   Words of workgroup memory apart from those that grow with the group. And bytes of the part of the
   keys that words are read from where quads are read from the rest, at most. */
enum { ITEMS = 8, FIXED_WORDS = 192, TAIL_BYTES = 256 };

/* Words of marks and of elements, and of lib/lane and lib/local_sort. */
static uint32_t mark_words(uint32_t group) { return 4 * group; }
static uint32_t cell_words(uint32_t group) { return group * 33 / 4; }
static uint32_t memory_bytes(uint32_t group) {
    return 4 * (mark_words(group) + cell_words(group) + group + FIXED_WORDS);
}

/* Invocations of a workgroup: those of the tuning, or as many of them as the device has, in whole
   rows of 32. */
static uint32_t group_size(const ordo_builder *builder) {
    uint32_t group = builder->tuning->sample_group;
    while (group > builder->caps.max_invocations ||
           memory_bytes(group) > builder->caps.max_workgroup_bytes) {
        group = group / 64 * 32;
    }
    return group;
}

/* Elements of a slice, on average; a workgroup can sort more. */
static uint32_t slice_elements(const ordo_builder *builder, uint32_t capacity) {
    return capacity / 8 * builder->tuning->sample_eighths;
}

/* There are no more slices than elements in the sample. Workgroups take several if the device
   allows no more. */
static uint64_t group_count(const ordo_builder *builder, uint32_t capacity) {
    uint64_t slices = ordo_div_ceil(builder->max_count, slice_elements(builder, capacity));
    uint64_t most = (uint64_t)builder->caps.max_groups * builder->caps.max_groups;
    slices = builder->max_count <= capacity ? 1 : slices < capacity ? slices : capacity;
    return slices < most ? slices : most;
}

/* Where a column is read from: what is written in place is copied first. */
static ordo_area source_of(const ordo_sort *sort, uint32_t words, ordo_area column) {
    if (!sort->desc->in_place) {
        return column;
    }
    ordo_area copy = ordo_plan_scratch(sort->builder, column.size_bytes);
    ordo_plan_copy(sort->builder, words, column, copy);
    return copy;
}

/* Bind keys, as quads but for the last few words, if there are as many, to be bound by
   bind_tail: so quads need not fill the keys. Returns the words of quads, 0: all are words. */
static uint64_t bind_keys(ordo_builder *builder, ordo_step *step, ordo_area keys) {
    uint32_t alignment = builder->caps.offset_alignment_bytes;
    uint64_t tail_bytes = TAIL_BYTES - (-keys.size_bytes & (TAIL_BYTES - 1));
    bool quads = alignment <= TAIL_BYTES && keys.size_bytes > TAIL_BYTES;
    if (quads) {
        keys.size_bytes -= tail_bytes;
    }
    ordo_plan_bind(builder, step, keys, ORDO_READ);
    return quads ? keys.size_bytes / 4 : 0;
}

static void bind_tail(ordo_builder *builder, ordo_step *step, ordo_area keys, uint64_t words) {
    if (words) {
        keys.offset_bytes += 4 * words;
        keys.size_bytes -= 4 * words;
        ordo_plan_bind(builder, step, keys, ORDO_READ);
    }
}

static ordo_step *append_slices(const ordo_sort *sort, const char *entry, uint64_t moved_words) {
    ordo_builder *builder = sort->builder;
    uint32_t group = group_size(builder), capacity = group * ITEMS;
    ordo_step *step =
        ordo_plan_step_sized(builder, "sample_slice", entry, group, ITEMS,
                             group_count(builder, capacity), 4 * moved_words * builder->max_count);
    step->unrolled = builder->max_count >= builder->tuning->msd_unrolled_count;
    ordo_plan_constant(step, "CELLS", cell_words(group));
    ordo_plan_constant(step, "MARKS", mark_words(group));
    ordo_plan_key_constants(sort, step);
    ordo_plan_param(step, "slice_elements", slice_elements(builder, capacity));
    return step;
}

void ordo_plan_sample(const ordo_sort *sort) {
    static const char *const entries[3][2] = {
        {"sample_slice_keys_words", "sample_slice_keys"},
        {"sample_slice_index_words", "sample_slice_index"},
        {"sample_slice_pairs_words", "sample_slice_pairs"},
    };
    ordo_builder *builder = sort->builder;
    const ordo_sort_desc *desc = sort->desc;
    uint32_t value_words = desc->value_bytes / 4, form = desc->argsort ? 1 : value_words ? 2 : 0;
    ordo_area in = source_of(sort, sort->key_words, sort->in);
    ordo_area values = value_words ? source_of(sort, value_words, sort->values_in) : (ordo_area){0};
    /* Of the workgroups that read a key one has it from memory, the others from a cache. */
    uint64_t words = desc->argsort ? sort->key_words + 1 : 2 * (sort->key_words + value_words);
    ordo_step *step = append_slices(sort, entries[form][0], words);
    ordo_plan_constant(step, "TIES", form > 0);
    if (value_words) {
        ordo_plan_constant(step, "VALUE_WORDS", value_words);
    }
    uint64_t quad_words = bind_keys(builder, step, in);
    step->entry = entries[form][quad_words > 0];
    ordo_plan_param(step, "quad_words", quad_words);
    if (!desc->argsort) {
        ordo_plan_bind(builder, step, sort->out, ORDO_WRITE);
    }
    if (value_words) {
        ordo_plan_bind(builder, step, values, ORDO_READ);
    }
    if (form) {
        ordo_plan_bind(builder, step, sort->values_out, ORDO_WRITE);
    }
    bind_tail(builder, step, in, quad_words);
}
