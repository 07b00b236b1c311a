/* SPDX-License-Identifier: MIT */
/* From nothing to a sorted array. */
#include <ordo.h>
#include <stdio.h>

int main(void) {
    ordo_context *context;
    char message[ORDO_MESSAGE_BYTES];
    if (ordo_context_open(&context, message) != ORDO_OK) {
        return puts(message), 1;
    }
    float keys[] = {0.5f, -3, 1e9f, 2, -0.25f, 7};
    ordo_sort_desc desc = {.max_count = sizeof keys / sizeof *keys, .key = ORDO_F32};
    if (ordo_sort_array(context, &desc, keys, NULL) != ORDO_OK) {
        return puts(ordo_message(context)), 1;
    }
    for (uint32_t i = 0; i < desc.max_count; i++) {
        printf("%g\n", (double)keys[i]);
    }
    ordo_context_release(context);
    return 0;
}
