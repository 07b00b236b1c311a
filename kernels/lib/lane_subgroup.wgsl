// lane_subgroup: combine values across a workgroup, with subgroup shuffles of any width.
//
// Defines the same as lane_portable: group_exclusive. The kernel defines GROUP_SIZE (a multiple of
// the subgroup size), combine(a, b) (associative) and identity().
//
//     sums   | subgroup 0 | subgroup 1 | …     subgroups have 4 lanes or more
//
// A subgroup is taken to hold consecutive invocations of the one-dimensional workgroup, as all
// implementations lay it out. And it is taken to run together, which WGSL promises in uniform control
// flow but drivers do not keep after code that branched: on an H200 (driver 580.159) both naga's and
// Tint's radix_scatter ran these operations with parts of a subgroup. So only kernels whose
// invocations have never parted before the call may use this; the planner says which.

const LANE_SUBGROUPS: u32 = 256u; // enough for 1,024 invocations

var<workgroup> lane_sums: array<u32, LANE_SUBGROUPS>;

// x: what the invocations below this one combine to (the identity for the first).
// y: what all combine to. Called by all invocations of the workgroup, in uniform control flow.
fn group_exclusive(local: u32, value: u32) -> vec2<u32> {
    // Counted, not taken from the builtins: some drivers report another width than they run.
    let number = subgroupExclusiveAdd(1u);
    let width = subgroupAdd(1u);
    var inclusive = value;
    // To 128, the widest there is: a bound that is the same for all keeps the shuffles in control flow
    // that a compiler can prove uniform. Beyond the width they change nothing.
    for (var distance = 1u; distance < 128u; distance <<= 1u) {
        let lower = subgroupShuffleUp(inclusive, distance);
        inclusive = select(inclusive, combine(lower, inclusive), number >= distance);
    }
    let lower = subgroupShuffleUp(inclusive, 1u);
    let subgroup = local / width;
    if (number == width - 1u) {
        lane_sums[subgroup] = inclusive;
    }
    workgroupBarrier();
    var before = identity();
    var total = identity();
    for (var i = 0u; i < GROUP_SIZE / width; i++) {
        before = select(before, total, i == subgroup);
        total = combine(total, lane_sums[i]);
    }
    workgroupBarrier(); // the next call writes the sums
    return vec2<u32>(select(before, combine(before, lower), number > 0u), total);
}
