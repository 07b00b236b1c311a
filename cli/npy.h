/* SPDX-License-Identifier: MIT */
/*
 * npy.h: headers of NumPy's array files. Source of the format:
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
#ifndef ORDO_CLI_NPY_H
#define ORDO_CLI_NPY_H

#include "files.h"

/* Whether bytes begin as a .npy file does. */
bool npy_is(const char *bytes, uint64_t byte_count);

/*
 * Reads the header at the start of a file's bytes, which must be one that ordo can take: one
 * dimension, of integers or floats of up to 8 bytes. With columns not NULL there may be two, row
 * by row, and *columns is the length of a row, 0 of one dimension. Checks that the data is as long
 * as the header says. Returns the header's length, where the data begin; fails with the file's
 * name.
 */
uint64_t npy_parse(const char *name, const char *bytes, uint64_t byte_count, item_type *item,
                   uint64_t *columns);

/* Writes the header of a version 1.0 file with count items to the output: of one dimension, or with
   columns, of rows of so many. */
void npy_write_header(const item_type *item, uint64_t count, uint64_t columns);

#endif
