/* SPDX-License-Identifier: MIT */
/*
 * fake_commands.c: encoders, passes and the queue of the fake WebGPU. Commands run when they are
 * submitted: copies move bytes, a dispatch calls fake.on_dispatch.
 */
#include "fake_internal.h"

#include <string.h>

/* ---- Encoders ---------------------------------------------------------------------------------*/

WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice device,
                                                  const WGPUCommandEncoderDescriptor *descriptor) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceCreateCommandEncoder");
    WGPUCommandEncoder encoder =
        fake_new(FAKE_COMMAND_ENCODER, sizeof *encoder,
                 descriptor ? descriptor->label : (WGPUStringView){NULL, 0});
    encoder->object.error = fake_fails("command encoder");
    return encoder;
}

/* Whether commands may be recorded now. In an error encoder everything is accepted. */
static bool may_record(WGPUCommandEncoder encoder, const char *function) {
    if (!fake_check(encoder, FAKE_COMMAND_ENCODER, function))
        return false;
    if (encoder->state == FAKE_OPEN)
        return true;
    fake_violate("%s: the encoder %s", function,
                 encoder->state == FAKE_FINISHED ? "is finished" : "has an open pass");
    encoder->object.error = true;
    return false;
}

static fake_command *record(WGPUCommandEncoder encoder) {
    fake_command *command = fake_alloc(sizeof *command);
    if (encoder->last)
        encoder->last->next = command;
    else
        encoder->first = command;
    encoder->last = command;
    return command;
}

/* Whether a range of a buffer may be read or written by a copy. */
static bool copy_rules(WGPUBuffer buffer, uint64_t offset, uint64_t size, WGPUBufferUsage usage,
                       const char *function) {
    if (!fake_check(buffer, FAKE_BUFFER, function))
        return false;
    if (buffer->object.error) {
        fake_report(WGPUErrorType_Validation, "a buffer of a copy is an error object");
        return false;
    }
    if (!(buffer->usage & usage))
        fake_violate("%s: the buffer \"%s\" lacks %s usage", function, buffer->object.label,
                     usage == WGPUBufferUsage_CopySrc ? "CopySrc" : "CopyDst");
    else if (offset % 4 || size % 4)
        fake_violate("%s: offset or size is no multiple of 4", function);
    else if (offset > buffer->size || size > buffer->size - offset)
        fake_violate("%s: the range ends outside the buffer \"%s\"", function,
                     buffer->object.label);
    else
        return true;
    return false;
}

void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder encoder, WGPUBuffer source,
                                          uint64_t source_offset, WGPUBuffer target,
                                          uint64_t target_offset, uint64_t size) {
    if (!may_record(encoder, "copyBufferToBuffer"))
        return;
    if (size == WGPU_WHOLE_SIZE && fake_check(source, FAKE_BUFFER, "copyBufferToBuffer"))
        size = source->size - source_offset;
    if (source == target)
        fake_violate("copyBufferToBuffer: source and target are one buffer");
    if (source == target ||
        !copy_rules(source, source_offset, size, WGPUBufferUsage_CopySrc, "copyBufferToBuffer") ||
        !copy_rules(target, target_offset, size, WGPUBufferUsage_CopyDst, "copyBufferToBuffer")) {
        encoder->object.error = true;
        return;
    }
    *record(encoder) = (fake_command){.source = source,
                                      .target = target,
                                      .source_offset = source_offset,
                                      .target_offset = target_offset,
                                      .size = size};
}

void wgpuCommandEncoderClearBuffer(WGPUCommandEncoder encoder, WGPUBuffer buffer, uint64_t offset,
                                   uint64_t size) {
    if (!may_record(encoder, "clearBuffer"))
        return;
    if (size == WGPU_WHOLE_SIZE && fake_check(buffer, FAKE_BUFFER, "clearBuffer"))
        size = buffer->size - offset;
    if (!copy_rules(buffer, offset, size, WGPUBufferUsage_CopyDst, "clearBuffer")) {
        encoder->object.error = true;
        return;
    }
    *record(encoder) = (fake_command){.target = buffer, .target_offset = offset, .size = size};
}

WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder encoder,
                                           const WGPUCommandBufferDescriptor *descriptor) {
    WGPUCommandBuffer buffer = fake_new(FAKE_COMMAND_BUFFER, sizeof *buffer,
                                        descriptor ? descriptor->label : (WGPUStringView){NULL, 0});
    if (!may_record(encoder, "finish")) {
        buffer->object.error = true;
        return buffer;
    }
    buffer->object.error = encoder->object.error || (fake.lost && fake.lost_is_an_error);
    if (buffer->object.error)
        fake_report(WGPUErrorType_Validation, "finish: the encoder holds an error");
    buffer->first = encoder->first;
    encoder->first = encoder->last = NULL;
    encoder->state = FAKE_FINISHED;
    return buffer;
}

/* ---- Compute passes ---------------------------------------------------------------------------*/

static bool timestamp_rules(const WGPUPassTimestampWrites *writes) {
    if (!fake_check(writes->querySet, FAKE_QUERY_SET, "beginComputePass"))
        return false;
    const uint32_t begin = writes->beginningOfPassWriteIndex;
    const uint32_t end = writes->endOfPassWriteIndex;
    const uint32_t count = writes->querySet->count;
    if ((begin != WGPU_QUERY_SET_INDEX_UNDEFINED && begin >= count) ||
        (end != WGPU_QUERY_SET_INDEX_UNDEFINED && end >= count) || begin == end) {
        fake_violate("beginComputePass: timestamp indices %u and %u of %u", begin, end, count);
        return false;
    }
    return true;
}

WGPUComputePassEncoder
wgpuCommandEncoderBeginComputePass(WGPUCommandEncoder encoder,
                                   const WGPUComputePassDescriptor *descriptor) {
    WGPUComputePassEncoder pass =
        fake_new(FAKE_COMPUTE_PASS, sizeof *pass,
                 descriptor ? descriptor->label : (WGPUStringView){NULL, 0});
    const WGPUPassTimestampWrites *writes = descriptor ? descriptor->timestampWrites : NULL;
    fake.passes++;
    fake.pass_has_timestamps = writes != NULL;
    if (writes)
        fake.pass_timestamps = *writes;
    if (!may_record(encoder, "beginComputePass")) {
        pass->object.error = true;
        return pass;
    }
    pass->encoder = encoder;
    encoder->state = FAKE_IN_PASS;
    if (writes && !timestamp_rules(writes))
        encoder->object.error = true;
    return pass;
}

static bool in_pass(WGPUComputePassEncoder pass, const char *function) {
    if (!fake_check(pass, FAKE_COMPUTE_PASS, function) || pass->object.error)
        return false;
    if (pass->ended) {
        fake_violate("%s: the pass has ended", function);
        return false;
    }
    return fake_check(pass->encoder, FAKE_COMMAND_ENCODER, function);
}

void wgpuComputePassEncoderSetPipeline(WGPUComputePassEncoder pass, WGPUComputePipeline pipeline) {
    if (in_pass(pass, "setPipeline") && fake_check(pipeline, FAKE_COMPUTE_PIPELINE, "setPipeline"))
        pass->pipeline = pipeline;
}

void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder pass, uint32_t index,
                                        WGPUBindGroup group, size_t dynamic_offset_count,
                                        const uint32_t *dynamic_offsets) {
    (void)dynamic_offsets;
    if (!in_pass(pass, "setBindGroup") || !fake_check(group, FAKE_BIND_GROUP, "setBindGroup"))
        return;
    if (index >= FAKE_MAX_GROUPS || dynamic_offset_count) {
        fake_violate("setBindGroup: group %u with %zu dynamic offsets", index,
                     dynamic_offset_count);
        pass->encoder->object.error = true;
        return;
    }
    pass->groups[index] = group;
}

/* One binding of a dispatch. */
typedef struct usage {
    WGPUBuffer buffer;
    uint64_t begin, end;
    bool writable;
    unsigned binding;
} usage;

/* In one dispatch a buffer is either read only or writable, and writable parts do not overlap. */
static bool pair_rules(const usage *a, const usage *b) {
    if (a->buffer != b->buffer || (!a->writable && !b->writable))
        return true;
    if (a->writable != b->writable) {
        fake_violate("dispatch: bindings %u and %u use the buffer \"%s\" both read-only and "
                     "writable",
                     a->binding, b->binding, a->buffer->object.label);
        return false;
    }
    if (a->begin < b->end && b->begin < a->end) {
        fake_violate("dispatch: writable bindings %u and %u overlap in the buffer \"%s\"",
                     a->binding, b->binding, a->buffer->object.label);
        return false;
    }
    return true;
}

static bool usage_rules(WGPUComputePassEncoder pass) {
    usage usages[FAKE_MAX_GROUPS * FAKE_MAX_BINDINGS];
    size_t count = 0;
    for (size_t g = 0; g < pass->pipeline->layout->group_count; g++) {
        for (unsigned b = 0; b < FAKE_MAX_BINDINGS; b++) {
            const WGPUBindGroup group = pass->groups[g];
            if (!group->buffers[b])
                continue;
            usages[count++] =
                (usage){group->buffers[b], group->offsets[b], group->offsets[b] + group->sizes[b],
                        group->layout->types[b] == WGPUBufferBindingType_Storage, b};
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (!pair_rules(&usages[k], &usages[i]))
                return false;
    return true;
}

static bool group_rules(WGPUComputePassEncoder pass) {
    const WGPUPipelineLayout layout = pass->pipeline->layout;
    for (size_t g = 0; g < layout->group_count; g++) {
        const WGPUBindGroup group = pass->groups[g];
        if (!group) {
            fake_violate("dispatch: group %zu is not set", g);
            return false;
        }
        if (group->object.error)
            return false;
        if (memcmp(group->layout->types, layout->groups[g]->types, sizeof group->layout->types) ||
            memcmp(group->layout->min_sizes, layout->groups[g]->min_sizes,
                   sizeof group->layout->min_sizes)) {
            fake_violate("dispatch: the bind group does not fit the pipeline \"%s\"",
                         pass->pipeline->object.label);
            return false;
        }
    }
    return usage_rules(pass);
}

void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder pass, uint32_t x, uint32_t y,
                                              uint32_t z) {
    if (!in_pass(pass, "dispatchWorkgroups"))
        return;
    const uint32_t most = fake.limits.maxComputeWorkgroupsPerDimension;
    bool valid = false;
    if (!pass->pipeline)
        fake_violate("dispatch: no pipeline is set");
    else if (x > most || y > most || z > most)
        fake_violate("dispatch: %u x %u x %u workgroups; the limit is %u", x, y, z, most);
    else if (x == 0 || y == 0 || z == 0)
        fake_fault("dispatch: %u x %u x %u workgroups do nothing", x, y, z);
    else
        valid = !pass->pipeline->object.error && group_rules(pass);
    if (!valid) {
        pass->encoder->object.error = true;
        return;
    }
    fake_command *command = record(pass->encoder);
    *command = (fake_command){.pipeline = pass->pipeline, .workgroups = {x, y, z}};
    memcpy(command->groups, pass->groups, sizeof command->groups);
    fake.dispatches++;
}

void wgpuComputePassEncoderEnd(WGPUComputePassEncoder pass) {
    if (!in_pass(pass, "end"))
        return;
    pass->ended = true;
    pass->encoder->state = FAKE_OPEN;
}

/* ---- The queue --------------------------------------------------------------------------------*/

static bool ready(WGPUBuffer buffer) {
    if (!buffer || (!buffer->destroyed && buffer->map_state == FAKE_UNMAPPED))
        return true;
    fake_violate("on the queue, the buffer \"%s\" is %s", buffer->object.label,
                 buffer->destroyed ? "destroyed" : "mapped");
    return false;
}

static bool all_ready(const fake_command *command) {
    for (; command; command = command->next) {
        if (!ready(command->source) || !ready(command->target))
            return false;
        for (size_t g = 0; g < FAKE_MAX_GROUPS; g++)
            for (size_t b = 0; command->groups[g] && b < FAKE_MAX_BINDINGS; b++)
                if (!ready(command->groups[g]->buffers[b]))
                    return false;
    }
    return true;
}

static void run_dispatch(const fake_command *command) {
    const WGPUBindGroup group = command->groups[0];
    fake_dispatch dispatch = {.kernel = command->pipeline->object.label,
                              .entry = command->pipeline->entry,
                              .subgroups = command->pipeline->subgroups,
                              .constants = command->pipeline->constants,
                              .constant_count = command->pipeline->constant_count,
                              .groups_x = command->workgroups[0],
                              .groups_y = command->workgroups[1],
                              .groups_z = command->workgroups[2]};
    for (size_t b = 0; group && b < FAKE_MAX_BINDINGS; b++) {
        if (!group->buffers[b])
            continue;
        fake_touch(group->buffers[b]);
        dispatch.buffer[b] = group->buffers[b];
        dispatch.data[b] = group->buffers[b]->bytes + group->offsets[b];
        dispatch.offset_bytes[b] = group->offsets[b];
        dispatch.size_bytes[b] = group->sizes[b];
    }
    fake.on_dispatch(fake.user, &dispatch);
}

static void run(const fake_command *command) {
    if (command->pipeline) {
        if (fake.on_dispatch)
            run_dispatch(command);
        return;
    }
    fake_touch(command->target);
    uint8_t *target = command->target->bytes + command->target_offset;
    if (command->source) {
        fake_touch(command->source);
        memcpy(target, command->source->bytes + command->source_offset, (size_t)command->size);
    } else {
        memset(target, 0, (size_t)command->size);
    }
}

static bool may_submit(WGPUCommandBuffer buffer) {
    if (!fake_check(buffer, FAKE_COMMAND_BUFFER, "wgpuQueueSubmit"))
        return false;
    if (buffer->submitted) {
        fake_violate("submit: the command buffer was submitted before");
        return false;
    }
    buffer->submitted = true;
    if (buffer->object.error) {
        fake_violate("submit: the command buffer is an error object; wgpu-native aborts here");
        return false;
    }
    return all_ready(buffer->first);
}

void wgpuQueueSubmit(WGPUQueue queue, size_t count, const WGPUCommandBuffer *buffers) {
    fake_check(queue, FAKE_QUEUE, "wgpuQueueSubmit");
    fake.submits++;
    if (fake.lost && fake.lost_is_an_error)
        fake_fault("submit: the device is lost; wgpu-native aborts here");
    if (fake.lose_at_submit)
        fake.lost = true;
    if (fake.lost)
        return;
    for (size_t i = 0; i < count; i++)
        if (!may_submit(buffers[i]))
            return; /* one bad command buffer stops the whole submit */
    for (size_t i = 0; i < count; i++)
        for (const fake_command *command = buffers[i]->first; command; command = command->next)
            run(command);
}

void wgpuQueueWriteBuffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t offset, const void *data,
                          size_t size) {
    fake_check(queue, FAKE_QUEUE, "wgpuQueueWriteBuffer");
    if (fake.lost && fake.lost_is_an_error)
        fake_report(WGPUErrorType_Validation, "Parent device is lost");
    if (!copy_rules(buffer, offset, size, WGPUBufferUsage_CopyDst, "writeBuffer") ||
        !ready(buffer) || fake.lost)
        return;
    fake_touch(buffer);
    if (size)
        memcpy(buffer->bytes + offset, data, size);
}
