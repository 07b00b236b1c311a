/* SPDX-License-Identifier: MIT */
/*
 * fake_device.c: instance, adapter and device of the fake WebGPU. There is one of each; asking for
 * one gives another reference to it.
 */
#include "fake_internal.h"

#include <stdio.h>
#include <string.h>

WGPUInstance wgpuCreateInstance(const WGPUInstanceDescriptor *descriptor) {
    (void)descriptor;
    if (fake.no_instance)
        return NULL;
    wgpuInstanceAddRef(fake.instance);
    return fake.instance;
}

WGPUFuture wgpuInstanceRequestAdapter(WGPUInstance instance,
                                      const WGPURequestAdapterOptions *options,
                                      WGPURequestAdapterCallbackInfo info) {
    (void)options;
    fake_check(instance, FAKE_INSTANCE, "wgpuInstanceRequestAdapter");
    fake_event event = {.adapter = info.callback,
                        .status = WGPURequestAdapterStatus_Success,
                        .result = fake.adapter,
                        .user1 = info.userdata1,
                        .user2 = info.userdata2};
    if (fake.no_adapter) {
        event.status = WGPURequestAdapterStatus_Unavailable;
        event.result = NULL;
        snprintf(event.message, sizeof event.message, "the fake has no adapter");
    } else {
        wgpuAdapterAddRef(fake.adapter);
    }
    fake_post(&event, info.mode);
    return (WGPUFuture){1};
}

/* Whether the device may have what is asked for: no limit better than the adapter's. */
static bool may_have(const WGPUDeviceDescriptor *descriptor) {
    const WGPULimits *wanted = descriptor->requiredLimits;
    for (size_t i = 0; i < descriptor->requiredFeatureCount; i++)
        if (descriptor->requiredFeatures[i] != WGPUFeatureName_Subgroups || !fake.has_subgroups)
            return false;
    if (!wanted)
        return true;
    return (wanted->maxStorageBufferBindingSize == WGPU_LIMIT_U64_UNDEFINED ||
            wanted->maxStorageBufferBindingSize <= fake.limits.maxStorageBufferBindingSize) &&
           (wanted->maxBufferSize == WGPU_LIMIT_U64_UNDEFINED ||
            wanted->maxBufferSize <= fake.limits.maxBufferSize);
}

WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter adapter, const WGPUDeviceDescriptor *descriptor,
                                    WGPURequestDeviceCallbackInfo info) {
    fake_check(adapter, FAKE_ADAPTER, "wgpuAdapterRequestDevice");
    fake_event event = {.device = info.callback,
                        .status = WGPURequestDeviceStatus_Success,
                        .result = fake.device,
                        .user1 = info.userdata1,
                        .user2 = info.userdata2};
    if (!descriptor || !descriptor->uncapturedErrorCallbackInfo.callback)
        fake_fault("wgpuAdapterRequestDevice: without an uncaptured-error callback wgpu-native "
                   "aborts on the first error that no scope catches");
    const bool too_much = descriptor && !may_have(descriptor);
    if (too_much)
        fake_fault("wgpuAdapterRequestDevice: more than the adapter has");
    if (fake.no_device || too_much) {
        event.status = WGPURequestDeviceStatus_Error;
        event.result = NULL;
        snprintf(event.message, sizeof event.message, "the fake gives no device");
    } else {
        wgpuDeviceAddRef(fake.device);
        fake.device_has_limits = descriptor && descriptor->requiredLimits;
        fake.device_has_subgroups = descriptor && descriptor->requiredFeatureCount == 1;
    }
    fake_post(&event, info.mode);
    return (WGPUFuture){1};
}

WGPUStatus wgpuAdapterGetLimits(WGPUAdapter adapter, WGPULimits *limits) {
    return fake_check(adapter, FAKE_ADAPTER, "wgpuAdapterGetLimits")
               ? wgpuDeviceGetLimits(fake.device, limits)
               : WGPUStatus_Error;
}

WGPUBool wgpuAdapterHasFeature(WGPUAdapter adapter, WGPUFeatureName feature) {
    return fake_check(adapter, FAKE_ADAPTER, "wgpuAdapterHasFeature") &&
           feature == WGPUFeatureName_Subgroups && fake.has_subgroups;
}

WGPUStatus wgpuAdapterGetInfo(WGPUAdapter adapter, WGPUAdapterInfo *info) {
    if (!fake_check(adapter, FAKE_ADAPTER, "wgpuAdapterGetInfo") || fake.fail_limits)
        return WGPUStatus_Error;
    char *name =
        fake_alloc(5); /* owned by the info until its members are freed; no zero at the end */
    memcpy(name, "Faker", 5);
    *info = (WGPUAdapterInfo){.device = {name, 5},
                              .backendType = fake.backend,
                              .adapterType = fake.adapter_type,
                              .vendorID = fake.vendor};
    return WGPUStatus_Success;
}

void wgpuAdapterInfoFreeMembers(WGPUAdapterInfo info) {
    fake_free((void *)(uintptr_t)info.device.data);
}

WGPUStatus wgpuDeviceGetLimits(WGPUDevice device, WGPULimits *limits) {
    if (!fake_check(device, FAKE_DEVICE, "wgpuDeviceGetLimits") || fake.fail_limits)
        return WGPUStatus_Error;
    WGPUChainedStruct *chain = limits->nextInChain;
    *limits = fake.limits;
    limits->nextInChain = chain;
    return WGPUStatus_Success;
}

WGPUBool wgpuDeviceHasFeature(WGPUDevice device, WGPUFeatureName feature) {
    return fake_check(device, FAKE_DEVICE, "wgpuDeviceHasFeature") &&
           feature == WGPUFeatureName_Subgroups && fake.has_subgroups;
}

WGPUQueue wgpuDeviceGetQueue(WGPUDevice device) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceGetQueue");
    if (fake_queue->object.references++ == 0)
        fake.live[FAKE_QUEUE]++;
    return fake_queue;
}
