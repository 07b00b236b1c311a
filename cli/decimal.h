/* SPDX-License-Identifier: MIT */
/* decimal.h: numbers as written; the grammar is in text.h. */
#ifndef ORDO_CLI_DECIMAL_H
#define ORDO_CLI_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

typedef enum decimal_form {
    DECIMAL_NONE = 0, /* no number */
    DECIMAL_INTEGER,  /* sign and digits */
    DECIMAL_REAL,     /* with a point or an exponent */
    DECIMAL_INFINITE,
    DECIMAL_NAN,
} decimal_form;

/* A finite one is ± 0.d1 d2 d3 … * 10^point, d1 being its first digit that is not 0. */
typedef struct decimal {
    decimal_form form;
    bool negative;
    bool fits;         /* finite, and its digits without the point are an integer below 2^64: */
    uint64_t digits;   /* that integer, the value's magnitude for DECIMAL_INTEGER; */
    int64_t scale;     /* the value is ± digits * 10^scale */
    const char *start; /* of the sign or, without one, of the number */
    const char *first; /* d1; NULL for zero */
    const char *last;  /* behind the last digit that is not 0 */
    uint64_t length;   /* digits from first to last */
    int64_t point;
} decimal;

/* Reads the line [at, end). DECIMAL_NONE if it is no number, or its exponent is 10^17 or more. */
decimal decimal_parse(const char *at, const char *end);

/* The nearest binary64 and binary32, ties to even; infinite if too large, any NaN the same. */
double decimal_to_double(const decimal *d);
float decimal_to_float(const decimal *d);

/* Whether another decimal may have the same nearest binary64. */
bool decimal_may_round(const decimal *d);

/* The order of exact values: negative, zero or positive. -0 is less than 0, NaN the greatest and
   equal to NaN, as for keys. */
int decimal_compare(const decimal *a, const decimal *b);

#endif
