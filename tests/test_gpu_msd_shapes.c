/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_msd_shapes.c: forms that a sort from the most significant digit down takes on some
 * devices and for some wishes: pairs that may trade places, tiles of any length in any number of
 * rounds, and workgroups of many invocations that sort a whole array or large items. Those, and
 * tiles in few rounds, are there on the tier of all that the adapter gives; on the other the same
 * sorts take the smaller form.
 */
#include "gpu_case.h"
#include "msd_keys.h"
#include "step_number.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { CAPACITY = 13001, LARGE_CAPACITY = 40009, MAX_STEPS = 64 };

/* A step of the context's plan, counted from the last, 1. */
static ordo_step step_from_end(const ordo_context *context, const ordo_sort_desc *desc,
                               uint32_t number) {
    static ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    assert_int_equal(ordo_sort_steps(ordo_context_caps(context), desc, steps, MAX_STEPS, &summary),
                     ORDO_OK);
    return steps[summary.step_count - number];
}

static sort_case case_of(ordo_context *context, const ordo_sort_desc *form, uint64_t max_count,
                         uint32_t shape, uint32_t item_count, uint64_t number, void *keys) {
    sort_case c = {.desc = *form,
                   .shape = (distribution)shape,
                   .seed = number,
                   .given_keys = keys,
                   .scratch = (scratch_use)(number % 4),
                   .one_buffer = number % 5 == 0,
                   .context = context};
    c.desc.method = ORDO_METHOD_MSD;
    c.desc.max_count = max_count;
    msd_fill(shape, c.desc.key, item_count, max_count, number, keys);
    return c;
}

/* Keys are in order, and each value is there once, with its key. */
static void test_pairs_that_may_trade_places(void **state) {
    rig *r = *state;
    static const ordo_sort_desc forms[2][2] = {
        {{.value_bytes = 4, .allow_unstable = true},
         {.key = ORDO_F64, .value_bytes = 8, .in_place = true, .allow_unstable = true}},
        {{.key = ORDO_I64, .order = ORDO_DESCENDING, .value_bytes = 4, .allow_unstable = true},
         {.key = ORDO_F32, .value_bytes = 8, .in_place = true, .allow_unstable = true}},
    };
    static const uint32_t counts[] = {CAPACITY, 1281, 4095, 4097, 2, 8192, CAPACITY - 1};
    static uint64_t keys[CAPACITY];
    for (uint32_t i = 0; i < 2 * SHAPES; i++) {
        const ordo_sort_desc *form = &forms[rig_tier() == TIER_ALL][i % 2];
        sort_case c = case_of(r->context, form, CAPACITY, i / 2, 1280, i, keys);
        c.count_use = i % 3 ? COUNT_GIVEN : COUNT_HOST;
        c.gpu_count = counts[i % COUNT_OF(counts)];
        sort_check(r, c);
    }
}

/* Tiles of large sorts of such pairs, which have another number of rounds. */
static void test_large_tiles_of_such_pairs(void **state) {
    rig *r = *state;
    static const ordo_sort_desc form = {.value_bytes = 4, .allow_unstable = true};
    static const uint32_t shapes[] = {KEYS_RANDOM, KEYS_FEW, DEEP, KEYS_EQUAL};
    static uint64_t keys[CAPACITY];
    const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                            .tuning = rig_tier() == TIER_ALL
                                          ? "msd_small_count=0 msd_stable_items=28"
                                          : "msd_small_count=0 msd_stable_items=24 "
                                            "msd_stable_rounds=3"};
    ordo_context *context = rig_context(r, &caps);
    for (uint32_t i = 0; i < COUNT_OF(shapes); i++)
        sort_check(r, case_of(context, &form, CAPACITY, shapes[i], 1280, i, keys));
    ordo_context_release(context);
}

typedef struct tiling {
    const char *tuning;
    ordo_sort_desc form;
    uint32_t items, rounds; /* keys an invocation */
} tiling;

/* Keys alone, which are written four at a time: in as many rounds of as many for each invocation as
   may be, at counts beside the edges of a tile and its parts. Those of medium sorts are such tiles
   too. */
static void test_tiles_of_keys_alone(void **state) {
    rig *r = *state;
    static const tiling tilings[2][4] = {
        {{"msd_medium_count=0 msd_items=48 msd_rounds=6", {.key = ORDO_U32}, 48, 6},
         {"msd_medium_items=12 msd_medium_rounds=2", {.key = ORDO_F32, .in_place = true}, 12, 2},
         {"msd_medium_count=0 msd_items=4 msd_rounds=1", {.key = ORDO_U64}, 2, 1},
         {"msd_medium_items=30 msd_medium_rounds=3", {.key = ORDO_I64}, 15, 3}},
        {{"msd_medium_count=0 msd_items=48 msd_rounds=3", {.key = ORDO_I32}, 48, 3},
         {"msd_medium_count=0 msd_items=48 msd_rounds=3", {.key = ORDO_I64}, 24, 3},
         {"msd_medium_items=12 msd_medium_rounds=2", {.key = ORDO_U64, .in_place = true}, 6, 2},
         {"msd_medium_count=0 msd_items=14 msd_rounds=1", {.key = ORDO_U32}, 14, 1}},
    };
    static const uint32_t shapes[] = {KEYS_RANDOM, DEEP,        ANDED,  KEYS_FEW,
                                      KEYS_EQUAL,  KEYS_RANDOM, STAIRS, ZIPF};
    static uint64_t keys[CAPACITY];
    for (uint32_t i = 0; i < 4 * COUNT_OF(shapes); i++) {
        const tiling *t = &tilings[rig_tier() == TIER_ALL][i / COUNT_OF(shapes)];
        const uint32_t tile = 256 * t->items, part = tile / t->rounds;
        const uint32_t last = CAPACITY / tile * tile;
        const uint32_t counts[] = {last + 1, last,     last - 1, tile + part - 255,
                                   part + 1, CAPACITY, 1281,     tile + part + 3};
        char text[80];
        snprintf(text, sizeof text, "msd_small_count=0 %s", t->tuning);
        const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                                .tuning = text};
        ordo_context *context = rig_context(r, &caps);
        sort_case c =
            case_of(context, &t->form, CAPACITY, shapes[i % COUNT_OF(shapes)], 1280, i, keys);
        ordo_step partition = step_from_end(context, &c.desc, 2);
        assert_int_equal(step_param(&partition, "tile_items"), tile);
        assert_int_equal(step_constant(&partition, "ROUNDS"), t->rounds);
        c.count_use = COUNT_GIVEN;
        c.gpu_count = counts[i % COUNT_OF(counts)];
        sort_check(r, c);
        ordo_context_release(context);
    }
}

/* Arrays of up to 4,096 elements: one workgroup of 512 invocations. */
static void test_whole_arrays(void **state) {
    rig *r = *state;
    static const ordo_sort_desc forms[] = {
        {.key = ORDO_U32},
        {.key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 4},
        {.key = ORDO_U64, .argsort = true},
        {.key = ORDO_I64, .in_place = true},
        {.key = ORDO_F64, .value_bytes = 8, .in_place = true},
    };
    static const uint32_t capacities[] = {1281, 4096, 2000, 4095, 3001},
                          counts[] = {4096, 1, 1280, 3333, 2, 0, 4095};
    static uint64_t keys[4096];
    for (uint32_t i = 0; i < COUNT_OF(forms) * SHAPES; i++) {
        const ordo_sort_desc *form = &forms[i / SHAPES];
        uint32_t capacity = i % 2 ? 4096 : capacities[i / 2 % COUNT_OF(capacities)];
        sort_case c = case_of(r->context, form, capacity, i % SHAPES, 4096, i, keys);
        c.count_use = i % 3 ? COUNT_HOST : COUNT_GIVEN;
        c.gpu_count = counts[i % COUNT_OF(counts)];
        ordo_step last = step_from_end(r->context, &c.desc, 1);
        bool whole = rig_tier() == TIER_ALL;
        assert_string_equal(last.kernel, whole ? "msd_small" : "msd_local");
        assert_int_equal(step_constant(&last, "GROUP_SIZE"), whole ? 512 : 160);
        sort_check(r, c);
    }
}

/* Items of up to 4,608 elements, which narrow digits make worth it for few. */
static void test_large_items(void **state) {
    rig *r = *state;
    static const ordo_sort_desc forms[] = {
        {.key = ORDO_U32},
        {.key = ORDO_I64, .order = ORDO_DESCENDING, .value_bytes = 4},
        {.key = ORDO_F32, .argsort = true},
    };
    static const char *const tunings[] = {"msd_digit_bits=5", "msd_digit_bits=5 msd_small_count=0"};
    static const uint32_t shapes[] = {KEYS_RANDOM, STAIRS, KEYS_FEW,   KNOTS,
                                      KEYS_EQUAL,  DEEP,   KEYS_SORTED};
    static uint64_t keys[LARGE_CAPACITY];
    for (uint32_t i = 0; i < COUNT_OF(forms) * COUNT_OF(shapes); i++) {
        uint32_t form = i / COUNT_OF(shapes);
        const ordo_caps caps = {.software = ordo_context_caps(r->context)->software,
                                .tuning = tunings[form % 2]};
        ordo_context *context = rig_context(r, &caps);
        bool large = rig_tier() == TIER_ALL;
        sort_case c = case_of(context, &forms[form], LARGE_CAPACITY, shapes[i % COUNT_OF(shapes)],
                              large ? 4608 : 1280, i, keys);
        c.count_use = i % 3 ? COUNT_HOST : COUNT_GIVEN;
        c.gpu_count = LARGE_CAPACITY - 1 - 5000 * (i % 2);
        ordo_step last = step_from_end(context, &c.desc, 1);
        assert_string_equal(last.kernel, "msd_local");
        assert_int_equal(step_constant(&last, "GROUP_SIZE"), large ? 576 : 160);
        sort_check(r, c);
        ordo_context_release(context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_pairs_that_may_trade_places),
        rig_test(test_large_tiles_of_such_pairs),
        rig_test(test_tiles_of_keys_alone),
        rig_test(test_whole_arrays),
        rig_test(test_large_items),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
