#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The one script for a rented NVIDIA machine: builds, checks, measures and prints a table, without a network. Run in the
# repository's root, with the runtimes of ./dev setup in .deps/ and, where the machine has no Vulkan loader, the Debian
# packages of one in .gl/. It writes h200.jsonl, smoke.jsonl, table.md and log to $OUT. One failing case never ends the
# rest: what failed is listed before the table, and the exit status is 1.
set -u
cd "$(dirname "$0")/.."
out=${OUT:-/tmp/ordo-h200}
work=$(mktemp -d)
mkdir -p "$out" "$work/cache"
export XDG_RUNTIME_DIR=$work LC_ALL=C
: >"$out/h200.jsonl" >"$out/smoke.jsonl" >"$out/log" >"$work/failures"
budget_s=440 # of the 600 that a command may run; what is not essential is left out beyond it
runtimes='wgpu dawn'

say() { printf '[%3d s] %s\n' "$SECONDS" "$*" | tee -a "$out/log"; }
failed() { say "FAILED: $*"; echo "$*" >>"$work/failures"; }

# lines FILE LIMIT_S COMMAND…: appends the command's output to a file of results.
lines() {
    local file=$1 limit_s=$2
    shift 2
    echo "+ $*" >>"$out/log"
    timeout -k 5 "$limit_s" "$@" >>"$out/$file" 2>>"$out/log" || failed "status $? of: $(basename "$1") ${*:2}"
}
bench() { lines h200.jsonl 90 "$work/ordo_bench-$1" "${@:2}"; }

# ---- the machine ------------------------------------------------------------------------------------------------

if ! ldconfig -p | grep -q 'libvulkan\.so\.1'; then
    for package in .gl/*.deb; do dpkg -x "$package" / || failed "dpkg -x $package"; done
    ldconfig
fi
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu --format=csv,noheader | tee -a "$out/log"
uname -r >>"$out/log"
nproc >>"$out/log"

# ---- building, everything at once ---------------------------------------------------------------------------------

build_ordo() {
    local kind=$1 library have_wgpu_h=0
    [ "$kind" = dawn ] && library=libwebgpu_dawn.so || { library=libwgpu_native.so have_wgpu_h=1; }
    gcc -std=c11 -O2 -DORDO_HAVE_WGPU_H=$have_wgpu_h -Iinclude -Icli -I.deps/wgpu/include src/*.c bench/*.c cli/gpu.c \
        "-L.deps/$kind/lib" "-l:$library" "-Wl,-rpath,$PWD/.deps/$kind/lib" -lm -ldl -o "$work/ordo_bench-$kind"
}
build_cub() {
    local nvcc
    nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc /opt/torch/.venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc \
        2>/dev/null | head -n 1)
    "${nvcc:-nvcc}" -arch=sm_90 -O3 -o "$work/cub" bench/cub.cu
}
build_cub >>"$out/log" 2>&1 &
cub_build=$!
for runtime in $runtimes; do build_ordo $runtime >>"$out/log" 2>&1 || failed "building for $runtime"; done
[ -x "$work/ordo_bench-wgpu" ] || { cat "$out/log"; exit 1; }
say 'ordo is built'

# Where the loader does not find the driver by itself, its manifest is named.
if ! "$work/ordo_bench-wgpu" --count 1000 --warm-ms 0 2>&1 | tee -a "$out/log" | grep -q 'NVIDIA.*"verified": true'; then
    export VK_DRIVER_FILES=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
    "$work/ordo_bench-wgpu" --count 1000 --warm-ms 0 2>&1 | tee -a "$out/log" | grep -q 'NVIDIA.*"verified": true' ||
        failed 'no verified sort on an NVIDIA adapter'
fi

# ---- correctness: both runtimes, both tiers, four processes at once -------------------------------------------------

smoke() {
    local file=smoke-$1${2:-}.jsonl program=$work/ordo_bench-$1 quick='--warm-ms 0 --repeats 2'
    # shellcheck disable=SC2086 # lists of words
    {
        lines "$file" 90 "$program" ${2:-} $quick --primitive sort,argsort --count 1,3073,6145,1000003 \
            --type u32,i32,f32,u64,i64,f64 --value-bytes 0,4,12 --distribution few
        lines "$file" 45 "$program" ${2:-} $quick --primitive sort,argsort --count 1048577,5000011,16777213 --type u32,f32,u64 --descending
        lines "$file" 45 "$program" ${2:-} $quick --primitive scan,reduce --count 1,4097,1000003,16777213
        lines "$file" 45 "$program" ${2:-} $quick --count 1,6145,1000003,16777213 --digit-bits 4
        lines "$file" 90 "$program" ${2:-} $quick --method bitonic,bitonic-direct,oddeven --primitive sort,argsort \
            --count 1,1000,4097,1000003 --type f32,u64 --value-bytes 0,4 --distribution few
        lines "$file" 60 "$program" ${2:-} $quick --method bitonic,oddeven --primitive sort,argsort \
            --count 4097,1000003 --row-length 16,100,1000,5000 --distribution few
    }
}
jobs=
for runtime in $runtimes; do
    smoke $runtime & jobs="$jobs $!"
    smoke $runtime --default-limits & jobs="$jobs $!"
done
smoke wgpu --native-subgroups & jobs="$jobs $!"
# shellcheck disable=SC2086 # a list of words
wait $jobs
cat "$out"/smoke-*.jsonl >"$out/smoke.jsonl"
rm -f "$out"/smoke-*.jsonl
smoke_right=$(grep -c '"verified": true' "$out/smoke.jsonl")
smoke_wrong=$(grep -c '"verified": false' "$out/smoke.jsonl")
smoke_skipped=$(grep -c '"skipped"' "$out/smoke.jsonl")
say "smoke: $smoke_right cases right, $smoke_wrong wrong, $smoke_skipped skipped"
wait $cub_build || failed 'building cub.cu'
say 'CUB is built'

# ---- figures ----------------------------------------------------------------------------------------------------

sizes=2^16,2^20,2^24,2^28
bench wgpu --count $sizes
bench wgpu --count $sizes --native-subgroups
bench dawn --count $sizes
bench dawn --count $sizes --no-subgroups
say 'keys and pairs are measured'
lines h200.jsonl 90 "$work/cub" 65536 1048576 16777216 268435456
say 'CUB is measured'
for runtime in $runtimes; do
    bench $runtime --primitive scan,reduce --count $sizes
    bench $runtime --count 2^20,2^24 --digit-bits 4
done
say 'scan, reduce and the classic form are measured'

networks() {
    $1 $2 --method bitonic,radix --count 2^10,2^12,2^16,2^18,2^20,2^21,2^24
    $1 $2 --method bitonic-direct,oddeven --count 2^20,2^24 --value-bytes 0
    $1 $2 --method bitonic --block 512 --fuse 1 --count 2^20,2^24 --value-bytes 0
    $1 $2 --method bitonic,radix --primitive argsort --count 2^20 --skip-high-bits 0,20
    $1 $2 --method bitonic --primitive sort,argsort --count 2^24 --row-length 16,100,1000 --value-bytes 0
}
# The driver runs a large kernel in a quick translation, up to five times slower, until it has compiled it in the
# background, and keeps that in its cache: so each case runs once before the process that measures it.
heat() { "$work/ordo_bench-$1" --warm-ms 300 --repeats 2 "${@:2}" >/dev/null 2>>"$out/log"; }
networks heat wgpu
sleep 3
networks bench wgpu
bench wgpu --native-subgroups --method bitonic --count 2^10,2^12,2^20,2^24 --value-bytes 0
say 'networks are measured'

# The first sort of a process, with an empty and with a filled shader cache of the driver.
for runtime in $runtimes; do
    export __GL_SHADER_DISK_CACHE_PATH=$work/cache/$runtime
    mkdir -p "$__GL_SHADER_DISK_CACHE_PATH"
    for note in 'empty cache' 'filled cache' 'filled cache, again'; do
        : >"$out/first.jsonl"
        lines first.jsonl 60 "$work/ordo_bench-$runtime" --first --count 2^20
        sed "s/^{/{\"note\": \"$note\", /" "$out/first.jsonl" >>"$out/h200.jsonl"
    done
done
rm -f "$out/first.jsonl"
unset __GL_SHADER_DISK_CACHE_PATH
say 'first sorts are measured'

# Beyond what the issue asks, as far as time allows.
extra() { if [ $SECONDS -lt $budget_s ]; then bench "$@"; else say "left out: $*"; fi; }
extra wgpu --count 2^24 --distribution entropy-0.544,entropy-0.201,sorted,reversed,equal,few,zipf
extra wgpu --count 2^24 --type f32,u64,f64 --value-bytes 0,8
extra wgpu --count 2^24 --primitive argsort --type u32,f32,u64
extra wgpu --count 2^10,2^12,2^14,2^18,2^22,2^26
extra wgpu --count 2^16,2^20,2^24 --default-limits
extra dawn --count 2^16,2^20,2^24 --default-limits
networks extra dawn
nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,clocks_event_reasons.active --format=csv,noheader >>"$out/log" 2>&1

# ---- the table, last ------------------------------------------------------------------------------------------------

python3 bench/report.py "$out/h200.jsonl" >"$out/table.md" || failed 'a result is wrong'
# The reply to a device call holds the last 12,000 characters: narrow columns, and no details.
sed -n '1,/^| case /p' "$out/table.md" | sed '$d' | tr -s ' ' | sed 's/-----*/---/g'
echo "smoke: $smoke_right right, $smoke_wrong wrong, $smoke_skipped skipped"
grep -h '"skipped"' "$out/smoke.jsonl" "$out/h200.jsonl" | sed 's/.*"skipped": //' | sort | uniq -c
say 'done'
rm -rf "$work/cache" "$work"/ordo_bench-* "$work/cub"
if [ -s "$work/failures" ]; then
    echo 'what failed:'
    cat "$work/failures"
    tail -n 20 "$out/log"
    exit 1
fi
