// strip: strips of a tile, and their counts by digit, for either way to rank (lib/rank).
//
// lib/rank gives strip_width(), the invocations of a strip, and strip_counts(), the first cell of:
//
//     cells   | counts, then starts: strips 0 and 1 of digit 0, of digit 1, … | strips 2 and 3 … |
//
// Two strips share a word, 16 bits each. A strip owns a run of strip_width() * ITEMS keys of the tile.

// Where item i of an invocation stands in its tile.
fn rank_source(local: u32, i: u32) -> u32 {
    let width = strip_width();
    return local / width * (width * ITEMS) + i * width + local % width;
}

fn rank_cell(strip: u32, digit: u32) -> u32 {
    return strip_counts() + strip / 2u * BINS + digit;
}

fn rank_shift(strip: u32) -> u32 {
    return strip % 2u * 16u;
}

// Keys of the tile with a digit.
fn rank_total(digit: u32) -> u32 {
    var total = 0u;
    for (var strip = 0u; strip < GROUP_SIZE / strip_width(); strip += 2u) {
        let two = atomicLoad(&cells[rank_cell(strip, digit)]);
        total += (two & 0xffffu) + (two >> 16u);
    }
    return total;
}

// Turn the counts of a digit into where each strip's keys start, if the first starts at `start`.
fn rank_spread(digit: u32, start: u32) {
    var sum = start;
    for (var strip = 0u; strip < GROUP_SIZE / strip_width(); strip += 2u) {
        let two = atomicLoad(&cells[rank_cell(strip, digit)]);
        let second = sum + (two & 0xffffu);
        atomicStore(&cells[rank_cell(strip, digit)], sum | (second << 16u));
        sum = second + (two >> 16u);
    }
}

fn rank_start(local: u32, digit: u32) -> u32 {
    let strip = local / strip_width();
    return (atomicLoad(&cells[rank_cell(strip, digit)]) >> rank_shift(strip)) & 0xffffu;
}

// Once ranks are positions in the sorted tile, `spot` has those of two items a word. They are set in items' order.
fn spot_of(i: u32) -> u32 {
    return (spot[i / 2u] >> (i % 2u * 16u)) & 0xffffu;
}

fn set_spot(i: u32, number: u32) {
    spot[i / 2u] = select(spot[i / 2u] | (number << 16u), number, i % 2u == 0u);
}
