# SPDX-License-Identifier: MIT
"""What the tests of the program share: running it, and files for it to read.

The environment variable ORDO gives the program's path. Arrays are written here byte by byte, so that
the tests need nothing but Python.
"""

import os
import struct
import subprocess
import tempfile
import unittest

ORDO = os.environ["ORDO"]

# An environment in which no adapter is found.
NO_DRIVER = dict(os.environ, VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent")

# Kind and width of each key type, as in a .npy header, and its code for struct.
TYPES = {
    "u32": ("u4", "I"),
    "i32": ("i4", "i"),
    "f32": ("f4", "f"),
    "u64": ("u8", "Q"),
    "i64": ("i8", "q"),
    "f64": ("f8", "d"),
}


def npy_bytes(descr, data, shape=None, version=1, order="False"):
    """A .npy file; shape is text such as '(3,)', by default that of all data in one dimension."""
    if shape is None:
        shape = "(%d,)" % (len(data) // int(descr[2]))
    text = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape)
    pack = "<6sBBH" if version == 1 else "<6sBBI"
    text += " " * (-(struct.calcsize(pack) + len(text) + 1) % 64) + "\n"
    return struct.pack(pack, b"\x93NUMPY", version, 0, len(text)) + text.encode() + data


def npy_whole(contents):
    """(descr, shape, data) of a version 1 file, which must be what NumPy itself would read."""
    magic, major, minor, length = struct.unpack_from("<6sBBH", contents)
    assert magic == b"\x93NUMPY" and (major, minor) == (1, 0), contents[:10]
    assert (10 + length) % 64 == 0 and contents[9 + length : 10 + length] == b"\n"
    header = eval(contents[10 : 10 + length].decode("ascii"))  # a dictionary of literals
    assert set(header) == {"descr", "fortran_order", "shape"} and not header["fortran_order"]
    return header["descr"], header["shape"], contents[10 + length :]


def npy_split(contents):
    """(descr, count, data) of such a file of one dimension."""
    descr, (count,), data = npy_whole(contents)
    return descr, count, data


def image(kind, width, bits):
    """The number that stands for a key in the order that ordo_plan.h defines."""
    top = 1 << (width - 1)
    if kind == "u":
        return bits
    if kind == "i":
        return bits ^ top
    negative_infinity = {16: 0x03FF, 32: 0x007FFFFF, 64: 0x000FFFFFFFFFFFFF}[width]
    flipped = bits ^ ((1 << width) - 1) if bits & top else bits ^ top
    return (flipped - negative_infinity) % (1 << width)


class ProgramTest(unittest.TestCase):
    """A test in a temporary folder of its own, which ends without a leftover."""

    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ordo-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, contents):
        with open(self.path(name), "wb") as file:
            file.write(contents)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def run_ordo(self, *arguments, stdin=b"", **options):
        return subprocess.run(
            [ORDO, *arguments], input=stdin, capture_output=True, timeout=900, cwd=self.folder, **options
        )

    def ordo(self, *arguments, stdin=b"", **options):
        """The program's output; it must end well and keep standard error empty."""
        done = self.run_ordo(*arguments, stdin=stdin, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)
        return done.stdout

    def refused(self, *arguments, stdin=b"", **options):
        """The message of a run that must end with exit code 2 and no output."""
        done = self.run_ordo(*arguments, stdin=stdin, **options)
        self.assertEqual((done.returncode, done.stdout), (2, b""), (arguments, done.stderr))
        self.assertTrue(done.stderr.startswith(b"ordo: "), done.stderr)
        return done.stderr.decode()
