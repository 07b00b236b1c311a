// lane_portable: combine values across a workgroup, with barriers alone.
//
// Defines the same as lane_subgroup: group_exclusive. The kernel defines
// GROUP_SIZE (a multiple of 16), combine(a, b) (associative) and identity().
//
//     cells   | x0 … x15 | x16 … x31 | …      each of GROUP_SIZE / 16 invocations scans one row
//     sums    | s0       | s1        | …      invocation 0 scans these
//
// The association is fixed, so rounding operators give the same bits on every device.

const LANE_ROW: u32 = 16u;
const LANE_ROWS: u32 = 64u; // enough for 1,024 invocations

var<workgroup> lane_cells: array<u32, GROUP_SIZE>;
var<workgroup> lane_sums: array<u32, LANE_ROWS>;
var<workgroup> lane_total: u32;

// x: what the invocations below this one combine to (the identity for the first).
// y: what all combine to. Called by all invocations of the workgroup, in uniform control flow.
fn group_exclusive(local: u32, value: u32) -> vec2<u32> {
    lane_cells[local] = value;
    workgroupBarrier();
    if (local < GROUP_SIZE / LANE_ROW) {
        var sum = identity();
        for (var i = local * LANE_ROW; i < (local + 1u) * LANE_ROW; i++) {
            let cell = lane_cells[i];
            lane_cells[i] = sum;
            sum = combine(sum, cell);
        }
        lane_sums[local] = sum;
    }
    workgroupBarrier();
    if (local == 0u) {
        var sum = identity();
        for (var i = 0u; i < GROUP_SIZE / LANE_ROW; i++) {
            let row = lane_sums[i];
            lane_sums[i] = sum;
            sum = combine(sum, row);
        }
        lane_total = sum;
    }
    workgroupBarrier();
    // The next call writes sums and total only behind barriers, so none is needed here.
    let before = combine(lane_sums[local / LANE_ROW], lane_cells[local]);
    return vec2<u32>(before, lane_total);
}
