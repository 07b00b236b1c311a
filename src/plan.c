/* SPDX-License-Identifier: MIT */
/*
 * plan.c: the step builder, scratch layout, limits and messages. Freestanding: no libc calls.
 */
#include "plan.h"

#include <stddef.h>

static const struct {
    ordo_status status;
    const char *text;
} message_table[] = {
#define ORDO_MESSAGE_ROW(id, status, text) {ORDO_##status, text},
    ORDO_MESSAGES(ORDO_MESSAGE_ROW)
#undef ORDO_MESSAGE_ROW
};

/* Append text to out at *length, keeping room for the final zero. */
static void append(char *out, uint32_t *length, const char *text) {
    for (; *text && *length + 1 < ORDO_MESSAGE_BYTES; text++) {
        out[(*length)++] = *text;
    }
}

static void append_number(char *out, uint32_t *length, uint64_t number) {
    char digits[21];
    char *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    append(out, length, first);
}

ordo_status ordo_message_write(char *out, ordo_message_id id, const ordo_report *report) {
    if (!out) {
        return message_table[id].status;
    }
    uint32_t length = 0;
    for (const char *at = message_table[id].text; *at; at++) {
        char literal[2] = {*at, '\0'};
        if (*at != '$') {
            append(out, &length, literal);
            continue;
        }
        switch (*++at) {
        case 's':
            append(out, &length, report->s);
            break;
        case 't':
            append(out, &length, report->t);
            break;
        default:
            append_number(out, &length,
                          *at == 'a'   ? report->a
                          : *at == 'b' ? report->b
                                       : report->c);
        }
    }
    out[length] = '\0';
    return message_table[id].status;
}

const char *ordo_status_name(ordo_status status) {
    switch (status) {
    case ORDO_OK:
        return "ORDO_OK";
    case ORDO_INVALID:
        return "ORDO_INVALID";
    case ORDO_UNSUPPORTED:
        return "ORDO_UNSUPPORTED";
    case ORDO_OUT_OF_MEMORY:
        return "ORDO_OUT_OF_MEMORY";
    case ORDO_DEVICE_LOST:
        return "ORDO_DEVICE_LOST";
    case ORDO_FAILED:
        return "ORDO_FAILED";
    }
    return "unknown status";
}

uint32_t ordo_type_bytes(ordo_type type) {
    switch (type) {
    case ORDO_U32:
    case ORDO_I32:
    case ORDO_F32:
        return 4;
    case ORDO_U64:
    case ORDO_I64:
    case ORDO_F64:
        return 8;
    }
    return 0;
}

uint64_t ordo_div_ceil(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

uint32_t ordo_log2_ceil(uint64_t number) {
    uint32_t bits = 0;
    while (bits < 64 && ((uint64_t)1 << bits) < number) {
        bits++;
    }
    return bits;
}

void ordo_plan_fail(ordo_builder *builder, ordo_message_id id, const ordo_report *report) {
    if (builder->status == ORDO_OK) {
        builder->status = ordo_message_write(builder->summary->message, id, report);
    }
}

void ordo_plan_check_enum(ordo_builder *builder, const char *field, uint32_t value, uint32_t most) {
    if (value > most) {
        ordo_plan_fail(builder, ORDO_MESSAGE_ENUM,
                       &(ordo_report){.s = field, .a = value, .b = most});
    }
}

void ordo_plan_set_count(ordo_builder *builder, uint64_t max_count, uint32_t element_bytes) {
    builder->max_count = max_count;
    if (max_count > UINT32_MAX) {
        ordo_plan_fail(builder, ORDO_MESSAGE_COUNT,
                       &(ordo_report){.a = max_count, .b = UINT32_MAX});
    } else if (max_count * (element_bytes / 4) > UINT32_MAX) {
        ordo_plan_fail(builder, ORDO_MESSAGE_WORDS,
                       &(ordo_report){.a = max_count, .b = element_bytes});
    }
}

ordo_area ordo_plan_slot(ordo_builder *builder, ordo_slot slot, uint64_t size_bytes) {
    builder->summary->slot_bytes[slot] = size_bytes;
    return (ordo_area){slot, 0, size_bytes};
}

ordo_area ordo_plan_scratch(ordo_builder *builder, uint64_t size_bytes) {
    uint64_t alignment = builder->caps.offset_alignment_bytes;
    ordo_area area = {ORDO_SLOT_SCRATCH, builder->scratch_end, size_bytes};
    builder->scratch_end += ordo_div_ceil(size_bytes, alignment) * alignment;
    if (builder->scratch_bytes < builder->scratch_end) {
        builder->scratch_bytes = builder->scratch_end;
    }
    return area;
}

void ordo_plan_check_groups(ordo_builder *builder, uint64_t groups) {
    uint64_t most = builder->caps.max_groups;
    if (ordo_div_ceil(groups, most) > most) {
        ordo_plan_fail(builder, ORDO_MESSAGE_GROUPS,
                       &(ordo_report){.a = builder->max_count, .b = groups, .c = most});
    }
}

ordo_step *ordo_plan_step_sized(ordo_builder *builder, const char *kernel, const char *entry,
                                uint32_t group_size, uint32_t items, uint64_t groups,
                                uint64_t moved_bytes) {
    uint64_t most = builder->caps.max_groups;
    uint64_t rows = ordo_div_ceil(groups, most);
    ordo_plan_check_groups(builder, groups);
    ordo_cost_take(builder);
    builder->step_moved_bytes = moved_bytes;
    ordo_step *step = builder->steps ? &builder->steps[builder->step_count] : &builder->spare;
    *step = (ordo_step){
        .kernel = kernel,
        .entry = entry,
        .items = items,
        .group_count_x = (uint32_t)(rows ? ordo_div_ceil(groups, rows) : 0),
        .group_count_y = (uint32_t)rows,
    };
    ordo_plan_constant(step, "GROUP_SIZE", group_size);
    ordo_plan_param(step, "max_count", builder->max_count);
    builder->step_count++;
    builder->summary->moved_bytes += moved_bytes;
    return step;
}

ordo_step *ordo_plan_step(ordo_builder *builder, const char *kernel, const char *entry,
                          uint32_t items, uint64_t groups, uint64_t moved_bytes) {
    return ordo_plan_step_sized(builder, kernel, entry, builder->tuning->group_size, items, groups,
                                moved_bytes);
}

uint64_t ordo_plan_share_groups(const ordo_builder *builder) {
    uint64_t share = (uint64_t)builder->tuning->group_size * builder->tuning->move_items;
    return ordo_div_ceil(builder->max_count, share);
}

ordo_step *ordo_plan_share_step(ordo_builder *builder, const char *kernel, const char *entry,
                                uint32_t moved_words) {
    return ordo_plan_step(builder, kernel, entry, builder->tuning->move_items,
                          ordo_plan_share_groups(builder), 4 * moved_words * builder->max_count);
}

void ordo_plan_constant(ordo_step *step, const char *name, uint32_t value) {
    step->constants[step->constant_count++] = (ordo_number){name, value};
}

void ordo_plan_param(ordo_step *step, const char *name, uint64_t value) {
    step->params[step->param_count++] = (ordo_number){name, (uint32_t)value};
}

void ordo_plan_bind(ordo_builder *builder, ordo_step *step, ordo_area area, unsigned access) {
    if (builder->binding_bytes < area.size_bytes) {
        builder->binding_bytes = area.size_bytes;
    }
    step->ranges[step->range_count++] = (ordo_range){
        .slot = area.slot,
        .read = (access & ORDO_READ) != 0,
        .written = (access & ORDO_WRITE) != 0,
        .offset_bytes = area.offset_bytes,
        .size_bytes = area.size_bytes,
    };
}

/* ---- Windows ---- */

/* More would take a step for each two of them. */
enum { MOST_WINDOWS = 32 };

static uint64_t round_up(uint64_t number, uint64_t unit) {
    return ordo_div_ceil(number, unit) * unit;
}

ordo_windows ordo_plan_windows(ordo_builder *builder, uint32_t words, uint64_t tile_items) {
    uint64_t element_bytes = 4 * (uint64_t)words, count = builder->max_count;
    uint64_t most = builder->caps.max_binding_bytes / element_bytes;
    ordo_windows w = {.count = 1, .tile_items = tile_items, .items = count};
    if (count <= most) {
        return w;
    }
    /* The first elements of windows are aligned, also where they have a word each. */
    uint64_t unit = tile_items;
    while (unit * 4 % builder->caps.offset_alignment_bytes) {
        unit *= 2;
    }
    uint64_t least = round_up(ordo_div_ceil(count, MOST_WINDOWS), unit);
    w.items = most / unit * unit;
    w.items = w.items > least ? w.items : least; /* more than a binding holds: a failure */
    w.items = w.items < count ? w.items : count;
    w.count = (uint32_t)ordo_div_ceil(count, w.items);
    if (w.count > 1) {
        ordo_plan_check_groups(builder, ordo_div_ceil(most, tile_items));
        uint64_t bytes = count * element_bytes;
        builder->array_bytes = builder->array_bytes > bytes ? builder->array_bytes : bytes;
        if (builder->summary->window_count < w.count) {
            builder->summary->window_count = w.count;
        }
    }
    return w;
}

uint64_t ordo_window_items(const ordo_builder *builder, const ordo_windows *w, uint32_t window) {
    uint64_t left = builder->max_count - window * w->items;
    return left < w->items ? left : w->items;
}

ordo_area ordo_window_of(const ordo_builder *builder, const ordo_windows *w, ordo_area array,
                         uint32_t words, uint32_t window) {
    if (w->count > 1) {
        array.offset_bytes += 4 * words * window * w->items;
        array.size_bytes = 4 * words * ordo_window_items(builder, w, window);
    }
    return array;
}

void ordo_plan_window(const ordo_windows *w, ordo_step *step, uint32_t window) {
    if (w->count > 1) {
        ordo_plan_constant(step, "IN_WINDOWS", true);
        ordo_plan_param(step, "first_tile", window * (w->items / w->tile_items));
        ordo_plan_param(step, "window_tiles", w->items / w->tile_items);
    }
}

/* ---- Running a planner ---- */

/* Take the default where a field is 0, else fail if it is below what WebGPU guarantees. */
static void fill_cap(ordo_builder *builder, const char *field, uint32_t *value, uint32_t least) {
    if (*value == 0) {
        *value = least;
    } else if (*value < least) {
        ordo_plan_fail(builder, ORDO_MESSAGE_CAPS,
                       &(ordo_report){.s = field, .a = *value, .b = least});
    }
}

static void fill_caps(ordo_builder *builder) {
    ordo_caps *caps = &builder->caps;
    caps->max_buffer_bytes = caps->max_buffer_bytes ? caps->max_buffer_bytes : 268435456;
    caps->max_binding_bytes = caps->max_binding_bytes ? caps->max_binding_bytes : 134217728;
    caps->max_groups = caps->max_groups ? caps->max_groups : 65535;
    fill_cap(builder, "max_workgroup_bytes", &caps->max_workgroup_bytes, 16384);
    fill_cap(builder, "max_invocations", &caps->max_invocations, 256);
    fill_cap(builder, "max_storage_buffers", &caps->max_storage_buffers, 8);
    if (caps->offset_alignment_bytes == 0) {
        caps->offset_alignment_bytes = 256;
    }
    uint32_t alignment = caps->offset_alignment_bytes;
    if (alignment < 4 || (alignment & (alignment - 1))) {
        ordo_plan_fail(builder, ORDO_MESSAGE_ALIGNMENT, &(ordo_report){.a = alignment});
    }
    uint32_t methods = (2u << ORDO_LAST_METHOD) - 2;
    if (caps->rejected_methods & ~methods) {
        ordo_plan_fail(builder, ORDO_MESSAGE_REJECTED_BITS,
                       &(ordo_report){.a = caps->rejected_methods, .b = methods});
    }
}

/* Run the planner once, writing into steps unless that is NULL. */
static void run_once(ordo_builder *builder, const ordo_caps *caps, const void *desc,
                     ordo_planner *planner, ordo_step *steps, ordo_summary *summary) {
    *summary = (ordo_summary){0};
    *builder = (ordo_builder){.summary = summary, .steps = steps};
    if (caps) {
        builder->caps = *caps;
    }
    fill_caps(builder);
    if (!desc) {
        ordo_plan_fail(builder, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "desc"});
    }
    if (builder->status != ORDO_OK) {
        return;
    }
    builder->tuning = ordo_tune(&builder->caps);
    if (builder->caps.tuning) {
        builder->status =
            ordo_tune_by_text(&builder->caps, &builder->told, builder->summary->message);
        builder->tuning = &builder->told;
    }
    if (builder->status != ORDO_OK) {
        return;
    }
    planner(builder, desc);
    ordo_cost_take(builder);
    if (builder->binding_bytes > builder->caps.max_binding_bytes) {
        ordo_plan_fail(builder, ORDO_MESSAGE_BINDING,
                       &(ordo_report){.a = builder->max_count,
                                      .b = builder->binding_bytes,
                                      .c = builder->caps.max_binding_bytes});
    }
    if (builder->scratch_bytes > builder->caps.max_buffer_bytes) {
        ordo_plan_fail(builder, ORDO_MESSAGE_SCRATCH,
                       &(ordo_report){.a = builder->max_count,
                                      .b = builder->scratch_bytes,
                                      .c = builder->caps.max_buffer_bytes});
    }
    if (builder->array_bytes > builder->caps.max_buffer_bytes) {
        ordo_plan_fail(builder, ORDO_MESSAGE_BUFFER,
                       &(ordo_report){.a = builder->max_count,
                                      .b = builder->array_bytes,
                                      .c = builder->caps.max_buffer_bytes});
    }
    summary->step_count = builder->step_count;
    summary->scratch_bytes = builder->scratch_bytes;
    summary->slot_bytes[ORDO_SLOT_SCRATCH] = builder->scratch_bytes;
}

/* Keep only the message of a summary. */
static void clear_summary(ordo_summary *summary) {
    ordo_summary cleared = {0};
    for (uint32_t i = 0; i < ORDO_MESSAGE_BYTES; i++) {
        cleared.message[i] = summary->message[i];
    }
    *summary = cleared;
}

ordo_status ordo_plan_run(const ordo_caps *caps, const void *desc, ordo_planner *planner,
                          ordo_step *steps, uint32_t capacity, ordo_summary *summary) {
    ordo_builder builder;
    if (!summary) {
        return ORDO_INVALID;
    }
    run_once(&builder, caps, desc, planner, NULL, summary);
    if (builder.status == ORDO_OK && !steps && capacity) {
        ordo_plan_fail(&builder, ORDO_MESSAGE_STEPS_NULL, &(ordo_report){.a = capacity});
    }
    if (builder.status != ORDO_OK) {
        clear_summary(summary);
        return builder.status;
    }
    if (!steps) {
        return ORDO_OK;
    }
    if (capacity < builder.step_count) {
        ordo_plan_fail(&builder, ORDO_MESSAGE_CAPACITY,
                       &(ordo_report){.a = capacity, .b = builder.step_count});
        clear_summary(summary);
        summary->step_count = builder.step_count;
        return builder.status;
    }
    run_once(&builder, caps, desc, planner, steps, summary);
    return builder.status;
}
