// scan: prefix sums, minima or maxima over blocks of items, and sums of blocks.
//
//@use count image lane
//
//     items     | block 0 | block 1 | …     GROUP_SIZE * ITEMS each, ITEMS consecutive an invocation
//     carries   | what all blocks before it combine to, one a block |
//
//     scan_reduce            sums[block] = its items combined; identity_bits if there are none
//     scan_nothing           sums[0] = identity_bits, for a plan without items
//     scan_block[_in_place]  a single block
//     scan_apply[_in_place]  a block, on top of its carry
//
// Items are combined as images (min and max of signed and floats become those of unsigned) and
// turned back when written. Item counts of a level are ceil(items / unit), see item_count.
// Reads and writes each item once.

override GROUP_SIZE: u32 = 256u;
override TYPE_KIND: u32;           // 0 u32, 1 i32, 2 f32
override OP: u32;                  // 0 add, 1 min, 2 max
override INCLUSIVE: bool = false;

struct Params {
    max_count: u32,
    per: u32,   // level 0 has ceil(count / per) * times items:
    times: u32, // 1 and 1, or the counts of a radix table
    unit: u32,  // level 0 items an item of this level stands for
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> items_out: array<u32>;
@group(0) @binding(3) var<storage, read_write> items_in: array<u32>;         // not in place
@group(0) @binding(4) var<storage, read_write> carries: array<u32>;          // not in place
@group(0) @binding(3) var<storage, read_write> carries_in_place: array<u32>; // in place

var<private> held: array<u32, ITEMS>;

// Bits to an unsigned integer whose order is the operator's, and back. Sums are of the bits.
fn image(bits: u32) -> u32 {
    if (OP == 0u || TYPE_KIND == 0u) {
        return bits;
    }
    return word_image(bits, TYPE_KIND);
}

fn bits_of(image_value: u32) -> u32 {
    if (OP == 0u || TYPE_KIND == 0u) {
        return image_value;
    }
    return word_bits(image_value, TYPE_KIND);
}

fn combine(a: u32, b: u32) -> u32 {
    if (OP == 1u) {
        return min(a, b);
    }
    if (OP == 2u) {
        return max(a, b);
    }
    if (TYPE_KIND == 2u) {
        return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
    }
    return a + b;
}

// Changes nothing it is combined with: also -0 + -0 stays -0, and a NaN's minimum stays NaN.
fn identity() -> u32 {
    if (OP == 1u) {
        return 0xffffffffu;
    }
    if (OP == 0u && TYPE_KIND == 2u) {
        return 0x80000000u;
    }
    return 0u;
}

// What is written where nothing has been combined: the bits of 0, or of the type's extreme, +inf
// for the minimum of floats.
fn identity_bits() -> u32 {
    if (OP == 0u) {
        return 0u;
    }
    if (OP == 1u && TYPE_KIND == 2u) {
        return 0x7f800000u;
    }
    return bits_of(identity());
}

fn item_count() -> u32 {
    let items = div_ceil(element_count(params.max_count), params.per) * params.times;
    return div_ceil(items, params.unit);
}

// Combine the held items of all invocations: x those before this one's, y all. Positions past the
// items hold the identity.
fn combine_held(local: u32) -> vec2<u32> {
    var sum = identity();
    for (var i = 0u; i < ITEMS; i++) {
        sum = combine(sum, held[i]);
    }
    return group_exclusive(local, sum);
}

// Write the scan of the held items over `before`, from item `first` on.
fn write_scan(first: u32, items: u32, before: u32) {
    var sum = before;
    for (var i = 0u; i < ITEMS; i++) {
        let through = combine(sum, held[i]);
        let at = first + i;
        if (at < items) {
            if (INCLUSIVE) {
                items_out[at] = bits_of(through);
            } else if (at == 0u) {
                items_out[at] = identity_bits();
            } else {
                items_out[at] = bits_of(sum);
            }
        }
        sum = through;
    }
}

// Nothing branches on whether an item exists, for group_exclusive follows: see lib/lane_subgroup.
fn load_items(first: u32, items: u32) {
    for (var i = 0u; i < ITEMS; i++) {
        let bits = items_in[min(first + i, max(items, 1u) - 1u)];
        held[i] = select(identity(), image(bits), first + i < items);
    }
}

fn load_items_in_place(first: u32, items: u32) {
    for (var i = 0u; i < ITEMS; i++) {
        let bits = items_out[min(first + i, max(items, 1u) - 1u)];
        held[i] = select(identity(), image(bits), first + i < items);
    }
}

fn block_count(items: u32) -> u32 {
    return div_ceil(items, GROUP_SIZE * ITEMS);
}

fn first_item(local: u32, block: u32) -> u32 {
    return (block * GROUP_SIZE + local) * ITEMS;
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_reduce(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= max(block_count(items), 1u)) {
        return;
    }
    load_items(first_item(local, block), items);
    let sum = combine_held(local).y;
    if (local == 0u) {
        if (items == 0u) {
            items_out[0] = identity_bits();
        } else {
            items_out[block] = bits_of(sum);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_nothing() {
    items_out[0] = identity_bits();
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_block(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    if (group_number(grid) > 0u) {
        return;
    }
    let first = first_item(local, 0u);
    load_items(first, items);
    write_scan(first, items, combine_held(local).x);
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_block_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    if (group_number(grid) > 0u) {
        return;
    }
    let first = first_item(local, 0u);
    load_items_in_place(first, items);
    write_scan(first, items, combine_held(local).x);
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_apply(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= block_count(items)) {
        return;
    }
    let first = first_item(local, block);
    load_items(first, items);
    let before = combine_held(local).x;
    if (block == 0u) {
        write_scan(first, items, before);
    } else {
        write_scan(first, items, combine(image(carries[block]), before));
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_apply_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= block_count(items)) {
        return;
    }
    let first = first_item(local, block);
    load_items_in_place(first, items);
    let before = combine_held(local).x;
    if (block == 0u) {
        write_scan(first, items, before);
    } else {
        write_scan(first, items, combine(image(carries_in_place[block]), before));
    }
}
