/* SPDX-License-Identifier: MIT */
/*
 * plan_onesweep.c: least-significant-digit radix sort of one pass over the keys a digit.
 *
 *     onesweep_begin       counters = 0
 *     onesweep_histogram   one read of the keys: where each pass's keys of each digit go; table = 0
 *     for each digit, the lowest first, and each portion of the tiles:
 *     onesweep_scatter     rank the keys of a tile by digit, look back for how many keys of the
 *                          digit earlier tiles have, move them (and values) to their place
 *
 * Digits and columns are as in plan_radix.c. A portion is as many tiles as a grid holds, of less
 * than 2^30 keys: nearly always all of them.
 */
#include "plan.h"

#include <stddef.h>

enum {
    DIGITS = 256, /* words of the table a tile */
    MOST_PASSES = 8,
    MOST_PORTIONS = 8,
    TICKETS = MOST_PASSES * MOST_PORTIONS, /* a word each, at the head of counters */
    MOST_PORTION_KEYS = (1 << 30) - 1,     /* that a word of the table can count */
};

typedef struct onesweep {
    const ordo_sort *sort;
    ordo_builder *builder;
    ordo_passes passes;
    uint32_t group, items, rounds; /* of onesweep_scatter, items are keys */
    uint32_t tile_items;
    uint64_t tiles, portion_tiles;
    uint32_t width, wider; /* bits of a digit; how many of them have one more */
    ordo_area counters, table;
} onesweep;

/* ---- Layout ---- */

static void lay_out_digits(onesweep *s) {
    s->width = s->sort->window_bits / s->passes.count;
    s->wider = s->sort->window_bits % s->passes.count;
    s->builder->summary->digit_bits = s->width + (s->wider > 0);
}

static void lay_out_tiles(onesweep *s) {
    const ordo_tuning *tuning = s->builder->tuning;
    bool pairs = s->passes.value_words > 0;
    uint64_t most_groups = s->builder->caps.max_groups;
    s->group = tuning->onesweep_group;
    bool small = s->builder->max_count <= tuning->onesweep_small_count;
    s->items = small   ? tuning->onesweep_small_items
               : pairs ? tuning->onesweep_pair_items
                       : tuning->onesweep_items;
    s->items /= s->sort->key_words;
    s->rounds = small   ? tuning->onesweep_small_rounds
                : pairs ? tuning->onesweep_pair_rounds
                        : tuning->onesweep_rounds;
    s->tile_items = s->group * s->items;
    s->tiles = ordo_div_ceil(s->builder->max_count, s->tile_items);
    s->portion_tiles = MOST_PORTION_KEYS / s->tile_items;
    if (s->portion_tiles > most_groups * most_groups) {
        s->portion_tiles = most_groups * most_groups;
    }
    if (ordo_div_ceil(s->tiles, s->portion_tiles) > MOST_PORTIONS) {
        s->portion_tiles = ordo_div_ceil(s->tiles, MOST_PORTIONS); /* more than the grid holds */
    }
}

/* Scratch must not fall as the count grows: so it has room for the table of any small sort. */
static uint64_t most_tiles(const onesweep *s) {
    const ordo_tuning *tuning = s->builder->tuning;
    uint64_t count = s->builder->max_count, items = tuning->onesweep_small_items;
    count = count < tuning->onesweep_small_count ? count : tuning->onesweep_small_count;
    uint64_t tiles = ordo_div_ceil(count, s->group * (items / s->sort->key_words));
    return tiles > s->tiles ? tiles : s->tiles;
}

/* ---- Steps ---- */

static void append_begin(const onesweep *s) {
    ordo_step *step = ordo_plan_step(s->builder, "onesweep_begin", "onesweep_begin", 1, 1,
                                     s->counters.size_bytes);
    ordo_plan_param(step, "counter_words", s->counters.size_bytes / 4);
    ordo_plan_bind(s->builder, step, s->counters, ORDO_WRITE);
}

/* Copies of the counters, for digits that crowd: as many as memory holds beside what lib/lane
   takes. */
static uint32_t counter_copies(const onesweep *s) {
    const ordo_builder *builder = s->builder;
    uint32_t bins = s->passes.count * DIGITS, lane_words = builder->tuning->group_size + 68;
    uint32_t copies = ORDO_COUNTER_COPIES;
    while (copies > 1 &&
           4 * (copies * (bins + 1) + lane_words) > builder->caps.max_workgroup_bytes) {
        copies /= 2;
    }
    return copies;
}

static void append_histogram(const onesweep *s, ordo_area keys) {
    ordo_builder *builder = s->builder;
    const ordo_tuning *tuning = builder->tuning;
    uint32_t items = tuning->onesweep_histogram_items / s->sort->key_words;
    uint64_t most = builder->caps.max_groups;
    uint64_t groups = ordo_div_ceil(builder->max_count, (uint64_t)tuning->group_size * items);
    groups =
        groups < tuning->onesweep_histogram_groups ? groups : tuning->onesweep_histogram_groups;
    groups = groups < most * most ? groups : most * most;
    ordo_step *step = ordo_plan_step(builder, "onesweep_histogram", "onesweep_histogram", items,
                                     groups, keys.size_bytes + s->table.size_bytes);
    step->unrolled = builder->max_count >= tuning->msd_unrolled_count;
    ordo_plan_constant(step, "PASSES", s->passes.count);
    ordo_plan_constant(step, "BINS", s->passes.count * DIGITS);
    ordo_plan_constant(step, "COPIES", counter_copies(s));
    ordo_plan_key_constants(s->sort, step);
    ordo_plan_param(step, "shift", s->sort->desc->skip_low_bits);
    ordo_plan_param(step, "width", s->width);
    ordo_plan_param(step, "wider", s->wider);
    ordo_plan_param(step, "starts", TICKETS);
    ordo_plan_param(step, "tile_items", s->tile_items);
    ordo_plan_bind(builder, step, s->counters, ORDO_READ | ORDO_WRITE);
    ordo_plan_bind(builder, step, s->table, ORDO_WRITE);
    ordo_plan_bind(builder, step, keys, ORDO_READ);
}

static void scatter_params(const onesweep *s, ordo_step *step, uint32_t pass, uint32_t portion) {
    uint32_t before = pass < s->wider ? pass : s->wider;
    uint32_t bits = s->width + (pass < s->wider);
    ordo_plan_param(step, "tile_items", s->tile_items);
    ordo_plan_param(step, "shift", s->sort->desc->skip_low_bits + pass * s->width + before);
    ordo_plan_param(step, "mask", (1u << bits) - 1);
    ordo_plan_param(step, "first_tile", portion * s->portion_tiles);
    ordo_plan_param(step, "portion_tiles", s->portion_tiles);
    ordo_plan_param(step, "portion", portion);
    ordo_plan_param(step, "ticket", pass * MOST_PORTIONS + portion);
    ordo_plan_param(step, "starts", TICKETS + pass * DIGITS);
    ordo_plan_param(step, "tickets", s->builder->tuning->onesweep_tickets);
    ordo_plan_param(step, "nothing", pass % 2 ? 1u << 31 : 0);
}

static void append_scatter(const onesweep *s, const ordo_pass *at, uint32_t pass,
                           uint32_t portion) {
    static const char *const entries[] = {
        [ORDO_PASS_KEYS] = "onesweep_scatter_keys",
        [ORDO_PASS_PAIRS] = "onesweep_scatter_pairs",
        [ORDO_PASS_INDEX] = "onesweep_scatter_index",
    };
    ordo_builder *builder = s->builder;
    uint64_t tiles = s->tiles - portion * s->portion_tiles;
    tiles = tiles < s->portion_tiles ? tiles : s->portion_tiles;
    uint64_t keys = builder->max_count - portion * s->portion_tiles * s->tile_items;
    keys = keys < tiles * s->tile_items ? keys : tiles * s->tile_items;
    uint32_t part = s->tile_items / s->rounds, staged = part * s->sort->key_words;
    /* A word of the table is written twice and read once, or more often. */
    ordo_step *step =
        ordo_plan_step_sized(builder, "onesweep_scatter", entries[at->form], s->group, s->items,
                             tiles, 4 * at->moved_words * keys + 12 * DIGITS * tiles);
    step->unrolled = builder->max_count >= builder->tuning->msd_unrolled_count;
    uint32_t ranks = ordo_plan_rank(builder, step, s->group);
    ordo_plan_constant(step, "CELLS", staged > ranks ? staged : ranks);
    ordo_plan_constant(step, "PART", part);
    ordo_plan_constant(step, "ROUNDS", s->rounds);
    ordo_plan_constant(step, "WRITE_KEYS", at->writes_keys);
    if (s->passes.value_words) {
        ordo_plan_constant(step, "VALUE_WORDS", s->passes.value_words);
    }
    ordo_plan_key_constants(s->sort, step);
    scatter_params(s, step, pass, portion);
    ordo_plan_bind(builder, step, s->counters, ORDO_READ | ORDO_WRITE);
    ordo_plan_bind(builder, step, s->table, ORDO_READ | ORDO_WRITE);
    ordo_pass_bind(&s->passes, at, step);
}

void ordo_plan_onesweep(const ordo_sort *sort) {
    uint32_t passes = (uint32_t)ordo_div_ceil(sort->window_bits, 8);
    onesweep s = {.sort = sort, .builder = sort->builder};
    s.passes = ordo_passes_lay_out(sort, passes);
    lay_out_digits(&s);
    lay_out_tiles(&s);
    s.counters = ordo_plan_scratch(sort->builder, 4 * (TICKETS + passes * DIGITS));
    s.table = ordo_plan_scratch(sort->builder, 4 * DIGITS * most_tiles(&s));
    s.table.size_bytes = 4 * DIGITS * s.tiles;
    ordo_passes_begin(&s.passes);
    append_begin(&s);
    append_histogram(&s, s.passes.keys.source);
    for (uint32_t pass = 0; pass < passes; pass++) {
        ordo_pass at = ordo_pass_at(&s.passes, pass);
        for (uint32_t portion = 0; portion * s.portion_tiles < s.tiles; portion++) {
            append_scatter(&s, &at, pass, portion);
        }
    }
    ordo_passes_end(&s.passes);
}
