/* SPDX-License-Identifier: MIT */
/*
 * histogram_draw.c: see histogram_draw.h.
 *
 * Bars, all bins alike, whatever their widths: on a terminal from left to right, in eighths of a
 * character; in SVG upwards, as one path, so that 65,536 bins make a small file.
 */
#include "histogram_draw.h"

#include "cli.h"
#include "keys.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Edges --------------------------------------------------------------------------------- */

uint64_t float_image(double value) {
    return key_image(&(keys){.type = ORDO_F64, .count = 1, .data = &value}, 0);
}

double image_float(uint64_t image) {
    uint64_t bits = image + UINT64_C(0x000fffffffffffff);
    bits ^= bits >> 63 ? UINT64_C(1) << 63 : UINT64_MAX;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value == 0 ? 0 : value; /* an edge of -0 stands for both zeros */
}

void edge_show(const histogram *h, uint64_t edge, char *shown) {
    if (h->is_bits || !(type_is_float(h->type) || type_is_signed(h->type)))
        snprintf(shown, SHOWN_BYTES, "%" PRIu64, edge);
    else if (type_is_signed(h->type))
        snprintf(shown, SHOWN_BYTES, "%" PRId64, (int64_t)(edge ^ UINT64_C(1) << 63));
    else
        float_show(image_float(edge), h->type == ORDO_F32, shown);
}

static double edge_value(const histogram *h, uint32_t i) {
    if (type_is_float(h->type) && !h->is_bits)
        return image_float(h->edges[i]);
    if (type_is_signed(h->type) && !h->is_bits)
        return (double)(int64_t)(h->edges[i] ^ UINT64_C(1) << 63);
    return (double)h->edges[i];
}

/* ---- Lines and JSON ------------------------------------------------------------------------ */

static const char *const extra_names[ORDO_BINS_EXTRA] = {
    [ORDO_BELOW] = "below", [ORDO_ABOVE] = "above", [ORDO_NAN] = "nan"};

static void write_extra_lines(const histogram *h) {
    for (uint32_t i = 0; i < ORDO_BINS_EXTRA; i++) {
        if (h->counts[h->bin_count + i] > 0)
            output_print("%s %" PRIu64 "\n", extra_names[i], h->counts[h->bin_count + i]);
    }
}

void histogram_write_lines(const histogram *h) {
    char low[SHOWN_BYTES], high[SHOWN_BYTES];
    edge_show(h, h->edges[0], low);
    for (uint32_t i = 0; i < h->bin_count; i++) {
        edge_show(h, h->edges[i + 1], high);
        output_print("%s %s %" PRIu64 "\n", low, high, h->counts[i]);
        memcpy(low, high, sizeof low);
    }
    write_extra_lines(h);
}

void histogram_write_json(const histogram *h) {
    output_print("{\"type\": \"%s\", \"number_count\": %" PRIu64, type_name(h->type),
                 h->number_count);
    for (uint32_t i = 0; i < ORDO_BINS_EXTRA; i++)
        output_print(", \"%s\": %" PRIu64, extra_names[i], h->counts[h->bin_count + i]);
    output_print(",\n \"edges\": [");
    for (uint32_t i = 0; i <= h->bin_count; i++) {
        char shown[SHOWN_BYTES];
        edge_show(h, h->edges[i], shown);
        const char *quote = isfinite(edge_value(h, i)) ? "" : "\""; /* JSON has no infinity */
        output_print("%s%s%s%s", i == 0 ? "" : ", ", quote, shown, quote);
    }
    output_print("],\n \"counts\": [");
    for (uint32_t i = 0; i < h->bin_count; i++)
        output_print("%s%" PRIu64, i == 0 ? "" : ", ", h->counts[i]);
    output_print("]}\n");
}

/* ---- What both drawings share -------------------------------------------------------------- */

static uint64_t greatest_count(const histogram *h) {
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < h->bin_count; i++)
        greatest = h->counts[i] > greatest ? h->counts[i] : greatest;
    return greatest;
}

/* How much of the whole scale, which ends at greatest, a count takes: 0 to 1. */
static double share(uint64_t count, uint64_t greatest, bool logarithmic) {
    if (count == 0)
        return 0;
    return logarithmic ? log1p((double)count) / log1p((double)greatest)
                       : (double)count / (double)greatest;
}

/* An edge for the reader's eye: of floats only so many digits as `digits`. */
static void label_show(const histogram *h, uint32_t i, int digits, char *shown) {
    if (type_is_float(h->type) && !h->is_bits)
        snprintf(shown, SHOWN_BYTES, "%.*g", digits, edge_value(h, i));
    else
        edge_show(h, h->edges[i], shown);
}

/* The digits, 4 at least, that tell neighbouring edges apart wherever they differ. */
static int label_digits(const histogram *h) {
    int digits = 4;
    for (uint32_t i = 0; i < h->bin_count; i++) {
        if (h->edges[i] == h->edges[i + 1])
            continue;
        for (; digits < 17; digits++) {
            char low[SHOWN_BYTES], high[SHOWN_BYTES];
            label_show(h, i, digits, low);
            label_show(h, i + 1, digits, high);
            if (strcmp(low, high) != 0)
                break;
        }
    }
    return digits;
}

/* ---- Bars ---------------------------------------------------------------------------------- */

static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

static void write_bar(double length_eighths) {
    uint32_t rest = (uint32_t)(length_eighths + 0.5);
    for (; rest >= 8; rest -= 8)
        output_print("█");
    output_print("%s\n", eighths[rest]);
}

/* The longest label, and the longest count. */
static void find_widths(const histogram *h, int digits, int *label_width, int *count_width) {
    char shown[SHOWN_BYTES];
    *label_width = 0;
    for (uint32_t i = 0; i <= h->bin_count; i++) {
        label_show(h, i, digits, shown);
        *label_width = (int)strlen(shown) > *label_width ? (int)strlen(shown) : *label_width;
    }
    *count_width = snprintf(shown, sizeof shown, "%" PRIu64, greatest_count(h));
}

void histogram_write_bars(const histogram *h, bool logarithmic, uint32_t columns) {
    const uint64_t greatest = greatest_count(h);
    const int digits = label_digits(h);
    int label_width, count_width;
    find_widths(h, digits, &label_width, &count_width);
    const int text_width = 2 * label_width + count_width + 7; /* with "[", ", ", ") " and " ▏" */
    const int width = (int)columns > text_width + 8 ? (int)columns - text_width : 8;
    for (uint32_t i = 0; i < h->bin_count; i++) {
        char low[SHOWN_BYTES], high[SHOWN_BYTES];
        label_show(h, i, digits, low);
        label_show(h, i + 1, digits, high);
        output_print("[%*s, %*s)  %*" PRIu64 " ", label_width, low, label_width, high, count_width,
                     h->counts[i]);
        double length = 8 * width * share(h->counts[i], greatest, logarithmic);
        /* What is there is seen. */
        write_bar(h->counts[i] > 0 && length < 1 ? 1 : length);
    }
    write_extra_lines(h);
}

/* ---- SVG ----------------------------------------------------------------------------------- */

/* In units of the picture. Colours are of middle lightness, and nothing is filled behind them, so
   that the picture can be read on white and on black. */
enum { LEFT = 84, TOP = 24, WIDTH = 640, HEIGHT = 320, RIGHT = 28, BOTTOM = 60 };

static double bin_x(const histogram *h, uint32_t i) {
    return LEFT + (double)WIDTH * i / h->bin_count;
}

static double count_y(uint64_t count, uint64_t top, bool logarithmic) {
    return TOP + HEIGHT * (1 - share(count, top, logarithmic));
}

/* 1, 2 or 5 times a power of ten: the least step that gives no more than 8 ticks up to count. */
static uint64_t tick_step(uint64_t count) {
    uint64_t step = 1;
    for (unsigned i = 0; count / step > 8; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

static void write_count_tick(uint64_t count, uint64_t top, bool logarithmic) {
    const double y = count_y(count, top, logarithmic);
    output_print("<path stroke=\"#808890\" stroke-opacity=\"0.25\" d=\"M%d %.2fH%d\"/>\n"
                 "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%" PRIu64 "</text>\n",
                 LEFT, y, LEFT + WIDTH, LEFT - 8, y + 4, count);
}

static void write_count_axis(uint64_t top, bool logarithmic) {
    write_count_tick(0, top, logarithmic);
    const uint64_t step = tick_step(top);
    for (uint64_t count = logarithmic ? 1 : step; count <= top;
         count = logarithmic ? 10 * count : count + step)
        write_count_tick(count, top, logarithmic);
    output_print("<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">count%s"
                 "</text>\n",
                 TOP + HEIGHT / 2, logarithmic ? ", logarithmic" : "");
}

/* Every edge has a tick while there is room, else every n-th; the last one always has its own. */
static void write_bin_axis(const histogram *h) {
    const int digits = label_digits(h);
    int label_width, count_width;
    find_widths(h, digits, &label_width, &count_width);
    const uint32_t room = (uint32_t)(WIDTH / (7 * label_width + 14));
    const uint32_t tick_count = room > 1 ? room : 1;
    const uint32_t step = (h->bin_count + tick_count - 1) / tick_count;
    for (uint32_t i = 0; i <= h->bin_count; i += step) {
        const uint32_t at = i + step > h->bin_count ? h->bin_count : i;
        char shown[SHOWN_BYTES];
        label_show(h, at, digits, shown);
        output_print("<path stroke=\"#808890\" d=\"M%.2f %dv5\"/>\n"
                     "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                     bin_x(h, at), TOP + HEIGHT, bin_x(h, at), TOP + HEIGHT + 20, shown);
    }
    char name[64];
    if (h->is_bits)
        snprintf(name, sizeof name, "bits %" PRIu32 " to %" PRIu32 " of %s", h->low_bit,
                 h->high_bit - 1, type_name(h->type));
    else
        snprintf(name, sizeof name, "value (%s)", type_name(h->type));
    output_print("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", LEFT + WIDTH / 2,
                 TOP + HEIGHT + 46, name);
}

/* Bars stand apart while they are wide enough for a gap. */
static void write_svg_bars(const histogram *h, uint64_t top, bool logarithmic) {
    const double gap = h->bin_count <= 64 ? 1 : 0;
    output_print("<path fill=\"#2f81f7\" d=\"\n");
    for (uint32_t i = 0; i < h->bin_count; i++) {
        /* What is there is seen. */
        const double y = fmin(count_y(h->counts[i], top, logarithmic), TOP + HEIGHT - 1);
        if (h->counts[i] > 0)
            output_print("M%.3f %dV%.2fH%.3fV%dz\n", bin_x(h, i) + gap, TOP + HEIGHT, y,
                         bin_x(h, i + 1) - gap, TOP + HEIGHT);
    }
    output_print("\"/>\n<path stroke=\"#808890\" d=\"M%d %dH%d\"/>\n", LEFT, TOP + HEIGHT,
                 LEFT + WIDTH);
}

void histogram_write_svg(const histogram *h, bool logarithmic) {
    const uint64_t greatest = greatest_count(h);
    const uint64_t top = greatest == 0 ? 1 : greatest;
    const int width = LEFT + WIDTH + RIGHT, height = TOP + HEIGHT + BOTTOM;
    output_print("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                 "viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"system-ui, sans-serif\" "
                 "font-size=\"12\" fill=\"#76808a\">\n",
                 width, height, width, height);
    output_print("<title>Histogram of %" PRIu64 " numbers in %" PRIu32 " bins: %" PRIu64
                 " below, %" PRIu64 " above, %" PRIu64 " NaN</title>\n",
                 h->number_count, h->bin_count, h->counts[h->bin_count + ORDO_BELOW],
                 h->counts[h->bin_count + ORDO_ABOVE], h->counts[h->bin_count + ORDO_NAN]);
    write_count_axis(top, logarithmic);
    write_svg_bars(h, top, logarithmic);
    write_bin_axis(h);
    output_print("</svg>\n");
}
