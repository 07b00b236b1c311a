// move: copy elements, gather them by index, or write their indices.
//
//@use count
//
//     copy      destination[i] = source[i]
//     gather    destination[i] = source[indices[i]]      elements of `words` words
//     indices   destination[i] = i
//
// A workgroup moves GROUP_SIZE * ITEMS consecutive elements; neighbouring invocations move
// neighbouring words. Reads and writes each word once.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    words: u32, // words an element
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> destination: array<u32>;
@group(0) @binding(3) var<storage, read_write> source: array<u32>;
@group(0) @binding(4) var<storage, read_write> indices: array<u32>;

// The elements of this workgroup: x first, y how many.
fn share(grid: Grid) -> vec2<u32> {
    let element_total = element_count(params.max_count);
    let tile = GROUP_SIZE * ITEMS;
    let number = group_number(grid);
    if (number >= div_ceil(element_total, tile)) {
        return vec2<u32>(0u, 0u);
    }
    return vec2<u32>(number * tile, min(tile, element_total - number * tile));
}

@compute @workgroup_size(GROUP_SIZE)
fn move_copy(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = share(grid);
    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {
        let word = elements.x * params.words + i;
        destination[word] = source[word];
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn move_gather(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = share(grid);
    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {
        let element = elements.x + i / params.words;
        let word = i % params.words;
        destination[element * params.words + word] = source[indices[element] * params.words + word];
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn move_indices(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = share(grid);
    for (var i = local; i < elements.y; i += GROUP_SIZE) {
        destination[elements.x + i] = elements.x + i;
    }
}
