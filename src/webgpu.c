/* SPDX-License-Identifier: MIT */
/*
 * webgpu.c: the context, the device's errors, and waiting.
 *
 * The library calls WebGPU in src/webgpu*.c and nowhere else:
 *
 *     webgpu.c            context: device, queue, caps
 *     webgpu_open.c       a context on a device of its own
 *     webgpu_pipeline.c   modules, layouts and pipelines, kept by the context
 *     webgpu_plan.c       plans: steps with pipelines, params, scratch; encoding them
 *     webgpu_array.c      sorting host arrays, the one thing that waits for work
 *     webgpu_check.c      the self-check, by the others
 */
#define _POSIX_C_SOURCE 199309L /* nanosleep, clock_gettime */

#include "webgpu_internal.h"

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif

/* ---- Messages, waiting, checks ---------------------------------------------------------------*/

ordo_status ordo_fail(ordo_context *context, ordo_message_id id, const ordo_report *report) {
    return ordo_message_write(context->message, id, report);
}

void ordo_copy_view(char *out, WGPUStringView text) {
    size_t length = !text.data ? 0 : text.length == WGPU_STRLEN ? strlen(text.data) : text.length;
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < ORDO_MESSAGE_BYTES; i++) {
        bool blank = text.data[i] == ' ' || text.data[i] == '\n';
        if (!blank) {
            out[used++] = text.data[i];
        } else if (used && out[used - 1] != ' ') {
            out[used++] = ' ';
        }
    }
    out[used] = '\0';
}

static void sleep_microseconds(uint32_t microseconds) {
#ifdef _WIN32
    Sleep((microseconds + 999) / 1000);
#else
    nanosleep(&(struct timespec){.tv_nsec = 1000 * (long)microseconds}, NULL);
#endif
}

uint64_t ordo_now_us(void) {
#ifdef _WIN32
    return 1000 * (uint64_t)GetTickCount64();
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
#endif
}

bool ordo_wait_for(WGPUInstance instance, const bool *done, uint32_t limit_ms) {
    uint64_t begin_us = limit_ms ? ordo_now_us() : 0;
    /* A short answer comes within a few polls; a long one does not need a core spinning for it. */
    for (uint32_t polls = 0; !*done; polls++) {
        wgpuInstanceProcessEvents(instance);
        if (!*done && limit_ms && ordo_now_us() - begin_us > 1000 * (uint64_t)limit_ms) {
            return false;
        }
        if (!*done && polls >= 16) {
            sleep_microseconds(polls < 64 ? 50 : 500);
        }
    }
    return true;
}

void ordo_wait(WGPUInstance instance, const bool *done) { ordo_wait_for(instance, done, 0); }

ordo_status ordo_fail_if_stalled(ordo_context *context) {
    return context->stalled_ms
               ? ordo_fail(context, ORDO_MESSAGE_STALLED,
                           &(ordo_report){.s = "the self-check", .a = context->stalled_ms})
               : ORDO_OK;
}

typedef struct scope_result {
    bool done;
    WGPUErrorType type;
    char text[ORDO_MESSAGE_BYTES];
} scope_result;

static void scope_popped(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView text,
                         void *user, void *unused) {
    scope_result *result = user;
    (void)unused;
    ordo_copy_view(result->text, text);
    result->type = status == WGPUPopErrorScopeStatus_Success ? type : WGPUErrorType_Unknown;
    result->done = true;
}

static void pop_scope(ordo_context *context, scope_result *result) {
    wgpuDevicePopErrorScope(context->device, (WGPUPopErrorScopeCallbackInfo){
                                                 .mode = WGPUCallbackMode_AllowProcessEvents,
                                                 .callback = scope_popped,
                                                 .userdata1 = result,
                                             });
    ordo_wait(context->instance, &result->done);
}

static void probe_mapped(WGPUMapAsyncStatus status, WGPUStringView text, void *user, void *done) {
    (void)text;
    *(bool *)user = status != WGPUMapAsyncStatus_Success;
    *(bool *)done = true;
}

/* Whether the device answers no more. webgpu.h has a future for that, which wgpu-native 29 lacks;
   a small buffer that cannot be mapped tells as well. */
static bool is_lost(ordo_context *context) {
    bool lost = true, mapped = false;
    scope_result ignored = {.done = false};
    wgpuDevicePushErrorScope(context->device, WGPUErrorFilter_Validation);
    WGPUBuffer probe = ordo_create_buffer(context, "ordo probe", 16,
                                          WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    wgpuBufferMapAsync(probe, WGPUMapMode_Read, 0, 16,
                       (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                   .callback = probe_mapped,
                                                   .userdata1 = &lost,
                                                   .userdata2 = &mapped});
    ordo_wait(context->instance, &mapped);
    wgpuBufferRelease(probe);
    pop_scope(context, &ignored);
    return lost;
}

void ordo_checks_begin(ordo_context *context) {
    if (context->instance) {
        wgpuDevicePushErrorScope(context->device, WGPUErrorFilter_OutOfMemory);
        wgpuDevicePushErrorScope(context->device, WGPUErrorFilter_Validation);
    }
}

ordo_status ordo_checks_end(ordo_context *context, const char *what, uint64_t bytes) {
    ordo_status status = ORDO_OK;
    for (int i = 0; context->instance && i < 2; i++) {
        scope_result result = {.done = false};
        pop_scope(context, &result);
        ordo_report report = {.s = what, .t = result.text, .a = bytes};
        if (result.type == WGPUErrorType_OutOfMemory) {
            status = ordo_fail(context, ORDO_MESSAGE_DEVICE_MEMORY, &report);
        } else if (status == ORDO_OK && result.type != WGPUErrorType_NoError && result.type != 0) {
            status = ordo_fail(context, ORDO_MESSAGE_DEVICE_REFUSED, &report);
        }
    }
    if (status == ORDO_FAILED && is_lost(context)) {
        status = ordo_fail(context, ORDO_MESSAGE_DEVICE_LOST, &(ordo_report){.s = what});
    }
    return status;
}

/* ---- Context --------------------------------------------------------------------------------*/

/* Replace what the device gives by what the caller wants, unless that is more. */
static ordo_status lower(uint64_t *given, uint64_t wanted, const char *field, char *message) {
    if (wanted > *given) {
        return ordo_message_write(message, ORDO_MESSAGE_CAPS_ABOVE,
                                  &(ordo_report){.s = field, .a = wanted, .b = *given});
    }
    *given = wanted ? wanted : *given;
    return ORDO_OK;
}

enum { NVIDIA = 0x10de, AMD = 0x1002, INTEL = 0x8086 }; /* vendorID */

/* What the library asks of an adapter's info; all 0 if there is no adapter, or it does not tell. */
typedef struct facts {
    WGPUBackendType backend;
    WGPUAdapterType type;
    uint32_t vendor;
    uint32_t subgroup_size; /* 0: not always the same */
} facts;

static facts adapter_facts(WGPUAdapter adapter) {
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    if (!adapter || wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success) {
        return (facts){.vendor = 0};
    }
    facts told = {info.backendType, info.adapterType, info.vendorID,
                  info.subgroupMinSize == info.subgroupMaxSize ? info.subgroupMinSize : 0};
    /* wgpu-native does not tell sizes. */
    if (told.vendor == NVIDIA && info.subgroupMaxSize == 0) {
        told.subgroup_size = 32;
    }
    wgpuAdapterInfoFreeMembers(info);
    return told;
}

/* Whether the adapter is of those whose started workgroups are known to go on: Sorensen et al.,
   "Specifying and Testing GPU Workgroup Progress Models" (2021). */
static bool progresses(const facts *told) {
    return (told->vendor == NVIDIA || told->vendor == AMD || told->vendor == INTEL) &&
           (told->type == WGPUAdapterType_DiscreteGPU ||
            told->type == WGPUAdapterType_IntegratedGPU);
}

static ordo_status read_caps(const ordo_context_desc *desc, const facts *told, ordo_caps *caps,
                             char *message) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    wgpuDeviceGetLimits(desc->device, &limits);
    uint32_t alignment = limits.minStorageBufferOffsetAlignment;
    uint32_t invocations = limits.maxComputeInvocationsPerWorkgroup;
    if (alignment < limits.minUniformBufferOffsetAlignment) {
        alignment = limits.minUniformBufferOffsetAlignment;
    }
    if (invocations > limits.maxComputeWorkgroupSizeX) {
        invocations = limits.maxComputeWorkgroupSizeX;
    }
    const ordo_caps *wanted = &desc->caps;
    struct {
        uint64_t given, wanted;
        const char *field;
    } rows[] = {
        {limits.maxBufferSize, wanted->max_buffer_bytes, "max_buffer_bytes"},
        {limits.maxStorageBufferBindingSize, wanted->max_binding_bytes, "max_binding_bytes"},
        {limits.maxComputeWorkgroupsPerDimension, wanted->max_groups, "max_groups"},
        {limits.maxComputeWorkgroupStorageSize, wanted->max_workgroup_bytes, "max_workgroup_bytes"},
        {invocations, wanted->max_invocations, "max_invocations"},
        {limits.maxStorageBuffersPerShaderStage, wanted->max_storage_buffers,
         "max_storage_buffers"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ordo_status status = lower(&rows[i].given, rows[i].wanted, rows[i].field, message);
        if (status != ORDO_OK) {
            return status;
        }
    }
    *caps = (ordo_caps){
        .max_buffer_bytes = rows[0].given,
        .max_binding_bytes = rows[1].given,
        .max_groups = (uint32_t)rows[2].given,
        .max_workgroup_bytes = (uint32_t)rows[3].given,
        .max_invocations = (uint32_t)rows[4].given,
        .max_storage_buffers = (uint32_t)rows[5].given,
        /* Here more is less: an alignment may only be made stricter. */
        .offset_alignment_bytes =
            alignment > wanted->offset_alignment_bytes ? alignment : wanted->offset_alignment_bytes,
        .subgroups = desc->subgroups == ORDO_SUBGROUPS_AUTO
                         ? wgpuDeviceHasFeature(desc->device, WGPUFeatureName_Subgroups)
                         : desc->subgroups != ORDO_SUBGROUPS_OFF,
        .subgroup_size = wanted->subgroup_size ? wanted->subgroup_size : told->subgroup_size,
        .forward_progress = wanted->forward_progress || progresses(told),
        .software = wanted->software || told->type == WGPUAdapterType_CPU,
        .rejected_methods = wanted->rejected_methods,
        .tuning = wanted->tuning,
    };
    return ORDO_OK;
}

/* Everything that can be wrong with a context desc. */
static ordo_status check_context(const ordo_context_desc *desc, ordo_caps *caps, char *message) {
    if (!desc) {
        return ordo_message_write(message, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "desc"});
    }
    if (!desc->device) {
        return ordo_message_write(message, ORDO_MESSAGE_NO_DEVICE, &(ordo_report){0});
    }
    uint32_t most = ORDO_SUBGROUPS_ON_WITHOUT_ENABLE;
    if ((uint32_t)desc->subgroups > most) {
        return ordo_message_write(
            message, ORDO_MESSAGE_ENUM,
            &(ordo_report){.s = "subgroups", .a = (uint32_t)desc->subgroups, .b = most});
    }
    facts told = adapter_facts(desc->adapter);
    if (told.backend == WGPUBackendType_Null) {
        return ordo_message_write(message, ORDO_MESSAGE_NULL_ADAPTER, &(ordo_report){0});
    }
    ordo_status status = read_caps(desc, &told, caps, message);
    if (status != ORDO_OK) {
        return status;
    }
    ordo_summary summary;
    status = ordo_scan_steps(caps, &(ordo_scan_desc){0}, NULL, 0, &summary);
    if (status != ORDO_OK && message) {
        memcpy(message, summary.message, sizeof summary.message);
    }
    return status;
}

/* Let the context keep its own copy of the tuning's text. */
static ordo_status keep_tuning(ordo_context *context, char *message) {
    const char *text = context->caps.tuning;
    size_t bytes = text ? strlen(text) + 1 : 0;
    if (!text) {
        return ORDO_OK;
    }
    context->tuning = malloc(bytes);
    if (!context->tuning) {
        return ordo_message_write(message, ORDO_MESSAGE_MEMORY,
                                  &(ordo_report){.s = "a tuning", .a = bytes});
    }
    memcpy(context->tuning, text, bytes);
    context->caps.tuning = context->desc.caps.tuning = context->tuning;
    return ORDO_OK;
}

ordo_status ordo_context_create(const ordo_context_desc *desc, ordo_context **context,
                                char *message) {
    ordo_caps caps;
    if (message) {
        message[0] = '\0';
    }
    if (!context) {
        return ordo_message_write(message, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "context"});
    }
    *context = NULL;
    ordo_status status = check_context(desc, &caps, message);
    if (status != ORDO_OK) {
        return status;
    }
    ordo_context *made = calloc(1, sizeof *made);
    if (!made) {
        return ordo_message_write(message, ORDO_MESSAGE_MEMORY,
                                  &(ordo_report){.s = "a context", .a = sizeof *made});
    }
    made->reference_count = 1;
    made->desc = *desc;
    made->caps = caps;
    status = keep_tuning(made, message);
    if (status != ORDO_OK) {
        free(made);
        return status;
    }
    made->instance = desc->instance;
    made->device = desc->device;
    made->queue = desc->queue;
    if (made->instance) {
        wgpuInstanceAddRef(made->instance);
    }
    wgpuDeviceAddRef(made->device);
    if (made->queue) {
        wgpuQueueAddRef(made->queue);
    } else {
        made->queue = wgpuDeviceGetQueue(made->device);
    }
    *context = made;
    return ORDO_OK;
}

void ordo_context_release(ordo_context *context) {
    if (!context || --context->reference_count) {
        return;
    }
    ordo_drop_kernels(context, NULL, NULL);
    wgpuQueueRelease(context->queue);
    wgpuDeviceRelease(context->device);
    if (context->instance) {
        wgpuInstanceRelease(context->instance);
    }
    free(context->tuning);
    free(context);
}

const ordo_caps *ordo_context_caps(const ordo_context *context) {
    return context ? &context->caps : NULL;
}

const char *ordo_message(const ordo_context *context) {
    return context ? context->message : "there is no context";
}
