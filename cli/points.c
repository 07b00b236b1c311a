/* SPDX-License-Identifier: MIT */
/* points.c: see points.h. */
#include "points.h"

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>

static uint32_t array_dimensions(const input *in, uint32_t given) {
    const char *name = in->sources[0].name;
    if (in->item.key != ORDO_F32)
        fail("%s: holds elements of type %c%u; points are f4", name, in->item.kind, in->item.bytes);
    if (in->format == FORMAT_RAW) {
        if (given == 0)
            fail("%s: raw points need --dimensions", name);
        if (in->item_count % given != 0)
            fail("%" PRIu64 " numbers are not points of %" PRIu32 ": %" PRIu64 " left over",
                 in->item_count, given, in->item_count % given);
        return given;
    }
    if (in->columns != 2 && in->columns != 3)
        fail("%s: points are rows of 2 or 3 numbers, and the array has %" PRIu64 "%s", name,
             in->columns == 0 ? in->item_count : in->columns,
             in->columns == 0 ? " in one dimension" : " in a row");
    return (uint32_t)in->columns;
}

void points_read(points *p, const common_options *o, uint32_t dimensions) {
    const double start = now_seconds();
    *p = (points){.dimensions = dimensions};
    input_read(&p->in, o->names, o->name_count, o->raw, o->has_type ? &o->type : NULL, true);
    if (p->in.format == FORMAT_TEXT) {
        p->coordinates = text_points(&p->t, &p->in, &p->dimensions);
        p->count = p->in.item_count;
    } else {
        keys k;
        p->dimensions = array_dimensions(&p->in, dimensions);
        array_keys(&p->in, &k);
        p->coordinates = k.data;
        p->count = k.count / p->dimensions;
    }
    if (dimensions != 0 && dimensions != p->dimensions)
        fail("%s: points have %" PRIu32 " coordinates, and --dimensions is %" PRIu32,
             p->in.sources[0].name, p->dimensions, dimensions);
    p->read_seconds = now_seconds() - start;
}

void points_free(points *p) {
    free(p->coordinates);
    text_free(&p->t);
    input_free(&p->in);
}
