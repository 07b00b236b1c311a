// onesweep_scatter: sort by one digit of up to 8 bits, stably, in one pass over the keys, by decoupled look-back.
//
//@use count image key sum lane_portable rank strip
//
// After Adinets and Merrill, "Onesweep" (2022), Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back" (2016), and Smith, Levien and Owens, "Decoupled Fallback" (2025).
//
//     keys       | tile 0 | tile 1 | …              tile_items keys each, the last may be short
//     counters   | tickets | starts |               as onesweep_histogram leaves them
//     table      | tile 0: a word a digit | tile 1: … |
//     word       | 2 bits: nothing, SUM or PREFIX | keys of the digit in the tile, or up to its end |
//
//     place of a key = start of its digit + keys of the digit in earlier tiles + in its own before it
//
//     1. Take a tile. Tickets hand them out in the order in which workgroups start, so nobody waits for one that
//        has not started; without them the order of workgroups' numbers is trusted to be that.
//     2. Load the keys, rank them in their order by digit (lib/rank), publish the tile's counts as SUM.
//     3. Look back, a digit an invocation, eight tiles at once, adding up SUMs to the nearest PREFIX, and publish
//        one's own PREFIX.
//     4. Move the keys through `cells`, ROUNDS times a part of the sorted tile, so that writes run on in
//        stretches of one digit; then the values.
//
// A word is an atomic of its own, so no other memory needs to be seen in order. Every pass leaves PREFIX in all
// words; so what stands for it there means nothing in the next pass, and the codes of odd passes differ from
// those of even ones by their upper bit (`nothing`): the table is cleared once a sort.
// A workgroup that has met a word POLLS times empty counts that tile's keys itself: it ends whatever others do,
// since a pass does not write what it reads.
// A step takes the tiles of one portion, of less than 2^30 keys, whose prefixes count from its first tile. Earlier
// portions have left theirs in the words of their last tiles.
// Reads and writes each key once, each value once.

override GROUP_SIZE: u32 = 256u;  // at least BINS
override CELLS: u32 = 3072u;      // at least KEY_WORDS * PART, and what lib/rank takes
override PART: u32 = 3072u;       // GROUP_SIZE * ITEMS / ROUNDS
override ROUNDS: u32 = 1u;        // divides ITEMS
override WRITE_KEYS: bool = true; // false: the last pass of an argsort, which wants no keys
override VALUE_WORDS: u32 = 1u;   // 1 or 2
const BINS: u32 = 256u;
const POLLS: u32 = 128u;

struct Params {
    max_count: u32,
    tile_items: u32,    // GROUP_SIZE * ITEMS
    shift: u32,
    mask: u32,
    first_tile: u32,    // of the portion
    portion_tiles: u32, // tiles of a portion
    portion: u32,       // how many are before this one
    ticket: u32,        // where in counters
    starts: u32,        // of the pass, the same
    tickets: u32,       // 0: none are taken
    nothing: u32,       // what the upper bits of a word say of tiles that have not published: 0 or 2^31
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> keys_in: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_in: array<u32>;

var<workgroup> cells: array<atomic<u32>, CELLS>;
// What takes a position in the sorted tile to its place in memory; before that, counts of another tile.
var<workgroup> shift_of: array<atomic<u32>, BINS>;
var<workgroup> farthest: atomic<u32>;
var<workgroup> told: u32;

var<private> low: array<u32, ITEMS>; // key words as read
var<private> high: array<u32, ITEMS>;
var<private> spot: array<u32, ITEMS>; // digit << 16 | rank, then positions in the sorted tile, two a word
var<private> value_low: array<u32, ITEMS>;
var<private> value_high: array<u32, ITEMS>;
var<private> place: array<u32, ITEMS>;

var<private> before: u32;
var<private> rest: u32;
var<private> near: vec4<u32>; // a window: words of the tiles before, the nearest first
var<private> far: vec4<u32>;
var<private> goes_on: bool;

const SUM: u32 = 1u;
const PREFIX: u32 = 2u;
const COUNT_MASK: u32 = 0x3fffffffu;

struct Tile {
    number: u32,
    first: u32, // its keys
    held: u32,
}

fn digit_of(key: vec2<u32>) -> u32 {
    return image_digit(key_image(key), params.shift, params.mask);
}

// Tiles of this step.
fn tile_count() -> u32 {
    let tiles = div_ceil(element_count(params.max_count), params.tile_items);
    return min(params.portion_tiles, max(tiles, params.first_tile) - params.first_tile);
}

// 1. Called once in a workgroup, and by no more workgroups than there are tiles.
fn take_tile(local: u32, grid: Grid) -> Tile {
    if (local == 0u) {
        atomicStore(&farthest, 0u);
    }
    var number = params.first_tile + group_number(grid);
    if (params.tickets != 0u) {
        if (local == 0u) {
            told = params.first_tile + atomicAdd(&counters[params.ticket], 1u);
        }
        number = workgroupUniformLoad(&told);
    }
    let first = number * params.tile_items;
    return Tile(number, first, min(params.tile_items, element_count(params.max_count) - first));
}

fn load_key(i: u32, at: u32) {
    low[i] = keys_in[at * KEY_WORDS];
    if (KEY_WORDS == 2u) {
        high[i] = keys_in[at * KEY_WORDS + 1u];
    }
}

// 2. Nothing branches on whether a key exists. What does not gets the last digit, behind all that do; only the
// last tile has such, and no tile asks it for counts.
fn rank(local: u32, tile: Tile) {
    if (tile.held == params.tile_items) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            load_key(i, tile.first + rank_source(local, i));
        }
    } else {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            load_key(i, tile.first + min(rank_source(local, i), tile.held - 1u));
        }
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        spot[i] = select(params.mask, digit_of(vec2<u32>(low[i], high[i])),
                         rank_source(local, i) < tile.held);
    }
    rank_strips(local);
}

fn publish(tile: u32, digit: u32, kind: u32, value: u32) {
    atomicStore(&table[tile * BINS + digit], ((kind << 30u) ^ params.nothing) | value);
}

// Publish what the tile holds, ask for what the tiles before it do, and meanwhile turn ranks into positions. x: keys
// of the digit that an invocation stands for, y: where they start in the sorted tile.
fn settle(local: u32, tile: Tile) -> vec2<u32> {
    var counted = 0u;
    before = 0u;
    rest = 0u;
    if (local < BINS) {
        counted = rank_total(local);
        publish(tile.number, local, select(SUM, PREFIX, tile.number == params.first_tile), counted);
        rest = tile.number - params.first_tile;
        load_window(local);
    }
    let start = group_exclusive(local, counted).x;
    if (local < BINS) {
        rank_spread(local, start);
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        set_spot(i, rank_start(local, spot[i] >> 16u) + (spot[i] & 0xffffu));
    }
    workgroupBarrier();
    return vec2<u32>(counted, start);
}

// 3. Of the digit that an invocation stands for, and the portion: `before` is what the tiles have that it has
// looked at, `rest` how many it has not; the nearest of these is the last one.

fn table_word(digit: u32, distance: u32) -> u32 {
    return atomicLoad(&table[(params.first_tile + max(rest, distance) - distance) * BINS + digit]);
}

fn load_window(digit: u32) {
    near = vec4<u32>(table_word(digit, 1u), table_word(digit, 2u), table_word(digit, 3u), table_word(digit, 4u));
    far = vec4<u32>(table_word(digit, 5u), table_word(digit, 6u), table_word(digit, 7u), table_word(digit, 8u));
}

// Take a word of the window into account, unless one nearer has not been published.
fn take(word: u32) {
    let kind = (word ^ params.nothing) >> 30u;
    goes_on = goes_on && kind != 0u && rest > 0u;
    before += select(0u, word & COUNT_MASK, goes_on);
    rest = select(rest, select(rest - 1u, 0u, kind == PREFIX), goes_on);
}

// Go back from the window that has been loaded, until none is left, or a tile has stayed unpublished for too long.
fn look(digit: u32) {
    var polls = 0u;
    while (rest > 0u && polls < POLLS) {
        let left = rest;
        goes_on = true;
        take(near.x);
        take(near.y);
        take(near.z);
        take(near.w);
        take(far.x);
        take(far.y);
        take(far.z);
        take(far.w);
        polls = select(0u, polls + 1u, rest == left);
        if (rest > 0u) {
            load_window(digit);
        }
    }
}

// The greatest of what invocations ask.
fn greatest(local: u32, number: u32) -> u32 {
    atomicMax(&farthest, number);
    workgroupBarrier();
    if (local == 0u) {
        told = atomicLoad(&farthest);
        atomicStore(&farthest, 0u);
    }
    return workgroupUniformLoad(&told);
}

// Count the keys of each digit in a tile that another one follows, and so is whole.
fn recount(local: u32, tile: u32) {
    if (local < BINS) {
        atomicStore(&shift_of[local], 0u);
    }
    workgroupBarrier();
    for (var i = 0u; i < ITEMS; i++) {
        let at = (tile * params.tile_items + i * GROUP_SIZE + local) * KEY_WORDS;
        var key = vec2<u32>(keys_in[at], 0u);
        if (KEY_WORDS == 2u) {
            key.y = keys_in[at + 1u];
        }
        atomicAdd(&shift_of[digit_of(key)], 1u);
    }
    workgroupBarrier();
}

fn look_back(local: u32) {
    loop {
        look(local);
        let stalled = greatest(local, rest);
        if (stalled == 0u) {
            break;
        }
        recount(local, params.first_tile + stalled - 1u);
        if (rest == stalled) {
            before += atomicLoad(&shift_of[local]);
            rest = stalled - 1u;
            load_window(local);
        }
    }
}

// Find where the tile's keys go, from what settle said of them.
fn find_places(local: u32, tile: Tile, digit: vec2<u32>) {
    var start = 0u;
    if (local < BINS) {
        start = atomicLoad(&counters[params.starts + local]);
        for (var i = 1u; i <= params.portion; i++) {
            start += atomicLoad(&table[(i * params.portion_tiles - 1u) * BINS + local]) & COUNT_MASK;
        }
    }
    look_back(local);
    if (local < BINS) {
        if (tile.number > params.first_tile) {
            publish(tile.number, local, PREFIX, before + digit.x);
        }
        atomicStore(&shift_of[local], start + before - digit.y);
    }
    workgroupBarrier();
}

// 4. Move the keys of one part of the sorted tile, from position `base` on.
fn move_keys(local: u32, tile: Tile, base: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let cell = spot_of(i) - base;
        if (cell < PART) {
            atomicStore(&cells[cell], low[i]);
            if (KEY_WORDS == 2u) {
                atomicStore(&cells[PART + cell], high[i]);
            }
        }
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = base + i * GROUP_SIZE + local;
        if (i * ROUNDS < ITEMS && at < tile.held) {
            var key = vec2<u32>(atomicLoad(&cells[i * GROUP_SIZE + local]), 0u);
            if (KEY_WORDS == 2u) {
                key.y = atomicLoad(&cells[PART + i * GROUP_SIZE + local]);
            }
            place[i] = at + atomicLoad(&shift_of[digit_of(key)]);
            if (WRITE_KEYS) {
                keys_out[place[i] * KEY_WORDS] = key.x;
                if (KEY_WORDS == 2u) {
                    keys_out[place[i] * KEY_WORDS + 1u] = key.y;
                }
            }
        }
    }
    workgroupBarrier();
}

// Move the values of that part.
fn write_value_word(local: u32, tile: Tile, base: u32, word: u32) {
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (i * ROUNDS < ITEMS && base + i * GROUP_SIZE + local < tile.held) {
            values_out[place[i] * VALUE_WORDS + word] = atomicLoad(&cells[i * GROUP_SIZE + local]);
        }
    }
    workgroupBarrier();
}

fn move_values(local: u32, tile: Tile, base: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (spot_of(i) - base < PART) {
            atomicStore(&cells[spot_of(i) - base], value_low[i]);
        }
    }
    write_value_word(local, tile, base, 0u);
    if (VALUE_WORDS == 2u) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (spot_of(i) - base < PART) {
                atomicStore(&cells[spot_of(i) - base], value_high[i]);
            }
        }
        write_value_word(local, tile, base, 1u);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn onesweep_scatter_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (group_number(grid) >= tile_count()) {
        return;
    }
    let tile = take_tile(local, grid);
    rank(local, tile);
    let digit = settle(local, tile);
    find_places(local, tile, digit);
    for (var base = 0u; base < tile.held; base += PART) {
        move_keys(local, tile, base);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn onesweep_scatter_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (group_number(grid) >= tile_count()) {
        return;
    }
    let tile = take_tile(local, grid);
    rank(local, tile);
    let digit = settle(local, tile);
    // Before the look back, which takes as long as they take to come.
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = (tile.first + min(rank_source(local, i), tile.held - 1u)) * VALUE_WORDS;
        value_low[i] = values_in[at];
        if (VALUE_WORDS == 2u) {
            value_high[i] = values_in[at + 1u];
        }
    }
    find_places(local, tile, digit);
    for (var base = 0u; base < tile.held; base += PART) {
        move_keys(local, tile, base);
        move_values(local, tile, base);
    }
}

// The values are the indices of the keys: the first pass of an argsort.
@compute @workgroup_size(GROUP_SIZE)
fn onesweep_scatter_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (group_number(grid) >= tile_count()) {
        return;
    }
    let tile = take_tile(local, grid);
    rank(local, tile);
    let digit = settle(local, tile);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        value_low[i] = tile.first + rank_source(local, i);
    }
    find_places(local, tile, digit);
    for (var base = 0u; base < tile.held; base += PART) {
        move_keys(local, tile, base);
        move_values(local, tile, base);
    }
}
