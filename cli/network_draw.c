/* SPDX-License-Identifier: MIT */
/*
 * network_draw.c: see network_draw.h.
 *
 * Both drawings place a comparator by one rule: every column takes a width, and gaps are added
 * before every step and every stage but the first.
 *
 *     x = left + column * COLUMN + step * STEP_GAP + stage * STAGE_GAP
 */
#include "network_draw.h"

#include "cli.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Layout -------------------------------------------------------------------------------- */

const char *network_kind_name(ordo_network_kind kind) {
    return kind == ORDO_NETWORK_BITONIC ? "bitonic" : "oddeven";
}

/* Puts each comparator of a step into the first column where it meets none; gives how many columns
   that takes. Since they come by rising high wire, and those that overlap are nested or all of one
   length, no other way takes fewer. */
static uint32_t assign_columns(drawn_comparator *comparators, uint32_t count) {
    uint32_t free_from[DRAWN_WIRES] = {0}; /* of each column, the first wire below all it has */
    uint32_t column_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t column = 0;
        while (free_from[column] > comparators[i].low)
            column++;
        free_from[column] = comparators[i].high + 1;
        comparators[i].column = column;
        column_count = column < column_count ? column_count : column + 1;
    }
    return column_count;
}

drawing drawing_make(const ordo_network *network) {
    drawing d = {.network = *network};
    d.comparators = allocate(ordo_network_size(network), sizeof *d.comparators, "comparators");
    const uint32_t depth = ordo_network_depth(network);
    for (uint32_t step = 0; step < depth; step++) {
        ordo_comparator listed[DRAWN_WIRES / 2];
        const uint32_t count = (uint32_t)ordo_network_step(network, step, listed, DRAWN_WIRES / 2);
        (void)ordo_network_stage(network, step, &d.stage_count, NULL);
        drawn_comparator *drawn = d.comparators + d.comparator_count;
        for (uint32_t i = 0; i < count; i++)
            drawn[i] =
                (drawn_comparator){listed[i].low, listed[i].high, 0, step, d.stage_count - 1};
        const uint32_t columns = assign_columns(drawn, count);
        for (uint32_t i = 0; i < count; i++)
            drawn[i].column += d.column_count;
        d.column_count += columns;
        d.comparator_count += count;
    }
    return d;
}

void drawing_free(drawing *d) { free(d->comparators); }

/* Where the stages of a drawing begin and end, by the rule above with `left` 0. */
typedef struct spacing {
    uint32_t column, step_gap, stage_gap;
} spacing;

typedef struct extent {
    uint32_t first, last;
} extent;

static uint32_t place(const spacing *s, const drawn_comparator *c) {
    return c->column * s->column + c->step * s->step_gap + c->stage * s->stage_gap;
}

/* Every stage has comparators, and the places of later ones are greater. */
static extent stage_extent(const drawing *d, const spacing *s, uint32_t stage) {
    extent e = {UINT32_MAX, 0};
    for (uint32_t i = 0; i < d->comparator_count; i++) {
        const uint32_t x = place(s, &d->comparators[i]);
        if (d->comparators[i].stage != stage)
            continue;
        e.first = x < e.first ? x : e.first;
        e.last = x > e.last ? x : e.last;
    }
    return e;
}

static uint32_t last_place(const drawing *d, const spacing *s) {
    return d->stage_count == 0 ? 0 : stage_extent(d, s, d->stage_count - 1).last;
}

/* ---- Text ---------------------------------------------------------------------------------- */

static const spacing text_spacing = {2, 2, 3};

enum { GLYPH_WIRE, GLYPH_TOP, GLYPH_BOTTOM, GLYPH_ACROSS };

/* A comparator's ends are told apart, and what it passes is not joined to it, so that one line a
   wire is enough. */
static const char *const glyphs[] = {
    [GLYPH_WIRE] = "─", [GLYPH_TOP] = "┬", [GLYPH_BOTTOM] = "┴", [GLYPH_ACROSS] = "│"};

/* The number of each stage, above its first column. */
static void print_stages(const drawing *d) {
    int at = printf("stage ");
    for (uint32_t stage = 0; stage < d->stage_count; stage++) {
        const int x = 7 + (int)stage_extent(d, &text_spacing, stage).first;
        at += printf("%*s%" PRIu32, x - at, "", stage + 1);
    }
    printf("\n");
}

void drawing_print(const drawing *d) {
    const uint32_t n = d->network.wire_count;
    const size_t width = last_place(d, &text_spacing) + 3;
    char *grid = allocate(n * width, 1, "a drawing");
    memset(grid, GLYPH_WIRE, n * width);
    for (uint32_t i = 0; i < d->comparator_count; i++) {
        const drawn_comparator *c = &d->comparators[i];
        char *column = grid + 1 + place(&text_spacing, c);
        for (uint32_t wire = c->low; wire <= c->high; wire++)
            column[wire * width] = wire == c->low    ? GLYPH_TOP
                                   : wire == c->high ? GLYPH_BOTTOM
                                                     : GLYPH_ACROSS;
    }
    printf("%s, %" PRIu32 " wires: %" PRIu32 " comparators in %" PRIu32 " steps\n\n",
           network_kind_name(d->network.kind), n, d->comparator_count,
           ordo_network_depth(&d->network));
    print_stages(d);
    for (uint32_t wire = 0; wire < n; wire++) {
        printf("%5" PRIu32 " ", wire);
        for (size_t x = 0; x < width; x++)
            fputs(glyphs[(int)grid[wire * width + x]], stdout);
        printf("\n");
    }
    free(grid);
}

/* ---- SVG ----------------------------------------------------------------------------------- */

/* In units of the picture. Colours are of middle lightness, and nothing is filled behind them but
   a veil, so that the picture can be read on white and on black. */
static const spacing svg_spacing = {11, 9, 26};

enum {
    WIRE_GAP = 20,
    SVG_LEFT = 48,  /* of the first column, */
    SVG_TOP = 44,   /* of the first wire */
    BAND_PAD = 13,  /* a stage's band reaches so far beyond its comparators */
    RIGHT_PAD = 24, /* wires reach so far beyond the last column, */
    MARGIN = 12,    /* and the picture beyond them */
};

static uint32_t wire_y(uint32_t wire) { return SVG_TOP + wire * WIRE_GAP; }

static void emit_stages(const drawing *d) {
    const uint32_t top = SVG_TOP - BAND_PAD;
    const uint32_t height = wire_y(d->network.wire_count - 1) + BAND_PAD - top;
    for (uint32_t stage = 0; stage < d->stage_count; stage++) {
        const extent e = stage_extent(d, &svg_spacing, stage);
        const uint32_t x = SVG_LEFT + e.first - BAND_PAD;
        const uint32_t width = e.last - e.first + 2 * BAND_PAD;
        output_print("<rect x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"%" PRIu32
                     "\" height=\"%" PRIu32
                     "\" rx=\"4\" fill=\"#808890\" fill-opacity=\"0.12\"/>\n",
                     x, top, width, height);
        output_print("<text x=\"%" PRIu32 "\" y=\"%d\" text-anchor=\"middle\">stage %" PRIu32
                     "</text>\n",
                     x + width / 2, SVG_TOP - BAND_PAD - 8, stage + 1);
    }
}

static void emit_wires(const drawing *d, uint32_t right) {
    const uint32_t n = d->network.wire_count;
    for (uint32_t wire = 0; wire < n; wire++)
        output_print("<text x=\"%d\" y=\"%" PRIu32 "\" text-anchor=\"end\">%" PRIu32 "</text>\n",
                     SVG_LEFT - RIGHT_PAD - 6, wire_y(wire) + 4, wire);
    output_print("<path stroke=\"#808890\" d=\"");
    for (uint32_t wire = 0; wire < n; wire++)
        output_print("M%d %" PRIu32 "H%" PRIu32, SVG_LEFT - RIGHT_PAD, wire_y(wire), right);
    output_print("\"/>\n");
}

/* Lines, then the dots at their ends, which are lines of no length with round caps. */
static void emit_comparators(const drawing *d) {
    output_print("<g fill=\"none\" stroke=\"#2f81f7\" stroke-linecap=\"round\">\n"
                 "<path stroke-width=\"1.5\" d=\"\n");
    for (uint32_t i = 0; i < d->comparator_count; i++) {
        const drawn_comparator *c = &d->comparators[i];
        output_print("M%" PRIu32 " %" PRIu32 "V%" PRIu32 "\n", SVG_LEFT + place(&svg_spacing, c),
                     wire_y(c->low), wire_y(c->high));
    }
    output_print("\"/>\n<path stroke-width=\"6\" d=\"\n");
    for (uint32_t i = 0; i < d->comparator_count; i++) {
        const drawn_comparator *c = &d->comparators[i];
        const uint32_t x = SVG_LEFT + place(&svg_spacing, c);
        output_print("M%" PRIu32 " %" PRIu32 "h0M%" PRIu32 " %" PRIu32 "h0\n", x, wire_y(c->low), x,
                     wire_y(c->high));
    }
    output_print("\"/>\n</g>\n");
}

void drawing_write_svg(const drawing *d, const char *file) {
    const uint32_t n = d->network.wire_count;
    const uint32_t right = SVG_LEFT + last_place(d, &svg_spacing) + RIGHT_PAD;
    const uint32_t width = right + MARGIN;
    const uint32_t height = wire_y(n - 1) + BAND_PAD + MARGIN;
    output_open(file);
    output_print("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%" PRIu32
                 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
                 "\" role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"12\" "
                 "fill=\"#76808a\">\n",
                 width, height, width, height);
    output_print("<title>%s sorting network of %" PRIu32 " wires: %" PRIu32
                 " comparators in %" PRIu32 " steps</title>\n",
                 d->network.kind == ORDO_NETWORK_BITONIC ? "Bitonic" : "Odd-even merge", n,
                 d->comparator_count, ordo_network_depth(&d->network));
    emit_stages(d);
    emit_wires(d, right);
    emit_comparators(d);
    output_print("</svg>\n");
    output_finish();
}
