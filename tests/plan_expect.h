/* SPDX-License-Identifier: MIT */
/* plan_expect.h: what tests of planners expect of a problem, whose promises are all checked. */
#ifndef ORDO_TESTS_PLAN_EXPECT_H
#define ORDO_TESTS_PLAN_EXPECT_H

#include "messages.h"
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

#endif
