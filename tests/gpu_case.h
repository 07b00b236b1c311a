/* SPDX-License-Identifier: MIT */
/*
 * gpu_case.h: run a primitive on a real device and compare every byte of every buffer.
 *
 * A rig is the device of the tests, on the tier that ORDO_TEST_TIER names. A sort_case or fold_case
 * (a scan or a reduce) is one encode with its buffers. Each range lies at an aligned offset inside
 * something larger, and what lies around it is canary words: after the run the whole buffers are
 * compared with what they must hold, so a stray write anywhere is seen. Results are also checked on
 * their own, without the model: order, permutation, ties.
 *
 *     buffer    | canary | range: elements in play | elements past the count | canary |
 *               0        ^ offset_bytes
 */
#ifndef ORDO_TESTS_GPU_CASE_H
#define ORDO_TESTS_GPU_CASE_H

#include "distribution.h"
#include "gpu.h"
#include "model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- The device ------------------------------------------------------------------------------ */

typedef enum tier {
    TIER_DEFAULT, /* WebGPU's guaranteed limits, no subgroups */
    TIER_ALL,     /* everything that the adapter gives */
} tier;

typedef struct rig {
    gpu device;
    ordo_context *context;
} rig;

/* The tier of this process: ORDO_TEST_TIER is "default" or "all". */
tier rig_tier(void);
/* Opens a device on a tier, or fails the test: of the software adapter, or of the best one if
   ORDO_TEST_ADAPTER is "any". */
void rig_open(rig *r, tier which);
void rig_close(rig *r);

/* cmocka's group set-up and tear-down: *state becomes a rig of the process's tier. */
int rig_setup(void **state);
int rig_teardown(void **state);
/* After each test: fails if the device reported any error, and forgets it. */
int rig_check(void **state);
#define rig_test(test) cmocka_unit_test_teardown(test, rig_check)

/* A context on the rig's device with these caps. */
ordo_context *rig_context(rig *r, const ordo_caps *caps);

/* The rig with a context that plans as for a GPU on any adapter: loops are written out. The context
   is to be released. */
rig rig_as_gpu(rig *r);

/* A context on the rig's device whose plans use at most max_groups workgroups a dimension, so that
   few elements need a second one. */
ordo_context *rig_narrow_context(rig *r, uint32_t max_groups);

WGPUCommandEncoder rig_encoder(rig *r);

/* Runs a shader of one's own, entry point `run`, over words at binding 0 of group 0. */
void rig_run_shader(rig *r, const char *wgsl, uint32_t *words, uint64_t bytes, uint32_t groups);

/* How many invocations a subgroup has, as a shader counts them: adapters need not tell. */
uint32_t rig_lanes(rig *r);

/* ---- Memory with a host image ---------------------------------------------------------------- */

/* A buffer, and the bytes that it should hold. */
typedef struct memory {
    WGPUBuffer buffer;
    uint64_t bytes;
    unsigned char *image;
} memory;

/* An image of canary words; upload makes the buffer. */
memory memory_make(uint64_t bytes);
void memory_upload(rig *r, memory *m);
/* Reads the buffer back: fails with `what` and the place of the first byte that differs. */
void memory_compare(rig *r, const memory *m, const char *what);
void memory_free(memory *m);

/* ---- Sorts ----------------------------------------------------------------------------------- */

typedef enum count_use {
    COUNT_HOST,  /* args.count is not given */
    COUNT_GIVEN, /* gpu_count is in a buffer */
} count_use;

typedef enum scratch_use {
    SCRATCH_OWN,      /* the plan makes its scratch */
    SCRATCH_ONES,     /* the caller's, filled with 0xffffffff */
    SCRATCH_PATTERN,  /* the caller's, filled with 0xa5a5a5a5 */
    SCRATCH_LEFTOVER, /* the caller's, with what a sort of another size left in it */
} scratch_use;

enum { VALUE_BIAS = 16777216 };

typedef struct sort_case {
    /* Set by the test. */
    ordo_sort_desc desc; /* max_count keys are made */
    distribution shape;
    uint64_t seed;
    const void *given_keys; /* not NULL: these instead of made ones */
    count_use count_use;
    uint32_t gpu_count;
    bool one_buffer; /* all ranges lie in one buffer */
    scratch_use scratch;
    ordo_context *context; /* NULL: the rig's */

    /* Set by sort_begin. */
    ordo_plan *plan;
    ordo_args args;
    memory memories[5]; /* in, out, values_in, values_out, count; all ranges in [0] if one_buffer */
    memory scratch_memory;
    void *keys, *values;                 /* as they were made */
    uint64_t keys_at, values_at;         /* bytes into the memories where the results are */
    uint32_t keys_memory, values_memory; /* which memories those are */
} sort_case;

/* Plans and fills buffers; record the case into an encoder, as often as wanted if out of place;
   after the submit, read everything back, check and free. */
void sort_begin(rig *r, sort_case *c);
void sort_encode(sort_case *c, WGPUCommandEncoder encoder);
void sort_end(rig *r, sort_case *c);
/* All of it, in an encoder of its own. */
void sort_check(rig *r, sort_case c);

/* The elements that the case sorts. */
uint64_t sort_count(const sort_case *c);
/* Value i, word w of the values that cases carry: word 0 tells the index. */
uint32_t sort_value_word(uint64_t index, uint32_t word);

/* ---- Scans and reduces ----------------------------------------------------------------------- */

/* Changes of a kernel's text: each words[i][0] becomes words[i][1]. */
typedef struct kernel_edit {
    const char *kernel; /* in the label of its modules */
    const char *words[2][2];
    uint32_t count;
    uint32_t modules; /* that were changed */
} kernel_edit;

/* For ordo_context_desc.create_shader_module, with a kernel_edit as the user. Fails if the kernel
   has none of the words. */
WGPUShaderModule edited_module(void *user, WGPUDevice device, const char *label, const char *wgsl);

typedef struct fold_case {
    bool reduce;           /* else a scan */
    ordo_scan_desc desc;   /* of a reduce the fields it shares */
    const uint32_t *items; /* max_count of them */
    count_use count_use;
    uint32_t gpu_count;
    ordo_context *context; /* NULL: the rig's */
    uint32_t *result;      /* not NULL: receives the result, max_count items or one */
} fold_case;

void fold_check(rig *r, const fold_case *c);

#endif
