// local_sort: sort the elements that a workgroup holds in registers.
//
// Element `at` is item i of invocation `local`, at = i * GROUP_SIZE + local, before and after. Where ties
// matter, a third word breaks them: where the element was before, so that the sort is stable. ITEMS is
// 8: the networks are written out for it.
//
// 1. measure   the range of the images; a map from it to 16 * GROUP_SIZE sub-buckets, two an element
// 2. count     an element's arrival rank in its sub-bucket; counters are bytes, four a word
// 3. start     counters are scanned; start + rank is the element's place
// 4. settle    through cells to runs of 8 places, one an invocation's; each sorts its run, then merges
//              its upper half with the next one's lower half; through cells to where results belong
//
// If no sub-bucket holds more than 5, each lies in at most two runs, no more than 4 in either, and step 4
// puts it in order. If one holds more, half as many counters of halfwords, which cannot run over, tell
// places, and the order is looked at after step 4: it is right if large sub-buckets are of equals. (With
// ties, they tell how many sub-buckets to give to each old one, and bytes count these.) If it is not, and a
// second step 4 does not help, a bitonic network does it all (lib/local_network).
//
// Elements of several words are packed into word 0 if what lies between images, and position if ties
// matter, fit: then all that follows is as of lone words.
//
//     cells while counting | counters or starts: 4 * GROUP_SIZE words | range, later sums of counters |
//     counter word w       | how many are in sub-bucket 4w | in 4w + 1 | in 4w + 2 | in 4w + 3 |
//     start word w         | for each of these 4 bits: how many are before it in w | 16 bits: before w |
//     of halfwords         | how many are in 4w, 4w + 1 | in 4w + 2, 4w + 3 |, then | the first | before w |
//     cells while moving   | one word of each element |
//
// The cell of a position or word p is p + p / 32: strides of 4, 8 and 16 meet no bank conflicts.
// Uses key, local_settle and local_network. The kernel declares GROUP_SIZE (a multiple of 32) and CELLS
// (GROUP_SIZE * 33 / 4).

override TIES: bool = false; // there is a third word

const NONE: u32 = 0xffffffffu; // each word of an element that does not exist
const ROW: u32 = 16u;          // values that one invocation scans; spots where an end of a range is sought
const MOST_TRIES: u32 = 2u;    // of step 4 with counters of halfwords

var<workgroup> cells: array<atomic<u32>, CELLS>;
var<workgroup> map: vec4<u32>;
var<workgroup> total: u32;

// Of each element word 0 and word 1, the image, the most significant first, and word 2, where it was.
var<private> key_a: array<u32, ITEMS>;
var<private> key_b: array<u32, ITEMS>;
var<private> key_c: array<u32, ITEMS>;
var<private> place: array<u32, ITEMS>; // where it goes; before, its sub-bucket * 8
var<private> rank: array<u32, ITEMS>;

fn put(cell: u32, value: u32) {
    atomicStore(&cells[cell], value);
}

fn take(cell: u32) -> u32 {
    return atomicLoad(&cells[cell]);
}

fn cell_of(position: u32) -> u32 {
    return position + (position >> 5u);
}

// The cell of position i * GROUP_SIZE + local.
fn own_cell(local: u32, i: u32) -> u32 {
    return cell_of(local) + i * (GROUP_SIZE + GROUP_SIZE / 32u);
}

// The first cell of an invocation's run of 8 positions; the others follow it.
fn run_cell(local: u32) -> u32 {
    return local * 8u + (local >> 2u);
}

// The first of the cells that neither counters nor starts use.
fn upper_cells() -> u32 {
    return GROUP_SIZE / 2u * 9u;
}

// The greatest number of elements.
fn capacity() -> u32 {
    return GROUP_SIZE * 8u;
}

fn get_word(w: u32, i: u32) -> u32 {
    if (w == 1u) { return key_b[i]; }
    if (w == 2u) { return key_c[i]; }
    return key_a[i];
}

fn set_word(w: u32, i: u32, value: u32) {
    if (w == 0u) { key_a[i] = value; }
    if (w == 1u) { key_b[i] = value; }
    if (w == 2u) { key_c[i] = value; }
}

// The image of a key, as memory has it, into words 0 and 1; and the key of them.
fn set_image(i: u32, key: vec2<u32>) {
    let image = key_image(key);
    key_a[i] = select(image.x, image.y, KEY_WORDS == 2u);
    key_b[i] = image.x;
}

fn get_key(i: u32) -> vec2<u32> {
    return key_bits(vec2<u32>(select(key_a[i], key_b[i], KEY_WORDS == 2u), key_a[i]));
}

fn bit_length(number: u32) -> u32 {
    var ones = number | (number >> 1u);
    ones |= ones >> 2u;
    ones |= ones >> 4u;
    ones |= ones >> 8u;
    return countOneBits(ones | (ones >> 16u));
}

// ---- 1. Measure ----------------------------------------------------------------------------------

// A number of the size of an image: y, and above it, of keys of two words, x.
fn number_bits(number: vec2<u32>, shift: u32) -> u32 {
    if (KEY_WORDS == 1u) {
        return number.y >> (shift & 31u);
    }
    return image_digit(number.yx, shift, NONE);
}

// What lies between an image and one that is no greater.
fn above(i: u32, least: vec2<u32>) -> vec2<u32> {
    if (KEY_WORDS == 1u) {
        return vec2<u32>(0u, key_a[i] - least.x);
    }
    return vec2<u32>(key_a[i] - least.x, key_b[i] - least.y);
}

// Set map: xy an image no greater than any, z how far to shift what lies above it, so that 16 bits
// remain, w by what to multiply these for 16.16 bits of sub-bucket; 0 if there is no range.
fn set_map(least: vec2<u32>, range: vec2<u32>) {
    let bits = select(bit_length(range.y), 32u + bit_length(range.x), range.x != 0u);
    let shift = max(bits, 16u) - 16u;
    let factor = ((GROUP_SIZE * 16u) << 16u) / (number_bits(range, shift) + 1u);
    map = vec4<u32>(least, shift, select(0u, factor, bits != 0u));
}

fn clear_counters(local: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        put(i * GROUP_SIZE + local, 0u);
    }
    if (local < GROUP_SIZE / 8u) {
        put(GROUP_SIZE * 4u + local, 0u);
    }
}

// Measure word w of the image, and set and return map. `first`: what word 0 of all is if w is 1.
fn measure(local: u32, w: u32, first: u32) -> vec4<u32> {
    let spots = upper_cells();
    if (local < 2u * ROW) {
        put(spots + local, select(0u, NONE, local < ROW));
    }
    clear_counters(local);
    workgroupBarrier();
    var least = NONE;
    var greatest = 0u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        least = min(least, get_word(w, i));
        greatest = max(greatest, get_word(w, i));
    }
    atomicMin(&cells[spots + local % ROW], least);
    atomicMax(&cells[spots + ROW + local % ROW], greatest);
    workgroupBarrier();
    if (local == 0u) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            least = min(least, min(take(spots + i), take(spots + ITEMS + i)));
            greatest = max(greatest, max(take(spots + ROW + i), take(spots + ROW + ITEMS + i)));
        }
        let range = greatest - least;
        if (w == 1u) {
            set_map(vec2<u32>(first, least), vec2<u32>(0u, range));
        } else if (KEY_WORDS == 1u || range == 0u) {
            set_map(vec2<u32>(least, 0u), vec2<u32>(0u, range));
        } else {
            set_map(vec2<u32>(least, 0u), vec2<u32>(range, NONE));
        }
    }
    return workgroupUniformLoad(&map);
}

// ---- 2., 3. Count and start ----------------------------------------------------------------------

// Scan a value of each invocation. Once `total` has been loaded, the sum below one is below(local).
fn scan(local: u32, value: u32) {
    let first = upper_cells();
    let sums = first + cell_of(GROUP_SIZE);
    put(first + cell_of(local), value);
    workgroupBarrier();
    if (local < GROUP_SIZE / ROW) {
        let row = first + cell_of(local * ROW);
        var sum = 0u;
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let one = take(row + i);
            put(row + i, sum);
            sum += one;
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let one = take(row + ITEMS + i);
            put(row + ITEMS + i, sum);
            sum += one;
        }
        put(sums + local, sum);
    }
    workgroupBarrier();
    if (local == 0u) {
        var sum = 0u;
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let one = take(sums + i);
            put(sums + i, sum);
            sum += one;
        }
        for (var i = ITEMS; i < GROUP_SIZE / ROW; i++) {
            let one = take(sums + i);
            put(sums + i, sum);
            sum += one;
        }
        total = sum;
    }
}

fn below(local: u32) -> u32 {
    let first = upper_cells();
    return take(first + cell_of(GROUP_SIZE) + local / ROW) + take(first + cell_of(local));
}

// Set place[] to sub-buckets, with 3 bits of fraction: so a counter's lane in its word is at hand.
fn find_sub_buckets(to_sub_bucket: vec4<u32>) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let above_least = above(i, to_sub_bucket.xy);
        place[i] = (number_bits(above_least, to_sub_bucket.z) * to_sub_bucket.w) >> 13u;
    }
}

fn start_word(i: u32) -> u32 {
    return min(place[i] >> 5u, GROUP_SIZE * 4u - 1u);
}

// From sub-buckets, by counters of bytes, places.
fn place_by_bytes(local: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        let starts = take(cell_of(start_word(i)));
        let start = (starts >> 16u) + ((starts >> ((place[i] >> 1u) & 12u)) & 15u);
        let before = (rank[i] >> (place[i] & 24u)) & 255u;
        place[i] = select(at, start + before, at < size);
    }
}

// By counters of halfwords. With ties these are not places, but again sub-buckets, two for each element
// of an old one, and an element's is as far in these as it is in all elements.
fn place_by_halfwords(local: u32, size: u32) {
    let step = (2u << 16u) / size;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        let w = start_word(i);
        let starts = take(cell_of(w));
        let upper = (place[i] & 16u) != 0u;
        let start = (starts >> 16u) + select(0u, starts & 0xffffu, upper);
        if (TIES) {
            var end = (starts >> 16u) + (starts & 0xffffu);
            if (upper) {
                end = size;
                if (w + 1u < GROUP_SIZE * 4u) {
                    end = take(cell_of(w + 1u)) >> 16u;
                }
            }
            place[i] = (start << 4u) + (((end - start) * (at * step)) >> 13u);
        } else {
            let before = (rank[i] >> select(0u, 16u, upper)) & 0xffffu;
            place[i] = select(at, start + before, at < size);
        }
    }
}

// Count and scan with counters of bytes or of halfwords, and find places. False: a byte would count more
// than 5.
fn find_places(local: u32, size: u32, halfwords: bool) -> bool {
    let lanes = select(24u, 16u, halfwords);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if (i * GROUP_SIZE + local < size) {
            rank[i] = atomicAdd(&cells[cell_of(place[i] >> 5u)], 1u << (place[i] & lanes));
        }
    }
    workgroupBarrier();
    let own = cell_of(local * 4u);
    let counts = vec4<u32>(take(own), take(own + 1u), take(own + 2u), take(own + 3u));
    // A byte above 5 shows here. One that has run over has taken 255 or 256 off the sum.
    let excess = (counts | (counts + vec4<u32>(0x7a7a7a7au))) & vec4<u32>(0x80808080u);
    var over = select(0u, 0x10000u, any(excess != vec4<u32>(0u)));
    var sums = (counts * 0x01010101u) >> vec4<u32>(24u);
    // Of each byte the sum of the lower ones, which is 15 at most, to 4 x 4 bits.
    let bytes = counts * 0x01010100u;
    let pairs = (bytes | (bytes >> vec4<u32>(4u))) & vec4<u32>(0x00ff00ffu);
    var within = (pairs | (pairs >> vec4<u32>(8u))) & vec4<u32>(0x0000ffffu);
    if (halfwords) {
        over = 0u;
        within = counts & vec4<u32>(0xffffu);
        sums = within + (counts >> vec4<u32>(16u));
    }
    scan(local, sums.x + sums.y + sums.z + sums.w + over);
    if (workgroupUniformLoad(&total) != size) {
        return false;
    }
    let start = below(local);
    put(own, within.x | (start << 16u));
    put(own + 1u, within.y | ((start + sums.x) << 16u));
    put(own + 2u, within.z | ((start + sums.x + sums.y) << 16u));
    put(own + 3u, within.w | ((start + sums.x + sums.y + sums.z) << 16u));
    workgroupBarrier();
    if (halfwords) {
        place_by_halfwords(local, size);
    } else {
        place_by_bytes(local, size);
    }
    workgroupBarrier();
    return true;
}

// ---- All of it -----------------------------------------------------------------------------------

fn position_bits() -> u32 {
    return bit_length(capacity() - 1u);
}

// Whether elements are or can be packed into one word.
fn is_lone(to_sub_bucket: vec4<u32>) -> bool {
    if (KEY_WORDS == 1u && !TIES) {
        return true;
    }
    return to_sub_bucket.z + 16u + select(0u, position_bits(), TIES) <= 32u;
}

fn pack(local: u32, least: vec2<u32>) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        key_a[i] = above(i, least).y;
        if (TIES) {
            key_a[i] = (key_a[i] << position_bits()) | (i * GROUP_SIZE + local);
        }
    }
}

fn unpack(least: vec2<u32>) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        var over = key_a[i];
        if (TIES) {
            over = key_a[i] >> position_bits();
            key_c[i] = key_a[i] & ((1u << position_bits()) - 1u);
        }
        if (KEY_WORDS == 1u) {
            key_a[i] = least.x + over;
        } else {
            key_a[i] = least.x; // or a range would have 33 bits or more
            key_b[i] = least.y + over;
        }
    }
}

// Sort by sub-buckets: true if that has done.
fn sort_by_places(local: u32, size: u32, lone: bool) -> bool {
    var in_doubt = false;
    var halfwords = false;
    loop {
        let found = find_places(local, size, halfwords);
        if (found && !(TIES && halfwords)) {
            for (var tries = 0u; tries < MOST_TRIES; tries++) {
                if (lone) {
                    settle_lone(local);
                } else {
                    settle_words(local);
                }
                if (!in_doubt) {
                    return true;
                }
                if (in_order(local, lone)) {
                    return true;
                }
                //@unroll
                for (var i = 0u; i < ITEMS; i++) {
                    place[i] = i * GROUP_SIZE + local;
                }
            }
            return false;
        }
        if (!found && in_doubt) {
            return false;
        }
        halfwords = !in_doubt;
        in_doubt = true;
        clear_counters(local);
        workgroupBarrier();
    }
    return false;
}

// Sort `size` elements, 1 or more. Others are copies of some of these, and are lost. False: all are the
// same and nothing has changed. Called in uniform control flow, with cells that no invocation reads any
// more.
fn sort_held(local: u32, size: u32) -> bool {
    var to_sub_bucket = measure(local, 0u, 0u);
    if (KEY_WORDS == 2u && to_sub_bucket.w == 0u) {
        to_sub_bucket = measure(local, 1u, to_sub_bucket.x);
    }
    if (to_sub_bucket.w == 0u) {
        return false;
    }
    let lone = is_lone(to_sub_bucket);
    let packs = lone && (KEY_WORDS == 2u || TIES);
    find_sub_buckets(to_sub_bucket);
    if (packs) {
        pack(local, to_sub_bucket.xy);
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exists = i * GROUP_SIZE + local < size;
        key_a[i] = select(NONE, key_a[i], exists);
        key_b[i] = select(NONE, key_b[i], exists);
        key_c[i] = select(NONE, key_c[i], exists);
    }
    if (!sort_by_places(local, size, lone)) {
        sort_by_network(local, size, lone, to_sub_bucket);
    }
    if (packs) {
        unpack(to_sub_bucket.xy);
    }
    return true;
}
