/* SPDX-License-Identifier: MIT */
/* measure.h: what `ordo advise` finds out about a file, in one reading of its keys or points. */
#ifndef ORDO_CLI_MEASURE_H
#define ORDO_CLI_MEASURE_H

#include "keys.h"

/* Different keys are counted up to so many, as many as buckets can be. */
#define MOST_DISTINCT 65536u

typedef struct key_facts {
    uint64_t distinct_count;   /* MOST_DISTINCT + 1: more than MOST_DISTINCT */
    uint64_t disorder_count;   /* neighbours that are the wrong way round */
    uint32_t skip_low_bits;    /* of images: the same in all keys */
    uint32_t significant_bits; /* above them, up to the highest that differs; 0 if none does */
    uint64_t least, greatest;  /* places of such keys; of no keys 0 */
} key_facts;

void measure_keys(const keys *k, bool descending, key_facts *facts);

/* The box that holds all finite coordinates of count points; of an axis without any 0. */
void measure_points(const float *points, uint64_t count, uint32_t dimensions, float lower[3],
                    float upper[3]);

#endif
