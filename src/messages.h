/* SPDX-License-Identifier: MIT */
/*
 * messages.h: every message of the library, in one table of id, status and text.
 *
 * In a text $s stands for the report's word, $a $b $c for its numbers in decimal. A text names the
 * field, its value and the limit, and says what to do where that is not plain.
 * CI fails when an id occurs in no test.
 */
#ifndef ORDO_MESSAGES_H
#define ORDO_MESSAGES_H

#include "ordo_plan.h"

#define ORDO_MESSAGES(X)                                                                           \
    /* planner */                                                                                  \
    X(DESC_NULL, INVALID, "$s is NULL")                                                            \
    X(STEPS_NULL, INVALID, "steps is NULL but capacity is $a")                                     \
    X(CAPACITY, INVALID, "capacity is $a steps; this plan takes $b")                               \
    X(ENUM, INVALID, "$s is $a, an unknown value: the last known one is $b")                       \
    X(COUNT, INVALID, "max_count is $a; the limit is $b")                                          \
    X(VALUE_BYTES, INVALID, "value_bytes is $a; it must be 0 or a multiple of 4 up to $b")         \
    X(ARGSORT, INVALID, "argsort makes its own values out of place, but $s is $a: it must be 0")   \
    X(WINDOW, INVALID, "skip_low_bits $a plus skip_high_bits $b is more than the key's $c bits")   \
    X(PARTS, INVALID, "part_count is $a; it must be 0 or 2 to $b")                                 \
    X(PART_TYPE, INVALID, "parts[$a].type is $b; a part is ORDO_U32, ORDO_I32 or ORDO_F32")        \
    X(PART_EXTRA, INVALID, "parts[$a] is set, but part_count is $b")                               \
    X(PARTS_FIELD, INVALID, "a key of parts is only its parts, but $s is $a: it must be 0")        \
    X(METHOD_FIELD, INVALID, "$s is $a, but $t: it must be 0")                                     \
    X(BLOCK, INVALID,                                                                              \
      "block_length is $a; it must be 0 or a power of two from 16 to $b, all that this device's "  \
      "workgroups hold of such elements")                                                          \
    X(FUSED, INVALID, "fused_levels is $a; it must be 0 to $b")                                    \
    X(ROWS, UNSUPPORTED,                                                                           \
      "max_count $a in rows of $b, each padded to $c positions, is more than 2^32 positions")      \
    X(DIGIT_BITS, INVALID, "digit_bits is $a; it must be 0, 4 or 8")                               \
    X(SCAN_TYPE, UNSUPPORTED, "type is $a; scans and reduces take ORDO_U32, ORDO_I32 or ORDO_F32") \
    X(ALIGNMENT, INVALID,                                                                          \
      "caps.offset_alignment_bytes is $a; it must be a power of two from 4 on")                    \
    X(CAPS, UNSUPPORTED, "caps.$s is $a; WebGPU guarantees at least $b and ordo needs it")         \
    X(WORDS, UNSUPPORTED,                                                                          \
      "max_count $a of elements of $b bytes is more than 2^32 - 1 words of 4 bytes")               \
    X(BINDING, UNSUPPORTED,                                                                        \
      "max_count $a needs a binding of $b bytes; the device's maxStorageBufferBindingSize is $c: " \
      "request a larger one")                                                                      \
    X(SCRATCH, UNSUPPORTED,                                                                        \
      "max_count $a needs $b bytes of scratch; the device's maxBufferSize is $c: request a "       \
      "larger one")                                                                                \
    X(GROUPS, UNSUPPORTED,                                                                         \
      "max_count $a needs $b workgroups; the device allows $c in each of two dimensions")          \
    /* executor */                                                                                 \
    X(NO_DEVICE, INVALID, "the context's device is NULL")                                          \
    X(CAPS_ABOVE, INVALID, "desc.caps.$s is $a, more than the device gives: $b")                   \
    X(NULL_ADAPTER, UNSUPPORTED,                                                                   \
      "the adapter's backend is Null: it runs nothing. Install a Vulkan driver for the GPU, or "   \
      "Mesa's software one (mesa-vulkan-drivers 23 or newer for Dawn)")                            \
    X(NO_ADAPTER, UNSUPPORTED,                                                                     \
      "no WebGPU adapter: $t (install a Vulkan driver for the GPU, or Mesa's software one, "       \
      "mesa-vulkan-drivers)")                                                                      \
    X(NO_OWN_DEVICE, FAILED, "the adapter gives no device: $t")                                    \
    X(MEMORY, OUT_OF_MEMORY, "no host memory for $s of $a bytes")                                  \
    X(DEVICE_MEMORY, OUT_OF_MEMORY, "the device has no memory for $s of $a bytes")                 \
    X(DEVICE_REFUSED, FAILED, "the device refused $s: $t")                                         \
    X(DEVICE_LOST, DEVICE_LOST, "the device was lost before $s was done")                          \
    X(ARG_MISSING, INVALID, "args.$s has no buffer, and this plan needs one")                      \
    X(ARG_UNUSED, INVALID, "args.$s has a buffer, and this plan uses none")                        \
    X(ARG_OFFSET, INVALID, "args.$s.offset_bytes is $a; it must be a multiple of $b")              \
    X(ARG_SIZE, INVALID, "args.$s needs $a bytes from offset $b; its buffer has $c in all")        \
    X(ARG_USAGE, INVALID, "args.$s lacks WGPUBufferUsage_Storage")                                 \
    X(ARG_OVERLAP, INVALID,                                                                        \
      "args.$s overlaps args.$t: they lie in one buffer, at $a and at $b, and $s takes $c bytes")  \
    X(ARG_SHARED, INVALID, "args.count is in the buffer of args.$s; give it a buffer of its own")  \
    X(NO_INSTANCE, INVALID, "the context has no instance, so it cannot wait for $s")               \
    X(ARRAY_FLAG, INVALID, "$s has no meaning for host arrays; it must be false")                  \
    X(ARRAY_NULL, INVALID, "$s is NULL but max_count is $a")                                       \
    X(ARRAY_OVERLAP, INVALID, "values overlaps keys: the arrays must be apart")                    \
    X(ARRAY_UNUSED, INVALID, "values is given, but the sort has none: value_bytes is 0")

typedef enum ordo_message_id {
#define ORDO_MESSAGE_ID(id, status, text) ORDO_MESSAGE_##id,
    ORDO_MESSAGES(ORDO_MESSAGE_ID)
#undef ORDO_MESSAGE_ID
        ORDO_MESSAGE_IDS
} ordo_message_id;

/* What a text's $s $t and $a $b $c stand for. */
typedef struct ordo_report {
    const char *s, *t;
    uint64_t a, b, c;
} ordo_report;

/* Write the message, cut to ORDO_MESSAGE_BYTES, into out (NULL: nowhere). Returns its status. */
ordo_status ordo_message_write(char *out, ordo_message_id id, const ordo_report *report);

#endif
