/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_walk.c: a random walk through the life of contexts, plans and encodes (P9).
 *
 * Sorts, counting sorts, histograms and top-k run on parts of one arena; a host image of it keeps
 * account. What an encoder records is written down beside it, and done to the image when the
 * encoder is submitted. Each read compares the whole arena, so whatever an action breaks shows at
 * the latest at the end.
 *
 *     arena     | part | part | … |     each part: up to MAX_COUNT elements of 8 bytes at an
 *               0                       aligned offset, and what lies around them must stay
 */
#include "gpu_case.h"
#include "model_third.h"

#include <inttypes.h>
#include <stdlib.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

enum {
    PLANS = 8,
    ENCODERS = 3,
    COUNTERS = 3,
    MAX_RECORDS = 64, /* of one encoder */
    MAX_COUNT = 7000, /* more than a tile */
    PARTS = 8,
    PART_BYTES = 65536,
    ARENA_BYTES = PARTS * PART_BYTES,
    NO_COUNTER = COUNTERS,
    STEPS = 2500,
};

/* What a plan is for. */
typedef struct task {
    enum { SORT, COUNTING, HISTOGRAM, TOP_K, TASKS } kind;
    ordo_sort_desc sort; /* of the kind's desc; the others are not looked at */
    ordo_counting_sort_desc counting;
    ordo_histogram_desc histogram;
    ordo_top_k_desc top_k;
} task;

/* One run as recorded: ranges are bytes into the arena. */
typedef struct record {
    task task;
    uint64_t in, out, values_in, values_out, starts;
    uint32_t counter;
} record;

typedef struct live_plan {
    ordo_plan *plan; /* NULL: none */
    task task;
    WGPUBuffer scratch; /* with caller_scratch */
    bool placed;        /* where it was encoded last is in `last` */
    record last;
} live_plan;

typedef struct walk {
    rig *r;
    uint64_t random;
    ordo_context *context;
    live_plan plans[PLANS];
    WGPUCommandEncoder encoders[ENCODERS];
    record records[ENCODERS][MAX_RECORDS];
    uint32_t record_counts[ENCODERS];
    WGPUBuffer arena, counters[COUNTERS];
    uint32_t counts[COUNTERS]; /* what the counters hold */
    unsigned char image[ARENA_BYTES], held[ARENA_BYTES];
} walk;

static uint64_t below(walk *w, uint64_t limit) { return model_random_below(&w->random, limit); }

/* ---- The model ------------------------------------------------------------------------------- */

static uint64_t *max_count(task *t) {
    uint64_t *const counts[TASKS] = {[SORT] = &t->sort.max_count,
                                     [COUNTING] = &t->counting.max_count,
                                     [HISTOGRAM] = &t->histogram.max_count,
                                     [TOP_K] = &t->top_k.max_count};
    return counts[t->kind];
}

static void sort_image(walk *w, const record *a, uint64_t count) {
    static uint32_t order[MAX_COUNT];
    const ordo_sort_desc *desc = &a->task.sort;
    uint32_t key_bytes = model_bytes(desc->key);
    model_argsort(desc, w->image + a->in, count, order);
    if (desc->argsort) {
        memcpy(w->image + a->values_out, order, 4 * count);
        return;
    }
    model_gather(order, w->image + a->in, count, key_bytes, w->held);
    memcpy(w->image + (desc->in_place ? a->in : a->out), w->held, count * key_bytes);
    if (desc->value_bytes) {
        model_gather(order, w->image + a->values_in, count, desc->value_bytes, w->held);
        memcpy(w->image + (desc->in_place ? a->values_in : a->values_out), w->held,
               count * desc->value_bytes);
    }
}

/* The arena is bytes; models take words. */
static uint32_t *words_at(walk *w, uint64_t at) { return (uint32_t *)(void *)(w->image + at); }

static void count_image(walk *w, const record *a, uint64_t count) {
    static uint32_t buckets[MAX_COUNT], order[MAX_COUNT];
    const ordo_counting_sort_desc *desc = &a->task.counting;
    model_buckets(desc, words_at(w, a->in), count, buckets);
    model_by_number(buckets, count, model_bucket_count(desc), order, words_at(w, a->starts));
    if (desc->argsort) {
        memcpy(w->image + a->values_out, order, 4 * count);
        return;
    }
    model_gather(order, w->image + a->in, count, 4, w->image + a->out);
    model_gather(order, w->image + a->values_in, count, desc->value_bytes,
                 w->image + a->values_out);
}

/* Does to the image what the run does to the arena. */
static void run_image(walk *w, const record *a) {
    task t = a->task;
    uint64_t most = *max_count(&t), count = most;
    if (a->counter != NO_COUNTER && w->counts[a->counter] < count)
        count = w->counts[a->counter];
    switch (t.kind) {
    case SORT:
        sort_image(w, a, count);
        break;
    case COUNTING:
        if (most)
            count_image(w, a, count);
        break;
    case HISTOGRAM:
        model_histogram(&t.histogram, words_at(w, a->in), count, NULL, words_at(w, a->out));
        break;
    default:
        model_top_k(&t.top_k, w->image + a->in, count, w->image + a->out,
                    words_at(w, a->values_out));
    }
}

/* ---- Actions --------------------------------------------------------------------------------- */

static void release(live_plan *p) {
    ordo_plan_release(p->plan);
    if (p->scratch)
        wgpuBufferRelease(p->scratch);
    *p = (live_plan){0};
}

static ordo_status plan_task(walk *w, const task *t, ordo_plan **plan) {
    switch (t->kind) {
    case SORT:
        return ordo_sort_plan(w->context, &t->sort, plan);
    case COUNTING:
        return ordo_counting_sort_plan(w->context, &t->counting, plan);
    case HISTOGRAM:
        return ordo_histogram_plan(w->context, &t->histogram, plan);
    default:
        return ordo_top_k_plan(w->context, &t->top_k, plan);
    }
}

static void make(walk *w, live_plan *p, const task *t) {
    p->task = *t;
    *max_count(&p->task) = below(w, 4) == 0 ? below(w, 3) : below(w, MAX_COUNT + 1);
    if (plan_task(w, &p->task, &p->plan) != ORDO_OK)
        fail_msg("plan: %s", ordo_message(w->context));
    uint64_t bytes = ordo_plan_info(p->plan)->scratch_bytes;
    bool caller_scratch = t->sort.caller_scratch;
    if (caller_scratch && bytes)
        p->scratch = gpu_buffer(&w->r->device, bytes, WGPUBufferUsage_None, NULL);
}

static ordo_sort_desc any_sort(walk *w, bool caller_scratch) {
    static const ordo_type keys[] = {ORDO_U32, ORDO_F32, ORDO_I64};
    ordo_sort_desc desc = {.key = keys[below(w, COUNT_OF(keys))],
                           .argsort = below(w, 4) == 0,
                           .caller_scratch = caller_scratch,
                           .digit_bits = below(w, 4) == 0 ? 4 : 0};
    desc.method = desc.digit_bits || below(w, 2) ? ORDO_METHOD_RADIX : ORDO_METHOD_AUTO;
    desc.value_bytes = desc.argsort ? 0 : (uint32_t)(4 * below(w, 2));
    desc.in_place = !desc.argsort && below(w, 2) == 0;
    desc.skip_high_bits = below(w, 3) == 0 ? 24 : 0;
    return desc;
}

static void create(walk *w, live_plan *p) {
    static const uint32_t ks[] = {0, 1, 100, 600}, buckets[] = {1, 256, 5000};
    bool caller_scratch = below(w, 2) == 0, argsort = below(w, 2) == 0;
    task t = {.kind = below(w, 2) ? SORT : below(w, TASKS), .sort = any_sort(w, caller_scratch)};
    t.counting = (ordo_counting_sort_desc){.bucket_count = buckets[below(w, COUNT_OF(buckets))],
                                           .argsort = argsort,
                                           .value_bytes = argsort ? 0 : 8,
                                           .caller_scratch = caller_scratch};
    t.histogram = (ordo_histogram_desc){.bin_count = buckets[below(w, COUNT_OF(buckets))],
                                        .type = ORDO_F32,
                                        .lo = -1,
                                        .hi = 100,
                                        .caller_scratch = caller_scratch};
    t.top_k = (ordo_top_k_desc){.key = argsort ? ORDO_F32 : ORDO_I64,
                                .k = ks[below(w, COUNT_OF(ks))],
                                .caller_scratch = caller_scratch};
    release(p);
    make(w, p, &t);
}

static void resize(walk *w, live_plan *p) {
    task t = p->task;
    release(p);
    make(w, p, &t);
}

static void new_context(walk *w) {
    char message[ORDO_MESSAGE_BYTES];
    ordo_context_release(w->context);
    w->context = gpu_context(&w->r->device, message);
    if (!w->context)
        fail_msg("no context: %s", message);
}

/* Five parts of the arena that differ, each with a little room in front. A plan often stays where
   it was, with whatever counter, so that what it keeps for the next encode is used. */
static record place(walk *w, live_plan *p) {
    uint64_t parts[PARTS], at[5];
    uint32_t counter = (uint32_t)below(w, COUNTERS + 1);
    if (p->placed && below(w, 2)) {
        p->last.counter = counter;
        return p->last;
    }
    for (uint32_t i = 0; i < PARTS; i++)
        parts[i] = i;
    for (uint32_t i = 0; i < COUNT_OF(at); i++) {
        uint64_t other = i + below(w, PARTS - i), part = parts[other];
        parts[other] = parts[i];
        parts[i] = part;
        at[i] = part * PART_BYTES + 256 * below(w, 4);
    }
    p->placed = true;
    p->last = (record){p->task, at[0], at[1], at[2], at[3], at[4], counter};
    return p->last;
}

/* The plan says which slots there are; which they should be is tested elsewhere. */
static ordo_args args_of(const walk *w, const live_plan *p, const record *a) {
    const uint64_t *bytes = ordo_plan_info(p->plan)->slot_bytes;
    ordo_args args = {.in = {w->arena, a->in}};
    if (bytes[ORDO_SLOT_OUT])
        args.out = (ordo_buffer){w->arena, a->out};
    if (bytes[ORDO_SLOT_VALUES_IN])
        args.values_in = (ordo_buffer){w->arena, a->values_in};
    if (bytes[ORDO_SLOT_VALUES_OUT])
        args.values_out = (ordo_buffer){w->arena, a->values_out};
    if (bytes[ORDO_SLOT_STARTS])
        args.starts = (ordo_buffer){w->arena, a->starts};
    if (a->counter != NO_COUNTER)
        args.count.buffer = w->counters[a->counter];
    args.scratch.buffer = p->scratch;
    return args;
}

static void encode(walk *w, live_plan *p) {
    uint64_t which = below(w, ENCODERS);
    if (w->record_counts[which] == MAX_RECORDS)
        return;
    record a = place(w, p);
    ordo_args args = args_of(w, p, &a);
    assert_int_equal(ordo_encode(p->plan, w->encoders[which], &args), ORDO_OK);
    w->records[which][w->record_counts[which]++] = a;
}

static void submit(walk *w, uint64_t which) {
    gpu_submit(&w->r->device, w->encoders[which]);
    w->encoders[which] = rig_encoder(w->r);
    for (uint32_t i = 0; i < w->record_counts[which]; i++)
        run_image(w, &w->records[which][i]);
    w->record_counts[which] = 0;
}

static void compare(walk *w) {
    assert_true(gpu_read(&w->r->device, w->arena, 0, ARENA_BYTES, w->held));
    for (uint32_t at = 0; at < ARENA_BYTES; at++) {
        if (w->held[at] != w->image[at])
            fail_msg("byte %u of part %u is wrong", at % PART_BYTES, at / PART_BYTES);
    }
}

/* New keys of any kind, for what is submitted from now on. */
static void refill(walk *w) {
    uint64_t at = below(w, PARTS) * PART_BYTES;
    distribution shape = (distribution)below(w, DISTRIBUTION_COUNT);
    distribution_fill(shape, below(w, 2) ? ORDO_F32 : ORDO_I64, PART_BYTES / 8, w->random,
                      w->image + at);
    gpu_write(&w->r->device, w->arena, at, w->image + at, PART_BYTES);
}

static void recount(walk *w) {
    uint64_t which = below(w, COUNTERS);
    w->counts[which] = (uint32_t)(below(w, 4) ? below(w, MAX_COUNT) : model_random(&w->random));
    gpu_write(&w->r->device, w->counters[which], 0, &w->counts[which], 4);
}

static void spoil_scratch(walk *w, live_plan *p) {
    uint64_t words = p->scratch ? wgpuBufferGetSize(p->scratch) / 4 : 0;
    uint32_t *junk = malloc(4 * words + 4);
    assert_non_null(junk);
    for (uint64_t i = 0; i < words; i++)
        junk[i] = (uint32_t)model_random(&w->random);
    if (words)
        gpu_write(&w->r->device, p->scratch, 0, junk, 4 * words);
    free(junk);
}

/* Calls that are refused, into an encoder that goes on to be used. */
static void mistake(walk *w, live_plan *p) {
    const ordo_summary *info = ordo_plan_info(p->plan);
    /* A histogram of nothing still clears its counts. */
    if (info->step_count && !info->slot_bytes[ORDO_SLOT_IN])
        return;
    record a = place(w, p);
    ordo_args args = args_of(w, p, &a);
    WGPUCommandEncoder encoder = w->encoders[below(w, ENCODERS)];
    /* A plan of nothing does not look at its arguments. */
    ordo_status status = info->slot_bytes[ORDO_SLOT_IN] ? ORDO_INVALID : ORDO_OK;
    args.in.offset_bytes += 2;
    assert_int_equal(ordo_encode(p->plan, encoder, &args), status);
    args.in.offset_bytes = ARENA_BYTES + 256;
    assert_int_equal(ordo_encode(p->plan, encoder, &args), status);
    task bad = p->task;
    bad.sort.value_bytes = bad.counting.value_bytes = 6;
    bad.histogram.bin_count = ORDO_MAX_BINS + 1;
    bad.top_k.key = (ordo_type)6;
    ordo_plan *plan;
    assert_int_equal(plan_task(w, &bad, &plan), ORDO_INVALID);
    assert_null(plan);
}

/* ---- The walk -------------------------------------------------------------------------------- */

typedef enum action {
    CREATE,
    RESIZE,
    RELEASE,
    NEW_CONTEXT,
    ENCODE,
    SUBMIT,
    COMPARE,
    REFILL,
    RECOUNT,
    SPOIL_SCRATCH,
    MISTAKE,
    ACTION_COUNT
} action;

static void act(walk *w, action what) {
    live_plan *p = &w->plans[below(w, PLANS)];
    bool needs_plan = what == RESIZE || what == ENCODE || what == SPOIL_SCRATCH || what == MISTAKE;
    if (needs_plan && !p->plan)
        create(w, p);
    switch (what) {
    case CREATE:
        create(w, p);
        break;
    case RESIZE:
        resize(w, p);
        break;
    case RELEASE:
        release(p);
        break;
    case NEW_CONTEXT:
        new_context(w);
        break;
    case ENCODE:
        encode(w, p);
        break;
    case SUBMIT:
        submit(w, below(w, ENCODERS));
        break;
    case COMPARE:
        compare(w);
        break;
    case REFILL:
        refill(w);
        break;
    case RECOUNT:
        recount(w);
        break;
    case SPOIL_SCRATCH:
        spoil_scratch(w, p);
        break;
    default:
        mistake(w, p);
    }
}

static void begin(walk *w) {
    w->arena = gpu_buffer(&w->r->device, ARENA_BYTES, WGPUBufferUsage_None, w->image);
    for (int i = 0; i < COUNTERS; i++)
        w->counters[i] = gpu_buffer(&w->r->device, 4, WGPUBufferUsage_None, &w->counts[i]);
    for (int i = 0; i < ENCODERS; i++)
        w->encoders[i] = rig_encoder(w->r);
    for (int i = 0; i < 4 * PARTS; i++)
        refill(w);
    new_context(w);
}

static void end(walk *w) {
    for (int i = 0; i < PLANS; i++)
        release(&w->plans[i]);
    ordo_context_release(w->context);
    for (uint64_t i = 0; i < ENCODERS; i++) {
        submit(w, i);
        wgpuCommandEncoderRelease(w->encoders[i]);
    }
    compare(w);
    wgpuBufferRelease(w->arena);
    for (int i = 0; i < COUNTERS; i++)
        wgpuBufferRelease(w->counters[i]);
}

/* B109; P9. */
static void test_random_walk(void **state) {
    /* Of 100 actions; a new context compiles anew, so it is rare. */
    static const uint32_t weights[ACTION_COUNT] = {
        [CREATE] = 8,  [RESIZE] = 6,        [RELEASE] = 6, [NEW_CONTEXT] = 0,
        [ENCODE] = 40, [SUBMIT] = 12,       [COMPARE] = 4, [REFILL] = 6,
        [RECOUNT] = 6, [SPOIL_SCRATCH] = 6, [MISTAKE] = 6};
    static walk w;
    w = (walk){.r = *state, .random = 11};
    begin(&w);
    for (int step = 0; step < STEPS; step++) {
        uint64_t lot = below(&w, 100);
        uint32_t what = 0;
        while (lot >= weights[what])
            lot -= weights[what++];
        act(&w, step % (STEPS / 4) == STEPS / 8 ? NEW_CONTEXT : (action)what);
    }
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {rig_test(test_random_walk)};
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
