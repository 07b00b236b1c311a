/* SPDX-License-Identifier: MIT */
/*
 * test_plan_onesweep.c: plans of radix sorts of one pass a digit, without a GPU: which steps they
 * have, how they are cut into portions, what is refused, and when AUTO takes them.
 */
#include "model.h"
#include "plan.h"
#include "plan_expect.h"

#include <inttypes.h>

#define GIB (1ull << 30)
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* A shape that the counts below are made for, whatever that of the device is. */
enum { MAX_STEPS = 90, TILE = 3072 };
#define SHAPE                                                                                      \
    "onesweep_group=256 onesweep_items=12 onesweep_rounds=1 onesweep_pair_items=12 "               \
    "onesweep_pair_rounds=1 onesweep_small_count=0 onesweep_histogram_groups=528"

/* Whatever the device allows. */
static const ordo_caps roomy = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB};

/* Plans a sort into steps of that shape, and checks all promises. */
static ordo_summary plan_of(const ordo_caps *caps, ordo_sort_desc desc, ordo_step *steps) {
    plan_problem problem = {.caps = caps ? *caps : (ordo_caps){0}, .sort = desc};
    ordo_summary summary;
    problem.caps.tuning = SHAPE;
    problem.sort.method = ORDO_METHOD_ONESWEEP;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, steps, MAX_STEPS, &summary), ORDO_OK);
    return summary;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* How many dispatches: two, and one a digit; in place with an odd number of those, copies; and what
   gathers wide values. */
static void test_dispatches(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        uint32_t passes, digit_bits, others;
    } rows[] = {
        {{.key = ORDO_U32}, 4, 8, 2},
        {{.key = ORDO_F32, .in_place = true}, 4, 8, 2},
        {{.key = ORDO_I32, .argsort = true, .digit_bits = 8}, 4, 8, 2},
        {{.key = ORDO_U32, .value_bytes = 8, .in_place = true}, 4, 8, 2},
        {{.key = ORDO_U32, .value_bytes = 16}, 4, 8, 3},
        {{.key = ORDO_U32, .value_bytes = 64, .in_place = true}, 4, 8, 4},
        {{.key = ORDO_F64, .value_bytes = 4}, 8, 8, 2},
        {{.key = ORDO_U64, .in_place = true, .skip_low_bits = 11}, 7, 8, 3},
        {{.value_bytes = 4, .in_place = true, .skip_high_bits = 13}, 3, 7, 4},
        {{.value_bytes = 12, .in_place = true, .skip_low_bits = 8}, 3, 8, 5},
        {{.key = ORDO_I64, .skip_low_bits = 27, .skip_high_bits = 28}, 2, 5, 2},
        {{.argsort = true, .skip_low_bits = 31}, 1, 1, 2},
    };
    static const uint64_t counts[] = {1, TILE, TILE + 1, 1 << 20, 10000019};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t j = 0; j < COUNT_OF(counts); j++) {
            ordo_sort_desc desc = rows[i].desc;
            desc.max_count = counts[j];
            ordo_summary summary = plan_of(&roomy, desc, steps);
            assert_int_equal(summary.method, ORDO_METHOD_ONESWEEP);
            assert_int_equal(summary.step_count, rows[i].passes + rows[i].others);
            assert_int_equal(summary.pass_count, rows[i].passes);
            assert_int_equal(summary.digit_bits, rows[i].digit_bits);
        }
    }
}

/* No pass for an empty window. */
static void test_ties(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    ordo_summary summary =
        plan_of(NULL, (ordo_sort_desc){.max_count = 1000, .skip_low_bits = 32}, steps);
    assert_int_equal(summary.step_count, 1);
    assert_string_equal(steps[0].entry, "move_copy");
}

/* Keys in between, and a word a digit and tile. */
static void test_scratch(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    uint64_t tiles = ((1 << 20) - 1) / TILE + 1;
    ordo_summary summary = plan_of(NULL, (ordo_sort_desc){.max_count = 1 << 20}, steps);
    assert_int_equal(summary.scratch_bytes, (4 << 20) + 4 * (64 + 4 * 256) + 1024 * tiles);
    assert_int_equal(summary.moved_bytes, 4 * (64 + 4 * 256) + (4 << 20) + 1024 * tiles +
                                              4 * ((8 << 20) + 3 * 1024 * tiles));
}

/* Keys of two words have half as many a tile. */
static void test_tiles(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    plan_of(NULL, (ordo_sort_desc){.max_count = 10 * TILE + 1}, steps);
    assert_int_equal(steps[2].group_count_x, 11);
    plan_of(NULL, (ordo_sort_desc){.max_count = 10 * TILE + 1, .key = ORDO_I64}, steps);
    assert_int_equal(steps[2].group_count_x, 21);
    plan_of(NULL, (ordo_sort_desc){.max_count = 1 << 24}, steps);
    assert_int_equal(steps[1].group_count_x, 528);
}

/* Ballots rank where subgroups have one size, and strips no more counts than by masks. */
static void test_ballots(void **state) {
    (void)state;
    static const struct {
        bool subgroups;
        uint32_t size, ballots;
    } rows[] = {{false, 32, false}, {true, 0, false}, {true, 4, false}, {true, 8, false},
                {true, 16, true},   {true, 32, true}, {true, 64, true}, {true, 128, false}};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const ordo_caps caps = {.subgroups = rows[i].subgroups, .subgroup_size = rows[i].size};
        plan_of(&caps, (ordo_sort_desc){.max_count = 100000}, steps);
        assert_false(steps[0].subgroups || steps[1].subgroups);
        for (uint32_t i_step = 2; i_step < 6; i_step++)
            assert_int_equal(steps[i_step].subgroups, rows[i].ballots);
    }
}

/* ---- Portions -------------------------------------------------------------------------------- */

/* B086: a pass takes several steps where a grid is too small, or words of the table: those count to
   2^30 - 1. */
static void test_portions(void **state) {
    (void)state;
    static const struct {
        uint32_t max_groups;
        uint64_t count;
        uint32_t portions;
    } rows[] = {{1, TILE, 1},
                {1, TILE + 1, 2},
                {1, 8 * TILE, 8},
                {2, 4 * TILE, 1},
                {2, 4 * TILE + 1, 2},
                {2, 32 * TILE, 8},
                {0, (1 << 30) - 1 - 1023, 1},
                {0, (1 << 30) - 1023, 2},
                {0, UINT32_MAX, 5}};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ordo_caps caps = roomy;
        caps.max_groups = rows[i].max_groups;
        ordo_summary summary = plan_of(&caps, (ordo_sort_desc){.max_count = rows[i].count}, steps);
        assert_int_equal(summary.step_count, 2 + 4 * rows[i].portions);
    }
}

/* More than eight portions are a grid that is too small. */
static void test_grids_too_small(void **state) {
    (void)state;
    plan_problem problem = {.caps = {.max_groups = 2, .tuning = SHAPE},
                            .sort = {.max_count = 32 * TILE + 1, .method = ORDO_METHOD_ONESWEEP}};
    expect_refusal(&problem, ORDO_MESSAGE_GROUPS,
                   (ordo_report){.a = 32 * TILE + 1, .b = 5, .c = 2});
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void test_what_is_refused(void **state) {
    (void)state;
    const struct {
        ordo_sort_desc desc;
        const char *field;
        uint32_t value;
        const char *why;
    } rows[] = {
        {{.digit_bits = 4}, "digit_bits", 4, "onesweep has digits of 8"},
        {{.part_count = 2}, "part_count", 2, "only networks take composite keys"},
        {{.row_length = 9}, "row_length", 9, "only networks sort rows"},
        {{.block_length = 64},
         "block_length",
         64,
         "only the methods bitonic and oddeven have blocks"},
        {{.fused_levels = 1}, "fused_levels", 1, "only networks have levels"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_problem problem = {.sort = rows[i].desc};
        problem.sort.method = ORDO_METHOD_ONESWEEP;
        problem.sort.max_count = 1000;
        expect_refusal(&problem, ORDO_MESSAGE_METHOD_FIELD,
                       (ordo_report){.s = rows[i].field, .t = rows[i].why, .a = rows[i].value});
    }
}

/* ---- The automatic choice -------------------------------------------------------------------- */

static ordo_method choice(const ordo_caps *caps, ordo_sort_desc desc) {
    plan_problem problem = {.caps = *caps, .sort = desc};
    ordo_summary summary;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary), ORDO_OK);
    return summary.method;
}

/* AUTO takes it where workgroups go on, for windows of many keys and digits; of whole keys msd,
   unless that is rejected, or wants more scratch than there may be. */
static void test_the_automatic_choice(void **state) {
    (void)state;
    const ordo_sort_desc window = {.max_count = 1 << 24, .skip_high_bits = 8};
    const ordo_sort_desc digit = {.max_count = 1 << 24, .skip_low_bits = 24, .value_bytes = 4};
    const ordo_sort_desc whole = {.max_count = 1 << 24};
    ordo_caps caps = {.forward_progress = true};
    assert_int_equal(choice(&caps, window), ORDO_METHOD_ONESWEEP);
    assert_int_equal(choice(&caps, digit), ORDO_METHOD_RADIX);
    assert_int_equal(choice(&caps, whole), ORDO_METHOD_MSD);
    caps.rejected_methods = 1 << ORDO_METHOD_MSD;
    assert_int_equal(choice(&caps, whole), ORDO_METHOD_ONESWEEP);
    caps.rejected_methods = 1 << ORDO_METHOD_RADIX;
    assert_int_equal(choice(&caps, digit), ORDO_METHOD_ONESWEEP);
    caps.rejected_methods = 1 << ORDO_METHOD_ONESWEEP;
    assert_int_equal(choice(&caps, window), ORDO_METHOD_RADIX);
    assert_int_equal(choice(&caps, digit), ORDO_METHOD_RADIX);
    caps = (ordo_caps){.forward_progress = true, .software = true};
    assert_int_equal(choice(&caps, window), ORDO_METHOD_RADIX);
    caps = (ordo_caps){.forward_progress = false};
    assert_int_equal(choice(&caps, window), ORDO_METHOD_RADIX);
    caps = (ordo_caps){.forward_progress = true, .max_buffer_bytes = 75 << 20};
    assert_int_equal(choice(&caps, whole), ORDO_METHOD_ONESWEEP);
    caps.max_buffer_bytes = 69908000; /* radix takes 69,906,432, onesweep some words more */
    assert_int_equal(choice(&caps, whole), ORDO_METHOD_RADIX);
    assert_int_equal(choice(&caps, window), ORDO_METHOD_RADIX);
    const ordo_sort_desc told = {.max_count = 1 << 24, .skip_high_bits = 8, .digit_bits = 8};
    assert_int_equal(choice(&caps, told), ORDO_METHOD_RADIX);
}

/* Scratch never falls as counts grow, and none is refused below one that is planned. */
static void check_growth(const ordo_caps *caps, ordo_sort_desc desc, uint32_t *taken) {
    uint64_t scratch = 0, refused = UINT64_MAX;
    for (uint32_t step = 0; step < 28 * 6; step++) {
        static const uint32_t sixths[] = {64, 65, 81, 100, 113, 127};
        uint64_t power = (uint64_t)1 << step / 6;
        ordo_summary summary;
        desc.max_count = power * sixths[step % 6] / 64 + (step % 6 == 1);
        plan_problem problem = {.caps = *caps, .sort = desc};
        if (plan_steps(&problem, NULL, 0, &summary) != ORDO_OK) {
            refused = refused < desc.max_count ? refused : desc.max_count;
            continue;
        }
        *taken += summary.method == ORDO_METHOD_ONESWEEP;
        if (summary.scratch_bytes < scratch || refused < desc.max_count)
            fail_msg("%s: scratch was %" PRIu64 ", is %" PRIu64 "; %" PRIu64 " are refused",
                     plan_describe(&problem), scratch, summary.scratch_bytes, refused);
        scratch = summary.scratch_bytes;
    }
}

static void test_scratch_never_falls(void **state) {
    (void)state;
    static const uint64_t buffers[] = {0, 64 * GIB, 60 << 20, 130 << 20};
    static const ordo_sort_desc payloads[] = {
        {.value_bytes = 0}, {.value_bytes = 4}, {.value_bytes = 8, .in_place = true},
        {.argsort = true},  {.in_place = true}, {.value_bytes = 64, .allow_unstable = true}};
    static const uint32_t windows[][2] = {{0, 0}, {0, 24}, {3, 16}, {9, 0}, {28, 3}, {0, 32}};
    uint32_t taken = 0;
    for (uint32_t i = 0; i < 2 * COUNT_OF(payloads) * COUNT_OF(windows); i++) {
        ordo_sort_desc desc = payloads[i / 2 % COUNT_OF(payloads)];
        desc.key = i % 2 ? ORDO_U64 : ORDO_F32;
        desc.skip_low_bits = windows[i / 2 / COUNT_OF(payloads)][0];
        desc.skip_high_bits = windows[i / 2 / COUNT_OF(payloads)][1];
        for (uint32_t rejected = 0; rejected <= PLAN_ALL_METHODS; rejected += 2) {
            bool some = rejected == 0 || rejected == 1 << ORDO_METHOD_MSD ||
                        rejected == 1 << ORDO_METHOD_RADIX ||
                        rejected == 1 << ORDO_METHOD_BITONIC ||
                        rejected == (1 << ORDO_METHOD_RADIX | 1 << ORDO_METHOD_MSD);
            for (uint32_t j = 0; some && j < COUNT_OF(buffers); j++) {
                const ordo_caps caps = {.max_buffer_bytes = buffers[j],
                                        .max_binding_bytes = buffers[j],
                                        .rejected_methods = rejected,
                                        .forward_progress = true};
                check_growth(&caps, desc, &taken);
            }
        }
    }
    assert_true(taken > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatches),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_scratch),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_ballots),
        cmocka_unit_test(test_portions),
        cmocka_unit_test(test_grids_too_small),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_the_automatic_choice),
        cmocka_unit_test(test_scratch_never_falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
