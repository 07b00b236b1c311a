/* SPDX-License-Identifier: MIT */
/*
 * draw.h: the keys of each distribution, as C and as CUDA read it, so that ordo and its rivals sort
 * the same data. The checker's WGSL makes the same keys on the GPU; verify.c compares the two where
 * there are few, and report.py compares the sums of all that stand in one row of a table.
 *
 * No step rounds, so that every compiler and every device comes to the same bits.
 */
#ifndef ORDO_BENCH_DRAW_H
#define ORDO_BENCH_DRAW_H

#include "../include/ordo_plan.h"

#include <string.h>

#ifdef __CUDACC__
#define DRAW static inline __host__ __device__
#else
#define DRAW static inline
#endif

/* How keys are drawn; the values are those of the switch in the checker's WGSL. */
typedef enum bench_distribution {
    BENCH_RANDOM = 0,
    BENCH_ENTROPY_0544 = 1, /* entropy a bit, by ANDing 3 random words, as CUB's benchmarks do */
    BENCH_ENTROPY_0201 = 2, /* by ANDing 5 */
    BENCH_SORTED = 3,
    BENCH_REVERSED = 4,
    BENCH_EQUAL = 5,
    BENCH_FEW = 6,  /* 16 distinct keys */
    BENCH_ZIPF = 7, /* each power of two as often as the next: many small keys, few large ones */
    BENCH_DISTINCT_100 = 8,
    BENCH_CLUSTERED = 9,   /* the 12 low bits are constant */
    BENCH_BITS_8 = 10,     /* all but the 8 low bits are constant */
    BENCH_ZIPF_RANKS = 11, /* key r of 2^20 random ones about 1 / r times as often as the first */
    BENCH_NORMAL = 12,     /* f32 of mean 0 and deviation 1; of wide keys the high word */
    BENCH_NEARLY_SORTED = 13, /* one in 128 is random */
} bench_distribution;

/* By enum value. */
#define BENCH_DISTRIBUTION_NAMES                                                                   \
    "random", "entropy-0.544", "entropy-0.201", "sorted", "reversed", "equal", "few", "zipf",      \
        "distinct-100", "clustered", "bits-8", "zipf-ranks", "normal", "nearly-sorted"

/* How drawn words become elements. */
typedef enum checker_map {
    MAP_BITS = 0,  /* they are the bits */
    MAP_BELOW = 1, /* u32 below `below` */
    MAP_UNIT = 2,  /* f32 from 0 to 1 */
} checker_map;

/* What keys are drawn from. */
typedef struct draw_source {
    bench_distribution distribution;
    ordo_type type;
    uint32_t count, seed;
    checker_map map;
    uint32_t below;
    uint32_t skip_high_bits; /* drawn keys are shifted down by so many bits */
} draw_source;

typedef struct draw_key {
    uint32_t high, low; /* of a key of 32 bits only high */
} draw_key;

DRAW draw_key draw_pair(uint32_t high, uint32_t low) {
    draw_key key;
    key.high = high;
    key.low = low;
    return key;
}

DRAW uint32_t draw_mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

DRAW uint32_t draw_word(uint32_t i, uint32_t salt, uint32_t seed) {
    return draw_mix(draw_mix(i ^ seed) + salt * 0x9e3779b9u);
}

DRAW uint32_t draw_anded(uint32_t i, uint32_t salt, uint32_t times, uint32_t seed) {
    uint32_t bits = draw_word(i, salt, seed);
    for (uint32_t t = 1; t < times; t++)
        bits &= draw_word(i, salt + 2 * t, seed);
    return bits;
}

/* Random where the mask has ones, the same for all i elsewhere. */
DRAW uint32_t draw_masked(uint32_t i, uint32_t salt, uint32_t mask, uint32_t seed) {
    return (draw_word(i, salt, seed) & mask) | (draw_word(0, salt, seed) & ~mask);
}

/* The bits of an f32: the sum of 12 even draws less its mean, all of it in units of 2^-20, and
   random bits below those. */
DRAW uint32_t draw_normal(uint32_t i, uint32_t seed) {
    uint32_t sum = 0, bits;
    for (uint32_t t = 0; t < 12; t++)
        sum += draw_word(i, 64 + t, seed) >> 12;
    float x = (float)((int32_t)sum - (6 << 20)) * (1.0f / 1048576.0f);
    memcpy(&bits, &x, sizeof bits);
    if (bits == 0)
        return 0;
    return bits | (draw_word(i, 1, seed) & ((1u << (130 - (bits >> 23 & 255))) - 1));
}

/* The key of that image. */
DRAW draw_key draw_bits_of(draw_key image, ordo_type type) {
    draw_key b = image;
    if (type == ORDO_I32 || type == ORDO_I64)
        b.high ^= 0x80000000u;
    if (type != ORDO_F32 && type != ORDO_F64)
        return b;
    if (type == ORDO_F32) {
        b.high += 0x007fffffu;
    } else {
        b.high += 0x000fffffu + (b.low != 0);
        b.low -= 1;
    }
    if (b.high >> 31 != 0)
        b.high ^= 0x80000000u;
    else
        b = draw_pair(~b.high, ~b.low);
    return b;
}

DRAW draw_key draw_unmapped(const draw_source *s, ordo_type type, uint32_t i) {
    const uint32_t seed = s->seed, step = 0xffffffffu / s->count;
    const bool wide = type == ORDO_U64 || type == ORDO_I64 || type == ORDO_F64;
    const uint32_t high = draw_word(i, 0, seed), low = draw_word(i, 1, seed);
    const uint32_t other = draw_word(i, 2, seed);
    uint32_t k;
    switch (s->distribution) {
    case BENCH_ENTROPY_0544:
        return draw_pair(draw_anded(i, 0, 3, seed), draw_anded(i, 1, 3, seed));
    case BENCH_ENTROPY_0201:
        return draw_pair(draw_anded(i, 0, 5, seed), draw_anded(i, 1, 5, seed));
    case BENCH_NEARLY_SORTED:
        k = other % 128 == 0 ? draw_word(i, 3, seed) : i * step;
        return draw_bits_of(draw_pair(k, high), type);
    case BENCH_SORTED:
        return draw_bits_of(draw_pair(i * step, high), type);
    case BENCH_REVERSED:
        return draw_bits_of(draw_pair((s->count - 1 - i) * step, high), type);
    case BENCH_EQUAL:
        return draw_pair(draw_word(0, 0, seed), draw_word(0, 1, seed));
    case BENCH_FEW:
    case BENCH_DISTINCT_100:
        k = other % (s->distribution == BENCH_FEW ? 16 : 100);
        return draw_pair(draw_word(k, 0, seed), draw_word(k, 1, seed));
    case BENCH_ZIPF:
        return draw_bits_of(draw_pair(high >> other % 32, low), type);
    case BENCH_CLUSTERED:
        return draw_pair(wide ? high : draw_masked(i, 0, 0xfffff000u, seed),
                         draw_masked(i, 1, 0xfffff000u, seed));
    case BENCH_BITS_8:
        return draw_pair(draw_masked(i, 0, wide ? 0 : 255, seed), draw_masked(i, 1, 255, seed));
    case BENCH_ZIPF_RANKS: /* each power of two of ranks as often as the next */
        k = 1u << other % 20;
        k |= draw_word(i, 3, seed) & (k - 1);
        return draw_pair(draw_word(k, 0, seed), draw_word(k, 1, seed));
    case BENCH_NORMAL:
        return draw_pair(draw_normal(i, seed), low);
    default:
        return draw_pair(high, low);
    }
}

/* Shifted down: keys stay sorted. */
DRAW draw_key draw_shifted(draw_key key, uint32_t by_bits) {
    draw_key k = key;
    uint32_t by = by_bits % 32;
    if (by != 0)
        k = draw_pair(k.high >> by, k.low >> by | k.high << (32 - by));
    if (by_bits >= 32)
        k = draw_pair(0, k.high);
    if (by_bits >= 64)
        k = draw_pair(0, 0);
    return k;
}

/* Key i of s->count. What is mapped is drawn as u32. */
DRAW draw_key draw_key_at(const draw_source *s, uint32_t i) {
    if (s->map == MAP_BITS)
        return draw_shifted(draw_unmapped(s, s->type, i), s->skip_high_bits);
    uint32_t word = draw_unmapped(s, ORDO_U32, i).high;
    if (s->map == MAP_BELOW)
        return draw_pair((uint32_t)((uint64_t)word * s->below >> 32), 0);
    float x = (float)(word >> 8) * (1.0f / 16777216.0f);
    memcpy(&word, &x, sizeof word);
    return draw_pair(word, 0);
}

#endif
