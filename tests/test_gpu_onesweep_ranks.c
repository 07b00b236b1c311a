/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_onesweep_ranks.c: how the radix sort of one pass a digit ranks keys: by barriers on the
 * default tier, by ballots on the other, where subgroups are made large enough (CMakeLists.txt).
 */
#include "gpu_case.h"

enum { CAPACITY = 7001 };

/* P2, P4: every shape, at counts that leave subgroups and tiles partly filled, and digits of fewer
   than eight bits. */
static void test_ties_keep_their_order(void **state) {
    rig *r = *state;
    static const uint32_t counts[] = {CAPACITY, 2, 3071, 3072, 3073, 6144, 6145, 33, 15, 5000};
    bool ballots = rig_tier() == TIER_ALL;
    const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                            .subgroup_size = ballots ? rig_lanes(r) : 0};
    ordo_context *context = rig_context(r, &caps);
    const ordo_sort_desc desc = {
        .max_count = CAPACITY, .value_bytes = 4, .method = ORDO_METHOD_ONESWEEP};
    for (uint32_t i = 0; i < 2 * DISTRIBUTION_COUNT; i++) {
        sort_case c = {.desc = desc,
                       .shape = (distribution)(i % DISTRIBUTION_COUNT),
                       .seed = i,
                       .count_use = COUNT_GIVEN,
                       .gpu_count = counts[i % (sizeof counts / sizeof *counts)],
                       .scratch = (scratch_use)(i % 4),
                       .context = context};
        c.desc.skip_low_bits = i % 3 * 3;
        sort_check(r, c);
    }
    ordo_step steps[8];
    ordo_summary summary;
    assert_int_equal(ordo_sort_steps(ordo_context_caps(context), &desc, steps, 8, &summary),
                     ORDO_OK);
    assert_string_equal(steps[2].kernel, "onesweep_scatter");
    assert_int_equal(steps[2].subgroups, ballots);
    ordo_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_ties_keep_their_order),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
