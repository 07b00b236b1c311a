/* SPDX-License-Identifier: MIT */
/* devices.c: the subcommand `devices`: the adapters, by the numbers that --adapter takes. */
#include "cli.h"
#include "gpu.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *kind_name(WGPUAdapterType type) {
    switch (type) {
    case WGPUAdapterType_DiscreteGPU:
        return "discrete";
    case WGPUAdapterType_IntegratedGPU:
        return "integrated";
    case WGPUAdapterType_CPU:
        return "software";
    default:
        return "unknown";
    }
}

static void print_text(void *user, unsigned index, const WGPUAdapterInfo *info,
                       const WGPULimits *limits, bool subgroups) {
    (void)user;
    char name[128];
    gpu_adapter_name(info, name, sizeof name);
    printf("%u  %s\n", index, name);
    printf("   %s, %s, subgroups %s, buffers to %" PRIu64 " MiB, bindings to %" PRIu64 " MiB\n",
           kind_name(info->adapterType), gpu_backend_name(info->backendType),
           subgroups ? "yes" : "no", limits->maxBufferSize >> 20,
           limits->maxStorageBufferBindingSize >> 20);
}

static void print_json(void *user, unsigned index, const WGPUAdapterInfo *info,
                       const WGPULimits *limits, bool subgroups) {
    (void)user;
    char name[128];
    gpu_adapter_name(info, name, sizeof name);
    printf("%s\n  {\"index\": %u, \"name\": ", index == 0 ? "" : ",", index);
    print_json_string(name);
    printf(", \"type\": \"%s\", \"backend\": \"%s\", \"vendor_id\": %" PRIu32
           ", \"device_id\": %" PRIu32 ", \"subgroups\": %s",
           kind_name(info->adapterType), gpu_backend_name(info->backendType), info->vendorID,
           info->deviceID, subgroups ? "true" : "false");
    printf(", \"max_buffer_bytes\": %" PRIu64 ", \"max_binding_bytes\": %" PRIu64
           ", \"max_workgroup_bytes\": %" PRIu32 ", \"max_invocations\": %" PRIu32 "}",
           limits->maxBufferSize, limits->maxStorageBufferBindingSize,
           limits->maxComputeWorkgroupStorageSize, limits->maxComputeInvocationsPerWorkgroup);
}

int devices_main(int argc, char **argv) {
    static const struct option long_options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool json = false;
    int letter;
    while ((letter = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (letter == 'h') {
            puts("Usage: ordo devices [--json]\n"
                 "List the adapters that can be used, best first, with the numbers that --adapter\n"
                 "takes. --json: one object with an array `devices`.\n"
                 "\n"
                 "Exit code: 0 if there is one, 2 if not.");
            finish_stdout();
            return EXIT_FINE;
        }
        if (letter != 'j')
            fail_hint("devices");
        json = true;
    }
    if (optind < argc)
        fail_usage("devices", "'%s' is one argument too many", argv[optind]);

    char message[ORDO_MESSAGE_BYTES];
    noise_capture();
    if (json)
        printf("{\"devices\": [");
    unsigned count = gpu_list(json ? print_json : print_text, NULL, message);
    if (json)
        printf("%s]}\n", count == 0 ? "" : "\n");
    finish_stdout();
    if (count == 0)
        fail_on_gpu("%s", message);
    return EXIT_FINE;
}
