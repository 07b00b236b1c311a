// topk_select: the best k candidates of each row, sorted, by one workgroup a row.
//
//@use count image key candidate
//
//     cells    | candidates held: indices | low words | high words |       CELLS each: 2 k, or all there are
//     limit    | the k-th best so far |             worse candidates are not taken
//
//     topk_select_keys          candidates are all keys of the row
//     topk_select_list          … all entries of a list of delegates (see topk_best)
//     topk_select_key_chunks    … the chunks of keys whose delegates `chosen` has
//     topk_select_list_chunks   … the same chunks of delegates
//
// 1. Where nothing is chosen yet: find the best candidate of each invocation. Of these, in `bests` groups,
//    the k-th best is the limit.
// 2. Add candidates within the limit to the cells. When these are full, sort them, keep k, lower the limit to
//    the last of them, and go on with those that found no room.
// 3. Sort what is held; write k entries, as many as there are with NO_INDEX.
// `chosen` has k sorted entries a row; the last one is the limit to begin with, for the k best delegates are
// k elements, of which none of the best k is worse.
// Reads the image of each candidate at most twice, the index of those that may be taken; writes KEY_WORDS + 1
// words an entry.

override GROUP_SIZE: u32 = 256u;  // a power of two, at most CELLS
override CELL_WORDS: u32 = 2048u; // CELLS * (KEY_WORDS + 1)
override CELLS: u32 = 1024u;      // a power of two: at least 2 k, or all candidates
override STRIDE: u32 = 256u;      // of chunks: the GROUP_SIZE of topk_best
override LAST: bool = false;      // results are keys, not images
const RANKED: u32 = 256u;         // up to so many candidates ranks are faster than a network

struct Params {
    max_count: u32,
    row_length: u32,    // elements a row of the problem
    k: u32,             // entries a row of results, and of chosen
    source_length: u32, // elements a row here, of those of a list
    level: u32,         // of the list or keys that are read: 0 are keys
    chunk_bits: u32,    // log2 of the elements of a chunk, 4 bits a level
    bests: u32,         // to take the first limit from: a power of two from k to GROUP_SIZE; 0: none
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<storage, read_write> result_indices: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> images: array<u32>;
@group(0) @binding(5) var<storage, read_write> indices: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys_chosen: array<u32>;         // images that chose keys …
@group(0) @binding(6) var<storage, read_write> keys_chosen_indices: array<u32>;
@group(0) @binding(6) var<storage, read_write> list_chosen: array<u32>;         // … or delegates
@group(0) @binding(7) var<storage, read_write> list_chosen_indices: array<u32>;

var<workgroup> cells: array<u32, CELL_WORDS>;
var<workgroup> ranks: array<atomic<u32>, RANKED>;
var<workgroup> claimed: atomic<u32>; // cells, also those that are not there
var<workgroup> claimed_now: u32;

// Candidates loaded; NO_INDEX: none, or already in a cell.
var<private> low: array<u32, ITEMS>;
var<private> high: array<u32, ITEMS>;
var<private> index: array<u32, ITEMS>;

var<private> limit: vec2<u32>;
var<private> limit_index: u32;

fn cell_image(at: u32) -> vec2<u32> {
    if (KEY_WORDS == 2u) {
        return vec2<u32>(cells[CELLS + at], cells[2u * CELLS + at]);
    }
    return vec2<u32>(cells[CELLS + at], 0u);
}

fn set_cell(at: u32, image: vec2<u32>, of_index: u32) {
    cells[at] = of_index;
    cells[CELLS + at] = image.x;
    if (KEY_WORDS == 2u) {
        cells[2u * CELLS + at] = image.y;
    }
}

// A comparator of the network: the better candidate goes to cell a.
fn compare(a: u32, b: u32) {
    let image_a = cell_image(a);
    let image_b = cell_image(b);
    let index_a = cells[a];
    let index_b = cells[b];
    if (is_better(image_b, index_b, image_a, index_a)) {
        set_cell(a, image_b, index_b);
        set_cell(b, image_a, index_a);
    }
}

// Sort the first `held` cells by a bitonic network whose comparators all point up.
fn sort_by_network(local: u32, held: u32) {
    var span = 2u;
    while (span < held) {
        span <<= 1u;
    }
    for (var at = held + local; at < span; at += GROUP_SIZE) {
        set_cell(at, worst(), NO_INDEX);
    }
    workgroupBarrier();
    for (var run = 2u; run <= span; run <<= 1u) {
        for (var stride = run / 2u; stride > 0u; stride >>= 1u) {
            for (var pair = local; pair < span / 2u; pair += GROUP_SIZE) {
                let a = pair / stride * 2u * stride + pair % stride;
                compare(a, select(a + stride, a ^ (run - 1u), stride == run / 2u));
            }
            workgroupBarrier();
        }
    }
}

// Sort the first `held` cells by counting for each the better ones. `teams` invocations share a cell.
fn sort_by_ranks(local: u32, held: u32) {
    var span = 1u;
    while (span < held) {
        span <<= 1u;
    }
    let teams = GROUP_SIZE / span;
    let at = local % span;
    if (local < span) {
        atomicStore(&ranks[at], 0u);
    }
    workgroupBarrier();
    let image = cell_image(at);
    let own = cells[at];
    var rank = 0u;
    for (var other = local / span; other < held; other += teams) {
        rank += select(0u, 1u, is_better(cell_image(other), cells[other], image, own));
    }
    atomicAdd(&ranks[at], rank);
    workgroupBarrier();
    // Those with NO_INDEX all have the same rank.
    if (local < held) {
        set_cell(at, worst(), NO_INDEX);
    }
    workgroupBarrier();
    if (local < held) {
        set_cell(atomicLoad(&ranks[at]), image, own);
    }
    workgroupBarrier();
}

fn sort_cells(local: u32, held: u32) {
    if (held <= RANKED && held <= GROUP_SIZE) {
        sort_by_ranks(local, held);
    } else {
        sort_by_network(local, held);
    }
}

// Which candidate of a list slot i of an invocation loads in a round. The list is cut into ITEMS segments,
// read at once, every other one from its end: so a round of a list in any order sees some of its best.
fn listed(local: u32, round: u32, i: u32, rounds: u32) -> u32 {
    let block = i * rounds + select(round, rounds - 1u - round, i % 2u == 1u);
    return block * GROUP_SIZE + local;
}

fn begin(local: u32) {
    limit = worst();
    limit_index = NO_INDEX;
    if (local == 0u) {
        atomicStore(&claimed, 0u);
    }
    workgroupBarrier();
}

// Add the loaded candidates to an invocation's best.
fn fold() {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let image = vec2<u32>(low[i], high[i]);
        if (index[i] != NO_INDEX && is_better(image, index[i], limit, limit_index)) {
            limit = image;
            limit_index = index[i];
        }
    }
}

// Set the limit to the k-th best of `bests` groups of invocations; so far it is each one's best.
fn limit_by_bests(local: u32) {
    set_cell(local, limit, limit_index);
    workgroupBarrier();
    if (local < params.bests) {
        for (var at = local + params.bests; at < GROUP_SIZE; at += params.bests) {
            if (is_better(cell_image(at), cells[at], limit, limit_index)) {
                limit = cell_image(at);
                limit_index = cells[at];
            }
        }
        set_cell(local, limit, limit_index);
    }
    sort_cells(local, params.bests);
    limit = cell_image(params.k - 1u);
    limit_index = cells[params.k - 1u];
    workgroupBarrier();
}

// 2. Take the loaded candidates.
fn take(local: u32) {
    loop {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let image = vec2<u32>(low[i], high[i]);
            if (index[i] != NO_INDEX && !is_better(limit, limit_index, image, index[i])) {
                let cell = atomicAdd(&claimed, 1u);
                if (cell < CELLS) {
                    set_cell(cell, image, index[i]);
                    index[i] = NO_INDEX;
                }
            }
        }
        workgroupBarrier();
        if (local == 0u) {
            claimed_now = atomicLoad(&claimed);
        }
        if (workgroupUniformLoad(&claimed_now) <= CELLS) {
            break;
        }
        sort_cells(local, CELLS);
        limit = cell_image(params.k - 1u);
        limit_index = cells[params.k - 1u];
        if (local == 0u) {
            atomicStore(&claimed, params.k);
        }
        workgroupBarrier();
    }
}

// 3. Write the row's results.
fn finish(local: u32, row: u32) {
    if (local == 0u) {
        claimed_now = atomicLoad(&claimed);
    }
    let held = workgroupUniformLoad(&claimed_now);
    sort_cells(local, held);
    for (var i = local; i < params.k; i += GROUP_SIZE) {
        var image = worst();
        var of_index = NO_INDEX;
        if (i < held) {
            image = cell_image(i);
            of_index = cells[i];
        }
        if (LAST) {
            image = key_bits(image);
        }
        let at = row * params.k + i;
        results[at * KEY_WORDS] = image.x;
        if (KEY_WORDS == 2u) {
            results[at * KEY_WORDS + 1u] = image.y;
        }
        result_indices[at] = of_index;
    }
}

fn chunk_bits(level: u32) -> u32 {
    return (params.chunk_bits >> (4u * level)) & 15u;
}

// The place, on the level that is read, of element `member` of the chunk whose delegate is element
// `of_index` of its row.
fn member_place(of_index: u32, member: u32) -> u32 {
    var place = of_index;
    for (var level = 0u; level < params.level; level++) {
        place = ((place / STRIDE) >> chunk_bits(level)) * STRIDE + place % STRIDE;
    }
    let bits = chunk_bits(params.level);
    let tile = (place / STRIDE) >> bits;
    return ((tile << bits) + member) * STRIDE + place % STRIDE;
}

// Put a key of the row into slot i of the loaded; none from `held` on.
fn load_key(i: u32, row: u32, place: u32, held: u32) {
    let at = (row * params.row_length + min(place, max(held, 1u) - 1u)) * KEY_WORDS;
    var key = vec2<u32>(keys[at], 0u);
    if (KEY_WORDS == 2u) {
        key.y = keys[at + 1u];
    }
    let image = key_image(key);
    low[i] = image.x;
    high[i] = image.y;
    index[i] = select(NO_INDEX, place, place < held);
}

// The same of the image of a delegate; load_index follows.
fn load_delegate(i: u32, row: u32, place: u32) {
    let at = row * params.source_length + min(place, params.source_length - 1u);
    low[i] = images[at * KEY_WORDS];
    if (KEY_WORDS == 2u) {
        high[i] = images[at * KEY_WORDS + 1u];
    }
}

// The index of delegate i of the loaded, unless it is worse than the limit.
fn load_index(i: u32, row: u32, place: u32) {
    index[i] = NO_INDEX;
    if (place < params.source_length && !is_better(limit, 1u, vec2<u32>(low[i], high[i]), 0u)) {
        index[i] = indices[row * params.source_length + place];
    }
}

fn load_keys(local: u32, row: u32, round: u32, rounds: u32, held: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_key(i, row, listed(local, round, i, rounds), held);
    }
}

fn load_list(local: u32, row: u32, round: u32, rounds: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_delegate(i, row, listed(local, round, i, rounds));
    }
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        load_index(i, row, listed(local, round, i, rounds));
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_select_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid);
    if (row >= div_ceil(params.max_count, params.row_length)) {
        return;
    }
    let held = row_count(row);
    let rounds = div_ceil(held, GROUP_SIZE * ITEMS);
    begin(local);
    if (params.bests > 0u) {
        for (var round = 0u; round < rounds; round++) {
            load_keys(local, row, round, rounds, held);
            fold();
        }
        limit_by_bests(local);
    }
    for (var round = 0u; round < rounds; round++) {
        if (params.bests == 0u || rounds > 1u) {
            load_keys(local, row, round, rounds, held);
        }
        take(local);
    }
    finish(local, row);
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_select_list(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid);
    if (row >= div_ceil(params.max_count, params.row_length)) {
        return;
    }
    let held = select(params.source_length, 0u, row_count(row) == 0u);
    let rounds = div_ceil(held, GROUP_SIZE * ITEMS);
    begin(local);
    if (params.bests > 0u) {
        for (var round = 0u; round < rounds; round++) {
            load_list(local, row, round, rounds);
            fold();
        }
        limit_by_bests(local);
    }
    for (var round = 0u; round < rounds; round++) {
        if (params.bests == 0u || rounds > 1u) {
            load_list(local, row, round, rounds);
        }
        take(local);
    }
    finish(local, row);
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_select_key_chunks(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid);
    if (row >= div_ceil(params.max_count, params.row_length)) {
        return;
    }
    let held = row_count(row);
    begin(local);
    let last = row * params.k + params.k - 1u;
    limit.x = keys_chosen[last * KEY_WORDS];
    if (KEY_WORDS == 2u) {
        limit.y = keys_chosen[last * KEY_WORDS + 1u];
    }
    limit_index = keys_chosen_indices[last];
    let bits = chunk_bits(params.level);
    let candidates = select(params.k << bits, 0u, held == 0u);
    for (var done = 0u; done < candidates; done += GROUP_SIZE * ITEMS) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let candidate = done + i * GROUP_SIZE + local;
            let of_index = keys_chosen_indices[row * params.k + min(candidate >> bits, params.k - 1u)];
            let place = member_place(of_index, candidate & ((1u << bits) - 1u));
            let is_one = of_index != NO_INDEX && candidate < candidates;
            load_key(i, row, select(NO_INDEX, place, is_one), held);
        }
        take(local);
    }
    finish(local, row);
}

@compute @workgroup_size(GROUP_SIZE)
fn topk_select_list_chunks(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let row = group_number(grid);
    if (row >= div_ceil(params.max_count, params.row_length)) {
        return;
    }
    begin(local);
    let last = row * params.k + params.k - 1u;
    limit.x = list_chosen[last * KEY_WORDS];
    if (KEY_WORDS == 2u) {
        limit.y = list_chosen[last * KEY_WORDS + 1u];
    }
    limit_index = list_chosen_indices[last];
    let bits = chunk_bits(params.level);
    let candidates = select(params.k << bits, 0u, row_count(row) == 0u);
    for (var done = 0u; done < candidates; done += GROUP_SIZE * ITEMS) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let candidate = done + i * GROUP_SIZE + local;
            let of_index = list_chosen_indices[row * params.k + min(candidate >> bits, params.k - 1u)];
            let place = member_place(of_index, candidate & ((1u << bits) - 1u));
            let is_one = of_index != NO_INDEX && candidate < candidates;
            index[i] = select(NO_INDEX, place, is_one);
            load_delegate(i, row, index[i]);
        }
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            load_index(i, row, index[i]);
        }
        take(local);
    }
    finish(local, row);
}
