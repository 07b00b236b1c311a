/* SPDX-License-Identifier: MIT */
/* main.c: the program `ordo`: finds the subcommand. */
#define _POSIX_C_SOURCE 200809L

#include "cli.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)

static const char help[] =
    "Usage: ordo COMMAND [ARGUMENT]...\n"
    "Sort numbers on the GPU.\n"
    "\n"
    "  sort      write files of numbers sorted: text, .npy or raw\n"
    "  argsort   write the positions that sort them\n"
    "  topk      write the k greatest or smallest numbers, in order\n"
    "  histogram count numbers by bins, and draw bars\n"
    "  grid      sort points into the cells of a grid\n"
    "  scan      write prefix sums, or the sum of all numbers\n"
    "  advise    say what serves a need best: a sort, or less; needs no GPU\n"
    "  devices   list the adapters that can be used\n"
    "  check     try every method on an adapter, with known data\n"
    "  tune      find faster shapes of kernels for an adapter\n"
    "  plan      show the GPU steps of a primitive; needs no GPU\n"
    "  network   draw, verify and measure sorting networks; needs no GPU\n"
    "\n"
    "'ordo COMMAND --help' says more; 'ordo --version' prints the version.";

/* Fills standard descriptors that came closed, lest a file opened later be taken for one. They are
   opened the wrong way round, so that their use is an error as before. */
static void fill_descriptors(void) {
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", modes[fd]);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*run)(int, char **);
    } commands[] = {
        {"sort", sort_main},           {"argsort", argsort_main}, {"topk", topk_main},
        {"histogram", histogram_main}, {"grid", grid_main},       {"scan", scan_main},
        {"advise", advise_main},       {"devices", devices_main}, {"check", check_main},
        {"tune", tune_main},           {"plan", plan_main},       {"network", network_main}};

    fill_descriptors();
    if (argc < 2)
        fail_usage("", "no command given");
    const char *name = argv[1];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            static char program[] = "ordo";
            argv[1] = program;
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0)
        puts(help);
    else if (strcmp(name, "--version") == 0)
        puts("ordo " STRING(ORDO_VERSION_MAJOR) "." STRING(ORDO_VERSION_MINOR) "." STRING(
            ORDO_VERSION_PATCH));
    else
        fail_usage("", "no command is named '%s'", name);
    finish_stdout();
    return EXIT_FINE;
}
