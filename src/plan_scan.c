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
 *
 * A scan of several blocks that looks back instead (kernels/scan_chain.wgsl) is two dispatches, the
 * first of which clears its state, and reads the items once. It takes forward progress, an operator
 * whose results do not depend on the association, and items that stay while it runs: a workgroup
 * that gives up waiting for another reads that one's items.
 */
#include "plan.h"

#include <stddef.h>

/* One level of a scan: its items are ceil(items / unit) of the problem's items. */
typedef struct level {
    ordo_area in, out;
    uint64_t items;
    uint32_t unit;
} level;

static bool same(ordo_area a, ordo_area b) {
    return a.slot == b.slot && a.offset_bytes == b.offset_bytes;
}

/* Whether items can be bound as fours: WGSL cannot reach what is left over. */
static bool is_quads(uint64_t items) { return items % 4 == 0; }

/* A rounding operator needs a fixed association, and a subgroup's is not specified. */
static bool rounds(const ordo_scan *scan) { return scan->type == ORDO_F32 && scan->op == ORDO_ADD; }

/* The constants of lib/fold.wgsl and lib/rows.wgsl, and whether loops are written out. */
static void fold_constants(const ordo_builder *builder, const ordo_scan *scan, ordo_step *step) {
    step->unrolled = builder->max_count >= builder->tuning->unrolled_count;
    ordo_plan_constant(step, "CELLS", 8 * builder->tuning->group_size);
    ordo_plan_constant(step, "TYPE_KIND", scan->type);
    ordo_plan_constant(step, "OP", scan->op);
}

static ordo_step *level_step(ordo_builder *builder, const ordo_scan *scan, const level *at,
                             const char *entry, uint64_t groups, uint64_t moved_bytes) {
    ordo_step *step =
        ordo_plan_step(builder, "scan", entry, builder->tuning->scan_items, groups, moved_bytes);
    step->subgroups = builder->caps.subgroups && !rounds(scan);
    fold_constants(builder, scan, step);
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
    static const char *const entries[3][2] = {{"scan_block", "scan_block_in_place"},
                                              {"scan_apply", "scan_apply_in_place"},
                                              {"scan_apply_quads", "scan_apply_quads_in_place"}};
    bool in_place = same(at->in, at->out);
    /* Levels above the items are short: their kernels are not worth being compiled twice. */
    int form = carries == NULL ? 0 : at->unit > 1 || !is_quads(at->items) ? 1 : 2;
    uint64_t blocks = ordo_div_ceil(at->items, block_items(builder));
    ordo_step *step = level_step(builder, scan, at, entries[form][in_place], blocks, 8 * at->items);
    ordo_plan_constant(step, "INCLUSIVE", inclusive);
    ordo_plan_bind(builder, step, at->out, in_place ? ORDO_READ | ORDO_WRITE : ORDO_WRITE);
    if (!in_place) {
        ordo_plan_bind(builder, step, at->in, ORDO_READ);
    }
    if (carries) {
        ordo_plan_bind(builder, step, *carries, ORDO_READ);
    }
}

/* Append the steps that look back, over all max_count items. */
static void chain(ordo_builder *builder, const ordo_scan *scan) {
    enum { FIRST_STATE = 32 }; /* of the kernel */
    const ordo_tuning *tuning = builder->tuning;
    uint64_t mark = builder->scratch_end;
    uint64_t tile = (uint64_t)tuning->group_size * tuning->scan_chain_items;
    uint64_t tiles = ordo_div_ceil(builder->max_count, tile);
    uint64_t words = FIRST_STATE + 2 * tiles;
    ordo_area state = ordo_plan_scratch(builder, 4 * words);
    ordo_step *step =
        ordo_plan_step(builder, "scan_chain", "scan_chain_clear", tuning->scan_chain_items,
                       ordo_div_ceil(words, tile), 4 * words);
    fold_constants(builder, scan, step);
    ordo_plan_bind(builder, step, state, ORDO_WRITE);
    step = ordo_plan_step(builder, "scan_chain",
                          is_quads(builder->max_count) ? "scan_chain_quads" : "scan_chain",
                          tuning->scan_chain_items, tiles, 8 * builder->max_count + 8 * words);
    fold_constants(builder, scan, step);
    ordo_plan_constant(step, "INCLUSIVE", scan->inclusive);
    ordo_plan_constant(step, "WINDOW", tuning->scan_chain_window);
    ordo_plan_bind(builder, step, scan->out, ORDO_WRITE);
    ordo_plan_bind(builder, step, scan->in, ORDO_READ);
    ordo_plan_bind(builder, step, state, ORDO_READ | ORDO_WRITE);
    builder->scratch_end = mark;
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
    ordo_scan scan = {.type = desc->type,
                      .op = desc->op,
                      .inclusive = desc->inclusive,
                      .in = in,
                      .out = desc->in_place ? in
                                            : ordo_plan_slot(builder, ORDO_SLOT_OUT, in.size_bytes),
                      .per = 1,
                      .times = 1};
    if (builder->caps.forward_progress && !rounds(&scan) && !desc->in_place &&
        desc->max_count > block_items(builder)) {
        chain(builder, &scan);
    } else {
        ordo_plan_scan(builder, &scan);
    }
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
