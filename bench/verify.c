/* SPDX-License-Identifier: MIT */
/*
 * verify.c: see bench.h. Which data a case is given and what its result must be:
 *
 *     sort, argsort      order, stability, and sums that a permutation keeps
 *     counting sort      the same, and that starts are where each bucket begins
 *     scan, reduce       differences; the sum
 *     histogram          each count that of a slow histogram of the checker's own, which searches
 *                        the edges; their sum is the count
 *     grid               every point once, in the cell that it has, in the order of the input
 *     top-k              entries rise, are elements, and k - 1 of the input stand before the last
 *     copy               every word is that of the input
 *
 * Small inputs are first compared with those of draw.h, which others sort.
 */
#include "bench.h"

#include <stdlib.h>

static const uint32_t noise_seed = 77;

/* The most elements that the host draws too. */
#define MOST_DRAWN 65536u

/* ---- The data of a case -------------------------------------------------------------------- */

static bool counts_into_buckets(const bench_case *c) {
    return c->primitive == BENCH_COUNTING_SORT || c->primitive == BENCH_COUNTING_ARGSORT;
}

/* Words of that many points; behind the last one there is nothing. */
static uint32_t point_words(const bench_case *c) {
    uint32_t stride = bench_element_words(c);
    return c->count == 0 ? 0 : (uint32_t)(c->count - 1) * stride + c->dimensions;
}

/* The input, as it is made. Points are made as so many words. */
static checker_data input_of(const bench_case *c, const ordo_args *args) {
    bool folds = c->primitive == BENCH_SCAN || c->primitive == BENCH_REDUCE;
    bool points = c->primitive == BENCH_GRID;
    checker_data in = {
        .buffers = {[CHECKER_KEYS] = args->in.buffer, [CHECKER_VALUES] = args->values_in.buffer},
        .count = points ? point_words(c) : (uint32_t)c->count,
        .type = folds || points ? ORDO_U32 : c->type,
        .order = c->order,
        .value_words = args->values_in.buffer != NULL ? c->value_bytes / 4 : 0,
        .row_length = c->row_length,
        .distribution = c->distribution,
        .skip_high_bits = c->skip_high_bits};
    if (c->depth || points || c->unit) {
        in.map = MAP_UNIT;
    } else if (counts_into_buckets(c) || (bench_sorts(c) && c->buckets != 0)) {
        in.map = MAP_BELOW;
        in.below = bench_place_count(c);
    }
    return in;
}

/* ---- Jobs of each primitive ---------------------------------------------------------------- */

/* Edges for the checker, as images, and for the plan that reads them. */
static bool add_edges(verifier *v, const bench_case *c, const ordo_args *args) {
    uint32_t edge_count = bench_place_count(c) + 1;
    uint32_t *images = bench_edges(c, true), *bits = bench_edges(c, false);
    if (images != NULL && bits != NULL) {
        v->edges = gpu_buffer(v->k->g, (uint64_t)edge_count * 4, 0, images);
        if (args->edges.buffer != NULL)
            gpu_write(v->k->g, args->edges.buffer, 0, bits, (uint64_t)edge_count * 4);
    }
    free(images);
    free(bits);
    return v->edges != NULL;
}

static bool add_sort(verifier *v, const bench_case *c, const ordo_args *args) {
    if (c->depth && !add_edges(v, c, args))
        return false;
    checker_data in = input_of(c, args), out = in;
    bool indices = c->primitive == BENCH_ARGSORT || c->primitive == BENCH_COUNTING_ARGSORT;
    uint32_t before = 0, after = CHECK_ORDERED;
    if (!c->allow_unstable)
        after |= CHECK_STABLE;
    if (!indices && !c->in_place)
        out.buffers[CHECKER_KEYS] = args->out.buffer;
    if (!c->in_place)
        out.buffers[CHECKER_VALUES] = args->values_out.buffer;
    if (indices) {
        before = CHECK_VALUE_IS_PLACE;
        after |= CHECK_VALUES_ARE_INDICES;
    }
    if (counts_into_buckets(c)) {
        out.buffers[CHECKER_STARTS] = args->starts.buffer;
        out.place_count = bench_place_count(c);
        after |= CHECK_STARTS;
    }
    if (c->depth) {
        out.buffers[CHECKER_SOURCE] = v->edges;
        after |= CHECK_DEPTHS;
    }
    v->before = checker_make(v->k, CHECKER_CHECK, &in, before, 0);
    v->after = checker_make(v->k, CHECKER_CHECK, &out, after, 0);
    return true;
}

static void add_fold(verifier *v, const bench_case *c, const ordo_args *args) {
    checker_data in = input_of(c, args), out = in;
    if (c->primitive == BENCH_SCAN) { /* its check compares sums with none */
        out.buffers[CHECKER_VALUES] = args->out.buffer;
        v->after = checker_make(v->k, CHECKER_CHECK, &out, CHECK_SCAN, 0);
        return;
    }
    out.buffers[CHECKER_KEYS] = args->out.buffer;
    out.count = 1;
    v->before = checker_make(v->k, CHECKER_CHECK, &in, CHECK_TOTAL, 0);
    v->after = checker_make(v->k, CHECKER_CHECK, &out, CHECK_TOTAL, 0);
}

static bool add_histogram(verifier *v, const bench_case *c, const ordo_args *args) {
    v->table = gpu_buffer(v->k->g, ((uint64_t)bench_place_count(c) + ORDO_BINS_EXTRA) * 4, 0, NULL);
    if (v->table == NULL || !add_edges(v, c, args))
        return false;
    uint32_t rules = c->bins == ORDO_BINS_BITS ? COUNT_OPEN | COUNT_NAN_TOO : 0;
    if (c->bins == ORDO_BINS_EVEN && c->type != ORDO_F32)
        rules |= COUNT_OPEN;
    checker_data in = input_of(c, args);
    in.buffers[CHECKER_SOURCE] = v->edges;
    in.buffers[CHECKER_TABLE] = v->table;
    in.place_count = bench_place_count(c);
    v->count = checker_make(v->k, CHECKER_COUNT_BINS, &in, rules, 0);
    checker_data counts = {.buffers = {[CHECKER_KEYS] = v->table},
                           .count = in.place_count + ORDO_BINS_EXTRA};
    v->before = checker_make(v->k, CHECKER_CHECK, &counts, CHECK_TOTAL, 0);
    counts.buffers[CHECKER_KEYS] = args->out.buffer;
    counts.buffers[CHECKER_SOURCE] = v->table;
    v->after = checker_make(v->k, CHECKER_CHECK_BINS, &counts, 0, 0);
    return true;
}

static void add_copy(verifier *v, const bench_case *c, const ordo_args *args) {
    checker_data words = {.buffers = {[CHECKER_KEYS] = args->in.buffer},
                          .count = (uint32_t)c->count * bench_element_words(c)};
    v->before = checker_make(v->k, CHECKER_CHECK, &words, CHECK_TOTAL, 0);
    words.buffers[CHECKER_KEYS] = args->out.buffer;
    words.buffers[CHECKER_SOURCE] = args->in.buffer;
    v->after = checker_make(v->k, CHECKER_CHECK_BINS, &words, 0, 0);
}

static void add_grid(verifier *v, const bench_case *c, const ordo_args *args) {
    checker_data points = {.buffers = {[CHECKER_KEYS] = args->out.buffer,
                                       [CHECKER_VALUES] = args->values_out.buffer,
                                       [CHECKER_SOURCE] = args->in.buffer,
                                       [CHECKER_STARTS] = args->starts.buffer},
                           .count = (uint32_t)c->count,
                           .place_count = bench_place_count(c),
                           .cells = c->cells,
                           .dimensions = c->dimensions,
                           .stride_words = bench_element_words(c)};
    v->before = checker_make(v->k, CHECKER_CHECK_GRID, &points, CHECK_VALUE_IS_PLACE, 0);
    v->after = checker_make(v->k, CHECKER_CHECK_GRID, &points, c->points_out ? CHECK_POINTS : 0, 0);
}

static void add_top_k(verifier *v, const bench_case *c, const ordo_args *args) {
    uint64_t row_length = c->row_length != 0 ? c->row_length : c->count;
    checker_data out = {.buffers = {[CHECKER_KEYS] = args->out.buffer,
                                    [CHECKER_VALUES] = args->values_out.buffer,
                                    [CHECKER_SOURCE] = args->in.buffer},
                        .count = (uint32_t)c->count,
                        .type = c->type,
                        .order = c->smallest ? ORDO_ASCENDING : ORDO_DESCENDING,
                        .row_length = (uint32_t)row_length,
                        .k = bench_top_k_entries(c, row_length)};
    v->after = checker_make(v->k, CHECKER_CHECK_TOP_K, &out, 0, 0);
    uint64_t last_length = c->count % row_length;
    uint64_t better = c->count / row_length * (bench_top_k_entries(c, row_length) - 1);
    if (last_length != 0)
        better += bench_top_k_entries(c, last_length) - 1;
    v->expected.sums[0] = (uint32_t)better;
}

/* ---- All of it ----------------------------------------------------------------------------- */

static bool add_checks(verifier *v, const bench_case *c, const ordo_args *args) {
    switch (c->primitive) {
    case BENCH_SCAN:
    case BENCH_REDUCE:
        add_fold(v, c, args);
        return true;
    case BENCH_HISTOGRAM:
        return add_histogram(v, c, args);
    case BENCH_GRID:
        add_grid(v, c, args);
        return true;
    case BENCH_TOP_K:
        add_top_k(v, c, args);
        return true;
    case BENCH_COPY:
        add_copy(v, c, args);
        return true;
    default:
        return add_sort(v, c, args);
    }
}

static void add_output(verifier *v, WGPUBuffer buffer, uint64_t bytes) {
    if (buffer == NULL)
        return;
    checker_data words = {.buffers = {[CHECKER_KEYS] = buffer}, .count = (uint32_t)(bytes / 4)};
    uint32_t number = v->output_count++;
    v->poison[number] = checker_make(v->k, CHECKER_GENERATE, &words, 0, noise_seed + number);
    words.count = 0; /* one workgroup, of one invocation: the bit changes once */
    v->spoil[number] = checker_make(v->k, CHECKER_SPOIL, &words, 0, 0);
}

/* The sum of the words of an input, as draw.h draws it. */
static uint32_t drawn_sum(const checker_data *in, uint32_t seed) {
    const draw_source source = {.distribution = in->distribution,
                                .type = in->type,
                                .count = in->count,
                                .seed = seed,
                                .map = in->map,
                                .below = in->below,
                                .skip_high_bits = in->skip_high_bits};
    uint32_t sum = 0;
    for (uint32_t i = 0; i < in->count; i++) {
        draw_key key = draw_key_at(&source, i);
        sum += key.high + (ordo_type_bytes(in->type) == 8 ? key.low : 0);
    }
    return sum;
}

/* Makes the input, and finds what is expected of the output. */
static bool prepare(verifier *v, const bench_case *c, const checker_data *in, uint32_t seed) {
    gpu *g = v->k->g;
    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(g->device, NULL);
    checker_clear(v->k, encoder);
    checker_record(&v->fill, encoder, 0);
    checker_record(&v->count, encoder, 0);
    checker_record(&v->before, encoder, 0);
    checker_record(&v->total, encoder, 1);
    gpu_submit(g, encoder);
    checker_result found[2];
    if (!checker_read(v->k, found, 2))
        return false;
    if (v->before.piece_count != 0)
        v->expected = found[0];
    v->input_sum = found[1].sums[0];
    if (in->count <= MOST_DRAWN && v->input_sum != drawn_sum(in, seed))
        return false;
    return c->primitive != BENCH_HISTOGRAM || v->expected.sums[0] == c->count;
}

bool verifier_open(verifier *v, checker *k, const bench_case *c, const ordo_args *args,
                   const ordo_summary *summary, uint32_t seed) {
    *v = (verifier){.k = k, .in_place = c->in_place};
    if (!add_checks(v, c, args))
        return false;
    const uint64_t *bytes = summary->slot_bytes;
    if (c->in_place) {
        add_output(v, args->in.buffer, bytes[ORDO_SLOT_IN]);
        add_output(v, args->values_in.buffer, bytes[ORDO_SLOT_VALUES_IN]);
    }
    add_output(v, args->out.buffer, bytes[ORDO_SLOT_OUT]);
    add_output(v, args->values_out.buffer, bytes[ORDO_SLOT_VALUES_OUT]);
    add_output(v, args->starts.buffer, bytes[ORDO_SLOT_STARTS]);
    const checker_data in = input_of(c, args);
    v->fill = checker_make(k, CHECKER_GENERATE, &in, 0, seed);
    const checker_data words = {.buffers = {[CHECKER_KEYS] = args->in.buffer},
                                .count = in.count * (ordo_type_bytes(in.type) / 4)};
    v->total = checker_make(k, CHECKER_CHECK, &words, CHECK_TOTAL, 0);
    return prepare(v, c, &in, seed);
}

void verifier_close(verifier *v) {
    checker_job *const jobs[] = {&v->fill, &v->total, &v->count, &v->before, &v->after};
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
        checker_release(jobs[i]);
    for (uint32_t i = 0; i < VERIFY_MAX_OUTPUTS; i++) {
        checker_release(&v->poison[i]);
        checker_release(&v->spoil[i]);
    }
    if (v->edges != NULL)
        wgpuBufferRelease(v->edges);
    if (v->table != NULL)
        wgpuBufferRelease(v->table);
}

void verifier_poison(const verifier *v, WGPUCommandEncoder encoder) {
    for (uint32_t i = 0; i < v->output_count; i++)
        checker_record(&v->poison[i], encoder, 0);
    if (v->in_place)
        checker_record(&v->fill, encoder, 0);
}

void verifier_spoil(const verifier *v, WGPUCommandEncoder encoder, uint32_t turn) {
    checker_record(&v->spoil[turn % v->output_count], encoder, 0);
}

bool verifier_agrees(const verifier *v, const checker_result *found) {
    bool same = found->violations == 0;
    for (uint32_t i = 0; i < 3; i++)
        same = same && found->sums[i] == v->expected.sums[i];
    return same;
}
