/* SPDX-License-Identifier: MIT */
/*
 * test_network.c: sorting networks as data. Listings are checked against the words of
 * ordo_network.h, written out here pair by pair; verdicts against a run of every input, one by one.
 */
#include "distribution.h"
#include "network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { LIST_CAPACITY = 1 << 16, KIND_COUNT = 2 };

static const ordo_comparator unset = {UINT32_MAX, UINT32_MAX};

static bool is_unset(ordo_comparator c) { return c.low == unset.low && c.high == unset.high; }

/* Lists a network into an array of LIST_CAPACITY that the caller frees. */
static ordo_comparator *list_of(ordo_network network, uint64_t *count) {
    ordo_comparator *list = malloc(LIST_CAPACITY * sizeof *list);
    assert_non_null(list);
    for (uint64_t i = 0; i < LIST_CAPACITY; i++)
        list[i] = unset;
    *count = ordo_network_list(&network, list, LIST_CAPACITY);
    assert_true(*count < LIST_CAPACITY);
    return list;
}

/* ---- Listing ------------------------------------------------------------------------------- */

/* The wire that the header joins with wire t of a run, where t is the low one; 0 if there is none:
   wire 0 is high in no comparator. */
static uint64_t partner(ordo_network_kind kind, uint32_t stage, uint32_t stride_log2, uint64_t t) {
    const uint64_t run = (uint64_t)1 << stage;
    const uint64_t stride = (uint64_t)1 << stride_log2;
    const bool first = stride_log2 == stage - 1;
    if (first && t >= run / 2)
        return 0;
    if (first)
        return kind == ORDO_NETWORK_BITONIC ? run - 1 - t : t + run / 2;
    const bool even = t / stride % 2 == 0;
    if (even != (kind == ORDO_NETWORK_BITONIC))
        return 0;
    return t + stride < run ? t + stride : 0;
}

/* Checks the listing of one step of a network; gives how many comparators it has. */
static uint64_t check_step(ordo_network network, uint32_t step, uint32_t stage,
                           uint32_t stride_log2) {
    enum { MOST = 400 };
    const uint32_t n = network.wire_count;
    uint32_t low_of[MOST];
    ordo_comparator listed[MOST];
    uint64_t expected = 0;
    for (uint32_t wire = 0; wire < n; wire++)
        low_of[wire] = UINT32_MAX;
    for (uint32_t wire = 0; wire < n; wire++) {
        const uint32_t base = wire >> stage << stage;
        const uint64_t high = partner(network.kind, stage, stride_log2, wire - base);
        if (high != 0 && base + high < n) {
            low_of[base + high] = wire;
            expected++;
        }
    }
    for (uint32_t i = 0; i < MOST; i++)
        listed[i] = unset;
    assert_int_equal(ordo_network_step(&network, step, listed, MOST), expected);
    assert_int_equal(ordo_network_step(&network, step, NULL, 0), expected);
    bool used[MOST] = {false};
    for (uint64_t i = 0; i < expected; i++) {
        const ordo_comparator c = listed[i];
        assert_true(c.low < c.high && c.high < n);
        assert_true(i == 0 || listed[i - 1].high < c.high);
        assert_false(used[c.low] || used[c.high]);
        used[c.low] = used[c.high] = true;
        assert_int_equal(low_of[c.high], c.low);
        assert_int_equal(c.low >> stage, c.high >> stage); /* within a run */
    }
    assert_true(is_unset(listed[expected]));
    return expected;
}

/* Every wire count up to 300: steps, stages and comparators are those that the header describes,
   and the closed forms count them. */
static void test_every_step_is_as_described(void **state) {
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        for (uint32_t n = 0; n <= 300; n++) {
            const ordo_network network = {(ordo_network_kind)kind, n};
            uint32_t step = 0;
            uint64_t size = 0;
            for (uint32_t stage = 1; (uint32_t)1 << (stage - 1) < n; stage++) {
                for (uint32_t j = stage; j-- > 0; step++) {
                    uint32_t found_stage, found_stride;
                    assert_true(ordo_network_stage(&network, step, &found_stage, &found_stride));
                    assert_int_equal(found_stage, stage);
                    assert_int_equal(found_stride, j);
                    const uint64_t count = check_step(network, step, stage, j);
                    assert_true(count > 0);
                    size += count;
                }
            }
            assert_int_equal(ordo_network_depth(&network), step);
            assert_int_equal(ordo_network_size(&network), size);
        }
    }
}

/* What is written by a listing, not what it returns, is counted here. The longest chain of
   comparators is as long as there are steps where wires are a power of two, never longer. */
static void test_size_and_depth_by_counting(void **state) {
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        for (uint32_t n = 0; n <= 300; n++) {
            const ordo_network network = {(ordo_network_kind)kind, n};
            uint64_t count, written = 0;
            uint32_t depth = 0;
            uint32_t depths[300] = {0};
            ordo_comparator *list = list_of(network, &count);
            for (; !is_unset(list[written]); written++) {
                const ordo_comparator c = list[written];
                const uint32_t deeper =
                    1 + (depths[c.low] > depths[c.high] ? depths[c.low] : depths[c.high]);
                depths[c.low] = depths[c.high] = deeper;
                depth = depth > deeper ? depth : deeper;
            }
            assert_int_equal(written, count);
            assert_int_equal(ordo_network_size(&network), written);
            if ((n & (n - 1)) == 0)
                assert_int_equal(ordo_network_depth(&network), depth);
            assert_true(ordo_network_depth(&network) >= depth);
            free(list);
        }
    }
}

/* The formulas of the literature, up to 2^31 wires; and one wire less than 2^32, where all
   comparators of the last wire are missing: it is in every step of a bitonic network, and in the
   first step of every stage of an odd-even one. */
static void test_sizes_at_powers_of_two(void **state) {
    (void)state;
    for (uint64_t k = 2; k <= 32; k++) {
        const uint64_t n = (uint64_t)1 << k;
        uint64_t bitonic = n / 4 * k * (k + 1);
        uint64_t oddeven = n / 4 * k * (k - 1) + n - 1;
        if (k == 32) {
            bitonic -= 32 * 33 / 2;
            oddeven -= 32;
        }
        const uint32_t wires = (uint32_t)(k == 32 ? n - 1 : n);
        const ordo_network b = {ORDO_NETWORK_BITONIC, wires};
        const ordo_network o = {ORDO_NETWORK_ODDEVEN, wires};
        assert_int_equal(ordo_network_size(&b), bitonic);
        assert_int_equal(ordo_network_size(&o), oddeven);
        assert_int_equal(ordo_network_depth(&b), k * (k + 1) / 2);
        assert_int_equal(ordo_network_depth(&o), k * (k + 1) / 2);
    }
}

/* Counts too large to list them all at once: every step is written, and counted. */
static void test_sizes_of_large_networks(void **state) {
    (void)state;
    static const uint32_t counts[] = {1000, 4095, 4096, 4097, 65535, 65537, 100003, 131072};
    static ordo_comparator listed[65537];
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            const ordo_network network = {(ordo_network_kind)kind, counts[i]};
            uint64_t size = 0;
            for (uint32_t step = 0; step < ordo_network_depth(&network); step++) {
                for (uint32_t at = 0; at < 65537; at++)
                    listed[at] = unset;
                (void)ordo_network_step(&network, step, listed, 65537);
                uint64_t written = 0;
                while (!is_unset(listed[written]))
                    assert_true(listed[written++].high < counts[i]);
                size += written;
            }
            assert_int_equal(ordo_network_size(&network), size);
        }
    }
}

/* Wires near the end of 32 bits: nothing wraps. */
static void test_steps_of_the_largest_network(void **state) {
    (void)state;
    const ordo_network b = {ORDO_NETWORK_BITONIC, UINT32_MAX};
    const ordo_network o = {ORDO_NETWORK_ODDEVEN, UINT32_MAX};
    ordo_comparator c[2];
    assert_int_equal(ordo_network_step(&b, 496, c, 2), 0x7fffffff); /* stage 32, mirrored */
    assert_true(c[0].low == 0x7fffffff && c[0].high == 0x80000000);
    assert_true(c[1].low == 0x7ffffffe && c[1].high == 0x80000001);
    assert_int_equal(ordo_network_step(&o, 496, c, 2), 0x7fffffff);
    assert_true(c[0].low == 0 && c[0].high == 0x80000000);
    assert_int_equal(ordo_network_step(&o, 497, c, 2), 0x40000000);
    assert_true(c[0].low == 0x40000000 && c[0].high == 0x80000000);
    assert_int_equal(ordo_network_step(&o, 527, c, 1), 0x7fffffff);
    assert_true(c[0].low == 1 && c[0].high == 2);
    assert_int_equal(ordo_network_step(&o, 528, c, 2), 0);
}

/* No more than capacity is written, and the count is that of all. */
static void test_capacity(void **state) {
    (void)state;
    const ordo_network network = {ORDO_NETWORK_ODDEVEN, 21};
    uint64_t count;
    ordo_comparator *list = list_of(network, &count);
    for (uint64_t capacity = 0; capacity <= count + 1; capacity++) {
        ordo_comparator part[200];
        assert_true(count < 200);
        for (uint64_t i = 0; i < 200; i++)
            part[i] = unset;
        assert_int_equal(ordo_network_list(&network, capacity == 0 ? NULL : part, capacity), count);
        for (uint64_t i = 0; i < 200; i++) {
            assert_int_equal(part[i].low, i < capacity ? list[i].low : unset.low);
            assert_int_equal(part[i].high, i < capacity ? list[i].high : unset.high);
        }
        for (uint64_t i = 0; i < 200; i++)
            part[i] = unset;
        const uint64_t in_step = ordo_network_step(&network, 0, part, capacity);
        assert_int_equal(in_step, 10);
        assert_true(is_unset(part[capacity < in_step ? capacity : in_step]));
    }
    free(list);
}

static void test_listing_of_what_is_unknown(void **state) {
    (void)state;
    const ordo_network unknown = {(ordo_network_kind)2, 16};
    const ordo_network *const wrong[] = {NULL, &unknown};
    uint32_t stage = 77, stride = 78;
    ordo_comparator c = unset;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ordo_network_depth(wrong[i]), 0);
        assert_int_equal(ordo_network_size(wrong[i]), 0);
        assert_int_equal(ordo_network_step(wrong[i], 0, &c, 1), 0);
        assert_int_equal(ordo_network_list(wrong[i], &c, 1), 0);
        assert_false(ordo_network_stage(wrong[i], 0, &stage, &stride));
    }
    const ordo_network network = {ORDO_NETWORK_BITONIC, 16};
    assert_false(ordo_network_stage(&network, 10, &stage, &stride));
    assert_int_equal(ordo_network_step(&network, 10, &c, 1), 0);
    assert_true(stage == 77 && stride == 78 && is_unset(c));
    assert_true(ordo_network_stage(&network, 9, NULL, &stride));
    assert_true(ordo_network_stage(&network, 9, &stage, NULL));
    assert_true(stage == 4 && stride == 0);
}

/* ---- Running ------------------------------------------------------------------------------- */

/* Runs a network both ways, and compares with the model bit for bit. */
static void check_apply(ordo_network network, ordo_type type, ordo_order order,
                        const uint64_t *keys) {
    const uint32_t n = network.wire_count;
    const size_t bytes = n * (size_t)model_bytes(type);
    const ordo_sort_desc desc = {.max_count = n, .key = type, .order = order};
    uint32_t *permutation = malloc((n + 1) * sizeof *permutation);
    char *expected = malloc(bytes + 1), *by_network = malloc(bytes + 1);
    char *by_list = malloc(bytes + 1);
    assert_true(permutation && expected && by_network && by_list);
    model_argsort(&desc, keys, n, permutation);
    model_gather(permutation, keys, n, model_bytes(type), expected);
    memcpy(by_network, keys, bytes);
    memcpy(by_list, keys, bytes);
    uint64_t count;
    ordo_comparator *list = list_of(network, &count);
    assert_int_equal(ordo_network_apply(&network, type, order, by_network), ORDO_OK);
    assert_int_equal(ordo_comparators_apply(list, count, n, type, order, by_list), ORDO_OK);
    assert_memory_equal(by_network, expected, bytes);
    assert_memory_equal(by_list, expected, bytes);
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t a = model_get(type, by_network, i - 1);
        const uint64_t b = model_get(type, by_network, i);
        assert_false(order == ORDO_ASCENDING ? model_less(type, b, a) : model_less(type, a, b));
    }
    free(list);
    free(by_list);
    free(by_network);
    free(expected);
    free(permutation);
}

static void test_apply_sorts(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 5, 8, 16, 31, 64, 100, 257, 1000};
    uint64_t seed = 0;
    uint64_t keys[1000];
    for (int type = ORDO_U32; type <= ORDO_F64; type++) {
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            for (int shape = 0; shape < DISTRIBUTION_COUNT; shape++) {
                distribution_fill((distribution)shape, (ordo_type)type, counts[i], seed++, keys);
                for (int way = 0; way < 2 * KIND_COUNT; way++) {
                    const ordo_network network = {(ordo_network_kind)(way / 2), counts[i]};
                    check_apply(network, (ordo_type)type, (ordo_order)(way % 2), keys);
                }
            }
        }
    }
}

/* One comparator in either direction, on every pair of the bit patterns that are something of their
   own: it exchanges exactly where the numbers say so. */
static void test_one_comparator(void **state) {
    (void)state;
    for (int type = ORDO_U32; type <= ORDO_F64; type++) {
        const ordo_type t = (ordo_type)type;
        for (uint64_t i = 0; i < 21 * 21 * 4; i++) {
            const uint64_t a = special_key(t, i % 21), b = special_key(t, i / 21 % 21);
            const bool descending = i / 441 % 2 == 1, reversed = i / 882 == 1;
            const ordo_comparator c = {reversed, !reversed};
            uint64_t keys[2] = {0};
            model_set(t, keys, 0, a);
            model_set(t, keys, 1, b);
            assert_int_equal(ordo_comparators_apply(&c, 1, 2, t, (ordo_order)descending, keys),
                             ORDO_OK);
            const bool swapped = descending != reversed ? model_less(t, a, b) : model_less(t, b, a);
            assert_true(model_get(t, keys, 0) == (swapped ? b : a));
            assert_true(model_get(t, keys, 1) == (swapped ? a : b));
        }
    }
}

static void test_apply_refusals(void **state) {
    (void)state;
    const ordo_comparator good[] = {{0, 1}, {2, 1}};
    const ordo_comparator bad[][2] = {{{0, 1}, {1, 1}}, {{0, 1}, {0, 3}}, {{0, 1}, {3, 0}}};
    const ordo_network network = {ORDO_NETWORK_BITONIC, 3};
    const ordo_network unknown = {(ordo_network_kind)2, 3};
    const ordo_type no_type = (ordo_type)6;
    const ordo_order no_order = (ordo_order)2;
    uint32_t keys[3] = {9, 8, 7};
#define REFUSED(call) assert_int_equal(call, ORDO_INVALID)
    REFUSED(ordo_comparators_apply(NULL, 1, 3, ORDO_U32, ORDO_ASCENDING, keys));
    REFUSED(ordo_comparators_apply(good, 2, 3, ORDO_U32, ORDO_ASCENDING, NULL));
    REFUSED(ordo_comparators_apply(good, 2, 3, no_type, ORDO_ASCENDING, keys));
    REFUSED(ordo_comparators_apply(good, 2, 3, ORDO_U32, no_order, keys));
    REFUSED(ordo_comparators_apply(good, 2, 2, ORDO_U32, ORDO_ASCENDING, keys));
    for (int i = 0; i < 3; i++)
        REFUSED(ordo_comparators_apply(bad[i], 2, 3, ORDO_U32, ORDO_ASCENDING, keys));
    REFUSED(ordo_network_apply(NULL, ORDO_U32, ORDO_ASCENDING, keys));
    REFUSED(ordo_network_apply(&unknown, ORDO_U32, ORDO_ASCENDING, keys));
    REFUSED(ordo_network_apply(&network, no_type, ORDO_ASCENDING, keys));
    REFUSED(ordo_network_apply(&network, ORDO_U32, no_order, keys));
    REFUSED(ordo_network_apply(&network, ORDO_U32, ORDO_ASCENDING, NULL));
    assert_true(keys[0] == 9 && keys[1] == 8 && keys[2] == 7);
    const ordo_network empty = {ORDO_NETWORK_ODDEVEN, 0};
    assert_int_equal(ordo_network_apply(&empty, ORDO_U32, ORDO_ASCENDING, NULL), ORDO_OK);
    assert_int_equal(ordo_comparators_apply(NULL, 0, 3, ORDO_U32, ORDO_ASCENDING, keys), ORDO_OK);
    assert_int_equal(ordo_comparators_apply(good, 2, 3, ORDO_U32, ORDO_ASCENDING, keys), ORDO_OK);
    assert_true(keys[0] == 8 && keys[1] == 9 && keys[2] == 7);
#undef REFUSED
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_step_is_as_described),
        cmocka_unit_test(test_size_and_depth_by_counting),
        cmocka_unit_test(test_sizes_at_powers_of_two),
        cmocka_unit_test(test_sizes_of_large_networks),
        cmocka_unit_test(test_steps_of_the_largest_network),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_listing_of_what_is_unknown),
        cmocka_unit_test(test_apply_sorts),
        cmocka_unit_test(test_one_comparator),
        cmocka_unit_test(test_apply_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
