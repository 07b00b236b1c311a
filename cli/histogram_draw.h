/* SPDX-License-Identifier: MIT */
/*
 * histogram_draw.h: a histogram, and how it is written: lines, JSON, bars on a terminal, SVG.
 */
#ifndef ORDO_CLI_HISTOGRAM_DRAW_H
#define ORDO_CLI_HISTOGRAM_DRAW_H

#include "ordo_plan.h"

/*
 * Bin i counts numbers from edge i up to, but not including, edge i + 1. Edges are integers, those
 * of a signed type moved up by 2^63; or, of floats, images as key_image makes them of f64.
 */
typedef struct histogram {
    ordo_type type; /* of the numbers */
    bool is_bits;   /* edges are numbers of bits instead */
    uint32_t low_bit, high_bit;
    uint32_t bin_count;
    uint64_t *edges; /* bin_count + 1; allocated */
    uint64_t
        *counts; /* bin_count + ORDO_BINS_EXTRA, the last as in ordo_histogram_desc; allocated */
    uint64_t number_count;
} histogram;

/* The image of a float that is no NaN, and back. */
uint64_t float_image(double value);
double image_float(uint64_t image);

/* An edge as text, SHOWN_BYTES long: exactly. */
void edge_show(const histogram *h, uint64_t edge, char *shown);

/* Each writes to the open output. */
void histogram_write_lines(const histogram *h);
void histogram_write_json(const histogram *h);
/* logarithmic: lengths grow with the logarithm of counts. columns: of the terminal. */
void histogram_write_bars(const histogram *h, bool logarithmic, uint32_t columns);
void histogram_write_svg(const histogram *h, bool logarithmic);

#endif
