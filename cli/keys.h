/* SPDX-License-Identifier: MIT */
/*
 * keys.h: keys in host memory, and the host's view of the order that ordo_plan.h defines.
 *
 * The host never sorts all keys; it compares neighbours (-c, -u) and merges sorted runs.
 */
#ifndef ORDO_CLI_KEYS_H
#define ORDO_CLI_KEYS_H

#include "ordo_plan.h"

#include <string.h>

typedef struct keys {
    ordo_type type;
    uint32_t skip_high_bits; /* known to be the same in all keys, as in ordo_sort_desc */
    uint64_t count;
    uint64_t origin; /* integers of text: each is its key added to this one, see text.h; else 0 */
    void *data;      /* count keys; allocated */
} keys;

static inline bool type_is_float(ordo_type type) { return type == ORDO_F32 || type == ORDO_F64; }
/* Of integers. */
static inline bool type_is_signed(ordo_type type) { return type == ORDO_I32 || type == ORDO_I64; }

/* Bytes that hold any number as text. */
#define SHOWN_BYTES 40

/* A number in as few digits as tell it from all others of its type; SHOWN_BYTES of text. */
void float_show(double value, bool single, char *shown);
/* The same of key i. */
void key_show(const keys *k, uint64_t i, char *shown);

/* The image of key i: an unsigned integer of the key's width, ordered as the keys are. */
static inline uint64_t key_image(const keys *k, uint64_t i) {
    if (ordo_type_bytes(k->type) == 4) {
        uint32_t bits;
        memcpy(&bits, (const char *)k->data + 4 * i, 4);
        if (k->type == ORDO_I32)
            bits ^= UINT32_C(0x80000000);
        else if (k->type == ORDO_F32)
            bits = (bits ^ (bits >> 31 ? UINT32_MAX : UINT32_C(0x80000000))) - UINT32_C(0x007fffff);
        return bits;
    }
    uint64_t bits;
    memcpy(&bits, (const char *)k->data + 8 * i, 8);
    if (k->type == ORDO_I64)
        bits ^= UINT64_C(0x8000000000000000);
    else if (k->type == ORDO_F64)
        bits = (bits ^ (bits >> 63 ? UINT64_MAX : UINT64_C(0x8000000000000000))) -
               UINT64_C(0x000fffffffffffff);
    return bits;
}

#endif
