// bin: which bin an element is in. Uses image.
//
// Bin i holds the images from edge i up to, but not including, edge i + 1:
//
//     edges   | edge 0 | edge 1 | … | edge bin_count |     images, modulo 2^32
//
// The kernel gives fn bin_edge(i: u32) -> u32, which reads them, and params bin_count, first, span,
// scale, origin and shift. Only the last edge may be 2^32, stored as 0, so spans are differences.
//
// Even bins are guessed in floats and the guess is held against the edges, so that results never
// depend on how a device rounds: any guess gives the right bin.

override TYPE_KIND: u32; // of an element: 0 unsigned, 1 signed, 2 float
override METHOD: u32;    // 0 the guess is linear in the image, 1 in the float; 2 none, any edges

const SEARCH: u32 = 2u;
const INFINITY_IMAGE: u32 = 0xff000001u; // images above are NaNs

// What an element outside all bins is counted as, behind the bins.
const BELOW: u32 = 0u;
const ABOVE: u32 = 1u;
const NOT_A_NUMBER: u32 = 2u;
const INSIDE: u32 = 3u;

var<private> bin_first: u32; // edge 0
var<private> bin_span: u32;  // of all bins: even ones, less 1, since it may be 2^32

// To be called first.
fn bin_begin() {
    bin_first = params.first;
    bin_span = params.span;
    if (METHOD == SEARCH) {
        bin_first = bin_edge(0u);
        bin_span = bin_edge(params.bin_count) - bin_first;
    }
}

fn bin_side(image: u32) -> u32 {
    let offset = image - bin_first;
    if (METHOD == SEARCH) {
        if (offset < bin_span) { return INSIDE; }
    } else {
        if (offset <= bin_span) { return INSIDE; }
    }
    if (TYPE_KIND == 2u && image > INFINITY_IMAGE) { return NOT_A_NUMBER; }
    return select(ABOVE, BELOW, image < bin_first);
}

fn bin_holds(bin: u32, image: u32) -> bool {
    let lower = bin_edge(bin);
    return image - lower < bin_edge(bin + 1u) - lower;
}

// The last of the bins [low, high) whose edge is not above the image; the first if there is none.
fn bin_search(image: u32, low: u32, high: u32) -> u32 {
    var bin = low;
    var end = high;
    while (end - bin > 1u) {
        let middle = (bin + end) / 2u;
        if (bin_edge(middle) <= image) {
            bin = middle;
        } else {
            end = middle;
        }
    }
    return bin;
}

// Where an element lies among even bins, in 2^shift places a bin. `offset` is its image less the
// first edge, or the same of bits.
fn bin_place(bits: u32, offset: u32) -> u32 {
    var distance = bitcast<f32>(bits) - bitcast<f32>(params.origin);
    if (METHOD == 0u) {
        distance = f32(offset);
    }
    return u32(distance * bitcast<f32>(params.scale));
}

// The even bin of an element that is inside.
fn bin_of_even(bits: u32, image: u32) -> u32 {
    let place = bin_place(bits, image - bin_first);
    let guess = min(place >> params.shift, params.bin_count - 1u);
    if (bin_holds(guess, image)) {
        return guess;
    }
    // The image is not below edge 0, nor beyond the last one: the neighbour exists.
    let neighbour = select(guess + 1u, guess - 1u, image < bin_edge(guess));
    if (bin_holds(neighbour, image)) {
        return neighbour;
    }
    return bin_search(image, 0u, params.bin_count);
}
