# SPDX-License-Identifier: MIT
"""The program around the sorting: arguments, exit codes, adapters, plans, and manners."""

import json
import os
import pty
import re
import signal
import subprocess
import threading
import time
import unittest

from cli_support import ORDO, ProgramTest

NO_DRIVER = dict(os.environ, VK_DRIVER_FILES="/nonexistent", VK_ICD_FILENAMES="/nonexistent")


class Arguments(ProgramTest):
    def test_help(self):
        for command in ([], ["sort"], ["argsort"], ["devices"], ["plan"]):
            out = self.ordo(*command, "--help", env=NO_DRIVER).decode()
            self.assertTrue(out.startswith("Usage: ordo "), out)
            self.assertEqual([line for line in out.splitlines() if len(line) > 100], [])

    def test_help_names_every_option(self):
        """An option that getopt takes and the help forgets would stay a secret."""
        for command in ("sort", "plan"):
            out = self.ordo(command, "--help").decode()
            for option in re.findall(r'^ +\{"([a-z-]+)", (?:no|required)_argument', self.source(command), re.M):
                self.assertIn("--" + option, out)

    def source(self, command):
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "..", "cli", command + ".c")) as file:
            text = file.read()
        self.assertIn("required_argument", text)
        return text

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
            (["devices", "x"], "'x' is one argument too many"),
            (["devices", "-j"], "'j'"),
            (["plan"], "--count is missing"),
            (["plan", "--count", "-1"], "'-1' is no number"),
            (["plan", "--count", "2^64"], "'64' is no number"),
            (["plan", "--count", "18446744073709551616"], "is no number"),
            (["plan", "--count", "1", "--key", "u16"], "'u16' is none of"),
            (["plan", "--count", "1", "--method", "bubble"], "'bubble' is not known"),
            (["plan", "--count", "1", "x"], "'x' is one argument too many"),
            (["plan", "--count", "1", "--op", "min"], "sort has no --op"),
            (["plan", "--count", "1", "--inclusive"], "sort has no --inclusive"),
            (["plan", "--count", "1", "--inclusive", "--primitive", "reduce"], "reduce has no --inclusive"),
            (["plan", "--count", "1", "--primitive", "reduce", "--in-place"], "reduce has no --in-place"),
        ):
            message = self.refused(*arguments)
            self.assertIn(words, message)
            self.assertRegex(message, r"ordo: see 'ordo .*--help'\n\Z", arguments)

    def test_plan_options_of_sorts_alone(self):
        numbers = ["--value-bytes=4", "--skip-low-bits=1", "--skip-high-bits=1", "--digit-bits=8"]
        for option in [*numbers, "--method=radix", "--argsort", "--descending"]:
            self.ordo("plan", "--count=9", option)
            for primitive in ("scan", "reduce"):
                problem = "ordo: %s has no %s\n" % (primitive, option.split("=")[0])
                for arguments in ([option, "--primitive", primitive], ["--primitive", primitive, option]):
                    message = self.refused("plan", "--count=9", *arguments)
                    self.assertEqual(message, problem + "ordo: see 'ordo plan --help'\n")

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


class Plan(ProgramTest):
    def plan(self, *arguments):
        return json.loads(self.ordo("plan", "--json", *arguments, env=NO_DRIVER))

    def test_classic_form(self):
        """Eight digits of four bits; histogram, three of scan, scatter: the literature's 40 dispatches."""
        arguments = ["--count", "2^20", "--key", "u32", "--method", "radix", "--digit-bits", "4"]
        plan = self.plan(*arguments)
        self.assertEqual((plan["count"], plan["step_count"], len(plan["steps"])), (1048576, 40, 40))
        self.assertEqual((plan["method"], plan["digit_bits"], plan["pass_count"]), ("radix", 4, 8))
        self.assertEqual(plan["steps"][0]["kernel"], "radix_histogram")
        text = self.ordo("plan", *arguments, env=NO_DRIVER).decode()
        self.assertRegex(text, r"\ndispatches +40\n")
        self.assertEqual(len(re.findall(r"^ *\d+  (?:radix|scan)_\w+ ", text, re.M)), 40)

    def test_steps(self):
        for arguments in (
            ["--key", "f32"],
            ["--key", "f64", "--value-bytes", "8", "--descending", "--in-place"],
            ["--key", "i64", "--argsort", "--skip-low-bits", "3", "--skip-high-bits", "40"],
            ["--primitive", "scan", "--op", "max", "--inclusive"],
            ["--primitive", "scan", "--in-place", "--key", "f32"],
            ["--primitive", "reduce", "--key", "i32", "--op", "min"],
        ):
            plan = self.plan("--count", "1000003", *arguments)
            self.assertEqual(len(plan["steps"]), plan["step_count"])
            self.assertGreater(plan["step_count"], 0)
            self.assertGreater(plan["moved_bytes"], 0)
            for step in plan["steps"]:
                self.assertGreaterEqual(min(step["groups"]), 1)
                self.assertEqual(step["params"]["max_count"], 1000003)
                for part in step["ranges"]:
                    end = part["offset_bytes"] + part["size_bytes"]
                    self.assertTrue(part["slot"] != "scratch" or end <= plan["scratch_bytes"])
        self.assertEqual(self.plan("--count", "0")["steps"], [])

    def test_options_reach_the_planner(self):
        def constants(*arguments):
            return self.plan("--count", "5000", *arguments)["steps"][0]["constants"]

        self.assertEqual(constants("--descending")["DESCENDING"], 1)
        self.assertEqual(constants()["DESCENDING"], 0)
        self.assertNotEqual(constants("--key", "f32")["KEY_KIND"], constants("--key", "u32")["KEY_KIND"])
        slots = {part["slot"] for step in self.plan("--count", "5000", "--argsort")["steps"] for part in step["ranges"]}
        self.assertIn("values_out", slots)
        self.assertNotIn("out", slots)
        self.assertEqual(self.plan("--count", "5000", "--skip-high-bits", "16")["pass_count"], 2)

    def test_refusals(self):
        for arguments, words in (
            (["--count", "2^40"], "max_count"),
            (["--count", "9", "--value-bytes", "6"], "value_bytes"),
            (["--count", "9", "--digit-bits", "5"], "digit_bits"),
            (["--count", "9", "--argsort", "--value-bytes", "4"], "argsort"),
            (["--count", "9", "--primitive", "scan", "--key", "u64"], "type"),
        ):
            message = self.refused("plan", *arguments)
            self.assertIn("ordo: no plan: ", message)
            self.assertIn(words, message)


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
        done = self.run_ordo("sort", "--stats", stdin=b"".join(b"%d\n" % (i * 7919 % 10007) for i in range(10007)))
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
