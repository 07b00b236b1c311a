// msd_partition: spread the keys of each bucket over its children.
//
//@use count image key wide sum sum_pair lane_portable msd msd_digit msd_children rank strip
//
// A workgroup ranks a tile's keys by digit in its own memory, finds where they go, and moves them there by
// way of `cells`, ROUNDS times a part of the tile, so that writes run on in stretches of one digit. The
// workgroup of a bucket's first tile also publishes the children (lib/msd_children), before it loads keys.
//
// Keys alone are ranked in no particular order, by atomic additions, and claim places of each child with
// the cursors of the record. Where a child is large, additions to its count wait for each other: then
// neighbours add to different copies, which lie in different banks. In a STABLE partition keys are ranked in
// their order (lib/rank) and their places stand in the bucket's table.
//
//     count_of[digit]   keys of the tile, then where they start in the sorted tile; in COPIES, if crowded
//     shift_of[digit]   what takes a position in the sorted tile to its place in memory
//     spot              of two keys, 16 bits each: the rank, then the position in the sorted tile; while
//                       lib/rank has it, of one key
//
// A tile is as large as registers hold. So digits are not kept, but found again where they are asked for.
// Reads and writes each key once, each value once, but reads values of two words once a round and word.

override GROUP_SIZE: u32 = 256u;  // at least BINS
override BINS: u32 = 256u;        // at least the digits of a bucket
override CELLS: u32 = 4096u;      // at least KEY_WORDS * PART, 5 * BINS, and what lib/rank and sum_pair take
override VALUE_WORDS: u32 = 1u;   // 1 or 2
override ROUNDS: u32 = 2u;
override PART: u32 = GROUP_SIZE * ITEMS / ROUNDS;
override STABLE: bool = true;     // of pairs; indices always are, keys alone never
override COPIES: u32 = 1u;        // of counters, a power of two: more for keys alone, where memory allows
override COPY_WORDS: u32 = BINS + 1u;
override COUNTER_COUNT: u32 = COPIES * COPY_WORDS;
const CROWD: u32 = 16u;

@group(0) @binding(3) var<storage, read_write> keys_in: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> values_in: array<u32>;

var<workgroup> count_of: array<atomic<u32>, COUNTER_COUNT>;
var<workgroup> crowded: atomic<u32>; // 1: some child holds more than a CROWD-th of the bucket's keys
var<workgroup> shift_of: array<u32, BINS>;
var<workgroup> cells: array<atomic<u32>, CELLS>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;
var<private> spot: array<u32, ITEMS>;
var<private> value: array<u32, ITEMS>;
var<private> place: array<u32, ITEMS>;
var<private> child_shift: u32; // to shift_of, of the child that an invocation stands for
var<private> table_place: u32; // of a stable partition: where in the bucket that child's keys of the tile go

const NOWHERE: u32 = 0xffffu; // the spot of what does not exist: no tile has so many keys

// As find_digits, of the keys of a part.
fn find_staged_digits(local: u32, tile: Tile) {
    if (tile.form == 0u) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (i * ROUNDS < ITEMS) {
                digits[i] = bucket_digit(staged_key(i * GROUP_SIZE + local), tile);
            }
        }
    } else {
        let fixed = fixed_of(tile);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (i * ROUNDS < ITEMS) {
                digits[i] = fixed_digit(staged_key(i * GROUP_SIZE + local).x, fixed);
            }
        }
    }
}

fn clear_crowded(local: u32) {
    if (local == 0u) {
        atomicStore(&crowded, 0u);
    }
}

// Where the counts are that an invocation adds to.
fn copy_of(local: u32) -> u32 {
    return local % COPIES * COPY_WORDS * atomicLoad(&crowded);
}

// 1. Load a tile, in its order or a stable partition's; of a short one the last key again and again.
fn source_of(local: u32, i: u32, stable: bool) -> u32 {
    return select(i * GROUP_SIZE + local, rank_source(local, i), stable);
}

fn load_key(i: u32, at: u32) {
    low[i] = keys_in[at * KEY_WORDS];
    if (KEY_WORDS == 2u) {
        high[i] = keys_in[at * KEY_WORDS + 1u];
    }
}

fn load_keys(local: u32, tile: Tile, stable: bool) {
    if (tile.held == GROUP_SIZE * ITEMS) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            load_key(i, tile.first + source_of(local, i, stable));
        }
    } else {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            load_key(i, tile.first + min(source_of(local, i, stable), tile.held - 1u));
        }
    }
}

// 2. Rank the keys. Nothing branches on whether a key exists; what does not adds nothing, each invocation to
// another digit.
fn rank(local: u32, tile: Tile) {
    load_child_size(local, tile);
    if (child_size > tile.tiles * params.tile_items / CROWD) {
        atomicStore(&crowded, 1u);
    }
    for (var i = local; i < COUNTER_COUNT; i += GROUP_SIZE) {
        atomicStore(&count_of[i], 0u);
    }
    workgroupBarrier();
    let copy = copy_of(local);
    if (FIXED_ROOT) {
        find_digits(tile);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = i * GROUP_SIZE + local < tile.held;
        let digit = select(local & (BINS - 1u), digit_of(i, vec2<u32>(low[i], high[i]), tile), exists);
        let before = atomicAdd(&count_of[copy + digit], select(0u, 1u, exists));
        set_spot(i, select(NOWHERE, before, exists));
    }
    workgroupBarrier();
}

// 3. Claim places for the tile's keys, a child an invocation, and turn ranks into positions.
fn claim(local: u32, tile: Tile) {
    let digits = 1u << tile.bits;
    let digit = child_digit(tile, local);
    var counted = 0u;
    var claimed = 0u;
    let copies = select(1u, COPIES, atomicLoad(&crowded) != 0u);
    if (local < digits) {
        counted = atomicLoad(&count_of[digit]);
        for (var c = 1u; c < copies; c++) {
            counted += atomicLoad(&count_of[c * COPY_WORDS + digit]);
        }
    }
    if (counted > 0u) {
        claimed = atomicAdd(&work[tile.record + RECORD_TOTALS + digits + digit], counted);
    }
    let before = pair_exclusive(local, vec2<u32>(child_size, counted));
    child_shift = tile.start + before.x + claimed - before.y;
    if (local < BINS) {
        var next = before.y;
        for (var c = 0u; c < copies; c++) {
            let held = atomicLoad(&count_of[c * COPY_WORDS + digit]);
            atomicStore(&count_of[c * COPY_WORDS + digit], next);
            next += held;
        }
    }
    let copy = copy_of(local);
    // From memory, so that no compiler keeps the digits that it has found before.
    let again = shared_tile;
    workgroupBarrier();
    clear_crowded(local);
    if (FIXED_ROOT) {
        find_digits(again);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let start = atomicLoad(&count_of[copy + digit_of(i, vec2<u32>(low[i], high[i]), again)]);
        spot[i / 2u] += select(0u, start << (i % 2u * 16u), i * GROUP_SIZE + local < again.held);
    }
}

// 4. Move one part of the sorted tile, from position `base` on. What a claim has answered is asked for only when
// the first part is in cells.
fn stage_keys(local: u32, tile: Tile, base: u32) {
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
    if (base == 0u && local < BINS) {
        shift_of[child_digit(tile, local)] = child_shift;
    }
    workgroupBarrier();
}

fn staged_key(cell: u32) -> vec2<u32> {
    var key = vec2<u32>(atomicLoad(&cells[cell]), 0u);
    if (KEY_WORDS == 2u) {
        key.y = atomicLoad(&cells[PART + cell]);
    }
    return key;
}

fn write_key(key: vec2<u32>, to: u32) {
    keys_out[to * KEY_WORDS] = key.x;
    if (KEY_WORDS == 2u) {
        keys_out[to * KEY_WORDS + 1u] = key.y;
    }
}

// Keys alone are moved four at a time, as all that one unrolls takes registers from the tile.
fn four_digits(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>, d: vec2<u32>, tile: Tile) -> vec4<u32> {
    if (FIXED_ROOT && tile.form != 0u) {
        let fixed = fixed_of(tile);
        return vec4<u32>(fixed_digit(a.x, fixed), fixed_digit(b.x, fixed), fixed_digit(c.x, fixed),
                         fixed_digit(d.x, fixed));
    }
    return vec4<u32>(bucket_digit(a, tile), bucket_digit(b, tile), bucket_digit(c, tile), bucket_digit(d, tile));
}

fn move_lone(key: vec2<u32>, digit: u32, at: u32, end: u32) {
    let to = at + shift_of[digit];
    if (at < end) {
        write_key(key, to);
    }
}

fn move_lone_keys(local: u32, tile: Tile, base: u32) {
    stage_keys(local, tile, base);
    let end = min(base + PART, tile.held);
    for (var at = base + local; at < end; at += 4u * GROUP_SIZE) {
        let cell = at - base;
        let key0 = staged_key(cell);
        let key1 = staged_key(min(cell + GROUP_SIZE, PART - 1u));
        let key2 = staged_key(min(cell + 2u * GROUP_SIZE, PART - 1u));
        let key3 = staged_key(min(cell + 3u * GROUP_SIZE, PART - 1u));
        let digits = four_digits(key0, key1, key2, key3, tile);
        move_lone(key0, digits.x, at, end);
        move_lone(key1, digits.y, at + GROUP_SIZE, end);
        move_lone(key2, digits.z, at + 2u * GROUP_SIZE, end);
        move_lone(key3, digits.w, at + 3u * GROUP_SIZE, end);
    }
    workgroupBarrier();
}

// Keys with values, whose places it notes.
fn move_keys(local: u32, tile: Tile, base: u32) {
    stage_keys(local, tile, base);
    if (FIXED_ROOT) {
        find_staged_digits(local, tile);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = base + i * GROUP_SIZE + local;
        if (i * ROUNDS < ITEMS && at < tile.held) {
            let key = staged_key(i * GROUP_SIZE + local);
            place[i] = at + shift_of[digit_of(i, key, tile)];
            write_key(key, place[i]);
        }
    }
    workgroupBarrier();
}

// 5. Move a word of the values of that part, once it is in cells.
fn move_value_word(local: u32, tile: Tile, base: u32, word: u32) {
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (i * ROUNDS < ITEMS && base + i * GROUP_SIZE + local < tile.held) {
            values_out[place[i] * VALUE_WORDS + word] = atomicLoad(&cells[i * GROUP_SIZE + local]);
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_partition_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    clear_crowded(local);
    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {
        let tile = find_tile(local, number);
        if (tile.held == 0u) {
            break;
        }
        if (tile.index == 0u) {
            publish_children(local, tile);
        }
        load_keys(local, tile, false);
        rank(local, tile);
        claim(local, tile);
        for (var base = 0u; base < tile.held; base += PART) {
            move_lone_keys(local, tile, base);
        }
    }
}

fn load_values(local: u32, tile: Tile, word: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = tile.first + min(source_of(local, i, STABLE), tile.held - 1u);
        value[i] = values_in[at * VALUE_WORDS + word];
    }
}

// 2. of a stable partition: rank keys in their order. What does not exist goes to the last child, behind all
// that does.
fn rank_stably(local: u32, tile: Tile) {
    let last_digit = child_digit(tile, (1u << tile.bits) - 1u);
    table_place = 0u;
    if (local < (1u << tile.bits)) {
        table_place = atomicLoad(&work[tile.table + child_digit(tile, local) * tile.tiles + tile.index]);
    }
    if (FIXED_ROOT) {
        find_digits(tile);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let digit = digit_of(i, vec2<u32>(low[i], high[i]), tile);
        spot[i] = select(last_digit, digit, rank_source(local, i) < tile.held);
    }
    rank_strips(local);
}

// 3. of a stable partition: find the places, and turn ranks into positions.
fn place_stably(local: u32, tile: Tile) {
    let digit = child_digit(tile, local);
    var counted = 0u;
    if (local < BINS) {
        counted = rank_total(digit);
    }
    let start = group_exclusive(local, counted).x;
    if (local < BINS) {
        rank_spread(digit, start);
    }
    child_shift = tile.start + table_place - start;
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        set_spot(i, rank_start(local, spot[i] >> 16u) + (spot[i] & 0xffffu));
    }
    workgroupBarrier();
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_partition_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    clear_crowded(local);
    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {
        let tile = find_tile(local, number);
        if (tile.held == 0u) {
            break;
        }
        if (tile.index == 0u) {
            publish_children(local, tile);
        }
        load_keys(local, tile, STABLE);
        if (VALUE_WORDS == 1u) {
            load_values(local, tile, 0u);
        }
        if (STABLE) {
            rank_stably(local, tile);
            place_stably(local, tile);
        } else {
            rank(local, tile);
            claim(local, tile);
        }
        for (var base = 0u; base < tile.held; base += PART) {
            move_keys(local, tile, base);
            for (var word = 0u; word < VALUE_WORDS; word++) {
                if (VALUE_WORDS > 1u) {
                    load_values(local, tile, word);
                }
                //@unroll
                for (var i = 0u; i < ITEMS; i++) {
                    if (spot_of(i) - base < PART) {
                        atomicStore(&cells[spot_of(i) - base], value[i]);
                    }
                }
                move_value_word(local, tile, base, word);
            }
        }
    }
}

// The values are the indices of the keys: the first level of an argsort.
@compute @workgroup_size(GROUP_SIZE)
fn msd_partition_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {
        let tile = find_tile(local, number);
        if (tile.held == 0u) {
            break;
        }
        if (tile.index == 0u) {
            publish_children(local, tile);
        }
        load_keys(local, tile, true);
        rank_stably(local, tile);
        place_stably(local, tile);
        for (var base = 0u; base < tile.held; base += PART) {
            move_keys(local, tile, base);
            //@unroll
            for (var i = 0u; i < ITEMS; i++) {
                if (spot_of(i) - base < PART) {
                    atomicStore(&cells[spot_of(i) - base], tile.first + rank_source(local, i));
                }
            }
            move_value_word(local, tile, base, 0u);
        }
    }
}
