/* SPDX-License-Identifier: MIT */
/*
 * files.h: input files of three formats, concatenated in memory, and output in the same format.
 *
 *     text    bytes: every line with its ending           items: lines
 *     .npy    bytes: the arrays' data without headers     items: elements
 *     raw     bytes: as in the files                      items: elements
 */
#ifndef ORDO_CLI_FILES_H
#define ORDO_CLI_FILES_H

#include "keys.h"

typedef enum input_format { FORMAT_TEXT, FORMAT_NPY, FORMAT_RAW } input_format;

/* An element of an array file. */
typedef struct item_type {
    char kind;       /* 'u', 'i' or 'f' */
    unsigned bytes;  /* 1, 2, 4 or 8 */
    bool big_endian; /* its bytes are the other way round than here */
    ordo_type key;   /* what it is sorted as; wider than the item if bytes is 1 or 2 */
} item_type;

typedef struct source {
    const char *name;
    uint64_t first_byte; /* of this file, in bytes */
    uint64_t first_item;
} source;

typedef struct input {
    input_format format;
    item_type item; /* not for text */
    char *bytes;    /* allocated */
    uint64_t byte_count;
    uint64_t byte_capacity;
    uint64_t item_count; /* text: set by text_keys */
    uint64_t columns;    /* .npy of two dimensions: elements of a row, at least 1; else 0 */
    source *sources;     /* allocated */
    unsigned source_count;
} input;

/*
 * Reads the named files; none, or the name "-", means standard input. raw: the files hold bare
 * elements of *type; else each is .npy, by its name or its first bytes, or text. type is NULL
 * unless the user gave one. tables: a .npy array may have two dimensions. Fails with the file's
 * name.
 */
void input_read(input *in, char *const *names, int name_count, bool raw, const ordo_type *type,
                bool tables);
void input_free(input *in);

/* The file that item belongs to. */
const source *input_source(const input *in, uint64_t item);

/* The elements of an array file as keys, widened. */
void array_keys(const input *in, keys *k);

/* Writes keys as elements of the input's type, with a header if the input was .npy: of one
   dimension, or with columns of rows of so many. */
void array_write(const input *in, const keys *k, uint64_t columns);
/* The same of elements of a 4-byte type, little-endian: indices, say. */
void array_write_words(const input *in, ordo_type type, const void *words, uint64_t count,
                       uint64_t columns);

#endif
