/* SPDX-License-Identifier: MIT */
/*
 * test_plan_msd.c: plans of sorts from the most significant digit down, without a GPU: which steps
 * they have, what is refused, and that the lists in scratch hold whatever the keys make of them.
 */
#include "model.h"
#include "model_msd.h"
#include "plan.h"
#include "plan_expect.h"

#include <inttypes.h>

#define GIB (1ull << 30)
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { MAX_STEPS = 40 };

/* Whatever the device allows. */
static const ordo_caps roomy = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB};

/* Plans a sort into steps, and checks all promises. */
static ordo_summary plan_of(const ordo_caps *caps, ordo_sort_desc desc, ordo_step *steps) {
    plan_problem problem = {.no_caps = !caps, .caps = caps ? *caps : (ordo_caps){0}, .sort = desc};
    ordo_summary summary;
    problem.sort.method = ORDO_METHOD_MSD;
    expect_plan(&problem);
    assert_int_equal(plan_steps(&problem, steps, MAX_STEPS, &summary), ORDO_OK);
    return summary;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* How many dispatches: a beginning, two or three a level, the items; and what gathers values. Up to
   2^20 elements there is a level less. */
static void test_dispatches(void **state) {
    (void)state;
    static const struct {
        ordo_sort_desc desc;
        uint32_t levels, a_level, others;
    } rows[] = {
        {{.key = ORDO_U32}, 5, 2, 2},
        {{.key = ORDO_F32, .in_place = true}, 5, 2, 2},
        {{.key = ORDO_I32, .argsort = true}, 5, 3, 2},
        {{.key = ORDO_U32, .value_bytes = 4}, 5, 3, 2},
        {{.key = ORDO_U32, .value_bytes = 8, .in_place = true}, 5, 3, 2},
        {{.key = ORDO_U32, .value_bytes = 16}, 5, 3, 3},
        {{.key = ORDO_U32, .value_bytes = 64, .in_place = true}, 5, 3, 4},
        {{.key = ORDO_U64}, 9, 2, 2},
        {{.key = ORDO_I64, .argsort = true}, 9, 3, 2},
        {{.key = ORDO_F64, .value_bytes = 12, .in_place = true}, 9, 3, 4},
    };
    static const uint64_t counts[] = {1281, 5000, 1 << 20, (1 << 20) + 1, 1 << 24};
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t j = 0; j < COUNT_OF(counts); j++) {
            ordo_sort_desc desc = rows[i].desc;
            desc.max_count = counts[j];
            ordo_summary summary = plan_of(&roomy, desc, steps);
            uint32_t levels = rows[i].levels + (counts[j] > 1 << 20);
            assert_int_equal(summary.step_count, levels * rows[i].a_level + rows[i].others);
            assert_int_equal(summary.pass_count, levels);
            assert_int_equal(summary.digit_bits, 8);
        }
    }
}

/* What one workgroup sorts is one dispatch, without scratch, but for values that are gathered. */
static void test_one_item(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {{.key = ORDO_F32},
                                           {.key = ORDO_U64, .in_place = true},
                                           {.argsort = true},
                                           {.value_bytes = 8},
                                           {.key = ORDO_I64, .value_bytes = 4, .in_place = true},
                                           {.value_bytes = 12}};
    const ordo_tuning *tuning =
        ordo_tune(&(ordo_caps){.max_invocations = 256, .max_workgroup_bytes = 16384});
    uint64_t item = (uint64_t)tuning->msd_local_group * tuning->msd_local_items;
    ordo_step steps[MAX_STEPS];
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        bool carried = descs[i].value_bytes <= tuning->carried_value_bytes;
        for (uint64_t count = 1; count <= item + 1; count += item / 2) {
            for (uint64_t at = count; at < count + 2; at++) {
                ordo_sort_desc desc = descs[i];
                desc.max_count = at;
                ordo_summary summary = plan_of(NULL, desc, steps);
                bool small = carried && at <= item;
                assert_int_equal(summary.step_count == 1, small);
                assert_int_equal(strcmp(steps[0].kernel, "msd_small") == 0, small);
            }
        }
    }
}

/* Tiles of even data have a workgroup each; levels that mostly find nothing have fewer. */
static void test_workgroups_of_levels(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    uint64_t count = 1 << 24;
    ordo_summary summary = plan_of(NULL, (ordo_sort_desc){.max_count = count}, steps);
    const ordo_tuning *tuning =
        ordo_tune(&(ordo_caps){.max_invocations = 256, .max_workgroup_bytes = 16384});
    uint64_t tiles = ordo_div_ceil(count, (uint64_t)tuning->msd_group * tuning->msd_items);
    assert_int_equal(steps[1].group_count_x, tuning->histogram_groups);
    assert_int_equal(steps[2].group_count_x, tiles);
    assert_true(steps[4].group_count_x >= tiles);
    for (uint32_t i = 5; i + 1 < summary.step_count; i++)
        assert_int_equal(steps[i].group_count_x, tuning->msd_late_groups);
}

/* B086: any grid will do, even a single workgroup; only what gathers wide values needs more. */
static void test_the_smallest_grids(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {{.key = ORDO_F32},
                                           {.key = ORDO_U64, .in_place = true},
                                           {.argsort = true},
                                           {.value_bytes = 8},
                                           {.key = ORDO_I64, .value_bytes = 4, .in_place = true}};
    ordo_step steps[MAX_STEPS];
    for (uint32_t groups = 1; groups <= 2; groups++) {
        ordo_caps caps = {.max_groups = groups};
        for (size_t i = 0; i < COUNT_OF(descs); i++) {
            for (uint64_t count = 1; count < 1 << 24; count = count * 3 + 1) {
                ordo_sort_desc desc = descs[i];
                desc.max_count = count;
                ordo_summary summary = plan_of(&caps, desc, steps);
                for (uint32_t s = 0; s < summary.step_count; s++) {
                    assert_in_range(steps[s].group_count_x, 1, groups);
                    assert_in_range(steps[s].group_count_y, 1, groups);
                }
            }
        }
        plan_problem wide = {
            .caps = caps,
            .sort = {.max_count = 100000, .value_bytes = 16, .method = ORDO_METHOD_MSD}};
        expect_refusal(&wide, ORDO_MESSAGE_GROUPS,
                       (ordo_report){.a = 100000, .b = 98, .c = groups});
        wide.sort.max_count = 1024;
        expect_plan(&wide);
    }
}

/* Whatever can be planned can be with fewer elements, on a grid of any size. */
static void test_fewer_elements_are_planned_too(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {{.value_bytes = 16},
                                           {.key = ORDO_F64, .value_bytes = 64, .in_place = true},
                                           {.argsort = true}};
    uint32_t refused = 0;
    for (uint32_t groups = 1; groups <= 9; groups++) {
        for (size_t i = 0; i < COUNT_OF(descs); i++) {
            plan_problem problem = {.caps = {.max_groups = groups}, .sort = descs[i]};
            bool fits = true;
            problem.sort.method = ORDO_METHOD_MSD;
            for (uint64_t power = 256; power <= 1 << 21; power += power / 16) {
                for (uint64_t count = power - 1; count <= power + 1; count++) {
                    ordo_summary summary;
                    problem.sort.max_count = count;
                    bool planned = plan_steps(&problem, NULL, 0, &summary) == ORDO_OK;
                    if (planned && !fits)
                        fail_msg("%s: planned, but not fewer", plan_describe(&problem));
                    fits = planned;
                }
            }
            refused += !fits;
        }
    }
    assert_int_equal(refused, 18);
}

/* B011, B028, B089, B094: every type, order and size of values, up to the most elements. */
static void test_every_form_at_every_size(void **state) {
    (void)state;
    static const uint64_t counts[] = {1,       2,       1279,     1280,      1281,   6143,
                                      6145,    16383,   16384,    262144,    262145, 1 << 20,
                                      1 << 27, 1 << 30, 1u << 31, UINT32_MAX};
    uint32_t planned = 0;
    for (uint32_t form = 0; form < 6 * 2 * 18; form++) {
        uint32_t values = form / 12;
        plan_problem problem = {.caps = roomy,
                                .sort = {.key = (ordo_type)(form % 6),
                                         .order = (ordo_order)(form / 6 % 2),
                                         .value_bytes = values < 17 ? 4 * values : 0,
                                         .argsort = values == 17,
                                         .method = ORDO_METHOD_MSD}};
        problem.caps.subgroups = form % 5 == 0;
        problem.caps.subgroup_size = form % 3 ? 32 : form % 2 ? 128 : 8;
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            problem.sort.max_count = counts[i];
            problem.sort.in_place = (i + form) % 2 && values < 17;
            ordo_status status;
            const char *wrong = plan_check(&problem, &status);
            if (wrong)
                fail_msg("%s: %s", plan_describe(&problem), wrong);
            planned += status == ORDO_OK;
        }
    }
    assert_true(planned > 6 * 2 * 18 * COUNT_OF(counts) * 3 / 4);
}

/* Ballots rank keys in their order where subgroups are all of one fitting size. */
static void test_ballots(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    for (uint32_t size = 0; size <= 256; size += 4) {
        for (uint32_t values = 0; values <= 4; values += 4) {
            ordo_caps caps = {.subgroups = true, .subgroup_size = size};
            plan_of(&caps, (ordo_sort_desc){.max_count = 100000, .value_bytes = values}, steps);
            bool fits = size == 16 || size == 32 || size == 64;
            assert_int_equal(steps[values ? 3 : 2].subgroups, values && fits);
        }
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void test_what_is_refused(void **state) {
    (void)state;
    static const char whole[] = "msd compares whole keys";
    const struct {
        ordo_sort_desc desc;
        ordo_report report;
    } rows[] = {
        {{.skip_low_bits = 1}, {.s = "skip_low_bits", .t = whole, .a = 1}},
        {{.skip_high_bits = 31}, {.s = "skip_high_bits", .t = whole, .a = 31}},
        {{.key = ORDO_F64, .skip_low_bits = 64}, {.s = "skip_low_bits", .t = whole, .a = 64}},
        {{.digit_bits = 8}, {.s = "digit_bits", .t = "only a radix sort has digits", .a = 8}},
        {{.part_count = 2}, {.s = "part_count", .t = "only networks take composite keys", .a = 2}},
        {{.row_length = 100}, {.s = "row_length", .t = "only networks sort rows", .a = 100}},
        {{.block_length = 512},
         {.s = "block_length", .t = "only the methods bitonic and oddeven have blocks", .a = 512}},
        {{.fused_levels = 1}, {.s = "fused_levels", .t = "only networks have levels", .a = 1}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        plan_problem problem = {.sort = rows[i].desc};
        problem.sort.method = ORDO_METHOD_MSD;
        for (uint64_t count = 0; count < 2; count++) {
            problem.sort.max_count = 1000 * count;
            expect_refusal(&problem, ORDO_MESSAGE_METHOD_FIELD, rows[i].report);
        }
    }
}

/* B049. */
static void test_no_elements(void **state) {
    (void)state;
    ordo_step steps[MAX_STEPS];
    for (int key = ORDO_U32; key <= ORDO_F64; key++) {
        ordo_summary summary = plan_of(NULL, (ordo_sort_desc){.key = (ordo_type)key}, steps);
        assert_int_equal(summary.method, ORDO_METHOD_MSD);
        assert_int_equal(summary.step_count, 0);
    }
}

/* P5; B032: the promises hold for whatever is asked of this method. */
static void test_random_problems(void **state) {
    (void)state;
    uint64_t random = 77;
    uint32_t accepted = 0, refused = 0;
    for (int i = 0; i < 40000; i++) {
        uint8_t bytes[96];
        ordo_status status;
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (uint8_t)(model_random(&random) >> 32);
        bytes[0] = 0; /* a sort */
        plan_problem problem = plan_problem_read(bytes, sizeof bytes);
        problem.sort.method = ORDO_METHOD_MSD;
        if (i % 4) {
            problem.sort.skip_low_bits = problem.sort.skip_high_bits = 0;
            problem.sort.digit_bits = problem.sort.part_count = problem.sort.row_length = 0;
            problem.sort.block_length = problem.sort.fused_levels = 0;
        }
        const char *wrong = plan_check(&problem, &status);
        if (wrong)
            fail_msg("%s: %s", plan_describe(&problem), wrong);
        accepted += status == ORDO_OK;
        refused += status != ORDO_OK;
    }
    assert_true(accepted > 10000 && refused > 10000);
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
        {{.key = ORDO_F32, .in_place = true}, 4, 27},
        {{.key = ORDO_U64}, 8, 50},
        {{.argsort = true}, 12, 41},
        {{.value_bytes = 4}, 8, 41},
        {{.key = ORDO_F64, .value_bytes = 8, .in_place = true}, 16, 77},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (uint32_t log2 = 22; log2 <= 28; log2++) {
            ordo_step steps[MAX_STEPS];
            ordo_sort_desc desc = rows[i].desc;
            desc.max_count = 1ull << log2;
            uint64_t bytes = plan_of(&roomy, desc, steps).scratch_bytes;
            uint64_t most =
                desc.max_count * rows[i].copy_bytes + desc.max_count / 25 * rows[i].percent;
            if (bytes > most)
                fail_msg("row %zu, 2^%u: %" PRIu64 " bytes of scratch, above %" PRIu64, i, log2,
                         bytes, most);
        }
    }
}

static void test_scratch_is_monotone(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {
        {.key = ORDO_U32},
        {.key = ORDO_I64, .in_place = true},
        {.argsort = true},
        {.value_bytes = 8},
        {.key = ORDO_F64, .value_bytes = 64, .in_place = true},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        plan_problem problem = {.caps = roomy, .sort = descs[i]};
        uint64_t before = 0;
        problem.sort.method = ORDO_METHOD_MSD;
        for (uint64_t count = 0; count < UINT32_MAX; count += 1 + (count > 20000) * (count >> 13)) {
            ordo_summary summary;
            problem.sort.max_count = count;
            if (plan_steps(&problem, NULL, 0, &summary) != ORDO_OK)
                break;
            if (summary.scratch_bytes < before)
                fail_msg("%s: less scratch than for fewer", plan_describe(&problem));
            before = summary.scratch_bytes;
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

static void spread_keys(void *from, uint32_t level, uint64_t start, uint64_t size, uint32_t shift,
                        uint32_t bits, uint64_t *children) {
    adversary *a = from;
    uint64_t item = a->shape->item_count, tile = a->shape->tile_items;
    uint32_t count = 1u << bits;
    spread kind = a->levels[level];
    (void)start, (void)shift;
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
        at[i] = plan_number(begin->params, begin->param_count, names[i]);
    return (room){.items = (at[1] - at[0]) / 2,
                  .record_words = at[2] - at[1],
                  .tiles = at[4] - at[3],
                  .table_words = begin->ranges[0].size_bytes / 4 - at[5]};
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

/* Publishes `count` keys, spread as the adversary wants, and compares with the room. */
static void check_lists(const ordo_step *begin, adversary *a, uint64_t count, bool stable,
                        use *most) {
    msd_shape shape = msd_shape_of(begin);
    room space = room_of(begin);
    msd_lists lists;
    char who[200];
    int used =
        snprintf(who, sizeof who, "%" PRIu64 " of %" PRIu64 " keys of %" PRIu64 " bits,", count,
                 plan_number(begin->params, begin->param_count, "max_count"), shape.key_bits);
    for (uint32_t i = 0; i <= shape.last_level; i++)
        used += snprintf(who + used, sizeof who - (size_t)used, " %d", (int)a->levels[i]);
    a->shape = &shape;
    msd_publish_all(&shape, spread_keys, a, count, &lists);
    note(&most->items, lists.items, space.items, "items", who);
    for (uint32_t i = 1; i <= shape.last_level; i++) {
        note(&most->record_words, lists.record_words[i], space.record_words, "words of records",
             who);
        note(&most->tiles, lists.tiles[i], space.tiles, "tiles", who);
        if (stable)
            note(&most->table_words, lists.table_words[i], space.table_words, "words of tables",
                 who);
    }
    if (lists.lost || lists.keys_in_items != count || lists.largest_item > shape.item_count)
        fail_msg("%s: %" PRIu64 " keys after the last level, an item of %" PRIu64, who, lists.lost,
                 lists.largest_item);
}

/* Every spread on the first level with every other on those after it, and by chance. */
static void check_spreads(const ordo_step *begin, uint64_t count, bool stable, uint64_t *random,
                          use *most) {
    uint64_t last = plan_number(begin->params, begin->param_count, "last_level");
    for (uint32_t first = 0; first <= SPREADS; first++) {
        for (uint32_t then = 0; then <= SPREADS; then++) {
            adversary a = {.random = model_random(random)};
            for (uint32_t i = 0; i < MSD_LEVELS; i++)
                a.levels[i] = (spread)(i == 0 ? first : then);
            check_lists(begin, &a, count, stable, most);
            a.levels[last] = (spread)((model_random(random) >> 32) % (SPREADS + 1));
            check_lists(begin, &a, count, stable, most);
            a.levels[1] = (spread)first;
            for (uint32_t i = 2; i < MSD_LEVELS; i++)
                a.levels[i] = (spread)((model_random(random) >> 32) % (SPREADS + 1));
            check_lists(begin, &a, count, stable, most);
        }
    }
}

static void test_lists_hold_whatever_the_keys_are(void **state) {
    (void)state;
    static const uint64_t counts[] = {1281,   2562,   6145,   10000,   16385,  65537,
                                      262144, 262145, 400000, 1 << 20, 3000017};
    use most = {0};
    uint64_t random = 5;
    for (uint32_t form = 0; form < 4; form++) {
        bool stable = form % 2;
        for (size_t i = 0; i < COUNT_OF(counts); i++) {
            ordo_step steps[MAX_STEPS];
            ordo_sort_desc desc = {
                .max_count = counts[i], .key = form / 2 ? ORDO_U64 : ORDO_U32, .argsort = stable};
            plan_of(NULL, desc, steps);
            check_spreads(&steps[0], counts[i], stable, &random, &most);
            check_spreads(&steps[0], counts[i] / 3 + 1, stable, &random, &most);
        }
    }
    print_message(
        "used of the room, at most: items %u %%, records %u %%, tiles %u %%, tables %u %%\n",
        (unsigned)most.items, (unsigned)most.record_words, (unsigned)most.tiles,
        (unsigned)most.table_words);
    /* The bounds are not idle. */
    assert_true(most.items > 25 && most.record_words > 50 && most.tiles > 50 &&
                most.table_words > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatches),
        cmocka_unit_test(test_one_item),
        cmocka_unit_test(test_workgroups_of_levels),
        cmocka_unit_test(test_the_smallest_grids),
        cmocka_unit_test(test_fewer_elements_are_planned_too),
        cmocka_unit_test(test_every_form_at_every_size),
        cmocka_unit_test(test_ballots),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_scratch_of_large_sorts),
        cmocka_unit_test(test_scratch_is_monotone),
        cmocka_unit_test(test_lists_hold_whatever_the_keys_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
