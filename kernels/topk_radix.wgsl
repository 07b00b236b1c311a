// topk_radix: find the k-th best key of each row digit by digit, then take all that are no worse.
//
//@use count image key candidate sum lane
//
//     counts   | row 0: 2,048 digits | row 1 … |      elements with each digit, of those that share the
//                                                     digits above with the k-th best
//     states   | row 0: image low, image high, wanted, 0 | row 1 … |      of the k-th best, as far as
//                                                     known; how many of those equal to it are wanted
//     tallies  | row 0: tile 0: better, equal | tile 1 … |      elements of a tile; then of all before it
//
//     topk_radix_clear   counts = 0
//     topk_radix_fill    results without an element: NO_INDEX, and the key that comes last
//     topk_radix_count   counts of one digit                       for each digit, the highest first
//     topk_radix_pick    … and the digit of the k-th best          for each digit, one workgroup a row
//     topk_radix_tally   better and equal elements of each tile
//     topk_radix_place   … of all tiles before it in its row       one workgroup a row
//     topk_radix_take    taken elements to their row's results, in the order of the input
//
//     topk_radix_first   instead of all that: the first k of rows whose order is known
//
// Better is the lower image. Of elements equal to the k-th best those with the lowest indices are taken.
// Reads each key once a digit and twice more; writes k keys and indices a row.

override GROUP_SIZE: u32 = 256u; // a multiple of 32
const DIGITS: u32 = 2048u;

struct Params {
    max_count: u32,
    row_length: u32,
    k: u32,          // entries a row of the results
    tiles: u32,      // a row
    shift: u32,      // of the digit,
    mask: u32,       // its values
    known_low: u32,  // the image's bits above it
    known_high: u32,
    word_count: u32, // to clear; results to fill
    tile_items: u32, // elements a tile: GROUP_SIZE * ITEMS; when counting, a multiple
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> tallies: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<storage, read_write> result_indices: array<u32>;
@group(0) @binding(3) var<storage, read_write> states: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> taken_keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> order: array<u32>; // of each row, indices in it
@group(0) @binding(6) var<storage, read_write> taken_indices: array<u32>;

// Images of loaded elements.
var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;

// A bit each of a tile of up to 4,096 elements.
const TILE_WORDS: u32 = 128u;
var<workgroup> bins: array<atomic<u32>, DIGITS>;
var<workgroup> better_bits: array<atomic<u32>, TILE_WORDS>;
var<workgroup> equal_bits: array<atomic<u32>, TILE_WORDS>;
var<workgroup> before_word: array<u32, TILE_WORDS>; // better ones of all words before, equal ones << 16

fn rows() -> u32 {
    return div_ceil(params.max_count, params.row_length);
}

// The first element of this workgroup's tile, in its row.
fn tile_first(grid: Grid) -> u32 {
    return group_number(grid) % params.tiles * params.tile_items;
}

// Load the images of GROUP_SIZE * ITEMS elements of a row from `first` on; past its end the last one again.
fn load(local: u32, row: u32, first: u32, held: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = (row * params.row_length + min(first + i * GROUP_SIZE + local, held - 1u)) * KEY_WORDS;
        low[i] = keys[at];
        if (KEY_WORDS == 2u) {
            high[i] = keys[at + 1u];
        }
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let image = key_image(vec2<u32>(low[i], high[i]));
        low[i] = image.x;
        high[i] = image.y;
    }
}

fn state_image(row: u32) -> vec2<u32> {
    return vec2<u32>(states[row * 4u], states[row * 4u + 1u]);
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = group_number(grid) * GROUP_SIZE * ITEMS + local;
    for (var i = 0u; i < ITEMS; i++) {
        if (first + i * GROUP_SIZE < params.word_count) {
            atomicStore(&counts[first + i * GROUP_SIZE], 0u);
        }
    }
}

fn write_result(at: u32, key: vec2<u32>, of_index: u32) {
    results[at * KEY_WORDS] = key.x;
    if (KEY_WORDS == 2u) {
        results[at * KEY_WORDS + 1u] = key.y;
    }
    result_indices[at] = of_index;
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_fill(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = group_number(grid) * GROUP_SIZE * ITEMS + local;
    let key = key_bits(worst());
    for (var i = 0u; i < ITEMS; i++) {
        let at = first + i * GROUP_SIZE;
        if (at < params.word_count) {
            write_result(at, key, NO_INDEX);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_first(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = group_number(grid) * GROUP_SIZE * ITEMS + local;
    for (var i = 0u; i < ITEMS; i++) {
        let at = first + i * GROUP_SIZE;
        if (at >= params.word_count) {
            break;
        }
        let row = at / params.k;
        var key = key_bits(worst());
        var of_index = NO_INDEX;
        if (at % params.k < row_count(row)) {
            of_index = order[row * params.row_length + at % params.k];
            let source = (row * params.row_length + of_index) * KEY_WORDS;
            key.x = keys[source];
            if (KEY_WORDS == 2u) {
                key.y = keys[source + 1u];
            }
        }
        write_result(at, key, of_index);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_count(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid) / params.tiles;
    let held = row_count(row);
    let tile = tile_first(grid);
    if (tile >= held) {
        return;
    }
    for (var bin = local; bin < DIGITS; bin += GROUP_SIZE) {
        atomicStore(&bins[bin], 0u);
    }
    workgroupBarrier();
    let known = vec2<u32>(params.known_low, params.known_high);
    let image = state_image(row) & known;
    let end = min(held, tile + params.tile_items);
    for (var first = tile; first < end; first += GROUP_SIZE * ITEMS) {
        load(local, row, first, held);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let other = vec2<u32>(low[i], high[i]);
            if (first + i * GROUP_SIZE + local < end && all((other & known) == image)) {
                atomicAdd(&bins[image_digit(other, params.shift, params.mask)], 1u);
            }
        }
    }
    workgroupBarrier();
    for (var bin = local; bin < DIGITS; bin += GROUP_SIZE) {
        let counted = atomicLoad(&bins[bin]);
        if (counted > 0u) {
            atomicAdd(&counts[row * DIGITS + bin], counted);
        }
    }
}

// An invocation sums DIGITS / GROUP_SIZE consecutive counts, and the one whose stretch has the k-th best
// finds its digit there.
@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_pick(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid);
    if (row >= rows()) {
        return;
    }
    let share = DIGITS / GROUP_SIZE;
    let first = row * DIGITS + local * share;
    var total = 0u;
    for (var i = 0u; i < share; i++) {
        total += atomicLoad(&counts[first + i]);
    }
    var wanted = min(params.k, row_count(row));
    var image = vec2<u32>(0u, 0u);
    if ((params.known_low | params.known_high) != 0u) {
        image = state_image(row);
        wanted = states[row * 4u + 2u];
    }
    var before = group_exclusive(local, total).x;
    storageBarrier(); // all have read the state
    if (before < wanted && wanted <= before + total) {
        var digit = local * share;
        var counted = atomicLoad(&counts[first]);
        while (before + counted < wanted) {
            before += counted;
            digit++;
            counted = atomicLoad(&counts[row * DIGITS + digit]);
        }
        if (params.shift < 32u) {
            image.x |= digit << params.shift;
        }
        if (params.shift >= 32u) {
            image.y |= digit << (params.shift - 32u);
        } else if (params.shift > 0u) {
            image.y |= digit >> (32u - params.shift);
        }
        states[row * 4u] = image.x;
        states[row * 4u + 1u] = image.y;
        states[row * 4u + 2u] = wanted - before;
    }
    storageBarrier(); // the digit is found
    for (var i = 0u; i < share; i++) {
        atomicStore(&counts[first + i], 0u);
    }
}

// Set the bits of the tile's elements that are better than the k-th best, or equal to it.
fn mark(local: u32, row: u32, tile: u32, held: u32) {
    if (local < TILE_WORDS) {
        atomicStore(&better_bits[local], 0u);
        atomicStore(&equal_bits[local], 0u);
    }
    workgroupBarrier();
    let kth = state_image(row);
    load(local, row, tile, held);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (tile + at < held) {
            let image = vec2<u32>(low[i], high[i]);
            if (all(image == kth)) {
                atomicOr(&equal_bits[at / 32u], 1u << (at % 32u));
            } else if (is_better(image, 0u, kth, 0u)) {
                atomicOr(&better_bits[at / 32u], 1u << (at % 32u));
            }
        }
    }
    workgroupBarrier();
}

// Better ones, and equal ones << 16, of word `local` of the marks.
fn marked(local: u32) -> u32 {
    if (local >= TILE_WORDS) {
        return 0u;
    }
    return countOneBits(atomicLoad(&better_bits[local])) + (countOneBits(atomicLoad(&equal_bits[local])) << 16u);
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_tally(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid) / params.tiles;
    let held = row_count(row);
    let tile = tile_first(grid);
    if (tile >= held) {
        return;
    }
    mark(local, row, tile, held);
    let total = group_exclusive(local, marked(local)).y;
    if (local == 0u) {
        tallies[group_number(grid) * 2u] = total & 0xffffu;
        tallies[group_number(grid) * 2u + 1u] = total >> 16u;
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid);
    if (row >= rows()) {
        return;
    }
    let tiles = div_ceil(row_count(row), params.tile_items);
    var better_before = 0u;
    var equal_before = 0u;
    for (var done = 0u; done < tiles; done += GROUP_SIZE * ITEMS) {
        let first = done + local * ITEMS;
        var better = 0u;
        var equal = 0u;
        for (var tile = first; tile < min(first + ITEMS, tiles); tile++) {
            better += tallies[(row * params.tiles + tile) * 2u];
            equal += tallies[(row * params.tiles + tile) * 2u + 1u];
        }
        let better_sums = group_exclusive(local, better);
        let equal_sums = group_exclusive(local, equal);
        better = better_before + better_sums.x;
        equal = equal_before + equal_sums.x;
        for (var tile = first; tile < min(first + ITEMS, tiles); tile++) {
            let at = (row * params.tiles + tile) * 2u;
            let own = vec2<u32>(tallies[at], tallies[at + 1u]);
            tallies[at] = better;
            tallies[at + 1u] = equal;
            better += own.x;
            equal += own.y;
        }
        better_before += better_sums.y;
        equal_before += equal_sums.y;
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_radix_take(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid) / params.tiles;
    let held = row_count(row);
    let tile = tile_first(grid);
    if (tile >= held) {
        return;
    }
    mark(local, row, tile, held);
    let before = group_exclusive(local, marked(local)).x;
    if (local < TILE_WORDS) {
        before_word[local] = before;
    }
    workgroupBarrier();
    let wanted = states[row * 4u + 2u];
    let better_before = tallies[group_number(grid) * 2u];
    let equal_before = tallies[group_number(grid) * 2u + 1u];
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        let bit = 1u << (at % 32u);
        let better = atomicLoad(&better_bits[at / 32u]);
        let equal = atomicLoad(&equal_bits[at / 32u]);
        let better_rank = better_before + (before_word[at / 32u] & 0xffffu) + countOneBits(better & (bit - 1u));
        let equal_rank = equal_before + (before_word[at / 32u] >> 16u) + countOneBits(equal & (bit - 1u));
        if ((better & bit) != 0u || ((equal & bit) != 0u && equal_rank < wanted)) {
            let source = row * params.row_length + tile + at;
            let to = row * params.k + better_rank + min(equal_rank, wanted);
            taken_keys[to * KEY_WORDS] = keys[source * KEY_WORDS];
            if (KEY_WORDS == 2u) {
                taken_keys[to * KEY_WORDS + 1u] = keys[source * KEY_WORDS + 1u];
            }
            taken_indices[to] = tile + at;
        }
    }
}
