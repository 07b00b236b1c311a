// image: from the bits of a key to its image, an unsigned integer in the same order, and back.
//
// unsigned: the bits. signed: sign bit flipped. float: all bits of a negative, the sign bit of
// others flipped, then the image of -inf subtracted, so that -inf comes first and the negative
// NaNs wrap round to behind the positive ones. Descending: all bits of that inverted.
// Floats stay integers throughout: WGSL lets an implementation ignore NaNs, infinities and -0.
//
// A word's kind: 0 unsigned, 1 signed, 2 float; plus 4: descending.

// The kind is a constant to callers of word_image and word_bits. Branches on it are cut by every compiler;
// lavapipe keeps selects, and then takes a third longer for a radix sort.

fn word_image(bits: u32, kind: u32) -> u32 {
    var image = bits;
    if ((kind & 3u) == 1u) {
        image = bits ^ 0x80000000u;
    }
    if ((kind & 3u) == 2u) {
        image = (bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u)) - 0x007fffffu;
    }
    if ((kind & 4u) != 0u) {
        image = ~image;
    }
    return image;
}

fn word_bits(image: u32, kind: u32) -> u32 {
    var bits = image;
    if ((kind & 4u) != 0u) {
        bits = ~bits;
    }
    if ((kind & 3u) == 1u) {
        bits ^= 0x80000000u;
    }
    if ((kind & 3u) == 2u) {
        bits += 0x007fffffu;
        bits ^= select(0xffffffffu, 0x80000000u, bits >= 0x80000000u);
    }
    return bits;
}

// The same where the kind is known only when the kernel runs: branches that stay cost an H200 up to 28 % of
// the time of a network.

fn word_image_of_kind(bits: u32, kind: u32) -> u32 {
    let float = (bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u)) - 0x007fffffu;
    var image = select(bits, bits ^ 0x80000000u, (kind & 3u) == 1u);
    image = select(image, float, (kind & 3u) == 2u);
    return select(image, ~image, (kind & 4u) != 0u);
}

fn word_bits_of_kind(image: u32, kind: u32) -> u32 {
    let plain = select(image, ~image, (kind & 4u) != 0u);
    let shifted = plain + 0x007fffffu;
    let float = shifted ^ select(0xffffffffu, 0x80000000u, shifted >= 0x80000000u);
    let bits = select(plain, plain ^ 0x80000000u, (kind & 3u) == 1u);
    return select(bits, float, (kind & 3u) == 2u);
}

// A double's words: x high, y low.
fn double_image(bits: vec2<u32>, kind: u32) -> vec2<u32> {
    let negative = bits.x >= 0x80000000u;
    let low = (bits.y ^ select(0u, 0xffffffffu, negative)) + 1u;
    let high = bits.x ^ select(0x80000000u, 0xffffffffu, negative);
    // Subtracting 0x000fffffffffffff is adding 0xfff0000000000001.
    var image = vec2<u32>(high + 0xfff00000u + select(0u, 1u, low == 0u), low);
    if ((kind & 4u) != 0u) {
        image = ~image;
    }
    return image;
}

fn double_bits(image: vec2<u32>, kind: u32) -> vec2<u32> {
    var ascending = image;
    if ((kind & 4u) != 0u) {
        ascending = ~image;
    }
    let high = ascending.x - 0xfff00000u - select(0u, 1u, ascending.y == 0u);
    let low = ascending.y - 1u;
    let negative = high < 0x80000000u;
    return vec2<u32>(high ^ select(0x80000000u, 0xffffffffu, negative),
                     low ^ select(0u, 0xffffffffu, negative));
}
