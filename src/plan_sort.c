/* SPDX-License-Identifier: MIT */
/*
 * plan_sort.c: what all sorts share: the check of the desc, the choice of the method, the caller's
 * buffers, and moves of whole columns.
 */
#include "plan.h"

uint32_t ordo_key_bytes(const ordo_sort_desc *desc) {
    if (desc->part_count == 0) {
        return ordo_type_bytes(desc->key);
    }
    return desc->part_count >= 2 && desc->part_count <= ORDO_MAX_PARTS ? 4 * desc->part_count : 0;
}

/* ---- Checks ---- */

void ordo_plan_check_values(ordo_builder *builder, uint32_t value_bytes, bool argsort,
                            bool in_place) {
    if (value_bytes % 4 || value_bytes > 64) {
        ordo_plan_fail(builder, ORDO_MESSAGE_VALUE_BYTES,
                       &(ordo_report){.a = value_bytes, .b = 64});
    }
    if (argsort && (value_bytes || in_place)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_ARGSORT,
                       &(ordo_report){.s = in_place ? "in_place" : "value_bytes",
                                      .a = in_place ? 1 : value_bytes});
    }
}

static void check_parts(ordo_builder *builder, const ordo_sort_desc *desc) {
    const struct {
        const char *name;
        uint32_t value;
    } without[] = {{"key", desc->key},
                   {"order", desc->order},
                   {"skip_low_bits", desc->skip_low_bits},
                   {"skip_high_bits", desc->skip_high_bits}};
    static const char *const order_names[ORDO_MAX_PARTS] = {"parts[0].order", "parts[1].order",
                                                            "parts[2].order", "parts[3].order"};
    if (desc->part_count == 1 || desc->part_count > ORDO_MAX_PARTS) {
        ordo_plan_fail(builder, ORDO_MESSAGE_PARTS,
                       &(ordo_report){.a = desc->part_count, .b = ORDO_MAX_PARTS});
        return;
    }
    for (uint32_t i = 0; i < desc->part_count; i++) {
        ordo_plan_check_enum(builder, order_names[i], desc->parts[i].order, ORDO_DESCENDING);
        if ((uint32_t)desc->parts[i].type > ORDO_F32) {
            ordo_plan_fail(builder, ORDO_MESSAGE_PART_TYPE,
                           &(ordo_report){.a = i, .b = desc->parts[i].type});
        }
    }
    for (uint32_t i = desc->part_count; i < ORDO_MAX_PARTS; i++) {
        if (desc->parts[i].type || desc->parts[i].order) {
            ordo_plan_fail(builder, ORDO_MESSAGE_PART_EXTRA,
                           &(ordo_report){.a = i, .b = desc->part_count});
        }
    }
    for (uint32_t i = 0; desc->part_count && i < sizeof without / sizeof *without; i++) {
        if (without[i].value) {
            ordo_plan_fail(builder, ORDO_MESSAGE_PARTS_FIELD,
                           &(ordo_report){.s = without[i].name, .a = without[i].value});
        }
    }
}

static void check_window(ordo_builder *builder, const ordo_sort_desc *desc) {
    uint32_t width = 8 * ordo_type_bytes(desc->key);
    uint64_t skipped = (uint64_t)desc->skip_low_bits + desc->skip_high_bits;
    if (skipped > width) {
        ordo_plan_fail(
            builder, ORDO_MESSAGE_WINDOW,
            &(ordo_report){.a = desc->skip_low_bits, .b = desc->skip_high_bits, .c = width});
    }
}

/* Which methods take a field that is not 0, as a set of bits. */
enum {
    BY_AUTO = 1 << ORDO_METHOD_AUTO,
    BY_RADIX = 1 << ORDO_METHOD_RADIX,
    BY_ONESWEEP = 1 << ORDO_METHOD_ONESWEEP,
    BY_WHOLE_KEYS = 1 << ORDO_METHOD_MSD | 1 << ORDO_METHOD_SAMPLE,
    BY_BLOCKS = 1 << ORDO_METHOD_BITONIC | 1 << ORDO_METHOD_ODDEVEN,
    BY_NETWORKS = BY_BLOCKS | 1 << ORDO_METHOD_BITONIC_DIRECT,
};

static void check_method(ordo_builder *builder, const ordo_sort_desc *desc) {
    const char *whole = desc->method == ORDO_METHOD_SAMPLE ? "sample compares whole keys"
                                                           : "msd compares whole keys";
    const struct {
        const char *name;
        uint32_t value, methods;
        const char *why;
    } rules[] = {
        {"digit_bits", desc->digit_bits,
         BY_AUTO | BY_RADIX | (desc->digit_bits == 8 ? BY_ONESWEEP : 0),
         desc->method == ORDO_METHOD_ONESWEEP ? "onesweep has digits of 8"
                                              : "only a radix sort has digits"},
        {"part_count", desc->part_count, BY_AUTO | BY_NETWORKS,
         "only networks take composite keys"},
        {"row_length", desc->row_length, BY_AUTO | BY_NETWORKS, "only networks sort rows"},
        {"block_length", desc->block_length, BY_AUTO | BY_BLOCKS,
         "only the methods bitonic and oddeven have blocks"},
        {"skip_low_bits", desc->skip_low_bits, (uint32_t)~BY_WHOLE_KEYS, whole},
        {"skip_high_bits", desc->skip_high_bits, (uint32_t)~BY_WHOLE_KEYS, whole},
        {"fused_levels", desc->fused_levels, BY_AUTO | BY_NETWORKS, "only networks have levels"},
    };
    if (desc->digit_bits != 0 && desc->digit_bits != 4 && desc->digit_bits != 8) {
        ordo_plan_fail(builder, ORDO_MESSAGE_DIGIT_BITS, &(ordo_report){.a = desc->digit_bits});
    }
    ordo_method method = desc->digit_bits && !desc->method ? ORDO_METHOD_RADIX : desc->method;
    for (uint32_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].value && !(rules[i].methods >> method & 1)) {
            ordo_plan_fail(
                builder, ORDO_MESSAGE_METHOD_FIELD,
                &(ordo_report){.s = rules[i].name, .t = rules[i].why, .a = rules[i].value});
        }
    }
    uint32_t most = method == ORDO_METHOD_BITONIC || !method ? 4 : 1;
    if (desc->fused_levels > most) {
        ordo_plan_fail(builder, ORDO_MESSAGE_FUSED,
                       &(ordo_report){.a = desc->fused_levels, .b = most});
    }
}

static void check_desc(ordo_builder *builder, const ordo_sort_desc *desc) {
    ordo_plan_check_enum(builder, "key", desc->key, ORDO_F64);
    ordo_plan_check_enum(builder, "order", desc->order, ORDO_DESCENDING);
    ordo_plan_check_enum(builder, "method", desc->method, ORDO_LAST_METHOD);
    ordo_plan_check_values(builder, desc->value_bytes, desc->argsort, desc->in_place);
    check_parts(builder, desc);
    check_window(builder, desc);
    if (builder->status == ORDO_OK) {
        check_method(builder, desc);
    }
    uint32_t key_bytes = ordo_key_bytes(desc);
    ordo_plan_set_count(builder, desc->max_count,
                        desc->value_bytes > key_bytes ? desc->value_bytes : key_bytes);
}

void ordo_plan_key_constants(const ordo_sort *sort, ordo_step *step) {
    static const uint32_t kinds[] = {0, 1, 2, 0, 1, 2};
    ordo_plan_constant(step, "KEY_KIND", kinds[sort->desc->key]);
    ordo_plan_constant(step, "KEY_WORDS", sort->key_words);
    ordo_plan_constant(step, "DESCENDING", sort->desc->order);
}

/* ---- Moves: copies, gathers, identity indices ---- */

static uint64_t move_share(const ordo_builder *builder) {
    return (uint64_t)builder->tuning->group_size * builder->tuning->move_items;
}

/* Of so many elements; each of them moves so many words. */
static ordo_step *move_step(ordo_builder *builder, const char *entry, uint32_t words,
                            const ordo_indices *indices, uint32_t moved_words, uint64_t items) {
    ordo_step *step =
        ordo_plan_step(builder, "move", entry, builder->tuning->move_items,
                       ordo_div_ceil(items, move_share(builder)), 4 * moved_words * items);
    ordo_plan_param(step, "words", words);
    ordo_plan_param(step, "mask", indices ? indices->mask : 0);
    ordo_plan_param(step, "row_length", indices ? indices->row_length : 0);
    return step;
}

void ordo_plan_copy(ordo_builder *builder, uint32_t words, ordo_area from, ordo_area to) {
    ordo_windows w = ordo_plan_windows(builder, words, move_share(builder));
    for (uint32_t i = 0; i < w.count; i++) {
        ordo_step *step = move_step(builder, "move_copy", words, NULL, 2 * words,
                                    ordo_window_items(builder, &w, i));
        ordo_plan_window(&w, step, i);
        ordo_plan_bind(builder, step, ordo_window_of(builder, &w, to, words, i), ORDO_WRITE);
        ordo_plan_bind(builder, step, ordo_window_of(builder, &w, from, words, i), ORDO_READ);
    }
}

/* The indices of all elements, from the start of their row. */
static void append_indices(ordo_builder *builder, uint32_t row_length, ordo_area to) {
    ordo_indices rows = {.row_length = row_length};
    ordo_windows w = ordo_plan_windows(builder, 1, move_share(builder));
    for (uint32_t i = 0; i < w.count; i++) {
        ordo_step *step =
            move_step(builder, "move_indices", 1, &rows, 1, ordo_window_items(builder, &w, i));
        ordo_plan_window(&w, step, i);
        ordo_plan_bind(builder, step, ordo_window_of(builder, &w, to, 1, i), ORDO_WRITE);
    }
}

void ordo_plan_gather(ordo_builder *builder, uint32_t words, ordo_area from,
                      const ordo_indices *indices, ordo_area to) {
    ordo_step *step =
        move_step(builder, "move_gather", words, indices, 2 * words + 1, builder->max_count);
    ordo_plan_bind(builder, step, to, ORDO_WRITE);
    ordo_plan_bind(builder, step, from, ORDO_READ);
    ordo_plan_bind(builder, step, indices->area, ORDO_READ);
}

void ordo_plan_gather_values(const ordo_sort *sort, const ordo_indices *indices) {
    ordo_builder *builder = sort->builder;
    uint32_t words = sort->desc->value_bytes / 4;
    ordo_area to = sort->values_out;
    if (sort->desc->in_place) {
        to = ordo_plan_scratch(builder, to.size_bytes);
    }
    ordo_plan_gather(builder, words, sort->values_in, indices, to);
    if (sort->desc->in_place) {
        ordo_plan_copy(builder, words, to, sort->values_in);
    }
}

/* An empty window leaves all keys tied: the sort is a copy, its permutation the identity. */
static void append_ties(const ordo_sort *sort) {
    const ordo_sort_desc *desc = sort->desc;
    if (desc->argsort) {
        append_indices(sort->builder, desc->row_length, sort->values_out);
    } else if (!desc->in_place) {
        ordo_plan_copy(sort->builder, sort->key_words, sort->in, sort->out);
        if (desc->value_bytes) {
            ordo_plan_copy(sort->builder, desc->value_bytes / 4, sort->values_in, sort->values_out);
        }
    }
}

/* ---- The sort ---- */

/* Take the caller's buffers, also those that a plan of ties does not touch. */
static void take_slots(ordo_sort *sort) {
    const ordo_sort_desc *desc = sort->desc;
    ordo_builder *builder = sort->builder;
    uint64_t key_bytes = 4 * sort->key_words * desc->max_count;
    uint64_t value_bytes = desc->max_count * (desc->argsort ? 4 : desc->value_bytes);
    sort->in = sort->out = ordo_plan_slot(builder, ORDO_SLOT_IN, key_bytes);
    if (!desc->in_place && !desc->argsort) {
        sort->out = ordo_plan_slot(builder, ORDO_SLOT_OUT, key_bytes);
    }
    if (desc->value_bytes) {
        sort->values_in = sort->values_out =
            ordo_plan_slot(builder, ORDO_SLOT_VALUES_IN, value_bytes);
    }
    if (value_bytes && !desc->in_place) {
        sort->values_out = ordo_plan_slot(builder, ORDO_SLOT_VALUES_OUT, value_bytes);
    }
}

bool ordo_plan_is_rejected(const ordo_builder *builder, ordo_method method) {
    return builder->caps.rejected_methods >> method & 1;
}

/* Plan so many elements by a method, for bindings of so many bytes, steps not kept. */
static ordo_builder try_method(const ordo_sort *sort, ordo_method method, uint64_t count,
                               uint64_t binding_bytes, ordo_summary *summary) {
    *summary = (ordo_summary){0};
    ordo_builder builder = {
        .caps = sort->builder->caps, .tuning = sort->builder->tuning, .summary = summary};
    builder.caps.max_binding_bytes = binding_bytes;
    ordo_sort_desc desc = *sort->desc;
    desc.method = method;
    desc.max_count = count;
    ordo_planner_sort(&builder, &desc);
    ordo_cost_take(&builder);
    return builder;
}

/* Whether the device can hold the buffers of what was tried. */
static bool fits(const ordo_sort *sort, const ordo_builder *tried) {
    const ordo_builder *outer = sort->builder;
    return tried->status == ORDO_OK && tried->binding_bytes <= outer->caps.max_binding_bytes &&
           tried->array_bytes <= outer->caps.max_buffer_bytes &&
           outer->scratch_end + tried->scratch_bytes <= outer->caps.max_buffer_bytes;
}

/* Plan all elements by a method, for the device as it is. */
static ordo_builder try_all(const ordo_sort *sort, ordo_method method) {
    ordo_summary summary;
    ordo_builder builder = try_method(sort, method, sort->desc->max_count,
                                      sort->builder->caps.max_binding_bytes, &summary);
    builder.summary = NULL; /* it does not outlive this call */
    return builder;
}

/* Ask for so much scratch, or all that a buffer can hold. */
static void reserve(const ordo_sort *sort, uint64_t bytes) {
    ordo_builder *builder = sort->builder;
    uint64_t most = builder->caps.max_buffer_bytes;
    most -= most % builder->caps.offset_alignment_bytes;
    bytes = bytes < most ? bytes : most;
    if (builder->scratch_bytes < bytes) {
        builder->scratch_bytes = bytes;
    }
}

/* The scratch of what was tried; if a grid does not hold it, all that a buffer can hold. */
static void reserve_for(const ordo_sort *sort, const ordo_builder *tried) {
    bool known = tried->status == ORDO_OK;
    reserve(sort, known ? sort->builder->scratch_end + tried->scratch_bytes : UINT64_MAX);
}

/* What so many elements would take by a method if arrays were bound as a whole; UINT64_MAX if it
   cannot. */
static uint64_t price(const ordo_sort *sort, ordo_method method, uint64_t count) {
    ordo_summary summary;
    ordo_builder builder = try_method(sort, method, count, UINT64_MAX, &summary);
    return builder.status == ORDO_OK ? summary.modelled_ns : UINT64_MAX;
}

static const ordo_method compared[] = {ORDO_METHOD_RADIX, ORDO_METHOD_BITONIC, ORDO_METHOD_SAMPLE,
                                       ORDO_METHOD_ONESWEEP, ORDO_METHOD_MSD};

enum { COMPARED = sizeof compared / sizeof *compared };

/* Whether AUTO may choose the method. A network never is better than one pass over a digit. A
   sample sort, which is for counts between those of networks and of larger sorts, needs one of the
   latter: else counts above would be a network's again, and scratch would fall. Looking back is for
   devices on which workgroups go on. */
static bool is_candidate(const ordo_sort *sort, ordo_method method) {
    const ordo_builder *builder = sort->builder;
    switch (method) {
    case ORDO_METHOD_BITONIC:
        return !ordo_plan_is_rejected(builder, method) && sort->window_bits > 8;
    case ORDO_METHOD_SAMPLE:
        return !ordo_plan_is_rejected(builder, method) &&
               (!ordo_plan_is_rejected(builder, ORDO_METHOD_RADIX) ||
                !ordo_plan_is_rejected(builder, ORDO_METHOD_MSD));
    case ORDO_METHOD_ONESWEEP:
        return !ordo_plan_is_rejected(builder, method) && builder->caps.forward_progress &&
               !builder->tuning->software;
    default:
        return !ordo_plan_is_rejected(builder, method);
    }
}

/* With shapes that the caller tells, or methods rejected, any order of methods is possible as
   counts grow; radix and onesweep sorts may come by turns. So that scratch never falls it is what
   the most demanding takes; and one that does not fit gives way to any that does, so that no count
   is refused below one that is planned. If none does, radix, which needs the least, says why. */
static ordo_method settle_any(const ordo_sort *sort, ordo_method best) {
    ordo_builder preferred = try_all(sort, best);
    bool settled = fits(sort, &preferred);
    for (uint32_t i = 0; i < COMPARED; i++) {
        if (!is_candidate(sort, compared[i])) {
            continue;
        }
        ordo_builder builder = try_all(sort, compared[i]);
        if (builder.status == ORDO_OK) {
            reserve_for(sort, &builder);
        }
        if (!settled) {
            best = compared[i];
            settled = fits(sort, &builder);
        }
    }
    return settled || !is_candidate(sort, ORDO_METHOD_RADIX) ? best : ORDO_METHOD_RADIX;
}

/* The method, or if it wants more scratch than a buffer holds, or arrays larger than bindings,
   onesweep, which takes less scratch, or radix, which takes less too, and windows of arrays. What
   does not fit fits no larger count; so that scratch never falls it is what that would take. */
static ordo_method settle(const ordo_sort *sort, ordo_method best) {
    ordo_builder tried = try_all(sort, best);
    if (fits(sort, &tried)) {
        return best;
    }
    reserve_for(sort, &tried);
    if (is_candidate(sort, ORDO_METHOD_ONESWEEP)) {
        tried = try_all(sort, ORDO_METHOD_ONESWEEP);
        reserve_for(sort, &tried);
        if (fits(sort, &tried)) {
            return ORDO_METHOD_ONESWEEP;
        }
    }
    return ORDO_METHOD_RADIX;
}

/*
 * The choice for a desc that leaves it to ordo: the cheaper by the model of cost.c, at the next
 * power of two, so that it follows log2 of max_count alone. As max_count grows it goes from one
 * item of msd to a network, a sample sort, radix or onesweep, msd, or leaves some out: with it
 * scratch never falls: networks that give way to a sample sort are one block, which takes none. A
 * device that is allowed few workgroups may not hold what a network takes.
 */
static ordo_method preferred_method(const ordo_sort *sort) {
    const ordo_sort_desc *desc = sort->desc;
    const ordo_tuning *tuning = sort->builder->tuning;
    if (desc->digit_bits) {
        return ORDO_METHOD_RADIX;
    }
    if (desc->part_count || desc->row_length || desc->block_length || desc->fused_levels) {
        return ORDO_METHOD_BITONIC;
    }
    if (sort->builder->caps.max_groups < tuning->network_groups) {
        return ORDO_METHOD_RADIX;
    }
    uint64_t widest =
        desc->value_bytes / 4 > sort->key_words ? desc->value_bytes / 4 : sort->key_words;
    uint64_t count = (uint64_t)1 << ordo_log2_ceil(desc->max_count);
    count = count < UINT32_MAX / widest ? count : UINT32_MAX / widest;
    uint64_t least = UINT64_MAX;
    ordo_method best = compared[0];
    for (uint32_t i = 0; i < COMPARED; i++) {
        uint64_t ns =
            is_candidate(sort, compared[i]) ? price(sort, compared[i], count) : UINT64_MAX;
        best = ns < least ? compared[i] : best;
        least = ns < least ? ns : least;
    }
    if (best == ORDO_METHOD_RADIX && is_candidate(sort, ORDO_METHOD_BITONIC) &&
        price(sort, ORDO_METHOD_BITONIC, 2 * count) < price(sort, best, 2 * count)) {
        best = ORDO_METHOD_BITONIC; /* which would come back, and scratch fall, as on a CPU */
    }
    bool by_digits = best == ORDO_METHOD_ONESWEEP ||
                     (best == ORDO_METHOD_RADIX && is_candidate(sort, ORDO_METHOD_ONESWEEP));
    if (sort->builder->caps.tuning || sort->builder->caps.rejected_methods || by_digits) {
        return settle_any(sort, best);
    }
    if (best == ORDO_METHOD_SAMPLE && desc->argsort) {
        /* An argsort by a network of one block binds a word of scratch. */
        reserve(sort, sort->builder->scratch_end + sort->builder->caps.offset_alignment_bytes);
    }
    return best == ORDO_METHOD_RADIX ? best : settle(sort, best);
}

/* The desc's method; else the preferred one, or if that is rejected the next best that can do it.
   AUTO if none is left, which is a failure. */
static ordo_method choose_method(const ordo_sort *sort) {
    const ordo_sort_desc *desc = sort->desc;
    bool blocks = desc->block_length || desc->fused_levels;
    bool radix = !desc->part_count && !desc->row_length && !blocks;
    const struct {
        ordo_method method;
        bool can;
    } others[] = {{ORDO_METHOD_RADIX, radix},
                  {ORDO_METHOD_BITONIC, !desc->digit_bits},
                  {ORDO_METHOD_ODDEVEN, !desc->digit_bits && desc->fused_levels <= 1}};
    if (desc->method != ORDO_METHOD_AUTO) {
        return desc->method;
    }
    ordo_method method = preferred_method(sort);
    for (uint32_t i = 0; ordo_plan_is_rejected(sort->builder, method) && i < 3; i++) {
        method = others[i].can ? others[i].method : method;
    }
    if (ordo_plan_is_rejected(sort->builder, method)) {
        ordo_plan_fail(sort->builder, ORDO_MESSAGE_REJECTED,
                       &(ordo_report){.a = sort->builder->caps.rejected_methods});
        return ORDO_METHOD_AUTO;
    }
    return method;
}

ordo_method ordo_plan_sort(const ordo_sort *sort) {
    ordo_method method = choose_method(sort);
    if (method == ORDO_METHOD_AUTO) {
        return method;
    }
    if (method == ORDO_METHOD_MSD) {
        if (sort->desc->max_count) {
            ordo_plan_msd(sort);
        }
    } else if (method == ORDO_METHOD_SAMPLE) {
        if (sort->desc->max_count) {
            ordo_plan_sample(sort);
        }
    } else if (method == ORDO_METHOD_ONESWEEP) {
        if (sort->desc->max_count && sort->window_bits) {
            ordo_plan_onesweep(sort);
        }
    } else if (method != ORDO_METHOD_RADIX) {
        ordo_plan_network(sort, method);
    } else if (sort->desc->max_count && sort->window_bits) {
        ordo_plan_radix(sort);
    }
    if (sort->desc->max_count && !sort->window_bits) {
        append_ties(sort);
    }
    return method;
}

void ordo_planner_sort(ordo_builder *builder, const void *any) {
    const ordo_sort_desc *desc = any;
    check_desc(builder, desc);
    if (builder->status != ORDO_OK) {
        return;
    }
    uint32_t key_words = ordo_key_bytes(desc) / 4;
    ordo_sort sort = {.builder = builder,
                      .desc = desc,
                      .key_words = key_words,
                      .window_bits = 32 * key_words - desc->skip_low_bits - desc->skip_high_bits,
                      .last = UINT32_MAX};
    if (desc->max_count) {
        take_slots(&sort);
    }
    builder->summary->method = ordo_plan_sort(&sort);
}

ordo_status ordo_sort_steps(const ordo_caps *caps, const ordo_sort_desc *desc, ordo_step *steps,
                            uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_sort, steps, capacity, summary);
}
