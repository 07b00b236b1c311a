/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_counting.c: counting sorts and depth buckets: every form and number of buckets against
 * the model, what must hold of buckets by themselves, and the faults of other counting sorts.
 * Numbers like B083 are those of the project's list of cases.
 */
#include "gpu_slots.h"
#include "model_third.h"
#include "pairwise.h"
#include "plan.h"

#include <inttypes.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

typedef struct counting_case {
    ordo_counting_sort_desc desc;
    const uint32_t *in; /* max_count elements */
    count_use count_use;
    uint32_t gpu_count;
    bool one_buffer;
    scratch_use scratch;
    ordo_context *context; /* NULL: the rig's */
    uint32_t *starts;      /* not NULL: receives STARTS, bucket_count + 2 words */
    uint32_t *indices;     /* not NULL: receives the result of an argsort */
} counting_case;

/* A case as it runs: what it must give. */
typedef struct counting_run {
    slot_case slots;
    uint32_t *buckets, *order, *starts, *keys;
    void *values, *moved;
} counting_run;

static void make_plan(rig *r, const counting_case *c, slot_case *s) {
    ordo_context *context = c->context ? c->context : r->context;
    ordo_counting_sort_desc desc = c->desc;
    snprintf(
        s->what, sizeof s->what,
        "counting sort of %" PRIu64 " (bucket_count %u, value_bytes %u, argsort %d, near %.9g, "
        "far %.9g, logarithmic %d, reversed %d, count %s%u, one_buffer %d, scratch %d)",
        desc.max_count, desc.bucket_count, desc.value_bytes, desc.argsort, desc.depth.nearest,
        desc.depth.farthest, desc.depth.logarithmic, desc.depth.reversed,
        c->count_use == COUNT_HOST ? "host " : "", c->gpu_count, c->one_buffer, (int)c->scratch);
    desc.caller_scratch = c->scratch != SCRATCH_OWN;
    if (ordo_counting_sort_plan(context, &desc, &s->plan) != ORDO_OK)
        fail_msg("%s: %s", s->what, ordo_message(context));
}

static void expect(slot_case *s, ordo_slot slot, const void *data, uint64_t bytes) {
    s->expected[slot] = data;
    s->expected_bytes[slot] = bytes;
}

/* Word 0 of a value tells its index, as in sorts. */
static void make_values(counting_run *run, const ordo_counting_sort_desc *desc) {
    uint32_t words = desc->value_bytes / 4;
    for (uint64_t i = 0; i < desc->max_count * words; i++) {
        uint32_t word = sort_value_word(i / words, (uint32_t)(i % words));
        memcpy((char *)run->values + 4 * i, &word, 4);
    }
}

static counting_run begin(rig *r, const counting_case *c) {
    const ordo_counting_sort_desc *desc = &c->desc;
    uint64_t most = desc->max_count, last = model_bucket_count(desc);
    counting_run run = {.slots = {.count_use = c->count_use,
                                  .gpu_count = c->gpu_count,
                                  .one_buffer = c->one_buffer,
                                  .scratch = c->scratch}};
    slot_case *s = &run.slots;
    uint64_t count = slots_count(s, most);
    make_plan(r, c, s);
    run.buckets = malloc(4 * most + 4);
    run.order = malloc(4 * most + 4);
    run.starts = malloc(4 * (last + 2));
    run.keys = malloc(4 * most + 4);
    run.values = malloc(desc->value_bytes * most + 4);
    run.moved = malloc(desc->value_bytes * most + 4);
    assert_true(run.buckets && run.order && run.starts && run.keys && run.values && run.moved);
    make_values(&run, desc);
    model_buckets(desc, c->in, count, run.buckets);
    model_by_number(run.buckets, count, last, run.order, run.starts);
    model_gather(run.order, c->in, count, 4, run.keys);
    model_gather(run.order, run.values, count, desc->value_bytes, run.moved);
    s->inputs[ORDO_SLOT_IN] = c->in;
    if (desc->value_bytes)
        s->inputs[ORDO_SLOT_VALUES_IN] = run.values;
    expect(s, ORDO_SLOT_OUT, run.keys, 4 * count);
    if (desc->argsort)
        expect(s, ORDO_SLOT_VALUES_OUT, run.order, 4 * count);
    else
        expect(s, ORDO_SLOT_VALUES_OUT, run.moved, desc->value_bytes * count);
    expect(s, ORDO_SLOT_STARTS, run.starts, 4 * (last + 2));
    return run;
}

/* The index that entry i of the result came from, if values or indices tell. */
static uint64_t index_of(const counting_case *c, const slot_case *s, uint64_t i) {
    const uint32_t *words = s->results[ORDO_SLOT_VALUES_OUT];
    if (c->desc.argsort)
        return words[i];
    return words[i * (c->desc.value_bytes / 4)] - VALUE_BIAS;
}

/* What buckets say by themselves: they follow each other without gaps from 0 to the count, hold
   elements of theirs and no others, each element once and, of a bucket, in the order of the
   input. */
static void check_alone(const counting_case *c, const slot_case *s) {
    const uint32_t *starts = s->results[ORDO_SLOT_STARTS], *keys = s->results[ORDO_SLOT_OUT];
    uint64_t count = slots_count(s, c->desc.max_count), last = model_bucket_count(&c->desc);
    bool tells = c->desc.argsort || c->desc.value_bytes;
    unsigned char *seen = calloc(count + 1, 1);
    assert_non_null(seen);
    if (starts[0] != 0 || starts[last + 1] != count)
        fail_msg("%s: buckets reach from %u to %u", s->what, starts[0], starts[last + 1]);
    for (uint64_t b = 0; b <= last; b++) {
        uint64_t before = UINT64_MAX;
        if (starts[b] > starts[b + 1])
            fail_msg("%s: bucket %" PRIu64 " ends before it starts", s->what, b);
        for (uint64_t i = starts[b]; i < starts[b + 1]; i++) {
            uint64_t index = tells ? index_of(c, s, i) : 0;
            if (tells && (index >= count || seen[index]++))
                fail_msg("%s: entry %" PRIu64 " is index %" PRIu64, s->what, i, index);
            if (tells && before != UINT64_MAX && index < before)
                fail_msg("%s: entry %" PRIu64 " came before the one ahead of it", s->what, i);
            before = index;
            if (model_is_depth(&c->desc.depth))
                continue;
            uint32_t key = tells ? c->in[index] : keys[i];
            if ((key < last ? key : last) != b)
                fail_msg("%s: entry %" PRIu64 ", %u, is in bucket %" PRIu64, s->what, i, key, b);
        }
    }
    free(seen);
}

static void end(rig *r, const counting_case *c, counting_run *run) {
    slot_case *s = &run->slots;
    slots_end(r, s);
    if (c->desc.max_count)
        check_alone(c, s);
    slots_copy(s, ORDO_SLOT_STARTS, c->starts);
    slots_copy(s, ORDO_SLOT_VALUES_OUT, c->indices);
    slots_free(s);
    free(run->buckets);
    free(run->order);
    free(run->starts);
    free(run->keys);
    free(run->values);
    free(run->moved);
}

static void check(rig *r, counting_case c) {
    counting_run run = begin(r, &c);
    slots_run(r, &run.slots);
    end(r, &c, &run);
}

/* ---- Data ------------------------------------------------------------------------------------ */

typedef enum bucket_shape {
    BUCKETS_RANDOM,   /* all over the buckets */
    BUCKETS_SOME_OUT, /* one in eight beyond them, also far beyond */
    BUCKETS_ALL_OUT,  /* all beyond them */
    BUCKETS_FIRST,    /* all in the first */
    BUCKETS_LAST,     /* all in the last */
    BUCKETS_BOUNDARY, /* the last and the first number that is none */
    BUCKETS_RISING,
    BUCKETS_FALLING,
    BUCKETS_FEW,  /* four of them */
    BUCKETS_ONES, /* 0xffffffff */
    BUCKETS_BITS, /* any 32 bits */
    BUCKET_SHAPES
} bucket_shape;

static uint32_t *elements(bucket_shape shape, uint32_t buckets, uint64_t count, uint64_t seed) {
    uint32_t *in = malloc(4 * count + 4);
    uint64_t random = seed * 0x9e3779b97f4a7c15u + 77;
    assert_non_null(in);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = model_random(&random);
        uint32_t inside = (uint32_t)((bits >> 16) % buckets);
        uint32_t outside =
            bits & 256 ? buckets + (uint32_t)(bits >> 60) : (uint32_t)bits | 0x80000000u;
        const uint32_t all[BUCKET_SHAPES] = {
            [BUCKETS_RANDOM] = inside,
            [BUCKETS_SOME_OUT] = bits >> 61 ? inside : outside,
            [BUCKETS_ALL_OUT] = outside,
            [BUCKETS_FIRST] = 0,
            [BUCKETS_LAST] = buckets - 1,
            [BUCKETS_BOUNDARY] = buckets - (uint32_t)(bits >> 63),
            [BUCKETS_RISING] = (uint32_t)(i * buckets / count),
            [BUCKETS_FALLING] = (uint32_t)((count - 1 - i) * buckets / count),
            [BUCKETS_FEW] = (uint32_t)(bits >> 62) * (buckets / 4),
            [BUCKETS_ONES] = 0xffffffff,
            [BUCKETS_BITS] = (uint32_t)(bits >> 32),
        };
        in[i] = all[shape];
    }
    return in;
}

/* ---- Every pair of settings ------------------------------------------------------------------ */

enum { BUCKETS, FORM, CAPACITY, SHAPE, COUNT_WAY, ONE_BUFFER, SCRATCH, NARROW, FACTORS };

static const uint32_t bucket_counts[] = {1,   2,   3,    128,  254,   255,
                                         256, 257, 1000, 4096, 65535, 65536};
enum { ARGSORT = 1000 };
static const uint32_t forms[] = {0, 4, 8, 12, 64, ARGSORT};
static const uint32_t capacities[] = {0,    1,    2,    255,  256,  257,   3071,
                                      3072, 3073, 6143, 6144, 6145, 12289, 20011};

static bool allowed(const uint32_t *row) {
    (void)row;
    return true;
}

/* P1, P4; B004, B049, B083: every pair of settings meets; every byte of every buffer is
   compared. */
static void test_every_pair_of_settings(void **state) {
    rig *r = *state;
    static pairwise table;
    uint32_t row[PAIRWISE_FACTORS], rows = 0;
    ordo_context *narrow = rig_narrow_context(r, 17);
    table = (pairwise){.factor_count = FACTORS,
                       .level_count = {COUNT_OF(bucket_counts), COUNT_OF(forms),
                                       COUNT_OF(capacities), BUCKET_SHAPES, COUNT_WAYS, 2, 4, 2},
                       .allowed = allowed,
                       .random = 9};
    for (; pairwise_next(&table, row); rows++) {
        uint32_t form = forms[row[FORM]];
        counting_case c = {.desc = {.max_count = capacities[row[CAPACITY]],
                                    .bucket_count = bucket_counts[row[BUCKETS]],
                                    .value_bytes = form == ARGSORT ? 0 : form,
                                    .argsort = form == ARGSORT},
                           .one_buffer = row[ONE_BUFFER],
                           .scratch = (scratch_use)row[SCRATCH],
                           .context = row[NARROW] ? narrow : NULL};
        slots_set_count(&c.count_use, &c.gpu_count, row[COUNT_WAY], c.desc.max_count, rows * 7919);
        uint32_t *in =
            elements((bucket_shape)row[SHAPE], c.desc.bucket_count, c.desc.max_count, rows);
        c.in = in;
        check(r, c);
        free(in);
    }
    assert_int_equal(table.impossible_count, 0);
    assert_true(rows >= COUNT_OF(capacities) * COUNT_OF(bucket_counts));
    ordo_context_release(narrow);
}

/* B046, B082: stable at every number of buckets around the border between one pass and two, and of
   elements around tiles. */
static void test_buckets_around_one_pass(void **state) {
    static const uint32_t counts[] = {1, 257, 6144, 6145, 30011};
    for (uint32_t buckets = 254; buckets <= 258; buckets++) {
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            uint32_t *in = elements(BUCKETS_SOME_OUT, buckets, counts[i], buckets);
            check(*state,
                  (counting_case){
                      .desc = {.max_count = counts[i], .bucket_count = buckets, .argsort = true},
                      .in = in});
            free(in);
        }
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

/* The numbers after the last bucket keep their order and bits, behind all others. */
static void test_b083_a_key_past_the_last_bucket(void **state) {
    static const uint32_t in[] = {8, 7, 0, 0xffffffff, 7, 8, 3};
    uint32_t starts[10], indices[7];
    check(*state, (counting_case){.desc = {.max_count = 7, .bucket_count = 8, .argsort = true},
                                  .in = in,
                                  .starts = starts,
                                  .indices = indices});
    assert_memory_equal(starts, ((uint32_t[]){0, 1, 1, 1, 2, 2, 2, 2, 4, 7}), sizeof starts);
    assert_memory_equal(indices, ((uint32_t[]){2, 6, 1, 4, 0, 3, 5}), sizeof indices);
    check(*state, (counting_case){.desc = {.max_count = 7, .bucket_count = 8}, .in = in});
}

static void test_b080_the_first_bucket(void **state) {
    static const uint32_t in[] = {0, 0, 0, 1, 1};
    uint32_t starts[4];
    check(*state,
          (counting_case){.desc = {.max_count = 5, .bucket_count = 2}, .in = in, .starts = starts});
    assert_memory_equal(starts, ((uint32_t[]){0, 3, 5, 5}), sizeof starts);
}

static void test_b081_all_in_one_bucket(void **state) {
    static const uint32_t buckets[] = {1, 8, 256, 65536};
    for (size_t i = 0; i < COUNT_OF(buckets); i++) {
        uint32_t *in = elements(BUCKETS_LAST, buckets[i], 10000, i);
        check(*state, (counting_case){
                          .desc = {.max_count = 10000, .bucket_count = buckets[i], .argsort = true},
                          .in = in});
        free(in);
    }
}

/* B049: a count of 0 on the device gives starts of 0; a plan for none plans nothing. */
static void test_b049_no_elements(void **state) {
    rig *r = *state;
    static const uint32_t in[1] = {3};
    for (uint32_t buckets = 1; buckets <= 65536; buckets *= 256) {
        counting_case c = {.desc = {.max_count = 1, .bucket_count = buckets, .argsort = true},
                           .in = in,
                           .count_use = COUNT_GIVEN};
        uint32_t *starts = malloc(4 * (buckets + 2));
        assert_non_null(starts);
        c.starts = starts;
        check(r, c);
        for (uint32_t b = 0; b < buckets + 2; b++)
            assert_int_equal(starts[b], 0);
        free(starts);
    }
    counting_run run = begin(r, &(counting_case){.desc = {.bucket_count = 4}, .in = in});
    assert_int_equal(ordo_plan_info(run.slots.plan)->step_count, 0);
    end(r, &(counting_case){.desc = {.bucket_count = 4}, .in = in}, &run);
}

/* ---- Depths ---------------------------------------------------------------------------------- */

/* The bounds of buckets and the floats on both sides, specials, and random floats within. */
static uint32_t *depths(const ordo_depth *depth, uint32_t buckets, uint64_t *count) {
    enum { EXTRA = 400 };
    uint32_t *in = malloc(4 * (3 * (uint64_t)(buckets + 1) + EXTRA));
    float near = (float)depth->nearest, far = (float)depth->farthest;
    uint64_t random = buckets;
    assert_non_null(in);
    *count = 0;
    for (uint32_t i = 0; i <= buckets; i++) {
        uint32_t low = model_float_bits(near), high = model_float_bits(far);
        uint32_t edge = depth->logarithmic
                            ? low + (uint32_t)(((uint64_t)(high - low) * i + buckets - 1) / buckets)
                            : model_float_edge(low, high, i, buckets);
        float value = model_bits_float(edge);
        in[(*count)++] = edge;
        in[(*count)++] = model_float_bits(nextafterf(value, INFINITY));
        in[(*count)++] = model_float_bits(nextafterf(value, -INFINITY));
    }
    for (uint32_t i = 0; i < EXTRA; i++) {
        double part = (double)(model_random(&random) >> 11) * 0x1p-53;
        float value =
            (float)(depth->nearest + (depth->farthest - depth->nearest) * (1.2 * part - 0.1));
        in[(*count)++] =
            i % 4 ? model_float_bits(value) : (uint32_t)special_key(ORDO_F32, random >> 9);
    }
    return in;
}

/* B007, B084: each bucket's bounds, depths beside them, before the near and beyond the far end, and
   NaNs, which go to the overflow bucket. */
static void test_depths(void **state) {
    static const struct {
        ordo_depth depth;
        uint32_t buckets;
    } rows[] = {
        {{.nearest = 0.1, .farthest = 1000}, 256},
        {{.nearest = 0.1, .farthest = 1000, .logarithmic = true}, 256},
        {{.nearest = 0.1, .farthest = 1000, .reversed = true}, 256},
        {{.nearest = 0.1, .farthest = 1000, .logarithmic = true, .reversed = true}, 1000},
        {{.nearest = -1, .farthest = 1}, 3},
        {{.nearest = 0, .farthest = 1, .reversed = true}, 65536},
        {{.nearest = -50, .farthest = -20}, 77},
        {{.nearest = 1, .farthest = 2, .logarithmic = true}, 65536},
        {{.nearest = 1e-30, .farthest = 1e30, .logarithmic = true}, 10},
        {{.nearest = -1e30, .farthest = 1e30}, 255},
        {{.nearest = 1, .farthest = 1 + 0x1p-21, .logarithmic = true}, 257},
        {{.nearest = 5, .farthest = 6}, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t count;
        uint32_t *in = depths(&rows[i].depth, rows[i].buckets, &count);
        counting_case c = {.desc = {.max_count = count,
                                    .bucket_count = rows[i].buckets,
                                    .argsort = i % 2 == 0,
                                    .value_bytes = i % 2 ? 4 + 4 * (uint32_t)(i % 3) : 0,
                                    .depth = rows[i].depth},
                           .in = in,
                           .scratch = (scratch_use)(i % 4)};
        check(*state, c);
        c.count_use = COUNT_GIVEN;
        c.gpu_count = (uint32_t)count / 2;
        check(*state, c);
        free(in);
    }
}

/* Depths written out: a far outlier, both zeros, negative ones, infinities and a NaN. */
static void test_depths_written_out(void **state) {
    const float values[] = {0.0f, -0.0f, -3, 2.5f, 9.99f, 10, 1e9f, INFINITY, -INFINITY, NAN, 5};
    uint32_t in[11], starts[6];
    memcpy(in, values, sizeof in);
    counting_case c = {.desc = {.max_count = 11,
                                .bucket_count = 4,
                                .argsort = true,
                                .depth = {.nearest = 0, .farthest = 10}},
                       .in = in,
                       .starts = starts};
    check(*state, c);
    assert_memory_equal(starts, ((uint32_t[]){0, 4, 5, 6, 10, 11}), sizeof starts);
    c.desc.depth.reversed = true;
    check(*state, c);
    assert_memory_equal(starts, ((uint32_t[]){0, 4, 5, 6, 10, 11}), sizeof starts);
    c.desc.depth = (ordo_depth){.nearest = 1, .farthest = 16, .logarithmic = true};
    check(*state, c);
    /* Edges 1, 2, 4, 8, 16: a bucket a power of two. */
    assert_memory_equal(starts, ((uint32_t[]){0, 4, 5, 6, 10, 11}), sizeof starts);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* The capacity makes loops be written out; the count on the device keeps the work small. */
static void test_loops_that_are_written_out(void **state) {
    rig r = rig_as_gpu(*state);
    uint64_t room = ordo_tune(ordo_context_caps(r.context))->unrolled_count;
    static const uint32_t buckets[] = {5, 256, 257, 65536}, counts[] = {6145, 20011};
    for (size_t i = 0; i < 2 * COUNT_OF(buckets); i++) {
        uint32_t *in = elements(BUCKETS_SOME_OUT, buckets[i / 2], room, i);
        check(&r, (counting_case){.desc = {.max_count = room,
                                           .bucket_count = buckets[i / 2],
                                           .argsort = i % 2,
                                           .value_bytes = i % 2 ? 0 : 8},
                                  .in = in,
                                  .count_use = COUNT_GIVEN,
                                  .gpu_count = counts[i % 2]});
        free(in);
    }
    ordo_context_release(r.context);
}

/* More tiles than one round of a workgroup scans. */
static void test_more_tiles_than_a_scan_takes_at_once(void **state) {
    rig *r = *state;
    const ordo_tuning *tuning = ordo_tune(ordo_context_caps(r->context));
    uint64_t tile = (uint64_t)tuning->group_size * tuning->radix_items * tuning->radix_subtiles;
    uint64_t round = (uint64_t)tuning->group_size * tuning->radix_scan_items;
    counting_case c = {.desc = {.max_count = round * tile + 3 * tile / 2, .bucket_count = 16}};
    uint32_t *in = elements(BUCKETS_SOME_OUT, 16, c.desc.max_count, 1);
    c.in = in;
    check(r, c);
    free(in);
}

/* B062: two plans in one encoder, each more than once. */
static void test_two_plans_in_one_encoder(void **state) {
    rig *r = *state;
    uint32_t *few = elements(BUCKETS_SOME_OUT, 5, 9001, 1);
    uint32_t *many = elements(BUCKETS_SOME_OUT, 5000, 9001, 2);
    const counting_case cases[] = {
        {.desc = {.max_count = 9001, .bucket_count = 5, .value_bytes = 12}, .in = few},
        {.desc = {.max_count = 9001, .bucket_count = 5000, .argsort = true},
         .in = many,
         .scratch = SCRATCH_PATTERN},
    };
    counting_run runs[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = begin(r, &cases[i]);
        slots_begin(r, &runs[i].slots);
    }
    WGPUCommandEncoder encoder = rig_encoder(r);
    for (int i = 0; i < 4; i++)
        slots_encode(&runs[i % 2].slots, encoder);
    gpu_submit(&r->device, encoder);
    for (int i = 0; i < 2; i++)
        end(r, &cases[i], &runs[i]);
    free(few);
    free(many);
}

static void test_host_arrays(void **state) {
    rig *r = *state;
    static const ordo_counting_sort_desc descs[] = {
        {.max_count = 5003, .bucket_count = 100},
        {.max_count = 5003, .bucket_count = 1000, .value_bytes = 8},
        {.max_count = 5003, .argsort = true, .depth = {.nearest = 1, .farthest = 9}},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint32_t *in = elements(BUCKETS_BITS, 1, descs[i].max_count, i);
        for (uint64_t j = 0; j < descs[i].max_count; j++)
            in[j] = model_is_depth(&descs[i].depth) ? in[j] : in[j] % 1010;
        counting_run run = begin(r, &(counting_case){.desc = descs[i], .in = in});
        slots_check_arrays(&run.slots);
        slots_free(&run.slots);
        free(run.buckets);
        free(run.order);
        free(run.starts);
        free(run.keys);
        free(run.values);
        free(run.moved);
        free(in);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_b080_the_first_bucket),
        rig_test(test_b081_all_in_one_bucket),
        rig_test(test_b083_a_key_past_the_last_bucket),
        rig_test(test_b049_no_elements),
        rig_test(test_buckets_around_one_pass),
        rig_test(test_depths_written_out),
        rig_test(test_depths),
        rig_test(test_loops_that_are_written_out),
        rig_test(test_more_tiles_than_a_scan_takes_at_once),
        rig_test(test_two_plans_in_one_encoder),
        rig_test(test_host_arrays),
        rig_test(test_every_pair_of_settings),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
