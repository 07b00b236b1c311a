# SPDX-License-Identifier: MIT
"""ordo check: what it prints, how it ends."""

import json
import re
import subprocess
import unittest

from cli_support import NO_DRIVER, ORDO, ProgramTest

METHODS = ["radix", "bitonic", "oddeven", "msd", "sample", "onesweep"]

# A software driver that compiles kernels at their first use, on a busy machine, is not broken.
PATIENT = "--limit-ms=600000"


class Check(ProgramTest):
    def test_json(self):
        """A sound adapter passes everything, and the numbers fit each other."""
        check = json.loads(self.ordo("check", "--json", PATIENT))
        self.assertEqual((check["failed_count"], check["message"]), (0, ""))
        self.assertEqual((check["passed_methods"], check["rejected_methods"]), (METHODS, []))
        self.assertFalse(check["subgroups_failed"] or check["forward_progress_failed"])
        rows = check["checks"]
        self.assertEqual(sum(row["case_count"] for row in rows), check["case_count"])
        self.assertEqual([row["name"] for row in rows if row["tier"] == "portable"], METHODS + ["scan"])
        for row in rows:
            self.assertEqual(row["result"], "passed")
            self.assertGreaterEqual(row["case_count"], 3)
            self.assertGreater(row["plan_ms"], 0)
            self.assertGreater(row["run_ms"], 0)
            self.assertIn(row["tier"], ("portable", "subgroups", "forward progress"))

    def test_text(self):
        lines = self.ordo("check", PATIENT).decode().splitlines()
        devices = json.loads(self.ordo("devices", "--json"))["devices"]
        self.assertEqual(lines[0], "adapter  " + devices[0]["name"])
        self.assertEqual(lines[2].split(), "method tier cases result kernels ms runs ms".split())
        table = lines[3:-2]
        cases = 0
        for line in table:
            row = re.fullmatch(r"(\w+) +(portable|subgroups|forward progress) +(\d+)  passed +\d+\.\d +\d+\.\d", line)
            self.assertTrue(row, line)
            cases += int(row[3])
        self.assertEqual(lines[-2:], ["", "all %d results are right" % cases])

    def test_stall(self):
        """No device ends the first sort in a millisecond: copies and compilation take longer."""
        done = self.run_ordo("check", "--limit-ms", "1")
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        lines = done.stdout.decode().splitlines()
        self.assertRegex(lines[3], r"^radix +portable +1  stalled ")
        self.assertIn("no results on this device by radix (portable): the device did not end the", lines[5])
        self.assertEqual(lines[6:], ["not chosen by itself: radix"])
        done = self.run_ordo("check", "--json", "--limit-ms", "1")
        check = json.loads(done.stdout)
        self.assertEqual((done.returncode, check["failed_count"]), (1, 1))
        self.assertEqual(check["checks"][0]["result"], "stalled")
        self.assertEqual((check["passed_methods"], check["rejected_methods"]), ([], ["radix"]))

    def test_no_adapter(self):
        self.assertIn("no usable GPU adapter", self.refused("check", env=NO_DRIVER))
        self.assertIn("no adapter matches 'abacus'", self.refused("check", "--adapter=abacus"))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([ORDO, "check", "--limit-ms=1"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"ordo: cannot write standard output: No space left on device\n")


if __name__ == "__main__":
    unittest.main()
