// msd_histogram: count the digits of each bucket's keys.
//
//@use count image key msd
//
// A workgroup counts a tile's keys in its own memory and adds them to the totals of the bucket's record,
// of the first level after all its tiles, since they share the record. For a stable partition it also
// writes the tile's column of the bucket's table.
// Reads KEY_WORDS words a key.

override GROUP_SIZE: u32 = 256u;
override BINS: u32 = 256u; // at least the digits of a bucket, at most GROUP_SIZE
override STABLE: bool = false;

@group(0) @binding(3) var<storage, read_write> keys: array<u32>;

var<workgroup> bins: array<atomic<u32>, BINS>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;

var<private> counted: u32; // of the digit that an invocation stands for: keys not added yet

// Take the tile's counts out of the bins.
fn take_bins(local: u32, tile: Tile) {
    workgroupBarrier();
    if (local < BINS) {
        let count = atomicLoad(&bins[local]);
        atomicStore(&bins[local], 0u);
        if (STABLE && local < (1u << tile.bits)) {
            atomicStore(&work[tile.table + local * tile.tiles + tile.index], count);
        }
        counted += count;
    }
    workgroupBarrier();
}

// Nothing branches on whether a key exists. What does not adds nothing, each invocation to another bin.
fn count_tile(local: u32, tile: Tile) {
    let mask = (1u << tile.bits) - 1u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = (tile.first + min(i * GROUP_SIZE + local, tile.held - 1u)) * KEY_WORDS;
        low[i] = keys[at];
        if (KEY_WORDS == 2u) {
            high[i] = keys[at + 1u];
        }
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = i * GROUP_SIZE + local < tile.held;
        let digit = image_digit(key_image(vec2<u32>(low[i], high[i])), tile.shift, mask);
        atomicAdd(&bins[select(local & (BINS - 1u), digit, exists)], select(0u, 1u, exists));
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let groups = grid.group_count.x * grid.group_count.y;
    let first = group_number(grid);
    var tile = find_tile(local, first);
    if (tile.held == 0u) {
        return;
    }
    if (local < BINS) {
        atomicStore(&bins[local], 0u);
    }
    workgroupBarrier();
    for (var number = first; tile.held > 0u; number += groups) {
        count_tile(local, tile);
        let next = find_tile(local, number + groups);
        if (STABLE || params.level > 0u || next.held == 0u) {
            take_bins(local, tile);
        }
        if (counted > 0u && (params.level > 0u || next.held == 0u)) {
            atomicAdd(&work[tile.record + RECORD_TOTALS + local], counted);
            counted = 0u;
        }
        tile = next;
    }
}
