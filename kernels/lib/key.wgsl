// key: the image of a key of one number, and digits of it. Uses image.

override KEY_KIND: u32;     // 0 unsigned, 1 signed, 2 float
override KEY_WORDS: u32;    // 1 or 2 words of 32 bits
override DESCENDING: bool;

// key: low word, high word (0 for a key of one word).
fn key_image(key: vec2<u32>) -> vec2<u32> {
    let order = select(0u, 4u, DESCENDING);
    if (KEY_WORDS == 1u) {
        return vec2<u32>(word_image(key.x, KEY_KIND + order), 0u);
    }
    if (KEY_KIND == 2u) {
        return double_image(key.yx, order).yx;
    }
    return vec2<u32>(word_image(key.x, order), word_image(key.y, KEY_KIND + order));
}

// The key of an image.
fn key_bits(image: vec2<u32>) -> vec2<u32> {
    let order = select(0u, 4u, DESCENDING);
    if (KEY_WORDS == 1u) {
        return vec2<u32>(word_bits(image.x, KEY_KIND + order), 0u);
    }
    if (KEY_KIND == 2u) {
        return double_bits(image.yx, order).yx;
    }
    return vec2<u32>(word_bits(image.x, order), word_bits(image.y, KEY_KIND + order));
}

// The bits of an image from `shift` on, under `mask`; a digit may straddle the two words.
fn image_digit(image: vec2<u32>, shift: u32, mask: u32) -> u32 {
    if (KEY_WORDS == 1u) {
        return (image.x >> (shift & 31u)) & mask;
    }
    if (shift >= 32u) {
        return (image.y >> (shift & 31u)) & mask;
    }
    let high = select(image.y << ((32u - shift) & 31u), 0u, shift == 0u);
    return ((image.x >> (shift & 31u)) | high) & mask;
}

// A digit of the key's image. Images of one word that are greater than `last` count as that.
fn key_digit(key: vec2<u32>, shift: u32, mask: u32, last: u32) -> u32 {
    var image = key_image(key);
    if (KEY_WORDS == 1u) {
        image.x = min(image.x, last);
    }
    return image_digit(image, shift, mask);
}
