// cell: the coordinate of a point in a uniform grid, and the number of its cell in a hashed one.
//
// Difference and product are rounded to f32. Whatever else decides is integers on the bits of the
// operands: WGSL lets implementations ignore NaNs, infinities and -0, and flush subnormals.

// From here on coordinates are not told apart. NaN is as far.
const ORDO_GRID_FAR: i32 = 1073741824;

// The bits as an integer in the order of the numbers; -0 and +0 are the same.
fn ordo_grid_order(bits: u32) -> i32 {
    let magnitude = i32(bits & 0x7fffffffu);
    return select(magnitude, -magnitude, bits >= 0x80000000u);
}

// The position in units of cells, from the bits of x, origin and cells per unit; -FAR to FAR. Whole
// numbers are exact, others right when rounded down.
fn ordo_grid_position(x: u32, origin: u32, cells_per_unit: u32) -> f32 {
    let most = f32(ORDO_GRID_FAR);
    let magnitude = x & 0x7fffffffu;
    if (magnitude > 0x7f800000u) {
        return most;
    }
    let below = ordo_grid_order(x) < ordo_grid_order(origin);
    let far = select(most, -most, below);
    if (magnitude == 0x7f800000u) {
        return far;
    }
    let difference = bitcast<f32>(x) - bitcast<f32>(origin);
    // Exponents are biased by 127 each. From this sum on the product is 2^30 or more; below it, it
    // is less than 2^31, so that nothing overflows.
    let exponent = (bitcast<u32>(difference) >> 23u) & 0xffu;
    if (exponent + (cells_per_unit >> 23u) >= 254u + 30u) {
        return far;
    }
    // What is flushed to 0 lies in the cell on its side of the origin.
    let product = difference * bitcast<f32>(cells_per_unit);
    return select(clamp(product, 0.0, most), clamp(product, -most, -0.5), below);
}

// The coordinate in one axis of the cell that holds x.
fn ordo_grid_coordinate(x: f32, origin: f32, cells_per_unit: f32) -> i32 {
    return i32(floor(ordo_grid_position(bitcast<u32>(x), bitcast<u32>(origin),
                                        bitcast<u32>(cells_per_unit))));
}

// The coordinate modulo cells. Remainders are of unsigned numbers: Vulkan leaves those of negative ones
// undefined, and on an H200 under wgpu-native they are wrong.
fn ordo_grid_wrap(coordinate: i32, cells: u32) -> i32 {
    let below = coordinate < 0;
    let folded = u32(select(coordinate, -1 - coordinate, below)) % cells;
    return i32(select(folded, cells - 1u - folded, below));
}

// The cell's number in a table of 2^k cells.
fn ordo_grid_hash(cell: vec3<i32>, table_size: u32) -> u32 {
    let product = bitcast<vec3<u32>>(cell) * vec3<u32>(73856093u, 19349663u, 83492791u);
    return (product.x ^ product.y ^ product.z) & (table_size - 1u);
}
