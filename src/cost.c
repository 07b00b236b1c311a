/* SPDX-License-Identifier: MIT */
/*
 * cost.c: the one model of time, for ordo_summary.modelled_ns, for the choice between the methods
 * of a sort, and so for ordo_advise.
 *
 *     time of a step   start, + what its kernel takes longer where it is not unrolled,
 *                      + a share for each word of its workgroup memory, in each round of
 *                        workgroups,
 *                      + a share for each word of keys, in each round, where every workgroup reads
 *                        all keys,
 *                      + the bytes beyond those that move meanwhile, at the kernel's rate
 *     time of a plan   the sum over its steps
 *
 * The constants are in tune.c, by kernel.
 */
#include "plan.h"

/* Whether text begins with prefix. */
static bool begins_with(const char *text, const char *prefix) {
    while (*prefix && *text == *prefix) {
        text++;
        prefix++;
    }
    return *prefix == '\0';
}

const ordo_cost *ordo_cost_of(const ordo_tuning *tuning, const char *entry) {
    const ordo_cost *cost = tuning->costs;
    while (!begins_with(entry, cost->entry)) {
        cost++; /* the last row is that of all others, "" */
    }
    return cost;
}

/* The number whose name begins with `name`; 0 if there is none. */
static uint64_t number_of(const ordo_number *numbers, uint32_t count, const char *name) {
    for (uint32_t i = 0; i < count; i++) {
        if (begins_with(numbers[i].name, name)) {
            return numbers[i].value;
        }
    }
    return 0;
}

/* Words of workgroup memory that hold elements. */
static uint64_t cell_count(const ordo_step *step) {
    return number_of(step->constants, step->constant_count, "CELLS");
}

static uint64_t key_words(const ordo_step *step) {
    return number_of(step->constants, step->constant_count, "KEY_WORDS") *
           number_of(step->params, step->param_count, "max_count");
}

uint64_t ordo_cost_ns(const ordo_tuning *tuning, const ordo_step *step, uint64_t moved_bytes) {
    const ordo_cost *cost = ordo_cost_of(tuning, step->entry);
    uint64_t ns = cost->start_ns + (step->unrolled ? 0 : cost->rolled_ns);
    uint64_t groups = (uint64_t)step->group_count_x * step->group_count_y;
    uint64_t round = tuning->processor_count;
    groups = groups > round ? groups : round;
    if (cost->cell_ps) {
        ns += cost->cell_ps * cell_count(step) * groups / round / 1000;
    }
    if (cost->read_ps) {
        ns += cost->read_ps * key_words(step) / 1000 * groups / round;
    }
    if (cost->bytes_per_us && moved_bytes > tuning->cached_bytes) {
        ns += (moved_bytes - tuning->cached_bytes) * 1000 / cost->bytes_per_us;
    }
    return ns;
}

void ordo_cost_take(ordo_builder *builder) {
    if (builder->step_count) {
        const ordo_step *last =
            builder->steps ? &builder->steps[builder->step_count - 1] : &builder->spare;
        builder->summary->modelled_ns +=
            ordo_cost_ns(builder->tuning, last, builder->step_moved_bytes);
    }
}
