/* SPDX-License-Identifier: MIT */
/*
 * test_fake_check.c: ordo_self_check on the fake WebGPU: what is right passes, what is wrong is
 * struck, and the context remembers. test_fake_check_fail.c has what fails in other ways.
 */
#include "fake_check.h"

#include <stdio.h>

/* The method that AUTO chooses on the context for so many keys. */
static ordo_method choice(ordo_context *context, uint64_t count) {
    ordo_plan *plan;
    const ordo_sort_desc desc = {.max_count = count};
    assert_int_equal(ordo_sort_plan(context, &desc, &plan), ORDO_OK);
    const ordo_method method = ordo_plan_info(plan)->method;
    ordo_plan_release(plan);
    return method;
}

static void test_all_passes(void **state) {
    (void)state;
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (size_t t = 0; t < COUNT(timings); t++) {
        check_begin();
        fake.timing = timings[t];
        ordo_context *context = make_context();
        const ordo_caps before = *ordo_context_caps(context);
        ordo_check check;
        assert_int_equal(run_check(context, &check), ORDO_OK);
        assert_int_equal(check.passed_methods, ALL_METHODS);
        assert_int_equal(check.rejected_methods, 0);
        assert_int_equal(check.row_count, 7);
        assert_true(check.rows[0].case_count >= 6 && check.rows[6].case_count >= 3);
        assert_false(check.subgroups_failed || check.forward_progress_failed);
        assert_true(check_world.most_count > 1 << 17); /* long enough for unrolled kernels */
        assert_memory_equal(ordo_context_caps(context), &before, sizeof before);
        assert_int_equal(fake.live[FAKE_BUFFER], 0);

        const unsigned creations = fake.creations;
        ordo_check again;
        assert_int_equal(ordo_self_check(context, 1, &again), ORDO_OK);
        assert_memory_equal(&again, &check, sizeof check);
        assert_int_equal(ordo_self_check(context, 0, NULL), ORDO_OK);
        assert_int_equal(fake.creations, creations); /* it is remembered */
        check_end(context);
    }
}

/* A tier is run where its plans differ from those of the tiers before, and only there. */
static void test_tiers(void **state) {
    (void)state;
    check_begin();
    fake.has_subgroups = true;
    ordo_context *context = context_with(&(ordo_caps){.forward_progress = true});
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_OK);
    assert_non_null(row_of(&check, "bitonic", "portable"));
    assert_non_null(row_of(&check, "bitonic", "subgroups"));
    assert_null(row_of(&check, "bitonic", "forward progress"));
    assert_null(row_of(&check, "radix", "subgroups"));
    assert_non_null(row_of(&check, "scan", "subgroups"));
    assert_non_null(row_of(&check, "scan", "forward progress"));
    assert_true(ordo_context_caps(context)->subgroups);
    assert_true(ordo_context_caps(context)->forward_progress);
    check_end(context);
}

/* The limit is the check's: later work may take as long as it likes. */
static void test_the_limit_ends_with_the_check(void **state) {
    (void)state;
    check_begin();
    fake.timing = FAKE_AT_ONCE;
    ordo_context *context = make_context();
    assert_int_equal(ordo_self_check(context, 1, NULL), ORDO_OK);
    fake.timing = FAKE_MUCH_LATER_EVENTS;
    uint32_t keys[] = {2, 1};
    assert_int_equal(ordo_sort_array(context, &(ordo_sort_desc){.max_count = 2}, keys, NULL),
                     ORDO_OK);
    check_end(context);
}

/* What AUTO avoids when a method is wrong; the method itself is still there for who names it. */
static void test_a_wrong_method(void **state) {
    (void)state;
    const struct {
        const char *name, *broken;
        ordo_method method;
    } rows[] = {{"radix", "radix_scatter", ORDO_METHOD_RADIX},
                {"bitonic", "bitonic_merge", ORDO_METHOD_BITONIC},
                {"oddeven", "oddeven_step", ORDO_METHOD_ODDEVEN},
                {"msd", "msd_partition", ORDO_METHOD_MSD},
                {"sample", "sample_slice", ORDO_METHOD_SAMPLE},
                {"onesweep", "onesweep_scatter", ORDO_METHOD_ONESWEEP}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        check_begin();
        check_world.broken = rows[i].broken;
        ordo_context *context = make_context();
        ordo_check check;
        assert_int_equal(run_check(context, &check), ORDO_OK);
        assert_int_equal(check_world.spoiled, 1); /* it is not tried further */
        assert_int_equal(check.rejected_methods, 1u << rows[i].method);
        assert_int_equal(check.passed_methods, ALL_METHODS & ~(1u << rows[i].method));
        assert_int_equal(check.failed_count, 1);
        const ordo_check_row *row = row_of(&check, rows[i].name, "portable");
        assert_int_equal(row->verdict, ORDO_WRONG);
        assert_int_equal(row->case_count, 1);
        char name[64];
        snprintf(name, sizeof name, "%s (portable)", rows[i].name);
        check_message(check.message, ORDO_FAILED, ORDO_MESSAGE_CHECK_WRONG,
                      (ordo_report){.s = name, .t = "random u32 keys", .a = 20011, .b = 20010});
        for (uint64_t count = 2; count <= 1 << 22; count *= 2)
            assert_int_not_equal(choice(context, count), rows[i].method);
        ordo_plan *plan;
        const ordo_sort_desc named = {.max_count = 5000, .method = rows[i].method};
        assert_int_equal(ordo_sort_plan(context, &named, &plan), ORDO_OK);
        assert_int_equal(ordo_plan_info(plan)->method, rows[i].method);
        ordo_plan_release(plan);
        assert_string_equal(ordo_message(context), ""); /* no call has failed */
        check_end(context);
    }
}

/* Forms that only some trials run: all keys in one workgroup, fours of words, keys of 64 bits,
   shapes for long inputs. On a CPU no kernel is written out, but shapes change there too. */
static void test_a_wrong_form(void **state) {
    (void)state;
    const struct {
        const char *broken;
        bool only_wide, only_in_rounds, software;
        const char *row;
        ordo_report report;
    } rows[] = {
        {"msd_small_keys", false, false, false, "msd", {.t = "random u32 keys", .a = 1001}},
        {"msd_small_pairs", false, false, true, "msd", {.t = "special f32 pairs", .a = 1001}},
        {"scan_apply_quads",
         false,
         false,
         false,
         "scan",
         {.t = "random u32 items, exclusive", .a = 70000}},
        {"radix_scatter_keys", true, false, false, "radix", {.t = "random u64 keys", .a = 20011}},
        {"bitonic_sort_index",
         true,
         false,
         false,
         "bitonic",
         {.t = "special f64 pairs", .a = 20011}},
        {"msd_local_pairs", true, false, false, "msd", {.t = "special f64 pairs", .a = 20011}},
        {"msd_partition", false, true, false, "msd", {.t = "random u32 keys", .a = 300011}},
        {"msd_partition", false, true, true, "msd", {.t = "random u32 keys", .a = 300011}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        check_begin();
        check_world.broken = rows[i].broken;
        check_world.only_wide = rows[i].only_wide;
        check_world.only_in_rounds = rows[i].only_in_rounds;
        fake.adapter_type = rows[i].software ? WGPUAdapterType_CPU : WGPUAdapterType_DiscreteGPU;
        ordo_context *context = make_context();
        ordo_check check;
        const ordo_status status = run_check(context, &check);
        ordo_report report = rows[i].report;
        char name[64];
        snprintf(name, sizeof name, "%s (portable)", rows[i].row);
        report.s = name;
        report.b = report.a - 1;
        assert_int_equal(status, strcmp(rows[i].row, "scan") == 0 ? ORDO_FAILED : ORDO_OK);
        if (check_world.spoiled == 0)
            fail_msg("%s of row %zu is not run: %s", rows[i].broken, i, check.message);
        check_message(check.message, ORDO_FAILED, ORDO_MESSAGE_CHECK_WRONG, report);
        check_end(context);
    }
}

/* On a device with room for them, workgroups of all sizes sort a whole array. */
static void test_large_workgroups(void **state) {
    (void)state;
    check_begin();
    fake.adapter_type = WGPUAdapterType_DiscreteGPU;
    fake.limits.maxComputeInvocationsPerWorkgroup = fake.limits.maxComputeWorkgroupSizeX = 1024;
    fake.limits.maxComputeWorkgroupStorageSize = 49152;
    ordo_context *context = make_context();
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_OK);
    assert_int_equal(check_world.small_groups & (512 | 1024), 512 | 1024);
    check_end(context);
}

/* Shapes that the caller told are what is tried, and are there afterwards. */
static void test_told_shapes(void **state) {
    (void)state;
    check_begin();
    check_world.broken = "msd_partition";
    check_world.only_in_rounds = true;
    ordo_context *context = context_with(&(ordo_caps){
        .tuning = "msd_items=12 msd_rounds=1, msd_medium_items=8 msd_medium_rounds=1"});
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_OK);
    assert_int_equal(check.failed_count, 0); /* it has no rounds now */
    assert_string_equal(ordo_context_caps(context)->tuning,
                        "msd_items=12 msd_rounds=1, msd_medium_items=8 msd_medium_rounds=1");
    check_end(context);
}

/* Keys alone are right, and so are those of pairs: it is the values that went astray. */
static void test_wrong_values(void **state) {
    (void)state;
    check_begin();
    check_world.broken = "";
    check_world.only_values = true;
    ordo_context *context = make_context();
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_FAILED);
    assert_int_equal(check.rejected_methods, ALL_METHODS);
    assert_int_equal(check.rows[0].case_count, 5); /* four with keys */
    check_message(
        check.message, ORDO_FAILED, ORDO_MESSAGE_CHECK_WRONG,
        (ordo_report){.s = "radix (portable)", .t = "special f32 pairs", .a = 20011, .b = 20010});
    check_end(context);
}

static void test_buckets_need_radix(void **state) {
    (void)state;
    check_begin();
    check_world.broken = "radix_histogram";
    ordo_context *context = make_context();
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_OK);
    ordo_plan *plan;
    const ordo_counting_sort_desc counting = {.max_count = 5000};
    const ordo_status status = ordo_counting_sort_plan(context, &counting, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_REJECTED_BUCKETS,
                  (ordo_report){.a = BIT(RADIX)});
    const ordo_top_k_desc top_k = {.max_count = 100000, .k = 5000};
    assert_int_equal(ordo_top_k_plan(context, &top_k, &plan), ORDO_OK); /* sorts by another */
    ordo_plan_release(plan);
    check_end(context);
}

static void test_wrong_with_subgroups(void **state) {
    (void)state;
    const char *const broken[] = {"bitonic_sort", "scan"};
    for (size_t i = 0; i < COUNT(broken); i++) {
        check_begin();
        fake.has_subgroups = true;
        check_world.broken = broken[i];
        check_world.only_subgroups = true;
        ordo_context *context = make_context();
        assert_true(ordo_context_caps(context)->subgroups);
        ordo_check check;
        assert_int_equal(run_check(context, &check), ORDO_OK);
        assert_int_equal(check.passed_methods, ALL_METHODS);
        assert_true(check.subgroups_failed);
        assert_int_equal(check.failed_count, 1);
        assert_false(ordo_context_caps(context)->subgroups);
        const unsigned modules = fake.modules_with_subgroups;
        ordo_plan *plan;
        assert_int_equal(make_plan(context, &problems[0], &plan), ORDO_OK);
        ordo_plan_release(plan);
        assert_int_equal(
            ordo_scan_plan(context, &(ordo_scan_desc){.max_count = 3, .op = ORDO_MIN}, &plan),
            ORDO_OK);
        ordo_plan_release(plan);
        assert_int_equal(fake.modules_with_subgroups, modules);
        check_end(context);
    }
}

static void test_wrong_with_forward_progress(void **state) {
    (void)state;
    check_begin();
    check_world.broken = "scan_chain";
    ordo_context *context = context_with(&(ordo_caps){.forward_progress = true});
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_OK);
    assert_true(check.forward_progress_failed);
    assert_false(check.subgroups_failed);
    assert_int_equal(check.failed_count, 1);
    assert_false(ordo_context_caps(context)->forward_progress);
    check_end(context);
}

static void test_wrong_scans(void **state) {
    (void)state;
    check_begin();
    fake.has_subgroups = true;
    check_world.broken = "scan";
    ordo_context *context = make_context();
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_FAILED); /* there is no other scan */
    assert_int_equal(check.rejected_methods, 0);
    check_message(
        check.message, ORDO_FAILED, ORDO_MESSAGE_CHECK_WRONG,
        (ordo_report){
            .s = "scan (portable)", .t = "random u32 items, exclusive", .a = 70001, .b = 70000});
    assert_true(ordo_context_caps(context)->subgroups); /* they were not even tried */
    assert_int_equal(ordo_self_check(context, 0, NULL), ORDO_FAILED);
    assert_string_equal(ordo_message(context), check.message);
    check_end(context);
}

/* On a device that does nothing at all no sort is left, and the planner says so. */
static void test_all_wrong(void **state) {
    (void)state;
    check_begin();
    fake.on_dispatch = NULL;
    ordo_context *context = make_context();
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_FAILED);
    assert_int_equal(check.rejected_methods, ALL_METHODS);
    assert_int_equal(check.failed_count, 7);
    ordo_plan *plan = (ordo_plan *)1;
    const ordo_sort_desc desc = {.max_count = 5000};
    const ordo_status status = ordo_sort_plan(context, &desc, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_REJECTED,
                  (ordo_report){.a = ALL_METHODS});
    assert_null(plan);
    check_end(context);
}

/* What a device of such limits may not plan, it need not run, and is not struck for it. */
static void test_small_grids(void **state) {
    (void)state;
    check_begin();
    ordo_context *context = context_with(&(ordo_caps){.max_groups = 1});
    ordo_check check;
    assert_int_equal(run_check(context, &check), ORDO_OK);
    assert_int_equal(check.rejected_methods, 0);
    assert_int_equal(row_of(&check, "oddeven", "portable")->case_count, 3); /* in one workgroup */
    check_end(context);
}

/* An earlier answer goes into the context of a new device. */
static void test_methods_rejected_before(void **state) {
    (void)state;
    check_begin();
    ordo_context *context = context_with(&(ordo_caps){.rejected_methods = BIT(BITONIC)});
    assert_int_not_equal(choice(context, 1000), ORDO_METHOD_BITONIC);
    ordo_context_release(context);
    context = NULL;
    ordo_context_desc desc = usual_desc();
    desc.caps.rejected_methods = 1;
    char message[ORDO_MESSAGE_BYTES];
    const ordo_status status = ordo_context_create(&desc, &context, message);
    check_message(message, status, ORDO_MESSAGE_REJECTED_BITS,
                  (ordo_report){.a = 1, .b = ALL_METHODS | BIT(BITONIC_DIRECT)});
    check_end(context);
}

static void test_misuse(void **state) {
    (void)state;
    ordo_check check = {.row_count = 7};
    assert_int_equal(ordo_self_check(NULL, 0, &check), ORDO_INVALID);
    assert_int_equal(check.row_count, 0);
    check_begin();
    ordo_context_desc desc = usual_desc();
    desc.instance = NULL;
    ordo_context *context;
    assert_int_equal(ordo_context_create(&desc, &context, NULL), ORDO_OK);
    const ordo_status status = ordo_self_check(context, 0, &check);
    check_message(ordo_message(context), status, ORDO_MESSAGE_NO_INSTANCE,
                  (ordo_report){.s = "the self-check"});
    check_end(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_passes),
        cmocka_unit_test(test_tiers),
        cmocka_unit_test(test_the_limit_ends_with_the_check),
        cmocka_unit_test(test_a_wrong_method),
        cmocka_unit_test(test_a_wrong_form),
        cmocka_unit_test(test_large_workgroups),
        cmocka_unit_test(test_told_shapes),
        cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_buckets_need_radix),
        cmocka_unit_test(test_wrong_with_subgroups),
        cmocka_unit_test(test_wrong_with_forward_progress),
        cmocka_unit_test(test_wrong_scans),
        cmocka_unit_test(test_all_wrong),
        cmocka_unit_test(test_small_grids),
        cmocka_unit_test(test_methods_rejected_before),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests_name("fake_check", tests, NULL, NULL);
}
