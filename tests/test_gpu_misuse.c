/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_misuse.c: calls that cannot be served: wrong buffers, wrong descs, a device that
 * refuses or goes away. Each is refused with its message, records nothing, and leaves all objects
 * usable.
 */
#include "gpu_case.h"
#include "messages.h"

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* ---- Arguments of an encode ------------------------------------------------------------------ */

static void expect_message(rig *r, ordo_message_id id, ordo_report report) {
    char expected[ORDO_MESSAGE_BYTES];
    ordo_message_write(expected, id, &report);
    assert_string_equal(ordo_message(r->context), expected);
}

/* Pairs of 1,000 keys with buffers that fit, for tests that then spoil one thing. */
enum { MISUSE_COUNT = 1000, MISUSE_BYTES = 4 * MISUSE_COUNT };

typedef struct misuse {
    ordo_plan *plan;
    ordo_args args;
    WGPUBuffer buffers[6]; /* four that fit, a small one, one without Storage */
} misuse;

static void misuse_begin(rig *r, misuse *m) {
    ordo_sort_desc desc = {.max_count = MISUSE_COUNT, .value_bytes = 4};
    assert_int_equal(ordo_sort_plan(r->context, &desc, &m->plan), ORDO_OK);
    for (int i = 0; i < 5; i++) {
        uint64_t bytes = i < 4 ? 3 * MISUSE_BYTES : MISUSE_BYTES - 4;
        m->buffers[i] = gpu_buffer(&r->device, bytes, WGPUBufferUsage_None, NULL);
    }
    WGPUBufferDescriptor plain = {.size = MISUSE_BYTES, .usage = WGPUBufferUsage_CopyDst};
    m->buffers[5] = wgpuDeviceCreateBuffer(r->device.device, &plain);
    m->args = (ordo_args){.in = {m->buffers[0], 0},
                          .out = {m->buffers[1], 0},
                          .values_in = {m->buffers[2], 0},
                          .values_out = {m->buffers[3], 0}};
}

/* The encode is refused so, and the encoder stays as good as new. */
static void expect_refusal(rig *r, misuse *m, const ordo_args *args, ordo_message_id id,
                           ordo_report report) {
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(m->plan, encoder, args), ORDO_INVALID);
    expect_message(r, id, report);
    assert_int_equal(ordo_encode(m->plan, encoder, &m->args), ORDO_OK);
    gpu_submit(&r->device, encoder);
}

static void misuse_end(misuse *m) {
    for (int i = 0; i < 6; i++)
        wgpuBufferRelease(m->buffers[i]);
    ordo_plan_release(m->plan);
}

static const char *const arg_names[] = {"in", "out", "values_in", "values_out"};

static ordo_buffer *arg_at(ordo_args *args, int index) {
    ordo_buffer *all[] = {&args->in, &args->out, &args->values_in, &args->values_out};
    return all[index];
}

/* B092, B110: a buffer missing, too small, misaligned or without Storage, for each argument. */
static void test_each_argument_is_checked(void **state) {
    rig *r = *state;
    misuse m;
    misuse_begin(r, &m);
    uint32_t alignment = ordo_context_caps(r->context)->offset_alignment_bytes;
    for (int i = 0; i < 4; i++) {
        const char *name = arg_names[i];
        ordo_args args = m.args;
        *arg_at(&args, i) = (ordo_buffer){0};
        expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_MISSING, (ordo_report){.s = name});

        args = m.args;
        arg_at(&args, i)->buffer = m.buffers[4];
        expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_SIZE,
                       (ordo_report){.s = name, .a = MISUSE_BYTES, .b = 0, .c = MISUSE_BYTES - 4});

        const uint32_t offsets[] = {4, alignment / 2, 2776};
        for (size_t j = 0; j < COUNT_OF(offsets); j++) {
            args = m.args;
            arg_at(&args, i)->offset_bytes = offsets[j];
            expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_OFFSET,
                           (ordo_report){.s = name, .a = offsets[j], .b = alignment});
        }

        args = m.args;
        arg_at(&args, i)->offset_bytes = UINT64_MAX - (alignment - 1);
        expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_SIZE,
                       (ordo_report){.s = name,
                                     .a = MISUSE_BYTES,
                                     .b = UINT64_MAX - (alignment - 1),
                                     .c = 3 * MISUSE_BYTES});

        args = m.args;
        arg_at(&args, i)->buffer = m.buffers[5];
        expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_USAGE, (ordo_report){.s = name});
    }
    misuse_end(&m);
}

/* B032: overlapping ranges are refused, touching ones are not. */
static void test_b032_overlaps_are_refused(void **state) {
    rig *r = *state;
    misuse m;
    misuse_begin(r, &m);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            ordo_args args = m.args;
            *arg_at(&args, i) = (ordo_buffer){m.buffers[i], 4096};
            *arg_at(&args, j) = (ordo_buffer){m.buffers[i], 4096 + 3840};
            expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_OVERLAP,
                           (ordo_report){.s = arg_names[j],
                                         .t = arg_names[i],
                                         .a = 4096 + 3840,
                                         .b = 4096,
                                         .c = MISUSE_BYTES});
            arg_at(&args, j)->offset_bytes = 0;
            WGPUCommandEncoder encoder = rig_encoder(r);
            assert_int_equal(ordo_encode(m.plan, encoder, &args), ORDO_OK);
            gpu_submit(&r->device, encoder);
        }
    }
    misuse_end(&m);
}

static void test_the_count_has_its_own_buffer(void **state) {
    rig *r = *state;
    misuse m;
    misuse_begin(r, &m);
    uint32_t alignment = ordo_context_caps(r->context)->offset_alignment_bytes;
    for (int i = 0; i < 4; i++) {
        ordo_args args = m.args;
        args.count = (ordo_buffer){arg_at(&args, i)->buffer, 8192};
        expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_SHARED, (ordo_report){.s = arg_names[i]});
    }
    ordo_args args = m.args;
    args.count = (ordo_buffer){m.buffers[4], 4};
    expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_OFFSET,
                   (ordo_report){.s = "count", .a = 4, .b = alignment});
    args.count = (ordo_buffer){m.buffers[4], 4096};
    expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_SIZE,
                   (ordo_report){.s = "count", .a = 4, .b = 4096, .c = MISUSE_BYTES - 4});
    args.count = (ordo_buffer){m.buffers[5], 0};
    expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_USAGE, (ordo_report){.s = "count"});
    misuse_end(&m);
}

/* Buffers that a plan has no use for are as wrong as missing ones. */
static void test_arguments_without_use(void **state) {
    rig *r = *state;
    misuse m;
    misuse_begin(r, &m);
    ordo_args args = m.args;
    args.scratch = (ordo_buffer){m.buffers[4], 0};
    expect_refusal(r, &m, &args, ORDO_MESSAGE_ARG_UNUSED, (ordo_report){.s = "scratch"});
    const struct {
        ordo_sort_desc desc;
        int unused;
    } rows[] = {
        {{.max_count = 10}, 2},
        {{.max_count = 10}, 3},
        {{.max_count = 10, .argsort = true}, 1},
        {{.max_count = 10, .argsort = true}, 2},
        {{.max_count = 10, .in_place = true}, 1},
        {{.max_count = 10, .in_place = true, .value_bytes = 4}, 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ordo_plan *plan;
        const ordo_sort_desc *desc = &rows[i].desc;
        assert_int_equal(ordo_sort_plan(r->context, desc, &plan), ORDO_OK);
        ordo_args fitting = {.in = m.args.in};
        if (!desc->argsort && !desc->in_place)
            fitting.out = m.args.out;
        if (desc->value_bytes)
            fitting.values_in = m.args.values_in;
        if (desc->argsort)
            fitting.values_out = m.args.values_out;
        WGPUCommandEncoder encoder = rig_encoder(r);
        assert_int_equal(ordo_encode(plan, encoder, &fitting), ORDO_OK);
        args = fitting;
        *arg_at(&args, rows[i].unused) = *arg_at(&m.args, rows[i].unused);
        assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_INVALID);
        expect_message(r, ORDO_MESSAGE_ARG_UNUSED, (ordo_report){.s = arg_names[rows[i].unused]});
        gpu_submit(&r->device, encoder);
        ordo_plan_release(plan);
    }
    misuse_end(&m);
}

static void test_scratch_of_the_caller_is_checked(void **state) {
    rig *r = *state;
    ordo_sort_desc desc = {
        .max_count = 10000, .in_place = true, .caller_scratch = true, .method = ORDO_METHOD_RADIX};
    ordo_plan *plan;
    assert_int_equal(ordo_sort_plan(r->context, &desc, &plan), ORDO_OK);
    uint64_t bytes = ordo_plan_info(plan)->scratch_bytes;
    WGPUBuffer keys = gpu_buffer(&r->device, 40000, WGPUBufferUsage_None, NULL);
    WGPUBuffer small = gpu_buffer(&r->device, bytes - 4, WGPUBufferUsage_None, NULL);
    WGPUCommandEncoder encoder = rig_encoder(r);
    ordo_args args = {.in = {keys, 0}};
    assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_INVALID);
    expect_message(r, ORDO_MESSAGE_ARG_MISSING, (ordo_report){.s = "scratch"});
    args.scratch.buffer = small;
    assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_INVALID);
    expect_message(r, ORDO_MESSAGE_ARG_SIZE,
                   (ordo_report){.s = "scratch", .a = bytes, .c = bytes - 4});
    gpu_submit(&r->device, encoder);
    wgpuBufferRelease(keys);
    wgpuBufferRelease(small);
    ordo_plan_release(plan);
}

static void test_null_arguments(void **state) {
    rig *r = *state;
    misuse m;
    misuse_begin(r, &m);
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(NULL, encoder, &m.args), ORDO_INVALID);
    assert_int_equal(ordo_encode(m.plan, NULL, &m.args), ORDO_INVALID);
    expect_message(r, ORDO_MESSAGE_DESC_NULL, (ordo_report){.s = "encoder"});
    assert_int_equal(ordo_encode(m.plan, encoder, NULL), ORDO_INVALID);
    expect_message(r, ORDO_MESSAGE_DESC_NULL, (ordo_report){.s = "args"});
    gpu_submit(&r->device, encoder);
    ordo_plan *plan = m.plan;
    assert_int_equal(ordo_sort_plan(r->context, NULL, &plan), ORDO_INVALID);
    assert_null(plan);
    expect_message(r, ORDO_MESSAGE_DESC_NULL, (ordo_report){.s = "desc"});
    assert_int_equal(ordo_sort_plan(NULL, &(ordo_sort_desc){0}, &plan), ORDO_INVALID);
    misuse_end(&m);
}

/* A refused plan leaves NULL and a message, and the context goes on. */
static void test_success_after_refusals(void **state) {
    rig *r = *state;
    ordo_plan *plan = (ordo_plan *)&plan;
    ordo_sort_desc bad = {.max_count = 10, .value_bytes = 3};
    assert_int_equal(ordo_sort_plan(r->context, &bad, &plan), ORDO_INVALID);
    assert_null(plan);
    expect_message(r, ORDO_MESSAGE_VALUE_BYTES, (ordo_report){.a = 3, .b = 64});
    ordo_sort_desc huge = {.max_count = UINT32_MAX, .key = ORDO_U32};
    assert_int_equal(ordo_sort_plan(r->context, &huge, &plan), ORDO_UNSUPPORTED);
    assert_null(plan);
    ordo_scan_desc scan = {.max_count = 10, .op = (ordo_op)9};
    assert_int_equal(ordo_scan_plan(r->context, &scan, &plan), ORDO_INVALID);
    ordo_reduce_desc reduce = {.max_count = 10, .op = (ordo_op)9};
    assert_int_equal(ordo_reduce_plan(r->context, &reduce, &plan), ORDO_INVALID);
    sort_check(r, (sort_case){.desc = {.max_count = 100}});
}

/* ---- Contexts -------------------------------------------------------------------------------- */

static void test_contexts_that_cannot_be(void **state) {
    rig *r = *state;
    char message[ORDO_MESSAGE_BYTES], expected[ORDO_MESSAGE_BYTES];
    ordo_context *context = r->context;
    ordo_context_desc desc = {.instance = r->device.instance};
    assert_int_equal(ordo_context_create(&desc, &context, message), ORDO_INVALID);
    assert_null(context);
    ordo_message_write(expected, ORDO_MESSAGE_NO_DEVICE, &(ordo_report){0});
    assert_string_equal(message, expected);
    desc.device = r->device.device;
    desc.subgroups = (ordo_subgroup_use)9;
    assert_int_equal(ordo_context_create(&desc, &context, message), ORDO_INVALID);
    assert_null(context);
    ordo_message_write(expected, ORDO_MESSAGE_ENUM,
                       &(ordo_report){.s = "subgroups", .a = 9, .b = 3});
    assert_string_equal(message, expected);
    uint32_t groups = ordo_context_caps(r->context)->max_groups;
    desc.subgroups = ORDO_SUBGROUPS_OFF;
    desc.caps.max_groups = groups + 1;
    assert_int_equal(ordo_context_create(&desc, &context, message), ORDO_INVALID);
    assert_null(context);
    ordo_message_write(expected, ORDO_MESSAGE_CAPS_ABOVE,
                       &(ordo_report){.s = "max_groups", .a = groups + 1, .b = groups});
    assert_string_equal(message, expected);
    assert_int_equal(ordo_context_create(NULL, &context, message), ORDO_INVALID);
    assert_int_equal(ordo_context_create(&desc, &context, NULL), ORDO_INVALID);
}

/* ---- A device that refuses, and one that goes away ------------------------------------------- */

/* B110: the device reports a destroyed buffer, when it is bound or when the work is submitted, as
   the implementation has it; the next good call works. Work that is known to be bad is not
   submitted, because wgpu-native ends the process then. */
static void test_b110_a_destroyed_buffer(void **state) {
    rig *r = *state;
    misuse m;
    misuse_begin(r, &m);
    wgpuBufferDestroy(m.buffers[0]);
    WGPUCommandEncoder encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(m.plan, encoder, &m.args), ORDO_OK);
    gpu_wait(&r->device);
    if (r->device.error_count > 0)
        wgpuCommandEncoderRelease(encoder);
    else
        gpu_submit(&r->device, encoder);
    gpu_wait(&r->device);
    assert_true(r->device.error_count > 0);
    r->device.error_count = 0;
    m.args.in.buffer = m.buffers[4];
    encoder = rig_encoder(r);
    assert_int_equal(ordo_encode(m.plan, encoder, &m.args), ORDO_INVALID);
    m.args.in = (ordo_buffer){m.buffers[1], 4096};
    assert_int_equal(ordo_encode(m.plan, encoder, &m.args), ORDO_OK);
    gpu_submit(&r->device, encoder);
    misuse_end(&m);
    sort_check(r, (sort_case){.desc = {.max_count = 1000, .value_bytes = 4}});
}

/* B105: after the device is gone every call returns, none crashes, and a new device works. WebGPU
   lets objects be made of a lost device, and some implementations report nothing then; what waits
   for a result always says so. */
static void test_b105_a_destroyed_device(void **state) {
    rig *r = *state;
    rig gone;
    rig_open(&gone, rig_tier());
    misuse m;
    misuse_begin(&gone, &m);
    wgpuDeviceDestroy(gone.device.device);
    gpu_wait(&gone.device);
    ordo_plan *plan = NULL;
    ordo_sort_desc desc = {.max_count = 5000, .key = ORDO_F64};
    ordo_status status = ordo_sort_plan(gone.context, &desc, &plan);
    assert_true(status == ORDO_DEVICE_LOST || status == ORDO_OK);
    assert_int_equal(plan != NULL, status == ORDO_OK);
    ordo_plan_release(plan);
    uint32_t keys[] = {3, 1, 2};
    desc = (ordo_sort_desc){.max_count = 3};
    assert_int_equal(ordo_sort_array(gone.context, &desc, keys, NULL), ORDO_DEVICE_LOST);
    assert_int_equal(keys[0], 3);
    ordo_plan_release(m.plan);
    for (int i = 0; i < 6; i++)
        wgpuBufferRelease(m.buffers[i]);
    rig_close(&gone);
    sort_check(r, (sort_case){.desc = {.max_count = 1000, .value_bytes = 4}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_each_argument_is_checked),         rig_test(test_b032_overlaps_are_refused),
        rig_test(test_the_count_has_its_own_buffer),     rig_test(test_arguments_without_use),
        rig_test(test_scratch_of_the_caller_is_checked), rig_test(test_null_arguments),
        rig_test(test_success_after_refusals),           rig_test(test_contexts_that_cannot_be),
        rig_test(test_b110_a_destroyed_buffer),          rig_test(test_b105_a_destroyed_device),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
