/* SPDX-License-Identifier: MIT */
/*
 * gpu.h: open a WebGPU device for a host program, move bytes to and from it, wait.
 *
 * Used by the program, the benchmark and the tests; no part of the library, which takes the
 * caller's device. Knows wgpu-native's own extensions when built with ORDO_HAVE_WGPU_H, and
 * nothing of Dawn beyond webgpu.h.
 */
#ifndef ORDO_CLI_GPU_H
#define ORDO_CLI_GPU_H

#include "ordo.h"

#include <stddef.h>

typedef struct gpu_options {
    const char *adapter; /* index as decimal, or a part of the adapter's name in any case; NULL: the
                             best, discrete before integrated before software */
    bool software;       /* only a CPU adapter */
    bool default_limits; /* WebGPU's guaranteed limits and no optional feature but timestamps; else
                             all that the adapter gives */
    bool no_subgroups;   /* do not ask for subgroups */
    /* Also ask for wgpu-native's own feature: only scan uses it, gaining nothing measurable on an
       H200, and naga and Tint were both seen not to reconverge in an unrolled kernel that branches. */
    bool native_subgroups;
    const char *tuning; /* of contexts, see ordo_caps; NULL: none. Stays while the gpu is open */
    WGPUChainedStruct *device_chain; /* extends the device's descriptor, as the implementation
                                        defines; NULL: nothing. Read during gpu_open only. */
} gpu_options;

typedef struct gpu {
    WGPUInstance instance;
    WGPUAdapter adapter;
    WGPUDevice device;
    WGPUQueue queue;
    ordo_subgroup_use subgroups; /* for ordo_context_desc */
    const char *tuning;          /* the same, of its caps */
    bool timestamps;             /* the device has timestamp queries */
    double timestamp_period_ns; /* nanoseconds a tick; 1 unless the implementation says otherwise */
    WGPUAdapterInfo info;       /* of the adapter; strings are not zero-terminated */
    char name[128];             /* as gpu_adapter_name gives it */
    bool lost;                  /* the device was lost; set by its callback */
    unsigned error_count;       /* uncaptured errors so far */
    char error[512];            /* the first of them, or why the device was lost */
} gpu;

/* Opens the adapter that the options name. False: message (ORDO_MESSAGE_BYTES long) says what is
   missing and what to install, nothing is open. The gpu stays at its address while it is open. */
bool gpu_open(gpu *g, const gpu_options *options, char *message);
void gpu_close(gpu *g);

/* Calls each(user, index, info, limits, subgroups) for every adapter that can run something, best
   first. Returns how many there are; on 0, message says why. */
typedef void gpu_each(void *user, unsigned index, const WGPUAdapterInfo *info,
                      const WGPULimits *limits, bool subgroups);
unsigned gpu_list(gpu_each *each, void *user, char *message);

/* The name to show of an adapter, zero-terminated: its device name, or the next best it has. */
void gpu_adapter_name(const WGPUAdapterInfo *info, char *name, size_t capacity);

/* "vulkan" and so on; "unknown" for what has no name here. */
const char *gpu_backend_name(WGPUBackendType type);

/* A context on the open device, with its subgroup setting. NULL: message says why. */
ordo_context *gpu_context(gpu *g, char *message);

/* A buffer of at least bytes (rounded up to 4, at least 4) with Storage, CopySrc and CopyDst usage
   and `more`; NULL when there is no memory. data, if not NULL, is its first bytes. */
WGPUBuffer gpu_buffer(gpu *g, uint64_t bytes, WGPUBufferUsage more, const void *data);
/* Copies bytes from the buffer to host memory, after all work submitted so far. False: the device
   was lost, or reported an error meanwhile; the host memory then holds anything. */
bool gpu_read(gpu *g, WGPUBuffer buffer, uint64_t offset_bytes, uint64_t bytes, void *out);
/* Copies host memory into the buffer, before all work submitted from now on. offset_bytes is a
   multiple of 4, and bytes beyond the last multiple of 4 are filled up to one with zeros. */
void gpu_write(gpu *g, WGPUBuffer buffer, uint64_t offset_bytes, const void *data, uint64_t bytes);

/* Finish and submit an encoder, releasing it. What the device refuses to finish is not submitted;
   error_count tells. */
void gpu_submit(gpu *g, WGPUCommandEncoder encoder);
/* Waits until all submitted work is done. False: the device was lost. */
bool gpu_wait(gpu *g);

#endif
