// pack: make words of key and index, and indices of those words.
//
//@use count image key packed
//
//     pack_keys      destination[i] = window of the image of key source[i], then i
//     pack_indices   destination[i] = the index in source[i]
//
// With rows, indices count from the start of their row. Reads and writes each word once.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    index_bits: u32,
    shift: u32,      // of the window in the image
    mask: u32,       // of the window, shifted down
    row_length: u32, // elements a row; 0: all are one
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> destination: array<u32>;
@group(0) @binding(3) var<storage, read_write> source: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn pack_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = group_share(grid, params.max_count);
    for (var i = local; i < elements.y; i += GROUP_SIZE) {
        let element = elements.x + i;
        var key = vec2<u32>(source[element * KEY_WORDS], 0u);
        if (KEY_WORDS == 2u) {
            key.y = source[element * KEY_WORDS + 1u];
        }
        var index = element;
        if (params.row_length != 0u) {
            index = element % params.row_length;
        }
        let window = image_digit(key_image(key), params.shift, params.mask);
        destination[element] = ordo_pack(window, index, params.index_bits);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn pack_indices(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let elements = group_share(grid, params.max_count);
    for (var i = local; i < elements.y; i += GROUP_SIZE) {
        let word = source[elements.x + i];
        destination[elements.x + i] = ordo_unpack(word, params.index_bits).y;
    }
}
