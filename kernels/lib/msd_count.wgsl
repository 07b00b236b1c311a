// msd_count: count the digits of tiles' keys. Uses count, image, key, msd.
//
// A workgroup counts a tile's keys in its own memory and adds them to the totals of the bucket's record,
// of the first level after all its tiles, since they share the record. For a stable partition it also
// writes the tile's column of the bucket's table. The kernel defines GROUP_SIZE and BINS.

override STABLE: bool = false;

@group(0) @binding(3) var<storage, read_write> keys: array<u32>;

var<workgroup> bins: array<atomic<u32>, BINS>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;

var<private> counted: u32; // of the digit that an invocation stands for: keys not added yet

fn clear_bins(local: u32) {
    if (local < BINS) {
        atomicStore(&bins[local], 0u);
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

// Take the tile's counts out of the bins, where they must not mix with those of the next one; and add what
// has been taken to the record's, once no more tiles of it follow.
fn take_bins(local: u32, tile: Tile, next: Tile) {
    if (STABLE || params.level > 0u || next.held == 0u) {
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
    if (counted > 0u && (params.level > 0u || next.held == 0u)) {
        atomicAdd(&work[tile.record + RECORD_TOTALS + local], counted);
        counted = 0u;
    }
}
