/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_paths.c: one result whatever the path: both tiers of devices, kernels with and without
 * subgroups, narrow grids, counts on the device, any scratch, any offsets, any order of recording.
 */
#include "gpu_slots.h"

#include <string.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* ---- Sorts and sums -------------------------------------------------------------------------- */

#define RADIX .method = ORDO_METHOD_RADIX
#define BITONIC .method = ORDO_METHOD_BITONIC
#define ODDEVEN .method = ORDO_METHOD_ODDEVEN

/* Sorts that between them run every kernel. */
static const ordo_sort_desc every_kernel[] = {
    {RADIX, .max_count = 2000, .key = ORDO_U32, .value_bytes = 4},
    {RADIX, .max_count = 20000, .key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 8},
    {RADIX, .max_count = 20000, .key = ORDO_I64, .argsort = true},
    {.max_count = 3500, .key = ORDO_F64, .value_bytes = 16, .in_place = true, .skip_low_bits = 57},
    {.max_count = 3500, .key = ORDO_I32, .value_bytes = 64, .digit_bits = 4},
    {.max_count = 3500, .key = ORDO_U64, .argsort = true, .digit_bits = 4},
    {.max_count = 3500, .key = ORDO_U32, .skip_low_bits = 32},
    {BITONIC, .max_count = 20000, .key = ORDO_F32},
    {BITONIC, .max_count = 20000, .key = ORDO_U64, .argsort = true, .skip_low_bits = 47},
    {BITONIC, .max_count = 3500, .key = ORDO_I32, .value_bytes = 12, .in_place = true},
    {BITONIC, .max_count = 3500, .part_count = 4, .argsort = true, .row_length = 700},
    {ODDEVEN, .max_count = 6000, .key = ORDO_F64, .order = ORDO_DESCENDING, .value_bytes = 4},
    {.method = ORDO_METHOD_BITONIC_DIRECT, .max_count = 3501, .key = ORDO_F32, .in_place = true},
};

static void sort_with_every_kernel(rig *r, ordo_context *context) {
    for (size_t i = 0; i < COUNT_OF(every_kernel); i++) {
        sort_check(r, (sort_case){.desc = every_kernel[i],
                                  .shape = i % 2 ? KEYS_SPECIAL : KEYS_FEW,
                                  .seed = i,
                                  .context = context});
    }
}

/* Sums of floats into one array: three scans and a reduce, of one block and of several. */
enum { FLOAT_COUNT = 30011, FLOAT_RESULTS = 2 * FLOAT_COUNT + 300 + 1 };

static void sum_floats(rig *r, ordo_context *context, uint32_t *results) {
    static uint32_t items[FLOAT_COUNT];
    uint64_t random = 17;
    for (int i = 0; i < FLOAT_COUNT; i++) {
        float value = (float)(int32_t)(model_random(&random) >> 32) * 0x1p-31f;
        memcpy(&items[i], &value, 4);
    }
    fold_case c = {.desc = {.max_count = FLOAT_COUNT, .type = ORDO_F32},
                   .items = items,
                   .context = context,
                   .result = results};
    fold_check(r, &c);
    c.desc.inclusive = true;
    c.result = results + FLOAT_COUNT;
    fold_check(r, &c);
    c.desc.max_count = 300;
    c.result = results + 2 * FLOAT_COUNT;
    fold_check(r, &c);
    c.desc.max_count = FLOAT_COUNT;
    c.reduce = true;
    c.result = results + FLOAT_RESULTS - 1;
    fold_check(r, &c);
}

/* ---- Histograms, counting sorts, grids, top-k ------------------------------------------------ */

enum { THIRD_COUNT = 12007, THIRD_RESULTS = 9 * THIRD_COUNT };

/* Runs a plan over these inputs and adds its outputs to the results, of which there were `used`.
   The model has its say in the tests of each primitive. */
static uint64_t add_results(rig *r, ordo_plan *plan, const void *in, const void *values,
                            uint32_t *results, uint64_t used) {
    static const ordo_slot outputs[] = {ORDO_SLOT_OUT, ORDO_SLOT_VALUES_OUT, ORDO_SLOT_STARTS};
    slot_case c = {.plan = plan, .what = "a third primitive"};
    c.inputs[ORDO_SLOT_IN] = in;
    c.inputs[ORDO_SLOT_VALUES_IN] = values;
    slots_run(r, &c);
    slots_end(r, &c);
    for (size_t i = 0; i < COUNT_OF(outputs); i++) {
        uint64_t bytes = c.bytes[outputs[i]];
        assert_true(used + bytes / 4 <= THIRD_RESULTS);
        if (bytes)
            memcpy(results + used, c.results[outputs[i]], bytes);
        used += bytes / 4;
    }
    slots_free(&c);
    return used;
}

/* Every kernel of these primitives, into one array; what is left of it becomes 0. */
static void run_third(rig *r, ordo_context *context, uint32_t *results) {
    static uint32_t in[2 * THIRD_COUNT], values[THIRD_COUNT];
    static const ordo_histogram_desc histograms[] = {
        {.max_count = THIRD_COUNT, .type = ORDO_F32, .bin_count = 1000, .lo = -2, .hi = 2},
        {.max_count = THIRD_COUNT, .bins = ORDO_BINS_BITS, .skip_low_bits = 22},
    };
    static const ordo_counting_sort_desc countings[] = {
        {.max_count = THIRD_COUNT, .bucket_count = 300, .argsort = true},
        {.max_count = THIRD_COUNT, .value_bytes = 4, .depth = {.nearest = -3, .farthest = 9}},
    };
    static const ordo_grid_desc grids[] = {
        {.max_count = THIRD_COUNT / 3, .cells = {9, 9, 9}, .points_out = true},
        {.max_count = THIRD_COUNT / 2, .dimensions = 2, .table_size = 512},
    };
    static const ordo_top_k_desc top_ks[] = {
        {.max_count = THIRD_COUNT, .key = ORDO_F32, .k = 100},
        {.max_count = THIRD_COUNT, .key = ORDO_F64, .k = 900, .smallest = true},
        {.max_count = THIRD_COUNT, .key = ORDO_I32, .k = 10, .row_length = 1000},
    };
    ordo_plan *plan;
    uint64_t used = 0;
    distribution_fill(KEYS_SPECIAL, ORDO_F32, 2 * THIRD_COUNT, 5, in);
    distribution_fill(KEYS_COUNTING, ORDO_U32, THIRD_COUNT, 6, values);
    memset(results, 0, THIRD_RESULTS * sizeof *results);
    for (size_t i = 0; i < COUNT_OF(histograms); i++) {
        assert_int_equal(ordo_histogram_plan(context, &histograms[i], &plan), ORDO_OK);
        used = add_results(r, plan, in, NULL, results, used);
    }
    for (size_t i = 0; i < COUNT_OF(countings); i++) {
        assert_int_equal(ordo_counting_sort_plan(context, &countings[i], &plan), ORDO_OK);
        used = add_results(r, plan, i ? in : values, i ? values : NULL, results, used);
    }
    for (size_t i = 0; i < COUNT_OF(grids); i++) {
        assert_int_equal(ordo_grid_plan(context, &grids[i], &plan), ORDO_OK);
        used = add_results(r, plan, in, NULL, results, used);
    }
    for (size_t i = 0; i < COUNT_OF(top_ks); i++) {
        assert_int_equal(ordo_top_k_plan(context, &top_ks[i], &plan), ORDO_OK);
        used = add_results(r, plan, in, NULL, results, used);
    }
}

/* ---- Devices --------------------------------------------------------------------------------- */

/* B009, B073, B089, B090; P4: the other tier's device, opened beside this one, gives the same. */
static void test_tiers_agree(void **state) {
    rig *r = *state, other;
    static uint32_t here[FLOAT_RESULTS], there[FLOAT_RESULTS];
    static uint32_t third_here[THIRD_RESULTS], third_there[THIRD_RESULTS];
    rig_open(&other, rig_tier() == TIER_ALL ? TIER_DEFAULT : TIER_ALL);
    sort_with_every_kernel(&other, other.context);
    sort_with_every_kernel(r, r->context);
    sum_floats(&other, other.context, there);
    sum_floats(r, r->context, here);
    assert_memory_equal(here, there, sizeof here);
    run_third(&other, other.context, third_there);
    run_third(r, r->context, third_here);
    assert_memory_equal(third_here, third_there, sizeof third_here);
    assert_int_equal(other.device.error_count, 0);
    rig_close(&other);
}

/* B009, B100: a device that has subgroups, without their use, against the device of the tier: the
   same kernels on other limits, or other kernels on the same limits. */
static void test_subgroups_off_agrees(void **state) {
    rig *r = *state, all;
    static uint32_t here[FLOAT_RESULTS], without[FLOAT_RESULTS];
    static uint32_t third_here[THIRD_RESULTS], third_without[THIRD_RESULTS];
    char message[ORDO_MESSAGE_BYTES];
    rig_open(&all, TIER_ALL);
    ordo_context *portable;
    ordo_context_desc desc = {.instance = all.device.instance,
                              .device = all.device.device,
                              .subgroups = ORDO_SUBGROUPS_OFF};
    assert_int_equal(ordo_context_create(&desc, &portable, message), ORDO_OK);
    assert_false(ordo_context_caps(portable)->subgroups);
    sort_with_every_kernel(&all, portable);
    sum_floats(&all, portable, without);
    sum_floats(r, r->context, here);
    assert_memory_equal(here, without, sizeof here);
    run_third(&all, portable, third_without);
    run_third(r, r->context, third_here);
    assert_memory_equal(third_here, third_without, sizeof third_here);
    assert_int_equal(all.device.error_count, 0);
    ordo_context_release(portable);
    rig_close(&all);
}

/* B086, B093: a grid of several rows, its last one in part, for every kernel. */
static void test_b086_narrow_grids(void **state) {
    rig *r = *state;
    static uint32_t wide_results[FLOAT_RESULTS], narrow_results[FLOAT_RESULTS];
    static uint32_t third_wide[THIRD_RESULTS], third_narrow[THIRD_RESULTS];
    /* 20,000 elements are 20 workgroups of a move, two rows; a radix pass scans a row of counts for
       each of 256 digits, so less than 17 by 17 would not do. */
    ordo_context *narrow = rig_narrow_context(r, 17);
    sort_with_every_kernel(r, narrow);
    sum_floats(r, narrow, narrow_results);
    sum_floats(r, r->context, wide_results);
    assert_memory_equal(wide_results, narrow_results, sizeof wide_results);
    run_third(r, narrow, third_narrow);
    run_third(r, r->context, third_wide);
    assert_memory_equal(third_wide, third_narrow, sizeof third_wide);
    sort_check(r, (sort_case){.desc = {.max_count = 60000, .digit_bits = 4}, .context = narrow});
    sort_check(r, (sort_case){.desc = {.max_count = 150000, .value_bytes = 4, RADIX},
                              .context = narrow,
                              .count_use = COUNT_GIVEN,
                              .gpu_count = 120001});
    ordo_context_release(narrow);
}

/* ---- Counts on the device -------------------------------------------------------------------- */

/* B021: the count is known to the device alone; what lies past it stays untouched. */
static void test_b021_counts_below_a_capacity_of_a_million(void **state) {
    static const uint32_t counts[] = {0, 1, 257, 6145, 999999, 1000000, 1000001};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        sort_case c = {.desc = {.max_count = 1000000, .value_bytes = 4, RADIX},
                       .seed = i,
                       .count_use = COUNT_GIVEN,
                       .gpu_count = counts[i]};
        sort_check(*state, c);
        c.desc.max_count = 30000;
        c.desc.method = i % 2 ? ORDO_METHOD_BITONIC : ORDO_METHOD_ODDEVEN;
        sort_check(*state, c);
    }
}

/* A count in place leaves the tail of keys and values as it is, also after an odd number of
   passes. */
static void test_counts_in_place(void **state) {
    static const uint32_t counts[] = {0, 1, 8191, 8192, 8193, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        for (uint32_t skip = 0; skip <= 8; skip += 8) {
            sort_case c = {.desc = {.max_count = 8192,
                                    .value_bytes = skip ? 12 : 4,
                                    .in_place = true,
                                    .skip_high_bits = skip},
                           .count_use = COUNT_GIVEN,
                           .gpu_count = counts[i]};
            c.desc.method = ORDO_METHOD_RADIX;
            sort_check(*state, c);
            c.desc.method = ORDO_METHOD_BITONIC;
            sort_check(*state, c);
        }
    }
}

/* ---- Scratch --------------------------------------------------------------------------------- */

/* B020, B025: nothing that scratch holds at the start has any influence. */
static void test_b025_any_scratch(void **state) {
    for (int scratch = SCRATCH_OWN; scratch <= SCRATCH_LEFTOVER; scratch++) {
        for (uint32_t digit_bits = 0; digit_bits <= 4; digit_bits += 4) {
            sort_check(*state, (sort_case){.desc = {.max_count = 100000,
                                                    .value_bytes = 4,
                                                    RADIX,
                                                    .digit_bits = digit_bits},
                                           .scratch = (scratch_use)scratch});
            sort_check(
                *state,
                (sort_case){
                    .desc = {.max_count = 2000, .argsort = true, RADIX, .digit_bits = digit_bits},
                    .scratch = (scratch_use)scratch});
        }
        sort_check(*state, (sort_case){.desc = {.max_count = 9000, .value_bytes = 64, BITONIC},
                                       .scratch = (scratch_use)scratch});
        sort_check(*state, (sort_case){.desc = {.max_count = 9000, .argsort = true, ODDEVEN},
                                       .scratch = (scratch_use)scratch});
    }
}

/* B020: one plan for a large count, a small one, and the large one again. */
static void test_b020_large_small_large(void **state) {
    rig *r = *state;
    static const uint32_t counts[] = {50000, 777, 50000};
    for (int network = 0; network < 2; network++) {
        sort_case c = {.desc = {.max_count = 50000, .value_bytes = 4}, .count_use = COUNT_GIVEN};
        c.desc.method = network ? ORDO_METHOD_BITONIC : ORDO_METHOD_RADIX;
        for (int i = 0; i < 3; i++)
            c.gpu_count = counts[i], c.seed = (uint64_t)i, sort_check(r, c);
        /* The same through one plan and one set of buffers, of which the count alone changes. */
        sort_begin(r, &c);
        for (int i = 0; i < 3; i++) {
            gpu_write(&r->device, c.args.count.buffer, c.args.count.offset_bytes, &counts[i], 4);
            WGPUCommandEncoder encoder = rig_encoder(r);
            sort_encode(&c, encoder);
            gpu_submit(&r->device, encoder);
        }
        sort_end(r, &c);
    }
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* B032: in place, small and large; two halves of one buffer as input and output. */
static void test_b032_one_buffer_for_all(void **state) {
    static const uint32_t counts[] = {100, 2000000};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        sort_check(*state, (sort_case){.desc = {.max_count = counts[i], .in_place = true, RADIX}});
        sort_check(*state,
                   (sort_case){.desc = {.max_count = counts[i], RADIX}, .one_buffer = true});
        sort_check(*state, (sort_case){.desc = {.max_count = 7000 + i,
                                                .value_bytes = 12,
                                                .method = i ? ORDO_METHOD_RADIX : ORDO_METHOD_AUTO},
                                       .one_buffer = true});
    }
}

/* B012: the input is the same bytes afterwards; every out-of-place case compares it. */
static void test_b012_inputs_stay(void **state) {
    sort_check(*state, (sort_case){.desc = {.max_count = 5000, .value_bytes = 4, RADIX}});
    sort_check(*state, (sort_case){.desc = {.max_count = 50000, .argsort = true, RADIX}});
    sort_check(*state, (sort_case){.desc = {.max_count = 5000, .value_bytes = 4, BITONIC}});
    sort_check(*state, (sort_case){.desc = {.max_count = 5000, .argsort = true, ODDEVEN}});
}

enum { MAX_PARTS = 60, GIANT = 100000 };

/* Lengths of parts: most are small, a fifth is empty, one is a giant. */
static uint32_t fill_parts(uint64_t *random, uint32_t *lengths) {
    uint32_t count = 1 + (uint32_t)model_random_below(random, MAX_PARTS);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t limit = model_random_below(random, 4) ? 20 : 3000;
        bool empty = model_random_below(random, 5) == 0;
        lengths[i] = empty ? 0 : 1 + (uint32_t)model_random_below(random, limit);
    }
    lengths[model_random_below(random, count)] = GIANT;
    return count;
}

/* What a part of keys with values becomes; the results are in `keys_out` and `values_out`. */
static void sort_part(const ordo_sort_desc *desc, const unsigned char *keys,
                      const unsigned char *values, unsigned char *keys_out,
                      unsigned char *values_out) {
    static uint32_t order[GIANT];
    static unsigned char sorted[4 * GIANT];
    uint64_t count = desc->max_count;
    model_argsort(desc, keys, count, order);
    model_gather(order, values, count, 4, sorted);
    memcpy(values_out, sorted, 4 * count);
    model_gather(order, keys, count, 4, sorted);
    memcpy(keys_out, sorted, 4 * count);
}

enum { KEYS, KEYS_OUT, VALUES, VALUES_OUT, PART_BUFFERS };

static void sort_parts(rig *r, uint64_t *random, bool in_place) {
    uint32_t lengths[MAX_PARTS], part_count = fill_parts(random, lengths);
    uint64_t at = 0, bytes = 0;
    memory m[PART_BUFFERS];
    for (uint32_t i = 0; i < part_count; i++)
        bytes += (4 * (uint64_t)lengths[i] + 511) / 256 * 256;
    for (int i = 0; i < PART_BUFFERS; i++) {
        m[i] = memory_make(bytes);
        distribution_fill(KEYS_RANDOM, ORDO_U32, bytes / 4, *random + (uint64_t)i, m[i].image);
        memory_upload(r, &m[i]);
    }
    int keys_out = in_place ? KEYS : KEYS_OUT, values_out = in_place ? VALUES : VALUES_OUT;
    WGPUCommandEncoder encoder = rig_encoder(r);
    for (uint32_t i = 0; i < part_count; i++) {
        ordo_sort_desc desc = {.max_count = lengths[i], .value_bytes = 4, .in_place = in_place};
        desc.method = i % 2 ? ORDO_METHOD_RADIX : ORDO_METHOD_AUTO;
        ordo_plan *plan;
        assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
        ordo_args args = {.in = {m[KEYS].buffer, at}, .values_in = {m[VALUES].buffer, at}};
        if (!in_place) {
            args.out = (ordo_buffer){m[KEYS_OUT].buffer, at};
            args.values_out = (ordo_buffer){m[VALUES_OUT].buffer, at};
        }
        assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_OK);
        ordo_plan_release(plan);
        sort_part(&desc, m[KEYS].image + at, m[VALUES].image + at, m[keys_out].image + at,
                  m[values_out].image + at);
        at += (4 * (uint64_t)lengths[i] + 511) / 256 * 256;
    }
    gpu_submit(&r->device, encoder);
    for (int i = 0; i < PART_BUFFERS; i++) {
        memory_compare(r, &m[i], "parts");
        memory_free(&m[i]);
    }
}

/* P5: neighbouring parts of one buffer, each sorted alone, as a loop of sorts in one encoder
   does. */
static void test_parts_of_one_buffer(void **state) {
    uint64_t random = 8;
    for (int list = 0; list < 6; list++)
        sort_parts(*state, &random, list % 2);
}

/* ---- Order of recording ---------------------------------------------------------------------- */

/* B008, B022, B102: several sorts recorded before any is submitted, each in an encoder of its
   own. */
static void test_b022_three_encoders_before_a_submit(void **state) {
    rig *r = *state;
    static const uint32_t counts[] = {100, 5000, 70001};
    sort_case cases[3];
    WGPUCommandEncoder encoders[3];
    for (int i = 0; i < 3; i++) {
        cases[i] =
            (sort_case){.desc = {.max_count = counts[i], .value_bytes = 4}, .seed = (uint64_t)i};
        cases[i].desc.method = i == 1 ? ORDO_METHOD_RADIX : ORDO_METHOD_AUTO;
        sort_begin(r, &cases[i]);
        encoders[i] = rig_encoder(r);
        sort_encode(&cases[i], encoders[i]);
    }
    for (int i = 2; i >= 0; i--)
        gpu_submit(&r->device, encoders[i]);
    for (int i = 0; i < 3; i++)
        sort_end(r, &cases[i]);
}

/* B022: one plan, three sets of buffers, recorded in turn before any submit: they share scratch. */
static void test_b022_one_plan_for_three_sets_of_buffers(void **state) {
    rig *r = *state;
    sort_case cases[3];
    WGPUCommandEncoder encoders[3];
    for (int i = 0; i < 3; i++) {
        cases[i] =
            (sort_case){.desc = {.max_count = 20000, .value_bytes = 4, RADIX}, .seed = (uint64_t)i};
        sort_begin(r, &cases[i]);
        encoders[i] = rig_encoder(r);
        assert_int_equal(ordo_encode(cases[0].plan, encoders[i], &cases[i].args), ORDO_OK);
    }
    /* The first set once more, so that its bind groups are made anew. */
    assert_int_equal(ordo_encode(cases[0].plan, encoders[2], &cases[0].args), ORDO_OK);
    for (int i = 0; i < 3; i++)
        gpu_submit(&r->device, encoders[i]);
    for (int i = 2; i >= 0; i--)
        sort_end(r, &cases[i]);
}

/* B010: sorts of every kind in one encoder, with and without a count on the device. */
static void test_b010_every_kind_in_one_encoder(void **state) {
    rig *r = *state;
    enum { CASES = 16 };
    sort_case cases[CASES];
    WGPUCommandEncoder encoder = rig_encoder(r);
    for (uint32_t i = 0; i < CASES; i++) {
        cases[i] = (sort_case){.desc = {.max_count = 4000 + i, .key = (ordo_type)(i % 6)},
                               .seed = i,
                               .count_use = i & 1 ? COUNT_GIVEN : COUNT_HOST,
                               .gpu_count = 3900};
        cases[i].desc.value_bytes = i & 2 ? 4 : 0;
        cases[i].desc.argsort = i % 8 == 4;
        cases[i].desc.in_place = i % 8 == 5 || i % 8 == 6;
        cases[i].desc.method = i < 8 ? ORDO_METHOD_RADIX : (ordo_method)(i % 5);
        sort_begin(r, &cases[i]);
        sort_encode(&cases[i], encoder);
    }
    gpu_submit(&r->device, encoder);
    for (uint32_t i = 0; i < CASES; i++)
        sort_end(r, &cases[i]);
}

/* B102: passes chained in one encoder and one submit for each give the same. */
static void test_b102_one_submit_or_many(void **state) {
    rig *r = *state;
    enum { COUNT = 4096 };
    static uint32_t keys[COUNT], held[COUNT], order[COUNT], sorted[COUNT];
    distribution_fill(KEYS_RANDOM, ORDO_U32, COUNT, 3, keys);
    model_argsort(&(ordo_sort_desc){0}, keys, COUNT, order);
    model_gather(order, keys, COUNT, 4, sorted);
    for (int way = 0; way < 2; way++) {
        WGPUBuffer buffer = gpu_buffer(&r->device, sizeof keys, WGPUBufferUsage_None, keys);
        for (uint32_t pass = 0; pass < (way ? 4u : 1u); pass++) {
            ordo_sort_desc desc = {.max_count = COUNT, .in_place = true, RADIX};
            if (way) {
                desc.skip_low_bits = 8 * pass;
                desc.skip_high_bits = 24 - 8 * pass;
            }
            ordo_plan *plan;
            WGPUCommandEncoder encoder = rig_encoder(r);
            assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
            assert_int_equal(ordo_encode(plan, encoder, &(ordo_args){.in = {buffer, 0}}), ORDO_OK);
            gpu_submit(&r->device, encoder);
            assert_true(gpu_wait(&r->device));
            ordo_plan_release(plan);
        }
        assert_true(gpu_read(&r->device, buffer, 0, sizeof held, held));
        wgpuBufferRelease(buffer);
        assert_memory_equal(held, sorted, sizeof held);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_tiers_agree),
        rig_test(test_subgroups_off_agrees),
        rig_test(test_b086_narrow_grids),
        rig_test(test_b021_counts_below_a_capacity_of_a_million),
        rig_test(test_counts_in_place),
        rig_test(test_b025_any_scratch),
        rig_test(test_b020_large_small_large),
        rig_test(test_b032_one_buffer_for_all),
        rig_test(test_b012_inputs_stay),
        rig_test(test_parts_of_one_buffer),
        rig_test(test_b022_three_encoders_before_a_submit),
        rig_test(test_b022_one_plan_for_three_sets_of_buffers),
        rig_test(test_b010_every_kind_in_one_encoder),
        rig_test(test_b102_one_submit_or_many),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
