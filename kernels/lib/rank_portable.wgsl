// rank_portable: rank the keys of a tile by digit, in their order, with barriers alone.
//
// Defines the same as rank_subgroup: rank_strips, and for lib/strip strip_width, strip_counts. The
// kernel defines GROUP_SIZE (a multiple of 64), BINS, cells, and spot: the digits of an invocation's items,
// on return digit << 16 | rank in its strip.
//
// A strip, 32 invocations, owns a run of 32 * ITEMS keys, in rounds of 32. In a round an invocation sets
// its bit in the mask of its strip and digit; the bits below it, and the keys counted in earlier rounds,
// are its rank.
//
//     cells   | masks: strip, digit -> 32 bits | counts, then starts: two strips a word, 16 bits each |
//
// It takes GROUP_SIZE / 32 * BINS * 3 / 2 cells.

const RANK_STRIP: u32 = 32u;

fn strip_width() -> u32 {
    return RANK_STRIP;
}

fn strip_counts() -> u32 {
    return GROUP_SIZE / RANK_STRIP * BINS;
}

// Ends with a barrier.
fn rank_strips(local: u32) {
    let strip = local / RANK_STRIP;
    let own = 1u << (local % RANK_STRIP);
    for (var i = local; i < GROUP_SIZE / RANK_STRIP * BINS / 2u * 3u; i += GROUP_SIZE) {
        atomicStore(&cells[i], 0u);
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let mask = strip * BINS + spot[i];
        atomicOr(&cells[mask], own);
        workgroupBarrier();
        let equals = atomicLoad(&cells[mask]);
        let cell = rank_cell(strip, spot[i]);
        let earlier = (atomicLoad(&cells[cell]) >> rank_shift(strip)) & 0xffffu;
        let below = countOneBits(equals & (own - 1u));
        spot[i] = (spot[i] << 16u) | (earlier + below);
        workgroupBarrier();
        // Between this barrier and the next, each takes its own bit back, and the lowest of equals
        // counts them all; the next round's bits are other bits or the same one set again.
        atomicAnd(&cells[mask], ~own);
        if (below == 0u) {
            atomicAdd(&cells[cell], countOneBits(equals) << rank_shift(strip));
        }
    }
    workgroupBarrier();
}
