// msd_children: what becomes of a bucket's children. Uses count, wide, msd, msd_digit, sum_pair.
//
// A child of up to half an item shares one with the neighbours that start in the same stretch of half an item; a
// greater one that fits is an item alone. Of those that do not fit, keys whose bits are exhausted, as after the
// last level all are, are equal, and become items of any part; others become buckets of the next level.
//
//     cells   | which run of children it is in, a child | start, a child | equal children: start, size, first item, … |
//
// An invocation stands for a child: local < digits. The kernel defines GROUP_SIZE, at least BINS, and `cells`,
// atomics, of which it takes 5 * BINS and those of sum_pair.

const LISTS: u32 = 4u; // items, records, tiles, tables

var<workgroup> equal_count: atomic<u32>; // entries of `cells`
var<workgroup> equal_total: u32;
var<workgroup> wanted: array<atomic<u32>, LISTS>; // of each list, and where that is
var<workgroup> allocated: array<u32, LISTS>;

var<private> child_start: u32;
var<private> child_size: u32;

fn load_child_size(local: u32, tile: Tile) {
    child_size = 0u;
    if (local < (1u << tile.bits)) {
        child_size = atomicLoad(&work[tile.record + RECORD_TOTALS + child_digit(tile, local)]);
    }
}

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

// After a pass: all keys are the bucket of the next one, or in order.
fn publish_pass(local: u32, tile: Tile) {
    let taken = tile.shift + tile.bits;
    if (taken == params.key_bits) {
        return;
    }
    let next = params.level + 1u;
    let bits = pass_bits(next, taken);
    let record = params.next_records;
    for (var i = local; i <= record_base(0u, bits); i += GROUP_SIZE) {
        atomicStore(&work[record + i], 0u);
    }
    storageBarrier();
    if (local == 0u) {
        atomicStore(&work[record + RECORD_SIZE], element_count(params.max_count));
        atomicStore(&work[record + RECORD_DIGIT], taken | (bits << 8u) | (1u << 16u));
        atomicStore(&work[tile_count_at(next)], tile.tiles);
    }
    for (var i = local; i < tile.tiles; i += GROUP_SIZE) {
        atomicStore(&work[params.next_tiles + i], record);
    }
}

// The children of a bucket, by one workgroup of all invocations.
fn publish_children(local: u32, tile: Tile) {
    if (tile.passes != 0u) {
        publish_pass(local, tile);
        return;
    }
    let digits = 1u << tile.bits;
    let exists = local < digits;
    load_child_size(local, tile);
    let before = pair_exclusive(local, vec2<u32>(child_size, 0u));
    child_start = tile.start + before.x;
    workgroupBarrier();
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
        var end_place = tile.start + before.z;
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
