/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_histogram.c: counts of bins: every kind, type and number of bins against the model, and
 * what must hold of counts by themselves.
 */
#include "gpu_histogram.h"
#include "pairwise.h"
#include "plan.h"

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* A bound that fits the type, none too far out for elements to be on both sides of it. */
static double bound(ordo_type type, bool upper, uint64_t seed) {
    double part = (double)(model_random(&seed) >> 11) * 0x1p-53;
    if (type == ORDO_F32)
        return upper ? 1 + 100 * part : -100 * part;
    double least = type == ORDO_I32 ? -2147483648.0 : 0;
    return floor(least + 0x1p32 * (upper ? 0.6 + 0.4 * part : 0.4 * part));
}

/* ---- Every pair of settings ------------------------------------------------------------------ */

enum { TYPE, KIND, BIN_COUNT, CAPACITY, SHAPE, COUNT_WAY, ONE_BUFFER, SCRATCH, NARROW, FACTORS };

static const uint32_t bin_counts[] = {1, 2, 3, 10, 16, 255, 256, 257, 4096, 4097, 12289, 65536};
static const uint32_t capacities[] = {0, 1, 2, 63, 255, 256, 257, 1025, 4097, 20011, 70001};

/* Windows of bits make powers of two.  */
static bool allowed(const uint32_t *row) {
    uint32_t bins = bin_counts[row[BIN_COUNT]];
    return row[KIND] != ORDO_BINS_BITS || (bins & (bins - 1)) == 0;
}

static histogram_case case_of(const uint32_t *row, uint64_t seed) {
    ordo_type type = (ordo_type)row[TYPE];
    uint32_t bins = bin_counts[row[BIN_COUNT]];
    histogram_case c = {.desc = {.max_count = capacities[row[CAPACITY]],
                                 .type = type,
                                 .bins = (ordo_bins)row[KIND],
                                 .bin_count = bins},
                        .one_buffer = row[ONE_BUFFER],
                        .scratch = (scratch_use)row[SCRATCH]};
    if (c.desc.bins == ORDO_BINS_EVEN && seed % 4) {
        c.desc.lo = bound(type, false, seed + 1);
        c.desc.hi = bound(type, true, seed + 2);
    }
    if (c.desc.bins == ORDO_BINS_BITS) {
        uint32_t bits = 0;
        while (1u << bits < bins)
            bits++;
        c.desc.skip_low_bits = (uint32_t)(seed % (33 - bits));
        c.desc.skip_high_bits = 32 - bits - c.desc.skip_low_bits;
        c.desc.bin_count = seed % 2 ? 0 : bins;
    }
    slots_set_count(&c.count_use, &c.gpu_count, row[COUNT_WAY], c.desc.max_count, seed * 7919);
    return c;
}

/* P4, P8; B004, B049, B069: every pair of settings meets; every byte of every buffer is
   compared. */
static void test_every_pair_of_settings(void **state) {
    rig *r = *state;
    static pairwise table;
    uint32_t row[PAIRWISE_FACTORS], rows = 0;
    ordo_context *narrow = rig_narrow_context(r, 9);
    table = (pairwise){.factor_count = FACTORS,
                       .level_count = {3, 3, COUNT_OF(bin_counts), COUNT_OF(capacities),
                                       DISTRIBUTION_COUNT, COUNT_WAYS, 2, 4, 2},
                       .allowed = allowed,
                       .random = 5};
    for (; pairwise_next(&table, row); rows++) {
        histogram_case c = case_of(row, rows);
        c.context = row[NARROW] ? narrow : NULL;
        uint32_t *in =
            histogram_elements((distribution)row[SHAPE], c.desc.type, c.desc.max_count, rows);
        uint32_t *edges = c.desc.bins == ORDO_BINS_EDGES
                              ? histogram_edges(c.desc.type, c.desc.bin_count, rows)
                              : NULL;
        c.in = in;
        c.edges = edges;
        histogram_check(r, c);
        free(in);
        free(edges);
    }
    /* Windows of bits meet no bin count but powers of two. */
    assert_int_equal(table.impossible_count, 6);
    assert_true(rows >= COUNT_OF(capacities) * DISTRIBUTION_COUNT);
    ordo_context_release(narrow);
}

/* ---- Algebra --------------------------------------------------------------------------------- */

/* P8: the order of elements does not matter. */
static void test_shuffling_changes_nothing(void **state) {
    rig *r = *state;
    enum { COUNT = 30011, BINS = 500 };
    static uint32_t before[BINS + 3], after[BINS + 3];
    uint32_t *in = histogram_elements(KEYS_SPECIAL, ORDO_F32, COUNT, 8);
    uint64_t random = 11;
    histogram_case c = {
        .desc = {.max_count = COUNT, .type = ORDO_F32, .bin_count = BINS, .lo = -2, .hi = 2},
        .in = in,
        .result = before};
    histogram_check(r, c);
    for (uint64_t i = COUNT - 1; i > 0; i--) {
        uint64_t j = model_random_below(&random, i + 1);
        uint32_t swap = in[i];
        in[i] = in[j];
        in[j] = swap;
    }
    c.result = after;
    histogram_check(r, c);
    assert_memory_equal(before, after, sizeof before);
    free(in);
}

/* P8: neighbouring bins of a fine histogram sum to those of a coarse one. */
static void test_fine_bins_merge_into_coarse_ones(void **state) {
    rig *r = *state;
    enum { COUNT = 50021, FINE = 65536, TIMES = 64, COARSE = FINE / TIMES };
    static uint32_t fine[FINE + 3], coarse[COARSE + 3];
    static const ordo_histogram_desc descs[] = {
        {.type = ORDO_U32},
        {.type = ORDO_I32, .lo = -1073741824, .hi = 1073741824},
        {.type = ORDO_F32, .lo = -4, .hi = 4},
        {.type = ORDO_F32, .bins = ORDO_BINS_BITS, .skip_low_bits = 10, .skip_high_bits = 6},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint32_t *in = histogram_elements(KEYS_RANDOM, descs[i].type, COUNT, i);
        histogram_case c = {.desc = descs[i], .in = in, .result = fine};
        c.desc.max_count = COUNT;
        c.desc.bin_count = FINE;
        histogram_check(r, c);
        c.desc.bin_count = COARSE;
        if (c.desc.bins == ORDO_BINS_BITS)
            c.desc.skip_low_bits += 6;
        c.result = coarse;
        histogram_check(r, c);
        for (uint32_t b = 0; b < FINE; b++)
            coarse[b / TIMES] -= fine[b];
        for (uint32_t b = 0; b < COARSE; b++)
            assert_int_equal(coarse[b], 0);
        assert_memory_equal(coarse + COARSE, fine + FINE, 12);
        free(in);
    }
}

/* P8: the same as sorting and counting between the edges, compared as numbers. */
static void test_bins_agree_with_sort_then_count(void **state) {
    rig *r = *state;
    enum { COUNT = 20011, BINS = 300 };
    static uint32_t counts[BINS + 3], sorted[COUNT], order[COUNT];
    for (int type = ORDO_U32; type <= ORDO_F32; type++) {
        uint32_t *in = histogram_elements(KEYS_RANDOM, (ordo_type)type, COUNT, 21);
        uint32_t *edges = histogram_edges((ordo_type)type, BINS, 22);
        histogram_check(r, (histogram_case){.desc = {.max_count = COUNT,
                                                     .type = (ordo_type)type,
                                                     .bins = ORDO_BINS_EDGES,
                                                     .bin_count = BINS},
                                            .in = in,
                                            .edges = edges,
                                            .result = counts});
        model_argsort(&(ordo_sort_desc){.key = (ordo_type)type}, in, COUNT, order);
        model_gather(order, in, COUNT, 4, sorted);
        uint32_t at = 0, begin = 0;
        while (at < COUNT && model_less((ordo_type)type, sorted[at], edges[0]))
            at++;
        assert_int_equal(counts[BINS + ORDO_BELOW], at);
        for (uint32_t b = 0; b < BINS; b++) {
            for (begin = at; at < COUNT && model_less((ordo_type)type, sorted[at], edges[b + 1]);)
                at++;
            assert_int_equal(counts[b], at - begin);
        }
        for (begin = at; at < COUNT && !model_is_nan((ordo_type)type, sorted[at]);)
            at++;
        assert_int_equal(counts[BINS + ORDO_ABOVE], at - begin);
        assert_int_equal(counts[BINS + ORDO_NAN], COUNT - at);
        free(in);
        free(edges);
    }
}

/* ---- Paths ---------------------------------------------------------------------------------- */

/* The capacity makes loops be written out; the count on the device keeps the work small. */
static void test_loops_that_are_written_out(void **state) {
    rig r = rig_as_gpu(*state);
    enum { COUNT = 30011 };
    uint64_t room = ordo_tune(ordo_context_caps(r.context))->unrolled_count;
    static const ordo_histogram_desc descs[] = {
        {.type = ORDO_F32},
        {.type = ORDO_F32, .bin_count = 1000, .lo = -1, .hi = 1},
        {.type = ORDO_F32, .bin_count = 65536, .lo = -3, .hi = 1000},
        {.type = ORDO_I32, .bin_count = 1000, .lo = -2000000000, .hi = 2000000001},
        {.type = ORDO_I32, .bins = ORDO_BINS_EDGES, .bin_count = 300},
        {.bins = ORDO_BINS_BITS, .skip_low_bits = 24},
        {.bin_count = 65536},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint32_t *in = histogram_elements(KEYS_SPECIAL, descs[i].type, room, i);
        uint32_t *edges = histogram_edges(descs[i].type, 300, i);
        histogram_case c = {.desc = descs[i], .in = in, .count_use = COUNT_GIVEN};
        c.desc.max_count = room;
        c.gpu_count = COUNT;
        c.edges = descs[i].bins == ORDO_BINS_EDGES ? edges : NULL;
        /* Special keys are few within the bins: half of them go there. */
        for (uint32_t j = 0; descs[i].type == ORDO_F32 && j < COUNT; j += 2)
            in[j] = model_float_bits((float)(j % 4001) / 4001);
        histogram_check(&r, c);
        free(in);
        free(edges);
    }
    ordo_context_release(r.context);
}

/* Two by two workgroups: each takes many chunks of elements. */
static void test_long_tiles(void **state) {
    rig *r = *state;
    ordo_context *narrow = rig_narrow_context(r, 2);
    static const ordo_histogram_desc descs[] = {
        {.max_count = 70001, .type = ORDO_F32, .bin_count = 1000, .lo = -1, .hi = 1},
        {.max_count = 70001, .type = ORDO_I32, .bins = ORDO_BINS_EDGES, .bin_count = 300},
        {.max_count = 70001, .bins = ORDO_BINS_BITS, .skip_low_bits = 22},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint32_t *in = histogram_elements(KEYS_RANDOM, descs[i].type, descs[i].max_count, i);
        uint32_t *edges = histogram_edges(descs[i].type, 300, i);
        histogram_case c = {.desc = descs[i], .in = in, .context = narrow};
        c.edges = descs[i].bins == ORDO_BINS_EDGES ? edges : NULL;
        histogram_check(r, c);
        c.count_use = COUNT_GIVEN;
        c.gpu_count = 40961;
        histogram_check(r, c);
        free(in);
        free(edges);
    }
    ordo_context_release(narrow);
}

/* B062: two plans in one encoder, with scratch of their own. */
static void test_two_plans_in_one_encoder(void **state) {
    rig *r = *state;
    enum { COUNT = 9001 };
    uint32_t *in = histogram_elements(KEYS_RANDOM, ORDO_U32, COUNT, 4), *expected[2];
    histogram_case cases[] = {
        {.desc = {.max_count = COUNT, .bin_count = 3}, .in = in},
        {.desc = {.max_count = COUNT, .bin_count = 65536}, .in = in, .scratch = SCRATCH_ONES},
    };
    slot_case runs[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = histogram_begin(r, &cases[i], &expected[i]);
        slots_begin(r, &runs[i]);
    }
    WGPUCommandEncoder encoder = rig_encoder(r);
    for (int i = 0; i < 4; i++)
        slots_encode(&runs[i % 2], encoder);
    gpu_submit(&r->device, encoder);
    for (int i = 0; i < 2; i++)
        histogram_end(r, &cases[i], &runs[i], expected[i]);
    free(in);
}

static void test_host_arrays(void **state) {
    rig *r = *state;
    static const ordo_histogram_desc descs[] = {
        {.max_count = 5003, .type = ORDO_F32, .bin_count = 100, .lo = -3, .hi = 5},
        {.max_count = 5003, .type = ORDO_I32, .bins = ORDO_BINS_EDGES, .bin_count = 999},
        {.max_count = 5003, .bins = ORDO_BINS_BITS, .skip_low_bits = 16},
        {.max_count = 0, .bin_count = 12},
    };
    for (size_t i = 0; i < COUNT_OF(descs); i++) {
        uint32_t *in = histogram_elements(KEYS_SPECIAL, descs[i].type, descs[i].max_count, i),
                 *expected;
        uint32_t *edges = descs[i].bins == ORDO_BINS_EDGES
                              ? histogram_edges(descs[i].type, descs[i].bin_count, i)
                              : NULL;
        histogram_case c = {.desc = descs[i], .in = in, .edges = edges};
        slot_case s = histogram_begin(r, &c, &expected);
        slots_check_arrays(&s);
        slots_free(&s);
        free(expected);
        free(in);
        free(edges);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_shuffling_changes_nothing),
        rig_test(test_fine_bins_merge_into_coarse_ones),
        rig_test(test_bins_agree_with_sort_then_count),
        rig_test(test_loops_that_are_written_out),
        rig_test(test_long_tiles),
        rig_test(test_two_plans_in_one_encoder),
        rig_test(test_host_arrays),
        rig_test(test_every_pair_of_settings),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
