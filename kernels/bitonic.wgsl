// bitonic: Batcher's bitonic network, some of its steps at a time.
//
//@use count image element shuffle
//
// Stage k merges sorted runs of 2^(k-1) positions in pairs. Its first step flips: position t of a
// run of 2^k meets 2^k - 1 - t. In the others, for each level from k - 2 down, positions that differ
// in bit `level` alone meet. So all comparators point up, and any count works.
//
//     bitonic_sort    stages 1 … `stages` of each block of GROUP_SIZE * ITEMS positions
//     bitonic_step    `fused` = log2 ITEMS levels, from one that lies above blocks down
//     bitonic_merge   the levels below `top` of each block
//
// An invocation holds ITEMS elements whose positions differ in log2 ITEMS bits, its window, and runs
// those bits' levels in registers. Block kernels change windows through workgroup memory:
//
//     position in the block   | local, upper bits | register | local, `low` bits |     window at `low`
//     if the first level flips, registers of the lower half have the complement of the low bits
//
// Where subgroups may be used, the bits of the invocations that share one are as good as registers' to
// the window at bit 0: their levels run by shuffles.
//
// Reads and writes each element once. Cells are swizzled, so that no window meets bank conflicts.

override CELLS: u32 = 4096u;      // GROUP_SIZE * ITEMS words for each word of key and payload
override GROUP_SIZE: u32 = 256u;  // a power of two

const ITEM_BITS: u32 = countOneBits(ITEMS - 1u); // log2 ITEMS

var<workgroup> cells: array<u32, CELLS>;

fn group_bits() -> u32 {
    return countOneBits(GROUP_SIZE - 1u);
}

// ---- Windows -------------------------------------------------------------------------------------

// Positions are relative to the block or to the array. Exclusive or joins what differs from invocation
// to invocation, `origin`, with what is the same for all, the offset of a register. So the swizzle,
// which is linear too, costs each of them one instruction.
var<private> origin: u32;
var<private> origin_cell: u32;
var<private> low_bits: u32;  // the window's lowest bit
var<private> mirror: u32;    // the bits below it if the first level flips, else 0
var<private> half: u32;      // registers with this bit clear are mirrored

fn swizzle(position: u32) -> u32 {
    return position ^ ((position >> ITEM_BITS) & 31u);
}

// Put the window of `number` (of an invocation) at bit `low`, for a first level of registers that flips
// runs of 2^flipped registers (0: it does not flip).
fn set_window(number: u32, low: u32, flipped: u32) {
    let below = (1u << low) - 1u;
    origin = ((number >> low) << (low + ITEM_BITS)) | (number & below);
    origin_cell = swizzle(origin);
    low_bits = low;
    mirror = select(below, 0u, flipped == 0u);
    half = (1u << flipped) >> 1u;
}

fn offset_of(i: u32) -> u32 {
    return (i << low_bits) ^ select(0u, mirror, (i & half) == 0u);
}

fn position_of(i: u32) -> u32 {
    return origin ^ offset_of(i);
}

fn cell_of(i: u32) -> u32 {
    return origin_cell ^ swizzle(offset_of(i));
}

fn put_cells() {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let cell = cell_of(i);
        cells[cell] = key_a[i];
        if (KEY_WORDS > 1u) { cells[cell + GROUP_SIZE * ITEMS] = key_b[i]; }
        if (KEY_WORDS > 2u) { cells[cell + GROUP_SIZE * ITEMS * 2u] = key_c[i]; }
        if (KEY_WORDS > 3u) { cells[cell + GROUP_SIZE * ITEMS * 3u] = key_d[i]; }
        if (PAYLOAD_WORDS > 0u) { cells[cell + GROUP_SIZE * ITEMS * KEY_WORDS] = load_a[i]; }
        if (PAYLOAD_WORDS > 1u) { cells[cell + GROUP_SIZE * ITEMS * (KEY_WORDS + 1u)] = load_b[i]; }
    }
}

fn take_cells() {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let cell = cell_of(i);
        key_a[i] = cells[cell];
        if (KEY_WORDS > 1u) { key_b[i] = cells[cell + GROUP_SIZE * ITEMS]; }
        if (KEY_WORDS > 2u) { key_c[i] = cells[cell + GROUP_SIZE * ITEMS * 2u]; }
        if (KEY_WORDS > 3u) { key_d[i] = cells[cell + GROUP_SIZE * ITEMS * 3u]; }
        if (PAYLOAD_WORDS > 0u) { load_a[i] = cells[cell + GROUP_SIZE * ITEMS * KEY_WORDS]; }
        if (PAYLOAD_WORDS > 1u) { load_b[i] = cells[cell + GROUP_SIZE * ITEMS * (KEY_WORDS + 1u)]; }
    }
}

// ---- Registers -----------------------------------------------------------------------------------

// One step: registers whose numbers differ by `stride`.
fn cross(stride: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        let lower = i / stride * (2u * stride) + i % stride;
        exchange(lower, lower + stride);
    }
}

// One step: register t of each run of 2 * stride with the one as far from the end.
fn flip(stride: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        let run = i / stride * (2u * stride);
        exchange(run + i % stride, run + 2u * stride - 1u - i % stride);
    }
}

// The levels below `levels` of a merge in registers.
fn merge_registers(levels: u32, flips: bool) {
    if (flips) {
        if (levels == 1u) { flip(1u); }
        if (ITEMS > 2u && levels == 2u) { flip(2u); }
        if (ITEMS > 4u && levels == 3u) { flip(4u); }
        if (ITEMS > 8u && levels == 4u) { flip(8u); }
    }
    let rest = select(levels, levels - 1u, flips);
    if (ITEMS > 8u && rest >= 4u) { cross(8u); }
    if (ITEMS > 4u && rest >= 3u) { cross(4u); }
    if (ITEMS > 2u && rest >= 2u) { cross(2u); }
    if (rest >= 1u) { cross(1u); }
}

// ---- Shuffles ------------------------------------------------------------------------------------

// Of keys of one word without a payload and a window alone; a shuffle passes one word at a time.

// Through cells, while they hold nothing.
fn of_first(local: u32, value: u32) -> u32 {
    cells[local] = value;
    return workgroupUniformLoad(&cells[0]);
}

// Half a comparator: the lesser of own and other, or the greater for the upper side.
fn keep(own: u32, other: u32, upper: bool) -> u32 {
    return select(min(own, other), max(own, other), upper);
}

// One step between invocations whose numbers differ by `mask`, register by register.
fn cross_shuffled(local: u32, mask: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        key_a[i] = keep(key_a[i], shuffle(key_a[i], mask), (local & mask) != 0u);
    }
}

// The same where runs flip: registers meet those as far from the other end, in invocations as far
// from the other end of runs of mask + 1.
fn flip_shuffled(local: u32, mask: u32) {
    let upper = (local & (mask ^ (mask >> 1u))) != 0u;
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        let last = shuffle(key_a[ITEMS - 1u - i], mask);
        let first = shuffle(key_a[i], mask);
        key_a[i] = keep(key_a[i], last, upper);
        key_a[ITEMS - 1u - i] = keep(key_a[ITEMS - 1u - i], first, upper);
    }
}

// The levels from `above` - 1 down to those of registers.
fn merge_shuffled(local: u32, above: u32, flips: bool) {
    if (flips) {
        flip_shuffled(local, (1u << (above - ITEM_BITS)) - 1u);
    }
    for (var level = above - select(0u, 1u, flips); level > ITEM_BITS; level--) {
        cross_shuffled(local, 1u << (level - 1u - ITEM_BITS));
    }
}

// ---- Blocks --------------------------------------------------------------------------------------

// Memory is read and written through the window at the top, so that neighbours touch neighbours.
fn top_window(local: u32) {
    set_window(local, group_bits(), 0u);
}

// Stages `first` to `last` of a block that is in registers through the top window, and will be again.
// Without `flip` the first level of a stage is as the others: what steps have left of it. Stages run in
// one loop, since compilers copy what it calls, which is unrolled, to each place that calls it. An
// invocation puts where it took, so one barrier a window is enough.
fn run_stages(local: u32, first: u32, last: u32, flip: bool) {
    let low_end = ITEM_BITS + shuffle_bits(local);
    var stage = first;
    var above = first; // the levels below are to run
    var flips = flip;
    put_cells();
    workgroupBarrier();
    while (stage <= last) {
        var low = 0u;
        if (above > low_end) {
            low = min(max((above - 1u) / ITEM_BITS * ITEM_BITS, low_end), group_bits());
        }
        set_window(local, low, select(0u, above - low, flips));
        take_cells();
        if (SHUFFLES && low == 0u && above > ITEM_BITS) {
            merge_shuffled(local, above, flips);
            flips = false;
            above = ITEM_BITS;
        }
        loop {
            merge_registers(above - low, flips);
            if (stage >= min(ITEM_BITS, last)) {
                break;
            }
            stage++; // the first stages stay in registers
            above = stage;
        }
        put_cells();
        workgroupBarrier();
        above = low;
        flips = false;
        if (above == 0u) {
            stage++;
            above = stage;
            flips = flip;
        }
    }
    top_window(local);
    take_cells();
}

// The levels below `top`. Those of the top window run before the elements reach the cells.
fn merge_block(local: u32, top: u32) {
    if (top > group_bits()) {
        merge_registers(top - group_bits(), false);
    }
    let rest = min(top, group_bits());
    run_stages(local, rest, rest, false);
}

// ---- Entry points --------------------------------------------------------------------------------

// The first position of this workgroup's block, and whether the block has no elements: those that it
// has come first. params.a: blocks.
fn block_first(grid: Grid) -> u32 {
    return group_number(grid) * (GROUP_SIZE * ITEMS);
}

fn block_is_empty(grid: Grid) -> bool {
    return group_number(grid) >= params.a || !held(element_at(block_first(grid)));
}

fn store_keys(first: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        store_key(i, element_at(first + position_of(i)));
    }
}

fn store_pairs(first: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        store_pair(i, element_at(first + position_of(i)));
    }
}

fn load_keys(first: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_key(i, element_at(first + position_of(i)));
    }
}

fn load_pairs(first: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_pair(i, element_at(first + position_of(i)));
    }
}

// params.b: the stages to run.
@compute @workgroup_size(GROUP_SIZE)
fn bitonic_sort_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_lone_key_in(i, element_at(first + position_of(i)));
    }
    run_stages(local, 1u, params.b, true);
    store_keys(first);
}

@compute @workgroup_size(GROUP_SIZE)
fn bitonic_sort_keys_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    load_keys(first);
    run_stages(local, 1u, params.b, true);
    store_keys(first);
}

@compute @workgroup_size(GROUP_SIZE)
fn bitonic_sort_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_index(i, element_at(first + position_of(i)));
    }
    run_stages(local, 1u, params.b, true);
    store_pairs(first);
}

@compute @workgroup_size(GROUP_SIZE)
fn bitonic_sort_pairs_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    load_pairs(first);
    run_stages(local, 1u, params.b, true);
    store_pairs(first);
}

// Where one dispatch does all, values need no index in memory: the sorted index in registers gathers
// them. params.c: words a value. In place each word is read by all invocations before any writes it.
@compute @workgroup_size(GROUP_SIZE)
fn bitonic_sort_values(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_index(i, element_at(first + position_of(i)));
    }
    run_stages(local, 1u, params.b, true);
    store_keys(first);
    for (var w = 0u; w < params.c; w++) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let element = element_at(first + position_of(i));
            if (held(element)) {
                payload[element * params.c + w] = values_in[indexed(i, element) * params.c + w];
            }
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn bitonic_sort_values_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let element = element_at(first + position_of(i));
        load_key(i, element);
        make_index(i, element);
    }
    run_stages(local, 1u, params.b, true);
    store_keys(first);
    for (var w = 0u; w < params.c; w++) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let element = element_at(first + position_of(i));
            if (held(element)) {
                load_b[i] = payload[indexed(i, element) * params.c + w];
            }
        }
        storageBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let element = element_at(first + position_of(i));
            if (held(element)) {
                payload[element * params.c + w] = load_b[i];
            }
        }
    }
}

// params.b: the level above those to run.
@compute @workgroup_size(GROUP_SIZE)
fn bitonic_merge_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    load_keys(first);
    merge_block(local, params.b);
    store_keys(first);
}

@compute @workgroup_size(GROUP_SIZE)
fn bitonic_merge_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    top_window(local);
    load_pairs(first);
    merge_block(local, params.b);
    store_pairs(first);
}

// params.a: the lowest level; b: whether the highest flips; c: how many invocations have comparators.
fn step_window(local: u32, grid: Grid) -> bool {
    let number = group_number(grid) * GROUP_SIZE + local;
    set_window(number, params.a, select(0u, ITEM_BITS, params.b != 0u));
    return number < params.c && element_count(params.max_count) > 0u;
}

@compute @workgroup_size(GROUP_SIZE)
fn bitonic_step_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (step_window(local, grid)) {
        load_keys(0u);
        merge_registers(ITEM_BITS, params.b != 0u);
        store_keys(0u);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn bitonic_step_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (step_window(local, grid)) {
        load_pairs(0u);
        merge_registers(ITEM_BITS, params.b != 0u);
        store_pairs(0u);
    }
}
