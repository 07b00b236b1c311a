/* SPDX-License-Identifier: MIT */
/*
 * fuzz_plan.c: libFuzzer's way into plan_check: any bytes are a problem, and every plan keeps its
 * promises. Build with clang -fsanitize=fuzzer,address,undefined and the planner's sources.
 */
#include "plan_check.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    plan_problem problem = plan_problem_read(data, size);
    const char *wrong = plan_check(&problem, NULL);
    if (wrong) {
        fprintf(stderr, "%s: %s\n", plan_describe(&problem), wrong);
        abort();
    }
    return 0;
}
