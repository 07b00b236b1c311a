/* SPDX-License-Identifier: MIT */
/*
 * model.h: what the primitives must give, computed on the CPU in the plainest way.
 *
 * Written from the words of ordo_plan.h alone, never from the kernels, so that a shared mistake is
 * unlikely. Speed counts for nothing here, apart from a merge sort instead of an insertion sort,
 * because tests go up to a million items. Everything is integer arithmetic on bits, save the float
 * sums, which are made in double precision together with a bound on their error.
 *
 * The order is stated twice on purpose: model_rank maps a key to the number that the header calls
 * its image, and model_less compares two keys as the numbers they are. Tests sort by the first and
 * check order by the second.
 */
#ifndef ORDO_TESTS_MODEL_H
#define ORDO_TESTS_MODEL_H

#include "ordo_plan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Random numbers: xorshift64*, the same on every machine ---------------------------------- */

static inline uint64_t model_random(uint64_t *state) {
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * 0x2545F4914F6CDD1Dull;
}

/* A number in [0, limit), for a limit of at least 1; a slight bias does not matter here. */
static inline uint64_t model_random_below(uint64_t *state, uint64_t limit) {
    return (model_random(state) >> 16) % limit;
}

/* ---- Keys as bits ---------------------------------------------------------------------------- */

static inline uint32_t model_bytes(ordo_type type) {
    return type == ORDO_U64 || type == ORDO_I64 || type == ORDO_F64 ? 8 : 4;
}

static inline uint32_t model_bits(ordo_type type) { return 8 * model_bytes(type); }

/* The lowest `bits` bits set; 64 gives all of them. */
static inline uint64_t model_mask(uint32_t bits) {
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static inline uint64_t model_get(ordo_type type, const void *keys, uint64_t index) {
    if (model_bytes(type) == 8) {
        uint64_t key;
        memcpy(&key, (const char *)keys + 8 * index, 8);
        return key;
    }
    uint32_t key;
    memcpy(&key, (const char *)keys + 4 * index, 4);
    return key;
}

static inline void model_set(ordo_type type, void *keys, uint64_t index, uint64_t key) {
    if (model_bytes(type) == 8) {
        memcpy((char *)keys + 8 * index, &key, 8);
    } else {
        uint32_t low = (uint32_t)key;
        memcpy((char *)keys + 4 * index, &low, 4);
    }
}

/* ---- The order, said as in the header -------------------------------------------------------- */

static inline uint64_t model_image(ordo_type type, uint64_t key) {
    uint64_t mask = model_mask(model_bits(type));
    uint64_t sign = mask ^ (mask >> 1);
    switch (type) {
    case ORDO_U32:
    case ORDO_U64:
        return key;
    case ORDO_I32:
    case ORDO_I64:
        return key ^ sign;
    case ORDO_F32:
        return ((key & sign ? key ^ mask : key ^ sign) - 0x007fffffu) & mask;
    case ORDO_F64:
        return (key & sign ? key ^ mask : key ^ sign) - 0x000fffffffffffffu;
    }
    assert(!"a type");
    return 0;
}

/* The number that a sort compares: the image, inverted if descending, of it only the window. */
static inline uint64_t model_rank(const ordo_sort_desc *desc, uint64_t key) {
    uint32_t width = model_bits(desc->key);
    uint64_t image = model_image(desc->key, key);
    if (desc->order == ORDO_DESCENDING)
        image = ~image & model_mask(width);
    uint32_t window = width - desc->skip_low_bits - desc->skip_high_bits;
    return window == 0 ? 0 : (image >> desc->skip_low_bits) & model_mask(window);
}

/* Orders two f32 or f64 keys as numbers: zeros by sign, every NaN last, NaNs as the header has
   it. */
static inline bool model_float_less(ordo_type type, uint64_t a, uint64_t b) {
    uint64_t mask = model_mask(model_bits(type));
    uint64_t sign = mask ^ (mask >> 1);
    double x, y;
    if (type == ORDO_F32) {
        float f, g;
        uint32_t a32 = (uint32_t)a, b32 = (uint32_t)b;
        memcpy(&f, &a32, 4);
        memcpy(&g, &b32, 4);
        x = (double)f, y = (double)g;
    } else {
        memcpy(&x, &a, 8);
        memcpy(&y, &b, 8);
    }
    if (isnan(x) && isnan(y)) {
        if ((a & sign) != (b & sign))
            return (a & sign) == 0;
        return a & sign ? a > b : a < b;
    }
    if (isnan(x) || isnan(y))
        return isnan(y);
    return x < y || (x == y && (a & sign) != 0 && (b & sign) == 0);
}

/* Whether key a comes before key b in ascending order, without any image. */
static inline bool model_less(ordo_type type, uint64_t a, uint64_t b) {
    switch (type) {
    case ORDO_U32:
    case ORDO_U64:
        return a < b;
    case ORDO_I32:
        return (int32_t)(uint32_t)a < (int32_t)(uint32_t)b;
    case ORDO_I64:
        return (int64_t)a < (int64_t)b;
    case ORDO_F32:
    case ORDO_F64:
        return model_float_less(type, a, b);
    }
    assert(!"a type");
    return false;
}

/* ---- Composite keys and rows ----------------------------------------------------------------- */

/* Bytes of a key, composite or not. */
static inline uint32_t model_key_bytes(const ordo_sort_desc *desc) {
    return desc->part_count ? 4 * desc->part_count : model_bytes(desc->key);
}

/* Ranks of composite keys have up to 128 bits; others leave the high half 0. */
typedef struct model_wide {
    uint64_t high, low;
} model_wide;

static inline bool model_wide_less(model_wide a, model_wide b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/* The rank of key `index`: of a composite key each word's own, the first word highest. */
static inline model_wide model_wide_rank(const ordo_sort_desc *desc, const void *keys,
                                         uint64_t index) {
    model_wide rank = {0, 0};
    if (desc->part_count == 0)
        rank.low = model_rank(desc, model_get(desc->key, keys, index));
    for (uint32_t w = 0; w < desc->part_count; w++) {
        ordo_sort_desc part = {.key = desc->parts[w].type, .order = desc->parts[w].order};
        uint64_t word = model_get(ORDO_U32, keys, index * desc->part_count + w);
        rank.high = rank.high << 32 | rank.low >> 32;
        rank.low = rank.low << 32 | model_rank(&part, word);
    }
    return rank;
}

/* Where the row of an element begins, and where it ends if elements end at count. */
static inline uint64_t model_row_begin(const ordo_sort_desc *desc, uint64_t index) {
    return desc->row_length ? index / desc->row_length * desc->row_length : 0;
}

static inline uint64_t model_row_end(const ordo_sort_desc *desc, uint64_t index, uint64_t count) {
    uint64_t end = model_row_begin(desc, index) + desc->row_length;
    return desc->row_length && end < count ? end : count;
}

/* ---- Sort ------------------------------------------------------------------------------------ */

/* Sorts order[first … last) stably by rank: merges runs of 1, 2, 4, 8 … */
static inline void model_merge_sort(const model_wide *rank, uint64_t first, uint64_t last,
                                    uint32_t *order, uint32_t *spare) {
    for (uint64_t run = 1; run < last - first; run *= 2) {
        for (uint64_t begin = first; begin < last; begin += 2 * run) {
            uint64_t middle = begin + run < last ? begin + run : last;
            uint64_t end = begin + 2 * run < last ? begin + 2 * run : last;
            uint64_t a = begin, b = middle;
            for (uint64_t i = begin; i < end; i++) {
                bool take_b =
                    a == middle || (b < end && model_wide_less(rank[order[b]], rank[order[a]]));
                spare[i] = take_b ? order[b++] : order[a++];
            }
        }
        memcpy(order + first, spare + first, (last - first) * sizeof *order);
    }
}

/* Fills order with the indices of the keys, counted from the first key of all, stably sorted, each
   row by itself. */
static inline void model_argsort(const ordo_sort_desc *desc, const void *keys, uint64_t count,
                                 uint32_t *order) {
    model_wide *rank = malloc((count + 1) * sizeof *rank);
    uint32_t *spare = malloc((count + 1) * sizeof *spare);
    assert(rank && spare);
    for (uint64_t i = 0; i < count; i++) {
        rank[i] = model_wide_rank(desc, keys, i);
        order[i] = (uint32_t)i;
    }
    for (uint64_t i = 0; i < count; i = model_row_end(desc, i, count))
        model_merge_sort(rank, i, model_row_end(desc, i, count), order, spare);
    free(spare);
    free(rank);
}

/* out[i] = items[order[i]], for items of item_bytes. */
static inline void model_gather(const uint32_t *order, const void *items, uint64_t count,
                                uint32_t item_bytes, void *out) {
    for (uint64_t i = 0; i < count; i++) {
        memcpy((char *)out + i * item_bytes, (const char *)items + (uint64_t)order[i] * item_bytes,
               item_bytes);
    }
}

/* ---- Scan and reduce ------------------------------------------------------------------------- */

static inline uint32_t model_identity(ordo_type type, ordo_op op) {
    static const uint32_t least[] = {
        [ORDO_U32] = 0, [ORDO_I32] = 0x80000000u, [ORDO_F32] = 0xff800000u};
    static const uint32_t greatest[] = {
        [ORDO_U32] = 0xffffffffu, [ORDO_I32] = 0x7fffffffu, [ORDO_F32] = 0x7f800000u};
    if (op == ORDO_ADD)
        return 0;
    return op == ORDO_MIN ? greatest[type] : least[type];
}

/* Combines two items bit for bit; sums of floats are not made here, see model_sum. */
static inline uint32_t model_combine(ordo_type type, ordo_op op, uint32_t a, uint32_t b) {
    if (op == ORDO_ADD) {
        assert(type != ORDO_F32);
        return a + b;
    }
    bool b_first = model_less(type, b, a);
    return (op == ORDO_MIN) == b_first ? b : a;
}

/* Whether the results of this primitive are defined bit for bit. */
static inline bool model_exact(ordo_type type, ordo_op op) {
    return !(type == ORDO_F32 && op == ORDO_ADD);
}

static inline uint32_t model_reduce(ordo_type type, ordo_op op, const uint32_t *in,
                                    uint64_t count) {
    if (count == 0)
        return model_identity(type, op);
    uint32_t all = in[0];
    for (uint64_t i = 1; i < count; i++)
        all = model_combine(type, op, all, in[i]);
    return all;
}

static inline void model_scan(const ordo_scan_desc *desc, const uint32_t *in, uint64_t count,
                              uint32_t *out) {
    uint32_t all = model_identity(desc->type, desc->op);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t next = i == 0 ? in[0] : model_combine(desc->type, desc->op, all, in[i]);
        out[i] = desc->inclusive ? next : all;
        all = next;
    }
}

/* A sum of floats and how far a result may lie from it. */
typedef struct model_sum {
    double sum;
    double magnitude; /* the sum of absolute values */
} model_sum;

static inline void model_sum_add(model_sum *sum, uint32_t item) {
    float value;
    memcpy(&value, &item, 4);
    sum->sum += (double)value;
    sum->magnitude += fabs((double)value);
}

/*
 * Whether a float is this sum within the stated error: each rounding adds at most 2^-24 of the
 * magnitude summed so far, and an item goes through at most 128 additions on its way (a serial run
 * within a thread and a tree over threads, on each of up to three levels, up and down again).
 */
static inline bool model_sum_is(const model_sum *sum, uint32_t result) {
    float value;
    memcpy(&value, &result, 4);
    return fabs((double)value - sum->sum) <= 128 * 0x1p-24 * sum->magnitude;
}

#endif
