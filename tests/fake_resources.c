/* SPDX-License-Identifier: MIT */
/*
 * fake_resources.c: what a device makes for the fake WebGPU: buffers and their mapping, shader
 * modules, layouts, pipelines, bind groups, and the rules that hold when they are made.
 */
#include "fake_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- Buffers ----------------------------------------------------------------------------------*/

static bool buffer_rules(const WGPUBufferDescriptor *descriptor) {
    const WGPUBufferUsage usage = descriptor->usage;
    if (usage == 0)
        fake_violate("createBuffer: usage is 0");
    else if ((usage & WGPUBufferUsage_MapRead) &&
             (usage & ~(WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst)))
        fake_violate("createBuffer: MapRead goes with CopyDst only");
    else if ((usage & WGPUBufferUsage_MapWrite) &&
             (usage & ~(WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc)))
        fake_violate("createBuffer: MapWrite goes with CopySrc only");
    else if (descriptor->size > fake.limits.maxBufferSize)
        fake_violate("createBuffer: %llu bytes are more than maxBufferSize",
                     (unsigned long long)descriptor->size);
    else if (descriptor->mappedAtCreation)
        fake_violate("createBuffer: mapping at creation is unknown to the fake");
    else
        return true;
    return false;
}

void fake_touch(WGPUBuffer buffer) {
    if (!buffer->bytes)
        buffer->bytes = fake_alloc((size_t)buffer->size);
}

uint8_t *fake_bytes(WGPUBuffer buffer) {
    fake_touch(buffer);
    return buffer->bytes;
}

WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device, const WGPUBufferDescriptor *descriptor) {
    if (!fake_check(device, FAKE_DEVICE, "wgpuDeviceCreateBuffer"))
        return NULL;
    WGPUBuffer buffer = fake_new(FAKE_BUFFER, sizeof *buffer, descriptor->label);
    buffer->object.error = fake_fails("buffer") || !buffer_rules(descriptor);
    buffer->usage = descriptor->usage;
    buffer->size = descriptor->size;
    return buffer;
}

uint64_t wgpuBufferGetSize(WGPUBuffer buffer) {
    return fake_check(buffer, FAKE_BUFFER, "wgpuBufferGetSize") ? buffer->size : 0;
}

WGPUBufferUsage wgpuBufferGetUsage(WGPUBuffer buffer) {
    return fake_check(buffer, FAKE_BUFFER, "wgpuBufferGetUsage") ? buffer->usage : 0;
}

static bool map_rules(WGPUBuffer buffer, WGPUMapMode mode, uint64_t offset, uint64_t size) {
    if (buffer->object.error)
        fake_report(WGPUErrorType_Validation, "mapAsync: the buffer is an error object");
    else if (buffer->destroyed || buffer->map_state != FAKE_UNMAPPED)
        fake_violate("mapAsync: the buffer is destroyed, mapped or being mapped");
    else if (mode != WGPUMapMode_Read)
        fake_violate("mapAsync: a mode other than Read is unknown to the fake");
    else if (!(buffer->usage & WGPUBufferUsage_MapRead))
        fake_violate("mapAsync: the buffer lacks MapRead usage");
    else if (offset % 8 || size % 4)
        fake_violate("mapAsync: offset is no multiple of 8, or size none of 4");
    else if (offset > buffer->size || size > buffer->size - offset)
        fake_violate("mapAsync: the range ends outside the buffer");
    else
        return true;
    return false;
}

WGPUFuture wgpuBufferMapAsync(WGPUBuffer buffer, WGPUMapMode mode, size_t offset, size_t size,
                              WGPUBufferMapCallbackInfo info) {
    if (!fake_check(buffer, FAKE_BUFFER, "wgpuBufferMapAsync"))
        return (WGPUFuture){0};
    fake_event event = {.map = info.callback,
                        .buffer = buffer,
                        .status = WGPUMapAsyncStatus_Success,
                        .user1 = info.userdata1,
                        .user2 = info.userdata2};
    if (size == WGPU_WHOLE_MAP_SIZE && offset <= buffer->size)
        size = (size_t)buffer->size - offset;
    if (!map_rules(buffer, mode, offset, size)) {
        event.status = WGPUMapAsyncStatus_Error;
        snprintf(event.message, sizeof event.message, "mapAsync is not valid");
    } else {
        buffer->map_state = FAKE_MAP_PENDING;
        buffer->map_offset = offset;
        buffer->map_size = size;
        if (fake.lost)
            event.status = WGPUMapAsyncStatus_Aborted;
        else if (fake.good_maps)
            fake.good_maps--;
        else if (fake.stalled)
            event.stalled = true;
        else if (fake.map_status)
            event.status = fake.map_status;
    }
    if (fake.lost && fake.lost_is_an_error) {
        event.status = WGPUMapAsyncStatus_Error;
        fake_report(WGPUErrorType_Validation, "Parent device is lost");
    }
    if (event.status == WGPUMapAsyncStatus_Aborted)
        snprintf(event.message, sizeof event.message, "the device is lost");
    fake_post(&event, info.mode);
    return (WGPUFuture){1};
}

const void *wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset, size_t size) {
    if (!fake_check(buffer, FAKE_BUFFER, "wgpuBufferGetConstMappedRange"))
        return NULL;
    if (size == WGPU_WHOLE_MAP_SIZE && offset <= buffer->size)
        size = (size_t)buffer->size - offset;
    if (buffer->map_state != FAKE_MAPPED || buffer->destroyed)
        fake_fault("getMappedRange: the buffer is not mapped");
    else if (offset % 8 || size % 4)
        fake_fault("getMappedRange: offset is no multiple of 8, or size none of 4");
    else if (offset < buffer->map_offset || offset + size > buffer->map_offset + buffer->map_size)
        fake_fault("getMappedRange: outside the mapped range");
    else
        return buffer->mapped + (offset - buffer->map_offset);
    return NULL;
}

void wgpuBufferUnmap(WGPUBuffer buffer) {
    if (!fake_check(buffer, FAKE_BUFFER, "wgpuBufferUnmap"))
        return;
    if (buffer->map_state == FAKE_MAPPED) {
        fake_free(buffer->mapped);
        buffer->mapped = NULL;
    }
    buffer->map_state = FAKE_UNMAPPED;
}

void wgpuBufferDestroy(WGPUBuffer buffer) {
    wgpuBufferUnmap(buffer);
    buffer->destroyed = true;
}

/* ---- Shader modules ---------------------------------------------------------------------------*/

/* The place of a whole word in a text, from `from` on; NULL if there is none. */
static const char *find_word(const char *from, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(from, word); at; at = strstr(at + 1, word)) {
        const bool starts = at == from || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        const char after = at[length];
        if (starts && !(isalnum((unsigned char)after) || after == '_'))
            return at;
    }
    return NULL;
}

/* Whether the text declares `keyword name`, as in `override digit_bits` or `fn scatter`. */
static bool declares(const char *wgsl, const char *keyword, const char *name) {
    for (const char *at = find_word(wgsl, keyword); at; at = find_word(at + 1, keyword)) {
        const char *word = at + strlen(keyword);
        word += strspn(word, " \t\r\n");
        const size_t length = strlen(name);
        if (strncmp(word, name, length) == 0 && find_word(word, name) == word)
            return true;
    }
    return false;
}

/* Whether the text calls subgroupAdd, subgroupShuffleUp … or takes a builtin value of them. */
static bool uses_subgroups(const char *wgsl) {
    for (const char *at = strstr(wgsl, "subgroup"); at; at = strstr(at + 1, "subgroup")) {
        const char *end = at + strlen("subgroup");
        if (!isupper((unsigned char)*end))
            continue;
        while (isalnum((unsigned char)*end))
            end++;
        if (*end == '(')
            return true;
    }
    return find_word(wgsl, "subgroup_size") || find_word(wgsl, "subgroup_invocation_id");
}

static bool module_rules(const char *wgsl) {
    const char *enable = strstr(wgsl, "enable subgroups;");
    fake.modules_enabling += enable != NULL;
    fake.modules_with_subgroups += uses_subgroups(wgsl);
    if (enable && (fake.native_subgroups || !fake.has_subgroups))
        fake_violate("createShaderModule: `enable subgroups;` is refused here");
    else if (enable && enable != wgsl)
        fake_violate("createShaderModule: `enable subgroups;` is not the first line");
    else if (!enable && !fake.native_subgroups && uses_subgroups(wgsl))
        fake_violate("createShaderModule: a subgroup builtin without `enable subgroups;`");
    else
        return true;
    return false;
}

WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice device,
                                              const WGPUShaderModuleDescriptor *descriptor) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceCreateShaderModule");
    const WGPUShaderSourceWGSL *source = (const WGPUShaderSourceWGSL *)descriptor->nextInChain;
    WGPUShaderModule module = fake_new(FAKE_SHADER_MODULE, sizeof *module, descriptor->label);
    snprintf(fake.last_module_label, sizeof fake.last_module_label, "%s", module->object.label);
    if (!source || source->chain.sType != WGPUSType_ShaderSourceWGSL || !source->code.data) {
        fake_violate("createShaderModule: no WGSL is chained");
        module->object.error = true;
        return module;
    }
    const size_t length =
        source->code.length == WGPU_STRLEN ? strlen(source->code.data) : source->code.length;
    module->wgsl = fake_alloc(length + 1);
    memcpy(module->wgsl, source->code.data, length);
    module->subgroups = uses_subgroups(module->wgsl);
    module->object.error = fake_fails("shader module") || !module_rules(module->wgsl);
    return module;
}

/* ---- Layouts ----------------------------------------------------------------------------------*/

static bool is_storage(WGPUBufferBindingType type) {
    return type == WGPUBufferBindingType_Storage || type == WGPUBufferBindingType_ReadOnlyStorage;
}

static bool layout_entry_rules(WGPUBindGroupLayout layout, const WGPUBindGroupLayoutEntry *entry) {
    if (entry->binding >= FAKE_MAX_BINDINGS || layout->types[entry->binding])
        fake_violate("createBindGroupLayout: binding %u is too high or given twice",
                     entry->binding);
    else if (entry->visibility != WGPUShaderStage_Compute)
        fake_violate("createBindGroupLayout: binding %u is not for compute", entry->binding);
    else if (entry->sampler.type || entry->texture.sampleType || entry->storageTexture.access)
        fake_violate("createBindGroupLayout: binding %u is more than a buffer", entry->binding);
    else if (entry->buffer.type != WGPUBufferBindingType_Uniform && !is_storage(entry->buffer.type))
        fake_violate("createBindGroupLayout: binding %u has no buffer type", entry->binding);
    else if (entry->buffer.hasDynamicOffset)
        fake_violate("createBindGroupLayout: dynamic offsets are unknown to the fake");
    else
        return true;
    return false;
}

WGPUBindGroupLayout
wgpuDeviceCreateBindGroupLayout(WGPUDevice device,
                                const WGPUBindGroupLayoutDescriptor *descriptor) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceCreateBindGroupLayout");
    WGPUBindGroupLayout layout =
        fake_new(FAKE_BIND_GROUP_LAYOUT, sizeof *layout, descriptor->label);
    layout->object.error = fake_fails("bind group layout");
    unsigned storage = 0;
    for (size_t i = 0; i < descriptor->entryCount; i++) {
        const WGPUBindGroupLayoutEntry *entry = &descriptor->entries[i];
        if (!layout_entry_rules(layout, entry)) {
            layout->object.error = true;
            continue;
        }
        layout->types[entry->binding] = entry->buffer.type;
        layout->min_sizes[entry->binding] = entry->buffer.minBindingSize;
        storage += is_storage(entry->buffer.type);
    }
    if (storage > fake.limits.maxStorageBuffersPerShaderStage) {
        fake_violate("createBindGroupLayout: %u storage buffers are more than "
                     "maxStorageBuffersPerShaderStage",
                     storage);
        layout->object.error = true;
    }
    return layout;
}

WGPUPipelineLayout wgpuDeviceCreatePipelineLayout(WGPUDevice device,
                                                  const WGPUPipelineLayoutDescriptor *descriptor) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceCreatePipelineLayout");
    WGPUPipelineLayout layout = fake_new(FAKE_PIPELINE_LAYOUT, sizeof *layout, descriptor->label);
    layout->object.error = fake_fails("pipeline layout");
    layout->group_count = descriptor->bindGroupLayoutCount;
    if (layout->group_count > FAKE_MAX_GROUPS) {
        fake_violate("createPipelineLayout: more than %d groups", FAKE_MAX_GROUPS);
        layout->group_count = 0;
        layout->object.error = true;
    }
    for (size_t i = 0; i < layout->group_count; i++) {
        layout->groups[i] = descriptor->bindGroupLayouts[i];
        if (!fake_check(layout->groups[i], FAKE_BIND_GROUP_LAYOUT, "createPipelineLayout")) {
            layout->group_count = i;
            layout->object.error = true;
        } else if (layout->groups[i]->object.error) {
            fake_report(WGPUErrorType_Validation, "createPipelineLayout: a group is an error");
            layout->object.error = true;
        }
    }
    return layout;
}

/* ---- Pipelines --------------------------------------------------------------------------------*/

static bool constants_rules(const char *wgsl, const WGPUComputeState *compute) {
    for (size_t i = 0; i < compute->constantCount; i++) {
        char name[64];
        fake_copy_string(name, sizeof name, compute->constants[i].key);
        if (!declares(wgsl, "override", name)) {
            fake_violate("createComputePipeline: the module has no override \"%s\"", name);
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            char other[64];
            fake_copy_string(other, sizeof other, compute->constants[k].key);
            if (strcmp(name, other) == 0) {
                fake_violate("createComputePipeline: the override \"%s\" is given twice", name);
                return false;
            }
        }
    }
    return true;
}

/* Each `@group(g) @binding(b) var<kind>` of the module that the layout has too is of its type. */
static bool bindings_rules(const char *wgsl, WGPUPipelineLayout layout) {
    for (const char *at = strstr(wgsl, "@group("); at; at = strstr(at + 1, "@group(")) {
        unsigned group, binding;
        char kind[32];
        if (sscanf(at, "@group(%u) @binding(%u) var<%31[^>]>", &group, &binding, kind) != 3 ||
            group >= layout->group_count || binding >= FAKE_MAX_BINDINGS)
            continue;
        const WGPUBufferBindingType type = layout->groups[group]->types[binding];
        const WGPUBufferBindingType wanted =
            strcmp(kind, "uniform") == 0 ? WGPUBufferBindingType_Uniform
            : strstr(kind, "read_write") ? WGPUBufferBindingType_Storage
                                         : WGPUBufferBindingType_ReadOnlyStorage;
        if (type != WGPUBufferBindingType_BindingNotUsed && type != wanted) {
            fake_violate("createComputePipeline: binding %u is var<%s> in the module and another "
                         "type in the layout",
                         binding, kind);
            return false;
        }
    }
    return true;
}

static bool pipeline_rules(WGPUComputePipeline pipeline,
                           const WGPUComputePipelineDescriptor *descriptor) {
    const WGPUComputeState *compute = &descriptor->compute;
    if (!fake_check(descriptor->layout, FAKE_PIPELINE_LAYOUT, "createComputePipeline") ||
        !fake_check(compute->module, FAKE_SHADER_MODULE, "createComputePipeline"))
        return false;
    if (descriptor->layout->object.error || compute->module->object.error) {
        fake_report(WGPUErrorType_Validation, "createComputePipeline: from an error object");
        return false;
    }
    if (!declares(compute->module->wgsl, "fn", pipeline->entry)) {
        fake_violate("createComputePipeline: the module \"%s\" has no entry point \"%s\"",
                     compute->module->object.label, pipeline->entry);
        return false;
    }
    return constants_rules(compute->module->wgsl, compute) &&
           bindings_rules(compute->module->wgsl, descriptor->layout);
}

static void keep_constants(WGPUComputePipeline pipeline, const WGPUComputeState *compute) {
    for (size_t i = 0; i < compute->constantCount && i < FAKE_MAX_CONSTANTS; i++) {
        fake_constant *kept = &pipeline->constants[pipeline->constant_count++];
        fake_copy_string(kept->name, sizeof kept->name, compute->constants[i].key);
        kept->value = compute->constants[i].value;
    }
}

WGPUComputePipeline
wgpuDeviceCreateComputePipeline(WGPUDevice device,
                                const WGPUComputePipelineDescriptor *descriptor) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceCreateComputePipeline");
    WGPUComputePipeline pipeline =
        fake_new(FAKE_COMPUTE_PIPELINE, sizeof *pipeline, descriptor->label);
    pipeline->layout = descriptor->layout;
    fake_copy_string(pipeline->entry, sizeof pipeline->entry, descriptor->compute.entryPoint);
    keep_constants(pipeline, &descriptor->compute);
    pipeline->object.error =
        fake_fails("compute pipeline") || !pipeline_rules(pipeline, descriptor);
    pipeline->subgroups = !pipeline->object.error && descriptor->compute.module->subgroups;
    return pipeline;
}

/* ---- Bind groups ------------------------------------------------------------------------------*/

static bool entry_rules(WGPUBindGroupLayout layout, const WGPUBindGroupEntry *entry,
                        uint64_t size) {
    const WGPULimits *limits = &fake.limits;
    const WGPUBufferBindingType type = layout->types[entry->binding];
    const bool uniform = type == WGPUBufferBindingType_Uniform;
    const uint32_t alignment =
        uniform ? limits->minUniformBufferOffsetAlignment : limits->minStorageBufferOffsetAlignment;
    const uint64_t most =
        uniform ? limits->maxUniformBufferBindingSize : limits->maxStorageBufferBindingSize;
    const WGPUBufferUsage usage = uniform ? WGPUBufferUsage_Uniform : WGPUBufferUsage_Storage;
    const unsigned b = entry->binding;
    if (entry->sampler || entry->textureView)
        fake_violate("createBindGroup: binding %u is more than a buffer", b);
    else if (!(entry->buffer->usage & usage))
        fake_violate("createBindGroup: the buffer of binding %u lacks %s usage", b,
                     uniform ? "Uniform" : "Storage");
    else if (entry->offset % alignment)
        fake_violate("createBindGroup: the offset of binding %u is no multiple of %u", b,
                     alignment);
    else if (entry->offset > entry->buffer->size || size > entry->buffer->size - entry->offset)
        fake_violate("createBindGroup: binding %u ends outside its buffer", b);
    else if (size == 0 || (!uniform && size % 4))
        fake_violate("createBindGroup: the size of binding %u is 0 or no multiple of 4", b);
    else if (size < layout->min_sizes[b])
        fake_violate("createBindGroup: binding %u is below minBindingSize", b);
    else if (size > most)
        fake_violate("createBindGroup: binding %u is larger than the device's limit", b);
    else
        return true;
    return false;
}

static bool fill_bind_group(WGPUBindGroup group, const WGPUBindGroupDescriptor *descriptor) {
    WGPUBindGroupLayout layout = descriptor->layout;
    size_t wanted = 0;
    for (size_t b = 0; b < FAKE_MAX_BINDINGS; b++)
        wanted += layout->types[b] != WGPUBufferBindingType_BindingNotUsed;
    if (wanted != descriptor->entryCount) {
        fake_violate("createBindGroup: %zu entries for a layout of %zu", descriptor->entryCount,
                     wanted);
        return false;
    }
    for (size_t i = 0; i < descriptor->entryCount; i++) {
        const WGPUBindGroupEntry *entry = &descriptor->entries[i];
        const uint32_t b = entry->binding;
        if (b >= FAKE_MAX_BINDINGS || group->buffers[b] ||
            layout->types[b] == WGPUBufferBindingType_BindingNotUsed) {
            fake_violate("createBindGroup: binding %u is not in the layout, or given twice", b);
            return false;
        }
        if (!fake_check(entry->buffer, FAKE_BUFFER, "createBindGroup"))
            return false;
        if (entry->buffer->object.error) {
            fake_report(WGPUErrorType_Validation, "createBindGroup: a buffer is an error object");
            return false;
        }
        const uint64_t size =
            entry->size == WGPU_WHOLE_SIZE ? entry->buffer->size - entry->offset : entry->size;
        if (!entry_rules(layout, entry, size))
            return false;
        group->buffers[b] = entry->buffer;
        group->offsets[b] = entry->offset;
        group->sizes[b] = size;
    }
    return true;
}

WGPUBindGroup wgpuDeviceCreateBindGroup(WGPUDevice device,
                                        const WGPUBindGroupDescriptor *descriptor) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceCreateBindGroup");
    WGPUBindGroup group = fake_new(FAKE_BIND_GROUP, sizeof *group, descriptor->label);
    group->layout = descriptor->layout;
    if (fake_fails("bind group") ||
        !fake_check(group->layout, FAKE_BIND_GROUP_LAYOUT, "createBindGroup")) {
        group->object.error = true;
    } else if (group->layout->object.error) {
        fake_report(WGPUErrorType_Validation, "createBindGroup: the layout is an error object");
        group->object.error = true;
    } else {
        group->object.error = !fill_bind_group(group, descriptor);
    }
    return group;
}

WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device, const WGPUQuerySetDescriptor *descriptor) {
    fake_check(device, FAKE_DEVICE, "wgpuDeviceCreateQuerySet");
    WGPUQuerySet set = fake_new(FAKE_QUERY_SET, sizeof *set, descriptor->label);
    set->count = descriptor->count;
    return set;
}
