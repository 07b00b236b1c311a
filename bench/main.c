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
    "      --primitive LIST      sort, argsort, scan, reduce (sort)\n"
    "      --type LIST           u32, i32, f32, u64, i64, f64 (u32)\n"
    "      --value-bytes LIST    bytes carried with each key by sort (0,4)\n"
    "      --distribution LIST   random, entropy-0.544, entropy-0.201, sorted, reversed, equal,\n"
    "                            few, zipf (random)\n"
    "      --method NAME         auto, radix (auto)\n"
    "      --digit-bits LIST     0: the fastest known, 4, 8 (0)\n"
    "      --descending          sort downwards\n"
    "      --adapter NAME        an adapter by index or part of its name, as 'ordo devices' shows\n"
    "      --software            only a software adapter\n"
    "      --default-limits      WebGPU's guaranteed limits, no optional features\n"
    "      --no-subgroups        without subgroup operations\n"
    "      --native-subgroups    with those of wgpu-native, which the program leaves alone\n"
    "      --repeats N           timed runs a case, at most 32 (11; fewer where one takes long)\n"
    "      --warm-ms N           run each case this long before timing it (250)\n"
    "      --quick               2^16,2^20 and 5 repeats unless said otherwise\n"
    "      --first               instead: how long a new process takes to its first sorted result\n"
    "      --plant-error         spoil every result, to see that verification finds it\n"
    "      --help\n"
    "\n"
    "Exit status: 0 fine, 1 a result was wrong or the device failed, 2 trouble before that.";

const char *const bench_primitives[] = {"sort", "argsort", "scan", "reduce", NULL};
const char *const bench_distributions[] = {
    "random", "entropy-0.544", "entropy-0.201", "sorted", "reversed", "equal", "few", "zipf", NULL};
const char *const bench_types[] = {"u32", "i32", "f32", "u64", "i64", "f64", NULL};
static const char *const methods[] = {"auto", "radix", NULL};

typedef struct list {
    unsigned count;
    uint64_t items[MAX_LIST];
} list;

typedef struct settings {
    bench_options options;
    list counts, primitives, types, value_bytes, distributions, digit_bits;
    ordo_method method;
    ordo_order order;
    bool first;
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

enum option_id {
    OPTION_COUNT = 1,
    OPTION_PRIMITIVE,
    OPTION_TYPE,
    OPTION_VALUE_BYTES,
    OPTION_DISTRIBUTION,
    OPTION_METHOD,
    OPTION_DIGIT_BITS,
    OPTION_DESCENDING,
    OPTION_ADAPTER,
    OPTION_SOFTWARE,
    OPTION_DEFAULT_LIMITS,
    OPTION_NO_SUBGROUPS,
    OPTION_NATIVE_SUBGROUPS,
    OPTION_REPEATS,
    OPTION_WARM_MS,
    OPTION_QUICK,
    OPTION_FIRST,
    OPTION_PLANT_ERROR,
    OPTION_HELP,
};

static const struct option long_options[] = {
    {"count", required_argument, NULL, OPTION_COUNT},
    {"primitive", required_argument, NULL, OPTION_PRIMITIVE},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"value-bytes", required_argument, NULL, OPTION_VALUE_BYTES},
    {"distribution", required_argument, NULL, OPTION_DISTRIBUTION},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"digit-bits", required_argument, NULL, OPTION_DIGIT_BITS},
    {"descending", no_argument, NULL, OPTION_DESCENDING},
    {"adapter", required_argument, NULL, OPTION_ADAPTER},
    {"software", no_argument, NULL, OPTION_SOFTWARE},
    {"default-limits", no_argument, NULL, OPTION_DEFAULT_LIMITS},
    {"no-subgroups", no_argument, NULL, OPTION_NO_SUBGROUPS},
    {"native-subgroups", no_argument, NULL, OPTION_NATIVE_SUBGROUPS},
    {"repeats", required_argument, NULL, OPTION_REPEATS},
    {"warm-ms", required_argument, NULL, OPTION_WARM_MS},
    {"quick", no_argument, NULL, OPTION_QUICK},
    {"first", no_argument, NULL, OPTION_FIRST},
    {"plant-error", no_argument, NULL, OPTION_PLANT_ERROR},
    {"help", no_argument, NULL, OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/* Options of the data. */
static bool set_case_option(settings *s, int option) {
    switch (option) {
    case OPTION_COUNT:
        s->counts = parse_list("count", optarg, NULL, (uint64_t)1 << 31);
        return true;
    case OPTION_PRIMITIVE:
        s->primitives = parse_list("primitive", optarg, bench_primitives, 0);
        return true;
    case OPTION_TYPE:
        s->types = parse_list("type", optarg, bench_types, 0);
        return true;
    case OPTION_VALUE_BYTES:
        s->value_bytes = parse_list("value-bytes", optarg, NULL, UINT32_MAX);
        return true;
    case OPTION_DISTRIBUTION:
        s->distributions = parse_list("distribution", optarg, bench_distributions, 0);
        return true;
    case OPTION_METHOD:
        s->method = (ordo_method)parse_name("method", optarg, methods);
        return true;
    case OPTION_DIGIT_BITS:
        s->digit_bits = parse_list("digit-bits", optarg, NULL, UINT32_MAX);
        return true;
    case OPTION_DESCENDING:
        s->order = ORDO_DESCENDING;
        return true;
    default:
        return false;
    }
}

/* Options of the machine. */
static void set_option(settings *s, int option, bool *quick) {
    switch (option) {
    case OPTION_ADAPTER:
        s->options.gpu.adapter = optarg;
        break;
    case OPTION_SOFTWARE:
        s->options.gpu.software = true;
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
    case OPTION_REPEATS:
        s->options.repeats = (uint32_t)parse_number("repeats", optarg, BENCH_MAX_REPEATS);
        break;
    case OPTION_WARM_MS:
        s->options.warm_ms = (double)parse_number("warm-ms", optarg, 60000);
        break;
    case OPTION_QUICK:
        *quick = true;
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
    settings s = {.options = {.warm_ms = 250},
                  .primitives = {1, {BENCH_SORT}},
                  .types = {1, {ORDO_U32}},
                  .value_bytes = {2, {0, 4}},
                  .distributions = {1, {BENCH_RANDOM}},
                  .digit_bits = {1, {0}}};
    bool quick = false;
    for (;;) {
        int option = getopt_long(argc, argv, "", long_options, NULL);
        if (option == -1)
            break;
        if (!set_case_option(&s, option))
            set_option(&s, option, &quick);
    }
    if (optind < argc)
        trouble("'%s' is no option; see --help", argv[optind]);
    if (s.counts.count == 0)
        s.counts = quick     ? (list){2, {1u << 16, 1u << 20}}
                   : s.first ? (list){1, {1u << 20}}
                             : (list){3, {1u << 16, 1u << 20, 1u << 24}};
    if (s.options.repeats == 0)
        s.options.repeats = quick ? 5 : 11;
    return s;
}

/* ---- Cases --------------------------------------------------------------------------------- */

/* Whether this combination of the lists is a case of its own: what a primitive does not look at
   takes only the first item of its list. */
static bool is_case(const bench_case *c, unsigned value, unsigned digits) {
    bool sorts = c->primitive == BENCH_SORT || c->primitive == BENCH_ARGSORT;
    if (!sorts && c->type != ORDO_U32 && c->type != ORDO_I32)
        trouble("scan and reduce are measured with --type u32 and i32, whose sums are exact");
    return (c->primitive == BENCH_SORT || value == 0) && (sorts || digits == 0);
}

static bool measure_all(bench *b, const settings *s) {
    bool fine = true;
    unsigned total = s->primitives.count * s->types.count * s->value_bytes.count *
                     s->distributions.count * s->digit_bits.count * s->counts.count;
    for (unsigned i = 0; i < total && !b->gpu.lost; i++) {
        /* The number of the combination, digit by digit, the last list turning fastest. */
        unsigned rest = i, count = rest % s->counts.count;
        unsigned digits = (rest /= s->counts.count) % s->digit_bits.count;
        unsigned distribution = (rest /= s->digit_bits.count) % s->distributions.count;
        unsigned value = (rest /= s->distributions.count) % s->value_bytes.count;
        unsigned type = (rest /= s->value_bytes.count) % s->types.count;
        unsigned primitive = rest / s->types.count;
        bench_case c = {.primitive = (bench_primitive)s->primitives.items[primitive],
                        .type = (ordo_type)s->types.items[type],
                        .order = s->order,
                        .method = s->method,
                        .digit_bits = (uint32_t)s->digit_bits.items[digits],
                        .distribution = (bench_distribution)s->distributions.items[distribution],
                        .count = s->counts.items[count]};
        if (c.primitive == BENCH_SORT)
            c.value_bytes = (uint32_t)s->value_bytes.items[value];
        if (is_case(&c, value, digits))
            fine = bench_measure(b, &c) && fine;
    }
    return fine && !b->gpu.lost;
}

int main(int argc, char **argv) {
    double start_ms = bench_now_ms();
    settings s = parse_options(argc, argv);
    (void)setenv("XDG_RUNTIME_DIR", "/", 0); /* without it Vulkan drivers complain on stderr */
    if (s.first) {
        bench_case c = {.type = (ordo_type)s.types.items[0],
                        .order = s.order,
                        .method = s.method,
                        .digit_bits = (uint32_t)s.digit_bits.items[0],
                        .count = s.counts.items[0]};
        return bench_first(&s.options, &c, start_ms) ? EXIT_FINE : EXIT_WRONG;
    }
    static bench b;
    char message[ORDO_MESSAGE_BYTES];
    if (!bench_open(&b, &s.options, message))
        trouble("%s", message);
    bool fine = measure_all(&b, &s);
    bench_close(&b);
    return fine ? EXIT_FINE : EXIT_WRONG;
}
