/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_histogram_edges.c: elements on the edges of bins and beside them, and the faults of
 * other histograms. Numbers like B063 are those of the project's list of cases.
 */
#include "gpu_histogram.h"

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static float step_float(float value, bool up) {
    return nextafterf(value, up ? INFINITY : -INFINITY);
}

/* ---- Edges ----------------------------------------------------------------------------------- */

/* All edges of even bins and two numbers on each side of them, counted. */
static void check_beside_edges(rig *r, ordo_histogram_desc desc) {
    uint32_t bins = model_bin_count(&desc);
    int64_t *edges = malloc((bins + 1) * sizeof *edges);
    uint32_t *in = malloc(20 * ((uint64_t)bins + 1));
    assert_true(edges && in);
    model_edges(&desc, NULL, edges);
    desc.max_count = 0;
    for (uint32_t i = 0; i <= bins; i++) {
        for (int64_t beside = -2; beside <= 2; beside++) {
            int64_t place = edges[i] + beside;
            if (desc.type == ORDO_F32) {
                /* From the image back to bits: 0x007fffff is the image of -inf. */
                uint32_t image = (uint32_t)place + 0x007fffffu;
                in[desc.max_count++] =
                    image & 0x80000000u ? image ^ 0x80000000u : image ^ 0xffffffffu;
            } else {
                in[desc.max_count++] = (uint32_t)place;
            }
        }
    }
    histogram_check(r, (histogram_case){.desc = desc, .in = in});
    free(edges);
    free(in);
}

/* Ranges that divide evenly and not, that span zero, all exponents, subnormals, or fewer numbers
   than bins. */
static const struct float_range {
    double lo, hi;
    uint32_t bins;
} float_ranges[] = {
    {0, 0, 256},
    {0, 1, 10},
    {0, 1, 65536},
    {0, (double)747.0565f, 10},
    {-1, 1, 1000},
    {-1, 1, 3},
    {(double)0.1f, (double)0.7f, 4097},
    {-3e38, 3e38, 257},
    {-(double)0x1.fffffep127f, (double)0x1.fffffep127f, 65536},
    {1e-30, 1e30, 100},
    {-1e30, 1e-30, 255},
    {1, 1 + 0x1p-21, 256},
    {-0x1p-149, 0x1p-149, 4},
    {0, 0x1p-140, 1000},
    {-0x1p-126, 0x1p-126, 4096},
    {16777215, 16777230, 12},
    {-7, 1e9, 65535},
    {1000, 1001, 12289},
    {-1e-30, 1 + 0x1p-23, 4}, /* a tie, but for the lower end */
    {1e-30, 1 + 0x3p-23, 4},
    {0x1p-100, 0x1p-99, 60000},
    {-0x1p100, -0x1p99, 511},
};

static ordo_histogram_desc desc_of(const struct float_range *range) {
    return (ordo_histogram_desc){
        .type = ORDO_F32, .bin_count = range->bins, .lo = range->lo, .hi = range->hi};
}

/* B063, B067: floats exactly on an edge, and beside it. */
static void test_floats_beside_even_edges(void **state) {
    for (size_t i = 0; i < COUNT_OF(float_ranges); i++)
        check_beside_edges(*state, desc_of(&float_ranges[i]));
}

/* Floats all over the range and a little beyond it, evenly and by exponents, some of them
   special. */
static void test_floats_within_even_bins(void **state) {
    enum { COUNT = 20000 };
    static uint32_t in[COUNT];
    uint64_t random = 3;
    for (size_t i = 0; i < COUNT_OF(float_ranges); i++) {
        ordo_histogram_desc desc = desc_of(&float_ranges[i]);
        double lo = desc.lo, width = desc.lo == desc.hi ? 1 : desc.hi - desc.lo;
        desc.max_count = COUNT;
        for (uint32_t j = 0; j < COUNT; j++) {
            uint64_t bits = model_random(&random);
            double part = (double)(bits >> 11) * 0x1p-53;
            double near = width * ldexp(part - 0.5, -(int)(bits % 60));
            double value =
                j % 2 ? lo + width * (1.02 * part - 0.01) : lo * (double)(j % 4) / 2 + near;
            in[j] = j % 64 ? model_float_bits((float)value)
                           : (uint32_t)special_key(ORDO_F32, bits >> 20);
        }
        histogram_check(*state, (histogram_case){.desc = desc, .in = in});
    }
}

static void test_integers_beside_even_edges(void **state) {
    static const struct {
        ordo_type type;
        double lo, hi;
        uint32_t bins;
    } rows[] = {
        {ORDO_U32, 0, 0, 3},
        {ORDO_U32, 0, 4294967296, 65535},
        {ORDO_U32, 0, 4294967296, 65536},
        {ORDO_U32, 5, 4294967295, 256},
        {ORDO_U32, 4294967200, 4294967296, 1000},
        {ORDO_U32, 7, 8, 65536},
        {ORDO_U32, 10, 1010, 7},
        {ORDO_I32, 0, 0, 1},
        {ORDO_I32, 0, 0, 12289},
        {ORDO_I32, -2147483648.0, 2147483648.0, 4096},
        {ORDO_I32, -2147483648.0, -2147483647, 2},
        {ORDO_I32, -100, 101, 10},
        {ORDO_I32, 2147483647, 2147483648.0, 1},
        {ORDO_I32, -2147483647, 2147483647, 65535},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        check_beside_edges(*state, (ordo_histogram_desc){.type = rows[i].type,
                                                         .bin_count = rows[i].bins,
                                                         .lo = rows[i].lo,
                                                         .hi = rows[i].hi});
    }
}

/* -0 lies below an edge of +0 of the caller's, and in the bin that an even edge of zero begins. */
static void test_zeros_and_edges(void **state) {
    static const uint32_t in[] = {0x80000000, 0, 0x80000000, 0, 0};
    static const uint32_t plus[] = {0xbf800000, 0, 0x3f800000};
    static const uint32_t minus[] = {0xbf800000, 0x80000000, 0x3f800000};
    histogram_case c = {
        .desc = {.max_count = 5, .type = ORDO_F32, .bins = ORDO_BINS_EDGES, .bin_count = 2},
        .in = in,
        .edges = plus};
    histogram_expect(*state, c, (uint32_t[]){2, 3, 0, 0, 0});
    c.edges = minus;
    histogram_expect(*state, c, (uint32_t[]){0, 5, 0, 0, 0});
    c.edges = NULL;
    c.desc.bins = ORDO_BINS_EVEN;
    c.desc.lo = -1;
    c.desc.hi = 1;
    histogram_expect(*state, c, (uint32_t[]){0, 5, 0, 0, 0});
    c.desc.lo = -0.0;
    histogram_expect(*state, c, (uint32_t[]){5, 0, 0, 0, 0});
    c.desc.lo = -1;
    c.desc.hi = 0;
    histogram_expect(*state, c, (uint32_t[]){0, 0, 0, 5, 0});
}

/* A bin between equal edges is empty: an element goes to the last of them. */
static void test_equal_edges(void **state) {
    static const uint32_t in[] = {4, 5, 5, 6, 9, 10, 11}, edges[] = {5, 5, 5, 9, 9, 10};
    histogram_expect(
        *state,
        (histogram_case){.desc = {.max_count = 7, .bins = ORDO_BINS_EDGES, .bin_count = 5},
                         .in = in,
                         .edges = edges},
        (uint32_t[]){0, 0, 3, 0, 1, 1, 2, 0});
}

/* Infinities as edges; NaNs of both signs are no numbers above them. */
static void test_infinite_edges(void **state) {
    static const uint32_t in[] = {0xff800000, 0x7f800000, 0x7fc00000, 0xffc00000,
                                  0x7f800001, 0xff800001, 0,          0x7f7fffff};
    static const uint32_t edges[] = {0xff800000, 0, 0x7f800000};
    histogram_expect(
        *state,
        (histogram_case){
            .desc = {.max_count = 8, .type = ORDO_F32, .bins = ORDO_BINS_EDGES, .bin_count = 2},
            .in = in,
            .edges = edges},
        (uint32_t[]){1, 2, 0, 1, 4});
}

/* Edges that are not sorted leave the counts undefined, but still each element is counted once. */
static void test_unsorted_edges_count_everything(void **state) {
    rig *r = *state;
    for (int type = ORDO_U32; type <= ORDO_F32; type++) {
        for (uint32_t bins = 1; bins <= 4369; bins = bins * 16 + 1) {
            uint32_t *in = histogram_elements(KEYS_SPECIAL, (ordo_type)type, 5000, bins);
            uint32_t *edges = histogram_elements(KEYS_SPECIAL, (ordo_type)type, bins + 1, 77);
            uint32_t *expected;
            histogram_case c = {.desc = {.max_count = 5000,
                                         .type = (ordo_type)type,
                                         .bins = ORDO_BINS_EDGES,
                                         .bin_count = bins},
                                .in = in,
                                .edges = edges};
            slot_case s = histogram_begin(r, &c, &expected);
            s.expected[ORDO_SLOT_OUT] = NULL;
            slots_run(r, &s);
            slots_end(r, &s);
            histogram_check_sum(&c, &s);
            slots_free(&s);
            free(expected);
            free(in);
            free(edges);
        }
    }
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void test_b063_a_range_that_bins_do_not_divide(void **state) {
    static const uint32_t in[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    histogram_case c = {.desc = {.max_count = 10, .type = ORDO_I32, .bin_count = 3, .hi = 10},
                        .in = in};
    histogram_expect(*state, c, (uint32_t[]){4, 3, 3, 0, 0, 0});
    c.desc.type = ORDO_U32;
    histogram_expect(*state, c, (uint32_t[]){4, 3, 3, 0, 0, 0});
}

static void test_b064_a_range_wider_than_the_type(void **state) {
    static const int32_t in[] = {-1500000000, -500000001, -500000000, 0,
                                 499999999,   500000000,  1499999999};
    uint32_t bits[7];
    memcpy(bits, in, sizeof bits);
    histogram_expect(*state,
                     (histogram_case){.desc = {.max_count = 7,
                                               .type = ORDO_I32,
                                               .bin_count = 3,
                                               .lo = -1500000000,
                                               .hi = 1500000000},
                                      .in = bits},
                     (uint32_t[]){2, 3, 2, 0, 0, 0});
}

/* B024, B065: counts beyond 2^24, all in one bin. */
static void test_b065_counts_above_two_to_the_24(void **state) {
    rig *r = *state;
    enum { COUNT = 16777300 };
    uint32_t *in = malloc(4ull * COUNT), *expected;
    assert_non_null(in);
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = 7;
    for (uint32_t bins = 1; bins <= 256; bins *= 256) {
        histogram_case c = {.desc = {.max_count = COUNT, .bin_count = bins, .hi = 256}, .in = in};
        slot_case s = histogram_begin(r, &c, &expected);
        assert_int_equal(expected[7 * bins / 256], 16777300);
        slots_begin(r, &s);
        WGPUCommandEncoder encoder = rig_encoder(r);
        slots_encode(&s, encoder);
        gpu_submit(&r->device, encoder);
        histogram_end(r, &c, &s, expected);
    }
    free(in);
}

static void test_b066_nans_are_in_no_bin(void **state) {
    const float in[] = {NAN, 0.05f, 0.5f, NAN};
    uint32_t bits[4];
    memcpy(bits, in, sizeof bits);
    histogram_expect(
        *state,
        (histogram_case){.desc = {.max_count = 4, .type = ORDO_F32, .bin_count = 10}, .in = bits},
        (uint32_t[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2});
}

/* An element equal to the last edge is above. */
static void test_b067_the_upper_edge(void **state) {
    uint32_t in[] = {model_float_bits(747.0565f), model_float_bits(step_float(747.0565f, false)),
                     model_float_bits(0)};
    histogram_expect(
        *state,
        (histogram_case){
            .desc = {.max_count = 3, .type = ORDO_F32, .bin_count = 10, .hi = (double)747.0565f},
            .in = in},
        (uint32_t[]){1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0});
}

static void test_b068_bounds_that_are_none(void **state) {
    rig *r = *state;
    static const double bounds[][2] = {
        {1, 1}, {2, 1}, {(double)NAN, 1}, {0, (double)INFINITY}, {0, (double)NAN}};
    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        ordo_plan *plan = (ordo_plan *)r;
        ordo_histogram_desc desc = {
            .max_count = 10, .type = ORDO_F32, .lo = bounds[i][0], .hi = bounds[i][1]};
        assert_int_equal(ordo_histogram_plan(r->context, &desc, &plan), ORDO_INVALID);
        assert_null(plan);
        assert_true(ordo_message(r->context)[0]);
    }
}

/* B069: bins on both sides of what workgroup memory holds. */
static void test_b069_more_bins_than_a_workgroup_holds(void **state) {
    static const uint32_t bins[] = {256, 2048, 2049, 4096, 4097, 8192, 8193, 16384, 65536};
    uint32_t *in = histogram_elements(KEYS_RANDOM, ORDO_U32, 100000, 3);
    for (size_t i = 0; i < COUNT_OF(bins); i++)
        histogram_check(*state, (histogram_case){
                                    .desc = {.max_count = 100000, .bin_count = bins[i]}, .in = in});
    free(in);
}

/* B049: of no elements all counts are 0, also of a plan for none, which needs nothing but out. */
static void test_b049_no_elements_count_to_zero(void **state) {
    uint32_t one = 1, edges[] = {1, 2};
    histogram_case c = {.desc = {.bin_count = 10, .hi = 100}, .in = &one};
    histogram_expect(*state, c, (uint32_t[13]){0});
    c.desc.max_count = 1;
    c.count_use = COUNT_GIVEN;
    histogram_expect(*state, c, (uint32_t[13]){0});
    histogram_check(*state, (histogram_case){.desc = {.bin_count = 65536}, .in = &one});
    histogram_check(*state, (histogram_case){.desc = {.bin_count = 1, .bins = ORDO_BINS_EDGES},
                                             .edges = edges});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_b063_a_range_that_bins_do_not_divide),
        rig_test(test_b064_a_range_wider_than_the_type),
        rig_test(test_b066_nans_are_in_no_bin),
        rig_test(test_b067_the_upper_edge),
        rig_test(test_b068_bounds_that_are_none),
        rig_test(test_b069_more_bins_than_a_workgroup_holds),
        rig_test(test_b049_no_elements_count_to_zero),
        rig_test(test_zeros_and_edges),
        rig_test(test_equal_edges),
        rig_test(test_infinite_edges),
        rig_test(test_unsorted_edges_count_everything),
        rig_test(test_floats_beside_even_edges),
        rig_test(test_floats_within_even_bins),
        rig_test(test_integers_beside_even_edges),
        rig_test(test_b065_counts_above_two_to_the_24),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
