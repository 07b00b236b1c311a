// msd_partition: spread the keys of each bucket over its children.
//
//@use count image key wide sum lane_portable msd msd_digit rank strip
//
// A workgroup ranks a tile's keys by digit in its own memory, finds where they go, and moves them there by
// way of `cells`, ROUNDS times a part of the tile, so that writes run on in stretches of one digit. The
// workgroup of a bucket's first tile also publishes the children: as items for msd_local, or as buckets
// of the next level.
//
// Keys alone are ranked in no particular order, by atomic additions, and claim places of each child with
// the cursors of the record. Where a child is large, additions to its count wait for each other: then
// neighbours add to different copies, which lie in different banks. In a STABLE partition keys are ranked in
// their order (lib/rank) and their places stand in the bucket's table.
//
//     count_of[digit]   keys of the tile, then where they start in the sorted tile; in COPIES, if crowded
//     shift_of[digit]   what takes a position in the sorted tile to its place in memory
//     spot              of a key: digit << 16 | rank, then its position in the sorted tile
//
// Reads and writes each key once, each value once.

override GROUP_SIZE: u32 = 256u;  // at least BINS
override BINS: u32 = 256u;        // at least the digits of a bucket
override CELLS: u32 = 3072u;      // at least PART, 5 * BINS, and what lib/rank takes
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
var<workgroup> equal_count: atomic<u32>; // entries of `cells` while publishing
var<workgroup> equal_total: u32;
var<workgroup> wanted: array<atomic<u32>, LISTS>; // of each list while publishing, and where that is
var<workgroup> allocated: array<u32, LISTS>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;
var<private> spot: array<u32, ITEMS>;
var<private> value: array<u32, ITEMS>;
var<private> sorted_low: array<u32, ITEMS>; // of a part of the sorted tile
var<private> sorted_high: array<u32, ITEMS>;
var<private> place: array<u32, ITEMS>;
var<private> child_start: u32; // of the child that an invocation stands for, local < digits
var<private> child_size: u32;
var<private> bucket_size: u32;
var<private> table_place: u32; // of a stable partition: where in the bucket that child's keys of the tile go

const LISTS: u32 = 4u; // items, records, tiles, tables
const NOWHERE: u32 = 0xffffffffu; // the spot of what does not exist

// Where keys may have fixed-point digits these are found in loops of their own, so that no key asks: of the
// tile's keys they become its spots, of a part of the sorted tile its places.
fn find_digits(tile: Tile) {
    if (tile.form == 0u) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            spot[i] = bucket_digit(vec2<u32>(low[i], 0u), tile);
        }
    } else {
        let fixed = fixed_of(tile);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            spot[i] = fixed_digit(low[i], fixed);
        }
    }
}

fn find_sorted_digits(tile: Tile) {
    if (tile.form == 0u) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (i * ROUNDS < ITEMS) {
                place[i] = bucket_digit(vec2<u32>(sorted_low[i], 0u), tile);
            }
        }
    } else {
        let fixed = fixed_of(tile);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (i * ROUNDS < ITEMS) {
                place[i] = fixed_digit(sorted_low[i], fixed);
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

// 1. Load a tile and rank its keys. Nothing branches on whether a key exists; what does not adds nothing,
// each invocation to another digit.
fn rank(local: u32, tile: Tile) {
    child_size = 0u;
    if (local < (1u << tile.bits)) {
        child_size = atomicLoad(&work[tile.record + RECORD_TOTALS + child_digit(tile, local)]);
    }
    if (child_size > tile.tiles * params.tile_items / CROWD) {
        atomicStore(&crowded, 1u);
    }
    for (var i = local; i < COUNTER_COUNT; i += GROUP_SIZE) {
        atomicStore(&count_of[i], 0u);
    }
    workgroupBarrier();
    let copy = copy_of(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = (tile.first + min(i * GROUP_SIZE + local, tile.held - 1u)) * KEY_WORDS;
        low[i] = keys_in[at];
        if (KEY_WORDS == 2u) {
            high[i] = keys_in[at + 1u];
        }
    }
    if (FIXED_ROOT) {
        find_digits(tile);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = i * GROUP_SIZE + local < tile.held;
        var digit = spot[i];
        if (!FIXED_ROOT) {
            digit = bucket_digit(vec2<u32>(low[i], high[i]), tile);
        }
        digit = select(local & (BINS - 1u), digit, exists);
        let before = atomicAdd(&count_of[copy + digit], select(0u, 1u, exists));
        spot[i] = select(NOWHERE, (digit << 16u) | before, exists);
    }
    workgroupBarrier();
}

// 2. Claim places for the tile's keys, a child an invocation, and turn ranks into positions.
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
    let before = group_exclusive(local, child_size);
    child_start = tile.start + before.x;
    bucket_size = before.y;
    let start = group_exclusive(local, counted).x;
    if (local < BINS) {
        shift_of[digit] = child_start + claimed - start;
        var next = start + atomicLoad(&count_of[digit]);
        atomicStore(&count_of[digit], start);
        for (var c = 1u; c < copies; c++) {
            let held = atomicLoad(&count_of[c * COPY_WORDS + digit]);
            atomicStore(&count_of[c * COPY_WORDS + digit], next);
            next += held;
        }
    }
    let copy = copy_of(local);
    workgroupBarrier();
    clear_crowded(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (spot[i] != NOWHERE) {
            spot[i] = atomicLoad(&count_of[copy + (spot[i] >> 16u)]) + (spot[i] & 0xffffu);
        }
    }
}

// 3. Publish the children. A child of up to half an item shares one with the neighbours that start in the
// same stretch of half an item; a greater one that fits is an item alone. Of those that do not fit, keys
// whose bits are exhausted, as after the last level all are, are equal, and become items of any part;
// others become buckets of the next level.
//
//     cells   | which run of children it is in, a child | start, a child | equal children: start, size, first item, … |

fn write_item(item: u32, start: u32, size: u32) {
    atomicStore(&work[params.items + 2u * item], start);
    atomicStore(&work[params.items + 2u * item + 1u], size | ((params.level & 1u) << 31u));
}

// The counter of a list; items are of all levels.
fn list_counter(list: u32) -> u32 {
    let next = params.level + 1u;
    let of_next = select(select(table_words_at(next), tile_count_at(next), list == 2u),
                         record_words_at(next), list == 1u);
    return select(of_next, ITEM_COUNT, list == 0u);
}

// Take as much of each list as the invocations ask for. Returns where this one's begin: in no particular order,
// from `allocated` on, and `wanted` in all.
fn allocate(local: u32, wants: vec4<u32>) -> vec4<u32> {
    let before = vec4<u32>(atomicAdd(&wanted[0], wants.x), atomicAdd(&wanted[1], wants.y),
                           atomicAdd(&wanted[2], wants.z), atomicAdd(&wanted[3], wants.w));
    workgroupBarrier();
    if (local < LISTS) {
        allocated[local] = atomicAdd(&work[list_counter(local)], atomicLoad(&wanted[local]));
    }
    workgroupBarrier();
    return before + vec4<u32>(allocated[0], allocated[1], allocated[2], allocated[3]);
}

// What a child becomes that is a bucket of the next level.
struct Bucket {
    left: u32, // bits in which its keys may differ,
    base: u32, // counted from this image on
    bits: u32, // of its digit
    tiles: u32,
}

fn bucket_of_child(local: u32, tile: Tile) -> Bucket {
    var bucket = Bucket(tile.shift, tile.base, 0u, div_ceil(child_size, params.tile_items));
    if (FIXED_ROOT && tile.form != 0u) {
        bucket.base = least_of_child(local, tile);
        bucket.left = word_width(least_of_child(local + 1u, tile) - 1u - bucket.base);
    }
    bucket.bits = record_bits(child_size, bucket.left, params.level + 1u);
    return bucket;
}

// Items, words of records, tiles and words of tables that it takes.
fn bucket_wants(bucket: Bucket) -> vec4<u32> {
    return vec4<u32>(0u, record_base(0u, bucket.bits) + select(0u, 1u, FIXED_ROOT), bucket.tiles,
                     bucket.tiles << bucket.bits);
}

// Make buckets of the children that are large, each at its places in the lists.
fn open_buckets(local: u32, bucket: Bucket, at: vec4<u32>, large: bool) {
    let end = allocated[1] + atomicLoad(&wanted[1]);
    for (var i = allocated[1] + local; i < end; i += GROUP_SIZE) {
        atomicStore(&work[params.next_records + i], 0u);
    }
    storageBarrier();
    if (large) {
        let record = params.next_records + at.y;
        atomicStore(&work[record + RECORD_START], child_start);
        atomicStore(&work[record + RECORD_SIZE], child_size);
        atomicStore(&work[record + RECORD_DIGIT], (bucket.left - bucket.bits) | (bucket.bits << 8u));
        atomicStore(&work[record + RECORD_TILE], at.z);
        atomicStore(&work[record + RECORD_TABLE], at.w);
        if (FIXED_ROOT) {
            atomicStore(&work[record_base(record, bucket.bits)], bucket.base);
        }
        for (var i = 0u; i < bucket.tiles; i++) {
            atomicStore(&work[params.next_tiles + at.z + i], record);
        }
    }
}

// The children that are large hold equal keys: cut each into items, all invocations together.
fn cut_equals(local: u32, item: u32, large: bool) {
    if (large) {
        let entry = 2u * BINS + 3u * atomicAdd(&equal_count, 1u);
        atomicStore(&cells[entry], child_start);
        atomicStore(&cells[entry + 1u], child_size);
        atomicStore(&cells[entry + 2u], item);
    }
    workgroupBarrier();
    if (local == 0u) {
        equal_total = atomicLoad(&equal_count);
    }
    let total = workgroupUniformLoad(&equal_total);
    for (var k = 0u; k < total; k++) {
        let entry = 2u * BINS + 3u * k;
        let start = atomicLoad(&cells[entry]);
        let size = atomicLoad(&cells[entry + 1u]);
        let first_item = atomicLoad(&cells[entry + 2u]);
        for (var i = local; i < div_ceil(size, params.item_count); i += GROUP_SIZE) {
            let done = i * params.item_count;
            write_item(first_item + i, start + done, min(params.item_count, size - done));
        }
    }
}

fn publish(local: u32, tile: Tile) {
    let digits = 1u << tile.bits;
    let exists = local < digits;
    let stretch = params.item_count / 2u;
    let run = select((child_start - tile.start) / stretch, ~local, child_size > stretch);
    if (local < BINS) {
        atomicStore(&cells[local], run);
        atomicStore(&cells[BINS + local], child_start);
    }
    if (local < LISTS) {
        atomicStore(&wanted[local], 0u);
    }
    if (local == 0u) {
        atomicStore(&equal_count, 0u);
    }
    workgroupBarrier();
    let large = exists && child_size > params.item_count;
    var size = 0u; // of the item that this child is the first of
    if (exists && !large && (local == 0u || atomicLoad(&cells[max(local, 1u) - 1u]) != run)) {
        var end = local + 1u;
        while (end < digits && atomicLoad(&cells[end]) == run) {
            end++;
        }
        var end_place = tile.start + bucket_size;
        if (end < digits) {
            end_place = atomicLoad(&cells[BINS + end]);
        }
        size = end_place - child_start;
    }
    let bucket = bucket_of_child(local, tile);
    let exhausted = tile.shift == 0u;
    var wants = select(vec4<u32>(0u), bucket_wants(bucket), large && !exhausted);
    wants.x = select(select(0u, 1u, size > 0u), div_ceil(child_size, params.item_count), large && exhausted);
    let at = allocate(local, wants);
    if (size > 0u) {
        write_item(at.x, child_start, size);
    }
    if (exhausted) {
        cut_equals(local, at.x, large);
    } else {
        open_buckets(local, bucket, at, large);
    }
    workgroupBarrier();
}

// 4. Move one part of the sorted tile, from position `base` on.
fn move_keys(local: u32, tile: Tile, base: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (spot[i] - base < PART) {
            atomicStore(&cells[spot[i] - base], low[i]);
        }
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (i * ROUNDS < ITEMS) {
            sorted_low[i] = atomicLoad(&cells[i * GROUP_SIZE + local]);
        }
    }
    if (KEY_WORDS == 2u) {
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (spot[i] - base < PART) {
                atomicStore(&cells[spot[i] - base], high[i]);
            }
        }
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            if (i * ROUNDS < ITEMS) {
                sorted_high[i] = atomicLoad(&cells[i * GROUP_SIZE + local]);
            }
        }
    }
    if (FIXED_ROOT) {
        find_sorted_digits(tile);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = base + i * GROUP_SIZE + local;
        if (i * ROUNDS < ITEMS && at < tile.held) {
            var digit = place[i];
            if (!FIXED_ROOT) {
                digit = bucket_digit(vec2<u32>(sorted_low[i], sorted_high[i]), tile);
            }
            place[i] = at + shift_of[digit];
            keys_out[place[i] * KEY_WORDS] = sorted_low[i];
            if (KEY_WORDS == 2u) {
                keys_out[place[i] * KEY_WORDS + 1u] = sorted_high[i];
            }
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
        rank(local, tile);
        claim(local, tile);
        if (tile.index == 0u) {
            publish(local, tile);
        }
        for (var base = 0u; base < tile.held; base += PART) {
            move_keys(local, tile, base);
        }
    }
}

fn load_values(local: u32, tile: Tile, word: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let source = select(i * GROUP_SIZE + local, rank_source(local, i), STABLE);
        let at = tile.first + min(source, tile.held - 1u);
        value[i] = values_in[at * VALUE_WORDS + word];
    }
}

// 1. of a stable partition: load a tile and rank its keys in their order. What does not exist goes to the
// last child, behind all that does.
fn rank_stably(local: u32, tile: Tile) {
    let digit = child_digit(tile, local);
    let last_digit = child_digit(tile, (1u << tile.bits) - 1u);
    child_size = 0u;
    table_place = 0u;
    if (local < (1u << tile.bits)) {
        child_size = atomicLoad(&work[tile.record + RECORD_TOTALS + digit]);
        table_place = atomicLoad(&work[tile.table + digit * tile.tiles + tile.index]);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = (tile.first + min(rank_source(local, i), tile.held - 1u)) * KEY_WORDS;
        low[i] = keys_in[at];
        if (KEY_WORDS == 2u) {
            high[i] = keys_in[at + 1u];
        }
    }
    if (FIXED_ROOT) {
        find_digits(tile);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        var digit = spot[i];
        if (!FIXED_ROOT) {
            digit = bucket_digit(vec2<u32>(low[i], high[i]), tile);
        }
        spot[i] = select(last_digit, digit, rank_source(local, i) < tile.held);
    }
    rank_strips(local);
}

// 2. of a stable partition: find the places, and turn ranks into positions.
fn place_stably(local: u32, tile: Tile) {
    let digit = child_digit(tile, local);
    child_start = tile.start + table_place;
    var counted = 0u;
    if (local < BINS) {
        counted = rank_total(digit);
    }
    let start = group_exclusive(local, counted).x;
    if (local < BINS) {
        rank_spread(digit, start);
        shift_of[digit] = child_start - start;
    }
    bucket_size = group_exclusive(local, child_size).y;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        spot[i] = rank_start(local, spot[i] >> 16u) + (spot[i] & 0xffffu);
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
        if (tile.index == 0u) {
            publish(local, tile);
        }
        for (var base = 0u; base < tile.held; base += PART) {
            move_keys(local, tile, base);
            for (var word = 0u; word < VALUE_WORDS; word++) {
                if (VALUE_WORDS > 1u) {
                    load_values(local, tile, word);
                }
                //@unroll
                for (var i = 0u; i < ITEMS; i++) {
                    if (spot[i] - base < PART) {
                        atomicStore(&cells[spot[i] - base], value[i]);
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
    clear_crowded(local);
    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {
        let tile = find_tile(local, number);
        if (tile.held == 0u) {
            break;
        }
        rank_stably(local, tile);
        place_stably(local, tile);
        if (tile.index == 0u) {
            publish(local, tile);
        }
        for (var base = 0u; base < tile.held; base += PART) {
            move_keys(local, tile, base);
            //@unroll
            for (var i = 0u; i < ITEMS; i++) {
                if (spot[i] - base < PART) {
                    atomicStore(&cells[spot[i] - base], tile.first + rank_source(local, i));
                }
            }
            move_value_word(local, tile, base, 0u);
        }
    }
}
