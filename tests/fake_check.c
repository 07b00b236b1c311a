/* SPDX-License-Identifier: MIT */
/* fake_check.c: see fake_check.h. */
#include "fake_check.h"

#include "check_data.h"

enum { MOST = 1 << 19 }; /* elements of a run */

checked_gpu check_world;

static uint32_t order[MOST], spare[MOST];

static uint32_t *words_of(WGPUBuffer buffer) { return (uint32_t *)(void *)fake_bytes(buffer); }

static uint32_t count_of(WGPUBuffer buffer) { return (uint32_t)(wgpuBufferGetSize(buffer) / 4); }

static void compute(checked_gpu *g) {
    const struct run *r = &g->run;
    const uint32_t words = r->wide ? 2 : 1, count = count_of(r->in) / words;
    const uint32_t *in = words_of(r->in);
    assert_true(count <= MOST && count * words == count_of(r->in));
    g->most_count = count > g->most_count ? count : g->most_count;
    if (r->scan) {
        ordo_check_scan(r->inclusive, in, words_of(r->out), count);
        return;
    }
    static const ordo_type types[2][2] = {{ORDO_U32, ORDO_F32}, {ORDO_U64, ORDO_F64}};
    const ordo_sort_desc desc = {.key = types[r->wide][r->floats || r->values_in],
                                 .order = r->values_in ? ORDO_DESCENDING : ORDO_ASCENDING};
    ordo_check_argsort(&desc, in, order, spare, count);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(words_of(r->out) + i * words, in + order[i] * words, words * sizeof *in);
        if (r->values_out)
            words_of(r->values_out)[i] = words_of(r->values_in)[order[i]];
    }
}

/* Takes the buffer if it has the label. True: it is new. */
static bool take(WGPUBuffer *slot, WGPUBuffer buffer, const char *label) {
    if (strcmp(fake_label(buffer), label) != 0 || *slot == buffer)
        return false;
    *slot = buffer;
    return true;
}

/* Finds out what the dispatch binds of the run's buffers. True: something new. */
static bool take_buffers(checked_gpu *g, const fake_dispatch *d, bool *belongs) {
    struct run *r = &g->run;
    bool news = false;
    for (unsigned b = 2; b < FAKE_MAX_BINDINGS; b++) {
        if (d->buffer[b] && take(&r->in, d->buffer[b], "in"))
            *r = (struct run){.in = r->in};
    }
    for (unsigned b = 2; b < FAKE_MAX_BINDINGS; b++) {
        if (!d->buffer[b])
            continue;
        const bool out = take(&r->out, d->buffer[b], "out");
        if (out)
            r->scan = strncmp(d->entry, "scan", 4) == 0;
        news |= out | take(&r->values_in, d->buffer[b], "values_in") |
                take(&r->values_out, d->buffer[b], "values_out");
        *belongs |= d->buffer[b] == r->in || d->buffer[b] == r->out;
    }
    return news;
}

/* Whether the entry point begins so; with a $ behind, whether it is that one. */
static bool is_broken(const checked_gpu *g, const char *entry) {
    const size_t length = g->broken ? strcspn(g->broken, "$") : 0;
    return g->broken && strncmp(entry, g->broken, length) == 0 &&
           (g->broken[length] == '\0' || entry[length] == '\0');
}

static void dispatch(void *user, const fake_dispatch *d) {
    checked_gpu *g = user;
    struct run *r = &g->run;
    bool belongs = false;
    const bool news = take_buffers(g, d, &belongs);
    bool in_rounds = false;
    for (size_t i = 0; i < d->constant_count; i++) {
        const char *name = d->constants[i].name;
        r->inclusive |= strcmp(name, "INCLUSIVE") == 0 && d->constants[i].value > 0;
        r->wide |= strcmp(name, "KEY_WORDS") == 0 && d->constants[i].value > 1;
        r->floats |= strcmp(name, "KEY_KIND") == 0 && d->constants[i].value > 1;
        if (strncmp(d->entry, "msd_small", 9) == 0 && strcmp(name, "GROUP_SIZE") == 0)
            g->small_groups |= (uint32_t)d->constants[i].value;
        in_rounds |= strcmp(name, "ROUNDS") == 0 && d->constants[i].value > 2;
    }
    if (news && r->out) {
        compute(g);
        r->spoiled = false;
    }
    r->spoils |= belongs && is_broken(g, d->entry) && (d->subgroups || !g->only_subgroups) &&
                 (r->wide || !g->only_wide) && (in_rounds || !g->only_in_rounds);
    const WGPUBuffer target = g->only_values ? r->values_out : r->out;
    if (r->spoils && target && !r->spoiled) {
        words_of(target)[count_of(target) - 1] ^= 1;
        r->spoiled = true;
        g->spoiled++;
    }
}

void check_begin(void) {
    fake_open();
    check_world = (checked_gpu){.broken = NULL};
    fake.on_dispatch = dispatch;
    fake.user = &check_world;
}

void check_end(ordo_context *context) {
    ordo_context_release(context);
    assert_int_equal(fake.uncaptured, 0); /* one would abort a program on wgpu-native */
    assert_int_equal(fake.blocks, 0);
    assert_string_equal(fake_close(), "");
}

ordo_context *context_with(const ordo_caps *caps) {
    ordo_context_desc desc = usual_desc();
    ordo_context *context = NULL;
    desc.caps = *caps;
    assert_int_equal(ordo_context_create(&desc, &context, NULL), ORDO_OK);
    return context;
}

void check_answer(const ordo_context *context, const ordo_check *check, ordo_status status) {
    uint32_t cases = 0, failed = 0;
    for (uint32_t i = 0; i < check->row_count; i++) {
        const ordo_check_row *row = &check->rows[i];
        const bool fails = row->verdict != ORDO_PASSED, portable = !strcmp(row->tier, "portable");
        cases += row->case_count;
        failed += fails;
        assert_true(fails || row->case_count > 0);
        if (row->method && portable)
            assert_int_equal(
                (fails ? check->rejected_methods : check->passed_methods) >> row->method & 1, 1);
    }
    assert_int_equal(cases, check->case_count);
    assert_int_equal(failed, check->failed_count);
    assert_int_equal(check->passed_methods & check->rejected_methods, 0);
    assert_int_equal(check->message[0] == '\0', failed == 0);
    assert_int_equal(ordo_context_caps(context)->rejected_methods, check->rejected_methods);
    if (status != ORDO_OK)
        assert_string_equal(ordo_message(context), check->message);
}

ordo_status run_check(ordo_context *context, ordo_check *check) {
    const ordo_status status = ordo_self_check(context, 0, check);
    check_answer(context, check, status);
    return status;
}

const ordo_check_row *row_of(const ordo_check *check, const char *name, const char *tier) {
    for (uint32_t i = 0; i < check->row_count; i++) {
        const ordo_check_row *row = &check->rows[i];
        if (strcmp(row->name, name) == 0 && strcmp(row->tier, tier) == 0)
            return row;
    }
    return NULL;
}
