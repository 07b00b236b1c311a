/* SPDX-License-Identifier: MIT */
/*
 * grid.c: the subcommand `grid`: sorts points into the cells of a uniform grid, or of a hashed one.
 *
 *     files -> points, f32 -> GPU -> starts of cells, indices by cell -> one of four results
 */
#include "cli.h"
#include "output.h"
#include "points.h"
#include "run.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>

typedef enum grid_result { RESULT_CELLS, RESULT_STARTS, RESULT_ORDER, RESULT_POINTS } grid_result;

typedef struct grid_options {
    common_options common;
    uint32_t dimensions; /* 0: not given */
    ordo_grid_desc desc;
    uint32_t number_count[3]; /* given to --cells, --cell-size and --origin; 0: not given */
    bool has_outside;
    grid_result result;
} grid_options;

/* ---- Arguments ----------------------------------------------------------------------------- */

enum {
    OPTION_CELLS = OPTION_OWN,
    OPTION_CELL_SIZE,
    OPTION_ORIGIN,
    OPTION_OUTSIDE,
    OPTION_TABLE,
    OPTION_DIMENSIONS,
    OPTION_RESULT
};

static const struct option long_options[] = {
    {"cells", required_argument, NULL, OPTION_CELLS},
    {"cell-size", required_argument, NULL, OPTION_CELL_SIZE},
    {"origin", required_argument, NULL, OPTION_ORIGIN},
    {"outside", required_argument, NULL, OPTION_OUTSIDE},
    {"table", required_argument, NULL, OPTION_TABLE},
    {"dimensions", required_argument, NULL, OPTION_DIMENSIONS},
    {"result", required_argument, NULL, OPTION_RESULT},
    COMMON_OPTIONS,
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: ordo grid --cells X,Y[,Z] [OPTION]... [FILE]...\n"
    "       ordo grid --table SIZE [OPTION]... [FILE]...\n"
    "Sort all FILEs' points into the cells of a uniform grid, on the GPU, and print a line for "
    "each\n"
    "cell that is not empty: its coordinates, and how many points it has. A line 'apart N' "
    "follows\n"
    "if points have no cell. Points of a cell keep their order.\n"
    "\n"
    "A FILE holds a point a line, 2 or 3 numbers with blanks between them, or is a NumPy array "
    "(.npy)\n"
    "of shape (n, 2) or (n, 3) and type f4. Several are taken as one. Without FILE, or when it is "
    "-,\n"
    "standard input is read. Coordinates are f32; text is rounded to them.\n"
    "\n"
    "      --cells=X,Y[,Z]      cells in each axis\n"
    "      --table=SIZE         no bounds: coordinates are hashed to SIZE buckets, a power of "
    "two.\n"
    "                           Lines are bucket numbers and counts\n"
    "      --cell-size=S[,S…]   length of a cell, in each axis or in all; default 1\n"
    "      --origin=X,Y[,Z]     the grid's lower corner; default 0\n"
    "      --outside=HOW        points outside go to the nearest cell (clamp, default), to that "
    "of\n"
    "                           space repeated (wrap), or to none (apart); NaNs always to none\n"
    "      --result=R           what is written: cells (default), starts (where the points of "
    "each\n"
    "                           cell start, where those without start, and the end), order "
    "(points'\n"
    "                           positions, cell by cell), or points (themselves, in that order).\n"
    "                           cells is text; the others are as the input is: lines, or arrays\n"
    "      --dimensions=D       2 or 3; only --raw needs it\n" HELP_OUTPUT
    "      --raw          FILEs are bare little-endian f32, the coordinates of a point "
    "together\n" HELP_ADAPTER HELP_STATS "\n"
    "Cells are numbered with the first axis fastest. Exit code: 0 if all went well, 2 on trouble.";

static void take_option(grid_options *o, int letter) {
    static const char *const outsides[] = {"clamp", "wrap", "apart"};
    static const char *const results[] = {"cells", "starts", "order", "points"};
    const char *topic = o->common.topic;
    switch (letter) {
    case OPTION_CELLS:
        o->number_count[0] = list_option(topic, "--cells", optarg, NULL, o->desc.cells);
        break;
    case OPTION_CELL_SIZE:
        o->number_count[1] = list_option(topic, "--cell-size", optarg, o->desc.cell_size, NULL);
        break;
    case OPTION_ORIGIN:
        o->number_count[2] = list_option(topic, "--origin", optarg, o->desc.origin, NULL);
        break;
    case OPTION_OUTSIDE:
        o->desc.outside = (ordo_outside)word_option(topic, "--outside", optarg, outsides, 3);
        o->has_outside = true;
        break;
    case OPTION_TABLE:
        o->desc.table_size = (uint32_t)count_option(topic, "--table", optarg, 32);
        if (o->desc.table_size == 0)
            fail_usage(topic, "--table must be at least 1");
        break;
    case OPTION_DIMENSIONS:
        o->dimensions = (uint32_t)number_option(topic, "--dimensions", optarg, 3);
        if (o->dimensions < 2)
            fail_usage(topic, "--dimensions must be 2 or 3");
        break;
    case OPTION_RESULT:
        o->result = (grid_result)word_option(topic, "--result", optarg, results, 4);
        break;
    default: /* OPTION_HELP */
        common_help(help);
    }
}

static grid_options parse_arguments(int argc, char **argv) {
    grid_options o = {.common.topic = "grid"};
    const char *topic = o.common.topic;
    int letter;
    while ((letter = getopt_long(argc, argv, COMMON_LETTERS, long_options, NULL)) != -1) {
        if (!common_option(&o.common, letter))
            take_option(&o, letter);
    }
    for (uint32_t i = 0; i < o.number_count[0]; i++) {
        if (o.desc.cells[i] == 0)
            fail_usage(topic, "--cells: no axis can have 0 cells");
    }
    for (uint32_t i = 0; i < o.number_count[1]; i++) {
        if (o.desc.cell_size[i] <= 0)
            fail_usage(topic, "--cell-size: a cell's length is more than 0");
    }
    if (o.common.has_type)
        fail_usage(topic, "points are f32: grid has no --type");
    if (o.common.raw && o.dimensions == 0)
        fail_usage(topic, "--raw needs --dimensions");
    o.common.has_type = o.common.raw;
    o.common.type = ORDO_F32;
    common_names(&o.common, argc, argv);
    if (o.desc.table_size == 0 && o.number_count[0] == 0)
        fail_usage(topic, "--cells is missing, or --table");
    if (o.desc.table_size != 0 && (o.number_count[0] != 0 || o.has_outside))
        fail_usage(topic, "--table has no bounds: it cannot go with --cells and --outside");
    return o;
}

/* ---- Points -------------------------------------------------------------------------------- */

static void check_dimensions(const grid_options *o, const points *p) {
    static const char *const names[] = {"--cells", "--cell-size", "--origin"};
    for (int i = 0; i < 3; i++) {
        const uint32_t given = o->number_count[i];
        const bool one_for_all = i == 1 && given == 1;
        if (given != 0 && given != p->dimensions && !one_for_all)
            fail("%s: points have %" PRIu32 " coordinates, and %s has %" PRIu32 " numbers",
                 p->in.sources[0].name, p->dimensions, names[i], given);
    }
}

/* How many coordinates points would have that are not there, by what options say. */
static uint32_t given_dimensions(const grid_options *o) {
    for (int i = 0; i < 3; i++) {
        if (o->number_count[i] >= 2)
            return o->number_count[i];
    }
    return 3;
}

/* ---- Results ------------------------------------------------------------------------------- */

typedef struct sorted_points {
    uint64_t cell_count;
    uint32_t cells[3];
    uint32_t *starts;   /* cell_count + 2 */
    uint32_t *order;    /* count */
    float *coordinates; /* those of points, in that order; only of RESULT_POINTS for arrays */
} sorted_points;

static ordo_status make_plan(ordo_context *context, const void *desc, ordo_plan **plan) {
    return ordo_grid_plan(context, desc, plan);
}

static sorted_points sort_points(const grid_options *o, const points *p, run_stats *stats) {
    ordo_grid_desc desc = o->desc;
    desc.max_count = p->count;
    desc.dimensions = p->dimensions;
    desc.points_out = o->result == RESULT_POINTS && p->in.format != FORMAT_TEXT;
    sorted_points s = {.cell_count = desc.table_size};
    for (uint32_t i = 0; i < 3; i++)
        s.cells[i] = desc.cells[i] == 0 ? 1 : desc.cells[i];
    /* The planner is asked before memory is: it bounds the product. */
    ordo_summary summary;
    if (ordo_grid_steps(NULL, &desc, NULL, 0, &summary) == ORDO_INVALID)
        fail("%s", summary.message);
    if (s.cell_count == 0)
        s.cell_count = (uint64_t)s.cells[0] * s.cells[1] * s.cells[2];
    /* Zeros, as of no points, that take no memory until they are touched: a device may well refuse
       so many cells. */
    s.starts = calloc((size_t)s.cell_count + 2, sizeof *s.starts);
    if (s.starts == NULL)
        fail("out of memory: no %" PRIu64 " starts of cells", s.cell_count + 2);
    s.order = allocate(p->count, sizeof *s.order, "indices");
    if (desc.points_out)
        s.coordinates = allocate(p->count * p->dimensions, sizeof(float), "points");
    if (p->count == 0)
        return s;
    const ordo_arrays arrays = {
        .in = p->coordinates, .values_out = s.order, .starts = s.starts, .out = s.coordinates};
    run_once(&o->common.gpu, o->common.stats, make_plan, &desc, &arrays, stats);
    return s;
}

static void write_cells(const grid_options *o, const points *p, const sorted_points *s) {
    if (p->count == 0)
        return; /* without a look at perhaps 2^31 cells */
    for (uint64_t cell = 0; cell < s->cell_count; cell++) {
        const uint32_t count = s->starts[cell + 1] - s->starts[cell];
        const uint64_t rest = cell / s->cells[0];
        if (count == 0)
            continue;
        if (o->desc.table_size != 0)
            output_print("%" PRIu64, cell);
        else if (p->dimensions == 2)
            output_print("%" PRIu64 " %" PRIu64, cell % s->cells[0], rest);
        else
            output_print("%" PRIu64 " %" PRIu64 " %" PRIu64, cell % s->cells[0], rest % s->cells[1],
                         rest / s->cells[1]);
        output_print(" %" PRIu32 "\n", count);
    }
    const uint32_t apart = s->starts[s->cell_count + 1] - s->starts[s->cell_count];
    if (apart > 0)
        output_print("apart %" PRIu32 "\n", apart);
}

static void write_result(const grid_options *o, const points *p, const sorted_points *s) {
    const uint64_t number_count = p->count * p->dimensions;
    const keys sorted = {.type = ORDO_F32, .count = number_count, .data = s->coordinates};
    output_open(o->common.output);
    if (o->result == RESULT_CELLS)
        write_cells(o, p, s);
    else if (o->result == RESULT_STARTS)
        write_indices(&p->in, s->starts, s->cell_count + 2, 0);
    else if (o->result == RESULT_ORDER)
        write_indices(&p->in, s->order, p->count, 0);
    else if (p->in.format == FORMAT_TEXT)
        text_write_lines(&p->t, s->order, p->count);
    else
        array_write(&p->in, &sorted, p->dimensions);
    output_finish();
}

/* ---- Entry point --------------------------------------------------------------------------- */

int grid_main(int argc, char **argv) {
    const double start = now_seconds();
    grid_options o = parse_arguments(argc, argv);
    output_check(o.common.output);
    progress_start(o.common.quiet);

    points p;
    points_read(&p, &o.common, o.dimensions);
    if (p.dimensions == 0)
        p.dimensions = given_dimensions(&o);
    check_dimensions(&o, &p);
    run_stats stats = {.on_gpu = false};
    sorted_points s = sort_points(&o, &p, &stats);
    write_result(&o, &p, &s);
    progress_end();
    if (o.common.stats)
        print_run(&stats, "points", p.count, p.read_seconds, start);
    free(s.starts);
    free(s.order);
    free(s.coordinates);
    points_free(&p);
    return EXIT_FINE;
}
