/* SPDX-License-Identifier: MIT */
/* main.c: the benchmark `ordo_bench`: options, and the list of cases they make. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LIST 32

enum { EXIT_FINE = 0, EXIT_WRONG = 1, EXIT_TROUBLE = 2 };

static const char help[] =
    "Usage: ordo_bench [OPTION]...\n"
    "Measure ordo on a GPU: one line of JSON a case, every result verified on the GPU.\n"
    "Lists are separated by commas, and every combination of them is a case.\n"
    "\n"
    "      --count LIST          elements, as 1000000 or 2^20 (2^16,2^20,2^24)\n"
    "      --primitive LIST      sort, argsort, scan, reduce, histogram, counting-sort,\n"
    "                            counting-argsort, grid, top-k, copy (sort)\n"
    "      --type LIST           u32, i32, f32, u64, i64, f64 (u32)\n"
    "      --value-bytes LIST    bytes carried with each key by sort and counting-sort (0,4)\n"
    "      --distribution LIST   random, entropy-0.544, entropy-0.201, sorted, reversed, equal,\n"
    "                            few, zipf, distinct-100, clustered, bits-8, zipf-ranks, normal,\n"
    "                            nearly-sorted, or all (random)\n"
    "      --unit                f32 from 0 to 1, drawn evenly if random, else as any bits\n"
    "      --row-length LIST     of sorts and top-k. 0: one array, else rows of so many elements "
    "(0)\n"
    "      --skip-high-bits LIST leave out so many bits of u32 or u64, which are drawn as zeros "
    "(0)\n"
    "      --method LIST         auto, radix, bitonic, bitonic-direct, oddeven, msd, sample,\n"
    "                            onesweep (auto)\n"
    "      --digit-bits LIST     of radix. 0: the fastest known, 4, 8 (0)\n"
    "      --block LIST          of networks, elements a workgroup sorts. 0: the most it holds "
    "(0)\n"
    "      --fuse LIST           of bitonic, steps in one dispatch. 0: the fastest, 1 to 4 (0)\n"
    "      --bins LIST           of histogram (256)\n"
    "      --bins-by LIST        even, bits, edges: over all u32 and i32, of f32 from 0 to 1 "
    "(even)\n"
    "      --buckets LIST        of counting sorts; sort and argsort of u32 draw keys below it.\n"
    "                            0: 256, and any keys (0)\n"
    "      --depth               counting-argsort of f32 depths from 0 to 1\n"
    "      --cells LIST          of grid, in each axis, over points from 0 to 1 (64)\n"
    "      --dimensions LIST     of its points, 2 or 3 (3)\n"
    "      --stride-bytes N      from one to the next. 0: tight (0)\n"
    "      --points-out          grid also gives the points by cell\n"
    "      --k LIST              of top-k (100)\n"
    "      --smallest            top-k gives the smallest\n"
    "      --descending          sort downwards\n"
    "      --allow-unstable      let equal keys come out in any order\n"
    "      --in-place            of sorts: the result replaces the input\n"
    "      --adapter NAME        an adapter by index or part of its name, as 'ordo devices' shows\n"
    "      --software            only a software adapter\n"
    "      --default-limits      WebGPU's guaranteed limits, no optional features\n"
    "      --binding-bytes N     bind no more of a buffer at once, to see what windows cost\n"
    "      --no-subgroups        without subgroup operations\n"
    "      --native-subgroups    with those of wgpu-native, which the program leaves alone\n"
    "      --tuning TEXT         shapes of kernels, as 'ordo tune' prints them\n"
    "      --repeats N           timed runs a case, at most 32 (11; fewer where one takes long)\n"
    "      --warm-ms N           run each case this long before timing it (250)\n"
    "      --quick               2^16,2^20 and 5 repeats unless said otherwise\n"
    "      --stress N            instead: run each case N times over changing data, check each "
    "result,\n"
    "                            and print a line of text\n"
    "      --limit-s N           begin no case so many seconds after the first. 0: no limit (0)\n"
    "      --first               instead: how long a new process takes to its first sorted result\n"
    "      --plant-error         spoil every result, to see that verification finds it\n"
    "      --help\n"
    "\n"
    "Exit status: 0 fine, 1 a result was wrong or the device failed, 2 trouble before that.";

const char *const bench_primitives[] = {
    "sort", "argsort", "scan", "reduce", "histogram", "counting-sort", "counting-argsort",
    "grid", "top-k",   "copy", NULL};
const char *const bench_distributions[] = {BENCH_DISTRIBUTION_NAMES, NULL};
const char *const bench_types[] = {"u32", "i32", "f32", "u64", "i64", "f64", NULL};
const char *const bench_methods[] = {
    "auto", "radix", "bitonic", "bitonic-direct", "oddeven", "msd", "sample", "onesweep", NULL};
const char *const bench_bins[] = {"even", "bits", "edges", NULL};

typedef struct list {
    unsigned count;
    uint64_t items[MAX_LIST];
} list;

/* The lists whose combinations are the cases; the last one turns fastest. */
enum list_id {
    LIST_PRIMITIVE,
    LIST_TYPE,
    LIST_VALUE_BYTES,
    LIST_DISTRIBUTION,
    LIST_ROW_LENGTH,
    LIST_SKIP_HIGH_BITS,
    LIST_METHOD,
    LIST_DIGIT_BITS,
    LIST_BLOCK,
    LIST_FUSE,
    LIST_BINS,
    LIST_BINS_BY,
    LIST_BUCKETS,
    LIST_CELLS,
    LIST_DIMENSIONS,
    LIST_K,
    LIST_COUNT,
    LISTS
};

typedef struct settings {
    bench_options options;
    list lists[LISTS];
    bench_case common; /* what holds for all cases */
    bool first;
    uint32_t stress_runs; /* not 0: of each case, instead of measuring it */
    double limit_s;       /* not 0: when to begin no further case */
} settings;

/* ---- Options ------------------------------------------------------------------------------- */

static _Noreturn void trouble(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "ordo_bench: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(EXIT_TROUBLE);
}

static uint64_t parse_number(const char *option, const char *text, uint64_t most) {
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool fine = text[0] >= '0' && text[0] <= '9' && errno == 0;
    if (fine && number == 2 && end[0] == '^' && end[1] != '\0') {
        unsigned long power = strtoul(end + 1, &end, 10);
        fine = power < 63;
        number = fine ? 1ull << power : 0;
    }
    if (!fine || *end != '\0' || number > most)
        trouble("--%s takes numbers up to %llu, not '%s'", option, (unsigned long long)most, text);
    return number;
}

static uint64_t parse_name(const char *option, const char *text, const char *const *names) {
    for (uint64_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    trouble("--%s knows no '%s'; see --help", option, text);
}

/* With names a list of them, else one of numbers up to most. */
static list parse_list(const char *option, char *text, const char *const *names, uint64_t most) {
    list parsed = {.count = 0};
    if (names != NULL && strcmp(text, "all") == 0) {
        for (; names[parsed.count] != NULL; parsed.count++)
            parsed.items[parsed.count] = parsed.count;
        return parsed;
    }
    for (char *item = strtok(text, ","); item != NULL; item = strtok(NULL, ",")) {
        if (parsed.count == MAX_LIST)
            trouble("--%s takes at most %d items", option, MAX_LIST);
        parsed.items[parsed.count++] =
            names != NULL ? parse_name(option, item, names) : parse_number(option, item, most);
    }
    if (parsed.count == 0)
        trouble("--%s takes at least one item", option);
    return parsed;
}

/* An option that sets a list is numbered as the list. */
enum option_id {
    OPTION_DESCENDING = LISTS,
    OPTION_UNIT,
    OPTION_STRIDE_BYTES,
    OPTION_POINTS_OUT,
    OPTION_SMALLEST,
    OPTION_DEPTH,
    OPTION_ALLOW_UNSTABLE,
    OPTION_IN_PLACE,
    OPTION_ADAPTER,
    OPTION_SOFTWARE,
    OPTION_DEFAULT_LIMITS,
    OPTION_BINDING_BYTES,
    OPTION_NO_SUBGROUPS,
    OPTION_NATIVE_SUBGROUPS,
    OPTION_TUNING,
    OPTION_REPEATS,
    OPTION_WARM_MS,
    OPTION_QUICK,
    OPTION_STRESS,
    OPTION_LIMIT_S,
    OPTION_FIRST,
    OPTION_PLANT_ERROR,
    OPTION_HELP,
};

static const struct option long_options[] = {
    {"primitive", required_argument, NULL, LIST_PRIMITIVE},
    {"type", required_argument, NULL, LIST_TYPE},
    {"value-bytes", required_argument, NULL, LIST_VALUE_BYTES},
    {"distribution", required_argument, NULL, LIST_DISTRIBUTION},
    {"row-length", required_argument, NULL, LIST_ROW_LENGTH},
    {"skip-high-bits", required_argument, NULL, LIST_SKIP_HIGH_BITS},
    {"method", required_argument, NULL, LIST_METHOD},
    {"digit-bits", required_argument, NULL, LIST_DIGIT_BITS},
    {"block", required_argument, NULL, LIST_BLOCK},
    {"fuse", required_argument, NULL, LIST_FUSE},
    {"bins", required_argument, NULL, LIST_BINS},
    {"bins-by", required_argument, NULL, LIST_BINS_BY},
    {"buckets", required_argument, NULL, LIST_BUCKETS},
    {"cells", required_argument, NULL, LIST_CELLS},
    {"dimensions", required_argument, NULL, LIST_DIMENSIONS},
    {"k", required_argument, NULL, LIST_K},
    {"count", required_argument, NULL, LIST_COUNT},
    {"descending", no_argument, NULL, OPTION_DESCENDING},
    {"unit", no_argument, NULL, OPTION_UNIT},
    {"stride-bytes", required_argument, NULL, OPTION_STRIDE_BYTES},
    {"points-out", no_argument, NULL, OPTION_POINTS_OUT},
    {"smallest", no_argument, NULL, OPTION_SMALLEST},
    {"depth", no_argument, NULL, OPTION_DEPTH},
    {"allow-unstable", no_argument, NULL, OPTION_ALLOW_UNSTABLE},
    {"in-place", no_argument, NULL, OPTION_IN_PLACE},
    {"adapter", required_argument, NULL, OPTION_ADAPTER},
    {"software", no_argument, NULL, OPTION_SOFTWARE},
    {"default-limits", no_argument, NULL, OPTION_DEFAULT_LIMITS},
    {"binding-bytes", required_argument, NULL, OPTION_BINDING_BYTES},
    {"no-subgroups", no_argument, NULL, OPTION_NO_SUBGROUPS},
    {"native-subgroups", no_argument, NULL, OPTION_NATIVE_SUBGROUPS},
    {"tuning", required_argument, NULL, OPTION_TUNING},
    {"repeats", required_argument, NULL, OPTION_REPEATS},
    {"warm-ms", required_argument, NULL, OPTION_WARM_MS},
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"stress", required_argument, NULL, OPTION_STRESS},
    {"limit-s", required_argument, NULL, OPTION_LIMIT_S},
    {"first", no_argument, NULL, OPTION_FIRST},
    {"plant-error", no_argument, NULL, OPTION_PLANT_ERROR},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/* The options that set a list, at their places in long_options, which are those of the lists. */
static void set_list(settings *s, int option) {
    static const char *const *const names[LISTS] = {[LIST_PRIMITIVE] = bench_primitives,
                                                    [LIST_TYPE] = bench_types,
                                                    [LIST_DISTRIBUTION] = bench_distributions,
                                                    [LIST_METHOD] = bench_methods,
                                                    [LIST_BINS_BY] = bench_bins};
    uint64_t most = option == LIST_COUNT ? (uint64_t)1 << 31 : UINT32_MAX;
    s->lists[option] = parse_list(long_options[option].name, optarg, names[option], most);
}

/* The options that hold for all cases. */
static bool set_common(bench_case *common, int option) {
    switch (option) {
    case OPTION_DESCENDING:
        common->order = ORDO_DESCENDING;
        return true;
    case OPTION_ALLOW_UNSTABLE:
        common->allow_unstable = true;
        return true;
    case OPTION_IN_PLACE:
        common->in_place = true;
        return true;
    case OPTION_UNIT:
        common->unit = true;
        return true;
    case OPTION_STRIDE_BYTES:
        common->stride_bytes = (uint32_t)parse_number("stride-bytes", optarg, 4096);
        return true;
    case OPTION_POINTS_OUT:
        common->points_out = true;
        return true;
    case OPTION_SMALLEST:
        common->smallest = true;
        return true;
    case OPTION_DEPTH:
        common->depth = true;
        return true;
    default:
        return false;
    }
}

static void set_option(settings *s, int option, bool *quick) {
    switch (option) {
    case OPTION_ADAPTER:
        s->options.gpu.adapter = optarg;
        break;
    case OPTION_SOFTWARE:
        s->options.gpu.software = true;
        break;
    case OPTION_BINDING_BYTES:
        s->options.binding_bytes = parse_number("binding-bytes", optarg, UINT32_MAX);
        break;
    case OPTION_DEFAULT_LIMITS:
        s->options.gpu.default_limits = true;
        break;
    case OPTION_NO_SUBGROUPS:
        s->options.gpu.no_subgroups = true;
        break;
    case OPTION_NATIVE_SUBGROUPS:
        s->options.gpu.native_subgroups = true;
        break;
    case OPTION_TUNING:
        s->options.gpu.tuning = optarg;
        break;
    case OPTION_REPEATS:
        s->options.repeats = (uint32_t)parse_number("repeats", optarg, BENCH_MAX_REPEATS);
        break;
    case OPTION_WARM_MS:
        s->options.warm_ms = (double)parse_number("warm-ms", optarg, 60000);
        break;
    case OPTION_QUICK:
        *quick = true;
        break;
    case OPTION_STRESS:
        s->stress_runs = (uint32_t)parse_number("stress", optarg, 1000000);
        break;
    case OPTION_LIMIT_S:
        s->limit_s = (double)parse_number("limit-s", optarg, 86400);
        break;
    case OPTION_FIRST:
        s->first = true;
        break;
    case OPTION_PLANT_ERROR:
        s->options.plant_error = true;
        break;
    case OPTION_HELP:
        puts(help);
        exit(EXIT_FINE);
    default:
        exit(EXIT_TROUBLE); /* getopt has said why */
    }
}

static settings parse_options(int argc, char **argv) {
    settings s = {.options = {.warm_ms = 250}};
    bool quick = false;
    for (unsigned l = 0; l < LIST_COUNT; l++)
        s.lists[l] = (list){1, {0}}; /* sort, u32, random, auto, and no number */
    s.lists[LIST_VALUE_BYTES] = (list){2, {0, 4}};
    s.lists[LIST_BINS] = (list){1, {256}};
    s.lists[LIST_CELLS] = (list){1, {64}};
    s.lists[LIST_DIMENSIONS] = (list){1, {3}};
    s.lists[LIST_K] = (list){1, {100}};
    for (;;) {
        int option = getopt_long(argc, argv, "", long_options, NULL);
        if (option == -1)
            break;
        if (option < LISTS)
            set_list(&s, option);
        else if (!set_common(&s.common, option))
            set_option(&s, option, &quick);
    }
    if (optind < argc)
        trouble("'%s' is no option; see --help", argv[optind]);
    if (s.lists[LIST_COUNT].count == 0)
        s.lists[LIST_COUNT] = quick     ? (list){2, {1u << 16, 1u << 20}}
                              : s.first ? (list){1, {1u << 20}}
                                        : (list){3, {1u << 16, 1u << 20, 1u << 24}};
    if (s.options.repeats == 0)
        s.options.repeats = quick ? 5 : 11;
    return s;
}

/* ---- Cases --------------------------------------------------------------------------------- */

static bool is_counting(const bench_case *c) {
    return c->primitive == BENCH_COUNTING_SORT || c->primitive == BENCH_COUNTING_ARGSORT;
}

/* Whether a case depends on the list. */
static bool depends(const bench_case *c, unsigned l) {
    bool sorts = bench_sorts(c);
    bool may_be_radix = c->method == ORDO_METHOD_AUTO || c->method == ORDO_METHOD_RADIX;
    switch (l) {
    case LIST_TYPE:
        return c->primitive != BENCH_GRID && !is_counting(c);
    case LIST_VALUE_BYTES:
        return c->primitive == BENCH_SORT || c->primitive == BENCH_COUNTING_SORT;
    case LIST_ROW_LENGTH:
        return sorts || c->primitive == BENCH_TOP_K;
    case LIST_SKIP_HIGH_BITS:
    case LIST_METHOD:
        return sorts;
    case LIST_DIGIT_BITS:
        return sorts && may_be_radix;
    case LIST_BLOCK:
        return sorts && (c->method == ORDO_METHOD_AUTO || c->method == ORDO_METHOD_BITONIC ||
                         c->method == ORDO_METHOD_ODDEVEN);
    case LIST_FUSE:
        return sorts && (c->method == ORDO_METHOD_AUTO || c->method == ORDO_METHOD_BITONIC);
    case LIST_BINS:
    case LIST_BINS_BY:
        return c->primitive == BENCH_HISTOGRAM;
    case LIST_BUCKETS:
        return sorts || is_counting(c);
    case LIST_CELLS:
    case LIST_DIMENSIONS:
        return c->primitive == BENCH_GRID;
    case LIST_K:
        return c->primitive == BENCH_TOP_K;
    default:
        return true;
    }
}

static void check_case(const bench_case *c) {
    bool folds = c->primitive == BENCH_SCAN || c->primitive == BENCH_REDUCE;
    if (folds && c->type != ORDO_U32 && c->type != ORDO_I32)
        trouble("scan and reduce are measured with --type u32 and i32, whose sums are exact");
    if (c->skip_high_bits != 0 && c->type != ORDO_U32 && c->type != ORDO_U64)
        trouble("--skip-high-bits is measured with --type u32 and u64, whose high bits may be 0");
    if (c->buckets != 0 && c->type != ORDO_U32 && !c->depth)
        trouble("--buckets is measured with --type u32");
    if (c->primitive == BENCH_GRID && (c->cells == 0 || c->cells > 1024))
        trouble("--cells takes numbers from 1 to 1024");
    if (c->primitive == BENCH_TOP_K && c->k == 0)
        trouble("--k takes numbers from 1 on");
}

static uint64_t combinations(const settings *s) {
    uint64_t total = 1;
    for (unsigned l = 0; l < LISTS; l++)
        total *= s->lists[l].count;
    return total;
}

/* The combination of that number. False if it is no case of its own: of a list that a case does not
   depend on only the first place counts, and its item is left out. */
static bool make_case(const settings *s, uint64_t number, bench_case *c) {
    unsigned places[LISTS];
    uint64_t items[LISTS];
    for (unsigned l = LISTS; l-- > 0; number /= s->lists[l].count) {
        places[l] = (unsigned)(number % s->lists[l].count);
        items[l] = s->lists[l].items[places[l]];
    }
    *c = s->common;
    c->primitive = (bench_primitive)items[LIST_PRIMITIVE];
    c->method = (ordo_method)items[LIST_METHOD];
    if (!depends(c, LIST_METHOD))
        c->method = ORDO_METHOD_AUTO;
    for (unsigned l = 0; l < LISTS; l++) {
        if (depends(c, l))
            continue;
        if (places[l] != 0)
            return false;
        items[l] = 0;
    }
    c->depth = c->depth && c->primitive == BENCH_COUNTING_ARGSORT;
    c->type = c->primitive == BENCH_GRID || c->depth ? ORDO_F32 : (ordo_type)items[LIST_TYPE];
    c->unit = c->depth || (c->unit && c->type == ORDO_F32 && c->primitive != BENCH_GRID);
    c->in_place = c->in_place && c->primitive == BENCH_SORT;
    c->value_bytes = (uint32_t)items[LIST_VALUE_BYTES];
    c->skip_high_bits = (uint32_t)items[LIST_SKIP_HIGH_BITS];
    c->row_length = (uint32_t)items[LIST_ROW_LENGTH];
    c->digit_bits = (uint32_t)items[LIST_DIGIT_BITS];
    c->block_length = (uint32_t)items[LIST_BLOCK];
    c->fused_levels = (uint32_t)items[LIST_FUSE];
    c->bin_count = (uint32_t)items[LIST_BINS];
    c->bins = (ordo_bins)items[LIST_BINS_BY];
    c->buckets = (uint32_t)items[LIST_BUCKETS];
    c->cells = (uint32_t)items[LIST_CELLS];
    c->dimensions = (uint32_t)items[LIST_DIMENSIONS];
    c->k = (uint32_t)items[LIST_K];
    c->distribution = (bench_distribution)items[LIST_DISTRIBUTION];
    c->count = items[LIST_COUNT];
    check_case(c);
    return true;
}

static bool run_all(bench *b, const settings *s) {
    double start_ms = bench_now_ms();
    bool fine = true;
    bench_case c;
    stress_total total = {0};
    for (uint64_t i = 0; i < combinations(s) && !b->gpu.lost; i++) {
        if (!make_case(s, i, &c))
            continue;
        if (s->limit_s > 0 && bench_now_ms() - start_ms > 1e3 * s->limit_s)
            total.left_out_count++;
        else if (s->stress_runs > 0)
            fine = bench_stress(b, &c, s->stress_runs, &total) && fine;
        else
            fine = bench_measure(b, &c) && fine;
    }
    if (s->stress_runs > 0)
        bench_print_stress_total(&total);
    else if (total.left_out_count > 0)
        fprintf(stderr, "ordo_bench: %u cases left out for want of time\n", total.left_out_count);
    return fine && !b->gpu.lost;
}

int main(int argc, char **argv) {
    double start_ms = bench_now_ms();
    settings s = parse_options(argc, argv);
    (void)setenv("XDG_RUNTIME_DIR", "/", 0); /* without it Vulkan drivers complain on stderr */
    bench_case c;
    if (s.first) {
        make_case(&s, 0, &c);
        c.primitive = BENCH_SORT;
        c.value_bytes = c.row_length = c.skip_high_bits = 0;
        c.in_place = false;
        return bench_first(&s.options, &c, start_ms) ? EXIT_FINE : EXIT_WRONG;
    }
    for (uint64_t i = 0; i < combinations(&s); i++)
        make_case(&s, i, &c); /* what cannot be measured ends the program before it measures */
    static bench b;
    char message[ORDO_MESSAGE_BYTES];
    if (!bench_open(&b, &s.options, message))
        trouble("%s", message);
    bool fine = run_all(&b, &s);
    bench_close(&b);
    return fine ? EXIT_FINE : EXIT_WRONG;
}
