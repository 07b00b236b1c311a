/* SPDX-License-Identifier: MIT */
/*
 * plan_passes.c: where keys and values lie in a sort by digits, the lowest first.
 *
 * Buffers alternate so that the last pass ends where the caller wants the result:
 *
 *     4 passes          IN -> alternate -> OUT -> alternate -> OUT
 *     3 passes          IN -> OUT -> alternate -> OUT
 *     3 passes in place IN -> (copy) alternate -> IN -> alternate -> IN
 *
 * Values travel with the keys, as themselves if they are narrow. Wide ones, and an argsort's
 * indices, travel as indices made in the first pass; wide values are then gathered once.
 */
#include "plan.h"

#include <stddef.h>

static void lay_out_keys(ordo_passes *p) {
    const ordo_sort *sort = p->sort;
    p->keys.source = sort->in;
    p->keys.final = sort->out;
    if (p->count > 1 || sort->desc->in_place) {
        p->keys.alternate = ordo_plan_scratch(sort->builder, sort->in.size_bytes);
    }
    if (sort->desc->argsort) {
        /* Sorted keys are not wanted: the last pass binds their place but writes nothing. */
        p->keys.final = ordo_plan_scratch(sort->builder, p->count > 2 ? sort->in.size_bytes : 4);
    }
}

static void lay_out_values(ordo_passes *p) {
    const ordo_sort *sort = p->sort;
    uint64_t bytes = 4 * p->value_words * sort->desc->max_count;
    if (p->value_words == 0) {
        return;
    }
    p->values.source = sort->values_in;
    p->values.final = sort->values_out;
    if (p->indices && !sort->desc->argsort) {
        p->values.final = ordo_plan_scratch(sort->builder, bytes);
    }
    if (p->count > 1 || (sort->desc->in_place && !p->indices)) {
        p->values.alternate = ordo_plan_scratch(sort->builder, bytes);
    }
}

ordo_passes ordo_passes_lay_out(const ordo_sort *sort, uint32_t count) {
    const ordo_sort_desc *desc = sort->desc;
    ordo_passes p = {.sort = sort, .count = count};
    p.gathers = desc->value_bytes > sort->builder->tuning->carried_value_bytes;
    p.indices = desc->argsort || p.gathers;
    p.value_words = p.indices ? 1 : desc->value_bytes / 4;
    sort->builder->summary->pass_count = count;
    lay_out_keys(&p);
    lay_out_values(&p);
    return p;
}

static void append_copy(const ordo_passes *p, ordo_column *c, uint32_t words) {
    ordo_plan_copy(p->sort->builder, words, c->source, c->alternate);
    c->source = c->alternate;
}

void ordo_passes_begin(ordo_passes *p) {
    if (p->sort->desc->in_place && p->count % 2 == 1) {
        append_copy(p, &p->keys, p->sort->key_words);
        if (p->value_words && !p->indices) {
            append_copy(p, &p->values, p->value_words);
        }
    }
}

/* Where pass `pass` writes a column: the last pass to its final place, the ones before in turn. */
static ordo_area destination(const ordo_passes *p, const ordo_column *c, uint32_t pass) {
    return (p->count - 1 - pass) % 2 == 0 ? c->final : c->alternate;
}

ordo_pass ordo_pass_at(const ordo_passes *p, uint32_t pass) {
    bool makes_indices = p->indices && pass == 0;
    ordo_pass at = {.keys_from = p->keys.source,
                    .keys_to = destination(p, &p->keys, pass),
                    .values_from = p->values.source,
                    .values_to = destination(p, &p->values, pass)};
    if (pass > 0) {
        at.keys_from = destination(p, &p->keys, pass - 1);
        at.values_from = destination(p, &p->values, pass - 1);
    }
    at.form = p->value_words == 0 ? ORDO_PASS_KEYS
              : makes_indices     ? ORDO_PASS_INDEX
                                  : ORDO_PASS_PAIRS;
    at.writes_keys = !(p->sort->desc->argsort && pass + 1 == p->count);
    at.moved_words =
        p->sort->key_words * (1 + at.writes_keys) + p->value_words * (2 - makes_indices);
    return at;
}

void ordo_pass_bind(const ordo_passes *p, const ordo_pass *at, ordo_step *step) {
    ordo_builder *builder = p->sort->builder;
    ordo_plan_bind(builder, step, at->keys_from, ORDO_READ);
    ordo_plan_bind(builder, step, at->keys_to, at->writes_keys ? ORDO_WRITE : ORDO_IDLE);
    if (at->form != ORDO_PASS_KEYS) {
        ordo_plan_bind(builder, step, at->values_to, ORDO_WRITE);
    }
    if (at->form == ORDO_PASS_PAIRS) {
        ordo_plan_bind(builder, step, at->values_from, ORDO_READ);
    }
}

uint32_t ordo_plan_rank(const ordo_builder *builder, ordo_step *step, uint32_t group) {
    const ordo_caps *caps = &builder->caps;
    uint32_t size = caps->subgroup_size;
    step->subgroups = caps->subgroups && size > 0 && size <= 64 && group % (2 * size) == 0 &&
                      group / size <= group / 32 * 3;
    if (step->subgroups) {
        ordo_plan_constant(step, "SUBGROUP_SIZE", size);
    }
    return step->subgroups ? group / size * 256 / 2 : ordo_plan_rank_words(group);
}

uint32_t ordo_plan_rank_words(uint32_t group) { return group / 32 * 256 / 2 * 3; }

void ordo_passes_end(const ordo_passes *p) {
    if (p->gathers) {
        ordo_plan_gather_values(p->sort,
                                &(ordo_indices){.area = p->values.final, .mask = UINT32_MAX});
    }
}
