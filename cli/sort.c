/* SPDX-License-Identifier: MIT */
/*
 * sort.c: the subcommands `sort` and `argsort`.
 *
 *     files -> input -> keys -> GPU -> text: indices, by which the lines are written
 *                                      arrays: the sorted keys themselves
 */
#include "cli.h"
#include "common.h"
#include "order.h"
#include "output.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sort_options {
    common_options common;
    bool argsort;
    bool unique;
    char check; /* 'c', 'C', or 0 */
    order_options order;
} sort_options;

/* ---- Arguments ----------------------------------------------------------------------------- */

enum { OPTION_METHOD = OPTION_OWN, OPTION_RUN_COUNT };

static const struct option long_options[] = {
    {"reverse", no_argument, NULL, 'r'},
    {"unique", no_argument, NULL, 'u'},
    {"check", no_argument, NULL, 'c'},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"run-count", required_argument, NULL, OPTION_RUN_COUNT},
    COMMON_OPTIONS,
    {NULL, 0, NULL, 0},
};

_Noreturn static void print_help(bool argsort) {
    puts(
        argsort
            ? "Usage: ordo argsort [OPTION]... [FILE]...\n"
              "Print the positions, counted from 0, of the input's numbers in sorted order: one a\n"
              "line for text, little-endian u32 for .npy and raw input.\n"
            : "Usage: ordo sort [OPTION]... [FILE]...\n"
              "Write all FILEs sorted by number, on the GPU; equal numbers keep their order.\n");
    puts("A FILE holds one number a line, or is a one-dimensional NumPy array (.npy). Several are\n"
         "taken as one. Without FILE, or when it is -, standard input is read.\n"
         "\n"
         "  -r, --reverse      descending\n"
         "  -u, --unique       of equal numbers only the first");
    if (!argsort)
        puts("  -c, --check        sort nothing; report the first number out of order\n"
             "  -C                 the same, but only by the exit code");
    common_help(HELP_OUTPUT HELP_TYPE HELP_RAW HELP_ADAPTER
                "      --method=M     auto (default), msd, radix, onesweep, sample, or a network:\n"
                "                     bitonic, bitonic-direct or oddeven; the result is the same\n"
                "      --run-count=N  sort at most N at a time on the GPU, and merge\n"
                "      --stats        report adapter, method, times and speed on standard error\n"
                "      --help\n"
                "\n"
                "Exit code: 0 if all went well, 1 if -c or -C found disorder, 2 on trouble.");
}

static void take_option(sort_options *o, int letter) {
    switch (letter) {
    case 'r':
        o->order.descending = true;
        break;
    case 'u':
        o->unique = true;
        break;
    case 'c':
    case 'C':
        if (o->argsort)
            fail_usage(o->common.topic, "argsort has no -%c", letter);
        o->check = (char)letter;
        break;
    case OPTION_METHOD:
        o->order.method = method_option(o->common.topic, optarg);
        break;
    case OPTION_RUN_COUNT:
        o->order.run_count = number_option(o->common.topic, "--run-count", optarg, UINT32_MAX);
        if (o->order.run_count == 0)
            fail_usage(o->common.topic, "--run-count must be at least 1");
        break;
    default: /* OPTION_HELP */
        print_help(o->argsort);
    }
}

static sort_options parse_arguments(int argc, char **argv, bool argsort) {
    sort_options o = {.argsort = argsort, .common.topic = argsort ? "argsort" : "sort"};
    int letter;
    while ((letter = getopt_long(argc, argv, "rucC" COMMON_LETTERS, long_options, NULL)) != -1) {
        if (!common_option(&o.common, letter))
            take_option(&o, letter);
    }
    common_names(&o.common, argc, argv);
    o.order.gpu = o.common.gpu;
    o.order.warm_up = o.common.stats;
    if (o.check && o.common.output != NULL)
        fail_usage(o.common.topic, "-%c writes nothing: it cannot go with -o", o.check);
    if (o.check && o.common.name_count > 1)
        fail_usage(o.common.topic, "-%c checks one file: '%s' is one too many", o.check,
                   o.common.names[1]);
    return o;
}

/* ---- Checking ------------------------------------------------------------------------------ */

static int compare_keys(const text *t, const keys *k, uint64_t a, uint64_t b) {
    return t->in == NULL ? (key_image(k, a) > key_image(k, b)) - (key_image(k, a) < key_image(k, b))
                         : text_compare(t, k, a, b);
}

/* -c and -C: no GPU is needed to compare neighbours. t->in is NULL for arrays. */
static int check(const sort_options *o, const numbers *n) {
    const text *t = &n->t;
    const keys *k = &n->k;
    const int sign = o->order.descending ? -1 : 1;
    for (uint64_t i = 1; i < k->count; i++) {
        int order = sign * compare_keys(t, k, i - 1, i);
        if (order < 0 || (order == 0 && !o->unique))
            continue;
        const source *from = input_source(&n->in, i);
        char shown[80];
        if (t->in != NULL)
            text_show(t, i, shown, sizeof shown);
        else
            key_show(k, i, shown);
        if (o->check == 'c')
            complain("%s:%" PRIu64 ": disorder: %s", from->name,
                     i - from->first_item + (t->in != NULL), shown);
        return EXIT_DISORDER;
    }
    return EXIT_FINE;
}

/* ---- Sorting ------------------------------------------------------------------------------- */

/* Keeps of equal neighbours the first. */
static uint64_t unique_indices(const text *t, const keys *k, uint32_t *indices, uint64_t count) {
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (kept == 0 || compare_keys(t, k, indices[kept - 1], indices[i]) != 0)
            indices[kept++] = indices[i];
    }
    return kept;
}

static void unique_keys(keys *k) {
    const size_t bytes = ordo_type_bytes(k->type);
    char *data = k->data;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < k->count; i++) {
        if (kept == 0 || key_image(k, kept - 1) != key_image(k, i))
            memmove(data + bytes * kept++, data + bytes * i, bytes);
    }
    k->count = kept;
}

static void sort_by_indices(const sort_options *o, numbers *n, order_stats *stats) {
    const text *t = &n->t;
    keys *k = &n->k;
    if (k->count > UINT32_MAX)
        fail("%" PRIu64 " numbers are more than the 4294967295 that ordo takes here", k->count);
    uint32_t *indices = allocate(k->count, sizeof *indices, "indices");
    order_indices(&o->order, k, indices, stats);
    if (t->in != NULL && t->rounded)
        text_refine(t, k, o->order.descending, indices, k->count);
    uint64_t count = o->unique ? unique_indices(t, k, indices, k->count) : k->count;
    output_open(o->common.output);
    if (o->argsort)
        write_indices(&n->in, indices, count, 0);
    else
        text_write_lines(t, indices, count);
    output_finish();
    free(indices);
}

static void sort_keys(const sort_options *o, numbers *n, order_stats *stats) {
    order_keys(&o->order, &n->k, stats);
    if (o->unique)
        unique_keys(&n->k);
    output_open(o->common.output);
    array_write(&n->in, &n->k, 0);
    output_finish();
}

/* ---- Statistics ---------------------------------------------------------------------------- */

/* The plan of a run, on one line. */
static void print_method(const ordo_summary *plan) {
    char how[80] = "";
    if (plan->method == ORDO_METHOD_RADIX || plan->method == ORDO_METHOD_ONESWEEP)
        snprintf(how, sizeof how, ", digits of %" PRIu32 " bits, %" PRIu32 " passes",
                 plan->digit_bits, plan->pass_count);
    else if (plan->block_length != 0)
        snprintf(how, sizeof how, ", blocks of %" PRIu32, plan->block_length);
    complain("method    %s%s, %" PRIu32 " steps, %.1f MiB of scratch", method_name(plan->method),
             how, plan->step_count, (double)plan->scratch_bytes / 1048576);
}

static void print_stats(const order_stats *s, const numbers *n, uint64_t count,
                        double whole_seconds) {
    const run_stats *r = &s->run;
    if (!r->on_gpu) {
        complain("stats: %" PRIu64 " numbers need no sorting; no adapter used", count);
        return;
    }
    const double rest = whole_seconds - n->read_seconds - r->device_seconds - r->run_seconds;
    uint32_t key_bits = 8 * ordo_type_bytes(n->k.type) - n->k.skip_high_bits;
    print_adapter(r);
    print_method(&r->plan);
    complain("keys      %" PRIu64 " %s, sorted by %" PRIu32 " bits of %s, in %" PRIu64 " run%s",
             count, type_name(n->type), key_bits, type_name(n->k.type), s->runs,
             s->runs == 1 ? "" : "s");
    complain("time      %.3f s: reading %.3f, adapter and kernels %.3f, upload, sort and download "
             "%.3f, merging %.3f, rest %.3f",
             whole_seconds, n->read_seconds, r->device_seconds, r->run_seconds, s->merge_seconds,
             rest - s->merge_seconds);
    print_gpu_time(r, "sort", "keys", (double)count);
    complain("overall   %.2f million keys a second", 1e-6 * (double)count / whole_seconds);
}

/* ---- Entry points -------------------------------------------------------------------------- */

static int run(int argc, char **argv, bool argsort) {
    const double start = now_seconds();
    sort_options o = parse_arguments(argc, argv, argsort);
    output_check(o.common.output);
    progress_start(o.common.quiet);

    numbers n;
    numbers_read(&n, &o.common, false);
    const uint64_t count = n.k.count;

    int code = EXIT_FINE;
    order_stats stats = {.runs = 0};
    if (o.check)
        code = check(&o, &n);
    else if (argsort || n.in.format == FORMAT_TEXT)
        sort_by_indices(&o, &n, &stats);
    else
        sort_keys(&o, &n, &stats);
    progress_end();
    if (o.common.stats && !o.check)
        print_stats(&stats, &n, count, now_seconds() - start);
    numbers_free(&n);
    return code;
}

int sort_main(int argc, char **argv) { return run(argc, argv, false); }

int argsort_main(int argc, char **argv) { return run(argc, argv, true); }
