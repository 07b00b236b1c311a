/* SPDX-License-Identifier: MIT */
/*
 * stress.c: see bench.h. A case many times over, to find what goes wrong once in a while. Every
 * output is checked, payloads too, and the data changes with every submit. The plan stays, and what
 * a run leaves in its scratch memory is there for the next. One line of text a case:
 *
 *     right    200 of 200  sort u32 + 4 B, clustered, 1000003, msd
 *     WRONG    198 of 200  argsort f32, few, 1000003, auto: msd: 2 out of place, elements differ
 */
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>

/* Runs over the same data, in one submit. */
static uint32_t batch_of(const bench_case *c, uint32_t left) {
    uint64_t batch = ((uint64_t)1 << 25) / (c->count + 1);
    batch = batch > BENCH_MAX_REPEATS ? BENCH_MAX_REPEATS : batch < 1 ? 1 : batch;
    return batch < left ? (uint32_t)batch : left;
}

static void print_case(const bench_case *c) {
    printf("%s %s", bench_primitives[c->primitive], bench_types[c->type]);
    if (c->unit)
        printf(" 0 to 1");
    if (c->value_bytes != 0)
        printf(" + %" PRIu32 " B", c->value_bytes);
    if (c->order == ORDO_DESCENDING)
        printf(" down");
    if (c->row_length != 0)
        printf(", rows of %" PRIu32, c->row_length);
    if (c->skip_high_bits != 0)
        printf(", without %" PRIu32 " high bits", c->skip_high_bits);
    printf("%s%s, %s, %" PRIu64, c->allow_unstable ? ", unstable" : "",
           c->in_place ? ", in place" : "", bench_distributions[c->distribution], c->count);
    if (bench_sorts(c))
        printf(", %s", bench_methods[c->method]);
}

/* What the first wrong result had; how a run failed is said on standard error. */
static void print_faults(const run *r) {
    if (r->wrong > 0)
        printf(": %" PRIu32 " out of place, elements %s", r->misplaced,
               r->differs ? "differ" : "are those of the input");
    printf("%s\n", r->failed ? ": it failed" : "");
}

bool bench_stress(bench *b, const bench_case *c, uint32_t run_count, stress_total *total) {
    double ms[BENCH_MAX_REPEATS];
    run r;
    const char *why = bench_begin(&r, b, c);
    total->case_count++;
    if (why != NULL) {
        printf("skipped: ");
        print_case(c);
        printf(": %s\n", why);
        total->skipped_count++;
    }
    uint32_t left = why == NULL ? run_count : 0;
    for (uint32_t batch, seed = VERIFY_SEED; left > 0 && !r.failed; left -= batch, seed++) {
        batch = batch_of(c, left);
        verifier_close(&r.checks);
        if (verifier_open(&r.checks, &b->checker, c, &r.args, &r.summary, seed))
            bench_run_batch(&r, ms, batch);
        else
            r.failed = true;
    }
    r.failed = r.failed || b->gpu.error_count > 0;
    bool fine = r.wrong == 0 && !r.failed;
    if (why == NULL) {
        printf("%s %6" PRIu32 " of %" PRIu32 "  ", fine ? "right" : "WRONG", r.verified, run_count);
        print_case(c);
        if (bench_sorts(c) && c->method == ORDO_METHOD_AUTO)
            printf(": %s", bench_methods[r.summary.method]);
        print_faults(&r);
    }
    fflush(stdout);
    total->run_count += r.verified + r.wrong;
    total->wrong_count += r.wrong + (r.failed ? 1 : 0);
    bench_end(&r);
    return fine;
}

void bench_print_stress_total(const stress_total *total) {
    printf("total: %" PRIu32 " cases, %" PRIu64 " runs, %" PRIu64 " wrong, %" PRIu32
           " cases skipped, %" PRIu32 " left out for want of time\n",
           total->case_count, total->run_count, total->wrong_count, total->skipped_count,
           total->left_out_count);
}
