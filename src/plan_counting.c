/* SPDX-License-Identifier: MIT */
/*
 * plan_counting.c: counting sort: a radix sort by bucket numbers, and where each bucket starts.
 *
 *     buckets    | 0 | 1 | … | bucket_count - 1 | overflow |     for what has no other
 *                0   ^starts[1]                 ^starts[bucket_count]
 *
 * Numbers beyond the last bucket count as it when digits are taken, so no pass before maps them,
 * and they come out as they went in. Starts are found by search in what is sorted: a few dozen reads
 * a bucket, whatever the data, and no table besides.
 */
#include "plan.h"

#include <stddef.h>

/* Append the step that finds the starts. keys: sorted if indices is NULL, else in the order that
   the indices sort. */
static void append_starts(ordo_builder *builder, const ordo_bucket_sort *sort, ordo_area keys,
                          const ordo_area *indices) {
    uint64_t starts = (uint64_t)sort->last + 2;
    ordo_step *step =
        ordo_plan_step(builder, "starts", indices ? "starts_indexed" : "starts_sorted", 1,
                       ordo_div_ceil(starts, builder->tuning->group_size),
                       4 * starts * (1 + ordo_log2_ceil(builder->max_count)));
    ordo_plan_param(step, "last", sort->last);
    ordo_plan_bind(builder, step, sort->starts, ORDO_WRITE);
    ordo_plan_bind(builder, step, keys, ORDO_READ);
    if (indices) {
        ordo_plan_bind(builder, step, *indices, ORDO_READ);
    }
}

void ordo_plan_bucket_sort(ordo_builder *builder, const ordo_bucket_sort *sort) {
    ordo_sort_desc desc = {.max_count = builder->max_count,
                           .value_bytes = sort->indices ? 0 : sort->value_bytes,
                           .argsort = sort->indices};
    ordo_sort inner = {.builder = builder,
                       .desc = &desc,
                       .key_words = 1,
                       .window_bits = ordo_log2_ceil((uint64_t)sort->last + 1),
                       .last = sort->last,
                       .in = sort->keys,
                       .out = sort->keys_out,
                       .values_in = sort->values_in,
                       .values_out = sort->values_out};
    if (!sort->indices && !sort->keys_out.size_bytes) {
        inner.out = ordo_plan_scratch(builder, sort->keys.size_bytes);
    }
    if (ordo_plan_is_rejected(builder, ORDO_METHOD_RADIX)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_REJECTED_BUCKETS,
                       &(ordo_report){.a = builder->caps.rejected_methods});
    }
    ordo_plan_radix(&inner);
    if (sort->indices) {
        append_starts(builder, sort, sort->keys, &sort->values_out);
    } else {
        append_starts(builder, sort, inner.out, NULL);
    }
}

static bool by_depth(const ordo_counting_sort_desc *desc) {
    return desc->depth.nearest != 0 || desc->depth.farthest != 0;
}

static void check_desc(ordo_builder *builder, const ordo_counting_sort_desc *desc) {
    if (desc->bucket_count > ORDO_MAX_BINS) {
        ordo_plan_fail(
            builder, ORDO_MESSAGE_BIN_COUNT,
            &(ordo_report){.s = "bucket_count", .a = desc->bucket_count, .b = ORDO_MAX_BINS});
    }
    ordo_plan_check_values(builder, desc->value_bytes, desc->argsort, false);
    ordo_plan_check_depth(builder, &desc->depth);
    if (by_depth(desc) && !desc->argsort && !desc->value_bytes) {
        ordo_plan_fail(builder, ORDO_MESSAGE_DEPTH_ALONE, &(ordo_report){0});
    }
    ordo_plan_set_count(builder, desc->max_count, desc->value_bytes > 4 ? desc->value_bytes : 4);
}

void ordo_planner_counting_sort(ordo_builder *builder, const void *any) {
    const ordo_counting_sort_desc *desc = any;
    check_desc(builder, desc);
    if (builder->status != ORDO_OK || desc->max_count == 0) {
        return;
    }
    uint32_t buckets = desc->bucket_count ? desc->bucket_count : 256;
    ordo_bucket_sort sort = {
        .keys = ordo_plan_slot(builder, ORDO_SLOT_IN, 4 * desc->max_count),
        .last = buckets,
        .value_bytes = desc->value_bytes,
        .indices = desc->argsort,
        .starts = ordo_plan_slot(builder, ORDO_SLOT_STARTS, 4 * ((uint64_t)buckets + 2))};
    uint64_t value_bytes = desc->max_count * (desc->argsort ? 4 : desc->value_bytes);
    if (!desc->argsort && !by_depth(desc)) {
        sort.keys_out = ordo_plan_slot(builder, ORDO_SLOT_OUT, sort.keys.size_bytes);
    }
    if (desc->value_bytes) {
        sort.values_in = ordo_plan_slot(builder, ORDO_SLOT_VALUES_IN, value_bytes);
    }
    if (value_bytes) {
        sort.values_out = ordo_plan_slot(builder, ORDO_SLOT_VALUES_OUT, value_bytes);
    }
    if (by_depth(desc)) {
        ordo_area depths = sort.keys;
        sort.keys = ordo_plan_scratch(builder, depths.size_bytes);
        ordo_plan_depth_buckets(builder, &desc->depth, buckets, depths, sort.keys);
    }
    ordo_plan_bucket_sort(builder, &sort);
}

ordo_status ordo_counting_sort_steps(const ordo_caps *caps, const ordo_counting_sort_desc *desc,
                                     ordo_step *steps, uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_counting_sort, steps, capacity, summary);
}
