/* SPDX-License-Identifier: MIT */
/*
 * plan_check_network.c: what must hold of a sort by a network, see plan_check.h.
 *
 * The steps are read as the network that they say they run: each must do the levels that follow
 * those of the step before it, with a task for every comparator that has two elements and none past
 * the last. Their number is also compared with its closed form.
 */
#include "plan.h"
#include "plan_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A network as the desc and the summary say it should be. */
typedef struct shape {
    const ordo_sort_desc *desc;
    const ordo_summary *summary;
    bool oddeven, direct;
    uint64_t count, positions; /* of all rows, each padded to 2^stages */
    uint32_t row_length;       /* 0: one row */
    uint32_t stages, block_bits;
    uint32_t window_bits;
    bool reserves; /* scratch is what another method would take */
} shape;

/* Where in the network the steps have come: levels of `stage` below `above` are still to do. */
typedef struct place {
    uint32_t stage, above;
    bool sewn;
} place;

static uint32_t bits_for(uint64_t count) {
    uint32_t bits = 0;
    while (((uint64_t)1 << bits) < count)
        bits++;
    return bits;
}

uint32_t plan_window_bits(const ordo_sort_desc *desc) {
    if (desc->part_count)
        return 32 * desc->part_count;
    return ordo_type_bytes(desc->key) * 8 - desc->skip_low_bits - desc->skip_high_bits;
}

static shape shape_of(const plan_problem *problem, const ordo_summary *summary) {
    const ordo_sort_desc *desc = &problem->sort;
    shape s = {.desc = desc,
               .summary = summary,
               .oddeven = summary->method == ORDO_METHOD_ODDEVEN,
               .direct = summary->method == ORDO_METHOD_BITONIC_DIRECT,
               .count = desc->max_count,
               .positions = desc->max_count,
               .window_bits = plan_window_bits(desc),
               .reserves = plan_reserves(problem)};
    if (!desc->method && plan_effective_caps(problem).forward_progress)
        s.reserves = true; /* onesweep was in question */
    if (desc->row_length && desc->row_length < s.count)
        s.row_length = desc->row_length;
    s.stages = bits_for(s.row_length ? s.row_length : s.count);
    if (s.row_length)
        s.positions = ((s.count - 1) / s.row_length + 1) << s.stages;
    s.block_bits = s.direct ? 1 : bits_for(summary->block_length);
    return s;
}

/* ---- The method and its numbers -------------------------------------------------------------- */

/* An automatic choice where methods are rejected: none of them, and the odd-even network, which no
   other choice is worse than, only if there is nothing else. */
static const char *check_choice(const ordo_sort_desc *desc, uint32_t rejected, ordo_method method) {
    bool networks_only =
        desc->part_count || desc->row_length || desc->block_length || desc->fused_levels;
    bool windowed = desc->skip_low_bits || desc->skip_high_bits;
    if (rejected >> method & 1)
        return "an automatic choice of a rejected method";
    if (networks_only && method != ORDO_METHOD_BITONIC && method != ORDO_METHOD_ODDEVEN)
        return "no network for what only networks do";
    if (desc->digit_bits && method != ORDO_METHOD_RADIX)
        return "another method than radix for digits";
    if (windowed && (method == ORDO_METHOD_MSD || method == ORDO_METHOD_SAMPLE))
        return "whole keys are sorted where a window is wanted";
    bool others = !(rejected >> ORDO_METHOD_BITONIC & 1) ||
                  (!networks_only && !(rejected >> ORDO_METHOD_RADIX & 1));
    return method == ORDO_METHOD_ODDEVEN && others ? "an odd-even network where there is a better"
                                                   : NULL;
}

/* The desc's method, or one that can do what the desc asks for. Where that leaves a choice, it is
   none that gains nothing; test_plan_network.c has a table of choices. */
const char *plan_check_method(const plan_problem *problem, const ordo_summary *summary) {
    const ordo_sort_desc *desc = &problem->sort;
    ordo_caps caps = plan_effective_caps(problem);
    bool network = summary->method == ORDO_METHOD_BITONIC;
    if (desc->method)
        return summary->method == desc->method ? NULL : "another method than the desc's";
    const char *wrong = check_choice(desc, caps.rejected_methods, summary->method);
    if (summary->method == ORDO_METHOD_ONESWEEP && (!caps.forward_progress || caps.software))
        return "an automatic choice to look back where workgroups may not go on";
    if (wrong || caps.rejected_methods || caps.tuning)
        return wrong;
    if (!network && summary->method != ORDO_METHOD_RADIX && summary->method != ORDO_METHOD_MSD &&
        summary->method != ORDO_METHOD_SAMPLE && summary->method != ORDO_METHOD_ONESWEEP)
        return "an automatic choice of a method that is only there for comparison";
    if (desc->part_count || desc->row_length || desc->block_length || desc->fused_levels)
        return NULL;
    if (network && plan_window_bits(desc) <= 8)
        return "a network where radix takes one pass";
    return network && caps.max_groups < 4096 ? "a network for a small grid" : NULL;
}

/* The block is the desc's, or the largest power of two whose elements fit a workgroup, or, for one
   array that needs no larger one, a smaller that holds it. */
static const char *check_block(const shape *s, const ordo_step *sort, const ordo_caps *caps) {
    uint32_t block = s->summary->block_length;
    uint64_t words = step_constant(sort, "KEY_WORDS") + step_constant(sort, "PAYLOAD_WORDS");
    if (s->direct)
        return block == 2 ? NULL : "a block of the direct form is not 2";
    if (block < 16 || block & (block - 1))
        return complain("a block_length of %u", block);
    if (s->desc->block_length)
        return block == s->desc->block_length ? NULL : "another block_length than the desc's";
    if (!s->row_length && s->count <= block)
        return NULL;
    bool by_memory = 2 * 4 * words * block > caps->max_workgroup_bytes;
    uint64_t items = plan_told(caps, "network_items", 16);
    bool by_invocations = 2ull * block > items * caps->max_invocations;
    return by_memory || by_invocations || block == 1u << 31 ? NULL
                                                            : "a block smaller than it may be";
}

static const char *check_fused(const shape *s) {
    uint32_t fused = s->summary->fused_levels;
    if (s->summary->method != ORDO_METHOD_BITONIC)
        return fused == 1 ? NULL : "fused levels of a network that fuses none";
    if (s->desc->fused_levels)
        return fused == s->desc->fused_levels ? NULL : "other fused_levels than the desc's";
    return fused >= 1 && fused <= 4 ? NULL : complain("%u fused levels", fused);
}

/* Packing serves those that need an index, is never in place, and takes no more bits than a word
   has. */
static const char *check_packing(const shape *s) {
    const ordo_sort_desc *desc = s->desc;
    uint32_t index_bits = s->summary->index_bits;
    bool windowed = desc->skip_low_bits || desc->skip_high_bits;
    if (index_bits == 0)
        return NULL;
    if (index_bits != bits_for(s->row_length ? s->row_length : s->count))
        return "index_bits are not those of the indices";
    if (s->window_bits + index_bits > 32)
        return complain("%u + %u bits are packed into a word", s->window_bits, index_bits);
    if (desc->in_place)
        return "packing in place";
    return desc->argsort || desc->value_bytes || windowed ? NULL : "packing of whole keys alone";
}

/* Dispatches of the network alone. */
static uint64_t dispatches(const shape *s) {
    uint64_t total = 1;
    for (uint32_t stage = s->block_bits + 1; stage <= s->stages; stage++) {
        uint32_t above = stage - s->block_bits, fused = s->summary->fused_levels;
        if (s->direct)
            total += stage;
        else if (s->oddeven)
            total += above + 2;
        else
            total += (above + fused - 1) / fused + 1;
    }
    return total;
}

/* What the plan does before and after its network: packing, unpacking, a gather, a copy. A bitonic
   sort of one dispatch gathers values in that. */
static uint64_t other_steps(const shape *s) {
    const ordo_sort_desc *desc = s->desc;
    bool values = desc->value_bytes > 0;
    bool carries = desc->in_place && desc->allow_unstable && desc->value_bytes <= 8;
    if (s->summary->index_bits)
        return desc->argsort ? 2 : 2 + values;
    if (!s->oddeven && s->stages <= s->block_bits)
        return 0;
    return !values || carries ? 0 : 1 + desc->in_place;
}

/* Whole keys alone need no scratch, nor do values of up to two words that may be unstable, in
   place. */
static const char *check_scratch(const shape *s) {
    const ordo_sort_desc *desc = s->desc;
    bool whole = s->window_bits == ordo_key_bytes(desc) * 8;
    bool lone = !desc->value_bytes && !desc->argsort && (whole || desc->allow_unstable);
    bool carried =
        desc->value_bytes && desc->value_bytes <= 8 && desc->in_place && desc->allow_unstable;
    if ((lone || carried) && s->summary->scratch_bytes && !s->reserves)
        return complain("%" PRIu64 " bytes of scratch", s->summary->scratch_bytes);
    return NULL;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* The lowest upper wire of a bitonic step's task, from which on its comparators have elements. */
static uint64_t bitonic_upper(uint64_t task, uint32_t low, uint32_t levels, bool flips) {
    uint64_t run = task >> low << (low + levels), offset = task & (((uint64_t)1 << low) - 1);
    return run + offset + ((uint64_t)1 << (flips ? low + levels - 1 : low));
}

/* The upper wire of an odd-even comparator: the comparators of a level, run by run. */
static uint64_t oddeven_upper(uint64_t task, uint32_t stage, uint32_t level) {
    uint64_t stride = (uint64_t)1 << level, per_run = ((uint64_t)1 << (stage - 1)) - stride;
    if (level + 1 == stage)
        return (task >> level << stage) + (task & (stride - 1)) + stride;
    uint64_t inside = task % per_run;
    uint64_t low = stride + (inside >> level << (level + 1)) + (inside & (stride - 1));
    return (task / per_run << stage) + low + stride;
}

/* The last step of the direct form also gives the caller's bits back, those of a last element
   without a partner too. */
static const char *check_last_tasks(const shape *s, uint64_t tasks) {
    uint64_t pairs = s->positions / 2, all = pairs + s->positions % 2;
    return tasks == all || (s->summary->index_bits && tasks == pairs)
               ? NULL
               : complain("%" PRIu64 " tasks at the end", tasks);
}

/* Upper wires rise with the tasks, so it is enough to look at the last one run and the next. */
static const char *check_tasks(const shape *s, const ordo_step *step, bool last) {
    const char *wrong = NULL;
    uint64_t tasks = step_param(step, "tasks"), upper[2];
    uint64_t group = step_constant(step, "GROUP_SIZE");
    uint32_t levels = bits_for(step->items);
    if (tasks == 0)
        return "a step of no tasks";
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t task = tasks - 1 + i;
        upper[i] = s->oddeven ? oddeven_upper(task, (uint32_t)step_param(step, "stage"),
                                              (uint32_t)step_param(step, "level"))
                              : bitonic_upper(task, (uint32_t)step_param(step, "low"), levels,
                                              step_param(step, "flips"));
    }
    if (s->direct && last)
        wrong = check_last_tasks(s, tasks);
    else if (upper[0] >= s->positions)
        wrong = complain("task %" PRIu64 " has no comparator", tasks - 1);
    else if (upper[1] < s->positions)
        wrong = complain("%" PRIu64 " tasks leave a comparator out", tasks);
    uint64_t groups = (uint64_t)step->group_count_x * step->group_count_y;
    if (wrong)
        return wrong;
    return groups * group >= tasks ? NULL : "too few workgroups for the tasks";
}

static const char *check_blocks(const shape *s, const ordo_step *step, const ordo_caps *caps) {
    uint64_t words = step_constant(step, "KEY_WORDS") + step_constant(step, "PAYLOAD_WORDS");
    uint64_t cells = step_constant(step, "CELLS");
    uint64_t block =
        s->oddeven ? step_constant(step, "BLOCK") : step->items * step_constant(step, "GROUP_SIZE");
    uint64_t needed = block ? (s->positions - 1) / block + 1 : 0;
    if (!s->direct && block != s->summary->block_length)
        return complain("a workgroup holds %" PRIu64 " elements", block);
    if (cells != words * block || 4 * cells > caps->max_workgroup_bytes)
        return complain("%" PRIu64 " cells in a workgroup", cells);
    if (strstr(step->entry, "seam")) {
        /* Every border between two blocks but those between runs. */
        uint32_t run_bits = (uint32_t)step_param(step, "stage") - s->block_bits;
        needed = needed - 1 - ((needed - 1) >> run_bits);
    }
    if (step_param(step, "groups") != needed || needed == 0)
        return complain("not %" PRIu64 " blocks or seams", needed);
    uint64_t launched = (uint64_t)step->group_count_x * step->group_count_y;
    return launched >= needed ? NULL : "too few workgroups for the blocks";
}

/* Whether the step does the levels that come next; *at moves behind them. */
static const char *check_levels(const shape *s, const ordo_step *step, place *at) {
    const char *entry = step->entry + (s->oddeven ? strlen("oddeven_") : strlen("bitonic_"));
    uint32_t levels = s->oddeven ? 1 : bits_for(step->items);
    if (strncmp(entry, "step", 4) == 0) {
        uint32_t low = (uint32_t)step_param(step, s->oddeven ? "level" : "low");
        if (low + levels != at->above || (s->oddeven && step_param(step, "stage") != at->stage))
            return complain("level %u of stage %u is not next", low, at->stage);
        if (!s->oddeven && (step_param(step, "flips") != 0) != (at->above == at->stage))
            return "a flip at the wrong level";
        if (!s->direct && at->above <= s->block_bits)
            return "a step below the block";
        at->above = low;
    } else if (strncmp(entry, "seam", 4) == 0) {
        if (at->above != s->block_bits || step_param(step, "stage") != at->stage || at->sewn)
            return "a seam out of turn";
        at->sewn = true;
        return NULL;
    } else if (strncmp(entry, "merge", 5) == 0) {
        /* An odd-even merge is always of the whole block. */
        uint64_t merged = s->oddeven ? s->block_bits : step_param(step, "levels");
        if (merged != at->above || at->above > s->block_bits || at->sewn != s->oddeven)
            return complain("a merge of %u levels is not next", (unsigned)merged);
        at->above = 0;
    } else {
        return complain("an entry point %s", step->entry);
    }
    if (at->above == 0) {
        at->stage++;
        *at = (place){at->stage, at->stage, false};
    }
    return NULL;
}

static const char *check_step(const shape *s, const ordo_step *step, const ordo_caps *caps,
                              place *at) {
    const char *wrong = NULL;
    if (step_param(step, "max_count") != s->count ||
        step_param(step, "row_length") != s->row_length)
        return "other elements or rows than the desc's";
    if (step_param(step, "row_bits") != (s->row_length ? s->stages : 0))
        return "rows of other positions";
    if (at->stage == 0) {
        uint32_t stages = s->stages < s->block_bits ? s->stages : s->block_bits;
        if (!strstr(step->entry, "_sort_") || step_param(step, "stages") != stages)
            return complain("%s does not begin with %u stages", step->entry, stages);
        *at = (place){stages + 1, stages + 1, false};
    } else {
        wrong = check_levels(s, step, at);
    }
    if (wrong)
        return wrong;
    return strstr(step->entry, "_step_") ? check_tasks(s, step, at->stage > s->stages)
                                         : check_blocks(s, step, caps);
}

const char *plan_check_network(const plan_problem *problem, const ordo_step *steps,
                               const ordo_summary *summary) {
    shape s = shape_of(problem, summary);
    ordo_caps caps = plan_effective_caps(problem);
    place at = {0};
    const ordo_step *sort = NULL;
    uint64_t network_steps = 0;
    for (uint32_t i = 0; i < summary->step_count; i++) {
        if (!plan_is_network_step(&steps[i]))
            continue;
        sort = sort ? sort : &steps[i];
        const char *wrong = check_step(&s, &steps[i], &caps, &at);
        if (wrong)
            return complain("network step %" PRIu64 " (%s): %s", network_steps, steps[i].entry,
                            wrong);
        network_steps++;
    }
    if (!sort || at.stage != s.stages + 1)
        return "stages are missing";
    if (network_steps != dispatches(&s))
        return complain("%" PRIu64 " dispatches of the network, not %" PRIu64, network_steps,
                        dispatches(&s));
    if (summary->step_count != network_steps + other_steps(&s))
        return complain("%u steps", summary->step_count);
    const char *wrong = check_block(&s, sort, &caps);
    if (!wrong)
        wrong = check_fused(&s);
    if (!wrong)
        wrong = check_packing(&s);
    return wrong ? wrong : check_scratch(&s);
}
