/* SPDX-License-Identifier: MIT */
/*
 * test_fake_check_fail.c: ordo_self_check on the fake WebGPU where kernels are refused, memory runs
 * out, the device is lost or does not end its work.
 */
#include "fake_check.h"

#include <stdio.h>

/* Makes no module of the kernel that user names. */
static WGPUShaderModule refuse(void *user, WGPUDevice device, const char *label, const char *wgsl) {
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = {wgsl, WGPU_STRLEN}};
    const WGPUShaderModuleDescriptor desc = {.nextInChain = &source.chain};
    return strcmp(label, user) == 0 ? NULL : wgpuDeviceCreateShaderModule(device, &desc);
}

static void test_a_refused_kernel(void **state) {
    (void)state;
    char kernels[][16] = {"bitonic", "scan"};
    for (size_t i = 0; i < COUNT(kernels); i++) {
        check_begin();
        fake.has_subgroups = true;
        ordo_context_desc desc = usual_desc();
        desc.create_shader_module = refuse;
        desc.user = kernels[i];
        ordo_context *context;
        assert_int_equal(ordo_context_create(&desc, &context, NULL), ORDO_OK);
        ordo_check check;
        assert_int_equal(run_check(context, &check), i == 0 ? ORDO_OK : ORDO_FAILED);
        assert_int_equal(check.failed_count, 1);
        assert_int_equal(check.rejected_methods, i == 0 ? BIT(BITONIC) : 0);
        const ordo_check_row *row = row_of(&check, kernels[i], "portable");
        assert_int_equal(row->verdict, ORDO_REFUSED);
        assert_int_equal(row->case_count, 0);
        char name[64], reason[ORDO_MESSAGE_BYTES];
        snprintf(name, sizeof name, "%s (portable)", kernels[i]);
        ordo_message_write(reason, ORDO_MESSAGE_DEVICE_REFUSED,
                           &(ordo_report){.s = kernels[i], .t = "no shader module was made"});
        check_message(check.message, ORDO_FAILED, ORDO_MESSAGE_CHECK_BROKEN,
                      (ordo_report){.s = name, .t = reason});
        if (i == 0)
            assert_string_equal(ordo_message(context), ""); /* no call has failed */
        assert_true(ordo_context_caps(context)->subgroups); /* with them it was not even tried */
        check_end(context);
    }
}

/* A check in which the k-th creation fails. False: there are fewer. */
static bool fail_creation(WGPUErrorType error, bool idle, unsigned k) {
    check_begin();
    if (idle)
        fake.on_dispatch = NULL;
    ordo_context *context = make_context();
    const ordo_caps before = *ordo_context_caps(context);
    fake.fail_creation = k;
    fake.fail_error = error;
    ordo_check check;
    const ordo_status status = ordo_self_check(context, 0, &check);
    const bool reached = fake.fail_creation == 0;
    fake_heal();
    if (reached && error == WGPUErrorType_OutOfMemory) {
        assert_int_equal(status, ORDO_OUT_OF_MEMORY);
        check_fits(ordo_message(context), status);
        assert_int_equal(check.row_count, 0);
        assert_memory_equal(ordo_context_caps(context), &before, sizeof before);
    } else {
        check_answer(context, &check, status);
        assert_true(check.failed_count > 0 || !reached);
        assert_int_equal(status == ORDO_OK, !idle && check.rows[check.row_count - 1].verdict == 0);
    }
    assert_int_equal(fake.live[FAKE_BUFFER], 0);
    if (!idle && status == ORDO_OUT_OF_MEMORY) /* nothing is remembered */
        assert_int_equal(run_check(context, &check), ORDO_OK);
    check_end(context);
    return reached;
}

/* On an idle device each method is wrong at its first run, which makes the check short: every
   creation fails in turn. On a sound one some of its many creations do. */
static void test_creations_fail(void **state) {
    (void)state;
    const WGPUErrorType errors[] = {WGPUErrorType_Validation, WGPUErrorType_OutOfMemory};
    for (size_t e = 0; e < COUNT(errors); e++) {
        unsigned k = 1;
        while (fail_creation(errors[e], true, k))
            k++;
        assert_true(k > 50);
        k = 1;
        while (fail_creation(errors[e], false, k))
            k += 101;
        assert_true(k > 400);
    }
}

static void test_every_malloc_fails(void **state) {
    (void)state;
    for (unsigned k = 1, more = 1; more; k++) {
        check_begin();
        fake.on_dispatch = NULL;
        ordo_context *context = make_context();
        fake.fail_malloc = k;
        ordo_check check;
        const ordo_status status = ordo_self_check(context, 0, &check);
        more = fake.fail_malloc == 0;
        fake_heal();
        assert_int_equal(status, more ? ORDO_OUT_OF_MEMORY : ORDO_FAILED);
        check_fits(ordo_message(context), status);
        assert_int_equal(check.row_count, more ? 0 : 7);
        check_end(context);
    }
}

/* The device is lost in the n-th run; wgpu-native tells, Dawn does not. */
static void test_lost_device(void **state) {
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        check_begin();
        ordo_context *context = make_context();
        fake.lost_is_an_error = i % 2;
        fake.lost = i / 2 == 0;
        fake.lose_at_submit = i / 2 == 1;
        fake.good_maps = 7;
        fake.map_status = i / 2 == 2 ? WGPUMapAsyncStatus_Aborted : 0;
        ordo_check check;
        const ordo_status status = run_check(context, &check);
        assert_int_equal(status, ORDO_DEVICE_LOST);
        assert_int_equal(check.failed_count, 1);
        const ordo_check_row *row = check.rows;
        while (row->verdict == ORDO_PASSED)
            row++;
        assert_int_equal(row->verdict, ORDO_LOST);
        assert_int_equal(check.rejected_methods, 1u << row->method);
        assert_int_equal(ordo_self_check(context, 0, NULL), ORDO_DEVICE_LOST);
        check_end(context);
    }
}

/* Work that does not end: the check does, and the context takes no more. */
static void test_stalls(void **state) {
    (void)state;
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (unsigned i = 0; i < 2 * COUNT(timings); i++) {
        check_begin();
        fake.timing = timings[i / 2];
        ordo_context *context = make_context();
        ordo_plan *before, *plan = (ordo_plan *)1;
        const ordo_sort_desc desc = {.max_count = 4};
        assert_int_equal(ordo_sort_plan(context, &desc, &before), ORDO_OK);
        fake.stalled = true;
        fake.good_maps = i % 2 ? 6 : 0; /* then radix is through with its keys, and bitonic, … */
        ordo_check check;
        assert_int_equal(ordo_self_check(context, 30, &check), ORDO_DEVICE_LOST);
        check_answer(context, &check, ORDO_DEVICE_LOST);
        assert_int_equal(check.failed_count, 1);
        char stalled[ORDO_MESSAGE_BYTES];
        const ordo_report report = {.s = "the self-check", .a = 30};
        ordo_message_write(stalled, ORDO_MESSAGE_STALLED, &report);
        if (i % 2 == 0) {
            assert_int_equal(check.row_count, 1);
            assert_int_equal(check.rows[0].verdict, ORDO_STALLED);
            assert_true(check.rows[0].run_us >= 30000);
            check_message(check.message, ORDO_FAILED, ORDO_MESSAGE_CHECK_BROKEN,
                          (ordo_report){.s = "radix (portable)", .t = stalled});
        } else {
            assert_true(check.row_count > 1);
        }
        assert_int_equal(ordo_sort_plan(context, &desc, &plan), ORDO_DEVICE_LOST);
        assert_null(plan);
        assert_string_equal(ordo_message(context), stalled);
        uint32_t keys[] = {4, 3, 2, 1}, sorted[4] = {0};
        assert_int_equal(ordo_sort_array(context, &desc, keys, NULL), ORDO_DEVICE_LOST);
        const ordo_arrays arrays = {.in = keys, .out = sorted};
        assert_int_equal(ordo_run_arrays(before, &arrays), ORDO_DEVICE_LOST);
        assert_string_equal(ordo_message(context), stalled);
        assert_int_equal(ordo_self_check(context, 0, NULL), ORDO_DEVICE_LOST);
        ordo_plan_release(before);
        check_end(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_refused_kernel),
        cmocka_unit_test(test_creations_fail),
        cmocka_unit_test(test_every_malloc_fails),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_stalls),
    };
    return cmocka_run_group_tests_name("fake_check_fail", tests, NULL, NULL);
}
