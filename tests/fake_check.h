/* SPDX-License-Identifier: MIT */
/*
 * fake_check.h: a "GPU" on the fake WebGPU for self-checks: it computes the outputs of each run at
 * once, from its inputs, whatever the dispatch; and spoils them after a dispatch that a test names.
 */
#ifndef ORDO_TESTS_FAKE_CHECK_H
#define ORDO_TESTS_FAKE_CHECK_H

#include "fake_common.h"

#define BIT(name) (1u << ORDO_METHOD_##name)
#define ALL_METHODS                                                                                \
    (BIT(RADIX) | BIT(BITONIC) | BIT(ODDEVEN) | BIT(MSD) | BIT(SAMPLE) | BIT(ONESWEEP))

typedef struct checked_gpu {
    const char *broken;    /* entry points that begin so, or are NAME$, spoil the result */
    bool only_subgroups;   /* those of modules that use subgroups */
    bool only_values;      /* of pairs, and their values alone */
    bool only_wide;        /* of keys of 64 bits */
    bool only_in_rounds;   /* of partitions of msd in more than 2 rounds, as those of long inputs */
    unsigned spoiled;      /* runs so far */
    uint32_t most_count;   /* elements of a run so far */
    uint32_t small_groups; /* invocations of msd_small's workgroups, joined bit by bit */
    struct run {           /* that dispatches now belong to */
        WGPUBuffer in, values_in, out, values_out;
        bool scan, inclusive, wide, floats, spoils, spoiled;
    } run;
} checked_gpu;

extern checked_gpu check_world;

/* Makes a fresh world whose GPU is right, and takes it down. */
void check_begin(void);
void check_end(ordo_context *context);

ordo_context *context_with(const ordo_caps *caps);

/* Everything that must hold of any answer. */
void check_answer(const ordo_context *context, const ordo_check *check, ordo_status status);
/* Makes the self-check, and checks its answer so. */
ordo_status run_check(ordo_context *context, ordo_check *check);
/* The row of that name and tier; NULL: there is none. */
const ordo_check_row *row_of(const ordo_check *check, const char *name, const char *tier);

#endif
