/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_network_sort.c: sorts by networks on every setting that they have: a table in which
 * every two settings meet, in blocks of 64 so that few keys are many blocks; then default blocks,
 * rows, grids of two dimensions, the automatic choice, and host arrays.
 */
#include "gpu_case.h"
#include "pairwise.h"
#include "plan.h"

#include <stdlib.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static const ordo_method networks[] = {ORDO_METHOD_BITONIC, ORDO_METHOD_ODDEVEN,
                                       ORDO_METHOD_BITONIC_DIRECT};

enum { BLOCK = 64, ARGSORT = 1000, KEY_KINDS = 9 };
static const uint32_t value_forms[] = {0, 4, 8, 12, 16, 64, ARGSORT};
static const uint32_t row_lengths[] = {0, 1, 2, 3, 5, 16, BLOCK, BLOCK + 1, 100, 1000};
static const uint64_t capacities[] = {0,
                                      1,
                                      2,
                                      33,
                                      BLOCK - 1,
                                      BLOCK,
                                      BLOCK + 1,
                                      2 * BLOCK - 1,
                                      2 * BLOCK,
                                      2 * BLOCK + 1,
                                      3 * BLOCK + 1,
                                      4 * BLOCK,
                                      7 * BLOCK - 5,
                                      777,
                                      1500};

/* Key kinds past the types are composite: 2 to 4 words, of types and orders that `number` mixes. */
static void set_key(ordo_sort_desc *desc, uint32_t kind, uint32_t order, uint32_t number) {
    if (kind < 6) {
        desc->key = (ordo_type)kind;
        desc->order = (ordo_order)order;
        return;
    }
    desc->part_count = kind - 4;
    for (uint32_t w = 0; w < desc->part_count; w++) {
        desc->parts[w].type = (ordo_type)((number >> w) % 3);
        desc->parts[w].order = (ordo_order)((order + number / 3 + w) % 2);
    }
}

static void set_values(ordo_sort_desc *desc, uint32_t form) {
    desc->argsort = value_forms[form] == ARGSORT;
    desc->value_bytes = desc->argsort ? 0 : value_forms[form];
}

/* Windows in 32nds of the width; then those that just fit into a word with their index, and those
   of one bit more. */
static const struct window {
    uint32_t low, high;
} windows[] = {
    {0, 0}, {0, 16}, {16, 0}, {7, 3}, {31, 0}, {12, 12}, {20, 2}, {2, 20}, {32, 0},
};
enum { FITS = COUNT_OF(windows), TOO_WIDE, WINDOW_KINDS };

static void set_window(ordo_sort_desc *desc, uint32_t kind, uint32_t number) {
    uint32_t width = model_bits(desc->key);
    if (kind < FITS) {
        desc->skip_low_bits = windows[kind].low * (width / 32);
        desc->skip_high_bits = windows[kind].high * (width / 32);
        return;
    }
    bool rows = desc->row_length && desc->row_length < desc->max_count;
    uint32_t bits = 32 - ordo_index_bits(rows ? desc->row_length : desc->max_count);
    bits += kind == TOO_WIDE && bits < 32;
    desc->skip_low_bits = number % (width - bits + 1);
    desc->skip_high_bits = width - bits - desc->skip_low_bits;
}

/* ---- Every pair of settings ------------------------------------------------------------------ */

enum {
    METHOD,
    KEY,
    ORDER,
    VALUES,
    IN_PLACE,
    UNSTABLE,
    WINDOW,
    ROW,
    COUNT_USE,
    CAPACITY,
    SHAPE,
    FUSED,
    ONE_BUFFER,
    SCRATCH,
    FACTOR_COUNT
};
enum { COUNT_USE_COUNT = 8 };

/*
 * An argsort is never in place, a composite key has no window, only a bitonic network fuses. The
 * levels of a step follow from type and values, and the direct form, whose blocks are large, meets
 * a third of these, so that there are fewer pipelines to compile.
 */
static bool allowed(const uint32_t *row) {
    bool argsort = value_forms[row[VALUES]] == ARGSORT;
    bool direct = networks[row[METHOD]] == ORDO_METHOD_BITONIC_DIRECT;
    if (direct && (row[KEY] + row[VALUES]) % 3)
        return false;
    return !(argsort && row[IN_PLACE]) && !(row[KEY] >= 6 && row[WINDOW]) &&
           row[FUSED] ==
               (networks[row[METHOD]] == ORDO_METHOD_BITONIC ? (row[KEY] + row[VALUES]) % 5 : 0);
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

static sort_case case_of(const uint32_t *row, uint32_t number, uint64_t *seed) {
    sort_case c = {.desc = {.max_count = capacities[row[CAPACITY]],
                            .in_place = row[IN_PLACE],
                            .allow_unstable = row[UNSTABLE],
                            .row_length = row_lengths[row[ROW]],
                            .method = networks[row[METHOD]],
                            .fused_levels = row[FUSED]},
                   .shape = (distribution)row[SHAPE],
                   .seed = number,
                   .one_buffer = row[ONE_BUFFER],
                   .scratch = (scratch_use)row[SCRATCH]};
    c.desc.block_length = c.desc.method == ORDO_METHOD_BITONIC_DIRECT ? 0 : BLOCK;
    set_key(&c.desc, row[KEY], row[ORDER], number);
    set_values(&c.desc, row[VALUES]);
    if (c.desc.part_count == 0)
        set_window(&c.desc, row[WINDOW], number);
    set_count(&c, row[COUNT_USE], model_random(seed));
    return c;
}

/* Every byte of every buffer, in some 300 sorts. */
static void test_every_pair_of_settings(void **state) {
    rig *r = *state;
    static pairwise table;
    uint64_t seed = 1;
    uint32_t row[PAIRWISE_FACTORS], row_count = 0, packed = 0, zero_scratch = 0;
    table = (pairwise){.factor_count = FACTOR_COUNT,
                       .level_count = {COUNT_OF(networks), KEY_KINDS, 2, COUNT_OF(value_forms), 2,
                                       2, WINDOW_KINDS, COUNT_OF(row_lengths), COUNT_USE_COUNT,
                                       COUNT_OF(capacities), DISTRIBUTION_COUNT, 5, 2, 4},
                       .allowed = allowed,
                       .random = 7};
    for (; pairwise_next(&table, row); row_count++) {
        sort_case c = case_of(row, row_count, &seed);
        sort_begin(r, &c);
        packed += ordo_plan_info(c.plan)->index_bits > 0;
        zero_scratch += ordo_plan_info(c.plan)->scratch_bytes == 0;
        WGPUCommandEncoder encoder = rig_encoder(r);
        sort_encode(&c, encoder);
        gpu_submit(&r->device, encoder);
        sort_end(r, &c);
    }
    printf("%u sorts, %u packed, %u without scratch\n", row_count, packed, zero_scratch);
    assert_true(row_count > 150 && row_count < 600);
    assert_true(packed > 10 && zero_scratch > 10);
}

/* ---- Default blocks -------------------------------------------------------------------------- */

/* What elements are made of: one word; a word and its index; two words and an index; two words and
   two of a value; a word and an index by which values move in place; five words. */
static const ordo_sort_desc element_forms[] = {
    {.key = ORDO_F32},
    {.key = ORDO_I32, .argsort = true, .order = ORDO_DESCENDING},
    {.key = ORDO_F64, .value_bytes = 12},
    {.key = ORDO_I64, .value_bytes = 8, .in_place = true, .allow_unstable = true},
    {.key = ORDO_U32, .value_bytes = 16, .in_place = true},
    {.part_count = 4,
     .parts = {{ORDO_F32, ORDO_DESCENDING}, {ORDO_U32}, {ORDO_I32, ORDO_DESCENDING}, {ORDO_F32}},
     .argsort = true},
};

enum { COMPOSITE = COUNT_OF(element_forms) - 1 };

/* Counts beside the edges of blocks as large as the device has them. */
static void test_counts_beside_default_blocks(void **state) {
    rig *r = *state;
    for (uint32_t form = 0; form < COUNT_OF(element_forms); form++) {
        for (uint32_t i = 0; i < 2; i++) {
            sort_case c = {.desc = element_forms[form]};
            ordo_summary summary;
            c.desc.method = networks[(form + i) % 3];
            c.desc.max_count = 1;
            assert_int_equal(
                ordo_sort_steps(ordo_context_caps(r->context), &c.desc, NULL, 0, &summary),
                ORDO_OK);
            bool direct = c.desc.method == ORDO_METHOD_BITONIC_DIRECT;
            uint64_t block = direct ? 256 : summary.block_length;
            const uint64_t counts[] = {block - 1,     block,         block + 1,    2 * block - 1,
                                       2 * block + 1, 3 * block + 1, 4 * block + 3};
            for (size_t j = 0; j < COUNT_OF(counts); j++) {
                c.desc.max_count = counts[j];
                c.seed = counts[j];
                c.shape = j % 2 ? KEYS_SPECIAL : KEYS_RANDOM;
                sort_check(r, c);
            }
        }
    }
}

/* Many stages above the block, fused as ordo likes it; packed, and one bit too wide for it. */
static void test_a_hundred_thousand(void **state) {
    rig *r = *state;
    sort_case c = {.desc = {.max_count = 100003, .method = ORDO_METHOD_BITONIC}};
    sort_check(r, c);
    c.desc.argsort = true;
    c.desc.skip_low_bits = 9;
    c.desc.skip_high_bits = 8;
    sort_check(r, c);
    c.desc.skip_high_bits = 7;
    sort_check(r, c);
    c.desc = (ordo_sort_desc){.max_count = 65536, .value_bytes = 4, .method = ORDO_METHOD_ODDEVEN};
    c.desc.skip_high_bits = 16;
    c.shape = KEYS_FEW;
    sort_check(r, c);
    sort_check(r, (sort_case){.desc = {.max_count = 20001, .method = ORDO_METHOD_BITONIC_DIRECT}});
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Rows of every kind of length in default blocks: the last one is short, and a count on the GPU
   cuts one anywhere. */
static void test_rows(void **state) {
    rig *r = *state;
    static const uint32_t lengths[] = {1, 2, 3, 5, 16, 100, 1000, 4096, 5000};
    for (uint32_t i = 0; i < COUNT_OF(lengths); i++) {
        for (uint32_t way = 0; way < 6; way++) {
            static const uint32_t forms[] = {0, 2, 4, COMPOSITE};
            sort_case c = {.desc = element_forms[way % 2 ? 1 : forms[i % 4]],
                           .shape = way % 2 ? KEYS_FEW : KEYS_RANDOM,
                           .seed = i * 6 + way};
            c.desc.method = way % 3 ? ORDO_METHOD_BITONIC : ORDO_METHOD_ODDEVEN;
            c.desc.row_length = lengths[i];
            c.desc.max_count = 3ull * lengths[i] + lengths[i] / 3 + way * 7;
            c.count_use = way >= 3 ? COUNT_GIVEN : COUNT_HOST;
            c.gpu_count = lengths[i] + (lengths[i] / 2) * (way - 2);
            sort_check(r, c);
        }
    }
}

/* Equal rows stay equal, and what is in one never comes to another. */
static void test_rows_of_padding_like_keys(void **state) {
    rig *r = *state;
    static uint32_t keys[7 * 333];
    for (uint32_t i = 0; i < COUNT_OF(keys); i++)
        keys[i] = i / 7 % 2 ? 0xffffffff : i % 3;
    for (uint32_t i = 0; i < COUNT_OF(networks); i++) {
        for (uint32_t order = 0; order < 2; order++) {
            sort_case c = {.desc = {.max_count = COUNT_OF(keys) - 2,
                                    .order = (ordo_order)order,
                                    .value_bytes = 4,
                                    .row_length = 7,
                                    .method = networks[i]},
                           .given_keys = keys};
            sort_check(r, c);
            c.desc.in_place = c.desc.allow_unstable = true;
            sort_check(r, c);
        }
    }
}

/* ---- Grids, choice, arrays ------------------------------------------------------------------- */

/* With two or three workgroups a dimension, steps, seams and blocks all need a second one. */
static void test_narrow_grids(void **state) {
    rig *r = *state;
    for (uint32_t groups = 2; groups <= 3; groups++) {
        ordo_context *narrow = rig_narrow_context(r, groups);
        for (uint32_t less = 0; less < 2; less++) {
            uint64_t all = groups * groups - less;
            sort_case c = {.desc = {.max_count = all * 2048 - less,
                                    .method = ORDO_METHOD_BITONIC,
                                    .block_length = 2048,
                                    .fused_levels = 4},
                           .context = narrow};
            sort_check(r, c);
            c.desc.row_length = 2048;
            sort_check(r, c);
            c.desc = (ordo_sort_desc){.max_count = all * 512 - less,
                                      .method = ORDO_METHOD_ODDEVEN,
                                      .block_length = 512,
                                      .argsort = true};
            sort_check(r, c);
            c.count_use = COUNT_GIVEN;
            c.gpu_count = 700;
            sort_check(r, c);
        }
        ordo_context_release(narrow);
    }
}

/* The choice left to ordo, on both sides of the count at which it changes. */
/* The greatest power of two up to which AUTO's method is another than one element beyond it. */
static uint64_t border_of(rig *r, ordo_sort_desc desc) {
    for (uint64_t count = 1 << 21; count > 1 << 10; count /= 2) {
        ordo_summary at, beyond;
        desc.max_count = count;
        assert_int_equal(ordo_sort_steps(ordo_context_caps(r->context), &desc, NULL, 0, &at), 0);
        desc.max_count = count + 1;
        assert_int_equal(ordo_sort_steps(ordo_context_caps(r->context), &desc, NULL, 0, &beyond),
                         0);
        if (at.method != beyond.method)
            return count;
    }
    return 1 << 12; /* of devices for which it lies beyond what is tested here */
}

/* Right on both sides of a border. */
static void test_the_automatic_choice(void **state) {
    rig *r = *state;
    static const ordo_sort_desc descs[] = {
        {.key = ORDO_F32},
        {.key = ORDO_I32, .value_bytes = 4},
    };
    for (uint32_t i = 0; i < 2 * COUNT_OF(descs); i++) {
        sort_case c = {.desc = descs[i / 2], .seed = i};
        c.desc.max_count = border_of(r, descs[i / 2]) + i % 2;
        sort_begin(r, &c);
        WGPUCommandEncoder encoder = rig_encoder(r);
        sort_encode(&c, encoder);
        gpu_submit(&r->device, encoder);
        sort_end(r, &c);
    }
}

static void test_host_arrays(void **state) {
    rig *r = *state;
    enum { COUNT = 2000 };
    static uint32_t keys[COUNT * 4], before[COUNT * 4], order[COUNT], values[COUNT],
        sorted[COUNT * 4];
    uint64_t random = 9;
    for (uint32_t i = 0; i < COUNT * 4; i++)
        before[i] = (uint32_t)model_random_below(&random, 3) * 0x7fc00001u;
    for (uint32_t way = 0; way < 12; way++) {
        ordo_sort_desc desc = element_forms[way % 4 == 3 ? 0 : COMPOSITE];
        desc.max_count = COUNT;
        desc.argsort = way % 2;
        desc.value_bytes = way % 4 == 2 ? 4 : 0;
        desc.row_length = way % 3 ? 150 : 0;
        desc.method = way % 5 ? ORDO_METHOD_AUTO : ORDO_METHOD_ODDEVEN;
        memcpy(keys, before, sizeof keys);
        for (uint32_t i = 0; i < COUNT; i++)
            values[i] = i;
        bool has_values = desc.argsort || desc.value_bytes;
        if (ordo_sort_array(r->context, &desc, keys, has_values ? values : NULL) != ORDO_OK)
            fail_msg("way %u: %s", way, ordo_message(r->context));
        model_argsort(&desc, before, COUNT, order);
        uint32_t bytes = model_key_bytes(&desc);
        model_gather(order, before, COUNT, bytes, sorted);
        assert_memory_equal(keys, desc.argsort ? before : sorted, COUNT * bytes);
        for (uint32_t i = 0; desc.argsort && i < COUNT; i++)
            order[i] -= (uint32_t)model_row_begin(&desc, i);
        if (has_values)
            assert_memory_equal(values, order, sizeof values);
    }
}

/* ---- Packing in a shader of one's own -------------------------------------------------------- */

static const char packing_shader[] =
    "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n"
    "@compute @workgroup_size(1) fn run(@builtin(workgroup_id) id: vec3<u32>) {\n"
    "    let at = id.x * 6u;\n"
    "    words[at + 3u] = ordo_pack(words[at], words[at + 1u], words[at + 2u]);\n"
    "    let parts = ordo_unpack(words[at + 3u], words[at + 2u]);\n"
    "    words[at + 4u] = parts.x;\n"
    "    words[at + 5u] = parts.y;\n"
    "}\n";

/* The WGSL that is handed out does what the functions in C do. */
static void test_packing_in_wgsl(void **state) {
    rig *r = *state;
    uint32_t words[32][6] = {{0}};
    uint64_t random = 4;
    for (uint32_t bits = 0; bits < 32; bits++) {
        words[bits][0] = (uint32_t)(model_random(&random) & model_mask(32 - bits));
        words[bits][1] = (uint32_t)model_random(&random);
        words[bits][2] = bits;
    }
    size_t length = ordo_pack_wgsl(NULL, 0);
    char *text = malloc(length + sizeof packing_shader);
    assert_non_null(text);
    assert_int_equal(ordo_pack_wgsl(text, length + 1), length);
    memcpy(text + length, packing_shader, sizeof packing_shader);
    rig_run_shader(r, text, words[0], sizeof words, 32);
    free(text);
    for (uint32_t bits = 0; bits < 32; bits++) {
        assert_int_equal(words[bits][3], ordo_pack(words[bits][0], words[bits][1], bits));
        assert_int_equal(words[bits][4], words[bits][0]);
        assert_int_equal(words[bits][5], words[bits][1] & (uint32_t)model_mask(bits));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_every_pair_of_settings),    rig_test(test_counts_beside_default_blocks),
        rig_test(test_a_hundred_thousand),        rig_test(test_rows),
        rig_test(test_rows_of_padding_like_keys), rig_test(test_narrow_grids),
        rig_test(test_the_automatic_choice),      rig_test(test_host_arrays),
        rig_test(test_packing_in_wgsl),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
