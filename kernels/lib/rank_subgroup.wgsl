// rank_subgroup: rank the keys of a tile by digit, in their order, with ballots of subgroups.
//
// Defines the same as rank_portable: rank_begin, rank_strips, and for lib/strip strip_width, strip_counts. The
// kernel defines GROUP_SIZE (a multiple of twice the subgroup size), BINS (up to 256), cells, and spot:
// the digits of an invocation's items, on return digit << 16 | rank in its strip.
//
// A strip is a subgroup, of up to 64 invocations; it owns a run of keys, in rounds of one each. Ballots tell an
// invocation which others hold its digit. The lowest of them adds their number to the strip's count; what
// was there before, and the others below, are the rank. A subgroup runs its rounds in order, so no barrier
// stands between them.
//
//     cells   | counts, then starts: two strips a word, 16 bits each |
//
// It takes GROUP_SIZE / size / 2 * BINS cells. Nothing branches: see lib/lane_subgroup.

var<private> rank_width: u32;

// To be called first, where nothing has branched. Counted, not taken from the builtin: see lib/lane_subgroup.
fn rank_begin() {
    rank_width = subgroupAdd(1u);
}

fn strip_width() -> u32 {
    return rank_width;
}

fn strip_counts() -> u32 {
    return 0u;
}

fn rank_bits(mask: vec2<u32>) -> u32 {
    return countOneBits(mask.x) + countOneBits(mask.y);
}

// Which invocations of the subgroup hold the same bit.
fn rank_equals(bit: u32) -> vec2<u32> {
    return subgroupBallot(bit != 0u).xy ^ vec2<u32>(bit - 1u);
}

// Ends with a barrier.
fn rank_strips(local: u32, held: u32) {
    for (var i = local; i < GROUP_SIZE / rank_width / 2u * BINS; i += GROUP_SIZE) {
        atomicStore(&cells[i], 0u);
    }
    workgroupBarrier();
    let lane = local % rank_width;
    let low_lanes = select((1u << lane) - 1u, 0xffffffffu, lane >= 32u);
    let below_lanes = vec2<u32>(low_lanes, select(0u, (1u << (lane & 31u)) - 1u, lane >= 32u));
    let shift = rank_shift(local / rank_width);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = rank_source(local, i) < held;
        var equals = subgroupBallot(exists).xy;
        equals &= rank_equals(spot[i] & 1u);
        equals &= rank_equals((spot[i] >> 1u) & 1u);
        equals &= rank_equals((spot[i] >> 2u) & 1u);
        equals &= rank_equals((spot[i] >> 3u) & 1u);
        equals &= rank_equals((spot[i] >> 4u) & 1u);
        equals &= rank_equals((spot[i] >> 5u) & 1u);
        equals &= rank_equals((spot[i] >> 6u) & 1u);
        equals &= rank_equals((spot[i] >> 7u) & 1u);
        let below = rank_bits(equals & below_lanes);
        let added = select(0u, rank_bits(equals), below == 0u && exists);
        let before = atomicAdd(&cells[rank_cell(local / rank_width, spot[i])], added << shift);
        let lowest = select(32u + countOneBits((equals.y & (0u - equals.y)) - 1u),
                            countOneBits((equals.x & (0u - equals.x)) - 1u), equals.x != 0u);
        let earlier = subgroupShuffle(before, lowest & (rank_width - 1u));
        spot[i] = (spot[i] << 16u) | (((earlier >> shift) & 0xffffu) + below);
    }
    workgroupBarrier();
}
