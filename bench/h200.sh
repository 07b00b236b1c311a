#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The one script for a rented NVIDIA machine: builds, checks, measures and prints a table, without a network. Run in the
# repository's root, with the runtimes of ./dev setup in .deps/ and, where the machine has no Vulkan loader, the Debian
# packages of one in .gl/. It writes h200.jsonl, smoke.jsonl, table.md and log to $OUT. One failing case never ends the
# rest: what failed is listed before the table, and the exit status is 1.
#
#     bash bench/h200.sh                     sorts, scans, reduces, networks; CUB beside them (8 minutes)
#     bash bench/h200.sh fast                the cases of bench/fast.sh; CUB and torch beside them (4 minutes)
#     bash bench/h200.sh stress [LIMIT_S]    sorts, 200 times each case over changing data (LIMIT_S, 240 unless given)
#     bash bench/h200.sh third               histogram, counting sort, grid, top-k; CUB and torch beside them (3 minutes)
#     bash bench/h200.sh third-quick         a few cases of those, with wgpu-native alone or what RUNTIMES names (1 minute)
#     bash bench/h200.sh third-quick OPTION… the cases that these options of ordo_bench make instead
#
# CUB's DeviceTopK is newer than many a toolkit: with a wheel of nvidia-cuda-cccl in .gl/ its headers are used.
set -u
cd "$(dirname "$0")/.."
# shellcheck source=fast.sh
. bench/fast.sh
part=${1:-all}
[ $# = 0 ] || shift
case $part in
all | third | fast | stress) runtimes='wgpu dawn' ;;
third-quick) runtimes=${RUNTIMES:-wgpu} ;;
*) echo "h200.sh: all, fast, stress, third or third-quick, not '$part'" >&2; exit 2 ;;
esac
out=${OUT:-/tmp/ordo-h200}
work=$(mktemp -d)
mkdir -p "$out" "$work/cache"
export XDG_RUNTIME_DIR=$work LC_ALL=C
: >"$out/h200.jsonl" >"$out/smoke.jsonl" >"$out/log" >"$work/failures"
case $part in # what is not essential is left out beyond it
fast) budget_s=200 ;;
*) budget_s=440 ;; # of the 600 that a command may run
esac

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
    local kind=$1 library have_wgpu_h=0 source jobs=''
    [ "$kind" = dawn ] && library=libwebgpu_dawn.so || { library=libwgpu_native.so have_wgpu_h=1; }
    mkdir -p "$work/$kind"
    for source in src/*.c bench/*.c cli/gpu.c; do
        gcc -std=c11 -O2 -DORDO_HAVE_WGPU_H=$have_wgpu_h -Iinclude -Icli -I.deps/wgpu/include -c "$source" \
            -o "$work/$kind/$(basename "$source").o" & jobs="$jobs $!"
    done
    # shellcheck disable=SC2086 # a list of words
    wait $jobs
    gcc "$work/$kind"/*.o "-L.deps/$kind/lib" "-l:$library" "-Wl,-rpath,$PWD/.deps/$kind/lib" -lm -ldl \
        -o "$work/ordo_bench-$kind"
}
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc /opt/torch/.venv/lib/python3*/site-packages/nvidia/cu13/bin/nvcc \
    2>/dev/null | head -n 1)
# build_cub PROGRAM…: each with the newest headers there are.
build_cub() {
    local newer=() jobs='' program job
    for wheel in .gl/nvidia_cuda_cccl-*.whl; do
        [ -f "$wheel" ] && python3 -m zipfile -e "$wheel" "$work/cccl" && newer=("-I$work/cccl/nvidia/cu13/include/cccl")
    done
    for program; do
        "${nvcc:-nvcc}" -arch=sm_90 -O3 "${newer[@]}" -o "$work/$program" "bench/$program.cu" & jobs="$jobs $!"
    done
    for job in $jobs; do wait "$job" || return 1; done
}
cub_build=
case $part in
all | fast) build_cub cub >>"$out/log" 2>&1 & cub_build=$! ;;
third) build_cub cub_histogram cub_counting cub_topk >>"$out/log" 2>&1 & cub_build=$! ;;
esac
ordo_builds=
for runtime in $runtimes; do build_ordo $runtime >>"$out/log" 2>&1 & ordo_builds="$ordo_builds $!"; done
for build in $ordo_builds; do wait $build || failed 'building ordo'; done
probe=$work/ordo_bench-${runtimes%% *}
[ -x "$probe" ] || { cat "$out/log"; exit 1; }
say 'ordo is built'

# Where the loader does not find the driver by itself, its manifest is named.
if ! "$probe" --count 1000 --warm-ms 0 2>&1 | tee -a "$out/log" | grep -q 'NVIDIA.*"verified": true'; then
    export VK_DRIVER_FILES=/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json
    "$probe" --count 1000 --warm-ms 0 2>&1 | tee -a "$out/log" | grep -q 'NVIDIA.*"verified": true' ||
        failed 'no verified sort on an NVIDIA adapter'
fi

# ---- correctness: both runtimes, both tiers, four processes at once -------------------------------------------------

smoke_all() {
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
smoke_third() {
    local file=smoke-$1${2:-}.jsonl program=$work/ordo_bench-$1 quick='--warm-ms 0 --repeats 3'
    # shellcheck disable=SC2086 # lists of words
    {
        lines "$file" 90 "$program" ${2:-} $quick --primitive histogram --count 1,1000003 --type u32,i32,f32 --unit \
            --bins 1,256,1000,65536 --bins-by even,edges --distribution random
        lines "$file" 60 "$program" ${2:-} $quick --primitive histogram --count 1000003 --type u32,f32 --bins 256,65536 \
            --bins-by bits,even --distribution few,sorted
        lines "$file" 60 "$program" ${2:-} $quick --primitive counting-sort,counting-argsort --count 1,4097,1000003 \
            --buckets 1,100,256,257,65536 --value-bytes 0,4,12 --distribution zipf
        lines "$file" 60 "$program" ${2:-} $quick --primitive counting-argsort --depth --count 1000003 --buckets 100,65536
        lines "$file" 60 "$program" ${2:-} $quick --primitive grid --count 1,4097,1000003 --cells 1,13,64 --dimensions 2,3 \
            --stride-bytes 16 --points-out --distribution random,zipf
        lines "$file" 90 "$program" ${2:-} $quick --primitive top-k --count 1,4097,1000003 --type u32,f32,u64 \
            --k 1,100,512,1000 --distribution random,equal,sorted
        lines "$file" 60 "$program" ${2:-} $quick --primitive top-k --count 1000003 --type i32,f64 --smallest --k 1,10,600 \
            --row-length 7,100,5000 --distribution few
    }
}
smoke() {
    local jobs='' file
    for runtime in $runtimes; do
        $1 $runtime & jobs="$jobs $!"
        $1 $runtime --default-limits & jobs="$jobs $!"
    done
    $1 wgpu --native-subgroups & jobs="$jobs $!"
    # shellcheck disable=SC2086 # a list of words
    wait $jobs
    for file in "$out"/smoke-*.jsonl; do cat "$file" >>"$out/smoke.jsonl"; rm "$file"; done
    smoke_right=$(grep -c '"verified": true' "$out/smoke.jsonl")
    smoke_wrong=$(grep -c '"verified": false' "$out/smoke.jsonl")
    smoke_skipped=$(grep -c '"skipped"' "$out/smoke.jsonl")
    say "smoke: $smoke_right cases right, $smoke_wrong wrong, $smoke_skipped skipped"
}

# ---- figures ----------------------------------------------------------------------------------------------------

# The driver runs a large kernel in a quick translation, up to five times slower, until it has compiled it in the
# background, and keeps that in its cache: so each case runs once before the process that measures it.
heat() { timeout -k 5 60 "$work/ordo_bench-$1" --warm-ms 300 --repeats 2 "${@:2}" >/dev/null 2>>"$out/log"; }
# Beyond what the issues ask, as far as time allows.
extra() { if [ $SECONDS -lt $budget_s ]; then bench "$@"; else say "left out: $*"; fi; }

networks() {
    $1 $2 --method bitonic,radix --count 2^10,2^12,2^16,2^18,2^20,2^21,2^24
    $1 $2 --method bitonic-direct,oddeven --count 2^20,2^24 --value-bytes 0
    $1 $2 --method bitonic --block 512 --fuse 1 --count 2^20,2^24 --value-bytes 0
    $1 $2 --method bitonic,radix --primitive argsort --count 2^20 --skip-high-bits 0,20
    $1 $2 --method bitonic --primitive sort,argsort --count 2^24 --row-length 16,100,1000 --value-bytes 0
}

figures_all() {
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
    networks heat wgpu
    sleep 3
    networks bench wgpu
    bench wgpu --native-subgroups --method bitonic --count 2^10,2^12,2^20,2^24 --value-bytes 0
    say 'networks are measured'

    first_sorts 2^20 'empty cache' 'filled cache' 'filled cache, again'

    extra wgpu --count 2^24 --distribution entropy-0.544,entropy-0.201,sorted,reversed,equal,few,zipf
    extra wgpu --count 2^24 --type f32,u64,f64 --value-bytes 0,8
    extra wgpu --count 2^24 --primitive argsort --type u32,f32,u64
    extra wgpu --count 2^10,2^12,2^14,2^18,2^22,2^26
    extra wgpu --count 2^16,2^20,2^24 --default-limits
    extra dawn --count 2^16,2^20,2^24 --default-limits
    networks extra dawn
}

# The first sort of a process, with an empty and with a filled shader cache of the driver.
first_sorts() {
    local runtime note
    for runtime in $runtimes; do
        export __GL_SHADER_DISK_CACHE_PATH=$work/cache/$runtime
        mkdir -p "$__GL_SHADER_DISK_CACHE_PATH"
        for note in "${@:2}"; do
            : >"$out/first.jsonl"
            lines first.jsonl 60 "$work/ordo_bench-$runtime" --first --count "$1"
            sed "s/^{/{\"note\": \"$note\", /" "$out/first.jsonl" >>"$out/h200.jsonl"
        done
    done
    rm -f "$out/first.jsonl"
    unset __GL_SHADER_DISK_CACHE_PATH
    say 'first sorts are measured'
}

# Each size once, so that what they are a fraction of is in the same run.
third_sorts() {
    $1 $2 --primitive sort --count 2^24,2^28 --value-bytes 0 --type u32,f32 --unit
    $1 $2 --primitive sort --count 2^20,2^24 --value-bytes 4 --buckets 256,65536
    $1 $2 --primitive argsort --count 2^20,2^24,2^28 --type f32 --unit --descending
    $1 $2 --primitive argsort --count 2^20,2^22,2^24 --buckets 262144
}
third_goals() {
    $1 $2 --primitive histogram --count 2^28 --type u32,f32 --unit --bins 256,2048,65536
    $1 $2 --primitive counting-sort --count 2^20,2^24 --buckets 256,65536 --value-bytes 4
    $1 $2 --primitive grid --count 2^20,2^22,2^24
    $1 $2 --primitive top-k --count 2^20,2^24,2^28 --type f32 --unit
    $1 $2 --primitive top-k --count 2^24,2^28 --type f32 --unit --distribution sorted,equal,few
}
third_rest() {
    $1 $2 --primitive histogram --count 2^28 --distribution sorted,equal,few,zipf
    $1 $2 --primitive histogram --count 2^24,2^28 --bins-by bits,edges
    $1 $2 --primitive histogram --count 2^24 --type u32,f32 --unit --bins 256,2048,65536
    $1 $2 --primitive counting-sort,counting-argsort --count 2^24 --buckets 256 --value-bytes 0
    $1 $2 --primitive counting-sort --count 2^24 --value-bytes 4 --distribution sorted,equal,zipf
    $1 $2 --primitive counting-argsort --depth --count 2^20,2^24 --buckets 256,4096
    $1 $2 --primitive grid --count 2^22 --points-out
    $1 $2 --primitive grid --count 2^22 --distribution sorted,equal,zipf
    $1 $2 --primitive top-k --count 2^24 --type f32 --unit --k 1,10,512,1000,1000000
    $1 $2 --primitive top-k --count 2^24 --type u32,u64,f64
    $1 $2 --primitive top-k --count 2^24 --type f32 --unit --row-length 1000,16384 --k 10
}
# All at once, on all processors, for it is compiling that takes the time.
heat_third() {
    local jobs='' runtime cases
    for runtime in $runtimes; do
        for cases in third_sorts third_goals third_rest; do
            [ $runtime = dawn ] && [ $cases != third_goals ] && continue
            $cases heat $runtime & jobs="$jobs $!"
        done
    done
    # shellcheck disable=SC2086 # a list of words
    wait $jobs
    sleep 3
}
figures_fast() {
    local jobs='' cases runtime
    for cases in fast_goals fast_methods fast_data; do
        $cases heat wgpu --warm-ms 100 & jobs="$jobs $!"
    done
    fast_headlines heat dawn --warm-ms 100 & jobs="$jobs $!"
    fast_subgroups heat wgpu --native-subgroups --warm-ms 100 & jobs="$jobs $!"
    # shellcheck disable=SC2086 # a list of words
    wait $jobs $cub_build || failed 'building for CUB'
    sleep 2
    say 'the driver has seen all kernels, and CUB is built'
    fast_goals bench wgpu --warm-ms 100
    fast_subgroups bench wgpu --native-subgroups --warm-ms 100
    say 'what the issue asks is measured'
    # shellcheck disable=SC2046 # a list of words
    lines h200.jsonl 90 "$work/cub" $(cub_cases)
    say 'CUB is measured'
    fast_headlines bench dawn --warm-ms 100
    fast_data bench wgpu --warm-ms 100
    first_sorts "2^$data_at" 'empty cache' 'filled cache'
    say 'Dawn and data are measured'
    fast_methods extra wgpu --warm-ms 100
    say 'methods are measured'
    fast_lesser extra wgpu --default-limits --warm-ms 100
    fast_lesser extra dawn --no-subgroups --warm-ms 100
    fast_huge extra wgpu --warm-ms 100
    [ $SECONDS -ge $budget_s ] || torch_lines torch_sort.py 1048576 16777216 67108864 268435456
}

# Six processes at once: the methods that AUTO chooses on three kinds of device, and the rest.
figures_stress() {
    local limit_s=${1:-240} jobs='' counts=1,255,1025,4097,65537,1000003,4194305,16777259 file
    stress() {
        lines "stress-$1.txt" $((limit_s + 60)) "$work/ordo_bench-$2" --stress 200 --limit-s "$limit_s" --distribution all "${@:3}"
    }
    stress 1 wgpu --primitive sort,argsort --method auto,msd --count $counts & jobs="$jobs $!"
    stress 2 dawn --primitive sort,argsort --method auto,msd --count $counts & jobs="$jobs $!"
    stress 3 wgpu --primitive sort,argsort --method auto,msd --type u64,f32 --count 4097,65537,1000003,4194305 & jobs="$jobs $!"
    stress 4 wgpu --default-limits --primitive sort,argsort --method radix,bitonic,oddeven,msd,onesweep --count 4097,65537,1000003 & jobs="$jobs $!"
    stress 5 wgpu --native-subgroups --primitive sort,argsort --method msd,onesweep --count 65537,1000003,4194305 & jobs="$jobs $!"
    stress 6 dawn --primitive sort,argsort --method sample --type u32,u64 --count 1,1281,4097,16385,65537 & jobs="$jobs $!"
    # shellcheck disable=SC2086 # a list of words
    wait $jobs
    for file in "$out"/stress-*.txt; do sed "s/^/${file##*/}: /" "$file" >>"$out/stress.txt"; rm "$file"; done
    grep -h ' WRONG \| total: ' "$out/stress.txt"
}

torch_lines() {
    if python3 -c 'import torch; assert torch.cuda.is_available()' 2>>"$out/log"; then
        lines h200.jsonl 90 python3 "bench/$1" "${@:2}"
        say 'torch is measured'
    else
        say 'there is no torch for this GPU'
    fi
}

figures_third() {
    heat_third
    say 'the driver has seen all kernels'
    for runtime in $runtimes; do third_goals bench $runtime; done
    say 'what the issue asks is measured'
    lines h200.jsonl 90 "$work/cub_histogram" 16777216 268435456
    lines h200.jsonl 90 "$work/cub_counting" 1048576 4194304 16777216
    lines h200.jsonl 90 "$work/cub_topk" 1048576 16777216 268435456
    say 'CUB is measured'
    third_sorts bench wgpu
    third_rest bench wgpu
    say 'sorts and the rest are measured'
    torch_lines torch_topk.py 1048576 16777216 268435456
}

figures_quick() {
    local runtime
    quick_cases() {
        $1 $2 --primitive histogram --count 2^28 --type u32,f32 --unit --bins 256
        $1 $2 --primitive histogram --count 2^28 --bins 65536
        $1 $2 --primitive histogram --count 2^28 --distribution equal
        $1 $2 --primitive counting-sort --count 2^24 --value-bytes 4
        $1 $2 --primitive grid --count 2^22
        $1 $2 --primitive top-k --count 2^24,2^28 --type f32 --unit
        $1 $2 --primitive top-k --count 2^24 --type f32 --unit --distribution sorted,equal,few
    }
    for runtime in $runtimes; do
        if [ $# = 0 ]; then
            quick_cases heat $runtime
            sleep 2
            quick_cases bench $runtime
        else
            heat $runtime "$@"
            sleep 2
            bench $runtime "$@"
        fi
    done
}

if [ "$part" = all ] || [ "$part" = third ]; then
    smoke smoke_$part
    wait $cub_build || failed 'building for CUB'
    say 'CUB is built'
fi
case $part in
all) figures_all ;;
fast) figures_fast ;;
stress) figures_stress "$@" ;;
third) figures_third ;;
third-quick) figures_quick "$@" ;;
esac
nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,clocks_event_reasons.active --format=csv,noheader >>"$out/log" 2>&1

# ---- the table, last ------------------------------------------------------------------------------------------------

# The reply to a device call holds the last 12,000 characters: narrow columns, and no details.
narrow() { sed -n '1,/^| case /p' "$out/table.md" | sed '$d' | tr -s ' ' | sed 's/-----*/---/g'; }
case $part in
stress) ;;
fast)
    python3 -B bench/report.py --fast "$out/h200.jsonl" --charts "$out" >"$out/table.md" || failed 'a result or an input is wrong'
    narrow | head -c 10000
    ;;
*)
    python3 bench/report.py "$out/h200.jsonl" >"$out/table.md" || failed 'a result is wrong'
    narrow
    [ "$part" = third-quick ] || echo "smoke: $smoke_right right, $smoke_wrong wrong, $smoke_skipped skipped"
    ;;
esac
grep -h '"skipped"' "$out/smoke.jsonl" "$out/h200.jsonl" | sed 's/.*"skipped": //' | sort | uniq -c
[ -s "$out/smoke.jsonl" ] || rm "$out/smoke.jsonl"
say 'done'
rm -rf "$work/cache" "$work/cccl" "$work/wgpu" "$work/dawn" "$work"/ordo_bench-* "$work"/cub*
if [ -s "$work/failures" ]; then
    echo 'what failed:'
    cat "$work/failures"
    tail -n 20 "$out/log"
    exit 1
fi
