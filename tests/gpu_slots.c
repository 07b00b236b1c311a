/* SPDX-License-Identifier: MIT */
/* gpu_slots.c: any plan on buffers with canaries, see gpu_slots.h. */
#include "gpu_slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY_BYTES = 292 };

static const char *const names[SLOT_MEMORIES] = {"scratch",    "in",    "out",    "values_in",
                                                 "values_out", "edges", "starts", "count"};

/* What runs left in scratch last, for runs of other plans to find. */
static struct leftover {
    unsigned char *bytes;
    uint64_t size;
} leftover;

static void keep_leftover(const void *scratch, uint64_t bytes) {
    free(leftover.bytes);
    leftover.bytes = malloc(bytes + 1);
    assert_non_null(leftover.bytes);
    memcpy(leftover.bytes, scratch, bytes);
    leftover.size = bytes;
}

static ordo_buffer *arg_of(slot_case *c, int slot) {
    ordo_buffer *const args[ORDO_SLOT_COUNT] = {
        [ORDO_SLOT_SCRATCH] = &c->args.scratch,
        [ORDO_SLOT_IN] = &c->args.in,
        [ORDO_SLOT_OUT] = &c->args.out,
        [ORDO_SLOT_VALUES_IN] = &c->args.values_in,
        [ORDO_SLOT_VALUES_OUT] = &c->args.values_out,
        [ORDO_SLOT_EDGES] = &c->args.edges,
        [ORDO_SLOT_STARTS] = &c->args.starts,
    };
    return args[slot];
}

static memory *memory_of(slot_case *c, int slot) { return &c->memories[c->one_buffer ? 0 : slot]; }

static bool is_output(const slot_case *c, int slot) {
    return slot != ORDO_SLOT_SCRATCH && c->bytes[slot] && !c->inputs[slot];
}

uint64_t slots_count(const slot_case *c, uint64_t max_count) {
    return c->count_use == COUNT_HOST || c->gpu_count > max_count ? max_count : c->gpu_count;
}

void slots_set_count(count_use *use, uint32_t *gpu_count, uint32_t way, uint64_t max_count,
                     uint64_t random) {
    uint32_t capacity = (uint32_t)max_count;
    const uint32_t counts[COUNT_WAYS] = {0,          0,
                                         1,          capacity - 1,
                                         capacity,   capacity + 1,
                                         UINT32_MAX, (uint32_t)(random % (max_count + 1))};
    *use = way == 0 ? COUNT_HOST : COUNT_GIVEN;
    *gpu_count = way == 0 ? 0 : counts[way];
}

/* ---- Before ---------------------------------------------------------------------------------- */

static void fill_scratch(const slot_case *c, unsigned char *scratch) {
    uint64_t bytes = c->bytes[ORDO_SLOT_SCRATCH];
    memset(scratch, c->scratch == SCRATCH_ONES ? 0xff : 0xa5, bytes);
    for (uint64_t i = 0; c->scratch == SCRATCH_LEFTOVER && leftover.size && i < bytes; i++)
        scratch[i] = leftover.bytes[i % leftover.size];
}

static void make_count(rig *r, slot_case *c) {
    memory *m = &c->memories[SLOT_COUNT_BUFFER];
    if (c->count_use == COUNT_HOST)
        return;
    *m = memory_make(2 * 256 + 8);
    memcpy(m->image + 256, &c->gpu_count, 4);
    memory_upload(r, m);
    c->args.count = (ordo_buffer){m->buffer, 256};
}

void slots_begin(rig *r, slot_case *c) {
    const ordo_summary *summary = ordo_plan_info(c->plan);
    /* A multiple of any device's alignment. */
    const uint64_t alignment = 256;
    uint64_t ends[ORDO_SLOT_COUNT] = {0};
    memcpy(c->bytes, summary->slot_bytes, sizeof c->bytes);
    if (c->scratch == SCRATCH_OWN)
        c->bytes[ORDO_SLOT_SCRATCH] = 0;
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++) {
        uint64_t *end = &ends[c->one_buffer ? 0 : slot];
        if (c->bytes[slot] == 0)
            continue;
        c->at[slot] = (*end / alignment + 1 + (uint64_t)slot % 3) * alignment;
        *end = c->at[slot] + c->bytes[slot] + CANARY_BYTES;
    }
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++)
        c->memories[slot] = memory_make(ends[slot]);
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++) {
        unsigned char *image = memory_of(c, slot)->image + c->at[slot];
        if (c->bytes[slot] && slot == ORDO_SLOT_SCRATCH)
            fill_scratch(c, image);
        else if (c->bytes[slot] && c->inputs[slot])
            memcpy(image, c->inputs[slot], c->bytes[slot]);
    }
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++) {
        if (c->memories[slot].bytes)
            memory_upload(r, &c->memories[slot]);
    }
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++) {
        if (c->bytes[slot])
            *arg_of(c, slot) = (ordo_buffer){memory_of(c, slot)->buffer, c->at[slot]};
    }
    make_count(r, c);
}

void slots_encode(slot_case *c, WGPUCommandEncoder encoder) {
    if (ordo_encode(c->plan, encoder, &c->args) != ORDO_OK)
        fail_msg("%s: encode fails", c->what);
}

/* ---- After ----------------------------------------------------------------------------------- */

/* Reads a slot. What it must hold goes into the image: the expected bytes, or, if none are said,
   what it does hold. */
static void settle(rig *r, slot_case *c, int slot) {
    memory *m = memory_of(c, slot);
    uint64_t bytes = c->bytes[slot];
    unsigned char *image = m->image + c->at[slot];
    void *held = malloc(bytes + 4);
    assert_non_null(held);
    assert_true(gpu_read(&r->device, m->buffer, c->at[slot], bytes, held));
    if (slot == ORDO_SLOT_SCRATCH)
        keep_leftover(held, bytes);
    if (slot == ORDO_SLOT_SCRATCH || !c->expected[slot])
        memcpy(image, held, bytes);
    else
        memcpy(image, c->expected[slot], c->expected_bytes[slot]);
    c->results[slot] = held;
}

void slots_end(rig *r, slot_case *c) {
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++) {
        if (is_output(c, slot) || (slot == ORDO_SLOT_SCRATCH && c->bytes[slot]))
            settle(r, c, slot);
    }
    for (int i = 0; i < SLOT_MEMORIES; i++) {
        char what[560];
        if (c->memories[i].bytes == 0)
            continue;
        int used =
            snprintf(what, sizeof what, "%s: %s", c->what, c->one_buffer ? "all in" : names[i]);
        for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++) {
            if (c->bytes[slot] && memory_of(c, slot) == &c->memories[i])
                used += snprintf(what + used, sizeof what - (size_t)used, " (%s at %" PRIu64 ")",
                                 names[slot], c->at[slot]);
        }
        memory_compare(r, &c->memories[i], what);
    }
}

void slots_copy(const slot_case *s, ordo_slot slot, void *out) {
    if (out)
        memcpy(out, s->results[slot], s->bytes[slot]);
}

void slots_free(slot_case *c) {
    for (int i = 0; i < SLOT_MEMORIES; i++)
        memory_free(&c->memories[i]);
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++)
        free(c->results[slot]);
    ordo_plan_release(c->plan);
    *c = (slot_case){0};
}

void slots_run(rig *r, slot_case *c) {
    slots_begin(r, c);
    WGPUCommandEncoder encoder = rig_encoder(r);
    slots_encode(c, encoder);
    if (c->scratch == SCRATCH_OWN)
        slots_encode(c, encoder);
    gpu_submit(&r->device, encoder);
}

/* ---- Host arrays ----------------------------------------------------------------------------- */

void slots_check_arrays(slot_case *c) {
    const ordo_summary *summary = ordo_plan_info(c->plan);
    memory host[ORDO_SLOT_COUNT] = {0};
    memcpy(c->bytes, summary->slot_bytes, sizeof c->bytes);
    for (int slot = ORDO_SLOT_IN; slot < ORDO_SLOT_COUNT; slot++) {
        if (c->bytes[slot])
            host[slot] = memory_make(c->bytes[slot] + CANARY_BYTES);
        if (c->bytes[slot] && c->inputs[slot])
            memcpy(host[slot].image, c->inputs[slot], c->bytes[slot]);
    }
    ordo_arrays arrays = {.in = host[ORDO_SLOT_IN].image,
                          .values_in = host[ORDO_SLOT_VALUES_IN].image,
                          .edges = host[ORDO_SLOT_EDGES].image,
                          .out = host[ORDO_SLOT_OUT].image,
                          .values_out = host[ORDO_SLOT_VALUES_OUT].image,
                          .starts = host[ORDO_SLOT_STARTS].image};
    for (int run = 0; run < 2; run++) {
        if (ordo_run_arrays(c->plan, &arrays) != ORDO_OK)
            fail_msg("%s: ordo_run_arrays fails", c->what);
        for (int slot = ORDO_SLOT_IN; slot < ORDO_SLOT_COUNT; slot++) {
            if (c->bytes[slot] == 0)
                continue;
            const void *held = c->inputs[slot] ? c->inputs[slot] : c->expected[slot];
            memory after = memory_make(host[slot].bytes);
            memcpy(after.image, held, c->bytes[slot]);
            if (memcmp(after.image, host[slot].image, after.bytes) != 0)
                fail_msg("%s: array %s is wrong in run %d", c->what, names[slot], run);
            memory_free(&after);
        }
    }
    for (int slot = 0; slot < ORDO_SLOT_COUNT; slot++)
        memory_free(&host[slot]);
}
