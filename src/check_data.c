/* SPDX-License-Identifier: MIT */
/*
 * check_data.c: data for the self-check, and what the host makes of it.
 *
 * The sort is the plainest that is fast enough: least significant digit first, on images as
 * ordo_plan.h defines them. It shares nothing with the planner or the kernels.
 */
#include "check_data.h"

/* Both infinities, zeros, subnormals at both ends, numbers at both ends, and NaNs: quiet and
   signalling, of both signs, with the least and the greatest payload. */
static const uint32_t specials[] = {
    0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
    0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800001, 0x7fc00000, 0x7fffffff, 0xffc00000, 0xffffffff,
};

/* Bits mixed by Murmur3's finalizer: a different number for each different one. */
static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x85ebca6b;
    x ^= x >> 13;
    x *= 0xc2b2ae35;
    return x ^ x >> 16;
}

void ordo_check_fill(ordo_check_shape shape, uint32_t *keys, uint32_t count) {
    uint32_t stride = count ? UINT32_MAX / count : 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t random = mix(i + 1);
        switch (shape) {
        case ORDO_CHECK_RANDOM:
            keys[i] = random;
            break;
        case ORDO_CHECK_FEW:
            keys[i] = mix(random % 7);
            break;
        case ORDO_CHECK_SORTED:
            keys[i] = i * stride;
            break;
        case ORDO_CHECK_REVERSED:
            keys[i] = (count - 1 - i) * stride;
            break;
        case ORDO_CHECK_FLOATS:
            keys[i] = i % 2 ? mix(random) : specials[random >> 28];
            break;
        }
    }
}

static uint32_t image_of(const ordo_sort_desc *desc, uint32_t key) {
    uint32_t image = key;
    if (desc->key == ORDO_F32) {
        image = (key >> 31 ? ~key : key ^ 0x80000000u) - 0x007fffffu;
    }
    return desc->order == ORDO_DESCENDING ? ~image : image;
}

void ordo_check_argsort(const ordo_sort_desc *desc, const uint32_t *keys, uint32_t *order,
                        uint32_t *spare, uint32_t count) {
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    for (uint32_t i = 0; i < count; i++) {
        spare[i] = i;
    }
    /* Three passes: the last one ends in `order`. */
    uint32_t *from = spare, *to = order;
    for (uint32_t shift = 0; shift < 32; shift += DIGIT_BITS) {
        uint32_t places[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < count; i++) {
            places[(image_of(desc, keys[i]) >> shift) % DIGITS + 1]++;
        }
        for (uint32_t digit = 1; digit < DIGITS; digit++) {
            places[digit] += places[digit - 1];
        }
        for (uint32_t i = 0; i < count; i++) {
            to[places[(image_of(desc, keys[from[i]]) >> shift) % DIGITS]++] = from[i];
        }
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
}

void ordo_check_scan(bool inclusive, const uint32_t *in, uint32_t *out, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = inclusive ? sum + in[i] : sum;
        sum += in[i];
    }
}
