/* SPDX-License-Identifier: MIT */
/*
 * pairwise.h: a small table of tests in which every pair of settings occurs.
 *
 * Most faults need two settings to meet, few need three (Kuhn, Wallace, Gallo, "Software Fault
 * Interactions and Implications for Software Testing", 2004). Rows are found greedily: each holds
 * the first pair not seen yet, and of some random completions the one with most other new pairs.
 */
#ifndef ORDO_TESTS_PAIRWISE_H
#define ORDO_TESTS_PAIRWISE_H

#include "model.h"

enum { PAIRWISE_FACTORS = 14, PAIRWISE_LEVELS = 24, PAIRWISE_TRIES = 50 };

typedef struct pairwise {
    uint32_t factor_count;
    uint32_t level_count[PAIRWISE_FACTORS];
    bool (*allowed)(const uint32_t *row); /* whether these levels can meet */
    uint64_t random;
    uint32_t impossible_count; /* pairs that no allowed row holds */
    bool seen[PAIRWISE_FACTORS][PAIRWISE_LEVELS][PAIRWISE_FACTORS][PAIRWISE_LEVELS];
} pairwise;

static inline uint32_t pairwise_new_count(const pairwise *p, const uint32_t *row) {
    uint32_t fresh = 0;
    for (uint32_t f = 0; f < p->factor_count; f++) {
        for (uint32_t g = f + 1; g < p->factor_count; g++)
            fresh += !p->seen[f][row[f]][g][row[g]];
    }
    return fresh;
}

/* Finds a good allowed row with these two settings. False: there is none. */
static inline bool pairwise_complete(pairwise *p, uint32_t f, uint32_t a, uint32_t g, uint32_t b,
                                     uint32_t *best) {
    uint32_t best_count = 0;
    for (int try = 0; try < PAIRWISE_TRIES; try++) {
        uint32_t row[PAIRWISE_FACTORS];
        for (uint32_t i = 0; i < p->factor_count; i++)
            row[i] = (uint32_t)model_random_below(&p->random, p->level_count[i]);
        row[f] = a;
        row[g] = b;
        uint32_t count = p->allowed(row) ? pairwise_new_count(p, row) : 0;
        if (count > best_count) {
            best_count = count;
            memcpy(best, row, sizeof row);
        }
    }
    return best_count > 0;
}

/* The next row of the table. False: every possible pair has occurred. */
static inline bool pairwise_next(pairwise *p, uint32_t *row) {
    for (uint32_t f = 0; f < p->factor_count; f++) {
        for (uint32_t g = f + 1; g < p->factor_count; g++) {
            for (uint32_t pair = 0; pair < p->level_count[f] * p->level_count[g]; pair++) {
                uint32_t a = pair / p->level_count[g], b = pair % p->level_count[g];
                if (p->seen[f][a][g][b])
                    continue;
                p->seen[f][a][g][b] = !pairwise_complete(p, f, a, g, b, row);
                if (p->seen[f][a][g][b]) {
                    p->impossible_count++;
                    continue;
                }
                for (uint32_t i = 0; i < p->factor_count; i++) {
                    for (uint32_t j = i + 1; j < p->factor_count; j++)
                        p->seen[i][row[i]][j][row[j]] = true;
                }
                return true;
            }
        }
    }
    return false;
}

#endif
