# SPDX-License-Identifier: MIT
"""`ordo network`: drawings that are networks, verdicts, what networks cost, and what is refused."""

import json
import os
import re
import stat
import unittest
import xml.etree.ElementTree

from cli_support import NO_DRIVER, ORDO, ProgramTest

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs")
KINDS = ("bitonic", "oddeven")
SVG = "{http://www.w3.org/2000/svg}"


def log2_ceil(count):
    return max(count - 1, 0).bit_length()


def reference(kind, count):
    """The comparators of a network, as Batcher and Knuth give them for a power of two, without those
    of wires that are not there."""
    found = []
    for stage in range(1, log2_ceil(count) + 1):
        run = 2**stage
        for log in reversed(range(stage)):
            stride = 2**log
            step = []
            for low in range(count):
                place = low % run
                if kind == "bitonic":
                    high = low - place + run - 1 - place if stride == run // 2 else low ^ stride
                elif stride == run // 2:
                    high = low + stride if place < stride else low
                else:
                    high = low + stride if place // stride % 2 == 1 and place + stride < run else low
                if low < high < count:
                    step.append((low, high))
            found.append(sorted(step))
    return found


class NetworkTest(ProgramTest):
    def network(self, *arguments, **options):
        return self.ordo("network", *arguments, env=NO_DRIVER, **options).decode()

    def verdict(self, *arguments, stdin=b""):
        """The exit code and the output of `verify`, which must not complain."""
        done = self.run_ordo("network", "verify", *arguments, stdin=stdin, env=NO_DRIVER)
        self.assertEqual(done.stderr, b"")
        return done.returncode, done.stdout.decode()


class Show(NetworkTest):
    def columns(self, text, count):
        """The comparators in each column of a text drawing, each of which must be whole."""
        lines = text.splitlines()[3:]
        self.assertEqual([int(line[:5]) for line in lines], list(range(count)))
        self.assertEqual(len({len(line) for line in lines}), 1)
        columns = []
        for glyphs in zip(*(line[6:] for line in lines)):
            top, column = None, []
            for wire, glyph in enumerate(glyphs):
                self.assertEqual(top is None, glyph in "─┬", (wire, glyph))
                if glyph == "┬":
                    top = wire
                elif glyph == "┴":
                    column.append((top, wire))
                    top = None
            self.assertIsNone(top)
            columns.append(column)
        return [column for column in columns if column]

    def test_text_is_the_network(self):
        """Columns, read from the left, are the steps in turn: none overlaps another of its column, each
        step begins a column of its own."""
        for kind in KINDS:
            for count in (1, 2, 3, 7, 8, 13, 16, 33, 64):
                text = self.network("show", "--kind", kind, "-n", str(count))
                columns = self.columns(text, count)
                steps = reference(kind, count)
                for step in steps:
                    drawn = []
                    while len(drawn) < len(step):
                        drawn += columns.pop(0)
                    self.assertEqual(sorted(drawn), step)
                self.assertEqual(columns, [])
                head = "%s, %d wires: %d comparators in %d steps" % (kind, count, sum(map(len, steps)), len(steps))
                self.assertEqual(text.splitlines()[0], head)
                stages = [str(stage) for stage in range(1, log2_ceil(count) + 1)]
                self.assertEqual(text.splitlines()[2].split(), ["stage", *stages])

    def test_text_looks_like_this(self):
        self.assertEqual(
            self.network("show", "--kind=oddeven", "-n", "4"),
            "oddeven, 4 wires: 5 comparators in 3 steps\n"
            "\n"
            "stage  1      2\n"
            "    0 ─┬──────┬───────\n"
            "    1 ─┴──────│─┬───┬─\n"
            "    2 ─┬──────┴─│───┴─\n"
            "    3 ─┴────────┴─────\n",
        )

    def test_stages_stand_above_their_first_column(self):
        lines = self.network("show", "--kind", "bitonic", "-n", "16").splitlines()
        places = [match.start() for match in re.finditer(r"\d", lines[2])]
        above = [any(line[place] == "┬" for line in lines[3:]) for place in places]
        self.assertEqual(above, [True] * 4)

    def picture(self, kind, count, name="picture.svg"):
        text = self.network("show", "--kind", kind, "-n", str(count), "--svg", name)
        self.assertEqual(text, self.network("show", "--kind", kind, "-n", str(count)))
        return self.read(name)

    def test_svg_is_the_network(self):
        for kind in KINDS:
            for count in (1, 2, 5, 8, 16, 64):
                root = xml.etree.ElementTree.fromstring(self.picture(kind, count))
                width, height = int(root.get("width")), int(root.get("height"))
                self.assertEqual(root.get("viewBox"), "0 0 %d %d" % (width, height))
                wires, lines, dots = (path.get("d") for path in root.iter(SVG + "path"))
                levels = [int(y) for y in re.findall(r"M\d+ (\d+)H", wires)]
                self.assertEqual(len(levels), count)
                self.assertLess(max(levels), height)
                found = []
                for x, top, bottom in re.findall(r"M(\d+) (\d+)V(\d+)", lines):
                    found.append((int(x), levels.index(int(top)), levels.index(int(bottom))))
                    self.assertLess(int(x), width)
                ends = [(x, y) for x, a, b in found for y in (a, b)]
                drawn = re.findall(r"M(\d+) (\d+)h0", dots)
                self.assertEqual([(int(x), levels.index(int(y))) for x, y in drawn], ends)
                rest = sorted(found)
                for step in reference(kind, count):
                    part, rest = rest[: len(step)], rest[len(step) :]
                    self.assertEqual(sorted((low, high) for x, low, high in part), step)
                    self.assertFalse(rest and part[-1][0] >= rest[0][0])
                    for (x, low, high), (other, below, _) in zip(part, part[1:]):
                        self.assertTrue(x < other or high < below)
                labels = [text.text for text in root.iter(SVG + "text")]
                stages = ["stage %d" % stage for stage in range(1, log2_ceil(count) + 1)]
                self.assertEqual(labels, [*stages, *map(str, range(count))])

    def test_svg_needs_nothing_else(self):
        picture = self.picture("bitonic", 8).decode()
        self.assertEqual(re.findall(r"https?:[^\"]*", picture), ["http://www.w3.org/2000/svg"])
        for word in ("href", "url(", "@import", "<style", "<script"):
            self.assertNotIn(word, picture)

    def test_committed_pictures_are_drawn_by_the_program(self):
        found = sorted(name for name in os.listdir(DOCS) if name.startswith("networks-") and name.endswith(".svg"))
        self.assertEqual(found, ["networks-%s-%s.svg" % (kind, count) for kind in KINDS for count in ("16", "8")])
        for name in found:
            _, kind, count = name[:-4].split("-")
            with open(os.path.join(DOCS, name), "rb") as file:
                self.assertEqual(self.picture(kind, int(count)), file.read(), "run: ordo network show, see %s" % name)

    def test_svg_replaces_whole_files(self):
        self.write("old.svg", b"old")
        os.chmod(self.path("old.svg"), 0o640)
        self.picture("oddeven", 4, "old.svg")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("old.svg")).st_mode), 0o640)
        self.assertEqual(os.listdir(self.folder), ["old.svg"])

    def test_svg_is_no_standard_output(self):
        message = self.refused("network", "show", "--kind", "bitonic", "-n", "8", "--svg", "-")
        self.assertTrue(message.startswith("ordo: --svg: '-' is no file: standard output is for the drawing"), message)
        self.assertEqual(os.listdir(self.folder), [])

    def test_svg_that_cannot_be_written(self):
        message = self.refused("network", "show", "--kind", "bitonic", "-n", "8", "--svg", "no/such.svg")
        self.assertEqual(message, "ordo: cannot write no/such.svg: No such file or directory\n")
        message = self.refused("network", "show", "--kind", "bitonic", "-n", "8", "--svg", ".")
        self.assertIn("ordo: cannot write .", message)
        if os.path.exists("/dev/full"):
            message = self.refused("network", "show", "--kind", "bitonic", "-n", "8", "--svg", "/dev/full")
            self.assertEqual(message, "ordo: cannot write /dev/full: No space left on device\n")
        self.assertEqual(os.listdir(self.folder), [])


class Verify(NetworkTest):
    def test_all_inputs(self):
        for kind in KINDS:
            for count in (0, 1, 2, 5, 16, 24):
                size = sum(map(len, reference(kind, count)))
                self.assertEqual(
                    self.verdict("--kind", kind, "-n", str(count)),
                    (
                        0,
                        "%s, %d wires, %d comparators: sorts\n" % (kind, count, size)
                        + "inputs of zeros and ones tried: %d, all there are\n" % 2**count,
                    ),
                )

    def test_merges(self):
        for kind in KINDS:
            for count in (25, 100, 512, 777):
                inputs = 0
                for stage in range(log2_ceil(count)):
                    half = 2**stage
                    for first in range(0, count, 2 * half):
                        low = min(half, count - first)
                        high = min(half, count - first - low)
                        inputs += (low + 1) * (high + 1)
                size = sum(map(len, reference(kind, count)))
                self.assertEqual(
                    self.verdict("--kind", kind, "-n", str(count)),
                    (
                        0,
                        "%s, %d wires, %d comparators: sorts\n" % (kind, count, size)
                        + "inputs of zeros and ones tried: %d, all pairs of sorted runs of each merge of %d stages\n"
                        % (inputs, log2_ceil(count)),
                    ),
                )

    def test_list_that_sorts(self):
        """Comments, blanks of all kinds and a last line without an ending; reversed comparators too."""
        text = b"# four wires\n0 1\n\t2  3 \r\n \n0 2# first and third\n1 3 # ends\n#\n1 2\n\n3 2\n2\t3"
        expected = (0, "the list, 4 wires, 7 comparators: sorts\ninputs of zeros and ones tried: 16, all there are\n")
        self.assertEqual(self.verdict("--file", "-", stdin=text), expected)
        self.assertEqual(self.verdict("--file", self.write("list", text)), expected)
        self.assertEqual(self.verdict("--file", "list", "-n", "4"), expected)

    def test_list_that_does_not(self):
        text = b"0 1\n2 3\n0 2\n1 3\n"
        expected = (
            1,
            "the list, 4 wires, 4 comparators: does not sort\n"
            "the first input that fails, and what comes out, wire 0 first:\n"
            "in  1 0 1 0\n"
            "out 0 1 0 1\n",
        )
        self.assertEqual(self.verdict("--file", "-", stdin=text), expected)
        code, out = self.verdict("--file", "-", stdin=b"1 0\n")
        self.assertEqual((code, out.splitlines()[2:]), (1, ["in  1 0", "out 1 0"]))
        code, out = self.verdict("--file", "-", "-n", "3", stdin=b"0 1\n")
        self.assertEqual((code, out.splitlines()[0]), (1, "the list, 3 wires, 1 comparators: does not sort"))
        self.assertEqual(out.splitlines()[2:], ["in  1 0 0", "out 0 1 0"])

    def test_networks_as_lists(self):
        """Those of both kinds sort; without their last comparator they do not."""
        for kind in KINDS:
            for count in (2, 7, 16, 24):
                lines = [b"%d %d\n" % pair for step in reference(kind, count) for pair in step]
                self.assertEqual(self.verdict("--file", "-", stdin=b"".join(lines))[0], 0)
                self.assertEqual(self.verdict("--file", "-", "-n", str(count), stdin=b"".join(lines[:-1]))[0], 1)

    def test_lists_without_comparators(self):
        self.assertEqual(self.verdict("--file", "-", "-n", "1")[0], 0)
        self.assertEqual(self.verdict("--file", "-", "-n", "2", stdin=b"# none\n")[0], 1)
        message = self.refused("network", "verify", "--file", "-", stdin=b"# none\n")
        self.assertEqual(
            message, "ordo: standard input: no comparators, and no -n to tell how many wires there are\n"
        )

    def test_lines_that_are_no_comparators(self):
        for line in (b"0", b"0 1 2", b"0,1", b"-1 2", b"+1 2", b"0x1 2", b"a b", b"1.0 2", b"0 1 x", b"0 #1", b"0 1\0"):
            message = self.refused("network", "verify", "--file", "-", stdin=b"0 1\n\n" + line + b"\n1 2\n")
            start = "ordo: standard input:3: '%s' is no comparator" % line.split(b"\0")[0].decode()
            self.assertTrue(message.startswith(start), message)
        long = self.refused("network", "verify", "--file", "-", stdin=b"x" * 10000)
        self.assertLess(len(long), 200)
        self.write("list\x1b", b"\x1b[2J\n")
        message = self.refused("network", "verify", "--file", "list\x1b")
        self.assertTrue(message.startswith("ordo: list\\x1b:1: '\\x1b[2J' is no comparator"), message)

    def test_wires_that_cannot_be(self):
        for text, arguments, problem in (
            (b"3 3", [], "a comparator joins wire 3 with itself"),
            (b"0 24", [], "no wire 24: the most wires that a list may have are 24"),
            (b"99999999999999999999 0", [], "no wire 4294967295: the most wires that a list may have are 24"),
            (b"0 3", ["-n", "3"], "no wire 3: -n gives 3"),
            (b"3 0", ["-n", "3"], "no wire 3: -n gives 3"),
            (b"0 1", ["-n", "0"], "no wire 1: -n gives 0"),
        ):
            message = self.refused("network", "verify", "--file", "-", *arguments, stdin=text)
            self.assertEqual(message, "ordo: standard input:1: %s\n" % problem)

    def test_files_that_cannot_be_read(self):
        message = self.refused("network", "verify", "--file", "missing")
        self.assertEqual(message, "ordo: cannot read missing: No such file or directory\n")
        message = self.refused("network", "verify", "--file", ".")
        self.assertEqual(message, "ordo: cannot read .: Is a directory\n")


class Stats(NetworkTest):
    PLANS = {"bitonic": ["bitonic", "bitonic --block 512 --fuse 1", "bitonic-direct"], "oddeven": ["oddeven"]}

    def stats(self, *arguments):
        return json.loads(self.network("stats", "--json", *arguments))

    def test_sizes(self):
        for count in (0, 1, 2, 1000, 4096):
            found = self.stats("-n", str(count))
            self.assertEqual(found["wire_count"], count)
            self.assertEqual([network["kind"] for network in found["networks"]], list(KINDS))
            for network in found["networks"]:
                steps = reference(network["kind"], count)
                self.assertEqual(network["stage_count"], log2_ceil(count))
                self.assertEqual(network["depth"], len(steps))
                self.assertEqual(network["size"], sum(map(len, steps)))
                self.assertEqual([plan["name"] for plan in network["plans"]], self.PLANS[network["kind"]])

    def test_plans_are_those_of_plan(self):
        for count in ("0", "1", "2", "1000", "5000", "2^20", "2^25"):
            for network in self.stats("-n", count)["networks"]:
                for plan in network["plans"]:
                    options = plan.pop("name").split(" ")
                    full = json.loads(self.ordo("plan", "--json", "--count", count, "--method", *options))
                    self.assertEqual(plan, {name: full[name] for name in plan})
                    self.assertEqual(len(plan), 4)

    def test_a_million(self):
        """What the literature counts: 78 dispatches with blocks of 512, and one for each of 210 steps."""
        bitonic, oddeven = self.stats("-n", "2^20")["networks"]
        self.assertEqual((bitonic["size"], oddeven["size"]), (2**18 * 420, 2**18 * 380 + 2**20 - 1))
        default, blocks, direct = (plan["step_count"] for plan in bitonic["plans"])
        self.assertEqual((blocks, direct), (78, 210))
        self.assertLess(default, 78)
        self.assertLess(oddeven["plans"][0]["step_count"], 210)

    def test_text(self):
        text = self.network("stats", "-n", "2^20")
        self.assertRegex(text, r"\A1048576 wires\n")
        self.assertRegex(text, r"(?m)^bitonic +20 +210 +110100480$")
        self.assertRegex(text, r"(?m)^oddeven +20 +210 +100663295$")
        for network in self.stats("-n", "2^20")["networks"]:
            for plan in network["plans"]:
                numbers = [plan[name] for name in ("step_count", "moved_bytes", "block_length", "fused_levels")]
                self.assertRegex(text, r"(?m)^%s +%d +%d +%d +%d$" % (plan["name"], *numbers))

    def test_one_kind(self):
        for kind in KINDS:
            arguments = ["-n", "100", "--kind", kind]
            self.assertEqual([network["kind"] for network in self.stats(*arguments)["networks"]], [kind])
            lines = self.network("stats", *arguments).splitlines()
            self.assertEqual([line for line in lines if line.startswith(tuple(set(KINDS) - {kind}))], [])
            self.assertEqual(len(lines), 5 + 1 + len(self.PLANS[kind]))

    def test_more_than_a_plan_takes(self):
        """A network has a size where no device's default limits let it run."""
        network = self.stats("-n", "2^31", "--kind", "oddeven")["networks"][0]
        self.assertEqual(network["size"], 2**29 * 31 * 30 + 2**31 - 1)
        self.assertIn("max_count 2147483648", network["plans"][0]["refused"])
        self.assertRegex(self.network("stats", "-n", "2^31"), r"(?m)^oddeven +none: max_count 2147483648 ")


class Arguments(NetworkTest):
    def test_help(self):
        help = self.network("--help")
        self.assertTrue(help.startswith("Usage: ordo network "), help)
        self.assertEqual([line for line in help.splitlines() if len(line) > 100], [])
        for command in ("show", "verify", "stats"):
            self.assertEqual(self.network(command, "--help"), help)
        for option in ("kind", "svg", "file", "json", "help"):
            self.assertIn("--" + option, help)
        self.assertIn("network", self.ordo("--help").decode())

    def test_usage_errors(self):
        for arguments, words, topic in (
            ([], "network needs one of show, verify and stats", ""),
            (["draw"], "network has no 'draw'", ""),
            (["show"], "--kind is missing", " show"),
            (["show", "--kind", "bitonic"], "-n is missing", " show"),
            (["show", "--kind", "merge", "-n", "8"], "--kind: 'merge' is neither bitonic nor oddeven", " show"),
            (["show", "--kind", "bitonic", "-n", "0"], "-n: 0 wires cannot be drawn", " show"),
            (["show", "--kind", "bitonic", "-n", "65"], "-n: 65 wires cannot be drawn, only 1 to 64", " show"),
            (["show", "--kind", "bitonic", "-n", "8", "--file", "x"], "show has no --file", " show"),
            (["show", "--kind", "bitonic", "-n", "8", "--json"], "show has no --json", " show"),
            (["show", "--kind", "bitonic", "-n", "8", "x"], "'x' is one argument too many", " show"),
            (["show", "-n"], "requires an argument", " show"),
            (["show", "--no-such"], "--no-such", " show"),
            (["verify"], "give either --kind or --file", " verify"),
            (["verify", "--kind", "bitonic", "--file", "x", "-n", "8"], "give either --kind or --file", " verify"),
            (["verify", "--kind", "bitonic"], "-n is missing", " verify"),
            (["verify", "--kind", "bitonic", "-n", "65537"], "65537 wires cannot be verified, only up to", " verify"),
            (["verify", "--file", "x", "-n", "25"], "a list of 25 wires cannot be verified", " verify"),
            (["verify", "--kind", "bitonic", "-n", "8", "--svg=x"], "verify has no --svg", " verify"),
            (["stats"], "-n is missing", " stats"),
            (["stats", "-n", "-1"], "-n: '-1' is no number", " stats"),
            (["stats", "-n", "2^32"], "-n: '2^32' is no number from 0 to 4294967295", " stats"),
            (["stats", "-n", "4294967296"], "-n: '4294967296' is no number", " stats"),
            (["stats", "-n", "8", "--file", "x"], "stats has no --file", " stats"),
        ):
            message = self.refused("network", *arguments)
            self.assertIn(words, message)
            self.assertTrue(message.endswith("ordo: see 'ordo network%s --help'\n" % topic), message)

    def test_output_that_cannot_be_written(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        for arguments in (
            ["--help"],
            ["show", "--kind", "bitonic", "-n", "4"],
            ["verify", "--kind", "bitonic", "-n", "4"],
            ["stats", "-n", "4"],
        ):
            command = " ".join([ORDO, "network", *arguments, ">/dev/full"])
            done = os.spawnlp(os.P_WAIT, "sh", "sh", "-c", command + " 2>" + self.path("log"))
            self.assertEqual(done, 2)
            self.assertEqual(self.read("log"), b"ordo: cannot write standard output: No space left on device\n")


if __name__ == "__main__":
    unittest.main()
