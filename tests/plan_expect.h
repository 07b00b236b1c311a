/* SPDX-License-Identifier: MIT */
/* plan_expect.h: what tests of planners expect of a problem, whose promises are all checked. */
#ifndef ORDO_TESTS_PLAN_EXPECT_H
#define ORDO_TESTS_PLAN_EXPECT_H

#include "messages.h"
#include "model.h"
#include "plan_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* The planner refuses it with this message. */
static inline void expect_refusal(const plan_problem *problem, ordo_message_id id,
                                  ordo_report report) {
    char expected[ORDO_MESSAGE_BYTES];
    ordo_status status = ordo_message_write(expected, id, &report);
    ordo_summary summary;
    const char *wrong = plan_check(problem, NULL);
    if (wrong)
        fail_msg("%s: %s", plan_describe(problem), wrong);
    assert_int_equal(plan_steps(problem, NULL, 0, &summary), status);
    assert_string_equal(summary.message, expected);
}

static inline void expect_plan(const plan_problem *problem) {
    ordo_status status;
    const char *wrong = plan_check(problem, &status);
    if (wrong || status != ORDO_OK)
        fail_msg("%s: %s", plan_describe(problem), wrong ? wrong : "refused");
}

/* The method refuses what is not a sort of whole keys of one number; `whole` is how it says so. */
static inline void expect_whole_keys_only(ordo_method method, const char *whole) {
    const struct {
        ordo_sort_desc desc;
        ordo_report report;
    } rows[] = {
        {{.skip_low_bits = 1}, {.s = "skip_low_bits", .t = whole, .a = 1}},
        {{.skip_high_bits = 31}, {.s = "skip_high_bits", .t = whole, .a = 31}},
        {{.key = ORDO_F64, .skip_low_bits = 64}, {.s = "skip_low_bits", .t = whole, .a = 64}},
        {{.digit_bits = 8}, {.s = "digit_bits", .t = "only a radix sort has digits", .a = 8}},
        {{.part_count = 2}, {.s = "part_count", .t = "only networks take composite keys", .a = 2}},
        {{.row_length = 100}, {.s = "row_length", .t = "only networks sort rows", .a = 100}},
        {{.block_length = 512},
         {.s = "block_length", .t = "only the methods bitonic and oddeven have blocks", .a = 512}},
        {{.fused_levels = 1}, {.s = "fused_levels", .t = "only networks have levels", .a = 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        plan_problem problem = {.sort = rows[i].desc};
        problem.sort.method = method;
        for (uint64_t count = 0; count < 2; count++) {
            problem.sort.max_count = 1000 * count;
            expect_refusal(&problem, ORDO_MESSAGE_METHOD_FIELD, rows[i].report);
        }
    }
}

/* No elements of any type of key take no steps. */
static inline void expect_no_steps_for_nothing(ordo_method method) {
    for (int key = ORDO_U32; key <= ORDO_F64; key++) {
        plan_problem problem = {.no_caps = true, .sort = {.key = (ordo_type)key, .method = method}};
        ordo_step step;
        ordo_summary summary;
        expect_plan(&problem);
        assert_int_equal(plan_steps(&problem, &step, 1, &summary), ORDO_OK);
        assert_int_equal(summary.method, method);
        assert_int_equal(summary.step_count, 0);
    }
}

/* The promises hold for whatever is asked of the method, of 40,000 problems from a seed; at least so
   many are planned, and so many refused. */
static inline void expect_promises(ordo_method method, uint64_t seed, uint32_t least) {
    uint32_t accepted = 0, refused = 0;
    for (int i = 0; i < 40000; i++) {
        uint8_t bytes[128];
        ordo_status status;
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (uint8_t)(model_random(&seed) >> 32);
        bytes[0] = 0; /* a sort */
        plan_problem problem = plan_problem_read(bytes, sizeof bytes);
        problem.sort.method = method;
        if (i % 4) {
            problem.sort.skip_low_bits = problem.sort.skip_high_bits = 0;
            problem.sort.digit_bits = problem.sort.part_count = problem.sort.row_length = 0;
            problem.sort.block_length = problem.sort.fused_levels = 0;
        }
        const char *wrong = plan_check(&problem, &status);
        if (wrong)
            fail_msg("%s: %s", plan_describe(&problem), wrong);
        accepted += status == ORDO_OK;
        refused += status != ORDO_OK;
    }
    assert_true(accepted > least && refused > least);
}

#endif
