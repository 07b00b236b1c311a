/* SPDX-License-Identifier: MIT */
/* measure.c: see measure.h. */
#include "measure.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>

/* ---- Different keys ------------------------------------------------------------------------ */

/* An open table of images, four times as large as it is ever full. */
#define TABLE_BITS 18

typedef struct table {
    uint64_t images[1 << TABLE_BITS];
    bool used[1 << TABLE_BITS];
    uint64_t count;
} table;

static void table_add(table *t, uint64_t image) {
    /* Multiplying by 2^64 divided by the golden ratio spreads neighbouring numbers (Knuth, "The Art
       of Computer Programming", volume 3, 6.4); folding the halves lets all bits of doubles count.
     */
    uint64_t at = ((image ^ image >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - TABLE_BITS);
    while (t->used[at] && t->images[at] != image)
        at = (at + 1) % (1 << TABLE_BITS);
    t->count += !t->used[at];
    t->used[at] = true;
    t->images[at] = image;
}

static uint64_t count_distinct(const keys *k) {
    table *t = calloc(1, sizeof *t);
    if (t == NULL)
        fail("out of memory: %zu bytes for different numbers", sizeof *t);
    for (uint64_t i = 0; i < k->count && t->count <= MOST_DISTINCT; i++)
        table_add(t, key_image(k, i));
    const uint64_t count = t->count;
    free(t);
    return count;
}

/* ---- Keys ---------------------------------------------------------------------------------- */

void measure_keys(const keys *k, bool descending, key_facts *facts) {
    *facts = (key_facts){.distinct_count = count_distinct(k)};
    if (k->count == 0)
        return;
    const uint64_t first = key_image(k, 0);
    uint64_t before = first, least = first, greatest = first, varying = 0;
    for (uint64_t i = 1; i < k->count; i++) {
        const uint64_t image = key_image(k, i);
        varying |= image ^ first;
        facts->disorder_count += descending ? image > before : image < before;
        if (image < least) {
            least = image;
            facts->least = i;
        }
        if (image > greatest) {
            greatest = image;
            facts->greatest = i;
        }
        before = image;
    }
    while (varying != 0 && (varying & 1) == 0) {
        varying >>= 1;
        facts->skip_low_bits++;
    }
    for (; varying != 0; varying >>= 1)
        facts->significant_bits++;
}

/* ---- Points -------------------------------------------------------------------------------- */

void measure_points(const float *points, uint64_t count, uint32_t dimensions, float lower[3],
                    float upper[3]) {
    for (uint32_t d = 0; d < 3; d++) {
        bool any = false;
        lower[d] = upper[d] = 0;
        for (uint64_t i = 0; d < dimensions && i < count; i++) {
            const float x = points[i * dimensions + d];
            if (!isfinite(x))
                continue;
            lower[d] = !any || x < lower[d] ? x : lower[d];
            upper[d] = !any || x > upper[d] ? x : upper[d];
            any = true;
        }
    }
}
