// radix_scan: turn the counts of a radix table into places, each digit for itself.
//
//@use count sum lane
//
//     counts   | digit 0: tile 0, tile 1, … | digit 1: tile 0, tile 1, … | …
//     totals   | digit 0 | digit 1 | …
//
// A workgroup scans the counts of one digit, exclusively: how many keys of the digit earlier tiles have.
// radix_scatter adds the totals of lower digits.
// Reads and writes each count once.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    tile_items: u32,
    digit_count: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> totals: array<u32>;

var<private> held: array<u32, ITEMS>;

@compute @workgroup_size(GROUP_SIZE)
fn radix_scan(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let digit = group_number(grid);
    if (digit >= params.digit_count) {
        return;
    }
    let tiles = div_ceil(element_count(params.max_count), params.tile_items);
    var before = 0u;
    for (var done = 0u; done < tiles; done += GROUP_SIZE * ITEMS) {
        let first = done + local * ITEMS;
        var sum = 0u;
        for (var i = 0u; i < ITEMS; i++) {
            held[i] = 0u;
            if (first + i < tiles) {
                held[i] = counts[digit * tiles + first + i];
            }
            sum += held[i];
        }
        let sums = group_exclusive(local, sum);
        var place = before + sums.x;
        for (var i = 0u; i < ITEMS; i++) {
            if (first + i < tiles) {
                counts[digit * tiles + first + i] = place;
            }
            place += held[i];
        }
        before += sums.y;
    }
    if (local == 0u) {
        totals[digit] = before;
    }
}
