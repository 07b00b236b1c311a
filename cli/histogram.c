/* SPDX-License-Identifier: MIT */
/*
 * histogram.c: the subcommand `histogram`: counts numbers by bins.
 *
 *     files -> numbers -> edges, from options or from the numbers -> counts -> lines, bars, …
 *
 * Kernels count 32-bit types, and these go there:
 *     f32         as they are
 *     integers    of any type whose bins span less than 2^32 - 1: as distances from the first edge
 *     bits        of any type: those of the window
 * What is left, f64 and wider spans, is counted on the host, which finds each bin by bisection. So
 * counts are exact for every type.
 */
#define _DEFAULT_SOURCE /* ioctl */

#include "cli.h"
#include "common.h"
#include "decimal.h"
#include "histogram_draw.h"
#include "output.h"
#include "run.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DEFAULT_BINS 10

typedef struct histogram_options {
    common_options common;
    uint32_t bin_count;  /* 0: not given */
    const char *lo, *hi; /* NULL: not given */
    char *edges;         /* a file's name, or NULL */
    const char *bits;    /* NULL: not given; */
    uint32_t bit[2];     /* else from the first on, and not the second */
    bool plot, logarithmic, json;
    const char *svg;
} histogram_options;

/* ---- Arguments ----------------------------------------------------------------------------- */

enum {
    OPTION_BINS = OPTION_OWN,
    OPTION_LO,
    OPTION_HI,
    OPTION_EDGES,
    OPTION_BITS,
    OPTION_PLOT,
    OPTION_LOG,
    OPTION_SVG,
    OPTION_JSON
};

static const struct option long_options[] = {
    {"bins", required_argument, NULL, OPTION_BINS},
    {"lo", required_argument, NULL, OPTION_LO},
    {"hi", required_argument, NULL, OPTION_HI},
    {"edges", required_argument, NULL, OPTION_EDGES},
    {"bits", required_argument, NULL, OPTION_BITS},
    {"plot", no_argument, NULL, OPTION_PLOT},
    {"log", no_argument, NULL, OPTION_LOG},
    {"svg", required_argument, NULL, OPTION_SVG},
    {"json", no_argument, NULL, OPTION_JSON},
    COMMON_OPTIONS,
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: ordo histogram [OPTION]... [FILE]...\n"
    "Count all FILEs' numbers by bins, on the GPU. Each line of the output is a bin: its lower "
    "edge,\n"
    "which it includes, its upper edge, which it does not, and its count. Lines 'below N', 'above "
    "N'\n"
    "and 'nan N' follow if there are such numbers.\n"
    "\n"
    "A FILE holds one number a line, or is a one-dimensional NumPy array (.npy). Several are taken "
    "as\n"
    "one. Without FILE, or when it is -, standard input is read.\n"
    "\n"
    "      --bins=N       bins of equal width, up to 65536; default 10, or one an integer if "
    "there\n"
    "                     are fewer\n"
    "      --lo=A         where the first begins; default: the least finite number\n"
    "      --hi=B         where the last ends; default: the greatest finite number plus 1 of\n"
    "                     integers, and the float behind it of floats, so that it is counted in\n"
    "      --edges=FILE   bins between these numbers, which are sorted\n"
    "      --bits=LOW:HIGH  a bin for each value of bits LOW to HIGH - 1, at most 16, of each "
    "number\n"
    "                     as an unsigned integer that is ordered as the numbers are\n"
    "      --plot         draw bars instead, as wide as the terminal or 80 columns\n"
    "      --log          bars grow with the logarithm of the count\n"
    "      --svg=FILE     also write a chart\n"
    "      --json         print an object instead: type, number_count, below, above, nan, edges,\n"
    "                     counts\n" HELP_OUTPUT HELP_TYPE HELP_RAW HELP_ADAPTER HELP_STATS "\n"
    "f64, and integers whose bins span 2^32 - 1 or more, are counted on the host, as exactly.\n"
    "Exit code: 0 if all went well, 2 on trouble.";

static void parse_bits(histogram_options *o) {
    char low[16];
    const char *colon = strchr(o->bits, ':');
    if (colon == NULL || colon - o->bits >= (ptrdiff_t)sizeof low)
        fail_usage(o->common.topic, "--bits: '%s' is not LOW:HIGH", o->bits);
    snprintf(low, sizeof low, "%.*s", (int)(colon - o->bits), o->bits);
    o->bit[0] = (uint32_t)number_option(o->common.topic, "--bits", low, 63);
    o->bit[1] = (uint32_t)number_option(o->common.topic, "--bits", colon + 1, 64);
    if (o->bit[0] >= o->bit[1] || o->bit[1] - o->bit[0] > 16)
        fail_usage(o->common.topic, "--bits: '%s' is no window of 1 to 16 bits", o->bits);
}

static void take_option(histogram_options *o, int letter) {
    switch (letter) {
    case OPTION_BINS:
        o->bin_count = (uint32_t)number_option(o->common.topic, "--bins", optarg, ORDO_MAX_BINS);
        if (o->bin_count == 0)
            fail_usage(o->common.topic, "--bins must be at least 1");
        break;
    case OPTION_LO:
        o->lo = optarg;
        break;
    case OPTION_HI:
        o->hi = optarg;
        break;
    case OPTION_EDGES:
        o->edges = optarg;
        break;
    case OPTION_BITS:
        o->bits = optarg;
        parse_bits(o);
        break;
    case OPTION_PLOT:
        o->plot = true;
        break;
    case OPTION_LOG:
        o->logarithmic = true;
        break;
    case OPTION_SVG:
        o->svg = optarg;
        break;
    case OPTION_JSON:
        o->json = true;
        break;
    default: /* OPTION_HELP */
        common_help(help);
    }
}

static histogram_options parse_arguments(int argc, char **argv) {
    histogram_options o = {.common.topic = "histogram"};
    const char *topic = o.common.topic;
    int letter;
    while ((letter = getopt_long(argc, argv, COMMON_LETTERS, long_options, NULL)) != -1) {
        if (!common_option(&o.common, letter))
            take_option(&o, letter);
    }
    common_names(&o.common, argc, argv);
    const bool even = o.bin_count != 0 || o.lo != NULL || o.hi != NULL;
    if (o.edges != NULL && (even || o.bits != NULL))
        fail_usage(topic, "--edges says all of the bins: it cannot go with --bins, --lo, --hi, "
                          "--bits");
    if (o.bits != NULL && even)
        fail_usage(topic, "--bits says all of the bins: it cannot go with --bins, --lo, --hi");
    if (o.plot && o.json)
        fail_usage(topic, "--plot and --json cannot go together");
    if (o.logarithmic && !o.plot && o.svg == NULL)
        fail_usage(topic, "--log is of --plot and --svg");
    if (o.svg != NULL && strcmp(o.svg, "-") == 0)
        fail_usage(topic, "--svg: '-' is no file: standard output is for the counts");
    bool standard = o.common.name_count == 0;
    for (int i = 0; i < o.common.name_count; i++)
        standard = standard || strcmp(o.common.names[i], "-") == 0;
    if (standard && o.edges != NULL && strcmp(o.edges, "-") == 0)
        fail_usage(topic, "--edges: standard input holds the numbers already");
    return o;
}

/* ---- Edges --------------------------------------------------------------------------------- */

/* Number i as edges are; UINT64_MAX of floats is a NaN. */
static uint64_t number_image(const numbers *n, uint64_t i) {
    if (!type_is_float(n->type))
        return numbers_integer(n, i);
    double value;
    if (n->type == ORDO_F32) {
        float single;
        memcpy(&single, (const char *)n->k.data + 4 * i, sizeof single);
        value = (double)single;
    } else {
        memcpy(&value, (const char *)n->k.data + 8 * i, sizeof value);
    }
    return isnan(value) ? UINT64_MAX : float_image(value);
}

/* An edge of zero takes both zeros in: it is the lesser of them. */
static uint64_t edge_image(double value) { return float_image(value == 0 ? -0.0 : value); }

/* The edge that an option gives. */
static uint64_t bound_option(const numbers *n, const char *name, const char *given) {
    const decimal d = decimal_parse(given, given + strlen(given));
    const char *type = type_name(n->type);
    if (type_is_float(n->type)) {
        const double value =
            n->type == ORDO_F32 ? (double)decimal_to_float(&d) : decimal_to_double(&d);
        if (d.form == DECIMAL_NONE || !isfinite(value))
            fail("%s: '%s' is no finite number of type %s, which the input is read as", name, given,
                 type);
        return edge_image(value);
    }
    if (d.form != DECIMAL_INTEGER)
        fail("%s: '%s' is no integer, and the input is read as %s", name, given, type);
    const bool has_sign = type_is_signed(n->type);
    const uint64_t middle = has_sign ? UINT64_C(1) << 63 : 0;
    if (!d.fits || d.digits > (d.negative ? middle : has_sign ? INT64_MAX : UINT64_MAX))
        fail("%s: '%s' is out of range of %s", name, given, has_sign ? "i64" : "u64");
    return d.negative ? middle - d.digits : middle + d.digits;
}

/* The float of the type behind an edge; of the greatest one itself. */
static uint64_t float_behind(ordo_type type, uint64_t edge) {
    const double value = image_float(edge);
    const double next =
        type == ORDO_F32 ? (double)nextafterf((float)value, INFINITY) : nextafter(value, INFINITY);
    return edge_image(isfinite(next) ? next : value);
}

/* The least and the greatest finite number; false if there is none. */
static bool find_extremes(const numbers *n, uint64_t *least, uint64_t *greatest) {
    const bool is_float = type_is_float(n->type);
    const uint64_t first = is_float ? float_image(-INFINITY) + 1 : 0;
    const uint64_t last = is_float ? float_image(INFINITY) - 1 : UINT64_MAX;
    *least = UINT64_MAX;
    *greatest = 0;
    for (uint64_t i = 0; i < n->k.count; i++) {
        const uint64_t image = number_image(n, i);
        if (image < first || image > last)
            continue;
        *least = image < *least ? image : *least;
        *greatest = image > *greatest ? image : *greatest;
    }
    return *least <= *greatest;
}

/* Where bins begin and end if options do not say: around the finite numbers; from 0 to 1 if there
   are none. */
static void default_range(const numbers *n, uint64_t range[2]) {
    uint64_t least, greatest;
    if (!find_extremes(n, &least, &greatest)) {
        range[0] = bound_option(n, "--lo", "0");
        range[1] = bound_option(n, "--hi", "1");
    } else if (type_is_float(n->type)) {
        range[0] = edge_image(image_float(least));
        range[1] = float_behind(n->type, greatest);
    } else {
        range[0] = least;
        range[1] = greatest < UINT64_MAX ? greatest + 1 : greatest;
    }
}

static void find_range(const histogram_options *o, const numbers *n, uint64_t range[2]) {
    if (o->lo == NULL || o->hi == NULL)
        default_range(n, range);
    if (o->lo != NULL)
        range[0] = bound_option(n, "--lo", o->lo);
    if (o->hi != NULL)
        range[1] = bound_option(n, "--hi", o->hi);
}

/* lo + i * (hi - lo) / bin_count: of integers rounded up, of floats to the nearest. */
static uint64_t even_edge(const histogram *h, const uint64_t range[2], uint32_t i) {
    const uint64_t n = h->bin_count;
    if (i == 0 || i == n)
        return range[i / n];
    if (!type_is_float(h->type)) {
        const uint64_t span = range[1] - range[0];
        return range[0] + span / n * i + (span % n * i + n - 1) / n;
    }
    double lo = image_float(range[0]), hi = image_float(range[1]), unit = 1;
    if (!isfinite((hi - lo) * (double)n)) { /* no product may overflow */
        unit = 0x1p20;
        lo /= unit;
        hi /= unit;
    }
    double edge = (lo + i * (hi - lo) / (double)n) * unit;
    edge = h->type == ORDO_F32 ? (double)(float)edge : edge;
    return edge_image(edge < hi * unit ? edge : hi * unit);
}

static void make_even_edges(const histogram_options *o, const numbers *n, histogram *h) {
    uint64_t range[2];
    find_range(o, n, range);
    char shown[2][SHOWN_BYTES];
    edge_show(h, range[0], shown[0]);
    edge_show(h, range[1], shown[1]);
    if (range[0] >= range[1])
        fail("there are no bins: the first begins at %s, and the last ends at %s", shown[0],
             shown[1]);
    const uint64_t distinct = type_is_float(h->type) ? DEFAULT_BINS : range[1] - range[0];
    h->bin_count = o->bin_count != 0         ? o->bin_count
                   : distinct < DEFAULT_BINS ? (uint32_t)distinct
                                             : DEFAULT_BINS;
    h->edges = allocate((uint64_t)h->bin_count + 1, sizeof *h->edges, "edges");
    for (uint32_t i = 0; i <= h->bin_count; i++)
        h->edges[i] = even_edge(h, range, i);
}

/* The file's numbers, read as those of the input are. */
static void read_edges(const histogram_options *o, const numbers *n, histogram *h) {
    numbers e = {.t = {.in = NULL}};
    input_read(&e.in, &o->edges, 1, false, NULL, false);
    if (e.in.format == FORMAT_TEXT)
        text_keys(&e.t, &e.in, &n->type, &e.k);
    else
        array_keys(&e.in, &e.k);
    e.type = e.in.format == FORMAT_TEXT ? n->type : e.k.type;
    if (e.type != n->type)
        fail("%s: holds edges of type %s, and the numbers are read as %s", o->edges,
             type_name(e.type), type_name(n->type));
    if (e.k.count < 2 || e.k.count > ORDO_MAX_BINS + 1)
        fail("%s: holds %" PRIu64 " edges, and 2 to %d are needed", o->edges, e.k.count,
             ORDO_MAX_BINS + 1);
    h->bin_count = (uint32_t)e.k.count - 1;
    h->edges = allocate(e.k.count, sizeof *h->edges, "edges");
    for (uint64_t i = 0; i < e.k.count; i++) {
        h->edges[i] = number_image(&e, i);
        if (type_is_float(n->type) && h->edges[i] == UINT64_MAX)
            numbers_fail(&e, i, "a NaN is no edge");
        if (type_is_float(n->type))
            h->edges[i] = edge_image(image_float(h->edges[i]));
        if (i > 0 && h->edges[i] < h->edges[i - 1])
            numbers_fail(&e, i, "the edge is less than the one before it");
    }
    numbers_free(&e);
}

static void make_bit_edges(const histogram_options *o, const numbers *n, histogram *h) {
    const uint32_t width = 8 * ordo_type_bytes(n->type);
    if (o->bit[1] > width)
        fail("--bits: '%s' passes the %" PRIu32 " bits of type %s, which the input is read as",
             o->bits, width, type_name(n->type));
    h->is_bits = true;
    h->low_bit = o->bit[0];
    h->high_bit = o->bit[1];
    h->bin_count = UINT32_C(1) << (h->high_bit - h->low_bit);
    h->edges = allocate((uint64_t)h->bin_count + 1, sizeof *h->edges, "edges");
    for (uint32_t i = 0; i <= h->bin_count; i++)
        h->edges[i] = i;
}

/* ---- Counting ------------------------------------------------------------------------------ */

static ordo_status make_plan(ordo_context *context, const void *desc, ordo_plan **plan) {
    return ordo_histogram_plan(context, desc, plan);
}

static void count_on_gpu(const histogram_options *o, const ordo_histogram_desc *desc,
                         const void *in, const void *edges, histogram *h, run_stats *stats) {
    const uint32_t word_count = h->bin_count + ORDO_BINS_EXTRA;
    uint32_t *counts = allocate(word_count, sizeof *counts, "counts");
    const ordo_arrays arrays = {.in = in, .edges = edges, .out = counts};
    run_once(&o->common.gpu, o->common.stats, make_plan, desc, &arrays, stats);
    for (uint32_t i = 0; i < word_count; i++)
        h->counts[i] = counts[i];
    free(counts);
}

/* f32, as they are. By edges also where they are even, so that those printed are those that count.
 */
static void count_singles(const histogram_options *o, const numbers *n, histogram *h,
                          run_stats *stats) {
    const ordo_histogram_desc desc = {.max_count = n->k.count,
                                      .type = ORDO_F32,
                                      .bins = ORDO_BINS_EDGES,
                                      .bin_count = h->bin_count};
    float *edges = allocate((uint64_t)h->bin_count + 1, sizeof *edges, "edges");
    for (uint32_t i = 0; i <= h->bin_count; i++) {
        const float edge = (float)image_float(h->edges[i]);
        edges[i] = edge == 0 ? -0.0f : edge;
    }
    count_on_gpu(o, &desc, n->k.data, edges, h, stats);
    free(edges);
}

/* The place of an integer among u32: 1 is the first edge, 0 is below, and what is above is one. */
static uint32_t place_integer(const histogram *h, uint64_t number) {
    const uint64_t first = h->edges[0], last = h->edges[h->bin_count];
    return (uint32_t)(number < first ? 0 : (number < last ? number : last) - first + 1);
}

/* Integers whose bins span less than 2^32 - 1. */
static void count_integers(const histogram_options *o, const numbers *n, histogram *h,
                           run_stats *stats) {
    ordo_histogram_desc desc = {.max_count = n->k.count,
                                .type = ORDO_U32,
                                .bins = o->edges != NULL ? ORDO_BINS_EDGES : ORDO_BINS_EVEN,
                                .bin_count = h->bin_count};
    uint32_t *edges = allocate((uint64_t)h->bin_count + 1, sizeof *edges, "edges");
    uint32_t *places = allocate(n->k.count, sizeof *places, "places of numbers");
    for (uint32_t i = 0; i <= h->bin_count; i++)
        edges[i] = place_integer(h, h->edges[i]);
    for (uint64_t i = 0; i < n->k.count; i++)
        places[i] = place_integer(h, numbers_integer(n, i));
    if (desc.bins == ORDO_BINS_EVEN) {
        desc.lo = edges[0];
        desc.hi = edges[h->bin_count];
    }
    count_on_gpu(o, &desc, places, o->edges != NULL ? edges : NULL, h, stats);
    free(edges);
    free(places);
}

static void count_bits(const histogram_options *o, const numbers *n, histogram *h,
                       run_stats *stats) {
    const ordo_histogram_desc desc = {.max_count = n->k.count,
                                      .bins = ORDO_BINS_BITS,
                                      .skip_high_bits = 32 - (h->high_bit - h->low_bit)};
    uint32_t *windows = allocate(n->k.count, sizeof *windows, "bits");
    /* numbers_integer moves an i32 by 2^63; its image is moved by 2^31. */
    const uint64_t flip = n->type == ORDO_I32 ? UINT64_C(1) << 31 : 0;
    for (uint64_t i = 0; i < n->k.count; i++) {
        const uint64_t image =
            type_is_float(n->type) ? key_image(&n->k, i) : numbers_integer(n, i) ^ flip;
        windows[i] = (uint32_t)(image >> h->low_bit) & (h->bin_count - 1);
    }
    count_on_gpu(o, &desc, windows, NULL, h, stats);
    free(windows);
}

/* How many of the edges are not above the image. */
static uint32_t edges_up_to(const histogram *h, uint64_t image) {
    uint32_t first = 0, end = h->bin_count + 1;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (h->edges[middle] <= image)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static void count_on_host(const numbers *n, histogram *h) {
    for (uint64_t i = 0; i < n->k.count; i++) {
        const uint64_t image = number_image(n, i);
        const bool is_nan = type_is_float(n->type) && image == UINT64_MAX;
        const uint32_t passed = is_nan ? 0 : edges_up_to(h, image);
        const uint32_t bin = is_nan                  ? h->bin_count + ORDO_NAN
                             : passed == 0           ? h->bin_count + ORDO_BELOW
                             : passed > h->bin_count ? h->bin_count + ORDO_ABOVE
                                                     : passed - 1;
        h->counts[bin]++;
        if (i % 65536 == 0)
            progress("counting", i, n->k.count);
    }
}

static histogram make_histogram(const histogram_options *o, const numbers *n, run_stats *stats) {
    histogram h = {.type = n->type, .number_count = n->k.count};
    if (o->bits != NULL)
        make_bit_edges(o, n, &h);
    else if (o->edges != NULL)
        read_edges(o, n, &h);
    else
        make_even_edges(o, n, &h);
    const uint64_t word_count = (uint64_t)h.bin_count + ORDO_BINS_EXTRA;
    h.counts = allocate(word_count, sizeof *h.counts, "counts");
    memset(h.counts, 0, (size_t)word_count * sizeof *h.counts);
    if (n->k.count == 0)
        return h;
    if (h.is_bits)
        count_bits(o, n, &h, stats);
    else if (n->type == ORDO_F32)
        count_singles(o, n, &h, stats);
    else if (n->type != ORDO_F64 && h.edges[h.bin_count] - h.edges[0] < UINT32_MAX)
        count_integers(o, n, &h, stats);
    else
        count_on_host(n, &h);
    return h;
}

/* ---- Entry point --------------------------------------------------------------------------- */

static uint32_t terminal_columns(const char *output) {
    struct winsize size;
    const bool known = output == NULL && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return known && size.ws_col > 0 ? size.ws_col : 80;
}

static void write_all(const histogram_options *o, const histogram *h) {
    if (o->svg != NULL) {
        output_open(o->svg);
        histogram_write_svg(h, o->logarithmic);
        output_finish();
    }
    output_open(o->common.output);
    if (o->plot)
        histogram_write_bars(h, o->logarithmic, terminal_columns(o->common.output));
    else if (o->json)
        histogram_write_json(h);
    else
        histogram_write_lines(h);
    output_finish();
}

int histogram_main(int argc, char **argv) {
    const double start = now_seconds();
    histogram_options o = parse_arguments(argc, argv);
    output_check(o.common.output);
    output_check(o.svg);
    if (o.svg != NULL && o.common.output != NULL && output_same(o.svg, o.common.output))
        fail("--svg and -o name one file: %s", o.svg);
    progress_start(o.common.quiet);

    numbers n;
    numbers_read(&n, &o.common, false);
    run_stats stats = {.on_gpu = false};
    histogram h = make_histogram(&o, &n, &stats);
    progress_end();
    write_all(&o, &h);
    if (o.common.stats)
        print_run(&stats, "numbers", n.k.count, n.read_seconds, start);
    free(h.edges);
    free(h.counts);
    numbers_free(&n);
    return EXIT_FINE;
}
