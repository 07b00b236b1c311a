/* SPDX-License-Identifier: MIT */
/*
 * cli.h: what the parts of the program share: exit codes, diagnostics, progress, subcommands.
 *
 * Results go to standard output, all else to standard error. A part that cannot go on calls fail,
 * which ends the program; so the parts return only what they were asked for.
 */
#ifndef ORDO_CLI_CLI_H
#define ORDO_CLI_CLI_H

#include "ordo_plan.h"

#include <stddef.h>

/* As GNU sort: fine, disorder found by -c, trouble. */
enum { EXIT_FINE = 0, EXIT_DISORDER = 1, EXIT_TROUBLE = 2 };

#if defined(__GNUC__)
/* The n-th parameter is a printf format, and what follows it fits it. */
#define PRINTF_LIKE(n) __attribute__((format(printf, n, (n) + 1)))
#else
#define PRINTF_LIKE(n)
#endif

/* One subcommand each, with its arguments from argv[1] on; argv[0] is "ordo", for the messages of
   getopt. They return the exit code. */
int sort_main(int argc, char **argv);
int argsort_main(int argc, char **argv);
int topk_main(int argc, char **argv);
int histogram_main(int argc, char **argv);
int grid_main(int argc, char **argv);
int scan_main(int argc, char **argv);
int advise_main(int argc, char **argv);
int devices_main(int argc, char **argv);
int check_main(int argc, char **argv);
int tune_main(int argc, char **argv);
int plan_main(int argc, char **argv);
int network_main(int argc, char **argv);

/* ---- Diagnostics (report.c) ---------------------------------------------------------------- */

/* Prints "ordo: …" and a newline on standard error, all but newlines by show_character: names and
   contents of files, and arguments, shall not steer a terminal. */
PRINTF_LIKE(1) void complain(const char *format, ...);

/* Complains and exits with EXIT_TROUBLE; an unfinished output file is removed. */
PRINTF_LIKE(1) _Noreturn void fail(const char *format, ...);

/* As fail, for a usage error: adds where to find help. topic is "sort" and so on, or "". */
PRINTF_LIKE(2) _Noreturn void fail_usage(const char *topic, const char *format, ...);

/* Only the second half of that: getopt has said what is wrong. */
_Noreturn void fail_hint(const char *topic);

/* count * bytes bytes, never NULL; fails with "out of memory" and what they were for. */
void *allocate(uint64_t count, size_t bytes, const char *purpose);
/* The same block, made count * bytes long. */
void *reallocate(void *block, uint64_t count, size_t bytes, const char *purpose);

/* Flushes standard output, or fails. */
void finish_stdout(void);

/* Ends the program the way a closed pipe or a full disk calls for, after a write to name failed
   with errno. */
_Noreturn void fail_write(const char *name);

/*
 * Drivers and WebGPU implementations write warnings to standard error that are not for the user.
 * From this call on they land in memory, and are shown only where they may say what went wrong: by
 * fail_on_gpu, and when the implementation aborts the process.
 */
void noise_capture(void);

/* As fail, and shows what was captured. */
PRINTF_LIKE(1) _Noreturn void fail_on_gpu(const char *format, ...);

/* Monotonic time. */
double now_seconds(void);

/* Switches the progress line on if standard error is a terminal and quiet is false. */
void progress_start(bool quiet);
/* Says what is being done, a string literal; done of total when total is not 0. Nothing is shown
   before a second of work. */
void progress(const char *phase, uint64_t done, uint64_t total);
/* Clears the line. */
void progress_end(void);

/* ---- Words (words.c) ----------------------------------------------------------------------- */

/* "u32" and so on. */
const char *type_name(ordo_type type);
/* False if text names no type. */
bool type_from_name(const char *text, ordo_type *type);
/* "auto", "radix", "bitonic" and so on. */
const char *method_name(ordo_method method);

/* Of all that follow, name is that of the option, for the usage error. */

/* The place among words of the one that is given; a usage error that lists them if it is none. */
unsigned word_option(const char *topic, const char *name, const char *given,
                     const char *const *words, unsigned count);
/* The type that is given. */
ordo_type type_option(const char *topic, const char *name, const char *given);
/* The method that the option --method gives. */
ordo_method method_option(const char *topic, const char *given);

/* Parses a decimal number of at most max. */
uint64_t number_option(const char *topic, const char *name, const char *text, uint64_t max);
/* The same of a count that fits so many bits; 2^E is one too. */
uint64_t count_option(const char *topic, const char *name, const char *text, uint32_t bits);

/* Parses a finite number as lines of input are. */
double real_option(const char *topic, const char *name, const char *given);
/* Parses up to 3 numbers with commas between them, and returns how many there are: finite ones,
   rounded to f32, into reals; or counts into numbers, if reals is NULL. The rest of 3 become 0. */
uint32_t list_option(const char *topic, const char *name, const char *given, float *reals,
                     uint32_t *numbers);

/* Puts the character at *at, or a byte of it, into shown (5 bytes) so that a terminal shows it as
   text: control characters, C1 too, and what is no UTF-8 as \xNN. Moves *at on, and returns the
   length of what is shown. */
size_t show_character(const char **at, const char *end, char *shown);

/* Prints text to standard output as a JSON string, quotes included. */
void print_json_string(const char *text);

#endif
