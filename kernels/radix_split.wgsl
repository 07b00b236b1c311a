// radix_split: the classic form of radix_scatter: digits of up to 4 bits, ranked by one-bit partitions.
//
//@use count image key sum lane
//
// A tile of GROUP_SIZE * ITEMS keys is sorted in workgroup memory by its digit, one bit after the
// other: keys with a 0 keep their order at the front, keys with a 1 theirs behind (a "split").
// What is sorted is not the keys but one word for each:
//
//     order    | digit << 16 | number in the tile |     GROUP_SIZE * ITEMS words
//     starts   | digit 0 | digit 1 | … | digit 15 |     where each digit starts in the sorted order
//     counts   | digit 0: tile 0, tile 1, … | digit 1: … |   memory; scanned: places
//
// Kept for comparison: it is what GPU sorts were for a decade (Harris, Sengupta, Owens, GPU Gems 3,
// 2007; Satish, Harris, Garland, 2009).
// On entry counts hold the scanned table of radix_histogram. Reads each key twice, writes it once.

override GROUP_SIZE: u32 = 256u;
override CELLS: u32 = 1024u;      // GROUP_SIZE * ITEMS
override WRITE_KEYS: bool = true; // false: the last pass of an argsort, which wants no keys
override VALUE_WORDS: u32 = 1u;   // words a value, 1 or more
const BINS: u32 = 16u;

struct Params {
    max_count: u32,
    tile_items: u32, // GROUP_SIZE * ITEMS
    shift: u32,
    mask: u32,
    digit_count: u32,
    last: u32, // greater images count as this one
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys_in: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> values_in: array<u32>;

var<workgroup> order: array<u32, CELLS>;
var<workgroup> starts: array<u32, BINS>;

var<private> own: array<u32, ITEMS>; // words of order, consecutive ones to an invocation

// A tile: its first element, how many it holds, its number and the number of tiles.
struct Tile {
    first: u32,
    held: u32,
    number: u32,
    tiles: u32,
}

fn begin_tile(grid: Grid) -> Tile {
    let element_total = element_count(params.max_count);
    let tiles = div_ceil(element_total, params.tile_items);
    let number = group_number(grid);
    if (number >= tiles) {
        return Tile(0u, 0u, number, tiles);
    }
    let first = number * params.tile_items;
    return Tile(first, min(params.tile_items, element_total - first), number, tiles);
}

fn digit_of(word: u32) -> u32 {
    return word >> 16u;
}

fn number_of(word: u32) -> u32 {
    return word & 0xffffu;
}

// One stable one-bit partition of own[]; what lies past the tile counts as 1, so it stays behind.
fn split(local: u32, held: u32, bit: u32) {
    var zero_count = 0u;
    for (var i = 0u; i < ITEMS; i++) {
        zero_count += select(0u, 1u, is_zero(own[i], held, bit));
    }
    let zeros = group_exclusive(local, zero_count);
    var zeros_before = zeros.x;
    for (var i = 0u; i < ITEMS; i++) {
        let ones_before = local * ITEMS + i - zeros_before;
        if (is_zero(own[i], held, bit)) {
            order[zeros_before] = own[i];
            zeros_before++;
        } else {
            order[zeros.y + ones_before] = own[i];
        }
    }
    workgroupBarrier();
    for (var i = 0u; i < ITEMS; i++) {
        own[i] = order[local * ITEMS + i];
    }
    workgroupBarrier();
}

fn is_zero(word: u32, held: u32, bit: u32) -> bool {
    return number_of(word) < held && ((digit_of(word) >> bit) & 1u) == 0u;
}

// Sort the tile's words by digit into order[], and find where each digit starts.
fn sort_tile(local: u32, tile: Tile) {
    for (var i = 0u; i < ITEMS; i++) {
        let number = local * ITEMS + i;
        own[i] = number;
        if (number < tile.held) {
            var key = vec2<u32>(keys_in[(tile.first + number) * KEY_WORDS], 0u);
            if (KEY_WORDS == 2u) {
                key.y = keys_in[(tile.first + number) * KEY_WORDS + 1u];
            }
            own[i] |= key_digit(key, params.shift, params.mask, params.last) << 16u;
        }
    }
    for (var bit = 0u; (params.mask >> bit) > 0u; bit++) {
        split(local, tile.held, bit);
    }
    for (var i = 0u; i < ITEMS; i++) {
        order[local * ITEMS + i] = own[i];
    }
    workgroupBarrier();
    for (var at = local; at < tile.held; at += GROUP_SIZE) {
        let digit = digit_of(order[at]);
        if (at == 0u || digit != digit_of(order[max(at, 1u) - 1u])) {
            starts[digit] = at;
        }
    }
    workgroupBarrier();
}

// Where the element at `at` of the sorted tile goes.
fn place_of(tile: Tile, at: u32) -> u32 {
    let digit = digit_of(order[at]);
    return counts[digit * tile.tiles + tile.number] + at - starts[digit];
}

fn move_keys(local: u32, tile: Tile) {
    for (var at = local; at < tile.held; at += GROUP_SIZE) {
        let from_element = tile.first + number_of(order[at]);
        let to_element = place_of(tile, at);
        for (var word = 0u; WRITE_KEYS && word < KEY_WORDS; word++) {
            keys_out[to_element * KEY_WORDS + word] = keys_in[from_element * KEY_WORDS + word];
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn radix_split_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = begin_tile(grid);
    if (tile.held == 0u) {
        return;
    }
    sort_tile(local, tile);
    move_keys(local, tile);
}

@compute @workgroup_size(GROUP_SIZE)
fn radix_split_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = begin_tile(grid);
    if (tile.held == 0u) {
        return;
    }
    sort_tile(local, tile);
    move_keys(local, tile);
    for (var at = local; at < tile.held; at += GROUP_SIZE) {
        let from_element = tile.first + number_of(order[at]);
        let to_element = place_of(tile, at);
        for (var word = 0u; word < VALUE_WORDS; word++) {
            values_out[to_element * VALUE_WORDS + word] = values_in[from_element * VALUE_WORDS + word];
        }
    }
}

// The values are the indices of the elements: the first pass of an argsort.
@compute @workgroup_size(GROUP_SIZE)
fn radix_split_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = begin_tile(grid);
    if (tile.held == 0u) {
        return;
    }
    sort_tile(local, tile);
    move_keys(local, tile);
    for (var at = local; at < tile.held; at += GROUP_SIZE) {
        values_out[place_of(tile, at)] = tile.first + number_of(order[at]);
    }
}
