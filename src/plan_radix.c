/* SPDX-License-Identifier: MIT */
/*
 * plan_radix.c: stable least-significant-digit radix sort.
 *
 * The window of key bits is cut into digits of nearly equal width, lowest first. Each pass sorts
 * by one digit, stably, in up to three parts:
 *
 *     radix_histogram   counts[digit * tiles + tile] = keys of that tile with that digit
 *     scan              exclusive, over all counts: now each count is the place where the tile's
 *                       first key of that digit goes
 *     radix_scatter     rank the keys of a tile by digit, move them (and values) to their place
 *     (radix_split)     the classic form of the same step
 *
 * Buffers alternate so that the last pass ends where the caller wants the result:
 *
 *     4 passes          IN -> alternate -> OUT -> alternate -> OUT
 *     3 passes          IN -> OUT -> alternate -> OUT
 *     3 passes in place IN -> (copy) alternate -> IN -> alternate -> IN
 *
 * Values travel with the keys, as themselves if they are narrow. Wide ones, and an argsort's
 * indices, travel as indices made in the first pass; wide values are then gathered once.
 */
#include "plan.h"

#include <stddef.h>

/* Where a column (the keys, or the values) starts, ends, and lies in between. */
typedef struct column {
    ordo_area source, final, alternate;
} column;

typedef struct sorter {
    ordo_builder *builder;
    const ordo_sort_desc *desc;
    uint32_t key_words, value_words; /* of what travels; value_words 0: keys only */
    uint32_t window_bits, digit_bits, pass_count;
    bool indices;  /* values are indices, made in the first pass */
    bool classic;  /* the 4-bit form */
    bool one_tile; /* all keys fit one subtile: its own digit starts are the places */
    uint32_t tile_items;
    ordo_area in, out, values_in, values_out; /* the caller's; in place out is in */
    column keys, values;
    ordo_area counts;
} sorter;

static void check_desc(ordo_builder *builder, const ordo_sort_desc *desc) {
    ordo_plan_check_enum(builder, "key", desc->key, ORDO_F64);
    ordo_plan_check_enum(builder, "order", desc->order, ORDO_DESCENDING);
    ordo_plan_check_enum(builder, "method", desc->method, ORDO_METHOD_RADIX);
    if (desc->value_bytes % 4 || desc->value_bytes > 64) {
        ordo_plan_fail(builder, ORDO_MESSAGE_VALUE_BYTES,
                       &(ordo_report){.a = desc->value_bytes, .b = 64});
    }
    if (desc->argsort && (desc->value_bytes || desc->in_place)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_ARGSORT,
                       &(ordo_report){.s = desc->in_place ? "in_place" : "value_bytes",
                                      .a = desc->in_place ? 1 : desc->value_bytes});
    }
    uint32_t width = 8 * ordo_type_bytes(desc->key);
    uint64_t skipped = (uint64_t)desc->skip_low_bits + desc->skip_high_bits;
    if (skipped > width) {
        ordo_plan_fail(
            builder, ORDO_MESSAGE_WINDOW,
            &(ordo_report){.a = desc->skip_low_bits, .b = desc->skip_high_bits, .c = width});
    }
    if (desc->digit_bits != 0 && desc->digit_bits != 4 && desc->digit_bits != 8) {
        ordo_plan_fail(builder, ORDO_MESSAGE_DIGIT_BITS, &(ordo_report){.a = desc->digit_bits});
    }
    uint32_t key_bytes = ordo_type_bytes(desc->key);
    ordo_plan_set_count(builder, desc->max_count,
                        desc->value_bytes > key_bytes ? desc->value_bytes : key_bytes);
}

/* ---- Moves: copies, gathers, identity indices ---- */

static ordo_step *move_step(ordo_builder *builder, const char *entry, uint32_t words,
                            uint32_t moved_words) {
    uint32_t items = builder->tuning->move_items;
    uint64_t tile = (uint64_t)builder->tuning->group_size * items;
    ordo_step *step =
        ordo_plan_step(builder, "move", entry, items, ordo_div_ceil(builder->max_count, tile),
                       4 * builder->max_count * moved_words);
    ordo_plan_param(step, "words", words);
    return step;
}

static void append_copy(ordo_builder *builder, uint32_t words, ordo_area from, ordo_area to) {
    ordo_step *step = move_step(builder, "move_copy", words, 2 * words);
    ordo_plan_bind(builder, step, to, ORDO_WRITE);
    ordo_plan_bind(builder, step, from, ORDO_READ);
}

static void append_gather(ordo_builder *builder, uint32_t words, ordo_area from, ordo_area indices,
                          ordo_area to) {
    ordo_step *step = move_step(builder, "move_gather", words, 2 * words + 1);
    ordo_plan_bind(builder, step, to, ORDO_WRITE);
    ordo_plan_bind(builder, step, from, ORDO_READ);
    ordo_plan_bind(builder, step, indices, ORDO_READ);
}

static void append_indices(ordo_builder *builder, ordo_area to) {
    ordo_step *step = move_step(builder, "move_indices", 1, 1);
    ordo_plan_bind(builder, step, to, ORDO_WRITE);
}

/* ---- Passes ---- */

static void key_constants(const sorter *s, ordo_step *step) {
    static const uint32_t kinds[] = {0, 1, 2, 0, 1, 2};
    ordo_plan_constant(step, "KEY_KIND", kinds[s->desc->key]);
    ordo_plan_constant(step, "KEY_WORDS", s->key_words);
    ordo_plan_constant(step, "DESCENDING", s->desc->order);
}

static void pass_params(const sorter *s, ordo_step *step, uint32_t shift, uint32_t bits) {
    ordo_plan_param(step, "tile_items", s->tile_items);
    ordo_plan_param(step, "shift", shift);
    ordo_plan_param(step, "mask", (1u << bits) - 1);
}

static void append_counts(const sorter *s, const ordo_area *from, uint32_t shift, uint32_t bits) {
    ordo_builder *builder = s->builder;
    uint64_t tiles = ordo_div_ceil(builder->max_count, s->tile_items);
    uint64_t table_bytes = 4 * (tiles << bits);
    ordo_step *step = ordo_plan_step(builder, "radix_histogram", "radix_histogram", 1, tiles,
                                     4 * s->key_words * builder->max_count + table_bytes);
    key_constants(s, step);
    pass_params(s, step, shift, bits);
    ordo_area counts = s->counts;
    counts.size_bytes = table_bytes;
    ordo_plan_bind(builder, step, counts, ORDO_WRITE);
    ordo_plan_bind(builder, step, *from, ORDO_READ);
    ordo_plan_scan(builder, &(ordo_scan){.type = ORDO_U32,
                                         .op = ORDO_ADD,
                                         .in = counts,
                                         .out = counts,
                                         .per = s->tile_items,
                                         .times = 1u << bits});
}

/* What a pass moves: from where to where. Indices that the pass makes come from nowhere. */
typedef struct move {
    ordo_area keys_from, keys_to, values_from, values_to;
    bool first, last;
} move;

/* Words of workgroup memory an invocation: its items; for 256 digits at least 8 of masks and 4 of
   counts. */
static uint32_t cell_words(const sorter *s) {
    const ordo_tuning *tuning = s->builder->tuning;
    if (s->classic) {
        return tuning->split_items;
    }
    return tuning->radix_items > 12 ? tuning->radix_items : 12;
}

static void append_scatter(const sorter *s, const move *at, uint32_t shift, uint32_t bits) {
    static const char *const entries[2][3] = {
        {"radix_scatter_keys", "radix_scatter_pairs", "radix_scatter_index"},
        {"radix_split_keys", "radix_split_pairs", "radix_split_index"},
    };
    ordo_builder *builder = s->builder;
    const ordo_tuning *tuning = builder->tuning;
    bool makes_indices = s->indices && at->first;
    bool writes_keys = !(s->desc->argsort && at->last);
    uint32_t form = s->value_words == 0 ? 0 : makes_indices ? 2 : 1;
    uint32_t moved_words = s->key_words * (1 + writes_keys) + s->value_words * (2 - makes_indices);
    ordo_step *step = ordo_plan_step(
        builder, s->classic ? "radix_split" : "radix_scatter", entries[s->classic][form],
        s->classic ? tuning->split_items : tuning->radix_items,
        ordo_div_ceil(builder->max_count, s->tile_items), 4 * moved_words * builder->max_count);
    key_constants(s, step);
    ordo_plan_constant(step, "WRITE_KEYS", writes_keys);
    if (s->value_words) {
        ordo_plan_constant(step, "VALUE_WORDS", s->value_words);
    }
    ordo_plan_constant(step, "CELLS", tuning->group_size * cell_words(s));
    if (!s->classic) {
        step->unrolled = builder->max_count >= tuning->unrolled_count;
        ordo_plan_constant(step, "ONE_TILE", s->one_tile);
    }
    pass_params(s, step, shift, bits);
    ordo_plan_bind(builder, step, s->counts, s->one_tile ? ORDO_IDLE : ORDO_READ);
    ordo_plan_bind(builder, step, at->keys_from, ORDO_READ);
    ordo_plan_bind(builder, step, at->keys_to, writes_keys ? ORDO_WRITE : ORDO_IDLE);
    if (s->value_words) {
        ordo_plan_bind(builder, step, at->values_to, ORDO_WRITE);
    }
    if (form == 1) {
        ordo_plan_bind(builder, step, at->values_from, ORDO_READ);
    }
}

/* Where pass `pass` writes a column: the last pass to its final place, the ones before in turn. */
static ordo_area destination(const sorter *s, const column *c, uint32_t pass) {
    return (s->pass_count - 1 - pass) % 2 == 0 ? c->final : c->alternate;
}

static void append_passes(const sorter *s) {
    uint32_t shift = s->desc->skip_low_bits;
    move at = {.keys_from = s->keys.source, .values_from = s->values.source};
    for (uint32_t pass = 0; pass < s->pass_count; pass++) {
        uint32_t bits = s->window_bits / s->pass_count + (pass < s->window_bits % s->pass_count);
        at.first = pass == 0;
        at.last = pass + 1 == s->pass_count;
        at.keys_to = destination(s, &s->keys, pass);
        at.values_to = destination(s, &s->values, pass);
        if (!s->one_tile) {
            append_counts(s, &at.keys_from, shift, bits);
        }
        append_scatter(s, &at, shift, bits);
        at.keys_from = at.keys_to;
        at.values_from = at.values_to;
        shift += bits;
    }
}

/* ---- Layout ---- */

/* Take the caller's buffers, also those that a plan of ties does not touch. */
static void take_slots(sorter *s) {
    const ordo_sort_desc *desc = s->desc;
    uint64_t key_bytes = desc->max_count * ordo_type_bytes(desc->key);
    uint64_t value_bytes = desc->max_count * (desc->argsort ? 4 : desc->value_bytes);
    s->in = s->out = ordo_plan_slot(s->builder, ORDO_SLOT_IN, key_bytes);
    if (!desc->in_place && !desc->argsort) {
        s->out = ordo_plan_slot(s->builder, ORDO_SLOT_OUT, key_bytes);
    }
    if (desc->value_bytes) {
        s->values_in = s->values_out = ordo_plan_slot(s->builder, ORDO_SLOT_VALUES_IN, value_bytes);
    }
    if (value_bytes && !desc->in_place) {
        s->values_out = ordo_plan_slot(s->builder, ORDO_SLOT_VALUES_OUT, value_bytes);
    }
}

static void lay_out_keys(sorter *s) {
    s->keys.source = s->in;
    s->keys.final = s->out;
    if (s->pass_count > 1 || s->desc->in_place) {
        s->keys.alternate = ordo_plan_scratch(s->builder, s->in.size_bytes);
    }
    if (s->desc->argsort) {
        /* Sorted keys are not wanted: the last pass binds their place but writes nothing. */
        s->keys.final = ordo_plan_scratch(s->builder, s->pass_count > 2 ? s->in.size_bytes : 4);
    }
}

static void lay_out_values(sorter *s) {
    uint64_t bytes = 4 * s->value_words * s->desc->max_count;
    if (s->value_words == 0) {
        return;
    }
    s->values.source = s->values_in;
    s->values.final = s->values_out;
    if (s->indices && !s->desc->argsort) {
        s->values.final = ordo_plan_scratch(s->builder, bytes);
    }
    if (s->pass_count > 1 || (s->desc->in_place && !s->indices)) {
        s->values.alternate = ordo_plan_scratch(s->builder, bytes);
    }
}

static void lay_out_counts(sorter *s) {
    uint64_t tiles = ordo_div_ceil(s->builder->max_count, s->tile_items);
    uint32_t widest = (uint32_t)ordo_div_ceil(s->window_bits, s->pass_count);
    s->counts = ordo_plan_scratch(s->builder, 4 * (tiles << widest));
    s->builder->summary->digit_bits = widest;
}

/* In place with an odd number of passes, the data first moves to the alternate. */
static void append_parity_copy(sorter *s, column *c, uint32_t words) {
    append_copy(s->builder, words, c->source, c->alternate);
    c->source = c->alternate;
}

static void append_value_gather(const sorter *s) {
    uint32_t words = s->desc->value_bytes / 4;
    ordo_area to = s->values_out;
    if (s->desc->in_place) {
        to = ordo_plan_scratch(s->builder, to.size_bytes);
    }
    append_gather(s->builder, words, s->values_in, s->values.final, to);
    if (s->desc->in_place) {
        append_copy(s->builder, words, to, s->values_in);
    }
}

/* An empty window leaves all keys tied: the sort is a copy, its permutation the identity. */
static void append_ties(const sorter *s) {
    if (s->desc->argsort) {
        append_indices(s->builder, s->values_out);
    } else if (!s->desc->in_place) {
        append_copy(s->builder, s->key_words, s->in, s->out);
        if (s->desc->value_bytes) {
            append_copy(s->builder, s->desc->value_bytes / 4, s->values_in, s->values_out);
        }
    }
}

void ordo_planner_sort(ordo_builder *builder, const void *any) {
    const ordo_sort_desc *desc = any;
    check_desc(builder, desc);
    builder->summary->method = ORDO_METHOD_RADIX;
    if (builder->status != ORDO_OK || desc->max_count == 0) {
        return;
    }
    const ordo_tuning *tuning = builder->tuning;
    uint32_t key_bits = 8 * ordo_type_bytes(desc->key);
    bool gathers = desc->value_bytes > tuning->carried_value_bytes;
    sorter s = {.builder = builder,
                .desc = desc,
                .key_words = key_bits / 32,
                .indices = desc->argsort || gathers,
                .window_bits = key_bits - desc->skip_low_bits - desc->skip_high_bits,
                .classic = desc->digit_bits == 4};
    take_slots(&s);
    if (s.window_bits == 0) {
        append_ties(&s);
        return;
    }
    s.value_words = s.indices ? 1 : desc->value_bytes / 4;
    s.pass_count = (uint32_t)ordo_div_ceil(s.window_bits, s.classic ? 4 : 8);
    uint32_t subtile = tuning->group_size * (s.classic ? tuning->split_items : tuning->radix_items);
    s.tile_items = s.classic ? subtile : subtile * tuning->radix_subtiles;
    s.one_tile = !s.classic && desc->max_count <= subtile;
    builder->summary->pass_count = s.pass_count;
    lay_out_keys(&s);
    lay_out_values(&s);
    lay_out_counts(&s);
    if (desc->in_place && s.pass_count % 2 == 1) {
        append_parity_copy(&s, &s.keys, s.key_words);
        if (s.value_words && !s.indices) {
            append_parity_copy(&s, &s.values, s.value_words);
        }
    }
    append_passes(&s);
    if (gathers) {
        append_value_gather(&s);
    }
}

ordo_status ordo_sort_steps(const ordo_caps *caps, const ordo_sort_desc *desc, ordo_step *steps,
                            uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_sort, steps, capacity, summary);
}
