/* SPDX-License-Identifier: MIT */
/*
 * tune.c: the subcommand `tune`: finds shapes of kernels that are faster on an adapter.
 *
 * By coordinate descent: the knobs below are turned one after the other, most important first, and
 * each stays where its cases take least; rounds go on until one changes nothing, or the time is up.
 * A time counts only once the results that came with it are right.
 */
#include "cli.h"
#include "tune_case.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048, ROW_BYTES = TEXT_BYTES + 256 };
enum { MOST_SETTINGS = 64, NAME_BYTES = 40, MOST_TURNS = 8 };

/* Less is taken for noise. */
#define LEAST_GAIN 0.02

/* Settings that are tried together, each text a place to turn to, by what these cases take. */
typedef struct knob {
    uint32_t cases;
    const char *turns[MOST_TURNS];
} knob;

#define CASE(name) (1u << CASE_##name)

static const knob knobs[] = {
    {CASE(KEYS), {"msd_medium_count=4194304", "msd_medium_count=0", "msd_medium_count=33554432"}},
    {CASE(KEYS),
     {"msd_group=256 msd_items=32 msd_rounds=4", "msd_group=256 msd_items=32 msd_rounds=2",
      "msd_group=256 msd_items=48 msd_rounds=6", "msd_group=256 msd_items=48 msd_rounds=3",
      "msd_group=256 msd_items=24 msd_rounds=3", "msd_group=512 msd_items=24 msd_rounds=3",
      "msd_group=512 msd_items=16 msd_rounds=2", "msd_group=256 msd_items=16 msd_rounds=1"}},
    {CASE(PAIRS),
     {"msd_stable_group=256 msd_stable_items=28 msd_stable_rounds=2",
      "msd_stable_group=256 msd_stable_items=16 msd_stable_rounds=2",
      "msd_stable_group=256 msd_stable_items=20 msd_stable_rounds=2",
      "msd_stable_group=256 msd_stable_items=24 msd_stable_rounds=2",
      "msd_stable_group=256 msd_stable_items=24 msd_stable_rounds=3",
      "msd_stable_group=512 msd_stable_items=12 msd_stable_rounds=2",
      "msd_stable_group=512 msd_stable_items=16 msd_stable_rounds=2",
      "msd_stable_group=512 msd_stable_items=24 msd_stable_rounds=3"}},
    {CASE(KEYS) | CASE(KEYS_MIDDLE) | CASE(PAIRS),
     {"msd_local_group=128", "msd_local_group=160", "msd_local_group=192", "msd_local_group=224",
      "msd_local_group=256", "msd_local_group=288"}},
    {CASE(KEYS_MIDDLE) | CASE(PAIRS_MIDDLE),
     {"msd_small_items=16 msd_small_rounds=2", "msd_small_items=8 msd_small_rounds=1",
      "msd_small_items=12 msd_small_rounds=1", "msd_small_items=16 msd_small_rounds=4",
      "msd_small_items=24 msd_small_rounds=3"}},
    {CASE(KEYS),
     {"msd_large_group=448", "msd_large_group=512", "msd_large_group=576", "msd_large_group=640"}},
    {CASE(RADIX),
     {"radix_items=12 radix_subtiles=2", "radix_items=8 radix_subtiles=2",
      "radix_items=8 radix_subtiles=4", "radix_items=12 radix_subtiles=1",
      "radix_items=12 radix_subtiles=4", "radix_items=16 radix_subtiles=1",
      "radix_items=16 radix_subtiles=2"}},
    {CASE(SAMPLE) | CASE(SAMPLE_PAIRS),
     {"sample_group=128", "sample_group=160", "sample_group=256", "sample_group=384",
      "sample_group=512"}},
    {CASE(SAMPLE) | CASE(SAMPLE_PAIRS),
     {"sample_eighths=2", "sample_eighths=3", "sample_eighths=4", "sample_eighths=5",
      "sample_eighths=6"}},
    {CASE(ONESWEEP) | CASE(ONESWEEP_PAIRS),
     {"onesweep_group=256 onesweep_items=12 onesweep_rounds=1 onesweep_pair_items=12 "
      "onesweep_pair_rounds=1",
      "onesweep_group=256 onesweep_items=24 onesweep_rounds=2 onesweep_pair_items=16 "
      "onesweep_pair_rounds=2",
      "onesweep_group=256 onesweep_items=24 onesweep_rounds=3 onesweep_pair_items=24 "
      "onesweep_pair_rounds=3",
      "onesweep_group=512 onesweep_items=16 onesweep_rounds=2 onesweep_pair_items=12 "
      "onesweep_pair_rounds=2",
      "onesweep_group=512 onesweep_items=24 onesweep_rounds=3 onesweep_pair_items=16 "
      "onesweep_pair_rounds=2"}},
    {CASE(ONESWEEP) | CASE(ONESWEEP_PAIRS),
     {"onesweep_small_count=0", "onesweep_small_count=2097152", "onesweep_small_count=16777216"}},
    {CASE(ONESWEEP) | CASE(ONESWEEP_PAIRS), {"onesweep_tickets=0", "onesweep_tickets=1"}},
    {CASE(ONESWEEP),
     {"onesweep_histogram_groups=264", "onesweep_histogram_groups=528",
      "onesweep_histogram_groups=1056"}},
    {CASE(NETWORK), {"network_items=8", "network_items=16"}},
    {CASE(NETWORK), {"network_fused=2", "network_fused=3", "network_fused=4"}},
    {CASE(SCAN), {"scan_chain_items=16", "scan_chain_items=24", "scan_chain_items=32"}},
    {CASE(SCAN), {"scan_chain_window=32", "scan_chain_window=64", "scan_chain_window=128"}},
    {CASE(SCAN), {"scan_items=8", "scan_items=16", "scan_items=24"}},
    {CASE(KEYS) | CASE(KEYS_MIDDLE), {"msd_digit_bits=7", "msd_digit_bits=8"}},
    {CASE(KEYS) | CASE(PAIRS),
     {"msd_late_groups=132", "msd_late_groups=264", "msd_late_groups=528"}},
    {CASE(PAIRS), {"msd_scan_groups=264", "msd_scan_groups=528"}},
    {CASE(PAIRS) | CASE(RADIX), {"radix_scan_items=4", "radix_scan_items=8"}},
};

enum { KNOBS = sizeof knobs / sizeof *knobs };

typedef struct tune_options {
    gpu_options gpu;
    uint32_t counts[SIZE_COUNT];
    uint32_t cases; /* to measure, as a set of bits */
    double limit_s;
    bool quiet, json, dry_run;
} tune_options;

/* ---- Arguments ----------------------------------------------------------------------------- */

static const char help[] =
    "Usage: ordo tune [OPTION]...\n"
    "Find shapes of kernels that are faster on an adapter than those that ordo has for it: sort\n"
    "and scan known data with one set of shapes after the other, check every result, and keep\n"
    "what takes least. Prints a text for --tuning (or ordo_caps.tuning), what it gains, and what\n"
    "to change in a row of the table in src/tune.c.\n"
    "\n"
    "      --adapter=A        use the adapter of this number, or with A in its name\n"
    "      --software         use a software adapter\n"
    "      --tuning=TEXT      begin with these shapes, not with ordo's own\n"
    "      --counts=L,M,S     numbers of large, middle and small cases (default 2^24,2^18,2^14)\n"
    "      --only=CASES       of keys, pairs, radix, onesweep, sample, network and scan, with\n"
    "                         commas between (default all)\n"
    "      --limit-s=N        begin no further trial so many seconds after the first (default 30)\n"
    "      --dry-run          print what would be tried, and open no adapter\n"
    "      --list             print all that a tuning may set, as it is on a device of WebGPU's\n"
    "                         guaranteed limits, or as --tuning has it\n"
    "      --json             one object with `tuning`, `cases` and more\n"
    "  -q, --quiet            do not report each trial on standard error\n"
    "      --help\n"
    "\n"
    "Exit code: 0 if all went well, 1 if shapes gave wrong results (and were left out), 2 on\n"
    "trouble.";

/* The cases of names with commas between them. */
static uint32_t cases_option(const char *given) {
    static const char *const names[] = {"keys",   "pairs",   "radix", "onesweep",
                                        "sample", "network", "scan"};
    uint32_t cases = 0;
    for (const char *at = given; at != NULL;) {
        const size_t length = strcspn(at, ",");
        char name[NAME_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const unsigned which =
            word_option("tune", "--only", name, names, sizeof names / sizeof *names);
        for (int c = 0; c < CASE_COUNT; c++)
            cases |= strcmp(tune_case_name((tune_case)c), names[which]) == 0 ? 1u << c : 0;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return cases;
}

static void counts_option(tune_options *o, const char *given) {
    const uint32_t count = list_option("tune", "--counts", given, NULL, o->counts);
    if (count != SIZE_COUNT)
        fail_usage("tune", "--counts: '%s' is not three numbers", given);
    for (int i = 0; i < SIZE_COUNT; i++) {
        if (o->counts[i] == 0 || o->counts[i] > 1u << 30)
            fail_usage("tune", "--counts: %" PRIu32 " is not from 1 to 2^30", o->counts[i]);
    }
}

_Noreturn static void print_list(const char *tuning) {
    char text[TEXT_BYTES];
    const ordo_caps caps = {.tuning = tuning};
    ordo_summary summary;
    if (ordo_scan_steps(&caps, &(ordo_scan_desc){0}, NULL, 0, &summary) != ORDO_OK)
        fail("%s", summary.message);
    (void)ordo_tuning_text(&caps, text, sizeof text);
    for (char *at = text; *at != '\0'; at++) {
        if (*at == ' ')
            *at = '\n';
    }
    puts(text);
    finish_stdout();
    exit(EXIT_FINE);
}

static void take_option(tune_options *o, int letter, bool *list) {
    switch (letter) {
    case 'a':
        o->gpu.adapter = optarg;
        break;
    case 's':
        o->gpu.software = true;
        break;
    case 't':
        o->gpu.tuning = optarg;
        break;
    case 'c':
        counts_option(o, optarg);
        break;
    case 'o':
        o->cases = cases_option(optarg);
        break;
    case 'l':
        o->limit_s = real_option("tune", "--limit-s", optarg);
        break;
    case 'd':
        o->dry_run = true;
        break;
    case 'n':
        *list = true;
        break;
    case 'j':
        o->json = true;
        break;
    case 'q':
        o->quiet = true;
        break;
    case 'h':
        puts(help);
        finish_stdout();
        exit(EXIT_FINE);
    default:
        fail_hint("tune");
    }
}

static tune_options parse(int argc, char **argv) {
    static const struct option long_options[] = {
        {"adapter", required_argument, NULL, 'a'}, {"software", no_argument, NULL, 's'},
        {"tuning", required_argument, NULL, 't'},  {"counts", required_argument, NULL, 'c'},
        {"only", required_argument, NULL, 'o'},    {"limit-s", required_argument, NULL, 'l'},
        {"dry-run", no_argument, NULL, 'd'},       {"list", no_argument, NULL, 'n'},
        {"json", no_argument, NULL, 'j'},          {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    tune_options o = {.gpu = {.native_subgroups = true},
                      .counts = {1 << 24, 1 << 18, 1 << 14},
                      .cases = (1u << CASE_COUNT) - 1,
                      .limit_s = 30};
    bool list = false;
    int letter;
    while ((letter = getopt_long(argc, argv, "q", long_options, NULL)) != -1)
        take_option(&o, letter, &list);
    if (optind < argc)
        fail_usage("tune", "'%s' is one argument too many", argv[optind]);
    if (list)
        print_list(o.gpu.tuning);
    return o;
}

/* ---- Settings ------------------------------------------------------------------------------ */

/* A tuning, taken apart. */
typedef struct settings {
    uint32_t count;
    struct setting {
        char name[NAME_BYTES];
        uint32_t number;
    } all[MOST_SETTINGS];
} settings;

/* Adds what a text sets, or changes it. The text is one that ordo takes. */
static void settings_add(settings *s, const char *text) {
    while (text != NULL && *(text += strspn(text, " ,\t\n")) != '\0') {
        const size_t length = strcspn(text, "=");
        uint32_t i = 0;
        while (i < s->count &&
               (strncmp(s->all[i].name, text, length) != 0 || s->all[i].name[length] != '\0'))
            i++;
        if (i == MOST_SETTINGS)
            return;
        if (i == s->count) {
            snprintf(s->all[i].name, NAME_BYTES, "%.*s", (int)length, text);
            s->count++;
        }
        s->all[i].number = (uint32_t)strtoul(text + length + 1, NULL, 10);
        text += strcspn(text, " ,\t\n");
    }
}

/* Leaves out what is as in `own`. */
static void settings_drop(settings *s, const settings *own) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        bool differs = true;
        for (uint32_t j = 0; j < own->count; j++)
            differs &= strcmp(s->all[i].name, own->all[j].name) != 0 ||
                       s->all[i].number != own->all[j].number;
        if (differs)
            s->all[kept++] = s->all[i];
    }
    s->count = kept;
}

/* The text of them: name=number as a tuning, or as initializers of C. */
static void settings_text(const settings *s, bool initializers, char text[TEXT_BYTES]) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < s->count; i++) {
        const char *format = initializers ? "%s.%s = %" PRIu32 : "%s%s=%" PRIu32;
        const char *between = i == 0 ? "" : initializers ? ", " : " ";
        used += (size_t)snprintf(text + used, TEXT_BYTES - used, format, between, s->all[i].name,
                                 s->all[i].number);
    }
}

/* ---- The search ---------------------------------------------------------------------------- */

typedef struct search {
    const tune_options *o;
    tuner t;
    settings own;     /* ordo's, all of them */
    settings best;    /* as far as they differ */
    uint32_t touched; /* cases by which something was changed */
    uint32_t tried_count, wrong_count, changed_count;
    double start;
    bool stopped;
} search;

/* "keys" and so on, "sample pairs" where values tell cases of one name apart. */
static const char *kind_of(int c) {
    static char text[NAME_BYTES];
    const bool pairs = tune_case_has_values((tune_case)c);
    const char *name = tune_case_name((tune_case)c);
    snprintf(text, sizeof text, "%s%s", name, pairs && strcmp(name, "pairs") != 0 ? " pairs" : "");
    return text;
}

/* "keys 16777216" and so on of a set of cases. */
static void name_cases(const tune_options *o, uint32_t cases, char *text, size_t capacity) {
    size_t used = 0;
    text[0] = '\0';
    for (int c = 0; c < CASE_COUNT; c++) {
        if (cases >> c & 1)
            used += (size_t)snprintf(text + used, capacity - used, "%s%s %" PRIu32,
                                     used > 0 ? ", " : "", kind_of(c),
                                     o->counts[tune_case_size((tune_case)c)]);
    }
}

/* How many times as fast b is: the geometric mean over all cases that both have. */
static double speedup(const tune_shape *a, const tune_shape *b) {
    double product = 1;
    int cases = 0;
    for (int c = 0; c < CASE_COUNT; c++) {
        if (a->plans[c] != NULL && b->plans[c] != NULL) {
            product *= a->ms[c] / b->ms[c];
            cases++;
        }
    }
    return cases > 0 ? pow(product, 1.0 / cases) : 1;
}

static void report(const search *s, const char *cases, const char *turn, const char *what) {
    if (!s->o->quiet)
        complain("%s: %s: %s", cases, turn, what);
}

/* Whether the time is up. */
static bool is_late(search *s) {
    s->stopped |= now_seconds() - s->start > s->o->limit_s;
    return s->stopped;
}

/* Tries one place of a knob against `best`, and takes its place if it is faster twice. */
static void try_turn(search *s, uint32_t cases, const char *turn, tune_shape *best) {
    char names[256], text[TEXT_BYTES], what[ORDO_MESSAGE_BYTES + 40];
    settings next = s->best;
    tune_shape shape;
    settings_add(&next, turn);
    settings_drop(&next, &s->own);
    settings_text(&next, false, text);
    name_cases(s->o, cases, names, sizeof names);
    s->tried_count++;
    const tune_outcome outcome = tune_open(&s->t, text, cases, &shape);
    if (outcome == TUNE_UNFIT) {
        snprintf(what, sizeof what, "left out: %s", shape.problem);
        report(s, names, turn, what);
        return;
    }
    if (outcome == TUNE_WRONG) {
        s->wrong_count++;
        complain("%s: %s: WRONG and left out: %s", names, turn, shape.problem);
        return;
    }
    tune_measure(&s->t, &shape);
    if (speedup(best, &shape) > 1 + LEAST_GAIN) {
        tune_measure(&s->t, best);
        tune_measure(&s->t, &shape);
    }
    const double gain = speedup(best, &shape) - 1;
    const bool better = gain > LEAST_GAIN;
    snprintf(what, sizeof what, "%+.1f %%%s", 100 * gain, better ? ", taken" : "");
    report(s, names, turn, what);
    if (better) {
        tune_close(best);
        *best = shape;
        s->best = next;
        s->touched |= cases;
        s->changed_count++;
    } else {
        tune_close(&shape);
    }
}

/* Whether the turn says what is set already. */
static bool is_set(const search *s, const char *turn) {
    settings now = s->own, next;
    char text[TEXT_BYTES];
    settings_text(&s->best, false, text);
    settings_add(&now, text);
    next = now;
    settings_add(&next, turn);
    settings_drop(&next, &now);
    return next.count == 0;
}

static void turn_knob(search *s, const knob *k) {
    const uint32_t cases = k->cases & s->o->cases;
    char text[TEXT_BYTES];
    tune_shape best;
    settings_text(&s->best, false, text);
    if (cases == 0 || is_late(s))
        return;
    const tune_outcome outcome = tune_open(&s->t, text, cases, &best);
    if (outcome != TUNE_RIGHT) {
        s->wrong_count += outcome == TUNE_WRONG;
        complain("%s: %s: %s", text[0] == '\0' ? "ordo's own shapes" : text,
                 outcome == TUNE_WRONG ? "WRONG" : "not measured", best.problem);
        return;
    }
    tune_measure(&s->t, &best);
    for (int i = 0; i < MOST_TURNS && k->turns[i] != NULL && !is_late(s); i++) {
        progress("trying shapes", 0, 0);
        if (!is_set(s, k->turns[i]))
            try_turn(s, cases, k->turns[i], &best);
    }
    tune_close(&best);
}

static void run_search(search *s) {
    char text[TEXT_BYTES];
    tuner_open(&s->t, &s->o->gpu, s->o->counts, s->o->cases);
    ordo_caps caps = *ordo_context_caps(s->t.r.context);
    caps.tuning = NULL;
    (void)ordo_tuning_text(&caps, text, sizeof text);
    settings_add(&s->own, text);
    settings_add(&s->best, s->o->gpu.tuning);
    settings_drop(&s->best, &s->own);
    s->start = now_seconds();
    uint32_t changed_before;
    do {
        changed_before = s->changed_count;
        for (int i = 0; i < KNOBS; i++)
            turn_knob(s, &knobs[i]);
    } while (s->changed_count > changed_before && !s->stopped);
}

/* ---- Output -------------------------------------------------------------------------------- */

/*
 * What the cases that led to a change take with ordo's own shapes and with the best; nothing where
 * all that was changed was changed back.
 */
static void measure_gain(search *s, tune_shape *before, tune_shape *after) {
    char text[TEXT_BYTES];
    settings_text(&s->best, false, text);
    *before = *after = (tune_shape){.context = NULL};
    if (s->touched == 0 || s->best.count == 0 ||
        tune_open(&s->t, "", s->touched, before) != TUNE_RIGHT)
        return;
    if (tune_open(&s->t, text, s->touched, after) != TUNE_RIGHT)
        return;
    tune_measure(&s->t, before);
    tune_measure(&s->t, after);
}

static void row_text(const search *s, char row[ROW_BYTES]) {
    char numbers[TEXT_BYTES];
    settings_text(&s->best, true, numbers);
    snprintf(row, ROW_BYTES, "{.tier = \"%s\", .least_workgroup_bytes = %" PRIu32 "%s%s}",
             s->t.r.g.name, ordo_context_caps(s->t.r.context)->max_workgroup_bytes,
             s->best.count > 0 ? ", " : "", numbers);
}

static void print_text(const search *s, const tune_shape *before, const tune_shape *after) {
    char text[TEXT_BYTES], row[ROW_BYTES];
    settings_text(&s->best, false, text);
    printf("adapter  %s\n", s->t.r.g.name);
    printf("trials   %" PRIu32 "%s, times by the %s's clock\n", s->tried_count,
           s->stopped ? ", until the time was up" : "", s->t.by_host ? "host" : "GPU");
    if (s->best.count == 0) {
        printf("tuning   none: nothing tried was faster than ordo's own shapes\n");
        return;
    }
    printf("tuning   %s\n", text);
    row_text(s, row);
    printf("row      %s\n", row);
    for (int c = 0; c < CASE_COUNT; c++) {
        if (before->plans[c] == NULL || after->plans[c] == NULL)
            continue;
        name_cases(s->o, 1u << c, text, sizeof text);
        printf("gain     %s: %.4f -> %.4f ms, %+.1f %%\n", text, before->ms[c], after->ms[c],
               100 * (before->ms[c] / after->ms[c] - 1));
    }
}

static void print_json(const search *s, const tune_shape *before, const tune_shape *after) {
    char text[TEXT_BYTES], row[ROW_BYTES];
    const char *between = "";
    printf("{\"adapter\": ");
    print_json_string(s->t.r.g.name);
    settings_text(&s->best, false, text);
    printf(", \"tuning\": ");
    print_json_string(text);
    row_text(s, row);
    printf(", \"row\": ");
    print_json_string(row);
    printf(", \"tried_count\": %" PRIu32 ", \"wrong_count\": %" PRIu32
           ", \"stopped\": %s, \"clock\": \"%s\", \"cases\": [",
           s->tried_count, s->wrong_count, s->stopped ? "true" : "false",
           s->t.by_host ? "host" : "gpu");
    for (int c = 0; c < CASE_COUNT; c++) {
        if (before->plans[c] == NULL || after->plans[c] == NULL)
            continue;
        printf("%s{\"name\": \"%s\", \"count\": %" PRIu32
               ", \"before_ms\": %.5f, \"after_ms\": %.5f}",
               between, kind_of(c), s->o->counts[tune_case_size((tune_case)c)], before->ms[c],
               after->ms[c]);
        between = ", ";
    }
    printf("]}\n");
}

static int print_dry_run(const tune_options *o) {
    for (int i = 0; i < KNOBS; i++) {
        const uint32_t cases = knobs[i].cases & o->cases;
        char names[256];
        if (cases == 0)
            continue;
        name_cases(o, cases, names, sizeof names);
        printf("%s\n", names);
        for (int turn = 0; turn < MOST_TURNS && knobs[i].turns[turn] != NULL; turn++)
            printf("    %s\n", knobs[i].turns[turn]);
    }
    finish_stdout();
    return EXIT_FINE;
}

int tune_main(int argc, char **argv) {
    const tune_options o = parse(argc, argv);
    if (o.dry_run)
        return print_dry_run(&o);
    search *s = allocate(1, sizeof *s, "the search");
    *s = (search){.o = &o};
    progress_start(o.quiet);
    run_search(s);
    tune_shape before, after;
    measure_gain(s, &before, &after);
    progress_end();
    if (o.json)
        print_json(s, &before, &after);
    else
        print_text(s, &before, &after);
    finish_stdout();
    const int code = s->wrong_count == 0 ? EXIT_FINE : EXIT_DISORDER;
    tune_close(&before);
    tune_close(&after);
    tuner_close(&s->t);
    free(s);
    return code;
}
