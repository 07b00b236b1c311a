/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_sample.c: the sort in one dispatch, over keys that its sample divides well and badly:
 * ties of all kinds, images at both ends of their range, and keys made against the places where it
 * looks.
 *
 * Kernels take a software adapter seconds to compile, so that sorts share few pipelines: the tiers
 * have different types and orders.
 */
#include "gpu_case.h"

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { CAPACITY = 13000, LARGE = 70001, MAX_STEPS = 8 };

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Shapes beside those of distribution.h, whose numbers come first. */
enum {
    ZEROS = DISTRIBUTION_COUNT, /* every bit of every key clear */
    ENDS,                       /* the least and the greatest images, a few others */
    RUNS,                       /* equal keys side by side, 777 of each, in descending order */
    HALF_EQUAL,                 /* half of the keys are equal */
    LATE_WORD,                  /* of 64 bits only the lower 32 differ, of 32 the lower 16 */
    CROWDED,                    /* each key's upper 20 bits are among three */
    CARRIES,                    /* two neighbours, of which one has all bits of the lower word */
    SHAPES
};

static uint64_t shaped_key(uint32_t shape, ordo_type type, uint64_t index, uint64_t *seed) {
    uint32_t width = model_bits(type);
    uint64_t random = model_random(seed) << 32 ^ model_random(seed) >> 16;
    switch (shape) {
    case ENDS:
        return random >> 62 == 0 ? random : 0 - (random >> 61 & 1);
    case RUNS:
        return (1000 - index / 777) << (width - 12);
    case HALF_EQUAL:
        return random >> 63 ? 0x3ab1c2d4e5f60718u : random << 3;
    case LATE_WORD:
        return random & model_mask(width / 2);
    case CROWDED:
        return (random >> 40) % 3 << (width - 20) | (random & model_mask(width - 20));
    case CARRIES:
        return 0x1ffffffffu + (random >> 63);
    default:
        return 0;
    }
}

static void fill_keys(uint32_t shape, ordo_type type, uint64_t count, uint64_t seed, void *keys) {
    if (shape < DISTRIBUTION_COUNT) {
        distribution_fill((distribution)shape, type, count, seed, keys);
        return;
    }
    seed = seed * 0x9e3779b97f4a7c15u + shape;
    for (uint64_t i = 0; i < count; i++)
        model_set(type, keys, i, shaped_key(shape, type, i, &seed));
}

/* ---- Every form ------------------------------------------------------------------------------ */

/* What chooses pipelines: keys alone, an argsort, pairs, and these in place. Each tier has its own
   list; together they have every type, both orders of either size of key, and every form. */
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
        {.key = ORDO_F64, .value_bytes = 20, .in_place = true},
    },
};

static const ordo_sort_desc *form_of(size_t form) { return &forms[rig_tier() == TIER_ALL][form]; }

static sort_case case_of(const ordo_sort_desc *form, uint64_t max_count, uint32_t shape,
                         uint64_t number, void *keys) {
    sort_case c = {.desc = *form,
                   .shape = (distribution)shape,
                   .seed = number,
                   .given_keys = keys,
                   .scratch = (scratch_use)(number % 4),
                   .one_buffer = number % 5 == 0};
    c.desc.method = ORDO_METHOD_SAMPLE;
    c.desc.max_count = max_count;
    fill_keys(shape, c.desc.key, max_count, number, keys);
    return c;
}

/* At and beside the edges of what a workgroup sorts, of a slice and of a row of quads. */
static const uint32_t counts[] = {CAPACITY, 2,    2049, 8193, CAPACITY - 1, 1,    9000, 2048,
                                  12289,    4096, 8191, 0,    1024,         8192, 2047, 4097,
                                  1025,     3073, 6145, 2050, UINT32_MAX};

/* P1, P2; B012, B021, B025, B042, B045: all shapes on every form, in all bytes of all buffers. */
static void test_every_form_shape_and_count(void **state) {
    static uint64_t keys[CAPACITY];
    uint64_t number = 0;
    for (size_t form = 0; form < FORMS; form++) {
        for (uint32_t shape = 0; shape < SHAPES; shape++, number++) {
            sort_case c = case_of(form_of(form), CAPACITY - number % 5, shape, number, keys);
            c.count_use = number % 3 ? COUNT_GIVEN : COUNT_HOST;
            c.gpu_count = counts[number % COUNT_OF(counts)];
            sort_check(*state, c);
        }
    }
}

/* Where a device wants buffers bound at greater multiples than usual, keys are read as words. */
static void test_keys_by_words(void **state) {
    rig *r = *state;
    static uint64_t keys[CAPACITY];
    static const uint32_t shapes[] = {KEYS_RANDOM, KEYS_EQUAL, RUNS, ENDS, KEYS_SPECIAL};
    const ordo_caps caps = {.offset_alignment_bytes = 512,
                            .software = ordo_context_caps(r->context)->software};
    ordo_context *context = rig_context(r, &caps);
    for (uint32_t form = 0; form < FORMS; form++) {
        if (form == KEYS || form == INDICES || form_of(form)->value_bytes == 4) {
            for (uint32_t i = 0; i < 2 * COUNT_OF(shapes); i++) {
                sort_case c = case_of(form_of(form), CAPACITY - i % 2, shapes[i / 2], i, keys);
                c.context = context;
                sort_check(r, c);
            }
        }
    }
    ordo_context_release(context);
}

/* B004, B018, B034: capacities beside every edge. */
static void test_every_edge_of_a_capacity(void **state) {
    static const uint32_t edges[] = {1,    2,    64,   65,   127,  129,  1023, 1024, 1025,
                                     2047, 2048, 2049, 2052, 3071, 3072, 4095, 4096, 4097,
                                     4100, 6144, 6145, 8191, 8192, 8193, 8196, 12288};
    static uint64_t keys[CAPACITY];
    for (size_t i = 0; i < 2 * COUNT_OF(edges); i++) {
        uint32_t shape = i % 7 ? i % 3 ? KEYS_RANDOM : RUNS : KEYS_FEW;
        sort_check(*state, case_of(form_of(i % 2 ? INDICES : KEYS), edges[i / 2], shape, i, keys));
    }
}

/* Several windows of marks, the last one partly filled. */
static void test_windows(void **state) {
    static const uint32_t shapes[] = {KEYS_RANDOM, KEYS_EQUAL, RUNS, ENDS};
    static uint64_t keys[LARGE];
    for (uint32_t i = 0; i < 2 * COUNT_OF(shapes); i++) {
        const ordo_sort_desc *form = form_of(i % 2 ? INDICES : KEYS);
        sort_check(*state, case_of(form, LARGE - i / 2 % 2, shapes[i / 2], i, keys));
    }
}

/* B086: few workgroups take all slices, one after the other. */
static void test_the_smallest_grids(void **state) {
    rig *r = *state;
    static uint64_t keys[CAPACITY];
    for (uint32_t groups = 1; groups <= 2; groups++) {
        ordo_context *narrow = rig_narrow_context(r, groups);
        for (uint32_t i = 0; i < 8; i++) {
            static const uint32_t shapes[] = {KEYS_RANDOM, RUNS, ENDS, KEYS_EQUAL};
            sort_case c =
                case_of(form_of(i % 2 ? INDICES : KEYS), CAPACITY, shapes[i / 2], i, keys);
            c.context = narrow;
            sort_check(r, c);
        }
        ordo_context_release(narrow);
    }
}

/* What a GPU runs: loops are written out. */
static void test_kernels_of_a_gpu(void **state) {
    rig r = rig_as_gpu(*state);
    static const uint32_t shapes[] = {KEYS_RANDOM, RUNS, ENDS, KEYS_EQUAL, CROWDED, KEYS_FEW};
    static uint64_t keys[CAPACITY];
    const ordo_sort_desc *form = form_of(rig_tier() == TIER_ALL ? INDICES : KEYS);
    for (uint32_t i = 0; i < 2 * COUNT_OF(shapes); i++)
        sort_check(&r, case_of(form, i % 2 ? 1000 + 4 * i : CAPACITY, shapes[i / 2], i, keys));
    ordo_context_release(r.context);
}

/* ---- Keys against the sample ----------------------------------------------------------------- */

/* As kernels/sample_slice.wgsl has them. */
static uint32_t hash(uint32_t position) {
    uint32_t mixed = position * 0x9e3779b1u;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
    return mixed ^ mixed >> 16;
}

/* What a workgroup sorts, which is the size of the sample. */
static uint32_t sample_size(rig *r, const ordo_sort_desc *desc) {
    ordo_step steps[MAX_STEPS];
    ordo_summary summary;
    ordo_sort_desc copy = *desc;
    copy.method = ORDO_METHOD_SAMPLE;
    copy.max_count = CAPACITY;
    assert_int_equal(
        ordo_sort_steps(ordo_context_caps(r->context), &copy, steps, MAX_STEPS, &summary), ORDO_OK);
    const ordo_step *last = &steps[summary.step_count - 1];
    assert_string_equal(last->constants[0].name, "GROUP_SIZE");
    return last->constants[0].value * last->items;
}

enum { BAD_SAMPLES = 6 };

/* The rank among images of the element at a position that is not in the sample; sampled ones have a
   multiple of 2^16, from 0 on. */
static uint64_t unsampled(uint32_t kind, uint32_t position, uint32_t sample, uint64_t random) {
    uint64_t end = (uint64_t)sample << 16;
    switch (kind) {
    case 0: /* all behind the sample */
        return end + (random & 0xffffff);
    case 1: /* all equal, behind it */
        return end;
    case 2: /* all in the first slice, some of them equal */
        return 1 + (random & 0xfff);
    case 3: /* the first slice has those that are listed last, another all others */
        return hash(position) >= 0xe0000000u ? 1 + (random & 0xffff) : end;
    case 4: /* the same, the lowest are listed first */
        return hash(position) >= 0x20000000u ? 0xffff - (random & 0xff) : 1;
    default: /* between two elements of the sample, where slices meet */
        return (uint64_t)(sample / 2) << 16 | (random & 1);
    }
}

static void fill_against(const ordo_sort_desc *desc, uint32_t kind, uint32_t sample, void *keys) {
    uint64_t seed = kind + 99;
    uint32_t count = CAPACITY;
    for (uint32_t i = 0; i < sample; i++) {
        uint32_t first = (uint32_t)((uint64_t)i * count / sample);
        uint32_t next = (uint32_t)((uint64_t)(i + 1) * count / sample);
        for (uint32_t at = first; at < next; at++) {
            uint64_t rank = at == first + hash(i) % (next - first)
                                ? (uint64_t)i << 16
                                : unsampled(kind, at, sample, model_random(&seed) >> 20);
            /* Ascending ranks for both orders and all types: small positive numbers. */
            model_set(desc->key, keys, at, desc->order ? 0x7f000000u - rank : rank);
        }
    }
}

/* A slice with far more elements than a workgroup holds is sorted part by part. */
static void test_bad_samples(void **state) {
    static uint64_t keys[CAPACITY];
    for (uint32_t form = 0; form < FORMS; form++) {
        const ordo_sort_desc *desc = form_of(form);
        uint32_t sample = sample_size(*state, desc);
        for (uint32_t kind = 0; kind < BAD_SAMPLES; kind++) {
            sort_case c = case_of(desc, CAPACITY, KEYS_RANDOM, form, keys);
            fill_against(desc, kind, sample, keys);
            sort_check(*state, c);
        }
    }
}

/* Where a sort with a count on the device looks for its sample depends on that count alone. */
static void test_bad_samples_of_a_count(void **state) {
    static uint64_t keys[2 * CAPACITY];
    for (uint32_t kind = 0; kind < BAD_SAMPLES; kind++) {
        const ordo_sort_desc *desc = form_of(kind % 2 ? INDICES : KEYS);
        sort_case c = case_of(desc, 2 * CAPACITY, KEYS_RANDOM, kind, keys);
        c.count_use = COUNT_GIVEN;
        c.gpu_count = CAPACITY;
        fill_against(desc, kind, sample_size(*state, desc), keys);
        sort_check(*state, c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_bad_samples),
        rig_test(test_bad_samples_of_a_count),
        rig_test(test_every_form_shape_and_count),
        rig_test(test_keys_by_words),
        rig_test(test_every_edge_of_a_capacity),
        rig_test(test_windows),
        rig_test(test_the_smallest_grids),
        rig_test(test_kernels_of_a_gpu),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
