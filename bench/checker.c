/* SPDX-License-Identifier: MIT */
/*
 * checker.c: see bench.h. One WGSL module with three entry points, one layout:
 *
 *     0  params, uniform      1  the result of a check, at a dynamic offset
 *     2  keys                 3  values, or the 4 bytes of nothing
 *
 * A check compares keys by images, as include/ordo_plan.h defines them, written here a second
 * time and apart from the library's kernels, so that a fault there is not repeated here. Rows are
 * compared each by itself, and what an element is summed up as includes the number of its row.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#define SLOT_BYTES 256u
#define GROUP_SIZE 256u

static const char wgsl_common[] =
    "struct Params { count: u32, key_words: u32, value_words: u32, kind: u32,\n"
    "                descending: u32, rules: u32, distribution: u32, seed: u32,\n"
    "                row_length: u32, skip_high_bits: u32 }\n"
    "@group(0) @binding(0) var<uniform> params: Params;\n"
    "@group(0) @binding(1) var<storage, read_write> result: array<atomic<u32>, 4>;\n"
    "@group(0) @binding(2) var<storage, read_write> keys: array<u32>;\n"
    "@group(0) @binding(3) var<storage, read_write> values: array<u32>;\n"
    "struct Wide { high: u32, low: u32 }\n"
    "fn mix(x: u32) -> u32 {\n"
    "    var h = x; h ^= h >> 16u; h *= 0x7feb352du; h ^= h >> 15u; h *= 0x846ca68bu;\n"
    "    return h ^ (h >> 16u);\n"
    "}\n";

/* Structured distributions are drawn as images, which become bits of the type; the others are
   drawn as bits. */
static const char wgsl_generate[] =
    "fn draw(i: u32, salt: u32) -> u32 {\n"
    "    return mix(mix(i ^ params.seed) + salt * 0x9e3779b9u);\n"
    "}\n"
    "fn anded(i: u32, salt: u32, times: u32) -> u32 {\n"
    "    var bits = draw(i, salt);\n"
    "    for (var t = 1u; t < times; t++) { bits &= draw(i, salt + 2u * t); }\n"
    "    return bits;\n"
    "}\n"
    "fn bits_of(image: Wide) -> Wide {\n"
    "    var b = image;\n"
    "    if (params.kind == 1u) { b.high ^= 0x80000000u; }\n"
    "    if (params.kind != 2u) { return b; }\n"
    "    if (params.key_words == 1u) {\n"
    "        b.high += 0x007fffffu;\n"
    "    } else {\n"
    "        b.high += 0x000fffffu + select(0u, 1u, b.low != 0u);\n"
    "        b.low -= 1u;\n"
    "    }\n"
    "    if (b.high >= 0x80000000u) { return Wide(b.high ^ 0x80000000u, b.low); }\n"
    "    return Wide(~b.high, ~b.low);\n"
    "}\n"
    "fn shifted(key: Wide) -> Wide {\n" /* down by skip_high_bits: keys stay sorted */
    "    let by = params.skip_high_bits % 32u;\n"
    "    var k = key;\n"
    "    if (by != 0u) { k = Wide(k.high >> by, (k.low >> by) | (k.high << (32u - by))); }\n"
    "    if (params.skip_high_bits >= 32u) { k = Wide(0u, k.high); }\n"
    "    if (params.skip_high_bits >= 64u) { k = Wide(0u, 0u); }\n"
    "    return k;\n"
    "}\n"
    "fn key_of(i: u32) -> Wide {\n"
    "    let step = 0xffffffffu / params.count;\n"
    "    switch params.distribution {\n"
    "        case 1u: { return Wide(anded(i, 0u, 3u), anded(i, 1u, 3u)); }\n"
    "        case 2u: { return Wide(anded(i, 0u, 5u), anded(i, 1u, 5u)); }\n"
    "        case 3u: { return bits_of(Wide(i * step, draw(i, 0u))); }\n"
    "        case 4u: { return bits_of(Wide((params.count - 1u - i) * step, draw(i, 0u))); }\n"
    "        case 5u: { return Wide(draw(0u, 0u), draw(0u, 1u)); }\n"
    "        case 6u: { let k = draw(i, 2u) % 16u; return Wide(draw(k, 0u), draw(k, 1u)); }\n"
    "        case 7u: { return bits_of(Wide(draw(i, 0u) >> (draw(i, 2u) % 32u), draw(i, 1u))); }\n"
    "        default: { return Wide(draw(i, 0u), draw(i, 1u)); }\n"
    "    }\n"
    "}\n"
    "@compute @workgroup_size(256)\n"
    "fn bench_generate(@builtin(global_invocation_id) id: vec3<u32>,\n"
    "                  @builtin(num_workgroups) groups: vec3<u32>) {\n"
    "    for (var i = id.x; i < params.count; i += groups.x * 256u) {\n"
    "        let key = shifted(key_of(i));\n"
    "        keys[i * params.key_words + params.key_words - 1u] = key.high;\n"
    "        if (params.key_words == 2u) { keys[i * 2u] = key.low; }\n"
    "        for (var w = 0u; w < params.value_words; w++) {\n"
    "            values[i * params.value_words + w] = select(draw(i, w + 32u), i, w == 0u);\n"
    "        }\n"
    "    }\n"
    "}\n";

static const char wgsl_check[] =
    "fn bits_at(i: u32) -> Wide {\n"
    "    if (params.key_words == 1u) { return Wide(keys[i], 0u); }\n"
    "    return Wide(keys[i * 2u + 1u], keys[i * 2u]);\n"
    "}\n"
    "fn image_of(bits: Wide) -> Wide {\n"
    "    var m = bits;\n"
    "    if (params.kind == 2u && m.high >= 0x80000000u) {\n"
    "        m = Wide(~m.high, ~m.low);\n"
    "    } else if (params.kind != 0u) {\n"
    "        m.high ^= 0x80000000u;\n"
    "    }\n"
    "    if (params.kind == 2u && params.key_words == 1u) {\n"
    "        m = Wide(m.high - 0x007fffffu, 0u);\n"
    "    } else if (params.kind == 2u) {\n"
    "        m.high -= 0x000fffffu + select(0u, 1u, m.low != 0xffffffffu);\n"
    "        m.low += 1u;\n"
    "    }\n"
    "    if (params.descending == 1u) { m = Wide(~m.high, ~m.low); }\n"
    "    return m;\n"
    "}\n"
    "fn element_at(i: u32) -> u32 {\n" /* 0xffffffff: the index is not one of this row */
    "    if ((params.rules & 1u) == 0u) { return i; }\n"
    "    let element = i / params.row_length * params.row_length + values[i];\n"
    "    return select(0xffffffffu, element,\n"
    "                  values[i] < params.row_length && element < params.count);\n"
    "}\n"
    "fn follows(i: u32, element: u32) -> bool {\n" /* element i + 1 may stand behind element i */
    "    let next = element_at(i + 1u);\n"
    "    if (next == 0xffffffffu) { return false; }\n"
    "    let a = image_of(bits_at(element));\n"
    "    let b = image_of(bits_at(next));\n"
    "    if (a.high != b.high) { return a.high < b.high; }\n"
    "    if (a.low != b.low) { return a.low < b.low; }\n"
    "    if ((params.rules & 32u) == 0u) { return true; }\n"
    "    if ((params.rules & 1u) != 0u) { return element < next; }\n"
    "    let words = params.value_words;\n"
    "    return words == 0u || values[i * words] < values[(i + 1u) * words];\n"
    "}\n"
    "fn hash_of(i: u32, element: u32) -> u32 {\n"
    "    let bits = bits_at(element);\n"
    "    var h = mix(bits.low ^ mix(bits.high + 0x1234567u));\n"
    "    h = mix(h ^ mix(i / params.row_length + 0x3579bdfu));\n"
    "    if ((params.rules & 3u) != 0u) { return mix(h ^ mix(element + 0x7654321u)); }\n"
    "    for (var w = 0u; w < params.value_words; w++) {\n"
    "        h = mix(h ^ mix(values[i * params.value_words + w] + 0x7654321u));\n"
    "    }\n"
    "    return h;\n"
    "}\n"
    "var<workgroup> found: array<atomic<u32>, 4>;\n"
    "var<private> mine: array<u32, 4>;\n"
    "fn check_scan(i: u32) {\n"
    "    var fine = i > 0u || values[0] == 0u;\n"
    "    if (i + 1u < params.count) { fine = fine && values[i + 1u] - values[i] == keys[i]; }\n"
    "    if (!fine) { mine[0] += 1u; }\n"
    "}\n"
    "fn check_element(i: u32) {\n"
    "    let element = element_at(i);\n"
    "    if (element == 0xffffffffu) { mine[0] += 1u; return; }\n"
    "    let last = i + 1u == params.count || (i + 1u) % params.row_length == 0u;\n"
    "    if ((params.rules & 4u) != 0u && !last && !follows(i, element)) { mine[0] += 1u; }\n"
    "    let h = hash_of(i, element);\n"
    "    mine[1] += h;\n"
    "    mine[2] += mix(h ^ 0x5bd1e995u);\n"
    "    mine[3] ^= mix(h + 0x2545f491u);\n"
    "}\n"
    "@compute @workgroup_size(256)\n"
    "fn bench_check(@builtin(global_invocation_id) id: vec3<u32>,\n"
    "               @builtin(local_invocation_index) local: u32,\n"
    "               @builtin(num_workgroups) groups: vec3<u32>) {\n"
    "    if (local < 4u) { atomicStore(&found[local], 0u); }\n"
    "    workgroupBarrier();\n"
    "    for (var i = id.x; i < params.count; i += groups.x * 256u) {\n"
    "        if ((params.rules & 8u) != 0u) { check_scan(i); }\n"
    "        else if ((params.rules & 16u) != 0u) { mine[1] += keys[i]; }\n"
    "        else { check_element(i); }\n"
    "    }\n"
    "    for (var j = 0u; j < 3u; j++) { atomicAdd(&found[j], mine[j]); }\n"
    "    atomicXor(&found[3], mine[3]);\n"
    "    workgroupBarrier();\n"
    "    if (local < 3u) { atomicAdd(&result[local], atomicLoad(&found[local])); }\n"
    "    if (local == 3u) { atomicXor(&result[3], atomicLoad(&found[3])); }\n"
    "}\n";

/* One bit, so that whatever stood there is now something else. */
static const char wgsl_spoil[] = "@compute @workgroup_size(1)\n"
                                 "fn bench_spoil() { keys[arrayLength(&keys) / 2u] ^= 1u; }\n";

static WGPUStringView view(const char *text) { return (WGPUStringView){text, WGPU_STRLEN}; }

/* ---- Opening ------------------------------------------------------------------------------- */

static WGPUShaderModule make_module(gpu *g) {
    static char
        text[sizeof wgsl_common + sizeof wgsl_generate + sizeof wgsl_check + sizeof wgsl_spoil];
    snprintf(text, sizeof text, "%s%s%s%s", wgsl_common, wgsl_generate, wgsl_check, wgsl_spoil);
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = view(text)};
    WGPUShaderModuleDescriptor desc = {.nextInChain = &source.chain, .label = view("checker")};
    return wgpuDeviceCreateShaderModule(g->device, &desc);
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

bool checker_open(checker *k, gpu *g) {
    WGPUBindGroupLayoutEntry entries[4] = {0};
    for (uint32_t i = 0; i < 4; i++) {
        entries[i].binding = i;
        entries[i].visibility = WGPUShaderStage_Compute;
        entries[i].buffer.type =
            i == 0 ? WGPUBufferBindingType_Uniform : WGPUBufferBindingType_Storage;
        entries[i].buffer.hasDynamicOffset = i == 1;
    }
    WGPUBindGroupLayoutDescriptor group = {.entryCount = 4, .entries = entries};
    *k = (checker){.g = g, .layout = wgpuDeviceCreateBindGroupLayout(g->device, &group)};
    WGPUPipelineLayoutDescriptor desc = {.bindGroupLayoutCount = 1, .bindGroupLayouts = &k->layout};
    WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(g->device, &desc);
    WGPUShaderModule module = make_module(g);
    k->generate = make_pipeline(g, module, layout, "bench_generate");
    k->check = make_pipeline(g, module, layout, "bench_check");
    k->spoil = make_pipeline(g, module, layout, "bench_spoil");
    wgpuShaderModuleRelease(module);
    wgpuPipelineLayoutRelease(layout);
    k->results = gpu_buffer(g, CHECKER_SLOTS * SLOT_BYTES, 0, NULL);
    k->nothing = gpu_buffer(g, 4, 0, NULL);
    return gpu_wait(g) && g->error_count == 0 && k->results != NULL && k->nothing != NULL;
}

void checker_close(checker *k) {
    if (k->generate != NULL)
        wgpuComputePipelineRelease(k->generate);
    if (k->check != NULL)
        wgpuComputePipelineRelease(k->check);
    if (k->spoil != NULL)
        wgpuComputePipelineRelease(k->spoil);
    if (k->layout != NULL)
        wgpuBindGroupLayoutRelease(k->layout);
    if (k->results != NULL)
        wgpuBufferRelease(k->results);
    if (k->nothing != NULL)
        wgpuBufferRelease(k->nothing);
    *k = (checker){.g = NULL};
}

/* ---- Jobs ---------------------------------------------------------------------------------- */

static checker_job make_job(checker *k, WGPUComputePipeline pipeline, const checker_data *data,
                            uint32_t rules, uint32_t seed) {
    static const uint32_t kinds[] = {0, 1, 2, 0, 1, 2};
    const uint32_t row_length = data->row_length != 0 ? data->row_length : data->count;
    /* A uniform struct of WGSL is a multiple of 16 bytes long. */
    const uint32_t params[12] = {data->count,        ordo_type_bytes(data->type) / 4,
                                 data->value_words,  kinds[data->type],
                                 data->order,        rules,
                                 data->distribution, seed,
                                 row_length,         data->skip_high_bits};
    WGPUBuffer uniform = gpu_buffer(k->g, sizeof params, WGPUBufferUsage_Uniform, params);
    WGPUBuffer values = data->values != NULL ? data->values : k->nothing;
    WGPUBindGroupEntry entries[4] = {
        {.binding = 0, .buffer = uniform, .size = sizeof params},
        {.binding = 1, .buffer = k->results, .size = 16},
        {.binding = 2, .buffer = data->keys, .size = WGPU_WHOLE_SIZE},
        {.binding = 3, .buffer = values, .size = WGPU_WHOLE_SIZE},
    };
    WGPUBindGroupDescriptor desc = {.layout = k->layout, .entryCount = 4, .entries = entries};
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(k->g->device, &desc);
    wgpuBufferRelease(uniform);
    uint32_t group_count = data->count / GROUP_SIZE + 1;
    return (checker_job){pipeline, group, group_count < 4096 ? group_count : 4096};
}

checker_job checker_generate(checker *k, const checker_data *data, uint32_t seed) {
    return make_job(k, k->generate, data, 0, seed);
}

checker_job checker_check(checker *k, const checker_data *data, uint32_t rules) {
    return make_job(k, k->check, data, rules, 0);
}

checker_job checker_spoil(checker *k, WGPUBuffer result) {
    const checker_data data = {.keys = result};
    return make_job(k, k->spoil, &data, 0, 0);
}

void checker_clear(checker *k, WGPUCommandEncoder encoder) {
    wgpuCommandEncoderClearBuffer(encoder, k->results, 0, CHECKER_SLOTS * SLOT_BYTES);
}

void checker_record(const checker_job *job, WGPUCommandEncoder encoder, uint32_t slot) {
    uint32_t offset = slot * SLOT_BYTES;
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, job->pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, job->group, 1, &offset);
    wgpuComputePassEncoderDispatchWorkgroups(pass, job->group_count, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
}

void checker_release(checker_job *job) {
    if (job->group != NULL)
        wgpuBindGroupRelease(job->group);
    *job = (checker_job){.group = NULL};
}

bool checker_read(checker *k, checker_result *results, uint32_t count) {
    static uint32_t words[CHECKER_SLOTS * SLOT_BYTES / 4];
    if (!gpu_read(k->g, k->results, 0, (uint64_t)count * SLOT_BYTES, words))
        return false;
    for (uint32_t i = 0; i < count; i++)
        memcpy(&results[i], words + i * (SLOT_BYTES / 4), sizeof results[i]);
    return true;
}
