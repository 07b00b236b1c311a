# SPDX-License-Identifier: MIT
"""`ordo scan`."""

import math
import os
import random
import struct
import subprocess
import unittest

from cli_support import NO_DRIVER, ORDO, ProgramTest, npy_bytes, npy_split

LIMITS = {"u32": (0, 2**32 - 1), "i32": (-(2**31), 2**31 - 1)}
CODES = {"u32": "I", "i32": "i", "f32": "f"}


def scan(numbers, op, inclusive, none):
    """The prefixes; none is what no numbers give."""
    combine = {"add": lambda a, b: a + b, "min": min, "max": max}[op]
    out = []
    for number in numbers:
        before = out[-1] if inclusive and out else none
        out.append(combine(before, number) if inclusive else none)
        none = none if inclusive else combine(none, number)
    return out


def none_of(op, kind):
    low, high = LIMITS.get(kind, (-math.inf, math.inf))
    return {"add": 0, "min": high, "max": low}[op]


def lines(numbers):
    return b"".join(b"%d\n" % number for number in numbers)


class Text(ProgramTest):
    def test_every_operation(self):
        rng = random.Random(1)
        for count in (1, 4097):
            numbers = [rng.randrange(-9999, 9999) for _ in range(count)] + [-1]
            self.write("in", lines(numbers))
            for op in ("add", "min", "max"):
                for flags in ([], ["--inclusive"]):
                    out = self.ordo("scan", "--op", op, *flags, "in")
                    self.assertEqual(out, lines(scan(numbers, op, bool(flags), none_of(op, "i32"))), (count, op))
                combined = scan(numbers, op, True, none_of(op, "i32"))[-1:]
                self.assertEqual(self.ordo("scan", "--op", op, "--reduce", "in"), lines(combined))

    def test_exclusive_sums_are_the_default(self):
        self.assertEqual(self.ordo("scan", stdin=b"5\n6\n7\n"), b"0\n5\n11\n")
        self.assertEqual(self.ordo("scan", "--inclusive", stdin=b"5\n6\n7\n"), b"5\n11\n18\n")
        self.assertEqual(self.ordo("scan", "--reduce", stdin=b"5\n6\n7\n"), b"18\n")

    def test_type_of_text(self):
        """Of no numbers min is the greatest of the type, so it tells which type that is."""
        for text, first in (
            (b"1\n2\n", b"4294967295\n"),
            (b"1\n-2\n", b"2147483647\n"),
            (b"1\n2.0\n", b"inf\n"),
            (b"1\n18446744073709551616\n", b"inf\n"),
        ):
            out = self.ordo("scan", "--op", "min", stdin=text)
            self.assertEqual(out.splitlines(True)[0], first, text)
        self.assertEqual(self.ordo("scan", "--op=max", "--type=i32", stdin=b"1\n2\n"), b"-2147483648\n1\n")
        self.assertEqual(self.ordo("scan", "--op=max", "--type=f32", stdin=b"1\n2\n"), b"-inf\n1\n")

    def test_greatest_items(self):
        self.assertEqual(self.ordo("scan", "--inclusive", stdin=b"4294967295\n0\n"), b"4294967295\n" * 2)
        self.assertEqual(self.ordo("scan", "--inclusive", stdin=b"-2147483648\n2147483647\n"), b"-2147483648\n-1\n")

    def test_floats(self):
        text = b"0.1\n0.25\n-3e2\n"
        self.assertEqual(self.ordo("scan", "--op=max", "--inclusive", stdin=text), b"0.1\n0.25\n0.25\n")
        self.assertEqual(self.ordo("scan", "--op=min", "--inclusive", stdin=text), b"0.1\n0.1\n-300\n")
        # Halves and quarters sum without rounding, in whatever association.
        numbers = [i % 7 * 0.25 - 0.5 for i in range(5000)]
        sums = scan(numbers, "add", True, 0.0)
        out = self.ordo("scan", "--inclusive", stdin=b"".join(b"%r\n" % number for number in numbers))
        self.assertEqual([float(line) for line in out.splitlines()], sums)

    def test_order_of_floats(self):
        """-0 before 0, NaN behind all."""
        text = b"0.0\n-0.0\nnan\ninf\n"
        self.assertEqual(self.ordo("scan", "--op=min", "--inclusive", stdin=text), b"0\n-0\n-0\n-0\n")
        self.assertEqual(self.ordo("scan", "--op=max", "--inclusive", stdin=text), b"0\n0\nnan\nnan\n")

    def test_every_float_is_told_from_others(self):
        """Results are written in as few digits as keep them: reading them again gives the same bits."""
        rng = random.Random(2)
        bits = [rng.getrandbits(32) for _ in range(2000)] + [1, 0x80000001, 0x7F7FFFFF, 0x00800000]
        floats = [struct.unpack("f", struct.pack("I", b))[0] for b in bits if b & 0x7F800000 != 0x7F800000]
        floats.sort(reverse=True)
        out = self.ordo("scan", "--type=f32", "--op=min", "--inclusive", stdin=b"".join(b"%.9g\n" % f for f in floats))
        for line, number in zip(out.splitlines(), floats, strict=True):
            self.assertEqual(struct.pack("f", float(line)), struct.pack("f", number))
            shorter = [b"%.*g" % (digits, number) for digits in (6, 7, 8, 9)]
            exact = [text for text in shorter if struct.pack("f", float(text)) == struct.pack("f", number)]
            self.assertEqual(line, exact[0])

    def test_no_numbers(self):
        self.assertEqual(self.ordo("scan", env=NO_DRIVER), b"")
        for kind, words in (("u32", b"0 4294967295 0"), ("i32", b"0 2147483647 -2147483648"), ("f32", b"0 inf -inf")):
            got = [self.ordo("scan", "--reduce", "--type", kind, "--op", op) for op in ("add", "min", "max")]
            self.assertEqual(b"".join(got).split(), words.split())


class Sums(ProgramTest):
    """A sum that the type does not hold is an error, unless it may wrap."""

    def test_overflow(self):
        self.write("a", b"4294967295\n")
        self.write("b", b"0\n1\n7\n")
        message = self.refused("scan", "a", "b", "-o", "out")
        self.assertEqual(
            message,
            "ordo: b:2: the sum 4294967296 with this one is out of range of u32; --wrap lets it wrap, "
            "--type f32 rounds: '1'\n",
        )
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "b"])
        self.assertEqual(self.ordo("scan", "--wrap", "a", "b"), lines([0, 2**32 - 1, 2**32 - 1, 0]))
        self.assertEqual(self.ordo("scan", "--wrap", "--reduce", "a", "b"), b"7\n")
        # Sums of u32 never fall: the first that does not fit tells of the last.
        self.assertIn("b:2: the sum 4294967296", self.refused("scan", "--reduce", "a", "b"))

    def test_only_results_count(self):
        """The last item is in no exclusive sum, and what a reduce of i32 passes on its way is none."""
        text = b"-1\n2147483647\n2\n-1\n"
        self.assertIn("-:3: the sum 2147483648", self.refused("scan", stdin=text))
        self.assertEqual(self.ordo("scan", "--reduce", stdin=text), b"2147483647\n")
        self.assertEqual(self.ordo("scan", stdin=text[:-3]), b"0\n-1\n2147483646\n")
        self.assertIn("-:3: the sum 2147483648", self.refused("scan", "--inclusive", stdin=text[:-3]))
        self.assertEqual(self.ordo("scan", "--op=max", stdin=text), b"-2147483648\n-1\n2147483647\n2147483647\n")

    def test_below(self):
        message = self.refused("scan", "--inclusive", stdin=b"-2147483648\n-1\n")
        self.assertIn("-:2: the sum -2147483649 with this one is out of range of i32", message)

    def test_arrays(self):
        self.write("a.npy", npy_bytes("|u1", b"\xff" * 3))
        self.assertEqual(npy_split(self.ordo("scan", "--inclusive", "a.npy"))[2], struct.pack("<3I", 255, 510, 765))
        self.write("b.npy", npy_bytes("<i4", struct.pack("<2i", 2**31 - 1, 1)))
        message = self.refused("scan", "--inclusive", "b.npy")
        self.assertIn("b.npy:1: the sum 2147483648 with this one is out of range of i32", message)
        out = self.ordo("scan", "--wrap", "--inclusive", "b.npy")
        self.assertEqual(npy_split(out), ("<i4", 2, struct.pack("<2i", 2**31 - 1, -(2**31))))


class Arrays(ProgramTest):
    def test_raw(self):
        rng = random.Random(3)
        for kind, code in CODES.items():
            for count in (257, 70001):  # one dispatch, and several
                numbers = [rng.randrange(200) for _ in range(count)]  # sums of which f32 holds
                data = struct.pack("<%d%s" % (count, code), *numbers)
                for op in ("add", "min", "max"):
                    for flags in ([], ["--inclusive"]):
                        expected = scan(numbers, op, bool(flags), none_of(op, kind))
                        out = self.ordo("scan", "--raw", "--type", kind, "--op", op, *flags, stdin=data)
                        self.assertEqual(out, struct.pack("<%d%s" % (count, code), *expected), (kind, count, op, flags))

    def test_npy_types(self):
        """The result is of the type that is scanned, in the host's byte order of .npy files."""
        for descr, code, out in (
            ("|u1", "B", "<u4"),
            (">u2", ">H", "<u4"),
            ("<u4", "<I", "<u4"),
            ("|i1", "b", "<i4"),
            ("<i2", "<h", "<i4"),
            (">i4", ">i", "<i4"),
            ("<f2", "<e", "<f4"),
            (">f4", ">f", "<f4"),
        ):
            numbers = [3, 1, 4, 1, 5]
            self.write("a.npy", npy_bytes(descr, b"".join(struct.pack(code, number) for number in numbers)))
            got, count, data = npy_split(self.ordo("scan", "--inclusive", "a.npy"))
            self.assertEqual((got, count), (out, 5))
            self.assertEqual(
                struct.unpack("<5" + {"u": "I", "i": "i", "f": "f"}[out[1]], data), (3, 4, 8, 9, 14), descr
            )

    def test_reduce_prints_a_number(self):
        self.write("a.npy", npy_bytes("<f4", struct.pack("<3f", 0.5, 1, -2)))
        self.assertEqual(self.ordo("scan", "--reduce", "a.npy"), b"-0.5\n")
        data = struct.pack("<2i", -5, 7)
        self.assertEqual(self.ordo("scan", "--reduce", "--op=min", "--raw", "--type=i32", stdin=data), b"-5\n")

    def test_wide_elements_are_refused(self):
        for descr, kind in (("<i8", "i64"), ("<u8", "u64"), (">f8", "f64")):
            self.write("a.npy", npy_bytes(descr, bytes(16)))
            message = self.refused("scan", "a.npy")
            self.assertEqual(
                message,
                "ordo: a.npy: holds elements of type %s; scan takes integers and floats of up to 32 bits\n" % kind,
            )


class Errors(ProgramTest):
    def test_usage(self):
        for arguments, words in (
            (["--op", "mul"], "--op: 'mul' is none of add, min, max"),
            (["--type", "i64"], "--type: scan takes u32, i32 and f32, not i64"),
            (["--type", "f16"], "'f16' is none of"),
            (["--raw"], "--raw needs --type"),
            (["--reduce", "--inclusive"], "cannot go with --inclusive"),
            (["-z"], "'z'"),
        ):
            message = self.refused("scan", *arguments)
            self.assertIn(words, message)
            self.assertTrue(message.endswith("ordo: see 'ordo scan --help'\n"), message)

    def test_lines(self):
        self.write("a", b"1\n2x\n")
        self.assertEqual(self.refused("scan", "a"), "ordo: a:2: not a number: '2x'\n")
        self.assertEqual(self.refused("scan", stdin=b"1\n\n"), "ordo: -:2: not a number: '' (an empty line)\n")
        self.assertIn("-:1: not an integer, for u32: '0.5'", self.refused("scan", "--type=u32", stdin=b"0.5\n"))
        for text, words in (
            (b"1\n4294967296\n", "-:2: out of range of u32, and --type is not given: '4294967296'"),
            (b"3\n-2147483649\n", "-:2: out of range of i32, and --type is not given: '-2147483649'"),
            (b"-1\n2147483648\n", "-:2: out of range of i32, which negative lines ask for: '2147483648'"),
        ):
            self.assertIn(words, self.refused("scan", stdin=text))
        self.assertIn("-:1: out of range of f32", self.refused("scan", stdin=b"1e39\n"))

    def test_no_adapter(self):
        self.write("out", b"old")
        message = self.refused("scan", "-o", "out", stdin=b"1\n2\n", env=NO_DRIVER)
        self.assertTrue(message.startswith("ordo: no usable GPU adapter"))
        self.assertEqual(self.read("out"), b"old")
        self.assertIn("no adapter matches 'abacus'", self.refused("scan", "--adapter=abacus", stdin=b"1\n"))

    def test_manners(self):
        self.assertIn(b"Usage: ordo scan ", self.ordo("scan", "--help"))
        self.write("in", b"1\n2\n" * 100000)
        shell = '("$0" scan --inclusive in; echo $? >&3) 3>code | head -n 1'
        done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder)
        self.assertEqual((done.stdout, done.stderr, self.read("code")), (b"1\n", b"", b"141\n"))
        self.assertEqual(self.ordo("scan", "-o", "in", "-q", stdin=b"4\n5\n"), b"")
        self.assertEqual(self.read("in"), b"0\n4\n")
        done = self.run_ordo("scan", "--stats", stdin=b"4\n5\n")
        self.assertEqual((done.returncode, done.stdout), (0, b"0\n4\n"))
        for words in (
            r"adapter   .+, subgroups (on|off)",
            r"plan      \d+ steps, ",
            r"time      \d+\.\d+ s: ",
            r"GPU run   ",
        ):
            self.assertRegex(done.stderr.decode(), "(?m)^ordo: " + words)


if __name__ == "__main__":
    unittest.main()
