/* SPDX-License-Identifier: MIT */
/*
 * files.c: see files.h. Files are read whole, one behind the other, into one block; what is not
 * items (a byte-order mark, a .npy header) is cut out at once, and the last line of a text gets
 * the ending it may lack.
 */
#define _XOPEN_SOURCE 700

#include "files.h"

#include "cli.h"
#include "npy.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Reading ------------------------------------------------------------------------------- */

/* One read asks for at most this much, so that progress can be shown in between. */
#define PIECE_BYTES ((size_t)1 << 24)

/* Makes room for more bytes behind those that are there, and two for a line's ending. */
static void reserve(input *in, uint64_t more, const char *name) {
    uint64_t wanted = in->byte_count + more + 2;
    if (wanted <= in->byte_capacity)
        return;
    char *grown = wanted > SIZE_MAX ? NULL : realloc(in->bytes, (size_t)wanted);
    if (grown == NULL)
        fail("%s: out of memory after %" PRIu64 " bytes", name, in->byte_count);
    in->bytes = grown;
    in->byte_capacity = wanted;
}

/* Appends a file's bytes. */
static void read_whole(input *in, const char *name) {
    bool standard = strcmp(name, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        fail("cannot read %s: %s", name, strerror(errno));
    struct stat status;
    uint64_t expected = 0;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        expected = (uint64_t)status.st_size;
    /* One byte more than the file has lets the read that finds its end need no room. */
    reserve(in, expected + 1, name);
    uint64_t start = in->byte_count;
    for (;;) {
        if (in->byte_capacity - 2 == in->byte_count)
            reserve(in, in->byte_capacity / 2 + 65536, name);
        uint64_t room = in->byte_capacity - 2 - in->byte_count;
        size_t piece = room < PIECE_BYTES ? (size_t)room : PIECE_BYTES;
        progress("reading", in->byte_count - start, expected);
        ssize_t got = read(fd, in->bytes + in->byte_count, piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail("cannot read %s: %s", name, strerror(errno));
        if (got == 0)
            break;
        in->byte_count += (uint64_t)got;
    }
    if (!standard)
        close(fd);
}

/* Removes bytes at a place. */
static void cut(input *in, uint64_t at, uint64_t bytes) {
    in->byte_count -= bytes;
    memmove(in->bytes + at, in->bytes + at + bytes, (size_t)(in->byte_count - at));
}

/* Drops a byte-order mark, and ends the last line as the line before it is ended. */
static void tidy_text(input *in, uint64_t start) {
    if (in->byte_count - start >= 3 && memcmp(in->bytes + start, "\xef\xbb\xbf", 3) == 0)
        cut(in, start, 3);
    char *text = in->bytes + start;
    uint64_t length = in->byte_count - start;
    if (length == 0 || text[length - 1] == '\n')
        return;
    uint64_t at = length;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    if (at >= 2 && text[at - 2] == '\r' && text[length - 1] != '\r')
        in->bytes[in->byte_count++] = '\r';
    in->bytes[in->byte_count++] = '\n';
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static bool same_item(const item_type *a, const item_type *b) {
    return a->kind == b->kind && a->bytes == b->bytes && a->big_endian == b->big_endian;
}

static void tidy_npy(input *in, uint64_t start, const char *name, bool first, bool tables) {
    const char *bytes = in->bytes + start;
    uint64_t byte_count = in->byte_count - start;
    if (!npy_is(bytes, byte_count))
        fail("%s: is no .npy file, in spite of its name", name);
    item_type item;
    uint64_t columns;
    cut(in, start, npy_parse(name, bytes, byte_count, &item, tables ? &columns : NULL));
    if (!tables)
        columns = 0;
    if (!first && !same_item(&item, &in->item))
        fail("%s: its elements are not of the same type as those of %s", name, in->sources[0].name);
    if (!first && columns != in->columns)
        fail("%s: its rows are not as long as those of %s", name, in->sources[0].name);
    in->item = item;
    in->columns = columns;
}

static void check_raw(const input *in, uint64_t start, const char *name) {
    uint64_t bytes = in->byte_count - start;
    if (bytes % in->item.bytes != 0)
        fail("%s: %" PRIu64 " bytes are left over after %" PRIu64 " elements of %u bytes", name,
             bytes % in->item.bytes, bytes / in->item.bytes, in->item.bytes);
}

static void read_one(input *in, const char *name, bool raw, bool has_type, bool tables) {
    source *from = &in->sources[in->source_count];
    *from = (source){.name = name, .first_byte = in->byte_count};
    read_whole(in, name);
    const char *bytes = in->bytes + from->first_byte;
    bool npy =
        !raw && (ends_with(name, ".npy") || npy_is(bytes, in->byte_count - from->first_byte));
    input_format format = raw ? FORMAT_RAW : npy ? FORMAT_NPY : FORMAT_TEXT;
    bool first = in->source_count == 0;
    if (!first && format != in->format)
        fail("%s: .npy files and text cannot be taken together", name);
    in->format = format;
    if (npy && has_type)
        fail("%s: a .npy file says its type itself; --type is for text and --raw", name);
    if (npy)
        tidy_npy(in, from->first_byte, name, first, tables);
    else if (raw)
        check_raw(in, from->first_byte, name);
    else
        tidy_text(in, from->first_byte);
    if (format != FORMAT_TEXT)
        from->first_item = from->first_byte / in->item.bytes;
    in->source_count++;
}

static item_type item_of(ordo_type type) {
    const char kind = type_is_float(type) ? 'f' : type_is_signed(type) ? 'i' : 'u';
    return (item_type){.kind = kind, .bytes = ordo_type_bytes(type), .key = type};
}

void input_read(input *in, char *const *names, int name_count, bool raw, const ordo_type *type,
                bool tables) {
    static char standard[] = "-";
    char *const only[] = {standard};
    if (name_count == 0) {
        names = only;
        name_count = 1;
    }
    *in = (input){.format = FORMAT_TEXT};
    in->sources = allocate((uint64_t)name_count, sizeof *in->sources, "file names");
    if (raw)
        in->item = item_of(*type);
    for (int i = 0; i < name_count; i++)
        read_one(in, names[i], raw, type != NULL, tables);
    if (in->format != FORMAT_TEXT)
        in->item_count = in->byte_count / in->item.bytes;
}

void input_free(input *in) {
    free(in->bytes);
    free(in->sources);
    *in = (input){.format = FORMAT_TEXT};
}

const source *input_source(const input *in, uint64_t item) {
    unsigned at = in->source_count - 1;
    while (at > 0 && in->sources[at].first_item > item)
        at--;
    return &in->sources[at];
}

/* ---- Elements and keys --------------------------------------------------------------------- */

/* The bits of an element, in the low bytes. */
static uint64_t load(const item_type *item, const char *from) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < item->bytes; i++) {
        unsigned at = item->big_endian ? i : item->bytes - 1 - i;
        bits = bits << 8 | (unsigned char)from[at];
    }
    return bits;
}

static void store(const item_type *item, char *to, uint64_t bits) {
    for (unsigned i = 0; i < item->bytes; i++) {
        to[item->big_endian ? item->bytes - 1 - i : i] = (char)(bits & 255);
        bits >>= 8;
    }
}

/* binary16 to binary32, exact, a NaN with its payload and sign. */
static uint32_t half_to_single(uint32_t half) {
    uint32_t sign = (half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 31;
    uint32_t fraction = half & 1023;
    if (exponent == 31)
        return sign | UINT32_C(0x7f800000) | fraction << 13;
    if (exponent != 0)
        return sign | (exponent + 112) << 23 | fraction << 13;
    /* A subnormal is fraction * 2^-24, a normal number in binary32. */
    float value = (float)fraction * 0x1p-24f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return sign | bits;
}

/* The inverse, for the values that half_to_single gives. */
static uint32_t single_to_half(uint32_t single) {
    uint32_t sign = single >> 16 & 0x8000;
    uint32_t exponent = single >> 23 & 255;
    uint32_t fraction = single >> 13 & 1023;
    if (exponent == 255)
        return sign | 0x7c00 | fraction;
    if (exponent > 112)
        return sign | (exponent - 112) << 10 | fraction;
    uint32_t magnitude = single & UINT32_C(0x7fffffff);
    float value;
    memcpy(&value, &magnitude, sizeof value);
    return sign | (uint32_t)(value * 0x1p24f);
}

static uint64_t widen(const item_type *item, uint64_t bits) {
    if (item->kind == 'f' && item->bytes == 2)
        return half_to_single((uint32_t)bits);
    if (item->kind == 'i' && item->bytes < 4 && bits >> (8 * item->bytes - 1) != 0)
        return bits | (UINT64_MAX << 8 * item->bytes);
    return bits;
}

void array_keys(const input *in, keys *k) {
    const item_type *item = &in->item;
    const size_t key_bytes = ordo_type_bytes(item->key);
    *k = (keys){.type = item->key, .count = in->item_count};
    k->data = allocate(k->count, key_bytes, "keys");
    if (item->bytes == key_bytes && !item->big_endian) {
        memcpy(k->data, in->bytes, (size_t)in->byte_count);
        return;
    }
    for (uint64_t i = 0; i < k->count; i++) {
        uint64_t bits = widen(item, load(item, in->bytes + i * item->bytes));
        memcpy((char *)k->data + i * key_bytes, &bits, key_bytes);
    }
}

void array_write(const input *in, const keys *k, uint64_t columns) {
    const item_type *item = &in->item;
    const size_t key_bytes = ordo_type_bytes(item->key);
    if (in->format == FORMAT_NPY)
        npy_write_header(item, k->count, columns);
    if (item->bytes == key_bytes && !item->big_endian) {
        output_write(k->data, k->count * key_bytes);
        return;
    }
    for (uint64_t i = 0; i < k->count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, (const char *)k->data + i * key_bytes, key_bytes);
        if (item->kind == 'f' && item->bytes == 2)
            bits = single_to_half((uint32_t)bits);
        char narrow[8];
        store(item, narrow, bits);
        output_write(narrow, item->bytes);
    }
}

void array_write_words(const input *in, ordo_type type, const void *words, uint64_t count,
                       uint64_t columns) {
    const item_type item = item_of(type);
    if (in->format == FORMAT_NPY)
        npy_write_header(&item, count, columns);
    output_write(words, count * item.bytes);
}
