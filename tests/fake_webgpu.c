/* SPDX-License-Identifier: MIT */
/*
 * fake_webgpu.c: the world of the fake: objects and their references, errors and their scopes,
 * callbacks, and host memory that fails. fake_webgpu.h says what it is for.
 */
#include "fake_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SCOPES 16
#define LATER_EVENTS 3
#define MUCH_LATER_EVENTS 100

typedef struct scope {
    WGPUErrorFilter filter;
    WGPUErrorType error; /* 0: none so far */
    char message[256];
} scope;

fake_state fake;
static fake_object *objects;
static fake_event *events;
static scope scopes[MAX_SCOPES];
WGPUQueue fake_queue;

static const char *const kind_names[FAKE_KIND_COUNT] = {
    "instance",
    "adapter",
    "device",
    "queue",
    "buffer",
    "shader module",
    "bind group layout",
    "pipeline layout",
    "compute pipeline",
    "bind group",
    "command encoder",
    "compute pass",
    "command buffer",
    "query set",
};

/* ---- Host memory ------------------------------------------------------------------------------*/

/* The linker's --wrap sends every malloc of the test program here, and __real_malloc to libc. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void __wrap_free(void *block);

static bool malloc_fails(void) {
    fake.mallocs++;
    return fake.fail_malloc != 0 && --fake.fail_malloc == 0;
}

static void *counted(void *block) {
    if (block)
        fake.blocks++;
    return block;
}

void *__wrap_malloc(size_t bytes) { return malloc_fails() ? NULL : counted(__real_malloc(bytes)); }

void *__wrap_calloc(size_t count, size_t bytes) {
    return malloc_fails() ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes) {
    if (malloc_fails())
        return NULL;
    void *moved = __real_realloc(block, bytes);
    return block ? moved : counted(moved);
}

void __wrap_free(void *block) {
    if (block)
        fake.blocks--;
    __real_free(block);
}

void *fake_alloc(size_t bytes) {
    void *block = __real_calloc(1, bytes ? bytes : 1);
    if (!block) {
        fputs("fake_webgpu: no memory for the test itself\n", stderr);
        exit(2);
    }
    return block;
}

void fake_free(void *block) { __real_free(block); }

/* ---- Errors -----------------------------------------------------------------------------------*/

static bool catches(WGPUErrorFilter filter, WGPUErrorType type) {
    return (filter == WGPUErrorFilter_Validation && type == WGPUErrorType_Validation) ||
           (filter == WGPUErrorFilter_OutOfMemory && type == WGPUErrorType_OutOfMemory) ||
           (filter == WGPUErrorFilter_Internal && type == WGPUErrorType_Internal);
}

void fake_report(WGPUErrorType type, const char *message) {
    for (unsigned i = fake.scope_depth; i > 0; i--) {
        scope *s = &scopes[i - 1];
        if (!catches(s->filter, type))
            continue;
        if (!s->error) { /* a scope keeps the first error */
            s->error = type;
            snprintf(s->message, sizeof s->message, "%s", message);
        }
        return;
    }
    fake.uncaptured++;
}

static void note(const char *text) {
    if (fake.violations++ == 0)
        snprintf(fake.violation, sizeof fake.violation, "%s", text);
}

void fake_fault(const char *format, ...) {
    char text[sizeof fake.violation];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    note(text);
}

void fake_violate(const char *format, ...) {
    char text[sizeof fake.violation];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    note(text);
    fake_report(WGPUErrorType_Validation, text);
}

void wgpuDevicePushErrorScope(WGPUDevice device, WGPUErrorFilter filter) {
    if (!fake_check(device, FAKE_DEVICE, "wgpuDevicePushErrorScope"))
        return;
    if (filter == WGPUErrorFilter_Internal)
        fake_fault("wgpuDevicePushErrorScope: wgpu-native 29 aborts on the filter Internal");
    if (fake.scope_depth == MAX_SCOPES) {
        fake_fault("%d error scopes are open: one is not popped", MAX_SCOPES);
        return;
    }
    scopes[fake.scope_depth++] = (scope){.filter = filter};
}

WGPUFuture wgpuDevicePopErrorScope(WGPUDevice device, WGPUPopErrorScopeCallbackInfo info) {
    fake_check(device, FAKE_DEVICE, "wgpuDevicePopErrorScope");
    fake_event event = {.pop = info.callback,
                        .status = WGPUPopErrorScopeStatus_Success,
                        .error = WGPUErrorType_NoError,
                        .user1 = info.userdata1,
                        .user2 = info.userdata2};
    if (fake.scope_depth == 0) {
        fake_fault("wgpuDevicePopErrorScope: no error scope is open");
        event.status = WGPUPopErrorScopeStatus_Error;
    } else {
        const scope *s = &scopes[--fake.scope_depth];
        const bool pops = fake.good_pops > 0;
        fake.good_pops -= pops;
        if (!pops && fake.pop_status) {
            event.status = fake.pop_status;
        } else if (s->error && (!fake.lost || fake.lost_is_an_error)) {
            event.error = s->error;
            snprintf(event.message, sizeof event.message, "%s", s->message);
        }
    }
    fake_post(&event, info.mode);
    return (WGPUFuture){1};
}

/* ---- Callbacks --------------------------------------------------------------------------------*/

static void finish_mapping(const fake_event *event) {
    WGPUBuffer buffer = event->buffer;
    if (event->status != WGPUMapAsyncStatus_Success) {
        buffer->map_state = FAKE_UNMAPPED;
        return;
    }
    fake_touch(buffer);
    buffer->map_state = FAKE_MAPPED;
    buffer->mapped = fake_alloc((size_t)buffer->map_size);
    memcpy(buffer->mapped, buffer->bytes + buffer->map_offset, (size_t)buffer->map_size);
}

/* Strings handed out are not zero-terminated and die with the call, so that code which keeps or
   overreads them is caught by a sanitizer. */
static void deliver(fake_event *event) {
    size_t length = strlen(event->message);
    char *message = fake_alloc(length);
    memcpy(message, event->message, length);
    WGPUStringView view = {length ? message : NULL, length};
    if (event->map) {
        if (event->buffer->map_state == FAKE_MAP_PENDING)
            finish_mapping(event);
        else if (event->status == WGPUMapAsyncStatus_Success) /* unmapped in the meantime */
            event->status = WGPUMapAsyncStatus_Aborted;
        event->map((WGPUMapAsyncStatus)event->status, view, event->user1, event->user2);
    } else if (event->pop) {
        event->pop((WGPUPopErrorScopeStatus)event->status, event->error, view, event->user1,
                   event->user2);
    } else if (event->adapter) {
        event->adapter((WGPURequestAdapterStatus)event->status, event->result, view, event->user1,
                       event->user2);
    } else if (event->device) {
        event->device((WGPURequestDeviceStatus)event->status, event->result, view, event->user1,
                      event->user2);
    }
    fake_free(message);
}

void fake_post(const fake_event *event, WGPUCallbackMode mode) {
    if (!event->map && !event->pop && !event->adapter && !event->device)
        fake_fault("a callback is NULL");
    if (mode != WGPUCallbackMode_AllowProcessEvents && mode != WGPUCallbackMode_AllowSpontaneous)
        fake_fault("callback mode %d never fires without wgpuInstanceWaitAny", (int)mode);
    fake_event *copy = fake_alloc(sizeof *copy);
    *copy = *event;
    if (fake.timing == FAKE_AT_ONCE && !event->stalled) {
        deliver(copy);
        fake_free(copy);
        return;
    }
    copy->delay = fake.timing == FAKE_LATER_EVENTS        ? LATER_EVENTS
                  : fake.timing == FAKE_MUCH_LATER_EVENTS ? MUCH_LATER_EVENTS
                                                          : 1;
    fake_event **end = &events;
    while (*end)
        end = &(*end)->next;
    *end = copy;
}

void wgpuInstanceProcessEvents(WGPUInstance instance) {
    fake.process_events++;
    if (!fake_check(instance, FAKE_INSTANCE, "wgpuInstanceProcessEvents"))
        return;
    fake_event *ready = NULL;
    fake_event **ready_end = &ready;
    for (fake_event **link = &events; *link;) {
        fake_event *event = *link;
        const bool waits = event->stalled && event->buffer->map_state == FAKE_MAP_PENDING;
        if (waits || --event->delay > 0) {
            link = &event->next;
            continue;
        }
        *link = event->next;
        event->next = NULL;
        *ready_end = event;
        ready_end = &event->next;
    }
    while (ready) {
        fake_event *event = ready;
        ready = event->next;
        deliver(event);
        fake_free(event);
    }
}

/* ---- Objects ----------------------------------------------------------------------------------*/

void fake_copy_string(char *to, size_t capacity, WGPUStringView from) {
    size_t length = !from.data ? 0 : from.length == WGPU_STRLEN ? strlen(from.data) : from.length;
    if (length >= capacity)
        length = capacity - 1;
    if (length)
        memcpy(to, from.data, length);
    to[length] = '\0';
}

void *fake_new(fake_kind kind, size_t size, WGPUStringView label) {
    fake_object *object = fake_alloc(size);
    object->kind = kind;
    object->references = 1;
    fake_copy_string(object->label, sizeof object->label, label);
    object->next = objects;
    objects = object;
    fake.created[kind]++;
    fake.live[kind]++;
    return object;
}

bool fake_fails(const char *what) {
    fake.creations++;
    if (fake.lost && fake.lost_is_an_error) {
        fake_report(WGPUErrorType_Validation, "Parent device is lost");
        return true;
    }
    if (fake.fail_creation == 0 || --fake.fail_creation != 0)
        return false;
    char message[128];
    snprintf(message, sizeof message, "the fake was told to fail this %s", what);
    fake_report(fake.fail_error ? fake.fail_error : WGPUErrorType_Validation, message);
    return true;
}

bool fake_check(const void *pointer, fake_kind kind, const char *function) {
    const fake_object *object = pointer;
    if (!object) {
        fake_fault("%s: the %s is NULL", function, kind_names[kind]);
        return false;
    }
    if (object->kind != kind) {
        fake_fault("%s: a %s where a %s belongs", function, kind_names[object->kind],
                   kind_names[kind]);
        return false;
    }
    if (object->references == 0) {
        fake_fault("%s: the %s \"%s\" is used after its release", function, kind_names[kind],
                   object->label);
        return false;
    }
    return true;
}

static void add_reference(void *pointer, fake_kind kind) {
    fake_object *object = pointer;
    if (fake_check(object, kind, "AddRef"))
        object->references++;
}

static void release(void *pointer, fake_kind kind) {
    fake_object *object = pointer;
    if (!fake_check(object, kind, "Release"))
        return;
    if (--object->references == 0)
        fake.live[kind]--;
}

#define REFERENCES(Type, KIND)                                                                     \
    void wgpu##Type##AddRef(WGPU##Type object) { add_reference(object, KIND); }                    \
    void wgpu##Type##Release(WGPU##Type object) { release(object, KIND); }

REFERENCES(Instance, FAKE_INSTANCE)
REFERENCES(Adapter, FAKE_ADAPTER)
REFERENCES(Device, FAKE_DEVICE)
REFERENCES(Queue, FAKE_QUEUE)
REFERENCES(Buffer, FAKE_BUFFER)
REFERENCES(ShaderModule, FAKE_SHADER_MODULE)
REFERENCES(BindGroupLayout, FAKE_BIND_GROUP_LAYOUT)
REFERENCES(PipelineLayout, FAKE_PIPELINE_LAYOUT)
REFERENCES(ComputePipeline, FAKE_COMPUTE_PIPELINE)
REFERENCES(BindGroup, FAKE_BIND_GROUP)
REFERENCES(CommandEncoder, FAKE_COMMAND_ENCODER)
REFERENCES(ComputePassEncoder, FAKE_COMPUTE_PASS)
REFERENCES(CommandBuffer, FAKE_COMMAND_BUFFER)
REFERENCES(QuerySet, FAKE_QUERY_SET)

/* ---- The world --------------------------------------------------------------------------------*/

static void set_default_limits(WGPULimits *limits) {
    *limits = (WGPULimits){
        .maxBindGroups = 4,
        .maxBindingsPerBindGroup = 1000,
        .maxStorageBuffersPerShaderStage = 8,
        .maxUniformBuffersPerShaderStage = 12,
        .maxUniformBufferBindingSize = 65536,
        .maxStorageBufferBindingSize = 134217728,
        .minUniformBufferOffsetAlignment = 256,
        .minStorageBufferOffsetAlignment = 256,
        .maxBufferSize = 268435456,
        .maxComputeWorkgroupStorageSize = 16384,
        .maxComputeInvocationsPerWorkgroup = 256,
        .maxComputeWorkgroupSizeX = 256,
        .maxComputeWorkgroupSizeY = 256,
        .maxComputeWorkgroupSizeZ = 64,
        .maxComputeWorkgroupsPerDimension = 65535,
    };
}

void fake_open(void) {
    if (objects) /* a test failed half-way */
        fake_close();
    fake = (fake_state){.backend = WGPUBackendType_Vulkan, .adapter_type = WGPUAdapterType_CPU};
    set_default_limits(&fake.limits);
    const WGPUStringView none = {NULL, 0};
    fake.instance = fake_new(FAKE_INSTANCE, sizeof *fake.instance, none);
    fake.adapter = fake_new(FAKE_ADAPTER, sizeof *fake.adapter, none);
    fake.device = fake_new(FAKE_DEVICE, sizeof *fake.device, none);
    fake_queue = fake_new(FAKE_QUEUE, sizeof *fake_queue, none);
    fake_queue->object.references = 0;
    fake.live[FAKE_QUEUE] = 0;
}

static void free_commands(fake_command *command) {
    while (command) {
        fake_command *next = command->next;
        fake_free(command);
        command = next;
    }
}

static void free_object(fake_object *object) {
    if (object->kind == FAKE_BUFFER) {
        fake_free(((WGPUBuffer)object)->bytes);
        fake_free(((WGPUBuffer)object)->mapped);
    } else if (object->kind == FAKE_SHADER_MODULE) {
        fake_free(((WGPUShaderModule)object)->wgsl);
    } else if (object->kind == FAKE_COMMAND_ENCODER) {
        free_commands(((WGPUCommandEncoder)object)->first);
    } else if (object->kind == FAKE_COMMAND_BUFFER) {
        free_commands(((WGPUCommandBuffer)object)->first);
    }
    fake_free(object);
}

const char *fake_close(void) {
    wgpuInstanceRelease(fake.instance);
    wgpuAdapterRelease(fake.adapter);
    wgpuDeviceRelease(fake.device);
    if (fake.scope_depth)
        fake_fault("%u error scopes are still open", fake.scope_depth);
    if (events)
        fake_fault("a callback is still pending");
    while (events) {
        fake_event *next = events->next;
        fake_free(events);
        events = next;
    }
    while (objects) {
        fake_object *next = objects->next;
        if (objects->references)
            fake_fault("the %s \"%s\" leaks: %u references", kind_names[objects->kind],
                       objects->label, objects->references);
        free_object(objects);
        objects = next;
    }
    return fake.violation;
}

unsigned fake_references(const void *object) { return ((const fake_object *)object)->references; }

unsigned fake_live(void) {
    unsigned count = 0;
    for (int kind = 0; kind < FAKE_KIND_COUNT; kind++)
        count += fake.live[kind];
    return count - 3;
}

bool fake_is_error(const void *object) { return ((const fake_object *)object)->error; }

const char *fake_label(const void *object) { return ((const fake_object *)object)->label; }

void fake_heal(void) {
    fake.fail_creation = 0;
    fake.fail_malloc = 0;
    fake.fail_limits = false;
    fake.no_instance = fake.no_adapter = fake.no_device = false;
    fake.map_status = 0;
    fake.stalled = false;
    fake.good_maps = fake.good_pops = 0;
    fake.pop_status = 0;
}
