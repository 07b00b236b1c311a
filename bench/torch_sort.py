#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torch.sort of f32 from 0 to 1 on an NVIDIA GPU, in the lines of ordo_bench; timed as torch_topk.py says.

    python3 bench/torch_sort.py 16777216

It gives keys and 64-bit indices; the line says argsort, ordo's primitive that does the most of it. torch draws its own
keys. Verified: keys rise, they are what the indices name, and the indices are all of them once.
"""
import sys

import torch
from torch_topk import print_line, time_runs


def right(data, values, indices):
    seen = torch.zeros(data.numel(), dtype=torch.bool, device="cuda")
    seen[indices] = True
    return bool((values[:-1] <= values[1:]).all() and (data[indices] == values).all() and seen.all())


def measure(count):
    torch.manual_seed(1)
    data = torch.rand(count, device="cuda")
    times = time_runs(lambda: torch.sort(data, stable=True), lambda result: right(data, *result))
    print_line({"primitive": "argsort", "type": "f32", "distribution": "random", "count": count, "unit": True}, times)
    return times["verified"]


if __name__ == "__main__":
    sys.exit(0 if all([measure(int(count)) for count in sys.argv[1:]]) else 1)
