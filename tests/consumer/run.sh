#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh KIND FOLDER INCLUDE LIBRARY: builds and runs a program against ordo as a stranger would, in FOLDER/KIND, where
# FOLDER/prefix holds the installed ordo, and INCLUDE and LIBRARY are a WebGPU runtime.
set -eu
kind=$1 folder=$2 include=$3 library=$4
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../..
work=$folder/$kind
rm -rf "$work"
mkdir -p "$work"
PKG_CONFIG_PATH=$(dirname "$(find "$folder/prefix" -name ordo.pc)")
export PKG_CONFIG_PATH
# The rpath is for a build with BUILD_SHARED_LIBS.
installed="$(pkg-config --cflags --libs ordo) -Wl,-rpath,$(pkg-config --variable=libdir ordo)"

runtime_dir=$(dirname "$library")
runtime=$(basename "$library" | sed 's/^lib//; s/\.[^.]*$//')
webgpu="-I$include -L$runtime_dir -Wl,-rpath,$runtime_dir -l$runtime"
cc="${CC:-cc} -std=c11 -Wall -Wextra -Werror"

# shellcheck disable=SC2086 # lists of words
case $kind in
find_package | add_subdirectory)
    if [ "$kind" = find_package ]; then
        set -- -DCMAKE_PREFIX_PATH="$folder/prefix" -DWebGPU_ROOT="$include/..;$runtime_dir/.."
    else
        set -- -DORDO_SOURCE="$source" -DORDO_WEBGPU_ROOT="$include/.."
    fi
    cmake -S "$here" -B "$work" -G Ninja "$@"
    cmake --build "$work"
    "$work/consumer"
    ;;
pkg_config)
    $cc "$here/main.c" $installed $webgpu -o "$work/consumer"
    "$work/consumer"
    ;;
two_file)
    python3 -B "$source/tools/amalgamate.py" "$work"
    $cc -I"$work" "$here/main.c" "$work/ordo.c" $webgpu -o "$work/consumer"
    "$work/consumer"
    ;;
plain)
    # As the README says: the library's sources and nothing else, with no flag but where the headers are.
    ${CC:-cc} -I"$source/include" -I"$include" "$source"/src/*.c "$here/main.c" $webgpu -o "$work/consumer"
    "$work/consumer"
    ;;
program)
    # Moved elsewhere, the installed program still finds the runtime that was installed beside it.
    cp -r "$folder/prefix" "$work/moved"
    "$work/moved/bin/ordo" --version
    printf '3\n1\n2\n' | "$work/moved/bin/ordo" sort | tr '\n' ' ' | grep -x '1 2 3 '
    ;;
readme)
    # The first C example of the README, exactly as it stands there.
    awk '/^```c$/ { inside = 1; next } /^```/ && inside { exit } inside' "$source/README.md" >"$work/example.c"
    [ -s "$work/example.c" ]
    $cc "$work/example.c" $installed $webgpu -o "$work/example"
    sh "$here/../expect.sh" 0 output '-3\n-0.25\n0.5\n2\n7\n1e+09\n' "$work/example"
    ;;
*)
    echo "run.sh: no kind is named '$kind'" >&2
    exit 2
    ;;
esac
