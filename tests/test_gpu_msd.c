/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_msd.c: the sort from the most significant digit down, over keys that make its levels
 * work (msd_keys.h), at counts around an item and a tile.
 *
 * Kernels take a software adapter seconds to compile, so that sorts share few pipelines: the tiers
 * have different types and orders, and counts are mostly those of the device.
 */
#include "gpu_case.h"
#include "model_msd.h"
#include "msd_keys.h"
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { CAPACITY = 13001, MAX_STEPS = 40, ITEM = 1280 };

/* ---- Every form ------------------------------------------------------------------------------ */

/* What chooses pipelines: keys alone, an argsort, pairs, keys in place, and the others. Each tier
   has its own list; together they have every type, both orders of either size of key, and every
   form. */
enum { KEYS, INDICES, FORMS = 5 };
static const ordo_sort_desc forms[2][FORMS] = {
    {
        {.key = ORDO_U32},
        {.key = ORDO_F64, .order = ORDO_DESCENDING, .argsort = true},
        {.key = ORDO_I32, .value_bytes = 8, .in_place = true},
        {.key = ORDO_I64, .in_place = true},
        {.key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 4},
    },
    {
        {.key = ORDO_U64, .order = ORDO_DESCENDING},
        {.key = ORDO_U32, .argsort = true},
        {.key = ORDO_I64, .value_bytes = 4},
        {.key = ORDO_F32, .order = ORDO_DESCENDING, .in_place = true},
        {.key = ORDO_F64, .value_bytes = 16, .in_place = true},
    },
};

static const ordo_sort_desc *form_of(size_t form) { return &forms[rig_tier() == TIER_ALL][form]; }

/* Counts at and beside the edges of an item and of a tile, which has 4,096 keys of one word, and in
   several of them. */
static const uint32_t counts[] = {CAPACITY, 2,    1281,      4097, CAPACITY - 1, 1,    9000, 1280,
                                  12289,    2049, 4095,      0,    640,          4096, 1279, 2048,
                                  641,      2561, UINT32_MAX};

static sort_case case_of(const ordo_sort_desc *form, uint64_t max_count, uint32_t shape,
                         uint64_t number, void *keys) {
    sort_case c = {.desc = *form,
                   .shape = (distribution)shape,
                   .seed = number,
                   .given_keys = keys,
                   .scratch = (scratch_use)(number % 4),
                   .one_buffer = number % 5 == 0};
    c.desc.method = ORDO_METHOD_MSD;
    c.desc.max_count = max_count;
    msd_fill(shape, c.desc.key, ITEM, max_count, number, keys);
    return c;
}

/* P1, P2; B012, B021, B025, B042, B045: all shapes on every form, in all bytes of all buffers. */
static void test_every_form_shape_and_count(void **state) {
    static uint64_t keys[CAPACITY];
    uint64_t number = 0;
    for (size_t form = 0; form < FORMS; form++) {
        for (uint32_t shape = 0; shape < SHAPES; shape++, number++) {
            sort_case c = case_of(form_of(form), CAPACITY, shape, number, keys);
            c.count_use = number % 3 ? COUNT_GIVEN : COUNT_HOST;
            c.gpu_count = counts[number % COUNT_OF(counts)];
            sort_check(*state, c);
        }
    }
}

/* B004, B018, B034: capacities beside every edge; the plan's first digit and lists follow them, and
   the smallest are one item. */
static void test_every_edge_of_a_capacity(void **state) {
    static const uint32_t edges[] = {1,    2,    33,   639,  640,  641,  1279, 1280, 1281,  2047,
                                     2049, 2559, 2560, 4095, 4096, 4097, 8191, 8193, 12287, 12289};
    static uint64_t keys[CAPACITY];
    for (size_t i = 0; i < 2 * COUNT_OF(edges); i++) {
        uint32_t shape = i % 7 ? i % 3 ? KEYS_RANDOM : NARROW : KEYS_FEW;
        sort_check(*state, case_of(form_of(i % 2 ? INDICES : KEYS), edges[i / 2], shape, i, keys));
    }
}

/* A sub-bucket too full to settle, in one item of a wide range: a network sorts it in the end, and
   ties keep their order whatever was tried before. */
static void test_ties_in_knots(void **state) {
    static uint64_t keys[1280];
    for (uint32_t i = 0; i < 300; i++)
        sort_check(*state, case_of(form_of(INDICES), i % 3 ? 1280 : 900 + i, KNOTS, i, keys));
}

/* B086: one workgroup, or four, do all tiles and items of a level. */
static void test_the_smallest_grids(void **state) {
    rig *r = *state;
    static uint64_t keys[CAPACITY];
    for (uint32_t groups = 1; groups <= 2; groups++) {
        ordo_context *narrow = rig_narrow_context(r, groups);
        for (uint32_t i = 0; i < 8; i++) {
            static const uint32_t shapes[] = {KEYS_RANDOM, STAIRS, ANDED, KEYS_EQUAL};
            sort_case c =
                case_of(form_of(i % 2 ? INDICES : KEYS), CAPACITY, shapes[i / 2], i, keys);
            c.context = narrow;
            sort_check(r, c);
        }
        ordo_context_release(narrow);
    }
}

/* What a GPU runs: loops are written out. Of one form on each tier, one item and several levels. */
static void test_kernels_of_a_gpu(void **state) {
    rig r = rig_as_gpu(*state);
    enum { MORE = 20011 };
    static const uint32_t shapes[] = {KEYS_RANDOM, STAIRS, ANDED, KEYS_EQUAL, CLUSTERED, ZIPF};
    static uint64_t keys[MORE];
    const ordo_sort_desc *form = form_of(rig_tier() == TIER_ALL ? INDICES : KEYS);
    for (uint32_t i = 0; i < 2 * COUNT_OF(shapes); i++)
        sort_check(&r, case_of(form, i % 2 ? 1000 + i : MORE, shapes[i / 2], i, keys));
    ordo_context_release(r.context);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Keys' images in order, as a source of children. */
typedef struct images {
    uint64_t *sorted;
} images;

static void spread_images(void *from, const msd_bucket *bucket, uint64_t *children) {
    const images *all = from;
    for (uint64_t i = bucket->start; i < bucket->start + bucket->size; i++)
        children[all->sorted[i] >> bucket->shift & model_mask(bucket->bits)]++;
}

/* Sorts on the device, and returns the words of its lists. */
static uint32_t *lists_of(rig *r, ordo_context *context, const ordo_sort_desc *desc,
                          const void *keys, ordo_step *steps) {
    ordo_plan *plan;
    ordo_summary summary;
    uint64_t bytes = desc->max_count * model_bytes(desc->key);
    assert_int_equal(ordo_sort_steps(ordo_context_caps(context), desc, steps, MAX_STEPS, &summary),
                     ORDO_OK);
    assert_int_equal(ordo_sort_plan(context, desc, &plan), ORDO_OK);
    const ordo_range *work = &steps[0].ranges[0];
    uint32_t *words = malloc(work->size_bytes);
    assert_non_null(words);
    WGPUBuffer in = gpu_buffer(&r->device, bytes, WGPUBufferUsage_None, keys);
    WGPUBuffer out = gpu_buffer(&r->device, bytes, WGPUBufferUsage_None, NULL);
    WGPUBuffer scratch = gpu_buffer(&r->device, summary.scratch_bytes, WGPUBufferUsage_None, NULL);
    ordo_args args = {.in = {in, 0}, .scratch = {scratch, 0}};
    if (desc->argsort)
        args.values_out = (ordo_buffer){out, 0};
    else
        args.out = (ordo_buffer){out, 0};
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_OK);
    gpu_submit(&r->device, encoder);
    assert_true(gpu_read(&r->device, scratch, work->offset_bytes, work->size_bytes, words));
    wgpuBufferRelease(in);
    wgpuBufferRelease(out);
    wgpuBufferRelease(scratch);
    ordo_plan_release(plan);
    return words;
}

/* Items are where the model has them: apart, without a gap, and none too large that need not be. */
static void check_items(const uint32_t *words, uint64_t items, const msd_lists *lists,
                        const msd_shape *shape, uint64_t count) {
    unsigned char *taken = calloc(count, 1);
    uint64_t largest = 0;
    assert_non_null(taken);
    for (uint64_t i = 0; i < lists->items; i++) {
        uint64_t start = words[items + 2 * i], size = words[items + 2 * i + 1] & 0x7fffffffu;
        assert_true(size > 0 && start + size <= count);
        largest = size > largest ? size : largest;
        for (uint64_t at = start; at < start + size; at++)
            assert_int_equal(taken[at]++, 0);
    }
    assert_null(memchr(taken, 0, count));
    assert_int_equal(largest, lists->largest_item);
    assert_true(largest <= shape->item_count);
    free(taken);
}

static void check_lists(rig *r, ordo_context *context, const ordo_sort_desc *desc,
                        uint32_t shape_of_keys, uint64_t seed) {
    static ordo_step steps[MAX_STEPS];
    static uint64_t keys[CAPACITY], ranks[CAPACITY];
    static uint32_t order[CAPACITY];
    uint64_t count = desc->max_count;
    msd_fill(shape_of_keys, desc->key, ITEM, count, seed, keys);
    model_argsort(desc, keys, count, order);
    for (uint64_t i = 0; i < count; i++)
        ranks[i] = model_rank(desc, model_get(desc->key, keys, order[i]));
    uint32_t *words = lists_of(r, context, desc, keys, steps);
    msd_shape shape = msd_shape_of(&steps[0]);
    msd_lists lists;
    const msd_bucket root = msd_planned_root(&shape, count);
    msd_publish_root(&shape, spread_images, &(images){ranks}, &root, &lists);
    assert_int_equal(words[1], lists.items);
    /* Sorts of few keys have as many levels as digits, and some keys need them all. */
    uint64_t digits = model_bits(desc->key) / 8;
    assert_int_equal(shape.last_level + 1, context == r->context ? digits : digits + 2);
    assert_true(shape_of_keys != DEEP || lists.tiles[digits - 1] > 0);
    for (uint32_t level = 1; level <= shape.last_level; level++) {
        const uint32_t *held = words + 2 + 3 * level;
        if (held[0] != lists.tiles[level] || held[1] != lists.record_words[level] ||
            held[2] != lists.table_words[level])
            fail_msg("key %d, keys %u, level %u: %u tiles, %u and %u words, not %" PRIu64
                     ", %" PRIu64 ", %" PRIu64,
                     (int)desc->key, shape_of_keys, level, held[0], held[1], held[2],
                     lists.tiles[level], lists.record_words[level], lists.table_words[level]);
    }
    check_items(words, step_param(&steps[0], "items"), &lists, &shape, count);
    free(words);
}

/* The lists are those of model_msd.h, which test_plan_msd_lists.c holds against the room in plans:
   of small sorts, and of keys alone in the shape of large ones. */
static void test_lists_are_those_of_the_model(void **state) {
    rig *r = *state;
    const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                            .tuning = "msd_small_count=0 msd_medium_count=0 msd_items=48 "
                                      "msd_rounds=6"};
    ordo_context *large = rig_context(r, &caps);
    for (uint32_t form = KEYS; form <= INDICES; form++) {
        ordo_sort_desc desc = *form_of(form);
        desc.method = ORDO_METHOD_MSD;
        desc.caller_scratch = true;
        desc.max_count = CAPACITY;
        for (uint32_t shape = 0; shape < SHAPES; shape++) {
            check_lists(r, r->context, &desc, shape, shape);
            if (form == KEYS)
                check_lists(r, large, &desc, shape, shape);
        }
    }
    ordo_context_release(large);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_lists_are_those_of_the_model), rig_test(test_every_form_shape_and_count),
        rig_test(test_every_edge_of_a_capacity),     rig_test(test_ties_in_knots),
        rig_test(test_the_smallest_grids),           rig_test(test_kernels_of_a_gpu),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
