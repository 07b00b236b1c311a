// window: which tile is a workgroup's, where what is bound may be a window of a larger array. Uses count;
// the kernel's params have first_tile and window_tiles.
//
//     the array   | tile 0 | tile 1 | … | first_tile | … |
//     bound                             | window_tiles of them: all that this step works off |

override IN_WINDOWS: bool = false;

// `tiles`, the number of the run's tiles, or more, where there is none for this workgroup.
fn tile_number(grid: Grid, tiles: u32) -> u32 {
    let number = group_number(grid);
    if (IN_WINDOWS) {
        return select(params.first_tile + number, tiles, number >= params.window_tiles);
    }
    return number;
}

// The element of the array that is the first bound.
fn window_start(tile_items: u32) -> u32 {
    if (IN_WINDOWS) {
        return params.first_tile * tile_items;
    }
    return 0u;
}
