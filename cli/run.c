/* SPDX-License-Identifier: MIT */
/*
 * run.c: see run.h. ordo_run_arrays of the library does the same as run_once, but tells no times.
 */
#include "run.h"

#include "cli.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- The GPU ------------------------------------------------------------------------------- */

void runner_fail(const runner *r, const char *problem) {
    if (r->g.error[0] != '\0')
        fail_on_gpu("%s: %s", problem, r->g.error);
    fail_on_gpu("%s", problem);
}

void runner_open(runner *r, const gpu_options *options) {
    char message[ORDO_MESSAGE_BYTES];
    *r = (runner){.context = NULL};
    progress("starting the GPU", 0, 0);
    noise_capture();
    if (!gpu_open(&r->g, options, message)) {
        /* A name that fits no adapter is the user's slip, and no driver's. */
        if (options->adapter != NULL)
            fail("%s", message);
        fail_on_gpu("%s", message);
    }
    r->context = gpu_context(&r->g, message);
    if (r->context == NULL)
        fail("%s", message);
    if (!r->g.timestamps)
        return;
    WGPUQuerySetDescriptor query = {.type = WGPUQueryType_Timestamp, .count = 2};
    r->timestamps = wgpuDeviceCreateQuerySet(r->g.device, &query);
    r->ticks = gpu_buffer(&r->g, 2 * sizeof(uint64_t), WGPUBufferUsage_QueryResolve, NULL);
    if (r->ticks == NULL)
        runner_fail(r, "the adapter is out of memory");
}

void runner_close(runner *r) {
    if (r->ticks != NULL)
        wgpuBufferRelease(r->ticks);
    if (r->timestamps != NULL)
        wgpuQuerySetRelease(r->timestamps);
    ordo_context_release(r->context);
    gpu_close(&r->g);
}

run_stats runner_stats(const runner *r, const ordo_plan *plan) {
    run_stats stats = {
        .on_gpu = true,
        .subgroups = r->g.subgroups == ORDO_SUBGROUPS_OFF ? "off" : "on",
        .plan = *ordo_plan_info(plan),
        .has_gpu_seconds = r->timestamps != NULL,
    };
    snprintf(stats.adapter, sizeof stats.adapter, "%s", r->g.name);
    return stats;
}

void runner_run(runner *r, ordo_plan *plan, const ordo_args *args) {
    WGPUPassTimestampWrites writes = {
        .querySet = r->timestamps, .beginningOfPassWriteIndex = 0, .endOfPassWriteIndex = 1};
    ordo_args timed = *args;
    timed.timestamps = r->timestamps == NULL ? NULL : &writes;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(r->g.device, NULL);
    if (ordo_encode(plan, encoder, &timed) != ORDO_OK)
        runner_fail(r, ordo_message(r->context));
    if (r->timestamps != NULL)
        wgpuCommandEncoderResolveQuerySet(encoder, r->timestamps, 0, 2, r->ticks, 0);
    gpu_submit(&r->g, encoder);
    if (!gpu_wait(&r->g))
        runner_fail(r, "the GPU lost the work");
    if (r->g.error_count > 0)
        runner_fail(r, "the GPU refused the work");
}

void runner_add_time(runner *r, run_stats *stats) {
    uint64_t ticks[2];
    if (r->timestamps == NULL)
        return;
    /* Some drivers give zeros or an end before the beginning: that is no time. */
    if (!gpu_read(&r->g, r->ticks, 0, sizeof ticks, ticks) || ticks[1] <= ticks[0])
        stats->has_gpu_seconds = false;
    else
        stats->gpu_seconds += 1e-9 * r->g.timestamp_period_ns * (double)(ticks[1] - ticks[0]);
}

/* ---- One plan ------------------------------------------------------------------------------ */

/* A slot's host array and its buffer. */
typedef struct column {
    ordo_slot slot;
    const void *from; /* what is uploaded, or NULL */
    void *to;         /* where the result goes, or NULL */
    ordo_buffer *arg;
} column;

enum { COLUMN_COUNT = 6 };

/* Makes the buffers of the plan's slots, and fills those of inputs. */
static void upload(runner *r, const ordo_plan *plan, const column *columns) {
    const uint64_t *slot_bytes = ordo_plan_info(plan)->slot_bytes;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const column *c = &columns[i];
        const uint64_t bytes = slot_bytes[c->slot];
        if (bytes == 0)
            continue;
        c->arg->buffer = gpu_buffer(&r->g, bytes, 0, NULL);
        if (c->arg->buffer == NULL)
            runner_fail(r, "the adapter is out of memory");
        if (c->from != NULL)
            gpu_write(&r->g, c->arg->buffer, 0, c->from, bytes);
    }
}

static void download(runner *r, const ordo_plan *plan, const column *columns) {
    const uint64_t *slot_bytes = ordo_plan_info(plan)->slot_bytes;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const column *c = &columns[i];
        if (c->to != NULL && slot_bytes[c->slot] > 0 &&
            !gpu_read(&r->g, c->arg->buffer, 0, slot_bytes[c->slot], c->to))
            runner_fail(r, "the GPU does not give back the result");
    }
}

/* Runs the plan on no elements: it takes their number from a buffer. */
static void run_on_none(runner *r, ordo_plan *plan, ordo_args args) {
    const uint32_t none = 0;
    args.count.buffer = gpu_buffer(&r->g, sizeof none, 0, &none);
    if (args.count.buffer == NULL)
        runner_fail(r, "the adapter is out of memory");
    runner_run(r, plan, &args);
    wgpuBufferRelease(args.count.buffer);
}

void run_once(const gpu_options *options, bool warm_up, plan_maker *make, const void *desc,
              const ordo_arrays *arrays, run_stats *stats) {
    const double start = now_seconds();
    runner r;
    runner_open(&r, options);
    ordo_plan *plan;
    const ordo_status status = make(r.context, desc, &plan);
    if (status == ORDO_INVALID || status == ORDO_UNSUPPORTED)
        fail("%s", ordo_message(r.context)); /* no driver had a part in it */
    if (status != ORDO_OK)
        runner_fail(&r, ordo_message(r.context));

    ordo_args args = {.timestamps = NULL};
    const column columns[COLUMN_COUNT] = {
        {ORDO_SLOT_IN, arrays->in, NULL, &args.in},
        {ORDO_SLOT_VALUES_IN, arrays->values_in, NULL, &args.values_in},
        {ORDO_SLOT_EDGES, arrays->edges, NULL, &args.edges},
        {ORDO_SLOT_OUT, NULL, arrays->out, &args.out},
        {ORDO_SLOT_VALUES_OUT, NULL, arrays->values_out, &args.values_out},
        {ORDO_SLOT_STARTS, NULL, arrays->starts, &args.starts},
    };
    *stats = runner_stats(&r, plan);
    stats->device_seconds = now_seconds() - start;
    progress("working", 0, 0);
    upload(&r, plan, columns);
    if (warm_up) {
        if (!gpu_wait(&r.g)) /* the upload is no part of the warm-up's time */
            runner_fail(&r, "the GPU lost the work");
        const double begin = now_seconds();
        run_on_none(&r, plan, args);
        stats->device_seconds += now_seconds() - begin;
    }
    runner_run(&r, plan, &args);
    download(&r, plan, columns);
    stats->run_seconds = now_seconds() - start - stats->device_seconds;
    runner_add_time(&r, stats);

    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (columns[i].arg->buffer != NULL)
            wgpuBufferRelease(columns[i].arg->buffer);
    }
    ordo_plan_release(plan);
    runner_close(&r);
}

/* ---- Statistics ---------------------------------------------------------------------------- */

void print_adapter(const run_stats *s) {
    complain("adapter   %s, subgroups %s", s->adapter, s->subgroups);
}

void print_gpu_time(const run_stats *s, const char *what, const char *items, double count) {
    if (s->has_gpu_seconds)
        complain("GPU %-4s  %.6f s by the GPU's clock, %.1f million %s a second", what,
                 s->gpu_seconds, 1e-6 * count / s->gpu_seconds, items);
    else
        complain("GPU %-4s  n/a: the adapter has no usable timestamps", what);
}

void print_run(const run_stats *s, const char *items, uint64_t count, double read_seconds,
               double start) {
    const double whole_seconds = now_seconds() - start;
    if (!s->on_gpu) {
        complain("stats: %" PRIu64 " %s; no adapter used", count, items);
        return;
    }
    print_adapter(s);
    complain("plan      %" PRIu32 " steps, %.1f MiB of scratch", s->plan.step_count,
             (double)s->plan.scratch_bytes / 1048576);
    complain("time      %.3f s: reading %.3f, adapter and kernels %.3f, upload, run and download "
             "%.3f, rest %.3f",
             whole_seconds, read_seconds, s->device_seconds, s->run_seconds,
             whole_seconds - read_seconds - s->device_seconds - s->run_seconds);
    print_gpu_time(s, "run", items, (double)count);
    complain("overall   %.2f million %s a second", 1e-6 * (double)count / whole_seconds, items);
}
