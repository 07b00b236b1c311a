/* SPDX-License-Identifier: MIT */
/* gpu_histogram.c: one histogram with its buffers, see gpu_histogram.h. */
#include "gpu_histogram.h"

#include <inttypes.h>

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static ordo_plan *make_plan(rig *r, const histogram_case *c, slot_case *s) {
    ordo_context *context = c->context ? c->context : r->context;
    ordo_histogram_desc desc = c->desc;
    ordo_plan *plan;
    snprintf(s->what, sizeof s->what,
             "histogram of %" PRIu64 " (type %d, bins %d, bin_count %u, lo %.9g, hi %.9g, skip %u "
             "and %u, count %s%u, one_buffer %d, scratch %d)",
             desc.max_count, (int)desc.type, (int)desc.bins, desc.bin_count, desc.lo, desc.hi,
             desc.skip_low_bits, desc.skip_high_bits, c->count_use == COUNT_HOST ? "host " : "",
             c->gpu_count, c->one_buffer, (int)c->scratch);
    desc.caller_scratch = c->scratch != SCRATCH_OWN;
    if (ordo_histogram_plan(context, &desc, &plan) != ORDO_OK)
        fail_msg("%s: %s", s->what, ordo_message(context));
    return plan;
}

/* The case with what it must give in *expected, which the caller frees. */
slot_case histogram_begin(rig *r, const histogram_case *c, uint32_t **expected) {
    slot_case s = {.count_use = c->count_use,
                   .gpu_count = c->gpu_count,
                   .one_buffer = c->one_buffer,
                   .scratch = c->scratch};
    uint64_t words = model_bin_count(&c->desc) + ORDO_BINS_EXTRA;
    s.plan = make_plan(r, c, &s);
    s.inputs[ORDO_SLOT_IN] = c->in;
    s.inputs[ORDO_SLOT_EDGES] = c->edges;
    *expected = malloc(4 * words);
    assert_non_null(*expected);
    model_histogram(&c->desc, c->in, slots_count(&s, c->desc.max_count), c->edges, *expected);
    s.expected[ORDO_SLOT_OUT] = *expected;
    s.expected_bytes[ORDO_SLOT_OUT] = 4 * words;
    return s;
}

/* P8: every element is counted once. */
void histogram_check_sum(const histogram_case *c, const slot_case *s) {
    const uint32_t *held = s->results[ORDO_SLOT_OUT];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < model_bin_count(&c->desc) + ORDO_BINS_EXTRA; i++)
        sum += held[i];
    if (sum != slots_count(s, c->desc.max_count))
        fail_msg("%s: %" PRIu64 " elements are counted", s->what, sum);
}

void histogram_end(rig *r, const histogram_case *c, slot_case *s, uint32_t *expected) {
    slots_end(r, s);
    histogram_check_sum(c, s);
    if (c->result)
        memcpy(c->result, s->results[ORDO_SLOT_OUT], s->expected_bytes[ORDO_SLOT_OUT]);
    slots_free(s);
    free(expected);
}

void histogram_check(rig *r, histogram_case c) {
    uint32_t *expected;
    slot_case s = histogram_begin(r, &c, &expected);
    slots_run(r, &s);
    histogram_end(r, &c, &s, expected);
}

/* Counts written out: first of the bins, then below, above and NaN. */
void histogram_expect(rig *r, histogram_case c, const uint32_t *counts) {
    uint32_t result[64];
    uint32_t words = model_bin_count(&c.desc) + ORDO_BINS_EXTRA;
    assert_true(words <= COUNT_OF(result));
    c.result = result;
    histogram_check(r, c);
    for (uint32_t i = 0; i < words; i++) {
        if (result[i] != counts[i])
            fail_msg("count %u is %u, not %u", i, result[i], counts[i]);
    }
}

/* ---- Data ------------------------------------------------------------------------------------ */

uint32_t *histogram_elements(distribution shape, ordo_type type, uint64_t count, uint64_t seed) {
    uint32_t *in = malloc(4 * count + 4);
    assert_non_null(in);
    distribution_fill(shape, type, count, seed, in);
    return in;
}

/* Sorted edges drawn from keys of the type, some of them equal; no NaN. */
uint32_t *histogram_edges(ordo_type type, uint32_t bins, uint64_t seed) {
    uint32_t *edges = malloc(4 * ((uint64_t)bins + 1));
    assert_non_null(edges);
    uint32_t *drawn = histogram_elements(KEYS_SORTED, type, 2 * (uint64_t)bins + 64, seed);
    uint32_t made = 0, from = 0;
    for (; made <= bins; from++) {
        /* Random floats are NaN once in 256 times; sorted, they are at the end. */
        edges[made] = drawn[from];
        if (model_is_nan(type, drawn[from]))
            edges[made] = 0x7f800000;
        made++;
        if (made <= bins && from % 7 == 3) {
            edges[made] = edges[made - 1];
            made++;
        }
    }
    free(drawn);
    return edges;
}
