/* SPDX-License-Identifier: MIT */
/*
 * test_plan_msd_form.c: the fixed-point digits of msd_form.h, without a GPU: that they order keys
 * as images do, and what the planner counts on, that few children have many bits left.
 * test_gpu_msd_floats.c holds the kernels' digits against them.
 */
#include "model.h"
#include "msd_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>
#include <fenv.h>

/* Calls back with forms of every number of digits, any signs and orders, and exponents between the
   least one that msd_begin takes and the greatest of numbers. */
static void with_forms(void (*check)(const msd_form *form)) {
    static const uint32_t exponents[] = {8, 9, 31, 126, 127, 200, 253};
    for (uint32_t i = 0; i < 7 * 4 * 3 * 2; i++) {
        uint32_t bits = 5 + i % 4;
        const msd_form form = {.bits = bits,
                               .exponent = exponents[i / 24],
                               .negative = i / 4 % 3 << bits >> 1,
                               .descending = i / 12 % 2};
        check(&form);
    }
}

static uint32_t digit_of(const msd_form *form, uint64_t image) {
    return msd_form_digit(form, msd_form_key(form, (uint32_t)image));
}

/* Digits do not fall from one image to the next around all borders of exponents and of digits, nor
   from one to another far away; and all occur. */
static void check_order(const msd_form *form) {
    uint32_t last = (1u << form->bits) - 1, before = 0;
    for (uint64_t image = 0; image >> 32 == 0; image += 104729) {
        uint32_t digit = digit_of(form, image);
        assert_true(digit >= before && digit <= last);
        before = digit;
    }
    for (uint64_t border = 0; border >> 32 == 0; border += 1 << 23) {
        for (uint64_t image = border + 1; image < border + 6; image++)
            assert_true(digit_of(form, image - 1) <= digit_of(form, image));
    }
    assert_int_equal(digit_of(form, 0), 0);
    assert_int_equal(digit_of(form, 0xffffffff), last);
    for (uint32_t digit = 1; digit <= last; digit++) {
        uint64_t least = msd_form_least(form, digit);
        assert_int_equal(digit_of(form, least), digit);
        assert_int_equal(digit_of(form, least - 1), digit - 1);
    }
}

static void test_digits_are_in_the_order_of_images(void **state) {
    (void)state;
    with_forms(check_order);
}

/* At most four children, at the ends and beside 0, are wider than a significand; of those within
   all have one exponent. */
static void check_width(const msd_form *form) {
    uint32_t wide = 0;
    for (uint32_t digit = 0; digit < 1u << form->bits; digit++) {
        uint64_t least = msd_form_least(form, digit), end = msd_form_least(form, digit + 1);
        assert_true(end > least + 1);
        if (end - least <= 1 << 23)
            continue;
        double low, high;
        float number;
        uint32_t key = msd_form_key(form, (uint32_t)least);
        memcpy(&number, &key, sizeof number);
        low = fabs((double)number);
        key = msd_form_key(form, (uint32_t)end - 1);
        memcpy(&number, &key, sizeof number);
        high = fabs((double)number);
        bool at_end = digit == 0 || digit == (1u << form->bits) - 1;
        assert_true(at_end || fmin(low, high) == 0);
        wide++;
    }
    assert_in_range(wide, 1, 4);
}

static void test_few_children_are_wide(void **state) {
    (void)state;
    with_forms(check_width);
}

/* The digit of a positive key as lib/msd_digit.wgsl finds it, by an addition of floats. */
static uint32_t digit_by_addition(const msd_form *form, uint32_t key) {
    bool both = form->negative > 0 && form->negative < 1u << form->bits;
    uint32_t most = form->exponent << 23 | 0x007f8000u, power = (form->exponent + 1) << 23;
    uint32_t magnitude = (key & 0x7fff8000u) < most ? key & 0x7fff8000u : most, bits;
    volatile float small, great, sum;
    memcpy((void *)&small, &magnitude, sizeof small);
    memcpy((void *)&great, &power, sizeof great);
    sum = small + great;
    memcpy(&bits, (const void *)&sum, sizeof bits);
    return bits >> (23 - form->bits + both) & ((1u << (form->bits - both)) - 1);
}

/* However sums are rounded, digits are the same. */
static void check_rounding(const msd_form *form) {
    static const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (form->negative == 1u << form->bits || form->descending)
        return;
    for (uint32_t way = 0; way < 4; way++) {
        for (uint32_t key = 0; key < 0x7f800000u; key += 99991 + (key >> 16 & 1)) {
            for (uint32_t near = 0; near < 3; near++) {
                uint32_t at = near ? ((key + 0xffffu) & 0xffff0000u) - near + 1 : key;
                uint32_t expected = msd_form_digit(form, at) - form->negative;
                assert_int_equal(fesetround(ways[way]), 0);
                uint32_t digit = digit_by_addition(form, at);
                fesetround(FE_TONEAREST);
                if (digit != expected)
                    fail_msg("%08x below exponent %u: %u, not %u, rounded by %u", at,
                             form->exponent, digit, expected, way);
            }
        }
    }
}

static void test_any_rounding_will_do(void **state) {
    (void)state;
    with_forms(check_rounding);
}

/* Of numbers in [0, 1), and of (-1, 1), digits are the highest bits of the fraction. */
static void test_digits_are_even(void **state) {
    (void)state;
    const msd_form form = {.bits = 8, .exponent = 126},
                   both = {.bits = 8, .exponent = 126, .negative = 128};
    for (uint32_t i = 0; i < 256; i++) {
        float number = (float)i / 256, half = (float)(i / 2) / 128;
        uint32_t key, half_key;
        memcpy(&key, &number, sizeof key);
        memcpy(&half_key, &half, sizeof key);
        assert_int_equal(msd_form_digit(&form, key), i);
        assert_int_equal(msd_form_digit(&both, half_key), 128 + i / 2);
        assert_int_equal(msd_form_digit(&both, half_key | 1u << 31), 127 - i / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_are_in_the_order_of_images),
        cmocka_unit_test(test_few_children_are_wide),
        cmocka_unit_test(test_any_rounding_will_do),
        cmocka_unit_test(test_digits_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
