# SPDX-License-Identifier: MIT
"""`ordo topk`: the beginning of what `ordo sort` writes, found otherwise."""

import json
import os
import random
import struct
import subprocess
import unittest

from cli_support import NO_DRIVER, ORDO, TYPES, ProgramTest, image, npy_bytes, npy_whole

CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}


def pack(bits, width, big_endian=False):
    return struct.pack((">" if big_endian else "<") + "%d%s" % (len(bits), CODES[width]), *bits)


def unpack(data, width, big_endian=False):
    return list(struct.unpack((">" if big_endian else "<") + "%d%s" % (len(data) * 8 // width, CODES[width]), data))


def best(kind, width, bits, k, smallest):
    """The indices of the k best, those of equal ones by their place."""
    sign = 1 if smallest else -1
    return sorted(range(len(bits)), key=lambda i: sign * image(kind, width, bits[i]))[:k]


class Text(ProgramTest):
    """Lines are those of `ordo sort`, whose own tests say that it is right."""

    def check(self, text, *counts, flags=()):
        self.write("in", text)
        for direction, of_sort in (["--smallest"], []), ([], ["-r"]):
            for command, of_topk in (("sort", []), ("argsort", ["--indices"])):
                whole = self.ordo(command, *of_sort, *flags, "in").splitlines(True)
                for k in counts:
                    out = self.ordo("topk", "-k", str(k), *direction, *of_topk, *flags, "in")
                    self.assertEqual(out, b"".join(whole[:k]), (k, direction, of_topk, flags))

    def test_integers(self):
        rng = random.Random(1)
        numbers = [rng.randrange(-300, 300) for _ in range(2000)]  # many ties
        self.check(b"".join(b"%d\n" % number for number in numbers), 1, 7, 512, 513, 1999, 2000, 2001)

    def test_wide_integers(self):
        rng = random.Random(2)
        text = b"".join(b"%d\n" % rng.choice((0, 2**64 - 1, 2**63, rng.getrandbits(64))) for _ in range(700))
        self.check(text, 3, 300, 600)
        text = b"".join(b"%d\n" % rng.choice((-(2**63), 2**63 - 1, rng.getrandbits(63))) for _ in range(300))
        self.check(text, 100)

    def test_exact_decimals(self):
        """Keys of 64 bits tie where numbers differ: also at the last place, and of more than k."""
        rng = random.Random(3)
        near = [b"9007199254740992.%d" % rng.randrange(10**6) for _ in range(200)]
        far = [b"%d" % rng.randrange(-99, 99) for _ in range(50)]
        text = b"".join(line + b"\n" for line in rng.sample(near + far + near[:50], 300))
        self.check(text, 1, 5, 60, 249, 251, 299)

    def test_beyond_the_range_of_f64(self):
        lines = [b"1e400", b"-1e400", b"inf", b"1e401", b"-inf", b"nan", b"1e-400", b"-1e-400", b"0", b"-0", b"-nan"]
        lines += [b"1e400", b"10e399", b"5e-324", b"2e-324", b"1e399"]
        text = b"".join(line + b"\n" for line in lines)
        self.check(text, *range(1, len(lines) + 1))

    def test_equal_numbers_keep_their_order(self):
        text = b"1\n01\n+1\n 1\t\n1.0\n10e-1\n0.5\n1e0\n.5\n"
        self.check(text, 3, 5, 8)
        self.check(text, 4, flags=["--type", "f32"])

    def test_line_endings(self):
        self.write("a", b"\xef\xbb\xbf1\r\n3\r\n2")
        self.write("b", b"5\n4")
        self.assertEqual(self.ordo("topk", "-k", "4", "a", "b"), b"5\n4\n3\r\n2\r\n")
        self.assertEqual(self.ordo("topk", "-k4", "--indices", "a", "b"), b"3\n4\n1\n2\n")

    def test_few(self):
        self.assertEqual(self.ordo("topk", "-k", "5", env=NO_DRIVER), b"")
        self.assertEqual(self.ordo("topk", "-k", "0", stdin=b"1\n2\n", env=NO_DRIVER), b"")
        self.assertEqual(self.ordo("topk", "-k", "2^3", stdin=b"1\n2\n"), b"2\n1\n")
        self.assertEqual(self.ordo("topk", "--k=1", stdin=b"7\n"), b"7\n")


class Arrays(ProgramTest):
    def test_every_type_and_byte_order(self):
        rng = random.Random(4)
        for kind, sizes in (("u", (1, 2, 4, 8)), ("i", (1, 2, 4, 8)), ("f", (2, 4, 8))):
            for size in sizes:
                big_endian = rng.random() < 0.5
                self.check_type(rng, kind, 8 * size, big_endian, smallest=rng.random() < 0.5)

    def check_type(self, rng, kind, width, big_endian, smallest):
        descr = ("|" if width == 8 else ">" if big_endian else "<") + kind + str(width // 8)
        bits = [rng.getrandbits(width) for _ in range(500)]
        bits += [0, 1 << width - 1, (1 << width) - 1, (1 << width - 1) - 1] * 3
        rng.shuffle(bits)
        self.write("a.npy", npy_bytes(descr, pack(bits, width, big_endian)))
        flags = ["--smallest"] if smallest else []
        order = best(kind, width, bits, 40, smallest)
        got, shape, data = npy_whole(self.ordo("topk", "-k", "40", *flags, "a.npy"))
        self.assertEqual((got, shape), (descr, (40,)))
        self.assertEqual(unpack(data, width, big_endian), [bits[i] for i in order], descr)
        got, shape, data = npy_whole(self.ordo("topk", "-k", "40", "--indices", *flags, "a.npy"))
        self.assertEqual((got, shape, unpack(data, 32)), ("<u4", (40,), order), descr)

    def test_raw(self):
        rng = random.Random(5)
        for name, (npy, _) in TYPES.items():
            width = 8 * int(npy[1])
            bits = [rng.getrandbits(width) & rng.getrandbits(width) for _ in range(3000)]
            data = pack(bits, width)
            for k, flags in ((1, []), (700, ["--smallest"])):
                order = best(npy[0], width, bits, k, bool(flags))
                arguments = ["topk", "--raw", "--type", name, "-k", str(k), *flags]
                self.assertEqual(unpack(self.ordo(*arguments, stdin=data), width), [bits[i] for i in order], name)
                self.assertEqual(unpack(self.ordo(*arguments, "--indices", stdin=data), 32), order, name)

    def test_rows(self):
        rng = random.Random(6)
        rows, length = 37, 60
        bits = [rng.getrandbits(5) for _ in range(rows * length)]
        self.write("table.npy", npy_bytes("<u4", pack(bits, 32), shape="(%d, %d)" % (rows, length)))
        self.write("list.npy", npy_bytes("<u4", pack(bits, 32)))
        self.write("list", pack(bits, 32))
        for k in (1, 9, length, length + 3):
            orders = [best("u", 32, bits[at : at + length], k, False) for at in range(0, len(bits), length)]
            keys = [bits[row * length + i] for row, order in enumerate(orders) for i in order]
            places = [i for order in orders for i in order]
            for arguments in (["table.npy"], ["--rows", str(length), "list.npy"]):
                shape = (rows, min(k, length))
                got = npy_whole(self.ordo("topk", "-k", str(k), *arguments))
                self.assertEqual(got, ("<u4", shape, pack(keys, 32)), (k, arguments))
                got = npy_whole(self.ordo("topk", "-k", str(k), "--indices", *arguments))
                self.assertEqual(got, ("<u4", shape, pack(places, 32)), (k, arguments))
            out = self.ordo("topk", "-k", str(k), "--rows", str(length), "--raw", "--type", "u32", "list")
            self.assertEqual(out, pack(keys, 32))

    def test_rows_of_several_files(self):
        self.write("a.npy", npy_bytes("<i2", struct.pack("<6h", 1, -2, 3, 6, 5, 4), shape="(2, 3)"))
        self.write("b.npy", npy_bytes("<i2", struct.pack("<3h", 7, 9, 8), shape="(1, 3)"))
        got = npy_whole(self.ordo("topk", "-k", "2", "a.npy", "b.npy"))
        self.assertEqual(got, ("<i2", (3, 2), struct.pack("<6h", 3, 1, 6, 5, 9, 8)))
        self.write("c.npy", npy_bytes("<i2", struct.pack("<2h", 7, 9), shape="(1, 2)"))
        self.assertIn(
            "c.npy: its rows are not as long as those of a.npy", self.refused("topk", "-k1", "a.npy", "c.npy")
        )

    def test_few(self):
        self.write("a.npy", npy_bytes("<f4", b""))
        self.assertEqual(npy_whole(self.ordo("topk", "-k", "3", "a.npy", env=NO_DRIVER)), ("<f4", (0,), b""))
        self.write("b.npy", npy_bytes("<f4", b"", shape="(0, 4)"))
        self.assertEqual(npy_whole(self.ordo("topk", "-k", "3", "b.npy", env=NO_DRIVER)), ("<f4", (0, 3), b""))
        self.write("c.npy", npy_bytes(">f4", bytes(8), shape="(1, 2)"))
        for k, shape in ((1, (1, 1)), (9, (1, 2))):
            self.assertEqual(npy_whole(self.ordo("topk", "-k", str(k), "c.npy"))[1], shape)


class Errors(ProgramTest):
    def test_usage(self):
        for arguments, words in (
            ([], "-k is missing"),
            (["-k"], "requires an argument"),
            (["-k", "x"], "-k: 'x' is no number from 0 to 4294967295"),
            (["-k", "-1"], "-k: '-1' is no number"),
            (["-k", "4294967296"], "is no number"),
            (["-k", "1", "--raw"], "--raw needs --type"),
            (["-k", "1", "--rows", "0"], "--rows must be at least 1"),
            (["-k", "1", "--reverse"], "reverse"),
        ):
            message = self.refused("topk", *arguments)
            self.assertIn(words, message)
            self.assertTrue(message.endswith("ordo: see 'ordo topk --help'\n"), message)

    def test_rows_that_are_none(self):
        self.assertIn("--rows is for arrays, not for text", self.refused("topk", "-k1", "--rows=2", stdin=b"1\n2\n"))
        data = bytes(20)
        message = self.refused("topk", "-k1", "--rows=3", "--raw", "--type=u32", stdin=data)
        self.assertEqual(message, "ordo: 5 elements are not rows of 3: 2 are left over\n")
        self.write("a.npy", npy_bytes("<u4", bytes(24), shape="(2, 3)"))
        self.assertIn("a.npy: the array has rows already", self.refused("topk", "-k1", "--rows=3", "a.npy"))

    def test_arrays_that_are_none(self):
        for contents, words in (
            (
                npy_bytes("<u4", bytes(24), shape="(1, 2, 3)"),
                "the array has 3 dimensions; ordo takes arrays of one or two",
            ),
            (npy_bytes("<u4", bytes(4), shape="()"), "the array has 0 dimensions"),
            (npy_bytes("<u4", bytes(24), shape="(2, 3)", order="True"), "the array is stored by columns"),
            (npy_bytes("<u4", b"", shape="(2, 0)"), "the array's rows have no elements"),
            (npy_bytes("<u4", bytes(20), shape="(2, 3)"), "truncated: its header says 6 elements"),
            (npy_bytes("<u4", bytes(24), shape="(%d, %d)" % (2**40, 2**40)), "truncated"),
        ):
            self.write("a.npy", contents)
            self.assertIn("a.npy: ", self.refused("topk", "-k1", "a.npy"))
            self.assertIn(words, self.refused("topk", "-k1", "a.npy"))
        self.write("a.npy", npy_bytes("<u4", bytes(24), shape="(2, 3)"))
        self.assertIn("the array has 2 dimensions; ordo takes arrays of one here", self.refused("sort", "a.npy"))

    def test_lines(self):
        self.write("in", b"1\n2\n3;\n")
        self.assertEqual(self.refused("topk", "-k2", "in", "-o", "out"), "ordo: in:3: not a number: '3;'\n")
        self.assertEqual(os.listdir(self.folder), ["in"])
        self.assertIn("in: not", self.refused("topk", "-k2", "in", "--type=i32").replace("in:3:", "in:"))

    def test_no_adapter(self):
        self.write("out", b"old")
        message = self.refused("topk", "-k1", "-o", "out", stdin=b"1\n2\n", env=NO_DRIVER)
        self.assertTrue(message.startswith("ordo: no usable GPU adapter"))
        self.assertEqual(self.read("out"), b"old")

    def test_more_than_a_plan_takes(self):
        """One array is one plan; the message names the limit. The file has no contents on the disk."""
        limit = json.loads(self.ordo("devices", "--json"))["devices"][0]["max_binding_bytes"]
        self.write("raw", b"")
        os.truncate(self.path("raw"), limit + 16)
        for command in (["topk", "-k1"], ["scan"], ["scan", "--reduce"], ["histogram", "--lo=0", "--hi=1"]):
            message = self.refused(*command, "--raw", "--type=f32", "raw")
            count = limit // 4 + 4
            self.assertIn("max_count %d needs a binding of %d bytes; " % (count, limit + 16), message)
            self.assertIn("maxStorageBufferBindingSize is %d" % limit, message)
        message = self.refused("grid", "--cells=2,2", "--raw", "--dimensions=2", "raw")
        self.assertIn("maxStorageBufferBindingSize is %d" % limit, message)

    def test_manners(self):
        self.assertIn(b"Usage: ordo topk ", self.ordo("topk", "--help"))
        self.write("in", b"1\n2\n" * 100000)
        shell = '("$0" topk -k 200000 in; echo $? >&3) 3>code | head -n 1'
        done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder)
        self.assertEqual((done.stdout, done.stderr, self.read("code")), (b"2\n", b"", b"141\n"))
        self.assertEqual(self.ordo("topk", "-k1", "-qo", "in", "in"), b"")
        self.assertEqual(self.read("in"), b"2\n")
        done = self.run_ordo("topk", "-k1", "--stats", stdin=b"4\n5\n")
        self.assertEqual((done.returncode, done.stdout), (0, b"5\n"))
        for words in (
            r"adapter   .+, subgroups (on|off)",
            r"plan      \d+ steps, ",
            r"time      \d+\.\d+ s: ",
            r"GPU run   ",
        ):
            self.assertRegex(done.stderr.decode(), "(?m)^ordo: " + words)
        done = self.run_ordo("topk", "-k0", "--stats", stdin=b"4\n5\n")
        self.assertEqual(done.stderr, b"ordo: stats: 2 numbers; no adapter used\n")


if __name__ == "__main__":
    unittest.main()
