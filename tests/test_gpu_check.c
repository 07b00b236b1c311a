/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_check.c: the self-check on a real device, and the callback that makes shader modules: as
 * it is used by hosts with trusted modules, and here to spoil kernels that the check must find.
 */
#include "gpu_case.h"

#include <stdlib.h>
#include <string.h>

#if ORDO_HAVE_WGPU_H
#include <webgpu/wgpu.h>
#endif

#define BIT(name) (1u << ORDO_METHOD_##name)

/* A software driver that compiles kernels at their first use, on a busy machine, is not broken. */
enum { PATIENCE_MS = 600000 };

/* ---- Modules -------------------------------------------------------------------------------- */

/* What the callback does: in the kernel of that name, or of any name, it replaces a text that is
   there exactly once. */
typedef struct maker {
    const char *kernel, *from, *to; /* NULL: nothing to replace */
    bool trusted;                   /* without the checks that wgpu-native adds, if this is it */
    unsigned modules, replaced;
} maker;

static char *replace(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (!at)
        return NULL;
    char *out = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(out);
    memcpy(out, text, (size_t)(at - text));
    strcpy(out + (at - text), to);
    strcat(out, at + strlen(from));
    return out;
}

static WGPUShaderModule make_module(void *user, WGPUDevice device, const char *label,
                                    const char *wgsl) {
    maker *m = user;
    m->modules++;
    char *spoiled =
        m->kernel && strcmp(label, m->kernel) == 0 ? replace(wgsl, m->from, m->to) : NULL;
    m->replaced += spoiled != NULL;
    WGPUShaderSourceWGSL source = {.chain = {.sType = WGPUSType_ShaderSourceWGSL},
                                   .code = {spoiled ? spoiled : wgsl, WGPU_STRLEN}};
    WGPUShaderModuleDescriptor desc = {.nextInChain = &source.chain, .label = {label, WGPU_STRLEN}};
    WGPUShaderModule module = NULL;
#if ORDO_HAVE_WGPU_H
    if (m->trusted)
        module = wgpuDeviceCreateShaderModuleTrusted(device, &desc, WGPUShaderRuntimeChecks_None);
#endif
    if (!module)
        module = wgpuDeviceCreateShaderModule(device, &desc);
    free(spoiled);
    return module;
}

static ordo_context *context_with(rig *r, maker *m) {
    char message[ORDO_MESSAGE_BYTES];
    ordo_context *context;
    ordo_context_desc desc = {.instance = r->device.instance,
                              .adapter = r->device.adapter,
                              .device = r->device.device,
                              .subgroups = r->device.subgroups,
                              .caps = {.forward_progress = true}, /* so that it is tried */
                              .create_shader_module = make_module,
                              .user = m};
    if (ordo_context_create(&desc, &context, message) != ORDO_OK)
        fail_msg("no context: %s", message);
    return context;
}

/* Kernels keep to their buffers and end by themselves, so they work without an implementation's
   checks of both. Every byte around their buffers is looked at. */
static void test_trusted_modules(void **state) {
    rig *r = *state;
    maker m = {.trusted = true};
    ordo_context *context = context_with(r, &m);
    for (uint32_t method = ORDO_METHOD_RADIX; method <= ORDO_METHOD_ONESWEEP; method++) {
        sort_check(r, (sort_case){.desc = {.max_count = 20011,
                                           .key = ORDO_F32,
                                           .value_bytes = 4,
                                           .method = (ordo_method)method},
                                  .shape = KEYS_SPECIAL,
                                  .context = context});
    }
    static uint32_t items[70001];
    for (uint32_t i = 0; i < 70001; i++)
        items[i] = i * 2654435761u;
    fold_check(r, &(fold_case){.desc = {.max_count = 70001, .op = ORDO_MAX},
                               .items = items,
                               .context = context});
    assert_true(m.modules >= 5);
    ordo_context_release(context);
}

/* ---- The check ------------------------------------------------------------------------------ */

static void print_rows(const ordo_check *check) {
    for (uint32_t i = 0; i < check->row_count; i++) {
        const ordo_check_row *row = &check->rows[i];
        printf("%-8s %-16s %u cases, verdict %d, plans %.1f ms, runs %.1f ms\n", row->name,
               row->tier, row->case_count, (int)row->verdict, 1e-3 * row->plan_us,
               1e-3 * row->run_us);
    }
}

/* This adapter is sound: all passes, on every tier that it has, and nothing changes. */
static void test_all_passes(void **state) {
    rig *r = *state;
    maker m = {.trusted = true};
    ordo_context *context = context_with(r, &m);
    const ordo_caps before = *ordo_context_caps(context);
    ordo_check check;
    const ordo_status status = ordo_self_check(context, PATIENCE_MS, &check);
    print_rows(&check);
    if (status != ORDO_OK || check.failed_count)
        fail_msg("%s", check.message);
    assert_int_equal(check.rejected_methods, 0);
    assert_int_equal(check.passed_methods, BIT(RADIX) | BIT(BITONIC) | BIT(ODDEVEN) | BIT(MSD) |
                                               BIT(SAMPLE) | BIT(ONESWEEP));
    bool subgroups = false, progress = false;
    for (uint32_t i = 0; i < check.row_count; i++) {
        subgroups |= strcmp(check.rows[i].tier, "subgroups") == 0;
        progress |= strcmp(check.rows[i].tier, "forward progress") == 0;
    }
    assert_int_equal(subgroups, before.subgroups);
    assert_true(progress && before.forward_progress);
    assert_memory_equal(ordo_context_caps(context), &before, sizeof before);
    ordo_context_release(context);
}

/* A driver that compiles radix_histogram wrongly: counts of one digit are one too high. Sorts by
   radix are wrong then, and the check keeps AUTO from them. */
static void test_a_wrong_kernel(void **state) {
    rig *r = *state;
    maker m = {.kernel = "radix_histogram",
               .from = "counts[bin * tiles + tile] = atomicLoad(&bins[bin]);",
               .to = "counts[bin * tiles + tile] = atomicLoad(&bins[bin]) + u32(bin == 77u);"};
    ordo_context *context = context_with(r, &m);
    const ordo_sort_desc desc = {.max_count = 200000, .value_bytes = 4};
    ordo_plan *plan;
    ordo_check check;
    assert_int_equal(ordo_self_check(context, PATIENCE_MS, &check), ORDO_OK);
    assert_true(m.replaced > 0);
    print_rows(&check);
    assert_int_equal(check.rejected_methods, BIT(RADIX));
    assert_int_equal(check.rows[0].verdict, ORDO_WRONG);
    assert_memory_equal(check.message, "wrong results on this device by radix (portable): ", 50);
    assert_int_equal(ordo_context_caps(context)->rejected_methods, BIT(RADIX));
    assert_int_equal(ordo_sort_plan(context, &desc, &plan), ORDO_OK);
    assert_int_not_equal(ordo_plan_info(plan)->method, ORDO_METHOD_RADIX);
    ordo_plan_release(plan);
    sort_check(r, (sort_case){.desc = desc, .context = context});
    const ordo_counting_sort_desc counting = {.max_count = 5000};
    assert_int_equal(ordo_counting_sort_plan(context, &counting, &plan), ORDO_UNSUPPORTED);
    ordo_context_release(context);
}

/* Forms that only some trials run: all keys in one workgroup, keys of 64 bits, fours of words, tiles
   moved in rounds, as those of long inputs are. */
static void test_wrong_forms(void **state) {
    rig *r = *state;
    static const struct {
        const char *kernel, *from, *to, *message;
        uint32_t rejected;
    } rows[] = {
        {"msd_partition", "if (at < end) {", "if (at < end && (ROUNDS <= 2u || at != 9u)) {",
         "by msd (portable): of 300011 random u32 keys", BIT(MSD)},
        {"msd_partition", "fixed_digit(c.x, fixed)", "fixed_digit(c.x, fixed) ^ 1u",
         "by msd (portable): of 300011 even f32 keys", BIT(MSD)},
        {"msd_small", "keys_out[at * KEY_WORDS] = key.x;",
         "keys_out[at * KEY_WORDS] = key.x ^ u32(at == 7u);",
         "by msd (portable): of 1001 random u32 keys", BIT(MSD)},
        {"msd_partition", "keys_out[to * KEY_WORDS + 1u] = key.y;",
         "keys_out[to * KEY_WORDS + 1u] = key.x;", "by msd (portable): of 20011 random u64 keys",
         BIT(MSD)},
        {"scan", "quads_out[at >> 2u] = bits;", "quads_out[at >> 2u] = bits.xyzz;",
         "by scan (portable): of 70000 random u32 items, exclusive", 0},
    };
    for (size_t i = 0; i < (rig_tier() == TIER_ALL ? 1 : sizeof rows / sizeof *rows); i++) {
        maker m = {.kernel = rows[i].kernel, .from = rows[i].from, .to = rows[i].to};
        ordo_context *context = context_with(r, &m);
        ordo_check check;
        assert_int_equal(ordo_self_check(context, PATIENCE_MS, &check),
                         rows[i].rejected ? ORDO_OK : ORDO_FAILED);
        assert_true(m.replaced > 0);
        assert_int_equal(check.rejected_methods, rows[i].rejected);
        assert_int_equal(check.failed_count, 1);
        assert_non_null(strstr(check.message, rows[i].message));
        ordo_context_release(context);
    }
}

/* A driver that brings subgroups together wrongly, as some do. */
static void test_wrong_subgroups(void **state) {
    rig *r = *state;
    if (!ordo_context_caps(r->context)->subgroups)
        return; /* there are none to be wrong */
    maker m = {.kernel = "scan",
               .from = "subgroupShuffleUp(inclusive, 1u)",
               .to = "subgroupShuffleUp(inclusive, 2u)"};
    ordo_context *context = context_with(r, &m);
    assert_true(ordo_context_caps(context)->subgroups);
    ordo_check check;
    assert_int_equal(ordo_self_check(context, PATIENCE_MS, &check), ORDO_OK);
    assert_true(m.replaced > 0);
    assert_true(check.subgroups_failed);
    assert_int_equal(check.rejected_methods, 0);
    assert_int_equal(check.failed_count, 1);
    assert_false(ordo_context_caps(context)->subgroups);
    static uint32_t items[70001];
    for (uint32_t i = 0; i < 70001; i++)
        items[i] = i;
    fold_check(r, &(fold_case){.desc = {.max_count = 70001}, .items = items, .context = context});
    ordo_context_release(context);
}

/* The scan that looks back passes on half of a sum. The one that does not is right. */
static void test_wrong_forward_progress(void **state) {
    rig *r = *state;
    maker m = {.kernel = "scan_chain", .from = "kind | (value >> 16u)", .to = "kind"};
    ordo_context *context = context_with(r, &m);
    ordo_check check;
    assert_int_equal(ordo_self_check(context, PATIENCE_MS, &check), ORDO_OK);
    assert_true(m.replaced > 0);
    assert_true(check.forward_progress_failed);
    assert_false(check.subgroups_failed);
    assert_int_equal(check.rejected_methods, 0);
    assert_false(ordo_context_caps(context)->forward_progress);
    assert_int_equal(ordo_context_caps(context)->subgroups,
                     ordo_context_caps(r->context)->subgroups);
    ordo_context_release(context);
}

/* A kernel that takes long: the check does not wait for it, nor does anything else. */
static void test_a_slow_kernel(void **state) {
    rig *r = *state;
    maker m = {.kernel = "radix_histogram",
               .from = "    // 1. Clear.",
               .to = "    var slow = params.max_count;\n"
                     "    for (var i = 0u; i < 4000000u; i++) { slow = slow * 1664525u + i; }\n"
                     "    if (slow == 3u) { return; }\n"
                     "    // 1. Clear."};
    ordo_context *context = context_with(r, &m);
    ordo_check check;
    assert_int_equal(ordo_self_check(context, 20, &check), ORDO_DEVICE_LOST);
    assert_int_equal(m.replaced, 1);
    assert_int_equal(check.row_count, 1);
    assert_int_equal(check.rows[0].verdict, ORDO_STALLED);
    assert_true(check.rows[0].run_us < 1000000);
    assert_int_equal(check.rejected_methods, BIT(RADIX));
    assert_non_null(strstr(check.message, "the device did not end the self-check within 20 ms"));
    uint32_t keys[] = {2, 1};
    assert_int_equal(ordo_sort_array(context, &(ordo_sort_desc){.max_count = 2}, keys, NULL),
                     ORDO_DEVICE_LOST);
    ordo_context_release(context);
    assert_true(gpu_wait(&r->device)); /* it was slow, and no more than that */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        rig_test(test_trusted_modules), rig_test(test_all_passes),
        rig_test(test_a_wrong_kernel),  rig_test(test_wrong_forms),
        rig_test(test_wrong_subgroups), rig_test(test_wrong_forward_progress),
        rig_test(test_a_slow_kernel),
    };
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
