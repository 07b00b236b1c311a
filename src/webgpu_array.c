/* SPDX-License-Identifier: MIT */
/*
 * webgpu_array.c: run a plan on host arrays: upload, run, download, wait.
 *
 *     ordo_sort_array    keys   -> device buffer -> sorted -> staging buffer -> keys
 *                        values -> device buffer -> moved  -> staging buffer -> values
 *     ordo_run_arrays    an input -> device buffer;    device buffer -> staging buffer -> an output
 *
 * Host arrays are written only after every download has succeeded.
 */
#include "webgpu_internal.h"

#include <string.h>

/* One host array and its buffers. An absent array has size_bytes 0. */
typedef struct array_column {
    const char *name;
    const void *upload; /* NULL: nothing to upload */
    void *download;     /* NULL: nothing to download */
    uint64_t size_bytes;
    ordo_buffer *arg; /* that the device buffer is for, in the job's args */
    WGPUBuffer device, staging;
    WGPUMapAsyncStatus map_status;
    bool mapped; /* the answer has come, whatever it is */
} array_column;

enum { MAX_COLUMNS = ORDO_SLOT_COUNT - 1 }; /* one a slot, but for scratch */

typedef struct array_job {
    ordo_context *context;
    ordo_plan *plan;
    ordo_args args;
    uint32_t column_count;
    array_column columns[MAX_COLUMNS];
} array_job;

static void create_column(array_job *job, array_column *c) {
    if (!c->size_bytes) {
        return;
    }
    c->device = ordo_create_buffer(job->context, c->name, c->size_bytes,
                                   WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst |
                                       WGPUBufferUsage_CopySrc);
    c->arg->buffer = c->device;
    if (c->download) {
        c->staging = ordo_create_buffer(job->context, c->name, c->size_bytes,
                                        WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    }
    if (c->upload) {
        wgpuQueueWriteBuffer(job->context->queue, c->device, 0, c->upload, c->size_bytes);
    }
}

static void release_column(array_column *c) {
    if (c->device) {
        wgpuBufferRelease(c->device);
    }
    if (c->staging) {
        wgpuBufferRelease(c->staging);
    }
}

/* Record the plan and the copies. The caller releases *commands, also after a failure. */
static ordo_status record(array_job *job, WGPUCommandBuffer *commands) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(job->context->device, NULL);
    ordo_status status = ordo_encode(job->plan, encoder, &job->args);
    for (uint32_t i = 0; i < job->column_count; i++) {
        const array_column *c = &job->columns[i];
        if (c->staging) {
            wgpuCommandEncoderCopyBufferToBuffer(encoder, c->device, 0, c->staging, 0,
                                                 c->size_bytes);
        }
    }
    *commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    return status;
}

static void buffer_mapped(WGPUMapAsyncStatus status, WGPUStringView text, void *user,
                          void *unused) {
    array_column *c = user;
    (void)text;
    (void)unused;
    c->map_status = status;
    c->mapped = true;
}

/* Map what downloads, after all work before it. Returns the address, NULL if it cannot be, or if
   the work does not end in time. */
static const void *map_column(array_job *job, array_column *c) {
    wgpuBufferMapAsync(c->staging, WGPUMapMode_Read, 0, c->size_bytes,
                       (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                   .callback = buffer_mapped,
                                                   .userdata1 = c});
    if (!ordo_wait_for(job->context->instance, &c->mapped, job->context->limit_ms)) {
        job->context->stalled_ms = job->context->limit_ms;
        /* WebGPU cannot stop the work, but unmapping brings the callback, which must not come when
           the column has gone. */
        wgpuBufferUnmap(c->staging);
        ordo_wait(job->context->instance, &c->mapped);
        return NULL;
    }
    return c->map_status == WGPUMapAsyncStatus_Success
               ? wgpuBufferGetConstMappedRange(c->staging, 0, c->size_bytes)
               : NULL;
}

/* Submit, wait, and copy to the host, which is last so that a failure leaves the arrays alone. */
static ordo_status submit(array_job *job, WGPUCommandBuffer commands, uint64_t size_bytes) {
    const void *mapped[MAX_COLUMNS] = {NULL};
    const array_column *lost = NULL;
    ordo_checks_begin(job->context);
    wgpuQueueSubmit(job->context->queue, 1, &commands);
    for (uint32_t i = 0; i < job->column_count && !lost; i++) {
        array_column *c = &job->columns[i];
        mapped[i] = c->staging ? map_column(job, c) : NULL;
        lost = c->staging && !mapped[i] ? c : NULL;
    }
    ordo_status status = ordo_checks_end(job->context, "the resulting arrays", size_bytes);
    if (lost && status == ORDO_OK) {
        status = ordo_fail(job->context, ORDO_MESSAGE_DEVICE_LOST, &(ordo_report){.s = lost->name});
    }
    if (job->context->stalled_ms) {
        status = ordo_fail_if_stalled(job->context);
    }
    for (uint32_t i = 0; i < job->column_count && status == ORDO_OK; i++) {
        if (mapped[i]) {
            memcpy(job->columns[i].download, mapped[i], job->columns[i].size_bytes);
        }
    }
    return status;
}

static ordo_status run_in_buffers(array_job *job) {
    uint64_t size_bytes = 0;
    ordo_checks_begin(job->context);
    for (uint32_t i = 0; i < job->column_count; i++) {
        create_column(job, &job->columns[i]);
        size_bytes += job->columns[i].size_bytes;
    }
    ordo_status status = ordo_checks_end(job->context, "the arrays", size_bytes);
    if (status != ORDO_OK) {
        return status;
    }
    /* wgpu-native aborts when commands that hold an error are submitted, so look first. */
    WGPUCommandBuffer commands;
    ordo_checks_begin(job->context);
    status = record(job, &commands);
    ordo_status seen = ordo_checks_end(job->context, "the work on arrays", size_bytes);
    status = seen == ORDO_OK ? status : seen;
    status = status == ORDO_OK ? submit(job, commands, size_bytes) : status;
    wgpuCommandBufferRelease(commands);
    return status;
}

static ordo_status run(array_job *job) {
    ordo_status status = run_in_buffers(job);
    ordo_plan_unbind(job->plan);
    for (uint32_t i = 0; i < job->column_count; i++) {
        release_column(&job->columns[i]);
    }
    return status;
}

static bool overlap(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
    uintptr_t a_first = (uintptr_t)a, b_first = (uintptr_t)b;
    return a_first < b_first + b_bytes && b_first < a_first + a_bytes;
}

/* ---- Sorts ---- */

static ordo_status check_array(ordo_context *context, const ordo_sort_desc *desc, const void *keys,
                               const void *values) {
    bool has_values = desc->value_bytes || desc->argsort;
    if (!context->instance) {
        return ordo_fail(context, ORDO_MESSAGE_NO_INSTANCE, &(ordo_report){.s = "the sort"});
    }
    if (desc->in_place || desc->caller_scratch) {
        return ordo_fail(context, ORDO_MESSAGE_ARRAY_FLAG,
                         &(ordo_report){.s = desc->in_place ? "in_place" : "caller_scratch"});
    }
    if (desc->max_count && (!keys || (has_values && !values))) {
        return ordo_fail(context, ORDO_MESSAGE_ARRAY_NULL,
                         &(ordo_report){.s = keys ? "values" : "keys", .a = desc->max_count});
    }
    uint64_t key_bytes = desc->max_count * ordo_key_bytes(desc);
    uint64_t value_bytes = desc->max_count * (desc->argsort ? 4 : desc->value_bytes);
    if (has_values && overlap(keys, key_bytes, values, value_bytes)) {
        return ordo_fail(context, ORDO_MESSAGE_ARRAY_OVERLAP, &(ordo_report){0});
    }
    if (values && !has_values) {
        return ordo_fail(context, ORDO_MESSAGE_ARRAY_UNUSED, &(ordo_report){0});
    }
    return ORDO_OK;
}

ordo_status ordo_sort_array(ordo_context *context, const ordo_sort_desc *desc, void *keys,
                            void *values) {
    if (!context) {
        return ORDO_INVALID;
    }
    if (!desc) {
        return ordo_fail(context, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "desc"});
    }
    /* The planner first: it bounds max_count, so that sizes below cannot wrap. */
    ordo_summary summary;
    ordo_status status = ordo_sort_steps(&context->caps, desc, NULL, 0, &summary);
    if (status != ORDO_OK) {
        memcpy(context->message, summary.message, sizeof summary.message);
        return status;
    }
    status = check_array(context, desc, keys, values);
    if (status != ORDO_OK) {
        return status;
    }
    ordo_sort_desc on_device = *desc;
    on_device.in_place = !desc->argsort;
    array_job job = {.context = context, .column_count = 2};
    status = ordo_sort_plan(context, &on_device, &job.plan);
    if (status == ORDO_OK && desc->max_count) {
        uint64_t value_bytes = desc->argsort ? 4 : desc->value_bytes;
        job.columns[0] = (array_column){.name = "keys",
                                        .upload = keys,
                                        .download = desc->argsort ? NULL : keys,
                                        .size_bytes = desc->max_count * ordo_key_bytes(desc),
                                        .arg = &job.args.in};
        job.columns[1] =
            (array_column){.name = "values",
                           .upload = desc->argsort ? NULL : values,
                           .download = values,
                           .size_bytes = desc->max_count * value_bytes,
                           .arg = desc->argsort ? &job.args.values_out : &job.args.values_in};
        status = run(&job);
    }
    ordo_plan_release(job.plan);
    return status;
}

/* ---- Any plan ---- */

/* With idle, a plan of no elements, arrays may be given though not used. */
static ordo_status check_columns(const array_job *job, bool idle) {
    for (uint32_t i = 0; i < job->column_count; i++) {
        const array_column *a = &job->columns[i];
        bool given = a->upload || a->download;
        if (a->size_bytes ? !given : given && !idle) {
            return ordo_fail(job->context,
                             given ? ORDO_MESSAGE_ARRAYS_UNUSED : ORDO_MESSAGE_ARRAYS_NULL,
                             &(ordo_report){.s = a->name, .a = a->size_bytes});
        }
        for (uint32_t j = 0; j < i; j++) {
            const array_column *b = &job->columns[j];
            const void *first_a = a->upload ? a->upload : a->download;
            const void *first_b = b->upload ? b->upload : b->download;
            if ((a->download || b->download) &&
                overlap(first_a, a->size_bytes, first_b, b->size_bytes)) {
                return ordo_fail(job->context, ORDO_MESSAGE_ARRAYS_OVERLAP,
                                 &(ordo_report){.s = b->name, .t = a->name});
            }
        }
    }
    return ORDO_OK;
}

/* Whether the plan has inputs and no outputs. */
static bool is_in_place(const ordo_summary *summary) {
    const uint64_t *bytes = summary->slot_bytes;
    return bytes[ORDO_SLOT_IN] && !bytes[ORDO_SLOT_OUT] && !bytes[ORDO_SLOT_VALUES_OUT];
}

ordo_status ordo_run_arrays(ordo_plan *plan, const ordo_arrays *arrays) {
    if (!plan) {
        return ORDO_INVALID;
    }
    array_job job = {.context = ordo_plan_context(plan), .plan = plan, .column_count = MAX_COLUMNS};
    const ordo_summary *summary = ordo_plan_info(plan);
    const uint64_t *bytes = summary->slot_bytes;
    if (!arrays) {
        return ordo_fail(job.context, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "arrays"});
    }
    if (!job.context->instance) {
        return ordo_fail(job.context, ORDO_MESSAGE_NO_INSTANCE,
                         &(ordo_report){.s = "work on arrays"});
    }
    if (ordo_plan_has_caller_scratch(plan) || is_in_place(summary)) {
        return ordo_fail(job.context, ORDO_MESSAGE_ARRAY_FLAG,
                         &(ordo_report){.s = is_in_place(summary) ? "in_place" : "caller_scratch"});
    }
    const array_column columns[MAX_COLUMNS] = {
        {"in", arrays->in, NULL, bytes[ORDO_SLOT_IN], .arg = &job.args.in},
        {"values_in", arrays->values_in, NULL, bytes[ORDO_SLOT_VALUES_IN],
         .arg = &job.args.values_in},
        {"edges", arrays->edges, NULL, bytes[ORDO_SLOT_EDGES], .arg = &job.args.edges},
        {"out", NULL, arrays->out, bytes[ORDO_SLOT_OUT], .arg = &job.args.out},
        {"values_out", NULL, arrays->values_out, bytes[ORDO_SLOT_VALUES_OUT],
         .arg = &job.args.values_out},
        {"starts", NULL, arrays->starts, bytes[ORDO_SLOT_STARTS], .arg = &job.args.starts},
    };
    memcpy(job.columns, columns, sizeof columns);
    if (!summary->step_count) {
        return ORDO_OK;
    }
    ordo_status status = check_columns(&job, bytes[ORDO_SLOT_IN] == 0);
    if (status == ORDO_OK) {
        status = ordo_fail_if_stalled(job.context);
    }
    return status == ORDO_OK ? run(&job) : status;
}
