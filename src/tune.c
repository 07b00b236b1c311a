/* SPDX-License-Identifier: MIT */
/*
 * tune.c: one table, from what a device offers to the shape of every kernel.
 *
 * The last row whose needs the device meets is used. A row is measured, never guessed: say where.
 */
#include "plan.h"

/*
 * Fitted to what an H200 takes with wgpu-native: tests/test_cost.c has the figures. A dispatch that
 * does nothing takes 5 us there. The block sort of a network takes as long as there are words in
 * workgroup memory, for each round of as many workgroups as there are processors, and what it moves
 * takes no time beside that.
 */
static const ordo_cost h200_costs[] = {
    {.entry = "radix_histogram", .start_ns = 7000, .bytes_per_us = 1400000},
    {.entry = "radix_scan", .start_ns = 8000, .bytes_per_us = 1000000},
    {.entry = "radix_scatter", .start_ns = 11000, .rolled_ns = 22000, .bytes_per_us = 1200000},
    {.entry = "radix_split", .start_ns = 9000, .bytes_per_us = 450000},
    {.entry = "scan", .start_ns = 10000, .bytes_per_us = 800000},
    {.entry = "bitonic_sort", .start_ns = 9000, .cell_ps = 3300},
    {.entry = "bitonic", .start_ns = 6500, .bytes_per_us = 1800000},
    {.entry = "oddeven_sort", .start_ns = 9000, .cell_ps = 10000},
    {.entry = "oddeven", .start_ns = 9000, .bytes_per_us = 1200000},
    {.entry = "histogram", .start_ns = 7000, .bytes_per_us = 3200000},
    {.entry = "topk_best", .start_ns = 6000, .bytes_per_us = 3400000},
    {.entry = "topk_select", .start_ns = 20000, .cell_ps = 1000, .bytes_per_us = 2400000},
    {.entry = "topk_radix", .start_ns = 8000, .bytes_per_us = 1200000},
    {.entry = "", .start_ns = 7000, .bytes_per_us = 2400000},
};

static const ordo_tuning table[] = {
    /* Any WebGPU device. A tile of 6,144 keys keeps the table of counts below 5 % of the keys. Of
       10 shapes tried on an H200 this is the fastest for 2^24 and 2^26 keys. Unrolling took 28 %
       off there, and costs its compilation. Three fused levels of a network beat 1, 2 and 4 there,
       16 elements in registers 8. A histogram of 2^28 elements takes 0.27 ms with 16 items, 0.29
       with 8. */
    {
        .tier = "portable",
        .least_invocations = 256,
        .least_workgroup_bytes = 16384,
        .group_size = 256,
        .scan_items = 16,
        .radix_items = 12,
        .radix_subtiles = 2,
        .unrolled_count = 1 << 17,
        .radix_scan_items = 8,
        .split_items = 4,
        .move_items = 4,
        .histogram_items = 16,
        .histogram_copies = 8,
        .histogram_groups = 1024,
        .topk_cells = 1024,
        .topk_group = 1024,
        .topk_few_rows = 64,
        .topk_direct = 16384,
        .topk_listed = 16384,
        .topk_least_chunk = 16,
        .topk_most_chunk = 256,
        .topk_refined = 8192,
        .topk_items = 8,
        .topk_select_items = 4,
        .topk_sorted_row = 4096,
        .topk_digit_items = 16,
        .topk_count_rounds = 4,
        .carried_value_bytes = 8,
        .network_items = 16,
        .network_fused = 3,
        .network_groups = 4096,
        .costs = h200_costs,
        .processor_count = 132,
        .cached_bytes = 8 << 20,
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
