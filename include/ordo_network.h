/* SPDX-License-Identifier: MIT */
/*
 * ordo_network.h: sorting networks as data: list their comparators, run them on the host, verify
 * them.
 *
 * A comparator joins two wires: the lesser of what they carry leaves on `low`, the greater on
 * `high`. A network is a fixed sequence of comparators. Those that touch different wires may run
 * at the same time: a *step* is a set of such comparators, one level deep. Step by step this is
 * what the methods ORDO_METHOD_BITONIC and ORDO_METHOD_ODDEVEN of ordo_plan.h run on the GPU.
 *
 *     ordo_network network = {ORDO_NETWORK_ODDEVEN, 16};
 *     ordo_comparator list[63];                    ordo_network_size(&network) of them
 *     ordo_network_list(&network, list, 63);
 *     ordo_verdict verdict;
 *     ordo_comparators_verify(list, 63, 16, &verdict);       verdict.sorts is true
 *
 * A *stage* is a round of merges: stage k, from 1 on, merges pairs of sorted runs of 2^(k-1) wires
 * into runs of 2^k, in k steps whose strides are 2^(k-1), 2^(k-2) … 1. Within a run, whose wires
 * are counted from 0, these are joined:
 *
 *     bitonic    first step: t and 2^k - 1 - t, so that all comparators point the same way and any
 *                number of wires works; the others: t and t + stride where t / stride is even
 *     odd-even   first step: t and t + 2^(k-1); the others: t and t + stride where t / stride is
 *                odd
 *
 * Comparators whose high wire does not exist are left out, as if it carried a key greater than all.
 * Pure C: no WebGPU, no allocation, any thread.
 *
 * Sources: Batcher, "Sorting Networks and Their Applications" (1968); Knuth, "The Art of Computer
 * Programming", volume 3, 5.3.4, also for the zero-one principle: a network that sorts all inputs
 * of zeros and ones sorts all inputs.
 */
#ifndef ORDO_NETWORK_H
#define ORDO_NETWORK_H

#include "ordo_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ordo_network_kind {
    ORDO_NETWORK_BITONIC = 0,
    ORDO_NETWORK_ODDEVEN = 1,
} ordo_network_kind;

typedef struct ordo_network {
    ordo_network_kind kind;
    uint32_t wire_count; /* any number */
} ordo_network;

/* The lesser goes to `low`. In ordo's networks low < high always; in a list of your own either may
   be the greater number, and one with low > high sorts its two wires the other way round. */
typedef struct ordo_comparator {
    uint32_t low, high;
} ordo_comparator;

/* ---- Listing ------------------------------------------------------------------------------- */

/* All functions of this part give 0, or false, for a NULL network and for an unknown kind. */

/* Steps, of all stages: k * (k + 1) / 2 with k = ceil(log2(wire_count)). */
ORDO_API uint32_t ordo_network_depth(const ordo_network *network);

/* Comparators, by a sum of one closed term a step. With n wires, n a power of two, it comes to
   n / 4 * log2 n * (log2 n + 1) in a bitonic network, n / 4 * log2 n * (log2 n - 1) + n - 1 in an
   odd-even one. */
ORDO_API uint64_t ordo_network_size(const ordo_network *network);

/* The stage of a step, from 1 on, and log2 of its stride; either may be NULL. Steps are counted
   from 0; past the depth the result is false, and nothing is written. */
ORDO_API bool ordo_network_stage(const ordo_network *network, uint32_t step, uint32_t *stage,
                                 uint32_t *stride_log2);

/* The comparators of one step, by rising high wire: writes the first of them, as many as there are
   but at most capacity (comparators may be NULL if that is 0), and returns how many there are; 0
   past the depth. */
ORDO_API uint64_t ordo_network_step(const ordo_network *network, uint32_t step,
                                    ordo_comparator *comparators, uint64_t capacity);

/* The same of all steps, one after the other. */
ORDO_API uint64_t ordo_network_list(const ordo_network *network, ordo_comparator *comparators,
                                    uint64_t capacity);

/* ---- Running on the host ------------------------------------------------------------------- */

/*
 * Run comparators, one after the other, or a whole network on keys in host memory, in place. keys
 * holds a key for every wire, wire 0 first, of a type of ordo_plan.h; keys are compared in its
 * total order, the other way round for ORDO_DESCENDING, and equal ones are not exchanged.
 * ORDO_INVALID, with keys unchanged: a NULL (but comparators may be NULL if count is 0, keys if
 * wire_count is 0), an unknown enum value, a comparator whose wires are the same or not both below
 * wire_count.
 */
ORDO_API ordo_status ordo_comparators_apply(const ordo_comparator *comparators, uint64_t count,
                                            uint32_t wire_count, ordo_type type, ordo_order order,
                                            void *keys);
ORDO_API ordo_status ordo_network_apply(const ordo_network *network, ordo_type type,
                                        ordo_order order, void *keys);

/* ---- Verifying ----------------------------------------------------------------------------- */

/* The most wires whose 2^n inputs are all tried, and the most whose merges are. */
#define ORDO_VERIFY_WIRES 24
#define ORDO_VERIFY_MERGE_WIRES 65536

/* What a verification found. Where sorts is true the rest is 0. */
typedef struct ordo_verdict {
    bool sorts;
    /* The least input that comes out unsorted, as a number whose bit i is the zero or one on wire
       i, and what comes out, in the same way. Sorted is: zeros on the first wires, ones on the
       last. */
    uint32_t input;
    uint32_t output;
} ordo_verdict;

/*
 * Whether comparators sort every input, by the zero-one principle: all 2^wire_count inputs of zeros
 * and ones are run, 64 to a word. wire_count is at most ORDO_VERIFY_WIRES: ordo's networks of 16
 * wires take less than a tenth of a millisecond, those of 24 less than a tenth of a second.
 * ORDO_INVALID, with a verdict of zeros: a NULL (but comparators may be NULL if count is 0), too
 * many wires, or a comparator as in ordo_comparators_apply.
 */
ORDO_API ordo_status ordo_comparators_verify(const ordo_comparator *comparators, uint64_t count,
                                             uint32_t wire_count, ordo_verdict *verdict);

/* What a verification of merges found. */
typedef struct ordo_merge_verdict {
    bool sorts;
    uint64_t input_count; /* inputs of zeros and ones that were found to come out sorted */
    /* Where sorts is false, one that does not: on the wires from first_wire on, a sorted run of
       low_length wires that ends with low_ones ones, then one of high_length that ends with
       high_ones, at the start of this stage. Else 0. */
    uint32_t stage;
    uint32_t first_wire;
    uint32_t low_length, high_length;
    uint32_t low_ones, high_ones;
} ordo_merge_verdict;

/*
 * The same for networks too large for all inputs: every merge of every stage is run on all pairs of
 * sorted runs of zeros and ones, which is all that the stage before can leave. Two runs of m wires
 * have (m + 1)^2 such inputs; m + 1 inputs of distinct keys stand for them all, since what sorts
 * one of those also sorts each input that has ones in place of its greatest keys and zeros in place
 * of the others. Time grows with the square of wire_count times its logarithm: 4,096 wires take
 * about a tenth of a second, ORDO_VERIFY_MERGE_WIRES, the most there may be, about a minute.
 * workspace is 2 * wire_count words. ORDO_INVALID, with a verdict of zeros: a NULL, an unknown
 * kind, too many wires.
 */
ORDO_API ordo_status ordo_network_verify_merges(const ordo_network *network, uint32_t *workspace,
                                                ordo_merge_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
