/* SPDX-License-Identifier: MIT */
/* plan_problem.c: problems for planners, made from arbitrary bytes; see plan_check.h. */
#include "plan_check.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t *plan_max_count(plan_problem *problem) {
    switch (problem->primitive) {
    case PLAN_SORT:
        return &problem->sort.max_count;
    case PLAN_SCAN:
        return &problem->scan.max_count;
    case PLAN_REDUCE:
        break;
    }
    return &problem->reduce.max_count;
}

ordo_status plan_steps(const plan_problem *problem, ordo_step *steps, uint32_t capacity,
                       ordo_summary *summary) {
    const ordo_caps *caps = problem->no_caps ? NULL : &problem->caps;
    switch (problem->primitive) {
    case PLAN_SORT:
        return ordo_sort_steps(caps, &problem->sort, steps, capacity, summary);
    case PLAN_SCAN:
        return ordo_scan_steps(caps, &problem->scan, steps, capacity, summary);
    case PLAN_REDUCE:
        break;
    }
    return ordo_reduce_steps(caps, &problem->reduce, steps, capacity, summary);
}

ordo_caps plan_effective_caps(const plan_problem *problem) {
    ordo_caps caps = problem->no_caps ? (ordo_caps){0} : problem->caps;
    if (caps.max_buffer_bytes == 0)
        caps.max_buffer_bytes = 268435456;
    if (caps.max_binding_bytes == 0)
        caps.max_binding_bytes = 134217728;
    if (caps.max_workgroup_bytes == 0)
        caps.max_workgroup_bytes = 16384;
    if (caps.max_invocations == 0)
        caps.max_invocations = 256;
    if (caps.max_storage_buffers == 0)
        caps.max_storage_buffers = 8;
    if (caps.offset_alignment_bytes == 0)
        caps.offset_alignment_bytes = 256;
    if (caps.max_groups == 0)
        caps.max_groups = 65535;
    return caps;
}

typedef struct source {
    const uint8_t *bytes;
    size_t size;
} source;

static uint8_t take(source *from) {
    if (from->size == 0)
        return 0;
    from->size--;
    return *from->bytes++;
}

static uint64_t take_wide(source *from) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | take(from);
    return value;
}

/* One of `count` values, or, once in 64 times, a number that is none of the enum's. */
static uint32_t take_choice(source *from, uint32_t count) {
    uint8_t byte = take(from);
    return byte >= 252 ? count + (byte & 3u) : byte % count;
}

/* Counts sit near powers of two and other edges more often than in between. */
static uint64_t take_count(source *from) {
    static const uint64_t edges[] = {0,          1,          2,          255,          257,
                                     4096,       1048576,    33554432,   67108864,     2147483647,
                                     2147483648, 4294967040, 4294967295, 4294967296,   1ull << 40,
                                     1ull << 62, 1ull << 63, UINT64_MAX, 0x5555555555, 1000000};
    uint8_t kind = take(from);
    uint64_t wide = take_wide(from);
    if (kind < 64)
        return edges[wide % (sizeof edges / sizeof *edges)];
    if (kind < 128)
        return wide % 10000;
    if (kind < 192)
        return ((uint64_t)1 << (wide % 34)) + (wide >> 8) % 3 - 1;
    if (kind < 248)
        return wide % 40000000;
    return wide;
}

static ordo_caps take_caps(source *from) {
    static const uint64_t bytes[] = {0,          1ull << 28, 1ull << 27, 1ull << 31,
                                     2147483644, 1ull << 33, 1ull << 40, 65536,
                                     4096,       256,        1,          UINT64_MAX};
    static const uint32_t alignments[] = {0, 32, 64, 128, 256, 4096, 1, 4, 3};
    static const uint32_t groups[] = {0, 65535, 1, 2, 3, 64, 1000, UINT32_MAX};
    static const uint32_t buffers[] = {0, 8, 10, 16, 1, 4};
    static const uint32_t invocations[] = {0,  256, 512, 1024,     1,
                                           64, 255, 257, 1u << 31, UINT32_MAX};
    static const uint32_t workgroup[] = {0, 16384, 32768, 49152, 65536, 1, 16383, UINT32_MAX};
#define PICK(list) list[take(from) % (sizeof list / sizeof *list)]
    ordo_caps caps = {0};
    uint8_t usual = take(from);
    caps.offset_alignment_bytes = alignments[usual % 6];
    caps.max_groups = PICK(groups);
    caps.subgroups = take(from) & 1;
    if (usual >= 64) {
        caps.max_invocations = invocations[take(from) % 4];
        caps.max_workgroup_bytes = workgroup[take(from) % 5];
        caps.max_buffer_bytes = bytes[take(from) % 7];
        caps.max_binding_bytes = bytes[take(from) % 7];
    }
    if (usual >= 240) {
        caps.max_buffer_bytes = PICK(bytes);
        caps.max_binding_bytes = PICK(bytes);
        caps.max_invocations = PICK(invocations);
        caps.max_workgroup_bytes = PICK(workgroup);
        caps.max_storage_buffers = PICK(buffers);
        caps.offset_alignment_bytes = PICK(alignments);
    }
#undef PICK
    return caps;
}

/* Words of a key, a bad type or number of them now and then. Their number is 0 most of the time. */
static void take_parts(source *from, ordo_sort_desc *desc) {
    static const uint32_t counts[] = {0, 2, 3, 4, 0, 2, 3, 4, 0, 2, 3, 4, 0, 1, 5, UINT32_MAX};
    desc->part_count = take(from) % 2 ? 0 : counts[take(from) % 16];
    if (desc->part_count == 0)
        return;
    uint32_t given = take(from) % 16 ? desc->part_count : ORDO_MAX_PARTS;
    for (uint32_t i = 0; i < ORDO_MAX_PARTS && i < given; i++) {
        desc->parts[i].type = (ordo_type)take_choice(from, 3);
        desc->parts[i].order = (ordo_order)take_choice(from, 2);
    }
    if (take(from) % 16) {
        desc->key = ORDO_U32;
        desc->order = ORDO_ASCENDING;
        desc->skip_low_bits = desc->skip_high_bits = 0;
    }
}

/* What only networks have; of the other methods' fields all but a few are put back to 0. */
static void take_network(source *from, ordo_sort_desc *desc) {
    static const uint32_t blocks[] = {0,    0,    16,   32,    64,    128,        256, 512,
                                      1024, 2048, 4096, 8192,  16384, 1u << 31,   8,   1,
                                      24,   4095, 4097, 65536, 32768, UINT32_MAX, 0,   0};
    uint8_t careful = take(from);
    take_parts(from, desc);
    if (take(from) % 2)
        desc->row_length = (uint32_t)take_count(from);
    if (take(from) % 2)
        desc->block_length = blocks[take(from) % (sizeof blocks / sizeof *blocks)];
    if (take(from) % 2)
        desc->fused_levels = take(from) % 6;
    if (careful % 8 == 0)
        return;
    desc->digit_bits = 0;
    if (desc->method == ORDO_METHOD_BITONIC_DIRECT)
        desc->block_length = 0;
    if (desc->method != ORDO_METHOD_AUTO && desc->method != ORDO_METHOD_BITONIC)
        desc->fused_levels %= 2;
}

static ordo_sort_desc take_sort(source *from) {
    static const uint32_t values[] = {0, 4, 8, 12, 16, 20, 32, 64, 0, 0, 4, 4, 68, 3, 1};
    static const uint32_t digits[] = {0, 8, 4, 0, 8, 4, 0, 5, 32};
    ordo_sort_desc desc = {.max_count = take_count(from)};
    desc.key = (ordo_type)take_choice(from, 6);
    desc.order = (ordo_order)take_choice(from, 2);
    desc.value_bytes = values[take(from) % (sizeof values / sizeof *values)];
    desc.argsort = take(from) % 5 == 0;
    if (desc.argsort && take(from) % 8 != 0)
        desc.value_bytes = 0;
    desc.in_place = take(from) % 3 == 0 && (!desc.argsort || take(from) % 8 == 0);
    desc.allow_unstable = take(from) & 1;
    desc.caller_scratch = take(from) & 1;
    uint8_t window = take(from);
    desc.skip_low_bits = window & 1 ? take(from) % 66u : 0;
    desc.skip_high_bits = window & 2 ? take(from) % 66u : 0;
    if (window & 4 && desc.key < 6) {
        uint32_t width = ordo_type_bytes(desc.key) * 8;
        desc.skip_low_bits %= width + 1;
        desc.skip_high_bits %= width - desc.skip_low_bits + 1;
    }
    desc.method = (ordo_method)take_choice(from, 5);
    desc.digit_bits = digits[take(from) % (sizeof digits / sizeof *digits)];
    uint8_t network = take(from);
    if (desc.method > ORDO_METHOD_RADIX || network % 8 == 0)
        take_network(from, &desc);
    return desc;
}

plan_problem plan_problem_read(const uint8_t *bytes, size_t size) {
    source from = {bytes, size};
    plan_problem problem = {0};
    uint8_t kind = take(&from);
    problem.primitive = kind % 4 < 2 ? PLAN_SORT : kind % 4 == 2 ? PLAN_SCAN : PLAN_REDUCE;
    problem.no_caps = kind >= 224;
    problem.caps = take_caps(&from);
    if (problem.primitive == PLAN_SORT) {
        problem.sort = take_sort(&from);
    } else if (problem.primitive == PLAN_SCAN) {
        problem.scan.max_count = take_count(&from);
        problem.scan.type = (ordo_type)take_choice(&from, kind & 4 ? 3 : 6);
        problem.scan.op = (ordo_op)take_choice(&from, 3);
        uint8_t flags = take(&from);
        problem.scan.inclusive = flags & 1;
        problem.scan.in_place = flags >> 1 & 1;
        problem.scan.caller_scratch = flags >> 2 & 1;
    } else {
        problem.reduce.max_count = take_count(&from);
        problem.reduce.type = (ordo_type)take_choice(&from, kind & 4 ? 3 : 6);
        problem.reduce.op = (ordo_op)take_choice(&from, 3);
        problem.reduce.caller_scratch = take(&from) & 1;
    }
    return problem;
}

const char *plan_describe(const plan_problem *problem) {
    static char text[1024];
    const ordo_caps *c = &problem->caps;
    int used =
        snprintf(text, sizeof text,
                 "caps%s {buffer %" PRIu64 ", binding %" PRIu64 ", workgroup %u, "
                 "invocations %u, storage %u, alignment %u, groups %u, subgroups %d} ",
                 problem->no_caps ? " (NULL)" : "", c->max_buffer_bytes, c->max_binding_bytes,
                 c->max_workgroup_bytes, c->max_invocations, c->max_storage_buffers,
                 c->offset_alignment_bytes, c->max_groups, c->subgroups);
    char *rest = text + used;
    size_t room = sizeof text - (size_t)used;
    if (problem->primitive == PLAN_SORT) {
        const ordo_sort_desc *s = &problem->sort;
        snprintf(
            rest, room,
            "sort {max_count %" PRIu64 ", key %d, order %d, value_bytes %u, argsort %d, "
            "in_place %d, allow_unstable %d, skip_low_bits %u, skip_high_bits %u, part_count "
            "%u (types %d %d %d %d), row_length %u, method %d, digit_bits %u, block_length %u, "
            "fused_levels %u}",
            s->max_count, (int)s->key, (int)s->order, s->value_bytes, s->argsort, s->in_place,
            s->allow_unstable, s->skip_low_bits, s->skip_high_bits, s->part_count,
            (int)s->parts[0].type, (int)s->parts[1].type, (int)s->parts[2].type,
            (int)s->parts[3].type, s->row_length, (int)s->method, s->digit_bits, s->block_length,
            s->fused_levels);
    } else if (problem->primitive == PLAN_SCAN) {
        const ordo_scan_desc *s = &problem->scan;
        snprintf(rest, room,
                 "scan {max_count %" PRIu64 ", type %d, op %d, inclusive %d, in_place %d}",
                 s->max_count, (int)s->type, (int)s->op, s->inclusive, s->in_place);
    } else {
        const ordo_reduce_desc *r = &problem->reduce;
        snprintf(rest, room, "reduce {max_count %" PRIu64 ", type %d, op %d}", r->max_count,
                 (int)r->type, (int)r->op);
    }
    return text;
}
