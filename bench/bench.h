/* SPDX-License-Identifier: MIT */
/*
 * bench.h: what the files of the benchmark share.
 *
 *     main.c          the command line, the list of cases
 *     problem.c       what a case means to ordo: descs, plans, buffers
 *     measure.c       one case: generate, plan, check, warm, time
 *     stress.c        one case many times over, with other data again and again
 *     line.c          its line of JSON
 *     verify.c        which data a case gets, and which checks
 *     draw.h          that data as C and CUDA, to compare with, and for others to sort
 *     checker.c       data made and results checked on the GPU
 *     checker_text.c  the WGSL of that
 *     replay.c        the WebGPU calls of a plan without ordo, to know what ordo adds to them
 *     machine.c       who runs this: adapter, runtime, the speed of a plain copy
 *     first.c         the time to the first sorted result of a process
 */
#ifndef ORDO_BENCH_H
#define ORDO_BENCH_H

#include "draw.h"
#include "gpu.h"

typedef enum bench_primitive {
    BENCH_SORT = 0,
    BENCH_ARGSORT = 1,
    BENCH_SCAN = 2,   /* exclusive, add */
    BENCH_REDUCE = 3, /* add */
    BENCH_HISTOGRAM = 4,
    BENCH_COUNTING_SORT = 5,
    BENCH_COUNTING_ARGSORT = 6,
    BENCH_GRID = 7,
    BENCH_TOP_K = 8,
    BENCH_COPY = 9, /* ordo's copy kernel: a sort by no bits */
} bench_primitive;

/* The names that options take and results carry, by enum value; each ends with NULL. */
extern const char *const bench_primitives[];
extern const char *const bench_distributions[];
extern const char *const bench_types[];
extern const char *const bench_methods[];
extern const char *const bench_bins[];

typedef struct bench_case {
    bench_primitive primitive;
    ordo_type type;
    ordo_order order;
    uint32_t value_bytes;
    bool allow_unstable;
    bool in_place;           /* of sorts of keys and pairs */
    uint32_t skip_high_bits; /* not 0: of unsigned keys, which are then drawn with zeros there */
    uint32_t row_length;
    ordo_method method;
    uint32_t digit_bits;
    uint32_t block_length;
    uint32_t fused_levels;
    ordo_bins bins;
    uint32_t bin_count; /* of a histogram; 0: 256 */
    uint32_t buckets; /* of a counting sort; 0: 256. A sort of u32 draws keys below it, if not 0 */
    bool depth;       /* of a counting argsort: elements are f32 depths from 0 to 1 */
    uint32_t cells;   /* of a grid, in each axis */
    uint32_t dimensions;
    uint32_t stride_bytes; /* of its points; 0: tight */
    bool points_out;
    uint32_t k;
    bool smallest;
    bool unit; /* f32 are drawn from 0 to 1 (1 itself is none); else as any bits */
    bench_distribution distribution;
    uint64_t count;
} bench_case;

/* ---- problem.c ------------------------------------------------------------------------------ */

bool bench_sorts(const bench_case *c); /* sort or argsort */
/* The number of bins, buckets or cells of a case that has them. */
uint32_t bench_place_count(const bench_case *c);
/* Words of IN that an element takes. */
uint32_t bench_element_words(const bench_case *c);
/* Entries that a top-k gives for each row of length elements. */
uint32_t bench_top_k_entries(const bench_case *c, uint64_t length);
ordo_status bench_steps(const bench_case *c, const ordo_caps *caps, ordo_step *steps,
                        uint32_t capacity, ordo_summary *summary);
ordo_status bench_plan(const bench_case *c, ordo_context *context, ordo_plan **plan);
/* The buffer of a slot that the caller binds. */
ordo_buffer *bench_slot(ordo_args *args, ordo_slot slot);
/* Buffers for all slots that the summary names. False: no memory. */
bool bench_make_buffers(gpu *g, const ordo_summary *summary, ordo_args *args);
void bench_release_buffers(ordo_args *args);
/* Edges of a histogram of bin_count + 1 words: as images, and as the bits that the plan reads. NULL
   when there is no memory, else to be freed. */
uint32_t *bench_edges(const bench_case *c, bool as_images);

/* ---- checker.c ------------------------------------------------------------------------------ */

/* The most checks between two calls of checker_read. */
#define CHECKER_SLOTS 64

/* The entry points in the checker's WGSL. */
typedef enum checker_entry {
    CHECKER_GENERATE,
    CHECKER_CHECK,      /* sorts, scans and reduces */
    CHECKER_COUNT_BINS, /* a histogram of its own */
    CHECKER_CHECK_BINS, /* two histograms are the same */
    CHECKER_CHECK_GRID,
    CHECKER_CHECK_TOP_K,
    CHECKER_SPOIL,
    CHECKER_ENTRIES,
} checker_entry;

/* The buffers that it binds from binding 2 on. */
typedef enum checker_binding {
    CHECKER_KEYS,
    CHECKER_VALUES,
    CHECKER_SOURCE, /* the input, where keys are an output */
    CHECKER_STARTS,
    CHECKER_TABLE,
    CHECKER_BINDINGS,
} checker_binding;

typedef struct checker {
    gpu *g;
    WGPUBindGroupLayout layout;
    WGPUComputePipeline pipelines[CHECKER_ENTRIES];
    WGPUBuffer results;     /* CHECKER_SLOTS results, 256 bytes apart */
    WGPUBuffer nothing;     /* bound in parts where a job has no buffer */
    uint64_t binding_bytes; /* the most that it binds of a buffer */
} checker;

/* The most pieces that a job is cut into. */
#define CHECKER_PIECES 40

/* Dispatches that make, check or spoil data, ready to be recorded many times: one, or one for each
   piece of buffers that are larger than a binding. */
typedef struct checker_job {
    WGPUComputePipeline pipeline; /* the checker's */
    WGPUBindGroup groups[CHECKER_PIECES];
    uint32_t workgroups[CHECKER_PIECES];
    uint32_t piece_count;
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
    CHECK_STARTS = 64,            /* keys are numbers of buckets, and starts where those begin */
    CHECK_POINTS = 128,           /* of a grid: keys are the points that the indices name */
    COUNT_OPEN = 256,             /* of COUNT_BINS: nothing is above the last bin, */
    COUNT_NAN_TOO = 512,          /* and NaNs are counted in bins */
    CHECK_DEPTHS = 1024,          /* with CHECK_STARTS: keys are depths, and source has the edges of
                                     buckets, as images */
} checker_rule;

/* The elements of a job. */
typedef struct checker_data {
    WGPUBuffer buffers[CHECKER_BINDINGS]; /* NULL: none */
    uint32_t count;
    ordo_type type;
    ordo_order order;
    uint32_t value_words;
    uint32_t row_length; /* 0: one row */
    bench_distribution distribution;
    uint32_t skip_high_bits; /* drawn keys are shifted down by so many bits */
    checker_map map;
    uint32_t below;        /* of MAP_BELOW */
    uint32_t place_count;  /* bins, buckets or cells */
    uint32_t cells;        /* of a grid, in each axis */
    uint32_t dimensions;   /* of its points */
    uint32_t stride_words; /* from one to the next */
    uint32_t k;            /* entries a row of a top-k */
} checker_data;

/* binding_bytes: the device's limit, or less. */
bool checker_open(checker *k, gpu *g, uint64_t binding_bytes);
void checker_close(checker *k);
/* The job of an entry point:
   GENERATE fills keys by the distribution, which seed varies, and the first word of value i with i,
       more words with noise;
   CHECK, CHECK_BINS, CHECK_GRID, CHECK_TOP_K check by the rules, see the WGSL;
   COUNT_BINS adds to table the counts of keys between the edges, as images, in source;
   SPOIL changes the word in the middle of keys, or of what a binding holds of them; data->count
       must be 0.
   Of buffers that are larger than a binding only GENERATE, CHECK_BINS, SPOIL, and CHECK without
   starts and where values are no indices, can be asked for. */
checker_job checker_make(checker *k, checker_entry entry, const checker_data *data, uint32_t rules,
                         uint32_t seed);
/* Sets all results to zero. */
void checker_clear(checker *k, WGPUCommandEncoder encoder);
/* Records a job, if it is one; a check adds what it finds to the result in the slot. */
void checker_record(const checker_job *job, WGPUCommandEncoder encoder, uint32_t slot);
void checker_release(checker_job *job);
/* Waits for the results of the first `count` slots. */
bool checker_read(checker *k, checker_result *results, uint32_t count);

/* ---- checker_text.c ------------------------------------------------------------------------- */

/* WGSL source in parts, to be put one behind the other; ends with NULL. */
extern const char *const checker_wgsl[];

/* ---- verify.c ------------------------------------------------------------------------------- */

/* The outputs of a plan: OUT, VALUES_OUT, STARTS, those it has. */
#define VERIFY_MAX_OUTPUTS 3

/* What a case does around the primitive, and what its check is to find. */
typedef struct verifier {
    checker *k;
    checker_job fill;   /* makes the input, */
    checker_job total;  /* adds up its words, */
    checker_job count;  /* counts it, for a histogram; */
    checker_job before; /* sums it up, for what no sums are known of */
    bool in_place;      /* the input is made again before each run */
    checker_job poison[VERIFY_MAX_OUTPUTS], spoil[VERIFY_MAX_OUTPUTS];
    uint32_t output_count;
    checker_job after; /* checks the output */
    WGPUBuffer edges, table;
    checker_result expected;
    uint32_t input_sum; /* of the words of the keys, modulo 2^32 */
} verifier;

/* The seed of what is measured, here and in rivals. */
#define VERIFY_SEED 1

/* Makes the jobs for a case and its buffers, the input by that seed, and what is expected. False:
   failed, or the input is not that of draw.h. */
bool verifier_open(verifier *v, checker *k, const bench_case *c, const ordo_args *args,
                   const ordo_summary *summary, uint32_t seed);
void verifier_close(verifier *v);
/* Records noise over all outputs; in place, the input anew. */
void verifier_poison(const verifier *v, WGPUCommandEncoder encoder);
/* Records a mistake in one of the outputs, in turn. */
void verifier_spoil(const verifier *v, WGPUCommandEncoder encoder, uint32_t turn);
bool verifier_agrees(const verifier *v, const checker_result *found);

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
    bool plant_error;       /* spoil every result before it is checked */
    uint64_t binding_bytes; /* not 0: what the context may bind, less than the device allows */
} bench;

/* What the options say of the machine. */
typedef struct bench_options {
    gpu_options gpu;
    uint32_t repeats;
    double warm_ms;
    bool plant_error;
    uint64_t binding_bytes;
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

/* ---- measure.c, line.c, first.c ------------------------------------------------------------- */

typedef struct spread {
    double median, min, max; /* all negative: not known */
} spread;

/* Sorts the samples; those that are negative do not count. */
spread bench_spread(double *samples, uint32_t count);

/* A case at work, and what came of it. Times that are negative are not known. */
typedef struct run {
    bench *b;
    const bench_case *c;
    ordo_summary summary;
    ordo_plan *plan;
    ordo_args args;
    verifier checks;
    bool failed;        /* the device or a call failed: the error says so */
    uint32_t wrong;     /* outputs that were not what they should be */
    uint32_t verified;  /* outputs that were */
    uint32_t misplaced; /* violations in the first wrong output, */
    bool differs;       /* and whether its elements are not those of the input */
    uint32_t spoiled;   /* mistakes planted so far */
    double plan_us, plan_ms;
    double wall_estimate_ms;
    spread gpu_ms, wall_ms;
    double cpu_ms, submit_us;
    double encode_us, runtime_us, own_us, finish_us;
} run;

void bench_print_line(const run *r);
void bench_print_skipped(const run *r, const char *why);

/* Plans a case, makes its buffers and its input. NULL, or why the case is to be skipped; the run is
   to be ended in both cases. */
const char *bench_begin(run *r, bench *b, const bench_case *c);
/* So many runs in one submit, up to BENCH_MAX_REPEATS, each between noise over the outputs and the
   check of them; ms gets their times. */
void bench_run_batch(run *r, double *ms, uint32_t count);
void bench_end(run *r);

/* Measures a case and prints its line. False: a wrong result, or the device failed. */
bool bench_measure(bench *b, const bench_case *c);

/* Sorts once in a process that has done nothing yet, and prints how long it took. */
bool bench_first(const bench_options *options, const bench_case *c, double start_ms);

/* ---- stress.c ------------------------------------------------------------------------------- */

/* What came of all stressed cases. */
typedef struct stress_total {
    uint32_t case_count, skipped_count, left_out_count; /* left out: for want of time */
    uint64_t run_count, wrong_count;
} stress_total;

/* Runs a case so many times over changing data and prints a line. False: a wrong result, or the
   device failed. */
bool bench_stress(bench *b, const bench_case *c, uint32_t run_count, stress_total *total);
void bench_print_stress_total(const stress_total *total);

#endif
