// fold: how scans and reduces combine items.
//
// Items are combined as images (min and max of signed and floats become those of unsigned) and
// turned back when written. The kernel defines TYPE_KIND (0 u32, 1 i32, 2 f32) and OP (0 add, 1
// min, 2 max), and uses image.

// Bits to an unsigned integer whose order is the operator's, and back. Sums are of the bits.
fn image(bits: u32) -> u32 {
    if (OP == 0u || TYPE_KIND == 0u) {
        return bits;
    }
    return word_image(bits, TYPE_KIND);
}

fn bits_of(image_value: u32) -> u32 {
    if (OP == 0u || TYPE_KIND == 0u) {
        return image_value;
    }
    return word_bits(image_value, TYPE_KIND);
}

fn combine(a: u32, b: u32) -> u32 {
    if (OP == 1u) {
        return min(a, b);
    }
    if (OP == 2u) {
        return max(a, b);
    }
    if (TYPE_KIND == 2u) {
        return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));
    }
    return a + b;
}

// Changes nothing it is combined with: also -0 + -0 stays -0, and a NaN's minimum stays NaN.
fn identity() -> u32 {
    if (OP == 1u) {
        return 0xffffffffu;
    }
    if (OP == 0u && TYPE_KIND == 2u) {
        return 0x80000000u;
    }
    return 0u;
}

// What is written where nothing has been combined: the bits of 0, or of the type's extreme, +inf
// for the minimum of floats.
fn identity_bits() -> u32 {
    if (OP == 0u) {
        return 0u;
    }
    if (OP == 1u && TYPE_KIND == 2u) {
        return 0x7f800000u;
    }
    return bits_of(identity());
}
