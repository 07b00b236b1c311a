/* SPDX-License-Identifier: MIT */
/* plan_desc.h: what `ordo plan` is asked: a primitive, and its description by options. */
#ifndef ORDO_CLI_PLAN_DESC_H
#define ORDO_CLI_PLAN_DESC_H

#include "ordo_plan.h"

typedef enum primitive {
    PRIMITIVE_SORT,
    PRIMITIVE_SCAN,
    PRIMITIVE_REDUCE,
    PRIMITIVE_HISTOGRAM,
    PRIMITIVE_COUNTING_SORT,
    PRIMITIVE_GRID,
    PRIMITIVE_TOP_K,
    PRIMITIVE_COUNT
} primitive;

/* "sort", "counting-sort" and so on. */
extern const char *const primitive_names[PRIMITIVE_COUNT];

/* What the options say. The fields that descs share are those of sort: max_count, key, value_bytes,
   argsort, in_place, the window, row_length. */
typedef struct plan_options {
    primitive primitive;
    bool has_count;
    bool json;
    const char *tuning; /* NULL: none */
    ordo_sort_desc sort;
    ordo_op op;     /* of scan and reduce */
    bool inclusive; /* of scan */
    ordo_histogram_desc histogram;
    ordo_counting_sort_desc counting_sort;
    ordo_grid_desc grid;
    ordo_top_k_desc top_k;
} plan_options;

/* A usage error ends the program, and so does --help. */
plan_options plan_parse(int argc, char **argv);

/* Asks the primitive's planner. */
ordo_status plan_ask(const plan_options *o, ordo_step *steps, uint32_t capacity,
                     ordo_summary *summary);

/* Whether the primitive has elements of one type, --key. */
bool primitive_has_key(primitive p);

#endif
