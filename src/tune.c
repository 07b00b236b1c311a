/* SPDX-License-Identifier: MIT */
/*
 * tune.c: one table, from what a device offers to the shape of every kernel.
 *
 * The last row whose needs the device meets is used. A row is measured, never guessed: say where.
 */
#include "plan.h"

static const ordo_tuning table[] = {
    /* Any WebGPU device. A tile of 6,144 keys keeps the table of counts below 5 % of the keys. Of
       10 shapes tried on an H200 this is the fastest for 2^24 and 2^26 keys. Unrolling took 28 %
       off there, and costs its compilation. Three fused levels of a network beat 1, 2 and 4 there,
       16 elements in registers 8; up to 2^20 words of keys and indices one is faster than four
       passes of radix, and on lavapipe beyond. */
    {
        .tier = "portable",
        .least_invocations = 256,
        .least_workgroup_bytes = 16384,
        .group_size = 256,
        .scan_items = 16,
        .radix_items = 12,
        .radix_subtiles = 2,
        .unrolled_count = 1 << 20,
        .split_items = 4,
        .move_items = 4,
        .carried_value_bytes = 8,
        .network_items = 16,
        .network_fused = 3,
        .network_words = 1 << 20,
    },
};

const ordo_tuning *ordo_tune(const ordo_caps *caps) {
    const ordo_tuning *best = &table[0];
    for (uint32_t i = 1; i < sizeof table / sizeof table[0]; i++) {
        if (caps->max_invocations >= table[i].least_invocations &&
            caps->max_workgroup_bytes >= table[i].least_workgroup_bytes) {
            best = &table[i];
        }
    }
    return best;
}
