/* SPDX-License-Identifier: MIT */
/* kernels.h: the WGSL texts, generated from kernels/ by tools/embed.c. */
#ifndef ORDO_KERNELS_H
#define ORDO_KERNELS_H

#include "ordo_plan.h"

#include <stddef.h>

#define ORDO_MAX_USES 12

/* One file. A module is the file, its uses, and the line `const ITEMS`. */
typedef struct ordo_kernel {
    const char *name;                /* of the file, without .wgsl */
    const char *uses[ORDO_MAX_USES]; /* names of snippets; "lane" is lane_portable or lane_subgroup,
                                        "shuffle" likewise */
    const char *const *lines;        /* of the text, each with its line feed; ends with NULL */
} ordo_kernel;

extern const ordo_kernel ordo_kernels[];  /* ends with a NULL name */
extern const ordo_kernel ordo_snippets[]; /* likewise; without uses */

/* Write a step's WGSL and a final zero into out, unless that is NULL. Returns its length. With
   `enables` a module that uses subgroups says so in its first line. */
size_t ordo_compose(const ordo_step *step, bool enables, char *out);

#endif
