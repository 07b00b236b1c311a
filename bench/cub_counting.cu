/* SPDX-License-Identifier: MIT */
/*
 * cub_counting.cu: what CUB's DeviceRadixSort takes for the results of ordo's counting sort and
 * grid, in the lines of ordo_bench; see cub.cuh.
 *
 *     nvcc -arch=sm_90 -O3 -o cub_counting bench/cub_counting.cu && ./cub_counting 16777216
 *
 *     counting sort   SortPairs by the bits that the buckets take, and where each bucket starts, by
 *                     a binary search a bucket
 *     grid            a kernel for cells and indices, SortPairs by the cells' 18 bits, the same
 *                     search a cell
 */
#include "cub.cuh"

static const uint32_t CELLS = 64; /* in each axis */

/* The cells of points in the unit cube, and their indices. */
__global__ static void find_cells(const float *points, uint32_t count, uint32_t *cells,
                                  uint32_t *indices) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    uint32_t cell = 0;
    for (int d = 2; d >= 0; d--)
        cell = cell * CELLS +
               min((uint32_t)floorf(points[3 * (size_t)i + d] * (float)CELLS), CELLS - 1);
    cells[i] = cell;
    indices[i] = i;
}

struct pairs {
    device_array<uint32_t> keys, values, keys_out, values_out, starts;
    int bits;
    size_t scratch_bytes = 0;
    pairs(uint32_t count, int key_bits)
        : keys(count), values(count), keys_out(count), values_out(count),
          starts((1u << key_bits) + 1), bits(key_bits) {}
    cudaError_t sort(void *scratch) {
        uint32_t count = (uint32_t)keys.count, buckets = 1u << bits;
        cudaError_t error =
            cub::DeviceRadixSort::SortPairs(scratch, scratch_bytes, keys.data, keys_out.data,
                                            values.data, values_out.data, (int)count, 0, bits);
        if (scratch != nullptr)
            find_starts<<<buckets / 256 + 1, 256>>>(keys_out.data, count, starts.data, buckets);
        return error != cudaSuccess ? error : cudaGetLastError();
    }
    void poison() {
        for (device_array<uint32_t> *out : {&keys_out, &values_out, &starts})
            fill_words(out->data, (uint32_t)out->count, BENCH_RANDOM, 0, 77);
    }
    bool right() { return buckets_are_right(keys_out, values_out, keys, starts); }
};

static bool measure_counting(uint32_t count, int bits, bench_distribution d) {
    pairs p(count, bits);
    fill_words(p.keys.data, count, d, 1u << bits, 1);
    fill_indices<<<2048, 256>>>(p.values.data, count);
    CHECK(p.sort(nullptr));
    device_array<char> scratch(p.scratch_bytes);
    measurement m = time_runs([&] { return p.sort(scratch.data); }, [&] { p.poison(); },
                              [&] { return p.right(); });
    char more[64];
    snprintf(more, sizeof more, "\"buckets\": %u, ", 1u << bits);
    print_line(problem_of("counting-sort", "u32", 4, d, count) + more, m, p.scratch_bytes);
    return m.verified;
}

static bool measure_grid(uint32_t count, bench_distribution d) {
    pairs p(count, 18);
    device_array<float> points(3 * (size_t)count);
    fill_unit(points.data, 3 * count, d, 1);
    CHECK(p.sort(nullptr));
    device_array<char> scratch(p.scratch_bytes);
    auto launch = [&] {
        find_cells<<<count / 256 + 1, 256>>>(points.data, count, p.keys.data, p.values.data);
        return p.sort(scratch.data);
    };
    measurement m = time_runs(launch, [&] { p.poison(); }, [&] { return p.right(); });
    print_line(problem_of("grid", "f32", 0, d, count) +
                   "\"cells\": 64, \"dimensions\": 3, \"stride_bytes\": 12, "
                   "\"points_out\": false, ",
               m, p.scratch_bytes);
    return m.verified;
}

int main(int argc, char **argv) {
    bool fine = true;
    for (int i = 1; i < argc; i++) {
        uint32_t count = (uint32_t)strtoul(argv[i], nullptr, 10);
        fine = measure_counting(count, 8, BENCH_RANDOM) && fine;
        fine = measure_counting(count, 16, BENCH_RANDOM) && fine;
        fine = measure_grid(count, BENCH_RANDOM) && fine;
    }
    return fine ? 0 : 1;
}
