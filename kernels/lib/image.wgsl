// image: from the bits of a key to its image, an unsigned integer in the same order, and back.
//
// unsigned: the bits. signed: sign bit flipped. float: all bits of a negative, the sign bit of
// others flipped, then the image of -inf subtracted, so that -inf comes first and the negative
// NaNs wrap round to behind the positive ones. Descending: all bits of that inverted.
// Floats stay integers throughout: WGSL lets an implementation ignore NaNs, infinities and -0.
//
// A word's kind: 0 unsigned, 1 signed, 2 float; plus 4: descending.

fn word_image(bits: u32, kind: u32) -> u32 {
    let negative = bits >= 0x80000000u;
    let float = (bits ^ select(0x80000000u, 0xffffffffu, negative)) - 0x007fffffu;
    var image = select(bits, bits ^ 0x80000000u, (kind & 3u) == 1u);
    image = select(image, float, (kind & 3u) == 2u);
    return select(image, ~image, (kind & 4u) != 0u);
}

fn word_bits(image: u32, kind: u32) -> u32 {
    let ascending = select(image, ~image, (kind & 4u) != 0u);
    let float = ascending + 0x007fffffu;
    let bits = select(ascending, ascending ^ 0x80000000u, (kind & 3u) == 1u);
    return select(bits, float ^ select(0xffffffffu, 0x80000000u, float >= 0x80000000u),
                  (kind & 3u) == 2u);
}

// A double's words: x high, y low.
fn double_image(bits: vec2<u32>, kind: u32) -> vec2<u32> {
    let negative = bits.x >= 0x80000000u;
    let low = (bits.y ^ select(0u, 0xffffffffu, negative)) + 1u;
    let high = bits.x ^ select(0x80000000u, 0xffffffffu, negative);
    // Subtracting 0x000fffffffffffff is adding 0xfff0000000000001.
    let image = vec2<u32>(high + 0xfff00000u + select(0u, 1u, low == 0u), low);
    return select(image, ~image, (kind & 4u) != 0u);
}

fn double_bits(image: vec2<u32>, kind: u32) -> vec2<u32> {
    let ascending = select(image, ~image, (kind & 4u) != 0u);
    let high = ascending.x - 0xfff00000u - select(0u, 1u, ascending.y == 0u);
    let low = ascending.y - 1u;
    let negative = high < 0x80000000u;
    return vec2<u32>(high ^ select(0x80000000u, 0xffffffffu, negative),
                     low ^ select(0u, 0xffffffffu, negative));
}
