/* SPDX-License-Identifier: MIT */
/*
 * network.c: the subcommand `network`: draws sorting networks, verifies them by zeros and ones, and
 * says what they cost. Asks the planner alone, and opens no adapter.
 */
#define _POSIX_C_SOURCE 200809L

#include "network_draw.h"

#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct network_options {
    bool has_kind;
    ordo_network_kind kind;
    bool has_wires;
    uint32_t wire_count;
    const char *svg, *file; /* NULL where not given */
    bool json;
} network_options;

/* ---- show ---------------------------------------------------------------------------------- */

static int show(const network_options *o) {
    if (!o->has_kind)
        fail_usage("network show", "--kind is missing");
    if (!o->has_wires)
        fail_usage("network show", "-n is missing");
    if (o->wire_count == 0 || o->wire_count > DRAWN_WIRES)
        fail_usage("network show", "-n: %" PRIu32 " wires cannot be drawn, only 1 to %d",
                   o->wire_count, DRAWN_WIRES);
    const ordo_network network = {o->kind, o->wire_count};
    drawing d = drawing_make(&network);
    if (o->svg != NULL)
        drawing_write_svg(&d, o->svg);
    drawing_print(&d);
    drawing_free(&d);
    return EXIT_FINE;
}

/* ---- verify: lists of comparators ---------------------------------------------------------- */

typedef struct comparator_list {
    ordo_comparator *comparators; /* allocated */
    uint64_t count, capacity;
    uint32_t wire_count;
} comparator_list;

static void append(comparator_list *list, ordo_comparator c) {
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->comparators =
            reallocate(list->comparators, list->capacity, sizeof *list->comparators, "comparators");
    }
    list->comparators[list->count++] = c;
    const uint32_t highest = c.low > c.high ? c.low : c.high;
    list->wire_count = list->wire_count > highest ? list->wire_count : highest + 1;
}

static void skip_blanks(const char **at) { *at += strspn(*at, " \t\r\n"); }

/* Takes blanks and a number, of which what is too large becomes UINT32_MAX. */
static bool take_wire(const char **at, uint32_t *wire) {
    skip_blanks(at);
    const char *start = *at;
    uint64_t value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        value = value * 10 + (uint64_t)(**at - '0');
        value = value < UINT32_MAX ? value : UINT32_MAX;
    }
    *wire = (uint32_t)value;
    return *at > start;
}

/* Takes a line of `length` bytes, if there is a comparator in it. */
static void take_line(comparator_list *list, const char *line, size_t length, const char *name,
                      uint64_t number, const network_options *o) {
    const char *at = line;
    skip_blanks(&at);
    if (*at == '#' || at == line + length)
        return;
    ordo_comparator c;
    bool good = take_wire(&at, &c.low) && take_wire(&at, &c.high);
    skip_blanks(&at);
    if (!good || (*at != '#' && at != line + length))
        fail("%s:%" PRIu64 ": '%.*s' is no comparator, which is two wires: the lesser goes to the "
             "first",
             name, number, (int)(strcspn(line, "\r\n") < 60 ? strcspn(line, "\r\n") : 60), line);
    if (c.low == c.high)
        fail("%s:%" PRIu64 ": a comparator joins wire %" PRIu32 " with itself", name, number,
             c.low);
    const uint32_t limit = o->has_wires ? o->wire_count : ORDO_VERIFY_WIRES;
    const uint32_t highest = c.low > c.high ? c.low : c.high;
    if (highest >= limit)
        fail("%s:%" PRIu64 ": no wire %" PRIu32 ": %s %" PRIu32, name, number, highest,
             o->has_wires ? "-n gives" : "the most wires that a list may have are", limit);
    append(list, c);
}

static comparator_list read_list(const network_options *o) {
    const bool standard = strcmp(o->file, "-") == 0;
    const char *name = standard ? "standard input" : o->file;
    FILE *file = standard ? stdin : fopen(o->file, "r");
    if (file == NULL)
        fail("cannot read %s: %s", name, strerror(errno));
    comparator_list list = {.wire_count = o->wire_count};
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    errno = 0;
    for (uint64_t number = 1; (length = getline(&line, &capacity, file)) >= 0; number++)
        take_line(&list, line, (size_t)length, name, number, o);
    if (!feof(file))
        fail("cannot read %s: %s", name, strerror(errno));
    if (list.count == 0 && !o->has_wires)
        fail("%s: no comparators, and no -n to tell how many wires there are", name);
    free(line);
    if (!standard)
        fclose(file);
    return list;
}

/* ---- verify -------------------------------------------------------------------------------- */

static void print_wires(const char *label, uint32_t bits, uint32_t wire_count) {
    fputs(label, stdout);
    for (uint32_t wire = 0; wire < wire_count; wire++)
        printf(" %" PRIu32, bits >> wire & 1);
    printf("\n");
}

static void print_subject(const char *name, uint32_t wire_count, uint64_t comparator_count,
                          bool sorts) {
    printf("%s, %" PRIu32 " wires, %" PRIu64 " comparators: %s\n", name, wire_count,
           comparator_count, sorts ? "sorts" : "does not sort");
}

static int verify_list(const char *name, const comparator_list *list) {
    ordo_verdict verdict;
    if (ordo_comparators_verify(list->comparators, list->count, list->wire_count, &verdict) !=
        ORDO_OK)
        fail("%s cannot be verified", name);
    print_subject(name, list->wire_count, list->count, verdict.sorts);
    if (verdict.sorts) {
        printf("inputs of zeros and ones tried: %" PRIu32 ", all there are\n",
               UINT32_C(1) << list->wire_count);
        return EXIT_FINE;
    }
    printf("the first input that fails, and what comes out, wire 0 first:\n");
    print_wires("in ", verdict.input, list->wire_count);
    print_wires("out", verdict.output, list->wire_count);
    return EXIT_DISORDER;
}

static int verify_merges(const ordo_network *network) {
    uint32_t *workspace = allocate(2 * (uint64_t)network->wire_count, sizeof *workspace, "keys");
    ordo_merge_verdict verdict;
    progress_start(false);
    progress("verifying", 0, 0);
    if (ordo_network_verify_merges(network, workspace, &verdict) != ORDO_OK)
        fail("%" PRIu32 " wires cannot be verified", network->wire_count);
    progress_end();
    free(workspace);
    uint32_t stage_count = 0;
    (void)ordo_network_stage(network, ordo_network_depth(network) - 1, &stage_count, NULL);
    print_subject(network_kind_name(network->kind), network->wire_count, ordo_network_size(network),
                  verdict.sorts);
    if (verdict.sorts) {
        printf("inputs of zeros and ones tried: %" PRIu64 ", all pairs of sorted runs of each "
               "merge of %" PRIu32 " stages\n",
               verdict.input_count, stage_count);
        return EXIT_FINE;
    }
    printf("stage %" PRIu32 " does not merge, from wire %" PRIu32 " on, a run of %" PRIu32
           " wires that ends with %" PRIu32 " ones and one of %" PRIu32 " with %" PRIu32 "\n",
           verdict.stage, verdict.first_wire, verdict.low_length, verdict.low_ones,
           verdict.high_length, verdict.high_ones);
    return EXIT_DISORDER;
}

static int verify_network(const network_options *o) {
    const ordo_network network = {o->kind, o->wire_count};
    if (o->wire_count > ORDO_VERIFY_MERGE_WIRES)
        fail_usage("network verify", "-n: %" PRIu32 " wires cannot be verified, only up to %d",
                   o->wire_count, ORDO_VERIFY_MERGE_WIRES);
    if (o->wire_count > ORDO_VERIFY_WIRES)
        return verify_merges(&network);
    comparator_list list = {.count = ordo_network_size(&network), .wire_count = o->wire_count};
    list.comparators = allocate(list.count, sizeof *list.comparators, "comparators");
    ordo_network_list(&network, list.comparators, list.count);
    const int code = verify_list(network_kind_name(o->kind), &list);
    free(list.comparators);
    return code;
}

static int verify(const network_options *o) {
    if (o->has_kind == (o->file != NULL))
        fail_usage("network verify", "give either --kind or --file");
    if (o->has_kind && !o->has_wires)
        fail_usage("network verify", "-n is missing");
    if (o->has_kind)
        return verify_network(o);
    if (o->wire_count > ORDO_VERIFY_WIRES)
        fail_usage("network verify",
                   "-n: a list of %" PRIu32 " wires cannot be verified, only up "
                   "to %d",
                   o->wire_count, ORDO_VERIFY_WIRES);
    comparator_list list = read_list(o);
    const int code = verify_list("the list", &list);
    free(list.comparators);
    return code;
}

/* ---- stats --------------------------------------------------------------------------------- */

/* The plans of a network: the default, the form that the literature has, one dispatch a step. */
static const struct {
    const char *name; /* as options of `ordo plan` */
    ordo_network_kind kind;
    ordo_method method;
    uint32_t block_length, fused_levels;
} plans[] = {
    {"bitonic", ORDO_NETWORK_BITONIC, ORDO_METHOD_BITONIC, 0, 0},
    {"bitonic --block 512 --fuse 1", ORDO_NETWORK_BITONIC, ORDO_METHOD_BITONIC, 512, 1},
    {"bitonic-direct", ORDO_NETWORK_BITONIC, ORDO_METHOD_BITONIC_DIRECT, 0, 0},
    {"oddeven", ORDO_NETWORK_ODDEVEN, ORDO_METHOD_ODDEVEN, 0, 0},
};

enum { PLAN_COUNT = sizeof plans / sizeof plans[0] };

/* Of WebGPU's guaranteed limits, and u32 keys alone. */
static bool ask_plan(unsigned plan, uint32_t count, ordo_summary *summary) {
    const ordo_sort_desc desc = {.max_count = count,
                                 .method = plans[plan].method,
                                 .block_length = plans[plan].block_length,
                                 .fused_levels = plans[plan].fused_levels};
    return ordo_sort_steps(NULL, &desc, NULL, 0, summary) == ORDO_OK;
}

typedef struct network_stats {
    ordo_network network;
    uint32_t stage_count, depth;
    uint64_t size;
} network_stats;

static network_stats stats_of(const network_options *o, ordo_network_kind kind) {
    network_stats s = {.network = {kind, o->wire_count}};
    s.depth = ordo_network_depth(&s.network);
    s.size = ordo_network_size(&s.network);
    (void)ordo_network_stage(&s.network, s.depth - 1, &s.stage_count, NULL);
    return s;
}

static bool wanted(const network_options *o, ordo_network_kind kind) {
    return !o->has_kind || o->kind == kind;
}

static void print_stats(const network_options *o) {
    printf("%" PRIu32 " wires\n\nnetwork  stages  steps   comparators\n", o->wire_count);
    for (int kind = 0; kind <= ORDO_NETWORK_ODDEVEN; kind++) {
        const network_stats s = stats_of(o, (ordo_network_kind)kind);
        if (wanted(o, s.network.kind))
            printf("%-7s  %6" PRIu32 "  %5" PRIu32 "  %12" PRIu64 "\n",
                   network_kind_name(s.network.kind), s.stage_count, s.depth, s.size);
    }
    printf("\n%-28s  dispatches   bytes moved   block  fused\n", "plan, of u32 keys");
    for (unsigned i = 0; i < PLAN_COUNT; i++) {
        ordo_summary s;
        if (!wanted(o, plans[i].kind))
            continue;
        if (ask_plan(i, o->wire_count, &s))
            printf("%-28s  %10" PRIu32 "  %12" PRIu64 "  %6" PRIu32 "  %5" PRIu32 "\n",
                   plans[i].name, s.step_count, s.moved_bytes, s.block_length, s.fused_levels);
        else
            printf("%-28s  none: %s\n", plans[i].name, s.message);
    }
}

static void print_json_plan(unsigned i, uint32_t count) {
    ordo_summary s;
    printf("{\"name\": \"%s\", ", plans[i].name);
    if (ask_plan(i, count, &s)) {
        printf("\"step_count\": %" PRIu32 ", \"moved_bytes\": %" PRIu64
               ", \"block_length\": %" PRIu32 ", \"fused_levels\": %" PRIu32 "}",
               s.step_count, s.moved_bytes, s.block_length, s.fused_levels);
    } else {
        printf("\"refused\": ");
        print_json_string(s.message);
        printf("}");
    }
}

static void print_json_stats(const network_options *o) {
    printf("{\"wire_count\": %" PRIu32 ",\n \"networks\": [", o->wire_count);
    const char *comma = "";
    for (int kind = 0; kind <= ORDO_NETWORK_ODDEVEN; kind++) {
        const network_stats s = stats_of(o, (ordo_network_kind)kind);
        if (!wanted(o, s.network.kind))
            continue;
        printf("%s\n  {\"kind\": \"%s\", \"stage_count\": %" PRIu32 ", \"depth\": %" PRIu32
               ", \"size\": %" PRIu64 ",\n   \"plans\": [",
               comma, network_kind_name(s.network.kind), s.stage_count, s.depth, s.size);
        comma = "";
        for (unsigned i = 0; i < PLAN_COUNT; i++) {
            if (plans[i].kind != s.network.kind)
                continue;
            printf("%s\n    ", comma);
            print_json_plan(i, o->wire_count);
            comma = ",";
        }
        printf("]}");
    }
    printf("]}\n");
}

static int stats(const network_options *o) {
    if (!o->has_wires)
        fail_usage("network stats", "-n is missing");
    if (o->json)
        print_json_stats(o);
    else
        print_stats(o);
    return EXIT_FINE;
}

/* ---- Arguments ----------------------------------------------------------------------------- */

static const char help[] =
    "Usage: ordo network show --kind=K -n N [--svg=FILE]\n"
    "       ordo network verify --kind=K -n N | --file=FILE [-n N]\n"
    "       ordo network stats -n N [--kind=K] [--json]\n"
    "Sorting networks: draw them, verify them by the zero-one principle, and tell what\n"
    "they cost. Needs no GPU.\n"
    "\n"
    "      --kind=K     bitonic or oddeven\n"
    "  -n N             wires; also as 2^E\n"
    "Of show, up to 64 wires:\n"
    "      --svg=FILE   also write an SVG picture\n"
    "Of verify, up to 24 wires with all inputs of zeros and ones, up to 65536 of --kind with\n"
    "all pairs of sorted runs of each merge:\n"
    "      --file=FILE  comparators of your own, - for standard input: a line each, two wires\n"
    "                   counted from 0, the lesser goes to the first; # starts a comment.\n"
    "                   Without -n there are as many wires as the highest one tells\n"
    "Of stats:\n"
    "      --json       one object with an array `networks`, each with an array `plans`\n"
    "\n"
    "      --help\n"
    "Exit codes of verify: 0 sorts, 1 does not, and an input shows it, 2 trouble.";

typedef struct command {
    const char *name, *topic;
    const char *letters; /* the options that it has */
    int (*run)(const network_options *o);
} command;

static void take_option(network_options *o, const command *c, int letter) {
    switch (letter) {
    case 'k':
        o->has_kind = true;
        o->kind = strcmp(optarg, "oddeven") == 0 ? ORDO_NETWORK_ODDEVEN : ORDO_NETWORK_BITONIC;
        if (strcmp(optarg, network_kind_name(o->kind)) != 0)
            fail_usage(c->topic, "--kind: '%s' is neither bitonic nor oddeven", optarg);
        break;
    case 'n':
        o->has_wires = true;
        o->wire_count = (uint32_t)count_option(c->topic, "-n", optarg, 32);
        break;
    case 's':
        if (strcmp(optarg, "-") == 0)
            fail_usage(c->topic,
                       "--svg: '-' is no file: standard output is for the drawing in text");
        o->svg = optarg;
        break;
    case 'f':
        o->file = optarg;
        break;
    case 'j':
        o->json = true;
        break;
    case '?':
        fail_hint(c->topic); /* getopt has said why */
    default:
        puts(help);
        finish_stdout();
        exit(EXIT_FINE);
    }
}

static int run_command(const command *c, int argc, char **argv) {
    static const struct option long_options[] = {
        {"kind", required_argument, NULL, 'k'}, {"svg", required_argument, NULL, 's'},
        {"file", required_argument, NULL, 'f'}, {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
    };
    network_options o = {.has_kind = false};
    int letter;
    int index = 0;
    while ((letter = getopt_long(argc, argv, "n:", long_options, &index)) != -1) {
        if (strchr("sfj", letter) != NULL && strchr(c->letters, letter) == NULL)
            fail_usage(c->topic, "%s has no --%s", c->name, long_options[index].name);
        take_option(&o, c, letter);
    }
    if (optind < argc)
        fail_usage(c->topic, "'%s' is one argument too many", argv[optind]);
    const int code = c->run(&o);
    finish_stdout();
    return code;
}

int network_main(int argc, char **argv) {
    static const command commands[] = {{"show", "network show", "s", show},
                                       {"verify", "network verify", "f", verify},
                                       {"stats", "network stats", "j", stats}};
    if (argc < 2)
        fail_usage("network", "network needs one of show, verify and stats");
    const char *name = argv[1];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            argv[1] = argv[0];
            return run_command(&commands[i], argc - 1, argv + 1);
        }
    }
    if (strcmp(name, "--help") != 0)
        fail_usage("network", "network has no '%s': it has show, verify and stats", name);
    puts(help);
    finish_stdout();
    return EXIT_FINE;
}
