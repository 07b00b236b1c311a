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

/* The same of f64. */
static const uint64_t wide_specials[] = {
    0x7ff0000000000000, 0xfff0000000000000, 0x0000000000000000, 0x8000000000000000,
    0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x800fffffffffffff,
    0x0010000000000000, 0x7fefffffffffffff, 0xffefffffffffffff, 0x7ff0000000000001,
    0x7ff8000000000000, 0x7fffffffffffffff, 0xfff8000000000000, 0xffffffffffffffff,
};

/* Bits mixed by Murmur3's finalizer: a different number for each different one. */
static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x85ebca6b;
    x ^= x >> 13;
    x *= 0xc2b2ae35;
    return x ^ x >> 16;
}

/* number / 2^24, as f32 has it: no bit is rounded. */
static uint32_t fraction(uint32_t number) {
    uint32_t exponent = 127;
    if (number == 0) {
        return 0;
    }
    while (number < 1u << 24) {
        number <<= 1;
        exponent--;
    }
    return exponent << 23 | (number >> 1 & 0x7fffff);
}

void ordo_check_fill(ordo_check_shape shape, uint32_t *keys, uint32_t count) {
    uint32_t stride = count ? 0x7f800000u / count : 0; /* f32 are in order, too */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t random = mix(i + 1);
        switch (shape) {
        case ORDO_CHECK_RANDOM:
            keys[i] = random;
            break;
        case ORDO_CHECK_FEW:
            keys[i] = mix(random % 7);
            break;
        case ORDO_CHECK_BYTES:
            keys[i] = 0x5a000500u + (random >> 24 << 12);
            break;
        case ORDO_CHECK_SORTED:
            keys[i] = i * stride;
            break;
        case ORDO_CHECK_REVERSED:
            keys[i] = (count - 1 - i) * stride;
            break;
        case ORDO_CHECK_EVEN:
            keys[i] = fraction(random >> 8);
            break;
        case ORDO_CHECK_FLOATS:
            keys[i] = i % 2 ? mix(random) : specials[random >> 28];
            break;
        case ORDO_CHECK_DOUBLES:
            keys[i] = i / 2 % 2 ? mix(random)
                                : (uint32_t)(wide_specials[mix(i / 2 + 1) >> 28] >> i % 2 * 32);
            break;
        }
    }
}

static uint64_t image_of(const ordo_sort_desc *desc, const uint32_t *keys, uint32_t i) {
    bool wide = ordo_type_bytes(desc->key) == 8;
    uint64_t key = wide ? keys[2 * i] | (uint64_t)keys[2 * i + 1] << 32 : keys[i];
    uint64_t top = (uint64_t)1 << (wide ? 63 : 31), image = key;
    if (desc->key == ORDO_F32 || desc->key == ORDO_F64) {
        image = key & top ? ~key : key ^ top;
        image -= wide ? 0x000fffffffffffff : 0x007fffff;
    }
    image = desc->order == ORDO_DESCENDING ? ~image : image;
    return image & (top - 1 + top);
}

void ordo_check_argsort(const ordo_sort_desc *desc, const uint32_t *keys, uint32_t *order,
                        uint32_t *spare, uint32_t count) {
    enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
    uint32_t bits = 8 * ordo_type_bytes(desc->key);
    /* Three passes or six: the last one ends in `order`. */
    uint32_t *from = bits == 32 ? spare : order, *to = bits == 32 ? order : spare;
    for (uint32_t i = 0; i < count; i++) {
        from[i] = i;
    }
    for (uint32_t shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t places[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < count; i++) {
            places[(image_of(desc, keys, i) >> shift) % DIGITS + 1]++;
        }
        for (uint32_t digit = 1; digit < DIGITS; digit++) {
            places[digit] += places[digit - 1];
        }
        for (uint32_t i = 0; i < count; i++) {
            to[places[(image_of(desc, keys, from[i]) >> shift) % DIGITS]++] = from[i];
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
