/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_topk.c: the best k of n: every key, both ends, k around each border of methods, rows,
 * against the model, what must hold of a selection by itself, and the faults of other selections.
 * Numbers like B056 are those of the project's list of cases.
 */
#include "gpu_slots.h"
#include "model_third.h"
#include "pairwise.h"

#include <inttypes.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

typedef struct top_k_case {
    ordo_top_k_desc desc;
    distribution shape;
    uint64_t seed;
    const void *given_keys; /* not NULL: these instead of made ones */
    count_use count_use;
    uint32_t gpu_count;
    bool one_buffer;
    scratch_use scratch;
    ordo_context *context; /* NULL: the rig's */
    uint32_t *indices;     /* not NULL: receives VALUES_OUT */
    bool large;            /* too large for the model: what must hold by itself says it all too */
} top_k_case;

/* A case as it runs: what it must give. */
typedef struct top_k_run {
    slot_case slots;
    void *in, *keys;
    uint32_t *indices;
} top_k_run;

static void make_plan(rig *r, const top_k_case *c, slot_case *s) {
    ordo_context *context = c->context ? c->context : r->context;
    ordo_top_k_desc desc = c->desc;
    snprintf(s->what, sizeof s->what,
             "top-k of %" PRIu64
             " (key %d, smallest %d, k %u, row_length %u, keys %d, seed %" PRIu64
             ", count %s%u, one_buffer %d, scratch %d)",
             desc.max_count, (int)desc.key, desc.smallest, desc.k, desc.row_length, (int)c->shape,
             c->seed, c->count_use == COUNT_HOST ? "host " : "", c->gpu_count, c->one_buffer,
             (int)c->scratch);
    desc.caller_scratch = c->scratch != SCRATCH_OWN;
    if (ordo_top_k_plan(context, &desc, &s->plan) != ORDO_OK)
        fail_msg("%s: %s", s->what, ordo_message(context));
}

static uint64_t entry_count(const ordo_top_k_desc *desc) {
    return model_top_k_rows(desc) * model_top_k_entries(desc);
}

static top_k_run begin(rig *r, const top_k_case *c) {
    const ordo_top_k_desc *desc = &c->desc;
    uint32_t bytes = model_bytes(desc->key);
    uint64_t entries = entry_count(desc);
    top_k_run run = {.slots = {.count_use = c->count_use,
                               .gpu_count = c->gpu_count,
                               .one_buffer = c->one_buffer,
                               .scratch = c->scratch}};
    slot_case *s = &run.slots;
    make_plan(r, c, s);
    run.in = malloc(desc->max_count * bytes + 8);
    run.keys = malloc(entries * bytes + 8);
    run.indices = malloc(entries * 4 + 4);
    assert_true(run.in && run.keys && run.indices);
    if (c->given_keys)
        memcpy(run.in, c->given_keys, desc->max_count * bytes);
    else
        distribution_fill(c->shape, desc->key, desc->max_count, c->seed, run.in);
    s->inputs[ORDO_SLOT_IN] = run.in;
    if (c->large)
        return run;
    model_top_k(desc, run.in, slots_count(s, desc->max_count), run.keys, run.indices);
    s->expected[ORDO_SLOT_OUT] = run.keys;
    s->expected[ORDO_SLOT_VALUES_OUT] = run.indices;
    s->expected_bytes[ORDO_SLOT_OUT] = entries * bytes;
    s->expected_bytes[ORDO_SLOT_VALUES_OUT] = entries * 4;
    return run;
}

static void run_free(top_k_run *run) {
    slots_free(&run->slots);
    free(run->in);
    free(run->keys);
    free(run->indices);
}

/* Whether key a of index i comes before key b of index j. */
static bool beats(const ordo_top_k_desc *desc, uint64_t a, uint64_t i, uint64_t b, uint64_t j) {
    bool less = model_less(desc->key, a, b), greater = model_less(desc->key, b, a);
    return (desc->smallest ? less : greater) || (!less && !greater && i < j);
}

/* P6, of one row of `length` elements: entries are distinct elements of the row with their keys,
   each beats the next, what is not there is beaten by the last; entries without an element come
   after. */
static void check_row(const slot_case *s, const ordo_top_k_desc *desc, uint64_t row,
                      uint64_t length, unsigned char *seen) {
    uint64_t entries = model_top_k_entries(desc), begin = row * desc->row_length;
    uint64_t held = entries < length ? entries : length, key = 0, index = 0;
    const uint32_t *indices = (const uint32_t *)s->results[ORDO_SLOT_VALUES_OUT] + row * entries;
    for (uint64_t e = 0; e < entries; e++) {
        uint64_t now = model_get(desc->key, s->results[ORDO_SLOT_OUT], row * entries + e);
        if (e >= held) {
            if (indices[e] != 0xffffffff)
                fail_msg("%s: entry %" PRIu64 " of row %" PRIu64 " is made up", s->what, e, row);
            continue;
        }
        if (indices[e] >= length || seen[begin + indices[e]]++)
            fail_msg("%s: entry %" PRIu64 " of row %" PRIu64 " is index %u", s->what, e, row,
                     indices[e]);
        if (now != model_get(desc->key, s->inputs[ORDO_SLOT_IN], begin + indices[e]))
            fail_msg("%s: entry %" PRIu64 " of row %" PRIu64 " has another's key", s->what, e, row);
        if (e && !beats(desc, key, index, now, indices[e]))
            fail_msg("%s: entry %" PRIu64 " of row %" PRIu64 " is out of order", s->what, e, row);
        key = now;
        index = indices[e];
    }
    for (uint64_t i = 0; i < length && held; i++) {
        uint64_t other = model_get(desc->key, s->inputs[ORDO_SLOT_IN], begin + i);
        if (!seen[begin + i] && beats(desc, other, i, key, index))
            fail_msg("%s: element %" PRIu64 " of row %" PRIu64 " is left out", s->what, i, row);
    }
}

static void check_alone(const top_k_case *c, const slot_case *s) {
    const ordo_top_k_desc *desc = &c->desc;
    uint64_t count = slots_count(s, desc->max_count);
    unsigned char *seen = calloc(desc->max_count + 1, 1);
    assert_non_null(seen);
    for (uint64_t row = 0; row < model_top_k_rows(desc); row++) {
        uint64_t begin = row * desc->row_length, length = begin < count ? count - begin : 0;
        if (desc->row_length && length > desc->row_length)
            length = desc->row_length;
        check_row(s, desc, row, length, seen);
    }
    free(seen);
}

static void end(rig *r, const top_k_case *c, top_k_run *run) {
    slot_case *s = &run->slots;
    slots_end(r, s);
    if (entry_count(&c->desc))
        check_alone(c, s);
    slots_copy(s, ORDO_SLOT_VALUES_OUT, c->indices);
    run_free(run);
}

static void check(rig *r, top_k_case c) {
    top_k_run run = begin(r, &c);
    slots_run(r, &run.slots);
    end(r, &c, &run);
}

/* Floats written out, and the indices that must come. */
static void expect_indices(rig *r, ordo_top_k_desc desc, const void *keys,
                           const uint32_t *indices) {
    uint32_t result[64];
    assert_true(entry_count(&desc) <= COUNT_OF(result));
    check(r, (top_k_case){.desc = desc, .given_keys = keys, .indices = result});
    for (uint64_t i = 0; i < entry_count(&desc); i++)
        assert_int_equal(result[i], indices[i]);
}

/* ---- Every pair of settings ------------------------------------------------------------------ */

enum { KEY, SMALLEST, K, ROWS, CAPACITY, SHAPE, COUNT_WAY, ONE_BUFFER, SCRATCH, NARROW, FACTORS };

static const uint32_t ks[] = {1, 2, 7, 100, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2051};
/* Elements of a row; 0: one row of all. */
static const uint32_t row_lengths[] = {0, 0, 0, 1, 3, 500, 1024, 4097, 100000};
static const uint32_t capacities[] = {0, 1, 2, 511, 513, 1025, 4096, 4097, 8193, 20011, 50021};

/* A row takes a workgroup, so rows are not too many, and few on five by five workgroups. */
static bool allowed(const uint32_t *row) {
    uint32_t capacity = capacities[row[CAPACITY]], length = row_lengths[row[ROWS]];
    uint32_t rows = length ? capacity / length : 1;
    return rows <= 1500 && !(row[NARROW] && (rows > 16 || capacity > 9000));
}

/* P6; B004, B049, B056: every pair of settings meets; every byte of every buffer is compared. */
static void test_every_pair_of_settings(void **state) {
    rig *r = *state;
    static pairwise table;
    uint32_t row[PAIRWISE_FACTORS], rows = 0;
    ordo_context *narrow = rig_narrow_context(r, 5);
    table =
        (pairwise){.factor_count = FACTORS,
                   .level_count = {6, 2, COUNT_OF(ks), COUNT_OF(row_lengths), COUNT_OF(capacities),
                                   DISTRIBUTION_COUNT, COUNT_WAYS, 2, 4, 2},
                   .allowed = allowed,
                   .random = 4};
    for (; pairwise_next(&table, row); rows++) {
        top_k_case c = {.desc = {.max_count = capacities[row[CAPACITY]],
                                 .key = (ordo_type)row[KEY],
                                 .smallest = row[SMALLEST],
                                 .k = ks[row[K]],
                                 .row_length = row_lengths[row[ROWS]]},
                        .shape = (distribution)row[SHAPE],
                        .seed = rows,
                        .one_buffer = row[ONE_BUFFER],
                        .scratch = (scratch_use)row[SCRATCH],
                        .context = row[NARROW] ? narrow : NULL};
        slots_set_count(&c.count_use, &c.gpu_count, row[COUNT_WAY], c.desc.max_count, rows * 7919);
        check(r, c);
    }
    /* Rows of one and of three elements with five and three capacities, and two that are too much
       for few workgroups. */
    assert_int_equal(table.impossible_count, 10);
    assert_true(rows >= COUNT_OF(capacities) * COUNT_OF(ks));
    ordo_context_release(narrow);
}

/* P6; B056: every k from 0 to one more than there are, with ties of every size across the cut. */
static void test_every_k_of_small_arrays(void **state) {
    for (uint32_t count = 0; count <= 9; count++) {
        uint32_t keys[9];
        for (uint32_t i = 0; i < count; i++)
            keys[i] = i * 5 % 7 / 2;
        for (uint32_t k = 0; k <= count + 1; k++) {
            for (int smallest = 0; smallest < 2; smallest++) {
                check(*state,
                      (top_k_case){.desc = {.max_count = count, .k = k, .smallest = smallest},
                                   .given_keys = keys});
            }
        }
    }
}

/* P6: rows of every length around k, the last one short. */
static void test_rows_around_k(void **state) {
    static const uint32_t row_ks[] = {1, 5, 512, 513};
    for (size_t i = 0; i < COUNT_OF(row_ks); i++) {
        uint32_t k = row_ks[i];
        for (uint32_t row = k > 1 ? k - 1 : 1; row <= k + 1; row++) {
            for (uint32_t last = 0; last < 2; last++) {
                check(*state, (top_k_case){.desc = {.max_count = 7 * row + (last ? row / 2 : 0),
                                                    .key = ORDO_F32,
                                                    .k = k,
                                                    .row_length = row,
                                                    .smallest = i % 2},
                                           .shape = KEYS_SPECIAL,
                                           .seed = row});
            }
        }
    }
}

/* Each distribution at a size that takes several workgroups, below and beyond the border of
   methods: data that defeats sampling, a single best at each end, all of one value. */
static void test_every_distribution(void **state) {
    static const uint32_t some[] = {1, 100, 512, 513, 3000};
    for (uint32_t shape = 0; shape < DISTRIBUTION_COUNT; shape++) {
        for (size_t i = 0; i < COUNT_OF(some); i++) {
            check(*state, (top_k_case){.desc = {.max_count = 60013,
                                                .key = i % 2 ? ORDO_F32 : ORDO_U32,
                                                .smallest = (shape + i) % 2,
                                                .k = some[i]},
                                       .shape = (distribution)shape,
                                       .seed = i});
        }
    }
}

/* The best lie together at the beginning, at the end, in one chunk, or far apart. */
static void test_where_the_best_lie(void **state) {
    enum { COUNT = 40009 };
    static uint32_t keys[COUNT];
    static const uint32_t strides[] = {1, 2, 64, 79, 255, 256, 257}, some[] = {100, 512, 700};
    for (size_t s = 0; s < COUNT_OF(strides); s++) {
        for (size_t i = 0; i < COUNT_OF(some); i++) {
            for (uint32_t at = 0; at < 3; at++) {
                uint32_t k = some[i] * strides[s] < COUNT ? some[i] : COUNT / strides[s];
                uint32_t first = (COUNT - 1 - (k - 1) * strides[s]) * at / 2;
                for (uint32_t j = 0; j < COUNT; j++)
                    keys[j] = j % 1000;
                for (uint32_t j = 0; j < k; j++)
                    keys[first + j * strides[s]] = 5000 + j * 7 % 50;
                check(*state,
                      (top_k_case){.desc = {.max_count = COUNT, .k = k}, .given_keys = keys});
            }
        }
    }
}

/* B025: whatever scratch holds, all methods: delegates, digits, and short rows that are sorted. */
static void test_any_scratch(void **state) {
    static const ordo_top_k_desc descs[] = {
        {.max_count = 60013, .k = 100},
        {.max_count = 20011, .k = 700},
        {.max_count = 20011, .key = ORDO_F64, .k = 700, .row_length = 5001},
        {.max_count = 20011, .k = 600, .row_length = 1000},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        for (int scratch = SCRATCH_OWN; scratch <= SCRATCH_LEFTOVER; scratch++) {
            check(*state, (top_k_case){.desc = descs[i],
                                       .seed = (uint64_t)scratch,
                                       .scratch = (scratch_use)scratch});
        }
    }
}

/* More delegates than a workgroup looks through, so that they have delegates in turn; and more
   tiles than one round of a workgroup places. */
static void test_millions_of_keys(void **state) {
    static const struct {
        ordo_top_k_desc desc;
        distribution shape;
    } rows[] = {
        {{.max_count = 4400011, .k = 512}, KEYS_RANDOM},
        {{.max_count = 4400011, .key = ORDO_F64, .smallest = true, .k = 512}, KEYS_RANDOM},
        {{.max_count = 8700023, .k = 512, .row_length = 4400011}, KEYS_COUNTING},
        {{.max_count = 16800011, .k = 600}, KEYS_FEW},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        check(*state, (top_k_case){.desc = rows[i].desc, .shape = rows[i].shape, .large = true});
}

/* The best are the last of a list that ends with a whole tile: what lies past it must not be the
   last one again. */
static void test_the_best_end_a_list(void **state) {
    enum { COUNT = 70 << 16 };
    uint32_t *keys = malloc(4 * COUNT);
    assert_non_null(keys);
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = i;
    for (uint32_t k = 3; k <= 512; k = k * 12 + 5)
        check(*state, (top_k_case){
                          .desc = {.max_count = COUNT, .k = k}, .given_keys = keys, .large = true});
    free(keys);
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void test_b056_none_and_more_than_all(void **state) {
    rig *r = *state;
    static const uint32_t keys[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 8};
    static const uint32_t all[] = {5, 9, 7, 4, 8, 2, 0, 6, 1, 3};
    expect_indices(r, (ordo_top_k_desc){.max_count = 10, .k = 10}, keys, all);
    expect_indices(r, (ordo_top_k_desc){.max_count = 10, .k = 11}, keys, all);
    expect_indices(r, (ordo_top_k_desc){.max_count = 10, .k = UINT32_MAX}, keys, all);
    expect_indices(r, (ordo_top_k_desc){.max_count = 10, .k = 0}, keys, all);
    expect_indices(r, (ordo_top_k_desc){.max_count = 0, .k = 0}, keys, all);
    expect_indices(r, (ordo_top_k_desc){.max_count = 0, .k = 5}, keys, all);
}

static void test_b057_nans_and_infinities(void **state) {
    rig *r = *state;
    const float first[] = {-1, NAN, 2, 1}, second[] = {NAN, INFINITY, INFINITY, 3, INFINITY};
    ordo_top_k_desc desc = {.max_count = 4, .key = ORDO_F32, .k = 1};
    expect_indices(r, desc, first, (uint32_t[]){1});
    desc.max_count = 5;
    expect_indices(r, desc, second, (uint32_t[]){0});
    desc.smallest = true;
    expect_indices(r, desc, second, (uint32_t[]){3});
    desc.k = 5;
    expect_indices(r, desc, second, (uint32_t[]){3, 1, 2, 4, 0});
    desc.smallest = false;
    expect_indices(r, desc, second, (uint32_t[]){0, 1, 2, 4, 3});
}

static void test_b058_k_beyond_a_workgroup(void **state) {
    static const uint32_t some[] = {255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2051, 99999};
    for (size_t i = 0; i < COUNT_OF(some); i++) {
        check(*state, (top_k_case){.desc = {.max_count = 100000, .key = ORDO_F32, .k = some[i]},
                                   .seed = i});
    }
}

/* Of equal keys those with the lowest indices, in every run. */
static void test_b059_equal_keys_fifty_times(void **state) {
    rig *r = *state;
    static uint32_t keys[10000];
    static const uint32_t lowest[] = {0, 1, 2, 3, 4, 5, 6};
    memset(keys, 0, sizeof keys);
    for (int run = 0; run < 50; run++)
        expect_indices(r, (ordo_top_k_desc){.max_count = 10000, .k = 7, .smallest = run % 2}, keys,
                       lowest);
    check(r, (top_k_case){.desc = {.max_count = 10000, .k = 700}, .given_keys = keys});
}

static void test_b060_keys_above_two_to_the_24(void **state) {
    static const uint32_t keys[] = {16777216, 16777217, 16777218, 16777219};
    expect_indices(*state, (ordo_top_k_desc){.max_count = 4, .k = 2}, keys, (uint32_t[]){3, 2});
}

static void test_b061_many_rows(void **state) {
    check(*state,
          (top_k_case){
              .desc = {.max_count = 2120 * 500, .key = ORDO_F32, .k = 20, .row_length = 500}});
    check(*state, (top_k_case){.desc = {.max_count = 5001 * 3 - 1, .k = 2, .row_length = 3}});
}

/* B062, B104: plans with different k in one encoder, each more than once, many times. */
static void test_b062_two_plans_in_one_encoder(void **state) {
    rig *r = *state;
    const top_k_case cases[] = {
        {.desc = {.max_count = 10000, .k = 3}},
        {.desc = {.max_count = 10000, .k = 5}, .scratch = SCRATCH_PATTERN},
        {.desc = {.max_count = 512, .k = 50}, .seed = 3},
        {.desc = {.max_count = 9000, .k = 1000, .key = ORDO_I64, .smallest = true}},
    };
    enum { CASES = COUNT_OF(cases) };
    top_k_run runs[CASES];
    for (int i = 0; i < CASES; i++) {
        runs[i] = begin(r, &cases[i]);
        slots_begin(r, &runs[i].slots);
    }
    WGPUCommandEncoder encoder = rig_encoder(r);
    for (int i = 0; i < 5 * CASES; i++)
        slots_encode(&runs[i % CASES].slots, encoder);
    gpu_submit(&r->device, encoder);
    for (int i = 0; i < CASES; i++)
        end(r, &cases[i], &runs[i]);
}

/* The bits of keys come back as they were, and floats are ordered as everywhere. */
static void test_special_floats(void **state) {
    static const uint32_t keys[] = {0x7fc00000, 0xffc00000, 0xff800000, 0x7f800000, 0xbf800000,
                                    0x3f800000, 0xff800001, 0x7f800001, 0x7fffffff, 0xffffffff,
                                    0x80000000, 0x00000000, 0x00000001, 0x80000001};
    static const uint32_t rising[] = {2, 4, 13, 10, 11, 12, 5, 3, 7, 0, 8, 9, 1, 6};
    uint32_t falling[14];
    for (int i = 0; i < 14; i++)
        falling[i] = rising[13 - i];
    for (uint32_t k = 1; k <= 14; k++) {
        ordo_top_k_desc desc = {.max_count = 14, .key = ORDO_F32, .k = k};
        expect_indices(*state, desc, keys, falling);
        desc.smallest = true;
        expect_indices(*state, desc, keys, rising);
    }
}

/* Where there are fewer elements than entries, the rest is filled; real keys that look like fillers
   come before them. */
static void test_fillers_come_after_keys_like_them(void **state) {
    static const uint32_t some[] = {8, 600};
    for (int key = ORDO_U32; key <= ORDO_F64; key++) {
        for (int smallest = 0; smallest < 2; smallest++) {
            for (size_t i = 0; i < COUNT_OF(some); i++) {
                uint64_t keys[700];
                for (uint32_t j = 0; j < 700; j++)
                    model_set((ordo_type)key, keys, j, model_last_key((ordo_type)key, smallest));
                for (uint32_t row = 0; row <= 1000; row += 500) {
                    top_k_case c = {.desc = {.max_count = 700,
                                             .key = (ordo_type)key,
                                             .smallest = smallest,
                                             .k = some[i],
                                             .row_length = row},
                                    .given_keys = keys,
                                    .count_use = COUNT_GIVEN,
                                    .gpu_count = 503};
                    check(*state, c);
                    c.gpu_count = 3;
                    check(*state, c);
                }
            }
        }
    }
}

static void test_host_arrays(void **state) {
    rig *r = *state;
    static const ordo_top_k_desc descs[] = {
        {.max_count = 5003, .key = ORDO_F32, .k = 100},
        {.max_count = 5003, .key = ORDO_I64, .k = 2000, .smallest = true},
        {.max_count = 5003, .k = 3, .row_length = 100},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        top_k_run run = begin(r, &(top_k_case){.desc = descs[i], .shape = KEYS_SPECIAL});
        slots_check_arrays(&run.slots);
        run_free(&run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_b056_none_and_more_than_all),
        rig_test(test_b057_nans_and_infinities),
        rig_test(test_b060_keys_above_two_to_the_24),
        rig_test(test_special_floats),
        rig_test(test_every_k_of_small_arrays),
        rig_test(test_rows_around_k),
        rig_test(test_b062_two_plans_in_one_encoder),
        rig_test(test_any_scratch),
        rig_test(test_where_the_best_lie),
        rig_test(test_fillers_come_after_keys_like_them),
        rig_test(test_every_distribution),
        rig_test(test_host_arrays),
        rig_test(test_b059_equal_keys_fifty_times),
        rig_test(test_b058_k_beyond_a_workgroup),
        rig_test(test_b061_many_rows),
        rig_test(test_every_pair_of_settings),
        rig_test(test_the_best_end_a_list),
        rig_test(test_millions_of_keys),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
