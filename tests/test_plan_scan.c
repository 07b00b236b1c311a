/* SPDX-License-Identifier: MIT */
/*
 * test_plan_scan.c: which scans look back, and the steps of those that do.
 */
#include "plan.h"
#include "plan_expect.h"

#include <string.h>

enum { MAX_STEPS = 16 };

/* Enough for 2^31 items. */
static const ordo_caps wide = {.max_buffer_bytes = 1ull << 40, .max_binding_bytes = 1ull << 40};
static const ordo_caps progress = {
    .max_buffer_bytes = 1ull << 40, .max_binding_bytes = 1ull << 40, .forward_progress = true};

static const ordo_tuning *tuning(void) {
    static const ordo_caps least = {.max_workgroup_bytes = 16384, .max_invocations = 256};
    return ordo_tune(&least);
}

static uint64_t block_items(void) { return (uint64_t)tuning()->group_size * tuning()->scan_items; }

static uint64_t tile_items(void) {
    return (uint64_t)tuning()->group_size * tuning()->scan_chain_items;
}

static uint32_t plan(const ordo_caps *caps, ordo_scan_desc desc, ordo_step *steps,
                     ordo_summary *summary) {
    plan_problem problem = {.primitive = PLAN_SCAN, .scan = desc};
    problem.no_caps = caps == NULL;
    problem.caps = caps ? *caps : problem.caps;
    expect_plan(&problem);
    memset(steps, 0, MAX_STEPS * sizeof *steps);
    if (ordo_scan_steps(caps, &desc, steps, MAX_STEPS, summary) != ORDO_OK)
        fail_msg("%s", summary->message);
    return summary->step_count;
}

static bool looks_back(const ordo_step *steps, uint32_t count) {
    uint32_t chained = 0;
    for (uint32_t i = 0; i < count; i++)
        chained += strcmp(steps[i].kernel, "scan_chain") == 0;
    assert_true(chained == 0 || (chained == 2 && count == 2));
    return chained > 0;
}

/* Where workgroups are known to go on: every operator that does not round, out of place, beyond one
   block. Nowhere else. */
static void test_which_scans_look_back(void **state) {
    (void)state;
    static ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    const uint64_t counts[] = {1, block_items(), block_items() + 1, 1 << 17, 1 << 25, 1ull << 31};
    uint32_t chained = 0;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (uint32_t form = 0; form < 3 * 3 * 2 * 2; form++) {
            ordo_scan_desc desc = {.max_count = counts[i],
                                   .type = (ordo_type)(form % 3),
                                   .op = (ordo_op)(form / 3 % 3),
                                   .in_place = form / 9 % 2,
                                   .inclusive = form / 18};
            bool may = counts[i] > block_items() && !desc.in_place &&
                       !(desc.type == ORDO_F32 && desc.op == ORDO_ADD);
            assert_int_equal(looks_back(steps, plan(&progress, desc, steps, &summary)), may);
            assert_false(looks_back(steps, plan(&wide, desc, steps, &summary)));
            chained += may;
        }
    }
    assert_int_equal(chained, 4 * 8 * 2); /* counts, operators of types, inclusive or not */
}

/* The same steps, byte for byte, for what never looks back. */
static void test_progress_changes_nothing_else(void **state) {
    (void)state;
    static ordo_step with[MAX_STEPS], without[MAX_STEPS];
    ordo_summary summary;
    for (uint32_t form = 0; form < 4; form++) {
        ordo_scan_desc desc = {
            .max_count = 1 << 25, .type = form & 1 ? ORDO_F32 : ORDO_I32, .in_place = form != 1};
        assert_int_equal(plan(&progress, desc, with, &summary), 5);
        assert_int_equal(plan(&wide, desc, without, &summary), 5);
        assert_memory_equal(with, without, sizeof with);
    }
}

static void test_the_steps_that_look_back(void **state) {
    (void)state;
    static ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    for (uint64_t tiles = 2; tiles < 10000; tiles += 1 + tiles / 3) {
        uint64_t count = tiles * tile_items() - tiles % 7;
        ordo_scan_desc desc = {.max_count = count, .op = ORDO_MAX, .inclusive = true};
        if (count <= block_items())
            continue;
        assert_int_equal(plan(&progress, desc, steps, &summary), 2);
        assert_string_equal(steps[0].entry, "scan_chain_clear");
        assert_string_equal(steps[1].entry, count % 4 ? "scan_chain" : "scan_chain_quads");
        /* Two words a tile, behind those of the counter. */
        assert_int_equal(summary.scratch_bytes, (4 * (32 + 2 * tiles) + 255) / 256 * 256);
        assert_int_equal(steps[0].ranges[0].size_bytes, 4 * (32 + 2 * tiles));
        assert_memory_equal(&steps[0].ranges[0].offset_bytes, &steps[1].ranges[2].offset_bytes, 16);
        assert_int_equal(steps[1].group_count_x * steps[1].group_count_y, tiles);
        assert_int_equal(steps[0].items, tuning()->scan_chain_items);
        assert_int_equal(steps[1].items, tuning()->scan_chain_items);
        for (uint32_t i = 0; i < 2; i++) {
            const ordo_step *s = &steps[i];
            assert_false(s->subgroups);
            assert_int_equal(s->unrolled, count >= tuning()->unrolled_count);
            assert_int_equal(step_constant(s, "OP"), ORDO_MAX);
            assert_int_equal(step_constant(s, "CELLS"), 8 * tuning()->group_size);
        }
        uint64_t window = step_constant(&steps[1], "WINDOW");
        assert_in_range(window, 1, tuning()->group_size);
        assert_true(summary.moved_bytes >= 8 * count && summary.moved_bytes < 8 * count + count);
    }
}

/* What a kernel asks of its shape: whole rows of four registers, and sums that fit cells. */
static void test_shapes(void **state) {
    (void)state;
    assert_int_equal(tuning()->group_size % 32, 0);
    const uint32_t items[] = {tuning()->scan_items, tuning()->scan_chain_items};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(items[i] % 4, 0);
        assert_in_range(items[i], 4, 32);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_scans_look_back),
        cmocka_unit_test(test_progress_changes_nothing_else),
        cmocka_unit_test(test_the_steps_that_look_back),
        cmocka_unit_test(test_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
