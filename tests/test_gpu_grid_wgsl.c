/* SPDX-License-Identifier: MIT */
/*
 * test_gpu_grid_wgsl.c: what ordo_grid_wgsl hands out for other shaders, against the model: it must
 * find a point where the grid has put it.
 */
#include "gpu_case.h"
#include "model_third.h"

static const char shader[] =
    "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n"
    "@compute @workgroup_size(1) fn run(@builtin(workgroup_id) id: vec3<u32>) {\n"
    "    let at = id.x * 9u;\n"
    "    let x = bitcast<f32>(words[at]);\n"
    "    let origin = bitcast<f32>(words[at + 1u]);\n"
    "    let scale = bitcast<f32>(words[at + 2u]);\n"
    "    words[at + 6u] = u32(ordo_grid_coordinate(x, origin, scale));\n"
    "    let cell = vec3<i32>(i32(words[at + 3u]), i32(words[at + 4u]), i32(words[at]));\n"
    "    words[at + 7u] = ordo_grid_hash(cell, words[at + 5u]);\n"
    "    words[at + 8u] = u32(ordo_grid_wrap(cell.x >> 1u, (words[at + 4u] & 1023u) + 1u));\n"
    "}\n";

static void run(rig *r, uint32_t *words, uint32_t count) {
    size_t length = ordo_grid_wgsl(NULL, 0);
    char *text = malloc(length + sizeof shader);
    assert_non_null(text);
    assert_int_equal(ordo_grid_wgsl(text, length + 1), length);
    memcpy(text + length, shader, sizeof shader);
    rig_run_shader(r, text, words, 36ull * count, count);
    free(text);
}

/* As documented: 2^30 for NaN and from 2^30 on, -2^30 from -2^30 down. */
static int32_t expected_coordinate(float x, float origin, float cell_size) {
    ordo_grid_desc desc = {.origin = {origin}, .cell_size = {cell_size}};
    float product, coordinate = model_coordinate(&desc, 0, x, &product);
    if (isnan(product) || product >= 0x1p30f)
        return 1 << 30;
    return product <= -0x1p30f ? -(1 << 30) : (int32_t)coordinate;
}

/* P2, B078, B079, B084: random and special coordinates, cells and tables. */
static void test_functions_for_other_shaders(void **state) {
    enum { COUNT = 4096 };
    static uint32_t words[9 * COUNT], before[9 * COUNT];
    static const float sizes[] = {1, 0.1f, 32, 1e-20f, 1e20f, 0.5f, 3, 1e-28f, 1e28f};
    static const float origins[] = {0, -1, 1e6f, 0.3f, -1e-30f};
    uint64_t random = 8;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t bits = model_random(&random);
        float size = sizes[i % 9], origin = origins[i % 5];
        float near = origin + size * ((float)(bits >> 40) * 0x1p-24f * 20 - 10);
        const uint32_t x = i % 4 == 0   ? (uint32_t)special_key(ORDO_F32, bits >> 9)
                           : i % 4 == 1 ? (uint32_t)(bits >> 32)
                                        : model_float_bits(near);
        const uint32_t row[9] = {x,
                                 model_float_bits(origin),
                                 model_float_bits(1 / size),
                                 (uint32_t)(bits >> 8),
                                 (uint32_t)(int32_t)(bits % 9) - 4,
                                 1u << bits % 32};
        memcpy(words + 9 * i, row, sizeof row);
    }
    memcpy(before, words, sizeof words);
    run(*state, words, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *w = before + 9 * i;
        int32_t cell[3] = {(int32_t)w[3], (int32_t)w[4], (int32_t)w[0]};
        int32_t coordinate =
            expected_coordinate(model_bits_float(w[0]), origins[i % 5], sizes[i % 9]);
        if ((int32_t)words[9 * i + 6] != coordinate)
            fail_msg("x %a, origin %a, size %a: %d, not %d", (double)model_bits_float(w[0]),
                     (double)origins[i % 5], (double)sizes[i % 9], (int32_t)words[9 * i + 6],
                     coordinate);
        assert_int_equal(words[9 * i + 7], model_hash(cell, w[5]));
        int64_t cells = (w[4] & 1023) + 1,
                half = cell[0] >= 0 ? cell[0] / 2 : -((1 - (int64_t)cell[0]) / 2);
        assert_int_equal(words[9 * i + 8], (half % cells + cells) % cells);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {rig_test(test_functions_for_other_shaders)};
    return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
