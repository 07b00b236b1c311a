// select: the elements of two ranks among those that a workgroup holds, by digits of their images.
//
// Elements are those of local_sort: images in key_a and key_b, numbers in key_c, which break ties. All digits of
// an image are sought, the most significant first, then those of the number.
//
//     marks    | how many of those that are left for the first rank have digit 0, 1, … | the same for the second |
//
// Uses key, local_sort, lane and sum. The kernel declares GROUP_SIZE (a multiple of 32, 128 or more) and marks,
// GROUP_SIZE * 4 counters, which are 0 before and after, and take_marks(local, each, number): one of `each`
// consecutive marks of an invocation, cleared.

// Of the digit that has a rank: x the digit, y how many elements have lower ones, z how many have it.
var<workgroup> first_digit: vec3<u32>;
var<workgroup> second_digit: vec3<u32>;

// Where the digits of two ranks are sought, and what has been found.
struct Search {
    ranks: vec2<u32>,   // among
    counts: vec2<u32>,  // so many elements, 0 where none is sought
    first: vec2<u32>,   // the images so far, low word first
    second: vec2<u32>,
}

// Which of an invocation's elements these are, a bit each: x for the first rank, y for the second.
var<private> members: vec2<u32>;

// Bits of a digit: there are counters for all its values, twice.
fn select_bits() -> u32 {
    return bit_length(GROUP_SIZE * 2u) - 1u;
}

// Find which of an invocation's four counters has a rank, if any: x the number of its digit, y where it begins,
// z its count; z is 0 if none has. The counters begin at `start`.
fn find_rank(counts: vec4<u32>, start: u32, rank: u32, first: u32) -> vec3<u32> {
    var from_start = start;
    var found = vec3<u32>(0u);
    found = select(found, vec3<u32>(first, from_start, counts.x), rank - from_start < counts.x);
    from_start += counts.x;
    found = select(found, vec3<u32>(first + 1u, from_start, counts.y), rank - from_start < counts.y);
    from_start += counts.y;
    found = select(found, vec3<u32>(first + 2u, from_start, counts.z), rank - from_start < counts.z);
    from_start += counts.z;
    return select(found, vec3<u32>(first + 3u, from_start, counts.w), rank - from_start < counts.w);
}

// A digit of an element: of its image, or of its number.
fn digit_of(i: u32, shift: u32, mask: u32, numbers: bool) -> u32 {
    if (numbers) {
        return (key_c[i] >> shift) & mask;
    }
    return image_digit(vec2<u32>(select(key_a[i], key_b[i], KEY_WORDS == 2u), key_a[i]), shift, mask);
}

// Count digits of some of an invocation's elements in the counters from `base` on. Equal ones in a row are added
// at once: where all are equal, additions to one counter would take most of the time.
fn count_digits(some: u32, base: u32, shift: u32, mask: u32, numbers: bool) {
    var digit = 0u;
    var equal = 0u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let next = digit_of(i, shift, mask, numbers);
        let counts = (some & (1u << i)) != 0u;
        if (counts && next != digit) {
            if (equal > 0u) {
                atomicAdd(&marks[base + digit], equal);
            }
            digit = next;
            equal = 0u;
        }
        equal += select(0u, 1u, counts);
    }
    if (equal > 0u) {
        atomicAdd(&marks[base + digit], equal);
    }
}

// Find the digits of both ranks among the members, of which there are `first_count` for the first rank.
fn find_digits(local: u32, shift: u32, mask: u32, numbers: bool, ranks: vec2<u32>, first_count: u32) {
    count_digits(members.x, 0u, shift, mask, numbers);
    count_digits(members.y, GROUP_SIZE * 2u, shift, mask, numbers);
    if (local == 0u) {
        first_digit = vec3<u32>(0u);
        second_digit = vec3<u32>(0u);
    }
    workgroupBarrier();
    let counts = vec4<u32>(take_marks(local, 4u, 0u), take_marks(local, 4u, 1u),
                           take_marks(local, 4u, 2u), take_marks(local, 4u, 3u));
    let start = group_exclusive(local, counts.x + counts.y + counts.z + counts.w).x;
    if (local < GROUP_SIZE / 2u) {
        let found = find_rank(counts, start, ranks.x, local * 4u);
        if (found.z > 0u) { first_digit = found; }
    } else {
        let found = find_rank(counts, start - first_count, ranks.y, local * 4u - GROUP_SIZE * 2u);
        if (found.z > 0u) { second_digit = found; }
    }
}

// Add a digit to the words of an image, low word first.
fn add_digit(image: vec2<u32>, digit: u32, shift: u32) -> vec2<u32> {
    if (shift >= 32u) {
        return vec2<u32>(image.x, image.y | (digit << (shift - 32u)));
    }
    let over = select(digit >> ((32u - shift) & 31u), 0u, shift == 0u);
    return vec2<u32>(image.x | (digit << shift), image.y | select(0u, over, KEY_WORDS == 2u));
}

// Which of some members have a digit.
fn with_digit(some: u32, shift: u32, mask: u32, numbers: bool, wanted: u32) -> u32 {
    var kept = some;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let bit = 1u << i;
        kept &= select(~bit, NONE, digit_of(i, shift, mask, numbers) == wanted);
    }
    return kept;
}

// Whether the images of `size` elements, 1 or more, are all the same.
fn are_equal(local: u32, size: u32) -> bool {
    if (local == 0u) {
        first_digit = vec3<u32>(key_a[0], key_b[0], 0u);
        atomicStore(&marks[0], 0u);
    }
    let one = workgroupUniformLoad(&first_digit);
    var differ = false;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        differ = differ || (i * GROUP_SIZE + local < size && (key_a[i] != one.x || key_b[i] != one.y));
    }
    if (differ) {
        atomicStore(&marks[0], 1u);
    }
    workgroupBarrier();
    if (local == 0u) {
        second_digit = vec3<u32>(atomicLoad(&marks[0]), 0u, 0u);
        atomicStore(&marks[0], 0u);
    }
    return workgroupUniformLoad(&second_digit).x == 0u;
}

// Find the next digit, `bits` of them from bit `shift` on of images or of numbers.
fn narrow(local: u32, before: Search, shift: u32, bits: u32, numbers: bool) -> Search {
    let mask = (1u << bits) - 1u;
    find_digits(local, shift, mask, numbers, before.ranks, before.counts.x);
    let x = workgroupUniformLoad(&first_digit);
    let y = workgroupUniformLoad(&second_digit);
    var after = before;
    after.ranks -= vec2<u32>(x.y, y.y);
    after.counts = vec2<u32>(x.z, y.z);
    members.x = with_digit(members.x, shift, mask, numbers, x.x);
    members.y = with_digit(members.y, shift, mask, numbers, y.x);
    if (!numbers) {
        after.first = add_digit(before.first, x.x, shift);
        after.second = add_digit(before.second, y.x, shift);
    }
    return after;
}
