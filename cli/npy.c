/* SPDX-License-Identifier: MIT */
/*
 * npy.c: see npy.h. A header is
 *
 *     0x93 "NUMPY"   major   minor   length: 2 bytes (major 1) or 4   length bytes of text
 *
 * with little-endian numbers, the text being a Python dictionary such as
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (1000,), }
 * in any order of entries, padded with blanks and a newline. fortran_order says, of two dimensions,
 * that columns are stored instead of rows; of one dimension nothing.
 */
#include "npy.h"

#include "cli.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char magic[6] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

bool npy_is(const char *bytes, uint64_t byte_count) {
    return byte_count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* ---- The dictionary ------------------------------------------------------------------------ */

typedef struct cursor {
    const char *name; /* of the file, for messages */
    const char *at;
    const char *end;
} cursor;

_Noreturn static void fail_header(const cursor *c) {
    fail("%s: the .npy header is damaged", c->name);
}

static void skip_blanks(cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n'))
        c->at++;
}

/* Whether the next thing is this character; if so it is passed. */
static bool accept(cursor *c, char wanted) {
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static void expect(cursor *c, char wanted) {
    if (!accept(c, wanted))
        fail_header(c);
}

/* A quoted string without escapes into text, shortened to its capacity. */
static void read_string(cursor *c, char *text, size_t capacity) {
    char quote = accept(c, '\'') ? '\'' : '"';
    if (quote == '"')
        expect(c, '"');
    size_t length = 0;
    for (; c->at < c->end && *c->at != quote; c->at++) {
        if (length < capacity - 1)
            text[length++] = *c->at;
    }
    text[length] = '\0';
    expect(c, quote);
}

static void read_descr(cursor *c, item_type *item) {
    char text[24];
    if (accept(c, '['))
        fail("%s: holds structured records; ordo takes plain numbers", c->name);
    read_string(c, text, sizeof text);
    char kind = text[0] == '\0' ? '\0' : text[1];
    const char *sizes = kind == 'f' ? "248" : kind == 'u' || kind == 'i' ? "1248" : "";
    if (strlen(text) != 3 || strchr("<>|=", text[0]) == NULL || strchr(sizes, text[2]) == NULL)
        fail("%s: holds elements of type '%s'; ordo takes u1 to u8, i1 to i8, f2, f4 and f8",
             c->name, text);
    item->kind = kind;
    item->bytes = (unsigned)(text[2] - '0');
    item->big_endian = text[0] == '>' && item->bytes > 1;
    bool wide = item->bytes == 8;
    item->key = kind == 'u'   ? (wide ? ORDO_U64 : ORDO_U32)
                : kind == 'i' ? (wide ? ORDO_I64 : ORDO_I32)
                              : (wide ? ORDO_F64 : ORDO_F32);
}

/* Python's True or False. */
static bool read_boolean(cursor *c) {
    skip_blanks(c);
    for (int i = 0; i < 2; i++) {
        const char *word = i == 0 ? "True" : "False";
        size_t length = strlen(word);
        if ((size_t)(c->end - c->at) >= length && memcmp(c->at, word, length) == 0) {
            c->at += length;
            return i == 0;
        }
    }
    fail_header(c);
}

/* What the dictionary says of the array. */
typedef struct shape {
    unsigned dimensions;
    uint64_t lengths[2]; /* of the first two */
    bool by_columns;
} shape;

/* A tuple of lengths; Python 2 wrote an L behind long ones. */
static void read_shape(cursor *c, shape *s) {
    expect(c, '(');
    while (!accept(c, ')')) {
        skip_blanks(c);
        uint64_t length = 0;
        const char *start = c->at;
        for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
            uint64_t digit = (uint64_t)(*c->at - '0');
            if (length > (UINT64_MAX - digit) / 10)
                fail_header(c);
            length = length * 10 + digit;
        }
        if (c->at == start)
            fail_header(c);
        if (s->dimensions < 2)
            s->lengths[s->dimensions] = length;
        s->dimensions++;
        (void)accept(c, 'L');
        if (!accept(c, ',')) {
            expect(c, ')');
            break;
        }
    }
}

static shape read_dictionary(cursor *c, item_type *item) {
    enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
    unsigned seen = 0;
    shape s = {.dimensions = 0};
    expect(c, '{');
    while (!accept(c, '}')) {
        char key[16];
        read_string(c, key, sizeof key);
        expect(c, ':');
        if (strcmp(key, "descr") == 0) {
            read_descr(c, item);
            seen |= DESCR;
        } else if (strcmp(key, "fortran_order") == 0) {
            s.by_columns = read_boolean(c);
            seen |= ORDER;
        } else if (strcmp(key, "shape") == 0) {
            s.dimensions = 0;
            read_shape(c, &s);
            seen |= SHAPE;
        } else {
            fail_header(c);
        }
        if (!accept(c, ',')) {
            expect(c, '}');
            break;
        }
    }
    if (seen != (DESCR | ORDER | SHAPE))
        fail_header(c);
    return s;
}

/* The count of elements; *columns as npy_parse has it. */
static uint64_t element_count(const char *name, const shape *s, uint64_t *columns) {
    if (columns == NULL && s->dimensions != 1)
        fail("%s: the array has %u dimensions; ordo takes arrays of one here", name, s->dimensions);
    if (s->dimensions != 1 && s->dimensions != 2)
        fail("%s: the array has %u dimensions; ordo takes arrays of one or two here", name,
             s->dimensions);
    if (s->dimensions == 1) {
        if (columns != NULL)
            *columns = 0;
        return s->lengths[0];
    }
    if (s->by_columns)
        fail("%s: the array is stored by columns (fortran_order); ordo takes rows", name);
    *columns = s->lengths[1];
    if (*columns == 0)
        fail("%s: the array's rows have no elements", name);
    if (s->lengths[0] > UINT64_MAX / *columns)
        fail("%s: the .npy file is truncated: its header says %" PRIu64 " rows of %" PRIu64
             " elements",
             name, s->lengths[0], *columns);
    return s->lengths[0] * *columns;
}

/* ---- Files --------------------------------------------------------------------------------- */

static uint64_t little_endian(const char *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = count; i-- > 0;)
        value = value << 8 | (unsigned char)bytes[i];
    return value;
}

uint64_t npy_parse(const char *name, const char *bytes, uint64_t byte_count, item_type *item,
                   uint64_t *columns) {
    unsigned major = byte_count < 8 ? 0 : (unsigned char)bytes[6];
    unsigned length_bytes = major == 1 ? 2 : 4;
    if (byte_count < 8 || byte_count < 8 + length_bytes)
        fail("%s: the .npy file ends inside its header", name);
    if (major < 1 || major > 3)
        fail("%s: .npy version %u.%u is not known; ordo reads 1, 2 and 3", name, major,
             (unsigned)(unsigned char)bytes[7]);
    uint64_t start = 8 + length_bytes;
    uint64_t length = little_endian(bytes + 8, length_bytes);
    if (length > byte_count - start)
        fail("%s: the .npy file ends inside its header", name);

    cursor c = {.name = name, .at = bytes + start, .end = bytes + start + length};
    const shape s = read_dictionary(&c, item);
    uint64_t count = element_count(name, &s, columns);
    uint64_t data_bytes = byte_count - start - length;
    if (count != data_bytes / item->bytes || data_bytes % item->bytes != 0)
        fail("%s: the .npy file is %s: its header says %" PRIu64 " elements of %u bytes, expected "
             "%" PRIu64 ", found %" PRIu64 " (%" PRIu64 " bytes)",
             name, count > data_bytes / item->bytes ? "truncated" : "too long", count, item->bytes,
             count, data_bytes / item->bytes, data_bytes);
    return start + length;
}

void npy_write_header(const item_type *item, uint64_t count, uint64_t columns) {
    char text[118]; /* magic, version and length take 10 bytes more: 128 in all, as NumPy aligns */
    char shape_text[48];
    if (columns == 0)
        snprintf(shape_text, sizeof shape_text, "%" PRIu64 ",", count);
    else
        snprintf(shape_text, sizeof shape_text, "%" PRIu64 ", %" PRIu64, count / columns, columns);
    memset(text, ' ', sizeof text);
    int length =
        snprintf(text, sizeof text, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%s), }",
                 item->bytes == 1   ? '|'
                 : item->big_endian ? '>'
                                    : '<',
                 item->kind, item->bytes, shape_text);
    text[length] = ' ';
    text[sizeof text - 1] = '\n';
    const char rest[4] = {1, 0, (char)sizeof text, 0};
    output_write(magic, sizeof magic);
    output_write(rest, sizeof rest);
    output_write(text, sizeof text);
}
