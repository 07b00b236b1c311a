/* SPDX-License-Identifier: MIT */
/* plan_problem.c: problems for planners, made from arbitrary bytes; see plan_check.h. */
#include "plan_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

uint64_t *plan_max_count(plan_problem *problem) {
    switch (problem->primitive) {
    case PLAN_SORT:
        return &problem->sort.max_count;
    case PLAN_SCAN:
        return &problem->scan.max_count;
    case PLAN_REDUCE:
        return &problem->reduce.max_count;
    case PLAN_HISTOGRAM:
        return &problem->histogram.max_count;
    case PLAN_COUNTING_SORT:
        return &problem->counting.max_count;
    case PLAN_GRID:
        return &problem->grid.max_count;
    case PLAN_TOP_K:
        break;
    }
    return &problem->top_k.max_count;
}

ordo_status plan_steps(const plan_problem *problem, ordo_step *steps, uint32_t capacity,
                       ordo_summary *summary) {
    const ordo_caps *caps = problem->no_caps ? NULL : &problem->caps;
    switch (problem->primitive) {
    case PLAN_SORT:
        return ordo_sort_steps(caps, &problem->sort, steps, capacity, summary);
    case PLAN_SCAN:
        return ordo_scan_steps(caps, &problem->scan, steps, capacity, summary);
    case PLAN_REDUCE:
        return ordo_reduce_steps(caps, &problem->reduce, steps, capacity, summary);
    case PLAN_HISTOGRAM:
        return ordo_histogram_steps(caps, &problem->histogram, steps, capacity, summary);
    case PLAN_COUNTING_SORT:
        return ordo_counting_sort_steps(caps, &problem->counting, steps, capacity, summary);
    case PLAN_GRID:
        return ordo_grid_steps(caps, &problem->grid, steps, capacity, summary);
    case PLAN_TOP_K:
        break;
    }
    return ordo_top_k_steps(caps, &problem->top_k, steps, capacity, summary);
}

ordo_caps plan_effective_caps(const plan_problem *problem) {
    ordo_caps caps = problem->no_caps ? (ordo_caps){0} : problem->caps;
    if (caps.max_buffer_bytes == 0)
        caps.max_buffer_bytes = 268435456;
    if (caps.max_binding_bytes == 0)
        caps.max_binding_bytes = 134217728;
    if (caps.max_workgroup_bytes == 0)
        caps.max_workgroup_bytes = 16384;
    if (caps.max_invocations == 0)
        caps.max_invocations = 256;
    if (caps.max_storage_buffers == 0)
        caps.max_storage_buffers = 8;
    if (caps.offset_alignment_bytes == 0)
        caps.offset_alignment_bytes = 256;
    if (caps.max_groups == 0)
        caps.max_groups = 65535;
    return caps;
}

bool plan_reserves(const plan_problem *problem) {
    ordo_caps caps = plan_effective_caps(problem);
    return !problem->sort.method && (caps.tuning || caps.rejected_methods);
}

typedef struct source {
    const uint8_t *bytes;
    size_t size;
} source;

static uint8_t take(source *from) {
    if (from->size == 0)
        return 0;
    from->size--;
    return *from->bytes++;
}

static uint64_t take_wide(source *from) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | take(from);
    return value;
}

/* One of `count` values, or, once in 64 times, a number that is none of the enum's. */
static uint32_t take_choice(source *from, uint32_t count) {
    uint8_t byte = take(from);
    return byte >= 252 ? count + (byte & 3u) : byte % count;
}

/* Counts sit near powers of two and other edges more often than in between. */
static uint64_t take_count(source *from) {
    static const uint64_t edges[] = {0,          1,          2,          255,          257,
                                     4096,       1048576,    33554432,   67108864,     2147483647,
                                     2147483648, 4294967040, 4294967295, 4294967296,   1ull << 40,
                                     1ull << 62, 1ull << 63, UINT64_MAX, 0x5555555555, 1000000};
    uint8_t kind = take(from);
    uint64_t wide = take_wide(from);
    if (kind < 64)
        return edges[wide % (sizeof edges / sizeof *edges)];
    if (kind < 128)
        return wide % 10000;
    if (kind < 192)
        return ((uint64_t)1 << (wide % 34)) + (wide >> 8) % 3 - 1;
    if (kind < 248)
        return wide % 40000000;
    return wide;
}

static ordo_caps take_caps(source *from) {
    static const uint64_t bytes[] = {0,          1ull << 28, 1ull << 27, 1ull << 31,
                                     2147483644, 1ull << 33, 1ull << 40, 65536,
                                     4096,       256,        1,          UINT64_MAX};
    static const uint32_t alignments[] = {0, 32, 64, 128, 256, 4096, 1, 4, 3};
    static const uint32_t groups[] = {0, 65535, 1, 2, 3, 64, 1000, UINT32_MAX};
    static const uint32_t buffers[] = {0, 8, 10, 16, 1, 4};
    static const uint32_t invocations[] = {0,  256, 512, 1024,     1,
                                           64, 255, 257, 1u << 31, UINT32_MAX};
    static const uint32_t workgroup[] = {0, 16384, 32768, 49152, 65536, 1, 16383, UINT32_MAX};
#define PICK(list) list[take(from) % (sizeof list / sizeof *list)]
    ordo_caps caps = {0};
    uint8_t usual = take(from), methods = take(from);
    caps.offset_alignment_bytes = alignments[usual % 6];
    caps.rejected_methods = methods >= 192 ? methods & PLAN_ALL_METHODS : 0;
    caps.max_groups = PICK(groups);
    uint8_t features = take(from);
    caps.subgroups = features & 1;
    caps.forward_progress = (features & 2) != 0;
    caps.software = (features & 4) != 0;
    caps.subgroup_size = features & 8 ? 1u << (features >> 4 & 7) : 0;
    if (usual >= 64) {
        caps.max_invocations = invocations[take(from) % 4];
        caps.max_workgroup_bytes = workgroup[take(from) % 5];
        caps.max_buffer_bytes = bytes[take(from) % 7];
        caps.max_binding_bytes = bytes[take(from) % 7];
    }
    if (usual >= 208 && usual < 240)
        caps.max_binding_bytes = 8192ull << take(from) % 20; /* a few windows, or many */
    if (usual >= 240) {
        caps.max_buffer_bytes = PICK(bytes);
        caps.max_binding_bytes = PICK(bytes);
        caps.max_invocations = PICK(invocations);
        caps.max_workgroup_bytes = PICK(workgroup);
        caps.max_storage_buffers = PICK(buffers);
        caps.offset_alignment_bytes = PICK(alignments);
        caps.rejected_methods = methods % 16 ? caps.rejected_methods : (uint32_t)methods << 4 | 1;
    }
#undef PICK
    return caps;
}

/* Words of a key, a bad type or number of them now and then. Their number is 0 most of the time. */
static void take_parts(source *from, ordo_sort_desc *desc) {
    static const uint32_t counts[] = {0, 2, 3, 4, 0, 2, 3, 4, 0, 2, 3, 4, 0, 1, 5, UINT32_MAX};
    desc->part_count = take(from) % 2 ? 0 : counts[take(from) % 16];
    if (desc->part_count == 0)
        return;
    uint32_t given = take(from) % 16 ? desc->part_count : ORDO_MAX_PARTS;
    for (uint32_t i = 0; i < ORDO_MAX_PARTS && i < given; i++) {
        desc->parts[i].type = (ordo_type)take_choice(from, 3);
        desc->parts[i].order = (ordo_order)take_choice(from, 2);
    }
    if (take(from) % 16) {
        desc->key = ORDO_U32;
        desc->order = ORDO_ASCENDING;
        desc->skip_low_bits = desc->skip_high_bits = 0;
    }
}

/* What only networks have; of the other methods' fields all but a few are put back to 0. */
static void take_network(source *from, ordo_sort_desc *desc) {
    static const uint32_t blocks[] = {0,    0,    16,   32,    64,    128,        256, 512,
                                      1024, 2048, 4096, 8192,  16384, 1u << 31,   8,   1,
                                      24,   4095, 4097, 65536, 32768, UINT32_MAX, 0,   0};
    uint8_t careful = take(from);
    take_parts(from, desc);
    if (take(from) % 2)
        desc->row_length = (uint32_t)take_count(from);
    if (take(from) % 2)
        desc->block_length = blocks[take(from) % (sizeof blocks / sizeof *blocks)];
    if (take(from) % 2)
        desc->fused_levels = take(from) % 6;
    if (careful % 8 == 0)
        return;
    desc->digit_bits = 0;
    if (desc->method == ORDO_METHOD_BITONIC_DIRECT)
        desc->block_length = 0;
    if (desc->method != ORDO_METHOD_AUTO && desc->method != ORDO_METHOD_BITONIC)
        desc->fused_levels %= 2;
}

static ordo_sort_desc take_sort(source *from) {
    static const uint32_t values[] = {0, 4, 8, 12, 16, 20, 32, 64, 0, 0, 4, 4, 68, 3, 1};
    static const uint32_t digits[] = {0, 8, 4, 0, 8, 4, 0, 5, 32};
    ordo_sort_desc desc = {.max_count = take_count(from)};
    desc.key = (ordo_type)take_choice(from, 6);
    desc.order = (ordo_order)take_choice(from, 2);
    desc.value_bytes = values[take(from) % (sizeof values / sizeof *values)];
    desc.argsort = take(from) % 5 == 0;
    if (desc.argsort && take(from) % 8 != 0)
        desc.value_bytes = 0;
    desc.in_place = take(from) % 3 == 0 && (!desc.argsort || take(from) % 8 == 0);
    desc.allow_unstable = take(from) & 1;
    desc.caller_scratch = take(from) & 1;
    uint8_t window = take(from);
    desc.skip_low_bits = window & 1 ? take(from) % 66u : 0;
    desc.skip_high_bits = window & 2 ? take(from) % 66u : 0;
    if (window & 4 && desc.key < 6) {
        uint32_t width = ordo_type_bytes(desc.key) * 8;
        desc.skip_low_bits %= width + 1;
        desc.skip_high_bits %= width - desc.skip_low_bits + 1;
    }
    desc.method = (ordo_method)take_choice(from, ORDO_METHOD_ONESWEEP + 1);
    desc.digit_bits = digits[take(from) % (sizeof digits / sizeof *digits)];
    uint8_t network = take(from);
    if ((desc.method == ORDO_METHOD_MSD || desc.method == ORDO_METHOD_SAMPLE) && network % 8)
        desc.skip_low_bits = desc.skip_high_bits = desc.digit_bits = 0;
    else if (desc.method == ORDO_METHOD_ONESWEEP && network % 8)
        desc.digit_bits = desc.digit_bits % 8 ? 0 : desc.digit_bits;
    else if (desc.method > ORDO_METHOD_RADIX || network % 8 == 0)
        take_network(from, &desc);
    return desc;
}

/* A finite number of a few kinds, whole ones most of the time; now and then one that is none. */
static double take_double(source *from) {
    static const double edges[] = {
        0,          -0.0,          1,          -1,         0.5,       255,         2147483647,
        2147483648, -2147483648.0, 4294967295, 4294967296, 747.0565,  0x1p-149,    0x1p127,
        1e39,       1e-60,         -1e300,     INFINITY,   -INFINITY, (double)NAN, 2147483649,
        3};
    uint8_t kind = take(from);
    uint64_t wide = take_wide(from);
    if (kind < 64)
        return edges[wide % (sizeof edges / sizeof *edges)];
    if (kind < 224)
        return (double)(wide % 2000000) - (kind % 2 ? 0 : 1000000);
    return ((double)(wide >> 11) * 0x1p-52 - 1) * (kind % 2 ? 1 : 1e6);
}

/* Numbers that a field takes, and, now and then, any. */
static uint32_t take_one_of(source *from, const uint32_t *numbers, uint32_t count) {
    uint8_t kind = take(from);
    uint32_t number = (uint32_t)take_wide(from);
    return kind < 4 ? number : numbers[number % count];
}

static const uint32_t bin_counts[] = {0,    1,     2,     10,    100,   255,   256,   257,  1000,
                                      4096, 32768, 65535, 65536, 65537, 12289, 16384, 4097, 12288};

static ordo_histogram_desc take_histogram(source *from) {
    ordo_histogram_desc desc = {.max_count = take_count(from)};
    desc.type = (ordo_type)take_choice(from, take(from) % 8 ? 3 : 6);
    desc.bins = (ordo_bins)take_choice(from, 3);
    desc.bin_count = take_one_of(from, bin_counts, 18);
    desc.caller_scratch = take(from) & 1;
    uint8_t careful = take(from);
    if (desc.bins == ORDO_BINS_EVEN && careful % 4) {
        desc.lo = take_double(from);
        desc.hi = take_double(from);
        if (desc.hi < desc.lo && careful % 4 < 3) {
            double lo = desc.hi;
            desc.hi = desc.lo;
            desc.lo = lo;
        }
    }
    if (desc.bins == ORDO_BINS_BITS) {
        uint32_t bits = take(from) % 18u;
        desc.skip_low_bits = take(from) % (33u - bits);
        desc.skip_high_bits = 32 - bits - desc.skip_low_bits;
        if (careful % 8)
            desc.bin_count = careful % 2 ? 0 : 1u << bits;
    }
    if (careful >= 240)
        desc.skip_low_bits = (uint32_t)take_wide(from) % 40;
    return desc;
}

static ordo_counting_sort_desc take_counting(source *from) {
    static const uint32_t values[] = {0, 4, 8, 12, 16, 20, 32, 64, 0, 0, 4, 4, 68, 3, 1};
    ordo_counting_sort_desc desc = {.max_count = take_count(from)};
    desc.bucket_count = take_one_of(from, bin_counts, 18);
    desc.value_bytes = values[take(from) % (sizeof values / sizeof *values)];
    desc.argsort = take(from) % 3 == 0;
    if (desc.argsort && take(from) % 8)
        desc.value_bytes = 0;
    desc.caller_scratch = take(from) & 1;
    uint8_t depth = take(from);
    if (depth < 128) {
        desc.depth.nearest = take_double(from);
        desc.depth.farthest = take_double(from);
        desc.depth.logarithmic = depth & 1;
        desc.depth.reversed = depth >> 1 & 1;
        if (depth < 96 && desc.depth.farthest < desc.depth.nearest) {
            double far = desc.depth.nearest;
            desc.depth.nearest = desc.depth.farthest;
            desc.depth.farthest = far;
        }
    }
    return desc;
}

static ordo_grid_desc take_grid(source *from) {
    static const uint32_t dimensions[] = {0, 2, 3, 0, 2, 3, 0, 2, 3, 0, 2, 3, 1, 4};
    static const uint32_t cells[] = {0, 1, 2, 3, 16, 64, 100, 127, 128, 1000, 4096, 1u << 20};
    static const uint32_t tables[] = {1, 2, 256, 512, 65536, 1u << 20, 1u << 22, 3};
    static const float sizes[] = {0,         1,        0.5f, 32,     0.1f, 1e-30f,   1e30f,    3,
                                  0x1p-126f, 0x1p126f, -1,   1e-40f, NAN,  INFINITY, 0x1p127f, 7};
    ordo_grid_desc desc = {.max_count = take_count(from)};
    desc.dimensions = dimensions[take(from) % 14];
    uint8_t careful = take(from), layout = take(from);
    if (layout % 2) {
        desc.stride_bytes = 4 * (3 + take(from) % 20u);
        desc.offset_bytes = 4 * (take(from) % 3u);
    }
    if (layout >= 240) {
        desc.stride_bytes = (uint32_t)take_wide(from) % 4200;
        desc.offset_bytes = (uint32_t)take_wide(from) % 100;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        desc.origin[axis] = (float)(take(from) - 128.0);
        desc.cell_size[axis] = sizes[take(from) % (careful % 8 ? 8 : 16)];
        desc.cells[axis] = take_one_of(from, cells, careful % 4 ? 9 : 12);
    }
    if (careful == 1)
        desc.origin[take(from) % 3] = take(from) % 2 ? NAN : -INFINITY;
    if (desc.dimensions == 2 && careful % 16)
        desc.origin[2] = desc.cell_size[2] = (float)(desc.cells[2] = 0);
    desc.outside = (ordo_outside)take_choice(from, 3);
    if (take(from) % 4 == 0) {
        desc.table_size = take_one_of(from, tables, 8);
        if (careful % 8) {
            desc.outside = ORDO_OUTSIDE_CLAMP;
            desc.cells[0] = desc.cells[1] = desc.cells[2] = 0;
        }
    }
    desc.points_out = take(from) & 1;
    desc.caller_scratch = take(from) & 1;
    return desc;
}

static ordo_top_k_desc take_top_k(source *from) {
    static const uint32_t ks[] = {0,   1,   2,   7,    32,   100,  255,  256,    257,
                                  511, 512, 513, 1023, 1024, 1025, 2051, 100000, UINT32_MAX};
    ordo_top_k_desc desc = {.max_count = take_count(from)};
    desc.key = (ordo_type)take_choice(from, 6);
    desc.smallest = take(from) & 1;
    desc.k = take_one_of(from, ks, 18);
    desc.caller_scratch = take(from) & 1;
    if (take(from) % 2)
        desc.row_length = (uint32_t)take_count(from);
    return desc;
}

static void take_scan(source *from, plan_problem *problem) {
    bool scan = problem->primitive == PLAN_SCAN;
    uint64_t max_count = take_count(from);
    ordo_type type = (ordo_type)take_choice(from, take(from) % 2 ? 3 : 6);
    ordo_op op = (ordo_op)take_choice(from, 3);
    uint8_t flags = take(from);
    bool caller_scratch = flags >> 2 & 1;
    if (scan) {
        problem->scan = (ordo_scan_desc){.max_count = max_count,
                                         .type = type,
                                         .op = op,
                                         .inclusive = flags & 1,
                                         .in_place = flags >> 1 & 1,
                                         .caller_scratch = caller_scratch};
    } else {
        problem->reduce = (ordo_reduce_desc){
            .max_count = max_count, .type = type, .op = op, .caller_scratch = caller_scratch};
    }
}

/* Names of shapes, and numbers for them, some of which are refused. */
static const struct {
    const char *name;
    uint32_t numbers[8];
} tunings[] = {
    {"scan_items", {4, 8, 12, 16, 20, 24, 28, 32}},
    {"scan_chain_items", {4, 8, 12, 16, 20, 24, 28, 32}},
    {"scan_chain_window", {1, 2, 31, 32, 64, 128, 255, 256}},
    {"radix_items", {2, 3, 5, 8, 12, 13, 24, 32}},
    {"radix_subtiles", {1, 2, 3, 4, 5, 7, 8, 16}},
    {"unrolled_count", {0, 1, 1000, 65536, 1u << 20, 1u << 31, UINT32_MAX, 5}},
    {"radix_scan_items", {1, 2, 3, 4, 7, 8, 16, 32}},
    {"msd_group", {64, 128, 256, 320, 512, 576, 768, 1024}},
    {"msd_items", {2, 4, 8, 12, 16, 24, 32, 64}},
    {"msd_rounds", {1, 2, 3, 4, 6, 8, 12, 16}},
    {"msd_stable_group", {64, 128, 256, 320, 512, 576, 768, 1024}},
    {"msd_stable_items", {2, 4, 8, 12, 16, 20, 24, 64}},
    {"msd_stable_rounds", {1, 2, 3, 4, 5, 6, 8, 16}},
    {"msd_medium_items", {2, 4, 8, 12, 16, 24, 32, 64}},
    {"msd_medium_rounds", {1, 2, 3, 4, 6, 8, 12, 16}},
    {"msd_medium_count", {0, 1, 1281, 20000, 65536, 1u << 21, 1u << 22, 1u << 28}},
    {"msd_small_items", {2, 4, 6, 8, 10, 12, 16, 24}},
    {"msd_small_rounds", {1, 2, 3, 4, 1, 2, 3, 8}},
    {"msd_large_group", {128, 160, 256, 320, 480, 576, 768, 1024}},
    {"msd_middle_group", {128, 160, 256, 320, 480, 576, 768, 1024}},
    {"msd_greatest_group", {128, 160, 256, 320, 480, 576, 768, 1024}},
    {"onesweep_tickets", {0, 1, 0, 1, 0, 1, 2, 3}},
    {"msd_small_count", {0, 1, 1281, 10000, 65536, 1u << 20, 1u << 22, 1u << 24}},
    {"msd_digit_bits", {5, 6, 7, 8, 5, 6, 7, 8}},
    {"msd_local_group", {128, 160, 192, 224, 256, 288, 480, 1024}},
    {"msd_unrolled_count", {0, 1, 1000, 65536, 1u << 20, 1u << 31, UINT32_MAX, 5}},
    {"msd_late_groups", {1, 2, 16, 100, 264, 1024, 5000, 65535}},
    {"msd_scan_groups", {1, 2, 16, 100, 264, 528, 5000, 65535}},
    {"msd_groups", {1, 2, 33, 1000, 8192, 65535, 65537, UINT32_MAX}},
    {"msd_data_count", {0, 1, 1281, 20000, 1u << 21, 1u << 23, UINT32_MAX, 7}},
    {"onesweep_group", {256, 320, 512, 1024, 256, 256, 512, 128}},
    {"onesweep_items", {2, 4, 8, 12, 16, 24, 32, 64}},
    {"onesweep_rounds", {1, 2, 3, 4, 5, 6, 8, 16}},
    {"onesweep_pair_items", {2, 4, 8, 12, 16, 24, 32, 64}},
    {"onesweep_pair_rounds", {1, 2, 3, 4, 5, 6, 8, 16}},
    {"onesweep_small_items", {2, 4, 8, 12, 16, 24, 32, 64}},
    {"onesweep_small_rounds", {1, 2, 3, 4, 5, 6, 8, 16}},
    {"onesweep_small_count", {0, 1, 4096, 5000, 1 << 20, 1 << 21, 3000000, 1 << 24}},
    {"onesweep_histogram_items", {2, 4, 6, 8, 16, 32, 64, 3}},
    {"onesweep_histogram_groups", {1, 2, 100, 132, 528, 2048, 10000, 65535}},
    {"sample_group", {128, 160, 256, 320, 512, 768, 1024, 64}},
    {"sample_eighths", {1, 2, 3, 4, 5, 6, 7, 8}},
    {"split_items", {1, 2, 3, 4, 7, 8, 12, 32}},
    {"move_items", {1, 2, 3, 4, 5, 8, 16, 32}},
    {"histogram_items", {1, 2, 3, 4, 8, 16, 24, 64}},
    {"histogram_copies", {1, 2, 4, 8, 16, 32, 3, 64}},
    {"histogram_groups", {1, 2, 100, 132, 1024, 2048, 10000, 65535}},
    {"carried_value_bytes", {0, 4, 8, 0, 4, 8, 12, 2}},
    {"network_items", {4, 8, 16, 4, 8, 16, 2, 12}},
    {"network_fused", {1, 2, 3, 4, 1, 2, 3, 5}},
    {"nothing", {0, 1, 2, 3, 4, 5, 6, 7}},
};

/* A few settings, most of them allowed; NULL most of the time. */
static const char *take_tuning(source *from) {
    static char text[256];
    uint8_t kind = take(from);
    size_t used = 0;
    if (kind < 160)
        return NULL;
    text[0] = '\0';
    for (uint32_t left = kind % 5; left > 0; left--) {
        uint32_t i = take(from) % (sizeof tunings / sizeof *tunings), j = take(from) % 8;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%u", used ? " " : "",
                                 tunings[i].name, (unsigned)tunings[i].numbers[j]);
    }
    return text;
}

plan_problem plan_problem_read(const uint8_t *bytes, size_t size) {
    static const plan_primitive primitives[] = {PLAN_SORT,   PLAN_SORT,      PLAN_SCAN,
                                                PLAN_REDUCE, PLAN_HISTOGRAM, PLAN_COUNTING_SORT,
                                                PLAN_GRID,   PLAN_TOP_K};
    source from = {bytes, size};
    plan_problem problem = {0};
    uint8_t kind = take(&from);
    problem.primitive = primitives[kind % 8];
    problem.no_caps = kind >= 224;
    problem.caps = take_caps(&from);
    switch (problem.primitive) {
    case PLAN_SORT:
        problem.sort = take_sort(&from);
        break;
    case PLAN_SCAN:
    case PLAN_REDUCE:
        take_scan(&from, &problem);
        break;
    case PLAN_HISTOGRAM:
        problem.histogram = take_histogram(&from);
        break;
    case PLAN_COUNTING_SORT:
        problem.counting = take_counting(&from);
        break;
    case PLAN_GRID:
        problem.grid = take_grid(&from);
        break;
    case PLAN_TOP_K:
        problem.top_k = take_top_k(&from);
        break;
    }
    problem.caps.tuning = take_tuning(&from);
    return problem;
}

static void describe_sort(const ordo_sort_desc *s, char *text, size_t room) {
    snprintf(text, room,
             "sort {max_count %" PRIu64 ", key %d, order %d, value_bytes %u, argsort %d, "
             "in_place %d, allow_unstable %d, skip_low_bits %u, skip_high_bits %u, part_count "
             "%u (types %d %d %d %d), row_length %u, method %d, digit_bits %u, block_length %u, "
             "fused_levels %u}",
             s->max_count, (int)s->key, (int)s->order, s->value_bytes, s->argsort, s->in_place,
             s->allow_unstable, s->skip_low_bits, s->skip_high_bits, s->part_count,
             (int)s->parts[0].type, (int)s->parts[1].type, (int)s->parts[2].type,
             (int)s->parts[3].type, s->row_length, (int)s->method, s->digit_bits, s->block_length,
             s->fused_levels);
}

static void describe_third(const plan_problem *problem, char *text, size_t room) {
    const ordo_histogram_desc *h = &problem->histogram;
    const ordo_counting_sort_desc *c = &problem->counting;
    const ordo_grid_desc *g = &problem->grid;
    const ordo_top_k_desc *t = &problem->top_k;
    if (problem->primitive == PLAN_HISTOGRAM) {
        snprintf(text, room,
                 "histogram {max_count %" PRIu64 ", type %d, bins %d, bin_count %u, lo %.17g, "
                 "hi %.17g, skip_low_bits %u, skip_high_bits %u}",
                 h->max_count, (int)h->type, (int)h->bins, h->bin_count, h->lo, h->hi,
                 h->skip_low_bits, h->skip_high_bits);
    } else if (problem->primitive == PLAN_COUNTING_SORT) {
        snprintf(text, room,
                 "counting sort {max_count %" PRIu64 ", bucket_count %u, value_bytes %u, "
                 "argsort %d, near %.17g, far %.17g, logarithmic %d, reversed %d}",
                 c->max_count, c->bucket_count, c->value_bytes, c->argsort, c->depth.nearest,
                 c->depth.farthest, c->depth.logarithmic, c->depth.reversed);
    } else if (problem->primitive == PLAN_GRID) {
        snprintf(text, room,
                 "grid {max_count %" PRIu64 ", dimensions %u, stride_bytes %u, offset_bytes %u, "
                 "origin %g %g %g, cell_size %g %g %g, cells %u %u %u, outside %d, table_size %u, "
                 "points_out %d}",
                 g->max_count, g->dimensions, g->stride_bytes, g->offset_bytes,
                 (double)g->origin[0], (double)g->origin[1], (double)g->origin[2],
                 (double)g->cell_size[0], (double)g->cell_size[1], (double)g->cell_size[2],
                 g->cells[0], g->cells[1], g->cells[2], (int)g->outside, g->table_size,
                 g->points_out);
    } else {
        snprintf(text, room,
                 "top-k {max_count %" PRIu64 ", key %d, smallest %d, k %u, row_length %u}",
                 t->max_count, (int)t->key, t->smallest, t->k, t->row_length);
    }
}

const char *plan_describe(const plan_problem *problem) {
    static char text[1024];
    const ordo_caps *c = &problem->caps;
    const ordo_scan_desc *s = &problem->scan;
    const ordo_reduce_desc *r = &problem->reduce;
    int used = snprintf(text, sizeof text,
                        "caps%s {buffer %" PRIu64 ", binding %" PRIu64 ", workgroup %u, "
                        "invocations %u, storage %u, alignment %u, groups %u, subgroups %d of %u, "
                        "progress %d, software %d, rejected 0x%x, tuning %s} ",
                        problem->no_caps ? " (NULL)" : "", c->max_buffer_bytes,
                        c->max_binding_bytes, c->max_workgroup_bytes, c->max_invocations,
                        c->max_storage_buffers, c->offset_alignment_bytes, c->max_groups,
                        c->subgroups, c->subgroup_size, c->forward_progress, c->software,
                        c->rejected_methods, c->tuning ? c->tuning : "-");
    char *rest = text + used;
    size_t room = sizeof text - (size_t)used;
    switch (problem->primitive) {
    case PLAN_SORT:
        describe_sort(&problem->sort, rest, room);
        break;
    case PLAN_SCAN:
        snprintf(rest, room,
                 "scan {max_count %" PRIu64 ", type %d, op %d, inclusive %d, in_place %d}",
                 s->max_count, (int)s->type, (int)s->op, s->inclusive, s->in_place);
        break;
    case PLAN_REDUCE:
        snprintf(rest, room, "reduce {max_count %" PRIu64 ", type %d, op %d}", r->max_count,
                 (int)r->type, (int)r->op);
        break;
    default:
        describe_third(problem, rest, room);
    }
    return text;
}
