/* SPDX-License-Identifier: MIT */
/* problem.c: see bench.h. What a case means to ordo: its desc, its plan, its buffers and edges. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

bool bench_sorts(const bench_case *c) {
    return c->primitive == BENCH_SORT || c->primitive == BENCH_ARGSORT;
}

uint32_t bench_place_count(const bench_case *c) {
    if (c->primitive == BENCH_HISTOGRAM)
        return c->bin_count != 0 ? c->bin_count : 256;
    if (c->primitive == BENCH_GRID)
        return c->cells * c->cells * (c->dimensions == 3 ? c->cells : 1);
    return c->buckets != 0 ? c->buckets : 256;
}

uint32_t bench_element_words(const bench_case *c) {
    if (c->primitive != BENCH_GRID)
        return ordo_type_bytes(c->type) / 4;
    return c->stride_bytes != 0 ? c->stride_bytes / 4 : c->dimensions;
}

uint32_t bench_top_k_entries(const bench_case *c, uint64_t length) {
    return c->k < length ? c->k : (uint32_t)length;
}

/* ---- Descs --------------------------------------------------------------------------------- */

/* The desc of a case: the one that its primitive reads. */
typedef union bench_desc {
    ordo_sort_desc sort;
    ordo_scan_desc scan;
    ordo_reduce_desc reduce;
    ordo_histogram_desc histogram;
    ordo_counting_sort_desc counting;
    ordo_grid_desc grid;
    ordo_top_k_desc top_k;
} bench_desc;

static uint32_t log2_of(uint32_t power) {
    uint32_t bits = 0;
    while (power >> bits > 1)
        bits++;
    return bits;
}

static ordo_sort_desc sort_desc(const bench_case *c) {
    bool argsort = c->primitive == BENCH_ARGSORT;
    return (ordo_sort_desc){.max_count = c->count,
                            .key = c->type,
                            .order = c->order,
                            .value_bytes = argsort ? 0 : c->value_bytes,
                            .argsort = argsort,
                            .in_place = c->in_place,
                            .allow_unstable = c->allow_unstable,
                            .skip_high_bits = c->skip_high_bits,
                            .row_length = c->row_length,
                            .method = c->method,
                            .digit_bits = c->digit_bits,
                            .block_length = c->block_length,
                            .fused_levels = c->fused_levels};
}

/* By bits, the bins are those of the highest. */
static ordo_histogram_desc histogram_desc(const bench_case *c) {
    bool by_bits = c->bins == ORDO_BINS_BITS;
    return (ordo_histogram_desc){.max_count = c->count,
                                 .type = c->type,
                                 .bins = c->bins,
                                 .bin_count = bench_place_count(c),
                                 .skip_low_bits = by_bits ? 32 - log2_of(bench_place_count(c)) : 0};
}

static ordo_counting_sort_desc counting_desc(const bench_case *c) {
    return (ordo_counting_sort_desc){.max_count = c->count,
                                     .bucket_count = c->buckets,
                                     .value_bytes = c->value_bytes,
                                     .argsort = c->primitive == BENCH_COUNTING_ARGSORT,
                                     .depth = {.farthest = c->depth ? 1 : 0}};
}

/* The unit square or cube. */
static ordo_grid_desc grid_desc(const bench_case *c) {
    return (ordo_grid_desc){.max_count = c->count,
                            .dimensions = c->dimensions,
                            .stride_bytes = c->stride_bytes,
                            .cell_size = {1.0f / (float)c->cells},
                            .cells = {c->cells, c->cells, c->dimensions == 3 ? c->cells : 0},
                            .points_out = c->points_out};
}

static bench_desc desc_of(const bench_case *c) {
    switch (c->primitive) {
    case BENCH_SCAN:
        return (bench_desc){.scan = {.max_count = c->count, .type = c->type}};
    case BENCH_REDUCE:
        return (bench_desc){.reduce = {.max_count = c->count, .type = c->type}};
    case BENCH_HISTOGRAM:
        return (bench_desc){.histogram = histogram_desc(c)};
    case BENCH_COUNTING_SORT:
    case BENCH_COUNTING_ARGSORT:
        return (bench_desc){.counting = counting_desc(c)};
    case BENCH_GRID:
        return (bench_desc){.grid = grid_desc(c)};
    case BENCH_COPY:
        return (bench_desc){.sort = {.max_count = c->count,
                                     .key = c->type,
                                     .skip_low_bits = 8 * ordo_type_bytes(c->type)}};
    case BENCH_TOP_K:
        return (bench_desc){.top_k = {.max_count = c->count,
                                      .key = c->type,
                                      .smallest = c->smallest,
                                      .k = c->k,
                                      .row_length = c->row_length}};
    default:
        return (bench_desc){.sort = sort_desc(c)};
    }
}

/* ---- Plans --------------------------------------------------------------------------------- */

ordo_status bench_steps(const bench_case *c, const ordo_caps *caps, ordo_step *steps,
                        uint32_t capacity, ordo_summary *summary) {
    const bench_desc desc = desc_of(c);
    switch (c->primitive) {
    case BENCH_SCAN:
        return ordo_scan_steps(caps, &desc.scan, steps, capacity, summary);
    case BENCH_REDUCE:
        return ordo_reduce_steps(caps, &desc.reduce, steps, capacity, summary);
    case BENCH_HISTOGRAM:
        return ordo_histogram_steps(caps, &desc.histogram, steps, capacity, summary);
    case BENCH_COUNTING_SORT:
    case BENCH_COUNTING_ARGSORT:
        return ordo_counting_sort_steps(caps, &desc.counting, steps, capacity, summary);
    case BENCH_GRID:
        return ordo_grid_steps(caps, &desc.grid, steps, capacity, summary);
    case BENCH_TOP_K:
        return ordo_top_k_steps(caps, &desc.top_k, steps, capacity, summary);
    default:
        return ordo_sort_steps(caps, &desc.sort, steps, capacity, summary);
    }
}

ordo_status bench_plan(const bench_case *c, ordo_context *context, ordo_plan **plan) {
    const bench_desc desc = desc_of(c);
    switch (c->primitive) {
    case BENCH_SCAN:
        return ordo_scan_plan(context, &desc.scan, plan);
    case BENCH_REDUCE:
        return ordo_reduce_plan(context, &desc.reduce, plan);
    case BENCH_HISTOGRAM:
        return ordo_histogram_plan(context, &desc.histogram, plan);
    case BENCH_COUNTING_SORT:
    case BENCH_COUNTING_ARGSORT:
        return ordo_counting_sort_plan(context, &desc.counting, plan);
    case BENCH_GRID:
        return ordo_grid_plan(context, &desc.grid, plan);
    case BENCH_TOP_K:
        return ordo_top_k_plan(context, &desc.top_k, plan);
    default:
        return ordo_sort_plan(context, &desc.sort, plan);
    }
}

/* ---- Buffers ------------------------------------------------------------------------------- */

ordo_buffer *bench_slot(ordo_args *args, ordo_slot slot) {
    switch (slot) {
    case ORDO_SLOT_IN:
        return &args->in;
    case ORDO_SLOT_OUT:
        return &args->out;
    case ORDO_SLOT_VALUES_IN:
        return &args->values_in;
    case ORDO_SLOT_VALUES_OUT:
        return &args->values_out;
    case ORDO_SLOT_EDGES:
        return &args->edges;
    case ORDO_SLOT_STARTS:
        return &args->starts;
    default:
        return &args->scratch;
    }
}

bool bench_make_buffers(gpu *g, const ordo_summary *summary, ordo_args *args) {
    bool fine = true;
    for (int slot = ORDO_SLOT_IN; slot < ORDO_SLOT_COUNT; slot++) {
        ordo_buffer *buffer = bench_slot(args, (ordo_slot)slot);
        if (summary->slot_bytes[slot] == 0)
            continue;
        buffer->buffer = gpu_buffer(g, summary->slot_bytes[slot], 0, NULL);
        fine = fine && buffer->buffer != NULL;
    }
    return fine;
}

void bench_release_buffers(ordo_args *args) {
    for (int slot = ORDO_SLOT_IN; slot < ORDO_SLOT_COUNT; slot++) {
        ordo_buffer *buffer = bench_slot(args, (ordo_slot)slot);
        if (buffer->buffer != NULL)
            wgpuBufferRelease(buffer->buffer);
        buffer->buffer = NULL;
    }
}

/* ---- Edges --------------------------------------------------------------------------------- */

/* From 0 on and below 1, the same for the same i. */
static double shift_of(uint32_t i) {
    uint64_t h = (i + 1) * 0x9e3779b97f4a7c15u;
    return (double)(h >> 40) / 16777216.0;
}

/* Edge i of a histogram of f32, as bits: even ones from 0 to 1, or each moved towards the next. A
   zero is -0, which comes before +0. */
static uint32_t float_edge(const bench_case *c, uint32_t i) {
    uint32_t n = bench_place_count(c), bits;
    double moved = c->bins == ORDO_BINS_EDGES && i < n ? shift_of(i) : 0;
    float edge = (float)((i + moved) / n);
    memcpy(&bits, &edge, sizeof bits);
    return bits != 0 ? bits : 0x80000000u;
}

/* The same of integers and of bits, as images: even ones over all of them. There is no image for
   the last edge, which nothing reaches: where it counts, it is the greatest there is. */
static uint32_t integer_edge(const bench_case *c, uint32_t i) {
    uint64_t n = bench_place_count(c), all = (uint64_t)1 << 32;
    uint64_t edge = (i * all + n - 1) / n, next = ((i + 1) * all + n - 1) / n;
    if (c->bins == ORDO_BINS_EDGES && i < n)
        edge += (uint64_t)(shift_of(i) * (double)(next - edge));
    return edge < all ? (uint32_t)edge : UINT32_MAX;
}

/* The image of the bits of an f32 that is no NaN. */
static uint32_t float_image(uint32_t bits) {
    return (bits >> 31 != 0 ? ~bits : bits | 0x80000000u) - 0x007fffffu;
}

uint32_t *bench_edges(const bench_case *c, bool as_images) {
    uint32_t n = bench_place_count(c);
    uint32_t *edges = malloc((n + 1) * sizeof *edges);
    bool floats = c->type == ORDO_F32 && c->bins != ORDO_BINS_BITS;
    for (uint32_t i = 0; edges != NULL && i <= n; i++) {
        edges[i] = floats ? float_edge(c, i) : integer_edge(c, i);
        if (floats && as_images)
            edges[i] = float_image(edges[i]);
        else if (c->type == ORDO_I32 && !as_images)
            edges[i] ^= 0x80000000u;
    }
    return edges;
}
