// rank_subgroup: rank the keys of a tile by digit, in their order, with ballots of subgroups.
//
// Defines the same as rank_portable: rank_strips, and for lib/strip strip_width, strip_counts. The kernel
// defines GROUP_SIZE (a multiple of twice SUBGROUP_SIZE), BINS (up to 256), cells, and spot: the digits of
// an invocation's items, on return digit << 16 | rank in its strip.
//
// A strip is a subgroup, of up to 64 invocations; it owns a run of keys, in rounds of one each. Ballots tell an
// invocation which others hold its digit. The lowest of them adds their number to the strip's count; what
// is then there, without them, and the others below are the rank. A subgroup runs its rounds in order, so
// no barrier stands between them.
//
//     cells   | counts, then starts: two strips a word, 16 bits each |
//
// It takes GROUP_SIZE / SUBGROUP_SIZE / 2 * BINS cells. Nothing branches: see lib/lane_subgroup.

override SUBGROUP_SIZE: u32 = 32u; // of all subgroups

fn strip_width() -> u32 {
    return SUBGROUP_SIZE;
}

fn strip_counts() -> u32 {
    return 0u;
}

fn rank_bits(mask: vec2<u32>) -> u32 {
    return countOneBits(mask.x) + countOneBits(mask.y);
}

// Which invocations of the subgroup hold the same bit. Bits of those that there are not may be set.
fn rank_equals(bit: bool) -> vec2<u32> {
    return subgroupBallot(bit).xy ^ vec2<u32>(select(0xffffffffu, 0u, bit));
}

// Ends with a barrier.
fn rank_strips(local: u32) {
    for (var i = local; i < GROUP_SIZE / SUBGROUP_SIZE / 2u * BINS; i += GROUP_SIZE) {
        atomicStore(&cells[i], 0u);
    }
    workgroupBarrier();
    let lane = local % SUBGROUP_SIZE;
    let strip = local / SUBGROUP_SIZE;
    let lanes = vec2<u32>(0xffffffffu >> (32u - min(SUBGROUP_SIZE, 32u)),
                          select(0u, 0xffffffffu, SUBGROUP_SIZE > 32u));
    let below_word = (1u << (lane & 31u)) - 1u;
    let below_lanes = select(vec2<u32>(below_word, 0u), vec2<u32>(0xffffffffu, below_word), lane >= 32u);
    let shift = rank_shift(strip);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let digit = spot[i];
        var equals = rank_equals((digit & 1u) != 0u) & lanes;
        equals &= rank_equals((digit & 2u) != 0u);
        equals &= rank_equals((digit & 4u) != 0u);
        equals &= rank_equals((digit & 8u) != 0u);
        equals &= rank_equals((digit & 16u) != 0u);
        equals &= rank_equals((digit & 32u) != 0u);
        equals &= rank_equals((digit & 64u) != 0u);
        equals &= rank_equals((digit & 128u) != 0u);
        let below = rank_bits(equals & below_lanes);
        let count = rank_bits(equals);
        let cell = rank_cell(strip, digit);
        atomicAdd(&cells[cell], select(0u, count, below == 0u) << shift);
        let counted = (atomicLoad(&cells[cell]) >> shift) & 0xffffu;
        spot[i] = (digit << 16u) | (counted - count + below);
    }
    workgroupBarrier();
}
