/* SPDX-License-Identifier: MIT */
/* common.c: see common.h. */
#include "common.h"

#include "cli.h"
#include "output.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Options ------------------------------------------------------------------------------- */

bool common_option(common_options *o, int letter) {
    switch (letter) {
    case 'o':
        o->output = optarg;
        return true;
    case 'q':
        o->quiet = true;
        return true;
    case OPTION_TYPE:
        o->type = type_option(o->topic, "--type", optarg);
        o->has_type = true;
        return true;
    case OPTION_RAW:
        o->raw = true;
        return true;
    case OPTION_ADAPTER:
        o->gpu.adapter = optarg;
        return true;
    case OPTION_SOFTWARE:
        o->gpu.software = true;
        return true;
    case OPTION_TUNING:
        o->gpu.tuning = optarg;
        return true;
    case OPTION_STATS:
        o->stats = true;
        return true;
    case '?':
        fail_hint(o->topic); /* getopt has said why */
    default:
        return false;
    }
}

void common_names(common_options *o, int argc, char **argv) {
    o->names = argv + optind;
    o->name_count = argc - optind;
    if (o->raw && !o->has_type)
        fail_usage(o->topic, "--raw needs --type");
}

void common_help(const char *help) {
    puts(help);
    finish_stdout();
    exit(EXIT_FINE);
}

/* ---- Numbers ------------------------------------------------------------------------------- */

void numbers_read(numbers *n, const common_options *o, bool tables) {
    const double start = now_seconds();
    const ordo_type *type = o->has_type ? &o->type : NULL;
    *n = (numbers){.t = {.in = NULL}};
    input_read(&n->in, o->names, o->name_count, o->raw, type, tables);
    if (n->in.format == FORMAT_TEXT)
        text_keys(&n->t, &n->in, type, &n->k);
    else
        array_keys(&n->in, &n->k);
    n->type = n->in.format == FORMAT_TEXT ? n->t.type : n->k.type;
    n->read_seconds = now_seconds() - start;
}

void numbers_free(numbers *n) {
    free(n->k.data);
    text_free(&n->t);
    input_free(&n->in);
}

uint64_t numbers_integer(const numbers *n, uint64_t i) {
    const uint64_t middle = UINT64_C(1) << 63;
    const uint64_t image = key_image(&n->k, i);
    /* The image of an i32 is moved up by 2^31. */
    return n->k.type == ORDO_I32 ? image + middle - (UINT64_C(1) << 31) : n->k.origin + image;
}

void write_indices(const input *in, const uint32_t *indices, uint64_t count, uint64_t columns) {
    if (in->format != FORMAT_TEXT)
        array_write_words(in, ORDO_U32, indices, count, columns);
    else
        for (uint64_t i = 0; i < count; i++)
            output_print("%" PRIu32 "\n", indices[i]);
}

void numbers_fail(const numbers *n, uint64_t i, const char *problem) {
    if (n->t.in != NULL)
        text_fail(&n->t, i, problem);
    char shown[40];
    key_show(&n->k, i, shown);
    const source *from = input_source(&n->in, i);
    fail("%s:%" PRIu64 ": %s: %s", from->name, i - from->first_item, problem, shown);
}
