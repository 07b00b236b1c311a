// candidate: an element on its way to be one of the best k: the image of its key and its index in its row.
//
// Better is the lower image, and of equal images the lower index, so no two candidates are equal, and which
// are chosen does not depend on the order they come in. Uses key. The kernel's params have row_length.
//
//     NO_INDEX with the greatest image is no element; every element is better.

const NO_INDEX: u32 = 0xffffffffu; // counts are at most this, so no element has it

fn worst() -> vec2<u32> {
    return vec2<u32>(0xffffffffu, 0xffffffffu);
}

// Images: x low word, y high word, which is 0 for keys of one word, but for WORST.
fn is_better(image: vec2<u32>, index: u32, than_image: vec2<u32>, than_index: u32) -> bool {
    if (KEY_WORDS == 2u && image.y != than_image.y) {
        return image.y < than_image.y;
    }
    return image.x < than_image.x || (image.x == than_image.x && index < than_index);
}

// The elements that a row has in this run; also of rows past the last one. Uniform for a uniform row.
fn row_count(row: u32) -> u32 {
    let element_total = element_count(params.max_count);
    if (row > element_total / params.row_length) {
        return 0u;
    }
    return min(element_total - row * params.row_length, params.row_length);
}
