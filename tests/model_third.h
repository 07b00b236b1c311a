/* SPDX-License-Identifier: MIT */
/*
 * model_third.h: what histograms, counting sorts, grids and top-k must give; see model.h.
 *
 * Bins, buckets and cells are found in the plainest way: all edges are made, and an element's bin
 * is searched among them. Edges of f32 are exact numbers rounded once. Grids round each float
 * operation to f32 by volatile variables, so that a C compiler can neither fuse nor keep more bits.
 */
#ifndef ORDO_TESTS_MODEL_THIRD_H
#define ORDO_TESTS_MODEL_THIRD_H

#include "model.h"

/* ---- Floats and exact numbers ---------------------------------------------------------------- */

static inline uint32_t model_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static inline float model_bits_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline bool model_is_nan(ordo_type type, uint32_t key) {
    return type == ORDO_F32 && (key & 0x7fffffffu) > 0x7f800000u;
}

/* A whole number of 384 bits in two's complement. In units of 2^-149 it holds any f32 times any
   32-bit integer. */
enum { MODEL_BIG_WORDS = 12 };
typedef struct model_big {
    uint32_t words[MODEL_BIG_WORDS];
} model_big;

/* sum += value * factor, for a finite value given by its bits. */
static inline void model_big_add(model_big *sum, uint32_t bits, uint32_t factor) {
    uint32_t exponent = bits >> 23 & 0xff, shift = exponent ? exponent - 1 : 0;
    uint64_t product = (uint64_t)((bits & 0x7fffffu) | (exponent ? 0x800000u : 0)) * factor;
    uint32_t term[MODEL_BIG_WORDS + 3] = {0};
    uint32_t at = shift / 32, by = shift % 32;
    term[at] = (uint32_t)(product << by);
    term[at + 1] = (uint32_t)(product >> (32 - by));
    term[at + 2] = by ? (uint32_t)(product >> 32 >> (32 - by)) : 0;
    bool negative = bits >> 31;
    uint64_t carry = negative;
    for (uint32_t i = 0; i < MODEL_BIG_WORDS; i++) {
        carry += (uint64_t)sum->words[i] + (negative ? ~term[i] : term[i]);
        sum->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* -1, 0 or 1. */
static inline int model_big_sign(const model_big *number) {
    if (number->words[MODEL_BIG_WORDS - 1] >> 31)
        return -1;
    for (uint32_t i = 0; i < MODEL_BIG_WORDS; i++) {
        if (number->words[i])
            return 1;
    }
    return 0;
}

/* Finite f32 numbers as a row of integers: 0 is zero, its neighbours the least subnormals. */
static inline uint32_t model_row_bits(int32_t place) {
    return place < 0 ? 0x80000000u | (uint32_t)-place : (uint32_t)place;
}

/* Edge i of count even bins from lo to hi: of the f32 numbers the nearest to the exact value, of
   two the one with an even fraction. A zero is -0. */
static inline uint32_t model_float_edge(uint32_t lo, uint32_t hi, uint32_t i, uint32_t count) {
    double guess = (double)model_bits_float(lo) * ((double)(count - i) / count) +
                   (double)model_bits_float(hi) * ((double)i / count);
    uint32_t bits = model_float_bits((float)guess);
    int32_t place = bits >> 31 ? -(int32_t)(bits & 0x7fffffffu) : (int32_t)bits;
    for (;;) {
        /* Twice the exact value times count, less that of the middle between two neighbours. */
        int beside[2];
        for (int32_t side = 0; side < 2; side++) {
            model_big number = {{0}};
            model_big_add(&number, lo, 2 * (count - i));
            model_big_add(&number, hi, 2 * i);
            model_big_add(&number, model_row_bits(place - 1 + side) ^ 0x80000000u, count);
            model_big_add(&number, model_row_bits(place + side) ^ 0x80000000u, count);
            beside[side] = model_big_sign(&number);
        }
        bool odd = place & 1;
        if (beside[0] < 0 || (beside[0] == 0 && odd))
            place--;
        else if (beside[1] > 0 || (beside[1] == 0 && odd))
            place++;
        else
            return place == 0 ? 0x80000000u : model_row_bits(place);
    }
}

/* ---- Histogram ------------------------------------------------------------------------------- */

static inline uint32_t model_bin_count(const ordo_histogram_desc *desc) {
    if (desc->bins == ORDO_BINS_BITS)
        return 1u << (32 - desc->skip_low_bits - desc->skip_high_bits);
    return desc->bin_count ? desc->bin_count : 256;
}

/* Where a key lies on a line: integers at their number, floats at their image. */
static inline int64_t model_line(ordo_type type, uint32_t key) {
    if (type == ORDO_I32)
        return (int32_t)key;
    return (int64_t)model_image(type, key);
}

/* The bin_count + 1 edges on the line; `given` are those of ORDO_BINS_EDGES. */
static inline void model_edges(const ordo_histogram_desc *desc, const uint32_t *given,
                               int64_t *edges) {
    uint32_t count = model_bin_count(desc);
    bool whole = desc->lo == 0 && desc->hi == 0;
    for (uint32_t i = 0; i <= count; i++) {
        if (desc->bins == ORDO_BINS_EDGES) {
            edges[i] = model_line(desc->type, given[i]);
        } else if (desc->type == ORDO_F32) {
            uint32_t lo = model_float_bits((float)desc->lo);
            uint32_t hi = model_float_bits(whole ? 1.0f : (float)desc->hi);
            edges[i] = model_line(ORDO_F32, model_float_edge(lo, hi, i, count));
        } else {
            int64_t least = desc->type == ORDO_I32 ? -2147483648ll : 0;
            int64_t lo = whole ? least : (int64_t)desc->lo;
            int64_t hi = whole ? least + 4294967296ll : (int64_t)desc->hi;
            uint64_t part = (uint64_t)(hi - lo) * i;
            edges[i] = lo + (int64_t)(part / count + (part % count != 0));
        }
    }
}

/* How many of the edges lie at or before a place: 0 is below, count + 1 at or above the last
   edge. */
static inline uint32_t model_edges_passed(const int64_t *edges, uint32_t count, int64_t place) {
    uint32_t low = 0, high = count + 1;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (edges[middle] <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Fills out with bin_count + 3 counts. */
static inline void model_histogram(const ordo_histogram_desc *desc, const uint32_t *in,
                                   uint64_t count, const uint32_t *given, uint32_t *out) {
    uint32_t bins = model_bin_count(desc);
    memset(out, 0, 4 * (uint64_t)(bins + ORDO_BINS_EXTRA));
    if (desc->bins == ORDO_BINS_BITS) {
        for (uint64_t i = 0; i < count; i++)
            out[model_image(desc->type, in[i]) >> desc->skip_low_bits & (bins - 1)]++;
        return;
    }
    int64_t *edges = malloc((bins + 1) * sizeof *edges);
    assert(edges);
    model_edges(desc, given, edges);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t passed = model_edges_passed(edges, bins, model_line(desc->type, in[i]));
        uint32_t place = passed == 0          ? bins + ORDO_BELOW
                         : passed == bins + 1 ? bins + ORDO_ABOVE
                                              : passed - 1;
        out[model_is_nan(desc->type, in[i]) ? bins + ORDO_NAN : place]++;
    }
    free(edges);
}

/* ---- Counting sort --------------------------------------------------------------------------- */

static inline uint32_t model_bucket_count(const ordo_counting_sort_desc *desc) {
    return desc->bucket_count ? desc->bucket_count : 256;
}

static inline bool model_is_depth(const ordo_depth *depth) {
    return depth->nearest != depth->farthest;
}

/* The buckets of elements: of depths those of even bins, of the numbers or of their bits; else the
   elements themselves, those from bucket_count on as bucket_count. */
static inline void model_buckets(const ordo_counting_sort_desc *desc, const uint32_t *in,
                                 uint64_t count, uint32_t *buckets) {
    uint32_t most = model_bucket_count(desc);
    const ordo_depth *depth = &desc->depth;
    if (!model_is_depth(depth)) {
        for (uint64_t i = 0; i < count; i++)
            buckets[i] = in[i] < most ? in[i] : most;
        return;
    }
    ordo_histogram_desc even = {
        .type = ORDO_F32, .bin_count = most, .lo = depth->nearest, .hi = depth->farthest};
    if (depth->logarithmic) {
        even.type = ORDO_I32;
        even.lo = model_float_bits((float)depth->nearest);
        even.hi = model_float_bits((float)depth->farthest);
    }
    int64_t *edges = malloc((most + 1) * sizeof *edges);
    assert(edges);
    model_edges(&even, NULL, edges);
    for (uint64_t i = 0; i < count; i++) {
        /* Read as signed integers, negative depths lie before all others. */
        uint32_t passed = model_edges_passed(edges, most, model_line(even.type, in[i]));
        uint32_t bucket = passed == 0 ? 0 : passed > most ? most - 1 : passed - 1;
        if (depth->reversed)
            bucket = most - 1 - bucket;
        buckets[i] = model_is_nan(ORDO_F32, in[i]) ? most : bucket;
    }
    free(edges);
}

/* Order of elements by number, stably, and where each number starts: starts has `last` + 2
   words. */
static inline void model_by_number(const uint32_t *numbers, uint64_t count, uint64_t last,
                                   uint32_t *order, uint32_t *starts) {
    uint32_t *next = calloc(last + 1, sizeof *next);
    assert(next);
    memset(starts, 0, (last + 2) * sizeof *starts);
    for (uint64_t i = 0; i < count; i++)
        starts[numbers[i] + 1]++;
    for (uint64_t b = 0; b <= last; b++) {
        starts[b + 1] += starts[b];
        next[b] = starts[b];
    }
    for (uint64_t i = 0; i < count; i++)
        order[next[numbers[i]]++] = (uint32_t)i;
    free(next);
}

/* ---- Grid ------------------------------------------------------------------------------------ */

static inline uint32_t model_dimensions(const ordo_grid_desc *desc) {
    return desc->dimensions ? desc->dimensions : 3;
}

static inline uint32_t model_stride(const ordo_grid_desc *desc) {
    return desc->stride_bytes ? desc->stride_bytes : 4 * model_dimensions(desc);
}

static inline uint64_t model_axis_cells(const ordo_grid_desc *desc, uint32_t axis) {
    return desc->cells[axis] ? desc->cells[axis] : 1;
}

static inline uint64_t model_cells(const ordo_grid_desc *desc) {
    if (desc->table_size)
        return desc->table_size;
    uint64_t cells = 1;
    for (uint32_t axis = 0; axis < model_dimensions(desc); axis++)
        cells *= model_axis_cells(desc, axis);
    return cells;
}

/* The floor of (x - origin) * (1 / cell_size), not limited in any way; NaN for NaN. A product of a
   point below the origin stays below 0, however small it is. *product is what floor takes. */
static inline float model_coordinate(const ordo_grid_desc *desc, uint32_t axis, float x,
                                     float *product) {
    float size = desc->cell_size[axis] > 0 ? desc->cell_size[axis] : desc->cell_size[0];
    volatile float cell = size > 0 ? size : 1;
    volatile float per_unit = 1 / cell;
    volatile float away = x - desc->origin[axis];
    volatile float cells = away * per_unit;
    *product = cells == 0 && away < 0 ? -0x1p-149f : cells;
    return floorf(*product);
}

/* A coordinate within [0, cells) on one axis of a grid; cells itself: the point has no cell. */
static inline uint64_t model_axis_cell(ordo_outside outside, uint64_t cells, float coordinate,
                                       float product) {
    if (outside == ORDO_OUTSIDE_WRAP) {
        if (fabsf(product) >= 0x1p30f)
            return cells;
        int64_t rest = (int64_t)coordinate % (int64_t)cells;
        return (uint64_t)(rest < 0 ? rest + (int64_t)cells : rest);
    }
    bool apart = outside == ORDO_OUTSIDE_APART;
    if (coordinate < 0)
        return apart ? cells : 0;
    if (coordinate < (float)cells)
        return (uint64_t)coordinate;
    return apart && product != (float)cells ? cells : cells - 1;
}

static inline uint32_t model_hash(const int32_t coordinate[3], uint32_t table_size) {
    uint32_t hash = (uint32_t)coordinate[0] * 73856093u ^ (uint32_t)coordinate[1] * 19349663u ^
                    (uint32_t)coordinate[2] * 83492791u;
    return hash % table_size;
}

/* The cell of a point; model_cells if it has none. */
static inline uint32_t model_cell(const ordo_grid_desc *desc, const float *point) {
    uint64_t cell = 0, all = model_cells(desc), row = 1;
    int32_t at[3] = {0};
    for (uint32_t axis = 0; axis < model_dimensions(desc); axis++) {
        float product, coordinate = model_coordinate(desc, axis, point[axis], &product);
        if (isnan(product))
            return (uint32_t)all;
        if (desc->table_size) {
            if (fabsf(product) >= 0x1p30f)
                return (uint32_t)all;
            at[axis] = (int32_t)coordinate;
            continue;
        }
        uint64_t cells = model_axis_cells(desc, axis);
        uint64_t here = model_axis_cell(desc->outside, cells, coordinate, product);
        if (here == cells)
            return (uint32_t)all;
        cell += here * row;
        row *= cells;
    }
    return desc->table_size ? model_hash(at, desc->table_size) : (uint32_t)cell;
}

/* Point i of the buffer. */
static inline void model_point(const ordo_grid_desc *desc, const void *in, uint64_t i,
                               float *point) {
    memcpy(point, (const char *)in + i * model_stride(desc) + desc->offset_bytes,
           4 * model_dimensions(desc));
}

/* ---- Top-k ----------------------------------------------------------------------------------- */

static inline uint64_t model_top_k_rows(const ordo_top_k_desc *desc) {
    if (desc->max_count == 0)
        return 0;
    return desc->row_length ? (desc->max_count - 1) / desc->row_length + 1 : 1;
}

/* Entries of a row: k, or as many as a row can have. */
static inline uint64_t model_top_k_entries(const ordo_top_k_desc *desc) {
    uint64_t most = desc->max_count;
    if (desc->row_length && desc->row_length < most)
        most = desc->row_length;
    return desc->k < most ? desc->k : most;
}

/* The key that comes last: no other is less, of the largest; none greater, of the smallest. */
static inline uint64_t model_last_key(ordo_type type, bool smallest) {
    switch (type) {
    case ORDO_U32:
        return smallest ? 0xffffffffu : 0;
    case ORDO_U64:
        return smallest ? UINT64_MAX : 0;
    case ORDO_I32:
        return smallest ? 0x7fffffffu : 0x80000000u;
    case ORDO_I64:
        return smallest ? 0x7fffffffffffffffu : 0x8000000000000000u;
    case ORDO_F32: /* -inf; the negative NaN of the least payload */
        return smallest ? 0xff800001u : 0xff800000u;
    case ORDO_F64:
        return smallest ? 0xfff0000000000001u : 0xfff0000000000000u;
    }
    assert(!"a type");
    return 0;
}

/* Fills keys and indices, rows * entries of each. */
static inline void model_top_k(const ordo_top_k_desc *desc, const void *in, uint64_t count,
                               void *keys, uint32_t *indices) {
    ordo_sort_desc sort = {.key = desc->key,
                           .order = desc->smallest ? ORDO_ASCENDING : ORDO_DESCENDING,
                           .row_length = desc->row_length};
    uint32_t *order = malloc((count + 1) * sizeof *order);
    assert(order);
    model_argsort(&sort, in, count, order);
    uint64_t entries = model_top_k_entries(desc);
    for (uint64_t i = 0; i < model_top_k_rows(desc) * entries; i++) {
        uint64_t begin = i / entries * desc->row_length;
        uint64_t end = desc->row_length ? begin + desc->row_length : count,
                 at = begin + i % entries;
        bool held = at < end && at < count;
        indices[i] = held ? order[at] - (uint32_t)begin : 0xffffffffu;
        model_set(desc->key, keys, i,
                  held ? model_get(desc->key, in, order[at])
                       : model_last_key(desc->key, desc->smallest));
    }
    free(order);
}

#endif
