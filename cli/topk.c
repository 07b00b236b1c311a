/* SPDX-License-Identifier: MIT */
/*
 * topk.c: the subcommand `topk`: the best k of all numbers, or of each row of an array.
 *
 *     files -> numbers -> GPU -> text: indices, by which the lines are written
 *                                arrays: the best keys themselves
 *
 * The result is the beginning of what `sort -r` writes, or `sort` with --smallest.
 */
#include "cli.h"
#include "common.h"
#include "output.h"
#include "run.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct topk_options {
    common_options common;
    bool has_k;
    uint32_t k;
    bool smallest;
    bool indices;
    uint32_t row_length; /* 0: not given */
} topk_options;

/* What is best, in order. */
typedef struct selection {
    uint32_t *indices; /* allocated; of rows counted from the start of each */
    void *keys;        /* allocated; of arrays */
    uint64_t count;    /* of all rows together */
    uint64_t columns;  /* entries of each row; 0: no rows */
} selection;

/* ---- Arguments ----------------------------------------------------------------------------- */

enum { OPTION_SMALLEST = OPTION_OWN, OPTION_INDICES, OPTION_ROWS };

static const struct option long_options[] = {
    {"k", required_argument, NULL, 'k'},
    {"smallest", no_argument, NULL, OPTION_SMALLEST},
    {"indices", no_argument, NULL, OPTION_INDICES},
    {"rows", required_argument, NULL, OPTION_ROWS},
    COMMON_OPTIONS,
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: ordo topk -k K [OPTION]... [FILE]...\n"
    "Write the K greatest numbers of all FILEs, the greatest first, by selection on the GPU; "
    "equal\n"
    "numbers keep their order. They are the first K that 'ordo sort -r' would write.\n"
    "\n"
    "A FILE holds one number a line, or is a NumPy array (.npy) of one dimension, or of two for "
    "the\n"
    "best of each row. Several are taken as one. Without FILE, or when it is -, standard input is\n"
    "read. The result is of the same kind: lines as they were, or an array.\n"
    "\n"
    "  -k, --k=K          how many; if there are fewer, all\n"
    "      --smallest     the K smallest, the smallest first: as 'ordo sort'\n"
    "      --indices      write positions counted from 0, in a row from its start: one a line for\n"
    "                     text, little-endian u32 for .npy and raw input\n"
    "      --rows=N       of arrays: the best of each N elements; .npy output has two "
    "dimensions\n" HELP_OUTPUT HELP_TYPE HELP_RAW HELP_ADAPTER HELP_STATS "\n"
    "Exit code: 0 if all went well, 2 on trouble.";

static void take_option(topk_options *o, int letter) {
    switch (letter) {
    case 'k':
        o->k = (uint32_t)count_option(o->common.topic, "-k", optarg, 32);
        o->has_k = true;
        break;
    case OPTION_SMALLEST:
        o->smallest = true;
        break;
    case OPTION_INDICES:
        o->indices = true;
        break;
    case OPTION_ROWS:
        o->row_length = (uint32_t)count_option(o->common.topic, "--rows", optarg, 32);
        if (o->row_length == 0)
            fail_usage(o->common.topic, "--rows must be at least 1");
        break;
    default: /* OPTION_HELP */
        common_help(help);
    }
}

static topk_options parse_arguments(int argc, char **argv) {
    topk_options o = {.common.topic = "topk"};
    int letter;
    while ((letter = getopt_long(argc, argv, "k:" COMMON_LETTERS, long_options, NULL)) != -1) {
        if (!common_option(&o.common, letter))
            take_option(&o, letter);
    }
    common_names(&o.common, argc, argv);
    if (!o.has_k)
        fail_usage(o.common.topic, "-k is missing: how many?");
    return o;
}

/* The elements of a row, 0 if there is but one. */
static uint64_t find_row_length(const topk_options *o, const numbers *n) {
    if (o->row_length == 0)
        return n->in.columns;
    if (n->in.format == FORMAT_TEXT)
        fail("--rows is for arrays, not for text");
    if (n->in.columns != 0)
        fail("%s: the array has rows already; --rows is for those of one dimension",
             n->in.sources[0].name);
    if (n->k.count % o->row_length != 0)
        fail("%" PRIu64 " elements are not rows of %" PRIu32 ": %" PRIu64 " are left over",
             n->k.count, o->row_length, n->k.count % o->row_length);
    return o->row_length;
}

/* ---- Selection ----------------------------------------------------------------------------- */

static ordo_status make_plan(ordo_context *context, const void *desc, ordo_plan **plan) {
    return ordo_top_k_plan(context, desc, plan);
}

static selection select_best(const topk_options *o, const numbers *n, run_stats *stats) {
    const uint64_t row_length = find_row_length(o, n);
    const uint64_t length = row_length == 0 ? n->k.count : row_length;
    const uint32_t k = o->k < length ? o->k : (uint32_t)length;
    const uint64_t rows = length == 0 ? 0 : n->k.count / length;
    selection s = {.count = rows * k, .columns = row_length == 0 ? 0 : k};
    s.indices = allocate(s.count, sizeof *s.indices, "indices");
    s.keys = allocate(s.count, ordo_type_bytes(n->k.type), "keys");
    if (s.count == 0)
        return s;
    const ordo_top_k_desc desc = {.max_count = n->k.count,
                                  .key = n->k.type,
                                  .smallest = o->smallest,
                                  .k = k,
                                  .row_length = (uint32_t)row_length};
    const ordo_arrays arrays = {.in = n->k.data, .out = s.keys, .values_out = s.indices};
    run_once(&o->common.gpu, o->common.stats, make_plan, &desc, &arrays, stats);
    return s;
}

/*
 * Rounded keys tie where numbers differ, and of those with the last key chosen the exact values
 * tell which are best. So all of that key are taken, in the order of the input, and put into the
 * exact order; the first of them stay.
 */
static void settle_ties(const topk_options *o, const numbers *n, selection *s) {
    const keys *k = &n->k;
    const uint64_t last = key_image(k, s->indices[s->count - 1]);
    uint64_t candidates = s->count;
    while (candidates > 0 && key_image(k, s->indices[candidates - 1]) == last)
        candidates--;
    uint64_t tied = 0;
    for (uint64_t i = 0; i < k->count; i++)
        tied += key_image(k, i) == last;
    s->indices = reallocate(s->indices, candidates + tied, sizeof *s->indices, "equal keys");
    for (uint64_t i = 0; i < k->count; i++) {
        if (key_image(k, i) == last)
            s->indices[candidates++] = (uint32_t)i;
    }
    text_refine(&n->t, k, !o->smallest, s->indices, candidates);
}

/* ---- Entry point --------------------------------------------------------------------------- */

static void write_best(const topk_options *o, const numbers *n, const selection *s) {
    const keys best = {.type = n->k.type, .count = s->count, .data = s->keys};
    output_open(o->common.output);
    if (o->indices)
        write_indices(&n->in, s->indices, s->count, s->columns);
    else if (n->in.format == FORMAT_TEXT)
        text_write_lines(&n->t, s->indices, s->count);
    else
        array_write(&n->in, &best, s->columns);
    output_finish();
}

int topk_main(int argc, char **argv) {
    const double start = now_seconds();
    topk_options o = parse_arguments(argc, argv);
    output_check(o.common.output);
    progress_start(o.common.quiet);

    numbers n;
    numbers_read(&n, &o.common, true);
    run_stats stats = {.on_gpu = false};
    selection s = select_best(&o, &n, &stats);
    if (n.t.rounded && s.count > 0)
        settle_ties(&o, &n, &s);
    write_best(&o, &n, &s);
    progress_end();
    if (o.common.stats)
        print_run(&stats, "numbers", n.k.count, n.read_seconds, start);
    free(s.indices);
    free(s.keys);
    numbers_free(&n);
    return EXIT_FINE;
}
