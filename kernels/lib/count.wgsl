// count: which workgroup this is, and how many elements this run has.

// Apart from the invocation's own index: a struct with one non-uniform member is not uniform to Tint.
struct Grid {
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) group_count: vec3<u32>,
}

@group(0) @binding(1) var<storage, read> count: array<u32>; // [0]: elements, not yet clamped

// Elements to process. Uniform, since it is read from a read-only buffer.
fn element_count(max_count: u32) -> u32 {
    return min(count[0], max_count);
}

// Workgroups are numbered row by row in a grid that may be larger than needed.
fn group_number(grid: Grid) -> u32 {
    return grid.group.y * grid.group_count.x + grid.group.x;
}

fn div_ceil(a: u32, b: u32) -> u32 {
    return a / b + select(0u, 1u, a % b != 0u);
}

// The elements of this workgroup when each takes GROUP_SIZE * ITEMS: x the first, y how many.
fn group_share(grid: Grid, max_count: u32) -> vec2<u32> {
    let element_total = element_count(max_count);
    let tile = GROUP_SIZE * ITEMS;
    let number = group_number(grid);
    if (number >= div_ceil(element_total, tile)) {
        return vec2<u32>(0u, 0u);
    }
    return vec2<u32>(number * tile, min(tile, element_total - number * tile));
}
