/* SPDX-License-Identifier: MIT */
/*
 * plan_scan.c: scan and reduce, any count, by blocks.
 *
 *     level 0   | block | block | block | …      items
 *                   \       |      /             scan_reduce: one sum a block
 *     level 1      | s0 s1 s2 … |                scanned the same way, in place in scratch
 *                   /       |      \             scan_apply: block scan plus the sums before it
 *     level 0   | block | block | block | …
 *
 * One block is one dispatch; 2 to `block` blocks are three; each further level adds two.
 */
#include "plan.h"

#include <stddef.h>

/* One level of a scan: its items are ceil(items / unit) of the problem's items. */
typedef struct level {
    ordo_area in, out;
    uint64_t items;
    uint32_t unit;
} level;

static ordo_step *level_step(ordo_builder *builder, const ordo_scan *scan, const level *at,
                             const char *entry, uint64_t groups, uint64_t moved_bytes) {
    ordo_step *step =
        ordo_plan_step(builder, "scan", entry, builder->tuning->scan_items, groups, moved_bytes);
    /* A rounding operator needs a fixed association, and a subgroup's is not specified. */
    step->subgroups = builder->caps.subgroups && !(scan->type == ORDO_F32 && scan->op == ORDO_ADD);
    ordo_plan_constant(step, "TYPE_KIND", scan->type);
    ordo_plan_constant(step, "OP", scan->op);
    ordo_plan_param(step, "per", scan->per);
    ordo_plan_param(step, "times", scan->times);
    ordo_plan_param(step, "unit", at->unit);
    return step;
}

static uint64_t block_items(const ordo_builder *builder) {
    return (uint64_t)builder->tuning->group_size * builder->tuning->scan_items;
}

/* Append the reduce of each block of a level into one sum; returns where the sums lie. */
static void reduce_level(ordo_builder *builder, const ordo_scan *scan, const level *at,
                         ordo_area sums) {
    uint64_t blocks = ordo_div_ceil(at->items, block_items(builder));
    ordo_step *step =
        level_step(builder, scan, at, "scan_reduce", blocks, 4 * at->items + 4 * blocks);
    ordo_plan_bind(builder, step, sums, ORDO_WRITE);
    ordo_plan_bind(builder, step, at->in, ORDO_READ);
}

/* Append the step that scans each block of a level; carries is NULL for a single block. */
static void scan_level(ordo_builder *builder, const ordo_scan *scan, const level *at,
                       bool inclusive, const ordo_area *carries) {
    static const char *const entries[2][2] = {{"scan_block", "scan_block_in_place"},
                                              {"scan_apply", "scan_apply_in_place"}};
    bool in_place = at->in.slot == at->out.slot && at->in.offset_bytes == at->out.offset_bytes;
    uint64_t blocks = ordo_div_ceil(at->items, block_items(builder));
    ordo_step *step =
        level_step(builder, scan, at, entries[carries != NULL][in_place], blocks, 8 * at->items);
    ordo_plan_constant(step, "INCLUSIVE", inclusive);
    ordo_plan_bind(builder, step, at->out, in_place ? ORDO_READ | ORDO_WRITE : ORDO_WRITE);
    if (!in_place) {
        ordo_plan_bind(builder, step, at->in, ORDO_READ);
    }
    if (carries) {
        ordo_plan_bind(builder, step, *carries, ORDO_READ);
    }
}

void ordo_plan_scan(ordo_builder *builder, const ordo_scan *scan) {
    level levels[4];
    uint32_t depth = 0;
    uint64_t mark = builder->scratch_end;
    uint64_t block = block_items(builder);
    levels[0] =
        (level){scan->in, scan->out, ordo_div_ceil(builder->max_count, scan->per) * scan->times, 1};
    while (levels[depth].items > block) {
        const level *at = &levels[depth];
        uint64_t sums_count = ordo_div_ceil(at->items, block);
        ordo_area sums = ordo_plan_scratch(builder, 4 * sums_count);
        reduce_level(builder, scan, at, sums);
        levels[depth + 1] = (level){sums, sums, sums_count, (uint32_t)(at->unit * block)};
        depth++;
    }
    scan_level(builder, scan, &levels[depth], depth == 0 && scan->inclusive, NULL);
    while (depth > 0) {
        depth--;
        scan_level(builder, scan, &levels[depth], depth == 0 && scan->inclusive,
                   &levels[depth + 1].out);
    }
    builder->scratch_end = mark;
}

static void check_items(ordo_builder *builder, uint64_t max_count, ordo_type type, ordo_op op) {
    ordo_plan_check_enum(builder, "op", op, ORDO_MAX);
    ordo_plan_check_enum(builder, "type", type, ORDO_F64);
    if ((uint32_t)type > ORDO_F32) {
        ordo_plan_fail(builder, ORDO_MESSAGE_SCAN_TYPE, &(ordo_report){.a = type});
    }
    ordo_plan_set_count(builder, max_count, 4);
}

void ordo_planner_scan(ordo_builder *builder, const void *any) {
    const ordo_scan_desc *desc = any;
    check_items(builder, desc->max_count, desc->type, desc->op);
    if (builder->status != ORDO_OK || desc->max_count == 0) {
        return;
    }
    ordo_area in = ordo_plan_slot(builder, ORDO_SLOT_IN, 4 * desc->max_count);
    ordo_plan_scan(builder,
                   &(ordo_scan){.type = desc->type,
                                .op = desc->op,
                                .inclusive = desc->inclusive,
                                .in = in,
                                .out = desc->in_place
                                           ? in
                                           : ordo_plan_slot(builder, ORDO_SLOT_OUT, in.size_bytes),
                                .per = 1,
                                .times = 1});
}

void ordo_planner_reduce(ordo_builder *builder, const void *any) {
    const ordo_reduce_desc *desc = any;
    check_items(builder, desc->max_count, desc->type, desc->op);
    if (builder->status != ORDO_OK) {
        return;
    }
    ordo_scan scan = {.type = desc->type, .op = desc->op, .per = 1, .times = 1};
    level at = {.in = ordo_plan_slot(builder, ORDO_SLOT_IN, 4 * desc->max_count),
                .items = desc->max_count,
                .unit = 1};
    ordo_area out = ordo_plan_slot(builder, ORDO_SLOT_OUT, 4);
    if (desc->max_count == 0) {
        ordo_plan_bind(builder, level_step(builder, &scan, &at, "scan_nothing", 1, 4), out,
                       ORDO_WRITE);
        return;
    }
    uint64_t block = block_items(builder);
    while (at.items > block) {
        uint64_t sums_count = ordo_div_ceil(at.items, block);
        ordo_area sums = ordo_plan_scratch(builder, 4 * sums_count);
        reduce_level(builder, &scan, &at, sums);
        at = (level){.in = sums, .items = sums_count, .unit = (uint32_t)(at.unit * block)};
    }
    reduce_level(builder, &scan, &at, out);
}

ordo_status ordo_scan_steps(const ordo_caps *caps, const ordo_scan_desc *desc, ordo_step *steps,
                            uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_scan, steps, capacity, summary);
}

ordo_status ordo_reduce_steps(const ordo_caps *caps, const ordo_reduce_desc *desc, ordo_step *steps,
                              uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_reduce, steps, capacity, summary);
}
