/* SPDX-License-Identifier: MIT */
/*
 * checker.c: see bench.h. One WGSL module, that of checker_text.c, with an entry point for each
 * kind of job, and one layout:
 *
 *     0  params, uniform      1  the result of a check, at a dynamic offset
 *     2  keys                 3  values
 *     4  source               5  starts
 *     6  table                where a job has no such buffer, 4 bytes of nothing
 *
 * Rows are compared each by itself, and what an element is summed up as includes the number of its
 * row.
 *
 *     keys of a job in pieces   | piece 0 | piece 1 | …     a piece binds one element more
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BYTES 256u
#define GROUP_SIZE 256u
#define FIRST_BINDING 2u /* of the buffers */
#define BINDING_COUNT (FIRST_BINDING + CHECKER_BINDINGS)

static const char *const entry_points[CHECKER_ENTRIES] = {
    [CHECKER_GENERATE] = "bench_generate",     [CHECKER_CHECK] = "bench_check",
    [CHECKER_COUNT_BINS] = "bench_count_bins", [CHECKER_CHECK_BINS] = "bench_check_bins",
    [CHECKER_CHECK_GRID] = "bench_check_grid", [CHECKER_CHECK_TOP_K] = "bench_check_top_k",
    [CHECKER_SPOIL] = "bench_spoil",
};

static WGPUStringView view(const char *text) { return (WGPUStringView){text, WGPU_STRLEN}; }

/* ---- Opening ------------------------------------------------------------------------------- */

static WGPUShaderModule make_module(gpu *g) {
    size_t length = 0;
    for (unsigned i = 0; checker_wgsl[i] != NULL; i++)
        length += strlen(checker_wgsl[i]);
    char *text = malloc(length + 1);
    if (text == NULL)
        return NULL;
    text[0] = '\0';
    for (unsigned i = 0; checker_wgsl[i] != NULL; i++)
        strcat(text, checker_wgsl[i]);
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = view(text)};
    WGPUShaderModuleDescriptor desc = {.nextInChain = &source.chain, .label = view("checker")};
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(g->device, &desc);
    free(text);
    return module;
}

static WGPUComputePipeline make_pipeline(gpu *g, WGPUShaderModule module, WGPUPipelineLayout layout,
                                         const char *entry) {
    WGPUComputePipelineDescriptor desc = {
        .label = view(entry),
        .layout = layout,
        .compute = {.module = module, .entryPoint = view(entry)},
    };
    return wgpuDeviceCreateComputePipeline(g->device, &desc);
}

static WGPUBindGroupLayout make_layout(gpu *g) {
    WGPUBindGroupLayoutEntry entries[BINDING_COUNT] = {0};
    for (uint32_t i = 0; i < BINDING_COUNT; i++) {
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Compute;
        entries[i].buffer.type =
            i == 0 ? WGPUBufferBindingType_Uniform : WGPUBufferBindingType_Storage;
        entries[i].buffer.hasDynamicOffset = i == 1;
    }
    WGPUBindGroupLayoutDescriptor desc = {.entryCount = BINDING_COUNT, .entries = entries};
    return wgpuDeviceCreateBindGroupLayout(g->device, &desc);
}

bool checker_open(checker *k, gpu *g, uint64_t binding_bytes) {
    *k = (checker){.g = g, .layout = make_layout(g), .binding_bytes = binding_bytes};
    WGPUPipelineLayoutDescriptor desc = {.bindGroupLayoutCount = 1, .bindGroupLayouts = &k->layout};
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(g->device, &desc);
    WGPUShaderModule module = make_module(g);
    for (int entry = 0; module != NULL && entry < CHECKER_ENTRIES; entry++)
        k->pipelines[entry] = make_pipeline(g, module, layout, entry_points[entry]);
    bool fine = module != NULL;
    if (fine)
        wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(layout);
    k->results = gpu_buffer(g, CHECKER_SLOTS * SLOT_BYTES, 0, NULL);
    k->nothing = gpu_buffer(g, CHECKER_BINDINGS * SLOT_BYTES, 0, NULL);
    return fine && gpu_wait(g) && g->error_count == 0 && k->results != NULL && k->nothing != NULL;
}

void checker_close(checker *k) {
    for (int entry = 0; entry < CHECKER_ENTRIES; entry++)
        if (k->pipelines[entry] != NULL)
            wgpuComputePipelineRelease(k->pipelines[entry]);
    if (k->layout != NULL)
        wgpuBindGroupLayoutRelease(k->layout);
    if (k->results != NULL)
        wgpuBufferRelease(k->results);
    if (k->nothing != NULL)
        wgpuBufferRelease(k->nothing);
    *k = (checker){.g = NULL};
}

/* ---- Jobs ---------------------------------------------------------------------------------- */

/* The elements of a job that one of its dispatches works off. */
typedef struct piece {
    uint32_t first, end;
} piece;

/* The params of a job's piece, in the order of the WGSL's struct. */
static WGPUBuffer make_params(checker *k, checker_entry entry, const checker_data *data,
                              uint32_t rules, uint32_t seed, piece of) {
    static const uint32_t kinds[] = {0, 1, 2, 0, 1, 2};
    const bool drawn_as_u32 = entry == CHECKER_GENERATE && data->map != MAP_BITS;
    const float cell_size = 1.0f / (float)(data->cells != 0 ? data->cells : 1);
    const float cells_per_unit = 1.0f / cell_size;
    uint32_t cells_per_unit_bits;
    memcpy(&cells_per_unit_bits, &cells_per_unit, sizeof cells_per_unit_bits);
    /* A uniform struct of WGSL is a multiple of 16 bytes long. */
    const uint32_t params[20] = {
        data->count,
        ordo_type_bytes(data->type) / 4,
        data->value_words,
        drawn_as_u32 ? 0 : kinds[data->type],
        data->order,
        rules,
        data->distribution,
        seed,
        data->row_length != 0 ? data->row_length : data->count,
        data->skip_high_bits,
        data->map,
        data->below,
        data->place_count,
        data->cells,
        cells_per_unit_bits,
        data->dimensions,
        data->stride_words,
        data->k,
        of.first,
        of.end,
    };
    return gpu_buffer(k->g, sizeof params, WGPUBufferUsage_Uniform, params);
}

/* The bytes of an element in a buffer of which a piece may be bound; 0: none. */
static uint32_t element_bytes(const checker_data *data, checker_binding binding) {
    switch (binding) {
    case CHECKER_KEYS:
    case CHECKER_SOURCE:
        return ordo_type_bytes(data->type);
    case CHECKER_VALUES:
        return data->value_words * 4;
    default:
        return 0;
    }
}

/* Elements of a piece: all, or as many as a binding holds with the next one, with which a check
   compares the last, so that pieces are aligned. */
static uint32_t piece_items(const checker *k, const checker_data *data) {
    uint64_t items = data->count;
    for (uint32_t b = 0; b < CHECKER_BINDINGS; b++) {
        uint64_t bytes = element_bytes(data, (checker_binding)b);
        bool large = data->buffers[b] != NULL && bytes != 0 &&
                     wgpuBufferGetSize(data->buffers[b]) > k->binding_bytes;
        uint64_t most = large ? (k->binding_bytes / bytes - 1) / SLOT_BYTES * SLOT_BYTES : items;
        items = most < items ? most : items;
    }
    return (uint32_t)items;
}

/* What a piece binds of a buffer. */
static WGPUBindGroupEntry bind_piece(const checker *k, const checker_data *data,
                                     checker_binding binding, piece of) {
    WGPUBindGroupEntry bound = {.binding = FIRST_BINDING + binding,
                                .buffer = data->buffers[binding],
                                .size = WGPU_WHOLE_SIZE};
    if (bound.buffer == NULL) { /* a part of its own, for none may be bound twice */
        bound.buffer = k->nothing;
        bound.offset = (uint64_t)binding * SLOT_BYTES;
        bound.size = 4;
    } else if (wgpuBufferGetSize(bound.buffer) > k->binding_bytes) {
        uint64_t bytes = element_bytes(data, binding);
        uint64_t items = of.end < data->count ? of.end - of.first + 1 : of.end - of.first;
        bound.offset = of.first * bytes;
        bound.size = items != 0 ? items * bytes : k->binding_bytes / 4 * 4;
    }
    return bound;
}

static WGPUBindGroup make_group(checker *k, const checker_data *data, WGPUBuffer params, piece of) {
    WGPUBindGroupEntry entries[BINDING_COUNT] = {
        {.binding = 0, .buffer = params, .size = WGPU_WHOLE_SIZE},
        {.binding = 1, .buffer = k->results, .size = 16},
    };
    for (uint32_t b = 0; b < CHECKER_BINDINGS; b++)
        entries[FIRST_BINDING + b] = bind_piece(k, data, (checker_binding)b, of);
    WGPUBindGroupDescriptor desc = {
        .layout = k->layout, .entryCount = BINDING_COUNT, .entries = entries};
    return wgpuDeviceCreateBindGroup(k->g->device, &desc);
}

checker_job checker_make(checker *k, checker_entry entry, const checker_data *data, uint32_t rules,
                         uint32_t seed) {
    checker_job job = {.pipeline = k->pipelines[entry]};
    uint32_t items = piece_items(k, data);
    piece of = {0, 0};
    do {
        of.first = of.end;
        of.end = data->count - of.first < items ? data->count : of.first + items;
        WGPUBuffer params = make_params(k, entry, data, rules, seed, of);
        job.groups[job.piece_count] = make_group(k, data, params, of);
        wgpuBufferRelease(params);
        uint32_t workgroups = (of.end - of.first) / GROUP_SIZE + 1;
        job.workgroups[job.piece_count++] = workgroups < 4096 ? workgroups : 4096;
    } while (of.end < data->count && job.piece_count < CHECKER_PIECES);
    if (of.end < data->count) {
        fputs("ordo_bench: bindings are too small to check all elements\n", stderr);
        exit(2);
    }
    return job;
}

void checker_clear(checker *k, WGPUCommandEncoder encoder) {
    wgpuCommandEncoderClearBuffer(encoder, k->results, 0, CHECKER_SLOTS * SLOT_BYTES);
}

void checker_record(const checker_job *job, WGPUCommandEncoder encoder, uint32_t slot) {
    uint32_t offset = slot * SLOT_BYTES;
    if (job->piece_count == 0)
        return;
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, job->pipeline);
    for (uint32_t i = 0; i < job->piece_count; i++) {
        wgpuComputePassEncoderSetBindGroup(pass, 0, job->groups[i], 1, &offset);
        wgpuComputePassEncoderDispatchWorkgroups(pass, job->workgroups[i], 1, 1);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

void checker_release(checker_job *job) {
    for (uint32_t i = 0; i < job->piece_count; i++)
        wgpuBindGroupRelease(job->groups[i]);
    *job = (checker_job){.piece_count = 0};
}

bool checker_read(checker *k, checker_result *results, uint32_t count) {
    static uint32_t words[CHECKER_SLOTS * SLOT_BYTES / 4];
    if (!gpu_read(k->g, k->results, 0, (uint64_t)count * SLOT_BYTES, words))
        return false;
    for (uint32_t i = 0; i < count; i++)
        memcpy(&results[i], words + i * (SLOT_BYTES / 4), sizeof results[i]);
    return true;
}
