/* SPDX-License-Identifier: MIT */
/*
 * test_plan_sample.c: plans of sample sorts, without a GPU: which steps they have, how many
 * workgroups of which size, what is refused, and what scratch they take.
 */
#include "model.h"
#include "plan.h"
#include "plan_expect.h"

#include <inttypes.h>

#define GIB (1ull << 30)
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { MAX_STEPS = 8 };

/* Whatever the device allows. */
static const ordo_caps roomy = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB};

/* Plans a sort into steps, and checks all promises: plan_check_sample.c has those of the steps. */
static ordo_summary plan_of(const ordo_caps *caps, ordo_sort_desc desc, ordo_step *steps) {
    plan_problem problem = {.no_caps = !caps, .caps = caps ? *caps : (ordo_caps){0}, .sort = desc};
    ordo_summary summary;
    problem.sort.method = ORDO_METHOD_SAMPLE;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, steps, MAX_STEPS, &summary), ORDO_OK);
    return summary;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* One dispatch without scratch; in place a copy of each column more. */
static void test_dispatches_and_scratch(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        uint32_t steps, scratch_bytes; /* an element */
        const char *entry;
    } rows[] = {
        {{.key = ORDO_U32}, 1, 0, "sample_slice_keys"},
        {{.key = ORDO_F32, .in_place = true}, 2, 4, "sample_slice_keys"},
        {{.key = ORDO_I32, .argsort = true}, 1, 0, "sample_slice_index"},
        {{.key = ORDO_U32, .value_bytes = 4}, 1, 0, "sample_slice_pairs"},
        {{.key = ORDO_U64, .value_bytes = 64}, 1, 0, "sample_slice_pairs"},
        {{.key = ORDO_F64, .value_bytes = 12, .in_place = true}, 3, 20, "sample_slice_pairs"},
    };
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (uint64_t count = 256; count <= 1 << 20; count *= 4) {
            ordo_sort_desc desc = rows[i].desc;
            desc.max_count = count;
            ordo_summary summary = plan_of(&roomy, desc, steps);
            assert_int_equal(summary.step_count, rows[i].steps);
            assert_int_equal(summary.scratch_bytes, count * rows[i].scratch_bytes);
            assert_string_equal(steps[summary.step_count - 1].entry, rows[i].entry);
        }
    }
}

/* A workgroup for each slice, half of what it can sort; one if it can sort all. */
static void test_workgroups(void **state) {
    (void)state;
    static const ordo_caps caps[] = {
        {0}, {.max_invocations = 1024}, {.max_workgroup_bytes = 65536, .max_invocations = 1024}};
    static const struct {
        uint64_t count;
        uint32_t groups;
    } counts[] = {{1, 1},    {2048, 1},     {2049, 3},       {3072, 3},
                  {3073, 4}, {256000, 250}, {1u << 25, 2048}};
    ordo_step step;
    for (size_t i = 0; i < COUNT_OF(caps); i++) {
        for (size_t j = 0; j < COUNT_OF(counts); j++) {
            plan_of(&caps[i], (ordo_sort_desc){.max_count = counts[j].count}, &step);
            assert_int_equal(step.constants[0].value, 256);
            assert_int_equal(step.group_count_x * step.group_count_y, counts[j].groups);
        }
    }
}

/* Quads are read from keys of more than 256 bytes, where buffers may be bound at multiples of
   256. */
static void test_quads(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    for (uint32_t alignment = 4; alignment <= 1024; alignment *= 2) {
        ordo_caps caps = {.offset_alignment_bytes = alignment};
        for (uint64_t count = 1; count < 5000; count += 1 + count / 40) {
            ordo_sort_desc desc = {.max_count = count, .value_bytes = 4, .in_place = count % 2};
            ordo_summary summary = plan_of(&caps, desc, steps);
            const ordo_step *last = &steps[summary.step_count - 1];
            bool quads = count > 64 && alignment <= 256;
            assert_int_equal(last->range_count, quads ? 5 : 4);
            assert_string_equal(last->entry,
                                quads ? "sample_slice_pairs" : "sample_slice_pairs_words");
        }
    }
}

/* B086: any grid will do, even a single workgroup; only the copies of a sort in place need more. */
static void test_the_smallest_grids(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {
        {.key = ORDO_F32}, {.argsort = true}, {.value_bytes = 8}};
    ordo_step step;
    for (uint32_t groups = 1; groups <= 2; groups++) {
        ordo_caps caps = {.max_groups = groups};
        for (size_t i = 0; i < COUNT_OF(descs); i++) {
            for (uint64_t count = 1; count < 1 << 23; count = count * 3 + 1) {
                ordo_sort_desc desc = descs[i];
                desc.max_count = count;
                plan_of(&caps, desc, &step);
                assert_in_range(step.group_count_x, 1, groups);
                assert_in_range(step.group_count_y, 1, groups);
            }
        }
    }
    plan_problem in_place = {
        .caps = {.max_groups = 2},
        .sort = {.max_count = 4096, .in_place = true, .method = ORDO_METHOD_SAMPLE}};
    expect_plan(&in_place);
    in_place.sort.max_count++;
    expect_refusal(&in_place, ORDO_MESSAGE_GROUPS, (ordo_report){.a = 4097, .b = 5, .c = 2});
}

/* B011, B028, B089, B094: every type, order and size of values, up to the most elements. */
static void test_every_form_at_every_size(void **state) {
    (void)state;
    static const uint64_t counts[] = {1,    2,       2047,    2048,    2049,     4096,      4097,
                                      6145, 1 << 16, 1 << 20, 1 << 27, 1u << 31, UINT32_MAX};
    uint32_t planned = 0;
    for (uint32_t form = 0; form < 6 * 2 * 18; form++) {
        uint32_t values = form / 12;
        plan_problem problem = {.caps = roomy,
                                .sort = {.key = (ordo_type)(form % 6),
                                         .order = (ordo_order)(form / 6 % 2),
                                         .value_bytes = values < 17 ? 4 * values : 0,
                                         .argsort = values == 17,
                                         .method = ORDO_METHOD_SAMPLE}};
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

/* ---- Refusals -------------------------------------------------------------------------------- */

static void test_what_is_refused(void **state) {
    (void)state;
    expect_whole_keys_only(ORDO_METHOD_SAMPLE, "sample compares whole keys");
}

/* B049. */
static void test_no_elements(void **state) {
    (void)state;
    expect_no_steps_for_nothing(ORDO_METHOD_SAMPLE);
}

/* P5; B032: the promises hold for whatever is asked of this method. */
static void test_random_problems(void **state) {
    (void)state;
    expect_promises(ORDO_METHOD_SAMPLE, 78, 8000);
}

/* ---- Choice ---------------------------------------------------------------------------------- */

/* AUTO takes it for some thousand keys; not where there would be nothing for more of them, nor on a
   device that is a CPU. */
static void test_the_choice(void **state) {
    (void)state;
    const uint32_t radix = 1 << ORDO_METHOD_RADIX, msd = 1 << ORDO_METHOD_MSD;
    const struct {
        ordo_caps caps;
        ordo_sort_desc desc;
        bool sample;
    } rows[] = {
        {{0}, {0}, true},
        {{0}, {.key = ORDO_F64, .argsort = true}, true},
        {{0}, {.value_bytes = 4, .in_place = true}, true},
        {{.rejected_methods = radix}, {0}, true},
        {{.rejected_methods = msd}, {0}, true},
        {{.rejected_methods = radix | msd}, {0}, false},
        {{.rejected_methods = 1 << ORDO_METHOD_SAMPLE}, {0}, false},
        {{.max_groups = 4095}, {0}, false},
        {{.software = true}, {0}, false},
        {{0}, {.skip_low_bits = 1}, false},
        {{0}, {.row_length = 100}, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_problem problem = {.caps = rows[i].caps, .sort = rows[i].desc};
        ordo_summary summary;
        problem.sort.max_count = 1 << 14;
        expect_plan(&problem);
        assert_int_equal(plan_steps(&problem, NULL, 0, &summary), ORDO_OK);
        assert_int_equal(summary.method == ORDO_METHOD_SAMPLE, rows[i].sample);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatches_and_scratch),
        cmocka_unit_test(test_workgroups),
        cmocka_unit_test(test_quads),
        cmocka_unit_test(test_the_smallest_grids),
        cmocka_unit_test(test_every_form_at_every_size),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_the_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
