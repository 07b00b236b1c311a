/* SPDX-License-Identifier: MIT */
/*
 * test_fake_encode.c: ordo_encode on the fake WebGPU: what it creates and when, which mistakes it
 * names, and that a refused encode records nothing.
 */
#include "fake_common.h"

#define MAX_COUNT 20000

/* A context, a plan of the problem, args that fit it, and an open encoder. */
typedef struct bench {
    ordo_context *context;
    ordo_plan *plan;
    ordo_args args;
    WGPUCommandEncoder encoder;
} bench;

static void bench_open(bench *b, const problem *p) {
    fake_open();
    b->context = make_context();
    assert_int_equal(make_plan(b->context, p, &b->plan), ORDO_OK);
    b->args = make_args(p, b->plan);
    b->encoder = make_encoder();
}

static void bench_close(bench *b) {
    submit(b->encoder);
    release_args(&b->args);
    ordo_plan_release(b->plan);
    ordo_context_release(b->context);
    assert_int_equal(fake.uncaptured, 0);
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

/* What a call created. */
typedef struct tally {
    unsigned creations, bind_groups, mallocs, passes, dispatches, live, submits, events;
} tally;

static tally count_all(void) {
    return (tally){fake.creations,  fake.created[FAKE_BIND_GROUP],
                   fake.mallocs,    fake.passes,
                   fake.dispatches, fake_live(),
                   fake.submits,    fake.process_events};
}

/* ---- What an encode creates -------------------------------------------------------------------*/

static void check_first_encode(const tally *before, const tally *after, uint32_t steps) {
    assert_int_equal(after->passes - before->passes, 1);
    assert_int_equal(after->dispatches - before->dispatches, steps);
    assert_int_equal(after->creations - before->creations,
                     after->bind_groups - before->bind_groups);
    assert_int_equal(after->bind_groups - before->bind_groups, steps);
    assert_int_equal(after->mallocs - before->mallocs, 0);
    assert_int_equal(after->submits, before->submits);
    assert_int_equal(after->events, before->events);
}

static void test_encode_creates_bind_groups_once(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(problems); i++) {
        bench b;
        bench_open(&b, &problems[i]);
        const uint32_t steps = ordo_plan_info(b.plan)->step_count;
        tally before = count_all();
        assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
        tally after = count_all();
        check_first_encode(&before, &after, steps);

        /* The same args again, also in another encoder and in a copy of the struct: nothing. */
        before = after;
        ordo_args copy = b.args;
        WGPUCommandEncoder other = make_encoder();
        before.creations++, before.live++;
        assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
        assert_int_equal(ordo_encode(b.plan, other, &copy), ORDO_OK);
        after = count_all();
        assert_int_equal(after.creations, before.creations);
        assert_int_equal(after.mallocs, before.mallocs);
        assert_int_equal(after.live, before.live);
        assert_int_equal(after.dispatches - before.dispatches, 2 * steps);
        submit(other);

        /* Other args: bind groups, as many as before, and the old ones are let go. */
        const ordo_args fresh = make_args(&problems[i], b.plan);
        before = count_all();
        assert_int_equal(ordo_encode(b.plan, b.encoder, &fresh), ORDO_OK);
        after = count_all();
        check_first_encode(&before, &after, steps);
        assert_int_equal(after.live, before.live);
        release_args(&fresh);
        bench_close(&b);
    }
}

/* A change of any one argument is seen: the GPU gets the new buffer, or the new offset. */
typedef struct seen {
    const ordo_args *args;
    unsigned wrong, right;
} seen;

static bool is_arg(const ordo_buffer *arg, const fake_dispatch *d, unsigned b) {
    return d->buffer[b] == arg->buffer && d->offset_bytes[b] == arg->offset_bytes;
}

static void look(void *user, const fake_dispatch *d) {
    seen *s = user;
    const ordo_args *a = s->args;
    const ordo_buffer *all[] = {&a->in,         &a->out,   &a->values_in,
                                &a->values_out, &a->edges, &a->starts};
    for (unsigned b = 1; b < FAKE_MAX_BINDINGS; b++) {
        if (!d->buffer[b] || strncmp(fake_label(d->buffer[b]), "ordo", 4) == 0)
            continue; /* the plan's own */
        bool found = b == 1 && is_arg(&a->count, d, b);
        for (size_t i = 0; b > 1 && i < COUNT(all); i++)
            found |= is_arg(all[i], d, b);
        s->right += found;
        s->wrong += !found;
    }
}

static void check_each_is_bound(const problem *p) {
    bench b;
    bench_open(&b, p);
    seen s = {.args = &b.args};
    fake.on_dispatch = look;
    fake.user = &s;
    ordo_buffer *const all[] = {&b.args.count,      &b.args.in,    &b.args.out,   &b.args.values_in,
                                &b.args.values_out, &b.args.edges, &b.args.starts};
    for (size_t i = 0; i < COUNT(all); i++) {
        if (!all[i]->buffer && i > 0)
            continue;
        for (int moved = 0; moved < 2; moved++) {
            const ordo_buffer old = *all[i];
            if (moved)
                all[i]->offset_bytes = 512;
            else /* another buffer, then another place in it */
                *all[i] = make_arg(12 * MAX_COUNT + 512);
            s.right = s.wrong = 0;
            assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
            submit(b.encoder);
            b.encoder = make_encoder();
            assert_int_equal(s.wrong, 0);
            assert_true(s.right > 0);
            if (old.buffer && !moved)
                wgpuBufferRelease(old.buffer);
        }
    }
    bench_close(&b);
}

static void test_each_argument_is_bound(void **state) {
    (void)state;
    const problem all[] = {
        {"pairs", SORT, .sort = {RADIX, .max_count = MAX_COUNT, .key = ORDO_F32, .value_bytes = 4}},
        {"edges", HISTOGRAM, .histogram = {.max_count = MAX_COUNT, .bins = ORDO_BINS_EDGES}},
        {"buckets", COUNTING_SORT, .counting = {.max_count = MAX_COUNT, .value_bytes = 12}},
        {"grid", GRID, .grid = {.max_count = MAX_COUNT, .points_out = true}},
        {"best", TOP_K, .top_k = {.max_count = MAX_COUNT, .k = 700}},
    };
    for (size_t i = 0; i < COUNT(all); i++)
        check_each_is_bound(&all[i]);
}

/* A handle of a released buffer may come back as that of a new one (both runtimes do so at once),
   so the plan holds what it has bound. */
static void check_buffers_are_held(const problem *p) {
    bench b;
    bench_open(&b, p);
    b.args.count = make_arg(4);
    assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
    submit(b.encoder);
    const ordo_args old = b.args;
    release_args(&b.args);
    const ordo_buffer *all[] = {&old.in,    &old.out,    &old.values_in, &old.values_out,
                                &old.edges, &old.starts, &old.count,     &old.scratch};
    for (size_t i = 0; i < COUNT(all); i++)
        assert_true(!all[i]->buffer || fake_references(all[i]->buffer) > 0);
    b.args = make_args(p, b.plan);
    b.encoder = make_encoder();
    assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
    for (size_t i = 0; i < COUNT(all); i++) /* and lets go when others take their place */
        assert_true(!all[i]->buffer || fake_references(all[i]->buffer) == 0);
    bench_close(&b);
}

static void test_bound_buffers_are_held(void **state) {
    (void)state;
    const problem all[] = {
        {"pairs", SORT,
         .sort = {RADIX, .max_count = MAX_COUNT, .value_bytes = 4, .caller_scratch = true}},
        {"edges", HISTOGRAM,
         .histogram = {.max_count = MAX_COUNT, .bins = ORDO_BINS_EDGES, .caller_scratch = true}},
        {"buckets", COUNTING_SORT,
         .counting = {.max_count = MAX_COUNT, .value_bytes = 4, .caller_scratch = true}},
    };
    for (size_t i = 0; i < COUNT(all); i++)
        check_buffers_are_held(&all[i]);
}

/* Several plans and several encodes share an encoder. */
static void test_many_in_one_encoder(void **state) {
    (void)state;
    fake_open();
    ordo_context *context = make_context();
    ordo_plan *plans[COUNT(problems)];
    ordo_args args[COUNT(problems)];
    WGPUCommandEncoder encoder = make_encoder();
    unsigned steps = 0;
    for (size_t i = 0; i < COUNT(problems); i++) {
        assert_int_equal(make_plan(context, &problems[i], &plans[i]), ORDO_OK);
        args[i] = make_args(&problems[i], plans[i]);
        steps += 2 * ordo_plan_info(plans[i])->step_count;
    }
    for (size_t i = 0; i < 2 * COUNT(problems); i++)
        assert_int_equal(ordo_encode(plans[i / 2], encoder, &args[i / 2]), ORDO_OK);
    assert_int_equal(fake.dispatches, steps);
    for (size_t i = 0; i < COUNT(problems); i++)
        ordo_plan_release(plans[i]); /* before the submit: WebGPU keeps what is recorded */
    ordo_context_release(context);
    submit(encoder);
    for (size_t i = 0; i < COUNT(problems); i++)
        release_args(&args[i]);
    assert_int_equal(fake.uncaptured, 0);
    assert_string_equal(fake_close(), "");
}

/* ---- Timestamps, counts, scratch --------------------------------------------------------------*/

static void test_timestamps_pass_through(void **state) {
    (void)state;
    bench b;
    bench_open(&b, &problems[0]);
    assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
    assert_false(fake.pass_has_timestamps);
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(
        fake.device, &(WGPUQuerySetDescriptor){.type = WGPUQueryType_Timestamp, .count = 8});
    const WGPUPassTimestampWrites writes = {
        .querySet = set, .beginningOfPassWriteIndex = 5, .endOfPassWriteIndex = 6};
    b.args.timestamps = &writes;
    const tally before = count_all();
    assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
    const tally after = count_all();
    assert_int_equal(after.creations, before.creations); /* other timestamps bind nothing new */
    assert_true(fake.pass_has_timestamps);
    assert_ptr_equal(fake.pass_timestamps.querySet, set);
    assert_int_equal(fake.pass_timestamps.beginningOfPassWriteIndex, 5);
    assert_int_equal(fake.pass_timestamps.endOfPassWriteIndex, 6);
    wgpuQuerySetRelease(set);
    bench_close(&b);
}

/* A pass is recorded also for no work, so that its timestamps are written. */
static void test_timestamps_of_no_work(void **state) {
    (void)state;
    const problem none = {"no key", SORT, .sort = {.max_count = 0}};
    bench b;
    bench_open(&b, &none);
    WGPUQuerySet set = wgpuDeviceCreateQuerySet(
        fake.device, &(WGPUQuerySetDescriptor){.type = WGPUQueryType_Timestamp, .count = 2});
    const WGPUPassTimestampWrites writes = {NULL, set, 0, 1};
    b.args.timestamps = &writes;
    assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
    assert_true(fake.pass_has_timestamps);
    wgpuQuerySetRelease(set);
    bench_close(&b);
}

/* A plan of nothing takes any argument as absent, or as given. */
static void test_no_work_takes_any_args(void **state) {
    (void)state;
    const problem none[] = {
        {"no key", SORT, .sort = {.value_bytes = 4}},
        {"no item", SCAN, .scan = {.max_count = 0}},
        {"no bucket", COUNTING_SORT, .counting = {.value_bytes = 4}},
        {"no point", GRID, .grid = {.points_out = true}},
        {"no key", TOP_K, .top_k = {.k = 5}},
        {"none of the best", TOP_K, .top_k = {.max_count = MAX_COUNT}},
    };
    for (size_t i = 0; i < COUNT(none); i++) {
        bench b;
        bench_open(&b, &none[i]);
        assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
        b.args.in = make_arg(16);
        b.args.out = make_arg(16);
        assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
        assert_int_equal(fake.dispatches, 0);
        bench_close(&b);
    }
}

/* The count is the one word that binding 1 reads: the caller's, or the plan's own max_count. */
static void read_count(void *user, const fake_dispatch *d) {
    assert_int_equal(d->size_bytes[1], 4);
    memcpy(user, d->data[1], 4);
}

static void test_count(void **state) {
    (void)state;
    bench b;
    bench_open(&b, &problems[0]);
    uint32_t count = 0;
    fake.on_dispatch = read_count;
    fake.user = &count;
    assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
    submit(b.encoder);
    assert_int_equal(count, problems[0].sort.max_count);

    b.args.count = make_arg(516);
    b.args.count.offset_bytes = 512;
    const uint32_t own = 77;
    memcpy(fake_bytes(b.args.count.buffer) + 512, &own, 4);
    b.encoder = make_encoder();
    assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
    submit(b.encoder);
    assert_int_equal(count, 77);
    b.encoder = make_encoder();
    bench_close(&b);
}

/* ---- Mistakes ---------------------------------------------------------------------------------*/

/* Encodes args that must be refused, with the message, and checks that nothing was recorded. */
static void refuse(const bench *b, const ordo_args *args, ordo_message_id id, ordo_report report) {
    const tally before = count_all();
    const ordo_status status = ordo_encode(b->plan, b->encoder, args);
    check_message(ordo_message(b->context), status, id, report);
    const tally after = count_all();
    assert_memory_equal(&before, &after, sizeof before);
}

typedef struct row {
    const char *name;
    size_t offset; /* in ordo_args */
    int slot;      /* -1: none, the count */
} row;

#define BYTES ((uint64_t)4 * MAX_COUNT)
static const row rows[] = {
    {"in", offsetof(ordo_args, in), ORDO_SLOT_IN},
    {"out", offsetof(ordo_args, out), ORDO_SLOT_OUT},
    {"values_in", offsetof(ordo_args, values_in), ORDO_SLOT_VALUES_IN},
    {"values_out", offsetof(ordo_args, values_out), ORDO_SLOT_VALUES_OUT},
    {"edges", offsetof(ordo_args, edges), ORDO_SLOT_EDGES},
    {"starts", offsetof(ordo_args, starts), ORDO_SLOT_STARTS},
    {"scratch", offsetof(ordo_args, scratch), ORDO_SLOT_SCRATCH},
    {"count", offsetof(ordo_args, count), -1},
};

static ordo_buffer *arg_of(ordo_args *args, size_t i) {
    return (ordo_buffer *)(void *)((char *)args + rows[i].offset);
}

/* Between them these take every argument. */
static const problem mistaken[] = {
    {"pairs", SORT,
     .sort = {RADIX, .max_count = MAX_COUNT, .value_bytes = 12, .caller_scratch = true}},
    {"edges", HISTOGRAM,
     .histogram = {.max_count = MAX_COUNT, .bins = ORDO_BINS_EDGES, .caller_scratch = true}},
    {"buckets", COUNTING_SORT,
     .counting = {.max_count = MAX_COUNT, .value_bytes = 12, .caller_scratch = true}},
};

static void open_mistakes(bench *b, const problem *p) {
    bench_open(b, p);
    b->args.count = make_arg(4);
}

/* 0: the plan has no such argument. */
static uint64_t needed(const bench *b, size_t i) {
    return rows[i].slot < 0 ? 4 : ordo_plan_info(b->plan)->slot_bytes[rows[i].slot];
}

/* Each argument missing, misaligned, too small, and without the usage, one at a time. */
static void check_each_argument(const problem *p) {
    for (size_t i = 0; i < COUNT(rows); i++) {
        bench b;
        open_mistakes(&b, p);
        if (needed(&b, i) == 0) {
            bench_close(&b);
            continue;
        }
        const char *name = rows[i].name;
        ordo_args args = b.args;
        ordo_buffer *arg = arg_of(&args, i);
        const ordo_buffer right = *arg;
        const uint64_t bytes = needed(&b, i);

        if (arg->buffer != b.args.count.buffer) { /* a count is optional */
            arg->buffer = NULL;
            refuse(&b, &args, ORDO_MESSAGE_ARG_MISSING, (ordo_report){.s = name});
        }
        *arg = right;
        for (uint64_t offset = 4; offset < 256; offset += 84) {
            arg->offset_bytes = offset;
            refuse(&b, &args, ORDO_MESSAGE_ARG_OFFSET,
                   (ordo_report){.s = name, .a = offset, .b = 256});
        }
        arg->offset_bytes = 256;
        refuse(&b, &args, ORDO_MESSAGE_ARG_SIZE,
               (ordo_report){.s = name, .a = bytes, .b = 256, .c = bytes});
        arg->offset_bytes = UINT64_MAX - 255; /* offset + bytes wraps */
        refuse(&b, &args, ORDO_MESSAGE_ARG_SIZE,
               (ordo_report){.s = name, .a = bytes, .b = UINT64_MAX - 255, .c = bytes});
        *arg = (ordo_buffer){make_buffer(WGPUBufferUsage_Storage, bytes - 4), 0};
        refuse(&b, &args, ORDO_MESSAGE_ARG_SIZE,
               (ordo_report){.s = name, .a = bytes, .b = 0, .c = bytes - 4});
        wgpuBufferRelease(arg->buffer);
        *arg = (ordo_buffer){
            make_buffer(WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst | WGPUBufferUsage_Uniform,
                        bytes),
            0};
        refuse(&b, &args, ORDO_MESSAGE_ARG_USAGE, (ordo_report){.s = name});
        wgpuBufferRelease(arg->buffer);

        assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
        bench_close(&b);
    }
}

static void test_each_argument(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(mistaken); i++)
        check_each_argument(&mistaken[i]);
}

/* Each pair of arguments in one buffer: overlapping is refused, side by side is fine. */
static void check_each_pair(const problem *p) {
    bench b;
    open_mistakes(&b, p);
    WGPUBuffer one = make_buffer(WGPUBufferUsage_Storage, 1 << 22);
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (size_t k = 0; k < i; k++) {
            ordo_args args = b.args;
            if (needed(&b, i) == 0 || needed(&b, k) == 0)
                continue;
            *arg_of(&args, k) = (ordo_buffer){one, 512};
            const uint64_t end = (512 + needed(&b, k) + 255) / 256 * 256;
            if (arg_of(&args, i) == &args.count) {
                /* Also apart: read-only and writable in one dispatch is not allowed. */
                *arg_of(&args, i) = (ordo_buffer){one, 0};
                refuse(&b, &args, ORDO_MESSAGE_ARG_SHARED, (ordo_report){.s = rows[k].name});
                continue;
            }
            const uint64_t before = needed(&b, i) > 256 ? 256 : 512;
            const uint64_t after = needed(&b, k) > 256 ? 768 : 512;
            const uint64_t offsets[] = {512, before, after, end - 256};
            for (size_t o = 0; o < COUNT(offsets); o++) {
                *arg_of(&args, i) = (ordo_buffer){one, offsets[o]};
                refuse(&b, &args, ORDO_MESSAGE_ARG_OVERLAP,
                       (ordo_report){.s = rows[k].name,
                                     .t = rows[i].name,
                                     .a = 512,
                                     .b = offsets[o],
                                     .c = needed(&b, k)});
            }
            *arg_of(&args, i) = (ordo_buffer){one, end};
            assert_int_equal(ordo_encode(b.plan, b.encoder, &args), ORDO_OK);
        }
    }
    wgpuBufferRelease(one);
    bench_close(&b);
}

static void test_each_pair(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(mistaken); i++)
        check_each_pair(&mistaken[i]);
}

/* Buffers that a plan has no use for. */
static void test_unused_arguments(void **state) {
    (void)state;
    const struct {
        problem problem;
        const char *unused[6];
    } cases[] = {
        {{"keys", SORT, .sort = {.max_count = MAX_COUNT}},
         {"values_in", "values_out", "edges", "starts", "scratch"}},
        {{"in place", SORT, .sort = {.max_count = MAX_COUNT, .in_place = true}},
         {"out", "values_in", "values_out", "scratch"}},
        {{"pairs in place", SORT,
          .sort = {.max_count = MAX_COUNT, .value_bytes = 4, .in_place = true}},
         {"out", "values_out", "scratch"}},
        {{"argsort", SORT, .sort = {.max_count = MAX_COUNT, .argsort = true}},
         {"out", "values_in", "scratch"}},
        {{"scan", SCAN, .scan = {.max_count = MAX_COUNT}}, {"values_in", "values_out", "scratch"}},
        {{"scan in place", SCAN, .scan = {.max_count = MAX_COUNT, .in_place = true}}, {"out"}},
        {{"reduce", REDUCE, .reduce = {.max_count = MAX_COUNT}}, {"values_in", "values_out"}},
        {{"even bins", HISTOGRAM, .histogram = {.max_count = MAX_COUNT}},
         {"values_in", "values_out", "edges", "starts", "scratch"}},
        {{"buckets", COUNTING_SORT, .counting = {.max_count = MAX_COUNT}},
         {"values_in", "values_out", "edges", "scratch"}},
        {{"argsort of buckets", COUNTING_SORT,
          .counting = {.max_count = MAX_COUNT, .argsort = true}},
         {"out", "values_in", "edges", "scratch"}},
        {{"depths", COUNTING_SORT,
          .counting = {.max_count = MAX_COUNT, .value_bytes = 4, .depth = {.farthest = 1}}},
         {"out", "edges", "scratch"}},
        {{"grid", GRID, .grid = {.max_count = MAX_COUNT}},
         {"out", "values_in", "edges", "scratch"}},
        {{"best", TOP_K, .top_k = {.max_count = MAX_COUNT, .k = 5}},
         {"values_in", "edges", "starts", "scratch"}},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        bench b;
        bench_open(&b, &cases[c].problem);
        WGPUBuffer extra = make_buffer(WGPUBufferUsage_Storage, 1 << 20);
        for (size_t u = 0; u < 6 && cases[c].unused[u]; u++) {
            for (size_t i = 0; i < COUNT(rows); i++) {
                if (strcmp(rows[i].name, cases[c].unused[u]) != 0)
                    continue;
                ordo_args args = b.args;
                arg_of(&args, i)->buffer = extra;
                refuse(&b, &args, ORDO_MESSAGE_ARG_UNUSED, (ordo_report){.s = rows[i].name});
            }
        }
        wgpuBufferRelease(extra);
        assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
        bench_close(&b);
    }
}

static void test_null_pointers(void **state) {
    (void)state;
    bench b;
    bench_open(&b, &problems[0]);
    refuse(&b, NULL, ORDO_MESSAGE_DESC_NULL, (ordo_report){.s = "args"});
    const tally before = count_all();
    const ordo_status status = ordo_encode(b.plan, NULL, &b.args);
    check_message(ordo_message(b.context), status, ORDO_MESSAGE_DESC_NULL,
                  (ordo_report){.s = "encoder"});
    assert_int_equal(ordo_encode(NULL, b.encoder, &b.args), ORDO_INVALID);
    const tally after = count_all();
    assert_memory_equal(&before, &after, sizeof before);
    bench_close(&b);
}

/* Alignment is the device's, not a constant. */
static void test_other_alignment(void **state) {
    (void)state;
    fake_open();
    fake.limits.minStorageBufferOffsetAlignment = 32;
    fake.limits.minUniformBufferOffsetAlignment = 64;
    bench b = {.context = make_context()};
    assert_int_equal(make_plan(b.context, &problems[0], &b.plan), ORDO_OK);
    b.args = make_args(&problems[0], b.plan);
    b.encoder = make_encoder();
    ordo_args args = b.args;
    args.in = make_arg(BYTES + 64);
    args.in.offset_bytes = 32;
    refuse(&b, &args, ORDO_MESSAGE_ARG_OFFSET, (ordo_report){.s = "in", .a = 32, .b = 64});
    args.in.offset_bytes = 64;
    assert_int_equal(ordo_encode(b.plan, b.encoder, &args), ORDO_OK);
    wgpuBufferRelease(args.in.buffer);
    bench_close(&b);
}

/* ---- The device fails -------------------------------------------------------------------------*/

/* A bind group that fails cannot be seen here; the device says so at the latest when the encoder is
   finished, and nothing leaks. */
static void test_bind_groups_fail(void **state) {
    (void)state;
    for (unsigned k = 1; k < 6; k++) {
        bench b;
        bench_open(&b, &problems[0]);
        fake.fail_creation = k;
        assert_int_equal(ordo_encode(b.plan, b.encoder, &b.args), ORDO_OK);
        assert_true(fake.uncaptured > 0);
        submit(b.encoder);
        b.encoder = make_encoder();
        fake.uncaptured = 0;
        /* Other buffers bind anew, and work. */
        const ordo_args fresh = make_args(&problems[0], b.plan);
        assert_int_equal(ordo_encode(b.plan, b.encoder, &fresh), ORDO_OK);
        release_args(&fresh);
        bench_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encode_creates_bind_groups_once),
        cmocka_unit_test(test_each_argument_is_bound),
        cmocka_unit_test(test_bound_buffers_are_held),
        cmocka_unit_test(test_many_in_one_encoder),
        cmocka_unit_test(test_timestamps_pass_through),
        cmocka_unit_test(test_timestamps_of_no_work),
        cmocka_unit_test(test_no_work_takes_any_args),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_each_argument),
        cmocka_unit_test(test_each_pair),
        cmocka_unit_test(test_unused_arguments),
        cmocka_unit_test(test_null_pointers),
        cmocka_unit_test(test_other_alignment),
        cmocka_unit_test(test_bind_groups_fail),
    };
    return cmocka_run_group_tests_name("fake_encode", tests, NULL, NULL);
}
