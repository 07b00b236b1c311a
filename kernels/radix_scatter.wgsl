// radix_scatter: rank the keys of a tile by one digit of up to 8 bits, stably, and move them.
//
//@use count window image key sum lane
//
// A tile is worked off in subtiles of GROUP_SIZE * ITEMS keys, held in registers. A strip, 32
// invocations, owns a consecutive run of 32 * ITEMS of them, in rounds of 32, so (strip, round,
// invocation) is the order of the input. In each round an invocation sets its bit in the mask of
// its strip and digit; the bits below it, and the keys counted in earlier rounds, are its rank.
//
//     cells while ranking   | masks: strip, digit -> 32 bits | counts: two strips a word, 16 bits each |
//     cells while moving    | one word of each key or value, in the order of the sorted subtile |
//     counts (memory)       | digit 0: tile 0, tile 1, … | digit 1: … |   keys of the digit before the tile
//     totals (memory)       | digit 0 | digit 1 | …                       keys of the digit
//     place of a key        = shift_of[digit] + its position in the sorted subtile
//
// Moving through the cells makes writes to memory run on in long stretches of one digit each.
// On entry counts and totals are as radix_scan leaves them (ONE_TILE: not used).
// Reads and writes each key once, each value once; of counts two words a digit and tile.
//
// Of arrays larger than a binding (IN_WINDOWS) a step reads one window and writes what belongs into another,
// or, of keys alone, into the next four:
//
//     keys out (array)   | window 0 | window 1 | …       out_items of each window
//     bound                         ^ out_first: out_count from here on
//
// Counts, totals and places are the array's.

override GROUP_SIZE: u32 = 256u;  // a multiple of 64
override CELLS: u32 = 3072u;      // the greater of GROUP_SIZE * ITEMS and GROUP_SIZE / 32 * BINS * 3 / 2
override BINS: u32 = 256u;        // at least digit_count: GROUP_SIZE, or one more for a counting sort
override ONE_TILE: bool = false;  // all keys fit one subtile: its own digit starts are the places
override WRITE_KEYS: bool = true; // false: the last pass of an argsort, which wants no keys
override VALUE_WORDS: u32 = 1u;   // words a value, 1 or more
const STRIP: u32 = 32u;

struct Params {
    max_count: u32,
    tile_items: u32,
    shift: u32,
    mask: u32,
    digit_count: u32,
    last: u32, // greater images count as this one
    first_tile: u32,
    window_tiles: u32,
    out_first: u32,
    out_count: u32,
    out_items: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> totals: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_in: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_in: array<u32>;
// Of radix_scatter_windows: keys_out and these are four windows in a row.
@group(0) @binding(6) var<storage, read_write> keys_out_1: array<u32>;
@group(0) @binding(7) var<storage, read_write> keys_out_2: array<u32>;
@group(0) @binding(8) var<storage, read_write> keys_out_3: array<u32>;

var<workgroup> cells: array<atomic<u32>, CELLS>;
var<workgroup> shift_of: array<u32, BINS>;

// What an invocation keeps of its ITEMS elements of a subtile.
var<private> low: array<u32, ITEMS>;      // key words as read …
var<private> high: array<u32, ITEMS>;
var<private> digit: array<u32, ITEMS>;
var<private> position: array<u32, ITEMS>; // where it stands in the sorted subtile
var<private> place: array<u32, ITEMS>;    // where element GROUP_SIZE * i + local of it goes, from out_first on

var<private> next_place: u32; // of invocation d: where the tile's next key of digit d goes
var<private> last_place: u32; // of invocation 0: the same of digit GROUP_SIZE

// Where item i of an invocation stands in its subtile, in input order.
fn source(local: u32, i: u32) -> u32 {
    return local / STRIP * (STRIP * ITEMS) + i * STRIP + local % STRIP;
}

fn digit_of(i: u32) -> u32 {
    return key_digit(vec2<u32>(low[i], high[i]), params.shift, params.mask, params.last);
}

fn mask_cell(local: u32, i: u32) -> u32 {
    return local / STRIP * BINS + digit[i];
}

// The cell of a strip's count of a digit, and by how many bits it lies shifted there.
fn count_cell(strip: u32, of_digit: u32) -> u32 {
    return GROUP_SIZE / STRIP * BINS + strip / 2u * BINS + of_digit;
}

fn count_shift(strip: u32) -> u32 {
    return strip % 2u * 16u;
}

// Where element `at` of the sorted subtile goes, from the first element that is bound.
fn place_of(at: u32, of_digit: u32) -> u32 {
    let in_array = at + shift_of[of_digit];
    if (IN_WINDOWS) {
        return in_array - params.out_first; // what lies before is beyond out_count too
    }
    return in_array;
}

fn is_bound(a_place: u32) -> bool {
    return !IN_WINDOWS || a_place < params.out_count;
}

// 1. Load a subtile of `held` keys from `first` on. Past its end the last key is loaded again; it sets no
// bit below, so nothing sees it.
fn load(local: u32, first: u32, held: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = first + min(source(local, i), held - 1u);
        low[i] = keys_in[at * KEY_WORDS];
        if (KEY_WORDS == 2u) {
            high[i] = keys_in[at * KEY_WORDS + 1u];
        }
        digit[i] = digit_of(i);
    }
}

// 2. Rank within the strip: position[i] = keys of the same strip and digit before item i.
// Nothing branches on whether an item exists: without such branches 2^28 keys take 11.0 ms on an H200
// instead of 17.6.
fn rank(local: u32, held: u32) {
    let strip = local / STRIP;
    let bit = 1u << (local % STRIP);
    for (var i = local; i < GROUP_SIZE / STRIP * BINS / 2u * 3u; i += GROUP_SIZE) {
        atomicStore(&cells[i], 0u);
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let own = select(0u, bit, source(local, i) < held);
        atomicOr(&cells[mask_cell(local, i)], own);
        workgroupBarrier();
        let equals = atomicLoad(&cells[mask_cell(local, i)]);
        let earlier = atomicLoad(&cells[count_cell(strip, digit[i])]);
        let below = countOneBits(equals & (bit - 1u));
        position[i] = ((earlier >> count_shift(strip)) & 0xffffu) + below;
        workgroupBarrier();
        // Between this barrier and the next, each takes its own bit back, and the lowest of equals
        // counts them all; the next round's bits are other bits or the same one set again.
        atomicAnd(&cells[mask_cell(local, i)], ~own);
        if (below == 0u) {
            let counted = select(0u, countOneBits(equals), own != 0u);
            atomicAdd(&cells[count_cell(strip, digit[i])], counted << count_shift(strip));
        }
    }
    workgroupBarrier();
}

// Turn a digit's counts of strips, which begin at `digit_start` of the sorted subtile, into starts of
// strips, and set shift_of. `first` is where the tile's next key of the digit goes; returns where the
// one after this subtile's goes.
fn spread_digit(of_digit: u32, digit_start: u32, first: u32) -> u32 {
    var start = digit_start;
    for (var pair = 0u; pair < GROUP_SIZE / STRIP; pair += 2u) {
        let two = atomicLoad(&cells[count_cell(pair, of_digit)]);
        let second = start + (two & 0xffffu);
        atomicStore(&cells[count_cell(pair, of_digit)], start | (second << 16u));
        start = second + (two >> 16u);
    }
    shift_of[of_digit] = select(first - digit_start, 0u, ONE_TILE);
    return first + start - digit_start;
}

// 3. Spread all digits, an invocation each; make positions those of the subtile.
fn spread(local: u32, held: u32) {
    var total = 0u;
    for (var pair = 0u; pair < GROUP_SIZE / STRIP; pair += 2u) {
        let two = atomicLoad(&cells[count_cell(pair, local)]);
        total += (two & 0xffffu) + (two >> 16u);
    }
    let before = group_exclusive(local, total);
    next_place = spread_digit(local, before.x, next_place);
    if (BINS > GROUP_SIZE && local == 0u) {
        last_place = spread_digit(GROUP_SIZE, before.y, last_place);
    }
    workgroupBarrier();
    let strip = local / STRIP;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (source(local, i) < held) {
            let starts = atomicLoad(&cells[count_cell(strip, digit[i])]);
            position[i] += (starts >> count_shift(strip)) & 0xffffu;
        }
    }
    workgroupBarrier();
}

// 4. Sort the keys through the cells, word by word: low[i] and high[i] become those of element GROUP_SIZE * i
// + local of the sorted subtile.
fn order_keys(local: u32, held: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (source(local, i) < held) {
            atomicStore(&cells[position[i]], low[i]);
        }
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        low[i] = atomicLoad(&cells[i * GROUP_SIZE + local]);
    }
    if (KEY_WORDS == 2u) {
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (source(local, i) < held) {
                atomicStore(&cells[position[i]], high[i]);
            }
        }
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            high[i] = atomicLoad(&cells[i * GROUP_SIZE + local]);
        }
    }
}

// 5. Write them.
fn write_keys(local: u32, held: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < held) {
            place[i] = place_of(at, digit_of(i));
            if (WRITE_KEYS && is_bound(place[i])) {
                keys_out[place[i] * KEY_WORDS] = low[i];
                if (KEY_WORDS == 2u) {
                    keys_out[place[i] * KEY_WORDS + 1u] = high[i];
                }
            }
        }
    }
    workgroupBarrier();
}

// The same into four windows. Word `word` of a key, which is `word_bits`, goes to place `to` of them.
fn write_word(to: u32, word: u32, word_bits: u32) {
    var at = to;
    if (at < params.out_items) {
        keys_out[at * KEY_WORDS + word] = word_bits;
        return;
    }
    at -= params.out_items;
    if (at < params.out_items) {
        keys_out_1[at * KEY_WORDS + word] = word_bits;
        return;
    }
    at -= params.out_items;
    if (at < params.out_items) {
        keys_out_2[at * KEY_WORDS + word] = word_bits;
        return;
    }
    keys_out_3[(at - params.out_items) * KEY_WORDS + word] = word_bits;
}

fn write_windows(local: u32, held: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        let to = place_of(at, digit_of(i));
        if (at < held && is_bound(to)) {
            write_word(to, 0u, low[i]);
            if (KEY_WORDS == 2u) {
                write_word(to, 1u, high[i]);
            }
        }
    }
    workgroupBarrier();
}

// 6. Sort one word of each value, in low[], the same way; it goes to word `word` of its value.
fn move_value_word(local: u32, held: u32, word: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (source(local, i) < held) {
            atomicStore(&cells[position[i]], low[i]);
        }
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < held && is_bound(place[i])) {
            values_out[place[i] * VALUE_WORDS + word] = atomicLoad(&cells[at]);
        }
    }
    workgroupBarrier();
}

// The tile of this workgroup: x first element, y how many; y is 0 past the last tile. Sets next_place.
fn begin_tile(local: u32, grid: Grid) -> vec2<u32> {
    let element_total = element_count(params.max_count);
    let tiles = div_ceil(element_total, params.tile_items);
    let tile = tile_number(grid, tiles);
    if (tile >= tiles) {
        return vec2<u32>(0u, 0u);
    }
    if (!ONE_TILE) {
        var total = 0u;
        if (local < params.digit_count) {
            next_place = counts[local * tiles + tile];
            total = totals[local];
        }
        let lower = group_exclusive(local, total); // totals of lower digits
        next_place += lower.x;
        if (params.digit_count > GROUP_SIZE) {
            last_place = lower.y + counts[GROUP_SIZE * tiles + tile];
        }
    }
    let first = tile * params.tile_items;
    return vec2<u32>(first, min(params.tile_items, element_total - first));
}

// Rank the keys of one subtile and put them in order: `done` elements of the tile lie before it. Returns how
// many it has.
fn sort_keys(local: u32, tile: vec2<u32>, done: u32) -> u32 {
    let held = min(GROUP_SIZE * ITEMS, tile.y - done);
    load(local, tile.x + done - window_start(params.tile_items), held);
    rank(local, held);
    spread(local, held);
    order_keys(local, held);
    return held;
}

@compute @workgroup_size(GROUP_SIZE)
fn radix_scatter_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = begin_tile(local, grid);
    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {
        let held = sort_keys(local, tile, done);
        write_keys(local, held);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn radix_scatter_windows(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = begin_tile(local, grid);
    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {
        let held = sort_keys(local, tile, done);
        write_windows(local, held);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn radix_scatter_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = begin_tile(local, grid);
    let start = window_start(params.tile_items);
    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {
        let held = sort_keys(local, tile, done);
        write_keys(local, held);
        for (var word = 0u; word < VALUE_WORDS; word++) {
            //@unroll
            for (var i = 0u; i < ITEMS; i++) {
                let at = source(local, i);
                if (at < held) {
                    low[i] = values_in[(tile.x + done + at - start) * VALUE_WORDS + word];
                }
            }
            move_value_word(local, held, word);
        }
    }
}

// The values are the indices of the elements: the first pass of an argsort.
@compute @workgroup_size(GROUP_SIZE)
fn radix_scatter_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let tile = begin_tile(local, grid);
    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {
        let held = sort_keys(local, tile, done);
        write_keys(local, held);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            low[i] = tile.x + done + source(local, i);
        }
        move_value_word(local, held, 0u);
    }
}
