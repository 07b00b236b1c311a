/* SPDX-License-Identifier: MIT */
/*
 * test_plan_rejected.c: plans for devices on which methods are rejected, as a self-check finds, and
 * the data and results of the self-check itself.
 */
#include "check_data.h"
#include "messages.h"
#include "model.h"
#include "ordo_advise.h"
#include "plan_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define BIT(name) (1u << ORDO_METHOD_##name)

static void expect(plan_problem *problem, ordo_status expected) {
    ordo_status status;
    const char *wrong = plan_check(problem, &status);
    if (wrong)
        fail_msg("%s: %s", wrong, plan_describe(problem));
    if (status != expected)
        fail_msg("%s, not %s: %s", ordo_status_name(status), ordo_status_name(expected),
                 plan_describe(problem));
}

static ordo_summary summary_of(const plan_problem *problem) {
    ordo_summary summary;
    plan_steps(problem, NULL, 0, &summary);
    return summary;
}

/* Descs by what can sort them. */
static const struct {
    ordo_sort_desc desc;
    uint32_t methods; /* AUTO may come to */
} descs[] = {
    {{.key = ORDO_U32}, BIT(RADIX) | BIT(BITONIC) | BIT(ODDEVEN) | BIT(MSD) | BIT(SAMPLE)},
    {{.key = ORDO_F64, .argsort = true},
     BIT(RADIX) | BIT(BITONIC) | BIT(ODDEVEN) | BIT(MSD) | BIT(SAMPLE)},
    {{.value_bytes = 12, .in_place = true},
     BIT(RADIX) | BIT(BITONIC) | BIT(ODDEVEN) | BIT(MSD) | BIT(SAMPLE)},
    {{.skip_low_bits = 26}, BIT(RADIX) | BIT(BITONIC) | BIT(ODDEVEN)},
    {{.skip_low_bits = 32}, BIT(RADIX) | BIT(BITONIC) | BIT(ODDEVEN)},
    {{.digit_bits = 4}, BIT(RADIX)},
    {{.part_count = 3}, BIT(BITONIC) | BIT(ODDEVEN)},
    {{.row_length = 100, .value_bytes = 4}, BIT(BITONIC) | BIT(ODDEVEN)},
    {{.block_length = 256}, BIT(BITONIC) | BIT(ODDEVEN)},
    {{.fused_levels = 1}, BIT(BITONIC) | BIT(ODDEVEN)},
    {{.fused_levels = 3}, BIT(BITONIC)},
};

/* For each set of rejected methods, what is chosen is none of them, and there is a plan as long as
   a method is left. msd and sample are no way out where the others are rejected. */
static void test_choices(void **state) {
    (void)state;
    const uint64_t counts[] = {1, 100, 5000, 1 << 17, 1 << 20, 10000019};
    for (uint32_t rejected = 2; rejected <= PLAN_ALL_METHODS; rejected += 2) {
        for (size_t d = 0; d < COUNT_OF(descs); d++) {
            for (size_t i = 0; i < COUNT_OF(counts); i++) {
                plan_problem problem = {.caps = {.rejected_methods = rejected},
                                        .sort = descs[d].desc};
                problem.sort.max_count = counts[i];
                uint32_t left = descs[d].methods & ~rejected;
                if (left && !(left & ~(BIT(MSD) | BIT(SAMPLE))))
                    continue; /* chosen or not, as the model of time has it */
                expect(&problem, left ? ORDO_OK : ORDO_UNSUPPORTED);
                ordo_summary summary = summary_of(&problem);
                char message[ORDO_MESSAGE_BYTES];
                ordo_message_write(message, ORDO_MESSAGE_REJECTED, &(ordo_report){.a = rejected});
                assert_string_equal(summary.message, left ? "" : message);
                assert_true(!left || left >> summary.method & 1);
            }
        }
    }
}

/* Who names a method gets it. */
static void test_named_methods(void **state) {
    (void)state;
    for (uint32_t method = ORDO_METHOD_RADIX; method <= ORDO_METHOD_ONESWEEP; method++) {
        plan_problem problem = {.caps = {.rejected_methods = PLAN_ALL_METHODS},
                                .sort = {.max_count = 5000, .method = (ordo_method)method}};
        expect(&problem, ORDO_OK);
        plan_problem usual = problem;
        usual.caps.rejected_methods = 0;
        ordo_step a[128], b[128];
        ordo_summary summary, other;
        assert_int_equal(plan_steps(&problem, a, 128, &summary), ORDO_OK);
        assert_int_equal(plan_steps(&usual, b, 128, &other), ORDO_OK);
        assert_int_equal(summary.step_count, other.step_count);
        assert_memory_equal(a, b, summary.step_count * sizeof *a);
    }
}

/* Primitives that sort inside: by radix alone, or by what AUTO chooses. */
static void test_other_primitives(void **state) {
    (void)state;
    char expected[ORDO_MESSAGE_BYTES];
    plan_problem counting = {.primitive = PLAN_COUNTING_SORT, .counting = {.max_count = 5000}};
    plan_problem grid = {.primitive = PLAN_GRID, .grid = {.max_count = 5000, .table_size = 64}};
    plan_problem top_k = {.primitive = PLAN_TOP_K, .top_k = {.max_count = 100000, .k = 5000}};
    plan_problem scan = {.primitive = PLAN_SCAN, .scan = {.max_count = 5000}};
    plan_problem *all[] = {&counting, &grid, &top_k, &scan};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        all[i]->caps.rejected_methods = PLAN_ALL_METHODS & ~BIT(RADIX);
        expect(all[i], ORDO_OK);
        all[i]->caps.rejected_methods = BIT(RADIX);
        expect(all[i], i < 2 ? ORDO_UNSUPPORTED : ORDO_OK);
        ordo_message_write(expected, ORDO_MESSAGE_REJECTED_BUCKETS,
                           &(ordo_report){.a = BIT(RADIX)});
        assert_string_equal(summary_of(all[i]).message, i < 2 ? expected : "");
        all[i]->caps.rejected_methods = PLAN_ALL_METHODS;
        expect(all[i], i < 3 ? ORDO_UNSUPPORTED : ORDO_OK);
    }
}

/* Advice names no method that is rejected, as long as there is another. */
static void test_advice(void **state) {
    (void)state;
    const ordo_question questions[] = {
        {.need = ORDO_NEED_ORDER, .max_count = 100000},
        {.need = ORDO_NEED_ORDER, .max_count = 100000, .row_length = 100},
        {.need = ORDO_NEED_GROUPS, .max_count = 100000, .key_limit = 300},
        {.need = ORDO_NEED_BEST, .max_count = 100000, .k = 10},
        {.need = ORDO_NEED_NEIGHBOURS, .max_count = 100000, .radius = 1},
    };
    const uint32_t most = BIT(RADIX) | BIT(BITONIC);
    for (size_t i = 0; i < COUNT_OF(questions); i++) {
        for (uint32_t rejected = 0; rejected <= PLAN_ALL_METHODS; rejected += 2) {
            const ordo_caps caps = {.rejected_methods = rejected};
            ordo_advice advice;
            assert_int_equal(ordo_advise(&caps, &questions[i], &advice), ORDO_OK);
            bool sorts = false;
            for (uint32_t o = 0; o < advice.option_count; o++) {
                const ordo_option *option = &advice.options[o];
                if (option->primitive == ORDO_PRIMITIVE_SORT && option->fits) {
                    sorts = true;
                    assert_false(rejected >> option->summary.method & 1);
                }
            }
            if (!(rejected & most) || rejected == PLAN_ALL_METHODS)
                assert_int_equal(sorts, rejected != PLAN_ALL_METHODS);
            if (!(rejected & BIT(ODDEVEN)))
                assert_true(sorts);
        }
    }
}

static void test_bits_of_no_method(void **state) {
    (void)state;
    const uint32_t rows[] = {1, PLAN_ALL_METHODS + 1, PLAN_ALL_METHODS + 2, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char expected[ORDO_MESSAGE_BYTES];
        plan_problem problem = {.caps = {.rejected_methods = rows[i]}, .sort = {.max_count = 9}};
        expect(&problem, ORDO_INVALID);
        ordo_message_write(expected, ORDO_MESSAGE_REJECTED_BITS,
                           &(ordo_report){.a = rows[i], .b = PLAN_ALL_METHODS});
        assert_string_equal(summary_of(&problem).message, expected);
    }
}

/* ---- Data of the self-check ------------------------------------------------------------------ */

enum { COUNT = 30011 };

static uint32_t keys[2 * COUNT], order[COUNT], spare[COUNT], expected_order[COUNT];

/* The check's results are the model's, for all its data. */
static void test_check_results(void **state) {
    (void)state;
    const ordo_type types[] = {ORDO_U32, ORDO_F32, ORDO_U64, ORDO_F64};
    for (uint32_t form = 0; form < 8; form++) {
        ordo_sort_desc desc = {.key = types[form % 4], .order = (ordo_order)(form / 4)};
        for (int shape = ORDO_CHECK_RANDOM; shape <= ORDO_CHECK_DOUBLES; shape++) {
            ordo_check_fill((ordo_check_shape)shape, keys, COUNT * ordo_type_bytes(desc.key) / 4);
            ordo_check_argsort(&desc, keys, order, spare, COUNT);
            model_argsort(&desc, keys, COUNT, expected_order);
            assert_memory_equal(order, expected_order, sizeof order);
        }
    }
    for (int inclusive = 0; inclusive < 2; inclusive++) {
        ordo_scan_desc scan = {.inclusive = inclusive};
        ordo_check_fill(ORDO_CHECK_RANDOM, keys, COUNT);
        ordo_check_scan(inclusive, keys, order, COUNT);
        model_scan(&scan, keys, COUNT, expected_order);
        assert_memory_equal(order, expected_order, sizeof order);
    }
}

static uint32_t different(void) {
    uint32_t count = 0;
    ordo_check_argsort(&(ordo_sort_desc){.key = ORDO_U32}, keys, order, spare, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        count += i == 0 || keys[order[i]] != keys[order[i - 1]];
    return count;
}

static bool holds_wide(uint64_t key) {
    for (uint32_t i = 0; i < COUNT; i++) {
        if ((keys[2 * i] | (uint64_t)keys[2 * i + 1] << 32) == key)
            return true;
    }
    return false;
}

static bool holds(uint32_t key) {
    for (uint32_t i = 0; i < COUNT; i++) {
        if (keys[i] == key)
            return true;
    }
    return false;
}

/* The data is what it is called: tests and devices could agree on data that is all zeros. */
static void test_check_data(void **state) {
    (void)state;
    ordo_check_fill(ORDO_CHECK_FEW, keys, COUNT);
    assert_int_equal(different(), 7);
    ordo_check_fill(ORDO_CHECK_RANDOM, keys, COUNT);
    assert_true(different() > COUNT - 10);
    ordo_check_fill(ORDO_CHECK_SORTED, keys, COUNT);
    for (uint32_t i = 1; i < COUNT; i++)
        assert_true(keys[i - 1] < keys[i]);
    ordo_check_fill(ORDO_CHECK_REVERSED, keys, COUNT);
    for (uint32_t i = 1; i < COUNT; i++)
        assert_true(keys[i - 1] > keys[i]);
    /* All digits are in use, and of f32 none is a NaN. */
    assert_true(keys[0] > 0x7f000000u && keys[0] < 0x7f800000u);
    ordo_check_fill(ORDO_CHECK_BYTES, keys, COUNT);
    assert_int_equal(different(), 256);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal((keys[i] ^ keys[0]) & ~0xff000u, 0);
    ordo_check_fill(ORDO_CHECK_FLOATS, keys, COUNT);
    const uint32_t specials[] = {0x7f800000, 0xff800000, 0, 0x80000000, 1, 0x7fc00000, 0xffffffff};
    for (size_t i = 0; i < COUNT_OF(specials); i++)
        assert_true(holds(specials[i]));
    assert_true(different() > COUNT / 3 && different() < COUNT / 2 + 100);
    ordo_check_fill(ORDO_CHECK_DOUBLES, keys, 2 * COUNT);
    const uint64_t wide[] = {0x7ff0000000000000, 0xfff0000000000000, 0, 0x8000000000000000, 1,
                             0x7ff8000000000000, 0xffffffffffffffff};
    for (size_t i = 0; i < COUNT_OF(wide); i++)
        assert_true(holds_wide(wide[i]));
    ordo_check_fill(ORDO_CHECK_SORTED, keys, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices),           cmocka_unit_test(test_named_methods),
        cmocka_unit_test(test_other_primitives),  cmocka_unit_test(test_advice),
        cmocka_unit_test(test_bits_of_no_method), cmocka_unit_test(test_check_results),
        cmocka_unit_test(test_check_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
