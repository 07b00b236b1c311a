/* SPDX-License-Identifier: MIT */
/*
 * cub.cu: CUB's sort, scan and reduce on the same machine, in the lines of ordo_bench.
 *
 *     nvcc -arch=sm_90 -O3 -o cub bench/cub.cu && ./cub 65536 1048576
 *
 * A kernel that only waits goes ahead of the first event, so that the host has queued all launches
 * before the clock starts: as a WebGPU command buffer stands whole before it runs. Inputs and
 * outputs are different buffers, every output is verified, and the median of 11 is printed.
 */
#include <cub/cub.cuh>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int REPEATS = 11;
static const double WARM_MS = 250;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "cub: line %d: %s\n", __LINE__, cudaGetErrorString(error));            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static double now_ms() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

/* ---- Data, as bench/checker.c makes and checks it ------------------------------------------- */

__host__ __device__ static uint32_t mix(uint32_t h) {
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    return h ^ (h >> 16);
}

__global__ void generate(uint32_t *keys, uint32_t *values, uint32_t count, uint32_t seed) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        keys[i] = mix(mix(i ^ seed));
        values[i] = i;
    }
}

/* found: violations, then three sums that no permutation changes. */
__global__ void check_sort(const uint32_t *keys, const uint32_t *values, uint32_t count,
                           uint32_t *found) {
    uint32_t bad = 0, sum = 0, sum_mixed = 0, mixed = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        uint32_t h = mix(mix(keys[i] + 0x1234567u) ^ (values ? mix(values[i] + 0x7654321u) : 0));
        sum += h;
        sum_mixed += mix(h ^ 0x5bd1e995u);
        mixed ^= mix(h + 0x2545f491u);
        if (i + 1 < count && (keys[i] > keys[i + 1] ||
                              (values && keys[i] == keys[i + 1] && values[i] >= values[i + 1])))
            bad++;
    }
    atomicAdd(found, bad);
    atomicAdd(found + 1, sum);
    atomicAdd(found + 2, sum_mixed);
    atomicXor(found + 3, mixed);
}

__global__ void check_scan(const uint32_t *in, const uint32_t *out, uint32_t count,
                           uint32_t *found) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x)
        if ((i == 0 && out[0] != 0) || (i + 1 < count && out[i + 1] - out[i] != in[i]))
            atomicAdd(found, 1);
}

__global__ void check_total(const uint32_t *in, uint32_t count, uint32_t *found) {
    uint32_t sum = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x)
        sum += in[i];
    atomicAdd(found + 1, sum);
}

__global__ void wait_clocks(long long clocks) {
    long long start = clock64();
    while (clock64() - start < clocks) {
    }
}

/* ---- Cases ---------------------------------------------------------------------------------- */

enum primitive { KEYS, PAIRS, SCAN, REDUCE, PRIMITIVE_COUNT };

struct buffers {
    uint32_t *in, *out, *values_in, *values_out, *found;
    void *scratch;
    size_t scratch_bytes;
};

static cudaError_t launch(primitive p, buffers *b, uint32_t count) {
    switch (p) {
    case KEYS:
        return cub::DeviceRadixSort::SortKeys(b->scratch, b->scratch_bytes, b->in, b->out, count);
    case PAIRS:
        return cub::DeviceRadixSort::SortPairs(b->scratch, b->scratch_bytes, b->in, b->out,
                                               b->values_in, b->values_out, count);
    case SCAN:
        return cub::DeviceScan::ExclusiveSum(b->scratch, b->scratch_bytes, b->in, b->out, count);
    default:
        return cub::DeviceReduce::Sum(b->scratch, b->scratch_bytes, b->in, b->out, count);
    }
}

struct result {
    uint32_t words[4];
    bool operator==(const result &other) const { return std::equal(words, words + 4, other.words); }
};

/* What the check finds in the input (after = false) or in the output. */
static result examine(primitive p, buffers *b, uint32_t count, bool after) {
    CHECK(cudaMemset(b->found, 0, 16));
    const uint32_t *keys = after ? b->out : b->in;
    const uint32_t *values = p != PAIRS ? nullptr : after ? b->values_out : b->values_in;
    if (p == SCAN && after)
        check_scan<<<2048, 256>>>(b->in, b->out, count, b->found);
    else if (p == REDUCE)
        check_total<<<2048, 256>>>(keys, after ? 1 : count, b->found);
    else if (p != SCAN)
        check_sort<<<2048, 256>>>(keys, values, count, b->found);
    CHECK(cudaGetLastError());
    result found;
    CHECK(cudaMemcpy(found.words, b->found, 16, cudaMemcpyDeviceToHost));
    if (!after)
        found.words[0] = 0; /* the input need not be in order */
    return found;
}

struct times {
    double median, min, max;
};

static times spread(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return {samples[samples.size() / 2], samples.front(), samples.back()};
}

static void print(primitive p, uint32_t count, const times &gpu, const times &wall,
                  size_t scratch_bytes, bool verified) {
    static const char *const names[] = {"sort", "sort", "scan", "reduce"};
    cudaDeviceProp device;
    int driver = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    printf("{\"adapter\": \"%s\", \"driver\": \"CUDA %d.%d\", \"backend\": \"cuda\", "
           "\"runtime\": \"cub\", \"runtime_version\": \"%d.%d.%d\", \"limits\": \"adapter\", "
           "\"subgroups\": true, \"primitive\": \"%s\", \"type\": \"u32\", "
           "\"order\": \"ascending\", \"value_bytes\": %d, \"method\": %s, \"digit_bits\": %d, "
           "\"distribution\": \"random\", \"count\": %u, ",
           device.name, driver / 1000, driver % 1000 / 10, CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
           CUB_SUBMINOR_VERSION, names[p], p == PAIRS ? 4 : 0, p < SCAN ? "\"radix\"" : "null",
           p < SCAN ? 8 : 0, count);
    printf("\"gpu_ms\": {\"median\": %.6g, \"min\": %.6g, \"max\": %.6g, \"spread\": %.3g}, "
           "\"wall_ms\": {\"median\": %.6g, \"min\": %.6g, \"max\": %.6g, \"spread\": %.3g}, "
           "\"scratch_bytes\": %zu, \"verified\": %s}\n",
           gpu.median, gpu.min, gpu.max, (gpu.max - gpu.min) / gpu.median, wall.median, wall.min,
           wall.max, (wall.max - wall.min) / wall.median, scratch_bytes,
           verified ? "true" : "false");
    fflush(stdout);
}

static bool measure(primitive p, buffers *b, uint32_t count) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    generate<<<2048, 256>>>(b->in, b->values_in, count, 1);
    result expected = examine(p, b, count, false);
    b->scratch = nullptr;
    CHECK(launch(p, b, count));
    CHECK(cudaMalloc(&b->scratch, b->scratch_bytes));
    for (double stop = now_ms() + WARM_MS; now_ms() < stop;) {
        CHECK(launch(p, b, count));
        CHECK(cudaDeviceSynchronize());
    }
    bool verified = true;
    std::vector<double> gpu_ms, wall_ms;
    for (int i = 0; i < REPEATS; i++) {
        generate<<<2048, 256>>>(b->out, b->values_out, p == REDUCE ? 1 : count, 77);
        wait_clocks<<<1, 1>>>(1000000);
        CHECK(cudaEventRecord(begin));
        CHECK(launch(p, b, count));
        CHECK(cudaEventRecord(end));
        verified = verified && examine(p, b, count, true) == expected;
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        gpu_ms.push_back(ms);
        double start_ms = now_ms();
        CHECK(launch(p, b, count));
        CHECK(cudaDeviceSynchronize());
        wall_ms.push_back(now_ms() - start_ms);
    }
    print(p, count, spread(gpu_ms), spread(wall_ms), b->scratch_bytes, verified);
    CHECK(cudaFree(b->scratch));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return verified;
}

int main(int argc, char **argv) {
    bool fine = true;
    for (int i = 1; i < argc; i++) {
        uint32_t count = (uint32_t)strtoul(argv[i], nullptr, 10);
        buffers b = {};
        uint32_t **all[] = {&b.in, &b.out, &b.values_in, &b.values_out};
        for (uint32_t **one : all)
            CHECK(cudaMalloc(one, (size_t)count * 4 + 4));
        CHECK(cudaMalloc(&b.found, 16));
        for (int p = 0; p < PRIMITIVE_COUNT; p++)
            fine = measure((primitive)p, &b, count) && fine;
        for (uint32_t **one : all)
            CHECK(cudaFree(*one));
        CHECK(cudaFree(b.found));
    }
    return fine ? 0 : 1;
}
