/* SPDX-License-Identifier: MIT */
/*
 * webgpu_pipeline.c: from a step to a compiled pipeline, kept for the next plan.
 *
 *     module     kernel, lanes, unrolled, items        text by kernels.c
 *     layout     number of ranges                      params, count, ranges …
 *     pipeline   module, entry point, constants
 */
#include "kernels.h"
#include "webgpu_internal.h"

#include <stdlib.h>
#include <string.h>

struct ordo_module {
    ordo_module *next;
    const char *kernel;
    bool subgroups, unrolled;
    uint32_t items;
    WGPUShaderModule module;
};

struct ordo_pipeline {
    ordo_pipeline *next;
    ordo_step step; /* kernel to items, and constants, are the key */
    WGPUComputePipeline pipeline;
};

static WGPUShaderModule create_module(ordo_context *context, const char *label, const char *wgsl) {
    if (context->desc.create_shader_module) {
        return context->desc.create_shader_module(context->desc.user, context->device, label, wgsl);
    }
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = ordo_view(wgsl)};
    WGPUShaderModuleDescriptor desc = {.nextInChain = &source.chain, .label = ordo_view(label)};
    return wgpuDeviceCreateShaderModule(context->device, &desc);
}

/* The module of a step's kernel: one already made, or a new one. */
static ordo_status get_module(ordo_context *context, const ordo_step *step, WGPUShaderModule *out) {
    for (ordo_module *m = context->modules; m; m = m->next) {
        if (strcmp(m->kernel, step->kernel) == 0 && m->subgroups == step->subgroups &&
            m->unrolled == step->unrolled && m->items == step->items) {
            *out = m->module;
            return ORDO_OK;
        }
    }
    bool enables = context->desc.subgroups != ORDO_SUBGROUPS_ON_WITHOUT_ENABLE;
    size_t length = ordo_compose(step, enables, NULL);
    char *wgsl = malloc(length + 1);
    ordo_module *made = malloc(sizeof *made);
    if (!wgsl || !made) {
        free(wgsl);
        free(made);
        return ordo_fail(context, ORDO_MESSAGE_MEMORY,
                         &(ordo_report){.s = "a kernel's text", .a = length + 1 + sizeof *made});
    }
    ordo_compose(step, enables, wgsl);
    *made = (ordo_module){.next = context->modules,
                          .kernel = step->kernel,
                          .subgroups = step->subgroups,
                          .unrolled = step->unrolled,
                          .items = step->items,
                          .module = create_module(context, step->kernel, wgsl)};
    free(wgsl);
    if (!made->module) {
        free(made);
        return ordo_fail(context, ORDO_MESSAGE_DEVICE_REFUSED,
                         &(ordo_report){.s = step->kernel, .t = "no shader module was made"});
    }
    context->modules = made;
    *out = made->module;
    return ORDO_OK;
}

static const ordo_layout *get_layout(ordo_context *context, uint32_t range_count) {
    ordo_layout *layout = &context->layouts[range_count];
    if (layout->pipeline) {
        return layout;
    }
    WGPUBindGroupLayoutEntry entries[2 + ORDO_MAX_RANGES] = {0};
    for (uint32_t i = 0; i < 2 + range_count; i++) {
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Compute;
        entries[i].buffer.type = i == 0   ? WGPUBufferBindingType_Uniform
                                 : i == 1 ? WGPUBufferBindingType_ReadOnlyStorage
                                          : WGPUBufferBindingType_Storage;
    }
    WGPUBindGroupLayoutDescriptor group = {
        .label = ordo_view("ordo"), .entryCount = 2 + range_count, .entries = entries};
    layout->group = wgpuDeviceCreateBindGroupLayout(context->device, &group);
    WGPUPipelineLayoutDescriptor pipeline = {
        .label = ordo_view("ordo"), .bindGroupLayoutCount = 1, .bindGroupLayouts = &layout->group};
    layout->pipeline = wgpuDeviceCreatePipelineLayout(context->device, &pipeline);
    return layout;
}

static bool same_pipeline(const ordo_step *a, const ordo_step *b) {
    if (strcmp(a->entry, b->entry) != 0 || a->subgroups != b->subgroups ||
        a->unrolled != b->unrolled || a->items != b->items ||
        a->constant_count != b->constant_count) {
        return false;
    }
    for (uint32_t i = 0; i < a->constant_count; i++) {
        if (a->constants[i].value != b->constants[i].value) {
            return false;
        }
    }
    return true;
}

ordo_status ordo_get_pipeline(ordo_context *context, const ordo_step *step,
                              WGPUComputePipeline *out) {
    for (ordo_pipeline *p = context->pipelines; p; p = p->next) {
        if (same_pipeline(&p->step, step)) {
            *out = p->pipeline;
            return ORDO_OK;
        }
    }
    WGPUShaderModule module = NULL;
    ordo_status status = get_module(context, step, &module);
    if (status != ORDO_OK) {
        return status;
    }
    ordo_pipeline *made = malloc(sizeof *made);
    if (!made) {
        return ordo_fail(context, ORDO_MESSAGE_MEMORY,
                         &(ordo_report){.s = "a pipeline", .a = sizeof *made});
    }
    WGPUConstantEntry constants[ORDO_MAX_CONSTANTS] = {0};
    for (uint32_t i = 0; i < step->constant_count; i++) {
        constants[i].key = ordo_view(step->constants[i].name);
        constants[i].value = step->constants[i].value;
    }
    WGPUComputePipelineDescriptor desc = {
        .label = ordo_view(step->entry),
        .layout = get_layout(context, step->range_count)->pipeline,
        .compute = {.module = module,
                    .entryPoint = ordo_view(step->entry),
                    .constantCount = step->constant_count,
                    .constants = constants},
    };
    *made = (ordo_pipeline){context->pipelines, *step,
                            wgpuDeviceCreateComputePipeline(context->device, &desc)};
    context->pipelines = made;
    *out = made->pipeline;
    return ORDO_OK;
}

/* Release the layouts that no pipeline uses: they may be error objects. */
static void drop_layouts(ordo_context *context) {
    bool used[ORDO_MAX_RANGES + 1] = {false};
    for (const ordo_pipeline *p = context->pipelines; p; p = p->next) {
        used[p->step.range_count] = true;
    }
    for (uint32_t i = 0; i <= ORDO_MAX_RANGES; i++) {
        if (used[i]) {
            continue;
        }
        if (context->layouts[i].pipeline) {
            wgpuPipelineLayoutRelease(context->layouts[i].pipeline);
        }
        if (context->layouts[i].group) {
            wgpuBindGroupLayoutRelease(context->layouts[i].group);
        }
        context->layouts[i] = (ordo_layout){0};
    }
}

void ordo_drop_kernels(ordo_context *context, ordo_pipeline *pipelines, ordo_module *modules) {
    while (context->pipelines != pipelines) {
        ordo_pipeline *dropped = context->pipelines;
        context->pipelines = dropped->next;
        wgpuComputePipelineRelease(dropped->pipeline);
        free(dropped);
    }
    while (context->modules != modules) {
        ordo_module *dropped = context->modules;
        context->modules = dropped->next;
        wgpuShaderModuleRelease(dropped->module);
        free(dropped);
    }
    drop_layouts(context);
}
