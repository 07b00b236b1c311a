// histogram: count elements by bins.
//
//@use count image bin
//
//     elements   | tile 0 | tile 1 | …                 tile_items each; a workgroup counts a tile
//     counts     | bin 0 … | below | above | NaN |     zero before; all workgroups add to them
//
//     workgroup memory   | range_bins + 3 counts, COPIES of each, side by side |
//                        | the table of edges, if staged |
//
//     histogram_window   bins are a window of bits of the image's offset from `first`
//     histogram_table    bins are found by the table of edges, see lib/bin
//
// Neighbouring invocations add to different copies, so that many like elements do not wait for one
// word. More bins than fit are counted by `range_count` workgroups to a tile, each taking the
// elements of its own range of bins; the first one also takes those outside. Such workgroups are
// neighbours, so the tile comes from device memory once, and the time does not depend on how
// elements are distributed.
// Reads each element range_count times; adds range_bins words a workgroup at most.

override CELLS: u32;        // (range_bins + EXTRA) * COPIES
override STAGED_WORDS: u32; // bin_count + 1 if the table is staged, else 1
override GROUP_SIZE: u32 = 256u;
override COPIES: u32;       // a power of two
override RANGED: bool;      // range_count > 1, and then one copy
override TRUST: u32;        // guesses of even bins: 0 never, 1 away from edges, 2 always
override RISING: bool;      // bits of elements inside rise with them: none is a negative float

const EXTRA: u32 = 3u; // counts of what is in no bin
const NOWHERE: u32 = 0xffffffffu;

struct Params {
    max_count: u32,
    bin_count: u32,
    tile_items: u32,  // a multiple of GROUP_SIZE * ITEMS
    range_bins: u32,  // of each range but the last, which may have fewer
    range_count: u32,
    first: u32,
    span: u32,        // images from `first` to the greatest in a bin
    scale: u32,       // of even bins: guesses, see lib/bin
    origin: u32,
    shift: u32,       // bits below a bin's number, in a window or in a guess
    mask: u32,        // of a window: the number's bits; of guesses: the bits below
    left: u32,        // bits above a window
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> elements: array<u32>;
@group(0) @binding(4) var<storage, read_write> edges: array<u32>; // histogram_table

var<workgroup> cells: array<atomic<u32>, CELLS>;
var<workgroup> staged: array<u32, STAGED_WORDS>;

var<private> held: array<u32, ITEMS>;

// What this workgroup counts.
var<private> tile_first: u32;
var<private> tile_end: u32;
var<private> range: u32;
var<private> range_first: u32; // its first bin,
var<private> range_end: u32;   // the one after its last,
var<private> lower: u32;       // the edge before them: of windows from `first` on,
var<private> upper: u32;       // and the one behind: of windows the greatest offset from `lower`
var<private> copy: u32;        // of each cell, this invocation's

fn bin_edge(i: u32) -> u32 {
    if (STAGED_WORDS > 1u) {
        return staged[i];
    }
    return edges[i];
}

// False: the workgroup has no elements.
fn begin(local: u32, grid: Grid) -> bool {
    let element_total = element_count(params.max_count);
    let tile = group_number(grid) / params.range_count;
    if (tile >= div_ceil(element_total, params.tile_items)) {
        return false;
    }
    tile_first = tile * params.tile_items;
    tile_end = tile_first + min(params.tile_items, element_total - tile_first);
    range = group_number(grid) % params.range_count;
    range_first = range * params.range_bins;
    range_end = min(range_first + params.range_bins, params.bin_count);
    copy = local & (COPIES - 1u);
    for (var cell = local; cell < CELLS; cell += GROUP_SIZE) {
        atomicStore(&cells[cell], 0u);
    }
    return true;
}

fn add_row(row: u32) {
    atomicAdd(&cells[row * COPIES + copy], 1u);
}

// Count one more in a word of `counts`, if that is this workgroup's.
fn add(word: u32) {
    var row = word;
    if (RANGED) {
        if (word >= params.bin_count) {
            row = select(NOWHERE, params.range_bins + word - params.bin_count,
                         range == 0u && word != NOWHERE);
        } else {
            row = select(NOWHERE, word - range_first, word - range_first < params.range_bins);
        }
        if (row == NOWHERE) { return; }
    }
    add_row(row);
}

fn load_chunk(first: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        held[i] = elements[first + i * GROUP_SIZE];
    }
}

fn write_counts(local: u32) {
    workgroupBarrier();
    for (var row = local; row < params.range_bins + EXTRA; row += GROUP_SIZE) {
        var sum = 0u;
        for (var i = 0u; i < COPIES; i++) {
            sum += atomicLoad(&cells[row * COPIES + i]);
        }
        if (sum != 0u) {
            let word = select(params.bin_count + row - params.range_bins, range_first + row,
                              row < params.range_bins);
            atomicAdd(&counts[word], sum);
        }
    }
}

// ---- Windows ------------------------------------------------------------------------------------

fn begin_window() {
    lower = 0u;
    upper = params.span;
    if (RANGED) {
        lower = range_first << params.shift;
        upper = ((range_end - range_first) << params.shift) - 1u;
    }
}

fn count_in_window(bits: u32) {
    let image = word_image(bits, TYPE_KIND);
    let offset = (image - params.first) << params.left;
    if (offset - lower <= upper) {
        add_row(((offset - lower) >> params.shift) & params.mask);
    } else if (offset > params.span) {
        add(params.bin_count + select(ABOVE, BELOW, image < params.first));
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn histogram_window(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (!begin(local, grid)) {
        return;
    }
    workgroupBarrier();
    begin_window();
    var first = tile_first;
    for (; tile_end - first >= GROUP_SIZE * ITEMS; first += GROUP_SIZE * ITEMS) {
        load_chunk(first + local);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            count_in_window(held[i]);
        }
    }
    for (var i = local; i < tile_end - first; i += GROUP_SIZE) {
        count_in_window(elements[first + i]);
    }
    write_counts(local);
}

// ---- Tables -------------------------------------------------------------------------------------

// The bin of an element that is inside, or NOWHERE if another workgroup looks for it. Edges that
// are not sorted must not make two workgroups count an element, or none: so all take the same path
// to its range.
fn ranged_bin(bits: u32, image: u32) -> u32 {
    if (METHOD != SEARCH) {
        if (image - lower >= upper - lower) { return NOWHERE; }
        return bin_of_even(bits, image);
    }
    var own = 0u;
    var end = params.range_count;
    while (end - own > 1u) {
        let middle = (own + end) / 2u;
        if (bin_edge(middle * params.range_bins) <= image) {
            own = middle;
        } else {
            end = middle;
        }
    }
    if (own != range) { return NOWHERE; }
    return bin_search(image, range_first, range_end);
}

fn table_word(bits: u32) -> u32 {
    let image = word_image(bits, TYPE_KIND);
    let side = bin_side(image);
    if (side != INSIDE) {
        return params.bin_count + side;
    }
    if (RANGED) {
        return ranged_bin(bits, image);
    }
    if (METHOD == SEARCH) {
        return bin_search(image, 0u, params.bin_count);
    }
    return bin_of_even(bits, image);
}

// A trusted guess is right although floats are rounded. Where it is a power of two times the
// element, nothing is. Else the planner sees to it that all roundings move it by less than 1, and
// the lowest and the highest of the places in a bin are not trusted. False: not counted.
fn count_trusted(bits: u32) -> bool {
    let place = bin_place(bits, bits - params.origin);
    let bin = place >> params.shift;
    var inside = bits - params.origin < params.span;
    if (!RISING) {
        inside = (bits << 1u) <= 0xff000000u && bin < params.bin_count;
    }
    let trusted = inside && (TRUST == 2u || (place & params.mask) - 1u < params.mask - 1u);
    if (trusted && (!RANGED || bin - range_first < params.range_bins)) {
        add_row(bin - range_first);
    }
    return trusted;
}

// A chunk that is held. What is not trusted is rare, and read again, so that its code stands once.
fn count_chunk(first: u32) {
    if (TRUST == 0u) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            add(table_word(held[i]));
        }
        return;
    }
    var left_over = 0u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        left_over |= select(1u << i, 0u, count_trusted(held[i]));
    }
    if (left_over != 0u) {
        for (var i = 0u; i < ITEMS; i++) {
            if (((left_over >> i) & 1u) != 0u) {
                add(table_word(elements[first + i * GROUP_SIZE]));
            }
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn histogram_table(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (!begin(local, grid)) {
        return;
    }
    if (STAGED_WORDS > 1u) {
        for (var i = local; i <= params.bin_count; i += GROUP_SIZE) {
            staged[i] = edges[i];
        }
    }
    workgroupBarrier();
    bin_begin();
    lower = bin_edge(range_first);
    upper = bin_edge(range_end);
    var first = tile_first;
    for (; tile_end - first >= GROUP_SIZE * ITEMS; first += GROUP_SIZE * ITEMS) {
        load_chunk(first + local);
        count_chunk(first + local);
    }
    for (var i = local; i < tile_end - first; i += GROUP_SIZE) {
        add(table_word(elements[first + i]));
    }
    write_counts(local);
}
