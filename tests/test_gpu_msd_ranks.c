/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_msd_ranks.c: how the stable partition of a sort from the most significant digit down
 * ranks keys: by barriers on the default tier, by ballots on the other, where subgroups are made
 * large enough (CMakeLists.txt).
 */
#include "gpu_case.h"
#include "step_number.h"

enum { CAPACITY = 8001, MAX_STEPS = 40, MANY = 270 * 2048 + 5 };

static ordo_context *context_of(rig *r, const char *tuning) {
    const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                            .subgroup_size = rig_tier() == TIER_ALL ? rig_lanes(r) : 0,
                            .tuning = tuning};
    return rig_context(r, &caps);
}

/* A partition of the context's sort of so many pairs. */
static ordo_step partition_of(const ordo_context *context, uint64_t count) {
    static ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    ordo_sort_desc desc = {.max_count = count, .value_bytes = 4, .method = ORDO_METHOD_MSD};
    assert_int_equal(ordo_sort_steps(ordo_context_caps(context), &desc, steps, MAX_STEPS, &summary),
                     ORDO_OK);
    assert_string_equal(steps[summary.step_count - 2].entry, "msd_partition_pairs");
    return steps[summary.step_count - 2];
}

/* P2, P4: every shape, at counts that leave subgroups, tiles and items partly filled; in tiles of
   small sorts and of large ones. */
static void test_ties_keep_their_order(void **state) {
    rig *r = *state;
    const char *const tunings[] = {
        NULL, rig_tier() == TIER_ALL ? "msd_small_count=0 msd_stable_items=28 msd_stable_rounds=2"
                                     : "msd_small_count=0 msd_stable_items=24 msd_stable_rounds=3"};
    const uint32_t tiles[] = {4096, rig_tier() == TIER_ALL ? 7168 : 6144};
    for (uint32_t i = 0; i < 2 * DISTRIBUTION_COUNT; i++) {
        uint32_t form = i / DISTRIBUTION_COUNT, tile = tiles[form];
        const uint32_t counts[] = {CAPACITY, 2,         tile - 1, tile, tile + 1,
                                   1281,     tile + 33, 33,       5000, CAPACITY - 1};
        ordo_context *context = context_of(r, tunings[form]);
        ordo_step partition = partition_of(context, CAPACITY);
        assert_int_equal(step_param(&partition, "tile_items"), tile);
        assert_int_equal(partition.subgroups, rig_tier() == TIER_ALL);
        sort_check(r,
                   (sort_case){
                       .desc = {.max_count = CAPACITY, .value_bytes = 4, .method = ORDO_METHOD_MSD},
                       .shape = (distribution)(i % DISTRIBUTION_COUNT),
                       .seed = i,
                       .count_use = COUNT_GIVEN,
                       .gpu_count = counts[i % (sizeof counts / sizeof *counts)],
                       .scratch = (scratch_use)(i % 4),
                       .context = context});
        ordo_context_release(context);
    }
}

/* A bucket of so many tiles that each of them scans some digits of its table; and so many tiles of
   a few buckets that a workgroup, all that there are, looks at them in two goes. */
static void test_many_tiles(void **state) {
    static const struct {
        const char *tuning;
        distribution shape;
    } rows[] = {{"msd_small_items=8", KEYS_RANDOM},
                {"msd_small_items=8", KEYS_FEW},
                {"msd_small_items=8 msd_scan_groups=1 msd_data_count=4294967295", KEYS_FEW}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ordo_context *context = context_of(*state, rows[i].tuning);
        ordo_step partition = partition_of(context, MANY);
        assert_int_equal(step_param(&partition, "tile_items"), 2048);
        assert_int_equal(step_constant(&partition, "GROUP_SIZE"), 256);
        sort_check(
            *state,
            (sort_case){.desc = {.max_count = MANY, .value_bytes = 4, .method = ORDO_METHOD_MSD},
                        .shape = rows[i].shape,
                        .scratch = SCRATCH_PATTERN,
                        .context = context});
        ordo_context_release(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_ties_keep_their_order),
        rig_test(test_many_tiles),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
