/* SPDX-License-Identifier: MIT */
/*
 * network_draw.h: drawings of networks. Wires are lines from left to right, wire 0 on top.
 */
#ifndef ORDO_CLI_NETWORK_DRAW_H
#define ORDO_CLI_NETWORK_DRAW_H

#include "ordo_network.h"

/* Larger drawings can be made, but not read. */
#define DRAWN_WIRES 64

/* A comparator and its place. Comparators of one step that overlap get columns of their own. */
typedef struct drawn_comparator {
    uint32_t low, high;
    uint32_t column, step, stage; /* from 0 on, over the whole network */
} drawn_comparator;

typedef struct drawing {
    ordo_network network;
    drawn_comparator *comparators; /* allocated; by rising step, and by rising high in each */
    uint32_t comparator_count;
    uint32_t stage_count;
    uint32_t column_count;
} drawing;

/* The network has from 1 to DRAWN_WIRES wires. */
drawing drawing_make(const ordo_network *network);
void drawing_free(drawing *d);

/* On standard output, one line a wire. */
void drawing_print(const drawing *d);

/* Writes an SVG picture to a file, as output_open does. */
void drawing_write_svg(const drawing *d, const char *file);

/* "bitonic" or "oddeven". */
const char *network_kind_name(ordo_network_kind kind);

#endif
