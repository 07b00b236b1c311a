/* SPDX-License-Identifier: MIT */
/*
 * first.c: see bench.h. What a program pays before its first sorted result: opening the device,
 * uploading, planning (with all pipelines), running. A second process that does the same finds what
 * the driver has kept on disk.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct first_run {
    gpu g;
    const bench_case *c;
    ordo_context *context;
    ordo_plan *plan;
    ordo_args args;
    double open_ms, upload_ms, plan_ms, run_ms; /* how long each took */
    bool verified;
} first_run;

/* Numbers as random as a sort's work requires. */
static uint32_t *draw_words(uint64_t count) {
    uint32_t *words = malloc(count * 4 + 4);
    uint64_t state = 88172645463325252u;
    for (uint64_t i = 0; words != NULL && i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        words[i] = (uint32_t)(state >> 32);
    }
    return words;
}

static bool sort_once(first_run *f, const uint32_t *words, char *message) {
    uint64_t bytes = f->c->count * ordo_type_bytes(f->c->type);
    double start_ms = bench_now_ms();
    f->context = gpu_context(&f->g, message);
    if (f->context == NULL)
        return false;
    f->args.in.buffer = gpu_buffer(&f->g, bytes, 0, words);
    f->args.out.buffer = gpu_buffer(&f->g, bytes, 0, NULL);
    f->upload_ms = bench_now_ms() - start_ms;
    if (f->args.in.buffer == NULL || f->args.out.buffer == NULL) {
        snprintf(message, ORDO_MESSAGE_BYTES, "no memory for the buffers");
        return false;
    }
    start_ms = bench_now_ms();
    if (bench_plan(f->c, f->context, &f->plan) != ORDO_OK) {
        snprintf(message, ORDO_MESSAGE_BYTES, "%s", ordo_message(f->context));
        return false;
    }
    f->plan_ms = bench_now_ms() - start_ms;
    start_ms = bench_now_ms();
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(f->g.device, NULL);
    ordo_status status = ordo_encode(f->plan, encoder, &f->args);
    gpu_submit(&f->g, encoder);
    bool done = gpu_wait(&f->g);
    f->run_ms = bench_now_ms() - start_ms;
    if (status != ORDO_OK || !done)
        snprintf(message, ORDO_MESSAGE_BYTES, "%s", ordo_message(f->context));
    return status == ORDO_OK && done;
}

/* After the time is taken, so that the checker's pipelines do not count. */
static bool verify(first_run *f) {
    checker k;
    if (!checker_open(&k, &f->g, ordo_context_caps(f->context)->max_binding_bytes))
        return false;
    checker_data data = {.buffers = {[CHECKER_KEYS] = f->args.in.buffer},
                         .count = (uint32_t)f->c->count,
                         .type = f->c->type,
                         .order = f->c->order};
    checker_job before = checker_make(&k, CHECKER_CHECK, &data, 0, 0);
    data.buffers[CHECKER_KEYS] = f->args.out.buffer;
    checker_job after = checker_make(&k, CHECKER_CHECK, &data, CHECK_ORDERED, 0);
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(f->g.device, NULL);
    checker_clear(&k, encoder);
    checker_record(&before, encoder, 0);
    checker_record(&after, encoder, 1);
    gpu_submit(&f->g, encoder);
    checker_result results[2];
    bool fine = checker_read(&k, results, 2) && results[1].violations == 0;
    for (uint32_t i = 0; fine && i < 3; i++)
        fine = results[0].sums[i] == results[1].sums[i];
    checker_release(&before);
    checker_release(&after);
    checker_close(&k);
    return fine;
}

static void print_first(const first_run *f, double total_ms, bool default_limits) {
    printf("{");
    bench_print_machine(&f->g, default_limits);
    printf("\"primitive\": \"first sort\", \"type\": \"%s\", \"value_bytes\": 0, "
           "\"method\": \"%s\", \"digit_bits\": %" PRIu32 ", \"count\": %" PRIu64
           ", \"open_ms\": %.6g, "
           "\"upload_ms\": %.6g, \"plan_with_pipelines_ms\": %.6g, \"run_ms\": %.6g, "
           "\"total_ms\": %.6g, \"verified\": %s}\n",
           bench_types[f->c->type], bench_methods[ordo_plan_info(f->plan)->method],
           ordo_plan_info(f->plan)->digit_bits, f->c->count, f->open_ms, f->upload_ms, f->plan_ms,
           f->run_ms, total_ms, f->verified ? "true" : "false");
}

bool bench_first(const bench_options *options, const bench_case *c, double start_ms) {
    char message[ORDO_MESSAGE_BYTES];
    first_run f = {.c = c};
    uint32_t *words = draw_words(c->count * ordo_type_bytes(c->type) / 4);
    double draw_ms = bench_now_ms() - start_ms; /* the caller's numbers are not ordo's time */
    if (words == NULL || !bench_open_gpu(&f.g, &options->gpu, message)) {
        fprintf(stderr, "ordo_bench: %s\n", words == NULL ? "no memory" : message);
        free(words);
        return false;
    }
    f.open_ms = bench_now_ms() - start_ms - draw_ms;
    bool done = sort_once(&f, words, message);
    double total_ms = bench_now_ms() - start_ms - draw_ms;
    free(words);
    if (done) {
        f.verified = verify(&f) && f.g.error_count == 0;
        print_first(&f, total_ms, options->gpu.default_limits);
    } else {
        fprintf(stderr, "ordo_bench: %s %s\n", message, f.g.error);
    }
    ordo_plan_release(f.plan);
    if (f.args.in.buffer != NULL)
        wgpuBufferRelease(f.args.in.buffer);
    if (f.args.out.buffer != NULL)
        wgpuBufferRelease(f.args.out.buffer);
    ordo_context_release(f.context);
    gpu_close(&f.g);
    return done && f.verified;
}
