// bound: places in the order of elements, by image and then by position, so that no two elements are equal.
//
// A bound is a vector: xy an image, the most significant word first, z a position. Uses key.

// The image of a key as it is compared: the most significant word first.
fn ordered(key: vec2<u32>) -> vec2<u32> {
    let image = key_image(key);
    return select(image, image.yx, KEY_WORDS == 2u);
}

fn is_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    if (KEY_WORDS == 1u) {
        return a.x < b.x;
    }
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

fn is_equal(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x == b.x && (KEY_WORDS == 1u || a.y == b.y);
}

fn is_before(image: vec2<u32>, position: u32, bound: vec3<u32>) -> bool {
    return is_less(image, bound.xy) || (is_equal(image, bound.xy) && position < bound.z);
}

// The least image that is not below the lower bound at a position. There is none, and the result wraps round to 0,
// where has_none_above says so.
fn least_image(low: vec3<u32>, position: u32) -> vec2<u32> {
    let next = select(0u, 1u, position < low.z);
    if (KEY_WORDS == 1u) {
        return vec2<u32>(low.x + next, 0u);
    }
    let y = low.y + next;
    return vec2<u32>(low.x + select(0u, next, y == 0u), y);
}

fn has_none_above(low: vec3<u32>, position: u32) -> bool {
    return position < low.z && is_equal(low.xy, vec2<u32>(0xffffffffu));
}

// The greatest image that is below the upper bound at a position. There is none where has_none_below says so.
fn greatest_image(high: vec3<u32>, position: u32) -> vec2<u32> {
    let previous = select(1u, 0u, position < high.z);
    if (KEY_WORDS == 1u) {
        return vec2<u32>(high.x - previous, 0u);
    }
    return vec2<u32>(high.x - select(0u, previous, high.y == 0u), high.y - previous);
}

fn has_none_below(high: vec3<u32>, position: u32) -> bool {
    return position >= high.z && is_equal(high.xy, vec2<u32>(0u));
}

// x: the bit if an image is in a range, else 0; y: 1 if it is below it.
fn compare(image: vec2<u32>, least: vec2<u32>, greatest: vec2<u32>, bit: u32) -> vec2<u32> {
    let is_below = is_less(image, least);
    return vec2<u32>(select(bit, 0u, is_below || is_less(greatest, image)), select(0u, 1u, is_below));
}
