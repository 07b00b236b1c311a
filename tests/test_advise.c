/* SPDX-License-Identifier: MIT */
/*
 * test_advise.c: what ordo_advise answers to described situations, and the model of time behind it,
 * which also chooses the method of a sort.
 */
#include "messages.h"
#include "ordo_advise.h"
#include "plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define MIB (1ull << 20)

static ordo_advice ask(const ordo_caps *caps, const ordo_question *question) {
    ordo_advice advice;
    assert_int_equal(ordo_advise(caps, question, &advice), ORDO_OK);
    assert_string_equal(advice.message, "");
    return advice;
}

/* ---- Situations ------------------------------------------------------------------------------ */

typedef struct situation {
    const char *what;
    ordo_question question;
    ordo_primitive primitive;
    ordo_method method;  /* AUTO: any, or no sort */
    uint32_t pass_count; /* of radix, or levels of msd; 0: any, or neither */
} situation;

#define NOTHING ORDO_PRIMITIVE_NONE
#define SORT ORDO_PRIMITIVE_SORT
#define COUNTING ORDO_PRIMITIVE_COUNTING_SORT
#define HISTOGRAM ORDO_PRIMITIVE_HISTOGRAM
#define GRID ORDO_PRIMITIVE_GRID
#define TOP_K ORDO_PRIMITIVE_TOP_K
#define MSD ORDO_METHOD_MSD
#define RADIX ORDO_METHOD_RADIX
#define BITONIC ORDO_METHOD_BITONIC

static const situation situations[] = {
    {"16 million full keys", {.max_count = 1 << 24}, SORT, MSD, 6},
    {"600,000 full keys", {.max_count = 600000}, SORT, MSD, 4},
    {"50,000 full keys", {.max_count = 50000}, SORT, ORDO_METHOD_SAMPLE, 0},
    {"1,000 doubles with 8 bytes each",
     {.max_count = 1000, .key = ORDO_F64, .value_bytes = 8},
     SORT,
     MSD,
     0},
    {"16 million 64-bit keys", {.max_count = 1 << 24, .key = ORDO_U64}, SORT, MSD, 10},
    {"numbers below 100, in order, with values",
     {.max_count = 1 << 24, .key_limit = 100, .value_bytes = 4},
     COUNTING,
     0,
     0},
    {"numbers below 65,536, in order", {.max_count = 1 << 24, .key_limit = 65536}, COUNTING, 0, 0},
    {"1,000 numbers below 100, in order", {.max_count = 1000, .key_limit = 100}, SORT, BITONIC, 0},
    {"numbers below 65,537 are too many for buckets",
     {.max_count = 1 << 24, .key_limit = 65537, .value_bytes = 4},
     SORT,
     RADIX,
     3},
    {"keys of 12 significant bits",
     {.max_count = 1 << 24, .significant_bits = 12, .value_bytes = 4},
     SORT,
     RADIX,
     2},
    {"keys that differ in 8 bits in the middle",
     {.max_count = 1 << 24, .skip_low_bits = 12, .significant_bits = 8, .argsort = true},
     SORT,
     RADIX,
     1},
    {"few different keys of any value, in order",
     {.max_count = 1 << 24, .distinct_count = 16},
     SORT,
     MSD,
     6},
    {"all keys equal", {.max_count = 1 << 24, .distinct_count = 1}, NOTHING, 0, 0},
    {"already in order", {.max_count = 1 << 24, .sorted = true, .value_bytes = 4}, NOTHING, 0, 0},
    {"one element", {.max_count = 1, .key = ORDO_F64, .argsort = true}, NOTHING, 0, 0},
    {"no elements", {0}, NOTHING, 0, 0},
    {"many rows of 100, each in order",
     {.max_count = 1 << 24, .row_length = 100, .argsort = true},
     SORT,
     BITONIC,
     0},
    {"numbers below 256 in place",
     {.max_count = 1 << 24, .key_limit = 256, .in_place = true},
     SORT,
     RADIX,
     1},
    {"numbers below 100, descending",
     {.max_count = 1 << 24, .key_limit = 100, .order = ORDO_DESCENDING},
     SORT,
     RADIX,
     1},
    {"16 million keys in place, 1 MiB of scratch",
     {.max_count = 1 << 24, .in_place = true, .memory_bytes = 1 * MIB},
     SORT,
     BITONIC,
     0},
    {"pairs in place that may be unstable, 1 MiB of scratch",
     {.max_count = 1 << 22,
      .value_bytes = 4,
      .in_place = true,
      .allow_unstable = true,
      .memory_bytes = 1 * MIB},
     SORT,
     BITONIC,
     0},
    {"particles by a cell below 4,096",
     {.need = ORDO_NEED_GROUPS, .max_count = 1 << 22, .key_limit = 4096, .argsort = true},
     COUNTING,
     0,
     0},
    {"groups by a full 32-bit key",
     {.need = ORDO_NEED_GROUPS, .max_count = 1 << 24, .value_bytes = 4},
     SORT,
     MSD,
     6},
    {"groups of 100 different hashes of 64 bits",
     {.need = ORDO_NEED_GROUPS, .max_count = 1 << 24, .key = ORDO_U64, .distinct_count = 100},
     SORT,
     MSD,
     10},
    {"groups, already in order",
     {.need = ORDO_NEED_GROUPS, .max_count = 1 << 24, .sorted = true},
     NOTHING,
     0,
     0},
    {"the best 100 of a million",
     {.need = ORDO_NEED_BEST, .max_count = 1000000, .k = 100, .order = ORDO_DESCENDING},
     TOP_K,
     0,
     0},
    {"the least 10 of 2^24 floats, with values of 64 bytes",
     {.need = ORDO_NEED_BEST, .max_count = 1 << 24, .key = ORDO_F32, .k = 10, .value_bytes = 64},
     TOP_K,
     0,
     0},
    {"the best million of a million",
     {.need = ORDO_NEED_BEST, .max_count = 1000000, .k = 1000000},
     SORT,
     0,
     0},
    {"the best 200 of rows of 100",
     {.need = ORDO_NEED_BEST, .max_count = 1 << 20, .row_length = 100, .k = 200},
     SORT,
     BITONIC,
     0},
    {"the best 5 of what is in order",
     {.need = ORDO_NEED_BEST, .max_count = 1 << 20, .k = 5, .sorted = true},
     NOTHING,
     0,
     0},
    {"how many of each byte",
     {.need = ORDO_NEED_COUNTS, .max_count = 1 << 24, .key_limit = 256},
     HISTOGRAM,
     0,
     0},
    {"how many of each byte of 1,000",
     {.need = ORDO_NEED_COUNTS, .max_count = 1000, .key_limit = 256},
     HISTOGRAM,
     0,
     0},
    {"how many of each 16-bit field of a signed key",
     {.need = ORDO_NEED_COUNTS,
      .max_count = 1 << 24,
      .key = ORDO_I32,
      .skip_low_bits = 8,
      .significant_bits = 16},
     HISTOGRAM,
     0,
     0},
    {"floats in 50 ranges",
     {.need = ORDO_NEED_COUNTS,
      .max_count = 1 << 24,
      .key = ORDO_F32,
      .bin_count = 50,
      .lo = -1,
      .hi = 1},
     HISTOGRAM,
     0,
     0},
    {"how many of each 17-bit key",
     {.need = ORDO_NEED_COUNTS, .max_count = 1 << 24, .significant_bits = 17},
     SORT,
     RADIX,
     3},
    {"nothing to count", {.need = ORDO_NEED_COUNTS, .key = ORDO_F32}, NOTHING, 0, 0},
    {"the best 10 of each row of 1,000",
     {.need = ORDO_NEED_BEST, .max_count = 1 << 24, .row_length = 1000, .k = 10},
     TOP_K,
     0,
     0},
    {"how many of each of any 32-bit key",
     {.need = ORDO_NEED_COUNTS, .max_count = 1 << 24},
     SORT,
     MSD,
     6},
    {"neighbours in a box",
     {.need = ORDO_NEED_NEIGHBOURS, .max_count = 1 << 20, .radius = 0.5f, .upper = {32, 32, 32}},
     GRID,
     0,
     0},
    {"neighbours in the plane, no box known",
     {.need = ORDO_NEED_NEIGHBOURS, .max_count = 1 << 20, .radius = 3, .dimensions = 2},
     GRID,
     0,
     0},
    {"one point", {.need = ORDO_NEED_NEIGHBOURS, .max_count = 1, .radius = 1}, NOTHING, 0, 0},
};

static ordo_status plan_steps(const ordo_option *o, ordo_step *steps, uint32_t capacity,
                              ordo_summary *summary) {
    switch (o->primitive) {
    case ORDO_PRIMITIVE_SORT:
        return ordo_sort_steps(NULL, &o->desc.sort, steps, capacity, summary);
    case ORDO_PRIMITIVE_COUNTING_SORT:
        return ordo_counting_sort_steps(NULL, &o->desc.counting_sort, steps, capacity, summary);
    case ORDO_PRIMITIVE_HISTOGRAM:
        return ordo_histogram_steps(NULL, &o->desc.histogram, steps, capacity, summary);
    case ORDO_PRIMITIVE_GRID:
        return ordo_grid_steps(NULL, &o->desc.grid, steps, capacity, summary);
    default:
        return ordo_top_k_steps(NULL, &o->desc.top_k, steps, capacity, summary);
    }
}

/* The desc of an option gives the plan that it promises. */
static void check_option(const situation *s, const ordo_option *o) {
    static ordo_step steps[400];
    ordo_summary summary;
    assert_non_null(o->why);
    if (o->primitive == ORDO_PRIMITIVE_NONE || o->summary.message[0])
        return;
    if (plan_steps(o, steps, COUNT_OF(steps), &summary) != ORDO_OK)
        fail_msg("%s: %s", s->what, summary.message);
    assert_int_equal(summary.step_count, o->summary.step_count);
    assert_memory_equal(&summary, &o->summary, sizeof summary);
    if (s->question.max_count > 1) {
        assert_true(summary.step_count > 0);
        assert_true(summary.modelled_ns >= 1000u * summary.step_count);
    }
    if (o->fits && s->question.memory_bytes)
        assert_true(summary.scratch_bytes <= s->question.memory_bytes);
}

static void test_situations(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(situations); i++) {
        const situation *s = &situations[i];
        const ordo_advice advice = ask(NULL, &s->question);
        const ordo_option *answer = &advice.options[0];
        assert_true(advice.fits && answer->fits);
        if (answer->primitive != s->primitive)
            fail_msg("%s: %s (%s)", s->what, ordo_primitive_name(answer->primitive), answer->why);
        if ((s->method && answer->summary.method != s->method) ||
            (s->pass_count && answer->summary.pass_count != s->pass_count))
            fail_msg("%s: method %d, %u passes", s->what, (int)answer->summary.method,
                     answer->summary.pass_count);
        for (uint32_t j = 0; j < advice.option_count; j++) {
            const ordo_option *o = &advice.options[j], *before = j ? &advice.options[j - 1] : o;
            check_option(s, o);
            assert_true(before->fits || !o->fits);
            assert_true(before->fits != o->fits || j == 1 ||
                        before->summary.modelled_ns <= o->summary.modelled_ns);
        }
    }
}

/* The options that are not the answer, and what keeps them. */
static const ordo_option *find(const ordo_advice *advice, ordo_primitive primitive,
                               ordo_method method) {
    for (uint32_t i = 0; i < advice->option_count; i++) {
        const ordo_option *o = &advice->options[i];
        if (o->primitive == primitive &&
            (primitive != ORDO_PRIMITIVE_SORT || o->desc.sort.method == method))
            return o;
    }
    return NULL;
}

static void test_alternatives_are_priced(void **state) {
    (void)state;
    ordo_question best = {.need = ORDO_NEED_BEST, .max_count = 1 << 24, .k = 100};
    ordo_advice advice = ask(NULL, &best);
    const ordo_option *top_k = find(&advice, TOP_K, 0), *sort = find(&advice, SORT, RADIX);
    assert_true(top_k->desc.top_k.smallest);
    assert_true(sort->summary.modelled_ns > 5 * top_k->summary.modelled_ns);
    best.order = ORDO_DESCENDING;
    advice = ask(NULL, &best);
    assert_false(find(&advice, TOP_K, 0)->desc.top_k.smallest);
    assert_int_equal(find(&advice, SORT, RADIX)->desc.sort.order, ORDO_DESCENDING);
    /* The window that a limit gives is that of the sort beside the counting sort. */
    ordo_question limited = {.max_count = 1 << 24, .key_limit = 1000, .argsort = true};
    advice = ask(NULL, &limited);
    assert_int_equal(find(&advice, COUNTING, 0)->desc.counting_sort.bucket_count, 1000);
    assert_int_equal(find(&advice, SORT, RADIX)->desc.sort.skip_high_bits, 22);
    /* Few different keys that are no small numbers: what it takes if the caller numbers them. */
    ordo_question few = {.max_count = 1 << 24, .distinct_count = 16};
    advice = ask(NULL, &few);
    const ordo_option *counting = find(&advice, COUNTING, 0);
    assert_false(counting->fits);
    assert_int_equal(counting->desc.counting_sort.bucket_count, 16);
    assert_true(counting->summary.modelled_ns < advice.options[0].summary.modelled_ns);
    assert_null(strstr(counting->why, "scratch"));
}

/* What a desc says beyond its primitive. */
static void test_descs(void **state) {
    (void)state;
    /* A limit below the bits that are the same leaves nothing to compare. */
    ordo_question tied = {
        .max_count = 1 << 24, .skip_low_bits = 10, .key_limit = 100, .value_bytes = 4};
    ordo_advice advice = ask(NULL, &tied);
    const ordo_sort_desc *sort = &find(&advice, SORT, RADIX)->desc.sort;
    assert_int_equal(sort->skip_low_bits + sort->skip_high_bits, 32);
    /* Rows are sorted each by itself. */
    ordo_question rows = {.max_count = 1 << 24, .row_length = 100, .key_limit = 50};
    advice = ask(NULL, &rows);
    assert_null(find(&advice, COUNTING, 0));
    assert_null(find(&advice, SORT, RADIX));
    assert_int_equal(find(&advice, SORT, BITONIC)->desc.sort.row_length, 100);
    rows =
        (ordo_question){.need = ORDO_NEED_BEST, .max_count = 1 << 24, .row_length = 1000, .k = 10};
    advice = ask(NULL, &rows);
    assert_int_equal(advice.options[0].desc.top_k.row_length, 1000);
    /* There are no histograms of 64 bits. */
    ordo_question wide = {
        .need = ORDO_NEED_COUNTS, .max_count = 1 << 20, .key = ORDO_U64, .significant_bits = 8};
    advice = ask(NULL, &wide);
    assert_null(find(&advice, HISTOGRAM, 0));
    /* A window spares radix passes; a network of whole keys needs no index without it. */
    ordo_question window = {.max_count = 1 << 20, .skip_low_bits = 4, .significant_bits = 8};
    advice = ask(NULL, &window);
    sort = &find(&advice, SORT, RADIX)->desc.sort;
    assert_true(sort->skip_low_bits == 4 && sort->skip_high_bits == 20);
    sort = &find(&advice, SORT, BITONIC)->desc.sort;
    assert_true(sort->skip_low_bits == 0 && sort->skip_high_bits == 0);
    window.argsort = true;
    advice = ask(NULL, &window);
    sort = &find(&advice, SORT, BITONIC)->desc.sort;
    assert_true(sort->skip_low_bits == 4 && sort->skip_high_bits == 20);
}

static void test_memory(void **state) {
    (void)state;
    ordo_question tight = {.max_count = 1 << 24, .argsort = true, .memory_bytes = 1 * MIB};
    ordo_advice advice = ask(NULL, &tight);
    assert_false(advice.fits);
    for (uint32_t i = 0; i < advice.option_count; i++) {
        assert_false(advice.options[i].fits);
        assert_true(advice.options[i].summary.scratch_bytes > 1 * MIB);
        assert_non_null(strstr(advice.options[i].why, "scratch"));
    }
    /* To the byte. */
    tight.memory_bytes = find(&advice, SORT, RADIX)->summary.scratch_bytes;
    advice = ask(NULL, &tight);
    assert_true(find(&advice, SORT, RADIX)->fits);
    tight.memory_bytes--;
    advice = ask(NULL, &tight);
    assert_false(find(&advice, SORT, RADIX)->fits);
    assert_true(advice.options[0].desc.sort.method == BITONIC && advice.fits);
}

/* What the device's bindings or buffers are too small for is priced all the same, in the order in
   which it would be advised, and the planner says what to request. */
static void test_limits_to_request(void **state) {
    (void)state;
    const ordo_caps caps = {.max_binding_bytes = 1ull << 34, .max_buffer_bytes = 1ull << 34};
    const ordo_question questions[] = {
        {.max_count = 1ull << 26},
        {.need = ORDO_NEED_BEST, .max_count = 1ull << 28, .k = 100},
        {.need = ORDO_NEED_COUNTS, .max_count = 1ull << 28, .key_limit = 65536},
        {.need = ORDO_NEED_GROUPS, .max_count = 1ull << 28, .key_limit = 256, .argsort = true},
    };
    for (size_t i = 0; i < COUNT_OF(questions); i++) {
        const ordo_advice advice = ask(NULL, &questions[i]), wide = ask(&caps, &questions[i]);
        assert_true(wide.fits && !advice.fits);
        assert_int_equal(advice.option_count, wide.option_count);
        for (uint32_t j = 0; j < advice.option_count; j++) {
            const ordo_option *o = &advice.options[j], *free = &wide.options[j];
            /* A radix sort has windows, but a buffer does not hold its scratch. */
            assert_non_null(
                strstr(o->summary.message, o->primitive == SORT && o->desc.sort.method == RADIX
                                               ? "maxBufferSize"
                                               : "maxStorageBufferBindingSize"));
            assert_non_null(strstr(o->why, "limits"));
            assert_false(o->fits);
            assert_true(free->fits && o->primitive == free->primitive);
            assert_true(o->summary.step_count > 0);
            assert_int_equal(o->summary.modelled_ns, free->summary.modelled_ns);
            assert_int_equal(o->summary.scratch_bytes, free->summary.scratch_bytes);
        }
    }
    /* A limit is named only where it is all that is in the way. */
    ordo_question tight = {.max_count = 1ull << 26, .argsort = true, .memory_bytes = 1 * MIB};
    ordo_advice advice = ask(NULL, &tight);
    assert_string_equal(find(&advice, SORT, RADIX)->summary.message, "");
    assert_non_null(strstr(find(&advice, SORT, RADIX)->why, "scratch"));
    ordo_question few = {.max_count = 1ull << 26, .distinct_count = 16};
    advice = ask(NULL, &few);
    assert_string_equal(find(&advice, COUNTING, 0)->summary.message, "");
    assert_non_null(strstr(find(&advice, COUNTING, 0)->why, "number the different keys"));
    assert_int_equal(advice.options[0].primitive, SORT);
    /* No limit would do. */
    ordo_question none = {.max_count = UINT32_MAX, .value_bytes = 64};
    advice = ask(NULL, &none);
    assert_false(advice.fits);
    assert_int_equal(advice.options[0].summary.step_count, 0);
    assert_non_null(strstr(advice.options[0].summary.message, "2^32 - 1 words"));
    assert_non_null(strstr(advice.options[0].why, "refuses"));
}

static void test_grids(void **state) {
    (void)state;
    ordo_question box = {.need = ORDO_NEED_NEIGHBOURS,
                         .max_count = 1 << 20,
                         .radius = 0.5f,
                         .lower = {-1, -2, 3},
                         .upper = {1, 0, 5}};
    ordo_advice advice = ask(NULL, &box);
    const ordo_grid_desc *grid = &find(&advice, GRID, 0)->desc.grid;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(grid->cells[i], 5);
        assert_true(grid->origin[i] == box.lower[i]);
    }
    assert_true(grid->cell_size[0] == 0.5f && grid->table_size == 0);
    assert_int_equal(find(&advice, SORT, RADIX)->desc.sort.skip_high_bits, 32 - 7); /* of 125 */
    /* A box of far more cells than points, or none: hashed. */
    for (int i = 0; i < 3; i++) {
        ordo_question sparse = box;
        sparse.upper[0] = i == 0 ? 1e30f : sparse.upper[0];
        sparse.radius = i == 1 ? 1e-5f : sparse.radius;
        for (int j = 0; i == 2 && j < 3; j++)
            sparse.lower[j] = sparse.upper[j] = 0;
        advice = ask(NULL, &sparse);
        grid = &find(&advice, GRID, 0)->desc.grid;
        assert_int_equal(grid->table_size, 1 << 20);
        assert_int_equal(grid->cells[0], 0);
    }
    ordo_question few = {.need = ORDO_NEED_NEIGHBOURS, .max_count = 10, .radius = 1};
    advice = ask(NULL, &few);
    assert_int_equal(find(&advice, GRID, 0)->desc.grid.table_size, 256);
    /* No more cells than a grid may have, however many points there are. */
    box.max_count = UINT32_MAX;
    box.radius = 2e-3f;
    ordo_caps caps = {.max_binding_bytes = 1ull << 40, .max_buffer_bytes = 1ull << 40};
    advice = ask(&caps, &box);
    assert_int_equal(find(&advice, GRID, 0)->desc.grid.cells[2], 1000);
    box.radius = 1e-3f;
    advice = ask(&caps, &box);
    assert_int_equal(find(&advice, GRID, 0)->desc.grid.table_size, 1u << 31);
}

/* An axis that is longer than a grid's may be is not cut: its points would share a cell. */
static void test_long_boxes(void **state) {
    (void)state;
    ordo_question thin = {.need = ORDO_NEED_NEIGHBOURS,
                          .max_count = 1 << 20,
                          .dimensions = 2,
                          .radius = 1,
                          .upper = {1e9f, 0.5f}};
    ordo_advice advice = ask(NULL, &thin);
    const ordo_grid_desc *grid = &find(&advice, GRID, 0)->desc.grid;
    assert_int_equal(grid->table_size, 1 << 20);
    assert_true(grid->cells[0] == 0 && grid->cells[1] == 0);
    /* The longest, and one cell more. */
    thin.upper[0] = 1048575.5f;
    advice = ask(NULL, &thin);
    grid = &find(&advice, GRID, 0)->desc.grid;
    assert_true(grid->cells[0] == 1 << 20 && grid->cells[1] == 1 && grid->table_size == 0);
    thin.upper[0] = 1048576;
    advice = ask(NULL, &thin);
    assert_int_equal(find(&advice, GRID, 0)->desc.grid.table_size, 1 << 20);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static const char no_meaning[] = "it has no meaning for this need";

typedef struct bad_question {
    ordo_question question;
    ordo_message_id id;
    ordo_report report;
} bad_question;

static void check_bad(const bad_question *rows, size_t count) {
    ordo_advice advice;
    char expected[ORDO_MESSAGE_BYTES];
    for (size_t i = 0; i < count; i++) {
        ordo_message_write(expected, rows[i].id, &rows[i].report);
        assert_int_equal(ordo_advise(NULL, &rows[i].question, &advice), ORDO_INVALID);
        assert_string_equal(advice.message, expected);
        assert_int_equal(advice.option_count, 0);
        assert_false(advice.fits);
    }
}

static void test_bad_numbers(void **state) {
    (void)state;
    const bad_question rows[] = {
        {{.need = (ordo_need)5}, ORDO_MESSAGE_ENUM, {.s = "need", .a = 5, .b = 4}},
        {{.key = (ordo_type)6}, ORDO_MESSAGE_ENUM, {.s = "key", .a = 6, .b = 5}},
        {{.order = (ordo_order)2}, ORDO_MESSAGE_ENUM, {.s = "order", .a = 2, .b = 1}},
        {{.need = ORDO_NEED_BEST}, ORDO_MESSAGE_QUESTION_K, {0}},
        {{.skip_low_bits = 30, .significant_bits = 3},
         ORDO_MESSAGE_QUESTION_BITS,
         {.a = 30, .b = 3, .c = 32}},
        {{.key = ORDO_I64, .skip_low_bits = UINT32_MAX, .significant_bits = 1},
         ORDO_MESSAGE_QUESTION_BITS,
         {.a = UINT32_MAX, .b = 1, .c = 64}},
        {{.key = ORDO_I32, .key_limit = 10},
         ORDO_MESSAGE_METHOD_FIELD,
         {.s = "key_limit", .t = "only keys of ORDO_U32 have one", .a = 10}},
        {{.need = ORDO_NEED_COUNTS, .lo = 0.5},
         ORDO_MESSAGE_QUESTION_FIELD,
         {.s = "lo", .t = "bin_count is 0"}},
        {{.need = ORDO_NEED_COUNTS, .hi = 0.5},
         ORDO_MESSAGE_QUESTION_FIELD,
         {.s = "hi", .t = "bin_count is 0"}},
        /* What the planners say. */
        {{.max_count = 100, .value_bytes = 3}, ORDO_MESSAGE_VALUE_BYTES, {.a = 3, .b = 64}},
        {{.max_count = 100, .argsort = true, .value_bytes = 4},
         ORDO_MESSAGE_ARGSORT,
         {.s = "value_bytes", .a = 4}},
        {{.max_count = 1ull << 32}, ORDO_MESSAGE_COUNT, {.a = 1ull << 32, .b = UINT32_MAX}},
        {{.need = ORDO_NEED_NEIGHBOURS, .max_count = 10, .radius = 1, .dimensions = 4},
         ORDO_MESSAGE_DIMENSIONS,
         {.a = 4}},
    };
    check_bad(rows, COUNT_OF(rows));
}

/* Fields that have no meaning for the need: numbers with their value, reals by their name. */
static void test_fields_of_other_needs(void **state) {
    (void)state;
    const bad_question rows[] = {
        {{.k = 3}, ORDO_MESSAGE_METHOD_FIELD, {.s = "k", .t = no_meaning, .a = 3}},
        {{.bin_count = 3}, ORDO_MESSAGE_METHOD_FIELD, {.s = "bin_count", .t = no_meaning, .a = 3}},
        {{.lo = 5.5}, ORDO_MESSAGE_QUESTION_FIELD, {.s = "lo", .t = no_meaning}},
        {{.hi = 3}, ORDO_MESSAGE_QUESTION_FIELD, {.s = "hi", .t = no_meaning}},
        {{.radius = 3}, ORDO_MESSAGE_QUESTION_FIELD, {.s = "radius", .t = no_meaning}},
        {{.lower = {0, -1, 0}}, ORDO_MESSAGE_QUESTION_FIELD, {.s = "lower", .t = no_meaning}},
        {{.upper = {0, 0, 1}}, ORDO_MESSAGE_QUESTION_FIELD, {.s = "upper", .t = no_meaning}},
        {{.dimensions = 3},
         ORDO_MESSAGE_METHOD_FIELD,
         {.s = "dimensions", .t = no_meaning, .a = 3}},
        {{.need = ORDO_NEED_COUNTS, .value_bytes = 4},
         ORDO_MESSAGE_METHOD_FIELD,
         {.s = "value_bytes", .t = no_meaning, .a = 4}},
        {{.need = ORDO_NEED_COUNTS, .sorted = true},
         ORDO_MESSAGE_METHOD_FIELD,
         {.s = "sorted", .t = no_meaning, .a = 1}},
        {{.need = ORDO_NEED_GROUPS, .row_length = 4},
         ORDO_MESSAGE_METHOD_FIELD,
         {.s = "row_length", .t = no_meaning, .a = 4}},
        {{.need = ORDO_NEED_NEIGHBOURS, .radius = 1, .key = ORDO_F32},
         ORDO_MESSAGE_METHOD_FIELD,
         {.s = "key", .t = no_meaning, .a = 2}},
    };
    check_bad(rows, COUNT_OF(rows));
}

#define NEAR .need = ORDO_NEED_NEIGHBOURS, .max_count = 100

static void test_bad_boxes(void **state) {
    (void)state;
    const bad_question rows[] = {
        {{NEAR}, ORDO_MESSAGE_QUESTION_RADIUS, {.s = "not positive"}},
        {{NEAR, .radius = -1}, ORDO_MESSAGE_QUESTION_RADIUS, {.s = "not positive"}},
        {{NEAR, .radius = NAN}, ORDO_MESSAGE_QUESTION_RADIUS, {.s = "NaN"}},
        {{NEAR, .radius = 1e-30f}, ORDO_MESSAGE_QUESTION_RADIUS, {.s = "too small"}},
        {{NEAR, .radius = 1e30f}, ORDO_MESSAGE_QUESTION_RADIUS, {.s = "too large"}},
        {{NEAR, .radius = INFINITY}, ORDO_MESSAGE_QUESTION_RADIUS, {.s = "too large"}},
        {{NEAR, .radius = 1, .lower = {5, 5, 5}}, ORDO_MESSAGE_QUESTION_BOX, {.a = 0}},
        {{NEAR, .radius = 1, .lower = {0, 0, 5}, .upper = {9, 9, 4.5f}},
         ORDO_MESSAGE_QUESTION_BOX,
         {.a = 2}},
        {{NEAR, .radius = 1, .lower = {0, NAN, 0}},
         ORDO_MESSAGE_QUESTION_CORNER,
         {.s = "lower", .a = 1}},
        {{NEAR, .radius = 1, .lower = {-INFINITY, 0, 0}},
         ORDO_MESSAGE_QUESTION_CORNER,
         {.s = "lower", .a = 0}},
        {{NEAR, .radius = 1, .upper = {1, 1, INFINITY}},
         ORDO_MESSAGE_QUESTION_CORNER,
         {.s = "upper", .a = 2}},
        {{NEAR, .radius = 1, .dimensions = 2, .upper = {1, 1, 1}},
         ORDO_MESSAGE_FLAT,
         {.s = "upper[2]"}},
        {{NEAR, .radius = 1, .dimensions = 2, .lower = {0, 0, -1}},
         ORDO_MESSAGE_FLAT,
         {.s = "lower[2]"}},
    };
    check_bad(rows, COUNT_OF(rows));
}

/* Where workgroups go on, the sort that looks back is an option, and the answer where AUTO takes it. */
static void test_looking_back(void **state) {
    (void)state;
    const ordo_question window = {.need = ORDO_NEED_ORDER,
                                  .max_count = 1 << 24,
                                  .value_bytes = 4,
                                  .skip_low_bits = 3,
                                  .significant_bits = 21};
    const ordo_caps caps[] = {
        {.forward_progress = true},
        {.forward_progress = false},
        {.forward_progress = true, .software = true},
        {.forward_progress = true, .rejected_methods = 1 << ORDO_METHOD_ONESWEEP}};
    for (uint32_t i = 0; i < COUNT_OF(caps); i++) {
        const ordo_advice advice = ask(&caps[i], &window);
        const ordo_option *option = find(&advice, SORT, ORDO_METHOD_ONESWEEP);
        assert_int_equal(option != NULL, i == 0);
        ordo_sort_desc desc = advice.options[0].desc.sort;
        ordo_summary summary;
        desc.method = ORDO_METHOD_AUTO;
        assert_int_equal(ordo_sort_steps(&caps[i], &desc, NULL, 0, &summary), ORDO_OK);
        assert_int_equal(summary.method, advice.options[0].desc.sort.method);
        assert_int_equal(desc.skip_low_bits, 3);
        assert_int_equal(desc.skip_high_bits, 8);
    }
}

static void test_missing_arguments(void **state) {
    (void)state;
    ordo_advice advice;
    char expected[ORDO_MESSAGE_BYTES];
    ordo_message_write(expected, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "question"});
    assert_int_equal(ordo_advise(NULL, NULL, &advice), ORDO_INVALID);
    assert_string_equal(advice.message, expected);
    assert_int_equal(ordo_advise(NULL, &(ordo_question){.max_count = 1}, NULL), ORDO_INVALID);
    assert_string_equal(ordo_primitive_name(ORDO_PRIMITIVE_TOP_K), "top-k");
    assert_string_equal(ordo_primitive_name((ordo_primitive)6), "unknown primitive");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_situations),
        cmocka_unit_test(test_alternatives_are_priced),
        cmocka_unit_test(test_descs),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_limits_to_request),
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_long_boxes),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_fields_of_other_needs),
        cmocka_unit_test(test_bad_boxes),
        cmocka_unit_test(test_looking_back),
        cmocka_unit_test(test_missing_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
