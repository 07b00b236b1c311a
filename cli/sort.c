/* SPDX-License-Identifier: MIT */
/*
 * sort.c: the subcommands `sort` and `argsort`.
 *
 *     files -> input -> keys -> GPU -> text: indices, by which the lines are written
 *                                      arrays: the sorted keys themselves
 */
#include "cli.h"
#include "files.h"
#include "order.h"
#include "output.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sort_options {
    bool argsort;
    const char *topic; /* the subcommand's name */
    bool unique;
    char check; /* 'c', 'C', or 0 */
    const char *output;
    bool has_type;
    ordo_type type;
    bool raw;
    bool quiet;
    bool stats;
    order_options order;
    char *const *names;
    int name_count;
} sort_options;

/* ---- Arguments ----------------------------------------------------------------------------- */

enum {
    OPTION_TYPE = 256,
    OPTION_RAW,
    OPTION_ADAPTER,
    OPTION_SOFTWARE,
    OPTION_METHOD,
    OPTION_RUN_COUNT,
    OPTION_STATS,
    OPTION_HELP
};

static const struct option long_options[] = {
    {"reverse", no_argument, NULL, 'r'},
    {"unique", no_argument, NULL, 'u'},
    {"check", no_argument, NULL, 'c'},
    {"output", required_argument, NULL, 'o'},
    {"quiet", no_argument, NULL, 'q'},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"raw", no_argument, NULL, OPTION_RAW},
    {"adapter", required_argument, NULL, OPTION_ADAPTER},
    {"software", no_argument, NULL, OPTION_SOFTWARE},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"run-count", required_argument, NULL, OPTION_RUN_COUNT},
    {"stats", no_argument, NULL, OPTION_STATS},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static void print_help(bool argsort) {
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
    puts("  -o, --output=OUT   write to OUT, which may be a FILE; it is replaced as a whole\n"
         "      --type=T       numbers are u32, i32, f32, u64, i64 or f64. Without it text is i64 "
         "or\n"
         "                     u64 if all lines fit, else ordered by exact value\n"
         "      --raw          FILEs are bare little-endian elements of --type\n"
         "  -q, --quiet        no progress line\n"
         "      --adapter=A    use the adapter of this number, or with A in its name\n"
         "      --software     use a software adapter\n"
         "      --method=M     auto (default), radix, or a network: bitonic, bitonic-direct or\n"
         "                     oddeven; the result is the same\n"
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
    case 'o':
        o->output = optarg;
        break;
    case 'q':
        o->quiet = true;
        break;
    case OPTION_RAW:
        o->raw = true;
        break;
    case OPTION_ADAPTER:
        o->order.gpu.adapter = optarg;
        break;
    case OPTION_SOFTWARE:
        o->order.gpu.software = true;
        break;
    case OPTION_STATS:
        o->stats = true;
        o->order.warm_up = true;
        break;
    case 'c':
    case 'C':
        if (o->argsort)
            fail_usage(o->topic, "argsort has no -%c", letter);
        o->check = (char)letter;
        break;
    case OPTION_TYPE:
        o->has_type = type_from_name(optarg, &o->type);
        if (!o->has_type)
            fail_usage(o->topic, "--type: '%s' is none of u32, i32, f32, u64, i64, f64", optarg);
        break;
    case OPTION_METHOD:
        o->order.method = method_option(o->topic, optarg);
        break;
    case OPTION_RUN_COUNT:
        o->order.run_count = number_option(o->topic, "--run-count", optarg, UINT32_MAX);
        if (o->order.run_count == 0)
            fail_usage(o->topic, "--run-count must be at least 1");
        break;
    case OPTION_HELP:
        print_help(o->argsort);
        finish_stdout();
        exit(EXIT_FINE);
    default:
        fail_hint(o->topic); /* getopt has said why */
    }
}

static sort_options parse_arguments(int argc, char **argv, bool argsort) {
    sort_options o = {.argsort = argsort, .topic = argsort ? "argsort" : "sort"};
    int letter;
    while ((letter = getopt_long(argc, argv, "rucCo:q", long_options, NULL)) != -1)
        take_option(&o, letter);
    o.names = argv + optind;
    o.name_count = argc - optind;
    if (o.raw && !o.has_type)
        fail_usage(o.topic, "--raw needs --type");
    if (o.check && o.output != NULL)
        fail_usage(o.topic, "-%c writes nothing: it cannot go with -o", o.check);
    if (o.check && o.name_count > 1)
        fail_usage(o.topic, "-%c checks one file: '%s' is one too many", o.check, o.names[1]);
    return o;
}

/* ---- Checking ------------------------------------------------------------------------------ */

/* Key i as a number, for a message. */
static void show_key(const keys *k, uint64_t i, char *shown, size_t capacity) {
    union {
        uint32_t u32;
        int32_t i32;
        float f32;
        uint64_t u64;
        int64_t i64;
        double f64;
    } value;
    const uint32_t bytes = ordo_type_bytes(k->type);
    memcpy(&value, (const char *)k->data + i * bytes, bytes);
    switch (k->type) {
    case ORDO_U32:
        snprintf(shown, capacity, "%" PRIu32, value.u32);
        break;
    case ORDO_I32:
        snprintf(shown, capacity, "%" PRId32, value.i32);
        break;
    case ORDO_F32:
        snprintf(shown, capacity, "%.9g", (double)value.f32);
        break;
    case ORDO_U64:
        snprintf(shown, capacity, "%" PRIu64, value.u64);
        break;
    case ORDO_I64:
        snprintf(shown, capacity, "%" PRId64, value.i64);
        break;
    default:
        snprintf(shown, capacity, "%.17g", value.f64);
        break;
    }
}

static int compare_keys(const text *t, const keys *k, uint64_t a, uint64_t b) {
    return t->in == NULL ? (key_image(k, a) > key_image(k, b)) - (key_image(k, a) < key_image(k, b))
                         : text_compare(t, k, a, b);
}

/* -c and -C: no GPU is needed to compare neighbours. t->in is NULL for arrays. */
static int check(const sort_options *o, const input *in, const text *t, const keys *k) {
    const int sign = o->order.descending ? -1 : 1;
    for (uint64_t i = 1; i < k->count; i++) {
        int order = sign * compare_keys(t, k, i - 1, i);
        if (order < 0 || (order == 0 && !o->unique))
            continue;
        const source *from = input_source(in, i);
        char shown[80];
        if (t->in != NULL)
            text_show(t, i, shown, sizeof shown);
        else
            show_key(k, i, shown, sizeof shown);
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

static void write_lines(const text *t, const uint32_t *indices, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        text_write(t, indices[i]);
        if (i % 65536 == 0)
            progress("writing", i, count);
    }
}

static void write_index_lines(const uint32_t *indices, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        char line[16];
        int length = snprintf(line, sizeof line, "%" PRIu32 "\n", indices[i]);
        output_write(line, (uint64_t)length);
    }
}

static void sort_by_indices(const sort_options *o, const input *in, const text *t, keys *k,
                            order_stats *stats) {
    if (k->count > UINT32_MAX)
        fail("%" PRIu64 " numbers are more than the 4294967295 that ordo takes here", k->count);
    uint32_t *indices = allocate(k->count, sizeof *indices, "indices");
    order_indices(&o->order, k, indices, stats);
    if (t->in != NULL && t->rounded)
        text_refine(t, k, o->order.descending, indices);
    uint64_t count = o->unique ? unique_indices(t, k, indices, k->count) : k->count;
    output_open(o->output);
    if (!o->argsort)
        write_lines(t, indices, count);
    else if (in->format == FORMAT_TEXT)
        write_index_lines(indices, count);
    else
        array_write_indices(in, indices, count);
    output_finish();
    free(indices);
}

static void sort_keys(const sort_options *o, const input *in, keys *k, order_stats *stats) {
    order_keys(&o->order, k, stats);
    if (o->unique)
        unique_keys(k);
    output_open(o->output);
    array_write(in, k);
    output_finish();
}

/* ---- Statistics ---------------------------------------------------------------------------- */

/* The plan of a run, on one line. */
static void print_method(const ordo_summary *plan) {
    char how[80] = "";
    if (plan->method == ORDO_METHOD_RADIX)
        snprintf(how, sizeof how, ", digits of %" PRIu32 " bits, %" PRIu32 " passes",
                 plan->digit_bits, plan->pass_count);
    else if (plan->block_length != 0)
        snprintf(how, sizeof how, ", blocks of %" PRIu32, plan->block_length);
    complain("method    %s%s, %" PRIu32 " steps, %.1f MiB of scratch", method_name(plan->method),
             how, plan->step_count, (double)plan->scratch_bytes / 1048576);
}

static void print_stats(const order_stats *s, const char *read_as, const keys *k, uint64_t count,
                        double read_seconds, double whole_seconds) {
    if (!s->on_gpu) {
        complain("stats: %" PRIu64 " numbers need no sorting; no adapter used", count);
        return;
    }
    const double n = (double)count;
    uint32_t key_bits = 8 * ordo_type_bytes(k->type) - k->skip_high_bits;
    complain("adapter   %s, subgroups %s", s->adapter, s->subgroups);
    print_method(&s->plan);
    complain("keys      %" PRIu64 " %s, sorted by %" PRIu32 " bits of %s, in %" PRIu64 " run%s",
             count, read_as, key_bits, type_name(k->type), s->runs, s->runs == 1 ? "" : "s");
    complain("time      %.3f s: reading %.3f, adapter and kernels %.3f, upload, sort and download "
             "%.3f, merging %.3f, rest %.3f",
             whole_seconds, read_seconds, s->device_seconds, s->run_seconds, s->merge_seconds,
             whole_seconds - read_seconds - s->device_seconds - s->run_seconds - s->merge_seconds);
    if (s->has_gpu_seconds)
        complain("GPU sort  %.6f s by the GPU's clock, %.1f million keys a second", s->gpu_seconds,
                 1e-6 * n / s->gpu_seconds);
    else
        complain("GPU sort  n/a: the adapter has no usable timestamps");
    complain("overall   %.2f million keys a second", 1e-6 * n / whole_seconds);
}

/* ---- Entry points -------------------------------------------------------------------------- */

static int run(int argc, char **argv, bool argsort) {
    const double start = now_seconds();
    sort_options o = parse_arguments(argc, argv, argsort);
    output_check(o.output);
    progress_start(o.quiet);

    input in;
    text t = {.in = NULL};
    keys k;
    input_read(&in, o.names, o.name_count, o.raw, o.has_type ? &o.type : NULL);
    if (in.format == FORMAT_TEXT)
        text_keys(&t, &in, o.has_type ? &o.type : NULL, &k);
    else
        array_keys(&in, &k);
    const double read_seconds = now_seconds() - start;
    const uint64_t count = k.count;

    int code = EXIT_FINE;
    order_stats stats = {.on_gpu = false};
    if (o.check)
        code = check(&o, &in, &t, &k);
    else if (argsort || in.format == FORMAT_TEXT)
        sort_by_indices(&o, &in, &t, &k, &stats);
    else
        sort_keys(&o, &in, &k, &stats);
    progress_end();
    if (o.stats && !o.check)
        print_stats(&stats, type_name(in.format == FORMAT_TEXT ? t.type : k.type), &k, count,
                    read_seconds, now_seconds() - start);
    free(k.data);
    text_free(&t);
    input_free(&in);
    return code;
}

int sort_main(int argc, char **argv) { return run(argc, argv, false); }

int argsort_main(int argc, char **argv) { return run(argc, argv, true); }
