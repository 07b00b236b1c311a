// scan_chain: the scan in one pass over the items, by decoupled look-back.
//
//@use count image fold lane rows
//
// After Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016),
// and Smith, Levien and Owens, "Decoupled Fallback" (2025). Tiles are handed out in the order in
// which workgroups start, so a workgroup waits only for workgroups that have started.
//
//     items   | tile 0 | tile 1 | …     GROUP_SIZE * ITEMS each
//     state   | tiles handed out | 31 idle words | tile 0: low, high | tile 1: low, high | …
//     low     | 16 bits: SUM or PREFIX, 0 at first | the value's low 16 bits |
//     high    | the same                           | the value's high 16 bits |
//
//     scan_chain_clear    state = 0, for scratch holds anything
//     scan_chain[_quads]  1. takes a tile, scans it, publishes what it combines to (SUM)
//                         2. looks back, WINDOW tiles at once, adding up SUMs to the nearest PREFIX
//                         3. publishes its own PREFIX, and writes the tile
//                         _quads where max_count is a multiple of four
//
// A plain write reaches other workgroups in the next dispatch only, an atomic one at once, but says
// nothing of other words. So each half of a value says what it is, and halves that differ are a
// value on its way. A state only grows, PREFIX above SUM, so atomicMax publishes and two may do it.
// A workgroup that has met POLLS times the same tile unpublished combines that tile's items itself:
// it ends whatever others do. Hence not in place, where the tile's own workgroup may already write.
// For operators whose results do not depend on the association: it depends on who comes first.
// Reads and writes each item once.

override GROUP_SIZE: u32 = 256u;
override CELLS: u32 = 2048u;       // 8 * GROUP_SIZE
override TYPE_KIND: u32;           // 0 u32, 1 i32, 2 f32, but not for adding
override OP: u32;                  // 0 add, 1 min, 2 max
override INCLUSIVE: bool = false;
override WINDOW: u32 = 128u;       // at most GROUP_SIZE
const POLLS: u32 = 32u;
const FIRST_STATE: u32 = 32u;
const SUM: u32 = 1u << 16u;
const PREFIX: u32 = 2u << 16u;

struct Params {
    max_count: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> items_out: array<u32>;
@group(0) @binding(2) var<storage, read_write> quads_out: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> items_in: array<u32>;
@group(0) @binding(3) var<storage, read_write> quads_in: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> state_alone: array<u32>; // of scan_chain_clear

var<workgroup> tile_taken: u32;
var<workgroup> nearest: atomic<u32>; // twice the distance of a tile that ends a look; odd if unpublished
var<workgroup> found: atomic<u32>;   // what the tiles before that one combine to
var<workgroup> seen: vec2<u32>;      // both, for all to see

fn tile_count() -> u32 {
    return div_ceil(element_count(params.max_count), GROUP_SIZE * ITEMS);
}

fn publish(tile: u32, kind: u32, value: u32) {
    atomicMax(&state[FIRST_STATE + 2u * tile], kind | (value & 0xffffu));
    atomicMax(&state[FIRST_STATE + 2u * tile + 1u], kind | (value >> 16u));
}

// Combine a value into what all invocations find together.
fn add_found(value: u32) {
    if (OP == 0u) {
        atomicAdd(&found, value);
    }
    if (OP == 1u) {
        atomicMin(&found, value);
    }
    if (OP == 2u) {
        atomicMax(&found, value);
    }
}

// What invocations have found, told to all; and the next find begins.
fn tell_found(local: u32) -> vec2<u32> {
    workgroupBarrier();
    if (local == 0u) {
        seen = vec2<u32>(atomicLoad(&nearest), atomicLoad(&found));
        atomicStore(&nearest, 2u * WINDOW);
        atomicStore(&found, identity());
    }
    return workgroupUniformLoad(&seen);
}

// Look at the WINDOW tiles before `tile`. x: 2 * the number of those, from the nearest on, that y
// combines, plus 1 if it is an unpublished tile that ends them; a PREFIX that ends them is in y.
fn look(local: u32, tile: u32) -> vec2<u32> {
    var kind = 0u;
    var value = identity();
    let looks = local < min(WINDOW, tile);
    if (looks) {
        let at = FIRST_STATE + 2u * (tile - 1u - local);
        let low = atomicLoad(&state[at]);
        let high = atomicLoad(&state[at + 1u]);
        kind = select(0u, low & 0xffff0000u, (low >> 16u) == (high >> 16u));
        value = (low & 0xffffu) | (high << 16u);
        if (kind != SUM) {
            atomicMin(&nearest, 2u * local + select(0u, 1u, kind == 0u));
        }
    }
    workgroupBarrier();
    let end = atomicLoad(&nearest);
    if (looks && (local < (end >> 1u) || (local == (end >> 1u) && kind == PREFIX))) {
        add_found(value);
    }
    return tell_found(local);
}

// Look back from where x is what the tiles from y on up to one's own combine to: goes on until y is
// 0, or the tile before y has stayed unpublished for too long.
fn look_back(local: u32, from_tile: vec2<u32>) -> vec2<u32> {
    var before = from_tile.x;
    var rest = from_tile.y;
    var polls = 0u;
    while (rest > 0u && polls <= POLLS) {
        let view = look(local, rest);
        let passed = view.x >> 1u;
        before = combine(before, view.y);
        polls = select(0u, polls + 1u, passed == 0u);
        rest = select(rest - min(passed, rest), 0u, passed < WINDOW && (view.x & 1u) == 0u);
    }
    return vec2<u32>(before, rest);
}

// Go on over a tile that stays unpublished, from the invocations' shares of what it combines to.
fn pass_over(local: u32, from_tile: vec2<u32>, share: u32) -> vec2<u32> {
    let tile = from_tile.y - 1u;
    add_found(share);
    let sum = tell_found(local).y;
    if (local == 0u) {
        publish(tile, SUM, sum);
    }
    return look_back(local, vec2<u32>(combine(from_tile.x, sum), tile));
}

// Called once in a workgroup, which has found nothing yet.
fn take_tile(local: u32) -> u32 {
    if (local == 0u) {
        tile_taken = atomicAdd(&state[0], 1u);
        atomicStore(&nearest, 2u * WINDOW);
        atomicStore(&found, identity());
    }
    return workgroupUniformLoad(&tile_taken);
}

fn publish_sum(local: u32, tile: u32, sum: u32) {
    if (local == 0u) {
        publish(tile, select(SUM, PREFIX, tile == 0u), sum);
    }
}

fn publish_prefix(local: u32, tile: u32, prefix: u32) {
    if (local == 0u && tile > 0u) {
        publish(tile, PREFIX, prefix);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_chain_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let words = FIRST_STATE + 2u * tile_count();
    let first = group_number(grid) * (GROUP_SIZE * ITEMS) + local;
    for (var i = 0u; i < ITEMS; i++) {
        if (first + i * GROUP_SIZE < words) {
            state_alone[first + i * GROUP_SIZE] = 0u;
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_chain(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = element_count(params.max_count);
    if (group_number(grid) >= tile_count()) {
        return;
    }
    let tile = take_tile(local);
    let first = tile * (GROUP_SIZE * ITEMS);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = first + i * GROUP_SIZE + local;
        held[i] = select(identity(), image(items_in[min(at, items - 1u)]), at < items);
    }
    take_runs(local);
    let sum = scan_runs(local);
    publish_sum(local, tile, sum);
    var before = look_back(local, vec2<u32>(identity(), tile));
    while (before.y > 0u) {
        // A tile before another one is whole.
        let stalled = (before.y - 1u) * (GROUP_SIZE * ITEMS) + local;
        var share = identity();
        for (var i = 0u; i < ITEMS; i++) {
            share = combine(share, image(items_in[stalled + i * GROUP_SIZE]));
        }
        before = pass_over(local, before, share);
    }
    publish_prefix(local, tile, combine(before.x, sum));
    store_runs(local, first, items, before.x);
}

@compute @workgroup_size(GROUP_SIZE)
fn scan_chain_quads(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let items = element_count(params.max_count);
    if (group_number(grid) >= tile_count()) {
        return;
    }
    let tile = take_tile(local);
    let first = tile * (GROUP_SIZE * ITEMS);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            let at = first + i * GROUP_SIZE + 4u * local;
            hold_quad(i & 0xfffffffcu, at, items, quads_in[min(at, items - 1u) >> 2u]);
        }
    }
    let sum = scan_runs(local);
    publish_sum(local, tile, sum);
    var before = look_back(local, vec2<u32>(identity(), tile));
    while (before.y > 0u) {
        let stalled = (before.y - 1u) * (GROUP_SIZE * ITEMS / 4u) + local;
        var share = identity();
        for (var run = 0u; run < ITEMS / 4u; run++) {
            let quad = quads_in[stalled + run * GROUP_SIZE];
            share = combine(share, combine(combine(image(quad.x), image(quad.y)),
                                           combine(image(quad.z), image(quad.w))));
        }
        before = pass_over(local, before, share);
    }
    publish_prefix(local, tile, combine(before.x, sum));
    store_quads(local, first, items, before.x);
}
