/* SPDX-License-Identifier: MIT */
/* gpu_case.c: the device of the tests and memory with a host image, see gpu_case.h. */
#include "gpu_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- The device ------------------------------------------------------------------------------ */

tier rig_tier(void) {
    const char *name = getenv("ORDO_TEST_TIER");
    if (name && strcmp(name, "default") == 0)
        return TIER_DEFAULT;
    if (name && strcmp(name, "all") == 0)
        return TIER_ALL;
    fprintf(stderr, "ORDO_TEST_TIER is not set to default or all\n");
    exit(2);
}

/* ORDO_TEST_ADAPTER=any: the machine's own GPU may serve too. */
static bool any_adapter(void) {
    const char *name = getenv("ORDO_TEST_ADAPTER");
    return name && strcmp(name, "any") == 0;
}

void rig_open(rig *r, tier which) {
    char message[ORDO_MESSAGE_BYTES] = "";
    gpu_options options = {.software = !any_adapter(),
                           .default_limits = which == TIER_DEFAULT,
                           .no_subgroups = which == TIER_DEFAULT,
                           .native_subgroups = which == TIER_ALL};
    if (!gpu_open(&r->device, &options, message))
        fail_msg("no device: %s", message);
    r->context = gpu_context(&r->device, message);
    if (!r->context)
        fail_msg("no context: %s", message);
    /* A tier without what makes it one would test the other one twice; but not all GPUs have
       subgroups. */
    if (which == TIER_DEFAULT || !any_adapter())
        assert_int_equal(ordo_context_caps(r->context)->subgroups, which == TIER_ALL);
}

void rig_close(rig *r) {
    ordo_context_release(r->context);
    gpu_close(&r->device);
}

int rig_setup(void **state) {
    static rig r;
    rig_open(&r, rig_tier());
    const ordo_caps *caps = ordo_context_caps(r.context);
    printf("adapter %s, subgroups %s, bindings of %" PRIu64 " bytes\n", r.device.name,
           caps->subgroups ? "on" : "off", caps->max_binding_bytes);
    *state = &r;
    return 0;
}

int rig_teardown(void **state) {
    rig_close(*state);
    return 0;
}

int rig_check(void **state) {
    rig *r = *state;
    gpu_wait(&r->device);
    if (r->device.error_count == 0)
        return 0;
    print_error("%u device errors, the first: %s\n", r->device.error_count, r->device.error);
    r->device.error_count = 0;
    return -1;
}

ordo_context *rig_context(rig *r, const ordo_caps *caps) {
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    ordo_context_desc desc = {.instance = r->device.instance,
                              .device = r->device.device,
                              .subgroups = r->device.subgroups,
                              .caps = *caps};
    if (ordo_context_create(&desc, &context, message) != ORDO_OK)
        fail_msg("no context: %s", message);
    return context;
}

rig rig_as_gpu(rig *r) {
    rig other = *r;
    other.context = rig_context(r, &(ordo_caps){.software = false});
    assert_false(ordo_context_caps(other.context)->software);
    return other;
}

ordo_context *rig_narrow_context(rig *r, uint32_t max_groups) {
    const ordo_caps caps = {.max_groups = max_groups,
                            .software = ordo_context_caps(r->context)->software};
    ordo_context *context = rig_context(r, &caps);
    assert_int_equal(ordo_context_caps(context)->max_groups, max_groups);
    return context;
}

WGPUCommandEncoder rig_encoder(rig *r) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(r->device.device, NULL);
    assert_non_null(encoder);
    return encoder;
}

static WGPUComputePipeline own_pipeline(rig *r, const char *wgsl) {
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = {wgsl, WGPU_STRLEN}};
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(
        r->device.device, &(WGPUShaderModuleDescriptor){.nextInChain = &source.chain});
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(
        r->device.device, &(WGPUComputePipelineDescriptor){
                              .compute = {.module = module, .entryPoint = {"run", WGPU_STRLEN}}});
    wgpuShaderModuleRelease(module);
    return pipeline;
}

void rig_run_shader(rig *r, const char *wgsl, uint32_t *words, uint64_t bytes, uint32_t groups) {
    WGPUBuffer buffer = gpu_buffer(&r->device, bytes, WGPUBufferUsage_None, words);
    WGPUComputePipeline pipeline = own_pipeline(r, wgsl);
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroupEntry entry = {.buffer = buffer, .size = bytes};
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(
        r->device.device,
        &(WGPUBindGroupDescriptor){.layout = layout, .entryCount = 1, .entries = &entry});
    WGPUCommandEncoder encoder = rig_encoder(r);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    gpu_submit(&r->device, encoder);
    assert_true(gpu_read(&r->device, buffer, 0, bytes, words));
    wgpuBindGroupRelease(group);
    wgpuBindGroupLayoutRelease(layout);
    wgpuComputePipelineRelease(pipeline);
    wgpuBufferRelease(buffer);
}

uint32_t rig_lanes(rig *r) {
    static const char shader[] =
        "enable subgroups;\n"
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n"
        "@compute @workgroup_size(256)\n"
        "fn run(@builtin(local_invocation_index) local: u32) {\n"
        "    let lanes = subgroupAdd(1u);\n"
        "    if (local == 0u) { words[0] = lanes; }\n"
        "}\n";
    bool enables = r->device.subgroups != ORDO_SUBGROUPS_ON_WITHOUT_ENABLE;
    uint32_t lanes = 0;
    rig_run_shader(r, enables ? shader : strchr(shader, '\n') + 1, &lanes, 4, 1);
    return lanes;
}

/* ---- Memory with a host image ---------------------------------------------------------------- */

memory memory_make(uint64_t bytes) {
    memory m = {.bytes = (bytes + 3) / 4 * 4};
    m.image = malloc(m.bytes + 1);
    assert_non_null(m.image);
    for (uint64_t i = 0; i < m.bytes / 4; i++) {
        uint32_t canary = 0xca000000u ^ (uint32_t)i * 2654435761u;
        memcpy(m.image + 4 * i, &canary, 4);
    }
    return m;
}

void memory_upload(rig *r, memory *m) {
    m->buffer = gpu_buffer(&r->device, m->bytes, WGPUBufferUsage_None, m->image);
    assert_non_null(m->buffer);
}

void memory_compare(rig *r, const memory *m, const char *what) {
    unsigned char *held = malloc(m->bytes);
    assert_non_null(held);
    assert_true(gpu_read(&r->device, m->buffer, 0, m->bytes, held));
    if (memcmp(held, m->image, m->bytes) != 0) {
        uint64_t at = 0;
        uint32_t is, expected;
        while (memcmp(held + at, m->image + at, 4) == 0)
            at += 4;
        memcpy(&is, held + at, 4);
        memcpy(&expected, m->image + at, 4);
        free(held);
        fail_msg("%s: byte %" PRIu64 " of %" PRIu64 " holds 0x%08" PRIx32 ", not 0x%08" PRIx32,
                 what, at, m->bytes, is, expected);
    }
    free(held);
}

void memory_free(memory *m) {
    if (m->buffer)
        wgpuBufferRelease(m->buffer);
    free(m->image);
    *m = (memory){0};
}
