/* SPDX-License-Identifier: MIT */
/*
 * fake_webgpu.h: a WebGPU without a GPU, on which failure is tested.
 *
 * It implements the functions of webgpu.h that ordo calls, counts the references of every object,
 * enforces the rules that a real implementation enforces, and fails on demand: the k-th creation,
 * the k-th allocation of host memory, a mapping, an error scope, the device. Copies, writes and
 * mappings move real bytes; a dispatch does nothing unless a test hangs a function on it.
 *
 * One world exists at a time: fake_open, use fake.instance, fake.adapter and fake.device, then
 * fake_close, which says what was leaked or broken in between.
 *
 *     fake_open();
 *     fake.fail_creation = 3;                    // from here on, the third creation fails
 *     ...
 *     assert_string_equal(fake_close(), "");
 *
 * A broken rule is reported twice: as a real implementation does (error object, error scope,
 * uncaptured error), and in fake.violation, whoever listens. Failures that were asked for, and
 * errors that follow from using an error object, are no violations.
 */
#ifndef ORDO_TESTS_FAKE_WEBGPU_H
#define ORDO_TESTS_FAKE_WEBGPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <webgpu/webgpu.h>

typedef enum fake_kind {
    FAKE_INSTANCE,
    FAKE_ADAPTER,
    FAKE_DEVICE,
    FAKE_QUEUE,
    FAKE_BUFFER,
    FAKE_SHADER_MODULE,
    FAKE_BIND_GROUP_LAYOUT,
    FAKE_PIPELINE_LAYOUT,
    FAKE_COMPUTE_PIPELINE,
    FAKE_BIND_GROUP,
    FAKE_COMMAND_ENCODER,
    FAKE_COMPUTE_PASS,
    FAKE_COMMAND_BUFFER,
    FAKE_QUERY_SET,
    FAKE_KIND_COUNT,
} fake_kind;

/* When callbacks of mode AllowProcessEvents or AllowSpontaneous arrive. */
typedef enum fake_timing {
    FAKE_NEXT_EVENTS = 0,       /* in the next wgpuInstanceProcessEvents */
    FAKE_AT_ONCE = 1,           /* inside the call that registers them, as wgpu-native does */
    FAKE_LATER_EVENTS = 2,      /* in the third wgpuInstanceProcessEvents from then on */
    FAKE_MUCH_LATER_EVENTS = 3, /* in the hundredth, after milliseconds of ordo's pauses */
} fake_timing;

/* A dispatch as it runs. Bytes of binding b are at data[b], size_bytes[b] long; data is NULL where
   the bind group has no such binding. */
#define FAKE_MAX_BINDINGS 16
#define FAKE_MAX_CONSTANTS 32

/* The value of an override constant of a pipeline. */
typedef struct fake_constant {
    char name[48];
    double value;
} fake_constant;

typedef struct fake_dispatch {
    const char *kernel; /* the label of its pipeline */
    const char *entry;
    bool subgroups; /* its module uses subgroup builtins */
    const fake_constant *constants;
    size_t constant_count;
    uint32_t groups_x;
    uint32_t groups_y;
    uint32_t groups_z;
    WGPUBuffer buffer[FAKE_MAX_BINDINGS];
    uint8_t *data[FAKE_MAX_BINDINGS];
    uint64_t offset_bytes[FAKE_MAX_BINDINGS];
    uint64_t size_bytes[FAKE_MAX_BINDINGS];
} fake_dispatch;

typedef struct fake_state {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;

    /* What the world is like. fake_open sets WebGPU's default limits, a Vulkan backend, an
       adapter of type CPU, no subgroups, and zero for the rest. */
    WGPULimits limits;
    WGPUBackendType backend;
    WGPUAdapterType adapter_type;
    uint32_t vendor;
    bool has_subgroups;    /* the device has WGPUFeatureName_Subgroups */
    bool native_subgroups; /* subgroup builtins are known without the feature, and `enable
                              subgroups;` is refused: wgpu-native */
    fake_timing timing;
    void (*on_dispatch)(void *user, const fake_dispatch *dispatch); /* NULL: nothing */
    void *user;

    /* What is to go wrong. */
    unsigned fail_creation;   /* k: the k-th creation from now on fails; 0: none. Counts down. */
    WGPUErrorType fail_error; /* with which error; 0: Validation */
    unsigned fail_malloc; /* k: the k-th malloc, calloc or realloc outside the fake returns NULL */
    bool no_instance, no_adapter, no_device; /* asking for one gives NULL */
    bool fail_limits;      /* wgpuDeviceGetLimits and wgpuAdapterGetInfo give WGPUStatus_Error */
    bool lose_at_submit;   /* the device is lost in the next wgpuQueueSubmit */
    bool lost;             /* the device is lost: mapping aborts, all else seems to work */
    bool lost_is_an_error; /* a lost device also reports a Validation error from each creation,
                               write and mapping, and aborts on a submit, as wgpu-native 29 does */
    WGPUMapAsyncStatus map_status; /* what mapping comes to; 0: Success */
    bool stalled;                  /* mappings are not answered until the buffer is unmapped */
    unsigned good_maps; /* mappings that still succeed before map_status or stalled holds */
    WGPUPopErrorScopeStatus pop_status; /* what popping a scope comes to; 0: Success */
    unsigned good_pops;                 /* pops that still succeed before pop_status holds */

    /* What has happened. */
    unsigned created[FAKE_KIND_COUNT];
    unsigned live[FAKE_KIND_COUNT]; /* objects with references of the program */
    unsigned creations;             /* all calls that fail_creation counts */
    unsigned mallocs;               /* all calls that fail_malloc counts */
    unsigned blocks;                /* of those not freed yet */
    unsigned passes;                /* compute passes begun */
    unsigned dispatches;            /* dispatches recorded */
    unsigned submits;
    unsigned process_events;
    unsigned uncaptured;      /* errors that no scope caught */
    unsigned scope_depth;     /* error scopes now open */
    bool pass_has_timestamps; /* of the pass begun last */
    WGPUPassTimestampWrites pass_timestamps;
    bool device_has_limits, device_has_subgroups; /* what the last request for a device named */
    unsigned modules_enabling;       /* shader modules with the line `enable subgroups;` */
    unsigned modules_with_subgroups; /* shader modules that use subgroup builtins */
    char last_module_label[64];
    unsigned violations;
    char violation[512]; /* the first of them; "" if none */
} fake_state;

extern fake_state fake;

/* Make a fresh world. */
void fake_open(void);

/* Release the test's own references and take the world down. Returns "" if nothing leaked, no rule
   was broken, no scope is open and no callback is pending; else the first fault, in static
   memory. */
const char *fake_close(void);

/* References that the program holds on an object of any kind; 0 after its last release. */
unsigned fake_references(const void *object);

/* Objects of all kinds that the program holds, beside the three that fake_open made. */
unsigned fake_live(void);

/* The bytes of a buffer, for a test to look at or fill. */
uint8_t *fake_bytes(WGPUBuffer buffer);

/* Whether an object is an error object. To submit an error command buffer is a fault, because
   wgpu-native 29 aborts. */
bool fake_is_error(const void *object);

/* The label of an object, "" if it has none. */
const char *fake_label(const void *object);

/* From now on nothing is to go wrong; a lost device stays lost. */
void fake_heal(void);

#endif
