/* SPDX-License-Identifier: MIT */
/*
 * plan.c: the subcommand `plan`: the steps of a primitive on a device with WebGPU's guaranteed
 * limits. Asks the planner alone, and opens no adapter.
 */
#include "cli.h"
#include "plan_desc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const slot_names[ORDO_SLOT_COUNT] = {"scratch",    "in",    "out",   "values_in",
                                                        "values_out", "edges", "starts"};

typedef struct plan {
    ordo_step *steps;
    ordo_summary summary;
} plan;

static plan make_plan(const plan_options *o) {
    plan p;
    if (plan_ask(o, NULL, 0, &p.summary) != ORDO_OK)
        fail("no plan: %s", p.summary.message);
    const uint32_t count = p.summary.step_count;
    p.steps = allocate(count, sizeof *p.steps, "steps");
    if (plan_ask(o, p.steps, count, &p.summary) != ORDO_OK)
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
    if (s->window_count != 0)
        printf("windows        %" PRIu32 ", as arrays are larger than a binding\n",
               s->window_count);
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
    printf("scratch bytes  %" PRIu64 "\nbytes moved    %" PRIu64 "\nmodelled time  %.1f us\n",
           s->scratch_bytes, s->moved_bytes, 1e-3 * (double)s->modelled_ns);
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
    if (primitive_has_key(o->primitive))
        print_json_key(&o->sort);
    if (o->primitive == PRIMITIVE_SORT)
        printf("\"method\": \"%s\", \"digit_bits\": %" PRIu32 ", \"pass_count\": %" PRIu32
               ", \"block_length\": %" PRIu32 ", \"fused_levels\": %" PRIu32
               ", \"index_bits\": %" PRIu32 ", \"window_count\": %" PRIu32 ", ",
               method_name(s->method), s->digit_bits, s->pass_count, s->block_length,
               s->fused_levels, s->index_bits, s->window_count);
    printf("\"step_count\": %" PRIu32 ", \"scratch_bytes\": %" PRIu64 ", \"moved_bytes\": %" PRIu64
           ", \"modelled_us\": %.3f,\n \"steps\": [",
           s->step_count, s->scratch_bytes, s->moved_bytes, 1e-3 * (double)s->modelled_ns);
    for (uint32_t i = 0; i < s->step_count; i++) {
        printf("%s\n  ", i == 0 ? "" : ",");
        print_json_step(&p->steps[i]);
    }
    printf("]}\n");
}

int plan_main(int argc, char **argv) {
    plan_options o = plan_parse(argc, argv);
    plan p = make_plan(&o);
    if (o.json)
        print_json(&o, &p);
    else
        print_text(&o, &p);
    free(p.steps);
    finish_stdout();
    return EXIT_FINE;
}
