/* SPDX-License-Identifier: MIT */
/*
 * output.h: where a result goes: standard output, or a file that is replaced as a whole.
 *
 * A named regular file is written under a temporary name beside the target and renamed by
 * output_finish, so that the target is at any time the old or the new one. Failures and the
 * signals INT, TERM and HUP remove the temporary file.
 */
#ifndef ORDO_CLI_OUTPUT_H
#define ORDO_CLI_OUTPUT_H

#include "cli.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fails if the target, NULL for standard output, cannot be made: to be called before long work. */
void output_check(const char *target);
/* Whether two targets are one regular file: there, or to be made. */
bool output_same(const char *a, const char *b);
/* There is one output at a time. */
void output_open(const char *target);
void output_write(const void *data, uint64_t bytes);
/* Formatted text of less than 1 KiB. */
PRINTF_LIKE(1) void output_print(const char *format, ...);
/* Everything is written and, for a file, stands under its name. */
void output_finish(void);
/* Removes an unfinished file. Safe in a signal handler. */
void output_discard(void);

#endif
