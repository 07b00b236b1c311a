/* SPDX-License-Identifier: MIT */
/*
 * test_plan_kernels.c: the WGSL that steps become, without a GPU: what is put together, and how
 * loops are written out.
 */
#include "kernels.h"
#include "plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_STEPS = 100, SORT_FORMS = 8, MSD_FORM = 17, WINDOWS_FORM = 20, FORMS };
static const char loop_head[] = "for (var i = 0u; i < ITEMS; i++) {\n";
static const char half_head[] = "for (var i = 0u; i < ITEMS / 2u; i++) {\n";

/* The steps of a sort: of keys, of pairs, an argsort, or the classic form; then of networks: of
   keys, of composite keys, packed, or odd-even. */
static ordo_status plan_sort(uint32_t form, uint64_t max_count, const ordo_caps *caps,
                             ordo_step *steps, ordo_summary *summary) {
    ordo_sort_desc desc = {.max_count = max_count,
                           .key = form == 1 ? ORDO_F64 : ORDO_U32,
                           .value_bytes = form == 1 ? 8 : 0,
                           .argsort = form == 2,
                           .method = ORDO_METHOD_RADIX,
                           .digit_bits = form == 3 ? 4 : 0};
    if (form >= 4) {
        desc.method = form == 7 ? ORDO_METHOD_ODDEVEN : ORDO_METHOD_BITONIC;
        desc.part_count = form == 5 ? 4 : 0;
        desc.argsort = form == 5 || form == 6;
        desc.skip_high_bits = form == 6 ? 20 : 0;
    }
    return ordo_sort_steps(caps, &desc, steps, MAX_STEPS, summary);
}

/* The steps of a sort from the most significant digit down: of keys, of pairs, an argsort. */
static ordo_status plan_msd(uint32_t form, uint64_t max_count, const ordo_caps *caps,
                            ordo_step *steps, ordo_summary *summary) {
    ordo_sort_desc desc = {.max_count = max_count,
                           .key = form == MSD_FORM + 1 ? ORDO_F64 : ORDO_U32,
                           .value_bytes = form == MSD_FORM + 1 ? 8 : 0,
                           .argsort = form == MSD_FORM + 2,
                           .method = ORDO_METHOD_MSD};
    return ordo_sort_steps(caps, &desc, steps, MAX_STEPS, summary);
}

/* The steps of a sort, or of a histogram of either kind of table and of windows, a counting sort by
   depth, a grid, a top-k of few or many, a scan that looks back or not, a sort from the top, or of
   keys in windows if there are many. */
static uint32_t plan(uint32_t form, uint64_t max_count, const ordo_caps *given, ordo_step *steps) {
    ordo_caps caps = *given;
    ordo_summary summary;
    ordo_status status;
    caps.forward_progress = form == 16;
    if (form == WINDOWS_FORM) {
        caps.max_binding_bytes = 2 << 20;
        status = plan_sort(0, max_count, &caps, steps, &summary);
        assert_int_equal(summary.window_count > 0, max_count >= 1 << 20);
    } else if (form < SORT_FORMS) {
        status = plan_sort(form, max_count, &caps, steps, &summary);
    } else if (form >= MSD_FORM) {
        status = plan_msd(form, max_count, &caps, steps, &summary);
    } else if (form < 11) {
        ordo_histogram_desc desc = {.max_count = max_count,
                                    .type = ORDO_F32,
                                    .bins = (ordo_bins)(form - SORT_FORMS),
                                    .skip_low_bits = form == 9 ? 20 : 0};
        status = ordo_histogram_steps(&caps, &desc, steps, MAX_STEPS, &summary);
    } else if (form == 11) {
        ordo_counting_sort_desc desc = {.max_count = max_count,
                                        .bucket_count = 1000,
                                        .argsort = true,
                                        .depth = {.farthest = 1}};
        status = ordo_counting_sort_steps(&caps, &desc, steps, MAX_STEPS, &summary);
    } else if (form == 12) {
        ordo_grid_desc desc = {.max_count = max_count, .points_out = true};
        status = ordo_grid_steps(&caps, &desc, steps, MAX_STEPS, &summary);
    } else if (form < 15) {
        ordo_top_k_desc desc = {
            .max_count = max_count, .key = ORDO_F64, .k = form == 13 ? 100 : 700};
        status = ordo_top_k_steps(&caps, &desc, steps, MAX_STEPS, &summary);
    } else {
        ordo_scan_desc desc = {.max_count = max_count, .op = ORDO_MIN};
        status = ordo_scan_steps(&caps, &desc, steps, MAX_STEPS, &summary);
    }
    assert_int_equal(status, ORDO_OK);
    return summary.step_count;
}

/* The text, in memory to be freed; its length is the one that measuring gives. */
static char *compose(const ordo_step *step, bool enables) {
    size_t length = ordo_compose(step, enables, NULL);
    char *text = malloc(length + 2);
    assert_non_null(text);
    memset(text, '#', length + 2);
    assert_int_equal(ordo_compose(step, enables, text), length);
    assert_int_equal(strlen(text), length);
    assert_int_equal(text[length + 1], '#');
    return text;
}

static uint32_t occurrences(const char *text, const char *part) {
    uint32_t count = 0;
    for (text = strstr(text, part); text; text = strstr(text + 1, part))
        count++;
    return count;
}

static void check_braces(const char *text) {
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '{') - (*text == '}');
        assert_true(depth >= 0);
    }
    assert_int_equal(depth, 0);
}

/* Checks that a loop is written out from `text` on: each copy is the body, with its number in
   front. Returns what follows. */
static const char *check_copies(const char *text, const char *body, size_t length, uint32_t items) {
    for (uint32_t i = 0; i < items; i++) {
        char head[32];
        snprintf(head, sizeof head, "{ const i = %uu;\n", (unsigned)i);
        assert_memory_equal(text, head, strlen(head));
        assert_memory_equal(text + strlen(head), body, length);
        text += strlen(head) + length;
    }
    return text;
}

/* Every marked loop of an unrolled step is written out, and nothing else changes. */
static void check_unrolled(const ordo_step *step) {
    ordo_step plain = *step;
    plain.unrolled = false;
    char *rolled = compose(&plain, false), *text = compose(step, false);
    uint32_t marks = occurrences(rolled, "//@unroll"), halves = occurrences(rolled, half_head);
    assert_true(marks > 0);
    uint32_t loops = occurrences(rolled, loop_head) + halves; /* some are not marked */
    assert_true(loops >= marks);
    assert_int_equal(occurrences(rolled, "const i = "), 0);
    assert_int_equal(occurrences(text, "for (var i = 0u; i < ITEMS"), loops - marks);
    assert_int_equal(occurrences(text, "{ const i = "),
                     (marks - halves) * step->items + halves * (step->items / 2));
    check_braces(text);
    const char *at = text, *from = rolled;
    for (uint32_t mark = 0; mark < marks; mark++) {
        const char *margin = strstr(from, "//@unroll\n") + strlen("//@unroll\n");
        const char *loop = margin + strspn(margin, " ");
        bool half = strncmp(loop, half_head, strlen(half_head)) == 0;
        const char *body = loop + strlen(half ? half_head : loop_head);
        char close[40];
        snprintf(close, sizeof close, "\n%.*s}\n", (int)(loop - margin), margin);
        const char *end = strstr(body, close) + strlen(close);
        assert_memory_equal(at, from, (size_t)(margin - from));
        at = check_copies(at + (margin - from), body, (size_t)(end - body),
                          half ? step->items / 2 : step->items);
        from = end;
    }
    assert_string_equal(at, from);
    free(rolled);
    free(text);
}

/* Kernels that are written out always, and from a max_count on. */
static bool always_unrolled(const ordo_step *step) {
    return strcmp(step->kernel, "bitonic") == 0 || strncmp(step->kernel, "topk_", 5) == 0 ||
           strcmp(step->entry, "grid_cells") == 0;
}

static bool is_msd(const ordo_step *step) { return strncmp(step->kernel, "msd_", 4) == 0; }

static bool unrolled_from_a_count_on(const ordo_step *step) {
    return (is_msd(step) && strcmp(step->kernel, "msd_begin") != 0) ||
           strcmp(step->kernel, "radix_scatter") == 0 ||
           strcmp(step->kernel, "radix_histogram") == 0 || strcmp(step->kernel, "histogram") == 0 ||
           strncmp(step->kernel, "scan", 4) == 0;
}

/* Plans the form and checks which steps are unrolled, and how; returns how many are. */
static uint32_t check_form(uint32_t form, uint64_t max_count, const ordo_caps *caps) {
    static ordo_step steps[MAX_STEPS];
    const ordo_tuning *tuning = ordo_tune(caps);
    uint32_t unrolled = 0, count = plan(form, max_count, caps, steps);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t border = is_msd(&steps[i]) ? tuning->msd_unrolled_count : tuning->unrolled_count;
        bool wanted = always_unrolled(&steps[i]) ||
                      (max_count >= border && unrolled_from_a_count_on(&steps[i]));
        if (steps[i].unrolled != wanted)
            fail_msg("%s of %u elements", steps[i].entry, (unsigned)max_count);
        unrolled += wanted;
        if (wanted)
            check_unrolled(&steps[i]);
    }
    return unrolled;
}

/* From a count on, of sorts from the top digit down another one; on a CPU never. */
static void test_loops_are_written_out(void **state) {
    (void)state;
    const ordo_caps gpu = {.max_workgroup_bytes = 16384, .max_invocations = 256};
    ordo_caps cpu = gpu;
    uint64_t border = ordo_tune(&gpu)->unrolled_count;
    uint32_t large = 0, small = 0, always = 0;
    cpu.software = true;
    for (uint32_t form = 0; form < FORMS; form++) {
        large += check_form(form, border, &gpu);
        small += check_form(form, border - 1, &gpu);
        always += check_form(form, border, &cpu);
    }
    assert_true(always > 10 && small > always && large > small + 16);
}

/* Lanes are those of the step, and the directive is there where it is asked for and needed. */
static void test_lanes_and_their_directive(void **state) {
    (void)state;
    static ordo_step steps[MAX_STEPS];
    static const char directive[] = "enable subgroups;\n";
    uint32_t with = 0;
    for (uint32_t form = 0; form < FORMS; form++) {
        for (int subgroups = 0; subgroups < 2; subgroups++) {
            ordo_caps caps = {.subgroups = subgroups, .subgroup_size = 32};
            uint32_t count = plan(form, 1 << 20, &caps, steps);
            for (uint32_t i = 0; i < count; i++) {
                for (int enables = 0; enables < 2; enables++) {
                    char *text = compose(&steps[i], enables);
                    bool first = strncmp(text, directive, strlen(directive)) == 0;
                    assert_int_equal(first, enables && steps[i].subgroups);
                    assert_int_equal(occurrences(text, "enable subgroups;"), first);
                    bool uses = strstr(text, "subgroupShuffle") || strstr(text, "subgroupBallot(");
                    assert_int_equal(uses, steps[i].subgroups);
                    free(text);
                }
                with += steps[i].subgroups;
                assert_false(steps[i].subgroups && !subgroups);
            }
        }
    }
    assert_true(with > 0);
}

/* Every step of every form has its entry point, its constants, and ITEMS in the last line. */
static void test_texts_are_whole(void **state) {
    (void)state;
    static ordo_step steps[MAX_STEPS];
    static const uint64_t max_counts[] = {1000, 100000, 1 << 20};
    const ordo_caps caps = {.subgroups = true, .subgroup_size = 32};
    for (uint32_t form = 0; form < FORMS; form++) {
        for (size_t j = 0; j < sizeof max_counts / sizeof *max_counts; j++) {
            uint32_t count = plan(form, max_counts[j], &caps, steps);
            for (uint32_t i = 0; i < count; i++) {
                char *text = compose(&steps[i], true), line[80];
                check_braces(text);
                snprintf(line, sizeof line, "fn %s(", steps[i].entry);
                assert_int_equal(occurrences(text, line), 1);
                for (uint32_t k = 0; k < steps[i].constant_count; k++) {
                    snprintf(line, sizeof line, "override %s:", steps[i].constants[k].name);
                    assert_int_equal(occurrences(text, line), 1);
                }
                snprintf(line, sizeof line, "const ITEMS: u32 = %uu;\n", (unsigned)steps[i].items);
                assert_string_equal(text + strlen(text) - strlen(line), line);
                free(text);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops_are_written_out),
        cmocka_unit_test(test_lanes_and_their_directive),
        cmocka_unit_test(test_texts_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
