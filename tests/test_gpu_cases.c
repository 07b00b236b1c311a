/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_cases.c: faults that people met in other sorters, each with its small input and the
 * answer written out. The number is that of the fault in the project's list of cases.
 */
#include "gpu_case.h"

#include <string.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* Every case goes through all methods; in digits of four bits only through the radix sort. */
static void check(rig *r, sort_case c) {
    static const ordo_method methods[] = {ORDO_METHOD_RADIX, ORDO_METHOD_BITONIC,
                                          ORDO_METHOD_ODDEVEN, ORDO_METHOD_ONESWEEP};
    for (size_t i = 0; i < (c.desc.digit_bits ? 1 : COUNT_OF(methods)); i++) {
        c.desc.method = methods[i];
        sort_check(r, c);
    }
}

/* Sorts given 32-bit keys as pairs and by an argsort, and compares with an order written out.
   Floats also go through the classic form. */
static void expect_order(rig *r, ordo_sort_desc desc, const uint32_t *keys, const uint32_t *order) {
    uint32_t model[64];
    assert_true(desc.max_count <= 64);
    model_argsort(&desc, keys, desc.max_count, model);
    for (uint64_t i = 0; i < desc.max_count; i++)
        assert_int_equal(model[i], order[i]);
    sort_case c = {.desc = desc, .given_keys = keys};
    c.desc.argsort = true;
    check(r, c);
    c.desc.argsort = false;
    c.desc.value_bytes = 4;
    check(r, c);
    c.desc.in_place = true;
    check(r, c);
    if (desc.key == ORDO_F32) {
        c.desc.digit_bits = 4;
        check(r, c);
    }
}

/* The same for floats, given as numbers. */
static void expect_float_order(rig *r, ordo_sort_desc desc, const float *keys,
                               const uint32_t *order) {
    uint32_t bits[64];
    assert_true(desc.max_count <= 64);
    memcpy(bits, keys, 4 * desc.max_count);
    desc.key = ORDO_F32;
    expect_order(r, desc, bits, order);
}

/* ---- Order of floats and signed numbers ------------------------------------------------------ */

static void test_b003_negative_floats(void **state) {
    static const float keys[] = {3, -1, -2.5f, 0.5f, -0.0f, 2};
    static const uint32_t order[] = {2, 1, 4, 3, 5, 0};
    expect_float_order(*state, (ordo_sort_desc){.max_count = 6}, keys, order);
}

static void test_b036_one_nan_among_numbers(void **state) {
    static const float first[] = {0.77f, 0, NAN, 0.5f, 0.85f};
    static const uint32_t first_order[] = {1, 3, 0, 4, 2};
    expect_float_order(*state, (ordo_sort_desc){.max_count = 5}, first, first_order);
    static const float second[] = {3, NAN, 1, 2, NAN, 0};
    static const uint32_t second_order[] = {5, 2, 3, 0, 1, 4};
    expect_float_order(*state, (ordo_sort_desc){.max_count = 6}, second, second_order);
}

/* Positive NaNs by their bits, then negative ones, the largest payload first. */
static void test_b037_nans_of_both_signs(void **state) {
    static const uint32_t keys[] = {0x7fc00000, 0xffc00000, 0xff800000, 0x7f800000, 0xbf800000,
                                    0x3f800000, 0xff800001, 0x7f800001, 0x7fffffff, 0xffffffff};
    static const uint32_t order[] = {2, 4, 5, 3, 7, 0, 8, 9, 1, 6};
    expect_order(*state, (ordo_sort_desc){.max_count = 10, .key = ORDO_F32}, keys, order);
}

static void test_b038_zeros_of_both_signs(void **state) {
    static const float keys[] = {0.0f, -0.0f, 0.0f, -0.0f};
    static const uint32_t order[] = {1, 3, 0, 2};
    expect_float_order(*state, (ordo_sort_desc){.max_count = 4}, keys, order);
}

static void test_b041_descending_floats(void **state) {
    static const float keys[] = {0.4f, -0.1f, 0.2f, -0.45f, 0, -0.3f};
    static const uint32_t order[] = {0, 2, 4, 1, 5, 3};
    expect_float_order(*state, (ordo_sort_desc){.max_count = 6, .order = ORDO_DESCENDING}, keys,
                       order);
}

static void test_b042_the_least_integer_descending(void **state) {
    static const uint32_t keys[] = {0, 0x80000000, 0x7fffffff, 0xffffffff, 1};
    static const uint32_t order[] = {2, 4, 0, 3, 1};
    ordo_sort_desc desc = {.max_count = 5, .key = ORDO_I32, .order = ORDO_DESCENDING};
    expect_order(*state, desc, keys, order);
    static const int64_t wide[] = {0, INT64_MIN, INT64_MAX, -1, 1};
    desc.key = ORDO_I64;
    desc.argsort = true;
    check(*state, (sort_case){.desc = desc, .given_keys = wide});
}

/* Descending mirrors ascending: NaNs come first. */
static void test_b043_nan_descending(void **state) {
    static const float keys[] = {1, NAN, -INFINITY, 0};
    static const uint32_t order[] = {1, 0, 3, 2};
    expect_float_order(*state, (ordo_sort_desc){.max_count = 4, .order = ORDO_DESCENDING}, keys,
                       order);
}

static void test_b044_small_tiles_full_of_nans(void **state) {
    rig *r = *state;
    for (uint32_t count = 8; count <= 64; count += 7) {
        for (uint32_t nans = 1; nans <= count; nans += 5) {
            uint32_t keys[64];
            for (uint32_t i = 0; i < count; i++)
                keys[i] = i * 5 % count < nans ? 0x7fc00000 + i % 3 : 0x3f800000 - i;
            check(r, (sort_case){.desc = {.max_count = count, .key = ORDO_F32, .value_bytes = 4},
                                 .given_keys = keys});
        }
    }
}

/* One far value does not flatten the near ones. */
static void test_b007_a_far_outlier(void **state) {
    float keys[1001];
    for (int i = 0; i < 1000; i++)
        keys[(i * 377) % 1000] = 1.0f + 0.001f * (float)i;
    keys[1000] = keys[500];
    keys[500] = 1.0e9f;
    check(*state, (sort_case){.desc = {.max_count = 1001, .key = ORDO_F32, .argsort = true},
                              .given_keys = keys});
}

/* P2: floats of every exponent, both signs, with fractions at their edges. */
static void test_every_exponent_of_f32(void **state) {
    enum { COUNT = 512 * 4 };
    static uint32_t keys[COUNT];
    static const uint32_t fractions[] = {0, 1, 0x400000, 0x7fffff};
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i * 811 % COUNT] = i / 4 << 23 | fractions[i % 4];
    for (int order = 0; order < 2; order++) {
        check(*state, (sort_case){.desc = {.max_count = COUNT,
                                           .key = ORDO_F32,
                                           .order = (ordo_order)order,
                                           .argsort = true},
                                  .given_keys = keys});
    }
}

/* P2: neighbouring doubles of all exponents, whose low words are 0 and 1: subtracting the image
   of -inf carries into the high word for some of them. */
static void test_doubles_beside_a_carry(void **state) {
    static uint64_t keys[2048];
    for (uint64_t i = 0; i < 2048; i++)
        keys[i * 811 % 2048] = i / 4 << 55 | (i / 2 % 2) << 32 | i % 2;
    check(*state, (sort_case){.desc = {.max_count = 2048, .key = ORDO_F64, .value_bytes = 4},
                              .given_keys = keys});
}

/* ---- No value is special --------------------------------------------------------------------- */

static void test_b039_keys_that_others_use_as_filler(void **state) {
    rig *r = *state;
    static uint32_t keys[1023];
    static const float floats[] = {8, 7, 6, 5, 4, 3, 2, 1, INFINITY};
    static const uint32_t order[] = {7, 6, 5, 4, 3, 2, 1, 0, 8};
    for (uint32_t order_of = 0; order_of < 2; order_of++) {
        ordo_sort_desc desc = {.max_count = 1023, .order = (ordo_order)order_of, .value_bytes = 4};
        memset(keys, 0xff, sizeof keys);
        check(r, (sort_case){.desc = desc, .given_keys = keys});
        desc.key = ORDO_F32;
        for (uint32_t i = 0; i < 1023; i++)
            keys[i] = 0x7fffffff;
        check(r, (sort_case){.desc = desc, .given_keys = keys});
        desc.max_count = 1000;
        for (uint32_t i = 0; i < 1000; i++)
            keys[i] = i == 613 ? 0 : 0xff800000;
        check(r, (sort_case){.desc = desc, .given_keys = keys});
    }
    expect_float_order(r, (ordo_sort_desc){.max_count = 9}, floats, order);
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

static void test_b005_distinct_keys_of_two_bytes(void **state) {
    check(*state, (sort_case){.desc = {.max_count = 65536}, .shape = KEYS_COUNTING});
}

static void test_b006_descending_input(void **state) {
    static uint32_t keys[11520];
    for (uint32_t i = 0; i < 11520; i++)
        keys[i] = 11519 - i;
    check(*state, (sort_case){.desc = {.max_count = 11520}, .given_keys = keys});
}

static void test_b033_one_and_five_pairs(void **state) {
    static const uint32_t one[] = {42}, one_order[] = {0};
    static const uint32_t five[] = {5, 2, 7, 6, 0}, five_order[] = {4, 1, 0, 3, 2};
    expect_order(*state, (ordo_sort_desc){.max_count = 1}, one, one_order);
    expect_order(*state, (ordo_sort_desc){.max_count = 5}, five, five_order);
}

static void test_b047_argsorts_beyond_one_workgroup(void **state) {
    static const uint32_t counts[] = {512, 513, 1000, 1024, 1025, 2048};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        check(*state, (sort_case){.desc = {.max_count = counts[i], .argsort = true}, .seed = i});
    }
}

static void test_b048_i64_beyond_256(void **state) {
    static int64_t keys[512];
    uint64_t random = 5;
    for (int i = 0; i < 512; i++)
        keys[i] = (int64_t)model_random_below(&random, 100) - 50;
    check(*state, (sort_case){.desc = {.max_count = 512, .key = ORDO_I64, .value_bytes = 8},
                              .given_keys = keys});
}

static void test_b023_words_of_64_bit_keys(void **state) {
    static uint64_t keys[1000];
    uint64_t random = 6;
    for (int form = 0; form < 3; form++) {
        for (int i = 0; i < 1000; i++) {
            uint64_t word = model_random(&random);
            keys[i] = form == 0   ? word << 32 | 0x12345678
                      : form == 1 ? 0x9abcdef000000000u | word >> 32
                      : word & 1  ? 0xffffffff00000000u
                                  : 0x00000000ffffffffu;
        }
        check(*state, (sort_case){.desc = {.max_count = 1000, .key = ORDO_U64, .value_bytes = 4},
                                  .given_keys = keys});
    }
}

/* A digit of a 64-bit key may lie in both words: here its bits 28 to 36. */
static void test_a_digit_across_the_words(void **state) {
    for (int order = 0; order < 2; order++) {
        check(*state, (sort_case){.desc = {.max_count = 4000,
                                           .key = ORDO_U64,
                                           .order = (ordo_order)order,
                                           .value_bytes = 4,
                                           .skip_low_bits = 28,
                                           .skip_high_bits = 28}});
    }
}

/* A counter of eight bits would wrap where all keys of a group share a digit. */
static void test_b024_counters_do_not_wrap(void **state) {
    static const uint32_t counts[] = {256, 1024, 3072, 4096, 65536 + 2048};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        for (uint32_t digit_bits = 0; digit_bits <= 4; digit_bits += 4) {
            check(*state,
                  (sort_case){
                      .desc = {.max_count = counts[i], .value_bytes = 4, .digit_bits = digit_bits},
                      .shape = KEYS_ONE_ODD});
        }
    }
}

static void test_b051_payloads_above_two_to_the_24(void **state) {
    /* Values start at 2^24 in every test (VALUE_BIAS); this is the case as it was reported. */
    assert_int_equal(sort_value_word(5, 0), 16777221);
    check(*state, (sort_case){.desc = {.max_count = 1000, .value_bytes = 4}});
}

/* ---- Ties ------------------------------------------------------------------------------------ */

static void test_b045_ties_in_descending_order(void **state) {
    static const uint32_t keys[] = {2, 1, 2, 1}, order[] = {0, 2, 1, 3};
    expect_order(*state, (ordo_sort_desc){.max_count = 4, .order = ORDO_DESCENDING}, keys, order);
}

static void test_b046_ties_at_every_size(void **state) {
    static uint32_t keys[4096];
    static const uint32_t counts[] = {16, 200, 4096};
    for (uint32_t i = 0; i < 4096; i++)
        keys[i] = i % 10;
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        for (int order = 0; order < 2; order++) {
            check(*state, (sort_case){.desc = {.max_count = counts[i],
                                               .order = (ordo_order)order,
                                               .value_bytes = 4},
                                      .given_keys = keys});
        }
    }
}

/* An argsort gives the places that keys come from; ranks are the argsort of that. */
static void test_b050_argsort_and_ranks(void **state) {
    static const float keys[] = {0.5449f, 0.4241f, 0.4691f, 0.6471f, 0.5243f};
    static const uint32_t order[] = {1, 2, 4, 0, 3}, ranks[] = {3, 0, 1, 4, 2};
    expect_float_order(*state, (ordo_sort_desc){.max_count = 5}, keys, order);
    expect_order(*state, (ordo_sort_desc){.max_count = 5}, order, ranks);
}

/* ---- Windows --------------------------------------------------------------------------------- */

static void test_b011_windows_of_no_whole_digit(void **state) {
    static const uint32_t ends[] = {12, 20, 21, 31};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        check(*state,
              (sort_case){
                  .desc = {.max_count = 10000, .value_bytes = 4, .skip_high_bits = 32 - ends[i]}});
    }
}

static void test_b026_every_number_of_passes(void **state) {
    for (uint32_t bits = 8; bits <= 32; bits += 8) {
        for (uint32_t way = 0; way < 4; way++) {
            check(*state, (sort_case){.desc = {.max_count = way & 2 ? 3000 : 30000,
                                               .value_bytes = 4,
                                               .in_place = way & 1,
                                               .skip_high_bits = 32 - bits}});
        }
    }
}

static void test_b028_empty_windows_copy(void **state) {
    static const uint32_t counts[] = {1000, 1000000}, begins[] = {0, 7, 32};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        for (size_t j = 0; j < COUNT_OF(begins); j++) {
            for (uint32_t way = 0; way < 4; way++) {
                check(*state, (sort_case){.desc = {.max_count = counts[i],
                                                   .value_bytes = way < 2 ? 4 : 0,
                                                   .in_place = way == 1,
                                                   .argsort = way == 3,
                                                   .skip_low_bits = begins[j],
                                                   .skip_high_bits = 32 - begins[j]}});
            }
        }
    }
}

static void test_b029_a_low_window_of_signed_keys(void **state) {
    static const uint32_t keys[] = {0, 1, 0xffffffff, 2, 0xfffffffe}, order[] = {0, 1, 3, 4, 2};
    ordo_sort_desc desc = {.max_count = 5, .key = ORDO_I32, .skip_high_bits = 30};
    expect_order(*state, desc, keys, order);
    static uint32_t many[300000];
    for (uint32_t i = 0; i < 300000; i++)
        many[i] = keys[i % 5];
    desc.value_bytes = 4;
    for (desc.max_count = 3000; desc.max_count <= 300000; desc.max_count *= 100)
        check(*state, (sort_case){.desc = desc, .given_keys = many});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_b003_negative_floats),
        rig_test(test_b005_distinct_keys_of_two_bytes),
        rig_test(test_b006_descending_input),
        rig_test(test_b007_a_far_outlier),
        rig_test(test_b011_windows_of_no_whole_digit),
        rig_test(test_b023_words_of_64_bit_keys),
        rig_test(test_a_digit_across_the_words),
        rig_test(test_b024_counters_do_not_wrap),
        rig_test(test_b026_every_number_of_passes),
        rig_test(test_b028_empty_windows_copy),
        rig_test(test_b029_a_low_window_of_signed_keys),
        rig_test(test_b033_one_and_five_pairs),
        rig_test(test_b036_one_nan_among_numbers),
        rig_test(test_b037_nans_of_both_signs),
        rig_test(test_b038_zeros_of_both_signs),
        rig_test(test_b039_keys_that_others_use_as_filler),
        rig_test(test_b041_descending_floats),
        rig_test(test_b042_the_least_integer_descending),
        rig_test(test_b043_nan_descending),
        rig_test(test_b044_small_tiles_full_of_nans),
        rig_test(test_b045_ties_in_descending_order),
        rig_test(test_b046_ties_at_every_size),
        rig_test(test_b047_argsorts_beyond_one_workgroup),
        rig_test(test_b048_i64_beyond_256),
        rig_test(test_b050_argsort_and_ranks),
        rig_test(test_b051_payloads_above_two_to_the_24),
        rig_test(test_every_exponent_of_f32),
        rig_test(test_doubles_beside_a_carry),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
