/* SPDX-License-Identifier: MIT */
/* keys.c: see keys.h. */
#include "keys.h"

#include "decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void float_show(double value, bool single, char *shown) {
    const int most = single ? 9 : 17;
    for (int digits = single ? 6 : 15; digits <= most; digits++) {
        snprintf(shown, SHOWN_BYTES, "%.*g", digits, value);
        const decimal d = decimal_parse(shown, shown + strlen(shown));
        const double read = single ? (double)decimal_to_float(&d) : decimal_to_double(&d);
        if (read == value)
            return;
    }
    if (isnan(value))
        snprintf(shown, SHOWN_BYTES, "nan");
}

void key_show(const keys *k, uint64_t i, char *shown) {
    union {
        uint32_t u32;
        int32_t i32;
        float f32;
        uint64_t u64;
        int64_t i64;
        double f64;
    } value;
    const uint32_t bytes = ordo_type_bytes(k->type);
    memcpy(&value, (const char *)k->data + i * bytes, bytes);
    switch (k->type) {
    case ORDO_U32:
        snprintf(shown, SHOWN_BYTES, "%" PRIu32, value.u32);
        break;
    case ORDO_I32:
        snprintf(shown, SHOWN_BYTES, "%" PRId32, value.i32);
        break;
    case ORDO_F32:
        float_show((double)value.f32, true, shown);
        break;
    case ORDO_U64:
        snprintf(shown, SHOWN_BYTES, "%" PRIu64, value.u64);
        break;
    case ORDO_I64:
        snprintf(shown, SHOWN_BYTES, "%" PRId64, value.i64);
        break;
    default:
        float_show(value.f64, false, shown);
        break;
    }
}
