/* SPDX-License-Identifier: MIT */
/*
 * network.c: sorting networks as data. Freestanding: no libc calls.
 */
#include "network.h"

#include "plan.h"

/* ---- The shape of a step ------------------------------------------------------------------- */

/*
 * Wires fall into blocks of `stride`. High wires are those of the odd blocks, and their partners
 * lie in the even block before; but where a step of an odd-even merge is `crossed`, they are those
 * of the even blocks, save the first block of a run.
 *
 *     block       0    1    2    3        wires of a run
 *     usual       low  high low  high
 *     crossed     -    low  high -
 */
typedef struct step_shape {
    uint64_t stride;
    uint64_t run; /* wires of a merged run, 2^stage */
    bool crossed;
    bool mirrored; /* the partner is the mirror image in the run, else `stride` away */
} step_shape;

static bool known(const ordo_network *network) {
    return network && (uint32_t)network->kind <= ORDO_NETWORK_ODDEVEN;
}

/* Steps of the stages before this one, if stages are counted from 0. */
static uint32_t steps_before(uint32_t stage) { return stage * (stage + 1) / 2; }

static uint32_t stage_of(uint32_t step) {
    uint32_t stage = 0;
    while (steps_before(stage + 1) <= step) {
        stage++;
    }
    return stage + 1;
}

static step_shape shape_of(ordo_network_kind kind, uint32_t step) {
    const uint32_t stage = stage_of(step);
    const uint32_t place = step - steps_before(stage - 1);
    return (step_shape){
        .stride = (uint64_t)1 << (stage - 1 - place),
        .run = (uint64_t)1 << stage,
        .crossed = kind == ORDO_NETWORK_ODDEVEN && place > 0,
        .mirrored = kind == ORDO_NETWORK_BITONIC && place == 0,
    };
}

/* High wires come one by one: the first, then the next after each. */
static uint64_t first_high(const step_shape *shape) {
    return shape->crossed ? 2 * shape->stride : shape->stride;
}

static uint64_t next_high(const step_shape *shape, uint64_t high) {
    high++;
    if (high & (shape->stride - 1)) {
        return high; /* within the block */
    }
    high += shape->stride;
    return shape->crossed && high % shape->run == 0 ? high + 2 * shape->stride : high;
}

static ordo_comparator comparator_to(const step_shape *shape, uint64_t high) {
    const uint64_t low = shape->mirrored ? high ^ (shape->run - 1) : high - shape->stride;
    return (ordo_comparator){(uint32_t)low, (uint32_t)high};
}

/* Of the wires below n, those that lie in the first `part` wires of each group of `whole`. */
static uint64_t wires_in(uint64_t n, uint64_t part, uint64_t whole) {
    const uint64_t rest = n % whole;
    return n / whole * part + (rest < part ? rest : part);
}

/* High wires below n: those in even blocks, less the first of each run; or those in odd blocks. */
static uint64_t step_size(const step_shape *shape, uint64_t n) {
    const uint64_t even = wires_in(n, shape->stride, 2 * shape->stride);
    return shape->crossed ? even - wires_in(n, shape->stride, shape->run) : n - even;
}

uint64_t ordo_network_level_size(ordo_network_kind kind, uint32_t stage, uint32_t level,
                                 uint64_t wire_count) {
    const step_shape shape = shape_of(kind, steps_before(stage) - 1 - level);
    return step_size(&shape, wire_count);
}

/* ---- Listing ------------------------------------------------------------------------------- */

uint32_t ordo_network_depth(const ordo_network *network) {
    return known(network) ? steps_before(ordo_log2_ceil(network->wire_count)) : 0;
}

uint64_t ordo_network_size(const ordo_network *network) {
    const uint32_t depth = ordo_network_depth(network);
    uint64_t size = 0;
    for (uint32_t step = 0; step < depth; step++) {
        const step_shape shape = shape_of(network->kind, step);
        size += step_size(&shape, network->wire_count);
    }
    return size;
}

bool ordo_network_stage(const ordo_network *network, uint32_t step, uint32_t *stage,
                        uint32_t *stride_log2) {
    if (step >= ordo_network_depth(network)) {
        return false;
    }
    const uint32_t found = stage_of(step);
    if (stage) {
        *stage = found;
    }
    if (stride_log2) {
        *stride_log2 = steps_before(found) - 1 - step;
    }
    return true;
}

uint64_t ordo_network_step(const ordo_network *network, uint32_t step, ordo_comparator *comparators,
                           uint64_t capacity) {
    if (step >= ordo_network_depth(network)) {
        return 0;
    }
    const step_shape shape = shape_of(network->kind, step);
    const uint32_t n = network->wire_count;
    uint64_t high = first_high(&shape);
    for (uint64_t i = 0; i < capacity && high < n; i++, high = next_high(&shape, high)) {
        comparators[i] = comparator_to(&shape, high);
    }
    return step_size(&shape, n);
}

uint64_t ordo_network_list(const ordo_network *network, ordo_comparator *comparators,
                           uint64_t capacity) {
    const uint32_t depth = ordo_network_depth(network);
    uint64_t count = 0;
    for (uint32_t step = 0; step < depth; step++) {
        const bool room = count < capacity;
        count += ordo_network_step(network, step, room ? comparators + count : NULL,
                                   room ? capacity - count : 0);
    }
    return count;
}

/* ---- Running ------------------------------------------------------------------------------- */

static bool comparators_valid(const ordo_comparator *comparators, uint64_t count,
                              uint32_t wire_count) {
    if (!comparators) {
        return count == 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        const ordo_comparator c = comparators[i];
        if (c.low == c.high || c.low >= wire_count || c.high >= wire_count) {
            return false;
        }
    }
    return true;
}

static bool keys_valid(ordo_type type, ordo_order order, uint32_t wire_count, const void *keys) {
    return ordo_type_bytes(type) && (uint32_t)order <= ORDO_DESCENDING && (keys || !wire_count);
}

/* Keys are copied byte by byte: they may be floats, which must not be read through another type. */
static void copy(void *to, const void *from, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) {
        ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
    }
}

/* The image that ordo_plan.h defines under THE ORDER OF KEYS. */
static uint64_t image_of(ordo_type type, const void *key) {
    uint32_t narrow;
    uint64_t bits;
    uint64_t mask = UINT64_MAX;
    if (ordo_type_bytes(type) == 4) {
        copy(&narrow, key, sizeof narrow);
        bits = narrow;
        mask = UINT32_MAX;
    } else {
        copy(&bits, key, sizeof bits);
    }
    const uint64_t sign = mask ^ (mask >> 1);
    if (type == ORDO_U32 || type == ORDO_U64) {
        return bits;
    }
    if (type == ORDO_I32 || type == ORDO_I64) {
        return bits ^ sign;
    }
    const uint64_t minus_infinity = type == ORDO_F32 ? 0x007fffff : UINT64_C(0x000fffffffffffff);
    return ((bits & sign ? bits ^ mask : bits ^ sign) - minus_infinity) & mask;
}

static void compare_exchange(ordo_comparator c, ordo_type type, ordo_order order, void *keys) {
    const uint32_t bytes = ordo_type_bytes(type);
    unsigned char *low = (unsigned char *)keys + (size_t)c.low * bytes;
    unsigned char *high = (unsigned char *)keys + (size_t)c.high * bytes;
    const uint64_t a = image_of(type, low);
    const uint64_t b = image_of(type, high);
    if (order == ORDO_ASCENDING ? b < a : a < b) {
        unsigned char spare[8];
        copy(spare, low, bytes);
        copy(low, high, bytes);
        copy(high, spare, bytes);
    }
}

ordo_status ordo_comparators_apply(const ordo_comparator *comparators, uint64_t count,
                                   uint32_t wire_count, ordo_type type, ordo_order order,
                                   void *keys) {
    if (!keys_valid(type, order, wire_count, keys) ||
        !comparators_valid(comparators, count, wire_count)) {
        return ORDO_INVALID;
    }
    for (uint64_t i = 0; i < count; i++) {
        compare_exchange(comparators[i], type, order, keys);
    }
    return ORDO_OK;
}

ordo_status ordo_network_apply(const ordo_network *network, ordo_type type, ordo_order order,
                               void *keys) {
    if (!known(network) || !keys_valid(type, order, network->wire_count, keys)) {
        return ORDO_INVALID;
    }
    const uint32_t depth = ordo_network_depth(network);
    for (uint32_t step = 0; step < depth; step++) {
        const step_shape shape = shape_of(network->kind, step);
        uint64_t high = first_high(&shape);
        for (; high < network->wire_count; high = next_high(&shape, high)) {
            compare_exchange(comparator_to(&shape, high), type, order, keys);
        }
    }
    return ORDO_OK;
}

/* ---- Verifying all inputs ------------------------------------------------------------------ */

/*
 * A batch is 2^9 inputs whose numbers differ in the lowest bits only: bit b of word w of a wire is
 * what the wire carries in input first + 64 * w + b. With fewer than 9 wires the inputs repeat.
 */
enum { BATCH_WORDS = 8, WORD_INPUTS_LOG2 = 6, BATCH_INPUTS_LOG2 = 9 };

typedef uint64_t wire_words[BATCH_WORDS];

static void load_batch(wire_words *wires, uint32_t wire_count, uint32_t first) {
    /* Bit b of the i-th is bit i of b. */
    static const uint64_t within_word[WORD_INPUTS_LOG2] = {
        UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc), UINT64_C(0xf0f0f0f0f0f0f0f0),
        UINT64_C(0xff00ff00ff00ff00), UINT64_C(0xffff0000ffff0000), UINT64_C(0xffffffff00000000)};
    for (uint32_t i = 0; i < wire_count; i++) {
        for (uint32_t w = 0; w < BATCH_WORDS; w++) {
            const uint32_t input = first | w << WORD_INPUTS_LOG2;
            wires[i][w] = i < WORD_INPUTS_LOG2 ? within_word[i]
                          : (input >> i & 1u)  ? UINT64_MAX
                                               : 0;
        }
    }
}

static void run_batch(wire_words *wires, const ordo_comparator *comparators, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *restrict low = wires[comparators[i].low];
        uint64_t *restrict high = wires[comparators[i].high];
        for (uint32_t w = 0; w < BATCH_WORDS; w++) {
            const uint64_t both = low[w] & high[w];
            high[w] |= low[w];
            low[w] = both;
        }
    }
}

/* Finds the first unsorted input of a batch that has been run; false if there is none. */
static bool find_unsorted(wire_words *wires, uint32_t wire_count, uint32_t first,
                          ordo_verdict *verdict) {
    for (uint32_t w = 0; w < BATCH_WORDS; w++) {
        uint64_t unsorted = 0;
        for (uint32_t i = 1; i < wire_count; i++) {
            unsorted |= wires[i - 1][w] & ~wires[i][w];
        }
        if (!unsorted) {
            continue;
        }
        uint32_t bit = 0;
        while (!(unsorted >> bit & 1u)) {
            bit++;
        }
        verdict->input = first + (w << WORD_INPUTS_LOG2) + bit;
        for (uint32_t i = 0; i < wire_count; i++) {
            verdict->output |= (uint32_t)(wires[i][w] >> bit & 1u) << i;
        }
        return true;
    }
    return false;
}

ordo_status ordo_comparators_verify(const ordo_comparator *comparators, uint64_t count,
                                    uint32_t wire_count, ordo_verdict *verdict) {
    if (!verdict) {
        return ORDO_INVALID;
    }
    *verdict = (ordo_verdict){0};
    if (wire_count > ORDO_VERIFY_WIRES || !comparators_valid(comparators, count, wire_count)) {
        return ORDO_INVALID;
    }
    wire_words wires[ORDO_VERIFY_WIRES];
    const uint32_t input_count = (uint32_t)1 << wire_count;
    for (uint32_t first = 0; first < input_count; first += (uint32_t)1 << BATCH_INPUTS_LOG2) {
        load_batch(wires, wire_count, first);
        run_batch(wires, comparators, count);
        if (find_unsorted(wires, wire_count, first, verdict)) {
            return ORDO_OK;
        }
    }
    verdict->sorts = true;
    return ORDO_OK;
}

/* ---- Verifying merges ---------------------------------------------------------------------- */

/*
 * A merge of a low run of p wires and a high run of q. Input i, of the p + 1 that are tried, puts
 * the high run's keys, in their order, before the i greatest of the low run. Ones in place of the
 * greatest keys then give i ones in the low run with every number of ones in the high one, so that
 * all inputs together give every pair.
 *
 *     input 1, p = q = 3       low 0 1 5     high 2 3 4
 */
typedef struct merge {
    uint32_t first_wire, low_length, high_length;
} merge;

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The merge from a wire on, in a stage that merges runs of `half` wires. */
static merge merge_at(uint32_t first_wire, uint32_t half, uint32_t wire_count) {
    const uint32_t low_length = least(half, wire_count - first_wire);
    const uint32_t high_length = least(half, wire_count - first_wire - low_length);
    return (merge){first_wire, low_length, high_length};
}

/* What the t-th wire of a merge carries in an input. Sorted, each wire carries its own number. */
static uint32_t merge_key(const merge *m, uint32_t input, uint32_t t) {
    const uint32_t key = t + input < m->low_length ? t
                         : t < m->low_length       ? t + m->high_length
                                                   : t - input;
    return m->first_wire + key;
}

/* How many of the wires [from, to) of a merge carry at least this key. */
static uint32_t ones_in(const merge *m, uint32_t input, uint32_t from, uint32_t to, uint32_t key) {
    uint32_t ones = 0;
    for (uint32_t t = from; t < to; t++) {
        ones += merge_key(m, input, t) >= key;
    }
    return ones;
}

/* Whether a merge came out sorted; if not, says so in the verdict. */
static bool merge_sorted(const merge *m, uint32_t input, const uint32_t *keys,
                         ordo_merge_verdict *verdict) {
    const uint32_t length = m->low_length + m->high_length;
    const uint32_t *run = keys + m->first_wire;
    for (uint32_t t = 1; t < length; t++) {
        if (run[t - 1] > run[t]) {
            verdict->first_wire = m->first_wire;
            verdict->low_length = m->low_length;
            verdict->high_length = m->high_length;
            verdict->low_ones = ones_in(m, input, 0, m->low_length, run[t - 1]);
            verdict->high_ones = ones_in(m, input, m->low_length, length, run[t - 1]);
            return false;
        }
    }
    return true;
}

/* One input of all merges of a stage at once. */
typedef struct merge_run {
    ordo_step_source *source;
    const void *context;
    uint32_t wire_count;
    uint32_t *keys;               /* one for every wire */
    ordo_comparator *comparators; /* of one step: at most one for every two wires */
} merge_run;

static void run_stage(const merge_run *r, uint32_t stage) {
    const uint32_t end = steps_before(stage);
    for (uint32_t step = steps_before(stage - 1); step < end; step++) {
        const uint64_t count = r->source(r->context, step, r->comparators, r->wire_count / 2);
        for (uint64_t i = 0; i < count; i++) {
            const ordo_comparator c = r->comparators[i];
            const uint32_t a = r->keys[c.low];
            const uint32_t b = r->keys[c.high];
            r->keys[c.low] = a < b ? a : b;
            r->keys[c.high] = a < b ? b : a;
        }
    }
}

/* Tries one input of every merge of a stage; counts those that come out sorted. */
static bool try_input(const merge_run *r, uint32_t stage, uint32_t input,
                      ordo_merge_verdict *verdict) {
    const uint32_t half = (uint32_t)1 << (stage - 1);
    const uint32_t n = r->wire_count;
    for (uint32_t first = 0; first < n; first += 2 * half) {
        const merge m = merge_at(first, half, n);
        for (uint32_t t = 0; t < m.low_length + m.high_length; t++) {
            r->keys[first + t] = merge_key(&m, input, t);
        }
    }
    run_stage(r, stage);
    for (uint32_t first = 0; first < n; first += 2 * half) {
        const merge m = merge_at(first, half, n);
        if (!merge_sorted(&m, input, r->keys, verdict)) {
            verdict->stage = stage;
            return false;
        }
        verdict->input_count += input <= m.low_length ? (uint64_t)m.high_length + 1 : 0;
    }
    return true;
}

void ordo_merges_verify(ordo_step_source *source, const void *context, uint32_t wire_count,
                        uint32_t *workspace, ordo_merge_verdict *verdict) {
    const merge_run r = {source, context, wire_count, workspace,
                         (ordo_comparator *)(void *)(workspace + wire_count)};
    const uint32_t stages = ordo_log2_ceil(wire_count);
    *verdict = (ordo_merge_verdict){0};
    for (uint32_t stage = 1; stage <= stages; stage++) {
        for (uint32_t input = 0; input <= (uint32_t)1 << (stage - 1); input++) {
            if (!try_input(&r, stage, input, verdict)) {
                return;
            }
        }
    }
    verdict->sorts = true;
}

static uint64_t network_source(const void *context, uint32_t step, ordo_comparator *comparators,
                               uint64_t capacity) {
    return ordo_network_step(context, step, comparators, capacity);
}

ordo_status ordo_network_verify_merges(const ordo_network *network, uint32_t *workspace,
                                       ordo_merge_verdict *verdict) {
    if (!verdict) {
        return ORDO_INVALID;
    }
    *verdict = (ordo_merge_verdict){0};
    if (!known(network) || !workspace || network->wire_count > ORDO_VERIFY_MERGE_WIRES) {
        return ORDO_INVALID;
    }
    ordo_merges_verify(network_source, network, network->wire_count, workspace, verdict);
    return ORDO_OK;
}
