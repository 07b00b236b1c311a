/* SPDX-License-Identifier: MIT */
/*
 * cub_topk.cu: the largest 100 of f32 by CUB, with indices and sorted, in the lines of ordo_bench;
 * see cub.cuh.
 *
 *     nvcc -arch=sm_90 -O3 -o cub_topk bench/cub_topk.cu && ./cub_topk 16777216
 *
 *     "full sort"   DeviceRadixSort::SortPairsDescending of everything: what there is in any CUB
 *     ""            DeviceTopK::MaxPairs, where this CUB has it, and a sort of what it found, which
 *                   it gives in no order. Of equal keys it takes any, where ordo takes the first
 */
#include "cub.cuh"

#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#include <cuda/iterator>
#define HAVE_TOP_K 1
#endif

static const uint32_t K = 100;

/* found[0]: elements above the least of the result, found[1]: those from it on. */
__global__ static void count_better(const float *in, uint32_t count, const float *keys,
                                    uint32_t *found) {
    uint32_t above = 0, from_it = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        above += in[i] > keys[K - 1];
        from_it += in[i] >= keys[K - 1];
    }
    atomicAdd(found, above);
    atomicAdd(found + 1, from_it);
}

/* found[2]: indices that do not name their key. */
__global__ static void check_indices(const float *in, uint32_t count, const float *keys,
                                     const uint32_t *indices, uint32_t *found) {
    uint32_t i = threadIdx.x;
    if (i < K && (indices[i] >= count || in[indices[i]] != keys[i]))
        atomicAdd(found + 2, 1);
}

struct problem {
    device_array<float> in, out;
    device_array<uint32_t> indices_out;
    problem(uint32_t count, size_t out_count) : in(count), out(out_count), indices_out(out_count) {}
    void poison() {
        uint32_t words = (uint32_t)out.count;
        fill_words((uint32_t *)out.data, words, BENCH_RANDOM, 0, 77);
        fill_words(indices_out.data, words, BENCH_RANDOM, 0, 78);
    }
    /* Sorted, different, what their indices say, and none left out that is greater. */
    bool right() {
        uint32_t count = (uint32_t)in.count;
        device_array<uint32_t> found(3);
        CHECK(cudaMemset(found.data, 0, 12));
        count_better<<<2048, 256>>>(in.data, count, out.data, found.data);
        check_indices<<<1, 128>>>(in.data, count, out.data, indices_out.data, found.data);
        CHECK(cudaGetLastError());
        std::vector<uint32_t> host = found.read(), indices(K);
        std::vector<float> keys(K);
        CHECK(cudaMemcpy(keys.data(), out.data, K * 4, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(indices.data(), indices_out.data, K * 4, cudaMemcpyDeviceToHost));
        std::sort(indices.begin(), indices.end());
        bool different = std::adjacent_find(indices.begin(), indices.end()) == indices.end();
        return host[0] < K && host[1] >= K && host[2] == 0 && different &&
               std::is_sorted(keys.rbegin(), keys.rend());
    }
};

static void print(const problem &p, bench_distribution d, const char *form, const measurement &m,
                  size_t scratch_bytes) {
    char more[128];
    snprintf(more, sizeof more, "\"unit\": true, \"k\": %u, \"smallest\": false, %s", K, form);
    print_line(problem_of("top-k", "f32", 0, d, (uint32_t)p.in.count) + more, m, scratch_bytes);
}

static bool measure_sort(uint32_t count, bench_distribution d) {
    problem p(count, count);
    device_array<uint32_t> indices(count);
    fill_unit(p.in.data, count, d, 1);
    fill_indices<<<2048, 256>>>(indices.data, count);
    size_t scratch_bytes = 0;
    auto launch = [&](void *scratch) {
        return cub::DeviceRadixSort::SortPairsDescending(scratch, scratch_bytes, p.in.data,
                                                         p.out.data, indices.data,
                                                         p.indices_out.data, (int)count);
    };
    CHECK(launch(nullptr));
    device_array<char> scratch(scratch_bytes);
    measurement m = time_runs([&] { return launch(scratch.data); }, [&] { p.poison(); },
                              [&] { return p.right(); });
    print(p, d, "\"form\": \"full sort\", ", m, scratch_bytes);
    return m.verified;
}

#ifdef HAVE_TOP_K
static bool measure_top_k(uint32_t count, bench_distribution d) {
    problem p(count, K);
    device_array<float> found(K);
    device_array<uint32_t> found_indices(K);
    fill_unit(p.in.data, count, d, 1);
    auto env = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                        cuda::execution::output_ordering::unsorted);
    size_t select_bytes = 0, sort_bytes = 0;
    auto select = [&](void *scratch) {
        return cub::DeviceTopK::MaxPairs(scratch, select_bytes, p.in.data, found.data,
                                         cuda::counting_iterator<uint32_t>(0), found_indices.data,
                                         count, K, env);
    };
    auto sort = [&](void *scratch) {
        return cub::DeviceRadixSort::SortPairsDescending(scratch, sort_bytes, found.data,
                                                         p.out.data, found_indices.data,
                                                         p.indices_out.data, (int)K);
    };
    CHECK(select(nullptr));
    CHECK(sort(nullptr));
    device_array<char> select_scratch(select_bytes), sort_scratch(sort_bytes);
    auto launch = [&] {
        cudaError_t error = select(select_scratch.data);
        return error != cudaSuccess ? error : sort(sort_scratch.data);
    };
    measurement m = time_runs(launch, [&] { p.poison(); }, [&] { return p.right(); });
    print(p, d, "", m, select_bytes + sort_bytes);
    return m.verified;
}
#else
static bool measure_top_k(uint32_t, distribution) { return true; }
#endif

int main(int argc, char **argv) {
    bool fine = true;
#ifndef HAVE_TOP_K
    fprintf(stderr, "cub_topk: this CUB has no DeviceTopK\n");
#endif
    for (int i = 1; i < argc; i++) {
        uint32_t count = (uint32_t)strtoul(argv[i], nullptr, 10);
        fine = measure_sort(count, BENCH_RANDOM) && fine;
        for (bench_distribution d : {BENCH_RANDOM, BENCH_SORTED, BENCH_EQUAL, BENCH_FEW})
            fine = measure_top_k(count, d) && fine;
    }
    return fine ? 0 : 1;
}
