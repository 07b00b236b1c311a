/* SPDX-License-Identifier: MIT */
/*
 * test_plan_limits.c: what planners refuse, and how they say it. Sizes at and above each limit, and
 * every message of the planner with the numbers that it must name.
 */
#include "messages.h"
#include "plan_expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define GIB (1ull << 30)

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* B030: no rounding wraps near 2^32; the planner answers at once, and rightly. */
static void test_b030_counts_near_two_to_the_32(void **state) {
    (void)state;
    static const uint64_t counts[] = {2147483647, 2147483648, 4294967040, 4294967295};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        plan_problem sort = {
            .caps = {.max_binding_bytes = 64 * GIB, .max_buffer_bytes = 64 * GIB},
            .sort = {.max_count = counts[i]},
        };
        plan_problem scan = {.primitive = PLAN_SCAN, .caps = sort.caps};
        scan.scan.max_count = counts[i];
        expect_plan(&sort);
        expect_plan(&scan);
        sort.sort.digit_bits = 4;
        expect_plan(&sort);
    }
    plan_problem over = {.caps = {.max_binding_bytes = 64 * GIB, .max_buffer_bytes = 64 * GIB},
                         .sort = {.max_count = 4294967296}};
    expect_refusal(&over, ORDO_MESSAGE_COUNT, (ordo_report){.a = 4294967296, .b = 4294967295});
    over.sort.max_count = UINT64_MAX;
    expect_refusal(&over, ORDO_MESSAGE_COUNT, (ordo_report){.a = UINT64_MAX, .b = 4294967295});
}

/* B074: rows times columns above 2^32. */
static void test_b074_a_product_above_two_to_the_32(void **state) {
    (void)state;
    plan_problem scan = {.primitive = PLAN_SCAN, .scan = {.max_count = 309504ull * 16384}};
    expect_refusal(&scan, ORDO_MESSAGE_COUNT,
                   (ordo_report){.a = 309504ull * 16384, .b = 4294967295});
}

/* B087, B088: one key above the default binding limit; the message names the limit to request. */
static void test_b087_b088_a_binding_above_128_mib(void **state) {
    (void)state;
    plan_problem problem = {.sort = {.max_count = 33554432, .method = ORDO_METHOD_BITONIC}};
    expect_plan(&problem);
    problem.sort.max_count = 33554433;
    expect_refusal(&problem, ORDO_MESSAGE_BINDING,
                   (ordo_report){.a = 33554433, .b = 4 * 33554433ull, .c = 134217728});
    problem.caps.max_binding_bytes = GIB;
    expect_plan(&problem);
    problem.sort.max_count = 40000000;
    problem.no_caps = true;
    expect_refusal(&problem, ORDO_MESSAGE_BINDING,
                   (ordo_report){.a = 40000000, .b = 160000000, .c = 134217728});
}

/* B035: the keys fit, the scratch does not: refused before anything is made, smaller is fine. What
   a method that wants more scratch would be chosen for is sorted by radix where that alone fits; the
   scratch is then all that a buffer can hold, since it never falls. */
static void test_b035_scratch_above_the_buffer_limit(void **state) {
    (void)state;
    plan_problem problem = {.caps = {.max_buffer_bytes = 400000004, .max_binding_bytes = 400000004},
                            .sort = {.max_count = 100000000}};
    ordo_summary summary;
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary), ORDO_UNSUPPORTED);
    plan_problem larger = problem;
    larger.caps.max_buffer_bytes = GIB;
    expect_plan(&larger);
    assert_int_equal(plan_steps(&larger, NULL, 0, &summary), ORDO_OK);
    assert_int_equal(summary.method, ORDO_METHOD_MSD);
    larger.sort.method = ORDO_METHOD_RADIX;
    assert_int_equal(plan_steps(&larger, NULL, 0, &summary), ORDO_OK);
    expect_refusal(&problem, ORDO_MESSAGE_SCRATCH,
                   (ordo_report){.a = 100000000, .b = summary.scratch_bytes, .c = 400000004});
    problem.sort.max_count = 90000000;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary), ORDO_OK);
    assert_int_equal(summary.method, ORDO_METHOD_RADIX);
    assert_int_equal(summary.scratch_bytes, 400000004 / 256 * 256);
    problem.sort.max_count = 70000000;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary), ORDO_OK);
    assert_int_equal(summary.method, ORDO_METHOD_MSD);
}

/* B094: both sides of 2 GiB and 4 GiB. */
static void test_b094_buffers_around_2_and_4_gib(void **state) {
    (void)state;
    static const uint64_t bytes[] = {2 * GIB - 4, 2 * GIB, 2 * GIB + 4, 4 * GIB - 4, 4 * GIB};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        plan_problem problem = {
            .caps = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB},
            .sort = {.max_count = bytes[i] / 4, .method = ORDO_METHOD_MSD}};
        expect_plan(&problem);
        problem.caps.max_binding_bytes = bytes[i] - 4;
        expect_refusal(&problem, ORDO_MESSAGE_BINDING,
                       (ordo_report){.a = bytes[i] / 4, .b = bytes[i], .c = bytes[i] - 4});
    }
}

/* B086, B093: a second grid dimension where one is too short, a refusal where two are. */
static void test_b086_b093_more_workgroups_than_one_dimension(void **state) {
    (void)state;
    ordo_step steps[4];
    ordo_summary summary;
    ordo_caps caps = {.max_groups = 2};
    ordo_scan_desc scan = {.max_count = 3 * 4096 + 1};
    assert_int_equal(ordo_scan_steps(&caps, &scan, steps, 4, &summary), ORDO_OK);
    assert_int_equal(steps[0].group_count_x, 2);
    assert_int_equal(steps[0].group_count_y, 2);
    plan_problem over = {.primitive = PLAN_SCAN, .caps = caps, .scan = {.max_count = 4 * 4096 + 1}};
    expect_refusal(&over, ORDO_MESSAGE_GROUPS, (ordo_report){.a = 4 * 4096 + 1, .b = 5, .c = 2});
    /* On real limits, whatever bindings hold can be dispatched. */
    plan_problem largest = {.caps = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB},
                            .sort = {.max_count = UINT32_MAX, .digit_bits = 4}};
    expect_plan(&largest);
}

/* B089: pairs with wide values bind no more than the guaranteed eight storage buffers. */
static void test_b089_eight_storage_buffers_are_enough(void **state) {
    (void)state;
    for (uint32_t value_bytes = 0; value_bytes <= 64; value_bytes += 4) {
        plan_problem problem = {.caps = {.max_storage_buffers = 8},
                                .sort = {.max_count = 100000,
                                         .key = ORDO_U64,
                                         .value_bytes = value_bytes,
                                         .in_place = value_bytes % 8 == 0}};
        expect_plan(&problem);
    }
}

/* What ballots need is their own: a subgroup's size, and fewer cells. */
static void take_ballots_out(ordo_step *with, const ordo_step *without) {
    for (uint32_t i = 0; i < with->constant_count; i++) {
        ordo_number *constant = &with->constants[i];
        if (strcmp(constant->name, "CELLS") == 0) {
            uint64_t cells = step_constant(without, "CELLS");
            assert_true(constant->value <= cells);
            constant->value = (uint32_t)cells;
        } else if (strcmp(constant->name, "SUBGROUP_SIZE") == 0) {
            uint32_t after = with->constant_count-- - i - 1;
            memmove(constant, constant + 1, after * sizeof *constant);
            with->constants[with->constant_count] = (ordo_number){0};
            i--;
        }
    }
}

/* B009: without subgroups no step asks for them; with them the steps are otherwise the same. */
static void test_b009_subgroups_change_nothing_but_the_lane_snippet(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {
        {.max_count = 100000, .key = ORDO_I64, .value_bytes = 4, .method = ORDO_METHOD_RADIX},
        {.max_count = 100000, .method = ORDO_METHOD_BITONIC},
        {.max_count = 100000, .method = ORDO_METHOD_ODDEVEN},
        {.max_count = 100000, .key = ORDO_F64, .value_bytes = 8, .method = ORDO_METHOD_MSD},
        {.max_count = 100000, .value_bytes = 4, .method = ORDO_METHOD_ONESWEEP},
        {.max_count = 100000, .value_bytes = 4, .method = ORDO_METHOD_SAMPLE},
    };
    for (size_t d = 0; d < sizeof descs / sizeof *descs; d++) {
        static ordo_step without[64], with[64];
        ordo_summary summary;
        ordo_caps caps = {0};
        assert_int_equal(ordo_sort_steps(&caps, &descs[d], without, 64, &summary), ORDO_OK);
        caps.subgroups = true;
        caps.subgroup_size = 32;
        uint32_t count = summary.step_count;
        assert_int_equal(ordo_sort_steps(&caps, &descs[d], with, 64, &summary), ORDO_OK);
        assert_int_equal(summary.step_count, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_false(without[i].subgroups);
            if (with[i].subgroups)
                take_ballots_out(&with[i], &without[i]);
            with[i].subgroups = false;
        }
        assert_memory_equal(with, without, count * sizeof *with);
    }
}

/* B049: no elements, no work; a reduce alone still has its identity to write. */
static void test_b049_no_elements_plan_no_work(void **state) {
    (void)state;
    ordo_summary summary;
    ordo_step step;
    for (int key = ORDO_U32; key <= ORDO_F64; key++) {
        ordo_sort_desc sort = {.key = (ordo_type)key, .value_bytes = 8};
        assert_int_equal(ordo_sort_steps(NULL, &sort, NULL, 0, &summary), ORDO_OK);
        assert_int_equal(summary.step_count, 0);
        assert_int_equal(summary.scratch_bytes, 0);
    }
    ordo_scan_desc scan = {0};
    assert_int_equal(ordo_scan_steps(NULL, &scan, NULL, 0, &summary), ORDO_OK);
    assert_int_equal(summary.step_count, 0);
    ordo_reduce_desc reduce = {0};
    assert_int_equal(ordo_reduce_steps(NULL, &reduce, &step, 1, &summary), ORDO_OK);
    assert_int_equal(summary.step_count, 1);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void test_messages_about_a_sort(void **state) {
    (void)state;
    const struct {
        ordo_sort_desc desc;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {{.key = (ordo_type)6}, ORDO_MESSAGE_ENUM, {.s = "key", .a = 6, .b = 5}},
        {{.key = (ordo_type)-1}, ORDO_MESSAGE_ENUM, {.s = "key", .a = UINT32_MAX, .b = 5}},
        {{.order = (ordo_order)2}, ORDO_MESSAGE_ENUM, {.s = "order", .a = 2, .b = 1}},
        {{.method = (ordo_method)8}, ORDO_MESSAGE_ENUM, {.s = "method", .a = 8, .b = 7}},
        {{.value_bytes = 3}, ORDO_MESSAGE_VALUE_BYTES, {.a = 3, .b = 64}},
        {{.value_bytes = 68}, ORDO_MESSAGE_VALUE_BYTES, {.a = 68, .b = 64}},
        {{.argsort = true, .value_bytes = 4}, ORDO_MESSAGE_ARGSORT, {.s = "value_bytes", .a = 4}},
        {{.argsort = true, .in_place = true}, ORDO_MESSAGE_ARGSORT, {.s = "in_place", .a = 1}},
        {{.skip_low_bits = 30, .skip_high_bits = 3},
         ORDO_MESSAGE_WINDOW,
         {.a = 30, .b = 3, .c = 32}},
        {{.key = ORDO_F64, .skip_low_bits = 65}, ORDO_MESSAGE_WINDOW, {.a = 65, .b = 0, .c = 64}},
        {{.skip_low_bits = UINT32_MAX, .skip_high_bits = 1},
         ORDO_MESSAGE_WINDOW,
         {.a = UINT32_MAX, .b = 1, .c = 32}},
        {{.digit_bits = 5}, ORDO_MESSAGE_DIGIT_BITS, {.a = 5}},
        {{.max_count = 1ull << 40}, ORDO_MESSAGE_COUNT, {.a = 1ull << 40, .b = UINT32_MAX}},
        {{.max_count = 1ull << 31, .key = ORDO_U64}, ORDO_MESSAGE_WORDS, {.a = 1ull << 31, .b = 8}},
        {{.max_count = 1ull << 28, .value_bytes = 64},
         ORDO_MESSAGE_WORDS,
         {.a = 1ull << 28, .b = 64}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint64_t count = 0; count < 2; count++) {
            /* A desc is as wrong for no elements as for many. */
            plan_problem problem = {.sort = rows[i].desc};
            if (problem.sort.max_count == 0)
                problem.sort.max_count = 1000 * count;
            expect_refusal(&problem, rows[i].id, rows[i].report);
        }
    }
}

static void test_messages_about_scans_and_reduces(void **state) {
    (void)state;
    const struct {
        ordo_type type;
        ordo_op op;
        uint64_t max_count;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {ORDO_U64, ORDO_ADD, 10, ORDO_MESSAGE_SCAN_TYPE, {.a = ORDO_U64}},
        {ORDO_F64, ORDO_ADD, 0, ORDO_MESSAGE_SCAN_TYPE, {.a = ORDO_F64}},
        {(ordo_type)77, ORDO_ADD, 10, ORDO_MESSAGE_ENUM, {.s = "type", .a = 77, .b = 5}},
        {ORDO_F32, (ordo_op)3, 10, ORDO_MESSAGE_ENUM, {.s = "op", .a = 3, .b = 2}},
        {ORDO_F32, ORDO_MIN, 1ull << 32, ORDO_MESSAGE_COUNT, {.a = 1ull << 32, .b = UINT32_MAX}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        plan_problem scan = {
            .primitive = PLAN_SCAN,
            .scan = {.max_count = rows[i].max_count, .type = rows[i].type, .op = rows[i].op}};
        plan_problem reduce = {
            .primitive = PLAN_REDUCE,
            .reduce = {.max_count = rows[i].max_count, .type = rows[i].type, .op = rows[i].op}};
        expect_refusal(&scan, rows[i].id, rows[i].report);
        expect_refusal(&reduce, rows[i].id, rows[i].report);
    }
}

static void test_messages_about_capabilities(void **state) {
    (void)state;
    const struct {
        ordo_caps caps;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {{.offset_alignment_bytes = 2}, ORDO_MESSAGE_ALIGNMENT, {.a = 2}},
        {{.offset_alignment_bytes = 48}, ORDO_MESSAGE_ALIGNMENT, {.a = 48}},
        {{.max_workgroup_bytes = 16383},
         ORDO_MESSAGE_CAPS,
         {.s = "max_workgroup_bytes", .a = 16383, .b = 16384}},
        {{.max_invocations = 255}, ORDO_MESSAGE_CAPS, {.s = "max_invocations", .a = 255, .b = 256}},
        {{.max_storage_buffers = 7},
         ORDO_MESSAGE_CAPS,
         {.s = "max_storage_buffers", .a = 7, .b = 8}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int primitive = PLAN_SORT; primitive <= PLAN_REDUCE; primitive++) {
            plan_problem problem = {.primitive = (plan_primitive)primitive, .caps = rows[i].caps};
            *plan_max_count(&problem) = 100;
            expect_refusal(&problem, rows[i].id, rows[i].report);
        }
    }
}

/* The arguments that plan_check does not vary: no desc, no array, an array too short. */
static void test_messages_about_the_call(void **state) {
    (void)state;
    ordo_summary summary;
    char expected[ORDO_MESSAGE_BYTES];
    ordo_sort_desc desc = {.max_count = 1 << 20, .digit_bits = 4};
    ordo_step step;

    ordo_message_write(expected, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "desc"});
    assert_int_equal(ordo_sort_steps(NULL, NULL, NULL, 0, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);
    assert_int_equal(ordo_scan_steps(NULL, NULL, NULL, 0, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);
    assert_int_equal(ordo_reduce_steps(NULL, NULL, NULL, 0, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);

    ordo_message_write(expected, ORDO_MESSAGE_STEPS_NULL, &(ordo_report){.a = 40});
    assert_int_equal(ordo_sort_steps(NULL, &desc, NULL, 40, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);

    ordo_message_write(expected, ORDO_MESSAGE_CAPACITY, &(ordo_report){.a = 1, .b = 40});
    assert_int_equal(ordo_sort_steps(NULL, &desc, &step, 1, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);
    assert_int_equal(summary.step_count, 40);
}

/* A text longer than the buffer is cut, not overrun, and still ends. */
static void test_a_message_fits_its_buffer(void **state) {
    (void)state;
    char word[400], out[ORDO_MESSAGE_BYTES + 16];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = 0;
    memset(out, '#', sizeof out);
    assert_int_equal(ordo_message_write(out, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = word}),
                     ORDO_INVALID);
    assert_int_equal(strlen(out), ORDO_MESSAGE_BYTES - 1);
    assert_int_equal(out[ORDO_MESSAGE_BYTES], '#');
    assert_int_equal(ordo_message_write(NULL, ORDO_MESSAGE_CAPS, &(ordo_report){.s = "x"}),
                     ORDO_UNSUPPORTED);
}

static void test_names_and_sizes(void **state) {
    (void)state;
    static const char *const names[] = {
        "ORDO_OK",          "ORDO_INVALID", "ORDO_UNSUPPORTED", "ORDO_OUT_OF_MEMORY",
        "ORDO_DEVICE_LOST", "ORDO_FAILED",  "unknown status"};
    static const uint32_t bytes[] = {4, 4, 4, 8, 8, 8, 0};
    for (int i = 0; i < 7; i++) {
        assert_string_equal(ordo_status_name((ordo_status)i), names[i]);
        assert_int_equal(ordo_type_bytes((ordo_type)i), bytes[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_b030_counts_near_two_to_the_32),
        cmocka_unit_test(test_b074_a_product_above_two_to_the_32),
        cmocka_unit_test(test_b087_b088_a_binding_above_128_mib),
        cmocka_unit_test(test_b035_scratch_above_the_buffer_limit),
        cmocka_unit_test(test_b094_buffers_around_2_and_4_gib),
        cmocka_unit_test(test_b086_b093_more_workgroups_than_one_dimension),
        cmocka_unit_test(test_b089_eight_storage_buffers_are_enough),
        cmocka_unit_test(test_b009_subgroups_change_nothing_but_the_lane_snippet),
        cmocka_unit_test(test_b049_no_elements_plan_no_work),
        cmocka_unit_test(test_messages_about_a_sort),
        cmocka_unit_test(test_messages_about_scans_and_reduces),
        cmocka_unit_test(test_messages_about_capabilities),
        cmocka_unit_test(test_messages_about_the_call),
        cmocka_unit_test(test_a_message_fits_its_buffer),
        cmocka_unit_test(test_names_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
