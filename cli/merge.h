/* SPDX-License-Identifier: MIT */
/* merge.h: stable merges of sorted runs, all run_count long but the last. */
#ifndef ORDO_CLI_MERGE_H
#define ORDO_CLI_MERGE_H

#include "keys.h"

/* The keys of each run are sorted; afterwards all are. */
void merge_keys(keys *k, uint64_t run_count, bool descending);

/* indices holds, run by run, the positions within the run that sort its keys; afterwards the
   positions that sort all keys. */
void merge_indices(const keys *k, uint32_t *indices, uint64_t run_count, bool descending);

#endif
