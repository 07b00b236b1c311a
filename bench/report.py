#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turn the JSON lines of ordo_bench, of the programs that time CUB and of torch_topk.py into Markdown tables.

    ordo_bench --quick | python3 bench/report.py
    python3 bench/report.py h200.jsonl
    python3 bench/report.py h200.jsonl --into docs/performance.md --section h200
    python3 bench/report.py --fast fast.jsonl --into docs/performance.md --section fast --charts docs
    python3 bench/report.py h200.jsonl --ratios --into docs/third-option.md --section third

With --into, the tables replace what stands in that file between the lines
`<!-- begin SECTION -->` and `<!-- end SECTION -->`. --fast gives the tables of bench/fast.sh's cases, and --charts draws
them. Exits with 1 when a line says that a result was wrong, or when rows of one case did not sort the same data.
"""
import argparse
import json
import sys


def read_lines(files):
    """The objects in the files, in order; what is no JSON (a driver's noise) is shown on stderr."""
    rows = []
    for name in files:
        with open(name) if name != "-" else sys.stdin as stream:
            for line in stream:
                try:
                    row = json.loads(line)
                except json.JSONDecodeError:
                    row = None
                if isinstance(row, dict):
                    rows.append(row)
                elif line.strip():
                    print("report.py: not a result:", line.strip(), file=sys.stderr)
    return rows


def number(value):
    """Three digits that count."""
    if value is None:
        return "n/a"
    if value == 0:
        return "0"
    digits = f"{value:.3g}"
    if "e" not in digits:
        return digits
    return f"{float(digits):.0f}" if abs(value) >= 1 else f"{float(digits):.9f}".rstrip("0")


def power(count):
    exponent = count.bit_length() - 1
    return f"2^{exponent}" if count == 1 << exponent and exponent >= 10 else str(count)


# Who else is measured beside ordo.
RIVALS = {"cub": "CUB", "torch": "torch"}


def is_ours(row):
    return row["runtime"] not in RIVALS


def series(row):
    """The column of a row: who ran it, and with what held back."""
    name = RIVALS.get(row["runtime"], row["runtime"])
    if row.get("form"):
        name += ", " + row["form"]
    if row["limits"] == "default":
        return name + ", default limits"
    if row["runtime"] == "wgpu-native":
        return name + ", native subgroups" if row["subgroups"] else name
    return name if row["subgroups"] else name + ", no subgroups"


def problem(row):
    """What a primitive has beside its keys, as text."""
    if "bins" in row:
        return f", {row['bins']} bins" + (f" by {row['bins_by']}" if row["bins_by"] != "even" else "")
    if "cells" in row:
        tight = row["stride_bytes"] == 4 * row["dimensions"]
        return (f", {row['cells']}^{row['dimensions']} cells" + ("" if tight else f", stride {row['stride_bytes']}") +
                (", points out" if row["points_out"] else ""))
    if "k" in row:
        return f", k = {row['k']}" + (", smallest" if row["smallest"] else "")
    if row.get("depth"):
        return f", depths into {row['buckets']} buckets"
    if row.get("buckets"):
        return f", {row['buckets']} buckets" if row["primitive"].startswith("counting") else f", keys below {row['buckets']}"
    return ""


def case(row):
    """The row of the table that a result belongs to, as text."""
    primitive = row["primitive"]
    text = f"{primitive} {row['type']}"
    if row.get("unit"):
        text += " 0 to 1"
    if row.get("value_bytes"):
        text += f" + {row['value_bytes']} B"
    if row.get("order") == "descending" and primitive in ("sort", "argsort"):
        text += " down"
    if row.get("distribution", "random") != "random":
        text += f", {row['distribution']}"
    if row.get("row_length"):
        text += f", rows of {row['row_length']}"
    if row.get("skip_high_bits"):
        text += f", {int(row['type'][1:]) - row['skip_high_bits']} key bits"
    if row.get("allow_unstable"):
        text += ", unstable"
    if row.get("in_place"):
        text += ", in place"
    text += problem(row)
    requested = row.get("requested", {})
    if requested.get("method", "auto") != "auto":
        text += f", {requested['method']}"
    if requested.get("block_length"):
        text += f", blocks of {requested['block_length']}"
    if requested.get("fused_levels"):
        text += f", fuse {requested['fused_levels']}"
    digit_bits = row.get("requested", row).get("digit_bits")
    if digit_bits not in (0, 8, None):
        text += f", {digit_bits} bits a pass"
    return text, row["count"]


def table(head, rows):
    """A Markdown table whose columns also line up on a terminal; the first two are text."""
    cells = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]

    def line(row):
        padded = [cell.ljust(w) if i < 1 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        return "| " + " | ".join(padded) + " |"

    rule = "|" + "|".join(("-" * (w + 2)) if i < 1 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return "\n".join([line(head), rule] + [line(row) for row in cells[1:]])


def unique(items):
    return list(dict.fromkeys(items))


def places(rows):
    """The cases of the rows: kinds as they first came, counts upwards."""
    kinds = unique(case(row)[0] for row in rows)
    return sorted(unique(case(row) for row in rows), key=lambda place: (kinds.index(place[0]), place[1]))


def measured(rows):
    return [row for row in rows if "gpu_ms" in row]


def times(rows):
    """Cases down, series across: median of the GPU's time in milliseconds, the least in brackets."""
    rows = measured(rows)
    columns = unique(series(row) for row in rows)
    by_place = {(case(row), series(row)): row for row in rows}

    def cell(row):
        if row is None:
            return ""
        mark = "" if row["verified"] else " WRONG"
        if row["gpu_ms"] is None:
            wall = row["wall_ms"]
            return f"n/a (wall {number(wall['median'] if wall else None)}){mark}"
        return f"{number(row['gpu_ms']['median'])} ({number(row['gpu_ms']['min'])}){mark}"

    foreign = [c for c in columns if c.split(",")[0] in RIVALS.values()]

    def lead(place, rival):
        """How many times faster than the rival the best of our columns is."""
        row = by_place.get((place, rival))
        ours = [by_place[place, c]["gpu_ms"] for c in columns if c not in foreign and (place, c) in by_place]
        ours = [times["median"] for times in ours if times]
        return f"{row['gpu_ms']['median'] / min(ours):.2f}" if row and row["gpu_ms"] and ours else ""

    head = ["milliseconds on the GPU", "count"] + columns + [f"{rival}'s time / our best" for rival in foreign]
    body = [[place[0], power(place[1])] + [cell(by_place.get((place, c))) for c in columns] +
            [lead(place, rival) for rival in foreign] for place in places(rows)]
    return table(head, body)


def full_sort(row):
    """What the sort of the same data that a primitive spares would be: a part of its line; None for other rows."""
    like = {"unit": row.get("unit", False), "type": row["type"], "value_bytes": 0, "buckets": 0, "primitive": "argsort"}
    if row["primitive"] == "histogram":
        return {**like, "primitive": "sort"}
    if row["primitive"] == "counting-sort":
        return {**like, "primitive": "sort", "buckets": row["buckets"], "value_bytes": row["value_bytes"]}
    if row["primitive"] == "counting-argsort":
        return like if row.get("depth") else {**like, "buckets": row["buckets"]}
    if row["primitive"] == "grid":
        return {**like, "type": "u32", "buckets": row["cells"] ** row["dimensions"]}
    return like if row["primitive"] == "top-k" and not row["row_length"] else None


def beside_sorts(rows):
    """Each primitive's row with that of ordo's own full sort of the same data, by the same runtime."""
    rows = [row for row in measured(rows) if is_ours(row) and row["gpu_ms"]]
    sorts = [row for row in rows if row["primitive"] in ("sort", "argsort") and not row["skip_high_bits"] and
             not row["row_length"] and row["requested"]["method"] == "auto"]
    pairs = []
    for row in rows:
        wanted = full_sort(row)
        for other in sorts if wanted else []:
            same = all(row[name] == other[name] for name in ("count", "distribution"))
            if same and series(row) == series(other) and all(other.get(k, 0) == v for k, v in wanted.items()):
                pairs.append((row, other))
                break
    return pairs


def instead_of_sorting(rows):
    """What primitives save beside a full sort."""
    body = []
    for row, sort in beside_sorts(rows):
        mine, its = row["gpu_ms"]["median"], sort["gpu_ms"]["median"]
        body.append([case(row)[0], power(row["count"]), series(row), number(mine), case(sort)[0], number(its),
                     f"{its / mine:.1f}"])
    head = ["instead of a full sort", "count", "with", "ms", "the sort", "its ms", "times as fast"]
    return table(head, body) if body else ""


def details(rows):
    """What the runs of ordo itself cost beside the GPU's time."""
    rows = [row for row in measured(rows) if is_ours(row)]
    head = ["case", "count", "with", "G elements/s", "share of copy", "wall ms", "CPU ms", "steps", "encode us",
            "of it runtime", "ordo's us/step", "to submit us", "plan us", "pipelines ms", "scratch/input"]
    body = []
    order = places(rows)
    for row in sorted(rows, key=lambda r: order.index(case(r))):
        gpu = row["gpu_ms"]
        key_bytes = 8 if row["type"].endswith("64") else 4
        input_bytes = row["count"] * (row.get("stride_bytes", key_bytes) + row["value_bytes"])
        body.append([case(row)[0], power(row["count"]), series(row),
                     number(row["count"] / gpu["median"] / 1e6) if gpu else "n/a",
                     f"{100 * row['share_of_copy']:.1f} %" if row["share_of_copy"] is not None else "n/a",
                     number(row["wall_ms"]["median"]) if row["wall_ms"] else "n/a", number(row["cpu_ms"]),
                     row["step_count"],
                     number(row["encode_us"]), number(row["encode_runtime_us"]), number(row["encode_own_us_per_step"]),
                     number(row["encode_to_submit_us"]), number(row["plan_us"]),
                     number(row["plan_with_pipelines_ms"]),
                     f"{row['scratch_bytes'] / input_bytes:.3f}" if input_bytes else ""])
    return table(head, body)


def first_sorts(rows):
    rows = [row for row in rows if row["primitive"] == "first sort"]
    head = ["first sort of a process, ms", "count", "total", "open device", "upload", "plan and pipelines", "run"]
    body = [[series(row) + ("" if row.get("method", "radix") == "radix" else f", {row['method']}") +
             (f", {row['note']}" if "note" in row else "") + ("" if row["verified"] else " WRONG"),
             power(row["count"])] + [number(row[name + "_ms"])
                                     for name in ("total", "open", "upload", "plan_with_pipelines", "run")]
            for row in rows]
    return table(head, body) if rows else ""


def machines(rows):
    """Who measured, a line each."""
    lines = []
    for row in rows:
        version = row["runtime_version"] or "of unknown version"
        copy = row.get("copy_bytes_per_second")
        key = (row["adapter"], row["driver"], f"{row['runtime']} {version}")
        lines.append((key, copy or 0))
    best = {key: max(copy for k, copy in lines if k == key) for key, _ in lines}
    return "\n".join(f"- {adapter}, {driver}, {runtime}" +
                     (f"; a copy moves {number(copy / 1e9)} GB/s, read and written" if copy else "")
                     for (adapter, driver, runtime), copy in best.items())


def ratios(rows):
    """What primitives save, and who measured that; nothing else."""
    pairs = beside_sorts(rows)
    if not pairs:
        sys.exit("report.py: no result stands beside a full sort of the same data")
    return machines([row for row, _ in pairs]) + "\n\n" + instead_of_sorting(rows)


def report(rows):
    parts = [machines(rows), times(rows) if measured(rows) else "", instead_of_sorting(rows), first_sorts(rows)]
    if any(is_ours(row) for row in measured(rows)):
        parts.append(details(rows))
    skipped = unique(f"- {case(row)[0]} at {power(row['count'])} was skipped: {row['skipped']}"
                     for row in rows if "skipped" in row)
    return "\n\n".join(part for part in parts + ["\n".join(skipped)] if part)


def replace_section(path, section, text):
    with open(path) as stream:
        page = stream.read()
    begin, end = f"<!-- begin {section} -->\n", f"<!-- end {section} -->\n"
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        sys.exit(f"report.py: {path} has no one section {section}")
    with open(path, "w") as stream:
        stream.write(page[:page.index(begin)] + begin + text + "\n" + page[page.index(end):])


def main():
    import fast  # which reads this file in turn

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=["-"], help="JSON lines (standard input)")
    parser.add_argument("--into", metavar="PAGE", help="a Markdown file to write the tables into")
    parser.add_argument("--section", metavar="NAME", help="the section of it that they replace")
    parser.add_argument("--ratios", action="store_true", help="only what primitives save beside a full sort")
    parser.add_argument("--fast", action="store_true", help="goals, methods and data, as bench/fast.sh measures them")
    parser.add_argument("--charts", metavar="FOLDER", help="with --fast: where to write SVG charts")
    options = parser.parse_args()
    if (options.into is None) != (options.section is None):
        parser.error("--into and --section go together")
    if options.charts and not options.fast:
        parser.error("--charts goes with --fast")
    rows = read_lines(options.files)
    if not rows:
        sys.exit("report.py: no results")
    differences = fast.different_inputs(rows)
    for difference in differences:
        print("report.py:", difference, file=sys.stderr)
    if options.fast:
        text = fast.report(rows, fast.write_charts(rows, options.charts) if options.charts else ())
    else:
        text = ratios(rows) if options.ratios else report(rows)
    if options.into:
        replace_section(options.into, options.section, text)
    else:
        print(text)
    return 0 if all(row.get("verified", True) for row in rows) and not differences else 1


if __name__ == "__main__":
    sys.exit(main())
