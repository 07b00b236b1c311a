/* SPDX-License-Identifier: MIT */
/*
 * tune.c: one table, from what a device offers to the shape of every kernel.
 *
 * The last row whose needs the device meets is used. A row is measured, and says where; of other
 * devices than those the costs are a guess.
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
    {.entry = "msd_small_keys", .start_ns = 6800, .cell_ps = 1300},
    {.entry = "msd_small", .start_ns = 8000, .cell_ps = 2200},
    {.entry = "msd_begin", .start_ns = 3000, .bytes_per_us = 1000000},
    {.entry = "msd_histogram", .start_ns = 3000, .bytes_per_us = 3300000},
    {.entry = "msd_check", .start_ns = 2000, .bytes_per_us = 3300000},
    {.entry = "msd_finish", .start_ns = 2000, .bytes_per_us = 2500000},
    {.entry = "msd_scan", .start_ns = 4000, .bytes_per_us = 1000000},
    {.entry = "msd_partition_keys", .start_ns = 6500, .bytes_per_us = 2000000},
    {.entry = "msd_partition", .start_ns = 8000, .bytes_per_us = 1700000},
    {.entry = "msd_local_keys", .start_ns = 12000, .bytes_per_us = 1250000},
    {.entry = "msd_local", .start_ns = 8000, .bytes_per_us = 1600000},
    {.entry = "sample_slice", .start_ns = 21500, .bytes_per_us = 1000000, .read_ps = 190},
    {.entry = "onesweep_begin", .start_ns = 3000, .bytes_per_us = 1000000},
    {.entry = "onesweep_histogram", .start_ns = 5000, .bytes_per_us = 1500000},
    {.entry = "onesweep_scatter_keys", .start_ns = 14500, .bytes_per_us = 990000},
    {.entry = "onesweep_scatter", .start_ns = 14500, .bytes_per_us = 1200000},
    {.entry = "radix_split", .start_ns = 9000, .bytes_per_us = 450000},
    {.entry = "scan_chain_clear", .start_ns = 3000, .bytes_per_us = 1000000},
    {.entry = "scan_chain", .start_ns = 18000, .bytes_per_us = 3400000},
    {.entry = "scan", .start_ns = 12000, .bytes_per_us = 3600000},
    {.entry = "bitonic_sort", .start_ns = 9000, .cell_ps = 3300},
    {.entry = "bitonic", .start_ns = 6500, .bytes_per_us = 1800000},
    {.entry = "oddeven_sort", .start_ns = 9000, .cell_ps = 10000},
    {.entry = "oddeven", .start_ns = 9000, .bytes_per_us = 1200000},
    {.entry = "histogram", .start_ns = 7000, .bytes_per_us = 3200000},
    {.entry = "topk_best", .start_ns = 6000, .bytes_per_us = 3400000},
    {.entry = "topk_select", .start_ns = 20000, .cell_ps = 1000, .bytes_per_us = 2400000},
    {.entry = "topk_radix", .start_ns = 8000, .bytes_per_us = 1600000},
    {.entry = "", .start_ns = 7000, .bytes_per_us = 2400000},
};

/* What lavapipe takes on two cores of a server, from the tables of docs/performance.md. It keeps no
   caches warm for a step, and compiles long for what is unrolled. msd was not fitted: it takes
   several times as long as radix there. */
static const ordo_cost cpu_costs[] = {
    {.entry = "radix_histogram", .start_ns = 100000, .bytes_per_us = 1000},
    {.entry = "radix_scan", .start_ns = 100000, .bytes_per_us = 1000},
    {.entry = "radix_s", .start_ns = 100000, .bytes_per_us = 350},
    {.entry = "msd_", .start_ns = 100000, .bytes_per_us = 50},
    {.entry = "sample_", .start_ns = 1000000, .read_ps = 100000},
    {.entry = "onesweep_", .start_ns = 100000, .bytes_per_us = 200},
    {.entry = "bitonic_sort", .start_ns = 100000, .cell_ps = 30000},
    {.entry = "oddeven_sort", .start_ns = 100000, .cell_ps = 90000},
    {.entry = "histogram", .start_ns = 100000, .bytes_per_us = 1000},
    {.entry = "", .start_ns = 100000, .bytes_per_us = 2500},
};

/* Any WebGPU device. A tile of 6,144 keys keeps the table of counts below 5 % of the keys. Of 10
   shapes tried on an H200 this is the fastest for 2^24 and 2^26 keys. Unrolling took 28 % off
   there, and costs its compilation. Three fused levels of a network beat 1, 2 and 4 there, 16
   elements in registers 8. A histogram of 2^28 elements takes 0.27 ms with 16 items, 0.29 with 8.
   More than 8,192 workgroups of msd gain nothing: with no bound 2^28 u32 keys in order took 0.695
   ms instead of 0.485, for steps that find nothing to do, and random ones 5.19 instead of 5.12.
   onesweep takes 2.08 ms of 2^26 keys with 24 items, 2.48 with 16, 2.17 with 32; of pairs 3.17, 3.61
   with 16, 4.64 with 28; up to 2^21 processors lack work (2^20: 81 us with 16, 86 with 24; of pairs 90
   and 102). Partitions of msd: decision 64 of docs/design.md has the figures. On
   lavapipe 2^23 keys took 1.38 s with 32 an invocation, 1.67 with 48; 2^22 pairs 1.06 with 24, 1.5
   with 20. */
/* clang-format off */
#define SHAPES \
    .least_invocations = 256, \
    .group_size = 256, \
    .scan_items = 16, \
    .scan_chain_items = 32, \
    .scan_chain_window = 32, \
    .radix_items = 12, \
    .radix_subtiles = 2, \
    .radix_scan_items = 8, \
    .msd_group = 256, \
    .msd_medium_items = 32, \
    .msd_medium_count = 1 << 22, \
    .msd_small_items = 16, \
    .msd_small_rounds = 2, \
    .msd_small_count = 1 << 20, \
    .msd_stable_group = 256, \
    .msd_stable_items = 24, \
    .msd_stable_rounds = 2, \
    .msd_digit_bits = 8, \
    .msd_local_group = 160, \
    .msd_local_items = 8, \
    .msd_large_group = 576, \
    .msd_middle_group = 512, \
    .msd_greatest_group = 1024, \
    .msd_late_groups = 264, \
    .msd_scan_groups = 528, \
    .msd_groups = 8192, \
    .sample_group = 256, \
    .sample_eighths = 4, \
    .onesweep_group = 256, \
    .onesweep_items = 24, \
    .onesweep_rounds = 2, \
    .onesweep_pair_items = 24, \
    .onesweep_pair_rounds = 2, \
    .onesweep_small_items = 16, \
    .onesweep_small_rounds = 2, \
    .onesweep_small_count = 1 << 21, \
    .onesweep_tickets = 1, \
    .onesweep_histogram_items = 32, \
    .onesweep_histogram_groups = 528, \
    .split_items = 4, \
    .move_items = 4, \
    .histogram_items = 16, \
    .histogram_copies = 8, \
    .histogram_groups = 1024, \
    .topk_cells = 1024, \
    .topk_group = 1024, \
    .topk_few_rows = 64, \
    .topk_direct = 16384, \
    .topk_listed = 16384, \
    .topk_least_chunk = 16, \
    .topk_most_chunk = 256, \
    .topk_refined = 8192, \
    .topk_items = 8, \
    .topk_select_items = 4, \
    .topk_sorted_row = 4096, \
    .topk_digit_items = 16, \
    .topk_count_rounds = 4, \
    .carried_value_bytes = 8, \
    .network_items = 16, \
    .network_fused = 3, \
    .network_groups = 4096
/* clang-format on */

static const ordo_tuning table[] = {
    {
        .tier = "portable",
        .least_workgroup_bytes = 16384,
        .msd_items = 48,
        .msd_rounds = 6,
        .msd_medium_rounds = 4,
        SHAPES,
        .unrolled_count = 1 << 17,
        .msd_unrolled_count = 0,
        .msd_data_count = 1 << 23,
        .costs = h200_costs,
        .processor_count = 132,
        .cached_bytes = 8 << 20,
    },
    {
        .tier = "20 KiB",
        .least_workgroup_bytes = 20480,
        .msd_items = 48,
        .msd_rounds = 3,
        .msd_medium_rounds = 2,
        SHAPES,
        .unrolled_count = 1 << 17,
        .msd_unrolled_count = 0,
        .msd_data_count = 1 << 23,
        .costs = h200_costs,
        .processor_count = 132,
        .cached_bytes = 8 << 20,
    },
    {
        .tier = "software",
        .software = true,
        .least_workgroup_bytes = 16384,
        .msd_items = 32,
        .msd_rounds = 4,
        .msd_medium_rounds = 4,
        SHAPES,
        .unrolled_count = UINT32_MAX,
        .msd_unrolled_count = UINT32_MAX,
        .msd_data_count = 1 << 14,
        .costs = cpu_costs,
        .processor_count = 2,
        .cached_bytes = 0,
    },
};

const ordo_tuning *ordo_tune(const ordo_caps *caps) {
    const ordo_tuning *best = &table[0];
    for (uint32_t i = 1; i < sizeof table / sizeof table[0]; i++) {
        if (caps->software == table[i].software &&
            caps->max_invocations >= table[i].least_invocations &&
            caps->max_workgroup_bytes >= table[i].least_workgroup_bytes) {
            best = &table[i];
        }
    }
    return best;
}
