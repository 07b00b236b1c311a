#!/bin/sh
# SPDX-License-Identifier: MIT
# mutate.sh [PATTERN]: shows that the tests notice. It breaks the library in a temporary copy, one break
# after the other, builds, and runs tests until one fails. Prints which test caught each break; a break
# that none catches, that no longer applies or that does not build is a failure. With a pattern (of
# grep -E) only the breaks whose line matches are made. Takes more than an hour, so CI does not run it;
# ./dev setup must have run.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
pattern=${1:-.}
missed=0 made=0

export XDG_RUNTIME_DIR="$work" MESA_SHADER_CACHE_DIR="$work/cache" LP_NATIVE_VECTOR_WIDTH=128
[ -f "$root/.deps/lavapipe/lvp_icd.json" ] && export VK_DRIVER_FILES="$root/.deps/lavapipe/lvp_icd.json"

cp -R "$root/include" "$root/src" "$root/kernels" "$root/cli" "$root/tests" "$root/tools" "$work"
mkdir "$work/js" "$work/bin" "$work/sound" "$work/cache"
cd "$work"
flags="-std=c11 -O1 -Iinclude -Isrc -Icli -Itests -I$root/.deps/wgpu/include -DORDO_HAVE_WGPU_H=1"
runtime="-L$root/.deps/wgpu/lib -lwgpu_native -Wl,-rpath,$root/.deps/wgpu/lib"

# What does not change is compiled once; test programs are linked again for each break.
cc -std=c11 -O1 tools/embed.c -o bin/embed
for file in tests/test_plan*.c tests/plan_*.c tests/test_gpu_*.c tests/gpu_*.c cli/gpu.c; do
    # shellcheck disable=SC2086 # a list of flags
    cc $flags -c "$file" -o "bin/$(basename "$file" .c).o"
done
cp -R src kernels sound

compile_library() {
    bin/embed . src/kernels.gen.c js/kernels.gen.mjs >log 2>&1 || return 1
    rm -f bin/lib_*.o
    for file in src/*.c; do
        # shellcheck disable=SC2086 # a list of flags
        cc $flags -c "$file" -o "bin/lib_$(basename "$file" .c).o" >log 2>&1 || return 1
    done
}

# run TEST TIER: links one test program and runs it until a test fails; its output is in log.
run() {
    case $1 in
    test_plan*) others=$(echo bin/plan_*.o) ;;
    *) others="$(echo bin/gpu_*.o) bin/gpu.o" ;;
    esac
    rm -f "bin/$1"
    # shellcheck disable=SC2086 # lists of files and flags
    cc "bin/$1.o" $others bin/lib_*.o -lcmocka -lm $runtime -o "bin/$1" || {
        echo "$1 does not link"
        exit 2
    }
    width=$LP_NATIVE_VECTOR_WIDTH
    case $1:$2 in *_ranks:all) width=512 ;; esac # as in CMakeLists.txt
    LP_NATIVE_VECTOR_WIDTH=$width ORDO_TEST_TIER=$2 timeout 600 "bin/$1" >log 2>&1 &
    running=$!
    while kill -0 "$running" 2>/dev/null; do
        ! grep -q '\[  FAILED  \] test_' log || kill "$running" 2>/dev/null
        sleep 0.2
    done
    wait "$running"
}

# The tests to try on a break in a file, those first that are most likely to see it.
tests_of() {
    case $1 in
    */scan.wgsl | */scan_chain.wgsl | */fold.wgsl | */rows.wgsl | */lane_portable.wgsl)
        first='test_gpu_scan:default test_gpu_cases:default' ;;
    */lane_subgroup.wgsl) first='test_gpu_paths:all test_gpu_scan:all' ;;
    */histogram.wgsl | */edges.wgsl | */bin.wgsl)
        first='test_gpu_histogram_edges:default test_gpu_histogram:default test_gpu_counting:default' ;;
    */depth.wgsl | */starts.wgsl | */radix_scan.wgsl) first='test_gpu_counting:default test_gpu_grid:default' ;;
    */grid.wgsl | */cell.wgsl) first='test_gpu_grid:default test_gpu_grid_wgsl:default' ;;
    */topk_*.wgsl | */candidate.wgsl) first='test_gpu_topk:default' ;;
    */move.wgsl) first='test_gpu_windows:default test_gpu_cases:default test_gpu_network_sort:default' ;;
    */count.wgsl) first='test_gpu_cases:default test_gpu_network_sort:default' ;;
    */radix_histogram.wgsl | */radix_scatter.wgsl | */window.wgsl)
        first='test_gpu_windows:default test_gpu_cases:default test_gpu_scan:default' ;;
    */rank_subgroup.wgsl) first='test_gpu_msd_ranks:all' ;;
    */msd_scan.wgsl | */rank_portable.wgsl | */strip.wgsl) first='test_gpu_msd_ranks:default test_gpu_msd:default' ;;
    */msd_digit.wgsl) first='test_gpu_msd_floats:default test_gpu_msd:default' ;;
    */msd_begin.wgsl | */msd_check.wgsl | */msd_finish.wgsl | */msd_histogram.wgsl | */wide.wgsl | */lib/msd.wgsl)
        first='test_gpu_msd_data:default test_gpu_msd_data:all test_gpu_msd:default test_gpu_msd_ranks:default test_gpu_msd_floats:default' ;;
    */msd*.wgsl | */sum_pair.wgsl | */local_*.wgsl)
        first='test_gpu_msd:default test_gpu_msd_shapes:default test_gpu_msd_ranks:default test_gpu_msd_data:default test_gpu_msd_floats:default' ;;
    */onesweep_*.wgsl) first='test_gpu_onesweep:default test_gpu_onesweep:all test_gpu_onesweep_ranks:default' ;;
    */sample_slice.wgsl | */slice.wgsl | */bound.wgsl | */select.wgsl)
        first='test_gpu_sample:default test_gpu_sample:all' ;;
    */shuffle_subgroup.wgsl) first='test_gpu_network:all test_gpu_network_sort:all' ;;
    */bitonic.wgsl | */oddeven.wgsl | */element.wgsl | */pack*.wgsl)
        first='test_gpu_network:default test_gpu_network_sort:default test_gpu_network:all' ;;
    *.wgsl) first='test_gpu_cases:default test_gpu_scan:default' ;;
    src/webgpu_check.c) first='test_gpu_check:default test_gpu_check:all' ;;
    src/check_data.c) first='test_plan_rejected:-' ;;
    src/plan_sort.c)
        first='test_plan:- test_plan_rejected:- test_plan_sample:- test_plan_limits:- test_plan_windows:- test_plan_onesweep:- test_gpu_cases:default' ;;
    src/webgpu*) first='test_gpu_life:default test_gpu_walk:default test_gpu_misuse:default test_gpu_tuning:default' ;;
    src/kernels.c) first='test_plan_kernels:-' ;;
    src/plan_scan.c) first='test_plan_scan:- test_plan:- test_gpu_scan:default' ;;
    src/plan_histogram.c)
        first='test_plan_third:- test_gpu_histogram_edges:default test_gpu_histogram:default test_gpu_counting:default' ;;
    src/plan_counting.c) first='test_plan_third:- test_plan_rejected:- test_gpu_counting:default test_gpu_grid:default' ;;
    src/plan_grid.c) first='test_plan_third:- test_gpu_grid:default' ;;
    src/plan_topk.c) first='test_plan_third:- test_gpu_topk:default' ;;
    src/tune_text.c) first='test_plan_tuning:- test_plan_msd:- test_gpu_tuning:default' ;;
    src/plan_msd.c) first='test_plan_msd:- test_plan_msd_lists:- test_plan_tuning:- test_plan_kernels:- test_gpu_msd:default' ;;
    src/plan_onesweep.c | src/plan_passes.c) first='test_plan_onesweep:- test_plan_msd:- test_plan:- test_gpu_onesweep:default test_gpu_cases:default' ;;
    src/plan_sample.c) first='test_plan_sample:- test_gpu_sample:default' ;;
    src/plan_network.c) first='test_plan_network:- test_plan:- test_gpu_network_sort:default' ;;
    src/plan.c | src/plan_radix.c)
        first='test_plan:- test_plan_limits:- test_plan_windows:- test_gpu_cases:default test_gpu_windows:default' ;;
    *) first='test_plan:- test_plan_limits:- test_gpu_cases:default' ;;
    esac
    echo "$first test_gpu_paths:all test_gpu_life:default test_gpu_sort:all"
}

# try NAME FILE: with FILE broken, who notices?
try() {
    made=$((made + 1))
    if ! compile_library; then
        printf '%-58s DOES NOT BUILD\n' "$1"
        tail -n 3 log
        missed=$((missed + 1))
        return
    fi
    for step in $(tests_of "$2"); do
        run "${step%:*}" "${step#*:}" && continue
        if grep -q 'device refused' log; then
            printf '%-58s IS REFUSED BY THE DEVICE\n' "$1"
            missed=$((missed + 1))
            return
        fi
        printf '%-58s %s: %s\n' "$1" "${step%:*}" \
            "$(sed -n 's/.*FAILED *\] \(test_[a-z0-9_]*\)$/\1/p' log | head -n 1)"
        return
    done
    printf '%-58s NOT CAUGHT\n' "$1"
    missed=$((missed + 1))
}

# break_ NAME FILE PERL: applies a Perl substitution to the whole text of one file.
break_() {
    echo "$1 $2" | grep -qE "$pattern" || return 0
    perl -0pi -e "$3" "$2"
    if cmp -s "$2" "sound/$2"; then
        printf '%-58s NO LONGER APPLIES\n' "$1"
        missed=$((missed + 1))
    else
        try "$1" "$2"
        cp "sound/$2" "$2"
    fi
}

# break_barriers FILE [SPARED]: every barrier, one at a time, but for those whose numbers are spared.
break_barriers() {
    count=$(grep -c '^ *workgroupBarrier();' "$1" || true)
    number=0
    while [ "$number" -lt "$count" ]; do
        number=$((number + 1))
        case " ${2:-} " in *" $number "*) continue ;; esac
        break_ "missing barrier $number of $count in $(basename "$1")" "$1" \
            "my \$n = 0; s/^ *workgroupBarrier\\(\\);/++\$n == $number ? '' : \$&/gme"
    done
}

scatter=kernels/radix_scatter.wgsl split=kernels/radix_split.wgsl histogram=kernels/radix_histogram.wgsl rows=kernels/radix_scan.wgsl
key=kernels/lib/key.wgsl image=kernels/lib/image.wgsl count=kernels/lib/count.wgsl scan=kernels/scan.wgsl move=kernels/move.wgsl
fold=kernels/lib/fold.wgsl held=kernels/lib/rows.wgsl chain=kernels/scan_chain.wgsl
portable=kernels/lib/lane_portable.wgsl subgroup=kernels/lib/lane_subgroup.wgsl
bitonic=kernels/bitonic.wgsl oddeven=kernels/oddeven.wgsl element=kernels/lib/element.wgsl
pack=kernels/pack.wgsl packed=kernels/lib/packed.wgsl shuffle=kernels/lib/shuffle_subgroup.wgsl
network=src/plan_network.c
counts=kernels/histogram.wgsl edges=kernels/edges.wgsl bin=kernels/lib/bin.wgsl depth=kernels/depth.wgsl
starts=kernels/starts.wgsl grid=kernels/grid.wgsl cell=kernels/lib/cell.wgsl
best=kernels/topk_best.wgsl select=kernels/topk_select.wgsl digits=kernels/topk_radix.wgsl candidate=kernels/lib/candidate.wgsl
partition=kernels/msd_partition.wgsl forms=kernels/lib/msd_digit.wgsl lists=kernels/lib/msd.wgsl tally=kernels/lib/msd_count.wgsl tables=kernels/msd_scan.wgsl
promises=kernels/msd_check.wgsl counts_of=kernels/msd_histogram.wgsl finish=kernels/msd_finish.wgsl wide=kernels/lib/wide.wgsl
ranks=kernels/lib/rank_portable.wgsl ballots=kernels/lib/rank_subgroup.wgsl strips=kernels/lib/strip.wgsl begin=kernels/msd_begin.wgsl
items=kernels/msd_local.wgsl item=kernels/msd_small.wgsl sorts=kernels/lib/local_sort.wgsl settles=kernels/lib/local_settle.wgsl
slow=kernels/lib/local_network.wgsl levels=src/plan_msd.c pair=kernels/lib/sum_pair.wgsl
children=kernels/lib/msd_children.wgsl
slices=kernels/sample_slice.wgsl slice=kernels/lib/slice.wgsl bound=kernels/lib/bound.wgsl ranked=kernels/lib/select.wgsl
sampling=src/plan_sample.c
window=kernels/lib/window.wgsl
sweep=kernels/onesweep_scatter.wgsl sweeps=kernels/onesweep_histogram.wgsl swept=kernels/onesweep_begin.wgsl

break_ 'scatter off by one' $scatter 's/let in_array = at \+ /let in_array = at + 1u + /'
break_ 'scatter: ties of a round reversed' $scatter 's/let below = countOneBits\(equals & \(bit - 1u\)\)/let below = countOneBits(equals & ~(bit | (bit - 1u)))/'
break_ 'scatter: ties of two rounds swapped' $scatter 's/i \* STRIP \+/(ITEMS - 1u - i) * STRIP +/'
break_ 'scatter: counters of eight bits' $scatter 's/\(earlier >> count_shift\(strip\)\) & 0xffffu/(earlier >> count_shift(strip)) \& 0xffu/'
break_ 'scatter: the next subtile starts where this one did' $scatter 's/return first \+ start - digit_start/return first/'
break_ 'scatter: the past-count guard of keys is dropped' $scatter 's/(let at = i \* GROUP_SIZE \+ local;\s+)if \(at < held\)( \{\s+place)/$1if (true)$2/'
break_ 'scatter: the past-count guard of values is dropped' $scatter 's/at < held && (is_bound\(place\[i\]\)\) \{\s+values_out)/$1/'
break_ 'scatter: the high word is not moved' $scatter 's/keys_out\[place\[i\] \* KEY_WORDS \+ 1u\] = high\[i\]/keys_out[place[i] * KEY_WORDS + 1u] = low[i]/'
break_ 'scatter: an index without its tile' $scatter 's/low\[i\] = tile\.x \+ done \+/low[i] = done +/'
break_ 'scatter: every digit in the single tile' $scatter 's/select\(first - digit_start, 0u, ONE_TILE\)/first - digit_start/'
break_ 'split: an unstable partition' $split 's/order\[zeros\.y \+ ones_before\]/order[GROUP_SIZE * ITEMS - 1u - ones_before]/'
break_ 'split: what lies past the tile comes to the front' $split 's/return number_of\(word\) < held && /return /'
break_ 'split: off by one' $split 's/\+ at - starts\[digit\]/+ at + 1u - starts[digit]/'
break_ 'histogram: counts past the count' $histogram 's/let tile_count = .*?;/let tile_count = params.tile_items;/'
break_ 'histogram: tile-major table' $histogram 's/counts\[bin \* tiles \+ tile\]/counts[tile * (params.mask + 1u) + bin]/'
break_ 'image: sign flips swapped' $image 's/select\(0x80000000u, 0xffffffffu/select(0xffffffffu, 0x80000000u/'
break_ 'image: signed keys unflipped' $image 's/image = bits \^ 0x80000000u/image = bits/'
break_ 'image: negative NaNs before -inf' $image 's/\)\) - 0x007fffffu/))/'
break_ 'image: no carry into the high word' $image 's/ \+ select\(0u, 1u, low == 0u\)//'
break_ 'image: no carry when a double is taken back' $image 's/ - select\(0u, 1u, ascending\.y == 0u\)//'
break_ 'image: a wrong direction bit' $image 's/(fn word_image.*?)kind & 4u/$1kind \& 8u/s'
break_ 'image: a wrong direction bit of doubles' $image 's/(fn double_image.*?)kind & 4u/$1kind \& 8u/s'
break_ 'key: a digit does not straddle words' $key 's/image\.y << \(\(32u - shift\) & 31u\)/0u/'
break_ 'count: not clamped' $count 's/return min\(count\[0\], max_count\)/return count[0]/'
break_ 'count: ignored' $count 's/return min\(count\[0\], max_count\)/return max(min(count[0], 0u), max_count)/'
break_ 'count: rows of the grid ignored' $count 's/grid\.group\.y \* grid\.group_count\.x \+ //'
break_ 'scan: the carry of the block before' $scan 's/carries\[block\]/carries[block - 1u]/'
break_ 'scan: the carry of the block before, in place' $scan 's/carries_in_place\[block\]/carries_in_place[block - 1u]/'
break_ 'scan: +inf pads a minimum' $fold 's/(fn identity.*?)return 0xffffffffu/$1return 0xff800000u/s'
break_ 'scan: the first output is the padding' $held 's/select\(bits_of\(value\), identity_bits\(\), .*?\);/bits_of(value);/'
break_ 'scan: the past-count guard is dropped' $held 's/if \(at < items\) \{/if (true) {/'
break_ 'scan: what is past the count is reduced' $scan 's/(fn load_items\(.*?), at < items\);/$1, true);/s'
break_ 'scan: inclusive and exclusive swapped' $held 's/if \(INCLUSIVE\)/if (!INCLUSIVE)/'
break_ 'scan: a reduce of nothing writes nothing' $scan 's/max\(block_count\(items\), 1u\)/block_count(items)/'
break_ 'scan: a bit of a minimum is lost' $fold 's/return min\(a, b\);/return min(a, b \& 0xfffffffeu);/'
break_ 'scan: a row takes the cells of the one before' $held 's/\(\(i >> 2u\) & 1u\) \* \(4u \* GROUP_SIZE\)/0u/'
break_ 'scan: runs of three' $held 's/if \(\(i & 3u\) != 0u\) \{/if ((i & 3u) == 1u || (i & 3u) == 2u) {/'
break_ 'scan: the past-count guard of fours is dropped' $held 's/if \(at \+ 3u < items\) \{/if (true) {/'
break_ 'scan: a cut four loses its third word' $held 's/if \(at \+ 2u < items\) \{/if (at + 3u < items) {/'
break_ 'scan: a run begins with its own sum' $held 's/cells\[at\] = sum;/cells[at] = through;/'
break_ 'chain: states begin as prefixes' $chain 's/GROUP_SIZE\] = 0u;/GROUP_SIZE] = select(PREFIX, 0u, first + i == 0u);/'
break_ 'chain: the state is cleared in part' $chain 's/let words = FIRST_STATE \+ /let words = /'
break_ 'chain: a value without its high half' $chain 's/kind \| \(value >> 16u\)/kind/'
break_ 'chain: the prefix that ends a look is left out' $chain 's/ \|\| \(local == \(end >> 1u\) && kind == PREFIX\)//'
break_ 'chain: sums beyond an unpublished tile' $chain 's/looks && \(local < \(end >> 1u\)/looks \&\& (kind == SUM/'
break_ 'chain: a gap between windows' $chain 's/rest - min\(passed, rest\)/rest - min(passed + 1u, rest)/'
break_ 'chain: the sum of a stalled tile is left out' $chain 's/combine\(from_tile\.x, sum\), tile/from_tile.x, tile/'
break_ 'chain: the sum of the tile before a stalled one' $chain 's/\(before\.y - 1u\) \* /before.y * /g'
break_ 'chain: a find begins with the last one' $chain 's/        atomicStore\(&found, identity\(\)\);\n    \}\n    return/    }\n    return/'
break_ 'chain: a prefix without the tile itself' $chain 's/combine\(before\.x, sum\)/before.x/g'
break_ 'scan plan: a rounding scan looks back' src/plan_scan.c 's/forward_progress && !rounds\(&scan\)/forward_progress/'
break_ 'scan plan: a scan in place looks back' src/plan_scan.c 's/ && !desc->in_place &&/ \&\&/'
break_ 'scan plan: a word a tile' src/plan_scan.c 's/FIRST_STATE \+ 2 \* tiles/FIRST_STATE + tiles/'
break_ 'portable lanes: a step left out' $portable 's/lane_step\(before, row, 14u, lane\)/before/'
break_ 'subgroup lanes: one lane off' $subgroup 's/number >= distance\)/number > distance)/'
break_ 'move: the past-count guard is dropped' $count 's/min\(tile, element_total - number \* tile\)/tile/'
break_ 'move: an index without its tile' $move 's/= element - row_start/= i - row_start/'
break_ 'move: a gather by more bits than the index' $move 's/indices\[element\] & params\.mask/indices[element]/'
break_ 'move: a gather from the first row' $move 's/ \+ row_start\(element\);/;/'
break_ 'windows: a step goes on into the next one' $window 's/, number >= params\.window_tiles\)/, false)/'
break_ 'windows: tiles are counted from the window' $window 's/params\.first_tile \+ number/number/'
break_ 'windows: elements are counted from the array' $window 's/return params\.first_tile \* tile_items;/return 0u;/'
break_ 'windows: places are counted from the array' $scatter 's/return in_array - params\.out_first;/return in_array;/'
break_ 'windows: the second one begins an element late' $scatter 's/at < params\.out_items/at <= params.out_items/'
break_ 'windows: the fourth one is written as the third' $scatter 's/keys_out_3\[\(at/keys_out_2[(at/'
break_ 'windows: high words go where low ones do' $scatter 's/write_word\(to, 1u, high\[i\]\)/write_word(to, 0u, high[i])/'
break_ 'windows: indices are counted from the window' $scatter 's/low\[i\] = tile\.x \+ done \+ source\(local, i\);/low[i] = tile.x - window_start(params.tile_items) + done + source(local, i);/'
break_ 'windows: values of the first one' $scatter 's/\(tile\.x \+ done \+ at - start\)/(tile.x + done + at)/'
break_ 'windows: copies of the first one' $move 's/\(elements\.x - start\) \* params\.words/elements.x * params.words/'
break_ 'windows: indices go to the first one' $move 's/destination\[element - start\]/destination[element]/'
break_ 'windows plan: one is written twice' src/plan_radix.c 's/out \+= r\.outputs/out += 1/'
break_ 'windows plan: values go where they come from' src/plan_radix.c 's/(values_to, value_words, )r->out/$1r->in/'
break_ 'windows plan: what is idle is bound twice' src/plan_radix.c 's/idle\.offset_bytes \+= [^;]*;//'
break_ 'windows plan: the second column is bound from the start' src/plan.c 's/array\.offset_bytes \+= 4 \* words \* window \* w->items;/array.offset_bytes = 4 * words * window * w->items;/'
break_ 'windows plan: one begins anywhere' src/plan.c 's/unit \*= 2;/break;/'
break_ 'windows plan: as many as it takes' src/plan.c 's/MOST_WINDOWS = 32/MOST_WINDOWS = 1024/'
break_ 'windows plan: a grid for each' src/plan.c 's/(w\.count > 1\) \{\s+)ordo_plan_check_groups\([^;]*;/$1/'
break_ 'windows plan: an array of any size' src/plan.c 's/builder->array_bytes > builder->caps\.max_buffer_bytes/false/'
break_ 'windows plan: moved once for each' src/plan_radix.c 's/uint64_t written = [^;]*;/uint64_t written = written_words * r->in_items;/'
break_ 'choice: nobody takes windows' src/plan_sort.c 's/: settle\(sort, best\)/: best/'
break_ 'choice: windows take less scratch than what fitted' src/plan_sort.c 's/reserve_for\(sort, &tried\);//'
break_ 'choice: windows make methods dearer' src/plan_sort.c 's/method, count, UINT64_MAX, &summary/method, count, sort->builder->caps.max_binding_bytes, \&summary/'
break_barriers $scatter
break_barriers $histogram
# The splits of a tile need only the barriers around their writes; group_exclusive has the others.
break_barriers $split '2 3'
# The second keeps the sums of more than four rows off the cells of the last row.
break_barriers $held 2
# The second keeps a look from ending before the nearest stop is known, which an adapter that runs
# subgroups in order always knows.
break_barriers $chain 2
# Invocation 0 adds up the rows, and an adapter that runs the first subgroup first never shows others a
# sum too early; a GPU does.
break_barriers $portable 3
# The second keeps a second call off the sums; today's kernels that use subgroups call once.
break_barriers $subgroup 2

break_ 'sample: ties below the lower bound are in the slice' $bound 's/let next = select\(0u, 1u, position < low\.z\)/let next = 0u/'
break_ 'sample: ties above the upper bound are in the slice' $bound 's/let previous = select\(1u, 0u, position < high\.z\)/let previous = 0u/'
break_ 'sample: no carry into the high word of a bound' $bound 's/low\.x \+ select\(0u, next, y == 0u\)/low.x/'
break_ 'sample: no borrow from the high word of a bound' $bound 's/high\.x - select\(0u, previous, high\.y == 0u\)/high.x/'
break_ 'sample: the image above the last one' $slice 's/let all_below = has_none_above\(low, first \+ at\)/let all_below = false/'
break_ 'sample: the image below the first one' $slice 's/all_below \|\| has_none_below\(high, first \+ at\)/all_below/'
break_ 'sample: ties by position are dropped' $bound 's/ \|\| \(is_equal\(image, bound\.xy\) && position < bound\.z\)//'
break_ 'sample: a digit of the second rank too early' $ranked 's/start - first_count/start/'
break_ 'sample: a digit of the other rank' $ranked 's/members\.y = with_digit\(members\.y, shift, mask, numbers, y\.x\)/members.y = with_digit(members.y, shift, mask, numbers, x.x)/'
break_ 'sample: a rank is not counted from its digit' $ranked 's/after\.ranks -= vec2<u32>\(x\.y, y\.y\)/after.ranks -= vec2<u32>(x.y, 0u)/'
break_ 'sample: a digit of the lower word in the upper' $ranked 's/return vec2<u32>\(image\.x, image\.y \| \(digit << \(shift - 32u\)\)\);/return vec2<u32>(image.x, image.y | digit);/'
break_ 'sample: a row of equal digits is not counted' $ranked 's/            if \(equal > 0u\) \{\n.*?\n            \}\n//'
break_ 'sample: images are taken for equal' $ranked 's/if \(differ\) \{/if (false) {/'
break_ 'sample: the third key of a quad' $slice 's/quad\[i\]\.z, 0u/quad[i].y, 0u/'
break_ 'sample: the second double word of a quad' $slice 's/ordered\(quad\[i\]\.zw\)/ordered(quad[i].xy)/'
break_ 'sample: copies past the count are counted' $slice 's/exists && is_below\)/is_below)/'
break_ 'sample: copies past the count are marked' $slice 's/if \(exists && !is_below/if (!is_below/'
break_ 'sample: quads past the tail are counted' $slice 's/select\(0u, select\(found\.y, in_quad, all_below\), at < size\)/select(found.y, in_quad, all_below)/'
break_ 'sample: quads past the tail are marked' $slice 's/ && !none && at < size\) \{/ \&\& !none) {/'
break_ 'sample: a window is listed over the one before' $slice 's/var to = listed \+ before\.x/var to = before.x/'
break_ 'sample: marks of a window stay' $slice 's/    atomicStore\(&marks\[word\], 0u\);\n//'
break_ 'sample: positions off by one' $slice 's/position \+ countOneBits\(lowest - 1u\)/position + countOneBits(lowest)/'
break_ 'sample: the first part is the slice' $slice 's/select\(PART, LAST_PART, all\(upper == slice_end\)\)/LAST_PART/'
break_ 'sample: a part larger than a workgroup' $slice 's/if \(listed <= capacity\(\)\)/if (listed <= 2u * capacity())/'
break_ 'sample: a slice starts where its first invocations do' $slice 's/group_exclusive\(local, below_it\)\.y/group_exclusive(local, below_it).x/'
break_ 'sample: indices in the order of the list' $slice 's/take\(cell_of\(select\(0u, key_c\[i\], exists\)\)\)/take(own_cell(local, i))/'
break_ 'sample: ties of the upper bound before others' $slice 's/lowest \+ others \+ high_before/lowest + high_before/'
break_ 'sample: others begin where ties do' $slice 's/now\.z \+ lowest, 0u\)/now.z, 0u)/'
break_ 'sample: ties in one word of the list' $slice 's/\(before & 0xffffu\) \+ countOneBits/countOneBits/'
break_ 'sample: marks of ties stay' $slice 's/    atomicStore\(&marks\[local\], 0u\);\n    if \(local == 0u\) \{\n        task/    if (local == 0u) {\n        task/'
break_ 'sample: the high word of a key in quads' $slices 's/word_of_quads\(element \* KEY_WORDS \+ 1u\)/word_of_quads(element * KEY_WORDS)/'
break_ 'sample: a tail a word off' $slices 's/\(word - params\.quad_words\) % TAIL_WORDS/(word - params.quad_words + 1u) % TAIL_WORDS/'
break_ 'sample: the second word of a value' $slices 's/\(element \* VALUE_WORDS \+ word % VALUE_WORDS\)/element * VALUE_WORDS/; s/VALUE_WORDS \+ word % VALUE_WORDS\]/VALUE_WORDS]/'
break_ 'sample: only the first slices are sorted' $slices 's/slice \+= group_total\(grid\)/slice += capacity()/g'
break_ 'sample plan: in place without a copy' $sampling 's/!sort->desc->in_place/true/'
break_ 'sample plan: quads of few keys' $sampling 's/ && keys\.size_bytes > TAIL_BYTES//'
break_ 'sample plan: quads where buffers are bound apart' $sampling 's/alignment <= TAIL_BYTES && //'
break_ 'sample plan: a workgroup too large for the memory' $sampling 's/ \|\|\s+memory_bytes\(group\) > builder->caps\.max_workgroup_bytes//'
break_ 'sample plan: a slice too few' $sampling 's/slices < capacity \? slices : capacity;/slices - 1;/'
break_ 'choice: a sample sort between networks' src/plan_sort.c 's/\(!ordo_plan_is_rejected\(builder, ORDO_METHOD_RADIX\) \|\|/(true ||/'

break_ 'onesweep: what does not exist comes first' $sweep 's/select\(params\.mask, digit_of/select(0u, digit_of/'
break_ 'onesweep: portions before are forgotten' $sweep 's/i <= params\.portion; i\+\+/i < params.portion; i++/'
break_ 'onesweep: the first portion stands for those before' $sweep 's/\(i \* params\.portion_tiles - 1u\)/(params.portion_tiles - 1u)/'
break_ 'onesweep: a sum is published as a prefix' $sweep 's/select\(SUM, PREFIX, tile\.number == params\.first_tile\)/PREFIX/'
break_ 'onesweep: a prefix without its own tile' $sweep 's/PREFIX, before \+ digit\.x\)/PREFIX, before)/'
break_ 'onesweep: the prefix that ends a look is left out' $sweep 's/select\(0u, word & COUNT_MASK, goes_on\)/select(0u, word \& COUNT_MASK, goes_on \&\& kind == SUM)/'
break_ 'onesweep: a look goes on beyond a prefix' $sweep 's/select\(rest - 1u, 0u, kind == PREFIX\)/rest - 1u/'
break_ 'onesweep: what a pass left means the same in the next' $sweep 's/ \^ params\.nothing//g'
break_ 'onesweep: keys of a silent tile are left out' $sweep 's/ *before \+= atomicLoad\(&shift_of\[local\]\);\n//'
break_ 'onesweep: all digits add what a silent tile holds' $sweep 's/if \(rest == stalled\)/if (local < BINS)/'
break_ 'onesweep: a look beyond an unpublished tile' $sweep 's/goes_on = goes_on && kind/goes_on = kind/'
break_ 'onesweep: the window before a silent tile is taken behind it' $sweep 's/(rest = stalled - 1u;\n) *load_window\(local\);\n/$1/'
break_ 'onesweep: a window begins a tile too far' $sweep 's/max\(rest, distance\) - distance/max(rest, distance + 1u) - distance - 1u/'
break_ 'onesweep: the tile before the silent one is counted' $sweep 's/stalled - 1u\);\n/max(stalled, 2u) - 2u);\n/'
break_ 'onesweep: a silent tile of the first portion is counted' $sweep 's/params\.first_tile \+ stalled - 1u/stalled - 1u/'
break_ 'onesweep: counts of a silent tile are added to others' $sweep 's/        atomicStore\(&shift_of\[local\], 0u\);\n//'
break_ 'onesweep: a look begins in the first portion' $sweep 's/params\.first_tile \+ max\(rest, distance\)/max(rest, distance)/'
break_ 'onesweep: workgroups without a tile take one' $sweep 's/group_number\(grid\) >= tile_count\(\)/false/g'
break_ 'onesweep: the capacity counts' $sweep 's/element_count\(params\.max_count\)/params.max_count/g'
break_ 'onesweep: parts of a tile are not told apart' $sweep 's/spot_of\(i\) - base < PART/spot_of(i) < PART/g'
break_ 'onesweep: a short tile reads what follows it' $sweep 's/if \(tile\.held == params\.tile_items\)/if (true)/'
break_ 'onesweep: all of a tile is one part' $sweep 's/let at = base \+ i \* GROUP_SIZE \+ local;/let at = i * GROUP_SIZE + local;/'
break_ 'onesweep: the high word is not moved' $sweep 's/atomicStore\(&cells\[PART \+ cell\], high\[i\]\)/atomicStore(\&cells[PART + cell], low[i])/'
break_ 'onesweep: the high word does not count' $sweep 's/key\.y = atomicLoad\(&cells\[PART \+ i \* GROUP_SIZE \+ local\]\);//'
break_ 'onesweep: a recount without the high word' $sweep 's/key\.y = keys_in\[at \+ 1u\];/key.y = keys_in[at];/'
break_ 'onesweep: the second word of a value is the first' $sweep 's/value_high\[i\] = values_in\[at \+ 1u\]/value_high[i] = values_in[at]/'
break_ 'onesweep: values of a part past the tile are written' $sweep 's/ && base \+ i \* GROUP_SIZE \+ local < tile\.held//'
break_ 'onesweep: an index without its tile' $sweep 's/value_low\[i\] = tile\.first \+ /value_low[i] = /'
break_ 'onesweep histogram: what does not exist counts' $sweeps 's/select\(0u, 1u, exists\)\);/1u);/'
break_ 'onesweep histogram: digits of one width' $sweeps 's/ \+ min\(pass_number, params\.wider\)//'
break_ 'onesweep histogram: no digit is wider' $sweeps 's/params\.width \+ select\(0u, 1u, pass_number < params\.wider\)/params.width/'
break_ 'onesweep histogram: copies are not added' $sweeps 's/copy < BIN_COUNT; copy \+= COPY_WORDS/copy < COPY_WORDS; copy += COPY_WORDS/'
break_ 'onesweep plan: copies that memory does not hold' src/plan_onesweep.c 's/while \(copies > 1 &&\n/while (copies > 100 \&\&\n/'
break_ 'onesweep plan: cells for one word of a key' src/plan_onesweep.c 's/s->rounds, staged = part \* s->sort->key_words/s->rounds, staged = part/'
break_ 'onesweep histogram: the high word does not count' $sweeps 's/vec2<u32>\(low\[i\], high\[i\]\)/vec2<u32>(low[i], low[i])/'
break_ 'onesweep histogram: one stretch a workgroup' $sweeps 's/stretch \+= groups/stretch += stretches/'
break_ 'onesweep histogram: a digit starts where it ends' $sweeps 's/group_exclusive\(local, counted\)\.x/group_exclusive(local, counted).x + counted/'
break_ 'onesweep histogram: the table is not cleared' $sweeps 's/table\[i\] = 0u;/table[i] = table[i];/'
break_ 'onesweep histogram: the table is cleared in part' $sweeps 's/i < table_words; i/i + GROUP_SIZE < table_words; i/'
break_ 'onesweep begin: counters are not cleared' $swept 's/counters\[i\] = 0u;/counters[i] = counters[i];/'
break_ 'onesweep begin: counters are cleared in part' $swept 's/i < params\.counter_words/i + GROUP_SIZE < params.counter_words/'
break_ 'onesweep plan: a portion too few' src/plan_onesweep.c 's/portion \* s\.portion_tiles < s\.tiles/(portion + 1) * s.portion_tiles <= s.tiles/'
break_ 'onesweep plan: portions share a ticket' src/plan_onesweep.c 's/pass \* MOST_PORTIONS \+ portion\)/pass)/'
break_ 'onesweep plan: all passes find nothing alike' src/plan_onesweep.c 's/pass % 2 \? 1u << 31 : 0/0/'
break_ 'onesweep plan: portions of more keys than a word counts' src/plan_onesweep.c 's/\(1 << 30\) - 1,/INT32_MAX,/'
break_ 'onesweep plan: narrow digits come first' src/plan_onesweep.c 's/pass < s->wider \? pass : s->wider/pass/'
break_ 'onesweep plan: values of 16 bytes travel' src/plan_passes.c 's/desc->value_bytes > sort->builder/desc->value_bytes > 2 * sort->builder/'
break_ 'passes: the first pass reads what the second does' src/plan_passes.c 's/if \(pass > 0\)/if (1)/'
break_ 'choice: looking back on any device' src/plan_sort.c 's/ && builder->caps\.forward_progress//'
break_ 'choice: scratch of onesweep alone' src/plan_sort.c 's/ \|\| by_digits\)/)/'
break_barriers $sweep
break_barriers $sweeps

break_ 'network: comparators of keys point down' $element 's/lesser = min\(key_a\[i\], key_a\[j\]\);(\s+key_a\[j\] = )max/lesser = max(key_a[i], key_a[j]);$1min/'
break_ 'network: comparators of pairs point down' $element 's/x\.x > y\.x, x\.x != y\.x/x.x < y.x, x.x != y.x/'
break_ 'network: ties are not broken' $element 's/ *if \(TIES\) \{ after = .*?\}\n//'
break_ 'network: the third word of a key is not compared' $element 's/ *if \(KEY_WORDS > 2u\) \{ after = .*?\}\n//'
break_ 'network: the second word of a value stays' $element 's/ *load_b\[j\] = select\(load_b\[j\], f, swap\);\n//'
break_ 'network: the window is ignored' $element 's/if \(!WINDOWED\) \{/if (true) {/'
break_ 'network: a window of one word is a bit too low' $element 's/\(low \+ high\) & 31u/(low + high - 1u) \& 31u/'
break_ 'network: a border in the high word is a bit off' $element 's/\(low - 32u\) & 31u/(low - 31u) \& 31u/'
break_ 'network: what is past the count is loaded' $element 's/    key_a\[i\] = select\(NOWHERE, key_a\[i\], held\(element\)\);\n//'
break_ 'network: what is past the count is stored' $element 's/!held\(element\) \|\| //'
break_ 'network: payloads past the count are stored' $element 's/(store_key\(i, element\);\s+)if \(held\(element\)\)/$1if (true)/'
break_ 'network: padding has an index like any other' $element 's/    load_a\[i\] = select\(NOWHERE, load_a\[i\], held\(element\)\);\n//'
break_ 'network: rows run into the next' $element 's/select\(NOWHERE, (row \* params\.row_length \+ offset), offset < params\.row_length\)/$1/'
break_ 'network: an index without its row' $element 's/load_a\[i\] = element % params\.row_length/load_a[i] = element/'
break_ 'network: values of another row' $element 's/element - element % params\.row_length \+ //'
break_ 'bitonic: a flip is a cross' $bitonic 's/run \+ 2u \* stride - 1u - i % stride/run + stride + i % stride/'
break_ 'bitonic: an off-by-one partner' $bitonic 's/2u \* stride - 1u - i % stride/2u * stride - i % stride/'
break_ 'bitonic: an off-by-one partner below a flip' $bitonic 's/exchange\(lower, lower \+ stride\)/exchange(lower, lower + stride - 1u)/'
break_ 'bitonic: windows that flip have no mirror' $bitonic 's/mirror = select\(below, 0u, flipped == 0u\)/mirror = 0u/'
break_ 'bitonic: the upper half is mirrored' $bitonic 's/mirror, \(i & half\) == 0u\)/mirror, (i \& half) != 0u)/'
break_ 'bitonic: the last level is left out' $bitonic 's/ *if \(rest >= 1u\) \{ cross\(1u\); \}\n//'
break_ 'bitonic: a level too few in a merge' $bitonic 's/select\(levels, levels - 1u, flips\)/levels - 1u/'
break_ 'bitonic: a step leaves its last task out' $bitonic 's/return number < params\.c/return number + 1u < params.c/'
break_ 'bitonic: blocks are numbered by columns' $bitonic 's/return group_number\(grid\) \* \(GROUP_SIZE/return grid.group.x * (GROUP_SIZE/'
break_ 'bitonic: in shuffles the wrong side keeps the lesser' $bitonic 's/\(local & mask\) != 0u\)/(local \& mask) == 0u)/'
break_ 'bitonic: shuffled flips do not turn registers round' $bitonic 's/shuffle\(key_a\[ITEMS - 1u - i\], mask\)/shuffle(key_a[i], mask)/'
break_ 'bitonic: values in place are written before all are read' $bitonic 's/ *storageBarrier\(\);\n//'
break_ 'shuffle: a bit too many' $shuffle 's/subgroupAdd\(1u\)\) - 1u/subgroupAdd(2u)) - 1u/'
break_ 'oddeven: a first level like the others' $oddeven 's/above == stage\);/false);/'
break_ 'oddeven: comparators leave their run' $oddeven 's/if \(\(high & .*? >= stride\) \{/if (true) {/'
break_ 'oddeven: seams are skipped' $oddeven 's/ *exchange_cells\(BLOCK \/ 2u - stride \+ c, BLOCK \/ 2u \+ c\);\n//'
break_ 'oddeven: an off-by-one partner at a seam' $oddeven 's/BLOCK \/ 2u - stride \+ c,/BLOCK \/ 2u - stride + c + 1u,/'
break_ 'oddeven: seams of the first run only' $oddeven 's/\(run << params\.b\) \+ seam/seam/'
break_ 'oddeven: a step joins the wrong neighbours' $oddeven 's/\(group % groups \* 2u \+ 1u\)/(group % groups * 2u)/'
break_ 'pack: an index without its tile' $pack 's/var index = element;/var index = i;/'
break_ 'pack: an index without its row' $pack 's/index = element % params\.row_length/index = element/'
break_ 'packed: the mask is off by one' $packed 's/\(1u << index_bits\) - 1u/(1u << index_bits) - 2u/'
break_ 'packed: the key is a bit too high' $packed 's/key << index_bits/key << (index_bits + 1u)/'
break_barriers $bitonic
break_barriers $oddeven

break_ 'msd: what does not exist is ranked' $partition 's/select\(NOWHERE, before, exists\)/before/'
break_ 'msd: each tile claims what the first did' $partition 's/before\.x \+ claimed - before\.y/before.x - before.y/'
break_ 'msd: stretches of an item' $children 's/let stretch = params\.item_count \/ 2u;/let stretch = params.item_count;/'
break_ 'msd: a run is a child too long' $children 's/var end = local \+ 1u;/var end = local + 2u;/'
break_ 'msd: large children are items too' $children 's/exists && !large && \(local/exists \&\& (local/'
break_ 'msd: the last item of a bucket is a key short' $children 's/tile\.start \+ before\.z;/tile.start + before.z - 1u;/'
break_ 'msd: all items lie in the alternate' $children 's/\(params\.level & 1u\) << 31u/0u/'
break_ 'msd: equal keys make an item' $children 's/div_ceil\(child_size, params\.item_count\), large && exhausted/1u, large \&\& exhausted/'
break_ 'msd: a digit begins where its parent did' $children 's/\(bucket\.left - bucket\.bits\) \|/bucket.left |/'
break_ 'msd: totals of buckets are not cleared' $children 's/atomicStore\(&work\[params\.next_records \+ i\], 0u\)/atomicAdd(\&work[params.next_records + i], 0u)/'
break_ 'msd: the high word is not moved' $partition 's/atomicStore\(&cells\[PART \+ cell\], high\[i\]\)/atomicStore(\&cells[PART + cell], low[i])/'
break_ 'msd: high words begin a key too early' $partition 's/&cells\[PART \+ cell\], high/\&cells[PART + cell - 1u], high/'
break_ 'msd: the high word does not count' $partition 's/key\.y = atomicLoad\(&cells\[PART \+ cell\]\);/key.y = atomicLoad(\&cells[cell]);/'
break_ 'msd: the high word is not written' $partition 's/keys_out\[to \* KEY_WORDS \+ 1u\] = key\.y;/keys_out[to * KEY_WORDS + 1u] = key.x;/'
break_ 'msd: the high word is not loaded' $partition 's/keys_in\[at \* KEY_WORDS \+ 1u\]/keys_in[at * KEY_WORDS]/'
break_ 'strips: spots of two keys change places' $strips 's/>> \(i % 2u \* 16u\)/>> (16u - i % 2u * 16u)/'
break_ 'strips: a spot of eight bits' $strips 's/(\* 16u\)\) & )0xffffu/$10xffu/'
break_ 'msd: starts are added to the other spot' $partition 's/start << \(i % 2u \* 16u\)/start << (16u - i % 2u * 16u)/'
break_ 'msd: what does not exist has a start' $partition 's/select\(0u, (start << .*?), i \* GROUP_SIZE \+ local < again\.held\)/$1/'
break_ 'msd: the first key past a part is written' $partition 's/if \(at < end\)/if (at <= end)/'
break_ 'msd: the last key of a part is not written' $partition 's/if \(at < end\)/if (at + 1u < end)/'
break_ 'msd: parts run on into the next' $partition 's/let end = min\(base \+ PART, tile\.held\);/let end = tile.held;/'
break_ 'msd: three of four keys are written' $partition 's/ *move_lone\(key3.*?\n//'
break_ 'msd: the digit of a neighbour' $partition 's/move_lone\(key2, digits\.z/move_lone(key2, digits.w/'
break_ 'msd: the fixed digit of a neighbour' $partition 's/fixed_digit\(c\.x, fixed\)/fixed_digit(b.x, fixed)/'
break_ 'msd: digits of a claim are those of other children' $partition 's/find_digits\(again\);/find_digits(Tile());/'
break_ 'msd: digits of pairs are those of the first part' $partition 's/find_staged_digits\(local, tile\);/find_digits(tile);/'
break_ 'msd: shifts of the first part of no tile' $partition 's/if \(base == 0u && local < BINS\)/if (base > 0u \&\& local < BINS)/'
break_ 'msd: keys are loaded from the first tile' $partition 's/tile\.first \+ source_of\(local, i, stable\)/source_of(local, i, stable)/'
break_ 'msd: a last tile that is short is loaded from the first' $partition 's/tile\.first \+ min\(source_of\(local, i, stable\), tile.held - 1u\)/min(source_of(local, i, stable), tile.held - 1u)/'
break_ 'msd: the second word of a value takes the place of the first' $partition 's/place\[i\] \* VALUE_WORDS \+ word\]/place[i] * VALUE_WORDS]/'
break_ 'msd: an index without its tile' $partition 's/tile\.first \+ rank_source\(local, i\)\);/rank_source(local, i));/'
break_ 'msd: what does not exist comes first' $partition 's/select\(last_digit, digit, /select(0u, digit, /'
break_ 'msd: the last child has the last digit' $partition 's/let last_digit = child_digit\(tile, (.*?)\);/let last_digit = $1;/'
break_ 'msd: values of unstable pairs in strips' $partition 's/source_of\(local, i, STABLE\)/source_of(local, i, true)/'
break_ 'msd: keys of unstable pairs in strips' $partition 's/load_keys\(local, tile, STABLE\)/load_keys(local, tile, true)/'
break_ 'msd: keys of indices in columns' $partition 's/load_keys\(local, tile, true\)/load_keys(local, tile, false)/'
break_ 'msd: keys alone in strips' $partition 's/load_keys\(local, tile, false\)/load_keys(local, tile, true)/'
break_ 'msd: unstable pairs go by tables' $partition 's/if \(STABLE\)/if (true)/'
break_ 'pair sums: a step left out' $pair 's/before = pair_step\(before, row, 14u, lane\);/before = before;/'
break_ 'pair sums: the first step left out' $pair 's/ *before = pair_step\(before, row, 0u, lane\);\n//'
break_ 'pair sums: x is y' $pair 's/return vec2<u32>\(atomicLoad\(&cells\[at\]\), atomicLoad\(&cells\[GROUP_SIZE \+ at\]\)\);/return vec2<u32>(atomicLoad(\&cells[GROUP_SIZE + at]), atomicLoad(\&cells[at]));/'
break_ 'pair sums: rows without their last invocation' $pair 's/before\.x \+ value\.x\)/before.x)/'
break_ 'pair sums: rows of y without their last invocation' $pair 's/before\.y \+ value\.y\)/before.y)/'
break_ 'pair sums: a row of four begins at 0' $pair 's/ *rows = select\(rows, total, i \+ 3u == .*?\n//'
break_ 'msd: tiles of all buckets share a column' $partition 's/child_digit\(tile, local\) \* tile\.tiles \+ tile\.index/child_digit(tile, local) * tile.tiles/'
break_ 'msd: bits are left after the last level' $lists 's/if \(level >= 2u \|\| just_enough\)/if (false)/'
break_ 'msd: bits are left after the last of just enough levels' $lists 's/level >= 2u \|\| just_enough/level >= 2u/'
break_ 'msd: bits are left after the last of large sorts' $lists 's/level >= 2u \|\| just_enough/just_enough/'
break_ 'msd: levels are taken for just enough' $lists 's/let just_enough = .*?;/let just_enough = true;/'
break_ 'msd: digits too short by a bit' $lists 's/>= params\.filled_count/> 2u * params.filled_count/'
break_ 'msd: the last tile of a bucket runs on' $lists 's/min\(params\.tile_items, size - done\)/params.tile_items/'
break_ 'msd: tables overlap' $lists 's/params\.tables \+ atomicLoad\(&work\[record \+ RECORD_TABLE\]\)/params.tables/'
break_ 'msd: the capacity counts' $lists 's/element_count\(params\.max_count\)/params.max_count/'
break_ 'msd histogram: what does not exist counts' $tally 's/select\(0u, 1u, exists\)\);/1u);/'
break_ 'msd histogram: a part ends where the first does' $tally 's/let exists = done \+ /let exists = /'
break_ 'msd histogram: each part is the first' $tally 's/tile\.first \+ min\(done \+ /tile.first + min(/'
break_ 'msd histogram: tables by tile' $tally 's/local \* tile\.tiles \+ tile\.index/tile.index * (1u << tile.bits) + local/'
break_ 'msd histogram: counts are added again and again' $tally 's/ *counted = 0u;\n(?= *\})//'
break_ 'msd scan: no carry' $tables 's/ *carry \+= places\.y;\n//'
break_ 'msd scan: digits of many tiles do not wait for each other' $tables 's/carry = before_child\(local, tile, place\);/carry = 0u;/'
break_ 'msd scan: tiles of the first turn only' $tables 's/turn \* groups < tiles; turn \+= GROUP_SIZE/turn == 0u; turn += GROUP_SIZE/'
break_ 'msd scan: a turn goes to the workgroup of the last one' $tables 's/let own = turn \+ local;/let own = turn;/'
break_ 'msd scan: workgroups share tiles' $tables 's/\(group_number\(grid\) \+ own \* DEAL\) % groups/own * DEAL % groups/'
break_ 'msd scan: a bucket of many tiles has one scan' $tables 's/select\(1u, 1u << bits, tiles >= FEW_TILES\)/1u/'
break_ 'msd scan: what msd_finish has ended goes on' $tables 's/select\(0u, root\.tiles, root\.held > 0u\)/root.tiles/'
break_ 'msd scan: digits that wrap round are left out' $tables 's/select\(length, tile\.tiles, many\)/digits/'
break_ 'msd scan: digits that wrap round begin anew' $tables 's/length \* tile\.tiles, carry\)/length * tile.tiles, select(0u, carry, many))/'
break_ 'msd scan: every tile of a small bucket scans it' $tables 's/return tile\.index < scan_count/return true || tile.index < scan_count/'
break_ 'msd begin: counts of levels are not cleared' $begin 's/i < CONTROL_WORDS/i < 2u/'
break_ 'msd begin: cursors of the root are not cleared' $begin 's/\(2u << params\.digit_bits\)/(1u << params.digit_bits)/'
break_ 'msd begin: the second record is not cleared' $begin 's/work\[second_record\(\) \+ RECORD_TOTALS \+ i\]/work[params.records + RECORD_TOTALS + i]/'
break_ 'msd begin: no key but the sample has a successor' $begin 's/let next = min\(at \+ 1u, last\)/let next = at + 1u/'
break_ 'msd begin: elements with values are written anew' $begin 's/if \(!ALONE \|\| wide_less/if (wide_less/'
break_ 'msd begin: a digit of as many values as there are' $begin 's/wide_less\(mask, span\)/wide_less(span, mask)/'
break_ 'msd begin: a digit lies at the end of all values' $begin 's/return lesser\(first, wide_subtract\(all, .*?\)\);/return first;/'
break_ 'msd begin: a range without a border above' $begin 's/let above = wide_left\(vec2<u32>\(0xffffffffu\), top\);/let above = vec2<u32>(0u);/'
break_ 'msd begin: the lowest digit of all values' $begin 's/root_of\(shift, bits, lowest\)/root_of(shift, bits, 0u)/'
break_ 'msd begin: fixed points for any floats' $begin 's/2u \* find_fullest\(local, fixed\) <= crowded/find_fullest(local, fixed) <= 2048u/'
break_ 'msd begin: fixed points for no floats' $begin 's/2u \* find_fullest\(local, fixed\) <= crowded/2048u < crowded/'
break_ 'msd begin: infinities and NaNs say how far digits go' $begin 's/select\(0u, 1u, exponent < 0xffu\)/1u/'
break_ 'msd begin: so does the greatest key' $begin 's/BEYOND: u32 = 8u/BEYOND: u32 = 0u/'
break_ 'msd begin: digits of both signs always' $begin 's/let halves = .*?;/let halves = 1u;/'
break_ 'msd digit: negative NaNs come first' $forms 's/\(key \^ 0x80000000u\) <= 0x7f800000u/key >= 0x80000000u/'
break_ 'msd digit: a magnitude beyond the greatest' $forms 's/min\(key & CUT, fixed\.most\)/key \& CUT/'
break_ 'msd digit: magnitudes are not cut' $forms 's/CUT: u32 = 0x7fff8000u/CUT: u32 = 0x7fffffffu/'
break_ 'msd digit: exponents whose digits end in subnormals' $begin 's/LEAST_EXPONENT: u32 = 8u/LEAST_EXPONENT: u32 = 1u/'
break_ 'msd digit: negative keys are not mirrored' $forms 's/max\(negative, 1u\) - 1u/0u/'
break_ 'msd digit: negative keys amid the positive' $forms 's/select\(all, 0u, negative == 0u\)/all/'
break_ 'msd digit: positive keys amid the negative' $forms 's/select\(all, 0u, negative > last\)/all/'
break_ 'msd digit: descending keys ascend' $forms 's/select\(0u, last, DESCENDING\)/0u/'
break_ 'msd digit: images are counted from 0' $forms 's/ *image\.x -= tile\.base;\n//'
break_ 'msd digit: images of descending children ascend' $forms 's/if \(DESCENDING\)/if (false)/'
break_ 'msd digit: a child of negative keys begins a digit late' $forms 's/IMAGE_OF_ZERO - magnitude_after\(negative - child,/IMAGE_OF_ZERO - magnitude_after(negative - child + 1u,/'
break_ 'msd: fixed digits leave the bits below them' $children 's/ *bucket\.left = word_width\(.*?\);\n//'
break_ 'msd: children of fixed digits count from 0' $children 's/ *bucket\.base = least_of_child\(local, tile\);\n//'
break_ 'msd: the counts of copies are not added' $partition 's/ *counted \+= atomicLoad\(&count_of\[c \* COPY_WORDS \+ digit\]\);\n//'
break_ 'msd: copies start where the first does' $partition 's/ *next \+= held;\n//'
break_ 'msd: all lists are as long as the last bucket left them' $children 's/atomicStore\(&wanted\[local\], 0u\)/atomicAdd(\&wanted[local], 0u)/'
break_ 'msd: tiles are taken from the list of tables' $children 's/tile_count_at\(next\), list == 2u/tile_count_at(next), list == 3u/'
break_ 'msd histogram: copies are not added' $tally 's/copy < BIN_COUNT; copy \+= COPY_WORDS/copy < COPY_WORDS; copy += COPY_WORDS/'
break_ 'msd: wide children take digits as others do' $lists 's/if \(FIXED_ROOT && left \+ .*?\) \{/if (false) {/'
break_ 'msd: a fixed root is the plan.s' $lists 's/ranged \|\| \(root & \(ROOT_FIXED \| ROOT_PASSES\)\) != 0u/ranged || (root \& ROOT_PASSES) != 0u/'
break_ 'msd: passes are the plan.s levels' $lists 's/\(root & \(ROOT_FIXED \| ROOT_PASSES\)\) != 0u/(root \& ROOT_FIXED) != 0u/'
break_ 'msd: an odd number of passes' $lists 's/return least \+ least % 2u;/return least;/'
break_ 'msd: a pass of all the bits that are left' $lists 's/pass_total\(\) - level\)/1u)/'
break_ 'msd: a listed pass is a level' $lists 's/base, 0u, digit >> 16u\)/base, 0u, 0u)/'
break_ 'msd: the first pass is a level' $lists 's/select\(0u, 1u, \(root & ROOT_PASSES\) != 0u\)/0u/'
break_ 'msd: passes go on for ever' $children 's/if \(taken == params\.key_bits\)/if (taken > params.key_bits)/'
break_ 'msd: a pass begins where the last one did' $children 's/taken \| \(bits << 8u\) \|/tile.shift | (bits << 8u) |/'
break_ 'msd: counters of a pass are not cleared' $children 's/atomicStore\(&work\[record \+ i\], 0u\)/atomicAdd(\&work[record + i], 0u)/'
break_ 'msd: the tiles of a pass are not listed' $children 's/i < tile\.tiles; i \+= GROUP_SIZE/i < 1u; i += GROUP_SIZE/'
break_ 'msd: a pass has a tile too few' $children 's/tile_count_at\(next\)\], tile\.tiles\)/tile_count_at(next)], tile.tiles - 1u)/'
break_ 'msd: a pass sorts the capacity' $children 's/RECORD_SIZE\], element_count\(params\.max_count\)\)/RECORD_SIZE], params.max_count)/'
break_ 'msd histogram: a record is added to after all tiles of any' $tally 's/let ends = next\.held == 0u \|\| next\.record != tile\.record;/let ends = next.held == 0u;/'
break_ 'msd begin: passes for any keys' $begin 's/8u \* count_crowd\(local\) < 3u/0u * count_crowd(local) > 3u/'
break_ 'msd begin: passes for no keys' $begin 's/8u \* count_crowd\(local\) < 3u/count_crowd(local) < 3u/'
break_ 'msd begin: keys crowd that are equal in all bits only' $begin 's/\.x >> params\.digit_bits\) \* 0x9e/.x) * 0x9e/'
break_ 'msd begin: nobody hits a spot again' $begin 's/hit << 16u/0u/'
break_ 'msd begin: passes where a range needs few levels' $begin 's/let ends_early = .*?;/let ends_early = false;/'
break_ 'msd begin: few keys crowd as they are sampled again' $begin 's/element_total <= GROUP_SIZE \* ITEMS \|\| //'
break_ 'msd begin: more passes than levels' $begin 's/ \|\| pass_total\(\) > params\.last_level \+ 1u//'
break_ 'msd begin: passes of what need not be stable' $begin 's/if \(STABLE && KEY_WORDS == 1u\)/if (KEY_WORDS == 1u)/'
break_ 'msd begin: passes forget an order' $begin 's/pass_bits\(0u, 0u\), 0u\) \| \(root & ROOT_ORDERED\)/pass_bits(0u, 0u), 0u)/'
break_ 'msd promise: ranges are not checked' $promises 's/atomicOr\(&work\[ROOT\], ROOT_BROKEN\)/atomicOr(\&work[ROOT], 0u)/'
break_ 'msd promise: high words are not checked' $promises 's/\(wrong\.x \| wrong\.y\) != 0u/wrong.x != 0u/'
break_ 'msd promise: orders are not checked' $promises 's/atomicAnd\(&work\[ROOT\], ~ROOT_ORDERED\)/atomicOr(\&work[ROOT], 0u)/'
break_ 'msd promise: the last key of a tile has no successor' $promises 's/let exists = .*?;/let exists = i * GROUP_SIZE + local + 1u < tile.held;/'
break_ 'msd promise: the last key of all has a successor' $promises 's/\(breaks & exists\)/breaks/'
break_ 'msd promise: keys that fall may be equal' $promises 's/rises \| \(STABLE & !falls\)/rises/'
break_ 'msd promise: keys alone that fall may not be equal' $promises 's/\(STABLE & !falls\)/!falls/'
break_ 'msd promise: of two the first that is broken ends the count' $promises 's/let idle = (.*?) && \(/let idle = $1 || (/'
break_ 'msd histogram: a broken promise leaves nothing to count' $counts_of 's/settled_root\(load_root\(local\)\)/load_root(local)/'
break_ 'msd: both digits of the root are counted in one record' $lists 's/select\(params\.records, second_record\(\), .*?\)(, params\.tables)/params.records$1/'
break_ 'msd finish: nothing is mirrored' $finish 's/return \(root & ROOT_DESCENDING\) != 0u;/return false;/'
break_ 'msd finish: mirrored off by one' $finish 's/max_count\) - 1u - element/max_count) - element/'
break_ 'msd finish: all elements are swapped, and back' $finish 's/max_count\) \/ 2u/max_count)/'
break_ 'msd finish: the high word of a value is not moved' $finish 's/for \(var w = 0u; w < VALUE_WORDS; w\+\+\)/for (var w = 0u; w < 1u; w++)/g'
break_ 'msd finish: what is past the count is written' $finish 's/if \(i \* GROUP_SIZE \+ local < part\.y\)/if (true)/g'
break_ 'msd finish: children in the order of their digits' $finish 's/child_digit\(root, local\)/local/'
break_ 'msd finish: the first key of a child is not written' $finish 's/var i = local; i < stop - at/var i = local + 1u; i < stop - at/g'
break_ 'msd finish: keys without the bits that all share' $finish 's/wide_add\(control_pair\(BASE\), (.*?), shift\)\)/$1, shift)/'
break_ 'msd finish: a workgroup takes one part' $finish 's/number \+= group_total\(grid\)/number += 0x10000000u/g'
break_ 'msd: a sort that is finished goes on' $lists 's/\(root & ROOT_ORDERED\) != 0u \|\| is_filled\(root\)/false/'
break_ 'msd: a broken promise is kept' $lists 's/\(root & \(ROOT_RANGED \| ROOT_BROKEN\)\) == ROOT_RANGED/(root \& ROOT_RANGED) != 0u/'
break_ 'msd: children in the order of their digits' $lists 's/\(place \+ tile\.lowest\) & mask/place/'
break_ 'wide: no borrow' $wide 's/a\.y - b\.y - select\(0u, 1u, a\.x < b\.x\)/a.y - b.y/'
break_ 'wide: no carry' $wide 's/a\.y \+ b\.y \+ select\(0u, 1u, low < a\.x\)/a.y + b.y/'
break_ 'rank: ties of a round reversed' $ranks 's/countOneBits\(equals & \(own - 1u\)\)/countOneBits(equals \& ~(own | (own - 1u)))/'
break_ 'rank: two strips start together' $strips 's/sum \| \(second << 16u\)/sum | (sum << 16u)/'
break_ 'rank: ties of two rounds swapped' $strips 's/ \+ i \* width \+/ + (ITEMS - 1u - i) * width +/'
break_ 'ballots: ties of a round reversed' $ballots 's/let below = rank_bits\(equals & below_lanes\)/let below = rank_bits(equals) - 1u - rank_bits(equals \& below_lanes)/'
break_ 'ballots: the highest bit is not compared' $ballots 's/ *equals &= rank_equals\(\(digit & 128u\) != 0u\);\n//'
break_ 'ballots: lanes that there are not count' $ballots 's/ & lanes;/;/'
break_ 'ballots: all strips count in the lower half of a word' $ballots 's/below == 0u\) << shift/below == 0u)/'
break_ 'msd local: the wrong buffer' $items 's/let in_final = entry\.y >= IN_FINAL;/let in_final = entry.y < IN_FINAL;/g'
break_ 'msd local: an item that lies right is left where it lies' $items 's/if \(changed \|\| !in_final\)/if (changed)/g'
break_ 'msd local: the last key of an item stays' $items 's/if \(at < size\) \{\n( +)let key/if (at + 1u < size) {\n$1let key/'
break_ 'msd local: a workgroup sorts one item' $items 's/number \+= group_total\(grid\)/number += 0x10000000u/g'
break_ 'local network: ties keep the order that was left' $slow 's/if \(TIES && !lone\)/if (false)/'
break_ 'msd small: what is past the count is written' $item 's/if \(at < size\)/if (true)/g'
break_ 'msd plan: a level too few' $levels 's/\(size == SMALL \? 0 : 2\)/(size == SMALL ? 0 : 1)/'
break_ 'msd plan: small sorts take their share late' $levels 's/size == SMALL \? 1 : 2/2/'
break_ 'msd plan: a root of few bits' $levels 's/if \(s->forced_level == 1\)/if (false)/'
break_ 'msd plan: small sorts move as large ones' $levels 's/tuning->msd_small_items, tuning->msd_small_rounds/tuning->msd_items, tuning->msd_rounds/'
break_ 'msd plan: medium sorts move as large ones' $levels 's/tuning->msd_medium_items, tuning->msd_medium_rounds/tuning->msd_items, tuning->msd_rounds/'
break_ 'msd plan: medium sorts end where small ones do' $levels 's/UINT64_MAX : tuning->msd_medium_count/UINT64_MAX : tuning->msd_small_count/'
break_ 'msd plan: floats are as large as others' $levels 's/two_forms \? UINT64_MAX : //'
break_ 'msd plan: a medium sort is a key shorter' $levels 's/count > most_keys\(s, size\); size/count >= most_keys(s, size); size/'
break_ 'msd plan: pairs move as keys alone' $levels 's/ *: s->value_words \? &stable\n//'
break_ 'msd plan: small pairs move as large ones' $levels 's/size == SMALL +\? &small/size == SMALL \&\& !s->value_words ? \&small/'
break_ 'msd plan: cells for one word of a key' $levels 's/(s->tile_items \/ s->rounds) \* s->sort->key_words/$1/'
break_ 'msd plan: no cells for sums' $levels 's/ *words = words > sums \? words : sums;\n//'
break_ 'msd plan: copies of counters on any device' $levels 's/s->value_words == 0 && fits/s->value_words == 0/'
break_ 'msd plan: large items save nothing' $levels 's/if \(usual_levels\(s\) == levels\)/if (false)/'
break_ 'msd plan: large items on any device' $levels 's/ &&\n *can_run_local\(s->builder, tuning->msd_large_group\)//'
break_ 'msd plan: a local sort has its cells alone' $levels 's/ \+ LOCAL_OWN_BYTES//'
break_ 'msd plan: no workgroup of middle size' $levels 's/tuning->msd_middle_group,/tuning->msd_local_group,/'
break_ 'msd plan: less scratch where items are large' $levels 's/4 \* \(words > least \? words : least\)/4 * words/'
break_ 'msd plan: less scratch than lesser sorts take' $levels 's/ *least = words > least \? words : least;\n( *\})/$1/'
break_ 'msd plan: no list for who looks past the last tile' $levels 's/ *tiles \+= groups .*?;\n//'
break_ 'msd plan: nor for the rest of a grid' $levels 's/(tiles \+= groups) \+ .*?;/$1;/'
break_ 'msd plan: all pairs stay in order' $levels 's/\(s\.indices \|\| !desc->allow_unstable\)/true/'
break_ 'msd plan: indices may trade places' $levels 's/\(s\.indices \|\| !desc->allow_unstable\)/!desc->allow_unstable/'
break_ 'msd plan: subgroups of 32 at any rate' src/plan_passes.c 's/"SUBGROUP_SIZE", size/"SUBGROUP_SIZE", 32/'
break_ 'msd plan: records of one parity alone' $levels 's/s->records\[0\] \+ records;/s->records[0] + records \/ 2;/'
break_ 'msd plan: items of the first level alone' $levels 's/\(13 \+ 4 \* \(uint64_t\)\(s->level_count - 1\)\)/2/'
break_ 'msd plan: tables of full tiles alone' $levels 's/\(\(count \/ s->tile_items \+ 1 \+ wide\) << s->digit_bits\) \+ \(buckets << forced_bits\(s\)\)/((count \/ s->tile_items + wide) << s->digit_bits)/'
break_ 'msd plan: wide children have records as others' $levels 's/has_fixed_root\(s\) \? WIDE_CHILDREN : 1u \+ s->sampled/1u + s->sampled/'
break_ 'msd plan: wide children have tables as others' $levels 's/has_fixed_root\(s\) \? WIDE_CHILDREN : 0/0/'
break_ 'msd plan: fixed points where levels are just enough' $levels 's/s->sampled && s->forced_level == 2/s->sampled/'
break_ 'msd plan: a workgroup a tile, of however many' $levels 's/most = most \* most < told \? most \* most : told;/most = most * most;/'
break_barriers $partition
break_barriers $children
break_barriers $pair
break_barriers $tally
break_barriers $begin
break_barriers $promises
break_barriers $finish
break_barriers $tables
break_barriers $ranks
break_barriers $items
break_barriers $item
break_barriers $sorts
break_barriers $settles
break_barriers $slow

break_ 'edges: the ends change places' $edges 's/combine_ends\(params\.bin_count - i, i\)/combine_ends(i, params.bin_count - i)/'
break_ 'edges: integers are rounded down' $edges 's/ \+ select\(0u, 1u, rest\)//'
break_ 'edges: floats are cut off' $edges 's/let rounded = kept \+ .*?;/let rounded = kept;/'
break_ 'edges: ties are rounded up' $edges 's/half & \(select\(0u, 1u, more\) \| kept\)/half/'
break_ 'edges: the remainder is forgotten' $edges 's/rest \|\| any_below/any_below/'
break_ 'edges: bits below the half are forgotten' $edges 's/let more = rest \|\| .*?;/let more = rest;/'
break_ 'edges: an edge of zero is +0' $edges 's/negative \|\| magnitude == 0u/negative/'
break_ 'edges: subnormals have an exponent' $edges 's/max\((unit \+ i32\(length\) - 24), -149\)/$1/'
break_ 'edges: a carry between digits is lost' $edges 's/carry = \(x >> 16u\) \+ \(y >> 16u\) \+ \(sum >> 16u\)/carry = (x >> 16u) + (y >> 16u)/'
break_ 'edges: the ends have no upper words' $edges 's/lo\[2\] >= 0x80000000u/false/'
break_ 'edges: counts are not cleared' $edges 's/ counts\[word\] = 0u;/ counts[word] += 0u;/'
break_ 'edges: counts of what is in no bin are not cleared' $edges 's/(word < params\.bin_count) \+ EXTRA\) \{\n( +counts\[)/$1) {\n$2/'
break_ 'edges: counts alone are cleared in part' $edges 's/(word < params\.bin_count) \+ EXTRA\) \{\n( +counts_alone\[)/$1) {\n$2/'
break_ 'edges: given edges are no images' $edges 's/word_image\(given\[word\], TYPE_KIND\)/given[word]/'
break_ 'histogram: copies of counts are not summed' $counts 's/i < COPIES; i\+\+/i < 1u; i++/'
break_ 'histogram: the capacity counts' $counts 's/element_count\(params\.max_count\)/params.max_count/'
break_ 'histogram: tiles overlap' $counts 's/tile_first = tile \* params\.tile_items/tile_first = tile * (params.tile_items - 1u)/'
break_ 'histogram: the tail of a tile is left out of windows' $counts 's/(for \(var i = local; i )(< tile_end - first; i \+= GROUP_SIZE\) \{\n +count_in_window)/$1+ GROUP_SIZE $2/'
break_ 'histogram: the tail of a tile is left out of tables' $counts 's/(for \(var i = local; i )(< tile_end - first; i \+= GROUP_SIZE\) \{\n +add\(table_word)/$1+ GROUP_SIZE $2/'
break_ 'histogram: all ranges count what is outside' $counts 's/range == 0u && word != NOWHERE/word != NOWHERE/'
break_ 'histogram: the last image of a window is outside' $counts 's/offset - lower <= upper/offset - lower < upper/'
break_ 'histogram: below a window is above' $counts 's/select\(ABOVE, BELOW, image < params\.first\)/select(BELOW, ABOVE, image < params.first)/'
break_ 'histogram: bits above a window count' $counts 's/\(image - params\.first\) << params\.left/(image - params.first)/'
break_ 'histogram: guesses at edges are trusted' $counts 's/\(place & params\.mask\) - 1u < params\.mask - 1u/true/'
break_ 'histogram: what is not trusted is lost' $counts 's/if \(left_over != 0u\)/if (false)/'
break_ 'histogram: every range counts by edges' $counts 's/ *if \(own != range\) \{ return NOWHERE; \}\n//'
break_ 'histogram: the last edge is not staged' $counts 's/i <= params\.bin_count; i \+= GROUP_SIZE/i < params.bin_count; i += GROUP_SIZE/'
break_barriers $counts
break_ 'bin: an element on an edge is below it' $bin 's/bin_edge\(middle\) <= image/bin_edge(middle) < image/'
break_ 'bin: the last edge is in the last bin' $bin 's/if \(offset < bin_span\)/if (offset <= bin_span)/'
break_ 'bin: the last even edge is in the last bin' $bin 's/if \(offset <= bin_span\)/if (offset <= bin_span + 1u)/'
break_ 'bin: NaN is above' $bin 's/ *if \(TYPE_KIND == 2u && image > INFINITY_IMAGE\).*?\n//'
break_ 'bin: infinity is no number' $bin 's/0xff000001u/0xff000000u/'
break_ 'bin: below is above' $bin 's/select\(ABOVE, BELOW, image < bin_first\)/select(BELOW, ABOVE, image < bin_first)/'
break_ 'bin: a guess is not held against the edges' $bin 's/if \(bin_holds\(guess, image\)\)/if (true)/'
break_ 'bin: no search beyond the neighbour' $bin 's/return bin_search\(image, 0u, params\.bin_count\)/return neighbour/'
break_ 'depth: far depths wrap to the first bucket' $depth 's/select\(params\.bin_count - 1u, 0u, side == BELOW\)/select(0u, 0u, side == BELOW)/'
break_ 'depth: NaN is in the last bucket' $depth 's/return params\.bin_count;/return params.bin_count - 1u;/'
break_ 'depth: the order is never reversed' $depth 's/params\.reversed != 0u/false/'
break_ 'depth: reversed is off by one' $depth 's/params\.bin_count - 1u - bin,/params.bin_count - bin,/'
break_ 'starts: a bucket starts behind its first' $starts 's/< vec3<u32>\(own\)/<= vec3<u32>(own)/'
break_ 'starts: indices are not followed' $starts 's/keys\[indices\[places\.y\]\]/keys[places.y]/'
break_ 'starts: the capacity counts' $starts 's/element_count\(params\.max_count\)/params.max_count/g'
break_ 'starts: the last start is left out' $starts 's/own > params\.last \+ 1u/own > params.last/g'
break_ 'grid: the offset of points is forgotten' $grid 's/params\.offset \+ element \* params\.stride/element * params.stride/'
break_ 'grid: points are rewritten without their offset' $grid 's/params\.offset \+ order\[place\]/order[place]/'
break_ 'grid: y and z change places' $grid 's/place\.y \+ cells\.y \* place\.z/place.z + cells.y * place.y/'
break_ 'grid: the upper end is outside' $grid 's/cell < cells \|\| [^;]*;/cell < cells);/'
break_ 'cell: coordinates wrap like mirrors' $cell 's/select\(folded, cells - 1u - folded, below\)/folded/'
break_ 'grid: coordinates are cut, not rounded down' $grid 's/i32\(floor\(position\)\)/i32(position)/'
break_ 'grid: NaN goes to the border' $grid 's/is_nan \|\| //'
break_ 'grid: far points below wrap' $grid 's/abs\(cell\) == ORDO_GRID_FAR/cell == ORDO_GRID_FAR/'
break_ 'grid: nothing is apart' $grid 's/params\.outside == APART && !inside/false/'
break_ 'grid: two dimensions read a third' $grid 's/if \(params\.dimensions == 3u\)/if (true)/'
break_ 'grid: below is clamped to the last cell' $grid 's/clamp\(cell, 0, cells - 1\)/select(cell, cells - 1, cell < 0 || cell >= cells)/'
break_ 'grid: the last word of a share is not written' $grid 's/i < elements\.y \* params\.dimensions/i + 1u < elements.y * params.dimensions/'
break_ 'cell: the origin is forgotten' $cell 's/bitcast<f32>\(x\) - bitcast<f32>\(origin\)/bitcast<f32>(x)/'
break_ 'cell: just below the origin is on it' $cell 's/clamp\(product, -most, -0\.5\)/clamp(product, -most, 0.0)/'
break_ 'cell: NaN is near' $cell 's/magnitude > 0x7f800000u/magnitude > 0x7fffffffu/'
break_ 'cell: infinity has no side' $cell 's/(if \(magnitude == 0x7f800000u\) \{\s+return )far/$1most/'
break_ 'cell: mirrored cells share a hash' $cell 's/bitcast<vec3<u32>>\(cell\)/bitcast<vec3<u32>>(abs(cell))/'
break_ 'cell: x and y share a factor' $cell 's/19349663u/73856093u/'
break_ 'candidate: ties go by the highest index' $candidate 's/index < than_index/index > than_index/'
break_ 'candidate: the higher word is not compared' $candidate 's/if \(KEY_WORDS == 2u && image\.y != than_image\.y\)/if (false)/'
break_ 'candidate: the last row has as many as any' $candidate 's/return min\(element_total - row \* params\.row_length, params\.row_length\)/return params.row_length/'
break_ 'candidate: the capacity counts' $candidate 's/element_count\(params\.max_count\)/params.max_count/'
break_ 'best: what is past the row is a candidate' $best 's/at < held && //'
break_ 'best: what is past the list is a candidate' $best 's/here && is_better/is_better/'
break_ 'best: a chunk is a step short' $best 's/done < params\.chunk;/done + ITEMS < params.chunk;/g'
break_ 'best: of ties in a chunk the last' $best 's/best_index = at;/best_index = at; } else if (at < held \&\& all(image == best)) { best_index = at;/'
break_ 'best: rows overlap' $best 's/row \* params\.row_length \+ min/row * (params.row_length - 1u) + min/'
break_ 'best: levels share rows' $best 's/row \* params\.source_length \+ min/min/'
break_ 'select: the limit is one too strict' $select 's/!is_better\(limit, limit_index, image, index\[i\]\)/is_better(image, index[i], limit, limit_index)/'
break_ 'select: what finds no room is lost' $select 's/( +if \(cell < CELLS\) \{\n.*?\n)( +index\[i\] = NO_INDEX;\n)( +\}\n)/$1$3$2/s'
break_ 'select: full cells keep one too few' $select 's/atomicStore\(&claimed, params\.k\)/atomicStore(\&claimed, params.k - 1u)/'
break_ 'select: the limit is that of one fewer' $select 's/limit = cell_image\(params\.k - 1u\);(\s+)limit_index = cells\[params\.k - 1u\]/limit = cell_image(params.k - 2u);$1limit_index = cells[params.k - 2u]/g'
break_ 'select: a network that flips like it crosses' $select 's/a \^ \(run - 1u\)/a + stride/'
break_ 'select: a network too short by a run' $select 's/run <= span;/run < span;/'
break_ 'select: padding has index 0' $select 's/(for \(var at = held \+ local.*?\n.*?)NO_INDEX/$1 0u/'
break_ 'select: ranks count the worse' $select 's/is_better\(cell_image\(other\), cells\[other\], image, own\)/is_better(image, own, cell_image(other), cells[other])/'
break_ 'select: ranks leave the last out' $select 's/other < held; other \+= teams/other + 1u < held; other += teams/'
break_ 'select: entries past those held are cells' $select 's/if \(i < held\) \{\n( +image = cell_image)/if (true) {\n$1/'
break_ 'select: results are images' $select 's/if \(LAST\)/if (false)/'
break_ 'select: members of the wrong chunk' $select 's/place \/ STRIDE\) >> bits;/place \/ STRIDE) >> (bits + 1u);/'
break_ 'select: levels are skipped' $select 's/level < params\.level;/level + 1u < params.level;/'
break_ 'select: a delegate as bad as the limit is left out' $select 's/!is_better\(limit, 1u, (vec2<u32>\(low\[i\], high\[i\]\)), 0u\)/is_better($1, 0u, limit, 0u)/'
break_ 'select: a key past the row is a candidate' $select 's/select\(NO_INDEX, place, place < held\)/place/'
break_ 'select: rows write each other'"'"'s results' $select 's/let at = row \* params\.k \+ i;/let at = row * (params.k - 1u) + i;/'
break_ 'digits: counts are not cleared' $digits 's/atomicStore\(&counts\[first \+ i \* GROUP_SIZE\], 0u\)/atomicAdd(\&counts[first + i * GROUP_SIZE], 0u)/'
break_ 'digits: counts of a digit stay for the next' $digits 's/ *atomicStore\(&counts\[first \+ i\], 0u\);\n//'
break_ 'digits: all elements count for each digit' $digits 's/all\(\(other & known\) == image\)/true/'
break_ 'digits: the digit of the one after the k-th' $digits 's/before \+ counted < wanted/before + counted <= wanted/'
break_ 'digits: a run with fewer than k wants k' $digits 's/min\(params\.k, row_count\(row\)\)/params.k/'
break_ 'digits: as many equal ones as at first' $digits 's/= wanted - before;/= wanted;/'
break_ 'digits: a digit across the words loses its top' $digits 's/digit >> \(32u - params\.shift\)/0u/'
break_ 'digits: one equal too many' $digits 's/equal_rank < wanted\)/equal_rank <= wanted)/'
break_ 'digits: equal ones of other tiles are not counted' $digits 's/equal_rank = equal_before \+ /equal_rank = /'
break_ 'digits: equal ones are not held together with better' $digits 's/better_rank \+ min\(equal_rank, wanted\)/better_rank + equal_rank/'
break_ 'digits: tallies of tiles are not summed' $digits 's/better_before \+= better_sums\.y;/better_before = better_sums.y;/'
break_ 'digits: results without an element stay' $digits 's/write_result\(at, key, NO_INDEX\)/write_result(at, key, 0u)/'
break_ 'digits: the key that comes last is 0' $digits 's/let key = key_bits\(worst\(\)\);/let key = vec2<u32>(0u, 0u);/'
break_ 'digits: indices of a tile' $digits 's/taken_indices\[to\] = tile \+ at;/taken_indices[to] = at;/'
break_barriers $select
break_barriers $digits

break_ 'histogram plan: integers end one early' src/plan_histogram.c 's/\(uint64_t\)\(hi - lo\)\)/(uint64_t)(hi - lo) - 1)/'
break_ 'histogram plan: a tiny end counts nothing' src/plan_histogram.c 's/words\[0\] = mantissa != 0/words[0] = 0/'
break_ 'histogram plan: logarithms start at 0' src/plan_histogram.c 's/float_image\(near_bits\)/float_image(0)/'
break_ 'histogram plan: a tile too few' src/plan_histogram.c 's/ordo_div_ceil\(builder->max_count, tile\) \* l\.range_count/(builder->max_count \/ tile + (builder->max_count < tile)) * l.range_count/'
break_ 'histogram plan: bins left out of ranges' src/plan_histogram.c 's/l\.range_bins = \(uint32_t\)ordo_div_ceil\(bins->bin_count, l\.range_count\)/l.range_bins = bins->bin_count \/ l.range_count/'
break_ 'radix scan: later rounds forget earlier ones' $rows 's/before \+= sums\.y;/before = sums.y;/'
break_ 'radix scan: inclusive' $rows 's/(if \(first \+ i < tiles\) \{\s+counts\[digit \* tiles \+ first \+ i\] = place;\s+\})(\s+)(place \+= held\[i\];)/$3$2$1/'
break_ 'radix scan: digits do not wait for each other' $rows 's/totals\[digit\] = before;/totals[digit] = 0u;/'
break_ 'counting plan: overflow and last bucket are one' src/plan_counting.c 's/\.last = buckets,/.last = buckets - 1,/'
break_ 'counting plan: starts of unsorted numbers' src/plan_counting.c 's/append_starts\(builder, sort, inner\.out, NULL\)/append_starts(builder, sort, sort->keys, NULL)/'
break_ 'counting plan: numbers beyond the last are digits' kernels/lib/key.wgsl 's/ *image\.x = min\(image\.x, last\);\n//'
break_ 'counting plan: a digit too few in the highest pass' src/plan_radix.c 's/\(s->sort->last >> d\.shift\) \+ 1/(s->sort->last >> d.shift)/'
break_ 'top-k plan: rows are one fewer' src/plan_topk.c 's/\.rows = ordo_div_ceil\(all, row_length\)/.rows = all \/ row_length/'
break_ 'top-k plan: k beyond a row' src/plan_topk.c 's/desc->k < row_length \? desc->k : row_length/desc->k/'
break_ 'top-k plan: the lowest bits are no digit' src/plan_topk.c 's/shift < DIGIT_BITS \? shift : DIGIT_BITS/DIGIT_BITS/'
break_ 'grid plan: one axis has the origin of another' src/plan_grid.c 's/"origin_z", g->origin\[2\]/"origin_z", g->origin[1]/'
break_ 'grid plan: an axis of 0 takes 1' src/plan_grid.c 's/: first_size;/: 1;/'
break_ 'grid plan: the last point is not needed' src/plan_grid.c 's/\(count - 1\) \* g\.stride_bytes/(count - 1) * g.stride_bytes - 4/'

break_ 'network plan: tasks of a last, partial run are left out' $network 's/\(rest < stride \? rest : stride\)/0/'
break_ 'network plan: a flip at the wrong level' $network 's/above == stage, false\)/above != stage, false)/'
break_ 'network plan: a seam too few' $network 's/\(rest \? rest - 1 : 0\)/0/'
break_ 'network plan: packing of a bit too many' $network 's/window_bits \+ index_bits <= 32/window_bits + index_bits <= 33/'
break_ 'network plan: packed indices have a bit too few' $network 's/\(uint32_t\)\(\(\(uint64_t\)1 << builder->summary->index_bits\) - 1\)/(uint32_t)(((uint64_t)1 << builder->summary->index_bits) \/ 2 - 1)/'
break_ 'network plan: blocks larger than workgroup memory' $network 's/\(4 \* words\)/4/'
break_ 'network plan: the merge of a stage is left out' $network 's/ordo_plan_param\(append_merge\(n, stage == n->stages\), "levels", above\);//'
break_ 'network plan: keys are not taken back from images' $network 's/last && n->converts \?/0 \&\& n->converts ?/'
break_ 'plan: wrong parity' src/plan_passes.c 's/% 2 == 0 \? c->final/% 2 == 1 ? c->final/'
break_ 'plan: no copy before an odd number of passes' src/plan_passes.c 's/(p->sort->desc->in_place && p->count % 2 == 1)/0 \&\& $1/'
break_ 'plan: windows start at bit 0' src/plan_radix.c 's/\.shift = s->desc->skip_low_bits/.shift = 0 * s->desc->skip_low_bits/'
break_ 'plan: ties of an argsort get no indices' src/plan_sort.c 's/(static void append_ties.*?)if \(desc->argsort\)/$1if (0 \&\& desc->argsort)/s'
break_ 'plan: no method takes the place of a rejected one' src/plan_sort.c 's/ordo_plan_is_rejected\(sort->builder, method\) && i < 3/i < 0/'
break_ 'plan: radix takes the place of what only networks do' src/plan_sort.c 's/\{ORDO_METHOD_RADIX, radix\}/{ORDO_METHOD_RADIX, true}/'
break_ 'plan: buckets by a rejected radix sort' src/plan_counting.c 's/if \(ordo_plan_is_rejected\(builder, ORDO_METHOD_RADIX\)\)/if (0)/'
break_ 'check data: a sort that turns ties round' src/check_data.c 's/i = 0; i < count; i\+\+\) \{\n            to/i = count; i-- > 0;) {\n            to/'
break_ 'check: the context forgets' src/webgpu_check.c 's/context->caps\.rejected_methods \|= .*?;//'
break_ 'check: subgroups stay' src/webgpu_check.c 's/context->caps\.subgroups &= .*?;//'
break_ 'check: results are not compared' src/webgpu_check.c 's/if \(wrong < c->count\)/if (0)/'
break_ 'check: nothing fits a workgroup' src/webgpu_check.c 's/\[EXTENT_SMALL\] = true/[EXTENT_SMALL] = false/'
break_ 'check: no scan by fours' src/webgpu_check.c 's/\[EXTENT_QUADS\] = c->trial\.scan/[EXTENT_QUADS] = false/'
break_ 'check: no shapes for long inputs' src/webgpu_check.c 's/\? c->long_tuning : c->caps\.tuning/? c->caps.tuning : c->caps.tuning/'
break_ 'check: keys of 64 bits are halves' src/check_data.c 's/8 \* ordo_type_bytes\(desc->key\)/32/'
break_ 'tuning: ranges are not checked' src/tune_text.c 's/number < s->least \|\| number > s->most/false/'
break_ 'tuning: multiples are not checked' src/tune_text.c 's/s->multiple && number % s->multiple/false/'
break_ 'tuning: rounds need not divide' src/tune_text.c 's/if \(number % multiple\)/if (false)/'
break_ 'tuning: workgroup memory is not counted' src/tune_text.c 's/4 \* words > t->caps/8 * words < t->caps/'
break_ 'tuning: ranks may have more than 16 bits' src/tune_text.c 's/if \(tile > UINT16_MAX\)/if (false)/'
break_ 'tuning: the first of two settings counts' src/tune_text.c 's/\*field_of\(t->tuning, s\) = \(uint32_t\)number/if (*field_of(t->tuning, s) == *field_of((ordo_tuning *)ordo_tune(t->caps), s)) *field_of(t->tuning, s) = (uint32_t)number/'
break_ 'tuning: the context keeps no copy' src/webgpu.c 's/context->caps\.tuning = context->desc\.caps\.tuning = context->tuning;//'
break_ 'tuning: scratch is what the chosen method takes' src/plan_sort.c 's/reserve_for\(sort, &builder\);//'
break_ 'plan: composite keys in one word' src/plan_sort.c 's/4 \* desc->part_count : 0/4 : 0/'
break_ 'plan: scratch areas misaligned' src/plan.c 's/scratch_end \+= ordo_div_ceil\(size_bytes, alignment\) \* alignment/scratch_end += size_bytes/'
break_ 'plan: a row of workgroups too few' src/plan.c 's/ordo_div_ceil\(groups, most\)/(groups < most ? 1 : groups \/ most)/'
break_ 'plan: a block of the scan too few' src/plan_scan.c 's/uint64_t sums_count = ordo_div_ceil\(at->items, block\)/uint64_t sums_count = at->items \/ block/'
break_ 'plan: sums of a level overwrite the level' src/plan_scan.c 's/ordo_area sums = ordo_plan_scratch\(builder, 4 \* sums_count\)/ordo_area sums = at->out; sums.size_bytes = 4 * sums_count/'
break_ 'compose: a loop is written out once too few' src/kernels.c 's/; i < times; i\+\+/; i + 1 < times; i++/'
break_ 'compose: a loop that is written out loses its end' src/kernels.c 's/loop \+ 1; line <= end/loop + 1; line < end/'
break_ 'compose: subgroups are enabled unasked' src/kernels.c 's/step->subgroups && enables/enables/'
break_ 'webgpu: overlaps are let through' src/webgpu_plan.c 's/return ordo_fail\(plan->context, ORDO_MESSAGE_ARG_OVERLAP/(void)ordo_fail(plan->context, ORDO_MESSAGE_ARG_OVERLAP/'
break_ 'webgpu: bound counts are not compared' src/webgpu_plan.c 's/same_buffer\(&bound->count, &args->count\)/true/'
break_ 'webgpu: bound inputs are not compared' src/webgpu_plan.c 's/same_buffer\(&bound->in, &args->in\)/true/'
break_ 'webgpu: offsets are forgotten' src/webgpu_plan.c 's/slots\[range->slot\]\.offset_bytes \+ range->offset_bytes/range->offset_bytes/'
break_ 'webgpu: pipelines of other constants' src/webgpu_pipeline.c 's/a->constants\[i\]\.value != b->constants\[i\]\.value/false/'

echo "$made breaks made, $missed not caught"
[ "$missed" = 0 ] && [ "$made" -gt 0 ]
