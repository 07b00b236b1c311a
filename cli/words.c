/* SPDX-License-Identifier: MIT */
/* words.c: words and numbers in arguments, and how text is shown. */
#include "cli.h"
#include "decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

static const char *const type_names[] = {"u32", "i32", "f32", "u64", "i64", "f64"};

const char *type_name(ordo_type type) { return type_names[type]; }

bool type_from_name(const char *text, ordo_type *type) {
    for (int i = 0; i < 6; i++) {
        if (strcmp(text, type_names[i]) == 0) {
            *type = (ordo_type)i;
            return true;
        }
    }
    return false;
}

static const char *const method_names[] = {"auto",    "radix", "bitonic", "bitonic-direct",
                                           "oddeven", "msd",   "sample",  "onesweep"};

const char *method_name(ordo_method method) { return method_names[method]; }

/* ---- Options --------------------------------------------------------------------------------- */

unsigned word_option(const char *topic, const char *name, const char *given,
                     const char *const *words, unsigned count) {
    char listed[256];
    size_t length = 0;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(given, words[i]) == 0)
            return i;
        length += (size_t)snprintf(listed + length, sizeof listed - length, "%s%s",
                                   i == 0 ? "" : ", ", words[i]);
    }
    fail_usage(topic, "%s: '%s' is none of %s", name, given, listed);
}

ordo_type type_option(const char *topic, const char *name, const char *given) {
    return (ordo_type)word_option(topic, name, given, type_names, 6);
}

ordo_method method_option(const char *topic, const char *given) {
    return (ordo_method)word_option(topic, "--method", given, method_names,
                                    sizeof method_names / sizeof *method_names);
}

/* Whether the text is a decimal number of at most max. */
static bool parse_number(const char *text, uint64_t max, uint64_t *value) {
    bool fits = text[0] != '\0';
    *value = 0;
    for (const char *at = text; *at != '\0' && fits; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        fits = *at >= '0' && *at <= '9' && digit <= max && *value <= (max - digit) / 10;
        *value = *value * 10 + digit;
    }
    return fits;
}

uint64_t number_option(const char *topic, const char *name, const char *text, uint64_t max) {
    uint64_t value;
    if (!parse_number(text, max, &value))
        fail_usage(topic, "%s: '%s' is no number from 0 to %" PRIu64, name, text, max);
    return value;
}

uint64_t count_option(const char *topic, const char *name, const char *text, uint32_t bits) {
    uint64_t exponent;
    if (strncmp(text, "2^", 2) == 0 && parse_number(text + 2, bits - 1, &exponent))
        return UINT64_C(1) << exponent;
    return number_option(topic, name, text, UINT64_MAX >> (64 - bits));
}

double real_option(const char *topic, const char *name, const char *given) {
    const decimal d = decimal_parse(given, given + strlen(given));
    const double value = decimal_to_double(&d);
    if (d.form == DECIMAL_NONE || !isfinite(value))
        fail_usage(topic, "%s: '%s' is no number", name, given);
    return value;
}

uint32_t list_option(const char *topic, const char *name, const char *given, float *reals,
                     uint32_t *numbers) {
    uint32_t count = 0;
    for (const char *at = given; at != NULL; count++) {
        const size_t length = strcspn(at, ",");
        char piece[64];
        snprintf(piece, sizeof piece, "%.*s", (int)length, at);
        const decimal d = decimal_parse(at, at + length);
        if (count == 3)
            fail_usage(topic, "%s takes at most 3 numbers: '%s' is one too many", name, piece);
        if (reals == NULL)
            numbers[count] = (uint32_t)count_option(topic, name, piece, 32);
        else if (d.form == DECIMAL_NONE || !isfinite(decimal_to_float(&d)))
            fail_usage(topic, "%s: '%s' is no number", name, piece);
        else
            reals[count] = decimal_to_float(&d);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    for (uint32_t i = count; i < 3; i++) {
        if (reals == NULL)
            numbers[i] = 0;
        else
            reals[i] = 0;
    }
    return count;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* The length of the UTF-8 character at the start of text; 0 if there is none, or one of control. */
static size_t printable_length(const unsigned char *text, size_t length) {
    const unsigned char lead = text[0];
    size_t bytes = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (bytes == 0 || bytes > length || lead > 0xf4 || lead < 0x20 || lead == 0x7f)
        return 0;
    for (size_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    /* C1; what a shorter sequence says; surrogates; what is beyond Unicode. */
    bool refused = (lead == 0xc2 && text[1] < 0xa0) || (lead == 0xe0 && text[1] < 0xa0) ||
                   (lead == 0xed && text[1] > 0x9f) || (lead == 0xf0 && text[1] < 0x90) ||
                   (lead == 0xf4 && text[1] > 0x8f);
    return refused ? 0 : bytes;
}

size_t show_character(const char **at, const char *end, char *shown) {
    size_t length = printable_length((const unsigned char *)*at, (size_t)(end - *at));
    if (length == 0)
        return (size_t)snprintf(shown, 5, "\\x%02x", (unsigned char)*(*at)++);
    memcpy(shown, *at, length);
    *at += length;
    return length;
}

void print_json_string(const char *text) {
    putchar('"');
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte < 0x20)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}
