// rows: scan a tile of GROUP_SIZE * ITEMS items in registers.
//
//     runs      held[4 * r + j] is item (r * GROUP_SIZE + l) * 4 + j of invocation l
//               to scan, and to read and write four words at once
//     striped   held[i] is item i * GROUP_SIZE + l
//               to read and write single words
//
// A row, 4 * GROUP_SIZE items in four registers, goes from one to the other by way of cells. Rows
// take the two halves of cells in turn, so that one barrier a row is enough.
//
//     cells (rows)   | row 0, 2, … | row 1, 3, … |
//     cells (sums)   | sums of the runs of row 0 | of row 1 | …
//                      of which each invocation scans ITEMS / 4 consecutive ones
//
// The kernel defines GROUP_SIZE (a multiple of 32), CELLS (8 * GROUP_SIZE), INCLUSIVE, and at
// binding 2 items_out and quads_out; ITEMS is a multiple of 4 up to 32. Uses fold and lane. The
// association is fixed where that of the lanes is, and the same for words and for four at once.

var<workgroup> cells: array<u32, CELLS>;
var<private> held: array<u32, ITEMS>;
var<private> run_before: array<u32, ITEMS>; // [4 * r]: what the runs before this one combine to

// The cell of a number below CELLS. Strides of 4 meet each memory bank once in 32 invocations.
fn cell(at: u32) -> u32 {
    return at ^ ((at >> 5u) & 3u);
}

// Where the half begins that the row of register i takes.
fn half_of(i: u32) -> u32 {
    return ((i >> 2u) & 1u) * (4u * GROUP_SIZE);
}

// Four items from item `at` on, as read, into a run; beyond the last item the identity. Nothing
// branches on that, for group_exclusive follows: see lib/lane_subgroup.
fn hold_quad(run: u32, at: u32, items: u32, quad: vec4<u32>) {
    held[run] = select(identity(), image(quad.x), at < items);
    held[run + 1u] = select(identity(), image(quad.y), at + 1u < items);
    held[run + 2u] = select(identity(), image(quad.z), at + 2u < items);
    held[run + 3u] = select(identity(), image(quad.w), at + 3u < items);
}

// From striped to runs.
fn take_runs(local: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        cells[cell(half_of(i) + (i & 3u) * GROUP_SIZE + local)] = held[i];
        if ((i & 3u) == 3u) {
            let run = i & 0xfffffffcu;
            let at = half_of(i) + 4u * local;
            workgroupBarrier();
            held[run] = cells[cell(at)];
            held[run + 1u] = cells[cell(at + 1u)];
            held[run + 2u] = cells[cell(at + 2u)];
            held[run + 3u] = cells[cell(at + 3u)];
        }
    }
    workgroupBarrier();
}

// Scan the runs of the tile: each item becomes what its run combines to up to it, run_before is
// set. Returns what all combine to. Called in uniform control flow by all invocations.
fn scan_runs(local: u32) -> u32 {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) != 0u) {
            held[i] = combine(held[max(i, 1u) - 1u], held[i]);
        }
        if ((i & 3u) == 3u) {
            cells[cell((i >> 2u) * GROUP_SIZE + local)] = held[i];
        }
    }
    workgroupBarrier();
    let first = local * (ITEMS / 4u);
    var sum = identity();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            sum = combine(sum, cells[cell(first + (i >> 2u))]);
        }
    }
    let lanes = group_exclusive(local, sum);
    sum = lanes.x;
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            let at = cell(first + (i >> 2u));
            let through = combine(sum, cells[at]);
            cells[at] = sum;
            sum = through;
        }
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            run_before[i] = cells[cell((i >> 2u) * GROUP_SIZE + local)];
        }
    }
    return lanes.y;
}

// What register i comes to over `before`.
fn scanned(i: u32, before: u32) -> u32 {
    let start = combine(before, run_before[i & 0xfffffffcu]);
    if (INCLUSIVE) {
        return combine(start, held[i]);
    }
    return select(combine(start, held[max(i, 1u) - 1u]), start, (i & 3u) == 0u);
}

// The bits to write for item `at`.
fn scanned_bits(at: u32, value: u32) -> u32 {
    return select(bits_of(value), identity_bits(), at == 0u && !INCLUSIVE);
}

// Write the scan of the tile's items, the first of which is item `first`, over `before`.
fn store_runs(local: u32, first: u32, items: u32, before: u32) {
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            let run = i & 0xfffffffcu;
            let at = half_of(i) + 4u * local;
            cells[cell(at)] = scanned(run, before);
            cells[cell(at + 1u)] = scanned(run + 1u, before);
            cells[cell(at + 2u)] = scanned(run + 2u, before);
            cells[cell(at + 3u)] = scanned(run + 3u, before);
            workgroupBarrier();
        }
        let at = first + i * GROUP_SIZE + local;
        let value = cells[cell(half_of(i) + (i & 3u) * GROUP_SIZE + local)];
        if (at < items) {
            items_out[at] = scanned_bits(at, value);
        }
    }
}

// The same by fours, of which a count on the GPU may cut the last.
fn store_quads(local: u32, first: u32, items: u32, before: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        if ((i & 3u) == 0u) {
            let run = i & 0xfffffffcu;
            let at = first + i * GROUP_SIZE + 4u * local;
            let bits = vec4<u32>(scanned_bits(at, scanned(run, before)),
                                 bits_of(scanned(run + 1u, before)),
                                 bits_of(scanned(run + 2u, before)),
                                 bits_of(scanned(run + 3u, before)));
            if (at + 3u < items) {
                quads_out[at >> 2u] = bits;
            } else {
                if (at < items) {
                    quads_out[at >> 2u].x = bits.x;
                }
                if (at + 1u < items) {
                    quads_out[at >> 2u].y = bits.y;
                }
                if (at + 2u < items) {
                    quads_out[at >> 2u].z = bits.z;
                }
            }
        }
    }
}
