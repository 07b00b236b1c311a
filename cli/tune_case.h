/* SPDX-License-Identifier: MIT */
/*
 * tune_case.h: what `ordo tune` measures: cases, that is sorts and a scan of known data, by one set
 * of shapes at a time. Results are compared with the host's before times count.
 */
#ifndef ORDO_CLI_TUNE_CASE_H
#define ORDO_CLI_TUNE_CASE_H

#include "run.h"

/* Of one name are cases of several sizes. */
typedef enum tune_case {
    CASE_KEYS,
    CASE_KEYS_MIDDLE,
    CASE_PAIRS,
    CASE_PAIRS_MIDDLE,
    CASE_RADIX,
    CASE_ONESWEEP,
    CASE_ONESWEEP_PAIRS,
    CASE_SAMPLE,
    CASE_SAMPLE_PAIRS,
    CASE_NETWORK,
    CASE_SCAN,
    CASE_COUNT
} tune_case;

typedef enum tune_size { SIZE_LARGE, SIZE_MIDDLE, SIZE_SMALL, SIZE_COUNT } tune_size;

/* "keys" and so on. */
const char *tune_case_name(tune_case c);
tune_size tune_case_size(tune_case c);
bool tune_case_has_values(tune_case c);

/* Elements of the cases of a size: on the host, and on the GPU. */
typedef struct tune_data {
    uint32_t count;
    uint32_t *keys, *order; /* random, and the indices that sort them stably */
    uint32_t *result, *values_result;
    WGPUBuffer in, out, values_in, values_out;
} tune_data;

typedef struct tuner {
    runner r;
    tune_data data[SIZE_COUNT];
    bool by_host; /* times are the host's: the adapter has no usable timestamps */
} tuner;

/* Shapes by a text, with the plans of some cases and what they take. */
typedef struct tune_shape {
    ordo_context *context;
    ordo_plan *plans[CASE_COUNT]; /* NULL: not of a case that is measured */
    double ms[CASE_COUNT];
    char problem[ORDO_MESSAGE_BYTES]; /* what tune_open met */
} tune_shape;

typedef enum tune_outcome {
    TUNE_RIGHT,
    TUNE_UNFIT, /* the shapes are not for this device */
    TUNE_WRONG, /* a result is wrong, or the device refuses a kernel */
} tune_outcome;

/* Opens the GPU and makes the data, so many elements of each size; only what the cases, a set of
   bits, need. */
void tuner_open(tuner *t, const gpu_options *options, const uint32_t counts[SIZE_COUNT],
                uint32_t cases);
void tuner_close(tuner *t);

/* Makes plans of the cases, a set of bits, by the tuning, and runs each once. What does not come to
   TUNE_RIGHT is closed again. */
tune_outcome tune_open(tuner *t, const char *tuning, uint32_t cases, tune_shape *shape);
void tune_close(tune_shape *shape);

/* Sets ms of all its plans. */
void tune_measure(tuner *t, tune_shape *shape);

#endif
