/* SPDX-License-Identifier: MIT */
/*
 * cub.cu: CUB's sort, scan and reduce on the same machine, in the lines of ordo_bench; see cub.cuh.
 *
 *     nvcc -arch=sm_90 -O3 -o cub bench/cub.cu && ./cub 65536 1048576
 */
#include "cub.cuh"

/* ---- Data and checks ------------------------------------------------------------------------ */

__global__ void generate(uint32_t *keys, uint32_t *values, uint32_t count, uint32_t seed) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
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

static void print(primitive p, uint32_t count, const measurement &m, size_t scratch_bytes) {
    static const char *const names[] = {"sort", "sort", "scan", "reduce"};
    const char *method = p < SCAN ? "\"method\": \"radix\", \"digit_bits\": 8, "
                                  : "\"method\": null, \"digit_bits\": 0, ";
    print_line(problem_of(names[p], "u32", p == PAIRS ? 4 : 0, RANDOM, count) + method, m,
               scratch_bytes);
}

static bool measure(primitive p, buffers *b, uint32_t count) {
    generate<<<2048, 256>>>(b->in, b->values_in, count, 1);
    result expected = examine(p, b, count, false);
    b->scratch = nullptr;
    CHECK(launch(p, b, count));
    CHECK(cudaMalloc(&b->scratch, b->scratch_bytes));
    measurement m = time_runs(
        [&] { return launch(p, b, count); },
        [&] { generate<<<2048, 256>>>(b->out, b->values_out, p == REDUCE ? 1 : count, 77); },
        [&] { return examine(p, b, count, true) == expected; });
    print(p, count, m, b->scratch_bytes);
    CHECK(cudaFree(b->scratch));
    return m.verified;
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
