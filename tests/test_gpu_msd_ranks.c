/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_msd_ranks.c: how the stable partition of a sort from the most significant digit down
 * ranks keys: by barriers on the default tier, by ballots on the other, where subgroups are made
 * large enough (CMakeLists.txt).
 */
#include "gpu_case.h"

enum { CAPACITY = 7001 };

/* P2, P4: every shape, at counts that leave subgroups, tiles and items partly filled. */
static void test_ties_keep_their_order(void **state) {
    rig *r = *state;
    static const uint32_t counts[] = {CAPACITY, 2, 2047, 2048, 2049, 4097, 1281, 6145, 33, 5000};
    bool ballots = rig_tier() == TIER_ALL;
    const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                            .subgroup_size = ballots ? rig_lanes(r) : 0};
    ordo_context *context = rig_context(r, &caps);
    for (uint32_t i = 0; i < 2 * DISTRIBUTION_COUNT; i++) {
        sort_case c = {.desc = {.max_count = CAPACITY, .value_bytes = 4, .method = ORDO_METHOD_MSD},
                       .shape = (distribution)(i % DISTRIBUTION_COUNT),
                       .seed = i,
                       .count_use = COUNT_GIVEN,
                       .gpu_count = counts[i % (sizeof counts / sizeof *counts)],
                       .scratch = (scratch_use)(i % 4),
                       .context = context};
        sort_check(r, c);
    }
    /* Steps are a beginning, then of each level a histogram, a scan and a partition. */
    ordo_step steps[40];
    ordo_summary summary;
    ordo_sort_desc desc = {.max_count = CAPACITY, .value_bytes = 4, .method = ORDO_METHOD_MSD};
    assert_int_equal(ordo_sort_steps(ordo_context_caps(context), &desc, steps, 40, &summary),
                     ORDO_OK);
    assert_string_equal(steps[3].kernel, "msd_partition");
    assert_int_equal(steps[3].subgroups, ballots);
    ordo_context_release(context);
}

/* A bucket of so many tiles that each of them scans some digits of its table. */
static void test_many_tiles(void **state) {
    static const distribution shapes[] = {KEYS_RANDOM, KEYS_FEW};
    for (uint32_t i = 0; i < 2; i++) {
        sort_check(*state, (sort_case){.desc = {.max_count = 270 * 2048 + 5,
                                                .value_bytes = 4,
                                                .method = ORDO_METHOD_MSD},
                                       .shape = shapes[i],
                                       .scratch = SCRATCH_PATTERN});
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_ties_keep_their_order),
        rig_test(test_many_tiles),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
