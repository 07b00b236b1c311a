/* SPDX-License-Identifier: MIT */
/* check.c: the subcommand `check`: known data through every method on an adapter. */
#include "cli.h"
#include "run.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct check_options {
    gpu_options gpu;
    uint32_t limit_ms; /* 0: the library's */
    bool json;
} check_options;

static const char help[] =
    "Usage: ordo check [--adapter=A|--software] [--tuning=TEXT] [--limit-ms=N] [--json]\n"
    "Try an adapter and its driver: sort known data by every method, and scan, on every tier,\n"
    "that is with and without subgroups and so on, and compare all results with the host's.\n"
    "The table says how many runs each took, what came of them, and how long it took to make\n"
    "kernels, which drivers remember mostly, and to run them. The library does not choose by\n"
    "itself what failed, once ordo_self_check has been called.\n"
    "\n"
    "      --adapter=A    use the adapter of this number, or with A in its name\n"
    "      --software     use a software adapter\n"
    "      --tuning=TEXT  shapes of kernels, as 'ordo tune' prints them\n"
    "      --limit-ms=N   a run that takes longer has stalled (default 60000)\n"
    "      --json         one object with an array `checks`\n"
    "      --help\n"
    "\n"
    "Exit code: 0 if all passed, 1 if not, 2 if there was nothing to try it on.";

static check_options parse(int argc, char **argv) {
    static const struct option long_options[] = {{"adapter", required_argument, NULL, 'a'},
                                                 {"software", no_argument, NULL, 's'},
                                                 {"tuning", required_argument, NULL, 't'},
                                                 {"limit-ms", required_argument, NULL, 'l'},
                                                 {"json", no_argument, NULL, 'j'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    check_options o = {.gpu = {.native_subgroups = true}};
    int letter;
    while ((letter = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        switch (letter) {
        case 'a':
            o.gpu.adapter = optarg;
            break;
        case 's':
            o.gpu.software = true;
            break;
        case 't':
            o.gpu.tuning = optarg;
            break;
        case 'l':
            o.limit_ms = (uint32_t)number_option("check", "--limit-ms", optarg, UINT32_MAX);
            break;
        case 'j':
            o.json = true;
            break;
        case 'h':
            puts(help);
            finish_stdout();
            exit(EXIT_FINE);
        default:
            fail_hint("check");
        }
    }
    if (optind < argc)
        fail_usage("check", "'%s' is one argument too many", argv[optind]);
    return o;
}

static const char *verdict_name(ordo_check_verdict verdict) {
    static const char *const names[] = {"passed", "wrong", "refused", "stalled", "lost"};
    return names[verdict];
}

/* ---- Text ---------------------------------------------------------------------------------- */

static void print_methods(const char *what, uint32_t methods) {
    if (methods == 0)
        return;
    printf("%s", what);
    for (uint32_t method = 0; methods >> method != 0; method++) {
        if (methods >> method & 1)
            printf(" %s", method_name((ordo_method)method));
    }
    printf("\n");
}

static void print_text(const runner *r, const ordo_check *check) {
    printf("adapter  %s\n\n", r->g.name);
    printf("%-8s  %-16s  %5s  %-7s  %10s  %7s\n", "method", "tier", "cases", "result", "kernels ms",
           "runs ms");
    for (uint32_t i = 0; i < check->row_count; i++) {
        const ordo_check_row *row = &check->rows[i];
        printf("%-8s  %-16s  %5" PRIu32 "  %-7s  %10.1f  %7.1f\n", row->name, row->tier,
               row->case_count, verdict_name(row->verdict), 1e-3 * row->plan_us,
               1e-3 * row->run_us);
    }
    if (check->failed_count == 0) {
        printf("\nall %" PRIu32 " results are right\n", check->case_count);
        return;
    }
    printf("\n%s\n", check->message);
    print_methods("not chosen by itself:", check->rejected_methods);
    if (check->subgroups_failed)
        printf("not used: subgroups\n");
    if (check->forward_progress_failed)
        printf("not used: forward progress\n");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void print_json_methods(const char *what, uint32_t methods) {
    const char *between = "";
    printf("\"%s\": [", what);
    for (uint32_t method = 0; methods >> method != 0; method++) {
        if (methods >> method & 1) {
            printf("%s\"%s\"", between, method_name((ordo_method)method));
            between = ", ";
        }
    }
    printf("], ");
}

static void print_json(const runner *r, const ordo_check *check) {
    printf("{\"adapter\": ");
    print_json_string(r->g.name);
    printf(", \"case_count\": %" PRIu32 ", \"failed_count\": %" PRIu32 ", ", check->case_count,
           check->failed_count);
    print_json_methods("passed_methods", check->passed_methods);
    print_json_methods("rejected_methods", check->rejected_methods);
    printf("\"subgroups_failed\": %s, \"forward_progress_failed\": %s, \"message\": ",
           check->subgroups_failed ? "true" : "false",
           check->forward_progress_failed ? "true" : "false");
    print_json_string(check->message);
    printf(",\n \"checks\": [");
    for (uint32_t i = 0; i < check->row_count; i++) {
        const ordo_check_row *row = &check->rows[i];
        printf("%s\n  {\"name\": \"%s\", \"tier\": \"%s\", \"case_count\": %" PRIu32
               ", \"result\": \"%s\", \"plan_ms\": %.3f, \"run_ms\": %.3f}",
               i == 0 ? "" : ",", row->name, row->tier, row->case_count, verdict_name(row->verdict),
               1e-3 * row->plan_us, 1e-3 * row->run_us);
    }
    printf("]}\n");
}

int check_main(int argc, char **argv) {
    const check_options o = parse(argc, argv);
    runner r;
    runner_open(&r, &o.gpu);
    progress("trying methods", 0, 0);
    ordo_check check;
    const ordo_status status = ordo_self_check(r.context, o.limit_ms, &check);
    progress_end();
    if (status == ORDO_OUT_OF_MEMORY || check.row_count == 0)
        runner_fail(&r, ordo_message(r.context));
    if (o.json)
        print_json(&r, &check);
    else
        print_text(&r, &check);
    finish_stdout();
    /* A device at work, or lost, is left to the system: to release it may wait, or abort. */
    if (status == ORDO_DEVICE_LOST)
        _Exit(EXIT_DISORDER);
    runner_close(&r);
    return check.failed_count == 0 ? EXIT_FINE : EXIT_DISORDER;
}
