/* SPDX-License-Identifier: MIT */
/*
 * plan_histogram.c: histograms, and buckets of depths.
 *
 *     edges_*      | edge 0 | edge 1 | … | edge bin_count |   images in scratch, unless bins are a
 *                                                             window of bits; counts = 0
 *     histogram_*  elements, edges -> counts
 *     depth_*      depths, edges -> bucket numbers
 *
 * Edges of floats are (lo * (bin_count - i) + hi * i) / bin_count, rounded once. The kernel
 * computes that in 112 bits, from lo and hi as multiples of a unit:
 *
 *     the greater of |lo|, |hi|   | 24 bits of mantissa | 58 zeros |    unit = 2^-81 of its top bit
 *     the lesser, if it reaches below the unit: 1 unit, of its sign
 *
 * The latter is exact enough. Then the lesser is below 2^-58 of the greater's top bit, and below
 * 2^-42 when taken bin_count times; but the greater taken i times differs from bin_count times any
 * float, or middle of two floats, near that edge by 0 or by at least 2^-41. So only the lesser's
 * sign can matter.
 */
#include "plan.h"

#include <float.h>
#include <stddef.h>

/* METHOD of lib/bin.wgsl, and one that it does not know. */
enum { LINEAR_IMAGE = 0, LINEAR_FLOAT = 1, SEARCH = 2, WINDOW = 3 };

/* TRUST of histogram.wgsl. */
enum { TRUST_INNER = 1, TRUST_ALL = 2 };

/* UNIT_BIAS of edges.wgsl. */
enum { UNIT_BIAS = 256 };

/* A signed number of 96 bits. */
typedef struct wide {
    uint32_t words[3];
} wide;

/* Bins, as kernels take them: see their params. */
typedef struct bin_set {
    ordo_type type;
    uint32_t method;
    uint32_t bin_count;
    uint32_t first, last, span; /* images; last modulo 2^32, span to the greatest in a bin */
    uint32_t shift, mask, left; /* see histogram.wgsl */
    uint32_t origin, scale;     /* bits of lo; f32 bits */
    uint32_t trust;
    bool rising;
    wide lo, hi;
    uint32_t unit;
} bin_set;

/* ---- Numbers --------------------------------------------------------------------------------- */

static uint32_t float_bits(double number) {
    union {
        float number;
        uint32_t bits;
    } both = {.number = (float)number};
    return both.bits;
}

/* That of lib/image.wgsl. */
static uint32_t float_image(uint32_t bits) {
    return (bits ^ (bits >= 0x80000000 ? 0xffffffff : 0x80000000)) - 0x007fffff;
}

/* The image of an edge: of zeros that of -0, so that both zeros lie on the same side. */
static uint32_t float_edge(double number) {
    uint32_t bits = float_bits(number);
    return float_image(bits ? bits : 0x80000000);
}

static uint32_t bit_length(uint32_t number) {
    uint32_t length = 0;
    for (; number; number >>= 1) {
        length++;
    }
    return length;
}

/* A float is mantissa * 2^exponent. */
static uint32_t mantissa_of(uint32_t bits) {
    uint32_t fraction = bits & 0x7fffff;
    return bits & 0x7f800000 ? fraction | 0x800000 : fraction;
}

static int exponent_of(uint32_t bits) {
    int biased = (int)(bits >> 23 & 0xff);
    return (biased ? biased : 1) - 150;
}

/* A float in units of 2^unit; one that reaches below the unit counts as one unit. */
static wide wide_of(uint32_t bits, int unit) {
    wide number = {{0}};
    uint32_t mantissa = mantissa_of(bits);
    int shift = exponent_of(bits) - unit;
    if (shift < 0) {
        number.words[0] = mantissa != 0;
    } else {
        uint64_t part = (uint64_t)mantissa << shift % 32;
        number.words[shift / 32] = (uint32_t)part;
        if (part >> 32) {
            number.words[shift / 32 + 1] = (uint32_t)(part >> 32);
        }
    }
    if (bits >= 0x80000000) {
        uint64_t carry = 1;
        for (uint32_t i = 0; i < 3; i++) {
            carry += (uint32_t)~number.words[i];
            number.words[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return number;
}

/* The f32 nearest to bins per width, for guesses: no infinity. */
static uint32_t scale_bits(uint32_t bin_count, double width) {
    double scale = bin_count / width;
    return float_bits(scale < FLT_MAX ? scale : FLT_MAX);
}

/* ---- Bins ------------------------------------------------------------------------------------ */

/* Places of a bin that make guesses in 2^20 places, or fewer if that is few for a bin: 0. */
static uint32_t place_bits(uint32_t bin_count) {
    uint32_t bits = 20 - ordo_log2_ceil(bin_count);
    return bits < 8 ? 0 : bits;
}

/* Let guesses be trusted that are not next to an edge. */
static void trust_places(bin_set *bins, double width) {
    bins->shift = place_bits(bins->bin_count);
    if (bins->shift) {
        bins->trust = TRUST_INNER;
        bins->mask = (1u << bins->shift) - 1;
        bins->scale = scale_bits(bins->bin_count << bins->shift, width);
    }
}

/* Even bins from image `first` on, over so many images. */
static void even_images(bin_set *bins, uint32_t first, uint64_t width) {
    bins->method = LINEAR_IMAGE;
    bins->first = first;
    bins->last = (uint32_t)(first + width);
    bins->span = (uint32_t)(width - 1);
    bins->hi = (wide){{(uint32_t)width, (uint32_t)(width >> 32), 0}};
    /* A little more than exact, so that an image right on an edge is not guessed below it. */
    bins->scale = scale_bits(bins->bin_count, (double)width) + 2;
}

/* The same of integers, from lo on: without a table where bins are a window of bits. A guess takes
   three roundings of 2^-23 at most, less than half of a place; where bins are narrow too many
   elements lie right on an edge. */
static void even_integers(bin_set *bins, double lo, uint64_t width) {
    uint64_t step = width / bins->bin_count;
    uint32_t origin = (uint32_t)(int64_t)lo;
    even_images(bins, bins->type == ORDO_I32 ? origin ^ 0x80000000 : origin, width);
    bins->origin = origin;
    bins->rising = true;
    if (bins->bin_count == 1) {
        bins->method = WINDOW;
    } else if (width % bins->bin_count == 0 && (step & (step - 1)) == 0) {
        bins->method = WINDOW;
        bins->shift = ordo_log2_ceil(step);
        bins->mask = UINT32_MAX;
    } else if (step >= 64) {
        trust_places(bins, (double)width);
    }
}

/* How far guesses of floats are right. A product with a power of two is exact, if subnormals stay
   out of it. Else the difference, the scale, the product and the edge are rounded, by less than one
   of 2^20 places together, also if a compiler multiplies out the product. */
static void trust_floats(bin_set *bins, double lo, double hi) {
    double width = hi - lo, greater = -lo > hi ? -lo : hi, step = width / bins->bin_count;
    uint32_t step_bits = float_bits(step);
    bins->rising = lo >= 0;
    if (width < 1e-30 || width > 1e30) {
        return;
    }
    if (lo == 0 && (double)(float)step == step && (step_bits & 0x7fffff) == 0) {
        bins->trust = TRUST_ALL;
    } else if (greater <= 2 * width) {
        trust_places(bins, width);
    }
}

static void even_floats(bin_set *bins, double lo, double hi) {
    uint32_t lo_bits = float_bits(lo == 0 ? 0 : lo), hi_bits = float_bits(hi);
    uint32_t low_size = lo_bits & 0x7fffffff, high_size = hi_bits & 0x7fffffff;
    uint32_t greater = low_size > high_size ? low_size : high_size;
    int unit = exponent_of(greater) + (int)bit_length(mantissa_of(greater)) - 82;
    bins->method = LINEAR_FLOAT;
    bins->first = float_edge(lo);
    bins->last = float_edge(hi);
    bins->span = bins->last - 1 - bins->first;
    bins->origin = lo_bits;
    bins->scale = scale_bits(bins->bin_count, (double)(float)hi - (double)(float)lo);
    bins->lo = wide_of(lo_bits, unit);
    bins->hi = wide_of(hi_bits, unit);
    bins->unit = (uint32_t)(unit + UNIT_BIAS);
    trust_floats(bins, (double)(float)lo, (double)(float)hi);
}

static bin_set window_bins(const ordo_histogram_desc *desc) {
    uint32_t bits = 32 - desc->skip_low_bits - desc->skip_high_bits;
    return (bin_set){.type = desc->type,
                     .method = WINDOW,
                     .bin_count = 1u << bits,
                     .span = UINT32_MAX,
                     .shift = bits ? 32 - bits : 0,
                     .mask = (1u << bits) - 1,
                     .left = bits ? desc->skip_high_bits : 0};
}

static bin_set bins_of(const ordo_histogram_desc *desc) {
    bin_set bins = {.type = desc->type, .bin_count = desc->bin_count ? desc->bin_count : 256};
    bool whole = desc->lo == 0 && desc->hi == 0;
    double lo = desc->lo, hi = desc->hi;
    if (desc->bins == ORDO_BINS_BITS) {
        return window_bins(desc);
    }
    if (desc->bins == ORDO_BINS_EDGES) {
        bins.method = SEARCH;
    } else if (desc->type == ORDO_F32) {
        even_floats(&bins, lo, whole ? 1 : hi);
    } else if (whole) {
        even_integers(&bins, desc->type == ORDO_I32 ? -2147483648.0 : 0, (uint64_t)1 << 32);
    } else {
        even_integers(&bins, lo, (uint64_t)(hi - lo));
    }
    return bins;
}

static bin_set depth_bins(const ordo_depth *depth, uint32_t bucket_count) {
    bin_set bins = {.type = ORDO_F32, .bin_count = bucket_count};
    if (depth->logarithmic) {
        uint32_t near_bits = float_bits(depth->nearest);
        even_images(&bins, float_image(near_bits), float_bits(depth->farthest) - near_bits);
    } else {
        even_floats(&bins, depth->nearest, depth->farthest);
    }
    return bins;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static void check_finite(ordo_builder *builder, const char *name, double number) {
    if (!(number >= -DBL_MAX && number <= DBL_MAX)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_END_FINITE,
                       &(ordo_report){.s = name, .t = number == number ? "infinite" : "NaN"});
    }
}

static void check_within(ordo_builder *builder, const char *name, double number, double least,
                         double most, const char *type) {
    if (!(number >= least && number <= most)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_END_RANGE, &(ordo_report){.s = name, .t = type});
    }
}

static void check_integer(ordo_builder *builder, const char *name, double number) {
    if (builder->status == ORDO_OK && number != (double)(int64_t)number) {
        ordo_plan_fail(builder, ORDO_MESSAGE_END_INTEGER, &(ordo_report){.s = name});
    }
}

/* Both ends of even bins of a type. */
static void check_ends(ordo_builder *builder, ordo_type type, const char *const names[2], double lo,
                       double hi) {
    check_finite(builder, names[0], lo);
    check_finite(builder, names[1], hi);
    if (!(lo < hi)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_END_ORDER,
                       &(ordo_report){.s = names[0], .t = names[1]});
    }
    if (type == ORDO_F32) {
        check_within(builder, names[0], lo, -FLT_MAX, FLT_MAX, "an f32");
        check_within(builder, names[1], hi, -FLT_MAX, FLT_MAX, "an f32");
        if (builder->status == ORDO_OK && !((float)lo < (float)hi)) {
            ordo_plan_fail(builder, ORDO_MESSAGE_END_ROUNDED,
                           &(ordo_report){.s = names[0], .t = names[1]});
        }
        return;
    }
    bool is_signed = type == ORDO_I32;
    double least = is_signed ? -2147483648.0 : 0, end = is_signed ? 2147483648.0 : 4294967296.0;
    check_within(builder, names[0], lo, least, end - 1, is_signed ? "an i32" : "a u32");
    check_within(builder, names[1], hi, least, end, is_signed ? "an i32" : "a u32");
    check_integer(builder, names[0], lo);
    check_integer(builder, names[1], hi);
}

static void check_unused(ordo_builder *builder, const char *name, bool used, const char *bins) {
    if (used) {
        ordo_plan_fail(builder, ORDO_MESSAGE_BINS_FIELD, &(ordo_report){.s = name, .t = bins});
    }
}

static void check_window(ordo_builder *builder, const ordo_histogram_desc *desc) {
    uint64_t low = desc->skip_low_bits, high = desc->skip_high_bits, skipped = low + high;
    if (skipped > 32) {
        ordo_plan_fail(builder, ORDO_MESSAGE_WINDOW, &(ordo_report){.a = low, .b = high, .c = 32});
    } else if (skipped < 16) {
        ordo_plan_fail(builder, ORDO_MESSAGE_BINS_WINDOW,
                       &(ordo_report){.a = low, .b = high, .c = 32 - skipped});
    } else if (desc->bin_count && desc->bin_count != (uint64_t)1 << (32 - skipped)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_BINS_BITS,
                       &(ordo_report){.a = desc->bin_count,
                                      .b = 32 - skipped,
                                      .c = (uint64_t)1 << (32 - skipped)});
    }
}

static void check_desc(ordo_builder *builder, const ordo_histogram_desc *desc) {
    static const char *const names[2] = {"lo", "hi"};
    ordo_plan_check_enum(builder, "type", desc->type, ORDO_F64);
    ordo_plan_check_enum(builder, "bins", desc->bins, ORDO_BINS_EDGES);
    if ((uint32_t)desc->type > ORDO_F32) {
        ordo_plan_fail(builder, ORDO_MESSAGE_BINS_TYPE, &(ordo_report){.a = desc->type});
    }
    if (desc->bin_count > ORDO_MAX_BINS) {
        ordo_plan_fail(builder, ORDO_MESSAGE_BIN_COUNT,
                       &(ordo_report){.s = "bin_count", .a = desc->bin_count, .b = ORDO_MAX_BINS});
    }
    if (desc->bins == ORDO_BINS_BITS) {
        check_window(builder, desc);
    } else {
        check_unused(builder, "skip_low_bits", desc->skip_low_bits != 0, "ORDO_BINS_BITS");
        check_unused(builder, "skip_high_bits", desc->skip_high_bits != 0, "ORDO_BINS_BITS");
    }
    if (desc->bins != ORDO_BINS_EVEN) {
        check_unused(builder, "lo", desc->lo != 0, "ORDO_BINS_EVEN");
        check_unused(builder, "hi", desc->hi != 0, "ORDO_BINS_EVEN");
    } else if (desc->lo != 0 || desc->hi != 0) {
        check_ends(builder, desc->type, names, desc->lo, desc->hi);
    }
    ordo_plan_set_count(builder, desc->max_count, 4);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Append the step that writes the table of edges, or clears counts, or both: what has a size. */
static void plan_edges(ordo_builder *builder, const bin_set *bins, ordo_area table,
                       ordo_area counts) {
    uint64_t words = (uint64_t)bins->bin_count + ORDO_BINS_EXTRA;
    uint32_t items = builder->tuning->move_items;
    bool search = bins->method == SEARCH && table.size_bytes;
    const char *entry = search              ? "edges_given_clear"
                        : !table.size_bytes ? "edges_clear"
                        : counts.size_bytes ? "edges_even_clear"
                                            : "edges_even";
    ordo_step *step =
        ordo_plan_step(builder, "edges", entry, items,
                       ordo_div_ceil(words, (uint64_t)builder->tuning->group_size * items),
                       table.size_bytes * (search ? 2 : 1) + counts.size_bytes);
    ordo_plan_constant(step, "TYPE_KIND", bins->type);
    ordo_plan_param(step, "bin_count", bins->bin_count);
    ordo_plan_param(step, "first", bins->first);
    ordo_plan_param(step, "last", bins->last);
    ordo_plan_param(step, "lo_0", bins->lo.words[0]);
    ordo_plan_param(step, "lo_1", bins->lo.words[1]);
    ordo_plan_param(step, "lo_2", bins->lo.words[2]);
    ordo_plan_param(step, "hi_0", bins->hi.words[0]);
    ordo_plan_param(step, "hi_1", bins->hi.words[1]);
    ordo_plan_param(step, "hi_2", bins->hi.words[2]);
    ordo_plan_param(step, "unit", bins->unit);
    if (table.size_bytes) {
        ordo_plan_bind(builder, step, table, ORDO_WRITE);
    }
    if (counts.size_bytes) {
        ordo_plan_bind(builder, step, counts, ORDO_WRITE);
    }
    if (search) {
        ordo_plan_bind(builder, step, ordo_plan_slot(builder, ORDO_SLOT_EDGES, table.size_bytes),
                       ORDO_READ);
    }
}

/* How a workgroup's memory is used, and how many workgroups share a tile. */
typedef struct layout {
    uint32_t range_bins, range_count;
    uint32_t copies;
    uint32_t cells, staged_words;
    uint32_t group_size;
} layout;

/* Bytes of workgroup memory an invocation with which an H200 still holds all it can. */
enum { MEMORY_OF_INVOCATION = 104 };

/* WebGPU counts each array in whole 16 bytes. */
static uint32_t counted_words(uint32_t words) { return (words + 3) / 4 * 4; }

static layout lay_out(const ordo_builder *builder, const bin_set *bins) {
    uint32_t most = builder->caps.max_workgroup_bytes / 4;
    uint32_t rows = bins->bin_count + ORDO_BINS_EXTRA, edges = bins->bin_count + 1;
    layout l = {.range_bins = bins->bin_count,
                .range_count = 1,
                .copies = 1,
                .staged_words = 1,
                .group_size = builder->tuning->group_size};
    bool looks_up = bins->method != WINDOW && bins->trust != TRUST_ALL;
    if (looks_up && counted_words(rows) + counted_words(edges) <= most) {
        l.staged_words = edges;
    }
    most -= counted_words(l.staged_words);
    if (counted_words(rows) > most) {
        uint32_t fitting = most / 4 * 4 - ORDO_BINS_EXTRA;
        l.range_count = (uint32_t)ordo_div_ceil(bins->bin_count, fitting);
        l.range_bins = (uint32_t)ordo_div_ceil(bins->bin_count, l.range_count);
    }
    while (l.range_count == 1 && 2 * l.copies <= builder->tuning->histogram_copies &&
           counted_words(2 * l.copies * rows) <= most) {
        l.copies *= 2;
    }
    l.cells = (l.range_bins + ORDO_BINS_EXTRA) * l.copies;
    while (4 * (l.cells + l.staged_words) > MEMORY_OF_INVOCATION * l.group_size &&
           2 * l.group_size <= builder->caps.max_invocations) {
        l.group_size *= 2;
    }
    return l;
}

/* Elements of a tile: few for a short input, so that all of the device works; in a long one so many
   that adding up counts takes little beside them. */
static uint64_t tile_items(const ordo_builder *builder, const layout *l) {
    const ordo_tuning *tuning = builder->tuning;
    uint64_t chunk = (uint64_t)l->group_size * tuning->histogram_items;
    uint64_t groups = (uint64_t)builder->caps.max_groups * builder->caps.max_groups;
    groups = groups < tuning->histogram_groups ? groups : tuning->histogram_groups;
    uint64_t tiles = groups > l->range_count ? groups / l->range_count : 1;
    uint64_t items = ordo_div_ceil(ordo_div_ceil(builder->max_count, tiles), chunk) * chunk;
    return items <= UINT32_MAX ? items : UINT32_MAX / chunk * chunk;
}

static void plan_counts(ordo_builder *builder, const bin_set *bins, ordo_area table,
                        ordo_area counts) {
    layout l = lay_out(builder, bins);
    bool window = bins->method == WINDOW;
    uint64_t tile = tile_items(builder, &l);
    ordo_area elements = ordo_plan_slot(builder, ORDO_SLOT_IN, 4 * builder->max_count);
    ordo_step *step = ordo_plan_step_sized(
        builder, "histogram", window ? "histogram_window" : "histogram_table", l.group_size,
        builder->tuning->histogram_items, ordo_div_ceil(builder->max_count, tile) * l.range_count,
        l.range_count * elements.size_bytes + counts.size_bytes + table.size_bytes);
    step->unrolled = builder->max_count >= builder->tuning->unrolled_count;
    ordo_plan_constant(step, "TYPE_KIND", bins->type);
    ordo_plan_constant(step, "CELLS", l.cells);
    ordo_plan_constant(step, "COPIES", l.copies);
    ordo_plan_constant(step, "RANGED", l.range_count > 1);
    ordo_plan_param(step, "bin_count", bins->bin_count);
    ordo_plan_param(step, "tile_items", tile);
    ordo_plan_param(step, "range_bins", l.range_bins);
    ordo_plan_param(step, "range_count", l.range_count);
    ordo_plan_param(step, "first", bins->first);
    ordo_plan_param(step, "span", bins->span);
    ordo_plan_param(step, "scale", bins->scale);
    ordo_plan_param(step, "origin", bins->origin);
    ordo_plan_param(step, "shift", bins->shift);
    ordo_plan_param(step, "mask", bins->mask);
    ordo_plan_param(step, "left", bins->left);
    ordo_plan_bind(builder, step, counts, ORDO_READ | ORDO_WRITE);
    ordo_plan_bind(builder, step, elements, ORDO_READ);
    if (!window) {
        ordo_plan_constant(step, "METHOD", bins->method);
        ordo_plan_constant(step, "TRUST", bins->trust);
        ordo_plan_constant(step, "RISING", bins->rising);
        ordo_plan_constant(step, "STAGED_WORDS", l.staged_words);
        ordo_plan_bind(builder, step, table, ORDO_READ);
    }
}

void ordo_planner_histogram(ordo_builder *builder, const void *any) {
    const ordo_histogram_desc *desc = any;
    check_desc(builder, desc);
    if (builder->status != ORDO_OK) {
        return;
    }
    bin_set bins = bins_of(desc);
    ordo_area table = {0},
              counts = ordo_plan_slot(builder, ORDO_SLOT_OUT,
                                      4 * ((uint64_t)bins.bin_count + ORDO_BINS_EXTRA));
    if (bins.method != WINDOW && desc->max_count) {
        table = ordo_plan_scratch(builder, 4 * ((uint64_t)bins.bin_count + 1));
    }
    plan_edges(builder, &bins, table, counts);
    if (desc->max_count) {
        plan_counts(builder, &bins, table, counts);
    }
}

ordo_status ordo_histogram_steps(const ordo_caps *caps, const ordo_histogram_desc *desc,
                                 ordo_step *steps, uint32_t capacity, ordo_summary *summary) {
    return ordo_plan_run(caps, desc, ordo_planner_histogram, steps, capacity, summary);
}

/* ---- Depths ---------------------------------------------------------------------------------- */

void ordo_plan_check_depth(ordo_builder *builder, const ordo_depth *depth) {
    static const char *const names[2] = {"depth.nearest", "depth.farthest"};
    if (depth->nearest == 0 && depth->farthest == 0) {
        if (depth->logarithmic || depth->reversed) {
            ordo_plan_fail(builder, ORDO_MESSAGE_DEPTH_FIELD,
                           &(ordo_report){.s = depth->logarithmic ? "logarithmic" : "reversed"});
        }
        return;
    }
    check_ends(builder, ORDO_F32, names, depth->nearest, depth->farthest);
    if (builder->status == ORDO_OK && depth->logarithmic && !((float)depth->nearest > 0)) {
        ordo_plan_fail(builder, ORDO_MESSAGE_DEPTH_NEAR, &(ordo_report){0});
    }
}

void ordo_plan_depth_buckets(ordo_builder *builder, const ordo_depth *depth, uint32_t bucket_count,
                             ordo_area depths, ordo_area buckets) {
    uint64_t mark = builder->scratch_end;
    bin_set bins = depth_bins(depth, bucket_count);
    ordo_area table = ordo_plan_scratch(builder, 4 * ((uint64_t)bucket_count + 1));
    plan_edges(builder, &bins, table, (ordo_area){0});
    ordo_step *step = ordo_plan_share_step(builder, "depth", "depth_buckets", 2);
    ordo_plan_constant(step, "TYPE_KIND", bins.type);
    ordo_plan_constant(step, "METHOD", bins.method);
    ordo_plan_param(step, "bin_count", bins.bin_count);
    ordo_plan_param(step, "first", bins.first);
    ordo_plan_param(step, "span", bins.span);
    ordo_plan_param(step, "scale", bins.scale);
    ordo_plan_param(step, "origin", bins.origin);
    ordo_plan_param(step, "shift", bins.shift);
    ordo_plan_param(step, "reversed", depth->reversed);
    ordo_plan_bind(builder, step, buckets, ORDO_WRITE);
    ordo_plan_bind(builder, step, depths, ORDO_READ);
    ordo_plan_bind(builder, step, table, ORDO_READ);
    builder->scratch_end = mark;
}
