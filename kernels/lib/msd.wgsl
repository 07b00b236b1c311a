// msd: the lists of a most-significant-digit sort, and which keys a tile has.
//
//     work     | control | items | records of even levels | of odd ones | tiles of even levels | of odd ones | tables |
//     control  | 0: the root | 1: items | of each level: tiles, words of records, words of tables | … | 60: base, zeros |
//     item     | start | size, and where it lies |                  for msd_local, which explains it
//     record   | start | size | shift, bits of its digit, passes | first tile | table | totals, a word a digit | cursors, the same | base, if FIXED_ROOT |
//     tile     | the record that it belongs to |
//     table    | digit 0: tile 0, tile 1, … | digit 1: … |   of a stable partition, for each bucket
//
// A record stands for a bucket: keys that share all bits of the image, counted from `base` on, above its
// digit. Keys of a bucket with one digit are a child, which is a bucket of the next level if it is large. A
// level's tiles are numbered bucket by bucket; only the last of a bucket may be short. Images are counted
// from 0 on, but below a root of fixed-point digits (lib/msd_digit).
//
//     root     | shift, bits of its digit | the digit of its lowest keys, or a form | what is promised of all keys |
//
// The root's digit is the plan's, or what a sample of the keys makes of it (msd_begin): then the digits of
// images from `base` on, which need not begin with digit 0, and every image is promised to differ from
// `base` by a number that has none of the bits `zeros`. It has a second record, behind the first: if a key
// breaks the promise, the plan's digit is counted after all.
//
// If keys of one word with values crowd in the sample, so that many of them would take all levels, and the sort is
// stable, all stay one bucket, and each level is a pass: a partition by a digit, the lowest first, which leaves
// them in order in the end.

struct Params {
    max_count: u32,
    tile_items: u32,
    level: u32,
    last_level: u32,
    key_bits: u32,
    digit_bits: u32,   // the most that a digit has
    item_count: u32,   // keys of an item, at most
    filled_count: u32, // keys of an item, on average, where keys are spread evenly
    root_bits: u32,    // of the first digit
    items: u32,        // where in `work` the parts are, in words
    records: u32,      // of this level
    next_records: u32,
    tiles: u32,
    next_tiles: u32,
    tables: u32,
    sampled: u32,      // whether the root's word is more than the plan's
}

override FIXED_ROOT: bool = false; // keys of 32-bit floats may have a root of fixed-point digits

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> work: array<atomic<u32>>;

const ROOT: u32 = 0u;
const ITEM_COUNT: u32 = 1u;
const BASE: u32 = 60u;
const ZEROS: u32 = 62u;

// Of the root's word, from the lowest bit: 6 of the shift, 5 of the bits, 14 of the lowest keys' digit, and:
const ROOT_PASSES: u32 = 1u << 25u;     // levels are passes, the digit is the lowest
const ROOT_FIXED: u32 = 1u << 26u;      // digits are those of fixed-point numbers, of a form instead of a lowest digit
const ROOT_DESCENDING: u32 = 1u << 27u; // all keys stand in the reverse of the order, or
const ROOT_ASCENDING: u32 = 1u << 28u;  // in the order, already
const ROOT_FILLED: u32 = 1u << 29u;     // keys that are alone differ in the digit only
const ROOT_BROKEN: u32 = 1u << 30u;     // a key breaks the promised range
const ROOT_RANGED: u32 = 1u << 31u;     // there is a range
const ROOT_ORDERED: u32 = ROOT_DESCENDING | ROOT_ASCENDING;
const ROOT_PROMISES: u32 = ROOT_ORDERED | ROOT_RANGED;

const LEAST_ROOT_BITS: u32 = 7u; // of images, or as many as a digit has

const NO_TILE: u32 = 0xffffffffu; // the number of none
const RECORD_START: u32 = 0u;
const RECORD_SIZE: u32 = 1u;
const RECORD_DIGIT: u32 = 2u; // shift | bits << 8 | passes << 16
const RECORD_TILE: u32 = 3u;
const RECORD_TABLE: u32 = 4u;
const RECORD_TOTALS: u32 = 5u;

struct Tile {
    first: u32, // its keys
    held: u32,
    index: u32, // among those of its bucket, which are so many:
    tiles: u32,
    start: u32, // of the bucket
    shift: u32,
    bits: u32,
    lowest: u32, // the digit of its lowest keys; digits go on from there, from the last one to 0
    record: u32, // where they are in `work`
    table: u32,
    base: u32, // where images are counted from
    form: u32, // of fixed-point digits; 0: digits are those of images
    passes: u32, // 1: the level is a pass
}

var<workgroup> shared_tile: Tile;
var<workgroup> shared_root: u32;

fn tile_count_at(level: u32) -> u32 {
    return 2u + 3u * level;
}

fn record_words_at(level: u32) -> u32 {
    return 3u + 3u * level;
}

fn table_words_at(level: u32) -> u32 {
    return 4u + 3u * level;
}

// Tile `number` of the level; past the last one it holds nothing.
fn level_tile(number: u32) -> Tile {
    if (params.level == 0u) {
        return root_tile(number, settled_root(root_word()));
    }
    return listed_tile(number);
}

// The same for all invocations, which call it together.
fn find_tile(local: u32, number: u32) -> Tile {
    if (local == 0u) {
        shared_tile = level_tile(number);
    }
    return workgroupUniformLoad(&shared_tile);
}

// The digit of a bucket's child `place`, if children are numbered in order.
fn child_digit(tile: Tile, place: u32) -> u32 {
    let mask = (1u << tile.bits) - 1u;
    return select(place, (place + tile.lowest) & mask, place <= mask);
}

// Where keys were not sampled, nothing is read to know the root.
fn root_word() -> u32 {
    if (params.sampled == 0u) {
        return planned_root();
    }
    return atomicLoad(&work[ROOT]);
}

// The root as all invocations see it.
fn load_root(local: u32) -> u32 {
    if (local == 0u) {
        shared_root = root_word();
    }
    return workgroupUniformLoad(&shared_root);
}

fn control_pair(word: u32) -> vec2<u32> {
    return vec2<u32>(atomicLoad(&work[word]), atomicLoad(&work[word + 1u]));
}

fn root_of(shift: u32, bits: u32, lowest: u32) -> u32 {
    return shift | (bits << 6u) | (lowest << 11u);
}

fn planned_root() -> u32 {
    return root_of(params.key_bits - params.root_bits, params.root_bits, 0u);
}

fn is_filled(root: u32) -> bool {
    return (root & (ROOT_FILLED | ROOT_BROKEN)) == ROOT_FILLED;
}

// What the promises have come to when all keys have been looked at: the root that is to be taken, or 0 if
// msd_finish leaves nothing to do.
fn settled_root(root: u32) -> u32 {
    if ((root & ROOT_ORDERED) != 0u || is_filled(root)) {
        return 0u;
    }
    let ranged = (root & (ROOT_RANGED | ROOT_BROKEN)) == ROOT_RANGED;
    return select(planned_root(), root, ranged || (root & (ROOT_FIXED | ROOT_PASSES)) != 0u);
}

// How many passes sort any keys: an even number, so that the last one leaves them where the sort ends.
fn pass_total() -> u32 {
    let least = div_ceil(params.key_bits, params.digit_bits);
    return least + least % 2u;
}

// Bits of the digit of a pass, if those below have taken so many.
fn pass_bits(level: u32, taken: u32) -> u32 {
    return div_ceil(params.key_bits - taken, pass_total() - level);
}

fn second_record() -> u32 {
    return params.records + RECORD_TOTALS + (2u << params.digit_bits);
}

// The root's tiles are not listed. A digit of no bits has none.
fn root_tile(number: u32, root: u32) -> Tile {
    let element_total = element_count(params.max_count);
    let tiles = div_ceil(element_total, params.tile_items);
    let bits = (root >> 6u) & 31u;
    var first = element_total;
    if (number < tiles && bits > 0u) {
        first = number * params.tile_items;
    }
    let fixed = (root & ROOT_FIXED) != 0u;
    let lowest = (root >> 11u) & 0x3fffu;
    return Tile(first, min(params.tile_items, element_total - first), number, tiles, 0u, root & 63u,
                bits, select(lowest, 0u, fixed),
                select(params.records, second_record(), (root & ROOT_RANGED) != 0u), params.tables, 0u,
                select(0u, lowest, fixed), select(0u, 1u, (root & ROOT_PASSES) != 0u));
}

// Where a record has the image that its keys' are counted from.
fn record_base(record: u32, bits: u32) -> u32 {
    return record + RECORD_TOTALS + (2u << bits);
}

fn listed_tile(number: u32) -> Tile {
    let record = atomicLoad(&work[params.tiles + number]);
    if (number >= atomicLoad(&work[tile_count_at(params.level)])) {
        return Tile(0u, 0u, 0u, 0u, 0u, 0u, 1u, 0u, params.records, params.tables, 0u, 0u, 0u);
    }
    let start = atomicLoad(&work[record + RECORD_START]);
    let size = atomicLoad(&work[record + RECORD_SIZE]);
    let digit = atomicLoad(&work[record + RECORD_DIGIT]);
    let index = number - atomicLoad(&work[record + RECORD_TILE]);
    let done = index * params.tile_items;
    let bits = (digit >> 8u) & 0xffu;
    var base = 0u;
    if (FIXED_ROOT) {
        base = atomicLoad(&work[record_base(record, bits)]);
    }
    return Tile(start + done, min(params.tile_items, size - done), index,
                div_ceil(size, params.tile_items), start, digit & 0xffu, bits, 0u, record,
                params.tables + atomicLoad(&work[record + RECORD_TABLE]), base, 0u, digit >> 16u);
}

// How many bits the digit of a bucket below the root has, if `left` bits of its keys may differ: so many
// that children fill items. From the third level on, which keys spread evenly do not reach, also so many
// that none are left after the last one, whatever the keys; from the second on if levels are just enough.
// A child of a fixed-point root that more bits are left of than a root of images leaves takes all it can.
fn record_bits(size: u32, left: u32, level: u32) -> u32 {
    var bits = 1u;
    while (bits < 32u && (size >> bits) >= params.filled_count) {
        bits++;
    }
    let just_enough = params.last_level * params.digit_bits < params.key_bits;
    if (level >= 2u || just_enough) {
        bits = max(bits, div_ceil(left, params.last_level - level + 1u));
    }
    if (FIXED_ROOT && left + min(params.digit_bits, LEAST_ROOT_BITS) > params.key_bits) {
        bits = params.digit_bits;
    }
    return min(bits, min(left, params.digit_bits));
}
