/* SPDX-License-Identifier: MIT */
/*
 * plan_grid.c: points sorted into the cells of a uniform grid: the number of each point's cell, a
 * stable sort by those numbers, and the points in that order if they are wanted.
 *
 *     grid_cells    scratch[i] = number of the cell of point i; `cells` if it has none
 *     bucket sort   VALUES_OUT, STARTS
 *     grid_points   OUT[i] = IN[VALUES_OUT[i]]
 */
#include "plan.h"

enum { MAX_STRIDE_BYTES = 4096, MAX_AXIS_CELLS = 1 << 20 };
#define MAX_CELLS ((uint64_t)1 << 31)

/* A desc with its defaults filled in. */
typedef struct grid {
    uint32_t dimensions, stride_bytes;
    uint32_t origin[3], cells_per_unit[3]; /* bits of f32 */
    uint32_t cells[3];
    uint64_t cell_count;
} grid;

static uint32_t float_bits(float number) {
    return (union {
               float number;
               uint32_t bits;
           }){number}
        .bits;
}

/* ---- Checks ---- */

static void check_layout(ordo_builder *builder, const ordo_grid_desc *desc, const grid *g) {
    if (g->dimensions != 2 && g->dimensions != 3) {
        ordo_plan_fail(builder, ORDO_MESSAGE_DIMENSIONS, &(ordo_report){.a = g->dimensions});
    }
    if (g->stride_bytes % 4 || g->stride_bytes > MAX_STRIDE_BYTES) {
        ordo_plan_fail(builder, ORDO_MESSAGE_STRIDE,
                       &(ordo_report){.a = g->stride_bytes, .b = MAX_STRIDE_BYTES});
    }
    if (desc->offset_bytes % 4) {
        ordo_plan_fail(builder, ORDO_MESSAGE_POINT_OFFSET, &(ordo_report){.a = desc->offset_bytes});
    }
    if ((uint64_t)desc->offset_bytes + 4 * g->dimensions > g->stride_bytes) {
        ordo_plan_fail(
            builder, ORDO_MESSAGE_STRIDE_FIT,
            &(ordo_report){.a = desc->offset_bytes, .b = 4 * g->dimensions, .c = g->stride_bytes});
    }
}

/* A cell size is such that what a device flushes to zero is far less than a cell, and what
   overflows lies more than 2^30 cells away. */
static void check_axis(ordo_builder *builder, const ordo_grid_desc *desc, uint32_t axis) {
    float origin = desc->origin[axis], size = desc->cell_size[axis];
    if ((float_bits(origin) & 0x7f800000) == 0x7f800000) {
        ordo_plan_fail(builder, ORDO_MESSAGE_ORIGIN,
                       &(ordo_report){.s = origin != origin ? "NaN" : "infinite", .a = axis});
    }
    if (size != 0 && !(size >= 1e-28f && size <= 1e28f)) {
        const char *what = size != size ? "NaN"
                           : size < 0   ? "negative"
                           : size < 1   ? "too small"
                                        : "too large";
        ordo_plan_fail(builder, ORDO_MESSAGE_CELL_SIZE, &(ordo_report){.s = what, .a = axis});
    }
    if (desc->cells[axis] > MAX_AXIS_CELLS) {
        ordo_plan_fail(builder, ORDO_MESSAGE_AXIS_CELLS,
                       &(ordo_report){.a = axis, .b = desc->cells[axis], .c = MAX_AXIS_CELLS});
    }
}

static void check_flat(ordo_builder *builder, const ordo_grid_desc *desc) {
    const struct {
        const char *name;
        bool set;
    } fields[] = {{"origin[2]", desc->origin[2] != 0},
                  {"cell_size[2]", desc->cell_size[2] != 0},
                  {"cells[2]", desc->cells[2] != 0}};
    for (uint32_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (fields[i].set) {
            ordo_plan_fail(builder, ORDO_MESSAGE_FLAT, &(ordo_report){.s = fields[i].name});
        }
    }
}

static void check_table(ordo_builder *builder, const ordo_grid_desc *desc) {
    const struct {
        const char *name;
        uint32_t value;
    } without[] = {{"cells[0]", desc->cells[0]},
                   {"cells[1]", desc->cells[1]},
                   {"cells[2]", desc->cells[2]},
                   {"outside", desc->outside}};
    if (desc->table_size & (desc->table_size - 1)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_TABLE_SIZE, &(ordo_report){.a = desc->table_size});
    }
    for (uint32_t i = 0; i < sizeof without / sizeof *without; i++) {
        if (without[i].value) {
            ordo_plan_fail(
                builder, ORDO_MESSAGE_TABLE_FIELD,
                &(ordo_report){.s = without[i].name, .a = without[i].value, .b = desc->table_size});
        }
    }
}

static void check_desc(ordo_builder *builder, const ordo_grid_desc *desc, const grid *g) {
    check_layout(builder, desc, g);
    for (uint32_t axis = 0; axis < 3; axis++) {
        check_axis(builder, desc, axis);
    }
    if (g->dimensions == 2) {
        check_flat(builder, desc);
    }
    ordo_plan_check_enum(builder, "outside", desc->outside, ORDO_OUTSIDE_APART);
    if (desc->table_size) {
        check_table(builder, desc);
    }
    uint64_t starts_bytes = 4 * (g->cell_count + 2);
    if (g->cell_count > MAX_CELLS) {
        ordo_plan_fail(builder, ORDO_MESSAGE_CELLS,
                       &(ordo_report){.a = g->cells[0], .b = g->cells[1], .c = g->cells[2]});
    } else if (starts_bytes > builder->caps.max_binding_bytes) {
        ordo_plan_fail(builder, ORDO_MESSAGE_CELLS_BINDING,
                       &(ordo_report){.a = g->cell_count,
                                      .b = starts_bytes,
                                      .c = builder->caps.max_binding_bytes});
    }
    ordo_plan_set_count(builder, desc->max_count, g->stride_bytes);
}

/* ---- The grid ---- */

static grid fill_grid(const ordo_grid_desc *desc) {
    grid g = {.dimensions = desc->dimensions ? desc->dimensions : 3,
              .cell_count = desc->table_size ? desc->table_size : 1};
    g.stride_bytes = desc->stride_bytes ? desc->stride_bytes : 4 * g.dimensions;
    float first_size = desc->cell_size[0] != 0 ? desc->cell_size[0] : 1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float size = desc->cell_size[axis] != 0 ? desc->cell_size[axis] : first_size;
        g.origin[axis] = float_bits(desc->origin[axis]);
        g.cells_per_unit[axis] = float_bits(1 / size);
        g.cells[axis] = desc->cells[axis] ? desc->cells[axis] : 1;
        /* Three axes of 2^20 are less than 2^64; more in an axis is refused. */
        g.cell_count *= desc->table_size ? 1 : g.cells[axis];
    }
    return g;
}

/* A step of kernels/grid.wgsl with all its params; the caller binds. */
static ordo_step *grid_step(ordo_builder *builder, const ordo_grid_desc *desc, const grid *g,
                            const char *entry, uint32_t moved_words) {
    ordo_step *step = ordo_plan_share_step(builder, "grid", entry, moved_words);
    ordo_plan_param(step, "stride", g->stride_bytes / 4);
    ordo_plan_param(step, "offset", desc->offset_bytes / 4);
    ordo_plan_param(step, "dimensions", g->dimensions);
    ordo_plan_param(step, "origin_x", g->origin[0]);
    ordo_plan_param(step, "origin_y", g->origin[1]);
    ordo_plan_param(step, "origin_z", g->origin[2]);
    ordo_plan_param(step, "outside", desc->outside);
    ordo_plan_param(step, "cells_per_unit_x", g->cells_per_unit[0]);
    ordo_plan_param(step, "cells_per_unit_y", g->cells_per_unit[1]);
    ordo_plan_param(step, "cells_per_unit_z", g->cells_per_unit[2]);
    ordo_plan_param(step, "table_size", desc->table_size);
    ordo_plan_param(step, "cells_x", g->cells[0]);
    ordo_plan_param(step, "cells_y", g->cells[1]);
    ordo_plan_param(step, "cells_z", g->cells[2]);
    ordo_plan_param(step, "cell_count", g->cell_count);
    return step;
}

void ordo_planner_grid(ordo_builder *builder, const void *any) {
    const ordo_grid_desc *desc = any;
    grid g = fill_grid(desc);
    check_desc(builder, desc, &g);
    if (builder->status != ORDO_OK || !desc->max_count) {
        return;
    }
    uint64_t count = desc->max_count, point_bytes = 4 * g.dimensions;
    ordo_area in = ordo_plan_slot(builder, ORDO_SLOT_IN,
                                  desc->offset_bytes + (count - 1) * g.stride_bytes + point_bytes);
    ordo_area order = ordo_plan_slot(builder, ORDO_SLOT_VALUES_OUT, 4 * count);
    ordo_area starts = ordo_plan_slot(builder, ORDO_SLOT_STARTS, 4 * (g.cell_count + 2));
    ordo_area numbers = ordo_plan_scratch(builder, 4 * count);

    ordo_step *step = grid_step(builder, desc, &g, "grid_cells", g.dimensions + 1);
    step->unrolled = true;
    ordo_plan_bind(builder, step, numbers, ORDO_WRITE);
    ordo_plan_bind(builder, step, in, ORDO_READ);

    ordo_plan_bucket_sort(builder, &(ordo_bucket_sort){.keys = numbers,
                                                       .last = (uint32_t)g.cell_count,
                                                       .indices = true,
                                                       .values_out = order,
                                                       .starts = starts});
    if (desc->points_out) {
        ordo_area out = ordo_plan_slot(builder, ORDO_SLOT_OUT, count * point_bytes);
        step = grid_step(builder, desc, &g, "grid_points", 2 * g.dimensions + 1);
        ordo_plan_bind(builder, step, out, ORDO_WRITE);
        ordo_plan_bind(builder, step, in, ORDO_READ);
        ordo_plan_bind(builder, step, order, ORDO_READ);
    }
}

ordo_status ordo_grid_steps(const ordo_caps *caps, const ordo_grid_desc *desc, ordo_step *steps,
                            uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_grid, steps, capacity, summary);
}
