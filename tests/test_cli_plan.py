# SPDX-License-Identifier: MIT
"""`ordo plan`: what it prints, how its options reach the planner, what it refuses."""

import json
import re
import unittest

from cli_support import NO_DRIVER, ProgramTest


class PlanTest(ProgramTest):
    def plan(self, *arguments):
        return json.loads(self.ordo("plan", "--json", *arguments, env=NO_DRIVER))


class Plan(PlanTest):
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
            ["--primitive", "histogram", "--key", "f32", "--bin-count", "1000"],
            ["--primitive", "counting-sort", "--bucket-count", "300", "--value-bytes", "8"],
            ["--primitive", "grid", "--cells", "4,5,6", "--points-out"],
            ["--primitive", "top-k", "--k", "10", "--key", "f64"],
        ):
            plan = self.plan("--count", "1000003", *arguments)
            self.assertEqual(len(plan["steps"]), plan["step_count"])
            self.assertGreater(plan["step_count"], 0)
            self.assertGreater(plan["moved_bytes"], 0)
            self.assertGreater(plan["modelled_us"], 4 * plan["step_count"])
            text = self.ordo("plan", "--count", "1000003", *arguments, env=NO_DRIVER).decode()
            self.assertIn("\nmodelled time  %.1f us\n" % plan["modelled_us"], text)
            for step in plan["steps"]:
                self.assertGreaterEqual(min(step["groups"]), 1)
                self.assertEqual(step["params"]["max_count"], 1000003)
                for part in step["ranges"]:
                    end = part["offset_bytes"] + part["size_bytes"]
                    self.assertTrue(part["slot"] != "scratch" or end <= plan["scratch_bytes"])
        self.assertEqual(self.plan("--count", "0")["steps"], [])

    def test_options_reach_the_planner(self):
        def constants(*arguments):
            return self.plan("--count", "5000", "--method", "radix", *arguments)["steps"][0]["constants"]

        self.assertEqual(constants("--descending")["DESCENDING"], 1)
        self.assertEqual(constants()["DESCENDING"], 0)
        self.assertNotEqual(constants("--key", "f32")["KEY_KIND"], constants("--key", "u32")["KEY_KIND"])
        slots = {part["slot"] for step in self.plan("--count", "5000", "--argsort")["steps"] for part in step["ranges"]}
        self.assertIn("values_out", slots)
        self.assertNotIn("out", slots)
        plan = self.plan("--count", "5000", "--method", "radix", "--skip-high-bits", "16")
        self.assertEqual(plan["pass_count"], 2)
        for method in ("radix", "bitonic", "bitonic-direct", "oddeven", "msd", "sample", "onesweep"):
            self.assertEqual(self.plan("--count", "5000", "--method", method)["method"], method)
        plan = self.plan("--count", "5000", "--method", "msd", "--key", "f64", "--descending")
        self.assertEqual((plan["method"], plan["steps"][1]["entry"]), ("msd", "msd_histogram"))
        self.assertEqual(plan["steps"][1]["constants"]["DESCENDING"], 1)

    def test_refusals(self):
        for arguments, words in (
            (["--count", "2^40"], "max_count"),
            (["--count", "9", "--value-bytes", "6"], "value_bytes"),
            (["--count", "9", "--digit-bits", "5"], "digit_bits"),
            (["--count", "9", "--argsort", "--value-bytes", "4"], "argsort"),
            (["--count", "9", "--primitive", "scan", "--key", "u64"], "type"),
            (["--count", "9", "--method", "bitonic", "--block", "48"], "block_length is 48"),
            (["--count", "9", "--method", "oddeven", "--fuse", "2"], "fused_levels is 2"),
            (["--count", "9", "--method", "radix", "--row-length", "3"], "row_length"),
            (["--count", "9", "--method", "msd", "--skip-low-bits", "3"], "msd compares whole keys"),
            (["--count", "9", "--primitive", "histogram", "--key", "f64"], "type"),
            (["--count", "9", "--primitive", "histogram", "--bin-count", "65537"], "65537"),
            (["--count", "9", "--primitive", "counting-sort", "--nearest", "1", "--farthest", "2"], "depth"),
            (["--count", "9", "--primitive", "grid", "--dimensions", "4"], "dimensions is 4"),
            (["--count", "9", "--primitive", "grid", "--table-size", "3"], "table_size is 3"),
            (["--count", "9", "--parts", "u32"], "part_count is 1"),
            (["--count", "9", "--parts", "u32,u64"], "parts[1].type is 3"),
            (["--count", "9", "--parts", "u32,u32", "--key", "f32"], "key is 2"),
        ):
            message = self.refused("plan", *arguments)
            self.assertIn("ordo: no plan: ", message)
            self.assertIn(words, message)

    def test_usage_errors(self):
        for arguments, words in (
            (["plan"], "--count is missing"),
            (["plan", "--count", "-1"], "'-1' is no number"),
            (["plan", "--count", "2^64"], "'2^64' is no number"),
            (["plan", "--count", "18446744073709551616"], "is no number"),
            (["plan", "--count", "1", "--key", "u16"], "'u16' is none of"),
            (["plan", "--count", "1", "--method", "bubble"], "'bubble' is none of auto, radix, bitonic, "),
            (["plan", "--count", "1", "x"], "'x' is one argument too many"),
            (["plan", "--count", "1", "--op", "min"], "sort has no --op"),
            (["plan", "--count", "1", "--inclusive"], "sort has no --inclusive"),
            (["plan", "--count", "1", "--inclusive", "--primitive", "reduce"], "reduce has no --inclusive"),
            (["plan", "--count", "1", "--primitive", "reduce", "--in-place"], "reduce has no --in-place"),
            (["plan", "--count", "1", "--primitive", "sieve"], "--primitive: 'sieve' is none of "),
            (["plan", "--count", "1", "--primitive", "grid", "--key", "f32"], "grid has no --key"),
            (["plan", "--count", "1", "--primitive", "grid", "--cells", "1,2,3,4"], "'4' is one too many"),
            (["plan", "--count", "1", "--primitive", "grid", "--origin", "1,x"], "--origin: 'x' is no number"),
            (["plan", "--count", "1", "--primitive", "grid", "--outside", "in"], "--outside: 'in' is none of "),
            (["plan", "--count", "1", "--primitive", "histogram", "--lo", "nan"], "--lo: 'nan' is no number"),
            (["plan", "--count", "1", "--primitive", "histogram", "--hi", "1e999"], "--hi: '1e999' is no number"),
            (["plan", "--count", "1", "--primitive", "histogram", "--bins", "odd"], "--bins: 'odd' is none of "),
            (["plan", "--count", "1", "--block", "x"], "--block: 'x' is no number"),
            (["plan", "--count", "1", "--fuse", "-1"], "--fuse: '-1' is no number"),
            (["plan", "--count", "1", "--row-length", "4294967296"], "--row-length: '4294967296' is no number"),
            (["plan", "--count", "1", "--parts", ""], "--parts: '' is none of u32, i32, f32"),
            (["plan", "--count", "1", "--parts", "u32,u16"], "--parts: 'u16' is none of u32, i32, f32"),
            (["plan", "--count", "1", "--parts", "u32,"], "--parts: '' is none of u32, i32, f32"),
            (["plan", "--count", "1", "--parts", "u32:up,u32"], "--parts: 'up' is neither ascending nor descending"),
            (["plan", "--count", "1", "--parts", "u32,u32,u32,u32,i32"], "at most 4 words: 'i32' is one too many"),
        ):
            message = self.refused(*arguments)
            self.assertIn(words, message)
            self.assertRegex(message, r"ordo: see 'ordo plan --help'\n\Z", arguments)

    def test_options_of_sorts_alone(self):
        numbers = ["--value-bytes=4", "--skip-low-bits=1", "--skip-high-bits=1", "--digit-bits=8"]
        networks = ["--block=16", "--fuse=1", "--row-length=2", "--parts=u32,u32"]
        for option in [*numbers, *networks, "--method=radix", "--argsort", "--descending", "--allow-unstable"]:
            method = "bitonic" if option in networks else "radix"
            self.ordo("plan", "--count=9", "--method", method, option)
            for primitive in ("scan", "reduce"):
                problem = "ordo: %s has no %s\n" % (primitive, option.split("=")[0])
                for arguments in ([option, "--primitive", primitive], ["--primitive", primitive, option]):
                    message = self.refused("plan", "--count=9", *arguments)
                    self.assertEqual(message, problem + "ordo: see 'ordo plan --help'\n")

    def test_other_primitives(self):
        """Each option reaches the planner: it changes the steps."""
        for primitive, base, options in (
            ("histogram", [], [["--bins=bits", "--skip-high-bits=24"], ["--bins=edges"], ["--bin-count=9"], ["--lo=1", "--hi=9"]]),
            ("histogram", ["--bins=bits", "--skip-low-bits=20"], [["--skip-high-bits=4"]]),
            ("counting-sort", [], [["--bucket-count=999"], ["--value-bytes=12"], ["--argsort"]]),
            (
                "counting-sort",
                ["--argsort", "--nearest=1", "--farthest=2"],
                [["--nearest=0.5"], ["--farthest=3"], ["--logarithmic"], ["--reversed"]],
            ),
            (
                "grid",
                ["--cells=8,8,8", "--cell-size=1"],
                [["--origin=1,2,3"], ["--cell-size=2,1,1"], ["--cells=9,8,7"], ["--outside=wrap"], ["--points-out"]],
            ),
            ("grid", ["--cells=8,8"], [["--dimensions=2"], ["--stride-bytes=32"], ["--stride-bytes=32", "--offset-bytes=8"]]),
            ("grid", [], [["--table-size=2^10"]]),
            ("top-k", ["--k=10"], [["--k=11"], ["--smallest"], ["--row-length=1000"], ["--key=u64"]]),
        ):
            arguments = ["--count=5000", "--primitive", primitive, *base]
            plan = self.plan(*arguments)
            self.assertEqual(plan["primitive"], primitive)
            self.assertEqual("key" in plan, primitive in ("histogram", "top-k"))
            for option in options:
                self.assertNotEqual(self.plan(*arguments, *option)["steps"], plan["steps"], option)

    def test_options_of_one_primitive(self):
        """An option of another primitive is refused, wherever --primitive stands."""
        own = {
            "histogram": ["--bins=bits", "--bin-count=2", "--lo=0", "--hi=1"],
            "counting-sort": ["--bucket-count=2", "--nearest=1", "--farthest=2", "--logarithmic", "--reversed"],
            "grid": ["--dimensions=2", "--stride-bytes=8", "--offset-bytes=0", "--origin=1", "--cell-size=1", "--cells=1",
                     "--outside=wrap", "--table-size=2", "--points-out"],
            "top-k": ["--k=1", "--smallest"],
        }
        for primitive, options in own.items():
            for other in ("sort", "scan", *own):
                for option in options if other != primitive else []:
                    message = self.refused("plan", "--count=9", option, "--primitive", other)
                    self.assertIn("ordo: %s has no %s\n" % (other, option.split("=")[0]), message)


class Networks(PlanTest):
    def test_dispatches(self):
        """At 2^20: one block sort, then a merge and 1, 2 ... 11 steps of each larger stage; or every step by itself."""
        for arguments, count in (
            (["--method", "bitonic", "--block", "512", "--fuse", "1"], 78),
            (["--method", "bitonic-direct"], 210),
        ):
            plan = self.plan("--count", "2^20", *arguments)
            self.assertEqual((plan["method"], plan["step_count"], len(plan["steps"])), (arguments[1], count, count))
            text = self.ordo("plan", "--count", "2^20", *arguments, env=NO_DRIVER).decode()
            self.assertRegex(text, r"\ndispatches +%d\nmethod +%s\n" % (count, arguments[1]))

    def test_shape(self):
        arguments = ["--count", "2^20", "--method", "bitonic", "--block", "512", "--fuse", "2"]
        plan = self.plan(*arguments)
        self.assertEqual((plan["block_length"], plan["fused_levels"]), (512, 2))
        self.assertEqual((plan["digit_bits"], plan["pass_count"], plan["index_bits"]), (0, 0, 0))
        text = self.ordo("plan", *arguments, env=NO_DRIVER).decode()
        self.assertIn("\nmethod         bitonic\nblock          512 elements\nfused levels   2\nscratch", text)
        plan = self.plan("--count", "2^20", "--method", "oddeven", "--block", "256")
        self.assertEqual((plan["method"], plan["block_length"]), ("oddeven", 256))

    def test_windows(self):
        plan = self.plan("--count", "40000000")
        self.assertEqual((plan["method"], plan["window_count"], plan["step_count"]), ("radix", 2, 20))
        text = self.ordo("plan", "--count", "40000000", env=NO_DRIVER).decode()
        self.assertIn("\nwindows        2, as arrays are larger than a binding\nscratch", text)
        self.assertIn("\n   3  radix_scatter_windows ", text)
        self.assertEqual(self.plan("--count", "2^25")["window_count"], 0)

    def test_packed(self):
        arguments = ["--count", "2^20", "--argsort", "--method", "bitonic", "--skip-high-bits", "20"]
        self.assertEqual(self.plan(*arguments)["index_bits"], 20)
        text = self.ordo("plan", *arguments, env=NO_DRIVER).decode()
        self.assertIn("\npacked         12 bits of key, 20 of index\n", text)
        self.assertEqual(self.plan(*arguments[:-1], "19")["index_bits"], 0)

    def test_rows(self):
        """Rows that fit a block take one dispatch however many there are; one row of all takes many."""
        rows = self.plan("--count", "2^20", "--method", "bitonic", "--row-length", "1000")
        whole = self.plan("--count", "2^20", "--method", "bitonic", "--row-length", "1048576")
        self.assertEqual(rows["step_count"], 1)
        self.assertGreater(whole["step_count"], 1)

    def test_parts(self):
        plan = self.plan("--count", "1000", "--parts", "u32,i32:descending,f32:ascending")
        words = [("u32", "ascending"), ("i32", "descending"), ("f32", "ascending")]
        self.assertEqual([(part["type"], part["order"]) for part in plan["parts"]], words)
        self.assertNotIn("key", plan)
        sizes = {part["size_bytes"] for step in plan["steps"] for part in step["ranges"] if part["slot"] == "in"}
        self.assertEqual(sizes, {12000})
        up = self.plan("--count", "1000", "--parts", "u32,i32,f32")
        self.assertEqual(up["step_count"], plan["step_count"])
        self.assertNotEqual(up["steps"], plan["steps"])

    def test_allow_unstable(self):
        """Ties are broken by an index, which takes memory, unless they need not be."""
        arguments = ["--count", "2^20", "--method", "bitonic", "--value-bytes", "4", "--in-place"]
        self.assertGreaterEqual(self.plan(*arguments)["scratch_bytes"], 4 << 20)
        self.assertEqual(self.plan(*arguments, "--allow-unstable")["scratch_bytes"], 0)


if __name__ == "__main__":
    unittest.main()
