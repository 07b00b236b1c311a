/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_tuning.c: shapes that a caller tells, odd ones too, give the same results as ordo's own:
 * every family of kernels that a tuning shapes, on a device.
 */
#include "gpu_case.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 20011 };

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static ordo_context *context_of(rig *r, const char *tuning, bool forward_progress) {
    const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                            .forward_progress = forward_progress,
                            .tuning = tuning};
    return rig_context(r, &caps);
}

static void sort_told(rig *r, const char *tuning, const ordo_sort_desc *descs, uint32_t count) {
    static const distribution shapes[] = {KEYS_RANDOM, KEYS_FEW, KEYS_SPECIAL};
    ordo_context *context = context_of(r, tuning, false);
    for (uint32_t i = 0; i < count; i++) {
        sort_check(r, (sort_case){.desc = descs[i],
                                  .shape = shapes[i % 3],
                                  .seed = i,
                                  .count_use = i % 2 ? COUNT_GIVEN : COUNT_HOST,
                                  .gpu_count = (uint32_t)descs[i].max_count - 1000,
                                  .scratch = SCRATCH_PATTERN,
                                  .context = context});
    }
    ordo_context_release(context);
}

/* Large forms at a small count, tiles in rounds, narrow digits, small and large items. */
static void test_msd(void **state) {
    rig *r = *state;
    static const ordo_sort_desc descs[] = {
        {.max_count = COUNT, .method = ORDO_METHOD_MSD},
        {.max_count = COUNT, .key = ORDO_F32, .value_bytes = 4, .method = ORDO_METHOD_MSD},
        {.max_count = COUNT, .key = ORDO_I64, .argsort = true, .method = ORDO_METHOD_MSD},
        {.max_count = COUNT, .key = ORDO_F64, .in_place = true, .method = ORDO_METHOD_MSD},
    };
    sort_told(r,
              "msd_small_count=0 msd_medium_count=0 msd_items=24 msd_rounds=3 msd_stable_items=8 "
              "msd_stable_rounds=2 msd_digit_bits=7 msd_local_group=128 msd_late_groups=3 "
              "radix_scan_items=3",
              descs, 4);
    if (rig_tier() == TIER_DEFAULT) {
        sort_told(r, "msd_small_items=12,msd_small_rounds=3,msd_digit_bits=5,msd_local_group=224",
                  descs, 3);
        return;
    }
    sort_told(r,
              "msd_group=192 msd_items=24 msd_rounds=2 msd_stable_group=576 msd_stable_items=8 "
              "msd_digit_bits=7 msd_local_group=480 msd_small_count=0 msd_medium_count=0",
              descs, 4);
}

/* All keys in one workgroup, at the ends of what that holds. */
static void test_one_item(void **state) {
    rig *r = *state;
    const char *tuning = rig_tier() == TIER_ALL ? "msd_local_group=480" : "msd_local_group=128";
    const uint32_t most = rig_tier() == TIER_ALL ? 3840 : 1024;
    const ordo_sort_desc descs[] = {
        {.max_count = most, .method = ORDO_METHOD_MSD},
        {.max_count = most, .key = ORDO_U64, .value_bytes = 4, .method = ORDO_METHOD_MSD},
        {.max_count = most + 1, .method = ORDO_METHOD_MSD},
    };
    sort_told(r, tuning, descs, 3);
}

static void test_radix(void **state) {
    static const ordo_sort_desc descs[] = {
        {.max_count = COUNT, .method = ORDO_METHOD_RADIX},
        {.max_count = COUNT, .key = ORDO_U64, .value_bytes = 8, .method = ORDO_METHOD_RADIX},
        {.max_count = 1280, .argsort = true, .method = ORDO_METHOD_RADIX},
        {.max_count = COUNT, .key = ORDO_I32, .value_bytes = 4, .digit_bits = 4},
    };
    sort_told(*state, "radix_items=5 radix_subtiles=3 split_items=7 scan_items=4", descs, 4);
}

static void test_onesweep(void **state) {
    static const ordo_sort_desc descs[] = {
        {.max_count = COUNT, .method = ORDO_METHOD_ONESWEEP},
        {.max_count = COUNT, .key = ORDO_F32, .value_bytes = 4, .method = ORDO_METHOD_ONESWEEP},
        {.max_count = COUNT, .key = ORDO_I64, .argsort = true, .method = ORDO_METHOD_ONESWEEP},
    };
    sort_told(*state,
              "onesweep_items=8 onesweep_rounds=2 onesweep_pair_items=6 onesweep_pair_rounds=3 "
              "onesweep_small_count=0 "
              "onesweep_histogram_items=6 onesweep_histogram_groups=3",
              descs, 3);
}

static void test_sample(void **state) {
    static const ordo_sort_desc descs[] = {
        {.max_count = COUNT, .method = ORDO_METHOD_SAMPLE},
        {.max_count = COUNT, .key = ORDO_F32, .value_bytes = 4, .method = ORDO_METHOD_SAMPLE},
    };
    sort_told(*state, "sample_group=160 sample_eighths=7", descs, 2);
}

static void test_networks(void **state) {
    static const ordo_sort_desc descs[] = {
        {.max_count = 5000, .method = ORDO_METHOD_BITONIC},
        {.max_count = 5000, .key = ORDO_F64, .value_bytes = 4, .method = ORDO_METHOD_BITONIC},
        {.max_count = 5000, .key = ORDO_F32, .method = ORDO_METHOD_ODDEVEN},
    };
    sort_told(*state, "network_items=4 network_fused=4", descs, 3);
    sort_told(*state, "network_items=8 network_fused=2", descs, 2);
}

/* Wide values, and narrow ones that are told to be gathered like those. */
static void test_moves(void **state) {
    static const ordo_sort_desc descs[] = {
        {.max_count = COUNT, .value_bytes = 16, .in_place = true, .method = ORDO_METHOD_RADIX},
        {.max_count = COUNT, .key = ORDO_F32, .value_bytes = 4, .method = ORDO_METHOD_MSD},
        {.max_count = COUNT, .skip_low_bits = 32, .value_bytes = 4},
    };
    sort_told(*state, "move_items=7 carried_value_bytes=0", descs, 3);
}

/* AUTO with shapes that make another method the cheapest. */
static void test_auto(void **state) {
    static const ordo_sort_desc descs[] = {{.max_count = 3000},
                                           {.max_count = COUNT, .value_bytes = 4}};
    sort_told(*state, "radix_items=2 radix_subtiles=1 msd_small_count=5000", descs, 2);
}

static void test_scans(void **state) {
    rig *r = *state;
    static const uint32_t counts[] = {70001, 70000};
    uint32_t *items = malloc(counts[0] * sizeof *items);
    assert_non_null(items);
    for (uint32_t i = 0; i < counts[0]; i++)
        items[i] = i * 2654435761u;
    for (uint32_t i = 0; i < 8; i++) {
        ordo_context *context =
            context_of(r, "scan_items=20 scan_chain_items=12 scan_chain_window=7", i / 2 % 2 == 1);
        fold_check(r, &(fold_case){.reduce = i == 0,
                                   .desc = {.max_count = counts[i % 2],
                                            .op = i / 4 ? ORDO_MAX : ORDO_ADD,
                                            .inclusive = i % 3 == 0,
                                            .in_place = i == 4 || i == 5},
                                   .items = items,
                                   .context = context});
        ordo_context_release(context);
    }
    free(items);
}

/* Bins of the top bits, and of a counting sort. */
static void test_buckets(void **state) {
    rig *r = *state;
    ordo_context *context = context_of(
        r, "histogram_items=3 histogram_copies=32 histogram_groups=5 move_items=3 radix_items=3",
        false);
    static uint32_t in[COUNT], sorted[COUNT], counts[64 + ORDO_BINS_EXTRA], starts[64 + 2];
    uint32_t expected[65] = {0};
    const ordo_histogram_desc bins = {
        .max_count = COUNT, .bins = ORDO_BINS_BITS, .skip_low_bits = 26};
    const ordo_counting_sort_desc buckets = {.max_count = COUNT, .bucket_count = 64};
    ordo_plan *plan;
    for (uint32_t i = 0; i < COUNT; i++) {
        in[i] = i * 2654435761u;
        expected[(in[i] >> 26) + 1]++;
    }
    assert_int_equal(ordo_histogram_plan(context, &bins, &plan), ORDO_OK);
    assert_int_equal(ordo_run_arrays(plan, &(ordo_arrays){.in = in, .out = counts}), ORDO_OK);
    assert_memory_equal(counts, expected + 1, 64 * sizeof *counts);
    ordo_plan_release(plan);
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] >>= 26;
    assert_int_equal(ordo_counting_sort_plan(context, &buckets, &plan), ORDO_OK);
    assert_int_equal(
        ordo_run_arrays(plan, &(ordo_arrays){.in = in, .out = sorted, .starts = starts}), ORDO_OK);
    for (uint32_t bucket = 0; bucket < 64; bucket++) {
        expected[bucket + 1] += expected[bucket];
        assert_int_equal(starts[bucket], expected[bucket]);
        for (uint32_t i = starts[bucket]; i < expected[bucket + 1]; i++)
            assert_int_equal(sorted[i], bucket);
    }
    ordo_plan_release(plan);
    ordo_context_release(context);
}

/* The context keeps a copy of the text, and says what is wrong with one. */
static void test_the_context(void **state) {
    rig *r = *state;
    char text[] = "radix_items=5", message[ORDO_MESSAGE_BYTES];
    ordo_context_desc desc = {.instance = r->device.instance,
                              .adapter = r->device.adapter,
                              .device = r->device.device,
                              .caps = {.tuning = text}};
    ordo_context *context;
    assert_int_equal(ordo_context_create(&desc, &context, message), ORDO_OK);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(ordo_context_caps(context)->tuning, "radix_items=5");
    sort_check(r, (sort_case){.desc = {.max_count = 5000, .method = ORDO_METHOD_RADIX},
                              .context = context});
    ordo_context_release(context);
    assert_int_equal(ordo_context_create(&desc, &context, message), ORDO_INVALID);
    assert_null(context);
    assert_memory_equal(message, "caps.tuning has 'xxxxxxxxxxxxx', which is no name", 49);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_msd),      rig_test(test_one_item),    rig_test(test_radix),
        rig_test(test_onesweep), rig_test(test_sample),      rig_test(test_moves),
        rig_test(test_networks), rig_test(test_auto),        rig_test(test_scans),
        rig_test(test_buckets),  rig_test(test_the_context),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
