/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_onesweep.c: the radix sort of one pass a digit, whose workgroups look back for where
 * their keys go: every form and shape of keys, counts at the edges of a tile, portions of a grid
 * that is too small, and tiles that stay silent, for which the tests change the kernel's text.
 *
 * Kernels take a software adapter seconds to compile, so that the tiers have different forms.
 * Ballots rank keys in test_gpu_onesweep_ranks.c.
 */
#include "gpu_case.h"
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* A shape that the counts below are made for, whatever that of the device is. */
enum { TILE = 3072, CAPACITY = 5 * TILE + 77, MAX_STEPS = 90 };
#define SHAPE                                                                                      \
    "onesweep_group=256 onesweep_items=12 onesweep_rounds=1 onesweep_pair_items=12 "               \
    "onesweep_pair_rounds=1 onesweep_small_count=0 "

/* ---- Contexts -------------------------------------------------------------------------------- */

/* Tiles 1, 4, 7 … seem silent to all: whoever looks counts their keys. */
static const kernel_edit silent_tiles = {
    .kernel = "onesweep_scatter",
    .words = {{"const POLLS: u32 = 128u;", "const POLLS: u32 = 1u;"},
              {"let kind = (word ^ params.nothing) >> 30u;",
               "let kind = select((word ^ params.nothing) >> 30u, 0u, rest % 3u == 2u);"}},
    .count = 2};
/* Tiles are silent of some digits, by what the tiles behind them hold. */
static const kernel_edit silent_digits = {
    .kernel = "onesweep_scatter",
    .words =
        {{"const POLLS: u32 = 128u;", "const POLLS: u32 = 2u;"},
         {"let kind = (word ^ params.nothing) >> 30u;",
          "let kind = select((word ^ params.nothing) >> 30u, 0u, (rest + before) % 3u == 2u);"}},
    .count = 2};
/* Nobody waits at all: as soon as a tile is not there yet its keys are counted. */
static const kernel_edit no_patience = {
    .kernel = "onesweep_scatter",
    .words = {{"const POLLS: u32 = 128u;", "const POLLS: u32 = 1u;"}},
    .count = 1};
/* No tile but the first has a prefix: every workgroup looks back to that one. */
static const kernel_edit sums_alone = {
    .kernel = "onesweep_scatter",
    .words = {{"publish(tile.number, local, PREFIX, before + digit.x);", ""}},
    .count = 1};

/* A context with another shape if tuning is not NULL, and kernels that are changed if e is not. */
static ordo_context *open_context(rig *r, uint32_t max_groups, const char *tuning, kernel_edit *e) {
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    ordo_context_desc desc = {.instance = r->device.instance,
                              .device = r->device.device,
                              .subgroups = r->device.subgroups,
                              .caps = {.max_groups = max_groups,
                                       .tuning = tuning ? tuning : SHAPE,
                                       .software = ordo_context_caps(r->context)->software},
                              .create_shader_module = e ? edited_module : NULL,
                              .user = e};
    if (ordo_context_create(&desc, &context, message) != ORDO_OK)
        fail_msg("no context: %s", message);
    return context;
}

/* ---- Every form ------------------------------------------------------------------------------ */

/* What chooses pipelines. Each tier has its own list; together they have every type, both orders,
   every size of values, and even and odd numbers of passes of each form. */
enum { KEYS, INDICES, PAIRS, FORMS = 6 };
static const ordo_sort_desc forms[2][FORMS] = {
    {
        {.key = ORDO_U32},
        {.key = ORDO_F64, .order = ORDO_DESCENDING, .argsort = true},
        {.key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 4},
        {.key = ORDO_I32, .value_bytes = 8, .in_place = true, .skip_low_bits = 9},
        {.key = ORDO_I64, .in_place = true},
        {.key = ORDO_U32, .value_bytes = 12, .skip_high_bits = 13},
    },
    {
        {.key = ORDO_U64, .order = ORDO_DESCENDING, .skip_low_bits = 5, .skip_high_bits = 6},
        {.key = ORDO_U32, .argsort = true},
        {.key = ORDO_I64, .value_bytes = 8},
        {.key = ORDO_F32, .order = ORDO_DESCENDING, .in_place = true},
        {.key = ORDO_F64, .value_bytes = 16, .in_place = true},
        {.key = ORDO_I32, .argsort = true, .skip_low_bits = 12},
    },
};

static const ordo_sort_desc *form_of(size_t form) { return &forms[rig_tier() == TIER_ALL][form]; }

static sort_case case_of(const ordo_sort_desc *form, ordo_context *context, uint64_t max_count,
                         uint64_t number) {
    sort_case c = {.desc = *form,
                   .shape = (distribution)(number % DISTRIBUTION_COUNT),
                   .seed = number,
                   .scratch = (scratch_use)(number % 4),
                   .one_buffer = number % 5 == 0,
                   .context = context};
    c.desc.method = ORDO_METHOD_ONESWEEP;
    c.desc.max_count = max_count;
    return c;
}

/* Counts at and beside the edges of a tile, and in several of them. */
static const uint32_t counts[] = {CAPACITY, 2,    TILE - 1, 2 * TILE,     CAPACITY - 1,
                                  1,        9000, TILE,     2 * TILE + 1, 255,
                                  TILE + 1, 0,    256,      257,          UINT32_MAX};

/* P1, P2; B012, B021, B025, B042, B045: all shapes on every form, in all bytes of all buffers. */
static void test_every_form_shape_and_count(void **state) {
    ordo_context *context = open_context(*state, 0, NULL, NULL);
    uint64_t number = 0;
    for (size_t form = 0; form < FORMS; form++) {
        for (uint32_t shape = 0; shape < DISTRIBUTION_COUNT; shape++, number++) {
            sort_case c = case_of(form_of(form), context, CAPACITY, number);
            c.count_use = number % 3 ? COUNT_GIVEN : COUNT_HOST;
            c.gpu_count = counts[number % COUNT_OF(counts)];
            sort_check(*state, c);
        }
    }
    ordo_context_release(context);
}

/* B004, B018, B034: capacities beside every edge. */
static void test_every_edge_of_a_capacity(void **state) {
    static const uint32_t edges[] = {1,    2,        255,      256,          257,
                                     2047, TILE - 1, TILE,     TILE + 1,     6143,
                                     6144, 2 * 6145, 3 * TILE, 8 * TILE - 1, 16 * TILE + 1};
    ordo_context *context = open_context(*state, 0, NULL, NULL);
    for (size_t i = 0; i < 2 * COUNT_OF(edges); i++)
        sort_check(*state, case_of(form_of(i % 2 ? INDICES : KEYS), context, edges[i / 2], i));
    ordo_context_release(context);
}

/* B030: windows of every kind of width: one bit, one digit, a bit more, across the words of a key,
   none. Of KEYS and INDICES, so that pipelines differ in the number of passes alone. */
static void test_windows(void **state) {
    rig *r = *state;
    ordo_context *context = open_context(r, 0, NULL, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        const ordo_sort_desc *form = form_of(i);
        uint32_t width = model_bits(form->key);
        const uint32_t windows[][2] = {
            {0, width - 1},  {width - 1, 0},         {width / 2 - 4, width / 2 - 4},
            {3, width - 12}, {width / 2, width / 2}, {1, 0},
            {width, 0},
        };
        for (uint32_t window = 0; window < COUNT_OF(windows); window++) {
            sort_case c = case_of(form, context, 2 * TILE + 5, window);
            c.shape = window % 2 ? KEYS_RANDOM : KEYS_SPECIAL;
            c.desc.skip_low_bits = windows[window][0];
            c.desc.skip_high_bits = windows[window][1];
            sort_check(r, c);
        }
    }
    ordo_context_release(context);
}

/* B018: tiles that are moved in rounds, the last of which may be partly filled or empty; of as many
   invocations as the tier has. */
static void test_rounds(void **state) {
    static const char *const tunings[] = {
        "onesweep_items=24 onesweep_rounds=3 onesweep_pair_items=16 onesweep_pair_rounds=2 "
        "onesweep_small_count=0",
        "onesweep_group=512 onesweep_items=16 onesweep_rounds=4 onesweep_pair_items=12 "
        "onesweep_pair_rounds=2 onesweep_histogram_items=2 onesweep_histogram_groups=3 "
        "onesweep_tickets=0 onesweep_small_count=0"};
    static const uint32_t edges[] = {CAPACITY, 6144, 6145, 2049, 12287, 8192};
    rig *r = *state;
    ordo_context *context = open_context(r, 0, tunings[rig_tier() == TIER_ALL], NULL);
    for (uint32_t i = 0; i < 3 * COUNT_OF(edges); i++) {
        uint64_t number = i % 4 ? i : KEYS_RANDOM;
        sort_check(r, case_of(form_of(i % 3), context, edges[i / 3], number));
    }
    ordo_context_release(context);
}

/* ---- Looking back ---------------------------------------------------------------------------- */

/* B086: a grid of one workgroup, or of two rows, takes the tiles in portions, as many as a plan has
   at most. */
static void test_portions(void **state) {
    rig *r = *state;
    for (uint32_t groups = 1; groups <= 2; groups++) {
        uint32_t most = 8 * groups * groups * TILE;
        ordo_context *narrow = open_context(r, groups, NULL, NULL);
        for (uint32_t i = 0; i < 10; i++) {
            const uint32_t gpu_counts[] = {most, most / 2, most / 2 + 1, most - TILE + 1, 5};
            /* Two-word keys have half as many a tile. */
            const ordo_sort_desc *form = form_of(i % 2 ? INDICES : KEYS);
            uint32_t share = model_bits(form->key) / 32;
            sort_case c = case_of(form, narrow, most / share - i, i);
            c.count_use = i < 4 ? COUNT_HOST : COUNT_GIVEN;
            c.gpu_count = gpu_counts[i % COUNT_OF(gpu_counts)] / share;
            sort_check(r, c);
        }
        ordo_context_release(narrow);
    }
}

/* Whoever waits too long counts the silent tile's keys: of all digits or of some, one tile after
   the other, and where all are whole or the last is not. */
static void test_silent_tiles_are_passed_over(void **state) {
    rig *r = *state;
    kernel_edit edits[] = {silent_tiles, silent_digits, no_patience};
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        ordo_context *context = open_context(r, 0, NULL, &edits[i]);
        for (uint32_t number = 0; number < 9; number++) {
            uint32_t count = (1 + number) * TILE + (number % 2 ? 77 : 0);
            sort_check(r, case_of(form_of(number % 3), context, count, number));
        }
        assert_true(edits[i].modules > 0);
        ordo_context_release(context);
    }
}

/* The same over portions, whose sums count from their first tile. */
static void test_silent_tiles_of_portions(void **state) {
    rig *r = *state;
    kernel_edit e = silent_tiles;
    ordo_context *context = open_context(r, 3, NULL, &e);
    for (uint32_t number = 0; number < 4; number++)
        sort_check(r, case_of(form_of(INDICES), context, 9 * TILE + 4 * TILE * number, number));
    assert_true(e.modules > 0);
    ordo_context_release(context);
}

/* Many tiles: prefixes of a moment ago, or where there are none, all the way back to the first
   tile. A pass then leaves sums where the next one looks for nothing, so there is only one. */
static void test_many_tiles(void **state) {
    rig *r = *state;
    kernel_edit e = sums_alone;
    ordo_context *context = open_context(r, 0, NULL, NULL), *sums = open_context(r, 0, NULL, &e);
    sort_check(r, case_of(form_of(KEYS), context, 150 * TILE + 5, 0));
    sort_check(r, case_of(form_of(INDICES), context, 150 * TILE + 5, 1));
    sort_case c = case_of(form_of(INDICES), sums, 100 * TILE, KEYS_RANDOM);
    c.desc.skip_low_bits = 5;
    c.desc.skip_high_bits = model_bits(c.desc.key) - 13;
    sort_check(r, c);
    assert_true(e.modules > 0);
    ordo_context_release(context);
    ordo_context_release(sums);
}

/* ---- Kernels --------------------------------------------------------------------------------- */

/* What a GPU runs: loops are written out. */
static void test_kernels_of_a_gpu(void **state) {
    rig r = rig_as_gpu(*state);
    const ordo_sort_desc *form = form_of(rig_tier() == TIER_ALL ? INDICES : KEYS);
    for (uint32_t i = 0; i < 10; i++)
        sort_check(&r, case_of(form, r.context, CAPACITY - i, i));
    ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    ordo_sort_desc desc = {.max_count = CAPACITY, .method = ORDO_METHOD_ONESWEEP};
    assert_int_equal(
        ordo_sort_steps(ordo_context_caps(r.context), &desc, steps, MAX_STEPS, &summary), ORDO_OK);
    assert_string_equal(steps[2].kernel, "onesweep_scatter");
    assert_true(steps[2].unrolled);
    ordo_context_release(r.context);
}

int main(void) {
    /* Those first that are quick to see what is wrong. */
    const struct CMUnitTest tests[] = {
        rig_test(test_portions),
        rig_test(test_silent_tiles_of_portions),
        rig_test(test_silent_tiles_are_passed_over),
        rig_test(test_rounds),
        rig_test(test_windows),
        rig_test(test_many_tiles),
        rig_test(test_kernels_of_a_gpu),
        rig_test(test_every_edge_of_a_capacity),
        rig_test(test_every_form_shape_and_count),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
