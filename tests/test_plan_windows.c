/* SPDX-License-Identifier: MIT */
/*
 * test_plan_windows.c: plans of arrays that are larger than a binding: who binds them in windows,
 * who refuses them, and what devices must hold all the same. plan_check_windows.c looks at steps.
 */
#include "plan_expect.h"

#include <string.h>

#define GIB (1ull << 30)
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { TILE = 6144, MAX_STEPS = 100 };

static ordo_summary plan_of(const plan_problem *problem, ordo_step *steps) {
    ordo_summary summary;
    expect_plan(problem);
    assert_int_equal(plan_steps(problem, steps, steps ? MAX_STEPS : 0, &summary), ORDO_OK);
    return summary;
}

static uint32_t count_steps(const ordo_step *steps, uint32_t count, const char *entry) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += strcmp(steps[i].entry, entry) == 0;
    return found;
}

/* 2^30 keys on a device whose bindings end 4 bytes below 2 GiB: three windows, all of which one
   step writes; of pairs a step for each two windows. Scratch is what msd would take, for fewer
   keys do. */
static void test_two_to_the_30(void **state) {
    (void)state;
    static ordo_step steps[MAX_STEPS];
    plan_problem problem = {
        .caps = {.max_binding_bytes = 2 * GIB - 4, .max_buffer_bytes = 1024 * GIB},
        .sort = {.max_count = GIB}};
    ordo_summary summary = plan_of(&problem, steps);
    assert_int_equal(summary.method, ORDO_METHOD_RADIX);
    assert_int_equal(summary.window_count, 3);
    assert_int_equal(summary.step_count, 4 * (3 + 1 + 3));
    assert_int_equal(count_steps(steps, summary.step_count, "radix_scatter_windows"), 4 * 3);
    assert_true(summary.scratch_bytes > 5 * GIB && summary.scratch_bytes < 6 * GIB);
    problem.sort.value_bytes = 4;
    summary = plan_of(&problem, steps);
    assert_int_equal(count_steps(steps, summary.step_count, "radix_scatter_pairs"), 4 * 3 * 3);
    /* A pass counts keys, reads pairs three times and writes them once; the table is the rest. */
    assert_int_equal(summary.moved_bytes / (4 * GIB), 4 + 3 * 8 + 8);
    problem.sort = (ordo_sort_desc){.max_count = UINT32_MAX, .in_place = true};
    assert_int_equal(plan_of(&problem, NULL).window_count, 9);
    problem.sort = (ordo_sort_desc){.max_count = GIB / 2 - 1};
    summary = plan_of(&problem, NULL);
    assert_int_equal(summary.method, ORDO_METHOD_MSD);
    assert_int_equal(summary.window_count, 0);
}

/* Windows are there from the first element on that a binding does not hold, also where that is no
   whole number of tiles; the smallest hold a tile. */
static void test_where_windows_begin(void **state) {
    (void)state;
    static const uint64_t bindings[] = {
        4 * TILE, 4 * TILE + 4, 8 * TILE - 4, 8 * TILE, 1 << 20, 1000000, 1 << 27,
    };
    for (size_t i = 0; i < COUNT_OF(bindings); i++) {
        plan_problem problem = {.caps = {.max_binding_bytes = bindings[i]},
                                .sort = {.method = ORDO_METHOD_RADIX}};
        uint64_t most = bindings[i] / 4, window = most / TILE * TILE;
        problem.sort.max_count = most;
        assert_int_equal(plan_of(&problem, NULL).window_count, 0);
        for (uint64_t over = 1; over <= window && over < 1u << 24; over = 5 * over + 1) {
            problem.sort.max_count = most + over;
            assert_int_equal(plan_of(&problem, NULL).window_count,
                             (most + over + window - 1) / window);
        }
    }
    plan_problem small = {.caps = {.max_binding_bytes = 4 * TILE - 4},
                          .sort = {.max_count = 3 * TILE, .method = ORDO_METHOD_RADIX}};
    expect_refusal(&small, ORDO_MESSAGE_BINDING,
                   (ordo_report){.a = 3 * TILE, .b = 4 * TILE, .c = 4 * TILE - 4});
}

/* All forms at all edges of a window, for alignments that a tile is a multiple of and others. */
static void test_every_form(void **state) {
    (void)state;
    static const ordo_sort_desc forms[] = {
        {.key = ORDO_U32},
        {.key = ORDO_I32, .in_place = true, .skip_low_bits = 8},
        {.key = ORDO_F32, .value_bytes = 4, .order = ORDO_DESCENDING},
        {.key = ORDO_F32, .value_bytes = 8, .in_place = true, .skip_low_bits = 25},
        {.key = ORDO_U64},
        {.key = ORDO_I64, .argsort = true, .skip_high_bits = 44},
        {.key = ORDO_F64, .argsort = true, .skip_high_bits = 58},
        {.key = ORDO_F64, .value_bytes = 4, .in_place = true},
        {.key = ORDO_U64, .argsort = true, .skip_low_bits = 64},
        {.key = ORDO_U32, .value_bytes = 20, .skip_low_bits = 32},
    };
    static const uint32_t alignments[] = {4, 256, 4096, 1u << 16};
    for (size_t i = 0; i < COUNT_OF(forms) * COUNT_OF(alignments); i++) {
        plan_problem problem = {
            .caps = {.max_binding_bytes = 1 << 20, .offset_alignment_bytes = alignments[i % 4]},
            .sort = forms[i / 4]};
        for (uint64_t at = 1; at < 12; at += 3) {
            for (uint64_t edge = 0; edge < 3; edge++) {
                problem.sort.method = edge ? ORDO_METHOD_RADIX : ORDO_METHOD_AUTO;
                problem.sort.max_count = at * 20 * TILE + edge - 1;
                ordo_summary summary = plan_of(&problem, NULL);
                assert_true(at == 1 || summary.method == ORDO_METHOD_RADIX);
                assert_true(at == 1 || summary.window_count >= 2);
            }
        }
    }
}

/* What is not moved by passes, or not by a radix sort, needs a binding that holds it. */
static void test_who_has_no_windows(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        uint32_t widest_bytes;
    } rows[] = {
        {{.value_bytes = 12}, 12},
        {{.digit_bits = 4}, 4},
        {{.part_count = 2}, 8},
        {{.row_length = 100}, 4},
        {{.method = ORDO_METHOD_MSD}, 4},
        {{.method = ORDO_METHOD_BITONIC}, 4},
        {{.method = ORDO_METHOD_ODDEVEN, .key = ORDO_F64}, 8},
        {{.method = ORDO_METHOD_ONESWEEP}, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t most = (1 << 20) / rows[i].widest_bytes;
        plan_problem problem = {.caps = {.max_binding_bytes = 1 << 20}, .sort = rows[i].desc};
        problem.sort.max_count = most;
        assert_int_equal(plan_of(&problem, NULL).window_count, 0);
        problem.sort.max_count++;
        expect_refusal(
            &problem, ORDO_MESSAGE_BINDING,
            (ordo_report){.a = most + 1, .b = (most + 1) * rows[i].widest_bytes, .c = 1 << 20});
    }
}

/* No more than 32 windows: the message asks for what these take, and that is enough. The counts of
   tiles are bound as a whole. */
static void test_the_most_windows(void **state) {
    (void)state;
    plan_problem problem = {.caps = {.max_binding_bytes = 1 << 20, .max_buffer_bytes = 1024 * GIB},
                            .sort = {.max_count = 32 * 42 * TILE, .method = ORDO_METHOD_RADIX}};
    problem.caps.max_binding_bytes = 4 * 42 * TILE + 3000;
    problem.sort.value_bytes = 4;
    uint64_t table_bytes = 4 * 32 * 42 * 256;
    expect_refusal(&problem, ORDO_MESSAGE_BINDING,
                   (ordo_report){.a = problem.sort.max_count,
                                 .b = table_bytes,
                                 .c = problem.caps.max_binding_bytes});
    problem.caps.tuning = "radix_subtiles=8";
    problem.sort.max_count = 32ull * 10 * 4 * TILE;
    problem.caps.max_binding_bytes = 4 * 10 * 4 * TILE;
    assert_int_equal(plan_of(&problem, NULL).window_count, 32);
    problem.sort.max_count++;
    expect_refusal(&problem, ORDO_MESSAGE_BINDING,
                   (ordo_report){.a = problem.sort.max_count,
                                 .b = 4 * 11 * 4 * TILE,
                                 .c = problem.caps.max_binding_bytes});
    problem.caps.max_binding_bytes = 4 * 11 * 4 * TILE;
    assert_int_equal(plan_of(&problem, NULL).window_count, 30);
}

/* An array is one buffer: where no scratch is as large the planner names it itself. */
static void test_a_buffer_holds_the_array(void **state) {
    (void)state;
    plan_problem problem = {.caps = {.max_binding_bytes = 1 << 20, .max_buffer_bytes = 1 << 22},
                            .sort = {.max_count = 1 << 20, .skip_high_bits = 24}};
    assert_int_equal(plan_of(&problem, NULL).window_count, 5);
    problem.sort.max_count++;
    expect_refusal(&problem, ORDO_MESSAGE_BUFFER,
                   (ordo_report){.a = (1 << 20) + 1, .b = 4 * ((1 << 20) + 1), .c = 1 << 22});
    problem.sort.method = ORDO_METHOD_RADIX;
    problem.sort.skip_high_bits = 32; /* a copy */
    expect_refusal(&problem, ORDO_MESSAGE_BUFFER,
                   (ordo_report){.a = (1 << 20) + 1, .b = 4 * ((1 << 20) + 1), .c = 1 << 22});
    problem.sort.skip_high_bits = 0;
    ordo_summary summary;
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary), ORDO_UNSUPPORTED);
    assert_non_null(strstr(summary.message, "scratch; the device's maxBufferSize is 4194304"));
    /* AUTO names the same limit, also where it has to try several methods. */
    problem.sort.method = ORDO_METHOD_AUTO;
    problem.sort.skip_high_bits = 8;
    problem.caps.forward_progress = true;
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary), ORDO_UNSUPPORTED);
    assert_non_null(strstr(summary.message, "scratch; the device's maxBufferSize is 4194304"));
}

/* A grid that does not hold the tiles of a binding holds no windows either, though each would fit:
   else a smaller array, that is bound as a whole, would be refused. */
static void test_grids_hold_a_whole_binding(void **state) {
    (void)state;
    const uint64_t tiles = 16 * 16;
    plan_problem problem = {.caps = {.max_groups = 16, .max_binding_bytes = 4 * tiles * TILE},
                            .sort = {.max_count = tiles * TILE + 1, .method = ORDO_METHOD_RADIX}};
    assert_int_equal(plan_of(&problem, NULL).window_count, 2);
    problem.caps.max_binding_bytes += 4;
    expect_refusal(&problem, ORDO_MESSAGE_GROUPS,
                   (ordo_report){.a = tiles * TILE + 1, .b = tiles + 1, .c = 16});
    problem.sort.max_count += TILE;
    expect_refusal(&problem, ORDO_MESSAGE_GROUPS,
                   (ordo_report){.a = (tiles + 1) * TILE + 1, .b = tiles + 1, .c = 16});
    problem.sort.max_count = tiles * TILE;
    expect_plan(&problem);
}

/* Left to choose, over counts on both sides of where methods end and windows begin: scratch never
   falls, and nothing is refused below what is planned. */
static void test_scratch_over_all_counts(void **state) {
    (void)state;
    static const ordo_sort_desc kinds[] = {
        {.key = ORDO_U32},
        {.key = ORDO_U64, .value_bytes = 4},
        {.argsort = true},
        {.value_bytes = 8},
        {.key = ORDO_F64, .argsort = true},
        {.in_place = true},
        {.skip_high_bits = 21},
        {.value_bytes = 4, .in_place = true},
        {.value_bytes = 16},
        {.skip_high_bits = 28, .argsort = true},
    };
    static const uint64_t limits[][2] = {
        {65536, 1 << 22}, {1 << 20, 1 << 24}, {1 << 18, 1 << 28}, {1 << 16, 1 << 16}};
    uint64_t windows = 0, refused = 0;
    for (size_t i = 0; i < COUNT_OF(kinds) * COUNT_OF(limits) * 4; i++) {
        ordo_sort_desc desc = kinds[i / 16];
        const ordo_caps caps = {.max_binding_bytes = limits[i % 4][0],
                                .max_buffer_bytes = limits[i % 4][1],
                                .software = i / 4 % 2,
                                .forward_progress = i / 8 % 2};
        uint64_t before = 0;
        bool planned = true;
        for (uint64_t count = 2000; count < 1 << 23; count += count / 7) {
            ordo_summary summary;
            desc.max_count = count;
            ordo_status status = ordo_sort_steps(&caps, &desc, NULL, 0, &summary);
            assert_true(planned || status != ORDO_OK);
            planned = status == ORDO_OK;
            assert_true(!planned || summary.scratch_bytes >= before);
            before = planned ? summary.scratch_bytes : before;
            windows += summary.window_count > 1;
            refused += !planned;
        }
    }
    assert_true(windows > 500 && refused > 500);
}

/* Methods are compared at the next power of two, and as if it were bound as a whole: an array that
   fits a binding is sorted as on a device with larger ones. */
static void test_windows_are_no_reason_for_a_method(void **state) {
    (void)state;
    for (uint64_t count = 3000; count < 4000000; count += count / 7) {
        for (uint32_t form = 0; form < 4; form++) {
            const ordo_sort_desc desc = {.max_count = count,
                                         .key = form & 1 ? ORDO_U64 : ORDO_U32,
                                         .skip_high_bits = 8,
                                         .argsort = form & 2};
            const ordo_caps tight = {.max_binding_bytes = count * (form & 1 ? 10 : 5),
                                     .max_buffer_bytes = GIB};
            const ordo_caps roomy = {.max_binding_bytes = GIB, .max_buffer_bytes = GIB};
            ordo_summary of_tight, of_roomy;
            assert_int_equal(ordo_sort_steps(&tight, &desc, NULL, 0, &of_tight), ORDO_OK);
            assert_int_equal(ordo_sort_steps(&roomy, &desc, NULL, 0, &of_roomy), ORDO_OK);
            assert_int_equal(of_tight.method, of_roomy.method);
            assert_int_equal(of_tight.window_count, 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_to_the_30),
        cmocka_unit_test(test_where_windows_begin),
        cmocka_unit_test(test_every_form),
        cmocka_unit_test(test_who_has_no_windows),
        cmocka_unit_test(test_the_most_windows),
        cmocka_unit_test(test_a_buffer_holds_the_array),
        cmocka_unit_test(test_grids_hold_a_whole_binding),
        cmocka_unit_test(test_scratch_over_all_counts),
        cmocka_unit_test(test_windows_are_no_reason_for_a_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
