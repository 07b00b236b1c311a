/* SPDX-License-Identifier: MIT */
/*
 * plan_topk.c: the best k of each row, by selection.
 *
 * Few (up to 512, what a workgroup holds twice): by delegates, the best elements of chunks.
 *
 *     level 0   | chunk | chunk | chunk | …      keys of a row
 *                  \       |       /             topk_best: one delegate a chunk
 *     level 1   | d d d d d … |                  delegates, chunked in turn while they are many
 *                      |                         topk_select: the k best delegates
 *     level 0   | k chunks |                     topk_select: the k best of their chunks
 *
 * An element of the best k lies in a chunk whose delegate is no worse, so among the k best
 * delegates, whatever the data: keys are read once, and k chunks of each level again.
 *
 * Many: by digits (topk_radix). Counting each digit among those that share the digits above with
 * the k-th best finds that one's image, two more reads take what is no worse in the order of the
 * input, and a stable sort of k pairs ends it. Short rows, of which k are not much less than all,
 * are sorted.
 */
#include "plan.h"

#include <stddef.h>

enum { MOST_LEVELS = 6 };

typedef struct top_k {
    ordo_builder *builder;
    const ordo_top_k_desc *desc;
    ordo_sort sort; /* for lib/key.wgsl, and of the k elements */
    uint64_t row_length, rows;
    uint32_t k, key_words;
    ordo_area keys, keys_out, indices_out;
} top_k;

/* Entries of some rows: images or keys, and indices. */
typedef struct list {
    ordo_area images, indices;
    uint64_t length; /* a row */
    uint64_t room;   /* entries that a row may need for any shorter input, at least length: choices
                        follow it, so that they change once as counts grow */
    uint32_t chunk;  /* elements of this list that a delegate stands for; 0: there are none */
} list;

static list scratch_list(const top_k *t, uint64_t length, uint64_t room) {
    list l = {.images = ordo_plan_scratch(t->builder, 4 * t->key_words * t->rows * room),
              .indices = ordo_plan_scratch(t->builder, 4 * t->rows * room),
              .length = length,
              .room = room};
    l.images.size_bytes = 4 * t->key_words * t->rows * length;
    l.indices.size_bytes = 4 * t->rows * length;
    return l;
}

/* ---- Few ---- */

/* Elements a chunk, a power of two, so that chunks of a list and candidates in the k best of them
   are about as many. */
static uint32_t chunk_items(const top_k *t, uint64_t length) {
    const ordo_tuning *tuning = t->builder->tuning;
    uint64_t chunk = tuning->topk_least_chunk;
    while (chunk < tuning->topk_most_chunk && 2 * chunk * t->k <= tuning->topk_refined &&
           4 * chunk * chunk * t->k <= length) {
        chunk *= 2;
    }
    return (uint32_t)chunk;
}

static void append_best(const top_k *t, list *from, bool keys, list *best) {
    ordo_builder *builder = t->builder;
    uint64_t group = builder->tuning->group_size;
    from->chunk = chunk_items(t, from->room);
    uint64_t tiles = ordo_div_ceil(from->length, group * from->chunk);
    uint64_t room = ordo_div_ceil(from->room, group * from->chunk);
    /* With chunks half as long a shorter input has up to so many. */
    uint64_t before = ordo_div_ceil(2 * (uint64_t)from->chunk * t->k, group);
    bool doubled = from->chunk > builder->tuning->topk_least_chunk;
    room = doubled && room < before ? before : room;
    ordo_plan_check_groups(builder, t->rows * room);
    *best = scratch_list(t, tiles * group, room * group);
    uint64_t words =
        t->rows * ((t->key_words + !keys) * from->length + (t->key_words + 1) * best->length);
    ordo_step *step =
        ordo_plan_step(builder, "topk_best", keys ? "topk_best_keys" : "topk_best_list",
                       builder->tuning->topk_items, t->rows * tiles, 4 * words);
    step->unrolled = true;
    ordo_plan_key_constants(&t->sort, step);
    ordo_plan_param(step, "row_length", t->row_length);
    ordo_plan_param(step, "source_length", from->length);
    ordo_plan_param(step, "chunk", from->chunk);
    ordo_plan_param(step, "tiles", tiles);
    ordo_plan_bind(builder, step, best->images, ORDO_WRITE);
    ordo_plan_bind(builder, step, best->indices, ORDO_WRITE);
    ordo_plan_bind(builder, step, from->images, ORDO_READ);
    if (!keys) {
        ordo_plan_bind(builder, step, from->indices, ORDO_READ);
    }
}

/* Invocations that select from so many candidates: for a few rows all there are. */
static uint32_t select_group(const top_k *t, uint64_t candidates) {
    const ordo_tuning *tuning = t->builder->tuning;
    uint32_t most = tuning->topk_group, group = 64;
    most = most < t->builder->caps.max_invocations ? most : t->builder->caps.max_invocations;
    bool few = t->rows <= tuning->topk_few_rows;
    while (2 * group <= most && group < candidates &&
           (few || group < 2 * t->k || (uint64_t)group * tuning->topk_select_items < candidates)) {
        group *= 2;
    }
    return group;
}

/* Candidates that it holds: room for some more than are within the limit, but little memory, since
   rows wait for it. */
static uint32_t select_cells(const top_k *t, uint32_t group, uint64_t candidates) {
    uint64_t cells = 1;
    while (cells < t->builder->tuning->topk_cells &&
           (cells < group || (cells < 4 * t->k && cells < candidates))) {
        cells *= 2;
    }
    return (uint32_t)cells;
}

/* Bests of invocations, in so many groups, that the first limit is taken from: some more than k,
   but not so few that a group takes long. */
static uint32_t first_bests(const top_k *t, uint32_t group) {
    uint32_t bests = 1u << ordo_log2_ceil(t->k + t->k / 4);
    bests = bests < group / 8 ? group / 8 : bests;
    return bests < group ? bests : group;
}

/* log2 of the chunks of all levels, 4 bits each, level 0 lowest. */
static uint32_t chunk_bits(const list *levels) {
    uint32_t bits = 0;
    for (uint32_t level = 0; level < MOST_LEVELS; level++) {
        bits |= ordo_log2_ceil(levels[level].chunk) << 4 * level;
    }
    return bits;
}

/* Select from the list of a level, or from the chunks of it that `chosen` of the level above has,
   if that is not NULL. Level 0 are the keys; from there results are the caller's. */
static void append_select(const top_k *t, const list *levels, uint32_t level, const list *chosen,
                          const list *to) {
    static const char *const entries[2][2] = {
        {"topk_select_keys", "topk_select_list"},
        {"topk_select_key_chunks", "topk_select_list_chunks"}};
    ordo_builder *builder = t->builder;
    const ordo_tuning *tuning = builder->tuning;
    const list *source = &levels[level];
    uint64_t read = chosen ? (uint64_t)t->k * source->chunk : source->length;
    uint32_t group = select_group(t, read);
    uint32_t cells = select_cells(t, group, read);
    uint32_t bests = first_bests(t, group);
    uint64_t words = (t->key_words + (level > 0)) * read + (t->key_words + 1) * (uint64_t)t->k;
    ordo_step *step =
        ordo_plan_step_sized(builder, "topk_select", entries[chosen != NULL][level > 0], group,
                             tuning->topk_select_items, t->rows, 4 * t->rows * words);
    step->unrolled = true;
    ordo_plan_constant(step, "CELL_WORDS", cells * (t->key_words + 1));
    ordo_plan_constant(step, "CELLS", cells);
    ordo_plan_constant(step, "STRIDE", tuning->group_size);
    ordo_plan_constant(step, "LAST", level == 0);
    ordo_plan_key_constants(&t->sort, step);
    ordo_plan_param(step, "row_length", t->row_length);
    ordo_plan_param(step, "k", t->k);
    ordo_plan_param(step, "source_length", source->length);
    ordo_plan_param(step, "level", level);
    ordo_plan_param(step, "chunk_bits", chunk_bits(levels));
    ordo_plan_param(step, "bests", !chosen && read > 2 * bests && t->k <= bests ? bests : 0);
    ordo_plan_bind(builder, step, to->images, ORDO_WRITE);
    ordo_plan_bind(builder, step, to->indices, ORDO_WRITE);
    ordo_plan_bind(builder, step, source->images, ORDO_READ);
    if (level > 0) {
        ordo_plan_bind(builder, step, source->indices, ORDO_READ);
    }
    if (chosen) {
        ordo_plan_bind(builder, step, chosen->images, ORDO_READ);
        ordo_plan_bind(builder, step, chosen->indices, ORDO_READ);
    }
}

static void append_few(const top_k *t) {
    const ordo_tuning *tuning = t->builder->tuning;
    list levels[MOST_LEVELS] = {
        {.images = t->keys, .length = t->row_length, .room = t->row_length}};
    list chosen[2];
    const list out = {.images = t->keys_out, .indices = t->indices_out, .length = t->k};
    uint32_t depth = 0;
    while (levels[depth].room > (depth ? tuning->topk_listed : tuning->topk_direct)) {
        append_best(t, &levels[depth], depth == 0, &levels[depth + 1]);
        depth++;
    }
    if (depth > 0) {
        chosen[0] = scratch_list(t, t->k, t->k);
        chosen[1] = scratch_list(t, t->k, t->k);
    }
    append_select(t, levels, depth, NULL, depth > 0 ? &chosen[depth % 2] : &out);
    while (depth > 0) {
        depth--;
        append_select(t, levels, depth, &chosen[(depth + 1) % 2],
                      depth > 0 ? &chosen[depth % 2] : &out);
    }
}

/* ---- Many ---- */

enum { DIGIT_BITS = 11, STATE_WORDS = 4 };

typedef struct digit_select {
    const top_k *t;
    ordo_area counts, states, tallies;
    list taken;
} digit_select;

/* A step of topk_radix. */
typedef struct radix_step {
    const char *entry;
    uint32_t items;
    uint64_t groups, moved_words;
    uint32_t shift, bits; /* of the digit */
    uint64_t word_count;
} radix_step;

/* Elements of a tile: as many as a workgroup loads at once, or, to count them, some times that. */
static uint64_t tile_items(const top_k *t, bool counts) {
    const ordo_tuning *tuning = t->builder->tuning;
    return (uint64_t)tuning->group_size * tuning->topk_digit_items *
           (counts ? tuning->topk_count_rounds : 1);
}

static uint64_t tiles_of(const top_k *t, bool counts) {
    return ordo_div_ceil(t->row_length, tile_items(t, counts));
}

static ordo_step *append_radix(const top_k *t, const radix_step *r) {
    uint64_t image = t->key_words == 2 ? UINT64_MAX : UINT32_MAX;
    uint32_t above = r->shift + r->bits;
    uint64_t known = above >= 64 ? 0 : image & UINT64_MAX << above;
    ordo_step *step =
        ordo_plan_step(t->builder, "topk_radix", r->entry, r->items, r->groups, 4 * r->moved_words);
    step->unrolled = true;
    ordo_plan_key_constants(&t->sort, step);
    ordo_plan_param(step, "row_length", t->row_length);
    ordo_plan_param(step, "k", t->k);
    ordo_plan_param(step, "tiles", tiles_of(t, r->bits > 0));
    ordo_plan_param(step, "shift", r->shift);
    ordo_plan_param(step, "mask", (1u << r->bits) - 1);
    ordo_plan_param(step, "known_low", known & UINT32_MAX);
    ordo_plan_param(step, "known_high", known >> 32);
    ordo_plan_param(step, "word_count", r->word_count);
    ordo_plan_param(step, "tile_items", tile_items(t, r->bits > 0));
    return step;
}

/* Entries of results without an element. */
static void append_fill(const top_k *t, const list *results) {
    uint64_t entries = t->rows * t->k;
    uint32_t items = t->builder->tuning->move_items;
    ordo_step *step = append_radix(
        t, &(radix_step){
               .entry = "topk_radix_fill",
               .items = items,
               .groups = ordo_div_ceil(entries, (uint64_t)t->builder->tuning->group_size * items),
               .moved_words = (t->key_words + 1) * entries,
               .word_count = entries});
    ordo_plan_bind(t->builder, step, results->images, ORDO_WRITE);
    ordo_plan_bind(t->builder, step, results->indices, ORDO_WRITE);
}

/* Find the image of the k-th best of each row. */
static void append_digits(const digit_select *s) {
    const top_k *t = s->t;
    ordo_builder *builder = t->builder;
    const ordo_tuning *tuning = builder->tuning;
    uint64_t count_words = t->rows << DIGIT_BITS;
    ordo_step *step = append_radix(
        t, &(radix_step){.entry = "topk_radix_clear",
                         .items = tuning->move_items,
                         .groups = ordo_div_ceil(count_words,
                                                 (uint64_t)tuning->group_size * tuning->move_items),
                         .moved_words = count_words,
                         .word_count = count_words});
    ordo_plan_bind(builder, step, s->counts, ORDO_WRITE);
    for (uint32_t shift = 32 * t->key_words; shift > 0;) {
        uint32_t bits = shift < DIGIT_BITS ? shift : DIGIT_BITS;
        bool first = shift == 32 * t->key_words;
        shift -= bits;
        step = append_radix(
            t, &(radix_step){.entry = "topk_radix_count",
                             .items = tuning->topk_digit_items,
                             .groups = t->rows * tiles_of(t, true),
                             .moved_words = t->key_words * builder->max_count + count_words,
                             .shift = shift,
                             .bits = bits});
        ordo_plan_bind(builder, step, s->counts, ORDO_READ | ORDO_WRITE);
        ordo_plan_bind(builder, step, s->states, first ? ORDO_IDLE : ORDO_READ);
        ordo_plan_bind(builder, step, t->keys, ORDO_READ);
        step = append_radix(t, &(radix_step){.entry = "topk_radix_pick",
                                             .items = tuning->topk_digit_items,
                                             .groups = t->rows,
                                             .moved_words = 2 * count_words,
                                             .shift = shift,
                                             .bits = bits});
        ordo_plan_bind(builder, step, s->counts, ORDO_READ | ORDO_WRITE);
        ordo_plan_bind(builder, step, s->states, first ? ORDO_WRITE : ORDO_READ | ORDO_WRITE);
    }
}

/* Take what is no worse, in the order of the input. */
static void append_take(const digit_select *s) {
    const top_k *t = s->t;
    ordo_builder *builder = t->builder;
    uint32_t items = builder->tuning->topk_digit_items;
    uint64_t groups = t->rows * tiles_of(t, false);
    ordo_step *step = append_radix(
        t, &(radix_step){.entry = "topk_radix_tally",
                         .items = items,
                         .groups = groups,
                         .moved_words = t->key_words * builder->max_count + 2 * groups});
    ordo_plan_bind(builder, step, s->tallies, ORDO_WRITE);
    ordo_plan_bind(builder, step, s->states, ORDO_READ);
    ordo_plan_bind(builder, step, t->keys, ORDO_READ);
    step = append_radix(t, &(radix_step){.entry = "topk_radix_place",
                                         .items = items,
                                         .groups = t->rows,
                                         .moved_words = 4 * groups});
    ordo_plan_bind(builder, step, s->tallies, ORDO_READ | ORDO_WRITE);
    step = append_radix(t, &(radix_step){.entry = "topk_radix_take",
                                         .items = items,
                                         .groups = groups,
                                         .moved_words = t->key_words * builder->max_count +
                                                        2 * groups +
                                                        (t->key_words + 1) * t->rows * t->k});
    ordo_plan_bind(builder, step, s->tallies, ORDO_READ);
    ordo_plan_bind(builder, step, s->states, ORDO_READ);
    ordo_plan_bind(builder, step, t->keys, ORDO_READ);
    ordo_plan_bind(builder, step, s->taken.images, ORDO_WRITE);
    ordo_plan_bind(builder, step, s->taken.indices, ORDO_WRITE);
}

/* Sort what of t->sort is set by `by`; values are indices. */
static void append_sort(top_k *t, const ordo_sort_desc *by) {
    uint64_t max_count = t->builder->max_count;
    t->sort.desc = by;
    t->builder->max_count = by->max_count;
    ordo_plan_sort(&t->sort);
    t->builder->max_count = max_count;
}

static ordo_sort_desc sort_desc(const top_k *t) {
    return (ordo_sort_desc){.max_count = t->desc->max_count,
                            .key = t->desc->key,
                            .order = t->desc->smallest ? ORDO_ASCENDING : ORDO_DESCENDING};
}

/* Sort what is taken into the caller's buffers. A run with fewer elements than k a row leaves
   entries that the sort does not reach, or moves to the end of their row, as they hold the worst
   key. */
static void append_many(top_k *t) {
    ordo_builder *builder = t->builder;
    const list out = {.images = t->keys_out, .indices = t->indices_out, .length = t->k};
    ordo_sort_desc by = sort_desc(t);
    digit_select s = {.t = t,
                      .counts = ordo_plan_scratch(builder, 4 * (t->rows << DIGIT_BITS)),
                      .states = ordo_plan_scratch(builder, 4 * STATE_WORDS * t->rows),
                      .tallies = ordo_plan_scratch(builder, 8 * t->rows * tiles_of(t, false)),
                      .taken = scratch_list(t, t->k, t->k)};
    append_fill(t, &out);
    append_fill(t, &s.taken);
    append_digits(&s);
    append_take(&s);
    by.max_count = t->rows * t->k;
    by.value_bytes = 4;
    by.row_length = t->desc->row_length ? t->k : 0; /* also of the first row, for its scratch */
    t->sort.in = s.taken.images;
    t->sort.values_in = s.taken.indices;
    t->sort.out = t->keys_out;
    t->sort.values_out = t->indices_out;
    append_sort(t, &by);
}

/* Short rows are sorted in one dispatch, and their first k copied. */
static void append_sorted_rows(top_k *t) {
    ordo_builder *builder = t->builder;
    uint64_t entries = t->rows * t->k;
    uint32_t items = builder->tuning->move_items;
    ordo_area order = ordo_plan_scratch(builder, 4 * builder->max_count);
    ordo_sort_desc by = sort_desc(t);
    by.argsort = true;
    by.row_length = (uint32_t)t->row_length;
    t->sort.in = t->keys;
    t->sort.values_out = order;
    append_sort(t, &by);
    ordo_step *step =
        append_radix(t, &(radix_step){.entry = "topk_radix_first",
                                      .items = items,
                                      .groups = ordo_div_ceil(
                                          entries, (uint64_t)builder->tuning->group_size * items),
                                      .moved_words = (2 * t->key_words + 2) * entries,
                                      .word_count = entries});
    ordo_plan_bind(builder, step, t->keys_out, ORDO_WRITE);
    ordo_plan_bind(builder, step, t->indices_out, ORDO_WRITE);
    ordo_plan_bind(builder, step, t->keys, ORDO_READ);
    ordo_plan_bind(builder, step, order, ORDO_READ);
}

/* What kernels count in words must fit 32 bits: the results, and for many the counts of all rows or
   the positions of rows that a network pads. */
static void check_results(const top_k *t, bool few, bool sorts_rows) {
    uint64_t words = t->key_words * t->rows * t->k;
    uint64_t counts = few || sorts_rows ? 0 : t->rows << DIGIT_BITS;
    uint64_t padded =
        few || t->rows == 1 ? 0 : t->rows << ordo_log2_ceil(sorts_rows ? t->row_length : t->k);
    words = words > counts ? words : counts;
    words = words > padded ? words : padded;
    if (words > UINT32_MAX) {
        ordo_plan_fail(t->builder, ORDO_MESSAGE_RESULTS,
                       &(ordo_report){.a = t->desc->max_count, .b = t->rows, .c = t->k});
    }
}

static void check_desc(ordo_builder *builder, const ordo_top_k_desc *desc) {
    ordo_plan_check_enum(builder, "key", desc->key, ORDO_F64);
    ordo_plan_set_count(builder, desc->max_count, ordo_type_bytes(desc->key));
}

void ordo_planner_top_k(ordo_builder *builder, const void *any) {
    const ordo_top_k_desc *desc = any;
    check_desc(builder, desc);
    if (builder->status != ORDO_OK || desc->max_count == 0 || desc->k == 0) {
        return;
    }
    uint32_t key_words = ordo_type_bytes(desc->key) / 4;
    uint64_t all = desc->max_count;
    uint64_t row_length = desc->row_length && desc->row_length < all ? desc->row_length : all;
    top_k t = {.builder = builder,
               .desc = desc,
               .row_length = row_length,
               .rows = ordo_div_ceil(all, row_length),
               .k = (uint32_t)(desc->k < row_length ? desc->k : row_length),
               .key_words = key_words};
    const ordo_sort_desc order = sort_desc(&t);
    t.sort = (ordo_sort){.builder = builder,
                         .desc = &order,
                         .key_words = key_words,
                         .window_bits = 32 * key_words,
                         .last = UINT32_MAX};
    t.keys = ordo_plan_slot(builder, ORDO_SLOT_IN, 4 * key_words * all);
    t.keys_out = ordo_plan_slot(builder, ORDO_SLOT_OUT, 4 * key_words * t.rows * t.k);
    t.indices_out = ordo_plan_slot(builder, ORDO_SLOT_VALUES_OUT, 4 * t.rows * t.k);
    bool few = t.k <= builder->tuning->topk_cells / 2;
    /* Also of a single row that is not full: so that scratch does not fall with the second one. */
    bool sorts_rows = desc->row_length && desc->row_length <= builder->tuning->topk_sorted_row;
    check_results(&t, few, sorts_rows);
    if (builder->status != ORDO_OK) {
        return;
    }
    if (few) {
        append_few(&t);
    } else if (sorts_rows) {
        append_sorted_rows(&t);
    } else {
        append_many(&t);
    }
}

ordo_status ordo_top_k_steps(const ordo_caps *caps, const ordo_top_k_desc *desc, ordo_step *steps,
                             uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_top_k, steps, capacity, summary);
}
