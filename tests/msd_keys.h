/* SPDX-License-Identifier: MIT */
/*
 * msd_keys.h: keys that make the levels of a sort from the most significant digit down work: few
 * and many buckets, of all sizes around an item, and keys that no digit tells apart.
 */
#ifndef ORDO_TESTS_MSD_KEYS_H
#define ORDO_TESTS_MSD_KEYS_H

#include "distribution.h"
#include "model.h"

/* Shapes beside those of distribution.h, whose numbers come first. */
enum {
    ANDED = DISTRIBUTION_COUNT, /* five random words ANDed: an entropy of 0.2 a bit */
    CLUSTERED,                  /* 16 clusters, random in the lowest ten bits */
    NARROW,                     /* random below the count */
    OUTLIER,                    /* small numbers, and one with the highest bit but one */
    LOW_WORD,                   /* of 64 bits only the lower 32 differ, of 32 the lower 16 */
    HIGH_WORD,                  /* … the upper ones */
    HUNDRED,                    /* a hundred values */
    HALF_EQUAL,                 /* half of the keys are equal */
    DEEP,    /* three quarters share each byte: every level leaves them a bucket */
    STAIRS,  /* digits by turns of many keys and of one: buckets just larger than an item */
    CROWDED, /* each key's upper 20 bits are among three */
    ZIPF,    /* the value v is about as frequent as 1 / v */
    KNOTS,   /* a few have four values in one narrow place; so have some neighbours that are not
              of the same invocations, the lowest or highest of them; others are random */
    SHAPES
};

/* The digit of key `index` of STAIRS: a key more than an item holds have the first, one the second,
   and so on. */
static inline uint64_t msd_stair(uint64_t index, uint32_t item_count) {
    uint64_t turn = item_count + 2;
    return index / turn * 2 + (index % turn == item_count + 1);
}

static inline uint64_t msd_key(uint32_t shape, ordo_type type, uint32_t item_count, uint64_t index,
                               uint64_t count, uint64_t *seed) {
    uint32_t group = item_count / 8; /* invocations that sort an item: see KNOTS */
    uint32_t width = model_bits(type);
    uint64_t random = model_random(seed) << 32 ^ model_random(seed) >> 16;
    const uint64_t fixed = 0x3ab1c2d4e5f60718u;
    switch (shape) {
    case ANDED:
        for (int i = 0; i < 4; i++)
            random &= model_random(seed) << 32 ^ model_random(seed) >> 16;
        return random;
    case CLUSTERED:
        return ((random >> 20 & 15) * 0x0f0f0f0f0f0f0f0fu & ~1023ull) | (random & 1023);
    case NARROW:
        return random % count;
    case OUTLIER:
        return index == count / 3 ? 1ull << (width - 2) : random & 0xfff;
    case LOW_WORD:
        return (fixed & ~model_mask(width / 2)) | (random & model_mask(width / 2));
    case HIGH_WORD:
        return (fixed & model_mask(width / 2)) | random << width / 2;
    case HUNDRED:
        return random % 100 * 0x28f5c28f5c28f5cu >> (64 - width);
    case HALF_EQUAL:
        return random >> 63 ? fixed : random << 3;
    case DEEP: {
        uint64_t key = 0;
        for (uint32_t i = 0; i < width; i += 8, random >>= 8)
            key |= (random & 3 ? fixed >> i & 255 : random & 255) << i;
        return key;
    }
    case STAIRS:
        return msd_stair(index, item_count) << (width - 8) | (random & model_mask(width - 8));
    case CROWDED:
        return (random >> 40) % 3 << (width - 20) | (random & model_mask(width - 20));
    case KNOTS:
        if ((index + 2) % group >= 4 && random >> 59)
            return random;
        random = (index + 2) % group >= 4 ? random % 4 : index / group % 2 ? 3 : 0;
        return (fixed << 1 & ~4095ull) | random * 64;
    default:
        return count / (1 + random % count);
    }
}

/* Keys of any shape, in any order, for items of up to so many. */
static inline void msd_fill(uint32_t shape, ordo_type type, uint32_t item_count, uint64_t count,
                            uint64_t seed, void *keys) {
    if (shape < DISTRIBUTION_COUNT) {
        distribution_fill((distribution)shape, type, count, seed, keys);
        return;
    }
    seed = seed * 0x9e3779b97f4a7c15u + shape;
    for (uint64_t i = 0; i < count; i++)
        model_set(type, keys, i, msd_key(shape, type, item_count, i, count, &seed));
    for (uint64_t i = count; shape == STAIRS && i > 1; i--) {
        uint64_t other = model_random_below(&seed, i), key = model_get(type, keys, i - 1);
        model_set(type, keys, i - 1, model_get(type, keys, other));
        model_set(type, keys, other, key);
    }
}

#endif
