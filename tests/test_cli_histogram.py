# SPDX-License-Identifier: MIT
"""`ordo histogram`: counts, the edges they are counted by, and the pictures."""

import bisect
import json
import math
import os
import pty
import random
import re
import struct
import subprocess
import unittest
import xml.etree.ElementTree

from cli_support import NO_DRIVER, ORDO, ProgramTest, image, npy_bytes

EXTRA = ("below", "above", "nan")


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def number(text):
    return int(text) if re.fullmatch(rb"-?\d+", text) else float(text)


def split(out):
    """(edges, counts) of lines; counts are a dictionary by bin, and by 'below' and so on."""
    edges, counts = [], dict.fromkeys(EXTRA, 0)
    for line in out.splitlines():
        words = line.split(b" ")
        if words[0].decode() in EXTRA and len(words) == 2:
            counts[words[0].decode()] = int(words[1])
            assert int(words[1]) > 0, line
            continue
        low, high, count = words
        assert not edges or edges[-1] == number(low), line
        edges = edges or [number(low)]
        counts[len(edges) - 1] = int(count)
        edges.append(number(high))
    return edges, counts


def count_by(edges, numbers):
    counts = dict.fromkeys(EXTRA, 0)
    counts.update(dict.fromkeys(range(len(edges) - 1), 0))
    for value in numbers:
        passed = 0 if value != value else bisect.bisect_right(edges, value)
        name = "nan" if value != value else "below" if passed == 0 else passed - 1
        counts["above" if passed == len(edges) else name] += 1
    return counts


def even_integers(low, high, bins):
    return [low - -(i * (high - low)) // bins for i in range(bins + 1)]


def even_floats(low, high, bins, rounded=float):
    return [low] + [rounded(low + i * (high - low) / bins) for i in range(1, bins)] + [high]


def lines(numbers):
    return b"".join(b"%d\n" % value for value in numbers)


def reals(numbers):
    return b"".join(b"%r\n" % value for value in numbers)


class HistogramTest(ProgramTest):
    def check(self, expected_edges, numbers, *arguments, stdin=b"", rounded=lambda edge: edge):
        edges, counts = split(self.ordo("histogram", *arguments, stdin=stdin))
        self.assertEqual([rounded(edge) for edge in edges], expected_edges, arguments)
        self.assertEqual(counts, count_by(expected_edges, numbers), arguments)


class Integers(HistogramTest):
    def test_default(self):
        """Ten bins from the least to the greatest, or one an integer."""
        self.assertEqual(self.ordo("histogram", stdin=b"3\n1\n3\n-1\n"), b"-1 0 1\n0 1 0\n1 2 1\n2 3 0\n3 4 2\n")
        rng = random.Random(1)
        numbers = [rng.randrange(-500, 777) for _ in range(3000)]
        self.check(even_integers(min(numbers), max(numbers) + 1, 10), numbers, stdin=lines(numbers))
        self.assertEqual(self.ordo("histogram", stdin=b"7\n7\n"), b"7 8 2\n")
        self.assertEqual(self.ordo("histogram", "--bins=3", stdin=b"7\n7\n"), b"7 8 2\n8 8 0\n8 8 0\n")

    def test_given_range(self):
        rng = random.Random(2)
        numbers = [rng.randrange(-50, 150) for _ in range(3000)]
        text = lines(numbers)
        for low, high, bins in ((0, 100, 10), (-3, 4, 3), (0, 1, 1), (-49, 149, 65536), (500, 600, 7)):
            arguments = ["--lo", str(low), "--hi", str(high), "--bins", str(bins)]
            self.check(even_integers(low, high, bins), numbers, *arguments, stdin=text)
        self.check(even_integers(min(numbers), 20, 10), numbers, "--hi=20", stdin=text)
        self.check(even_integers(100, max(numbers) + 1, 10), numbers, "--lo=100", stdin=text)

    def test_wide_ranges(self):
        """Both sides of the span that the GPU counts, in every 64-bit corner."""
        rng = random.Random(3)
        for low, span in ((0, 2**32 - 2), (0, 2**32 - 1), (2**63, 2**62), (0, 2**64 - 1), (2**64 - 9, 8)):
            numbers = [low + min(rng.choice((0, 1, span - 1, rng.randrange(span))), span - 1) for _ in range(500)]
            numbers += [low, low + span - 1]
            for bins in (1, 10, 1000):
                edges = even_integers(low, low + span, bins)
                self.check(edges, numbers, "--type=u64", "--bins", str(bins), stdin=lines(numbers))
        for low, high in ((-(2**63), -(2**63) + 5), (-(2**63), 2**63 - 1), (2**62, 2**63 - 1), (-7, 2**40)):
            numbers = [rng.randrange(low, high) for _ in range(500)] + [low, high - 1]
            self.check(even_integers(low, high, 7), numbers, "--bins=7", stdin=lines(numbers))
        # What is far outside of a narrow range.
        numbers = [-(2**63), -1, 0, 1, 2, 3, 2**63 - 1]
        self.check([0, 1, 2, 3], numbers, "--lo=0", "--hi=3", stdin=lines(numbers))

    def test_greatest_of_its_type(self):
        """The edge behind it does not exist, so it lies above."""
        numbers = [2**64 - 1, 2**64 - 2, 2**64 - 2]
        self.check([2**64 - 2, 2**64 - 1], numbers, "--type=u64", stdin=lines(numbers))

    def test_arrays(self):
        rng = random.Random(4)
        for descr, code in (
            ("|u1", "B"),
            (">u2", ">H"),
            ("<u4", "<I"),
            (">u8", ">Q"),
            ("|i1", "b"),
            ("<i2", "<h"),
            (">i4", ">i"),
            ("<i8", "<q"),
        ):
            bits = 8 * int(descr[2])
            low = 0 if descr[1] == "u" else -(1 << bits - 1)
            numbers = [low, low + (1 << bits) - 2] + [rng.randrange(low, low + (1 << bits) - 1) for _ in range(700)]
            self.write("a.npy", npy_bytes(descr, b"".join(struct.pack(code, value) for value in numbers)))
            self.check(even_integers(low, low + (1 << bits) - 1, 10), numbers, "a.npy")
            self.check(even_integers(3, 90, 29), numbers, "--lo=3", "--hi=90", "--bins=29", "a.npy")

    def test_most_bins(self):
        numbers = [i * i % 70001 for i in range(30000)]
        self.check(
            even_integers(0, 65536, 65536), numbers, "--bins=65536", "--lo=0", "--hi=65536", stdin=lines(numbers)
        )


class Floats(HistogramTest):
    def test_default(self):
        rng = random.Random(5)
        numbers = [single(rng.gauss(0, 3)) for _ in range(3000)]
        data = struct.pack("<3000f", *numbers)
        behind = struct.unpack("f", struct.pack("I", struct.unpack("I", struct.pack("f", max(numbers)))[0] + 1))[0]
        self.check(
            even_floats(min(numbers), behind, 10, single), numbers, "--raw", "--type=f32", stdin=data, rounded=single
        )
        numbers = [rng.gauss(0, 3) for _ in range(3000)]
        edges = even_floats(min(numbers), math.nextafter(max(numbers), math.inf), 10)
        self.check(edges, numbers, stdin=reals(numbers))
        self.check(edges, numbers, "--raw", "--type=f64", stdin=struct.pack("<3000d", *numbers))

    def test_edges_belong_to_the_bin_above(self):
        for bins in (7, 10, 300):
            for kind, rounded in (("f32", single), ("f64", float)):
                low, high = rounded(-0.7), rounded(1.9)
                edges = even_floats(low, high, bins, rounded)
                arguments = ["--type", kind, "--lo=-0.7", "--hi=1.9", "--bins", str(bins)]
                self.check(edges, edges, *arguments, stdin=reals(edges), rounded=rounded)

    def test_special_numbers(self):
        special = [-math.inf, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, math.inf, math.nan, math.nan]
        for kind, code in (("f32", "f"), ("f64", "d")):
            data = struct.pack("<10" + code, *special)
            out = self.ordo("histogram", "--raw", "--type", kind, "--lo=0", "--hi=1", "--bins=2", stdin=data)
            self.assertEqual(out, b"0 0.5 2\n0.5 1 1\nbelow 2\nabove 3\nnan 2\n", kind)
            # The range is that of the finite ones, and both zeros are in its first bin.
            data = struct.pack("<4" + code, 0.0, -0.0, math.inf, -math.inf)
            out = self.ordo("histogram", "--raw", "--type", kind, "--bins=1", stdin=data)
            self.assertRegex(out, rb"\A0 \S+ 2\nbelow 1\nabove 1\n\Z")
            data = struct.pack("<2" + code, math.nan, math.inf)
            out = self.ordo("histogram", "--raw", "--type", kind, "--bins=1", stdin=data)
            self.assertEqual(out, b"0 1 0\nabove 1\nnan 1\n")

    def test_extreme_ranges(self):
        most = 1.7976931348623157e308
        numbers = [-most, 0.0, 1.0, most / 2, most]
        out = split(self.ordo("histogram", "--bins=4", "--lo", repr(-most), "--hi", repr(most), stdin=reals(numbers)))
        for edge, expected in zip(out[0], [-most, -most / 2, 0, most / 2, most], strict=True):
            self.assertLessEqual(abs(edge - expected), most * 1e-15)
        self.assertEqual(out[1], count_by(out[0], numbers))
        edges, counts = split(self.ordo("histogram", stdin=reals([5e-324, -5e-324])))
        self.assertEqual((edges[0], edges[-1], sum(counts.values()), counts["below"]), (-5e-324, 1e-323, 2, 0))
        for numbers in ([3.4028234663852886e38, 0.0], [1e-45, 0.0]):
            edges, counts = split(self.ordo("histogram", "--type=f32", "--bins=3", stdin=reals(numbers)))
            self.assertEqual((counts["below"], sum(counts.values())), (0, 2))

    def test_half_floats(self):
        self.write("a.npy", npy_bytes(">f2", struct.pack(">5e", 0.5, 1, 1.5, -2, math.nan)))
        out = self.ordo("histogram", "--lo=-2", "--hi=2", "--bins=4", "a.npy")
        self.assertEqual(out, b"-2 -1 1\n-1 0 0\n0 1 1\n1 2 2\nnan 1\n")

    def test_decimals_beyond_f64(self):
        out = self.ordo("histogram", "--lo=0", "--hi=1", "--bins=1", stdin=b"1e400\n-1e400\n0.5\n")
        self.assertEqual(out, b"0 1 1\nbelow 1\nabove 1\n")

    def test_one_number(self):
        edges, counts = split(self.ordo("histogram", "--type=f32", "--bins=2", stdin=b"2.5\n2.5\n"))
        self.assertEqual((edges[0], counts[0] + counts[1]), (2.5, 2))


class Edges(HistogramTest):
    def test_integers(self):
        numbers = [-3, 0, 1, 5, 9, 10, 11, 2**40]
        self.write("edges", b"0\n1\n1\n5\n10\n")
        self.check([0, 1, 1, 5, 10], numbers, "--edges=edges", stdin=lines(numbers))
        self.write("edges", lines([0, 2**33, 2**41]))
        self.check([0, 2**33, 2**41], numbers, "--edges=edges", stdin=lines(numbers))

    def test_floats(self):
        numbers = [-math.inf, -1.5, -0.0, 0.0, 0.1, 0.25, 3.0, math.inf, math.nan]
        self.write("edges", b"-inf\n0\n0.25\n0.5\n3\n")
        for kind in ("f32", "f64"):
            edges, counts = split(self.ordo("histogram", "--type", kind, "--edges=edges", stdin=reals(numbers)))
            self.assertEqual(edges, [-math.inf, 0, 0.25, 0.5, 3])
            self.assertEqual(counts, {0: 2, 1: 3, 2: 1, 3: 0, "below": 0, "above": 2, "nan": 1})

    def test_arrays(self):
        self.write("edges.npy", npy_bytes("<f4", struct.pack("<3f", 1, 2, 4)))
        self.write("edges", b"1\n2\n4\n")
        self.write("a.npy", npy_bytes("<f4", struct.pack("<5f", 0, 1, 2, 3, 4)))
        for edges in ("edges", "edges.npy"):
            self.assertEqual(self.ordo("histogram", "--edges", edges, "a.npy"), b"1 2 1\n2 4 2\nbelow 1\nabove 1\n")

    def test_edges_that_are_none(self):
        self.write("a.npy", npy_bytes("<f4", struct.pack("<2f", 1, 2)))
        for contents, words in (
            (b"1\n3\n2\n", "edges:3: the edge is less than the one before it: '2'"),
            (b"1\n", "edges: holds 1 edges, and 2 to 65537 are needed"),
            (b"0\n" * 65538, "edges: holds 65538 edges"),
            (b"0\nnan\n", "edges:2: a NaN is no edge: 'nan'"),
            (b"0\nx\n", "edges:2: not a number: 'x'"),
            (npy_bytes("<f8", bytes(24)), "edges: holds edges of type f64, and the numbers are read as f32"),
            (npy_bytes("<f4", struct.pack("<2f", 2, 1)), "edges:1: the edge is less than the one before it: 1"),
        ):
            self.write("edges", contents)
            self.assertIn(words, self.refused("histogram", "--edges=edges", "a.npy"))
        self.write("edges", b"0\n0.5\n")
        self.assertIn(
            "edges:2: not an integer, for i64: '0.5'", self.refused("histogram", "--edges=edges", stdin=b"1\n")
        )
        self.assertIn("cannot read none", self.refused("histogram", "--edges=none", stdin=b"1\n"))


class Bits(HistogramTest):
    def check_window(self, kind, width, bits, low, high, *arguments, stdin):
        windows = [image(kind, width, b) >> low & (1 << high - low) - 1 for b in bits]
        edges = list(range((1 << high - low) + 1))
        out = split(self.ordo("histogram", "--bits=%d:%d" % (low, high), *arguments, stdin=stdin))
        self.assertEqual(out, (edges, count_by(edges, windows)), (kind, width, low, high))

    def test_every_type(self):
        rng = random.Random(6)
        for name, kind, width, code in (
            ("u32", "u", 32, "I"),
            ("i32", "i", 32, "I"),
            ("f32", "f", 32, "I"),
            ("u64", "u", 64, "Q"),
            ("i64", "i", 64, "Q"),
            ("f64", "f", 64, "Q"),
        ):
            bits = [rng.getrandbits(width) for _ in range(900)]
            data = struct.pack("<900" + code, *bits)
            for low, high in ((0, 1), (3, 11), (width - 16, width)):
                self.check_window(kind, width, bits, low, high, "--raw", "--type", name, stdin=data)

    def test_text(self):
        rng = random.Random(7)
        numbers = [rng.randrange(-999, 999) for _ in range(500)]
        text = lines(numbers)
        for arguments, width in (([], 64), (["--type=i32"], 32), (["--type=i64"], 64)):
            bits = [value % (1 << width) for value in numbers]
            for low, high in ((0, 4), (width - 5, width)):
                self.check_window("i", width, bits, low, high, *arguments, stdin=text)
        positive = [abs(value) for value in numbers]
        for name, width in (("u32", 32), ("u64", 64)):
            self.check_window("u", width, positive, 4, 10, "--type", name, stdin=lines(positive))


class Forms(HistogramTest):
    TEXT = lines([0] * 80 + [1] * 40 + [2] + [3] * 3 + [9])
    RANGE = ("--lo=0", "--hi=5", "--bins=5")

    def test_json(self):
        got = json.loads(self.ordo("histogram", "--json", *self.RANGE, stdin=self.TEXT))
        self.assertEqual(
            got,
            {
                "type": "i64",
                "number_count": 125,
                "below": 0,
                "above": 1,
                "nan": 0,
                "edges": [0, 1, 2, 3, 4, 5],
                "counts": [80, 40, 1, 3, 0],
            },
        )
        self.write("edges", b"-inf\n0.5\ninf\n")
        got = json.loads(self.ordo("histogram", "--json", "--type=f32", "--edges=edges", stdin=b"0\n1\nnan\n"))
        self.assertEqual((got["edges"], got["counts"], got["nan"]), (["-inf", 0.5, "inf"], [1, 1], 1))

    def test_bars(self):
        """80 columns: 69 for bars, in eighths; the least of counts is seen, and none is none."""
        full, eighths = "█", " ▏▎▍▌▋▊▉"
        expected = []
        for i, count in enumerate([80, 40, 1, 3, 0]):
            length = int(8 * 69 * count / 80 + 0.5)
            bar = full * (length // 8) + eighths[length % 8].strip()
            expected.append("[%d, %d)  %2d %s\n" % (i, i + 1, count, bar))
        out = self.ordo("histogram", "--plot", *self.RANGE, stdin=self.TEXT).decode()
        self.assertEqual(out, "".join(expected) + "above 1\n")
        self.assertEqual(max(len(line) for line in out.splitlines()), 80)
        tiny = self.ordo("histogram", "--plot", "--lo=0", "--hi=2", stdin=lines([0] * 9999 + [1])).decode()
        self.assertTrue(tiny.endswith(" 1 ▏\n"), tiny)

    def bar_lengths(self, *arguments, stdin):
        out = self.ordo("histogram", "--plot", *arguments, stdin=stdin).decode()
        return [8 * line.count("█") + sum("▏▎▍▌▋▊▉".find(c) + 1 for c in line) for line in out.splitlines()]

    def test_logarithmic_bars(self):
        lengths = self.bar_lengths("--log", *self.RANGE, stdin=self.TEXT)[:5]
        for length, count in zip(lengths, [80, 40, 1, 3, 0]):
            self.assertAlmostEqual(length / lengths[0], math.log1p(count) / math.log1p(80), delta=0.002)

    def test_width_of_the_terminal(self):
        import fcntl
        import termios

        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", 50, 120, 0, 0))
        self.write("in", self.TEXT)
        done = subprocess.run(
            [ORDO, "histogram", "--plot", *self.RANGE, self.path("in")], stdout=terminal, stderr=subprocess.PIPE
        )
        os.close(terminal)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        out = b""
        while b"above 1" not in out:
            out += os.read(master, 4096)
        self.assertEqual(max(len(line) for line in out.decode().splitlines()), 120)

    def test_labels_tell_edges_apart(self):
        text = reals([1000000.25, 1000000.5, 1000000.75])
        out = self.ordo("histogram", "--plot", "--lo=1000000.25", "--hi=1000001", "--bins=3", stdin=text).decode()
        labels = re.findall(r"\[ *(\S+), +(\S+)\)", out)
        self.assertEqual(labels, [("1000000.2", "1000000.5"), ("1000000.5", "1000000.8"), ("1000000.8", "1000001")])

    def test_svg(self):
        self.write("in", self.TEXT)
        for flags in ([], ["--log"]):
            out = self.ordo("histogram", *self.RANGE, *flags, "--svg=out.svg", "in")
            self.assertEqual(split(out)[1], count_by([0, 1, 2, 3, 4, 5], [int(line) for line in self.TEXT.split()]))
            top = xml.etree.ElementTree.fromstring(self.read("out.svg"))
            space = "{http://www.w3.org/2000/svg}"
            self.assertEqual(
                top.find(space + "title").text, "Histogram of 125 numbers in 5 bins: 0 below, 1 above, 0 NaN"
            )
            words = [text.text for text in top.iter(space + "text")]
            for word in ("0", "1", "5", "value (i64)", "count" + (", logarithmic" if flags else "")):
                self.assertIn(word, words)
            bars = [path for path in top.iter(space + "path") if path.get("fill")]
            self.assertEqual(len(bars), 1)
            heights = [
                float(bottom) - float(high) for bottom, high in re.findall(r"M\S+ (\S+)V([\d.]+)H", bars[0].get("d"))
            ]
            share = (lambda count: math.log1p(count) / math.log1p(80)) if flags else (lambda count: count / 80)
            self.assertEqual(len(heights), 4)
            for height, count in zip(heights, [80, 40, 1, 3]):
                self.assertAlmostEqual(height, 320 * share(count), delta=0.01)

    def test_svg_is_written_as_a_whole(self):
        self.write("out.svg", b"old")
        self.assertIn("'x'", self.refused("histogram", "--svg=out.svg", stdin=b"1\nx\n"))
        self.assertEqual(self.read("out.svg"), b"old")
        self.assertIn("cannot write none/out.svg", self.refused("histogram", "--svg=none/out.svg", stdin=b"1\n"))
        self.assertEqual(os.listdir(self.folder), ["out.svg"])

    def test_svg_and_output_are_two_files(self):
        os.mkdir(self.path("folder"))
        os.symlink("out", self.path("dangling"))
        self.write("there", b"old")
        os.link(self.path("there"), self.path("linked"))
        for svg, output in (("out", "out"), ("out", "./out"), ("folder/out", "folder/../folder/out"),
                            ("out", self.path("out")), ("dangling", "out"), ("there", "there"), ("there", "linked")):
            message = self.refused("histogram", "--svg", svg, "-o", output, stdin=b"1\n")
            self.assertEqual(message, "ordo: --svg and -o name one file: %s\n" % svg)
        self.assertEqual(self.read("there"), b"old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["dangling", "folder", "linked", "there"])
        for svg, output in (("out", "folder/out"), ("there", "new"), ("/dev/null", "/dev/null")):
            self.assertEqual(self.ordo("histogram", "--svg", svg, "-o", output, stdin=b"1\n"), b"")
        self.assertEqual(self.read("new"), b"1 2 1\n")
        self.assertTrue(self.read("there").startswith(b"<svg"))

    def test_many_bins_in_svg(self):
        rng = random.Random(8)
        numbers = [rng.randrange(65536) for _ in range(9000)]
        self.ordo("histogram", "--bins=65536", "--lo=0", "--hi=65536", "--svg=out.svg", stdin=lines(numbers))
        top = xml.etree.ElementTree.fromstring(self.read("out.svg"))
        self.assertLess(len(list(top.iter())), 60)  # ticks, and all bars as one path
        self.assertEqual(self.read("out.svg").count(b"M") - self.read("out.svg").count(b" d="), len(set(numbers)) - 1)


class Documentation(ProgramTest):
    def test_examples(self):
        """What docs/cli.md shows of the commands over numbers comes out as it stands there."""
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "..", "docs", "cli.md"), encoding="utf-8") as page:
            section = page.read().split("\n## Top-k, histogram, grid, scan\n")[1].split("\n## ")[0]
        examples = re.findall(r"^    \$ (.*)\n((?:    (?!\$).*\n)+)", section, re.M)
        self.assertEqual(len(examples), 5)
        for command, expected in examples:
            shell = 'ordo() { "$0" "$@"; }; %s' % command
            done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder)
            self.assertEqual(done.stderr, b"", command)
            out = "".join("    %s\n" % line.rstrip() for line in done.stdout.decode().splitlines())
            self.assertEqual(out, expected, command)


class Errors(ProgramTest):
    def test_usage(self):
        for arguments, words in (
            (["--bins=0"], "--bins must be at least 1"),
            (["--bins=65537"], "--bins: '65537' is no number from 0 to 65536"),
            (["--edges=e", "--bins=3"], "--edges says all of the bins"),
            (["--edges=e", "--bits=0:1"], "--edges says all of the bins"),
            (["--bits=0:1", "--lo=3"], "--bits says all of the bins"),
            (["--bits=3"], "--bits: '3' is not LOW:HIGH"),
            (["--bits=3:3"], "is no window of 1 to 16 bits"),
            (["--bits=3:20"], "is no window of 1 to 16 bits"),
            (["--bits=:4"], "--bits: '' is no number"),
            (["--plot", "--json"], "cannot go together"),
            (["--log"], "--log is of --plot and --svg"),
            (["--edges=-", "a", "-"], "--edges: standard input holds the numbers already"),
            (["--edges=-"], "--edges: standard input holds the numbers already"),
            (["--svg=-"], "--svg: '-' is no file: standard output is for the counts"),
            (["--raw"], "--raw needs --type"),
        ):
            message = self.refused("histogram", *arguments)
            self.assertIn(words, message)
            self.assertTrue(message.endswith("ordo: see 'ordo histogram --help'\n"), message)

    def test_ranges_that_are_none(self):
        for arguments, words in (
            (["--lo=5", "--hi=5"], "there are no bins: the first begins at 5, and the last ends at 5"),
            (["--lo=9"], "the first begins at 9, and the last ends at 3"),
            (["--lo=0.5"], "--lo: '0.5' is no integer, and the input is read as i64"),
            (["--hi=9223372036854775808"], "--hi: '9223372036854775808' is out of range of i64"),
            (["--lo=-1", "--type=u32"], "--lo: '-1' is out of range of u64"),
            (["--lo=x", "--type=f32"], "--lo: 'x' is no finite number of type f32"),
            (["--hi=1e39", "--type=f32"], "--hi: '1e39' is no finite number of type f32"),
            (["--hi=inf", "--type=f64"], "--hi: 'inf' is no finite number of type f64"),
            (["--bits=30:40", "--type=u32"], "--bits: '30:40' passes the 32 bits of type u32"),
        ):
            self.assertIn(words, self.refused("histogram", *arguments, stdin=b"1\n2\n"))

    def test_lines(self):
        self.write("in", b"1\ntwo\n")
        self.assertEqual(self.refused("histogram", "in"), "ordo: in:2: not a number: 'two'\n")
        self.write("a.npy", npy_bytes("<u4", bytes(24), shape="(2, 3)"))
        self.assertIn("a.npy: the array has 2 dimensions", self.refused("histogram", "a.npy"))

    def test_adapters(self):
        self.write("out", b"old")
        message = self.refused("histogram", "-o", "out", stdin=b"1\n2\n", env=NO_DRIVER)
        self.assertTrue(message.startswith("ordo: no usable GPU adapter"))
        self.assertEqual(self.read("out"), b"old")
        # No numbers, and those that the host counts, need none.
        self.assertEqual(self.ordo("histogram", env=NO_DRIVER), b"0 1 0\n")
        out = self.ordo("histogram", "--lo=0", "--hi=1", "--bins=1", stdin=b"0.5\n", env=NO_DRIVER)
        self.assertEqual(out, b"0 1 1\n")

    def test_manners(self):
        self.assertIn(b"Usage: ordo histogram ", self.ordo("histogram", "--help"))
        self.write("in", lines(range(65536)))
        shell = '("$0" histogram --bins=65536 in; echo $? >&3) 3>code | head -n 1'
        done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder)
        self.assertEqual((done.stdout, done.stderr, self.read("code")), (b"0 1 1\n", b"", b"141\n"))
        self.assertEqual(self.ordo("histogram", "--bins=1", "-qo", "in", "in"), b"")
        self.assertEqual(self.read("in"), b"0 65536 65536\n")
        done = self.run_ordo("histogram", "--stats", stdin=b"4\n5\n")
        self.assertEqual((done.returncode, done.stdout), (0, b"4 5 1\n5 6 1\n"))
        for words in (
            r"adapter   .+, subgroups (on|off)",
            r"plan      \d+ steps, ",
            r"time      \d+\.\d+ s: ",
            r"GPU run   ",
        ):
            self.assertRegex(done.stderr.decode(), "(?m)^ordo: " + words)
        done = self.run_ordo("histogram", "--stats", stdin=b"4.5\n")
        self.assertEqual(done.stderr, b"ordo: stats: 1 numbers; no adapter used\n")


if __name__ == "__main__":
    unittest.main()
