/* SPDX-License-Identifier: MIT */
/*
 * kernels.c: from a step to the WGSL of its module.
 *
 *     enable subgroups;                where the implementation wants it
 *     the kernel                       first, so that lines in a compiler's message are nearly its
 *                                      own, and as naga 29 wants overrides that size arrays first
 *     its snippets
 *     const ITEMS: u32 = <items>u;
 *
 * In an unrolled step each loop that follows a line `//@unroll` is written out: its body ITEMS
 * times, or ITEMS / 2 if that is its bound, with `const i` in front, and without the loop.
 */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

/* Where text goes; while out is NULL it is only measured. */
typedef struct writer {
    char *out;
    size_t length;
} writer;

static void put(writer *w, const char *text) {
    size_t length = strlen(text);
    if (w->out) {
        memcpy(w->out + w->length, text, length);
    }
    w->length += length;
}

/* NULL if there is none. */
static const ordo_kernel *find(const ordo_kernel *table, const char *name) {
    while (table->name && strcmp(table->name, name) != 0) {
        table++;
    }
    return table->name ? table : NULL;
}

/* A snippet that two tiers have their own of is found by its name and the tier's. */
static const ordo_kernel *find_snippet(const char *name, bool subgroups) {
    char tiered[64];
    const ordo_kernel *snippet = find(ordo_snippets, name);
    snprintf(tiered, sizeof tiered, "%s_%s", name, subgroups ? "subgroup" : "portable");
    return snippet ? snippet : find(ordo_snippets, tiered);
}

/* The line that closes the block which `line` opens: a brace at the same indentation. */
static const char *const *block_end(const char *const *line) {
    size_t indent = strspn(*line, " ");
    do {
        line++;
    } while (strspn(*line, " ") != indent || (*line)[indent] != '}');
    return line;
}

static void put_unrolled(writer *w, const char *const *loop, const char *const *end,
                         uint32_t items) {
    uint32_t times = strstr(*loop, "ITEMS / 2u") ? items / 2 : items;
    for (uint32_t i = 0; i < times; i++) {
        char head[32];
        snprintf(head, sizeof head, "{ const i = %uu;\n", (unsigned)i);
        put(w, head);
        for (const char *const *line = loop + 1; line <= end; line++) {
            put(w, *line);
        }
    }
}

static void put_lines(writer *w, const char *const *lines, const ordo_step *step) {
    for (const char *const *line = lines; *line; line++) {
        put(w, *line);
        if (step->unrolled && strstr(*line, "//@unroll")) {
            const char *const *end = block_end(line + 1);
            put_unrolled(w, line + 1, end, step->items);
            line = end;
        }
    }
}

size_t ordo_compose(const ordo_step *step, bool enables, char *out) {
    writer w = {.out = out};
    char items[48];
    snprintf(items, sizeof items, "const ITEMS: u32 = %uu;\n", (unsigned)step->items);
    const ordo_kernel *kernel = find(ordo_kernels, step->kernel);
    if (step->subgroups && enables) {
        put(&w, "enable subgroups;\n");
    }
    put_lines(&w, kernel->lines, step);
    for (uint32_t i = 0; i < ORDO_MAX_USES && kernel->uses[i]; i++) {
        put_lines(&w, find_snippet(kernel->uses[i], step->subgroups)->lines, step);
    }
    put(&w, items);
    if (out) {
        out[w.length] = '\0';
    }
    return w.length;
}

static size_t copy_snippet(const char *name, char *text, size_t capacity) {
    size_t length = 0;
    for (const char *const *line = find(ordo_snippets, name)->lines; *line; line++) {
        for (const char *at = *line; *at; at++, length++) {
            if (length + 1 < capacity) {
                text[length] = *at;
            }
        }
    }
    if (capacity) {
        text[length < capacity ? length : capacity - 1] = '\0';
    }
    return length;
}

size_t ordo_pack_wgsl(char *text, size_t capacity) {
    return copy_snippet("packed", text, capacity);
}

size_t ordo_grid_wgsl(char *text, size_t capacity) { return copy_snippet("cell", text, capacity); }
