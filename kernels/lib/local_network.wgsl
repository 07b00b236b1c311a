// local_network: the slow way of local_sort, whose memory it uses: right for any elements.
//
// A bitonic network sorts lone words in cells. Of elements of several, a word is a digit and, below that,
// the position, so that the sort is stable, and elements follow; for each digit, the least
// significant first. The network is that of kernels/bitonic.wgsl: all comparators point up, and any
// number of positions works.

var<private> held: array<u32, ITEMS>; // what a window of the network holds

fn exchange_held(i: u32, j: u32) {
    let lesser = min(held[i], held[j]);
    held[j] = max(held[i], held[j]);
    held[i] = lesser;
}

// One step: registers whose numbers differ by `stride`.
fn cross(stride: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        let lower = i / stride * (2u * stride) + i % stride;
        exchange_held(lower, lower + stride);
    }
}

// One step: register t of each run of 2 * stride with the one as far from the end.
fn flip(stride: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        let run = i / stride * (2u * stride);
        exchange_held(run + i % stride, run + 2u * stride - 1u - i % stride);
    }
}

fn merge_held(levels: u32, flips: bool) {
    var rest = levels;
    if (flips) {
        if (levels == 1u) { flip(1u); }
        if (levels == 2u) { flip(2u); }
        if (levels == 3u) { flip(4u); }
        rest--;
    }
    if (rest == 3u) { cross(4u); }
    if (rest >= 2u) { cross(2u); }
    if (rest >= 1u) { cross(1u); }
}

// Run the levels from `low` on, up to 3, of positions that differ in 3 bits from bit `low` on, as
// kernels/bitonic.wgsl does. What lies past the cells is NONE and stays there.
fn run_windows(local: u32, size: u32, low: u32, levels: u32, flips: bool) {
    let below_low = (1u << low) - 1u;
    let half = select(0u, (1u << levels) >> 1u, flips);
    let blocks = ((size - 1u) >> (low + 3u)) + 1u;
    for (var number = local; number < blocks << low; number += GROUP_SIZE) {
        let origin = ((number >> low) << (low + 3u)) | (number & below_low);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let position = origin ^ (i << low) ^ select(0u, below_low, flips && (i & half) == 0u);
            held[i] = NONE;
            if (position < capacity()) {
                held[i] = take(cell_of(position));
            }
        }
        merge_held(levels, flips);
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let position = origin ^ (i << low) ^ select(0u, below_low, flips && (i & half) == 0u);
            if (position < capacity()) {
                put(cell_of(position), held[i]);
            }
        }
    }
}

// Sort the words in the cells of `size` positions; those of others are NONE.
fn sort_cells(local: u32, size: u32) {
    workgroupBarrier();
    for (var stage = 1u; stage <= bit_length(size - 1u); stage++) {
        var top = stage;
        while (top > 0u) {
            let low = (top - 1u) / 3u * 3u;
            run_windows(local, size, low, top - low, top == stage);
            workgroupBarrier();
            top = low;
        }
    }
}

// Put word w of each element where place[] says that it comes from.
fn permute(local: u32, w: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        put(own_cell(local, i), get_word(w, i));
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        set_word(w, i, take(cell_of(place[i])));
    }
    workgroupBarrier();
}

// The words to sort next: lone ones, or the digits at `shift` of what lies between the image and `least`.
// Digits have as many bits as a position leaves of a word.
fn put_digits(local: u32, size: u32, lone: bool, least: vec2<u32>, shift: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        var sorted = key_a[i];
        if (!lone) {
            sorted = (number_bits(above(i, least), shift) << position_bits()) | at;
        }
        put(own_cell(local, i), select(NONE, sorted, at < size));
    }
}

// Put elements in the order of their digits.
fn follow_digits(local: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        let source = take(own_cell(local, i)) & ((1u << position_bits()) - 1u);
        place[i] = select(at, source, at < size);
    }
    workgroupBarrier();
    permute(local, 0u);
    if (KEY_WORDS == 2u) { permute(local, 1u); }
    if (TIES) { permute(local, 2u); }
}

// Put word w of each element back where it came from, which word 2 says.
fn put_back(local: u32, size: u32, w: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (key_c[i] < size) {
            put(cell_of(key_c[i]), get_word(w, i));
        }
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (i * GROUP_SIZE + local < size) {
            set_word(w, i, take(own_cell(local, i)));
        }
    }
    workgroupBarrier();
}

// Steps that have failed to sort have left equal keys in any order: with ties that is undone first.
fn sort_by_network(local: u32, size: u32, lone: bool, to_sub_bucket: vec4<u32>) {
    if (TIES && !lone) {
        put_back(local, size, 0u);
        if (KEY_WORDS == 2u) { put_back(local, size, 1u); }
        put_back(local, size, 2u);
    }
    for (var shift = 0u; shift < to_sub_bucket.z + 16u; shift += 32u - position_bits()) {
        put_digits(local, size, lone, to_sub_bucket.xy, shift);
        sort_cells(local, size);
        if (lone) {
            break;
        }
        follow_digits(local, size);
    }
    if (lone) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            key_a[i] = take(own_cell(local, i));
        }
    }
}
