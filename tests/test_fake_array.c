/* SPDX-License-Identifier: MIT */
/*
 * test_fake_array.c: ordo_sort_array on the fake WebGPU: what goes up comes down, and on every
 * failure the host arrays are as they were.
 *
 * The "GPU" reverses each of the caller's buffers once, so that a result is known to come from it.
 */
#include "fake_common.h"

#define KEYS 5000

/* A sort of host arrays, with what the fake GPU makes of them. */
typedef struct arrays {
    ordo_sort_desc desc;
    size_t key_bytes, value_bytes; /* of one element */
    uint8_t *keys, *values;        /* what ordo gets; values NULL when there are none */
    uint8_t *keys_before, *values_before;
} arrays;

/* Buffers that the GPU has reversed. */
typedef struct gpu {
    const arrays *a;
    WGPUBuffer done[2];
} gpu;

static void reverse(uint8_t *bytes, size_t element_bytes, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        for (size_t b = 0; b < element_bytes; b++) {
            uint8_t *x = &bytes[i * element_bytes + b];
            uint8_t *y = &bytes[(count - 1 - i) * element_bytes + b];
            const uint8_t swap = *x;
            *x = *y;
            *y = swap;
        }
    }
}

/* Keys are uploaded first; an argsort's indices are whatever the GPU writes. */
static void reverse_buffers(void *user, const fake_dispatch *d) {
    gpu *g = user;
    for (unsigned b = 2; b < FAKE_MAX_BINDINGS; b++) {
        if (!d->buffer[b] || strncmp(fake_label(d->buffer[b]), "ordo", 4) == 0 ||
            d->buffer[b] == g->done[0] || d->buffer[b] == g->done[1])
            continue;
        const bool is_keys = strcmp(fake_label(d->buffer[b]), "keys") == 0;
        g->done[g->done[0] != NULL] = d->buffer[b];
        if (!is_keys && g->a->desc.argsort) {
            for (uint32_t i = 0; i < KEYS; i++) {
                const uint32_t index = KEYS - 1 - i;
                memcpy(d->data[b] + 4 * i, &index, 4);
            }
        } else if (!g->a->desc.argsort) {
            reverse(d->data[b], is_keys ? g->a->key_bytes : g->a->value_bytes, KEYS);
        }
    }
}

static uint8_t *noise(size_t bytes, unsigned seed) {
    uint8_t *block = malloc(bytes);
    assert_non_null(block);
    for (size_t i = 0; i < bytes; i++)
        block[i] = (uint8_t)((i * 167 + seed * 91 + i / 251) >> 1);
    return block;
}

static void arrays_open(arrays *a, const ordo_sort_desc *desc) {
    *a = (arrays){.desc = *desc,
                  .key_bytes = ordo_key_bytes(desc),
                  .value_bytes = desc->argsort ? 4 : desc->value_bytes};
    a->keys = noise(KEYS * a->key_bytes, 1);
    a->keys_before = noise(KEYS * a->key_bytes, 1);
    if (a->value_bytes) {
        a->values = noise(KEYS * a->value_bytes, 2);
        a->values_before = noise(KEYS * a->value_bytes, 2);
    }
}

static void arrays_close(arrays *a) {
    free(a->keys);
    free(a->keys_before);
    free(a->values);
    free(a->values_before);
}

static void check_unchanged(const arrays *a) {
    assert_memory_equal(a->keys, a->keys_before, KEYS * a->key_bytes);
    if (a->values)
        assert_memory_equal(a->values, a->values_before, KEYS * a->value_bytes);
}

/* Sorts once where nothing fails, checks that the arrays are what the GPU made of them, and puts
   them back. */
static void check_success(ordo_context *context, arrays *a) {
    gpu g = {.a = a};
    fake.on_dispatch = reverse_buffers;
    fake.user = &g;
    assert_int_equal(ordo_sort_array(context, &a->desc, a->keys, a->values), ORDO_OK);
    fake.on_dispatch = NULL;
    if (a->desc.argsort) {
        for (uint32_t i = 0; i < KEYS; i++) {
            uint32_t index;
            memcpy(&index, a->values + 4 * i, 4);
            assert_int_equal(index, KEYS - 1 - i);
        }
        memcpy(a->values, a->values_before, KEYS * a->value_bytes);
    } else {
        reverse(a->keys, a->key_bytes, KEYS);
        if (a->values)
            reverse(a->values, a->value_bytes, KEYS);
    }
    check_unchanged(a);
}

static const ordo_sort_desc descs[] = {
    {RADIX, .max_count = KEYS},
    {RADIX, .max_count = KEYS, .key = ORDO_F64, .order = ORDO_DESCENDING},
    {RADIX, .max_count = KEYS, .key = ORDO_I32, .value_bytes = 12},
    {RADIX, .max_count = KEYS, .key = ORDO_U64, .value_bytes = 64},
    {RADIX, .max_count = KEYS, .key = ORDO_F32, .argsort = true},
    {.max_count = KEYS, .part_count = 2, .row_length = 4000, .value_bytes = 4},
    {RADIX, .max_count = KEYS, .skip_low_bits = 16, .skip_high_bits = 16},
};

static void close_all(ordo_context *context, arrays *a) {
    ordo_context_release(context);
    arrays_close(a);
    assert_int_equal(fake.uncaptured, 0); /* one would abort a program on wgpu-native */
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

static void test_upload_and_download(void **state) {
    (void)state;
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (size_t t = 0; t < COUNT(timings); t++) {
        for (size_t i = 0; i < COUNT(descs); i++) {
            fake_open();
            fake.timing = timings[t];
            ordo_context *context = make_context();
            arrays a;
            arrays_open(&a, &descs[i]);
            if (descs[i].skip_low_bits + descs[i].skip_high_bits < 32)
                check_success(context, &a);
            else /* all keys tie: the arrays stay as they are */
                assert_int_equal(ordo_sort_array(context, &a.desc, a.keys, a.values), ORDO_OK);
            check_unchanged(&a);
            const unsigned kept = fake_live();
            assert_int_equal(ordo_sort_array(context, &a.desc, a.keys, a.values), ORDO_OK);
            assert_int_equal(fake_live(), kept); /* "keeps nothing but compiled kernels" */
            assert_int_equal(fake.live[FAKE_BUFFER], 0);
            assert_int_equal(fake.live[FAKE_BIND_GROUP], 0);
            close_all(context, &a);
        }
    }
}

static void test_one_element(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    uint64_t key = 0x123456789abcdef0, value = 42;
    const ordo_sort_desc one = {.max_count = 1, .key = ORDO_U64, .value_bytes = 8};
    assert_int_equal(ordo_sort_array(context, &one, &key, &value), ORDO_OK);
    assert_true(key == 0x123456789abcdef0 && value == 42);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

static void test_nothing_to_sort(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    const ordo_sort_desc none = {.value_bytes = 4};
    assert_int_equal(ordo_sort_array(context, &none, NULL, NULL), ORDO_OK);
    uint32_t key = 1, value = 2;
    assert_int_equal(ordo_sort_array(context, &none, &key, &value), ORDO_OK);
    assert_int_equal(key, 1);
    assert_int_equal(value, 2);
    assert_int_equal(fake.submits, 0);
    ordo_context_release(context);
    assert_string_equal(fake_close(), "");
}

/* ---- Mistakes ---------------------------------------------------------------------------------*/

static uint32_t keys[4] = {4, 3, 2, 1}, values[16] = {0, 1, 2, 3};

static void refuse(ordo_context *context, const ordo_sort_desc *desc, uint32_t *k, uint32_t *v,
                   ordo_message_id id, ordo_report report) {
    const ordo_status status = ordo_sort_array(context, desc, k, v);
    check_message(ordo_message(context), status, id, report);
    assert_int_equal(fake.creations, 0);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(keys[i], 4 - i);
        assert_int_equal(values[i], i);
    }
}

static void test_mistakes(void **state) {
    (void)state;
    const ordo_sort_desc plain = {.max_count = 4}, pairs = {.max_count = 4, .value_bytes = 4},
                         argsort = {.max_count = 4, .argsort = true};
    fake_open();
    ordo_context *c = make_context();
    refuse(c, NULL, keys, NULL, ORDO_MESSAGE_DESC_NULL, (ordo_report){.s = "desc"});
    refuse(c, &plain, NULL, NULL, ORDO_MESSAGE_ARRAY_NULL, (ordo_report){.s = "keys", .a = 4});
    refuse(c, &pairs, keys, NULL, ORDO_MESSAGE_ARRAY_NULL, (ordo_report){.s = "values", .a = 4});
    refuse(c, &argsort, keys, NULL, ORDO_MESSAGE_ARRAY_NULL, (ordo_report){.s = "values", .a = 4});
    refuse(c, &plain, keys, values, ORDO_MESSAGE_ARRAY_UNUSED, (ordo_report){0});
    refuse(c, &(ordo_sort_desc){.max_count = 4, .in_place = true}, keys, NULL,
           ORDO_MESSAGE_ARRAY_FLAG, (ordo_report){.s = "in_place"});
    refuse(c, &(ordo_sort_desc){.max_count = 4, .caller_scratch = true}, keys, NULL,
           ORDO_MESSAGE_ARRAY_FLAG, (ordo_report){.s = "caller_scratch"});
    refuse(c, &(ordo_sort_desc){.max_count = 4, .key = (ordo_type)6}, keys, NULL, ORDO_MESSAGE_ENUM,
           (ordo_report){.s = "key", .a = 6, .b = 5});
    refuse(c, &(ordo_sort_desc){.max_count = 4, .value_bytes = 6}, keys, values,
           ORDO_MESSAGE_VALUE_BYTES, (ordo_report){.a = 6, .b = 64});
    refuse(c, &pairs, keys, keys, ORDO_MESSAGE_ARRAY_OVERLAP, (ordo_report){0});
    refuse(c, &pairs, keys, keys + 3, ORDO_MESSAGE_ARRAY_OVERLAP, (ordo_report){0});
    refuse(c, &(ordo_sort_desc){.max_count = 2, .argsort = true}, keys + 1, keys,
           ORDO_MESSAGE_ARRAY_OVERLAP, (ordo_report){0});
    /* Longer than this device's bindings: the arrays are not even looked at. */
    refuse(c, &(ordo_sort_desc){.max_count = 33554433, .method = ORDO_METHOD_MSD}, keys, NULL,
           ORDO_MESSAGE_BINDING, (ordo_report){.a = 33554433, .b = 134217732, .c = 134217728});
    assert_int_equal(ordo_sort_array(NULL, &plain, keys, NULL), ORDO_INVALID);
    ordo_context_release(c);

    ordo_context_desc desc = usual_desc();
    desc.instance = NULL;
    assert_int_equal(ordo_context_create(&desc, &c, NULL), ORDO_OK);
    refuse(c, &plain, keys, NULL, ORDO_MESSAGE_NO_INSTANCE, (ordo_report){.s = "the sort"});
    ordo_context_release(c);
    assert_string_equal(fake_close(), "");
}

/* ---- Failures ---------------------------------------------------------------------------------*/

/* Sorts as the fake was told to fail; expects a failure that leaves the arrays alone. */
static ordo_status fail_sort(ordo_context *context, arrays *a) {
    gpu g = {.a = a};
    fake.on_dispatch = reverse_buffers;
    fake.user = &g;
    const ordo_status status = ordo_sort_array(context, &a->desc, a->keys, a->values);
    fake.on_dispatch = NULL;
    assert_int_not_equal(status, ORDO_OK);
    check_fits(ordo_message(context), status);
    check_unchanged(a);
    assert_int_equal(fake.live[FAKE_BUFFER], 0);
    return status;
}

static bool fail_creation(const ordo_sort_desc *desc, WGPUErrorType error, bool warm, unsigned k) {
    fake_open();
    ordo_context *context = make_context();
    arrays a;
    arrays_open(&a, desc);
    if (warm) /* so that only buffers, bind groups and the encoder are left to fail */
        check_success(context, &a);
    fake.fail_creation = k;
    fake.fail_error = error;
    gpu g = {.a = &a};
    fake.on_dispatch = reverse_buffers;
    fake.user = &g;
    const ordo_status status = ordo_sort_array(context, desc, a.keys, a.values);
    const bool reached = fake.fail_creation == 0;
    fake_heal();
    if (reached) {
        assert_int_equal(status,
                         error == WGPUErrorType_OutOfMemory ? ORDO_OUT_OF_MEMORY : ORDO_FAILED);
        check_unchanged(&a);
    } else {
        assert_int_equal(status, ORDO_OK);
        memcpy(a.keys, a.keys_before, KEYS * a.key_bytes);
        if (a.values)
            memcpy(a.values, a.values_before, KEYS * a.value_bytes);
    }
    assert_int_equal(fake.live[FAKE_BUFFER], 0);
    check_success(context, &a);
    close_all(context, &a);
    return reached;
}

static void test_every_creation_fails(void **state) {
    (void)state;
    const WGPUErrorType errors[] = {WGPUErrorType_Validation, WGPUErrorType_OutOfMemory};
    for (size_t e = 0; e < COUNT(errors); e++) {
        for (size_t i = 0; i + 1 < COUNT(descs); i++) {
            for (int warm = 0; warm < 2; warm++) {
                unsigned k = 1;
                while (fail_creation(&descs[i], errors[e], warm, k))
                    k++;
                assert_true(k > 8);
            }
        }
    }
}

/* The device's memory holds the plan but not the arrays. */
static void test_no_memory_for_the_arrays(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    arrays a;
    arrays_open(&a, &descs[2]);
    check_success(context, &a);
    const unsigned plan_creations = 2; /* params and scratch */
    fake.fail_creation = plan_creations + 1;
    fake.fail_error = WGPUErrorType_OutOfMemory;
    ordo_status status = fail_sort(context, &a);
    check_message(ordo_message(context), status, ORDO_MESSAGE_DEVICE_MEMORY,
                  (ordo_report){.s = "the arrays", .a = KEYS * (a.key_bytes + a.value_bytes)});
    fake.fail_creation = plan_creations + 1;
    fake.fail_error = WGPUErrorType_Validation;
    status = fail_sort(context, &a);
    check_message(ordo_message(context), status, ORDO_MESSAGE_DEVICE_REFUSED,
                  (ordo_report){.s = "the arrays", .t = "the fake was told to fail this buffer"});
    check_success(context, &a);
    close_all(context, &a);
}

static void test_every_malloc_fails(void **state) {
    (void)state;
    for (size_t i = 0; i + 1 < COUNT(descs); i++) {
        for (unsigned k = 1, more = 1; more; k++) {
            fake_open();
            ordo_context *context = make_context();
            arrays a;
            arrays_open(&a, &descs[i]);
            fake.fail_malloc = k;
            const ordo_status status = ordo_sort_array(context, &a.desc, a.keys, a.values);
            more = fake.fail_malloc == 0;
            fake_heal();
            assert_int_equal(status, more ? ORDO_OUT_OF_MEMORY : ORDO_OK);
            if (more)
                check_unchanged(&a);
            check_success(context, &a);
            close_all(context, &a);
        }
    }
}

/* Each mapping fails in each way, the second one after the first has succeeded. */
static void test_mapping_fails(void **state) {
    (void)state;
    const WGPUMapAsyncStatus statuses[] = {WGPUMapAsyncStatus_Error, WGPUMapAsyncStatus_Aborted,
                                           WGPUMapAsyncStatus_CallbackCancelled};
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (size_t i = 0; i < COUNT(statuses) * COUNT(timings) * 2; i++) {
        fake_open();
        fake.timing = timings[i / 2 % COUNT(timings)];
        ordo_context *context = make_context();
        arrays a;
        arrays_open(&a, &descs[2]);
        fake.map_status = statuses[i / 2 / COUNT(timings)];
        fake.good_maps = i % 2;
        const ordo_status status = fail_sort(context, &a);
        check_message(ordo_message(context), status, ORDO_MESSAGE_DEVICE_LOST,
                      (ordo_report){.s = i % 2 ? "values" : "keys"});
        fake_heal();
        check_success(context, &a);
        close_all(context, &a);
    }
}

/* The device is lost before the call or in the submit; wgpu-native tells, Dawn does not. */
static void test_lost_device(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        fake_open();
        ordo_context *context = make_context();
        arrays a;
        arrays_open(&a, &descs[0]);
        fake.lost = i % 2;
        fake.lose_at_submit = true;
        fake.lost_is_an_error = i / 2;
        const ordo_status status = fail_sort(context, &a);
        if (!fake.lost_is_an_error)
            check_message(ordo_message(context), status, ORDO_MESSAGE_DEVICE_LOST,
                          (ordo_report){.s = "keys"});
        else
            assert_true(status == ORDO_DEVICE_LOST || status == ORDO_FAILED);
        fail_sort(context, &a); /* and stays so */
        close_all(context, &a);
    }
}

/* From the g-th pop on error scopes cannot tell whether there was an error. */
static void test_scopes_fail(void **state) {
    (void)state;
    const WGPUPopErrorScopeStatus statuses[] = {WGPUPopErrorScopeStatus_Error,
                                                WGPUPopErrorScopeStatus_CallbackCancelled};
    for (size_t i = 0; i < COUNT(statuses); i++) {
        for (unsigned g = 0;; g++) {
            fake_open();
            ordo_context *context = make_context();
            arrays a;
            arrays_open(&a, &descs[2]);
            check_success(context, &a);
            fake.good_pops = 1000;
            check_success(context, &a);
            const unsigned pops = 1000 - fake.good_pops; /* of one sort */
            fake.good_pops = g;
            fake.pop_status = statuses[i];
            if (g < pops)
                fail_sort(context, &a);
            fake_heal();
            check_success(context, &a);
            close_all(context, &a);
            if (g == pops)
                break;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upload_and_download),
        cmocka_unit_test(test_one_element),
        cmocka_unit_test(test_nothing_to_sort),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_every_creation_fails),
        cmocka_unit_test(test_no_memory_for_the_arrays),
        cmocka_unit_test(test_every_malloc_fails),
        cmocka_unit_test(test_mapping_fails),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_scopes_fail),
    };
    return cmocka_run_group_tests_name("fake_array", tests, NULL, NULL);
}
