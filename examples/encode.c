/* SPDX-License-Identifier: MIT */
/*
 * Sort on the GPU inside a command stream of your own, without waiting in between:
 *
 *     clear | sort particles by cell, as many as `alive` says | scan cell sizes to starts | copy
 *
 * The number of particles lives in a GPU buffer, where a compute pass of the program may have left
 * it, so the host never learns it. Plans are made once; encoding them again costs no allocation.
 */
#include <ordo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 8, ALIVE = 6, CELLS = 4 };
static const uint32_t cell_of[CAPACITY] = {3, 0, 2, 3, 0, 0, 9, 9}; /* the last two are not alive */
static const uint32_t particle[CAPACITY] = {10, 11, 12, 13, 14, 15, 16, 17};
static const uint32_t cell_size[CELLS] = {3, 0, 1, 2};

static WGPUInstance instance;
static WGPUAdapter adapter;
static WGPUDevice device;
static WGPUQueue queue;

static void stop(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* ---- WebGPU's own part ------------------------------------------------------------------------*/

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

/* Finishes and submits the encoder, waits, and copies the readable buffer into out. */
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

/* ---- ordo's part ------------------------------------------------------------------------------*/

int main(void) {
    open_device();

    /* A context per device, a plan per problem. */
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    ordo_context_desc setup = {.instance = instance, .adapter = adapter, .device = device};
    if (ordo_context_create(&setup, &context, message) != ORDO_OK)
        stop(message);
    ordo_plan *sort, *scan;
    ordo_sort_desc by_cell = {.max_count = CAPACITY, .value_bytes = 4, .in_place = true};
    ordo_scan_desc starts = {.max_count = CELLS};
    if (ordo_sort_plan(context, &by_cell, &sort) != ORDO_OK ||
        ordo_scan_plan(context, &starts, &scan) != ORDO_OK)
        stop(ordo_message(context));

    /* Buffers need Storage usage for ordo; the rest is the program's business. */
    const WGPUBufferUsage usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc;
    WGPUBuffer keys = make_buffer(usage, cell_of, sizeof cell_of);
    WGPUBuffer ids = make_buffer(usage, particle, sizeof particle);
    WGPUBuffer alive = make_buffer(usage, &(uint32_t){ALIVE}, 4);
    WGPUBuffer sizes = make_buffer(usage, cell_size, sizeof cell_size);
    WGPUBuffer offsets = make_buffer(usage, NULL, sizeof cell_size);
    uint32_t result[CAPACITY + CELLS];
    WGPUBuffer readable = make_buffer(WGPUBufferUsage_MapRead, NULL, sizeof result);

    /* An encode per use, between commands of the program's own. */
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(device, NULL);
    wgpuCommandEncoderClearBuffer(encoder, offsets, 0, sizeof cell_size);
    ordo_args particles = {.in = {keys, 0}, .values_in = {ids, 0}, .count = {alive, 0}};
    ordo_args cells = {.in = {sizes, 0}, .out = {offsets, 0}};
    if (ordo_encode(sort, encoder, &particles) != ORDO_OK ||
        ordo_encode(scan, encoder, &cells) != ORDO_OK)
        stop(ordo_message(context));
    wgpuCommandEncoderCopyBufferToBuffer(encoder, ids, 0, readable, 0, sizeof particle);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, offsets, 0, readable, sizeof particle,
                                         sizeof cell_size);
    submit_and_read(encoder, readable, result, sizeof result);

    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint32_t start = result[CAPACITY + cell];
        printf("cell %u:", (unsigned)cell);
        for (uint32_t i = 0; i < cell_size[cell]; i++)
            printf(" %u", (unsigned)result[start + i]);
        printf("\n");
    }

    ordo_plan_release(sort);
    ordo_plan_release(scan);
    ordo_context_release(context);
    WGPUBuffer buffers[] = {keys, ids, alive, sizes, offsets, readable};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        wgpuBufferRelease(buffers[i]);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueRelease(queue);
    wgpuDeviceRelease(device);
    wgpuAdapterRelease(adapter);
    wgpuInstanceRelease(instance);
    return 0;
}
