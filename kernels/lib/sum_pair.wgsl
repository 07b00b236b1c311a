// sum_pair: add up two numbers of each invocation across a workgroup, with barriers alone.
//
// The scheme of lane_portable, for two sums at once: what takes its time are reads that wait, not additions. The
// kernel defines GROUP_SIZE (a multiple of 64) and `cells`, atomics, of which it takes GROUP_SIZE / 8 * 17.
//
//     cells   | x0, x1, … | y0, y1, … | sums of x, 16 invocations each | of y |

const PAIR_ROW: u32 = 16u;

fn pair_cell(at: u32) -> vec2<u32> {
    return vec2<u32>(atomicLoad(&cells[at]), atomicLoad(&cells[GROUP_SIZE + at]));
}

fn pair_sum(row: u32) -> vec2<u32> {
    let at = 2u * GROUP_SIZE + row;
    return vec2<u32>(atomicLoad(&cells[at]), atomicLoad(&cells[at + GROUP_SIZE / PAIR_ROW]));
}

fn pair_step(sum: vec2<u32>, row: u32, i: u32, lane: u32) -> vec2<u32> {
    return sum + select(vec2<u32>(0u), pair_cell(row + i), i < lane);
}

// xy: the sums of the invocations below this one, zw: of all. Called by all invocations of the workgroup, in uniform
// control flow. Others may still read cells when it returns.
fn pair_exclusive(local: u32, value: vec2<u32>) -> vec4<u32> {
    atomicStore(&cells[local], value.x);
    atomicStore(&cells[GROUP_SIZE + local], value.y);
    workgroupBarrier();
    let lane = local % PAIR_ROW;
    let row = local - lane;
    var before = vec2<u32>(0u);
    before = pair_step(before, row, 0u, lane);
    before = pair_step(before, row, 1u, lane);
    before = pair_step(before, row, 2u, lane);
    before = pair_step(before, row, 3u, lane);
    before = pair_step(before, row, 4u, lane);
    before = pair_step(before, row, 5u, lane);
    before = pair_step(before, row, 6u, lane);
    before = pair_step(before, row, 7u, lane);
    before = pair_step(before, row, 8u, lane);
    before = pair_step(before, row, 9u, lane);
    before = pair_step(before, row, 10u, lane);
    before = pair_step(before, row, 11u, lane);
    before = pair_step(before, row, 12u, lane);
    before = pair_step(before, row, 13u, lane);
    before = pair_step(before, row, 14u, lane);
    if (lane == PAIR_ROW - 1u) {
        let at = 2u * GROUP_SIZE + local / PAIR_ROW;
        atomicStore(&cells[at], before.x + value.x);
        atomicStore(&cells[at + GROUP_SIZE / PAIR_ROW], before.y + value.y);
    }
    workgroupBarrier();
    var rows = vec2<u32>(0u);
    var total = vec2<u32>(0u);
    for (var i = 0u; i < GROUP_SIZE / PAIR_ROW; i += 4u) {
        rows = select(rows, total, i == local / PAIR_ROW);
        total += pair_sum(i);
        rows = select(rows, total, i + 1u == local / PAIR_ROW);
        total += pair_sum(i + 1u);
        rows = select(rows, total, i + 2u == local / PAIR_ROW);
        total += pair_sum(i + 2u);
        rows = select(rows, total, i + 3u == local / PAIR_ROW);
        total += pair_sum(i + 3u);
    }
    return vec4<u32>(rows + before, total);
}
