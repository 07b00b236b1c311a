/* SPDX-License-Identifier: MIT */
/*
 * test_plan.c: properties of all plans, without a GPU: random problems, every window of every type,
 * every count around the edges, and what a plan costs to make.
 */
#include "model.h"
#include "plan_check.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

/* Fails the test with the problem's text if a plan breaks a promise. */
static ordo_status check(const plan_problem *problem) {
    ordo_status status;
    const char *wrong = plan_check(problem, &status);
    if (wrong)
        fail_msg("%s: %s", plan_describe(problem), wrong);
    return status;
}

static void check_accepted(const plan_problem *problem) {
    if (check(problem) != ORDO_OK)
        fail_msg("%s: refused", plan_describe(problem));
}

/* B012, B022, B026, B029, B030, B032, B086, B089: the promises hold for whatever is asked. */
static void test_random_problems(void **state) {
    (void)state;
    uint64_t random = 20261130;
    uint32_t accepted[PLAN_PRIMITIVES] = {0}, refused[PLAN_PRIMITIVES] = {0};
    for (int i = 0; i < 100000; i++) {
        uint8_t bytes[128];
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (uint8_t)(model_random(&random) >> 32);
        plan_problem problem = plan_problem_read(bytes, sizeof bytes);
        (check(&problem) == ORDO_OK ? accepted : refused)[problem.primitive]++;
    }
    /* Both outcomes are common, so neither half of the checks is idle. */
    for (int i = 0; i < PLAN_PRIMITIVES; i++) {
        if (accepted[i] < 1000 || refused[i] < 1000)
            fail_msg("primitive %d: %u accepted, %u refused", i, accepted[i], refused[i]);
    }
}

/* B011, B026, B028: results land where they belong for every window, so for either parity. */
static void test_every_window_of_every_type(void **state) {
    (void)state;
    static const uint32_t values[] = {0, 4, 8, 12, 64};
    for (int key = ORDO_U32; key <= ORDO_F64; key++) {
        uint32_t width = ordo_type_bytes((ordo_type)key) * 8;
        for (uint32_t low = 0; low <= width; low++) {
            for (uint32_t high = 0; low + high <= width; high += width == 64 ? 3 : 1) {
                plan_problem problem = {.sort = {.max_count = 20000,
                                                 .key = (ordo_type)key,
                                                 .skip_low_bits = low,
                                                 .skip_high_bits = high}};
                problem.sort.argsort = (low ^ high) & 1;
                if (!problem.sort.argsort) {
                    problem.sort.value_bytes = values[(low + high) % 5];
                    problem.sort.in_place = (low / 2 + high) % 2;
                }
                check_accepted(&problem);
                problem.sort.method = ORDO_METHOD_RADIX;
                problem.sort.digit_bits = low % 3 == 0 ? 4 : 0;
                check_accepted(&problem);
            }
        }
    }
}

/* B001, B004, B018, B034, B086: every count up to a few thousand, and both sides of larger
   powers. */
static void test_every_count(void **state) {
    (void)state;
    for (uint64_t count = 0; count < 13000; count++) {
        plan_problem problem = {.caps = {.max_groups = count % 2 ? 2 : 0},
                                .sort = {.max_count = count, .value_bytes = count % 3 ? 0 : 4}};
        problem.sort.method = count % 4 ? ORDO_METHOD_RADIX : ORDO_METHOD_AUTO;
        problem.sort.digit_bits = count % 5 ? 0 : 4;
        /* Two by two workgroups hold few tiles; then the refusal is checked. */
        if (problem.caps.max_groups || problem.sort.digit_bits)
            check(&problem);
        else
            check_accepted(&problem);
    }
    for (uint32_t bits = 12; bits <= 24; bits++) {
        for (uint64_t count = (1ull << bits) - 2; count <= (1ull << bits) + 2; count++) {
            plan_problem sort = {.sort = {.max_count = count}};
            plan_problem radix = {.sort = {.max_count = count, .method = ORDO_METHOD_RADIX}};
            plan_problem scan = {.primitive = PLAN_SCAN, .scan = {.max_count = count}};
            plan_problem reduce = {.primitive = PLAN_REDUCE, .reduce = {.max_count = count}};
            check_accepted(&sort);
            check_accepted(&radix);
            check_accepted(&scan);
            check_accepted(&reduce);
        }
    }
}

/* The literature's form: 4 bits a pass, five dispatches each. */
static void test_classic_form_takes_forty_steps(void **state) {
    (void)state;
    static const char *const pass[] = {"radix_histogram", "scan_reduce", "scan_block_in_place",
                                       "scan_apply_quads_in_place", "radix_split_keys"};
    ordo_sort_desc desc = {.max_count = 1 << 20, .method = ORDO_METHOD_RADIX, .digit_bits = 4};
    ordo_step steps[40];
    ordo_summary summary;
    assert_int_equal(ordo_sort_steps(NULL, &desc, steps, 40, &summary), ORDO_OK);
    assert_int_equal(summary.step_count, 40);
    assert_int_equal(summary.pass_count, 8);
    assert_int_equal(summary.digit_bits, 4);
    for (int i = 0; i < 40; i++)
        assert_string_equal(steps[i].entry, pass[i % 5]);
}

/* Keys only need no more than a second copy of the keys and a twentieth of it. */
static void test_scratch_of_u32_keys_is_small(void **state) {
    (void)state;
    for (uint64_t count = 1; count <= 1u << 25; count += 1 + count / 7) {
        ordo_sort_desc desc = {.max_count = count, .method = ORDO_METHOD_RADIX};
        ordo_summary summary;
        assert_int_equal(ordo_sort_steps(NULL, &desc, NULL, 0, &summary), ORDO_OK);
        assert_true(summary.scratch_bytes <= 4 * count + count / 5 + 4096);
    }
}

/* Scratch never falls as max_count grows, over every step from one count to the next. */
static void test_scratch_is_monotone(void **state) {
    (void)state;
    plan_problem problems[] = {
        {.sort = {.key = ORDO_U32}},
        {.sort = {.key = ORDO_U32, .method = ORDO_METHOD_RADIX}},
        {.sort = {.key = ORDO_F64, .value_bytes = 4, .method = ORDO_METHOD_RADIX}},
        {.sort = {.key = ORDO_F64, .value_bytes = 4}},
        {.sort = {.key = ORDO_I32, .argsort = true, .method = ORDO_METHOD_RADIX}},
        {.sort = {.key = ORDO_U64, .value_bytes = 64, .in_place = true, .skip_low_bits = 60}},
        {.sort = {.key = ORDO_F32, .digit_bits = 4, .in_place = true, .skip_high_bits = 4}},
        {.sort = {.key = ORDO_U64, .argsort = true, .row_length = 5000}},
        {.sort = {.method = ORDO_METHOD_BITONIC, .argsort = true, .skip_high_bits = 20}},
        {.sort = {.method = ORDO_METHOD_ODDEVEN, .value_bytes = 64, .in_place = true}},
        {.primitive = PLAN_SCAN},
        {.primitive = PLAN_REDUCE},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        uint64_t before = 0;
        for (uint64_t count = 0; count < 30000; count++) {
            ordo_summary summary;
            *plan_max_count(&problems[i]) = count;
            assert_int_equal(plan_steps(&problems[i], NULL, 0, &summary), ORDO_OK);
            assert_true(summary.scratch_bytes >= before);
            before = summary.scratch_bytes;
        }
    }
}

/* The least CPU time of many plans, so that another process on the core does not count. */
static void test_a_plan_takes_under_50_us(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {
        {.max_count = 1 << 20, .method = ORDO_METHOD_RADIX},
        {.max_count = 1 << 20, .digit_bits = 4},
        {.max_count = 1 << 20,
         .key = ORDO_F64,
         .value_bytes = 64,
         .in_place = true,
         .method = ORDO_METHOD_RADIX},
        {.max_count = 1 << 20, .method = ORDO_METHOD_BITONIC, .part_count = 4, .argsort = true},
        {.max_count = 1 << 20, .method = ORDO_METHOD_ODDEVEN},
        {.max_count = 1 << 20, .key = ORDO_F64, .value_bytes = 64, .method = ORDO_METHOD_MSD},
    };
    static ordo_step steps[200];
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        double least_us = 1e9;
        for (int batch = 0; batch < 50; batch++) {
            ordo_summary summary;
            clock_t begin = clock();
            for (int repeat = 0; repeat < 20; repeat++) {
                assert_int_equal(ordo_sort_steps(NULL, &descs[i], NULL, 0, &summary), ORDO_OK);
                assert_int_equal(ordo_sort_steps(NULL, &descs[i], steps, 200, &summary), ORDO_OK);
            }
            double us = (double)(clock() - begin) * 1e6 / CLOCKS_PER_SEC / 20;
            least_us = us < least_us ? us : least_us;
        }
        if (least_us >= 50)
            fail_msg("plan %zu takes %.1f us", i, least_us);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_every_window_of_every_type),
        cmocka_unit_test(test_every_count),
        cmocka_unit_test(test_classic_form_takes_forty_steps),
        cmocka_unit_test(test_scratch_of_u32_keys_is_small),
        cmocka_unit_test(test_scratch_is_monotone),
        cmocka_unit_test(test_a_plan_takes_under_50_us),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
