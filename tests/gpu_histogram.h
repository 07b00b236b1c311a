/* SPDX-License-Identifier: MIT */
/*
 * gpu_histogram.h: one histogram with its buffers, its data, and what must hold of its counts; for
 * the test_gpu_histogram*.c.
 */
#ifndef ORDO_TESTS_GPU_HISTOGRAM_H
#define ORDO_TESTS_GPU_HISTOGRAM_H

#include "gpu_slots.h"
#include "model_third.h"

typedef struct histogram_case {
    ordo_histogram_desc desc;
    const uint32_t *in;    /* max_count elements */
    const uint32_t *edges; /* of ORDO_BINS_EDGES */
    count_use count_use;
    uint32_t gpu_count;
    bool one_buffer;
    scratch_use scratch;
    ordo_context *context; /* NULL: the rig's */
    uint32_t *result;      /* not NULL: receives the counts */
} histogram_case;

/* The case as it runs, with what it must give in *expected; the end reads it back, compares, and
   frees both. */
slot_case histogram_begin(rig *r, const histogram_case *c, uint32_t **expected);
void histogram_end(rig *r, const histogram_case *c, slot_case *s, uint32_t *expected);
/* P8: fails unless every element is counted once. */
void histogram_check_sum(const histogram_case *c, const slot_case *s);

/* All of it, in an encoder of its own. */
void histogram_check(rig *r, histogram_case c);
/* The same with counts written out: first of the bins, then below, above and NaN. */
void histogram_expect(rig *r, histogram_case c, const uint32_t *counts);

/* Elements, and sorted edges drawn from keys of the type, some of them equal, none NaN. The caller
   frees them. */
uint32_t *histogram_elements(distribution shape, ordo_type type, uint64_t count, uint64_t seed);
uint32_t *histogram_edges(ordo_type type, uint32_t bins, uint64_t seed);

#endif
