/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_scan.c: scans and reduces: every operator, type and form against the model, the algebra
 * that ties them together, and the faults of other scans.
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

/* All forms of one operator over items made for it. */
static void check_forms(rig *r, ordo_type type, ordo_op op, uint64_t count, uint64_t seed) {
    uint32_t *items = make_items(type, op, count, seed);
    for (uint32_t form = 0; form < 5; form++) {
        fold_case c = {.reduce = form == 4, .items = items};
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
                check_forms(r, (ordo_type)type, (ordo_op)op, counts[i], i);
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
        check_forms(r, (ordo_type)(i % 3), (ordo_op)((i + 1) % 3), counts[i], i);
}

/* A count on the device: below, at and above the capacity; what lies past it stays as it is. */
static void test_counts_on_the_device(void **state) {
    rig *r = *state;
    uint32_t block = block_items(r), capacity = 3 * block + 5;
    const uint32_t counts[] = {
        0,          1,     2 * block, 2 * block + 1, capacity - 1, capacity, capacity + 1,
        UINT32_MAX, block, block + 1};
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
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
