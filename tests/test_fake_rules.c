/* SPDX-License-Identifier: MIT */
/*
 * test_fake_rules.c: the fake WebGPU catches what it claims to catch. Each row breaks one rule
 * with plain webgpu.h calls and names the words of the fault; a fake that stays silent fails here.
 */
#include "fake_webgpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STORAGE (WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst)

static const char wgsl[] = "override width: u32 = 1;\n"
                           "@group(0) @binding(0) var<uniform> params: vec4<u32>;\n"
                           "@group(0) @binding(1) var<storage, read> a: array<u32>;\n"
                           "@group(0) @binding(2) var<storage, read_write> b: array<u32>;\n"
                           "@compute @workgroup_size(1) fn twice() { b[0] = a[0] * width; }\n";

/* All that one dispatch takes: binding 0 uniform, 1 read-only storage, 2 and 3 storage. */
typedef struct kit {
    WGPUShaderModule module;
    WGPUBindGroupLayout group_layout;
    WGPUPipelineLayout layout;
    WGPUComputePipeline pipeline;
    WGPUBuffer uniform, a, b;
    WGPUBindGroup group;
    WGPUQueue queue;
    WGPUCommandEncoder encoder;
    WGPUComputePassEncoder pass;
    WGPUCommandBuffer commands;
} kit;

static WGPUStringView text(const char *words) { return (WGPUStringView){words, WGPU_STRLEN}; }

static WGPUBuffer buffer(WGPUBufferUsage usage, uint64_t size) {
    return wgpuDeviceCreateBuffer(fake.device,
                                  &(WGPUBufferDescriptor){.usage = usage, .size = size});
}

static WGPUShaderModule module_of(const char *code) {
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = text(code)};
    return wgpuDeviceCreateShaderModule(
        fake.device, &(WGPUShaderModuleDescriptor){.nextInChain = &source.chain});
}

static WGPUBindGroupLayoutEntry layout_entry(uint32_t binding, WGPUBufferBindingType type) {
    return (WGPUBindGroupLayoutEntry){
        .binding = binding, .visibility = WGPUShaderStage_Compute, .buffer = {.type = type}};
}

static WGPUBindGroupLayout group_layout_of(size_t count, const WGPUBindGroupLayoutEntry *entries) {
    return wgpuDeviceCreateBindGroupLayout(
        fake.device, &(WGPUBindGroupLayoutDescriptor){.entryCount = count, .entries = entries});
}

static WGPUComputePipeline pipeline_of(const kit *k, const char *entry, const char *constant,
                                       size_t constants) {
    WGPUConstantEntry given[2] = {{.key = text(constant), .value = 2},
                                  {.key = text(constant), .value = 3}};
    return wgpuDeviceCreateComputePipeline(
        fake.device, &(WGPUComputePipelineDescriptor){.label = text("twice"),
                                                      .layout = k->layout,
                                                      .compute = {.module = k->module,
                                                                  .entryPoint = text(entry),
                                                                  .constantCount = constants,
                                                                  .constants = given}});
}

/* A bind group of the kit's layout: uniform, then binding 1 in a and bindings 2 and 3 in b. */
static WGPUBindGroup group_of(const kit *k, size_t count, WGPUBuffer a, uint64_t offset1,
                              uint64_t size1, uint64_t offset3) {
    const WGPUBindGroupEntry entries[] = {
        {.binding = 0, .buffer = k->uniform, .size = 16},
        {.binding = 1, .buffer = a, .offset = offset1, .size = size1},
        {.binding = 2, .buffer = k->b, .offset = 0, .size = 256},
        {.binding = 3, .buffer = k->b, .offset = offset3, .size = 256},
    };
    return wgpuDeviceCreateBindGroup(
        fake.device, &(WGPUBindGroupDescriptor){
                         .layout = k->group_layout, .entryCount = count, .entries = entries});
}

static void kit_open(kit *k) {
    fake_open();
    *k = (kit){.module = module_of(wgsl), .queue = wgpuDeviceGetQueue(fake.device)};
    const WGPUBindGroupLayoutEntry entries[] = {
        layout_entry(0, WGPUBufferBindingType_Uniform),
        layout_entry(1, WGPUBufferBindingType_ReadOnlyStorage),
        layout_entry(2, WGPUBufferBindingType_Storage),
        layout_entry(3, WGPUBufferBindingType_Storage),
    };
    k->group_layout = group_layout_of(4, entries);
    k->layout = wgpuDeviceCreatePipelineLayout(
        fake.device, &(WGPUPipelineLayoutDescriptor){.bindGroupLayoutCount = 1,
                                                     .bindGroupLayouts = &k->group_layout});
    k->pipeline = pipeline_of(k, "twice", "width", 1);
    k->uniform = buffer(WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst, 16);
    k->a = buffer(STORAGE, 1024);
    k->b = buffer(STORAGE, 1024);
    k->group = group_of(k, 4, k->a, 256, 4, 512);
    k->encoder = wgpuDeviceCreateCommandEncoder(fake.device, NULL);
    k->pass = wgpuCommandEncoderBeginComputePass(k->encoder, NULL);
}

static void kit_dispatch(kit *k, WGPUBindGroup group, uint32_t groups) {
    wgpuComputePassEncoderSetPipeline(k->pass, k->pipeline);
    if (group)
        wgpuComputePassEncoderSetBindGroup(k->pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(k->pass, groups, 1, 1);
}

static void kit_submit(kit *k) {
    wgpuComputePassEncoderEnd(k->pass);
    k->commands = wgpuCommandEncoderFinish(k->encoder, NULL);
    wgpuQueueSubmit(k->queue, 1, &k->commands);
}

static void kit_release(kit *k) {
    wgpuShaderModuleRelease(k->module);
    wgpuBindGroupLayoutRelease(k->group_layout);
    wgpuPipelineLayoutRelease(k->layout);
    wgpuComputePipelineRelease(k->pipeline);
    wgpuBufferRelease(k->uniform);
    wgpuBufferRelease(k->a);
    wgpuBufferRelease(k->b);
    wgpuBindGroupRelease(k->group);
    wgpuQueueRelease(k->queue);
    wgpuComputePassEncoderRelease(k->pass);
    wgpuCommandEncoderRelease(k->encoder);
    if (k->commands)
        wgpuCommandBufferRelease(k->commands);
}

/* ---- One function a rule; it breaks the rule and releases what it made ------------------------*/

static void use_no_usage(kit *k) {
    (void)k;
    wgpuBufferRelease(buffer(0, 16));
}
static void use_map_storage(kit *k) {
    (void)k;
    wgpuBufferRelease(buffer(WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage, 16));
}
static void use_huge_buffer(kit *k) {
    (void)k;
    wgpuBufferRelease(buffer(STORAGE, fake.limits.maxBufferSize + 4));
}
static void use_enable_without_feature(kit *k) {
    (void)k;
    wgpuShaderModuleRelease(module_of("enable subgroups;\n"));
}
static void use_builtin_without_enable(kit *k) {
    (void)k;
    fake.has_subgroups = true;
    wgpuShaderModuleRelease(module_of("fn f() -> u32 { return subgroupAdd(1u); }\n"));
}
static void use_enable_on_naga(kit *k) {
    (void)k;
    fake.has_subgroups = true;
    fake.native_subgroups = true;
    wgpuShaderModuleRelease(module_of("enable subgroups;\n"));
}
static void use_late_enable(kit *k) {
    (void)k;
    fake.has_subgroups = true;
    wgpuShaderModuleRelease(module_of("const a = 1u;\nenable subgroups;\n"));
}
static void use_many_storage_buffers(kit *k) {
    (void)k;
    WGPUBindGroupLayoutEntry entries[9];
    for (uint32_t i = 0; i < 9; i++)
        entries[i] = layout_entry(i, WGPUBufferBindingType_Storage);
    wgpuBindGroupLayoutRelease(group_layout_of(9, entries));
}
static void use_binding_twice(kit *k) {
    (void)k;
    const WGPUBindGroupLayoutEntry entries[] = {layout_entry(1, WGPUBufferBindingType_Storage),
                                                layout_entry(1, WGPUBufferBindingType_Storage)};
    wgpuBindGroupLayoutRelease(group_layout_of(2, entries));
}
static void use_missing_entry_point(kit *k) {
    wgpuComputePipelineRelease(pipeline_of(k, "twic", "width", 1));
}
static void use_missing_override(kit *k) {
    wgpuComputePipelineRelease(pipeline_of(k, "twice", "widt", 1));
}
static void use_override_twice(kit *k) {
    wgpuComputePipelineRelease(pipeline_of(k, "twice", "width", 2));
}
static void use_other_binding_type(kit *k) {
    WGPUShaderModule right = k->module;
    k->module = module_of("@group(0) @binding(1) var<storage, read_write> a: array<u32>;\n"
                          "fn twice() {}\n");
    wgpuComputePipelineRelease(pipeline_of(k, "twice", "", 0));
    wgpuShaderModuleRelease(k->module);
    k->module = right;
}
static void use_few_entries(kit *k) { wgpuBindGroupRelease(group_of(k, 3, k->a, 0, 4, 512)); }
static void use_misaligned_offset(kit *k) {
    wgpuBindGroupRelease(group_of(k, 4, k->a, 128, 4, 512));
}
static void use_range_outside(kit *k) { wgpuBindGroupRelease(group_of(k, 4, k->a, 768, 260, 512)); }
static void use_odd_size(kit *k) { wgpuBindGroupRelease(group_of(k, 4, k->a, 0, 6, 512)); }
static void use_empty_range(kit *k) { wgpuBindGroupRelease(group_of(k, 4, k->a, 0, 0, 512)); }
static void use_large_binding(kit *k) {
    fake.limits.maxStorageBufferBindingSize = 512;
    wgpuBindGroupRelease(group_of(k, 4, k->a, 0, 516, 512));
}
static void use_wrong_usage(kit *k) {
    WGPUBuffer plain = buffer(WGPUBufferUsage_CopyDst, 256);
    wgpuBindGroupRelease(group_of(k, 4, plain, 0, 4, 512));
    wgpuBufferRelease(plain);
}
static void use_two_roles(kit *k) {
    WGPUBindGroup group = group_of(k, 4, k->b, 768, 4, 512);
    kit_dispatch(k, group, 1);
    wgpuBindGroupRelease(group);
}
static void use_overlap(kit *k) {
    fake.limits.minStorageBufferOffsetAlignment = 32;
    WGPUBindGroup group = group_of(k, 4, k->a, 0, 4, 224);
    kit_dispatch(k, group, 1);
    wgpuBindGroupRelease(group);
}
static void use_many_workgroups(kit *k) { kit_dispatch(k, k->group, 65536); }
static void use_no_workgroups(kit *k) { kit_dispatch(k, k->group, 0); }
static void use_no_group(kit *k) { kit_dispatch(k, NULL, 1); }
static void use_no_pipeline(kit *k) { wgpuComputePassEncoderDispatchWorkgroups(k->pass, 1, 1, 1); }
static void use_foreign_group(kit *k) {
    const WGPUBindGroupLayoutEntry entry = layout_entry(2, WGPUBufferBindingType_Storage);
    const WGPUBindGroupEntry one = {.binding = 2, .buffer = k->b, .size = 4};
    WGPUBindGroupLayout layout = group_layout_of(1, &entry);
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(
        fake.device,
        &(WGPUBindGroupDescriptor){.layout = layout, .entryCount = 1, .entries = &one});
    kit_dispatch(k, group, 1);
    wgpuBindGroupRelease(group);
    wgpuBindGroupLayoutRelease(layout);
}
static void use_ended_pass(kit *k) {
    wgpuComputePassEncoderEnd(k->pass);
    kit_dispatch(k, k->group, 1);
}
static void use_open_pass_at_finish(kit *k) {
    k->commands = wgpuCommandEncoderFinish(k->encoder, NULL);
}
static void use_finished_encoder(kit *k) {
    kit_submit(k);
    wgpuCommandEncoderClearBuffer(k->encoder, k->a, 0, 4);
}
static void use_error_commands(kit *k) {
    fake.fail_creation = 1;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(fake.device, NULL);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(k->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
}
static void use_commands_twice(kit *k) {
    kit_submit(k);
    wgpuQueueSubmit(k->queue, 1, &k->commands);
}
static void use_destroyed_buffer(kit *k) {
    kit_dispatch(k, k->group, 1);
    wgpuBufferDestroy(k->a);
    kit_submit(k);
}
static void on_map(WGPUMapAsyncStatus status, WGPUStringView message, void *user1, void *user2) {
    (void)message, (void)user2;
    *(WGPUMapAsyncStatus *)user1 = status;
}
static WGPUMapAsyncStatus map_and_pump(WGPUBuffer b, size_t size) {
    WGPUMapAsyncStatus status = 0;
    wgpuBufferMapAsync(b, WGPUMapMode_Read, 0, size,
                       (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                   .callback = on_map,
                                                   .userdata1 = &status});
    for (int i = 0; i < 4; i++)
        wgpuInstanceProcessEvents(fake.instance);
    return status;
}
static void use_mapped_buffer(kit *k) {
    WGPUBuffer readable = buffer(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, 16);
    assert_int_equal(map_and_pump(readable, 16), WGPUMapAsyncStatus_Success);
    wgpuComputePassEncoderEnd(k->pass);
    wgpuCommandEncoderCopyBufferToBuffer(k->encoder, k->a, 0, readable, 0, 16);
    k->commands = wgpuCommandEncoderFinish(k->encoder, NULL);
    wgpuQueueSubmit(k->queue, 1, &k->commands);
    wgpuBufferRelease(readable);
}
static void use_range_before_mapping(kit *k) {
    (void)k;
    WGPUBuffer readable = buffer(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, 16);
    assert_null(wgpuBufferGetConstMappedRange(readable, 0, 16));
    wgpuBufferRelease(readable);
}
static void use_map_usage(kit *k) {
    assert_int_equal(map_and_pump(k->a, 16), WGPUMapAsyncStatus_Error);
}
static void use_map_outside(kit *k) {
    (void)k;
    WGPUBuffer readable = buffer(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, 16);
    assert_int_equal(map_and_pump(readable, 20), WGPUMapAsyncStatus_Error);
    wgpuBufferRelease(readable);
}
static void use_odd_write(kit *k) { wgpuQueueWriteBuffer(k->queue, k->a, 0, "abc", 3); }
static void use_copy_to_itself(kit *k) {
    wgpuComputePassEncoderEnd(k->pass);
    wgpuCommandEncoderCopyBufferToBuffer(k->encoder, k->a, 0, k->a, 512, 4);
}
static void use_copy_outside(kit *k) {
    wgpuComputePassEncoderEnd(k->pass);
    wgpuCommandEncoderCopyBufferToBuffer(k->encoder, k->a, 0, k->b, 1024, 4);
}
static void use_after_release(kit *k) {
    WGPUBuffer gone = buffer(STORAGE, 16);
    wgpuBufferRelease(gone);
    wgpuQueueWriteBuffer(k->queue, gone, 0, "abcd", 4);
}
static void use_double_release(kit *k) {
    (void)k;
    WGPUBuffer gone = buffer(STORAGE, 16);
    wgpuBufferRelease(gone);
    wgpuBufferRelease(gone);
}
static void use_leak(kit *k) {
    (void)k;
    (void)buffer(STORAGE, 16);
}
static void use_internal_scope(kit *k) {
    (void)k;
    wgpuDevicePushErrorScope(fake.device, WGPUErrorFilter_Internal);
}
static void use_open_scope(kit *k) {
    (void)k;
    wgpuDevicePushErrorScope(fake.device, WGPUErrorFilter_Validation);
}
static void on_pop(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                   void *user1, void *user2) {
    (void)status, (void)message, (void)user2;
    *(WGPUErrorType *)user1 = type;
}
static WGPUErrorType pop(WGPUCallbackMode mode) {
    WGPUErrorType type = 0;
    wgpuDevicePopErrorScope(fake.device, (WGPUPopErrorScopeCallbackInfo){
                                             .mode = mode, .callback = on_pop, .userdata1 = &type});
    for (int i = 0; i < 4; i++)
        wgpuInstanceProcessEvents(fake.instance);
    return type;
}
static void use_pop_without_push(kit *k) {
    (void)k;
    pop(WGPUCallbackMode_AllowProcessEvents);
}
static void use_wait_any_mode(kit *k) {
    (void)k;
    wgpuDevicePushErrorScope(fake.device, WGPUErrorFilter_Validation);
    pop(WGPUCallbackMode_WaitAnyOnly);
}
static void use_pending_callback(kit *k) {
    (void)k;
    static WGPUErrorType type;
    wgpuDevicePushErrorScope(fake.device, WGPUErrorFilter_Validation);
    wgpuDevicePopErrorScope(
        fake.device, (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                     .callback = on_pop,
                                                     .userdata1 = &type});
}

static const struct {
    const char *words; /* of the fault */
    void (*use)(kit *);
} faults[] = {
    {"usage is 0", use_no_usage},
    {"MapRead goes with CopyDst only", use_map_storage},
    {"more than maxBufferSize", use_huge_buffer},
    {"`enable subgroups;` is refused", use_enable_without_feature},
    {"builtin without `enable subgroups;`", use_builtin_without_enable},
    {"`enable subgroups;` is refused", use_enable_on_naga},
    {"not the first line", use_late_enable},
    {"9 storage buffers", use_many_storage_buffers},
    {"given twice", use_binding_twice},
    {"no entry point \"twic\"", use_missing_entry_point},
    {"no override \"widt\"", use_missing_override},
    {"\"width\" is given twice", use_override_twice},
    {"another type in the layout", use_other_binding_type},
    {"3 entries for a layout of 4", use_few_entries},
    {"no multiple of 256", use_misaligned_offset},
    {"ends outside its buffer", use_range_outside},
    {"0 or no multiple of 4", use_odd_size},
    {"0 or no multiple of 4", use_empty_range},
    {"larger than the device's limit", use_large_binding},
    {"lacks Storage usage", use_wrong_usage},
    {"both read-only and writable", use_two_roles},
    {"overlap in the buffer", use_overlap},
    {"65536 x 1 x 1 workgroups", use_many_workgroups},
    {"do nothing", use_no_workgroups},
    {"group 0 is not set", use_no_group},
    {"no pipeline is set", use_no_pipeline},
    {"does not fit the pipeline", use_foreign_group},
    {"the pass has ended", use_ended_pass},
    {"has an open pass", use_open_pass_at_finish},
    {"the encoder is finished", use_finished_encoder},
    {"is an error object; wgpu-native aborts", use_error_commands},
    {"was submitted before", use_commands_twice},
    {"is destroyed", use_destroyed_buffer},
    {"is mapped", use_mapped_buffer},
    {"not mapped", use_range_before_mapping},
    {"lacks MapRead usage", use_map_usage},
    {"ends outside the buffer", use_map_outside},
    {"no multiple of 4", use_odd_write},
    {"are one buffer", use_copy_to_itself},
    {"ends outside the buffer", use_copy_outside},
    {"used after its release", use_after_release},
    {"used after its release", use_double_release},
    {"leaks: 1 references", use_leak},
    {"aborts on the filter Internal", use_internal_scope},
    {"1 error scopes are still open", use_open_scope},
    {"no error scope is open", use_pop_without_push},
    {"never fires", use_wait_any_mode},
    {"a callback is still pending", use_pending_callback},
};

static void test_faults(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        kit k;
        kit_open(&k);
        assert_string_equal(fake.violation, "");
        faults[i].use(&k);
        kit_release(&k);
        const char *fault = fake_close();
        if (!strstr(fault, faults[i].words))
            fail_msg("row %zu: \"%s\" where \"%s\" belongs", i, fault, faults[i].words);
    }
}

/* ---- The fake obeys where nothing is wrong ----------------------------------------------------*/

static void double_first_word(void *user, const fake_dispatch *dispatch) {
    uint32_t word;
    assert_string_equal(dispatch->kernel, "twice");
    assert_int_equal(dispatch->size_bytes[1], 4);
    assert_int_equal(dispatch->offset_bytes[1], 256);
    memcpy(&word, dispatch->data[1], 4);
    word *= 2;
    memcpy(dispatch->data[2], &word, 4);
    ++*(int *)user;
}

static void test_bytes_move(void **state) {
    (void)state;
    kit k;
    kit_open(&k);
    int calls = 0;
    fake.on_dispatch = double_first_word;
    fake.user = &calls;
    const uint32_t word = 21;
    wgpuQueueWriteBuffer(k.queue, k.a, 256, &word, 4);
    WGPUBuffer readable = buffer(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, 16);
    kit_dispatch(&k, k.group, 1);
    wgpuComputePassEncoderEnd(k.pass);
    wgpuCommandEncoderCopyBufferToBuffer(k.encoder, k.b, 0, readable, 8, 4);
    k.commands = wgpuCommandEncoderFinish(k.encoder, NULL);
    assert_int_equal(calls, 0);
    wgpuQueueSubmit(k.queue, 1, &k.commands);
    assert_int_equal(calls, 1);
    assert_int_equal(map_and_pump(readable, 16), WGPUMapAsyncStatus_Success);
    const uint32_t *words = wgpuBufferGetConstMappedRange(readable, 8, 4);
    assert_int_equal(*words, 42);
    wgpuBufferUnmap(readable);
    wgpuBufferRelease(readable);
    kit_release(&k);
    assert_string_equal(fake_close(), "");
}

/* A failed creation gives an error object and an error in the matching scope, and what uses it
   fails too; neither counts as a broken rule. */
static void test_failure_on_demand(void **state) {
    (void)state;
    kit k;
    kit_open(&k);
    fake.fail_creation = 2;
    fake.fail_error = WGPUErrorType_OutOfMemory;
    wgpuDevicePushErrorScope(fake.device, WGPUErrorFilter_OutOfMemory);
    wgpuDevicePushErrorScope(fake.device, WGPUErrorFilter_Validation);
    WGPUBuffer first = buffer(STORAGE, 1024), second = buffer(STORAGE, 1024);
    WGPUBindGroup group = group_of(&k, 4, second, 0, 4, 512);
    assert_int_equal(pop(WGPUCallbackMode_AllowProcessEvents), WGPUErrorType_Validation);
    assert_int_equal(pop(WGPUCallbackMode_AllowSpontaneous), WGPUErrorType_OutOfMemory);
    kit_dispatch(&k, group, 1);
    wgpuBindGroupRelease(group);
    wgpuBufferRelease(first);
    wgpuBufferRelease(second);
    assert_int_equal(fake.uncaptured, 0);
    wgpuComputePassEncoderEnd(k.pass);
    k.commands = wgpuCommandEncoderFinish(k.encoder, NULL);
    assert_int_equal(fake.uncaptured, 1); /* finish, with no scope open */
    assert_true(fake_is_error(k.commands));
    kit_release(&k);
    assert_string_equal(fake_close(), "");
}

static void test_timing(void **state) {
    (void)state;
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    const int events[] = {0, 1, 3};
    for (size_t i = 0; i < 3; i++) {
        fake_open();
        fake.timing = timings[i];
        WGPUErrorType type = 0;
        wgpuDevicePushErrorScope(fake.device, WGPUErrorFilter_Validation);
        wgpuDevicePopErrorScope(fake.device, (WGPUPopErrorScopeCallbackInfo){
                                                 .mode = WGPUCallbackMode_AllowProcessEvents,
                                                 .callback = on_pop,
                                                 .userdata1 = &type});
        int count = 0;
        for (; !type && count < 9; count++)
            wgpuInstanceProcessEvents(fake.instance);
        assert_int_equal(count, events[i]);
        assert_string_equal(fake_close(), "");
    }
}

static void test_failing_malloc(void **state) {
    (void)state;
    fake_open();
    fake.fail_malloc = 2;
    void *first = malloc(16), *second = calloc(4, 4), *third = malloc(16);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_int_equal(fake.mallocs, 3);
    assert_int_equal(fake.blocks, 2);
    free(first);
    free(third);
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_bytes_move),
        cmocka_unit_test(test_failure_on_demand),
        cmocka_unit_test(test_timing),
        cmocka_unit_test(test_failing_malloc),
    };
    return cmocka_run_group_tests_name("fake_rules", tests, NULL, NULL);
}
