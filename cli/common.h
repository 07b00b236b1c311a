/* SPDX-License-Identifier: MIT */
/*
 * common.h: what the subcommands over files of numbers share: their options, and the numbers.
 */
#ifndef ORDO_CLI_COMMON_H
#define ORDO_CLI_COMMON_H

#include "gpu.h"
#include "text.h"

/* ---- Options ------------------------------------------------------------------------------- */

typedef struct common_options {
    const char *topic;  /* the subcommand's name */
    const char *output; /* NULL: standard output */
    bool has_type;
    ordo_type type;
    bool raw;
    bool quiet;
    bool stats;
    gpu_options gpu;
    char *const *names; /* of the input files */
    int name_count;
} common_options;

/* What getopt_long returns for options without a letter. A subcommand's own begin at OPTION_OWN. */
enum {
    OPTION_TYPE = 256,
    OPTION_RAW,
    OPTION_ADAPTER,
    OPTION_SOFTWARE,
    OPTION_TUNING,
    OPTION_STATS,
    OPTION_HELP,
    OPTION_OWN
};

/* Rows of a subcommand's table, and letters of its short options. */
#define COMMON_OPTIONS                                                                             \
    {"output", required_argument, NULL, 'o'}, {"quiet", no_argument, NULL, 'q'},                   \
        {"type", required_argument, NULL, OPTION_TYPE}, {"raw", no_argument, NULL, OPTION_RAW},    \
        {"adapter", required_argument, NULL, OPTION_ADAPTER},                                      \
        {"software", no_argument, NULL, OPTION_SOFTWARE},                                          \
        {"tuning", required_argument, NULL, OPTION_TUNING},                                        \
        {"stats", no_argument, NULL, OPTION_STATS}, {                                              \
        "help", no_argument, NULL, OPTION_HELP                                                     \
    }
#define COMMON_LETTERS "o:q"

#define HELP_OUTPUT                                                                                \
    "  -o, --output=OUT   write to OUT, which may be a FILE; it is replaced as a whole\n"
#define HELP_TYPE                                                                                  \
    "      --type=T       numbers are u32, i32, f32, u64, i64 or f64. Without it text is i64 or\n" \
    "                     u64 if all lines fit, else ordered by exact value\n"
#define HELP_RAW "      --raw          FILEs are bare little-endian elements of --type\n"
#define HELP_ADAPTER                                                                               \
    "  -q, --quiet        no progress line\n"                                                      \
    "      --adapter=A    use the adapter of this number, or with A in its name\n"                 \
    "      --software     use a software adapter\n"                                                \
    "      --tuning=TEXT  shapes of kernels, as 'ordo tune' prints them\n"
#define HELP_STATS                                                                                 \
    "      --stats        report adapter, plan, times and speed on standard error\n"               \
    "      --help\n"

/* Takes a common option, letter being what getopt_long returned. False: it is none of them.
   OPTION_HELP is left to the subcommand, and what getopt complained of is a usage error. */
bool common_option(common_options *o, int letter);

/* The arguments behind the options are the names of files; checks that options fit together. */
void common_names(common_options *o, int argc, char **argv);

/* Prints what --help prints, and ends the program. */
_Noreturn void common_help(const char *help);

/* ---- Numbers ------------------------------------------------------------------------------- */

/* All numbers of the input files. It stays at its address: t refers to in. */
typedef struct numbers {
    input in;
    text t; /* t.in is NULL for arrays */
    keys k;
    ordo_type type;      /* what the numbers are read as: of text t.type, of arrays k.type */
    double read_seconds; /* that took */
} numbers;

/* Reads the files that the options name. tables: two-dimensional .npy arrays are taken, too. */
void numbers_read(numbers *n, const common_options *o, bool tables);
void numbers_free(numbers *n);

/* Number i, that of an integer type, moved up by 2^63 if the type has a sign: so they compare as
   they are. */
uint64_t numbers_integer(const numbers *n, uint64_t i);

/* Writes count indices as the input's format has them: a line each for text; for arrays
   little-endian u32, for .npy with a header, of columns as array_write. */
void write_indices(const input *in, const uint32_t *indices, uint64_t count, uint64_t columns);

/* Fails: names the file of number i, its place and its text. */
_Noreturn void numbers_fail(const numbers *n, uint64_t i, const char *problem);

#endif
