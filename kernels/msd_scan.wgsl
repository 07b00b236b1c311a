// msd_scan: turn the tables of a stable partition into places.
//
//@use count sum lane_portable msd
//
// Each bucket's table is scanned, exclusively, digit after digit in their order: then an entry says where in the bucket
// the keys of its tile with its digit go. A bucket of few tiles is one workgroup's, who has its first tile; of many,
// whoever has one of its first tiles takes some digits, with the totals of the digits below from the record.
// Each invocation looks whether one of its workgroup's tiles is such, and all of them work on those that it finds.
//
//     cells   | GROUP_SIZE * ITEMS words of a table, one more left out after each 32 |
//
// Reads and writes each count once.

override GROUP_SIZE: u32 = 256u;
override CELLS: u32 = 2112u; // GROUP_SIZE * ITEMS * 33 / 32

const FEW_TILES: u32 = 256u;
const DEAL: u32 = 89u; // workgroups from a turn's first one to that of the next; no divisor of what is usual

var<workgroup> cells: array<u32, CELLS>;
// Tiles to work on, and how many.
var<workgroup> numbers: array<u32, GROUP_SIZE>;
var<workgroup> found: atomic<u32>;
var<workgroup> told: u32;

fn cell(at: u32) -> u32 {
    return at + at / 32u;
}

// Scan `length` words from `first` on, over `before`. Returns that and their sum.
fn scan_words(local: u32, first: u32, length: u32, before: u32) -> u32 {
    var carry = before;
    for (var done = 0u; done < length; done += GROUP_SIZE * ITEMS) {
        let left = length - done;
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = i * GROUP_SIZE + local;
            let word = atomicLoad(&work[first + done + min(at, left - 1u)]);
            cells[cell(at)] = select(0u, word, at < left);
        }
        workgroupBarrier();
        var sum = 0u;
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            sum += cells[cell(local * ITEMS + i)];
        }
        let places = group_exclusive(local, sum);
        var place = carry + places.x;
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let count = cells[cell(local * ITEMS + i)];
            cells[cell(local * ITEMS + i)] = place;
            place += count;
        }
        carry += places.y;
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = i * GROUP_SIZE + local;
            if (at < left) {
                atomicStore(&work[first + done + at], cells[cell(at)]);
            }
        }
        workgroupBarrier();
    }
    return carry;
}

// How many keys of the bucket belong to children before this one.
fn before_child(local: u32, tile: Tile, place: u32) -> u32 {
    var total = 0u;
    for (var i = local; i < place; i += GROUP_SIZE) {
        total += atomicLoad(&work[tile.record + RECORD_TOTALS + child_digit(tile, i)]);
    }
    return group_exclusive(local, total).y;
}

// How many of a bucket's first tiles stand for something to scan.
fn scan_count(tiles: u32, bits: u32) -> u32 {
    return select(1u, 1u << bits, tiles >= FEW_TILES);
}

// A digit at a time where there are many tiles; else those up to the last one, and those from 0 on.
fn scan_bucket(local: u32, tile: Tile) {
    let digits = 1u << tile.bits;
    let many = tile.tiles >= FEW_TILES;
    var carry = 0u;
    for (var place = select(0u, tile.index, many); place < digits; ) {
        let length = select(select(tile.lowest, digits - tile.lowest, place == 0u), 1u, many);
        if (many) {
            carry = before_child(local, tile, place);
        }
        carry = scan_words(local, tile.table + child_digit(tile, place) * tile.tiles, length * tile.tiles, carry);
        place += select(length, tile.tiles, many);
    }
}

fn asks_for_scan(number: u32) -> bool {
    let tile = level_tile(number);
    return tile.index < scan_count(tile.tiles, tile.bits);
}

// The root's are not listed.
fn level_tiles() -> u32 {
    if (params.level == 0u) {
        let root = level_tile(0u);
        return select(0u, root.tiles, root.held > 0u);
    }
    return atomicLoad(&work[tile_count_at(params.level)]);
}

// Tiles are dealt out in turns, one a workgroup, each turn from another workgroup on: else few might get the first
// tiles of all buckets of one size. Each invocation looks at the workgroup's tile of one turn, from `turn` on; those to
// work on are left in `numbers`, in any order. Returns how many.
fn find_scans(local: u32, turn: u32, grid: Grid, tiles: u32) -> u32 {
    let groups = grid.group_count.x * grid.group_count.y;
    let own = turn + local;
    let number = own * groups + (group_number(grid) + own * DEAL) % groups;
    if (local == 0u) {
        atomicStore(&found, 0u);
    }
    workgroupBarrier();
    if (number < tiles && asks_for_scan(number)) {
        numbers[atomicAdd(&found, 1u)] = number;
    }
    workgroupBarrier();
    if (local == 0u) {
        told = atomicLoad(&found);
    }
    return workgroupUniformLoad(&told);
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_scan(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let groups = grid.group_count.x * grid.group_count.y;
    if (local == 0u) {
        told = level_tiles();
    }
    let tiles = workgroupUniformLoad(&told);
    for (var turn = 0u; turn * groups < tiles; turn += GROUP_SIZE) {
        let scans = find_scans(local, turn, grid, tiles);
        for (var i = 0u; i < scans; i++) {
            scan_bucket(local, find_tile(local, numbers[i]));
        }
    }
}
