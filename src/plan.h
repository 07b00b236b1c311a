/* SPDX-License-Identifier: MIT */
/*
 * plan.h: the step builder that all planners share.
 *
 * A planner resolves its desc, takes areas of scratch, and appends steps. The first failure
 * sticks: later calls do nothing, so planners read straight down. plan_run runs a planner twice,
 * first to count its steps, then to write them, so that a failure leaves the caller's array alone.
 *
 *     scratch   | alternate keys | alternate values | counts | block sums … |
 *               0                                            ^ scratch_end
 *               Areas start at multiples of offset_alignment_bytes. Taking back a mark lets
 *               the next pass use the same area; scratch_bytes is the highest end reached.
 */
#ifndef ORDO_PLAN_BUILDER_H
#define ORDO_PLAN_BUILDER_H

#include "messages.h"

/* What steps cost whose entry point begins with `entry`: see cost.c. */
typedef struct ordo_cost {
    const char *entry;
    uint32_t start_ns;     /* of a step that moves little */
    uint32_t rolled_ns;    /* on top where it is not unrolled */
    uint32_t cell_ps;      /* for each word of workgroup memory, and round of workgroups */
    uint32_t bytes_per_us; /* at which moves what does not move meanwhile */
    uint32_t read_ps;      /* for each word of keys, all of which each workgroup reads, and round */
} ordo_cost;

/* Kernel shapes for a class of devices; tune.c has the table. Groups are invocations a workgroup,
   items are elements an invocation. */
typedef struct ordo_tuning {
    const char *tier;
    bool software; /* for devices that are a CPU, else for GPUs */
    uint32_t least_invocations, least_workgroup_bytes; /* what a device must offer for this row */
    uint32_t group_size;
    uint32_t scan_items;
    uint32_t scan_chain_items, scan_chain_window; /* of the scan that looks back, and how far */
    uint32_t radix_items, radix_subtiles;         /* a tile is group_size * items * subtiles keys */
    uint32_t unrolled_count; /* from this max_count on radix_scatter is unrolled */
    uint32_t radix_scan_items;
    uint32_t msd_group, msd_items, msd_rounds; /* a tile is msd_group * msd_items words of keys,
                                                  moved in so many rounds; */
    uint32_t msd_stable_group, msd_stable_items, msd_stable_rounds; /* of keys with values, */
    uint32_t msd_medium_items, msd_medium_rounds; /* of up to msd_medium_count keys alone, */
    uint32_t msd_medium_count;
    uint32_t msd_small_items, msd_small_rounds; /* and of a sort up to msd_small_count keys */
    uint32_t msd_small_count;
    uint32_t msd_digit_bits;                       /* at most; 2^that invocations at least */
    uint32_t msd_local_group, msd_local_items;     /* an item is up to so many keys; */
    uint32_t msd_large_group;                      /* with these if that saves a level; */
    uint32_t msd_middle_group, msd_greatest_group; /* and if it is the whole array */
    uint32_t msd_unrolled_count; /* from this max_count on its kernels are unrolled */
    uint32_t msd_late_groups;    /* workgroups of a level that mostly finds nothing to do */
    uint32_t msd_scan_groups;    /* … that scan tables of a level below the root, at most */
    uint32_t msd_groups;         /* … of any step, at most */
    uint32_t msd_data_count;     /* from this max_count on it looks for what makes a sort easy */
    uint32_t sample_group;       /* at most: the device may have fewer */
    uint32_t sample_eighths;     /* of what a workgroup sorts are a slice, on average */
    uint32_t onesweep_group, onesweep_items, onesweep_rounds; /* as of msd, of keys alone, */
    uint32_t onesweep_pair_items, onesweep_pair_rounds;       /* and with values; */
    uint32_t onesweep_small_items, onesweep_small_rounds;     /* and of either sort up to */
    uint32_t onesweep_small_count;
    uint32_t onesweep_tickets;          /* 1: tiles are taken by tickets; 0: by workgroup */
    uint32_t onesweep_histogram_items;  /* words of keys an invocation reads at once, */
    uint32_t onesweep_histogram_groups; /* and workgroups, at most */
    uint32_t split_items;               /* the same for the classic 4-bit form, one subtile */
    uint32_t move_items;
    uint32_t histogram_items;
    uint32_t histogram_copies; /* of a workgroup's counts, at most; a power of two */
    uint32_t histogram_groups; /* workgroups of a long input */
    uint32_t topk_cells;       /* candidates a workgroup holds, at most; k is at most half of it */
    uint32_t topk_group;       /* invocations that select, at most: a power of two up to that */
    uint32_t topk_few_rows;    /* up to so many rows have as many, however short */
    uint32_t topk_direct;      /* keys of a row that a workgroup selects from without delegates */
    uint32_t topk_listed;      /* delegates that it selects from */
    uint32_t topk_least_chunk; /* elements a delegate stands for, */
    uint32_t topk_most_chunk;  /* powers of two, multiples of topk_items up to 2^15 */
    uint32_t topk_refined;     /* candidates in the chunks of k delegates, at most, if not least */
    uint32_t topk_items, topk_select_items; /* of topk_best, topk_select */
    uint32_t topk_sorted_row;     /* rows up to this length are sorted whole for many of each */
    uint32_t topk_digit_items;    /* of topk_radix, and how often a workgroup */
    uint32_t topk_count_rounds;   /* loads so many to count them */
    uint32_t carried_value_bytes; /* wider values are sorted by index, then gathered */
    uint32_t network_items;       /* at most, in the registers of a block */
    uint32_t network_fused;       /* levels that a step between blocks does, 1 to 4 */
    uint32_t network_groups;  /* a device that allows fewer in a dimension gets no network unless
                                     it asks: the grid may be too small for one */
    const ordo_cost *costs;   /* of kernels; the last row, "", is that of all others */
    uint32_t processor_count; /* of theirs: a round of workgroups */
    uint32_t cached_bytes;    /* of a step that move while it starts */
} ordo_tuning;

const ordo_tuning *ordo_tune(const ordo_caps *caps);
/* The same with what caps->tuning changes; caps without defaults. Fails where that breaks its
   rules, with a message. See tune_text.c. */
ordo_status ordo_tune_by_text(const ordo_caps *caps, ordo_tuning *tuning, char *message);

typedef struct ordo_builder {
    ordo_caps caps;            /* defaults filled in */
    const ordo_tuning *tuning; /* of the table, or told */
    ordo_tuning told;
    ordo_step *steps; /* NULL while counting */
    ordo_step spare;  /* what is built while counting */
    uint32_t step_count;
    uint64_t step_moved_bytes; /* of the last step */
    uint64_t max_count;
    uint64_t scratch_end, scratch_bytes;
    uint64_t binding_bytes; /* the largest range of any step */
    uint64_t array_bytes;   /* the largest array that is bound in windows */
    ordo_status status;
    ordo_summary *summary;
} ordo_builder;

/* Elements of some slot: a whole caller's buffer or a part of scratch. */
typedef struct ordo_area {
    ordo_slot slot;
    uint64_t offset_bytes, size_bytes;
} ordo_area;

typedef void ordo_planner(ordo_builder *builder, const void *desc);

/* Each over its primitive's desc. */
ordo_planner ordo_planner_sort, ordo_planner_scan, ordo_planner_reduce, ordo_planner_histogram,
    ordo_planner_counting_sort, ordo_planner_grid, ordo_planner_top_k;

/* Check the common arguments, run planner over desc, fill summary and steps. */
ordo_status ordo_plan_run(const ordo_caps *caps, const void *desc, ordo_planner *planner,
                          ordo_step *steps, uint32_t capacity, ordo_summary *summary);

/* Record the first failure. */
void ordo_plan_fail(ordo_builder *builder, ordo_message_id id, const ordo_report *report);

/* Fail unless value <= most. */
void ordo_plan_check_enum(ordo_builder *builder, const char *field, uint32_t value, uint32_t most);
/* Set max_count, failing unless that many elements can be counted and indexed in 32 bits. */
void ordo_plan_set_count(ordo_builder *builder, uint64_t max_count, uint32_t element_bytes);

/* A whole buffer of the caller's, which the plan needs from now on. */
ordo_area ordo_plan_slot(ordo_builder *builder, ordo_slot slot, uint64_t size_bytes);
ordo_area ordo_plan_scratch(ordo_builder *builder, uint64_t size_bytes);

/*
 * How steps bind an array of max_count elements: as a whole, or, if it is larger than a binding, in
 * windows, equal stretches of it but for the last. A step names its window by the first tile.
 *
 *     | tile 0 | tile 1 | … | tile window_tiles | …
 *     | window 0            | window 1          | …
 */
typedef struct ordo_windows {
    uint32_t count;
    uint64_t tile_items;
    uint64_t items; /* of a window: a multiple of tile_items, or all elements */
} ordo_windows;

/* The windows of arrays whose elements have up to so many words, worked off in tiles. If there are
   several, fails unless a grid holds the tiles of a whole binding, for a smaller array has them. */
ordo_windows ordo_plan_windows(ordo_builder *builder, uint32_t words, uint64_t tile_items);
/* The elements of window number `window`. */
uint64_t ordo_window_items(const ordo_builder *builder, const ordo_windows *w, uint32_t window);
/* That window of an array whose elements have so many words. */
ordo_area ordo_window_of(const ordo_builder *builder, const ordo_windows *w, ordo_area array,
                         uint32_t words, uint32_t window);
/* Tell a step of lib/window.wgsl its window, if there are several. */
void ordo_plan_window(const ordo_windows *w, ordo_step *step, uint32_t window);

/* Fail unless a grid holds so many workgroups. */
void ordo_plan_check_groups(ordo_builder *builder, uint64_t groups);

/* Append a step of `groups` workgroups of the tuning's group_size. The pointer is good until the
   next one. moved_bytes is device memory read and written. */
ordo_step *ordo_plan_step(ordo_builder *builder, const char *kernel, const char *entry,
                          uint32_t items, uint64_t groups, uint64_t moved_bytes);
/* The same with workgroups of group_size invocations. */
ordo_step *ordo_plan_step_sized(ordo_builder *builder, const char *kernel, const char *entry,
                                uint32_t group_size, uint32_t items, uint64_t groups,
                                uint64_t moved_bytes);
void ordo_plan_constant(ordo_step *step, const char *name, uint32_t value);
void ordo_plan_param(ordo_step *step, const char *name, uint64_t value);

/* Append a range to a step. A range that is neither read nor written is bound because the kernel
   names it. */
enum { ORDO_IDLE = 0, ORDO_READ = 1, ORDO_WRITE = 2 };
void ordo_plan_bind(ordo_builder *builder, ordo_step *step, ordo_area area, unsigned access);

/* Append a step whose kernel takes its elements by group_share of lib/count.wgsl, and how many
   workgroups that is. */
ordo_step *ordo_plan_share_step(ordo_builder *builder, const char *kernel, const char *entry,
                                uint32_t moved_words);
uint64_t ordo_plan_share_groups(const ordo_builder *builder);

/* ---- Costs (cost.c) ---- */

/* The row for an entry point, and what a step takes that moves so many bytes. */
const ordo_cost *ordo_cost_of(const ordo_tuning *tuning, const char *entry);
uint64_t ordo_cost_ns(const ordo_tuning *tuning, const ordo_step *step, uint64_t moved_bytes);
/* Add the last step's time to the summary, once the step is complete: before the next one is
   appended, and at the end. */
void ordo_cost_take(ordo_builder *builder);

/* ceil(a / b) without wrapping. */
uint64_t ordo_div_ceil(uint64_t a, uint64_t b);
/* The least k with 2^k >= number; 0 for 0. */
uint32_t ordo_log2_ceil(uint64_t number);

/* ---- Sorts (plan_sort.c chooses the method) ---- */

enum { ORDO_LAST_METHOD = ORDO_METHOD_ONESWEEP };

/* A sort whose desc has been checked, and the caller's buffers; in place out is in. */
typedef struct ordo_sort {
    ordo_builder *builder;
    const ordo_sort_desc *desc;
    uint32_t key_words;
    uint32_t window_bits; /* that are compared; of a composite key all */
    uint32_t last;        /* of a radix sort: greater images of one word count as this one */
    ordo_area in, out, values_in, values_out;
} ordo_sort;

/* Fail unless these fields of a desc go together. */
void ordo_plan_check_values(ordo_builder *builder, uint32_t value_bytes, bool argsort,
                            bool in_place);

/* Set the constants of lib/key.wgsl. */
void ordo_plan_key_constants(const ordo_sort *sort, ordo_step *step);

/* Whether the device failed ordo's self-check of the method. */
bool ordo_plan_is_rejected(const ordo_builder *builder, ordo_method method);

/* Append a sort of what sort->in and the other areas hold, by the method that its desc, which is
   right, names or leaves to choose. Returns that. */
ordo_method ordo_plan_sort(const ordo_sort *sort);
void ordo_plan_radix(const ordo_sort *sort);
void ordo_plan_msd(const ordo_sort *sort);
void ordo_plan_sample(const ordo_sort *sort);
void ordo_plan_onesweep(const ordo_sort *sort);
void ordo_plan_network(const ordo_sort *sort, ordo_method method);

/* ---- Sorts by digits, the lowest first (plan_passes.c) ---- */

/* Where a column (the keys, or the values) starts, ends, and lies in between. */
typedef struct ordo_column {
    ordo_area source, final, alternate;
} ordo_column;

typedef struct ordo_passes {
    const ordo_sort *sort;
    uint32_t count;
    uint32_t value_words; /* of what travels; 0: keys only */
    bool indices;         /* values are indices, made in the first pass; */
    bool gathers;         /* the sort's values are gathered by them in the end */
    ordo_column keys, values;
} ordo_passes;

/* What a pass moves, from where to where. Indices that it makes come from nowhere. */
enum { ORDO_PASS_KEYS = 0, ORDO_PASS_PAIRS = 1, ORDO_PASS_INDEX = 2 };
typedef struct ordo_pass {
    ordo_area keys_from, keys_to, values_from, values_to;
    uint32_t form; /* ORDO_PASS_ */
    uint32_t moved_words;
    bool writes_keys;
} ordo_pass;

/* Take the scratch of so many passes' columns. */
ordo_passes ordo_passes_lay_out(const ordo_sort *sort, uint32_t count);
/* Append what comes before the first pass: in place with an odd number of them, copies. */
void ordo_passes_begin(ordo_passes *passes);
ordo_pass ordo_pass_at(const ordo_passes *passes, uint32_t pass);
/* Bind a pass's columns: keys from, keys to, values to, values from, as far as its form has
   them. */
void ordo_pass_bind(const ordo_passes *passes, const ordo_pass *at, ordo_step *step);
/* Let a step that ranks by lib/rank use ballots, if subgroups have one size and their counts fit
   where the portable form has its masks and counts. Returns the words of workgroup memory that this
   takes: for each of 256 digits half a word a subgroup. */
uint32_t ordo_plan_rank(const ordo_builder *builder, ordo_step *step, uint32_t group);
/* The words that the portable form takes: of each 32 invocations a mask and half a word. */
uint32_t ordo_plan_rank_words(uint32_t group);
/* The cells of msd_partition: for a part of a tile, for the children while they are published, for
   their sums, and for ranks, of which the first and the last are told. Beside these, counters, shifts
   and what lib/lane takes it has ORDO_PARTITION_WORDS. */
uint32_t ordo_plan_cell_words(uint32_t digit_bits, uint32_t group, uint32_t part_words,
                              uint32_t rank_words);
enum { ORDO_PARTITION_WORDS = 40 }; /* the tile, lists, four words */
enum { ORDO_COUNTER_COPIES = 4 };   /* of counters of digits that may crowd, where memory allows */
/* Append what comes after the last pass: the gather of wide values. */
void ordo_passes_end(const ordo_passes *passes);

/*
 * A stable sort by bucket numbers, as counting sorts and grids make it. Numbers above `last` count
 * as `last`.
 */
typedef struct ordo_bucket_sort {
    ordo_area keys;       /* max_count bucket numbers */
    uint32_t last;        /* the last bucket, the one for what has no other */
    ordo_area keys_out;   /* size_bytes 0: sorted numbers are not wanted */
    uint32_t value_bytes; /* 0: none, or with `indices`, indices are made */
    bool indices;
    ordo_area values_in, values_out;
    ordo_area starts; /* last + 2 words: where each bucket starts, and where the last one ends */
} ordo_bucket_sort;

void ordo_plan_bucket_sort(ordo_builder *builder, const ordo_bucket_sort *sort);

/* Append a step that turns depths into numbers of bucket_count buckets, NaNs into bucket_count. */
void ordo_plan_depth_buckets(ordo_builder *builder, const ordo_depth *depth, uint32_t bucket_count,
                             ordo_area depths, ordo_area buckets);
/* Fail unless depth is as its comment says. */
void ordo_plan_check_depth(ordo_builder *builder, const ordo_depth *depth);

/* Where sorted elements were: each word's bits under mask, from the start of its row if there are
   rows. */
typedef struct ordo_indices {
    ordo_area area;
    uint32_t mask;
    uint32_t row_length;
} ordo_indices;

void ordo_plan_copy(ordo_builder *builder, uint32_t words, ordo_area from, ordo_area to);
void ordo_plan_gather(ordo_builder *builder, uint32_t words, ordo_area from,
                      const ordo_indices *indices, ordo_area to);
/* Gather the sort's values to where they belong; in place by way of scratch. */
void ordo_plan_gather_values(const ordo_sort *sort, const ordo_indices *indices);

/*
 * Append a scan or a reduce. The items number ceil(count / per) * times, where count is the
 * count of the run: so counts of a radix table, `times` digits for each tile of `per` keys, scan
 * as far as the tiles in use reach. With in == out the scan works in place.
 */
typedef struct ordo_scan {
    ordo_type type;
    ordo_op op;
    bool inclusive;
    ordo_area in, out;
    uint32_t per, times;
} ordo_scan;

void ordo_plan_scan(ordo_builder *builder, const ordo_scan *scan);

#endif
