/* SPDX-License-Identifier: MIT */
/*
 * test_fake_run.c: ordo_run_arrays on the fake WebGPU: every input goes up whole, every output
 * comes down whole, and on every failure the host arrays are as they were.
 *
 * The "GPU" compares each input that a step binds with the host's array, and writes a pattern into
 * each output, so that a result is known to come from it.
 */
#include "fake_common.h"

enum { SLOTS = ORDO_SLOT_COUNT };

static const char *const names[SLOTS] = {"",           "in",    "out",   "values_in",
                                         "values_out", "edges", "starts"};

static bool is_output(int slot) {
    return slot == ORDO_SLOT_OUT || slot == ORDO_SLOT_VALUES_OUT || slot == ORDO_SLOT_STARTS;
}

/* A plan and host arrays for it, with a byte behind each that must stay. */
typedef struct job {
    ordo_context *context;
    ordo_plan *plan;
    const uint64_t *bytes; /* of slots */
    uint8_t *host[SLOTS], *before[SLOTS];
    ordo_arrays arrays;
    bool seen[SLOTS]; /* the slot was bound */
} job;

static uint8_t noise(int slot, uint64_t i) {
    return (uint8_t)((i * 167 + (uint64_t)slot * 91 + i / 251) >> 1);
}

static uint8_t result(int slot, uint64_t i) { return (uint8_t)(noise(slot, i) ^ 0x5a); }

static void job_open(job *j, const problem *p) {
    *j = (job){.context = make_context()};
    assert_int_equal(make_plan(j->context, p, &j->plan), ORDO_OK);
    j->bytes = ordo_plan_info(j->plan)->slot_bytes;
    for (int slot = ORDO_SLOT_IN; slot < SLOTS; slot++) {
        if (!j->bytes[slot])
            continue;
        j->host[slot] = malloc(j->bytes[slot] + 1);
        j->before[slot] = malloc(j->bytes[slot] + 1);
        assert_true(j->host[slot] && j->before[slot]);
        for (uint64_t i = 0; i <= j->bytes[slot]; i++)
            j->host[slot][i] = j->before[slot][i] = noise(slot, i);
    }
    j->arrays = (ordo_arrays){.in = j->host[ORDO_SLOT_IN],
                              .values_in = j->host[ORDO_SLOT_VALUES_IN],
                              .edges = j->host[ORDO_SLOT_EDGES],
                              .out = j->host[ORDO_SLOT_OUT],
                              .values_out = j->host[ORDO_SLOT_VALUES_OUT],
                              .starts = j->host[ORDO_SLOT_STARTS]};
}

static void job_close(job *j) {
    ordo_plan_release(j->plan);
    ordo_context_release(j->context);
    for (int slot = 0; slot < SLOTS; slot++) {
        free(j->host[slot]);
        free(j->before[slot]);
    }
    assert_int_equal(fake.uncaptured, 0); /* one would abort a program on wgpu-native */
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

static void compute(void *user, const fake_dispatch *d) {
    job *j = user;
    for (unsigned b = 2; b < FAKE_MAX_BINDINGS; b++) {
        for (int slot = ORDO_SLOT_IN; d->buffer[b] && slot < SLOTS; slot++) {
            if (strcmp(fake_label(d->buffer[b]), names[slot]) != 0)
                continue;
            uint8_t *held = fake_bytes(d->buffer[b]);
            j->seen[slot] = true;
            assert_int_equal(wgpuBufferGetSize(d->buffer[b]), j->bytes[slot]);
            if (!is_output(slot))
                assert_memory_equal(held, j->before[slot], j->bytes[slot]);
            for (uint64_t i = 0; is_output(slot) && i < j->bytes[slot]; i++)
                held[i] = result(slot, i);
        }
    }
}

static ordo_status run(job *j) {
    fake.on_dispatch = compute;
    fake.user = j;
    const ordo_status status = ordo_run_arrays(j->plan, &j->arrays);
    fake.on_dispatch = NULL;
    return status;
}

static void check_unchanged(const job *j) {
    for (int slot = 0; slot < SLOTS; slot++) {
        if (j->host[slot])
            assert_memory_equal(j->host[slot], j->before[slot], j->bytes[slot] + 1);
    }
}

/* Runs once where nothing fails, checks what came up and down, and puts outputs back. */
static void check_success(job *j) {
    memset(j->seen, 0, sizeof j->seen);
    assert_int_equal(run(j), ORDO_OK);
    for (int slot = ORDO_SLOT_IN; slot < SLOTS; slot++) {
        if (!j->host[slot])
            continue;
        assert_true(j->seen[slot]);
        for (uint64_t i = 0; is_output(slot) && i < j->bytes[slot]; i++)
            assert_int_equal(j->host[slot][i], result(slot, i));
        if (is_output(slot))
            memcpy(j->host[slot], j->before[slot], j->bytes[slot]);
    }
    check_unchanged(j);
}

/* Plans whose slots are all kinds that there are. */
static const problem runs[] = {
    {"pairs", SORT, .sort = {RADIX, .max_count = 5000, .value_bytes = 12}},
    {"argsort", SORT, .sort = {.max_count = 5000, .key = ORDO_F64, .argsort = true}},
    {"scan", SCAN, .scan = {.max_count = 5000}},
    {"reduce", REDUCE, .reduce = {.max_count = 5000}},
    {"edges", HISTOGRAM, .histogram = {.max_count = 5000, .bins = ORDO_BINS_EDGES}},
    {"histogram of none", HISTOGRAM, .histogram = {.max_count = 0}},
    {"buckets", COUNTING_SORT, .counting = {.max_count = 5000, .value_bytes = 8}},
    {"depths", COUNTING_SORT,
     .counting = {.max_count = 5000, .argsort = true, .depth = {.nearest = 1, .farthest = 2}}},
    {"grid", GRID, .grid = {.max_count = 5000, .cells = {9, 9, 9}, .points_out = true}},
    {"best", TOP_K, .top_k = {.max_count = 5000, .key = ORDO_I64, .k = 700}},
};

/* A plan may be run many times, also after its context is released; runs keep no more each time. */
static void test_upload_and_download(void **state) {
    (void)state;
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (size_t t = 0; t < COUNT(timings); t++) {
        for (size_t i = 0; i < COUNT(runs); i++) {
            fake_open();
            fake.timing = timings[t];
            job j;
            job_open(&j, &runs[i]);
            const unsigned of_plan = fake_live();
            check_success(&j);
            assert_int_equal(fake_live(), of_plan);
            check_success(&j);
            assert_int_equal(fake_live(), of_plan);
            ordo_context_release(j.context);
            j.context = NULL;
            check_success(&j);
            job_close(&j);
        }
    }
}

/* Between runs the plan may be encoded over buffers of the caller's. */
static void test_runs_and_encodes_take_turns(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        fake_open();
        job j;
        job_open(&j, &runs[i]);
        use_plan(&runs[i], j.plan);
        check_success(&j);
        use_plan(&runs[i], j.plan);
        check_success(&j);
        job_close(&j);
    }
}

static void test_nothing_to_run(void **state) {
    (void)state;
    const problem none[] = {
        {"no key", SORT, .sort = {.value_bytes = 4}},
        {"no item", SCAN, .scan = {.max_count = 0}},
        {"no bucket", COUNTING_SORT, .counting = {.value_bytes = 4}},
        {"no point", GRID, .grid = {.points_out = true}},
        {"none of the best", TOP_K, .top_k = {.max_count = 100}},
    };
    for (size_t i = 0; i < COUNT(none); i++) {
        fake_open();
        job j;
        job_open(&j, &none[i]);
        uint32_t one = 1, two = 2;
        assert_int_equal(ordo_run_arrays(j.plan, &(ordo_arrays){0}), ORDO_OK);
        assert_int_equal(ordo_run_arrays(j.plan, &(ordo_arrays){.in = &one, .out = &two}), ORDO_OK);
        assert_int_equal(one, 1);
        assert_int_equal(two, 2);
        assert_int_equal(fake.submits, 0);
        job_close(&j);
    }
}

/* ---- Mistakes ---------------------------------------------------------------------------------*/

static void refuse(job *j, ordo_message_id id, ordo_report report) {
    const unsigned creations = fake.creations;
    check_message(ordo_message(j->context), run(j), id, report);
    assert_int_equal(fake.creations, creations);
    check_unchanged(j);
}

/* The member of a slot, as a pointer that any array converts to. */
static void set_array(ordo_arrays *arrays, int slot, void *array) {
    switch (slot) {
    case ORDO_SLOT_IN:
        arrays->in = array;
        break;
    case ORDO_SLOT_VALUES_IN:
        arrays->values_in = array;
        break;
    case ORDO_SLOT_EDGES:
        arrays->edges = array;
        break;
    case ORDO_SLOT_OUT:
        arrays->out = array;
        break;
    case ORDO_SLOT_VALUES_OUT:
        arrays->values_out = array;
        break;
    default:
        arrays->starts = array;
    }
}

/* Each array missing, or given though not asked for. */
static void test_missing_and_unused_arrays(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        fake_open();
        job j;
        uint8_t extra[16];
        job_open(&j, &runs[i]);
        const ordo_arrays right = j.arrays;
        for (int slot = ORDO_SLOT_IN; slot < SLOTS; slot++) {
            /* A plan of no elements takes arrays that it has no use for. */
            if (!j.host[slot] && !j.host[ORDO_SLOT_IN])
                continue;
            set_array(&j.arrays, slot, j.host[slot] ? NULL : extra);
            refuse(&j, j.host[slot] ? ORDO_MESSAGE_ARRAYS_NULL : ORDO_MESSAGE_ARRAYS_UNUSED,
                   (ordo_report){.s = names[slot], .a = j.bytes[slot]});
            j.arrays = right;
        }
        check_success(&j);
        job_close(&j);
    }
}

/* An output over another output or an input, at both ends; inputs may share memory. */
static void test_overlapping_arrays(void **state) {
    (void)state;
    fake_open();
    job j;
    const problem all = {"buckets", COUNTING_SORT,
                         .counting = {.max_count = 5000, .value_bytes = 4}};
    job_open(&j, &all);
    const ordo_arrays right = j.arrays;
    static const int slots[] = {ORDO_SLOT_IN, ORDO_SLOT_VALUES_IN, ORDO_SLOT_OUT,
                                ORDO_SLOT_VALUES_OUT, ORDO_SLOT_STARTS};
    for (size_t a = 0; a < COUNT(slots); a++) {
        for (size_t b = 0; b < a; b++) {
            const int over = slots[a], under = slots[b];
            const uint64_t offsets[] = {0, 4, j.bytes[under] - 4};
            for (size_t o = 0; o < COUNT(offsets); o++) {
                set_array(&j.arrays, over, j.host[under] + offsets[o]);
                if (is_output(over) || is_output(under))
                    refuse(&j, ORDO_MESSAGE_ARRAYS_OVERLAP,
                           (ordo_report){.s = names[under], .t = names[over]});
                j.arrays = right;
            }
        }
    }
    j.arrays.values_in = j.arrays.in;
    assert_int_equal(ordo_run_arrays(j.plan, &j.arrays), ORDO_OK);
    job_close(&j);
}

static void test_plans_that_do_not_run_on_arrays(void **state) {
    (void)state;
    const struct {
        problem problem;
        const char *flag;
    } rows[] = {
        {{"in place", SORT, .sort = {.max_count = 10, .in_place = true}}, "in_place"},
        {{"pairs", SORT, .sort = {.max_count = 10, .value_bytes = 4, .in_place = true}},
         "in_place"},
        {{"scan", SCAN, .scan = {.max_count = 10, .in_place = true}}, "in_place"},
        {{"scratch", TOP_K, .top_k = {.max_count = 10, .k = 2, .caller_scratch = true}},
         "caller_scratch"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_open();
        job j;
        job_open(&j, &rows[i].problem);
        refuse(&j, ORDO_MESSAGE_ARRAY_FLAG, (ordo_report){.s = rows[i].flag});
        job_close(&j);
    }
    fake_open();
    job j;
    job_open(&j, &runs[0]);
    check_message(ordo_message(j.context), ordo_run_arrays(j.plan, NULL), ORDO_MESSAGE_DESC_NULL,
                  (ordo_report){.s = "arrays"});
    assert_int_equal(ordo_run_arrays(NULL, &j.arrays), ORDO_INVALID);
    job_close(&j);

    fake_open();
    ordo_context_desc desc = usual_desc();
    desc.instance = NULL;
    job_open(&j, &runs[0]);
    ordo_plan_release(j.plan);
    ordo_context_release(j.context);
    assert_int_equal(ordo_context_create(&desc, &j.context, NULL), ORDO_OK);
    assert_int_equal(make_plan(j.context, &runs[0], &j.plan), ORDO_OK);
    j.bytes = ordo_plan_info(j.plan)->slot_bytes;
    refuse(&j, ORDO_MESSAGE_NO_INSTANCE, (ordo_report){.s = "work on arrays"});
    job_close(&j);
}

/* ---- Failures ---------------------------------------------------------------------------------*/

/* A failed run leaves arrays, objects and the plan as they were. */
static void check_failure(job *j, ordo_status status, unsigned of_plan) {
    assert_int_not_equal(status, ORDO_OK);
    check_fits(ordo_message(j->context), status);
    check_unchanged(j);
    assert_int_equal(fake_live(), of_plan);
}

static bool fail_creation(const problem *p, WGPUErrorType error, unsigned k) {
    fake_open();
    job j;
    job_open(&j, p);
    const unsigned of_plan = fake_live();
    fake.fail_creation = k;
    fake.fail_error = error;
    const ordo_status status = run(&j);
    const bool reached = fake.fail_creation == 0;
    fake_heal();
    if (reached) {
        check_failure(&j, status, of_plan);
        assert_int_equal(status,
                         error == WGPUErrorType_OutOfMemory ? ORDO_OUT_OF_MEMORY : ORDO_FAILED);
    } else {
        assert_int_equal(status, ORDO_OK);
        for (int slot = 0; slot < SLOTS; slot++) {
            if (j.host[slot])
                memcpy(j.host[slot], j.before[slot], j.bytes[slot]);
        }
    }
    check_success(&j);
    job_close(&j);
    return reached;
}

static void test_every_creation_fails(void **state) {
    (void)state;
    const WGPUErrorType errors[] = {WGPUErrorType_Validation, WGPUErrorType_OutOfMemory};
    for (size_t e = 0; e < COUNT(errors); e++) {
        for (size_t i = 0; i < COUNT(runs); i++) {
            unsigned k = 1;
            while (fail_creation(&runs[i], errors[e], k))
                k++;
            assert_true(k > 4); /* a buffer and its staging, a bind group, the encoder */
        }
    }
}

static void test_every_malloc_fails(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        for (unsigned k = 1, more = 1; more; k++) {
            fake_open();
            job j;
            job_open(&j, &runs[i]);
            const unsigned of_plan = fake_live();
            fake.fail_malloc = k;
            const ordo_status status = run(&j);
            more = fake.fail_malloc == 0;
            fake_heal();
            if (more)
                check_failure(&j, status, of_plan);
            else
                assert_int_equal(status, ORDO_OK);
            for (int slot = 0; slot < SLOTS; slot++) {
                if (j.host[slot])
                    memcpy(j.host[slot], j.before[slot], j.bytes[slot]);
            }
            check_success(&j);
            job_close(&j);
        }
    }
}

/* Each mapping fails in each way, after those before it have succeeded. */
static void test_mapping_fails(void **state) {
    (void)state;
    const WGPUMapAsyncStatus statuses[] = {WGPUMapAsyncStatus_Error, WGPUMapAsyncStatus_Aborted,
                                           WGPUMapAsyncStatus_CallbackCancelled};
    const fake_timing timings[] = {FAKE_AT_ONCE, FAKE_NEXT_EVENTS, FAKE_LATER_EVENTS};
    for (size_t i = 0; i < COUNT(statuses) * COUNT(timings) * COUNT(runs); i++) {
        for (unsigned good = 0;; good++) {
            fake_open();
            fake.timing = timings[i % COUNT(timings)];
            job j;
            job_open(&j, &runs[i / COUNT(timings) % COUNT(runs)]);
            const unsigned of_plan = fake_live();
            unsigned outputs = 0;
            for (int slot = 0; slot < SLOTS; slot++)
                outputs += is_output(slot) && j.host[slot];
            if (good < outputs) {
                fake.map_status = statuses[i / COUNT(timings) / COUNT(runs)];
                fake.good_maps = good;
                const ordo_status status = run(&j);
                check_failure(&j, status, of_plan);
                assert_int_equal(status, ORDO_DEVICE_LOST);
                fake_heal();
            }
            check_success(&j);
            job_close(&j);
            if (good == outputs)
                break;
        }
    }
}

/* The device is lost before the call or in the submit; wgpu-native tells, Dawn does not. */
static void test_lost_device(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(runs) * 4; i++) {
        fake_open();
        job j;
        job_open(&j, &runs[i / 4]);
        fake.lost_is_an_error = i % 2;
        fake.lose_at_submit = i / 2 % 2;
        fake.lost = !fake.lose_at_submit;
        const ordo_status status = run(&j);
        assert_true(status == ORDO_DEVICE_LOST || status == ORDO_FAILED);
        check_fits(ordo_message(j.context), status);
        check_unchanged(&j);
        job_close(&j);
    }
}

/* Error scopes that cannot tell whether there was an error are no success. */
static void test_scopes_fail(void **state) {
    (void)state;
    const WGPUPopErrorScopeStatus statuses[] = {WGPUPopErrorScopeStatus_Error,
                                                WGPUPopErrorScopeStatus_CallbackCancelled};
    for (size_t i = 0; i < COUNT(statuses) * COUNT(runs); i++) {
        for (unsigned good = 0, more = 1; more; good++) {
            fake_open();
            job j;
            job_open(&j, &runs[i / 2]);
            const unsigned of_plan = fake_live();
            fake.good_pops = 1000;
            check_success(&j);
            more = good + 1 < 1000 - fake.good_pops;
            fake.good_pops = good;
            fake.pop_status = statuses[i % 2];
            check_failure(&j, run(&j), of_plan);
            fake_heal();
            check_success(&j);
            job_close(&j);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upload_and_download),
        cmocka_unit_test(test_runs_and_encodes_take_turns),
        cmocka_unit_test(test_nothing_to_run),
        cmocka_unit_test(test_missing_and_unused_arrays),
        cmocka_unit_test(test_overlapping_arrays),
        cmocka_unit_test(test_plans_that_do_not_run_on_arrays),
        cmocka_unit_test(test_every_creation_fails),
        cmocka_unit_test(test_every_malloc_fails),
        cmocka_unit_test(test_mapping_fails),
        cmocka_unit_test(test_lost_device),
        cmocka_unit_test(test_scopes_fail),
    };
    return cmocka_run_group_tests_name("fake_run", tests, NULL, NULL);
}
