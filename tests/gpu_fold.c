/* SPDX-License-Identifier: MIT */
/* gpu_fold.c: one scan or reduce with its buffers, see gpu_case.h. */
#include "gpu_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { AT = 512, CANARY_BYTES = 292 };

static const char *describe(const fold_case *c) {
    static char text[200];
    snprintf(text, sizeof text,
             "%s of %" PRIu64 " (type %d, op %d, inclusive %d, in_place %d, count %s%u)",
             c->reduce ? "reduce" : "scan", c->desc.max_count, (int)c->desc.type, (int)c->desc.op,
             c->desc.inclusive, c->desc.in_place, c->count_use == COUNT_HOST ? "host " : "",
             c->gpu_count);
    return text;
}

/* Every other count brings its own scratch, see fold_check. */
static bool brings_scratch(const fold_case *c) { return c->desc.max_count % 2 == 1; }

static ordo_plan *plan(rig *r, const fold_case *c) {
    ordo_context *context = c->context ? c->context : r->context;
    ordo_plan *made;
    ordo_scan_desc scan = c->desc;
    ordo_reduce_desc reduce = {.max_count = scan.max_count,
                               .type = scan.type,
                               .op = scan.op,
                               .caller_scratch = brings_scratch(c)};
    scan.caller_scratch = brings_scratch(c);
    ordo_status status = c->reduce ? ordo_reduce_plan(context, &reduce, &made)
                                   : ordo_scan_plan(context, &scan, &made);
    if (status != ORDO_OK)
        fail_msg("%s: %s", describe(c), ordo_message(context));
    return made;
}

/* Sums of floats: each within the stated error of the exact one. */
static void check_sums(const fold_case *c, uint64_t count, const uint32_t *result) {
    model_sum sum = {0, 0};
    for (uint64_t i = 0; i < count; i++) {
        if (!c->reduce && !c->desc.inclusive && !model_sum_is(&sum, result[i]))
            fail_msg("%s: sum %" PRIu64 " is not %g", describe(c), i, sum.sum);
        model_sum_add(&sum, c->items[i]);
        if (!c->reduce && c->desc.inclusive && !model_sum_is(&sum, result[i]))
            fail_msg("%s: sum %" PRIu64 " is not %g", describe(c), i, sum.sum);
    }
    if (c->reduce && !model_sum_is(&sum, result[0]))
        fail_msg("%s: the sum is not %g", describe(c), sum.sum);
}

/* The result as it must be; float sums are taken from the device once they are found close. */
static void expect(rig *r, const fold_case *c, uint64_t count, const memory *to) {
    uint32_t *result = (uint32_t *)(void *)(to->image + AT);
    if (!model_exact(c->desc.type, c->desc.op)) {
        uint64_t words = c->reduce ? 1 : count;
        if (words)
            assert_true(gpu_read(&r->device, to->buffer, AT, 4 * words, result));
        check_sums(c, count, result);
    } else if (c->reduce) {
        result[0] = model_reduce(c->desc.type, c->desc.op, c->items, count);
    } else {
        model_scan(&c->desc, c->items, count, result);
    }
}

void fold_check(rig *r, const fold_case *c) {
    uint64_t most = c->desc.max_count, bytes = 4 * most;
    uint64_t count = c->count_use == COUNT_HOST || c->gpu_count > most ? most : c->gpu_count;
    ordo_plan *made = plan(r, c);
    memory in = memory_make(AT + bytes + CANARY_BYTES);
    memory out = memory_make(AT + (c->reduce ? 4 : bytes) + CANARY_BYTES);
    memory counter = memory_make(AT + 8);
    memcpy(in.image + AT, c->items, bytes);
    memcpy(counter.image + AT, &c->gpu_count, 4);
    memory_upload(r, &in);
    memory_upload(r, &out);
    memory_upload(r, &counter);
    memory scratch = {0};
    ordo_args args = {.in = {in.buffer, AT}};
    if (!c->desc.in_place || c->reduce)
        args.out = (ordo_buffer){out.buffer, AT};
    if (c->count_use == COUNT_GIVEN)
        args.count = (ordo_buffer){counter.buffer, AT};
    uint64_t scratch_bytes = ordo_plan_info(made)->scratch_bytes;
    if (brings_scratch(c) && scratch_bytes) {
        /* Scratch holds canaries at first, which must not matter. */
        scratch = memory_make(AT + scratch_bytes + CANARY_BYTES);
        memory_upload(r, &scratch);
        args.scratch = (ordo_buffer){scratch.buffer, AT};
    }
    WGPUCommandEncoder encoder = rig_encoder(r);
    if (ordo_encode(made, encoder, &args) != ORDO_OK)
        fail_msg("%s: encode fails", describe(c));
    gpu_submit(&r->device, encoder);

    const memory *to = c->desc.in_place && !c->reduce ? &in : &out;
    expect(r, c, count, to);
    memory_compare(r, &in, describe(c));
    memory_compare(r, &out, describe(c));
    memory_compare(r, &counter, describe(c));
    if (scratch.bytes) {
        assert_true(gpu_read(&r->device, scratch.buffer, AT, scratch_bytes, scratch.image + AT));
        memory_compare(r, &scratch, "around scratch");
    }
    if (c->result)
        memcpy(c->result, to->image + AT, c->reduce ? 4 : bytes);
    ordo_plan_release(made);
    memory_free(&in);
    memory_free(&out);
    memory_free(&counter);
    memory_free(&scratch);
}
