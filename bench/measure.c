/* SPDX-License-Identifier: MIT */
/*
 * measure.c: see bench.h. One case, from nothing to its line of JSON.
 *
 *     fill                    input keys and values
 *     before                  sums of the input that any permutation keeps
 *     repeat: poison          noise over the output, so that nothing of the last repeat remains
 *             the primitive   between timestamps
 *             after           order and sums of the output
 *
 * Inputs stay as they are, for all cases work out of place. The repeats that the GPU times stand in
 * as few submits as possible, so that its clock does not fall in between; those that the host
 * times are submitted and awaited one by one, and the last of them is checked.
 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ENCODE_SAMPLES 100u

/* ---- What a case means to ordo ------------------------------------------------------------- */

static ordo_sort_desc sort_desc(const bench_case *c) {
    bool argsort = c->primitive == BENCH_ARGSORT;
    return (ordo_sort_desc){.max_count = c->count,
                            .key = c->type,
                            .order = c->order,
                            .value_bytes = argsort ? 0 : c->value_bytes,
                            .argsort = argsort,
                            .allow_unstable = c->allow_unstable,
                            .skip_high_bits = c->skip_high_bits,
                            .row_length = c->row_length,
                            .method = c->method,
                            .digit_bits = c->digit_bits,
                            .block_length = c->block_length,
                            .fused_levels = c->fused_levels};
}

ordo_status bench_steps(const bench_case *c, const ordo_caps *caps, ordo_step *steps,
                        uint32_t capacity, ordo_summary *summary) {
    ordo_sort_desc sort = sort_desc(c);
    ordo_scan_desc scan = {.max_count = c->count, .type = c->type};
    ordo_reduce_desc reduce = {.max_count = c->count, .type = c->type};
    if (c->primitive == BENCH_SCAN)
        return ordo_scan_steps(caps, &scan, steps, capacity, summary);
    if (c->primitive == BENCH_REDUCE)
        return ordo_reduce_steps(caps, &reduce, steps, capacity, summary);
    return ordo_sort_steps(caps, &sort, steps, capacity, summary);
}

ordo_status bench_plan(const bench_case *c, ordo_context *context, ordo_plan **plan) {
    ordo_sort_desc sort = sort_desc(c);
    ordo_scan_desc scan = {.max_count = c->count, .type = c->type};
    ordo_reduce_desc reduce = {.max_count = c->count, .type = c->type};
    if (c->primitive == BENCH_SCAN)
        return ordo_scan_plan(context, &scan, plan);
    if (c->primitive == BENCH_REDUCE)
        return ordo_reduce_plan(context, &reduce, plan);
    return ordo_sort_plan(context, &sort, plan);
}

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

typedef struct run {
    bench *b;
    const bench_case *c;
    ordo_summary summary;
    ordo_plan *plan;
    ordo_args args;
    checker_job fill, poison, before, after, spoil;
    checker_result expected;
    bool failed;       /* the device or a call failed: the error says so */
    uint32_t wrong;    /* outputs that were not what they should be */
    uint32_t verified; /* outputs that were */
    double plan_us, plan_ms;
    double wall_estimate_ms;
    spread gpu_ms, wall_ms; /* median negative: not known */
    double cpu_ms, submit_us;
    double encode_us, runtime_us, own_us, finish_us; /* negative: not known */
} run;

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

static bool make_buffers(run *r) {
    const bench_case *c = r->c;
    gpu *g = &r->b->gpu;
    uint64_t key_bytes = c->count * ordo_type_bytes(c->type);
    bool pairs = c->primitive == BENCH_SORT && c->value_bytes > 0;
    r->args.in.buffer = gpu_buffer(g, key_bytes, 0, NULL);
    bool fine = r->args.in.buffer != NULL;
    if (c->primitive != BENCH_ARGSORT) {
        uint64_t out_bytes = c->primitive == BENCH_REDUCE ? 4 : key_bytes;
        r->args.out.buffer = gpu_buffer(g, out_bytes, 0, NULL);
        fine = fine && r->args.out.buffer != NULL;
    }
    if (pairs) {
        r->args.values_in.buffer = gpu_buffer(g, c->count * c->value_bytes, 0, NULL);
        fine = fine && r->args.values_in.buffer != NULL;
    }
    if (pairs || c->primitive == BENCH_ARGSORT) {
        uint64_t value_bytes = pairs ? c->value_bytes : 4;
        r->args.values_out.buffer = gpu_buffer(g, c->count * value_bytes, 0, NULL);
        fine = fine && r->args.values_out.buffer != NULL;
    }
    return fine;
}

static void make_jobs(run *r) {
    const bench_case *c = r->c;
    checker *k = &r->b->checker;
    const ordo_args *args = &r->args;
    bool folds = c->primitive == BENCH_SCAN || c->primitive == BENCH_REDUCE;
    checker_data in = {.keys = args->in.buffer,
                       .values = args->values_in.buffer,
                       .count = (uint32_t)c->count,
                       .type = folds ? ORDO_U32 : c->type,
                       .order = c->order,
                       .value_words = args->values_in.buffer != NULL ? c->value_bytes / 4 : 0,
                       .row_length = c->row_length,
                       .distribution = c->distribution,
                       .skip_high_bits = c->skip_high_bits};
    checker_data out = in;
    out.keys = args->out.buffer;
    out.values = args->values_out.buffer;
    checker_data noise = out;
    noise.distribution = BENCH_RANDOM;
    noise.skip_high_bits = 0;
    uint32_t before_rules = 0, after_rules = CHECK_ORDERED;
    if (!c->allow_unstable)
        after_rules |= CHECK_STABLE;
    if (c->primitive == BENCH_ARGSORT) {
        noise = (checker_data){.keys = args->values_out.buffer, .count = in.count};
        out.keys = in.keys;
        before_rules = CHECK_VALUE_IS_PLACE;
        after_rules |= CHECK_VALUES_ARE_INDICES;
    } else if (c->primitive == BENCH_SCAN) {
        out = in;
        out.values = args->out.buffer;
        after_rules = CHECK_SCAN;
    } else if (c->primitive == BENCH_REDUCE) {
        out.count = noise.count = 1;
        before_rules = after_rules = CHECK_TOTAL;
    }
    r->fill = checker_generate(k, &in, 1);
    r->poison = checker_generate(k, &noise, 77);
    r->before = checker_check(k, &in, before_rules);
    r->after = checker_check(k, &out, after_rules);
    r->spoil = checker_spoil(k, args->values_out.buffer != NULL ? args->values_out.buffer
                                                                : args->out.buffer);
}

static WGPUCommandEncoder new_encoder(run *r) {
    return wgpuDeviceCreateCommandEncoder(r->b->gpu.device, NULL);
}

/* Records the primitive, and on demand a mistake in its values, or its keys if there are none. */
static void record(run *r, WGPUCommandEncoder encoder, const WGPUPassTimestampWrites *timestamps) {
    r->args.timestamps = timestamps;
    if (ordo_encode(r->plan, encoder, &r->args) != ORDO_OK)
        fail(r, "ordo_encode");
    if (r->b->plant_error)
        checker_record(&r->spoil, encoder, 0);
}

/* Generates the input and sums it up. */
static void prepare(run *r) {
    WGPUCommandEncoder encoder = new_encoder(r);
    checker_clear(&r->b->checker, encoder);
    checker_record(&r->fill, encoder, 0);
    if (r->c->primitive != BENCH_SCAN) /* its check compares sums with none */
        checker_record(&r->before, encoder, 0);
    gpu_submit(&r->b->gpu, encoder);
    if (!checker_read(&r->b->checker, &r->expected, 1))
        fail(r, "the input cannot be made");
}

static void judge(run *r, uint32_t count) {
    checker_result results[CHECKER_SLOTS];
    if (!checker_read(&r->b->checker, results, count)) {
        fail(r, "results cannot be read");
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool same = results[i].violations == 0;
        for (uint32_t j = 0; j < 3; j++)
            same = same && results[i].sums[j] == r->expected.sums[j];
        if (same)
            r->verified++;
        else
            r->wrong++;
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

/* Timed repeats between poison and check, `count` of them in one submit. */
static void run_batch(run *r, double *ms, uint32_t count) {
    bench *b = r->b;
    WGPUCommandEncoder encoder = new_encoder(r);
    checker_clear(&b->checker, encoder);
    for (uint32_t i = 0; i < count; i++) {
        WGPUPassTimestampWrites timestamps = bench_timestamps(b, i);
        checker_record(&r->poison, encoder, 0);
        record(r, encoder, b->queries != NULL ? &timestamps : NULL);
        checker_record(&r->after, encoder, i);
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
    run_batch(r, ms, 1);
    r->wall_estimate_ms = run_alone(r, ms);
    uint32_t batch = batch_of(r, r->b->repeats);
    while (!r->failed && bench_now_ms() < end_ms)
        run_batch(r, ms, batch);
}

/* The repeats that the host times; the last output is verified, and nothing but they wrote it. */
static void time_alone(run *r, uint32_t repeats) {
    double wall_ms[BENCH_MAX_REPEATS], submit_ms[BENCH_MAX_REPEATS];
    bench *b = r->b;
    WGPUCommandEncoder encoder = new_encoder(r);
    checker_clear(&b->checker, encoder);
    checker_record(&r->poison, encoder, 0);
    gpu_submit(&b->gpu, encoder);
    if (!gpu_wait(&b->gpu))
        fail(r, "the device is lost");
    double start_cpu_ms = cpu_ms();
    for (uint32_t i = 0; i < repeats; i++)
        wall_ms[i] = run_alone(r, &submit_ms[i]);
    r->cpu_ms = (cpu_ms() - start_cpu_ms) / repeats;
    r->wall_ms = bench_spread(wall_ms, repeats);
    r->submit_us = 1e3 * bench_spread(submit_ms, repeats).median;
    encoder = new_encoder(r);
    checker_record(&r->after, encoder, 0);
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
        run_batch(r, gpu_ms + i, least(batch, repeats - i));
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

/* ---- The line ------------------------------------------------------------------------------ */

static void print_number(const char *name, double value) {
    if (value < 0)
        printf("\"%s\": null, ", name);
    else
        printf("\"%s\": %.6g, ", name, value);
}

static void print_spread(const char *name, const spread *s) {
    if (s->median < 0)
        printf("\"%s\": null, ", name);
    else
        printf("\"%s\": {\"median\": %.6g, \"min\": %.6g, \"max\": %.6g, \"spread\": %.3g}, ", name,
               s->median, s->min, s->max, s->median > 0 ? (s->max - s->min) / s->median : 0);
}

static void print_case(const run *r) {
    const bench_case *c = r->c;
    printf("{");
    bench_print_machine(&r->b->gpu, r->b->default_limits);
    printf("\"primitive\": \"%s\", \"type\": \"%s\", \"order\": \"%s\", \"value_bytes\": %" PRIu32
           ", \"distribution\": \"%s\", \"count\": %" PRIu64 ", ",
           bench_primitives[c->primitive], bench_types[c->type],
           c->order == ORDO_DESCENDING ? "descending" : "ascending", c->value_bytes,
           bench_distributions[c->distribution], c->count);
    printf("\"row_length\": %" PRIu32 ", \"skip_high_bits\": %" PRIu32 ", \"allow_unstable\": %s, ",
           c->row_length, c->skip_high_bits, c->allow_unstable ? "true" : "false");
    printf("\"requested\": {\"method\": \"%s\", \"digit_bits\": %" PRIu32
           ", \"block_length\": %" PRIu32 ", \"fused_levels\": %" PRIu32 "}, ",
           bench_methods[c->method], c->digit_bits, c->block_length, c->fused_levels);
}

/* What the planner chose. */
static void print_plan(const run *r) {
    const ordo_summary *s = &r->summary;
    bool sorts = r->c->primitive == BENCH_SORT || r->c->primitive == BENCH_ARGSORT;
    printf("\"method\": ");
    if (sorts)
        bench_print_string(bench_methods[s->method]);
    else
        printf("null");
    printf(", \"digit_bits\": %" PRIu32 ", \"block_length\": %" PRIu32
           ", \"fused_levels\": %" PRIu32 ", \"index_bits\": %" PRIu32 ", \"step_count\": %" PRIu32
           ", \"scratch_bytes\": %" PRIu64 ", \"moved_bytes\": %" PRIu64 ", ",
           s->digit_bits, s->block_length, s->fused_levels, s->index_bits, s->step_count,
           s->scratch_bytes, s->moved_bytes);
}

static void print_figures(const run *r) {
    double gpu_s = r->gpu_ms.median / 1e3;
    double speed = gpu_s > 0 ? (double)r->summary.moved_bytes / gpu_s : -1;
    double copy = r->b->copy_bytes_per_second;
    print_spread("gpu_ms", &r->gpu_ms);
    print_spread("wall_ms", &r->wall_ms);
    print_number("cpu_ms", r->cpu_ms);
    print_number("encode_us", r->encode_us);
    print_number("encode_runtime_us", r->runtime_us);
    print_number("encode_own_us_per_step",
                 r->summary.step_count > 0 ? r->own_us / r->summary.step_count : -1);
    print_number("finish_us", r->finish_us);
    print_number("encode_to_submit_us", r->submit_us);
    print_number("plan_us", r->plan_us);
    print_number("plan_with_pipelines_ms", r->plan_ms);
    print_number("copy_bytes_per_second", copy > 0 ? copy : -1);
    print_number("share_of_copy", copy > 0 && speed > 0 ? speed / copy : -1);
    printf("\"outputs_verified\": %" PRIu32 ", \"verified\": %s}\n", r->verified,
           r->wrong == 0 && !r->failed ? "true" : "false");
    fflush(stdout);
}

static void print_skipped(const run *r, const char *why) {
    print_case(r);
    printf("\"skipped\": ");
    bench_print_string(why);
    printf("}\n");
    fflush(stdout);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static void release(run *r) {
    ordo_plan_release(r->plan);
    checker_job *const jobs[] = {&r->fill, &r->poison, &r->before, &r->after, &r->spoil};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
        checker_release(jobs[i]);
    WGPUBuffer buffers[] = {r->args.in.buffer, r->args.out.buffer, r->args.values_in.buffer,
                            r->args.values_out.buffer};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            wgpuBufferRelease(buffers[i]);
}

bool bench_measure(bench *b, const bench_case *c) {
    const spread unknown = {-1, -1, -1};
    run r = {.b = b,
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
    if (bench_steps(c, caps, NULL, 0, &r.summary) != ORDO_OK) {
        print_skipped(&r, r.summary.message);
        return true;
    }
    time_planner(&r, caps);
    if (!make_buffers(&r)) {
        print_skipped(&r, "no memory for the buffers");
        release(&r);
        return true;
    }
    make_jobs(&r);
    prepare(&r);
    double start_ms = bench_now_ms();
    if (bench_plan(c, b->context, &r.plan) != ORDO_OK)
        fail(&r, "the plan fails");
    r.plan_ms = bench_now_ms() - start_ms;
    if (!r.failed) {
        warm(&r);
        time_runs(&r);
        time_encode(&r);
    }
    if (b->gpu.error_count > 0)
        fail(&r, "the device reports an error");
    print_case(&r);
    print_plan(&r);
    print_figures(&r);
    release(&r);
    return r.wrong == 0 && !r.failed;
}
