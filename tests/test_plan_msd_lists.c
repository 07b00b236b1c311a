/* SPDX-License-Identifier: MIT */
/*
 * test_plan_msd_lists.c: the scratch of sorts from the most significant digit down, without a GPU:
 * how much it is, that it never falls, and that its lists hold whatever the keys make of them.
 */
#include "model.h"
#include "model_msd.h"
#include "plan.h"
#include "plan_expect.h"

#include <inttypes.h>

#define GIB (1ull << 30)
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { MAX_STEPS = 64 };

/* Memory as long as it lasts; then also an H200's workgroups. */
static const ordo_caps roomy = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB};
static const ordo_caps h200 = {.max_buffer_bytes = 64 * GIB,
                               .max_binding_bytes = 64 * GIB,
                               .max_workgroup_bytes = 49152,
                               .max_invocations = 1024};

/* A plan, all promises of which are kept. */
typedef struct planned {
    ordo_step steps[MAX_STEPS];
    ordo_summary summary;
} planned;

static void plan_into(const ordo_caps *caps, ordo_sort_desc desc, planned *plan) {
    plan_problem problem = {.caps = *caps, .sort = desc};
    problem.sort.method = ORDO_METHOD_MSD;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, plan->steps, MAX_STEPS, &plan->summary), ORDO_OK);
}

/* ---- Scratch --------------------------------------------------------------------------------- */

/* Beside a second copy of the keys the lists of large sorts take so many percent of a word an
   element. Argsorts and pairs have tables too. */
static void test_scratch_of_large_sorts(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        uint32_t copy_bytes; /* an element, of keys and values in scratch */
        uint32_t percent;    /* of 4 bytes an element, on top */
    } rows[] = {
        {{.key = ORDO_U32}, 4, 27},
        {{.key = ORDO_F32, .in_place = true}, 4, 28},
        {{.key = ORDO_U64}, 8, 50},
        {{.argsort = true}, 12, 41},
        {{.value_bytes = 4}, 8, 41},
        {{.key = ORDO_F64, .value_bytes = 8, .in_place = true}, 16, 77},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (uint32_t log2 = 22; log2 <= 28; log2++) {
            static planned plan;
            ordo_sort_desc desc = rows[i].desc;
            desc.max_count = 1ull << log2;
            plan_into(&roomy, desc, &plan);
            uint64_t bytes = plan.summary.scratch_bytes;
            uint64_t most =
                desc.max_count * rows[i].copy_bytes + desc.max_count / 25 * rows[i].percent;
            if (bytes > most)
                fail_msg("row %zu, 2^%u: %" PRIu64 " bytes of scratch, above %" PRIu64, i, log2,
                         bytes, most);
        }
    }
}

/* Across all borders: of one item, of small, middle and sampled sorts, of sizes of items; also
   where larger sorts have smaller tiles. */
static void test_scratch_is_monotone(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {
        {.key = ORDO_U32},
        {.key = ORDO_F32},
        {.key = ORDO_I64, .in_place = true},
        {.argsort = true},
        {.value_bytes = 8},
        {.value_bytes = 4, .allow_unstable = true},
        {.key = ORDO_F64, .value_bytes = 64, .in_place = true},
    };
    static const uint64_t borders[] = {1280,      4096,       8192,         1152 << 8,
                                       1 << 20,   1 << 21,    1 << 22,      1 << 23,
                                       4148 << 8, 1152 << 16, 4148ull << 16};
    ordo_caps told = roomy;
    told.tuning = "msd_items=2 msd_rounds=1 msd_medium_items=8 msd_medium_rounds=2";
    const ordo_caps devices[] = {roomy, h200, told};
    for (size_t i = 0; i < COUNT_OF(devices) * COUNT_OF(descs); i++) {
        plan_problem problem = {.caps = devices[i % COUNT_OF(devices)],
                                .sort = descs[i / COUNT_OF(devices)]};
        uint64_t before = 0, step = 0;
        problem.sort.method = ORDO_METHOD_MSD;
        for (uint64_t count = 0; count < UINT32_MAX; count += step) {
            ordo_summary summary;
            problem.sort.max_count = count;
            if (plan_steps(&problem, NULL, 0, &summary) != ORDO_OK)
                break;
            if (summary.scratch_bytes < before)
                fail_msg("%s: less scratch than for fewer", plan_describe(&problem));
            before = summary.scratch_bytes;
            step = 1 + (count > 20000) * (count >> 13);
            for (size_t b = 0; b < COUNT_OF(borders); b++) {
                if (count < borders[b] + 2 && count + step > borders[b] - 2)
                    step = 1;
            }
        }
        assert_true(problem.sort.max_count > 1 << 27);
    }
}

/* ---- The lists hold whatever the keys make of them ------------------------------------------- */

/* How the keys of a bucket spread over its digits. */
typedef enum spread {
    EVEN,
    ONE_CHILD, /* a constant digit */
    TWO_CHILDREN,
    PEEL,          /* one key in front of a child and one behind */
    JUST_ABOVE,    /* as many as can be are a key too many for an item, the rest in one */
    JUST_FIT,      /* … fill an item */
    ABOVE_HALF,    /* … have an item of their own */
    HALF,          /* … are as large as share one */
    ABOVE_AND_ONE, /* a key too many for an item, and a single key, by turns */
    ABOVE_HALF_AND_ONE,
    ZIPF,
    FEW_TILES, /* just above a tile */
    PEELED,    /* so much above an item that every level may take some of it */
    RANDOM_CUTS,
    AT_ENDS, /* in the outermost children and the two in the middle */
    SPREADS
} spread;

typedef struct adversary {
    const msd_shape *shape;
    spread levels[MSD_LEVELS]; /* SPREADS: another for each bucket */
    uint64_t random;
} adversary;

/* Gives children from the first on `large` keys, and those in between `small`, while there are
   keys; the last has what is left. */
static void by_turns(uint64_t size, uint32_t count, uint64_t large, uint64_t small,
                     uint64_t *children) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t wanted = i % 2 ? small : large;
        children[i] = i + 1 == count || wanted > size ? size : wanted;
        size -= children[i];
    }
}

static void spread_by_weight(uint64_t size, uint32_t count, bool zipf, uint64_t *random,
                             uint64_t *children) {
    uint64_t left = size;
    for (uint32_t i = 0; i + 1 < count; i++) {
        /* Of zipf's 256 weights the first is a sixth of all. */
        uint64_t wanted =
            zipf ? size / 6 / (i + 1)
                 : (left >> (model_random(random) >> 32) % 12) * ((model_random(random) >> 40) % 3);
        children[i] = wanted < left ? wanted : left;
        left -= children[i];
    }
    children[count - 1] = left;
}

static void spread_keys(void *from, const msd_bucket *bucket, uint64_t *children) {
    adversary *a = from;
    uint64_t item = a->shape->item_count, tile = a->shape->tile_items, size = bucket->size;
    uint32_t count = 1u << bucket->bits;
    spread kind = a->levels[bucket->level];
    if (kind == SPREADS)
        kind = (spread)((model_random(&a->random) >> 32) % SPREADS);
    switch (kind) {
    case EVEN:
        for (uint32_t i = 0; i < count; i++)
            children[i] = size * (i + 1) / count - size * i / count;
        break;
    case ONE_CHILD:
        children[(model_random(&a->random) >> 32) % count] = size;
        break;
    case TWO_CHILDREN:
        by_turns(size, count, size / 2, size, children);
        break;
    case PEEL:
        children[0] = size > 0;
        children[1] = count == 2 ? size - children[0] : size > 2 ? size - 2 : 0;
        children[count - 1] = size - children[0] - (count == 2 ? 0 : children[1]);
        break;
    case JUST_ABOVE:
        by_turns(size, count, item + 1, item + 1, children);
        break;
    case JUST_FIT:
        by_turns(size, count, item, item, children);
        break;
    case ABOVE_HALF:
        by_turns(size, count, item / 2 + 1, item / 2 + 1, children);
        break;
    case HALF:
        by_turns(size, count, item / 2, item / 2, children);
        break;
    case ABOVE_AND_ONE:
        by_turns(size, count, item + 1, 1, children);
        break;
    case ABOVE_HALF_AND_ONE:
        by_turns(size, count, item / 2 + 1, 1, children);
        break;
    case PEELED:
        by_turns(size, count, item + 40, 1, children);
        break;
    case FEW_TILES:
        by_turns(size, count, tile + 1, tile + 1, children);
        break;
    case AT_ENDS:
        children[0] = size - size / 4 * 3;
        children[count / 2 - 1] += size / 4;
        children[count / 2] += size / 4;
        children[count - 1] += size / 4;
        break;
    default:
        spread_by_weight(size, count, kind == ZIPF, &a->random, children);
    }
}

/* What the plan has room for. */
typedef struct room {
    uint64_t items, record_words, tiles, table_words;
} room;

static room room_of(const ordo_step *begin) {
    uint64_t at[6];
    static const char *const names[] = {"items", "records",    "next_records",
                                        "tiles", "next_tiles", "tables"};
    for (uint32_t i = 0; i < 6; i++)
        at[i] = step_param(begin, names[i]);
    return (room){.items = (at[1] - at[0]) / 2,
                  .record_words = at[2] - at[1],
                  .tiles = at[4] - at[3],
                  .table_words = begin->ranges[0].size_bytes / 4 - at[5]};
}

/* The most workgroups of a step that look through the tiles of a level. */
static uint64_t lookers_of(const planned *plan, uint32_t level) {
    uint64_t most = 0;
    for (uint32_t i = 1; i < plan->summary.step_count; i++) {
        const ordo_step *step = &plan->steps[i];
        uint64_t groups = (uint64_t)step->group_count_x * step->group_count_y;
        if (step->param_count > 8 && step_param(step, "level") == level && groups > most)
            most = groups;
    }
    return most;
}

/* The greatest part of the room, in percent, that any run has taken. */
typedef struct use {
    uint64_t items, record_words, tiles, table_words;
} use;

static void note(uint64_t *most, uint64_t taken, uint64_t fits, const char *what, const char *who) {
    if (taken > fits)
        fail_msg("%s: %" PRIu64 " %s, room for %" PRIu64, who, taken, what, fits);
    if (fits && taken * 100 / fits > *most)
        *most = taken * 100 / fits;
}

/* Compares what has been published with the room. Workgroups look for tiles until one is not
   there. */
static void compare_lists(const planned *plan, const msd_lists *lists, uint64_t last_level,
                          bool stable, const char *who, use *most) {
    room space = room_of(&plan->steps[0]);
    note(&most->items, lists->items, space.items, "items", who);
    for (uint32_t i = 1; i <= last_level; i++) {
        note(&most->record_words, lists->record_words[i], space.record_words, "words of records",
             who);
        note(&most->tiles, lists->tiles[i] + lookers_of(plan, i), space.tiles, "tiles", who);
        if (stable)
            note(&most->table_words, lists->table_words[i], space.table_words, "words of tables",
                 who);
    }
}

/* Publishes `count` keys, spread as the adversary wants. A sampled root may have its digit anywhere
   below the highest bit, or of floats fixed-point digits. */
static void check_lists(const planned *plan, adversary *a, uint64_t count, bool stable, use *most) {
    const ordo_step *begin = &plan->steps[0];
    msd_shape shape = msd_shape_of(begin);
    msd_lists lists;
    char who[200];
    int used = snprintf(who, sizeof who, "%" PRIu64 " of %" PRIu64 " keys of %" PRIu64 " bits,",
                        count, step_param(begin, "max_count"), shape.key_bits);
    for (uint32_t i = 0; i <= shape.last_level; i++)
        used += snprintf(who + used, sizeof who - (size_t)used, " %d", (int)a->levels[i]);
    msd_bucket root = msd_planned_root(&shape, count);
    const msd_form form = {.bits = (uint32_t)shape.digit_bits,
                           .exponent = 8 + (uint32_t)(a->random >> 24) % 246,
                           .negative = (uint32_t)(a->random >> 16) % 3 << shape.digit_bits >> 1,
                           .descending = a->random >> 12 & 1};
    if (shape.fixed_root && a->random % 4) {
        root.bits = form.bits;
        root.form = &form;
        snprintf(who + used, sizeof who - (size_t)used, ", fixed points below exponent %u, %u < 0",
                 form.exponent, form.negative);
    } else if (step_param(begin, "sampled") && a->random % 2) {
        root.bits = (uint32_t)shape.digit_bits;
        root.shift = (uint32_t)((a->random >> 8) % (shape.key_bits - root.bits));
        snprintf(who + used, sizeof who - (size_t)used, ", a root at bit %u", root.shift);
    }
    a->shape = &shape;
    msd_publish_root(&shape, spread_keys, a, &root, &lists);
    compare_lists(plan, &lists, shape.last_level, stable, who, most);
    if (lists.lost || lists.keys_in_items != count || lists.largest_item > shape.item_count)
        fail_msg("%s: %" PRIu64 " keys after the last level, an item of %" PRIu64, who, lists.lost,
                 lists.largest_item);
}

/* Every spread on the first level with every other on those after it, and by chance. */
static void check_spreads(const planned *plan, uint64_t count, bool stable, uint64_t *random,
                          use *most) {
    uint64_t last = step_param(&plan->steps[0], "last_level");
    for (uint32_t first = 0; first <= SPREADS; first++) {
        for (uint32_t then = 0; then <= SPREADS; then++) {
            adversary a = {.random = model_random(random)};
            for (uint32_t i = 0; i < MSD_LEVELS; i++)
                a.levels[i] = (spread)(i == 0 ? first : then);
            check_lists(plan, &a, count, stable, most);
            a.levels[last] = (spread)((model_random(random) >> 32) % (SPREADS + 1));
            check_lists(plan, &a, count, stable, most);
            a.levels[1] = (spread)first;
            for (uint32_t i = 2; i < MSD_LEVELS; i++)
                a.levels[i] = (spread)((model_random(random) >> 32) % (SPREADS + 1));
            check_lists(plan, &a, count, stable, most);
        }
    }
}

/* The same for keys alone and an argsort, which has tables, of either size of key and of floats: as
   many as there may be, and of some hundred thousand a third of that too. */
static void check_forms(const ordo_caps *caps, uint64_t max_count, uint64_t *random, use *most) {
    static planned plan;
    static const ordo_type types[] = {ORDO_U32, ORDO_U64, ORDO_F32};
    for (uint32_t form = 0; form < 6; form++) {
        ordo_sort_desc desc = {.max_count = max_count, .key = types[form / 2], .argsort = form % 2};
        plan_into(caps, desc, &plan);
        check_spreads(&plan, max_count, desc.argsort, random, most);
        if (max_count < 500000)
            check_spreads(&plan, max_count / 3 + 1, desc.argsort, random, most);
    }
}

/* On either side of every border: devices that have large items, and those that do not. */
static void test_lists_hold_whatever_the_keys_are(void **state) {
    (void)state;
    static const uint64_t counts[] = {1281,      6145,   10000,   16385,         262144,
                                      1152 << 8, 400000, 1 << 20, (1 << 20) + 1, (1 << 22) + 1};
    static const uint64_t large_counts[] = {8193, (1152 << 8) - 1, 1152 << 8, 1 << 20,
                                            (1 << 20) + 1};
    use most = {0};
    uint64_t random = 5;
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        check_forms(&roomy, counts[i], &random, &most);
    for (size_t i = 0; i < COUNT_OF(large_counts); i++)
        check_forms(&h200, large_counts[i], &random, &most);
    print_message(
        "used of the room, at most: items %u %%, records %u %%, tiles %u %%, tables %u %%\n",
        (unsigned)most.items, (unsigned)most.record_words, (unsigned)most.tiles,
        (unsigned)most.table_words);
    /* The bounds are not idle. */
    assert_true(most.items > 25 && most.record_words > 50 && most.tiles > 50 &&
                most.table_words > 50);
}

/* The same with shapes that a caller may tell. */
static void test_lists_hold_with_any_shape(void **state) {
    (void)state;
    static const struct {
        const char *tuning;
        uint64_t counts[2];
    } rows[] = {
        /* Large sorts, of large items, … */
        {"msd_small_count=0 msd_medium_count=0", {300017, 1000003}},
        {"msd_small_count=0 msd_large_group=1024", {16385, 1000003}},
        /* … on several levels. */
        {"msd_digit_bits=5 msd_small_count=0 msd_medium_count=0", {16385, 3000017}},
        {"msd_data_count=0", {16385, 400000}}, /* sampled small sorts */
        {"msd_data_count=0 msd_small_count=0 msd_medium_count=0", {16385, 400000}},
        {"msd_digit_bits=6 msd_local_group=128 msd_small_count=10000 msd_medium_items=4 "
         "msd_medium_count=20000 msd_items=16 msd_rounds=2",
         {16385, 1000003}},
        {"msd_digit_bits=7 msd_stable_items=4 msd_small_count=0 msd_late_groups=1", {8193, 100000}},
        {"msd_digit_bits=5 msd_data_count=0 msd_small_count=16777216", {100000, 3000017}},
        {"msd_small_items=4 msd_stable_items=4 msd_medium_items=8 msd_small_count=20000",
         {16385, 1000003}},
        {"msd_local_group=480 msd_small_count=0 msd_medium_count=0 msd_group=512 "
         "msd_stable_group=512 msd_items=24 msd_rounds=3",
         {16385, 1000003}},
        {"msd_local_group=1024 msd_digit_bits=5 msd_small_count=0 msd_medium_count=0 msd_items=64 "
         "msd_rounds=16",
         {16385, 1000003}},
        {"msd_local_group=128 msd_group=1024 msd_stable_group=1024 msd_stable_items=8 "
         "msd_medium_items=16 msd_items=16 msd_rounds=4 msd_small_items=4 msd_small_count=20000",
         {16385, 100000}},
    };
    use most = {0};
    uint64_t random = 9;
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        ordo_caps caps = h200;
        caps.tuning = rows[i / 2].tuning;
        caps.max_workgroup_bytes = 65536;
        check_forms(&caps, rows[i / 2].counts[i % 2], &random, &most);
    }
}

/* A root of fixed-point digits has children that may have all bits left: few keys in these, of
   which each takes a record and a table of the widest digit. */
static void test_lists_hold_wide_children(void **state) {
    (void)state;
    static const uint64_t counts[] = {1281, 2563, 5125, 6145, 20000};
    use most = {0};
    uint64_t random = 7;
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        ordo_caps caps = roomy;
        caps.tuning = "msd_data_count=0 msd_small_count=0";
        check_forms(&caps, counts[i], &random, &most);
    }
    assert_true(most.record_words > 70 && most.table_words > 50);
}

/* Nor do workgroups look beyond their lists on grids whose last rows have more of them than there
   are tiles. */
static void test_lists_hold_on_small_grids(void **state) {
    (void)state;
    static const uint32_t groups[] = {1, 2, 5, 16, 17, 33};
    use most = {0};
    uint64_t random = 3;
    for (size_t i = 0; i < COUNT_OF(groups); i++) {
        ordo_caps caps = roomy;
        caps.max_groups = groups[i];
        check_forms(&caps, 1281, &random, &most);
        check_forms(&caps, 40000, &random, &most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scratch_of_large_sorts),
        cmocka_unit_test(test_scratch_is_monotone),
        cmocka_unit_test(test_lists_hold_whatever_the_keys_are),
        cmocka_unit_test(test_lists_hold_with_any_shape),
        cmocka_unit_test(test_lists_hold_wide_children),
        cmocka_unit_test(test_lists_hold_on_small_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
