/* SPDX-License-Identifier: MIT */
/*
 * gpu.c: see gpu.h. Adapters are collected into one ranked list, which gpu_list shows and gpu_open
 * picks from, so that an index means the same to both. All waiting is one loop over
 * wgpuInstanceProcessEvents, the only way that every implementation offers.
 */
#define _POSIX_C_SOURCE 200809L

#include "gpu.h"

#if ORDO_HAVE_WGPU_H
#include <webgpu/wgpu.h>
#endif

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_ADAPTERS 16

/* Uploads and downloads go in pieces of this size, so that the implementation's staging memory
   stays small beside the data. */
#define PIECE_BYTES ((uint64_t)64 << 20)

/* ---- Small helpers ------------------------------------------------------------------------- */

static size_t view_length(WGPUStringView view) {
    if (view.data == NULL)
        return 0;
    return view.length == WGPU_STRLEN ? strlen(view.data) : view.length;
}

static void copy_view(char *to, size_t capacity, WGPUStringView view) {
    size_t length = view_length(view);
    if (length >= capacity)
        length = capacity - 1;
    if (length > 0)
        memcpy(to, view.data, length);
    to[length] = '\0';
}

void gpu_adapter_name(const WGPUAdapterInfo *info, char *name, size_t capacity) {
    copy_view(name, capacity, info->device);
    if (name[0] == '\0')
        copy_view(name, capacity, info->description);
    if (name[0] == '\0')
        copy_view(name, capacity, info->vendor);
}

const char *gpu_backend_name(WGPUBackendType type) {
    static const char *const names[] = {
        [WGPUBackendType_WebGPU] = "webgpu",     [WGPUBackendType_D3D11] = "d3d11",
        [WGPUBackendType_D3D12] = "d3d12",       [WGPUBackendType_Metal] = "metal",
        [WGPUBackendType_Vulkan] = "vulkan",     [WGPUBackendType_OpenGL] = "opengl",
        [WGPUBackendType_OpenGLES] = "opengles",
    };
    bool known = (size_t)type < sizeof names / sizeof names[0] && names[type] != NULL;
    return known ? names[type] : "unknown";
}

/* The pauses grow to a millisecond: short work is seen at once, long work takes no CPU. */
static void pump(WGPUInstance instance, const bool *done) {
    for (unsigned round = 0; !*done; round++) {
        wgpuInstanceProcessEvents(instance);
        if (*done || round < 64)
            continue;
        long pause_ns = round < 256 ? 20000 : 1000000;
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
    }
}

/* ---- Adapters ------------------------------------------------------------------------------ */

typedef struct adapter_list {
    unsigned count;
    WGPUAdapter adapters[MAX_ADAPTERS];
    WGPUAdapterInfo infos[MAX_ADAPTERS];
} adapter_list;

static void list_release(adapter_list *list) {
    for (unsigned i = 0; i < list->count; i++) {
        wgpuAdapterInfoFreeMembers(list->infos[i]);
        if (list->adapters[i] != NULL)
            wgpuAdapterRelease(list->adapters[i]);
    }
    list->count = 0;
}

static int rank(const WGPUAdapterInfo *info) {
    switch (info->adapterType) {
    case WGPUAdapterType_DiscreteGPU:
        return 0;
    case WGPUAdapterType_IntegratedGPU:
        return 1;
    case WGPUAdapterType_CPU:
        return 3;
    default:
        return 2;
    }
}

/* Takes over the reference to adapter. Keeps the list ranked, equals in the order of arrival. */
static void list_add(adapter_list *list, WGPUAdapter adapter) {
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    if (list->count == MAX_ADAPTERS || wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success) {
        wgpuAdapterRelease(adapter);
        return;
    }
    if (info.backendType == WGPUBackendType_Null) { /* it runs nothing */
        wgpuAdapterInfoFreeMembers(info);
        wgpuAdapterRelease(adapter);
        return;
    }
    unsigned at = list->count++;
    for (; at > 0 && rank(&list->infos[at - 1]) > rank(&info); at--) {
        list->infos[at] = list->infos[at - 1];
        list->adapters[at] = list->adapters[at - 1];
    }
    list->infos[at] = info;
    list->adapters[at] = adapter;
}

#if ORDO_HAVE_WGPU_H

static void list_fill(adapter_list *list, WGPUInstance instance) {
    /* The primary backends leave out OpenGL, which shows each Vulkan adapter a second time. */
    WGPUInstanceEnumerateAdapterOptions options = {.backends = WGPUInstanceBackend_Primary};
    size_t count = wgpuInstanceEnumerateAdapters(instance, &options, NULL);
    WGPUAdapter *adapters = calloc(count + 1, sizeof *adapters);
    if (adapters == NULL)
        return;
    count = wgpuInstanceEnumerateAdapters(instance, &options, adapters);
    for (size_t i = 0; i < count; i++)
        list_add(list, adapters[i]);
    free(adapters);
}

#else

typedef struct adapter_request {
    bool done;
    WGPUAdapter adapter;
} adapter_request;

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
                       void *user, void *unused) {
    (void)message;
    (void)unused;
    adapter_request *request = user;
    request->adapter = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
    request->done = true;
}

static bool same_view(WGPUStringView a, WGPUStringView b) {
    size_t length = view_length(a);
    return length == view_length(b) && (length == 0 || memcmp(a.data, b.data, length) == 0);
}

static bool list_has(const adapter_list *list, WGPUAdapter adapter) {
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    if (wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success)
        return false;
    bool found = false;
    for (unsigned i = 0; i < list->count; i++) {
        const WGPUAdapterInfo *other = &list->infos[i];
        found |= other->backendType == info.backendType && other->vendorID == info.vendorID &&
                 other->deviceID == info.deviceID && same_view(other->device, info.device);
    }
    wgpuAdapterInfoFreeMembers(info);
    return found;
}

/* webgpu.h has no enumeration: this asks in all ways that can give different answers, and keeps
   one of each. */
static void list_fill(adapter_list *list, WGPUInstance instance) {
    const WGPURequestAdapterOptions ways[] = {
        {.powerPreference = WGPUPowerPreference_HighPerformance},
        {.powerPreference = WGPUPowerPreference_LowPower},
        {.forceFallbackAdapter = true},
    };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        adapter_request request = {.done = false};
        wgpuInstanceRequestAdapter(
            instance, &ways[i],
            (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                             .callback = on_adapter,
                                             .userdata1 = &request});
        pump(instance, &request.done);
        if (request.adapter == NULL)
            continue;
        if (list_has(list, request.adapter))
            wgpuAdapterRelease(request.adapter);
        else
            list_add(list, request.adapter);
    }
}

#endif

static void explain_empty(char *message) {
    snprintf(
        message, ORDO_MESSAGE_BYTES,
        "no usable GPU adapter: WebGPU finds no Vulkan driver that it accepts; install the one "
        "of your GPU, or a software one (Debian, Ubuntu: mesa-vulkan-drivers)");
}

/* ---- Choosing ------------------------------------------------------------------------------ */

static bool contains_ignoring_case(const char *text, const char *part) {
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (part[i] != '\0' &&
               tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (part[i] == '\0')
            return true;
    }
    return false;
}

static bool is_index(const char *text, unsigned long *index) {
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 4 || text[digits] != '\0')
        return false;
    *index = strtoul(text, NULL, 10);
    return true;
}

/* The position of the adapter that the options name, or -1 with a message. */
static int choose(const adapter_list *list, const gpu_options *options, char *message) {
    unsigned long index = 0;
    bool by_index = options->adapter != NULL && is_index(options->adapter, &index);
    if (by_index && index >= list->count) {
        snprintf(message, ORDO_MESSAGE_BYTES, "no adapter %lu: there are %u, numbered from 0",
                 index, list->count);
        return -1;
    }
    for (unsigned i = 0; i < list->count; i++) {
        char name[128];
        gpu_adapter_name(&list->infos[i], name, sizeof name);
        if (options->software && list->infos[i].adapterType != WGPUAdapterType_CPU)
            continue;
        if (by_index ? index != i
                     : options->adapter != NULL && !contains_ignoring_case(name, options->adapter))
            continue;
        return (int)i;
    }
    if (options->adapter != NULL)
        snprintf(message, ORDO_MESSAGE_BYTES, "no %sadapter matches '%.100s'",
                 options->software ? "software " : "", options->adapter);
    else
        snprintf(message, ORDO_MESSAGE_BYTES,
                 "no software adapter: install one (Debian, Ubuntu: mesa-vulkan-drivers)");
    return -1;
}

/* ---- The device ---------------------------------------------------------------------------- */

static void on_error(const WGPUDevice *device, WGPUErrorType type, WGPUStringView message,
                     void *user, void *unused) {
    (void)device;
    (void)type;
    (void)unused;
    gpu *g = user;
    if (g->error_count++ == 0 && !g->lost)
        copy_view(g->error, sizeof g->error, message);
}

static void on_lost(const WGPUDevice *device, WGPUDeviceLostReason reason, WGPUStringView message,
                    void *user, void *unused) {
    (void)device;
    (void)unused;
    if (reason == WGPUDeviceLostReason_CallbackCancelled ||
        reason == WGPUDeviceLostReason_FailedCreation)
        return;
    gpu *g = user;
    g->lost = true;
    copy_view(g->error, sizeof g->error, message);
}

typedef struct device_request {
    bool done;
    WGPUDevice device;
    char *message; /* ORDO_MESSAGE_BYTES long, written on failure */
} device_request;

static void on_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView message,
                      void *user, void *unused) {
    (void)unused;
    device_request *request = user;
    request->device = status == WGPURequestDeviceStatus_Success ? device : NULL;
    if (request->device == NULL)
        copy_view(request->message, ORDO_MESSAGE_BYTES, message);
    request->done = true;
}

/* How an adapter's subgroups are asked for; AUTO if it has none. */
static ordo_subgroup_use adapter_subgroups(WGPUAdapter adapter, bool native,
                                           WGPUFeatureName *feature) {
    *feature = WGPUFeatureName_Subgroups;
    if (wgpuAdapterHasFeature(adapter, *feature))
        return ORDO_SUBGROUPS_ON;
#if ORDO_HAVE_WGPU_H
    *feature = (WGPUFeatureName)WGPUNativeFeature_Subgroup;
    if (native && wgpuAdapterHasFeature(adapter, *feature))
        return ORDO_SUBGROUPS_ON_WITHOUT_ENABLE;
#else
    (void)native;
#endif
    return ORDO_SUBGROUPS_AUTO;
}

static bool open_device(gpu *g, const gpu_options *options, char *message) {
    WGPUFeatureName features[2];
    size_t feature_count = 0;
    g->timestamps = wgpuAdapterHasFeature(g->adapter, WGPUFeatureName_TimestampQuery);
    if (g->timestamps)
        features[feature_count++] = WGPUFeatureName_TimestampQuery;
    g->subgroups = ORDO_SUBGROUPS_OFF;
    if (!options->default_limits && !options->no_subgroups) {
        ordo_subgroup_use use =
            adapter_subgroups(g->adapter, options->native_subgroups, &features[feature_count]);
        if (use != ORDO_SUBGROUPS_AUTO) {
            g->subgroups = use;
            feature_count++;
        }
    }

    WGPULimits limits = WGPU_LIMITS_INIT;
    if (wgpuAdapterGetLimits(g->adapter, &limits) != WGPUStatus_Success) {
        snprintf(message, ORDO_MESSAGE_BYTES, "the adapter does not tell its limits");
        return false;
    }
    device_request request = {.message = message};
    WGPUDeviceDescriptor desc = WGPU_DEVICE_DESCRIPTOR_INIT;
    desc.nextInChain = options->device_chain;
    desc.requiredFeatures = features;
    desc.requiredFeatureCount = feature_count;
    desc.requiredLimits = options->default_limits ? NULL : &limits;
    desc.deviceLostCallbackInfo = (WGPUDeviceLostCallbackInfo){
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_lost, .userdata1 = g};
    desc.uncapturedErrorCallbackInfo =
        (WGPUUncapturedErrorCallbackInfo){.callback = on_error, .userdata1 = g};
    wgpuAdapterRequestDevice(
        g->adapter, &desc,
        (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                        .callback = on_device,
                                        .userdata1 = &request});
    pump(g->instance, &request.done);
    g->device = request.device;
    if (g->device == NULL)
        return false;
    g->queue = wgpuDeviceGetQueue(g->device);
    g->timestamp_period_ns = 1.0;
#if ORDO_HAVE_WGPU_H
    g->timestamp_period_ns = (double)wgpuQueueGetTimestampPeriod(g->queue);
#endif
    return true;
}

bool gpu_open(gpu *g, const gpu_options *options, char *message) {
    *g = (gpu){.instance = wgpuCreateInstance(NULL), .tuning = options->tuning};
    message[0] = '\0';
    if (g->instance == NULL) {
        snprintf(message, ORDO_MESSAGE_BYTES, "the WebGPU implementation does not start");
        return false;
    }
    adapter_list list = {.count = 0};
    list_fill(&list, g->instance);
    int at = -1;
    if (list.count == 0)
        explain_empty(message);
    else
        at = choose(&list, options, message);
    if (at >= 0) {
        g->adapter = list.adapters[at];
        list.adapters[at] = NULL;
        gpu_adapter_name(&list.infos[at], g->name, sizeof g->name);
        WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
        if (wgpuAdapterGetInfo(g->adapter, &info) == WGPUStatus_Success)
            g->info = info;
    }
    list_release(&list);
    if (at >= 0 && open_device(g, options, message))
        return true;
    gpu_close(g);
    return false;
}

void gpu_close(gpu *g) {
    if (g->adapter != NULL)
        wgpuAdapterInfoFreeMembers(g->info);
    if (g->queue != NULL)
        wgpuQueueRelease(g->queue);
    if (g->device != NULL)
        wgpuDeviceRelease(g->device);
    if (g->adapter != NULL)
        wgpuAdapterRelease(g->adapter);
    if (g->instance != NULL)
        wgpuInstanceRelease(g->instance);
    *g = (gpu){.instance = NULL};
}

unsigned gpu_list(gpu_each *each, void *user, char *message) {
    message[0] = '\0';
    WGPUInstance instance = wgpuCreateInstance(NULL);
    if (instance == NULL) {
        snprintf(message, ORDO_MESSAGE_BYTES, "the WebGPU implementation does not start");
        return 0;
    }
    adapter_list list = {.count = 0};
    list_fill(&list, instance);
    unsigned count = list.count;
    if (count == 0)
        explain_empty(message);
    for (unsigned i = 0; i < count; i++) {
        WGPULimits limits = WGPU_LIMITS_INIT;
        (void)wgpuAdapterGetLimits(list.adapters[i], &limits);
        WGPUFeatureName feature;
        bool subgroups = adapter_subgroups(list.adapters[i], true, &feature) != ORDO_SUBGROUPS_AUTO;
        each(user, i, &list.infos[i], &limits, subgroups);
    }
    list_release(&list);
    wgpuInstanceRelease(instance);
    return count;
}

ordo_context *gpu_context(gpu *g, char *message) {
    ordo_context_desc desc = {.instance = g->instance,
                              .adapter = g->adapter,
                              .device = g->device,
                              .queue = g->queue,
                              .subgroups = g->subgroups,
                              .caps = {.tuning = g->tuning}};
    ordo_context *context = NULL;
    (void)ordo_context_create(&desc, &context, message);
    return context;
}

/* ---- Buffers and work ---------------------------------------------------------------------- */

typedef struct scope_result {
    bool done;
    bool failed;
} scope_result;

static void on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                     void *user, void *unused) {
    (void)message;
    (void)unused;
    scope_result *result = user;
    result->failed = status != WGPUPopErrorScopeStatus_Success || type != WGPUErrorType_NoError;
    result->done = true;
}

/* Pops the innermost error scope; true if it caught something. */
static bool pop_scope(gpu *g) {
    scope_result result = {.done = false};
    wgpuDevicePopErrorScope(
        g->device, (WGPUPopErrorScopeCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                   .callback = on_scope,
                                                   .userdata1 = &result});
    pump(g->instance, &result.done);
    return result.failed;
}

static WGPUBuffer make_buffer(gpu *g, uint64_t bytes, WGPUBufferUsage usage) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    if (wgpuDeviceGetLimits(g->device, &limits) != WGPUStatus_Success ||
        bytes > limits.maxBufferSize)
        return NULL;
    WGPUBufferDescriptor desc = WGPU_BUFFER_DESCRIPTOR_INIT;
    desc.usage = usage;
    desc.size = bytes;
    /* Without memory some implementations give a buffer in error, which only a scope tells. */
    wgpuDevicePushErrorScope(g->device, WGPUErrorFilter_Validation);
    wgpuDevicePushErrorScope(g->device, WGPUErrorFilter_OutOfMemory);
    WGPUBuffer buffer = wgpuDeviceCreateBuffer(g->device, &desc);
    bool failed = pop_scope(g);
    failed |= pop_scope(g);
    if (failed && buffer != NULL) {
        wgpuBufferRelease(buffer);
        buffer = NULL;
    }
    return buffer;
}

WGPUBuffer gpu_buffer(gpu *g, uint64_t bytes, WGPUBufferUsage more, const void *data) {
    uint64_t rounded = bytes < 4 ? 4 : (bytes + 3) & ~(uint64_t)3;
    WGPUBuffer buffer = make_buffer(g, rounded,
                                    WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc |
                                        WGPUBufferUsage_CopyDst | more);
    if (buffer != NULL && data != NULL)
        gpu_write(g, buffer, 0, data, bytes);
    return buffer;
}

void gpu_write(gpu *g, WGPUBuffer buffer, uint64_t offset_bytes, const void *data, uint64_t bytes) {
    const char *from = data;
    uint64_t done = 0;
    for (uint64_t whole = bytes & ~(uint64_t)3; done < whole;) {
        uint64_t piece = whole - done < PIECE_BYTES ? whole - done : PIECE_BYTES;
        /* The wait frees the staging memory of the piece before. */
        if (done > 0)
            gpu_wait(g);
        wgpuQueueWriteBuffer(g->queue, buffer, offset_bytes + done, from + done, (size_t)piece);
        if (piece < whole)
            wgpuQueueSubmit(g->queue, 0, NULL);
        done += piece;
    }
    if (done < bytes) {
        char word[4] = {0};
        memcpy(word, from + done, (size_t)(bytes - done));
        wgpuQueueWriteBuffer(g->queue, buffer, offset_bytes + done, word, sizeof word);
    }
}

typedef struct map_result {
    bool done;
    bool mapped;
} map_result;

static void on_map(WGPUMapAsyncStatus status, WGPUStringView message, void *user, void *unused) {
    (void)message;
    (void)unused;
    map_result *result = user;
    result->mapped = status == WGPUMapAsyncStatus_Success;
    result->done = true;
}

/* Copies one piece through the staging buffer. */
static bool read_piece(gpu *g, WGPUBuffer staging, WGPUBuffer buffer, uint64_t offset_bytes,
                       uint64_t bytes, char *out) {
    uint64_t rounded = (bytes + 3) & ~(uint64_t)3;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(g->device, NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, offset_bytes, staging, 0, rounded);
    gpu_submit(g, encoder);
    map_result result = {.done = false};
    wgpuBufferMapAsync(staging, WGPUMapMode_Read, 0, (size_t)rounded,
                       (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                   .callback = on_map,
                                                   .userdata1 = &result});
    pump(g->instance, &result.done);
    const void *mapped =
        result.mapped ? wgpuBufferGetConstMappedRange(staging, 0, (size_t)rounded) : NULL;
    if (mapped != NULL)
        memcpy(out, mapped, (size_t)bytes);
    if (result.mapped)
        wgpuBufferUnmap(staging);
    return mapped != NULL;
}

bool gpu_read(gpu *g, WGPUBuffer buffer, uint64_t offset_bytes, uint64_t bytes, void *out) {
    if (bytes == 0)
        return !g->lost;
    const unsigned errors_before = g->error_count;
    uint64_t staging_bytes = bytes < PIECE_BYTES ? (bytes + 3) & ~(uint64_t)3 : PIECE_BYTES;
    WGPUBuffer staging =
        make_buffer(g, staging_bytes, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    bool fine = staging != NULL;
    for (uint64_t done = 0; fine && done < bytes;) {
        uint64_t piece = bytes - done < staging_bytes ? bytes - done : staging_bytes;
        fine = read_piece(g, staging, buffer, offset_bytes + done, piece, (char *)out + done);
        done += piece;
    }
    if (staging != NULL)
        wgpuBufferRelease(staging);
    /* A refused copy leaves zeros or old bytes in a buffer that can be mapped all the same. */
    return fine && g->error_count == errors_before;
}

void gpu_submit(gpu *g, WGPUCommandEncoder encoder) {
    const unsigned errors_before = g->error_count;
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    if (commands == NULL)
        return;
    /* wgpu-native ends the process when commands in error are submitted. */
    if (g->error_count == errors_before)
        wgpuQueueSubmit(g->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}

static void on_work_done(WGPUQueueWorkDoneStatus status, WGPUStringView message, void *user,
                         void *unused) {
    (void)message;
    (void)unused;
    map_result *result = user;
    result->mapped = status == WGPUQueueWorkDoneStatus_Success;
    result->done = true;
}

bool gpu_wait(gpu *g) {
    map_result result = {.done = false};
    wgpuQueueOnSubmittedWorkDone(
        g->queue, (WGPUQueueWorkDoneCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                  .callback = on_work_done,
                                                  .userdata1 = &result});
    pump(g->instance, &result.done);
    return result.mapped && !g->lost;
}
