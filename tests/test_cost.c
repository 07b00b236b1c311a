/* SPDX-License-Identifier: MIT */
/*
 * test_cost.c: the model of time, and the choice of a sort's method that follows from it.
 */
#include "plan.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define RADIX ORDO_METHOD_RADIX
#define BITONIC ORDO_METHOD_BITONIC

/* ---- The model ------------------------------------------------------------------------------- */

/* The limits of an H200, on which the tables of docs/performance.md were made. */
static const ordo_caps h200 = {.max_buffer_bytes = 1ull << 40,
                               .max_binding_bytes = 1ull << 40,
                               .max_workgroup_bytes = 49152,
                               .max_invocations = 1024};

static ordo_summary plan_of(const ordo_caps *caps, ordo_sort_desc desc) {
    ordo_summary summary;
    if (ordo_sort_steps(caps, &desc, NULL, 0, &summary) != ORDO_OK)
        fail_msg("%s", summary.message);
    return summary;
}

/* Within a third of what was measured. */
static void check_near(const char *what, size_t row, const ordo_summary *summary, double us) {
    double modelled_us = 1e-3 * (double)summary->modelled_ns;
    if (modelled_us > 4 * us / 3 || modelled_us < 3 * us / 4)
        fail_msg("%s, row %zu: modelled %.1f us, measured %.1f", what, row, modelled_us, us);
}

/* Microseconds on an NVIDIA H200 with wgpu-native, the medians of ordo_bench. */
static void test_the_model_is_near_what_was_measured(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        double us;
    } rows[] = {
        {{.max_count = 1 << 10, .method = BITONIC}, 12.2},
        {{.max_count = 1 << 12, .method = BITONIC}, 22.4},
        {{.max_count = 1 << 14, .method = BITONIC}, 48.7},
        {{.max_count = 1 << 16, .method = BITONIC}, 80.2},
        {{.max_count = 1 << 17, .method = BITONIC}, 99.8},
        {{.max_count = 1 << 18, .method = BITONIC}, 119},
        {{.max_count = 1 << 19, .method = BITONIC}, 141},
        {{.max_count = 1 << 20, .method = BITONIC}, 171},
        {{.max_count = 1 << 21, .method = BITONIC}, 312},
        {{.max_count = 1 << 24, .method = BITONIC}, 2970},
        {{.max_count = 1 << 16, .method = RADIX}, 176},
        {{.max_count = 1 << 17, .method = RADIX}, 105},
        {{.max_count = 1 << 18, .method = RADIX}, 106},
        {{.max_count = 1 << 19, .method = RADIX}, 109},
        {{.max_count = 1 << 20, .method = RADIX}, 118},
        {{.max_count = 1 << 21, .method = RADIX}, 133},
        {{.max_count = 1 << 24, .method = RADIX}, 753},
        {{.max_count = 1 << 28, .method = RADIX}, 10330},
        {{.max_count = 1 << 10, .value_bytes = 4, .method = BITONIC}, 15.6},
        {{.max_count = 1 << 12, .value_bytes = 4, .method = BITONIC}, 35.9},
        {{.max_count = 1 << 14, .value_bytes = 4, .method = BITONIC}, 68.6},
        {{.max_count = 1 << 16, .value_bytes = 4, .method = BITONIC}, 112},
        {{.max_count = 1 << 17, .value_bytes = 4, .method = BITONIC}, 134},
        {{.max_count = 1 << 18, .value_bytes = 4, .method = BITONIC}, 157},
        {{.max_count = 1 << 19, .value_bytes = 4, .method = BITONIC}, 194},
        {{.max_count = 1 << 20, .value_bytes = 4, .method = BITONIC}, 341},
        {{.max_count = 1 << 21, .value_bytes = 4, .method = BITONIC}, 699},
        {{.max_count = 1 << 24, .value_bytes = 4, .method = BITONIC}, 8900},
        {{.max_count = 1 << 16, .value_bytes = 4, .method = RADIX}, 223},
        {{.max_count = 1 << 17, .value_bytes = 4, .method = RADIX}, 117},
        {{.max_count = 1 << 18, .value_bytes = 4, .method = RADIX}, 117},
        {{.max_count = 1 << 19, .value_bytes = 4, .method = RADIX}, 120},
        {{.max_count = 1 << 20, .value_bytes = 4, .method = RADIX}, 133},
        {{.max_count = 1 << 21, .value_bytes = 4, .method = RADIX}, 232},
        {{.max_count = 1 << 24, .value_bytes = 4, .method = RADIX}, 1190},
        {{.max_count = 1 << 28, .value_bytes = 4, .method = RADIX}, 17790},
        {{.max_count = 1 << 18, .key = ORDO_U64, .method = BITONIC}, 132},
        {{.max_count = 1 << 20, .key = ORDO_U64, .method = BITONIC}, 285},
        {{.max_count = 1 << 22, .key = ORDO_U64, .method = BITONIC}, 1135},
        {{.max_count = 1 << 18, .key = ORDO_U64, .method = RADIX}, 222},
        {{.max_count = 1 << 20, .key = ORDO_U64, .method = RADIX}, 259},
        {{.max_count = 1 << 22, .key = ORDO_U64, .method = RADIX}, 657},
        {{.max_count = 1 << 16, .argsort = true, .method = BITONIC}, 106},
        {{.max_count = 1 << 18, .argsort = true, .method = BITONIC}, 153},
        {{.max_count = 1 << 20, .argsort = true, .method = BITONIC}, 327},
        {{.max_count = 1 << 16, .argsort = true, .method = RADIX}, 219},
        {{.max_count = 1 << 18, .argsort = true, .method = RADIX}, 117},
        {{.max_count = 1 << 20, .argsort = true, .method = RADIX}, 131},
        {{.max_count = 1 << 20, .argsort = true, .skip_high_bits = 20, .method = BITONIC}, 159},
        {{.max_count = 1 << 10, .method = ORDO_METHOD_MSD}, 8},
        {{.max_count = 1 << 12, .method = ORDO_METHOD_MSD}, 11.2},
        {{.max_count = 1 << 13, .method = ORDO_METHOD_MSD}, 17},
        {{.max_count = 1 << 18, .method = ORDO_METHOD_MSD}, 46.5},
        {{.max_count = 1 << 20, .method = ORDO_METHOD_MSD}, 56.5},
        {{.max_count = 1 << 22, .method = ORDO_METHOD_MSD}, 137},
        {{.max_count = 1 << 24, .method = ORDO_METHOD_MSD}, 370},
        {{.max_count = 1 << 26, .method = ORDO_METHOD_MSD}, 1172},
        {{.max_count = 1 << 28, .method = ORDO_METHOD_MSD}, 4627},
        {{.max_count = 1 << 10, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 11.1},
        {{.max_count = 1 << 12, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 18.6},
        {{.max_count = 1 << 13, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 28.3},
        {{.max_count = 1 << 18, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 77},
        {{.max_count = 1 << 20, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 88},
        {{.max_count = 1 << 22, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 248},
        {{.max_count = 1 << 24, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 667},
        {{.max_count = 1 << 26, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 2240},
        {{.max_count = 1 << 28, .value_bytes = 4, .method = ORDO_METHOD_MSD}, 9690},
        {{.max_count = 1 << 26,
          .value_bytes = 4,
          .allow_unstable = true,
          .method = ORDO_METHOD_MSD},
         1981},
        {{.max_count = 1 << 12, .argsort = true, .method = ORDO_METHOD_MSD}, 16.6},
        {{.max_count = 1 << 13, .argsort = true, .method = ORDO_METHOD_MSD}, 25.9},
        {{.max_count = 1 << 26, .argsort = true, .method = ORDO_METHOD_MSD}, 2194},
        {{.max_count = 1 << 12, .key = ORDO_U64, .method = ORDO_METHOD_MSD}, 14.1},
        {{.max_count = 1 << 13, .key = ORDO_U64, .method = ORDO_METHOD_MSD}, 22.7},
        {{.max_count = 1 << 18, .key = ORDO_U64, .method = ORDO_METHOD_MSD}, 69},
        {{.max_count = 1 << 20, .key = ORDO_U64, .method = ORDO_METHOD_MSD}, 89},
        {{.max_count = 1 << 22, .key = ORDO_U64, .method = ORDO_METHOD_MSD}, 251},
        {{.max_count = 1 << 26, .key = ORDO_U64, .method = ORDO_METHOD_MSD}, 1974},
        {{.max_count = 1 << 16, .method = ORDO_METHOD_ONESWEEP}, 54},
        {{.max_count = 1 << 20, .method = ORDO_METHOD_ONESWEEP}, 79.5},
        {{.max_count = 1 << 26, .method = ORDO_METHOD_ONESWEEP}, 2100},
        {{.max_count = 1 << 16, .value_bytes = 4, .method = ORDO_METHOD_ONESWEEP}, 61},
        {{.max_count = 1 << 20, .value_bytes = 4, .method = ORDO_METHOD_ONESWEEP}, 87},
        {{.max_count = 1 << 26, .value_bytes = 4, .method = ORDO_METHOD_ONESWEEP}, 3186},
        {{.max_count = 1 << 13, .method = ORDO_METHOD_SAMPLE}, 21.4},
        {{.max_count = 1 << 14, .method = ORDO_METHOD_SAMPLE}, 24.5},
        {{.max_count = 1 << 15, .method = ORDO_METHOD_SAMPLE}, 27.9},
        {{.max_count = 1 << 16, .method = ORDO_METHOD_SAMPLE}, 33.8},
        {{.max_count = 1 << 17, .method = ORDO_METHOD_SAMPLE}, 45.3},
        {{.max_count = 1 << 13, .value_bytes = 4, .method = ORDO_METHOD_SAMPLE}, 26},
        {{.max_count = 1 << 14, .value_bytes = 4, .method = ORDO_METHOD_SAMPLE}, 27.5},
        {{.max_count = 1 << 16, .value_bytes = 4, .method = ORDO_METHOD_SAMPLE}, 34.5},
        {{.max_count = 1 << 17, .value_bytes = 4, .method = ORDO_METHOD_SAMPLE}, 45.2},
        {{.max_count = 1 << 20, .digit_bits = 4}, 490},
        {{.max_count = 1 << 24, .digit_bits = 4}, 3720},
        {{.max_count = 1 << 20, .method = ORDO_METHOD_ODDEVEN}, 452},
        {{.max_count = 1 << 24, .method = ORDO_METHOD_ODDEVEN}, 10400},
        {{.max_count = 1 << 24, .row_length = 1000, .method = BITONIC}, 421},
        {{.max_count = 1 << 24, .row_length = 1000, .argsort = true, .method = BITONIC}, 792},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ordo_summary summary = plan_of(&h200, rows[i].desc);
        check_near("sort", i, &summary, rows[i].us);
    }
}

static void test_other_primitives_are_near_too(void **state) {
    (void)state;
    static const struct {
        ordo_histogram_desc desc;
        double us;
    } histograms[] = {
        {{.max_count = 1 << 28}, 280},
        {{.max_count = 1 << 28, .type = ORDO_F32, .hi = 1}, 297},
        {{.max_count = 1 << 28, .bin_count = 2048}, 387},
        {{.max_count = 1 << 28, .bin_count = 65536}, 2660},
    };
    static const struct {
        ordo_counting_sort_desc desc;
        double us;
    } counting_sorts[] = {
        {{.max_count = 1 << 24}, 218},
        {{.max_count = 1 << 24, .bucket_count = 65536}, 411},
        {{.max_count = 1 << 24, .value_bytes = 4}, 331},
        {{.max_count = 1 << 24, .bucket_count = 65536, .value_bytes = 4}, 638},
    };
    static const struct {
        ordo_top_k_desc desc;
        double us;
    } top_ks[] = {
        {{.max_count = 1 << 20, .key = ORDO_F32, .k = 100}, 50},
        {{.max_count = 1 << 24, .key = ORDO_F32, .k = 10}, 75},
        {{.max_count = 1 << 28, .key = ORDO_F32, .k = 100}, 391},
        {{.max_count = 1 << 24, .key = ORDO_F32, .k = 1000}, 252},
        {{.max_count = 1 << 24, .key = ORDO_F32, .k = 100000}, 424},
    };
    ordo_summary summary;
    for (size_t i = 0; i < COUNT_OF(histograms); i++) {
        assert_int_equal(ordo_histogram_steps(&h200, &histograms[i].desc, NULL, 0, &summary), 0);
        check_near("histogram", i, &summary, histograms[i].us);
    }
    for (size_t i = 0; i < COUNT_OF(counting_sorts); i++) {
        const ordo_counting_sort_desc *desc = &counting_sorts[i].desc;
        assert_int_equal(ordo_counting_sort_steps(&h200, desc, NULL, 0, &summary), ORDO_OK);
        check_near("counting sort", i, &summary, counting_sorts[i].us);
    }
    /* Where many are sorted in the end, that was measured by the method msd. */
    ordo_caps caps = h200;
    caps.rejected_methods = 1 << ORDO_METHOD_SAMPLE;
    for (size_t i = 0; i < COUNT_OF(top_ks); i++) {
        assert_int_equal(ordo_top_k_steps(&caps, &top_ks[i].desc, NULL, 0, &summary), ORDO_OK);
        check_near("top-k", i, &summary, top_ks[i].us);
    }
    ordo_grid_desc grid = {.max_count = 1 << 22, .cells = {64, 64, 64}, .points_out = true};
    assert_int_equal(ordo_grid_steps(&h200, &grid, NULL, 0, &summary), ORDO_OK);
    check_near("grid", 0, &summary, 307);
}

/* Of one method more elements never take less, but where radix changes to its unrolled kernel. */
static void test_the_model_is_monotone(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {
        {.method = BITONIC},
        {.method = BITONIC, .value_bytes = 16},
        {.method = BITONIC, .argsort = true, .skip_high_bits = 20},
        {.method = ORDO_METHOD_ODDEVEN},
        {.method = ORDO_METHOD_SAMPLE},
        {.method = ORDO_METHOD_SAMPLE, .value_bytes = 64, .in_place = true},
        {.method = RADIX},
        {.method = RADIX, .value_bytes = 64, .key = ORDO_F64},
        {.method = RADIX, .digit_bits = 4},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint64_t before = 0;
        for (uint64_t count = 2; count < 1u << 25; count += 1 + count / 5) {
            ordo_sort_desc desc = descs[i];
            desc.max_count = count;
            uint64_t ns = plan_of(&h200, desc).modelled_ns;
            bool drop = i >= 6 && count >= 1u << 17 && count < 1u << 18;
            /* Packing ends where key and index no longer fit a word, which is no loss of time. */
            if (ns < before && !drop)
                fail_msg("desc %zu: %" PRIu64 " elements take less than fewer", i, count);
            before = ns;
        }
    }
}

/* A step is priced once it is complete, so the sum does not depend on whether steps are wanted. */
static void test_the_sum_is_that_of_the_steps(void **state) {
    (void)state;
    static ordo_step steps[64];
    ordo_caps caps = {0};
    ordo_sort_desc desc = {.max_count = 1 << 21, .method = RADIX};
    ordo_summary summary = plan_of(NULL, desc), again;
    assert_int_equal(ordo_sort_steps(&caps, &desc, steps, 64, &again), ORDO_OK);
    assert_int_equal(again.modelled_ns, summary.modelled_ns);
    caps = (ordo_caps){.max_invocations = 256, .max_workgroup_bytes = 16384};
    const ordo_tuning *tuning = ordo_tune(&caps);
    uint64_t least = 0;
    for (uint32_t i = 0; i < summary.step_count; i++)
        least += ordo_cost_ns(tuning, &steps[i], 0);
    assert_true(least > 0 && least < summary.modelled_ns);
    /* Each constant counts. */
    uint64_t cached = tuning->cached_bytes;
    ordo_step step = steps[summary.step_count - 1];
    const ordo_cost *cost = ordo_cost_of(tuning, step.entry);
    assert_string_equal(cost->entry, "radix_scatter");
    assert_true(step.unrolled);
    assert_int_equal(ordo_cost_ns(tuning, &step, cached), cost->start_ns);
    assert_int_equal(ordo_cost_ns(tuning, &step, cached + 1000ull * cost->bytes_per_us),
                     cost->start_ns + 1000000);
    step.unrolled = false;
    assert_int_equal(ordo_cost_ns(tuning, &step, 0), cost->start_ns + cost->rolled_ns);
    desc = (ordo_sort_desc){.max_count = 1 << 20, .method = BITONIC};
    assert_int_equal(ordo_sort_steps(NULL, &desc, steps, 64, &summary), ORDO_OK);
    cost = ordo_cost_of(tuning, steps[0].entry);
    assert_string_equal(cost->entry, "bitonic_sort");
    uint64_t round = (uint64_t)cost->cell_ps * 4096;
    uint64_t rounds = cost->start_ns + round * 256 / tuning->processor_count / 1000;
    assert_int_equal(ordo_cost_ns(tuning, &steps[0], 2 * cached), rounds);
    steps[0].group_count_x = 1;
    assert_int_equal(ordo_cost_ns(tuning, &steps[0], 0), cost->start_ns + round / 1000);
    desc = (ordo_sort_desc){.max_count = 1 << 19, .key = ORDO_U64, .method = ORDO_METHOD_SAMPLE};
    assert_int_equal(ordo_sort_steps(NULL, &desc, steps, 64, &summary), ORDO_OK);
    cost = ordo_cost_of(tuning, steps[0].entry);
    assert_string_equal(cost->entry, "sample_slice");
    uint64_t reads = (uint64_t)cost->read_ps * (1 << 20) / 1000;
    assert_int_equal(ordo_cost_ns(tuning, &steps[0], 0),
                     cost->start_ns + reads * 512 / tuning->processor_count);
    steps[0].group_count_x = 1;
    assert_int_equal(ordo_cost_ns(tuning, &steps[0], 0), cost->start_ns + reads);
    assert_string_equal(ordo_cost_of(tuning, "nobody knows")->entry, "");
}

/* ---- The choice of the method ---------------------------------------------------------------- */

/* What takes the least, of equals the first of these; the last two only if they can sort it. */
static ordo_method cheapest(ordo_sort_desc desc) {
    static const ordo_method methods[] = {RADIX, BITONIC, ORDO_METHOD_SAMPLE, ORDO_METHOD_MSD};
    uint64_t least = UINT64_MAX;
    ordo_method best = RADIX;
    for (uint32_t i = 0; i < COUNT_OF(methods); i++) {
        if (i == 2 && (desc.skip_low_bits || desc.skip_high_bits))
            break;
        desc.method = methods[i];
        uint64_t ns = plan_of(&h200, desc).modelled_ns;
        best = ns < least ? methods[i] : best;
        least = ns < least ? ns : least;
    }
    return best;
}

/* Of each problem that radix takes more than one pass for. */
static void test_the_choice_is_the_cheapest(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {
        {0},
        {.key = ORDO_I64},
        {.value_bytes = 4},
        {.value_bytes = 64, .in_place = true},
        {.argsort = true, .skip_high_bits = 16},
        {.key = ORDO_F64, .argsort = true, .skip_low_bits = 30},
    };
    uint32_t chosen[ORDO_LAST_METHOD + 1] = {0};
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        ordo_sort_desc desc = descs[i];
        for (uint32_t power = 0; power < 24; power++) {
            desc.max_count = 1ull << power;
            ordo_method method = plan_of(&h200, desc).method;
            assert_int_equal(method, cheapest(desc));
            chosen[method]++;
            /* Between powers as at the next one. */
            desc.max_count += desc.max_count / 3;
            ordo_sort_desc next = desc;
            next.max_count = 2ull << power;
            if (desc.max_count != 1ull << power)
                assert_int_equal(plan_of(&h200, desc).method, plan_of(&h200, next).method);
        }
    }
    assert_true(chosen[RADIX] > 10 && chosen[BITONIC] > 10 && chosen[ORDO_METHOD_MSD] > 10 &&
                chosen[ORDO_METHOD_SAMPLE] > 10);
}

/* Of what AUTO plans the earlier for fewer elements: one item of msd, a network, a sample sort,
   radix, msd. */
static uint32_t stage_of(const ordo_summary *summary) {
    if (summary->method == ORDO_METHOD_MSD)
        return summary->pass_count ? 4 : 0;
    return summary->method == RADIX ? 3 : summary->method == ORDO_METHOD_SAMPLE ? 2 : 1;
}

/* For every type, payload and window the choice goes from stage to stage, at powers of two, and
   scratch never falls. */
static void check_stages(const ordo_caps *caps, ordo_sort_desc desc) {
    uint64_t scratch = 0;
    uint32_t stage = 0;
    for (uint32_t power = 0; power < 28; power++) {
        uint64_t count = (1ull << power) + (power > 0);
        for (uint64_t at = count - 1; at <= count; at++) {
            desc.max_count = at;
            ordo_summary summary = plan_of(caps, desc);
            if (summary.scratch_bytes < scratch || (at > 1 && stage_of(&summary) < stage))
                fail_msg("key %d value_bytes %u low %u high %u argsort %d in_place %d: scratch "
                         "from %" PRIu64 " to %" PRIu64 ", method %d from stage %u at %" PRIu64,
                         (int)desc.key, desc.value_bytes, desc.skip_low_bits, desc.skip_high_bits,
                         desc.argsort, desc.in_place, scratch, summary.scratch_bytes,
                         (int)summary.method, stage, at);
            scratch = summary.scratch_bytes;
            stage = stage_of(&summary);
        }
    }
}

static void test_the_choice_goes_by_stages(void **state) {
    (void)state;
    static const uint32_t values[] = {0, 4, 8, 12, 64};
    static const ordo_type keys[] = {ORDO_F32, ORDO_U64};
    ordo_caps large = {.max_buffer_bytes = 1ull << 40, .max_binding_bytes = 1ull << 40};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t width = 8 * ordo_type_bytes(keys[i]);
        for (uint32_t bits = 1; bits <= width; bits++) {
            for (uint32_t form = 0; form < 21; form++) {
                ordo_sort_desc desc = {.key = keys[i],
                                       .skip_low_bits = (width - bits) / 3,
                                       .skip_high_bits = width - bits - (width - bits) / 3,
                                       .value_bytes = form < 20 ? values[form / 4] : 0,
                                       .argsort = form == 20,
                                       .in_place = form < 20 && form % 2,
                                       .allow_unstable = form < 20 && form / 2 % 2};
                check_stages(bits % 2 ? &h200 : &large, desc);
            }
        }
    }
}

/* Under 50 us, as tests of other plans have it; all methods are priced, so that code which the
   compiler did not optimize, or which a sanitizer watches, takes longer. */
static void test_the_choice_takes_little_time(void **state) {
    (void)state;
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
    const double most_us = 50;
#else
    const double most_us = 150;
#endif
    static ordo_step steps[100];
    static const ordo_sort_desc descs[] = {
        {.max_count = 1 << 20},
        {.max_count = 1 << 25, .value_bytes = 64, .in_place = true},
        {.max_count = 1u << 25, .key = ORDO_U64, .argsort = true}};
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        double least_us = 1e9;
        for (int batch = 0; batch < 50; batch++) {
            ordo_summary summary;
            clock_t begin = clock();
            for (int repeat = 0; repeat < 20; repeat++)
                assert_int_equal(ordo_sort_steps(&h200, &descs[i], steps, 100, &summary), ORDO_OK);
            double us = (double)(clock() - begin) * 1e6 / CLOCKS_PER_SEC / 20;
            least_us = us < least_us ? us : least_us;
        }
        if (least_us >= most_us)
            fail_msg("plan %zu takes %.1f us", i, least_us);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_model_is_near_what_was_measured),
        cmocka_unit_test(test_other_primitives_are_near_too),
        cmocka_unit_test(test_the_model_is_monotone),
        cmocka_unit_test(test_the_sum_is_that_of_the_steps),
        cmocka_unit_test(test_the_choice_is_the_cheapest),
        cmocka_unit_test(test_the_choice_goes_by_stages),
        cmocka_unit_test(test_the_choice_takes_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
