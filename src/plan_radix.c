/* SPDX-License-Identifier: MIT */
/*
 * plan_radix.c: stable least-significant-digit radix sort.
 *
 * The window of key bits is cut into digits of nearly equal width, lowest first. Each pass sorts
 * by one digit, stably, in up to three parts:
 *
 *     radix_histogram   counts[digit * tiles + tile] = keys of that tile with that digit
 *     radix_scan        exclusive, over the counts of each digit: now each count is the place of
 *                       the tile's first key among those with that digit (scan, over the whole
 *                       table, before radix_split)
 *     radix_scatter     rank the keys of a tile by digit, move them (and values) to their place
 *     (radix_split)     the classic form of the same step
 *
 * plan_passes.c says where keys and values lie meanwhile.
 *
 * Arrays larger than a binding are bound in windows. A step for each counts its tiles into the one
 * table; a step for each window that its keys may go to ranks them again and scatters these. Keys
 * alone leave room for four such windows in a step:
 *
 *     radix_scatter_windows   counts, totals, window of the input -> four windows of the output
 */
#include "plan.h"

#include <stddef.h>

typedef struct sorter {
    const ordo_sort *sort;
    ordo_builder *builder;
    const ordo_sort_desc *desc;
    ordo_passes passes;
    bool classic;  /* the 4-bit form */
    bool one_tile; /* all keys fit one subtile: its own digit starts are the places */
    uint32_t tile_items;
    ordo_area counts, totals;
    ordo_windows windows;
    ordo_area idle; /* bound for windows that are not there */
} sorter;

/* Windows that radix_scatter_windows writes to. */
enum { OUTPUTS = 4 };

/* ---- Digits ---- */

/* The digit of a pass. */
typedef struct digit {
    uint32_t shift, bits, count;
} digit;

/* The most digits of a pass: one more than 8 bits have, so that 256 buckets and one for what is in
   none of them take one pass. */
enum { MOST_DIGITS = 257 };

static uint32_t count_passes(const ordo_sort *sort, uint32_t digit_bits) {
    uint32_t passes = (uint32_t)ordo_div_ceil(sort->window_bits, digit_bits);
    if (sort->last == UINT32_MAX || passes == 1) {
        return passes;
    }
    return sort->last >> digit_bits * (passes - 2) < MOST_DIGITS ? passes - 1 : passes;
}

/* Digits are of nearly equal width, lowest first. Where images end at `last`, so does the highest
   digit. */
static digit digit_of_pass(const sorter *s, uint32_t pass) {
    uint32_t bits = s->sort->window_bits, passes = s->passes.count;
    digit d = {.shift = s->desc->skip_low_bits};
    if (s->sort->last == UINT32_MAX) {
        uint32_t wider = bits % passes;
        d.shift += pass * (bits / passes) + (pass < wider ? pass : wider);
        d.bits = bits / passes + (pass < wider);
        d.count = 1u << d.bits;
        return d;
    }
    uint32_t width = (uint32_t)ordo_div_ceil(bits, passes);
    width = width < 8 ? width : 8;
    bool highest = pass + 1 == passes;
    d.shift = pass * width;
    d.bits = highest ? bits - d.shift : width;
    d.count = highest ? (s->sort->last >> d.shift) + 1 : 1u << width;
    return d;
}

/* ---- Passes ---- */

static void pass_params(const sorter *s, ordo_step *step, const digit *d) {
    ordo_plan_param(step, "tile_items", s->tile_items);
    ordo_plan_param(step, "shift", d->shift);
    ordo_plan_param(step, "mask", (1u << d->bits) - 1);
    ordo_plan_param(step, "digit_count", d->count);
    ordo_plan_param(step, "last", s->sort->last);
}

/* Digits that a kernel has room for. */
static uint32_t bin_count(const digit *d) { return d->count > 256 ? MOST_DIGITS : 256; }

/* The parts of counts and totals that a pass uses. */
static ordo_area counts_of(const sorter *s, const digit *d) {
    uint64_t tiles = ordo_div_ceil(s->builder->max_count, s->tile_items);
    ordo_area counts = s->counts;
    counts.size_bytes = 4 * tiles * d->count;
    return counts;
}

static ordo_area totals_of(const sorter *s, const digit *d) {
    ordo_area totals = s->totals;
    totals.size_bytes = 4 * (uint64_t)d->count;
    return totals;
}

/* Count one window of the keys. */
static void append_histogram(const sorter *s, ordo_area from, const digit *d, uint32_t window) {
    ordo_builder *builder = s->builder;
    uint64_t items = ordo_window_items(builder, &s->windows, window);
    uint64_t tiles = ordo_div_ceil(items, s->tile_items);
    ordo_step *step =
        ordo_plan_step(builder, "radix_histogram", "radix_histogram", builder->tuning->radix_items,
                       tiles, 4 * s->sort->key_words * items + 4 * tiles * d->count);
    step->unrolled = builder->max_count >= builder->tuning->unrolled_count;
    ordo_plan_constant(step, "BINS", bin_count(d));
    ordo_plan_key_constants(s->sort, step);
    pass_params(s, step, d);
    ordo_plan_window(&s->windows, step, window);
    ordo_plan_bind(builder, step, counts_of(s, d), ORDO_WRITE);
    ordo_plan_bind(builder, step,
                   ordo_window_of(builder, &s->windows, from, s->sort->key_words, window),
                   ORDO_READ);
}

static void append_counts(const sorter *s, ordo_area from, const digit *d) {
    ordo_builder *builder = s->builder;
    ordo_area counts = counts_of(s, d);
    for (uint32_t window = 0; window < s->windows.count; window++) {
        append_histogram(s, from, d, window);
    }
    if (s->classic) {
        ordo_plan_scan(builder, &(ordo_scan){.type = ORDO_U32,
                                             .op = ORDO_ADD,
                                             .in = counts,
                                             .out = counts,
                                             .per = s->tile_items,
                                             .times = d->count});
        return;
    }
    ordo_step *step =
        ordo_plan_step(builder, "radix_scan", "radix_scan", builder->tuning->radix_scan_items,
                       d->count, 2 * counts.size_bytes);
    ordo_plan_param(step, "tile_items", s->tile_items);
    ordo_plan_param(step, "digit_count", d->count);
    ordo_plan_bind(builder, step, counts, ORDO_READ | ORDO_WRITE);
    ordo_plan_bind(builder, step, totals_of(s, d), ORDO_WRITE);
}

/* Words of workgroup memory: one an item, and of each strip of 32 invocations at least one and a
   half a digit, a mask and half a word of counts. */
static uint32_t cell_words(const sorter *s, const digit *d) {
    const ordo_tuning *tuning = s->builder->tuning;
    if (s->classic) {
        return tuning->group_size * tuning->split_items;
    }
    uint32_t items = tuning->group_size * tuning->radix_items;
    uint32_t ranks = tuning->group_size / 32 * bin_count(d) / 2 * 3;
    return items > ranks ? items : ranks;
}

/* ---- Scatters ---- */

/* What a step reads and writes. */
typedef struct route {
    uint32_t in, out; /* windows; from `out` on so many: */
    uint32_t outputs;
    uint64_t in_items, out_items; /* elements read, and those that what it may write has room for */
} route;

/* Whether radix_scatter_windows moves the keys. */
static bool has_four_outputs(const sorter *s) {
    return s->windows.count > 1 && s->passes.value_words == 0;
}

static route route_of(const sorter *s, uint32_t in, uint32_t out) {
    route r = {.in = in, .out = out, .outputs = 1};
    if (has_four_outputs(s)) {
        uint32_t left = s->windows.count - out;
        r.outputs = left < OUTPUTS ? left : OUTPUTS;
    }
    r.in_items = ordo_window_items(s->builder, &s->windows, in);
    for (uint32_t i = 0; i < r.outputs; i++) {
        r.out_items += ordo_window_items(s->builder, &s->windows, out + i);
    }
    return r;
}

/* A pass of the columns' windows. */
static ordo_pass pass_of(const sorter *s, const ordo_pass *at, const route *r) {
    uint32_t key_words = s->sort->key_words, value_words = s->passes.value_words;
    ordo_pass part = *at;
    part.keys_from = ordo_window_of(s->builder, &s->windows, at->keys_from, key_words, r->in);
    if (at->writes_keys) {
        part.keys_to = ordo_window_of(s->builder, &s->windows, at->keys_to, key_words, r->out);
    } else if (s->windows.count > 1) {
        part.keys_to.size_bytes = 4;
    }
    part.values_from = ordo_window_of(s->builder, &s->windows, at->values_from, value_words, r->in);
    part.values_to = ordo_window_of(s->builder, &s->windows, at->values_to, value_words, r->out);
    return part;
}

static ordo_step *scatter_step(const sorter *s, const ordo_pass *at, const route *r) {
    static const char *const entries[2][3] = {
        {"radix_scatter_keys", "radix_scatter_pairs", "radix_scatter_index"},
        {"radix_split_keys", "radix_split_pairs", "radix_split_index"},
    };
    const ordo_tuning *tuning = s->builder->tuning;
    uint32_t written_words = s->sort->key_words * at->writes_keys + s->passes.value_words;
    uint64_t written = written_words * (r->in_items * r->out_items / s->builder->max_count);
    uint64_t read = (at->moved_words - written_words) * r->in_items;
    return ordo_plan_step(s->builder, s->classic ? "radix_split" : "radix_scatter",
                          has_four_outputs(s) ? "radix_scatter_windows"
                                              : entries[s->classic][at->form],
                          s->classic ? tuning->split_items : tuning->radix_items,
                          ordo_div_ceil(r->in_items, s->tile_items), 4 * (read + written));
}

static void window_params(const sorter *s, ordo_step *step, const route *r) {
    ordo_plan_window(&s->windows, step, r->in);
    if (s->windows.count > 1) {
        ordo_plan_param(step, "out_first", r->out * s->windows.items);
        ordo_plan_param(step, "out_count", r->out_items);
        ordo_plan_param(step, "out_items", s->windows.items);
    }
}

/* Bind the windows behind the first that radix_scatter_windows writes to. */
static void bind_outputs(const sorter *s, ordo_step *step, ordo_area keys_to, const route *r) {
    ordo_area idle = {s->idle.slot, s->idle.offset_bytes, 4};
    for (uint32_t i = 1; has_four_outputs(s) && i < OUTPUTS; i++) {
        if (i < r->outputs) {
            ordo_plan_bind(
                s->builder, step,
                ordo_window_of(s->builder, &s->windows, keys_to, s->sort->key_words, r->out + i),
                ORDO_WRITE);
        } else {
            ordo_plan_bind(s->builder, step, idle, ORDO_IDLE);
            idle.offset_bytes += s->builder->caps.offset_alignment_bytes;
        }
    }
}

static void append_scatter(const sorter *s, const ordo_pass *at, const digit *d, const route *r) {
    ordo_builder *builder = s->builder;
    ordo_step *step = scatter_step(s, at, r);
    ordo_plan_key_constants(s->sort, step);
    ordo_plan_constant(step, "WRITE_KEYS", at->writes_keys);
    if (s->passes.value_words) {
        ordo_plan_constant(step, "VALUE_WORDS", s->passes.value_words);
    }
    ordo_plan_constant(step, "CELLS", cell_words(s, d));
    if (!s->classic) {
        ordo_plan_constant(step, "BINS", bin_count(d));
        step->unrolled = builder->max_count >= builder->tuning->unrolled_count;
        ordo_plan_constant(step, "ONE_TILE", s->one_tile);
    }
    pass_params(s, step, d);
    window_params(s, step, r);
    ordo_plan_bind(builder, step, counts_of(s, d), s->one_tile ? ORDO_IDLE : ORDO_READ);
    if (!s->classic) {
        ordo_plan_bind(builder, step, totals_of(s, d), s->one_tile ? ORDO_IDLE : ORDO_READ);
    }
    ordo_pass part = pass_of(s, at, r);
    ordo_pass_bind(&s->passes, &part, step);
    bind_outputs(s, step, at->keys_to, r);
}

static void append_passes(const sorter *s) {
    for (uint32_t pass = 0; pass < s->passes.count; pass++) {
        digit d = digit_of_pass(s, pass);
        ordo_pass at = ordo_pass_at(&s->passes, pass);
        if (!s->one_tile) {
            append_counts(s, at.keys_from, &d);
        }
        for (uint32_t in = 0; in < s->windows.count; in++) {
            route r = {0};
            for (uint32_t out = 0; out < s->windows.count; out += r.outputs) {
                r = route_of(s, in, out);
                append_scatter(s, &at, &d, &r);
            }
        }
    }
}

static void lay_out_counts(sorter *s) {
    uint64_t tiles = ordo_div_ceil(s->builder->max_count, s->tile_items);
    uint32_t most = 0;
    for (uint32_t pass = 0; pass < s->passes.count; pass++) {
        digit d = digit_of_pass(s, pass);
        most = d.count > most ? d.count : most;
    }
    s->counts = ordo_plan_scratch(s->builder, 4 * tiles * most);
    if (!s->classic) {
        s->totals = ordo_plan_scratch(s->builder, 4 * (uint64_t)most);
    }
    s->builder->summary->digit_bits = ordo_log2_ceil(most);
}

static void lay_out_windows(sorter *s) {
    uint32_t words = s->sort->key_words;
    words = s->passes.value_words > words ? s->passes.value_words : words;
    s->windows = (ordo_windows){.count = 1, .items = s->builder->max_count};
    if (!s->classic) {
        s->windows = ordo_plan_windows(s->builder, words, s->tile_items);
    }
    if (has_four_outputs(s)) {
        uint64_t alignment = s->builder->caps.offset_alignment_bytes;
        s->idle = ordo_plan_scratch(s->builder, (OUTPUTS - 1) * alignment);
    }
}

void ordo_plan_radix(const ordo_sort *sort) {
    ordo_builder *builder = sort->builder;
    const ordo_tuning *tuning = builder->tuning;
    const ordo_sort_desc *desc = sort->desc;
    sorter s = {.sort = sort, .builder = builder, .desc = desc, .classic = desc->digit_bits == 4};
    uint32_t subtile = tuning->group_size * (s.classic ? tuning->split_items : tuning->radix_items);
    s.tile_items = s.classic ? subtile : subtile * tuning->radix_subtiles;
    s.one_tile = !s.classic && desc->max_count <= subtile;
    s.passes = ordo_passes_lay_out(sort, count_passes(sort, s.classic ? 4 : 8));
    lay_out_counts(&s);
    lay_out_windows(&s);
    ordo_passes_begin(&s.passes);
    append_passes(&s);
    ordo_passes_end(&s.passes);
}
