/* SPDX-License-Identifier: MIT */
/*
 * bench.h: what the files of the benchmark share.
 *
 *     main.c      the command line, the list of cases
 *     measure.c   one case: generate, plan, check, warm, time, print
 *     checker.c   data made and results checked on the GPU
 *     replay.c    the WebGPU calls of a plan without ordo, to know what ordo adds to them
 *     machine.c   who runs this: adapter, runtime, the speed of a plain copy
 *     first.c     the time to the first sorted result of a process
 */
#ifndef ORDO_BENCH_H
#define ORDO_BENCH_H

#include "gpu.h"

typedef enum bench_primitive {
    BENCH_SORT = 0,
    BENCH_ARGSORT = 1,
    BENCH_SCAN = 2,   /* exclusive, add */
    BENCH_REDUCE = 3, /* add */
} bench_primitive;

/* How keys are drawn; the values are those of the switches in checker.c's WGSL. */
typedef enum bench_distribution {
    BENCH_RANDOM = 0,
    BENCH_ENTROPY_0544 = 1, /* entropy a bit, by ANDing 3 random words, as CUB's benchmarks do */
    BENCH_ENTROPY_0201 = 2, /* by ANDing 5 */
    BENCH_SORTED = 3,
    BENCH_REVERSED = 4,
    BENCH_EQUAL = 5,
    BENCH_FEW = 6,  /* 16 distinct keys */
    BENCH_ZIPF = 7, /* each power of two as often as the next: many small keys, few large ones */
} bench_distribution;

/* The names that options take and results carry, by enum value; each ends with NULL. */
extern const char *const bench_primitives[];
extern const char *const bench_distributions[];
extern const char *const bench_types[];
extern const char *const bench_methods[];

typedef struct bench_case {
    bench_primitive primitive;
    ordo_type type;
    ordo_order order;
    uint32_t value_bytes;
    bool allow_unstable;
    uint32_t skip_high_bits; /* not 0: of unsigned keys, which are then drawn with zeros there */
    uint32_t row_length;
    ordo_method method;
    uint32_t digit_bits;
    uint32_t block_length;
    uint32_t fused_levels;
    bench_distribution distribution;
    uint64_t count;
} bench_case;

/* ---- What a case means to ordo -------------------------------------------------------------- */

ordo_status bench_steps(const bench_case *c, const ordo_caps *caps, ordo_step *steps,
                        uint32_t capacity, ordo_summary *summary);
ordo_status bench_plan(const bench_case *c, ordo_context *context, ordo_plan **plan);

/* ---- checker.c ------------------------------------------------------------------------------ */

/* The most checks between two calls of checker_read. */
#define CHECKER_SLOTS 64

typedef struct checker {
    gpu *g;
    WGPUBindGroupLayout layout;
    WGPUComputePipeline generate, check, spoil;
    WGPUBuffer results; /* CHECKER_SLOTS results, 256 bytes apart */
    WGPUBuffer nothing; /* bound where a job has no values */
} checker;

/* A dispatch that makes, checks or spoils data, ready to be recorded many times. */
typedef struct checker_job {
    WGPUComputePipeline pipeline; /* the checker's */
    WGPUBindGroup group;
    uint32_t group_count;
} checker_job;

/* What a check found. Sums do not depend on the order of elements. */
typedef struct checker_result {
    uint32_t violations; /* of what the check demands */
    uint32_t sums[3];
} checker_result;

typedef enum checker_rule {
    CHECK_VALUES_ARE_INDICES = 1, /* element i is the key at values[i] of its row, its value is the
                                     place of that key */
    CHECK_VALUE_IS_PLACE = 2,     /* element i has the value i, and no value buffer */
    CHECK_ORDERED = 4,            /* keys never fall within a row */
    CHECK_SCAN = 8,               /* values are the exclusive sums of keys; makes no sums */
    CHECK_TOTAL = 16,             /* sums[0] is the plain sum of the keys */
    CHECK_STABLE = 32,            /* with CHECK_ORDERED: of equal keys, indices or first value words
                                     rise */
} checker_rule;

/* The elements of a job. */
typedef struct checker_data {
    WGPUBuffer keys;
    WGPUBuffer values; /* NULL: none */
    uint32_t count;
    ordo_type type;
    ordo_order order;
    uint32_t value_words;
    uint32_t row_length; /* 0: one row */
    bench_distribution distribution;
    uint32_t skip_high_bits; /* drawn keys are shifted down by so many bits */
} checker_data;

bool checker_open(checker *k, gpu *g);
void checker_close(checker *k);
/* Fills keys by the distribution, and the first word of value i with i, more words with noise. */
checker_job checker_generate(checker *k, const checker_data *data, uint32_t seed);
checker_job checker_check(checker *k, const checker_data *data, uint32_t rules);
/* Changes the word in the middle of a result. */
checker_job checker_spoil(checker *k, WGPUBuffer result);
/* Sets all results to zero. */
void checker_clear(checker *k, WGPUCommandEncoder encoder);
/* Records a job; a check adds what it finds to the result in the slot. */
void checker_record(const checker_job *job, WGPUCommandEncoder encoder, uint32_t slot);
void checker_release(checker_job *job);
/* Waits for the results of the first `count` slots. */
bool checker_read(checker *k, checker_result *results, uint32_t count);

/* ---- replay.c ------------------------------------------------------------------------------- */

typedef struct replay replay;
/* The same pipelines, bind groups and dispatches as the plan's in number and shape, with kernels
   that do nothing: to be recorded and timed, never to be run. NULL when there is no memory. */
replay *replay_open(gpu *g, const bench_case *c, const ordo_caps *caps, const ordo_args *args);
void replay_record(const replay *r, WGPUCommandEncoder encoder);
void replay_close(replay *r);

/* ---- machine.c ------------------------------------------------------------------------------ */

#define BENCH_MAX_REPEATS 32

typedef struct bench {
    gpu gpu;
    ordo_context *context;
    checker checker;
    WGPUQuerySet queries;         /* two a repeat; NULL without timestamps */
    double copy_bytes_per_second; /* 0: not known */
    uint32_t repeats;
    double warm_ms; /* how long a case runs before it is timed */
    bool default_limits;
    bool plant_error; /* spoil every result before it is checked */
} bench;

/* What the options say of the machine. */
typedef struct bench_options {
    gpu_options gpu;
    uint32_t repeats;
    double warm_ms;
    bool plant_error;
} bench_options;

/* Opens all of it. False: message (ORDO_MESSAGE_BYTES long) says why. */
bool bench_open(bench *b, const bench_options *options, char *message);
void bench_close(bench *b);
/* gpu_open with what this runtime needs to tell the time finely. */
bool bench_open_gpu(gpu *g, const gpu_options *options, char *message);
/* Milliseconds between the timestamps 2 * i and 2 * i + 1, for i < count; negative: no time. */
bool bench_read_times(bench *b, double *ms, uint32_t count);
/* Writes the timestamp pair number `index`. */
WGPUPassTimestampWrites bench_timestamps(const bench *b, uint32_t index);
/* "wgpu-native", "dawn" or "webgpu": the implementation that is linked. */
const char *bench_runtime(void);
/* The members of a JSON object that say who measured, each with a comma behind it. */
void bench_print_machine(const gpu *g, bool default_limits);
/* Text as a JSON string. */
void bench_print_string(const char *text);
double bench_now_ms(void);

/* ---- measure.c, first.c --------------------------------------------------------------------- */

typedef struct spread {
    double median, min, max; /* all negative: not known */
} spread;

/* Sorts the samples; those that are negative do not count. */
spread bench_spread(double *samples, uint32_t count);

/* Measures a case and prints its line. False: a wrong result, or the device failed. */
bool bench_measure(bench *b, const bench_case *c);
/* Sorts once in a process that has done nothing yet, and prints how long it took. */
bool bench_first(const bench_options *options, const bench_case *c, double start_ms);

#endif
