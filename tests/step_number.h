/* SPDX-License-Identifier: MIT */
/* step_number.h: the numbers of a step by their names, for tests with and without a device. */
#ifndef ORDO_TESTS_STEP_NUMBER_H
#define ORDO_TESTS_STEP_NUMBER_H

#include "ordo_plan.h"

#include <string.h>

static inline uint64_t step_number(const ordo_number *numbers, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(numbers[i].name, name) == 0)
            return numbers[i].value;
    }
    return 0;
}

/* What the param of this name is; 0 if there is none. */
static inline uint64_t step_param(const ordo_step *step, const char *name) {
    return step_number(step->params, step->param_count, name);
}

/* The same of a constant. */
static inline uint64_t step_constant(const ordo_step *step, const char *name) {
    return step_number(step->constants, step->constant_count, name);
}

#endif
