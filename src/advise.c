/* SPDX-License-Identifier: MIT */
/*
 * advise.c: which primitive serves a need. Freestanding, as all planners.
 *
 * For each need a function lists the primitives that could serve it, each as a filled desc. Their
 * planners say what they take, cost.c what that costs, and the cheapest that fits comes first.
 */
#include "ordo_advise.h"
#include "plan.h"

#include <float.h>

typedef struct adviser {
    const ordo_caps *caps;
    const ordo_question *question;
    ordo_advice *advice;
    ordo_status status;
    uint32_t width;     /* bits of a key */
    uint32_t skip_high; /* of them, at the top, that are the same in all keys */
} adviser;

const char *ordo_primitive_name(ordo_primitive primitive) {
    static const char *const names[] = {"nothing",   "sort", "counting sort",
                                        "histogram", "grid", "top-k"};
    return (uint32_t)primitive <= ORDO_PRIMITIVE_TOP_K ? names[primitive] : "unknown primitive";
}

/* ---- Checks ---- */

static void fail(adviser *a, ordo_message_id id, const ordo_report *report) {
    if (a->status == ORDO_OK) {
        a->status = ordo_message_write(a->advice->message, id, report);
    }
}

static void check_enum(adviser *a, const char *field, uint32_t value, uint32_t most) {
    if (value > most) {
        fail(a, ORDO_MESSAGE_ENUM, &(ordo_report){.s = field, .a = value, .b = most});
    }
}

/* Needs as a set of bits. */
enum {
    ORDERS = 1 << ORDO_NEED_ORDER,
    GROUPS = 1 << ORDO_NEED_GROUPS,
    BEST = 1 << ORDO_NEED_BEST,
    COUNTS = 1 << ORDO_NEED_COUNTS,
    POINTS = 1 << ORDO_NEED_NEIGHBOURS,
    MOVES = ORDERS | GROUPS | BEST,
    KEYS = MOVES | COUNTS,
};

static bool is_set(const float corner[3]) {
    return corner[0] != 0 || corner[1] != 0 || corner[2] != 0;
}

/* Fail for a field that has no meaning for the need. */
static void check_meaning(adviser *a) {
    const ordo_question *q = a->question;
    const struct {
        const char *name;
        uint64_t value;
        uint32_t needs;
        bool real; /* value only tells whether the field is set */
    } rules[] = {{"key", q->key, KEYS, false},
                 {"order", q->order, MOVES, false},
                 {"value_bytes", q->value_bytes, MOVES, false},
                 {"argsort", q->argsort, MOVES, false},
                 {"allow_unstable", q->allow_unstable, MOVES, false},
                 {"skip_low_bits", q->skip_low_bits, KEYS, false},
                 {"significant_bits", q->significant_bits, KEYS, false},
                 {"key_limit", q->key_limit, KEYS, false},
                 {"distinct_count", q->distinct_count, KEYS, false},
                 {"row_length", q->row_length, ORDERS | BEST, false},
                 {"in_place", q->in_place, ORDERS | GROUPS, false},
                 {"sorted", q->sorted, MOVES, false},
                 {"k", q->k, BEST, false},
                 {"bin_count", q->bin_count, COUNTS, false},
                 {"lo", q->lo != 0, COUNTS, true},
                 {"hi", q->hi != 0, COUNTS, true},
                 {"dimensions", q->dimensions, POINTS, false},
                 {"radius", q->radius != 0, POINTS, true},
                 {"lower", is_set(q->lower), POINTS, true},
                 {"upper", is_set(q->upper), POINTS, true}};
    for (uint32_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].value && !(rules[i].needs >> q->need & 1)) {
            fail(a, rules[i].real ? ORDO_MESSAGE_QUESTION_FIELD : ORDO_MESSAGE_METHOD_FIELD,
                 &(ordo_report){.s = rules[i].name,
                                .t = "it has no meaning for this need",
                                .a = rules[i].value});
        }
    }
}

/* A radius is a cell size, and has its limits. */
static void check_radius(adviser *a) {
    float radius = a->question->radius;
    if (!(radius >= 1e-28f && radius <= 1e28f)) {
        const char *what = radius > 1    ? "too large"
                           : radius > 0  ? "too small"
                           : radius <= 0 ? "not positive"
                                         : "NaN";
        fail(a, ORDO_MESSAGE_QUESTION_RADIUS, &(ordo_report){.s = what});
    }
}

static void check_corner(adviser *a, const char *name, const float corner[3]) {
    for (uint32_t i = 0; i < 3; i++) {
        if (!(corner[i] >= -FLT_MAX && corner[i] <= FLT_MAX)) {
            fail(a, ORDO_MESSAGE_QUESTION_CORNER, &(ordo_report){.s = name, .a = i});
        }
    }
}

static void check_box(adviser *a) {
    const ordo_question *q = a->question;
    check_corner(a, "lower", q->lower);
    check_corner(a, "upper", q->upper);
    if (q->dimensions == 2 && (q->lower[2] != 0 || q->upper[2] != 0)) {
        fail(a, ORDO_MESSAGE_FLAT, &(ordo_report){.s = q->lower[2] != 0 ? "lower[2]" : "upper[2]"});
    }
    for (uint32_t i = 0; i < 3; i++) {
        if (q->lower[i] > q->upper[i]) {
            fail(a, ORDO_MESSAGE_QUESTION_BOX, &(ordo_report){.a = i});
        }
    }
}

static void check_question(adviser *a) {
    const ordo_question *q = a->question;
    check_enum(a, "need", q->need, ORDO_NEED_NEIGHBOURS);
    check_enum(a, "key", q->key, ORDO_F64);
    check_enum(a, "order", q->order, ORDO_DESCENDING);
    if (a->status != ORDO_OK) {
        return;
    }
    check_meaning(a);
    a->width = 8 * ordo_type_bytes(q->key);
    if ((uint64_t)q->skip_low_bits + q->significant_bits > a->width) {
        fail(a, ORDO_MESSAGE_QUESTION_BITS,
             &(ordo_report){.a = q->skip_low_bits, .b = q->significant_bits, .c = a->width});
    }
    if (q->key_limit && q->key != ORDO_U32) {
        fail(a, ORDO_MESSAGE_METHOD_FIELD,
             &(ordo_report){
                 .s = "key_limit", .t = "only keys of ORDO_U32 have one", .a = q->key_limit});
    }
    if (q->need == ORDO_NEED_BEST && q->k == 0) {
        fail(a, ORDO_MESSAGE_QUESTION_K, &(ordo_report){0});
    }
    if (q->bin_count == 0 && (q->lo != 0 || q->hi != 0)) {
        fail(a, ORDO_MESSAGE_QUESTION_FIELD,
             &(ordo_report){.s = q->lo != 0 ? "lo" : "hi", .t = "bin_count is 0"});
    }
    if (q->need == ORDO_NEED_NEIGHBOURS) {
        check_radius(a);
        check_box(a);
    }
}

/* How many of the highest bits are the same in all keys, by what is known of bits and of keys. */
static uint32_t same_high_bits(const ordo_question *q, uint32_t width) {
    uint32_t bits = q->skip_low_bits + q->significant_bits;
    uint32_t by_limit = q->key_limit ? ordo_log2_ceil(q->key_limit) : width;
    bits = q->significant_bits && bits < by_limit ? bits : by_limit;
    bits = bits > q->skip_low_bits ? bits : q->skip_low_bits;
    return bits < width ? width - bits : 0;
}

/* ---- Options ---- */

static ordo_status plan_with(const ordo_caps *caps, ordo_option *o) {
    ordo_summary *summary = &o->summary;
    switch (o->primitive) {
    case ORDO_PRIMITIVE_SORT:
        return ordo_sort_steps(caps, &o->desc.sort, NULL, 0, summary);
    case ORDO_PRIMITIVE_COUNTING_SORT:
        return ordo_counting_sort_steps(caps, &o->desc.counting_sort, NULL, 0, summary);
    case ORDO_PRIMITIVE_HISTOGRAM:
        return ordo_histogram_steps(caps, &o->desc.histogram, NULL, 0, summary);
    case ORDO_PRIMITIVE_GRID:
        return ordo_grid_steps(caps, &o->desc.grid, NULL, 0, summary);
    case ORDO_PRIMITIVE_TOP_K:
        return ordo_top_k_steps(caps, &o->desc.top_k, NULL, 0, summary);
    default:
        return ORDO_OK;
    }
}

static void copy_message(char *to, const char *from) {
    for (uint32_t i = 0; i < ORDO_MESSAGE_BYTES; i++) {
        to[i] = from[i];
    }
}

/* Plan an option. What the device's bindings and buffers are too small for is planned for larger
   ones, so that it has a price, beside the message of the device's own. */
static ordo_status plan_option(const ordo_caps *caps, ordo_option *o) {
    char message[ORDO_MESSAGE_BYTES];
    ordo_status status = plan_with(caps, o);
    if (status != ORDO_UNSUPPORTED) {
        return status;
    }
    copy_message(message, o->summary.message);
    ordo_caps wide = {0};
    if (caps) {
        wide = *caps;
    }
    wide.max_binding_bytes = wide.max_buffer_bytes = UINT64_MAX;
    plan_with(&wide, o);
    copy_message(o->summary.message, message);
    return status;
}

/* How far an option is from an answer. */
typedef enum distance { FITS, NEEDS_LIMITS, IS_KEPT, IS_REFUSED } distance;

static distance distance_of(const ordo_option *o) {
    bool planned = o->primitive == ORDO_PRIMITIVE_NONE || o->summary.step_count > 0;
    return o->fits ? FITS : !planned ? IS_REFUSED : o->summary.message[0] ? NEEDS_LIMITS : IS_KEPT;
}

/* Whether x is a better answer than y. */
static bool is_better(const ordo_option *x, const ordo_option *y) {
    distance of_x = distance_of(x), of_y = distance_of(y);
    return of_x != of_y ? of_x < of_y : x->summary.modelled_ns < y->summary.modelled_ns;
}

/* Plan an option, and put it where it belongs among the others. A message stays only where limits
   are all that is in the way, or where no limits would do. */
static void add(adviser *a, ordo_option option) {
    ordo_advice *advice = a->advice;
    ordo_status status = plan_option(a->caps, &option);
    if (status == ORDO_INVALID && a->status == ORDO_OK) {
        a->status = status;
        copy_message(advice->message, option.summary.message);
    }
    uint64_t memory_bytes = a->question->memory_bytes;
    if (status != ORDO_OK && option.summary.step_count == 0) {
        option.fits = false;
        option.why = "The planner refuses it.";
    } else if (!option.fits) {
        option.summary.message[0] = 0;
    } else if (memory_bytes && option.summary.scratch_bytes > memory_bytes) {
        option.fits = false;
        option.why = "It takes more scratch than there is room for.";
        option.summary.message[0] = 0;
    } else if (status != ORDO_OK) {
        option.fits = false;
        option.why = "It needs larger limits than the device has.";
    }
    uint32_t at = advice->option_count++;
    for (; at > 0 && is_better(&option, &advice->options[at - 1]); at--) {
        advice->options[at] = advice->options[at - 1];
    }
    advice->options[at] = option;
}

static void add_nothing(adviser *a, const char *why) {
    add(a, (ordo_option){.primitive = ORDO_PRIMITIVE_NONE, .fits = true, .why = why});
}

static void add_sort(adviser *a, ordo_method method, const char *why) {
    const ordo_question *q = a->question;
    ordo_option option = {.primitive = ORDO_PRIMITIVE_SORT, .fits = true, .why = why};
    option.desc.sort = (ordo_sort_desc){.max_count = q->max_count,
                                        .key = q->key,
                                        .order = q->order,
                                        .value_bytes = q->value_bytes,
                                        .argsort = q->argsort,
                                        .in_place = q->in_place,
                                        .allow_unstable = q->allow_unstable,
                                        .row_length = q->row_length,
                                        .method = method};
    /* A network of keys alone compares whole words, and a window would only have it keep ties in
       order, which are the same bits. */
    if (method == ORDO_METHOD_RADIX || method == ORDO_METHOD_ONESWEEP || q->value_bytes ||
        q->argsort) {
        option.desc.sort.skip_low_bits = q->skip_low_bits;
        option.desc.sort.skip_high_bits = a->skip_high;
    }
    add(a, option);
}

/* Whether the device failed ordo's self-check of the method. */
static bool is_rejected(const adviser *a, ordo_method method) {
    return a->caps && a->caps->rejected_methods >> method & 1;
}

/* The work of a sample sort grows with the square of the count: from here on others are faster by
   far on any device. */
enum { MOST_SAMPLED = 1 << 20 };

static void add_sorts(adviser *a, const char *why) {
    bool radix = a->question->row_length == 0 && !is_rejected(a, ORDO_METHOD_RADIX);
    bool whole = a->question->skip_low_bits == 0 && a->skip_high == 0;
    bool msd = a->question->row_length == 0 && whole && !is_rejected(a, ORDO_METHOD_MSD);
    bool sample = a->question->row_length == 0 && whole && !is_rejected(a, ORDO_METHOD_SAMPLE) &&
                  a->question->max_count <= MOST_SAMPLED;
    bool onesweep = a->question->row_length == 0 && !is_rejected(a, ORDO_METHOD_ONESWEEP) &&
                    a->caps && a->caps->forward_progress && !a->caps->software;
    bool bitonic = !is_rejected(a, ORDO_METHOD_BITONIC);
    if (msd) {
        add_sort(a, ORDO_METHOD_MSD, why);
    }
    if (sample) {
        add_sort(a, ORDO_METHOD_SAMPLE, why);
    }
    if (radix) {
        add_sort(a, ORDO_METHOD_RADIX, why);
    }
    if (onesweep) {
        add_sort(a, ORDO_METHOD_ONESWEEP, why);
    }
    if (bitonic) {
        add_sort(a, ORDO_METHOD_BITONIC, why);
    }
    if (!radix && !bitonic && !msd && !sample && !onesweep) {
        add_sort(a, ORDO_METHOD_AUTO, why); /* what else there is */
    }
}

/* A counting sort, if it could be one. Where only the number of different keys is known, it does
   not fit, but the caller may make it fit. */
static void add_counting_sort(adviser *a, const char *why) {
    const ordo_question *q = a->question;
    bool numbers = q->key_limit && q->key_limit <= ORDO_MAX_BINS;
    bool few = q->distinct_count && q->distinct_count <= ORDO_MAX_BINS;
    if ((!numbers && !few) || q->in_place || q->row_length) {
        return;
    }
    uint64_t buckets = numbers ? q->key_limit : q->distinct_count;
    ordo_option option = {.primitive = ORDO_PRIMITIVE_COUNTING_SORT, .fits = numbers};
    option.why = numbers ? why
                         : "Keys would have to be numbers below 65,536: number the different keys "
                           "where they are made, and this fits.";
    if (numbers && q->order == ORDO_DESCENDING && q->need == ORDO_NEED_ORDER) {
        option.fits = false;
        option.why = "Its order is ascending: read the result backwards if ties may be, and this "
                     "fits.";
    }
    option.desc.counting_sort = (ordo_counting_sort_desc){.max_count = q->max_count,
                                                          .bucket_count = (uint32_t)buckets,
                                                          .value_bytes = q->value_bytes,
                                                          .argsort = q->argsort};
    add(a, option);
}

/* ---- Needs ---- */

/* Whether the elements are in order, or in groups, as they come. */
static bool is_done(adviser *a) {
    const ordo_question *q = a->question;
    if (q->max_count <= 1) {
        add_nothing(a, "Fewer than two elements are in any order.");
    } else if (q->distinct_count == 1) {
        add_nothing(a, "All keys are equal: they are in order as they come.");
    } else if (q->sorted) {
        add_nothing(a, "The elements are in this order already; where that is only likely, check "
                       "it first, which takes one reading.");
    } else {
        return false;
    }
    return true;
}

static void advise_order(adviser *a) {
    is_done(a);
    add_counting_sort(a, "Keys are numbers below 65,536, so counting them gives every one its "
                         "place, in one pass or two.");
    add_sorts(a, "It gives the total order.");
}

static void advise_groups(adviser *a) {
    is_done(a);
    add_counting_sort(a, "Keys are numbers below 65,536, so they are buckets: it brings groups "
                         "together, and tells where each starts.");
    add_sorts(a, "Equal keys are neighbours in any total order; where a group starts the caller "
                 "finds by comparing neighbours.");
}

static void advise_best(adviser *a) {
    const ordo_question *q = a->question;
    uint64_t row = q->row_length && q->row_length < q->max_count ? q->row_length : q->max_count;
    is_done(a);
    if (q->k < row) {
        ordo_option option = {.primitive = ORDO_PRIMITIVE_TOP_K, .fits = true};
        option.why = q->value_bytes
                         ? "It selects without sorting the rest, and gives keys and indices, by "
                           "which the caller gathers the few values."
                         : "It selects without sorting the rest, and gives keys and indices.";
        option.desc.top_k = (ordo_top_k_desc){.max_count = q->max_count,
                                              .key = q->key,
                                              .smallest = q->order == ORDO_ASCENDING,
                                              .k = q->k,
                                              .row_length = q->row_length};
        add(a, option);
    }
    add_sorts(a, q->k < row ? "The best come first in the total order."
                            : "All are among the best, so it takes a total order.");
}

static void advise_counts(adviser *a) {
    const ordo_question *q = a->question;
    uint32_t bits = a->width - q->skip_low_bits - a->skip_high;
    if (q->max_count == 0) {
        add_nothing(a, "There is nothing to count.");
    }
    if (q->key <= ORDO_F32 && (q->bin_count || bits <= 16)) {
        ordo_option option = {.primitive = ORDO_PRIMITIVE_HISTOGRAM, .fits = true};
        ordo_histogram_desc *h = &option.desc.histogram;
        *h = (ordo_histogram_desc){.max_count = q->max_count, .type = q->key};
        if (q->bin_count) {
            option.why = "It counts ranges of keys in one reading, and moves nothing.";
            h->bin_count = q->bin_count;
            h->lo = q->lo;
            h->hi = q->hi;
        } else {
            option.why = "There are at most 65,536 keys, so each has a bin: it counts them in one "
                         "reading, and moves nothing.";
            h->bins = ORDO_BINS_BITS;
            h->skip_low_bits = q->skip_low_bits;
            h->skip_high_bits = a->skip_high;
        }
        add(a, option);
    }
    add_counting_sort(a, "The counts are the differences of its starts.");
    add_sorts(a,
              "Counts are the lengths of runs of equal keys, which the caller finds by comparing "
              "neighbours.");
}

/* Set the grid's cells from the box, as long as they are few for so many points, and no axis has
   more than a grid may have; else hash. */
static void lay_cells(const ordo_question *q, ordo_grid_desc *grid) {
    uint32_t dimensions = q->dimensions == 2 ? 2 : 3;
    uint64_t most = 4 * q->max_count + 4096, product = 1;
    most = most < (uint64_t)1 << 31 ? most : (uint64_t)1 << 31;
    bool box = false;
    for (uint32_t i = 0; i < dimensions && product <= most; i++) {
        double cells = ((double)q->upper[i] - q->lower[i]) / q->radius;
        bool short_enough = cells < 1 << 20;
        box = box || q->lower[i] != q->upper[i];
        grid->origin[i] = q->lower[i];
        grid->cells[i] = short_enough ? (uint32_t)cells + 1 : 0;
        product = short_enough ? product * grid->cells[i] : most + 1;
    }
    if (box && product <= most) {
        return;
    }
    for (uint32_t i = 0; i < 3; i++) {
        grid->origin[i] = 0;
        grid->cells[i] = 0;
    }
    uint32_t bits = ordo_log2_ceil(q->max_count);
    grid->table_size = 1u << (bits < 8 ? 8 : bits < 31 ? bits : 31);
}

static void advise_neighbours(adviser *a) {
    const ordo_question *q = a->question;
    ordo_option option = {.primitive = ORDO_PRIMITIVE_GRID, .fits = true};
    ordo_grid_desc *grid = &option.desc.grid;
    if (q->max_count <= 1) {
        add_nothing(a, "Fewer than two points have no neighbours.");
    }
    *grid = (ordo_grid_desc){
        .max_count = q->max_count, .dimensions = q->dimensions, .cell_size = {q->radius}};
    lay_cells(q, grid);
    option.why = grid->table_size
                     ? "A cell of the radius's size and the cells around it hold all neighbours; "
                       "cells are hashed, for the box that holds the points is not known, or has "
                       "too many cells for so few points."
                     : "A cell of the radius's size and the cells around it hold all neighbours.";
    add(a, option);
    uint64_t cells = grid->table_size;
    if (!cells) {
        cells = (uint64_t)grid->cells[0] * grid->cells[1] * (grid->cells[2] ? grid->cells[2] : 1);
    }
    ordo_option sort = {.primitive = ORDO_PRIMITIVE_SORT, .fits = true};
    sort.why = "The caller computes the cells' numbers, and finds where each cell starts.";
    sort.desc.sort = (ordo_sort_desc){
        .max_count = q->max_count, .argsort = true, .skip_high_bits = 32 - ordo_log2_ceil(cells)};
    if (!is_rejected(a, ORDO_METHOD_RADIX)) {
        sort.desc.sort.method = ORDO_METHOD_RADIX;
    }
    add(a, sort);
}

/* Whether an option gives so much more than the fastest sort that it goes first. A histogram
   counts, a grid computes cells and finds where they start; a sort leaves that to the caller. A
   counting sort that takes about as long as a sort tells where groups start. */
static bool goes_first(const ordo_option *option, const ordo_option *sort) {
    if (distance_of(option) > distance_of(sort)) {
        return false;
    }
    switch (option->primitive) {
    case ORDO_PRIMITIVE_HISTOGRAM:
    case ORDO_PRIMITIVE_GRID:
        return true;
    case ORDO_PRIMITIVE_COUNTING_SORT:
        return 3 * option->summary.modelled_ns <= 4 * sort->summary.modelled_ns;
    default:
        return false;
    }
}

static void prefer_special(ordo_advice *advice) {
    ordo_option *options = advice->options;
    for (uint32_t i = 1; options[0].primitive == ORDO_PRIMITIVE_SORT && i < advice->option_count;
         i++) {
        if (goes_first(&options[i], &options[0])) {
            const ordo_option special = options[i];
            for (uint32_t at = i; at > 0; at--) {
                options[at] = options[at - 1];
            }
            options[0] = special;
        }
    }
}

ordo_status ordo_advise(const ordo_caps *caps, const ordo_question *question, ordo_advice *advice) {
    typedef void advise_need(adviser *);
    static advise_need *const needs[] = {advise_order, advise_groups, advise_best, advise_counts,
                                         advise_neighbours};
    if (!advice) {
        return ORDO_INVALID;
    }
    *advice = (ordo_advice){0};
    adviser a = {.caps = caps, .question = question, .advice = advice};
    if (question) {
        check_question(&a);
    } else {
        fail(&a, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "question"});
    }
    if (a.status != ORDO_OK) {
        return a.status;
    }
    a.skip_high = same_high_bits(question, a.width);
    needs[question->need](&a);
    prefer_special(advice);
    advice->fits = advice->options[0].fits;
    if (a.status != ORDO_OK) {
        advice->fits = false;
        advice->option_count = 0;
    }
    return a.status;
}
