/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_msd_floats.c: f32 keys of a large sort from the most significant digit down, whose root
 * has fixed-point digits where a sample says that these spread the keys better, and only there.
 *
 * Which root it was is read from the control words (kernels/lib/msd.wgsl), what has become of the
 * keys from the lists in scratch: both are compared with what msd_form.h and model_msd.h make of
 * all keys.
 */
#include "gpu_case.h"
#include "model_msd.h"

#include <inttypes.h>
#include <stdlib.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { CAPACITY = 40009, SAMPLE = 2048, MAX_STEPS = 48, SCRATCH_AT = 256 };

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Numbers, and what amid them is no usual number. */
typedef enum shape {
    UNIT,        /* evenly from [0, 1), some at the ends of digits */
    SIGNED,      /* from [-1, 1) */
    NEGATIVE,    /* from (-2^-118, -0]: of the least exponent that there are forms of, */
    LARGE,       /* and from [0, 2^127): of the greatest */
    MIXED,       /* from [0, 3), a twentieth of them near 1, where a child is a bucket */
    NORMAL,      /* about a standard normal distribution */
    EXPONENTIAL, /* … an exponential one */
    OUTLIERS,    /* UNIT, but one of 200 is anything special */
    SPECIAL,     /* UNIT, but a fifth are infinities and NaNs of both signs */
    AROUND_ZERO, /* SIGNED, but a fifth are zeros, subnormals and others near 0 */
    FEW_WRONG,   /* UNIT, but five of a thousand are negative */
    RISING,      /* UNIT, in order */
    FALLING,
    FIXED_SHAPES,
    OCTAVE = FIXED_SHAPES, /* [1, 2) */
    LOGARITHMIC,           /* each exponent as often as others */
    ALL_BITS,              /* any bits */
    ALL_NAN,
    LESSER,  /* of a lesser exponent: from [0, 2^-121), */
    GREATER, /* and of a greater one: from [0, 2^128) */
    TINY,    /* subnormal */
    SHAPES
} shape;

static uint32_t bits_of(double number) {
    float rounded = (float)number;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static double unit(uint64_t *seed) { return (double)(model_random(seed) >> 40) / (1 << 24); }

static uint32_t special_of(shape kind, uint64_t *seed) {
    static const uint32_t infinite[] = {0x7f800000, 0xff800000, 0x7f800001, 0xff800001,
                                        0x7fffffff, 0xffffffff, 0x7fc00000, 0xffc00000};
    static const uint32_t small[] = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x807fffff};
    uint64_t random = model_random(seed) >> 20;
    if (kind == SPECIAL)
        return infinite[random % COUNT_OF(infinite)];
    if (kind == AROUND_ZERO)
        return random & 1 ? small[(random >> 1) % COUNT_OF(small)]
                          : (uint32_t)(random & 0x83ffffff) * 9;
    return (uint32_t)special_key(ORDO_F32, random);
}

static uint32_t key_of(shape kind, uint64_t index, uint64_t count, uint64_t *seed) {
    double number = unit(seed), chance = unit(seed);
    switch (kind) {
    case SIGNED:
        return bits_of(2 * number - 1);
    case NEGATIVE:
        return bits_of(ldexp(-number, -118));
    case LARGE:
        return bits_of(ldexp(number, 127));
    case MIXED:
        return bits_of(chance < 0.05 ? 1 + number / 500 : 3 * number);
    case NORMAL:
        return bits_of(number + unit(seed) + unit(seed) + unit(seed) + chance + unit(seed) - 3);
    case EXPONENTIAL:
        return bits_of(-log(1 - number));
    case OUTLIERS:
        return chance < 0.005 ? special_of(kind, seed) : bits_of(number);
    case SPECIAL:
        return chance < 0.2 ? special_of(kind, seed) : bits_of(number);
    case AROUND_ZERO:
        return chance < 0.2 ? special_of(kind, seed) : bits_of(2 * number - 1);
    case FEW_WRONG:
        return bits_of(chance < 0.0005 ? -number : number);
    case RISING:
        return bits_of((double)index / (double)count);
    case FALLING:
        return bits_of(1 - (double)(index + 1) / (double)count);
    case OCTAVE:
        return 0x3f800000u | (uint32_t)(model_random(seed) >> 41);
    case LOGARITHMIC:
        return bits_of(exp2(60 * number - 30));
    case ALL_BITS:
        return (uint32_t)(model_random(seed) >> 32);
    case ALL_NAN:
        return (uint32_t)nan_key(ORDO_F32, model_random(seed) >> 30);
    case LESSER:
        return bits_of(ldexp(number, -121));
    case GREATER:
        return bits_of(ldexp(number, 128));
    case TINY:
        return (uint32_t)(model_random(seed) >> 44);
    default:
        if (chance < 0.02)
            return bits_of(ceil(256 * number) / 256) - (model_random(seed) >> 50 & 1);
        return bits_of(number);
    }
}

static void fill_keys(shape kind, uint64_t count, uint64_t seed, uint32_t *keys) {
    seed = seed * 0x9e3779b97f4a7c15u + 1;
    for (uint64_t i = 0; i < count; i++)
        keys[i] = key_of(kind, i, count, &seed);
}

/* Fixed-point digits that the sample must ask for, of 8 bits. */
static msd_form form_of(const ordo_sort_desc *desc, shape kind, uint32_t bits) {
    static const struct {
        uint32_t exponent, halves;
    } forms[FIXED_SHAPES] = {
        [UNIT] = {126, 0},        [SIGNED] = {126, 1},    [NEGATIVE] = {8, 2},
        [LARGE] = {253, 0},       [MIXED] = {128, 0},     [NORMAL] = {127, 1},
        [EXPONENTIAL] = {129, 0}, [OUTLIERS] = {126, 0},  [SPECIAL] = {126, 0},
        [AROUND_ZERO] = {126, 1}, [FEW_WRONG] = {126, 0}, [RISING] = {126, 0},
        [FALLING] = {126, 0},
    };
    return (msd_form){.bits = bits,
                      .exponent = forms[kind].exponent,
                      .negative = forms[kind].halves << bits >> 1,
                      .descending = desc->order == ORDO_DESCENDING};
}

/* ---- What came of them ----------------------------------------------------------------------- */

/* Of the root's word, see lib/msd.wgsl. */
enum { ORDERED = 3 << 27, FIXED = 1 << 26 };

/* A sort that has been run, and the words of its lists. */
typedef struct outcome {
    ordo_step begin;
    uint32_t *words;
} outcome;

static outcome run(rig *r, sort_case *c) {
    static ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    sort_begin(r, c);
    WGPUCommandEncoder encoder = rig_encoder(r);
    sort_encode(c, encoder);
    gpu_submit(&r->device, encoder);
    assert_int_equal(
        ordo_sort_steps(ordo_context_caps(c->context), &c->desc, steps, MAX_STEPS, &summary),
        ORDO_OK);
    assert_string_equal(steps[0].entry, "msd_begin_sampled");
    const ordo_range *work = &steps[0].ranges[0];
    outcome o = {.begin = steps[0], .words = malloc(work->size_bytes)};
    assert_non_null(o.words);
    assert_true(gpu_read(&r->device, c->scratch_memory.buffer, SCRATCH_AT + work->offset_bytes,
                         work->size_bytes, o.words));
    return o;
}

static uint64_t param_of(const ordo_step *step, const char *name) {
    uint64_t number = step_param(step, name);
    if (number == 0)
        fail_msg("no param %s", name);
    return number;
}

/* Keys in order, as a source of children. */
typedef struct sorted_keys {
    const sort_case *c;
    uint32_t *order;
} sorted_keys;

static void spread(void *from, const msd_bucket *bucket, uint64_t *children) {
    const sorted_keys *all = from;
    const uint32_t *keys = all->c->keys;
    for (uint64_t i = bucket->start; i < bucket->start + bucket->size; i++) {
        uint32_t key = keys[all->order[i]];
        if (bucket->form)
            children[msd_form_digit(bucket->form, key)]++;
        else
            children[(model_rank(&all->c->desc, key) - bucket->base) >> bucket->shift &
                     model_mask(bucket->bits)]++;
    }
}

/* Compares the lists with the model's. Of the root's record, which the third level's take the place
   of, totals too. */
static void check_lists(const sort_case *c, const outcome *o, const msd_form *form,
                        const char *who) {
    msd_shape numbers = msd_shape_of(&o->begin);
    uint64_t count = sort_count(c), children[256] = {0}, root = param_of(&o->begin, "records");
    sorted_keys all = {.c = c, .order = malloc(sizeof(uint32_t) * (count + 1))};
    const msd_bucket bucket = {.size = count, .bits = form->bits, .form = form};
    msd_lists lists;
    model_argsort(&c->desc, c->keys, count, all.order);
    msd_publish_root(&numbers, spread, &all, &bucket, &lists);
    spread(&all, &bucket, children);
    if (lists.lost || o->words[1] != lists.items)
        fail_msg("%s: %u items, not %" PRIu64, who, o->words[1], lists.items);
    for (uint32_t level = 1; level <= numbers.last_level; level++) {
        const uint32_t *held = o->words + 2 + 3 * level;
        if (held[0] != lists.tiles[level] || held[1] != lists.record_words[level] ||
            held[2] != lists.table_words[level])
            fail_msg("%s, level %u: %u tiles, %u and %u words, not %" PRIu64 ", %" PRIu64
                     ", %" PRIu64,
                     who, level, held[0], held[1], held[2], lists.tiles[level],
                     lists.record_words[level], lists.table_words[level]);
    }
    for (uint32_t i = 0; lists.tiles[2] == 0 && i < 1u << form->bits; i++) {
        if (o->words[root + MSD_RECORD_WORDS + i] != children[i])
            fail_msg("%s: %u keys of digit %u, not %" PRIu64, who,
                     o->words[root + MSD_RECORD_WORDS + i], i, children[i]);
    }
    free(all.order);
}

/* The root is the one that such keys ask for. */
static void check_root(const sort_case *c, shape kind, const outcome *o, const char *who) {
    uint32_t root = o->words[0], bits = (uint32_t)param_of(&o->begin, "digit_bits");
    /* 32 digits of equal width hold an exponential distribution no better than octaves do. */
    bool fixed = kind < FIXED_SHAPES && (kind != EXPONENTIAL || bits == 8);
    if (fixed != ((root & FIXED) != 0))
        fail_msg("%s: root %08x", who, root);
    if (kind == RISING || kind == FALLING) {
        bool descending = c->desc.order == ORDO_DESCENDING;
        assert_int_equal(root >> 27 & 3, (kind == RISING) == descending ? 1 : 2);
        assert_int_equal(o->words[1], 0);
    } else if (fixed) {
        msd_form form = form_of(&c->desc, kind, bits);
        uint32_t told = form.exponent | (form.negative >> (bits - 1)) << 8;
        if ((root >> 11 & 0x3fff) != told)
            fail_msg("%s: root %08x, not form %x", who, root, told);
        check_lists(c, o, &form, who);
    }
}

/* ---- Sorts ----------------------------------------------------------------------------------- */

/* Each tier has its own list: keys alone, and in a stable form. */
enum { FORMS = 3 };
static const ordo_sort_desc forms[2][FORMS] = {
    {{.key = ORDO_F32},
     {.key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 4},
     {.key = ORDO_F32, .argsort = true}},
    {{.key = ORDO_F32, .order = ORDO_DESCENDING, .in_place = true},
     {.key = ORDO_F32, .argsort = true, .order = ORDO_DESCENDING},
     {.key = ORDO_F32, .value_bytes = 12, .in_place = true}},
};

/* Large sorts on few keys: tiles are as long as theirs, and digits narrow enough for buckets below
   the root. */
static const char *const tunings[] = {
    "msd_small_count=0 msd_data_count=1000",
    "msd_small_count=0 msd_data_count=1000 msd_digit_bits=5 msd_local_group=128"};

static sort_case case_of(ordo_context *context, size_t form, uint64_t number, uint32_t *keys) {
    sort_case c = {.desc = forms[rig_tier() == TIER_ALL][form],
                   .seed = number,
                   .given_keys = keys,
                   .context = context,
                   .scratch = number % 2 ? SCRATCH_ONES : SCRATCH_PATTERN,
                   .one_buffer = number % 5 == 0};
    c.desc.method = ORDO_METHOD_MSD;
    c.desc.max_count = CAPACITY;
    return c;
}

static ordo_context *context_of(rig *r, bool software, size_t tuning) {
    return rig_context(r, &(ordo_caps){.software = software, .tuning = tunings[tuning]});
}

static bool is_software(rig *r) { return ordo_context_caps(r->context)->software; }

/* P1, P2: every shape on every form. */
static void test_roots(void **state) {
    static uint32_t keys[CAPACITY];
    for (size_t i = 0; i < COUNT_OF(tunings); i++) {
        ordo_context *context = context_of(*state, is_software(*state), i);
        for (size_t form = 0; form < (i ? 1 : FORMS); form++) {
            for (uint32_t kind = 0; kind < SHAPES; kind++) {
                char who[80];
                snprintf(who, sizeof who, "tuning %zu, form %zu, shape %u", i, form, kind);
                sort_case c = case_of(context, form, form + kind, keys);
                fill_keys((shape)kind, CAPACITY, kind, keys);
                outcome o = run(*state, &c);
                check_root(&c, (shape)kind, &o, who);
                free(o.words);
                sort_end(*state, &c);
            }
        }
        ordo_context_release(context);
    }
}

/* Where msd_begin looks: a key of each of as many stretches as its sample has keys. */
static uint64_t sampled_place(uint32_t number) {
    uint32_t length = (CAPACITY - 1) / SAMPLE, mixed = number * 0x9e3779b9u;
    return number * length + (mixed ^ mixed >> 15) % length;
}

/* P1, P2: keys of which the sample shows nothing. Whatever they are, the sample's digits hold them,
   and the levels come to an end. */
static void test_samples_that_mislead(void **state) {
    static const shape shown[] = {UNIT, SIGNED, NEGATIVE, LARGE};
    static const shape hidden[] = {ALL_BITS, ALL_NAN, TINY, SIGNED, NEGATIVE, LARGE, RISING};
    static uint32_t keys[CAPACITY], sample[CAPACITY];
    for (size_t i = 0; i < COUNT_OF(tunings); i++) {
        ordo_context *context = context_of(*state, is_software(*state), i);
        for (uint32_t k = 0; k < COUNT_OF(shown) * (COUNT_OF(hidden) + 1); k++) {
            shape kind = shown[k % COUNT_OF(shown)];
            uint32_t what = k / COUNT_OF(shown);
            char who[80];
            snprintf(who, sizeof who, "tuning %zu, shape %d, of the others %u", i, (int)kind, what);
            fill_keys(kind, CAPACITY, k, sample);
            fill_keys(hidden[what % COUNT_OF(hidden)], CAPACITY, k + 1, keys);
            for (uint32_t j = 0; what == COUNT_OF(hidden) && j < CAPACITY; j++)
                keys[j] = k & 4 ? 0xff800000u : 0x42f6e979u; /* one value */
            for (uint32_t j = 0; j < SAMPLE; j++)
                keys[sampled_place(j)] = sample[j];
            sort_case c = case_of(context, 0, k, keys);
            outcome o = run(*state, &c);
            check_root(&c, kind, &o, who);
            free(o.words);
            sort_end(*state, &c);
        }
        ordo_context_release(context);
    }
}

/* B018, B021: fewer elements than the capacity, to none; what lies past them is no one's. */
static void test_counts(void **state) {
    static const uint32_t counts[] = {0,    1,    2,    255,   2047,         2048,      2049,
                                      8191, 8192, 8193, 20000, CAPACITY - 1, UINT32_MAX};
    static uint32_t keys[CAPACITY];
    ordo_context *context = context_of(*state, is_software(*state), 0);
    for (uint32_t i = 0; i < 2 * COUNT_OF(counts); i++) {
        shape kind = i / 2 % 2 ? SIGNED : UNIT;
        char who[80];
        snprintf(who, sizeof who, "count %u, shape %d", counts[i / 2], (int)kind);
        fill_keys(kind, CAPACITY, i, keys);
        sort_case c = case_of(context, i % 2, i, keys);
        c.count_use = COUNT_GIVEN;
        c.gpu_count = counts[i / 2];
        /* The first key that does not count would be the least. */
        if (c.gpu_count < CAPACITY)
            keys[c.gpu_count] = c.desc.order == ORDO_DESCENDING ? 0xffffffff : 0xff800000;
        outcome o = run(*state, &c);
        if (sort_count(&c) >= SAMPLE)
            check_root(&c, kind, &o, who);
        free(o.words);
        sort_end(*state, &c);
    }
    ordo_context_release(context);
}

/* B086: one workgroup takes all tiles. */
static void test_the_smallest_grid(void **state) {
    static const shape kinds[] = {UNIT, AROUND_ZERO, SPECIAL, MIXED};
    static uint32_t keys[CAPACITY];
    const ordo_caps caps = {.software = is_software(*state), .tuning = tunings[0], .max_groups = 1};
    ordo_context *context = rig_context(*state, &caps);
    for (uint32_t i = 0; i < 2 * COUNT_OF(kinds); i++) {
        fill_keys(kinds[i / 2], CAPACITY, i, keys);
        sort_case c = case_of(context, i % 2, i, keys);
        outcome o = run(*state, &c);
        check_root(&c, kinds[i / 2], &o, "a grid of one");
        free(o.words);
        sort_end(*state, &c);
    }
    ordo_context_release(context);
}

/* What a GPU runs: loops are written out. */
static void test_kernels_of_a_gpu(void **state) {
    static const shape kinds[] = {UNIT, AROUND_ZERO, NEGATIVE, SPECIAL, ALL_BITS, OCTAVE};
    static uint32_t keys[CAPACITY];
    ordo_context *context = context_of(*state, false, 0);
    for (uint32_t i = 0; i < COUNT_OF(kinds); i++) {
        fill_keys(kinds[i], CAPACITY, i, keys);
        sort_case c = case_of(context, rig_tier() == TIER_ALL, i, keys);
        outcome o = run(*state, &c);
        check_root(&c, kinds[i], &o, "written out");
        free(o.words);
        sort_end(*state, &c);
    }
    ordo_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_roots),
        rig_test(test_samples_that_mislead),
        rig_test(test_counts),
        rig_test(test_the_smallest_grid),
        rig_test(test_kernels_of_a_gpu),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
