/* SPDX-License-Identifier: MIT */
/*
 * advise.c: the subcommand `advise`: which primitive serves a need best. It measures a file, or
 * believes what options say, and asks the library; it opens no adapter.
 *
 *     options ──────────► ordo_question -> ordo_advise -> answer, C code, table of options
 *     file -> measure ──►
 */
#include "advise_show.h"
#include "cli.h"
#include "measure.h"
#include "points.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const need_names[] = {"order", "groups", "best", "counts", "neighbours"};

typedef struct advise_options {
    common_options common; /* topic, type, raw, names */
    ordo_question question;
    bool has_count;
    bool json;
    const char *measured; /* an option that says what a file tells; NULL if none is given */
} advise_options;

/* ---- Arguments ----------------------------------------------------------------------------- */

static const char help[] =
    "Usage: ordo advise [OPTION]... FILE...\n"
    "       ordo advise --count=N [OPTION]...\n"
    "Say which of ordo's primitives serves a need best, as C code, and what the others would cost\n"
    "by ordo's model of an H200. Where WebGPU's guaranteed limits do not allow it, what to "
    "request\n"
    "is said. Needs no GPU. FILEs are read as by 'ordo sort' and measured: how many numbers, how\n"
    "many of them different, which bits differ, whether they are in order. Without FILE options\n"
    "say it. - is standard input.\n"
    "\n"
    "      --need=N            what the numbers are needed for:\n"
    "                            order       all of them, in order (default)\n"
    "                            groups      equal ones together\n"
    "                            best        the first K of the order\n"
    "                            counts      how many of each, or of each range\n"
    "                            neighbours  points near each other\n"
    "  -k, --k=K               of best\n"
    "      --descending        the greatest come first\n"
    "      --memory=BYTES      scratch that there is room for\n"
    "      --type=T            u32 (default), i32, f32, u64, i64 or f64\n"
    "      --raw               FILEs are bare little-endian elements of --type\n"
    "What goes with the numbers:\n"
    "      --value-bytes=B     a value of B bytes each\n"
    "      --argsort           indices are wanted instead\n"
    "      --in-place          results replace the inputs\n"
    "      --allow-unstable    equal numbers may come out in any order\n"
    "      --row-length=N      each N consecutive numbers are a row of their own";

static const char help_rest[] =
    "What a FILE would tell:\n"
    "      --count=N           numbers, or points; also as 2^E\n"
    "      --distinct=N        at most so many are different\n"
    "      --bits=N            so many bits differ, the lowest ones,\n"
    "      --skip-low-bits=N   or those above the lowest N\n"
    "      --limit=N           all are u32 below N\n"
    "      --sorted            they are in order already\n"
    "Of counts:\n"
    "      --bins=N            N ranges of equal width are enough,\n"
    "      --lo=X, --hi=X      from X to X\n"
    "Of neighbours:\n"
    "      --radius=R          how near a neighbour is\n"
    "      --dimensions=D      2 or 3 (default)\n"
    "      --lower=X,Y[,Z]     the box that holds all points; a FILE tells it\n"
    "      --upper=X,Y[,Z]\n"
    "\n"
    "      --json              one object with an array `options`, best first\n"
    "      --help\n"
    "\n"
    "Exit code: 0 if an option fits, if need be with larger limits, 1 if none does, 2 on trouble.";

enum {
    LETTER_NEED = OPTION_OWN,
    LETTER_COUNT,
    LETTER_DESCENDING,
    LETTER_MEMORY,
    LETTER_VALUE_BYTES,
    LETTER_ARGSORT,
    LETTER_IN_PLACE,
    LETTER_UNSTABLE,
    LETTER_ROW_LENGTH,
    LETTER_DISTINCT,
    LETTER_BITS,
    LETTER_SKIP_LOW,
    LETTER_LIMIT,
    LETTER_SORTED,
    LETTER_BINS,
    LETTER_LO,
    LETTER_HI,
    LETTER_RADIUS,
    LETTER_DIMENSIONS,
    LETTER_LOWER,
    LETTER_UPPER,
    LETTER_JSON
};

static const struct option long_options[] = {
    {"need", required_argument, NULL, LETTER_NEED},
    {"count", required_argument, NULL, LETTER_COUNT},
    {"k", required_argument, NULL, 'k'},
    {"descending", no_argument, NULL, LETTER_DESCENDING},
    {"memory", required_argument, NULL, LETTER_MEMORY},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"raw", no_argument, NULL, OPTION_RAW},
    {"value-bytes", required_argument, NULL, LETTER_VALUE_BYTES},
    {"argsort", no_argument, NULL, LETTER_ARGSORT},
    {"in-place", no_argument, NULL, LETTER_IN_PLACE},
    {"allow-unstable", no_argument, NULL, LETTER_UNSTABLE},
    {"row-length", required_argument, NULL, LETTER_ROW_LENGTH},
    {"distinct", required_argument, NULL, LETTER_DISTINCT},
    {"bits", required_argument, NULL, LETTER_BITS},
    {"skip-low-bits", required_argument, NULL, LETTER_SKIP_LOW},
    {"limit", required_argument, NULL, LETTER_LIMIT},
    {"sorted", no_argument, NULL, LETTER_SORTED},
    {"bins", required_argument, NULL, LETTER_BINS},
    {"lo", required_argument, NULL, LETTER_LO},
    {"hi", required_argument, NULL, LETTER_HI},
    {"radius", required_argument, NULL, LETTER_RADIUS},
    {"dimensions", required_argument, NULL, LETTER_DIMENSIONS},
    {"lower", required_argument, NULL, LETTER_LOWER},
    {"upper", required_argument, NULL, LETTER_UPPER},
    {"json", no_argument, NULL, LETTER_JSON},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static uint32_t whole_option(const char *name) {
    return (uint32_t)number_option("advise", name, optarg, UINT32_MAX);
}

/* Options about what goes with the numbers, and of needs. False if the letter is none of these. */
static bool take_wish(ordo_question *q, int letter) {
    switch (letter) {
    case LETTER_NEED:
        q->need = (ordo_need)word_option("advise", "--need", optarg, need_names, 5);
        return true;
    case 'k':
        q->k = whole_option("--k");
        return true;
    case LETTER_DESCENDING:
        q->order = ORDO_DESCENDING;
        return true;
    case LETTER_MEMORY:
        q->memory_bytes = count_option("advise", "--memory", optarg, 64);
        return true;
    case LETTER_VALUE_BYTES:
        q->value_bytes = whole_option("--value-bytes");
        return true;
    case LETTER_ARGSORT:
        q->argsort = true;
        return true;
    case LETTER_IN_PLACE:
        q->in_place = true;
        return true;
    case LETTER_UNSTABLE:
        q->allow_unstable = true;
        return true;
    case LETTER_ROW_LENGTH:
        q->row_length = whole_option("--row-length");
        return true;
    case LETTER_BINS:
        q->bin_count = whole_option("--bins");
        return true;
    case LETTER_LO:
        q->lo = real_option("advise", "--lo", optarg);
        return true;
    case LETTER_HI:
        q->hi = real_option("advise", "--hi", optarg);
        return true;
    case LETTER_RADIUS:
        q->radius = (float)real_option("advise", "--radius", optarg);
        return true;
    case LETTER_DIMENSIONS:
        q->dimensions = whole_option("--dimensions");
        return true;
    default:
        return false;
    }
}

/* Options that say what a file tells. */
static void take_fact(advise_options *o, int letter, const char *name) {
    ordo_question *q = &o->question;
    o->measured = name;
    switch (letter) {
    case LETTER_COUNT:
        q->max_count = count_option("advise", name, optarg, 64);
        o->has_count = true;
        break;
    case LETTER_DISTINCT:
        q->distinct_count = count_option("advise", name, optarg, 64);
        break;
    case LETTER_BITS:
        q->significant_bits = whole_option(name);
        break;
    case LETTER_SKIP_LOW:
        q->skip_low_bits = whole_option(name);
        break;
    case LETTER_LIMIT:
        q->key_limit = count_option("advise", name, optarg, 64);
        break;
    case LETTER_SORTED:
        q->sorted = true;
        break;
    case LETTER_LOWER:
        (void)list_option("advise", name, optarg, q->lower, NULL);
        break;
    default: /* LETTER_UPPER */
        (void)list_option("advise", name, optarg, q->upper, NULL);
    }
}

static void take_option(advise_options *o, int letter) {
    static const char *const facts[] = {
        [LETTER_COUNT] = "--count", [LETTER_DISTINCT] = "--distinct",
        [LETTER_BITS] = "--bits",   [LETTER_SKIP_LOW] = "--skip-low-bits",
        [LETTER_LIMIT] = "--limit", [LETTER_SORTED] = "--sorted",
        [LETTER_LOWER] = "--lower", [LETTER_UPPER] = "--upper",
        [LETTER_JSON] = NULL};
    if (common_option(&o->common, letter) || take_wish(&o->question, letter))
        return;
    if (letter == OPTION_HELP) {
        puts(help);
        common_help(help_rest);
    }
    if (letter == LETTER_JSON)
        o->json = true;
    else
        take_fact(o, letter, facts[letter]);
}

static advise_options parse_arguments(int argc, char **argv) {
    advise_options o = {.common.topic = "advise"};
    int letter;
    while ((letter = getopt_long(argc, argv, "k:", long_options, NULL)) != -1)
        take_option(&o, letter);
    common_names(&o.common, argc, argv);
    if (o.common.name_count != 0 && o.measured != NULL)
        fail_usage("advise", "%s is what a FILE tells: give one or the other", o.measured);
    if (o.common.name_count == 0 && o.common.raw)
        fail_usage("advise", "--raw is about FILEs, and there is none");
    if (o.common.name_count == 0 && !o.has_count)
        fail_usage("advise", "neither a FILE nor --count is given");
    o.question.key = o.common.has_type ? o.common.type : ORDO_U32;
    return o;
}

/* ---- Files --------------------------------------------------------------------------------- */

/*
 * Integers of text are read as their distances to the least, which is best for sorts; bounds of
 * ranges are about the numbers themselves. Make their keys those: of 32 bits if all fit, as
 * histograms take no more, else of the type that they are read as.
 */
static void take_own_keys(numbers *n) {
    const uint64_t middle = UINT64_C(1) << 63, half = UINT64_C(1) << 31;
    const uint64_t zero = type_is_signed(n->type) ? middle : 0;
    bool as_i32 = true, as_u32 = true;
    for (uint64_t i = 0; i < n->k.count; i++) {
        const uint64_t number = numbers_integer(n, i) - zero;
        as_i32 = as_i32 && number + half <= UINT32_MAX && (zero != 0 || number < half);
        as_u32 = as_u32 && number <= UINT32_MAX;
    }
    keys own = {.type = ordo_type_bytes(n->type) == 4 ? n->type
                        : as_i32                      ? ORDO_I32
                        : as_u32                      ? ORDO_U32
                                                      : n->type,
                .count = n->k.count};
    const uint32_t bytes = ordo_type_bytes(own.type);
    own.data = allocate(own.count, bytes, "keys");
    for (uint64_t i = 0; i < own.count; i++) {
        const uint64_t number = numbers_integer(n, i) - zero;
        const uint32_t low = (uint32_t)number;
        memcpy((char *)own.data + bytes * i, bytes == 4 ? (const void *)&low : &number, bytes);
    }
    free(n->k.data);
    n->k = own;
}

static void ask_about_keys(ordo_question *q, const numbers *n, const key_facts *facts) {
    q->max_count = n->k.count;
    q->key = n->k.type;
    q->distinct_count = facts->distinct_count <= MOST_DISTINCT ? facts->distinct_count : 0;
    q->skip_low_bits = facts->significant_bits != 0 ? facts->skip_low_bits : 0;
    q->significant_bits = facts->significant_bits;
    q->sorted = q->need != ORDO_NEED_COUNTS && n->k.count > 1 && facts->disorder_count == 0;
    if (q->key == ORDO_U32 && n->k.count != 0)
        q->key_limit = key_image(&n->k, facts->greatest) + 1;
}

static void ask_about_points(ordo_question *q, const points *p) {
    q->max_count = p->count;
    q->key = ORDO_U32;
    q->dimensions = p->dimensions;
    measure_points(p->coordinates, p->count, p->dimensions, q->lower, q->upper);
}

int advise_main(int argc, char **argv) {
    advise_options o = parse_arguments(argc, argv);
    ordo_question *q = &o.question;
    const bool of_points = q->need == ORDO_NEED_NEIGHBOURS, files = o.common.name_count != 0;
    numbers n = {.t = {.in = NULL}};
    points p = {.dimensions = 0};
    key_facts facts = {.distinct_count = 0};
    bool distances = false;
    if (files && of_points) {
        points_read(&p, &o.common, q->dimensions);
        ask_about_points(q, &p);
    } else if (files) {
        numbers_read(&n, &o.common, false);
        const bool integers = n.t.in != NULL && !type_is_float(n.type);
        distances = integers && q->bin_count == 0;
        if (integers && !distances)
            take_own_keys(&n);
        measure_keys(&n.k, q->order == ORDO_DESCENDING, &facts);
        ask_about_keys(q, &n, &facts);
    }
    ordo_advice advice;
    if (ordo_advise(NULL, q, &advice) != ORDO_OK)
        fail("no advice: %s", advice.message);
    if (o.json)
        printf("{\"need\": \"%s\", ", need_names[q->need]);
    if (files && of_points)
        show_points(q, o.json);
    else if (files)
        show_keys(&n, &facts, distances, o.json);
    show_advice(q, &advice, o.json);
    numbers_free(&n);
    points_free(&p);
    finish_stdout();
    return advice.fits || needs_limits(&advice.options[0]) ? EXIT_FINE : EXIT_DISORDER;
}
