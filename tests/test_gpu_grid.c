/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_grid.c: points into cells: every form of grid against the model, what must hold of cells
 * by themselves, neighbours against brute force, and the faults of other grids. Numbers like B078
 * are those of the project's list of cases.
 */
#include "gpu_slots.h"
#include "model_third.h"
#include "pairwise.h"

#include <inttypes.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

typedef struct grid_case {
    ordo_grid_desc desc;
    const void *in; /* max_count points, each with its stride */
    count_use count_use;
    uint32_t gpu_count;
    bool one_buffer;
    scratch_use scratch;
    ordo_context *context; /* NULL: the rig's */
    uint32_t *starts;      /* not NULL: receives STARTS */
    uint32_t *indices;     /* not NULL: receives VALUES_OUT */
} grid_case;

/* A case as it runs: what it must give. */
typedef struct grid_run {
    slot_case slots;
    uint32_t *cells, *order, *starts, *points;
} grid_run;

static void make_plan(rig *r, const grid_case *c, slot_case *s) {
    ordo_context *context = c->context ? c->context : r->context;
    ordo_grid_desc d = c->desc;
    snprintf(s->what, sizeof s->what,
             "grid of %" PRIu64 " (dimensions %u, stride %u, offset %u, origin %g %g %g, cell_size "
             "%g %g %g, cells %u %u %u, outside %d, table_size %u, points_out %d, count %s%u, "
             "one_buffer %d, scratch %d)",
             d.max_count, d.dimensions, d.stride_bytes, d.offset_bytes, (double)d.origin[0],
             (double)d.origin[1], (double)d.origin[2], (double)d.cell_size[0],
             (double)d.cell_size[1], (double)d.cell_size[2], d.cells[0], d.cells[1], d.cells[2],
             (int)d.outside, d.table_size, d.points_out, c->count_use == COUNT_HOST ? "host " : "",
             c->gpu_count, c->one_buffer, (int)c->scratch);
    d.caller_scratch = c->scratch != SCRATCH_OWN;
    if (ordo_grid_plan(context, &d, &s->plan) != ORDO_OK)
        fail_msg("%s: %s", s->what, ordo_message(context));
}

static grid_run begin(rig *r, const grid_case *c) {
    const ordo_grid_desc *desc = &c->desc;
    uint64_t most = desc->max_count, cells = model_cells(desc);
    uint32_t axes = model_dimensions(desc);
    grid_run run = {.slots = {.count_use = c->count_use,
                              .gpu_count = c->gpu_count,
                              .one_buffer = c->one_buffer,
                              .scratch = c->scratch}};
    slot_case *s = &run.slots;
    uint64_t count = slots_count(s, most);
    make_plan(r, c, s);
    run.cells = malloc(4 * most + 4);
    run.order = malloc(4 * most + 4);
    run.starts = malloc(4 * (cells + 2));
    run.points = malloc(4 * axes * most + 4);
    assert_true(run.cells && run.order && run.starts && run.points);
    for (uint64_t i = 0; i < count; i++) {
        float point[3];
        model_point(desc, c->in, i, point);
        run.cells[i] = model_cell(desc, point);
    }
    model_by_number(run.cells, count, cells, run.order, run.starts);
    for (uint64_t i = 0; i < count; i++)
        model_point(desc, c->in, run.order[i], (float *)(void *)(run.points + axes * i));
    s->inputs[ORDO_SLOT_IN] = c->in;
    s->expected[ORDO_SLOT_OUT] = run.points;
    s->expected[ORDO_SLOT_VALUES_OUT] = run.order;
    s->expected[ORDO_SLOT_STARTS] = run.starts;
    s->expected_bytes[ORDO_SLOT_OUT] = desc->points_out ? 4 * axes * count : 0;
    s->expected_bytes[ORDO_SLOT_VALUES_OUT] = 4 * count;
    s->expected_bytes[ORDO_SLOT_STARTS] = most ? 4 * (cells + 2) : 0;
    return run;
}

static void run_free(grid_run *run) {
    slots_free(&run->slots);
    free(run->cells);
    free(run->order);
    free(run->starts);
    free(run->points);
}

/* Whether a point lies in a cell by the plain inequality, cell <= (x - origin) / size < cell + 1,
   where borders are exact because sizes are powers of two and coordinates small. */
static bool lies_in(const ordo_grid_desc *desc, const float *point, uint64_t cell) {
    for (uint32_t axis = 0; axis < model_dimensions(desc); axis++) {
        uint64_t cells = model_axis_cells(desc, axis);
        double low =
            (double)desc->origin[axis] + (double)(cell % cells) * (double)desc->cell_size[axis];
        double x = (double)point[axis], high = low + (double)desc->cell_size[axis];
        if (x < low || x >= high)
            return false;
        cell /= cells;
    }
    return true;
}

/* P8: cells follow each other without gaps and hold each point once, in the order of the input. */
static void check_alone(const grid_case *c, const slot_case *s) {
    const uint32_t *starts = s->results[ORDO_SLOT_STARTS];
    const uint32_t *indices = s->results[ORDO_SLOT_VALUES_OUT];
    uint64_t count = slots_count(s, c->desc.max_count), cells = model_cells(&c->desc);
    unsigned char *seen = calloc(count + 1, 1);
    assert_non_null(seen);
    if (starts[0] != 0 || starts[cells + 1] != count)
        fail_msg("%s: cells reach from %u to %u", s->what, starts[0], starts[cells + 1]);
    for (uint64_t cell = 0; cell <= cells; cell++) {
        if (starts[cell] > starts[cell + 1])
            fail_msg("%s: cell %" PRIu64 " ends before it starts", s->what, cell);
        for (uint64_t i = starts[cell]; i < starts[cell + 1]; i++) {
            if (indices[i] >= count || seen[indices[i]]++)
                fail_msg("%s: entry %" PRIu64 " is point %u", s->what, i, indices[i]);
            if (i > starts[cell] && indices[i] < indices[i - 1])
                fail_msg("%s: entry %" PRIu64 " came before the one ahead of it", s->what, i);
        }
    }
    free(seen);
}

static void end(rig *r, const grid_case *c, grid_run *run) {
    slot_case *s = &run->slots;
    slots_end(r, s);
    if (c->desc.max_count)
        check_alone(c, s);
    slots_copy(s, ORDO_SLOT_STARTS, c->starts);
    slots_copy(s, ORDO_SLOT_VALUES_OUT, c->indices);
    run_free(run);
}

static void check(rig *r, grid_case c) {
    grid_run run = begin(r, &c);
    slots_run(r, &run.slots);
    end(r, &c, &run);
}

/* Points on one axis, the others 0, and the cells they must be in; `cells` is the overflow. */
static void expect_cells(rig *r, ordo_grid_desc desc, const float *x, const uint32_t *cells) {
    float points[3 * 64];
    uint32_t starts[64 + 2], indices[64];
    desc.dimensions = 3;
    assert_true(desc.max_count <= 64 && model_cells(&desc) <= 64);
    for (uint64_t i = 0; i < desc.max_count; i++) {
        points[3 * i] = x[i];
        points[3 * i + 1] = points[3 * i + 2] = 0;
    }
    check(r, (grid_case){.desc = desc, .in = points, .starts = starts, .indices = indices});
    for (uint32_t cell = 0; cell <= model_cells(&desc); cell++) {
        for (uint32_t i = starts[cell]; i < starts[cell + 1]; i++) {
            if (cells[indices[i]] != cell)
                fail_msg("point %g is in cell %u, not %u", (double)x[indices[i]], cell,
                         cells[indices[i]]);
        }
    }
}

/* ---- Data ------------------------------------------------------------------------------------ */

typedef enum point_shape {
    POINTS_INSIDE,  /* all over the grid */
    POINTS_AROUND,  /* within and around it, some far out */
    POINTS_ONE,     /* all in one cell */
    POINTS_BORDERS, /* on borders of cells, and the floats beside them */
    POINTS_SPECIAL, /* NaNs, infinities, zeros, subnormals, extremes */
    POINTS_BITS,    /* any 32 bits */
    POINTS_NOWHERE, /* NaNs alone */
    POINT_SHAPES
} point_shape;

static uint32_t coordinate(point_shape shape, const ordo_grid_desc *desc, uint32_t axis,
                           uint64_t *random) {
    double size = (double)desc->cell_size[axis], origin = (double)desc->origin[axis];
    double width = size * (double)(desc->table_size ? 20 : model_axis_cells(desc, axis));
    uint64_t bits = model_random(random);
    double part = (double)(bits >> 11) * 0x1p-53;
    float border = (float)(origin + floor((part * 1.2 - 0.1) * width / size) * size);
    switch (shape) {
    case POINTS_INSIDE:
        return model_float_bits((float)(origin + part * width));
    case POINTS_AROUND:
        return model_float_bits((float)(origin + (part * 3 - 1) * width * (bits & 64 ? 1 : 1000)));
    case POINTS_ONE:
        return model_float_bits((float)(origin + size * (1.25 + part / 2)));
    case POINTS_BORDERS:
        return model_float_bits(bits & 1   ? border
                                : bits & 2 ? nextafterf(border, INFINITY)
                                           : nextafterf(border, -INFINITY));
    case POINTS_SPECIAL:
        return bits & 7 ? model_float_bits((float)(origin + part * width))
                        : (uint32_t)special_key(ORDO_F32, bits >> 9);
    case POINTS_NOWHERE:
        return (uint32_t)nan_key(ORDO_F32, bits >> 9);
    default:
        return (uint32_t)(bits >> 32);
    }
}

/* Points with canaries in the rest of each stride. */
static uint32_t *points(point_shape shape, const ordo_grid_desc *desc, uint64_t seed) {
    uint64_t words = model_stride(desc) / 4;
    uint32_t *in = malloc(4 * words * desc->max_count + 4);
    uint64_t random = seed * 0x9e3779b97f4a7c15u + 5;
    assert_non_null(in);
    memset(in, 0xfe, 4 * words * desc->max_count);
    for (uint64_t i = 0; i < desc->max_count; i++) {
        uint32_t *point = in + i * words + desc->offset_bytes / 4;
        for (uint32_t axis = 0; axis < model_dimensions(desc); axis++)
            point[axis] = coordinate(shape, desc, axis, &random);
    }
    return in;
}

/* ---- Every pair of settings ------------------------------------------------------------------ */

enum {
    SHAPE,
    AXES,
    LAYOUT,
    GRID,
    OUTSIDE,
    CAPACITY,
    COUNT_WAY,
    POINTS_OUT,
    ONE_BUFFER,
    SCRATCH,
    NARROW,
    FACTORS
};

/* Cells of each axis, or the size of a table; origin and cell size. */
static const struct grid_form {
    uint32_t cells[3], table_size;
    float origin[3], cell_size[3];
} grid_forms[] = {
    {{1, 1, 1}, 0, {0, 0, 0}, {1, 1, 1}},
    {{4, 4, 4}, 0, {0, 0, 0}, {0.25f, 0.25f, 0.25f}},
    {{7, 3, 5}, 0, {-1, -2, -3}, {0.5f, 2, 1}},
    {{64, 33, 2}, 0, {-10, 5, 0.3f}, {0.1f, 0.7f, 3}},
    {{255, 1, 1}, 0, {1e6f, -1e6f, 0}, {1, 1, 1}},
    {{16, 16, 1}, 0, {0, 0, 0}, {1e-20f, 1e20f, 1}},
    {{1, 257, 1}, 0, {0, 0, 0}, {1, 0.01f, 1}},
    {{30, 30, 30}, 0, {-15, -15, -15}, {1, 1, 1}},
    {{300, 300, 1}, 0, {-1, -1, -1}, {1.0f / 128, 1.0f / 128, 1.0f / 128}},
    {{0, 0, 0}, 1, {0, 0, 0}, {1, 1, 1}},
    {{0, 0, 0}, 256, {-3, 2, 1}, {0.3f, 0.3f, 0.3f}},
    {{0, 0, 0}, 65536, {0, 0, 0}, {1, 1, 1}},
    {{0, 0, 0}, 1 << 18, {5, 5, 5}, {2, 0.125f, 1}},
};

static const struct layout {
    uint32_t stride_bytes, offset_bytes;
} layouts[] = {{0, 0}, {12, 0}, {16, 4}, {32, 16}, {100, 88}, {4096, 4084}};

static const uint32_t capacities[] = {0, 1, 2, 255, 257, 1000, 3073, 6145, 12289};

/* Points of 4,096 bytes are for few; hashed grids have no outside; the starts of many cells are
   more than 17 by 17 workgroups write. */
static bool allowed(const uint32_t *row) {
    const struct grid_form *form = &grid_forms[row[GRID]];
    bool hashed = form->table_size > 0;
    uint64_t cells = hashed ? form->table_size : form->cells[0] * form->cells[1];
    if (row[AXES] && !hashed)
        cells *= form->cells[2];
    return !(hashed && row[OUTSIDE]) && !(row[NARROW] && cells > 73000) &&
           !(layouts[row[LAYOUT]].stride_bytes == 4096 && capacities[row[CAPACITY]] > 3073);
}

static grid_case case_of(const uint32_t *row, uint64_t seed) {
    const struct grid_form *form = &grid_forms[row[GRID]];
    uint32_t axes = 2 + row[AXES];
    grid_case c = {.desc = {.max_count = capacities[row[CAPACITY]],
                            .dimensions = axes == 3 && seed % 2 ? 0 : axes,
                            .stride_bytes = layouts[row[LAYOUT]].stride_bytes,
                            .offset_bytes = layouts[row[LAYOUT]].offset_bytes,
                            .outside = (ordo_outside)row[OUTSIDE],
                            .table_size = form->table_size,
                            .points_out = row[POINTS_OUT]},
                   .one_buffer = row[ONE_BUFFER],
                   .scratch = (scratch_use)row[SCRATCH]};
    for (uint32_t axis = 0; axis < axes; axis++) {
        c.desc.origin[axis] = form->origin[axis];
        c.desc.cell_size[axis] = form->cell_size[axis];
        c.desc.cells[axis] = form->cells[axis];
    }
    slots_set_count(&c.count_use, &c.gpu_count, row[COUNT_WAY], c.desc.max_count, seed * 7919);
    return c;
}

/* P4, P8; B004, B049, B078, B084: every pair of settings meets; every byte of every buffer is
   compared. */
static void test_every_pair_of_settings(void **state) {
    rig *r = *state;
    static pairwise table;
    uint32_t row[PAIRWISE_FACTORS], rows = 0;
    ordo_context *narrow = rig_narrow_context(r, 17);
    table = (pairwise){.factor_count = FACTORS,
                       .level_count = {POINT_SHAPES, 2, COUNT_OF(layouts), COUNT_OF(grid_forms), 3,
                                       COUNT_OF(capacities), COUNT_WAYS, 2, 2, 4, 2},
                       .allowed = allowed,
                       .random = 3};
    for (; pairwise_next(&table, row); rows++) {
        grid_case c = case_of(row, rows);
        uint32_t *in = points((point_shape)row[SHAPE], &c.desc, rows);
        c.in = in;
        c.context = row[NARROW] ? narrow : NULL;
        check(r, c);
        free(in);
    }
    /* Four hashed grids with two outsides, the widest stride with the two largest counts, and few
       workgroups with two grids. */
    assert_int_equal(table.impossible_count, 12);
    assert_true(rows >= COUNT_OF(grid_forms) * COUNT_OF(capacities));
    ordo_context_release(narrow);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void test_b078_cells_below_zero(void **state) {
    static const float one[] = {-1.5f, -1, -0.3f, 0, 0.7f}, wide[] = {49, 64, 63.99f, 31.5f};
    expect_cells(*state, (ordo_grid_desc){.max_count = 5, .origin = {-4, 0, 0}, .cells = {8, 1, 1}},
                 one, (uint32_t[]){2, 3, 3, 4, 4});
    expect_cells(*state, (ordo_grid_desc){.max_count = 4, .cell_size = {32}, .cells = {8, 1, 1}},
                 wide, (uint32_t[]){1, 2, 1, 0});
    /* Repeated space: -2, -1, -1, 0, 0 modulo 8. */
    expect_cells(*state,
                 (ordo_grid_desc){.max_count = 5, .cells = {8, 1, 1}, .outside = ORDO_OUTSIDE_WRAP},
                 one, (uint32_t[]){6, 7, 7, 0, 0});
}

/* Mirrored cells are different coordinates; the hash is as documented. */
static void test_b079_mirrored_cells_hash_apart(void **state) {
    rig *r = *state;
    enum { TABLE = 2048 };
    static const float in[] = {1, 1, 1, 1, 1, -1, -1, 1, 1, 1, -1, 1, 0, 0, 0};
    static uint32_t starts[TABLE + 2], indices[5];
    check(r, (grid_case){.desc = {.max_count = 5, .table_size = TABLE},
                         .in = in,
                         .starts = starts,
                         .indices = indices});
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t x = (uint32_t)(int32_t)in[3 * i], y = (uint32_t)(int32_t)in[3 * i + 1],
                 z = (uint32_t)(int32_t)in[3 * i + 2];
        uint32_t bucket = (x * 73856093u ^ y * 19349663u ^ z * 83492791u) % TABLE;
        bool found = false;
        for (uint32_t j = starts[bucket]; j < starts[bucket + 1]; j++)
            found = found || indices[j] == i;
        assert_true(found);
    }
}

static void test_b080_the_first_cell(void **state) {
    static const float x[] = {0.5f, 0.1f, 0.9f, 1.5f, 1};
    expect_cells(*state, (ordo_grid_desc){.max_count = 5, .cells = {2, 1, 1}}, x,
                 (uint32_t[]){0, 0, 0, 1, 1});
}

static void test_b081_all_points_in_one_cell(void **state) {
    ordo_grid_desc desc = {
        .max_count = 10000, .cells = {30, 30, 30}, .points_out = true, .cell_size = {1, 1, 1}};
    uint32_t *in = points(POINTS_ONE, &desc, 1);
    uint32_t *starts = malloc(4 * (27000 + 2));
    assert_non_null(starts);
    check(*state, (grid_case){.desc = desc, .in = in, .starts = starts});
    assert_int_equal(starts[1 + 30 * 31], 0);
    assert_int_equal(starts[1 + 30 * 31 + 1], 10000);
    free(in);
    free(starts);
}

static void test_b082_no_slot_is_left_empty(void **state) {
    ordo_grid_desc desc = {.max_count = 27000, .cells = {30, 30, 30}, .cell_size = {1, 1, 1}};
    for (uint64_t seed = 0; seed < 25; seed++) {
        uint32_t *in = points(POINTS_INSIDE, &desc, seed);
        check(*state, (grid_case){.desc = desc, .in = in});
        free(in);
    }
}

/* Points that are not finite go where the header says; good ones are not disturbed. */
static void test_b084_points_that_are_no_numbers(void **state) {
    const float x[] = {0, 1, NAN, INFINITY, -INFINITY, -NAN, 2, 1e30f, -1e30f, 0x1p30f, -0x1p30f};
    ordo_grid_desc desc = {.max_count = 11, .cells = {3, 1, 1}};
    expect_cells(*state, desc, x, (uint32_t[]){0, 1, 3, 2, 0, 3, 2, 2, 0, 2, 0});
    desc.outside = ORDO_OUTSIDE_APART;
    expect_cells(*state, desc, x, (uint32_t[]){0, 1, 3, 3, 3, 3, 2, 3, 3, 3, 3});
    desc.outside = ORDO_OUTSIDE_WRAP;
    expect_cells(*state, desc, x, (uint32_t[]){0, 1, 3, 3, 3, 3, 2, 3, 3, 3, 3});
}

/* A point on the upper end is in the last cell; beyond it is outside. */
static void test_b085_the_upper_border(void **state) {
    rig *r = *state;
    static const float in[] = {1, 1, 0, 0, 1.0001f, 0};
    uint32_t starts[16 + 2], indices[3];
    grid_case c = {.desc = {.max_count = 3,
                            .dimensions = 2,
                            .cell_size = {0.25f},
                            .cells = {4, 4},
                            .outside = ORDO_OUTSIDE_APART},
                   .in = in,
                   .starts = starts,
                   .indices = indices};
    check(r, c);
    assert_memory_equal(indices, ((uint32_t[]){1, 0, 2}), sizeof indices);
    assert_int_equal(starts[15], 1);
    assert_int_equal(starts[16], 2);
    c.desc.outside = ORDO_OUTSIDE_WRAP;
    check(r, c);
    assert_memory_equal(indices, ((uint32_t[]){0, 1, 2}), sizeof indices);
    c.desc.outside = ORDO_OUTSIDE_CLAMP;
    check(r, c);
    assert_memory_equal(indices, ((uint32_t[]){1, 2, 0}), sizeof indices);
}

/* ---- Properties ------------------------------------------------------------------------------ */

/* P8: each point lies in its cell by the inequality that defines it. */
static void test_points_lie_in_their_cells(void **state) {
    ordo_grid_desc desc = {.max_count = 9001,
                           .origin = {-4, 8, 0},
                           .cell_size = {0.5f, 0.25f, 2},
                           .cells = {16, 32, 5},
                           .outside = ORDO_OUTSIDE_APART};
    enum { CELLS = 16 * 32 * 5 };
    static uint32_t starts[CELLS + 2], indices[9001];
    uint32_t *in = points(POINTS_INSIDE, &desc, 6);
    check(*state, (grid_case){.desc = desc, .in = in, .starts = starts, .indices = indices});
    assert_int_equal(starts[CELLS], 9001);
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        for (uint32_t i = starts[cell]; i < starts[cell + 1]; i++) {
            float point[3];
            model_point(&desc, in, indices[i], point);
            assert_true(lies_in(&desc, point, cell));
        }
    }
    free(in);
}

/* All pairs of points nearer than a cell: those found in the cells around each point, against those
   found by looking at all. */
static void test_neighbours_against_brute_force(void **state) {
    enum { COUNT = 1500, N = 12, CELLS = N * N * N };
    ordo_grid_desc desc = {.max_count = COUNT, .cell_size = {1, 1, 1}, .cells = {N, N, N}};
    static uint32_t starts[CELLS + 2], indices[COUNT];
    float *in = (float *)(void *)points(POINTS_INSIDE, &desc, 2);
    uint64_t by_cells = 0, by_force = 0;
    check(*state, (grid_case){.desc = desc, .in = in, .starts = starts, .indices = indices});
    for (uint32_t a = 0; a < COUNT; a++) {
        const float *p = in + 3 * a;
        for (uint32_t b = 0; b < COUNT; b++) {
            float x = p[0] - in[3 * b], y = p[1] - in[3 * b + 1], z = p[2] - in[3 * b + 2];
            by_force += x * x + y * y + z * z < 1 ? a * 1000003ull ^ b : 0;
        }
        for (int near = 0; near < 27; near++) {
            int cx = (int)p[0] + near % 3 - 1, cy = (int)p[1] + near / 3 % 3 - 1,
                cz = (int)p[2] + near / 9 - 1;
            if (cx < 0 || cy < 0 || cz < 0 || cx >= N || cy >= N || cz >= N)
                continue;
            int cell = cx + N * (cy + N * cz);
            for (uint32_t i = starts[cell]; i < starts[cell + 1]; i++) {
                uint32_t b = indices[i];
                float x = p[0] - in[3 * b], y = p[1] - in[3 * b + 1], z = p[2] - in[3 * b + 2];
                by_cells += x * x + y * y + z * z < 1 ? a * 1000003ull ^ b : 0;
            }
        }
    }
    assert_true(by_force > 0);
    assert_true(by_cells == by_force);
    free(in);
}

/* Large coordinates: the hash and the wrap take all integers below 2^30, whatever the sign. */
static void test_far_coordinates(void **state) {
    const float x[] = {0x1p29f,
                       -0x1p29f,
                       0x1.fffffep29f,
                       -0x1.fffffep29f,
                       0x1p30f,
                       -0x1p30f,
                       0x1p24f,
                       -0x1p24f,
                       -1,
                       7,
                       8,
                       -8};
    rig *r = *state;
    float in[3 * COUNT_OF(x)];
    for (size_t i = 0; i < COUNT_OF(x); i++) {
        in[3 * i] = x[i];
        in[3 * i + 1] = x[(i + 5) % COUNT_OF(x)];
        in[3 * i + 2] = x[(i + 9) % COUNT_OF(x)];
    }
    check(r, (grid_case){.desc = {.max_count = COUNT_OF(x), .table_size = 4096}, .in = in});
    for (uint32_t cells = 1; cells <= 1u << 20; cells = cells * 31 + 2) {
        check(r, (grid_case){.desc = {.max_count = COUNT_OF(x),
                                      .cells = {cells, 1, 1},
                                      .outside = ORDO_OUTSIDE_WRAP},
                             .in = in});
    }
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* B049: a count of 0 on the device gives starts of 0; a plan for none plans nothing. */
static void test_b049_no_points(void **state) {
    rig *r = *state;
    static const float in[3] = {0};
    uint32_t starts[10];
    grid_case c = {.desc = {.max_count = 1, .cells = {2, 2, 2}, .points_out = true},
                   .in = in,
                   .count_use = COUNT_GIVEN,
                   .starts = starts};
    check(r, c);
    assert_memory_equal(starts, ((uint32_t[10]){0}), sizeof starts);
    c.desc.max_count = 0;
    c.starts = NULL;
    c.count_use = COUNT_HOST;
    check(r, c);
}

/* B062: two plans in one encoder, each more than once. */
static void test_two_plans_in_one_encoder(void **state) {
    rig *r = *state;
    grid_case cases[] = {
        {.desc = {.max_count = 5001, .cells = {10, 10, 10}, .cell_size = {1, 1, 1}}},
        {.desc =
             {.max_count = 3001, .table_size = 1024, .cell_size = {1, 1, 1}, .points_out = true},
         .scratch = SCRATCH_ONES},
    };
    grid_run runs[2];
    uint32_t *in[2];
    for (int i = 0; i < 2; i++) {
        cases[i].in = in[i] = points(POINTS_AROUND, &cases[i].desc, (uint64_t)i);
        runs[i] = begin(r, &cases[i]);
        slots_begin(r, &runs[i].slots);
    }
    WGPUCommandEncoder encoder = rig_encoder(r);
    for (int i = 0; i < 4; i++)
        slots_encode(&runs[i % 2].slots, encoder);
    gpu_submit(&r->device, encoder);
    for (int i = 0; i < 2; i++) {
        end(r, &cases[i], &runs[i]);
        free(in[i]);
    }
}

static void test_host_arrays(void **state) {
    rig *r = *state;
    static const ordo_grid_desc descs[] = {
        {.max_count = 2003, .cells = {9, 9, 9}, .cell_size = {1, 1, 1}, .points_out = true},
        {.max_count = 2003,
         .dimensions = 2,
         .stride_bytes = 24,
         .offset_bytes = 8,
         .cell_size = {1, 1},
         .table_size = 64},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint32_t *in = points(POINTS_AROUND, &descs[i], i);
        grid_run run = begin(r, &(grid_case){.desc = descs[i], .in = in});
        slots_check_arrays(&run.slots);
        run_free(&run);
        free(in);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_b078_cells_below_zero),
        rig_test(test_b079_mirrored_cells_hash_apart),
        rig_test(test_b080_the_first_cell),
        rig_test(test_b081_all_points_in_one_cell),
        rig_test(test_b082_no_slot_is_left_empty),
        rig_test(test_b084_points_that_are_no_numbers),
        rig_test(test_b085_the_upper_border),
        rig_test(test_b049_no_points),
        rig_test(test_points_lie_in_their_cells),
        rig_test(test_neighbours_against_brute_force),
        rig_test(test_far_coordinates),
        rig_test(test_two_plans_in_one_encoder),
        rig_test(test_host_arrays),
        rig_test(test_every_pair_of_settings),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
