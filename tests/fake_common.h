/* SPDX-License-Identifier: MIT */
/*
 * fake_common.h: what the tests on the fake WebGPU share: a table with a plan of every kind, the
 * buffers that each takes, and checks of messages against the library's table.
 */
#ifndef ORDO_TESTS_FAKE_COMMON_H
#define ORDO_TESTS_FAKE_COMMON_H

#include "fake_webgpu.h"
#include "messages.h"
#include "ordo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One problem of any primitive. */
typedef struct problem {
    const char *name;
    enum { SORT, SCAN, REDUCE, HISTOGRAM, COUNTING_SORT, GRID, TOP_K } primitive;
    ordo_sort_desc sort;
    ordo_scan_desc scan;
    ordo_reduce_desc reduce;
    ordo_histogram_desc histogram;
    ordo_counting_sort_desc counting;
    ordo_grid_desc grid;
    ordo_top_k_desc top_k;
} problem;

#define RADIX .method = ORDO_METHOD_RADIX

static const problem problems[] = {
    {"keys", SORT, .sort = {RADIX, .max_count = 20000}},
    {"one key", SORT, .sort = {RADIX, .max_count = 1}},
    {"one pair in place", SORT,
     .sort = {RADIX, .max_count = 1, .value_bytes = 4, .in_place = true}},
    {"no key", SORT, .sort = {.max_count = 0}},
    {"many keys", SORT, .sort = {RADIX, .max_count = 1 << 23}},
    {"wide keys in place", SORT,
     .sort = {RADIX, .max_count = 20000, .key = ORDO_F64, .in_place = true}},
    {"descending pairs", SORT,
     .sort = {RADIX, .max_count = 20000, .key = ORDO_I32, .order = ORDO_DESCENDING,
              .value_bytes = 4}},
    {"pairs in place", SORT,
     .sort = {RADIX, .max_count = 20000, .key = ORDO_F32, .value_bytes = 8, .in_place = true}},
    {"wide values", SORT, .sort = {RADIX, .max_count = 20000, .value_bytes = 64}},
    {"wide values in place", SORT,
     .sort = {RADIX, .max_count = 20000, .key = ORDO_I64, .value_bytes = 48, .in_place = true}},
    {"argsort", SORT, .sort = {RADIX, .max_count = 20000, .key = ORDO_U64, .argsort = true}},
    {"window", SORT,
     .sort = {RADIX, .max_count = 20000, .value_bytes = 4, .skip_low_bits = 7,
              .skip_high_bits = 12}},
    {"empty window", SORT,
     .sort = {RADIX, .max_count = 20000, .value_bytes = 4, .skip_low_bits = 20,
              .skip_high_bits = 12}},
    {"empty window in place", SORT,
     .sort = {RADIX, .max_count = 20000, .value_bytes = 4, .skip_low_bits = 32, .in_place = true}},
    {"classic", SORT, .sort = {RADIX, .max_count = 20000, .value_bytes = 4, .digit_bits = 4}},
    {"caller's scratch", SORT,
     .sort = {RADIX, .max_count = 20000, .value_bytes = 4, .caller_scratch = true}},
    {"bitonic keys", SORT,
     .sort = {.max_count = 20000, .key = ORDO_F64, .method = ORDO_METHOD_BITONIC}},
    {"a bitonic row", SORT,
     .sort = {.max_count = 3000, .part_count = 3, .row_length = 100, .in_place = true}},
    {"packed", SORT,
     .sort =
         {.max_count = 20000, .argsort = true, .skip_low_bits = 20, .method = ORDO_METHOD_BITONIC}},
    {"direct", SORT,
     .sort = {.max_count = 300,
              .in_place = true,
              .caller_scratch = true,
              .method = ORDO_METHOD_BITONIC_DIRECT}},
    {"oddeven pairs", SORT,
     .sort = {.max_count = 20000,
              .value_bytes = 12,
              .caller_scratch = true,
              .method = ORDO_METHOD_ODDEVEN}},
    {"exclusive scan", SCAN, .scan = {.max_count = 20000}},
    {"scan in place", SCAN,
     .scan =
         {.max_count = 300, .type = ORDO_F32, .op = ORDO_MIN, .inclusive = true, .in_place = true}},
    {"deep scan", SCAN, .scan = {.max_count = 1 << 24, .op = ORDO_MAX, .caller_scratch = true}},
    {"reduce", REDUCE, .reduce = {.max_count = 20000, .type = ORDO_I32}},
    {"reduce of none", REDUCE, .reduce = {.max_count = 0}},
    {"edges", HISTOGRAM,
     .histogram = {.max_count = 20000, .bins = ORDO_BINS_EDGES, .bin_count = 5000}},
    {"even bins", HISTOGRAM,
     .histogram = {.max_count = 20000, .type = ORDO_F32, .caller_scratch = true}},
    {"histogram of none", HISTOGRAM, .histogram = {.max_count = 0}},
    {"buckets of pairs", COUNTING_SORT,
     .counting = {.max_count = 20000, .value_bytes = 12, .caller_scratch = true}},
    {"depths", COUNTING_SORT,
     .counting = {.max_count = 20000, .argsort = true, .depth = {.nearest = 1, .farthest = 2}}},
    {"no buckets", COUNTING_SORT, .counting = {.max_count = 0}},
    {"grid", GRID, .grid = {.max_count = 20000, .cells = {20, 20, 20}, .points_out = true}},
    {"hashed grid", GRID,
     .grid = {.max_count = 300, .dimensions = 2, .table_size = 65536, .caller_scratch = true}},
    {"few of the best", TOP_K, .top_k = {.max_count = 20000, .k = 100}},
    {"many of the best", TOP_K,
     .top_k = {.max_count = 20000, .key = ORDO_F64, .k = 3000, .caller_scratch = true}},
    {"none of the best", TOP_K, .top_k = {.max_count = 20000, .k = 0}},
};

static inline ordo_status make_plan(ordo_context *context, const problem *p, ordo_plan **plan) {
    switch (p->primitive) {
    case SORT:
        return ordo_sort_plan(context, &p->sort, plan);
    case SCAN:
        return ordo_scan_plan(context, &p->scan, plan);
    case REDUCE:
        return ordo_reduce_plan(context, &p->reduce, plan);
    case HISTOGRAM:
        return ordo_histogram_plan(context, &p->histogram, plan);
    case COUNTING_SORT:
        return ordo_counting_sort_plan(context, &p->counting, plan);
    case GRID:
        return ordo_grid_plan(context, &p->grid, plan);
    default:
        return ordo_top_k_plan(context, &p->top_k, plan);
    }
}

/* What the planner alone says of the problem. */
static inline ordo_status make_summary(const ordo_caps *caps, const problem *p,
                                       ordo_summary *summary) {
    switch (p->primitive) {
    case SORT:
        return ordo_sort_steps(caps, &p->sort, NULL, 0, summary);
    case SCAN:
        return ordo_scan_steps(caps, &p->scan, NULL, 0, summary);
    case REDUCE:
        return ordo_reduce_steps(caps, &p->reduce, NULL, 0, summary);
    case HISTOGRAM:
        return ordo_histogram_steps(caps, &p->histogram, NULL, 0, summary);
    case COUNTING_SORT:
        return ordo_counting_sort_steps(caps, &p->counting, NULL, 0, summary);
    case GRID:
        return ordo_grid_steps(caps, &p->grid, NULL, 0, summary);
    default:
        return ordo_top_k_steps(caps, &p->top_k, NULL, 0, summary);
    }
}

static inline bool has_caller_scratch(const problem *p) {
    switch (p->primitive) {
    case SORT:
        return p->sort.caller_scratch;
    case SCAN:
        return p->scan.caller_scratch;
    case REDUCE:
        return p->reduce.caller_scratch;
    case HISTOGRAM:
        return p->histogram.caller_scratch;
    case COUNTING_SORT:
        return p->counting.caller_scratch;
    case GRID:
        return p->grid.caller_scratch;
    default:
        return p->top_k.caller_scratch;
    }
}

/* Bytes of each argument of a problem, 0 where it takes none. Those of sorts, scans and reduces are
   counted here; for the rest, plan_check.h compares slot_bytes with what the desc says. */
typedef struct needs {
    uint64_t in, out, values_in, values_out, edges, starts, scratch;
} needs;

static inline needs needs_of(const problem *p, const ordo_plan *plan) {
    needs n = {0};
    const uint64_t *bytes = ordo_plan_info(plan)->slot_bytes;
    if (p->primitive == SORT) {
        const ordo_sort_desc *d = &p->sort;
        n.in = d->max_count * ordo_key_bytes(d);
        n.out = d->in_place || d->argsort ? 0 : n.in;
        n.values_in = d->max_count * d->value_bytes;
        n.values_out = d->argsort ? d->max_count * 4 : d->in_place ? 0 : n.values_in;
    } else if (p->primitive == SCAN) {
        n.in = p->scan.max_count * 4;
        n.out = p->scan.in_place ? 0 : n.in;
    } else if (p->primitive == REDUCE) {
        n.in = p->reduce.max_count * 4;
        n.out = 4;
    } else {
        n = (needs){.in = bytes[ORDO_SLOT_IN],
                    .out = bytes[ORDO_SLOT_OUT],
                    .values_in = bytes[ORDO_SLOT_VALUES_IN],
                    .values_out = bytes[ORDO_SLOT_VALUES_OUT],
                    .edges = bytes[ORDO_SLOT_EDGES],
                    .starts = bytes[ORDO_SLOT_STARTS]};
    }
    n.scratch = has_caller_scratch(p) ? ordo_plan_info(plan)->scratch_bytes : 0;
    return n;
}

static inline WGPUBuffer make_buffer(WGPUBufferUsage usage, uint64_t size) {
    return wgpuDeviceCreateBuffer(fake.device,
                                  &(WGPUBufferDescriptor){.usage = usage, .size = size});
}

static inline ordo_buffer make_arg(uint64_t size) {
    return (ordo_buffer){.buffer = size ? make_buffer(WGPUBufferUsage_Storage, size) : NULL};
}

static inline ordo_args make_args(const problem *p, const ordo_plan *plan) {
    const needs n = needs_of(p, plan);
    return (ordo_args){.in = make_arg(n.in),
                       .out = make_arg(n.out),
                       .values_in = make_arg(n.values_in),
                       .values_out = make_arg(n.values_out),
                       .edges = make_arg(n.edges),
                       .starts = make_arg(n.starts),
                       .scratch = make_arg(n.scratch)};
}

static inline void release_args(const ordo_args *args) {
    const ordo_buffer buffers[] = {args->in,    args->out,    args->values_in, args->values_out,
                                   args->edges, args->starts, args->count,     args->scratch};
    for (size_t i = 0; i < COUNT(buffers); i++)
        if (buffers[i].buffer)
            wgpuBufferRelease(buffers[i].buffer);
}

static inline WGPUCommandEncoder make_encoder(void) {
    return wgpuDeviceCreateCommandEncoder(fake.device, NULL);
}

/* Finishes the encoder, submits it unless it holds an error, and releases it. */
static inline void submit(WGPUCommandEncoder encoder) {
    WGPUQueue queue = wgpuDeviceGetQueue(fake.device);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    if (!fake_is_error(commands))
        wgpuQueueSubmit(queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueRelease(queue);
}

static inline ordo_context_desc usual_desc(void) {
    return (ordo_context_desc){
        .instance = fake.instance, .adapter = fake.adapter, .device = fake.device};
}

static inline ordo_context *make_context(void) {
    ordo_context *context = NULL;
    char message[ORDO_MESSAGE_BYTES] = "unset";
    const ordo_context_desc desc = usual_desc();
    assert_int_equal(ordo_context_create(&desc, &context, message), ORDO_OK);
    assert_string_equal(message, "");
    assert_non_null(context);
    return context;
}

/* Encodes a plan of the problem on buffers of its size and submits that. */
static inline void use_plan(const problem *p, ordo_plan *plan) {
    ordo_args args = make_args(p, plan);
    WGPUCommandEncoder encoder = make_encoder();
    assert_int_equal(ordo_encode(plan, encoder, &args), ORDO_OK);
    submit(encoder);
    release_args(&args);
}

/* A text is what the table says of the id and report. Status is checked against the table too. */
static inline void check_message(const char *text, ordo_status status, ordo_message_id id,
                                 ordo_report report) {
    char expected[ORDO_MESSAGE_BYTES];
    assert_int_equal(status, ordo_message_write(expected, id, &report));
    assert_string_equal(text, expected);
}

/* The text of a failed call is one that the table has for the status it returned. */
static inline void check_fits(const char *text, ordo_status status) {
    static const struct {
        ordo_status status;
        const char *text;
    } table[] = {
#define MESSAGE_ROW(id, status, text) {ORDO_##status, text},
        ORDO_MESSAGES(MESSAGE_ROW)
#undef MESSAGE_ROW
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        const size_t fixed = strcspn(table[i].text, "$");
        if (table[i].status == status && fixed > 0 && strncmp(text, table[i].text, fixed) == 0)
            return;
    }
    fail_msg("\"%s\" does not fit %s", text, ordo_status_name(status));
}

#endif
