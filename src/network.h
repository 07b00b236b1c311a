/* SPDX-License-Identifier: MIT */
/*
 * network.h: what the planner takes from networks as data, and the verification of merges for any
 * source of steps, so that tests can hand it networks that are wrong.
 */
#ifndef ORDO_NETWORK_INTERNAL_H
#define ORDO_NETWORK_INTERNAL_H

#include "ordo_network.h"

/* The comparators of a step, given by its stage and log2 of its stride, also with more wires than an
   ordo_network has. */
uint64_t ordo_network_level_size(ordo_network_kind kind, uint32_t stage, uint32_t level,
                                 uint64_t wire_count);

/* As ordo_network_step: steps are divided into stages as those of ordo's networks are, and a
   comparator joins wires of one run of its stage. */
typedef uint64_t ordo_step_source(const void *context, uint32_t step, ordo_comparator *comparators,
                                  uint64_t capacity);

/* As ordo_network_verify_merges, but for its arguments being right. */
void ordo_merges_verify(ordo_step_source *source, const void *context, uint32_t wire_count,
                        uint32_t *workspace, ordo_merge_verdict *verdict);

#endif
