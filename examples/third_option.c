/* SPDX-License-Identifier: MIT */
/*
 * What a sort is for often takes less: counts, groups, layers to blend, neighbours in space, the
 * best few. Each is asked of the same particles here, and compared with what the CPU finds.
 * docs/third-option.md shows the functions of the first part.
 */
#include <math.h>
#include <ordo.h>
#include <ordo_advise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 20000, BINS = 10, MATERIALS = 6, LAYERS = 64, AXIS_CELLS = 4, BEST = 5 };
enum { CELLS = AXIS_CELLS * AXIS_CELLS * AXIS_CELLS };

static float energy[COUNT], depth[COUNT], position[COUNT][3];
static uint32_t material[COUNT];
static ordo_context *context;

static void stop(const char *why) {
    fprintf(stderr, "%s\n", why);
    exit(1);
}

static void need(ordo_status status) {
    if (status != ORDO_OK)
        stop(ordo_message(context));
}

/* ---- On the GPU -------------------------------------------------------------------------------*/

/* Which primitive finds the best? */
static void ask(void) {
    ordo_question question = {.need = ORDO_NEED_BEST,
                              .key = ORDO_F32,
                              .order = ORDO_DESCENDING,
                              .max_count = COUNT,
                              .k = BEST};
    ordo_advice advice;
    if (ordo_advise(ordo_context_caps(context), &question, &advice) != ORDO_OK)
        stop(advice.message);
    if (advice.fits) /* options[0].desc.top_k is ready for ordo_top_k_plan */
        printf("%s. %s\n", ordo_primitive_name(advice.options[0].primitive), advice.options[0].why);
}

/* How many particles have which energy? */
static void count_energies(uint32_t counts[BINS + ORDO_BINS_EXTRA]) {
    ordo_plan *plan;
    ordo_histogram_desc desc = {
        .max_count = COUNT, .type = ORDO_F32, .bin_count = BINS, .lo = 0, .hi = 1};
    need(ordo_histogram_plan(context, &desc, &plan));
    need(ordo_run_arrays(plan, &(ordo_arrays){.in = energy, .out = counts}));
    ordo_plan_release(plan);
}

/* Particles of material m are order[starts[m]] to order[starts[m + 1] - 1]. */
static void group_by_material(uint32_t order[COUNT], uint32_t starts[MATERIALS + 2]) {
    ordo_plan *plan;
    ordo_counting_sort_desc desc = {.max_count = COUNT, .bucket_count = MATERIALS, .argsort = true};
    ordo_arrays arrays = {.in = material, .values_out = order, .starts = starts};
    need(ordo_counting_sort_plan(context, &desc, &plan));
    need(ordo_run_arrays(plan, &arrays));
    ordo_plan_release(plan);
}

/* The farthest layer first. */
static void order_for_blending(uint32_t order[COUNT], uint32_t starts[LAYERS + 2]) {
    ordo_plan *plan;
    ordo_depth layers = {.nearest = 0.5, .farthest = 100, .logarithmic = true, .reversed = true};
    ordo_counting_sort_desc desc = {
        .max_count = COUNT, .bucket_count = LAYERS, .argsort = true, .depth = layers};
    ordo_arrays arrays = {.in = depth, .values_out = order, .starts = starts};
    need(ordo_counting_sort_plan(context, &desc, &plan));
    need(ordo_run_arrays(plan, &arrays));
    ordo_plan_release(plan);
}

/* Particles of cell c = x + 4 * (y + 4 * z) are order[starts[c]] to order[starts[c + 1] - 1]. */
static void sort_into_cells(uint32_t order[COUNT], uint32_t starts[CELLS + 2]) {
    ordo_plan *plan;
    ordo_grid_desc desc = {
        .max_count = COUNT, .cell_size = {0.25f}, .cells = {AXIS_CELLS, AXIS_CELLS, AXIS_CELLS}};
    ordo_arrays arrays = {.in = position, .values_out = order, .starts = starts};
    need(ordo_grid_plan(context, &desc, &plan));
    need(ordo_run_arrays(plan, &arrays));
    ordo_plan_release(plan);
}

/* The most energetic particles, the first one first. */
static void find_best(float best[BEST], uint32_t indices[BEST]) {
    ordo_plan *plan;
    ordo_top_k_desc desc = {.max_count = COUNT, .key = ORDO_F32, .k = BEST};
    ordo_arrays arrays = {.in = energy, .out = best, .values_out = indices};
    need(ordo_top_k_plan(context, &desc, &plan));
    need(ordo_run_arrays(plan, &arrays));
    ordo_plan_release(plan);
}

/* ---- On the CPU -------------------------------------------------------------------------------*/

static uint32_t random_below(uint32_t limit) {
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return (state >> 8) % limit;
}

/* Numbers are multiples of 1/4096, so that the CPU's arithmetic is exact. Some energies, materials
   and positions lie outside of what is asked for; some depths are none. */
static void make_particles(void) {
    for (uint32_t i = 0; i < COUNT; i++) {
        energy[i] = (float)random_below(4200) / 4096;
        material[i] = random_below(MATERIALS + 1);
        depth[i] = i % 1000 == 0 ? NAN : (float)random_below(110 * 4096) / 4096;
        for (uint32_t axis = 0; axis < 3; axis++)
            position[i][axis] = (float)random_below(4400) / 4096 - 1 / 32.f;
    }
}

static void check(bool right, const char *what) {
    if (!right) {
        fprintf(stderr, "%s: the GPU's result is not the CPU's\n", what);
        exit(1);
    }
}

static void check_energies(const uint32_t counts[BINS + ORDO_BINS_EXTRA]) {
    uint32_t expected[BINS + ORDO_BINS_EXTRA] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t bin = (uint32_t)(BINS * (double)energy[i]);
        expected[bin < BINS ? bin : BINS + ORDO_ABOVE]++;
    }
    check(memcmp(counts, expected, sizeof expected) == 0, "histogram");
}

/* The numbers of each bucket in the order of the input, one bucket behind the other; `count` is the
   bucket of what has no other. */
static void check_buckets(const uint32_t *bucket_of, uint32_t count, const uint32_t *order,
                          const uint32_t *starts, const char *what) {
    uint32_t place = 0;
    for (uint32_t bucket = 0; bucket <= count; bucket++) {
        check(starts[bucket] == place, what);
        for (uint32_t i = 0; i < COUNT; i++) {
            if (bucket_of[i] == bucket)
                check(order[place++] == i, what);
        }
    }
    check(place == COUNT && starts[count + 1] == COUNT, what);
}

static uint32_t bits_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* Layers are even in the bits of the depth, which grow with its logarithm. */
static uint32_t layer_of(float distance) {
    const uint32_t nearest = bits_of(0.5f), farthest = bits_of(100);
    if (isnan(distance))
        return LAYERS;
    if (distance < 0.5f)
        return LAYERS - 1;
    if (distance >= 100)
        return 0;
    uint64_t way = bits_of(distance) - nearest;
    return LAYERS - 1 - (uint32_t)(way * LAYERS / (farthest - nearest));
}

/* Particles beyond the grid are in the cells of its border. */
static uint32_t cell_of(const float point[3]) {
    uint32_t cell = 0;
    for (uint32_t axis = 3; axis-- > 0;) {
        int coordinate = (int)floorf(point[axis] * 4);
        coordinate = coordinate < 0 ? 0 : coordinate;
        cell =
            cell * AXIS_CELLS + (uint32_t)(coordinate < AXIS_CELLS ? coordinate : AXIS_CELLS - 1);
    }
    return cell;
}

/* Before each of the best stand exactly those that are better, or equal with a lower index. */
static void check_best(const float best[BEST], const uint32_t indices[BEST]) {
    for (uint32_t rank = 0; rank < BEST; rank++) {
        check(indices[rank] < COUNT && energy[indices[rank]] == best[rank], "top-k");
        uint32_t before = 0;
        for (uint32_t i = 0; i < COUNT; i++)
            before += energy[i] > best[rank] || (energy[i] == best[rank] && i < indices[rank]);
        check(before == rank, "top-k");
    }
}

int main(void) {
    static uint32_t counts[BINS + ORDO_BINS_EXTRA], buckets[COUNT], order[COUNT];
    uint32_t of_material[MATERIALS + 2], of_layer[LAYERS + 2], of_cell[CELLS + 2], indices[BEST];
    float best[BEST];
    char message[ORDO_MESSAGE_BYTES];
    if (ordo_context_open(&context, message) != ORDO_OK)
        stop(message);
    make_particles();
    ask();

    count_energies(counts);
    check_energies(counts);
    printf("%u energies below 0.1, %u from 1 on\n", (unsigned)counts[0],
           (unsigned)counts[BINS + ORDO_ABOVE]);

    group_by_material(order, of_material);
    check_buckets(material, MATERIALS, order, of_material, "counting sort");
    printf("%u particles of the first material\n", (unsigned)(of_material[1] - of_material[0]));

    for (uint32_t i = 0; i < COUNT; i++)
        buckets[i] = layer_of(depth[i]);
    order_for_blending(order, of_layer);
    check_buckets(buckets, LAYERS, order, of_layer, "depth buckets");
    printf("%u particles have no depth\n", (unsigned)(of_layer[LAYERS + 1] - of_layer[LAYERS]));

    for (uint32_t i = 0; i < COUNT; i++)
        buckets[i] = cell_of(position[i]);
    sort_into_cells(order, of_cell);
    check_buckets(buckets, CELLS, order, of_cell, "grid");
    printf("%u particles in the first cell\n", (unsigned)(of_cell[1] - of_cell[0]));

    find_best(best, indices);
    check_best(best, indices);
    printf("the best is particle %u\n", (unsigned)indices[0]);
    ordo_context_release(context);
    return 0;
}
