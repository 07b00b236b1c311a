/* SPDX-License-Identifier: MIT */
/*
 * webgpu_plan.c: plans, and encoding them.
 *
 *     steps     step, pipeline (the context's), bind group (from the first encode on)
 *     params    | step 0 | step 1 | … | max_count |     one small buffer, written once
 *     scratch   one buffer, the caller's or the plan's
 *
 * An encode sets what is there; it makes bind groups only when the caller's buffers differ from
 * those of the last encode.
 */
#include "plan.h"
#include "webgpu_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct plan_step {
    ordo_step step;
    WGPUComputePipeline pipeline; /* owned by the context */
    WGPUBindGroup bind_group;     /* NULL until the first encode */
} plan_step;

struct ordo_plan {
    ordo_context *context;
    ordo_summary summary;
    uint64_t max_count;
    bool caller_scratch;
    WGPUBuffer params;
    uint64_t params_stride; /* bytes from one step's params to the next's */
    WGPUBuffer scratch;     /* NULL if none is needed or the caller brings it */
    ordo_args bound;        /* what the bind groups bind */
    bool is_bound;
    plan_step steps[];
};

/* ---- Plans ----------------------------------------------------------------------------------*/

WGPUBuffer ordo_create_buffer(ordo_context *context, const char *label, uint64_t size_bytes,
                              WGPUBufferUsage usage) {
    WGPUBufferDescriptor desc = {.label = ordo_view(label), .usage = usage, .size = size_bytes};
    return wgpuDeviceCreateBuffer(context->device, &desc);
}

/* Put the params of all steps, and max_count, into the plan's small buffer. */
static ordo_status upload_params(ordo_plan *plan) {
    uint64_t stride = plan->context->caps.offset_alignment_bytes;
    if (stride < 4 * ORDO_MAX_PARAMS) {
        stride = 4 * ORDO_MAX_PARAMS;
    }
    uint64_t size_bytes = stride * plan->summary.step_count + 4;
    plan->params_stride = stride;
    uint32_t *words = calloc(1, size_bytes);
    if (!words) {
        return ordo_fail(plan->context, ORDO_MESSAGE_MEMORY,
                         &(ordo_report){.s = "params", .a = size_bytes});
    }
    for (uint32_t i = 0; i < plan->summary.step_count; i++) {
        const ordo_step *step = &plan->steps[i].step;
        for (uint32_t j = 0; j < step->param_count; j++) {
            words[stride / 4 * i + j] = step->params[j].value;
        }
    }
    words[stride / 4 * plan->summary.step_count] = (uint32_t)plan->max_count;
    plan->params = ordo_create_buffer(plan->context, "ordo params", size_bytes,
                                      WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage |
                                          WGPUBufferUsage_CopyDst);
    wgpuQueueWriteBuffer(plan->context->queue, plan->params, 0, words, size_bytes);
    free(words);
    return ORDO_OK;
}

/* Make what a plan with known steps needs on the device. */
static ordo_status create_objects(ordo_plan *plan) {
    ordo_context *context = plan->context;
    ordo_status status = ORDO_OK;
    for (uint32_t i = 0; status == ORDO_OK && i < plan->summary.step_count; i++) {
        status = ordo_get_pipeline(context, &plan->steps[i].step, &plan->steps[i].pipeline);
    }
    if (status == ORDO_OK && plan->summary.step_count) {
        status = upload_params(plan);
    }
    if (status == ORDO_OK && plan->summary.scratch_bytes && !plan->caller_scratch) {
        plan->scratch = ordo_create_buffer(context, "ordo scratch", plan->summary.scratch_bytes,
                                           WGPUBufferUsage_Storage);
    }
    return status;
}

/* What make_plan makes, from the planner and the fields that all descs share. */
typedef struct plan_request {
    ordo_planner *planner;
    const void *desc; /* NULL: the caller gave none */
    uint64_t max_count;
    bool caller_scratch;
} plan_request;

#define REQUEST(planner, desc)                                                                     \
    &(plan_request) {                                                                              \
        planner, desc, (desc) ? (desc)->max_count : 0, (desc) && (desc)->caller_scratch            \
    }

/* A plan with its steps, without device objects. */
static ordo_status allocate_plan(ordo_context *context, const plan_request *request,
                                 ordo_plan **out) {
    ordo_summary summary;
    ordo_status status =
        ordo_plan_run(&context->caps, request->desc, request->planner, NULL, 0, &summary);
    if (status != ORDO_OK) {
        memcpy(context->message, summary.message, sizeof summary.message);
        return status;
    }
    size_t steps_bytes = summary.step_count * sizeof(ordo_step);
    size_t plan_bytes = sizeof(ordo_plan) + summary.step_count * sizeof(plan_step);
    ordo_step *steps = malloc(steps_bytes + 1);
    ordo_plan *plan = calloc(1, plan_bytes);
    if (!steps || !plan) {
        free(steps);
        free(plan);
        return ordo_fail(context, ORDO_MESSAGE_MEMORY,
                         &(ordo_report){.s = "a plan", .a = steps_bytes + plan_bytes});
    }
    ordo_plan_run(&context->caps, request->desc, request->planner, steps, summary.step_count,
                  &plan->summary);
    for (uint32_t i = 0; i < summary.step_count; i++) {
        plan->steps[i].step = steps[i];
    }
    free(steps);
    plan->context = context;
    context->reference_count++;
    plan->max_count = request->max_count;
    plan->caller_scratch = request->caller_scratch;
    *out = plan;
    return ORDO_OK;
}

static ordo_status make_plan(ordo_context *context, const plan_request *request, ordo_plan **out) {
    if (!context) {
        return ORDO_INVALID;
    }
    if (!out) {
        return ordo_fail(context, ORDO_MESSAGE_DESC_NULL, &(ordo_report){.s = "plan"});
    }
    *out = NULL;
    ordo_plan *plan = NULL;
    ordo_status status = ordo_fail_if_stalled(context);
    if (status == ORDO_OK) {
        status = allocate_plan(context, request, &plan);
    }
    if (status != ORDO_OK) {
        return status;
    }
    ordo_pipeline *pipelines = context->pipelines;
    ordo_module *modules = context->modules;
    ordo_checks_begin(context);
    status = create_objects(plan);
    ordo_status seen =
        ordo_checks_end(context, "a kernel or buffer of the plan", plan->summary.scratch_bytes);
    status = seen == ORDO_OK ? status : seen; /* the message is that of the last failure */
    if (status != ORDO_OK) {
        /* What was made may be an error object: the next plan starts afresh. */
        ordo_drop_kernels(context, pipelines, modules);
        ordo_plan_release(plan);
        return status;
    }
    *out = plan;
    return ORDO_OK;
}

ordo_status ordo_sort_plan(ordo_context *context, const ordo_sort_desc *desc, ordo_plan **plan) {
    return make_plan(context, REQUEST(ordo_planner_sort, desc), plan);
}

ordo_status ordo_scan_plan(ordo_context *context, const ordo_scan_desc *desc, ordo_plan **plan) {
    return make_plan(context, REQUEST(ordo_planner_scan, desc), plan);
}

ordo_status ordo_reduce_plan(ordo_context *context, const ordo_reduce_desc *desc,
                             ordo_plan **plan) {
    return make_plan(context, REQUEST(ordo_planner_reduce, desc), plan);
}

ordo_status ordo_histogram_plan(ordo_context *context, const ordo_histogram_desc *desc,
                                ordo_plan **plan) {
    return make_plan(context, REQUEST(ordo_planner_histogram, desc), plan);
}

ordo_status ordo_counting_sort_plan(ordo_context *context, const ordo_counting_sort_desc *desc,
                                    ordo_plan **plan) {
    return make_plan(context, REQUEST(ordo_planner_counting_sort, desc), plan);
}

ordo_status ordo_grid_plan(ordo_context *context, const ordo_grid_desc *desc, ordo_plan **plan) {
    return make_plan(context, REQUEST(ordo_planner_grid, desc), plan);
}

ordo_status ordo_top_k_plan(ordo_context *context, const ordo_top_k_desc *desc, ordo_plan **plan) {
    return make_plan(context, REQUEST(ordo_planner_top_k, desc), plan);
}

ordo_context *ordo_plan_context(const ordo_plan *plan) { return plan->context; }

bool ordo_plan_has_caller_scratch(const ordo_plan *plan) { return plan->caller_scratch; }

static bool is_same_step(const plan_step *a, const plan_step *b) {
    const ordo_step *x = &a->step, *y = &b->step;
    bool same = a->pipeline == b->pipeline && x->group_count_x == y->group_count_x &&
                x->group_count_y == y->group_count_y;
    for (uint32_t i = 0; i < ORDO_MAX_PARAMS; i++) {
        same = same && x->params[i].value == y->params[i].value;
    }
    for (uint32_t i = 0; i < ORDO_MAX_RANGES; i++) {
        const ordo_range *p = &x->ranges[i], *q = &y->ranges[i];
        same = same && p->slot == q->slot && p->offset_bytes == q->offset_bytes &&
               p->size_bytes == q->size_bytes;
    }
    return same;
}

bool ordo_plan_is_same(const ordo_plan *a, const ordo_plan *b) {
    bool same = a->summary.step_count == b->summary.step_count &&
                a->summary.scratch_bytes == b->summary.scratch_bytes;
    for (uint32_t i = 0; same && i < a->summary.step_count; i++) {
        same = is_same_step(&a->steps[i], &b->steps[i]);
    }
    return same;
}

const ordo_summary *ordo_plan_info(const ordo_plan *plan) { return plan ? &plan->summary : NULL; }

/* Add or release a reference on each buffer that the bind groups bind, so that its handle does not
   come back as that of another buffer while is_bound_to compares with it. */
static void hold_buffers(ordo_plan *plan, void (*change)(WGPUBuffer)) {
    const ordo_args *bound = &plan->bound;
    const ordo_buffer all[] = {bound->in,    bound->out,    bound->values_in, bound->values_out,
                               bound->edges, bound->starts, bound->count,     bound->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].buffer) {
            change(all[i].buffer);
        }
    }
}

void ordo_plan_unbind(ordo_plan *plan) {
    if (plan->is_bound) {
        hold_buffers(plan, wgpuBufferRelease);
    }
    for (uint32_t i = 0; i < plan->summary.step_count; i++) {
        if (plan->steps[i].bind_group) {
            wgpuBindGroupRelease(plan->steps[i].bind_group);
            plan->steps[i].bind_group = NULL;
        }
    }
    plan->is_bound = false;
}

void ordo_plan_release(ordo_plan *plan) {
    if (!plan) {
        return;
    }
    ordo_plan_unbind(plan);
    if (plan->params) {
        wgpuBufferRelease(plan->params);
    }
    if (plan->scratch) {
        wgpuBufferRelease(plan->scratch);
    }
    ordo_context_release(plan->context);
    free(plan);
}

/* ---- Encode ---------------------------------------------------------------------------------*/

/* The args in one row, with their names and needs. */
typedef struct named_arg {
    const char *name;
    const ordo_buffer *arg;
    uint64_t needed_bytes; /* 0: this plan uses none */
    bool tolerated;        /* given though not used, it is no mistake */
} named_arg;

enum { ARG_COUNT = 8 };

static void list_args(const ordo_plan *plan, const ordo_args *args, named_arg list[ARG_COUNT]) {
    const uint64_t *needed = plan->summary.slot_bytes;
    uint64_t scratch = plan->caller_scratch ? needed[ORDO_SLOT_SCRATCH] : 0;
    bool idle = plan->max_count == 0 || plan->summary.step_count == 0;
    list[0] = (named_arg){"in", &args->in, needed[ORDO_SLOT_IN], idle};
    list[1] = (named_arg){"out", &args->out, needed[ORDO_SLOT_OUT], idle};
    list[2] = (named_arg){"values_in", &args->values_in, needed[ORDO_SLOT_VALUES_IN], idle};
    list[3] = (named_arg){"values_out", &args->values_out, needed[ORDO_SLOT_VALUES_OUT], idle};
    list[4] = (named_arg){"edges", &args->edges, needed[ORDO_SLOT_EDGES], idle};
    list[5] = (named_arg){"starts", &args->starts, needed[ORDO_SLOT_STARTS], idle};
    list[6] = (named_arg){"scratch", &args->scratch, scratch, plan->caller_scratch};
    list[7] = (named_arg){"count", &args->count, args->count.buffer ? 4 : 0, false};
}

static ordo_status check_arg(ordo_plan *plan, const named_arg *named) {
    const ordo_buffer *arg = named->arg;
    ordo_report report = {.s = named->name};
    if (!named->needed_bytes) {
        return arg->buffer && !named->tolerated
                   ? ordo_fail(plan->context, ORDO_MESSAGE_ARG_UNUSED, &report)
                   : ORDO_OK;
    }
    if (!arg->buffer) {
        return ordo_fail(plan->context, ORDO_MESSAGE_ARG_MISSING, &report);
    }
    uint32_t alignment = plan->context->caps.offset_alignment_bytes;
    if (arg->offset_bytes % alignment) {
        report.a = arg->offset_bytes;
        report.b = alignment;
        return ordo_fail(plan->context, ORDO_MESSAGE_ARG_OFFSET, &report);
    }
    uint64_t size_bytes = wgpuBufferGetSize(arg->buffer);
    if (arg->offset_bytes > size_bytes || size_bytes - arg->offset_bytes < named->needed_bytes) {
        report.a = named->needed_bytes;
        report.b = arg->offset_bytes;
        report.c = size_bytes;
        return ordo_fail(plan->context, ORDO_MESSAGE_ARG_SIZE, &report);
    }
    if (!(wgpuBufferGetUsage(arg->buffer) & WGPUBufferUsage_Storage)) {
        return ordo_fail(plan->context, ORDO_MESSAGE_ARG_USAGE, &report);
    }
    return ORDO_OK;
}

static ordo_status check_pair(ordo_plan *plan, const named_arg *a, const named_arg *b) {
    if (!a->needed_bytes || !b->needed_bytes || a->arg->buffer != b->arg->buffer) {
        return ORDO_OK;
    }
    if (strcmp(b->name, "count") == 0) {
        /* Read-only and writable use of one buffer in one dispatch is an error in WebGPU. */
        return ordo_fail(plan->context, ORDO_MESSAGE_ARG_SHARED, &(ordo_report){.s = a->name});
    }
    if (a->arg->offset_bytes < b->arg->offset_bytes + b->needed_bytes &&
        b->arg->offset_bytes < a->arg->offset_bytes + a->needed_bytes) {
        return ordo_fail(plan->context, ORDO_MESSAGE_ARG_OVERLAP,
                         &(ordo_report){.s = a->name,
                                        .t = b->name,
                                        .a = a->arg->offset_bytes,
                                        .b = b->arg->offset_bytes,
                                        .c = a->needed_bytes});
    }
    return ORDO_OK;
}

static ordo_status check_args(ordo_plan *plan, const ordo_args *args) {
    named_arg list[ARG_COUNT];
    list_args(plan, args, list);
    for (uint32_t i = 0; i < ARG_COUNT; i++) {
        ordo_status status = check_arg(plan, &list[i]);
        for (uint32_t j = 0; status == ORDO_OK && j < i; j++) {
            status = check_pair(plan, &list[j], &list[i]);
        }
        if (status != ORDO_OK) {
            return status;
        }
    }
    return ORDO_OK;
}

static bool same_buffer(const ordo_buffer *a, const ordo_buffer *b) {
    return a->buffer == b->buffer && a->offset_bytes == b->offset_bytes;
}

static bool is_bound_to(const ordo_plan *plan, const ordo_args *args) {
    const ordo_args *bound = &plan->bound;
    return plan->is_bound && same_buffer(&bound->in, &args->in) &&
           same_buffer(&bound->out, &args->out) &&
           same_buffer(&bound->values_in, &args->values_in) &&
           same_buffer(&bound->values_out, &args->values_out) &&
           same_buffer(&bound->edges, &args->edges) && same_buffer(&bound->starts, &args->starts) &&
           same_buffer(&bound->count, &args->count) && same_buffer(&bound->scratch, &args->scratch);
}

/* Bind the ranges of one step. */
static WGPUBindGroup bind_step(const ordo_plan *plan, const ordo_args *args, uint32_t number) {
    const ordo_step *step = &plan->steps[number].step;
    ordo_buffer slots[] = {
        [ORDO_SLOT_SCRATCH] =
            plan->caller_scratch ? args->scratch : (ordo_buffer){plan->scratch, 0},
        [ORDO_SLOT_IN] = args->in,
        [ORDO_SLOT_OUT] = args->out,
        [ORDO_SLOT_VALUES_IN] = args->values_in,
        [ORDO_SLOT_VALUES_OUT] = args->values_out,
        [ORDO_SLOT_EDGES] = args->edges,
        [ORDO_SLOT_STARTS] = args->starts,
    };
    uint64_t stride = plan->params_stride;
    ordo_buffer own_count = {plan->params, stride * plan->summary.step_count};
    ordo_buffer count = args->count.buffer ? args->count : own_count;
    WGPUBindGroupEntry entries[2 + ORDO_MAX_RANGES] = {
        {.binding = 0,
         .buffer = plan->params,
         .offset = stride * number,
         .size = 4 * ORDO_MAX_PARAMS},
        {.binding = 1, .buffer = count.buffer, .offset = count.offset_bytes, .size = 4},
    };
    for (uint32_t i = 0; i < step->range_count; i++) {
        const ordo_range *range = &step->ranges[i];
        entries[2 + i] = (WGPUBindGroupEntry){
            .binding = 2 + i,
            .buffer = slots[range->slot].buffer,
            .offset = slots[range->slot].offset_bytes + range->offset_bytes,
            .size = range->size_bytes,
        };
    }
    WGPUBindGroupDescriptor desc = {.label = ordo_view(step->entry),
                                    .layout = plan->context->layouts[step->range_count].group,
                                    .entryCount = 2 + step->range_count,
                                    .entries = entries};
    return wgpuDeviceCreateBindGroup(plan->context->device, &desc);
}

static void bind_steps(ordo_plan *plan, const ordo_args *args) {
    if (is_bound_to(plan, args)) {
        return;
    }
    ordo_plan_unbind(plan);
    for (uint32_t i = 0; i < plan->summary.step_count; i++) {
        plan->steps[i].bind_group = bind_step(plan, args, i);
    }
    plan->bound = *args;
    plan->is_bound = true;
    hold_buffers(plan, wgpuBufferAddRef);
}

ordo_status ordo_encode(ordo_plan *plan, WGPUCommandEncoder encoder, const ordo_args *args) {
    if (!plan) {
        return ORDO_INVALID;
    }
    if (!encoder || !args) {
        return ordo_fail(plan->context, ORDO_MESSAGE_DESC_NULL,
                         &(ordo_report){.s = encoder ? "args" : "encoder"});
    }
    ordo_status status = check_args(plan, args);
    if (status != ORDO_OK) {
        return status;
    }
    bind_steps(plan, args);
    WGPUComputePassDescriptor desc = {.label = ordo_view("ordo"),
                                      .timestampWrites = args->timestamps};
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, &desc);
    WGPUComputePipeline set = NULL;
    for (uint32_t i = 0; i < plan->summary.step_count; i++) {
        const plan_step *at = &plan->steps[i];
        if (at->pipeline != set) {
            set = at->pipeline;
            wgpuComputePassEncoderSetPipeline(pass, set);
        }
        wgpuComputePassEncoderSetBindGroup(pass, 0, at->bind_group, 0, NULL);
        wgpuComputePassEncoderDispatchWorkgroups(pass, at->step.group_count_x,
                                                 at->step.group_count_y, 1);
    }
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return ORDO_OK;
}
