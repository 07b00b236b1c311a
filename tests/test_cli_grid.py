# SPDX-License-Identifier: MIT
"""`ordo grid`, against a grid in Python that rounds to f32 where the header says so."""

import math
import os
import random
import struct
import subprocess
import unittest

from cli_support import NO_DRIVER, ORDO, ProgramTest, npy_bytes, npy_split, npy_whole

FAR = 2**30
PRIMES = (73856093, 19349663, 83492791)


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def coordinate(x, origin, size):
    """None for a NaN."""
    product = single(single(x - origin) * single(1 / size)) if math.isfinite(x) else x
    if product != product:
        return None
    return math.floor(product) if abs(product) < FAR else math.copysign(FAR, product)


class Grid:
    """The cells of points: starts and order as the library gives them."""

    def __init__(self, cells=None, table=None, size=(1, 1, 1), origin=(0, 0, 0), outside="clamp"):
        self.cells, self.table, self.outside = cells, table, outside
        self.size, self.origin = [single(s) for s in size], [single(o) for o in origin]
        self.count = table or math.prod(cells)

    def axis(self, at, product_is_end, count):
        if self.outside == "wrap":
            return None if abs(at) >= FAR else at % count
        if product_is_end:
            return count - 1
        if self.outside == "apart":
            return at if 0 <= at < count else None
        return int(min(max(at, 0), count - 1))

    def cell(self, point):
        ats = [coordinate(x, o, s) for x, o, s in zip(point, self.origin, self.size)]
        if None in ats or (self.table and any(abs(at) >= FAR for at in ats)):
            return self.count
        if self.table:
            number = 0
            for at, prime in zip(ats, PRIMES):
                number ^= at * prime
            return number % self.table
        number, factor = 0, 1
        for i, at in enumerate(ats):
            end = (
                math.isfinite(point[i])
                and single(single(point[i] - self.origin[i]) * single(1 / self.size[i])) == self.cells[i]
            )
            at = self.axis(at, end, self.cells[i])
            if at is None:
                return self.count
            number += at * factor
            factor *= self.cells[i]
        return number

    def sort(self, points):
        """(starts, order)"""
        places = [self.cell(point) for point in points]
        order = sorted(range(len(points)), key=places.__getitem__)
        starts = [sum(place < cell for place in places) for cell in range(self.count + 1)]
        return starts + [len(points)], order

    def lines(self, points):
        starts, _ = self.sort(points)
        out = []
        for cell in range(self.count):
            if starts[cell + 1] > starts[cell]:
                rest, names = cell, [cell]
                if not self.table:
                    names = []
                    for count in self.cells:
                        names.append(rest % count)
                        rest //= count
                out.append(" ".join(map(str, names + [starts[cell + 1] - starts[cell]])) + "\n")
        if starts[-1] > starts[-2]:
            out.append("apart %d\n" % (starts[-1] - starts[-2]))
        return "".join(out).encode()


def some_points(rng, dimensions, count):
    special = [math.nan, math.inf, -math.inf, -0.0, 0.0, 1e30, -1e30, 3.0, 4.0, -1.0]
    pick = lambda: rng.choice(special) if rng.random() < 0.05 else single(rng.uniform(-2, 6))
    return [[pick() for _ in range(dimensions)] for _ in range(count)]


def pack(points):
    return b"".join(struct.pack("<%df" % len(point), *point) for point in points)


class Results(ProgramTest):
    def check(self, grid, points, *arguments):
        """All results of all kinds of input."""
        dimensions = len(points[0])
        starts, order = grid.sort(points)
        data = pack(points)
        texts = [b"\t ".join(b"%.9g" % x for x in point) + b"\n" for point in points]
        self.write("text", b"".join(texts))
        self.write("a.npy", npy_bytes("<f4", data, shape="(%d, %d)" % (len(points), dimensions)))
        self.write("raw", data)
        raw = ["--raw", "--dimensions", str(dimensions), "raw"]
        for files in (["text"], ["a.npy"], raw):
            self.assertEqual(self.ordo("grid", *arguments, *files), grid.lines(points), (arguments, files))
        results = {"starts": starts, "order": order}
        for name, numbers in results.items():
            out = self.ordo("grid", *arguments, "--result", name, "text")
            self.assertEqual(out, b"".join(b"%d\n" % number for number in numbers), (arguments, name))
            packed = struct.pack("<%dI" % len(numbers), *numbers)
            out = self.ordo("grid", *arguments, "--result", name, "a.npy")
            self.assertEqual(npy_split(out), ("<u4", len(numbers), packed))
            self.assertEqual(self.ordo("grid", *arguments, "--result", name, *raw), packed)
        out = self.ordo("grid", *arguments, "--result=points", "text")
        self.assertEqual(out, b"".join(texts[i] for i in order))
        sorted_data = pack([points[i] for i in order])
        out = self.ordo("grid", *arguments, "--result=points", "a.npy")
        self.assertEqual(npy_whole(out), ("<f4", (len(points), dimensions), sorted_data))
        self.assertEqual(self.ordo("grid", *arguments, "--result=points", *raw), sorted_data)

    def test_two_dimensions(self):
        points = some_points(random.Random(1), 2, 700)
        self.check(Grid(cells=[4, 3]), points, "--cells=2^2,3")

    def test_three_dimensions(self):
        points = some_points(random.Random(2), 3, 700)
        grid = Grid(cells=[3, 4, 2], size=(0.3, 0.7, 1.5), origin=(-1, 0.1, 2), outside="wrap")
        self.check(grid, points, "--cells=3,4,2", "--cell-size=0.3,0.7,1.5", "--origin=-1,0.1,2", "--outside=wrap")

    def test_hashed(self):
        points = some_points(random.Random(3), 3, 700)
        self.check(Grid(table=64, size=(0.25,) * 3), points, "--table=2^6", "--cell-size=0.25")

    def test_outside(self):
        points = some_points(random.Random(4), 2, 900)
        self.write("text", b"".join(b"%.9g %.9g\n" % tuple(point) for point in points))
        for outside in ("clamp", "wrap", "apart"):
            grid = Grid(cells=[3, 4], outside=outside)
            self.assertEqual(
                self.ordo("grid", "--cells=3,4", "--outside", outside, "text"), grid.lines(points), outside
            )

    def test_the_last_of_equal_options_counts(self):
        text = b"1.5 1.5\n4 1\n7 9\n"
        plain = self.ordo("grid", "--cells=3,2", "--cell-size=2", stdin=text)
        self.assertEqual(plain, b"0 0 1\n2 0 1\n2 1 1\n")
        out = self.ordo("grid", "--cells=9,9,9", "--cell-size=1,5", "--cell-size=2", "--cells=3,2", stdin=text)
        self.assertEqual(out, plain)

    def test_points_of_a_cell_keep_their_order(self):
        text = b"1.5 0\n0.5 0\n1.25 0\n0.75 0\nnan 0\n0.5 0\n"
        out = self.ordo("grid", "--cells=2,1", "--result=order", stdin=text)
        self.assertEqual(out, b"1\n3\n5\n0\n2\n4\n")
        self.assertEqual(self.ordo("grid", "--cells=2,1", stdin=text), b"0 0 3\n1 0 2\napart 1\n")
        self.assertEqual(self.ordo("grid", "--cells=2,1", "--result=starts", stdin=text), b"0\n3\n5\n6\n")

    def test_several_files(self):
        self.write("a", b"\xef\xbb\xbf0 0\r\n5 5\r\n")
        self.write("b", b" 1.5\t0.5 \n0 1e0")
        out = self.ordo("grid", "--cells=2,2", "--result=points", "a", "-", "b", stdin=b"1 1\n")
        self.assertEqual(out, b"0 0\r\n 1.5\t0.5 \n0 1e0\n5 5\r\n1 1\n")
        self.write("a.npy", npy_bytes(">f4", struct.pack(">4f", 1, 1, 0, 0), shape="(2, 2)"))
        self.write("b.npy", npy_bytes(">f4", struct.pack(">2f", 0, 1), shape="(1, 2)"))
        out = self.ordo("grid", "--cells=2,2", "--result=points", "a.npy", "b.npy")
        self.assertEqual(npy_whole(out), (">f4", (3, 2), struct.pack(">6f", 0, 0, 0, 1, 1, 1)))

    def test_half_floats(self):
        self.write("a.npy", npy_bytes("<f2", struct.pack("<4e", 1.5, 0.5, 0, 0), shape="(2, 2)"))
        out = self.ordo("grid", "--cells=2,1", "--result=points", "a.npy")
        self.assertEqual(npy_whole(out), ("<f2", (2, 2), struct.pack("<4e", 0, 0, 1.5, 0.5)))

    def test_no_points(self):
        self.assertEqual(self.ordo("grid", "--cells=2,2", env=NO_DRIVER), b"")
        self.assertEqual(self.ordo("grid", "--cells=2,1", "--result=starts", env=NO_DRIVER), b"0\n" * 4)
        self.write("a.npy", npy_bytes("<f4", b"", shape="(0, 3)"))
        out = self.ordo("grid", "--table=4", "--result=points", "a.npy", env=NO_DRIVER)
        self.assertEqual(npy_whole(out), ("<f4", (0, 3), b""))
        out = self.ordo("grid", "--table=2", "--result=starts", "a.npy", env=NO_DRIVER)
        self.assertEqual(npy_split(out), ("<u4", 4, bytes(16)))


class Errors(ProgramTest):
    def test_usage(self):
        for arguments, words in (
            ([], "--cells is missing, or --table"),
            (["--cells=2,2", "--table=4"], "--table has no bounds"),
            (["--table=4", "--outside=wrap"], "--table has no bounds"),
            (["--table=0"], "--table must be at least 1"),
            (["--cells=2,0"], "--cells: no axis can have 0 cells"),
            (["--cells=2,,2"], "--cells: '' is no number from 0 to 4294967295"),
            (["--cells="], "--cells: '' is no number"),
            (["--cells=2,-2"], "--cells: '-2' is no number"),
            (["--cells=2,1.5"], "--cells: '1.5' is no number"),
            (["--cells=2,2^32"], "--cells: '2^32' is no number from 0 to 4294967295"),
            (["--cells=1,2,3,4"], "--cells takes at most 3 numbers: '4' is one too many"),
            (["--cells=1,2", "--cell-size=0"], "--cell-size: a cell's length is more than 0"),
            (["--cells=1,2", "--cell-size=1,-1"], "--cell-size: a cell's length is more than 0"),
            (["--cell-size=1,nan"], "--cell-size: 'nan' is no number"),
            (["--origin=inf"], "--origin: 'inf' is no number"),
            (["--origin=1e39"], "--origin: '1e39' is no number"),
            (["--outside=drop"], "--outside: 'drop' is none of clamp, wrap, apart"),
            (["--result=all"], "--result: 'all' is none of cells, starts, order, points"),
            (["--dimensions=1"], "--dimensions must be 2 or 3"),
            (["--dimensions=4"], "--dimensions: '4' is no number from 0 to 3"),
            (["--cells=2,2", "--raw"], "--raw needs --dimensions"),
            (["--cells=2,2", "--type=f32"], "grid has no --type"),
        ):
            message = self.refused("grid", *arguments)
            self.assertIn(words, message)
            self.assertTrue(message.endswith("ordo: see 'ordo grid --help'\n"), message)

    def test_lines(self):
        for text, words in (
            (b"1 2\n1\n", "in:2: not 2 numbers: '1'"),
            (b"1 2 3\n1 2\n", "in:2: not 3 numbers: '1 2'"),
            (b"1 2 3 4\n", "in:1: not 2 or 3 numbers: '1 2 3 4'"),
            (b"1\n", "in:1: not 2 or 3 numbers: '1'"),
            (b"\n", "in:1: not 2 or 3 numbers: '' (an empty line)"),
            (b"1 2\n1 x\n", "in:2: not a number in every place: '1 x'"),
            (b"1,2\n", "in:1: not a number in every place: '1,2'"),
            (b"1 1e39\n", "in:1: out of range of f32: '1 1e39'"),
        ):
            self.write("in", text)
            self.assertEqual(self.refused("grid", "--cells=2,2", "in", "-o", "out"), "ordo: %s\n" % words)
        self.assertEqual(os.listdir(self.folder), ["in"])
        self.assertIn(":1: not 3 numbers", self.refused("grid", "--table=4", "--dimensions=3", stdin=b"1 2\n"))

    def test_arrays(self):
        for contents, words in (
            (npy_bytes("<f4", bytes(24)), "points are rows of 2 or 3 numbers, and the array has 6 in one dimension"),
            (
                npy_bytes("<f4", bytes(32), shape="(2, 4)"),
                "points are rows of 2 or 3 numbers, and the array has 4 in a row",
            ),
            (npy_bytes("<f8", bytes(32), shape="(2, 2)"), "holds elements of type f8; points are f4"),
            (npy_bytes("<i4", bytes(16), shape="(2, 2)"), "holds elements of type i4; points are f4"),
            (npy_bytes("<f4", bytes(16), shape="(2, 2)", order="True"), "the array is stored by columns"),
            (npy_bytes("<f4", bytes(16), shape="(4294967296, 4294967296)"),
             "the .npy file is truncated: its header says 4294967296 rows of 4294967296 elements"),
        ):
            self.write("a.npy", contents)
            self.assertEqual(
                self.refused("grid", "--cells=2,2", "a.npy").split("a.npy: ")[1].split(" (fort")[0].rstrip(), words
            )
        message = self.refused("grid", "--cells=2,2", "--raw", "--dimensions=2", stdin=bytes(20))
        self.assertEqual(message, "ordo: 5 numbers are not points of 2: 1 left over\n")

    def test_dimensions(self):
        for arguments, words in (
            (["--cells=2,2,2"], "-: points have 2 coordinates, and --cells has 3 numbers"),
            (["--cells=2"], "-: points have 2 coordinates, and --cells has 1 numbers"),
            (["--table=4", "--origin=1"], "-: points have 2 coordinates, and --origin has 1 numbers"),
            (["--table=4", "--cell-size=1,2,3"], "-: points have 2 coordinates, and --cell-size has 3 numbers"),
        ):
            self.assertEqual(self.refused("grid", *arguments, stdin=b"1 2\n"), "ordo: %s\n" % words)
        self.write("a.npy", npy_bytes("<f4", bytes(16), shape="(2, 2)"))
        message = self.refused("grid", "--table=4", "--dimensions=3", "a.npy")
        self.assertEqual(message, "ordo: a.npy: points have 2 coordinates, and --dimensions is 3\n")

    def test_what_the_planner_refuses(self):
        for arguments, words in (
            (["--cells=2000000,1"], "cells"),
            (["--cells=1000000,1000000"], "cells"),
            (["--table=3"], "table_size"),
            (["--cells=2,2", "--cell-size=1e-40"], "cell_size"),
        ):
            self.assertIn(words, self.refused("grid", *arguments, stdin=b"1 2\n"))

    def test_many_cells_take_no_memory(self):
        """2^31 cells are 8 GiB of starts: they are not touched for no points, nor before a device refuses them."""
        for arguments, points, code, words in (
            (["--table=2^31"], b"", 0, b""),
            (["--cells=65536,32768"], b"1 2\n", 2, b"needs? a binding of 8589934600 bytes"),
        ):
            with open(self.write("points", points), "rb") as stdin, open(self.path("err"), "wb") as err:
                run = subprocess.Popen([ORDO, "grid", *arguments], stdin=stdin, stdout=err, stderr=err)
                _, status, usage = os.wait4(run.pid, 0)
                run.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(run.returncode, code, self.read("err"))
            self.assertRegex(self.read("err"), words if words else rb"\A\Z")
            self.assertLess(usage.ru_maxrss, 4 << 20)  # KiB

    def test_no_adapter(self):
        self.write("out", b"old")
        message = self.refused("grid", "--cells=2,2", "-o", "out", stdin=b"1 2\n", env=NO_DRIVER)
        self.assertTrue(message.startswith("ordo: no usable GPU adapter"))
        self.assertEqual(self.read("out"), b"old")

    def test_manners(self):
        self.assertIn(b"Usage: ordo grid ", self.ordo("grid", "--help"))
        self.write("in", b"0 0\n0 1\n" * 100000)
        shell = '("$0" grid --cells=2,2 --result=points in; echo $? >&3) 3>code | head -n 1'
        done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder)
        self.assertEqual((done.stdout, done.stderr, self.read("code")), (b"0 0\n", b"", b"141\n"))
        self.assertEqual(self.ordo("grid", "--cells=2,2", "-qo", "in", "in"), b"")
        self.assertEqual(self.read("in"), b"0 0 100000\n0 1 100000\n")
        done = self.run_ordo("grid", "--table=1", "--stats", stdin=b"4 5\n")
        self.assertEqual((done.returncode, done.stdout), (0, b"0 1\n"))
        for words in (
            r"adapter   .+, subgroups (on|off)",
            r"plan      \d+ steps, ",
            r"time      \d+\.\d+ s: ",
            r"GPU run   ",
        ):
            self.assertRegex(done.stderr.decode(), "(?m)^ordo: " + words)


if __name__ == "__main__":
    unittest.main()
