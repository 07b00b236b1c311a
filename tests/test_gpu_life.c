/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_life.c: contexts, plans and encodes as callers use them: repeated, interleaved,
 * rebound to other buffers, released early.
 */
#include "gpu_case.h"

#include <string.h>

/* B014: re-sort in place two hundred times; the values stay a permutation. */
static void test_b014_two_hundred_sorts_in_place(void **state) {
    rig *r = *state;
    enum { COUNT = 20011, REPEATS = 200 };
    static uint32_t keys[COUNT], values[COUNT], order[COUNT], sorted[COUNT], carried[COUNT];
    ordo_sort_desc desc = {
        .max_count = COUNT, .value_bytes = 4, .in_place = true, .method = ORDO_METHOD_RADIX};
    ordo_plan *plan;
    assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = i;
    WGPUBuffer key_buffer = gpu_buffer(&r->device, sizeof keys, WGPUBufferUsage_None, keys);
    WGPUBuffer value_buffer = gpu_buffer(&r->device, sizeof values, WGPUBufferUsage_None, values);
    ordo_args args = {.in = {key_buffer, 0}, .values_in = {value_buffer, 0}};
    for (uint64_t repeat = 0; repeat < REPEATS; repeat++) {
        distribution_fill(KEYS_RANDOM, ORDO_U32, COUNT, repeat, keys);
        gpu_write(&r->device, key_buffer, 0, keys, sizeof keys);
        WGPUCommandEncoder encoder = rig_encoder(r);
        assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_OK);
        gpu_submit(&r->device, encoder);
        if (repeat % 20 == 0) {
            /* The device may lag behind; now it is waited for, and each value followed. */
            assert_true(gpu_read(&r->device, value_buffer, 0, sizeof carried, carried));
        }
        model_argsort(&desc, keys, COUNT, order);
        model_gather(order, values, COUNT, 4, sorted);
        memcpy(values, sorted, sizeof values);
        if (repeat % 20 == 0)
            assert_memory_equal(carried, values, sizeof values);
    }
    assert_true(gpu_read(&r->device, value_buffer, 0, sizeof carried, carried));
    assert_memory_equal(carried, values, sizeof values);
    wgpuBufferRelease(key_buffer);
    wgpuBufferRelease(value_buffer);
    ordo_plan_release(plan);
}

/* A plan holds what it bound: a new buffer at the address of a released one is still a new one. */
static void test_new_buffers_for_every_encode(void **state) {
    rig *r = *state;
    enum { COUNT = 3000, REPEATS = 40 };
    static uint32_t keys[COUNT], held[COUNT], order[COUNT], sorted[COUNT];
    ordo_sort_desc desc = {.max_count = COUNT, .in_place = true, .method = ORDO_METHOD_RADIX};
    ordo_plan *plan;
    assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
    for (uint64_t repeat = 0; repeat < REPEATS; repeat++) {
        distribution_fill(KEYS_RANDOM, ORDO_U32, COUNT, repeat, keys);
        WGPUBuffer buffer = gpu_buffer(&r->device, sizeof keys, WGPUBufferUsage_None, keys);
        WGPUCommandEncoder encoder = rig_encoder(r);
        assert_int_equal(ordo_encode(plan, encoder, &(ordo_args){.in = {buffer, 0}}), ORDO_OK);
        gpu_submit(&r->device, encoder);
        assert_true(gpu_read(&r->device, buffer, 0, sizeof held, held));
        wgpuBufferRelease(buffer);
        model_argsort(&desc, keys, COUNT, order);
        model_gather(order, keys, COUNT, 4, sorted);
        assert_memory_equal(held, sorted, sizeof held);
    }
    ordo_plan_release(plan);
}

/* Two sets of what an encode may name; the second differs from the first in everything. */
enum { SET_COUNT = 4000, SET_BYTES = 4 * SET_COUNT };

typedef struct arg_set {
    uint32_t keys[SET_COUNT], values[SET_COUNT], count;
    ordo_args args;
} arg_set;

static ordo_buffer *named_arg(ordo_args *args, int index) {
    ordo_buffer *all[] = {&args->in,         &args->out,   &args->values_in,
                          &args->values_out, &args->count, &args->scratch};
    return all[index];
}

static void make_set(rig *r, arg_set *set, uint64_t seed, uint64_t scratch_bytes) {
    distribution_fill(KEYS_RANDOM, ORDO_U32, SET_COUNT, seed, set->keys);
    distribution_fill(KEYS_RANDOM, ORDO_U32, SET_COUNT, seed + 100, set->values);
    set->count = (uint32_t)(SET_COUNT - 500 * seed);
    const void *data[] = {set->keys, NULL, set->values, NULL, &set->count, NULL};
    for (int i = 0; i < 6; i++) {
        uint64_t bytes = i == 4 ? 4 : i == 5 ? scratch_bytes : SET_BYTES;
        WGPUBuffer buffer = gpu_buffer(&r->device, 256 * seed + bytes, WGPUBufferUsage_None, NULL);
        if (data[i])
            gpu_write(&r->device, buffer, 256 * seed, data[i], bytes);
        *named_arg(&set->args, i) = (ordo_buffer){buffer, 256 * seed};
    }
}

static void encode_set(rig *r, ordo_plan *plan, const ordo_args *args) {
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(plan, encoder, args), ORDO_OK);
    gpu_submit(&r->device, encoder);
}

/* What a plan keeps of the last encode is of no use when any one argument is another. */
static void test_one_argument_differs_from_the_last_encode(void **state) {
    rig *r = *state;
    static arg_set sets[2];
    static uint32_t order[SET_COUNT], expected[SET_COUNT], result[SET_COUNT];
    static const uint32_t zeros[SET_COUNT];
    ordo_sort_desc desc = {.max_count = SET_COUNT,
                           .value_bytes = 4,
                           .caller_scratch = true,
                           .method = ORDO_METHOD_RADIX};
    ordo_plan *plan;
    assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
    for (uint64_t i = 0; i < 2; i++)
        make_set(r, &sets[i], i + 1, ordo_plan_info(plan)->scratch_bytes);
    for (int other = 0; other < 6; other++) {
        ordo_args args = sets[0].args;
        encode_set(r, plan, &args);
        *named_arg(&args, other) = *named_arg(&sets[1].args, other);
        gpu_write(&r->device, args.out.buffer, args.out.offset_bytes, zeros, SET_BYTES);
        gpu_write(&r->device, args.values_out.buffer, args.values_out.offset_bytes, zeros,
                  SET_BYTES);
        encode_set(r, plan, &args);
        const uint32_t *keys = sets[other == 0].keys, *values = sets[other == 2].values;
        uint32_t count = sets[other == 4].count;
        model_argsort(&desc, keys, count, order);
        memset(expected, 0, sizeof expected);
        model_gather(order, keys, count, 4, expected);
        assert_true(
            gpu_read(&r->device, args.out.buffer, args.out.offset_bytes, SET_BYTES, result));
        assert_memory_equal(result, expected, SET_BYTES);
        model_gather(order, values, count, 4, expected);
        assert_true(gpu_read(&r->device, args.values_out.buffer, args.values_out.offset_bytes,
                             SET_BYTES, result));
        assert_memory_equal(result, expected, SET_BYTES);
    }
    ordo_plan_release(plan);
    for (int i = 0; i < 12; i++)
        wgpuBufferRelease(named_arg(&sets[i / 6].args, i % 6)->buffer);
}

/* Plans outlive their context, and work outlives its plan. */
static void test_context_released_before_its_plans(void **state) {
    rig *r = *state;
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context = gpu_context(&r->device, message);
    assert_non_null(context);
    sort_case c = {.desc = {.max_count = 5000, .value_bytes = 4}, .context = context};
    sort_begin(r, &c);
    ordo_context_release(context);
    WGPUCommandEncoder encoder = rig_encoder(r);
    sort_encode(&c, encoder);
    gpu_submit(&r->device, encoder);
    sort_end(r, &c);
}

static void test_plan_released_before_the_submit(void **state) {
    rig *r = *state;
    enum { COUNT = 5000 };
    static uint32_t keys[COUNT], order[COUNT], sorted[COUNT];
    distribution_fill(KEYS_RANDOM, ORDO_U32, COUNT, 1, keys);
    WGPUBuffer buffer = gpu_buffer(&r->device, sizeof keys, WGPUBufferUsage_None, keys);
    ordo_sort_desc desc = {.max_count = COUNT, .in_place = true};
    ordo_plan *plan;
    assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(plan, encoder, &(ordo_args){.in = {buffer, 0}}), ORDO_OK);
    ordo_plan_release(plan);
    gpu_submit(&r->device, encoder);
    model_argsort(&desc, keys, COUNT, order);
    model_gather(order, keys, COUNT, 4, sorted);
    assert_true(gpu_read(&r->device, buffer, 0, sizeof keys, keys));
    assert_memory_equal(keys, sorted, sizeof keys);
    wgpuBufferRelease(buffer);
}

/* B049: nothing to sort, with buffers and without any. */
static void test_b049_no_elements(void **state) {
    rig *r = *state;
    uint32_t word = 77;
    WGPUBuffer buffer = gpu_buffer(&r->device, 4, WGPUBufferUsage_None, &word);
    for (uint32_t form = 0; form < 4; form++) {
        ordo_sort_desc desc = {
            .value_bytes = form == 1 ? 4 : 0, .argsort = form == 2, .in_place = form == 3};
        ordo_plan *plan;
        assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
        assert_int_equal(ordo_plan_info(plan)->step_count, 0);
        WGPUCommandEncoder encoder = rig_encoder(r);
        assert_int_equal(ordo_encode(plan, encoder, &(ordo_args){0}), ORDO_OK);
        assert_int_equal(ordo_encode(plan, encoder, &(ordo_args){.in = {buffer, 0}}), ORDO_OK);
        gpu_submit(&r->device, encoder);
        ordo_plan_release(plan);
    }
    assert_true(gpu_read(&r->device, buffer, 0, 4, &word));
    assert_int_equal(word, 77);
    wgpuBufferRelease(buffer);
}

static void test_info_of_a_plan_is_the_planner_s(void **state) {
    rig *r = *state;
    ordo_sort_desc desc = {.max_count = 12345, .key = ORDO_F32, .value_bytes = 8};
    ordo_summary summary;
    ordo_plan *plan;
    assert_int_equal(ordo_sort_steps(ordo_context_caps(r->context), &desc, NULL, 0, &summary),
                     ORDO_OK);
    assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
    assert_int_equal(ordo_plan_info(plan)->step_count, summary.step_count);
    assert_int_equal(ordo_plan_info(plan)->scratch_bytes, summary.scratch_bytes);
    assert_int_equal(ordo_plan_info(plan)->moved_bytes, summary.moved_bytes);
    assert_string_equal(ordo_plan_info(plan)->message, "");
    ordo_plan_release(plan);
    ordo_plan_release(NULL);
    ordo_context_release(NULL);
}

/* B106: timestamps go around the pass; the end is not before the beginning. */
static void test_b106_timestamps_of_an_encode(void **state) {
    rig *r = *state;
    assert_true(r->device.timestamps);
    WGPUQuerySetDescriptor desc = {.type = WGPUQueryType_Timestamp, .count = 2};
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(r->device.device, &desc);
    WGPUBuffer ticks = gpu_buffer(&r->device, 16, WGPUBufferUsage_QueryResolve, NULL);
    WGPUPassTimestampWrites writes = {
        .querySet = set, .beginningOfPassWriteIndex = 0, .endOfPassWriteIndex = 1};
    sort_case c = {.desc = {.max_count = 100000}};
    sort_begin(r, &c);
    c.args.timestamps = &writes;
    WGPUCommandEncoder encoder = rig_encoder(r);
    sort_encode(&c, encoder);
    wgpuCommandEncoderResolveQuerySet(encoder, set, 0, 2, ticks, 0);
    gpu_submit(&r->device, encoder);
    uint64_t times[2];
    assert_true(gpu_read(&r->device, ticks, 0, sizeof times, times));
    assert_true(times[0] > 0);
    assert_true(times[1] >= times[0]);
    sort_end(r, &c);
    wgpuBufferRelease(ticks);
    wgpuQuerySetRelease(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_b014_two_hundred_sorts_in_place),
        rig_test(test_new_buffers_for_every_encode),
        rig_test(test_one_argument_differs_from_the_last_encode),
        rig_test(test_context_released_before_its_plans),
        rig_test(test_plan_released_before_the_submit),
        rig_test(test_b049_no_elements),
        rig_test(test_info_of_a_plan_is_the_planner_s),
        rig_test(test_b106_timestamps_of_an_encode),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
