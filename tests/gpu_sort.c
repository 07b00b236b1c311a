/* SPDX-License-Identifier: MIT */
/*
 * gpu_sort.c: one sort with its buffers, see gpu_case.h.
 *
 *     slot       memory (one_buffer: always 0)     holds afterwards
 *     in         0                                 the result if in place, else what it held
 *     out        1                                 the result, then canary
 *     values_in  2                                 as in
 *     values_out 3                                 as out; the indices of an argsort
 *     count      4                                 what it held
 */
#include "gpu_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY_BYTES = 292, COUNT_MEMORY = 4 };

static const char *describe(const sort_case *c) {
    static const char *const methods[] = {"auto",    "radix", "bitonic", "bitonic-direct",
                                          "oddeven", "msd",   "sample",  "onesweep"};
    static char text[640];
    const ordo_sort_desc *d = &c->desc;
    int used = snprintf(
        text, sizeof text,
        "%s sort of %" PRIu64 " (key %d, order %d, value_bytes %u, argsort %d, in_place %d, "
        "allow_unstable %d, skip %u and %u, digit_bits %u, row_length %u, block_length %u, "
        "fused_levels %u, keys %d, seed %" PRIu64 ", count %s%u, one_buffer %d, scratch %d",
        methods[d->method], d->max_count, (int)d->key, (int)d->order, d->value_bytes, d->argsort,
        d->in_place, d->allow_unstable, d->skip_low_bits, d->skip_high_bits, d->digit_bits,
        d->row_length, d->block_length, d->fused_levels, (int)c->shape, c->seed,
        c->count_use == COUNT_HOST ? "host " : "", c->gpu_count, c->one_buffer, (int)c->scratch);
    for (uint32_t w = 0; w < d->part_count; w++) {
        used += snprintf(text + used, sizeof text - (size_t)used, ", part type %d order %d",
                         (int)d->parts[w].type, (int)d->parts[w].order);
    }
    snprintf(text + used, sizeof text - (size_t)used, ")");
    return text;
}

uint64_t sort_count(const sort_case *c) {
    uint64_t most = c->desc.max_count;
    return c->count_use == COUNT_HOST || c->gpu_count > most ? most : c->gpu_count;
}

uint32_t sort_value_word(uint64_t index, uint32_t word) {
    if (word == 0)
        return VALUE_BIAS + (uint32_t)index;
    return (uint32_t)((index * 16 + word) * 0x9e3779b97f4a7c15u >> 29);
}

static uint64_t result_value_bytes(const ordo_sort_desc *desc) {
    return desc->argsort ? 4 : desc->value_bytes;
}

/* Words of composite keys. One follows the distribution and the others have few values, so that
   every word decides somewhere; distributions of single values fill all words. */
static void fill_parts(const sort_case *c, uint32_t *keys) {
    const ordo_sort_desc *desc = &c->desc;
    bool all = c->shape == KEYS_EQUAL || c->shape == KEYS_ONES || c->shape == KEYS_SPECIAL ||
               c->shape == KEYS_NAN;
    uint32_t *words = malloc(desc->max_count * 4 + 1);
    assert_non_null(words);
    for (uint32_t w = 0; w < desc->part_count; w++) {
        bool follows = all || w == c->seed % desc->part_count;
        distribution_fill(follows ? c->shape : KEYS_FEW, desc->parts[w].type, desc->max_count,
                          c->seed * 4 + w, words);
        for (uint64_t i = 0; i < desc->max_count; i++)
            keys[i * desc->part_count + w] = words[i];
    }
    free(words);
}

static void make_data(sort_case *c) {
    const ordo_sort_desc *desc = &c->desc;
    uint64_t key_bytes = desc->max_count * model_key_bytes(desc);
    c->keys = malloc(key_bytes + 1);
    c->values = malloc(desc->max_count * desc->value_bytes + 1);
    assert_non_null(c->keys);
    assert_non_null(c->values);
    if (c->given_keys)
        memcpy(c->keys, c->given_keys, key_bytes);
    else if (desc->part_count)
        fill_parts(c, c->keys);
    else
        distribution_fill(c->shape, desc->key, desc->max_count, c->seed, c->keys);
    uint32_t words = desc->value_bytes / 4;
    for (uint64_t i = 0; i < desc->max_count * words; i++) {
        uint32_t word = sort_value_word(i / words, (uint32_t)(i % words));
        memcpy((char *)c->values + 4 * i, &word, 4);
    }
}

/* Puts ranges of these sizes into memories, with canaries around each. */
static void lay_out(sort_case *c, uint32_t alignment) {
    const ordo_sort_desc *desc = &c->desc;
    uint64_t key_bytes = desc->max_count * model_key_bytes(desc);
    bool out = !desc->in_place && !desc->argsort;
    bool values_out = desc->argsort || (desc->value_bytes && !desc->in_place);
    const struct {
        ordo_buffer *arg;
        bool given;
        uint64_t bytes;
        const void *data;
    } ranges[] = {
        {&c->args.in, true, key_bytes, c->keys},
        {&c->args.out, out, key_bytes, NULL},
        {&c->args.values_in, desc->value_bytes > 0, desc->max_count * desc->value_bytes, c->values},
        {&c->args.values_out, values_out, desc->max_count * result_value_bytes(desc), NULL},
    };
    uint64_t ends[4] = {0};
    uint64_t offsets[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t *end = &ends[c->one_buffer ? 0 : i];
        offsets[i] = (*end / alignment + 1 + i % 3) * alignment;
        if (ranges[i].given)
            *end = offsets[i] + ranges[i].bytes + CANARY_BYTES;
    }
    for (uint32_t i = 0; i < 4; i++)
        c->memories[i] = memory_make(ends[i]);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t in = c->one_buffer ? 0 : i;
        if (ranges[i].given && ranges[i].data)
            memcpy(c->memories[in].image + offsets[i], ranges[i].data, ranges[i].bytes);
        if (ranges[i].given)
            ranges[i].arg->offset_bytes = offsets[i];
    }
    c->keys_at = desc->argsort ? 0 : offsets[desc->in_place ? 0 : 1];
    c->keys_memory = c->one_buffer || desc->in_place ? 0 : 1;
    c->values_at = offsets[desc->in_place ? 2 : 3];
    c->values_memory = c->one_buffer ? 0 : desc->in_place ? 2 : 3;
}

static void upload(rig *r, sort_case *c) {
    ordo_buffer *args[] = {&c->args.in, &c->args.out, &c->args.values_in, &c->args.values_out};
    for (uint32_t i = 0; i < 4; i++) {
        if (c->memories[i].bytes)
            memory_upload(r, &c->memories[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        if (args[i]->offset_bytes)
            args[i]->buffer = c->memories[c->one_buffer ? 0 : i].buffer;
    }
    if (c->count_use == COUNT_GIVEN) {
        c->memories[COUNT_MEMORY] = memory_make(2 * 256 + 8);
        c->args.count.offset_bytes = 256;
        memcpy(c->memories[COUNT_MEMORY].image + 256, &c->gpu_count, 4);
        memory_upload(r, &c->memories[COUNT_MEMORY]);
        c->args.count.buffer = c->memories[COUNT_MEMORY].buffer;
    }
}

/* Scratch lies at an offset too, and what lies around it must stay. */
static void make_scratch(rig *r, sort_case *c) {
    uint64_t bytes = ordo_plan_info(c->plan)->scratch_bytes;
    if (c->scratch == SCRATCH_OWN || bytes == 0)
        return;
    uint64_t seed = 99;
    c->scratch_memory = memory_make(256 + bytes + CANARY_BYTES);
    for (uint64_t i = 0; i < bytes / 4; i++) {
        uint32_t word = c->scratch == SCRATCH_ONES      ? 0xffffffffu
                        : c->scratch == SCRATCH_PATTERN ? 0xa5a5a5a5u
                                                        : (uint32_t)model_random(&seed) & 0xfff;
        memcpy(c->scratch_memory.image + 256 + 4 * i, &word, 4);
    }
    memory_upload(r, &c->scratch_memory);
    c->args.scratch = (ordo_buffer){c->scratch_memory.buffer, 256};
}

/* Sorts other keys, more of them, with the case's scratch: what is left there is true to life. */
static void leave_scratch_behind(rig *r, sort_case *c) {
    ordo_sort_desc desc = c->desc;
    ordo_plan *plan;
    desc.key = ORDO_U32;
    desc.part_count = 0;
    memset(desc.parts, 0, sizeof desc.parts);
    desc.value_bytes = 0;
    desc.argsort = desc.in_place = false;
    desc.skip_low_bits = desc.skip_high_bits = 0;
    desc.max_count = c->desc.max_count / 2 + 1;
    assert_int_equal(ordo_sort_plan(c->context, &desc, &plan), ORDO_OK);
    if (ordo_plan_info(plan)->scratch_bytes <= ordo_plan_info(c->plan)->scratch_bytes) {
        memory in = memory_make(4 * desc.max_count), out = memory_make(4 * desc.max_count);
        memory_upload(r, &in);
        memory_upload(r, &out);
        ordo_args args = {.in = {in.buffer, 0}, .out = {out.buffer, 0}, .scratch = c->args.scratch};
        WGPUCommandEncoder encoder = rig_encoder(r);
        assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_OK);
        gpu_submit(&r->device, encoder);
        memory_free(&in);
        memory_free(&out);
    }
    ordo_plan_release(plan);
}

void sort_begin(rig *r, sort_case *c) {
    if (!c->context)
        c->context = r->context;
    c->desc.caller_scratch = c->scratch != SCRATCH_OWN;
    if (ordo_sort_plan(c->context, &c->desc, &c->plan) != ORDO_OK)
        fail_msg("%s: %s", describe(c), ordo_message(c->context));
    make_data(c);
    lay_out(c, ordo_context_caps(c->context)->offset_alignment_bytes);
    upload(r, c);
    make_scratch(r, c);
    if (c->scratch == SCRATCH_LEFTOVER)
        leave_scratch_behind(r, c);
}

void sort_encode(sort_case *c, WGPUCommandEncoder encoder) {
    if (ordo_encode(c->plan, encoder, &c->args) != ORDO_OK)
        fail_msg("%s: encode: %s", describe(c), ordo_message(c->context));
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Edits the images to what the buffers must hold after the sort. */
static void expect(sort_case *c) {
    const ordo_sort_desc *desc = &c->desc;
    uint64_t count = sort_count(c);
    uint32_t *order = malloc((count + 1) * sizeof *order);
    assert_non_null(order);
    model_argsort(desc, c->keys, count, order);
    if (!desc->argsort) {
        model_gather(order, c->keys, count, model_key_bytes(desc),
                     c->memories[c->keys_memory].image + c->keys_at);
    }
    unsigned char *values = c->memories[c->values_memory].image + c->values_at;
    if (desc->value_bytes)
        model_gather(order, c->values, count, desc->value_bytes, values);
    for (uint64_t i = 0; desc->argsort && i < count; i++)
        order[i] -= (uint32_t)model_row_begin(desc, i);
    if (desc->argsort)
        memcpy(values, order, count * sizeof *order);
    free(order);
}

/* A number of a key's bits, for sums that tell whether keys are lost. */
static uint64_t mix(const void *key, uint32_t bytes) {
    uint64_t x = 0x5851f42d4c957f2du;
    for (uint32_t i = 0; i < bytes; i += 4) {
        uint32_t word;
        memcpy(&word, (const char *)key + i, 4);
        x = (x ^ word ^ x >> 31) * 0x7fb5d329728ea185u;
        x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    }
    return x;
}

/* Whether word a of a composite key comes before word b. */
static bool part_less(const ordo_key_part *part, uint64_t a, uint64_t b) {
    return part->order == ORDO_DESCENDING ? model_less(part->type, b, a)
                                          : model_less(part->type, a, b);
}

/* Keys in order. Whole keys and words are compared as numbers, windows as the documented images. */
static bool in_order(const ordo_sort_desc *desc, const void *before, const void *after) {
    for (uint32_t w = 0; w < desc->part_count; w++) {
        uint64_t a = model_get(ORDO_U32, before, w), b = model_get(ORDO_U32, after, w);
        if (part_less(&desc->parts[w], a, b))
            return true;
        if (part_less(&desc->parts[w], b, a))
            return false;
    }
    if (desc->part_count)
        return true;
    uint64_t a = model_get(desc->key, before, 0), b = model_get(desc->key, after, 0);
    if (desc->skip_low_bits || desc->skip_high_bits)
        return model_rank(desc, a) <= model_rank(desc, b);
    return desc->order == ORDO_DESCENDING ? !model_less(desc->key, a, b)
                                          : !model_less(desc->key, b, a);
}

/* An element of a result: its key, and where it was, if it has a value that tells. */
typedef struct element {
    const char *key;
    uint64_t index;
} element;

/* Element i of the results. Fails unless its value comes from its own row, for the first time, with
   its own key and all its words. */
static element element_of(const sort_case *c, const void *keys, const void *values, uint64_t i,
                          unsigned char *seen) {
    const ordo_sort_desc *desc = &c->desc;
    uint32_t words = (uint32_t)(result_value_bytes(desc) / 4), bytes = model_key_bytes(desc);
    uint64_t count = sort_count(c), begin = model_row_begin(desc, i);
    element e = {.key = (const char *)keys + i * bytes};
    if (words == 0)
        return e;
    uint32_t index = (uint32_t)model_get(ORDO_U32, values, i * words);
    e.index = desc->argsort ? begin + index : (uint32_t)(index - VALUE_BIAS);
    if (e.index < begin || e.index >= model_row_end(desc, i, count) || seen[e.index]++)
        fail_msg("%s: value %" PRIu64 " is index %" PRIu64, describe(c), i, e.index);
    const char *own = (const char *)c->keys + e.index * bytes;
    if (desc->argsort)
        e.key = own;
    else if (memcmp(e.key, own, bytes) != 0)
        fail_msg("%s: key and value part at %" PRIu64, describe(c), i);
    for (uint32_t w = 1; w < words; w++) {
        if (model_get(ORDO_U32, values, i * words + w) != sort_value_word(e.index, w))
            fail_msg("%s: word %u of value %" PRIu64 " is torn", describe(c), w, i);
    }
    return e;
}

/* What a sort's results say by themselves: in each row, keys in order and none lost; with values,
   every index once, and of ties the earlier one first. */
static void check_alone(const sort_case *c, const void *keys, const void *values) {
    const ordo_sort_desc *desc = &c->desc;
    uint64_t count = sort_count(c), lost = 0;
    uint32_t bytes = model_key_bytes(desc);
    bool tells = result_value_bytes(desc) > 0;
    element before = {0};
    unsigned char *seen = calloc(count + 1, 1);
    assert_non_null(seen);
    for (uint64_t i = 0; i < count; i++) {
        element now = element_of(c, keys, values, i, seen);
        bool first = i == model_row_begin(desc, i);
        if (!first && !in_order(desc, before.key, now.key))
            fail_msg("%s: out of order at %" PRIu64, describe(c), i);
        if (!first && tells && !desc->allow_unstable && now.index < before.index &&
            in_order(desc, now.key, before.key))
            fail_msg("%s: ties swapped at %" PRIu64, describe(c), i);
        lost += mix((const char *)c->keys + i * bytes, bytes) - mix(now.key, bytes);
        if (i + 1 == model_row_end(desc, i, count) && lost)
            fail_msg("%s: keys are lost in the row that ends at %" PRIu64, describe(c), i);
        before = now;
    }
    free(seen);
}

static void read_range(rig *r, const memory *m, uint64_t at, uint64_t bytes, void **out) {
    *out = malloc(bytes + 4);
    assert_non_null(*out);
    if (bytes)
        assert_true(gpu_read(&r->device, m->buffer, at, (bytes + 3) / 4 * 4, *out));
}

/* Reads the results, checks them by themselves, and edits the images to what buffers must hold.
   Where ties may come in any order that is what they do hold, once it is checked. */
static void check_results(rig *r, sort_case *c) {
    const ordo_sort_desc *desc = &c->desc;
    uint64_t count = sort_count(c);
    void *keys, *values;
    uint64_t key_bytes = desc->argsort ? 0 : count * model_key_bytes(desc);
    uint64_t value_bytes = count * result_value_bytes(desc);
    read_range(r, &c->memories[c->keys_memory], c->keys_at, key_bytes, &keys);
    read_range(r, &c->memories[c->values_memory], c->values_at, value_bytes, &values);
    check_alone(c, keys, values);
    expect(c);
    if (desc->allow_unstable && ordo_plan_info(c->plan)->method != ORDO_METHOD_RADIX) {
        memcpy(c->memories[c->keys_memory].image + c->keys_at, keys, key_bytes);
        memcpy(c->memories[c->values_memory].image + c->values_at, values, value_bytes);
    }
    free(keys);
    free(values);
}

void sort_end(rig *r, sort_case *c) {
    static const char *const names[] = {"in", "out", "values_in", "values_out", "count"};
    check_results(r, c);
    for (uint32_t i = 0; i < 5; i++) {
        char what[720];
        snprintf(what, sizeof what, "%s: %s", describe(c), names[i]);
        if (c->memories[i].bytes)
            memory_compare(r, &c->memories[i], what);
        memory_free(&c->memories[i]);
    }
    if (c->scratch_memory.bytes) {
        uint64_t scratch_bytes = ordo_plan_info(c->plan)->scratch_bytes;
        void *scratch;
        read_range(r, &c->scratch_memory, 256, scratch_bytes, &scratch);
        memcpy(c->scratch_memory.image + 256, scratch, scratch_bytes);
        free(scratch);
        memory_compare(r, &c->scratch_memory, "around scratch");
        memory_free(&c->scratch_memory);
    }
    ordo_plan_release(c->plan);
    free(c->keys);
    free(c->values);
}

void sort_check(rig *r, sort_case c) {
    sort_begin(r, &c);
    WGPUCommandEncoder encoder = rig_encoder(r);
    sort_encode(&c, encoder);
    gpu_submit(&r->device, encoder);
    sort_end(r, &c);
}
