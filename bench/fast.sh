#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The cases of the fast path's tables and charts, on any GPU. Lines go to standard output, the rest to standard error.
#
#     bash bench/fast.sh >fast.jsonl                      build/ordo_bench, counts up to 2^28: minutes
#     MOST=20 bash bench/fast.sh --adapter 1 >fast.jsonl  up to 2^20; options are ordo_bench's
#     ORDO_BENCH=… CUB=… bash bench/fast.sh >fast.jsonl   other programs; CUB is bench/cub.cu, built: without it its
#                                                         columns stay empty
#     python3 bench/report.py --fast fast.jsonl
#
# bench/h200.sh reads this file for its functions. Each takes a command that measures, and leaves out counts above 2^most.

most=${MOST:-28}
data_at=$((most < 26 ? most : 26)) # where distributions are compared
all_data=random,entropy-0.544,entropy-0.201,sorted,reversed,equal,few,zipf,distinct-100,clustered,bits-8,zipf-ranks,nearly-sorted

# at EXPONENTS COMMAND…: runs the command at those powers of two.
at() {
    local counts='' exponent
    for exponent in $1; do [ "$exponent" -gt "$most" ] || counts=$counts,2^$exponent; done
    [ -z "$counts" ] || "${@:2}" --count "${counts#,}"
}

# What the tables are about.
fast_goals() {
    at '10 11 12 13 14 15 16 17 18 20 21 22 24 26 27 28' "$@" --value-bytes 0
    at '12 14 16 18 20 24 26 28' "$@" --value-bytes 4
    at '20 24 26 28' "$@" --primitive argsort,scan,copy
    at '20 24 26 28' "$@" --primitive argsort,sort --type f32 --unit --value-bytes 0
    at '20 24 26 27' "$@" --type u64 --value-bytes 0
    at '24 26 28' "$@" --value-bytes 4 --allow-unstable
    at "$data_at" "$@" --type f32 --distribution random,normal --value-bytes 0
    at "$most" "$@" --value-bytes 0 --distribution bits-8,sorted,equal
    at "$most" "$@" --value-bytes 0 --distribution random,sorted,equal --in-place
}
# Those that ballots of subgroups make faster, for a runtime that has them if asked.
fast_subgroups() {
    at '16 18 20 24 26 28' "$@" --value-bytes 4
    at '20 24 26 28' "$@" --primitive argsort
}
# The most telling of them, for a second runtime.
fast_headlines() {
    at '11 16 20 24 26 28' "$@" --value-bytes 0,4
    at '26 28' "$@" --primitive argsort,scan
    at '26' "$@" --type u64,f32 --unit --value-bytes 0
}
fast_data() { at "$data_at" "$@" --distribution "${all_data#random,}"; }
fast_methods() {
    at '10 11 12 13 14 16 18 20 21 22 24 26 28' "$@" --value-bytes 0 --method msd,radix
    at '10 12 14 16 18 20 22 24' "$@" --value-bytes 0 --method bitonic
    at '11 12 13 14 15 16 17' "$@" --value-bytes 0 --method sample
    at '16 18 20 22 24 26 28' "$@" --value-bytes 0 --method onesweep
    at '16 20 24 26 28' "$@" --value-bytes 4 --method msd,radix
    at '12 14 16 17' "$@" --value-bytes 4 --method sample
    at '16 20 24 26 28' "$@" --value-bytes 4 --method onesweep
    at "$data_at" "$@" --value-bytes 0 --method radix --distribution "${all_data#random,}"
}
# What another device or build would get.
fast_lesser() { at '16 20 24 26' "$@" --value-bytes 0,4; }
# More than a binding may hold on most devices: the last two are bound in windows, if a buffer holds them.
fast_huge() { [ "$most" -lt 28 ] || "$@" --value-bytes 0 --count 536870911,1000000000,2^30; }

# The same for CUB, one case a word.
cub_cases() {
    local exponent data
    words() { for exponent in $2; do [ "$exponent" -gt "$most" ] || echo "$1:$((1 << exponent))"; done; }
    words sort:u32:0:random '10 11 12 13 14 15 16 17 18 20 21 22 24 26 27 28'
    words sort:u32:4:random '12 14 16 18 20 24 26 28'
    words argsort:u32:0:random '20 24 26 28'
    words scan:u32:0:random '20 24 26 28'
    words copy:u32:0:random '20 24 26 28'
    words sort:f32:0:unit '20 24 26 28'
    words argsort:f32:0:unit '20 24 26 28'
    words sort:u64:0:random '20 24 26 27'
    for data in random normal; do words "sort:f32:0:$data" $data_at; done
    for data in bits-8 sorted equal; do words "sort:u32:0:$data" "$most"; done
    for data in ${all_data//,/ }; do
        [ "$data" = random ] || { words "sort:u32:0:$data" $data_at; words "sort:u32:4:$data" $data_at; }
    done
}

[ "${BASH_SOURCE[0]}" = "$0" ] || return 0
set -eu
cd "$(dirname "$0")/.."
program=${ORDO_BENCH:-build/ordo_bench}
[ -x "$program" ] || { echo "fast.sh: there is no $program: run ./dev build, or set ORDO_BENCH" >&2; exit 2; }
status=0
for cases in fast_goals fast_data fast_methods; do $cases "$program" "$@" || status=1; done
fast_lesser "$program" "$@" --default-limits || status=1
"$program" "$@" --first --count "2^$data_at" || status=1
# shellcheck disable=SC2046 # a list of words
[ -z "${CUB:-}" ] || "$CUB" $(cub_cases) || status=1
exit $status
