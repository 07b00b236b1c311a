/* SPDX-License-Identifier: MIT */
/*
 * ordo_plan.h: describe a problem, get the list of GPU steps that solves it.
 *
 * A planner is a pure function: the same capabilities and the same description give the same
 * steps, byte for byte. It needs no GPU and no WebGPU, allocates nothing, keeps no state and may
 * be called from any thread. Use it to learn how much scratch memory a sort will take, to print
 * what a sort will do, or to run the steps from another language. To run them on WebGPU from C,
 * include ordo.h instead: it includes this file.
 *
 *     ordo_sort_desc desc = {.max_count = 1000000, .key = ORDO_F32};
 *     ordo_summary summary;
 *     if (ordo_sort_steps(NULL, &desc, NULL, 0, &summary) != ORDO_OK) puts(summary.message);
 *     else printf("%u steps, %llu bytes of scratch\n", summary.step_count,
 *                 (unsigned long long)summary.scratch_bytes);
 *
 * Rules that hold everywhere:
 *  - Zero is the default of every field of every desc, so a desc that forgets max_count plans
 *    nothing, and one that forgets key sorts u32. An unknown enum value is ORDO_INVALID.
 *  - `_count` is elements, `_bytes` bytes, `_bits` bits; a word is 32 bits, little-endian in pairs.
 *  - Before you sort, ask what the order is for: the best k (ordo_top_k), like things together
 *    (ordo_counting_sort), neighbours in space (ordo_grid) and how many of each (ordo_histogram)
 *    are each several times cheaper. ordo_advise.h answers that question for a described problem.
 *  - What is not here: comparators in code (order by up to four key words instead), keys of 8 and
 *    16 bits (widen them), scans of 64 bits; and, so far, gather, merge, unique, segments of
 *    different lengths (rows of equal length are here).
 *
 * THE ORDER OF KEYS is a total order on bits. Unsigned and signed integers: numeric. Floats:
 *     -inf < ... < -0 < +0 < ... < +inf < every NaN
 * NaNs among themselves: positive ones by their bits, then negative ones, the one with the
 * largest payload first. Each key maps to an unsigned integer of its width, its image, and
 * images are compared:
 *     unsigned: the bits; signed: sign bit flipped; floats: all bits of a negative, else the sign
 *     bit, flipped, then the image of -inf (0x007fffff, or 0x000fffffffffffff) subtracted.
 * Descending order compares inverted images, so it is the exact mirror: NaNs come first.
 * No key value is special: 0xffffffff, infinities and NaNs are ordinary. Nothing is
 * canonicalised: the output is a permutation of the input, bit for bit.
 */
#ifndef ORDO_PLAN_H
#define ORDO_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORDO_VERSION_MAJOR 0
#define ORDO_VERSION_MINOR 1
#define ORDO_VERSION_PATCH 0

/* The functions of this library; everything else in it has hidden visibility. */
#if defined(ORDO_SHARED) && defined(_WIN32) && defined(ORDO_BUILD)
#define ORDO_API __declspec(dllexport)
#elif defined(ORDO_SHARED) && defined(_WIN32)
#define ORDO_API __declspec(dllimport)
#elif defined(__GNUC__)
#define ORDO_API __attribute__((visibility("default")))
#else
#define ORDO_API
#endif

/* Bytes that hold any message of this library, its terminating zero included. */
#define ORDO_MESSAGE_BYTES 256

/* What a call came to. Every function that can fail returns one of these. */
typedef enum ordo_status {
    ORDO_OK = 0,
    /* The caller's mistake: a field contradicts itself, another field or its documented range. */
    ORDO_INVALID = 1,
    /* A sound request that this device's limits, this adapter or this build cannot serve. */
    ORDO_UNSUPPORTED = 2,
    ORDO_OUT_OF_MEMORY = 3,
    /* The device was lost, or destroyed by its owner: release everything made from it. */
    ORDO_DEVICE_LOST = 4,
    /* The WebGPU implementation refused what it should accept: a fault of ordo or of the driver. */
    ORDO_FAILED = 5,
} ordo_status;

/* "ORDO_OK", "ORDO_INVALID" …; "unknown status" for any other number. Never NULL, static. */
ORDO_API const char *ordo_status_name(ordo_status status);

/* The type of a key or of a scanned item. f32 and f64 are IEEE 754 binary32 and binary64. */
typedef enum ordo_type {
    ORDO_U32 = 0,
    ORDO_I32 = 1,
    ORDO_F32 = 2,
    ORDO_U64 = 3,
    ORDO_I64 = 4,
    ORDO_F64 = 5,
} ordo_type;

/* 4 or 8; 0 for a number that is no ordo_type. */
ORDO_API uint32_t ordo_type_bytes(ordo_type type);

/* ---- The device, as the planner sees it ---------------------------------------------------- */

/*
 * What a device offers. In every field 0 stands for the default that WebGPU guarantees on all
 * devices, so a zeroed ordo_caps, or NULL, plans for any device. Limits are those of the device,
 * not of its adapter. ordo_context_caps in ordo.h fills this in.
 */
typedef struct ordo_caps {
    /* These may be lower than WebGPU guarantees, to plan within a budget or to test small grids. */
    uint64_t max_buffer_bytes;  /* maxBufferSize; 0: 268435456 */
    uint64_t max_binding_bytes; /* maxStorageBufferBindingSize; 0: 134217728 */
    uint32_t max_groups;        /* maxComputeWorkgroupsPerDimension; 0: 65535 */
    /* These may not: lower values are ORDO_UNSUPPORTED. */
    uint32_t max_workgroup_bytes; /* maxComputeWorkgroupStorageSize; 0: 16384 */
    uint32_t max_invocations;     /* maxComputeInvocationsPerWorkgroup or ...SizeX; 0: 256 */
    uint32_t max_storage_buffers; /* maxStorageBuffersPerShaderStage; 0: 8 */
    /* A power of two from 4 on. */
    uint32_t offset_alignment_bytes; /* the greater of minStorageBufferOffsetAlignment and
                                        minUniformBufferOffsetAlignment; 0: 256 */
    bool subgroups;                  /* kernels may use subgroup operations, of any subgroup size */
    uint32_t subgroup_size;          /* of all subgroups; 0: sizes differ, or are not known */
    bool forward_progress; /* workgroups that have started go on while others wait, so that
                              scans and onesweep may look back. Known of NVIDIA, AMD, Intel */
    bool software;         /* kernels run on a CPU: shapes and methods follow */
    /* Bits 1 << ordo_method: what AUTO does not choose, as ordo_self_check found. */
    uint32_t rejected_methods;
    /* Shapes of kernels for this device, as `ordo tune` finds them: name=number, with spaces or
       commas between. NULL: ordo's own. Read while planning; contexts keep a copy. A name or number
       that is not allowed is ORDO_INVALID. Results are the same bytes; with a tuning AUTO takes as
       much scratch as the method that wants most. */
    const char *tuning;
} ordo_caps;

/* Writes all that a tuning may set, as it is for caps (NULL: defaults), as such a text, cut to
   capacity bytes. Returns the bytes of the whole, its zero included; 1 if caps.tuning is wrong. */
ORDO_API uint32_t ordo_tuning_text(const ordo_caps *caps, char *text, uint32_t capacity);

/* ---- Steps ----------------------------------------------------------------------------------*/

/* The buffers that steps name. The caller binds them when a plan is encoded. */
typedef enum ordo_slot {
    ORDO_SLOT_SCRATCH = 0, /* summary.scratch_bytes long; contents before and after: undefined */
    ORDO_SLOT_IN = 1,      /* keys, items, elements or points; in place also the result */
    ORDO_SLOT_OUT = 2, /* the result; not of plans made in place, nor of those that give indices */
    ORDO_SLOT_VALUES_IN = 3,  /* values of a sort of pairs; in place also the result */
    ORDO_SLOT_VALUES_OUT = 4, /* their permutation, or the indices of an argsort, grid or top-k */
    ORDO_SLOT_EDGES = 5,      /* bin edges of a histogram */
    ORDO_SLOT_STARTS = 6,     /* where each bucket of a counting sort, each cell of a grid starts */
} ordo_slot;

#define ORDO_SLOT_COUNT 7

/* A part of a slot's buffer, as one step binds it. */
typedef struct ordo_range {
    ordo_slot slot;
    bool read;             /* the step reads what is here; */
    bool written;          /* it writes here. Neither: bound only because the kernel names it */
    uint64_t offset_bytes; /* from the start of the slot, a multiple of offset_alignment_bytes */
    uint64_t size_bytes;   /* a multiple of 4, never 0 */
} ordo_range;

/* A number with the name it has in the kernel's WGSL. */
typedef struct ordo_number {
    const char *name;
    uint32_t value;
} ordo_number;

#define ORDO_MAX_CONSTANTS 10
#define ORDO_MAX_RANGES 7
#define ORDO_MAX_PARAMS 16

/*
 * One dispatch. Steps run in order; each sees all writes of those before it. In the kernel,
 * group 0 has at binding 0 the params (uniform, 64 bytes: the values in order, then zeros), at
 * binding 1 the count (read-only storage, one u32: the number of elements, which the kernel clamps
 * to max_count; max_count itself when the host knows it), and from binding 2 on the ranges, all of
 * them read-write storage. docs/design.md says how a kernel's text is put together.
 */
typedef struct ordo_step {
    const char *kernel; /* kernels/<kernel>.wgsl; static */
    const char *entry;  /* the entry point in it; static */
    bool subgroups;     /* built with lib/lane_subgroup.wgsl or shuffle_subgroup.wgsl, else with
                           lane_portable.wgsl or shuffle_portable.wgsl */
    bool unrolled;  /* the text's loops marked `//@unroll` are written out, see docs/design.md */
    uint32_t items; /* per invocation: the line `const ITEMS: u32 = <items>u;` follows the text */
    uint32_t constant_count;
    uint32_t range_count;
    uint32_t param_count;
    uint32_t group_count_x; /* workgroups, at least 1; x * y may exceed what is needed, */
    uint32_t group_count_y; /* kernels number groups y * group_count_x + x and guard */
    ordo_number constants[ORDO_MAX_CONSTANTS]; /* values of the kernel's `override` constants */
    ordo_number params[ORDO_MAX_PARAMS];       /* the kernel's params, in order */
    ordo_range ranges[ORDO_MAX_RANGES];
} ordo_step;

/* How a sort is done. The networks sort any key, rows too, need no scratch for whole keys alone,
   and take a dispatch or more for each of log2 n stages: see docs/networks.md. */
typedef enum ordo_method {
    ORDO_METHOD_AUTO = 0,  /* the cheapest by ordo's model for this count, key and device: on a GPU
                             bitonic for some thousand keys, msd for more, radix for windows of
                             bits and for arrays larger than a binding */
    ORDO_METHOD_RADIX = 1, /* least-significant-digit radix sort: histogram, scan, stable scatter;
                                one array of keys of one number */
    ORDO_METHOD_BITONIC = 2, /* Batcher's bitonic network: blocks in workgroup memory, the steps
                                between blocks several to a dispatch */
    ORDO_METHOD_BITONIC_DIRECT = 3, /* the same network, one dispatch a step: for comparison */
    ORDO_METHOD_ODDEVEN = 4, /* Batcher's odd-even merge network, which has fewer comparators;
                                blocks in workgroup memory */
    ORDO_METHOD_MSD = 5, /* most-significant-digit radix sort, down to what fits workgroup memory;
                            whole keys of one number, one array */
    ORDO_METHOD_SAMPLE = 6, /* sample sort: each workgroup finds its slice of the order in all keys
                               by bounds from a sample, in one dispatch; whole keys of one number,
                               one array. Work grows with the square of the count: for small ones */
    ORDO_METHOD_ONESWEEP = 7, /* as radix, but a digit is one pass: workgroups look back for where
                                 their keys go, or count for those that do not come forward */
} ordo_method;

/* What a planner says of the plan, or why there is none. */
typedef struct ordo_summary {
    uint32_t step_count;
    uint64_t scratch_bytes;
    uint64_t slot_bytes[ORDO_SLOT_COUNT]; /* what each slot must hold, 0 if the plan has no such
                                             buffer; of ORDO_SLOT_SCRATCH the scratch_bytes */
    ordo_method method;                   /* of a sort, never AUTO; 0 for other primitives */
    /* Also of a sort inside a counting sort, a grid or a top-k: */
    uint32_t digit_bits;   /* of sorts by digits: the widest */
    uint32_t pass_count;   /* of radix and onesweep: one a digit; of msd: levels */
    uint32_t block_length; /* of a network: elements a workgroup sorts; 2 of the direct form */
    uint32_t fused_levels; /* of a network: steps that a dispatch between blocks does at once */
    uint32_t index_bits; /* not 0: key and index are packed into one word, the index in so many low
                             bits, as ordo_pack does it, and block_length is of such words */
    uint32_t window_count; /* not 0: arrays are larger than a binding, and bound in so many parts */
    uint64_t moved_bytes;  /* memory read and written by all steps at max_count, modelled */
    uint64_t modelled_ns;  /* their time at max_count, modelled: to compare plans */
    char message[ORDO_MESSAGE_BYTES]; /* "" after ORDO_OK; else the field, its value, the limit */
} ordo_summary;

/*
 * All planners below share this contract.
 *
 * caps      what the device offers; NULL: WebGPU's guaranteed defaults.
 * desc      the problem; not NULL.
 * steps     filled with summary->step_count steps; NULL (with capacity 0): only the summary.
 * capacity  how many steps fit. If too few: ORDO_INVALID; summary->step_count says how many.
 * summary   always written whole; not NULL.
 *
 * A max_count of 0 plans no work: outputs stay untouched (but a reduce writes its one output).
 * All else equal, summary->scratch_bytes never falls as max_count grows, and if a max_count can be
 * planned, so can every smaller one.
 * Every workgroup that max_count may need is launched, whatever a count on the GPU says: a small
 * count saves memory traffic, not dispatches.
 * Strings in steps are static. On failure steps are unchanged and the summary has only a message.
 */

/* ---- Sort ----------------------------------------------------------------------------------- */

typedef enum ordo_order {
    ORDO_ASCENDING = 0,
    ORDO_DESCENDING = 1,
} ordo_order;

/* A word of a composite key. */
typedef struct ordo_key_part {
    ordo_type type;   /* ORDO_U32 (default), ORDO_I32 or ORDO_F32 */
    ordo_order order; /* of this word */
} ordo_key_part;

#define ORDO_MAX_PARTS 4

/*
 * Sort keys, keys with values, or find the permutation that sorts them.
 *
 * Always stable, in both directions: of equal keys the one that came first stays first, unless
 * allow_unstable lets ordo choose a method that does not keep them so.
 *
 *   keys only        IN keys                       -> OUT keys
 *   pairs            IN keys, VALUES_IN values     -> OUT keys, VALUES_OUT values
 *   argsort          IN keys                       -> VALUES_OUT u32 indices into IN; no OUT
 *   any, in_place    IN keys become the result; VALUES_IN values become the result
 *
 * Out of place, inputs stay as they are. Elements past the count are neither read nor written.
 *
 * Arrays larger than max_binding_bytes: radix sorts (of digit_bits 0 or 8) bind them in up to 32
 * windows, and each pass reads a window once for each that it writes, or once for four if there
 * are no values. So does AUTO, where nothing else fits. Values of more than 8 bytes, networks and
 * the other methods need a binding that holds an array, and radix one that holds its counts (256
 * words for each 4,096 keys or so). Each array is one buffer, as is scratch. An encode of 32
 * windows of pairs records some thousand dispatches.
 *
 * Composite keys: with part_count, a key is that many consecutive words, the first the most
 * significant, each with its own type and order. Rows: with row_length, elements [r * row_length,
 * (r + 1) * row_length) are row r, the last may be shorter, and each row is sorted by itself; an
 * argsort's indices then count from the start of their row. The method bitonic sorts all rows that
 * fit a workgroup in one dispatch: on any device rows of 4,096 / w elements, rounded down to a
 * power of two, where w is the words of a key, and one more for an argsort, values or a window.
 *
 * Sources: Satish, Harris, Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs"
 * (2009), for histogram, scan and scatter over a digit-major table of counts. Adinets, Merrill,
 * "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs" (2022). Batcher, "Sorting
 * Networks and Their Applications" (1968), for both networks; Knuth, "The Art of Computer
 * Programming", volume 3, 5.3.4, for the form of the bitonic one whose comparators all point up.
 */
typedef struct ordo_sort_desc {
    uint64_t max_count; /* elements; at most 2^32 - 1 and what the device's bindings hold, of radix
                            sorts what its buffers hold: see above. The number sorted, or its upper
                            bound when the count lives on the GPU. */
    ordo_type key;      /* default ORDO_U32 */
    ordo_order order;   /* default ORDO_ASCENDING */
    uint32_t value_bytes; /* 0 (default): keys only; else a multiple of 4 up to 64. Values are
                             carried as bits, element i at byte i * value_bytes. */
    bool argsort;         /* true: indices instead of values; needs value_bytes 0, in_place false */
    bool in_place;        /* true: results replace the inputs; give no out and values_out */
    bool allow_unstable;  /* true: ties may come out in any order (never used by radix) */
    bool caller_scratch; /* true: every encode brings its own scratch buffer, the plan makes none */
    /* Compare only bits [skip_low_bits, width - skip_high_bits) of the image (see THE ORDER OF
       KEYS; for unsigned keys, and for the low bits of signed ones, the image's bits are the
       key's). The rest is carried along. Both 0: the whole key. Their sum is at most the width;
       if equal, all keys tie and the sort is a copy. For integers CUB's begin_bit is skip_low_bits,
       its end_bit width - skip_high_bits; of floats it takes other images, so windows differ. */
    uint32_t skip_low_bits;
    uint32_t skip_high_bits;
    /* 0 (default): a key is one number, `key`. 2 to 4: it is so many words, parts[0] first; then
       key, order, skip_low_bits and skip_high_bits must be 0. Networks only. */
    uint32_t part_count;
    ordo_key_part parts[ORDO_MAX_PARTS];
    uint32_t row_length; /* 0 (default): one array. Else elements a row. Networks only. */
    ordo_method method;  /* default ORDO_METHOD_AUTO. One of the next three fields that is not 0
                            makes AUTO choose the method it belongs to. */
    uint32_t digit_bits; /* of a radix sort: 0 (default) the fastest form known; 8 bits ranked by
                            bitmaps; 4 the classic of the literature, ranked by four one-bit
                            partitions, for comparison. Onesweep takes 0 or 8. */
    /* Of bitonic and oddeven: elements a workgroup sorts, a power of two from 16 to what the device
       holds of elements with their index; 0 (default): the fastest. */
    uint32_t block_length;
    /* Of bitonic: steps that one dispatch between blocks does, 1 to 4, each doubling the elements
       of an invocation; 0 (default): the fastest. The other networks take 0 or 1. */
    uint32_t fused_levels;
} ordo_sort_desc;

/* Bytes of a key: of its type, or of its parts; 0 if the desc's are none. */
ORDO_API uint32_t ordo_key_bytes(const ordo_sort_desc *desc);

ORDO_API ordo_status ordo_sort_steps(const ordo_caps *caps, const ordo_sort_desc *desc,
                                     ordo_step *steps, uint32_t capacity, ordo_summary *summary);

/* ---- Packing -------------------------------------------------------------------------------- */

/*
 * A key of few bits and an index in one word: words sort as u32 by key and then by index, in half
 * the memory of a pair. ordo does it by itself for argsorts and pairs where the bits fit and it
 * wins; these are for callers that make such words in their own shaders or on the host.
 *
 *     word   | key: 32 - index_bits bits | index: index_bits bits |
 */

/* Bits that hold every index below count, 0 for a count of 1 or less. From 2^31 + 1 elements on
   that is 32, and no bit is left for a key: ordo_pack takes 31 at most. */
ORDO_API uint32_t ordo_index_bits(uint64_t count);

/* The word of key and index, for index_bits up to 31. Bits of either that do not fit are dropped:
   of a key from 2^(32 - index_bits) on, of an index from 2^index_bits on. */
ORDO_API uint32_t ordo_pack(uint32_t key, uint32_t index, uint32_t index_bits);

/* The key of a word, and its index if index is not NULL. */
ORDO_API uint32_t ordo_unpack(uint32_t word, uint32_t index_bits, uint32_t *index);

/*
 * The same for shaders: WGSL source that defines
 *     fn ordo_pack(key: u32, index: u32, index_bits: u32) -> u32
 *     fn ordo_unpack(word: u32, index_bits: u32) -> vec2<u32>     key, index
 * Copies at most capacity bytes, the terminating zero included, into text (may be NULL if capacity
 * is 0), and returns the length of the whole source without that zero.
 */
ORDO_API size_t ordo_pack_wgsl(char *text, size_t capacity);

/* ---- Scan and reduce ------------------------------------------------------------------------ */

/*
 * How items combine. ADD over integers wraps modulo 2^32. Over f32 it rounds at each step, in an
 * association that depends on the plan and the count alone, so that runs on one device agree bit
 * for bit; but a scan and a reduce associate differently, and a scan of positive items need not be
 * monotone in its last bits. What infinities, NaNs and subnormals sum to is the device's affair.
 * MIN and MAX use the total order above: -0 < +0, and NaN is greater than +inf. Where there are no
 * items the result is, by convention: ADD 0; MIN the greatest integer, +inf for f32; MAX the least
 * integer, -inf.
 */
typedef enum ordo_op {
    ORDO_ADD = 0,
    ORDO_MIN = 1,
    ORDO_MAX = 2,
} ordo_op;

/*
 * Prefix sums (or minima, maxima): OUT[i] combines IN[0..i], or IN[0..i-1] when exclusive, where
 * OUT[0] is what no items give (note: the default is exclusive). The exclusive scan does not give
 * the total: use a reduce, or combine the last output with the last input.
 *
 * Sources: Blelloch, "Prefix Sums and Their Applications" (1990); Merrill and Grimshaw, "Parallel
 * Scan for Stream Architectures" (2009); Merrill and Garland on decoupled look-back (2016).
 */
typedef struct ordo_scan_desc {
    uint64_t max_count;  /* as in ordo_sort_desc */
    ordo_type type;      /* ORDO_U32 (default), ORDO_I32, ORDO_F32; others: ORDO_UNSUPPORTED */
    ordo_op op;          /* default ORDO_ADD */
    bool inclusive;      /* default false: exclusive */
    bool in_place;       /* true: OUT is IN; give no out */
    bool caller_scratch; /* as in ordo_sort_desc */
} ordo_scan_desc;

ORDO_API ordo_status ordo_scan_steps(const ordo_caps *caps, const ordo_scan_desc *desc,
                                     ordo_step *steps, uint32_t capacity, ordo_summary *summary);

/* Combine all items of IN into OUT[0]. When there are none, also for max_count 0 (where IN may be
   absent), OUT[0] is what no items give. */
typedef struct ordo_reduce_desc {
    uint64_t max_count;  /* as in ordo_sort_desc */
    ordo_type type;      /* as in ordo_scan_desc */
    ordo_op op;          /* default ORDO_ADD */
    bool caller_scratch; /* as in ordo_sort_desc */
} ordo_reduce_desc;

ORDO_API ordo_status ordo_reduce_steps(const ordo_caps *caps, const ordo_reduce_desc *desc,
                                       ordo_step *steps, uint32_t capacity, ordo_summary *summary);

/* ---- Histogram ------------------------------------------------------------------------------ */

#define ORDO_MAX_BINS 65536

/* How bins are told apart. */
typedef enum ordo_bins {
    ORDO_BINS_EVEN = 0,  /* bin_count bins of equal width from lo to hi */
    ORDO_BINS_BITS = 1,  /* a bin for each value of a window of the image's bits */
    ORDO_BINS_EDGES = 2, /* bins between the caller's edges, sorted, in EDGES */
} ordo_bins;

/* Words of OUT behind its bin_count bins. */
enum {
    ORDO_BELOW = 0, /* elements before the first bin, */
    ORDO_ABOVE = 1, /* after the last one, */
    ORDO_NAN = 2,   /* and NaNs, which are in no bin */
    ORDO_BINS_EXTRA = 3,
};

/*
 * Count elements by bins.
 *
 *   IN elements -> OUT bin_count + 3 u32: counts of bins, then of elements below, above, and NaN
 *
 * The sum of OUT is the count. Bin i holds the elements from edge i up to, but not including, edge
 * i + 1, in THE ORDER OF KEYS (so -0 is below an edge of +0, which no edge made by EVEN is: they
 * are -0). An element equal to the last edge is above. A bin between equal edges is empty.
 *
 *   EVEN    Edge i is lo + i * (hi - lo) / bin_count: of integer types rounded up, so that bin i
 *           holds exactly the integers in that real interval; of f32 rounded to nearest f32. lo and
 *           hi themselves are exact (of f32 after conversion to f32). Both 0 stands for all numbers
 *           of an integer type, and for 0 to 1 of f32.
 *   BITS    Bin = bits [skip_low_bits, 32 - skip_high_bits) of the image, as in ordo_sort_desc: 16
 *           bits at most; a window of none is one bin. bin_count is 0 or 2^bits; below, above and
 *           NaN count nothing, for every image has a bin.
 *   EDGES   bin_count + 1 edges of `type` in EDGES. Edges that are not sorted, or NaN, leave
 *           the counts undefined, except that their sum is still the count.
 *
 * Source: Podlozhnyuk, "Histogram calculation in CUDA" (2007), for private bins of workgroups.
 */
typedef struct ordo_histogram_desc {
    uint64_t max_count;      /* as in ordo_sort_desc */
    ordo_type type;          /* ORDO_U32 (default), ORDO_I32, ORDO_F32; others: ORDO_UNSUPPORTED */
    ordo_bins bins;          /* default ORDO_BINS_EVEN */
    uint32_t bin_count;      /* up to ORDO_MAX_BINS; 0 (default): 256, of BITS all there are */
    double lo, hi;           /* of EVEN, else 0; finite, lo < hi, as f32 too if that is the type;
                                of integer types integers, lo one of the type, hi that or one more
                                than its greatest (2^32 or 2^31) */
    uint32_t skip_low_bits;  /* of BITS, else 0 */
    uint32_t skip_high_bits; /* the same */
    bool caller_scratch;     /* as in ordo_sort_desc */
} ordo_histogram_desc;

ORDO_API ordo_status ordo_histogram_steps(const ordo_caps *caps, const ordo_histogram_desc *desc,
                                          ordo_step *steps, uint32_t capacity,
                                          ordo_summary *summary);

/* ---- Counting sort -------------------------------------------------------------------------- */

/*
 * Buckets by depth. With farthest != nearest, elements are f32 depths, and the bucket of one is its
 * bin among bucket_count bins from nearest to farthest, as ORDO_BINS_EVEN of f32 has them; depths
 * before nearest get bucket 0, those from farthest on the last one, NaNs the overflow bucket.
 */
typedef struct ordo_depth {
    double nearest, farthest; /* finite, nearest < farthest as f32; both 0 (default): no depths,
                                 elements are u32 bucket numbers, and the next two are false */
    bool logarithmic; /* bins are even in the bits of the depth read as an integer, which grow with
                         its logarithm: finer when near. nearest is above 0. */
    bool reversed; /* the same bins from the other end, back to front: bucket 0 is the farthest */
} ordo_depth;

/*
 * Bring elements of like buckets together, stably, and tell where each bucket starts.
 *
 *   keys only   IN u32 bucket numbers   -> OUT the same, sorted; STARTS
 *   pairs       IN, VALUES_IN values    -> OUT, VALUES_OUT values; STARTS
 *   argsort     IN                      -> VALUES_OUT u32 indices into IN; STARTS; no OUT
 *   depth       IN f32 depths           -> as pairs or argsort, without OUT
 *
 * STARTS has bucket_count + 2 u32. Bucket b is elements [STARTS[b], STARTS[b + 1]) of the result.
 * Numbers from bucket_count on go, unchanged and in the order of the input, to an overflow bucket
 * behind all others, [STARTS[bucket_count], STARTS[bucket_count + 1]): so STARTS[bucket_count] is
 * how many have a bucket, and STARTS[bucket_count + 1] the count. A max_count of 0 plans nothing.
 *
 * One pass over the data up to 256 buckets, two beyond. Source: as ordo_sort_desc.
 */
typedef struct ordo_counting_sort_desc {
    uint64_t max_count;    /* as in ordo_sort_desc */
    uint32_t bucket_count; /* up to ORDO_MAX_BINS; 0 (default): 256 */
    uint32_t value_bytes;  /* as in ordo_sort_desc */
    bool argsort;          /* as in ordo_sort_desc */
    ordo_depth depth;      /* needs argsort or value_bytes */
    bool caller_scratch;   /* as in ordo_sort_desc */
} ordo_counting_sort_desc;

ORDO_API ordo_status ordo_counting_sort_steps(const ordo_caps *caps,
                                              const ordo_counting_sort_desc *desc, ordo_step *steps,
                                              uint32_t capacity, ordo_summary *summary);

/* ---- Grid ----------------------------------------------------------------------------------- */

/* Where points outside of the grid go. */
typedef enum ordo_outside {
    ORDO_OUTSIDE_CLAMP = 0, /* to the nearest cell of the border */
    ORDO_OUTSIDE_WRAP = 1,  /* to the cell they have when space repeats: coordinate modulo cells */
    ORDO_OUTSIDE_APART = 2, /* to no cell: see STARTS */
} ordo_outside;

/*
 * Sort points into the cells of a uniform grid, to find neighbours.
 *
 *   IN points -> STARTS cells + 2 u32; VALUES_OUT point indices by cell; OUT points by cell, if
 *                points_out
 *
 * A point's coordinate in axis d is floor((x - origin[d]) * (1 / cell_size[d])), where reciprocal,
 * difference and product are each rounded to f32, except that a point below the origin never rounds
 * up to it: ordo_grid_wgsl computes the same for other shaders. Cells are numbered x + cells[0] *
 * (y + cells[1] * z). Points of cell c are entries [STARTS[c], STARTS[c + 1]) of the result, in the
 * order of the input. A point exactly on the upper end of the grid (its product is cells[d]) is in
 * the last cell, unless space wraps. Points without a cell, in the order of the input, are entries
 * [STARTS[cells], STARTS[cells + 1]): those with a NaN; outside ones if APART; of WRAP and hashed
 * grids those with a product of magnitude 2^30 or more. STARTS[cells + 1] is the count, as in
 * ordo_counting_sort_desc.
 *
 * Hashed: with table_size the grid is unbounded (cells and outside must be 0), and the cell number
 * is (x * 73856093 ^ y * 19349663 ^ z * 83492791) modulo table_size, in which distinct coordinates
 * may meet: compare coordinates or distances when you walk a bucket. (Teschner et al., "Optimized
 * Spatial Hashing for Collision Detection of Deformable Objects", 2003.)
 *
 * Source: Green, "Particle Simulation using CUDA" (2010), with a stable sort instead of atomics.
 */
typedef struct ordo_grid_desc {
    uint64_t max_count;    /* points; as in ordo_sort_desc */
    uint32_t dimensions;   /* 2 or 3; 0 (default): 3 */
    uint32_t stride_bytes; /* from one point to the next, a multiple of 4 up to 4096; 0 (default):
                              4 * dimensions */
    uint32_t offset_bytes; /* of the first point in IN, a multiple of 4; offset and coordinates
                              lie within the stride */
    float origin[3];       /* lower corner; finite */
    float cell_size[3];    /* from 1e-28 to 1e28; an axis of 0 (default) takes cell_size[0], and
                              that takes 1 */
    uint32_t cells[3];     /* in each axis, up to 2^20; 0 (default) is 1; product up to 2^31 */
    ordo_outside outside;  /* default ORDO_OUTSIDE_CLAMP */
    uint32_t table_size;   /* 0 (default): not hashed; else a power of two up to 2^31: the cells */
    bool points_out;       /* also OUT: dimensions f32 a point, tightly, in the order of cells */
    bool caller_scratch;   /* as in ordo_sort_desc */
} ordo_grid_desc;

ORDO_API ordo_status ordo_grid_steps(const ordo_caps *caps, const ordo_grid_desc *desc,
                                     ordo_step *steps, uint32_t capacity, ordo_summary *summary);

/*
 * The same computations for shaders that look for neighbours: WGSL source that defines
 *     fn ordo_grid_coordinate(x: f32, origin: f32, cells_per_unit: f32) -> i32
 *         cells_per_unit is 1 / cell_size rounded to f32; 2^30 for NaN and from 2^30 on, -2^30
 *         from -2^30 down
 *     fn ordo_grid_wrap(coordinate: i32, cells: u32) -> i32
 *         coordinate modulo cells, 0 or more (what % gives for negative numbers is undefined)
 *     fn ordo_grid_hash(cell: vec3<i32>, table_size: u32) -> u32
 *         of two dimensions z is 0
 * Its other names begin with ordo_grid_ or ORDO_GRID_ too. Returns and copies as ordo_pack_wgsl.
 */
ORDO_API size_t ordo_grid_wgsl(char *text, size_t capacity);

/* ---- Top-k ---------------------------------------------------------------------------------- */

/*
 * The k largest or smallest of n keys, sorted, with their indices: the first k of the stable sort,
 * found by selection, without sorting the rest.
 *
 *   IN keys -> OUT k keys, best first; VALUES_OUT their u32 indices into IN
 *
 * Of equal keys the one with the lowest index comes first, so that results never vary. NaNs are
 * greater than all numbers, as everywhere: the largest of keys with a NaN is a NaN.
 * Rows: with row_length, row r is elements [r * row_length, (r + 1) * row_length), the last may be
 * shorter; OUT and VALUES_OUT have min(k, row_length) entries for each row of max_count, and
 * indices count from the start of the row. Without rows they have min(k, max_count). Where a run
 * has fewer elements, entries without one hold index 0xffffffff and the key whose image is the
 * greatest (of the largest: the least).
 *
 * Whatever the keys hold, up to k = 512 they are read once, rows of up to 16,384 perhaps twice;
 * beyond that 5 times (keys of 64 bits 8 times), and k elements are sorted; rows of up to 4,096 are
 * then sorted whole.
 * Sources: for k up to 512 delegates of chunks as in Gaihre et al., "Dr. Top-k" (2021); beyond it
 * radix select as in Alabi et al., "Fast k-Selection Algorithms for Graphics Processing Units"
 * (2012).
 */
typedef struct ordo_top_k_desc {
    uint64_t max_count;  /* as in ordo_sort_desc */
    ordo_type key;       /* default ORDO_U32 */
    bool smallest;       /* default false: the largest */
    uint32_t k;          /* 0 (default): nothing is planned */
    uint32_t row_length; /* 0 (default): one row of all elements */
    bool caller_scratch; /* as in ordo_sort_desc */
} ordo_top_k_desc;

ORDO_API ordo_status ordo_top_k_steps(const ordo_caps *caps, const ordo_top_k_desc *desc,
                                      ordo_step *steps, uint32_t capacity, ordo_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
