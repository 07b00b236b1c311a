// element: what a sorting network compares and exchanges: a key, perhaps with a payload.
//
//     keys      | key 0: KEY_WORDS words | key 1 | …
//     payload   | PAYLOAD_WORDS words | …             an index that breaks ties, or a value
//     cells     | first words of a block's elements | second words | …      (the kernel's)
//
// Between a network's dispatches memory holds the images of keys, words that compare as unsigned
// numbers, the most significant first; the first dispatch makes them and the last one takes them
// back (lib/image.wgsl). So comparators know nothing of types.
//
// Positions run through the network's wires. They are elements, or, where there are rows, rows that
// are padded to a power of two of positions. A position without an element loads as the greatest
// image. Comparators point up and exchange no equals, so it stays where it is, whatever the keys.

override KEY_WORDS: u32 = 1u;       // words a key, 1 to 4
override PAYLOAD_WORDS: u32 = 0u;   // words a payload, 0 to 2
override TIES: bool = false;        // the payload is an index, and of equal keys the lower comes first
override WINDOWED: bool = false;    // only the bits under `window` are compared

struct Params {
    max_count: u32,
    row_length: u32, // elements a row; 0: all are one
    row_bits: u32,   // log2 of positions a row
    form: u32,       // FORM_ bits
    window: u32,     // bits to skip: low + 256 * high
    a: u32,          // three numbers that each kernel names
    b: u32,
    c: u32,
}

// Of word w, the most significant being word 0, bits 4 * w and up are its kind; 3 in word 0: a double.
const FORM_LOW_FIRST: u32 = 0x10000u;    // memory has the least significant word first
const FORM_READS_BITS: u32 = 0x20000u;   // memory holds the caller's bits: make images
const FORM_WRITES_BITS: u32 = 0x40000u;  // leave the caller's bits
const FORM_NO_KEYS: u32 = 0x80000u;      // write no keys: the end of an argsort
const FORM_MAKES_INDEX: u32 = 0x100000u; // the payload is not read: it is the element's index …
const FORM_ROW_INDEX: u32 = 0x200000u;   // … in its row

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> payload: array<u32>;
@group(0) @binding(3) var<storage, read_write> lone_keys_in: array<u32>; // where there is no payload
@group(0) @binding(4) var<storage, read_write> keys_in: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_in: array<u32>;

// An invocation's elements: images, the most significant word first, and payloads.
var<private> key_a: array<u32, ITEMS>;
var<private> key_b: array<u32, ITEMS>;
var<private> key_c: array<u32, ITEMS>;
var<private> key_d: array<u32, ITEMS>;
var<private> load_a: array<u32, ITEMS>;
var<private> load_b: array<u32, ITEMS>;

const NOWHERE: u32 = 0xffffffffu; // no element: counts are at most this

fn has(form: u32) -> bool {
    return (params.form & form) != 0u;
}

// The element of a position, or NOWHERE.
fn element_at(position: u32) -> u32 {
    if (params.row_length == 0u) {
        return position;
    }
    let offset = position & ((1u << params.row_bits) - 1u);
    let row = position >> params.row_bits;
    return select(NOWHERE, row * params.row_length + offset, offset < params.row_length);
}

// ---- Images --------------------------------------------------------------------------------------

fn make_image(i: u32) {
    let kinds = params.form;
    if (KEY_WORDS == 2u && (kinds & 3u) == 3u) {
        let image = double_image(vec2<u32>(key_a[i], key_b[i]), kinds);
        key_a[i] = image.x;
        key_b[i] = image.y;
        return;
    }
    key_a[i] = word_image_of_kind(key_a[i], kinds);
    if (KEY_WORDS > 1u) { key_b[i] = word_image_of_kind(key_b[i], kinds >> 4u); }
    if (KEY_WORDS > 2u) { key_c[i] = word_image_of_kind(key_c[i], kinds >> 8u); }
    if (KEY_WORDS > 3u) { key_d[i] = word_image_of_kind(key_d[i], kinds >> 12u); }
}

fn take_image_back(i: u32) {
    let kinds = params.form;
    if (KEY_WORDS == 2u && (kinds & 3u) == 3u) {
        let bits = double_bits(vec2<u32>(key_a[i], key_b[i]), kinds);
        key_a[i] = bits.x;
        key_b[i] = bits.y;
        return;
    }
    key_a[i] = word_bits_of_kind(key_a[i], kinds);
    if (KEY_WORDS > 1u) { key_b[i] = word_bits_of_kind(key_b[i], kinds >> 4u); }
    if (KEY_WORDS > 2u) { key_c[i] = word_bits_of_kind(key_c[i], kinds >> 8u); }
    if (KEY_WORDS > 3u) { key_d[i] = word_bits_of_kind(key_d[i], kinds >> 12u); }
}

// ---- Memory --------------------------------------------------------------------------------------

// Where word w of an element's key lies.
fn key_word(element: u32, w: u32) -> u32 {
    return element * KEY_WORDS + select(w, KEY_WORDS - 1u - w, has(FORM_LOW_FIRST));
}

// The same from each of the three places that keys may come from.
fn read_key(i: u32, element: u32) {
    key_a[i] = keys[key_word(element, 0u)];
    if (KEY_WORDS > 1u) { key_b[i] = keys[key_word(element, 1u)]; }
    if (KEY_WORDS > 2u) { key_c[i] = keys[key_word(element, 2u)]; }
    if (KEY_WORDS > 3u) { key_d[i] = keys[key_word(element, 3u)]; }
}

fn read_lone_key_in(i: u32, element: u32) {
    key_a[i] = lone_keys_in[key_word(element, 0u)];
    if (KEY_WORDS > 1u) { key_b[i] = lone_keys_in[key_word(element, 1u)]; }
    if (KEY_WORDS > 2u) { key_c[i] = lone_keys_in[key_word(element, 2u)]; }
    if (KEY_WORDS > 3u) { key_d[i] = lone_keys_in[key_word(element, 3u)]; }
}

fn read_key_in(i: u32, element: u32) {
    key_a[i] = keys_in[key_word(element, 0u)];
    if (KEY_WORDS > 1u) { key_b[i] = keys_in[key_word(element, 1u)]; }
    if (KEY_WORDS > 2u) { key_c[i] = keys_in[key_word(element, 2u)]; }
    if (KEY_WORDS > 3u) { key_d[i] = keys_in[key_word(element, 3u)]; }
}

fn held(element: u32) -> bool {
    return element < element_count(params.max_count);
}

// An element to read where there may be none, of a count that is not 0.
fn readable(element: u32) -> u32 {
    return min(element, element_count(params.max_count) - 1u);
}

// Once its words are read: an image, or the greatest where there is no element.
fn settle(i: u32, element: u32) {
    if (has(FORM_READS_BITS)) {
        make_image(i);
    }
    key_a[i] = select(NOWHERE, key_a[i], held(element));
    if (KEY_WORDS > 1u) { key_b[i] = select(NOWHERE, key_b[i], held(element)); }
    if (KEY_WORDS > 2u) { key_c[i] = select(NOWHERE, key_c[i], held(element)); }
    if (KEY_WORDS > 3u) { key_d[i] = select(NOWHERE, key_d[i], held(element)); }
}

fn make_index(i: u32, element: u32) {
    load_a[i] = element;
    if (has(FORM_ROW_INDEX)) {
        load_a[i] = element % params.row_length;
    }
    load_a[i] = select(NOWHERE, load_a[i], held(element));
}

// The element whose index register i has, which has come to `element`.
fn indexed(i: u32, element: u32) -> u32 {
    if (has(FORM_ROW_INDEX)) {
        return element - element % params.row_length + load_a[i];
    }
    return load_a[i];
}

// Into register i: a key in place.
fn load_key(i: u32, element: u32) {
    read_key(i, readable(element));
    settle(i, element);
}

// A key from elsewhere, without a payload.
fn load_lone_key_in(i: u32, element: u32) {
    read_lone_key_in(i, readable(element));
    settle(i, element);
}

// A key and its payload in place, or the key and its index.
fn load_pair(i: u32, element: u32) {
    read_key(i, readable(element));
    settle(i, element);
    if (has(FORM_MAKES_INDEX)) {
        make_index(i, element);
    } else {
        let word = readable(element) * PAYLOAD_WORDS;
        load_a[i] = payload[word];
        if (PAYLOAD_WORDS > 1u) { load_b[i] = payload[word + 1u]; }
        if (TIES) { load_a[i] = select(NOWHERE, load_a[i], held(element)); }
    }
}

// A key from elsewhere and its index.
fn load_index(i: u32, element: u32) {
    read_key_in(i, readable(element));
    settle(i, element);
    make_index(i, element);
}

fn store_key(i: u32, element: u32) {
    if (!held(element) || has(FORM_NO_KEYS)) {
        return;
    }
    if (has(FORM_WRITES_BITS)) {
        take_image_back(i);
    }
    keys[key_word(element, 0u)] = key_a[i];
    if (KEY_WORDS > 1u) { keys[key_word(element, 1u)] = key_b[i]; }
    if (KEY_WORDS > 2u) { keys[key_word(element, 2u)] = key_c[i]; }
    if (KEY_WORDS > 3u) { keys[key_word(element, 3u)] = key_d[i]; }
}

fn store_pair(i: u32, element: u32) {
    store_key(i, element);
    if (held(element)) {
        payload[element * PAYLOAD_WORDS] = load_a[i];
        if (PAYLOAD_WORDS > 1u) { payload[element * PAYLOAD_WORDS + 1u] = load_b[i]; }
    }
}

// ---- Comparators ---------------------------------------------------------------------------------

// The words of element i that are compared, the most significant first.
fn compared(i: u32) -> vec2<u32> {
    if (!WINDOWED) {
        return vec2<u32>(key_a[i], key_b[i]);
    }
    let low = params.window & 255u;
    let high = params.window >> 8u;
    if (KEY_WORDS == 1u) {
        return vec2<u32>((key_a[i] << (high & 31u)) >> ((low + high) & 31u), 0u);
    }
    // Of two words: what is skipped is cleared, wherever the borders lie.
    let upper = select((0xffffffffu >> (high & 31u)), 0u, high >= 32u) &
        select((0xffffffffu << ((low - 32u) & 31u)), 0xffffffffu, low < 32u);
    let lower = select((0xffffffffu >> ((high - 32u) & 31u)), 0xffffffffu, high < 32u) &
        select((0xffffffffu << (low & 31u)), 0u, low >= 32u);
    return vec2<u32>(key_a[i] & upper, key_b[i] & lower);
}

// Whether element i comes after element j: the last word that is unequal decides, from the least
// significant word up.
fn comes_after(i: u32, j: u32) -> bool {
    let x = compared(i);
    let y = compared(j);
    var after = false;
    if (TIES) { after = load_a[i] > load_a[j]; }
    if (KEY_WORDS > 3u) { after = select(after, key_d[i] > key_d[j], key_d[i] != key_d[j]); }
    if (KEY_WORDS > 2u) { after = select(after, key_c[i] > key_c[j], key_c[i] != key_c[j]); }
    if (KEY_WORDS > 1u) { after = select(after, x.y > y.y, x.y != y.y); }
    return select(after, x.x > y.x, x.x != y.x);
}

// The comparator: the lesser element ends in i, the greater in j.
fn exchange(i: u32, j: u32) {
    if (KEY_WORDS == 1u && PAYLOAD_WORDS == 0u && !WINDOWED) {
        let lesser = min(key_a[i], key_a[j]);
        key_a[j] = max(key_a[i], key_a[j]);
        key_a[i] = lesser;
    } else {
        let swap = comes_after(i, j);
        let a = key_a[i];
        key_a[i] = select(a, key_a[j], swap);
        key_a[j] = select(key_a[j], a, swap);
        if (KEY_WORDS > 1u) {
            let b = key_b[i];
            key_b[i] = select(b, key_b[j], swap);
            key_b[j] = select(key_b[j], b, swap);
        }
        if (KEY_WORDS > 2u) {
            let c = key_c[i];
            key_c[i] = select(c, key_c[j], swap);
            key_c[j] = select(key_c[j], c, swap);
        }
        if (KEY_WORDS > 3u) {
            let d = key_d[i];
            key_d[i] = select(d, key_d[j], swap);
            key_d[j] = select(key_d[j], d, swap);
        }
        if (PAYLOAD_WORDS > 0u) {
            let e = load_a[i];
            load_a[i] = select(e, load_a[j], swap);
            load_a[j] = select(load_a[j], e, swap);
        }
        if (PAYLOAD_WORDS > 1u) {
            let f = load_b[i];
            load_b[i] = select(f, load_b[j], swap);
            load_b[j] = select(load_b[j], f, swap);
        }
    }
}
