# SPDX-License-Identifier: MIT
"""`ordo sort` and `ordo argsort` on .npy and raw files, and the ways of -o."""

import os
import random
import signal
import stat
import struct
import subprocess
import time
import unittest

from cli_support import ORDO, TYPES, ProgramTest, image, npy_bytes, npy_split

# Bit patterns of each width that are special to some float or integer type.
SPECIAL = {
    8: [0, 1, 0x7F, 0x80, 0x81, 0xFF],
    16: [0, 0x8000, 1, 0x8001, 0x7C00, 0xFC00, 0x7C01, 0xFFFF, 0x7FFF, 0xFE00],
    32: [0, 0x80000000, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0xFFFFFFFF, 0x7F800001],
    64: [
        0,
        1 << 63,
        1,
        0x7FF0000000000000,
        0xFFF0000000000000,
        0x7FF8000000000000,
        0xFFF8000000000000,
        2**64 - 1,
        2**63 - 1,
        0x7FF0000000000001,
    ],
}
CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}


def pack(bits, width, big_endian=False):
    return struct.pack((">" if big_endian else "<") + "%d%s" % (len(bits), CODES[width]), *bits)


def unpack(data, width, big_endian=False):
    return list(struct.unpack((">" if big_endian else "<") + "%d%s" % (len(data) * 8 // width, CODES[width]), data))


def some_bits(rng, width, count):
    bits = [rng.getrandbits(width) for _ in range(count)] + SPECIAL[width] * 3
    rng.shuffle(bits)
    return bits


def order_of(kind, width, bits, descending=False):
    """The stable order, as indices."""
    sign = -1 if descending else 1
    return sorted(range(len(bits)), key=lambda i: sign * image(kind, width, bits[i]))


class Npy(ProgramTest):
    def test_every_type_and_byte_order(self):
        rng = random.Random(1)
        for kind, sizes in (("u", (1, 2, 4, 8)), ("i", (1, 2, 4, 8)), ("f", (2, 4, 8))):
            for size in sizes:
                for big_endian in (False, True):
                    self.check_type(rng, kind, size, big_endian)

    def check_type(self, rng, kind, size, big_endian):
        width = 8 * size
        descr = ("|" if size == 1 else ">" if big_endian else "<") + kind + str(size)
        bits = some_bits(rng, width, 500)
        self.write("a.npy", npy_bytes(descr, pack(bits, width, big_endian)))
        descending = big_endian
        flags = ["-r"] if descending else []
        order = order_of(kind, width, bits, descending)
        got, count, data = npy_split(self.ordo("sort", *flags, "a.npy"))
        self.assertEqual((got, count), (descr, len(bits)))
        self.assertEqual(unpack(data, width, big_endian), [bits[i] for i in order], descr)
        got, count, data = npy_split(self.ordo("argsort", *flags, "a.npy"))
        self.assertEqual((got, count), ("<u4", len(bits)))
        self.assertEqual(unpack(data, 32), order, descr)

    def test_every_half_float(self):  # B040
        bits = list(range(65536))
        random.Random(2).shuffle(bits)
        self.write("a.npy", npy_bytes("<f2", pack(bits, 16)))
        _, _, data = npy_split(self.ordo("sort", "a.npy"))
        self.assertEqual(unpack(data, 16), sorted(bits, key=lambda b: image("f", 16, b)))

    def test_versions(self):  # B121
        data = struct.pack("<4f", 3, 1, -2, 2)
        expected = struct.pack("<4f", -2, 1, 2, 3)
        for version in (1, 2, 3):
            for order in ("False", "True"):
                self.write("a.npy", npy_bytes("<f4", data, version=version, order=order))
                self.assertEqual(npy_split(self.ordo("sort", "a.npy")), ("<f4", 4, expected))

    def test_header_spellings(self):
        data = struct.pack("<3i", 3, 1, 2)
        for text in (
            b"{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }",
            b"{'shape':(3L,),'descr':\"<i4\",'fortran_order':False}",
            b"  { 'fortran_order' : False , 'shape' : ( 3 , ) , 'descr' : '=i4' } \n",
        ):
            self.write("a.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data)
            self.assertEqual(npy_split(self.ordo("sort", "a.npy"))[2], struct.pack("<3i", 1, 2, 3))

    def test_known_by_contents(self):
        contents = npy_bytes("<u2", struct.pack("<3H", 3, 1, 2))
        self.write("array", contents)
        sorted_file = npy_bytes("<u2", struct.pack("<3H", 1, 2, 3))
        self.assertEqual(npy_split(self.ordo("sort", "array")), npy_split(self.ordo("sort", stdin=contents)))
        self.assertEqual(npy_split(self.ordo("sort", "array"))[2], sorted_file[-6:])

    def test_small_counts(self):
        for count in (0, 1, 2):
            self.write("a.npy", npy_bytes(">f8", struct.pack(">%dd" % count, *range(count, 0, -1))))
            got = npy_split(self.ordo("sort", "a.npy"))
            self.assertEqual(got, (">f8", count, struct.pack(">%dd" % count, *range(1, count + 1))))

    def test_shapes_that_are_refused(self):
        data = struct.pack("<6i", *range(6))
        for shape, dimensions in (("()", 0), ("(2, 3)", 2), ("(1, 2, 3)", 3)):
            self.write("a.npy", npy_bytes("<i4", data[:4] if shape == "()" else data, shape=shape))
            message = self.refused("sort", "a.npy")
            self.assertIn("a.npy: the array has %d dimensions" % dimensions, message)

    def test_types_that_are_refused(self):
        for descr in ("<c8", "|b1", "<f3", "|S4", "<M8[ns]", "<U1", "|O8", "<i16", "<f16", "x"):
            contents = npy_bytes("<i4", b"\0\0\0\0").replace(b"'<i4'", b"'" + descr.encode() + b"'")
            self.write("a.npy", contents[:8] + struct.pack("<H", len(contents) - 14) + contents[10:])
            self.assertIn("a.npy: holds elements of type '%s'" % descr, self.refused("sort", "a.npy"))
        contents = npy_bytes("<i4", b"").replace(b"'<i4'", b"[('x', '<i4')]")
        self.write("a.npy", contents[:8] + struct.pack("<H", len(contents) - 10) + contents[10:])
        self.assertIn("a.npy: holds structured records", self.refused("sort", "a.npy"))

    def test_lengths(self):  # B120
        whole = npy_bytes("<f4", bytes(4000))
        says = ": its header says 1000 elements of 4 bytes, expected 1000, found "
        for contents, words in (
            (npy_bytes("<f4", bytes(2000), shape="(1000,)"), "truncated" + says + "500 (2000 bytes)"),
            (whole[:-1], "truncated" + says + "999 (3999 bytes)"),
            (whole + b"x", "too long" + says + "1000 (4001 bytes)"),
            (whole + bytes(4), "too long"),
            (npy_bytes("<f4", bytes(8), shape="(18446744073709551615,)"), "truncated"),
        ):
            self.write("a.npy", contents)
            self.assertIn("a.npy: the .npy file is " + words, self.refused("sort", "-o", "out", "a.npy"))
            self.assertEqual(os.listdir(self.folder), ["a.npy"])

    def test_damaged_headers(self):
        whole = npy_bytes("<f4", bytes(12))
        for length in (6, 7, 8, 9, 10, 50, 127):
            self.write("a.npy", whole[:length])
            self.assertIn("a.npy: the .npy file ends inside its header", self.refused("sort", "a.npy"))
        for old, new in (
            (b"{", b"("),
            (b"'descr'", b"'desc' "),
            (b"'shape'", b"'descr'"),
            (b"False", b"Maybe"),
            (b"(3,)", b"(3, "),
            (b"(3,)", b"(x,)"),
            (b"(3,)", b"(-3,"),
            (b"}", b" "),
            (b"'<f4'", b"'<f4 "),
            (b"(3,), }", b"(%s,), }" % (b"9" * 30)),
        ):
            self.assertIn(old, whole)
            self.write("a.npy", whole.replace(old, new, 1))
            self.assertTrue(self.refused("sort", "a.npy").startswith("ordo: a.npy: "), (old, new))
        self.write("a.npy", whole[:6] + b"\x09\x00" + whole[8:])
        self.assertIn("a.npy: .npy version 9.0 is not known", self.refused("sort", "a.npy"))
        self.write("a.npy", b"1\n2\n")
        self.assertIn("a.npy: is no .npy file", self.refused("sort", "a.npy"))

    def test_several_files(self):
        self.write("a.npy", npy_bytes("<i2", struct.pack("<2h", 5, -1)))
        self.write("b.npy", npy_bytes("<i2", struct.pack("<3h", 9, -1, 2), version=2))
        for flags, values in (([], [-1, -1, 2, 5, 9]), (["-u"], [-1, 2, 5, 9])):
            got = npy_split(self.ordo("sort", *flags, "a.npy", "b.npy"))
            self.assertEqual(got, ("<i2", len(values), struct.pack("<%dh" % len(values), *values)))
        _, _, data = npy_split(self.ordo("argsort", "-u", "a.npy", "b.npy"))
        self.assertEqual(unpack(data, 32), [1, 4, 0, 2])
        self.write("c.npy", npy_bytes(">i2", b"\0\1"))
        message = self.refused("sort", "a.npy", "c.npy")
        self.assertIn("c.npy: its elements are not of the same type as those of a.npy", message)
        self.write("t", b"1\n")
        self.assertIn("t: .npy files and text cannot be taken together", self.refused("sort", "a.npy", "t"))
        self.assertIn("a.npy: a .npy file says its type itself", self.refused("sort", "--type", "i32", "a.npy"))

    def test_runs_merged_on_the_host(self):
        rng = random.Random(3)
        bits = some_bits(rng, 32, 900)
        self.write("a.npy", npy_bytes("<f4", pack(bits, 32)))
        for flags in ([], ["-r"], ["-u"]):
            for command in ("sort", "argsort"):
                whole = self.ordo(command, *flags, "a.npy")
                for run_count in ("1", "64", "929"):
                    runs = self.ordo(command, *flags, "--run-count", run_count, "a.npy")
                    self.assertEqual(runs, whole, (command, flags, run_count))

    def test_check(self):
        self.write("a.npy", npy_bytes("<f4", struct.pack("<4f", -1, 0.0, -0.0, 5)))
        done = self.run_ordo("sort", "-c", "a.npy")
        self.assertEqual((done.returncode, done.stderr), (1, b"ordo: a.npy:2: disorder: -0\n"))
        self.write("b.npy", npy_bytes("<f4", struct.pack("<5f", -1, -0.0, 0.0, float("inf"), float("nan"))))
        self.assertEqual(self.ordo("sort", "-c", "b.npy"), b"")


class Raw(ProgramTest):
    def test_every_type(self):
        rng = random.Random(4)
        for name, (npy, _) in TYPES.items():
            width = 8 * int(npy[1])
            bits = some_bits(rng, width, 700)
            data = pack(bits, width)
            for flags in ([], ["-r"]):
                order = order_of(npy[0], width, bits, bool(flags))
                out = self.ordo("sort", "--raw", "--type", name, *flags, stdin=data)
                self.assertEqual(unpack(out, width), [bits[i] for i in order], name)
                out = self.ordo("argsort", "--raw", "--type", name, *flags, stdin=data)
                self.assertEqual(unpack(out, 32), order, name)

    def test_left_over_bytes(self):  # B119
        self.write("a", b"123456")
        message = self.refused("sort", "--raw", "--type", "u32", "a")
        self.assertEqual(message, "ordo: a: 2 bytes are left over after 1 elements of 4 bytes\n")
        self.write("b", b"12345678")
        self.assertIn("a: 6 bytes are left over", self.refused("sort", "--raw", "--type", "f64", "b", "a"))
        self.assertIn("--raw needs --type", self.refused("sort", "--raw", "a"))

    def test_contents_are_not_looked_at(self):
        data = b"\x93NUMPY\x01\x00" + b"\xef\xbb\xbf\n"
        self.write("a.npy", data)
        out = self.ordo("sort", "--raw", "--type", "u32", "a.npy")
        self.assertEqual(sorted(unpack(data, 32)), unpack(out, 32))

    def test_several_files(self):
        self.write("a", struct.pack("<2q", 7, -7))
        self.write("empty", b"")
        out = self.ordo("sort", "--raw", "--type", "i64", "a", "empty", "-", stdin=struct.pack("<q", 1))
        self.assertEqual(out, struct.pack("<3q", -7, 1, 7))

    def test_unique(self):
        data = struct.pack("<5I", 3, 1, 3, 1, 1)
        out = self.ordo("sort", "-u", "--raw", "--type", "u32", stdin=data)
        self.assertEqual(out, struct.pack("<2I", 1, 3))
        zeros = struct.pack("<3f", 0.0, -0.0, 0.0)
        out = self.ordo("sort", "-u", "--raw", "--type", "f32", stdin=zeros)
        self.assertEqual(out, struct.pack("<2f", -0.0, 0.0))

    def test_check(self):
        self.write("a", struct.pack("<3Q", 1, 2**63, 2))
        done = self.run_ordo("sort", "-c", "--raw", "--type", "u64", "a")
        self.assertEqual((done.returncode, done.stderr), (1, b"ordo: a:2: disorder: 2\n"))


class Output(ProgramTest):
    """-o replaces its target as a whole, or leaves it alone."""

    def test_output_may_be_an_input(self):
        self.write("a", b"3\n1\n")
        self.write("b", b"2\n")
        self.assertEqual(self.ordo("sort", "a", "b", "-o", "a"), b"")
        self.assertEqual(self.read("a"), b"1\n2\n3\n")
        self.ordo("sort", "-r", "--output=a", "a")
        self.assertEqual(self.read("a"), b"3\n2\n1\n")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "b"])

    def test_mode(self):
        before = os.umask(0o027)
        self.addCleanup(os.umask, before)
        self.ordo("sort", "-o", "new", stdin=b"1\n")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("new")).st_mode), 0o640)
        os.chmod(self.path("new"), 0o604)
        self.ordo("sort", "-o", "new", stdin=b"2\n")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("new")).st_mode), 0o604)

    def test_symbolic_link(self):
        os.mkdir(self.path("sub"))
        self.write("sub/real", b"old")
        os.symlink("sub/real", self.path("link"))
        self.ordo("sort", "-o", "link", stdin=b"2\n1\n")
        self.assertTrue(os.path.islink(self.path("link")))
        self.assertEqual(self.read("sub/real"), b"1\n2\n")
        self.assertEqual(os.listdir(self.path("sub")), ["real"])

    def test_dangling_links(self):
        """What a chain of links names is made, by names relative to each link's own folder."""
        os.mkdir(self.path("sub"))
        os.mkdir(self.path("sub/deep"))
        links = {"first": "sub/second", "sub/second": "deep/../deep/third", "sub/deep/third": self.path("end")}
        for name, to in links.items():
            os.symlink(to, self.path(name))
        for text in (b"2\n1\n", b"4\n3\n"):
            self.ordo("sort", "-o", "first", stdin=text)
            self.assertEqual(self.read("end"), b"".join(sorted(text.splitlines(True))))
        self.assertTrue(all(os.path.islink(self.path(name)) for name in links))
        self.assertFalse(os.path.islink(self.path("end")))
        self.assertEqual(sorted(os.listdir(self.folder)), ["end", "first", "sub"])
        self.assertEqual(sorted(os.listdir(self.path("sub"))), ["deep", "second"])
        os.symlink("nowhere/out", self.path("lost"))
        os.symlink("circle", self.path("circle"))
        self.assertIn("cannot write lost: No such file or directory", self.refused("sort", "-o", "lost"))
        self.assertIn("cannot write circle: Too many levels of symbolic links", self.refused("sort", "-o", "circle"))

    def test_failure_leaves_the_target(self):
        self.write("out", b"old")
        self.write("bad", b"1\nx\n")
        no_driver = dict(os.environ, VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent")
        self.refused("sort", "-o", "out", "bad")
        self.refused("sort", "-o", "out", "missing")
        self.refused("sort", "-o", "out", stdin=b"2\n1\n", env=no_driver)
        self.assertEqual(self.read("out"), b"old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["bad", "out"])

    def test_places_that_cannot_be_written(self):
        self.assertIn("cannot write nowhere/out: No such file", self.refused("sort", "-o", "nowhere/out"))
        self.assertIn("cannot write .: Is a directory", self.refused("sort", "-o", "."))
        self.write("file", b"")
        os.symlink("file/x", self.path("link"))
        for name in ("file/x", "file/", "file/x/y", "link"):
            self.assertEqual(self.refused("sort", "-o", name), "ordo: cannot write %s: Not a directory\n" % name)
        self.assertIn("cannot write new/: No such file", self.refused("sort", "-o", "new/"))
        self.assertIn("name too long", self.refused("sort", "-o", "n" * 300))
        message = self.refused("sort", "-o", "/dev/full", stdin=b"2\n1\n")
        self.assertEqual(message, "ordo: cannot write /dev/full: No space left on device\n")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([ORDO, "sort"], input=b"2\n1\n", stdout=full, stderr=subprocess.PIPE)
        expected = b"ordo: cannot write standard output: No space left on device\n"
        self.assertEqual((done.returncode, done.stderr), (2, expected))

    def test_full_disk(self):
        """A limit on file size stands for it: the write fails half-way. One line needs no GPU, whose
        driver the limit would hit too."""
        self.write("out", b"old")
        self.write("in", b"1" + b" " * 300000 + b"\n")
        limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 100; exec "$0" sort -o out in', ORDO]
        done = subprocess.run(limited, cwd=self.folder, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (2, b"ordo: cannot write out: File too large\n"))
        self.assertEqual(self.read("out"), b"old")
        self.assertEqual(sorted(os.listdir(self.folder)), ["in", "out"])

    def test_device_is_written_directly(self):
        self.ordo("sort", "-o", "/dev/null", stdin=b"2\n1\n")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_signal_removes_the_temporary_file(self):
        self.write("out", b"old")
        self.write("in", b"1\n" * 4000000)
        # The last one stands for an implementation that aborts the process.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGABRT):
            self.assertTrue(any(self.interrupt(number) for _ in range(10)), "never seen while writing")
            self.assertEqual(sorted(os.listdir(self.folder)), ["in", "out"])
            self.assertEqual(self.read("out"), b"old")

    def interrupt(self, number):
        """Stops the program while its temporary file is there; False if that was missed."""
        self.write("out", b"old")
        process = subprocess.Popen(
            [ORDO, "argsort", "-o", "out", "in"], cwd=self.folder, stderr=subprocess.PIPE
        )
        while process.poll() is None and len(os.listdir(self.folder)) == 2:
            time.sleep(0.001)
        process.send_signal(signal.SIGSTOP)
        seen = len(os.listdir(self.folder)) == 3
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        _, message = process.communicate()
        aborted = b"ordo: the WebGPU implementation ended the program\n"
        self.assertEqual(aborted in message, number == signal.SIGABRT)
        return seen and process.returncode == -number


if __name__ == "__main__":
    unittest.main()
