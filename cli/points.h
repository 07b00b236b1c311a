/* SPDX-License-Identifier: MIT */
/* points.h: points of f32 coordinates in input files. */
#ifndef ORDO_CLI_POINTS_H
#define ORDO_CLI_POINTS_H

#include "common.h"

/* All points of the input files. It stays at its address: t refers to in. */
typedef struct points {
    input in;
    text t;              /* t.in is NULL for arrays */
    uint32_t dimensions; /* 2 or 3; 0 where a text without lines does not say */
    uint64_t count;
    float *coordinates; /* dimensions of each point together; allocated */
    double read_seconds;
} points;

/*
 * Reads the files that the options name: points a line, or a .npy array of rows of f2 or f4, or raw
 * f32. dimensions is what the option --dimensions says, 0 if it is not given, which raw files need.
 * Fails where points have not so many.
 */
void points_read(points *p, const common_options *o, uint32_t dimensions);
void points_free(points *p);

#endif
