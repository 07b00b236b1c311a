// scan: prefix sums, minima or maxima over blocks of items, and sums of blocks.
//
//@use count image fold lane rows
//
//     items     | block 0 | block 1 | …     GROUP_SIZE * ITEMS each
//     carries   | what all blocks before it combine to, one a block |
//
//     scan_reduce            sums[block] = its items combined; identity_bits if there are none
//     scan_nothing           sums[0] = identity_bits, for a plan without items
//     scan_block[_in_place]  a single block
//     scan_apply[_quads][_in_place]   a block, on top of its carry; _quads where at max_count the
//                                     items are a multiple of four
//
// Item counts of a level are ceil(items / unit), see item_count. Reads and writes each item once,
// neighbours by neighbouring invocations; lib/rows scans a block.

override GROUP_SIZE: u32 = 256u;
override CELLS: u32 = 2048u;       // 8 * GROUP_SIZE
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
@group(0) @binding(2) var<storage, read_write> quads_out: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> items_in: array<u32>;         // not in place
@group(0) @binding(3) var<storage, read_write> quads_in: array<vec4<u32>>;   // not in place
@group(0) @binding(4) var<storage, read_write> carries: array<u32>;          // not in place
@group(0) @binding(3) var<storage, read_write> carries_in_place: array<u32>; // in place

fn item_count() -> u32 {
    let items = div_ceil(element_count(params.max_count), params.per) * params.times;
    return div_ceil(items, params.unit);
}

// Nothing branches on whether an item exists, for group_exclusive follows: see lib/lane_subgroup.
fn load_items(first: u32, items: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = first + i * GROUP_SIZE;
        held[i] = select(identity(), image(items_in[min(at, max(items, 1u) - 1u)]), at < items);
    }
}

fn load_items_in_place(first: u32, items: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = first + i * GROUP_SIZE;
        held[i] = select(identity(), image(items_out[min(at, max(items, 1u) - 1u)]), at < items);
    }
}

// Scan the held items of a block on top of what comes before it.
fn scan_held(local: u32, first: u32, items: u32, before: u32) {
    take_runs(local);
    scan_runs(local);
    store_runs(local, first, items, before);
}

fn block_count(items: u32) -> u32 {
    return div_ceil(items, GROUP_SIZE * ITEMS);
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_reduce(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= max(block_count(items), 1u)) {
        return;
    }
    load_items(block * (GROUP_SIZE * ITEMS) + local, items);
    var sum = identity();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        sum = combine(sum, held[i]);
    }
    sum = group_exclusive(local, sum).y;
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
    load_items(local, items);
    scan_held(local, 0u, items, identity());
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_block_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    if (group_number(grid) > 0u) {
        return;
    }
    load_items_in_place(local, items);
    scan_held(local, 0u, items, identity());
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_apply(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= block_count(items)) {
        return;
    }
    let first = block * (GROUP_SIZE * ITEMS);
    load_items(first + local, items);
    scan_held(local, first, items, select(identity(), image(carries[block]), block > 0u));
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_apply_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= block_count(items)) {
        return;
    }
    let first = block * (GROUP_SIZE * ITEMS);
    load_items_in_place(first + local, items);
    scan_held(local, first, items, select(identity(), image(carries_in_place[block]), block > 0u));
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_apply_quads(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= block_count(items)) {
        return;
    }
    let first = block * (GROUP_SIZE * ITEMS);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            let at = first + i * GROUP_SIZE + 4u * local;
            hold_quad(i & 0xfffffffcu, at, items, quads_in[min(at, items - 1u) >> 2u]);
        }
    }
    scan_runs(local);
    store_quads(local, first, items, select(identity(), image(carries[block]), block > 0u));
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_apply_quads_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = item_count();
    let block = group_number(grid);
    if (block >= block_count(items)) {
        return;
    }
    let first = block * (GROUP_SIZE * ITEMS);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            let at = first + i * GROUP_SIZE + 4u * local;
            hold_quad(i & 0xfffffffcu, at, items, quads_out[min(at, items - 1u) >> 2u]);
        }
    }
    scan_runs(local);
    let before = select(identity(), image(carries_in_place[block]), block > 0u);
    store_quads(local, first, items, before);
}
