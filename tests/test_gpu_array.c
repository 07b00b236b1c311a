/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_array.c: host arrays sorted in one call, and a context on a device of ordo's own.
 */
#include "gpu_case.h"
#include "messages.h"

#include <string.h>

/* Sorts copies of a case's keys and values, and compares with the model. */
static void check_array(ordo_context *context, ordo_sort_desc desc, uint64_t seed) {
    uint64_t count = desc.max_count;
    uint32_t key_bytes = model_bytes(desc.key);
    uint32_t value_bytes = desc.argsort ? 4 : desc.value_bytes;
    unsigned char *keys = malloc(count * key_bytes + 1), *sorted = malloc(count * key_bytes + 1);
    unsigned char *values = malloc(count * value_bytes + 1);
    unsigned char *carried = malloc(count * value_bytes + 1);
    uint32_t *order = malloc(count * 4 + 4);
    assert_true(keys && sorted && values && carried && order);
    distribution_fill(KEYS_SPECIAL, desc.key, count, seed, keys);
    for (uint64_t i = 0; i < count * value_bytes; i++)
        values[i] = (unsigned char)(i * 31 >> 3);
    memcpy(sorted, keys, count * key_bytes);
    memcpy(carried, values, count * value_bytes);
    sorted[count * key_bytes] = carried[count * value_bytes] = 0x5a;

    ordo_status status = ordo_sort_array(context, &desc, sorted, value_bytes ? carried : NULL);
    if (status != ORDO_OK)
        fail_msg("%s", ordo_message(context));
    model_argsort(&desc, keys, count, order);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t from = desc.argsort ? i : order[i];
        assert_memory_equal(sorted + i * key_bytes, keys + from * key_bytes, key_bytes);
        if (desc.argsort)
            assert_memory_equal(carried + 4 * i, &order[i], 4);
        else if (value_bytes)
            assert_memory_equal(carried + i * value_bytes,
                                values + (uint64_t)order[i] * value_bytes, value_bytes);
    }
    assert_int_equal(sorted[count * key_bytes], 0x5a);
    assert_int_equal(carried[count * value_bytes], 0x5a);
    free(keys);
    free(sorted);
    free(values);
    free(carried);
    free(order);
}

static void test_arrays_of_every_type(void **state) {
    rig *r = *state;
    for (int key = ORDO_U32; key <= ORDO_F64; key++) {
        ordo_sort_desc desc = {.max_count = 10001, .key = (ordo_type)key};
        desc.value_bytes = key & 1 ? 4 : 0;
        check_array(r->context, desc, (uint64_t)key);
        desc.method = ORDO_METHOD_RADIX;
        check_array(r->context, desc, (uint64_t)key);
    }
    check_array(r->context, (ordo_sort_desc){.max_count = 5000, .argsort = true}, 9);
    for (uint64_t count = 0; count < 4; count++) {
        check_array(r->context, (ordo_sort_desc){.max_count = count}, 1);
        check_array(r->context, (ordo_sort_desc){.max_count = count, .value_bytes = 4}, 2);
    }
}

/* A count of its own, values wider than words, windows: the desc means what it means elsewhere. */
static void test_arrays_with_wide_values_and_windows(void **state) {
    rig *r = *state;
    check_array(r->context,
                (ordo_sort_desc){.max_count = 7001, .value_bytes = 12, .method = ORDO_METHOD_RADIX},
                1);
    check_array(r->context,
                (ordo_sort_desc){
                    .max_count = 7001, .key = ORDO_I32, .value_bytes = 4, .skip_high_bits = 30},
                2);
    check_array(r->context,
                (ordo_sort_desc){.max_count = 300, .argsort = true, .skip_low_bits = 32}, 3);
    check_array(r->context, (ordo_sort_desc){.max_count = 300000, .order = ORDO_DESCENDING}, 4);
    check_array(r->context,
                (ordo_sort_desc){.max_count = 300000, .argsort = true, .method = ORDO_METHOD_RADIX},
                4);
}

/* A refusal says why and leaves the arrays alone. */
static void test_arrays_that_are_refused(void **state) {
    rig *r = *state;
    const struct {
        ordo_sort_desc desc;
        bool keys, values;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {{.max_count = 4, .in_place = true}, 1, 0, ORDO_MESSAGE_ARRAY_FLAG, {.s = "in_place"}},
        {{.max_count = 4, .caller_scratch = true},
         1,
         0,
         ORDO_MESSAGE_ARRAY_FLAG,
         {.s = "caller_scratch"}},
        {{.max_count = 4}, 0, 0, ORDO_MESSAGE_ARRAY_NULL, {.s = "keys", .a = 4}},
        {{.max_count = 4, .value_bytes = 4},
         1,
         0,
         ORDO_MESSAGE_ARRAY_NULL,
         {.s = "values", .a = 4}},
        {{.max_count = 4, .argsort = true}, 1, 0, ORDO_MESSAGE_ARRAY_NULL, {.s = "values", .a = 4}},
        {{.max_count = 4}, 1, 1, ORDO_MESSAGE_ARRAY_UNUSED, {0}},
        {{.max_count = 4, .value_bytes = 5}, 1, 1, ORDO_MESSAGE_VALUE_BYTES, {.a = 5, .b = 64}},
        {{.max_count = 4, .key = (ordo_type)6},
         1,
         0,
         ORDO_MESSAGE_ENUM,
         {.s = "key", .a = 6, .b = 5}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t keys[] = {4, 3, 2, 1}, values[] = {1, 2, 3, 4};
        char expected[ORDO_MESSAGE_BYTES];
        ordo_status status = ordo_message_write(expected, rows[i].id, &rows[i].report);
        assert_int_equal(ordo_sort_array(r->context, &rows[i].desc, rows[i].keys ? keys : NULL,
                                         rows[i].values ? values : NULL),
                         status);
        assert_string_equal(ordo_message(r->context), expected);
        assert_true(keys[0] == 4 && keys[3] == 1 && values[0] == 1 && values[3] == 4);
    }
    uint32_t keys[] = {4, 3, 2, 1};
    ordo_sort_desc desc = {.max_count = 4, .value_bytes = 4};
    assert_int_equal(ordo_sort_array(r->context, &desc, keys, keys), ORDO_INVALID);
    char expected[ORDO_MESSAGE_BYTES];
    ordo_message_write(expected, ORDO_MESSAGE_ARRAY_OVERLAP, &(ordo_report){0});
    assert_string_equal(ordo_message(r->context), expected);
}

/* More than the device's bindings hold is refused before anything is read. */
static void test_an_array_above_the_limits(void **state) {
    rig *r = *state;
    uint32_t key = 5;
    ordo_sort_desc desc = {.max_count = UINT32_MAX, .method = ORDO_METHOD_MSD};
    assert_int_equal(ordo_sort_array(r->context, &desc, &key, NULL), ORDO_UNSUPPORTED);
    assert_int_equal(key, 5);
}

/* Without an instance nothing can be waited for, and a sort of an array says so; a plan works. */
static void test_a_context_without_an_instance(void **state) {
    rig *r = *state;
    char expected[ORDO_MESSAGE_BYTES], message[ORDO_MESSAGE_BYTES];
    ordo_context_desc setup = {.device = r->device.device, .subgroups = r->device.subgroups};
    ordo_context *context;
    assert_int_equal(ordo_context_create(&setup, &context, message), ORDO_OK);
    uint32_t keys[] = {2, 1};
    ordo_sort_desc desc = {.max_count = 2};
    assert_int_equal(ordo_sort_array(context, &desc, keys, NULL), ORDO_INVALID);
    ordo_message_write(expected, ORDO_MESSAGE_NO_INSTANCE, &(ordo_report){.s = "the sort"});
    assert_string_equal(ordo_message(context), expected);
    sort_check(r, (sort_case){.desc = {.max_count = 3000}, .context = context});
    ordo_context_release(context);
}

static void test_a_device_of_ordo_s_own(void **state) {
    (void)state;
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    if (ordo_context_open(&context, message) != ORDO_OK)
        fail_msg("%s", message);
    assert_string_equal(message, "");
    check_array(context, (ordo_sort_desc){.max_count = 3000, .key = ORDO_F32, .value_bytes = 4}, 1);
    ordo_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_arrays_of_every_type),
        rig_test(test_arrays_with_wide_values_and_windows),
        rig_test(test_arrays_that_are_refused),
        rig_test(test_an_array_above_the_limits),
        rig_test(test_a_context_without_an_instance),
        rig_test(test_a_device_of_ordo_s_own),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
