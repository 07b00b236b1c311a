// msd: the lists of a most-significant-digit sort, and which keys a tile has.
//
//     work     | control | items | records of even levels | of odd ones | tiles of even levels | of odd ones | tables |
//     control  | 0: nothing | 1: items | of each level: tiles, words of records, words of tables |
//     item     | start | size, and where it lies |                  for msd_local, which explains it
//     record   | start | size | shift, bits of its digit | first tile | table | totals, a word a digit | cursors, the same |
//     tile     | the record that it belongs to |
//     table    | digit 0: tile 0, tile 1, … | digit 1: … |   of a stable partition, for each bucket
//
// A record stands for a bucket: keys that share all bits of the image above its digit. Keys of a bucket
// with one digit are a child, which is a bucket of the next level if it is large. A level's tiles are
// numbered bucket by bucket; only the last of a bucket may be short.

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
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> work: array<atomic<u32>>;

const ITEM_COUNT: u32 = 1u;
const RECORD_START: u32 = 0u;
const RECORD_SIZE: u32 = 1u;
const RECORD_DIGIT: u32 = 2u; // shift | bits << 8
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
    record: u32, // where they are in `work`
    table: u32,
}

var<workgroup> shared_tile: Tile;

fn tile_count_at(level: u32) -> u32 {
    return 2u + 3u * level;
}

fn record_words_at(level: u32) -> u32 {
    return 3u + 3u * level;
}

fn table_words_at(level: u32) -> u32 {
    return 4u + 3u * level;
}

// Tile `number` of the level; past the last one it holds nothing. All invocations call it.
fn find_tile(local: u32, number: u32) -> Tile {
    if (local == 0u) {
        if (params.level == 0u) {
            shared_tile = root_tile(number);
        } else {
            shared_tile = listed_tile(number);
        }
    }
    return workgroupUniformLoad(&shared_tile);
}

// The root's tiles are not listed, and nothing is read to know them.
fn root_tile(number: u32) -> Tile {
    let element_total = element_count(params.max_count);
    var first = element_total;
    if (number < div_ceil(element_total, params.tile_items)) {
        first = number * params.tile_items;
    }
    return Tile(first, min(params.tile_items, element_total - first), number,
                div_ceil(element_total, params.tile_items), 0u,
                params.key_bits - params.root_bits, params.root_bits, params.records,
                params.tables);
}

fn listed_tile(number: u32) -> Tile {
    let record = atomicLoad(&work[params.tiles + number]);
    if (number >= atomicLoad(&work[tile_count_at(params.level)])) {
        return Tile(0u, 0u, 0u, 0u, 0u, 0u, 1u, params.records, params.tables);
    }
    let start = atomicLoad(&work[record + RECORD_START]);
    let size = atomicLoad(&work[record + RECORD_SIZE]);
    let digit = atomicLoad(&work[record + RECORD_DIGIT]);
    let index = number - atomicLoad(&work[record + RECORD_TILE]);
    let done = index * params.tile_items;
    return Tile(start + done, min(params.tile_items, size - done), index,
                div_ceil(size, params.tile_items), start, digit & 0xffu, digit >> 8u, record,
                params.tables + atomicLoad(&work[record + RECORD_TABLE]));
}

// How many bits the digit of a bucket below the root has, if `left` bits of its keys may differ: so many
// that children fill items. From the third level on, which keys spread evenly do not reach, also so many
// that none are left after the last one, whatever the keys.
fn record_bits(size: u32, left: u32, level: u32) -> u32 {
    var bits = 1u;
    while (bits < 32u && (size >> bits) >= params.filled_count) {
        bits++;
    }
    if (level >= 2u) {
        bits = max(bits, div_ceil(left, params.last_level - level + 1u));
    }
    return min(bits, min(left, params.digit_bits));
}
