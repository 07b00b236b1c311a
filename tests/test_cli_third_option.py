# SPDX-License-Identifier: MIT
"""docs/third-option.md: its C is that of the example, its commands print what it says, its picture is drawn so."""

import os
import re
import subprocess
import unittest

from cli_support import ORDO, ProgramTest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


class ThirdOption(ProgramTest):
    page = text_of("docs", "third-option.md")

    def test_c_examples(self):
        """Each stands in the program that CI compiles and runs, line for line; and each of its functions
        that asks the GPU or the adviser is shown."""
        quotes = re.findall(r"^```c\n(.*?)^```$", self.page, re.M | re.S)
        self.assertEqual(len(quotes), self.page.count("```c"))
        program = text_of("examples", "third_option.c")
        shown = program.split("/* ---- On the GPU ")[1].split("\n", 1)[1].split("/* ---- On the CPU ")[0]
        self.assertEqual("\n" + "\n".join(quotes) + "\n", shown)

    def test_commands(self):
        """They are run in turn in one folder, which in the end holds the picture of the page."""
        examples = re.findall(r"^    \$ (.*)\n((?:    (?!\$).*\n)*)", self.page, re.M)
        self.assertEqual(len(examples), 5)
        for command, expected in examples:
            shell = 'ordo() { "$0" "$@"; }; %s' % command
            done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, b""), command)
            self.assertEqual("".join("    %s\n" % line for line in done.stdout.decode().splitlines()), expected, command)
        self.assertEqual(self.read("histogram.svg").decode(), text_of("docs", "histogram.svg"))


if __name__ == "__main__":
    unittest.main()
