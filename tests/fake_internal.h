/* SPDX-License-Identifier: MIT */
/*
 * fake_internal.h: the objects of the fake WebGPU, shared by its files; tests include
 * fake_webgpu.h instead.
 *
 * Objects live until fake_close, also without references, so that a use after the last release is
 * seen and reported instead of being undefined.
 */
#ifndef ORDO_TESTS_FAKE_INTERNAL_H
#define ORDO_TESTS_FAKE_INTERNAL_H

#include "fake_webgpu.h"

#define FAKE_MAX_GROUPS 4

typedef struct fake_object {
    fake_kind kind;
    unsigned references; /* of the program */
    bool error;          /* an error object, as a failed creation returns */
    char label[64];
    struct fake_object *next;
} fake_object;

struct WGPUInstanceImpl {
    fake_object object;
};
struct WGPUAdapterImpl {
    fake_object object;
};
struct WGPUDeviceImpl {
    fake_object object;
};
struct WGPUQueueImpl {
    fake_object object;
};

typedef enum fake_map_state { FAKE_UNMAPPED, FAKE_MAP_PENDING, FAKE_MAPPED } fake_map_state;

struct WGPUBufferImpl {
    fake_object object;
    WGPUBufferUsage usage;
    uint64_t size;
    uint8_t *bytes; /* NULL until first touched, so that huge buffers cost nothing */
    bool destroyed;
    fake_map_state map_state;
    uint64_t map_offset;
    uint64_t map_size;
    uint8_t *mapped; /* what the program sees of a mapped range; freed by unmapping, so that a
                        sanitizer sees a later access */
};

struct WGPUShaderModuleImpl {
    fake_object object;
    char *wgsl;
    bool subgroups; /* it uses subgroup builtins */
};

struct WGPUBindGroupLayoutImpl {
    fake_object object;
    WGPUBufferBindingType types[FAKE_MAX_BINDINGS]; /* BindingNotUsed where there is none */
    uint64_t min_sizes[FAKE_MAX_BINDINGS];
};

struct WGPUPipelineLayoutImpl {
    fake_object object;
    size_t group_count;
    WGPUBindGroupLayout groups[FAKE_MAX_GROUPS];
};

struct WGPUComputePipelineImpl {
    fake_object object;
    WGPUPipelineLayout layout;
    char entry[64];
    bool subgroups; /* of its module */
    fake_constant constants[FAKE_MAX_CONSTANTS];
    size_t constant_count;
};

struct WGPUBindGroupImpl {
    fake_object object;
    WGPUBindGroupLayout layout;
    WGPUBuffer buffers[FAKE_MAX_BINDINGS];
    uint64_t offsets[FAKE_MAX_BINDINGS];
    uint64_t sizes[FAKE_MAX_BINDINGS];
};

struct WGPUQuerySetImpl {
    fake_object object;
    uint32_t count;
};

typedef struct fake_command {
    WGPUBuffer source; /* of a copy; NULL: a clear, or a dispatch if pipeline is set */
    WGPUBuffer target;
    uint64_t source_offset;
    uint64_t target_offset;
    uint64_t size;
    WGPUComputePipeline pipeline;
    WGPUBindGroup groups[FAKE_MAX_GROUPS];
    uint32_t workgroups[3];
    struct fake_command *next;
} fake_command;

typedef enum fake_encoder_state { FAKE_OPEN, FAKE_IN_PASS, FAKE_FINISHED } fake_encoder_state;

struct WGPUCommandEncoderImpl {
    fake_object object;
    fake_encoder_state state;
    fake_command *first;
    fake_command *last;
};

struct WGPUComputePassEncoderImpl {
    fake_object object;
    WGPUCommandEncoder encoder;
    bool ended;
    WGPUComputePipeline pipeline;
    WGPUBindGroup groups[FAKE_MAX_GROUPS];
};

struct WGPUCommandBufferImpl {
    fake_object object;
    fake_command *first; /* owned since the encoder finished */
    bool submitted;
};

/* A callback under way. */
typedef struct fake_event {
    unsigned delay; /* calls of wgpuInstanceProcessEvents still to pass */
    bool stalled;   /* it waits until the buffer is unmapped */
    WGPUBufferMapCallback map;
    WGPUPopErrorScopeCallback pop;
    WGPURequestAdapterCallback adapter;
    WGPURequestDeviceCallback device;
    void *result; /* of a request for an adapter or a device */
    unsigned status;
    WGPUErrorType error;
    char message[256];
    WGPUBuffer buffer; /* being mapped */
    void *user1;
    void *user2;
    struct fake_event *next;
} fake_event;

/* The one queue; without references until somebody asks for it. */
extern WGPUQueue fake_queue;

/* The real allocator, which the fake itself uses, so that its own memory is not counted. */
void *fake_alloc(size_t bytes);
void fake_free(void *block);

/* A new object of size bytes with one reference; counts it. */
void *fake_new(fake_kind kind, size_t size, WGPUStringView label);

/* Counts a creation that may be made to fail. True: it fails, and the error has been reported. */
bool fake_fails(const char *what);

/* Whether an object may be used: it is of the kind, and has references. Reports if not. */
bool fake_check(const void *object, fake_kind kind, const char *function);

/* A rule of WebGPU is broken. */
__attribute__((format(printf, 1, 2))) void fake_violate(const char *format, ...);
/* The same, without an error report: misuse that no implementation reports, such as a leak. */
__attribute__((format(printf, 1, 2))) void fake_fault(const char *format, ...);
/* Reports an error that is no violation. */
void fake_report(WGPUErrorType type, const char *message);

/* Delivers a callback, now or later as fake.timing says. */
void fake_post(const fake_event *event, WGPUCallbackMode mode);

void fake_copy_string(char *to, size_t capacity, WGPUStringView from);
void fake_touch(WGPUBuffer buffer); /* makes its bytes */

#endif
