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
    X(BIN_COUNT, INVALID, "$s is $a; it must be 0 to $b")                                          \
    X(RESULTS, UNSUPPORTED,                                                                        \
      "max_count $a in $b rows with $c results each is more than the 2^32 - 1 words that the "     \
      "results, or tables to find them, may take")                                                 \
    X(DEPTH_ALONE, INVALID,                                                                        \
      "depth gives elements buckets: it needs argsort or value_bytes to say what to bring there")  \
    X(BINS_TYPE, UNSUPPORTED, "type is $a; histograms take ORDO_U32, ORDO_I32 or ORDO_F32")        \
    X(BINS_FIELD, INVALID, "$s is set, but bins is not $t: it must be 0")                          \
    X(BINS_WINDOW, INVALID,                                                                        \
      "skip_low_bits $a and skip_high_bits $b leave $c bits; bins take 16 at most")                \
    X(BINS_BITS, INVALID,                                                                          \
      "bin_count is $a; a window of $b bits has $c bins: it must be 0 or that")                    \
    X(END_FINITE, INVALID, "$s is $t; it must be finite")                                          \
    X(END_ORDER, INVALID, "$s must be less than $t")                                               \
    X(END_ROUNDED, INVALID, "$s must be less than $t, also when both are rounded to f32")          \
    X(END_RANGE, INVALID, "$s is out of the range of $t")                                          \
    X(END_INTEGER, INVALID, "$s is not an integer, as type is")                                    \
    X(DEPTH_FIELD, INVALID,                                                                        \
      "depth.$s is set, but depth.nearest and depth.farthest are 0: it must be false")             \
    X(DEPTH_NEAR, INVALID, "depth.nearest must be above 0, as an f32, for depth.logarithmic")      \
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
    X(BUFFER, UNSUPPORTED,                                                                         \
      "max_count $a needs buffers of $b bytes; the device's maxBufferSize is $c: request a "       \
      "larger one")                                                                                \
    X(GROUPS, UNSUPPORTED,                                                                         \
      "max_count $a needs $b workgroups; the device allows $c in each of two dimensions")          \
    X(DIMENSIONS, INVALID, "dimensions is $a; it must be 0, 2 or 3")                               \
    X(STRIDE, INVALID, "stride_bytes is $a; it must be 0 or a multiple of 4 up to $b")             \
    X(POINT_OFFSET, INVALID, "offset_bytes is $a; it must be a multiple of 4")                     \
    X(STRIDE_FIT, INVALID,                                                                         \
      "offset_bytes $a plus $b bytes of coordinates is more than the stride of $c bytes")          \
    X(ORIGIN, INVALID, "origin[$a] is $s; it must be finite")                                      \
    X(CELL_SIZE, INVALID, "cell_size[$a] is $s; it must be 0 or from 1e-28 to 1e28")               \
    X(AXIS_CELLS, INVALID, "cells[$a] is $b; the limit is $c")                                     \
    X(CELLS, INVALID, "cells $a times $b times $c is more than 2^31")                              \
    X(CELLS_BINDING, UNSUPPORTED,                                                                  \
      "$a cells need a binding of $b bytes for STARTS; the device's maxStorageBufferBindingSize "  \
      "is $c: request a larger one")                                                               \
    X(FLAT, INVALID, "$s is set, but dimensions is 2: it must be 0")                               \
    X(TABLE_SIZE, INVALID, "table_size is $a; it must be 0 or a power of two")                     \
    X(TABLE_FIELD, INVALID,                                                                        \
      "$s is $a, but a hashed grid (table_size $b) has no borders: it must be 0")                  \
    X(REJECTED_BITS, INVALID,                                                                      \
      "caps.rejected_methods is $a; it takes bits of known methods, $b at most, and not 1")        \
    X(REJECTED, UNSUPPORTED,                                                                       \
      "no method is left for this sort: caps.rejected_methods, $a, has every one that could be "   \
      "chosen, since the device failed ordo's self-check of them")                                 \
    X(REJECTED_BUCKETS, UNSUPPORTED,                                                               \
      "counting sorts and grids are radix sorts, but caps.rejected_methods, $a, has radix, since " \
      "the device failed ordo's self-check of it")                                                 \
    X(TUNING_WORD, INVALID,                                                                        \
      "caps.tuning has '$s', which is no name=number with a name that may be set; "                \
      "ordo_tuning_text gives those")                                                              \
    X(TUNING_RANGE, INVALID, "caps.tuning: $s is $a; it must be from $b to $c")                    \
    X(TUNING_MULTIPLE, INVALID, "caps.tuning: $s is $a; it must be a multiple of $b")              \
    X(TUNING_POWER, INVALID, "caps.tuning: $s is $a; it must be a power of two")                   \
    X(TUNING_FIT, INVALID, "caps.tuning: $s is $a; it must be a multiple of $t, $b")               \
    X(TUNING_BYTES, INVALID,                                                                       \
      "caps.tuning: $s takes $a bytes of workgroup memory; the device's "                          \
      "maxComputeWorkgroupStorageSize is $b")                                                      \
    X(QUESTION_BITS, INVALID,                                                                      \
      "skip_low_bits $a plus significant_bits $b is more than the key's $c bits")                  \
    X(QUESTION_K, INVALID, "k is 0: say how many of the best")                                     \
    X(QUESTION_RADIUS, INVALID,                                                                    \
      "radius is $s; it must be from 1e-28 to 1e28: say how near a neighbour is")                  \
    X(QUESTION_FIELD, INVALID, "$s is set, but $t: it must be 0")                                  \
    X(QUESTION_CORNER, INVALID, "$s[$a] is not finite")                                            \
    X(QUESTION_BOX, INVALID, "lower[$a] is greater than upper[$a]: the box holds no point")        \
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
    X(STALLED, DEVICE_LOST,                                                                        \
      "the device did not end $s within $a ms: it hangs, and what else it is given waits; open "   \
      "another")                                                                                   \
    X(CHECK_WRONG, FAILED,                                                                         \
      "wrong results on this device by $s: of $a $t, element $b is not the host's")                \
    X(CHECK_BROKEN, FAILED, "no results on this device by $s: $t")                                 \
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
    X(ARRAY_UNUSED, INVALID, "values is given, but the sort has none: value_bytes is 0")           \
    X(ARRAYS_NULL, INVALID, "arrays.$s is NULL; this plan has $a bytes there")                     \
    X(ARRAYS_UNUSED, INVALID, "arrays.$s is given, and this plan has none")                        \
    X(ARRAYS_OVERLAP, INVALID, "arrays.$s overlaps arrays.$t")

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
