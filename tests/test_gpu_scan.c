/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_scan.c: scans and reduces: every operator, type and form against the model, the algebra
 * that ties them together, and the faults of other scans. Scans that look back run too: the tests
 * give their word that workgroups go on, and change the kernel's text where one is to stall.
 */
#include "gpu_case.h"
#include "plan.h"

#include <string.h>

static uint32_t block_items(const rig *r) {
    const ordo_tuning *tuning = ordo_tune(ordo_context_caps(r->context));
    return tuning->group_size * tuning->scan_items;
}

/* Items for an operator: sums of floats need tame ones, everything else takes any bits. */
static uint32_t *make_items(ordo_type type, ordo_op op, uint64_t count, uint64_t seed) {
    uint32_t *items = malloc(4 * count + 4);
    assert_non_null(items);
    if (model_exact(type, op)) {
        distribution shape = seed % 3 == 0 ? KEYS_SPECIAL : KEYS_RANDOM;
        distribution_fill(shape, type, count, seed, items);
        return items;
    }
    uint64_t random = seed + 1;
    for (uint64_t i = 0; i < count; i++) {
        float value = (float)((double)(model_random(&random) >> 11) * 0x1p-52 - 1.0);
        memcpy(&items[i], &value, 4);
    }
    return items;
}

/* All forms of one operator over items made for it. A context of NULL is the rig's. */
static void check_forms(rig *r, ordo_context *context, ordo_type type, ordo_op op, uint64_t count,
                        uint64_t seed) {
    uint32_t *items = make_items(type, op, count, seed);
    for (uint32_t form = 0; form < 5; form++) {
        fold_case c = {.reduce = form == 4, .items = items, .context = context};
        c.desc = (ordo_scan_desc){.max_count = count,
                                  .type = type,
                                  .op = op,
                                  .inclusive = form & 1,
                                  .in_place = (form & 2) != 0};
        fold_check(r, &c);
    }
    free(items);
}

/* B070, B091; P7: every type, operator and form at each count where the shape of the work
   changes. */
static void test_every_operator_type_and_form(void **state) {
    rig *r = *state;
    uint32_t block = block_items(r);
    const uint64_t counts[] = {0,
                               1,
                               2,
                               3,
                               16,
                               17,
                               255,
                               256,
                               257,
                               block - 1,
                               block,
                               block + 1,
                               2 * block,
                               2 * block + 1,
                               5 * block + 77};
    for (int type = ORDO_U32; type <= ORDO_F32; type++) {
        for (int op = ORDO_ADD; op <= ORDO_MAX; op++) {
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check_forms(r, NULL, (ordo_type)type, (ordo_op)op, counts[i], i);
        }
    }
}

/* P1: every count up to 600. */
static void test_every_count_up_to_600(void **state) {
    rig *r = *state;
    uint32_t *items = make_items(ORDO_U32, ORDO_ADD, 600, 1);
    for (uint32_t count = 0; count <= 600; count++) {
        fold_case c = {.reduce = count % 3 == 2, .items = items};
        c.desc = (ordo_scan_desc){.max_count = count, .inclusive = count % 3 == 1};
        fold_check(r, &c);
    }
    free(items);
}

/* B074, B015, B075: sums of blocks that fit one block, and some that outgrow it. */
static void test_large_counts(void **state) {
    rig *r = *state;
    static const uint64_t counts[] = {3 * 65537, 262144, 1000000, 1 << 20};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check_forms(r, NULL, (ordo_type)(i % 3), (ordo_op)((i + 1) % 3), counts[i], i);
}

/* Counts on the device, below, at and above the capacity: what lies past them stays as it is. */
static void check_counts(rig *r, uint32_t capacity) {
    uint32_t block = block_items(r);
    const uint32_t counts[] = {0,          1,     2 * block, 2 * block + 1, capacity - 1, capacity,
                               UINT32_MAX, block, block + 2, block + 3,     capacity + 1};
    uint32_t *items = make_items(ORDO_I32, ORDO_MIN, capacity, 9);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (uint32_t form = 0; form < 4; form++) {
            fold_case c = {.reduce = form == 3, .items = items};
            c.desc = (ordo_scan_desc){.max_count = capacity,
                                      .type = ORDO_I32,
                                      .op = (ordo_op)(form % 3),
                                      .inclusive = form == 1,
                                      .in_place = form == 2};
            c.count_use = COUNT_GIVEN;
            c.gpu_count = counts[i];
            fold_check(r, &c);
        }
    }
    free(items);
}

/* The capacity is read by single words, or by fours that a count may cut. */
static void test_counts_on_the_device(void **state) {
    rig *r = *state;
    check_counts(r, 3 * block_items(r) + 5);
    check_counts(r, 3 * block_items(r) + 8);
}

/* Of no items, a reduce writes the identity, also of a plan for none; a scan writes nothing. */
static void test_nothing_combines_to_the_identity(void **state) {
    rig *r = *state;
    uint32_t one = 0;
    for (int type = ORDO_U32; type <= ORDO_F32; type++) {
        for (int op = ORDO_ADD; op <= ORDO_MAX; op++) {
            for (uint64_t max_count = 0; max_count < 2; max_count++) {
                uint32_t result = 1234;
                fold_case c = {.reduce = true, .items = &one, .result = &result};
                c.desc = (ordo_scan_desc){
                    .max_count = max_count, .type = (ordo_type)type, .op = (ordo_op)op};
                c.count_use = COUNT_GIVEN;
                fold_check(r, &c);
                assert_int_equal(result, model_identity((ordo_type)type, (ordo_op)op));
            }
        }
    }
    ordo_plan *plan;
    ordo_reduce_desc desc = {.op = ORDO_MAX, .type = ORDO_F32};
    assert_int_equal(ordo_reduce_plan(r->context, &desc, &plan), ORDO_OK);
    WGPUBuffer out = gpu_buffer(&r->device, 4, WGPUBufferUsage_None, &one);
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(plan, encoder, &(ordo_args){.out = {out, 0}}), ORDO_OK);
    gpu_submit(&r->device, encoder);
    assert_true(gpu_read(&r->device, out, 0, 4, &one));
    assert_int_equal(one, 0xff800000);
    wgpuBufferRelease(out);
    ordo_plan_release(plan);
}

/* NaN is greater than +inf, so the minimum of NaNs alone is a NaN, not the identity. */
static void test_minimum_of_nans(void **state) {
    rig *r = *state;
    static const uint32_t items[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff};
    for (uint32_t form = 0; form < 3; form++) {
        uint32_t result[4];
        fold_case c = {.reduce = form == 2, .items = items, .result = result};
        c.desc = (ordo_scan_desc){
            .max_count = 4, .type = ORDO_F32, .op = ORDO_MIN, .inclusive = form == 1};
        fold_check(r, &c);
        if (form == 2)
            assert_int_equal(result[0], 0x7f800001);
        if (form == 1)
            assert_int_equal(result[1], 0x7fc00000);
        if (form == 0)
            assert_int_equal(result[0], 0x7f800000);
    }
}

/* ---- Algebra --------------------------------------------------------------------------------- */

static void scan(rig *r, const uint32_t *items, uint64_t count, bool inclusive, uint32_t *result) {
    fold_check(r, &(fold_case){.desc = {.max_count = count, .inclusive = inclusive},
                               .items = items,
                               .result = result});
}

/* P7; B077: exclusive[i + 1] = inclusive[i], the last is the total, and a scan can be cut in two.
   */
static void test_scan_algebra(void **state) {
    rig *r = *state;
    enum { COUNT = 20011, CUT = 7777 };
    static uint32_t inclusive[COUNT], exclusive[COUNT], tail[COUNT];
    uint32_t total = 0;
    uint32_t *items = make_items(ORDO_U32, ORDO_ADD, COUNT, 2);
    scan(r, items, COUNT, true, inclusive);
    scan(r, items, COUNT, false, exclusive);
    scan(r, items + CUT, COUNT - CUT, true, tail);
    fold_check(r,
               &(fold_case){
                   .reduce = true, .desc = {.max_count = COUNT}, .items = items, .result = &total});
    assert_int_equal(total, inclusive[COUNT - 1]);
    assert_int_equal(total, exclusive[COUNT - 1] + items[COUNT - 1]);
    assert_memory_equal(exclusive + 1, inclusive, 4 * (COUNT - 1));
    for (int i = CUT; i < COUNT; i++)
        assert_int_equal(inclusive[i], inclusive[CUT - 1] + tail[i - CUT]);
    free(items);
}

/* B070: one item at the edge of each block; nothing is lost or doubled in the carry. */
static void test_b070_a_spike_at_each_block_edge(void **state) {
    rig *r = *state;
    uint32_t block = block_items(r);
    static uint32_t items[5 * 4096 * 4];
    assert_true(5 * block <= sizeof items / sizeof *items);
    for (uint32_t edge = 1; edge < 4; edge++) {
        for (uint32_t beside = 0; beside < 3; beside++) {
            memset(items, 0, sizeof items);
            items[edge * block + beside - 1] = 1;
            items[(edge + 1) * block + 5] = 1;
            for (uint32_t inclusive = 0; inclusive < 2; inclusive++)
                scan(r, items, 4 * block + 3, inclusive, NULL);
        }
    }
}

/* B072: integer sums wrap modulo 2^32, as documented. */
static void test_b072_sums_wrap(void **state) {
    static const uint32_t items[] = {0xffffffff, 1, 5};
    uint32_t result[3];
    scan(*state, items, 3, true, result);
    assert_int_equal(result[0], 0xffffffff);
    assert_int_equal(result[1], 0);
    assert_int_equal(result[2], 5);
}

static void test_b077_a_total_beside_the_exclusive_scan(void **state) {
    static const uint32_t items[] = {1, 2, 3};
    uint32_t result[3], total;
    scan(*state, items, 3, false, result);
    assert_int_equal(result[0], 0);
    assert_int_equal(result[1], 1);
    assert_int_equal(result[2], 3);
    fold_check(
        *state,
        &(fold_case){.reduce = true, .desc = {.max_count = 3}, .items = items, .result = &total});
    assert_int_equal(total, 6);
}

/* B073: float sums are the same bits in every run, and on a capacity above the count. */
static void test_b073_float_sums_repeat(void **state) {
    rig *r = *state;
    enum { COUNT = 1000000 };
    uint32_t *items = make_items(ORDO_F32, ORDO_ADD, COUNT, 5);
    uint32_t *first = malloc(4 * COUNT), *again = malloc(4 * COUNT);
    assert_non_null(first);
    assert_non_null(again);
    fold_case c = {.desc = {.max_count = COUNT, .type = ORDO_F32, .inclusive = true},
                   .items = items,
                   .result = first};
    fold_check(r, &c);
    c.result = again;
    for (int run = 1; run < 10; run++) {
        c.desc.in_place = run & 1;
        fold_check(r, &c);
        assert_memory_equal(first, again, 4 * COUNT);
    }
    c.desc.in_place = false;
    c.count_use = COUNT_GIVEN;
    c.gpu_count = 70001;
    fold_check(r, &c);
    fold_case few = {.desc = {.max_count = 70001, .type = ORDO_F32, .inclusive = true},
                     .items = items,
                     .result = first};
    fold_check(r, &few);
    assert_memory_equal(first, again, 4 * 70001);
    free(items);
    free(first);
    free(again);
}

/* B086, B093: more blocks than two workgroups; the grid gets a second row, the result stays. */
static void test_b086_a_grid_of_two_rows(void **state) {
    rig *r = *state;
    ordo_context *narrow = rig_narrow_context(r, 3);
    uint32_t count = 8 * block_items(r) + 11;
    uint32_t *items = make_items(ORDO_U32, ORDO_ADD, count, 3);
    for (uint32_t form = 0; form < 4; form++) {
        fold_case c = {.reduce = form == 3, .items = items, .context = narrow};
        c.desc =
            (ordo_scan_desc){.max_count = count, .inclusive = form == 1, .in_place = form == 2};
        fold_check(r, &c);
        c.count_use = COUNT_GIVEN;
        c.gpu_count = count - 4 * block_items(r);
        fold_check(r, &c);
    }
    free(items);
    ordo_context_release(narrow);
}

/* ---- Looking back ---------------------------------------------------------------------------- */

static uint32_t tile_items(const ordo_tuning *tuning) {
    return tuning->group_size * tuning->scan_chain_items;
}

static const kernel_edit every_sum_only = {
    .kernel = "scan_chain", .words = {{"publish(tile, PREFIX, prefix);", ""}}, .count = 1};
/* Tiles 1, 4, 7 … stay silent, also for those who find out their sum. */
static const kernel_edit silent_tiles = {
    .kernel = "scan_chain",
    .words = {{"const POLLS: u32 = 32u;", "const POLLS: u32 = 0u;"},
              {"fn publish(tile: u32, kind: u32, value: u32) {",
               "fn publish(tile: u32, kind: u32, value: u32) { if (tile % 3u == 1u) { return; }"}},
    .count = 2};
/* The first tile's sum and all others are found out by whoever waits for them. */
static const kernel_edit silent_owners = {
    .kernel = "scan_chain",
    .words = {{"const POLLS: u32 = 32u;", "const POLLS: u32 = 3u;"},
              {"publish(tile, select(SUM, PREFIX, tile == 0u), sum);", ""}},
    .count = 2};

/* A context whose scans look back, with kernels that are changed if e is not NULL. */
static ordo_context *chain_context(rig *r, uint32_t max_groups, kernel_edit *e) {
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    ordo_context_desc desc = {.instance = r->device.instance,
                              .device = r->device.device,
                              .subgroups = r->device.subgroups,
                              .caps = {.max_groups = max_groups, .forward_progress = true},
                              .create_shader_module = e ? edited_module : NULL,
                              .user = e};
    if (ordo_context_create(&desc, &context, message) != ORDO_OK)
        fail_msg("no context: %s", message);
    assert_true(ordo_context_caps(context)->forward_progress);
    return context;
}

/* P1: every type, operator and form, in place too, at each count where the shape of the work
   changes. */
static void test_looking_back(void **state) {
    rig *r = *state;
    ordo_context *context = chain_context(r, 0, NULL);
    uint32_t tile = tile_items(ordo_tune(ordo_context_caps(context)));
    const uint64_t counts[] = {
        0, 1, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1, 5 * tile + 77, 40 * tile + 3};
    for (int type = ORDO_U32; type <= ORDO_F32; type++) {
        for (int op = ORDO_ADD; op <= ORDO_MAX; op++) {
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
                check_forms(r, context, (ordo_type)type, (ordo_op)op, counts[i], i);
        }
    }
    ordo_context_release(context);
}

/* One scan, inclusive or not: a sum if number is below 2, else by an operator of a type. */
static void check_one(rig *r, ordo_context *context, uint32_t count, uint32_t number) {
    ordo_type type = (ordo_type)(number % 3);
    ordo_op op = type == ORDO_F32 ? ORDO_MAX : (ordo_op)(number / 3 % 3);
    uint32_t *items = make_items(type, op, count, number);
    fold_case c = {.context = context, .items = items};
    c.desc = (ordo_scan_desc){.max_count = count, .type = type, .op = op, .inclusive = number & 1};
    fold_check(r, &c);
    free(items);
}

/* Where no tile but the first has a prefix, every workgroup looks back to the start, over many
   windows. */
static void test_looking_back_over_many_windows(void **state) {
    rig *r = *state;
    kernel_edit e = every_sum_only;
    ordo_context *context = chain_context(r, 0, &e);
    const ordo_tuning *tuning = ordo_tune(ordo_context_caps(context));
    uint32_t tile = tile_items(tuning), window = tuning->scan_chain_window;
    assert_true(window > 1);
    const uint32_t tiles[] = {window, window + 1, window + 2, 2 * window + 1, 2 * window + 5};
    for (uint32_t i = 0; i < sizeof tiles / sizeof *tiles; i++)
        check_one(r, context, tiles[i] * tile - i % 2, i % 2);
    assert_true(e.modules > 0);
    ordo_context_release(context);
}

/* A workgroup that waits too long works out the other's sum: if that one never tells it, whoever
   asks, and if it tells only its prefix. */
static void test_stalled_workgroups_are_passed_over(void **state) {
    rig *r = *state;
    kernel_edit edits[] = {silent_tiles, silent_owners};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        ordo_context *context = chain_context(r, 0, &edits[i]);
        uint32_t tile = tile_items(ordo_tune(ordo_context_caps(context)));
        for (uint32_t number = 0; number < 9; number++)
            check_one(r, context, (2 + 2 * number) * tile + 77 * (number % 2), number);
        check_one(r, context, 40 * tile + 1, 1);
        assert_true(edits[i].modules > 0);
        ordo_context_release(context);
    }
}

/* A count on the device, and a grid of more than one row, whose last workgroups find no tile. The
   capacity is read by single words or by fours. */
static void test_looking_back_over_counts_on_the_device(void **state) {
    rig *r = *state;
    ordo_context *context = chain_context(r, 3, NULL);
    uint32_t tile = tile_items(ordo_tune(ordo_context_caps(context)));
    for (uint32_t capacity = 7 * tile + 5; capacity <= 7 * tile + 8; capacity += 3) {
        const uint32_t counts[] = {0,        1,        tile,         tile + 1,  2 * tile + 2,
                                   tile + 3, capacity, capacity - 1, UINT32_MAX};
        uint32_t *items = make_items(ORDO_I32, ORDO_MIN, capacity, 9);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            for (uint32_t op = ORDO_ADD; op <= ORDO_MAX; op++) {
                fold_case c = {.context = context, .items = items};
                c.desc = (ordo_scan_desc){.max_count = capacity,
                                          .type = ORDO_I32,
                                          .op = (ordo_op)op,
                                          .inclusive = op == ORDO_MIN};
                c.count_use = COUNT_GIVEN;
                c.gpu_count = counts[i];
                fold_check(r, &c);
            }
        }
        free(items);
    }
    ordo_context_release(context);
}

/* A plan's second run finds the first one's prefixes in scratch, and must not take them. They are
   greater than its own, so that publishing does not replace them. */
static void test_looking_back_twice(void **state) {
    rig *r = *state;
    ordo_context *context = chain_context(r, 0, NULL);
    uint32_t count = 6 * tile_items(ordo_tune(ordo_context_caps(context)));
    uint32_t *items = malloc(4 * (size_t)count), *result = malloc(4 * (size_t)count);
    assert_non_null(items);
    assert_non_null(result);
    ordo_plan *plan;
    ordo_scan_desc desc = {.max_count = count, .inclusive = true};
    assert_int_equal(ordo_scan_plan(context, &desc, &plan), ORDO_OK);
    for (uint32_t step = 3; step > 0; step--) {
        for (uint32_t i = 0; i < count; i++)
            items[i] = step;
        WGPUBuffer in = gpu_buffer(&r->device, 4ull * count, WGPUBufferUsage_None, items);
        WGPUBuffer out = gpu_buffer(&r->device, 4ull * count, WGPUBufferUsage_None, NULL);
        WGPUCommandEncoder encoder = rig_encoder(r);
        ordo_args args = {.in = {in, 0}, .out = {out, 0}};
        assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_OK);
        gpu_submit(&r->device, encoder);
        assert_true(gpu_read(&r->device, out, 0, 4ull * count, result));
        for (uint32_t i = 0; i < count; i++)
            assert_int_equal(result[i], (i + 1) * step);
        wgpuBufferRelease(in);
        wgpuBufferRelease(out);
    }
    ordo_plan_release(plan);
    free(items);
    free(result);
    ordo_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_every_operator_type_and_form),
        rig_test(test_every_count_up_to_600),
        rig_test(test_large_counts),
        rig_test(test_counts_on_the_device),
        rig_test(test_nothing_combines_to_the_identity),
        rig_test(test_minimum_of_nans),
        rig_test(test_scan_algebra),
        rig_test(test_b070_a_spike_at_each_block_edge),
        rig_test(test_b072_sums_wrap),
        rig_test(test_b077_a_total_beside_the_exclusive_scan),
        rig_test(test_b073_float_sums_repeat),
        rig_test(test_b086_a_grid_of_two_rows),
        rig_test(test_looking_back_twice),
        rig_test(test_looking_back),
        rig_test(test_looking_back_over_many_windows),
        rig_test(test_stalled_workgroups_are_passed_over),
        rig_test(test_looking_back_over_counts_on_the_device),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
