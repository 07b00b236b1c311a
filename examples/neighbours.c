/* SPDX-License-Identifier: MIT */
/*
 * Find all neighbours of all points within a radius, on the GPU, without sorting by distance and
 * without looking at every pair:
 *
 *     ordo: points into cells of the radius's size | a pass of the program: each point looks into
 *     the 27 cells around it
 *
 * Every count is then compared with that of all pairs on the CPU.
 */
#include <ordo.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNT = 20000, CELLS = 16 };                /* cells in each of three axes */
static const float radius = 0.5f, corner = -4;     /* of the grid, which ends at +4; */
static const float lattice = 1 / 128.f, end = 4.5; /* points go from -4.5 to 4.5 */

/* Points may lie in structures of the program's own. */
typedef struct particle {
    uint32_t kind;
    float position[3];
} particle;

/* Behind ordo_grid_wgsl. Three cells in a row lie one after the other, so 9 ranges are 27 cells. */
static const char search_wgsl[] =
    "override CELLS: i32;\n"
    "override CORNER: f32;\n"
    "override CELLS_PER_UNIT: f32;\n"
    "override RADIUS: f32;\n"
    "@group(0) @binding(0) var<storage, read> points: array<f32>;   // in the order of cells\n"
    "@group(0) @binding(1) var<storage, read> indices: array<u32>;  // which point that was\n"
    "@group(0) @binding(2) var<storage, read> starts: array<u32>;\n"
    "@group(0) @binding(3) var<storage, read_write> neighbours: array<u32>;\n"
    "\n"
    "fn position(i: u32) -> vec3<f32> {\n"
    "    return vec3<f32>(points[3u * i], points[3u * i + 1u], points[3u * i + 2u]);\n"
    "}\n"
    "\n"
    "// Points beyond the grid are in the cells of its border, as ORDO_OUTSIDE_CLAMP puts them:\n"
    "// near ones stay within a cell of each other.\n"
    "fn cell(x: f32) -> i32 {\n"
    "    return clamp(ordo_grid_coordinate(x, CORNER, CELLS_PER_UNIT), 0, CELLS - 1);\n"
    "}\n"
    "\n"
    "@compute @workgroup_size(64)\n"
    "fn search(@builtin(global_invocation_id) id: vec3<u32>) {\n"
    "    if (id.x >= arrayLength(&indices)) {\n"
    "        return;\n"
    "    }\n"
    "    let here = position(id.x);\n"
    "    let low = max(vec3<i32>(cell(here.x), cell(here.y), cell(here.z)) - 1, vec3<i32>(0));\n"
    "    let high = min(vec3<i32>(cell(here.x), cell(here.y), cell(here.z)) + 1,\n"
    "                   vec3<i32>(CELLS - 1));\n"
    "    var found = 0u;\n"
    "    for (var z = low.z; z <= high.z; z++) {\n"
    "        for (var y = low.y; y <= high.y; y++) {\n"
    "            let row = CELLS * (y + CELLS * z);\n"
    "            for (var i = starts[row + low.x]; i < starts[row + high.x + 1]; i++) {\n"
    "                let way = position(i) - here;\n"
    "                found += select(0u, 1u, i != id.x && dot(way, way) <= RADIUS * RADIUS);\n"
    "            }\n"
    "        }\n"
    "    }\n"
    "    neighbours[indices[id.x]] = found;\n"
    "}\n";

static WGPUInstance instance;
static WGPUAdapter adapter;
static WGPUDevice device;
static WGPUQueue queue;

static void stop(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static double now_ms(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* ---- WebGPU's own part, most of it as in encode.c ---------------------------------------------*/

static void got_adapter(WGPURequestAdapterStatus status, WGPUAdapter result, WGPUStringView why,
                        void *done, void *unused) {
    (void)status, (void)why, (void)unused;
    adapter = result;
    *(bool *)done = true;
}

static void got_device(WGPURequestDeviceStatus status, WGPUDevice result, WGPUStringView why,
                       void *done, void *unused) {
    (void)status, (void)why, (void)unused;
    device = result;
    *(bool *)done = true;
}

static void mapped(WGPUMapAsyncStatus status, WGPUStringView why, void *done, void *success) {
    (void)why;
    *(bool *)success = status == WGPUMapAsyncStatus_Success;
    *(bool *)done = true;
}

static void pump(const bool *done) {
    while (!*done)
        wgpuInstanceProcessEvents(instance);
}

static void open_device(void) {
    const WGPUCallbackMode mode = WGPUCallbackMode_AllowProcessEvents;
    bool done = false;
    instance = wgpuCreateInstance(NULL);
    wgpuInstanceRequestAdapter(
        instance, NULL, (WGPURequestAdapterCallbackInfo){NULL, mode, got_adapter, &done, NULL});
    pump(&done);
    if (!adapter)
        stop("no GPU: install a Vulkan driver");
    done = false;
    wgpuAdapterRequestDevice(adapter, NULL,
                             (WGPURequestDeviceCallbackInfo){NULL, mode, got_device, &done, NULL});
    pump(&done);
    if (!device)
        stop("the GPU gives no device");
    queue = wgpuDeviceGetQueue(device);
}

static WGPUBuffer make_buffer(WGPUBufferUsage usage, const void *data, uint64_t bytes) {
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(
        device, &(WGPUBufferDescriptor){.usage = usage | WGPUBufferUsage_CopyDst, .size = bytes});
    if (data)
        wgpuQueueWriteBuffer(queue, buffer, 0, data, (size_t)bytes);
    return buffer;
}

static void submit_and_read(WGPUCommandEncoder encoder, WGPUBuffer readable, void *out,
                            size_t bytes) {
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(queue, 1, &commands);
    bool done = false, success = false;
    wgpuBufferMapAsync(readable, WGPUMapMode_Read, 0, bytes,
                       (WGPUBufferMapCallbackInfo){NULL, WGPUCallbackMode_AllowProcessEvents,
                                                   mapped, &done, &success});
    pump(&done);
    if (!success)
        stop("the result cannot be read");
    memcpy(out, wgpuBufferGetConstMappedRange(readable, 0, bytes), bytes);
    wgpuBufferUnmap(readable);
    wgpuCommandBufferRelease(commands);
}

static WGPUStringView view(const char *text) { return (WGPUStringView){text, strlen(text)}; }

/* The program's own kernel: the functions of ordo's grid, then the search. */
static WGPUComputePipeline make_search(void) {
    size_t length = ordo_grid_wgsl(NULL, 0);
    char *text = malloc(length + sizeof search_wgsl);
    if (!text)
        stop("no memory");
    ordo_grid_wgsl(text, length + 1);
    memcpy(text + length, search_wgsl, sizeof search_wgsl);
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = view(text)};
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(
        device, &(WGPUShaderModuleDescriptor){.nextInChain = &source.chain});
    WGPUConstantEntry constants[] = {
        {.key = view("CELLS"), .value = CELLS},
        {.key = view("CORNER"), .value = (double)corner},
        {.key = view("CELLS_PER_UNIT"), .value = (double)(1 / radius)},
        {.key = view("RADIUS"), .value = (double)radius},
    };
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(
        device, &(WGPUComputePipelineDescriptor){
                    .compute = {.module = module,
                                .entryPoint = view("search"),
                                .constants = constants,
                                .constantCount = sizeof constants / sizeof *constants}});
    wgpuShaderModuleRelease(module);
    free(text);
    return pipeline;
}

static void encode_search(WGPUCommandEncoder encoder, WGPUComputePipeline pipeline,
                          const WGPUBuffer buffers[4]) {
    WGPUBindGroupEntry entries[4] = {0};
    for (uint32_t i = 0; i < 4; i++)
        entries[i] = (WGPUBindGroupEntry){
            .binding = i, .buffer = buffers[i], .size = wgpuBufferGetSize(buffers[i])};
    WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(pipeline, 0);
    WGPUBindGroup group = wgpuDeviceCreateBindGroup(
        device, &(WGPUBindGroupDescriptor){.layout = layout, .entryCount = 4, .entries = entries});
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, (COUNT + 63) / 64, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    wgpuBindGroupLayoutRelease(layout);
    wgpuBindGroupRelease(group);
}

/* ---- The points -------------------------------------------------------------------------------*/

/* Coordinates are multiples of 1/128, so that squared distances are exact in f32 on any device. */
static void make_particles(particle *particles) {
    const uint32_t steps = (uint32_t)(2 * end / lattice);
    uint32_t random = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        particles[i].kind = i % 3;
        for (uint32_t axis = 0; axis < 3; axis++) {
            random = random * 1664525 + 1013904223;
            particles[i].position[axis] = (float)((random >> 8) % (steps + 1)) * lattice - end;
        }
    }
}

/* All pairs. */
static void count_by_force(const particle *particles, uint32_t *neighbours) {
    for (uint32_t i = 0; i < COUNT; i++) {
        const float *a = particles[i].position;
        for (uint32_t j = 0; j < i; j++) {
            const float *b = particles[j].position;
            float x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
            if (x * x + y * y + z * z <= radius * radius) {
                neighbours[i]++;
                neighbours[j]++;
            }
        }
    }
}

/* ---- ordo's part ------------------------------------------------------------------------------*/

static ordo_plan *plan_grid(ordo_context *context) {
    ordo_plan *plan;
    ordo_grid_desc desc = {.max_count = COUNT,
                           .stride_bytes = sizeof(particle),
                           .offset_bytes = offsetof(particle, position),
                           .origin = {corner, corner, corner},
                           .cell_size = {radius},
                           .cells = {CELLS, CELLS, CELLS},
                           .points_out = true};
    if (ordo_grid_plan(context, &desc, &plan) != ORDO_OK)
        stop(ordo_message(context));
    return plan;
}

/* Sorts the particles into cells, searches, and returns the milliseconds of both. */
static double count_by_grid(ordo_context *context, const particle *particles,
                            uint32_t *neighbours) {
    ordo_plan *plan = plan_grid(context);
    WGPUComputePipeline search = make_search();
    const uint64_t *slot_bytes = ordo_plan_info(plan)->slot_bytes;
    const WGPUBufferUsage usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc;
    const size_t bytes = COUNT * sizeof *neighbours;
    WGPUBuffer in = make_buffer(usage, particles, COUNT * sizeof *particles);
    WGPUBuffer points = make_buffer(usage, NULL, slot_bytes[ORDO_SLOT_OUT]);
    WGPUBuffer indices = make_buffer(usage, NULL, slot_bytes[ORDO_SLOT_VALUES_OUT]);
    WGPUBuffer starts = make_buffer(usage, NULL, slot_bytes[ORDO_SLOT_STARTS]);
    WGPUBuffer found = make_buffer(usage, NULL, bytes);
    WGPUBuffer readable = make_buffer(WGPUBufferUsage_MapRead, NULL, bytes);

    /* The first time a driver may still compile, so the second is the one to time. */
    double begin = 0;
    for (int run = 0; run < 2; run++) {
        begin = now_ms();
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, NULL);
        ordo_args args = {
            .in = {in, 0}, .out = {points, 0}, .values_out = {indices, 0}, .starts = {starts, 0}};
        if (ordo_encode(plan, encoder, &args) != ORDO_OK)
            stop(ordo_message(context));
        encode_search(encoder, search, (WGPUBuffer[]){points, indices, starts, found});
        wgpuCommandEncoderCopyBufferToBuffer(encoder, found, 0, readable, 0, bytes);
        submit_and_read(encoder, readable, neighbours, bytes);
        wgpuCommandEncoderRelease(encoder);
    }
    double taken = now_ms() - begin;

    WGPUBuffer buffers[] = {in, points, indices, starts, found, readable};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        wgpuBufferRelease(buffers[i]);
    wgpuComputePipelineRelease(search);
    ordo_plan_release(plan);
    return taken;
}

int main(void) {
    static particle particles[COUNT];
    static uint32_t by_grid[COUNT], by_force[COUNT];
    make_particles(particles);
    open_device();
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    ordo_context_desc setup = {.instance = instance, .adapter = adapter, .device = device};
    if (ordo_context_create(&setup, &context, message) != ORDO_OK)
        stop(message);

    double grid_ms = count_by_grid(context, particles, by_grid);
    double begin = now_ms();
    count_by_force(particles, by_force);
    double force_ms = now_ms() - begin;

    uint64_t total = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (by_grid[i] != by_force[i]) {
            fprintf(stderr, "point %u has %u neighbours, the grid found %u\n", (unsigned)i,
                    (unsigned)by_force[i], (unsigned)by_grid[i]);
            return 1;
        }
        total += by_grid[i];
    }
    printf("%d points in %d cells have %u neighbours\n", COUNT, CELLS * CELLS * CELLS,
           (unsigned)total);
    fprintf(stderr,
            "grid and search on the GPU: %.2f ms; all pairs on the CPU: %.2f ms, %.1f times as "
            "long\n",
            grid_ms, force_ms, force_ms / grid_ms);

    ordo_context_release(context);
    wgpuQueueRelease(queue);
    wgpuDeviceRelease(device);
    wgpuAdapterRelease(adapter);
    wgpuInstanceRelease(instance);
    return 0;
}
