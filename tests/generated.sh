#!/bin/sh
# SPDX-License-Identifier: MIT
# generated.sh EMBED SOURCE: fails when the generated files in the folder SOURCE are not what EMBED makes of kernels/;
# `./dev build` brings them up to date.
set -eu
embed=$1
cd "$2"
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$embed" . "$fresh/kernels.gen.c" "$fresh/kernels.gen.mjs"
diff -u src/kernels.gen.c "$fresh/kernels.gen.c"
diff -u js/kernels.gen.mjs "$fresh/kernels.gen.mjs"
