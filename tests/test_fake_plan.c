/* SPDX-License-Identifier: MIT */
/*
 * test_fake_plan.c: plans on the fake WebGPU: each kind is made, used and released without a
 * leak; each creation and each allocation fails once, and the context works on afterwards.
 */
#include "fake_common.h"

/* ---- The good case ----------------------------------------------------------------------------*/

static void test_every_kind(void **state) {
    (void)state;
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (size_t t = 0; t < COUNT(timings); t++) {
        for (size_t i = 0; i < COUNT(problems); i++) {
            fake_open();
            fake.timing = timings[t];
            ordo_context *context = make_context();
            ordo_plan *plan;
            assert_int_equal(make_plan(context, &problems[i], &plan), ORDO_OK);
            assert_string_equal(ordo_message(context), "");
            assert_int_equal(fake.submits, 0); /* making a plan runs nothing */
            use_plan(&problems[i], plan);
            assert_int_equal(fake.dispatches, ordo_plan_info(plan)->step_count);
            ordo_plan_release(plan);
            ordo_context_release(context);
            assert_int_equal(fake.blocks, 0);
            assert_int_equal(fake.uncaptured, 0);
            assert_string_equal(fake_close(), "");
        }
    }
}

/* The plan is what the planner says for the context's caps, and its scratch is one buffer. */
static void test_info(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    for (size_t i = 0; i < COUNT(problems); i++) {
        ordo_plan *plan;
        ordo_summary summary;
        const unsigned buffers = fake.created[FAKE_BUFFER];
        assert_int_equal(make_plan(context, &problems[i], &plan), ORDO_OK);
        make_summary(ordo_context_caps(context), &problems[i], &summary);
        const ordo_summary *info = ordo_plan_info(plan);
        assert_int_equal(info->step_count, summary.step_count);
        assert_int_equal(info->scratch_bytes, summary.scratch_bytes);
        assert_int_equal(info->moved_bytes, summary.moved_bytes);
        assert_int_equal(info->method, summary.method);
        assert_string_equal(info->message, "");
        const unsigned own_scratch = summary.scratch_bytes && !has_caller_scratch(&problems[i]);
        const unsigned params = summary.step_count > 0;
        assert_int_equal(fake.created[FAKE_BUFFER] - buffers, own_scratch + params);
        ordo_plan_release(plan);
    }
    ordo_plan_release(NULL);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

/* A plan brings its kernels' names to profiles and captures. */
static void check_kernel_name(void *user, const fake_dispatch *dispatch) {
    (void)user;
    assert_string_equal(dispatch->kernel, dispatch->entry);
}

static void test_labels(void **state) {
    (void)state;
    fake_open();
    fake.on_dispatch = check_kernel_name;
    ordo_context *context = make_context();
    ordo_plan *plan;
    assert_int_equal(make_plan(context, &problems[0], &plan), ORDO_OK);
    use_plan(&problems[0], plan);
    ordo_plan_release(plan);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

static void test_the_planners_refusals_come_through(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    ordo_plan *plan = (ordo_plan *)1;
    ordo_status status =
        ordo_sort_plan(context, &(ordo_sort_desc){.max_count = 4, .digit_bits = 5}, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_DIGIT_BITS, (ordo_report){.a = 5});
    assert_null(plan);
    plan = (ordo_plan *)1;
    status = ordo_scan_plan(context, &(ordo_scan_desc){.type = ORDO_F64}, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_SCAN_TYPE,
                  (ordo_report){.a = ORDO_F64});
    assert_null(plan);
    plan = (ordo_plan *)1;
    status = ordo_reduce_plan(context, NULL, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_DESC_NULL,
                  (ordo_report){.s = "desc"});
    assert_null(plan);
    plan = (ordo_plan *)1;
    status = ordo_histogram_plan(context, &(ordo_histogram_desc){.type = ORDO_F64}, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_BINS_TYPE,
                  (ordo_report){.a = ORDO_F64});
    assert_null(plan);
    plan = (ordo_plan *)1;
    status = ordo_counting_sort_plan(
        context, &(ordo_counting_sort_desc){.depth = {.nearest = 1, .farthest = 2}}, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_DEPTH_ALONE, (ordo_report){0});
    assert_null(plan);
    plan = (ordo_plan *)1;
    status = ordo_grid_plan(context, &(ordo_grid_desc){.dimensions = 1}, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_DIMENSIONS, (ordo_report){.a = 1});
    assert_null(plan);
    plan = (ordo_plan *)1;
    status = ordo_top_k_plan(context, NULL, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_DESC_NULL,
                  (ordo_report){.s = "desc"});
    assert_null(plan);
    assert_int_equal(ordo_sort_plan(NULL, &problems[0].sort, &plan), ORDO_INVALID);
    assert_int_equal(ordo_sort_plan(context, &problems[0].sort, NULL), ORDO_INVALID);
    assert_int_equal(fake.creations, 0);
    /* 40 million items on a device with default limits: the message names the limit to request. */
    plan = (ordo_plan *)1;
    status = ordo_scan_plan(context, &(ordo_scan_desc){.max_count = 40000000}, &plan);
    check_message(ordo_message(context), status, ORDO_MESSAGE_BINDING,
                  (ordo_report){.a = 40000000, .b = 160000000, .c = 134217728});
    assert_non_null(strstr(ordo_message(context), "maxStorageBufferBindingSize"));
    assert_null(plan);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

/* ---- Sharing ----------------------------------------------------------------------------------*/

static unsigned kernels_made(void) {
    return fake.created[FAKE_SHADER_MODULE] + fake.created[FAKE_COMPUTE_PIPELINE] +
           fake.created[FAKE_BIND_GROUP_LAYOUT] + fake.created[FAKE_PIPELINE_LAYOUT];
}

static void test_plans_share_kernels(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    ordo_plan *first, *same, *longer;
    assert_int_equal(make_plan(context, &problems[0], &first), ORDO_OK);
    const unsigned made = kernels_made();
    assert_int_equal(make_plan(context, &problems[0], &same), ORDO_OK);
    ordo_sort_desc desc = problems[0].sort;
    desc.max_count = 30000; /* as many steps */
    assert_int_equal(ordo_sort_plan(context, &desc, &longer), ORDO_OK);
    assert_int_equal(ordo_plan_info(longer)->step_count, ordo_plan_info(first)->step_count);
    assert_int_equal(kernels_made(), made);
    ordo_plan_release(first); /* kernels outlive the plan that made them */
    use_plan(&problems[0], same);
    ordo_plan_release(same);
    assert_int_equal(make_plan(context, &problems[0], &first), ORDO_OK);
    assert_int_equal(kernels_made(), made);
    ordo_plan_release(first);
    ordo_plan_release(longer);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

/* Plans of all kinds live together, and outlive the caller's hold of the context. */
static void test_context_released_first(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    ordo_plan *plans[COUNT(problems)];
    for (size_t i = 0; i < COUNT(problems); i++)
        assert_int_equal(make_plan(context, &problems[i], &plans[i]), ORDO_OK);
    ordo_context_release(context);
    for (size_t i = 0; i < COUNT(problems); i++) {
        use_plan(&problems[i], plans[i]);
        ordo_plan_release(plans[i]);
    }
    assert_int_equal(fake_live(), 0);
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

/* ---- The device fails -------------------------------------------------------------------------*/

/* Makes the plan again, uses it, and takes everything down: nothing may have stuck. */
static void recover(ordo_context *context, const problem *p) {
    ordo_plan *plan;
    assert_int_equal(make_plan(context, p, &plan), ORDO_OK);
    use_plan(p, plan);
    ordo_plan_release(plan);
}

/* Fails the k-th creation of making problem p, after `before` (NULL: nothing) was planned. Returns
   whether there was a k-th. */
static bool fail_creation(const problem *before, const problem *p, WGPUErrorType error,
                          unsigned k) {
    fake_open();
    ordo_context *context = make_context();
    ordo_plan *other = NULL;
    if (before)
        assert_int_equal(make_plan(context, before, &other), ORDO_OK);
    fake.fail_creation = k;
    fake.fail_error = error;
    ordo_plan *plan = (ordo_plan *)1;
    const ordo_status status = make_plan(context, p, &plan);
    const bool reached = fake.fail_creation == 0;
    fake.fail_creation = 0;
    if (reached) {
        assert_int_equal(status,
                         error == WGPUErrorType_OutOfMemory ? ORDO_OUT_OF_MEMORY : ORDO_FAILED);
        assert_null(plan);
        const char *words = error == WGPUErrorType_OutOfMemory ? "the device has no memory for "
                                                               : "the device refused ";
        assert_memory_equal(ordo_message(context), words, strlen(words));
        if (error != WGPUErrorType_OutOfMemory)
            assert_non_null(strstr(ordo_message(context), "the fake was told to fail this"));
    } else {
        assert_int_equal(status, ORDO_OK);
        ordo_plan_release(plan);
    }
    recover(context, p);
    if (before)
        use_plan(before, other);
    ordo_plan_release(other);
    ordo_context_release(context);
    assert_int_equal(fake.uncaptured, 0);
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
    return reached;
}

static bool has_steps(const problem *p) {
    fake_open();
    ordo_context *context = make_context();
    ordo_plan *plan;
    assert_int_equal(make_plan(context, p, &plan), ORDO_OK);
    const bool result = ordo_plan_info(plan)->step_count > 0;
    ordo_plan_release(plan);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
    return result;
}

static void test_every_creation_fails(void **state) {
    (void)state;
    const WGPUErrorType errors[] = {WGPUErrorType_Validation, WGPUErrorType_OutOfMemory};
    for (size_t e = 0; e < COUNT(errors); e++) {
        for (size_t i = 0; i < COUNT(problems); i++) {
            unsigned k = 1;
            while (fail_creation(NULL, &problems[i], errors[e], k))
                k++;
            if (has_steps(&problems[i]))
                assert_true(k > 5); /* two layouts, a module, a pipeline, params */
        }
    }
}

/* The same beside another plan, whose kernels and layouts must stay. */
static void test_every_creation_fails_beside_another_plan(void **state) {
    (void)state;
    for (size_t b = 0; b < COUNT(problems); b++)
        for (size_t i = 0; i < COUNT(problems); i++)
            for (unsigned k = 1, more = 1; more; k++)
                more = fail_creation(&problems[b], &problems[i], WGPUErrorType_Validation, k);
}

/* No scope may ask for Internal errors, as wgpu-native aborts on that filter, so they reach the
   device's uncaptured-error callback; what then is made of an error object is refused or useless,
   but does not leak. */
static void test_internal_errors(void **state) {
    (void)state;
    for (unsigned k = 1; k < 12; k++) {
        fake_open();
        ordo_context *context = make_context();
        fake.fail_creation = k;
        fake.fail_error = WGPUErrorType_Internal;
        ordo_plan *plan;
        if (make_plan(context, &problems[0], &plan) != ORDO_OK)
            assert_null(plan);
        assert_int_equal(fake.uncaptured, 1);
        ordo_plan_release(plan);
        ordo_context_release(context);
        assert_int_equal(fake.blocks, 0);
        assert_string_equal(fake_close(), "");
    }
}

/* Error scopes that cannot tell whether there was an error are no success. */
static void test_scopes_fail(void **state) {
    (void)state;
    const WGPUPopErrorScopeStatus statuses[] = {WGPUPopErrorScopeStatus_Error,
                                                WGPUPopErrorScopeStatus_CallbackCancelled};
    for (size_t i = 0; i < COUNT(statuses); i++) {
        fake_open();
        ordo_context *context = make_context();
        fake.pop_status = statuses[i];
        ordo_plan *plan = (ordo_plan *)1;
        const ordo_status status = make_plan(context, &problems[0], &plan);
        assert_true(status == ORDO_DEVICE_LOST || status == ORDO_FAILED);
        assert_null(plan);
        check_fits(ordo_message(context), status);
        fake.pop_status = 0;
        recover(context, &problems[0]);
        ordo_context_release(context);
        assert_string_equal(fake_close(), "");
    }
}

/* A plan on a lost device is refused or useless, but neither leaks nor hangs. */
static void test_lost_device(void **state) {
    (void)state;
    for (int noisy = 0; noisy < 2; noisy++) {
        fake_open();
        ordo_context *context = make_context();
        fake.lost = true;
        fake.lost_is_an_error = noisy;
        ordo_plan *plan = (ordo_plan *)1;
        const ordo_status status = make_plan(context, &problems[0], &plan);
        if (status != ORDO_OK) {
            assert_null(plan);
            check_fits(ordo_message(context), status);
        } else {
            ordo_plan_release(plan);
        }
        ordo_context_release(context);
        assert_int_equal(fake.blocks, 0);
        assert_string_equal(fake_close(), "");
    }
}

/* Without an instance nothing waits, and errors reach the device's uncaptured-error callback. */
static void test_no_instance(void **state) {
    (void)state;
    for (unsigned k = 0; k < 8; k++) {
        fake_open();
        ordo_context_desc desc = usual_desc();
        desc.instance = NULL;
        ordo_context *context;
        assert_int_equal(ordo_context_create(&desc, &context, NULL), ORDO_OK);
        fake.fail_creation = k;
        ordo_plan *plan;
        assert_int_equal(make_plan(context, &problems[0], &plan), ORDO_OK);
        assert_int_equal(fake.process_events, 0);
        if (k)
            assert_true(fake.uncaptured > 0);
        else
            assert_int_equal(fake.uncaptured, 0);
        use_plan(&problems[0], plan);
        ordo_plan_release(plan);
        ordo_context_release(context);
        assert_string_equal(fake_close(), "");
    }
}

/* ---- The host's memory fails ------------------------------------------------------------------*/

static bool fail_malloc(const problem *p, unsigned k) {
    fake_open();
    ordo_context *context = make_context();
    fake.fail_malloc = k;
    ordo_plan *plan = (ordo_plan *)1;
    const ordo_status status = make_plan(context, p, &plan);
    const bool reached = fake.fail_malloc == 0;
    fake.fail_malloc = 0;
    if (reached) {
        char words[ORDO_MESSAGE_BYTES]; /* "no host memory for ..." without what and how much */
        ordo_message_write(words, ORDO_MESSAGE_MEMORY, &(ordo_report){.s = ""});
        assert_int_equal(status, ORDO_OUT_OF_MEMORY);
        assert_null(plan);
        assert_memory_equal(ordo_message(context), words, strlen("no host memory for "));
    } else {
        assert_int_equal(status, ORDO_OK);
        ordo_plan_release(plan);
    }
    recover(context, p);
    ordo_context_release(context);
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
    return reached;
}

static void test_every_malloc_fails(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(problems); i++) {
        unsigned k = 1;
        while (fail_malloc(&problems[i], k))
            k++;
        assert_true(k > 1);
    }
}

/* Host memory and the device fail in one call: the message is one of both, nothing leaks. */
static void test_malloc_and_creation_fail(void **state) {
    (void)state;
    for (unsigned k = 1; k < 12; k++) {
        for (unsigned m = 1; m < 12; m++) {
            fake_open();
            ordo_context *context = make_context();
            fake.fail_creation = k;
            fake.fail_malloc = m;
            ordo_plan *plan = (ordo_plan *)1;
            const ordo_status status = make_plan(context, &problems[0], &plan);
            const bool failed = fake.fail_creation == 0 || fake.fail_malloc == 0;
            fake_heal();
            assert_int_equal(status != ORDO_OK, failed);
            if (failed)
                check_fits(ordo_message(context), status);
            assert_int_equal(plan == NULL, failed);
            ordo_plan_release(plan);
            recover(context, &problems[0]);
            ordo_context_release(context);
            assert_int_equal(fake.blocks, 0);
            assert_string_equal(fake_close(), "");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_the_planners_refusals_come_through),
        cmocka_unit_test(test_plans_share_kernels),
        cmocka_unit_test(test_context_released_first),
        cmocka_unit_test(test_every_creation_fails),
        cmocka_unit_test(test_every_creation_fails_beside_another_plan),
        cmocka_unit_test(test_internal_errors),
        cmocka_unit_test(test_scopes_fail),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_no_instance),
        cmocka_unit_test(test_every_malloc_fails),
        cmocka_unit_test(test_malloc_and_creation_fail),
    };
    return cmocka_run_group_tests_name("fake_plan", tests, NULL, NULL);
}
