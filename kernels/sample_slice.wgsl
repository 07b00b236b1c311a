// sample_slice: sort an array in one dispatch, of which each workgroup finds and sorts a slice by itself.
//
//@use count image key local_sort local_settle local_network sum lane select bound slice
//
//     quads | tail           | keys, of which the last 64 words or fewer are a range of their own |
//     keys                   (entry points *_words) all keys
//     keys_out, values_out   | slice 0 | slice 1 | …   in order, of about slice_elements elements each
//     marks (pass)           | a bit for each position of a window: its element is in the part |
//     marks (selection)      | counts of digits for the lower bound | for the upper bound |
//     cells (list)           | positions of listed elements, in their order |, then as of lib/local_sort
//
// Elements are ordered by image, then by position, so that no two are equal: bounds between slices are an image
// and a position, which divide any keys as well as others, and the sort is stable. Workgroups read all keys,
// mostly from a cache, and share nothing.
//
// 1. sample   the same elements in all workgroups, one of each of `capacity` stretches of the input
// 2. select   the lower and the upper bound of the slice: those of its first element's rank in the sample and of
//             the next slice's; digit by digit of images, then of the numbers of elements in the sample
// 3. pass     over all keys: those below the lower bound are counted, for that is where the slice begins in the
//             result; those between the bounds are marked, window by window, and their positions listed
// 4. part     what is listed is sorted and written
//
// If there are more between the bounds than a workgroup holds, a pass lists about half as many as it does, by a
// hash of their positions. They are a sample of the part: the upper bound becomes the one below which about half
// as many as a workgroup holds are expected, and a pass follows. Once a part has been written, the next one
// begins where it ends. This ends: the new bound is that of an element that is not the last in the sample, and
// has another one of it below; so the part becomes smaller, but not empty, until a workgroup holds it. And what
// is left of the slice becomes smaller with each part.
//
// A bound's position is a multiple of 4, so that it never divides a quad, four words that are read at once.
// Reads each key once in each pass, in each workgroup; writes each element once.

override CELLS: u32 = 2112u;      // GROUP_SIZE * 33 / 4
override MARKS: u32 = 1024u;      // GROUP_SIZE * 4
override GROUP_SIZE: u32 = 256u;  // a multiple of 32
override VALUE_WORDS: u32 = 1u;   // words a value

struct Params {
    max_count: u32,
    slice_elements: u32,
    quad_words: u32, // words of keys before the tail
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> quads: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(3) var<storage, read_write> indices: array<u32>; // of an argsort
@group(0) @binding(4) var<storage, read_write> values_in: array<u32>;
@group(0) @binding(4) var<storage, read_write> tail: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;
@group(0) @binding(6) var<storage, read_write> tail_of_pairs: array<u32>;

const TAIL_WORDS: u32 = 64u;

// The tail.
var<workgroup> last_words: array<u32, TAIL_WORDS>;

fn group_total(grid: Grid) -> u32 {
    return grid.group_count.x * grid.group_count.y;
}

// Slices of so many elements. One more would have no sample of its own.
fn slice_total(size: u32) -> u32 {
    if (size <= capacity()) {
        return select(0u, 1u, size > 0u);
    }
    return min(div_ceil(size, params.slice_elements), capacity());
}

// ---- Memory: keys as words, or as quads ----------------------------------------------------------

fn key_of_words(element: u32) -> vec2<u32> {
    var key = vec2<u32>(keys[element * KEY_WORDS], 0u);
    if (KEY_WORDS == 2u) { key.y = keys[element * KEY_WORDS + 1u]; }
    return key;
}

fn word_of_quads(word: u32) -> u32 {
    let in_tail = word >= params.quad_words;
    let of_quads = quads[select(word >> 2u, 0u, in_tail)][word & 3u];
    return select(of_quads, last_words[(word - params.quad_words) % TAIL_WORDS], in_tail);
}

fn key_of_quads(element: u32) -> vec2<u32> {
    var key = vec2<u32>(word_of_quads(element * KEY_WORDS), 0u);
    if (KEY_WORDS == 2u) { key.y = word_of_quads(element * KEY_WORDS + 1u); }
    return key;
}

// Hold listed elements, 1 or more, as lib/local_sort wants them. Those past `size` are copies of the last one.
fn hold_words(local: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        key_c[i] = min(i * GROUP_SIZE + local, size - 1u);
        origin[i] = take(key_c[i]);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        set_image(i, key_of_words(origin[i]));
    }
    workgroupBarrier();
}

fn hold_quads(local: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        key_c[i] = min(i * GROUP_SIZE + local, size - 1u);
        origin[i] = take(key_c[i]);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        set_image(i, key_of_quads(origin[i]));
    }
    workgroupBarrier();
}

fn pass_words(local: u32, total_size: u32, now: vec4<u32>, slice: u32) {
    begin_pass(local, now);
    var below_it = 0u;
    var listed = 0u;
    for (var w = 0u; w < div_ceil(total_size, window()); w++) {
        let first = w * window();
        let size = min(window(), total_size - first);
        for (var start = 0u; start < size; start += GROUP_SIZE * ITEMS) {
            //@unroll
            for (var i = 0u; i < ITEMS; i++) {
                let at = min(start + i * GROUP_SIZE + local, size - 1u);
                quad[i] = vec4<u32>(key_of_words(first + at), 0u, 0u);
            }
            below_it += mark_words(local, first, start, size, gate_of(now));
        }
        listed = list_window(local, first, size, listed);
    }
    end_pass(local, now, below_it, listed);
}

// Quads as far as they reach, then words. Each workgroup begins elsewhere in a window: all at once would ask the
// same part of the cache for the same keys.
fn pass_quads(local: u32, total_size: u32, now: vec4<u32>, slice: u32) {
    begin_pass(local, now);
    let low = lower;
    let high = upper;
    let in_quads = min(total_size & ~3u, params.quad_words / KEY_WORDS);
    let has_quads = now.x != TOO_MANY;
    var below_it = 0u;
    var listed = 0u;
    for (var w = 0u; w < div_ceil(total_size, window()); w++) {
        let first = w * window();
        let size = min(window(), total_size - first);
        let by_quads = select(0u, min(size, in_quads - min(in_quads, first)), has_quads);
        let rows = div_ceil(by_quads, quad_row());
        for (var row = 0u; row < rows; row++) {
            let start = (row + slice) % rows * quad_row();
            let from_quad = (first + start) / 4u * KEY_WORDS;
            //@unroll
            for (var i = 0u; i < ITEMS; i++) {
                quad[i] = quads[min(from_quad + i * GROUP_SIZE + local, in_quads / 4u * KEY_WORDS - 1u)];
            }
            below_it += mark_quads(local, first, start, by_quads, low, high);
        }
        for (var start = by_quads; start < size; start += GROUP_SIZE * ITEMS) {
            //@unroll
            for (var i = 0u; i < ITEMS; i++) {
                let at = min(start + i * GROUP_SIZE + local, size - 1u);
                quad[i] = vec4<u32>(key_of_quads(first + at), 0u, 0u);
            }
            below_it += mark_words(local, first, start, size, gate_of(now));
        }
        listed = list_window(local, first, size, listed);
    }
    end_pass(local, now, below_it, listed);
}

// ---- 4. Part -------------------------------------------------------------------------------------

fn store_keys(local: u32, now: vec4<u32>) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < now.y) {
            let key = get_key(i);
            keys_out[(now.z + at) * KEY_WORDS] = key.x;
            if (KEY_WORDS == 2u) { keys_out[(now.z + at) * KEY_WORDS + 1u] = key.y; }
        }
    }
}

fn store_tied_indices(local: u32, now: vec4<u32>) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (i * GROUP_SIZE + local < now.y && rank[i] == 1u) {
            indices[now.z + place[i]] = origin[i];
        }
    }
}

fn store_tied_pairs(local: u32, now: vec4<u32>) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (i * GROUP_SIZE + local < now.y && rank[i] == 1u) {
            let element = now.z + place[i];
            let key = get_key(i);
            keys_out[element * KEY_WORDS] = key.x;
            if (KEY_WORDS == 2u) { keys_out[element * KEY_WORDS + 1u] = key.y; }
            for (var w = 0u; w < VALUE_WORDS; w++) {
                values_out[element * VALUE_WORDS + w] = values_in[origin[i] * VALUE_WORDS + w];
            }
        }
    }
}

fn store_indices(local: u32, now: vec4<u32>) {
    order_origins(local, now.y);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < now.y) {
            indices[now.z + at] = origin[i];
        }
    }
}

// Neighbouring invocations take neighbouring words.
fn store_values(local: u32, now: vec4<u32>) {
    order_origins(local, now.y);
    let words = now.y * VALUE_WORDS;
    for (var start = 0u; start < words; start += GROUP_SIZE * ITEMS) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let word = min(start + i * GROUP_SIZE + local, words - 1u);
            let element = take(cell_of(word / VALUE_WORDS));
            quad[i].x = values_in[element * VALUE_WORDS + word % VALUE_WORDS];
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let word = start + i * GROUP_SIZE + local;
            if (word < words) {
                values_out[now.z * VALUE_WORDS + word] = quad[i].x;
            }
        }
    }
}

// ---- Entry points --------------------------------------------------------------------------------

// Where an invocation reads the tail, which has a word or more.
fn tail_word(local: u32) -> u32 {
    return min(local % TAIL_WORDS, params.max_count * KEY_WORDS - params.quad_words - 1u);
}

@compute @workgroup_size(GROUP_SIZE)
fn sample_slice_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let size = element_count(params.max_count);
    last_words[local % TAIL_WORDS] = tail[tail_word(local)];
    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {
        begin_slice(local, size);
        loop {
            let now = workgroupUniformLoad(&task);
            if (now.y > 0u) {
                hold_quads(local, now.y);
                sort_or_select(local, now, slice, slice_total(size));
                if (now.x >= PART) {
                    store_keys(local, now);
                }
            }
            if (now.x == LAST_PART) {
                break;
            }
            pass_quads(local, size, now, slice);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn sample_slice_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let size = element_count(params.max_count);
    last_words[local % TAIL_WORDS] = tail[tail_word(local)];
    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {
        begin_slice(local, size);
        loop {
            let now = workgroupUniformLoad(&task);
            if (now.y > 0u) {
                hold_quads(local, now.y);
                if (now.x >= PART && now.w > 0u) {
                    place_ties(local, now);
                    store_tied_indices(local, now);
                    continue;
                }
                sort_or_select(local, now, slice, slice_total(size));
                if (now.x >= PART) {
                    store_indices(local, now);
                }
            }
            if (now.x == LAST_PART) {
                break;
            }
            pass_quads(local, size, now, slice);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn sample_slice_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let size = element_count(params.max_count);
    last_words[local % TAIL_WORDS] = tail_of_pairs[tail_word(local)];
    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {
        begin_slice(local, size);
        loop {
            let now = workgroupUniformLoad(&task);
            if (now.y > 0u) {
                hold_quads(local, now.y);
                if (now.x >= PART && now.w > 0u) {
                    place_ties(local, now);
                    store_tied_pairs(local, now);
                    continue;
                }
                sort_or_select(local, now, slice, slice_total(size));
                if (now.x >= PART) {
                    store_keys(local, now);
                    store_values(local, now);
                }
            }
            if (now.x == LAST_PART) {
                break;
            }
            pass_quads(local, size, now, slice);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn sample_slice_keys_words(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let size = element_count(params.max_count);
    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {
        begin_slice(local, size);
        loop {
            let now = workgroupUniformLoad(&task);
            if (now.y > 0u) {
                hold_words(local, now.y);
                sort_or_select(local, now, slice, slice_total(size));
                if (now.x >= PART) {
                    store_keys(local, now);
                }
            }
            if (now.x == LAST_PART) {
                break;
            }
            pass_words(local, size, now, slice);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn sample_slice_index_words(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let size = element_count(params.max_count);
    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {
        begin_slice(local, size);
        loop {
            let now = workgroupUniformLoad(&task);
            if (now.y > 0u) {
                hold_words(local, now.y);
                if (now.x >= PART && now.w > 0u) {
                    place_ties(local, now);
                    store_tied_indices(local, now);
                    continue;
                }
                sort_or_select(local, now, slice, slice_total(size));
                if (now.x >= PART) {
                    store_indices(local, now);
                }
            }
            if (now.x == LAST_PART) {
                break;
            }
            pass_words(local, size, now, slice);
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn sample_slice_pairs_words(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let size = element_count(params.max_count);
    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {
        begin_slice(local, size);
        loop {
            let now = workgroupUniformLoad(&task);
            if (now.y > 0u) {
                hold_words(local, now.y);
                if (now.x >= PART && now.w > 0u) {
                    place_ties(local, now);
                    store_tied_pairs(local, now);
                    continue;
                }
                sort_or_select(local, now, slice, slice_total(size));
                if (now.x >= PART) {
                    store_keys(local, now);
                    store_values(local, now);
                }
            }
            if (now.x == LAST_PART) {
                break;
            }
            pass_words(local, size, now, slice);
        }
    }
}
