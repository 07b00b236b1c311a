/* SPDX-License-Identifier: MIT */
/*
 * measure.c: see bench.h. One case, from nothing to what its line says.
 *
 *     prepare                 the input, and what is expected of the output: see verify.c
 *     repeat: poison          noise over the outputs, so that nothing of the last repeat remains
 *             the primitive   between timestamps
 *             after           the check of the outputs
 *
 * Inputs stay as they are; in place they are made anew before each repeat. The repeats that the GPU
 * times stand in as few submits as possible, so that its clock does not fall in between; those that
 * the host times are submitted and awaited one by one, and the last of them is checked.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ENCODE_SAMPLES 100u

/* ---- Spread -------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

spread bench_spread(double *samples, uint32_t count) {
    qsort(samples, count, sizeof *samples, compare_doubles);
    while (count > 0 && samples[0] < 0) {
        samples++;
        count--;
    }
    if (count == 0)
        return (spread){-1, -1, -1};
    double median = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
    return (spread){median, samples[0], samples[count - 1]};
}

/* ---- A case at work ------------------------------------------------------------------------ */

static void fail(run *r, const char *what) {
    if (!r->failed)
        fprintf(stderr, "ordo_bench: %s: %s%s%s\n", what, ordo_message(r->b->context),
                r->b->gpu.error[0] != '\0' ? " " : "", r->b->gpu.error);
    r->failed = true;
}

/* The planner alone, as a program without a GPU would call it. */
static void time_planner(run *r, const ordo_caps *caps) {
    uint32_t count = r->summary.step_count;
    ordo_step *steps = malloc((count + 1) * sizeof *steps);
    double samples[ENCODE_SAMPLES];
    ordo_summary summary;
    if (steps == NULL)
        return;
    for (uint32_t i = 0; i < ENCODE_SAMPLES; i++) {
        double start_ms = bench_now_ms();
        bench_steps(r->c, caps, steps, count, &summary);
        samples[i] = 1e3 * (bench_now_ms() - start_ms);
    }
    free(steps);
    r->plan_us = bench_spread(samples, ENCODE_SAMPLES).median;
}

static WGPUCommandEncoder new_encoder(run *r) {
    return wgpuDeviceCreateCommandEncoder(r->b->gpu.device, NULL);
}

/* Records the primitive, and on demand a mistake in one of its outputs. */
static void record(run *r, WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *timestamps) {
    r->args.timestamps = timestamps;
    if (ordo_encode(r->plan, encoder, &r->args) != ORDO_OK)
        fail(r, "ordo_encode");
    if (r->b->plant_error)
        verifier_spoil(&r->checks, encoder, r->spoiled++);
}

static void judge(run *r, uint32_t count) {
    checker_result results[CHECKER_SLOTS];
    if (!checker_read(&r->b->checker, results, count)) {
        fail(r, "results cannot be read");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (verifier_agrees(&r->checks, &results[i]))
            r->verified++;
        else if (r->wrong++ == 0) {
            r->misplaced = results[i].violations;
            results[i].violations = 0;
            r->differs = !verifier_agrees(&r->checks, &results[i]);
        }
    }
}

/* ---- Timing -------------------------------------------------------------------------------- */

/* CPU time of all threads of this process. */
static double cpu_ms(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }

/* One run by the host's clock, from recording to done; *submit_ms: from recording to submitted. */
static double run_alone(run *r, double *submit_ms) {
    double start_ms = bench_now_ms();
    WGPUCommandEncoder encoder = new_encoder(r);
    record(r, encoder, NULL);
    gpu_submit(&r->b->gpu, encoder);
    *submit_ms = bench_now_ms() - start_ms;
    if (!gpu_wait(&r->b->gpu))
        fail(r, "the device is lost");
    return bench_now_ms() - start_ms;
}

void bench_run_batch(run *r, double *ms, uint32_t count) {
    bench *b = r->b;
    WGPUCommandEncoder encoder = new_encoder(r);
    checker_clear(&b->checker, encoder);
    for (uint32_t i = 0; i < count; i++) {
        WGPUPassTimestampWrites timestamps = bench_timestamps(b, i);
        verifier_poison(&r->checks, encoder);
        record(r, encoder, b->queries != NULL ? &timestamps : NULL);
        checker_record(&r->checks.after, encoder, i);
    }
    gpu_submit(&b->gpu, encoder);
    judge(r, count);
    for (uint32_t i = 0; i < count; i++)
        ms[i] = -1.0;
    if (b->queries != NULL && !bench_read_times(b, ms, count))
        fail(r, "timestamps cannot be read");
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* How many repeats a submit may hold and still end in about half a second. */
static uint32_t batch_of(const run *r, uint32_t repeats) {
    uint32_t batch = (uint32_t)(500 / (r->wall_estimate_ms + 1));
    return batch < 1 ? 1 : least(batch, repeats);
}

/* First a run that pays for all that is done once, then one to go by, then the clock is warmed with
   the same work that is timed after it. */
static void warm(run *r) {
    double ms[BENCH_MAX_REPEATS], end_ms = bench_now_ms() + r->b->warm_ms;
    bench_run_batch(r, ms, 1);
    r->wall_estimate_ms = run_alone(r, ms);
    uint32_t batch = batch_of(r, r->b->repeats);
    while (!r->failed && bench_now_ms() < end_ms)
        bench_run_batch(r, ms, batch);
}

static void poison_alone(run *r) {
    WGPUCommandEncoder encoder = new_encoder(r);
    checker_clear(&r->b->checker, encoder);
    verifier_poison(&r->checks, encoder);
    gpu_submit(&r->b->gpu, encoder);
    if (!gpu_wait(&r->b->gpu))
        fail(r, "the device is lost");
}

/* The repeats that the host times; the last output is verified, and nothing but they wrote it. */
static void time_alone(run *r, uint32_t repeats) {
    double wall_ms[BENCH_MAX_REPEATS], submit_ms[BENCH_MAX_REPEATS];
    bench *b = r->b;
    r->cpu_ms = 0;
    for (uint32_t i = 0; i < repeats; i++) {
        if (i == 0 || r->c->in_place)
            poison_alone(r);
        double start_cpu_ms = cpu_ms();
        wall_ms[i] = run_alone(r, &submit_ms[i]);
        r->cpu_ms += (cpu_ms() - start_cpu_ms) / repeats;
    }
    r->wall_ms = bench_spread(wall_ms, repeats);
    r->submit_us = 1e3 * bench_spread(submit_ms, repeats).median;
    WGPUCommandEncoder encoder = new_encoder(r);
    checker_record(&r->checks.after, encoder, 0);
    gpu_submit(&b->gpu, encoder);
    judge(r, 1);
}

static void time_runs(run *r) {
    double gpu_ms[BENCH_MAX_REPEATS];
    uint32_t repeats = r->b->repeats;
    repeats = r->wall_estimate_ms > 1000 ? least(repeats, 3) : repeats;
    repeats = r->wall_estimate_ms > 200 ? least(repeats, 5) : repeats;
    uint32_t batch = batch_of(r, repeats);
    for (uint32_t i = 0; !r->failed && i < repeats; i += batch)
        bench_run_batch(r, gpu_ms + i, least(batch, repeats - i));
    r->gpu_ms = bench_spread(gpu_ms, r->failed ? 0 : repeats);
    if (!r->failed)
        time_alone(r, repeats);
}

/* Finishes what was recorded and forgets it; gives the time that took. */
static double drop(WGPUCommandEncoder encoder) {
    double start_ms = bench_now_ms();
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    double took_ms = bench_now_ms() - start_ms;
    wgpuCommandEncoderRelease(encoder);
    if (commands != NULL)
        wgpuCommandBufferRelease(commands);
    return took_ms;
}

/* ordo_encode and the bare calls in turn, so that what disturbs one disturbs the other. The medians
   are what a caller sees; the difference of the minima is ordo's share, free of disturbance. */
static void time_encode(run *r) {
    double encode[ENCODE_SAMPLES], bare[ENCODE_SAMPLES], finish[ENCODE_SAMPLES];
    const ordo_caps *caps = ordo_context_caps(r->b->context);
    replay *bare_calls = replay_open(&r->b->gpu, r->c, caps, &r->args);
    if (bare_calls == NULL)
        return;
    r->args.timestamps = NULL;
    for (uint32_t i = 0; !r->failed && i < ENCODE_SAMPLES; i++) {
        WGPUCommandEncoder encoder = new_encoder(r);
        double start_ms = bench_now_ms();
        ordo_encode(r->plan, encoder, &r->args);
        encode[i] = 1e3 * (bench_now_ms() - start_ms);
        finish[i] = 1e3 * drop(encoder);
        encoder = new_encoder(r);
        start_ms = bench_now_ms();
        replay_record(bare_calls, encoder);
        bare[i] = 1e3 * (bench_now_ms() - start_ms);
        (void)drop(encoder);
    }
    replay_close(bare_calls);
    spread all = bench_spread(encode, ENCODE_SAMPLES);
    spread runtime = bench_spread(bare, ENCODE_SAMPLES);
    r->encode_us = all.median;
    r->runtime_us = runtime.median;
    r->own_us = all.min > runtime.min ? all.min - runtime.min : 0;
    r->finish_us = bench_spread(finish, ENCODE_SAMPLES).median;
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* Checks bind a buffer as a whole, but for those of sorts and copies. */
static bool fits_bindings(const bench_case *c, const ordo_summary *summary, const ordo_caps *caps) {
    bool in_pieces = c->primitive == BENCH_SORT || c->primitive == BENCH_COPY;
    uint64_t most = caps->max_binding_bytes;
    if (in_pieces)
        most = most / 2 * CHECKER_PIECES; /* a piece is half a binding at least */
    for (int slot = ORDO_SLOT_IN; slot < ORDO_SLOT_COUNT; slot++)
        if (most != 0 && summary->slot_bytes[slot] > most)
            return false;
    return true;
}

const char *bench_begin(run *r, bench *b, const bench_case *c) {
    const spread unknown = {-1, -1, -1};
    *r = (run){.b = b,
               .c = c,
               .gpu_ms = unknown,
               .wall_ms = unknown,
               .cpu_ms = -1,
               .submit_us = -1,
               .plan_us = -1,
               .encode_us = -1,
               .runtime_us = -1,
               .own_us = -1,
               .finish_us = -1};
    const ordo_caps *caps = ordo_context_caps(b->context);
    if (bench_steps(c, caps, NULL, 0, &r->summary) != ORDO_OK)
        return r->summary.message;
    if (!fits_bindings(c, &r->summary, caps))
        return "a buffer is larger than a binding, and the checks bind it as a whole";
    if (!bench_make_buffers(&b->gpu, &r->summary, &r->args))
        return "no memory for the buffers";
    if (!verifier_open(&r->checks, &b->checker, c, &r->args, &r->summary, VERIFY_SEED))
        fail(r, "the input cannot be made, or is not what draw.h says");
    double start_ms = bench_now_ms();
    if (bench_plan(c, b->context, &r->plan) != ORDO_OK)
        fail(r, "the plan fails");
    r->plan_ms = bench_now_ms() - start_ms;
    return NULL;
}

void bench_end(run *r) {
    ordo_plan_release(r->plan);
    verifier_close(&r->checks);
    bench_release_buffers(&r->args);
}

bool bench_measure(bench *b, const bench_case *c) {
    run r;
    const char *why = bench_begin(&r, b, c);
    if (why != NULL) {
        bench_print_skipped(&r, why);
        bench_end(&r);
        return true;
    }
    time_planner(&r, ordo_context_caps(b->context));
    if (!r.failed) {
        warm(&r);
        time_runs(&r);
        time_encode(&r);
    }
    if (b->gpu.error_count > 0)
        fail(&r, "the device reports an error");
    bench_print_line(&r);
    bench_end(&r);
    return r.wrong == 0 && !r.failed;
}
