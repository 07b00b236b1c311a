/* SPDX-License-Identifier: MIT */
/*
 * cub.cu: CUB's sort, scan and reduce and CUDA's copy on the same machine and the same data, in the
 * lines of ordo_bench; see cub.cuh.
 *
 *     nvcc -arch=sm_90 -O3 -o cub bench/cub.cu
 *     ./cub sort:u32:4:zipf:1048576 copy:u32:0:random:1048576     cases, told as ordo_bench's lines
 *     ./cub 65536 1048576         sort of keys, of pairs, scan and reduce of so many random u32
 *
 * Types are u32, f32 and u64 for sorts, else u32. "unit" instead of a distribution is f32 drawn
 * evenly from 0 to 1. Values are the indices of their keys, and an argsort is that sort of pairs:
 * that the indices must be written before is not counted.
 */
#include "cub.cuh"

#include <type_traits>

/* ---- Checks --------------------------------------------------------------------------------- */

/* Images that compare as CUB compares keys. */
__device__ static uint64_t image_of(uint32_t key) { return key; }
__device__ static uint64_t image_of(uint64_t key) { return key; }
__device__ static uint64_t image_of(float key) {
    uint32_t bits = __float_as_uint(key);
    return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}

/* found: violations, then three sums that no permutation changes. */
template <typename T>
__global__ void check_sort(const T *keys, const uint32_t *values, uint32_t count, uint32_t *found) {
    uint32_t bad = 0, sum = 0, sum_mixed = 0, mixed = 0;
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        uint64_t key = image_of(keys[i]), next = i + 1 < count ? image_of(keys[i + 1]) : key;
        uint32_t h =
            draw_mix(draw_mix((uint32_t)key + 0x1234567u) ^ draw_mix((uint32_t)(key >> 32)));
        h ^= values ? draw_mix(values[i] + 0x7654321u) : 0;
        sum += draw_mix(h);
        sum_mixed += draw_mix(h ^ 0x5bd1e995u);
        mixed ^= draw_mix(h + 0x2545f491u);
        if (i + 1 < count && (key > next || (values && key == next && values[i] >= values[i + 1])))
            bad++;
    }
    atomicAdd(found, bad);
    atomicAdd(found + 1, sum);
    atomicAdd(found + 2, sum_mixed);
    atomicXor(found + 3, mixed);
}

__global__ void check_scan(const uint32_t *in, const uint32_t *out, uint32_t count,
                           uint32_t *found) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if ((i == 0 && out[0] != 0) || (i + 1 < count && out[i + 1] - out[i] != in[i]))
            atomicAdd(found, 1);
}

__global__ void check_copy(const uint32_t *in, const uint32_t *out, uint32_t count,
                           uint32_t *found) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if (in[i] != out[i])
            atomicAdd(found, 1);
}

/* ---- Cases ---------------------------------------------------------------------------------- */

struct bench_case {
    std::string primitive = "sort", type = "u32", distribution = "random";
    int value_bytes = 0;
    uint32_t count = 0;
    bool sorts() const { return primitive == "sort" || primitive == "argsort"; }
    bool pairs() const { return value_bytes != 0 || primitive == "argsort"; }
};

static bench_distribution distribution_of(const std::string &name) {
    if (name == "unit")
        return BENCH_RANDOM;
    for (size_t d = 0; d < sizeof distribution_names / sizeof *distribution_names; d++)
        if (name == distribution_names[d])
            return (bench_distribution)d;
    fprintf(stderr, "cub: there is no distribution '%s'\n", name.c_str());
    exit(2);
}

template <typename T> struct buffers {
    device_array<T> in, out;
    device_array<uint32_t> values_in, values_out, found{4};
    void *scratch = nullptr;
    size_t scratch_bytes = 0;
    explicit buffers(const bench_case &c)
        : in(c.count), out(c.count), values_in(c.pairs() ? c.count : 0),
          values_out(c.pairs() ? c.count : 0) {}
    ~buffers() { cudaFree(scratch); }
    uint32_t count() const { return (uint32_t)in.count; }
};

template <typename T> static cudaError_t sort(const bench_case &c, buffers<T> &b) {
    if (c.pairs())
        return cub::DeviceRadixSort::SortPairs(b.scratch, b.scratch_bytes, b.in.data, b.out.data,
                                               b.values_in.data, b.values_out.data, c.count);
    return cub::DeviceRadixSort::SortKeys(b.scratch, b.scratch_bytes, b.in.data, b.out.data,
                                          c.count);
}

/* Of u32 alone. */
static cudaError_t fold(const bench_case &c, buffers<uint32_t> &b) {
    if (c.primitive == "scan")
        return cub::DeviceScan::ExclusiveSum(b.scratch, b.scratch_bytes, b.in.data, b.out.data,
                                             c.count);
    if (c.primitive == "reduce")
        return cub::DeviceReduce::Sum(b.scratch, b.scratch_bytes, b.in.data, b.out.data, c.count);
    if (b.scratch == nullptr)
        return cudaSuccess;
    return cudaMemcpyAsync(b.out.data, b.in.data, (size_t)c.count * 4, cudaMemcpyDeviceToDevice);
}

template <typename T> static cudaError_t launch(const bench_case &c, buffers<T> &b) {
    if constexpr (std::is_same_v<T, uint32_t>)
        if (!c.sorts())
            return fold(c, b);
    return sort(c, b);
}

static bool fold_is_right(const bench_case &c, const buffers<uint32_t> &b) {
    CHECK(cudaMemset(b.found.data, 0, 16));
    if (c.primitive == "reduce")
        return sum_of_words(b.out.data, 4) == sum_of_words(b.in.data, (uint64_t)c.count * 4);
    if (c.primitive == "scan")
        check_scan<<<2048, 256>>>(b.in.data, b.out.data, c.count, b.found.data);
    else
        check_copy<<<2048, 256>>>(b.in.data, b.out.data, c.count, b.found.data);
    CHECK(cudaGetLastError());
    return b.found.read()[0] == 0;
}

/* What the check finds in keys and values. */
template <typename T>
static std::vector<uint32_t> examine(const bench_case &c, const buffers<T> &b, const T *keys,
                                     const uint32_t *values) {
    CHECK(cudaMemset(b.found.data, 0, 16));
    check_sort<<<2048, 256>>>(keys, c.pairs() ? values : nullptr, c.count, b.found.data);
    CHECK(cudaGetLastError());
    return b.found.read();
}

template <typename T> static bool is_right(const bench_case &c, const buffers<T> &b) {
    if constexpr (std::is_same_v<T, uint32_t>)
        if (!c.sorts())
            return fold_is_right(c, b);
    std::vector<uint32_t> before = examine(c, b, b.in.data, b.values_in.data);
    std::vector<uint32_t> after = examine(c, b, b.out.data, b.values_out.data);
    return after[0] == 0 && std::equal(after.begin() + 1, after.end(), before.begin() + 1);
}

template <typename T> static bool measure(const bench_case &c, ordo_type type) {
    buffers<T> b(c);
    bool unit = c.distribution == "unit";
    bench_distribution d = distribution_of(c.distribution);
    fill_keys<<<2048, 256>>>(b.in.data,
                             draw_source{d, type, c.count, 1, unit ? MAP_UNIT : MAP_BITS});
    fill_indices<<<2048, 256>>>(b.values_in.data, (uint32_t)b.values_in.count);
    uint32_t input_sum = sum_of_words(b.in.data, (uint64_t)c.count * sizeof(T));
    CHECK(launch(c, b));
    CHECK(cudaMalloc(&b.scratch, b.scratch_bytes + 4));
    uint32_t words = c.primitive == "reduce" ? 1 : c.count * (uint32_t)(sizeof(T) / 4);
    measurement m = time_runs([&] { return launch(c, b); },
                              [&] {
                                  fill_words((uint32_t *)b.out.data, words, BENCH_RANDOM, 0, 77);
                                  fill_words(b.values_out.data, (uint32_t)b.values_out.count,
                                             BENCH_RANDOM, 0, 78);
                              },
                              [&] { return is_right(c, b); });
    char more[128];
    snprintf(more, sizeof more, "%s\"method\": %s, \"digit_bits\": %d, \"input_sum\": %u, ",
             unit ? "\"unit\": true, " : "", c.sorts() ? "\"radix\"" : "null", c.sorts() ? 8 : 0,
             input_sum);
    print_line(problem_of(c.primitive.c_str(), c.type.c_str(), c.value_bytes, d, c.count) + more, m,
               b.scratch_bytes);
    return m.verified;
}

static bool measure(const bench_case &c) {
    if (c.sorts() && c.type == "f32")
        return measure<float>(c, ORDO_F32);
    if (c.sorts() && c.type == "u64")
        return measure<uint64_t>(c, ORDO_U64);
    if (c.type == "u32" && c.distribution != "unit")
        return measure<uint32_t>(c, ORDO_U32);
    fprintf(stderr, "cub: no %s of %s, %s\n", c.primitive.c_str(), c.type.c_str(),
            c.distribution.c_str());
    exit(2);
}

/* A number is the four cases that have it as their count. */
static std::vector<bench_case> cases_of(const std::string &text) {
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size(); at = text.find(':', at) + 1) {
        parts.push_back(text.substr(at, text.find(':', at) - at));
        if (text.find(':', at) == std::string::npos)
            break;
    }
    uint32_t count = (uint32_t)strtoul(parts.back().c_str(), nullptr, 10);
    if (parts.size() == 5)
        return {{parts[0], parts[1], parts[3], atoi(parts[2].c_str()), count}};
    if (parts.size() == 1)
        return {{"sort", "u32", "random", 0, count},
                {"sort", "u32", "random", 4, count},
                {"scan", "u32", "random", 0, count},
                {"reduce", "u32", "random", 0, count}};
    fprintf(stderr, "cub: '%s' is no case\n", text.c_str());
    exit(2);
}

int main(int argc, char **argv) {
    bool fine = true;
    for (int i = 1; i < argc; i++)
        for (const bench_case &c : cases_of(argv[i]))
            fine = measure(c) && fine;
    return fine ? 0 : 1;
}
