/* SPDX-License-Identifier: MIT */
/* A stranger's program: needs both headers, the planner, the executor and the runtime, and no GPU. */
#include <ordo.h>
#include <stdio.h>

int main(void) {
    ordo_sort_desc desc = {.max_count = 1000000, .key = ORDO_F32};
    ordo_summary summary;
    if (ordo_sort_steps(NULL, &desc, NULL, 0, &summary) != ORDO_OK || summary.step_count == 0) {
        printf("no plan: %s\n", summary.message);
        return 1;
    }
    printf("%u steps, %llu bytes of scratch\n", summary.step_count,
           (unsigned long long)summary.scratch_bytes);

    /* Without a device there is no context, and the message says so. */
    WGPUInstance instance = wgpuCreateInstance(NULL);
    ordo_context_desc setup = {.instance = instance};
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    ordo_status status = ordo_context_create(&setup, &context, message);
    wgpuInstanceRelease(instance);
    printf("%s: %s\n", ordo_status_name(status), message);
    return status == ORDO_INVALID && context == NULL && message[0] != 0 ? 0 : 1;
}
