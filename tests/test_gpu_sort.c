/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_sort.c: the radix sort, on every setting that it has: a table in which every two
 * settings meet, the whole product of those that choose kernels, and every count around an edge.
 */
#include "gpu_case.h"
#include "pairwise.h"
#include "plan.h"

/* Windows as parts of the key's width in 32nds, so that one table serves both widths. */
typedef struct window {
    uint32_t low, high;
} window;

static const window windows[] = {
    {0, 0},   /* the whole key */
    {0, 16},  /* the low half */
    {16, 0},  /* the high half */
    {7, 3},   /* three passes, no digit at a byte's edge */
    {10, 20}, /* two bits; in 64 bits they straddle nothing */
    {31, 0},  /* the top of the image: the sign */
    {12, 12}, /* one pass, an odd number; of 64-bit keys two that straddle the words */
    {32, 0},  /* empty: a copy */
};
enum { WINDOW_COUNT = sizeof windows / sizeof *windows };

/* Value forms: bytes, or an argsort. */
enum { ARGSORT = 1000 };
static const uint32_t value_forms[] = {0, 4, 8, 12, 16, 64, ARGSORT};
enum { VALUE_FORM_COUNT = sizeof value_forms / sizeof *value_forms };

static ordo_sort_desc desc_of(uint32_t key, uint32_t order, uint32_t value_form, uint32_t in) {
    ordo_sort_desc desc = {
        .key = (ordo_type)key, .order = (ordo_order)order, .method = ORDO_METHOD_RADIX};
    uint32_t scale = model_bits(desc.key) / 32;
    desc.argsort = value_forms[value_form] == ARGSORT;
    desc.value_bytes = desc.argsort ? 0 : value_forms[value_form];
    desc.skip_low_bits = windows[in].low * scale;
    desc.skip_high_bits = windows[in].high * scale;
    return desc;
}

/* ---- Every pair of settings ------------------------------------------------------------------ */

enum {
    KEY,
    ORDER,
    VALUES,
    IN_PLACE,
    WINDOW,
    COUNT_USE,
    CAPACITY,
    SHAPE,
    DIGIT,
    ONE_BUFFER,
    SCRATCH,
    FACTOR_COUNT
};

/*
 * An argsort is never in place. Order and form of the sort follow from type and values, in such a
 * way that all their pairs still occur: each pipeline costs a software adapter a second, and so
 * there are a quarter as many.
 */
static bool allowed(const uint32_t *row) {
    bool order = (row[KEY] + row[VALUES]) % 2, classic = (row[KEY] / 2 + row[VALUES]) % 2;
    return !(value_forms[row[VALUES]] == ARGSORT && row[IN_PLACE]) && row[ORDER] == order &&
           row[DIGIT] == classic;
}

enum { CAPACITY_COUNT = 20, COUNT_USE_COUNT = 8 };

/* Counts at and beside every edge of the kernels: an invocation's strip, the single subtile, the
   tile, two tiles, and the tile of the classic form. */
static void fill_capacities(const rig *r, uint64_t *capacities) {
    const ordo_tuning *tuning = ordo_tune(ordo_context_caps(r->context));
    uint64_t subtile = (uint64_t)tuning->group_size * tuning->radix_items;
    uint64_t tile = subtile * tuning->radix_subtiles;
    uint64_t classic = (uint64_t)tuning->group_size * tuning->split_items;
    uint64_t list[CAPACITY_COUNT] = {0,
                                     1,
                                     2,
                                     33,
                                     255,
                                     257,
                                     classic - 1,
                                     classic,
                                     classic + 1,
                                     subtile - 1,
                                     subtile,
                                     5003,
                                     subtile + 1,
                                     tile - 1,
                                     tile,
                                     tile + 1,
                                     2 * tile - 1,
                                     2 * tile,
                                     2 * tile + 1,
                                     4097};
    memcpy(capacities, list, sizeof list);
}

static void set_count(sort_case *c, uint32_t use, uint64_t random) {
    uint32_t capacity = (uint32_t)c->desc.max_count;
    const uint32_t counts[COUNT_USE_COUNT] = {0,          0,
                                              1,          capacity - 1,
                                              capacity,   capacity + 1,
                                              UINT32_MAX, (uint32_t)(random % (capacity + 1))};
    c->count_use = use == 0 ? COUNT_HOST : COUNT_GIVEN;
    c->gpu_count = use == 0 ? 0 : counts[use];
}

/* P1, P2, P3, P4; B012, B021, B025, B026, B032: every byte of every buffer, in some 300 sorts. */
static void test_every_pair_of_settings(void **state) {
    rig *r = *state;
    static pairwise table;
    uint64_t capacities[CAPACITY_COUNT], seed = 1;
    uint32_t row[PAIRWISE_FACTORS], row_count = 0;
    fill_capacities(r, capacities);
    table = (pairwise){.factor_count = FACTOR_COUNT,
                       .level_count = {6, 2, VALUE_FORM_COUNT, 2, WINDOW_COUNT, COUNT_USE_COUNT,
                                       CAPACITY_COUNT, DISTRIBUTION_COUNT, 2, 2, 4},
                       .allowed = allowed,
                       .random = 7};
    for (; pairwise_next(&table, row); row_count++) {
        sort_case c = {.desc = desc_of(row[KEY], row[ORDER], row[VALUES], row[WINDOW]),
                       .shape = (distribution)row[SHAPE],
                       .seed = row_count,
                       .one_buffer = row[ONE_BUFFER],
                       .scratch = (scratch_use)row[SCRATCH]};
        c.desc.max_count = capacities[row[CAPACITY]];
        c.desc.in_place = row[IN_PLACE];
        c.desc.digit_bits = row[DIGIT] ? 4 : 0;
        set_count(&c, row[COUNT_USE], model_random(&seed));
        sort_check(r, c);
    }
    /* The one pair that cannot be is an argsort in place. */
    assert_int_equal(table.impossible_count, 1);
    assert_true(row_count >= CAPACITY_COUNT * DISTRIBUTION_COUNT);
}

/* ---- Every product of settings that choose kernels and passes -------------------------------- */

static uint64_t tile_of(const rig *r) {
    const ordo_tuning *tuning = ordo_tune(ordo_context_caps(r->context));
    return (uint64_t)tuning->group_size * tuning->radix_items * tuning->radix_subtiles;
}

/* P2, P3; B003, B011, B023, B028, B041, B042, B045: type x order x value size x window, by turns in
   one tile and in three. */
static void test_every_type_order_value_and_window(void **state) {
    rig *r = *state;
    uint64_t two_tiles = 2 * tile_of(r);
    uint32_t number = 0;
    for (uint32_t key = 0; key < 6; key++) {
        for (uint32_t form = 0; form < 2 * VALUE_FORM_COUNT; form++) {
            for (uint32_t in = 0; in < WINDOW_COUNT; in++, number++) {
                sort_case c = {.desc = desc_of(key, form & 1, form / 2, in), .seed = number};
                c.shape = number % 3 == 0 ? KEYS_SPECIAL : number % 3 == 1 ? KEYS_FEW : KEYS_RANDOM;
                c.desc.max_count = in % 2 ? 3400 : two_tiles + 1;
                c.desc.in_place = number % 4 < 2 && !c.desc.argsort;
                sort_check(r, c);
            }
        }
    }
}

/* P1, P2: the classic form on every type and order, of keys, pairs and indices, in five tiles. */
static void test_every_type_and_order_in_the_classic_form(void **state) {
    for (uint32_t number = 0; number < 6 * 2 * 3; number++) {
        sort_case c = {.desc = {.max_count = 5000 + number,
                                .key = (ordo_type)(number / 6),
                                .order = (ordo_order)(number / 3 % 2),
                                .value_bytes = number % 3 == 1 ? 4 : 0,
                                .argsort = number % 3 == 2,
                                .digit_bits = 4},
                       .shape = number % 2 ? KEYS_SPECIAL : KEYS_FEW,
                       .seed = number};
        c.desc.in_place = number % 4 < 2 && !c.desc.argsort;
        sort_check(*state, c);
    }
}

/* P3: every window of a 32-bit key, and a sample of those of a 64-bit key. */
static void test_every_window(void **state) {
    rig *r = *state;
    for (uint32_t low = 0; low <= 32; low++) {
        for (uint32_t high = 0; low + high <= 32; high += low % 4 == 0 ? 1 : 5) {
            sort_case c = {.desc = {.max_count = 3400 + low,
                                    .key = low & 1 ? ORDO_I32 : ORDO_F32,
                                    .order = high & 1 ? ORDO_DESCENDING : ORDO_ASCENDING,
                                    .argsort = true,
                                    .method = ORDO_METHOD_RADIX,
                                    .skip_low_bits = low,
                                    .skip_high_bits = high},
                           .seed = low * 33 + high};
            sort_check(r, c);
            c.desc.key = high & 2 ? ORDO_U64 : ORDO_F64;
            c.desc.skip_low_bits = 2 * low + (high & 1);
            c.desc.skip_high_bits = high;
            if (c.desc.skip_low_bits + high <= 64)
                sort_check(r, c);
        }
    }
}

/* P3: sorting by the low bits and then by the rest is sorting by all. */
static void test_two_windows_make_a_whole(void **state) {
    rig *r = *state;
    enum { COUNT = 9000 };
    static uint32_t keys[COUNT], order[COUNT], sorted[COUNT];
    distribution_fill(KEYS_RANDOM, ORDO_I32, COUNT, 4, keys);
    model_argsort(&(ordo_sort_desc){.key = ORDO_I32}, keys, COUNT, order);
    model_gather(order, keys, COUNT, 4, sorted);
    WGPUBuffer buffer = gpu_buffer(&r->device, sizeof keys, WGPUBufferUsage_None, keys);
    ordo_sort_desc low = {.max_count = COUNT,
                          .key = ORDO_I32,
                          .in_place = true,
                          .method = ORDO_METHOD_RADIX,
                          .skip_high_bits = 19};
    ordo_sort_desc high = low;
    high.skip_high_bits = 0;
    high.skip_low_bits = 13;
    ordo_plan *plans[2];
    assert_int_equal(ordo_sort_plan(r->context, &low, &plans[0]), ORDO_OK);
    assert_int_equal(ordo_sort_plan(r->context, &high, &plans[1]), ORDO_OK);
    WGPUCommandEncoder encoder = rig_encoder(r);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ordo_encode(plans[i], encoder, &(ordo_args){.in = {buffer, 0}}), ORDO_OK);
        ordo_plan_release(plans[i]);
    }
    gpu_submit(&r->device, encoder);
    assert_true(gpu_read(&r->device, buffer, 0, sizeof keys, keys));
    assert_memory_equal(keys, sorted, sizeof keys);
    wgpuBufferRelease(buffer);
}

/* ---- Counts ---------------------------------------------------------------------------------- */

/* P1; B004, B018, B034: every count up to 600, fifty sorts to an encoder. */
static void test_every_count_up_to_600(void **state) {
    rig *r = *state;
    enum { BATCH = 50 };
    for (uint32_t first = 0; first <= 600; first += BATCH) {
        static sort_case cases[BATCH];
        WGPUCommandEncoder encoder = rig_encoder(r);
        for (uint32_t i = 0; i < BATCH; i++) {
            cases[i] = (sort_case){
                .desc = {.max_count = first + i, .value_bytes = 4, .method = ORDO_METHOD_RADIX},
                .shape = (distribution)((first + i) % DISTRIBUTION_COUNT),
                .seed = i};
            cases[i].desc.digit_bits = i % 7 == 0 ? 4 : 0;
            sort_begin(r, &cases[i]);
            sort_encode(&cases[i], encoder);
        }
        gpu_submit(&r->device, encoder);
        for (uint32_t i = 0; i < BATCH; i++)
            sort_end(r, &cases[i]);
    }
}

/* P1; B018, B034: powers of two, and the counts at which the scan of the digit counts changes its
   form, each with its neighbours, in both forms of the sort. */
static void test_counts_beside_every_switch(void **state) {
    rig *r = *state;
    const ordo_tuning *tuning = ordo_tune(ordo_context_caps(r->context));
    uint64_t block = (uint64_t)tuning->group_size * tuning->scan_items;
    uint64_t tile = tile_of(r);
    uint64_t classic = (uint64_t)tuning->group_size * tuning->split_items;
    const struct {
        uint64_t count;
        uint32_t digit_bits;
    } edges[] = {{2304, 0},
                 {4096, 4},
                 {8192, 0},
                 {16384, 4},
                 {32768, 0},
                 {65536, 0},
                 {3 * tile, 0},
                 {block / 256 * tile, 0},
                 {block / 16 * classic, 4}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        for (uint64_t count = edges[i].count - 1; count <= edges[i].count + 1; count++) {
            sort_case c = {.desc = {.max_count = count,
                                    .method = ORDO_METHOD_RADIX,
                                    .digit_bits = edges[i].digit_bits},
                           .shape = (distribution)(count % 3 ? KEYS_RANDOM : KEYS_COUNTING),
                           .seed = count};
            c.desc.value_bytes = i % 2 ? 0 : 4;
            sort_check(r, c);
        }
    }
}

/* B001, B002, B013, B016: about a million, in the sizes that others found wrong. */
static void test_b001_a_million(void **state) {
    rig *r = *state;
    static const uint32_t counts[] = {1000000, 1001000, 1025024};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        sort_case c = {.desc = {.max_count = counts[i],
                                .value_bytes = i % 2 ? 0 : 4,
                                .method = ORDO_METHOD_RADIX},
                       .shape = i == 1 ? KEYS_FEW : KEYS_RANDOM,
                       .seed = i};
        c.desc.key = i == 2 ? ORDO_I32 : ORDO_U32;
        c.desc.skip_high_bits = i == 0 ? 16 : 0;
        sort_check(r, c);
    }
    sort_check(r, (sort_case){.desc = {.max_count = 1000003, .digit_bits = 4, .argsort = true}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_every_pair_of_settings),
        rig_test(test_every_type_order_value_and_window),
        rig_test(test_every_type_and_order_in_the_classic_form),
        rig_test(test_every_window),
        rig_test(test_two_windows_make_a_whole),
        rig_test(test_every_count_up_to_600),
        rig_test(test_counts_beside_every_switch),
        rig_test(test_b001_a_million),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
