/* SPDX-License-Identifier: MIT */
/* advise_show.c: see advise_show.h. */
#include "advise_show.h"

#include "cli.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- C code -------------------------------------------------------------------------------- */

/* A desc as C text: its fields that are not 0. */
typedef struct code {
    char text[640];
    size_t length;
    bool any; /* a field is there already */
} code;

PRINTF_LIKE(2)
static void append(code *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length =
        vsnprintf(c->text + c->length, sizeof c->text - c->length, format, arguments);
    va_end(arguments);
    c->length += length < 0 ? 0 : (size_t)length;
    if (c->length >= sizeof c->text)
        c->length = sizeof c->text - 1;
}

static void append_name(code *c, const char *name) {
    append(c, "%s.%s = ", c->any ? ", " : "", name);
    c->any = true;
}

static void append_number(code *c, const char *name, uint64_t value) {
    if (value != 0) {
        append_name(c, name);
        append(c, "%" PRIu64, value);
    }
}

static void append_word(code *c, const char *name, uint32_t value, const char *word) {
    if (value != 0) {
        append_name(c, name);
        append(c, "%s", word);
    }
}

static void append_true(code *c, const char *name, bool value) {
    append_word(c, name, value, "true");
}

static void append_real(code *c, const char *name, double value) {
    char shown[SHOWN_BYTES];
    if (value != 0) {
        float_show(value, false, shown);
        append_name(c, name);
        append(c, "%s", shown);
    }
}

static void append_floats(code *c, const char *name, const float values[3], uint32_t count) {
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any = any || values[i] != 0;
    if (!any)
        return;
    append_name(c, name);
    for (uint32_t i = 0; i < count; i++) {
        char shown[SHOWN_BYTES];
        float_show((double)values[i], true, shown);
        append(c, "%s%s%s", i == 0 ? "{" : ", ", shown, strpbrk(shown, ".e") != NULL ? "f" : ".0f");
    }
    append(c, "}");
}

static const char *type_word(ordo_type type) {
    static const char *const words[] = {"ORDO_U32", "ORDO_I32", "ORDO_F32",
                                        "ORDO_U64", "ORDO_I64", "ORDO_F64"};
    return words[type];
}

static void append_sort(code *c, const ordo_sort_desc *d) {
    append_word(c, "key", d->key, type_word(d->key));
    append_word(c, "order", d->order, "ORDO_DESCENDING");
    append_number(c, "value_bytes", d->value_bytes);
    append_true(c, "argsort", d->argsort);
    append_true(c, "in_place", d->in_place);
    append_true(c, "allow_unstable", d->allow_unstable);
    append_number(c, "skip_low_bits", d->skip_low_bits);
    append_number(c, "skip_high_bits", d->skip_high_bits);
    append_number(c, "row_length", d->row_length);
    static const char *const methods[] = {
        [ORDO_METHOD_RADIX] = "ORDO_METHOD_RADIX",
        [ORDO_METHOD_BITONIC] = "ORDO_METHOD_BITONIC",
        [ORDO_METHOD_BITONIC_DIRECT] = "ORDO_METHOD_BITONIC_DIRECT",
        [ORDO_METHOD_ODDEVEN] = "ORDO_METHOD_ODDEVEN",
        [ORDO_METHOD_MSD] = "ORDO_METHOD_MSD",
        [ORDO_METHOD_SAMPLE] = "ORDO_METHOD_SAMPLE",
        [ORDO_METHOD_ONESWEEP] = "ORDO_METHOD_ONESWEEP",
    };
    append_word(c, "method", d->method, methods[d->method]);
}

static void append_counting(code *c, const ordo_counting_sort_desc *d) {
    append_number(c, "bucket_count", d->bucket_count);
    append_number(c, "value_bytes", d->value_bytes);
    append_true(c, "argsort", d->argsort);
}

static void append_histogram(code *c, const ordo_histogram_desc *d) {
    append_word(c, "type", d->type, type_word(d->type));
    append_word(c, "bins", d->bins, "ORDO_BINS_BITS");
    append_number(c, "bin_count", d->bin_count);
    append_real(c, "lo", d->lo);
    append_real(c, "hi", d->hi);
    append_number(c, "skip_low_bits", d->skip_low_bits);
    append_number(c, "skip_high_bits", d->skip_high_bits);
}

static void append_grid(code *c, const ordo_grid_desc *d) {
    append_number(c, "dimensions", d->dimensions);
    append_floats(c, "origin", d->origin, d->dimensions == 2 ? 2 : 3);
    append_floats(c, "cell_size", d->cell_size, 1);
    if (d->cells[0] != 0) {
        append_name(c, "cells");
        append(c, "{%" PRIu32 ", %" PRIu32, d->cells[0], d->cells[1]);
        if (d->dimensions != 2)
            append(c, ", %" PRIu32, d->cells[2]);
        append(c, "}");
    }
    append_number(c, "table_size", d->table_size);
}

static void append_top_k(code *c, const ordo_top_k_desc *d) {
    append_word(c, "key", d->key, type_word(d->key));
    append_true(c, "smallest", d->smallest);
    append_number(c, "k", d->k);
    append_number(c, "row_length", d->row_length);
}

/* A declaration of the option's desc; "" if there is nothing to do. */
static code show_desc(const ordo_option *o, uint64_t max_count) {
    static const char *const names[] = {"", "sort", "counting_sort", "histogram", "grid", "top_k"};
    code c = {.any = false};
    if (o->primitive == ORDO_PRIMITIVE_NONE)
        return c;
    append(&c, "ordo_%s_desc desc = {", names[o->primitive]);
    append_number(&c, "max_count", max_count);
    switch (o->primitive) {
    case ORDO_PRIMITIVE_SORT:
        append_sort(&c, &o->desc.sort);
        break;
    case ORDO_PRIMITIVE_COUNTING_SORT:
        append_counting(&c, &o->desc.counting_sort);
        break;
    case ORDO_PRIMITIVE_HISTOGRAM:
        append_histogram(&c, &o->desc.histogram);
        break;
    case ORDO_PRIMITIVE_GRID:
        append_grid(&c, &o->desc.grid);
        break;
    default:
        append_top_k(&c, &o->desc.top_k);
    }
    append(&c, "};");
    return c;
}

/* ---- What was measured --------------------------------------------------------------------- */

static void print_number(const numbers *n, uint64_t i) {
    char shown[80];
    if (n->t.in != NULL)
        text_show(&n->t, i, shown, sizeof shown);
    else
        key_show(&n->k, i, shown);
    fputs(shown, stdout);
}

void show_keys(const numbers *n, const key_facts *facts, bool distances, bool json) {
    const keys *k = &n->k;
    const bool more = facts->distinct_count > MOST_DISTINCT;
    const uint64_t distinct = more ? MOST_DISTINCT : facts->distinct_count;
    if (json) {
        printf("\"measured\": {\"count\": %" PRIu64 ", \"read_as\": \"%s\", \"key\": \"%s\", "
               "\"distinct_count\": %" PRIu64 ", \"distinct_is_more\": %s, "
               "\"skip_low_bits\": %" PRIu32 ", \"significant_bits\": %" PRIu32
               ", \"disorder_count\": %" PRIu64 "}, ",
               k->count, type_name(n->type), type_name(k->type), distinct, more ? "true" : "false",
               facts->skip_low_bits, facts->significant_bits, facts->disorder_count);
        return;
    }
    printf("%" PRIu64 " numbers, read as %s", k->count, type_name(n->type));
    if (distances)
        printf(" and sorted as %s by their distance to the least", type_name(k->type));
    else if (k->type != n->type)
        printf(" and counted as %s", type_name(k->type));
    printf("; %s%" PRIu64 " different\n", more ? "more than " : "", distinct);
    if (k->count == 0)
        return;
    fputs("from ", stdout);
    print_number(n, facts->least);
    fputs(" to ", stdout);
    print_number(n, facts->greatest);
    if (facts->significant_bits != 0)
        printf("; they differ in %" PRIu32 " bits, above the lowest %" PRIu32,
               facts->significant_bits, facts->skip_low_bits);
    printf("\n%" PRIu64 " of %" PRIu64 " neighbours are out of order\n\n", facts->disorder_count,
           k->count - 1);
}

static void show_corner(const char *name, const float corner[3], uint32_t dimensions, bool json) {
    printf(json ? ", \"%s\": [" : "%s (", name);
    for (uint32_t i = 0; i < dimensions; i++) {
        char shown[SHOWN_BYTES];
        float_show((double)corner[i], true, shown);
        printf("%s%s", i == 0 ? "" : ", ", shown);
    }
    putchar(json ? ']' : ')');
}

void show_points(const ordo_question *question, bool json) {
    const uint32_t dimensions = question->dimensions == 2 ? 2 : 3;
    printf(json ? "\"measured\": {\"count\": %" PRIu64 ", \"dimensions\": %" PRIu32
                : "%" PRIu64 " points of %" PRIu32 " coordinates, ",
           question->max_count, dimensions);
    show_corner(json ? "lower" : "from", question->lower, dimensions, json);
    if (!json)
        putchar(' ');
    show_corner(json ? "upper" : "to", question->upper, dimensions, json);
    fputs(json ? "}, " : "\n\n", stdout);
}

/* ---- The answer ---------------------------------------------------------------------------- */

/* "sort, radix" and so on. */
static void name_option(const ordo_option *o, char *name, size_t capacity) {
    const bool sort = o->primitive == ORDO_PRIMITIVE_SORT;
    snprintf(name, capacity, "%s%s%s", ordo_primitive_name(o->primitive), sort ? ", " : "",
             sort ? method_name(o->desc.sort.method) : "");
}

bool needs_limits(const ordo_option *o) {
    return !o->fits && o->summary.step_count != 0 && o->summary.message[0] != '\0';
}

/* The planner names the first limit that is too low; a buffer may pass a second one. */
static void show_limits(const ordo_option *o) {
    const uint64_t guaranteed_buffer_bytes = UINT64_C(1) << 28;
    uint64_t most = 0;
    for (uint32_t i = 0; i < ORDO_SLOT_COUNT; i++)
        most = o->summary.slot_bytes[i] > most ? o->summary.slot_bytes[i] : most;
    printf("%s", o->summary.message);
    if (most > guaranteed_buffer_bytes && strstr(o->summary.message, "maxBufferSize") == NULL)
        printf("; maxBufferSize must be at least %" PRIu64, most);
    putchar('\n');
}

static void show_answer(const ordo_question *q, const ordo_advice *a) {
    const ordo_option *answer = &a->options[0];
    char name[40];
    name_option(answer, name, sizeof name);
    if (answer->fits && answer->primitive == ORDO_PRIMITIVE_NONE) {
        printf("There is nothing to do. %s\n", answer->why);
        return;
    }
    if (!answer->fits && !needs_limits(answer)) {
        printf("Nothing fits.\n");
        return;
    }
    printf("Use: %s. %s\n", name, answer->why);
    if (answer->summary.window_count != 0)
        printf("Its arrays are larger than a binding of the device: it binds them in %" PRIu32
               " windows.\n",
               answer->summary.window_count);
    if (!answer->fits)
        show_limits(answer);
    printf("\n    %s\n", show_desc(answer, q->max_count).text);
}

static void show_text(const ordo_question *q, const ordo_advice *a) {
    char name[40];
    show_answer(q, a);
    printf("\n%-16s %10s %14s %14s %12s\n", "option", "dispatches", "bytes moved", "scratch bytes",
           "modelled us");
    for (uint32_t i = 0; i < a->option_count; i++) {
        const ordo_option *o = &a->options[i];
        const ordo_summary *s = &o->summary;
        name_option(o, name, sizeof name);
        if (s->message[0] != '\0' && s->step_count == 0)
            printf("%-16s %s\n", name, s->message);
        else
            printf("%-16s %10" PRIu32 " %14" PRIu64 " %14" PRIu64 " %12.1f%s\n", name,
                   s->step_count, s->moved_bytes, s->scratch_bytes, 1e-3 * (double)s->modelled_ns,
                   o->fits           ? ""
                   : needs_limits(o) ? "  needs larger limits"
                                     : "  does not fit");
    }
    const uint32_t shown = a->options[0].fits || needs_limits(&a->options[0]);
    for (uint32_t i = shown; i < a->option_count; i++) {
        const ordo_option *o = &a->options[i];
        name_option(o, name, sizeof name);
        printf("%s%s: %s%s", i == shown ? "\n" : "", name, o->why, needs_limits(o) ? " " : "\n");
        if (needs_limits(o))
            show_limits(o);
    }
}

static void show_json(const ordo_question *q, const ordo_advice *a) {
    printf("\"count\": %" PRIu64 ", \"key\": \"%s\", \"fits\": %s,\n \"options\": [", q->max_count,
           type_name(q->key), a->fits ? "true" : "false");
    for (uint32_t i = 0; i < a->option_count; i++) {
        const ordo_option *o = &a->options[i];
        const ordo_summary *s = &o->summary;
        printf("%s\n  {\"primitive\": \"%s\", \"method\": ", i == 0 ? "" : ",",
               ordo_primitive_name(o->primitive));
        if (o->primitive == ORDO_PRIMITIVE_SORT)
            print_json_string(method_name(o->desc.sort.method));
        else
            fputs("null", stdout);
        printf(", \"fits\": %s, \"step_count\": %" PRIu32 ", \"moved_bytes\": %" PRIu64
               ", \"scratch_bytes\": %" PRIu64 ", \"modelled_us\": %.3f, \"why\": ",
               o->fits ? "true" : "false", s->step_count, s->moved_bytes, s->scratch_bytes,
               1e-3 * (double)s->modelled_ns);
        print_json_string(o->why);
        printf(", \"message\": ");
        print_json_string(s->message);
        printf(", \"desc\": ");
        print_json_string(show_desc(o, q->max_count).text);
        printf("}");
    }
    printf("]}\n");
}

void show_advice(const ordo_question *question, const ordo_advice *advice, bool json) {
    if (json)
        show_json(question, advice);
    else
        show_text(question, advice);
}
