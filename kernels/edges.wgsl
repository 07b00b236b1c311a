// edges: the edges of bins, as images, and counts set to zero.
//
//@use count image
//
//     table    | edge 0 | edge 1 | … | edge bin_count |    images, modulo 2^32
//     counts   | bins, below, above, NaN |
//     given    | edges of the caller's, as the table |
//
//     edges_clear         counts = 0
//     edges_even          table = edges of even bins
//     edges_even_clear    both
//     edges_given_clear   table = images of given edges; counts = 0
//
// Edge i of even bins is (lo * (bin_count - i) + hi * i) / bin_count, where lo and hi are multiples
// of a unit, signed, of 96 bits. It is computed in integers, and so the same on every device.
// Integers: the unit is 1, lo is 0, edges are rounded up and added to the image `first`.
// Floats: the unit is 2^(unit - UNIT_BIAS), edges are rounded to nearest, ties to even, and an edge
// of zero is -0. Edges 0 and bin_count are the images `first` and `last`.
// Numbers are in digits of 16 bits, lowest first, so that products and remainders fit a word.
// An invocation writes ITEMS words of each; none depends on the count of the run.

override GROUP_SIZE: u32 = 256u;
override TYPE_KIND: u32; // 0 unsigned, 1 signed, 2 float

struct Params {
    max_count: u32,
    bin_count: u32,
    first: u32,
    last: u32, // modulo 2^32
    lo_0: u32, // lowest word
    lo_1: u32,
    lo_2: u32,
    hi_0: u32,
    hi_1: u32,
    hi_2: u32,
    unit: u32, // 0: integers
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> table: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts_alone: array<u32>; // edges_clear
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> given: array<u32>;

const DIGITS: u32 = 7u;       // |lo * bin_count| + |hi * bin_count| < 2^100
const UNIT_BIAS: i32 = 256;

// Two more, which stay 0.
var<private> digits: array<u32, 9>;

// digits = lo * a + hi * b, in two's complement; a, b < 2^16.
fn combine_ends(a: u32, b: u32) {
    var lo = array<u32, 4>(params.lo_0, params.lo_1, params.lo_2, 0u);
    var hi = array<u32, 4>(params.hi_0, params.hi_1, params.hi_2, 0u);
    lo[3] = select(0u, 0xffffffffu, lo[2] >= 0x80000000u);
    hi[3] = select(0u, 0xffffffffu, hi[2] >= 0x80000000u);
    var carry = 0u;
    for (var i = 0u; i < DIGITS; i++) {
        let shift = (i & 1u) * 16u;
        let x = ((lo[i / 2u] >> shift) & 0xffffu) * a;
        let y = ((hi[i / 2u] >> shift) & 0xffffu) * b;
        let sum = (x & 0xffffu) + (y & 0xffffu) + carry;
        digits[i] = sum & 0xffffu;
        carry = (x >> 16u) + (y >> 16u) + (sum >> 16u);
    }
}

fn negate() {
    var carry = 1u;
    for (var i = 0u; i < DIGITS; i++) {
        let sum = (digits[i] ^ 0xffffu) + carry;
        digits[i] = sum & 0xffffu;
        carry = sum >> 16u;
    }
}

// Divide the digits by at most 2^16; returns the remainder.
fn divide(divisor: u32) -> u32 {
    var remainder = 0u;
    for (var i = 0u; i < DIGITS; i++) {
        let at = DIGITS - 1u - i;
        let part = (remainder << 16u) | digits[at];
        digits[at] = part / divisor;
        remainder = part % divisor;
    }
    return remainder;
}

fn bit_length() -> u32 {
    var length = 0u;
    for (var i = 0u; i < DIGITS; i++) {
        if (digits[i] != 0u) {
            var filled = digits[i];
            filled |= filled >> 1u;
            filled |= filled >> 2u;
            filled |= filled >> 4u;
            filled |= filled >> 8u;
            length = i * 16u + countOneBits(filled);
        }
    }
    return length;
}

// The 32 bits from bit `at` < 96 on.
fn bits_from(at: u32) -> u32 {
    let i = at / 16u;
    let shift = at % 16u;
    let low = digits[i] | (digits[i + 1u] << 16u);
    return (low >> shift) | ((digits[i + 2u] << 1u) << (31u - shift));
}

fn any_below(at: u32) -> bool {
    var found = 0u;
    for (var i = 0u; i < at / 16u; i++) {
        found |= digits[i];
    }
    return (found | (digits[at / 16u] & ((1u << (at % 16u)) - 1u))) != 0u;
}

// The float nearest to the digits and a rest, in units, without its sign.
fn round_float(rest: bool) -> u32 {
    let unit = i32(params.unit) - UNIT_BIAS;
    let length = bit_length(); // 0, or at least 26: the planner's unit is that small
    if (length == 0u) {
        return 0u;
    }
    let lowest = max(unit + i32(length) - 24, -149); // exponent of the lowest bit that is kept
    let dropped = u32(lowest - unit);
    let kept = bits_from(dropped);
    let half = bits_from(dropped - 1u) & 1u;
    let more = rest || any_below(dropped - 1u);
    let rounded = kept + (half & (select(0u, 1u, more) | kept));
    // A mantissa's top bit adds 1 to the exponent, as does rounding up to a power of two.
    return (u32(lowest + 149) << 23u) + rounded;
}

fn even_edge(i: u32) -> u32 {
    if (i == 0u) {
        return params.first;
    }
    if (i >= params.bin_count) {
        return params.last;
    }
    combine_ends(params.bin_count - i, i);
    let negative = digits[DIGITS - 1u] >= 0x8000u;
    if (negative) {
        negate();
    }
    let rest = divide(params.bin_count) != 0u;
    if (params.unit == 0u) {
        return params.first + (digits[0] | (digits[1] << 16u)) + select(0u, 1u, rest);
    }
    let magnitude = round_float(rest);
    return word_image(magnitude | select(0u, 0x80000000u, negative || magnitude == 0u), 2u);
}

const EXTRA: u32 = 3u; // counts behind those of bins

fn first_word(local: u32, grid: Grid) -> u32 {
    return group_number(grid) * GROUP_SIZE * ITEMS + local;
}

fn write_even(local: u32, grid: Grid) {
    for (var i = 0u; i < ITEMS; i++) {
        let word = first_word(local, grid) + i * GROUP_SIZE;
        if (word <= params.bin_count) {
            table[word] = even_edge(word);
        }
    }
}

fn clear_counts(local: u32, grid: Grid) {
    for (var i = 0u; i < ITEMS; i++) {
        let word = first_word(local, grid) + i * GROUP_SIZE;
        if (word < params.bin_count + EXTRA) {
            counts[word] = 0u;
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn edges_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {
    for (var i = 0u; i < ITEMS; i++) {
        let word = first_word(local, grid) + i * GROUP_SIZE;
        if (word < params.bin_count + EXTRA) {
            counts_alone[word] = 0u;
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn edges_even(@builtin(local_invocation_index) local: u32, grid: Grid) {
    write_even(local, grid);
}

@compute @workgroup_size(GROUP_SIZE)
fn edges_even_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {
    write_even(local, grid);
    clear_counts(local, grid);
}

@compute @workgroup_size(GROUP_SIZE)
fn edges_given_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {
    for (var i = 0u; i < ITEMS; i++) {
        let word = first_word(local, grid) + i * GROUP_SIZE;
        if (word <= params.bin_count) {
            table[word] = word_image(given[word], TYPE_KIND);
        }
    }
    clear_counts(local, grid);
}
