/* SPDX-License-Identifier: MIT */
/*
 * plan_network.c: sorts by Batcher's networks, bitonic and odd-even merge.
 *
 *     sort      stages 1 … log2 block of every block, in workgroup memory
 *     then for each stage k above:
 *     step      its levels from k - 1 down to the block's, several fused into one dispatch
 *     (seam)    odd-even: of the levels below, the comparators that join two blocks
 *     merge     the levels below, inside of blocks
 *
 * The first dispatch reads the caller's keys, all others work in place where the result shall be.
 * An element is a key, with a payload where that is not enough:
 *
 *     nothing   keys alone: equal keys are the same bits
 *     index     argsort, values, keys that tie outside of a window: the index breaks ties, which
 *               makes the network stable; values are gathered by it at the end
 *     value     values that may be unstable, in place, of one or two words: no scratch at all
 *
 * Where the first dispatch is the only one, it gathers the values too.
 *
 * Where key and index fit into one word they are packed, out of place, and words are sorted as
 * keys: half the bytes at each of the many dispatches, for one that packs and one or two that unpack.
 *
 *     keys -> (pack_keys) scratch -> network -> (pack_indices) VALUES_OUT         an argsort
 *                                            -> (move_gather) OUT, VALUES_OUT     keys and values
 */
#include "network.h"
#include "plan.h"

/* What lib/element.wgsl calls its FORM_ bits; of word w bits 4 * w and up say how it compares. */
enum {
    FORM_DESCENDING = 4,
    FORM_LOW_FIRST = 0x10000,
    FORM_READS_BITS = 0x20000,
    FORM_WRITES_BITS = 0x40000,
    FORM_NO_KEYS = 0x80000,
    FORM_MAKES_INDEX = 0x100000,
    FORM_ROW_INDEX = 0x200000,
};

typedef enum payload { PAYLOAD_NOTHING, PAYLOAD_INDEX, PAYLOAD_VALUE } payload;

typedef struct network {
    ordo_builder *builder;
    bool oddeven, direct;
    payload payload;
    uint32_t key_words, payload_words;
    uint32_t kinds;                   /* of all words, and their order in memory */
    uint32_t window;                  /* 0: whole keys; else skip_low_bits + 256 * skip_high_bits */
    bool converts;                    /* the keys are the caller's bits, not images */
    bool no_keys;                     /* sorted keys are not wanted */
    uint32_t row_length, row_bits;    /* row_length 0: one row of all */
    uint32_t stages;                  /* log2 of the positions a row */
    uint64_t positions;               /* of all rows */
    uint32_t block_bits, sort_stages; /* stages that the first dispatch does */
    uint32_t items, group_size;       /* of block kernels */
    uint32_t fused;                   /* levels a step */
    ordo_area source, keys, payload_area; /* keys: where they are sorted */
} network;

/* ---- Shape ---- */

static uint32_t log2_floor(uint64_t number) { return ordo_log2_ceil(number + 1) - 1; }

/* log2 of the largest block of elements of so many words. */
static uint32_t largest_block_bits(const ordo_builder *builder, uint32_t words) {
    uint32_t by_memory = log2_floor(builder->caps.max_workgroup_bytes / (4 * words));
    uint32_t by_invocations =
        log2_floor((uint64_t)builder->caps.max_invocations * builder->tuning->network_items);
    uint32_t bits = by_memory < by_invocations ? by_memory : by_invocations;
    return bits < 31 ? bits : 31;
}

/* Set the block and how many elements an invocation of it holds: fewer of many words, so that they
   stay in registers. One array that fits a block takes no larger one than it needs, down to four
   elements an invocation of the tuning's workgroup, since fewer of them finish sooner. */
static void shape_block(network *n, uint32_t block_length) {
    const ordo_tuning *tuning = n->builder->tuning;
    uint32_t words = n->key_words + n->payload_words;
    uint32_t most = largest_block_bits(n->builder, words);
    if (block_length &&
        (block_length < 16 || block_length > 1u << most || (block_length & (block_length - 1)))) {
        ordo_plan_fail(n->builder, ORDO_MESSAGE_BLOCK,
                       &(ordo_report){.a = block_length, .b = 1u << most});
    }
    n->block_bits = block_length ? log2_floor(block_length) : most;
    if (!block_length && !n->row_length && n->stages < most) {
        uint32_t least = log2_floor(4 * tuning->group_size);
        uint32_t needed = n->stages > least ? n->stages : least;
        n->block_bits = needed < most ? needed : most;
    }
    uint32_t block = 1u << n->block_bits;
    uint32_t items = block / (tuning->group_size << ordo_log2_ceil(words));
    n->items = items < 4 ? 4 : items < tuning->network_items ? items : tuning->network_items;
    while (block / n->items > n->builder->caps.max_invocations) {
        n->items *= 2;
    }
    n->group_size = block / n->items;
    uint32_t most_stages = n->direct ? 1 : n->block_bits;
    n->sort_stages = n->stages < most_stages ? n->stages : most_stages;
}

/* Set rows: how many positions each takes, and all. */
static void shape_rows(network *n, const ordo_sort_desc *desc) {
    bool rows = desc->row_length && desc->row_length < desc->max_count;
    n->row_length = rows ? desc->row_length : 0;
    n->stages = ordo_log2_ceil(rows ? desc->row_length : desc->max_count);
    n->row_bits = rows ? n->stages : 0;
    n->positions = desc->max_count;
    if (rows) {
        n->positions = ordo_div_ceil(desc->max_count, desc->row_length) << n->stages;
        if (n->positions > (uint64_t)1 << 32) {
            ordo_plan_fail(n->builder, ORDO_MESSAGE_ROWS,
                           &(ordo_report){.a = desc->max_count,
                                          .b = desc->row_length,
                                          .c = (uint64_t)1 << n->stages});
        }
    }
}

/* How the words of a key compare, and in which order they lie in memory. */
static uint32_t kinds_of(const ordo_sort_desc *desc) {
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < desc->part_count; i++) {
        const ordo_key_part *part = &desc->parts[i];
        kinds |= (part->type + FORM_DESCENDING * part->order) << 4 * i;
    }
    if (desc->part_count) {
        return kinds;
    }
    /* By type the kinds of the most significant word and of the other. */
    static const uint32_t words[] = {0, 1, 2, 0, 1, 3};
    kinds = words[desc->key] + (desc->order ? 0x11 * FORM_DESCENDING : 0);
    return kinds | (ordo_type_bytes(desc->key) == 8 ? FORM_LOW_FIRST : 0);
}

/* ---- Steps ---- */

/* Of a pair of entry points the one without a payload or the one with it. */
static const char *entry_of(const network *n, const char *const entries[2]) {
    return entries[n->payload != PAYLOAD_NOTHING];
}

/* Append a step of the network. Its first or last one converts keys, and makes indices. */
static ordo_step *network_step(const network *n, const char *entry, uint32_t group_size,
                               uint32_t items, uint64_t groups, uint32_t words_moved, bool first,
                               bool last) {
    ordo_builder *builder = n->builder;
    ordo_step *step =
        ordo_plan_step_sized(builder, n->oddeven ? "oddeven" : "bitonic", entry, group_size, items,
                             groups, 4 * words_moved * builder->max_count);
    step->unrolled = !n->oddeven;
    ordo_plan_constant(step, "KEY_WORDS", n->key_words);
    ordo_plan_constant(step, "PAYLOAD_WORDS", n->payload_words);
    ordo_plan_constant(step, "TIES", n->payload == PAYLOAD_INDEX);
    ordo_plan_constant(step, "WINDOWED", n->window != 0);
    uint32_t form = n->kinds;
    form |= first && n->converts ? FORM_READS_BITS : 0;
    form |= first && n->payload == PAYLOAD_INDEX ? FORM_MAKES_INDEX : 0;
    form |= last && n->converts ? FORM_WRITES_BITS : 0;
    form |= last && n->no_keys ? FORM_NO_KEYS : 0;
    form |= n->row_length ? FORM_ROW_INDEX : 0;
    ordo_plan_param(step, "row_length", n->row_length);
    ordo_plan_param(step, "row_bits", n->row_bits);
    ordo_plan_param(step, "form", form);
    ordo_plan_param(step, "window", n->window);
    return step;
}

static uint64_t block_count(const network *n) {
    return ordo_div_ceil(n->positions, (uint64_t)1 << n->block_bits);
}

/* Append a step whose workgroups hold a block, or a block's length around a seam. An odd-even one
   has the two elements of a comparator in registers, a bitonic one a block's share. */
static ordo_step *block_step(const network *n, const char *entry, uint64_t groups,
                             uint32_t words_moved, bool first, bool last) {
    ordo_step *step = network_step(n, entry, n->group_size, n->oddeven ? 2 : n->items, groups,
                                   words_moved, first, last);
    bool one_word = n->key_words + n->payload_words == 1 && !n->window;
    step->subgroups = n->builder->caps.subgroups && one_word && !n->oddeven;
    ordo_plan_constant(step, "CELLS", (n->key_words + n->payload_words) << n->block_bits);
    if (n->oddeven) {
        ordo_plan_constant(step, "BLOCK", 1u << n->block_bits);
    }
    ordo_plan_param(step, "groups", groups);
    return step;
}

/* Words that a step moves an element when it works in place. */
static uint32_t words_in_place(const network *n, bool last) {
    bool writes_keys = !(last && n->no_keys);
    return n->key_words * (1 + writes_keys) + 2 * n->payload_words;
}

/* Bind keys and payload, in place. */
static void bind_elements(const network *n, ordo_step *step, bool last) {
    unsigned keys = last && n->no_keys ? ORDO_READ : ORDO_READ | ORDO_WRITE;
    ordo_plan_bind(n->builder, step, n->keys, keys);
    if (n->payload != PAYLOAD_NOTHING) {
        ordo_plan_bind(n->builder, step, n->payload_area, ORDO_READ | ORDO_WRITE);
    }
}

/* The first dispatch. */
static void append_sort(const network *n, bool in_place) {
    static const char *const entries[2][2][2] = {
        {{"bitonic_sort_keys", "bitonic_sort_index"},
         {"bitonic_sort_keys_in_place", "bitonic_sort_pairs_in_place"}},
        {{"oddeven_sort_keys", "oddeven_sort_index"},
         {"oddeven_sort_keys_in_place", "oddeven_sort_pairs_in_place"}}};
    bool last = n->sort_stages == n->stages;
    bool writes_keys = !(last && n->no_keys);
    uint32_t payload_words = n->payload_words * (n->payload == PAYLOAD_VALUE ? 2 : 1);
    ordo_step *step = block_step(n, entry_of(n, entries[n->oddeven][in_place]), block_count(n),
                                 n->key_words * (1 + writes_keys) + payload_words, true, last);
    ordo_plan_param(step, "stages", n->sort_stages);
    if (in_place) {
        ordo_plan_bind(n->builder, step, n->keys, ORDO_READ | ORDO_WRITE);
        if (n->payload != PAYLOAD_NOTHING) {
            unsigned read = n->payload == PAYLOAD_VALUE ? ORDO_READ : ORDO_IDLE;
            ordo_plan_bind(n->builder, step, n->payload_area, read | ORDO_WRITE);
        }
        return;
    }
    ordo_plan_bind(n->builder, step, n->keys, writes_keys ? ORDO_WRITE : ORDO_IDLE);
    if (n->payload != PAYLOAD_NOTHING) {
        ordo_plan_bind(n->builder, step, n->payload_area, ORDO_WRITE);
    }
    ordo_plan_bind(n->builder, step, n->source, ORDO_READ);
}

/* The first dispatch where it is the only one, of values that an index gathers. */
static void append_sort_values(const network *n, const ordo_sort *sort) {
    static const char *const entries[2] = {"bitonic_sort_values", "bitonic_sort_values_in_place"};
    bool in_place = sort->desc->in_place;
    uint32_t value_words = sort->desc->value_bytes / 4;
    ordo_step *step = block_step(n, entries[in_place], block_count(n),
                                 2 * (n->key_words + value_words), true, true);
    unsigned read = in_place ? ORDO_READ : ORDO_IDLE;
    ordo_plan_param(step, "stages", n->stages);
    ordo_plan_param(step, "value_words", value_words);
    ordo_plan_bind(n->builder, step, sort->out, read | ORDO_WRITE);
    ordo_plan_bind(n->builder, step, sort->values_out, read | ORDO_WRITE);
    if (!in_place) {
        ordo_plan_bind(n->builder, step, sort->in, ORDO_READ);
        ordo_plan_bind(n->builder, step, sort->values_in, ORDO_READ);
    }
}

static ordo_step *append_merge(const network *n, bool last) {
    static const char *const entries[2][2] = {{"bitonic_merge_keys", "bitonic_merge_pairs"},
                                              {"oddeven_merge_keys", "oddeven_merge_pairs"}};
    ordo_step *step = block_step(n, entry_of(n, entries[n->oddeven]), block_count(n),
                                 words_in_place(n, last), false, last);
    bind_elements(n, step, last);
    return step;
}

/* Of the stage's seams those that have elements behind them, counted run by run. */
static void append_seam(const network *n, uint32_t stage) {
    static const char *const entries[2] = {"oddeven_seam_keys", "oddeven_seam_pairs"};
    uint64_t per_run = ((uint64_t)1 << (stage - n->block_bits)) - 1;
    uint64_t runs = block_count(n) / (per_run + 1), rest = block_count(n) % (per_run + 1);
    uint64_t seams = runs * per_run + (rest ? rest - 1 : 0);
    ordo_step *step =
        block_step(n, entry_of(n, entries), seams, words_in_place(n, false), false, false);
    ordo_plan_param(step, "stage", stage);
    bind_elements(n, step, false);
}

/* Invocations of a bitonic step of `fused` levels from `low` up that have comparators. In each run
   of 2^(low + fused) positions number t has, if its lowest upper wire lies below the end. The last
   step, which takes images back, also visits elements that meet none. */
static uint64_t bitonic_tasks(const network *n, uint32_t low, bool flips, bool last) {
    uint32_t bits = low + n->fused;
    uint64_t stride = (uint64_t)1 << low;
    uint64_t upper = last ? 0 : flips ? (uint64_t)1 << (bits - 1) : stride;
    uint64_t rest = n->positions & (((uint64_t)1 << bits) - 1);
    rest = rest > upper ? rest - upper : 0;
    return (n->positions >> bits << low) + (rest < stride ? rest : stride);
}

static ordo_step *append_step(const network *n, uint64_t tasks, bool last) {
    static const char *const entries[2][2] = {{"bitonic_step_keys", "bitonic_step_pairs"},
                                              {"oddeven_step_keys", "oddeven_step_pairs"}};
    uint32_t group_size = n->builder->tuning->group_size;
    ordo_step *step = network_step(
        n, entry_of(n, entries[n->oddeven]), group_size, n->oddeven ? 2 : 1u << n->fused,
        ordo_div_ceil(tasks, group_size), words_in_place(n, last), false, last);
    /* Sizes an array that this entry point does not use. */
    ordo_plan_constant(step, "CELLS", 1);
    bind_elements(n, step, last);
    return step;
}

static void append_bitonic_step(const network *n, uint32_t low, bool flips, bool last) {
    uint64_t tasks = bitonic_tasks(n, low, flips, last);
    ordo_step *step = append_step(n, tasks, last);
    ordo_plan_param(step, "low", low);
    ordo_plan_param(step, "flips", flips);
    ordo_plan_param(step, "tasks", tasks);
}

static void append_oddeven_step(const network *n, uint32_t stage, uint32_t level) {
    uint64_t tasks = ordo_network_level_size(ORDO_NETWORK_ODDEVEN, stage, level, n->positions);
    ordo_step *step = append_step(n, tasks, false);
    ordo_plan_param(step, "stage", stage);
    ordo_plan_param(step, "level", level);
    ordo_plan_param(step, "tasks", tasks);
}

/* ---- Networks ---- */

/* The stages above blocks. */
static void append_bitonic(const network *n) {
    for (uint32_t stage = n->block_bits + 1; stage <= n->stages; stage++) {
        uint32_t above = stage;
        for (; above > n->block_bits; above -= n->fused) {
            append_bitonic_step(n, above - n->fused, above == stage, false);
        }
        ordo_plan_param(append_merge(n, stage == n->stages), "levels", above);
    }
}

static void append_direct(const network *n) {
    for (uint32_t stage = 2; stage <= n->stages; stage++) {
        for (uint32_t above = stage; above > 0; above--) {
            bool last = stage == n->stages && above == 1;
            append_bitonic_step(n, above - 1, above == stage, last);
        }
    }
}

static void append_oddeven(const network *n) {
    for (uint32_t stage = n->block_bits + 1; stage <= n->stages; stage++) {
        for (uint32_t above = stage; above > n->block_bits; above--) {
            append_oddeven_step(n, stage, above - 1);
        }
        append_seam(n, stage);
        append_merge(n, stage == n->stages);
    }
}

static void append_network(const network *n, bool in_place) {
    append_sort(n, in_place);
    if (n->direct) {
        append_direct(n);
    } else if (n->oddeven) {
        append_oddeven(n);
    } else {
        append_bitonic(n);
    }
}

/* ---- Packing ---- */

static ordo_step *pack_step(const ordo_sort *sort, const network *n, const char *entry,
                            uint32_t moved_words) {
    ordo_builder *builder = sort->builder;
    ordo_step *step = ordo_plan_share_step(builder, "pack", entry, moved_words);
    ordo_plan_key_constants(sort, step);
    ordo_plan_param(step, "index_bits", builder->summary->index_bits);
    ordo_plan_param(step, "shift", sort->desc->skip_low_bits);
    ordo_plan_param(step, "mask", ((uint64_t)1 << sort->window_bits) - 1);
    ordo_plan_param(step, "row_length", n->row_length);
    return step;
}

/* Sort words of key and index, which lie in scratch. */
static void append_packed(const ordo_sort *sort, network *n) {
    ordo_builder *builder = sort->builder;
    const ordo_sort_desc *desc = sort->desc;
    n->keys = n->source = ordo_plan_scratch(builder, 4 * desc->max_count);
    ordo_step *step = pack_step(sort, n, "pack_keys", sort->key_words + 1);
    ordo_plan_bind(builder, step, n->keys, ORDO_WRITE);
    ordo_plan_bind(builder, step, sort->in, ORDO_READ);
    append_network(n, true);
    if (desc->argsort) {
        step = pack_step(sort, n, "pack_indices", 2);
        ordo_plan_bind(builder, step, sort->values_out, ORDO_WRITE);
        ordo_plan_bind(builder, step, n->keys, ORDO_READ);
        return;
    }
    uint32_t mask = (uint32_t)(((uint64_t)1 << builder->summary->index_bits) - 1);
    ordo_indices indices = {.area = n->keys, .mask = mask, .row_length = n->row_length};
    ordo_plan_gather(builder, sort->key_words, sort->in, &indices, sort->out);
    if (desc->value_bytes) {
        ordo_plan_gather_values(sort, &indices);
    }
}

/* ---- The sort ---- */

static void append_unpacked(const ordo_sort *sort, network *n) {
    ordo_builder *builder = sort->builder;
    const ordo_sort_desc *desc = sort->desc;
    bool one_dispatch = n->sort_stages == n->stages;
    n->source = sort->in;
    n->keys = sort->out;
    if (one_dispatch && n->payload == PAYLOAD_INDEX && desc->value_bytes && !n->oddeven) {
        append_sort_values(n, sort);
        return;
    }
    if (desc->argsort) {
        /* Keys that are sorted in one dispatch never go to memory. */
        n->keys = ordo_plan_scratch(builder, one_dispatch ? 4 : sort->in.size_bytes);
        n->payload_area = sort->values_out;
    } else if (n->payload == PAYLOAD_VALUE) {
        n->payload_area = sort->values_in;
    } else if (n->payload == PAYLOAD_INDEX) {
        n->payload_area = ordo_plan_scratch(builder, 4 * desc->max_count);
    }
    append_network(n, desc->in_place);
    if (n->payload == PAYLOAD_INDEX && desc->value_bytes) {
        ordo_plan_gather_values(sort, &(ordo_indices){.area = n->payload_area,
                                                      .mask = UINT32_MAX,
                                                      .row_length = n->row_length});
    }
}

static payload payload_of(const ordo_sort_desc *desc) {
    bool windowed = desc->skip_low_bits || desc->skip_high_bits;
    if (desc->value_bytes) {
        bool carries = desc->in_place && desc->allow_unstable && desc->value_bytes <= 8;
        return carries ? PAYLOAD_VALUE : PAYLOAD_INDEX;
    }
    return desc->argsort || (windowed && !desc->allow_unstable) ? PAYLOAD_INDEX : PAYLOAD_NOTHING;
}

static uint32_t payload_words_of(const ordo_sort_desc *desc) {
    switch (payload_of(desc)) {
    case PAYLOAD_INDEX:
        return 1;
    case PAYLOAD_VALUE:
        return desc->value_bytes / 4;
    default:
        return 0;
    }
}

/* Whether to pack: the bits fit, it spares more than the step or two that it takes, and those have
   room in the grid, so that a plan does not become too large by packing. */
static bool packs(const ordo_sort *sort, const network *n, uint32_t index_bits) {
    const ordo_builder *builder = sort->builder;
    uint64_t most = (uint64_t)builder->caps.max_groups * builder->caps.max_groups;
    return n->payload == PAYLOAD_INDEX && !sort->desc->in_place && n->sort_stages < n->stages &&
           sort->window_bits + index_bits <= 32 && ordo_plan_share_groups(builder) <= most;
}

void ordo_plan_network(const ordo_sort *sort, ordo_method method) {
    ordo_builder *builder = sort->builder;
    const ordo_sort_desc *desc = sort->desc;
    ordo_summary *summary = builder->summary;
    network n = {.builder = builder,
                 .oddeven = method == ORDO_METHOD_ODDEVEN,
                 .direct = method == ORDO_METHOD_BITONIC_DIRECT,
                 .payload = payload_of(desc),
                 .key_words = sort->key_words,
                 .payload_words = payload_words_of(desc),
                 .kinds = kinds_of(desc),
                 .window = desc->skip_low_bits + 256 * desc->skip_high_bits,
                 .converts = true,
                 .no_keys = desc->argsort};
    n.fused = desc->fused_levels ? desc->fused_levels : builder->tuning->network_fused;
    n.fused = n.direct || n.oddeven ? 1 : n.fused;
    shape_rows(&n, desc);
    shape_block(&n, desc->block_length);
    if (builder->status != ORDO_OK || desc->max_count == 0 || sort->window_bits == 0) {
        return;
    }
    uint32_t index_bits = ordo_index_bits(n.row_length ? n.row_length : desc->max_count);
    bool packed = packs(sort, &n, index_bits);
    if (packed) {
        summary->index_bits = index_bits;
        n.payload = PAYLOAD_NOTHING;
        n.payload_words = 0;
        n.key_words = 1;
        n.kinds = n.window = 0;
        n.converts = n.no_keys = false;
        shape_block(&n, desc->block_length);
    }
    summary->block_length = n.direct ? 2 : 1u << n.block_bits;
    summary->fused_levels = n.fused;
    if (packed) {
        append_packed(sort, &n);
    } else {
        append_unpacked(sort, &n);
    }
}

/* ---- Packing by callers ---- */

uint32_t ordo_index_bits(uint64_t count) { return count > UINT32_MAX ? 32 : ordo_log2_ceil(count); }

uint32_t ordo_pack(uint32_t key, uint32_t index, uint32_t index_bits) {
    return key << index_bits | (index & ((1u << index_bits) - 1));
}

uint32_t ordo_unpack(uint32_t word, uint32_t index_bits, uint32_t *index) {
    if (index) {
        *index = word & ((1u << index_bits) - 1);
    }
    return word >> index_bits;
}
