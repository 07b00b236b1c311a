/* SPDX-License-Identifier: MIT */
/*
 * test_plan_network.c: plans of sorting networks, without a GPU: how many dispatches, which blocks,
 * when keys and indices are packed, when a network is chosen, and what is refused.
 */
#include "kernels.h"
#include "model.h"
#include "plan.h"
#include "plan_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define GIB (1ull << 30)
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static const ordo_method networks[] = {ORDO_METHOD_BITONIC, ORDO_METHOD_BITONIC_DIRECT,
                                       ORDO_METHOD_ODDEVEN};

/* Plans a sort, checks all promises, and returns the summary; refused plans fail. */
static ordo_summary plan_of(const ordo_caps *caps, ordo_sort_desc desc) {
    plan_problem problem = {.no_caps = !caps, .sort = desc};
    ordo_summary summary;
    ordo_status status;
    if (caps)
        problem.caps = *caps;
    const char *wrong = plan_check(&problem, &status);
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary), status);
    if (wrong || status != ORDO_OK)
        fail_msg("%s: %s", plan_describe(&problem), wrong ? wrong : summary.message);
    return summary;
}

/* ---- Dispatches ------------------------------------------------------------------------------ */

/* 2^20 keys: 78 dispatches with blocks of 512 and a dispatch a step, 210 in the direct form. */
static void test_dispatches_of_the_literature(void **state) {
    (void)state;
    ordo_sort_desc desc = {.max_count = 1 << 20,
                           .method = ORDO_METHOD_BITONIC,
                           .block_length = 512,
                           .fused_levels = 1};
    assert_int_equal(plan_of(NULL, desc).step_count, 78);
    desc.fused_levels = 2; /* of the stages 10 … 20 each has half of 1 … 11 steps, and a merge */
    assert_int_equal(plan_of(NULL, desc).step_count, 1 + 36 + 11);
    desc.fused_levels = 3;
    assert_int_equal(plan_of(NULL, desc).step_count, 1 + 26 + 11);
    desc.fused_levels = 4;
    assert_int_equal(plan_of(NULL, desc).step_count, 1 + 21 + 11);
    desc.fused_levels = 0;
    desc.method = ORDO_METHOD_ODDEVEN;
    assert_int_equal(plan_of(NULL, desc).step_count, 1 + 66 + 2 * 11);
    desc.block_length = 0;
    desc.method = ORDO_METHOD_BITONIC_DIRECT;
    assert_int_equal(plan_of(NULL, desc).step_count, 210);
    for (uint64_t log2 = 1; log2 <= 24; log2++) {
        desc.max_count = 1ull << log2;
        assert_int_equal(plan_of(NULL, desc).step_count, log2 * (log2 + 1) / 2);
    }
}

/* Which steps they are, for four blocks: two stages above blocks. */
static void test_the_steps_of_four_blocks(void **state) {
    (void)state;
    static const char *const entries[2][8] = {
        {"bitonic_sort_keys", "bitonic_step_keys", "bitonic_merge_keys", "bitonic_step_keys",
         "bitonic_step_keys", "bitonic_merge_keys"},
        {"oddeven_sort_keys", "oddeven_step_keys", "oddeven_seam_keys", "oddeven_merge_keys",
         "oddeven_step_keys", "oddeven_step_keys", "oddeven_seam_keys", "oddeven_merge_keys"}};
    for (uint32_t oddeven = 0; oddeven < 2; oddeven++) {
        ordo_sort_desc desc = {.max_count = 4 * 64,
                               .method = oddeven ? ORDO_METHOD_ODDEVEN : ORDO_METHOD_BITONIC,
                               .block_length = 64,
                               .fused_levels = 1};
        ordo_step steps[8];
        ordo_summary summary = plan_of(NULL, desc);
        assert_int_equal(summary.step_count, oddeven ? 8 : 6);
        assert_int_equal(ordo_sort_steps(NULL, &desc, steps, 8, &summary), ORDO_OK);
        for (uint32_t i = 0; i < summary.step_count; i++)
            assert_string_equal(steps[i].entry, entries[oddeven][i]);
    }
}

/* The promises hold at every count up to many small blocks, for every network, fused or not, with
   rows and without, for keys, pairs and indices. */
static void test_every_count_in_small_blocks(void **state) {
    (void)state;
    static const uint32_t rows[] = {0, 1, 3, 16, 17, 100, 256};
    for (uint64_t count = 0; count < 1200; count++) {
        for (uint32_t form = 0; form < 6; form++) {
            ordo_sort_desc desc = {.max_count = count,
                                   .key = (ordo_type)(count % 6),
                                   .method = form < 4 ? ORDO_METHOD_BITONIC : networks[form - 3],
                                   .row_length = rows[(count + form) % COUNT_OF(rows)]};
            desc.block_length = desc.method == ORDO_METHOD_BITONIC_DIRECT ? 0 : 16;
            desc.fused_levels = form < 4 ? form + 1 : 0;
            desc.argsort = count % 5 == 0;
            desc.value_bytes = desc.argsort ? 0 : (uint32_t)(count % 4 * 4);
            desc.in_place = !desc.argsort && count % 3 == 0;
            desc.allow_unstable = count % 2;
            desc.skip_high_bits = count % 7 == 0 ? 20 : 0;
            plan_of(NULL, desc);
        }
    }
}

/* Whatever fits a workgroup is one dispatch without scratch, as are rows that do, however many. */
static void test_small_sorts_are_one_dispatch(void **state) {
    (void)state;
    static const ordo_method methods[] = {ORDO_METHOD_AUTO, ORDO_METHOD_BITONIC,
                                          ORDO_METHOD_ODDEVEN};
    for (size_t i = 0; i < COUNT_OF(methods); i++) {
        for (uint64_t count = 1; count <= 4096; count += 1 + count / 9) {
            for (uint32_t rows = 0; rows < 2; rows++) {
                ordo_sort_desc desc = {.max_count = rows ? 1000000 : count,
                                       .method = methods[i],
                                       .row_length = rows ? (uint32_t)count : 0};
                ordo_summary summary = plan_of(NULL, desc);
                assert_int_equal(summary.step_count, 1);
                assert_int_equal(summary.scratch_bytes, 0);
                if (summary.method == ORDO_METHOD_MSD || summary.method == ORDO_METHOD_SAMPLE)
                    assert_true(methods[i] == ORDO_METHOD_AUTO && !rows);
                else
                    assert_true(summary.block_length <= 4096 && summary.block_length >= count);
            }
        }
        ordo_sort_desc more = {.max_count = 1000000, .method = methods[i], .row_length = 4097};
        assert_true(plan_of(NULL, more).step_count > 1);
    }
    /* All 65,536 rows of 16 keys. */
    ordo_sort_desc zeros_and_ones = {.max_count = 16 << 16, .row_length = 16};
    assert_int_equal(plan_of(NULL, zeros_and_ones).step_count, 1);
}

/* In place, a network needs no memory but the caller's, for any number of keys. */
static void test_no_scratch_in_place(void **state) {
    (void)state;
    ordo_caps caps = {.max_binding_bytes = 64 * GIB, .max_buffer_bytes = 64 * GIB};
    for (size_t i = 0; i < COUNT_OF(networks); i++) {
        for (uint64_t count = 1; count <= UINT32_MAX / 4; count *= 3) {
            ordo_sort_desc desc = {.max_count = count, .in_place = true, .method = networks[i]};
            assert_int_equal(plan_of(&caps, desc).scratch_bytes, 0);
            desc.part_count = 4;
            assert_int_equal(plan_of(&caps, desc).scratch_bytes, 0);
            desc.part_count = 0;
            desc.key = ORDO_F64;
            desc.value_bytes = 8;
            desc.allow_unstable = true;
            assert_int_equal(plan_of(&caps, desc).scratch_bytes, 0);
            desc.allow_unstable = false;
            if (count > 4096)
                assert_true(plan_of(&caps, desc).scratch_bytes >= (8 + 4) * count);
        }
    }
}

/* The default block is the largest power of two whose words fit, and whose invocations hold 16 of
   them. */
static void test_blocks_are_as_large_as_the_device(void **state) {
    (void)state;
    static const struct {
        ordo_caps caps;
        uint32_t part_count;
        bool argsort;
        uint32_t block;
    } rows[] = {
        {{0}, 0, false, 4096},
        {{0}, 0, true, 2048},
        {{0}, 3, false, 1024}, /* three words: 12 KiB */
        {{0}, 3, true, 1024},
        {{0}, 4, true, 512}, /* five: 10 KiB */
        {{.max_workgroup_bytes = 49152}, 0, false, 4096},
        {{.max_workgroup_bytes = 49152, .max_invocations = 1024}, 0, false, 8192},
        {{.max_workgroup_bytes = 65536, .max_invocations = 1024}, 0, false, 16384},
        {{.max_workgroup_bytes = UINT32_MAX, .max_invocations = 1024}, 0, false, 16384},
        {{.max_workgroup_bytes = 49152, .max_invocations = 1024}, 3, false, 4096},
        {{.max_invocations = 1024}, 2, true, 1024},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (uint32_t oddeven = 0; oddeven < 2; oddeven++) {
            ordo_sort_desc desc = {.max_count = 100000,
                                   .part_count = rows[i].part_count,
                                   .argsort = rows[i].argsort,
                                   .method = oddeven ? ORDO_METHOD_ODDEVEN : ORDO_METHOD_BITONIC};
            assert_int_equal(plan_of(&rows[i].caps, desc).block_length, rows[i].block);
        }
    }
}

/* ---- Packing --------------------------------------------------------------------------------- */

/* 12 bits of key and 20 of index are a word; of either one more is too many. */
static void test_packing_only_if_it_fits(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(networks); i++) {
        ordo_sort_desc desc = {
            .max_count = 1 << 20, .argsort = true, .skip_high_bits = 20, .method = networks[i]};
        assert_int_equal(plan_of(NULL, desc).index_bits, 20);
        desc.max_count++;
        assert_int_equal(plan_of(NULL, desc).index_bits, 0);
        desc.max_count--;
        desc.skip_high_bits = 19;
        assert_int_equal(plan_of(NULL, desc).index_bits, 0);
        /* Rows have their own, smaller indices. */
        desc.row_length = 1 << 13;
        assert_int_equal(plan_of(NULL, desc).index_bits, 13);
        desc.skip_high_bits = 13;
        assert_int_equal(plan_of(NULL, desc).index_bits, 13);
        desc.skip_high_bits = 12;
        assert_int_equal(plan_of(NULL, desc).index_bits, 0);
        desc.row_length = 0;
        /* Twelve bits of a wide key, wherever they lie, and pairs. */
        desc.key = ORDO_F64;
        desc.skip_low_bits = 26;
        desc.skip_high_bits = 26;
        assert_int_equal(plan_of(NULL, desc).index_bits, 20);
        desc.argsort = false;
        desc.value_bytes = 64;
        assert_int_equal(plan_of(NULL, desc).index_bits, 20);
        /* In place there is nowhere to gather from; whole keys have no bits to spare. */
        desc.in_place = true;
        assert_int_equal(plan_of(NULL, desc).index_bits, 0);
        desc = (ordo_sort_desc){.max_count = 2, .argsort = true, .method = networks[i]};
        assert_int_equal(plan_of(NULL, desc).index_bits, 0);
    }
}

static void test_index_bits(void **state) {
    (void)state;
    assert_int_equal(ordo_index_bits(0), 0);
    assert_int_equal(ordo_index_bits(1), 0);
    assert_int_equal(ordo_index_bits(2), 1);
    for (uint32_t bits = 1; bits < 32; bits++) {
        assert_int_equal(ordo_index_bits(1ull << bits), bits);
        assert_int_equal(ordo_index_bits((1ull << bits) + 1), bits + 1);
    }
    assert_int_equal(ordo_index_bits(UINT32_MAX), 32);
    assert_int_equal(ordo_index_bits(UINT64_MAX), 32);
}

/* Words of every split compare by key and then by index, and come apart again. */
static void test_pack_and_unpack(void **state) {
    (void)state;
    uint64_t random = 3;
    assert_int_equal(ordo_pack(0xabc, 0x12345, 20), 0xabc12345u);
    for (uint32_t bits = 0; bits <= 31; bits++) {
        for (int i = 0; i < 100; i++) {
            uint32_t keys[2], indices[2], words[2], index = 77;
            for (int j = 0; j < 2; j++) {
                keys[j] = (uint32_t)(model_random(&random) & model_mask(i % 2 ? 2 : 32 - bits));
                keys[j] &= (uint32_t)model_mask(32 - bits);
                indices[j] = (uint32_t)(model_random(&random) & model_mask(bits));
                words[j] = ordo_pack(keys[j], indices[j], bits);
                assert_int_equal(ordo_unpack(words[j], bits, &index), keys[j]);
                assert_int_equal(index, indices[j]);
                assert_int_equal(ordo_unpack(words[j], bits, NULL), keys[j]);
            }
            bool less = keys[0] < keys[1] || (keys[0] == keys[1] && indices[0] < indices[1]);
            assert_int_equal(words[0] < words[1], less);
        }
    }
    /* Bits that do not fit are dropped. */
    assert_int_equal(ordo_pack(0xffffffff, 0, 20), 0xfff00000u);
    assert_int_equal(ordo_pack(1, 0xffffffff, 4), 0x1f);
    assert_int_equal(ordo_pack(6, 0xffffffff, 0), 6);
    assert_int_equal(ordo_pack(3, 0x80000005, 31), 0x80000005u);
}

static void test_pack_in_wgsl(void **state) {
    (void)state;
    const ordo_kernel *snippet = ordo_snippets;
    while (strcmp(snippet->name, "packed") != 0)
        snippet++;
    char whole[4096] = "", text[4096];
    for (const char *const *line = snippet->lines; *line; line++)
        strcat(whole, *line);
    size_t length = strlen(whole);
    assert_non_null(strstr(whole, "fn ordo_pack(key: u32, index: u32, index_bits: u32) -> u32 {"));
    assert_non_null(strstr(whole, "fn ordo_unpack(word: u32, index_bits: u32) -> vec2<u32> {"));
    assert_int_equal(ordo_pack_wgsl(NULL, 0), length);
    assert_int_equal(ordo_pack_wgsl(text, sizeof text), length);
    assert_string_equal(text, whole);
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        memset(text, '#', sizeof text);
        assert_int_equal(ordo_pack_wgsl(text, capacity), length);
        assert_int_equal(text[capacity], '#');
        if (capacity) {
            assert_int_equal(text[capacity - 1], 0);
            assert_memory_equal(text, whole, capacity - 1);
        }
    }
}

/* ---- The choice ------------------------------------------------------------------------------ */

/*
 * The largest max_count for which ordo chooses a method, and what it chooses beyond, as the model
 * of cost.c has it (test_cost.c): at powers of two, but for one item of msd.
 */
static void test_the_automatic_choice(void **state) {
    (void)state;
    const ordo_caps roomy = {.max_buffer_bytes = 64 * GIB, .max_binding_bytes = 64 * GIB};
    enum {
        RADIX = ORDO_METHOD_RADIX,
        NETWORK = ORDO_METHOD_BITONIC,
        SAMPLE = ORDO_METHOD_SAMPLE,
        MSD = ORDO_METHOD_MSD,
    };
    static const struct {
        ordo_sort_desc desc;
        int first;
        uint64_t most;
        int then;
    } rows[] = {
        {{.key = ORDO_U32}, MSD, 1 << 10, NETWORK},
        {{.key = ORDO_U32}, NETWORK, 1 << 11, SAMPLE},
        {{.key = ORDO_U32}, SAMPLE, 1 << 17, MSD},
        {{.key = ORDO_F32, .in_place = true}, NETWORK, 1 << 12, SAMPLE},
        {{.key = ORDO_F32, .in_place = true}, SAMPLE, 1 << 16, MSD},
        {{.key = ORDO_U32, .value_bytes = 4}, SAMPLE, 1 << 17, MSD},
        {{.key = ORDO_I32, .argsort = true, .order = ORDO_DESCENDING}, SAMPLE, 1 << 17, MSD},
        {{.key = ORDO_U32, .value_bytes = 64, .in_place = true}, NETWORK, 1 << 11, SAMPLE},
        {{.key = ORDO_U32, .value_bytes = 64, .in_place = true}, SAMPLE, 1 << 17, MSD},
        {{.value_bytes = 8, .in_place = true, .allow_unstable = true}, SAMPLE, 1 << 16, MSD},
        {{.key = ORDO_U64}, SAMPLE, 1 << 17, MSD},
        {{.key = ORDO_F64, .argsort = true}, SAMPLE, 1 << 17, MSD},
        {{.skip_high_bits = 8}, NETWORK, 1 << 16, RADIX},  /* three passes; with an index */
        {{.skip_high_bits = 16}, NETWORK, 1 << 16, RADIX}, /* two passes */
        {{.skip_low_bits = 16, .argsort = true}, NETWORK, 1 << 16, RADIX},
        /* No index. */
        {{.skip_low_bits = 16, .allow_unstable = true}, NETWORK, 1 << 16, RADIX},
        /* 17 bits are three passes. */
        {{.skip_low_bits = 15, .value_bytes = 4}, NETWORK, 1 << 16, RADIX},
        {{.skip_high_bits = 24}, RADIX, 1, RADIX}, /* one pass */
        {{.key = ORDO_U64, .skip_low_bits = 56, .argsort = true}, RADIX, 1, RADIX},
        {{.digit_bits = 8}, RADIX, 1, RADIX},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ordo_sort_desc desc = rows[i].desc;
        desc.max_count = rows[i].most;
        assert_int_equal(plan_of(&roomy, desc).method, rows[i].first);
        desc.max_count++;
        assert_int_equal(plan_of(&roomy, desc).method, rows[i].then);
    }
    /* What only networks do is not a matter of size. */
    for (uint64_t count = 10; count <= 10000000; count *= 1000) {
        const ordo_sort_desc descs[] = {{.part_count = 2},
                                        {.row_length = 5},
                                        {.row_length = UINT32_MAX},
                                        {.block_length = 256},
                                        {.fused_levels = 2}};
        for (size_t i = 0; i < COUNT_OF(descs); i++) {
            ordo_sort_desc desc = descs[i];
            desc.max_count = count;
            assert_int_equal(plan_of(NULL, desc).method, ORDO_METHOD_BITONIC);
        }
    }
    /* Where few workgroups are allowed radix holds more, so it is chosen for fewer too. */
    ordo_caps narrow = {.max_groups = 4095};
    assert_int_equal(plan_of(&narrow, (ordo_sort_desc){.max_count = 100}).method,
                     ORDO_METHOD_RADIX);
}

/* If a max_count can be planned, so can every smaller one, on grids so small that packing, moves
   and steps run out of workgroups at different counts. */
static void test_fewer_can_be_planned_on_small_grids(void **state) {
    (void)state;
    static const ordo_sort_desc forms[] = {
        {0},
        {.argsort = true},
        {.value_bytes = 12},
        {.value_bytes = 16, .in_place = true},
        {.skip_high_bits = 16},
        {.argsort = true, .skip_high_bits = 16},
        {.value_bytes = 4, .skip_low_bits = 18},
        {.key = ORDO_F64, .argsort = true, .skip_low_bits = 30, .skip_high_bits = 20},
        {.part_count = 4, .argsort = true},
        {.argsort = true, .skip_high_bits = 16, .row_length = 3000},
    };
    uint32_t refused = 0;
    for (uint32_t groups = 1; groups <= 9; groups++) {
        for (size_t i = 0; i < COUNT_OF(forms) * 4; i++) {
            plan_problem problem = {.caps = {.max_groups = groups}, .sort = forms[i / 4]};
            problem.sort.method = i % 4 ? networks[i % 4 - 1] : ORDO_METHOD_AUTO;
            bool fits = true;
            for (uint64_t power = 1024; power <= 1 << 21; power += power / 16) {
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
    assert_true(refused > 300);
}

static void test_key_bytes(void **state) {
    (void)state;
    for (int key = ORDO_U32; key <= ORDO_F64 + 1; key++) {
        ordo_sort_desc desc = {.key = (ordo_type)key};
        assert_int_equal(ordo_key_bytes(&desc), ordo_type_bytes((ordo_type)key));
    }
    static const uint32_t bytes[] = {4, 0, 8, 12, 16, 0};
    for (uint32_t parts = 0; parts < COUNT_OF(bytes); parts++) {
        ordo_sort_desc desc = {.part_count = parts};
        assert_int_equal(ordo_key_bytes(&desc), bytes[parts]);
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void expect_refusal(const ordo_caps *caps, ordo_sort_desc desc, ordo_message_id id,
                           const char *text) {
    plan_problem problem = {.no_caps = !caps, .sort = desc};
    ordo_summary summary;
    if (caps)
        problem.caps = *caps;
    const char *wrong = plan_check(&problem, NULL);
    if (wrong)
        fail_msg("%s: %s", plan_describe(&problem), wrong);
    assert_int_equal(plan_steps(&problem, NULL, 0, &summary),
                     ordo_message_write(NULL, id, &(ordo_report){.s = "", .t = ""}));
    assert_string_equal(summary.message, text);
}

typedef struct refusal {
    ordo_sort_desc desc;
    ordo_message_id id;
    const char *text;
} refusal;

/* A desc is as wrong for no elements as for many. */
static void expect_refusals(const refusal *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ordo_sort_desc desc = rows[i].desc;
        for (desc.max_count = 0; desc.max_count < 200000; desc.max_count += 100000)
            expect_refusal(NULL, desc, rows[i].id, rows[i].text);
    }
}

static void test_messages_about_parts(void **state) {
    (void)state;
    static const refusal rows[] = {
        {{.part_count = 1}, ORDO_MESSAGE_PARTS, "part_count is 1; it must be 0 or 2 to 4"},
        {{.part_count = 5}, ORDO_MESSAGE_PARTS, "part_count is 5; it must be 0 or 2 to 4"},
        {{.part_count = UINT32_MAX},
         ORDO_MESSAGE_PARTS,
         "part_count is 4294967295; it must be 0 or 2 to 4"},
        {{.part_count = 3, .parts = {{0}, {0}, {.type = ORDO_U64}}},
         ORDO_MESSAGE_PART_TYPE,
         "parts[2].type is 3; a part is ORDO_U32, ORDO_I32 or ORDO_F32"},
        {{.part_count = 2, .parts = {{.type = (ordo_type)-1}}},
         ORDO_MESSAGE_PART_TYPE,
         "parts[0].type is 4294967295; a part is ORDO_U32, ORDO_I32 or ORDO_F32"},
        {{.part_count = 2, .parts = {{0}, {.order = (ordo_order)2}}},
         ORDO_MESSAGE_ENUM,
         "parts[1].order is 2, an unknown value: the last known one is 1"},
        {{.part_count = 2, .parts = {{0}, {0}, {.type = ORDO_F32}}},
         ORDO_MESSAGE_PART_EXTRA,
         "parts[2] is set, but part_count is 2"},
        {{.parts = {{0}, {0}, {0}, {.order = ORDO_DESCENDING}}},
         ORDO_MESSAGE_PART_EXTRA,
         "parts[3] is set, but part_count is 0"},
        {{.part_count = 2, .key = ORDO_F32},
         ORDO_MESSAGE_PARTS_FIELD,
         "a key of parts is only its parts, but key is 2: it must be 0"},
        {{.part_count = 2, .order = ORDO_DESCENDING},
         ORDO_MESSAGE_PARTS_FIELD,
         "a key of parts is only its parts, but order is 1: it must be 0"},
        {{.part_count = 4, .skip_low_bits = 3},
         ORDO_MESSAGE_PARTS_FIELD,
         "a key of parts is only its parts, but skip_low_bits is 3: it must be 0"},
        {{.part_count = 4, .skip_high_bits = 32},
         ORDO_MESSAGE_PARTS_FIELD,
         "a key of parts is only its parts, but skip_high_bits is 32: it must be 0"},
    };
    expect_refusals(rows, COUNT_OF(rows));
}

static void test_messages_about_methods(void **state) {
    (void)state;
    static const refusal rows[] = {
        {{.method = (ordo_method)8},
         ORDO_MESSAGE_ENUM,
         "method is 8, an unknown value: the last known one is 7"},
        {{.method = ORDO_METHOD_RADIX, .part_count = 2},
         ORDO_MESSAGE_METHOD_FIELD,
         "part_count is 2, but only networks take composite keys: it must be 0"},
        {{.method = ORDO_METHOD_RADIX, .row_length = 100},
         ORDO_MESSAGE_METHOD_FIELD,
         "row_length is 100, but only networks sort rows: it must be 0"},
        {{.digit_bits = 8, .row_length = 100},
         ORDO_MESSAGE_METHOD_FIELD,
         "row_length is 100, but only networks sort rows: it must be 0"},
        {{.method = ORDO_METHOD_RADIX, .block_length = 512},
         ORDO_MESSAGE_METHOD_FIELD,
         "block_length is 512, but only the methods bitonic and oddeven have blocks: it must be 0"},
        {{.digit_bits = 4, .fused_levels = 1},
         ORDO_MESSAGE_METHOD_FIELD,
         "fused_levels is 1, but only networks have levels: it must be 0"},
        {{.method = ORDO_METHOD_BITONIC, .digit_bits = 8},
         ORDO_MESSAGE_METHOD_FIELD,
         "digit_bits is 8, but only a radix sort has digits: it must be 0"},
        {{.method = ORDO_METHOD_BITONIC_DIRECT, .digit_bits = 8},
         ORDO_MESSAGE_METHOD_FIELD,
         "digit_bits is 8, but only a radix sort has digits: it must be 0"},
        {{.method = ORDO_METHOD_ODDEVEN, .digit_bits = 4},
         ORDO_MESSAGE_METHOD_FIELD,
         "digit_bits is 4, but only a radix sort has digits: it must be 0"},
        {{.method = ORDO_METHOD_BITONIC_DIRECT, .block_length = 512},
         ORDO_MESSAGE_METHOD_FIELD,
         "block_length is 512, but only the methods bitonic and oddeven have blocks: it must be 0"},
        {{.method = ORDO_METHOD_BITONIC, .fused_levels = 5},
         ORDO_MESSAGE_FUSED,
         "fused_levels is 5; it must be 0 to 4"},
        {{.fused_levels = UINT32_MAX},
         ORDO_MESSAGE_FUSED,
         "fused_levels is 4294967295; it must be 0 to 4"},
        {{.method = ORDO_METHOD_BITONIC_DIRECT, .fused_levels = 2},
         ORDO_MESSAGE_FUSED,
         "fused_levels is 2; it must be 0 to 1"},
        {{.method = ORDO_METHOD_ODDEVEN, .fused_levels = 4},
         ORDO_MESSAGE_FUSED,
         "fused_levels is 4; it must be 0 to 1"},
    };
    expect_refusals(rows, COUNT_OF(rows));
}

static void test_messages_about_blocks(void **state) {
    (void)state;
#define BLOCK_TEXT(value, most)                                                                    \
    "block_length is " value "; it must be 0 or a power of two from 16 to " most                   \
    ", all that this device's workgroups hold of such elements"
    static const refusal rows[] = {
        {{.block_length = 8}, ORDO_MESSAGE_BLOCK, BLOCK_TEXT("8", "4096")},
        {{.block_length = 1}, ORDO_MESSAGE_BLOCK, BLOCK_TEXT("1", "4096")},
        {{.block_length = 24}, ORDO_MESSAGE_BLOCK, BLOCK_TEXT("24", "4096")},
        {{.block_length = 8192}, ORDO_MESSAGE_BLOCK, BLOCK_TEXT("8192", "4096")},
        {{.block_length = 1u << 31}, ORDO_MESSAGE_BLOCK, BLOCK_TEXT("2147483648", "4096")},
        {{.block_length = UINT32_MAX, .method = ORDO_METHOD_ODDEVEN},
         ORDO_MESSAGE_BLOCK,
         BLOCK_TEXT("4294967295", "4096")},
        {{.block_length = 4096, .argsort = true}, ORDO_MESSAGE_BLOCK, BLOCK_TEXT("4096", "2048")},
        {{.block_length = 1024, .part_count = 4, .value_bytes = 12},
         ORDO_MESSAGE_BLOCK,
         BLOCK_TEXT("1024", "512")},
    };
    expect_refusals(rows, COUNT_OF(rows));
    ordo_caps large = {.max_workgroup_bytes = 32768, .max_invocations = 1024};
    ordo_sort_desc desc = {.max_count = 100000, .block_length = 8192};
    assert_int_equal(plan_of(&large, desc).block_length, 8192);
    desc.block_length = 16384;
    expect_refusal(&large, desc, ORDO_MESSAGE_BLOCK, BLOCK_TEXT("16384", "8192"));
}

/* Rows are padded to powers of two, and positions are counted in 32 bits. */
static void test_messages_about_rows(void **state) {
    (void)state;
    ordo_caps caps = {.max_binding_bytes = 64 * GIB, .max_buffer_bytes = 64 * GIB};
    for (size_t i = 0; i < COUNT_OF(networks); i++) {
        ordo_sort_desc desc = {.max_count = 4294967295, .row_length = 4096, .method = networks[i]};
        plan_of(&caps, desc);
        desc.row_length = 4097;
        expect_refusal(&caps, desc, ORDO_MESSAGE_ROWS,
                       "max_count 4294967295 in rows of 4097, each padded to 8192 positions, is "
                       "more than 2^32 positions");
        desc.max_count = 4097ull << 19;
        plan_of(&caps, desc);
        desc.max_count++;
        expect_refusal(&caps, desc, ORDO_MESSAGE_ROWS,
                       "max_count 2148007937 in rows of 4097, each padded to 8192 positions, is "
                       "more than 2^32 positions");
        /* One row is as long as it is, whatever row_length says. */
        desc.row_length = UINT32_MAX;
        plan_of(&caps, desc);
    }
}

/* Composite keys count as the words they have. */
static void test_limits_of_composite_keys(void **state) {
    (void)state;
    ordo_sort_desc desc = {.max_count = 1ull << 30, .part_count = 4};
    expect_refusal(NULL, desc, ORDO_MESSAGE_WORDS,
                   "max_count 1073741824 of elements of 16 bytes is more than 2^32 - 1 words of 4 "
                   "bytes");
    desc.max_count = 1 << 23;
    plan_of(NULL, desc);
    desc.max_count++;
    expect_refusal(NULL, desc, ORDO_MESSAGE_BINDING,
                   "max_count 8388609 needs a binding of 134217744 bytes; the device's "
                   "maxStorageBufferBindingSize is 134217728: request a larger one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatches_of_the_literature),
        cmocka_unit_test(test_the_steps_of_four_blocks),
        cmocka_unit_test(test_every_count_in_small_blocks),
        cmocka_unit_test(test_small_sorts_are_one_dispatch),
        cmocka_unit_test(test_no_scratch_in_place),
        cmocka_unit_test(test_blocks_are_as_large_as_the_device),
        cmocka_unit_test(test_packing_only_if_it_fits),
        cmocka_unit_test(test_index_bits),
        cmocka_unit_test(test_pack_and_unpack),
        cmocka_unit_test(test_pack_in_wgsl),
        cmocka_unit_test(test_the_automatic_choice),
        cmocka_unit_test(test_fewer_can_be_planned_on_small_grids),
        cmocka_unit_test(test_key_bytes),
        cmocka_unit_test(test_messages_about_parts),
        cmocka_unit_test(test_messages_about_methods),
        cmocka_unit_test(test_messages_about_blocks),
        cmocka_unit_test(test_messages_about_rows),
        cmocka_unit_test(test_limits_of_composite_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
