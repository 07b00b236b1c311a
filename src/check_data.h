/* SPDX-License-Identifier: MIT */
/*
 * check_data.h: data for the self-check, and what the host makes of it. Plain C, no device.
 */
#ifndef ORDO_CHECK_DATA_H
#define ORDO_CHECK_DATA_H

#include "ordo_plan.h"

typedef enum ordo_check_shape {
    ORDO_CHECK_RANDOM,
    ORDO_CHECK_FEW,      /* 7 different keys */
    ORDO_CHECK_BYTES,    /* that differ in 8 bits */
    ORDO_CHECK_SORTED,   /* all different */
    ORDO_CHECK_REVERSED, /* the same, backwards */
    ORDO_CHECK_FLOATS,   /* half of them special values of f32, the rest any bits */
    ORDO_CHECK_DOUBLES,  /* the same of f64, two words each */
    ORDO_CHECK_EVEN,     /* f32 spread evenly from 0 to 1 */
} ordo_check_shape;

/* So many words of keys, the same at every call. */
void ordo_check_fill(ordo_check_shape shape, uint32_t *keys, uint32_t count);

/* Fill order with the stable permutation that sorts count keys, and spare with anything: by the key
   (unsigned or a float) and order of desc, all else in it is not looked at. */
void ordo_check_argsort(const ordo_sort_desc *desc, const uint32_t *keys, uint32_t *order,
                        uint32_t *spare, uint32_t count);

/* The scan of u32 by addition. */
void ordo_check_scan(bool inclusive, const uint32_t *in, uint32_t *out, uint32_t count);

#endif
