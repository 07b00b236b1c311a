/* SPDX-License-Identifier: MIT */
/*
 * order.c: see order.h. One plan serves all runs: the last, shorter one passes its count in a
 * buffer.
 *
 *     keys     [ run 0 ][ run 1 ] … [ last ]     each sorted on its own, in place or by indices
 *     result   the merge of all runs, equal keys in the order of their runs
 */
#include "order.h"

#include "cli.h"
#include "merge.h"

typedef struct sorter {
    runner r;
    ordo_plan *plan;
    uint64_t run_count;
    size_t key_bytes;
    WGPUBuffer keys;
    WGPUBuffer indices; /* NULL when keys are sorted */
    WGPUBuffer count;
    order_stats *stats;
} sorter;

/* ---- Setting up ---------------------------------------------------------------------------- */

/* The most keys, up to count, that one plan on this device takes. */
static uint64_t largest_run(const sorter *s, ordo_sort_desc desc, uint64_t count) {
    const ordo_caps *caps = ordo_context_caps(s->r.context);
    ordo_summary summary;
    uint64_t fits = 0;
    uint64_t above = count + 1;
    for (uint64_t middle = count; above - fits > 1; middle = fits + (above - fits) / 2) {
        desc.max_count = middle;
        if (ordo_sort_steps(caps, &desc, NULL, 0, &summary) == ORDO_OK)
            fits = middle;
        else
            above = middle;
    }
    if (fits == 0)
        fail("the adapter cannot sort: %s", summary.message);
    return fits;
}

static void release_run(sorter *s) {
    ordo_plan_release(s->plan);
    s->plan = NULL;
    WGPUBuffer *const buffers[] = {&s->keys, &s->indices, &s->count};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        if (*buffers[i] != NULL)
            wgpuBufferRelease(*buffers[i]);
        *buffers[i] = NULL;
    }
}

/* Makes the plan and buffers for runs of run_count keys. False: there is not the memory. */
static bool make_run(sorter *s, ordo_sort_desc desc) {
    desc.max_count = s->run_count;
    ordo_status status = ordo_sort_plan(s->r.context, &desc, &s->plan);
    if (status == ORDO_OUT_OF_MEMORY)
        return false;
    if (status != ORDO_OK)
        runner_fail(&s->r, ordo_message(s->r.context));
    s->keys = gpu_buffer(&s->r.g, s->run_count * s->key_bytes, 0, NULL);
    s->count = gpu_buffer(&s->r.g, sizeof(uint32_t), 0, NULL);
    if (desc.argsort)
        s->indices = gpu_buffer(&s->r.g, s->run_count * sizeof(uint32_t), 0, NULL);
    return s->keys != NULL && s->count != NULL && (!desc.argsort || s->indices != NULL);
}

static void sorter_open(sorter *s, const order_options *options, const keys *k, bool argsort) {
    *s = (sorter){.key_bytes = ordo_type_bytes(k->type)};
    runner_open(&s->r, &options->gpu);
    ordo_sort_desc desc = {.key = k->type,
                           .order = options->descending ? ORDO_DESCENDING : ORDO_ASCENDING,
                           .argsort = argsort,
                           .in_place = !argsort,
                           .method = options->method,
                           .skip_high_bits = k->skip_high_bits};
    uint64_t wanted =
        options->run_count == 0 || options->run_count > k->count ? k->count : options->run_count;
    s->run_count = largest_run(s, desc, wanted);
    while (!make_run(s, desc)) {
        /* Shorter runs need less memory; runs this short fail for another reason. */
        release_run(s);
        if (s->run_count < 65536)
            runner_fail(&s->r, "the adapter is out of memory");
        s->run_count = (s->run_count + 1) / 2;
    }
}

static void sorter_close(sorter *s) {
    release_run(s);
    runner_close(&s->r);
}

/* ---- Runs ---------------------------------------------------------------------------------- */

/* Runs the plan on the first count keys of the buffer. */
static void run_plan(sorter *s, uint64_t count) {
    const uint32_t count32 = (uint32_t)count;
    gpu_write(&s->r.g, s->count, 0, &count32, sizeof count32);
    const ordo_args args = {.in = {.buffer = s->keys},
                            .values_out = {.buffer = s->indices},
                            .count = {.buffer = s->count}};
    runner_run(&s->r, s->plan, &args);
}

/* Sorts count keys and stores the sorted keys, or their indices, in result. */
static void sort_run(sorter *s, const void *from, uint64_t count, void *result) {
    gpu_write(&s->r.g, s->keys, 0, from, count * s->key_bytes);
    run_plan(s, count);
    bool argsort = s->indices != NULL;
    if (!gpu_read(&s->r.g, argsort ? s->indices : s->keys, 0,
                  count * (argsort ? sizeof(uint32_t) : s->key_bytes), result))
        runner_fail(&s->r, "the GPU does not give back the result");
    runner_add_time(&s->r, &s->stats->run);
}

static void start_stats(sorter *s, const keys *k, order_stats *stats) {
    *stats = (order_stats){
        .run = runner_stats(&s->r, s->plan),
        .run_count = s->run_count,
        .runs = (k->count + s->run_count - 1) / s->run_count,
    };
    s->stats = stats;
}

static void sort_runs(sorter *s, const keys *k, void *results, size_t result_bytes) {
    double start = now_seconds();
    for (uint64_t at = 0; at < k->count; at += s->run_count) {
        uint64_t rest = k->count - at;
        progress("sorting", at, s->stats->runs > 1 ? k->count : 0);
        sort_run(s, (const char *)k->data + at * s->key_bytes,
                 rest < s->run_count ? rest : s->run_count, (char *)results + at * result_bytes);
    }
    s->stats->run.run_seconds = now_seconds() - start;
}

/* ---- Entry points -------------------------------------------------------------------------- */

/* Sorts all runs: the keys in place if results is NULL, else their indices into it. */
static void sort_on_gpu(const order_options *options, keys *k, uint32_t *results,
                        order_stats *stats) {
    sorter s;
    double start = now_seconds();
    sorter_open(&s, options, k, results != NULL);
    if (options->warm_up)
        run_plan(&s, 0);
    start_stats(&s, k, stats);
    stats->run.device_seconds = now_seconds() - start;
    if (results != NULL)
        sort_runs(&s, k, results, sizeof *results);
    else
        sort_runs(&s, k, k->data, s.key_bytes);
    sorter_close(&s);
}

void order_keys(const order_options *options, keys *k, order_stats *stats) {
    *stats = (order_stats){.runs = 0};
    if (k->count < 2)
        return;
    sort_on_gpu(options, k, NULL, stats);
    double start = now_seconds();
    if (stats->runs > 1)
        merge_keys(k, stats->run_count, options->descending);
    stats->merge_seconds = now_seconds() - start;
}

void order_indices(const order_options *options, keys *k, uint32_t *indices, order_stats *stats) {
    *stats = (order_stats){.runs = 0};
    if (k->count == 1)
        indices[0] = 0;
    if (k->count < 2)
        return;
    sort_on_gpu(options, k, indices, stats);
    double start = now_seconds();
    if (stats->runs > 1)
        merge_indices(k, indices, stats->run_count, options->descending);
    stats->merge_seconds = now_seconds() - start;
}
