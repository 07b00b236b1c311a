/* SPDX-License-Identifier: MIT */
/*
 * distribution.h: keys as sorters meet them, for every type, the same for the same seed.
 */
#ifndef ORDO_TESTS_DISTRIBUTION_H
#define ORDO_TESTS_DISTRIBUTION_H

#include "model.h"

typedef enum distribution {
    KEYS_RANDOM,       /* all bits random */
    KEYS_FEW,          /* four values, each wide in bits */
    KEYS_EQUAL,        /* one value */
    KEYS_ONES,         /* every bit of every key set: 0xffffffff, -1 or a NaN */
    KEYS_SORTED,       /* random, in ascending order */
    KEYS_REVERSED,     /* random, in descending order */
    KEYS_ORGAN_PIPE,   /* ascending, then descending, small distances */
    KEYS_ONE_BIT,      /* one random bit set */
    KEYS_TOP_DIGIT,    /* only the highest eight bits differ */
    KEYS_BOTTOM_DIGIT, /* only the lowest eight bits differ */
    KEYS_ONE_ODD,      /* all 7 but a 3 in the middle */
    KEYS_SPECIAL,      /* NaNs, infinities, zeros, subnormals, extremes, amid random keys */
    KEYS_NAN,          /* NaNs of all kinds alone; of integers the same bits */
    KEYS_COUNTING,     /* 0, 1, 2 … scattered by an odd factor */
    DISTRIBUTION_COUNT
} distribution;

/* Bit patterns at which a float, or an integer, is something of its own. */
static inline uint64_t special_key(ordo_type type, uint64_t random) {
    static const uint32_t patterns[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
        0x80800000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
        0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0xffffffff, 0x7fbfffff};
    uint32_t pattern = patterns[random % (sizeof patterns / sizeof *patterns)];
    if (model_bytes(type) == 4)
        return pattern;
    /* The same place on the scale of 64 bits: sign, widened exponent, widened fraction. */
    uint64_t sign = (uint64_t)(pattern >> 31) << 63;
    uint64_t exponent = pattern >> 23 & 0xff;
    uint64_t fraction = pattern & 0x7fffff;
    exponent = exponent == 0xff ? 0x7ff : exponent == 0 ? 0 : exponent + 1023 - 127;
    fraction = fraction << 29 | (fraction == 0x7fffff ? 0x1fffffff : fraction == 1);
    return sign | exponent << 52 | fraction;
}

static inline uint64_t nan_key(ordo_type type, uint64_t random) {
    if (model_bytes(type) == 8)
        return 0x7ff0000000000000u | random | 1;
    return (0x7f800000u | random | 1) & 0xffffffffu;
}

/* The key at `index` of `count` for those distributions that need no look at the others. */
static inline uint64_t distribution_key(distribution shape, ordo_type type, uint64_t index,
                                        uint64_t count, uint64_t *seed) {
    uint32_t width = model_bits(type);
    uint64_t random = model_random(seed);
    switch (shape) {
    case KEYS_FEW:
        return (random >> 40 & 3) * 0x5a3c69f1b4d2e787u ^ 0x13579bdf02468aceu;
    case KEYS_EQUAL:
        return 0x4049100040490fdbu;
    case KEYS_ONES:
        return UINT64_MAX;
    case KEYS_ORGAN_PIPE:
        return (index < count / 2 ? index : count - index) / 3;
    case KEYS_ONE_BIT:
        return (uint64_t)1 << (random >> 32) % width;
    case KEYS_TOP_DIGIT:
        return 0x0011223344556677u >> (64 - width) | (random & 0xff) << (width - 8);
    case KEYS_BOTTOM_DIGIT:
        return 0x4048f5c340490f00u | (random & 0xff);
    case KEYS_ONE_ODD:
        return index == count / 2 ? 3 : 7;
    case KEYS_SPECIAL:
        return random >> 60 == 0 ? model_random(seed) : special_key(type, random >> 20);
    case KEYS_NAN:
        return nan_key(type, model_random(seed));
    case KEYS_COUNTING:
        return index * 40503 % (count ? count : 1);
    default:
        return random;
    }
}

/* Fills keys with count keys. */
static inline void distribution_fill(distribution shape, ordo_type type, uint64_t count,
                                     uint64_t seed, void *keys) {
    seed = seed * 0x9e3779b97f4a7c15u + 0x1234567;
    for (uint64_t i = 0; i < count; i++)
        model_set(type, keys, i, distribution_key(shape, type, i, count, &seed));
    if (shape != KEYS_SORTED && shape != KEYS_REVERSED)
        return;
    ordo_sort_desc desc = {.key = type,
                           .order = shape == KEYS_SORTED ? ORDO_ASCENDING : ORDO_DESCENDING};
    uint32_t *order = malloc((count + 1) * sizeof *order);
    void *copy = malloc((count + 1) * 8);
    assert(order && copy);
    memcpy(copy, keys, count * model_bytes(type));
    model_argsort(&desc, copy, count, order);
    model_gather(order, copy, count, model_bytes(type), keys);
    free(copy);
    free(order);
}

#endif
