// msd_finish: end a most-significant-digit sort early if all keys are as msd_begin's sample promised.
//
//@use count image key wide sum lane_portable msd
//
//     keys, keys_out, values, values_in, values_out   | element 0 | element 1 | …   as the entry point names them
//
// All keys have been looked at by then. Keys that stand in the order are left, or copied to the final place;
// in the reverse of it, mirrored; keys alone that differ in the root's digit only are written from its totals.
// Values go along. The levels find nothing to do then. After most keys nothing is done here.
// Reads and writes each element once, or writes each key once, or nothing.

override GROUP_SIZE: u32 = 256u; // at least BINS
override BINS: u32 = 256u;       // at least the digits of the root, a power of two
override VALUE_WORDS: u32 = 1u;

@group(0) @binding(3) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> indices: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(4) var<storage, read_write> values: array<u32>; // in place
@group(0) @binding(5) var<storage, read_write> values_in: array<u32>;
@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;

// Where the children of a filled sort start, in order.
var<workgroup> starts: array<u32, BINS>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;

fn group_total(grid: Grid) -> u32 {
    return grid.group_count.x * grid.group_count.y;
}

// Workgroups' parts of so many elements are numbered through: part `number` is x the first, y how many.
fn part_of(number: u32, elements: u32) -> vec2<u32> {
    let part = GROUP_SIZE * ITEMS;
    if (number >= div_ceil(elements, part)) {
        return vec2<u32>(0u);
    }
    return vec2<u32>(number * part, min(part, elements - number * part));
}

// ---- Orders: elements of two words at most are moved word by word ---------------------------------

fn is_mirrored(root: u32) -> bool {
    return (root & ROOT_DESCENDING) != 0u;
}

// The element of its part that an invocation moves as item i, or the part's last.
fn element_of(local: u32, part: vec2<u32>, i: u32) -> u32 {
    return part.x + min(i * GROUP_SIZE + local, part.y - 1u);
}

fn source_of(element: u32, mirrored: bool) -> u32 {
    return select(element, element_count(params.max_count) - 1u - element, mirrored);
}

fn move_keys(local: u32, part: vec2<u32>, mirrored: bool) {
    for (var w = 0u; w < KEY_WORDS; w++) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            low[i] = keys[source_of(element_of(local, part, i), mirrored) * KEY_WORDS + w];
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (i * GROUP_SIZE + local < part.y) {
                keys_out[(part.x + i * GROUP_SIZE + local) * KEY_WORDS + w] = low[i];
            }
        }
    }
}

fn move_values(local: u32, part: vec2<u32>, mirrored: bool) {
    for (var w = 0u; w < VALUE_WORDS; w++) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            low[i] = values_in[source_of(element_of(local, part, i), mirrored) * VALUE_WORDS + w];
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (i * GROUP_SIZE + local < part.y) {
                values_out[(part.x + i * GROUP_SIZE + local) * VALUE_WORDS + w] = low[i];
            }
        }
    }
}

// Elements of the first half trade places with those of the second; who has one has both.
fn swap_keys(local: u32, part: vec2<u32>) {
    for (var w = 0u; w < KEY_WORDS; w++) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = element_of(local, part, i);
            low[i] = keys[at * KEY_WORDS + w];
            high[i] = keys[source_of(at, true) * KEY_WORDS + w];
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = part.x + i * GROUP_SIZE + local;
            if (i * GROUP_SIZE + local < part.y) {
                keys[at * KEY_WORDS + w] = high[i];
                keys[source_of(at, true) * KEY_WORDS + w] = low[i];
            }
        }
    }
}

fn swap_values(local: u32, part: vec2<u32>) {
    for (var w = 0u; w < VALUE_WORDS; w++) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = element_of(local, part, i);
            low[i] = values[at * VALUE_WORDS + w];
            high[i] = values[source_of(at, true) * VALUE_WORDS + w];
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = part.x + i * GROUP_SIZE + local;
            if (i * GROUP_SIZE + local < part.y) {
                values[at * VALUE_WORDS + w] = high[i];
                values[source_of(at, true) * VALUE_WORDS + w] = low[i];
            }
        }
    }
}

// Pairs of elements to swap: none if the order is not the reverse.
fn swap_count(root: u32) -> u32 {
    return select(0u, element_count(params.max_count) / 2u, is_mirrored(root));
}

// ---- Digits: keys are written as often as they were counted -----------------------------------------

fn find_starts(local: u32) {
    var total = 0u;
    let root = root_tile(0u, shared_root);
    if (local < (1u << root.bits)) {
        total = atomicLoad(&work[root.record + RECORD_TOTALS + child_digit(root, local)]);
    }
    let start = group_exclusive(local, total).x;
    if (local < BINS) {
        starts[local] = start;
    }
    workgroupBarrier();
}

// The child that an element belongs to: the last that starts no later, which is not empty.
fn child_of(element: u32) -> u32 {
    var child = 0u;
    for (var step = BINS / 2u; step > 0u; step /= 2u) {
        child += select(0u, step, starts[child + step] <= element);
    }
    return child;
}

fn child_end(child: u32) -> u32 {
    return select(starts[min(child + 1u, BINS - 1u)], element_count(params.max_count), child == BINS - 1u);
}

// The key of all elements of a child.
fn child_key(child: u32) -> vec2<u32> {
    let shift = shared_root & 63u;
    return key_bits(wide_add(control_pair(BASE), wide_left(vec2<u32>(child, 0u), shift)));
}

fn fill_keys(local: u32, part: vec2<u32>) {
    let end = part.x + part.y;
    var child = child_of(part.x);
    for (var at = part.x; at < end; ) {
        let stop = min(child_end(child), end);
        let key = child_key(child);
        for (var i = local; i < stop - at; i += GROUP_SIZE) {
            keys_out[(at + i) * KEY_WORDS] = key.x;
            if (KEY_WORDS == 2u) { keys_out[(at + i) * KEY_WORDS + 1u] = key.y; }
        }
        at = stop;
        child++;
    }
}

fn fill_keys_in_place(local: u32, part: vec2<u32>) {
    let end = part.x + part.y;
    var child = child_of(part.x);
    for (var at = part.x; at < end; ) {
        let stop = min(child_end(child), end);
        let key = child_key(child);
        for (var i = local; i < stop - at; i += GROUP_SIZE) {
            keys[(at + i) * KEY_WORDS] = key.x;
            if (KEY_WORDS == 2u) { keys[(at + i) * KEY_WORDS + 1u] = key.y; }
        }
        at = stop;
        child++;
    }
}

// ---- Entry points --------------------------------------------------------------------------------

@compute @workgroup_size(GROUP_SIZE)
fn msd_finish_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let root = load_root(local);
    let ordered = (root & ROOT_ORDERED) != 0u;
    if (!ordered && !is_filled(root)) {
        return;
    }
    if (!ordered) {
        find_starts(local);
    }
    for (var number = group_number(grid); ; number += group_total(grid)) {
        let part = part_of(number, element_total);
        if (part.y == 0u) {
            break;
        }
        if (ordered) {
            move_keys(local, part, is_mirrored(root));
        } else {
            fill_keys(local, part);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_finish_keys_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let root = load_root(local);
    let ordered = (root & ROOT_ORDERED) != 0u;
    if (!ordered && !is_filled(root)) {
        return;
    }
    if (!ordered) {
        find_starts(local);
    }
    let elements = select(element_total, swap_count(root), ordered);
    for (var number = group_number(grid); ; number += group_total(grid)) {
        let part = part_of(number, elements);
        if (part.y == 0u) {
            break;
        }
        if (ordered) {
            swap_keys(local, part);
        } else {
            fill_keys_in_place(local, part);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_finish_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let root = load_root(local);
    if ((root & ROOT_ORDERED) == 0u) {
        return;
    }
    for (var number = group_number(grid); ; number += group_total(grid)) {
        let part = part_of(number, element_total);
        if (part.y == 0u) {
            break;
        }
        move_keys(local, part, is_mirrored(root));
        move_values(local, part, is_mirrored(root));
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_finish_pairs_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let root = load_root(local);
    if ((root & ROOT_ORDERED) == 0u) {
        return;
    }
    for (var number = group_number(grid); ; number += group_total(grid)) {
        let part = part_of(number, swap_count(root));
        if (part.y == 0u) {
            break;
        }
        swap_keys(local, part);
        swap_values(local, part);
    }
}

// The values are indices; keys are left.
@compute @workgroup_size(GROUP_SIZE)
fn msd_finish_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let root = load_root(local);
    if ((root & ROOT_ORDERED) == 0u) {
        return;
    }
    for (var number = group_number(grid); ; number += group_total(grid)) {
        let part = part_of(number, element_total);
        if (part.y == 0u) {
            break;
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = part.x + i * GROUP_SIZE + local;
            if (i * GROUP_SIZE + local < part.y) {
                indices[at] = source_of(at, is_mirrored(root));
            }
        }
    }
}
