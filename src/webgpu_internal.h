/* SPDX-License-Identifier: MIT */
/*
 * webgpu_internal.h: what the files that call WebGPU share: the context, error scopes, waiting.
 *
 * Only src/webgpu*.c include this; everything else in the library is free of WebGPU.
 */
#ifndef ORDO_WEBGPU_INTERNAL_H
#define ORDO_WEBGPU_INTERNAL_H

#include "messages.h"
#include "ordo.h"

typedef struct ordo_module ordo_module;
typedef struct ordo_pipeline ordo_pipeline;

/* A layout with `n` ranges: uniform params, read-only count, n read-write storage buffers. */
typedef struct ordo_layout {
    WGPUBindGroupLayout group;
    WGPUPipelineLayout pipeline;
} ordo_layout;

struct ordo_context {
    uint32_t reference_count; /* the caller's and one a plan */
    WGPUInstance instance;    /* NULL: never wait */
    WGPUDevice device;
    WGPUQueue queue;
    ordo_context_desc desc; /* the callback, the subgroup use */
    ordo_caps caps;
    char *tuning;                             /* what caps.tuning is; NULL: none */
    ordo_layout layouts[ORDO_MAX_RANGES + 1]; /* by range count, made when first needed */
    ordo_module *modules;                     /* lists, newest first */
    ordo_pipeline *pipelines;
    uint32_t limit_ms; /* in the self-check: how long a run may take; else 0: as long as it likes */
    uint32_t stalled_ms; /* not 0: a run took longer than that, and the queue waits behind it */
    bool is_checked;     /* check and check_status are what the self-check came to */
    ordo_check check;
    ordo_status check_status;
    char message[ORDO_MESSAGE_BYTES];
};

/* Write the message into the context. Returns its status. */
ordo_status ordo_fail(ordo_context *context, ordo_message_id id, const ordo_report *report);

/* Copy the text, cut to ORDO_MESSAGE_BYTES, and end it with a zero. */
void ordo_copy_view(char *out, WGPUStringView text);

/* Process events, sleeping longer and longer in between, until *done. */
void ordo_wait(WGPUInstance instance, const bool *done);
/* The same, for limit_ms at most unless that is 0. Whether it is done. */
bool ordo_wait_for(WGPUInstance instance, const bool *done, uint32_t limit_ms);
/* Monotonic time. */
uint64_t ordo_now_us(void);

/* Fails if the device does not end what it was given: waiting for more would have no end. */
ordo_status ordo_fail_if_stalled(ordo_context *context);

/* Errors of the device between begin and end. Without an instance both do nothing, and the device's
   uncaptured-error callback hears of errors. */
void ordo_checks_begin(ordo_context *context);
/* Fails with DEVICE_MEMORY or DEVICE_REFUSED, naming `what` of `bytes`, if there was an error. */
ordo_status ordo_checks_end(ordo_context *context, const char *what, uint64_t bytes);

static inline WGPUStringView ordo_view(const char *text) {
    return (WGPUStringView){text, WGPU_STRLEN};
}

WGPUBuffer ordo_create_buffer(ordo_context *context, const char *label, uint64_t size_bytes,
                              WGPUBufferUsage usage);

/* What a plan was made with. */
ordo_context *ordo_plan_context(const ordo_plan *plan);
bool ordo_plan_has_caller_scratch(const ordo_plan *plan);
/* Whether both run the same pipelines on the same params, ranges and workgroups. */
bool ordo_plan_is_same(const ordo_plan *a, const ordo_plan *b);
/* Release the bind groups of the last encode and its buffers. */
void ordo_plan_unbind(ordo_plan *plan);

/* The pipeline of a step: one the context has, or a new one, with the layout of its range_count. */
ordo_status ordo_get_pipeline(ordo_context *context, const ordo_step *step,
                              WGPUComputePipeline *out);
/* Release the pipelines and modules made since the lists were these, and with the last of them the
   layouts. */
void ordo_drop_kernels(ordo_context *context, ordo_pipeline *pipelines, ordo_module *modules);

#endif
