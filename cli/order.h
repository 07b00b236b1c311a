/* SPDX-License-Identifier: MIT */
/*
 * order.h: sort any number of keys with a GPU: in one plan if the adapter's limits allow, else in
 * runs that the host merges.
 */
#ifndef ORDO_CLI_ORDER_H
#define ORDO_CLI_ORDER_H

#include "keys.h"
#include "run.h"

typedef struct order_options {
    gpu_options gpu;
    bool descending;
    ordo_method method; /* of each run */
    uint64_t run_count; /* keys in one run at most; 0: what the adapter takes */
    bool warm_up; /* run the plan once on no keys, so that the GPU's time is that of the sort and
                     not of a driver that compiles at the first use */
} order_options;

/* What was done, for --stats. */
typedef struct order_stats {
    run_stats run;      /* its plan is that of one run, its times those of all */
    uint64_t run_count; /* keys in a full run */
    uint64_t runs;
    double merge_seconds;
} order_stats;

/* Sorts the keys in place. Fails if there is no adapter, or the device does not do its work. */
void order_keys(const order_options *options, keys *k, order_stats *stats);

/* indices[0 … count-1]: the stable order of the keys, which stay as they are. count is below
   2^32. */
void order_indices(const order_options *options, keys *k, uint32_t *indices, order_stats *stats);

#endif
