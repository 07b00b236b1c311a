// onesweep_histogram: where the keys of each digit go, for all passes, from one read of the keys.
//
//@use count image key sum lane_portable
//
//     bins       | copy 0: pass 0: digit 0, digit 1, … | pass 1: … | one word left out | copy 1: … |
//                                                              keys that the workgroup has seen
//     starts     | the same order |                              keys of lower digits, of all workgroups
//     table      | tile 0: a word a digit | tile 1: … |          for onesweep_scatter
//
// A workgroup takes every so many-th stretch of GROUP_SIZE * ITEMS keys and counts their digits in its own
// memory. Then it adds to the start of each digit what it has seen of lower ones: sums of prefix sums are
// the prefix sums of all, and nobody needs to scan totals.
// Where most keys have the same few digits, additions to one word wait for each other: so neighbours add to
// different copies, which lie in different banks.
// Digits are of nearly equal width, the lowest first; the first `wider` of them have a bit more.
// Counters are as onesweep_begin leaves them. The table becomes 0, for scratch holds anything.
// Reads each key once, writes a word a digit and tile.

override GROUP_SIZE: u32 = 256u; // at least DIGITS
override PASSES: u32 = 4u;       // 1 to 8
override BINS: u32 = 1024u;      // PASSES * DIGITS
override COPIES: u32 = 2u;       // of counters
override COPY_WORDS: u32 = BINS + 1u;
override BIN_COUNT: u32 = COPIES * COPY_WORDS;
const DIGITS: u32 = 256u;

struct Params {
    max_count: u32,
    shift: u32, // of the first digit
    width: u32, // bits of a digit
    wider: u32,
    starts: u32, // where in counters
    tile_items: u32, // of onesweep_scatter
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> table: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;

var<workgroup> bins: array<atomic<u32>, BIN_COUNT>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;

fn count_digit(local: u32, image: vec2<u32>, pass_number: u32, exists: bool) {
    let shift = params.shift + pass_number * params.width + min(pass_number, params.wider);
    let width = params.width + select(0u, 1u, pass_number < params.wider);
    let digit = image_digit(image, shift, (1u << width) - 1u);
    let bin = pass_number * DIGITS + select(local & (DIGITS - 1u), digit, exists);
    atomicAdd(&bins[local % COPIES * COPY_WORDS + bin], select(0u, 1u, exists));
}

// Nothing branches on whether a key exists. What does not adds nothing, each invocation to another bin.
fn count_digits(local: u32, image: vec2<u32>, exists: bool) {
    count_digit(local, image, 0u, exists);
    if (PASSES > 1u) { count_digit(local, image, 1u, exists); }
    if (PASSES > 2u) { count_digit(local, image, 2u, exists); }
    if (PASSES > 3u) { count_digit(local, image, 3u, exists); }
    if (PASSES > 4u) { count_digit(local, image, 4u, exists); }
    if (PASSES > 5u) { count_digit(local, image, 5u, exists); }
    if (PASSES > 6u) { count_digit(local, image, 6u, exists); }
    if (PASSES > 7u) { count_digit(local, image, 7u, exists); }
}

fn count_stretch(local: u32, first: u32, held: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = (first + min(i * GROUP_SIZE + local, held - 1u)) * KEY_WORDS;
        low[i] = keys[at];
        if (KEY_WORDS == 2u) {
            high[i] = keys[at + 1u];
        }
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let image = key_image(vec2<u32>(low[i], high[i]));
        count_digits(local, image, i * GROUP_SIZE + local < held);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn onesweep_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let stretches = div_ceil(element_total, GROUP_SIZE * ITEMS);
    let groups = grid.group_count.x * grid.group_count.y;
    if (group_number(grid) >= stretches) {
        return;
    }
    // 1. Clear. A workgroup of each stretch, or all of them, clear the table together.
    for (var i = local; i < BIN_COUNT; i += GROUP_SIZE) {
        atomicStore(&bins[i], 0u);
    }
    let table_words = div_ceil(element_total, params.tile_items) * DIGITS;
    let busy = min(groups, stretches);
    for (var i = group_number(grid) * GROUP_SIZE + local; i < table_words; i += busy * GROUP_SIZE) {
        table[i] = 0u;
    }
    workgroupBarrier();

    // 2. Count.
    for (var stretch = group_number(grid); stretch < stretches; stretch += groups) {
        let first = stretch * (GROUP_SIZE * ITEMS);
        count_stretch(local, first, min(GROUP_SIZE * ITEMS, element_total - first));
    }
    workgroupBarrier();

    // 3. Add up.
    for (var pass_number = 0u; pass_number < PASSES; pass_number++) {
        var counted = 0u;
        if (local < DIGITS) {
            for (var copy = 0u; copy < BIN_COUNT; copy += COPY_WORDS) {
                counted += atomicLoad(&bins[copy + pass_number * DIGITS + local]);
            }
        }
        let before = group_exclusive(local, counted).x;
        if (local < DIGITS && before > 0u) {
            atomicAdd(&counters[params.starts + pass_number * DIGITS + local], before);
        }
    }
}
