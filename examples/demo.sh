#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh ORDO FOLDER: sorts two inputs with the program ORDO, in FOLDER, and checks each result against another sort.
# Many duplicates over a wide range: the sizes of all files under /usr. Then a million random floats of any size.
set -eu
ordo=$1 folder=$2
mkdir -p "$folder"
wrong() { echo "demo: $1" >&2; exit 1; }

find /usr -type f -printf '%s\n' >"$folder/sizes.txt" 2>/dev/null || :
printf '\nThe sizes of all %s files under /usr\n' "$(wc -l <"$folder/sizes.txt")"
"$ordo" sort --stats -o "$folder/sizes.sorted" "$folder/sizes.txt"
LC_ALL=C sort -n -s "$folder/sizes.txt" | cmp - "$folder/sizes.sorted" || wrong 'this is not what sort -n gives'
echo 'Verified: byte for byte what sort -n gives.'

printf '\nA million random floats\n'
python3 -c 'import array, random, sys
floats = array.array("f", (random.uniform(-1, 1) * 10 ** random.uniform(-30, 30) for _ in range(1000000)))
floats.tofile(open(sys.argv[1], "wb"))' "$folder/floats.f32"
"$ordo" sort --stats --raw --type f32 -o "$folder/floats.sorted" "$folder/floats.f32"
python3 -c 'import array, sys
before, after = array.array("f"), array.array("f")
before.fromfile(open(sys.argv[1], "rb"), 1000000)
after.fromfile(open(sys.argv[2], "rb"), 1000000)
sys.exit(sorted(before) != list(after))' "$folder/floats.f32" "$folder/floats.sorted" ||
    wrong "this is not what Python's sorted() gives"
echo "Verified: what Python's sorted() gives."
