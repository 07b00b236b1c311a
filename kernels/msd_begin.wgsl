// msd_begin: the lists of a most-significant-digit sort before its first level: one bucket, all keys.
//
//@use count image key wide sum lane_portable msd msd_digit
//
// One workgroup. Scratch holds anything before it. Of the root's record only totals and cursors are used:
// the rest follows from the count and the root's word, or the plan's digit if keys are not sampled.
//
// msd_begin_sampled also looks at a sample, GROUP_SIZE * ITEMS keys and their successors, for what all keys
// may have in common: an order, or a range (lib/msd). Nothing is believed: msd_histogram checks it.
//
// 1. Each invocation takes keys from stretches of equal length, one of each, at a place that follows no
//    pattern, and notes what it finds. 2. The findings are combined. 3. The root follows from them. 4. Of
//    floats that would crowd below it, fixed-point digits are tried on the sample, and taken if their fullest
//    child has at most half as many. 5. If many of the sample's keys differ from another one of it in their lowest
//    bits at most, levels of a stable sort are passes.

override GROUP_SIZE: u32 = 256u; // a power of two, at least 256
override STABLE: bool = false;   // elements with equal keys must not trade places
override ALONE: bool = true;     // there are no values

@group(0) @binding(3) var<storage, read_write> keys: array<u32>;

const CONTROL_WORDS: u32 = 64u;
const FALLS: u32 = 1u; // a key is followed by a lesser one,
const RISES: u32 = 2u; // by a greater one,
const TIES: u32 = 4u;  // by an equal one

struct Finding {
    least: vec2<u32>, // image
    greatest: vec2<u32>,
    differing: vec2<u32>, // bits in which an image differs from the first key's
    steps: u32,
}

// Of the sample's keys so many may lie beyond the greatest exponent, or beyond 0, and still fixed-point digits
// hold them all: as many as a child of keys spread evenly has.
const BEYOND: u32 = 8u;
const LEAST_EXPONENT: u32 = 8u; // of which no digit's end is subnormal
const GREATEST_EXPONENT: u32 = 253u; // of which twice a number is one

// A sample's images, but for their lowest bits, are scattered over spots, 16 a word: its lower half says which
// have been hit, the upper one which again. Of images that all differ 12 % share a spot.
const SPOT_WORDS: u32 = 1024u;
const SPOT_SHIFT: u32 = 18u; // from a word to a spot's number

var<workgroup> findings: array<Finding, GROUP_SIZE>;

var<workgroup> tally: array<atomic<u32>, GROUP_SIZE>; // of exponents, or of digits
var<workgroup> fullest: atomic<u32>;
var<workgroup> sample_form: u32;
var<workgroup> spots: array<atomic<u32>, SPOT_WORDS>;
var<workgroup> crowd: atomic<u32>;

var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;
var<private> next_low: array<u32, ITEMS>;
var<private> next_high: array<u32, ITEMS>;

fn clear_lists(local: u32) {
    for (var i = local; i < CONTROL_WORDS; i += GROUP_SIZE) {
        atomicStore(&work[i], 0u);
    }
    for (var i = local; i < (2u << params.digit_bits); i += GROUP_SIZE) {
        atomicStore(&work[params.records + RECORD_TOTALS + i], 0u);
    }
}

// Where stretch `number` of `length` keys is looked at.
fn place_in(number: u32, length: u32) -> u32 {
    let mixed = number * 0x9e3779b9u;
    return number * length + (mixed ^ (mixed >> 15u)) % length;
}

fn load_sample(local: u32, element_total: u32) {
    let last = element_total - 1u;
    let length = max(last / (GROUP_SIZE * ITEMS), 1u);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = min(place_in(i * GROUP_SIZE + local, length), max(last, 1u) - 1u);
        let next = min(at + 1u, last);
        low[i] = keys[at * KEY_WORDS];
        next_low[i] = keys[next * KEY_WORDS];
        if (KEY_WORDS == 2u) {
            high[i] = keys[at * KEY_WORDS + 1u];
            next_high[i] = keys[next * KEY_WORDS + 1u];
        }
    }
}

fn lesser(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, wide_less(b, a));
}

fn greater(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, wide_less(a, b));
}

fn note(found: Finding, first: vec2<u32>, image: vec2<u32>, next: vec2<u32>) -> Finding {
    let falls = wide_less(next, image);
    let rises = wide_less(image, next);
    return Finding(lesser(found.least, lesser(image, next)), greater(found.greatest, greater(image, next)),
                   found.differing | (image ^ first) | (next ^ first),
                   found.steps | select(select(TIES, RISES, rises), FALLS, falls));
}

fn join(a: Finding, b: Finding) -> Finding {
    return Finding(lesser(a.least, b.least), greater(a.greatest, b.greatest), a.differing | b.differing,
                   a.steps | b.steps);
}

// Leaves what the whole sample shows in findings[0], for invocation 0.
fn take_sample(local: u32, element_total: u32) {
    load_sample(local, element_total);
    var key = vec2<u32>(keys[0], 0u);
    if (KEY_WORDS == 2u) {
        key.y = keys[1];
    }
    let first = key_image(key);
    var found = Finding(first, first, vec2<u32>(0u), 0u);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        found = note(found, first, key_image(vec2<u32>(low[i], high[i])),
                     key_image(vec2<u32>(next_low[i], next_high[i])));
    }
    findings[local] = found;
    for (var half = GROUP_SIZE / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (local < half) {
            findings[local] = join(findings[local], findings[local + half]);
        }
    }
}

fn promised_order(found: Finding) -> u32 {
    if ((found.steps & FALLS) == 0u) {
        return ROOT_ASCENDING;
    }
    return select(0u, ROOT_DESCENDING, (found.steps & select(RISES, RISES | TIES, STABLE)) == 0u);
}

// Promise that images differ from `base`, that of digit 0 of the range, by a number without the bits `zeros`.
fn promise(shift: u32, bits: u32, quotient: vec2<u32>, rest: vec2<u32>, zeros: vec2<u32>, flags: u32) {
    let base = wide_add(wide_left(quotient, shift), rest);
    atomicStore(&work[BASE], base.x);
    atomicStore(&work[BASE + 1u], base.y);
    atomicStore(&work[ZEROS], zeros.x);
    atomicStore(&work[ZEROS + 1u], zeros.y);
    let lowest = quotient.x & ((1u << bits) - 1u);
    atomicStore(&work[ROOT], root_of(shift, bits, lowest) | flags | ROOT_RANGED);
}

// The first of 2^bits values of images' bits from `shift` on: those of the sample are amidst them, or as near
// to that as the ends of all values allow.
fn centered(found: Finding, shift: u32, bits: u32) -> vec2<u32> {
    let quotient = wide_right(found.least, shift);
    let above = wide_subtract(wide_right(found.greatest, shift), quotient).x;
    let spare = vec2<u32>((((1u << bits) - 1u) - above) / 2u, 0u);
    let first = wide_subtract(quotient, lesser(quotient, spare));
    let all = wide_right(vec2<u32>(0xffffffffu, select(0u, 0xffffffffu, KEY_WORDS == 2u)), shift);
    return lesser(first, wide_subtract(all, vec2<u32>((1u << bits) - 1u, 0u)));
}

// Keys alone that differ in one digit need not be moved: they are counted and written. Returns whether the
// sample's do.
fn promise_digit(found: Finding, order: u32) -> bool {
    let shift = wide_zeros(found.differing);
    let bits = min(params.digit_bits, params.key_bits - shift);
    let mask = vec2<u32>((1u << bits) - 1u, 0u);
    let span = wide_right(wide_subtract(found.greatest, found.least), shift);
    if (!ALONE || wide_less(mask, span)) {
        return false;
    }
    let below = wide_subtract(wide_left(vec2<u32>(1u, 0u), shift), vec2<u32>(1u, 0u));
    promise(shift, bits, centered(found, shift, bits), found.least & below, ~wide_left(mask, shift),
            order | ROOT_FILLED);
    return true;
}

// The root's digit begins where images begin to differ. If the sample's fill the values that share some
// highest bits, all keys are taken to share them. Else they are taken to spread over four times the sample's
// range, for rare keys lie further out than those of a sample; or to be as many values as the digit has.
fn promise_range(found: Finding, order: u32) {
    let block = wide_width(found.least ^ found.greatest);
    let span = wide_subtract(found.greatest, found.least);
    let bits = params.digit_bits;
    let fills = block > bits && wide_right(span, max(block, 6u) - 6u).x == 63u;
    let spread = select(wide_width(span) + 2u, bits, wide_width(span) <= bits);
    let top = select(spread, block, fills);
    if (top >= params.key_bits) {
        atomicStore(&work[ROOT], planned_root() | order);
        return;
    }
    let shift = top - bits;
    let mask = vec2<u32>((1u << bits) - 1u, 0u);
    let quotient = select(centered(found, shift, bits), wide_right(found.least, shift) & ~mask, fills);
    let above = wide_left(vec2<u32>(0xffffffffu), top);
    promise(shift, bits, quotient, vec2<u32>(0u), above, order);
}

fn clear_tally(local: u32) {
    workgroupBarrier();
    atomicStore(&tally[local], 0u);
    if (local == 0u) {
        atomicStore(&fullest, 0u);
        sample_form = 0u;
    }
    workgroupBarrier();
}

// The form of fixed-point digits that suits the sample; 0 if none does. Infinities and NaNs have no say.
fn find_form(local: u32) -> u32 {
    clear_tally(local);
    var negative = 0u;
    var positive = 0u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let exponent = (low[i] >> 23u) & 0xffu;
        let finite = select(0u, 1u, exponent < 0xffu);
        atomicAdd(&tally[exponent], finite);
        negative += finite * (low[i] >> 31u);
        positive += finite * (1u - (low[i] >> 31u));
    }
    workgroupBarrier();
    let exponent = 0xffu - (local & 0xffu);
    let found = select(0u, atomicLoad(&tally[exponent]), local <= 0xffu);
    let above = group_exclusive(local, found).x;
    let signs = group_exclusive(local, negative | (positive << 16u)).y;
    let halves = select(select(1u, 2u, (signs >> 16u) <= BEYOND), 0u, (signs & 0xffffu) <= BEYOND);
    let usual = exponent >= LEAST_EXPONENT && exponent <= GREATEST_EXPONENT;
    if (above <= BEYOND && above + found > BEYOND && usual) {
        sample_form = exponent | (halves << 8u);
    }
    return workgroupUniformLoad(&sample_form);
}

// How many of the sample's keys the root's fullest child has.
fn find_fullest(local: u32, root: u32) -> u32 {
    let tile = root_tile(0u, root);
    let fixed = fixed_of(tile);
    clear_tally(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let digit = bucket_digit(vec2<u32>(low[i], 0u), tile);
        atomicAdd(&tally[select(digit, fixed_digit(low[i], fixed), tile.form > 0u)], 1u);
    }
    workgroupBarrier();
    atomicMax(&fullest, atomicLoad(&tally[local]));
    workgroupBarrier();
    return atomicLoad(&fullest);
}

// Replaces a root of images by one of fixed-point digits if that spreads the sample better.
fn spread_root(local: u32) {
    let root = load_root(local);
    if ((root & ROOT_FILLED) != 0u) {
        return;
    }
    let form = find_form(local);
    if (form == 0u) {
        return;
    }
    let bits = params.digit_bits;
    let whole = bits - select(0u, 1u, (form >> 8u) == 1u); // bits of a magnitude
    let fixed = root_of(24u - whole, bits, form) | (root & ROOT_ORDERED) | ROOT_FIXED;
    let crowded = find_fullest(local, root);
    if (2u * find_fullest(local, fixed) <= crowded && local == 0u) {
        atomicStore(&work[ROOT], fixed);
    }
}

fn spot_of(i: u32) -> u32 {
    return ((key_image(vec2<u32>(low[i], 0u)).x >> params.digit_bits) * 0x9e3779b9u) >> SPOT_SHIFT;
}

// How many of the sample's keys share a spot.
fn count_crowd(local: u32) -> u32 {
    if (local == 0u) {
        atomicStore(&crowd, 0u);
    }
    for (var i = local; i < SPOT_WORDS; i += GROUP_SIZE) {
        atomicStore(&spots[i], 0u);
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let spot = spot_of(i);
        let hit = 1u << (spot % 16u);
        if ((atomicOr(&spots[spot / 16u], hit) & hit) != 0u) {
            atomicOr(&spots[spot / 16u], hit << 16u);
        }
    }
    workgroupBarrier();
    var crowded = 0u;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let spot = spot_of(i);
        crowded += (atomicLoad(&spots[spot / 16u]) >> (spot % 16u + 16u)) & 1u;
    }
    atomicAdd(&crowd, crowded);
    workgroupBarrier();
    return atomicLoad(&crowd);
}

// Replaces the root by the first pass's if levels would be as many as digits, and three eighths of the sample share
// spots. Of few keys the sample has some more than once, which says nothing. Keys of two words gain nothing: most of
// what crowds is apart after fewer levels than they have passes.
fn choose_passes(local: u32, element_total: u32) {
    let root = load_root(local);
    let levels = 1u + div_ceil(root & 63u, params.digit_bits);
    let ends_early = levels < div_ceil(params.key_bits, params.digit_bits) && (root & ROOT_FIXED) == 0u;
    if (ends_early || element_total <= GROUP_SIZE * ITEMS || pass_total() > params.last_level + 1u ||
        8u * count_crowd(local) < 3u * GROUP_SIZE * ITEMS) {
        return;
    }
    if (local == 0u) {
        atomicStore(&work[ROOT], root_of(0u, pass_bits(0u, 0u), 0u) | (root & ROOT_ORDERED) | ROOT_PASSES);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_begin(@builtin(local_invocation_index) local: u32) {
    clear_lists(local);
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_begin_sampled(@builtin(local_invocation_index) local: u32) {
    let element_total = element_count(params.max_count);
    clear_lists(local);
    for (var i = local; i < (2u << params.digit_bits); i += GROUP_SIZE) {
        atomicStore(&work[second_record() + RECORD_TOTALS + i], 0u);
    }
    if (element_total == 0u) {
        return;
    }
    storageBarrier();
    take_sample(local, element_total);
    if (local == 0u) {
        let found = findings[0];
        let order = promised_order(found);
        if (!promise_digit(found, order)) {
            promise_range(found, order);
        }
    }
    if (FIXED_ROOT) {
        spread_root(local);
    }
    if (STABLE && KEY_WORDS == 1u) {
        choose_passes(local, element_total);
    }
}
