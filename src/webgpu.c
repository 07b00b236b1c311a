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
 */
#define _POSIX_C_SOURCE 199309L /* nanosleep */

#include "webgpu_internal.h"

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif

/* ---- Messages, waiting, checks ---------------------------------------------------------------*/

ordo_status ordo_fail(ordo_context *context, ordo_message_id id, const ordo_report *report)
{
    return ordo_message_write(context->message, id, report);
}

void ordo_copy_view(char *out, WGPUStringView text)
{
    size_t length = !text.data ? 0 : text.length == WGPU_STRLEN ? strlen(text.data) : text.length;
    length = length < ORDO_MESSAGE_BYTES ? length : ORDO_MESSAGE_BYTES - 1;
    if (length) {
        memcpy(out, text.data, length);
    }
    out[length] = '\0';
}

static void sleep_microseconds(uint32_t microseconds)
{
#ifdef _WIN32
    Sleep((microseconds + 999) / 1000);
#else
    nanosleep(&(struct timespec){.tv_nsec = 1000 * (long)microseconds}, NULL);
#endif
}

void ordo_wait(WGPUInstance instance, const bool *done)
{
    /* A short answer comes within a few polls; a long one does not need a core spinning for it. */
    for (uint32_t polls = 0; !*done; polls++) {
        wgpuInstanceProcessEvents(instance);
        if (!*done && polls >= 16) {
            sleep_microseconds(polls < 64 ? 50 : 500);
        }
    }
}

typedef struct scope_result {
    bool done;
    WGPUErrorType type;
    char text[ORDO_MESSAGE_BYTES];
} scope_result;

static void scope_popped(WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView text,
                         void *user, void *unused)
{
    scope_result *result = user;
    (void)status;
    (void)unused;
    ordo_copy_view(result->text, text);
    result->type = type;
    result->done = true;
}

void ordo_checks_begin(ordo_context *context)
{
    if (context->instance) {
        wgpuDevicePushErrorScope(context->device, WGPUErrorFilter_OutOfMemory);
        wgpuDevicePushErrorScope(context->device, WGPUErrorFilter_Validation);
    }
}

ordo_status ordo_checks_end(ordo_context *context, const char *what, uint64_t bytes)
{
    ordo_status status = ORDO_OK;
    for (int i = 0; context->instance && i < 2; i++) {
        scope_result result = {.done = false};
        wgpuDevicePopErrorScope(context->device,
                                (WGPUPopErrorScopeCallbackInfo){
                                    .mode = WGPUCallbackMode_AllowProcessEvents,
                                    .callback = scope_popped,
                                    .userdata1 = &result,
                                });
        ordo_wait(context->instance, &result.done);
        ordo_report report = {.s = what, .t = result.text, .a = bytes};
        if (result.type == WGPUErrorType_OutOfMemory) {
            status = ordo_fail(context, ORDO_MESSAGE_DEVICE_MEMORY, &report);
        } else if (status == ORDO_OK && result.type != WGPUErrorType_NoError && result.type != 0) {
            status = ordo_fail(context, ORDO_MESSAGE_DEVICE_REFUSED, &report);
        }
    }
    return status;
}

/* ---- Context --------------------------------------------------------------------------------*/

static uint32_t pick(uint32_t lowered, uint32_t own)
{
    return lowered ? lowered : own;
}

static ordo_caps read_caps(const ordo_context_desc *desc)
{
    WGPULimits limits = WGPU_LIMITS_INIT;
    wgpuDeviceGetLimits(desc->device, &limits);
    ordo_caps caps = desc->caps;
    uint32_t storage_alignment = limits.minStorageBufferOffsetAlignment;
    uint32_t uniform_alignment = limits.minUniformBufferOffsetAlignment;
    uint32_t invocations = limits.maxComputeInvocationsPerWorkgroup;
    if (invocations > limits.maxComputeWorkgroupSizeX) {
        invocations = limits.maxComputeWorkgroupSizeX;
    }
    if (!caps.max_buffer_bytes) {
        caps.max_buffer_bytes = limits.maxBufferSize;
    }
    if (!caps.max_binding_bytes) {
        caps.max_binding_bytes = limits.maxStorageBufferBindingSize;
    }
    caps.max_workgroup_bytes =
        pick(caps.max_workgroup_bytes, limits.maxComputeWorkgroupStorageSize);
    caps.max_invocations = pick(caps.max_invocations, invocations);
    caps.max_storage_buffers =
        pick(caps.max_storage_buffers, limits.maxStorageBuffersPerShaderStage);
    caps.offset_alignment_bytes =
        pick(caps.offset_alignment_bytes,
             storage_alignment > uniform_alignment ? storage_alignment : uniform_alignment);
    caps.max_groups = pick(caps.max_groups, limits.maxComputeWorkgroupsPerDimension);
    caps.subgroups = desc->subgroups == ORDO_SUBGROUPS_AUTO
                         ? wgpuDeviceHasFeature(desc->device, WGPUFeatureName_Subgroups)
                         : desc->subgroups != ORDO_SUBGROUPS_OFF;
    return caps;
}

static bool is_null_adapter(WGPUAdapter adapter)
{
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    if (!adapter || wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success) {
        return false;
    }
    bool is_null = info.backendType == WGPUBackendType_Null;
    wgpuAdapterInfoFreeMembers(info);
    return is_null;
}

/* Everything that can be wrong with a context desc. */
static ordo_status check_context(const ordo_context_desc *desc, ordo_caps *caps, char *message)
{
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
    if (is_null_adapter(desc->adapter)) {
        return ordo_message_write(message, ORDO_MESSAGE_NULL_ADAPTER, &(ordo_report){0});
    }
    *caps = read_caps(desc);
    ordo_summary summary;
    ordo_status status = ordo_scan_steps(caps, &(ordo_scan_desc){0}, NULL, 0, &summary);
    if (status != ORDO_OK && message) {
        memcpy(message, summary.message, sizeof summary.message);
    }
    return status;
}

ordo_status ordo_context_create(const ordo_context_desc *desc, ordo_context **context,
                                char *message)
{
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

void ordo_context_release(ordo_context *context)
{
    if (!context || --context->reference_count) {
        return;
    }
    ordo_drop_kernels(context, NULL, NULL);
    wgpuQueueRelease(context->queue);
    wgpuDeviceRelease(context->device);
    if (context->instance) {
        wgpuInstanceRelease(context->instance);
    }
    free(context);
}

const ordo_caps *ordo_context_caps(const ordo_context *context)
{
    return &context->caps;
}

const char *ordo_message(const ordo_context *context)
{
    return context->message;
}
