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
 * times, with `const i` in front, and without the loop.
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

static const ordo_kernel *find(const ordo_kernel *table, const char *name) {
    while (strcmp(table->name, name) != 0) {
        table++;
    }
    return table;
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
    for (uint32_t i = 0; i < items; i++) {
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
        const char *name = kernel->uses[i];
        if (strcmp(name, "lane") == 0) {
            name = step->subgroups ? "lane_subgroup" : "lane_portable";
        }
        put_lines(&w, find(ordo_snippets, name)->lines, step);
    }
    put(&w, items);
    if (out) {
        out[w.length] = '\0';
    }
    return w.length;
}
