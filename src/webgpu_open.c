/* SPDX-License-Identifier: MIT */
/*
 * webgpu_open.c: a context on a device of ordo's own, for programs that have none.
 *
 *     instance -> adapter -> device -> context, which keeps what it needs; the rest is let go
 */
#include "webgpu_internal.h"

#include <string.h>

typedef struct opening {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    bool done;
    char reason[ORDO_MESSAGE_BYTES]; /* the implementation's, when it refuses */
} opening;

static void keep_reason(opening *o, WGPUStringView text) {
    ordo_copy_view(o->reason, text);
    o->done = true;
}

static void adapter_came(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView text,
                         void *user, void *unused) {
    opening *o = user;
    (void)status;
    (void)unused;
    o->adapter = adapter;
    keep_reason(o, text);
}

static void device_came(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView text,
                        void *user, void *unused) {
    opening *o = user;
    (void)status;
    (void)unused;
    o->device = device;
    keep_reason(o, text);
}

/* Errors that matter come back as a status; wgpu-native aborts on all others without this. */
static void ignore_error(const WGPUDevice *device, WGPUErrorType type, WGPUStringView text,
                         void *unused, void *unused_too) {
    (void)device;
    (void)type;
    (void)text;
    (void)unused;
    (void)unused_too;
}

static ordo_status open_adapter(opening *o, char *message) {
    o->instance = wgpuCreateInstance(NULL);
    if (!o->instance) {
        return ordo_message_write(message, ORDO_MESSAGE_NO_ADAPTER,
                                  &(ordo_report){.t = "WebGPU gives no instance"});
    }
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.powerPreference = WGPUPowerPreference_HighPerformance;
    o->done = false;
    wgpuInstanceRequestAdapter(
        o->instance, &options,
        (WGPURequestAdapterCallbackInfo){
            .mode = WGPUCallbackMode_AllowProcessEvents, .callback = adapter_came, .userdata1 = o});
    ordo_wait(o->instance, &o->done);
    return o->adapter ? ORDO_OK
                      : ordo_message_write(message, ORDO_MESSAGE_NO_ADAPTER,
                                           &(ordo_report){.t = o->reason});
}

static ordo_status open_device(opening *o, char *message) {
    WGPUFeatureName subgroups = WGPUFeatureName_Subgroups;
    WGPULimits limits = WGPU_LIMITS_INIT;
    wgpuAdapterGetLimits(o->adapter, &limits);
    WGPUDeviceDescriptor desc = WGPU_DEVICE_DESCRIPTOR_INIT;
    desc.requiredLimits = &limits;
    desc.uncapturedErrorCallbackInfo.callback = ignore_error;
    desc.requiredFeatures = &subgroups;
    desc.requiredFeatureCount = wgpuAdapterHasFeature(o->adapter, subgroups) ? 1 : 0;
    o->done = false;
    wgpuAdapterRequestDevice(
        o->adapter, &desc,
        (WGPURequestDeviceCallbackInfo){
            .mode = WGPUCallbackMode_AllowProcessEvents, .callback = device_came, .userdata1 = o});
    ordo_wait(o->instance, &o->done);
    return o->device ? ORDO_OK
                     : ordo_message_write(message, ORDO_MESSAGE_NO_OWN_DEVICE,
                                          &(ordo_report){.t = o->reason});
}

ordo_status ordo_context_open(ordo_context **context, char *message) {
    opening o = {.done = false};
    if (message) {
        message[0] = '\0';
    }
    if (!context) {
        return ordo_message_write(message, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "context"});
    }
    *context = NULL;
    ordo_status status = open_adapter(&o, message);
    if (status == ORDO_OK) {
        status = open_device(&o, message);
    }
    if (status == ORDO_OK) {
        ordo_context_desc desc = {.instance = o.instance, .adapter = o.adapter, .device = o.device};
        status = ordo_context_create(&desc, context, message);
    }
    if (o.device) {
        wgpuDeviceRelease(o.device);
    }
    if (o.adapter) {
        wgpuAdapterRelease(o.adapter);
    }
    if (o.instance) {
        wgpuInstanceRelease(o.instance);
    }
    return status;
}
