// key: from the bits of a key to its image, an unsigned integer in the same order.
//
// unsigned: the bits. signed: sign bit flipped. float: all bits of a negative, the sign bit of
// others flipped, then the image of -inf subtracted, so that -inf comes first and the negative
// NaNs wrap round to behind the positive ones. Descending: all bits of that inverted.
// Floats stay integers throughout: WGSL lets an implementation ignore NaNs, infinities and -0.

override KEY_KIND: u32;     // 0 unsigned, 1 signed, 2 float
override KEY_WORDS: u32;    // 1 or 2 words of 32 bits
override DESCENDING: bool;

// key: low word, high word (0 for a key of one word).
fn key_image(key: vec2<u32>) -> vec2<u32> {
    var image = key;
    if (KEY_WORDS == 1u) {
        if (KEY_KIND == 1u) {
            image.x = key.x ^ 0x80000000u;
        }
        if (KEY_KIND == 2u) {
            image.x = (key.x ^ select(0x80000000u, 0xffffffffu, key.x >= 0x80000000u)) - 0x007fffffu;
        }
    } else {
        if (KEY_KIND == 1u) {
            image.y = key.y ^ 0x80000000u;
        }
        if (KEY_KIND == 2u) {
            let negative = key.y >= 0x80000000u;
            let low = (key.x ^ select(0u, 0xffffffffu, negative)) + 1u;
            let high = key.y ^ select(0x80000000u, 0xffffffffu, negative);
            // Subtracting 0x000fffffffffffff is adding 0xfff0000000000001.
            image = vec2<u32>(low, high + 0xfff00000u + select(0u, 1u, low == 0u));
        }
    }
    if (DESCENDING) {
        image = ~image;
    }
    return image;
}

// The bits of the key's image from `shift` on, under `mask`; a digit may straddle the two words.
fn key_digit(key: vec2<u32>, shift: u32, mask: u32) -> u32 {
    let image = key_image(key);
    if (KEY_WORDS == 1u) {
        return (image.x >> (shift & 31u)) & mask;
    }
    if (shift >= 32u) {
        return (image.y >> (shift & 31u)) & mask;
    }
    let high = select(image.y << ((32u - shift) & 31u), 0u, shift == 0u);
    return ((image.x >> (shift & 31u)) | high) & mask;
}
