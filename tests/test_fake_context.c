/* SPDX-License-Identifier: MIT */
/*
 * test_fake_context.c: contexts on the fake WebGPU: what is refused and why, what the planner
 * learns of the device, which lane snippet and which first line the kernels get.
 */
#include "fake_common.h"

static ordo_status create(const ordo_context_desc *desc, ordo_context **context, char *message) {
    *context = (ordo_context *)1; /* a failure sets it to NULL */
    strcpy(message, "unset");
    return ordo_context_create(desc, context, message);
}

/* Creates a context that must be refused with the message. */
static void refuse(ordo_context_desc desc, ordo_message_id id, ordo_report report) {
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    const ordo_status status = create(&desc, &context, message);
    check_message(message, status, id, report);
    assert_null(context);
    assert_int_equal(fake_live(), 0);
    assert_int_equal(ordo_context_create(&desc, &context, NULL), status);
    assert_null(context);
}

static void test_create_and_release(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    assert_string_equal(ordo_message(context), "");
    assert_int_equal(fake.creations, 0); /* "creates no GPU object" */
    ordo_context_release(context);
    ordo_context_release(NULL);
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

/* The context holds the caller's objects, so the caller may let go of them. */
static void test_holds_its_objects(void **state) {
    (void)state;
    fake_open();
    ordo_context_desc desc = usual_desc();
    desc.queue = wgpuDeviceGetQueue(fake.device);
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    assert_int_equal(create(&desc, &context, message), ORDO_OK);
    wgpuQueueRelease(desc.queue);
    assert_true(fake_references(desc.queue) >= 1);
    assert_true(fake_references(desc.device) >= 2);
    assert_true(fake_references(desc.instance) >= 2);
    ordo_context_release(context);
    assert_int_equal(fake_references(desc.queue), 0);
    assert_int_equal(fake_references(desc.device), 1);
    assert_string_equal(fake_close(), "");
}

static void test_refusals(void **state) {
    (void)state;
    fake_open();
    ordo_context_desc desc = usual_desc();
    desc.device = NULL;
    refuse(desc, ORDO_MESSAGE_NO_DEVICE, (ordo_report){0});

    ordo_context *none = (ordo_context *)1;
    char text[ORDO_MESSAGE_BYTES];
    const ordo_status status = ordo_context_create(NULL, &none, text);
    check_message(text, status, ORDO_MESSAGE_DESC_NULL, (ordo_report){.s = "desc"});
    assert_null(none);
    const ordo_context_desc whole = usual_desc();
    assert_int_equal(ordo_context_create(&whole, NULL, text), ORDO_INVALID);
    assert_string_not_equal(text, "");

    desc = usual_desc();
    desc.subgroups = (ordo_subgroup_use)4;
    refuse(desc, ORDO_MESSAGE_ENUM, (ordo_report){.s = "subgroups", .a = 4, .b = 3});

    fake.backend = WGPUBackendType_Null;
    refuse(usual_desc(), ORDO_MESSAGE_NULL_ADAPTER, (ordo_report){0});
    desc = usual_desc();
    desc.adapter = NULL; /* not checked then */
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    assert_int_equal(create(&desc, &context, message), ORDO_OK);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

/* What to install must stand in the message of a Null adapter. */
static void test_null_adapter_says_what_to_install(void **state) {
    (void)state;
    fake_open();
    fake.backend = WGPUBackendType_Null;
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    const ordo_context_desc desc = usual_desc();
    assert_int_equal(create(&desc, &context, message), ORDO_UNSUPPORTED);
    assert_non_null(strstr(message, "Install a Vulkan driver"));
    assert_non_null(strstr(message, "mesa-vulkan-drivers"));
    assert_string_equal(fake_close(), "");
}

static void test_no_message_wanted(void **state) {
    (void)state;
    fake_open();
    ordo_context *context;
    const ordo_context_desc desc = usual_desc();
    assert_int_equal(ordo_context_create(&desc, &context, NULL), ORDO_OK);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

/* A device below what WebGPU guarantees, one limit at a time. */
static void test_low_limits(void **state) {
    (void)state;
    const struct {
        const char *field; /* of ordo_caps */
        size_t offset;     /* in WGPULimits */
        uint32_t value, least;
    } rows[] = {
        {"max_workgroup_bytes", offsetof(WGPULimits, maxComputeWorkgroupStorageSize), 16380, 16384},
        {"max_invocations", offsetof(WGPULimits, maxComputeInvocationsPerWorkgroup), 255, 256},
        {"max_invocations", offsetof(WGPULimits, maxComputeWorkgroupSizeX), 128, 256},
        {"max_storage_buffers", offsetof(WGPULimits, maxStorageBuffersPerShaderStage), 7, 8},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_open();
        memcpy((char *)&fake.limits + rows[i].offset, &rows[i].value, 4);
        refuse(usual_desc(), ORDO_MESSAGE_CAPS,
               (ordo_report){.s = rows[i].field, .a = rows[i].value, .b = rows[i].least});
        assert_string_equal(fake_close(), "");
    }
}

/* The planner sees the device's limits, not its adapter's and not the defaults. */
static void test_caps(void **state) {
    (void)state;
    fake_open();
    fake.limits.maxBufferSize = (uint64_t)1 << 33;
    fake.limits.maxStorageBufferBindingSize = ((uint64_t)1 << 32) - 4;
    fake.limits.maxComputeWorkgroupStorageSize = 49152;
    fake.limits.maxComputeInvocationsPerWorkgroup = 1024;
    fake.limits.maxComputeWorkgroupSizeX = 512;
    fake.limits.maxStorageBuffersPerShaderStage = 12;
    fake.limits.minStorageBufferOffsetAlignment = 32;
    fake.limits.minUniformBufferOffsetAlignment = 64;
    fake.limits.maxComputeWorkgroupsPerDimension = 65536;
    ordo_context *context = make_context();
    const ordo_caps *caps = ordo_context_caps(context);
    assert_int_equal(caps->max_buffer_bytes, (uint64_t)1 << 33);
    assert_int_equal(caps->max_binding_bytes, ((uint64_t)1 << 32) - 4);
    assert_int_equal(caps->max_workgroup_bytes, 49152);
    assert_int_equal(caps->max_invocations, 512);
    assert_int_equal(caps->max_storage_buffers, 12);
    assert_int_equal(caps->offset_alignment_bytes, 64);
    assert_int_equal(caps->max_groups, 65536);
    assert_false(caps->subgroups);
    ordo_context_release(context);

    /* The desc's caps replace the limits that they name. */
    ordo_context_desc desc = usual_desc();
    desc.caps = (ordo_caps){.max_binding_bytes = 4096, .max_groups = 2, .subgroups = true};
    char message[ORDO_MESSAGE_BYTES];
    assert_int_equal(create(&desc, &context, message), ORDO_OK);
    caps = ordo_context_caps(context);
    assert_int_equal(caps->max_binding_bytes, 4096);
    assert_int_equal(caps->max_groups, 2);
    assert_int_equal(caps->max_invocations, 512);
    assert_false(caps->subgroups);
    ordo_context_release(context);

    /* They may ask for no more than the device gives. */
    desc.caps = (ordo_caps){.max_binding_bytes = (uint64_t)1 << 32};
    refuse(desc, ORDO_MESSAGE_CAPS_ABOVE,
           (ordo_report){
               .s = "max_binding_bytes", .a = (uint64_t)1 << 32, .b = ((uint64_t)1 << 32) - 4});
    desc.caps = (ordo_caps){.max_invocations = 1024};
    refuse(desc, ORDO_MESSAGE_CAPS_ABOVE,
           (ordo_report){.s = "max_invocations", .a = 1024, .b = 512});
    assert_string_equal(fake_close(), "");
}

/* An implementation that cannot tell its limits or its adapter's backend is no reason to crash. */
static void test_no_limits_told(void **state) {
    (void)state;
    fake_open();
    fake.fail_limits = true;
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    const ordo_context_desc desc = usual_desc();
    const ordo_status status = create(&desc, &context, message);
    if (status == ORDO_OK) {
        ordo_context_release(context);
    } else {
        assert_null(context);
        assert_string_not_equal(message, "");
    }
    assert_string_equal(fake_close(), "");
}

/* Each allocation that creating a context makes fails once. */
static void test_host_memory(void **state) {
    (void)state;
    for (unsigned k = 1;; k++) {
        fake_open();
        ordo_context *context;
        char message[ORDO_MESSAGE_BYTES];
        ordo_context_desc desc = usual_desc();
        desc.caps.tuning = "radix_items=5"; /* of which it makes a copy */
        fake.fail_malloc = k;
        const ordo_status status = create(&desc, &context, message);
        const bool reached = fake.fail_malloc == 0;
        fake.fail_malloc = 0;
        if (reached) {
            assert_int_equal(status, ORDO_OUT_OF_MEMORY);
            assert_null(context);
            assert_memory_equal(message, "no host memory for ", 19);
            assert_int_equal(fake_live(), 0);
            assert_int_equal(create(&desc, &context, message), ORDO_OK);
        }
        ordo_context_release(context);
        assert_int_equal(fake.blocks, 0);
        assert_string_equal(fake_close(), "");
        if (!reached) {
            assert_true(k > 2);
            return;
        }
    }
}

/* ---- A device of ordo's own -------------------------------------------------------------------*/

static void test_open(void **state) {
    (void)state;
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (size_t i = 0; i < 2 * COUNT(timings); i++) {
        fake_open();
        fake.timing = timings[i / 2];
        fake.has_subgroups = i % 2;
        fake.limits.maxBufferSize = (uint64_t)1 << 32;
        ordo_context *context;
        char message[ORDO_MESSAGE_BYTES] = "unset";
        assert_int_equal(ordo_context_open(&context, message), ORDO_OK);
        assert_string_equal(message, "");
        assert_true(fake.device_has_limits); /* all that the adapter has */
        assert_int_equal(fake.device_has_subgroups, fake.has_subgroups);
        assert_int_equal(ordo_context_caps(context)->max_buffer_bytes, (uint64_t)1 << 32);
        assert_int_equal(ordo_context_caps(context)->subgroups, fake.has_subgroups);
        uint32_t key = 7;
        assert_int_equal(ordo_sort_array(context, &(ordo_sort_desc){.max_count = 1}, &key, NULL),
                         ORDO_OK);
        assert_int_equal(key, 7);
        ordo_context_release(context);
        assert_int_equal(ordo_context_open(&context, NULL), ORDO_OK);
        ordo_context_release(context);
        assert_int_equal(fake.blocks, 0);
        assert_string_equal(fake_close(), ""); /* instance, adapter and device are let go */
    }
}

/* Opens a context that must be refused with the message. */
static void refuse_open(ordo_message_id id, ordo_report report) {
    ordo_context *context = (ordo_context *)1;
    char message[ORDO_MESSAGE_BYTES] = "unset";
    const ordo_status status = ordo_context_open(&context, message);
    check_message(message, status, id, report);
    assert_null(context);
    assert_int_equal(ordo_context_open(&context, NULL), status);
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

static void test_open_fails(void **state) {
    (void)state;
    fake_open();
    fake.no_instance = true;
    refuse_open(ORDO_MESSAGE_NO_ADAPTER, (ordo_report){.t = "WebGPU gives no instance"});
    fake_open();
    fake.no_adapter = true;
    refuse_open(ORDO_MESSAGE_NO_ADAPTER, (ordo_report){.t = "the fake has no adapter"});
    fake_open();
    fake.no_device = true;
    refuse_open(ORDO_MESSAGE_NO_OWN_DEVICE, (ordo_report){.t = "the fake gives no device"});
    fake_open();
    fake.backend = WGPUBackendType_Null;
    refuse_open(ORDO_MESSAGE_NULL_ADAPTER, (ordo_report){0});
    fake_open();
    fake.limits.maxComputeInvocationsPerWorkgroup = 128;
    refuse_open(ORDO_MESSAGE_CAPS, (ordo_report){.s = "max_invocations", .a = 128, .b = 256});
    char message[ORDO_MESSAGE_BYTES];
    const ordo_status status = ordo_context_open(NULL, message);
    check_message(message, status, ORDO_MESSAGE_DESC_NULL, (ordo_report){.s = "context"});
}

/* ---- Forward progress -------------------------------------------------------------------------*/

/* It is known of GPUs of three vendors, or by the caller's word. */
static void test_forward_progress(void **state) {
    (void)state;
    const struct {
        uint32_t vendor;
        WGPUAdapterType type;
        bool given, told, known; /* told: the caller says so */
    } rows[] = {
        {0x10de, WGPUAdapterType_DiscreteGPU, true, false, true},
        {0x1002, WGPUAdapterType_DiscreteGPU, true, false, true},
        {0x8086, WGPUAdapterType_IntegratedGPU, true, false, true},
        {0x8086, WGPUAdapterType_CPU, true, false, false},
        {0x10de, WGPUAdapterType_Unknown, true, false, false},
        {0x106b, WGPUAdapterType_IntegratedGPU, true, false, false}, /* Apple */
        {0x13b5, WGPUAdapterType_IntegratedGPU, true, false, false}, /* Arm */
        {0, WGPUAdapterType_DiscreteGPU, true, false, false},
        {0x10de, WGPUAdapterType_DiscreteGPU, false, false, false}, /* no adapter in the desc */
        {0x10005, WGPUAdapterType_CPU, true, true, true},
        {0, WGPUAdapterType_CPU, false, true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_open();
        fake.vendor = rows[i].vendor;
        fake.adapter_type = rows[i].type;
        ordo_context_desc desc = usual_desc();
        desc.adapter = rows[i].given ? fake.adapter : NULL;
        desc.caps.forward_progress = rows[i].told;
        ordo_context *context;
        char message[ORDO_MESSAGE_BYTES];
        assert_int_equal(create(&desc, &context, message), ORDO_OK);
        assert_int_equal(ordo_context_caps(context)->forward_progress, rows[i].known);
        ordo_context_release(context);
        if (rows[i].given && !rows[i].told) {
            assert_int_equal(ordo_context_open(&context, message), ORDO_OK);
            assert_int_equal(ordo_context_caps(context)->forward_progress, rows[i].known);
            ordo_context_release(context);
        }
        assert_string_equal(fake_close(), "");
    }
}

/* ---- Subgroups --------------------------------------------------------------------------------*/

static void test_subgroups(void **state) {
    (void)state;
    const struct {
        ordo_subgroup_use use;
        bool feature, native; /* what the device has */
        bool enable, lanes;   /* what the kernels get */
    } rows[] = {
        {ORDO_SUBGROUPS_AUTO, false, false, false, false},
        {ORDO_SUBGROUPS_AUTO, true, false, true, true},
        {ORDO_SUBGROUPS_OFF, false, false, false, false},
        {ORDO_SUBGROUPS_OFF, true, false, false, false},
        {ORDO_SUBGROUPS_ON, true, false, true, true},
        {ORDO_SUBGROUPS_ON_WITHOUT_ENABLE, false, true, false, true},
        {ORDO_SUBGROUPS_AUTO, false, true, false, false},
    };
    const problem scan = {"scan", SCAN, .scan = {.max_count = 20000}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_open();
        fake.has_subgroups = rows[i].feature;
        fake.native_subgroups = rows[i].native;
        ordo_context_desc desc = usual_desc();
        desc.subgroups = rows[i].use;
        ordo_context *context;
        char message[ORDO_MESSAGE_BYTES];
        assert_int_equal(create(&desc, &context, message), ORDO_OK);
        assert_int_equal(ordo_context_caps(context)->subgroups, rows[i].lanes);
        ordo_plan *plan;
        assert_int_equal(make_plan(context, &scan, &plan), ORDO_OK);
        assert_int_equal(fake.modules_with_subgroups > 0, rows[i].lanes);
        assert_int_equal(fake.modules_enabling > 0, rows[i].enable);
        ordo_plan_release(plan);
        ordo_context_release(context);
        assert_string_equal(fake_close(), "");
    }
}

/* ---- The caller's own way to make shader modules ----------------------------------------------*/

typedef struct maker {
    unsigned calls;
    unsigned null_at; /* the call that gives NULL; 0: none */
    char label[64];
} maker;

static WGPUShaderModule make_module(void *user, WGPUDevice device, const char *label,
                                    const char *wgsl) {
    maker *m = user;
    assert_ptr_equal(device, fake.device);
    strncpy(m->label, label, sizeof m->label - 1);
    if (++m->calls == m->null_at)
        return NULL;
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = {wgsl, WGPU_STRLEN}};
    const WGPUShaderModuleDescriptor desc = {.nextInChain = &source.chain,
                                             .label = {"by the caller", WGPU_STRLEN}};
    return wgpuDeviceCreateShaderModule(device, &desc);
}

static void test_callers_modules(void **state) {
    (void)state;
    fake_open();
    maker m = {0};
    ordo_context_desc desc = usual_desc();
    desc.create_shader_module = make_module;
    desc.user = &m;
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    assert_int_equal(create(&desc, &context, message), ORDO_OK);
    ordo_plan *plan;
    assert_int_equal(make_plan(context, &problems[0], &plan), ORDO_OK);
    assert_true(m.calls >= 2);
    assert_int_equal(m.calls, fake.created[FAKE_SHADER_MODULE]);
    assert_string_equal(fake.last_module_label, "by the caller");
    ordo_summary summary;
    ordo_step steps[64];
    assert_int_equal(ordo_sort_steps(NULL, &problems[0].sort, steps, 64, &summary), ORDO_OK);
    bool known = false; /* "label names the kernel" */
    for (uint32_t i = 0; i < summary.step_count; i++)
        known |= strstr(m.label, steps[i].kernel) != NULL;
    assert_true(known);
    use_plan(&problems[0], plan);
    ordo_plan_release(plan);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

/* NULL from the callback is ORDO_FAILED, at whichever module; the next try succeeds. */
static void test_callers_modules_fail(void **state) {
    (void)state;
    for (unsigned k = 1;; k++) {
        fake_open();
        maker m = {.null_at = k};
        ordo_context_desc desc = usual_desc();
        desc.create_shader_module = make_module;
        desc.user = &m;
        ordo_context *context;
        char message[ORDO_MESSAGE_BYTES];
        assert_int_equal(create(&desc, &context, message), ORDO_OK);
        ordo_plan *plan = (ordo_plan *)1;
        const ordo_status status = make_plan(context, &problems[0], &plan);
        const bool reached = m.calls >= k;
        if (reached) {
            assert_int_equal(status, ORDO_FAILED);
            assert_null(plan);
            assert_memory_equal(ordo_message(context), "the device refused ", 19);
            assert_non_null(strstr(ordo_message(context), m.label));
            m.null_at = 0;
            assert_int_equal(make_plan(context, &problems[0], &plan), ORDO_OK);
        }
        use_plan(&problems[0], plan);
        ordo_plan_release(plan);
        ordo_context_release(context);
        assert_string_equal(fake_close(), "");
        if (!reached) {
            assert_true(k > 2);
            return;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create_and_release),
        cmocka_unit_test(test_holds_its_objects),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_null_adapter_says_what_to_install),
        cmocka_unit_test(test_no_message_wanted),
        cmocka_unit_test(test_low_limits),
        cmocka_unit_test(test_caps),
        cmocka_unit_test(test_no_limits_told),
        cmocka_unit_test(test_host_memory),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_open_fails),
        cmocka_unit_test(test_forward_progress),
        cmocka_unit_test(test_subgroups),
        cmocka_unit_test(test_callers_modules),
        cmocka_unit_test(test_callers_modules_fail),
    };
    return cmocka_run_group_tests_name("fake_context", tests, NULL, NULL);
}
