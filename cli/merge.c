/* SPDX-License-Identifier: MIT */
/*
 * merge.c: see merge.h. A heap holds the next key of every run that is not used up; its root is
 * taken, and replaced by its successor. Equal keys leave in the order of their runs, which
 * makes the merge stable.
 */
#include "merge.h"

#include "cli.h"

#include <stdlib.h>

typedef struct head {
    uint64_t image; /* of the run's next key, inverted when descending */
    uint64_t run;
    uint64_t at; /* in keys or indices, of that key */
    uint64_t end;
} head;

typedef struct merger {
    const keys *k;
    const uint32_t *indices; /* NULL: the keys themselves are in order */
    uint64_t run_count;
    uint64_t flip; /* all ones when descending */
    head *heap;
    uint64_t heap_count;
} merger;

/* Of the run's next key, its position in k. */
static uint64_t position(const merger *m, const head *h) {
    return m->indices == NULL ? h->at : h->run * m->run_count + m->indices[h->at];
}

static bool before(const head *a, const head *b) {
    return a->image != b->image ? a->image < b->image : a->run < b->run;
}

/* Restores the order of the heap when the head at place may be too great. */
static void sink(merger *m, uint64_t place) {
    head moving = m->heap[place];
    for (;;) {
        uint64_t child = 2 * place + 1;
        if (child >= m->heap_count)
            break;
        if (child + 1 < m->heap_count && before(&m->heap[child + 1], &m->heap[child]))
            child++;
        if (!before(&m->heap[child], &moving))
            break;
        m->heap[place] = m->heap[child];
        place = child;
    }
    m->heap[place] = moving;
}

static void start(merger *m) {
    m->heap_count = (m->k->count + m->run_count - 1) / m->run_count;
    m->heap = allocate(m->heap_count, sizeof *m->heap, "runs");
    for (uint64_t run = 0; run < m->heap_count; run++) {
        uint64_t at = run * m->run_count;
        uint64_t rest = m->k->count - at;
        head *h = &m->heap[run];
        *h = (head){.run = run, .at = at, .end = at + (rest < m->run_count ? rest : m->run_count)};
        h->image = key_image(m->k, position(m, h)) ^ m->flip;
    }
    for (uint64_t place = m->heap_count / 2; place-- > 0;)
        sink(m, place);
}

/* The position in k of the least key left, which leaves. */
static uint64_t next(merger *m) {
    head *root = &m->heap[0];
    uint64_t result = position(m, root);
    root->at++;
    if (root->at == root->end)
        *root = m->heap[--m->heap_count];
    else
        root->image = key_image(m->k, position(m, root)) ^ m->flip;
    if (m->heap_count > 1)
        sink(m, 0);
    return result;
}

void merge_keys(keys *k, uint64_t run_count, bool descending) {
    const size_t bytes = ordo_type_bytes(k->type);
    merger m = {.k = k, .run_count = run_count, .flip = descending ? UINT64_MAX : 0};
    char *merged = allocate(k->count, bytes, "merged keys");
    start(&m);
    for (uint64_t i = 0; i < k->count; i++) {
        memcpy(merged + i * bytes, (const char *)k->data + next(&m) * bytes, bytes);
        if (i % 65536 == 0)
            progress("merging", i, k->count);
    }
    free(m.heap);
    free(k->data);
    k->data = merged;
}

void merge_indices(const keys *k, uint32_t *indices, uint64_t run_count, bool descending) {
    merger m = {.k = k, .run_count = run_count, .flip = descending ? UINT64_MAX : 0};
    uint32_t *runs = allocate(k->count, sizeof *runs, "merged indices");
    memcpy(runs, indices, (size_t)k->count * sizeof *runs);
    m.indices = runs;
    start(&m);
    for (uint64_t i = 0; i < k->count; i++) {
        indices[i] = (uint32_t)next(&m);
        if (i % 65536 == 0)
            progress("merging", i, k->count);
    }
    free(m.heap);
    free(runs);
}
