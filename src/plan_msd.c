/* SPDX-License-Identifier: MIT */
/*
 * plan_msd.c: radix sort from the most significant digit down.
 *
 *     msd_begin         one bucket: all keys; of many, what a sample of them promises
 *     msd_check         (of many) whether all keys keep that
 *     msd_finish        (of many) if they do, the rest of the sort
 *     for each level:
 *     msd_histogram     how many keys of each bucket have which digit
 *     msd_scan          (with values) where in its bucket each tile's keys with a digit go
 *     msd_partition     move them there, keys alone in no particular order; children of a bucket
 *                       that fit become items, larger ones buckets of the next level
 *     msd_local         sort every item in a workgroup's memory
 *
 * The first level moves IN to the alternate, the second that to the final place, and so on;
 * msd_local always writes to the final place. Levels are planned until keys that differ in their
 * last bits only are told apart; of keys spread evenly one or two have anything to do.
 * Of 32-bit keys with values that crowd in the sample, levels are passes instead, of one bucket, all
 * keys, by the lowest digit first: no list is longer for it, and the last pass, as their number is
 * even, ends in the final place.
 * What fits one item is sorted by msd_small, without lists.
 * Values of up to 8 bytes, and an argsort's indices, travel with the keys; wider ones are gathered
 * by indices.
 * kernels/lib/msd.wgsl draws the lists in scratch.
 */
#include "plan.h"

#include <stddef.h>

enum {
    CONTROL_WORDS = 64,
    RECORD_WORDS = 5,
    ITEM_WORDS = 2,
    LEAST_ROOT_BITS = 7,
    WIDE_CHILDREN = 4
};
enum { BEGIN_GROUP = 256, BEGIN_ITEMS = 8 };
enum { FINISH_ITEMS = 8 };      /* in flight: it copies, and compiles the longer the more */
enum { LOCAL_OWN_BYTES = 128 }; /* of workgroup memory that msd_local has beside its cells */

typedef struct msd {
    const ordo_sort *sort;
    ordo_builder *builder;
    uint32_t value_words; /* of what travels; 0: keys only */
    bool stable;          /* partitions must be */
    bool indices;         /* values are indices, made on the first level */
    bool sampled;         /* keys are looked at for what makes the sort easy */
    uint32_t key_bits, digit_bits, root_bits;
    uint32_t level_count, forced_level; /* from that on buckets take their share of the bits left */
    uint32_t group, tile_items, rounds; /* of a partition */
    uint32_t local_group;               /* of msd_local */
    uint32_t item_count, filled_count;  /* keys of an item, at most and on average */
    uint64_t item_most;                 /* items, at most */
    /* Where in work, in words. */
    uint64_t items, records[2], tiles[2], tables;
    ordo_area work, keys[2], values[2]; /* of columns: the alternate, the final place */
} msd;

/* ---- Layout ---- */

static uint32_t least_root_bits(const msd *s) {
    return s->digit_bits < LEAST_ROOT_BITS ? s->digit_bits : LEAST_ROOT_BITS;
}

/* As record_bits of lib/msd.wgsl: children fill items, after one level if they can, or two; but not
   so few that records of later levels, which come to the end of the bits, take much memory. */
static uint32_t root_bits(const msd *s) {
    uint32_t bits = least_root_bits(s);
    if (s->forced_level == 1) {
        return s->digit_bits;
    }
    while (bits < 32 && s->builder->max_count >> bits >= s->filled_count) {
        bits++;
    }
    if (bits <= s->digit_bits) {
        return bits;
    }
    bits = (bits + 1) / 2 < s->digit_bits ? (bits + 1) / 2 : s->digit_bits;
    return bits > least_root_bits(s) ? bits : least_root_bits(s);
}

/* Whether the root may have fixed-point digits, see lib/msd_digit.wgsl: then up to WIDE_CHILDREN of
   its children, those at the ends and at 0, may have all bits left, and others those of a
   significand at most. Levels that are just enough have none to spare for that. */
static bool has_fixed_root(const msd *s) {
    return s->sampled && s->forced_level == 2 && s->sort->desc->key == ORDO_F32;
}

/* The most bits of a digit that is taken to come to the end of the bits: see record_bits in
   lib/msd.wgsl. Each level before those takes one or more, the root more; or of a fixed-point root
   none, but the second level then all it can. */
static uint32_t forced_bits(const msd *s) {
    uint32_t taken =
        s->forced_level == 1 ? s->digit_bits : least_root_bits(s) + s->forced_level - 1;
    if (has_fixed_root(s) && taken > s->digit_bits) {
        taken = s->digit_bits;
    }
    return (uint32_t)ordo_div_ceil(s->key_bits - taken, s->level_count - s->forced_level);
}

/* Words of records that buckets of a level take, at most. A bucket has more keys than an item, and
   2 * size / filled_count digits at most, or 2^forced_bits; or is the root, or of a wide child. */
static uint64_t record_words(const msd *s, uint64_t count) {
    uint64_t own = RECORD_WORDS + has_fixed_root(s);
    uint64_t forced = own + (2u << forced_bits(s));
    uint64_t roots = has_fixed_root(s) ? WIDE_CHILDREN : 1u + s->sampled;
    roots *= own + (2u << s->digit_bits);
    return roots + count / (s->item_count + 1) * forced + 4 * count / s->filled_count;
}

/* Words of tables that buckets of a level take, at most: one for each digit and tile. */
static uint64_t table_words(const msd *s, uint64_t count) {
    uint64_t buckets = count / (s->item_count + 1) + 1;
    uint64_t wide = has_fixed_root(s) ? WIDE_CHILDREN : 0;
    return ((count / s->tile_items + 1 + wide) << s->digit_bits) + (buckets << forced_bits(s)) +
           2 * count / s->filled_count;
}

/*
 * Items that all levels publish, at most. In a bucket, children that share items lie in stretches
 * between those that do not: of a stretch of h keys there are at most 2 h / item_count + 2 items.
 * A child of its own item has more than half of item_count keys; one that is cut, or a bucket,
 * more than item_count: there are at most count / item_count of them a level.
 */
static uint64_t most_items(const msd *s, uint64_t count) {
    return (13 + 4 * (uint64_t)(s->level_count - 1)) * (count / s->item_count + 1);
}

/* Place the lists in work. Returns how many words they take. */
static uint64_t place_lists(msd *s, uint64_t count) {
    uint64_t alignment_words = s->builder->caps.offset_alignment_bytes / 4;
    uint64_t records = record_words(s, count);
    /* Each workgroup of a level looks for tiles until one is not there. Full rows of a grid may have
       more workgroups than were asked for. */
    uint64_t groups = ordo_div_ceil(count, s->tile_items) + ((uint64_t)1 << s->digit_bits);
    uint64_t tiles = count / s->tile_items + count / s->item_count + 2;
    tiles += groups + groups / s->builder->caps.max_groups;
    s->item_most = most_items(s, count);
    s->items = ordo_div_ceil(CONTROL_WORDS, alignment_words) * alignment_words;
    s->records[0] = s->items + ITEM_WORDS * s->item_most;
    s->records[1] = s->records[0] + records;
    s->tiles[0] = s->records[1] + records;
    s->tiles[1] = s->tiles[0] + tiles;
    s->tables = s->tiles[1] + tiles;
    return s->tables + (s->stable ? table_words(s, count) : 0);
}

/* Sorts by their counts. A small one takes more and smaller tiles than a large one, so that all
   processors have some, and as few levels as can be, for more memory a key. */
enum { SMALL, MEDIUM, LARGE, SIZES };

static uint64_t most_keys(const msd *s, int size) {
    const ordo_tuning *tuning = s->builder->tuning;
    /* Two ways to find a digit leave fewer registers for a tile. Whether keys are sampled has no say:
       else scratch could fall where that begins. */
    bool two_forms = s->sort->desc->key == ORDO_F32;
    const uint64_t most[SIZES] = {tuning->msd_small_count,
                                  two_forms ? UINT64_MAX : tuning->msd_medium_count, UINT64_MAX};
    return most[size];
}

/* The shape of a partition and the levels. */
static void shape_levels(msd *s, int size) {
    const ordo_tuning *tuning = s->builder->tuning;
    const struct {
        uint32_t items, rounds;
    } small = {tuning->msd_small_items, tuning->msd_small_rounds},
      medium = {tuning->msd_medium_items, tuning->msd_medium_rounds},
      large = {tuning->msd_items, tuning->msd_rounds},
      stable = {tuning->msd_stable_items, tuning->msd_stable_rounds},
      *shape = size == SMALL    ? &small
               : s->value_words ? &stable
               : size == MEDIUM ? &medium
                                : &large;
    s->group = s->value_words ? tuning->msd_stable_group : tuning->msd_group;
    s->rounds = shape->rounds;
    s->tile_items = s->group * shape->items / s->sort->key_words;
    s->level_count = (uint32_t)ordo_div_ceil(s->key_bits, s->digit_bits) + (size == SMALL ? 0 : 2);
    s->forced_level = size == SMALL ? 1 : 2;
}

static void shape_items(msd *s, uint32_t local_group) {
    s->local_group = local_group;
    s->item_count = local_group * s->builder->tuning->msd_local_items;
    s->filled_count = s->item_count - s->item_count / 10;
}

/* Levels that keys spread evenly over all values take. */
static uint32_t usual_levels(const msd *s) {
    uint32_t levels = 1;
    while (levels < s->level_count &&
           s->builder->max_count >> levels * s->digit_bits >= s->filled_count) {
        levels++;
    }
    return levels;
}

static bool can_run_local(const ordo_builder *builder, uint32_t local_group) {
    return local_group <= builder->caps.max_invocations &&
           33 * local_group + LOCAL_OWN_BYTES <= builder->caps.max_workgroup_bytes;
}

/* Choose shapes and place the lists. Small items are the faster, unless large ones save a level.
   Scratch must not fall as the count grows: so a sort takes no less than the largest one of each
   lesser size, and large items no less than small ones. */
static void lay_out_work(msd *s) {
    const ordo_tuning *tuning = s->builder->tuning;
    uint64_t count = s->builder->max_count, least = 0;
    int size = SMALL;
    shape_items(s, tuning->msd_local_group);
    for (; count > most_keys(s, size); size++) {
        shape_levels(s, size);
        uint64_t words = place_lists(s, most_keys(s, size));
        least = words > least ? words : least;
    }
    shape_levels(s, size);
    uint64_t words = place_lists(s, count);
    uint32_t levels = usual_levels(s);
    if (tuning->msd_large_group > tuning->msd_local_group &&
        can_run_local(s->builder, tuning->msd_large_group)) {
        least = words > least ? words : least;
        shape_items(s, tuning->msd_large_group);
        if (usual_levels(s) == levels) {
            shape_items(s, tuning->msd_local_group);
        }
        words = place_lists(s, count);
    }
    s->root_bits = root_bits(s);
    s->work = ordo_plan_scratch(s->builder, 4 * (words > least ? words : least));
}

static void lay_out_columns(msd *s) {
    const ordo_sort *sort = s->sort;
    s->keys[0] = ordo_plan_scratch(s->builder, sort->in.size_bytes);
    s->keys[1] =
        sort->desc->argsort ? ordo_plan_scratch(s->builder, sort->in.size_bytes) : sort->out;
    if (s->value_words) {
        uint64_t bytes = 4 * s->value_words * s->builder->max_count;
        s->values[0] = ordo_plan_scratch(s->builder, bytes);
        s->values[1] = s->indices && !sort->desc->argsort ? ordo_plan_scratch(s->builder, bytes)
                                                          : sort->values_out;
    }
}

/* ---- Steps ---- */

/* A step of so many workgroups, or as many as the device and the tuning allow: all of them take
   more than one tile or item if need be. */
static ordo_step *msd_step(const msd *s, const char *kernel, const char *entry, uint32_t group_size,
                           uint32_t items, uint64_t groups, uint64_t moved_bytes) {
    uint64_t most = s->builder->caps.max_groups, told = s->builder->tuning->msd_groups;
    most = most * most < told ? most * most : told;
    if (groups > most) {
        groups = most;
    }
    return ordo_plan_step_sized(s->builder, kernel, entry, group_size, items, groups, moved_bytes);
}

static void level_params(const msd *s, ordo_step *step, uint32_t level) {
    ordo_plan_param(step, "tile_items", s->tile_items);
    ordo_plan_param(step, "level", level);
    ordo_plan_param(step, "last_level", s->level_count - 1);
    ordo_plan_param(step, "key_bits", s->key_bits);
    ordo_plan_param(step, "digit_bits", s->digit_bits);
    ordo_plan_param(step, "item_count", s->item_count);
    ordo_plan_param(step, "filled_count", s->filled_count);
    ordo_plan_param(step, "root_bits", s->root_bits);
    ordo_plan_param(step, "items", s->items);
    ordo_plan_param(step, "records", s->records[level % 2]);
    ordo_plan_param(step, "next_records", s->records[(level + 1) % 2]);
    ordo_plan_param(step, "tiles", s->tiles[level % 2]);
    ordo_plan_param(step, "next_tiles", s->tiles[(level + 1) % 2]);
    ordo_plan_param(step, "tables", s->tables);
    ordo_plan_param(step, "sampled", s->sampled);
}

static void append_begin(const msd *s) {
    const char *entry = s->sampled ? "msd_begin_sampled" : "msd_begin";
    ordo_step *step =
        ordo_plan_step_sized(s->builder, "msd_begin", entry, BEGIN_GROUP, BEGIN_ITEMS, 1, 0);
    step->unrolled = s->sampled && s->builder->max_count >= s->builder->tuning->msd_unrolled_count;
    ordo_plan_constant(step, "STABLE", s->stable);
    ordo_plan_constant(step, "ALONE", s->value_words == 0);
    ordo_plan_constant(step, "FIXED_ROOT", has_fixed_root(s));
    ordo_plan_key_constants(s->sort, step);
    level_params(s, step, 0);
    ordo_plan_bind(s->builder, step, s->work, ORDO_WRITE);
    if (s->sampled) {
        ordo_plan_bind(s->builder, step, s->sort->in, ORDO_READ);
    }
}

/* Tiles of all keys. */
static uint64_t tile_count(const msd *s) {
    return ordo_div_ceil(s->builder->max_count, s->tile_items);
}

/* Workgroups that share the tiles of a level. Levels beyond the usual ones mostly find nothing,
   which takes the longer the more there are: then they are so few as are enough if it finds
   something. */
static uint64_t level_groups(const msd *s, uint32_t level, uint64_t late) {
    uint64_t tiles = tile_count(s);
    if (level == 0) {
        return tiles;
    }
    tiles += (uint64_t)1 << s->digit_bits;
    return level < usual_levels(s) || tiles < late ? tiles : late;
}

/* Of a step that reads keys without moving them. Its workgroups are light, so that a level which
   finds much after all wants more of them than a partition. */
static uint64_t reading_groups(const msd *s, uint32_t level) {
    const ordo_tuning *tuning = s->builder->tuning;
    uint64_t late = tile_count(s) / 8;
    late = late > tuning->msd_late_groups ? late : tuning->msd_late_groups;
    uint64_t groups = level_groups(s, level, late);
    return level || groups < tuning->histogram_groups ? groups : tuning->histogram_groups;
}

/* The keys of an invocation of a histogram: those of a tile in parts, a quarter each if that is a
   whole number. Fewer at a time are counted as fast, and compile sooner. */
static uint32_t part_items(const msd *s) {
    uint32_t items = s->tile_items / s->builder->tuning->msd_group;
    return items % 4 == 0 ? items / 4 : items % 2 == 0 ? items / 2 : items;
}

/* A step whose workgroups take the tiles of a level, as a histogram does. */
static ordo_step *tile_step(const msd *s, const char *kernel, const char *entry, uint32_t level,
                            uint64_t bytes) {
    const ordo_tuning *tuning = s->builder->tuning;
    ordo_step *step = msd_step(s, kernel, entry, tuning->msd_group, part_items(s),
                               reading_groups(s, level), bytes);
    step->unrolled = s->builder->max_count >= tuning->msd_unrolled_count;
    ordo_plan_constant(step, "BINS", 1u << s->digit_bits);
    ordo_plan_key_constants(s->sort, step);
    level_params(s, step, level);
    ordo_plan_bind(s->builder, step, s->work, ORDO_READ | ORDO_WRITE);
    return step;
}

static void append_histogram(const msd *s, uint32_t level, const ordo_area *from) {
    uint64_t bytes = level < usual_levels(s) ? from->size_bytes : 0;
    ordo_step *step = tile_step(s, "msd_histogram", "msd_histogram", level, bytes);
    ordo_plan_constant(step, "STABLE", s->stable);
    ordo_plan_constant(step, "FIXED_ROOT", has_fixed_root(s));
    ordo_plan_bind(s->builder, step, *from, ORDO_READ);
}

static void append_check(const msd *s) {
    ordo_step *step = tile_step(s, "msd_check", "msd_check", 0, 0);
    ordo_plan_constant(step, "STABLE", s->stable);
    ordo_plan_bind(s->builder, step, s->sort->in, ORDO_READ);
}

/* Keys in an order go to the final place, and values that travel with them. */
static void append_finish_columns(const msd *s) {
    const ordo_sort *sort = s->sort;
    ordo_builder *builder = s->builder;
    bool in_place = sort->desc->in_place, pairs = s->value_words && !s->indices;
    unsigned access = in_place ? ORDO_READ | ORDO_WRITE : ORDO_READ;
    const char *entry = pairs && in_place ? "msd_finish_pairs_in_place"
                        : pairs           ? "msd_finish_pairs"
                        : in_place        ? "msd_finish_keys_in_place"
                                          : "msd_finish_keys";
    ordo_step *step = tile_step(s, "msd_finish", entry, 0, 0);
    step->items = FINISH_ITEMS;
    if (pairs) {
        ordo_plan_constant(step, "VALUE_WORDS", s->value_words);
    }
    ordo_plan_bind(builder, step, sort->in, access);
    if (!in_place) {
        ordo_plan_bind(builder, step, sort->out, ORDO_WRITE);
    }
    if (pairs) {
        ordo_plan_bind(builder, step, sort->values_in, access);
    }
    if (pairs && !in_place) {
        ordo_plan_bind(builder, step, sort->values_out, ORDO_WRITE);
    }
}

/* End the sort where keys are as promised. Indices are a step of their own. */
static void append_finish(const msd *s) {
    if (!s->sort->desc->argsort) {
        append_finish_columns(s);
    }
    if (s->indices) {
        ordo_step *step = tile_step(s, "msd_finish", "msd_finish_index", 0, 0);
        step->items = FINISH_ITEMS;
        ordo_plan_bind(s->builder, step, s->values[1], ORDO_WRITE);
    }
}

static void append_scan(const msd *s, uint32_t level) {
    const ordo_tuning *tuning = s->builder->tuning;
    uint32_t items = tuning->radix_scan_items;
    uint64_t groups = level_groups(s, level, tuning->msd_late_groups);
    uint64_t bytes = level < usual_levels(s) ? 8 * tile_count(s) << s->digit_bits : 0;
    /* A digit of the root each, or buckets, which a look at their tiles finds. */
    uint64_t most = level ? tuning->msd_scan_groups : (uint64_t)1 << s->digit_bits;
    groups = groups < most ? groups : most;
    ordo_step *step = msd_step(s, "msd_scan", "msd_scan", tuning->msd_group, items, groups, bytes);
    step->unrolled = s->builder->max_count >= tuning->msd_unrolled_count;
    ordo_plan_constant(step, "CELLS", tuning->msd_group * items / 32 * 33);
    level_params(s, step, level);
    ordo_plan_bind(s->builder, step, s->work, ORDO_READ | ORDO_WRITE);
}

uint32_t ordo_plan_cell_words(uint32_t digit_bits, uint32_t group, uint32_t part_words,
                              uint32_t rank_words) {
    uint32_t words = part_words > rank_words ? part_words : rank_words;
    uint32_t children = 5u << digit_bits, sums = group / 8 * 17;
    words = words > children ? words : children;
    words = words > sums ? words : sums;
    return words;
}

static uint32_t cell_words(const msd *s, ordo_step *step) {
    uint32_t part = s->tile_items / s->rounds * s->sort->key_words;
    uint32_t ranks = s->stable ? ordo_plan_rank(s->builder, step, s->group) : 0;
    return ordo_plan_cell_words(s->digit_bits, s->group, part, ranks);
}

/* Copies of a partition's counters, for keys that crowd: of keys alone, which are ranked by them,
   if that leaves workgroup memory for the rest. */
static uint32_t counter_copies(const msd *s, uint32_t cells) {
    uint32_t bins = 1u << s->digit_bits;
    uint32_t words = cells + ORDO_COUNTER_COPIES * (bins + 1) + bins + ORDO_PARTITION_WORDS;
    bool fits = 4 * words <= s->builder->caps.max_workgroup_bytes;
    return s->value_words == 0 && fits ? ORDO_COUNTER_COPIES : 1;
}

static void append_partition(const msd *s, uint32_t level, const ordo_area *from) {
    ordo_builder *builder = s->builder;
    const ordo_tuning *tuning = builder->tuning;
    uint32_t key_words = s->sort->key_words;
    bool makes_indices = s->indices && level == 0;
    uint32_t words = 2 * key_words + (2 - makes_indices) * s->value_words;
    const char *entry = !s->value_words ? "msd_partition_keys"
                        : makes_indices ? "msd_partition_index"
                                        : "msd_partition_pairs";
    ordo_step *step = msd_step(s, "msd_partition", entry, s->group, s->tile_items / s->group,
                               level_groups(s, level, tuning->msd_late_groups),
                               level < usual_levels(s) ? 4 * words * builder->max_count : 0);
    step->unrolled = builder->max_count >= tuning->msd_unrolled_count;
    ordo_plan_constant(step, "BINS", 1u << s->digit_bits);
    if (s->value_words) {
        ordo_plan_constant(step, "VALUE_WORDS", s->value_words);
        if (!s->stable) {
            ordo_plan_constant(step, "STABLE", false);
        }
    }
    ordo_plan_constant(step, "FIXED_ROOT", has_fixed_root(s));
    uint32_t cells = cell_words(s, step);
    ordo_plan_constant(step, "CELLS", cells);
    if (!s->value_words) {
        ordo_plan_constant(step, "COPIES", counter_copies(s, cells));
    }
    ordo_plan_constant(step, "ROUNDS", s->rounds);
    ordo_plan_key_constants(s->sort, step);
    level_params(s, step, level);
    ordo_plan_bind(builder, step, s->work, ORDO_READ | ORDO_WRITE);
    ordo_plan_bind(builder, step, *from, ORDO_READ);
    ordo_plan_bind(builder, step, s->keys[level % 2], ORDO_WRITE);
    if (s->value_words) {
        ordo_plan_bind(builder, step, s->values[level % 2], ORDO_WRITE);
    }
    if (s->value_words && !makes_indices) {
        ordo_plan_bind(builder, step, level ? s->values[(level + 1) % 2] : s->sort->values_in,
                       ORDO_READ);
    }
}

static void append_local(const msd *s) {
    ordo_builder *builder = s->builder;
    const ordo_tuning *tuning = builder->tuning;
    uint64_t groups = builder->max_count / s->filled_count + 1;
    bool writes_keys = !s->sort->desc->argsort;
    uint64_t words = s->sort->key_words * (1 + writes_keys) + 2 * s->value_words;
    ordo_step *step =
        msd_step(s, "msd_local", s->value_words ? "msd_local_pairs" : "msd_local_keys",
                 s->local_group, tuning->msd_local_items, groups, 4 * words * builder->max_count);
    step->unrolled = builder->max_count >= tuning->msd_unrolled_count;
    ordo_plan_constant(step, "CELLS", s->local_group * 33 / 4);
    ordo_plan_key_constants(s->sort, step);
    ordo_plan_constant(step, "TIES", s->value_words > 0);
    if (s->value_words) {
        ordo_plan_constant(step, "WRITE_KEYS", writes_keys);
        ordo_plan_constant(step, "VALUE_WORDS", s->value_words);
    }
    ordo_area control = s->work, items = s->work;
    control.size_bytes = 4 * CONTROL_WORDS;
    items.offset_bytes += 4 * s->items;
    items.size_bytes = 4 * ITEM_WORDS * s->item_most;
    ordo_plan_bind(builder, step, control, ORDO_READ);
    ordo_plan_bind(builder, step, items, ORDO_READ);
    ordo_plan_bind(builder, step, s->keys[0], ORDO_READ | ORDO_WRITE);
    ordo_plan_bind(builder, step, s->keys[1], ORDO_READ | ORDO_WRITE);
    if (s->value_words) {
        ordo_plan_bind(builder, step, s->values[0], ORDO_READ | ORDO_WRITE);
        ordo_plan_bind(builder, step, s->values[1], ORDO_READ | ORDO_WRITE);
    }
}

/* The workgroup that sorts all keys as one item: as many invocations as they need, if the device has
   them, and the memory. 0: none does. */
static uint32_t small_group(const msd *s) {
    const ordo_builder *builder = s->builder;
    const ordo_tuning *tuning = builder->tuning;
    const uint32_t groups[] = {tuning->msd_local_group, tuning->msd_middle_group,
                               tuning->msd_greatest_group};
    for (uint32_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (builder->max_count <= (uint64_t)groups[i] * tuning->msd_local_items &&
            can_run_local(builder, groups[i])) {
            return groups[i];
        }
    }
    return 0;
}

/* All keys are one item. */
static void append_small(const msd *s, uint32_t group) {
    const ordo_sort *sort = s->sort;
    const ordo_sort_desc *desc = sort->desc;
    ordo_builder *builder = s->builder;
    const ordo_tuning *tuning = builder->tuning;
    bool writes_keys = !desc->argsort;
    const char *entry = desc->argsort                      ? "msd_small_index"
                        : s->value_words && desc->in_place ? "msd_small_pairs_in_place"
                        : s->value_words                   ? "msd_small_pairs"
                        : desc->in_place                   ? "msd_small_keys_in_place"
                                                           : "msd_small_keys";
    uint64_t words = sort->key_words * (1 + writes_keys) + s->value_words * (2 - desc->argsort);
    ordo_step *step =
        ordo_plan_step_sized(builder, "msd_small", entry, group, tuning->msd_local_items, 1,
                             4 * words * builder->max_count);
    step->unrolled = builder->max_count >= tuning->msd_unrolled_count;
    ordo_plan_constant(step, "CELLS", group * 33 / 4);
    ordo_plan_key_constants(sort, step);
    ordo_plan_constant(step, "TIES", s->value_words > 0);
    if (s->value_words) {
        ordo_plan_constant(step, "VALUE_WORDS", s->value_words);
    }
    ordo_plan_bind(builder, step, sort->in, desc->in_place ? ORDO_READ | ORDO_WRITE : ORDO_READ);
    if (writes_keys && !desc->in_place) {
        ordo_plan_bind(builder, step, sort->out, ORDO_WRITE);
    }
    if (s->value_words && writes_keys) {
        ordo_plan_bind(builder, step, sort->values_in,
                       desc->in_place ? ORDO_READ | ORDO_WRITE : ORDO_READ);
    }
    if (s->value_words && !desc->in_place) {
        ordo_plan_bind(builder, step, sort->values_out, ORDO_WRITE);
    }
}

void ordo_plan_msd(const ordo_sort *sort) {
    ordo_builder *builder = sort->builder;
    const ordo_tuning *tuning = builder->tuning;
    const ordo_sort_desc *desc = sort->desc;
    msd s = {.sort = sort,
             .builder = builder,
             .indices = desc->argsort || desc->value_bytes > tuning->carried_value_bytes,
             .key_bits = 32 * sort->key_words,
             .sampled = builder->max_count >= tuning->msd_data_count,
             .digit_bits = tuning->msd_digit_bits};
    s.value_words = s.indices ? 1 : desc->value_bytes / 4;
    s.stable = s.value_words && (s.indices || !desc->allow_unstable);
    uint32_t group = small_group(&s);
    if (group && (desc->argsort || !s.indices)) {
        append_small(&s, group);
        return;
    }
    lay_out_columns(&s);
    lay_out_work(&s);
    builder->summary->digit_bits = s.digit_bits;
    builder->summary->pass_count = s.level_count;
    append_begin(&s);
    if (s.sampled) {
        append_check(&s);
        append_finish(&s);
    }
    for (uint32_t level = 0; level < s.level_count; level++) {
        ordo_area from = level ? s.keys[(level + 1) % 2] : sort->in;
        append_histogram(&s, level, &from);
        if (s.stable) {
            append_scan(&s, level);
        }
        append_partition(&s, level, &from);
    }
    append_local(&s);
    if (s.indices && !desc->argsort) {
        ordo_plan_gather_values(sort, &(ordo_indices){.area = s.values[1], .mask = UINT32_MAX});
    }
}
