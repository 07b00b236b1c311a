/* SPDX-License-Identifier: MIT */
/*
 * test_plan_third.c: plans of histograms, counting sorts, grids and top-k: what each reads how
 * often, sizes at and above limits, every message with the numbers that it must name.
 */
#include "messages.h"
#include "plan_expect.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))
#define GIB (1ull << 30)

/* ---- What plans do --------------------------------------------------------------------------- */

/* Steps of a kernel (NULL: any) that read a slot (ORDO_SLOT_COUNT: any). */
static uint32_t count_steps(const plan_problem *problem, const char *kernel, ordo_slot slot) {
    static ordo_step steps[200];
    ordo_summary summary;
    uint32_t count = 0;
    assert_int_equal(plan_steps(problem, steps, 200, &summary), ORDO_OK);
    for (uint32_t i = 0; i < summary.step_count; i++) {
        bool reads = slot == ORDO_SLOT_COUNT;
        for (uint32_t j = 0; j < steps[i].range_count; j++)
            reads = reads || (steps[i].ranges[j].slot == slot && steps[i].ranges[j].read);
        count += reads && (!kernel || strcmp(steps[i].kernel, kernel) == 0);
    }
    return count;
}

/* One step reads the elements: once while the bins fit a workgroup's 16 KiB, else once for each
   range of bins, and moved_bytes says so. */
static void test_reads_of_a_histogram(void **state) {
    (void)state;
    for (uint32_t bins = 1; bins <= ORDO_MAX_BINS; bins *= 2) {
        for (int kind = ORDO_BINS_EVEN; kind <= ORDO_BINS_EDGES; kind++) {
            plan_problem problem = {.primitive = PLAN_HISTOGRAM,
                                    .histogram = {.max_count = 1 << 20,
                                                  .type = ORDO_F32,
                                                  .bins = (ordo_bins)kind,
                                                  .bin_count = kind == ORDO_BINS_BITS ? 0 : bins}};
            problem.histogram.skip_low_bits = kind == ORDO_BINS_BITS ? 20 : 0;
            expect_plan(&problem);
            assert_int_equal(count_steps(&problem, NULL, ORDO_SLOT_IN), 1);
            ordo_step steps[4];
            ordo_summary summary;
            assert_int_equal(plan_steps(&problem, steps, 4, &summary), ORDO_OK);
            const ordo_step *counts = &steps[summary.step_count - 1];
            uint64_t ranges = step_param(counts, "range_count");
            uint64_t words = kind == ORDO_BINS_BITS ? 4096 : bins;
            assert_true(ranges >= (4 * words + 16383) / 16384);
            assert_true(words > 2048 || ranges == 1);
            assert_true(summary.moved_bytes >= ranges * summary.slot_bytes[ORDO_SLOT_IN]);
        }
    }
}

/* "One pass over the data up to 256 buckets, two beyond", with the overflow bucket. */
static void test_passes_of_counting_sorts(void **state) {
    (void)state;
    static const uint32_t buckets[] = {1, 2, 128, 255, 256, 257, 258, 4096, 65535, 65536};
    for (size_t i = 0; i < COUNT_OF(buckets); i++) {
        for (uint64_t count = 100; count <= 1000000; count *= 100) {
            plan_problem problem = {
                .primitive = PLAN_COUNTING_SORT,
                .counting = {.max_count = count, .bucket_count = buckets[i], .argsort = true}};
            expect_plan(&problem);
            assert_int_equal(count_steps(&problem, "radix_scatter", ORDO_SLOT_COUNT),
                             buckets[i] <= 256 ? 1 : 2);
        }
    }
}

/* Up to k = 512 keys are read whole by one step; beyond it by 5, of 64 bits by 8. */
static void test_reads_of_top_k(void **state) {
    (void)state;
    for (int key = ORDO_U32; key <= ORDO_F64; key++) {
        plan_problem problem = {.primitive = PLAN_TOP_K,
                                .top_k = {.max_count = 1 << 22, .key = (ordo_type)key, .k = 512}};
        expect_plan(&problem);
        assert_int_equal(count_steps(&problem, "topk_best", ORDO_SLOT_IN), 1);
        assert_int_equal(count_steps(&problem, "topk_radix", ORDO_SLOT_IN), 0);
        problem.top_k.k = 513;
        expect_plan(&problem);
        assert_int_equal(count_steps(&problem, NULL, ORDO_SLOT_IN),
                         ordo_type_bytes((ordo_type)key) == 8 ? 8 : 5);
    }
}

/* B056: none of the best plan nothing; more than there are plan as many as there are. */
static void test_b056_k_at_its_ends(void **state) {
    (void)state;
    ordo_summary none, all, more;
    ordo_top_k_desc desc = {.max_count = 1000};
    assert_int_equal(ordo_top_k_steps(NULL, &desc, NULL, 0, &none), ORDO_OK);
    assert_int_equal(none.step_count, 0);
    assert_int_equal(none.slot_bytes[ORDO_SLOT_OUT], 0);
    desc.k = 1000;
    assert_int_equal(ordo_top_k_steps(NULL, &desc, NULL, 0, &all), ORDO_OK);
    desc.k = UINT32_MAX;
    assert_int_equal(ordo_top_k_steps(NULL, &desc, NULL, 0, &more), ORDO_OK);
    assert_memory_equal(all.slot_bytes, more.slot_bytes, sizeof all.slot_bytes);
    assert_int_equal(more.slot_bytes[ORDO_SLOT_OUT], 4000);
}

/* B049: only a histogram has something to write when there are no elements. */
static void test_b049_no_elements_plan_no_work(void **state) {
    (void)state;
    plan_problem problem = {.primitive = PLAN_HISTOGRAM};
    assert_true(count_steps(&problem, NULL, ORDO_SLOT_COUNT) > 0);
    problem.primitive = PLAN_COUNTING_SORT;
    assert_int_equal(count_steps(&problem, NULL, ORDO_SLOT_COUNT), 0);
    problem.primitive = PLAN_GRID;
    assert_int_equal(count_steps(&problem, NULL, ORDO_SLOT_COUNT), 0);
    problem.primitive = PLAN_TOP_K;
    problem.top_k.k = 5;
    assert_int_equal(count_steps(&problem, NULL, ORDO_SLOT_COUNT), 0);
    for (int primitive = PLAN_HISTOGRAM; primitive < PLAN_PRIMITIVES; primitive++) {
        problem.primitive = (plan_primitive)primitive;
        expect_plan(&problem);
    }
}

/* ---- Every count and shape ------------------------------------------------------------------- */

/* B001, B004: every count up to some thousand, and both sides of larger powers. */
static void test_every_count(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 9000; i++) {
        uint64_t bits = 12 + (i - 7000) % 11;
        uint64_t count = i < 7000 ? i : (1ull << bits) + (i % 5) - 2;
        plan_problem problems[] = {
            {.primitive = PLAN_HISTOGRAM,
             .histogram = {.max_count = count, .bin_count = (uint32_t)(i * 37 % 65537)}},
            {.primitive = PLAN_COUNTING_SORT,
             .counting = {.max_count = count,
                          .bucket_count = (uint32_t)(i * 41 % 65537),
                          .argsort = i % 2,
                          .value_bytes = i % 2 ? 0 : (uint32_t)(i / 2 % 4 * 8)}},
            {.primitive = PLAN_GRID,
             .grid = {.max_count = count, .cells = {(uint32_t)(i % 300), 7, 3}}},
            {.primitive = PLAN_TOP_K,
             .top_k = {.max_count = count,
                       .key = (ordo_type)(i % 6),
                       .k = (uint32_t)(i * 13 % 1500 + 1),
                       .row_length = i % 3 ? 0 : (uint32_t)(i * 7 % 3000 + 1)}},
        };
        for (size_t p = 0; p < COUNT_OF(problems); p++) {
            expect_plan(&problems[p]);
            problems[p].caps.max_groups = 1 + (uint32_t)(i % 6);
            const char *wrong = plan_check(&problems[p], NULL);
            if (wrong)
                fail_msg("%s: %s", plan_describe(&problems[p]), wrong);
        }
    }
}

/* Scratch never falls from one count to the next. */
static void test_scratch_is_monotone(void **state) {
    (void)state;
    plan_problem problems[] = {
        {.primitive = PLAN_HISTOGRAM, .histogram = {.bin_count = 65536}},
        {.primitive = PLAN_COUNTING_SORT, .counting = {.bucket_count = 65536}},
        {.primitive = PLAN_COUNTING_SORT, .counting = {.value_bytes = 64}},
        {.primitive = PLAN_COUNTING_SORT, .counting = {.argsort = true, .depth = {.farthest = 1}}},
        {.primitive = PLAN_GRID, .grid = {.table_size = 1 << 20, .points_out = true}},
        {.primitive = PLAN_TOP_K, .top_k = {.k = 1}},
        {.primitive = PLAN_TOP_K, .top_k = {.k = 512, .key = ORDO_F64}},
        {.primitive = PLAN_TOP_K, .top_k = {.k = 513}},
        {.primitive = PLAN_TOP_K, .top_k = {.k = 20000, .key = ORDO_I64}},
        {.primitive = PLAN_TOP_K, .top_k = {.k = 3, .row_length = 100}},
        {.primitive = PLAN_TOP_K, .top_k = {.k = 700, .row_length = 5000}},
    };
    for (size_t i = 0; i < COUNT_OF(problems); i++) {
        uint64_t before = 0;
        for (uint64_t count = 0; count < 40000; count++) {
            ordo_summary summary;
            *plan_max_count(&problems[i]) = count;
            assert_int_equal(plan_steps(&problems[i], NULL, 0, &summary), ORDO_OK);
            if (summary.scratch_bytes < before)
                fail_msg("%s: less scratch than for one less", plan_describe(&problems[i]));
            before = summary.scratch_bytes;
        }
    }
}

/* Plans counts from first to last; fails where scratch falls. */
static void check_rising(plan_problem *problem, uint64_t first, uint64_t last) {
    uint64_t before = 0;
    for (uint64_t count = first; count <= last; count++) {
        ordo_summary summary;
        *plan_max_count(problem) = count;
        assert_int_equal(plan_steps(problem, NULL, 0, &summary), ORDO_OK);
        if (summary.scratch_bytes < before)
            fail_msg("%s: less scratch than for one less", plan_describe(problem));
        before = summary.scratch_bytes;
    }
}

/* The same where the chunks of a top-k grow, for every k of that method, and where rows begin. */
static void test_scratch_of_top_k_is_monotone(void **state) {
    (void)state;
    for (uint32_t k = 1; k <= 512; k++) {
        for (uint64_t chunk = 8; chunk <= 256; chunk *= 2) {
            uint64_t border = 4 * chunk * chunk * k;
            plan_problem problem = {.primitive = PLAN_TOP_K, .top_k = {.k = k}};
            problem.caps.max_binding_bytes = problem.caps.max_buffer_bytes = 64 * GIB;
            check_rising(&problem, border - 16, border + 16);
            for (int32_t beside = -2; beside <= 2; beside++) {
                problem.top_k.row_length = (uint32_t)(border + (uint64_t)beside);
                check_rising(&problem, border - 16, border + 16);
                check_rising(&problem, 2 * border - 4, 2 * border + 4);
            }
        }
    }
}

/* Counts doubled and halved are far apart; tiny grids take what they take of smaller counts. */
static void test_fewer_keys_fit_a_tiny_grid(void **state) {
    (void)state;
    for (uint32_t groups = 1; groups <= 20; groups++) {
        for (uint32_t k = 1; k <= 1024; k *= 2) {
            for (uint64_t count = 1 << 12; count <= 1 << 24; count *= 2) {
                plan_problem problem = {.primitive = PLAN_TOP_K,
                                        .caps = {.max_groups = groups},
                                        .top_k = {.max_count = count, .k = k}};
                const char *wrong = plan_check(&problem, NULL);
                if (wrong)
                    fail_msg("%s: %s", plan_describe(&problem), wrong);
            }
        }
    }
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* B061, B030: rows times their length, and counts, near and above 2^31 and 2^32. */
static void test_b061_counts_near_two_to_the_32(void **state) {
    (void)state;
    static const uint64_t counts[] = {2147483647, 2147483648, 4294967040, 4294967295};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        for (int primitive = PLAN_HISTOGRAM; primitive < PLAN_PRIMITIVES; primitive++) {
            plan_problem problem = {
                .primitive = (plan_primitive)primitive,
                .caps = {.max_binding_bytes = 256 * GIB, .max_buffer_bytes = 256 * GIB},
                .counting = {.argsort = true},
                .top_k = {.k = 20, .row_length = 500}};
            *plan_max_count(&problem) = counts[i];
            if (primitive == PLAN_GRID) /* three words each */
                expect_refusal(&problem, ORDO_MESSAGE_WORDS,
                               (ordo_report){.a = counts[i], .b = 12});
            else
                expect_plan(&problem);
            problem.top_k.k = 1000;
            problem.top_k.row_length = 0;
            problem.grid.dimensions = 2;
            if (primitive == PLAN_TOP_K || (primitive == PLAN_GRID && counts[i] < 1u << 31))
                expect_plan(&problem);
            *plan_max_count(&problem) = 4294967296;
            expect_refusal(&problem, ORDO_MESSAGE_COUNT,
                           (ordo_report){.a = 4294967296, .b = 4294967295});
        }
    }
}

/* Rows times k may be more than max_count, where the last row is short; and a sort of rows, or of k
   a row, pads them. None of it may pass 2^32 words unseen. */
static void test_top_k_of_more_results_than_words(void **state) {
    (void)state;
    static const struct {
        ordo_top_k_desc desc;
        uint64_t rows, k;
    } rows[] = {
        {{.max_count = 4294967295, .k = 1u << 31, .row_length = 1u << 31}, 2, 1u << 31},
        {{.max_count = 3u << 30, .k = 1400000000, .row_length = 1500000000}, 3, 1400000000},
        {{.max_count = 4294967295, .k = 600, .row_length = 1000}, 4294968, 600},
        {{.max_count = 4294967295, .k = UINT32_MAX, .row_length = 2863311530}, 2, 2863311530},
        {{.max_count = 4294967295, .k = 600, .row_length = 2000}, 2147484, 600},
        {{.max_count = 1u << 31, .key = ORDO_F32, .k = 1000, .row_length = 5000}, 429497, 0},
        {{.max_count = 4294967295, .k = 1 << 20}, 1, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_problem problem = {
            .primitive = PLAN_TOP_K,
            .caps = {.max_binding_bytes = 4096 * GIB, .max_buffer_bytes = 4096 * GIB},
            .top_k = rows[i].desc};
        if (rows[i].k == 0)
            expect_plan(&problem);
        else
            expect_refusal(
                &problem, ORDO_MESSAGE_RESULTS,
                (ordo_report){.a = rows[i].desc.max_count, .b = rows[i].rows, .c = rows[i].k});
    }
}

/* B087: starts of many cells are a binding too, which the message says. */
static void test_b087_starts_above_a_binding(void **state) {
    (void)state;
    plan_problem problem = {.primitive = PLAN_GRID,
                            .grid = {.max_count = 10, .table_size = 1u << 24}};
    expect_plan(&problem);
    problem.grid.table_size = 1u << 25;
    expect_refusal(&problem, ORDO_MESSAGE_CELLS_BINDING,
                   (ordo_report){.a = 1u << 25, .b = 4 * ((1ull << 25) + 2), .c = 134217728});
    problem.caps.max_binding_bytes = problem.caps.max_buffer_bytes = 16 * GIB;
    problem.grid.table_size = 1u << 31;
    expect_plan(&problem);
    problem.grid = (ordo_grid_desc){.max_count = 10, .cells = {1 << 20, 1 << 11, 1}};
    expect_plan(&problem);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void test_messages_about_a_histogram(void **state) {
    (void)state;
    static const char f32[] = "an f32", i32[] = "an i32", u32[] = "a u32";
    const struct {
        ordo_histogram_desc desc;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {{.type = (ordo_type)6}, ORDO_MESSAGE_ENUM, {.s = "type", .a = 6, .b = 5}},
        {{.type = ORDO_U64}, ORDO_MESSAGE_BINS_TYPE, {.a = ORDO_U64}},
        {{.bins = (ordo_bins)3}, ORDO_MESSAGE_ENUM, {.s = "bins", .a = 3, .b = 2}},
        {{.bin_count = 65537}, ORDO_MESSAGE_BIN_COUNT, {.s = "bin_count", .a = 65537, .b = 65536}},
        {{.bins = ORDO_BINS_BITS, .skip_low_bits = 30, .skip_high_bits = 3},
         ORDO_MESSAGE_WINDOW,
         {.a = 30, .b = 3, .c = 32}},
        {{.bins = ORDO_BINS_BITS, .skip_low_bits = UINT32_MAX, .skip_high_bits = 1},
         ORDO_MESSAGE_WINDOW,
         {.a = UINT32_MAX, .b = 1, .c = 32}},
        {{.bins = ORDO_BINS_BITS, .skip_low_bits = 15},
         ORDO_MESSAGE_BINS_WINDOW,
         {.a = 15, .b = 0, .c = 17}},
        {{.bins = ORDO_BINS_BITS, .skip_low_bits = 24, .bin_count = 255},
         ORDO_MESSAGE_BINS_BITS,
         {.a = 255, .b = 8, .c = 256}},
        {{.skip_low_bits = 1},
         ORDO_MESSAGE_BINS_FIELD,
         {.s = "skip_low_bits", .t = "ORDO_BINS_BITS"}},
        {{.bins = ORDO_BINS_EDGES, .skip_high_bits = 1},
         ORDO_MESSAGE_BINS_FIELD,
         {.s = "skip_high_bits", .t = "ORDO_BINS_BITS"}},
        {{.bins = ORDO_BINS_EDGES, .hi = 1},
         ORDO_MESSAGE_BINS_FIELD,
         {.s = "hi", .t = "ORDO_BINS_EVEN"}},
        {{.bins = ORDO_BINS_EDGES, .lo = -1},
         ORDO_MESSAGE_BINS_FIELD,
         {.s = "lo", .t = "ORDO_BINS_EVEN"}},
        {{.lo = 1, .hi = 1}, ORDO_MESSAGE_END_ORDER, {.s = "lo", .t = "hi"}},
        {{.type = ORDO_F32, .lo = 2, .hi = 1}, ORDO_MESSAGE_END_ORDER, {.s = "lo", .t = "hi"}},
        {{.type = ORDO_F32, .lo = (double)NAN, .hi = 1},
         ORDO_MESSAGE_END_FINITE,
         {.s = "lo", .t = "NaN"}},
        {{.hi = (double)INFINITY}, ORDO_MESSAGE_END_FINITE, {.s = "hi", .t = "infinite"}},
        {{.type = ORDO_F32, .lo = 1, .hi = 1 + 1e-12},
         ORDO_MESSAGE_END_ROUNDED,
         {.s = "lo", .t = "hi"}},
        {{.type = ORDO_F32, .lo = -1e39, .hi = 1}, ORDO_MESSAGE_END_RANGE, {.s = "lo", .t = f32}},
        {{.type = ORDO_F32, .hi = 1e39}, ORDO_MESSAGE_END_RANGE, {.s = "hi", .t = f32}},
        {{.lo = -1, .hi = 5}, ORDO_MESSAGE_END_RANGE, {.s = "lo", .t = u32}},
        {{.hi = 4294967297.0}, ORDO_MESSAGE_END_RANGE, {.s = "hi", .t = u32}},
        {{.type = ORDO_I32, .lo = -2147483649.0, .hi = 5},
         ORDO_MESSAGE_END_RANGE,
         {.s = "lo", .t = i32}},
        {{.type = ORDO_I32, .hi = 2147483649.0}, ORDO_MESSAGE_END_RANGE, {.s = "hi", .t = i32}},
        {{.lo = 0.5, .hi = 5}, ORDO_MESSAGE_END_INTEGER, {.s = "lo"}},
        {{.type = ORDO_I32, .lo = -5, .hi = 4.5}, ORDO_MESSAGE_END_INTEGER, {.s = "hi"}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_problem problem = {.primitive = PLAN_HISTOGRAM, .histogram = rows[i].desc};
        expect_refusal(&problem, rows[i].id, rows[i].report);
        problem.histogram.max_count = 1000;
        expect_refusal(&problem, rows[i].id, rows[i].report);
    }
}

static void test_messages_about_a_counting_sort(void **state) {
    (void)state;
    const struct {
        ordo_counting_sort_desc desc;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {{.bucket_count = 65537},
         ORDO_MESSAGE_BIN_COUNT,
         {.s = "bucket_count", .a = 65537, .b = 65536}},
        {{.value_bytes = 5}, ORDO_MESSAGE_VALUE_BYTES, {.a = 5, .b = 64}},
        {{.value_bytes = 8, .argsort = true}, ORDO_MESSAGE_ARGSORT, {.s = "value_bytes", .a = 8}},
        {{.depth = {.nearest = 1, .farthest = 2}}, ORDO_MESSAGE_DEPTH_ALONE, {0}},
        {{.argsort = true, .depth = {.nearest = 2, .farthest = 1}},
         ORDO_MESSAGE_END_ORDER,
         {.s = "depth.nearest", .t = "depth.farthest"}},
        {{.argsort = true, .depth = {.nearest = 1, .farthest = 1}},
         ORDO_MESSAGE_END_ORDER,
         {.s = "depth.nearest", .t = "depth.farthest"}},
        {{.argsort = true, .depth = {.nearest = 1, .farthest = (double)INFINITY}},
         ORDO_MESSAGE_END_FINITE,
         {.s = "depth.farthest", .t = "infinite"}},
        {{.argsort = true, .depth = {.nearest = -1, .farthest = 1, .logarithmic = true}},
         ORDO_MESSAGE_DEPTH_NEAR,
         {0}},
        {{.argsort = true, .depth = {.nearest = 1e-60, .farthest = 1, .logarithmic = true}},
         ORDO_MESSAGE_DEPTH_NEAR,
         {0}},
        {{.depth = {.logarithmic = true}}, ORDO_MESSAGE_DEPTH_FIELD, {.s = "logarithmic"}},
        {{.depth = {.reversed = true}}, ORDO_MESSAGE_DEPTH_FIELD, {.s = "reversed"}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_problem problem = {.primitive = PLAN_COUNTING_SORT, .counting = rows[i].desc};
        expect_refusal(&problem, rows[i].id, rows[i].report);
        problem.counting.max_count = 1000;
        expect_refusal(&problem, rows[i].id, rows[i].report);
    }
}

static void test_messages_about_a_grid(void **state) {
    (void)state;
    const struct {
        ordo_grid_desc desc;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {{.dimensions = 1}, ORDO_MESSAGE_DIMENSIONS, {.a = 1}},
        {{.dimensions = 4}, ORDO_MESSAGE_DIMENSIONS, {.a = 4}},
        {{.stride_bytes = 14}, ORDO_MESSAGE_STRIDE, {.a = 14, .b = 4096}},
        {{.stride_bytes = 4100}, ORDO_MESSAGE_STRIDE, {.a = 4100, .b = 4096}},
        {{.stride_bytes = 32, .offset_bytes = 6}, ORDO_MESSAGE_POINT_OFFSET, {.a = 6}},
        {{.stride_bytes = 8}, ORDO_MESSAGE_STRIDE_FIT, {.a = 0, .b = 12, .c = 8}},
        {{.offset_bytes = 4}, ORDO_MESSAGE_STRIDE_FIT, {.a = 4, .b = 12, .c = 12}},
        {{.stride_bytes = 16, .offset_bytes = UINT32_MAX - 3},
         ORDO_MESSAGE_STRIDE_FIT,
         {.a = UINT32_MAX - 3, .b = 12, .c = 16}},
        {{.origin = {0, NAN, 0}}, ORDO_MESSAGE_ORIGIN, {.s = "NaN", .a = 1}},
        {{.origin = {0, 0, -INFINITY}}, ORDO_MESSAGE_ORIGIN, {.s = "infinite", .a = 2}},
        {{.cell_size = {-1, 1, 1}}, ORDO_MESSAGE_CELL_SIZE, {.s = "negative", .a = 0}},
        {{.cell_size = {1, 1e-29f, 1}}, ORDO_MESSAGE_CELL_SIZE, {.s = "too small", .a = 1}},
        {{.cell_size = {1, 1, INFINITY}}, ORDO_MESSAGE_CELL_SIZE, {.s = "too large", .a = 2}},
        {{.cell_size = {NAN, 1, 1}}, ORDO_MESSAGE_CELL_SIZE, {.s = "NaN", .a = 0}},
        {{.cells = {1, (1 << 20) + 1, 1}},
         ORDO_MESSAGE_AXIS_CELLS,
         {.a = 1, .b = (1 << 20) + 1, .c = 1 << 20}},
        {{.cells = {1 << 20, 1 << 11, 2}},
         ORDO_MESSAGE_CELLS,
         {.a = 1 << 20, .b = 1 << 11, .c = 2}},
        {{.dimensions = 2, .cells = {1, 1, 1}}, ORDO_MESSAGE_FLAT, {.s = "cells[2]"}},
        {{.dimensions = 2, .origin = {0, 0, 1}}, ORDO_MESSAGE_FLAT, {.s = "origin[2]"}},
        {{.dimensions = 2, .cell_size = {1, 1, 1}}, ORDO_MESSAGE_FLAT, {.s = "cell_size[2]"}},
        {{.outside = (ordo_outside)3}, ORDO_MESSAGE_ENUM, {.s = "outside", .a = 3, .b = 2}},
        {{.table_size = 2000}, ORDO_MESSAGE_TABLE_SIZE, {.a = 2000}},
        {{.table_size = 64, .cells = {0, 5, 0}},
         ORDO_MESSAGE_TABLE_FIELD,
         {.s = "cells[1]", .a = 5, .b = 64}},
        {{.table_size = 64, .outside = ORDO_OUTSIDE_WRAP},
         ORDO_MESSAGE_TABLE_FIELD,
         {.s = "outside", .a = 1, .b = 64}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_problem problem = {.primitive = PLAN_GRID, .grid = rows[i].desc};
        expect_refusal(&problem, rows[i].id, rows[i].report);
        problem.grid.max_count = 1000;
        expect_refusal(&problem, rows[i].id, rows[i].report);
    }
}

/* What all planners share: no desc, an unknown key, capabilities below the guaranteed ones. */
static void test_messages_that_all_share(void **state) {
    (void)state;
    ordo_summary summary;
    char expected[ORDO_MESSAGE_BYTES];
    ordo_message_write(expected, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "desc"});
    assert_int_equal(ordo_histogram_steps(NULL, NULL, NULL, 0, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);
    assert_int_equal(ordo_counting_sort_steps(NULL, NULL, NULL, 0, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);
    assert_int_equal(ordo_grid_steps(NULL, NULL, NULL, 0, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);
    assert_int_equal(ordo_top_k_steps(NULL, NULL, NULL, 0, &summary), ORDO_INVALID);
    assert_string_equal(summary.message, expected);
    plan_problem unknown = {.primitive = PLAN_TOP_K, .top_k = {.key = (ordo_type)6, .k = 1}};
    expect_refusal(&unknown, ORDO_MESSAGE_ENUM, (ordo_report){.s = "key", .a = 6, .b = 5});
    for (int primitive = PLAN_HISTOGRAM; primitive < PLAN_PRIMITIVES; primitive++) {
        plan_problem problem = {.primitive = (plan_primitive)primitive,
                                .caps = {.max_invocations = 255},
                                .top_k = {.k = 5}};
        *plan_max_count(&problem) = 100;
        expect_refusal(&problem, ORDO_MESSAGE_CAPS,
                       (ordo_report){.s = "max_invocations", .a = 255, .b = 256});
        problem.caps = (ordo_caps){.max_binding_bytes = 100};
        ordo_status status;
        assert_null(plan_check(&problem, &status));
        assert_int_equal(status, ORDO_UNSUPPORTED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_of_a_histogram),
        cmocka_unit_test(test_passes_of_counting_sorts),
        cmocka_unit_test(test_reads_of_top_k),
        cmocka_unit_test(test_b056_k_at_its_ends),
        cmocka_unit_test(test_b049_no_elements_plan_no_work),
        cmocka_unit_test(test_every_count),
        cmocka_unit_test(test_scratch_is_monotone),
        cmocka_unit_test(test_scratch_of_top_k_is_monotone),
        cmocka_unit_test(test_fewer_keys_fit_a_tiny_grid),
        cmocka_unit_test(test_top_k_of_more_results_than_words),
        cmocka_unit_test(test_b061_counts_near_two_to_the_32),
        cmocka_unit_test(test_b087_starts_above_a_binding),
        cmocka_unit_test(test_messages_about_a_histogram),
        cmocka_unit_test(test_messages_about_a_counting_sort),
        cmocka_unit_test(test_messages_about_a_grid),
        cmocka_unit_test(test_messages_that_all_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
