/* SPDX-License-Identifier: MIT */
/*
 * webgpu_array.c: sort host arrays: upload, sort in place on the device, download, wait.
 *
 *     keys   -> device buffer -> sorted -> staging buffer -> keys
 *     values -> device buffer -> moved  -> staging buffer -> values      (argsort: no upload)
 *
 * Host arrays are written only after every download has succeeded.
 */
#include "webgpu_internal.h"

#include <string.h>

/* One host array and its buffers. An absent array has size_bytes 0. */
typedef struct array_column {
    const char *name;
    void *host;
    uint64_t size_bytes;
    bool uploads, downloads;
    WGPUBuffer device, staging;
    WGPUMapAsyncStatus map_status;
    bool mapped; /* the answer has come, whatever it is */
} array_column;

typedef struct array_sort {
    ordo_context *context;
    ordo_plan *plan;
    array_column keys, values;
} array_sort;

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
    uintptr_t first_key = (uintptr_t)keys, first_value = (uintptr_t)values;
    uint64_t key_bytes = desc->max_count * ordo_key_bytes(desc);
    uint64_t value_bytes = desc->max_count * (desc->argsort ? 4 : desc->value_bytes);
    if (has_values && first_key < first_value + value_bytes &&
        first_value < first_key + key_bytes) {
        return ordo_fail(context, ORDO_MESSAGE_ARRAY_OVERLAP, &(ordo_report){0});
    }
    if (values && !has_values) {
        return ordo_fail(context, ORDO_MESSAGE_ARRAY_UNUSED, &(ordo_report){0});
    }
    return ORDO_OK;
}

static void create_column(array_sort *sort, array_column *c) {
    if (!c->size_bytes) {
        return;
    }
    c->device = ordo_create_buffer(sort->context, c->name, c->size_bytes,
                                   WGPUBufferUsage_Storage | WGPUBufferUsage_CopyDst |
                                       WGPUBufferUsage_CopySrc);
    if (c->downloads) {
        c->staging = ordo_create_buffer(sort->context, c->name, c->size_bytes,
                                        WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    }
    if (c->uploads) {
        wgpuQueueWriteBuffer(sort->context->queue, c->device, 0, c->host, c->size_bytes);
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

static void copy_to_staging(WGPUCommandEncoder encoder, const array_column *c) {
    if (c->staging) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, c->device, 0, c->staging, 0, c->size_bytes);
    }
}

/* Record the sort and the copies. The caller releases *commands, also after a failure. */
static ordo_status record(array_sort *sort, WGPUCommandBuffer *commands) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(sort->context->device, NULL);
    ordo_args args = {.in = {sort->keys.device, 0}};
    if (sort->keys.downloads) {
        args.values_in.buffer = sort->values.device;
    } else {
        args.values_out.buffer = sort->values.device;
    }
    ordo_status status = ordo_encode(sort->plan, encoder, &args);
    copy_to_staging(encoder, &sort->keys);
    copy_to_staging(encoder, &sort->values);
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

/* Map what downloads, after all work before it. Returns the address, NULL if it cannot be. */
static const void *map_column(array_sort *sort, array_column *c) {
    wgpuBufferMapAsync(c->staging, WGPUMapMode_Read, 0, c->size_bytes,
                       (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                   .callback = buffer_mapped,
                                                   .userdata1 = c});
    ordo_wait(sort->context->instance, &c->mapped);
    return c->map_status == WGPUMapAsyncStatus_Success
               ? wgpuBufferGetConstMappedRange(c->staging, 0, c->size_bytes)
               : NULL;
}

/* Submit, wait, and copy to the host, which is last so that a failure leaves the arrays alone. */
static ordo_status submit(array_sort *sort, WGPUCommandBuffer commands, uint64_t size_bytes) {
    array_column *columns[] = {&sort->keys, &sort->values};
    const void *mapped[2] = {NULL, NULL};
    const array_column *lost = NULL;
    ordo_checks_begin(sort->context);
    wgpuQueueSubmit(sort->context->queue, 1, &commands);
    for (int i = 0; i < 2 && !lost; i++) {
        mapped[i] = columns[i]->staging ? map_column(sort, columns[i]) : NULL;
        lost = columns[i]->staging && !mapped[i] ? columns[i] : NULL;
    }
    ordo_status status = ordo_checks_end(sort->context, "the sorted arrays", size_bytes);
    if (lost && status == ORDO_OK) {
        status =
            ordo_fail(sort->context, ORDO_MESSAGE_DEVICE_LOST, &(ordo_report){.s = lost->name});
    }
    for (int i = 0; i < 2 && status == ORDO_OK; i++) {
        if (mapped[i]) {
            memcpy(columns[i]->host, mapped[i], columns[i]->size_bytes);
        }
    }
    return status;
}

static ordo_status run(array_sort *sort) {
    uint64_t size_bytes = sort->keys.size_bytes + sort->values.size_bytes;
    ordo_checks_begin(sort->context);
    create_column(sort, &sort->keys);
    create_column(sort, &sort->values);
    ordo_status status = ordo_checks_end(sort->context, "the arrays", size_bytes);
    if (status != ORDO_OK) {
        return status;
    }
    /* wgpu-native aborts when commands that hold an error are submitted, so look first. */
    WGPUCommandBuffer commands;
    ordo_checks_begin(sort->context);
    status = record(sort, &commands);
    ordo_status seen = ordo_checks_end(sort->context, "the sort", size_bytes);
    status = seen == ORDO_OK ? status : seen;
    status = status == ORDO_OK ? submit(sort, commands, size_bytes) : status;
    wgpuCommandBufferRelease(commands);
    return status;
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
    array_sort sort = {.context = context};
    status = ordo_sort_plan(context, &on_device, &sort.plan);
    if (status == ORDO_OK && desc->max_count) {
        uint64_t value_bytes = desc->argsort ? 4 : desc->value_bytes;
        sort.keys = (array_column){.name = "keys",
                                   .host = keys,
                                   .size_bytes = desc->max_count * ordo_key_bytes(desc),
                                   .uploads = true,
                                   .downloads = !desc->argsort};
        sort.values = (array_column){.name = "values",
                                     .host = values,
                                     .size_bytes = desc->max_count * value_bytes,
                                     .uploads = !desc->argsort,
                                     .downloads = true};
        status = run(&sort);
        release_column(&sort.keys);
        release_column(&sort.values);
    }
    ordo_plan_release(sort.plan);
    return status;
}
