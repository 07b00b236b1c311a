/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_msd_data.c: keys that make a sort from the most significant digit down easy, and keys
 * that seem to. An order or a range that a sample promises must save the work if all keys keep to
 * it, and a single key that does not, anywhere, must be found.
 *
 * Keys that crowd must be sorted by passes where ties matter.
 *
 * Whether the sort ended early is read from its control words (kernels/lib/msd.wgsl): then no level
 * has published an item, and no pass does. What may be promised is worked out here from all keys.
 */
#include "gpu_case.h"
#include "step_number.h"

#include <inttypes.h>
#include <stdlib.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { CAPACITY = 20011, TILE = 2048, MAX_STEPS = 48, SCRATCH_AT = 256 };

/* ---- Keys ------------------------------------------------------------------------------------ */

/* What keys are, said of their ranks: the numbers that the sort compares. */
typedef enum shape {
    RISING,       /* each greater than the last, over all values */
    RISING_TIES,  /* seven equal ones, then greater ones */
    FALLING,      /* the reverse of RISING */
    FALLING_TIES, /* … of RISING_TIES */
    SPECIAL_RISING,
    SPECIAL_FALLING, /* NaNs, infinities, zeros of both signs, in the order, in the reverse of it */
    EQUAL,
    LOW_BITS,    /* only the lowest 8 bits differ */
    MIDDLE_BITS, /* only 8 in the middle */
    TOP_BITS,    /* only the highest 8 */
    SMALL,       /* random 16 bits */
    AROUND,      /* within 3,000 of the middle of all values: small numbers of both signs */
    BORDER,      /* 200 values around the lowest one with a bit of the upper half */
    HIGHEST,     /* among the 200 highest */
    SPREAD,      /* 100,000 values from an odd place on */
    CROWDED,     /* a hundred values, all over */
    HEADS,       /* a hundred heads, and below them 5 random bits, as many as any digit has */
    PART,        /* a fifth of the keys is CROWDED */
    RANDOM,
    SHAPES
} shape;

static const uint64_t fixed = 0x3ab1c2d4e5f60718u;

static uint64_t crowded_rank(uint64_t number) {
    return model_random(&(uint64_t){0x9e3779b97f4a7c15u * (number + 1)});
}

static uint64_t shaped_rank(shape kind, uint32_t width, uint64_t index, uint64_t count,
                            uint64_t *seed) {
    uint64_t random = model_random(seed) >> 13, mask = model_mask(width);
    uint64_t step = mask / (count + 1);
    switch (kind) {
    case RISING:
        return (index + 1) * step;
    case RISING_TIES:
        return index / 7 * step;
    case FALLING:
        return (count - index) * step;
    case FALLING_TIES:
        return (count - index) / 7 * step;
    case EQUAL:
        return fixed & mask;
    case LOW_BITS:
        return (fixed & mask & ~255ull) | (random & 255);
    case MIDDLE_BITS:
        return (fixed & mask & ~(255ull << width / 2)) | (random & 255) << width / 2;
    case TOP_BITS:
        return (fixed & mask >> 8) | (random & 255) << (width - 8);
    case SMALL:
        return random & 0xffff;
    case AROUND:
        return (mask >> 1) - 3000 + random % 6000;
    case BORDER:
        return (1ull << width / 2) - 100 + random % 200;
    case HIGHEST:
        return mask - random % 200;
    case SPREAD:
        return (fixed & mask) + random % 100000;
    case CROWDED:
        return crowded_rank(random % 100) & mask;
    case HEADS:
        return ((crowded_rank(random % 100) << 5) | (random >> 40 & 31)) & mask;
    case PART:
        if (index % 5 == 0)
            return crowded_rank(random % 100) & mask;
        /* fall through */
    default:
        return (random ^ model_random(seed) << 32) & mask;
    }
}

/* The key of a rank. */
static uint64_t key_of(const ordo_sort_desc *desc, uint64_t rank) {
    uint64_t mask = model_mask(model_bits(desc->key)), sign = mask ^ mask >> 1;
    uint64_t key = desc->order == ORDO_DESCENDING ? ~rank & mask : rank;
    if (desc->key == ORDO_I32 || desc->key == ORDO_I64)
        key ^= sign;
    if (desc->key == ORDO_F32 || desc->key == ORDO_F64) {
        key = (key + (desc->key == ORDO_F32 ? 0x007fffffu : 0x000fffffffffffffu)) & mask;
        key ^= key & sign ? sign : mask;
    }
    assert_int_equal(model_rank(desc, key), rank);
    return key;
}

static void fill_special(const ordo_sort_desc *desc, bool rising, uint64_t seed, void *keys) {
    static uint64_t made[CAPACITY];
    static uint32_t order[CAPACITY];
    uint64_t count = desc->max_count;
    distribution_fill(KEYS_SPECIAL, desc->key, count, seed, made);
    model_argsort(desc, made, count, order);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rank = rising ? i : count - 1 - i;
        model_set(desc->key, keys, i, model_get(desc->key, made, order[rank]));
    }
}

static void fill_keys(const ordo_sort_desc *desc, shape kind, uint64_t seed, void *keys) {
    if (kind == SPECIAL_RISING || kind == SPECIAL_FALLING) {
        fill_special(desc, kind == SPECIAL_RISING, seed, keys);
        return;
    }
    seed = seed * 0x9e3779b97f4a7c15u + 1;
    for (uint64_t i = 0; i < desc->max_count; i++) {
        uint64_t rank = shaped_rank(kind, model_bits(desc->key), i, desc->max_count, &seed);
        model_set(desc->key, keys, i, key_of(desc, rank));
    }
}

/* What the one key becomes that is not like the others. */
typedef enum odd { LEAST, GREATEST, FAR, NEIGHBOUR, TIE, BIT_ABOVE, BIT_BELOW, ODDS } odd;

static void break_key(const ordo_sort_desc *desc, odd kind, uint64_t at, void *keys) {
    uint32_t width = model_bits(desc->key);
    uint64_t key = model_get(desc->key, keys, at), rank = model_rank(desc, key);
    if (kind == NEIGHBOUR || kind == TIE) {
        uint64_t next = at + 1 < desc->max_count ? at + 1 : at - 1;
        model_set(desc->key, keys, at, model_get(desc->key, keys, next));
        if (kind == NEIGHBOUR)
            model_set(desc->key, keys, next, key);
        return;
    }
    uint64_t ranks[] = {[LEAST] = 0,
                        [GREATEST] = model_mask(width),
                        [FAR] = rank ^ 1ull << (width - 1),
                        [BIT_ABOVE] = rank ^ 1ull << 17,
                        [BIT_BELOW] = rank ^ 1ull << (width / 2 - 1)};
    model_set(desc->key, keys, at, key_of(desc, ranks[kind]));
}

/* ---- Promises -------------------------------------------------------------------------------- */

/* Of the root's word. */
enum {
    SHIFT_MASK = 63,
    PASSES = 1 << 25,
    DESCENDING = 1 << 27,
    ASCENDING = 1 << 28,
    FILLED = 1 << 29
};
static const uint32_t broken = 1u << 30, ranged = 1u << 31;

/* What control words say after a sort. */
typedef struct outcome {
    uint32_t root, items, passed; /* levels below the root that had tiles */
    uint32_t digit_bits;
    uint64_t base, zeros;
} outcome;

static outcome run(rig *r, sort_case *c) {
    static ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    uint32_t words[64];
    sort_begin(r, c);
    WGPUCommandEncoder encoder = rig_encoder(r);
    sort_encode(c, encoder);
    gpu_submit(&r->device, encoder);
    assert_int_equal(
        ordo_sort_steps(ordo_context_caps(c->context), &c->desc, steps, MAX_STEPS, &summary),
        ORDO_OK);
    assert_string_equal(steps[0].entry, "msd_begin_sampled");
    uint64_t at = SCRATCH_AT + steps[0].ranges[0].offset_bytes;
    assert_true(gpu_read(&r->device, c->scratch_memory.buffer, at, sizeof words, words));
    uint32_t passed = 0;
    for (uint32_t level = 1; level < summary.pass_count; level++)
        passed += words[2 + 3 * level] > 0;
    return (outcome){.root = words[0],
                     .items = words[1],
                     .passed = passed,
                     .digit_bits = (uint32_t)step_param(&steps[0], "digit_bits"),
                     .base = words[60] | (uint64_t)words[61] << 32,
                     .zeros = words[62] | (uint64_t)words[63] << 32};
}

/* Compares what was promised, and what came of it, with all keys. */
static void check_outcome(const sort_case *c, const outcome *o, const char *who) {
    const ordo_sort_desc *desc = &c->desc;
    uint64_t count = sort_count(c), mask = model_mask(model_bits(desc->key));
    bool stable = desc->argsort || (desc->value_bytes && !desc->allow_unstable);
    bool rises = true, falls = true, outside = false;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rank = model_rank(desc, model_get(desc->key, c->keys, i));
        outside |= ((rank - o->base) & mask & o->zeros) != 0;
        if (i + 1 == count)
            break;
        uint64_t next = model_rank(desc, model_get(desc->key, c->keys, i + 1));
        rises &= rank <= next;
        falls &= stable ? rank > next : rank >= next;
    }
    bool told = count > 0;
    /* Equal keys promise to rise, whatever others do that the sample has missed. */
    if ((told && rises) != ((o->root & ASCENDING) != 0) ||
        ((o->root & DESCENDING) && (rises || !falls)))
        fail_msg("%s: rises %d, falls %d, root %08x", who, rises, falls, o->root);
    if (((o->root & ranged) && outside) != ((o->root & broken) != 0))
        fail_msg("%s: a key outside %d, root %08x", who, outside, o->root);
    if ((o->root & FILLED) && (desc->argsort || desc->value_bytes))
        fail_msg("%s: elements that can be told apart are written anew", who);
    bool finished = (o->root & (ASCENDING | DESCENDING)) ||
                    ((o->root & FILLED) && !(o->root & broken)) || (o->root & PASSES) || !told;
    bool ordered = o->root & (ASCENDING | DESCENDING);
    uint32_t passes = (32 + o->digit_bits - 1) / o->digit_bits;
    passes = !told || ordered ? 1 : passes + passes % 2;
    if ((o->root & PASSES) && (!stable || (o->root & ranged) || o->passed + 1 != passes))
        fail_msg("%s: root %08x has passes, of which %u below the first", who, o->root, o->passed);
    if (finished != (o->items == 0))
        fail_msg("%s: root %08x, %u items", who, o->root, o->items);
}

/* What unbroken shapes must be promised to be, at least. */
static void check_promise(const sort_case *c, shape kind, const outcome *o, const char *who) {
    uint32_t width = model_bits(c->desc.key);
    bool alone = !c->desc.argsort && !c->desc.value_bytes;
    bool crowds = kind == TOP_BITS || kind == CROWDED || kind == HEADS;
    bool passes = crowds && width == 32 && !alone && !c->desc.allow_unstable;
    /* Ties of keys in an order may be few in a sample or many. */
    if (kind > SPECIAL_FALLING && passes != ((o->root & PASSES) != 0))
        fail_msg("%s: root %08x", who, o->root);
    const struct {
        bool is_ranged, fills;
        uint32_t shift;
    } expected[SHAPES] = {[EQUAL] = {true, alone, 0},
                          [LOW_BITS] = {true, alone, 0},
                          [MIDDLE_BITS] = {true, alone, width / 2},
                          [TOP_BITS] = {alone, alone, width - 8},
                          [SMALL] = {true, false, 8},
                          [AROUND] = {true, false, 7},
                          [BORDER] = {true, alone, 0},
                          [HIGHEST] = {true, alone, 0},
                          [SPREAD] = {true, false, 11}};
    bool falls = kind == FALLING || (kind == FALLING_TIES && (alone || c->desc.allow_unstable));
    if (falls && !(o->root & DESCENDING))
        fail_msg("%s: root %08x, which falls", who, o->root);
    if (kind == SPECIAL_RISING || kind == SPECIAL_FALLING || passes)
        return;
    if (expected[kind].is_ranged != ((o->root & ranged) != 0) ||
        expected[kind].fills != ((o->root & FILLED) != 0) ||
        (expected[kind].is_ranged && expected[kind].shift != (o->root & SHIFT_MASK)))
        fail_msg("%s: root %08x", who, o->root);
}

/* ---- Sorts ----------------------------------------------------------------------------------- */

/* Each tier has its own list, as in test_gpu_msd.c. */
enum { FORMS = 6, KEYS = 0, IN_PLACE = 3 };
static const ordo_sort_desc forms[2][FORMS] = {
    {
        {.key = ORDO_U32},
        {.key = ORDO_F64, .order = ORDO_DESCENDING, .argsort = true},
        {.key = ORDO_I32, .value_bytes = 8, .in_place = true},
        {.key = ORDO_I64, .in_place = true},
        {.key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 4},
        {.key = ORDO_U32, .value_bytes = 12},
    },
    {
        {.key = ORDO_U64, .order = ORDO_DESCENDING},
        {.key = ORDO_U32, .argsort = true},
        {.key = ORDO_I64, .value_bytes = 4, .in_place = true},
        {.key = ORDO_F32, .in_place = true},
        {.key = ORDO_F64, .value_bytes = 16, .in_place = true},
        {.key = ORDO_I32, .order = ORDO_DESCENDING, .value_bytes = 8, .allow_unstable = true},
    },
};

static const ordo_sort_desc *form_of(size_t form) { return &forms[rig_tier() == TIER_ALL][form]; }

static sort_case case_of(size_t form, shape kind, uint64_t number, void *keys) {
    sort_case c = {.desc = *form_of(form),
                   .seed = number,
                   .given_keys = keys,
                   .scratch = number % 2 ? SCRATCH_ONES : SCRATCH_PATTERN,
                   .one_buffer = number % 5 == 0};
    c.desc.method = ORDO_METHOD_MSD;
    c.desc.max_count = CAPACITY;
    fill_keys(&c.desc, kind, number, keys);
    return c;
}

static outcome check(rig *r, sort_case *c, const char *who) {
    outcome o = run(r, c);
    check_outcome(c, &o, who);
    sort_end(r, c);
    return o;
}

/* P1, P2: what is promised of all shapes, on every form, and that it saves the rest. */
static void test_easy_keys(void **state) {
    static uint64_t keys[CAPACITY];
    for (size_t form = 0; form < FORMS; form++) {
        for (uint32_t kind = 0; kind < SHAPES; kind++) {
            char who[80];
            snprintf(who, sizeof who, "form %zu, shape %u", form, kind);
            sort_case c = case_of(form, (shape)kind, form + kind, keys);
            outcome o = run(*state, &c);
            check_outcome(&c, &o, who);
            check_promise(&c, (shape)kind, &o, who);
            sort_end(*state, &c);
        }
    }
}

/* P1, P2: one key that is not like the others, at the ends, in the middle and at borders of tiles,
   of which a sample misses most. */
static void test_one_odd_key(void **state) {
    static const uint32_t places[] = {0,
                                      1,
                                      TILE - 1,
                                      TILE,
                                      2 * TILE - 1,
                                      3 * TILE,
                                      4 * TILE + 1,
                                      CAPACITY / 2,
                                      CAPACITY - 2,
                                      CAPACITY - 1};
    static uint64_t keys[CAPACITY];
    uint32_t broken_count = 0, number = 0;
    for (size_t form = 0; form < FORMS; form++) {
        for (uint32_t kind = 0; kind < RANDOM; kind++) {
            for (size_t i = (form + kind) % 4; i < COUNT_OF(places); i += 4, number++) {
                char who[80];
                /* The least of all values must not pass for one beyond the greatest, nor a tie for
                   keys that fall. */
                odd how = kind == HIGHEST                ? LEAST
                          : kind == FALLING && i % 4 < 2 ? TIE
                                                         : (odd)(number * 5 / 3 % ODDS);
                snprintf(who, sizeof who, "form %zu, shape %u, %d at %u", form, kind, (int)how,
                         places[i]);
                sort_case c = case_of(form, (shape)kind, number, keys);
                break_key(&c.desc, how, places[i], keys);
                broken_count += (check(*state, &c, who).root & broken) != 0;
            }
        }
    }
    assert_true(broken_count > 15);
}

/* B018, B021: fewer elements than the capacity, to none; what lies past them is no one's. */
static void test_counts(void **state) {
    static const uint32_t counts[] = {0, 1, 2, 3, 255, 2047, 2048, 2049, 2050, 4097, CAPACITY - 1};
    static uint64_t keys[CAPACITY];
    for (size_t form = 0; form < FORMS; form++) {
        for (uint32_t i = (uint32_t)form % 2; i < 4 * COUNT_OF(counts); i += 2) {
            static const shape kinds[] = {RISING, FALLING, LOW_BITS, CROWDED};
            shape kind = kinds[(i + i / 4) % 4];
            char who[80];
            snprintf(who, sizeof who, "form %zu, count %u, shape %d", form, counts[i / 4],
                     (int)kind);
            sort_case c = case_of(form, kind, i, keys);
            c.count_use = COUNT_GIVEN;
            c.gpu_count = counts[i / 4];
            /* The first key that does not count is out of order. */
            break_key(&c.desc, LEAST, c.gpu_count, keys);
            outcome o = check(*state, &c, who);
            /* So few keys are in the sample more than once. */
            if (c.gpu_count <= 2048 && (o.root & PASSES))
                fail_msg("%s: root %08x", who, o.root);
        }
    }
}

/* B086: one workgroup, or four, take all tiles. */
static void test_the_smallest_grids(void **state) {
    static uint64_t keys[CAPACITY];
    for (uint32_t groups = 1; groups <= 2; groups++) {
        ordo_context *narrow = rig_narrow_context(*state, groups);
        for (uint32_t i = 0; i < 2 * SHAPES; i++) {
            sort_case c = case_of(i % 2 ? IN_PLACE : KEYS, (shape)(i / 2), i, keys);
            c.context = narrow;
            if (i % 3 == 0)
                break_key(&c.desc, GREATEST, 7 * TILE + i, keys);
            check(*state, &c, "narrow");
        }
        ordo_context_release(narrow);
    }
}

/* Sorts a few shapes, whole and with an odd key, on a context with this tuning. */
static void check_tuned(rig *r, bool software, const char *tuning, size_t form) {
    static const shape kinds[] = {RISING, FALLING, LOW_BITS, AROUND,
                                  SPREAD, CROWDED, HEADS,    RANDOM};
    static uint64_t keys[CAPACITY];
    ordo_context *context = rig_context(r, &(ordo_caps){.software = software, .tuning = tuning});
    for (uint32_t i = 0; i < 2 * COUNT_OF(kinds); i++) {
        sort_case c = case_of(form, kinds[i / 2], i, keys);
        c.context = context;
        if (i % 2)
            break_key(&c.desc, GREATEST, 3 * TILE + 2 * i + 1, keys);
        check(r, &c, tuning);
    }
    ordo_context_release(context);
}

/* Tiles of large sorts, of which there are two here. */
static void test_large_tiles(void **state) {
    rig *r = *state;
    for (size_t form = KEYS; form < IN_PLACE; form += 2)
        check_tuned(r, ordo_context_caps(r->context)->software,
                    "msd_small_count=0 msd_medium_count=0 msd_items=48 msd_rounds=6 "
                    "msd_stable_items=24 msd_stable_rounds=3",
                    form);
}

/* Passes by digits of which an odd number makes a key are one more; in small sorts, which have a
   level a digit, there is none for it. */
static void test_narrow_digits(void **state) {
    rig *r = *state;
    static const char *const tunings[] = {
        "msd_data_count=1000 msd_small_count=0 msd_digit_bits=7",
        "msd_data_count=1000 msd_small_count=0 msd_digit_bits=5 msd_late_groups=1",
        "msd_data_count=1000 msd_small_count=100000 msd_digit_bits=7"};
    static uint64_t keys[CAPACITY];
    for (size_t i = 0; i < COUNT_OF(tunings); i++) {
        bool software = ordo_context_caps(r->context)->software;
        ordo_context *context =
            rig_context(r, &(ordo_caps){.software = software, .tuning = tunings[i]});
        sort_case c = case_of(rig_tier() == TIER_ALL ? 1
                              : i == 1               ? 4
                                                     : 2,
                              i == 1 ? HEADS : CROWDED, i, keys);
        c.context = context;
        assert_int_equal((check(r, &c, tunings[i]).root & PASSES) != 0, i < 2);
        ordo_context_release(context);
    }
}

/* What a GPU runs: loops are written out. */
static void test_kernels_of_a_gpu(void **state) {
    check_tuned(*state, false, "msd_data_count=1000", rig_tier() == TIER_ALL ? 1 : IN_PLACE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_easy_keys),          rig_test(test_one_odd_key), rig_test(test_counts),
        rig_test(test_the_smallest_grids), rig_test(test_large_tiles), rig_test(test_narrow_digits),
        rig_test(test_kernels_of_a_gpu),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
