/* SPDX-License-Identifier: MIT */
/* plan_check_third.c: the rules and slots of histograms, counting sorts, grids and top-k, written
   from the comments of ordo_plan.h; see plan_check.h. */
#include "plan_check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- Rules of the descs ---------------------------------------------------------------------- */

static bool is_whole(double number) { return isfinite(number) && floor(number) == number; }

/* Whether two bounds, as f32, are still finite and apart. */
static bool apart_in_f32(double lo, double hi) {
    return isfinite((float)lo) && isfinite((float)hi) && (float)lo < (float)hi;
}

static plan_rule even_bins(const ordo_histogram_desc *desc) {
    double lo = desc->lo, hi = desc->hi;
    if (lo == 0 && hi == 0)
        return PLAN_GOOD;
    if (!isfinite(lo) || !isfinite(hi) || lo >= hi)
        return PLAN_BAD;
    if (desc->type == ORDO_F32)
        return apart_in_f32(lo, hi) ? PLAN_GOOD : PLAN_EITHER;
    double least = desc->type == ORDO_I32 ? -2147483648.0 : 0;
    bool held = is_whole(lo) && is_whole(hi) && lo >= least && hi <= least + 4294967296.0;
    return held ? PLAN_GOOD : PLAN_BAD;
}

static plan_rule histogram(const ordo_histogram_desc *desc) {
    if ((uint32_t)desc->type > ORDO_F32 || (uint32_t)desc->bins > ORDO_BINS_EDGES ||
        desc->bin_count > ORDO_MAX_BINS)
        return PLAN_BAD;
    uint64_t skipped = (uint64_t)desc->skip_low_bits + desc->skip_high_bits;
    if (desc->bins == ORDO_BINS_BITS) {
        bool held = skipped >= 16 && skipped <= 32 &&
                    (desc->bin_count == 0 || desc->bin_count == 1u << (32 - skipped));
        return held ? (desc->lo == 0 && desc->hi == 0 ? PLAN_GOOD : PLAN_EITHER) : PLAN_BAD;
    }
    plan_rule bounds = desc->bins == ORDO_BINS_EVEN     ? even_bins(desc)
                       : desc->lo == 0 && desc->hi == 0 ? PLAN_GOOD
                                                        : PLAN_EITHER;
    return bounds == PLAN_GOOD && skipped ? PLAN_EITHER : bounds;
}

static plan_rule depth(const ordo_counting_sort_desc *desc) {
    double near = desc->depth.nearest, far = desc->depth.farthest;
    if (near == 0 && far == 0)
        return desc->depth.logarithmic || desc->depth.reversed ? PLAN_EITHER : PLAN_GOOD;
    if (near == far)
        return PLAN_EITHER;
    if (!isfinite(near) || !isfinite(far) || near > far)
        return PLAN_BAD;
    if ((desc->depth.logarithmic && near <= 0) || (!desc->argsort && desc->value_bytes == 0))
        return PLAN_BAD;
    if (desc->depth.logarithmic && (float)near <= 0)
        return PLAN_EITHER;
    return apart_in_f32(near, far) ? PLAN_GOOD : PLAN_EITHER;
}

static plan_rule counting(const ordo_counting_sort_desc *desc) {
    if (desc->bucket_count > ORDO_MAX_BINS || desc->value_bytes % 4 || desc->value_bytes > 64 ||
        (desc->argsort && desc->value_bytes))
        return PLAN_BAD;
    return depth(desc);
}

static uint32_t dimensions_of(const ordo_grid_desc *desc) {
    return desc->dimensions ? desc->dimensions : 3;
}

static uint32_t stride_of(const ordo_grid_desc *desc) {
    return desc->stride_bytes ? desc->stride_bytes : 4 * dimensions_of(desc);
}

/* Cells of a grid that is not hashed. */
static double cells_of(const ordo_grid_desc *desc) {
    double cells = 1;
    for (uint32_t axis = 0; axis < dimensions_of(desc); axis++)
        cells *= desc->cells[axis] ? desc->cells[axis] : 1;
    return cells;
}

static plan_rule hashed_or_not(const ordo_grid_desc *desc) {
    uint32_t table = desc->table_size;
    if (table == 0)
        return cells_of(desc) <= 0x1p31 ? PLAN_GOOD : PLAN_BAD;
    for (uint32_t axis = 0; axis < dimensions_of(desc); axis++) {
        if (desc->cells[axis])
            return PLAN_BAD;
    }
    return (table & (table - 1)) == 0 && desc->outside == ORDO_OUTSIDE_CLAMP ? PLAN_GOOD : PLAN_BAD;
}

static plan_rule grid(const ordo_grid_desc *desc) {
    uint32_t dimensions = dimensions_of(desc), stride = stride_of(desc);
    if (dimensions < 2 || dimensions > 3 || (uint32_t)desc->outside > ORDO_OUTSIDE_APART)
        return PLAN_BAD;
    if (stride % 4 || stride > 4096 || desc->offset_bytes % 4 || desc->offset_bytes > stride ||
        stride - desc->offset_bytes < 4 * dimensions)
        return PLAN_BAD;
    for (uint32_t axis = 0; axis < dimensions; axis++) {
        float size = desc->cell_size[axis];
        bool fits = size == 0 || (size >= 1e-28f && size <= 1e28f);
        if (!fits || !isfinite(desc->origin[axis]) || desc->cells[axis] > 1u << 20)
            return PLAN_BAD;
    }
    bool unused = desc->origin[2] != 0 || desc->cell_size[2] != 0 || desc->cells[2] != 0;
    plan_rule kind = hashed_or_not(desc);
    return kind == PLAN_GOOD && dimensions == 2 && unused ? PLAN_EITHER : kind;
}

plan_rule plan_desc_rule(const plan_problem *problem) {
    switch (problem->primitive) {
    case PLAN_HISTOGRAM:
        return histogram(&problem->histogram);
    case PLAN_COUNTING_SORT:
        return counting(&problem->counting);
    case PLAN_GRID:
        return grid(&problem->grid);
    case PLAN_TOP_K:
        return (uint32_t)problem->top_k.key <= ORDO_F64 ? PLAN_GOOD : PLAN_BAD;
    default:
        return PLAN_EITHER;
    }
}

/* ---- Slots ----------------------------------------------------------------------------------- */

static void histogram_slots(const ordo_histogram_desc *desc, uint64_t *bytes) {
    uint64_t bins = desc->bin_count ? desc->bin_count : 256;
    if (desc->bins == ORDO_BINS_BITS)
        bins = 1ull << (32 - desc->skip_low_bits - desc->skip_high_bits);
    bytes[ORDO_SLOT_IN] = 4 * desc->max_count;
    bytes[ORDO_SLOT_OUT] = 4 * (bins + ORDO_BINS_EXTRA);
    if (desc->bins == ORDO_BINS_EDGES && desc->max_count)
        bytes[ORDO_SLOT_EDGES] = 4 * (bins + 1);
}

static void counting_slots(const ordo_counting_sort_desc *desc, uint64_t *bytes) {
    uint64_t count = desc->max_count, buckets = desc->bucket_count ? desc->bucket_count : 256;
    bool depths = desc->depth.nearest != desc->depth.farthest;
    bytes[ORDO_SLOT_IN] = 4 * count;
    bytes[ORDO_SLOT_OUT] = depths || desc->argsort ? 0 : 4 * count;
    bytes[ORDO_SLOT_VALUES_IN] = desc->value_bytes * count;
    bytes[ORDO_SLOT_VALUES_OUT] = (desc->argsort ? 4 : desc->value_bytes) * count;
    bytes[ORDO_SLOT_STARTS] = count ? 4 * (buckets + 2) : 0;
}

static void grid_slots(const ordo_grid_desc *desc, uint64_t *bytes) {
    uint64_t cells = desc->table_size ? desc->table_size : (uint64_t)cells_of(desc);
    uint32_t point_bytes = 4 * dimensions_of(desc);
    if (desc->max_count)
        bytes[ORDO_SLOT_IN] =
            (desc->max_count - 1) * stride_of(desc) + desc->offset_bytes + point_bytes;
    bytes[ORDO_SLOT_OUT] = desc->points_out ? desc->max_count * 4 * dimensions_of(desc) : 0;
    bytes[ORDO_SLOT_VALUES_OUT] = 4 * desc->max_count;
    bytes[ORDO_SLOT_STARTS] = desc->max_count ? 4 * (cells + 2) : 0;
}

static void top_k_slots(const ordo_top_k_desc *desc, uint64_t *bytes) {
    uint64_t count = desc->max_count, row = desc->row_length;
    if (count == 0 || desc->k == 0)
        return;
    if (row == 0 || row > count)
        row = count;
    uint64_t entries = ((count - 1) / row + 1) * (desc->k < row ? desc->k : row);
    bytes[ORDO_SLOT_IN] = count * ordo_type_bytes(desc->key);
    bytes[ORDO_SLOT_OUT] = entries * ordo_type_bytes(desc->key);
    bytes[ORDO_SLOT_VALUES_OUT] = entries * 4;
}

void plan_third_slots(const plan_problem *problem, uint64_t bytes[ORDO_SLOT_COUNT]) {
    switch (problem->primitive) {
    case PLAN_HISTOGRAM:
        histogram_slots(&problem->histogram, bytes);
        break;
    case PLAN_COUNTING_SORT:
        counting_slots(&problem->counting, bytes);
        break;
    case PLAN_GRID:
        grid_slots(&problem->grid, bytes);
        break;
    default:
        top_k_slots(&problem->top_k, bytes);
    }
}

/* ---- Workgroups ------------------------------------------------------------------------------ */

static uint64_t words_of(const ordo_step *step, uint32_t range) {
    return step->ranges[range].size_bytes / 4;
}

/* A tile for each workgroup of a range of bins, and ranges that hold all bins. */
static const char *histogram_cover(const ordo_step *step, uint64_t count, uint64_t groups) {
    uint64_t tile = step_param(step, "tile_items"), ranges = step_param(step, "range_count");
    if (tile == 0 || tile % (step_constant(step, "GROUP_SIZE") * step->items))
        return "a tile of no whole chunks";
    if (step_param(step, "range_bins") * ranges < step_param(step, "bin_count"))
        return "ranges that leave bins out";
    if (step_constant(step, "CELLS") !=
        (step_param(step, "range_bins") + ORDO_BINS_EXTRA) * step_constant(step, "COPIES"))
        return "other cells than those of a range's bins";
    return groups >= ((count - 1) / tile + 1) * ranges ? NULL : "too few workgroups for the tiles";
}

/* Rows are rows of the problem, but those of the selected elements when these are sorted. */
static const char *top_k_cover(const ordo_step *step, uint64_t groups) {
    uint64_t row = step_param(step, "row_length"), tiles = step_param(step, "tiles");
    uint64_t invocations = step_constant(step, "GROUP_SIZE");
    if (row == 0)
        return "no row_length";
    uint64_t rows = (step_param(step, "max_count") - 1) / row + 1;
    if (strcmp(step->kernel, "topk_select") == 0) {
        uint64_t cells = step_constant(step, "CELLS");
        bool all_fit =
            !strstr(step->entry, "_chunks") && cells >= step_param(step, "source_length");
        if (cells < invocations || cells & (cells - 1) ||
            (cells < 2 * step_param(step, "k") && !all_fit))
            return complain("%" PRIu64 " cells", cells);
        return groups >= rows ? NULL : "too few workgroups for the rows";
    }
    if (strcmp(step->kernel, "topk_best") == 0) {
        uint64_t chunk = step_param(step, "chunk");
        if (chunk == 0 || chunk % step->items)
            return "a chunk of no whole items";
        if (tiles * invocations * chunk < step_param(step, "source_length"))
            return "chunks that leave elements out";
        return groups >= rows * tiles ? NULL : "too few workgroups for the tiles";
    }
    uint64_t reached = groups * invocations * step->items, words = step_param(step, "word_count");
    if (strstr(step->entry, "_clear"))
        return words == words_of(step, 0) && reached >= words ? NULL : "words are not cleared";
    if (strstr(step->entry, "_fill") || strstr(step->entry, "_first"))
        return words == words_of(step, 1) && reached >= words ? NULL : "entries are not filled";
    if (strstr(step->entry, "_pick") || strstr(step->entry, "_place"))
        return groups >= rows ? NULL : "too few workgroups for the rows";
    if (step_param(step, "tile_items") % (invocations * step->items) ||
        tiles * step_param(step, "tile_items") < row)
        return "tiles that leave elements out";
    return groups >= rows * tiles ? NULL : "too few workgroups for the tiles";
}

bool plan_third_cover(const ordo_step *step, const char **wrong) {
    uint64_t groups = (uint64_t)step->group_count_x * step->group_count_y;
    uint64_t reached = groups * step_constant(step, "GROUP_SIZE") * step->items;
    *wrong = NULL;
    if (strcmp(step->kernel, "histogram") == 0) {
        *wrong = histogram_cover(step, step_param(step, "max_count"), groups);
    } else if (strncmp(step->kernel, "topk_", 5) == 0) {
        *wrong = top_k_cover(step, groups);
    } else if (strcmp(step->kernel, "edges") == 0) {
        for (uint32_t i = 0; i < step->range_count; i++)
            *wrong = reached >= words_of(step, i) ? *wrong : "too few workgroups for the edges";
    } else if (strcmp(step->kernel, "radix_scan") == 0) {
        uint64_t tiles = (step_param(step, "max_count") - 1) / step_param(step, "tile_items") + 1;
        uint64_t digits = step_param(step, "digit_count"), words = 0;
        for (uint32_t i = 0; i < step->range_count; i++)
            words += words_of(step, i);
        if (words != digits * (tiles + 1))
            *wrong = "other words than those of the counts and totals";
        else if (groups < digits)
            *wrong = "too few workgroups for the digits";
    } else if (strcmp(step->kernel, "starts") == 0) {
        bool all =
            step_param(step, "last") + 2 == words_of(step, 0) && reached >= words_of(step, 0);
        *wrong = all ? NULL : "too few workgroups for the starts";
    } else {
        return false;
    }
    return true;
}
