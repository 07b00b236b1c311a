/* SPDX-License-Identifier: MIT */
/* gpu_edit.c: kernels whose text a test changes, see gpu_case.h. */
#include "gpu_case.h"

#include <stdlib.h>
#include <string.h>

WGPUShaderModule edited_module(void *user, WGPUDevice device, const char *label, const char *wgsl) {
    kernel_edit *e = user;
    size_t room = strlen(wgsl) + 400;
    char *text = malloc(room);
    assert_non_null(text);
    memcpy(text, wgsl, strlen(wgsl) + 1);
    for (uint32_t i = 0; i < e->count && strstr(label, e->kernel); i++) {
        char *at = strstr(text, e->words[i][0]);
        if (!at)
            fail_msg("the kernel no longer says %s", e->words[i][0]);
        size_t was = strlen(e->words[i][0]), is = strlen(e->words[i][1]);
        assert_true(strlen(text) + is < room);
        memmove(at + is, at + was, strlen(at + was) + 1);
        memcpy(at, e->words[i][1], is);
        e->modules++;
    }
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = {text, WGPU_STRLEN}};
    WGPUShaderModule module = wgpuDeviceCreateShaderModule(
        device, &(WGPUShaderModuleDescriptor){.nextInChain = &source.chain});
    free(text);
    return module;
}
