/* SPDX-License-Identifier: MIT */
/* test_gpu_host.c: the host's side of cli/gpu.h, which the program relies on to notice failures. */
#include "gpu_case.h"

#include <stdlib.h>
#include <string.h>

/* A copy that the device refuses must not pass for a result: the staging buffer can be mapped all
   the same, and holds zeros. */
static void test_a_refused_read_fails(void **state) {
    rig *r = *state;
    const uint32_t words[4] = {1, 2, 3, 4};
    uint32_t got[8] = {0};
    WGPUBuffer buffer = gpu_buffer(&r->device, sizeof words, WGPUBufferUsage_None, words);
    assert_non_null(buffer);
    assert_false(gpu_read(&r->device, buffer, 0, sizeof got, got));
    assert_int_not_equal(r->device.error_count, 0);
    assert_int_not_equal(r->device.error[0], '\0');
    assert_false(gpu_read(&r->device, buffer, 2, 4, got));

    /* What is refused later, or was before, says nothing of a read that went well. */
    assert_true(gpu_read(&r->device, buffer, 0, sizeof words, got));
    assert_memory_equal(got, words, sizeof words);
    assert_true(gpu_read(&r->device, buffer, 4, 7, got));
    assert_memory_equal(got, words + 1, 7);
    assert_true(gpu_read(&r->device, buffer, 0, 0, got));
    r->device.error_count = 0;
    wgpuBufferRelease(buffer);
}

/* Work in error is not submitted, and does not end the process. */
static void test_refused_work_is_counted(void **state) {
    rig *r = *state;
    WGPUBuffer buffer = gpu_buffer(&r->device, 16, WGPUBufferUsage_None, NULL);
    assert_non_null(buffer);
    WGPUCommandEncoder encoder = rig_encoder(r);
    wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 32);
    gpu_submit(&r->device, encoder);
    assert_true(gpu_wait(&r->device));
    assert_int_not_equal(r->device.error_count, 0);
    r->device.error_count = 0;
    wgpuBufferRelease(buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_a_refused_read_fails),
        rig_test(test_refused_work_is_counted),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
