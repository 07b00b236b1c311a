// slice: find the elements of a slice of the sorted array, and what comes before them.
//
//     marks (pass)        | a bit for each position of a window: its element is in the part |
//     marks (selection)   | as of lib/select |
//     marks (ties)        | bits of listed elements equal to the lower bound | to the upper | their sums |
//     cells (list)        | positions of listed elements, in their order |, then as of lib/local_sort
//
// Bounds are places in the order of elements (lib/bound). Their positions are multiples of 4, so that they never
// divide a quad. kernels/sample_slice.wgsl says what is done with them.
//
// Uses bound, local_sort, lane, sum and select. The kernel declares GROUP_SIZE (a multiple of 32, 128 or more),
// CELLS (GROUP_SIZE * 33 / 4) and MARKS (GROUP_SIZE * 4).

// What is listed.
const SAMPLE: u32 = 0u;    // a sample of all elements
const SAMPLE_OF_PART: u32 = 1u;
const TOO_MANY: u32 = 2u;  // nothing: the next pass is to list a sample
const PART: u32 = 3u;      // all elements of a part, and
const LAST_PART: u32 = 4u; // there is none after it

const OPEN: u32 = 0xffffffffu; // the gate that every hash passes
const LEAST_SAMPLE: u32 = 5u;  // of which at most three are in the quad of the last one, and before it
const FEW: u32 = 4u;           // elements of a sample between which no bound is sought

var<workgroup> marks: array<atomic<u32>, MARKS>;
// x: what is listed; y: how many; z: of a part, where it goes; else the gate that hashes pass;
// w: of a part 1 if there may be elements with the image of one of two different bounds; else how many
// elements are between the bounds.
var<workgroup> task: vec4<u32>;
// Bounds: xy an image, the most significant word first, z a position.
var<workgroup> lower: vec3<u32>;
var<workgroup> upper: vec3<u32>;
var<workgroup> slice_end: vec3<u32>;

var<private> origin: array<u32, ITEMS>;     // the position of an element
var<private> quad: array<vec4<u32>, ITEMS>; // keys during a pass

// A bijection, so that it is not the same for many positions.
fn hash(position: u32) -> u32 {
    var mixed = position * 0x9e3779b1u;
    mixed = (mixed ^ (mixed >> 16u)) * 0x85ebca6bu;
    mixed = (mixed ^ (mixed >> 13u)) * 0xc2b2ae35u;
    return mixed ^ (mixed >> 16u);
}

// ---- 1. Sample -----------------------------------------------------------------------------------

// The position of a sampled element, of more than capacity() of them.
fn sample_position(number: u32, size: u32) -> u32 {
    let stretch = size / capacity();
    let rest = size % capacity();
    let first = number * stretch + number * rest / capacity();
    let next = (number + 1u) * stretch + (number + 1u) * rest / capacity();
    return first + hash(number) % (next - first);
}

// List a sample of all elements, or all of them if a workgroup holds these.
fn begin_slice(local: u32, size: u32) {
    workgroupBarrier();
    let all = size <= capacity();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        put(at, select(sample_position(at, max(size, capacity())), at, all));
    }
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        atomicStore(&marks[i * GROUP_SIZE + local], 0u);
    }
    if (local == 0u) {
        lower = vec3<u32>(0u);
        upper = vec3<u32>(NONE);
        slice_end = upper;
        task = vec4<u32>(select(SAMPLE, LAST_PART, all), min(size, capacity()), 0u, 0u);
    }
}

// Bring origin[] into the order of the sorted elements, also in cells.
fn order_origins(local: u32, size: u32) {
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        put(own_cell(local, i), origin[i]);
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = i * GROUP_SIZE + local < size;
        origin[i] = take(cell_of(select(0u, key_c[i], exists)));
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        put(own_cell(local, i), origin[i]);
    }
    workgroupBarrier();
}

// ---- 2. Select -----------------------------------------------------------------------------------

// A bound that few elements of the sample are next to needs no further digits.
fn settle_bounds(local: u32, search: Search, few: u32) -> Search {
    var after = search;
    if (search.counts.x > 0u && search.counts.x <= few) {
        if (local == 0u) {
            lower = vec3<u32>(select(search.first, search.first.yx, KEY_WORDS == 2u), 0u);
        }
        after.counts.x = 0u;
        members.x = 0u;
    }
    if (search.counts.y > 0u && search.counts.y <= few) {
        if (local == 0u) {
            upper = vec3<u32>(select(search.second, search.second.yx, KEY_WORDS == 2u), 0u);
        }
        after.counts.y = 0u;
        members.y = 0u;
    }
    return after;
}

// Set the bounds of a slice, or the upper one of its next part, by the sample that is held. Of a slice a bound is
// exact but for FEW elements of the sample; of a part, exact.
fn select_bounds(local: u32, now: vec4<u32>, slice: u32, slices: u32) {
    let of_part = now.x == SAMPLE_OF_PART;
    let few = select(FEW, 0u, of_part);
    var search = Search();
    members = vec2<u32>(0u);
    let seeks_lower = !of_part && slice > 0u;
    let seeks_upper = of_part || slice + 1u < slices;
    search.counts = select(vec2<u32>(0u), vec2<u32>(now.y), vec2<bool>(seeks_lower, seeks_upper));
    search.ranks = vec2<u32>(slice, slice + 1u) * (capacity() / slices) +
        vec2<u32>(slice, slice + 1u) * (capacity() % slices) / slices;
    if (of_part) {
        search.ranks.y = max(now.y * (capacity() / 2u) / now.w, LEAST_SAMPLE - 1u);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let bit = select(0u, 1u << i, i * GROUP_SIZE + local < now.y);
        members |= select(vec2<u32>(0u), vec2<u32>(bit), search.counts > vec2<u32>(0u));
    }
    var rest = select(32u * KEY_WORDS, 0u, are_equal(local, now.y));
    while (rest > 0u && any(search.counts > vec2<u32>(0u))) {
        let bits = min(select_bits(), rest);
        rest -= bits;
        search = narrow(local, search, rest, bits, false);
        search = settle_bounds(local, search, few);
    }
    rest = position_bits();
    while (rest > 0u && any(search.counts > vec2<u32>(0u))) {
        let bits = min(select_bits(), rest);
        rest -= bits;
        search = narrow(local, search, rest, bits, true);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let bound = vec3<u32>(key_a[i], select(0u, key_b[i], KEY_WORDS == 2u), origin[i] & ~3u);
        if ((members.x & (1u << i)) != 0u) { lower = bound; }
        if ((members.y & (1u << i)) != 0u) { upper = bound; }
    }
    workgroupBarrier();
    if (local == 0u && !of_part) {
        slice_end = upper;
    }
    workgroupBarrier();
}

// Once a part has been written, the rest of the slice is the next one.
fn begin_pass(local: u32, now: vec4<u32>) {
    workgroupBarrier();
    if (local == 0u && now.x == PART) {
        lower = upper;
        upper = slice_end;
    }
    workgroupBarrier();
}

fn sort_or_select(local: u32, now: vec4<u32>, slice: u32, slices: u32) {
    if (now.x >= PART) {
        sort_held(local, now.y);
    } else {
        select_bounds(local, now, slice, slices);
    }
}

// ---- 3. Pass -------------------------------------------------------------------------------------

// Positions of a window.
fn window() -> u32 {
    return GROUP_SIZE * 128u;
}

// The elements of ITEMS quads of each invocation.
fn quad_row() -> u32 {
    return GROUP_SIZE * ITEMS * 4u / KEY_WORDS;
}

// Mark those of GROUP_SIZE * ITEMS keys in quad[] that are between the bounds and pass the gate; element i of an
// invocation is at = start + i * GROUP_SIZE + local in a window of `size` elements, the first of which is element
// `first`. Returns how many are below the lower bound.
fn mark_words(local: u32, first: u32, start: u32, size: u32, gate: u32) -> u32 {
    let low = lower;
    let high = upper;
    var below_it = 0u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = start + i * GROUP_SIZE + local;
        let image = ordered(quad[i].xy);
        let is_below = is_before(image, first + at, low);
        let exists = at < size;
        below_it += select(0u, 1u, exists && is_below);
        if (exists && !is_below && is_before(image, first + at, high)) {
            if (gate == OPEN || hash(first + at) <= gate) {
                atomicOr(&marks[at >> 5u], 1u << (at & 31u));
            }
        }
    }
    return below_it;
}

// The same as mark_words for ITEMS quads of each invocation, without a gate: quad i of an invocation has the
// elements from start + (i * GROUP_SIZE + local) * 4 / KEY_WORDS on, of `size` in the window, all of whose quads
// are full.
fn mark_quads(local: u32, first: u32, start: u32, size: u32, low: vec3<u32>, high: vec3<u32>) -> u32 {
    let in_quad = 4u / KEY_WORDS;
    var below_it = 0u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = start + (i * GROUP_SIZE + local) * in_quad;
        let least = least_image(low, first + at);
        let greatest = greatest_image(high, first + at);
        var found = vec2<u32>(0u);
        if (KEY_WORDS == 1u) {
            found = compare(ordered(vec2<u32>(quad[i].x, 0u)), least, greatest, 1u);
            found += compare(ordered(vec2<u32>(quad[i].y, 0u)), least, greatest, 2u);
            found += compare(ordered(vec2<u32>(quad[i].z, 0u)), least, greatest, 4u);
            found += compare(ordered(vec2<u32>(quad[i].w, 0u)), least, greatest, 8u);
        } else {
            found = compare(ordered(quad[i].xy), least, greatest, 1u);
            found += compare(ordered(quad[i].zw), least, greatest, 2u);
        }
        let all_below = has_none_above(low, first + at);
        let none = all_below || has_none_below(high, first + at);
        below_it += select(0u, select(found.y, in_quad, all_below), at < size);
        if (found.x != 0u && !none && at < size) {
            atomicOr(&marks[at >> 5u], found.x << (at & 31u));
        }
    }
    return below_it;
}

// An invocation's marks: `each` words of them. They are cleared for the next window.
fn take_marks(local: u32, each: u32, number: u32) -> u32 {
    if (number >= each) {
        return 0u;
    }
    let word = local * each + number;
    let bits = atomicLoad(&marks[word]);
    atomicStore(&marks[word], 0u);
    return bits;
}

// List the positions of 32 marks, as far as a workgroup holds them.
fn list_marks(bits: u32, position: u32, place_in_list: u32) {
    var rest = bits;
    var to = place_in_list;
    while (rest != 0u && to < capacity()) {
        let lowest = rest & (0u - rest);
        put(to, position + countOneBits(lowest - 1u));
        to++;
        rest ^= lowest;
    }
}

// List the marked elements of a window behind those that are listed. Returns how many there are then.
fn list_window(local: u32, first: u32, size: u32, listed: u32) -> u32 {
    workgroupBarrier();
    let each = div_ceil(div_ceil(size, 32u), GROUP_SIZE);
    let bits = vec4<u32>(take_marks(local, each, 0u), take_marks(local, each, 1u),
                         take_marks(local, each, 2u), take_marks(local, each, 3u));
    let ones = countOneBits(bits);
    let before = group_exclusive(local, ones.x + ones.y + ones.z + ones.w);
    let position = first + local * each * 32u;
    var to = listed + before.x;
    list_marks(bits.x, position, to);
    to += ones.x;
    list_marks(bits.y, position + 32u, to);
    to += ones.y;
    list_marks(bits.z, position + 64u, to);
    to += ones.z;
    list_marks(bits.w, position + 96u, to);
    return listed + before.y;
}

// The gate of the next pass: half of what a workgroup holds is to pass it, of so many.
fn gate_for(elements: u32) -> u32 {
    return 0xffffffffu / elements * (capacity() / 2u);
}

// Whether a bound divides elements of one image, and another one others.
fn may_have_ties() -> bool {
    return TIES && !is_equal(lower.xy, upper.xy) && (lower.z > 0u || upper.z + 1u > 1u);
}

// Say what a pass has listed. After a pass with a gate, one that is twice as wide follows if too few are.
fn end_pass(local: u32, now: vec4<u32>, below_it: u32, listed: u32) {
    let start = group_exclusive(local, below_it).y;
    if (local != 0u) {
        return;
    }
    if (now.x != TOO_MANY) {
        let part = select(PART, LAST_PART, all(upper == slice_end));
        if (listed <= capacity()) {
            task = vec4<u32>(part, listed, start, select(0u, 1u, may_have_ties()));
        } else {
            task = vec4<u32>(TOO_MANY, 0u, gate_for(listed), listed);
        }
    } else if (listed >= LEAST_SAMPLE) {
        task = vec4<u32>(SAMPLE_OF_PART, min(listed, capacity()), 0u, now.w);
    } else {
        task = vec4<u32>(TOO_MANY, 0u, min(now.z, 0x7fffffffu) * 2u, now.w);
    }
}

fn gate_of(now: vec4<u32>) -> u32 {
    return select(OPEN, now.z, now.x == TOO_MANY);
}

// ---- Ties ----------------------------------------------------------------------------------------

// Elements with the image of a bound lie in one end of the list alone, and so unevenly that lib/local_sort takes
// its slow way. But where they belong is known: at the ends of the part, in their order.

// Whether an element that is held has the image of a bound.
fn is_tied(i: u32, at: u32, size: u32, bound: vec3<u32>) -> bool {
    return at < size && is_equal(vec2<u32>(key_a[i], key_b[i]), bound.xy);
}

// Set place[] of listed elements that have the image of a bound to where in the part they belong, and rank[] to 1,
// which is 0 of others. The task is then to sort these, which are listed.
fn place_ties(local: u32, now: vec4<u32>) {
    let words = capacity() / 32u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (is_tied(i, at, now.y, lower)) {
            atomicOr(&marks[at >> 5u], 1u << (at & 31u));
        }
        if (is_tied(i, at, now.y, upper)) {
            atomicOr(&marks[words + (at >> 5u)], 1u << (at & 31u));
        }
    }
    workgroupBarrier();
    var ties = 0u;
    if (local < words) {
        ties = countOneBits(atomicLoad(&marks[local])) |
            (countOneBits(atomicLoad(&marks[words + local])) << 16u);
    }
    let sums = group_exclusive(local, ties);
    if (local < words) {
        atomicStore(&marks[2u * words + local], sums.x);
    }
    workgroupBarrier();
    let lowest = sums.y & 0xffffu;
    let others = now.y - lowest - (sums.y >> 16u);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        let word = at >> 5u;
        let lower_ones = (1u << (at & 31u)) - 1u;
        let before = atomicLoad(&marks[2u * words + word]);
        let low_before = (before & 0xffffu) + countOneBits(atomicLoad(&marks[word]) & lower_ones);
        let high_before = (before >> 16u) + countOneBits(atomicLoad(&marks[words + word]) & lower_ones);
        let is_low = is_tied(i, at, now.y, lower);
        let is_high = is_tied(i, at, now.y, upper);
        place[i] = select(select(at - low_before - high_before, lowest + others + high_before, is_high),
                          low_before, is_low);
        rank[i] = select(0u, 1u, is_low || is_high);
        if (at < now.y && rank[i] == 0u) {
            put(place[i], origin[i]);
        }
    }
    workgroupBarrier();
    atomicStore(&marks[local], 0u);
    if (local == 0u) {
        task = vec4<u32>(now.x, others, now.z + lowest, 0u);
    }
}
