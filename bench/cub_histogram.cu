/* SPDX-License-Identifier: MIT */
/*
 * cub_histogram.cu: CUB's DeviceHistogram in the lines of ordo_bench; see cub.cuh.
 *
 *     nvcc -arch=sm_90 -O3 -o cub_histogram bench/cub_histogram.cu && ./cub_histogram 16777216
 *
 * u32 are drawn below 2^31, so that CUB can name the upper end in a u32; f32 from 0 to 1. Bins are
 * a power of two each, so that the reference finds them exactly.
 */
#include "cub.cuh"

__device__ static uint32_t bin_of(uint32_t word, uint32_t bins) {
    return (uint32_t)(((uint64_t)word * bins) >> 31);
}
__device__ static uint32_t bin_of(float x, uint32_t bins) { return (uint32_t)(x * (float)bins); }

template <typename T>
__global__ static void count_slowly(const T *in, uint32_t count, uint32_t *out, uint32_t bins) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(out + bin_of(in[i], bins), 1);
}

static void fill(device_array<uint32_t> &in, bench_distribution d) {
    fill_words(in.data, (uint32_t)in.count, d, 1u << 31, 1);
}
static void fill(device_array<float> &in, bench_distribution d) {
    fill_unit(in.data, (uint32_t)in.count, d, 1);
}

template <typename T>
static bool measure(device_array<T> &in, const char *type, const char *members, T upper,
                    uint32_t bins, bench_distribution d) {
    uint32_t count = (uint32_t)in.count;
    device_array<uint32_t> out(bins), reference(bins);
    fill(in, d);
    CHECK(cudaMemset(reference.data, 0, bins * 4));
    count_slowly<<<2048, 256>>>(in.data, count, reference.data, bins);
    CHECK(cudaGetLastError());
    std::vector<uint32_t> expected = reference.read();
    size_t scratch_bytes = 0;
    auto launch = [&](void *scratch) {
        return cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes, in.data, out.data,
                                                   (int)bins + 1, T(0), upper, (int)count);
    };
    CHECK(launch(nullptr));
    device_array<char> scratch(scratch_bytes);
    measurement m = time_runs([&] { return launch(scratch.data); },
                              [&] { fill_words(out.data, bins, BENCH_RANDOM, 0, 77); },
                              [&] { return out.read() == expected; });
    char more[128];
    snprintf(more, sizeof more, "%s\"bins\": %u, \"bins_by\": \"even\", ", members, bins);
    print_line(problem_of("histogram", type, 0, d, count) + more, m, scratch_bytes);
    return m.verified;
}

int main(int argc, char **argv) {
    bool fine = true;
    for (int i = 1; i < argc; i++) {
        uint32_t count = (uint32_t)strtoul(argv[i], nullptr, 10);
        device_array<uint32_t> words(count);
        device_array<float> floats(count);
        for (uint32_t bins : {256u, 2048u, 65536u}) {
            fine = measure(words, "u32", "", 1u << 31, bins, BENCH_RANDOM) && fine;
            fine = measure(floats, "f32", "\"unit\": true, ", 1.0f, bins, BENCH_RANDOM) && fine;
        }
        for (bench_distribution d : {BENCH_SORTED, BENCH_EQUAL, BENCH_FEW, BENCH_ZIPF})
            fine = measure(words, "u32", "", 1u << 31, 256, d) && fine;
    }
    return fine ? 0 : 1;
}
