/* SPDX-License-Identifier: MIT */
/*
 * test_network_verify.c: verdicts on sorting networks, right ones and broken ones, against a plain
 * run of every input.
 */
#include "model.h"
#include "network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

enum { KIND_COUNT = 2, LIST_CAPACITY = 400 };

typedef enum fault { FAULT_REMOVED, FAULT_REVERSED, FAULT_SHIFTED, FAULT_COUNT } fault;

static uint64_t list_of(ordo_network_kind kind, uint32_t n, ordo_comparator *list) {
    const ordo_network network = {kind, n};
    const uint64_t count = ordo_network_list(&network, list, LIST_CAPACITY);
    assert_true(count <= LIST_CAPACITY);
    return count;
}

/* ---- All inputs, one by one ---------------------------------------------------------------- */

static uint32_t run_plainly(const ordo_comparator *list, uint64_t count, uint32_t input) {
    for (uint64_t i = 0; i < count; i++) {
        const bool low = input >> list[i].low & 1, high = input >> list[i].high & 1;
        if (low && !high)
            input ^= (uint32_t)1 << list[i].low | (uint32_t)1 << list[i].high;
    }
    return input;
}

/* Whether all ones are on the last wires: then the number is 11…100…0. */
static bool sorted_plainly(uint32_t bits, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        if (bits >> (i - 1) & ~(bits >> i) & 1)
            return false;
    }
    return true;
}

static ordo_verdict verify_plainly(const ordo_comparator *list, uint64_t count, uint32_t n) {
    for (uint32_t input = 0; input >> n == 0; input++) {
        const uint32_t output = run_plainly(list, count, input);
        if (!sorted_plainly(output, n))
            return (ordo_verdict){false, input, output};
    }
    return (ordo_verdict){true, 0, 0};
}

/* Compares the verdicts; gives whether the list sorts. */
static bool check_verdict(const ordo_comparator *list, uint64_t count, uint32_t n) {
    const ordo_verdict expected = verify_plainly(list, count, n);
    ordo_verdict found = {!expected.sorts, 77, 78};
    assert_int_equal(ordo_comparators_verify(list, count, n, &found), ORDO_OK);
    assert_int_equal(found.sorts, expected.sorts);
    assert_int_equal(found.input, expected.input);
    assert_int_equal(found.output, expected.output);
    return found.sorts;
}

static void test_networks_up_to_16_wires(void **state) {
    (void)state;
    ordo_comparator list[LIST_CAPACITY];
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        for (uint32_t n = 0; n <= 16; n++)
            assert_true(check_verdict(list, list_of((ordo_network_kind)kind, n, list), n));
    }
}

/* The least CPU time of some runs, so that other processes on the core do not count. */
static double verify_seconds(ordo_network_kind kind, uint32_t n, int runs) {
    ordo_comparator list[LIST_CAPACITY];
    const uint64_t count = list_of(kind, n, list);
    double least = 1e9;
    for (int i = 0; i < runs; i++) {
        ordo_verdict verdict;
        const clock_t begin = clock();
        assert_int_equal(ordo_comparators_verify(list, count, n, &verdict), ORDO_OK);
        const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        assert_true(verdict.sorts);
        least = seconds < least ? seconds : least;
    }
    return least;
}

/* An optimised build takes a hundredth of this; one for debugging, with sanitizers, must still
   pass. */
static void test_networks_of_24_wires(void **state) {
    (void)state;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        const double of_16 = verify_seconds((ordo_network_kind)kind, 16, 20);
        const double of_24 = verify_seconds((ordo_network_kind)kind, 24, 2);
        print_message("kind %d: 16 wires %.3f ms, 24 wires %.3f s\n", kind, 1e3 * of_16, of_24);
        assert_true(of_24 < 2);
    }
}

/* Breaks one comparator of a run of wires [first, end); gives how many comparators are left. */
static uint64_t break_list(ordo_comparator *list, uint64_t count, uint64_t at, fault kind,
                           uint32_t first, uint32_t end) {
    const ordo_comparator c = list[at];
    switch (kind) {
    case FAULT_REMOVED:
        memmove(list + at, list + at + 1, (count - at - 1) * sizeof *list);
        return count - 1;
    case FAULT_REVERSED:
        list[at] = (ordo_comparator){c.high, c.low};
        return count;
    default:
        list[at].high = c.high + 1 < end ? c.high + 1 : c.low == first ? first + 1 : first;
        return count;
    }
}

/* Every comparator of a network, broken in every way. Not each break is a fault: where wires are no
   power of two, others may make up for a comparator. With a power of two none can be missed. */
static void test_broken_networks(void **state) {
    (void)state;
    static const uint32_t counts[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16};
    uint32_t found[FAULT_COUNT] = {0}, harmless[FAULT_COUNT] = {0};
    for (size_t i = 0; i < KIND_COUNT * sizeof counts / sizeof *counts; i++) {
        const ordo_network_kind kind = (ordo_network_kind)(i % KIND_COUNT);
        const uint32_t n = counts[i / KIND_COUNT];
        ordo_comparator list[LIST_CAPACITY];
        const uint64_t count = list_of(kind, n, list);
        for (uint64_t at = 0; at < count * FAULT_COUNT; at++) {
            const fault f = (fault)(at % FAULT_COUNT);
            (void)list_of(kind, n, list);
            const uint64_t left = break_list(list, count, at / FAULT_COUNT, f, 0, n);
            const bool sorts = check_verdict(list, left, n);
            (sorts ? harmless : found)[f]++;
            assert_false(sorts && (n & (n - 1)) == 0);
        }
    }
    for (int f = 0; f < FAULT_COUNT; f++)
        assert_true(found[f] > 500 && harmless[f] > 0);
}

/* Lists as users may write them: any two wires, in either direction. */
static void test_random_lists(void **state) {
    (void)state;
    uint64_t seed = 20261202;
    uint32_t sorting = 0, failing = 0;
    for (int round = 0; round < 3000; round++) {
        const uint32_t n = 2 + (uint32_t)model_random_below(&seed, 9);
        const uint64_t count = model_random_below(&seed, round % 2 == 0 ? 40 : 150);
        ordo_comparator list[150];
        for (uint64_t i = 0; i < count; i++) {
            list[i].low = (uint32_t)model_random_below(&seed, n);
            list[i].high = (list[i].low + 1 + (uint32_t)model_random_below(&seed, n - 1)) % n;
            /* Most point one way, so that some lists sort. */
            if (list[i].low > list[i].high && model_random_below(&seed, 40) != 0)
                list[i] = (ordo_comparator){list[i].high, list[i].low};
        }
        (check_verdict(list, count, n) ? &sorting : &failing)[0]++;
    }
    assert_true(sorting > 100 && failing > 100);
}

/* A network with a reversed comparator behind it, on wires i and i + 1, fails only on inputs of
   n - 1 - i ones, of which 2^(n - 1 - i) - 1 is the least: in every bit of a word, and every word
   of a batch. */
static void test_first_failing_input(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= ORDO_VERIFY_WIRES; n++) {
        ordo_comparator list[LIST_CAPACITY];
        const uint64_t count = list_of(ORDO_NETWORK_ODDEVEN, n, list);
        for (uint32_t i = 0; i + 1 < n; i++) {
            list[count] = (ordo_comparator){i + 1, i};
            ordo_verdict verdict = {.sorts = true};
            assert_int_equal(ordo_comparators_verify(list, count + 1, n, &verdict), ORDO_OK);
            const uint32_t all = ((uint32_t)1 << n) - 1;
            const uint32_t sorted = all & ~(((uint32_t)2 << i) - 1);
            assert_false(verdict.sorts);
            assert_int_equal(verdict.input, ((uint32_t)1 << (n - 1 - i)) - 1);
            assert_int_equal(verdict.output, sorted ^ (uint32_t)3 << i);
        }
    }
}

static void test_verify_refusals(void **state) {
    (void)state;
    const ordo_comparator list[] = {{0, 1}, {1, 1}, {0, 3}, {3, 0}, {23, 0}};
    const struct {
        const ordo_comparator *list;
        uint64_t count;
        uint32_t wire_count;
    } refused[] = {{NULL, 1, 3},    {list + 1, 1, 3}, {list + 2, 1, 3},     {list + 3, 1, 3},
                   {list, 2, 3},    {list, 1, 1},     {list, 1, 0},         {list, 1, 25},
                   {list, 1, 1000}, {NULL, 0, 25},    {list, 1, UINT32_MAX}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ordo_verdict verdict = {true, 77, 78};
        assert_int_equal(ordo_comparators_verify(refused[i].list, refused[i].count,
                                                 refused[i].wire_count, &verdict),
                         ORDO_INVALID);
        assert_true(!verdict.sorts && verdict.input == 0 && verdict.output == 0);
    }
    ordo_verdict verdict;
    assert_int_equal(ordo_comparators_verify(list, 1, 2, NULL), ORDO_INVALID);
    assert_int_equal(ordo_comparators_verify(list + 4, 1, 24, &verdict), ORDO_OK);
    assert_false(verdict.sorts);
    assert_int_equal(ordo_comparators_verify(NULL, 0, 1, &verdict), ORDO_OK);
    assert_true(verdict.sorts);
    assert_int_equal(ordo_comparators_verify(NULL, 0, 2, &verdict), ORDO_OK);
    assert_true(!verdict.sorts && verdict.input == 1 && verdict.output == 1);
}

/* ---- Merges -------------------------------------------------------------------------------- */

/* A network of which one comparator of one step is broken. */
typedef struct broken_network {
    ordo_network network;
    uint32_t step;
    uint64_t at;
    fault fault;
} broken_network;

static uint64_t broken_source(const void *context, uint32_t step, ordo_comparator *comparators,
                              uint64_t capacity) {
    const broken_network *b = context;
    const uint64_t count = ordo_network_step(&b->network, step, comparators, capacity);
    assert_true(count <= capacity);
    if (step != b->step)
        return count;
    /* A broken comparator stays in its run. */
    uint32_t stage;
    assert_true(ordo_network_stage(&b->network, step, &stage, NULL));
    const uint32_t first = comparators[b->at].low >> stage << stage;
    const uint32_t end = first + ((uint32_t)1 << stage), n = b->network.wire_count;
    return break_list(comparators, count, b->at, b->fault, first, end < n ? end : n);
}

/* What a stage makes of a bit per wire. */
static uint32_t run_stage_plainly(const broken_network *b, uint32_t stage, uint32_t input) {
    const uint32_t depth = ordo_network_depth(&b->network);
    for (uint32_t step = 0; step < depth; step++) {
        uint32_t its_stage;
        ordo_comparator list[LIST_CAPACITY];
        assert_true(ordo_network_stage(&b->network, step, &its_stage, NULL));
        if (its_stage == stage)
            input = run_plainly(list, broken_source(b, step, list, LIST_CAPACITY), input);
    }
    return input;
}

/* Zeros, then ones, on the wires [from, to). */
static uint32_t run_of(uint32_t from, uint32_t to, uint32_t ones) {
    uint32_t bits = 0;
    for (uint32_t i = to - ones; i < to; i++)
        bits |= (uint32_t)1 << i;
    assert_true(ones <= to - from);
    return bits;
}

/* The first stage that fails to merge some pair of runs; 0 if none does. */
static uint32_t failing_stage(const broken_network *b) {
    const uint32_t n = b->network.wire_count;
    for (uint32_t stage = 1; (uint32_t)1 << (stage - 1) < n; stage++) {
        const uint32_t half = (uint32_t)1 << (stage - 1);
        for (uint32_t first = 0; first < n; first += 2 * half) {
            const uint32_t middle = first + half < n ? first + half : n;
            const uint32_t end = middle + half < n ? middle + half : n;
            for (uint32_t p = 0; p <= middle - first; p++) {
                for (uint32_t q = 0; q <= end - middle; q++) {
                    const uint32_t input = run_of(first, middle, p) | run_of(middle, end, q);
                    if (run_stage_plainly(b, stage, input) != run_of(first, end, p + q))
                        return stage;
                }
            }
        }
    }
    return 0;
}

/* Compares the verdict on a broken network; gives whether its merges are right all the same. */
static bool check_merges(const broken_network *b) {
    uint32_t workspace[2 * 32];
    ordo_merge_verdict v;
    const uint32_t stage = failing_stage(b);
    ordo_merges_verify(broken_source, b, b->network.wire_count, workspace, &v);
    assert_int_equal(v.sorts, stage == 0);
    assert_int_equal(v.stage, stage);
    if (v.sorts)
        return true;
    /* The input that the verdict names is one of that stage, and fails. */
    const uint32_t middle = v.first_wire + v.low_length, end = middle + v.high_length;
    assert_true(end <= b->network.wire_count && v.first_wire % (1u << stage) == 0);
    assert_true(v.low_length == 1u << (stage - 1) || v.high_length == 0);
    assert_true(v.high_length == 1u << (stage - 1) || end == b->network.wire_count);
    const uint32_t input =
        run_of(v.first_wire, middle, v.low_ones) | run_of(middle, end, v.high_ones);
    assert_true(run_stage_plainly(b, stage, input) !=
                run_of(v.first_wire, end, v.low_ones + v.high_ones));
    return false;
}

static void test_broken_merges(void **state) {
    (void)state;
    uint32_t found = 0, harmless = 0;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        for (uint32_t n = 2; n <= 19; n++) {
            broken_network b = {.network = {(ordo_network_kind)kind, n}};
            const uint32_t depth = ordo_network_depth(&b.network);
            for (b.step = 0; b.step < depth; b.step++) {
                const uint64_t count = ordo_network_step(&b.network, b.step, NULL, 0);
                for (b.at = 0; b.at < count; b.at++) {
                    for (int f = 0; f < FAULT_COUNT; f++) {
                        b.fault = (fault)f;
                        (check_merges(&b) ? &harmless : &found)[0]++;
                    }
                }
            }
        }
    }
    assert_true(found > 2000 && harmless > 0);
}

/* Zeros and ones that the merges of a network can be given, by the lengths of their runs. */
static uint64_t merge_inputs(uint64_t n) {
    uint64_t count = 0;
    for (uint64_t half = 1; half < n; half *= 2) {
        for (uint64_t first = 0; first < n; first += 2 * half) {
            const uint64_t p = n - first < half ? n - first : half;
            const uint64_t q = n - first - p < half ? n - first - p : half;
            count += (p + 1) * (q + 1);
        }
    }
    return count;
}

static void test_merges_of_networks(void **state) {
    (void)state;
    static const uint32_t large[] = {255, 256, 257, 500, 511, 512, 513, 600};
    uint32_t *workspace = malloc(2 * 600 * sizeof *workspace);
    assert_non_null(workspace);
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < 140; i++) {
            const uint32_t n = i < 132 ? i : large[i - 132];
            const ordo_network network = {(ordo_network_kind)kind, n};
            ordo_merge_verdict v = {.stage = 77};
            assert_int_equal(ordo_network_verify_merges(&network, workspace, &v), ORDO_OK);
            assert_true(v.sorts);
            assert_int_equal(v.input_count, merge_inputs(n));
            assert_int_equal(v.stage + v.first_wire + v.low_length + v.high_length, 0);
        }
    }
    free(workspace);
}

static void test_merge_refusals(void **state) {
    (void)state;
    uint32_t workspace[32];
    const ordo_network good = {ORDO_NETWORK_BITONIC, 16};
    const ordo_network unknown = {(ordo_network_kind)2, 16};
    const ordo_network large = {ORDO_NETWORK_BITONIC, ORDO_VERIFY_MERGE_WIRES + 1};
    const struct {
        const ordo_network *network;
        uint32_t *workspace;
    } refused[] = {{NULL, workspace}, {&good, NULL}, {&unknown, workspace}, {&large, workspace}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ordo_merge_verdict v = {.sorts = true, .input_count = 77};
        assert_int_equal(ordo_network_verify_merges(refused[i].network, refused[i].workspace, &v),
                         ORDO_INVALID);
        assert_true(!v.sorts && v.input_count == 0);
    }
    assert_int_equal(ordo_network_verify_merges(&good, workspace, NULL), ORDO_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_networks_up_to_16_wires), cmocka_unit_test(test_networks_of_24_wires),
        cmocka_unit_test(test_broken_networks),         cmocka_unit_test(test_random_lists),
        cmocka_unit_test(test_first_failing_input),     cmocka_unit_test(test_verify_refusals),
        cmocka_unit_test(test_broken_merges),           cmocka_unit_test(test_merges_of_networks),
        cmocka_unit_test(test_merge_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
