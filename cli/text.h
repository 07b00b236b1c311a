/* SPDX-License-Identifier: MIT */
/*
 * text.h: lines of numbers.
 *
 *     line      blanks [sign] number blanks, blanks being spaces and tabs, and CR at the end
 *     number    digits [. [digits]] [exponent]  |  . digits [exponent]  |  nan  |  inf  |  infinity
 *     exponent  e [sign] digits
 *
 * Letters in any case; the same in every locale. Nothing else is a number, an empty line neither.
 */
#ifndef ORDO_CLI_TEXT_H
#define ORDO_CLI_TEXT_H

#include "files.h"

typedef struct text {
    const input *in;
    uint64_t *starts; /* of each line in in->bytes, and their end behind the last; allocated */
    ordo_type type;   /* what the numbers are read as */
    bool rounded;     /* different numbers may have equal keys: text_compare tells them apart */
} text;

/*
 * Finds the lines, and makes a key of each. type is the type to read them as, or NULL: i64 if all
 * are integers that fit, else u64 if all are, else f64, then with equal keys for numbers that round
 * to one f64. Sets in->item_count and the sources' first items. Integer keys are stored as their
 * distance to the least of them, in 32 bits if they fit; k->origin is that one, of a signed type
 * moved up by 2^63. Fails with file, line and text of what is no number of that type.
 */
void text_keys(text *t, input *in, const ordo_type *type, keys *k);
void text_free(text *t);

/*
 * Lines of 2 or 3 numbers with blanks between them, as many in all lines: points, rounded to f32,
 * allocated. *dimensions is how many; 0 when called: as many as the first line has. Sets
 * in->item_count to the lines. Fails with file, line and text.
 */
float *text_points(text *t, input *in, uint32_t *dimensions);

/* Compares the numbers in two lines: exactly, if t->rounded; as their keys otherwise. Negative,
   zero or positive. */
int text_compare(const text *t, const keys *k, uint64_t a, uint64_t b);

/* Puts neighbours among count indices whose keys are equal into the exact order, stable. Needed
   only if t->rounded. */
void text_refine(const text *t, const keys *k, bool descending, uint32_t *indices, uint64_t count);

/* Puts a line, without its ending, into shown for a message: shortened, by show_character. */
void text_show(const text *t, uint64_t line, char *shown, size_t capacity);

/* Fails: names file, line and text. */
_Noreturn void text_fail(const text *t, uint64_t line, const char *problem);

/* Writes lines with their endings to the output, in the order of count indices. */
void text_write_lines(const text *t, const uint32_t *indices, uint64_t count);

#endif
