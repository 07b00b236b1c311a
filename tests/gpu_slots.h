/* SPDX-License-Identifier: MIT */
/*
 * gpu_slots.h: run any plan on buffers with canaries around every slot, and compare every byte.
 *
 * The test makes the plan, says what its inputs hold and what its outputs must hold; slots_* lay
 * the slots out, record, read back and compare. What an output holds beyond its expected bytes must
 * stay as it was.
 *
 *     buffer    | canary | slot: expected bytes | the rest, untouched | canary |
 *               0        ^ at[slot]
 */
#ifndef ORDO_TESTS_GPU_SLOTS_H
#define ORDO_TESTS_GPU_SLOTS_H

#include "gpu_case.h"

enum { SLOT_COUNT_BUFFER = ORDO_SLOT_COUNT, SLOT_MEMORIES = ORDO_SLOT_COUNT + 1 };

typedef struct slot_case {
    /* Set by the test. */
    ordo_plan *plan;                       /* belongs to the case */
    char what[480];                        /* names the case in reports */
    const void *inputs[ORDO_SLOT_COUNT];   /* of slot_bytes each; NULL of outputs and scratch */
    const void *expected[ORDO_SLOT_COUNT]; /* what an output begins with; NULL: not compared */
    uint64_t expected_bytes[ORDO_SLOT_COUNT];
    count_use count_use;
    uint32_t gpu_count;
    bool one_buffer;
    scratch_use scratch; /* as the plan was made: SCRATCH_OWN, or another with caller_scratch */

    /* Set by slots_begin. */
    uint64_t bytes[ORDO_SLOT_COUNT]; /* of the slots that are given */
    uint64_t at[ORDO_SLOT_COUNT];    /* where slots begin in their memories */
    ordo_args args;
    memory
        memories[SLOT_MEMORIES]; /* one a slot, and the count's; all slots in [0] if one_buffer */

    /* Set by slots_end: what outputs held, slot_bytes each. */
    void *results[ORDO_SLOT_COUNT];
} slot_case;

/* Fills buffers; record the case into an encoder, as often as wanted; after the submit, read
   everything back and compare. Results stay until slots_free, which also releases the plan. */
void slots_begin(rig *r, slot_case *c);
void slots_encode(slot_case *c, WGPUCommandEncoder encoder);
void slots_end(rig *r, slot_case *c);
/* Copies what a slot holds after slots_end into out, unless that is NULL. */
void slots_copy(const slot_case *s, ordo_slot slot, void *out);
void slots_free(slot_case *c);

/* Begin, encode, submit. A plan with scratch of its own is encoded twice, as the second run must not
   see what the first left; with the caller's, once: a second run could mend what the first makes of
   the filling. */
void slots_run(rig *r, slot_case *c);

/* Runs the case's plan on host arrays, and compares those with the same expectations. */
void slots_check_arrays(slot_case *c);

/* The elements of a run over max_count elements. */
uint64_t slots_count(const slot_case *c, uint64_t max_count);

/* Counts on the device beside a capacity: none on the host, then 0, 1, and both sides of all. */
enum { COUNT_WAYS = 8 };
void slots_set_count(count_use *use, uint32_t *gpu_count, uint32_t way, uint64_t max_count,
                     uint64_t random);

#endif
