/* SPDX-License-Identifier: MIT */
/*
 * text.c: see text.h. Two passes over the lines: the first finds what type holds all numbers, the
 * second makes the keys. A pass parses each line anew, which is cheaper than to keep what was
 * parsed.
 */
#include "text.h"

#include "cli.h"
#include "decimal.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Lines between two looks at the clock. */
#define PROGRESS_LINES 65536

/* ---- Lines --------------------------------------------------------------------------------- */

static uint64_t count_lines(const input *in) {
    uint64_t count = 0;
    const char *end = in->bytes + in->byte_count;
    for (const char *at = in->bytes; at < end; count++)
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    return count;
}

/* Every line has its ending, so the last character of each file is a newline. */
static void find_lines(text *t, input *in) {
    in->item_count = count_lines(in);
    t->starts = allocate(in->item_count + 1, sizeof *t->starts, "line positions");
    unsigned file = 0;
    uint64_t at = 0;
    for (uint64_t line = 0; line < in->item_count; line++) {
        for (; file < in->source_count && in->sources[file].first_byte <= at; file++)
            in->sources[file].first_item = line;
        t->starts[line] = at;
        const char *newline = memchr(in->bytes + at, '\n', (size_t)(in->byte_count - at));
        at = (uint64_t)(newline - in->bytes) + 1;
    }
    for (; file < in->source_count; file++)
        in->sources[file].first_item = in->item_count;
    t->starts[in->item_count] = at;
}

static decimal line_decimal(const text *t, uint64_t line) {
    return decimal_parse(t->in->bytes + t->starts[line], t->in->bytes + t->starts[line + 1] - 1);
}

void text_show(const text *t, uint64_t line, char *shown, size_t capacity) {
    const char *at = t->in->bytes + t->starts[line];
    const char *end = t->in->bytes + t->starts[line + 1] - 1;
    if (end > at && end[-1] == '\r')
        end--;
    size_t length = 0;
    /* Room for one escape, three points and the terminator stays. */
    while (at < end && length + 8 < capacity)
        length += show_character(&at, end, shown + length);
    snprintf(shown + length, 4, "%s", at < end ? "..." : "");
}

void text_fail(const text *t, uint64_t line, const char *problem) {
    char shown[80];
    text_show(t, line, shown, sizeof shown);
    const source *from = input_source(t->in, line);
    fail("%s:%" PRIu64 ": %s: '%s'%s", from->name, line - from->first_item + 1, problem, shown,
         shown[0] == '\0' ? " (an empty line)" : "");
}

/* ---- The type ------------------------------------------------------------------------------ */

static ordo_type find_type(const text *t) {
    bool all_i64 = true;
    bool all_u64 = true;
    for (uint64_t line = 0; line < t->in->item_count; line++) {
        decimal d = line_decimal(t, line);
        if (d.form == DECIMAL_NONE)
            text_fail(t, line, "not a number");
        bool whole = d.form == DECIMAL_INTEGER && d.fits;
        uint64_t limit = (uint64_t)INT64_MAX + d.negative;
        all_i64 = all_i64 && whole && d.digits <= limit;
        all_u64 = all_u64 && whole && (!d.negative || d.digits == 0);
        if (line % PROGRESS_LINES == 0)
            progress("reading numbers", line, 2 * t->in->item_count);
    }
    return all_i64 ? ORDO_I64 : all_u64 ? ORDO_U64 : ORDO_F64;
}

/* ---- Keys ---------------------------------------------------------------------------------- */

/* The largest magnitude that a type holds on one side of zero. */
static uint64_t integer_limit(ordo_type type, bool negative) {
    switch (type) {
    case ORDO_I32:
        return (uint64_t)INT32_MAX + negative;
    case ORDO_I64:
        return (uint64_t)INT64_MAX + negative;
    case ORDO_U32:
        return negative ? 0 : UINT32_MAX;
    default:
        return negative ? 0 : UINT64_MAX;
    }
}

/* An integer as one that is ordered without a sign: of a signed type moved up by 2^63. */
static uint64_t line_integer(const text *t, uint64_t line) {
    decimal d = line_decimal(t, line);
    char problem[64];
    if (d.form == DECIMAL_NONE)
        text_fail(t, line, "not a number");
    if (d.form != DECIMAL_INTEGER) {
        snprintf(problem, sizeof problem, "not an integer, for %s", type_name(t->type));
        text_fail(t, line, problem);
    }
    if (!d.fits || d.digits > integer_limit(t->type, d.negative)) {
        snprintf(problem, sizeof problem, "out of range of %s", type_name(t->type));
        text_fail(t, line, problem);
    }
    if (!type_is_signed(t->type))
        return d.digits;
    const uint64_t middle = UINT64_C(1) << 63;
    return d.negative ? middle - d.digits : middle + d.digits;
}

static uint32_t bit_length(uint64_t value) {
    uint32_t length = 0;
    for (; value != 0; value >>= 1)
        length++;
    return length;
}

/* Fewer key bits are fewer passes, so integers are stored as distances to the least. */
static void integer_keys(const text *t, keys *k) {
    uint64_t *wide = allocate(k->count, sizeof *wide, "keys");
    uint64_t least = UINT64_MAX;
    uint64_t greatest = 0;
    for (uint64_t line = 0; line < k->count; line++) {
        wide[line] = line_integer(t, line);
        least = wide[line] < least ? wide[line] : least;
        greatest = wide[line] > greatest ? wide[line] : greatest;
        if (line % PROGRESS_LINES == 0)
            progress("reading numbers", k->count + line, 2 * k->count);
    }
    uint32_t bits = k->count == 0 ? 0 : bit_length(greatest - least);
    k->type = bits <= 32 ? ORDO_U32 : ORDO_U64;
    k->skip_high_bits = (bits <= 32 ? 32 : 64) - bits;
    k->origin = k->count == 0 ? 0 : least;
    k->data = wide;
    for (uint64_t line = 0; line < k->count; line++) {
        uint64_t distance = wide[line] - least;
        /* The narrow keys overwrite the wide ones from the front, none that is still to come. */
        if (bits <= 32)
            memcpy((char *)k->data + 4 * line, &(uint32_t){(uint32_t)distance}, 4);
        else
            wide[line] = distance;
    }
}

/* exact: a number beyond the type's range is still ordered by its value, as the type's infinity
   and then by text_compare; else it is an error. */
static void float_keys(text *t, keys *k, bool exact) {
    const uint32_t bytes = ordo_type_bytes(t->type);
    k->type = t->type;
    k->data = allocate(k->count, bytes, "keys");
    for (uint64_t line = 0; line < k->count; line++) {
        decimal d = line_decimal(t, line);
        if (d.form == DECIMAL_NONE)
            text_fail(t, line, "not a number");
        float single = bytes == 4 ? decimal_to_float(&d) : 0;
        double wide = bytes == 8 ? decimal_to_double(&d) : (double)single;
        if (!exact && d.form != DECIMAL_INFINITE && isinf(wide))
            text_fail(t, line, bytes == 4 ? "out of range of f32" : "out of range of f64");
        t->rounded = t->rounded || (exact && decimal_may_round(&d));
        memcpy((char *)k->data + bytes * line, bytes == 4 ? (void *)&single : (void *)&wide, bytes);
        if (line % PROGRESS_LINES == 0)
            progress("reading numbers", k->count + line, 2 * k->count);
    }
}

void text_keys(text *t, input *in, const ordo_type *type, keys *k) {
    *t = (text){.in = in};
    find_lines(t, in);
    t->type = type == NULL ? find_type(t) : *type;
    *k = (keys){.count = in->item_count};
    if (type_is_float(t->type))
        float_keys(t, k, type == NULL);
    else
        integer_keys(t, k);
}

/* ---- Points -------------------------------------------------------------------------------- */

/* Reads up to 3 numbers of a line; how many there are, 4 if more. */
static uint32_t line_point(const text *t, uint64_t line, float *point) {
    const char *at = t->in->bytes + t->starts[line];
    const char *end = t->in->bytes + t->starts[line + 1] - 1;
    for (uint32_t found = 0;; found++) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at == end || found == 4)
            return found;
        const char *start = at;
        while (at < end && *at != ' ' && *at != '\t' && *at != '\r')
            at++;
        const decimal d = decimal_parse(start, at);
        if (d.form == DECIMAL_NONE)
            text_fail(t, line, "not a number in every place");
        const float value = decimal_to_float(&d);
        if (isinf(value) && d.form != DECIMAL_INFINITE)
            text_fail(t, line, "out of range of f32");
        if (found < 3)
            point[found] = value;
    }
}

float *text_points(text *t, input *in, uint32_t *dimensions) {
    *t = (text){.in = in, .type = ORDO_F32};
    find_lines(t, in);
    float *points = allocate(in->item_count, 3 * sizeof *points, "points");
    for (uint64_t line = 0; line < in->item_count; line++) {
        float point[3];
        const uint32_t found = line_point(t, line, point);
        if (*dimensions == 0 && (found == 2 || found == 3))
            *dimensions = found;
        if (found == 0 || found != *dimensions)
            text_fail(t, line,
                      *dimensions == 2   ? "not 2 numbers"
                      : *dimensions == 3 ? "not 3 numbers"
                                         : "not 2 or 3 numbers");
        memcpy(points + line * *dimensions, point, *dimensions * sizeof *point);
        if (line % PROGRESS_LINES == 0)
            progress("reading numbers", line, in->item_count);
    }
    return points;
}

void text_free(text *t) {
    free(t->starts);
    *t = (text){.in = NULL};
}

/* ---- Exact order --------------------------------------------------------------------------- */

static int compare_texts(const text *t, uint64_t a, uint64_t b) {
    decimal in_a = line_decimal(t, a);
    decimal in_b = line_decimal(t, b);
    return decimal_compare(&in_a, &in_b);
}

int text_compare(const text *t, const keys *k, uint64_t a, uint64_t b) {
    uint64_t image_a = key_image(k, a);
    uint64_t image_b = key_image(k, b);
    if (image_a != image_b)
        return image_a < image_b ? -1 : 1;
    return t->rounded ? compare_texts(t, a, b) : 0;
}

static bool same_line(const text *t, uint64_t a, uint64_t b) {
    uint64_t length = t->starts[a + 1] - t->starts[a];
    return length == t->starts[b + 1] - t->starts[b] &&
           memcmp(t->in->bytes + t->starts[a], t->in->bytes + t->starts[b], (size_t)length) == 0;
}

/* Stable merge sort by exact value; sign -1 sorts descending. spare has room for count. */
static void sort_exactly(const text *t, int sign, uint32_t *indices, uint64_t count,
                         uint32_t *spare) {
    if (count < 2)
        return;
    uint64_t half = count / 2;
    sort_exactly(t, sign, indices, half, spare);
    sort_exactly(t, sign, indices + half, count - half, spare);
    memcpy(spare, indices, (size_t)half * sizeof *spare);
    uint64_t left = 0;
    uint64_t right = half;
    for (uint64_t to = 0; left < half; to++) {
        bool take_right = right < count && sign * compare_texts(t, indices[right], spare[left]) < 0;
        indices[to] = take_right ? indices[right++] : spare[left++];
    }
}

void text_refine(const text *t, const keys *k, bool descending, uint32_t *indices, uint64_t count) {
    uint32_t *spare = allocate(count, sizeof *spare, "equal keys");
    for (uint64_t start = 0, end; start < count; start = end) {
        uint64_t image = key_image(k, indices[start]);
        bool differ = false;
        for (end = start + 1; end < count && key_image(k, indices[end]) == image; end++)
            differ = differ || !same_line(t, indices[start], indices[end]);
        if (differ)
            sort_exactly(t, descending ? -1 : 1, indices + start, end - start, spare);
    }
    free(spare);
}

void text_write_lines(const text *t, const uint32_t *indices, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *start = t->starts + indices[i];
        output_write(t->in->bytes + start[0], start[1] - start[0]);
        if (i % PROGRESS_LINES == 0)
            progress("writing", i, count);
    }
}
