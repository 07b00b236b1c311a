/* SPDX-License-Identifier: MIT */
/* machine.c: see bench.h. What a run needs of the device, and the line that says who ran it. */
#define _GNU_SOURCE /* RTLD_DEFAULT */

#include "bench.h"

#if ORDO_HAVE_WGPU_H
#include <webgpu/wgpu.h>
#endif

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define ORDO_VERSION                                                                               \
    STRING(ORDO_VERSION_MAJOR) "." STRING(ORDO_VERSION_MINOR) "." STRING(ORDO_VERSION_PATCH)

double bench_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* ---- The runtime --------------------------------------------------------------------------- */

/* Each implementation exports a function that the other does not have. Asking the linker keeps the
   benchmark free of build settings for each. */
const char *bench_runtime(void) {
    if (dlsym(RTLD_DEFAULT, "wgpuDeviceTick") != NULL)
        return "dawn";
    return dlsym(RTLD_DEFAULT, "wgpuDevicePoll") != NULL ? "wgpu-native" : "webgpu";
}

/* As Dawn's own header declares it; webgpu.h, which both implementations share, does not. */
typedef struct dawn_toggles {
    WGPUChainedStruct chain;
    size_t enabled_count;
    const char *const *enabled;
    size_t disabled_count;
    const char *const *disabled;
} dawn_toggles;
#define DAWN_TOGGLES_TYPE ((WGPUSType)0x0005000A)

bool bench_open_gpu(gpu *g, const gpu_options *options, char *message) {
    /* Dawn rounds timestamps to 65.5 us, which hides a small sort. */
    static const char *const disabled[] = {"timestamp_quantization"};
    dawn_toggles toggles = {
        .chain = {.sType = DAWN_TOGGLES_TYPE}, .disabled_count = 1, .disabled = disabled};
    gpu_options fine = *options;
    if (strcmp(bench_runtime(), "dawn") == 0)
        fine.device_chain = &toggles.chain;
    return gpu_open(g, &fine, message);
}

/* ---- The machine, printed ------------------------------------------------------------------ */

static void print_text(const char *text, size_t length) {
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

void bench_print_string(const char *text) { print_text(text, strlen(text)); }

static void print_view(const char *name, WGPUStringView view) {
    printf("\"%s\": ", name);
    if (view.data == NULL)
        view.length = 0;
    print_text(view.data, view.length == WGPU_STRLEN ? strlen(view.data) : view.length);
    printf(", ");
}

void bench_print_machine(const gpu *g, bool default_limits) {
    printf("\"adapter\": ");
    bench_print_string(g->name);
    printf(", ");
    print_view("driver", g->info.description);
    printf("\"backend\": \"%s\", \"runtime\": \"%s\", ", gpu_backend_name(g->info.backendType),
           bench_runtime());
#if ORDO_HAVE_WGPU_H
    uint32_t version = wgpuGetVersion();
    printf("\"runtime_version\": \"%u.%u.%u.%u\", ", version >> 24, version >> 16 & 255,
           version >> 8 & 255, version & 255);
#else
    printf("\"runtime_version\": null, ");
#endif
    printf("\"ordo\": \"" ORDO_VERSION "\", \"limits\": \"%s\", \"subgroups\": %s, ",
           default_limits ? "default" : "adapter",
           g->subgroups == ORDO_SUBGROUPS_OFF ? "false" : "true");
    if (g->tuning != NULL) {
        printf("\"tuning\": ");
        bench_print_string(g->tuning);
        printf(", ");
    }
}

/* ---- Timestamps ---------------------------------------------------------------------------- */

WGPUPassTimestampWrites bench_timestamps(const bench *b, uint32_t index) {
    return (WGPUPassTimestampWrites){.querySet = b->queries,
                                     .beginningOfPassWriteIndex = 2 * index,
                                     .endOfPassWriteIndex = 2 * index + 1};
}

/* Reads the first `count` timestamps. */
static bool read_ticks(bench *b, uint64_t *ticks, uint32_t count) {
    uint64_t bytes = (uint64_t)8 * count;
    WGPUBuffer resolved = gpu_buffer(&b->gpu, bytes, WGPUBufferUsage_QueryResolve, NULL);
    if (resolved == NULL)
        return false;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(b->gpu.device, NULL);
    wgpuCommandEncoderResolveQuerySet(encoder, b->queries, 0, count, resolved, 0);
    gpu_submit(&b->gpu, encoder);
    bool fine = gpu_read(&b->gpu, resolved, 0, bytes, ticks);
    wgpuBufferRelease(resolved);
    return fine;
}

/* Drivers are known to give zeros, and an end before the beginning: that is no time. */
static double milliseconds(const bench *b, uint64_t begin, uint64_t end) {
    if (begin == 0 || end <= begin)
        return -1.0;
    return (double)(end - begin) * b->gpu.timestamp_period_ns / 1e6;
}

bool bench_read_times(bench *b, double *ms, uint32_t count) {
    uint64_t ticks[2 * BENCH_MAX_REPEATS] = {0};
    if (!read_ticks(b, ticks, 2 * count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        ms[i] = milliseconds(b, ticks[2 * i], ticks[2 * i + 1]);
    return true;
}

/* ---- The speed of a copy ------------------------------------------------------------------- */

/* Copies `times` times from one buffer to the other, between two passes with a small dispatch that
   waits for what was copied before, and gives the milliseconds: between the ends of the passes
   where there are timestamps, else on the clock of the host. Negative when it cannot be told. */
static double time_copies(bench *b, const checker_job mark[2], WGPUBuffer from, WGPUBuffer to,
                          uint32_t times) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(b->gpu.device, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        WGPUPassTimestampWrites writes = bench_timestamps(b, i);
        WGPUComputePassDescriptor desc = {.timestampWrites = b->queries ? &writes : NULL};
        WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
        uint32_t offset = 0;
        wgpuComputePassEncoderSetPipeline(pass, mark[i].pipeline);
        wgpuComputePassEncoderSetBindGroup(pass, 0, mark[i].groups[0], 1, &offset);
        wgpuComputePassEncoderDispatchWorkgroups(pass, 1, 1, 1);
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
        for (uint32_t j = 0; i == 0 && j < times; j++)
            wgpuCommandEncoderCopyBufferToBuffer(encoder, from, 0, to, 0, wgpuBufferGetSize(from));
    }
    double start_ms = bench_now_ms();
    gpu_submit(&b->gpu, encoder);
    if (!gpu_wait(&b->gpu))
        return -1.0;
    double wall_ms = bench_now_ms() - start_ms;
    uint64_t ticks[4] = {0};
    if (b->queries == NULL)
        return wall_ms;
    return read_ticks(b, ticks, 4) ? milliseconds(b, ticks[1], ticks[3]) : -1.0;
}

static void note_copy(bench *b, uint64_t bytes, double ms) {
    double speed = ms > 0 ? 2.0 * (double)bytes / (ms / 1e3) : 0;
    if (speed > b->copy_bytes_per_second)
        b->copy_bytes_per_second = speed;
}

/* A sort by no bits is ordo's copy kernel, which on some GPUs is several times as fast as a copy
   between buffers (0.8 against 4 TB/s on an H200). */
static void measure_copy_kernel(bench *b, WGPUBuffer from, WGPUBuffer to, uint64_t bytes) {
    ordo_sort_desc desc = {.max_count = bytes / 4, .skip_low_bits = 32};
    ordo_plan *plan = NULL;
    if (b->queries == NULL || ordo_sort_plan(b->context, &desc, &plan) != ORDO_OK)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(b->gpu.device, NULL);
        WGPUPassTimestampWrites writes = bench_timestamps(b, 0);
        ordo_args args = {.in = {from, 0}, .out = {to, 0}, .timestamps = &writes};
        bool recorded = ordo_encode(plan, encoder, &args) == ORDO_OK;
        gpu_submit(&b->gpu, encoder);
        uint64_t ticks[2] = {0};
        if (recorded && gpu_wait(&b->gpu) && read_ticks(b, ticks, 2))
            note_copy(b, bytes, milliseconds(b, ticks[0], ticks[1]));
    }
    ordo_plan_release(plan);
}

/* The best of three and of both ways, so that the share that a sort reaches is never flattered. */
static void measure_copy(bench *b) {
    uint64_t bytes = (uint64_t)256 << 20;
    while (bytes > ordo_context_caps(b->context)->max_binding_bytes)
        bytes /= 2;
    WGPUBuffer from = gpu_buffer(&b->gpu, bytes, 0, NULL);
    WGPUBuffer to = gpu_buffer(&b->gpu, bytes, 0, NULL);
    if (from != NULL && to != NULL) {
        checker_job mark[2] = {
            checker_make(&b->checker, CHECKER_GENERATE,
                         &(checker_data){.buffers = {[CHECKER_KEYS] = from}, .count = 1}, 0, 1),
            checker_make(&b->checker, CHECKER_GENERATE,
                         &(checker_data){.buffers = {[CHECKER_KEYS] = to}, .count = 1}, 0, 2)};
        double once_ms = time_copies(b, mark, from, to, 1);
        once_ms = once_ms > 0 ? time_copies(b, mark, from, to, 1) : once_ms;
        uint32_t times = once_ms > 100 ? 1 : once_ms > 20 ? 4 : 16;
        for (uint32_t i = 0; once_ms > 0 && i < 3; i++) {
            note_copy(b, bytes * times, time_copies(b, mark, from, to, times));
        }
        measure_copy_kernel(b, from, to, bytes);
        checker_release(&mark[0]);
        checker_release(&mark[1]);
    }
    if (from != NULL)
        wgpuBufferRelease(from);
    if (to != NULL)
        wgpuBufferRelease(to);
}

/* ---- Opening ------------------------------------------------------------------------------- */

/* As gpu_context makes it, but for what it may bind. */
static ordo_context *open_context(const bench *b, char *message) {
    const gpu *g = &b->gpu;
    const ordo_context_desc desc = {
        .instance = g->instance,
        .adapter = g->adapter,
        .device = g->device,
        .queue = g->queue,
        .subgroups = g->subgroups,
        .caps = {.tuning = g->tuning, .max_binding_bytes = b->binding_bytes}};
    ordo_context *context = NULL;
    (void)ordo_context_create(&desc, &context, message);
    return context;
}

bool bench_open(bench *b, const bench_options *options, char *message) {
    *b = (bench){.repeats = options->repeats,
                 .warm_ms = options->warm_ms,
                 .default_limits = options->gpu.default_limits,
                 .plant_error = options->plant_error,
                 .binding_bytes = options->binding_bytes};
    if (!bench_open_gpu(&b->gpu, &options->gpu, message))
        return false;
    b->context = open_context(b, message);
    bool fine = b->context != NULL;
    if (fine &&
        !checker_open(&b->checker, &b->gpu, ordo_context_caps(b->context)->max_binding_bytes)) {
        fine = false;
        snprintf(message, ORDO_MESSAGE_BYTES, "the kernels that check results fail: %.200s",
                 b->gpu.error);
    }
    if (fine && b->gpu.timestamps) {
        WGPUQuerySetDescriptor desc = {.type = WGPUQueryType_Timestamp,
                                       .count = 2 * BENCH_MAX_REPEATS};
        b->queries = wgpuDeviceCreateQuerySet(b->gpu.device, &desc);
    }
    if (fine)
        measure_copy(b);
    else
        bench_close(b);
    return fine;
}

void bench_close(bench *b) {
    if (b->queries != NULL)
        wgpuQuerySetRelease(b->queries);
    checker_close(&b->checker);
    ordo_context_release(b->context);
    gpu_close(&b->gpu);
}
