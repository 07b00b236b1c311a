/* SPDX-License-Identifier: MIT */
/*
 * test_plan_msd.c: plans of sorts from the most significant digit down, without a GPU: which steps
 * they have, and what is refused. test_plan_msd_lists.c has what their lists hold.
 */
#include "model.h"
#include "plan.h"
#include "plan_expect.h"

#include <inttypes.h>

#define GIB (1ull << 30)
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { MAX_STEPS = 64 };

/* Whatever the device allows. */
static const ordo_caps roomy = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB};

/* Plans a sort into steps, and checks all promises. */
static ordo_summary plan_of(const ordo_caps *caps, ordo_sort_desc desc, ordo_step *steps) {
    plan_problem problem = {.no_caps = !caps, .caps = caps ? *caps : (ordo_caps){0}, .sort = desc};
    ordo_summary summary;
    problem.sort.method = ORDO_METHOD_MSD;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, steps, MAX_STEPS, &summary), ORDO_OK);
    return summary;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* How many dispatches: a beginning, two or three a level, the items; and what gathers values. Above
   2^20 elements there are two levels more than the key has digits. From 2^23 on there is what
   checks promises, what ends the sort early, and of values that are gathered another one of
   these. */
static void test_dispatches(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        uint32_t levels, a_level, others;
    } rows[] = {
        {{.key = ORDO_U32}, 4, 2, 2},
        {{.key = ORDO_F32, .in_place = true}, 4, 2, 2},
        {{.key = ORDO_I32, .argsort = true}, 4, 3, 2},
        {{.key = ORDO_U32, .value_bytes = 4}, 4, 3, 2},
        {{.key = ORDO_U32, .value_bytes = 8, .in_place = true}, 4, 3, 2},
        {{.key = ORDO_U32, .value_bytes = 4, .allow_unstable = true}, 4, 2, 2},
        {{.key = ORDO_I32, .argsort = true, .allow_unstable = true}, 4, 3, 2},
        {{.key = ORDO_F64, .value_bytes = 16, .allow_unstable = true}, 8, 3, 3},
        {{.key = ORDO_U32, .value_bytes = 16}, 4, 3, 3},
        {{.key = ORDO_U32, .value_bytes = 64, .in_place = true}, 4, 3, 4},
        {{.key = ORDO_U64}, 8, 2, 2},
        {{.key = ORDO_I64, .argsort = true}, 8, 3, 2},
        {{.key = ORDO_F64, .value_bytes = 12, .in_place = true}, 8, 3, 4},
    };
    static const uint64_t counts[] = {1281,          5000,    1 << 20, (1 << 20) + 1,
                                      (1 << 23) - 1, 1 << 23, 1 << 24};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t j = 0; j < COUNT_OF(counts); j++) {
            ordo_sort_desc desc = rows[i].desc;
            desc.max_count = counts[j];
            ordo_summary summary = plan_of(&roomy, desc, steps);
            uint32_t levels = rows[i].levels + (counts[j] > 1 << 20 ? 2 : 0);
            uint32_t finishes = counts[j] < 1 << 23 ? 0 : 2 + (desc.value_bytes > 8);
            assert_int_equal(summary.step_count,
                             levels * rows[i].a_level + rows[i].others + finishes);
            assert_string_equal(steps[0].entry, finishes ? "msd_begin_sampled" : "msd_begin");
            assert_int_equal(summary.pass_count, levels);
            assert_int_equal(summary.digit_bits, 8);
        }
    }
}

/* What one workgroup sorts is one dispatch, without scratch, but for values that are gathered: of
   so many invocations as need be and the device has, with 33 bytes each and 128 more. */
static void test_one_item(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {{.key = ORDO_F32},
                                           {.key = ORDO_U64, .in_place = true},
                                           {.argsort = true},
                                           {.value_bytes = 8},
                                           {.key = ORDO_I64, .value_bytes = 4, .in_place = true},
                                           {.value_bytes = 12}};
    static const struct {
        uint32_t invocations, bytes;
        uint64_t most[3]; /* elements of 160, 512, 1,024 invocations */
    } rows[] = {
        {0, 0, {1280}},
        {511, 49152, {1280}},
        {512, 17024, {1280, 4096}},
        {1024, 17023, {1280}},
        {1023, 49152, {1280, 4096}},
        {1024, 33919, {1280, 4096}},
        {1024, 33920, {1280, 4096, 8192}},
    };
    static const uint64_t counts[] = {1,    2,    640,  1279, 1280, 1281, 2000,
                                      4095, 4096, 4097, 8191, 8192, 8193};
    static const uint32_t groups[] = {160, 512, 1024};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows) * COUNT_OF(descs) * COUNT_OF(counts); i++) {
        size_t row = i % COUNT_OF(rows);
        ordo_sort_desc desc = descs[i / COUNT_OF(rows) % COUNT_OF(descs)];
        desc.max_count = counts[i / COUNT_OF(rows) / COUNT_OF(descs)];
        const ordo_caps caps = {.max_invocations = rows[row].invocations,
                                .max_workgroup_bytes = rows[row].bytes};
        uint32_t group = 0;
        for (uint32_t g = 3; desc.value_bytes <= 8 && g-- > 0;)
            group = desc.max_count <= rows[row].most[g] ? groups[g] : group;
        ordo_summary summary = plan_of(&caps, desc, steps);
        assert_int_equal(summary.step_count == 1, group > 0);
        assert_int_equal(strcmp(steps[0].kernel, "msd_small") == 0, group > 0);
        if (group)
            assert_int_equal(step_constant(&steps[0], "GROUP_SIZE"), group);
    }
}

/* Items are of up to 4,608 elements, where the device has 576 invocations and the memory, as long
   as that saves a level of keys spread evenly; else of up to 1,280. */
static void test_sizes_of_items(void **state) {
    (void)state;
    static const struct {
        uint64_t from; /* the next row's count ends it */
        bool large;
    } rows[] = {{1281, false},      {1152 << 8, true},      {4148 << 8, false},
                {1152 << 16, true}, {4148ull << 16, false}, {1ull << 32, false}};
    static const struct {
        uint32_t invocations, bytes;
        bool large;
    } devices[] = {{0, 0, false},      {575, 49152, false}, {576, 19135, false},
                   {576, 19136, true}, {1024, 32768, true}, {1024, 49152, true}};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(devices); i++) {
        ordo_caps caps = roomy;
        caps.max_invocations = devices[i].invocations;
        caps.max_workgroup_bytes = devices[i].bytes;
        for (size_t j = 0; j + 1 < COUNT_OF(rows); j++) {
            for (uint32_t end = 0; end < 2; end++) {
                ordo_sort_desc desc = {.max_count = end ? rows[j + 1].from - 1 : rows[j].from};
                ordo_summary summary = plan_of(&caps, desc, steps);
                if (summary.step_count == 1)
                    continue;
                bool large = devices[i].large && rows[j].large;
                const ordo_step *last = &steps[summary.step_count - 1];
                assert_int_equal(step_constant(last, "GROUP_SIZE"), large ? 576 : 160);
                assert_int_equal(step_param(last - 1, "item_count"), large ? 4608 : 1280);
                assert_int_equal(step_param(last - 1, "filled_count"), large ? 4148 : 1152);
            }
        }
    }
}

/* Sorts of up to 2^20 keys have a root of 8 bits; larger ones, from 7 bits on, as many as fill
   items after one level or two. */
static void test_roots(void **state) {
    (void)state;
    static const struct {
        uint64_t count;
        uint32_t bits;
    } rows[] = {{1281, 8},    {100000, 8},  {1 << 20, 8}, {(1 << 20) + 1, 7},
                {1 << 22, 7}, {1 << 24, 7}, {1 << 25, 8}, {1 << 28, 8}};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_of(&roomy, (ordo_sort_desc){.max_count = rows[i].count}, steps);
        assert_int_equal(step_param(&steps[0], "root_bits"), rows[i].bits);
    }
}

/* Tiles, and in how many rounds they move: of keys, of pairs; those of small sorts, and of keys
   alone of medium ones, which floats stay at. Where there is memory rounds are fewer. */
static void test_tiles(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        struct {
            uint32_t tile, rounds;
        } small, large; /* of 16 KiB, of 20 */
    } rows[] = {
        {{.max_count = (1 << 22) + 1}, {12288, 6}, {12288, 3}},
        {{.max_count = (1 << 22) + 1, .key = ORDO_I64}, {6144, 6}, {6144, 3}},
        {{.max_count = (1 << 22) + 1, .key = ORDO_F64}, {6144, 6}, {6144, 3}},
        {{.max_count = (1 << 22) + 1, .key = ORDO_F32}, {8192, 4}, {8192, 2}},
        {{.max_count = 1 << 28, .key = ORDO_F32}, {8192, 4}, {8192, 2}},
        {{.max_count = 1 << 22}, {8192, 4}, {8192, 2}},
        {{.max_count = (1 << 20) + 1}, {8192, 4}, {8192, 2}},
        {{.max_count = 1 << 22, .key = ORDO_I64}, {4096, 4}, {4096, 2}},
        {{.max_count = 1 << 23, .value_bytes = 8}, {6144, 2}, {6144, 2}},
        {{.max_count = 1 << 22, .argsort = true}, {6144, 2}, {6144, 2}},
        {{.max_count = (1 << 20) + 1, .key = ORDO_F64, .value_bytes = 4}, {3072, 2}, {3072, 2}},
        {{.max_count = 1 << 22, .value_bytes = 4, .allow_unstable = true}, {6144, 2}, {6144, 2}},
        {{.max_count = 1 << 20}, {4096, 2}, {4096, 2}},
        {{.max_count = 1 << 20, .key = ORDO_U64, .argsort = true}, {2048, 2}, {2048, 2}},
        {{.max_count = 1 << 20, .value_bytes = 4}, {4096, 2}, {4096, 2}},
    };
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        ordo_caps caps = roomy;
        caps.max_workgroup_bytes = i % 2 ? 20480 : 0;
        ordo_summary summary = plan_of(&caps, rows[i / 2].desc, steps);
        const ordo_step *partition = &steps[summary.step_count - 2];
        assert_string_equal(partition->kernel, "msd_partition");
        assert_int_equal(step_param(partition, "tile_items"),
                         i % 2 ? rows[i / 2].large.tile : rows[i / 2].small.tile);
        assert_int_equal(step_constant(partition, "ROUNDS"),
                         i % 2 ? rows[i / 2].large.rounds : rows[i / 2].small.rounds);
    }
}

/* The borders of the three sizes as they may be told: where small sorts reach beyond the middle
   ones there are none of these, and what is small has levels that are just enough. */
static void test_told_sizes(void **state) {
    (void)state;
    enum { SMALL = 2048, MIDDLE = 1536, LARGE = 1024 }; /* tiles */
    static const struct {
        const char *tuning;
        uint32_t tiles[4]; /* of 5,000 keys, one more, 9,000, one more */
    } rows[] = {
        {"msd_small_count=5000 msd_medium_count=9000", {SMALL, MIDDLE, MIDDLE, LARGE}},
        {"msd_small_count=0 msd_medium_count=5000", {MIDDLE, LARGE, LARGE, LARGE}},
        {"msd_small_count=0 msd_medium_count=0", {LARGE, LARGE, LARGE, LARGE}},
        {"msd_small_count=5000 msd_medium_count=5000", {SMALL, LARGE, LARGE, LARGE}},
        {"msd_small_count=9000 msd_medium_count=5000", {SMALL, SMALL, SMALL, LARGE}},
    };
    static const uint64_t counts[] = {5000, 5001, 9000, 9001};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (uint32_t j = 0; j < COUNT_OF(counts); j++) {
            char text[160];
            snprintf(text, sizeof text,
                     "%s msd_small_items=8 msd_small_rounds=1 msd_medium_items=6 "
                     "msd_medium_rounds=3 msd_items=4 msd_rounds=2",
                     rows[i].tuning);
            uint32_t tile = rows[i].tiles[j];
            const ordo_caps caps = {.tuning = text};
            ordo_summary summary = plan_of(&caps, (ordo_sort_desc){.max_count = counts[j]}, steps);
            const ordo_step *partition = &steps[summary.step_count - 2];
            assert_int_equal(step_param(partition, "tile_items"), tile);
            assert_int_equal(step_constant(partition, "ROUNDS"), tile == SMALL    ? 1
                                                                 : tile == MIDDLE ? 3
                                                                                  : 2);
            assert_int_equal(summary.pass_count, tile == SMALL ? 4 : 6);
        }
    }
}

/* Tiles of even data have a workgroup each; levels that mostly find nothing have fewer. */
static void test_workgroups_of_levels(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    uint64_t count = 1 << 24;
    ordo_summary summary = plan_of(NULL, (ordo_sort_desc){.max_count = count}, steps);
    const ordo_tuning *tuning =
        ordo_tune(&(ordo_caps){.max_invocations = 256, .max_workgroup_bytes = 16384});
    uint64_t tiles = ordo_div_ceil(count, (uint64_t)tuning->msd_group * tuning->msd_items);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(steps[i].group_count_x, tuning->histogram_groups);
    assert_int_equal(steps[4].group_count_x, tiles);
    assert_true(steps[6].group_count_x >= tiles);
    for (uint32_t i = 7; i + 1 < summary.step_count; i++)
        assert_int_equal(steps[i].group_count_x, tuning->msd_late_groups);
}

/* However many tiles and items there are, no step has more workgroups than this; the device's grid
   is wide enough. */
static void test_workgroups_of_many_elements(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    static const ordo_sort_desc descs[] = {{.max_count = 1 << 28},
                                           {.max_count = 1 << 28, .argsort = true}};
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint32_t most = 0;
        ordo_summary summary = plan_of(&roomy, descs[i], steps);
        for (uint32_t s = 0; s < summary.step_count; s++) {
            assert_int_equal(steps[s].group_count_y, 1);
            most = steps[s].group_count_x > most ? steps[s].group_count_x : most;
        }
        assert_int_equal(most, 8192);
    }
}

/* Digits of fixed-point numbers: of sampled sorts of f32 keys that have levels to spare. */
static void test_fixed_roots(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        bool fixed;
    } rows[] = {
        {{.max_count = 1 << 23, .key = ORDO_F32}, true},
        {{.max_count = 1 << 23, .key = ORDO_F32, .argsort = true}, true},
        {{.max_count = 1 << 24, .key = ORDO_F32, .value_bytes = 8}, true},
        {{.max_count = (1 << 23) - 1, .key = ORDO_F32}, false},
        {{.max_count = 1 << 23, .key = ORDO_F64}, false},
        {{.max_count = 1 << 23, .key = ORDO_I32}, false},
    };
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ordo_summary summary = plan_of(&roomy, rows[i].desc, steps);
        uint32_t fixed = 0;
        for (uint32_t s = 0; s < summary.step_count; s++)
            fixed += step_constant(&steps[s], "FIXED_ROOT") != 0;
        assert_int_equal(fixed, rows[i].fixed ? 1 + 2 * summary.pass_count : 0);
    }
}

/* B086: any grid will do, even a single workgroup; only what gathers wide values needs more. */
static void test_the_smallest_grids(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {{.key = ORDO_F32},
                                           {.key = ORDO_U64, .in_place = true},
                                           {.argsort = true},
                                           {.value_bytes = 8},
                                           {.key = ORDO_I64, .value_bytes = 4, .in_place = true}};
    ordo_step steps[MAX_STEPS];
    for (uint32_t groups = 1; groups <= 2; groups++) {
        ordo_caps caps = {.max_groups = groups};
        for (size_t i = 0; i < COUNT_OF(descs); i++) {
            for (uint64_t count = 1; count < 1 << 24; count = count * 3 + 1) {
                ordo_sort_desc desc = descs[i];
                desc.max_count = count;
                ordo_summary summary = plan_of(&caps, desc, steps);
                for (uint32_t s = 0; s < summary.step_count; s++) {
                    assert_in_range(steps[s].group_count_x, 1, groups);
                    assert_in_range(steps[s].group_count_y, 1, groups);
                }
            }
        }
        plan_problem wide = {
            .caps = caps,
            .sort = {.max_count = 100000, .value_bytes = 16, .method = ORDO_METHOD_MSD}};
        expect_refusal(&wide, ORDO_MESSAGE_GROUPS,
                       (ordo_report){.a = 100000, .b = 98, .c = groups});
        wide.sort.max_count = 1024;
        expect_plan(&wide);
    }
}

/* Whatever can be planned can be with fewer elements, on a grid of any size. */
static void test_fewer_elements_are_planned_too(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {{.value_bytes = 16},
                                           {.key = ORDO_F64, .value_bytes = 64, .in_place = true},
                                           {.argsort = true}};
    uint32_t refused = 0;
    for (uint32_t groups = 1; groups <= 9; groups++) {
        for (size_t i = 0; i < COUNT_OF(descs); i++) {
            plan_problem problem = {.caps = {.max_groups = groups}, .sort = descs[i]};
            bool fits = true;
            problem.sort.method = ORDO_METHOD_MSD;
            for (uint64_t power = 256; power <= 1 << 21; power += power / 16) {
                for (uint64_t count = power - 1; count <= power + 1; count++) {
                    ordo_summary summary;
                    problem.sort.max_count = count;
                    bool planned = plan_steps(&problem, NULL, 0, &summary) == ORDO_OK;
                    if (planned && !fits)
                        fail_msg("%s: planned, but not fewer", plan_describe(&problem));
                    fits = planned;
                }
            }
            refused += !fits;
        }
    }
    assert_int_equal(refused, 18);
}

/* B011, B028, B089, B094: every type, order and size of values, up to the most elements. */
static void test_every_form_at_every_size(void **state) {
    (void)state;
    static const uint64_t counts[] = {1,       2,       1279,     1280,      1281,   6143,
                                      6145,    16383,   16384,    262144,    262145, 1 << 20,
                                      1 << 27, 1 << 30, 1u << 31, UINT32_MAX};
    uint32_t planned = 0;
    for (uint32_t form = 0; form < 6 * 2 * 18; form++) {
        uint32_t values = form / 12;
        plan_problem problem = {.caps = roomy,
                                .sort = {.key = (ordo_type)(form % 6),
                                         .order = (ordo_order)(form / 6 % 2),
                                         .value_bytes = values < 17 ? 4 * values : 0,
                                         .argsort = values == 17,
                                         .method = ORDO_METHOD_MSD}};
        problem.caps.subgroups = form % 5 == 0;
        problem.caps.subgroup_size = form % 3 ? 32 : form % 2 ? 128 : 8;
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            problem.sort.max_count = counts[i];
            problem.sort.in_place = (i + form) % 2 && values < 17;
            ordo_status status;
            const char *wrong = plan_check(&problem, &status);
            if (wrong)
                fail_msg("%s: %s", plan_describe(&problem), wrong);
            planned += status == ORDO_OK;
        }
    }
    assert_true(planned > 6 * 2 * 18 * COUNT_OF(counts) * 3 / 4);
}

/* Ballots rank keys in their order where subgroups are all of one fitting size. */
static void test_ballots(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    for (uint32_t size = 0; size <= 256; size += 4) {
        for (uint32_t values = 0; values <= 4; values += 4) {
            ordo_caps caps = {.subgroups = true, .subgroup_size = size};
            plan_of(&caps, (ordo_sort_desc){.max_count = 100000, .value_bytes = values}, steps);
            bool fits = size == 16 || size == 32 || size == 64;
            const ordo_step *partition = &steps[values ? 3 : 2];
            assert_string_equal(partition->kernel, "msd_partition");
            assert_int_equal(partition->subgroups, values && fits);
            assert_int_equal(step_constant(partition, "SUBGROUP_SIZE"), values && fits ? size : 0);
        }
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void test_what_is_refused(void **state) {
    (void)state;
    expect_whole_keys_only(ORDO_METHOD_MSD, "msd compares whole keys");
}

/* B049. */
static void test_no_elements(void **state) {
    (void)state;
    expect_no_steps_for_nothing(ORDO_METHOD_MSD);
}

/* P5; B032: the promises hold for whatever is asked of this method. */
static void test_random_problems(void **state) {
    (void)state;
    expect_promises(ORDO_METHOD_MSD, 77, 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatches),
        cmocka_unit_test(test_one_item),
        cmocka_unit_test(test_sizes_of_items),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_told_sizes),
        cmocka_unit_test(test_workgroups_of_levels),
        cmocka_unit_test(test_workgroups_of_many_elements),
        cmocka_unit_test(test_fixed_roots),
        cmocka_unit_test(test_the_smallest_grids),
        cmocka_unit_test(test_fewer_elements_are_planned_too),
        cmocka_unit_test(test_every_form_at_every_size),
        cmocka_unit_test(test_ballots),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_random_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
