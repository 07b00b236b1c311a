/* SPDX-License-Identifier: MIT */
/*
 * msd_form.h: the fixed-point digits that a root of 32-bit floats may have, as
 * kernels/lib/msd_digit.wgsl says it, but worked out in doubles: which child a key belongs to, and
 * where a child's images begin.
 */
#ifndef ORDO_TESTS_MSD_FORM_H
#define ORDO_TESTS_MSD_FORM_H

#include "model.h"

/* A root's digits: so many bits; `negative` of them are of negative keys, and magnitudes are below
   2^(exponent - 126), exponent being that of the bits. */
typedef struct msd_form {
    uint32_t bits, exponent, negative;
    bool descending;
} msd_form;

/* The key that has an image. */
static inline uint32_t msd_form_key(const msd_form *form, uint32_t image) {
    uint32_t bits = (form->descending ? ~image : image) + 0x007fffffu;
    return bits ^ (bits >> 31 ? 0x80000000u : 0xffffffffu);
}

/* The magnitude that a digit is wide. Where both signs have digits, half of them share a sign. */
static inline double msd_form_step(const msd_form *form) {
    bool both = form->negative > 0 && form->negative < 1u << form->bits;
    return ldexp(1, (int)form->exponent - 126 - (int)form->bits + both);
}

/* The digit of an f32 key. */
static inline uint32_t msd_form_digit(const msd_form *form, uint32_t key) {
    float number;
    int64_t last = (1 << form->bits) - 1, digit = last;
    memcpy(&number, &key, sizeof number);
    if (!isnan(number)) {
        double steps = fabs((double)number) / msd_form_step(form);
        int64_t whole = steps > (double)last ? last + 1 : (int64_t)steps;
        digit = key >> 31 ? (int64_t)form->negative - 1 - whole : form->negative + whole;
        digit = digit < 0 ? 0 : digit > last ? last : digit;
    }
    return (uint32_t)(form->descending ? last - digit : digit);
}

/* The least image of a digit, by bisection: digits do not fall as images rise. 2^32 of none. */
static inline uint64_t msd_form_least(const msd_form *form, uint32_t digit) {
    uint64_t low = 0, high = 1ull << 32;
    while (low < high) {
        uint64_t image = (low + high) / 2;
        if (msd_form_digit(form, msd_form_key(form, (uint32_t)image)) < digit)
            low = image + 1;
        else
            high = image;
    }
    return low;
}

#endif
