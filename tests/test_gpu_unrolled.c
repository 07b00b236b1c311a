/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_unrolled.c: the kernels of large sorts, whose loops are written out, on every setting.
 *
 * What counts is the capacity of the plan, so a count on the device keeps the work small: the
 * workgroups past it leave at once. All cases share one set of buffers, which hold LIVE elements of
 * interest and a capacity's worth of room.
 */
#include "gpu_case.h"
#include "plan.h"

#include <stdlib.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum { SWITCH = 1 << 17, CAPACITY = SWITCH + 1, LIVE = 20480, MAX_STEPS = 64 };

/* At and beside the edges of a subtile, of a tile and of two tiles. */
static const uint32_t counts[] = {0, 1, 3071, 3072, 3073, 6143, 6144, 6145, 12289, 20011};

/* Bytes of values, or an argsort. */
enum { ARGSORT = 1000 };
static const uint32_t value_forms[] = {0, 4, 8, 16, ARGSORT};

/* ---- Buffers that all cases share ------------------------------------------------------------ */

enum { IN, OUT, VALUES_IN, VALUES_OUT, BUFFERS };

typedef struct stage {
    WGPUBuffer buffers[BUFFERS], count, scratch;
    unsigned char *images[BUFFERS]; /* what the first LIVE elements hold */
    unsigned char *held;
} stage;

enum { IMAGE_BYTES = 16 * LIVE, MAX_SCRATCH_BYTES = 64 << 20 };

static void stage_open(rig *r, stage *s) {
    static const uint64_t bytes[BUFFERS] = {8, 8, 16, 16};
    for (int i = 0; i < BUFFERS; i++) {
        s->buffers[i] = gpu_buffer(&r->device, bytes[i] * CAPACITY, WGPUBufferUsage_None, NULL);
        s->images[i] = malloc(IMAGE_BYTES);
        assert_true(s->buffers[i] && s->images[i]);
    }
    s->count = gpu_buffer(&r->device, 4, WGPUBufferUsage_None, NULL);
    s->scratch = gpu_buffer(&r->device, MAX_SCRATCH_BYTES, WGPUBufferUsage_None, NULL);
    s->held = malloc(IMAGE_BYTES);
    assert_true(s->count && s->scratch && s->held);
}

static void stage_close(stage *s) {
    for (int i = 0; i < BUFFERS; i++) {
        wgpuBufferRelease(s->buffers[i]);
        free(s->images[i]);
    }
    wgpuBufferRelease(s->count);
    wgpuBufferRelease(s->scratch);
    free(s->held);
}

/* Random bytes everywhere, and keys of a shape in IN. */
static void stage_fill(rig *r, stage *s, ordo_type key, distribution shape, uint64_t seed) {
    uint64_t random = seed + 1;
    for (int i = 0; i < BUFFERS; i++) {
        for (uint32_t at = 0; at < IMAGE_BYTES; at += 8) {
            uint64_t word = model_random(&random);
            memcpy(s->images[i] + at, &word, 8);
        }
    }
    distribution_fill(shape, key, LIVE, seed, s->images[IN]);
    for (int i = 0; i < BUFFERS; i++) {
        uint64_t bytes = (i == IN || i == OUT ? 8 : 16) * LIVE;
        gpu_write(&r->device, s->buffers[i], 0, s->images[i], bytes);
    }
}

/* ---- One case -------------------------------------------------------------------------------- */

/* Edits the images to what the buffers hold after the sort. */
static void expect(stage *s, const ordo_sort_desc *desc, uint32_t count) {
    static uint32_t order[LIVE];
    uint32_t key_bytes = model_bytes(desc->key);
    model_argsort(desc, s->images[IN], count, order);
    if (desc->argsort) {
        memcpy(s->images[VALUES_OUT], order, 4 * (size_t)count);
        return;
    }
    model_gather(order, s->images[IN], count, key_bytes, s->held);
    memcpy(s->images[desc->in_place ? IN : OUT], s->held, (size_t)count * key_bytes);
    if (desc->value_bytes) {
        model_gather(order, s->images[VALUES_IN], count, desc->value_bytes, s->held);
        memcpy(s->images[desc->in_place ? VALUES_IN : VALUES_OUT], s->held,
               (size_t)count * desc->value_bytes);
    }
}

static void run_case(rig *r, stage *s, ordo_plan *plan, const ordo_sort_desc *desc,
                     uint32_t count) {
    ordo_args args = {
        .in = {s->buffers[IN], 0}, .count = {s->count, 0}, .scratch = {s->scratch, 0}};
    if (!desc->in_place && !desc->argsort)
        args.out.buffer = s->buffers[OUT];
    if (desc->value_bytes)
        args.values_in.buffer = s->buffers[VALUES_IN];
    if (desc->argsort || (desc->value_bytes && !desc->in_place))
        args.values_out.buffer = s->buffers[VALUES_OUT];
    gpu_write(&r->device, s->count, 0, &count, 4);
    WGPUCommandEncoder encoder = rig_encoder(r);
    if (ordo_encode(plan, encoder, &args) != ORDO_OK)
        fail_msg("encode: %s", ordo_message(r->context));
    gpu_submit(&r->device, encoder);
    expect(s, desc, count);
    for (int i = 0; i < BUFFERS; i++) {
        uint64_t bytes = (i == IN || i == OUT ? 8 : 16) * LIVE;
        assert_true(gpu_read(&r->device, s->buffers[i], 0, bytes, s->held));
        if (memcmp(s->held, s->images[i], bytes) != 0)
            fail_msg("key %d, order %d, value_bytes %u, argsort %d, in_place %d, count %u: "
                     "buffer %d is wrong",
                     (int)desc->key, (int)desc->order, desc->value_bytes, desc->argsort,
                     desc->in_place, count, i);
    }
}

/* Some of the counts, others for every number; ten numbers in a row meet all of them. */
static void run_counts(rig *r, stage *s, const ordo_sort_desc *desc, uint64_t number) {
    ordo_plan *plan;
    if (ordo_sort_plan(r->context, desc, &plan) != ORDO_OK)
        fail_msg("plan: %s", ordo_message(r->context));
    assert_true(ordo_plan_info(plan)->scratch_bytes <= MAX_SCRATCH_BYTES);
    for (uint64_t i = 0; i < 4; i++) {
        distribution shape = (distribution)((number + 5 * i) % DISTRIBUTION_COUNT);
        stage_fill(r, s, desc->key, shape, 4 * number + i);
        run_case(r, s, plan, desc, counts[(number + 3 * i) % COUNT_OF(counts)]);
    }
    ordo_plan_release(plan);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* P1, P2; B021: type x order x values x place x count. The kernels are the same on both tiers and
   take seconds to compile, so each tier has the half of the orders that the other one leaves. */
static void test_every_type_order_value_and_count(void **state) {
    rig r = rig_as_gpu(*state);
    stage s;
    uint64_t number = 0;
    stage_open(&r, &s);
    for (uint32_t key = 0; key < 6; key++) {
        for (uint32_t form = 0; form < COUNT_OF(value_forms); form++) {
            bool argsort = value_forms[form] == ARGSORT;
            uint32_t order = (key + form + (rig_tier() == TIER_ALL)) % 2;
            ordo_sort_desc desc = {.max_count = CAPACITY,
                                   .key = (ordo_type)key,
                                   .order = (ordo_order)order,
                                   .value_bytes = argsort ? 0 : value_forms[form],
                                   .argsort = argsort,
                                   .caller_scratch = true,
                                   .method = ORDO_METHOD_RADIX};
            run_counts(&r, &s, &desc, number++);
            desc.in_place = true;
            if (!argsort)
                run_counts(&r, &s, &desc, number++);
        }
    }
    stage_close(&s);
    ordo_context_release(r.context);
}

/* P1: full counts at the switch, every byte of every buffer. */
static void test_full_counts_beside_the_switch(void **state) {
    rig r = rig_as_gpu(*state);
    for (uint32_t count = SWITCH - 1; count <= SWITCH + 1; count++)
        sort_check(&r, (sort_case){.desc = {.max_count = count, .method = ORDO_METHOD_RADIX},
                                   .seed = count});
    sort_check(&r, (sort_case){.desc = {.max_count = CAPACITY,
                                        .key = ORDO_U64,
                                        .argsort = true,
                                        .method = ORDO_METHOD_RADIX},
                               .shape = KEYS_FEW});
    sort_check(&r, (sort_case){.desc = {.max_count = CAPACITY,
                                        .key = ORDO_F64,
                                        .order = ORDO_DESCENDING,
                                        .method = ORDO_METHOD_RADIX},
                               .shape = KEYS_SPECIAL});
    ordo_context_release(r.context);
}

/* The switch is where these tests look for it: histogram and scatter of every pass
   are on one side, none on the other. */
static void test_where_the_switch_is(void **state) {
    rig r = rig_as_gpu(*state);
    const ordo_caps *caps = ordo_context_caps(r.context);
    assert_int_equal(ordo_tune(caps)->unrolled_count, SWITCH);
    for (uint32_t count = SWITCH - 1; count <= SWITCH + 1; count++) {
        static ordo_step steps[MAX_STEPS];
        ordo_summary summary;
        ordo_sort_desc desc = {.max_count = count, .value_bytes = 4, .method = ORDO_METHOD_RADIX};
        uint32_t unrolled = 0;
        assert_int_equal(ordo_sort_steps(caps, &desc, steps, MAX_STEPS, &summary), ORDO_OK);
        for (uint32_t i = 0; i < summary.step_count; i++) {
            unrolled += steps[i].unrolled;
            assert_false(steps[i].unrolled && steps[i].subgroups);
        }
        assert_int_equal(unrolled, count < SWITCH ? 0 : 2 * summary.pass_count);
    }
    ordo_context_release(r.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_every_type_order_value_and_count),
        rig_test(test_full_counts_beside_the_switch),
        rig_test(test_where_the_switch_is),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
