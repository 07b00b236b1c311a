// msd_scan: turn the tables of a stable partition into places.
//
//@use count sum lane_portable msd
//
// Each bucket's table is scanned, exclusively, digit after digit in their order: then an entry says where in the bucket
// the keys of its tile with its digit go. A bucket of few tiles is one workgroup's; of many, every tile's
// workgroup takes some digits, with the totals of the digits below from the record.
//
//     cells   | GROUP_SIZE * ITEMS words of a table, one more left out after each 32 |
//
// Reads and writes each count once.

override GROUP_SIZE: u32 = 256u;
override CELLS: u32 = 2112u; // GROUP_SIZE * ITEMS * 33 / 32

const FEW_TILES: u32 = 256u;

var<workgroup> cells: array<u32, CELLS>;

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

@compute @workgroup_size(GROUP_SIZE)
fn msd_scan(@builtin(local_invocation_index) local: u32, grid: Grid) {
    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {
        let tile = find_tile(local, number);
        if (tile.held == 0u) {
            break;
        }
        let digits = 1u << tile.bits;
        if (tile.tiles >= FEW_TILES) {
            for (var place = tile.index; place < digits; place += tile.tiles) {
                let before = before_child(local, tile, place);
                let first = tile.table + child_digit(tile, place) * tile.tiles;
                scan_words(local, first, tile.tiles, before);
            }
        } else if (tile.index == 0u) {
            let high = (digits - tile.lowest) * tile.tiles;
            let before = scan_words(local, tile.table + tile.lowest * tile.tiles, high, 0u);
            scan_words(local, tile.table, tile.lowest * tile.tiles, before);
        }
    }
}
