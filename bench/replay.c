/* SPDX-License-Identifier: MIT */
/*
 * replay.c: see bench.h. What a runtime spends on a call depends on the objects in it, not on what
 * a kernel does. So each step gets a bind group over the same ranges, the steps that share a
 * pipeline share one here, and the kernel is empty. The time to record this is the runtime's
 * part of ordo_encode; the rest is ordo's own.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct replay_step {
    WGPUComputePipeline pipeline; /* owned by the first step that has it */
    WGPUBindGroup group;
    bool owner;
} replay_step;

struct replay {
    uint32_t step_count;
    ordo_step *planned;
    WGPUBuffer params, scratch;
    WGPUShaderModule module;
    replay_step steps[];
};

static const char wgsl[] = "@compute @workgroup_size(1) fn nothing() {}\n";

static bool same_pipeline(const ordo_step *a, const ordo_step *b) {
    if (strcmp(a->entry, b->entry) != 0 || a->subgroups != b->subgroups || a->items != b->items ||
        a->constant_count != b->constant_count)
        return false;
    for (uint32_t i = 0; i < a->constant_count; i++)
        if (a->constants[i].value != b->constants[i].value)
            return false;
    return true;
}

static void add_pipeline(gpu *g, replay *r, uint32_t number, WGPUBindGroupLayout layout) {
    replay_step *step = &r->steps[number];
    for (uint32_t i = 0; i < number; i++) {
        if (same_pipeline(&r->planned[i], &r->planned[number])) {
            step->pipeline = r->steps[i].pipeline;
            return;
        }
    }
    WGPUPipelineLayoutDescriptor layout_desc = {.bindGroupLayoutCount = 1,
                                                .bindGroupLayouts = &layout};
    WGPUPipelineLayout pipeline_layout = wgpuDeviceCreatePipelineLayout(g->device, &layout_desc);
    WGPUComputePipelineDescriptor desc = {
        .layout = pipeline_layout,
        .compute = {.module = r->module, .entryPoint = {"nothing", WGPU_STRLEN}}};
    step->pipeline = wgpuDeviceCreateComputePipeline(g->device, &desc);
    step->owner = true;
    wgpuPipelineLayoutRelease(pipeline_layout);
}

static WGPUBindGroupLayout make_layout(gpu *g, uint32_t range_count) {
    WGPUBindGroupLayoutEntry entries[2 + ORDO_MAX_RANGES] = {0};
    for (uint32_t i = 0; i < 2 + range_count; i++) {
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Compute;
        entries[i].buffer.type = i == 0   ? WGPUBufferBindingType_Uniform
                                 : i == 1 ? WGPUBufferBindingType_ReadOnlyStorage
                                          : WGPUBufferBindingType_Storage;
    }
    WGPUBindGroupLayoutDescriptor desc = {.entryCount = 2 + range_count, .entries = entries};
    return wgpuDeviceCreateBindGroupLayout(g->device, &desc);
}

static void add_step(gpu *g, replay *r, uint32_t number, uint64_t stride, const ordo_args *args) {
    const ordo_step *step = &r->planned[number];
    ordo_args bound = *args;
    bound.scratch = (ordo_buffer){r->scratch, 0};
    WGPUBindGroupEntry entries[2 + ORDO_MAX_RANGES] = {
        {.buffer = r->params, .offset = stride * number, .size = 4 * ORDO_MAX_PARAMS},
        {.binding = 1, .buffer = r->params, .offset = stride * r->step_count, .size = 4}};
    for (uint32_t i = 0; i < step->range_count; i++) {
        const ordo_range *range = &step->ranges[i];
        const ordo_buffer *slot = bench_slot(&bound, range->slot);
        entries[2 + i] = (WGPUBindGroupEntry){.binding = 2 + i,
                                              .buffer = slot->buffer,
                                              .offset = slot->offset_bytes + range->offset_bytes,
                                              .size = range->size_bytes};
    }
    WGPUBindGroupLayout layout = make_layout(g, step->range_count);
    WGPUBindGroupDescriptor desc = {
        .layout = layout, .entryCount = 2 + step->range_count, .entries = entries};
    r->steps[number].group = wgpuDeviceCreateBindGroup(g->device, &desc);
    add_pipeline(g, r, number, layout);
    wgpuBindGroupLayoutRelease(layout);
}

replay *replay_open(gpu *g, const bench_case *c, const ordo_caps *caps, const ordo_args *args) {
    ordo_summary summary;
    if (bench_steps(c, caps, NULL, 0, &summary) != ORDO_OK)
        return NULL;
    uint32_t count = summary.step_count;
    replay *r = calloc(1, sizeof *r + count * sizeof r->steps[0]);
    if (r == NULL)
        return NULL;
    uint64_t stride = caps->offset_alignment_bytes < 4 * ORDO_MAX_PARAMS
                          ? 4 * ORDO_MAX_PARAMS
                          : caps->offset_alignment_bytes;
    r->planned = calloc(count + 1, sizeof *r->planned);
    r->params = gpu_buffer(g, stride * count + 4, WGPUBufferUsage_Uniform, NULL);
    r->scratch = gpu_buffer(g, summary.scratch_bytes, 0, NULL);
    if (r->planned == NULL || r->params == NULL || r->scratch == NULL) {
        replay_close(r);
        return NULL;
    }
    bench_steps(c, caps, r->planned, count, &summary);
    r->step_count = count;
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = {wgsl, WGPU_STRLEN}};
    WGPUShaderModuleDescriptor desc = {.nextInChain = &source.chain};
    r->module = wgpuDeviceCreateShaderModule(g->device, &desc);
    for (uint32_t i = 0; i < count; i++)
        add_step(g, r, i, stride, args);
    return r;
}

void replay_record(const replay *r, WGPUCommandEncoder encoder) {
    WGPUComputePassDescriptor desc = {.label = {"replay", WGPU_STRLEN}};
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    WGPUComputePipeline set = NULL;
    for (uint32_t i = 0; i < r->step_count; i++) {
        const replay_step *step = &r->steps[i];
        if (step->pipeline != set) {
            set = step->pipeline;
            wgpuComputePassEncoderSetPipeline(pass, set);
        }
        wgpuComputePassEncoderSetBindGroup(pass, 0, step->group, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, r->planned[i].group_count_x,
                                                 r->planned[i].group_count_y, 1);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

void replay_close(replay *r) {
    if (r == NULL)
        return;
    for (uint32_t i = 0; i < r->step_count; i++) {
        if (r->steps[i].owner)
            wgpuComputePipelineRelease(r->steps[i].pipeline);
        wgpuBindGroupRelease(r->steps[i].group);
    }
    if (r->module != NULL)
        wgpuShaderModuleRelease(r->module);
    if (r->params != NULL)
        wgpuBufferRelease(r->params);
    if (r->scratch != NULL)
        wgpuBufferRelease(r->scratch);
    free(r->planned);
    free(r);
}
