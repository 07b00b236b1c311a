/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_network.c: the network kernels on zeros and ones, by which a network is proven.
 *
 * A network sorts all inputs if it sorts all inputs of zeros and ones (Knuth, "The Art of Computer
 * Programming", volume 3, 5.3.4). Short rows are fed all of them. For long ones it is enough that
 * each merge is right on all that the stage before it can leave, which is two sorted runs of zeros
 * and ones, (m + 1)^2 inputs for two runs of m. Few rows of distinct keys stand for all of those:
 * comparators commute with every map that keeps the order, so a row that comes out sorted proves it
 * for each threshold above which keys are ones. Let row j, for j from 0 to m, merge in this order:
 *
 *     the first j keys of the lower run | all m of the upper run | the rest of the lower run
 *
 * Its thresholds put any number a <= j of zeros into the lower run while the upper one has none,
 * then any number b of zeros into the upper one beside j, then more beside m: a path, two corners.
 *
 *     zeros in the upper run   m            +---------       (a, b) lies on the path of row j = a,
 *                              b            |                so the m + 1 rows hold all inputs
 *                              0   ---------+
 *                                  0        j        m       zeros in the lower run
 *
 * The halves of a row come in sorted. If all stages below are right they leave them so, and the
 * last stage gets just these inputs; as rows of every power of two up to the longest are run, no
 * stage is taken on trust.
 */
#include "gpu_case.h"

#include <stdlib.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static const ordo_method block_networks[] = {ORDO_METHOD_BITONIC, ORDO_METHOD_ODDEVEN};

/* ---- All zeros and ones ---------------------------------------------------------------------- */

enum { WIRES = 16, ROWS = 1 << WIRES };

/* Row r has on wire i the bit i of r. */
static uint32_t *zero_one_rows(uint32_t zero, uint32_t one) {
    uint32_t *keys = malloc((size_t)ROWS * WIRES * sizeof *keys);
    assert_non_null(keys);
    for (uint32_t i = 0; i < ROWS * WIRES; i++)
        keys[i] = i / WIRES >> i % WIRES & 1 ? one : zero;
    return keys;
}

static ordo_summary summary_of(const rig *r, const ordo_sort_desc *desc) {
    ordo_summary summary;
    assert_int_equal(ordo_sort_steps(ordo_context_caps(r->context), desc, NULL, 0, &summary),
                     ORDO_OK);
    return summary;
}

/* All inputs of 16 wires, in one dispatch; the ones are keys that others take for padding. */
static void test_all_zeros_and_ones(void **state) {
    rig *r = *state;
    uint32_t *keys = zero_one_rows(0, 0xffffffff);
    for (size_t i = 0; i < COUNT_OF(block_networks); i++) {
        for (uint32_t order = 0; order < 2; order++) {
            sort_case c = {.desc = {.max_count = ROWS * WIRES,
                                    .order = (ordo_order)order,
                                    .in_place = order,
                                    .method = block_networks[i],
                                    .row_length = WIRES},
                           .given_keys = keys};
            assert_int_equal(summary_of(r, &c.desc).step_count, 1);
            sort_check(r, c);
        }
        /* With indices, ties are compared too. */
        sort_case c = {.desc = {.max_count = ROWS * WIRES,
                                .argsort = true,
                                .method = block_networks[i],
                                .row_length = WIRES},
                       .given_keys = keys};
        assert_int_equal(summary_of(r, &c.desc).step_count, 1);
        sort_check(r, c);
    }
    free(keys);
}

/* The same with a dispatch for each of the ten steps. */
static void test_all_zeros_and_ones_directly(void **state) {
    rig *r = *state;
    uint32_t *keys = zero_one_rows(7, 9);
    sort_case c = {.desc = {.max_count = ROWS * WIRES,
                            .in_place = true,
                            .method = ORDO_METHOD_BITONIC_DIRECT,
                            .row_length = WIRES},
                   .given_keys = keys};
    assert_int_equal(summary_of(r, &c.desc).step_count, 10);
    sort_check(r, c);
    c.desc.order = ORDO_DESCENDING;
    sort_check(r, c);
    free(keys);
}

/* ---- All inputs of a merge ------------------------------------------------------------------- */

/* Row j of those that merge a run of `lower` keys with one of `upper`, which may be shorter. */
static void staircase_row(uint32_t j, uint32_t lower, uint32_t upper, uint32_t *row) {
    for (uint32_t i = 0; i < lower; i++)
        row[i] = i < j ? i : i + upper;
    for (uint32_t i = 0; i < upper; i++)
        row[lower + i] = j + i;
}

enum { BATCH_KEYS = 1 << 24 };

/* Rows [first, last) of a merge, whose keys are set here; the desc has method, block, levels and
   order. */
static void check_rows(rig *r, ordo_sort_desc desc, uint32_t lower, uint32_t upper, uint32_t first,
                       uint32_t last) {
    uint32_t length = lower + upper, total = (last - first) * length;
    uint32_t *keys = malloc(total * sizeof *keys);
    assert_non_null(keys);
    bool falls = desc.order == ORDO_DESCENDING;
    for (uint32_t j = first; j < last; j++)
        staircase_row(j, lower, upper, keys + (j - first) * length);
    for (uint32_t i = 0; falls && i < total; i++)
        keys[i] = length - 1 - keys[i];
    desc.max_count = total;
    desc.row_length = length;
    desc.in_place = true;
    ordo_plan *plan;
    if (ordo_sort_plan(r->context, &desc, &plan) != ORDO_OK)
        fail_msg("%s", ordo_message(r->context));
    WGPUBuffer buffer = gpu_buffer(&r->device, 4 * (uint64_t)total, WGPUBufferUsage_None, keys);
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(plan, encoder, &(ordo_args){.in = {buffer, 0}}), ORDO_OK);
    gpu_submit(&r->device, encoder);
    assert_true(gpu_read(&r->device, buffer, 0, 4 * (uint64_t)total, keys));
    for (uint32_t i = 0; i < total; i++) {
        uint32_t place = falls ? length - 1 - i % length : i % length;
        if (keys[i] != place)
            fail_msg("method %d, block %u, fused %u, order %d: runs of %u and %u: row %u has %u "
                     "at %u",
                     (int)desc.method, ordo_plan_info(plan)->block_length, desc.fused_levels,
                     (int)desc.order, lower, upper, first + i / length, keys[i], i % length);
    }
    wgpuBufferRelease(buffer);
    ordo_plan_release(plan);
    free(keys);
}

/* All rows of a merge, in one dispatch of each step if they are not too many for a buffer. */
static void check_merge(rig *r, ordo_sort_desc desc, uint32_t lower, uint32_t upper) {
    uint32_t batch = BATCH_KEYS / (lower + upper);
    for (uint32_t j = 0; j <= lower; j += batch)
        check_rows(r, desc, lower, upper, j, j + batch <= lower ? j + batch : lower + 1);
}

/* Every stage of the block that rows get, up to the last: 4,096 keys, or as many as there are. */
static void test_every_merge_inside_of_a_block(void **state) {
    rig *r = *state;
    for (size_t i = 0; i < COUNT_OF(block_networks); i++) {
        ordo_sort_desc desc = {.max_count = 3, .row_length = 2, .method = block_networks[i]};
        uint32_t block = summary_of(r, &desc).block_length;
        assert_true(block >= 4096);
        for (uint32_t m = 1; m <= block / 2; m *= 2) {
            desc.order = ORDO_ASCENDING;
            check_merge(r, desc, m, m);
            desc.order = ORDO_DESCENDING;
            if (m <= 256)
                check_merge(r, desc, m, m);
        }
    }
}

/* Rows of any length, whose upper run is shorter: what lies past it is there by its place alone. */
static void test_merges_with_a_shorter_run(void **state) {
    rig *r = *state;
    for (size_t i = 0; i < COUNT_OF(block_networks); i++) {
        for (uint32_t m = 1; m <= 16; m *= 2) {
            for (uint32_t upper = 1; upper < m; upper++)
                check_merge(r, (ordo_sort_desc){.method = block_networks[i]}, m, upper);
        }
    }
}

/* Every merge of runs of `most` and less that crosses blocks: down to runs of a block. */
static void check_merges_across(rig *r, ordo_sort_desc desc, uint32_t most) {
    for (uint32_t m = most; m >= desc.block_length && m > 1; m /= 2) {
        desc.order = m % 3 == 1 ? ORDO_ASCENDING : ORDO_DESCENDING;
        check_merge(r, desc, m, m);
    }
}

/* Stages above blocks: fused steps, then the block's merge. Blocks of 16 to 256 have four elements
   in an invocation, 2,048 have eight, 4,096 sixteen. */
static void test_bitonic_merges_across_blocks(void **state) {
    rig *r = *state;
    ordo_sort_desc desc = {.method = ORDO_METHOD_BITONIC, .block_length = 16};
    for (desc.fused_levels = 1; desc.fused_levels <= 4; desc.fused_levels++) {
        desc.block_length = 16;
        check_merges_across(r, desc, 256);
        desc.block_length = 64;
        check_merges_across(r, desc, desc.fused_levels == 1 ? 1024 : 512);
    }
    desc.fused_levels = 0;
    desc.block_length = 256;
    check_merges_across(r, desc, 1024);
    desc.block_length = 2048;
    check_merges_across(r, desc, 2048);
    desc.block_length = 4096;
    check_merges_across(r, desc, 4096);
}

/* Every step is a dispatch of its own. */
static void test_direct_merges(void **state) {
    check_merges_across(*state, (ordo_sort_desc){.method = ORDO_METHOD_BITONIC_DIRECT}, 512);
}

/* Odd-even: steps, the seams of blocks, then blocks. */
static void test_oddeven_merges_across_blocks(void **state) {
    rig *r = *state;
    check_merges_across(r, (ordo_sort_desc){.method = ORDO_METHOD_ODDEVEN, .block_length = 16},
                        512);
    check_merges_across(r, (ordo_sort_desc){.method = ORDO_METHOD_ODDEVEN, .block_length = 64},
                        512);
    check_merges_across(r, (ordo_sort_desc){.method = ORDO_METHOD_ODDEVEN, .block_length = 256},
                        1024);
}

/* The same across blocks where the upper run ends anywhere: in a block, at its end, just after. */
static void test_shorter_runs_across_blocks(void **state) {
    rig *r = *state;
    for (size_t i = 0; i < COUNT_OF(block_networks); i++) {
        ordo_sort_desc desc = {.method = block_networks[i], .block_length = 16};
        for (uint32_t upper = 1; upper < 64; upper++)
            check_merge(r, desc, 64, upper);
    }
    for (uint32_t upper = 1; upper < 32; upper++)
        check_merge(r, (ordo_sort_desc){.method = ORDO_METHOD_BITONIC_DIRECT}, 32, upper);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_all_zeros_and_ones),
        rig_test(test_all_zeros_and_ones_directly),
        rig_test(test_every_merge_inside_of_a_block),
        rig_test(test_merges_with_a_shorter_run),
        rig_test(test_bitonic_merges_across_blocks),
        rig_test(test_direct_merges),
        rig_test(test_oddeven_merges_across_blocks),
        rig_test(test_shorter_runs_across_blocks),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
