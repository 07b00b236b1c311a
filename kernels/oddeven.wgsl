// oddeven: Batcher's odd-even merge network, some of its steps at a time.
//
//@use count image element
//
// Stage k merges sorted runs of 2^(k-1) positions in pairs, by levels from k - 1 down. On the first,
// position t of a run of 2^k meets t + 2^(k-1). On a level below, with stride 2^level, t meets
// t + stride where t / stride is odd, if both lie in one run of 2^k.
//
//     oddeven_sort    stages 1 … `stages` of each block
//     oddeven_step    one level that lies above blocks
//     oddeven_seam    of the levels below blocks the comparators that join two blocks
//     oddeven_merge   and then those inside of blocks
//
// On each level the comparators that join two blocks touch only positions that the joining ones of
// the level above have left, so all of a seam can be done before its blocks:
//
//              block   |   block
//     · · · · x x x x | x x x x · · · ·     level 2: four positions on either side of the seam
//     · · · · · · x x | x x · · · · · ·     level 1: two
//     · · · · · · · x | x · · · · · · ·     level 0: one
//
// Reads and writes each element once.

override CELLS: u32 = 4096u;     // BLOCK words for each word of key and payload
override GROUP_SIZE: u32 = 256u;
override BLOCK: u32 = 4096u;     // positions a block, a power of two

var<workgroup> cells: array<u32, CELLS>;

fn put_cell(i: u32, position: u32) {
    cells[position] = key_a[i];
    if (KEY_WORDS > 1u) { cells[position + BLOCK] = key_b[i]; }
    if (KEY_WORDS > 2u) { cells[position + BLOCK * 2u] = key_c[i]; }
    if (KEY_WORDS > 3u) { cells[position + BLOCK * 3u] = key_d[i]; }
    if (PAYLOAD_WORDS > 0u) { cells[position + BLOCK * KEY_WORDS] = load_a[i]; }
    if (PAYLOAD_WORDS > 1u) { cells[position + BLOCK * (KEY_WORDS + 1u)] = load_b[i]; }
}

fn take_cell(i: u32, position: u32) {
    key_a[i] = cells[position];
    if (KEY_WORDS > 1u) { key_b[i] = cells[position + BLOCK]; }
    if (KEY_WORDS > 2u) { key_c[i] = cells[position + BLOCK * 2u]; }
    if (KEY_WORDS > 3u) { key_d[i] = cells[position + BLOCK * 3u]; }
    if (PAYLOAD_WORDS > 0u) { load_a[i] = cells[position + BLOCK * KEY_WORDS]; }
    if (PAYLOAD_WORDS > 1u) { load_b[i] = cells[position + BLOCK * (KEY_WORDS + 1u)]; }
}

fn exchange_cells(low: u32, high: u32) {
    take_cell(0u, low);
    take_cell(1u, high);
    exchange(0u, 1u);
    put_cell(0u, low);
    put_cell(1u, high);
}

// One level of runs of 2^run_bits positions, of the comparators that join no two runs; `first`: the
// level on which the halves of runs meet.
fn run_level(local: u32, run_bits: u32, level: u32, first: bool) {
    let stride = 1u << level;
    for (var c = local; c < BLOCK / 2u; c += GROUP_SIZE) {
        let low = c + (c & (0u - stride)) + select(stride, 0u, first);
        let high = low + stride;
        if ((high & ((1u << run_bits) - 1u)) >= stride) {
            exchange_cells(low, high);
        }
    }
    workgroupBarrier();
}

fn block_bits() -> u32 {
    return countOneBits(BLOCK - 1u);
}

fn sort_cells(local: u32, stages: u32) {
    for (var stage = 1u; stage <= stages; stage++) {
        for (var above = stage; above > 0u; above--) {
            run_level(local, stage, above - 1u, above == stage);
        }
    }
}

// The first position of this workgroup's block, and whether the block has no elements: those that it
// has come first. params.a: blocks.
fn block_first(grid: Grid) -> u32 {
    return group_number(grid) * BLOCK;
}

fn block_is_empty(grid: Grid) -> bool {
    return group_number(grid) >= params.a || !held(element_at(block_first(grid)));
}

fn load_keys(local: u32, first: u32) {
    for (var position = local; position < BLOCK; position += GROUP_SIZE) {
        load_key(0u, element_at(first + position));
        put_cell(0u, position);
    }
    workgroupBarrier();
}

fn load_pairs(local: u32, first: u32) {
    for (var position = local; position < BLOCK; position += GROUP_SIZE) {
        load_pair(0u, element_at(first + position));
        put_cell(0u, position);
    }
    workgroupBarrier();
}

fn store_keys(local: u32, first: u32) {
    for (var position = local; position < BLOCK; position += GROUP_SIZE) {
        take_cell(0u, position);
        store_key(0u, element_at(first + position));
    }
}

fn store_pairs(local: u32, first: u32) {
    for (var position = local; position < BLOCK; position += GROUP_SIZE) {
        take_cell(0u, position);
        store_pair(0u, element_at(first + position));
    }
}

// ---- Block sort: params.b stages -----------------------------------------------------------------

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_sort_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    for (var position = local; position < BLOCK; position += GROUP_SIZE) {
        load_lone_key_in(0u, element_at(first + position));
        put_cell(0u, position);
    }
    workgroupBarrier();
    sort_cells(local, params.b);
    store_keys(local, first);
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_sort_keys_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    load_keys(local, first);
    sort_cells(local, params.b);
    store_keys(local, first);
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_sort_index(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    for (var position = local; position < BLOCK; position += GROUP_SIZE) {
        load_index(0u, element_at(first + position));
        put_cell(0u, position);
    }
    workgroupBarrier();
    sort_cells(local, params.b);
    store_pairs(local, first);
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_sort_pairs_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    load_pairs(local, first);
    sort_cells(local, params.b);
    store_pairs(local, first);
}

// ---- Block merge: the levels inside of blocks ----------------------------------------------------

fn merge_cells(local: u32) {
    for (var above = block_bits(); above > 0u; above--) {
        run_level(local, block_bits(), above - 1u, false);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_merge_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    load_keys(local, first);
    merge_cells(local);
    store_keys(local, first);
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_merge_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = block_first(grid);
    if (block_is_empty(grid)) {
        return;
    }
    load_pairs(local, first);
    merge_cells(local);
    store_pairs(local, first);
}

// ---- Seam: params.a seams; b stage, in which runs are 2^b positions --------------------------------

// Half a block before this workgroup's seam, which is one of those inside of a run.
fn seam_first(grid: Grid) -> u32 {
    let seams = (1u << (params.b - block_bits())) - 1u; // of a run; the difference is at most 31
    let run = group_number(grid) / seams;
    let seam = group_number(grid) % seams;
    return (run << params.b) + seam * BLOCK + BLOCK / 2u;
}

fn sew(local: u32) {
    for (var above = block_bits(); above > 0u; above--) {
        let stride = 1u << (above - 1u);
        for (var c = local; c < stride; c += GROUP_SIZE) {
            exchange_cells(BLOCK / 2u - stride + c, BLOCK / 2u + c);
        }
        workgroupBarrier();
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_seam_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = seam_first(grid);
    if (group_number(grid) >= params.a || !held(element_at(first + BLOCK / 2u))) {
        return;
    }
    load_keys(local, first);
    sew(local);
    store_keys(local, first);
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_seam_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let first = seam_first(grid);
    if (group_number(grid) >= params.a || !held(element_at(first + BLOCK / 2u))) {
        return;
    }
    load_pairs(local, first);
    sew(local);
    store_pairs(local, first);
}

// ---- Step: params.a stage, b level, c comparators ------------------------------------------------

// The lower position of comparator `number`, the higher is 2^level away.
fn step_low(number: u32) -> u32 {
    let group = number >> params.b;
    let offset = number & ((1u << params.b) - 1u);
    if (params.b + 1u == params.a) {
        return (group << params.a) + offset;
    }
    let groups = (1u << (params.a - 1u - params.b)) - 1u; // of a run
    return ((group / groups) << params.a) + ((group % groups * 2u + 1u) << params.b) + offset;
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_step_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let number = group_number(grid) * GROUP_SIZE + local;
    if (number < params.c && element_count(params.max_count) > 0u) {
        let low = element_at(step_low(number));
        let high = element_at(step_low(number) + (1u << params.b));
        load_key(0u, low);
        load_key(1u, high);
        exchange(0u, 1u);
        store_key(0u, low);
        store_key(1u, high);
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn oddeven_step_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let number = group_number(grid) * GROUP_SIZE + local;
    if (number < params.c && element_count(params.max_count) > 0u) {
        let low = element_at(step_low(number));
        let high = element_at(step_low(number) + (1u << params.b));
        load_pair(0u, low);
        load_pair(1u, high);
        exchange(0u, 1u);
        store_pair(0u, low);
        store_pair(1u, high);
    }
}
