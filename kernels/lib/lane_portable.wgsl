// lane_portable: combine values across a workgroup, with barriers alone.
//
// Defines the same as lane_subgroup: group_exclusive. The kernel defines
// GROUP_SIZE (a multiple of 16), combine(a, b) (associative) and identity().
//
//     cells   | x0 … x15 | x16 … x31 | …      a row for each 16 invocations
//     sums    | s0       | s1        | …
//
// Every invocation combines what lies before it in its row, then the sums of the rows before: reads that
// depend on nothing, of one word by a whole row, instead of a chain through memory. The association is
// fixed, so rounding operators give the same bits on every device.

const LANE_ROW: u32 = 16u;
const LANE_ROWS: u32 = 64u; // enough for 1,024 invocations

var<workgroup> lane_cells: array<u32, GROUP_SIZE>;
var<workgroup> lane_sums: array<u32, LANE_ROWS>;

fn lane_step(sum: u32, row: u32, i: u32, lane: u32) -> u32 {
    return select(sum, combine(sum, lane_cells[row + i]), i < lane);
}

// x: what the invocations below this one combine to (the identity for the first).
// y: what all combine to. Called by all invocations of the workgroup, in uniform control flow.
fn group_exclusive(local: u32, value: u32) -> vec2<u32> {
    lane_cells[local] = value;
    workgroupBarrier();
    let lane = local % LANE_ROW;
    let row = local - lane;
    var before = identity();
    before = lane_step(before, row, 0u, lane);
    before = lane_step(before, row, 1u, lane);
    before = lane_step(before, row, 2u, lane);
    before = lane_step(before, row, 3u, lane);
    before = lane_step(before, row, 4u, lane);
    before = lane_step(before, row, 5u, lane);
    before = lane_step(before, row, 6u, lane);
    before = lane_step(before, row, 7u, lane);
    before = lane_step(before, row, 8u, lane);
    before = lane_step(before, row, 9u, lane);
    before = lane_step(before, row, 10u, lane);
    before = lane_step(before, row, 11u, lane);
    before = lane_step(before, row, 12u, lane);
    before = lane_step(before, row, 13u, lane);
    before = lane_step(before, row, 14u, lane);
    if (lane == LANE_ROW - 1u) {
        lane_sums[local / LANE_ROW] = combine(before, value);
    }
    workgroupBarrier();
    var rows = identity();
    var total = identity();
    for (var i = 0u; i < GROUP_SIZE / LANE_ROW; i += 4u) {
        let sums = vec4<u32>(lane_sums[i], lane_sums[i + 1u], lane_sums[i + 2u], lane_sums[i + 3u]);
        rows = select(rows, total, i == local / LANE_ROW);
        total = select(total, combine(total, sums.x), i < GROUP_SIZE / LANE_ROW);
        rows = select(rows, total, i + 1u == local / LANE_ROW);
        total = select(total, combine(total, sums.y), i + 1u < GROUP_SIZE / LANE_ROW);
        rows = select(rows, total, i + 2u == local / LANE_ROW);
        total = select(total, combine(total, sums.z), i + 2u < GROUP_SIZE / LANE_ROW);
        rows = select(rows, total, i + 3u == local / LANE_ROW);
        total = select(total, combine(total, sums.w), i + 3u < GROUP_SIZE / LANE_ROW);
    }
    // The next call writes the sums only behind a barrier that all reach after these reads, and the
    // cells after the second one here.
    return vec2<u32>(combine(rows, before), total);
}
