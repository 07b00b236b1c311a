/* SPDX-License-Identifier: MIT */
/* plan_desc.c: see plan_desc.h. */
#include "plan_desc.h"

#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const primitive_names[PRIMITIVE_COUNT] = {
    "sort", "scan", "reduce", "histogram", "counting-sort", "grid", "top-k"};

static const char *const op_names[] = {"add", "min", "max"};
static const char *const bins_names[] = {"even", "bits", "edges"};
static const char *const outside_names[] = {"clamp", "wrap", "apart"};

static void print_help(void) {
    puts("Usage: ordo plan --count=N [OPTION]...\n"
         "Print the GPU steps of a sort, or of another primitive, the memory they take, and the\n"
         "time by ordo's model of an H200, on a device with WebGPU's guaranteed limits. Needs no\n"
         "GPU.\n"
         "\n"
         "      --count=N           elements; also as 2^E\n"
         "      --key=T             u32 (default), i32, f32, u64, i64 or f64; not of grid and\n"
         "                          counting-sort\n"
         "      --primitive=P       sort (default), scan, reduce, histogram, counting-sort, grid\n"
         "                          or top-k\n"
         "      --in-place          of sort and scan: results replace the inputs\n"
         "      --tuning=TEXT       shapes of kernels, as 'ordo tune' prints them\n"
         "Of sort, and some of others as it says:\n"
         "      --value-bytes=B     with values of B bytes; also of counting-sort\n"
         "      --argsort           indices instead of values; also of counting-sort\n"
         "      --descending\n"
         "      --skip-low-bits=N   leave out the N lowest bits of keys; also of histogram\n"
         "      --skip-high-bits=N  and the N highest; also of histogram\n"
         "      --allow-unstable    equal keys may come out in any order\n"
         "      --method=M          auto (default), msd, radix, onesweep, sample, bitonic,\n"
         "                          bitonic-direct or oddeven\n"
         "      --digit-bits=N      of radix: 8, or 4 for the classic form\n"
         "Of sort by a network, that is by bitonic, bitonic-direct or oddeven:\n"
         "      --block=N           elements that a workgroup sorts: a power of two from 16 on\n"
         "      --fuse=N            of bitonic: steps of the network in one dispatch, 1 to 4\n"
         "      --row-length=N      sort each N consecutive elements by themselves; also of top-k\n"
         "      --parts=LIST        instead of --key: a key of 2 to 4 words, the first one most\n"
         "                          significant, as in u32,i32:descending,f32");
    puts("Of scan and reduce:\n"
         "      --op=O              add (default), min or max\n"
         "      --inclusive         of scan\n"
         "Of histogram:\n"
         "      --bins=B            even (default), bits (a bin for each value of some bits), or\n"
         "                          edges (that are in a buffer)\n"
         "      --bin-count=N       default 256\n"
         "      --lo=X, --hi=X      the ends of even bins\n"
         "Of counting-sort:\n"
         "      --bucket-count=N    default 256\n"
         "      --nearest=X         elements are depths: buckets are even from X\n"
         "      --farthest=X        to X,\n"
         "      --logarithmic       finer when near,\n"
         "      --reversed          and the farthest come first\n"
         "Of grid:\n"
         "      --dimensions=D      2 or 3 (default)\n"
         "      --stride-bytes=B    from one point to the next\n"
         "      --offset-bytes=B    of the first one\n"
         "      --origin=X,Y[,Z]    the lower corner\n"
         "      --cell-size=X[,Y,Z] in each axis\n"
         "      --cells=X,Y[,Z]     in each axis\n"
         "      --outside=O         clamp (default), wrap or apart\n"
         "      --table-size=N      hashed: a power of two\n"
         "      --points-out        also the points, in the order of cells\n"
         "Of top-k:\n"
         "      --k=N               how many\n"
         "      --smallest          instead of the largest\n"
         "\n"
         "      --json              one object with an array `steps`, `scratch_bytes` and more\n"
         "      --help");
}

/* ---- Values of options --------------------------------------------------------------------- */

static uint32_t word_number(const char *option, const char *text) {
    return (uint32_t)number_option("plan", option, text, UINT32_MAX);
}

/* One word of a composite key: a type, and perhaps a colon and an order. */
static ordo_key_part parse_part(char *text) {
    ordo_key_part part = {.order = ORDO_ASCENDING};
    char *colon = strchr(text, ':');
    if (colon != NULL) {
        *colon++ = '\0';
        if (strcmp(colon, "descending") == 0)
            part.order = ORDO_DESCENDING;
        else if (strcmp(colon, "ascending") != 0)
            fail_usage("plan", "--parts: '%s' is neither ascending nor descending", colon);
    }
    if (!type_from_name(text, &part.type))
        fail_usage("plan", "--parts: '%s' is none of u32, i32, f32", text);
    return part;
}

static void parts_option(ordo_sort_desc *sort, char *text) {
    sort->part_count = 0;
    while (text != NULL) {
        char *comma = strchr(text, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (sort->part_count == ORDO_MAX_PARTS)
            fail_usage("plan", "--parts takes at most %d words: '%s' is one too many",
                       ORDO_MAX_PARTS, text);
        sort->parts[sort->part_count++] = parse_part(text);
        text = comma;
    }
}

/* ---- Options ------------------------------------------------------------------------------- */

/* Primitives as a set of bits. */
enum {
    OF_SORT = 1 << PRIMITIVE_SORT,
    OF_SCAN = 1 << PRIMITIVE_SCAN,
    OF_REDUCE = 1 << PRIMITIVE_REDUCE,
    OF_HISTOGRAM = 1 << PRIMITIVE_HISTOGRAM,
    OF_COUNTING = 1 << PRIMITIVE_COUNTING_SORT,
    OF_GRID = 1 << PRIMITIVE_GRID,
    OF_TOP_K = 1 << PRIMITIVE_TOP_K,
    OF_ALL = (1 << PRIMITIVE_COUNT) - 1,
    OF_KEYS = OF_SORT | OF_SCAN | OF_REDUCE | OF_HISTOGRAM | OF_TOP_K,
};

bool primitive_has_key(primitive p) { return (OF_KEYS >> p & 1) != 0; }

/* All options: a name, whether it has an argument, and the primitives that have it. The place of
   one in the table, plus OPTION_FIRST, is what getopt_long returns for it. */
#define OPTIONS(X)                                                                                 \
    X(COUNT, "count", 1, OF_ALL)                                                                   \
    X(KEY, "key", 1, OF_KEYS)                                                                      \
    X(PRIMITIVE, "primitive", 1, OF_ALL)                                                           \
    X(JSON, "json", 0, OF_ALL)                                                                     \
    X(HELP, "help", 0, OF_ALL)                                                                     \
    X(TUNING, "tuning", 1, OF_ALL)                                                                 \
    X(IN_PLACE, "in-place", 0, OF_SORT | OF_SCAN)                                                  \
    X(VALUE_BYTES, "value-bytes", 1, OF_SORT | OF_COUNTING)                                        \
    X(ARGSORT, "argsort", 0, OF_SORT | OF_COUNTING)                                                \
    X(DESCENDING, "descending", 0, OF_SORT)                                                        \
    X(SKIP_LOW, "skip-low-bits", 1, OF_SORT | OF_HISTOGRAM)                                        \
    X(SKIP_HIGH, "skip-high-bits", 1, OF_SORT | OF_HISTOGRAM)                                      \
    X(UNSTABLE, "allow-unstable", 0, OF_SORT)                                                      \
    X(METHOD, "method", 1, OF_SORT)                                                                \
    X(DIGIT_BITS, "digit-bits", 1, OF_SORT)                                                        \
    X(BLOCK, "block", 1, OF_SORT)                                                                  \
    X(FUSE, "fuse", 1, OF_SORT)                                                                    \
    X(ROW_LENGTH, "row-length", 1, OF_SORT | OF_TOP_K)                                             \
    X(PARTS, "parts", 1, OF_SORT)                                                                  \
    X(OP, "op", 1, OF_SCAN | OF_REDUCE)                                                            \
    X(INCLUSIVE, "inclusive", 0, OF_SCAN)                                                          \
    X(BINS, "bins", 1, OF_HISTOGRAM)                                                               \
    X(BIN_COUNT, "bin-count", 1, OF_HISTOGRAM)                                                     \
    X(LO, "lo", 1, OF_HISTOGRAM)                                                                   \
    X(HI, "hi", 1, OF_HISTOGRAM)                                                                   \
    X(BUCKET_COUNT, "bucket-count", 1, OF_COUNTING)                                                \
    X(NEAREST, "nearest", 1, OF_COUNTING)                                                          \
    X(FARTHEST, "farthest", 1, OF_COUNTING)                                                        \
    X(LOGARITHMIC, "logarithmic", 0, OF_COUNTING)                                                  \
    X(REVERSED, "reversed", 0, OF_COUNTING)                                                        \
    X(DIMENSIONS, "dimensions", 1, OF_GRID)                                                        \
    X(STRIDE_BYTES, "stride-bytes", 1, OF_GRID)                                                    \
    X(OFFSET_BYTES, "offset-bytes", 1, OF_GRID)                                                    \
    X(ORIGIN, "origin", 1, OF_GRID)                                                                \
    X(CELL_SIZE, "cell-size", 1, OF_GRID)                                                          \
    X(CELLS, "cells", 1, OF_GRID)                                                                  \
    X(OUTSIDE, "outside", 1, OF_GRID)                                                              \
    X(TABLE_SIZE, "table-size", 1, OF_GRID)                                                        \
    X(POINTS_OUT, "points-out", 0, OF_GRID)                                                        \
    X(K, "k", 1, OF_TOP_K)                                                                         \
    X(SMALLEST, "smallest", 0, OF_TOP_K)

enum {
    OPTION_FIRST = 256, /* beyond letters */
#define OPTION_ID(id, name, argument, primitives) OPTION_##id,
    OPTION_BEFORE = OPTION_FIRST - 1,
    OPTIONS(OPTION_ID)
#undef OPTION_ID
};

static const struct option long_options[] = {
#define OPTION_ROW(id, name, argument, primitives) {name, argument, NULL, OPTION_##id},
    OPTIONS(OPTION_ROW)
#undef OPTION_ROW
        {NULL, 0, NULL, 0}};

static const unsigned option_primitives[] = {
#define OPTION_SET(id, name, argument, primitives) primitives,
    OPTIONS(OPTION_SET)
#undef OPTION_SET
};

/* How a sort is done, and on what it works. False if the option is none of these. */
static bool take_sort_option(ordo_sort_desc *sort, int option, const char *name) {
    switch (option) {
    case OPTION_VALUE_BYTES:
        sort->value_bytes = word_number(name, optarg);
        return true;
    case OPTION_ARGSORT:
        sort->argsort = true;
        return true;
    case OPTION_DESCENDING:
        sort->order = ORDO_DESCENDING;
        return true;
    case OPTION_SKIP_LOW:
        sort->skip_low_bits = word_number(name, optarg);
        return true;
    case OPTION_SKIP_HIGH:
        sort->skip_high_bits = word_number(name, optarg);
        return true;
    case OPTION_UNSTABLE:
        sort->allow_unstable = true;
        return true;
    case OPTION_METHOD:
        sort->method = method_option("plan", optarg);
        return true;
    case OPTION_DIGIT_BITS:
        sort->digit_bits = word_number(name, optarg);
        return true;
    case OPTION_BLOCK:
        sort->block_length = word_number(name, optarg);
        return true;
    case OPTION_FUSE:
        sort->fused_levels = word_number(name, optarg);
        return true;
    case OPTION_ROW_LENGTH:
        sort->row_length = word_number(name, optarg);
        return true;
    case OPTION_PARTS:
        parts_option(sort, optarg);
        return true;
    default:
        return false;
    }
}

static bool take_histogram_option(ordo_histogram_desc *histogram, int option, const char *name) {
    switch (option) {
    case OPTION_BINS:
        histogram->bins = (ordo_bins)word_option("plan", name, optarg, bins_names, 3);
        return true;
    case OPTION_BIN_COUNT:
        histogram->bin_count = word_number(name, optarg);
        return true;
    case OPTION_LO:
        histogram->lo = real_option("plan", name, optarg);
        return true;
    case OPTION_HI:
        histogram->hi = real_option("plan", name, optarg);
        return true;
    default:
        return false;
    }
}

static bool take_counting_option(ordo_counting_sort_desc *counting, int option, const char *name) {
    switch (option) {
    case OPTION_BUCKET_COUNT:
        counting->bucket_count = word_number(name, optarg);
        return true;
    case OPTION_NEAREST:
        counting->depth.nearest = real_option("plan", name, optarg);
        return true;
    case OPTION_FARTHEST:
        counting->depth.farthest = real_option("plan", name, optarg);
        return true;
    case OPTION_LOGARITHMIC:
        counting->depth.logarithmic = true;
        return true;
    case OPTION_REVERSED:
        counting->depth.reversed = true;
        return true;
    default:
        return false;
    }
}

static bool take_grid_option(ordo_grid_desc *grid, int option, const char *name) {
    switch (option) {
    case OPTION_DIMENSIONS:
        grid->dimensions = word_number(name, optarg);
        return true;
    case OPTION_STRIDE_BYTES:
        grid->stride_bytes = word_number(name, optarg);
        return true;
    case OPTION_OFFSET_BYTES:
        grid->offset_bytes = word_number(name, optarg);
        return true;
    case OPTION_ORIGIN:
        (void)list_option("plan", name, optarg, grid->origin, NULL);
        return true;
    case OPTION_CELL_SIZE:
        (void)list_option("plan", name, optarg, grid->cell_size, NULL);
        return true;
    case OPTION_CELLS:
        (void)list_option("plan", name, optarg, NULL, grid->cells);
        return true;
    case OPTION_OUTSIDE:
        grid->outside = (ordo_outside)word_option("plan", name, optarg, outside_names, 3);
        return true;
    case OPTION_TABLE_SIZE:
        grid->table_size = (uint32_t)count_option("plan", name, optarg, 32);
        return true;
    case OPTION_POINTS_OUT:
        grid->points_out = true;
        return true;
    default:
        return false;
    }
}

static void take_option(plan_options *o, int option, const char *name) {
    if (take_sort_option(&o->sort, option, name) ||
        take_histogram_option(&o->histogram, option, name) ||
        take_counting_option(&o->counting_sort, option, name) ||
        take_grid_option(&o->grid, option, name))
        return;
    switch (option) {
    case OPTION_COUNT:
        o->sort.max_count = count_option("plan", name, optarg, 64);
        o->has_count = true;
        break;
    case OPTION_KEY:
        o->sort.key = type_option("plan", "--key", optarg);
        break;
    case OPTION_IN_PLACE:
        o->sort.in_place = true;
        break;
    case OPTION_PRIMITIVE:
        o->primitive =
            (primitive)word_option("plan", name, optarg, primitive_names, PRIMITIVE_COUNT);
        break;
    case OPTION_OP:
        o->op = (ordo_op)word_option("plan", name, optarg, op_names, 3);
        break;
    case OPTION_INCLUSIVE:
        o->inclusive = true;
        break;
    case OPTION_K:
        o->top_k.k = word_number(name, optarg);
        break;
    case OPTION_SMALLEST:
        o->top_k.smallest = true;
        break;
    case OPTION_JSON:
        o->json = true;
        break;
    case OPTION_TUNING:
        o->tuning = optarg;
        break;
    default: /* OPTION_HELP */
        print_help();
        finish_stdout();
        exit(EXIT_FINE);
    }
}

plan_options plan_parse(int argc, char **argv) {
    plan_options o = {.primitive = PRIMITIVE_SORT};
    /* --primitive may come last, so the first option that a primitive lacks is kept for each. */
    const char *lacking[PRIMITIVE_COUNT] = {NULL};
    int option;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == '?')
            fail_hint("plan"); /* getopt has said why */
        const int row = option - OPTION_FIRST;
        char name[32];
        snprintf(name, sizeof name, "--%s", long_options[row].name);
        take_option(&o, option, name);
        for (int p = 0; p < PRIMITIVE_COUNT; p++) {
            if (lacking[p] == NULL && !(option_primitives[row] >> p & 1))
                lacking[p] = long_options[row].name;
        }
    }
    if (lacking[o.primitive] != NULL)
        fail_usage("plan", "%s has no --%s", primitive_names[o.primitive], lacking[o.primitive]);
    if (optind < argc)
        fail_usage("plan", "'%s' is one argument too many", argv[optind]);
    if (!o.has_count)
        fail_usage("plan", "--count is missing");
    return o;
}

/* ---- Planning ------------------------------------------------------------------------------ */

ordo_status plan_ask(const plan_options *o, ordo_step *steps, uint32_t capacity,
                     ordo_summary *summary) {
    const ordo_caps caps = {.tuning = o->tuning};
    const ordo_sort_desc *s = &o->sort;
    const ordo_scan_desc scan = {.max_count = s->max_count,
                                 .type = s->key,
                                 .op = o->op,
                                 .inclusive = o->inclusive,
                                 .in_place = s->in_place};
    const ordo_reduce_desc reduce = {.max_count = s->max_count, .type = s->key, .op = o->op};
    ordo_histogram_desc histogram = o->histogram;
    ordo_counting_sort_desc counting_sort = o->counting_sort;
    ordo_grid_desc grid = o->grid;
    ordo_top_k_desc top_k = o->top_k;
    histogram.max_count = counting_sort.max_count = grid.max_count = top_k.max_count = s->max_count;
    histogram.type = top_k.key = s->key;
    histogram.skip_low_bits = s->skip_low_bits;
    histogram.skip_high_bits = s->skip_high_bits;
    counting_sort.value_bytes = s->value_bytes;
    counting_sort.argsort = s->argsort;
    top_k.row_length = s->row_length;
    switch (o->primitive) {
    case PRIMITIVE_SCAN:
        return ordo_scan_steps(&caps, &scan, steps, capacity, summary);
    case PRIMITIVE_REDUCE:
        return ordo_reduce_steps(&caps, &reduce, steps, capacity, summary);
    case PRIMITIVE_HISTOGRAM:
        return ordo_histogram_steps(&caps, &histogram, steps, capacity, summary);
    case PRIMITIVE_COUNTING_SORT:
        return ordo_counting_sort_steps(&caps, &counting_sort, steps, capacity, summary);
    case PRIMITIVE_GRID:
        return ordo_grid_steps(&caps, &grid, steps, capacity, summary);
    case PRIMITIVE_TOP_K:
        return ordo_top_k_steps(&caps, &top_k, steps, capacity, summary);
    default:
        return ordo_sort_steps(&caps, s, steps, capacity, summary);
    }
}
