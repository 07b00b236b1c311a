// radix_histogram: count the digits of each tile of keys.
//
//@use count window image key
//
//     keys     | tile 0 | tile 1 | …                     tile_items keys each, the last may be short
//     counts   | digit 0: tile 0, tile 1, … | digit 1: tile 0, tile 1, … | …
//
// Digit-major, so that the counts of one digit lie together for the scan. tiles = ceil(count /
// tile_items): a run with fewer elements than planned packs its table tighter. Keys may be a window of a
// larger array, of which the counts are.
// Reads KEY_WORDS words a key; writes one word a digit and tile.

override GROUP_SIZE: u32 = 256u;
override BINS: u32 = 256u; // at least digit_count

struct Params {
    max_count: u32,
    tile_items: u32,
    shift: u32,
    mask: u32,
    digit_count: u32,
    last: u32, // greater images count as this one
    first_tile: u32,
    window_tiles: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;

var<workgroup> bins: array<atomic<u32>, BINS>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;

@compute @workgroup_size(GROUP_SIZE)
fn radix_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let tiles = div_ceil(element_total, params.tile_items);
    let tile = tile_number(grid, tiles);
    if (tile >= tiles) {
        return;
    }
    let first = tile * params.tile_items;
    let tile_count = min(params.tile_items, element_total - first);
    let bound = first - window_start(params.tile_items);

    // 1. Clear. Not left to WebGPU: a host may have switched its zeroing off.
    for (var bin = local; bin < BINS; bin += GROUP_SIZE) {
        atomicStore(&bins[bin], 0u);
    }
    workgroupBarrier();

    // 2. Count.
    for (var done = local; done < tile_count; done += GROUP_SIZE * ITEMS) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = (bound + min(done + i * GROUP_SIZE, tile_count - 1u)) * KEY_WORDS;
            low[i] = keys[at];
            if (KEY_WORDS == 2u) {
                high[i] = keys[at + 1u];
            }
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (done + i * GROUP_SIZE < tile_count) {
                let key = vec2<u32>(low[i], high[i]);
                atomicAdd(&bins[key_digit(key, params.shift, params.mask, params.last)], 1u);
            }
        }
    }
    workgroupBarrier();

    // 3. Write this tile's column.
    for (var bin = local; bin < params.digit_count; bin += GROUP_SIZE) {
        counts[bin * tiles + tile] = atomicLoad(&bins[bin]);
    }
}
