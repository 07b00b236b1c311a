/* SPDX-License-Identifier: MIT */
/*
 * plan.c: the subcommand `plan`: the steps of a sort, scan or reduce on a device with WebGPU's
 * guaranteed limits. Asks the planner alone, and opens no adapter.
 */
#include "cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum primitive { PRIMITIVE_SORT, PRIMITIVE_SCAN, PRIMITIVE_REDUCE } primitive;

static const char *const primitive_names[] = {"sort", "scan", "reduce"};
static const char *const op_names[] = {"add", "min", "max"};
static const char *const slot_names[] = {"scratch", "in", "out", "values_in", "values_out"};

typedef struct plan_options {
    primitive primitive;
    bool has_count;
    bool json;
    ordo_op op;
    bool inclusive;
    ordo_sort_desc sort; /* max_count, key and in_place are also those of a scan or reduce */
} plan_options;

typedef struct plan {
    ordo_step *steps;
    ordo_summary summary;
} plan;

/* ---- Arguments ----------------------------------------------------------------------------- */

static void print_help(void) {
    puts("Usage: ordo plan --count=N [OPTION]...\n"
         "Print the GPU steps of a sort and the memory it takes, on a device with WebGPU's\n"
         "guaranteed limits. Needs no GPU.\n"
         "\n"
         "      --count=N           elements; also as 2^E\n"
         "      --key=T             u32 (default), i32, f32, u64, i64 or f64\n"
         "      --primitive=P       sort (default), scan or reduce\n"
         "      --in-place          of sort and scan: results replace the inputs\n"
         "Of sort:\n"
         "      --value-bytes=B     with values of B bytes\n"
         "      --argsort           indices instead of values\n"
         "      --descending\n"
         "      --skip-low-bits=N   leave out the N lowest bits of keys\n"
         "      --skip-high-bits=N  and the N highest\n"
         "      --allow-unstable    equal keys may come out in any order\n"
         "      --method=M          auto (default), radix, bitonic, bitonic-direct or oddeven\n"
         "      --digit-bits=N      of radix: 8, or 4 for the classic form\n"
         "Of sort by a network, that is any method but radix:\n"
         "      --block=N           elements that a workgroup sorts: a power of two from 16 on\n"
         "      --fuse=N            of bitonic: steps of the network in one dispatch, 1 to 4\n"
         "      --row-length=N      sort each N consecutive elements by themselves\n"
         "      --parts=LIST        instead of --key: a key of 2 to 4 words, the first one most\n"
         "                          significant, as in u32,i32:descending,f32\n"
         "Of scan and reduce:\n"
         "      --op=O              add (default), min or max\n"
         "      --inclusive         of scan\n"
         "\n"
         "      --json              one object with an array `steps`, `scratch_bytes` and more\n"
         "      --help");
}

/* The place of text among names; a usage error if it has none. */
static unsigned word_option(const char *option, const char *text, const char *const *names,
                            unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
    }
    fail_usage("plan", "%s: '%s' is not known", option, text);
}

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

/* How a sort is done, and on what it works. False if the letter is none of these options. */
static bool take_sort_option(ordo_sort_desc *sort, int letter) {
    switch (letter) {
    case 'v':
        sort->value_bytes = word_number("--value-bytes", optarg);
        return true;
    case 'a':
        sort->argsort = true;
        return true;
    case 'd':
        sort->order = ORDO_DESCENDING;
        return true;
    case 'l':
        sort->skip_low_bits = word_number("--skip-low-bits", optarg);
        return true;
    case 'h':
        sort->skip_high_bits = word_number("--skip-high-bits", optarg);
        return true;
    case 'u':
        sort->allow_unstable = true;
        return true;
    case 'm':
        sort->method = method_option("plan", optarg);
        return true;
    case 'b':
        sort->digit_bits = word_number("--digit-bits", optarg);
        return true;
    case 'B':
        sort->block_length = word_number("--block", optarg);
        return true;
    case 'f':
        sort->fused_levels = word_number("--fuse", optarg);
        return true;
    case 'r':
        sort->row_length = word_number("--row-length", optarg);
        return true;
    case 'P':
        parts_option(sort, optarg);
        return true;
    default:
        return false;
    }
}

static void take_option(plan_options *o, int letter) {
    ordo_sort_desc *sort = &o->sort;
    if (take_sort_option(sort, letter))
        return;
    switch (letter) {
    case 'n':
        sort->max_count = count_option("plan", "--count", optarg, 64);
        o->has_count = true;
        break;
    case 'k':
        if (!type_from_name(optarg, &sort->key))
            fail_usage("plan", "--key: '%s' is none of u32, i32, f32, u64, i64, f64", optarg);
        break;
    case 'i':
        sort->in_place = true;
        break;
    case 'p':
        o->primitive = (primitive)word_option("--primitive", optarg, primitive_names, 3);
        break;
    case 'o':
        o->op = (ordo_op)word_option("--op", optarg, op_names, 3);
        break;
    case 'I':
        o->inclusive = true;
        break;
    case 'j':
        o->json = true;
        break;
    case '?':
        fail_hint("plan"); /* getopt has said why */
    default:
        print_help();
        finish_stdout();
        exit(EXIT_FINE);
    }
}

/* Whether the primitive has the option. */
static bool takes_option(primitive p, int letter) {
    switch (letter) {
    case 'i':
        return p != PRIMITIVE_REDUCE;
    case 'o':
        return p != PRIMITIVE_SORT;
    case 'I':
        return p == PRIMITIVE_SCAN;
    default:
        return p == PRIMITIVE_SORT || strchr("vadlhumbBfrP", letter) == NULL;
    }
}

static plan_options parse_arguments(int argc, char **argv) {
    static const struct option long_options[] = {
        {"count", required_argument, NULL, 'n'},
        {"key", required_argument, NULL, 'k'},
        {"value-bytes", required_argument, NULL, 'v'},
        {"argsort", no_argument, NULL, 'a'},
        {"in-place", no_argument, NULL, 'i'},
        {"descending", no_argument, NULL, 'd'},
        {"skip-low-bits", required_argument, NULL, 'l'},
        {"skip-high-bits", required_argument, NULL, 'h'},
        {"allow-unstable", no_argument, NULL, 'u'},
        {"method", required_argument, NULL, 'm'},
        {"digit-bits", required_argument, NULL, 'b'},
        {"block", required_argument, NULL, 'B'},
        {"fuse", required_argument, NULL, 'f'},
        {"row-length", required_argument, NULL, 'r'},
        {"parts", required_argument, NULL, 'P'},
        {"primitive", required_argument, NULL, 'p'},
        {"op", required_argument, NULL, 'o'},
        {"inclusive", no_argument, NULL, 'I'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'H'},
        {NULL, 0, NULL, 0},
    };
    plan_options o = {.primitive = PRIMITIVE_SORT};
    /* --primitive may come last, so the first option that a primitive lacks is kept for each. */
    const char *lacking[3] = {NULL};
    int letter;
    int index = 0;
    while ((letter = getopt_long(argc, argv, "", long_options, &index)) != -1) {
        take_option(&o, letter);
        for (int p = 0; p < 3; p++) {
            if (lacking[p] == NULL && !takes_option((primitive)p, letter))
                lacking[p] = long_options[index].name;
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

static ordo_status ask(const plan_options *o, ordo_step *steps, uint32_t capacity,
                       ordo_summary *summary) {
    const ordo_sort_desc *s = &o->sort;
    const ordo_scan_desc scan = {.max_count = s->max_count,
                                 .type = s->key,
                                 .op = o->op,
                                 .inclusive = o->inclusive,
                                 .in_place = s->in_place};
    const ordo_reduce_desc reduce = {.max_count = s->max_count, .type = s->key, .op = o->op};
    switch (o->primitive) {
    case PRIMITIVE_SCAN:
        return ordo_scan_steps(NULL, &scan, steps, capacity, summary);
    case PRIMITIVE_REDUCE:
        return ordo_reduce_steps(NULL, &reduce, steps, capacity, summary);
    default:
        return ordo_sort_steps(NULL, s, steps, capacity, summary);
    }
}

static plan make_plan(const plan_options *o) {
    plan p;
    if (ask(o, NULL, 0, &p.summary) != ORDO_OK)
        fail("no plan: %s", p.summary.message);
    const uint32_t count = p.summary.step_count;
    p.steps = allocate(count, sizeof *p.steps, "steps");
    if (ask(o, p.steps, count, &p.summary) != ORDO_OK)
        fail("no plan: %s", p.summary.message);
    return p;
}

/* ---- Text ---------------------------------------------------------------------------------- */

enum { COLUMN_KERNEL, COLUMN_GROUPS, COLUMN_PARAMS, COLUMN_CONSTANTS, COLUMN_RANGES, COLUMN_COUNT };

/* A table cell; longer text is cut. */
typedef struct cell {
    char text[512];
    size_t length;
} cell;

PRINTF_LIKE(2)
static void append(cell *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(c->text + c->length, sizeof c->text - c->length, format, arguments);
    va_end(arguments);
    c->length += length < 0 ? 0 : (size_t)length;
    if (c->length >= sizeof c->text)
        c->length = sizeof c->text - 1;
}

static void append_numbers(cell *c, const ordo_number *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        append(c, "%s%s=%" PRIu32, i == 0 ? "" : " ", numbers[i].name, numbers[i].value);
    if (count == 0)
        append(c, "-");
}

static void fill_row(const ordo_step *step, cell row[COLUMN_COUNT]) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        row[i] = (cell){.length = 0};
    append(&row[COLUMN_KERNEL], "%s", step->entry);
    append(&row[COLUMN_GROUPS], "%" PRIu32, step->group_count_x);
    if (step->group_count_y > 1)
        append(&row[COLUMN_GROUPS], "x%" PRIu32, step->group_count_y);
    append_numbers(&row[COLUMN_PARAMS], step->params, step->param_count);
    append_numbers(&row[COLUMN_CONSTANTS], step->constants, step->constant_count);
    for (uint32_t i = 0; i < step->range_count; i++) {
        const ordo_range *range = &step->ranges[i];
        append(&row[COLUMN_RANGES], "%s%s%s[%" PRIu64 "+%" PRIu64 "]", i == 0 ? "" : " ",
               range->written ? "*" : "", slot_names[range->slot], range->offset_bytes,
               range->size_bytes);
    }
}

/* What the steps are, as a whole. */
static void print_method(const ordo_sort_desc *sort, const ordo_summary *s) {
    printf("method         %s\n", method_name(s->method));
    if (s->method == ORDO_METHOD_RADIX)
        printf("passes         %" PRIu32 " of at most %" PRIu32 " bits\n", s->pass_count,
               s->digit_bits);
    if (s->block_length != 0)
        printf("block          %" PRIu32 " elements\n", s->block_length);
    if (s->fused_levels != 0)
        printf("fused levels   %" PRIu32 "\n", s->fused_levels);
    if (s->index_bits != 0)
        printf("packed         %" PRIu32 " bits of key, %" PRIu32 " of index\n",
               8 * ordo_type_bytes(sort->key) - sort->skip_low_bits - sort->skip_high_bits,
               s->index_bits);
}

static void print_text(const plan_options *o, const plan *p) {
    static const char *const heads[COLUMN_COUNT] = {"kernel", "groups", "params", "constants",
                                                    "ranges (*: written)"};
    const ordo_summary *s = &p->summary;
    size_t widths[COLUMN_COUNT];
    cell row[COLUMN_COUNT];
    for (int i = 0; i < COLUMN_COUNT; i++)
        widths[i] = strlen(heads[i]);
    for (uint32_t step = 0; step < s->step_count; step++) {
        fill_row(&p->steps[step], row);
        for (int i = 0; i < COLUMN_COUNT; i++)
            widths[i] = row[i].length > widths[i] ? row[i].length : widths[i];
    }
    printf("step  %-*s  %*s  %-*s  %-*s  %s\n", (int)widths[0], heads[0], (int)widths[1], heads[1],
           (int)widths[2], heads[2], (int)widths[3], heads[3], heads[4]);
    for (uint32_t step = 0; step < s->step_count; step++) {
        fill_row(&p->steps[step], row);
        printf("%4" PRIu32 "  %-*s  %*s  %-*s  %-*s  %s\n", step, (int)widths[0], row[0].text,
               (int)widths[1], row[1].text, (int)widths[2], row[2].text, (int)widths[3],
               row[3].text, row[4].text);
    }
    printf("\ndispatches     %" PRIu32 "\n", s->step_count);
    if (o->primitive == PRIMITIVE_SORT)
        print_method(&o->sort, s);
    printf("scratch bytes  %" PRIu64 "\nbytes moved    %" PRIu64 "\n", s->scratch_bytes,
           s->moved_bytes);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void print_json_numbers(const char *name, const ordo_number *numbers, uint32_t count) {
    printf(", \"%s\": {", name);
    for (uint32_t i = 0; i < count; i++)
        printf("%s\"%s\": %" PRIu32, i == 0 ? "" : ", ", numbers[i].name, numbers[i].value);
    printf("}");
}

static void print_json_step(const ordo_step *step) {
    printf("{\"kernel\": \"%s\", \"entry\": \"%s\", \"subgroups\": %s, \"unrolled\": %s, "
           "\"items\": %" PRIu32 ", \"groups\": [%" PRIu32 ", %" PRIu32 "]",
           step->kernel, step->entry, step->subgroups ? "true" : "false",
           step->unrolled ? "true" : "false", step->items, step->group_count_x,
           step->group_count_y);
    print_json_numbers("params", step->params, step->param_count);
    print_json_numbers("constants", step->constants, step->constant_count);
    printf(", \"ranges\": [");
    for (uint32_t i = 0; i < step->range_count; i++) {
        const ordo_range *range = &step->ranges[i];
        printf("%s{\"slot\": \"%s\", \"read\": %s, \"written\": %s, \"offset_bytes\": %" PRIu64
               ", \"size_bytes\": %" PRIu64 "}",
               i == 0 ? "" : ", ", slot_names[range->slot], range->read ? "true" : "false",
               range->written ? "true" : "false", range->offset_bytes, range->size_bytes);
    }
    printf("]}");
}

/* The words of a composite key take the place of the key's type. */
static void print_json_key(const ordo_sort_desc *sort) {
    if (sort->part_count == 0) {
        printf("\"key\": \"%s\", ", type_name(sort->key));
        return;
    }
    printf("\"parts\": [");
    for (uint32_t i = 0; i < sort->part_count; i++)
        printf("%s{\"type\": \"%s\", \"order\": \"%s\"}", i == 0 ? "" : ", ",
               type_name(sort->parts[i].type),
               sort->parts[i].order == ORDO_DESCENDING ? "descending" : "ascending");
    printf("], ");
}

static void print_json(const plan_options *o, const plan *p) {
    const ordo_summary *s = &p->summary;
    printf("{\"primitive\": \"%s\", \"count\": %" PRIu64 ", ", primitive_names[o->primitive],
           o->sort.max_count);
    print_json_key(&o->sort);
    if (o->primitive == PRIMITIVE_SORT)
        printf("\"method\": \"%s\", \"digit_bits\": %" PRIu32 ", \"pass_count\": %" PRIu32
               ", \"block_length\": %" PRIu32 ", \"fused_levels\": %" PRIu32
               ", \"index_bits\": %" PRIu32 ", ",
               method_name(s->method), s->digit_bits, s->pass_count, s->block_length,
               s->fused_levels, s->index_bits);
    printf("\"step_count\": %" PRIu32 ", \"scratch_bytes\": %" PRIu64 ", \"moved_bytes\": %" PRIu64
           ",\n \"steps\": [",
           s->step_count, s->scratch_bytes, s->moved_bytes);
    for (uint32_t i = 0; i < s->step_count; i++) {
        printf("%s\n  ", i == 0 ? "" : ",");
        print_json_step(&p->steps[i]);
    }
    printf("]}\n");
}

int plan_main(int argc, char **argv) {
    plan_options o = parse_arguments(argc, argv);
    plan p = make_plan(&o);
    if (o.json)
        print_json(&o, &p);
    else
        print_text(&o, &p);
    free(p.steps);
    finish_stdout();
    return EXIT_FINE;
}
