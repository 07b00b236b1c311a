// move: copy elements, gather them by index, or write their indices.
//
//@use count window
//
//     copy      destination[i] = source[i]
//     gather    destination[i] = source[indices[i]]      elements of `words` words; of an index only
//                                                       the bits under `mask` count
//     indices   destination[i] = i
//
// With rows, indices count from the start of their row. Copies and indices may be of a window of larger
// arrays.
//
// A workgroup moves GROUP_SIZE * ITEMS consecutive elements; neighbouring invocations move
// neighbouring words. Reads and writes each word once.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    words: u32,      // words an element
    mask: u32,       // of gather: the bits of an index
    row_length: u32, // of gather and indices: elements a row; 0: all are one
    first_tile: u32, // a tile is a workgroup's share
    window_tiles: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> destination: array<u32>;
@group(0) @binding(3) var<storage, read_write> source: array<u32>;
@group(0) @binding(4) var<storage, read_write> indices: array<u32>;

// The first element of an element's row.
fn row_start(element: u32) -> u32 {
    if (params.row_length == 0u) {
        return 0u;
    }
    return element - element % params.row_length;
}

// The elements of this workgroup: x the first of the array, y how many.
fn window_share(grid: Grid) -> vec2<u32> {
    let element_total = element_count(params.max_count);
    let share = GROUP_SIZE * ITEMS;
    let tiles = div_ceil(element_total, share);
    let tile = tile_number(grid, tiles);
    if (tile >= tiles) {
        return vec2<u32>(0u, 0u);
    }
    return vec2<u32>(tile * share, min(share, element_total - tile * share));
}

@compute @workgroup_size(GROUP_SIZE)
fn move_copy(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = window_share(grid);
    let start = window_start(GROUP_SIZE * ITEMS);
    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {
        let word = (elements.x - start) * params.words + i;
        destination[word] = source[word];
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn move_gather(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = group_share(grid, params.max_count);
    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {
        let element = elements.x + i / params.words;
        let word = i % params.words;
        let place = (indices[element] & params.mask) + row_start(element);
        destination[element * params.words + word] = source[place * params.words + word];
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn move_indices(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = window_share(grid);
    let start = window_start(GROUP_SIZE * ITEMS);
    for (var i = local; i < elements.y; i += GROUP_SIZE) {
        let element = elements.x + i;
        destination[element - start] = element - row_start(element);
    }
}
