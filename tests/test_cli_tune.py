# SPDX-License-Identifier: MIT
"""ordo tune: what it tries and prints; and --tuning of the other subcommands."""

import json
import re
import struct
import unittest

from cli_support import NO_DRIVER, ProgramTest

# Small cases, which a software driver compiles and sorts soon.
QUICK = ["--software", "--counts=9000,3000,2000"]


class Tune(ProgramTest):
    def test_json(self):
        """What is printed as tuning is one that ordo takes, and every case has its times."""
        done = self.run_ordo("tune", *QUICK, "--only=scan,network", "--json", "--limit-s=60")
        self.assertEqual(done.returncode, 0, done.stderr)
        tune = json.loads(done.stdout)
        self.assertEqual(tune["wrong_count"], 0)
        self.assertGreaterEqual(tune["tried_count"], 1)
        self.assertIn(tune["clock"], ("gpu", "host"))
        trials = done.stderr.decode().splitlines()
        self.assertEqual(len(trials), tune["tried_count"])
        for trial in trials:
            self.assertRegex(
                trial, r"^ordo: (scan 9000|network 2000): [a-z_]+=\d+: ([-+]\d+\.\d %(, taken)?|left out: .*)$"
            )
        # What was taken last of each setting is the tuning; one that is not there was turned back to ordo's own.
        taken = [re.search(r": (\w+)=(\d+): .*taken$", trial) for trial in trials if trial.endswith("taken")]
        last = dict(trial.groups() for trial in taken)
        tuning = dict(setting.split("=") for setting in tune["tuning"].split())
        self.assertEqual(tuning, {name: last.get(name) for name in tuning})
        for name in last.keys() - tuning.keys():
            self.assertGreater(sum(trial[1] == name for trial in taken), 1, done.stderr)
        self.assertEqual(bool(tune["cases"]), bool(tuning))
        for case in tune["cases"]:
            self.assertIn((case["name"], case["count"]), [("scan", 9000), ("network", 2000)])
            self.assertGreater(min(case["before_ms"], case["after_ms"]), 0)
        for name, number in tuning.items():
            self.assertIn(".%s = %s" % (name, number), tune["row"])
        self.ordo("plan", "--count=1000", "--tuning", tune["tuning"], env=NO_DRIVER)

    def test_text(self):
        """With no time nothing is tried, and nothing is said on standard error."""
        lines = self.ordo("tune", *QUICK, "--only=scan", "--limit-s=0", "--quiet").decode().splitlines()
        self.assertRegex(lines[0], r"^adapter  .")
        self.assertRegex(lines[1], r"^trials   0, until the time was up, times by the (GPU|host)'s clock$")
        self.assertEqual(lines[2:], ["tuning   none: nothing tried was faster than ordo's own shapes"])

    def test_begin(self):
        """Shapes to begin with are kept, without those that are ordo's own anyway."""
        tuning = "--tuning=scan_items=32 scan_chain_window=32"
        lines = self.ordo("tune", *QUICK, "--only=scan", "--limit-s=0", "-q", tuning).decode().splitlines()
        self.assertEqual(lines[2], "tuning   scan_items=32")
        self.assertRegex(lines[3], r'^row      \{\.tier = ".*", \.least_workgroup_bytes = \d+, \.scan_items = 32\}$')

    def test_sorts(self):
        """Sorts of every method are tried, and come out right."""
        done = self.run_ordo("tune", *QUICK, "--only=keys,pairs,radix", "--limit-s=1", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["wrong_count"]), (0, 0), done.stderr)

    def test_dry_run(self):
        text = self.ordo("tune", "--dry-run", "--counts=2^20,1000,10", env=NO_DRIVER).decode()
        self.assertIn("keys 1048576\n    msd_group=256 msd_items=32 msd_rounds=4\n", text)
        self.assertIn("keys 1000, pairs 1000\n    msd_small_items=", text)
        self.assertIn("network 10\n    network_items=8\n", text)
        only = self.ordo("tune", "--dry-run", "--only=scan", env=NO_DRIVER).decode()
        self.assertEqual(set(re.findall(r"^\w+", only, re.M)), {"scan"})
        # Whatever may be tried is a tuning that some device takes.
        names = dict(line.split("=") for line in self.ordo("tune", "--list", env=NO_DRIVER).decode().split())
        for name in re.findall(r"(\w+)=", text):
            self.assertIn(name, names)

    def test_list(self):
        text = self.ordo("tune", "--list", "--tuning=radix_items=5", env=NO_DRIVER).decode()
        self.assertIn("\nradix_items=5\n", text)
        self.assertIn("no name=number", self.refused("tune", "--list", "--tuning=radix=5"))

    def test_refusals(self):
        for arguments, message in (
            (["--counts=5"], "--counts: '5' is not three numbers"),
            (["--counts=0,1,1"], "--counts: 0 is not from 1 to 2^30"),
            (["--counts=2^31,1,1"], "--counts: 2147483648 is not from 1 to 2^30"),
            (["--only=keys,locks"], "--only: 'locks' is none of keys, pairs, radix, onesweep, sample, network, scan"),
            (["--limit-s=long"], "--limit-s: 'long' is no number"),
            (["more"], "'more' is one argument too many"),
            (["--tuning=msd_items=3"], "caps.tuning: msd_items is 3; it must be a multiple of 2"),
            (["--adapter=abacus"], "no adapter matches 'abacus'"),
        ):
            self.assertIn(message, self.refused("tune", *arguments), arguments)
        self.assertIn("no usable GPU adapter", self.refused("tune", env=NO_DRIVER))


class Tuning(ProgramTest):
    """--tuning of what sorts and plans."""

    def test_plan(self):
        def items(*arguments):
            text = self.ordo("plan", "--count=100000", "--method=radix", "--json", *arguments, env=NO_DRIVER)
            return json.loads(text)["steps"][0]["params"]["tile_items"]

        self.assertEqual(items("--tuning=radix_items=5,radix_subtiles=3"), 256 * 5 * 3)
        self.assertNotEqual(items(), 256 * 5 * 3)
        message = self.refused("plan", "--count=1", "--tuning=radix_items=99", env=NO_DRIVER)
        self.assertIn("no plan: caps.tuning: radix_items is 99; it must be from 2 to 32", message)

    def test_sort(self):
        keys = [(i * 2654435761) % 2**32 for i in range(20000)]
        raw = struct.pack("<20000I", *keys)
        shapes = "--tuning=radix_items=3 radix_subtiles=1"
        common = ["--raw", "--type=u32", "--software"]
        output = self.ordo("sort", "--method=radix", shapes, *common, stdin=raw)
        self.assertEqual(output, struct.pack("<20000I", *sorted(keys)))
        ones = struct.pack("<9000I", *[1] * 9000)
        sums = self.ordo("scan", "--tuning=scan_items=4", *common, stdin=ones)
        self.assertEqual(sums, struct.pack("<9000I", *range(9000)))
        for command in ("sort", "argsort", "scan"):
            message = self.refused(command, "--tuning=none", *common, stdin=ones)
            self.assertIn("caps.tuning has 'none', which is no name=number", message)
        self.assertIn("caps.tuning has 'none'", self.refused("check", "--software", "--tuning=none"))


if __name__ == "__main__":
    unittest.main()
