/* SPDX-License-Identifier: MIT */
/*
 * ordo.h: sort on the GPU through WebGPU.
 *
 * Three objects, three verbs: a *context* per device, a *plan* per problem, an *encode* per use.
 * A plan may be encoded many times, on any buffers, in any command encoder of its device.
 *
 *     ordo_context *context;
 *     char message[ORDO_MESSAGE_BYTES];
 *     ordo_context_desc setup = {.instance = instance, .adapter = adapter, .device = device};
 *     if (ordo_context_create(&setup, &context, message) != ORDO_OK) { puts(message); ... }
 *
 *     ordo_plan *plan;
 *     ordo_sort_desc desc = {.max_count = count, .key = ORDO_F32, .value_bytes = 4};
 *     if (ordo_sort_plan(context, &desc, &plan) != ORDO_OK) { puts(ordo_message(context)); ... }
 *
 *     ordo_args args = {.in = {.buffer = keys}, .out = {.buffer = sorted},
 *                       .values_in = {.buffer = ids}, .values_out = {.buffer = order}};
 *     if (ordo_encode(plan, encoder, &args) != ORDO_OK) { puts(ordo_message(context)); ... }
 *     // finish the encoder and submit it yourself; then, some day:
 *     ordo_plan_release(plan);
 *     ordo_context_release(context);
 *
 * To sort an array in host memory and wait for it: ordo_context_open and ordo_sort_array are the
 * whole program. In C++20 write `ordo_sort_desc desc{}; desc.max_count = count;` if your compiler
 * warns of fields left out.
 *
 * What the library never does: print, abort, submit your encoder, wait inside ordo_encode, touch
 * a buffer that was not named, or change a byte of one outside the named range.
 *
 * WEBGPU is the webgpu.h of webgpu-headers in which strings are WGPUStringView and callbacks come
 * in ...CallbackInfo structs (2025 and later): wgpu-native 29 and Dawn are tested.
 * THREADS. A context and all that is made from it may be used by one thread at a time, the device's
 * error scopes included. Contexts on different devices are independent.
 * OWNERSHIP. The context and its plans hold references to the WebGPU objects they use. Release
 * plans in any order, before or after their context (which only ordo_message needs). A plan may
 * be released once it is encoded: the encoder, and then WebGPU, keeps what the work uses.
 * FAILURE. A call that fails leaves outputs NULL or unchanged, leaks nothing, and the objects stay
 * usable, save after ORDO_DEVICE_LOST. A lost device shows where ordo waits for it: in
 * ordo_sort_array, on some implementations also in making a plan, never in ordo_encode. The
 * device's own lost-callback is the first to know.
 */
#ifndef ORDO_H
#define ORDO_H

#include <webgpu/webgpu.h>

#include "ordo_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ordo_context ordo_context;
typedef struct ordo_plan ordo_plan;

/* ---- Context --------------------------------------------------------------------------------*/

/* Whether kernels may use subgroup operations. Results are the same bytes either way. Scans,
   reduces and bitonic networks of one-word keys do, and gain up to 6 % on the GPU measured. */
typedef enum ordo_subgroup_use {
    ORDO_SUBGROUPS_AUTO = 0, /* on if the device has WGPUFeatureName_Subgroups, else off */
    ORDO_SUBGROUPS_OFF = 1,
    ORDO_SUBGROUPS_ON = 2, /* the caller's word that the device has them; WGSL begins with
                              `enable subgroups;` */
    ORDO_SUBGROUPS_ON_WITHOUT_ENABLE = 3, /* the same for an implementation that refuses that line:
                              wgpu-native, device made with its native subgroup feature */
} ordo_subgroup_use;

typedef struct ordo_context_desc {
    WGPUInstance instance; /* NULL: ordo never waits, so ordo_sort_array is refused, and an error in
                              making a plan reaches only the device's uncaptured-error callback */
    WGPUAdapter adapter;   /* NULL: not checked. Else an adapter that runs nothing (backend Null,
                              as Dawn gives when it finds no driver) is refused, and GPUs of NVIDIA,
                              AMD and Intel are known to have forward_progress (see ordo_caps). */
    WGPUDevice device;     /* required; its limits decide what plans may use, so request a large
                              maxBufferSize for large sorts, and a maxStorageBufferBindingSize that
                              holds an array: what is larger is sorted in windows, slower, or is
                              refused, see ordo_sort_desc */
    WGPUQueue queue;       /* NULL: the device's queue */
    ordo_subgroup_use subgroups;
    ordo_caps caps; /* all 0: the device's. Else plan for a smaller device than this one, as tests
                       do: a field that is not 0 replaces the device's limit, and must not promise
                       more. `subgroups` in it is ignored; forward_progress, if true, is the
                       caller's word. rejected_methods is taken as it is: what an earlier
                       ordo_self_check of the same adapter and driver found, say. tuning is copied,
                       and checked against the device. */
    /* Makes a shader module from zero-terminated WGSL in the caller's way; NULL:
       wgpuDeviceCreateShaderModule. label names the kernel. The module returned belongs to the
       context; NULL is ORDO_FAILED. It serves hosts that trust ordo's kernels not to need the
       checks which an implementation adds, as wgpu-native's wgpuDeviceCreateShaderModuleTrusted
       leaves them out: ordo's kernels keep to their buffers and end without them. */
    WGPUShaderModule (*create_shader_module)(void *user, WGPUDevice device, const char *label,
                                             const char *wgsl);
    void *user;
} ordo_context_desc;

/*
 * Make a context. Creates no GPU object. *context is NULL on failure, and message (NULL, or
 * ORDO_MESSAGE_BYTES long) says why; it is "" on success.
 * ORDO_INVALID: no device, an unknown enum value, or caps beyond the device's. ORDO_UNSUPPORTED: a
 * Null adapter, or a device below WebGPU's default limits. ORDO_OUT_OF_MEMORY.
 */
ORDO_API ordo_status ordo_context_create(const ordo_context_desc *desc, ordo_context **context,
                                         char *message);

/*
 * Make a context on a device of ordo's own, for programs that sort host arrays and have no device:
 * the fastest adapter there is (in the end one that runs on the CPU), with all its limits and,
 * where it has them, subgroups. Waits for the device. The device cannot be shared: to record sorts
 * over your own buffers, open a device yourself and use ordo_context_create.
 * ORDO_UNSUPPORTED: no adapter. Else as ordo_context_create.
 */
ORDO_API ordo_status ordo_context_open(ordo_context **context, char *message);

/* Release the caller's hold; NULL is allowed. */
ORDO_API void ordo_context_release(ordo_context *context);

/* The device as planners see it, for ordo_*_steps. Valid while the context is, and changed only by
   ordo_self_check; NULL for NULL. */
ORDO_API const ordo_caps *ordo_context_caps(const ordo_context *context);

/* What went wrong in the last failed call on this context or on a plan of it; "" if none has.
   Valid until the next failing call. For NULL a text that says so. */
ORDO_API const char *ordo_message(const ordo_context *context);

/* ---- Plans ----------------------------------------------------------------------------------*/

/*
 * Plan a primitive on a context's device: compiles the kernels that the context has not compiled
 * yet (tens of milliseconds each), makes one scratch buffer of summary.scratch_bytes (unless the
 * desc says caller_scratch), and nothing else of size. With an instance in the context it waits for
 * the device to report errors of that, not for any work. What WebGPU calls internal errors (a
 * driver's compiler that gives up, say) reaches only the device's uncaptured-error callback, since
 * not every implementation has a scope for it. Failures are those of the planner,
 * ORDO_OUT_OF_MEMORY, and ORDO_FAILED when the device refuses a kernel; *plan is then NULL, and
 * ordo_message says why.
 */
ORDO_API ordo_status ordo_sort_plan(ordo_context *context, const ordo_sort_desc *desc,
                                    ordo_plan **plan);
ORDO_API ordo_status ordo_scan_plan(ordo_context *context, const ordo_scan_desc *desc,
                                    ordo_plan **plan);
ORDO_API ordo_status ordo_reduce_plan(ordo_context *context, const ordo_reduce_desc *desc,
                                      ordo_plan **plan);
ORDO_API ordo_status ordo_histogram_plan(ordo_context *context, const ordo_histogram_desc *desc,
                                         ordo_plan **plan);
ORDO_API ordo_status ordo_counting_sort_plan(ordo_context *context,
                                             const ordo_counting_sort_desc *desc, ordo_plan **plan);
ORDO_API ordo_status ordo_grid_plan(ordo_context *context, const ordo_grid_desc *desc,
                                    ordo_plan **plan);
ORDO_API ordo_status ordo_top_k_plan(ordo_context *context, const ordo_top_k_desc *desc,
                                     ordo_plan **plan);

/* The planner's summary: steps, scratch, method. Valid while the plan is. NULL for NULL. */
ORDO_API const ordo_summary *ordo_plan_info(const ordo_plan *plan);

/* Release a plan, its scratch and its references to buffers; NULL is allowed. */
ORDO_API void ordo_plan_release(ordo_plan *plan);

/* ---- Encode ---------------------------------------------------------------------------------*/

/* Where data lies: from offset_bytes in buffer on. offset_bytes is a multiple of
   ordo_context_caps()->offset_alignment_bytes, 256 on most devices: copy data that lies elsewhere
   with wgpuCommandEncoderCopyBufferToBuffer first. A NULL buffer means: not given. */
typedef struct ordo_buffer {
    WGPUBuffer buffer;
    uint64_t offset_bytes;
} ordo_buffer;

/*
 * The buffers of one encode. Each must hold summary.slot_bytes of its slot from its offset on and
 * have WGPUBufferUsage_Storage. Which ones are given is fixed by the plan:
 *
 *                   in    out   values_in  values_out  edges  starts
 *   sort            yes   yes   -          -           -      -       in_place: no out
 *   sort pairs      yes   yes   yes        yes         -      -       in_place: neither out
 *   argsort         yes   -     -          yes         -      -
 *   scan            yes   yes   -          -           -      -       in_place: no out
 *   reduce          yes   yes   -          -           -      -
 *   histogram       yes   yes   -          -           EDGES  -
 *   counting sort   yes   (2)   pairs      (3)         -      yes     (2) not of argsort, depth
 *   grid            yes   (1)   -          yes         -      yes     (1) with points_out
 *   top-k           yes   yes   -          yes         -      -       (3) of pairs and argsort
 *
 * A plan without steps, as of max_count 0 or of a top-k with k 0, takes any of these, or none; so
 * does that of a reduce or a histogram of max_count 0, but it needs its out. Given ranges must not
 * overlap, in whatever buffers they lie; several in one buffer are fine.
 */
typedef struct ordo_args {
    ordo_buffer in;
    ordo_buffer out;
    ordo_buffer values_in;
    ordo_buffer values_out;
    ordo_buffer edges;
    ordo_buffer starts;
    ordo_buffer count;   /* not given: max_count elements. Else 4 bytes, at an offset aligned as any
                            other, that hold the count as u32 when the work runs; more than
                            max_count counts as max_count. In a buffer of its own, none of the
                            others, with WGPUBufferUsage_Storage. To sort fewer than max_count from
                            the host, write the number there with wgpuQueueWriteBuffer. */
    ordo_buffer scratch; /* only for a plan with caller_scratch: summary.scratch_bytes long (not
                            needed if that is 0) */
    const WGPUPassTimestampWrites *timestamps; /* NULL, or timestamps to write at the beginning and
                            end of the compute pass; used as it is */
} ordo_args;

/*
 * Record a plan into a command encoder as one compute pass. Records, and does no more: the caller
 * finishes and submits, and the outputs hold the result when that work is done. Encodes of one plan
 * run in the order of submission and may share an encoder; they share the plan's scratch. Outputs
 * are fully defined by inputs and count: scratch contents and earlier encodes have no influence.
 *
 * Bind groups are kept for the next encode: repeating the same args creates nothing; other args
 * create bind groups, and release the old. The plan thus holds references to the args' buffers
 * until then. To alternate between buffers without that, use a plan for each.
 *
 * ORDO_INVALID, with nothing recorded: a buffer is missing, not asked for, too small, lacks Storage
 * usage, is misaligned or overlaps another. A buffer that is mapped or destroyed cannot be seen
 * here: the encoder or its commands become invalid, which WebGPU reports, and which must not be
 * submitted (wgpu-native ends the process).
 */
ORDO_API ordo_status ordo_encode(ordo_plan *plan, WGPUCommandEncoder encoder,
                                 const ordo_args *args);

/* ---- Arrays in host memory ------------------------------------------------------------------ */

/*
 * Sort host arrays and wait. Uploads, sorts, downloads; keeps nothing but compiled kernels.
 *
 * keys    desc->max_count keys; sorted in place, or left alone when desc->argsort.
 * values  desc->max_count values of desc->value_bytes, permuted with the keys; or, for argsort,
 *         max_count u32 that receive the indices. NULL when there are none. The arrays must not
 *         overlap.
 *
 * The result replaces the arrays, so in_place and caller_scratch of the desc have no meaning here
 * and must be false. Needs the context's instance, and pumps wgpuInstanceProcessEvents, so your own
 * callbacks may run inside. On failure both arrays are unchanged. ORDO_UNSUPPORTED: more than the
 * device's limits hold. ORDO_INVALID, ORDO_OUT_OF_MEMORY, ORDO_DEVICE_LOST, ORDO_FAILED as above.
 */
ORDO_API ordo_status ordo_sort_array(ordo_context *context, const ordo_sort_desc *desc, void *keys,
                                     void *values);

/* Host arrays by slot, each of the plan's summary.slot_bytes. Outputs must not overlap each other
   or inputs. NULL for slots that the plan does not have. */
typedef struct ordo_arrays {
    const void *in;
    const void *values_in;
    const void *edges;
    void *out;
    void *values_out;
    void *starts;
} ordo_arrays;

/*
 * Run a plan on host arrays and wait: uploads inputs, runs on max_count elements, downloads
 * outputs. A plan can be run many times. Needs the context's instance, and pumps events as
 * ordo_sort_array. On failure outputs are unchanged. ORDO_INVALID: an array is missing or not asked
 * for, or the plan is made in place or with caller_scratch. ORDO_OUT_OF_MEMORY, ORDO_DEVICE_LOST,
 * ORDO_FAILED as above.
 *
 *     ordo_top_k_desc desc = {.max_count = count, .key = ORDO_F32, .k = 100};
 *     if (ordo_top_k_plan(context, &desc, &plan) != ORDO_OK) ...
 *     ordo_arrays arrays = {.in = scores, .out = best, .values_out = indices};
 *     if (ordo_run_arrays(plan, &arrays) != ORDO_OK) puts(ordo_message(context));
 */
ORDO_API ordo_status ordo_run_arrays(ordo_plan *plan, const ordo_arrays *arrays);

/* ---- Self-check ----------------------------------------------------------------------------- */

/* What came of the runs of a method, or of scans, on one tier. */
typedef enum ordo_check_verdict {
    ORDO_PASSED = 0,  /* every result was right, to the bit */
    ORDO_WRONG = 1,   /* a result was wrong */
    ORDO_REFUSED = 2, /* the device refused a kernel or the work */
    ORDO_STALLED = 3, /* the device did not end the work in time */
    ORDO_LOST = 4,    /* the device was lost */
} ordo_check_verdict;

typedef struct ordo_check_row {
    const char *name;    /* "radix", "bitonic" and so on, or "scan"; static */
    const char *tier;    /* "portable", or what its kernels use: "subgroups", "forward progress" */
    ordo_method method;  /* 0 of scans */
    uint32_t case_count; /* runs, up to the first that failed */
    ordo_check_verdict verdict;
    uint32_t plan_us; /* making the plans, the compilation of kernels in it */
    uint32_t run_us;  /* runs, the copies from and to the host in it */
} ordo_check_row;

#define ORDO_MAX_CHECK_ROWS 24

/* What a self-check found. */
typedef struct ordo_check {
    uint32_t case_count;          /* of all rows */
    uint32_t failed_count;        /* rows that did not pass */
    uint32_t passed_methods;      /* bits 1 << ordo_method: right on the portable tier */
    uint32_t rejected_methods;    /* the same of those that failed there */
    bool subgroups_failed;        /* a row of the tier "subgroups" failed */
    bool forward_progress_failed; /* one of the tier "forward progress" */
    uint32_t row_count;
    ordo_check_row rows[ORDO_MAX_CHECK_ROWS];
    char message[ORDO_MESSAGE_BYTES]; /* the first failure; "" if all passed */
} ordo_check;

/*
 * Try this device and its driver: sorts known data by every method that AUTO may choose, and scans,
 * on every tier that the context has, and compares all results with the host's, bit for bit. Some
 * drivers compile kernels wrongly, and only this tells. It takes some milliseconds on a GPU, but
 * before that some thirty kernels are compiled, unless the driver has them in its cache; plans made
 * later find them made. Waits for the device, and pumps events as ordo_sort_array.
 *
 * The context remembers: what failed is not used by plans made afterwards, but by a sort that names
 * it as its method. ordo_context_caps then has rejected_methods, and no subgroups or no
 * forward_progress if those failed. A second call gives the first one's answer.
 *
 * Data: u32 keys, random, few different, sorted and reversed; stable pairs of f32 keys with every
 * special value and many ties, descending; u64 keys and pairs of f64; scans of u32 by addition,
 * exclusive and inclusive. The counts make several tiles, the last one partly filled, or fit one
 * workgroup; where kernels have a form or a shape for long inputs, it is run too. Other types and
 * primitives use these kernels or forms of them, and are not tried.
 *
 * limit_ms  how long one run may take until it counts as stalled; 0 (default): 60,000. Kernels end
 *           by themselves, whatever other workgroups do: a run that takes so long has gone wrong.
 *           Systems end such work themselves, mostly, after 2 to 10 seconds, by losing the device;
 *           but a software driver under load may compile a kernel for half a minute at its first
 *           use, and must not be taken for broken.
 * result    what was found; NULL: not wanted.
 *
 * ORDO_OK: the check was made, and sorts and scans work on this device, by fewer methods perhaps:
 * see failed_count. ORDO_FAILED: scans, or all sorts, do not. ORDO_DEVICE_LOST: the device was lost
 * or stalled in the check; result says in which method, and rejected_methods, given to the context
 * of a new device, keeps it away. WebGPU cannot stop work: a context with a stalled device refuses
 * plans from then on, and to release it, or the device, may wait for the work however long that
 * takes: a program that cannot wait leaves them to the system when it ends.
 * ORDO_INVALID: no context or no instance. ORDO_OUT_OF_MEMORY: nothing was found out, and nothing
 * is remembered.
 */
ORDO_API ordo_status ordo_self_check(ordo_context *context, uint32_t limit_ms, ordo_check *result);

#ifdef __cplusplus
}
#endif
#endif
