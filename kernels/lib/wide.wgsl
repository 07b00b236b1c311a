// wide: numbers of 64 bits, x the low word, y the high one.

fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn wide_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn wide_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

// By up to 63 bits.
fn wide_left(a: vec2<u32>, by: u32) -> vec2<u32> {
    let rest = by & 31u;
    let carried = select(a.x >> ((32u - rest) & 31u), 0u, rest == 0u);
    let near = vec2<u32>(a.x << rest, (a.y << rest) | carried);
    return select(near, vec2<u32>(0u, near.x), by >= 32u);
}

fn wide_right(a: vec2<u32>, by: u32) -> vec2<u32> {
    let rest = by & 31u;
    let carried = select(a.y << ((32u - rest) & 31u), 0u, rest == 0u);
    let near = vec2<u32>((a.x >> rest) | carried, a.y >> rest);
    return select(near, vec2<u32>(near.y, 0u), by >= 32u);
}

fn word_width(word: u32) -> u32 {
    var bits = word | (word >> 1u);
    bits |= bits >> 2u;
    bits |= bits >> 4u;
    bits |= bits >> 8u;
    bits |= bits >> 16u;
    return countOneBits(bits);
}

// Bits up to the highest that is set: 0 for 0.
fn wide_width(a: vec2<u32>) -> u32 {
    return select(word_width(a.x), 32u + word_width(a.y), a.y > 0u);
}

// Zeros below the lowest bit that is set: 0 for 0.
fn wide_zeros(a: vec2<u32>) -> u32 {
    let low = countOneBits((a.x & (0u - a.x)) - 1u);
    let high = countOneBits((a.y & (0u - a.y)) - 1u);
    return select(select(0u, 32u + high, a.y > 0u), low, a.x > 0u);
}
