// grid: the cell of each point in a uniform grid, and points brought into the order of cells.
//
//@use count cell
//
//     points    | … | x y (z) | … | x y (z) | … |     u32 words: bits of f32
//               0   ^ offset      ^ offset + stride
//     cells     destination[i] = the number of point i's cell; cell_count if it has none
//     points    destination[i] = the coordinates of point order[i], tightly
//
// Reads each coordinate once, and writes each word of the result once.

override GROUP_SIZE: u32 = 256u;

// Where points beyond the cells go; else to the border.
const WRAP: u32 = 1u;
const APART: u32 = 2u;

struct Params {
    max_count: u32,
    stride: u32,               // words from one point to the next
    offset: u32,               // words before the first
    dimensions: u32,           // 2 or 3
    origin: vec3<u32>,         // bits of f32
    outside: u32,              // 0, WRAP or APART
    cells_per_unit: vec3<u32>, // bits of f32
    table_size: u32,           // not 0: cells are hashed
    cells: vec3<u32>,          // in each axis
    cell_count: u32,           // in all
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> destination: array<u32>;
@group(0) @binding(3) var<storage, read_write> points: array<u32>;
@group(0) @binding(4) var<storage, read_write> order: array<u32>;

const NOWHERE: i32 = -2147483647;

// What an invocation has loaded.
var<private> point_x: array<u32, ITEMS>;
var<private> point_y: array<u32, ITEMS>;
var<private> point_z: array<u32, ITEMS>;

// The coordinate in one axis of the cell that takes a point; NOWHERE if none does.
fn coordinate(x: u32, origin: u32, cells_per_unit: u32, cell_total: u32) -> i32 {
    let position = ordo_grid_position(x, origin, cells_per_unit);
    let cell = i32(floor(position));
    let cells = i32(cell_total);
    if (params.table_size != 0u || params.outside == WRAP) {
        if (abs(cell) == ORDO_GRID_FAR) {
            return NOWHERE;
        }
        if (params.table_size != 0u) {
            return cell;
        }
        return ordo_grid_wrap(cell, cell_total);
    }
    // The upper end of the grid belongs to it.
    let inside = cell >= 0 && (cell < cells || bitcast<u32>(position) == bitcast<u32>(f32(cells)));
    let is_nan = (x & 0x7fffffffu) > 0x7f800000u;
    if (is_nan || (params.outside == APART && !inside)) {
        return NOWHERE;
    }
    return clamp(cell, 0, cells - 1);
}

fn cell_number(point: vec3<u32>) -> u32 {
    let origin = params.origin;
    let scale = params.cells_per_unit;
    let cells = params.cells;
    var cell = vec3<i32>(coordinate(point.x, origin.x, scale.x, cells.x),
                         coordinate(point.y, origin.y, scale.y, cells.y), 0);
    if (params.dimensions == 3u) {
        cell.z = coordinate(point.z, origin.z, scale.z, cells.z);
    }
    if (any(cell == vec3<i32>(NOWHERE))) {
        return params.cell_count;
    }
    if (params.table_size != 0u) {
        return ordo_grid_hash(cell, params.table_size);
    }
    let place = vec3<u32>(cell);
    return place.x + cells.x * (place.y + cells.y * place.z);
}

@compute @workgroup_size(GROUP_SIZE)
fn grid_cells(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = group_share(grid, params.max_count);
    if (elements.y == 0u) {
        return;
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let element = elements.x + min(i * GROUP_SIZE + local, elements.y - 1u);
        let word = params.offset + element * params.stride;
        point_x[i] = points[word];
        point_y[i] = points[word + 1u];
        if (params.dimensions == 3u) {
            point_z[i] = points[word + 2u];
        }
    }
    for (var i = 0u; i < ITEMS; i++) {
        if (i * GROUP_SIZE + local < elements.y) {
            let number = cell_number(vec3<u32>(point_x[i], point_y[i], point_z[i]));
            destination[elements.x + i * GROUP_SIZE + local] = number;
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn grid_points(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = group_share(grid, params.max_count);
    for (var i = local; i < elements.y * params.dimensions; i += GROUP_SIZE) {
        let place = elements.x + i / params.dimensions;
        let word = i % params.dimensions;
        let point = params.offset + order[place] * params.stride + word;
        destination[place * params.dimensions + word] = points[point];
    }
}
