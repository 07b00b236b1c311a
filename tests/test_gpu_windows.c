/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_windows.c: sorts of arrays that are larger than a binding, on contexts that may bind
 * little: keys of one and two words, with and without values, counts at the edges of windows,
 * counts on the GPU, and copies.
 *
 * Kernels take a software adapter seconds to compile, so that sorts share few pipelines.
 */
#include "gpu_case.h"

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* Shapes that the counts below are made for, whatever those of the device are. */
enum {
    TILE = 2048,
    BINDING_BYTES = 32768,
    WINDOW = BINDING_BYTES / 4, /* words, and elements of one word */
};

#define SHAPES "radix_items=4 radix_subtiles=2 move_items=4"

static ordo_context *open_context(rig *r, const char *tuning, uint64_t binding_bytes) {
    const ordo_caps caps = {.max_binding_bytes = binding_bytes,
                            .software = ordo_context_caps(r->context)->software,
                            .tuning = tuning};
    return rig_context(r, &caps);
}

static ordo_context *open_small(rig *r) { return open_context(r, SHAPES, BINDING_BYTES); }

/* In how many windows a sort binds its arrays; 0: as a whole. */
static uint32_t count_windows(const ordo_context *context, const ordo_sort_desc *desc) {
    ordo_summary summary;
    assert_int_equal(ordo_sort_steps(ordo_context_caps(context), desc, NULL, 0, &summary), ORDO_OK);
    return summary.window_count;
}

/* What chooses pipelines. Three bytes are an odd number of passes: in place keys, and values, are
   copied first. */
static const ordo_sort_desc forms[] = {
    {.key = ORDO_U32},
    {.key = ORDO_U32, .in_place = true, .skip_high_bits = 8},
    {.key = ORDO_F32, .order = ORDO_DESCENDING, .value_bytes = 4},
    {.key = ORDO_F32, .order = ORDO_DESCENDING, .argsort = true},
    {.key = ORDO_F32,
     .order = ORDO_DESCENDING,
     .value_bytes = 4,
     .in_place = true,
     .skip_low_bits = 8},
    {.key = ORDO_U64, .skip_low_bits = 40},
    {.key = ORDO_U64, .value_bytes = 8, .skip_low_bits = 5, .skip_high_bits = 35},
    {.key = ORDO_U64, .value_bytes = 8, .in_place = true},
    {.key = ORDO_U64, .argsort = true, .skip_high_bits = 56},
};

/* Elements of a window. */
static uint32_t window_of(const ordo_sort_desc *desc) {
    return ordo_key_bytes(desc) == 8 || desc->value_bytes == 8 ? WINDOW / 2 : WINDOW;
}

static void sort_form(rig *r, ordo_context *context, uint32_t form, uint64_t max_count,
                      distribution shape, count_use use, uint32_t gpu_count) {
    sort_case c = {.desc = forms[form],
                   .shape = shape,
                   .seed = 7 * form + gpu_count,
                   .count_use = use,
                   .gpu_count = gpu_count,
                   .scratch = SCRATCH_PATTERN,
                   .context = context};
    c.desc.method = ORDO_METHOD_RADIX;
    c.desc.max_count = max_count;
    sort_check(r, c);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* Full and nearly empty last windows; keys alone go to four windows a step, so that some steps have
   four and some fewer. Few distinct keys: whole windows of ties, which stay in order. */
static void test_counts_at_the_edges_of_windows(void **state) {
    rig *r = *state;
    ordo_context *context = open_small(r);
    static const int32_t edges[] = {-1, 0, 1};
    static const uint32_t windows[] = {1, 2, 5};
    for (uint32_t form = 0; form < COUNT_OF(forms); form++) {
        for (uint32_t i = form % 2; i < COUNT_OF(windows) * COUNT_OF(edges); i += 2) {
            uint64_t whole = windows[i / 3] * window_of(&forms[form]);
            uint64_t count = (uint64_t)((int64_t)whole + edges[i % 3]);
            ordo_sort_desc desc = forms[form];
            desc.method = ORDO_METHOD_RADIX;
            desc.max_count = count;
            uint32_t expected = count > window_of(&desc) ? windows[i / 3] + (edges[i % 3] > 0) : 0;
            assert_int_equal(count_windows(context, &desc), expected);
            sort_form(r, context, form, count, i / 2 % 2 ? KEYS_FEW : KEYS_RANDOM, COUNT_HOST, 0);
        }
    }
    ordo_context_release(context);
}

/* Windows that begin beyond the count do nothing, and nothing beyond it is touched. */
static void test_counts_on_the_gpu(void **state) {
    rig *r = *state;
    ordo_context *context = open_small(r);
    for (uint32_t form = 0; form < COUNT_OF(forms); form++) {
        uint32_t window = window_of(&forms[form]), max_count = 5 * window + 777;
        const uint32_t counts[] = {0,          1,          TILE + 1,       window - 1, window,
                                   window + 1, 4 * window, 4 * window + 1, max_count,  UINT32_MAX};
        for (uint32_t i = form % 2; i < COUNT_OF(counts); i += 2)
            sort_form(r, context, form, max_count, KEYS_SPECIAL, COUNT_GIVEN, counts[i]);
    }
    ordo_context_release(context);
}

/* All keys go to one window, to the first or the last places of each, or stay where they are. */
static void test_shapes(void **state) {
    rig *r = *state;
    ordo_context *context = open_small(r);
    static const distribution shapes[] = {KEYS_EQUAL,     KEYS_ONES,      KEYS_SORTED,
                                          KEYS_REVERSED,  KEYS_ONE_ODD,   KEYS_BOTTOM_DIGIT,
                                          KEYS_TOP_DIGIT, KEYS_ORGAN_PIPE};
    for (uint32_t form = 0; form < COUNT_OF(forms); form++) {
        for (uint32_t i = form % 2; i < COUNT_OF(shapes); i += 2) {
            uint64_t count = 4 * window_of(&forms[form]) + 100 * i + 1;
            sort_form(r, context, form, count, shapes[i], COUNT_HOST, 0);
        }
    }
    ordo_context_release(context);
}

/* A sort by no bits copies, or makes indices, of any width, in windows too. */
static void test_copies(void **state) {
    rig *r = *state;
    ordo_context *context = open_small(r);
    static const ordo_sort_desc descs[] = {
        {.skip_low_bits = 32},
        {.skip_low_bits = 32, .value_bytes = 20},
        {.key = ORDO_F64, .skip_high_bits = 64, .value_bytes = 4},
        {.skip_low_bits = 32, .argsort = true},
    };
    for (uint32_t i = 0; i < COUNT_OF(descs); i++) {
        for (uint32_t edge = 0; edge < 3; edge++) {
            sort_case c = {.desc = descs[i], .context = context};
            c.desc.max_count = 3 * WINDOW - 1 + edge;
            assert_true(count_windows(context, &c.desc) >= 3);
            sort_check(r, c);
            c.count_use = COUNT_GIVEN;
            c.gpu_count = WINDOW + edge;
            sort_check(r, c);
        }
    }
    ordo_context_release(context);
}

/* Grids of two rows have more workgroups than a window has tiles. */
static void test_grids_of_rows(void **state) {
    rig *r = *state;
    const ordo_caps caps = {.max_binding_bytes = 4 * 17 * TILE,
                            .max_groups = 16,
                            .software = ordo_context_caps(r->context)->software,
                            .tuning = SHAPES};
    ordo_context *context = rig_context(r, &caps);
    for (uint32_t form = 0; form < 3; form++) {
        ordo_sort_desc desc = forms[form];
        desc.method = ORDO_METHOD_RADIX;
        desc.max_count = 2 * 17 * TILE + 5000;
        assert_int_equal(count_windows(context, &desc), 3);
        sort_form(r, context, form, desc.max_count, KEYS_RANDOM, COUNT_HOST, 0);
    }
    ordo_context_release(context);
}

/* Loops are written out, as they are of so many elements on a GPU. */
static void test_loops_written_out(void **state) {
    rig *r = *state;
    ordo_context *context = open_context(r, SHAPES " unrolled_count=0", BINDING_BYTES);
    for (uint32_t form = 0; form < 4; form += 2) {
        sort_form(r, context, form, 5 * WINDOW + 77, KEYS_RANDOM, COUNT_HOST, 0);
        sort_form(r, context, form, 5 * WINDOW + 77, KEYS_FEW, COUNT_GIVEN, 3 * WINDOW + 5);
    }
    ordo_context_release(context);
}

/* Left to choose, ordo takes windows where nothing else fits, of its own shapes. */
static void test_auto_takes_windows(void **state) {
    rig *r = *state;
    ordo_context *context = open_context(r, NULL, 65536);
    sort_case c = {.desc = {.max_count = 16384}, .context = context};
    assert_int_equal(count_windows(context, &c.desc), 0);
    c.desc.max_count = 60000;
    assert_int_equal(count_windows(context, &c.desc), 5);
    sort_check(r, c);
    ordo_context_release(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_counts_at_the_edges_of_windows),
        rig_test(test_counts_on_the_gpu),
        rig_test(test_shapes),
        rig_test(test_copies),
        rig_test(test_grids_of_rows),
        rig_test(test_loops_written_out),
        rig_test(test_auto_takes_windows),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
