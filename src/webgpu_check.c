/* SPDX-License-Identifier: MIT */
/*
 * webgpu_check.c: the self-check: known data through every method and tier, compared with the host.
 *
 *     trial    a desc and shapes of data     x  subject  a method, or scans  x  tier
 *              plans for all first; then for each shape the host's result, and a run of each plan
 *     row      what came of a subject on a tier, over all trials
 *
 * A tier on which a plan is the same as on an earlier one is not run again. A subject that fails is
 * not tried further; a device that is lost or stalled ends the check.
 */
#include "check_data.h"
#include "webgpu_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT_MS = 60000 };

/* Which trials a subject has besides the usual ones. */
enum {
    HAS_LONG = 1,    /* for long inputs it has kernels that are written out, */
    HAS_SHAPE = 2,   /* or other shapes, then also on a CPU, where no kernel is written out; */
    HAS_WINDOWS = 4, /* arrays may be larger than a binding */
};

static const struct {
    const char *name;
    ordo_method method; /* 0: no sort */
    uint32_t forms;
} subjects[] = {
    {"radix", ORDO_METHOD_RADIX, HAS_LONG | HAS_WINDOWS},
    {"bitonic", ORDO_METHOD_BITONIC, 0},
    {"oddeven", ORDO_METHOD_ODDEVEN, 0},
    {"msd", ORDO_METHOD_MSD, HAS_LONG | HAS_SHAPE},
    {"sample", ORDO_METHOD_SAMPLE, 0},
    {"onesweep", ORDO_METHOD_ONESWEEP, HAS_LONG},
    {"scan", ORDO_METHOD_AUTO, HAS_LONG},
};

static const char *const tier_names[] = {"portable", "subgroups", "forward progress"};

enum {
    SUBJECTS = sizeof subjects / sizeof *subjects,
    TIERS = sizeof tier_names / sizeof *tier_names,
    TIER_PORTABLE = 0,
    TIER_SUBGROUPS = 1,
    TIER_PROGRESS = 2, /* with subgroups, if there are any */
};
_Static_assert(ORDO_MAX_CHECK_ROWS >= SUBJECTS * TIERS, "rows do not fit");

/* How many elements a trial has. */
typedef enum extent {
    EXTENT_USUAL,   /* of several tiles and blocks, the last one partly filled */
    EXTENT_SMALL,   /* what fits a workgroup, */
    EXTENT_MIDDLE,  /* one of 512 invocations, */
    EXTENT_GREAT,   /* and one of 1,024; both where msd has kernels of such shapes: not on a CPU */
    EXTENT_QUADS,   /* of a scan that reads four words at once */
    EXTENT_LONG,    /* with long_form; so many that msd takes large items */
    EXTENT_WINDOWS, /* larger than a binding is taken to be */
} extent;

enum { SORT_COUNT = 20011, SCAN_COUNT = 70001, SMALL_COUNT = 1001, LONG_COUNT = 300011 };
enum { MIDDLE_COUNT = 4001, GREAT_COUNT = 7001 };
enum { WINDOW_BYTES = 512 << 10 };

/* What plans take their form for long inputs by, however few they have. */
static const char long_form[] =
    "unrolled_count=0 msd_small_count=0 msd_medium_count=0 msd_data_count=0";
static const char long_form_of_cpu[] = "msd_small_count=0 msd_medium_count=0";

typedef struct trial {
    const char *what; /* its elements */
    extent extent;
    bool scan, inclusive;
    ordo_sort_desc sort;
    uint32_t shapes; /* bits 1 << ordo_check_shape */
} trial;

#define SHAPE(name) (1u << ORDO_CHECK_##name)
#define PAIRS .key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 4
#define WIDE_PAIRS .key = ORDO_F64, .order = ORDO_DESCENDING, .value_bytes = 4

static const trial trials[] = {
    {"u32 keys", .shapes = SHAPE(RANDOM) | SHAPE(FEW) | SHAPE(SORTED) | SHAPE(REVERSED)},
    {"f32 pairs", .sort = {PAIRS}, .shapes = SHAPE(FLOATS)},
    {"u32 keys", EXTENT_SMALL, .shapes = SHAPE(RANDOM) | SHAPE(FEW)},
    {"f32 pairs", EXTENT_SMALL, .sort = {PAIRS}, .shapes = SHAPE(FLOATS)},
    {"u32 keys", EXTENT_MIDDLE, .shapes = SHAPE(RANDOM)},
    {"u32 keys", EXTENT_GREAT, .shapes = SHAPE(RANDOM)},
    {"u64 keys", .sort = {.key = ORDO_U64}, .shapes = SHAPE(RANDOM) | SHAPE(FEW)},
    {"f64 pairs", .sort = {WIDE_PAIRS}, .shapes = SHAPE(DOUBLES)},
    {"u32 keys", EXTENT_LONG,
     .shapes = SHAPE(RANDOM) | SHAPE(FEW) | SHAPE(BYTES) | SHAPE(SORTED) | SHAPE(REVERSED)},
    {"f32 pairs", EXTENT_LONG, .sort = {PAIRS},
     .shapes = SHAPE(RANDOM) | SHAPE(FLOATS) | SHAPE(SORTED) | SHAPE(EVEN)},
    {"f32 keys", EXTENT_LONG, .sort = {.key = ORDO_F32}, .shapes = SHAPE(FLOATS) | SHAPE(EVEN)},
    {"u64 keys", EXTENT_LONG, .sort = {.key = ORDO_U64}, .shapes = SHAPE(RANDOM)},
    {"u32 keys", EXTENT_WINDOWS, .shapes = SHAPE(RANDOM)},
    {"f32 pairs", EXTENT_WINDOWS, .sort = {PAIRS}, .shapes = SHAPE(FLOATS)},
    {"u32 items, exclusive", .scan = true, .shapes = SHAPE(RANDOM)},
    {"u32 items, inclusive", .scan = true, .inclusive = true, .shapes = SHAPE(RANDOM)},
    {"u32 items, exclusive", EXTENT_QUADS, .scan = true, .shapes = SHAPE(RANDOM)},
    {"u32 items, inclusive", EXTENT_LONG, .scan = true, .inclusive = true, .shapes = SHAPE(RANDOM)},
};

static const char *const shape_names[] = {"random",   "few different", "few-bit", "sorted",
                                          "reversed", "special",       "special", "even"};

typedef struct checker {
    ordo_context *context;
    ordo_check *result;
    ordo_caps caps;    /* the context's before the check */
    char *long_tuning; /* the context's tuning and long_form */
    uint32_t *in, *values, *out, *values_out, *expected, *spare; /* LONG_COUNT words each */
    trial trial;                                                 /* now */
    uint32_t count;
    char words[64]; /* what its data is */
    ordo_check_row rows[SUBJECTS][TIERS];
    ordo_plan *plans[SUBJECTS][TIERS]; /* of the trial; NULL: not run */
    ordo_status status;                /* not OK: the check cannot go on */
} checker;

/* ---- Verdicts ---- */

static void fail_row(checker *c, ordo_check_row *row, ordo_check_verdict verdict,
                     ordo_message_id id, ordo_report report) {
    char name[64];
    snprintf(name, sizeof name, "%s (%s)", row->name, row->tier);
    report.s = name;
    row->verdict = verdict;
    if (c->result->failed_count++ == 0) {
        ordo_message_write(c->result->message, id, &report);
    }
}

/* What a call that failed means to the row it was for. */
static void take_failure(checker *c, ordo_check_row *row, ordo_status status) {
    if (status == ORDO_OUT_OF_MEMORY) {
        c->status = status;
        return;
    }
    ordo_check_verdict verdict = status != ORDO_DEVICE_LOST ? ORDO_REFUSED
                                 : c->context->stalled_ms   ? ORDO_STALLED
                                                            : ORDO_LOST;
    if (verdict != ORDO_REFUSED) {
        c->status = status;
    }
    fail_row(c, row, verdict, ORDO_MESSAGE_CHECK_BROKEN, (ordo_report){.t = c->context->message});
}

/* ---- Plans ---- */

static ordo_status make_plan(checker *c, uint32_t subject, ordo_plan **plan) {
    if (c->trial.scan) {
        ordo_scan_desc scan = {.max_count = c->count, .inclusive = c->trial.inclusive};
        return ordo_scan_plan(c->context, &scan, plan);
    }
    ordo_sort_desc sort = c->trial.sort;
    sort.max_count = c->count;
    sort.method = subjects[subject].method;
    return ordo_sort_plan(c->context, &sort, plan);
}

/* Whether the trial is one for the subject on the tier. */
static bool is_wanted(const checker *c, uint32_t subject, uint32_t tier) {
    const ordo_check_row *rows = c->rows[subject];
    uint32_t forms = subjects[subject].forms;
    const bool has[] = {[EXTENT_USUAL] = true,
                        [EXTENT_SMALL] = true,
                        [EXTENT_MIDDLE] = forms & HAS_SHAPE && !c->caps.software,
                        [EXTENT_GREAT] = forms & HAS_SHAPE && !c->caps.software,
                        [EXTENT_QUADS] = c->trial.scan,
                        [EXTENT_LONG] = forms & (c->caps.software ? HAS_SHAPE : HAS_LONG),
                        [EXTENT_WINDOWS] = forms & HAS_WINDOWS};
    return c->status == ORDO_OK && c->trial.scan == !subjects[subject].method &&
           has[c->trial.extent] && (tier != TIER_SUBGROUPS || c->caps.subgroups) &&
           (tier != TIER_PROGRESS || c->caps.forward_progress) &&
           rows[TIER_PORTABLE].verdict == ORDO_PASSED && rows[tier].verdict == ORDO_PASSED;
}

static void plan_row(checker *c, uint32_t subject, uint32_t tier) {
    ordo_check_row *row = &c->rows[subject][tier];
    ordo_plan *plan = NULL;
    uint64_t begin_us = ordo_now_us();
    c->context->caps.subgroups = c->caps.subgroups && tier != TIER_PORTABLE;
    c->context->caps.forward_progress = tier == TIER_PROGRESS;
    c->context->caps.tuning = c->trial.extent == EXTENT_LONG ? c->long_tuning : c->caps.tuning;
    if (c->trial.extent == EXTENT_WINDOWS && c->caps.max_binding_bytes > WINDOW_BYTES) {
        c->context->caps.max_binding_bytes = WINDOW_BYTES;
    }
    ordo_status status = make_plan(c, subject, &plan);
    c->context->caps.max_binding_bytes = c->caps.max_binding_bytes;
    row->plan_us += (uint32_t)(ordo_now_us() - begin_us);
    for (uint32_t earlier = 0; plan && earlier < tier; earlier++) {
        if (c->plans[subject][earlier] && ordo_plan_is_same(plan, c->plans[subject][earlier])) {
            ordo_plan_release(plan);
            plan = NULL;
        }
    }
    c->plans[subject][tier] = plan;
    /* What a device of such limits may not plan, it need not run. */
    if (status != ORDO_OK && status != ORDO_INVALID && status != ORDO_UNSUPPORTED) {
        take_failure(c, row, status);
    }
}

/* ---- Runs ---- */

static uint32_t key_words(const checker *c) { return ordo_type_bytes(c->trial.sort.key) / 4; }

/* The first element of a result that is not the host's; count if there is none. */
static uint32_t first_wrong(const checker *c) {
    uint32_t words = key_words(c), last = words - 1;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t from = c->expected[i];
        bool right = c->trial.scan ? c->out[i] == from
                                   : c->out[i * words] == c->in[from * words] &&
                                         c->out[i * words + last] == c->in[from * words + last];
        if (!right || (c->trial.sort.value_bytes && c->values_out[i] != c->values[from])) {
            return i;
        }
    }
    return c->count;
}

static void run_row(checker *c, uint32_t subject, uint32_t tier) {
    ordo_check_row *row = &c->rows[subject][tier];
    bool pairs = c->trial.sort.value_bytes != 0;
    ordo_arrays arrays = {.in = c->in,
                          .out = c->out,
                          .values_in = pairs ? c->values : NULL,
                          .values_out = pairs ? c->values_out : NULL};
    uint64_t begin_us = ordo_now_us();
    ordo_status status = ordo_run_arrays(c->plans[subject][tier], &arrays);
    row->run_us += (uint32_t)(ordo_now_us() - begin_us);
    row->case_count++;
    if (status != ORDO_OK) {
        take_failure(c, row, status);
        return;
    }
    uint32_t wrong = first_wrong(c);
    if (wrong < c->count) {
        fail_row(c, row, ORDO_WRONG, ORDO_MESSAGE_CHECK_WRONG,
                 (ordo_report){.t = c->words, .a = c->count, .b = wrong});
    }
}

static void make_data(checker *c, uint32_t shape) {
    snprintf(c->words, sizeof c->words, "%s %s", shape_names[shape], c->trial.what);
    ordo_check_fill((ordo_check_shape)shape, c->in, c->count * key_words(c));
    if (c->trial.scan) {
        ordo_check_scan(c->trial.inclusive, c->in, c->expected, c->count);
    } else {
        ordo_check_argsort(&c->trial.sort, c->in, c->expected, c->spare, c->count);
    }
}

/* Call each for the subjects and tiers that the trial is for. */
static void each_row(checker *c, bool planned, void (*each)(checker *, uint32_t, uint32_t)) {
    for (uint32_t subject = 0; subject < SUBJECTS; subject++) {
        for (uint32_t tier = 0; tier < TIERS; tier++) {
            if (is_wanted(c, subject, tier) && (!planned || c->plans[subject][tier])) {
                each(c, subject, tier);
            }
        }
    }
}

static void run_trial(checker *c, const trial *t) {
    const uint32_t counts[] = {[EXTENT_USUAL] = t->scan ? SCAN_COUNT : SORT_COUNT,
                               [EXTENT_SMALL] = SMALL_COUNT,
                               [EXTENT_MIDDLE] = MIDDLE_COUNT,
                               [EXTENT_GREAT] = GREAT_COUNT,
                               [EXTENT_QUADS] = SCAN_COUNT - 1,
                               [EXTENT_LONG] = LONG_COUNT / (ordo_type_bytes(t->sort.key) / 4),
                               [EXTENT_WINDOWS] = LONG_COUNT};
    c->trial = *t;
    c->count = counts[t->extent];
    each_row(c, false, plan_row);
    for (uint32_t shape = 0; shape < sizeof shape_names / sizeof *shape_names; shape++) {
        if (t->shapes >> shape & 1 && c->status == ORDO_OK) {
            make_data(c, shape);
            each_row(c, true, run_row);
        }
    }
    for (uint32_t i = 0; i < SUBJECTS * TIERS; i++) {
        ordo_plan_release(c->plans[i / TIERS][i % TIERS]);
        c->plans[i / TIERS][i % TIERS] = NULL;
    }
}

static void run_trials(checker *c) {
    for (uint32_t i = 0; i < SUBJECTS * TIERS; i++) {
        c->rows[i / TIERS][i % TIERS] = (ordo_check_row){.name = subjects[i / TIERS].name,
                                                         .tier = tier_names[i % TIERS],
                                                         .method = subjects[i / TIERS].method};
    }
    for (uint32_t i = 0; i < LONG_COUNT; i++) {
        c->values[i] = i * 0x9e3779b1u; /* all different */
    }
    for (uint32_t i = 0; i < sizeof trials / sizeof *trials && c->status == ORDO_OK; i++) {
        run_trial(c, &trials[i]);
    }
}

/* ---- The answer ---- */

/* Turn rows into the answer, and return its status. */
static ordo_status conclude(checker *c) {
    ordo_check *result = c->result;
    bool scans_fail = false;
    for (uint32_t i = 0; i < SUBJECTS * TIERS; i++) {
        const ordo_check_row *row = &c->rows[i / TIERS][i % TIERS];
        bool portable = i % TIERS == TIER_PORTABLE, failed = row->verdict != ORDO_PASSED;
        if (!row->case_count && !failed) {
            continue;
        }
        result->case_count += row->case_count;
        result->rows[result->row_count++] = *row;
        result->subgroups_failed |= failed && i % TIERS == TIER_SUBGROUPS;
        result->forward_progress_failed |= failed && i % TIERS == TIER_PROGRESS;
        scans_fail |= failed && portable && !row->method;
        if (row->method && portable) {
            *(failed ? &result->rejected_methods : &result->passed_methods) |= 1u << row->method;
        }
    }
    if (c->status != ORDO_OK) {
        return c->status;
    }
    bool sorts_fail = result->rejected_methods && !result->passed_methods;
    return scans_fail || sorts_fail ? ORDO_FAILED : ORDO_OK;
}

/* Give the checker its memory: the arrays, and the tuning of long forms behind them. */
static void *allocate(checker *c, uint64_t *bytes) {
    const char *told = c->caps.tuning ? c->caps.tuning : "";
    const char *form = c->caps.software ? long_form_of_cpu : long_form;
    uint32_t **arrays[] = {&c->in, &c->values, &c->out, &c->values_out, &c->expected, &c->spare};
    uint64_t array_words = 6 * (uint64_t)LONG_COUNT;
    *bytes = array_words * sizeof(uint32_t) + strlen(told) + 1 + strlen(form) + 1;
    uint32_t *block = malloc(*bytes);
    for (uint32_t i = 0; block && i < 6; i++) {
        *arrays[i] = block + (uint64_t)i * LONG_COUNT;
    }
    if (block) {
        c->long_tuning = (char *)(block + array_words);
        snprintf(c->long_tuning, *bytes - array_words * sizeof(uint32_t), "%s %s", told, form);
    }
    return block;
}

/* Fills context->check, and lets the context remember, unless memory runs out. */
static ordo_status check(ordo_context *context, uint32_t limit_ms) {
    char message[ORDO_MESSAGE_BYTES];
    checker c = {.context = context, .result = &context->check, .caps = context->caps};
    uint64_t block_bytes;
    void *block = allocate(&c, &block_bytes);
    if (!block) {
        return ordo_fail(context, ORDO_MESSAGE_MEMORY,
                         &(ordo_report){.s = "the self-check", .a = block_bytes});
    }
    memcpy(message, context->message, sizeof message);
    context->check = (ordo_check){0};
    context->limit_ms = limit_ms ? limit_ms : DEFAULT_LIMIT_MS;
    run_trials(&c);
    context->limit_ms = 0;
    context->caps = c.caps;
    free(block);
    if (c.status == ORDO_OUT_OF_MEMORY) {
        return c.status;
    }
    context->is_checked = true;
    context->check_status = conclude(&c);
    context->caps.rejected_methods |= context->check.rejected_methods;
    context->caps.subgroups &= !context->check.subgroups_failed;
    context->caps.forward_progress &= !context->check.forward_progress_failed;
    memcpy(context->message, message, sizeof message);
    return context->check_status;
}

ordo_status ordo_self_check(ordo_context *context, uint32_t limit_ms, ordo_check *result) {
    if (result) {
        *result = (ordo_check){0};
    }
    if (!context) {
        return ORDO_INVALID;
    }
    if (!context->instance) {
        return ordo_fail(context, ORDO_MESSAGE_NO_INSTANCE, &(ordo_report){.s = "the self-check"});
    }
    ordo_status status = context->is_checked ? context->check_status : check(context, limit_ms);
    if (!context->is_checked) {
        return status;
    }
    if (status != ORDO_OK) {
        memcpy(context->message, context->check.message, sizeof context->message);
    }
    if (result) {
        *result = context->check;
    }
    return status;
}
