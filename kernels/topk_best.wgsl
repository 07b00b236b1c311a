// topk_best: the best element of each chunk of a row, its delegate.
//
//@use count image key candidate
//
//     row        | tile 0 | tile 1 | …              GROUP_SIZE * chunk elements each, the last may be short
//     tile       chunk j is elements j, j + GROUP_SIZE, j + 2 * GROUP_SIZE, …, one invocation's
//     delegates  | tile 0: chunks 0, 1, … | tile 1: … |      image and index of each chunk's best
//
// A chunk holds one of the best k of its row only if its delegate is one of the best k delegates.
//
//     topk_best_keys    elements are keys
//     topk_best_list    elements are delegates themselves: the next level
//
// Reads each element once; writes KEY_WORDS + 1 words a chunk.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    row_length: u32,    // elements a row of the problem
    source_length: u32, // elements a row here, of those of the list
    chunk: u32,         // elements a chunk, a multiple of ITEMS
    tiles: u32,         // a row
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> best_images: array<u32>;
@group(0) @binding(3) var<storage, read_write> best_indices: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> images: array<u32>;
@group(0) @binding(5) var<storage, read_write> indices: array<u32>;

// What an invocation has loaded of its chunk.
var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;
var<private> index: array<u32, ITEMS>;

fn write_best(local: u32, number: u32, image: vec2<u32>, best_index: u32) {
    let at = number * GROUP_SIZE + local;
    best_images[at * KEY_WORDS] = image.x;
    if (KEY_WORDS == 2u) {
        best_images[at * KEY_WORDS + 1u] = image.y;
    }
    best_indices[at] = best_index;
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_best_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid) / params.tiles;
    let held = row_count(row);
    if (held == 0u) {
        return;
    }
    let first = group_number(grid) % params.tiles * GROUP_SIZE * params.chunk + local;
    var best = worst();
    var best_index = NO_INDEX;
    for (var done = 0u; done < params.chunk; done += ITEMS) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = (row * params.row_length + min(first + (done + i) * GROUP_SIZE, held - 1u)) * KEY_WORDS;
            low[i] = keys[at];
            if (KEY_WORDS == 2u) {
                high[i] = keys[at + 1u];
            }
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = first + (done + i) * GROUP_SIZE;
            let image = key_image(vec2<u32>(low[i], high[i]));
            if (at < held && is_better(image, at, best, best_index)) {
                best = image;
                best_index = at;
            }
        }
    }
    write_best(local, group_number(grid), best, best_index);
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_best_list(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid) / params.tiles;
    if (row_count(row) == 0u) {
        return;
    }
    let first = group_number(grid) % params.tiles * GROUP_SIZE * params.chunk + local;
    var best = worst();
    var best_index = NO_INDEX;
    for (var done = 0u; done < params.chunk; done += ITEMS) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = row * params.source_length + min(first + (done + i) * GROUP_SIZE, params.source_length - 1u);
            low[i] = images[at * KEY_WORDS];
            if (KEY_WORDS == 2u) {
                high[i] = images[at * KEY_WORDS + 1u];
            }
            index[i] = indices[at];
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let image = vec2<u32>(low[i], high[i]);
            let here = first + (done + i) * GROUP_SIZE < params.source_length;
            if (here && is_better(image, index[i], best, best_index)) {
                best = image;
                best_index = index[i];
            }
        }
    }
    write_best(local, group_number(grid), best, best_index);
}
