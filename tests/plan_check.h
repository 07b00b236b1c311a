/* SPDX-License-Identifier: MIT */
/*
 * plan_check.h: what must hold of every plan, checked on the list of steps alone.
 *
 * A problem is one planner with its capabilities and its description. plan_problem_read makes one
 * from arbitrary bytes, so that random tests and the fuzzer draw from the same space, absurd sizes
 * and forbidden values included; plan_check plans it and verifies every promise of ordo_plan.h that
 * does not need a GPU.
 */
#ifndef ORDO_TESTS_PLAN_CHECK_H
#define ORDO_TESTS_PLAN_CHECK_H

#include "ordo_plan.h"
#include "step_number.h"

#include <stddef.h>

typedef enum plan_primitive {
    PLAN_SORT,
    PLAN_SCAN,
    PLAN_REDUCE,
    PLAN_HISTOGRAM,
    PLAN_COUNTING_SORT,
    PLAN_GRID,
    PLAN_TOP_K,
} plan_primitive;

enum { PLAN_PRIMITIVES = PLAN_TOP_K + 1 };

typedef struct plan_problem {
    plan_primitive primitive;
    bool no_caps; /* the planner is given NULL */
    ordo_caps caps;
    ordo_sort_desc sort; /* the desc of the primitive; the others are not looked at */
    ordo_scan_desc scan;
    ordo_reduce_desc reduce;
    ordo_histogram_desc histogram;
    ordo_counting_sort_desc counting;
    ordo_grid_desc grid;
    ordo_top_k_desc top_k;
} plan_problem;

/* The bits 1 << ordo_method that caps.rejected_methods may have. */
enum { PLAN_ALL_METHODS = (2 << ORDO_METHOD_ONESWEEP) - 2 };

/* The max_count of the problem's desc. */
uint64_t *plan_max_count(plan_problem *problem);

/* Calls the problem's planner. */
ordo_status plan_steps(const plan_problem *problem, ordo_step *steps, uint32_t capacity,
                       ordo_summary *summary);

/* Makes a problem out of bytes; those past the end read as 0. A caps.tuning is valid until the next
   call. */
plan_problem plan_problem_read(const uint8_t *bytes, size_t size);

/* The capabilities with WebGPU's defaults in place of zeros. */
ordo_caps plan_effective_caps(const plan_problem *problem);
/* Whether a sort's scratch is what the most demanding of the methods would take. */
bool plan_reserves(const plan_problem *problem);

/* Plans the problem in all ways and checks the outcome, be it steps or a refusal. NULL: all is
   well, else what is wrong, valid until the next call. *status, if not NULL, is the planner's. */
const char *plan_check(const plan_problem *problem, ordo_status *status);

/* A part of plan_check: a printed text, valid until the next but three. */
const char *complain(const char *format, ...);

/* Of sorts: the bits that are compared; whether the method follows from the desc. Of sorts by
   networks: whether a step belongs to the network itself; all that plan_check_network.c knows. */
uint32_t plan_window_bits(const ordo_sort_desc *desc);
const char *plan_check_method(const plan_problem *problem, const ordo_summary *summary);
bool plan_is_network_step(const ordo_step *step);
const char *plan_check_network(const plan_problem *problem, const ordo_step *steps,
                               const ordo_summary *summary);

/* The same of a sort from the most significant digit down: plan_check_msd.c. */
bool plan_is_msd_step(const ordo_step *step);
const char *plan_check_msd(const plan_problem *problem, const ordo_step *steps,
                           const ordo_summary *summary);

/* The same of a sample sort: plan_check_sample.c. */
const char *plan_check_sample(const plan_problem *problem, const ordo_step *steps,
                              const ordo_summary *summary);

/* The same of a radix sort of one pass a digit: plan_check_onesweep.c. */
bool plan_is_onesweep_step(const ordo_step *step);
const char *plan_check_onesweep(const plan_problem *problem, const ordo_step *steps,
                                const ordo_summary *summary);

/* Of arrays bound in windows, and radix sorts: plan_check_windows.c. Whether a step binds windows;
   the elements of its own, all of them if it has none; `share` is what a workgroup takes. The most
   windows of an array; 0: all are bound as a whole. */
bool plan_is_windowed(const ordo_step *step);
uint64_t plan_window_elements(const ordo_step *step, uint64_t share);
uint32_t plan_count_windows(const ordo_step *steps, uint32_t count);
const char *plan_check_windows(const plan_problem *problem, const ordo_step *steps,
                               const ordo_summary *summary);

/* What caps.tuning sets a name to; `otherwise` if it does not. */
uint32_t plan_told(const ordo_caps *caps, const char *name, uint32_t otherwise);

/* Whether a desc keeps the rules of its comments. Either: the comments leave it open. Sorts, scans
   and reduces are either. */
typedef enum plan_rule { PLAN_EITHER, PLAN_GOOD, PLAN_BAD } plan_rule;
plan_rule plan_desc_rule(const plan_problem *problem);

/* What the slots of a histogram, counting sort, grid or top-k hold, but for scratch. */
void plan_third_slots(const plan_problem *problem, uint64_t bytes[ORDO_SLOT_COUNT]);

/* Whether the step is of a kernel that shares work out in a way of its own; *wrong: what that
   leaves out, or NULL. */
bool plan_third_cover(const ordo_step *step, const char **wrong);

/* The problem as C text, for reports; valid until the next call. */
const char *plan_describe(const plan_problem *problem);

#endif
