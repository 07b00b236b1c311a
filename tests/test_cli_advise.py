# SPDX-License-Identifier: MIT
"""`ordo advise`: what it measures of files, what it answers, what it refuses."""

import json
import os
import random
import re
import struct
import subprocess
import unittest

from cli_support import NO_DRIVER, ORDO, ProgramTest, npy_bytes


def lines(numbers):
    return "".join("%s\n" % number for number in numbers).encode()


class AdviseTest(ProgramTest):
    def advise(self, *arguments, **options):
        return json.loads(self.ordo("advise", "--json", *arguments, env=NO_DRIVER, **options))

    def answer(self, *arguments, **options):
        """The first option's primitive, and its method if it is a sort."""
        advice = self.advise(*arguments, **options)
        self.assertTrue(advice["fits"])
        first = advice["options"][0]
        return first["primitive"] if first["method"] is None else first["method"]


class Questions(AdviseTest):
    def test_answers(self):
        large = "--count=2^24"
        for arguments, answer in (
            ([large], "msd"),
            (["--count=600000"], "msd"),
            (["--count=10000"], "sample"),
            (["--count=2000", "--in-place"], "bitonic"),
            ([large, "--bits=20"], "radix"),
            (["--count=1"], "nothing"),
            ([large, "--sorted"], "nothing"),
            ([large, "--distinct=1"], "nothing"),
            ([large, "--limit=1000", "--argsort"], "counting sort"),
            ([large, "--in-place", "--memory=2^20"], "bitonic"),
            ([large, "--row-length=100", "--value-bytes=8"], "bitonic"),
            ([large, "--need=groups", "--limit=256"], "counting sort"),
            ([large, "--need=groups", "--type=u64"], "msd"),
            ([large, "--need=best", "-k100", "--type=f32"], "top-k"),
            ([large, "--need=best", "-k16777216"], "msd"),
            ([large, "--need=counts", "--bits=8"], "histogram"),
            ([large, "--need=counts", "--type=f32", "--bins=50", "--lo=-1", "--hi=1"], "histogram"),
            ([large, "--need=counts"], "msd"),
            (["--count=2^22", "--need=neighbours", "--radius=0.1"], "grid"),
            (["--count=2^20", "--need=neighbours", "--radius=1", "--dimensions=2", "--upper=500,500"], "grid"),
        ):
            self.assertEqual(self.answer(*arguments), answer, arguments)
        self.assertEqual(self.advise(large, "--bits=12", "--value-bytes=4")["options"][0]["desc"],
                         "ordo_sort_desc desc = {.max_count = 16777216, .value_bytes = 4, .skip_high_bits = 20, "
                         ".method = ORDO_METHOD_RADIX};")

    def test_options_agree_with_plans(self):
        """What the table says is what `ordo plan` says of that desc."""
        for option in self.advise("--count=2^20", "--value-bytes=4", "--bits=16")["options"]:
            plan = json.loads(self.ordo("plan", "--json", "--count=2^20", "--value-bytes=4", "--skip-high-bits=16",
                                        "--method", option["method"], env=NO_DRIVER))
            for name in ("step_count", "moved_bytes", "scratch_bytes", "modelled_us"):
                self.assertEqual(option[name], plan[name])

    def test_text(self):
        out = self.ordo("advise", "--count=2^24", "--need=best", "-k", "100", "--descending", env=NO_DRIVER).decode()
        self.assertTrue(out.startswith("Use: top-k. It selects"), out)
        self.assertIn("\n    ordo_top_k_desc desc = {.max_count = 16777216, .k = 100};\n", out)
        self.assertRegex(out, r"\noption +dispatches +bytes moved +scratch bytes +modelled us\n")
        self.assertRegex(out, r"\ntop-k +\d+ +\d+ +\d+ +[\d.]+\nsort, msd +\d+ ")
        self.assertIn("\nsort, radix: The best come first in the total order.\n", out)
        out = self.ordo("advise", "--count=2^20", "--sorted", env=NO_DRIVER).decode()
        self.assertTrue(out.startswith("There is nothing to do. The elements are in this order"), out)
        out = self.ordo("advise", "--count=100", "--need=neighbours", "--radius=0.5", "--lower=1,2", "--upper=2,4",
                        "--dimensions=2", env=NO_DRIVER).decode()
        self.assertIn(".dimensions = 2, .origin = {1.0f, 2.0f}, .cell_size = {0.5f}, .cells = {3, 5}};", out)

    def test_nothing_fits(self):
        done = self.run_ordo("advise", "--count=2^24", "--argsort", "--memory=1000", env=NO_DRIVER)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        self.assertTrue(done.stdout.startswith(b"Nothing fits.\n"))
        self.assertIn(b"sort, radix: It takes more scratch than there is room for.\n", done.stdout)

    def test_limits_to_request(self):
        """More than WebGPU's guaranteed limits allow is priced all the same, and the limits are named."""
        out = self.ordo("advise", "--count=2^26", env=NO_DRIVER).decode()
        self.assertTrue(out.startswith(
            "Use: sort, msd. It needs larger limits than the device has.\n"
            "max_count 67108864 needs a binding of 268435456 bytes; the device's maxStorageBufferBindingSize is 134217728:"
            " request a larger one; maxBufferSize must be at least "), out)
        scratch = int(re.search("must be at least ([0-9]+)\n", out)[1])
        self.assertRegex(out, r"\nsort, msd +16 +\d+ +%d +\d+\.\d  needs larger limits\nsort, radix +12 " % scratch)
        self.assertIn("\n    ordo_sort_desc desc = {.max_count = 67108864, .method = ORDO_METHOD_MSD};\n", out)
        self.assertRegex(out, r"\nsort, bitonic: It needs larger limits .*request a larger one\n\Z")
        # Radix sorts fit where others do not, and say how.
        out = self.ordo("advise", "--count=40000000", env=NO_DRIVER).decode()
        self.assertTrue(out.startswith(
            "Use: sort, radix. It gives the total order.\n"
            "Its arrays are larger than a binding of the device: it binds them in 2 windows.\n"), out)
        advice = self.advise("--count=2^28", "--need=best", "-k100")
        self.assertFalse(advice["fits"])
        self.assertEqual([option["primitive"] for option in advice["options"]], ["top-k", "sort", "sort", "sort"])
        for option in advice["options"]:
            self.assertFalse(option["fits"])
            limit = "maxBufferSize" if option["method"] == "radix" else "maxStorageBufferBindingSize"
            self.assertIn(limit, option["message"])
            self.assertGreater(option["modelled_us"], 100)
        # Where no limit would do, nothing fits, and there is no price.
        done = self.run_ordo("advise", "--count=4294967295", "--value-bytes=64", env=NO_DRIVER)
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        self.assertTrue(done.stdout.startswith(b"Nothing fits.\n"), done.stdout)
        self.assertRegex(done.stdout, rb"\nsort, radix +max_count 4294967295 of elements of 64 bytes is more than ")

    def test_errors(self):
        for arguments, words in (
            ([], "neither a FILE nor --count is given"),
            (["--count=x"], "--count: 'x' is no number"),
            (["--count=1", "--need=speed"], "--need: 'speed' is none of order, groups, best, counts, neighbours"),
            (["--count=1", "--type=u8"], "--type: 'u8' is none of u32, "),
            (["--count=1", "--raw", "--type=u32"], "--raw is about FILEs"),
            (["--count=1", "file"], "--count is what a FILE tells"),
            (["--sorted", "file"], "--sorted is what a FILE tells"),
            (["--count=1", "--radius=x"], "--radius: 'x' is no number"),
            (["--count=1", "--lower=1,2,3,4"], "--lower takes at most 3 numbers"),
            (["--raw", "file"], "--raw needs --type"),
            (["--colour"], ""),
        ):
            message = self.refused("advise", *arguments)
            self.assertIn(words, message)
            self.assertRegex(message, r"ordo: see 'ordo advise --help'\n\Z", arguments)
        for arguments, words in (
            (["--count=9", "--need=best"], "no advice: k is 0"),
            (["--count=9", "-k", "3"], "no advice: k is 3, but it has no meaning for this need"),
            (["--count=9", "--need=neighbours"], "no advice: radius is not positive"),
            (["--count=9", "--need=neighbours", "--radius=1e30"], "no advice: radius is too large; it must be from 1e-28"),
            (["--count=9", "--need=neighbours", "--radius=1", "--lower=5,5,5", "--upper=9,0,9"],
             "no advice: lower[1] is greater than upper[1]"),
            (["--count=9", "--lo=5.5"], "no advice: lo is set, but it has no meaning for this need"),
            (["--count=9", "--value-bytes=3"], "no advice: value_bytes is 3"),
            (["--count=9", "--bits=33"], "no advice: skip_low_bits 0 plus significant_bits 33"),
            (["--count=9", "--limit=5", "--type=i32"], "no advice: key_limit is 5"),
            (["--count=2^32"], "no advice: max_count is 4294967296"),
            (["missing"], "missing"),
        ):
            self.assertIn(words, self.refused("advise", *arguments))
        help_text = self.ordo("advise", "--help").decode()
        self.assertTrue(help_text.startswith("Usage: ordo advise"))
        self.assertIn("--upper=", help_text)


class Files(AdviseTest):
    def measured(self, contents, *arguments, name="data"):
        return self.advise(self.write(name, contents), *arguments)["measured"]

    def test_text_file(self):
        """Integers are sorted by their distance to the least, so few bits and buckets are enough."""
        random.seed(5)
        numbers = [random.randrange(-50, 50) for _ in range(200000)]
        path = self.write("numbers", lines(numbers))
        advice = self.advise(path)
        disorder = sum(b < a for a, b in zip(numbers, numbers[1:]))
        self.assertEqual(advice["measured"], {
            "count": 200000, "read_as": "i64", "key": "u32", "distinct_count": 100, "distinct_is_more": False,
            "skip_low_bits": 0, "significant_bits": 7, "disorder_count": disorder})
        self.assertEqual(advice["options"][0]["primitive"], "counting sort")
        self.assertIn(".bucket_count = 100}", advice["options"][0]["desc"])
        text = self.ordo("advise", path, env=NO_DRIVER).decode()
        self.assertIn("200000 numbers, read as i64 and sorted as u32 by their distance to the least; 100 different\n"
                      "from -50 to 49; they differ in 7 bits, above the lowest 0\n%d of 199999 neighbours are out of "
                      "order\n\nUse: counting sort." % disorder, text)

    def test_order(self):
        up = lines(range(1000))
        self.assertEqual(self.measured(up)["disorder_count"], 0)
        self.assertEqual(self.measured(up, "--descending")["disorder_count"], 999)
        self.assertEqual(self.answer(self.path("data")), "nothing")
        self.assertEqual(self.answer(self.path("data"), "--descending"), "bitonic")
        self.assertEqual(self.answer(self.path("data"), "--need=counts"), "histogram")
        self.assertEqual(self.answer("-", stdin=b"7\n7\n7\n"), "nothing")
        self.assertEqual(self.answer("-", stdin=b""), "nothing")

    def test_distinct(self):
        """Counted up to 65,536."""
        for count in (65535, 65536, 65537):
            found = self.measured(lines(3 * i for i in range(count)))
            self.assertEqual((found["distinct_count"], found["distinct_is_more"]), (min(count, 65536), count > 65536))
        found = self.measured(lines("%d.5" % (i % 3) for i in range(99)))
        self.assertEqual((found["distinct_count"], found["read_as"]), (3, "f64"))

    def test_bits(self):
        data = struct.pack("<4I", 0x00012300, 0x00012100, 0x0001A300, 0x00012300)
        found = self.measured(data, "--raw", "--type=u32")
        self.assertEqual((found["skip_low_bits"], found["significant_bits"]), (9, 7))
        found = self.measured(struct.pack("<2Q", 1 << 63, 1), "--raw", "--type=u64")
        self.assertEqual((found["skip_low_bits"], found["significant_bits"], found["key"]), (0, 64, "u64"))
        found = self.measured(struct.pack("<2Q", 9, 9), "--raw", "--type=u64")
        self.assertEqual((found["significant_bits"], found["distinct_count"]), (0, 1))

    def test_integers_in_ranges(self):
        """Bounds are about the numbers of a text, not about their distances to the least."""
        text = b"-5\n-7\n3\n"
        for contents, more, key, desc in (
            (text, ["--lo=-10", "--hi=10"], "i32", ".type = ORDO_I32, .bin_count = 4, .lo = -10, .hi = 10};"),
            (text, ["--lo=0", "--hi=8"], "i32", ".type = ORDO_I32, .bin_count = 4, .hi = 8};"),
            (b"5\n7\n9\n", ["--lo=4", "--hi=8"], "i32", ".type = ORDO_I32, .bin_count = 4, .lo = 4, .hi = 8};"),
            (b"3000000000\n7\n0\n", ["--lo=4", "--hi=8"], "u32", ".bin_count = 4, .lo = 4, .hi = 8};"),
            (b"5\n7\n9\n", ["--type=u32", "--lo=4", "--hi=8"], "u32", ".bin_count = 4, .lo = 4, .hi = 8};"),
        ):
            advice = self.advise("-", "--need=counts", "--bins=4", *more, stdin=contents)
            first = advice["options"][0]
            self.assertEqual((advice["measured"]["key"], first["primitive"]), (key, "histogram"), more)
            self.assertEqual(first["desc"], "ordo_histogram_desc desc = {.max_count = 3, " + desc)
        out = self.ordo("advise", "--need=counts", "--bins=4", "--hi=8", "-", stdin=text, env=NO_DRIVER).decode()
        # As i32: ...fffb, ...fff9 and 3.
        self.assertIn("3 numbers, read as i64 and counted as i32; 3 different\n"
                      "from -7 to 3; they differ in 31 bits, above the lowest 1\n", out)
        # Histograms take 32 bits: what does not fit is sorted, as what it is.
        for contents, key in ((b"5000000000\n-3\n", "i64"), (b"18446744073709551615\n0\n", "u64")):
            advice = self.advise("-", "--need=counts", "--bins=4", "--hi=8", stdin=contents)
            self.assertEqual((advice["measured"]["key"], advice["options"][0]["primitive"]), (key, "sort"))

    def test_npy(self):
        data = npy_bytes("|u1", bytes(i % 200 for i in range(300000)))
        advice = self.advise(self.write("bytes.npy", data), "--need=counts")
        self.assertEqual((advice["measured"]["count"], advice["measured"]["distinct_count"]), (300000, 200))
        self.assertEqual(advice["options"][0]["primitive"], "histogram")
        floats = struct.pack("<3f", 1.5, -2.5, 0)
        found = self.measured(npy_bytes("<f4", floats), name="floats.npy")
        self.assertEqual((found["key"], found["disorder_count"]), ("f32", 1))
        text = self.ordo("advise", self.path("floats.npy"), env=NO_DRIVER).decode()
        self.assertIn("3 numbers, read as f32; 3 different\nfrom -2.5 to 1.5; they differ in ", text)

    def test_points(self):
        points = b"1 2 3\n-4 5.5 6\n0 nan 7\n"
        advice = self.advise("-", "--need=neighbours", "--radius=0.5", stdin=points)
        self.assertEqual(advice["measured"], {"count": 3, "dimensions": 3, "lower": [-4, 2, 3], "upper": [1, 5.5, 7]})
        self.assertIn(".origin = {-4.0f, 2.0f, 3.0f}, .cell_size = {0.5f}, .cells = {11, 8, 9}}",
                      advice["options"][0]["desc"])
        flat = struct.pack("<4f", 1, 2, 3, 5)
        for name, contents, more in (
            ("p.npy", npy_bytes("<f4", flat, shape="(2, 2)"), []),
            ("p.raw", flat, ["--raw", "--type=f32", "--dimensions=2"]),
        ):
            path = self.write(name, contents)
            measured = self.advise(path, "--need=neighbours", "--radius=1", *more)["measured"]
            self.assertEqual(measured, {"count": 2, "dimensions": 2, "lower": [1, 2], "upper": [3, 5]})
        text = self.ordo("advise", "-", "--need=neighbours", "--radius=1", stdin=b"1 2\n3 4\n", env=NO_DRIVER).decode()
        self.assertIn("2 points of 2 coordinates, from (1, 2) to (3, 4)\n\nUse: grid.", text)
        for contents, more in ((flat, ["--type=f32"]), (flat, ["--type=u32", "--dimensions=2"]),
                               (flat, ["--type=f32", "--dimensions=3"])):
            message = self.refused("advise", self.write("p", contents), "--raw", "--need=neighbours", "--radius=1", *more)
            self.assertIn("points", message)


class Documentation(ProgramTest):
    def test_examples(self):
        """What docs/cli.md shows of `ordo advise` comes out as it stands there; but of random numbers, one number."""
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "..", "docs", "cli.md"), encoding="utf-8") as page:
            section = page.read().split("\n## Advice\n")[1].split("\n## ")[0]
        examples = re.findall(r"^    \$ (.*)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))+)", section, re.M)
        self.assertEqual(len(examples), 2)
        for command, expected in examples:
            shell = 'ordo() { "$0" "$@"; }; %s' % command
            done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder, env=NO_DRIVER)
            self.assertEqual(done.stderr, b"", command)
            out = "".join("    %s\n" % line if line else "\n" for line in done.stdout.decode().splitlines())
            if "shuf" in command:
                out, expected = (re.sub(r"\d+ of 199999", "N of 199999", text) for text in (out, expected))
            self.assertEqual(out, expected, command)


if __name__ == "__main__":
    unittest.main()
