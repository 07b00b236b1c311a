#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""amalgamate.py FOLDER: writes ordo as two files, FOLDER/ordo.h and FOLDER/ordo.c, with the WGSL inside.

    include/ordo_plan.h    ─┐
    include/ordo.h          ├► ordo.h       src/*.h  ─┐
    include/ordo_network.h  │               src/*.c  ─┴► ordo.c
    include/ordo_advise.h  ─┘

Each of our headers is put in where it is first included. What the headers in src/ declare becomes static: by C11 6.2.2
a definition takes the internal linkage of the declaration before it, so prototypes alone need the word. Data has no
such rule; its declarations go, and its definitions become static and come first. Names that two sources use for
something of their own are told apart by the file's name, with #define around the later one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ("ordo.h", "ordo_network.h", "ordo_advise.h")
INCLUDE = re.compile(r'^#include ([<"])(.+)[>"].*\n', re.MULTILINE)
# A function is declared by its parameters, or by a typedef of a function type.
PROTOTYPE = re.compile(r"^(?!typedef|static|extern|struct|enum)"
                       r"(?=[A-Za-z][\w *]*\bordo_\w+(?:\([^;{}]*\)|(?:,\s+ordo_\w+)*);)", re.MULTILINE)
DATA = re.compile(r"^extern (?!\")[^;(]*?(\w+)(?:\[[^;]*\])?;.*\n", re.MULTILINE)
LOCAL = re.compile(r"^(?:static|typedef struct) [^;=({\[]*?\b(\w+)(?= ?[({=\[;])", re.MULTILINE)
SPDX = "/* SPDX-License-Identifier: MIT */\n"
FEATURE = re.compile(r"^#define (?:_POSIX_C_SOURCE|_GNU_SOURCE|_DEFAULT_SOURCE).*\n", re.MULTILINE)


def expand(path, seen, static):
    """The text of a file, with each of our headers, and each #include of another, put in once."""
    text = path.read_text(encoding="utf-8").replace(SPDX, "", 1)
    if static and path.suffix == ".h":
        static.update(DATA.findall(text))
        text = PROTOTYPE.sub("static ", DATA.sub("", text))

    def put_in(match):
        bracket, name = match.groups()
        if name in seen:
            return ""
        seen.add(name)
        if bracket == "<":
            return match.group(0)
        found = [folder / name for folder in (path.parent, ROOT / "include") if (folder / name).is_file()]
        if not found:
            sys.exit(f"amalgamate.py: {path} includes {name}, which is neither beside it nor in include/")
        return expand(found[0], seen, static)

    return INCLUDE.sub(put_in, text)


def apart(path, text, taken):
    """The text of a source, with those of its own names that are taken already made different."""
    own = set(LOCAL.findall(text)) - {"struct", "union", "enum"}  # of a nameless type
    clashes = sorted(own & taken)
    taken |= own
    stem = path.name.split(".")[0]
    return ("".join(f"#define {name} {stem}_{name}\n" for name in clashes) + text
            + "".join(f"#undef {name}\n" for name in clashes))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: amalgamate.py FOLDER")
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    public = {"ordo.h"}
    header = "".join(expand(ROOT / "include" / name, public, None) for name in HEADERS)
    version = ".".join(re.findall(r"^#define ORDO_VERSION_\w+ (\d+)$", header, re.MULTILINE))
    note = SPDX + f"/* ordo {version} in two files, made by tools/amalgamate.py: do not edit. */\n"
    (folder / "ordo.h").write_text(note + header, encoding="utf-8")

    static = {""}
    seen = {*HEADERS, "ordo_plan.h"}
    sources = sorted((ROOT / "src").glob("*.c"), key=lambda path: (not path.name.endswith(".gen.c"), path.name))
    taken = set()
    body = "".join(f"\n/* ---- {path.name} ---- */\n\n" + apart(path, expand(path, seen, static), taken) for path in sources)
    for name in static - {""}:
        body = re.sub(rf"^(?=const [^;(=]*\b{name}\b)", "static ", body, flags=re.MULTILINE)
    features = "".join(dict.fromkeys(FEATURE.findall(body)))
    (folder / "ordo.c").write_text(note + features + '#include "ordo.h"\n' + FEATURE.sub("", body), encoding="utf-8")


main()
