/* SPDX-License-Identifier: MIT */
/*
 * test_plan_tuning.c: a tuning of the caller's, without a GPU: what it may set, how it is refused,
 * and that all promises of plans hold with it. test_plan_msd.c holds its lists against the most
 * that may be in them; test_gpu_tuning.c runs some.
 */
#include "kernels.h"
#include "model.h"
#include "plan_expect.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048 };

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* Problems of every kernel that a tuning shapes. */
static const plan_problem problems[] = {
    {.sort = {.max_count = 3000017}},
    {.sort = {.max_count = 300000, .method = ORDO_METHOD_RADIX}},
    {.sort = {.max_count = 300000, .key = ORDO_F64, .value_bytes = 8, .method = ORDO_METHOD_RADIX}},
    {.sort = {.max_count = 300000, .digit_bits = 4}},
    {.sort = {.max_count = 300000, .method = ORDO_METHOD_MSD}},
    {.sort = {.max_count = 3000000, .key = ORDO_U64, .method = ORDO_METHOD_MSD}},
    {.sort = {.max_count = 5000000, .method = ORDO_METHOD_MSD}},
    {.sort = {.max_count = 300000, .argsort = true, .method = ORDO_METHOD_MSD}},
    {.sort = {.max_count = 3000000, .key = ORDO_I64, .value_bytes = 8, .method = ORDO_METHOD_MSD}},
    {.sort = {.max_count = 1000, .value_bytes = 4, .method = ORDO_METHOD_MSD}},
    {.sort = {.max_count = 100000, .method = ORDO_METHOD_BITONIC}},
    {.sort = {.max_count = 100000, .value_bytes = 4, .method = ORDO_METHOD_ODDEVEN}},
    {.primitive = PLAN_SCAN, .scan = {.max_count = 10000000}},
    {.primitive = PLAN_SCAN, .caps = {.forward_progress = true}, .scan = {.max_count = 10000001}},
    {.primitive = PLAN_HISTOGRAM, .histogram = {.max_count = 1000000, .bin_count = 100}},
    {.primitive = PLAN_COUNTING_SORT, .counting = {.max_count = 100000, .bucket_count = 1000}},
    {.primitive = PLAN_GRID, .grid = {.max_count = 100000}},
    {.primitive = PLAN_TOP_K, .top_k = {.max_count = 1000000, .k = 2000}},
};

/* ---- The text -------------------------------------------------------------------------------- */

/* What a text sets a name to. */
static uint32_t number_of(const char *text, const char *name) {
    const ordo_caps caps = {.tuning = text};
    return plan_told(&caps, name, 77777);
}

static void test_the_text_is_a_tuning(void **state) {
    (void)state;
    char all[TEXT_BYTES], again[TEXT_BYTES], cut[20];
    uint32_t bytes = ordo_tuning_text(NULL, all, sizeof all);
    assert_true(bytes < sizeof all);
    assert_int_equal(bytes, strlen(all) + 1);
    assert_int_equal(number_of(all, "radix_items"), 12);
    assert_int_equal(number_of(all, "msd_rounds"), 6);
    /* It is cut where there is no room, and ends. */
    memset(cut, '#', sizeof cut);
    assert_int_equal(ordo_tuning_text(NULL, cut, 11), bytes);
    assert_memory_equal(cut, all, 10);
    assert_int_equal(cut[10], '\0');
    assert_int_equal(cut[11], '#');
    assert_int_equal(ordo_tuning_text(NULL, NULL, 0), bytes);
    /* Given back it changes nothing, but on a device of another row what that row has. */
    const ordo_caps told = {.tuning = all}, large = {.max_workgroup_bytes = 65536};
    assert_int_equal(ordo_tuning_text(&told, again, sizeof again), bytes);
    assert_string_equal(again, all);
    ordo_tuning_text(&large, again, sizeof again);
    assert_int_equal(number_of(again, "msd_rounds"), 3);
    /* The last of two settings counts, whatever is between them. */
    const ordo_caps twice = {.tuning = " \tradix_items=5,, radix_items=7\n"};
    ordo_tuning_text(&twice, again, sizeof again);
    assert_int_equal(number_of(again, "radix_items"), 7);
    /* A wrong one has no text. */
    const ordo_caps wrong = {.tuning = "radix_items=1"};
    assert_int_equal(ordo_tuning_text(&wrong, again, sizeof again), 1);
    assert_string_equal(again, "");
}

/* The table's own shapes, told, give the table's plans, on devices of every row. */
static void test_the_table_told(void **state) {
    (void)state;
    static ordo_step own[400], told[400];
    for (size_t i = 0; i < COUNT_OF(problems); i++) {
        for (uint32_t row = 0; row < 3; row++) {
            char all[TEXT_BYTES];
            ordo_summary first, second;
            plan_problem problem = problems[i];
            problem.caps.max_workgroup_bytes = row == 1 ? 32768 : 0;
            problem.caps.software = row == 2;
            if (problem.primitive == PLAN_SORT && !problem.sort.method && !problem.sort.digit_bits)
                problem.sort.method = ORDO_METHOD_MSD; /* AUTO differs in scratch */
            memset(own, 0, sizeof own);
            memset(told, 0, sizeof told);
            assert_int_equal(plan_steps(&problem, own, 400, &first), ORDO_OK);
            ordo_tuning_text(&problem.caps, all, sizeof all);
            problem.caps.tuning = all;
            assert_int_equal(plan_steps(&problem, told, 400, &second), ORDO_OK);
            assert_int_equal(first.step_count, second.step_count);
            assert_memory_equal(own, told, first.step_count * sizeof *own);
        }
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void test_messages(void **state) {
    (void)state;
    static const struct {
        const char *tuning;
        ordo_message_id id;
        ordo_report report;
    } rows[] = {
        {"msd_itmes=24", ORDO_MESSAGE_TUNING_WORD, {.s = "msd_itmes=24"}},
        {"radix_items=12 msd_items", ORDO_MESSAGE_TUNING_WORD, {.s = "msd_items"}},
        {"msd_items=", ORDO_MESSAGE_TUNING_WORD, {.s = "msd_items="}},
        {"msd_items=2x", ORDO_MESSAGE_TUNING_WORD, {.s = "msd_items=2x"}},
        {"msd_items=-2", ORDO_MESSAGE_TUNING_WORD, {.s = "msd_items=-2"}},
        {"group_size=512", ORDO_MESSAGE_TUNING_WORD, {.s = "group_size=512"}},
        {"radix_items=1", ORDO_MESSAGE_TUNING_RANGE, {.s = "radix_items", .a = 1, .b = 2, .c = 32}},
        {"msd_small_count=99999999999999999999999",
         ORDO_MESSAGE_TUNING_RANGE,
         {.s = "msd_small_count", .a = 4294967296, .b = 0, .c = 1 << 24}},
        {"msd_digit_bits=9",
         ORDO_MESSAGE_TUNING_RANGE,
         {.s = "msd_digit_bits", .a = 9, .b = 5, .c = 8}},
        {"scan_items=10", ORDO_MESSAGE_TUNING_MULTIPLE, {.s = "scan_items", .a = 10, .b = 4}},
        {"network_items=12", ORDO_MESSAGE_TUNING_POWER, {.s = "network_items", .a = 12}},
        {"histogram_copies=6", ORDO_MESSAGE_TUNING_POWER, {.s = "histogram_copies", .a = 6}},
        /* What fields need of each other. */
        {"msd_items=24 msd_rounds=5",
         ORDO_MESSAGE_TUNING_FIT,
         {.s = "msd_items", .t = "twice msd_rounds", .a = 24, .b = 10}},
        {"msd_digit_bits=7 msd_stable_group=128 msd_stable_items=6 msd_stable_rounds=1",
         ORDO_MESSAGE_TUNING_FIT,
         {.s = "half of msd_stable_group * msd_stable_items",
          .t = "msd_group",
          .a = 384,
          .b = 256}},
        {"msd_group=128",
         ORDO_MESSAGE_TUNING_RANGE,
         {.s = "msd_group", .a = 128, .b = 256, .c = 256}},
        {"msd_stable_group=320",
         ORDO_MESSAGE_TUNING_RANGE,
         {.s = "msd_stable_group", .a = 320, .b = 256, .c = 256}},
        {"msd_local_group=512",
         ORDO_MESSAGE_TUNING_RANGE,
         {.s = "msd_local_group", .a = 512, .b = 128, .c = 256}},
        /* And of the device. */
        {"radix_items=14", ORDO_MESSAGE_TUNING_BYTES, {.s = "radix_items", .a = 16656, .b = 16384}},
        {"split_items=16", ORDO_MESSAGE_TUNING_BYTES, {.s = "split_items", .a = 17728, .b = 16384}},
        {"msd_rounds=2", ORDO_MESSAGE_TUNING_BYTES, {.s = "msd_items", .a = 26800, .b = 16384}},
        {"msd_medium_rounds=2",
         ORDO_MESSAGE_TUNING_BYTES,
         {.s = "msd_medium_items", .a = 18608, .b = 16384}},
        {"msd_medium_items=6 msd_medium_rounds=2",
         ORDO_MESSAGE_TUNING_FIT,
         {.s = "msd_medium_items", .t = "twice msd_medium_rounds", .a = 6, .b = 4}},
        {"radix_scan_items=16",
         ORDO_MESSAGE_TUNING_BYTES,
         {.s = "radix_scan_items", .a = 19296, .b = 16384}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t p = 0; p < COUNT_OF(problems); p++) {
            plan_problem problem = problems[p];
            problem.caps.tuning = rows[i].tuning;
            expect_refusal(&problem, rows[i].id, rows[i].report);
        }
    }
}

/* Ranks have 16 bits, however large the device. */
static void test_large_tiles(void **state) {
    (void)state;
    for (size_t p = 0; p < COUNT_OF(problems); p++) {
        plan_problem problem = problems[p];
        problem.caps.max_workgroup_bytes = 65536;
        problem.caps.max_invocations = 1024;
        problem.caps.tuning = "msd_group=1024 msd_stable_group=1024 msd_small_items=4 "
                              "msd_stable_items=8 msd_items=64 msd_rounds=16";
        expect_refusal(&problem, ORDO_MESSAGE_TUNING_RANGE,
                       (ordo_report){.s = "msd_items", .a = 64, .b = 2, .c = 63});
    }
}

/* A device with more takes what another one refuses. */
static void test_a_larger_device_takes_more(void **state) {
    (void)state;
    static const char *const texts[] = {
        "radix_items=14",
        "msd_rounds=2",
        "msd_local_group=480",
        "split_items=16",
        "radix_scan_items=16",
        "msd_group=512 msd_items=24 msd_rounds=3",
        "msd_group=1024 msd_stable_group=1024 msd_small_items=4 msd_medium_items=8 "
        "msd_items=16 msd_rounds=4"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        for (size_t p = 0; p < COUNT_OF(problems); p++) {
            plan_problem problem = problems[p];
            problem.caps.tuning = texts[i];
            problem.caps.max_workgroup_bytes = 65536;
            problem.caps.max_invocations = 1024;
            expect_plan(&problem);
        }
    }
}

/* ---- Promises -------------------------------------------------------------------------------- */

/* Every name at the ends of its range: where that is refused it is for the device's sake. */
static void test_every_setting_at_its_ends(void **state) {
    (void)state;
    char all[TEXT_BYTES];
    uint32_t names = 0;
    ordo_tuning_text(NULL, all, sizeof all);
    for (char *word = strtok(all, " "); word; word = strtok(NULL, " "), names++) {
        static const uint64_t numbers[] = {0,  1,  2,   4,   5,    8,     12,      16,
                                           32, 64, 128, 256, 1024, 65535, 1 << 24, UINT32_MAX};
        uint32_t accepted = 0;
        *strchr(word, '=') = '\0';
        for (size_t i = 0; i < COUNT_OF(numbers); i++) {
            char text[80];
            snprintf(text, sizeof text, "%s=%llu", word, (unsigned long long)numbers[i]);
            const ordo_caps told = {
                .tuning = text, .max_workgroup_bytes = 65536, .max_invocations = 1024};
            bool allowed = ordo_tuning_text(&told, NULL, 0) > 1;
            for (size_t p = 0; p < COUNT_OF(problems); p++) {
                plan_problem problem = problems[p];
                problem.caps.tuning = text;
                problem.caps.max_workgroup_bytes = 65536;
                problem.caps.max_invocations = 1024;
                const char *wrong = plan_check(&problem, NULL);
                if (wrong)
                    fail_msg("%s: %s", plan_describe(&problem), wrong);
                ordo_summary summary;
                bool planned = plan_steps(&problem, NULL, 0, &summary) == ORDO_OK;
                if (planned != allowed)
                    fail_msg("%s: %s", plan_describe(&problem), summary.message);
            }
            accepted += allowed;
        }
        if (accepted == 0)
            fail_msg("no number is right for %s", word);
    }
    assert_true(names > 20);
}

/* As test_plan.c's, but all with a tuning. */
static void test_random_problems(void **state) {
    (void)state;
    uint64_t random = 7;
    uint32_t accepted = 0, refused = 0;
    while (accepted < 15000) {
        uint8_t bytes[128];
        ordo_status status;
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (uint8_t)(model_random(&random) >> 32);
        plan_problem problem = plan_problem_read(bytes, sizeof bytes);
        if (!problem.caps.tuning || problem.no_caps)
            continue;
        const char *wrong = plan_check(&problem, &status);
        if (wrong)
            fail_msg("%s: %s", plan_describe(&problem), wrong);
        *(status == ORDO_OK ? &accepted : &refused) += 1;
    }
    assert_true(refused > 1000);
}

/* ---- Workgroup memory ------------------------------------------------------------------------ */

/* What a number or a name of the step's WGSL stands for: one of its constants, or what the text
   says, which may be a sum or a product of two. */
static uint64_t value_of(const ordo_step *step, const char *text, const char *name) {
    char line[2][80], words[2][40], sign;
    uint64_t constant = step_constant(step, name);
    snprintf(line[0], sizeof line[0], "override %s: u32 = ", name);
    snprintf(line[1], sizeof line[1], "const %s: u32 = ", name);
    for (int i = 0; i < 2 && !constant; i++) {
        const char *at = strstr(text, line[i]);
        int found = at ? sscanf(at + strlen(line[i]), "%39[A-Z_0-9a-z] %c %39[A-Z_0-9a-z];",
                                words[0], &sign, words[1])
                       : 0;
        if (found < 1)
            continue;
        constant = value_of(step, text, words[0]);
        if (found == 3 && sign == '*')
            constant *= value_of(step, text, words[1]);
        else if (found == 3)
            constant += value_of(step, text, words[1]);
    }
    return constant ? constant : strtoul(name, NULL, 10);
}

/* Words of a type of the text. A struct has no members but u32. */
static uint64_t words_of(const char *text, const char *type) {
    char head[80];
    if (strcmp(type, "u32") == 0 || strcmp(type, "atomic<u32>") == 0)
        return 1;
    if (strncmp(type, "vec", 3) == 0)
        return (uint64_t)(type[3] - '0');
    snprintf(head, sizeof head, "struct %s {", type);
    const char *at = strstr(text, head), *end = at ? strchr(at, '}') : NULL;
    if (!at)
        fail_msg("no type %s", type);
    uint64_t words = 0;
    for (at = strstr(at, ": u32"); at && at < end; at = strstr(at + 1, ": u32"))
        words++;
    return words;
}

/* A function of the text: from its name on to its end. */
typedef struct function {
    const char *name, *end;
    size_t length;
    bool reached;
} function;

enum { MOST_FUNCTIONS = 200 };

/* Whether the function has the name, as a word. */
static bool has_word(const function *f, const char *name, size_t length) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    for (const char *at = strchr(f->name, *name); at && at < f->end; at = strchr(at + 1, *name)) {
        if (strncmp(at, name, length) == 0 && !strchr(letters, at[-1]) &&
            !strchr(letters, at[length]))
            return true;
    }
    return false;
}

static void reach(function *functions, uint32_t count, function *from) {
    from->reached = true;
    for (uint32_t i = 0; i < count; i++) {
        function *to = &functions[i];
        if (!to->reached && has_word(from, to->name, to->length))
            reach(functions, count, to);
    }
}

/* The functions, of which are reached what the entry calls. Returns how many. */
static uint32_t find_functions(const char *text, const char *entry, function *functions) {
    uint32_t count = 0;
    for (const char *at = strstr(text, "\nfn "); at; at = strstr(at + 1, "\nfn ")) {
        assert_true(count < MOST_FUNCTIONS);
        functions[count++] =
            (function){.name = at + 4, .end = strstr(at, "\n}\n"), .length = strcspn(at + 4, "(")};
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strlen(entry) == functions[i].length &&
            strncmp(functions[i].name, entry, functions[i].length) == 0)
            reach(functions, count, &functions[i]);
    }
    return count;
}

/* Bytes of all that the step's entry reaches there, each in whole 16. */
static uint64_t workgroup_bytes(const ordo_step *step) {
    static const char head[] = "\nvar<workgroup> ";
    static function functions[MOST_FUNCTIONS];
    size_t length = ordo_compose(step, false, NULL);
    char *text = malloc(length + 1);
    assert_non_null(text);
    ordo_compose(step, false, text);
    uint32_t count = find_functions(text, step->entry, functions);
    uint64_t bytes = 0;
    for (const char *at = strstr(text, head); at; at = strstr(at + 1, head)) {
        char type[40], size[40] = "1";
        const char *name = at + strlen(head), *after = strchr(name, ':') + 2;
        bool reached = false;
        for (uint32_t i = 0; i < count && !reached; i++)
            reached =
                functions[i].reached && has_word(&functions[i], name, (size_t)(after - 2 - name));
        if (sscanf(after, "array<%39[^,], %39[A-Z_0-9a-z]>;", type, size) != 2 &&
            sscanf(after, "%39[^;]", type) != 1)
            fail_msg("%.60s", at);
        if (reached)
            bytes += (4 * words_of(text, type) * value_of(step, text, size) + 15) / 16 * 16;
    }
    free(text);
    return bytes;
}

/* What a plan makes of workgroup memory fits the device, by the kernels' text. Returns the greatest
   part of it that a step takes, in percent; of what is refused 0. */
static uint64_t memory_percent(const plan_problem *problem) {
    static ordo_step steps[400];
    ordo_summary summary;
    uint64_t limit = plan_effective_caps(problem).max_workgroup_bytes, most = 0;
    if (plan_steps(problem, steps, COUNT_OF(steps), &summary) != ORDO_OK)
        return 0;
    for (uint32_t i = 0; i < summary.step_count; i++) {
        uint64_t used = workgroup_bytes(&steps[i]);
        most = used * 100 / limit > most ? used * 100 / limit : most;
        if (used > limit)
            fail_msg("%s: %s takes %llu bytes", plan_describe(problem), steps[i].entry,
                     (unsigned long long)used);
    }
    return most;
}

/* With the table's shapes, and with tunings that are taken. */
static void test_workgroup_memory(void **state) {
    (void)state;
    static const uint32_t limits[] = {0, 20480, 32768, 49152, 65536}, groups[] = {0, 1024};
    uint64_t random = 3, most = 0;
    for (size_t i = 0; i < COUNT_OF(problems) * COUNT_OF(limits); i++) {
        plan_problem problem = problems[i % COUNT_OF(problems)];
        problem.caps.max_workgroup_bytes = limits[i / COUNT_OF(problems)];
        assert_true(memory_percent(&problem) > 0);
    }
    for (uint32_t taken = 0; taken < 400;) {
        uint8_t bytes[128];
        for (size_t j = 0; j < sizeof bytes; j++)
            bytes[j] = (uint8_t)(model_random(&random) >> 32);
        plan_problem problem = problems[taken % COUNT_OF(problems)];
        problem.caps.tuning = plan_problem_read(bytes, sizeof bytes).caps.tuning;
        problem.caps.max_workgroup_bytes = limits[bytes[126] % COUNT_OF(limits)];
        problem.caps.max_invocations = groups[bytes[127] % 2];
        uint64_t percent = problem.caps.tuning ? memory_percent(&problem) : 0;
        most = percent > most ? percent : most;
        taken += percent > 0;
    }
    assert_true(most > 95); /* it is counted closely */
}

/* ---- Scratch --------------------------------------------------------------------------------- */

/* Shapes that turn the order of methods about. */
static const char *const turning[] = {
    "",
    "radix_items=2 radix_subtiles=1",
    "unrolled_count=4194304",
    "msd_small_count=1281 msd_digit_bits=5",
    "network_items=4 network_fused=1",
    "msd_local_group=128 msd_small_items=2 msd_late_groups=65535",
    "radix_items=13 radix_subtiles=16 unrolled_count=0 msd_small_count=16777216",
    "carried_value_bytes=0 msd_digit_bits=6 msd_items=16 msd_rounds=1 msd_medium_items=2 "
    "msd_medium_rounds=1 msd_medium_count=6000000",
};

/* Scratch never falls, and no count is refused below one that is planned, also where a method that
   is preferred does not fit. */
static void test_scratch_is_monotone(void **state) {
    (void)state;
    static const ordo_sort_desc descs[] = {{.key = ORDO_U32},
                                           {.key = ORDO_F32, .value_bytes = 4},
                                           {.key = ORDO_U64, .argsort = true},
                                           {.key = ORDO_U64, .value_bytes = 16, .in_place = true}};
    static const uint64_t buffers[] = {0, 1 << 20, 3000000, 50000000};
    uint32_t fell_back = 0, methods = 0;
    for (size_t i = 0; i < COUNT_OF(turning) * COUNT_OF(descs) * COUNT_OF(buffers); i++) {
        const ordo_caps caps = {.tuning = turning[i % COUNT_OF(turning)],
                                .max_buffer_bytes = buffers[i / 32]};
        ordo_sort_desc desc = descs[i / COUNT_OF(turning) % 4];
        uint64_t before = 0, step = 1;
        bool refused = false;
        for (uint64_t count = 1; count < 20000000; count += step) {
            ordo_summary summary;
            desc.max_count = count;
            bool planned = ordo_sort_steps(&caps, &desc, NULL, 0, &summary) == ORDO_OK;
            if (planned && (refused || summary.scratch_bytes < before))
                fail_msg("%s, desc %zu, buffers of %llu: %llu elements take %llu bytes after %llu",
                         caps.tuning, i / COUNT_OF(turning) % 4,
                         (unsigned long long)caps.max_buffer_bytes, (unsigned long long)count,
                         (unsigned long long)summary.scratch_bytes, (unsigned long long)before);
            refused |= !planned;
            fell_back += planned && caps.max_buffer_bytes &&
                         caps.max_buffer_bytes - summary.scratch_bytes < 256;
            methods |= planned ? 1u << summary.method : 0;
            before = planned ? summary.scratch_bytes : before;
            step = 1 + count / 300 + (count % 5);
        }
    }
    assert_true(fell_back > 100);
    assert_int_equal(methods & 1u << ORDO_METHOD_RADIX, 1u << ORDO_METHOD_RADIX);
    assert_int_equal(methods & 1u << ORDO_METHOD_MSD, 1u << ORDO_METHOD_MSD);
    assert_int_equal(methods & 1u << ORDO_METHOD_BITONIC, 1u << ORDO_METHOD_BITONIC);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_text_is_a_tuning),
        cmocka_unit_test(test_the_table_told),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_large_tiles),
        cmocka_unit_test(test_a_larger_device_takes_more),
        cmocka_unit_test(test_every_setting_at_its_ends),
        cmocka_unit_test(test_random_problems),
        cmocka_unit_test(test_workgroup_memory),
        cmocka_unit_test(test_scratch_is_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
