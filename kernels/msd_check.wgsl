// msd_check: look at every key for what msd_begin's sample has promised, if anything.
//
//@use count image key wide msd msd_digit msd_count
//
// A promise is withdrawn where a key does not keep it: one that is out of order with its successor, or
// outside the root's range. If a range is promised, the root's digit is counted besides, into the second
// record: where the range holds nothing need be counted again.
// Reads KEY_WORDS words a key; of a promised order also the successor, which is near by then.

override GROUP_SIZE: u32 = 256u; // at least BINS
override BINS: u32 = 256u;       // at least the digits of the root

const LOOKS: u32 = 8u; // tiles between looks at what others have found

var<private> next_low: array<u32, ITEMS>;
var<private> next_high: array<u32, ITEMS>;

var<private> base: vec2<u32>;
var<private> zeros: vec2<u32>;

fn tile_to_check(local: u32, number: u32, root: u32) -> Tile {
    if (local == 0u) {
        shared_tile = root_tile(number, root);
    }
    return workgroupUniformLoad(&shared_tile);
}

fn breaks_range(image: vec2<u32>) -> bool {
    if (KEY_WORDS == 1u) {
        return ((image.x - base.x) & zeros.x) != 0u;
    }
    let wrong = wide_subtract(image, base) & zeros;
    return (wrong.x | wrong.y) != 0u;
}

// Whether an image and its successor's are not in the promised order. Equal keys do not trade places where
// they can be told apart.
fn breaks_order(image: vec2<u32>, next: vec2<u32>, root: u32) -> bool {
    let falls = wide_less(next, image);
    let rises = wide_less(image, next);
    return select(rises | (STABLE & !falls), falls, (root & ROOT_ASCENDING) != 0u);
}

// Of keys that are loaded. Past the end of the tile its last key is looked at again.
fn check_range(local: u32) {
    var broken = false;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        broken = broken | breaks_range(key_image(vec2<u32>(low[i], high[i])));
    }
    if (broken) {
        atomicOr(&work[ROOT], ROOT_BROKEN);
    }
}

// The last key of all has no successor.
fn check_order(local: u32, tile: Tile, done: u32, root: u32) {
    let last = element_count(params.max_count) - 1u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let next = min(tile.first + min(done + i * GROUP_SIZE + local, tile.held - 1u) + 1u, last);
        next_low[i] = keys[next * KEY_WORDS];
        if (KEY_WORDS == 2u) {
            next_high[i] = keys[next * KEY_WORDS + 1u];
        }
    }
    var broken = false;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = tile.first + min(done + i * GROUP_SIZE + local, tile.held - 1u) < last;
        let breaks = breaks_order(key_image(vec2<u32>(low[i], high[i])),
                                  key_image(vec2<u32>(next_low[i], next_high[i])), root);
        broken = broken | (breaks & exists);
    }
    if (broken) {
        atomicAnd(&work[ROOT], ~ROOT_ORDERED);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_check(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let groups = grid.group_count.x * grid.group_count.y;
    let first = group_number(grid);
    let root = load_root(local);
    if ((root & ROOT_PROMISES) == 0u) {
        return;
    }
    // The digit is that of the promise, even once that is known to be broken.
    let ranged = (root & ROOT_RANGED) != 0u;
    let digit = select(planned_root(), root & ~ROOT_BROKEN, ranged);
    base = control_pair(BASE);
    zeros = control_pair(ZEROS);
    var left = root;
    var tile = tile_to_check(local, first, digit);
    if (tile.held == 0u) {
        return;
    }
    clear_bins(local);
    for (var number = first; tile.held > 0u; number += groups) {
        for (var done = 0u; done < tile.held; done += GROUP_SIZE * ITEMS) {
            load_part(local, tile, done);
            if (ranged) {
                count_part(local, tile, done);
                check_range(local);
            }
            if ((left & ROOT_ORDERED) != 0u) {
                check_order(local, tile, done, root);
            }
        }
        if (number / groups % LOOKS == 0u) {
            left = load_root(local);
        }
        // Nothing is left to check, nor of use to count.
        let idle = (left & ROOT_ORDERED) == 0u && (!ranged || (left & ROOT_BROKEN) != 0u);
        let next = tile_to_check(local, select(number + groups, NO_TILE, idle), digit);
        if (ranged) {
            take_bins(local, tile, next);
        }
        tile = next;
    }
}
