#!/bin/sh
# SPDX-License-Identifier: MIT
# expect.sh STATUS output|lines EXPECTED COMMAND…: fails unless the command exits with STATUS and prints what is expected
# on standard output: with `output` exactly EXPECTED, in which \n is a newline; with `lines` at least one line, and
# EXPECTED in every one.
set -eu
status=$1 way=$2 expected=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

got=0
"$@" >"$work/output" || got=$?
cat "$work/output"
if [ "$got" != "$status" ]; then
    echo "expect.sh: exit status $got, not $status" >&2
    exit 1
fi
case $way in
output)
    printf '%b' "$expected" >"$work/expected"
    diff -u "$work/expected" "$work/output" >&2
    ;;
lines)
    if [ ! -s "$work/output" ] || grep -vF -e "$expected" "$work/output" >&2; then
        echo "expect.sh: no output, or lines without $expected" >&2
        exit 1
    fi
    ;;
*)
    echo "expect.sh: no way is named '$way'" >&2
    exit 2
    ;;
esac
