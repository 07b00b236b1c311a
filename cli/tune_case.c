/* SPDX-License-Identifier: MIT */
/* tune_case.c: see tune_case.h. */
#include "tune_case.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a plan: what its time is taken from, after so long at work that the GPU's clock is up. */
#define WARM_SECONDS 0.02
#define MOST_SECONDS 0.5
enum { WARM_RUNS = 200, TIMED_RUNS = 9 };

typedef struct case_row {
    const char *name;
    tune_size size;
    bool scan;
    ordo_method method;
    uint32_t value_bytes;
} case_row;

static const case_row rows[CASE_COUNT] = {
    [CASE_KEYS] = {"keys", SIZE_LARGE, .method = ORDO_METHOD_MSD},
    [CASE_KEYS_MIDDLE] = {"keys", SIZE_MIDDLE, .method = ORDO_METHOD_MSD},
    [CASE_PAIRS] = {"pairs", SIZE_LARGE, .method = ORDO_METHOD_MSD, .value_bytes = 4},
    [CASE_PAIRS_MIDDLE] = {"pairs", SIZE_MIDDLE, .method = ORDO_METHOD_MSD, .value_bytes = 4},
    [CASE_RADIX] = {"radix", SIZE_LARGE, .method = ORDO_METHOD_RADIX},
    [CASE_ONESWEEP] = {"onesweep", SIZE_LARGE, .method = ORDO_METHOD_ONESWEEP},
    [CASE_ONESWEEP_PAIRS] = {"onesweep", SIZE_LARGE, .method = ORDO_METHOD_ONESWEEP,
                             .value_bytes = 4},
    [CASE_SAMPLE] = {"sample", SIZE_SMALL, .method = ORDO_METHOD_SAMPLE},
    [CASE_SAMPLE_PAIRS] = {"sample", SIZE_SMALL, .method = ORDO_METHOD_SAMPLE, .value_bytes = 4},
    [CASE_NETWORK] = {"network", SIZE_SMALL, .method = ORDO_METHOD_BITONIC},
    [CASE_SCAN] = {"scan", SIZE_LARGE, .scan = true},
};

const char *tune_case_name(tune_case c) { return rows[c].name; }
tune_size tune_case_size(tune_case c) { return rows[c].size; }
bool tune_case_has_values(tune_case c) { return rows[c].value_bytes > 0; }

/* ---- Data ---------------------------------------------------------------------------------- */

/* The indices that sort the keys stably: least significant digit first. */
static void sort_indices(const uint32_t *keys, uint32_t *order, uint32_t *spare, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        uint32_t places[257] = {0};
        for (uint32_t i = 0; i < count; i++)
            places[(keys[order[i]] >> shift) % 256 + 1]++;
        for (uint32_t digit = 1; digit < 257; digit++)
            places[digit] += places[digit - 1];
        for (uint32_t i = 0; i < count; i++)
            spare[places[(keys[order[i]] >> shift) % 256]++] = order[i];
        memcpy(order, spare, count * sizeof *order);
    }
}

static WGPUBuffer make_buffer(tuner *t, const tune_data *d, const void *data) {
    WGPUBuffer buffer = gpu_buffer(&t->r.g, 4 * (uint64_t)d->count, 0, data);
    if (buffer == NULL)
        runner_fail(&t->r, "the adapter is out of memory");
    return buffer;
}

/* Values are the indices, so sorted ones are the order. */
static void make_data(tuner *t, tune_data *d, uint32_t count) {
    uint32_t **const arrays[] = {&d->keys, &d->order, &d->result, &d->values_result};
    d->count = count;
    for (int i = 0; i < 4; i++)
        *arrays[i] = allocate(count, sizeof(uint32_t), "numbers to sort");
    uint64_t random = count;
    for (uint32_t i = 0; i < count; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        d->keys[i] = (uint32_t)(random >> 32);
        d->values_result[i] = i;
    }
    d->in = make_buffer(t, d, d->keys);
    d->values_in = make_buffer(t, d, d->values_result);
    d->out = make_buffer(t, d, NULL);
    d->values_out = make_buffer(t, d, NULL);
    sort_indices(d->keys, d->order, d->result, count);
}

void tuner_open(tuner *t, const gpu_options *options, const uint32_t counts[SIZE_COUNT],
                uint32_t cases) {
    *t = (tuner){.by_host = false};
    runner_open(&t->r, options);
    t->by_host = t->r.timestamps == NULL;
    progress("making numbers", 0, 0);
    for (int c = 0; c < CASE_COUNT; c++) {
        tune_data *d = &t->data[rows[c].size];
        if ((cases >> c & 1) && d->count == 0)
            make_data(t, d, counts[rows[c].size]);
    }
}

void tuner_close(tuner *t) {
    for (int i = 0; i < SIZE_COUNT; i++) {
        tune_data *d = &t->data[i];
        const WGPUBuffer buffers[] = {d->in, d->out, d->values_in, d->values_out};
        for (int b = 0; b < 4; b++) {
            if (buffers[b] != NULL)
                wgpuBufferRelease(buffers[b]);
        }
        free(d->keys);
        free(d->order);
        free(d->result);
        free(d->values_result);
    }
    runner_close(&t->r);
}

/* ---- Runs ---------------------------------------------------------------------------------- */

static ordo_args args_of(const tuner *t, int c) {
    const tune_data *d = &t->data[rows[c].size];
    ordo_args args = {.in.buffer = d->in, .out.buffer = d->out};
    if (rows[c].value_bytes > 0) {
        args.values_in.buffer = d->values_in;
        args.values_out.buffer = d->values_out;
    }
    return args;
}

/* Runs the plan, and says how long that took. The runner names the context in its messages. */
static double run_ms(tuner *t, const tune_shape *shape, int c) {
    const ordo_args args = args_of(t, c);
    ordo_context *own = t->r.context;
    run_stats stats = {.has_gpu_seconds = !t->by_host};
    t->r.context = shape->context;
    const double start = now_seconds();
    runner_run(&t->r, shape->plans[c], &args);
    const double host_seconds = now_seconds() - start;
    t->r.context = own;
    if (!t->by_host)
        runner_add_time(&t->r, &stats);
    t->by_host = !stats.has_gpu_seconds;
    return 1e3 * (t->by_host ? host_seconds : stats.gpu_seconds);
}

/* Results of an earlier run must not be taken for this one's. */
static void clear_results(tuner *t, const tune_data *d) {
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(t->r.g.device, NULL);
    wgpuCommandEncoderClearBuffer(encoder, d->out, 0, WGPU_WHOLE_SIZE);
    wgpuCommandEncoderClearBuffer(encoder, d->values_out, 0, WGPU_WHOLE_SIZE);
    gpu_submit(&t->r.g, encoder);
}

/* Whether what the GPU gives is what the host makes of the same data. */
static bool is_right(tuner *t, int c) {
    const tune_data *d = &t->data[rows[c].size];
    const uint64_t bytes = 4 * (uint64_t)d->count;
    const bool pairs = rows[c].value_bytes > 0;
    if (!gpu_read(&t->r.g, d->out, 0, bytes, d->result) ||
        (pairs && !gpu_read(&t->r.g, d->values_out, 0, bytes, d->values_result)))
        runner_fail(&t->r, "the GPU does not give back the result");
    uint32_t sum = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const uint32_t expected = rows[c].scan ? sum : d->keys[d->order[i]];
        if (d->result[i] != expected || (pairs && d->values_result[i] != d->order[i]))
            return false;
        sum += d->keys[i];
    }
    return true;
}

/* ---- Shapes -------------------------------------------------------------------------------- */

static ordo_status make_plan(const tuner *t, tune_shape *shape, int c) {
    const uint32_t count = t->data[rows[c].size].count;
    const ordo_sort_desc sort = {
        .max_count = count, .method = rows[c].method, .value_bytes = rows[c].value_bytes};
    const ordo_scan_desc scan = {.max_count = count};
    return rows[c].scan ? ordo_scan_plan(shape->context, &scan, &shape->plans[c])
                        : ordo_sort_plan(shape->context, &sort, &shape->plans[c]);
}

static tune_outcome open_plan(tuner *t, tune_shape *shape, int c) {
    const ordo_status status = make_plan(t, shape, c);
    snprintf(shape->problem, sizeof shape->problem, "%s", ordo_message(shape->context));
    if (status == ORDO_INVALID || status == ORDO_UNSUPPORTED)
        return TUNE_UNFIT;
    if (status == ORDO_OUT_OF_MEMORY || status == ORDO_DEVICE_LOST)
        runner_fail(&t->r, shape->problem);
    if (status != ORDO_OK)
        return TUNE_WRONG;
    clear_results(t, &t->data[rows[c].size]);
    (void)run_ms(t, shape, c);
    if (is_right(t, c))
        return TUNE_RIGHT;
    snprintf(shape->problem, sizeof shape->problem, "its %s come out wrong",
             rows[c].scan ? "sums" : "elements");
    return TUNE_WRONG;
}

tune_outcome tune_open(tuner *t, const char *tuning, uint32_t cases, tune_shape *shape) {
    const char *own = t->r.g.tuning;
    *shape = (tune_shape){.context = NULL};
    t->r.g.tuning = tuning;
    shape->context = gpu_context(&t->r.g, shape->problem);
    t->r.g.tuning = own;
    if (shape->context == NULL)
        return TUNE_UNFIT;
    tune_outcome outcome = TUNE_RIGHT;
    for (int c = 0; c < CASE_COUNT && outcome == TUNE_RIGHT; c++) {
        if (cases >> c & 1)
            outcome = open_plan(t, shape, c);
    }
    if (outcome != TUNE_RIGHT)
        tune_close(shape);
    return outcome;
}

void tune_close(tune_shape *shape) {
    for (int c = 0; c < CASE_COUNT; c++) {
        ordo_plan_release(shape->plans[c]);
        shape->plans[c] = NULL;
    }
    ordo_context_release(shape->context);
    shape->context = NULL;
}

static int compare_ms(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of some runs, fewer where one takes long. */
void tune_measure(tuner *t, tune_shape *shape) {
    for (int c = 0; c < CASE_COUNT; c++) {
        double ms[TIMED_RUNS];
        int runs = 0;
        if (shape->plans[c] == NULL)
            continue;
        double start = now_seconds();
        for (int i = 0; i < WARM_RUNS && now_seconds() - start < WARM_SECONDS; i++)
            (void)run_ms(t, shape, c);
        start = now_seconds();
        while (runs < TIMED_RUNS && (runs == 0 || now_seconds() - start < MOST_SECONDS))
            ms[runs++] = run_ms(t, shape, c);
        qsort(ms, (size_t)runs, sizeof *ms, compare_ms);
        shape->ms[c] = ms[runs / 2];
    }
}
