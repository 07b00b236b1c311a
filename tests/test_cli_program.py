# SPDX-License-Identifier: MIT
"""The program around the sorting: arguments, exit codes, adapters, methods, and manners."""

import json
import os
import pty
import re
import signal
import struct
import subprocess
import threading
import time
import unittest

from cli_support import NO_DRIVER, ORDO, ProgramTest


class Arguments(ProgramTest):
    def test_help(self):
        for command in "", "sort", "argsort", "topk", "histogram", "grid", "scan", "devices", "check", "plan":
            out = self.ordo(*command.split(), "--help", env=NO_DRIVER).decode()
            self.assertTrue(out.startswith("Usage: ordo "), out)
            self.assertEqual([line for line in out.splitlines() if len(line) > 100], [])

    def test_help_names_every_option(self):
        """An option that getopt takes and the help forgets would stay a secret."""
        for command, files in (
            ("sort", ["sort.c", "common.h"]),
            ("topk", ["topk.c", "common.h"]),
            ("histogram", ["histogram.c", "common.h"]),
            ("grid", ["grid.c", "common.h"]),
            ("scan", ["scan.c", "common.h"]),
            ("advise", ["advise.c"]),
            ("check", ["check.c"]),
            ("plan", ["plan_desc.c"]),
        ):
            out = self.ordo(command, "--help").decode()
            for file in files:
                options = re.findall(r'"([a-z-]+)",\s(?:no_argument|required_argument|[01]),', self.source(file))
                self.assertGreater(len(options), 2, file)
                for option in options:
                    if (command, option) != ("grid", "type"):  # which refuses it
                        self.assertIn("--" + option, out, command)

    def source(self, file):
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "..", "cli", file)) as source:
            return source.read()

    def test_version(self):
        self.assertRegex(self.ordo("--version"), rb"\Aordo \d+\.\d+\.\d+\n\Z")

    def test_usage_errors(self):
        for arguments, words in (
            ([], "no command given"),
            (["srot"], "no command is named 'srot'"),
            (["sort", "-z"], "'z'"),
            (["sort", "--no-such"], "--no-such"),
            (["sort", "-o"], "requires an argument"),
            (["argsort", "-c"], "argsort has no -c"),
            (["argsort", "-C"], "argsort has no -C"),
            (["sort", "--run-count", "0"], "must be at least 1"),
            (["sort", "--run-count", "1x"], "'1x' is no number"),
            (["sort", "--run-count", ""], "'' is no number"),
            (["sort", "--method", "quick"], "'quick' is none of auto, radix, bitonic, bitonic-direct, oddeven"),
            (["devices", "x"], "'x' is one argument too many"),
            (["devices", "-j"], "'j'"),
            (["check", "x"], "'x' is one argument too many"),
            (["check", "--limit-ms", "-1"], "'-1' is no number"),
            (["check", "--limit"], "requires an argument"),
            (["plan"], "--count is missing"),
        ):
            message = self.refused(*arguments)
            self.assertIn(words, message)
            self.assertRegex(message, r"ordo: see 'ordo .*--help'\n\Z", arguments)

    def test_names_do_not_steer_the_terminal(self):
        name = b"a\x1b[2J\x7f\xc2\x9b\xff\xc3\xa9"
        shown = "a\\x1b[2J\\x7f\\xc2\\x9b\\xff\u00e9"
        self.assertEqual(self.refused("sort", name), "ordo: cannot read %s: No such file or directory\n" % shown)
        self.assertIn("ordo: no command is named '%s'\n" % shown, self.refused(name))

    def test_unreadable_files(self):
        self.assertEqual(self.refused("sort", "missing"), "ordo: cannot read missing: No such file or directory\n")
        self.assertEqual(self.refused("sort", "."), "ordo: cannot read .: Is a directory\n")


class Adapters(ProgramTest):
    def devices(self):
        return json.loads(self.ordo("devices", "--json"))["devices"]

    def test_json(self):
        devices = self.devices()
        self.assertGreater(len(devices), 0)
        for index, device in enumerate(devices):
            self.assertEqual(device["index"], index)
            self.assertIn(device["type"], ("discrete", "integrated", "software", "unknown"))
            self.assertNotEqual(device["name"], "")
            self.assertNotIn(device["backend"], ("null", ""))
            self.assertGreaterEqual(device["max_binding_bytes"], 128 << 20)
            self.assertIsInstance(device["subgroups"], bool)

    def test_text(self):
        lines = self.ordo("devices").decode().splitlines()
        devices = self.devices()
        self.assertEqual(len(lines), 2 * len(devices))
        for device, first, second in zip(devices, lines[::2], lines[1::2]):
            self.assertEqual(first, "%d  %s" % (device["index"], device["name"]))
            self.assertIn(device["type"], second)

    def test_choice(self):
        devices = self.devices()
        name = devices[0]["name"]
        for adapter in ("0", name, name[2:6].upper()):
            self.assertEqual(self.ordo("sort", "--adapter", adapter, stdin=b"2\n1\n"), b"1\n2\n")
        self.assertIn("no adapter 77: there are", self.refused("sort", "--adapter=77", stdin=b"2\n1\n"))
        self.assertIn("no adapter matches 'abacus'", self.refused("sort", "--adapter=abacus", stdin=b"2\n1\n"))

    def test_software(self):
        if any(device["type"] == "software" for device in self.devices()):
            self.assertEqual(self.ordo("sort", "--software", stdin=b"2\n1\n"), b"1\n2\n")
        else:
            self.assertIn("no software adapter", self.refused("sort", "--software", stdin=b"2\n1\n"))

    def test_none(self):
        message = self.refused("sort", stdin=b"2\n1\n", env=NO_DRIVER)
        self.assertTrue(message.startswith("ordo: no usable GPU adapter"))
        self.assertIn("mesa-vulkan-drivers", message)
        done = self.run_ordo("devices", "--json", env=NO_DRIVER)
        self.assertEqual((done.returncode, json.loads(done.stdout)), (2, {"devices": []}))
        self.assertIn(b"mesa-vulkan-drivers", done.stderr)

    def test_nothing_to_sort_needs_none(self):
        for text in (b"", b"1\n"):
            self.assertEqual(self.ordo("sort", stdin=text, env=NO_DRIVER), text)
        self.assertEqual(self.ordo("argsort", stdin=b"5\n", env=NO_DRIVER), b"0\n")

    def test_drivers_are_silent(self):
        """Neither a driver without XDG_RUNTIME_DIR nor a runtime's warnings reach standard error."""
        environment = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
        self.assertEqual(self.ordo("sort", stdin=b"2\n1\n", env=environment), b"1\n2\n")
        self.ordo("devices", env=environment)


class Methods(ProgramTest):
    METHODS = ("radix", "bitonic", "bitonic-direct", "oddeven")

    def test_results_are_the_same(self):
        """Text is sorted by indices, arrays as they are; both whole and in runs, the last one shorter."""
        numbers = [i * 7919 % 1009 - 500 for i in range(5003)]
        text = b"".join(b"%d\n" % number for number in numbers)
        self.write("in", text)
        self.write("raw", struct.pack("<5003q", *numbers))
        stable = sorted(range(5003), key=numbers.__getitem__)
        for method in self.METHODS:
            for runs in ([], ["--run-count", "1500"]):
                arguments = ["--method", method, *runs]
                places = self.ordo("argsort", *arguments, "in")
                self.assertEqual(places, b"".join(b"%d\n" % i for i in stable), arguments)
                down = self.ordo("sort", "-r", *arguments, "--raw", "--type", "i64", "raw")
                self.assertEqual(down, struct.pack("<5003q", *sorted(numbers, reverse=True)), arguments)

    def test_stats_name_the_method(self):
        for method in self.METHODS:
            done = self.run_ordo("sort", "--stats", "--method", method, stdin=b"3\n1\n2\n")
            self.assertEqual((done.returncode, done.stdout), (0, b"1\n2\n3\n"))
            self.assertRegex(done.stderr.decode(), r"(?m)^ordo: method    %s, .*\d+ steps, " % method)


class Manners(ProgramTest):
    def test_closed_pipe(self):  # B112
        self.write("in", b"1\n2\n" * 200000)
        for ignored in (False, True):
            # A parent may have left the signal ignored; the end is the same.
            ignore = "trap '' PIPE; " if ignored else ""
            shell = ignore + '("$0" sort in; echo $? >&3) 3>code | head -n 1'
            done = subprocess.run(["bash", "-c", shell, ORDO], capture_output=True, cwd=self.folder)
            self.assertEqual((done.stdout, done.stderr), (b"1\n", b""))
            self.assertEqual(self.read("code"), b"141\n")

    def test_closed_pipe_with_the_signal_blocked(self):
        reading, writing = os.pipe()
        os.close(reading)
        block = lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
        done = subprocess.run([ORDO, "sort"], input=b"1\n", stdout=writing, stderr=subprocess.PIPE, preexec_fn=block)
        os.close(writing)
        self.assertEqual((done.returncode, done.stderr), (141, b""))

    def test_full_disk_for_the_other_commands(self):
        for command in (["--help"], ["--version"], ["plan", "--count", "9"], ["devices"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([ORDO, *command], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2, command)
            self.assertEqual(done.stderr, b"ordo: cannot write standard output: No space left on device\n")

    def test_closed_descriptors(self):
        """A file opened by the program must not take the place of a closed standard output."""
        self.write("in", b"2\n1\n")
        for redirection, message in (
            (">&-", b"ordo: cannot write standard output: Bad file descriptor\n"),
            ("<&-", b"ordo: cannot read -: Bad file descriptor\n"),
            (">&- 2>&-", b""),
        ):
            name = "" if "<" in redirection else "in"
            shell = ["bash", "-c", '"$0" sort %s %s' % (name, redirection), ORDO]
            done = subprocess.run(shell, capture_output=True, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, b"", message))

    def test_input_beyond_the_memory(self):  # B122
        limited = ["bash", "-c", 'ulimit -v 1000000; yes 123456789 | "$0" sort -o out', ORDO]
        done = subprocess.run(limited, capture_output=True, cwd=self.folder, timeout=120)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, rb"\Aordo: -: out of memory after \d+ bytes\n\Z")
        self.assertEqual(os.listdir(self.folder), [])

    def test_stats(self):
        numbers = b"".join(b"%d\n" % (i * 7919 % 10007) for i in range(10007))
        done = self.run_ordo("sort", "--stats", "--method", "radix", stdin=numbers)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, b"".join(b"%d\n" % i for i in range(10007)))
        report = done.stderr.decode()
        for words in (
            r"adapter   .+, subgroups (on|off)",
            r"method    radix, digits of \d+ bits, 2 passes, \d+ steps, ",
            r"keys      10007 i64, sorted by 14 bits of u32, in 1 run",
            r"time      \d+\.\d+ s: ",
            r"GPU sort  (\d+\.\d+ s by the GPU's clock, [0-9.]+ million|n/a)",
            r"overall   [0-9.]+ million keys a second",
        ):
            self.assertRegex(report, "(?m)^ordo: " + words)
        done = self.run_ordo("sort", "--stats", "--run-count=1000", stdin=b"1\n2\n" * 1500)
        self.assertIn(b"in 3 runs", done.stderr)
        done = self.run_ordo("sort", "--stats", stdin=b"1\n")
        self.assertIn(b"need no sorting", done.stderr)

    def on_terminal(self, *arguments):
        """Standard error of a run that takes more than a second to read its input."""
        master, terminal = pty.openpty()
        seen = []

        def watch():
            try:
                while piece := os.read(master, 1000):
                    seen.append(piece)
            except OSError:  # the terminal is closed on the other side
                pass

        thread = threading.Thread(target=watch)
        thread.start()
        process = subprocess.Popen(
            [ORDO, "sort", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=terminal
        )
        os.close(terminal)
        process.stdin.write(b"3\n")
        process.stdin.flush()
        time.sleep(1.3)
        out, _ = process.communicate(b"1\n2\n")
        thread.join()
        os.close(master)
        self.assertEqual((process.returncode, out), (0, b"1\n2\n3\n"))
        return b"".join(seen)

    def test_progress(self):
        shown = self.on_terminal()
        self.assertIn(b"\r\x1b[Kordo: reading", shown)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown)
        self.assertEqual(self.on_terminal("-q"), b"")

    def test_interrupt_while_reading(self):
        process = subprocess.Popen(
            [ORDO, "sort", "-o", self.path("out")], stdin=subprocess.PIPE, stderr=subprocess.PIPE
        )
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate()
        self.assertEqual((process.returncode, message), (-signal.SIGINT, b""))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
