/* SPDX-License-Identifier: MIT */
/* From nothing to a sorted array: open a GPU with plain webgpu.h, sort floats on it with ordo. */
#include <ordo.h>
#include <stdio.h>

static void got_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView why,
                        void *out, void *done) {
    (void)status, (void)why; /* a failure gives NULL, which main sees */
    *(WGPUAdapter *)out = adapter;
    *(bool *)done = true;
}

static void got_device(WGPURequestDeviceStatus status, WGPUDevice device, WGPUStringView why,
                       void *out, void *done) {
    (void)status, (void)why;
    *(WGPUDevice *)out = device;
    *(bool *)done = true;
}

int main(void) {
    ordo_context_desc setup = {.instance = wgpuCreateInstance(NULL)};
    WGPUCallbackMode mode = WGPUCallbackMode_AllowProcessEvents;
    bool done = false;
    wgpuInstanceRequestAdapter(
        setup.instance, NULL,
        (WGPURequestAdapterCallbackInfo){NULL, mode, got_adapter, &setup.adapter, &done});
    while (!done)
        wgpuInstanceProcessEvents(setup.instance);
    if (!setup.adapter)
        return puts("no GPU: install a Vulkan driver"), 1;
    done = false;
    wgpuAdapterRequestDevice(
        setup.adapter, NULL,
        (WGPURequestDeviceCallbackInfo){NULL, mode, got_device, &setup.device, &done});
    while (!done)
        wgpuInstanceProcessEvents(setup.instance);

    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    if (ordo_context_create(&setup, &context, message) != ORDO_OK)
        return puts(message), 1;
    float keys[] = {0.5f, -3, 1e9f, 2, -0.25f, 7};
    ordo_sort_desc desc = {.max_count = sizeof keys / sizeof *keys, .key = ORDO_F32};
    if (ordo_sort_array(context, &desc, keys, NULL) != ORDO_OK)
        return puts(ordo_message(context)), 1;
    for (size_t i = 0; i < desc.max_count; i++)
        printf("%g\n", (double)keys[i]);

    ordo_context_release(context);
    wgpuDeviceRelease(setup.device);
    wgpuAdapterRelease(setup.adapter);
    wgpuInstanceRelease(setup.instance);
    return 0;
}
