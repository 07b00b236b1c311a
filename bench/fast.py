# SPDX-License-Identifier: MIT
"""The tables and charts of bench/fast.sh, for report.py: goals, what is ahead and what behind, methods, data, tiers."""
import collections
import os

import charts
from report import RIVALS, case, first_sorts, is_ours, machines, measured, number, power, series, table, unique

HEADLINE = "wgpu-native"  # the runtime that is compared with others


# ---- Finding results ------------------------------------------------------------------------------------------------

def method(row):
    return row.get("requested", {}).get("method", "auto")


def is_plain(row):
    """As a user gets it: no method asked for, the device's limits, no feature held back or added."""
    return (method(row) == "auto" and row["limits"] == "adapter" and
            (row["runtime"] != HEADLINE or not row["subgroups"]) and (row["runtime"] != "dawn" or row["subgroups"]))


def find(rows, runtime=HEADLINE, **wanted):
    """That runtime's result that is as wanted, by default a sort of random u32 keys; None if there is none."""
    like = {"primitive": "sort", "type": "u32", "value_bytes": 0, "distribution": "random", "unit": False,
            "in_place": False, "allow_unstable": False, "row_length": 0, "skip_high_bits": 0, **wanted}
    for row in rows:
        if (row["runtime"] == runtime and is_plain(row) and row.get("gpu_ms") and row["verified"] and
                all(row.get(name, False) == value for name, value in like.items())):
            return row
    return None


def milliseconds(row):
    return row["gpu_ms"]["median"]


def speed(row):
    """In G elements a second."""
    return row["count"] / milliseconds(row) / 1e6


def rival_place(row):
    """What a rival's row is compared by: it has one stable sort, out of place."""
    return tuple(row.get(k, False) for k in ("primitive", "type", "unit", "value_bytes", "distribution", "count"))


def rivals_of(rows):
    """Their rows by rival and place."""
    return {(RIVALS[row["runtime"]], rival_place(row)): row for row in measured(rows) if not is_ours(row)}


# ---- Goals ----------------------------------------------------------------------------------------------------------

def speed_of(**wanted):
    def figure(rows, runtime):
        row = find(rows, runtime, **wanted)
        return row and speed(row)
    return figure


def time_of(per_ms, **wanted):
    def figure(rows, runtime):
        row = find(rows, runtime, **wanted)
        return row and per_ms * milliseconds(row)
    return figure


def over_u32(rows, runtime):
    """Time of f32 keys over that of u32 keys."""
    floats, words = (find(rows, runtime, count=1 << 26, **more) for more in ({"type": "f32", "unit": True}, {}))
    return floats and words and milliseconds(floats) / milliseconds(words)


def worst_data(rows, runtime):
    names = unique(row["distribution"] for row in rows if row.get("count") == 1 << 26 and "distribution" in row)
    speeds = [speed(row) for row in (find(rows, runtime, count=1 << 26, distribution=name) for name in names) if row]
    return min(speeds) if len(speeds) > 1 else None


def with_subgroups(figure):
    """The same of the runtime that has them only if asked."""
    def asked(rows, runtime):
        mine = [{**row, "subgroups": False} for row in rows if row["runtime"] == HEADLINE and row["subgroups"]]
        return figure(mine, runtime) if runtime == HEADLINE else None
    return asked


def without_subgroups(rows, runtime):
    """wgpu-native runs without them unless asked to."""
    held_back = [{**row, "subgroups": runtime == "dawn"} for row in rows if is_ours(row) and not row["subgroups"]]
    return speed_of(count=1 << 26)(held_back, runtime)


def cold_pipelines(rows, runtime):
    row = next((r for r in rows if r["primitive"] == "first sort" and r["runtime"] == runtime and
                r.get("note") == "empty cache" and r["count"] == 1 << 26), None)
    return row and row["plan_with_pipelines_ms"]


def encode_a_step(rows, runtime):
    row = find(rows, runtime, count=1 << 26)
    return row and row.get("step_count") and row["encode_to_submit_us"] / row["step_count"]


# Where they hold: a part of the adapter's name, to goals. Of each: what, in what, must be, should be, how to find it.
# More is better where the aim is more than the must.
GOALS = {"H200": [
    ("u32 keys, 2^28", "G/s", 70, 85, speed_of(count=1 << 28)),
    ("u32 keys, 2^26", "G/s", 68, 80, speed_of(count=1 << 26)),
    ("u32 keys, 2^24", "G/s", 55, 70, speed_of(count=1 << 24)),
    ("u32 keys, 2^20", "us", 35, 26, time_of(1e3, count=1 << 20)),
    ("u32 keys, 2^16", "us", 20, 14, time_of(1e3, count=1 << 16)),
    ("u32 keys, 2^11", "us", 12, 9, time_of(1e3, count=1 << 11)),
    ("f32 keys from 0 to 1, 2^26: time over that of u32", "", 1.03, 1.03, over_u32),
    ("stable pairs, 2^26", "G/s", 36, 45, speed_of(count=1 << 26, value_bytes=4)),
    ("stable pairs, 2^28", "G/s", 36, 45, speed_of(count=1 << 28, value_bytes=4)),
    ("stable pairs, 2^26, native subgroups", "G/s", 36, 45, with_subgroups(speed_of(count=1 << 26, value_bytes=4))),
    ("stable pairs, 2^28, native subgroups", "G/s", 36, 45, with_subgroups(speed_of(count=1 << 28, value_bytes=4))),
    ("unstable pairs, 2^26", "G/s", 42, 52, speed_of(count=1 << 26, value_bytes=4, allow_unstable=True)),
    ("argsort, 2^26", "G/s", 42, 52, speed_of(count=1 << 26, primitive="argsort")),
    ("argsort, 2^26, native subgroups", "G/s", 42, 52,
     with_subgroups(speed_of(count=1 << 26, primitive="argsort"))),
    ("u64 keys, 2^26", "G/s", 28, 42, speed_of(count=1 << 26, type="u64")),
    ("worst data, keys, 2^26", "G/s", 36, 45, worst_data),
    ("8 varying bits, 2^28", "G/s", 150, 300, speed_of(count=1 << 28, distribution="bits-8")),
    ("sorted, in place, 2^28", "ms", 0.6, 0.3, time_of(1, count=1 << 28, distribution="sorted", in_place=True)),
    ("all equal, in place, 2^28", "ms", 0.6, 0.3, time_of(1, count=1 << 28, distribution="equal", in_place=True)),
    ("exclusive scan, 2^28", "G/s", 430, 500, speed_of(count=1 << 28, primitive="scan")),
    ("without subgroups, keys, 2^26", "G/s", 50, 70, without_subgroups),
    ("pipelines, cold, keys, 2^26", "ms", 800, 300, cold_pipelines),
    ("encode to submit, a step, keys, 2^26", "us", 7, 4, encode_a_step),
], "llvmpipe": [("u32 keys, 2^20", "ms", 120, 60, time_of(1, count=1 << 20))]}


def verdict(value, must, aim):
    if value is None:
        return ""
    more = aim > must
    if (value >= aim) if more else (value <= aim):
        return "aim reached"
    return "reached" if ((value >= must) if more else (value <= must)) else "MISSED"


def goals(rows):
    ours = [name for name in (HEADLINE, "dawn") if any(row["runtime"] == name for row in rows)]
    body, adapter = [], " ".join({row["adapter"] for row in rows if is_ours(row)})
    for name, unit, must, aim, figure in [goal for part in GOALS if part in adapter for goal in GOALS[part]]:
        values = [figure(rows, runtime) for runtime in ours]
        rival = figure(rows, "cub") if any(row["runtime"] == "cub" for row in rows) and figure is not over_u32 else None
        if any(value is not None for value in values):
            body.append([name, unit, number(must), number(aim)] +
                        [number(value) if value is not None else "" for value in values] +
                        [number(rival) if rival is not None else "", verdict(values[0], must, aim)])
    return table(["goal", "unit", "must", "aim"] + ours + ["CUB", "verdict"], body) if body else ""


# ---- Comparisons ----------------------------------------------------------------------------------------------------

def cell(row):
    if row is None:
        return ""
    mark = "" if row["verified"] else " WRONG"
    return (f"{number(milliseconds(row))} ({number(speed(row))})" if row["gpu_ms"] else "n/a") + mark


def side_by_side(rows, column, first):
    """Cases down, columns across, then rivals, and how many times as fast as each the first column is, `first`."""
    rivals = rivals_of(rows)
    mine = [row for row in measured(rows) if is_ours(row)]
    columns = unique(column(row) for row in mine)
    by_place = {(text_of(row), row["count"], column(row)): row for row in mine}
    example = {(text_of(row), row["count"]): row for row in mine}
    names = [name for name in RIVALS.values() if any((name, rival_place(row)) in rivals for row in mine)]
    body, kinds = [], unique(text for text, _ in example)

    def over(row, lead):
        known = row and lead and row["gpu_ms"] and lead["gpu_ms"]
        return f"{milliseconds(row) / milliseconds(lead):.2f}" if known else ""

    for place in sorted(example, key=lambda place: (kinds.index(place[0]), place[1])):
        of_rivals = [rivals.get((name, rival_place(example[place]))) for name in names]
        lead = by_place.get((*place, first))
        body.append([place[0], power(place[1])] + [cell(by_place.get((*place, c))) for c in columns] +
                    [cell(row) for row in of_rivals] + [over(row, lead) for row in of_rivals])
    head = ["ms (G elements/s)", "count"] + columns + names + [f"{name}'s time / {first}" for name in names]
    return table(head, body) if body else ""


def text_of(row):
    """The case of a row as text, without its method."""
    return case({**row, "requested": {**row.get("requested", {}), "method": "auto"}})[0]


def plain(rows):
    return [row for row in rows if not is_ours(row) or is_plain(row)]


def with_methods(rows):
    """Sorts of random keys by one runtime, of which some method was asked for, and rivals."""
    mine = [row for row in rows if row["runtime"] == HEADLINE and row["primitive"] == "sort" and "gpu_ms" in row and
            row["limits"] == "adapter" and not row["subgroups"] and not row.get("in_place") and
            row["distribution"] == "random"]
    asked = {(text_of(row), row["count"]) for row in mine if method(row) != "auto"}
    return [row for row in mine if (text_of(row), row["count"]) in asked] + [row for row in rows if not is_ours(row)]


def lesser(rows):
    """Keys and pairs on other tiers: each column a runtime with what it has been given or denied."""
    mine = [row for row in rows if is_ours(row) and row["primitive"] == "sort" and "gpu_ms" in row and
            method(row) == "auto" and row["distribution"] == "random" and not row.get("in_place")]
    others = {(text_of(row), row["count"]) for row in mine if not is_plain(row)}
    return [row for row in mine if (text_of(row), row["count"]) in others]


def losses(rows):
    """Where a rival is faster than ordo as a user gets it."""
    lines, rivals, compared = ["Where others are ahead:", ""], rivals_of(rows), 0
    for row in plain(measured(rows)):
        for name in RIVALS.values() if row["runtime"] == HEADLINE and row["gpu_ms"] else ():
            rival = rivals.get((name, rival_place(row)))
            compared += bool(rival)
            if rival and milliseconds(rival) < milliseconds(row):
                lines.append(f"- {text_of(row)}, {power(row['count'])}: {name} takes {number(milliseconds(rival))} ms, "
                             f"ordo {number(milliseconds(row))}, "
                             f"{milliseconds(row) / milliseconds(rival):.2f} times as long")
    if not compared:
        return ""
    return "\n".join(lines) if len(lines) > 2 else f"No rival is ahead in any of {compared} comparisons."


def overheads(rows):
    """What the host pays."""
    rows = [row for row in plain(measured(rows)) if is_ours(row) and row["distribution"] == "random"]
    rows = [row for row in rows if row["step_count"]]
    head = ["case", "count", "with", "steps", "encode us", "to submit us", "to submit us/step", "ordo's us/step",
            "plan us", "wall ms", "GPU ms", "scratch/input"]
    body = []
    for row in rows:
        size = row["count"] * ((8 if row["type"].endswith("64") else 4) + row["value_bytes"])
        body.append([text_of(row), power(row["count"]), series(row), row["step_count"], number(row["encode_us"]),
                     number(row["encode_to_submit_us"]), number(row["encode_to_submit_us"] / row["step_count"]),
                     number(row["encode_own_us_per_step"]), number(row["plan_us"]),
                     number(row["wall_ms"]["median"] if row["wall_ms"] else None),
                     number(row["gpu_ms"]["median"] if row["gpu_ms"] else None),
                     f"{row['scratch_bytes'] / size:.3f}" if size else ""])
    return table(head, body) if body else ""


def different_inputs(rows):
    """Cases whose rows did not sort the same data, as text."""
    sums = collections.defaultdict(dict)
    for row in measured(rows):
        if "input_sum" in row and row["primitive"] in ("sort", "argsort", "scan", "reduce", "copy") and not any(
                row.get(k) for k in ("row_length", "skip_high_bits", "buckets")):
            key = (row["type"], row.get("unit", False), row["distribution"], row["count"])
            sums[key].setdefault(row["input_sum"], series(row))
    return [f"{key[0]}{' 0 to 1' if key[1] else ''}, {key[2]}, {power(key[3])}: the input differs between "
            f"{' and '.join(names.values())}" for key, names in sums.items() if len(names) > 1]


def with_data(rows):
    """Sorts by one runtime of what was measured with more than three distributions, in turn, and rivals."""
    mine = [row for row in rows if row["runtime"] == HEADLINE and "gpu_ms" in row and row["primitive"] == "sort" and
            row["limits"] == "adapter" and not row["subgroups"] and not row.get("in_place") and
            not row.get("allow_unstable") and method(row) in ("auto", "radix")]
    names = ("type", "unit", "value_bytes", "order", "count")
    kind = {id(row): tuple(row.get(name, False) for name in names) for row in mine}
    known = collections.defaultdict(set)
    for row in mine:
        known[kind[id(row)]].add(row["distribution"])
    mine = [row for row in mine if len(known[kind[id(row)]]) > 3]
    return (sorted(mine, key=lambda row: list(known).index(kind[id(row)])) +
            [row for row in rows if not is_ours(row)])


def report(rows, charts_of=()):
    """charts_of: the files that charts were written to, which the page shows."""
    data, methods, tiers = with_data(rows), with_methods(rows), lesser(rows)
    main = [row for row in plain(rows) if row not in data or row["distribution"] == "random" or not is_ours(row)]

    def titled(title, text):
        return f"{title}:\n\n{text}" if text else ""

    parts = [machines(rows), goals(rows), "\n".join(f"![{title}]({file})" for file, title in charts_of), losses(rows),
             side_by_side(main, series, HEADLINE),
             titled("By distribution", side_by_side(data, method, "auto")),
             titled("By method", side_by_side(methods, method, "auto")),
             titled("With what other devices and builds have", side_by_side(tiers, series, HEADLINE)),
             first_sorts(rows), overheads(rows)]
    skipped = unique(f"- {text_of(row)}, {power(row['count'])}, {method(row)} was skipped: {row['skipped']}"
                     for row in rows if "skipped" in row)
    return "\n\n".join(part for part in parts + ["\n".join(skipped)] if part)


# ---- Charts ---------------------------------------------------------------------------------------------------------

CURVES = ("msd", "sample", "onesweep", "radix", "bitonic", "CUB")


def curves(rows, value_bytes):
    """G elements/s over log2 of the count, by method, and CUB."""
    found = collections.defaultdict(list)
    for row in measured(rows):
        like = (row["primitive"] == "sort" and row["type"] == "u32" and row["distribution"] == "random" and
                row["value_bytes"] == value_bytes and row["gpu_ms"] and row["verified"] and
                row["count"] == 1 << (row["count"].bit_length() - 1) and not any(
                    row.get(k) for k in ("in_place", "allow_unstable", "row_length", "skip_high_bits", "buckets")))
        name = "CUB" if row["runtime"] == "cub" else method(row) if row["runtime"] == HEADLINE else None
        if like and name in CURVES and row["limits"] == "adapter" and (
                name == "CUB" or not row["subgroups"]):
            found[name].append((row["count"].bit_length() - 1, speed(row)))
    return {name: found[name] for name in CURVES if found[name]}


def data_bars(rows):
    """Keys by distribution, where most of them were measured."""
    mine = [row for row in plain(measured(rows)) if row["runtime"] in (HEADLINE, "cub") and
            row["primitive"] == "sort" and row["type"] == "u32" and not row["value_bytes"] and row["gpu_ms"] and
            row["verified"] and not any(row.get(name) for name in ("in_place", "row_length", "skip_high_bits"))]
    counts = collections.Counter(row["count"] for row in mine if row["runtime"] == HEADLINE)
    if not counts or max(counts.values()) < 2:
        return None, []
    count = max(counts, key=lambda c: (counts[c], c))
    groups = collections.OrderedDict()
    for row in sorted(mine, key=lambda r: (r["runtime"] != HEADLINE)):
        if row["count"] == count and (row["runtime"] == HEADLINE or row["distribution"] in groups):
            groups.setdefault(row["distribution"], {})["ordo" if row["runtime"] == HEADLINE else "CUB"] = speed(row)
    return count, list(groups.items())


def write_charts(rows, folder):
    """performance-keys.svg, performance-pairs.svg and performance-data.svg, those that there is something to show in.
    Returns the names and titles of those."""
    adapter = next((row["adapter"] for row in rows if is_ours(row)), "")
    written = []
    for name, value_bytes, what in ("keys", 0, "u32 keys"), ("pairs", 4, "stable pairs of u32"):
        found = curves(rows, value_bytes)
        if found:
            title = f"Sorting {what} on {adapter}"
            written.append((name, title, charts.lines(title, found, "count", "G elements/s")))
    count, groups = data_bars(rows)
    if groups:
        title = f"Sorting {power(count)} u32 keys on {adapter}, by distribution"
        written.append(("data", title, charts.bars(title, groups, "G keys/s")))
    for name, _, svg in written:
        with open(os.path.join(folder, f"performance-{name}.svg"), "w") as stream:
            stream.write(svg)
    return [(f"performance-{name}.svg", title) for name, title, _ in written]
