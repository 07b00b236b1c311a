/* SPDX-License-Identifier: MIT */
/*
 * decimal.c: see decimal.h. The program never sets a locale, so strtod reads a point in all of
 * them; it only sees what the grammar has accepted.
 */
#include "decimal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPONENT_LIMIT INT64_C(100000000000000000)

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* ---- Parsing ------------------------------------------------------------------------------- */

/* Whether [at, end) is the word, in any case. */
static bool is_word(const char *at, const char *end, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(end - at) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if ((at[i] | 0x20) != word[i])
            return false;
    }
    return true;
}

static void take_digit(decimal *d, const char *at) {
    unsigned digit = (unsigned)(*at - '0');
    if (d->digits > (UINT64_MAX - digit) / 10)
        d->fits = false;
    else
        d->digits = d->digits * 10 + digit;
    if (digit != 0) {
        if (d->first == NULL)
            d->first = at;
        d->last = at + 1;
    }
}

/* The digits before and behind the point; returns what follows, or NULL if there are none. */
static const char *parse_digits(decimal *d, const char *at, const char *end) {
    const char *start = at;
    for (; at < end && is_digit(*at); at++)
        take_digit(d, at);
    const char *whole_end = at;
    int64_t fraction_digits = 0;
    if (at < end && *at == '.') {
        d->form = DECIMAL_REAL;
        for (at++; at < end && is_digit(*at); at++)
            take_digit(d, at);
        fraction_digits = at - whole_end - 1;
    }
    if (whole_end == start && fraction_digits == 0)
        return NULL;
    d->scale = -fraction_digits;
    if (d->first != NULL) {
        bool in_whole = d->first < whole_end;
        d->point = in_whole ? whole_end - d->first : whole_end + 1 - d->first;
        d->length = (uint64_t)(d->last - d->first) - (in_whole && d->last > whole_end);
    }
    return at;
}

/* The exponent, behind its e; returns what follows, or NULL. */
static const char *parse_exponent(decimal *d, const char *at, const char *end) {
    bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    const char *start = at;
    int64_t exponent = 0;
    for (; at < end && is_digit(*at); at++) {
        exponent = exponent * 10 + (*at - '0');
        if (exponent >= EXPONENT_LIMIT)
            return NULL;
    }
    if (at == start)
        return NULL;
    d->form = DECIMAL_REAL;
    d->scale += negative ? -exponent : exponent;
    d->point += negative ? -exponent : exponent;
    return at;
}

decimal decimal_parse(const char *at, const char *end) {
    const decimal none = {.form = DECIMAL_NONE};
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    decimal d = {.form = DECIMAL_INTEGER, .start = at, .fits = true};
    if (at < end && (*at == '-' || *at == '+'))
        d.negative = *at++ == '-';
    if (at < end && !is_digit(*at) && *at != '.') {
        d.fits = false;
        d.form = is_word(at, end, "nan")                                   ? DECIMAL_NAN
                 : is_word(at, end, "inf") || is_word(at, end, "infinity") ? DECIMAL_INFINITE
                                                                           : DECIMAL_NONE;
        return d;
    }
    at = parse_digits(&d, at, end);
    if (at != NULL && at < end && (*at == 'e' || *at == 'E'))
        at = parse_exponent(&d, at + 1, end);
    return at == end ? d : none;
}

/* ---- Rounding ------------------------------------------------------------------------------ */

/* Powers of ten that binary64 holds exactly. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

double decimal_to_double(const decimal *d) {
    if (d->form == DECIMAL_NAN)
        return (double)NAN;
    if (d->form == DECIMAL_INFINITE)
        return d->negative ? -HUGE_VAL : HUGE_VAL;
#if FLT_EVAL_METHOD == 0
    /* Both operands are exact, so one operation rounds once and correctly. Source: Clinger, "How to
       Read Floating Point Numbers Accurately" (1990). */
    if (d->fits && d->digits <= UINT64_C(1) << 53 && d->scale >= -22 && d->scale <= 22) {
        double digits = (double)d->digits;
        double value = d->scale < 0 ? digits / powers[-d->scale] : digits * powers[d->scale];
        return d->negative ? -value : value;
    }
#endif
    return strtod(d->start, NULL);
}

float decimal_to_float(const decimal *d) {
    if (d->form == DECIMAL_NAN)
        return NAN;
    if (d->form == DECIMAL_INFINITE)
        return d->negative ? -HUGE_VALF : HUGE_VALF;
    return strtof(d->start, NULL);
}

bool decimal_may_round(const decimal *d) {
    if (d->form == DECIMAL_INFINITE || d->form == DECIMAL_NAN || d->first == NULL)
        return false;
    return d->length > DBL_DIG || d->point > DBL_MAX_10_EXP || d->point <= DBL_MIN_10_EXP;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

/* The digit at *at, which moves on, over the point; '0' behind the last. */
static char next_digit(const char **at, const char *last) {
    if (*at < last && **at == '.')
        (*at)++;
    return *at < last ? *(*at)++ : '0';
}

static int compare_magnitudes(const decimal *a, const decimal *b) {
    if (a->first == NULL || b->first == NULL)
        return (a->first != NULL) - (b->first != NULL);
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    const char *in_a = a->first;
    const char *in_b = b->first;
    while (in_a < a->last || in_b < b->last) {
        int difference = next_digit(&in_a, a->last) - next_digit(&in_b, b->last);
        if (difference != 0)
            return difference;
    }
    return 0;
}

/* -inf, negative, positive and +inf, NaN are four classes apart. */
static int class_of(const decimal *d) {
    switch (d->form) {
    case DECIMAL_NAN:
        return 3;
    case DECIMAL_INFINITE:
        return d->negative ? -2 : 2;
    default:
        return d->negative ? -1 : 1;
    }
}

int decimal_compare(const decimal *a, const decimal *b) {
    int class = class_of(a);
    if (class != class_of(b))
        return class < class_of(b) ? -1 : 1;
    if (class != 1 && class != -1)
        return 0;
    return class * compare_magnitudes(a, b);
}
