#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch.topk for k = 100 of f32 on an NVIDIA GPU, in the lines of ordo_bench.

    python3 bench/torch_topk.py 16777216

As bench/cub.cuh: a kernel that only waits goes ahead of the first event, the median of 11 is printed, and every output is
verified: sorted, what its indices name, and no element left out that is greater.
"""
import json
import statistics
import sys
import time

import torch

K = 100
REPEATS = 11
WARM_S = 0.25


def make(distribution, count):
    """f32 from 0 to 1, as the benchmark of ordo draws them with --unit."""
    torch.manual_seed(1)
    if distribution == "random":
        return torch.rand(count, device="cuda")
    if distribution == "sorted":
        words = torch.arange(count, device="cuda", dtype=torch.int64) * (0xFFFFFFFF // count) >> 8
        return words.to(torch.float32) / 2**24
    if distribution == "equal":
        return torch.full((count,), 0.375, device="cuda")
    return torch.rand(16, device="cuda")[torch.randint(16, (count,), device="cuda")]  # few


def right(data, values, indices):
    least = values[-1]
    return bool((values[:-1] >= values[1:]).all() and (data[indices] == values).all() and
                indices.unique().numel() == K and (data > least).sum() < K <= (data >= least).sum())


def spread(samples):
    median, least, most = statistics.median(samples), min(samples), max(samples)
    return {"median": median, "min": least, "max": most, "spread": (most - least) / median}


def time_runs(run, judge):
    """The times of `run`, whose every result `judge` verifies, as members of a line."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    stop = time.monotonic() + WARM_S
    while time.monotonic() < stop:
        run()
        torch.cuda.synchronize()
    gpu_ms, wall_ms, verified = [], [], True
    for _ in range(REPEATS):
        torch.cuda._sleep(2000000)
        begin.record()
        result = run()
        end.record()
        torch.cuda.synchronize()
        gpu_ms.append(begin.elapsed_time(end))
        verified = judge(result) and verified
        start = time.monotonic()
        run()
        torch.cuda.synchronize()
        wall_ms.append(1e3 * (time.monotonic() - start))
    return {"gpu_ms": spread(gpu_ms), "wall_ms": spread(wall_ms), "scratch_bytes": 0, "verified": verified}


def print_line(problem, times):
    print(json.dumps({"adapter": torch.cuda.get_device_name(), "driver": f"CUDA {torch.version.cuda}", "backend": "cuda",
                      "runtime": "torch", "runtime_version": torch.__version__, "limits": "adapter", "subgroups": True,
                      "order": "ascending", "value_bytes": 0, **problem, **times}), flush=True)


def measure(distribution, count):
    data = make(distribution, count)
    times = time_runs(lambda: torch.topk(data, K), lambda result: right(data, *result))
    print_line({"primitive": "top-k", "type": "f32", "distribution": distribution, "count": count, "unit": True, "k": K,
                "smallest": False}, times)
    return times["verified"]


def main():
    results = [measure(distribution, int(count)) for count in sys.argv[1:]
               for distribution in ("random", "sorted", "equal", "few")]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
