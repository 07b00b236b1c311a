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
    [ "$1:$2" != test_gpu_msd_ranks:all ] || width=512 # as in CMakeLists.txt
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
    */move.wgsl | */count.wgsl) first='test_gpu_cases:default test_gpu_network_sort:default' ;;
    */rank_subgroup.wgsl) first='test_gpu_msd_ranks:all' ;;
    */msd_scan.wgsl | */rank_portable.wgsl | */strip.wgsl) first='test_gpu_msd_ranks:default test_gpu_msd:default' ;;
    */msd*.wgsl | */local_*.wgsl) first='test_gpu_msd:default test_gpu_msd_ranks:default' ;;
    */shuffle_subgroup.wgsl) first='test_gpu_network:all test_gpu_network_sort:all' ;;
    */bitonic.wgsl | */oddeven.wgsl | */element.wgsl | */pack*.wgsl)
        first='test_gpu_network:default test_gpu_network_sort:default test_gpu_network:all' ;;
    *.wgsl) first='test_gpu_cases:default test_gpu_scan:default' ;;
    src/webgpu_check.c) first='test_gpu_check:default test_gpu_check:all' ;;
    src/check_data.c) first='test_plan_rejected:-' ;;
    src/plan_sort.c) first='test_plan:- test_plan_rejected:- test_plan_limits:- test_gpu_cases:default' ;;
    src/webgpu*) first='test_gpu_life:default test_gpu_walk:default test_gpu_misuse:default' ;;
    src/kernels.c) first='test_plan_kernels:-' ;;
    src/plan_scan.c) first='test_plan_scan:- test_plan:- test_gpu_scan:default' ;;
    src/plan_histogram.c)
        first='test_plan_third:- test_gpu_histogram_edges:default test_gpu_histogram:default test_gpu_counting:default' ;;
    src/plan_counting.c) first='test_plan_third:- test_plan_rejected:- test_gpu_counting:default test_gpu_grid:default' ;;
    src/plan_grid.c) first='test_plan_third:- test_gpu_grid:default' ;;
    src/plan_topk.c) first='test_plan_third:- test_gpu_topk:default' ;;
    src/plan_msd.c) first='test_plan_msd:- test_plan_kernels:- test_gpu_msd:default' ;;
    src/plan_network.c) first='test_plan_network:- test_plan:- test_gpu_network_sort:default' ;;
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
    count=$(grep -c '^ *workgroupBarrier();' "$1")
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
partition=kernels/msd_partition.wgsl lists=kernels/lib/msd.wgsl tally=kernels/msd_histogram.wgsl tables=kernels/msd_scan.wgsl
ranks=kernels/lib/rank_portable.wgsl ballots=kernels/lib/rank_subgroup.wgsl strips=kernels/lib/strip.wgsl begin=kernels/msd_begin.wgsl
items=kernels/msd_local.wgsl item=kernels/msd_small.wgsl sorts=kernels/lib/local_sort.wgsl settles=kernels/lib/local_settle.wgsl
slow=kernels/lib/local_network.wgsl levels=src/plan_msd.c

break_ 'scatter off by one' $scatter 's/place\[i\] = at \+ /place[i] = at + 1u + /'
break_ 'scatter: ties of a round reversed' $scatter 's/let below = countOneBits\(equals & \(bit - 1u\)\)/let below = countOneBits(equals & ~(bit | (bit - 1u)))/'
break_ 'scatter: ties of two rounds swapped' $scatter 's/i \* STRIP \+/(ITEMS - 1u - i) * STRIP +/'
break_ 'scatter: counters of eight bits' $scatter 's/\(earlier >> count_shift\(strip\)\) & 0xffffu/(earlier >> count_shift(strip)) \& 0xffu/'
break_ 'scatter: the next subtile starts where this one did' $scatter 's/return first \+ start - digit_start/return first/'
break_ 'scatter: the past-count guard of keys is dropped' $scatter 's/(let at = i \* GROUP_SIZE \+ local;\s+)if \(at < held\)( \{\s+place)/$1if (true)$2/'
break_ 'scatter: the past-count guard of values is dropped' $scatter 's/(let at = i \* GROUP_SIZE \+ local;\s+)if \(at < held\)( \{\s+values_out)/$1if (true)$2/'
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
break_ 'portable lanes: a row too short' $portable 's/i < \(local \+ 1u\) \* LANE_ROW/i < (local + 1u) * LANE_ROW - 1u/'
break_ 'subgroup lanes: one lane off' $subgroup 's/number >= distance\)/number > distance)/'
break_ 'move: the past-count guard is dropped' $count 's/min\(tile, element_total - number \* tile\)/tile/'
break_ 'move: an index without its tile' $move 's/= elements\.x \+ i - row_start/= i - row_start/'
break_ 'move: a gather by more bits than the index' $move 's/indices\[element\] & params\.mask/indices[element]/'
break_ 'move: a gather from the first row' $move 's/ \+ row_start\(element\);/;/'
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

break_ 'msd: what does not exist is ranked' $partition 's/select\(NOWHERE, \(digit << 16u\) \| before, exists\)/(digit << 16u) | before/'
break_ 'msd: each tile claims what the first did' $partition 's/child_start \+ claimed - start/child_start - start/'
break_ 'msd: stretches of an item' $partition 's/let stretch = params\.item_count \/ 2u;/let stretch = params.item_count;/'
break_ 'msd: a run is a child too long' $partition 's/var end = local \+ 1u;/var end = local + 2u;/'
break_ 'msd: large children are items too' $partition 's/exists && !large && \(local/exists \&\& (local/'
break_ 'msd: the last item of a bucket is a key short' $partition 's/tile\.start \+ bucket_size;/tile.start + bucket_size - 1u;/'
break_ 'msd: all items lie in the alternate' $partition 's/\(params\.level & 1u\) << 31u/0u/'
break_ 'msd: equal keys make an item' $partition 's/items = div_ceil\(child_size, params\.item_count\);/items = 1u;/'
break_ 'msd: a digit begins where its parent did' $partition 's/\(tile\.shift - bits\) \| \(bits/tile.shift | (bits/'
break_ 'msd: totals of buckets are not cleared' $partition 's/atomicStore\(&work\[params\.next_records \+ i\], 0u\)/atomicAdd(\&work[params.next_records + i], 0u)/'
break_ 'msd: the high word is not moved' $partition 's/atomicStore\(&cells\[spot\[i\] - base\], high\[i\]\)/atomicStore(\&cells[spot[i] - base], low[i])/'
break_ 'msd: the second word of a value takes the place of the first' $partition 's/place\[i\] \* VALUE_WORDS \+ word\]/place[i] * VALUE_WORDS]/'
break_ 'msd: an index without its tile' $partition 's/tile\.first \+ rank_source\(local, i\)\);/rank_source(local, i));/'
break_ 'msd: tiles of all buckets share a column' $partition 's/local \* tile\.tiles \+ tile\.index/local * tile.tiles/'
break_ 'msd: bits are left after the last level' $lists 's/if \(level >= 2u\)/if (false)/'
break_ 'msd: digits too short by a bit' $lists 's/>= params\.filled_count/> 2u * params.filled_count/'
break_ 'msd: the last tile of a bucket runs on' $lists 's/min\(params\.tile_items, size - done\)/params.tile_items/'
break_ 'msd: tables overlap' $lists 's/params\.tables \+ atomicLoad\(&work\[record \+ RECORD_TABLE\]\)/params.tables/'
break_ 'msd: the capacity counts' $lists 's/element_count\(params\.max_count\)/params.max_count/'
break_ 'msd histogram: what does not exist counts' $tally 's/select\(0u, 1u, exists\)\);/1u);/'
break_ 'msd histogram: tables by tile' $tally 's/local \* tile\.tiles \+ tile\.index/tile.index * (1u << tile.bits) + local/'
break_ 'msd histogram: counts are added again and again' $tally 's/ *counted = 0u;\n(?= *\})//'
break_ 'msd scan: no carry' $tables 's/ *carry \+= places\.y;\n//'
break_ 'msd scan: digits of many tiles do not wait for each other' $tables 's/let before = below_digit\(local, tile, digit\);/let before = 0u;/'
break_ 'msd begin: counts of levels are not cleared' $begin 's/i < CONTROL_WORDS/i < 2u/'
break_ 'msd begin: cursors of the root are not cleared' $begin 's/\(2u << params\.root_bits\)/(1u << params.root_bits)/'
break_ 'rank: ties of a round reversed' $ranks 's/countOneBits\(equals & \(bit - 1u\)\)/countOneBits(equals \& ~(bit | (bit - 1u)))/'
break_ 'rank: two strips start together' $strips 's/sum \| \(second << 16u\)/sum | (sum << 16u)/'
break_ 'rank: ties of two rounds swapped' $strips 's/ \+ i \* width \+/ + (ITEMS - 1u - i) * width +/'
break_ 'ballots: ties of a round reversed' $ballots 's/let below = rank_bits\(equals & below_lanes\)/let below = rank_bits(equals) - 1u - rank_bits(equals \& below_lanes)/'
break_ 'ballots: the highest bit is not compared' $ballots 's/ *equals &= rank_equals\(\(spot\[i\] >> 7u\) & 1u\);\n//'
break_ 'ballots: lanes that hold nothing count' $ballots 's/var equals = subgroupBallot\(exists\)\.xy;/var equals = subgroupBallot(true).xy;/'
break_ 'msd local: the wrong buffer' $items 's/let in_final = entry\.y >= IN_FINAL;/let in_final = entry.y < IN_FINAL;/g'
break_ 'msd local: an item that lies right is left where it lies' $items 's/if \(changed \|\| !in_final\)/if (changed)/g'
break_ 'msd local: the last key of an item stays' $items 's/if \(at < size\) \{\n( +)key_to/if (at + 1u < size) {\n$1key_to/'
break_ 'msd local: a workgroup sorts one item' $items 's/number \+= group_total\(grid\)/number += 0x10000000u/g'
break_ 'local network: ties keep the order that was left' $slow 's/if \(TIES && !lone\)/if (false)/'
break_ 'msd small: what is past the count is written' $item 's/if \(at < size\)/if (true)/g'
break_ 'msd plan: a level too few' $levels 's/\(small \? 1 : 2\)/(small ? 0 : 1)/'
break_ 'msd plan: records of one parity alone' $levels 's/s->records\[0\] \+ records;/s->records[0] + records \/ 2;/'
break_ 'msd plan: items of the first level alone' $levels 's/\(13 \+ 4 \* \(uint64_t\)\(s->level_count - 1\)\)/2/'
break_ 'msd plan: tables of full tiles alone' $levels 's/\(\(count \/ s->tile_items \+ 1\) << s->digit_bits\) \+ \(buckets << forced_bits\(s\)\)/((count \/ s->tile_items) << s->digit_bits)/'
break_barriers $partition
break_barriers $tally
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
break_ 'plan: wrong parity' src/plan_radix.c 's/% 2 == 0 \? c->final/% 2 == 1 ? c->final/'
break_ 'plan: no copy before an odd number of passes' src/plan_radix.c 's/(desc->in_place && s\.pass_count % 2 == 1)/0 \&\& $1/'
break_ 'plan: windows start at bit 0' src/plan_radix.c 's/\.shift = s->desc->skip_low_bits/.shift = 0 * s->desc->skip_low_bits/'
break_ 'plan: ties of an argsort get no indices' src/plan_sort.c 's/(static void append_ties.*?)if \(desc->argsort\)/$1if (0 \&\& desc->argsort)/s'
break_ 'plan: no method takes the place of a rejected one' src/plan_sort.c 's/ordo_plan_is_rejected\(sort->builder, method\) && i < 3/i < 0/'
break_ 'plan: radix takes the place of what only networks do' src/plan_sort.c 's/\{ORDO_METHOD_RADIX, radix\}/{ORDO_METHOD_RADIX, true}/'
break_ 'plan: buckets by a rejected radix sort' src/plan_counting.c 's/if \(ordo_plan_is_rejected\(builder, ORDO_METHOD_RADIX\)\)/if (0)/'
break_ 'check data: a sort that turns ties round' src/check_data.c 's/i = 0; i < count; i\+\+\) \{\n            to/i = count; i-- > 0;) {\n            to/'
break_ 'check: the context forgets' src/webgpu_check.c 's/context->caps\.rejected_methods \|= .*?;//'
break_ 'check: subgroups stay' src/webgpu_check.c 's/context->caps\.subgroups &= .*?;//'
break_ 'check: results are not compared' src/webgpu_check.c 's/if \(wrong < c->count\)/if (0)/'
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
