// msd_count: count the digits of tiles' keys. Uses count, msd_digit.
//
// A workgroup counts a tile's keys in its own memory, part after part, GROUP_SIZE * ITEMS keys each, and adds
// them to the totals of the bucket's record, after all its tiles that follow one another and share it. For a
// stable partition it also writes the tile's column of the bucket's table.
//
//     bins   | copy 0: a count a digit, one word left out | copy 1: … | … |
//
// Where most keys have the same few digits, additions to one word wait for each other: so neighbours add to
// different copies, which lie in different banks. The kernel defines GROUP_SIZE and BINS.

override STABLE: bool = false;

@group(0) @binding(3) var<storage, read_write> keys: array<u32>;

const COPIES: u32 = 4u;
override COPY_WORDS: u32 = BINS + 1u;
override BIN_COUNT: u32 = COPIES * COPY_WORDS;

var<workgroup> bins: array<atomic<u32>, BIN_COUNT>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;

var<private> counted: u32; // of the digit that an invocation stands for: keys not added yet

fn clear_bins(local: u32) {
    for (var i = local; i < BIN_COUNT; i += GROUP_SIZE) {
        atomicStore(&bins[i], 0u);
    }
    workgroupBarrier();
}

// A part of a tile, from its key `done` on. Past the end of the tile its last key is loaded again.
fn load_part(local: u32, tile: Tile, done: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = (tile.first + min(done + i * GROUP_SIZE + local, tile.held - 1u)) * KEY_WORDS;
        low[i] = keys[at];
        if (KEY_WORDS == 2u) {
            high[i] = keys[at + 1u];
        }
    }
}

// Nothing branches on whether a key exists. What does not adds nothing, each invocation to another bin.
fn count_part(local: u32, tile: Tile, done: u32) {
    if (FIXED_ROOT) {
        find_digits(tile);
    }
    let copy = local % COPIES * COPY_WORDS;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = done + i * GROUP_SIZE + local < tile.held;
        let digit = digit_of(i, vec2<u32>(low[i], high[i]), tile);
        atomicAdd(&bins[copy + select(local & (BINS - 1u), digit, exists)], select(0u, 1u, exists));
    }
}

// Take the tile's counts out of the bins, where they must not mix with those of the next one; and add what
// has been taken to the record's, once no more tiles of it follow.
fn take_bins(local: u32, tile: Tile, next: Tile) {
    let ends = next.held == 0u || next.record != tile.record;
    if (STABLE || ends) {
        workgroupBarrier();
        if (local < BINS) {
            var count = 0u;
            for (var copy = 0u; copy < BIN_COUNT; copy += COPY_WORDS) {
                count += atomicLoad(&bins[copy + local]);
                atomicStore(&bins[copy + local], 0u);
            }
            if (STABLE && local < (1u << tile.bits)) {
                atomicStore(&work[tile.table + local * tile.tiles + tile.index], count);
            }
            counted += count;
        }
        workgroupBarrier();
    }
    if (counted > 0u && ends) {
        atomicAdd(&work[tile.record + RECORD_TOTALS + local], counted);
        counted = 0u;
    }
}
