/* SPDX-License-Identifier: MIT */
/*
 * scan.c: the subcommand `scan`: prefix sums, minima and maxima, or all combined into one number.
 *
 *     files -> numbers -> u32, i32 or f32 items -> GPU -> lines, or an array, of the same type
 */
#include "cli.h"
#include "common.h"
#include "output.h"
#include "run.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct scan_options {
    common_options common;
    ordo_op op;
    bool inclusive;
    bool reduce;
    bool wrap;
} scan_options;

/* ---- Arguments ----------------------------------------------------------------------------- */

enum { OPTION_OP = OPTION_OWN, OPTION_INCLUSIVE, OPTION_REDUCE, OPTION_WRAP };

static const struct option long_options[] = {
    {"op", required_argument, NULL, OPTION_OP},
    {"inclusive", no_argument, NULL, OPTION_INCLUSIVE},
    {"reduce", no_argument, NULL, OPTION_REDUCE},
    {"wrap", no_argument, NULL, OPTION_WRAP},
    COMMON_OPTIONS,
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: ordo scan [OPTION]... [FILE]...\n"
    "Write the prefix sums of all FILEs' numbers, computed on the GPU: for each number the sum of\n"
    "those BEFORE it, the first being 0, or with --inclusive also of itself.\n"
    "\n"
    "A FILE holds one number a line, or is a one-dimensional NumPy array (.npy) of up to 32 bits "
    "an\n"
    "element. Several are taken as one. Without FILE, or when it is -, standard input is read. "
    "The\n"
    "result is one number a line for text, else an array of u32, i32 or f32.\n"
    "\n"
    "      --op=OP        add (default), min or max. Of no numbers min is the greatest, max the\n"
    "                     least that the type has\n"
    "      --inclusive    count each number in\n"
    "      --reduce       print only what all numbers come to, also for arrays\n"
    "      --wrap         let sums of integers wrap modulo 2^32; without it such are an "
    "error\n" HELP_OUTPUT
    "      --type=T       numbers are u32, i32 or f32. Without it text is u32 if all lines are\n"
    "                     integers, i32 if some are negative, else f32\n" HELP_RAW
        HELP_ADAPTER HELP_STATS "\n"
    "Sums of f32 round at each step, in an order of additions that depends on the count alone.\n"
    "Exit code: 0 if all went well, 2 on trouble.";

static void take_option(scan_options *o, int letter) {
    static const char *const ops[] = {"add", "min", "max"};
    switch (letter) {
    case OPTION_OP:
        o->op = (ordo_op)word_option(o->common.topic, "--op", optarg, ops, 3);
        break;
    case OPTION_INCLUSIVE:
        o->inclusive = true;
        break;
    case OPTION_REDUCE:
        o->reduce = true;
        break;
    case OPTION_WRAP:
        o->wrap = true;
        break;
    default: /* OPTION_HELP */
        common_help(help);
    }
}

static scan_options parse_arguments(int argc, char **argv) {
    scan_options o = {.common.topic = "scan"};
    int letter;
    while ((letter = getopt_long(argc, argv, COMMON_LETTERS, long_options, NULL)) != -1) {
        if (!common_option(&o.common, letter))
            take_option(&o, letter);
    }
    common_names(&o.common, argc, argv);
    if (o.common.has_type && ordo_type_bytes(o.common.type) != 4)
        fail_usage(o.common.topic, "--type: scan takes u32, i32 and f32, not %s",
                   type_name(o.common.type));
    if (o.reduce && o.inclusive)
        fail_usage(o.common.topic, "--reduce takes all numbers: it cannot go with --inclusive");
    return o;
}

/* ---- Items --------------------------------------------------------------------------------- */

/* The type of 32 bits that holds all integers of a text, which are i64 or u64. */
static ordo_type integer_type(const numbers *n) {
    if (n->k.count == 0)
        return ORDO_U32;
    uint64_t least = 0, greatest = 0; /* where they are */
    for (uint64_t i = 1; i < n->k.count; i++) {
        const uint64_t value = numbers_integer(n, i);
        least = value < numbers_integer(n, least) ? i : least;
        greatest = value > numbers_integer(n, greatest) ? i : greatest;
    }
    const uint64_t zero = n->type == ORDO_I64 ? UINT64_C(1) << 63 : 0; /* as numbers_integer */
    const bool negative = numbers_integer(n, least) < zero;
    const uint64_t limit = negative ? INT32_MAX : UINT32_MAX;
    if (negative && zero - numbers_integer(n, least) > UINT64_C(1) << 31)
        numbers_fail(n, least, "out of range of i32, and --type is not given");
    if (numbers_integer(n, greatest) > zero + limit)
        numbers_fail(n, greatest,
                     negative ? "out of range of i32, which negative lines ask for"
                              : "out of range of u32, and --type is not given");
    return negative ? ORDO_I32 : ORDO_U32;
}

/* Turns the keys of a text's integers, which are distances, into items. */
static void integer_items(numbers *n) {
    const ordo_type type = ordo_type_bytes(n->type) == 4 ? n->type : integer_type(n);
    uint32_t *items = allocate(n->k.count, sizeof *items, "items");
    for (uint64_t i = 0; i < n->k.count; i++)
        items[i] = (uint32_t)numbers_integer(n, i); /* modulo 2^32 */
    free(n->k.data);
    n->type = type;
    n->k = (keys){.type = type, .count = n->k.count, .data = items};
}

/* Makes keys of u32, i32 or f32 of all numbers, or fails. */
static void make_items(numbers *n) {
    if (n->in.format != FORMAT_TEXT && ordo_type_bytes(n->type) != 4)
        fail("%s: holds elements of type %s; scan takes integers and floats of up to 32 bits",
             n->in.sources[0].name, type_name(n->type));
    if (n->in.format != FORMAT_TEXT || n->type == ORDO_F32)
        return;
    if (n->type != ORDO_F64) {
        integer_items(n);
        return;
    }
    const ordo_type single = ORDO_F32;
    free(n->k.data);
    text_free(&n->t);
    text_keys(&n->t, &n->in, &single, &n->k);
    n->type = single;
}

/* Fails where a sum of integers does not fit: the device's wraps silently. */
static void check_sums(const scan_options *o, const numbers *n) {
    const bool is_signed = n->type == ORDO_I32;
    const int64_t least = is_signed ? INT32_MIN : 0;
    const int64_t greatest = is_signed ? INT32_MAX : UINT32_MAX;
    /* Nearly 2^32 i32 fit. Sums of u32 never fall, so the first that is out of range tells of all,
       long before they are too large for this. */
    int64_t sum = 0;
    for (uint64_t i = 0; i < n->k.count; i++) {
        uint32_t bits;
        memcpy(&bits, (const char *)n->k.data + 4 * i, sizeof bits);
        sum += is_signed ? (int64_t)(int32_t)bits : (int64_t)bits;
        const bool is_result =
            i + 1 == n->k.count ? o->inclusive || o->reduce : !o->reduce || !is_signed;
        if (is_result && (sum < least || sum > greatest)) {
            char problem[160];
            snprintf(problem, sizeof problem,
                     "the sum %" PRId64
                     " with this one is out of range of %s; --wrap lets it wrap, "
                     "--type f32 rounds",
                     sum, type_name(n->type));
            numbers_fail(n, i, problem);
        }
    }
}

/* ---- Entry point --------------------------------------------------------------------------- */

static ordo_status make_scan(ordo_context *context, const void *desc, ordo_plan **plan) {
    return ordo_scan_plan(context, desc, plan);
}

static ordo_status make_reduce(ordo_context *context, const void *desc, ordo_plan **plan) {
    return ordo_reduce_plan(context, desc, plan);
}

/* The results, allocated. */
static keys combine(const scan_options *o, const numbers *n, run_stats *stats) {
    keys k = {.type = n->type, .count = o->reduce ? 1 : n->k.count};
    k.data = allocate(k.count, sizeof(uint32_t), "results");
    const ordo_arrays arrays = {.in = n->k.data, .out = k.data};
    if (o->reduce) {
        const ordo_reduce_desc desc = {.max_count = n->k.count, .type = n->type, .op = o->op};
        run_once(&o->common.gpu, o->common.stats, make_reduce, &desc, &arrays, stats);
    } else if (k.count > 0) {
        const ordo_scan_desc desc = {
            .max_count = n->k.count, .type = n->type, .op = o->op, .inclusive = o->inclusive};
        run_once(&o->common.gpu, o->common.stats, make_scan, &desc, &arrays, stats);
    }
    return k;
}

static void write_results(const scan_options *o, const input *in, const keys *k) {
    output_open(o->common.output);
    if (in->format != FORMAT_TEXT && !o->reduce) {
        array_write_words(in, k->type, k->data, k->count, 0);
    } else {
        for (uint64_t i = 0; i < k->count; i++) {
            char shown[SHOWN_BYTES];
            key_show(k, i, shown);
            output_print("%s\n", shown);
            if (i % 65536 == 0)
                progress("writing", i, k->count);
        }
    }
    output_finish();
}

int scan_main(int argc, char **argv) {
    const double start = now_seconds();
    scan_options o = parse_arguments(argc, argv);
    output_check(o.common.output);
    progress_start(o.common.quiet);

    numbers n;
    numbers_read(&n, &o.common, false);
    make_items(&n);
    if (o.op == ORDO_ADD && n.type != ORDO_F32 && !o.wrap)
        check_sums(&o, &n);
    run_stats stats = {.on_gpu = false};
    keys results = combine(&o, &n, &stats);
    write_results(&o, &n.in, &results);
    progress_end();
    if (o.common.stats)
        print_run(&stats, "numbers", n.k.count, n.read_seconds, start);
    free(results.data);
    numbers_free(&n);
    return EXIT_FINE;
}
