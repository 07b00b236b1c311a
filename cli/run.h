/* SPDX-License-Identifier: MIT */
/*
 * run.h: run plans on a GPU and wait, with times for --stats.
 */
#ifndef ORDO_CLI_RUN_H
#define ORDO_CLI_RUN_H

#include "gpu.h"

/* An open GPU. It stays at its address. */
typedef struct runner {
    gpu g;
    ordo_context *context;
    WGPUQuerySet timestamps; /* NULL when the device has none */
    WGPUBuffer ticks;
} runner;

/* What was done, for --stats. */
typedef struct run_stats {
    bool on_gpu; /* false: there was nothing to do */
    char adapter[128];
    const char *subgroups; /* "on" or "off" */
    ordo_summary plan;
    bool has_gpu_seconds;  /* the adapter has timestamps and they make sense */
    double gpu_seconds;    /* of the plan alone, by the GPU's clock */
    double device_seconds; /* opening the device and compiling kernels */
    double run_seconds;    /* upload, plan and download, by the host's clock */
} run_stats;

/* Fails if there is no adapter that the options allow. */
void runner_open(runner *r, const gpu_options *options);
void runner_close(runner *r);

/* Fails with the implementation's own words behind the problem: they may say more than its status.
 */
_Noreturn void runner_fail(const runner *r, const char *problem);

/* What is known before the first run. */
run_stats runner_stats(const runner *r, const ordo_plan *plan);

/* Runs the plan once on args, whose timestamps are ignored, and waits. Fails if the device does not
   do it. */
void runner_run(runner *r, ordo_plan *plan, const ordo_args *args);
/* Adds the time that the GPU took for the last run. */
void runner_add_time(runner *r, run_stats *stats);

/* Makes the plan of a desc: ordo_top_k_plan and so on. */
typedef ordo_status plan_maker(ordo_context *context, const void *desc, ordo_plan **plan);

/*
 * Opens a GPU, runs one plan on host arrays, each of its slot's size, and waits. warm_up: runs it
 * once on no elements before, so that the GPU's time is not that of a driver that compiles at the
 * first use. Fails with the planner's message where there is no such plan.
 */
void run_once(const gpu_options *options, bool warm_up, plan_maker *make, const void *desc,
              const ordo_arrays *arrays, run_stats *stats);

/* Prints the adapter; the GPU's time for count of `items`, "keys" say, called `what`. */
void print_adapter(const run_stats *s);
void print_gpu_time(const run_stats *s, const char *what, const char *items, double count);

/* Prints all of what run_once did with count of `items`; start is when the program began. */
void print_run(const run_stats *s, const char *items, uint64_t count, double read_seconds,
               double start);

#endif
