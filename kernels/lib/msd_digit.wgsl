// msd_digit: the digit of a key in its bucket. Uses key, msd.
//
// Of most buckets that is bits of the image. Floats that are spread evenly over an interval around or beside 0
// are not so in their images, half of which have one exponent, and as many every other below. Of such keys,
// as a sample says, the root's digit is that of a fixed-point number:
//
//     significand of a magnitude | 1.mmm…   |      of the greatest exponent
//                                |  1.mmm…  |      … one less
//                                |   1.mmm… |      … and so on: shifted by what the exponent is less
//     digit                      | ^^^^^ |         its highest bits; of negative keys mirrored, below those of positive ones
//
//     digits of [0, 1)           | 0: [0, 1/256) and all that is less | 1: [1/256, 2/256) | … | 255: [255/256, 1) and all that is more |
//     of [-1, 1)                 | … | 127: [-1/128, -0] | 128: [+0, 1/128) | … |
//
// Digits never fall as images rise, over all images: magnitudes of a greater exponent count as the greatest, and
// where only one sign is expected keys of the other one have its digit nearest to them. So any keys may be
// sorted by it, and a child holds the keys of an interval of images. These have no highest bits in common, but
// are less than 2^left apart from the least image, from which the child's buckets count (Tile.base).
//
//     form     | 8: the greatest exponent, 8 to 253 | 2: halves of the digits that negative keys have: 0, 1, 2 |
//
// A digit is found by an addition of floats, and yet is the same wherever it is taken, however a device rounds.
// Magnitudes are cut to nine significant bits and clamped before, as integers, so that they are finite. Then a
// power of two, more than all of them, is added, which puts a digit's bits at the top of the sum's fraction:
//
//     1 + 0.40625      | 1.01101000 000000000000000 |      the sum has 23 bits of fraction
//     digit, of 8 bits |   ^^^^^^^^                        0.40625 * 256 = 104
//
// With the power 1: from 2^-15 on the last of nine bits is one of the sum's, which so is exact. What is less
// gives a sum from 1 to 1 + 2^-15, as both are representable, in any rounding, and so digit 0.

const IMAGE_OF_ZERO: u32 = 0x7f800001u; // of a float, ascending; magnitudes lie on both sides
const HIDDEN_BIT: u32 = 0x00800000u;    // of a significand
const CUT: u32 = 0x7fff8000u;           // a magnitude's exponent and eight bits of its fraction

struct Fixed {
    most: u32,          // of a magnitude
    power: u32,         // the float that is added
    shift: u32,         // of the sum
    kept: vec2<u32>,    // x: bits of the sum that are a positive key's digit, y: a negative one's
    flipped: vec2<u32>, // of these
}

// How many children hold negative keys.
fn negative_children(tile: Tile) -> u32 {
    return ((tile.form >> 8u) << tile.bits) / 2u;
}

fn fixed_of(tile: Tile) -> Fixed {
    let exponent = tile.form & 0xffu;
    let negative = negative_children(tile);
    let last = (1u << tile.bits) - 1u;
    let all = (1u << (24u - tile.shift)) - 1u;
    let order = select(0u, last, DESCENDING);
    return Fixed((exponent << 23u) | (CUT & (HIDDEN_BIT - 1u)), (exponent + 1u) << 23u, tile.shift - 1u,
                 vec2<u32>(select(all, 0u, negative > last), select(all, 0u, negative == 0u)),
                 vec2<u32>(min(negative, last), max(negative, 1u) - 1u) ^ vec2<u32>(order));
}

// Negative NaNs come after all positive keys.
fn fixed_digit(key: u32, fixed: Fixed) -> u32 {
    let magnitude = min(key & CUT, fixed.most);
    let digit = bitcast<u32>(bitcast<f32>(magnitude) + bitcast<f32>(fixed.power)) >> fixed.shift;
    let negative = (key ^ 0x80000000u) <= 0x7f800000u;
    return (digit & select(fixed.kept.x, fixed.kept.y, negative)) ^
           select(fixed.flipped.x, fixed.flipped.y, negative);
}

// The digit of a bucket that has no form.
fn bucket_digit(key: vec2<u32>, tile: Tile) -> u32 {
    var image = key_image(key);
    if (FIXED_ROOT) {
        image.x -= tile.base;
    }
    return image_digit(image, tile.shift, (1u << tile.bits) - 1u);
}

var<private> digits: array<u32, ITEMS>; // of an invocation's keys, if FIXED_ROOT

// Of keys that may have a form, whose words are in the kernel's array `low`: loops of their own, so that no key
// asks.
fn find_digits(tile: Tile) {
    if (tile.form == 0u) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            digits[i] = bucket_digit(vec2<u32>(low[i], 0u), tile);
        }
    } else {
        let fixed = fixed_of(tile);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            digits[i] = fixed_digit(low[i], fixed);
        }
    }
}

// The digit of item i: as find_digits has left it, or the key's.
fn digit_of(i: u32, key: vec2<u32>, tile: Tile) -> u32 {
    if (FIXED_ROOT) {
        return digits[i];
    }
    return bucket_digit(key, tile);
}

// The magnitude where so many digits end, of at least one and less than all.
fn magnitude_after(digits: u32, tile: Tile) -> u32 {
    var significand = digits << tile.shift;
    var exponent = tile.form & 0xffu;
    while (significand < HIDDEN_BIT) {
        significand <<= 1u;
        exponent--;
    }
    return (exponent << 23u) | (significand & (HIDDEN_BIT - 1u));
}

fn least_ascending(child: u32, tile: Tile) -> u32 {
    let negative = negative_children(tile);
    if (child == 0u || child >= (1u << tile.bits)) {
        return 0u;
    }
    if (child == negative) {
        return IMAGE_OF_ZERO;
    }
    if (child > negative) {
        return IMAGE_OF_ZERO + magnitude_after(child - negative, tile);
    }
    return IMAGE_OF_ZERO - magnitude_after(negative - child, tile);
}

// The least image that a child of a fixed-point root may have. Of one behind the last that is 2^32: 0.
fn least_of_child(child: u32, tile: Tile) -> u32 {
    if (DESCENDING) {
        return 0u - least_ascending((1u << tile.bits) - child, tile);
    }
    return least_ascending(child, tile);
}
