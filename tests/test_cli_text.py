# SPDX-License-Identifier: MIT
"""`ordo sort` and `ordo argsort` on text: lines as they were, in the order of their numbers.

The reference is Python's decimal, which compares exactly whatever the length of a number. Numbers of
faults (B112 …) are those of the collection that the tests were drawn from.
"""

import decimal
import random
import struct
import unittest

from cli_support import ProgramTest

NAN = (2, decimal.Decimal(0), 0)


def number_key(line, floats):
    """What a line is ordered by; with floats, -0 is below 0."""
    text = line.decode().strip(" \t\r").lower()
    sign = -1 if text.startswith("-") else 1
    body = text.lstrip("+-")
    if body == "nan":
        return NAN
    if body in ("inf", "infinity"):
        return (sign, decimal.Decimal(0), 0)
    value = decimal.Decimal(text)
    return (0, value, -1 if floats and value == 0 and sign < 0 else 0)


def is_integer(line):
    return line.decode().strip(" \t\r").lstrip("+-").isdigit()


def model(lines, descending=False, unique=False):
    """The indices of the sorted lines."""
    integers = all(map(is_integer, lines))
    values = [int(line) for line in lines] if integers else []
    fit = all(-(2**63) <= v < 2**63 for v in values) or all(0 <= v < 2**64 for v in values)
    keys = [number_key(line, not (integers and fit)) for line in lines]
    order = sorted(range(len(lines)), key=keys.__getitem__)
    if descending:
        order = sorted(reversed(range(len(lines))), key=keys.__getitem__)[::-1]
    if unique:
        order = [i for at, i in enumerate(order) if at == 0 or keys[order[at - 1]] != keys[i]]
    return order


def join(lines):
    return b"".join(line + b"\n" for line in lines)


def random_integer(rng):
    digits = rng.choice([1, 1, 2, 3, 6, 10, 18])
    sign = rng.choice(["", "", "-", "+"])
    return sign + "0" * rng.choice([0, 0, 0, 2]) + str(rng.randrange(10**digits))


def random_real(rng):
    kind = rng.randrange(12)
    if kind == 0:
        return rng.choice(["nan", "NaN", "-NAN", "inf", "-inf", "+Infinity", "-0.0", "0", "-0", "0e99"])
    if kind == 1:
        # Neighbours that no f64 tells apart.
        return str(2**53 + rng.randrange(4)) + rng.choice(["", ".0", ".25", "e0"])
    if kind == 2:
        return "%d.%se%d" % (rng.randrange(10), "3" * rng.randrange(40), rng.choice([400, -400, 0, 17]))
    if kind == 3:
        return repr(struct.unpack("<d", rng.randbytes(8))[0])
    whole = str(rng.randrange(10 ** rng.choice([1, 3, 20])))
    fraction = "" if rng.random() < 0.3 else "." + str(rng.randrange(1000)).rstrip("0")
    exponent = "" if rng.random() < 0.5 else rng.choice("eE") + rng.choice(["", "+", "-"]) + str(rng.randrange(30))
    if fraction.startswith(".") and len(fraction) > 1 and rng.random() < 0.2:
        whole = ""
    return rng.choice(["", "-", "+"]) + whole + fraction + exponent


def random_lines(rng, count, make):
    lines = [make(rng) for _ in range(count)]
    lines += [rng.choice(lines) for _ in range(count // 4)]
    rng.shuffle(lines)
    around = ["", "", "", "", " ", "\t", "  "]
    ends = ["", "", "", " ", "\t ", "\r"]
    return [(rng.choice(around) + line + rng.choice(ends)).encode() for line in lines]


class RandomText(ProgramTest):
    """Round trips: the lines that went in come out, ordered as the model says."""

    def check(self, lines, *options):
        text = join(lines)
        self.write("in.txt", text)
        for flags, order in (
            ([], model(lines)),
            (["-r"], model(lines, descending=True)),
            (["-u"], model(lines, unique=True)),
            (["-ru"], model(lines, descending=True, unique=True)),
        ):
            expected = [lines[i] for i in order]
            out = self.ordo("sort", *options, *flags, "in.txt")
            self.assertEqual(out, join(expected), flags)
        indices = self.ordo("argsort", *options, "in.txt")
        self.assertEqual(indices.split(), [b"%d" % i for i in model(lines)])

    def test_integers(self):
        self.check(random_lines(random.Random(1), 3000, random_integer))

    def test_integers_in_a_narrow_range(self):
        rng = random.Random(2)
        self.check([b"%d" % (2**62 + rng.randrange(40)) for _ in range(2500)])

    def test_all_equal(self):
        self.check([b"7", b"07", b"+7", b" 7"] * 300)

    def test_unsigned(self):
        rng = random.Random(3)
        self.check([b"%d" % rng.randrange(2**64) for _ in range(2000)] + [b"-0", b"18446744073709551615"])

    def test_reals(self):
        self.check(random_lines(random.Random(4), 3000, random_real))

    def test_runs_merged_on_the_host(self):
        lines = random_lines(random.Random(5), 700, random_real)
        self.check(lines, "--run-count=100")
        self.check(lines[:100], "--run-count=1")
        self.check(lines[:99], "--run-count", "98")

    def test_every_small_count(self):
        rng = random.Random(6)
        for count in [0, 1, 2, 3, 255, 256, 257]:
            lines = random_lines(rng, count, random_integer) if count else []
            self.write("in.txt", join(lines))
            self.assertEqual(self.ordo("sort", "in.txt"), join(lines[i] for i in model(lines)))


class Lines(ProgramTest):
    """What belongs to a line, and what a line may hold."""

    def check(self, text, expected, *options):
        self.assertEqual(self.ordo("sort", *options, stdin=text), expected)

    def refuses(self, text, *parts, options=()):
        message = self.refused("sort", *options, stdin=text)
        for part in parts:
            self.assertIn(part, message)

    def test_nan_is_last(self):  # B113
        self.check(b"NaN\nNaN\n3.0\n2.0\n", b"2.0\n3.0\nNaN\nNaN\n")
        self.check(b"1\nnan\n-inf\n-nan\ninf\n", b"-inf\n1\ninf\nnan\n-nan\n")
        self.check(b"1\nnan\n-inf\n-nan\n", b"nan\n-nan\n1\n-inf\n", "-r")
        self.check(b"nan\n-nan\nNAN\n", b"nan\n", "-u")

    def test_signed_exponents(self):  # B114
        self.check(b"1e+3\n2e2\n5E-1\n+7\n-1e-2\n", b"-1e-2\n5E-1\n+7\n2e2\n1e+3\n")

    def test_same_in_every_locale(self):  # B115
        for locale in ("C", "de_DE.UTF-8", "fr_FR.UTF-8"):
            environment = {"LC_ALL": locale, "LANG": locale, "PATH": "/usr/bin"}
            done = self.run_ordo("sort", stdin=b"1.25\n1,5\n", env=environment)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, b"ordo: -:2: not a number: '1,5'\n")

    def test_crlf_stays_with_its_line(self):  # B116
        self.check(b"3\r\n1\r\n2", b"1\r\n2\r\n3\r\n")
        self.check(b"3\r\n1\r\n2\r\n", b"1\r\n2\r\n3\r\n")
        self.check(b"3\r\n1\n2", b"1\n2\n3\r\n")

    def test_missing_last_newline(self):
        self.check(b"2\n1", b"1\n2\n")
        self.check(b"2", b"2\n")

    def test_byte_order_mark_is_dropped(self):  # B117
        self.check(b"\xef\xbb\xbf2\n1\n", b"1\n2\n")
        self.check(b"\xef\xbb\xbf", b"")
        self.write("a", b"\xef\xbb\xbf5\n4\n")
        self.write("b", b"\xef\xbb\xbf3\n")
        self.assertEqual(self.ordo("sort", "a", "b"), b"3\n4\n5\n")
        self.refuses(b"1\n\xef\xbb\xbf2\n", "-:2: not a number")

    def test_empty_line_is_no_zero(self):  # B118
        self.refuses(b"1\n\n2\n", "-:2: not a number: '' (an empty line)")
        self.refuses(b"1\n2\n \t\n", "-:3: not a number: ' \\x09'")
        self.refuses(b"1\n\r\n", "-:2: not a number: ''")

    def test_empty_input(self):
        self.check(b"", b"")

    def test_digits_beyond_f64(self):  # B123, B124
        big = [b"100000000000000000001", b"100000000000000000000"]
        self.check(join(big), join(reversed(big)))
        self.check(join(big), join(reversed(big)), "-u")
        sixteen = [b"9007199254740993.0", b"9007199254740992"]
        self.check(join(sixteen), join(reversed(sixteen)))
        lines = [b"9007199254740993", b"9007199254740992", b"0.5", b"9007199254740992.5"]
        self.check(join(lines), join([lines[2], lines[1], lines[3], lines[0]]))
        lines = [b"9007199254740993", b"9007199254740992", b"9223372036854775807"]
        self.check(join(lines), join([lines[1], lines[0], lines[2]]))

    def test_beyond_the_range_of_f64(self):
        self.check(b"1e400\ninf\n1e399\n-1e400\n-inf\n", b"-inf\n-1e400\n1e399\n1e400\ninf\n")
        self.check(b"1e-400\n0.0\n-1e-400\n1e-401\n-0.0\n", b"-1e-400\n-0.0\n0.0\n1e-401\n1e-400\n")
        self.check(b"1e-400\n0.0\n-1e-400\n1e-401\n-0.0\n", b"1e-400\n1e-401\n0.0\n-0.0\n-1e-400\n", "-r")

    def test_zeros(self):
        self.check(b"0\n-0\n0\n", b"0\n-0\n0\n")
        self.check(b"0\n-0\n0.0\n", b"-0\n0\n0.0\n")
        self.check(b"0\n-0\n-00\n+0\n", b"0\n", "-u")

    def test_ends_of_the_integer_types(self):
        self.check(b"9223372036854775807\n-9223372036854775808\n0\n", b"-9223372036854775808\n0\n9223372036854775807\n")
        self.check(b"18446744073709551615\n9223372036854775808\n0\n", b"0\n9223372036854775808\n18446744073709551615\n")
        # Neither i64 nor u64 holds both, so the order is that of exact values.
        lines = b"18446744073709551615\n-1\n18446744073709551614\n"
        self.check(lines, b"-1\n18446744073709551614\n18446744073709551615\n")

    def test_no_numbers(self):
        words = "x 0x10 1e 1e+ . - + --1 1_000 1.2.3 e5 infinit nanx 1\u00a0 −1 nan(1) 1e999999999999999999999"
        for text in words.split(" ") + ["1 2"]:
            self.refuses(b"1\n" + text.encode() + b"\n", "-:2: not a number: '%s'" % text)
        self.refuses(b"1\n2\x003\n", "-:2: not a number: '2\\x003'")
        self.refuses(b"\x1b[31m\n", "-:1: not a number: '\\x1b[31m'")

    def test_bytes_that_would_steer_a_terminal(self):
        for text, shown in (
            (b"\x07\x7f\r2", "\\x07\\x7f\\x0d2"),
            (b"\xc2\x9b31m", "\\xc2\\x9b31m"),  # C1 as UTF-8: CSI
            (b"\x9b31m", "\\x9b31m"),  # and as a byte
            (b"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\u00e9\u20ac\U0001f600"),
            (b"\xc2\xa0\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf", "\u00a0\u07ff\u0800\uffff"),
            (b"\xed\x9f\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", "\ud7ff\U00010000\U0010ffff"),
        ):
            self.refuses(b"1\n" + text + b"\n", "ordo: -:2: not a number: '%s'\n" % shown)
        for text in (
            b"\x80 \xbf \xc0\x80 \xc1\xbf \xc3 \xc3\xc3",
            b"\xe0\x9f\xbf \xed\xa0\x80 \xe2\x82 \xe2\x82",
            b"\xf0\x8f\xbf\xbf \xf4\x90\x80\x80 \xf8\x88",
            b"\xf5\x80\x80\x80 \xff\x80\x80\x80",
            b"\xff\xfe \xf0\x9f\x98",
        ):
            shown = "".join(chr(byte) if byte < 0x80 else "\\x%02x" % byte for byte in text)
            self.refuses(text + b"\n", "ordo: -:1: not a number: '%s'\n" % shown)
        self.write("in", b"\xe2\x80\xae1\n\x1b[31m2\n")
        done = self.run_ordo("sort", "-c", "in")
        self.assertEqual(done.stderr, b"ordo: in:1: not a number: '\xe2\x80\xae1'\n")

    def test_a_cut_splits_no_character(self):
        for ahead in range(4):
            message = self.refused("sort", stdin=b"a" * ahead + "\U0001f600".encode() * 40 + b"\n")
            self.assertRegex(message, "'a{%d}\U0001f600+\\.\\.\\.'\n\\Z" % ahead)

    def test_long_text_is_shortened(self):
        message = self.refused("sort", stdin=b"a" * 100000 + b"\n")
        self.assertIn("aaaa...'", message)
        self.assertLess(len(message), 150)

    def test_files_follow_each_other(self):
        self.write("a", b"3\n1")
        self.write("b", b"2\n0\n")
        self.write("empty", b"")
        self.assertEqual(self.ordo("sort", "a", "empty", "-", "b", stdin=b"9\n"), b"0\n1\n2\n3\n9\n")
        self.assertEqual(self.ordo("argsort", "a", "b"), b"3\n1\n2\n0\n")
        self.write("bad", b"4\nno\n")
        self.assertEqual(self.refused("sort", "a", "b", "empty", "bad"), "ordo: bad:2: not a number: 'no'\n")
        self.assertEqual(self.refused("sort", "bad", "a"), "ordo: bad:2: not a number: 'no'\n")

    def test_name_after_double_dash(self):
        self.write("-r", b"2\n1\n")
        self.assertEqual(self.ordo("sort", "--", "-r"), b"1\n2\n")


class Types(ProgramTest):
    """--type on text."""

    def sort(self, type_name, text, *options):
        return self.ordo("sort", "--type", type_name, *options, stdin=text)

    def test_each_type(self):
        for name in ("u32", "i32", "f32", "u64", "i64", "f64"):
            self.assertEqual(self.sort(name, b"10\n9\n+1\n"), b"+1\n9\n10\n")
        for name in ("i32", "f32", "i64", "f64"):
            self.assertEqual(self.sort(name, b"10\n-9\n-1\n", "-r"), b"10\n-1\n-9\n")

    def test_ends_of_each_type(self):
        for name, low, high in (
            ("u32", 0, 2**32 - 1),
            ("i32", -(2**31), 2**31 - 1),
            ("u64", 0, 2**64 - 1),
            ("i64", -(2**63), 2**63 - 1),
        ):
            fine = b"%d\n1\n%d\n" % (high, low)
            self.assertEqual(self.sort(name, fine), b"%d\n1\n%d\n" % (low, high))
            for beyond in (low - 1, high + 1, 10**40):
                message = self.refused("sort", "--type", name, stdin=b"1\n%d\n" % beyond)
                self.assertEqual(message, "ordo: -:2: out of range of %s: '%d'\n" % (name, beyond))
            message = self.refused("sort", "--type", name, stdin=b"1\n2.0\n")
            self.assertEqual(message, "ordo: -:2: not an integer, for %s: '2.0'\n" % name)
            self.assertIn("-:1: not a number: 'x'", self.refused("sort", "--type", name, stdin=b"x\n"))

    def test_floats_are_rounded_to_the_type(self):
        # Equal as f32, so they keep their order; and -u keeps the first.
        self.assertEqual(self.sort("f32", b"16777217\n16777216\n1\n"), b"1\n16777217\n16777216\n")
        self.assertEqual(self.sort("f32", b"16777217\n16777216\n", "-u"), b"16777217\n")
        text = b"9007199254740993\n9007199254740992\n"
        self.assertEqual(self.sort("f64", text), text)
        self.assertEqual(self.sort("f32", b"inf\n3.4e38\n-inf\n1e-60\n0\n"), b"-inf\n1e-60\n0\n3.4e38\ninf\n")

    def test_floats_beyond_the_type(self):
        for name, text in (("f32", "1e39"), ("f32", "-4e38"), ("f64", "1e309")):
            message = self.refused("sort", "--type", name, stdin=b"1\n%s\n" % text.encode())
            self.assertEqual(message, "ordo: -:2: out of range of %s: '%s'\n" % (name, text))

    def test_rounding_is_to_nearest(self):
        # Halfway cases of f32 that rounding by way of f64 gets wrong: each line must tie with the
        # float it is nearest to, so that the pair keeps its order.
        text = b"1.00000017881393432617187499\n1.00000011920928955078125\n"
        self.assertEqual(self.sort("f32", text), text)

    def test_unknown_type(self):
        self.assertIn("'f16' is none of", self.refused("sort", "--type", "f16"))


class Check(ProgramTest):
    """-c and -C, which need no GPU."""

    def check(self, text, *flags):
        no_driver = {"VK_DRIVER_FILES": "/nonexistent", "VK_ICD_FILENAMES": "/nonexistent"}
        done = self.run_ordo("sort", *flags, stdin=text, env=no_driver)
        self.assertEqual(done.stdout, b"")
        return done.returncode, done.stderr.decode()

    def test_in_order(self):
        for text in (b"", b"1\n", b"1\n1\n2\n", b"-inf\n-1\n-0.0\n0\n1e300\ninf\nnan\n", b"2\n10\n"):
            for flag in ("-c", "-C", "--check"):
                self.assertEqual(self.check(text, flag), (0, ""), text)
        self.assertEqual(self.check(b"3\n2\n2\n", "-cr"), (0, ""))

    def test_disorder(self):
        self.assertEqual(self.check(b"1\n10\n9\r\n1\n", "-c"), (1, "ordo: -:3: disorder: 9\n"))
        self.assertEqual(self.check(b"1\n10\n9\n1\n", "-C"), (1, ""))
        self.assertEqual(self.check(b"1\n2\n", "-rc"), (1, "ordo: -:2: disorder: 2\n"))
        # Told apart only by their exact values.
        self.assertEqual(self.check(b"0.5\n9007199254740993\n9007199254740992\n", "-c")[0], 1)

    def test_unique_means_strictly(self):
        self.assertEqual(self.check(b"1\n1.0\n", "-cu"), (1, "ordo: -:2: disorder: 1.0\n"))
        self.assertEqual(self.check(b"1\n2\n", "-cu"), (0, ""))

    def test_trouble(self):
        self.assertEqual(self.check(b"1\nx\n", "-c"), (2, "ordo: -:2: not a number: 'x'\n"))
        self.assertEqual(self.check(b"", "-c", "-o", "out")[0], 2)
        self.assertEqual(self.check(b"", "-c", "a", "b")[0], 2)
        self.assertEqual(self.check(b"", "-c", "missing")[0], 2)

    def test_file_is_named(self):
        self.write("f.txt", b"2\n1\n")
        self.assertEqual(self.check(b"", "-c", "f.txt"), (1, "ordo: f.txt:2: disorder: 1\n"))


if __name__ == "__main__":
    unittest.main()
