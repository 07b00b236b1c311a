# SPDX-License-Identifier: MIT
"""bench/report.py --fast: what it makes of lines whose times are chosen here, without a GPU."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

REPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench", "report.py")
SVG = "{http://www.w3.org/2000/svg}"


def spread(ms):
    return {"median": ms, "min": ms, "max": ms, "spread": 0}


def line(runtime, count, ms, method="auto", **more):
    """A result; by default a sort of random u32 keys."""
    ours = runtime in ("wgpu-native", "dawn")
    row = {"adapter": "NVIDIA H200", "driver": "1", "backend": "vulkan", "runtime": runtime, "runtime_version": "2",
           "limits": "adapter", "subgroups": runtime != "wgpu-native", "primitive": "sort", "type": "u32",
           "order": "ascending", "value_bytes": 0, "distribution": "random", "count": count, "scratch_bytes": 4 * count,
           "input_sum": 5, "gpu_ms": spread(ms), "wall_ms": spread(2 * ms), "verified": True}
    if ours:
        row.update(row_length=0, skip_high_bits=0, allow_unstable=False, requested={"method": method}, step_count=8,
                   encode_us=4, encode_runtime_us=3, encode_own_us_per_step=0.1, encode_to_submit_us=40, plan_us=2,
                   plan_with_pipelines_ms=9, copy_bytes_per_second=4e12)
    return {**row, **more}


class FastReport(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def report(self, rows, *options, status=0):
        path = os.path.join(self.folder.name, "lines.jsonl")
        with open(path, "w") as stream:
            stream.writelines(json.dumps(row) + "\n" for row in rows)
        done = subprocess.run([sys.executable, "-B", REPORT, "--fast", path, *options], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def cells(self, text, *start):
        """The cells of the one row that begins with these, behind them, in the tables before that of overheads."""
        lines = text.split("| case ")[0].splitlines()
        rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in lines if row[:1] == "|"]
        found = [row for row in rows if row[:len(start)] == list(start)]
        self.assertEqual(len(found), 1, text)
        return found[0][len(start):]

    def test_goals_say_what_is_reached_and_what_is_missed(self):
        text = self.report([line("wgpu-native", 1 << 24, (1 << 24) / 60e6),
                            line("wgpu-native", 1 << 26, (1 << 26) / 80e6),
                            line("wgpu-native", 1 << 28, (1 << 28) / 69e6), line("wgpu-native", 1 << 20, 0.030),
                            line("dawn", 1 << 28, (1 << 28) / 90e6), line("cub", 1 << 28, (1 << 28) / 48e6)])
        self.assertEqual(self.cells(text, "u32 keys, 2^24"), ["G/s", "55", "70", "60", "", "", "reached"])
        self.assertEqual(self.cells(text, "u32 keys, 2^26"), ["G/s", "68", "80", "80", "", "", "aim reached"])
        self.assertEqual(self.cells(text, "u32 keys, 2^28"), ["G/s", "70", "85", "69", "90", "48", "MISSED"])
        self.assertEqual(self.cells(text, "u32 keys, 2^20"), ["us", "35", "26", "30", "", "", "reached"])
        self.assertEqual(self.cells(text, "encode to submit, a step, keys, 2^26"),
                         ["us", "7", "4", "5", "", "", "reached"])
        self.assertNotIn("stable pairs", text)

    def test_goals_are_those_of_one_adapter(self):
        self.assertNotIn("goal", self.report([line("wgpu-native", 1 << 28, 99, adapter="another")]))

    def test_wins_and_losses(self):
        text = self.report([line("wgpu-native", 1 << 26, 1.0), line("cub", 1 << 26, 1.5),
                            line("wgpu-native", 1 << 26, 3.0, distribution="clustered"),
                            line("cub", 1 << 26, 1.5, distribution="clustered"),
                            line("wgpu-native", 1 << 26, 1.2, value_bytes=4, allow_unstable=True),
                            line("cub", 1 << 26, 1.8, value_bytes=4)])
        self.assertEqual(self.cells(text, "sort u32", "2^26")[:3], ["1 (67.1)", "1.5 (44.7)", "1.50"])
        self.assertEqual(self.cells(text, "sort u32, clustered", "2^26")[2], "0.50")
        self.assertEqual(self.cells(text, "sort u32 + 4 B, unstable", "2^26")[2], "1.50")
        losses = [row for row in text.splitlines() if row.startswith("- sort")]
        self.assertEqual(losses, ["- sort u32, clustered, 2^26: CUB takes 1.5 ms, ordo 3, 2.00 times as long"])

    def test_methods_stand_side_by_side(self):
        rows = [line("wgpu-native", 1 << 20, ms, method) for method, ms in (("auto", 1), ("msd", 2), ("radix", 4))]
        text = self.report(rows + [line("wgpu-native", 1 << 20, 0, "bitonic", gpu_ms=None)])
        part = text[text.index("By method:"):]
        self.assertEqual(self.cells(part, "sort u32", "2^20")[:4], ["1 (1.05)", "2 (0.524)", "4 (0.262)", "n/a"])

    def test_a_wrong_result_fails(self):
        text = self.report([line("wgpu-native", 1 << 20, 1, verified=False)], status=1)
        self.assertEqual(self.cells(text, "sort u32", "2^20")[0], "1 (1.05) WRONG")

    def test_rows_of_one_case_sort_the_same_data(self):
        rows = [line("wgpu-native", 1 << 20, 1), line("cub", 1 << 20, 2, input_sum=6)]
        self.assertIn("u32, random, 2^20: the input differs between wgpu-native and CUB", self.report(rows, status=1))
        rows = [line("wgpu-native", 1 << 20, 1), line("cub", 1 << 20, 2, distribution="few", input_sum=6)]
        self.assertNotIn("differs", self.report(rows))

    def test_what_was_skipped_is_said(self):
        row = line("wgpu-native", 1 << 30, 1, "msd", skipped="too large")
        del row["gpu_ms"]
        self.assertIn("- sort u32, 2^30, msd was skipped: too large", self.report([row, line("wgpu-native", 1000, 1)]))

    def test_charts(self):
        rows = [line("wgpu-native", 1 << e, 1, method) for e in (10, 12, 20) for method in ("msd", "radix", "auto")]
        rows += [line("cub", 1 << e, 2) for e in (10, 20)]
        rows += [line("wgpu-native", 1 << 20, 1, distribution=name) for name in ("sorted", "few & many")]
        page = os.path.join(self.folder.name, "page.md")
        with open(page, "w") as stream:
            stream.write("before\n<!-- begin fast -->\nold\n<!-- end fast -->\nafter\n")
        self.report(rows, "--charts", self.folder.name, "--into", page, "--section", "fast")
        curves = xml.etree.ElementTree.parse(os.path.join(self.folder.name, "performance-keys.svg")).getroot()
        self.assertEqual(len(curves.findall(SVG + "circle")), 3 + 3 + 2)
        self.assertEqual([t.text for t in curves.findall(SVG + "text")][:3], ["msd", "radix", "CUB"])
        bars = xml.etree.ElementTree.parse(os.path.join(self.folder.name, "performance-data.svg")).getroot()
        self.assertEqual(len(bars.findall(SVG + "rect")), 2 + 3 + 1)
        self.assertFalse(os.path.exists(os.path.join(self.folder.name, "performance-pairs.svg")))
        with open(page) as stream:
            text = stream.read()
        self.assertRegex(text, r"(?s)^before\n<!-- begin fast -->\n.*\n<!-- end fast -->\nafter\n$")
        self.assertIn("![Sorting u32 keys on NVIDIA H200](performance-keys.svg)", text)
        self.assertNotIn("old", text)
        self.assertNotIn("performance-pairs.svg", text)


if __name__ == "__main__":
    unittest.main()
