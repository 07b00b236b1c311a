/* SPDX-License-Identifier: MIT */
/*
 * cub.cuh: what the programs that time CUB share: the data of ordo_bench, the clock, and its lines.
 *
 * A kernel that only waits goes ahead of the first event, so that the host has queued all launches
 * before the clock starts: as a WebGPU command buffer stands whole before it runs. Inputs and
 * outputs are different buffers, every output is verified, and the median of 11 is printed.
 */
#pragma once

#include "draw.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static const int REPEATS = 11;
static const double WARM_MS = 250;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "cub: %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static double now_ms() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

/* Memory on the GPU for as long as the object lives. */
template <typename T> struct device_array {
    T *data = nullptr;
    size_t count;
    explicit device_array(size_t items) : count(items) {
        CHECK(cudaMalloc(&data, items * sizeof(T) + 4));
    }
    device_array(const device_array &) = delete;
    device_array &operator=(const device_array &) = delete;
    ~device_array() { cudaFree(data); }
    std::vector<T> read() const {
        std::vector<T> host(count);
        CHECK(cudaMemcpy(host.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
};

/* ---- Data ----------------------------------------------------------------------------------- */

/* Keys as ordo_bench draws them. */
__device__ static void draw_into(uint32_t *out, uint32_t i, draw_key key) { out[i] = key.high; }
__device__ static void draw_into(float *out, uint32_t i, draw_key key) {
    out[i] = __uint_as_float(key.high);
}
__device__ static void draw_into(uint64_t *out, uint32_t i, draw_key key) {
    out[i] = (uint64_t)key.high << 32 | key.low;
}

template <typename T> __global__ static void fill_keys(T *out, draw_source source) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < source.count;
         i += gridDim.x * blockDim.x)
        draw_into(out, i, draw_key_at(&source, i));
}

/* u32 below `below`, any if that is 0. */
static void fill_words(uint32_t *out, uint32_t count, bench_distribution d, uint32_t below,
                       uint32_t seed) {
    fill_keys<<<2048, 256>>>(
        out, draw_source{d, ORDO_U32, count, seed, below ? MAP_BELOW : MAP_BITS, below, 0});
}

/* f32 from 0 to 1. */
static void fill_unit(float *out, uint32_t count, bench_distribution d, uint32_t seed) {
    fill_keys<<<2048, 256>>>(out, draw_source{d, ORDO_F32, count, seed, MAP_UNIT, 0, 0});
}

__global__ static void fill_indices(uint32_t *out, uint32_t count) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = i;
}

__global__ static void add_words(const uint32_t *in, uint64_t count, uint32_t *found) {
    uint32_t sum = 0;
    for (uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += in[i];
    atomicAdd(found, sum);
}

/* The sum of the words of that memory, modulo 2^32. */
static uint32_t sum_of_words(const void *data, uint64_t bytes) {
    device_array<uint32_t> found(1);
    CHECK(cudaMemset(found.data, 0, 4));
    add_words<<<2048, 256>>>((const uint32_t *)data, bytes / 4, found.data);
    CHECK(cudaGetLastError());
    return found.read()[0];
}

/* ---- Buckets of sorted keys ----------------------------------------------------------------- */

/* starts[p], for p up to bucket_count: where the first of the sorted keys from p on stands. */
__global__ static void find_starts(const uint32_t *keys, uint32_t count, uint32_t *starts,
                                   uint32_t bucket_count) {
    uint32_t p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p > bucket_count)
        return;
    uint32_t least = 0, most = count;
    while (least < most) {
        uint32_t middle = least + (most - least) / 2;
        if (keys[middle] < p)
            least = middle + 1;
        else
            most = middle;
    }
    starts[p] = least;
}

/* found[0]: violations of order, of ties in the order of the input, and of starts, by sorted keys
   and the indices of the input that they stand for. found[1]: sum of mixed indices. */
__global__ static void check_buckets(const uint32_t *keys, const uint32_t *indices,
                                     const uint32_t *input, const uint32_t *starts, uint32_t count,
                                     uint32_t *found) {
    uint32_t bad = 0, sum = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        uint32_t index = indices[i], key = keys[i];
        sum += draw_mix(index);
        if (index >= count || input[index] != key || i < starts[key] || i >= starts[key + 1])
            bad++;
        else if (i + 1 < count && i + 1 < starts[key + 1] && index >= indices[i + 1])
            bad++;
    }
    atomicAdd(found, bad);
    atomicAdd(found + 1, sum);
}

/* Whether keys and indices are the stable sort of input, and starts its buckets'. */
static bool buckets_are_right(const device_array<uint32_t> &keys,
                              const device_array<uint32_t> &indices,
                              const device_array<uint32_t> &input,
                              const device_array<uint32_t> &starts) {
    uint32_t count = (uint32_t)keys.count, expected = 0;
    device_array<uint32_t> found(2);
    CHECK(cudaMemset(found.data, 0, 8));
    check_buckets<<<2048, 256>>>(keys.data, indices.data, input.data, starts.data, count,
                                 found.data);
    CHECK(cudaGetLastError());
    for (uint32_t i = 0; i < count; i++)
        expected += draw_mix(i);
    std::vector<uint32_t> host = found.read(), at = starts.read();
    return host[0] == 0 && host[1] == expected && std::is_sorted(at.begin(), at.end());
}

/* ---- Timing --------------------------------------------------------------------------------- */

__global__ static void wait_clocks(long long clocks) {
    long long start = clock64();
    while (clock64() - start < clocks) {
    }
}

struct times {
    double median, min, max;
};

struct measurement {
    times gpu, wall;
    bool verified;
};

static times spread(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return {samples[samples.size() / 2], samples.front(), samples.back()};
}

/* Warms the clock, then times `launch` after `poison` and lets `check` judge each output. */
template <typename Launch, typename Poison, typename Judge>
static measurement time_runs(Launch launch, Poison poison, Judge judge) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (double stop = now_ms() + WARM_MS; now_ms() < stop;) {
        CHECK(launch());
        CHECK(cudaDeviceSynchronize());
    }
    measurement m = {{}, {}, true};
    std::vector<double> gpu_ms, wall_ms;
    for (int i = 0; i < REPEATS; i++) {
        poison();
        wait_clocks<<<1, 1>>>(1000000);
        CHECK(cudaEventRecord(begin));
        CHECK(launch());
        CHECK(cudaEventRecord(end));
        CHECK(cudaDeviceSynchronize());
        m.verified = judge() && m.verified;
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        gpu_ms.push_back(ms);
        double start_ms = now_ms();
        CHECK(launch());
        CHECK(cudaDeviceSynchronize());
        wall_ms.push_back(now_ms() - start_ms);
    }
    m.gpu = spread(gpu_ms);
    m.wall = spread(wall_ms);
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return m;
}

/* The line of a case; `problem` are the members that say which, each with a comma behind it. */
static void print_line(const std::string &problem, const measurement &m, size_t scratch_bytes) {
    cudaDeviceProp device;
    int driver = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    printf("{\"adapter\": \"%s\", \"driver\": \"CUDA %d.%d\", \"backend\": \"cuda\", "
           "\"runtime\": \"cub\", \"runtime_version\": \"%d.%d.%d\", \"limits\": \"adapter\", "
           "\"subgroups\": true, %s",
           device.name, driver / 1000, driver % 1000 / 10, CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
           CUB_SUBMINOR_VERSION, problem.c_str());
    printf("\"gpu_ms\": {\"median\": %.6g, \"min\": %.6g, \"max\": %.6g, \"spread\": %.3g}, "
           "\"wall_ms\": {\"median\": %.6g, \"min\": %.6g, \"max\": %.6g, \"spread\": %.3g}, "
           "\"scratch_bytes\": %zu, \"verified\": %s}\n",
           m.gpu.median, m.gpu.min, m.gpu.max, (m.gpu.max - m.gpu.min) / m.gpu.median,
           m.wall.median, m.wall.min, m.wall.max, (m.wall.max - m.wall.min) / m.wall.median,
           scratch_bytes, m.verified ? "true" : "false");
    fflush(stdout);
}

static const char *const distribution_names[] = {BENCH_DISTRIBUTION_NAMES};

/* The members that all cases have. */
static std::string problem_of(const char *primitive, const char *type, int value_bytes,
                              bench_distribution d, uint32_t count) {
    char text[256];
    snprintf(text, sizeof text,
             "\"primitive\": \"%s\", \"type\": \"%s\", \"order\": \"ascending\", "
             "\"value_bytes\": %d, \"distribution\": \"%s\", \"count\": %u, ",
             primitive, type, value_bytes, distribution_names[d], count);
    return text;
}
