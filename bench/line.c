/* SPDX-License-Identifier: MIT */
/* line.c: see bench.h. The line of JSON that a case becomes. */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>

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

/* What only some primitives have. */
static void print_problem(const bench_case *c) {
    bool buckets = c->primitive == BENCH_COUNTING_SORT || c->primitive == BENCH_COUNTING_ARGSORT;
    if (c->unit)
        printf("\"unit\": true, ");
    if (c->in_place)
        printf("\"in_place\": true, ");
    if (buckets || c->buckets != 0)
        printf("\"buckets\": %" PRIu32 ", ", bench_place_count(c));
    if (c->primitive == BENCH_HISTOGRAM)
        printf("\"bins\": %" PRIu32 ", \"bins_by\": \"%s\", ", bench_place_count(c),
               bench_bins[c->bins]);
    if (c->depth)
        printf("\"depth\": true, ");
    if (c->primitive == BENCH_GRID)
        printf("\"cells\": %" PRIu32 ", \"dimensions\": %" PRIu32 ", \"stride_bytes\": %" PRIu32
               ", \"points_out\": %s, ",
               c->cells, c->dimensions, 4 * bench_element_words(c),
               c->points_out ? "true" : "false");
    if (c->primitive == BENCH_TOP_K)
        printf("\"k\": %" PRIu32 ", \"smallest\": %s, ", c->k, c->smallest ? "true" : "false");
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
    print_problem(c);
    if (r->b->binding_bytes != 0)
        printf("\"binding_bytes\": %" PRIu64 ", ", r->b->binding_bytes);
    printf("\"requested\": {\"method\": \"%s\", \"digit_bits\": %" PRIu32
           ", \"block_length\": %" PRIu32 ", \"fused_levels\": %" PRIu32 "}, ",
           bench_methods[c->method], c->digit_bits, c->block_length, c->fused_levels);
}

/* What the planner chose. */
static void print_plan(const run *r) {
    const ordo_summary *s = &r->summary;
    printf("\"method\": ");
    if (bench_sorts(r->c))
        bench_print_string(bench_methods[s->method]);
    else
        printf("null");
    printf(", \"digit_bits\": %" PRIu32 ", \"block_length\": %" PRIu32
           ", \"fused_levels\": %" PRIu32 ", \"index_bits\": %" PRIu32
           ", \"window_count\": %" PRIu32 ", \"step_count\": %" PRIu32
           ", \"scratch_bytes\": %" PRIu64 ", \"moved_bytes\": %" PRIu64 ", ",
           s->digit_bits, s->block_length, s->fused_levels, s->index_bits, s->window_count,
           s->step_count, s->scratch_bytes, s->moved_bytes);
}

static void print_figures(const run *r) {
    double gpu_s = r->gpu_ms.median / 1e3;
    double speed = gpu_s > 0 ? (double)r->summary.moved_bytes / gpu_s : -1;
    double copy = r->b->copy_bytes_per_second;
    printf("\"input_sum\": %" PRIu32 ", ", r->checks.input_sum);
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

void bench_print_skipped(const run *r, const char *why) {
    print_case(r);
    printf("\"skipped\": ");
    bench_print_string(why);
    printf("}\n");
    fflush(stdout);
}

void bench_print_line(const run *r) {
    print_case(r);
    print_plan(r);
    print_figures(r);
}
