// SPDX-License-Identifier: MIT
// Generated from kernels/ by tools/embed.c: edit those, then `./dev build`.

export const kernels = {
    bitonic: {
        uses: ["count", "image", "element", "shuffle"],
        text:
        "// bitonic: Batcher's bitonic network, some of its steps at a time.\n" +
        "//\n" +
        "//@use count image element shuffle\n" +
        "//\n" +
        "// Stage k merges sorted runs of 2^(k-1) positions in pairs. Its first step flips: position t of a\n" +
        "// run of 2^k meets 2^k - 1 - t. In the others, for each level from k - 2 down, positions that differ\n" +
        "// in bit `level` alone meet. So all comparators point up, and any count works.\n" +
        "//\n" +
        "//     bitonic_sort    stages 1 … `stages` of each block of GROUP_SIZE * ITEMS positions\n" +
        "//     bitonic_step    `fused` = log2 ITEMS levels, from one that lies above blocks down\n" +
        "//     bitonic_merge   the levels below `top` of each block\n" +
        "//\n" +
        "// An invocation holds ITEMS elements whose positions differ in log2 ITEMS bits, its window, and runs\n" +
        "// those bits' levels in registers. Block kernels change windows through workgroup memory:\n" +
        "//\n" +
        "//     position in the block   | local, upper bits | register | local, `low` bits |     window at `low`\n" +
        "//     if the first level flips, registers of the lower half have the complement of the low bits\n" +
        "//\n" +
        "// Where subgroups may be used, the bits of the invocations that share one are as good as registers' to\n" +
        "// the window at bit 0: their levels run by shuffles.\n" +
        "//\n" +
        "// Reads and writes each element once. Cells are swizzled, so that no window meets bank conflicts.\n" +
        "\n" +
        "override CELLS: u32 = 4096u;      // GROUP_SIZE * ITEMS words for each word of key and payload\n" +
        "override GROUP_SIZE: u32 = 256u;  // a power of two\n" +
        "\n" +
        "const ITEM_BITS: u32 = countOneBits(ITEMS - 1u); // log2 ITEMS\n" +
        "\n" +
        "var<workgroup> cells: array<u32, CELLS>;\n" +
        "\n" +
        "fn group_bits() -> u32 {\n" +
        "    return countOneBits(GROUP_SIZE - 1u);\n" +
        "}\n" +
        "\n" +
        "// ---- Windows -------------------------------------------------------------------------------------\n" +
        "\n" +
        "// Positions are relative to the block or to the array. Exclusive or joins what differs from invocation\n" +
        "// to invocation, `origin`, with what is the same for all, the offset of a register. So the swizzle,\n" +
        "// which is linear too, costs each of them one instruction.\n" +
        "var<private> origin: u32;\n" +
        "var<private> origin_cell: u32;\n" +
        "var<private> low_bits: u32;  // the window's lowest bit\n" +
        "var<private> mirror: u32;    // the bits below it if the first level flips, else 0\n" +
        "var<private> half: u32;      // registers with this bit clear are mirrored\n" +
        "\n" +
        "fn swizzle(position: u32) -> u32 {\n" +
        "    return position ^ ((position >> ITEM_BITS) & 31u);\n" +
        "}\n" +
        "\n" +
        "// Put the window of `number` (of an invocation) at bit `low`, for a first level of registers that flips\n" +
        "// runs of 2^flipped registers (0: it does not flip).\n" +
        "fn set_window(number: u32, low: u32, flipped: u32) {\n" +
        "    let below = (1u << low) - 1u;\n" +
        "    origin = ((number >> low) << (low + ITEM_BITS)) | (number & below);\n" +
        "    origin_cell = swizzle(origin);\n" +
        "    low_bits = low;\n" +
        "    mirror = select(below, 0u, flipped == 0u);\n" +
        "    half = (1u << flipped) >> 1u;\n" +
        "}\n" +
        "\n" +
        "fn offset_of(i: u32) -> u32 {\n" +
        "    return (i << low_bits) ^ select(0u, mirror, (i & half) == 0u);\n" +
        "}\n" +
        "\n" +
        "fn position_of(i: u32) -> u32 {\n" +
        "    return origin ^ offset_of(i);\n" +
        "}\n" +
        "\n" +
        "fn cell_of(i: u32) -> u32 {\n" +
        "    return origin_cell ^ swizzle(offset_of(i));\n" +
        "}\n" +
        "\n" +
        "fn put_cells() {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let cell = cell_of(i);\n" +
        "        cells[cell] = key_a[i];\n" +
        "        if (KEY_WORDS > 1u) { cells[cell + GROUP_SIZE * ITEMS] = key_b[i]; }\n" +
        "        if (KEY_WORDS > 2u) { cells[cell + GROUP_SIZE * ITEMS * 2u] = key_c[i]; }\n" +
        "        if (KEY_WORDS > 3u) { cells[cell + GROUP_SIZE * ITEMS * 3u] = key_d[i]; }\n" +
        "        if (PAYLOAD_WORDS > 0u) { cells[cell + GROUP_SIZE * ITEMS * KEY_WORDS] = load_a[i]; }\n" +
        "        if (PAYLOAD_WORDS > 1u) { cells[cell + GROUP_SIZE * ITEMS * (KEY_WORDS + 1u)] = load_b[i]; }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn take_cells() {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let cell = cell_of(i);\n" +
        "        key_a[i] = cells[cell];\n" +
        "        if (KEY_WORDS > 1u) { key_b[i] = cells[cell + GROUP_SIZE * ITEMS]; }\n" +
        "        if (KEY_WORDS > 2u) { key_c[i] = cells[cell + GROUP_SIZE * ITEMS * 2u]; }\n" +
        "        if (KEY_WORDS > 3u) { key_d[i] = cells[cell + GROUP_SIZE * ITEMS * 3u]; }\n" +
        "        if (PAYLOAD_WORDS > 0u) { load_a[i] = cells[cell + GROUP_SIZE * ITEMS * KEY_WORDS]; }\n" +
        "        if (PAYLOAD_WORDS > 1u) { load_b[i] = cells[cell + GROUP_SIZE * ITEMS * (KEY_WORDS + 1u)]; }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Registers -----------------------------------------------------------------------------------\n" +
        "\n" +
        "// One step: registers whose numbers differ by `stride`.\n" +
        "fn cross(stride: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        let lower = i / stride * (2u * stride) + i % stride;\n" +
        "        exchange(lower, lower + stride);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// One step: register t of each run of 2 * stride with the one as far from the end.\n" +
        "fn flip(stride: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        let run = i / stride * (2u * stride);\n" +
        "        exchange(run + i % stride, run + 2u * stride - 1u - i % stride);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The levels below `levels` of a merge in registers.\n" +
        "fn merge_registers(levels: u32, flips: bool) {\n" +
        "    if (flips) {\n" +
        "        if (levels == 1u) { flip(1u); }\n" +
        "        if (ITEMS > 2u && levels == 2u) { flip(2u); }\n" +
        "        if (ITEMS > 4u && levels == 3u) { flip(4u); }\n" +
        "        if (ITEMS > 8u && levels == 4u) { flip(8u); }\n" +
        "    }\n" +
        "    let rest = select(levels, levels - 1u, flips);\n" +
        "    if (ITEMS > 8u && rest >= 4u) { cross(8u); }\n" +
        "    if (ITEMS > 4u && rest >= 3u) { cross(4u); }\n" +
        "    if (ITEMS > 2u && rest >= 2u) { cross(2u); }\n" +
        "    if (rest >= 1u) { cross(1u); }\n" +
        "}\n" +
        "\n" +
        "// ---- Shuffles ------------------------------------------------------------------------------------\n" +
        "\n" +
        "// Of keys of one word without a payload and a window alone; a shuffle passes one word at a time.\n" +
        "\n" +
        "// Through cells, while they hold nothing.\n" +
        "fn of_first(local: u32, value: u32) -> u32 {\n" +
        "    cells[local] = value;\n" +
        "    return workgroupUniformLoad(&cells[0]);\n" +
        "}\n" +
        "\n" +
        "// Half a comparator: the lesser of own and other, or the greater for the upper side.\n" +
        "fn keep(own: u32, other: u32, upper: bool) -> u32 {\n" +
        "    return select(min(own, other), max(own, other), upper);\n" +
        "}\n" +
        "\n" +
        "// One step between invocations whose numbers differ by `mask`, register by register.\n" +
        "fn cross_shuffled(local: u32, mask: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        key_a[i] = keep(key_a[i], shuffle(key_a[i], mask), (local & mask) != 0u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The same where runs flip: registers meet those as far from the other end, in invocations as far\n" +
        "// from the other end of runs of mask + 1.\n" +
        "fn flip_shuffled(local: u32, mask: u32) {\n" +
        "    let upper = (local & (mask ^ (mask >> 1u))) != 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        let last = shuffle(key_a[ITEMS - 1u - i], mask);\n" +
        "        let first = shuffle(key_a[i], mask);\n" +
        "        key_a[i] = keep(key_a[i], last, upper);\n" +
        "        key_a[ITEMS - 1u - i] = keep(key_a[ITEMS - 1u - i], first, upper);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The levels from `above` - 1 down to those of registers.\n" +
        "fn merge_shuffled(local: u32, above: u32, flips: bool) {\n" +
        "    if (flips) {\n" +
        "        flip_shuffled(local, (1u << (above - ITEM_BITS)) - 1u);\n" +
        "    }\n" +
        "    for (var level = above - select(0u, 1u, flips); level > ITEM_BITS; level--) {\n" +
        "        cross_shuffled(local, 1u << (level - 1u - ITEM_BITS));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Blocks --------------------------------------------------------------------------------------\n" +
        "\n" +
        "// Memory is read and written through the window at the top, so that neighbours touch neighbours.\n" +
        "fn top_window(local: u32) {\n" +
        "    set_window(local, group_bits(), 0u);\n" +
        "}\n" +
        "\n" +
        "// Stages `first` to `last` of a block that is in registers through the top window, and will be again.\n" +
        "// Without `flip` the first level of a stage is as the others: what steps have left of it. Stages run in\n" +
        "// one loop, since compilers copy what it calls, which is unrolled, to each place that calls it. An\n" +
        "// invocation puts where it took, so one barrier a window is enough.\n" +
        "fn run_stages(local: u32, first: u32, last: u32, flip: bool) {\n" +
        "    let low_end = ITEM_BITS + shuffle_bits(local);\n" +
        "    var stage = first;\n" +
        "    var above = first; // the levels below are to run\n" +
        "    var flips = flip;\n" +
        "    put_cells();\n" +
        "    workgroupBarrier();\n" +
        "    while (stage <= last) {\n" +
        "        var low = 0u;\n" +
        "        if (above > low_end) {\n" +
        "            low = min(max((above - 1u) / ITEM_BITS * ITEM_BITS, low_end), group_bits());\n" +
        "        }\n" +
        "        set_window(local, low, select(0u, above - low, flips));\n" +
        "        take_cells();\n" +
        "        if (SHUFFLES && low == 0u && above > ITEM_BITS) {\n" +
        "            merge_shuffled(local, above, flips);\n" +
        "            flips = false;\n" +
        "            above = ITEM_BITS;\n" +
        "        }\n" +
        "        loop {\n" +
        "            merge_registers(above - low, flips);\n" +
        "            if (stage >= min(ITEM_BITS, last)) {\n" +
        "                break;\n" +
        "            }\n" +
        "            stage++; // the first stages stay in registers\n" +
        "            above = stage;\n" +
        "        }\n" +
        "        put_cells();\n" +
        "        workgroupBarrier();\n" +
        "        above = low;\n" +
        "        flips = false;\n" +
        "        if (above == 0u) {\n" +
        "            stage++;\n" +
        "            above = stage;\n" +
        "            flips = flip;\n" +
        "        }\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    take_cells();\n" +
        "}\n" +
        "\n" +
        "// The levels below `top`. Those of the top window run before the elements reach the cells.\n" +
        "fn merge_block(local: u32, top: u32) {\n" +
        "    if (top > group_bits()) {\n" +
        "        merge_registers(top - group_bits(), false);\n" +
        "    }\n" +
        "    let rest = min(top, group_bits());\n" +
        "    run_stages(local, rest, rest, false);\n" +
        "}\n" +
        "\n" +
        "// ---- Entry points --------------------------------------------------------------------------------\n" +
        "\n" +
        "// The first position of this workgroup's block, and whether the block has no elements: those that it\n" +
        "// has come first. params.a: blocks.\n" +
        "fn block_first(grid: Grid) -> u32 {\n" +
        "    return group_number(grid) * (GROUP_SIZE * ITEMS);\n" +
        "}\n" +
        "\n" +
        "fn block_is_empty(grid: Grid) -> bool {\n" +
        "    return group_number(grid) >= params.a || !held(element_at(block_first(grid)));\n" +
        "}\n" +
        "\n" +
        "fn store_keys(first: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        store_key(i, element_at(first + position_of(i)));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_pairs(first: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        store_pair(i, element_at(first + position_of(i)));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_keys(first: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_key(i, element_at(first + position_of(i)));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_pairs(first: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_pair(i, element_at(first + position_of(i)));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// params.b: the stages to run.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_sort_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_lone_key_in(i, element_at(first + position_of(i)));\n" +
        "    }\n" +
        "    run_stages(local, 1u, params.b, true);\n" +
        "    store_keys(first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_sort_keys_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    load_keys(first);\n" +
        "    run_stages(local, 1u, params.b, true);\n" +
        "    store_keys(first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_sort_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_index(i, element_at(first + position_of(i)));\n" +
        "    }\n" +
        "    run_stages(local, 1u, params.b, true);\n" +
        "    store_pairs(first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_sort_pairs_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    load_pairs(first);\n" +
        "    run_stages(local, 1u, params.b, true);\n" +
        "    store_pairs(first);\n" +
        "}\n" +
        "\n" +
        "// Where one dispatch does all, values need no index in memory: the sorted index in registers gathers\n" +
        "// them. params.c: words a value. In place each word is read by all invocations before any writes it.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_sort_values(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_index(i, element_at(first + position_of(i)));\n" +
        "    }\n" +
        "    run_stages(local, 1u, params.b, true);\n" +
        "    store_keys(first);\n" +
        "    for (var w = 0u; w < params.c; w++) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let element = element_at(first + position_of(i));\n" +
        "            if (held(element)) {\n" +
        "                payload[element * params.c + w] = values_in[indexed(i, element) * params.c + w];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_sort_values_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let element = element_at(first + position_of(i));\n" +
        "        load_key(i, element);\n" +
        "        make_index(i, element);\n" +
        "    }\n" +
        "    run_stages(local, 1u, params.b, true);\n" +
        "    store_keys(first);\n" +
        "    for (var w = 0u; w < params.c; w++) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let element = element_at(first + position_of(i));\n" +
        "            if (held(element)) {\n" +
        "                load_b[i] = payload[indexed(i, element) * params.c + w];\n" +
        "            }\n" +
        "        }\n" +
        "        storageBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let element = element_at(first + position_of(i));\n" +
        "            if (held(element)) {\n" +
        "                payload[element * params.c + w] = load_b[i];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// params.b: the level above those to run.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_merge_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    load_keys(first);\n" +
        "    merge_block(local, params.b);\n" +
        "    store_keys(first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_merge_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    top_window(local);\n" +
        "    load_pairs(first);\n" +
        "    merge_block(local, params.b);\n" +
        "    store_pairs(first);\n" +
        "}\n" +
        "\n" +
        "// params.a: the lowest level; b: whether the highest flips; c: how many invocations have comparators.\n" +
        "fn step_window(local: u32, grid: Grid) -> bool {\n" +
        "    let number = group_number(grid) * GROUP_SIZE + local;\n" +
        "    set_window(number, params.a, select(0u, ITEM_BITS, params.b != 0u));\n" +
        "    return number < params.c && element_count(params.max_count) > 0u;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_step_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (step_window(local, grid)) {\n" +
        "        load_keys(0u);\n" +
        "        merge_registers(ITEM_BITS, params.b != 0u);\n" +
        "        store_keys(0u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn bitonic_step_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (step_window(local, grid)) {\n" +
        "        load_pairs(0u);\n" +
        "        merge_registers(ITEM_BITS, params.b != 0u);\n" +
        "        store_pairs(0u);\n" +
        "    }\n" +
        "}\n"
    },
    depth: {
        uses: ["count", "image", "bin"],
        text:
        "// depth: bucket numbers from depths.\n" +
        "//\n" +
        "//@use count image bin\n" +
        "//\n" +
        "//     depths    f32 bits\n" +
        "//     edges     the table of even bins, see lib/bin\n" +
        "//     buckets   NaN: bin_count; else the depth's bin, the first one if it is below all, the last\n" +
        "//               one if above; if reversed, bin_count - 1 less that\n" +
        "//\n" +
        "// A workgroup takes GROUP_SIZE * ITEMS consecutive elements. Reads and writes one word an element.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    bin_count: u32,\n" +
        "    first: u32,\n" +
        "    span: u32,\n" +
        "    scale: u32,\n" +
        "    origin: u32,\n" +
        "    shift: u32,\n" +
        "    reversed: u32, // 0 or 1\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> buckets: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> depths: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> edges: array<u32>;\n" +
        "\n" +
        "fn bin_edge(i: u32) -> u32 {\n" +
        "    return edges[i];\n" +
        "}\n" +
        "\n" +
        "fn bucket_of(bits: u32) -> u32 {\n" +
        "    let image = word_image(bits, TYPE_KIND);\n" +
        "    let side = bin_side(image);\n" +
        "    if (side == NOT_A_NUMBER) {\n" +
        "        return params.bin_count;\n" +
        "    }\n" +
        "    var bin = select(params.bin_count - 1u, 0u, side == BELOW);\n" +
        "    if (side == INSIDE) {\n" +
        "        bin = bin_of_even(bits, image);\n" +
        "    }\n" +
        "    return select(bin, params.bin_count - 1u - bin, params.reversed != 0u);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn depth_buckets(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let share = group_share(grid, params.max_count);\n" +
        "    bin_begin();\n" +
        "    for (var i = local; i < share.y; i += GROUP_SIZE) {\n" +
        "        buckets[share.x + i] = bucket_of(depths[share.x + i]);\n" +
        "    }\n" +
        "}\n"
    },
    edges: {
        uses: ["count", "image"],
        text:
        "// edges: the edges of bins, as images, and counts set to zero.\n" +
        "//\n" +
        "//@use count image\n" +
        "//\n" +
        "//     table    | edge 0 | edge 1 | … | edge bin_count |    images, modulo 2^32\n" +
        "//     counts   | bins, below, above, NaN |\n" +
        "//     given    | edges of the caller's, as the table |\n" +
        "//\n" +
        "//     edges_clear         counts = 0\n" +
        "//     edges_even          table = edges of even bins\n" +
        "//     edges_even_clear    both\n" +
        "//     edges_given_clear   table = images of given edges; counts = 0\n" +
        "//\n" +
        "// Edge i of even bins is (lo * (bin_count - i) + hi * i) / bin_count, where lo and hi are multiples\n" +
        "// of a unit, signed, of 96 bits. It is computed in integers, and so the same on every device.\n" +
        "// Integers: the unit is 1, lo is 0, edges are rounded up and added to the image `first`.\n" +
        "// Floats: the unit is 2^(unit - UNIT_BIAS), edges are rounded to nearest, ties to even, and an edge\n" +
        "// of zero is -0. Edges 0 and bin_count are the images `first` and `last`.\n" +
        "// Numbers are in digits of 16 bits, lowest first, so that products and remainders fit a word.\n" +
        "// An invocation writes ITEMS words of each; none depends on the count of the run.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override TYPE_KIND: u32; // 0 unsigned, 1 signed, 2 float\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    bin_count: u32,\n" +
        "    first: u32,\n" +
        "    last: u32, // modulo 2^32\n" +
        "    lo_0: u32, // lowest word\n" +
        "    lo_1: u32,\n" +
        "    lo_2: u32,\n" +
        "    hi_0: u32,\n" +
        "    hi_1: u32,\n" +
        "    hi_2: u32,\n" +
        "    unit: u32, // 0: integers\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> table: array<u32>;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts_alone: array<u32>; // edges_clear\n" +
        "@group(0) @binding(3) var<storage, read_write> counts: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> given: array<u32>;\n" +
        "\n" +
        "const DIGITS: u32 = 7u;       // |lo * bin_count| + |hi * bin_count| < 2^100\n" +
        "const UNIT_BIAS: i32 = 256;\n" +
        "\n" +
        "// Two more, which stay 0.\n" +
        "var<private> digits: array<u32, 9>;\n" +
        "\n" +
        "// digits = lo * a + hi * b, in two's complement; a, b < 2^16.\n" +
        "fn combine_ends(a: u32, b: u32) {\n" +
        "    var lo = array<u32, 4>(params.lo_0, params.lo_1, params.lo_2, 0u);\n" +
        "    var hi = array<u32, 4>(params.hi_0, params.hi_1, params.hi_2, 0u);\n" +
        "    lo[3] = select(0u, 0xffffffffu, lo[2] >= 0x80000000u);\n" +
        "    hi[3] = select(0u, 0xffffffffu, hi[2] >= 0x80000000u);\n" +
        "    var carry = 0u;\n" +
        "    for (var i = 0u; i < DIGITS; i++) {\n" +
        "        let shift = (i & 1u) * 16u;\n" +
        "        let x = ((lo[i / 2u] >> shift) & 0xffffu) * a;\n" +
        "        let y = ((hi[i / 2u] >> shift) & 0xffffu) * b;\n" +
        "        let sum = (x & 0xffffu) + (y & 0xffffu) + carry;\n" +
        "        digits[i] = sum & 0xffffu;\n" +
        "        carry = (x >> 16u) + (y >> 16u) + (sum >> 16u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn negate() {\n" +
        "    var carry = 1u;\n" +
        "    for (var i = 0u; i < DIGITS; i++) {\n" +
        "        let sum = (digits[i] ^ 0xffffu) + carry;\n" +
        "        digits[i] = sum & 0xffffu;\n" +
        "        carry = sum >> 16u;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Divide the digits by at most 2^16; returns the remainder.\n" +
        "fn divide(divisor: u32) -> u32 {\n" +
        "    var remainder = 0u;\n" +
        "    for (var i = 0u; i < DIGITS; i++) {\n" +
        "        let at = DIGITS - 1u - i;\n" +
        "        let part = (remainder << 16u) | digits[at];\n" +
        "        digits[at] = part / divisor;\n" +
        "        remainder = part % divisor;\n" +
        "    }\n" +
        "    return remainder;\n" +
        "}\n" +
        "\n" +
        "fn bit_length() -> u32 {\n" +
        "    var length = 0u;\n" +
        "    for (var i = 0u; i < DIGITS; i++) {\n" +
        "        if (digits[i] != 0u) {\n" +
        "            var filled = digits[i];\n" +
        "            filled |= filled >> 1u;\n" +
        "            filled |= filled >> 2u;\n" +
        "            filled |= filled >> 4u;\n" +
        "            filled |= filled >> 8u;\n" +
        "            length = i * 16u + countOneBits(filled);\n" +
        "        }\n" +
        "    }\n" +
        "    return length;\n" +
        "}\n" +
        "\n" +
        "// The 32 bits from bit `at` < 96 on.\n" +
        "fn bits_from(at: u32) -> u32 {\n" +
        "    let i = at / 16u;\n" +
        "    let shift = at % 16u;\n" +
        "    let low = digits[i] | (digits[i + 1u] << 16u);\n" +
        "    return (low >> shift) | ((digits[i + 2u] << 1u) << (31u - shift));\n" +
        "}\n" +
        "\n" +
        "fn any_below(at: u32) -> bool {\n" +
        "    var found = 0u;\n" +
        "    for (var i = 0u; i < at / 16u; i++) {\n" +
        "        found |= digits[i];\n" +
        "    }\n" +
        "    return (found | (digits[at / 16u] & ((1u << (at % 16u)) - 1u))) != 0u;\n" +
        "}\n" +
        "\n" +
        "// The float nearest to the digits and a rest, in units, without its sign.\n" +
        "fn round_float(rest: bool) -> u32 {\n" +
        "    let unit = i32(params.unit) - UNIT_BIAS;\n" +
        "    let length = bit_length(); // 0, or at least 26: the planner's unit is that small\n" +
        "    if (length == 0u) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    let lowest = max(unit + i32(length) - 24, -149); // exponent of the lowest bit that is kept\n" +
        "    let dropped = u32(lowest - unit);\n" +
        "    let kept = bits_from(dropped);\n" +
        "    let half = bits_from(dropped - 1u) & 1u;\n" +
        "    let more = rest || any_below(dropped - 1u);\n" +
        "    let rounded = kept + (half & (select(0u, 1u, more) | kept));\n" +
        "    // A mantissa's top bit adds 1 to the exponent, as does rounding up to a power of two.\n" +
        "    return (u32(lowest + 149) << 23u) + rounded;\n" +
        "}\n" +
        "\n" +
        "fn even_edge(i: u32) -> u32 {\n" +
        "    if (i == 0u) {\n" +
        "        return params.first;\n" +
        "    }\n" +
        "    if (i >= params.bin_count) {\n" +
        "        return params.last;\n" +
        "    }\n" +
        "    combine_ends(params.bin_count - i, i);\n" +
        "    let negative = digits[DIGITS - 1u] >= 0x8000u;\n" +
        "    if (negative) {\n" +
        "        negate();\n" +
        "    }\n" +
        "    let rest = divide(params.bin_count) != 0u;\n" +
        "    if (params.unit == 0u) {\n" +
        "        return params.first + (digits[0] | (digits[1] << 16u)) + select(0u, 1u, rest);\n" +
        "    }\n" +
        "    let magnitude = round_float(rest);\n" +
        "    return word_image(magnitude | select(0u, 0x80000000u, negative || magnitude == 0u), 2u);\n" +
        "}\n" +
        "\n" +
        "const EXTRA: u32 = 3u; // counts behind those of bins\n" +
        "\n" +
        "fn first_word(local: u32, grid: Grid) -> u32 {\n" +
        "    return group_number(grid) * GROUP_SIZE * ITEMS + local;\n" +
        "}\n" +
        "\n" +
        "fn write_even(local: u32, grid: Grid) {\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let word = first_word(local, grid) + i * GROUP_SIZE;\n" +
        "        if (word <= params.bin_count) {\n" +
        "            table[word] = even_edge(word);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn clear_counts(local: u32, grid: Grid) {\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let word = first_word(local, grid) + i * GROUP_SIZE;\n" +
        "        if (word < params.bin_count + EXTRA) {\n" +
        "            counts[word] = 0u;\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn edges_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let word = first_word(local, grid) + i * GROUP_SIZE;\n" +
        "        if (word < params.bin_count + EXTRA) {\n" +
        "            counts_alone[word] = 0u;\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn edges_even(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    write_even(local, grid);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn edges_even_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    write_even(local, grid);\n" +
        "    clear_counts(local, grid);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn edges_given_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let word = first_word(local, grid) + i * GROUP_SIZE;\n" +
        "        if (word <= params.bin_count) {\n" +
        "            table[word] = word_image(given[word], TYPE_KIND);\n" +
        "        }\n" +
        "    }\n" +
        "    clear_counts(local, grid);\n" +
        "}\n"
    },
    grid: {
        uses: ["count", "cell"],
        text:
        "// grid: the cell of each point in a uniform grid, and points brought into the order of cells.\n" +
        "//\n" +
        "//@use count cell\n" +
        "//\n" +
        "//     points    | … | x y (z) | … | x y (z) | … |     u32 words: bits of f32\n" +
        "//               0   ^ offset      ^ offset + stride\n" +
        "//     cells     destination[i] = the number of point i's cell; cell_count if it has none\n" +
        "//     points    destination[i] = the coordinates of point order[i], tightly\n" +
        "//\n" +
        "// Reads each coordinate once, and writes each word of the result once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "// Where points beyond the cells go; else to the border.\n" +
        "const WRAP: u32 = 1u;\n" +
        "const APART: u32 = 2u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    stride: u32,               // words from one point to the next\n" +
        "    offset: u32,               // words before the first\n" +
        "    dimensions: u32,           // 2 or 3\n" +
        "    origin: vec3<u32>,         // bits of f32\n" +
        "    outside: u32,              // 0, WRAP or APART\n" +
        "    cells_per_unit: vec3<u32>, // bits of f32\n" +
        "    table_size: u32,           // not 0: cells are hashed\n" +
        "    cells: vec3<u32>,          // in each axis\n" +
        "    cell_count: u32,           // in all\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> destination: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> points: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> order: array<u32>;\n" +
        "\n" +
        "const NOWHERE: i32 = -2147483647;\n" +
        "\n" +
        "// What an invocation has loaded.\n" +
        "var<private> point_x: array<u32, ITEMS>;\n" +
        "var<private> point_y: array<u32, ITEMS>;\n" +
        "var<private> point_z: array<u32, ITEMS>;\n" +
        "\n" +
        "// The coordinate in one axis of the cell that takes a point; NOWHERE if none does.\n" +
        "fn coordinate(x: u32, origin: u32, cells_per_unit: u32, cell_total: u32) -> i32 {\n" +
        "    let position = ordo_grid_position(x, origin, cells_per_unit);\n" +
        "    let cell = i32(floor(position));\n" +
        "    let cells = i32(cell_total);\n" +
        "    if (params.table_size != 0u || params.outside == WRAP) {\n" +
        "        if (abs(cell) == ORDO_GRID_FAR) {\n" +
        "            return NOWHERE;\n" +
        "        }\n" +
        "        if (params.table_size != 0u) {\n" +
        "            return cell;\n" +
        "        }\n" +
        "        return ordo_grid_wrap(cell, cell_total);\n" +
        "    }\n" +
        "    // The upper end of the grid belongs to it.\n" +
        "    let inside = cell >= 0 && (cell < cells || bitcast<u32>(position) == bitcast<u32>(f32(cells)));\n" +
        "    let is_nan = (x & 0x7fffffffu) > 0x7f800000u;\n" +
        "    if (is_nan || (params.outside == APART && !inside)) {\n" +
        "        return NOWHERE;\n" +
        "    }\n" +
        "    return clamp(cell, 0, cells - 1);\n" +
        "}\n" +
        "\n" +
        "fn cell_number(point: vec3<u32>) -> u32 {\n" +
        "    let origin = params.origin;\n" +
        "    let scale = params.cells_per_unit;\n" +
        "    let cells = params.cells;\n" +
        "    var cell = vec3<i32>(coordinate(point.x, origin.x, scale.x, cells.x),\n" +
        "                         coordinate(point.y, origin.y, scale.y, cells.y), 0);\n" +
        "    if (params.dimensions == 3u) {\n" +
        "        cell.z = coordinate(point.z, origin.z, scale.z, cells.z);\n" +
        "    }\n" +
        "    if (any(cell == vec3<i32>(NOWHERE))) {\n" +
        "        return params.cell_count;\n" +
        "    }\n" +
        "    if (params.table_size != 0u) {\n" +
        "        return ordo_grid_hash(cell, params.table_size);\n" +
        "    }\n" +
        "    let place = vec3<u32>(cell);\n" +
        "    return place.x + cells.x * (place.y + cells.y * place.z);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn grid_cells(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = group_share(grid, params.max_count);\n" +
        "    if (elements.y == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let element = elements.x + min(i * GROUP_SIZE + local, elements.y - 1u);\n" +
        "        let word = params.offset + element * params.stride;\n" +
        "        point_x[i] = points[word];\n" +
        "        point_y[i] = points[word + 1u];\n" +
        "        if (params.dimensions == 3u) {\n" +
        "            point_z[i] = points[word + 2u];\n" +
        "        }\n" +
        "    }\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (i * GROUP_SIZE + local < elements.y) {\n" +
        "            let number = cell_number(vec3<u32>(point_x[i], point_y[i], point_z[i]));\n" +
        "            destination[elements.x + i * GROUP_SIZE + local] = number;\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn grid_points(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = group_share(grid, params.max_count);\n" +
        "    for (var i = local; i < elements.y * params.dimensions; i += GROUP_SIZE) {\n" +
        "        let place = elements.x + i / params.dimensions;\n" +
        "        let word = i % params.dimensions;\n" +
        "        let point = params.offset + order[place] * params.stride + word;\n" +
        "        destination[place * params.dimensions + word] = points[point];\n" +
        "    }\n" +
        "}\n"
    },
    histogram: {
        uses: ["count", "image", "bin"],
        text:
        "// histogram: count elements by bins.\n" +
        "//\n" +
        "//@use count image bin\n" +
        "//\n" +
        "//     elements   | tile 0 | tile 1 | …                 tile_items each; a workgroup counts a tile\n" +
        "//     counts     | bin 0 … | below | above | NaN |     zero before; all workgroups add to them\n" +
        "//\n" +
        "//     workgroup memory   | range_bins + 3 counts, COPIES of each, side by side |\n" +
        "//                        | the table of edges, if staged |\n" +
        "//\n" +
        "//     histogram_window   bins are a window of bits of the image's offset from `first`\n" +
        "//     histogram_table    bins are found by the table of edges, see lib/bin\n" +
        "//\n" +
        "// Neighbouring invocations add to different copies, so that many like elements do not wait for one\n" +
        "// word. More bins than fit are counted by `range_count` workgroups to a tile, each taking the\n" +
        "// elements of its own range of bins; the first one also takes those outside. Such workgroups are\n" +
        "// neighbours, so the tile comes from device memory once, and the time does not depend on how\n" +
        "// elements are distributed.\n" +
        "// Reads each element range_count times; adds range_bins words a workgroup at most.\n" +
        "\n" +
        "override CELLS: u32;        // (range_bins + EXTRA) * COPIES\n" +
        "override STAGED_WORDS: u32; // bin_count + 1 if the table is staged, else 1\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override COPIES: u32;       // a power of two\n" +
        "override RANGED: bool;      // range_count > 1, and then one copy\n" +
        "override TRUST: u32;        // guesses of even bins: 0 never, 1 away from edges, 2 always\n" +
        "override RISING: bool;      // bits of elements inside rise with them: none is a negative float\n" +
        "\n" +
        "const EXTRA: u32 = 3u; // counts of what is in no bin\n" +
        "const NOWHERE: u32 = 0xffffffffu;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    bin_count: u32,\n" +
        "    tile_items: u32,  // a multiple of GROUP_SIZE * ITEMS\n" +
        "    range_bins: u32,  // of each range but the last, which may have fewer\n" +
        "    range_count: u32,\n" +
        "    first: u32,\n" +
        "    span: u32,        // images from `first` to the greatest in a bin\n" +
        "    scale: u32,       // of even bins: guesses, see lib/bin\n" +
        "    origin: u32,\n" +
        "    shift: u32,       // bits below a bin's number, in a window or in a guess\n" +
        "    mask: u32,        // of a window: the number's bits; of guesses: the bits below\n" +
        "    left: u32,        // bits above a window\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;\n" +
        "@group(0) @binding(3) var<storage, read_write> elements: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> edges: array<u32>; // histogram_table\n" +
        "\n" +
        "var<workgroup> cells: array<atomic<u32>, CELLS>;\n" +
        "var<workgroup> staged: array<u32, STAGED_WORDS>;\n" +
        "\n" +
        "var<private> held: array<u32, ITEMS>;\n" +
        "\n" +
        "// What this workgroup counts.\n" +
        "var<private> tile_first: u32;\n" +
        "var<private> tile_end: u32;\n" +
        "var<private> range: u32;\n" +
        "var<private> range_first: u32; // its first bin,\n" +
        "var<private> range_end: u32;   // the one after its last,\n" +
        "var<private> lower: u32;       // the edge before them: of windows from `first` on,\n" +
        "var<private> upper: u32;       // and the one behind: of windows the greatest offset from `lower`\n" +
        "var<private> copy: u32;        // of each cell, this invocation's\n" +
        "\n" +
        "fn bin_edge(i: u32) -> u32 {\n" +
        "    if (STAGED_WORDS > 1u) {\n" +
        "        return staged[i];\n" +
        "    }\n" +
        "    return edges[i];\n" +
        "}\n" +
        "\n" +
        "// False: the workgroup has no elements.\n" +
        "fn begin(local: u32, grid: Grid) -> bool {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let tile = group_number(grid) / params.range_count;\n" +
        "    if (tile >= div_ceil(element_total, params.tile_items)) {\n" +
        "        return false;\n" +
        "    }\n" +
        "    tile_first = tile * params.tile_items;\n" +
        "    tile_end = tile_first + min(params.tile_items, element_total - tile_first);\n" +
        "    range = group_number(grid) % params.range_count;\n" +
        "    range_first = range * params.range_bins;\n" +
        "    range_end = min(range_first + params.range_bins, params.bin_count);\n" +
        "    copy = local & (COPIES - 1u);\n" +
        "    for (var cell = local; cell < CELLS; cell += GROUP_SIZE) {\n" +
        "        atomicStore(&cells[cell], 0u);\n" +
        "    }\n" +
        "    return true;\n" +
        "}\n" +
        "\n" +
        "fn add_row(row: u32) {\n" +
        "    atomicAdd(&cells[row * COPIES + copy], 1u);\n" +
        "}\n" +
        "\n" +
        "// Count one more in a word of `counts`, if that is this workgroup's.\n" +
        "fn add(word: u32) {\n" +
        "    var row = word;\n" +
        "    if (RANGED) {\n" +
        "        if (word >= params.bin_count) {\n" +
        "            row = select(NOWHERE, params.range_bins + word - params.bin_count,\n" +
        "                         range == 0u && word != NOWHERE);\n" +
        "        } else {\n" +
        "            row = select(NOWHERE, word - range_first, word - range_first < params.range_bins);\n" +
        "        }\n" +
        "        if (row == NOWHERE) { return; }\n" +
        "    }\n" +
        "    add_row(row);\n" +
        "}\n" +
        "\n" +
        "fn load_chunk(first: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        held[i] = elements[first + i * GROUP_SIZE];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn write_counts(local: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    for (var row = local; row < params.range_bins + EXTRA; row += GROUP_SIZE) {\n" +
        "        var sum = 0u;\n" +
        "        for (var i = 0u; i < COPIES; i++) {\n" +
        "            sum += atomicLoad(&cells[row * COPIES + i]);\n" +
        "        }\n" +
        "        if (sum != 0u) {\n" +
        "            let word = select(params.bin_count + row - params.range_bins, range_first + row,\n" +
        "                              row < params.range_bins);\n" +
        "            atomicAdd(&counts[word], sum);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Windows ------------------------------------------------------------------------------------\n" +
        "\n" +
        "fn begin_window() {\n" +
        "    lower = 0u;\n" +
        "    upper = params.span;\n" +
        "    if (RANGED) {\n" +
        "        lower = range_first << params.shift;\n" +
        "        upper = ((range_end - range_first) << params.shift) - 1u;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn count_in_window(bits: u32) {\n" +
        "    let image = word_image(bits, TYPE_KIND);\n" +
        "    let offset = (image - params.first) << params.left;\n" +
        "    if (offset - lower <= upper) {\n" +
        "        add_row(((offset - lower) >> params.shift) & params.mask);\n" +
        "    } else if (offset > params.span) {\n" +
        "        add(params.bin_count + select(ABOVE, BELOW, image < params.first));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn histogram_window(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (!begin(local, grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    begin_window();\n" +
        "    var first = tile_first;\n" +
        "    for (; tile_end - first >= GROUP_SIZE * ITEMS; first += GROUP_SIZE * ITEMS) {\n" +
        "        load_chunk(first + local);\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            count_in_window(held[i]);\n" +
        "        }\n" +
        "    }\n" +
        "    for (var i = local; i < tile_end - first; i += GROUP_SIZE) {\n" +
        "        count_in_window(elements[first + i]);\n" +
        "    }\n" +
        "    write_counts(local);\n" +
        "}\n" +
        "\n" +
        "// ---- Tables -------------------------------------------------------------------------------------\n" +
        "\n" +
        "// The bin of an element that is inside, or NOWHERE if another workgroup looks for it. Edges that\n" +
        "// are not sorted must not make two workgroups count an element, or none: so all take the same path\n" +
        "// to its range.\n" +
        "fn ranged_bin(bits: u32, image: u32) -> u32 {\n" +
        "    if (METHOD != SEARCH) {\n" +
        "        if (image - lower >= upper - lower) { return NOWHERE; }\n" +
        "        return bin_of_even(bits, image);\n" +
        "    }\n" +
        "    var own = 0u;\n" +
        "    var end = params.range_count;\n" +
        "    while (end - own > 1u) {\n" +
        "        let middle = (own + end) / 2u;\n" +
        "        if (bin_edge(middle * params.range_bins) <= image) {\n" +
        "            own = middle;\n" +
        "        } else {\n" +
        "            end = middle;\n" +
        "        }\n" +
        "    }\n" +
        "    if (own != range) { return NOWHERE; }\n" +
        "    return bin_search(image, range_first, range_end);\n" +
        "}\n" +
        "\n" +
        "fn table_word(bits: u32) -> u32 {\n" +
        "    let image = word_image(bits, TYPE_KIND);\n" +
        "    let side = bin_side(image);\n" +
        "    if (side != INSIDE) {\n" +
        "        return params.bin_count + side;\n" +
        "    }\n" +
        "    if (RANGED) {\n" +
        "        return ranged_bin(bits, image);\n" +
        "    }\n" +
        "    if (METHOD == SEARCH) {\n" +
        "        return bin_search(image, 0u, params.bin_count);\n" +
        "    }\n" +
        "    return bin_of_even(bits, image);\n" +
        "}\n" +
        "\n" +
        "// A trusted guess is right although floats are rounded. Where it is a power of two times the\n" +
        "// element, nothing is. Else the planner sees to it that all roundings move it by less than 1, and\n" +
        "// the lowest and the highest of the places in a bin are not trusted. False: not counted.\n" +
        "fn count_trusted(bits: u32) -> bool {\n" +
        "    let place = bin_place(bits, bits - params.origin);\n" +
        "    let bin = place >> params.shift;\n" +
        "    var inside = bits - params.origin < params.span;\n" +
        "    if (!RISING) {\n" +
        "        inside = (bits << 1u) <= 0xff000000u && bin < params.bin_count;\n" +
        "    }\n" +
        "    let trusted = inside && (TRUST == 2u || (place & params.mask) - 1u < params.mask - 1u);\n" +
        "    if (trusted && (!RANGED || bin - range_first < params.range_bins)) {\n" +
        "        add_row(bin - range_first);\n" +
        "    }\n" +
        "    return trusted;\n" +
        "}\n" +
        "\n" +
        "// A chunk that is held. What is not trusted is rare, and read again, so that its code stands once.\n" +
        "fn count_chunk(first: u32) {\n" +
        "    if (TRUST == 0u) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            add(table_word(held[i]));\n" +
        "        }\n" +
        "        return;\n" +
        "    }\n" +
        "    var left_over = 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        left_over |= select(1u << i, 0u, count_trusted(held[i]));\n" +
        "    }\n" +
        "    if (left_over != 0u) {\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (((left_over >> i) & 1u) != 0u) {\n" +
        "                add(table_word(elements[first + i * GROUP_SIZE]));\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn histogram_table(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (!begin(local, grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    if (STAGED_WORDS > 1u) {\n" +
        "        for (var i = local; i <= params.bin_count; i += GROUP_SIZE) {\n" +
        "            staged[i] = edges[i];\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    bin_begin();\n" +
        "    lower = bin_edge(range_first);\n" +
        "    upper = bin_edge(range_end);\n" +
        "    var first = tile_first;\n" +
        "    for (; tile_end - first >= GROUP_SIZE * ITEMS; first += GROUP_SIZE * ITEMS) {\n" +
        "        load_chunk(first + local);\n" +
        "        count_chunk(first + local);\n" +
        "    }\n" +
        "    for (var i = local; i < tile_end - first; i += GROUP_SIZE) {\n" +
        "        add(table_word(elements[first + i]));\n" +
        "    }\n" +
        "    write_counts(local);\n" +
        "}\n"
    },
    move: {
        uses: ["count", "window"],
        text:
        "// move: copy elements, gather them by index, or write their indices.\n" +
        "//\n" +
        "//@use count window\n" +
        "//\n" +
        "//     copy      destination[i] = source[i]\n" +
        "//     gather    destination[i] = source[indices[i]]      elements of `words` words; of an index only\n" +
        "//                                                       the bits under `mask` count\n" +
        "//     indices   destination[i] = i\n" +
        "//\n" +
        "// With rows, indices count from the start of their row. Copies and indices may be of a window of larger\n" +
        "// arrays.\n" +
        "//\n" +
        "// A workgroup moves GROUP_SIZE * ITEMS consecutive elements; neighbouring invocations move\n" +
        "// neighbouring words. Reads and writes each word once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    words: u32,      // words an element\n" +
        "    mask: u32,       // of gather: the bits of an index\n" +
        "    row_length: u32, // of gather and indices: elements a row; 0: all are one\n" +
        "    first_tile: u32, // a tile is a workgroup's share\n" +
        "    window_tiles: u32,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> destination: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> source: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> indices: array<u32>;\n" +
        "\n" +
        "// The first element of an element's row.\n" +
        "fn row_start(element: u32) -> u32 {\n" +
        "    if (params.row_length == 0u) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    return element - element % params.row_length;\n" +
        "}\n" +
        "\n" +
        "// The elements of this workgroup: x the first of the array, y how many.\n" +
        "fn window_share(grid: Grid) -> vec2<u32> {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let share = GROUP_SIZE * ITEMS;\n" +
        "    let tiles = div_ceil(element_total, share);\n" +
        "    let tile = tile_number(grid, tiles);\n" +
        "    if (tile >= tiles) {\n" +
        "        return vec2<u32>(0u, 0u);\n" +
        "    }\n" +
        "    return vec2<u32>(tile * share, min(share, element_total - tile * share));\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn move_copy(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = window_share(grid);\n" +
        "    let start = window_start(GROUP_SIZE * ITEMS);\n" +
        "    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {\n" +
        "        let word = (elements.x - start) * params.words + i;\n" +
        "        destination[word] = source[word];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn move_gather(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = group_share(grid, params.max_count);\n" +
        "    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {\n" +
        "        let element = elements.x + i / params.words;\n" +
        "        let word = i % params.words;\n" +
        "        let place = (indices[element] & params.mask) + row_start(element);\n" +
        "        destination[element * params.words + word] = source[place * params.words + word];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn move_indices(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = window_share(grid);\n" +
        "    let start = window_start(GROUP_SIZE * ITEMS);\n" +
        "    for (var i = local; i < elements.y; i += GROUP_SIZE) {\n" +
        "        let element = elements.x + i;\n" +
        "        destination[element - start] = element - row_start(element);\n" +
        "    }\n" +
        "}\n"
    },
    msd_begin: {
        uses: ["count", "image", "key", "wide", "sum", "lane_portable", "msd", "msd_digit"],
        text:
        "// msd_begin: the lists of a most-significant-digit sort before its first level: one bucket, all keys.\n" +
        "//\n" +
        "//@use count image key wide sum lane_portable msd msd_digit\n" +
        "//\n" +
        "// One workgroup. Scratch holds anything before it. Of the root's record only totals and cursors are used:\n" +
        "// the rest follows from the count and the root's word, or the plan's digit if keys are not sampled.\n" +
        "//\n" +
        "// msd_begin_sampled also looks at a sample, GROUP_SIZE * ITEMS keys and their successors, for what all keys\n" +
        "// may have in common: an order, or a range (lib/msd). Nothing is believed: msd_histogram checks it.\n" +
        "//\n" +
        "// 1. Each invocation takes keys from stretches of equal length, one of each, at a place that follows no\n" +
        "//    pattern, and notes what it finds. 2. The findings are combined. 3. The root follows from them. 4. Of\n" +
        "//    floats that would crowd below it, fixed-point digits are tried on the sample, and taken if their fullest\n" +
        "//    child has at most half as many. 5. If many of the sample's keys differ from another one of it in their lowest\n" +
        "//    bits at most, levels of a stable sort are passes.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u; // a power of two, at least 256\n" +
        "override STABLE: bool = false;   // elements with equal keys must not trade places\n" +
        "override ALONE: bool = true;     // there are no values\n" +
        "\n" +
        "@group(0) @binding(3) var<storage, read_write> keys: array<u32>;\n" +
        "\n" +
        "const CONTROL_WORDS: u32 = 64u;\n" +
        "const FALLS: u32 = 1u; // a key is followed by a lesser one,\n" +
        "const RISES: u32 = 2u; // by a greater one,\n" +
        "const TIES: u32 = 4u;  // by an equal one\n" +
        "\n" +
        "struct Finding {\n" +
        "    least: vec2<u32>, // image\n" +
        "    greatest: vec2<u32>,\n" +
        "    differing: vec2<u32>, // bits in which an image differs from the first key's\n" +
        "    steps: u32,\n" +
        "}\n" +
        "\n" +
        "// Of the sample's keys so many may lie beyond the greatest exponent, or beyond 0, and still fixed-point digits\n" +
        "// hold them all: as many as a child of keys spread evenly has.\n" +
        "const BEYOND: u32 = 8u;\n" +
        "const LEAST_EXPONENT: u32 = 8u; // of which no digit's end is subnormal\n" +
        "const GREATEST_EXPONENT: u32 = 253u; // of which twice a number is one\n" +
        "\n" +
        "// A sample's images, but for their lowest bits, are scattered over spots, 16 a word: its lower half says which\n" +
        "// have been hit, the upper one which again. Of images that all differ 12 % share a spot.\n" +
        "const SPOT_WORDS: u32 = 1024u;\n" +
        "const SPOT_SHIFT: u32 = 18u; // from a word to a spot's number\n" +
        "\n" +
        "var<workgroup> findings: array<Finding, GROUP_SIZE>;\n" +
        "\n" +
        "var<workgroup> tally: array<atomic<u32>, GROUP_SIZE>; // of exponents, or of digits\n" +
        "var<workgroup> fullest: atomic<u32>;\n" +
        "var<workgroup> sample_form: u32;\n" +
        "var<workgroup> spots: array<atomic<u32>, SPOT_WORDS>;\n" +
        "var<workgroup> crowd: atomic<u32>;\n" +
        "\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "var<private> next_low: array<u32, ITEMS>;\n" +
        "var<private> next_high: array<u32, ITEMS>;\n" +
        "\n" +
        "fn clear_lists(local: u32) {\n" +
        "    for (var i = local; i < CONTROL_WORDS; i += GROUP_SIZE) {\n" +
        "        atomicStore(&work[i], 0u);\n" +
        "    }\n" +
        "    for (var i = local; i < (2u << params.digit_bits); i += GROUP_SIZE) {\n" +
        "        atomicStore(&work[params.records + RECORD_TOTALS + i], 0u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Where stretch `number` of `length` keys is looked at.\n" +
        "fn place_in(number: u32, length: u32) -> u32 {\n" +
        "    let mixed = number * 0x9e3779b9u;\n" +
        "    return number * length + (mixed ^ (mixed >> 15u)) % length;\n" +
        "}\n" +
        "\n" +
        "fn load_sample(local: u32, element_total: u32) {\n" +
        "    let last = element_total - 1u;\n" +
        "    let length = max(last / (GROUP_SIZE * ITEMS), 1u);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = min(place_in(i * GROUP_SIZE + local, length), max(last, 1u) - 1u);\n" +
        "        let next = min(at + 1u, last);\n" +
        "        low[i] = keys[at * KEY_WORDS];\n" +
        "        next_low[i] = keys[next * KEY_WORDS];\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            high[i] = keys[at * KEY_WORDS + 1u];\n" +
        "            next_high[i] = keys[next * KEY_WORDS + 1u];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn lesser(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n" +
        "    return select(a, b, wide_less(b, a));\n" +
        "}\n" +
        "\n" +
        "fn greater(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n" +
        "    return select(a, b, wide_less(a, b));\n" +
        "}\n" +
        "\n" +
        "fn note(found: Finding, first: vec2<u32>, image: vec2<u32>, next: vec2<u32>) -> Finding {\n" +
        "    let falls = wide_less(next, image);\n" +
        "    let rises = wide_less(image, next);\n" +
        "    return Finding(lesser(found.least, lesser(image, next)), greater(found.greatest, greater(image, next)),\n" +
        "                   found.differing | (image ^ first) | (next ^ first),\n" +
        "                   found.steps | select(select(TIES, RISES, rises), FALLS, falls));\n" +
        "}\n" +
        "\n" +
        "fn join(a: Finding, b: Finding) -> Finding {\n" +
        "    return Finding(lesser(a.least, b.least), greater(a.greatest, b.greatest), a.differing | b.differing,\n" +
        "                   a.steps | b.steps);\n" +
        "}\n" +
        "\n" +
        "// Leaves what the whole sample shows in findings[0], for invocation 0.\n" +
        "fn take_sample(local: u32, element_total: u32) {\n" +
        "    load_sample(local, element_total);\n" +
        "    var key = vec2<u32>(keys[0], 0u);\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        key.y = keys[1];\n" +
        "    }\n" +
        "    let first = key_image(key);\n" +
        "    var found = Finding(first, first, vec2<u32>(0u), 0u);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        found = note(found, first, key_image(vec2<u32>(low[i], high[i])),\n" +
        "                     key_image(vec2<u32>(next_low[i], next_high[i])));\n" +
        "    }\n" +
        "    findings[local] = found;\n" +
        "    for (var half = GROUP_SIZE / 2u; half > 0u; half /= 2u) {\n" +
        "        workgroupBarrier();\n" +
        "        if (local < half) {\n" +
        "            findings[local] = join(findings[local], findings[local + half]);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn promised_order(found: Finding) -> u32 {\n" +
        "    if ((found.steps & FALLS) == 0u) {\n" +
        "        return ROOT_ASCENDING;\n" +
        "    }\n" +
        "    return select(0u, ROOT_DESCENDING, (found.steps & select(RISES, RISES | TIES, STABLE)) == 0u);\n" +
        "}\n" +
        "\n" +
        "// Promise that images differ from `base`, that of digit 0 of the range, by a number without the bits `zeros`.\n" +
        "fn promise(shift: u32, bits: u32, quotient: vec2<u32>, rest: vec2<u32>, zeros: vec2<u32>, flags: u32) {\n" +
        "    let base = wide_add(wide_left(quotient, shift), rest);\n" +
        "    atomicStore(&work[BASE], base.x);\n" +
        "    atomicStore(&work[BASE + 1u], base.y);\n" +
        "    atomicStore(&work[ZEROS], zeros.x);\n" +
        "    atomicStore(&work[ZEROS + 1u], zeros.y);\n" +
        "    let lowest = quotient.x & ((1u << bits) - 1u);\n" +
        "    atomicStore(&work[ROOT], root_of(shift, bits, lowest) | flags | ROOT_RANGED);\n" +
        "}\n" +
        "\n" +
        "// The first of 2^bits values of images' bits from `shift` on: those of the sample are amidst them, or as near\n" +
        "// to that as the ends of all values allow.\n" +
        "fn centered(found: Finding, shift: u32, bits: u32) -> vec2<u32> {\n" +
        "    let quotient = wide_right(found.least, shift);\n" +
        "    let above = wide_subtract(wide_right(found.greatest, shift), quotient).x;\n" +
        "    let spare = vec2<u32>((((1u << bits) - 1u) - above) / 2u, 0u);\n" +
        "    let first = wide_subtract(quotient, lesser(quotient, spare));\n" +
        "    let all = wide_right(vec2<u32>(0xffffffffu, select(0u, 0xffffffffu, KEY_WORDS == 2u)), shift);\n" +
        "    return lesser(first, wide_subtract(all, vec2<u32>((1u << bits) - 1u, 0u)));\n" +
        "}\n" +
        "\n" +
        "// Keys alone that differ in one digit need not be moved: they are counted and written. Returns whether the\n" +
        "// sample's do.\n" +
        "fn promise_digit(found: Finding, order: u32) -> bool {\n" +
        "    let shift = wide_zeros(found.differing);\n" +
        "    let bits = min(params.digit_bits, params.key_bits - shift);\n" +
        "    let mask = vec2<u32>((1u << bits) - 1u, 0u);\n" +
        "    let span = wide_right(wide_subtract(found.greatest, found.least), shift);\n" +
        "    if (!ALONE || wide_less(mask, span)) {\n" +
        "        return false;\n" +
        "    }\n" +
        "    let below = wide_subtract(wide_left(vec2<u32>(1u, 0u), shift), vec2<u32>(1u, 0u));\n" +
        "    promise(shift, bits, centered(found, shift, bits), found.least & below, ~wide_left(mask, shift),\n" +
        "            order | ROOT_FILLED);\n" +
        "    return true;\n" +
        "}\n" +
        "\n" +
        "// The root's digit begins where images begin to differ. If the sample's fill the values that share some\n" +
        "// highest bits, all keys are taken to share them. Else they are taken to spread over four times the sample's\n" +
        "// range, for rare keys lie further out than those of a sample; or to be as many values as the digit has.\n" +
        "fn promise_range(found: Finding, order: u32) {\n" +
        "    let block = wide_width(found.least ^ found.greatest);\n" +
        "    let span = wide_subtract(found.greatest, found.least);\n" +
        "    let bits = params.digit_bits;\n" +
        "    let fills = block > bits && wide_right(span, max(block, 6u) - 6u).x == 63u;\n" +
        "    let spread = select(wide_width(span) + 2u, bits, wide_width(span) <= bits);\n" +
        "    let top = select(spread, block, fills);\n" +
        "    if (top >= params.key_bits) {\n" +
        "        atomicStore(&work[ROOT], planned_root() | order);\n" +
        "        return;\n" +
        "    }\n" +
        "    let shift = top - bits;\n" +
        "    let mask = vec2<u32>((1u << bits) - 1u, 0u);\n" +
        "    let quotient = select(centered(found, shift, bits), wide_right(found.least, shift) & ~mask, fills);\n" +
        "    let above = wide_left(vec2<u32>(0xffffffffu), top);\n" +
        "    promise(shift, bits, quotient, vec2<u32>(0u), above, order);\n" +
        "}\n" +
        "\n" +
        "fn clear_tally(local: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    atomicStore(&tally[local], 0u);\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&fullest, 0u);\n" +
        "        sample_form = 0u;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// The form of fixed-point digits that suits the sample; 0 if none does. Infinities and NaNs have no say.\n" +
        "fn find_form(local: u32) -> u32 {\n" +
        "    clear_tally(local);\n" +
        "    var negative = 0u;\n" +
        "    var positive = 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let exponent = (low[i] >> 23u) & 0xffu;\n" +
        "        let finite = select(0u, 1u, exponent < 0xffu);\n" +
        "        atomicAdd(&tally[exponent], finite);\n" +
        "        negative += finite * (low[i] >> 31u);\n" +
        "        positive += finite * (1u - (low[i] >> 31u));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let exponent = 0xffu - (local & 0xffu);\n" +
        "    let found = select(0u, atomicLoad(&tally[exponent]), local <= 0xffu);\n" +
        "    let above = group_exclusive(local, found).x;\n" +
        "    let signs = group_exclusive(local, negative | (positive << 16u)).y;\n" +
        "    let halves = select(select(1u, 2u, (signs >> 16u) <= BEYOND), 0u, (signs & 0xffffu) <= BEYOND);\n" +
        "    let usual = exponent >= LEAST_EXPONENT && exponent <= GREATEST_EXPONENT;\n" +
        "    if (above <= BEYOND && above + found > BEYOND && usual) {\n" +
        "        sample_form = exponent | (halves << 8u);\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&sample_form);\n" +
        "}\n" +
        "\n" +
        "// How many of the sample's keys the root's fullest child has.\n" +
        "fn find_fullest(local: u32, root: u32) -> u32 {\n" +
        "    let tile = root_tile(0u, root);\n" +
        "    let fixed = fixed_of(tile);\n" +
        "    clear_tally(local);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let digit = bucket_digit(vec2<u32>(low[i], 0u), tile);\n" +
        "        atomicAdd(&tally[select(digit, fixed_digit(low[i], fixed), tile.form > 0u)], 1u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    atomicMax(&fullest, atomicLoad(&tally[local]));\n" +
        "    workgroupBarrier();\n" +
        "    return atomicLoad(&fullest);\n" +
        "}\n" +
        "\n" +
        "// Replaces a root of images by one of fixed-point digits if that spreads the sample better.\n" +
        "fn spread_root(local: u32) {\n" +
        "    let root = load_root(local);\n" +
        "    if ((root & ROOT_FILLED) != 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let form = find_form(local);\n" +
        "    if (form == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let bits = params.digit_bits;\n" +
        "    let whole = bits - select(0u, 1u, (form >> 8u) == 1u); // bits of a magnitude\n" +
        "    let fixed = root_of(24u - whole, bits, form) | (root & ROOT_ORDERED) | ROOT_FIXED;\n" +
        "    let crowded = find_fullest(local, root);\n" +
        "    if (2u * find_fullest(local, fixed) <= crowded && local == 0u) {\n" +
        "        atomicStore(&work[ROOT], fixed);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn spot_of(i: u32) -> u32 {\n" +
        "    return ((key_image(vec2<u32>(low[i], 0u)).x >> params.digit_bits) * 0x9e3779b9u) >> SPOT_SHIFT;\n" +
        "}\n" +
        "\n" +
        "// How many of the sample's keys share a spot.\n" +
        "fn count_crowd(local: u32) -> u32 {\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&crowd, 0u);\n" +
        "    }\n" +
        "    for (var i = local; i < SPOT_WORDS; i += GROUP_SIZE) {\n" +
        "        atomicStore(&spots[i], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let spot = spot_of(i);\n" +
        "        let hit = 1u << (spot % 16u);\n" +
        "        if ((atomicOr(&spots[spot / 16u], hit) & hit) != 0u) {\n" +
        "            atomicOr(&spots[spot / 16u], hit << 16u);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    var crowded = 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let spot = spot_of(i);\n" +
        "        crowded += (atomicLoad(&spots[spot / 16u]) >> (spot % 16u + 16u)) & 1u;\n" +
        "    }\n" +
        "    atomicAdd(&crowd, crowded);\n" +
        "    workgroupBarrier();\n" +
        "    return atomicLoad(&crowd);\n" +
        "}\n" +
        "\n" +
        "// Replaces the root by the first pass's if levels would be as many as digits, and three eighths of the sample share\n" +
        "// spots. Of few keys the sample has some more than once, which says nothing. Keys of two words gain nothing: most of\n" +
        "// what crowds is apart after fewer levels than they have passes.\n" +
        "fn choose_passes(local: u32, element_total: u32) {\n" +
        "    let root = load_root(local);\n" +
        "    let levels = 1u + div_ceil(root & 63u, params.digit_bits);\n" +
        "    let ends_early = levels < div_ceil(params.key_bits, params.digit_bits) && (root & ROOT_FIXED) == 0u;\n" +
        "    if (ends_early || element_total <= GROUP_SIZE * ITEMS || pass_total() > params.last_level + 1u ||\n" +
        "        8u * count_crowd(local) < 3u * GROUP_SIZE * ITEMS) {\n" +
        "        return;\n" +
        "    }\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&work[ROOT], root_of(0u, pass_bits(0u, 0u), 0u) | (root & ROOT_ORDERED) | ROOT_PASSES);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_begin(@builtin(local_invocation_index) local: u32) {\n" +
        "    clear_lists(local);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_begin_sampled(@builtin(local_invocation_index) local: u32) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    clear_lists(local);\n" +
        "    for (var i = local; i < (2u << params.digit_bits); i += GROUP_SIZE) {\n" +
        "        atomicStore(&work[second_record() + RECORD_TOTALS + i], 0u);\n" +
        "    }\n" +
        "    if (element_total == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    storageBarrier();\n" +
        "    take_sample(local, element_total);\n" +
        "    if (local == 0u) {\n" +
        "        let found = findings[0];\n" +
        "        let order = promised_order(found);\n" +
        "        if (!promise_digit(found, order)) {\n" +
        "            promise_range(found, order);\n" +
        "        }\n" +
        "    }\n" +
        "    if (FIXED_ROOT) {\n" +
        "        spread_root(local);\n" +
        "    }\n" +
        "    if (STABLE && KEY_WORDS == 1u) {\n" +
        "        choose_passes(local, element_total);\n" +
        "    }\n" +
        "}\n"
    },
    msd_check: {
        uses: ["count", "image", "key", "wide", "msd", "msd_digit", "msd_count"],
        text:
        "// msd_check: look at every key for what msd_begin's sample has promised, if anything.\n" +
        "//\n" +
        "//@use count image key wide msd msd_digit msd_count\n" +
        "//\n" +
        "// A promise is withdrawn where a key does not keep it: one that is out of order with its successor, or\n" +
        "// outside the root's range. If a range is promised, the root's digit is counted besides, into the second\n" +
        "// record: where the range holds nothing need be counted again.\n" +
        "// Reads KEY_WORDS words a key; of a promised order also the successor, which is near by then.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u; // at least BINS\n" +
        "override BINS: u32 = 256u;       // at least the digits of the root\n" +
        "\n" +
        "const LOOKS: u32 = 8u; // tiles between looks at what others have found\n" +
        "\n" +
        "var<private> next_low: array<u32, ITEMS>;\n" +
        "var<private> next_high: array<u32, ITEMS>;\n" +
        "\n" +
        "var<private> base: vec2<u32>;\n" +
        "var<private> zeros: vec2<u32>;\n" +
        "\n" +
        "fn tile_to_check(local: u32, number: u32, root: u32) -> Tile {\n" +
        "    if (local == 0u) {\n" +
        "        shared_tile = root_tile(number, root);\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&shared_tile);\n" +
        "}\n" +
        "\n" +
        "fn breaks_range(image: vec2<u32>) -> bool {\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return ((image.x - base.x) & zeros.x) != 0u;\n" +
        "    }\n" +
        "    let wrong = wide_subtract(image, base) & zeros;\n" +
        "    return (wrong.x | wrong.y) != 0u;\n" +
        "}\n" +
        "\n" +
        "// Whether an image and its successor's are not in the promised order. Equal keys do not trade places where\n" +
        "// they can be told apart.\n" +
        "fn breaks_order(image: vec2<u32>, next: vec2<u32>, root: u32) -> bool {\n" +
        "    let falls = wide_less(next, image);\n" +
        "    let rises = wide_less(image, next);\n" +
        "    return select(rises | (STABLE & !falls), falls, (root & ROOT_ASCENDING) != 0u);\n" +
        "}\n" +
        "\n" +
        "// Of keys that are loaded. Past the end of the tile its last key is looked at again.\n" +
        "fn check_range(local: u32) {\n" +
        "    var broken = false;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        broken = broken | breaks_range(key_image(vec2<u32>(low[i], high[i])));\n" +
        "    }\n" +
        "    if (broken) {\n" +
        "        atomicOr(&work[ROOT], ROOT_BROKEN);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The last key of all has no successor.\n" +
        "fn check_order(local: u32, tile: Tile, done: u32, root: u32) {\n" +
        "    let last = element_count(params.max_count) - 1u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let next = min(tile.first + min(done + i * GROUP_SIZE + local, tile.held - 1u) + 1u, last);\n" +
        "        next_low[i] = keys[next * KEY_WORDS];\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            next_high[i] = keys[next * KEY_WORDS + 1u];\n" +
        "        }\n" +
        "    }\n" +
        "    var broken = false;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let exists = tile.first + min(done + i * GROUP_SIZE + local, tile.held - 1u) < last;\n" +
        "        let breaks = breaks_order(key_image(vec2<u32>(low[i], high[i])),\n" +
        "                                  key_image(vec2<u32>(next_low[i], next_high[i])), root);\n" +
        "        broken = broken | (breaks & exists);\n" +
        "    }\n" +
        "    if (broken) {\n" +
        "        atomicAnd(&work[ROOT], ~ROOT_ORDERED);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_check(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let groups = grid.group_count.x * grid.group_count.y;\n" +
        "    let first = group_number(grid);\n" +
        "    let root = load_root(local);\n" +
        "    if ((root & ROOT_PROMISES) == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    // The digit is that of the promise, even once that is known to be broken.\n" +
        "    let ranged = (root & ROOT_RANGED) != 0u;\n" +
        "    let digit = select(planned_root(), root & ~ROOT_BROKEN, ranged);\n" +
        "    base = control_pair(BASE);\n" +
        "    zeros = control_pair(ZEROS);\n" +
        "    var left = root;\n" +
        "    var tile = tile_to_check(local, first, digit);\n" +
        "    if (tile.held == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    clear_bins(local);\n" +
        "    for (var number = first; tile.held > 0u; number += groups) {\n" +
        "        for (var done = 0u; done < tile.held; done += GROUP_SIZE * ITEMS) {\n" +
        "            load_part(local, tile, done);\n" +
        "            if (ranged) {\n" +
        "                count_part(local, tile, done);\n" +
        "                check_range(local);\n" +
        "            }\n" +
        "            if ((left & ROOT_ORDERED) != 0u) {\n" +
        "                check_order(local, tile, done, root);\n" +
        "            }\n" +
        "        }\n" +
        "        if (number / groups % LOOKS == 0u) {\n" +
        "            left = load_root(local);\n" +
        "        }\n" +
        "        // Nothing is left to check, nor of use to count.\n" +
        "        let idle = (left & ROOT_ORDERED) == 0u && (!ranged || (left & ROOT_BROKEN) != 0u);\n" +
        "        let next = tile_to_check(local, select(number + groups, NO_TILE, idle), digit);\n" +
        "        if (ranged) {\n" +
        "            take_bins(local, tile, next);\n" +
        "        }\n" +
        "        tile = next;\n" +
        "    }\n" +
        "}\n"
    },
    msd_finish: {
        uses: ["count", "image", "key", "wide", "sum", "lane_portable", "msd"],
        text:
        "// msd_finish: end a most-significant-digit sort early if all keys are as msd_begin's sample promised.\n" +
        "//\n" +
        "//@use count image key wide sum lane_portable msd\n" +
        "//\n" +
        "//     keys, keys_out, values, values_in, values_out   | element 0 | element 1 | …   as the entry point names them\n" +
        "//\n" +
        "// All keys have been looked at by then. Keys that stand in the order are left, or copied to the final place;\n" +
        "// in the reverse of it, mirrored; keys alone that differ in the root's digit only are written from its totals.\n" +
        "// Values go along. The levels find nothing to do then. After most keys nothing is done here.\n" +
        "// Reads and writes each element once, or writes each key once, or nothing.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u; // at least BINS\n" +
        "override BINS: u32 = 256u;       // at least the digits of the root, a power of two\n" +
        "override VALUE_WORDS: u32 = 1u;\n" +
        "\n" +
        "@group(0) @binding(3) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> indices: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> values: array<u32>; // in place\n" +
        "@group(0) @binding(5) var<storage, read_write> values_in: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;\n" +
        "\n" +
        "// Where the children of a filled sort start, in order.\n" +
        "var<workgroup> starts: array<u32, BINS>;\n" +
        "\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "\n" +
        "fn group_total(grid: Grid) -> u32 {\n" +
        "    return grid.group_count.x * grid.group_count.y;\n" +
        "}\n" +
        "\n" +
        "// Workgroups' parts of so many elements are numbered through: part `number` is x the first, y how many.\n" +
        "fn part_of(number: u32, elements: u32) -> vec2<u32> {\n" +
        "    let part = GROUP_SIZE * ITEMS;\n" +
        "    if (number >= div_ceil(elements, part)) {\n" +
        "        return vec2<u32>(0u);\n" +
        "    }\n" +
        "    return vec2<u32>(number * part, min(part, elements - number * part));\n" +
        "}\n" +
        "\n" +
        "// ---- Orders: elements of two words at most are moved word by word ---------------------------------\n" +
        "\n" +
        "fn is_mirrored(root: u32) -> bool {\n" +
        "    return (root & ROOT_DESCENDING) != 0u;\n" +
        "}\n" +
        "\n" +
        "// The element of its part that an invocation moves as item i, or the part's last.\n" +
        "fn element_of(local: u32, part: vec2<u32>, i: u32) -> u32 {\n" +
        "    return part.x + min(i * GROUP_SIZE + local, part.y - 1u);\n" +
        "}\n" +
        "\n" +
        "fn source_of(element: u32, mirrored: bool) -> u32 {\n" +
        "    return select(element, element_count(params.max_count) - 1u - element, mirrored);\n" +
        "}\n" +
        "\n" +
        "fn move_keys(local: u32, part: vec2<u32>, mirrored: bool) {\n" +
        "    for (var w = 0u; w < KEY_WORDS; w++) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            low[i] = keys[source_of(element_of(local, part, i), mirrored) * KEY_WORDS + w];\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (i * GROUP_SIZE + local < part.y) {\n" +
        "                keys_out[(part.x + i * GROUP_SIZE + local) * KEY_WORDS + w] = low[i];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn move_values(local: u32, part: vec2<u32>, mirrored: bool) {\n" +
        "    for (var w = 0u; w < VALUE_WORDS; w++) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            low[i] = values_in[source_of(element_of(local, part, i), mirrored) * VALUE_WORDS + w];\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (i * GROUP_SIZE + local < part.y) {\n" +
        "                values_out[(part.x + i * GROUP_SIZE + local) * VALUE_WORDS + w] = low[i];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Elements of the first half trade places with those of the second; who has one has both.\n" +
        "fn swap_keys(local: u32, part: vec2<u32>) {\n" +
        "    for (var w = 0u; w < KEY_WORDS; w++) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = element_of(local, part, i);\n" +
        "            low[i] = keys[at * KEY_WORDS + w];\n" +
        "            high[i] = keys[source_of(at, true) * KEY_WORDS + w];\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = part.x + i * GROUP_SIZE + local;\n" +
        "            if (i * GROUP_SIZE + local < part.y) {\n" +
        "                keys[at * KEY_WORDS + w] = high[i];\n" +
        "                keys[source_of(at, true) * KEY_WORDS + w] = low[i];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn swap_values(local: u32, part: vec2<u32>) {\n" +
        "    for (var w = 0u; w < VALUE_WORDS; w++) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = element_of(local, part, i);\n" +
        "            low[i] = values[at * VALUE_WORDS + w];\n" +
        "            high[i] = values[source_of(at, true) * VALUE_WORDS + w];\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = part.x + i * GROUP_SIZE + local;\n" +
        "            if (i * GROUP_SIZE + local < part.y) {\n" +
        "                values[at * VALUE_WORDS + w] = high[i];\n" +
        "                values[source_of(at, true) * VALUE_WORDS + w] = low[i];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Pairs of elements to swap: none if the order is not the reverse.\n" +
        "fn swap_count(root: u32) -> u32 {\n" +
        "    return select(0u, element_count(params.max_count) / 2u, is_mirrored(root));\n" +
        "}\n" +
        "\n" +
        "// ---- Digits: keys are written as often as they were counted -----------------------------------------\n" +
        "\n" +
        "fn find_starts(local: u32) {\n" +
        "    var total = 0u;\n" +
        "    let root = root_tile(0u, shared_root);\n" +
        "    if (local < (1u << root.bits)) {\n" +
        "        total = atomicLoad(&work[root.record + RECORD_TOTALS + child_digit(root, local)]);\n" +
        "    }\n" +
        "    let start = group_exclusive(local, total).x;\n" +
        "    if (local < BINS) {\n" +
        "        starts[local] = start;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// The child that an element belongs to: the last that starts no later, which is not empty.\n" +
        "fn child_of(element: u32) -> u32 {\n" +
        "    var child = 0u;\n" +
        "    for (var step = BINS / 2u; step > 0u; step /= 2u) {\n" +
        "        child += select(0u, step, starts[child + step] <= element);\n" +
        "    }\n" +
        "    return child;\n" +
        "}\n" +
        "\n" +
        "fn child_end(child: u32) -> u32 {\n" +
        "    return select(starts[min(child + 1u, BINS - 1u)], element_count(params.max_count), child == BINS - 1u);\n" +
        "}\n" +
        "\n" +
        "// The key of all elements of a child.\n" +
        "fn child_key(child: u32) -> vec2<u32> {\n" +
        "    let shift = shared_root & 63u;\n" +
        "    return key_bits(wide_add(control_pair(BASE), wide_left(vec2<u32>(child, 0u), shift)));\n" +
        "}\n" +
        "\n" +
        "fn fill_keys(local: u32, part: vec2<u32>) {\n" +
        "    let end = part.x + part.y;\n" +
        "    var child = child_of(part.x);\n" +
        "    for (var at = part.x; at < end; ) {\n" +
        "        let stop = min(child_end(child), end);\n" +
        "        let key = child_key(child);\n" +
        "        for (var i = local; i < stop - at; i += GROUP_SIZE) {\n" +
        "            keys_out[(at + i) * KEY_WORDS] = key.x;\n" +
        "            if (KEY_WORDS == 2u) { keys_out[(at + i) * KEY_WORDS + 1u] = key.y; }\n" +
        "        }\n" +
        "        at = stop;\n" +
        "        child++;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn fill_keys_in_place(local: u32, part: vec2<u32>) {\n" +
        "    let end = part.x + part.y;\n" +
        "    var child = child_of(part.x);\n" +
        "    for (var at = part.x; at < end; ) {\n" +
        "        let stop = min(child_end(child), end);\n" +
        "        let key = child_key(child);\n" +
        "        for (var i = local; i < stop - at; i += GROUP_SIZE) {\n" +
        "            keys[(at + i) * KEY_WORDS] = key.x;\n" +
        "            if (KEY_WORDS == 2u) { keys[(at + i) * KEY_WORDS + 1u] = key.y; }\n" +
        "        }\n" +
        "        at = stop;\n" +
        "        child++;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Entry points --------------------------------------------------------------------------------\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_finish_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let root = load_root(local);\n" +
        "    let ordered = (root & ROOT_ORDERED) != 0u;\n" +
        "    if (!ordered && !is_filled(root)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    if (!ordered) {\n" +
        "        find_starts(local);\n" +
        "    }\n" +
        "    for (var number = group_number(grid); ; number += group_total(grid)) {\n" +
        "        let part = part_of(number, element_total);\n" +
        "        if (part.y == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        if (ordered) {\n" +
        "            move_keys(local, part, is_mirrored(root));\n" +
        "        } else {\n" +
        "            fill_keys(local, part);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_finish_keys_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let root = load_root(local);\n" +
        "    let ordered = (root & ROOT_ORDERED) != 0u;\n" +
        "    if (!ordered && !is_filled(root)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    if (!ordered) {\n" +
        "        find_starts(local);\n" +
        "    }\n" +
        "    let elements = select(element_total, swap_count(root), ordered);\n" +
        "    for (var number = group_number(grid); ; number += group_total(grid)) {\n" +
        "        let part = part_of(number, elements);\n" +
        "        if (part.y == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        if (ordered) {\n" +
        "            swap_keys(local, part);\n" +
        "        } else {\n" +
        "            fill_keys_in_place(local, part);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_finish_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let root = load_root(local);\n" +
        "    if ((root & ROOT_ORDERED) == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    for (var number = group_number(grid); ; number += group_total(grid)) {\n" +
        "        let part = part_of(number, element_total);\n" +
        "        if (part.y == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        move_keys(local, part, is_mirrored(root));\n" +
        "        move_values(local, part, is_mirrored(root));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_finish_pairs_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let root = load_root(local);\n" +
        "    if ((root & ROOT_ORDERED) == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    for (var number = group_number(grid); ; number += group_total(grid)) {\n" +
        "        let part = part_of(number, swap_count(root));\n" +
        "        if (part.y == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        swap_keys(local, part);\n" +
        "        swap_values(local, part);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The values are indices; keys are left.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_finish_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let root = load_root(local);\n" +
        "    if ((root & ROOT_ORDERED) == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    for (var number = group_number(grid); ; number += group_total(grid)) {\n" +
        "        let part = part_of(number, element_total);\n" +
        "        if (part.y == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = part.x + i * GROUP_SIZE + local;\n" +
        "            if (i * GROUP_SIZE + local < part.y) {\n" +
        "                indices[at] = source_of(at, is_mirrored(root));\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    msd_histogram: {
        uses: ["count", "image", "key", "msd", "msd_digit", "msd_count"],
        text:
        "// msd_histogram: count the digits of each bucket's keys (lib/msd_count).\n" +
        "//\n" +
        "//@use count image key msd msd_digit msd_count\n" +
        "//\n" +
        "// The root's keys are counted by the plan's digit or a fixed-point one, unless msd_check has counted them by\n" +
        "// a better one or msd_finish has ended the sort.\n" +
        "// Reads KEY_WORDS words a key.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u; // at least BINS\n" +
        "override BINS: u32 = 256u;       // at least the digits of a bucket\n" +
        "\n" +
        "fn tile_to_count(local: u32, number: u32, root: u32) -> Tile {\n" +
        "    if (local == 0u) {\n" +
        "        if (params.level == 0u) {\n" +
        "            shared_tile = root_tile(number, root);\n" +
        "        } else {\n" +
        "            shared_tile = listed_tile(number);\n" +
        "        }\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&shared_tile);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let groups = grid.group_count.x * grid.group_count.y;\n" +
        "    let first = group_number(grid);\n" +
        "    var root = planned_root();\n" +
        "    if (params.level == 0u && params.sampled != 0u) {\n" +
        "        root = settled_root(load_root(local));\n" +
        "        if (root == 0u || (root & ROOT_RANGED) != 0u) {\n" +
        "            return;\n" +
        "        }\n" +
        "    }\n" +
        "    var tile = tile_to_count(local, first, root);\n" +
        "    if (tile.held == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    clear_bins(local);\n" +
        "    for (var number = first; tile.held > 0u; number += groups) {\n" +
        "        for (var done = 0u; done < tile.held; done += GROUP_SIZE * ITEMS) {\n" +
        "            load_part(local, tile, done);\n" +
        "            count_part(local, tile, done);\n" +
        "        }\n" +
        "        let next = tile_to_count(local, number + groups, root);\n" +
        "        take_bins(local, tile, next);\n" +
        "        tile = next;\n" +
        "    }\n" +
        "}\n"
    },
    msd_local: {
        uses: ["count", "image", "key", "local_sort", "local_settle", "local_network"],
        text:
        "// msd_local: sort items of a partition, each by one workgroup, and leave them where they belong.\n" +
        "//\n" +
        "//@use count image key local_sort local_settle local_network\n" +
        "//\n" +
        "//     control        | … | item count | …\n" +
        "//     items          | first element | size, and in bit 31 whether the item lies in `final` | …\n" +
        "//     keys, values   | an item lies in one of two buffers, and is left at the same place in `final` | …\n" +
        "//\n" +
        "// An item has up to GROUP_SIZE * 8 elements, which are sorted in registers and workgroup memory\n" +
        "// (lib/local_sort). Where there are values, equal keys keep the order that they have in the item.\n" +
        "// Reads and writes each element once.\n" +
        "\n" +
        "override CELLS: u32 = 1320u;      // GROUP_SIZE * 33 / 4\n" +
        "override GROUP_SIZE: u32 = 160u;  // a multiple of 32\n" +
        "override WRITE_KEYS: bool = true; // false: an argsort, which wants no keys\n" +
        "override VALUE_WORDS: u32 = 1u;   // words a value\n" +
        "\n" +
        "@group(0) @binding(2) var<storage, read_write> control: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> items: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_alternate: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> keys_final: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> values_alternate: array<u32>;\n" +
        "@group(0) @binding(7) var<storage, read_write> values_final: array<u32>;\n" +
        "\n" +
        "const IN_FINAL: u32 = 0x80000000u;\n" +
        "\n" +
        "var<workgroup> item: vec2<u32>;\n" +
        "\n" +
        "var<private> carried: array<u32, ITEMS>; // a word of the values, as elements stand in the item\n" +
        "\n" +
        "// Item `number`: x the first element, y as it stands in memory, or 0 past the last item.\n" +
        "fn load_item(local: u32, number: u32) -> vec2<u32> {\n" +
        "    if (local == 0u) {\n" +
        "        item = vec2<u32>(0u);\n" +
        "        if (number < control[1]) {\n" +
        "            item = vec2<u32>(items[number * 2u], items[number * 2u + 1u]);\n" +
        "        }\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&item);\n" +
        "}\n" +
        "\n" +
        "fn group_total(grid: Grid) -> u32 {\n" +
        "    return grid.group_count.x * grid.group_count.y;\n" +
        "}\n" +
        "\n" +
        "// ---- Memory --------------------------------------------------------------------------------------\n" +
        "\n" +
        "fn key_from(in_final: bool, element: u32) -> vec2<u32> {\n" +
        "    var key = vec2<u32>(0u);\n" +
        "    if (in_final) {\n" +
        "        key.x = keys_final[element * KEY_WORDS];\n" +
        "        if (KEY_WORDS == 2u) { key.y = keys_final[element * KEY_WORDS + 1u]; }\n" +
        "    } else {\n" +
        "        key.x = keys_alternate[element * KEY_WORDS];\n" +
        "        if (KEY_WORDS == 2u) { key.y = keys_alternate[element * KEY_WORDS + 1u]; }\n" +
        "    }\n" +
        "    return key;\n" +
        "}\n" +
        "\n" +
        "// Elements past `size` are copies of the last one.\n" +
        "fn load_keys(local: u32, first: u32, size: u32, in_final: bool) {\n" +
        "    if (in_final) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = min(i * GROUP_SIZE + local, size - 1u);\n" +
        "            set_image(i, key_from(true, first + at));\n" +
        "            key_c[i] = at;\n" +
        "        }\n" +
        "    } else {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = min(i * GROUP_SIZE + local, size - 1u);\n" +
        "            set_image(i, key_from(false, first + at));\n" +
        "            key_c[i] = at;\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_keys(local: u32, first: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < size) {\n" +
        "            let key = get_key(i);\n" +
        "            keys_final[(first + at) * KEY_WORDS] = key.x;\n" +
        "            if (KEY_WORDS == 2u) { keys_final[(first + at) * KEY_WORDS + 1u] = key.y; }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_value_word(local: u32, first: u32, size: u32, in_final: bool, w: u32) {\n" +
        "    if (in_final) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = min(i * GROUP_SIZE + local, size - 1u);\n" +
        "            carried[i] = values_final[(first + at) * VALUE_WORDS + w];\n" +
        "        }\n" +
        "    } else {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = min(i * GROUP_SIZE + local, size - 1u);\n" +
        "            carried[i] = values_alternate[(first + at) * VALUE_WORDS + w];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Entry points --------------------------------------------------------------------------------\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_local_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    for (var number = group_number(grid); ; number += group_total(grid)) {\n" +
        "        let entry = load_item(local, number);\n" +
        "        let size = entry.y & ~IN_FINAL;\n" +
        "        let in_final = entry.y >= IN_FINAL;\n" +
        "        if (size == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        load_keys(local, entry.x, size, in_final);\n" +
        "        let changed = sort_held(local, size);\n" +
        "        if (changed || !in_final) {\n" +
        "            store_keys(local, entry.x, size);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Equal keys keep the order of the item, and values go with them. The first word of the values is on its way while\n" +
        "// keys are sorted.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_local_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    for (var number = group_number(grid); ; number += group_total(grid)) {\n" +
        "        let entry = load_item(local, number);\n" +
        "        let size = entry.y & ~IN_FINAL;\n" +
        "        let in_final = entry.y >= IN_FINAL;\n" +
        "        if (size == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        load_keys(local, entry.x, size, in_final);\n" +
        "        load_value_word(local, entry.x, size, in_final, 0u);\n" +
        "        let changed = sort_held(local, size);\n" +
        "        if (changed || !in_final) {\n" +
        "            if (WRITE_KEYS) {\n" +
        "                store_keys(local, entry.x, size);\n" +
        "            }\n" +
        "            // A word of the values is read whole before it is written.\n" +
        "            for (var w = 0u; w < VALUE_WORDS; w++) {\n" +
        "                if (w > 0u) {\n" +
        "                    load_value_word(local, entry.x, size, in_final, w);\n" +
        "                }\n" +
        "                workgroupBarrier();\n" +
        "                //@unroll\n" +
        "                for (var i = 0u; i < ITEMS; i++) {\n" +
        "                    put(own_cell(local, i), carried[i]);\n" +
        "                }\n" +
        "                workgroupBarrier();\n" +
        "                //@unroll\n" +
        "                for (var i = 0u; i < ITEMS; i++) {\n" +
        "                    let at = i * GROUP_SIZE + local;\n" +
        "                    if (at < size) {\n" +
        "                        values_final[(entry.x + at) * VALUE_WORDS + w] = take(cell_of(key_c[i]));\n" +
        "                    }\n" +
        "                }\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    msd_partition: {
        uses: ["count", "image", "key", "wide", "sum", "sum_pair", "lane_portable", "msd", "msd_digit", "msd_children", "rank", "strip"],
        text:
        "// msd_partition: spread the keys of each bucket over its children.\n" +
        "//\n" +
        "//@use count image key wide sum sum_pair lane_portable msd msd_digit msd_children rank strip\n" +
        "//\n" +
        "// A workgroup ranks a tile's keys by digit in its own memory, finds where they go, and moves them there by\n" +
        "// way of `cells`, ROUNDS times a part of the tile, so that writes run on in stretches of one digit. The\n" +
        "// workgroup of a bucket's first tile also publishes the children (lib/msd_children), before it loads keys.\n" +
        "//\n" +
        "// Keys alone are ranked in no particular order, by atomic additions, and claim places of each child with\n" +
        "// the cursors of the record. Where a child is large, additions to its count wait for each other: then\n" +
        "// neighbours add to different copies, which lie in different banks. In a STABLE partition keys are ranked in\n" +
        "// their order (lib/rank) and their places stand in the bucket's table.\n" +
        "//\n" +
        "//     count_of[digit]   keys of the tile, then where they start in the sorted tile; in COPIES, if crowded\n" +
        "//     shift_of[digit]   what takes a position in the sorted tile to its place in memory\n" +
        "//     spot              of two keys, 16 bits each: the rank, then the position in the sorted tile; while\n" +
        "//                       lib/rank has it, of one key\n" +
        "//\n" +
        "// A tile is as large as registers hold. So digits are not kept, but found again where they are asked for.\n" +
        "// Reads and writes each key once, each value once, but reads values of two words once a round and word.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;  // at least BINS\n" +
        "override BINS: u32 = 256u;        // at least the digits of a bucket\n" +
        "override CELLS: u32 = 4096u;      // at least KEY_WORDS * PART, 5 * BINS, and what lib/rank and sum_pair take\n" +
        "override VALUE_WORDS: u32 = 1u;   // 1 or 2\n" +
        "override ROUNDS: u32 = 2u;\n" +
        "override PART: u32 = GROUP_SIZE * ITEMS / ROUNDS;\n" +
        "override STABLE: bool = true;     // of pairs; indices always are, keys alone never\n" +
        "override COPIES: u32 = 1u;        // of counters, a power of two: more for keys alone, where memory allows\n" +
        "override COPY_WORDS: u32 = BINS + 1u;\n" +
        "override COUNTER_COUNT: u32 = COPIES * COPY_WORDS;\n" +
        "const CROWD: u32 = 16u;\n" +
        "\n" +
        "@group(0) @binding(3) var<storage, read_write> keys_in: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> values_in: array<u32>;\n" +
        "\n" +
        "var<workgroup> count_of: array<atomic<u32>, COUNTER_COUNT>;\n" +
        "var<workgroup> crowded: atomic<u32>; // 1: some child holds more than a CROWD-th of the bucket's keys\n" +
        "var<workgroup> shift_of: array<u32, BINS>;\n" +
        "var<workgroup> cells: array<atomic<u32>, CELLS>;\n" +
        "\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "var<private> spot: array<u32, ITEMS>;\n" +
        "var<private> value: array<u32, ITEMS>;\n" +
        "var<private> place: array<u32, ITEMS>;\n" +
        "var<private> child_shift: u32; // to shift_of, of the child that an invocation stands for\n" +
        "var<private> table_place: u32; // of a stable partition: where in the bucket that child's keys of the tile go\n" +
        "\n" +
        "const NOWHERE: u32 = 0xffffu; // the spot of what does not exist: no tile has so many keys\n" +
        "\n" +
        "// As find_digits, of the keys of a part.\n" +
        "fn find_staged_digits(local: u32, tile: Tile) {\n" +
        "    if (tile.form == 0u) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (i * ROUNDS < ITEMS) {\n" +
        "                digits[i] = bucket_digit(staged_key(i * GROUP_SIZE + local), tile);\n" +
        "            }\n" +
        "        }\n" +
        "    } else {\n" +
        "        let fixed = fixed_of(tile);\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (i * ROUNDS < ITEMS) {\n" +
        "                digits[i] = fixed_digit(staged_key(i * GROUP_SIZE + local).x, fixed);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn clear_crowded(local: u32) {\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&crowded, 0u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Where the counts are that an invocation adds to.\n" +
        "fn copy_of(local: u32) -> u32 {\n" +
        "    return local % COPIES * COPY_WORDS * atomicLoad(&crowded);\n" +
        "}\n" +
        "\n" +
        "// 1. Load a tile, in its order or a stable partition's; of a short one the last key again and again.\n" +
        "fn source_of(local: u32, i: u32, stable: bool) -> u32 {\n" +
        "    return select(i * GROUP_SIZE + local, rank_source(local, i), stable);\n" +
        "}\n" +
        "\n" +
        "fn load_key(i: u32, at: u32) {\n" +
        "    low[i] = keys_in[at * KEY_WORDS];\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        high[i] = keys_in[at * KEY_WORDS + 1u];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_keys(local: u32, tile: Tile, stable: bool) {\n" +
        "    if (tile.held == GROUP_SIZE * ITEMS) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            load_key(i, tile.first + source_of(local, i, stable));\n" +
        "        }\n" +
        "    } else {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            load_key(i, tile.first + min(source_of(local, i, stable), tile.held - 1u));\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// 2. Rank the keys. Nothing branches on whether a key exists; what does not adds nothing, each invocation to\n" +
        "// another digit.\n" +
        "fn rank(local: u32, tile: Tile) {\n" +
        "    load_child_size(local, tile);\n" +
        "    if (child_size > tile.tiles * params.tile_items / CROWD) {\n" +
        "        atomicStore(&crowded, 1u);\n" +
        "    }\n" +
        "    for (var i = local; i < COUNTER_COUNT; i += GROUP_SIZE) {\n" +
        "        atomicStore(&count_of[i], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let copy = copy_of(local);\n" +
        "    if (FIXED_ROOT) {\n" +
        "        find_digits(tile);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let exists = i * GROUP_SIZE + local < tile.held;\n" +
        "        let digit = select(local & (BINS - 1u), digit_of(i, vec2<u32>(low[i], high[i]), tile), exists);\n" +
        "        let before = atomicAdd(&count_of[copy + digit], select(0u, 1u, exists));\n" +
        "        set_spot(i, select(NOWHERE, before, exists));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// 3. Claim places for the tile's keys, a child an invocation, and turn ranks into positions.\n" +
        "fn claim(local: u32, tile: Tile) {\n" +
        "    let digits = 1u << tile.bits;\n" +
        "    let digit = child_digit(tile, local);\n" +
        "    var counted = 0u;\n" +
        "    var claimed = 0u;\n" +
        "    let copies = select(1u, COPIES, atomicLoad(&crowded) != 0u);\n" +
        "    if (local < digits) {\n" +
        "        counted = atomicLoad(&count_of[digit]);\n" +
        "        for (var c = 1u; c < copies; c++) {\n" +
        "            counted += atomicLoad(&count_of[c * COPY_WORDS + digit]);\n" +
        "        }\n" +
        "    }\n" +
        "    if (counted > 0u) {\n" +
        "        claimed = atomicAdd(&work[tile.record + RECORD_TOTALS + digits + digit], counted);\n" +
        "    }\n" +
        "    let before = pair_exclusive(local, vec2<u32>(child_size, counted));\n" +
        "    child_shift = tile.start + before.x + claimed - before.y;\n" +
        "    if (local < BINS) {\n" +
        "        var next = before.y;\n" +
        "        for (var c = 0u; c < copies; c++) {\n" +
        "            let held = atomicLoad(&count_of[c * COPY_WORDS + digit]);\n" +
        "            atomicStore(&count_of[c * COPY_WORDS + digit], next);\n" +
        "            next += held;\n" +
        "        }\n" +
        "    }\n" +
        "    let copy = copy_of(local);\n" +
        "    // From memory, so that no compiler keeps the digits that it has found before.\n" +
        "    let again = shared_tile;\n" +
        "    workgroupBarrier();\n" +
        "    clear_crowded(local);\n" +
        "    if (FIXED_ROOT) {\n" +
        "        find_digits(again);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let start = atomicLoad(&count_of[copy + digit_of(i, vec2<u32>(low[i], high[i]), again)]);\n" +
        "        spot[i / 2u] += select(0u, start << (i % 2u * 16u), i * GROUP_SIZE + local < again.held);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// 4. Move one part of the sorted tile, from position `base` on. What a claim has answered is asked for only when\n" +
        "// the first part is in cells.\n" +
        "fn stage_keys(local: u32, tile: Tile, base: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let cell = spot_of(i) - base;\n" +
        "        if (cell < PART) {\n" +
        "            atomicStore(&cells[cell], low[i]);\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                atomicStore(&cells[PART + cell], high[i]);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    if (base == 0u && local < BINS) {\n" +
        "        shift_of[child_digit(tile, local)] = child_shift;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn staged_key(cell: u32) -> vec2<u32> {\n" +
        "    var key = vec2<u32>(atomicLoad(&cells[cell]), 0u);\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        key.y = atomicLoad(&cells[PART + cell]);\n" +
        "    }\n" +
        "    return key;\n" +
        "}\n" +
        "\n" +
        "fn write_key(key: vec2<u32>, to: u32) {\n" +
        "    keys_out[to * KEY_WORDS] = key.x;\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        keys_out[to * KEY_WORDS + 1u] = key.y;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Keys alone are moved four at a time, as all that one unrolls takes registers from the tile.\n" +
        "fn four_digits(a: vec2<u32>, b: vec2<u32>, c: vec2<u32>, d: vec2<u32>, tile: Tile) -> vec4<u32> {\n" +
        "    if (FIXED_ROOT && tile.form != 0u) {\n" +
        "        let fixed = fixed_of(tile);\n" +
        "        return vec4<u32>(fixed_digit(a.x, fixed), fixed_digit(b.x, fixed), fixed_digit(c.x, fixed),\n" +
        "                         fixed_digit(d.x, fixed));\n" +
        "    }\n" +
        "    return vec4<u32>(bucket_digit(a, tile), bucket_digit(b, tile), bucket_digit(c, tile), bucket_digit(d, tile));\n" +
        "}\n" +
        "\n" +
        "fn move_lone(key: vec2<u32>, digit: u32, at: u32, end: u32) {\n" +
        "    let to = at + shift_of[digit];\n" +
        "    if (at < end) {\n" +
        "        write_key(key, to);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn move_lone_keys(local: u32, tile: Tile, base: u32) {\n" +
        "    stage_keys(local, tile, base);\n" +
        "    let end = min(base + PART, tile.held);\n" +
        "    for (var at = base + local; at < end; at += 4u * GROUP_SIZE) {\n" +
        "        let cell = at - base;\n" +
        "        let key0 = staged_key(cell);\n" +
        "        let key1 = staged_key(min(cell + GROUP_SIZE, PART - 1u));\n" +
        "        let key2 = staged_key(min(cell + 2u * GROUP_SIZE, PART - 1u));\n" +
        "        let key3 = staged_key(min(cell + 3u * GROUP_SIZE, PART - 1u));\n" +
        "        let digits = four_digits(key0, key1, key2, key3, tile);\n" +
        "        move_lone(key0, digits.x, at, end);\n" +
        "        move_lone(key1, digits.y, at + GROUP_SIZE, end);\n" +
        "        move_lone(key2, digits.z, at + 2u * GROUP_SIZE, end);\n" +
        "        move_lone(key3, digits.w, at + 3u * GROUP_SIZE, end);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Keys with values, whose places it notes.\n" +
        "fn move_keys(local: u32, tile: Tile, base: u32) {\n" +
        "    stage_keys(local, tile, base);\n" +
        "    if (FIXED_ROOT) {\n" +
        "        find_staged_digits(local, tile);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = base + i * GROUP_SIZE + local;\n" +
        "        if (i * ROUNDS < ITEMS && at < tile.held) {\n" +
        "            let key = staged_key(i * GROUP_SIZE + local);\n" +
        "            place[i] = at + shift_of[digit_of(i, key, tile)];\n" +
        "            write_key(key, place[i]);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// 5. Move a word of the values of that part, once it is in cells.\n" +
        "fn move_value_word(local: u32, tile: Tile, base: u32, word: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (i * ROUNDS < ITEMS && base + i * GROUP_SIZE + local < tile.held) {\n" +
        "            values_out[place[i] * VALUE_WORDS + word] = atomicLoad(&cells[i * GROUP_SIZE + local]);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_partition_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    clear_crowded(local);\n" +
        "    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {\n" +
        "        let tile = find_tile(local, number);\n" +
        "        if (tile.held == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        if (tile.index == 0u) {\n" +
        "            publish_children(local, tile);\n" +
        "        }\n" +
        "        load_keys(local, tile, false);\n" +
        "        rank(local, tile);\n" +
        "        claim(local, tile);\n" +
        "        for (var base = 0u; base < tile.held; base += PART) {\n" +
        "            move_lone_keys(local, tile, base);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_values(local: u32, tile: Tile, word: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = tile.first + min(source_of(local, i, STABLE), tile.held - 1u);\n" +
        "        value[i] = values_in[at * VALUE_WORDS + word];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// 2. of a stable partition: rank keys in their order. What does not exist goes to the last child, behind all\n" +
        "// that does.\n" +
        "fn rank_stably(local: u32, tile: Tile) {\n" +
        "    let last_digit = child_digit(tile, (1u << tile.bits) - 1u);\n" +
        "    table_place = 0u;\n" +
        "    if (local < (1u << tile.bits)) {\n" +
        "        table_place = atomicLoad(&work[tile.table + child_digit(tile, local) * tile.tiles + tile.index]);\n" +
        "    }\n" +
        "    if (FIXED_ROOT) {\n" +
        "        find_digits(tile);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let digit = digit_of(i, vec2<u32>(low[i], high[i]), tile);\n" +
        "        spot[i] = select(last_digit, digit, rank_source(local, i) < tile.held);\n" +
        "    }\n" +
        "    rank_strips(local);\n" +
        "}\n" +
        "\n" +
        "// 3. of a stable partition: find the places, and turn ranks into positions.\n" +
        "fn place_stably(local: u32, tile: Tile) {\n" +
        "    let digit = child_digit(tile, local);\n" +
        "    var counted = 0u;\n" +
        "    if (local < BINS) {\n" +
        "        counted = rank_total(digit);\n" +
        "    }\n" +
        "    let start = group_exclusive(local, counted).x;\n" +
        "    if (local < BINS) {\n" +
        "        rank_spread(digit, start);\n" +
        "    }\n" +
        "    child_shift = tile.start + table_place - start;\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        set_spot(i, rank_start(local, spot[i] >> 16u) + (spot[i] & 0xffffu));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_partition_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    clear_crowded(local);\n" +
        "    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {\n" +
        "        let tile = find_tile(local, number);\n" +
        "        if (tile.held == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        if (tile.index == 0u) {\n" +
        "            publish_children(local, tile);\n" +
        "        }\n" +
        "        load_keys(local, tile, STABLE);\n" +
        "        if (VALUE_WORDS == 1u) {\n" +
        "            load_values(local, tile, 0u);\n" +
        "        }\n" +
        "        if (STABLE) {\n" +
        "            rank_stably(local, tile);\n" +
        "            place_stably(local, tile);\n" +
        "        } else {\n" +
        "            rank(local, tile);\n" +
        "            claim(local, tile);\n" +
        "        }\n" +
        "        for (var base = 0u; base < tile.held; base += PART) {\n" +
        "            move_keys(local, tile, base);\n" +
        "            for (var word = 0u; word < VALUE_WORDS; word++) {\n" +
        "                if (VALUE_WORDS > 1u) {\n" +
        "                    load_values(local, tile, word);\n" +
        "                }\n" +
        "                //@unroll\n" +
        "                for (var i = 0u; i < ITEMS; i++) {\n" +
        "                    if (spot_of(i) - base < PART) {\n" +
        "                        atomicStore(&cells[spot_of(i) - base], value[i]);\n" +
        "                    }\n" +
        "                }\n" +
        "                move_value_word(local, tile, base, word);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The values are the indices of the keys: the first level of an argsort.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_partition_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    for (var number = group_number(grid); ; number += grid.group_count.x * grid.group_count.y) {\n" +
        "        let tile = find_tile(local, number);\n" +
        "        if (tile.held == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        if (tile.index == 0u) {\n" +
        "            publish_children(local, tile);\n" +
        "        }\n" +
        "        load_keys(local, tile, true);\n" +
        "        rank_stably(local, tile);\n" +
        "        place_stably(local, tile);\n" +
        "        for (var base = 0u; base < tile.held; base += PART) {\n" +
        "            move_keys(local, tile, base);\n" +
        "            //@unroll\n" +
        "            for (var i = 0u; i < ITEMS; i++) {\n" +
        "                if (spot_of(i) - base < PART) {\n" +
        "                    atomicStore(&cells[spot_of(i) - base], tile.first + rank_source(local, i));\n" +
        "                }\n" +
        "            }\n" +
        "            move_value_word(local, tile, base, 0u);\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    msd_scan: {
        uses: ["count", "sum", "lane_portable", "msd"],
        text:
        "// msd_scan: turn the tables of a stable partition into places.\n" +
        "//\n" +
        "//@use count sum lane_portable msd\n" +
        "//\n" +
        "// Each bucket's table is scanned, exclusively, digit after digit in their order: then an entry says where in the bucket\n" +
        "// the keys of its tile with its digit go. A bucket of few tiles is one workgroup's, who has its first tile; of many,\n" +
        "// whoever has one of its first tiles takes some digits, with the totals of the digits below from the record.\n" +
        "// Each invocation looks whether one of its workgroup's tiles is such, and all of them work on those that it finds.\n" +
        "//\n" +
        "//     cells   | GROUP_SIZE * ITEMS words of a table, one more left out after each 32 |\n" +
        "//\n" +
        "// Reads and writes each count once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override CELLS: u32 = 2112u; // GROUP_SIZE * ITEMS * 33 / 32\n" +
        "\n" +
        "const FEW_TILES: u32 = 256u;\n" +
        "const DEAL: u32 = 89u; // workgroups from a turn's first one to that of the next; no divisor of what is usual\n" +
        "\n" +
        "var<workgroup> cells: array<u32, CELLS>;\n" +
        "// Tiles to work on, and how many.\n" +
        "var<workgroup> numbers: array<u32, GROUP_SIZE>;\n" +
        "var<workgroup> found: atomic<u32>;\n" +
        "var<workgroup> told: u32;\n" +
        "\n" +
        "fn cell(at: u32) -> u32 {\n" +
        "    return at + at / 32u;\n" +
        "}\n" +
        "\n" +
        "// Scan `length` words from `first` on, over `before`. Returns that and their sum.\n" +
        "fn scan_words(local: u32, first: u32, length: u32, before: u32) -> u32 {\n" +
        "    var carry = before;\n" +
        "    for (var done = 0u; done < length; done += GROUP_SIZE * ITEMS) {\n" +
        "        let left = length - done;\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = i * GROUP_SIZE + local;\n" +
        "            let word = atomicLoad(&work[first + done + min(at, left - 1u)]);\n" +
        "            cells[cell(at)] = select(0u, word, at < left);\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "        var sum = 0u;\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            sum += cells[cell(local * ITEMS + i)];\n" +
        "        }\n" +
        "        let places = group_exclusive(local, sum);\n" +
        "        var place = carry + places.x;\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let count = cells[cell(local * ITEMS + i)];\n" +
        "            cells[cell(local * ITEMS + i)] = place;\n" +
        "            place += count;\n" +
        "        }\n" +
        "        carry += places.y;\n" +
        "        workgroupBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = i * GROUP_SIZE + local;\n" +
        "            if (at < left) {\n" +
        "                atomicStore(&work[first + done + at], cells[cell(at)]);\n" +
        "            }\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "    }\n" +
        "    return carry;\n" +
        "}\n" +
        "\n" +
        "// How many keys of the bucket belong to children before this one.\n" +
        "fn before_child(local: u32, tile: Tile, place: u32) -> u32 {\n" +
        "    var total = 0u;\n" +
        "    for (var i = local; i < place; i += GROUP_SIZE) {\n" +
        "        total += atomicLoad(&work[tile.record + RECORD_TOTALS + child_digit(tile, i)]);\n" +
        "    }\n" +
        "    return group_exclusive(local, total).y;\n" +
        "}\n" +
        "\n" +
        "// How many of a bucket's first tiles stand for something to scan.\n" +
        "fn scan_count(tiles: u32, bits: u32) -> u32 {\n" +
        "    return select(1u, 1u << bits, tiles >= FEW_TILES);\n" +
        "}\n" +
        "\n" +
        "// A digit at a time where there are many tiles; else those up to the last one, and those from 0 on.\n" +
        "fn scan_bucket(local: u32, tile: Tile) {\n" +
        "    let digits = 1u << tile.bits;\n" +
        "    let many = tile.tiles >= FEW_TILES;\n" +
        "    var carry = 0u;\n" +
        "    for (var place = select(0u, tile.index, many); place < digits; ) {\n" +
        "        let length = select(select(tile.lowest, digits - tile.lowest, place == 0u), 1u, many);\n" +
        "        if (many) {\n" +
        "            carry = before_child(local, tile, place);\n" +
        "        }\n" +
        "        carry = scan_words(local, tile.table + child_digit(tile, place) * tile.tiles, length * tile.tiles, carry);\n" +
        "        place += select(length, tile.tiles, many);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn asks_for_scan(number: u32) -> bool {\n" +
        "    let tile = level_tile(number);\n" +
        "    return tile.index < scan_count(tile.tiles, tile.bits);\n" +
        "}\n" +
        "\n" +
        "// The root's are not listed.\n" +
        "fn level_tiles() -> u32 {\n" +
        "    if (params.level == 0u) {\n" +
        "        let root = level_tile(0u);\n" +
        "        return select(0u, root.tiles, root.held > 0u);\n" +
        "    }\n" +
        "    return atomicLoad(&work[tile_count_at(params.level)]);\n" +
        "}\n" +
        "\n" +
        "// Tiles are dealt out in turns, one a workgroup, each turn from another workgroup on: else few might get the first\n" +
        "// tiles of all buckets of one size. Each invocation looks at the workgroup's tile of one turn, from `turn` on; those to\n" +
        "// work on are left in `numbers`, in any order. Returns how many.\n" +
        "fn find_scans(local: u32, turn: u32, grid: Grid, tiles: u32) -> u32 {\n" +
        "    let groups = grid.group_count.x * grid.group_count.y;\n" +
        "    let own = turn + local;\n" +
        "    let number = own * groups + (group_number(grid) + own * DEAL) % groups;\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&found, 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (number < tiles && asks_for_scan(number)) {\n" +
        "        numbers[atomicAdd(&found, 1u)] = number;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        told = atomicLoad(&found);\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&told);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_scan(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let groups = grid.group_count.x * grid.group_count.y;\n" +
        "    if (local == 0u) {\n" +
        "        told = level_tiles();\n" +
        "    }\n" +
        "    let tiles = workgroupUniformLoad(&told);\n" +
        "    for (var turn = 0u; turn * groups < tiles; turn += GROUP_SIZE) {\n" +
        "        let scans = find_scans(local, turn, grid, tiles);\n" +
        "        for (var i = 0u; i < scans; i++) {\n" +
        "            scan_bucket(local, find_tile(local, numbers[i]));\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    msd_small: {
        uses: ["count", "image", "key", "local_sort", "local_settle", "local_network"],
        text:
        "// msd_small: sort a whole array of up to GROUP_SIZE * 8 elements in one workgroup.\n" +
        "//\n" +
        "//@use count image key local_sort local_settle local_network\n" +
        "//\n" +
        "//     keys, keys_out, values_in, values_out   | element 0 | element 1 | …     as the entry point names them\n" +
        "//\n" +
        "// The same sort as that of an item (msd_local). It is stable: ties are broken by position.\n" +
        "// Reads and writes each element once.\n" +
        "\n" +
        "override CELLS: u32 = 1320u;      // GROUP_SIZE * 33 / 4\n" +
        "override GROUP_SIZE: u32 = 160u;  // a multiple of 32\n" +
        "override VALUE_WORDS: u32 = 1u;   // words a value\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> values: array<u32>; // in place, or indices alone\n" +
        "@group(0) @binding(4) var<storage, read_write> values_in: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;\n" +
        "\n" +
        "// Elements past `size` are copies of the last one.\n" +
        "fn load_keys(local: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = min(i * GROUP_SIZE + local, size - 1u);\n" +
        "        var key = vec2<u32>(keys[at * KEY_WORDS], 0u);\n" +
        "        if (KEY_WORDS == 2u) { key.y = keys[at * KEY_WORDS + 1u]; }\n" +
        "        set_image(i, key);\n" +
        "        key_c[i] = at;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_keys(local: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < size) {\n" +
        "            let key = get_key(i);\n" +
        "            keys_out[at * KEY_WORDS] = key.x;\n" +
        "            if (KEY_WORDS == 2u) { keys_out[at * KEY_WORDS + 1u] = key.y; }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_keys_in_place(local: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < size) {\n" +
        "            let key = get_key(i);\n" +
        "            keys[at * KEY_WORDS] = key.x;\n" +
        "            if (KEY_WORDS == 2u) { keys[at * KEY_WORDS + 1u] = key.y; }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_small_keys(@builtin(local_invocation_index) local: u32) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    if (size == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, size);\n" +
        "    sort_held(local, size);\n" +
        "    store_keys(local, size);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_small_keys_in_place(@builtin(local_invocation_index) local: u32) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    if (size == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, size);\n" +
        "    if (sort_held(local, size)) {\n" +
        "        store_keys_in_place(local, size);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// An argsort: values become indices, keys are read alone.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_small_index(@builtin(local_invocation_index) local: u32) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    if (size == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, size);\n" +
        "    sort_held(local, size);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < size) {\n" +
        "            values[at] = key_c[i];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_small_pairs(@builtin(local_invocation_index) local: u32) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    if (size == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, size);\n" +
        "    sort_held(local, size);\n" +
        "    store_keys(local, size);\n" +
        "    for (var w = 0u; w < VALUE_WORDS; w++) {\n" +
        "        workgroupBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = i * GROUP_SIZE + local;\n" +
        "            if (at < size) {\n" +
        "                put(own_cell(local, i), values_in[at * VALUE_WORDS + w]);\n" +
        "            }\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = i * GROUP_SIZE + local;\n" +
        "            if (at < size) {\n" +
        "                values_out[at * VALUE_WORDS + w] = take(cell_of(key_c[i]));\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn msd_small_pairs_in_place(@builtin(local_invocation_index) local: u32) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    if (size == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, size);\n" +
        "    if (!sort_held(local, size)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    store_keys_in_place(local, size);\n" +
        "    for (var w = 0u; w < VALUE_WORDS; w++) {\n" +
        "        workgroupBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = i * GROUP_SIZE + local;\n" +
        "            if (at < size) {\n" +
        "                put(own_cell(local, i), values[at * VALUE_WORDS + w]);\n" +
        "            }\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = i * GROUP_SIZE + local;\n" +
        "            if (at < size) {\n" +
        "                values[at * VALUE_WORDS + w] = take(cell_of(key_c[i]));\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    oddeven: {
        uses: ["count", "image", "element"],
        text:
        "// oddeven: Batcher's odd-even merge network, some of its steps at a time.\n" +
        "//\n" +
        "//@use count image element\n" +
        "//\n" +
        "// Stage k merges sorted runs of 2^(k-1) positions in pairs, by levels from k - 1 down. On the first,\n" +
        "// position t of a run of 2^k meets t + 2^(k-1). On a level below, with stride 2^level, t meets\n" +
        "// t + stride where t / stride is odd, if both lie in one run of 2^k.\n" +
        "//\n" +
        "//     oddeven_sort    stages 1 … `stages` of each block\n" +
        "//     oddeven_step    one level that lies above blocks\n" +
        "//     oddeven_seam    of the levels below blocks the comparators that join two blocks\n" +
        "//     oddeven_merge   and then those inside of blocks\n" +
        "//\n" +
        "// On each level the comparators that join two blocks touch only positions that the joining ones of\n" +
        "// the level above have left, so all of a seam can be done before its blocks:\n" +
        "//\n" +
        "//              block   |   block\n" +
        "//     · · · · x x x x | x x x x · · · ·     level 2: four positions on either side of the seam\n" +
        "//     · · · · · · x x | x x · · · · · ·     level 1: two\n" +
        "//     · · · · · · · x | x · · · · · · ·     level 0: one\n" +
        "//\n" +
        "// Reads and writes each element once.\n" +
        "\n" +
        "override CELLS: u32 = 4096u;     // BLOCK words for each word of key and payload\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override BLOCK: u32 = 4096u;     // positions a block, a power of two\n" +
        "\n" +
        "var<workgroup> cells: array<u32, CELLS>;\n" +
        "\n" +
        "fn put_cell(i: u32, position: u32) {\n" +
        "    cells[position] = key_a[i];\n" +
        "    if (KEY_WORDS > 1u) { cells[position + BLOCK] = key_b[i]; }\n" +
        "    if (KEY_WORDS > 2u) { cells[position + BLOCK * 2u] = key_c[i]; }\n" +
        "    if (KEY_WORDS > 3u) { cells[position + BLOCK * 3u] = key_d[i]; }\n" +
        "    if (PAYLOAD_WORDS > 0u) { cells[position + BLOCK * KEY_WORDS] = load_a[i]; }\n" +
        "    if (PAYLOAD_WORDS > 1u) { cells[position + BLOCK * (KEY_WORDS + 1u)] = load_b[i]; }\n" +
        "}\n" +
        "\n" +
        "fn take_cell(i: u32, position: u32) {\n" +
        "    key_a[i] = cells[position];\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = cells[position + BLOCK]; }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = cells[position + BLOCK * 2u]; }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = cells[position + BLOCK * 3u]; }\n" +
        "    if (PAYLOAD_WORDS > 0u) { load_a[i] = cells[position + BLOCK * KEY_WORDS]; }\n" +
        "    if (PAYLOAD_WORDS > 1u) { load_b[i] = cells[position + BLOCK * (KEY_WORDS + 1u)]; }\n" +
        "}\n" +
        "\n" +
        "fn exchange_cells(low: u32, high: u32) {\n" +
        "    take_cell(0u, low);\n" +
        "    take_cell(1u, high);\n" +
        "    exchange(0u, 1u);\n" +
        "    put_cell(0u, low);\n" +
        "    put_cell(1u, high);\n" +
        "}\n" +
        "\n" +
        "// One level of runs of 2^run_bits positions, of the comparators that join no two runs; `first`: the\n" +
        "// level on which the halves of runs meet.\n" +
        "fn run_level(local: u32, run_bits: u32, level: u32, first: bool) {\n" +
        "    let stride = 1u << level;\n" +
        "    for (var c = local; c < BLOCK / 2u; c += GROUP_SIZE) {\n" +
        "        let low = c + (c & (0u - stride)) + select(stride, 0u, first);\n" +
        "        let high = low + stride;\n" +
        "        if ((high & ((1u << run_bits) - 1u)) >= stride) {\n" +
        "            exchange_cells(low, high);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn block_bits() -> u32 {\n" +
        "    return countOneBits(BLOCK - 1u);\n" +
        "}\n" +
        "\n" +
        "fn sort_cells(local: u32, stages: u32) {\n" +
        "    for (var stage = 1u; stage <= stages; stage++) {\n" +
        "        for (var above = stage; above > 0u; above--) {\n" +
        "            run_level(local, stage, above - 1u, above == stage);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The first position of this workgroup's block, and whether the block has no elements: those that it\n" +
        "// has come first. params.a: blocks.\n" +
        "fn block_first(grid: Grid) -> u32 {\n" +
        "    return group_number(grid) * BLOCK;\n" +
        "}\n" +
        "\n" +
        "fn block_is_empty(grid: Grid) -> bool {\n" +
        "    return group_number(grid) >= params.a || !held(element_at(block_first(grid)));\n" +
        "}\n" +
        "\n" +
        "fn load_keys(local: u32, first: u32) {\n" +
        "    for (var position = local; position < BLOCK; position += GROUP_SIZE) {\n" +
        "        load_key(0u, element_at(first + position));\n" +
        "        put_cell(0u, position);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn load_pairs(local: u32, first: u32) {\n" +
        "    for (var position = local; position < BLOCK; position += GROUP_SIZE) {\n" +
        "        load_pair(0u, element_at(first + position));\n" +
        "        put_cell(0u, position);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn store_keys(local: u32, first: u32) {\n" +
        "    for (var position = local; position < BLOCK; position += GROUP_SIZE) {\n" +
        "        take_cell(0u, position);\n" +
        "        store_key(0u, element_at(first + position));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_pairs(local: u32, first: u32) {\n" +
        "    for (var position = local; position < BLOCK; position += GROUP_SIZE) {\n" +
        "        take_cell(0u, position);\n" +
        "        store_pair(0u, element_at(first + position));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Block sort: params.b stages -----------------------------------------------------------------\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_sort_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    for (var position = local; position < BLOCK; position += GROUP_SIZE) {\n" +
        "        load_lone_key_in(0u, element_at(first + position));\n" +
        "        put_cell(0u, position);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    sort_cells(local, params.b);\n" +
        "    store_keys(local, first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_sort_keys_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, first);\n" +
        "    sort_cells(local, params.b);\n" +
        "    store_keys(local, first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_sort_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    for (var position = local; position < BLOCK; position += GROUP_SIZE) {\n" +
        "        load_index(0u, element_at(first + position));\n" +
        "        put_cell(0u, position);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    sort_cells(local, params.b);\n" +
        "    store_pairs(local, first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_sort_pairs_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_pairs(local, first);\n" +
        "    sort_cells(local, params.b);\n" +
        "    store_pairs(local, first);\n" +
        "}\n" +
        "\n" +
        "// ---- Block merge: the levels inside of blocks ----------------------------------------------------\n" +
        "\n" +
        "fn merge_cells(local: u32) {\n" +
        "    for (var above = block_bits(); above > 0u; above--) {\n" +
        "        run_level(local, block_bits(), above - 1u, false);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_merge_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, first);\n" +
        "    merge_cells(local);\n" +
        "    store_keys(local, first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_merge_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = block_first(grid);\n" +
        "    if (block_is_empty(grid)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_pairs(local, first);\n" +
        "    merge_cells(local);\n" +
        "    store_pairs(local, first);\n" +
        "}\n" +
        "\n" +
        "// ---- Seam: params.a seams; b stage, in which runs are 2^b positions --------------------------------\n" +
        "\n" +
        "// Half a block before this workgroup's seam, which is one of those inside of a run.\n" +
        "fn seam_first(grid: Grid) -> u32 {\n" +
        "    let seams = (1u << (params.b - block_bits())) - 1u; // of a run; the difference is at most 31\n" +
        "    let run = group_number(grid) / seams;\n" +
        "    let seam = group_number(grid) % seams;\n" +
        "    return (run << params.b) + seam * BLOCK + BLOCK / 2u;\n" +
        "}\n" +
        "\n" +
        "fn sew(local: u32) {\n" +
        "    for (var above = block_bits(); above > 0u; above--) {\n" +
        "        let stride = 1u << (above - 1u);\n" +
        "        for (var c = local; c < stride; c += GROUP_SIZE) {\n" +
        "            exchange_cells(BLOCK / 2u - stride + c, BLOCK / 2u + c);\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_seam_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = seam_first(grid);\n" +
        "    if (group_number(grid) >= params.a || !held(element_at(first + BLOCK / 2u))) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_keys(local, first);\n" +
        "    sew(local);\n" +
        "    store_keys(local, first);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_seam_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = seam_first(grid);\n" +
        "    if (group_number(grid) >= params.a || !held(element_at(first + BLOCK / 2u))) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_pairs(local, first);\n" +
        "    sew(local);\n" +
        "    store_pairs(local, first);\n" +
        "}\n" +
        "\n" +
        "// ---- Step: params.a stage, b level, c comparators ------------------------------------------------\n" +
        "\n" +
        "// The lower position of comparator `number`, the higher is 2^level away.\n" +
        "fn step_low(number: u32) -> u32 {\n" +
        "    let group = number >> params.b;\n" +
        "    let offset = number & ((1u << params.b) - 1u);\n" +
        "    if (params.b + 1u == params.a) {\n" +
        "        return (group << params.a) + offset;\n" +
        "    }\n" +
        "    let groups = (1u << (params.a - 1u - params.b)) - 1u; // of a run\n" +
        "    return ((group / groups) << params.a) + ((group % groups * 2u + 1u) << params.b) + offset;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_step_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let number = group_number(grid) * GROUP_SIZE + local;\n" +
        "    if (number < params.c && element_count(params.max_count) > 0u) {\n" +
        "        let low = element_at(step_low(number));\n" +
        "        let high = element_at(step_low(number) + (1u << params.b));\n" +
        "        load_key(0u, low);\n" +
        "        load_key(1u, high);\n" +
        "        exchange(0u, 1u);\n" +
        "        store_key(0u, low);\n" +
        "        store_key(1u, high);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn oddeven_step_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let number = group_number(grid) * GROUP_SIZE + local;\n" +
        "    if (number < params.c && element_count(params.max_count) > 0u) {\n" +
        "        let low = element_at(step_low(number));\n" +
        "        let high = element_at(step_low(number) + (1u << params.b));\n" +
        "        load_pair(0u, low);\n" +
        "        load_pair(1u, high);\n" +
        "        exchange(0u, 1u);\n" +
        "        store_pair(0u, low);\n" +
        "        store_pair(1u, high);\n" +
        "    }\n" +
        "}\n"
    },
    onesweep_begin: {
        uses: ["count"],
        text:
        "// onesweep_begin: the counters of a sort by onesweep_scatter, before it begins.\n" +
        "//\n" +
        "//@use count\n" +
        "//\n" +
        "//     counters   | tickets: a word a step of onesweep_scatter | starts: of each pass, where keys of each digit go |\n" +
        "//\n" +
        "// All become 0, for scratch holds anything. One workgroup.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    counter_words: u32,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counters: array<u32>;\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn onesweep_begin(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (group_number(grid) > 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    for (var i = local; i < params.counter_words; i += GROUP_SIZE) {\n" +
        "        counters[i] = 0u;\n" +
        "    }\n" +
        "}\n"
    },
    onesweep_histogram: {
        uses: ["count", "image", "key", "sum", "lane_portable"],
        text:
        "// onesweep_histogram: where the keys of each digit go, for all passes, from one read of the keys.\n" +
        "//\n" +
        "//@use count image key sum lane_portable\n" +
        "//\n" +
        "//     bins       | copy 0: pass 0: digit 0, digit 1, … | pass 1: … | one word left out | copy 1: … |\n" +
        "//                                                              keys that the workgroup has seen\n" +
        "//     starts     | the same order |                              keys of lower digits, of all workgroups\n" +
        "//     table      | tile 0: a word a digit | tile 1: … |          for onesweep_scatter\n" +
        "//\n" +
        "// A workgroup takes every so many-th stretch of GROUP_SIZE * ITEMS keys and counts their digits in its own\n" +
        "// memory. Then it adds to the start of each digit what it has seen of lower ones: sums of prefix sums are\n" +
        "// the prefix sums of all, and nobody needs to scan totals.\n" +
        "// Where most keys have the same few digits, additions to one word wait for each other: so neighbours add to\n" +
        "// different copies, which lie in different banks.\n" +
        "// Digits are of nearly equal width, the lowest first; the first `wider` of them have a bit more.\n" +
        "// Counters are as onesweep_begin leaves them. The table becomes 0, for scratch holds anything.\n" +
        "// Reads each key once, writes a word a digit and tile.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u; // at least DIGITS\n" +
        "override PASSES: u32 = 4u;       // 1 to 8\n" +
        "override BINS: u32 = 1024u;      // PASSES * DIGITS\n" +
        "override COPIES: u32 = 2u;       // of counters\n" +
        "override COPY_WORDS: u32 = BINS + 1u;\n" +
        "override BIN_COUNT: u32 = COPIES * COPY_WORDS;\n" +
        "const DIGITS: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    shift: u32, // of the first digit\n" +
        "    width: u32, // bits of a digit\n" +
        "    wider: u32,\n" +
        "    starts: u32, // where in counters\n" +
        "    tile_items: u32, // of onesweep_scatter\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;\n" +
        "@group(0) @binding(3) var<storage, read_write> table: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys: array<u32>;\n" +
        "\n" +
        "var<workgroup> bins: array<atomic<u32>, BIN_COUNT>;\n" +
        "\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "\n" +
        "fn count_digit(local: u32, image: vec2<u32>, pass_number: u32, exists: bool) {\n" +
        "    let shift = params.shift + pass_number * params.width + min(pass_number, params.wider);\n" +
        "    let width = params.width + select(0u, 1u, pass_number < params.wider);\n" +
        "    let digit = image_digit(image, shift, (1u << width) - 1u);\n" +
        "    let bin = pass_number * DIGITS + select(local & (DIGITS - 1u), digit, exists);\n" +
        "    atomicAdd(&bins[local % COPIES * COPY_WORDS + bin], select(0u, 1u, exists));\n" +
        "}\n" +
        "\n" +
        "// Nothing branches on whether a key exists. What does not adds nothing, each invocation to another bin.\n" +
        "fn count_digits(local: u32, image: vec2<u32>, exists: bool) {\n" +
        "    count_digit(local, image, 0u, exists);\n" +
        "    if (PASSES > 1u) { count_digit(local, image, 1u, exists); }\n" +
        "    if (PASSES > 2u) { count_digit(local, image, 2u, exists); }\n" +
        "    if (PASSES > 3u) { count_digit(local, image, 3u, exists); }\n" +
        "    if (PASSES > 4u) { count_digit(local, image, 4u, exists); }\n" +
        "    if (PASSES > 5u) { count_digit(local, image, 5u, exists); }\n" +
        "    if (PASSES > 6u) { count_digit(local, image, 6u, exists); }\n" +
        "    if (PASSES > 7u) { count_digit(local, image, 7u, exists); }\n" +
        "}\n" +
        "\n" +
        "fn count_stretch(local: u32, first: u32, held: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = (first + min(i * GROUP_SIZE + local, held - 1u)) * KEY_WORDS;\n" +
        "        low[i] = keys[at];\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            high[i] = keys[at + 1u];\n" +
        "        }\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let image = key_image(vec2<u32>(low[i], high[i]));\n" +
        "        count_digits(local, image, i * GROUP_SIZE + local < held);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn onesweep_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let stretches = div_ceil(element_total, GROUP_SIZE * ITEMS);\n" +
        "    let groups = grid.group_count.x * grid.group_count.y;\n" +
        "    if (group_number(grid) >= stretches) {\n" +
        "        return;\n" +
        "    }\n" +
        "    // 1. Clear. A workgroup of each stretch, or all of them, clear the table together.\n" +
        "    for (var i = local; i < BIN_COUNT; i += GROUP_SIZE) {\n" +
        "        atomicStore(&bins[i], 0u);\n" +
        "    }\n" +
        "    let table_words = div_ceil(element_total, params.tile_items) * DIGITS;\n" +
        "    let busy = min(groups, stretches);\n" +
        "    for (var i = group_number(grid) * GROUP_SIZE + local; i < table_words; i += busy * GROUP_SIZE) {\n" +
        "        table[i] = 0u;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "\n" +
        "    // 2. Count.\n" +
        "    for (var stretch = group_number(grid); stretch < stretches; stretch += groups) {\n" +
        "        let first = stretch * (GROUP_SIZE * ITEMS);\n" +
        "        count_stretch(local, first, min(GROUP_SIZE * ITEMS, element_total - first));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "\n" +
        "    // 3. Add up.\n" +
        "    for (var pass_number = 0u; pass_number < PASSES; pass_number++) {\n" +
        "        var counted = 0u;\n" +
        "        if (local < DIGITS) {\n" +
        "            for (var copy = 0u; copy < BIN_COUNT; copy += COPY_WORDS) {\n" +
        "                counted += atomicLoad(&bins[copy + pass_number * DIGITS + local]);\n" +
        "            }\n" +
        "        }\n" +
        "        let before = group_exclusive(local, counted).x;\n" +
        "        if (local < DIGITS && before > 0u) {\n" +
        "            atomicAdd(&counters[params.starts + pass_number * DIGITS + local], before);\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    onesweep_scatter: {
        uses: ["count", "image", "key", "sum", "lane_portable", "rank", "strip"],
        text:
        "// onesweep_scatter: sort by one digit of up to 8 bits, stably, in one pass over the keys, by decoupled look-back.\n" +
        "//\n" +
        "//@use count image key sum lane_portable rank strip\n" +
        "//\n" +
        "// After Adinets and Merrill, \"Onesweep\" (2022), Merrill and Garland, \"Single-pass Parallel Prefix Scan with\n" +
        "// Decoupled Look-back\" (2016), and Smith, Levien and Owens, \"Decoupled Fallback\" (2025).\n" +
        "//\n" +
        "//     keys       | tile 0 | tile 1 | …              tile_items keys each, the last may be short\n" +
        "//     counters   | tickets | starts |               as onesweep_histogram leaves them\n" +
        "//     table      | tile 0: a word a digit | tile 1: … |\n" +
        "//     word       | 2 bits: nothing, SUM or PREFIX | keys of the digit in the tile, or up to its end |\n" +
        "//\n" +
        "//     place of a key = start of its digit + keys of the digit in earlier tiles + in its own before it\n" +
        "//\n" +
        "//     1. Take a tile. Tickets hand them out in the order in which workgroups start, so nobody waits for one that\n" +
        "//        has not started; without them the order of workgroups' numbers is trusted to be that.\n" +
        "//     2. Load the keys, rank them in their order by digit (lib/rank), publish the tile's counts as SUM.\n" +
        "//     3. Look back, a digit an invocation, eight tiles at once, adding up SUMs to the nearest PREFIX, and publish\n" +
        "//        one's own PREFIX.\n" +
        "//     4. Move the keys through `cells`, ROUNDS times a part of the sorted tile, so that writes run on in\n" +
        "//        stretches of one digit; then the values.\n" +
        "//\n" +
        "// A word is an atomic of its own, so no other memory needs to be seen in order. Every pass leaves PREFIX in all\n" +
        "// words; so what stands for it there means nothing in the next pass, and the codes of odd passes differ from\n" +
        "// those of even ones by their upper bit (`nothing`): the table is cleared once a sort.\n" +
        "// A workgroup that has met a word POLLS times empty counts that tile's keys itself: it ends whatever others do,\n" +
        "// since a pass does not write what it reads.\n" +
        "// A step takes the tiles of one portion, of less than 2^30 keys, whose prefixes count from its first tile. Earlier\n" +
        "// portions have left theirs in the words of their last tiles.\n" +
        "// Reads and writes each key once, each value once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;  // at least BINS\n" +
        "override CELLS: u32 = 3072u;      // at least KEY_WORDS * PART, and what lib/rank takes\n" +
        "override PART: u32 = 3072u;       // GROUP_SIZE * ITEMS / ROUNDS\n" +
        "override ROUNDS: u32 = 1u;        // divides ITEMS\n" +
        "override WRITE_KEYS: bool = true; // false: the last pass of an argsort, which wants no keys\n" +
        "override VALUE_WORDS: u32 = 1u;   // 1 or 2\n" +
        "const BINS: u32 = 256u;\n" +
        "const POLLS: u32 = 128u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32,    // GROUP_SIZE * ITEMS\n" +
        "    shift: u32,\n" +
        "    mask: u32,\n" +
        "    first_tile: u32,    // of the portion\n" +
        "    portion_tiles: u32, // tiles of a portion\n" +
        "    portion: u32,       // how many are before this one\n" +
        "    ticket: u32,        // where in counters\n" +
        "    starts: u32,        // of the pass, the same\n" +
        "    tickets: u32,       // 0: none are taken\n" +
        "    nothing: u32,       // what the upper bits of a word say of tiles that have not published: 0 or 2^31\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counters: array<atomic<u32>>;\n" +
        "@group(0) @binding(3) var<storage, read_write> table: array<atomic<u32>>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_in: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;\n" +
        "@group(0) @binding(7) var<storage, read_write> values_in: array<u32>;\n" +
        "\n" +
        "var<workgroup> cells: array<atomic<u32>, CELLS>;\n" +
        "// What takes a position in the sorted tile to its place in memory; before that, counts of another tile.\n" +
        "var<workgroup> shift_of: array<atomic<u32>, BINS>;\n" +
        "var<workgroup> farthest: atomic<u32>;\n" +
        "var<workgroup> told: u32;\n" +
        "\n" +
        "var<private> low: array<u32, ITEMS>; // key words as read\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "var<private> spot: array<u32, ITEMS>; // digit << 16 | rank, then positions in the sorted tile, two a word\n" +
        "var<private> value_low: array<u32, ITEMS>;\n" +
        "var<private> value_high: array<u32, ITEMS>;\n" +
        "var<private> place: array<u32, ITEMS>;\n" +
        "\n" +
        "var<private> before: u32;\n" +
        "var<private> rest: u32;\n" +
        "var<private> near: vec4<u32>; // a window: words of the tiles before, the nearest first\n" +
        "var<private> far: vec4<u32>;\n" +
        "var<private> goes_on: bool;\n" +
        "\n" +
        "const SUM: u32 = 1u;\n" +
        "const PREFIX: u32 = 2u;\n" +
        "const COUNT_MASK: u32 = 0x3fffffffu;\n" +
        "\n" +
        "struct Tile {\n" +
        "    number: u32,\n" +
        "    first: u32, // its keys\n" +
        "    held: u32,\n" +
        "}\n" +
        "\n" +
        "fn digit_of(key: vec2<u32>) -> u32 {\n" +
        "    return image_digit(key_image(key), params.shift, params.mask);\n" +
        "}\n" +
        "\n" +
        "// Tiles of this step.\n" +
        "fn tile_count() -> u32 {\n" +
        "    let tiles = div_ceil(element_count(params.max_count), params.tile_items);\n" +
        "    return min(params.portion_tiles, max(tiles, params.first_tile) - params.first_tile);\n" +
        "}\n" +
        "\n" +
        "// 1. Called once in a workgroup, and by no more workgroups than there are tiles.\n" +
        "fn take_tile(local: u32, grid: Grid) -> Tile {\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&farthest, 0u);\n" +
        "    }\n" +
        "    var number = params.first_tile + group_number(grid);\n" +
        "    if (params.tickets != 0u) {\n" +
        "        if (local == 0u) {\n" +
        "            told = params.first_tile + atomicAdd(&counters[params.ticket], 1u);\n" +
        "        }\n" +
        "        number = workgroupUniformLoad(&told);\n" +
        "    }\n" +
        "    let first = number * params.tile_items;\n" +
        "    return Tile(number, first, min(params.tile_items, element_count(params.max_count) - first));\n" +
        "}\n" +
        "\n" +
        "fn load_key(i: u32, at: u32) {\n" +
        "    low[i] = keys_in[at * KEY_WORDS];\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        high[i] = keys_in[at * KEY_WORDS + 1u];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// 2. Nothing branches on whether a key exists. What does not gets the last digit, behind all that do; only the\n" +
        "// last tile has such, and no tile asks it for counts.\n" +
        "fn rank(local: u32, tile: Tile) {\n" +
        "    if (tile.held == params.tile_items) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            load_key(i, tile.first + rank_source(local, i));\n" +
        "        }\n" +
        "    } else {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            load_key(i, tile.first + min(rank_source(local, i), tile.held - 1u));\n" +
        "        }\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        spot[i] = select(params.mask, digit_of(vec2<u32>(low[i], high[i])),\n" +
        "                         rank_source(local, i) < tile.held);\n" +
        "    }\n" +
        "    rank_strips(local);\n" +
        "}\n" +
        "\n" +
        "fn publish(tile: u32, digit: u32, kind: u32, value: u32) {\n" +
        "    atomicStore(&table[tile * BINS + digit], ((kind << 30u) ^ params.nothing) | value);\n" +
        "}\n" +
        "\n" +
        "// Publish what the tile holds, ask for what the tiles before it do, and meanwhile turn ranks into positions. x: keys\n" +
        "// of the digit that an invocation stands for, y: where they start in the sorted tile.\n" +
        "fn settle(local: u32, tile: Tile) -> vec2<u32> {\n" +
        "    var counted = 0u;\n" +
        "    before = 0u;\n" +
        "    rest = 0u;\n" +
        "    if (local < BINS) {\n" +
        "        counted = rank_total(local);\n" +
        "        publish(tile.number, local, select(SUM, PREFIX, tile.number == params.first_tile), counted);\n" +
        "        rest = tile.number - params.first_tile;\n" +
        "        load_window(local);\n" +
        "    }\n" +
        "    let start = group_exclusive(local, counted).x;\n" +
        "    if (local < BINS) {\n" +
        "        rank_spread(local, start);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        set_spot(i, rank_start(local, spot[i] >> 16u) + (spot[i] & 0xffffu));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    return vec2<u32>(counted, start);\n" +
        "}\n" +
        "\n" +
        "// 3. Of the digit that an invocation stands for, and the portion: `before` is what the tiles have that it has\n" +
        "// looked at, `rest` how many it has not; the nearest of these is the last one.\n" +
        "\n" +
        "fn table_word(digit: u32, distance: u32) -> u32 {\n" +
        "    return atomicLoad(&table[(params.first_tile + max(rest, distance) - distance) * BINS + digit]);\n" +
        "}\n" +
        "\n" +
        "fn load_window(digit: u32) {\n" +
        "    near = vec4<u32>(table_word(digit, 1u), table_word(digit, 2u), table_word(digit, 3u), table_word(digit, 4u));\n" +
        "    far = vec4<u32>(table_word(digit, 5u), table_word(digit, 6u), table_word(digit, 7u), table_word(digit, 8u));\n" +
        "}\n" +
        "\n" +
        "// Take a word of the window into account, unless one nearer has not been published.\n" +
        "fn take(word: u32) {\n" +
        "    let kind = (word ^ params.nothing) >> 30u;\n" +
        "    goes_on = goes_on && kind != 0u && rest > 0u;\n" +
        "    before += select(0u, word & COUNT_MASK, goes_on);\n" +
        "    rest = select(rest, select(rest - 1u, 0u, kind == PREFIX), goes_on);\n" +
        "}\n" +
        "\n" +
        "// Go back from the window that has been loaded, until none is left, or a tile has stayed unpublished for too long.\n" +
        "fn look(digit: u32) {\n" +
        "    var polls = 0u;\n" +
        "    while (rest > 0u && polls < POLLS) {\n" +
        "        let left = rest;\n" +
        "        goes_on = true;\n" +
        "        take(near.x);\n" +
        "        take(near.y);\n" +
        "        take(near.z);\n" +
        "        take(near.w);\n" +
        "        take(far.x);\n" +
        "        take(far.y);\n" +
        "        take(far.z);\n" +
        "        take(far.w);\n" +
        "        polls = select(0u, polls + 1u, rest == left);\n" +
        "        if (rest > 0u) {\n" +
        "            load_window(digit);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The greatest of what invocations ask.\n" +
        "fn greatest(local: u32, number: u32) -> u32 {\n" +
        "    atomicMax(&farthest, number);\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        told = atomicLoad(&farthest);\n" +
        "        atomicStore(&farthest, 0u);\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&told);\n" +
        "}\n" +
        "\n" +
        "// Count the keys of each digit in a tile that another one follows, and so is whole.\n" +
        "fn recount(local: u32, tile: u32) {\n" +
        "    if (local < BINS) {\n" +
        "        atomicStore(&shift_of[local], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = (tile * params.tile_items + i * GROUP_SIZE + local) * KEY_WORDS;\n" +
        "        var key = vec2<u32>(keys_in[at], 0u);\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            key.y = keys_in[at + 1u];\n" +
        "        }\n" +
        "        atomicAdd(&shift_of[digit_of(key)], 1u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn look_back(local: u32) {\n" +
        "    loop {\n" +
        "        look(local);\n" +
        "        let stalled = greatest(local, rest);\n" +
        "        if (stalled == 0u) {\n" +
        "            break;\n" +
        "        }\n" +
        "        recount(local, params.first_tile + stalled - 1u);\n" +
        "        if (rest == stalled) {\n" +
        "            before += atomicLoad(&shift_of[local]);\n" +
        "            rest = stalled - 1u;\n" +
        "            load_window(local);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Find where the tile's keys go, from what settle said of them.\n" +
        "fn find_places(local: u32, tile: Tile, digit: vec2<u32>) {\n" +
        "    var start = 0u;\n" +
        "    if (local < BINS) {\n" +
        "        start = atomicLoad(&counters[params.starts + local]);\n" +
        "        for (var i = 1u; i <= params.portion; i++) {\n" +
        "            start += atomicLoad(&table[(i * params.portion_tiles - 1u) * BINS + local]) & COUNT_MASK;\n" +
        "        }\n" +
        "    }\n" +
        "    look_back(local);\n" +
        "    if (local < BINS) {\n" +
        "        if (tile.number > params.first_tile) {\n" +
        "            publish(tile.number, local, PREFIX, before + digit.x);\n" +
        "        }\n" +
        "        atomicStore(&shift_of[local], start + before - digit.y);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// 4. Move the keys of one part of the sorted tile, from position `base` on.\n" +
        "fn move_keys(local: u32, tile: Tile, base: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let cell = spot_of(i) - base;\n" +
        "        if (cell < PART) {\n" +
        "            atomicStore(&cells[cell], low[i]);\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                atomicStore(&cells[PART + cell], high[i]);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = base + i * GROUP_SIZE + local;\n" +
        "        if (i * ROUNDS < ITEMS && at < tile.held) {\n" +
        "            var key = vec2<u32>(atomicLoad(&cells[i * GROUP_SIZE + local]), 0u);\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                key.y = atomicLoad(&cells[PART + i * GROUP_SIZE + local]);\n" +
        "            }\n" +
        "            place[i] = at + atomicLoad(&shift_of[digit_of(key)]);\n" +
        "            if (WRITE_KEYS) {\n" +
        "                keys_out[place[i] * KEY_WORDS] = key.x;\n" +
        "                if (KEY_WORDS == 2u) {\n" +
        "                    keys_out[place[i] * KEY_WORDS + 1u] = key.y;\n" +
        "                }\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Move the values of that part.\n" +
        "fn write_value_word(local: u32, tile: Tile, base: u32, word: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (i * ROUNDS < ITEMS && base + i * GROUP_SIZE + local < tile.held) {\n" +
        "            values_out[place[i] * VALUE_WORDS + word] = atomicLoad(&cells[i * GROUP_SIZE + local]);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn move_values(local: u32, tile: Tile, base: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (spot_of(i) - base < PART) {\n" +
        "            atomicStore(&cells[spot_of(i) - base], value_low[i]);\n" +
        "        }\n" +
        "    }\n" +
        "    write_value_word(local, tile, base, 0u);\n" +
        "    if (VALUE_WORDS == 2u) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (spot_of(i) - base < PART) {\n" +
        "                atomicStore(&cells[spot_of(i) - base], value_high[i]);\n" +
        "            }\n" +
        "        }\n" +
        "        write_value_word(local, tile, base, 1u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn onesweep_scatter_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (group_number(grid) >= tile_count()) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let tile = take_tile(local, grid);\n" +
        "    rank(local, tile);\n" +
        "    let digit = settle(local, tile);\n" +
        "    find_places(local, tile, digit);\n" +
        "    for (var base = 0u; base < tile.held; base += PART) {\n" +
        "        move_keys(local, tile, base);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn onesweep_scatter_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (group_number(grid) >= tile_count()) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let tile = take_tile(local, grid);\n" +
        "    rank(local, tile);\n" +
        "    let digit = settle(local, tile);\n" +
        "    // Before the look back, which takes as long as they take to come.\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = (tile.first + min(rank_source(local, i), tile.held - 1u)) * VALUE_WORDS;\n" +
        "        value_low[i] = values_in[at];\n" +
        "        if (VALUE_WORDS == 2u) {\n" +
        "            value_high[i] = values_in[at + 1u];\n" +
        "        }\n" +
        "    }\n" +
        "    find_places(local, tile, digit);\n" +
        "    for (var base = 0u; base < tile.held; base += PART) {\n" +
        "        move_keys(local, tile, base);\n" +
        "        move_values(local, tile, base);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The values are the indices of the keys: the first pass of an argsort.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn onesweep_scatter_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    if (group_number(grid) >= tile_count()) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let tile = take_tile(local, grid);\n" +
        "    rank(local, tile);\n" +
        "    let digit = settle(local, tile);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        value_low[i] = tile.first + rank_source(local, i);\n" +
        "    }\n" +
        "    find_places(local, tile, digit);\n" +
        "    for (var base = 0u; base < tile.held; base += PART) {\n" +
        "        move_keys(local, tile, base);\n" +
        "        move_values(local, tile, base);\n" +
        "    }\n" +
        "}\n"
    },
    pack: {
        uses: ["count", "image", "key", "packed"],
        text:
        "// pack: make words of key and index, and indices of those words.\n" +
        "//\n" +
        "//@use count image key packed\n" +
        "//\n" +
        "//     pack_keys      destination[i] = window of the image of key source[i], then i\n" +
        "//     pack_indices   destination[i] = the index in source[i]\n" +
        "//\n" +
        "// With rows, indices count from the start of their row. Reads and writes each word once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    index_bits: u32,\n" +
        "    shift: u32,      // of the window in the image\n" +
        "    mask: u32,       // of the window, shifted down\n" +
        "    row_length: u32, // elements a row; 0: all are one\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> destination: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> source: array<u32>;\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn pack_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = group_share(grid, params.max_count);\n" +
        "    for (var i = local; i < elements.y; i += GROUP_SIZE) {\n" +
        "        let element = elements.x + i;\n" +
        "        var key = vec2<u32>(source[element * KEY_WORDS], 0u);\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            key.y = source[element * KEY_WORDS + 1u];\n" +
        "        }\n" +
        "        var index = element;\n" +
        "        if (params.row_length != 0u) {\n" +
        "            index = element % params.row_length;\n" +
        "        }\n" +
        "        let window = image_digit(key_image(key), params.shift, params.mask);\n" +
        "        destination[element] = ordo_pack(window, index, params.index_bits);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn pack_indices(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = group_share(grid, params.max_count);\n" +
        "    for (var i = local; i < elements.y; i += GROUP_SIZE) {\n" +
        "        let word = source[elements.x + i];\n" +
        "        destination[elements.x + i] = ordo_unpack(word, params.index_bits).y;\n" +
        "    }\n" +
        "}\n"
    },
    radix_histogram: {
        uses: ["count", "window", "image", "key"],
        text:
        "// radix_histogram: count the digits of each tile of keys.\n" +
        "//\n" +
        "//@use count window image key\n" +
        "//\n" +
        "//     keys     | tile 0 | tile 1 | …                     tile_items keys each, the last may be short\n" +
        "//     counts   | digit 0: tile 0, tile 1, … | digit 1: tile 0, tile 1, … | …\n" +
        "//\n" +
        "// Digit-major, so that the counts of one digit lie together for the scan. tiles = ceil(count /\n" +
        "// tile_items): a run with fewer elements than planned packs its table tighter. Keys may be a window of a\n" +
        "// larger array, of which the counts are.\n" +
        "// Reads KEY_WORDS words a key; writes one word a digit and tile.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override BINS: u32 = 256u; // at least digit_count\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32,\n" +
        "    shift: u32,\n" +
        "    mask: u32,\n" +
        "    digit_count: u32,\n" +
        "    last: u32, // greater images count as this one\n" +
        "    first_tile: u32,\n" +
        "    window_tiles: u32,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> keys: array<u32>;\n" +
        "\n" +
        "var<workgroup> bins: array<atomic<u32>, BINS>;\n" +
        "\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let tiles = div_ceil(element_total, params.tile_items);\n" +
        "    let tile = tile_number(grid, tiles);\n" +
        "    if (tile >= tiles) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = tile * params.tile_items;\n" +
        "    let tile_count = min(params.tile_items, element_total - first);\n" +
        "    let bound = first - window_start(params.tile_items);\n" +
        "\n" +
        "    // 1. Clear. Not left to WebGPU: a host may have switched its zeroing off.\n" +
        "    for (var bin = local; bin < BINS; bin += GROUP_SIZE) {\n" +
        "        atomicStore(&bins[bin], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "\n" +
        "    // 2. Count.\n" +
        "    for (var done = local; done < tile_count; done += GROUP_SIZE * ITEMS) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = (bound + min(done + i * GROUP_SIZE, tile_count - 1u)) * KEY_WORDS;\n" +
        "            low[i] = keys[at];\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                high[i] = keys[at + 1u];\n" +
        "            }\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (done + i * GROUP_SIZE < tile_count) {\n" +
        "                let key = vec2<u32>(low[i], high[i]);\n" +
        "                atomicAdd(&bins[key_digit(key, params.shift, params.mask, params.last)], 1u);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "\n" +
        "    // 3. Write this tile's column.\n" +
        "    for (var bin = local; bin < params.digit_count; bin += GROUP_SIZE) {\n" +
        "        counts[bin * tiles + tile] = atomicLoad(&bins[bin]);\n" +
        "    }\n" +
        "}\n"
    },
    radix_scan: {
        uses: ["count", "sum", "lane"],
        text:
        "// radix_scan: turn the counts of a radix table into places, each digit for itself.\n" +
        "//\n" +
        "//@use count sum lane\n" +
        "//\n" +
        "//     counts   | digit 0: tile 0, tile 1, … | digit 1: tile 0, tile 1, … | …\n" +
        "//     totals   | digit 0 | digit 1 | …\n" +
        "//\n" +
        "// A workgroup scans the counts of one digit, exclusively: how many keys of the digit earlier tiles have.\n" +
        "// radix_scatter adds the totals of lower digits.\n" +
        "// Reads and writes each count once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32,\n" +
        "    digit_count: u32,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> totals: array<u32>;\n" +
        "\n" +
        "var<private> held: array<u32, ITEMS>;\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_scan(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let digit = group_number(grid);\n" +
        "    if (digit >= params.digit_count) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let tiles = div_ceil(element_count(params.max_count), params.tile_items);\n" +
        "    var before = 0u;\n" +
        "    for (var done = 0u; done < tiles; done += GROUP_SIZE * ITEMS) {\n" +
        "        let first = done + local * ITEMS;\n" +
        "        var sum = 0u;\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            held[i] = 0u;\n" +
        "            if (first + i < tiles) {\n" +
        "                held[i] = counts[digit * tiles + first + i];\n" +
        "            }\n" +
        "            sum += held[i];\n" +
        "        }\n" +
        "        let sums = group_exclusive(local, sum);\n" +
        "        var place = before + sums.x;\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (first + i < tiles) {\n" +
        "                counts[digit * tiles + first + i] = place;\n" +
        "            }\n" +
        "            place += held[i];\n" +
        "        }\n" +
        "        before += sums.y;\n" +
        "    }\n" +
        "    if (local == 0u) {\n" +
        "        totals[digit] = before;\n" +
        "    }\n" +
        "}\n"
    },
    radix_scatter: {
        uses: ["count", "window", "image", "key", "sum", "lane"],
        text:
        "// radix_scatter: rank the keys of a tile by one digit of up to 8 bits, stably, and move them.\n" +
        "//\n" +
        "//@use count window image key sum lane\n" +
        "//\n" +
        "// A tile is worked off in subtiles of GROUP_SIZE * ITEMS keys, held in registers. A strip, 32\n" +
        "// invocations, owns a consecutive run of 32 * ITEMS of them, in rounds of 32, so (strip, round,\n" +
        "// invocation) is the order of the input. In each round an invocation sets its bit in the mask of\n" +
        "// its strip and digit; the bits below it, and the keys counted in earlier rounds, are its rank.\n" +
        "//\n" +
        "//     cells while ranking   | masks: strip, digit -> 32 bits | counts: two strips a word, 16 bits each |\n" +
        "//     cells while moving    | one word of each key or value, in the order of the sorted subtile |\n" +
        "//     counts (memory)       | digit 0: tile 0, tile 1, … | digit 1: … |   keys of the digit before the tile\n" +
        "//     totals (memory)       | digit 0 | digit 1 | …                       keys of the digit\n" +
        "//     place of a key        = shift_of[digit] + its position in the sorted subtile\n" +
        "//\n" +
        "// Moving through the cells makes writes to memory run on in long stretches of one digit each.\n" +
        "// On entry counts and totals are as radix_scan leaves them (ONE_TILE: not used).\n" +
        "// Reads and writes each key once, each value once; of counts two words a digit and tile.\n" +
        "//\n" +
        "// Of arrays larger than a binding (IN_WINDOWS) a step reads one window and writes what belongs into another,\n" +
        "// or, of keys alone, into the next four:\n" +
        "//\n" +
        "//     keys out (array)   | window 0 | window 1 | …       out_items of each window\n" +
        "//     bound                         ^ out_first: out_count from here on\n" +
        "//\n" +
        "// Counts, totals and places are the array's.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;  // a multiple of 64\n" +
        "override CELLS: u32 = 3072u;      // the greater of GROUP_SIZE * ITEMS and GROUP_SIZE / 32 * BINS * 3 / 2\n" +
        "override BINS: u32 = 256u;        // at least digit_count: GROUP_SIZE, or one more for a counting sort\n" +
        "override ONE_TILE: bool = false;  // all keys fit one subtile: its own digit starts are the places\n" +
        "override WRITE_KEYS: bool = true; // false: the last pass of an argsort, which wants no keys\n" +
        "override VALUE_WORDS: u32 = 1u;   // words a value, 1 or more\n" +
        "const STRIP: u32 = 32u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32,\n" +
        "    shift: u32,\n" +
        "    mask: u32,\n" +
        "    digit_count: u32,\n" +
        "    last: u32, // greater images count as this one\n" +
        "    first_tile: u32,\n" +
        "    window_tiles: u32,\n" +
        "    out_first: u32,\n" +
        "    out_count: u32,\n" +
        "    out_items: u32,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> totals: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_in: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> values_out: array<u32>;\n" +
        "@group(0) @binding(7) var<storage, read_write> values_in: array<u32>;\n" +
        "// Of radix_scatter_windows: keys_out and these are four windows in a row.\n" +
        "@group(0) @binding(6) var<storage, read_write> keys_out_1: array<u32>;\n" +
        "@group(0) @binding(7) var<storage, read_write> keys_out_2: array<u32>;\n" +
        "@group(0) @binding(8) var<storage, read_write> keys_out_3: array<u32>;\n" +
        "\n" +
        "var<workgroup> cells: array<atomic<u32>, CELLS>;\n" +
        "var<workgroup> shift_of: array<u32, BINS>;\n" +
        "\n" +
        "// What an invocation keeps of its ITEMS elements of a subtile.\n" +
        "var<private> low: array<u32, ITEMS>;      // key words as read …\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "var<private> digit: array<u32, ITEMS>;\n" +
        "var<private> position: array<u32, ITEMS>; // where it stands in the sorted subtile\n" +
        "var<private> place: array<u32, ITEMS>;    // where element GROUP_SIZE * i + local of it goes, from out_first on\n" +
        "\n" +
        "var<private> next_place: u32; // of invocation d: where the tile's next key of digit d goes\n" +
        "var<private> last_place: u32; // of invocation 0: the same of digit GROUP_SIZE\n" +
        "\n" +
        "// Where item i of an invocation stands in its subtile, in input order.\n" +
        "fn source(local: u32, i: u32) -> u32 {\n" +
        "    return local / STRIP * (STRIP * ITEMS) + i * STRIP + local % STRIP;\n" +
        "}\n" +
        "\n" +
        "fn digit_of(i: u32) -> u32 {\n" +
        "    return key_digit(vec2<u32>(low[i], high[i]), params.shift, params.mask, params.last);\n" +
        "}\n" +
        "\n" +
        "fn mask_cell(local: u32, i: u32) -> u32 {\n" +
        "    return local / STRIP * BINS + digit[i];\n" +
        "}\n" +
        "\n" +
        "// The cell of a strip's count of a digit, and by how many bits it lies shifted there.\n" +
        "fn count_cell(strip: u32, of_digit: u32) -> u32 {\n" +
        "    return GROUP_SIZE / STRIP * BINS + strip / 2u * BINS + of_digit;\n" +
        "}\n" +
        "\n" +
        "fn count_shift(strip: u32) -> u32 {\n" +
        "    return strip % 2u * 16u;\n" +
        "}\n" +
        "\n" +
        "// Where element `at` of the sorted subtile goes, from the first element that is bound.\n" +
        "fn place_of(at: u32, of_digit: u32) -> u32 {\n" +
        "    let in_array = at + shift_of[of_digit];\n" +
        "    if (IN_WINDOWS) {\n" +
        "        return in_array - params.out_first; // what lies before is beyond out_count too\n" +
        "    }\n" +
        "    return in_array;\n" +
        "}\n" +
        "\n" +
        "fn is_bound(a_place: u32) -> bool {\n" +
        "    return !IN_WINDOWS || a_place < params.out_count;\n" +
        "}\n" +
        "\n" +
        "// 1. Load a subtile of `held` keys from `first` on. Past its end the last key is loaded again; it sets no\n" +
        "// bit below, so nothing sees it.\n" +
        "fn load(local: u32, first: u32, held: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = first + min(source(local, i), held - 1u);\n" +
        "        low[i] = keys_in[at * KEY_WORDS];\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            high[i] = keys_in[at * KEY_WORDS + 1u];\n" +
        "        }\n" +
        "        digit[i] = digit_of(i);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// 2. Rank within the strip: position[i] = keys of the same strip and digit before item i.\n" +
        "// Nothing branches on whether an item exists: without such branches 2^28 keys take 11.0 ms on an H200\n" +
        "// instead of 17.6.\n" +
        "fn rank(local: u32, held: u32) {\n" +
        "    let strip = local / STRIP;\n" +
        "    let bit = 1u << (local % STRIP);\n" +
        "    for (var i = local; i < GROUP_SIZE / STRIP * BINS / 2u * 3u; i += GROUP_SIZE) {\n" +
        "        atomicStore(&cells[i], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let own = select(0u, bit, source(local, i) < held);\n" +
        "        atomicOr(&cells[mask_cell(local, i)], own);\n" +
        "        workgroupBarrier();\n" +
        "        let equals = atomicLoad(&cells[mask_cell(local, i)]);\n" +
        "        let earlier = atomicLoad(&cells[count_cell(strip, digit[i])]);\n" +
        "        let below = countOneBits(equals & (bit - 1u));\n" +
        "        position[i] = ((earlier >> count_shift(strip)) & 0xffffu) + below;\n" +
        "        workgroupBarrier();\n" +
        "        // Between this barrier and the next, each takes its own bit back, and the lowest of equals\n" +
        "        // counts them all; the next round's bits are other bits or the same one set again.\n" +
        "        atomicAnd(&cells[mask_cell(local, i)], ~own);\n" +
        "        if (below == 0u) {\n" +
        "            let counted = select(0u, countOneBits(equals), own != 0u);\n" +
        "            atomicAdd(&cells[count_cell(strip, digit[i])], counted << count_shift(strip));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Turn a digit's counts of strips, which begin at `digit_start` of the sorted subtile, into starts of\n" +
        "// strips, and set shift_of. `first` is where the tile's next key of the digit goes; returns where the\n" +
        "// one after this subtile's goes.\n" +
        "fn spread_digit(of_digit: u32, digit_start: u32, first: u32) -> u32 {\n" +
        "    var start = digit_start;\n" +
        "    for (var pair = 0u; pair < GROUP_SIZE / STRIP; pair += 2u) {\n" +
        "        let two = atomicLoad(&cells[count_cell(pair, of_digit)]);\n" +
        "        let second = start + (two & 0xffffu);\n" +
        "        atomicStore(&cells[count_cell(pair, of_digit)], start | (second << 16u));\n" +
        "        start = second + (two >> 16u);\n" +
        "    }\n" +
        "    shift_of[of_digit] = select(first - digit_start, 0u, ONE_TILE);\n" +
        "    return first + start - digit_start;\n" +
        "}\n" +
        "\n" +
        "// 3. Spread all digits, an invocation each; make positions those of the subtile.\n" +
        "fn spread(local: u32, held: u32) {\n" +
        "    var total = 0u;\n" +
        "    for (var pair = 0u; pair < GROUP_SIZE / STRIP; pair += 2u) {\n" +
        "        let two = atomicLoad(&cells[count_cell(pair, local)]);\n" +
        "        total += (two & 0xffffu) + (two >> 16u);\n" +
        "    }\n" +
        "    let before = group_exclusive(local, total);\n" +
        "    next_place = spread_digit(local, before.x, next_place);\n" +
        "    if (BINS > GROUP_SIZE && local == 0u) {\n" +
        "        last_place = spread_digit(GROUP_SIZE, before.y, last_place);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let strip = local / STRIP;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (source(local, i) < held) {\n" +
        "            let starts = atomicLoad(&cells[count_cell(strip, digit[i])]);\n" +
        "            position[i] += (starts >> count_shift(strip)) & 0xffffu;\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// 4. Sort the keys through the cells, word by word: low[i] and high[i] become those of element GROUP_SIZE * i\n" +
        "// + local of the sorted subtile.\n" +
        "fn order_keys(local: u32, held: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (source(local, i) < held) {\n" +
        "            atomicStore(&cells[position[i]], low[i]);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        low[i] = atomicLoad(&cells[i * GROUP_SIZE + local]);\n" +
        "    }\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        workgroupBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            if (source(local, i) < held) {\n" +
        "                atomicStore(&cells[position[i]], high[i]);\n" +
        "            }\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            high[i] = atomicLoad(&cells[i * GROUP_SIZE + local]);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// 5. Write them.\n" +
        "fn write_keys(local: u32, held: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < held) {\n" +
        "            place[i] = place_of(at, digit_of(i));\n" +
        "            if (WRITE_KEYS && is_bound(place[i])) {\n" +
        "                keys_out[place[i] * KEY_WORDS] = low[i];\n" +
        "                if (KEY_WORDS == 2u) {\n" +
        "                    keys_out[place[i] * KEY_WORDS + 1u] = high[i];\n" +
        "                }\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// The same into four windows. Word `word` of a key, which is `word_bits`, goes to place `to` of them.\n" +
        "fn write_word(to: u32, word: u32, word_bits: u32) {\n" +
        "    var at = to;\n" +
        "    if (at < params.out_items) {\n" +
        "        keys_out[at * KEY_WORDS + word] = word_bits;\n" +
        "        return;\n" +
        "    }\n" +
        "    at -= params.out_items;\n" +
        "    if (at < params.out_items) {\n" +
        "        keys_out_1[at * KEY_WORDS + word] = word_bits;\n" +
        "        return;\n" +
        "    }\n" +
        "    at -= params.out_items;\n" +
        "    if (at < params.out_items) {\n" +
        "        keys_out_2[at * KEY_WORDS + word] = word_bits;\n" +
        "        return;\n" +
        "    }\n" +
        "    keys_out_3[(at - params.out_items) * KEY_WORDS + word] = word_bits;\n" +
        "}\n" +
        "\n" +
        "fn write_windows(local: u32, held: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        let to = place_of(at, digit_of(i));\n" +
        "        if (at < held && is_bound(to)) {\n" +
        "            write_word(to, 0u, low[i]);\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                write_word(to, 1u, high[i]);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// 6. Sort one word of each value, in low[], the same way; it goes to word `word` of its value.\n" +
        "fn move_value_word(local: u32, held: u32, word: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (source(local, i) < held) {\n" +
        "            atomicStore(&cells[position[i]], low[i]);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < held && is_bound(place[i])) {\n" +
        "            values_out[place[i] * VALUE_WORDS + word] = atomicLoad(&cells[at]);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// The tile of this workgroup: x first element, y how many; y is 0 past the last tile. Sets next_place.\n" +
        "fn begin_tile(local: u32, grid: Grid) -> vec2<u32> {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let tiles = div_ceil(element_total, params.tile_items);\n" +
        "    let tile = tile_number(grid, tiles);\n" +
        "    if (tile >= tiles) {\n" +
        "        return vec2<u32>(0u, 0u);\n" +
        "    }\n" +
        "    if (!ONE_TILE) {\n" +
        "        var total = 0u;\n" +
        "        if (local < params.digit_count) {\n" +
        "            next_place = counts[local * tiles + tile];\n" +
        "            total = totals[local];\n" +
        "        }\n" +
        "        let lower = group_exclusive(local, total); // totals of lower digits\n" +
        "        next_place += lower.x;\n" +
        "        if (params.digit_count > GROUP_SIZE) {\n" +
        "            last_place = lower.y + counts[GROUP_SIZE * tiles + tile];\n" +
        "        }\n" +
        "    }\n" +
        "    let first = tile * params.tile_items;\n" +
        "    return vec2<u32>(first, min(params.tile_items, element_total - first));\n" +
        "}\n" +
        "\n" +
        "// Rank the keys of one subtile and put them in order: `done` elements of the tile lie before it. Returns how\n" +
        "// many it has.\n" +
        "fn sort_keys(local: u32, tile: vec2<u32>, done: u32) -> u32 {\n" +
        "    let held = min(GROUP_SIZE * ITEMS, tile.y - done);\n" +
        "    load(local, tile.x + done - window_start(params.tile_items), held);\n" +
        "    rank(local, held);\n" +
        "    spread(local, held);\n" +
        "    order_keys(local, held);\n" +
        "    return held;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_scatter_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(local, grid);\n" +
        "    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {\n" +
        "        let held = sort_keys(local, tile, done);\n" +
        "        write_keys(local, held);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_scatter_windows(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(local, grid);\n" +
        "    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {\n" +
        "        let held = sort_keys(local, tile, done);\n" +
        "        write_windows(local, held);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_scatter_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(local, grid);\n" +
        "    let start = window_start(params.tile_items);\n" +
        "    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {\n" +
        "        let held = sort_keys(local, tile, done);\n" +
        "        write_keys(local, held);\n" +
        "        for (var word = 0u; word < VALUE_WORDS; word++) {\n" +
        "            //@unroll\n" +
        "            for (var i = 0u; i < ITEMS; i++) {\n" +
        "                let at = source(local, i);\n" +
        "                if (at < held) {\n" +
        "                    low[i] = values_in[(tile.x + done + at - start) * VALUE_WORDS + word];\n" +
        "                }\n" +
        "            }\n" +
        "            move_value_word(local, held, word);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The values are the indices of the elements: the first pass of an argsort.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_scatter_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(local, grid);\n" +
        "    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {\n" +
        "        let held = sort_keys(local, tile, done);\n" +
        "        write_keys(local, held);\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            low[i] = tile.x + done + source(local, i);\n" +
        "        }\n" +
        "        move_value_word(local, held, 0u);\n" +
        "    }\n" +
        "}\n"
    },
    radix_split: {
        uses: ["count", "image", "key", "sum", "lane"],
        text:
        "// radix_split: the classic form of radix_scatter: digits of up to 4 bits, ranked by one-bit partitions.\n" +
        "//\n" +
        "//@use count image key sum lane\n" +
        "//\n" +
        "// A tile of GROUP_SIZE * ITEMS keys is sorted in workgroup memory by its digit, one bit after the\n" +
        "// other: keys with a 0 keep their order at the front, keys with a 1 theirs behind (a \"split\").\n" +
        "// What is sorted is not the keys but one word for each:\n" +
        "//\n" +
        "//     order    | digit << 16 | number in the tile |     GROUP_SIZE * ITEMS words\n" +
        "//     starts   | digit 0 | digit 1 | … | digit 15 |     where each digit starts in the sorted order\n" +
        "//     counts   | digit 0: tile 0, tile 1, … | digit 1: … |   memory; scanned: places\n" +
        "//\n" +
        "// Kept for comparison: it is what GPU sorts were for a decade (Harris, Sengupta, Owens, GPU Gems 3,\n" +
        "// 2007; Satish, Harris, Garland, 2009).\n" +
        "// On entry counts hold the scanned table of radix_histogram. Reads each key twice, writes it once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override CELLS: u32 = 1024u;      // GROUP_SIZE * ITEMS\n" +
        "override WRITE_KEYS: bool = true; // false: the last pass of an argsort, which wants no keys\n" +
        "override VALUE_WORDS: u32 = 1u;   // words a value, 1 or more\n" +
        "const BINS: u32 = 16u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32, // GROUP_SIZE * ITEMS\n" +
        "    shift: u32,\n" +
        "    mask: u32,\n" +
        "    digit_count: u32,\n" +
        "    last: u32, // greater images count as this one\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> keys_in: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> values_in: array<u32>;\n" +
        "\n" +
        "var<workgroup> order: array<u32, CELLS>;\n" +
        "var<workgroup> starts: array<u32, BINS>;\n" +
        "\n" +
        "var<private> own: array<u32, ITEMS>; // words of order, consecutive ones to an invocation\n" +
        "\n" +
        "// A tile: its first element, how many it holds, its number and the number of tiles.\n" +
        "struct Tile {\n" +
        "    first: u32,\n" +
        "    held: u32,\n" +
        "    number: u32,\n" +
        "    tiles: u32,\n" +
        "}\n" +
        "\n" +
        "fn begin_tile(grid: Grid) -> Tile {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let tiles = div_ceil(element_total, params.tile_items);\n" +
        "    let number = group_number(grid);\n" +
        "    if (number >= tiles) {\n" +
        "        return Tile(0u, 0u, number, tiles);\n" +
        "    }\n" +
        "    let first = number * params.tile_items;\n" +
        "    return Tile(first, min(params.tile_items, element_total - first), number, tiles);\n" +
        "}\n" +
        "\n" +
        "fn digit_of(word: u32) -> u32 {\n" +
        "    return word >> 16u;\n" +
        "}\n" +
        "\n" +
        "fn number_of(word: u32) -> u32 {\n" +
        "    return word & 0xffffu;\n" +
        "}\n" +
        "\n" +
        "// One stable one-bit partition of own[]; what lies past the tile counts as 1, so it stays behind.\n" +
        "fn split(local: u32, held: u32, bit: u32) {\n" +
        "    var zero_count = 0u;\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        zero_count += select(0u, 1u, is_zero(own[i], held, bit));\n" +
        "    }\n" +
        "    let zeros = group_exclusive(local, zero_count);\n" +
        "    var zeros_before = zeros.x;\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let ones_before = local * ITEMS + i - zeros_before;\n" +
        "        if (is_zero(own[i], held, bit)) {\n" +
        "            order[zeros_before] = own[i];\n" +
        "            zeros_before++;\n" +
        "        } else {\n" +
        "            order[zeros.y + ones_before] = own[i];\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        own[i] = order[local * ITEMS + i];\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn is_zero(word: u32, held: u32, bit: u32) -> bool {\n" +
        "    return number_of(word) < held && ((digit_of(word) >> bit) & 1u) == 0u;\n" +
        "}\n" +
        "\n" +
        "// Sort the tile's words by digit into order[], and find where each digit starts.\n" +
        "fn sort_tile(local: u32, tile: Tile) {\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let number = local * ITEMS + i;\n" +
        "        own[i] = number;\n" +
        "        if (number < tile.held) {\n" +
        "            var key = vec2<u32>(keys_in[(tile.first + number) * KEY_WORDS], 0u);\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                key.y = keys_in[(tile.first + number) * KEY_WORDS + 1u];\n" +
        "            }\n" +
        "            own[i] |= key_digit(key, params.shift, params.mask, params.last) << 16u;\n" +
        "        }\n" +
        "    }\n" +
        "    for (var bit = 0u; (params.mask >> bit) > 0u; bit++) {\n" +
        "        split(local, tile.held, bit);\n" +
        "    }\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        order[local * ITEMS + i] = own[i];\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    for (var at = local; at < tile.held; at += GROUP_SIZE) {\n" +
        "        let digit = digit_of(order[at]);\n" +
        "        if (at == 0u || digit != digit_of(order[max(at, 1u) - 1u])) {\n" +
        "            starts[digit] = at;\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Where the element at `at` of the sorted tile goes.\n" +
        "fn place_of(tile: Tile, at: u32) -> u32 {\n" +
        "    let digit = digit_of(order[at]);\n" +
        "    return counts[digit * tile.tiles + tile.number] + at - starts[digit];\n" +
        "}\n" +
        "\n" +
        "fn move_keys(local: u32, tile: Tile) {\n" +
        "    for (var at = local; at < tile.held; at += GROUP_SIZE) {\n" +
        "        let from_element = tile.first + number_of(order[at]);\n" +
        "        let to_element = place_of(tile, at);\n" +
        "        for (var word = 0u; WRITE_KEYS && word < KEY_WORDS; word++) {\n" +
        "            keys_out[to_element * KEY_WORDS + word] = keys_in[from_element * KEY_WORDS + word];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_split_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(grid);\n" +
        "    if (tile.held == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    sort_tile(local, tile);\n" +
        "    move_keys(local, tile);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_split_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(grid);\n" +
        "    if (tile.held == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    sort_tile(local, tile);\n" +
        "    move_keys(local, tile);\n" +
        "    for (var at = local; at < tile.held; at += GROUP_SIZE) {\n" +
        "        let from_element = tile.first + number_of(order[at]);\n" +
        "        let to_element = place_of(tile, at);\n" +
        "        for (var word = 0u; word < VALUE_WORDS; word++) {\n" +
        "            values_out[to_element * VALUE_WORDS + word] = values_in[from_element * VALUE_WORDS + word];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The values are the indices of the elements: the first pass of an argsort.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_split_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(grid);\n" +
        "    if (tile.held == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    sort_tile(local, tile);\n" +
        "    move_keys(local, tile);\n" +
        "    for (var at = local; at < tile.held; at += GROUP_SIZE) {\n" +
        "        values_out[place_of(tile, at)] = tile.first + number_of(order[at]);\n" +
        "    }\n" +
        "}\n"
    },
    sample_slice: {
        uses: ["count", "image", "key", "local_sort", "local_settle", "local_network", "sum", "lane", "select", "bound", "slice"],
        text:
        "// sample_slice: sort an array in one dispatch, of which each workgroup finds and sorts a slice by itself.\n" +
        "//\n" +
        "//@use count image key local_sort local_settle local_network sum lane select bound slice\n" +
        "//\n" +
        "//     quads | tail           | keys, of which the last 64 words or fewer are a range of their own |\n" +
        "//     keys                   (entry points *_words) all keys\n" +
        "//     keys_out, values_out   | slice 0 | slice 1 | …   in order, of about slice_elements elements each\n" +
        "//     marks (pass)           | a bit for each position of a window: its element is in the part |\n" +
        "//     marks (selection)      | counts of digits for the lower bound | for the upper bound |\n" +
        "//     cells (list)           | positions of listed elements, in their order |, then as of lib/local_sort\n" +
        "//\n" +
        "// Elements are ordered by image, then by position, so that no two are equal: bounds between slices are an image\n" +
        "// and a position, which divide any keys as well as others, and the sort is stable. Workgroups read all keys,\n" +
        "// mostly from a cache, and share nothing.\n" +
        "//\n" +
        "// 1. sample   the same elements in all workgroups, one of each of `capacity` stretches of the input\n" +
        "// 2. select   the lower and the upper bound of the slice: those of its first element's rank in the sample and of\n" +
        "//             the next slice's; digit by digit of images, then of the numbers of elements in the sample\n" +
        "// 3. pass     over all keys: those below the lower bound are counted, for that is where the slice begins in the\n" +
        "//             result; those between the bounds are marked, window by window, and their positions listed\n" +
        "// 4. part     what is listed is sorted and written\n" +
        "//\n" +
        "// If there are more between the bounds than a workgroup holds, a pass lists about half as many as it does, by a\n" +
        "// hash of their positions. They are a sample of the part: the upper bound becomes the one below which about half\n" +
        "// as many as a workgroup holds are expected, and a pass follows. Once a part has been written, the next one\n" +
        "// begins where it ends. This ends: the new bound is that of an element that is not the last in the sample, and\n" +
        "// has another one of it below; so the part becomes smaller, but not empty, until a workgroup holds it. And what\n" +
        "// is left of the slice becomes smaller with each part.\n" +
        "//\n" +
        "// A bound's position is a multiple of 4, so that it never divides a quad, four words that are read at once.\n" +
        "// Reads each key once in each pass, in each workgroup; writes each element once.\n" +
        "\n" +
        "override CELLS: u32 = 2112u;      // GROUP_SIZE * 33 / 4\n" +
        "override MARKS: u32 = 1024u;      // GROUP_SIZE * 4\n" +
        "override GROUP_SIZE: u32 = 256u;  // a multiple of 32\n" +
        "override VALUE_WORDS: u32 = 1u;   // words a value\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    slice_elements: u32,\n" +
        "    quad_words: u32, // words of keys before the tail\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> quads: array<vec4<u32>>;\n" +
        "@group(0) @binding(2) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> indices: array<u32>; // of an argsort\n" +
        "@group(0) @binding(4) var<storage, read_write> values_in: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> tail: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> tail_of_pairs: array<u32>;\n" +
        "\n" +
        "const TAIL_WORDS: u32 = 64u;\n" +
        "\n" +
        "// The tail.\n" +
        "var<workgroup> last_words: array<u32, TAIL_WORDS>;\n" +
        "\n" +
        "fn group_total(grid: Grid) -> u32 {\n" +
        "    return grid.group_count.x * grid.group_count.y;\n" +
        "}\n" +
        "\n" +
        "// Slices of so many elements. One more would have no sample of its own.\n" +
        "fn slice_total(size: u32) -> u32 {\n" +
        "    if (size <= capacity()) {\n" +
        "        return select(0u, 1u, size > 0u);\n" +
        "    }\n" +
        "    return min(div_ceil(size, params.slice_elements), capacity());\n" +
        "}\n" +
        "\n" +
        "// ---- Memory: keys as words, or as quads ----------------------------------------------------------\n" +
        "\n" +
        "fn key_of_words(element: u32) -> vec2<u32> {\n" +
        "    var key = vec2<u32>(keys[element * KEY_WORDS], 0u);\n" +
        "    if (KEY_WORDS == 2u) { key.y = keys[element * KEY_WORDS + 1u]; }\n" +
        "    return key;\n" +
        "}\n" +
        "\n" +
        "fn word_of_quads(word: u32) -> u32 {\n" +
        "    let in_tail = word >= params.quad_words;\n" +
        "    let of_quads = quads[select(word >> 2u, 0u, in_tail)][word & 3u];\n" +
        "    return select(of_quads, last_words[(word - params.quad_words) % TAIL_WORDS], in_tail);\n" +
        "}\n" +
        "\n" +
        "fn key_of_quads(element: u32) -> vec2<u32> {\n" +
        "    var key = vec2<u32>(word_of_quads(element * KEY_WORDS), 0u);\n" +
        "    if (KEY_WORDS == 2u) { key.y = word_of_quads(element * KEY_WORDS + 1u); }\n" +
        "    return key;\n" +
        "}\n" +
        "\n" +
        "// Hold listed elements, 1 or more, as lib/local_sort wants them. Those past `size` are copies of the last one.\n" +
        "fn hold_words(local: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        key_c[i] = min(i * GROUP_SIZE + local, size - 1u);\n" +
        "        origin[i] = take(key_c[i]);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        set_image(i, key_of_words(origin[i]));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn hold_quads(local: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        key_c[i] = min(i * GROUP_SIZE + local, size - 1u);\n" +
        "        origin[i] = take(key_c[i]);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        set_image(i, key_of_quads(origin[i]));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn pass_words(local: u32, total_size: u32, now: vec4<u32>, slice: u32) {\n" +
        "    begin_pass(local, now);\n" +
        "    var below_it = 0u;\n" +
        "    var listed = 0u;\n" +
        "    for (var w = 0u; w < div_ceil(total_size, window()); w++) {\n" +
        "        let first = w * window();\n" +
        "        let size = min(window(), total_size - first);\n" +
        "        for (var start = 0u; start < size; start += GROUP_SIZE * ITEMS) {\n" +
        "            //@unroll\n" +
        "            for (var i = 0u; i < ITEMS; i++) {\n" +
        "                let at = min(start + i * GROUP_SIZE + local, size - 1u);\n" +
        "                quad[i] = vec4<u32>(key_of_words(first + at), 0u, 0u);\n" +
        "            }\n" +
        "            below_it += mark_words(local, first, start, size, gate_of(now));\n" +
        "        }\n" +
        "        listed = list_window(local, first, size, listed);\n" +
        "    }\n" +
        "    end_pass(local, now, below_it, listed);\n" +
        "}\n" +
        "\n" +
        "// Quads as far as they reach, then words. Each workgroup begins elsewhere in a window: all at once would ask the\n" +
        "// same part of the cache for the same keys.\n" +
        "fn pass_quads(local: u32, total_size: u32, now: vec4<u32>, slice: u32) {\n" +
        "    begin_pass(local, now);\n" +
        "    let low = lower;\n" +
        "    let high = upper;\n" +
        "    let in_quads = min(total_size & ~3u, params.quad_words / KEY_WORDS);\n" +
        "    let has_quads = now.x != TOO_MANY;\n" +
        "    var below_it = 0u;\n" +
        "    var listed = 0u;\n" +
        "    for (var w = 0u; w < div_ceil(total_size, window()); w++) {\n" +
        "        let first = w * window();\n" +
        "        let size = min(window(), total_size - first);\n" +
        "        let by_quads = select(0u, min(size, in_quads - min(in_quads, first)), has_quads);\n" +
        "        let rows = div_ceil(by_quads, quad_row());\n" +
        "        for (var row = 0u; row < rows; row++) {\n" +
        "            let start = (row + slice) % rows * quad_row();\n" +
        "            let from_quad = (first + start) / 4u * KEY_WORDS;\n" +
        "            //@unroll\n" +
        "            for (var i = 0u; i < ITEMS; i++) {\n" +
        "                quad[i] = quads[min(from_quad + i * GROUP_SIZE + local, in_quads / 4u * KEY_WORDS - 1u)];\n" +
        "            }\n" +
        "            below_it += mark_quads(local, first, start, by_quads, low, high);\n" +
        "        }\n" +
        "        for (var start = by_quads; start < size; start += GROUP_SIZE * ITEMS) {\n" +
        "            //@unroll\n" +
        "            for (var i = 0u; i < ITEMS; i++) {\n" +
        "                let at = min(start + i * GROUP_SIZE + local, size - 1u);\n" +
        "                quad[i] = vec4<u32>(key_of_quads(first + at), 0u, 0u);\n" +
        "            }\n" +
        "            below_it += mark_words(local, first, start, size, gate_of(now));\n" +
        "        }\n" +
        "        listed = list_window(local, first, size, listed);\n" +
        "    }\n" +
        "    end_pass(local, now, below_it, listed);\n" +
        "}\n" +
        "\n" +
        "// ---- 4. Part -------------------------------------------------------------------------------------\n" +
        "\n" +
        "fn store_keys(local: u32, now: vec4<u32>) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < now.y) {\n" +
        "            let key = get_key(i);\n" +
        "            keys_out[(now.z + at) * KEY_WORDS] = key.x;\n" +
        "            if (KEY_WORDS == 2u) { keys_out[(now.z + at) * KEY_WORDS + 1u] = key.y; }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_tied_indices(local: u32, now: vec4<u32>) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (i * GROUP_SIZE + local < now.y && rank[i] == 1u) {\n" +
        "            indices[now.z + place[i]] = origin[i];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_tied_pairs(local: u32, now: vec4<u32>) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (i * GROUP_SIZE + local < now.y && rank[i] == 1u) {\n" +
        "            let element = now.z + place[i];\n" +
        "            let key = get_key(i);\n" +
        "            keys_out[element * KEY_WORDS] = key.x;\n" +
        "            if (KEY_WORDS == 2u) { keys_out[element * KEY_WORDS + 1u] = key.y; }\n" +
        "            for (var w = 0u; w < VALUE_WORDS; w++) {\n" +
        "                values_out[element * VALUE_WORDS + w] = values_in[origin[i] * VALUE_WORDS + w];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn store_indices(local: u32, now: vec4<u32>) {\n" +
        "    order_origins(local, now.y);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < now.y) {\n" +
        "            indices[now.z + at] = origin[i];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Neighbouring invocations take neighbouring words.\n" +
        "fn store_values(local: u32, now: vec4<u32>) {\n" +
        "    order_origins(local, now.y);\n" +
        "    let words = now.y * VALUE_WORDS;\n" +
        "    for (var start = 0u; start < words; start += GROUP_SIZE * ITEMS) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let word = min(start + i * GROUP_SIZE + local, words - 1u);\n" +
        "            let element = take(cell_of(word / VALUE_WORDS));\n" +
        "            quad[i].x = values_in[element * VALUE_WORDS + word % VALUE_WORDS];\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let word = start + i * GROUP_SIZE + local;\n" +
        "            if (word < words) {\n" +
        "                values_out[now.z * VALUE_WORDS + word] = quad[i].x;\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Entry points --------------------------------------------------------------------------------\n" +
        "\n" +
        "// Where an invocation reads the tail, which has a word or more.\n" +
        "fn tail_word(local: u32) -> u32 {\n" +
        "    return min(local % TAIL_WORDS, params.max_count * KEY_WORDS - params.quad_words - 1u);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn sample_slice_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    last_words[local % TAIL_WORDS] = tail[tail_word(local)];\n" +
        "    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {\n" +
        "        begin_slice(local, size);\n" +
        "        loop {\n" +
        "            let now = workgroupUniformLoad(&task);\n" +
        "            if (now.y > 0u) {\n" +
        "                hold_quads(local, now.y);\n" +
        "                sort_or_select(local, now, slice, slice_total(size));\n" +
        "                if (now.x >= PART) {\n" +
        "                    store_keys(local, now);\n" +
        "                }\n" +
        "            }\n" +
        "            if (now.x == LAST_PART) {\n" +
        "                break;\n" +
        "            }\n" +
        "            pass_quads(local, size, now, slice);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn sample_slice_index(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    last_words[local % TAIL_WORDS] = tail[tail_word(local)];\n" +
        "    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {\n" +
        "        begin_slice(local, size);\n" +
        "        loop {\n" +
        "            let now = workgroupUniformLoad(&task);\n" +
        "            if (now.y > 0u) {\n" +
        "                hold_quads(local, now.y);\n" +
        "                if (now.x >= PART && now.w > 0u) {\n" +
        "                    place_ties(local, now);\n" +
        "                    store_tied_indices(local, now);\n" +
        "                    continue;\n" +
        "                }\n" +
        "                sort_or_select(local, now, slice, slice_total(size));\n" +
        "                if (now.x >= PART) {\n" +
        "                    store_indices(local, now);\n" +
        "                }\n" +
        "            }\n" +
        "            if (now.x == LAST_PART) {\n" +
        "                break;\n" +
        "            }\n" +
        "            pass_quads(local, size, now, slice);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn sample_slice_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    last_words[local % TAIL_WORDS] = tail_of_pairs[tail_word(local)];\n" +
        "    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {\n" +
        "        begin_slice(local, size);\n" +
        "        loop {\n" +
        "            let now = workgroupUniformLoad(&task);\n" +
        "            if (now.y > 0u) {\n" +
        "                hold_quads(local, now.y);\n" +
        "                if (now.x >= PART && now.w > 0u) {\n" +
        "                    place_ties(local, now);\n" +
        "                    store_tied_pairs(local, now);\n" +
        "                    continue;\n" +
        "                }\n" +
        "                sort_or_select(local, now, slice, slice_total(size));\n" +
        "                if (now.x >= PART) {\n" +
        "                    store_keys(local, now);\n" +
        "                    store_values(local, now);\n" +
        "                }\n" +
        "            }\n" +
        "            if (now.x == LAST_PART) {\n" +
        "                break;\n" +
        "            }\n" +
        "            pass_quads(local, size, now, slice);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn sample_slice_keys_words(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {\n" +
        "        begin_slice(local, size);\n" +
        "        loop {\n" +
        "            let now = workgroupUniformLoad(&task);\n" +
        "            if (now.y > 0u) {\n" +
        "                hold_words(local, now.y);\n" +
        "                sort_or_select(local, now, slice, slice_total(size));\n" +
        "                if (now.x >= PART) {\n" +
        "                    store_keys(local, now);\n" +
        "                }\n" +
        "            }\n" +
        "            if (now.x == LAST_PART) {\n" +
        "                break;\n" +
        "            }\n" +
        "            pass_words(local, size, now, slice);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn sample_slice_index_words(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {\n" +
        "        begin_slice(local, size);\n" +
        "        loop {\n" +
        "            let now = workgroupUniformLoad(&task);\n" +
        "            if (now.y > 0u) {\n" +
        "                hold_words(local, now.y);\n" +
        "                if (now.x >= PART && now.w > 0u) {\n" +
        "                    place_ties(local, now);\n" +
        "                    store_tied_indices(local, now);\n" +
        "                    continue;\n" +
        "                }\n" +
        "                sort_or_select(local, now, slice, slice_total(size));\n" +
        "                if (now.x >= PART) {\n" +
        "                    store_indices(local, now);\n" +
        "                }\n" +
        "            }\n" +
        "            if (now.x == LAST_PART) {\n" +
        "                break;\n" +
        "            }\n" +
        "            pass_words(local, size, now, slice);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn sample_slice_pairs_words(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let size = element_count(params.max_count);\n" +
        "    for (var slice = group_number(grid); slice < slice_total(size); slice += group_total(grid)) {\n" +
        "        begin_slice(local, size);\n" +
        "        loop {\n" +
        "            let now = workgroupUniformLoad(&task);\n" +
        "            if (now.y > 0u) {\n" +
        "                hold_words(local, now.y);\n" +
        "                if (now.x >= PART && now.w > 0u) {\n" +
        "                    place_ties(local, now);\n" +
        "                    store_tied_pairs(local, now);\n" +
        "                    continue;\n" +
        "                }\n" +
        "                sort_or_select(local, now, slice, slice_total(size));\n" +
        "                if (now.x >= PART) {\n" +
        "                    store_keys(local, now);\n" +
        "                    store_values(local, now);\n" +
        "                }\n" +
        "            }\n" +
        "            if (now.x == LAST_PART) {\n" +
        "                break;\n" +
        "            }\n" +
        "            pass_words(local, size, now, slice);\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    scan: {
        uses: ["count", "image", "fold", "lane", "rows"],
        text:
        "// scan: prefix sums, minima or maxima over blocks of items, and sums of blocks.\n" +
        "//\n" +
        "//@use count image fold lane rows\n" +
        "//\n" +
        "//     items     | block 0 | block 1 | …     GROUP_SIZE * ITEMS each\n" +
        "//     carries   | what all blocks before it combine to, one a block |\n" +
        "//\n" +
        "//     scan_reduce            sums[block] = its items combined; identity_bits if there are none\n" +
        "//     scan_nothing           sums[0] = identity_bits, for a plan without items\n" +
        "//     scan_block[_in_place]  a single block\n" +
        "//     scan_apply[_quads][_in_place]   a block, on top of its carry; _quads where at max_count the\n" +
        "//                                     items are a multiple of four\n" +
        "//\n" +
        "// Item counts of a level are ceil(items / unit), see item_count. Reads and writes each item once,\n" +
        "// neighbours by neighbouring invocations; lib/rows scans a block.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override CELLS: u32 = 2048u;       // 8 * GROUP_SIZE\n" +
        "override TYPE_KIND: u32;           // 0 u32, 1 i32, 2 f32\n" +
        "override OP: u32;                  // 0 add, 1 min, 2 max\n" +
        "override INCLUSIVE: bool = false;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    per: u32,   // level 0 has ceil(count / per) * times items:\n" +
        "    times: u32, // 1 and 1, or the counts of a radix table\n" +
        "    unit: u32,  // level 0 items an item of this level stands for\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> items_out: array<u32>;\n" +
        "@group(0) @binding(2) var<storage, read_write> quads_out: array<vec4<u32>>;\n" +
        "@group(0) @binding(3) var<storage, read_write> items_in: array<u32>;         // not in place\n" +
        "@group(0) @binding(3) var<storage, read_write> quads_in: array<vec4<u32>>;   // not in place\n" +
        "@group(0) @binding(4) var<storage, read_write> carries: array<u32>;          // not in place\n" +
        "@group(0) @binding(3) var<storage, read_write> carries_in_place: array<u32>; // in place\n" +
        "\n" +
        "fn item_count() -> u32 {\n" +
        "    let items = div_ceil(element_count(params.max_count), params.per) * params.times;\n" +
        "    return div_ceil(items, params.unit);\n" +
        "}\n" +
        "\n" +
        "// Nothing branches on whether an item exists, for group_exclusive follows: see lib/lane_subgroup.\n" +
        "fn load_items(first: u32, items: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = first + i * GROUP_SIZE;\n" +
        "        held[i] = select(identity(), image(items_in[min(at, max(items, 1u) - 1u)]), at < items);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_items_in_place(first: u32, items: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = first + i * GROUP_SIZE;\n" +
        "        held[i] = select(identity(), image(items_out[min(at, max(items, 1u) - 1u)]), at < items);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Scan the held items of a block on top of what comes before it.\n" +
        "fn scan_held(local: u32, first: u32, items: u32, before: u32) {\n" +
        "    take_runs(local);\n" +
        "    scan_runs(local);\n" +
        "    store_runs(local, first, items, before);\n" +
        "}\n" +
        "\n" +
        "fn block_count(items: u32) -> u32 {\n" +
        "    return div_ceil(items, GROUP_SIZE * ITEMS);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_reduce(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= max(block_count(items), 1u)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_items(block * (GROUP_SIZE * ITEMS) + local, items);\n" +
        "    var sum = identity();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        sum = combine(sum, held[i]);\n" +
        "    }\n" +
        "    sum = group_exclusive(local, sum).y;\n" +
        "    if (local == 0u) {\n" +
        "        if (items == 0u) {\n" +
        "            items_out[0] = identity_bits();\n" +
        "        } else {\n" +
        "            items_out[block] = bits_of(sum);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_nothing() {\n" +
        "    items_out[0] = identity_bits();\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_block(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    if (group_number(grid) > 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_items(local, items);\n" +
        "    scan_held(local, 0u, items, identity());\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_block_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    if (group_number(grid) > 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_items_in_place(local, items);\n" +
        "    scan_held(local, 0u, items, identity());\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_apply(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= block_count(items)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = block * (GROUP_SIZE * ITEMS);\n" +
        "    load_items(first + local, items);\n" +
        "    scan_held(local, first, items, select(identity(), image(carries[block]), block > 0u));\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_apply_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= block_count(items)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = block * (GROUP_SIZE * ITEMS);\n" +
        "    load_items_in_place(first + local, items);\n" +
        "    scan_held(local, first, items, select(identity(), image(carries_in_place[block]), block > 0u));\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_apply_quads(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= block_count(items)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = block * (GROUP_SIZE * ITEMS);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            let at = first + i * GROUP_SIZE + 4u * local;\n" +
        "            hold_quad(i & 0xfffffffcu, at, items, quads_in[min(at, items - 1u) >> 2u]);\n" +
        "        }\n" +
        "    }\n" +
        "    scan_runs(local);\n" +
        "    store_quads(local, first, items, select(identity(), image(carries[block]), block > 0u));\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_apply_quads_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= block_count(items)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = block * (GROUP_SIZE * ITEMS);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            let at = first + i * GROUP_SIZE + 4u * local;\n" +
        "            hold_quad(i & 0xfffffffcu, at, items, quads_out[min(at, items - 1u) >> 2u]);\n" +
        "        }\n" +
        "    }\n" +
        "    scan_runs(local);\n" +
        "    let before = select(identity(), image(carries_in_place[block]), block > 0u);\n" +
        "    store_quads(local, first, items, before);\n" +
        "}\n"
    },
    scan_chain: {
        uses: ["count", "image", "fold", "lane", "rows"],
        text:
        "// scan_chain: the scan in one pass over the items, by decoupled look-back.\n" +
        "//\n" +
        "//@use count image fold lane rows\n" +
        "//\n" +
        "// After Merrill and Garland, \"Single-pass Parallel Prefix Scan with Decoupled Look-back\" (2016),\n" +
        "// and Smith, Levien and Owens, \"Decoupled Fallback\" (2025). Tiles are handed out in the order in\n" +
        "// which workgroups start, so a workgroup waits only for workgroups that have started.\n" +
        "//\n" +
        "//     items   | tile 0 | tile 1 | …     GROUP_SIZE * ITEMS each\n" +
        "//     state   | tiles handed out | 31 idle words | tile 0: low, high | tile 1: low, high | …\n" +
        "//     low     | 16 bits: SUM or PREFIX, 0 at first | the value's low 16 bits |\n" +
        "//     high    | the same                           | the value's high 16 bits |\n" +
        "//\n" +
        "//     scan_chain_clear    state = 0, for scratch holds anything\n" +
        "//     scan_chain[_quads]  1. takes a tile, scans it, publishes what it combines to (SUM)\n" +
        "//                         2. looks back, WINDOW tiles at once, adding up SUMs to the nearest PREFIX\n" +
        "//                         3. publishes its own PREFIX, and writes the tile\n" +
        "//                         _quads where max_count is a multiple of four\n" +
        "//\n" +
        "// A plain write reaches other workgroups in the next dispatch only, an atomic one at once, but says\n" +
        "// nothing of other words. So each half of a value says what it is, and halves that differ are a\n" +
        "// value on its way. A state only grows, PREFIX above SUM, so atomicMax publishes and two may do it.\n" +
        "// A workgroup that has met POLLS times the same tile unpublished combines that tile's items itself:\n" +
        "// it ends whatever others do. Hence not in place, where the tile's own workgroup may already write.\n" +
        "// For operators whose results do not depend on the association: it depends on who comes first.\n" +
        "// Reads and writes each item once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "override CELLS: u32 = 2048u;       // 8 * GROUP_SIZE\n" +
        "override TYPE_KIND: u32;           // 0 u32, 1 i32, 2 f32, but not for adding\n" +
        "override OP: u32;                  // 0 add, 1 min, 2 max\n" +
        "override INCLUSIVE: bool = false;\n" +
        "override WINDOW: u32 = 128u;       // at most GROUP_SIZE\n" +
        "const POLLS: u32 = 32u;\n" +
        "const FIRST_STATE: u32 = 32u;\n" +
        "const SUM: u32 = 1u << 16u;\n" +
        "const PREFIX: u32 = 2u << 16u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> items_out: array<u32>;\n" +
        "@group(0) @binding(2) var<storage, read_write> quads_out: array<vec4<u32>>;\n" +
        "@group(0) @binding(3) var<storage, read_write> items_in: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> quads_in: array<vec4<u32>>;\n" +
        "@group(0) @binding(4) var<storage, read_write> state: array<atomic<u32>>;\n" +
        "@group(0) @binding(2) var<storage, read_write> state_alone: array<u32>; // of scan_chain_clear\n" +
        "\n" +
        "var<workgroup> tile_taken: u32;\n" +
        "var<workgroup> nearest: atomic<u32>; // twice the distance of a tile that ends a look; odd if unpublished\n" +
        "var<workgroup> found: atomic<u32>;   // what the tiles before that one combine to\n" +
        "var<workgroup> seen: vec2<u32>;      // both, for all to see\n" +
        "\n" +
        "fn tile_count() -> u32 {\n" +
        "    return div_ceil(element_count(params.max_count), GROUP_SIZE * ITEMS);\n" +
        "}\n" +
        "\n" +
        "fn publish(tile: u32, kind: u32, value: u32) {\n" +
        "    atomicMax(&state[FIRST_STATE + 2u * tile], kind | (value & 0xffffu));\n" +
        "    atomicMax(&state[FIRST_STATE + 2u * tile + 1u], kind | (value >> 16u));\n" +
        "}\n" +
        "\n" +
        "// Combine a value into what all invocations find together.\n" +
        "fn add_found(value: u32) {\n" +
        "    if (OP == 0u) {\n" +
        "        atomicAdd(&found, value);\n" +
        "    }\n" +
        "    if (OP == 1u) {\n" +
        "        atomicMin(&found, value);\n" +
        "    }\n" +
        "    if (OP == 2u) {\n" +
        "        atomicMax(&found, value);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// What invocations have found, told to all; and the next find begins.\n" +
        "fn tell_found(local: u32) -> vec2<u32> {\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        seen = vec2<u32>(atomicLoad(&nearest), atomicLoad(&found));\n" +
        "        atomicStore(&nearest, 2u * WINDOW);\n" +
        "        atomicStore(&found, identity());\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&seen);\n" +
        "}\n" +
        "\n" +
        "// Look at the WINDOW tiles before `tile`. x: 2 * the number of those, from the nearest on, that y\n" +
        "// combines, plus 1 if it is an unpublished tile that ends them; a PREFIX that ends them is in y.\n" +
        "fn look(local: u32, tile: u32) -> vec2<u32> {\n" +
        "    var kind = 0u;\n" +
        "    var value = identity();\n" +
        "    let looks = local < min(WINDOW, tile);\n" +
        "    if (looks) {\n" +
        "        let at = FIRST_STATE + 2u * (tile - 1u - local);\n" +
        "        let low = atomicLoad(&state[at]);\n" +
        "        let high = atomicLoad(&state[at + 1u]);\n" +
        "        kind = select(0u, low & 0xffff0000u, (low >> 16u) == (high >> 16u));\n" +
        "        value = (low & 0xffffu) | (high << 16u);\n" +
        "        if (kind != SUM) {\n" +
        "            atomicMin(&nearest, 2u * local + select(0u, 1u, kind == 0u));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let end = atomicLoad(&nearest);\n" +
        "    if (looks && (local < (end >> 1u) || (local == (end >> 1u) && kind == PREFIX))) {\n" +
        "        add_found(value);\n" +
        "    }\n" +
        "    return tell_found(local);\n" +
        "}\n" +
        "\n" +
        "// Look back from where x is what the tiles from y on up to one's own combine to: goes on until y is\n" +
        "// 0, or the tile before y has stayed unpublished for too long.\n" +
        "fn look_back(local: u32, from_tile: vec2<u32>) -> vec2<u32> {\n" +
        "    var before = from_tile.x;\n" +
        "    var rest = from_tile.y;\n" +
        "    var polls = 0u;\n" +
        "    while (rest > 0u && polls <= POLLS) {\n" +
        "        let view = look(local, rest);\n" +
        "        let passed = view.x >> 1u;\n" +
        "        before = combine(before, view.y);\n" +
        "        polls = select(0u, polls + 1u, passed == 0u);\n" +
        "        rest = select(rest - min(passed, rest), 0u, passed < WINDOW && (view.x & 1u) == 0u);\n" +
        "    }\n" +
        "    return vec2<u32>(before, rest);\n" +
        "}\n" +
        "\n" +
        "// Go on over a tile that stays unpublished, from the invocations' shares of what it combines to.\n" +
        "fn pass_over(local: u32, from_tile: vec2<u32>, share: u32) -> vec2<u32> {\n" +
        "    let tile = from_tile.y - 1u;\n" +
        "    add_found(share);\n" +
        "    let sum = tell_found(local).y;\n" +
        "    if (local == 0u) {\n" +
        "        publish(tile, SUM, sum);\n" +
        "    }\n" +
        "    return look_back(local, vec2<u32>(combine(from_tile.x, sum), tile));\n" +
        "}\n" +
        "\n" +
        "// Called once in a workgroup, which has found nothing yet.\n" +
        "fn take_tile(local: u32) -> u32 {\n" +
        "    if (local == 0u) {\n" +
        "        tile_taken = atomicAdd(&state[0], 1u);\n" +
        "        atomicStore(&nearest, 2u * WINDOW);\n" +
        "        atomicStore(&found, identity());\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&tile_taken);\n" +
        "}\n" +
        "\n" +
        "fn publish_sum(local: u32, tile: u32, sum: u32) {\n" +
        "    if (local == 0u) {\n" +
        "        publish(tile, select(SUM, PREFIX, tile == 0u), sum);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn publish_prefix(local: u32, tile: u32, prefix: u32) {\n" +
        "    if (local == 0u && tile > 0u) {\n" +
        "        publish(tile, PREFIX, prefix);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_chain_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let words = FIRST_STATE + 2u * tile_count();\n" +
        "    let first = group_number(grid) * (GROUP_SIZE * ITEMS) + local;\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (first + i * GROUP_SIZE < words) {\n" +
        "            state_alone[first + i * GROUP_SIZE] = 0u;\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_chain(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = element_count(params.max_count);\n" +
        "    if (group_number(grid) >= tile_count()) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let tile = take_tile(local);\n" +
        "    let first = tile * (GROUP_SIZE * ITEMS);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = first + i * GROUP_SIZE + local;\n" +
        "        held[i] = select(identity(), image(items_in[min(at, items - 1u)]), at < items);\n" +
        "    }\n" +
        "    take_runs(local);\n" +
        "    let sum = scan_runs(local);\n" +
        "    publish_sum(local, tile, sum);\n" +
        "    var before = look_back(local, vec2<u32>(identity(), tile));\n" +
        "    while (before.y > 0u) {\n" +
        "        // A tile before another one is whole.\n" +
        "        let stalled = (before.y - 1u) * (GROUP_SIZE * ITEMS) + local;\n" +
        "        var share = identity();\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            share = combine(share, image(items_in[stalled + i * GROUP_SIZE]));\n" +
        "        }\n" +
        "        before = pass_over(local, before, share);\n" +
        "    }\n" +
        "    publish_prefix(local, tile, combine(before.x, sum));\n" +
        "    store_runs(local, first, items, before.x);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_chain_quads(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = element_count(params.max_count);\n" +
        "    if (group_number(grid) >= tile_count()) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let tile = take_tile(local);\n" +
        "    let first = tile * (GROUP_SIZE * ITEMS);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            let at = first + i * GROUP_SIZE + 4u * local;\n" +
        "            hold_quad(i & 0xfffffffcu, at, items, quads_in[min(at, items - 1u) >> 2u]);\n" +
        "        }\n" +
        "    }\n" +
        "    let sum = scan_runs(local);\n" +
        "    publish_sum(local, tile, sum);\n" +
        "    var before = look_back(local, vec2<u32>(identity(), tile));\n" +
        "    while (before.y > 0u) {\n" +
        "        let stalled = (before.y - 1u) * (GROUP_SIZE * ITEMS / 4u) + local;\n" +
        "        var share = identity();\n" +
        "        for (var run = 0u; run < ITEMS / 4u; run++) {\n" +
        "            let quad = quads_in[stalled + run * GROUP_SIZE];\n" +
        "            share = combine(share, combine(combine(image(quad.x), image(quad.y)),\n" +
        "                                           combine(image(quad.z), image(quad.w))));\n" +
        "        }\n" +
        "        before = pass_over(local, before, share);\n" +
        "    }\n" +
        "    publish_prefix(local, tile, combine(before.x, sum));\n" +
        "    store_quads(local, first, items, before.x);\n" +
        "}\n"
    },
    starts: {
        uses: ["count"],
        text:
        "// starts: where each bucket of a sorted run of bucket numbers starts.\n" +
        "//\n" +
        "//@use count\n" +
        "//\n" +
        "//     keys     | 0 0 0 | 2 2 | 3 | 9 |       last = 4: bucket 4 is for all that is 4 or more\n" +
        "//     starts     0 3 3 5 6 7                 of buckets 0 to last, and where the last one ends\n" +
        "//\n" +
        "//     starts_sorted    keys are sorted\n" +
        "//     starts_indexed   keys are in the order of the input, and indices sort them\n" +
        "//\n" +
        "// An invocation finds one start by search, so that gaps of many empty buckets cost no more than others. It\n" +
        "// reads three keys at a time: what it waits for is memory. Reads about 2 log2(count) keys a bucket, mostly\n" +
        "// the same ones; writes one word a bucket.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    last: u32, // greater numbers count as this one\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> starts: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> indices: array<u32>;\n" +
        "\n" +
        "// Three places that cut what is left, from begin to end, in four.\n" +
        "fn quarters(begin: u32, end: u32) -> vec3<u32> {\n" +
        "    let left = end - begin;\n" +
        "    return vec3<u32>(begin + left / 4u, begin + left / 2u, begin + (left - 1u - left / 4u));\n" +
        "}\n" +
        "\n" +
        "// What is left of `span`, begin and end, by the numbers found at three places.\n" +
        "fn narrow(own: u32, found: vec3<u32>, places: vec3<u32>, span: vec2<u32>) -> vec2<u32> {\n" +
        "    let before = min(found, vec3<u32>(params.last)) < vec3<u32>(own);\n" +
        "    if (before.z) {\n" +
        "        return vec2<u32>(places.z + 1u, span.y);\n" +
        "    }\n" +
        "    if (before.y) {\n" +
        "        return vec2<u32>(places.y + 1u, places.z);\n" +
        "    }\n" +
        "    if (before.x) {\n" +
        "        return vec2<u32>(places.x + 1u, places.y);\n" +
        "    }\n" +
        "    return vec2<u32>(span.x, places.x);\n" +
        "}\n" +
        "\n" +
        "fn bucket(local: u32, grid: Grid) -> u32 {\n" +
        "    return group_number(grid) * GROUP_SIZE + local;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn starts_sorted(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let own = bucket(local, grid);\n" +
        "    if (own > params.last + 1u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    var begin = 0u;\n" +
        "    var end = element_total;\n" +
        "    while (begin < end) {\n" +
        "        let places = quarters(begin, end);\n" +
        "        let a = keys[places.x];\n" +
        "        let b = keys[places.y];\n" +
        "        let c = keys[places.z];\n" +
        "        let here = narrow(own, vec3<u32>(a, b, c), places, vec2<u32>(begin, end));\n" +
        "        begin = here.x;\n" +
        "        end = here.y;\n" +
        "    }\n" +
        "    starts[own] = begin;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn starts_indexed(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let own = bucket(local, grid);\n" +
        "    if (own > params.last + 1u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    var begin = 0u;\n" +
        "    var end = element_total;\n" +
        "    while (begin < end) {\n" +
        "        let places = quarters(begin, end);\n" +
        "        let a = keys[indices[places.x]];\n" +
        "        let b = keys[indices[places.y]];\n" +
        "        let c = keys[indices[places.z]];\n" +
        "        let here = narrow(own, vec3<u32>(a, b, c), places, vec2<u32>(begin, end));\n" +
        "        begin = here.x;\n" +
        "        end = here.y;\n" +
        "    }\n" +
        "    starts[own] = begin;\n" +
        "}\n"
    },
    topk_best: {
        uses: ["count", "image", "key", "candidate"],
        text:
        "// topk_best: the best element of each chunk of a row, its delegate.\n" +
        "//\n" +
        "//@use count image key candidate\n" +
        "//\n" +
        "//     row        | tile 0 | tile 1 | …              GROUP_SIZE * chunk elements each, the last may be short\n" +
        "//     tile       chunk j is elements j, j + GROUP_SIZE, j + 2 * GROUP_SIZE, …, one invocation's\n" +
        "//     delegates  | tile 0: chunks 0, 1, … | tile 1: … |      image and index of each chunk's best\n" +
        "//\n" +
        "// A chunk holds one of the best k of its row only if its delegate is one of the best k delegates.\n" +
        "//\n" +
        "//     topk_best_keys    elements are keys\n" +
        "//     topk_best_list    elements are delegates themselves: the next level\n" +
        "//\n" +
        "// Reads each element once; writes KEY_WORDS + 1 words a chunk.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    row_length: u32,    // elements a row of the problem\n" +
        "    source_length: u32, // elements a row here, of those of the list\n" +
        "    chunk: u32,         // elements a chunk, a multiple of ITEMS\n" +
        "    tiles: u32,         // a row\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> best_images: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> best_indices: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> images: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> indices: array<u32>;\n" +
        "\n" +
        "// What an invocation has loaded of its chunk.\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "var<private> index: array<u32, ITEMS>;\n" +
        "\n" +
        "fn write_best(local: u32, number: u32, image: vec2<u32>, best_index: u32) {\n" +
        "    let at = number * GROUP_SIZE + local;\n" +
        "    best_images[at * KEY_WORDS] = image.x;\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        best_images[at * KEY_WORDS + 1u] = image.y;\n" +
        "    }\n" +
        "    best_indices[at] = best_index;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_best_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid) / params.tiles;\n" +
        "    let held = row_count(row);\n" +
        "    if (held == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = group_number(grid) % params.tiles * GROUP_SIZE * params.chunk + local;\n" +
        "    var best = worst();\n" +
        "    var best_index = NO_INDEX;\n" +
        "    for (var done = 0u; done < params.chunk; done += ITEMS) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = (row * params.row_length + min(first + (done + i) * GROUP_SIZE, held - 1u)) * KEY_WORDS;\n" +
        "            low[i] = keys[at];\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                high[i] = keys[at + 1u];\n" +
        "            }\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = first + (done + i) * GROUP_SIZE;\n" +
        "            let image = key_image(vec2<u32>(low[i], high[i]));\n" +
        "            if (at < held && is_better(image, at, best, best_index)) {\n" +
        "                best = image;\n" +
        "                best_index = at;\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    write_best(local, group_number(grid), best, best_index);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_best_list(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid) / params.tiles;\n" +
        "    if (row_count(row) == 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = group_number(grid) % params.tiles * GROUP_SIZE * params.chunk + local;\n" +
        "    var best = worst();\n" +
        "    var best_index = NO_INDEX;\n" +
        "    for (var done = 0u; done < params.chunk; done += ITEMS) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let at = row * params.source_length + min(first + (done + i) * GROUP_SIZE, params.source_length - 1u);\n" +
        "            low[i] = images[at * KEY_WORDS];\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                high[i] = images[at * KEY_WORDS + 1u];\n" +
        "            }\n" +
        "            index[i] = indices[at];\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let image = vec2<u32>(low[i], high[i]);\n" +
        "            let here = first + (done + i) * GROUP_SIZE < params.source_length;\n" +
        "            if (here && is_better(image, index[i], best, best_index)) {\n" +
        "                best = image;\n" +
        "                best_index = index[i];\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    write_best(local, group_number(grid), best, best_index);\n" +
        "}\n"
    },
    topk_radix: {
        uses: ["count", "image", "key", "candidate", "sum", "lane"],
        text:
        "// topk_radix: find the k-th best key of each row digit by digit, then take all that are no worse.\n" +
        "//\n" +
        "//@use count image key candidate sum lane\n" +
        "//\n" +
        "//     counts   | row 0: 2,048 digits | row 1 … |      elements with each digit, of those that share the\n" +
        "//                                                     digits above with the k-th best\n" +
        "//     states   | row 0: image low, image high, wanted, 0 | row 1 … |      of the k-th best, as far as\n" +
        "//                                                     known; how many of those equal to it are wanted\n" +
        "//     tallies  | row 0: tile 0: better, equal | tile 1 … |      elements of a tile; then of all before it\n" +
        "//\n" +
        "//     topk_radix_clear   counts = 0\n" +
        "//     topk_radix_fill    results without an element: NO_INDEX, and the key that comes last\n" +
        "//     topk_radix_count   counts of one digit                       for each digit, the highest first\n" +
        "//     topk_radix_pick    … and the digit of the k-th best          for each digit, one workgroup a row\n" +
        "//     topk_radix_tally   better and equal elements of each tile\n" +
        "//     topk_radix_place   … of all tiles before it in its row       one workgroup a row\n" +
        "//     topk_radix_take    taken elements to their row's results, in the order of the input\n" +
        "//\n" +
        "//     topk_radix_first   instead of all that: the first k of rows whose order is known\n" +
        "//\n" +
        "// Better is the lower image. Of elements equal to the k-th best those with the lowest indices are taken.\n" +
        "// Reads each key once a digit and twice more; writes k keys and indices a row.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u; // a multiple of 32\n" +
        "const DIGITS: u32 = 2048u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    row_length: u32,\n" +
        "    k: u32,          // entries a row of the results\n" +
        "    tiles: u32,      // a row\n" +
        "    shift: u32,      // of the digit,\n" +
        "    mask: u32,       // its values\n" +
        "    known_low: u32,  // the image's bits above it\n" +
        "    known_high: u32,\n" +
        "    word_count: u32, // to clear; results to fill\n" +
        "    tile_items: u32, // elements a tile: GROUP_SIZE * ITEMS; when counting, a multiple\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;\n" +
        "@group(0) @binding(2) var<storage, read_write> tallies: array<u32>;\n" +
        "@group(0) @binding(2) var<storage, read_write> results: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> result_indices: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> states: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> taken_keys: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> order: array<u32>; // of each row, indices in it\n" +
        "@group(0) @binding(6) var<storage, read_write> taken_indices: array<u32>;\n" +
        "\n" +
        "// Images of loaded elements.\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "\n" +
        "// A bit each of a tile of up to 4,096 elements.\n" +
        "const TILE_WORDS: u32 = 128u;\n" +
        "var<workgroup> bins: array<atomic<u32>, DIGITS>;\n" +
        "var<workgroup> better_bits: array<atomic<u32>, TILE_WORDS>;\n" +
        "var<workgroup> equal_bits: array<atomic<u32>, TILE_WORDS>;\n" +
        "var<workgroup> before_word: array<u32, TILE_WORDS>; // better ones of all words before, equal ones << 16\n" +
        "\n" +
        "fn rows() -> u32 {\n" +
        "    return div_ceil(params.max_count, params.row_length);\n" +
        "}\n" +
        "\n" +
        "// The first element of this workgroup's tile, in its row.\n" +
        "fn tile_first(grid: Grid) -> u32 {\n" +
        "    return group_number(grid) % params.tiles * params.tile_items;\n" +
        "}\n" +
        "\n" +
        "// Load the images of GROUP_SIZE * ITEMS elements of a row from `first` on; past its end the last one again.\n" +
        "fn load(local: u32, row: u32, first: u32, held: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = (row * params.row_length + min(first + i * GROUP_SIZE + local, held - 1u)) * KEY_WORDS;\n" +
        "        low[i] = keys[at];\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            high[i] = keys[at + 1u];\n" +
        "        }\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let image = key_image(vec2<u32>(low[i], high[i]));\n" +
        "        low[i] = image.x;\n" +
        "        high[i] = image.y;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn state_image(row: u32) -> vec2<u32> {\n" +
        "    return vec2<u32>(states[row * 4u], states[row * 4u + 1u]);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_clear(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = group_number(grid) * GROUP_SIZE * ITEMS + local;\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (first + i * GROUP_SIZE < params.word_count) {\n" +
        "            atomicStore(&counts[first + i * GROUP_SIZE], 0u);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn write_result(at: u32, key: vec2<u32>, of_index: u32) {\n" +
        "    results[at * KEY_WORDS] = key.x;\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        results[at * KEY_WORDS + 1u] = key.y;\n" +
        "    }\n" +
        "    result_indices[at] = of_index;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_fill(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = group_number(grid) * GROUP_SIZE * ITEMS + local;\n" +
        "    let key = key_bits(worst());\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = first + i * GROUP_SIZE;\n" +
        "        if (at < params.word_count) {\n" +
        "            write_result(at, key, NO_INDEX);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_first(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let first = group_number(grid) * GROUP_SIZE * ITEMS + local;\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = first + i * GROUP_SIZE;\n" +
        "        if (at >= params.word_count) {\n" +
        "            break;\n" +
        "        }\n" +
        "        let row = at / params.k;\n" +
        "        var key = key_bits(worst());\n" +
        "        var of_index = NO_INDEX;\n" +
        "        if (at % params.k < row_count(row)) {\n" +
        "            of_index = order[row * params.row_length + at % params.k];\n" +
        "            let source = (row * params.row_length + of_index) * KEY_WORDS;\n" +
        "            key.x = keys[source];\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                key.y = keys[source + 1u];\n" +
        "            }\n" +
        "        }\n" +
        "        write_result(at, key, of_index);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_count(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid) / params.tiles;\n" +
        "    let held = row_count(row);\n" +
        "    let tile = tile_first(grid);\n" +
        "    if (tile >= held) {\n" +
        "        return;\n" +
        "    }\n" +
        "    for (var bin = local; bin < DIGITS; bin += GROUP_SIZE) {\n" +
        "        atomicStore(&bins[bin], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let known = vec2<u32>(params.known_low, params.known_high);\n" +
        "    let image = state_image(row) & known;\n" +
        "    let end = min(held, tile + params.tile_items);\n" +
        "    for (var first = tile; first < end; first += GROUP_SIZE * ITEMS) {\n" +
        "        load(local, row, first, held);\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let other = vec2<u32>(low[i], high[i]);\n" +
        "            if (first + i * GROUP_SIZE + local < end && all((other & known) == image)) {\n" +
        "                atomicAdd(&bins[image_digit(other, params.shift, params.mask)], 1u);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    for (var bin = local; bin < DIGITS; bin += GROUP_SIZE) {\n" +
        "        let counted = atomicLoad(&bins[bin]);\n" +
        "        if (counted > 0u) {\n" +
        "            atomicAdd(&counts[row * DIGITS + bin], counted);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// An invocation sums DIGITS / GROUP_SIZE consecutive counts, and the one whose stretch has the k-th best\n" +
        "// finds its digit there.\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_pick(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid);\n" +
        "    if (row >= rows()) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let share = DIGITS / GROUP_SIZE;\n" +
        "    let first = row * DIGITS + local * share;\n" +
        "    var total = 0u;\n" +
        "    for (var i = 0u; i < share; i++) {\n" +
        "        total += atomicLoad(&counts[first + i]);\n" +
        "    }\n" +
        "    var wanted = min(params.k, row_count(row));\n" +
        "    var image = vec2<u32>(0u, 0u);\n" +
        "    if ((params.known_low | params.known_high) != 0u) {\n" +
        "        image = state_image(row);\n" +
        "        wanted = states[row * 4u + 2u];\n" +
        "    }\n" +
        "    var before = group_exclusive(local, total).x;\n" +
        "    storageBarrier(); // all have read the state\n" +
        "    if (before < wanted && wanted <= before + total) {\n" +
        "        var digit = local * share;\n" +
        "        var counted = atomicLoad(&counts[first]);\n" +
        "        while (before + counted < wanted) {\n" +
        "            before += counted;\n" +
        "            digit++;\n" +
        "            counted = atomicLoad(&counts[row * DIGITS + digit]);\n" +
        "        }\n" +
        "        if (params.shift < 32u) {\n" +
        "            image.x |= digit << params.shift;\n" +
        "        }\n" +
        "        if (params.shift >= 32u) {\n" +
        "            image.y |= digit << (params.shift - 32u);\n" +
        "        } else if (params.shift > 0u) {\n" +
        "            image.y |= digit >> (32u - params.shift);\n" +
        "        }\n" +
        "        states[row * 4u] = image.x;\n" +
        "        states[row * 4u + 1u] = image.y;\n" +
        "        states[row * 4u + 2u] = wanted - before;\n" +
        "    }\n" +
        "    storageBarrier(); // the digit is found\n" +
        "    for (var i = 0u; i < share; i++) {\n" +
        "        atomicStore(&counts[first + i], 0u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Set the bits of the tile's elements that are better than the k-th best, or equal to it.\n" +
        "fn mark(local: u32, row: u32, tile: u32, held: u32) {\n" +
        "    if (local < TILE_WORDS) {\n" +
        "        atomicStore(&better_bits[local], 0u);\n" +
        "        atomicStore(&equal_bits[local], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let kth = state_image(row);\n" +
        "    load(local, row, tile, held);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (tile + at < held) {\n" +
        "            let image = vec2<u32>(low[i], high[i]);\n" +
        "            if (all(image == kth)) {\n" +
        "                atomicOr(&equal_bits[at / 32u], 1u << (at % 32u));\n" +
        "            } else if (is_better(image, 0u, kth, 0u)) {\n" +
        "                atomicOr(&better_bits[at / 32u], 1u << (at % 32u));\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Better ones, and equal ones << 16, of word `local` of the marks.\n" +
        "fn marked(local: u32) -> u32 {\n" +
        "    if (local >= TILE_WORDS) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    return countOneBits(atomicLoad(&better_bits[local])) + (countOneBits(atomicLoad(&equal_bits[local])) << 16u);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_tally(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid) / params.tiles;\n" +
        "    let held = row_count(row);\n" +
        "    let tile = tile_first(grid);\n" +
        "    if (tile >= held) {\n" +
        "        return;\n" +
        "    }\n" +
        "    mark(local, row, tile, held);\n" +
        "    let total = group_exclusive(local, marked(local)).y;\n" +
        "    if (local == 0u) {\n" +
        "        tallies[group_number(grid) * 2u] = total & 0xffffu;\n" +
        "        tallies[group_number(grid) * 2u + 1u] = total >> 16u;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid);\n" +
        "    if (row >= rows()) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let tiles = div_ceil(row_count(row), params.tile_items);\n" +
        "    var better_before = 0u;\n" +
        "    var equal_before = 0u;\n" +
        "    for (var done = 0u; done < tiles; done += GROUP_SIZE * ITEMS) {\n" +
        "        let first = done + local * ITEMS;\n" +
        "        var better = 0u;\n" +
        "        var equal = 0u;\n" +
        "        for (var tile = first; tile < min(first + ITEMS, tiles); tile++) {\n" +
        "            better += tallies[(row * params.tiles + tile) * 2u];\n" +
        "            equal += tallies[(row * params.tiles + tile) * 2u + 1u];\n" +
        "        }\n" +
        "        let better_sums = group_exclusive(local, better);\n" +
        "        let equal_sums = group_exclusive(local, equal);\n" +
        "        better = better_before + better_sums.x;\n" +
        "        equal = equal_before + equal_sums.x;\n" +
        "        for (var tile = first; tile < min(first + ITEMS, tiles); tile++) {\n" +
        "            let at = (row * params.tiles + tile) * 2u;\n" +
        "            let own = vec2<u32>(tallies[at], tallies[at + 1u]);\n" +
        "            tallies[at] = better;\n" +
        "            tallies[at + 1u] = equal;\n" +
        "            better += own.x;\n" +
        "            equal += own.y;\n" +
        "        }\n" +
        "        better_before += better_sums.y;\n" +
        "        equal_before += equal_sums.y;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_radix_take(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid) / params.tiles;\n" +
        "    let held = row_count(row);\n" +
        "    let tile = tile_first(grid);\n" +
        "    if (tile >= held) {\n" +
        "        return;\n" +
        "    }\n" +
        "    mark(local, row, tile, held);\n" +
        "    let before = group_exclusive(local, marked(local)).x;\n" +
        "    if (local < TILE_WORDS) {\n" +
        "        before_word[local] = before;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let wanted = states[row * 4u + 2u];\n" +
        "    let better_before = tallies[group_number(grid) * 2u];\n" +
        "    let equal_before = tallies[group_number(grid) * 2u + 1u];\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        let bit = 1u << (at % 32u);\n" +
        "        let better = atomicLoad(&better_bits[at / 32u]);\n" +
        "        let equal = atomicLoad(&equal_bits[at / 32u]);\n" +
        "        let better_rank = better_before + (before_word[at / 32u] & 0xffffu) + countOneBits(better & (bit - 1u));\n" +
        "        let equal_rank = equal_before + (before_word[at / 32u] >> 16u) + countOneBits(equal & (bit - 1u));\n" +
        "        if ((better & bit) != 0u || ((equal & bit) != 0u && equal_rank < wanted)) {\n" +
        "            let source = row * params.row_length + tile + at;\n" +
        "            let to = row * params.k + better_rank + min(equal_rank, wanted);\n" +
        "            taken_keys[to * KEY_WORDS] = keys[source * KEY_WORDS];\n" +
        "            if (KEY_WORDS == 2u) {\n" +
        "                taken_keys[to * KEY_WORDS + 1u] = keys[source * KEY_WORDS + 1u];\n" +
        "            }\n" +
        "            taken_indices[to] = tile + at;\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    topk_select: {
        uses: ["count", "image", "key", "candidate"],
        text:
        "// topk_select: the best k candidates of each row, sorted, by one workgroup a row.\n" +
        "//\n" +
        "//@use count image key candidate\n" +
        "//\n" +
        "//     cells    | candidates held: indices | low words | high words |       CELLS each: 2 k, or all there are\n" +
        "//     limit    | the k-th best so far |             worse candidates are not taken\n" +
        "//\n" +
        "//     topk_select_keys          candidates are all keys of the row\n" +
        "//     topk_select_list          … all entries of a list of delegates (see topk_best)\n" +
        "//     topk_select_key_chunks    … the chunks of keys whose delegates `chosen` has\n" +
        "//     topk_select_list_chunks   … the same chunks of delegates\n" +
        "//\n" +
        "// 1. Where nothing is chosen yet: find the best candidate of each invocation. Of these, in `bests` groups,\n" +
        "//    the k-th best is the limit.\n" +
        "// 2. Add candidates within the limit to the cells. When these are full, sort them, keep k, lower the limit to\n" +
        "//    the last of them, and go on with those that found no room.\n" +
        "// 3. Sort what is held; write k entries, as many as there are with NO_INDEX.\n" +
        "// `chosen` has k sorted entries a row; the last one is the limit to begin with, for the k best delegates are\n" +
        "// k elements, of which none of the best k is worse.\n" +
        "// Reads the image of each candidate at most twice, the index of those that may be taken; writes KEY_WORDS + 1\n" +
        "// words an entry.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;  // a power of two, at most CELLS\n" +
        "override CELL_WORDS: u32 = 2048u; // CELLS * (KEY_WORDS + 1)\n" +
        "override CELLS: u32 = 1024u;      // a power of two: at least 2 k, or all candidates\n" +
        "override STRIDE: u32 = 256u;      // of chunks: the GROUP_SIZE of topk_best\n" +
        "override LAST: bool = false;      // results are keys, not images\n" +
        "const RANKED: u32 = 256u;         // up to so many candidates ranks are faster than a network\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    row_length: u32,    // elements a row of the problem\n" +
        "    k: u32,             // entries a row of results, and of chosen\n" +
        "    source_length: u32, // elements a row here, of those of a list\n" +
        "    level: u32,         // of the list or keys that are read: 0 are keys\n" +
        "    chunk_bits: u32,    // log2 of the elements of a chunk, 4 bits a level\n" +
        "    bests: u32,         // to take the first limit from: a power of two from k to GROUP_SIZE; 0: none\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> results: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> result_indices: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> images: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> indices: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> keys_chosen: array<u32>;         // images that chose keys …\n" +
        "@group(0) @binding(6) var<storage, read_write> keys_chosen_indices: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> list_chosen: array<u32>;         // … or delegates\n" +
        "@group(0) @binding(7) var<storage, read_write> list_chosen_indices: array<u32>;\n" +
        "\n" +
        "var<workgroup> cells: array<u32, CELL_WORDS>;\n" +
        "var<workgroup> ranks: array<atomic<u32>, RANKED>;\n" +
        "var<workgroup> claimed: atomic<u32>; // cells, also those that are not there\n" +
        "var<workgroup> claimed_now: u32;\n" +
        "\n" +
        "// Candidates loaded; NO_INDEX: none, or already in a cell.\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "var<private> index: array<u32, ITEMS>;\n" +
        "\n" +
        "var<private> limit: vec2<u32>;\n" +
        "var<private> limit_index: u32;\n" +
        "\n" +
        "fn cell_image(at: u32) -> vec2<u32> {\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        return vec2<u32>(cells[CELLS + at], cells[2u * CELLS + at]);\n" +
        "    }\n" +
        "    return vec2<u32>(cells[CELLS + at], 0u);\n" +
        "}\n" +
        "\n" +
        "fn set_cell(at: u32, image: vec2<u32>, of_index: u32) {\n" +
        "    cells[at] = of_index;\n" +
        "    cells[CELLS + at] = image.x;\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        cells[2u * CELLS + at] = image.y;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// A comparator of the network: the better candidate goes to cell a.\n" +
        "fn compare(a: u32, b: u32) {\n" +
        "    let image_a = cell_image(a);\n" +
        "    let image_b = cell_image(b);\n" +
        "    let index_a = cells[a];\n" +
        "    let index_b = cells[b];\n" +
        "    if (is_better(image_b, index_b, image_a, index_a)) {\n" +
        "        set_cell(a, image_b, index_b);\n" +
        "        set_cell(b, image_a, index_a);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Sort the first `held` cells by a bitonic network whose comparators all point up.\n" +
        "fn sort_by_network(local: u32, held: u32) {\n" +
        "    var span = 2u;\n" +
        "    while (span < held) {\n" +
        "        span <<= 1u;\n" +
        "    }\n" +
        "    for (var at = held + local; at < span; at += GROUP_SIZE) {\n" +
        "        set_cell(at, worst(), NO_INDEX);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    for (var run = 2u; run <= span; run <<= 1u) {\n" +
        "        for (var stride = run / 2u; stride > 0u; stride >>= 1u) {\n" +
        "            for (var pair = local; pair < span / 2u; pair += GROUP_SIZE) {\n" +
        "                let a = pair / stride * 2u * stride + pair % stride;\n" +
        "                compare(a, select(a + stride, a ^ (run - 1u), stride == run / 2u));\n" +
        "            }\n" +
        "            workgroupBarrier();\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Sort the first `held` cells by counting for each the better ones. `teams` invocations share a cell.\n" +
        "fn sort_by_ranks(local: u32, held: u32) {\n" +
        "    var span = 1u;\n" +
        "    while (span < held) {\n" +
        "        span <<= 1u;\n" +
        "    }\n" +
        "    let teams = GROUP_SIZE / span;\n" +
        "    let at = local % span;\n" +
        "    if (local < span) {\n" +
        "        atomicStore(&ranks[at], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let image = cell_image(at);\n" +
        "    let own = cells[at];\n" +
        "    var rank = 0u;\n" +
        "    for (var other = local / span; other < held; other += teams) {\n" +
        "        rank += select(0u, 1u, is_better(cell_image(other), cells[other], image, own));\n" +
        "    }\n" +
        "    atomicAdd(&ranks[at], rank);\n" +
        "    workgroupBarrier();\n" +
        "    // Those with NO_INDEX all have the same rank.\n" +
        "    if (local < held) {\n" +
        "        set_cell(at, worst(), NO_INDEX);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local < held) {\n" +
        "        set_cell(atomicLoad(&ranks[at]), image, own);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn sort_cells(local: u32, held: u32) {\n" +
        "    if (held <= RANKED && held <= GROUP_SIZE) {\n" +
        "        sort_by_ranks(local, held);\n" +
        "    } else {\n" +
        "        sort_by_network(local, held);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Which candidate of a list slot i of an invocation loads in a round. The list is cut into ITEMS segments,\n" +
        "// read at once, every other one from its end: so a round of a list in any order sees some of its best.\n" +
        "fn listed(local: u32, round: u32, i: u32, rounds: u32) -> u32 {\n" +
        "    let block = i * rounds + select(round, rounds - 1u - round, i % 2u == 1u);\n" +
        "    return block * GROUP_SIZE + local;\n" +
        "}\n" +
        "\n" +
        "fn begin(local: u32) {\n" +
        "    limit = worst();\n" +
        "    limit_index = NO_INDEX;\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&claimed, 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Add the loaded candidates to an invocation's best.\n" +
        "fn fold() {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let image = vec2<u32>(low[i], high[i]);\n" +
        "        if (index[i] != NO_INDEX && is_better(image, index[i], limit, limit_index)) {\n" +
        "            limit = image;\n" +
        "            limit_index = index[i];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Set the limit to the k-th best of `bests` groups of invocations; so far it is each one's best.\n" +
        "fn limit_by_bests(local: u32) {\n" +
        "    set_cell(local, limit, limit_index);\n" +
        "    workgroupBarrier();\n" +
        "    if (local < params.bests) {\n" +
        "        for (var at = local + params.bests; at < GROUP_SIZE; at += params.bests) {\n" +
        "            if (is_better(cell_image(at), cells[at], limit, limit_index)) {\n" +
        "                limit = cell_image(at);\n" +
        "                limit_index = cells[at];\n" +
        "            }\n" +
        "        }\n" +
        "        set_cell(local, limit, limit_index);\n" +
        "    }\n" +
        "    sort_cells(local, params.bests);\n" +
        "    limit = cell_image(params.k - 1u);\n" +
        "    limit_index = cells[params.k - 1u];\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// 2. Take the loaded candidates.\n" +
        "fn take(local: u32) {\n" +
        "    loop {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let image = vec2<u32>(low[i], high[i]);\n" +
        "            if (index[i] != NO_INDEX && !is_better(limit, limit_index, image, index[i])) {\n" +
        "                let cell = atomicAdd(&claimed, 1u);\n" +
        "                if (cell < CELLS) {\n" +
        "                    set_cell(cell, image, index[i]);\n" +
        "                    index[i] = NO_INDEX;\n" +
        "                }\n" +
        "            }\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "        if (local == 0u) {\n" +
        "            claimed_now = atomicLoad(&claimed);\n" +
        "        }\n" +
        "        if (workgroupUniformLoad(&claimed_now) <= CELLS) {\n" +
        "            break;\n" +
        "        }\n" +
        "        sort_cells(local, CELLS);\n" +
        "        limit = cell_image(params.k - 1u);\n" +
        "        limit_index = cells[params.k - 1u];\n" +
        "        if (local == 0u) {\n" +
        "            atomicStore(&claimed, params.k);\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// 3. Write the row's results.\n" +
        "fn finish(local: u32, row: u32) {\n" +
        "    if (local == 0u) {\n" +
        "        claimed_now = atomicLoad(&claimed);\n" +
        "    }\n" +
        "    let held = workgroupUniformLoad(&claimed_now);\n" +
        "    sort_cells(local, held);\n" +
        "    for (var i = local; i < params.k; i += GROUP_SIZE) {\n" +
        "        var image = worst();\n" +
        "        var of_index = NO_INDEX;\n" +
        "        if (i < held) {\n" +
        "            image = cell_image(i);\n" +
        "            of_index = cells[i];\n" +
        "        }\n" +
        "        if (LAST) {\n" +
        "            image = key_bits(image);\n" +
        "        }\n" +
        "        let at = row * params.k + i;\n" +
        "        results[at * KEY_WORDS] = image.x;\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            results[at * KEY_WORDS + 1u] = image.y;\n" +
        "        }\n" +
        "        result_indices[at] = of_index;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn chunk_bits(level: u32) -> u32 {\n" +
        "    return (params.chunk_bits >> (4u * level)) & 15u;\n" +
        "}\n" +
        "\n" +
        "// The place, on the level that is read, of element `member` of the chunk whose delegate is element\n" +
        "// `of_index` of its row.\n" +
        "fn member_place(of_index: u32, member: u32) -> u32 {\n" +
        "    var place = of_index;\n" +
        "    for (var level = 0u; level < params.level; level++) {\n" +
        "        place = ((place / STRIDE) >> chunk_bits(level)) * STRIDE + place % STRIDE;\n" +
        "    }\n" +
        "    let bits = chunk_bits(params.level);\n" +
        "    let tile = (place / STRIDE) >> bits;\n" +
        "    return ((tile << bits) + member) * STRIDE + place % STRIDE;\n" +
        "}\n" +
        "\n" +
        "// Put a key of the row into slot i of the loaded; none from `held` on.\n" +
        "fn load_key(i: u32, row: u32, place: u32, held: u32) {\n" +
        "    let at = (row * params.row_length + min(place, max(held, 1u) - 1u)) * KEY_WORDS;\n" +
        "    var key = vec2<u32>(keys[at], 0u);\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        key.y = keys[at + 1u];\n" +
        "    }\n" +
        "    let image = key_image(key);\n" +
        "    low[i] = image.x;\n" +
        "    high[i] = image.y;\n" +
        "    index[i] = select(NO_INDEX, place, place < held);\n" +
        "}\n" +
        "\n" +
        "// The same of the image of a delegate; load_index follows.\n" +
        "fn load_delegate(i: u32, row: u32, place: u32) {\n" +
        "    let at = row * params.source_length + min(place, params.source_length - 1u);\n" +
        "    low[i] = images[at * KEY_WORDS];\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        high[i] = images[at * KEY_WORDS + 1u];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The index of delegate i of the loaded, unless it is worse than the limit.\n" +
        "fn load_index(i: u32, row: u32, place: u32) {\n" +
        "    index[i] = NO_INDEX;\n" +
        "    if (place < params.source_length && !is_better(limit, 1u, vec2<u32>(low[i], high[i]), 0u)) {\n" +
        "        index[i] = indices[row * params.source_length + place];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_keys(local: u32, row: u32, round: u32, rounds: u32, held: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_key(i, row, listed(local, round, i, rounds), held);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_list(local: u32, row: u32, round: u32, rounds: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_delegate(i, row, listed(local, round, i, rounds));\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        load_index(i, row, listed(local, round, i, rounds));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_select_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid);\n" +
        "    if (row >= div_ceil(params.max_count, params.row_length)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let held = row_count(row);\n" +
        "    let rounds = div_ceil(held, GROUP_SIZE * ITEMS);\n" +
        "    begin(local);\n" +
        "    if (params.bests > 0u) {\n" +
        "        for (var round = 0u; round < rounds; round++) {\n" +
        "            load_keys(local, row, round, rounds, held);\n" +
        "            fold();\n" +
        "        }\n" +
        "        limit_by_bests(local);\n" +
        "    }\n" +
        "    for (var round = 0u; round < rounds; round++) {\n" +
        "        if (params.bests == 0u || rounds > 1u) {\n" +
        "            load_keys(local, row, round, rounds, held);\n" +
        "        }\n" +
        "        take(local);\n" +
        "    }\n" +
        "    finish(local, row);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_select_list(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid);\n" +
        "    if (row >= div_ceil(params.max_count, params.row_length)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let held = select(params.source_length, 0u, row_count(row) == 0u);\n" +
        "    let rounds = div_ceil(held, GROUP_SIZE * ITEMS);\n" +
        "    begin(local);\n" +
        "    if (params.bests > 0u) {\n" +
        "        for (var round = 0u; round < rounds; round++) {\n" +
        "            load_list(local, row, round, rounds);\n" +
        "            fold();\n" +
        "        }\n" +
        "        limit_by_bests(local);\n" +
        "    }\n" +
        "    for (var round = 0u; round < rounds; round++) {\n" +
        "        if (params.bests == 0u || rounds > 1u) {\n" +
        "            load_list(local, row, round, rounds);\n" +
        "        }\n" +
        "        take(local);\n" +
        "    }\n" +
        "    finish(local, row);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_select_key_chunks(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid);\n" +
        "    if (row >= div_ceil(params.max_count, params.row_length)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let held = row_count(row);\n" +
        "    begin(local);\n" +
        "    let last = row * params.k + params.k - 1u;\n" +
        "    limit.x = keys_chosen[last * KEY_WORDS];\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        limit.y = keys_chosen[last * KEY_WORDS + 1u];\n" +
        "    }\n" +
        "    limit_index = keys_chosen_indices[last];\n" +
        "    let bits = chunk_bits(params.level);\n" +
        "    let candidates = select(params.k << bits, 0u, held == 0u);\n" +
        "    for (var done = 0u; done < candidates; done += GROUP_SIZE * ITEMS) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let candidate = done + i * GROUP_SIZE + local;\n" +
        "            let of_index = keys_chosen_indices[row * params.k + min(candidate >> bits, params.k - 1u)];\n" +
        "            let place = member_place(of_index, candidate & ((1u << bits) - 1u));\n" +
        "            let is_one = of_index != NO_INDEX && candidate < candidates;\n" +
        "            load_key(i, row, select(NO_INDEX, place, is_one), held);\n" +
        "        }\n" +
        "        take(local);\n" +
        "    }\n" +
        "    finish(local, row);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn topk_select_list_chunks(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let row = group_number(grid);\n" +
        "    if (row >= div_ceil(params.max_count, params.row_length)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    begin(local);\n" +
        "    let last = row * params.k + params.k - 1u;\n" +
        "    limit.x = list_chosen[last * KEY_WORDS];\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        limit.y = list_chosen[last * KEY_WORDS + 1u];\n" +
        "    }\n" +
        "    limit_index = list_chosen_indices[last];\n" +
        "    let bits = chunk_bits(params.level);\n" +
        "    let candidates = select(params.k << bits, 0u, row_count(row) == 0u);\n" +
        "    for (var done = 0u; done < candidates; done += GROUP_SIZE * ITEMS) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let candidate = done + i * GROUP_SIZE + local;\n" +
        "            let of_index = list_chosen_indices[row * params.k + min(candidate >> bits, params.k - 1u)];\n" +
        "            let place = member_place(of_index, candidate & ((1u << bits) - 1u));\n" +
        "            let is_one = of_index != NO_INDEX && candidate < candidates;\n" +
        "            index[i] = select(NO_INDEX, place, is_one);\n" +
        "            load_delegate(i, row, index[i]);\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            load_index(i, row, index[i]);\n" +
        "        }\n" +
        "        take(local);\n" +
        "    }\n" +
        "    finish(local, row);\n" +
        "}\n"
    },
};

export const snippets = {
    bin: {
        uses: [],
        text:
        "// bin: which bin an element is in. Uses image.\n" +
        "//\n" +
        "// Bin i holds the images from edge i up to, but not including, edge i + 1:\n" +
        "//\n" +
        "//     edges   | edge 0 | edge 1 | … | edge bin_count |     images, modulo 2^32\n" +
        "//\n" +
        "// The kernel gives fn bin_edge(i: u32) -> u32, which reads them, and params bin_count, first, span,\n" +
        "// scale, origin and shift. Only the last edge may be 2^32, stored as 0, so spans are differences.\n" +
        "//\n" +
        "// Even bins are guessed in floats and the guess is held against the edges, so that results never\n" +
        "// depend on how a device rounds: any guess gives the right bin.\n" +
        "\n" +
        "override TYPE_KIND: u32; // of an element: 0 unsigned, 1 signed, 2 float\n" +
        "override METHOD: u32;    // 0 the guess is linear in the image, 1 in the float; 2 none, any edges\n" +
        "\n" +
        "const SEARCH: u32 = 2u;\n" +
        "const INFINITY_IMAGE: u32 = 0xff000001u; // images above are NaNs\n" +
        "\n" +
        "// What an element outside all bins is counted as, behind the bins.\n" +
        "const BELOW: u32 = 0u;\n" +
        "const ABOVE: u32 = 1u;\n" +
        "const NOT_A_NUMBER: u32 = 2u;\n" +
        "const INSIDE: u32 = 3u;\n" +
        "\n" +
        "var<private> bin_first: u32; // edge 0\n" +
        "var<private> bin_span: u32;  // of all bins: even ones, less 1, since it may be 2^32\n" +
        "\n" +
        "// To be called first.\n" +
        "fn bin_begin() {\n" +
        "    bin_first = params.first;\n" +
        "    bin_span = params.span;\n" +
        "    if (METHOD == SEARCH) {\n" +
        "        bin_first = bin_edge(0u);\n" +
        "        bin_span = bin_edge(params.bin_count) - bin_first;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn bin_side(image: u32) -> u32 {\n" +
        "    let offset = image - bin_first;\n" +
        "    if (METHOD == SEARCH) {\n" +
        "        if (offset < bin_span) { return INSIDE; }\n" +
        "    } else {\n" +
        "        if (offset <= bin_span) { return INSIDE; }\n" +
        "    }\n" +
        "    if (TYPE_KIND == 2u && image > INFINITY_IMAGE) { return NOT_A_NUMBER; }\n" +
        "    return select(ABOVE, BELOW, image < bin_first);\n" +
        "}\n" +
        "\n" +
        "fn bin_holds(bin: u32, image: u32) -> bool {\n" +
        "    let lower = bin_edge(bin);\n" +
        "    return image - lower < bin_edge(bin + 1u) - lower;\n" +
        "}\n" +
        "\n" +
        "// The last of the bins [low, high) whose edge is not above the image; the first if there is none.\n" +
        "fn bin_search(image: u32, low: u32, high: u32) -> u32 {\n" +
        "    var bin = low;\n" +
        "    var end = high;\n" +
        "    while (end - bin > 1u) {\n" +
        "        let middle = (bin + end) / 2u;\n" +
        "        if (bin_edge(middle) <= image) {\n" +
        "            bin = middle;\n" +
        "        } else {\n" +
        "            end = middle;\n" +
        "        }\n" +
        "    }\n" +
        "    return bin;\n" +
        "}\n" +
        "\n" +
        "// Where an element lies among even bins, in 2^shift places a bin. `offset` is its image less the\n" +
        "// first edge, or the same of bits.\n" +
        "fn bin_place(bits: u32, offset: u32) -> u32 {\n" +
        "    var distance = bitcast<f32>(bits) - bitcast<f32>(params.origin);\n" +
        "    if (METHOD == 0u) {\n" +
        "        distance = f32(offset);\n" +
        "    }\n" +
        "    return u32(distance * bitcast<f32>(params.scale));\n" +
        "}\n" +
        "\n" +
        "// The even bin of an element that is inside.\n" +
        "fn bin_of_even(bits: u32, image: u32) -> u32 {\n" +
        "    let place = bin_place(bits, image - bin_first);\n" +
        "    let guess = min(place >> params.shift, params.bin_count - 1u);\n" +
        "    if (bin_holds(guess, image)) {\n" +
        "        return guess;\n" +
        "    }\n" +
        "    // The image is not below edge 0, nor beyond the last one: the neighbour exists.\n" +
        "    let neighbour = select(guess + 1u, guess - 1u, image < bin_edge(guess));\n" +
        "    if (bin_holds(neighbour, image)) {\n" +
        "        return neighbour;\n" +
        "    }\n" +
        "    return bin_search(image, 0u, params.bin_count);\n" +
        "}\n"
    },
    bound: {
        uses: [],
        text:
        "// bound: places in the order of elements, by image and then by position, so that no two elements are equal.\n" +
        "//\n" +
        "// A bound is a vector: xy an image, the most significant word first, z a position. Uses key.\n" +
        "\n" +
        "// The image of a key as it is compared: the most significant word first.\n" +
        "fn ordered(key: vec2<u32>) -> vec2<u32> {\n" +
        "    let image = key_image(key);\n" +
        "    return select(image, image.yx, KEY_WORDS == 2u);\n" +
        "}\n" +
        "\n" +
        "fn is_less(a: vec2<u32>, b: vec2<u32>) -> bool {\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return a.x < b.x;\n" +
        "    }\n" +
        "    return a.x < b.x || (a.x == b.x && a.y < b.y);\n" +
        "}\n" +
        "\n" +
        "fn is_equal(a: vec2<u32>, b: vec2<u32>) -> bool {\n" +
        "    return a.x == b.x && (KEY_WORDS == 1u || a.y == b.y);\n" +
        "}\n" +
        "\n" +
        "fn is_before(image: vec2<u32>, position: u32, bound: vec3<u32>) -> bool {\n" +
        "    return is_less(image, bound.xy) || (is_equal(image, bound.xy) && position < bound.z);\n" +
        "}\n" +
        "\n" +
        "// The least image that is not below the lower bound at a position. There is none, and the result wraps round to 0,\n" +
        "// where has_none_above says so.\n" +
        "fn least_image(low: vec3<u32>, position: u32) -> vec2<u32> {\n" +
        "    let next = select(0u, 1u, position < low.z);\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return vec2<u32>(low.x + next, 0u);\n" +
        "    }\n" +
        "    let y = low.y + next;\n" +
        "    return vec2<u32>(low.x + select(0u, next, y == 0u), y);\n" +
        "}\n" +
        "\n" +
        "fn has_none_above(low: vec3<u32>, position: u32) -> bool {\n" +
        "    return position < low.z && is_equal(low.xy, vec2<u32>(0xffffffffu));\n" +
        "}\n" +
        "\n" +
        "// The greatest image that is below the upper bound at a position. There is none where has_none_below says so.\n" +
        "fn greatest_image(high: vec3<u32>, position: u32) -> vec2<u32> {\n" +
        "    let previous = select(1u, 0u, position < high.z);\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return vec2<u32>(high.x - previous, 0u);\n" +
        "    }\n" +
        "    return vec2<u32>(high.x - select(0u, previous, high.y == 0u), high.y - previous);\n" +
        "}\n" +
        "\n" +
        "fn has_none_below(high: vec3<u32>, position: u32) -> bool {\n" +
        "    return position >= high.z && is_equal(high.xy, vec2<u32>(0u));\n" +
        "}\n" +
        "\n" +
        "// x: the bit if an image is in a range, else 0; y: 1 if it is below it.\n" +
        "fn compare(image: vec2<u32>, least: vec2<u32>, greatest: vec2<u32>, bit: u32) -> vec2<u32> {\n" +
        "    let is_below = is_less(image, least);\n" +
        "    return vec2<u32>(select(bit, 0u, is_below || is_less(greatest, image)), select(0u, 1u, is_below));\n" +
        "}\n"
    },
    candidate: {
        uses: [],
        text:
        "// candidate: an element on its way to be one of the best k: the image of its key and its index in its row.\n" +
        "//\n" +
        "// Better is the lower image, and of equal images the lower index, so no two candidates are equal, and which\n" +
        "// are chosen does not depend on the order they come in. Uses key. The kernel's params have row_length.\n" +
        "//\n" +
        "//     NO_INDEX with the greatest image is no element; every element is better.\n" +
        "\n" +
        "const NO_INDEX: u32 = 0xffffffffu; // counts are at most this, so no element has it\n" +
        "\n" +
        "fn worst() -> vec2<u32> {\n" +
        "    return vec2<u32>(0xffffffffu, 0xffffffffu);\n" +
        "}\n" +
        "\n" +
        "// Images: x low word, y high word, which is 0 for keys of one word, but for WORST.\n" +
        "fn is_better(image: vec2<u32>, index: u32, than_image: vec2<u32>, than_index: u32) -> bool {\n" +
        "    if (KEY_WORDS == 2u && image.y != than_image.y) {\n" +
        "        return image.y < than_image.y;\n" +
        "    }\n" +
        "    return image.x < than_image.x || (image.x == than_image.x && index < than_index);\n" +
        "}\n" +
        "\n" +
        "// The elements that a row has in this run; also of rows past the last one. Uniform for a uniform row.\n" +
        "fn row_count(row: u32) -> u32 {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    if (row > element_total / params.row_length) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    return min(element_total - row * params.row_length, params.row_length);\n" +
        "}\n"
    },
    cell: {
        uses: [],
        text:
        "// cell: the coordinate of a point in a uniform grid, and the number of its cell in a hashed one.\n" +
        "//\n" +
        "// Difference and product are rounded to f32. Whatever else decides is integers on the bits of the\n" +
        "// operands: WGSL lets implementations ignore NaNs, infinities and -0, and flush subnormals.\n" +
        "\n" +
        "// From here on coordinates are not told apart. NaN is as far.\n" +
        "const ORDO_GRID_FAR: i32 = 1073741824;\n" +
        "\n" +
        "// The bits as an integer in the order of the numbers; -0 and +0 are the same.\n" +
        "fn ordo_grid_order(bits: u32) -> i32 {\n" +
        "    let magnitude = i32(bits & 0x7fffffffu);\n" +
        "    return select(magnitude, -magnitude, bits >= 0x80000000u);\n" +
        "}\n" +
        "\n" +
        "// The position in units of cells, from the bits of x, origin and cells per unit; -FAR to FAR. Whole\n" +
        "// numbers are exact, others right when rounded down.\n" +
        "fn ordo_grid_position(x: u32, origin: u32, cells_per_unit: u32) -> f32 {\n" +
        "    let most = f32(ORDO_GRID_FAR);\n" +
        "    let magnitude = x & 0x7fffffffu;\n" +
        "    if (magnitude > 0x7f800000u) {\n" +
        "        return most;\n" +
        "    }\n" +
        "    let below = ordo_grid_order(x) < ordo_grid_order(origin);\n" +
        "    let far = select(most, -most, below);\n" +
        "    if (magnitude == 0x7f800000u) {\n" +
        "        return far;\n" +
        "    }\n" +
        "    let difference = bitcast<f32>(x) - bitcast<f32>(origin);\n" +
        "    // Exponents are biased by 127 each. From this sum on the product is 2^30 or more; below it, it\n" +
        "    // is less than 2^31, so that nothing overflows.\n" +
        "    let exponent = (bitcast<u32>(difference) >> 23u) & 0xffu;\n" +
        "    if (exponent + (cells_per_unit >> 23u) >= 254u + 30u) {\n" +
        "        return far;\n" +
        "    }\n" +
        "    // What is flushed to 0 lies in the cell on its side of the origin.\n" +
        "    let product = difference * bitcast<f32>(cells_per_unit);\n" +
        "    return select(clamp(product, 0.0, most), clamp(product, -most, -0.5), below);\n" +
        "}\n" +
        "\n" +
        "// The coordinate in one axis of the cell that holds x.\n" +
        "fn ordo_grid_coordinate(x: f32, origin: f32, cells_per_unit: f32) -> i32 {\n" +
        "    return i32(floor(ordo_grid_position(bitcast<u32>(x), bitcast<u32>(origin),\n" +
        "                                        bitcast<u32>(cells_per_unit))));\n" +
        "}\n" +
        "\n" +
        "// The coordinate modulo cells. Remainders are of unsigned numbers: Vulkan leaves those of negative ones\n" +
        "// undefined, and on an H200 under wgpu-native they are wrong.\n" +
        "fn ordo_grid_wrap(coordinate: i32, cells: u32) -> i32 {\n" +
        "    let below = coordinate < 0;\n" +
        "    let folded = u32(select(coordinate, -1 - coordinate, below)) % cells;\n" +
        "    return i32(select(folded, cells - 1u - folded, below));\n" +
        "}\n" +
        "\n" +
        "// The cell's number in a table of 2^k cells.\n" +
        "fn ordo_grid_hash(cell: vec3<i32>, table_size: u32) -> u32 {\n" +
        "    let product = bitcast<vec3<u32>>(cell) * vec3<u32>(73856093u, 19349663u, 83492791u);\n" +
        "    return (product.x ^ product.y ^ product.z) & (table_size - 1u);\n" +
        "}\n"
    },
    count: {
        uses: [],
        text:
        "// count: which workgroup this is, and how many elements this run has.\n" +
        "\n" +
        "// Apart from the invocation's own index: a struct with one non-uniform member is not uniform to Tint.\n" +
        "struct Grid {\n" +
        "    @builtin(workgroup_id) group: vec3<u32>,\n" +
        "    @builtin(num_workgroups) group_count: vec3<u32>,\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(1) var<storage, read> count: array<u32>; // [0]: elements, not yet clamped\n" +
        "\n" +
        "// Elements to process. Uniform, since it is read from a read-only buffer.\n" +
        "fn element_count(max_count: u32) -> u32 {\n" +
        "    return min(count[0], max_count);\n" +
        "}\n" +
        "\n" +
        "// Workgroups are numbered row by row in a grid that may be larger than needed.\n" +
        "fn group_number(grid: Grid) -> u32 {\n" +
        "    return grid.group.y * grid.group_count.x + grid.group.x;\n" +
        "}\n" +
        "\n" +
        "fn div_ceil(a: u32, b: u32) -> u32 {\n" +
        "    return a / b + select(0u, 1u, a % b != 0u);\n" +
        "}\n" +
        "\n" +
        "// The elements of this workgroup when each takes GROUP_SIZE * ITEMS: x the first, y how many.\n" +
        "fn group_share(grid: Grid, max_count: u32) -> vec2<u32> {\n" +
        "    let element_total = element_count(max_count);\n" +
        "    let tile = GROUP_SIZE * ITEMS;\n" +
        "    let number = group_number(grid);\n" +
        "    if (number >= div_ceil(element_total, tile)) {\n" +
        "        return vec2<u32>(0u, 0u);\n" +
        "    }\n" +
        "    return vec2<u32>(number * tile, min(tile, element_total - number * tile));\n" +
        "}\n"
    },
    element: {
        uses: [],
        text:
        "// element: what a sorting network compares and exchanges: a key, perhaps with a payload.\n" +
        "//\n" +
        "//     keys      | key 0: KEY_WORDS words | key 1 | …\n" +
        "//     payload   | PAYLOAD_WORDS words | …             an index that breaks ties, or a value\n" +
        "//     cells     | first words of a block's elements | second words | …      (the kernel's)\n" +
        "//\n" +
        "// Between a network's dispatches memory holds the images of keys, words that compare as unsigned\n" +
        "// numbers, the most significant first; the first dispatch makes them and the last one takes them\n" +
        "// back (lib/image.wgsl). So comparators know nothing of types.\n" +
        "//\n" +
        "// Positions run through the network's wires. They are elements, or, where there are rows, rows that\n" +
        "// are padded to a power of two of positions. A position without an element loads as the greatest\n" +
        "// image. Comparators point up and exchange no equals, so it stays where it is, whatever the keys.\n" +
        "\n" +
        "override KEY_WORDS: u32 = 1u;       // words a key, 1 to 4\n" +
        "override PAYLOAD_WORDS: u32 = 0u;   // words a payload, 0 to 2\n" +
        "override TIES: bool = false;        // the payload is an index, and of equal keys the lower comes first\n" +
        "override WINDOWED: bool = false;    // only the bits under `window` are compared\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    row_length: u32, // elements a row; 0: all are one\n" +
        "    row_bits: u32,   // log2 of positions a row\n" +
        "    form: u32,       // FORM_ bits\n" +
        "    window: u32,     // bits to skip: low + 256 * high\n" +
        "    a: u32,          // three numbers that each kernel names\n" +
        "    b: u32,\n" +
        "    c: u32,\n" +
        "}\n" +
        "\n" +
        "// Of word w, the most significant being word 0, bits 4 * w and up are its kind; 3 in word 0: a double.\n" +
        "const FORM_LOW_FIRST: u32 = 0x10000u;    // memory has the least significant word first\n" +
        "const FORM_READS_BITS: u32 = 0x20000u;   // memory holds the caller's bits: make images\n" +
        "const FORM_WRITES_BITS: u32 = 0x40000u;  // leave the caller's bits\n" +
        "const FORM_NO_KEYS: u32 = 0x80000u;      // write no keys: the end of an argsort\n" +
        "const FORM_MAKES_INDEX: u32 = 0x100000u; // the payload is not read: it is the element's index …\n" +
        "const FORM_ROW_INDEX: u32 = 0x200000u;   // … in its row\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> keys: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> payload: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> lone_keys_in: array<u32>; // where there is no payload\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_in: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> values_in: array<u32>;\n" +
        "\n" +
        "// An invocation's elements: images, the most significant word first, and payloads.\n" +
        "var<private> key_a: array<u32, ITEMS>;\n" +
        "var<private> key_b: array<u32, ITEMS>;\n" +
        "var<private> key_c: array<u32, ITEMS>;\n" +
        "var<private> key_d: array<u32, ITEMS>;\n" +
        "var<private> load_a: array<u32, ITEMS>;\n" +
        "var<private> load_b: array<u32, ITEMS>;\n" +
        "\n" +
        "const NOWHERE: u32 = 0xffffffffu; // no element: counts are at most this\n" +
        "\n" +
        "fn has(form: u32) -> bool {\n" +
        "    return (params.form & form) != 0u;\n" +
        "}\n" +
        "\n" +
        "// The element of a position, or NOWHERE.\n" +
        "fn element_at(position: u32) -> u32 {\n" +
        "    if (params.row_length == 0u) {\n" +
        "        return position;\n" +
        "    }\n" +
        "    let offset = position & ((1u << params.row_bits) - 1u);\n" +
        "    let row = position >> params.row_bits;\n" +
        "    return select(NOWHERE, row * params.row_length + offset, offset < params.row_length);\n" +
        "}\n" +
        "\n" +
        "// ---- Images --------------------------------------------------------------------------------------\n" +
        "\n" +
        "fn make_image(i: u32) {\n" +
        "    let kinds = params.form;\n" +
        "    if (KEY_WORDS == 2u && (kinds & 3u) == 3u) {\n" +
        "        let image = double_image(vec2<u32>(key_a[i], key_b[i]), kinds);\n" +
        "        key_a[i] = image.x;\n" +
        "        key_b[i] = image.y;\n" +
        "        return;\n" +
        "    }\n" +
        "    key_a[i] = word_image_of_kind(key_a[i], kinds);\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = word_image_of_kind(key_b[i], kinds >> 4u); }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = word_image_of_kind(key_c[i], kinds >> 8u); }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = word_image_of_kind(key_d[i], kinds >> 12u); }\n" +
        "}\n" +
        "\n" +
        "fn take_image_back(i: u32) {\n" +
        "    let kinds = params.form;\n" +
        "    if (KEY_WORDS == 2u && (kinds & 3u) == 3u) {\n" +
        "        let bits = double_bits(vec2<u32>(key_a[i], key_b[i]), kinds);\n" +
        "        key_a[i] = bits.x;\n" +
        "        key_b[i] = bits.y;\n" +
        "        return;\n" +
        "    }\n" +
        "    key_a[i] = word_bits_of_kind(key_a[i], kinds);\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = word_bits_of_kind(key_b[i], kinds >> 4u); }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = word_bits_of_kind(key_c[i], kinds >> 8u); }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = word_bits_of_kind(key_d[i], kinds >> 12u); }\n" +
        "}\n" +
        "\n" +
        "// ---- Memory --------------------------------------------------------------------------------------\n" +
        "\n" +
        "// Where word w of an element's key lies.\n" +
        "fn key_word(element: u32, w: u32) -> u32 {\n" +
        "    return element * KEY_WORDS + select(w, KEY_WORDS - 1u - w, has(FORM_LOW_FIRST));\n" +
        "}\n" +
        "\n" +
        "// The same from each of the three places that keys may come from.\n" +
        "fn read_key(i: u32, element: u32) {\n" +
        "    key_a[i] = keys[key_word(element, 0u)];\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = keys[key_word(element, 1u)]; }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = keys[key_word(element, 2u)]; }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = keys[key_word(element, 3u)]; }\n" +
        "}\n" +
        "\n" +
        "fn read_lone_key_in(i: u32, element: u32) {\n" +
        "    key_a[i] = lone_keys_in[key_word(element, 0u)];\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = lone_keys_in[key_word(element, 1u)]; }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = lone_keys_in[key_word(element, 2u)]; }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = lone_keys_in[key_word(element, 3u)]; }\n" +
        "}\n" +
        "\n" +
        "fn read_key_in(i: u32, element: u32) {\n" +
        "    key_a[i] = keys_in[key_word(element, 0u)];\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = keys_in[key_word(element, 1u)]; }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = keys_in[key_word(element, 2u)]; }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = keys_in[key_word(element, 3u)]; }\n" +
        "}\n" +
        "\n" +
        "fn held(element: u32) -> bool {\n" +
        "    return element < element_count(params.max_count);\n" +
        "}\n" +
        "\n" +
        "// An element to read where there may be none, of a count that is not 0.\n" +
        "fn readable(element: u32) -> u32 {\n" +
        "    return min(element, element_count(params.max_count) - 1u);\n" +
        "}\n" +
        "\n" +
        "// Once its words are read: an image, or the greatest where there is no element.\n" +
        "fn settle(i: u32, element: u32) {\n" +
        "    if (has(FORM_READS_BITS)) {\n" +
        "        make_image(i);\n" +
        "    }\n" +
        "    key_a[i] = select(NOWHERE, key_a[i], held(element));\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = select(NOWHERE, key_b[i], held(element)); }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = select(NOWHERE, key_c[i], held(element)); }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = select(NOWHERE, key_d[i], held(element)); }\n" +
        "}\n" +
        "\n" +
        "fn make_index(i: u32, element: u32) {\n" +
        "    load_a[i] = element;\n" +
        "    if (has(FORM_ROW_INDEX)) {\n" +
        "        load_a[i] = element % params.row_length;\n" +
        "    }\n" +
        "    load_a[i] = select(NOWHERE, load_a[i], held(element));\n" +
        "}\n" +
        "\n" +
        "// The element whose index register i has, which has come to `element`.\n" +
        "fn indexed(i: u32, element: u32) -> u32 {\n" +
        "    if (has(FORM_ROW_INDEX)) {\n" +
        "        return element - element % params.row_length + load_a[i];\n" +
        "    }\n" +
        "    return load_a[i];\n" +
        "}\n" +
        "\n" +
        "// Into register i: a key in place.\n" +
        "fn load_key(i: u32, element: u32) {\n" +
        "    read_key(i, readable(element));\n" +
        "    settle(i, element);\n" +
        "}\n" +
        "\n" +
        "// A key from elsewhere, without a payload.\n" +
        "fn load_lone_key_in(i: u32, element: u32) {\n" +
        "    read_lone_key_in(i, readable(element));\n" +
        "    settle(i, element);\n" +
        "}\n" +
        "\n" +
        "// A key and its payload in place, or the key and its index.\n" +
        "fn load_pair(i: u32, element: u32) {\n" +
        "    read_key(i, readable(element));\n" +
        "    settle(i, element);\n" +
        "    if (has(FORM_MAKES_INDEX)) {\n" +
        "        make_index(i, element);\n" +
        "    } else {\n" +
        "        let word = readable(element) * PAYLOAD_WORDS;\n" +
        "        load_a[i] = payload[word];\n" +
        "        if (PAYLOAD_WORDS > 1u) { load_b[i] = payload[word + 1u]; }\n" +
        "        if (TIES) { load_a[i] = select(NOWHERE, load_a[i], held(element)); }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// A key from elsewhere and its index.\n" +
        "fn load_index(i: u32, element: u32) {\n" +
        "    read_key_in(i, readable(element));\n" +
        "    settle(i, element);\n" +
        "    make_index(i, element);\n" +
        "}\n" +
        "\n" +
        "fn store_key(i: u32, element: u32) {\n" +
        "    if (!held(element) || has(FORM_NO_KEYS)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    if (has(FORM_WRITES_BITS)) {\n" +
        "        take_image_back(i);\n" +
        "    }\n" +
        "    keys[key_word(element, 0u)] = key_a[i];\n" +
        "    if (KEY_WORDS > 1u) { keys[key_word(element, 1u)] = key_b[i]; }\n" +
        "    if (KEY_WORDS > 2u) { keys[key_word(element, 2u)] = key_c[i]; }\n" +
        "    if (KEY_WORDS > 3u) { keys[key_word(element, 3u)] = key_d[i]; }\n" +
        "}\n" +
        "\n" +
        "fn store_pair(i: u32, element: u32) {\n" +
        "    store_key(i, element);\n" +
        "    if (held(element)) {\n" +
        "        payload[element * PAYLOAD_WORDS] = load_a[i];\n" +
        "        if (PAYLOAD_WORDS > 1u) { payload[element * PAYLOAD_WORDS + 1u] = load_b[i]; }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- Comparators ---------------------------------------------------------------------------------\n" +
        "\n" +
        "// The words of element i that are compared, the most significant first.\n" +
        "fn compared(i: u32) -> vec2<u32> {\n" +
        "    if (!WINDOWED) {\n" +
        "        return vec2<u32>(key_a[i], key_b[i]);\n" +
        "    }\n" +
        "    let low = params.window & 255u;\n" +
        "    let high = params.window >> 8u;\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return vec2<u32>((key_a[i] << (high & 31u)) >> ((low + high) & 31u), 0u);\n" +
        "    }\n" +
        "    // Of two words: what is skipped is cleared, wherever the borders lie.\n" +
        "    let upper = select((0xffffffffu >> (high & 31u)), 0u, high >= 32u) &\n" +
        "        select((0xffffffffu << ((low - 32u) & 31u)), 0xffffffffu, low < 32u);\n" +
        "    let lower = select((0xffffffffu >> ((high - 32u) & 31u)), 0xffffffffu, high < 32u) &\n" +
        "        select((0xffffffffu << (low & 31u)), 0u, low >= 32u);\n" +
        "    return vec2<u32>(key_a[i] & upper, key_b[i] & lower);\n" +
        "}\n" +
        "\n" +
        "// Whether element i comes after element j: the last word that is unequal decides, from the least\n" +
        "// significant word up.\n" +
        "fn comes_after(i: u32, j: u32) -> bool {\n" +
        "    let x = compared(i);\n" +
        "    let y = compared(j);\n" +
        "    var after = false;\n" +
        "    if (TIES) { after = load_a[i] > load_a[j]; }\n" +
        "    if (KEY_WORDS > 3u) { after = select(after, key_d[i] > key_d[j], key_d[i] != key_d[j]); }\n" +
        "    if (KEY_WORDS > 2u) { after = select(after, key_c[i] > key_c[j], key_c[i] != key_c[j]); }\n" +
        "    if (KEY_WORDS > 1u) { after = select(after, x.y > y.y, x.y != y.y); }\n" +
        "    return select(after, x.x > y.x, x.x != y.x);\n" +
        "}\n" +
        "\n" +
        "// The comparator: the lesser element ends in i, the greater in j.\n" +
        "fn exchange(i: u32, j: u32) {\n" +
        "    if (KEY_WORDS == 1u && PAYLOAD_WORDS == 0u && !WINDOWED) {\n" +
        "        let lesser = min(key_a[i], key_a[j]);\n" +
        "        key_a[j] = max(key_a[i], key_a[j]);\n" +
        "        key_a[i] = lesser;\n" +
        "    } else {\n" +
        "        let swap = comes_after(i, j);\n" +
        "        let a = key_a[i];\n" +
        "        key_a[i] = select(a, key_a[j], swap);\n" +
        "        key_a[j] = select(key_a[j], a, swap);\n" +
        "        if (KEY_WORDS > 1u) {\n" +
        "            let b = key_b[i];\n" +
        "            key_b[i] = select(b, key_b[j], swap);\n" +
        "            key_b[j] = select(key_b[j], b, swap);\n" +
        "        }\n" +
        "        if (KEY_WORDS > 2u) {\n" +
        "            let c = key_c[i];\n" +
        "            key_c[i] = select(c, key_c[j], swap);\n" +
        "            key_c[j] = select(key_c[j], c, swap);\n" +
        "        }\n" +
        "        if (KEY_WORDS > 3u) {\n" +
        "            let d = key_d[i];\n" +
        "            key_d[i] = select(d, key_d[j], swap);\n" +
        "            key_d[j] = select(key_d[j], d, swap);\n" +
        "        }\n" +
        "        if (PAYLOAD_WORDS > 0u) {\n" +
        "            let e = load_a[i];\n" +
        "            load_a[i] = select(e, load_a[j], swap);\n" +
        "            load_a[j] = select(load_a[j], e, swap);\n" +
        "        }\n" +
        "        if (PAYLOAD_WORDS > 1u) {\n" +
        "            let f = load_b[i];\n" +
        "            load_b[i] = select(f, load_b[j], swap);\n" +
        "            load_b[j] = select(load_b[j], f, swap);\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    fold: {
        uses: [],
        text:
        "// fold: how scans and reduces combine items.\n" +
        "//\n" +
        "// Items are combined as images (min and max of signed and floats become those of unsigned) and\n" +
        "// turned back when written. The kernel defines TYPE_KIND (0 u32, 1 i32, 2 f32) and OP (0 add, 1\n" +
        "// min, 2 max), and uses image.\n" +
        "\n" +
        "// Bits to an unsigned integer whose order is the operator's, and back. Sums are of the bits.\n" +
        "fn image(bits: u32) -> u32 {\n" +
        "    if (OP == 0u || TYPE_KIND == 0u) {\n" +
        "        return bits;\n" +
        "    }\n" +
        "    return word_image(bits, TYPE_KIND);\n" +
        "}\n" +
        "\n" +
        "fn bits_of(image_value: u32) -> u32 {\n" +
        "    if (OP == 0u || TYPE_KIND == 0u) {\n" +
        "        return image_value;\n" +
        "    }\n" +
        "    return word_bits(image_value, TYPE_KIND);\n" +
        "}\n" +
        "\n" +
        "fn combine(a: u32, b: u32) -> u32 {\n" +
        "    if (OP == 1u) {\n" +
        "        return min(a, b);\n" +
        "    }\n" +
        "    if (OP == 2u) {\n" +
        "        return max(a, b);\n" +
        "    }\n" +
        "    if (TYPE_KIND == 2u) {\n" +
        "        return bitcast<u32>(bitcast<f32>(a) + bitcast<f32>(b));\n" +
        "    }\n" +
        "    return a + b;\n" +
        "}\n" +
        "\n" +
        "// Changes nothing it is combined with: also -0 + -0 stays -0, and a NaN's minimum stays NaN.\n" +
        "fn identity() -> u32 {\n" +
        "    if (OP == 1u) {\n" +
        "        return 0xffffffffu;\n" +
        "    }\n" +
        "    if (OP == 0u && TYPE_KIND == 2u) {\n" +
        "        return 0x80000000u;\n" +
        "    }\n" +
        "    return 0u;\n" +
        "}\n" +
        "\n" +
        "// What is written where nothing has been combined: the bits of 0, or of the type's extreme, +inf\n" +
        "// for the minimum of floats.\n" +
        "fn identity_bits() -> u32 {\n" +
        "    if (OP == 0u) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    if (OP == 1u && TYPE_KIND == 2u) {\n" +
        "        return 0x7f800000u;\n" +
        "    }\n" +
        "    return bits_of(identity());\n" +
        "}\n"
    },
    image: {
        uses: [],
        text:
        "// image: from the bits of a key to its image, an unsigned integer in the same order, and back.\n" +
        "//\n" +
        "// unsigned: the bits. signed: sign bit flipped. float: all bits of a negative, the sign bit of\n" +
        "// others flipped, then the image of -inf subtracted, so that -inf comes first and the negative\n" +
        "// NaNs wrap round to behind the positive ones. Descending: all bits of that inverted.\n" +
        "// Floats stay integers throughout: WGSL lets an implementation ignore NaNs, infinities and -0.\n" +
        "//\n" +
        "// A word's kind: 0 unsigned, 1 signed, 2 float; plus 4: descending.\n" +
        "\n" +
        "// The kind is a constant to callers of word_image and word_bits. Branches on it are cut by every compiler;\n" +
        "// lavapipe keeps selects, and then takes a third longer for a radix sort.\n" +
        "\n" +
        "fn word_image(bits: u32, kind: u32) -> u32 {\n" +
        "    var image = bits;\n" +
        "    if ((kind & 3u) == 1u) {\n" +
        "        image = bits ^ 0x80000000u;\n" +
        "    }\n" +
        "    if ((kind & 3u) == 2u) {\n" +
        "        image = (bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u)) - 0x007fffffu;\n" +
        "    }\n" +
        "    if ((kind & 4u) != 0u) {\n" +
        "        image = ~image;\n" +
        "    }\n" +
        "    return image;\n" +
        "}\n" +
        "\n" +
        "fn word_bits(image: u32, kind: u32) -> u32 {\n" +
        "    var bits = image;\n" +
        "    if ((kind & 4u) != 0u) {\n" +
        "        bits = ~bits;\n" +
        "    }\n" +
        "    if ((kind & 3u) == 1u) {\n" +
        "        bits ^= 0x80000000u;\n" +
        "    }\n" +
        "    if ((kind & 3u) == 2u) {\n" +
        "        bits += 0x007fffffu;\n" +
        "        bits ^= select(0xffffffffu, 0x80000000u, bits >= 0x80000000u);\n" +
        "    }\n" +
        "    return bits;\n" +
        "}\n" +
        "\n" +
        "// The same where the kind is known only when the kernel runs: branches that stay cost an H200 up to 28 % of\n" +
        "// the time of a network.\n" +
        "\n" +
        "fn word_image_of_kind(bits: u32, kind: u32) -> u32 {\n" +
        "    let float = (bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u)) - 0x007fffffu;\n" +
        "    var image = select(bits, bits ^ 0x80000000u, (kind & 3u) == 1u);\n" +
        "    image = select(image, float, (kind & 3u) == 2u);\n" +
        "    return select(image, ~image, (kind & 4u) != 0u);\n" +
        "}\n" +
        "\n" +
        "fn word_bits_of_kind(image: u32, kind: u32) -> u32 {\n" +
        "    let plain = select(image, ~image, (kind & 4u) != 0u);\n" +
        "    let shifted = plain + 0x007fffffu;\n" +
        "    let float = shifted ^ select(0xffffffffu, 0x80000000u, shifted >= 0x80000000u);\n" +
        "    let bits = select(plain, plain ^ 0x80000000u, (kind & 3u) == 1u);\n" +
        "    return select(bits, float, (kind & 3u) == 2u);\n" +
        "}\n" +
        "\n" +
        "// A double's words: x high, y low.\n" +
        "fn double_image(bits: vec2<u32>, kind: u32) -> vec2<u32> {\n" +
        "    let negative = bits.x >= 0x80000000u;\n" +
        "    let low = (bits.y ^ select(0u, 0xffffffffu, negative)) + 1u;\n" +
        "    let high = bits.x ^ select(0x80000000u, 0xffffffffu, negative);\n" +
        "    // Subtracting 0x000fffffffffffff is adding 0xfff0000000000001.\n" +
        "    var image = vec2<u32>(high + 0xfff00000u + select(0u, 1u, low == 0u), low);\n" +
        "    if ((kind & 4u) != 0u) {\n" +
        "        image = ~image;\n" +
        "    }\n" +
        "    return image;\n" +
        "}\n" +
        "\n" +
        "fn double_bits(image: vec2<u32>, kind: u32) -> vec2<u32> {\n" +
        "    var ascending = image;\n" +
        "    if ((kind & 4u) != 0u) {\n" +
        "        ascending = ~image;\n" +
        "    }\n" +
        "    let high = ascending.x - 0xfff00000u - select(0u, 1u, ascending.y == 0u);\n" +
        "    let low = ascending.y - 1u;\n" +
        "    let negative = high < 0x80000000u;\n" +
        "    return vec2<u32>(high ^ select(0x80000000u, 0xffffffffu, negative),\n" +
        "                     low ^ select(0u, 0xffffffffu, negative));\n" +
        "}\n"
    },
    key: {
        uses: [],
        text:
        "// key: the image of a key of one number, and digits of it. Uses image.\n" +
        "\n" +
        "override KEY_KIND: u32;     // 0 unsigned, 1 signed, 2 float\n" +
        "override KEY_WORDS: u32;    // 1 or 2 words of 32 bits\n" +
        "override DESCENDING: bool;\n" +
        "\n" +
        "// key: low word, high word (0 for a key of one word).\n" +
        "fn key_image(key: vec2<u32>) -> vec2<u32> {\n" +
        "    let order = select(0u, 4u, DESCENDING);\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return vec2<u32>(word_image(key.x, KEY_KIND + order), 0u);\n" +
        "    }\n" +
        "    if (KEY_KIND == 2u) {\n" +
        "        return double_image(key.yx, order).yx;\n" +
        "    }\n" +
        "    return vec2<u32>(word_image(key.x, order), word_image(key.y, KEY_KIND + order));\n" +
        "}\n" +
        "\n" +
        "// The key of an image.\n" +
        "fn key_bits(image: vec2<u32>) -> vec2<u32> {\n" +
        "    let order = select(0u, 4u, DESCENDING);\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return vec2<u32>(word_bits(image.x, KEY_KIND + order), 0u);\n" +
        "    }\n" +
        "    if (KEY_KIND == 2u) {\n" +
        "        return double_bits(image.yx, order).yx;\n" +
        "    }\n" +
        "    return vec2<u32>(word_bits(image.x, order), word_bits(image.y, KEY_KIND + order));\n" +
        "}\n" +
        "\n" +
        "// The bits of an image from `shift` on, under `mask`; a digit may straddle the two words.\n" +
        "fn image_digit(image: vec2<u32>, shift: u32, mask: u32) -> u32 {\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return (image.x >> (shift & 31u)) & mask;\n" +
        "    }\n" +
        "    if (shift >= 32u) {\n" +
        "        return (image.y >> (shift & 31u)) & mask;\n" +
        "    }\n" +
        "    let high = select(image.y << ((32u - shift) & 31u), 0u, shift == 0u);\n" +
        "    return ((image.x >> (shift & 31u)) | high) & mask;\n" +
        "}\n" +
        "\n" +
        "// A digit of the key's image. Images of one word that are greater than `last` count as that.\n" +
        "fn key_digit(key: vec2<u32>, shift: u32, mask: u32, last: u32) -> u32 {\n" +
        "    var image = key_image(key);\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        image.x = min(image.x, last);\n" +
        "    }\n" +
        "    return image_digit(image, shift, mask);\n" +
        "}\n"
    },
    lane_portable: {
        uses: [],
        text:
        "// lane_portable: combine values across a workgroup, with barriers alone.\n" +
        "//\n" +
        "// Defines the same as lane_subgroup: group_exclusive. The kernel defines\n" +
        "// GROUP_SIZE (a multiple of 16), combine(a, b) (associative) and identity().\n" +
        "//\n" +
        "//     cells   | x0 … x15 | x16 … x31 | …      a row for each 16 invocations\n" +
        "//     sums    | s0       | s1        | …\n" +
        "//\n" +
        "// Every invocation combines what lies before it in its row, then the sums of the rows before: reads that\n" +
        "// depend on nothing, of one word by a whole row, instead of a chain through memory. The association is\n" +
        "// fixed, so rounding operators give the same bits on every device.\n" +
        "\n" +
        "const LANE_ROW: u32 = 16u;\n" +
        "const LANE_ROWS: u32 = 64u; // enough for 1,024 invocations\n" +
        "\n" +
        "var<workgroup> lane_cells: array<u32, GROUP_SIZE>;\n" +
        "var<workgroup> lane_sums: array<u32, LANE_ROWS>;\n" +
        "\n" +
        "fn lane_step(sum: u32, row: u32, i: u32, lane: u32) -> u32 {\n" +
        "    return select(sum, combine(sum, lane_cells[row + i]), i < lane);\n" +
        "}\n" +
        "\n" +
        "// x: what the invocations below this one combine to (the identity for the first).\n" +
        "// y: what all combine to. Called by all invocations of the workgroup, in uniform control flow.\n" +
        "fn group_exclusive(local: u32, value: u32) -> vec2<u32> {\n" +
        "    lane_cells[local] = value;\n" +
        "    workgroupBarrier();\n" +
        "    let lane = local % LANE_ROW;\n" +
        "    let row = local - lane;\n" +
        "    var before = identity();\n" +
        "    before = lane_step(before, row, 0u, lane);\n" +
        "    before = lane_step(before, row, 1u, lane);\n" +
        "    before = lane_step(before, row, 2u, lane);\n" +
        "    before = lane_step(before, row, 3u, lane);\n" +
        "    before = lane_step(before, row, 4u, lane);\n" +
        "    before = lane_step(before, row, 5u, lane);\n" +
        "    before = lane_step(before, row, 6u, lane);\n" +
        "    before = lane_step(before, row, 7u, lane);\n" +
        "    before = lane_step(before, row, 8u, lane);\n" +
        "    before = lane_step(before, row, 9u, lane);\n" +
        "    before = lane_step(before, row, 10u, lane);\n" +
        "    before = lane_step(before, row, 11u, lane);\n" +
        "    before = lane_step(before, row, 12u, lane);\n" +
        "    before = lane_step(before, row, 13u, lane);\n" +
        "    before = lane_step(before, row, 14u, lane);\n" +
        "    if (lane == LANE_ROW - 1u) {\n" +
        "        lane_sums[local / LANE_ROW] = combine(before, value);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    var rows = identity();\n" +
        "    var total = identity();\n" +
        "    for (var i = 0u; i < GROUP_SIZE / LANE_ROW; i += 4u) {\n" +
        "        let sums = vec4<u32>(lane_sums[i], lane_sums[i + 1u], lane_sums[i + 2u], lane_sums[i + 3u]);\n" +
        "        rows = select(rows, total, i == local / LANE_ROW);\n" +
        "        total = select(total, combine(total, sums.x), i < GROUP_SIZE / LANE_ROW);\n" +
        "        rows = select(rows, total, i + 1u == local / LANE_ROW);\n" +
        "        total = select(total, combine(total, sums.y), i + 1u < GROUP_SIZE / LANE_ROW);\n" +
        "        rows = select(rows, total, i + 2u == local / LANE_ROW);\n" +
        "        total = select(total, combine(total, sums.z), i + 2u < GROUP_SIZE / LANE_ROW);\n" +
        "        rows = select(rows, total, i + 3u == local / LANE_ROW);\n" +
        "        total = select(total, combine(total, sums.w), i + 3u < GROUP_SIZE / LANE_ROW);\n" +
        "    }\n" +
        "    // The next call writes the sums only behind a barrier that all reach after these reads, and the\n" +
        "    // cells after the second one here.\n" +
        "    return vec2<u32>(combine(rows, before), total);\n" +
        "}\n"
    },
    lane_subgroup: {
        uses: [],
        text:
        "// lane_subgroup: combine values across a workgroup, with subgroup shuffles of any width.\n" +
        "//\n" +
        "// Defines the same as lane_portable: group_exclusive. The kernel defines GROUP_SIZE (a multiple of\n" +
        "// the subgroup size), combine(a, b) (associative) and identity().\n" +
        "//\n" +
        "//     sums   | subgroup 0 | subgroup 1 | …     subgroups have 4 lanes or more\n" +
        "//\n" +
        "// A subgroup is taken to hold consecutive invocations of the one-dimensional workgroup, as all\n" +
        "// implementations lay it out. And it is taken to run together, which WGSL promises in uniform control\n" +
        "// flow but drivers do not keep after code that branched: on an H200 (driver 580.159) both naga's and\n" +
        "// Tint's radix_scatter ran these operations with parts of a subgroup. So only kernels whose\n" +
        "// invocations have never parted before the call may use this; the planner says which.\n" +
        "\n" +
        "const LANE_SUBGROUPS: u32 = 256u; // enough for 1,024 invocations\n" +
        "\n" +
        "var<workgroup> lane_sums: array<u32, LANE_SUBGROUPS>;\n" +
        "\n" +
        "// x: what the invocations below this one combine to (the identity for the first).\n" +
        "// y: what all combine to. Called by all invocations of the workgroup, in uniform control flow.\n" +
        "fn group_exclusive(local: u32, value: u32) -> vec2<u32> {\n" +
        "    // Counted, not taken from the builtins: some drivers report another width than they run.\n" +
        "    let number = subgroupExclusiveAdd(1u);\n" +
        "    let width = subgroupAdd(1u);\n" +
        "    var inclusive = value;\n" +
        "    // To 128, the widest there is: a bound that is the same for all keeps the shuffles in control flow\n" +
        "    // that a compiler can prove uniform. Beyond the width they change nothing.\n" +
        "    for (var distance = 1u; distance < 128u; distance <<= 1u) {\n" +
        "        let lower = subgroupShuffleUp(inclusive, distance);\n" +
        "        inclusive = select(inclusive, combine(lower, inclusive), number >= distance);\n" +
        "    }\n" +
        "    let lower = subgroupShuffleUp(inclusive, 1u);\n" +
        "    let subgroup = local / width;\n" +
        "    if (number == width - 1u) {\n" +
        "        lane_sums[subgroup] = inclusive;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    var before = identity();\n" +
        "    var total = identity();\n" +
        "    for (var i = 0u; i < GROUP_SIZE / width; i++) {\n" +
        "        before = select(before, total, i == subgroup);\n" +
        "        total = combine(total, lane_sums[i]);\n" +
        "    }\n" +
        "    workgroupBarrier(); // the next call writes the sums\n" +
        "    return vec2<u32>(select(before, combine(before, lower), number > 0u), total);\n" +
        "}\n"
    },
    local_network: {
        uses: [],
        text:
        "// local_network: the slow way of local_sort, whose memory it uses: right for any elements.\n" +
        "//\n" +
        "// A bitonic network sorts lone words in cells. Of elements of several, a word is a digit and, below that,\n" +
        "// the position, so that the sort is stable, and elements follow; for each digit, the least\n" +
        "// significant first. The network is that of kernels/bitonic.wgsl: all comparators point up, and any\n" +
        "// number of positions works.\n" +
        "\n" +
        "var<private> held: array<u32, ITEMS>; // what a window of the network holds\n" +
        "\n" +
        "fn exchange_held(i: u32, j: u32) {\n" +
        "    let lesser = min(held[i], held[j]);\n" +
        "    held[j] = max(held[i], held[j]);\n" +
        "    held[i] = lesser;\n" +
        "}\n" +
        "\n" +
        "// One step: registers whose numbers differ by `stride`.\n" +
        "fn cross(stride: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        let lower = i / stride * (2u * stride) + i % stride;\n" +
        "        exchange_held(lower, lower + stride);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// One step: register t of each run of 2 * stride with the one as far from the end.\n" +
        "fn flip(stride: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        let run = i / stride * (2u * stride);\n" +
        "        exchange_held(run + i % stride, run + 2u * stride - 1u - i % stride);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn merge_held(levels: u32, flips: bool) {\n" +
        "    var rest = levels;\n" +
        "    if (flips) {\n" +
        "        if (levels == 1u) { flip(1u); }\n" +
        "        if (levels == 2u) { flip(2u); }\n" +
        "        if (levels == 3u) { flip(4u); }\n" +
        "        rest--;\n" +
        "    }\n" +
        "    if (rest == 3u) { cross(4u); }\n" +
        "    if (rest >= 2u) { cross(2u); }\n" +
        "    if (rest >= 1u) { cross(1u); }\n" +
        "}\n" +
        "\n" +
        "// Run the levels from `low` on, up to 3, of positions that differ in 3 bits from bit `low` on, as\n" +
        "// kernels/bitonic.wgsl does. What lies past the cells is NONE and stays there.\n" +
        "fn run_windows(local: u32, size: u32, low: u32, levels: u32, flips: bool) {\n" +
        "    let below_low = (1u << low) - 1u;\n" +
        "    let half = select(0u, (1u << levels) >> 1u, flips);\n" +
        "    let blocks = ((size - 1u) >> (low + 3u)) + 1u;\n" +
        "    for (var number = local; number < blocks << low; number += GROUP_SIZE) {\n" +
        "        let origin = ((number >> low) << (low + 3u)) | (number & below_low);\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let position = origin ^ (i << low) ^ select(0u, below_low, flips && (i & half) == 0u);\n" +
        "            held[i] = NONE;\n" +
        "            if (position < capacity()) {\n" +
        "                held[i] = take(cell_of(position));\n" +
        "            }\n" +
        "        }\n" +
        "        merge_held(levels, flips);\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let position = origin ^ (i << low) ^ select(0u, below_low, flips && (i & half) == 0u);\n" +
        "            if (position < capacity()) {\n" +
        "                put(cell_of(position), held[i]);\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Sort the words in the cells of `size` positions; those of others are NONE.\n" +
        "fn sort_cells(local: u32, size: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    for (var stage = 1u; stage <= bit_length(size - 1u); stage++) {\n" +
        "        var top = stage;\n" +
        "        while (top > 0u) {\n" +
        "            let low = (top - 1u) / 3u * 3u;\n" +
        "            run_windows(local, size, low, top - low, top == stage);\n" +
        "            workgroupBarrier();\n" +
        "            top = low;\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Put word w of each element where place[] says that it comes from.\n" +
        "fn permute(local: u32, w: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        put(own_cell(local, i), get_word(w, i));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        set_word(w, i, take(cell_of(place[i])));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// The words to sort next: lone ones, or the digits at `shift` of what lies between the image and `least`.\n" +
        "// Digits have as many bits as a position leaves of a word.\n" +
        "fn put_digits(local: u32, size: u32, lone: bool, least: vec2<u32>, shift: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        var sorted = key_a[i];\n" +
        "        if (!lone) {\n" +
        "            sorted = (number_bits(above(i, least), shift) << position_bits()) | at;\n" +
        "        }\n" +
        "        put(own_cell(local, i), select(NONE, sorted, at < size));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Put elements in the order of their digits.\n" +
        "fn follow_digits(local: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        let source = take(own_cell(local, i)) & ((1u << position_bits()) - 1u);\n" +
        "        place[i] = select(at, source, at < size);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    permute(local, 0u);\n" +
        "    if (KEY_WORDS == 2u) { permute(local, 1u); }\n" +
        "    if (TIES) { permute(local, 2u); }\n" +
        "}\n" +
        "\n" +
        "// Put word w of each element back where it came from, which word 2 says.\n" +
        "fn put_back(local: u32, size: u32, w: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (key_c[i] < size) {\n" +
        "            put(cell_of(key_c[i]), get_word(w, i));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (i * GROUP_SIZE + local < size) {\n" +
        "            set_word(w, i, take(own_cell(local, i)));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Steps that have failed to sort have left equal keys in any order: with ties that is undone first.\n" +
        "fn sort_by_network(local: u32, size: u32, lone: bool, to_sub_bucket: vec4<u32>) {\n" +
        "    if (TIES && !lone) {\n" +
        "        put_back(local, size, 0u);\n" +
        "        if (KEY_WORDS == 2u) { put_back(local, size, 1u); }\n" +
        "        put_back(local, size, 2u);\n" +
        "    }\n" +
        "    for (var shift = 0u; shift < to_sub_bucket.z + 16u; shift += 32u - position_bits()) {\n" +
        "        put_digits(local, size, lone, to_sub_bucket.xy, shift);\n" +
        "        sort_cells(local, size);\n" +
        "        if (lone) {\n" +
        "            break;\n" +
        "        }\n" +
        "        follow_digits(local, size);\n" +
        "    }\n" +
        "    if (lone) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            key_a[i] = take(own_cell(local, i));\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    local_settle: {
        uses: [],
        text:
        "// local_settle: step 4 of local_sort, whose memory it uses: order what lies in order but for neighbours.\n" +
        "//\n" +
        "// An invocation sorts its run of 8 places, then merges its upper half with the next one's lower half. So\n" +
        "// what spans no more than two runs, with no more than 4 in either, is in order afterwards.\n" +
        "\n" +
        "var<workgroup> kept: array<u32, 12>; // the lower half of the first run: word 0, word 1, word 2\n" +
        "\n" +
        "// Whether element i comes after element j: the last word that is unequal decides, from the least\n" +
        "// significant word up.\n" +
        "fn comes_after(i: u32, j: u32) -> bool {\n" +
        "    var after = false;\n" +
        "    if (TIES) { after = key_c[i] > key_c[j]; }\n" +
        "    if (KEY_WORDS == 2u) { after = select(after, key_b[i] > key_b[j], key_b[i] != key_b[j]); }\n" +
        "    return select(after, key_a[i] > key_a[j], key_a[i] != key_a[j]);\n" +
        "}\n" +
        "\n" +
        "// The comparator: the lesser element ends in i, the greater in j.\n" +
        "fn exchange(i: u32, j: u32, lone: bool) {\n" +
        "    if (lone) {\n" +
        "        let lesser = min(key_a[i], key_a[j]);\n" +
        "        key_a[j] = max(key_a[i], key_a[j]);\n" +
        "        key_a[i] = lesser;\n" +
        "    } else {\n" +
        "        let swap = comes_after(i, j);\n" +
        "        let a = key_a[i];\n" +
        "        key_a[i] = select(a, key_a[j], swap);\n" +
        "        key_a[j] = select(key_a[j], a, swap);\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            let b = key_b[i];\n" +
        "            key_b[i] = select(b, key_b[j], swap);\n" +
        "            key_b[j] = select(key_b[j], b, swap);\n" +
        "        }\n" +
        "        if (TIES) {\n" +
        "            let c = key_c[i];\n" +
        "            key_c[i] = select(c, key_c[j], swap);\n" +
        "            key_c[j] = select(key_c[j], c, swap);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// A least network for 8: 19 comparators.\n" +
        "fn sort_run(lone: bool) {\n" +
        "    exchange(0u, 2u, lone); exchange(1u, 3u, lone); exchange(4u, 6u, lone); exchange(5u, 7u, lone);\n" +
        "    exchange(0u, 4u, lone); exchange(1u, 5u, lone); exchange(2u, 6u, lone); exchange(3u, 7u, lone);\n" +
        "    exchange(0u, 1u, lone); exchange(2u, 3u, lone); exchange(4u, 5u, lone); exchange(6u, 7u, lone);\n" +
        "    exchange(2u, 4u, lone); exchange(3u, 5u, lone);\n" +
        "    exchange(1u, 4u, lone); exchange(3u, 6u, lone);\n" +
        "    exchange(1u, 2u, lone); exchange(3u, 4u, lone); exchange(5u, 6u, lone);\n" +
        "}\n" +
        "\n" +
        "// Batcher's odd-even merge of registers 4 to 7 and 0 to 3, in this order.\n" +
        "fn merge_halves(lone: bool) {\n" +
        "    exchange(4u, 0u, lone); exchange(5u, 1u, lone); exchange(6u, 2u, lone); exchange(7u, 3u, lone);\n" +
        "    exchange(6u, 0u, lone); exchange(7u, 1u, lone);\n" +
        "    exchange(5u, 6u, lone); exchange(7u, 0u, lone); exchange(1u, 2u, lone);\n" +
        "}\n" +
        "\n" +
        "// Word w of all elements to their places, then those of the invocation's run back.\n" +
        "fn to_runs(local: u32, w: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        put(cell_of(place[i]), get_word(w, i));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let run = run_cell(local);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        set_word(w, i, take(run + i));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Word w of a run's lower half to the run's cells from `first` on.\n" +
        "fn give_lower(local: u32, w: u32, first: u32) {\n" +
        "    let run = run_cell(local) + first;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        put(run + i, get_word(w, i));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// What the next invocation gave.\n" +
        "fn take_lower(local: u32, w: u32, first: u32) {\n" +
        "    let next = run_cell(min(local + 1u, GROUP_SIZE - 1u)) + first;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        set_word(w, i, select(take(next + i), NONE, local == GROUP_SIZE - 1u));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Word w to its places after merge_halves, then those of elements `at` back.\n" +
        "fn from_runs(local: u32, w: u32) {\n" +
        "    let run = run_cell(local) + 4u;\n" +
        "    let next = run_cell(local + 1u);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        put(run + i, get_word(w, 4u + i));\n" +
        "        if (local < GROUP_SIZE - 1u) {\n" +
        "            put(next + i, get_word(w, i));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        set_word(w, i, take(own_cell(local, i)));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The lower half of the first run, which is at its places, aside, and word w of it to the cells.\n" +
        "fn keep_lower(local: u32) {\n" +
        "    if (local == 0u) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "            kept[i] = key_a[i];\n" +
        "            kept[4u + i] = key_b[i];\n" +
        "            kept[8u + i] = key_c[i];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn return_lower(local: u32, w: u32) {\n" +
        "    if (local < 4u) {\n" +
        "        put(local, kept[w * 4u + local]);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Step 4, for elements of word 0 alone.\n" +
        "fn settle_lone(local: u32) {\n" +
        "    to_runs(local, 0u);\n" +
        "    sort_run(true);\n" +
        "    // No other invocation reads the cells of a run before the barrier, nor after the merge those where it\n" +
        "    // writes: its own upper and the next one's lower half. The lower half of the first run stays.\n" +
        "    give_lower(local, 0u, 0u);\n" +
        "    workgroupBarrier();\n" +
        "    take_lower(local, 0u, 0u);\n" +
        "    merge_halves(true);\n" +
        "    from_runs(local, 0u);\n" +
        "}\n" +
        "\n" +
        "// The same for all words.\n" +
        "fn settle_words(local: u32) {\n" +
        "    to_runs(local, 0u);\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        workgroupBarrier();\n" +
        "        to_runs(local, 1u);\n" +
        "    }\n" +
        "    if (TIES) {\n" +
        "        workgroupBarrier();\n" +
        "        to_runs(local, 2u);\n" +
        "    }\n" +
        "    sort_run(false);\n" +
        "    // A run has cells for the lower halves of two words.\n" +
        "    let second = select(2u, 1u, KEY_WORDS == 2u);\n" +
        "    give_lower(local, 0u, 0u);\n" +
        "    give_lower(local, second, 4u);\n" +
        "    keep_lower(local);\n" +
        "    workgroupBarrier();\n" +
        "    take_lower(local, 0u, 0u);\n" +
        "    take_lower(local, second, 4u);\n" +
        "    if (KEY_WORDS == 2u && TIES) {\n" +
        "        workgroupBarrier();\n" +
        "        give_lower(local, 2u, 0u);\n" +
        "        workgroupBarrier();\n" +
        "        take_lower(local, 2u, 0u);\n" +
        "    }\n" +
        "    merge_halves(false);\n" +
        "    workgroupBarrier();\n" +
        "    return_lower(local, 0u);\n" +
        "    from_runs(local, 0u);\n" +
        "    if (KEY_WORDS == 2u) {\n" +
        "        workgroupBarrier();\n" +
        "        return_lower(local, 1u);\n" +
        "        from_runs(local, 1u);\n" +
        "    }\n" +
        "    if (TIES) {\n" +
        "        workgroupBarrier();\n" +
        "        return_lower(local, 2u);\n" +
        "        from_runs(local, 2u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Whether word w of the last element of a run's lower half is less (1) or greater (2) than that of the\n" +
        "// first of its upper half, or equal (0).\n" +
        "fn compare_halves(local: u32, w: u32) -> u32 {\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        put(own_cell(local, i), get_word(w, i));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let last = take(run_cell(local) + 3u);\n" +
        "    let first = take(run_cell(local) + 4u);\n" +
        "    return select(0u, 1u, last < first) + select(0u, 2u, last > first);\n" +
        "}\n" +
        "\n" +
        "// Whether all elements are in order after step 4, which leaves order in doubt only between the halves of\n" +
        "// each run.\n" +
        "fn in_order(local: u32, lone: bool) -> bool {\n" +
        "    var order = compare_halves(local, 0u);\n" +
        "    if (KEY_WORDS == 2u && !lone) {\n" +
        "        let next = compare_halves(local, 1u);\n" +
        "        order = select(order, next, order == 0u);\n" +
        "    }\n" +
        "    if (TIES && !lone) {\n" +
        "        let next = compare_halves(local, 2u);\n" +
        "        order = select(order, next, order == 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        put(0u, 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (order == 2u) {\n" +
        "        put(0u, 1u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        total = take(0u);\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&total) == 0u;\n" +
        "}\n"
    },
    local_sort: {
        uses: [],
        text:
        "// local_sort: sort the elements that a workgroup holds in registers.\n" +
        "//\n" +
        "// Element `at` is item i of invocation `local`, at = i * GROUP_SIZE + local, before and after. Where ties\n" +
        "// matter, a third word breaks them: where the element was before, so that the sort is stable. ITEMS is\n" +
        "// 8: the networks are written out for it.\n" +
        "//\n" +
        "// 1. measure   the range of the images; a map from it to 16 * GROUP_SIZE sub-buckets, two an element\n" +
        "// 2. count     an element's arrival rank in its sub-bucket; counters are bytes, four a word\n" +
        "// 3. start     counters are scanned; start + rank is the element's place\n" +
        "// 4. settle    through cells to runs of 8 places, one an invocation's; each sorts its run, then merges\n" +
        "//              its upper half with the next one's lower half; through cells to where results belong\n" +
        "//\n" +
        "// If no sub-bucket holds more than 5, each lies in at most two runs, no more than 4 in either, and step 4\n" +
        "// puts it in order. If one holds more, half as many counters of halfwords, which cannot run over, tell\n" +
        "// places, and the order is looked at after step 4: it is right if large sub-buckets are of equals. (With\n" +
        "// ties, they tell how many sub-buckets to give to each old one, and bytes count these.) If it is not, and a\n" +
        "// second step 4 does not help, a bitonic network does it all (lib/local_network).\n" +
        "//\n" +
        "// Elements of several words are packed into word 0 if what lies between images, and position if ties\n" +
        "// matter, fit: then all that follows is as of lone words.\n" +
        "//\n" +
        "//     cells while counting | counters or starts: 4 * GROUP_SIZE words | range, later sums of counters |\n" +
        "//     counter word w       | how many are in sub-bucket 4w | in 4w + 1 | in 4w + 2 | in 4w + 3 |\n" +
        "//     start word w         | for each of these 4 bits: how many are before it in w | 16 bits: before w |\n" +
        "//     of halfwords         | how many are in 4w, 4w + 1 | in 4w + 2, 4w + 3 |, then | the first | before w |\n" +
        "//     cells while moving   | one word of each element |\n" +
        "//\n" +
        "// The cell of a position or word p is p + p / 32: strides of 4, 8 and 16 meet no bank conflicts.\n" +
        "// Uses key, local_settle and local_network. The kernel declares GROUP_SIZE (a multiple of 32) and CELLS\n" +
        "// (GROUP_SIZE * 33 / 4).\n" +
        "\n" +
        "override TIES: bool = false; // there is a third word\n" +
        "\n" +
        "const NONE: u32 = 0xffffffffu; // each word of an element that does not exist\n" +
        "const ROW: u32 = 16u;          // values that one invocation scans; spots where an end of a range is sought\n" +
        "const MOST_TRIES: u32 = 2u;    // of step 4 with counters of halfwords\n" +
        "\n" +
        "var<workgroup> cells: array<atomic<u32>, CELLS>;\n" +
        "var<workgroup> map: vec4<u32>;\n" +
        "var<workgroup> total: u32;\n" +
        "\n" +
        "// Of each element word 0 and word 1, the image, the most significant first, and word 2, where it was.\n" +
        "var<private> key_a: array<u32, ITEMS>;\n" +
        "var<private> key_b: array<u32, ITEMS>;\n" +
        "var<private> key_c: array<u32, ITEMS>;\n" +
        "var<private> place: array<u32, ITEMS>; // where it goes; before, its sub-bucket * 8\n" +
        "var<private> rank: array<u32, ITEMS>;\n" +
        "\n" +
        "fn put(cell: u32, value: u32) {\n" +
        "    atomicStore(&cells[cell], value);\n" +
        "}\n" +
        "\n" +
        "fn take(cell: u32) -> u32 {\n" +
        "    return atomicLoad(&cells[cell]);\n" +
        "}\n" +
        "\n" +
        "fn cell_of(position: u32) -> u32 {\n" +
        "    return position + (position >> 5u);\n" +
        "}\n" +
        "\n" +
        "// The cell of position i * GROUP_SIZE + local.\n" +
        "fn own_cell(local: u32, i: u32) -> u32 {\n" +
        "    return cell_of(local) + i * (GROUP_SIZE + GROUP_SIZE / 32u);\n" +
        "}\n" +
        "\n" +
        "// The first cell of an invocation's run of 8 positions; the others follow it.\n" +
        "fn run_cell(local: u32) -> u32 {\n" +
        "    return local * 8u + (local >> 2u);\n" +
        "}\n" +
        "\n" +
        "// The first of the cells that neither counters nor starts use.\n" +
        "fn upper_cells() -> u32 {\n" +
        "    return GROUP_SIZE / 2u * 9u;\n" +
        "}\n" +
        "\n" +
        "// The greatest number of elements.\n" +
        "fn capacity() -> u32 {\n" +
        "    return GROUP_SIZE * 8u;\n" +
        "}\n" +
        "\n" +
        "fn get_word(w: u32, i: u32) -> u32 {\n" +
        "    if (w == 1u) { return key_b[i]; }\n" +
        "    if (w == 2u) { return key_c[i]; }\n" +
        "    return key_a[i];\n" +
        "}\n" +
        "\n" +
        "fn set_word(w: u32, i: u32, value: u32) {\n" +
        "    if (w == 0u) { key_a[i] = value; }\n" +
        "    if (w == 1u) { key_b[i] = value; }\n" +
        "    if (w == 2u) { key_c[i] = value; }\n" +
        "}\n" +
        "\n" +
        "// The image of a key, as memory has it, into words 0 and 1; and the key of them.\n" +
        "fn set_image(i: u32, key: vec2<u32>) {\n" +
        "    let image = key_image(key);\n" +
        "    key_a[i] = select(image.x, image.y, KEY_WORDS == 2u);\n" +
        "    key_b[i] = image.x;\n" +
        "}\n" +
        "\n" +
        "fn get_key(i: u32) -> vec2<u32> {\n" +
        "    return key_bits(vec2<u32>(select(key_a[i], key_b[i], KEY_WORDS == 2u), key_a[i]));\n" +
        "}\n" +
        "\n" +
        "fn bit_length(number: u32) -> u32 {\n" +
        "    var ones = number | (number >> 1u);\n" +
        "    ones |= ones >> 2u;\n" +
        "    ones |= ones >> 4u;\n" +
        "    ones |= ones >> 8u;\n" +
        "    return countOneBits(ones | (ones >> 16u));\n" +
        "}\n" +
        "\n" +
        "// ---- 1. Measure ----------------------------------------------------------------------------------\n" +
        "\n" +
        "// A number of the size of an image: y, and above it, of keys of two words, x.\n" +
        "fn number_bits(number: vec2<u32>, shift: u32) -> u32 {\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return number.y >> (shift & 31u);\n" +
        "    }\n" +
        "    return image_digit(number.yx, shift, NONE);\n" +
        "}\n" +
        "\n" +
        "// What lies between an image and one that is no greater.\n" +
        "fn above(i: u32, least: vec2<u32>) -> vec2<u32> {\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return vec2<u32>(0u, key_a[i] - least.x);\n" +
        "    }\n" +
        "    return vec2<u32>(key_a[i] - least.x, key_b[i] - least.y);\n" +
        "}\n" +
        "\n" +
        "// Set map: xy an image no greater than any, z how far to shift what lies above it, so that 16 bits\n" +
        "// remain, w by what to multiply these for 16.16 bits of sub-bucket; 0 if there is no range.\n" +
        "fn set_map(least: vec2<u32>, range: vec2<u32>) {\n" +
        "    let bits = select(bit_length(range.y), 32u + bit_length(range.x), range.x != 0u);\n" +
        "    let shift = max(bits, 16u) - 16u;\n" +
        "    let factor = ((GROUP_SIZE * 16u) << 16u) / (number_bits(range, shift) + 1u);\n" +
        "    map = vec4<u32>(least, shift, select(0u, factor, bits != 0u));\n" +
        "}\n" +
        "\n" +
        "fn clear_counters(local: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        put(i * GROUP_SIZE + local, 0u);\n" +
        "    }\n" +
        "    if (local < GROUP_SIZE / 8u) {\n" +
        "        put(GROUP_SIZE * 4u + local, 0u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Measure word w of the image, and set and return map. `first`: what word 0 of all is if w is 1.\n" +
        "fn measure(local: u32, w: u32, first: u32) -> vec4<u32> {\n" +
        "    let spots = upper_cells();\n" +
        "    if (local < 2u * ROW) {\n" +
        "        put(spots + local, select(0u, NONE, local < ROW));\n" +
        "    }\n" +
        "    clear_counters(local);\n" +
        "    workgroupBarrier();\n" +
        "    var least = NONE;\n" +
        "    var greatest = 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        least = min(least, get_word(w, i));\n" +
        "        greatest = max(greatest, get_word(w, i));\n" +
        "    }\n" +
        "    atomicMin(&cells[spots + local % ROW], least);\n" +
        "    atomicMax(&cells[spots + ROW + local % ROW], greatest);\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            least = min(least, min(take(spots + i), take(spots + ITEMS + i)));\n" +
        "            greatest = max(greatest, max(take(spots + ROW + i), take(spots + ROW + ITEMS + i)));\n" +
        "        }\n" +
        "        let range = greatest - least;\n" +
        "        if (w == 1u) {\n" +
        "            set_map(vec2<u32>(first, least), vec2<u32>(0u, range));\n" +
        "        } else if (KEY_WORDS == 1u || range == 0u) {\n" +
        "            set_map(vec2<u32>(least, 0u), vec2<u32>(0u, range));\n" +
        "        } else {\n" +
        "            set_map(vec2<u32>(least, 0u), vec2<u32>(range, NONE));\n" +
        "        }\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&map);\n" +
        "}\n" +
        "\n" +
        "// ---- 2., 3. Count and start ----------------------------------------------------------------------\n" +
        "\n" +
        "// Scan a value of each invocation. Once `total` has been loaded, the sum below one is below(local).\n" +
        "fn scan(local: u32, value: u32) {\n" +
        "    let first = upper_cells();\n" +
        "    let sums = first + cell_of(GROUP_SIZE);\n" +
        "    put(first + cell_of(local), value);\n" +
        "    workgroupBarrier();\n" +
        "    if (local < GROUP_SIZE / ROW) {\n" +
        "        let row = first + cell_of(local * ROW);\n" +
        "        var sum = 0u;\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let one = take(row + i);\n" +
        "            put(row + i, sum);\n" +
        "            sum += one;\n" +
        "        }\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let one = take(row + ITEMS + i);\n" +
        "            put(row + ITEMS + i, sum);\n" +
        "            sum += one;\n" +
        "        }\n" +
        "        put(sums + local, sum);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        var sum = 0u;\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            let one = take(sums + i);\n" +
        "            put(sums + i, sum);\n" +
        "            sum += one;\n" +
        "        }\n" +
        "        for (var i = ITEMS; i < GROUP_SIZE / ROW; i++) {\n" +
        "            let one = take(sums + i);\n" +
        "            put(sums + i, sum);\n" +
        "            sum += one;\n" +
        "        }\n" +
        "        total = sum;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn below(local: u32) -> u32 {\n" +
        "    let first = upper_cells();\n" +
        "    return take(first + cell_of(GROUP_SIZE) + local / ROW) + take(first + cell_of(local));\n" +
        "}\n" +
        "\n" +
        "// Set place[] to sub-buckets, with 3 bits of fraction: so a counter's lane in its word is at hand.\n" +
        "fn find_sub_buckets(to_sub_bucket: vec4<u32>) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let above_least = above(i, to_sub_bucket.xy);\n" +
        "        place[i] = (number_bits(above_least, to_sub_bucket.z) * to_sub_bucket.w) >> 13u;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn start_word(i: u32) -> u32 {\n" +
        "    return min(place[i] >> 5u, GROUP_SIZE * 4u - 1u);\n" +
        "}\n" +
        "\n" +
        "// From sub-buckets, by counters of bytes, places.\n" +
        "fn place_by_bytes(local: u32, size: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        let starts = take(cell_of(start_word(i)));\n" +
        "        let start = (starts >> 16u) + ((starts >> ((place[i] >> 1u) & 12u)) & 15u);\n" +
        "        let before = (rank[i] >> (place[i] & 24u)) & 255u;\n" +
        "        place[i] = select(at, start + before, at < size);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// By counters of halfwords. With ties these are not places, but again sub-buckets, two for each element\n" +
        "// of an old one, and an element's is as far in these as it is in all elements.\n" +
        "fn place_by_halfwords(local: u32, size: u32) {\n" +
        "    let step = (2u << 16u) / size;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        let w = start_word(i);\n" +
        "        let starts = take(cell_of(w));\n" +
        "        let upper = (place[i] & 16u) != 0u;\n" +
        "        let start = (starts >> 16u) + select(0u, starts & 0xffffu, upper);\n" +
        "        if (TIES) {\n" +
        "            var end = (starts >> 16u) + (starts & 0xffffu);\n" +
        "            if (upper) {\n" +
        "                end = size;\n" +
        "                if (w + 1u < GROUP_SIZE * 4u) {\n" +
        "                    end = take(cell_of(w + 1u)) >> 16u;\n" +
        "                }\n" +
        "            }\n" +
        "            place[i] = (start << 4u) + (((end - start) * (at * step)) >> 13u);\n" +
        "        } else {\n" +
        "            let before = (rank[i] >> select(0u, 16u, upper)) & 0xffffu;\n" +
        "            place[i] = select(at, start + before, at < size);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Count and scan with counters of bytes or of halfwords, and find places. False: a byte would count more\n" +
        "// than 5.\n" +
        "fn find_places(local: u32, size: u32, halfwords: bool) -> bool {\n" +
        "    let lanes = select(24u, 16u, halfwords);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if (i * GROUP_SIZE + local < size) {\n" +
        "            rank[i] = atomicAdd(&cells[cell_of(place[i] >> 5u)], 1u << (place[i] & lanes));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let own = cell_of(local * 4u);\n" +
        "    let counts = vec4<u32>(take(own), take(own + 1u), take(own + 2u), take(own + 3u));\n" +
        "    // A byte above 5 shows here. One that has run over has taken 255 or 256 off the sum.\n" +
        "    let excess = (counts | (counts + vec4<u32>(0x7a7a7a7au))) & vec4<u32>(0x80808080u);\n" +
        "    var over = select(0u, 0x10000u, any(excess != vec4<u32>(0u)));\n" +
        "    var sums = (counts * 0x01010101u) >> vec4<u32>(24u);\n" +
        "    // Of each byte the sum of the lower ones, which is 15 at most, to 4 x 4 bits.\n" +
        "    let bytes = counts * 0x01010100u;\n" +
        "    let pairs = (bytes | (bytes >> vec4<u32>(4u))) & vec4<u32>(0x00ff00ffu);\n" +
        "    var within = (pairs | (pairs >> vec4<u32>(8u))) & vec4<u32>(0x0000ffffu);\n" +
        "    if (halfwords) {\n" +
        "        over = 0u;\n" +
        "        within = counts & vec4<u32>(0xffffu);\n" +
        "        sums = within + (counts >> vec4<u32>(16u));\n" +
        "    }\n" +
        "    scan(local, sums.x + sums.y + sums.z + sums.w + over);\n" +
        "    if (workgroupUniformLoad(&total) != size) {\n" +
        "        return false;\n" +
        "    }\n" +
        "    let start = below(local);\n" +
        "    put(own, within.x | (start << 16u));\n" +
        "    put(own + 1u, within.y | ((start + sums.x) << 16u));\n" +
        "    put(own + 2u, within.z | ((start + sums.x + sums.y) << 16u));\n" +
        "    put(own + 3u, within.w | ((start + sums.x + sums.y + sums.z) << 16u));\n" +
        "    workgroupBarrier();\n" +
        "    if (halfwords) {\n" +
        "        place_by_halfwords(local, size);\n" +
        "    } else {\n" +
        "        place_by_bytes(local, size);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    return true;\n" +
        "}\n" +
        "\n" +
        "// ---- All of it -----------------------------------------------------------------------------------\n" +
        "\n" +
        "fn position_bits() -> u32 {\n" +
        "    return bit_length(capacity() - 1u);\n" +
        "}\n" +
        "\n" +
        "// Whether elements are or can be packed into one word.\n" +
        "fn is_lone(to_sub_bucket: vec4<u32>) -> bool {\n" +
        "    if (KEY_WORDS == 1u && !TIES) {\n" +
        "        return true;\n" +
        "    }\n" +
        "    return to_sub_bucket.z + 16u + select(0u, position_bits(), TIES) <= 32u;\n" +
        "}\n" +
        "\n" +
        "fn pack(local: u32, least: vec2<u32>) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        key_a[i] = above(i, least).y;\n" +
        "        if (TIES) {\n" +
        "            key_a[i] = (key_a[i] << position_bits()) | (i * GROUP_SIZE + local);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn unpack(least: vec2<u32>) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        var over = key_a[i];\n" +
        "        if (TIES) {\n" +
        "            over = key_a[i] >> position_bits();\n" +
        "            key_c[i] = key_a[i] & ((1u << position_bits()) - 1u);\n" +
        "        }\n" +
        "        if (KEY_WORDS == 1u) {\n" +
        "            key_a[i] = least.x + over;\n" +
        "        } else {\n" +
        "            key_a[i] = least.x; // or a range would have 33 bits or more\n" +
        "            key_b[i] = least.y + over;\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Sort by sub-buckets: true if that has done.\n" +
        "fn sort_by_places(local: u32, size: u32, lone: bool) -> bool {\n" +
        "    var in_doubt = false;\n" +
        "    var halfwords = false;\n" +
        "    loop {\n" +
        "        let found = find_places(local, size, halfwords);\n" +
        "        if (found && !(TIES && halfwords)) {\n" +
        "            for (var tries = 0u; tries < MOST_TRIES; tries++) {\n" +
        "                if (lone) {\n" +
        "                    settle_lone(local);\n" +
        "                } else {\n" +
        "                    settle_words(local);\n" +
        "                }\n" +
        "                if (!in_doubt) {\n" +
        "                    return true;\n" +
        "                }\n" +
        "                if (in_order(local, lone)) {\n" +
        "                    return true;\n" +
        "                }\n" +
        "                //@unroll\n" +
        "                for (var i = 0u; i < ITEMS; i++) {\n" +
        "                    place[i] = i * GROUP_SIZE + local;\n" +
        "                }\n" +
        "            }\n" +
        "            return false;\n" +
        "        }\n" +
        "        if (!found && in_doubt) {\n" +
        "            return false;\n" +
        "        }\n" +
        "        halfwords = !in_doubt;\n" +
        "        in_doubt = true;\n" +
        "        clear_counters(local);\n" +
        "        workgroupBarrier();\n" +
        "    }\n" +
        "    return false;\n" +
        "}\n" +
        "\n" +
        "// Sort `size` elements, 1 or more. Others are copies of some of these, and are lost. False: all are the\n" +
        "// same and nothing has changed. Called in uniform control flow, with cells that no invocation reads any\n" +
        "// more.\n" +
        "fn sort_held(local: u32, size: u32) -> bool {\n" +
        "    var to_sub_bucket = measure(local, 0u, 0u);\n" +
        "    if (KEY_WORDS == 2u && to_sub_bucket.w == 0u) {\n" +
        "        to_sub_bucket = measure(local, 1u, to_sub_bucket.x);\n" +
        "    }\n" +
        "    if (to_sub_bucket.w == 0u) {\n" +
        "        return false;\n" +
        "    }\n" +
        "    let lone = is_lone(to_sub_bucket);\n" +
        "    let packs = lone && (KEY_WORDS == 2u || TIES);\n" +
        "    find_sub_buckets(to_sub_bucket);\n" +
        "    if (packs) {\n" +
        "        pack(local, to_sub_bucket.xy);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let exists = i * GROUP_SIZE + local < size;\n" +
        "        key_a[i] = select(NONE, key_a[i], exists);\n" +
        "        key_b[i] = select(NONE, key_b[i], exists);\n" +
        "        key_c[i] = select(NONE, key_c[i], exists);\n" +
        "    }\n" +
        "    if (!sort_by_places(local, size, lone)) {\n" +
        "        sort_by_network(local, size, lone, to_sub_bucket);\n" +
        "    }\n" +
        "    if (packs) {\n" +
        "        unpack(to_sub_bucket.xy);\n" +
        "    }\n" +
        "    return true;\n" +
        "}\n"
    },
    msd: {
        uses: [],
        text:
        "// msd: the lists of a most-significant-digit sort, and which keys a tile has.\n" +
        "//\n" +
        "//     work     | control | items | records of even levels | of odd ones | tiles of even levels | of odd ones | tables |\n" +
        "//     control  | 0: the root | 1: items | of each level: tiles, words of records, words of tables | … | 60: base, zeros |\n" +
        "//     item     | start | size, and where it lies |                  for msd_local, which explains it\n" +
        "//     record   | start | size | shift, bits of its digit, passes | first tile | table | totals, a word a digit | cursors, the same | base, if FIXED_ROOT |\n" +
        "//     tile     | the record that it belongs to |\n" +
        "//     table    | digit 0: tile 0, tile 1, … | digit 1: … |   of a stable partition, for each bucket\n" +
        "//\n" +
        "// A record stands for a bucket: keys that share all bits of the image, counted from `base` on, above its\n" +
        "// digit. Keys of a bucket with one digit are a child, which is a bucket of the next level if it is large. A\n" +
        "// level's tiles are numbered bucket by bucket; only the last of a bucket may be short. Images are counted\n" +
        "// from 0 on, but below a root of fixed-point digits (lib/msd_digit).\n" +
        "//\n" +
        "//     root     | shift, bits of its digit | the digit of its lowest keys, or a form | what is promised of all keys |\n" +
        "//\n" +
        "// The root's digit is the plan's, or what a sample of the keys makes of it (msd_begin): then the digits of\n" +
        "// images from `base` on, which need not begin with digit 0, and every image is promised to differ from\n" +
        "// `base` by a number that has none of the bits `zeros`. It has a second record, behind the first: if a key\n" +
        "// breaks the promise, the plan's digit is counted after all.\n" +
        "//\n" +
        "// If keys of one word with values crowd in the sample, so that many of them would take all levels, and the sort is\n" +
        "// stable, all stay one bucket, and each level is a pass: a partition by a digit, the lowest first, which leaves\n" +
        "// them in order in the end.\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32,\n" +
        "    level: u32,\n" +
        "    last_level: u32,\n" +
        "    key_bits: u32,\n" +
        "    digit_bits: u32,   // the most that a digit has\n" +
        "    item_count: u32,   // keys of an item, at most\n" +
        "    filled_count: u32, // keys of an item, on average, where keys are spread evenly\n" +
        "    root_bits: u32,    // of the first digit\n" +
        "    items: u32,        // where in `work` the parts are, in words\n" +
        "    records: u32,      // of this level\n" +
        "    next_records: u32,\n" +
        "    tiles: u32,\n" +
        "    next_tiles: u32,\n" +
        "    tables: u32,\n" +
        "    sampled: u32,      // whether the root's word is more than the plan's\n" +
        "}\n" +
        "\n" +
        "override FIXED_ROOT: bool = false; // keys of 32-bit floats may have a root of fixed-point digits\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> work: array<atomic<u32>>;\n" +
        "\n" +
        "const ROOT: u32 = 0u;\n" +
        "const ITEM_COUNT: u32 = 1u;\n" +
        "const BASE: u32 = 60u;\n" +
        "const ZEROS: u32 = 62u;\n" +
        "\n" +
        "// Of the root's word, from the lowest bit: 6 of the shift, 5 of the bits, 14 of the lowest keys' digit, and:\n" +
        "const ROOT_PASSES: u32 = 1u << 25u;     // levels are passes, the digit is the lowest\n" +
        "const ROOT_FIXED: u32 = 1u << 26u;      // digits are those of fixed-point numbers, of a form instead of a lowest digit\n" +
        "const ROOT_DESCENDING: u32 = 1u << 27u; // all keys stand in the reverse of the order, or\n" +
        "const ROOT_ASCENDING: u32 = 1u << 28u;  // in the order, already\n" +
        "const ROOT_FILLED: u32 = 1u << 29u;     // keys that are alone differ in the digit only\n" +
        "const ROOT_BROKEN: u32 = 1u << 30u;     // a key breaks the promised range\n" +
        "const ROOT_RANGED: u32 = 1u << 31u;     // there is a range\n" +
        "const ROOT_ORDERED: u32 = ROOT_DESCENDING | ROOT_ASCENDING;\n" +
        "const ROOT_PROMISES: u32 = ROOT_ORDERED | ROOT_RANGED;\n" +
        "\n" +
        "const LEAST_ROOT_BITS: u32 = 7u; // of images, or as many as a digit has\n" +
        "\n" +
        "const NO_TILE: u32 = 0xffffffffu; // the number of none\n" +
        "const RECORD_START: u32 = 0u;\n" +
        "const RECORD_SIZE: u32 = 1u;\n" +
        "const RECORD_DIGIT: u32 = 2u; // shift | bits << 8 | passes << 16\n" +
        "const RECORD_TILE: u32 = 3u;\n" +
        "const RECORD_TABLE: u32 = 4u;\n" +
        "const RECORD_TOTALS: u32 = 5u;\n" +
        "\n" +
        "struct Tile {\n" +
        "    first: u32, // its keys\n" +
        "    held: u32,\n" +
        "    index: u32, // among those of its bucket, which are so many:\n" +
        "    tiles: u32,\n" +
        "    start: u32, // of the bucket\n" +
        "    shift: u32,\n" +
        "    bits: u32,\n" +
        "    lowest: u32, // the digit of its lowest keys; digits go on from there, from the last one to 0\n" +
        "    record: u32, // where they are in `work`\n" +
        "    table: u32,\n" +
        "    base: u32, // where images are counted from\n" +
        "    form: u32, // of fixed-point digits; 0: digits are those of images\n" +
        "    passes: u32, // 1: the level is a pass\n" +
        "}\n" +
        "\n" +
        "var<workgroup> shared_tile: Tile;\n" +
        "var<workgroup> shared_root: u32;\n" +
        "\n" +
        "fn tile_count_at(level: u32) -> u32 {\n" +
        "    return 2u + 3u * level;\n" +
        "}\n" +
        "\n" +
        "fn record_words_at(level: u32) -> u32 {\n" +
        "    return 3u + 3u * level;\n" +
        "}\n" +
        "\n" +
        "fn table_words_at(level: u32) -> u32 {\n" +
        "    return 4u + 3u * level;\n" +
        "}\n" +
        "\n" +
        "// Tile `number` of the level; past the last one it holds nothing.\n" +
        "fn level_tile(number: u32) -> Tile {\n" +
        "    if (params.level == 0u) {\n" +
        "        return root_tile(number, settled_root(root_word()));\n" +
        "    }\n" +
        "    return listed_tile(number);\n" +
        "}\n" +
        "\n" +
        "// The same for all invocations, which call it together.\n" +
        "fn find_tile(local: u32, number: u32) -> Tile {\n" +
        "    if (local == 0u) {\n" +
        "        shared_tile = level_tile(number);\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&shared_tile);\n" +
        "}\n" +
        "\n" +
        "// The digit of a bucket's child `place`, if children are numbered in order.\n" +
        "fn child_digit(tile: Tile, place: u32) -> u32 {\n" +
        "    let mask = (1u << tile.bits) - 1u;\n" +
        "    return select(place, (place + tile.lowest) & mask, place <= mask);\n" +
        "}\n" +
        "\n" +
        "// Where keys were not sampled, nothing is read to know the root.\n" +
        "fn root_word() -> u32 {\n" +
        "    if (params.sampled == 0u) {\n" +
        "        return planned_root();\n" +
        "    }\n" +
        "    return atomicLoad(&work[ROOT]);\n" +
        "}\n" +
        "\n" +
        "// The root as all invocations see it.\n" +
        "fn load_root(local: u32) -> u32 {\n" +
        "    if (local == 0u) {\n" +
        "        shared_root = root_word();\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&shared_root);\n" +
        "}\n" +
        "\n" +
        "fn control_pair(word: u32) -> vec2<u32> {\n" +
        "    return vec2<u32>(atomicLoad(&work[word]), atomicLoad(&work[word + 1u]));\n" +
        "}\n" +
        "\n" +
        "fn root_of(shift: u32, bits: u32, lowest: u32) -> u32 {\n" +
        "    return shift | (bits << 6u) | (lowest << 11u);\n" +
        "}\n" +
        "\n" +
        "fn planned_root() -> u32 {\n" +
        "    return root_of(params.key_bits - params.root_bits, params.root_bits, 0u);\n" +
        "}\n" +
        "\n" +
        "fn is_filled(root: u32) -> bool {\n" +
        "    return (root & (ROOT_FILLED | ROOT_BROKEN)) == ROOT_FILLED;\n" +
        "}\n" +
        "\n" +
        "// What the promises have come to when all keys have been looked at: the root that is to be taken, or 0 if\n" +
        "// msd_finish leaves nothing to do.\n" +
        "fn settled_root(root: u32) -> u32 {\n" +
        "    if ((root & ROOT_ORDERED) != 0u || is_filled(root)) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    let ranged = (root & (ROOT_RANGED | ROOT_BROKEN)) == ROOT_RANGED;\n" +
        "    return select(planned_root(), root, ranged || (root & (ROOT_FIXED | ROOT_PASSES)) != 0u);\n" +
        "}\n" +
        "\n" +
        "// How many passes sort any keys: an even number, so that the last one leaves them where the sort ends.\n" +
        "fn pass_total() -> u32 {\n" +
        "    let least = div_ceil(params.key_bits, params.digit_bits);\n" +
        "    return least + least % 2u;\n" +
        "}\n" +
        "\n" +
        "// Bits of the digit of a pass, if those below have taken so many.\n" +
        "fn pass_bits(level: u32, taken: u32) -> u32 {\n" +
        "    return div_ceil(params.key_bits - taken, pass_total() - level);\n" +
        "}\n" +
        "\n" +
        "fn second_record() -> u32 {\n" +
        "    return params.records + RECORD_TOTALS + (2u << params.digit_bits);\n" +
        "}\n" +
        "\n" +
        "// The root's tiles are not listed. A digit of no bits has none.\n" +
        "fn root_tile(number: u32, root: u32) -> Tile {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let tiles = div_ceil(element_total, params.tile_items);\n" +
        "    let bits = (root >> 6u) & 31u;\n" +
        "    var first = element_total;\n" +
        "    if (number < tiles && bits > 0u) {\n" +
        "        first = number * params.tile_items;\n" +
        "    }\n" +
        "    let fixed = (root & ROOT_FIXED) != 0u;\n" +
        "    let lowest = (root >> 11u) & 0x3fffu;\n" +
        "    return Tile(first, min(params.tile_items, element_total - first), number, tiles, 0u, root & 63u,\n" +
        "                bits, select(lowest, 0u, fixed),\n" +
        "                select(params.records, second_record(), (root & ROOT_RANGED) != 0u), params.tables, 0u,\n" +
        "                select(0u, lowest, fixed), select(0u, 1u, (root & ROOT_PASSES) != 0u));\n" +
        "}\n" +
        "\n" +
        "// Where a record has the image that its keys' are counted from.\n" +
        "fn record_base(record: u32, bits: u32) -> u32 {\n" +
        "    return record + RECORD_TOTALS + (2u << bits);\n" +
        "}\n" +
        "\n" +
        "fn listed_tile(number: u32) -> Tile {\n" +
        "    let record = atomicLoad(&work[params.tiles + number]);\n" +
        "    if (number >= atomicLoad(&work[tile_count_at(params.level)])) {\n" +
        "        return Tile(0u, 0u, 0u, 0u, 0u, 0u, 1u, 0u, params.records, params.tables, 0u, 0u, 0u);\n" +
        "    }\n" +
        "    let start = atomicLoad(&work[record + RECORD_START]);\n" +
        "    let size = atomicLoad(&work[record + RECORD_SIZE]);\n" +
        "    let digit = atomicLoad(&work[record + RECORD_DIGIT]);\n" +
        "    let index = number - atomicLoad(&work[record + RECORD_TILE]);\n" +
        "    let done = index * params.tile_items;\n" +
        "    let bits = (digit >> 8u) & 0xffu;\n" +
        "    var base = 0u;\n" +
        "    if (FIXED_ROOT) {\n" +
        "        base = atomicLoad(&work[record_base(record, bits)]);\n" +
        "    }\n" +
        "    return Tile(start + done, min(params.tile_items, size - done), index,\n" +
        "                div_ceil(size, params.tile_items), start, digit & 0xffu, bits, 0u, record,\n" +
        "                params.tables + atomicLoad(&work[record + RECORD_TABLE]), base, 0u, digit >> 16u);\n" +
        "}\n" +
        "\n" +
        "// How many bits the digit of a bucket below the root has, if `left` bits of its keys may differ: so many\n" +
        "// that children fill items. From the third level on, which keys spread evenly do not reach, also so many\n" +
        "// that none are left after the last one, whatever the keys; from the second on if levels are just enough.\n" +
        "// A child of a fixed-point root that more bits are left of than a root of images leaves takes all it can.\n" +
        "fn record_bits(size: u32, left: u32, level: u32) -> u32 {\n" +
        "    var bits = 1u;\n" +
        "    while (bits < 32u && (size >> bits) >= params.filled_count) {\n" +
        "        bits++;\n" +
        "    }\n" +
        "    let just_enough = params.last_level * params.digit_bits < params.key_bits;\n" +
        "    if (level >= 2u || just_enough) {\n" +
        "        bits = max(bits, div_ceil(left, params.last_level - level + 1u));\n" +
        "    }\n" +
        "    if (FIXED_ROOT && left + min(params.digit_bits, LEAST_ROOT_BITS) > params.key_bits) {\n" +
        "        bits = params.digit_bits;\n" +
        "    }\n" +
        "    return min(bits, min(left, params.digit_bits));\n" +
        "}\n"
    },
    msd_children: {
        uses: [],
        text:
        "// msd_children: what becomes of a bucket's children. Uses count, wide, msd, msd_digit, sum_pair.\n" +
        "//\n" +
        "// A child of up to half an item shares one with the neighbours that start in the same stretch of half an item; a\n" +
        "// greater one that fits is an item alone. Of those that do not fit, keys whose bits are exhausted, as after the\n" +
        "// last level all are, are equal, and become items of any part; others become buckets of the next level.\n" +
        "//\n" +
        "//     cells   | which run of children it is in, a child | start, a child | equal children: start, size, first item, … |\n" +
        "//\n" +
        "// An invocation stands for a child: local < digits. The kernel defines GROUP_SIZE, at least BINS, and `cells`,\n" +
        "// atomics, of which it takes 5 * BINS and those of sum_pair.\n" +
        "\n" +
        "const LISTS: u32 = 4u; // items, records, tiles, tables\n" +
        "\n" +
        "var<workgroup> equal_count: atomic<u32>; // entries of `cells`\n" +
        "var<workgroup> equal_total: u32;\n" +
        "var<workgroup> wanted: array<atomic<u32>, LISTS>; // of each list, and where that is\n" +
        "var<workgroup> allocated: array<u32, LISTS>;\n" +
        "\n" +
        "var<private> child_start: u32;\n" +
        "var<private> child_size: u32;\n" +
        "\n" +
        "fn load_child_size(local: u32, tile: Tile) {\n" +
        "    child_size = 0u;\n" +
        "    if (local < (1u << tile.bits)) {\n" +
        "        child_size = atomicLoad(&work[tile.record + RECORD_TOTALS + child_digit(tile, local)]);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn write_item(item: u32, start: u32, size: u32) {\n" +
        "    atomicStore(&work[params.items + 2u * item], start);\n" +
        "    atomicStore(&work[params.items + 2u * item + 1u], size | ((params.level & 1u) << 31u));\n" +
        "}\n" +
        "\n" +
        "// The counter of a list; items are of all levels.\n" +
        "fn list_counter(list: u32) -> u32 {\n" +
        "    let next = params.level + 1u;\n" +
        "    let of_next = select(select(table_words_at(next), tile_count_at(next), list == 2u),\n" +
        "                         record_words_at(next), list == 1u);\n" +
        "    return select(of_next, ITEM_COUNT, list == 0u);\n" +
        "}\n" +
        "\n" +
        "// Take as much of each list as the invocations ask for. Returns where this one's begin: in no particular order,\n" +
        "// from `allocated` on, and `wanted` in all.\n" +
        "fn allocate(local: u32, wants: vec4<u32>) -> vec4<u32> {\n" +
        "    let before = vec4<u32>(atomicAdd(&wanted[0], wants.x), atomicAdd(&wanted[1], wants.y),\n" +
        "                           atomicAdd(&wanted[2], wants.z), atomicAdd(&wanted[3], wants.w));\n" +
        "    workgroupBarrier();\n" +
        "    if (local < LISTS) {\n" +
        "        allocated[local] = atomicAdd(&work[list_counter(local)], atomicLoad(&wanted[local]));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    return before + vec4<u32>(allocated[0], allocated[1], allocated[2], allocated[3]);\n" +
        "}\n" +
        "\n" +
        "// What a child becomes that is a bucket of the next level.\n" +
        "struct Bucket {\n" +
        "    left: u32, // bits in which its keys may differ,\n" +
        "    base: u32, // counted from this image on\n" +
        "    bits: u32, // of its digit\n" +
        "    tiles: u32,\n" +
        "}\n" +
        "\n" +
        "fn bucket_of_child(local: u32, tile: Tile) -> Bucket {\n" +
        "    var bucket = Bucket(tile.shift, tile.base, 0u, div_ceil(child_size, params.tile_items));\n" +
        "    if (FIXED_ROOT && tile.form != 0u) {\n" +
        "        bucket.base = least_of_child(local, tile);\n" +
        "        bucket.left = word_width(least_of_child(local + 1u, tile) - 1u - bucket.base);\n" +
        "    }\n" +
        "    bucket.bits = record_bits(child_size, bucket.left, params.level + 1u);\n" +
        "    return bucket;\n" +
        "}\n" +
        "\n" +
        "// Items, words of records, tiles and words of tables that it takes.\n" +
        "fn bucket_wants(bucket: Bucket) -> vec4<u32> {\n" +
        "    return vec4<u32>(0u, record_base(0u, bucket.bits) + select(0u, 1u, FIXED_ROOT), bucket.tiles,\n" +
        "                     bucket.tiles << bucket.bits);\n" +
        "}\n" +
        "\n" +
        "// Make buckets of the children that are large, each at its places in the lists.\n" +
        "fn open_buckets(local: u32, bucket: Bucket, at: vec4<u32>, large: bool) {\n" +
        "    let end = allocated[1] + atomicLoad(&wanted[1]);\n" +
        "    for (var i = allocated[1] + local; i < end; i += GROUP_SIZE) {\n" +
        "        atomicStore(&work[params.next_records + i], 0u);\n" +
        "    }\n" +
        "    storageBarrier();\n" +
        "    if (large) {\n" +
        "        let record = params.next_records + at.y;\n" +
        "        atomicStore(&work[record + RECORD_START], child_start);\n" +
        "        atomicStore(&work[record + RECORD_SIZE], child_size);\n" +
        "        atomicStore(&work[record + RECORD_DIGIT], (bucket.left - bucket.bits) | (bucket.bits << 8u));\n" +
        "        atomicStore(&work[record + RECORD_TILE], at.z);\n" +
        "        atomicStore(&work[record + RECORD_TABLE], at.w);\n" +
        "        if (FIXED_ROOT) {\n" +
        "            atomicStore(&work[record_base(record, bucket.bits)], bucket.base);\n" +
        "        }\n" +
        "        for (var i = 0u; i < bucket.tiles; i++) {\n" +
        "            atomicStore(&work[params.next_tiles + at.z + i], record);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The children that are large hold equal keys: cut each into items, all invocations together.\n" +
        "fn cut_equals(local: u32, item: u32, large: bool) {\n" +
        "    if (large) {\n" +
        "        let entry = 2u * BINS + 3u * atomicAdd(&equal_count, 1u);\n" +
        "        atomicStore(&cells[entry], child_start);\n" +
        "        atomicStore(&cells[entry + 1u], child_size);\n" +
        "        atomicStore(&cells[entry + 2u], item);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        equal_total = atomicLoad(&equal_count);\n" +
        "    }\n" +
        "    let total = workgroupUniformLoad(&equal_total);\n" +
        "    for (var k = 0u; k < total; k++) {\n" +
        "        let entry = 2u * BINS + 3u * k;\n" +
        "        let start = atomicLoad(&cells[entry]);\n" +
        "        let size = atomicLoad(&cells[entry + 1u]);\n" +
        "        let first_item = atomicLoad(&cells[entry + 2u]);\n" +
        "        for (var i = local; i < div_ceil(size, params.item_count); i += GROUP_SIZE) {\n" +
        "            let done = i * params.item_count;\n" +
        "            write_item(first_item + i, start + done, min(params.item_count, size - done));\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// After a pass: all keys are the bucket of the next one, or in order.\n" +
        "fn publish_pass(local: u32, tile: Tile) {\n" +
        "    let taken = tile.shift + tile.bits;\n" +
        "    if (taken == params.key_bits) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let next = params.level + 1u;\n" +
        "    let bits = pass_bits(next, taken);\n" +
        "    let record = params.next_records;\n" +
        "    for (var i = local; i <= record_base(0u, bits); i += GROUP_SIZE) {\n" +
        "        atomicStore(&work[record + i], 0u);\n" +
        "    }\n" +
        "    storageBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&work[record + RECORD_SIZE], element_count(params.max_count));\n" +
        "        atomicStore(&work[record + RECORD_DIGIT], taken | (bits << 8u) | (1u << 16u));\n" +
        "        atomicStore(&work[tile_count_at(next)], tile.tiles);\n" +
        "    }\n" +
        "    for (var i = local; i < tile.tiles; i += GROUP_SIZE) {\n" +
        "        atomicStore(&work[params.next_tiles + i], record);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The children of a bucket, by one workgroup of all invocations.\n" +
        "fn publish_children(local: u32, tile: Tile) {\n" +
        "    if (tile.passes != 0u) {\n" +
        "        publish_pass(local, tile);\n" +
        "        return;\n" +
        "    }\n" +
        "    let digits = 1u << tile.bits;\n" +
        "    let exists = local < digits;\n" +
        "    load_child_size(local, tile);\n" +
        "    let before = pair_exclusive(local, vec2<u32>(child_size, 0u));\n" +
        "    child_start = tile.start + before.x;\n" +
        "    workgroupBarrier();\n" +
        "    let stretch = params.item_count / 2u;\n" +
        "    let run = select((child_start - tile.start) / stretch, ~local, child_size > stretch);\n" +
        "    if (local < BINS) {\n" +
        "        atomicStore(&cells[local], run);\n" +
        "        atomicStore(&cells[BINS + local], child_start);\n" +
        "    }\n" +
        "    if (local < LISTS) {\n" +
        "        atomicStore(&wanted[local], 0u);\n" +
        "    }\n" +
        "    if (local == 0u) {\n" +
        "        atomicStore(&equal_count, 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let large = exists && child_size > params.item_count;\n" +
        "    var size = 0u; // of the item that this child is the first of\n" +
        "    if (exists && !large && (local == 0u || atomicLoad(&cells[max(local, 1u) - 1u]) != run)) {\n" +
        "        var end = local + 1u;\n" +
        "        while (end < digits && atomicLoad(&cells[end]) == run) {\n" +
        "            end++;\n" +
        "        }\n" +
        "        var end_place = tile.start + before.z;\n" +
        "        if (end < digits) {\n" +
        "            end_place = atomicLoad(&cells[BINS + end]);\n" +
        "        }\n" +
        "        size = end_place - child_start;\n" +
        "    }\n" +
        "    let bucket = bucket_of_child(local, tile);\n" +
        "    let exhausted = tile.shift == 0u;\n" +
        "    var wants = select(vec4<u32>(0u), bucket_wants(bucket), large && !exhausted);\n" +
        "    wants.x = select(select(0u, 1u, size > 0u), div_ceil(child_size, params.item_count), large && exhausted);\n" +
        "    let at = allocate(local, wants);\n" +
        "    if (size > 0u) {\n" +
        "        write_item(at.x, child_start, size);\n" +
        "    }\n" +
        "    if (exhausted) {\n" +
        "        cut_equals(local, at.x, large);\n" +
        "    } else {\n" +
        "        open_buckets(local, bucket, at, large);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n"
    },
    msd_count: {
        uses: [],
        text:
        "// msd_count: count the digits of tiles' keys. Uses count, msd_digit.\n" +
        "//\n" +
        "// A workgroup counts a tile's keys in its own memory, part after part, GROUP_SIZE * ITEMS keys each, and adds\n" +
        "// them to the totals of the bucket's record, after all its tiles that follow one another and share it. For a\n" +
        "// stable partition it also writes the tile's column of the bucket's table.\n" +
        "//\n" +
        "//     bins   | copy 0: a count a digit, one word left out | copy 1: … | … |\n" +
        "//\n" +
        "// Where most keys have the same few digits, additions to one word wait for each other: so neighbours add to\n" +
        "// different copies, which lie in different banks. The kernel defines GROUP_SIZE and BINS.\n" +
        "\n" +
        "override STABLE: bool = false;\n" +
        "\n" +
        "@group(0) @binding(3) var<storage, read_write> keys: array<u32>;\n" +
        "\n" +
        "const COPIES: u32 = 4u;\n" +
        "override COPY_WORDS: u32 = BINS + 1u;\n" +
        "override BIN_COUNT: u32 = COPIES * COPY_WORDS;\n" +
        "\n" +
        "var<workgroup> bins: array<atomic<u32>, BIN_COUNT>;\n" +
        "\n" +
        "var<private> low: array<u32, ITEMS>;\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "\n" +
        "var<private> counted: u32; // of the digit that an invocation stands for: keys not added yet\n" +
        "\n" +
        "fn clear_bins(local: u32) {\n" +
        "    for (var i = local; i < BIN_COUNT; i += GROUP_SIZE) {\n" +
        "        atomicStore(&bins[i], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// A part of a tile, from its key `done` on. Past the end of the tile its last key is loaded again.\n" +
        "fn load_part(local: u32, tile: Tile, done: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = (tile.first + min(done + i * GROUP_SIZE + local, tile.held - 1u)) * KEY_WORDS;\n" +
        "        low[i] = keys[at];\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            high[i] = keys[at + 1u];\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Nothing branches on whether a key exists. What does not adds nothing, each invocation to another bin.\n" +
        "fn count_part(local: u32, tile: Tile, done: u32) {\n" +
        "    if (FIXED_ROOT) {\n" +
        "        find_digits(tile);\n" +
        "    }\n" +
        "    let copy = local % COPIES * COPY_WORDS;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let exists = done + i * GROUP_SIZE + local < tile.held;\n" +
        "        let digit = digit_of(i, vec2<u32>(low[i], high[i]), tile);\n" +
        "        atomicAdd(&bins[copy + select(local & (BINS - 1u), digit, exists)], select(0u, 1u, exists));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Take the tile's counts out of the bins, where they must not mix with those of the next one; and add what\n" +
        "// has been taken to the record's, once no more tiles of it follow.\n" +
        "fn take_bins(local: u32, tile: Tile, next: Tile) {\n" +
        "    let ends = next.held == 0u || next.record != tile.record;\n" +
        "    if (STABLE || ends) {\n" +
        "        workgroupBarrier();\n" +
        "        if (local < BINS) {\n" +
        "            var count = 0u;\n" +
        "            for (var copy = 0u; copy < BIN_COUNT; copy += COPY_WORDS) {\n" +
        "                count += atomicLoad(&bins[copy + local]);\n" +
        "                atomicStore(&bins[copy + local], 0u);\n" +
        "            }\n" +
        "            if (STABLE && local < (1u << tile.bits)) {\n" +
        "                atomicStore(&work[tile.table + local * tile.tiles + tile.index], count);\n" +
        "            }\n" +
        "            counted += count;\n" +
        "        }\n" +
        "        workgroupBarrier();\n" +
        "    }\n" +
        "    if (counted > 0u && ends) {\n" +
        "        atomicAdd(&work[tile.record + RECORD_TOTALS + local], counted);\n" +
        "        counted = 0u;\n" +
        "    }\n" +
        "}\n"
    },
    msd_digit: {
        uses: [],
        text:
        "// msd_digit: the digit of a key in its bucket. Uses key, msd.\n" +
        "//\n" +
        "// Of most buckets that is bits of the image. Floats that are spread evenly over an interval around or beside 0\n" +
        "// are not so in their images, half of which have one exponent, and as many every other below. Of such keys,\n" +
        "// as a sample says, the root's digit is that of a fixed-point number:\n" +
        "//\n" +
        "//     significand of a magnitude | 1.mmm…   |      of the greatest exponent\n" +
        "//                                |  1.mmm…  |      … one less\n" +
        "//                                |   1.mmm… |      … and so on: shifted by what the exponent is less\n" +
        "//     digit                      | ^^^^^ |         its highest bits; of negative keys mirrored, below those of positive ones\n" +
        "//\n" +
        "//     digits of [0, 1)           | 0: [0, 1/256) and all that is less | 1: [1/256, 2/256) | … | 255: [255/256, 1) and all that is more |\n" +
        "//     of [-1, 1)                 | … | 127: [-1/128, -0] | 128: [+0, 1/128) | … |\n" +
        "//\n" +
        "// Digits never fall as images rise, over all images: magnitudes of a greater exponent count as the greatest, and\n" +
        "// where only one sign is expected keys of the other one have its digit nearest to them. So any keys may be\n" +
        "// sorted by it, and a child holds the keys of an interval of images. These have no highest bits in common, but\n" +
        "// are less than 2^left apart from the least image, from which the child's buckets count (Tile.base).\n" +
        "//\n" +
        "//     form     | 8: the greatest exponent, 8 to 253 | 2: halves of the digits that negative keys have: 0, 1, 2 |\n" +
        "//\n" +
        "// A digit is found by an addition of floats, and yet is the same wherever it is taken, however a device rounds.\n" +
        "// Magnitudes are cut to nine significant bits and clamped before, as integers, so that they are finite. Then a\n" +
        "// power of two, more than all of them, is added, which puts a digit's bits at the top of the sum's fraction:\n" +
        "//\n" +
        "//     1 + 0.40625      | 1.01101000 000000000000000 |      the sum has 23 bits of fraction\n" +
        "//     digit, of 8 bits |   ^^^^^^^^                        0.40625 * 256 = 104\n" +
        "//\n" +
        "// With the power 1: from 2^-15 on the last of nine bits is one of the sum's, which so is exact. What is less\n" +
        "// gives a sum from 1 to 1 + 2^-15, as both are representable, in any rounding, and so digit 0.\n" +
        "\n" +
        "const IMAGE_OF_ZERO: u32 = 0x7f800001u; // of a float, ascending; magnitudes lie on both sides\n" +
        "const HIDDEN_BIT: u32 = 0x00800000u;    // of a significand\n" +
        "const CUT: u32 = 0x7fff8000u;           // a magnitude's exponent and eight bits of its fraction\n" +
        "\n" +
        "struct Fixed {\n" +
        "    most: u32,          // of a magnitude\n" +
        "    power: u32,         // the float that is added\n" +
        "    shift: u32,         // of the sum\n" +
        "    kept: vec2<u32>,    // x: bits of the sum that are a positive key's digit, y: a negative one's\n" +
        "    flipped: vec2<u32>, // of these\n" +
        "}\n" +
        "\n" +
        "// How many children hold negative keys.\n" +
        "fn negative_children(tile: Tile) -> u32 {\n" +
        "    return ((tile.form >> 8u) << tile.bits) / 2u;\n" +
        "}\n" +
        "\n" +
        "fn fixed_of(tile: Tile) -> Fixed {\n" +
        "    let exponent = tile.form & 0xffu;\n" +
        "    let negative = negative_children(tile);\n" +
        "    let last = (1u << tile.bits) - 1u;\n" +
        "    let all = (1u << (24u - tile.shift)) - 1u;\n" +
        "    let order = select(0u, last, DESCENDING);\n" +
        "    return Fixed((exponent << 23u) | (CUT & (HIDDEN_BIT - 1u)), (exponent + 1u) << 23u, tile.shift - 1u,\n" +
        "                 vec2<u32>(select(all, 0u, negative > last), select(all, 0u, negative == 0u)),\n" +
        "                 vec2<u32>(min(negative, last), max(negative, 1u) - 1u) ^ vec2<u32>(order));\n" +
        "}\n" +
        "\n" +
        "// Negative NaNs come after all positive keys.\n" +
        "fn fixed_digit(key: u32, fixed: Fixed) -> u32 {\n" +
        "    let magnitude = min(key & CUT, fixed.most);\n" +
        "    let digit = bitcast<u32>(bitcast<f32>(magnitude) + bitcast<f32>(fixed.power)) >> fixed.shift;\n" +
        "    let negative = (key ^ 0x80000000u) <= 0x7f800000u;\n" +
        "    return (digit & select(fixed.kept.x, fixed.kept.y, negative)) ^\n" +
        "           select(fixed.flipped.x, fixed.flipped.y, negative);\n" +
        "}\n" +
        "\n" +
        "// The digit of a bucket that has no form.\n" +
        "fn bucket_digit(key: vec2<u32>, tile: Tile) -> u32 {\n" +
        "    var image = key_image(key);\n" +
        "    if (FIXED_ROOT) {\n" +
        "        image.x -= tile.base;\n" +
        "    }\n" +
        "    return image_digit(image, tile.shift, (1u << tile.bits) - 1u);\n" +
        "}\n" +
        "\n" +
        "var<private> digits: array<u32, ITEMS>; // of an invocation's keys, if FIXED_ROOT\n" +
        "\n" +
        "// Of keys that may have a form, whose words are in the kernel's array `low`: loops of their own, so that no key\n" +
        "// asks.\n" +
        "fn find_digits(tile: Tile) {\n" +
        "    if (tile.form == 0u) {\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            digits[i] = bucket_digit(vec2<u32>(low[i], 0u), tile);\n" +
        "        }\n" +
        "    } else {\n" +
        "        let fixed = fixed_of(tile);\n" +
        "        //@unroll\n" +
        "        for (var i = 0u; i < ITEMS; i++) {\n" +
        "            digits[i] = fixed_digit(low[i], fixed);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The digit of item i: as find_digits has left it, or the key's.\n" +
        "fn digit_of(i: u32, key: vec2<u32>, tile: Tile) -> u32 {\n" +
        "    if (FIXED_ROOT) {\n" +
        "        return digits[i];\n" +
        "    }\n" +
        "    return bucket_digit(key, tile);\n" +
        "}\n" +
        "\n" +
        "// The magnitude where so many digits end, of at least one and less than all.\n" +
        "fn magnitude_after(digits: u32, tile: Tile) -> u32 {\n" +
        "    var significand = digits << tile.shift;\n" +
        "    var exponent = tile.form & 0xffu;\n" +
        "    while (significand < HIDDEN_BIT) {\n" +
        "        significand <<= 1u;\n" +
        "        exponent--;\n" +
        "    }\n" +
        "    return (exponent << 23u) | (significand & (HIDDEN_BIT - 1u));\n" +
        "}\n" +
        "\n" +
        "fn least_ascending(child: u32, tile: Tile) -> u32 {\n" +
        "    let negative = negative_children(tile);\n" +
        "    if (child == 0u || child >= (1u << tile.bits)) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    if (child == negative) {\n" +
        "        return IMAGE_OF_ZERO;\n" +
        "    }\n" +
        "    if (child > negative) {\n" +
        "        return IMAGE_OF_ZERO + magnitude_after(child - negative, tile);\n" +
        "    }\n" +
        "    return IMAGE_OF_ZERO - magnitude_after(negative - child, tile);\n" +
        "}\n" +
        "\n" +
        "// The least image that a child of a fixed-point root may have. Of one behind the last that is 2^32: 0.\n" +
        "fn least_of_child(child: u32, tile: Tile) -> u32 {\n" +
        "    if (DESCENDING) {\n" +
        "        return 0u - least_ascending((1u << tile.bits) - child, tile);\n" +
        "    }\n" +
        "    return least_ascending(child, tile);\n" +
        "}\n"
    },
    packed: {
        uses: [],
        text:
        "// packed: a key of few bits and an index in one word that sorts by key, then by index.\n" +
        "//\n" +
        "//     word   | key: 32 - index_bits bits | index: index_bits bits |\n" +
        "\n" +
        "fn ordo_pack(key: u32, index: u32, index_bits: u32) -> u32 {\n" +
        "    return (key << index_bits) | (index & ((1u << index_bits) - 1u));\n" +
        "}\n" +
        "\n" +
        "// x: the key, y: the index.\n" +
        "fn ordo_unpack(word: u32, index_bits: u32) -> vec2<u32> {\n" +
        "    return vec2<u32>(word >> index_bits, word & ((1u << index_bits) - 1u));\n" +
        "}\n"
    },
    rank_portable: {
        uses: [],
        text:
        "// rank_portable: rank the keys of a tile by digit, in their order, with barriers alone.\n" +
        "//\n" +
        "// Defines the same as rank_subgroup: rank_strips, and for lib/strip strip_width, strip_counts. The\n" +
        "// kernel defines GROUP_SIZE (a multiple of 64), BINS, cells, and spot: the digits of an invocation's items,\n" +
        "// on return digit << 16 | rank in its strip.\n" +
        "//\n" +
        "// A strip, 32 invocations, owns a run of 32 * ITEMS keys, in rounds of 32. In a round an invocation sets\n" +
        "// its bit in the mask of its strip and digit; the bits below it, and the keys counted in earlier rounds,\n" +
        "// are its rank.\n" +
        "//\n" +
        "//     cells   | masks: strip, digit -> 32 bits | counts, then starts: two strips a word, 16 bits each |\n" +
        "//\n" +
        "// It takes GROUP_SIZE / 32 * BINS * 3 / 2 cells.\n" +
        "\n" +
        "const RANK_STRIP: u32 = 32u;\n" +
        "\n" +
        "fn strip_width() -> u32 {\n" +
        "    return RANK_STRIP;\n" +
        "}\n" +
        "\n" +
        "fn strip_counts() -> u32 {\n" +
        "    return GROUP_SIZE / RANK_STRIP * BINS;\n" +
        "}\n" +
        "\n" +
        "// Ends with a barrier.\n" +
        "fn rank_strips(local: u32) {\n" +
        "    let strip = local / RANK_STRIP;\n" +
        "    let own = 1u << (local % RANK_STRIP);\n" +
        "    for (var i = local; i < GROUP_SIZE / RANK_STRIP * BINS / 2u * 3u; i += GROUP_SIZE) {\n" +
        "        atomicStore(&cells[i], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let mask = strip * BINS + spot[i];\n" +
        "        atomicOr(&cells[mask], own);\n" +
        "        workgroupBarrier();\n" +
        "        let equals = atomicLoad(&cells[mask]);\n" +
        "        let cell = rank_cell(strip, spot[i]);\n" +
        "        let earlier = (atomicLoad(&cells[cell]) >> rank_shift(strip)) & 0xffffu;\n" +
        "        let below = countOneBits(equals & (own - 1u));\n" +
        "        spot[i] = (spot[i] << 16u) | (earlier + below);\n" +
        "        workgroupBarrier();\n" +
        "        // Between this barrier and the next, each takes its own bit back, and the lowest of equals\n" +
        "        // counts them all; the next round's bits are other bits or the same one set again.\n" +
        "        atomicAnd(&cells[mask], ~own);\n" +
        "        if (below == 0u) {\n" +
        "            atomicAdd(&cells[cell], countOneBits(equals) << rank_shift(strip));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n"
    },
    rank_subgroup: {
        uses: [],
        text:
        "// rank_subgroup: rank the keys of a tile by digit, in their order, with ballots of subgroups.\n" +
        "//\n" +
        "// Defines the same as rank_portable: rank_strips, and for lib/strip strip_width, strip_counts. The kernel\n" +
        "// defines GROUP_SIZE (a multiple of twice SUBGROUP_SIZE), BINS (up to 256), cells, and spot: the digits of\n" +
        "// an invocation's items, on return digit << 16 | rank in its strip.\n" +
        "//\n" +
        "// A strip is a subgroup, of up to 64 invocations; it owns a run of keys, in rounds of one each. Ballots tell an\n" +
        "// invocation which others hold its digit. The lowest of them adds their number to the strip's count; what\n" +
        "// is then there, without them, and the others below are the rank. A subgroup runs its rounds in order, so\n" +
        "// no barrier stands between them.\n" +
        "//\n" +
        "//     cells   | counts, then starts: two strips a word, 16 bits each |\n" +
        "//\n" +
        "// It takes GROUP_SIZE / SUBGROUP_SIZE / 2 * BINS cells. Nothing branches: see lib/lane_subgroup.\n" +
        "\n" +
        "override SUBGROUP_SIZE: u32 = 32u; // of all subgroups\n" +
        "\n" +
        "fn strip_width() -> u32 {\n" +
        "    return SUBGROUP_SIZE;\n" +
        "}\n" +
        "\n" +
        "fn strip_counts() -> u32 {\n" +
        "    return 0u;\n" +
        "}\n" +
        "\n" +
        "fn rank_bits(mask: vec2<u32>) -> u32 {\n" +
        "    return countOneBits(mask.x) + countOneBits(mask.y);\n" +
        "}\n" +
        "\n" +
        "// Which invocations of the subgroup hold the same bit. Bits of those that there are not may be set.\n" +
        "fn rank_equals(bit: bool) -> vec2<u32> {\n" +
        "    return subgroupBallot(bit).xy ^ vec2<u32>(select(0xffffffffu, 0u, bit));\n" +
        "}\n" +
        "\n" +
        "// Ends with a barrier.\n" +
        "fn rank_strips(local: u32) {\n" +
        "    for (var i = local; i < GROUP_SIZE / SUBGROUP_SIZE / 2u * BINS; i += GROUP_SIZE) {\n" +
        "        atomicStore(&cells[i], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let lane = local % SUBGROUP_SIZE;\n" +
        "    let strip = local / SUBGROUP_SIZE;\n" +
        "    let lanes = vec2<u32>(0xffffffffu >> (32u - min(SUBGROUP_SIZE, 32u)),\n" +
        "                          select(0u, 0xffffffffu, SUBGROUP_SIZE > 32u));\n" +
        "    let below_word = (1u << (lane & 31u)) - 1u;\n" +
        "    let below_lanes = select(vec2<u32>(below_word, 0u), vec2<u32>(0xffffffffu, below_word), lane >= 32u);\n" +
        "    let shift = rank_shift(strip);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let digit = spot[i];\n" +
        "        var equals = rank_equals((digit & 1u) != 0u) & lanes;\n" +
        "        equals &= rank_equals((digit & 2u) != 0u);\n" +
        "        equals &= rank_equals((digit & 4u) != 0u);\n" +
        "        equals &= rank_equals((digit & 8u) != 0u);\n" +
        "        equals &= rank_equals((digit & 16u) != 0u);\n" +
        "        equals &= rank_equals((digit & 32u) != 0u);\n" +
        "        equals &= rank_equals((digit & 64u) != 0u);\n" +
        "        equals &= rank_equals((digit & 128u) != 0u);\n" +
        "        let below = rank_bits(equals & below_lanes);\n" +
        "        let count = rank_bits(equals);\n" +
        "        let cell = rank_cell(strip, digit);\n" +
        "        atomicAdd(&cells[cell], select(0u, count, below == 0u) << shift);\n" +
        "        let counted = (atomicLoad(&cells[cell]) >> shift) & 0xffffu;\n" +
        "        spot[i] = (digit << 16u) | (counted - count + below);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n"
    },
    rows: {
        uses: [],
        text:
        "// rows: scan a tile of GROUP_SIZE * ITEMS items in registers.\n" +
        "//\n" +
        "//     runs      held[4 * r + j] is item (r * GROUP_SIZE + l) * 4 + j of invocation l\n" +
        "//               to scan, and to read and write four words at once\n" +
        "//     striped   held[i] is item i * GROUP_SIZE + l\n" +
        "//               to read and write single words\n" +
        "//\n" +
        "// A row, 4 * GROUP_SIZE items in four registers, goes from one to the other by way of cells. Rows\n" +
        "// take the two halves of cells in turn, so that one barrier a row is enough.\n" +
        "//\n" +
        "//     cells (rows)   | row 0, 2, … | row 1, 3, … |\n" +
        "//     cells (sums)   | sums of the runs of row 0 | of row 1 | …\n" +
        "//                      of which each invocation scans ITEMS / 4 consecutive ones\n" +
        "//\n" +
        "// The kernel defines GROUP_SIZE (a multiple of 32), CELLS (8 * GROUP_SIZE), INCLUSIVE, and at\n" +
        "// binding 2 items_out and quads_out; ITEMS is a multiple of 4 up to 32. Uses fold and lane. The\n" +
        "// association is fixed where that of the lanes is, and the same for words and for four at once.\n" +
        "\n" +
        "var<workgroup> cells: array<u32, CELLS>;\n" +
        "var<private> held: array<u32, ITEMS>;\n" +
        "var<private> run_before: array<u32, ITEMS>; // [4 * r]: what the runs before this one combine to\n" +
        "\n" +
        "// The cell of a number below CELLS. Strides of 4 meet each memory bank once in 32 invocations.\n" +
        "fn cell(at: u32) -> u32 {\n" +
        "    return at ^ ((at >> 5u) & 3u);\n" +
        "}\n" +
        "\n" +
        "// Where the half begins that the row of register i takes.\n" +
        "fn half_of(i: u32) -> u32 {\n" +
        "    return ((i >> 2u) & 1u) * (4u * GROUP_SIZE);\n" +
        "}\n" +
        "\n" +
        "// Four items from item `at` on, as read, into a run; beyond the last item the identity. Nothing\n" +
        "// branches on that, for group_exclusive follows: see lib/lane_subgroup.\n" +
        "fn hold_quad(run: u32, at: u32, items: u32, quad: vec4<u32>) {\n" +
        "    held[run] = select(identity(), image(quad.x), at < items);\n" +
        "    held[run + 1u] = select(identity(), image(quad.y), at + 1u < items);\n" +
        "    held[run + 2u] = select(identity(), image(quad.z), at + 2u < items);\n" +
        "    held[run + 3u] = select(identity(), image(quad.w), at + 3u < items);\n" +
        "}\n" +
        "\n" +
        "// From striped to runs.\n" +
        "fn take_runs(local: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        cells[cell(half_of(i) + (i & 3u) * GROUP_SIZE + local)] = held[i];\n" +
        "        if ((i & 3u) == 3u) {\n" +
        "            let run = i & 0xfffffffcu;\n" +
        "            let at = half_of(i) + 4u * local;\n" +
        "            workgroupBarrier();\n" +
        "            held[run] = cells[cell(at)];\n" +
        "            held[run + 1u] = cells[cell(at + 1u)];\n" +
        "            held[run + 2u] = cells[cell(at + 2u)];\n" +
        "            held[run + 3u] = cells[cell(at + 3u)];\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Scan the runs of the tile: each item becomes what its run combines to up to it, run_before is\n" +
        "// set. Returns what all combine to. Called in uniform control flow by all invocations.\n" +
        "fn scan_runs(local: u32) -> u32 {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) != 0u) {\n" +
        "            held[i] = combine(held[max(i, 1u) - 1u], held[i]);\n" +
        "        }\n" +
        "        if ((i & 3u) == 3u) {\n" +
        "            cells[cell((i >> 2u) * GROUP_SIZE + local)] = held[i];\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let first = local * (ITEMS / 4u);\n" +
        "    var sum = identity();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            sum = combine(sum, cells[cell(first + (i >> 2u))]);\n" +
        "        }\n" +
        "    }\n" +
        "    let lanes = group_exclusive(local, sum);\n" +
        "    sum = lanes.x;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            let at = cell(first + (i >> 2u));\n" +
        "            let through = combine(sum, cells[at]);\n" +
        "            cells[at] = sum;\n" +
        "            sum = through;\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            run_before[i] = cells[cell((i >> 2u) * GROUP_SIZE + local)];\n" +
        "        }\n" +
        "    }\n" +
        "    return lanes.y;\n" +
        "}\n" +
        "\n" +
        "// What register i comes to over `before`.\n" +
        "fn scanned(i: u32, before: u32) -> u32 {\n" +
        "    let start = combine(before, run_before[i & 0xfffffffcu]);\n" +
        "    if (INCLUSIVE) {\n" +
        "        return combine(start, held[i]);\n" +
        "    }\n" +
        "    return select(combine(start, held[max(i, 1u) - 1u]), start, (i & 3u) == 0u);\n" +
        "}\n" +
        "\n" +
        "// The bits to write for item `at`.\n" +
        "fn scanned_bits(at: u32, value: u32) -> u32 {\n" +
        "    return select(bits_of(value), identity_bits(), at == 0u && !INCLUSIVE);\n" +
        "}\n" +
        "\n" +
        "// Write the scan of the tile's items, the first of which is item `first`, over `before`.\n" +
        "fn store_runs(local: u32, first: u32, items: u32, before: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            let run = i & 0xfffffffcu;\n" +
        "            let at = half_of(i) + 4u * local;\n" +
        "            cells[cell(at)] = scanned(run, before);\n" +
        "            cells[cell(at + 1u)] = scanned(run + 1u, before);\n" +
        "            cells[cell(at + 2u)] = scanned(run + 2u, before);\n" +
        "            cells[cell(at + 3u)] = scanned(run + 3u, before);\n" +
        "            workgroupBarrier();\n" +
        "        }\n" +
        "        let at = first + i * GROUP_SIZE + local;\n" +
        "        let value = cells[cell(half_of(i) + (i & 3u) * GROUP_SIZE + local)];\n" +
        "        if (at < items) {\n" +
        "            items_out[at] = scanned_bits(at, value);\n" +
        "        }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// The same by fours, of which a count on the GPU may cut the last.\n" +
        "fn store_quads(local: u32, first: u32, items: u32, before: u32) {\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        if ((i & 3u) == 0u) {\n" +
        "            let run = i & 0xfffffffcu;\n" +
        "            let at = first + i * GROUP_SIZE + 4u * local;\n" +
        "            let bits = vec4<u32>(scanned_bits(at, scanned(run, before)),\n" +
        "                                 bits_of(scanned(run + 1u, before)),\n" +
        "                                 bits_of(scanned(run + 2u, before)),\n" +
        "                                 bits_of(scanned(run + 3u, before)));\n" +
        "            if (at + 3u < items) {\n" +
        "                quads_out[at >> 2u] = bits;\n" +
        "            } else {\n" +
        "                if (at < items) {\n" +
        "                    quads_out[at >> 2u].x = bits.x;\n" +
        "                }\n" +
        "                if (at + 1u < items) {\n" +
        "                    quads_out[at >> 2u].y = bits.y;\n" +
        "                }\n" +
        "                if (at + 2u < items) {\n" +
        "                    quads_out[at >> 2u].z = bits.z;\n" +
        "                }\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "}\n"
    },
    select: {
        uses: [],
        text:
        "// select: the elements of two ranks among those that a workgroup holds, by digits of their images.\n" +
        "//\n" +
        "// Elements are those of local_sort: images in key_a and key_b, numbers in key_c, which break ties. All digits of\n" +
        "// an image are sought, the most significant first, then those of the number.\n" +
        "//\n" +
        "//     marks    | how many of those that are left for the first rank have digit 0, 1, … | the same for the second |\n" +
        "//\n" +
        "// Uses key, local_sort, lane and sum. The kernel declares GROUP_SIZE (a multiple of 32, 128 or more) and marks,\n" +
        "// GROUP_SIZE * 4 counters, which are 0 before and after, and take_marks(local, each, number): one of `each`\n" +
        "// consecutive marks of an invocation, cleared.\n" +
        "\n" +
        "// Of the digit that has a rank: x the digit, y how many elements have lower ones, z how many have it.\n" +
        "var<workgroup> first_digit: vec3<u32>;\n" +
        "var<workgroup> second_digit: vec3<u32>;\n" +
        "\n" +
        "// Where the digits of two ranks are sought, and what has been found.\n" +
        "struct Search {\n" +
        "    ranks: vec2<u32>,   // among\n" +
        "    counts: vec2<u32>,  // so many elements, 0 where none is sought\n" +
        "    first: vec2<u32>,   // the images so far, low word first\n" +
        "    second: vec2<u32>,\n" +
        "}\n" +
        "\n" +
        "// Which of an invocation's elements these are, a bit each: x for the first rank, y for the second.\n" +
        "var<private> members: vec2<u32>;\n" +
        "\n" +
        "// Bits of a digit: there are counters for all its values, twice.\n" +
        "fn select_bits() -> u32 {\n" +
        "    return bit_length(GROUP_SIZE * 2u) - 1u;\n" +
        "}\n" +
        "\n" +
        "// Find which of an invocation's four counters has a rank, if any: x the number of its digit, y where it begins,\n" +
        "// z its count; z is 0 if none has. The counters begin at `start`.\n" +
        "fn find_rank(counts: vec4<u32>, start: u32, rank: u32, first: u32) -> vec3<u32> {\n" +
        "    var from_start = start;\n" +
        "    var found = vec3<u32>(0u);\n" +
        "    found = select(found, vec3<u32>(first, from_start, counts.x), rank - from_start < counts.x);\n" +
        "    from_start += counts.x;\n" +
        "    found = select(found, vec3<u32>(first + 1u, from_start, counts.y), rank - from_start < counts.y);\n" +
        "    from_start += counts.y;\n" +
        "    found = select(found, vec3<u32>(first + 2u, from_start, counts.z), rank - from_start < counts.z);\n" +
        "    from_start += counts.z;\n" +
        "    return select(found, vec3<u32>(first + 3u, from_start, counts.w), rank - from_start < counts.w);\n" +
        "}\n" +
        "\n" +
        "// A digit of an element: of its image, or of its number.\n" +
        "fn digit_of(i: u32, shift: u32, mask: u32, numbers: bool) -> u32 {\n" +
        "    if (numbers) {\n" +
        "        return (key_c[i] >> shift) & mask;\n" +
        "    }\n" +
        "    return image_digit(vec2<u32>(select(key_a[i], key_b[i], KEY_WORDS == 2u), key_a[i]), shift, mask);\n" +
        "}\n" +
        "\n" +
        "// Count digits of some of an invocation's elements in the counters from `base` on. Equal ones in a row are added\n" +
        "// at once: where all are equal, additions to one counter would take most of the time.\n" +
        "fn count_digits(some: u32, base: u32, shift: u32, mask: u32, numbers: bool) {\n" +
        "    var digit = 0u;\n" +
        "    var equal = 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let next = digit_of(i, shift, mask, numbers);\n" +
        "        let counts = (some & (1u << i)) != 0u;\n" +
        "        if (counts && next != digit) {\n" +
        "            if (equal > 0u) {\n" +
        "                atomicAdd(&marks[base + digit], equal);\n" +
        "            }\n" +
        "            digit = next;\n" +
        "            equal = 0u;\n" +
        "        }\n" +
        "        equal += select(0u, 1u, counts);\n" +
        "    }\n" +
        "    if (equal > 0u) {\n" +
        "        atomicAdd(&marks[base + digit], equal);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Find the digits of both ranks among the members, of which there are `first_count` for the first rank.\n" +
        "fn find_digits(local: u32, shift: u32, mask: u32, numbers: bool, ranks: vec2<u32>, first_count: u32) {\n" +
        "    count_digits(members.x, 0u, shift, mask, numbers);\n" +
        "    count_digits(members.y, GROUP_SIZE * 2u, shift, mask, numbers);\n" +
        "    if (local == 0u) {\n" +
        "        first_digit = vec3<u32>(0u);\n" +
        "        second_digit = vec3<u32>(0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let counts = vec4<u32>(take_marks(local, 4u, 0u), take_marks(local, 4u, 1u),\n" +
        "                           take_marks(local, 4u, 2u), take_marks(local, 4u, 3u));\n" +
        "    let start = group_exclusive(local, counts.x + counts.y + counts.z + counts.w).x;\n" +
        "    if (local < GROUP_SIZE / 2u) {\n" +
        "        let found = find_rank(counts, start, ranks.x, local * 4u);\n" +
        "        if (found.z > 0u) { first_digit = found; }\n" +
        "    } else {\n" +
        "        let found = find_rank(counts, start - first_count, ranks.y, local * 4u - GROUP_SIZE * 2u);\n" +
        "        if (found.z > 0u) { second_digit = found; }\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Add a digit to the words of an image, low word first.\n" +
        "fn add_digit(image: vec2<u32>, digit: u32, shift: u32) -> vec2<u32> {\n" +
        "    if (shift >= 32u) {\n" +
        "        return vec2<u32>(image.x, image.y | (digit << (shift - 32u)));\n" +
        "    }\n" +
        "    let over = select(digit >> ((32u - shift) & 31u), 0u, shift == 0u);\n" +
        "    return vec2<u32>(image.x | (digit << shift), image.y | select(0u, over, KEY_WORDS == 2u));\n" +
        "}\n" +
        "\n" +
        "// Which of some members have a digit.\n" +
        "fn with_digit(some: u32, shift: u32, mask: u32, numbers: bool, wanted: u32) -> u32 {\n" +
        "    var kept = some;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let bit = 1u << i;\n" +
        "        kept &= select(~bit, NONE, digit_of(i, shift, mask, numbers) == wanted);\n" +
        "    }\n" +
        "    return kept;\n" +
        "}\n" +
        "\n" +
        "// Whether the images of `size` elements, 1 or more, are all the same.\n" +
        "fn are_equal(local: u32, size: u32) -> bool {\n" +
        "    if (local == 0u) {\n" +
        "        first_digit = vec3<u32>(key_a[0], key_b[0], 0u);\n" +
        "        atomicStore(&marks[0], 0u);\n" +
        "    }\n" +
        "    let one = workgroupUniformLoad(&first_digit);\n" +
        "    var differ = false;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        differ = differ || (i * GROUP_SIZE + local < size && (key_a[i] != one.x || key_b[i] != one.y));\n" +
        "    }\n" +
        "    if (differ) {\n" +
        "        atomicStore(&marks[0], 1u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        second_digit = vec3<u32>(atomicLoad(&marks[0]), 0u, 0u);\n" +
        "        atomicStore(&marks[0], 0u);\n" +
        "    }\n" +
        "    return workgroupUniformLoad(&second_digit).x == 0u;\n" +
        "}\n" +
        "\n" +
        "// Find the next digit, `bits` of them from bit `shift` on of images or of numbers.\n" +
        "fn narrow(local: u32, before: Search, shift: u32, bits: u32, numbers: bool) -> Search {\n" +
        "    let mask = (1u << bits) - 1u;\n" +
        "    find_digits(local, shift, mask, numbers, before.ranks, before.counts.x);\n" +
        "    let x = workgroupUniformLoad(&first_digit);\n" +
        "    let y = workgroupUniformLoad(&second_digit);\n" +
        "    var after = before;\n" +
        "    after.ranks -= vec2<u32>(x.y, y.y);\n" +
        "    after.counts = vec2<u32>(x.z, y.z);\n" +
        "    members.x = with_digit(members.x, shift, mask, numbers, x.x);\n" +
        "    members.y = with_digit(members.y, shift, mask, numbers, y.x);\n" +
        "    if (!numbers) {\n" +
        "        after.first = add_digit(before.first, x.x, shift);\n" +
        "        after.second = add_digit(before.second, y.x, shift);\n" +
        "    }\n" +
        "    return after;\n" +
        "}\n"
    },
    shuffle_portable: {
        uses: [],
        text:
        "// shuffle_portable: no values pass between invocations but through workgroup memory.\n" +
        "//\n" +
        "// Defines the same as shuffle_subgroup: SHUFFLES, shuffle_bits, shuffle.\n" +
        "\n" +
        "const SHUFFLES: bool = false;\n" +
        "\n" +
        "fn shuffle_bits(local: u32) -> u32 {\n" +
        "    return 0u;\n" +
        "}\n" +
        "\n" +
        "fn shuffle(value: u32, mask: u32) -> u32 {\n" +
        "    return value;\n" +
        "}\n"
    },
    shuffle_subgroup: {
        uses: [],
        text:
        "// shuffle_subgroup: pass values between invocations of a subgroup, of any width.\n" +
        "//\n" +
        "// Defines the same as shuffle_portable: SHUFFLES, shuffle_bits, shuffle. The kernel defines\n" +
        "// of_first(local, value), the value of the workgroup's first invocation. As for lane_subgroup, a\n" +
        "// subgroup is taken to hold consecutive invocations, and only kernels whose invocations never part may\n" +
        "// use this.\n" +
        "\n" +
        "const SHUFFLES: bool = true;\n" +
        "\n" +
        "// How many low bits of an invocation's number may differ between those that shuffle joins. Called by all\n" +
        "// invocations of the workgroup, in uniform control flow.\n" +
        "fn shuffle_bits(local: u32) -> u32 {\n" +
        "    // Counted, not taken from the builtin: some drivers report another width than they run. Nothing but\n" +
        "    // memory makes it uniform to a compiler that proves control flow.\n" +
        "    return countOneBits(of_first(local, subgroupAdd(1u)) - 1u);\n" +
        "}\n" +
        "\n" +
        "// The value of the invocation whose number differs by `mask`.\n" +
        "fn shuffle(value: u32, mask: u32) -> u32 {\n" +
        "    return subgroupShuffleXor(value, mask);\n" +
        "}\n"
    },
    slice: {
        uses: [],
        text:
        "// slice: find the elements of a slice of the sorted array, and what comes before them.\n" +
        "//\n" +
        "//     marks (pass)        | a bit for each position of a window: its element is in the part |\n" +
        "//     marks (selection)   | as of lib/select |\n" +
        "//     marks (ties)        | bits of listed elements equal to the lower bound | to the upper | their sums |\n" +
        "//     cells (list)        | positions of listed elements, in their order |, then as of lib/local_sort\n" +
        "//\n" +
        "// Bounds are places in the order of elements (lib/bound). Their positions are multiples of 4, so that they never\n" +
        "// divide a quad. kernels/sample_slice.wgsl says what is done with them.\n" +
        "//\n" +
        "// Uses bound, local_sort, lane, sum and select. The kernel declares GROUP_SIZE (a multiple of 32, 128 or more),\n" +
        "// CELLS (GROUP_SIZE * 33 / 4) and MARKS (GROUP_SIZE * 4).\n" +
        "\n" +
        "// What is listed.\n" +
        "const SAMPLE: u32 = 0u;    // a sample of all elements\n" +
        "const SAMPLE_OF_PART: u32 = 1u;\n" +
        "const TOO_MANY: u32 = 2u;  // nothing: the next pass is to list a sample\n" +
        "const PART: u32 = 3u;      // all elements of a part, and\n" +
        "const LAST_PART: u32 = 4u; // there is none after it\n" +
        "\n" +
        "const OPEN: u32 = 0xffffffffu; // the gate that every hash passes\n" +
        "const LEAST_SAMPLE: u32 = 5u;  // of which at most three are in the quad of the last one, and before it\n" +
        "const FEW: u32 = 4u;           // elements of a sample between which no bound is sought\n" +
        "\n" +
        "var<workgroup> marks: array<atomic<u32>, MARKS>;\n" +
        "// x: what is listed; y: how many; z: of a part, where it goes; else the gate that hashes pass;\n" +
        "// w: of a part 1 if there may be elements with the image of one of two different bounds; else how many\n" +
        "// elements are between the bounds.\n" +
        "var<workgroup> task: vec4<u32>;\n" +
        "// Bounds: xy an image, the most significant word first, z a position.\n" +
        "var<workgroup> lower: vec3<u32>;\n" +
        "var<workgroup> upper: vec3<u32>;\n" +
        "var<workgroup> slice_end: vec3<u32>;\n" +
        "\n" +
        "var<private> origin: array<u32, ITEMS>;     // the position of an element\n" +
        "var<private> quad: array<vec4<u32>, ITEMS>; // keys during a pass\n" +
        "\n" +
        "// A bijection, so that it is not the same for many positions.\n" +
        "fn hash(position: u32) -> u32 {\n" +
        "    var mixed = position * 0x9e3779b1u;\n" +
        "    mixed = (mixed ^ (mixed >> 16u)) * 0x85ebca6bu;\n" +
        "    mixed = (mixed ^ (mixed >> 13u)) * 0xc2b2ae35u;\n" +
        "    return mixed ^ (mixed >> 16u);\n" +
        "}\n" +
        "\n" +
        "// ---- 1. Sample -----------------------------------------------------------------------------------\n" +
        "\n" +
        "// The position of a sampled element, of more than capacity() of them.\n" +
        "fn sample_position(number: u32, size: u32) -> u32 {\n" +
        "    let stretch = size / capacity();\n" +
        "    let rest = size % capacity();\n" +
        "    let first = number * stretch + number * rest / capacity();\n" +
        "    let next = (number + 1u) * stretch + (number + 1u) * rest / capacity();\n" +
        "    return first + hash(number) % (next - first);\n" +
        "}\n" +
        "\n" +
        "// List a sample of all elements, or all of them if a workgroup holds these.\n" +
        "fn begin_slice(local: u32, size: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    let all = size <= capacity();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        put(at, select(sample_position(at, max(size, capacity())), at, all));\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS / 2u; i++) {\n" +
        "        atomicStore(&marks[i * GROUP_SIZE + local], 0u);\n" +
        "    }\n" +
        "    if (local == 0u) {\n" +
        "        lower = vec3<u32>(0u);\n" +
        "        upper = vec3<u32>(NONE);\n" +
        "        slice_end = upper;\n" +
        "        task = vec4<u32>(select(SAMPLE, LAST_PART, all), min(size, capacity()), 0u, 0u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Bring origin[] into the order of the sorted elements, also in cells.\n" +
        "fn order_origins(local: u32, size: u32) {\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        put(own_cell(local, i), origin[i]);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let exists = i * GROUP_SIZE + local < size;\n" +
        "        origin[i] = take(cell_of(select(0u, key_c[i], exists)));\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        put(own_cell(local, i), origin[i]);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// ---- 2. Select -----------------------------------------------------------------------------------\n" +
        "\n" +
        "// A bound that few elements of the sample are next to needs no further digits.\n" +
        "fn settle_bounds(local: u32, search: Search, few: u32) -> Search {\n" +
        "    var after = search;\n" +
        "    if (search.counts.x > 0u && search.counts.x <= few) {\n" +
        "        if (local == 0u) {\n" +
        "            lower = vec3<u32>(select(search.first, search.first.yx, KEY_WORDS == 2u), 0u);\n" +
        "        }\n" +
        "        after.counts.x = 0u;\n" +
        "        members.x = 0u;\n" +
        "    }\n" +
        "    if (search.counts.y > 0u && search.counts.y <= few) {\n" +
        "        if (local == 0u) {\n" +
        "            upper = vec3<u32>(select(search.second, search.second.yx, KEY_WORDS == 2u), 0u);\n" +
        "        }\n" +
        "        after.counts.y = 0u;\n" +
        "        members.y = 0u;\n" +
        "    }\n" +
        "    return after;\n" +
        "}\n" +
        "\n" +
        "// Set the bounds of a slice, or the upper one of its next part, by the sample that is held. Of a slice a bound is\n" +
        "// exact but for FEW elements of the sample; of a part, exact.\n" +
        "fn select_bounds(local: u32, now: vec4<u32>, slice: u32, slices: u32) {\n" +
        "    let of_part = now.x == SAMPLE_OF_PART;\n" +
        "    let few = select(FEW, 0u, of_part);\n" +
        "    var search = Search();\n" +
        "    members = vec2<u32>(0u);\n" +
        "    let seeks_lower = !of_part && slice > 0u;\n" +
        "    let seeks_upper = of_part || slice + 1u < slices;\n" +
        "    search.counts = select(vec2<u32>(0u), vec2<u32>(now.y), vec2<bool>(seeks_lower, seeks_upper));\n" +
        "    search.ranks = vec2<u32>(slice, slice + 1u) * (capacity() / slices) +\n" +
        "        vec2<u32>(slice, slice + 1u) * (capacity() % slices) / slices;\n" +
        "    if (of_part) {\n" +
        "        search.ranks.y = max(now.y * (capacity() / 2u) / now.w, LEAST_SAMPLE - 1u);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let bit = select(0u, 1u << i, i * GROUP_SIZE + local < now.y);\n" +
        "        members |= select(vec2<u32>(0u), vec2<u32>(bit), search.counts > vec2<u32>(0u));\n" +
        "    }\n" +
        "    var rest = select(32u * KEY_WORDS, 0u, are_equal(local, now.y));\n" +
        "    while (rest > 0u && any(search.counts > vec2<u32>(0u))) {\n" +
        "        let bits = min(select_bits(), rest);\n" +
        "        rest -= bits;\n" +
        "        search = narrow(local, search, rest, bits, false);\n" +
        "        search = settle_bounds(local, search, few);\n" +
        "    }\n" +
        "    rest = position_bits();\n" +
        "    while (rest > 0u && any(search.counts > vec2<u32>(0u))) {\n" +
        "        let bits = min(select_bits(), rest);\n" +
        "        rest -= bits;\n" +
        "        search = narrow(local, search, rest, bits, true);\n" +
        "    }\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let bound = vec3<u32>(key_a[i], select(0u, key_b[i], KEY_WORDS == 2u), origin[i] & ~3u);\n" +
        "        if ((members.x & (1u << i)) != 0u) { lower = bound; }\n" +
        "        if ((members.y & (1u << i)) != 0u) { upper = bound; }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u && !of_part) {\n" +
        "        slice_end = upper;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "// Once a part has been written, the rest of the slice is the next one.\n" +
        "fn begin_pass(local: u32, now: vec4<u32>) {\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u && now.x == PART) {\n" +
        "        lower = upper;\n" +
        "        upper = slice_end;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "}\n" +
        "\n" +
        "fn sort_or_select(local: u32, now: vec4<u32>, slice: u32, slices: u32) {\n" +
        "    if (now.x >= PART) {\n" +
        "        sort_held(local, now.y);\n" +
        "    } else {\n" +
        "        select_bounds(local, now, slice, slices);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// ---- 3. Pass -------------------------------------------------------------------------------------\n" +
        "\n" +
        "// Positions of a window.\n" +
        "fn window() -> u32 {\n" +
        "    return GROUP_SIZE * 128u;\n" +
        "}\n" +
        "\n" +
        "// The elements of ITEMS quads of each invocation.\n" +
        "fn quad_row() -> u32 {\n" +
        "    return GROUP_SIZE * ITEMS * 4u / KEY_WORDS;\n" +
        "}\n" +
        "\n" +
        "// Mark those of GROUP_SIZE * ITEMS keys in quad[] that are between the bounds and pass the gate; element i of an\n" +
        "// invocation is at = start + i * GROUP_SIZE + local in a window of `size` elements, the first of which is element\n" +
        "// `first`. Returns how many are below the lower bound.\n" +
        "fn mark_words(local: u32, first: u32, start: u32, size: u32, gate: u32) -> u32 {\n" +
        "    let low = lower;\n" +
        "    let high = upper;\n" +
        "    var below_it = 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = start + i * GROUP_SIZE + local;\n" +
        "        let image = ordered(quad[i].xy);\n" +
        "        let is_below = is_before(image, first + at, low);\n" +
        "        let exists = at < size;\n" +
        "        below_it += select(0u, 1u, exists && is_below);\n" +
        "        if (exists && !is_below && is_before(image, first + at, high)) {\n" +
        "            if (gate == OPEN || hash(first + at) <= gate) {\n" +
        "                atomicOr(&marks[at >> 5u], 1u << (at & 31u));\n" +
        "            }\n" +
        "        }\n" +
        "    }\n" +
        "    return below_it;\n" +
        "}\n" +
        "\n" +
        "// The same as mark_words for ITEMS quads of each invocation, without a gate: quad i of an invocation has the\n" +
        "// elements from start + (i * GROUP_SIZE + local) * 4 / KEY_WORDS on, of `size` in the window, all of whose quads\n" +
        "// are full.\n" +
        "fn mark_quads(local: u32, first: u32, start: u32, size: u32, low: vec3<u32>, high: vec3<u32>) -> u32 {\n" +
        "    let in_quad = 4u / KEY_WORDS;\n" +
        "    var below_it = 0u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = start + (i * GROUP_SIZE + local) * in_quad;\n" +
        "        let least = least_image(low, first + at);\n" +
        "        let greatest = greatest_image(high, first + at);\n" +
        "        var found = vec2<u32>(0u);\n" +
        "        if (KEY_WORDS == 1u) {\n" +
        "            found = compare(ordered(vec2<u32>(quad[i].x, 0u)), least, greatest, 1u);\n" +
        "            found += compare(ordered(vec2<u32>(quad[i].y, 0u)), least, greatest, 2u);\n" +
        "            found += compare(ordered(vec2<u32>(quad[i].z, 0u)), least, greatest, 4u);\n" +
        "            found += compare(ordered(vec2<u32>(quad[i].w, 0u)), least, greatest, 8u);\n" +
        "        } else {\n" +
        "            found = compare(ordered(quad[i].xy), least, greatest, 1u);\n" +
        "            found += compare(ordered(quad[i].zw), least, greatest, 2u);\n" +
        "        }\n" +
        "        let all_below = has_none_above(low, first + at);\n" +
        "        let none = all_below || has_none_below(high, first + at);\n" +
        "        below_it += select(0u, select(found.y, in_quad, all_below), at < size);\n" +
        "        if (found.x != 0u && !none && at < size) {\n" +
        "            atomicOr(&marks[at >> 5u], found.x << (at & 31u));\n" +
        "        }\n" +
        "    }\n" +
        "    return below_it;\n" +
        "}\n" +
        "\n" +
        "// An invocation's marks: `each` words of them. They are cleared for the next window.\n" +
        "fn take_marks(local: u32, each: u32, number: u32) -> u32 {\n" +
        "    if (number >= each) {\n" +
        "        return 0u;\n" +
        "    }\n" +
        "    let word = local * each + number;\n" +
        "    let bits = atomicLoad(&marks[word]);\n" +
        "    atomicStore(&marks[word], 0u);\n" +
        "    return bits;\n" +
        "}\n" +
        "\n" +
        "// List the positions of 32 marks, as far as a workgroup holds them.\n" +
        "fn list_marks(bits: u32, position: u32, place_in_list: u32) {\n" +
        "    var rest = bits;\n" +
        "    var to = place_in_list;\n" +
        "    while (rest != 0u && to < capacity()) {\n" +
        "        let lowest = rest & (0u - rest);\n" +
        "        put(to, position + countOneBits(lowest - 1u));\n" +
        "        to++;\n" +
        "        rest ^= lowest;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// List the marked elements of a window behind those that are listed. Returns how many there are then.\n" +
        "fn list_window(local: u32, first: u32, size: u32, listed: u32) -> u32 {\n" +
        "    workgroupBarrier();\n" +
        "    let each = div_ceil(div_ceil(size, 32u), GROUP_SIZE);\n" +
        "    let bits = vec4<u32>(take_marks(local, each, 0u), take_marks(local, each, 1u),\n" +
        "                         take_marks(local, each, 2u), take_marks(local, each, 3u));\n" +
        "    let ones = countOneBits(bits);\n" +
        "    let before = group_exclusive(local, ones.x + ones.y + ones.z + ones.w);\n" +
        "    let position = first + local * each * 32u;\n" +
        "    var to = listed + before.x;\n" +
        "    list_marks(bits.x, position, to);\n" +
        "    to += ones.x;\n" +
        "    list_marks(bits.y, position + 32u, to);\n" +
        "    to += ones.y;\n" +
        "    list_marks(bits.z, position + 64u, to);\n" +
        "    to += ones.z;\n" +
        "    list_marks(bits.w, position + 96u, to);\n" +
        "    return listed + before.y;\n" +
        "}\n" +
        "\n" +
        "// The gate of the next pass: half of what a workgroup holds is to pass it, of so many.\n" +
        "fn gate_for(elements: u32) -> u32 {\n" +
        "    return 0xffffffffu / elements * (capacity() / 2u);\n" +
        "}\n" +
        "\n" +
        "// Whether a bound divides elements of one image, and another one others.\n" +
        "fn may_have_ties() -> bool {\n" +
        "    return TIES && !is_equal(lower.xy, upper.xy) && (lower.z > 0u || upper.z + 1u > 1u);\n" +
        "}\n" +
        "\n" +
        "// Say what a pass has listed. After a pass with a gate, one that is twice as wide follows if too few are.\n" +
        "fn end_pass(local: u32, now: vec4<u32>, below_it: u32, listed: u32) {\n" +
        "    let start = group_exclusive(local, below_it).y;\n" +
        "    if (local != 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    if (now.x != TOO_MANY) {\n" +
        "        let part = select(PART, LAST_PART, all(upper == slice_end));\n" +
        "        if (listed <= capacity()) {\n" +
        "            task = vec4<u32>(part, listed, start, select(0u, 1u, may_have_ties()));\n" +
        "        } else {\n" +
        "            task = vec4<u32>(TOO_MANY, 0u, gate_for(listed), listed);\n" +
        "        }\n" +
        "    } else if (listed >= LEAST_SAMPLE) {\n" +
        "        task = vec4<u32>(SAMPLE_OF_PART, min(listed, capacity()), 0u, now.w);\n" +
        "    } else {\n" +
        "        task = vec4<u32>(TOO_MANY, 0u, min(now.z, 0x7fffffffu) * 2u, now.w);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn gate_of(now: vec4<u32>) -> u32 {\n" +
        "    return select(OPEN, now.z, now.x == TOO_MANY);\n" +
        "}\n" +
        "\n" +
        "// ---- Ties ----------------------------------------------------------------------------------------\n" +
        "\n" +
        "// Elements with the image of a bound lie in one end of the list alone, and so unevenly that lib/local_sort takes\n" +
        "// its slow way. But where they belong is known: at the ends of the part, in their order.\n" +
        "\n" +
        "// Whether an element that is held has the image of a bound.\n" +
        "fn is_tied(i: u32, at: u32, size: u32, bound: vec3<u32>) -> bool {\n" +
        "    return at < size && is_equal(vec2<u32>(key_a[i], key_b[i]), bound.xy);\n" +
        "}\n" +
        "\n" +
        "// Set place[] of listed elements that have the image of a bound to where in the part they belong, and rank[] to 1,\n" +
        "// which is 0 of others. The task is then to sort these, which are listed.\n" +
        "fn place_ties(local: u32, now: vec4<u32>) {\n" +
        "    let words = capacity() / 32u;\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (is_tied(i, at, now.y, lower)) {\n" +
        "            atomicOr(&marks[at >> 5u], 1u << (at & 31u));\n" +
        "        }\n" +
        "        if (is_tied(i, at, now.y, upper)) {\n" +
        "            atomicOr(&marks[words + (at >> 5u)], 1u << (at & 31u));\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    var ties = 0u;\n" +
        "    if (local < words) {\n" +
        "        ties = countOneBits(atomicLoad(&marks[local])) |\n" +
        "            (countOneBits(atomicLoad(&marks[words + local])) << 16u);\n" +
        "    }\n" +
        "    let sums = group_exclusive(local, ties);\n" +
        "    if (local < words) {\n" +
        "        atomicStore(&marks[2u * words + local], sums.x);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    let lowest = sums.y & 0xffffu;\n" +
        "    let others = now.y - lowest - (sums.y >> 16u);\n" +
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        let word = at >> 5u;\n" +
        "        let lower_ones = (1u << (at & 31u)) - 1u;\n" +
        "        let before = atomicLoad(&marks[2u * words + word]);\n" +
        "        let low_before = (before & 0xffffu) + countOneBits(atomicLoad(&marks[word]) & lower_ones);\n" +
        "        let high_before = (before >> 16u) + countOneBits(atomicLoad(&marks[words + word]) & lower_ones);\n" +
        "        let is_low = is_tied(i, at, now.y, lower);\n" +
        "        let is_high = is_tied(i, at, now.y, upper);\n" +
        "        place[i] = select(select(at - low_before - high_before, lowest + others + high_before, is_high),\n" +
        "                          low_before, is_low);\n" +
        "        rank[i] = select(0u, 1u, is_low || is_high);\n" +
        "        if (at < now.y && rank[i] == 0u) {\n" +
        "            put(place[i], origin[i]);\n" +
        "        }\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    atomicStore(&marks[local], 0u);\n" +
        "    if (local == 0u) {\n" +
        "        task = vec4<u32>(now.x, others, now.z + lowest, 0u);\n" +
        "    }\n" +
        "}\n"
    },
    strip: {
        uses: [],
        text:
        "// strip: strips of a tile, and their counts by digit, for either way to rank (lib/rank).\n" +
        "//\n" +
        "// lib/rank gives strip_width(), the invocations of a strip, and strip_counts(), the first cell of:\n" +
        "//\n" +
        "//     cells   | counts, then starts: strips 0 and 1 of digit 0, of digit 1, … | strips 2 and 3 … |\n" +
        "//\n" +
        "// Two strips share a word, 16 bits each. A strip owns a run of strip_width() * ITEMS keys of the tile.\n" +
        "\n" +
        "// Where item i of an invocation stands in its tile.\n" +
        "fn rank_source(local: u32, i: u32) -> u32 {\n" +
        "    let width = strip_width();\n" +
        "    return local / width * (width * ITEMS) + i * width + local % width;\n" +
        "}\n" +
        "\n" +
        "fn rank_cell(strip: u32, digit: u32) -> u32 {\n" +
        "    return strip_counts() + strip / 2u * BINS + digit;\n" +
        "}\n" +
        "\n" +
        "fn rank_shift(strip: u32) -> u32 {\n" +
        "    return strip % 2u * 16u;\n" +
        "}\n" +
        "\n" +
        "// Keys of the tile with a digit.\n" +
        "fn rank_total(digit: u32) -> u32 {\n" +
        "    var total = 0u;\n" +
        "    for (var strip = 0u; strip < GROUP_SIZE / strip_width(); strip += 2u) {\n" +
        "        let two = atomicLoad(&cells[rank_cell(strip, digit)]);\n" +
        "        total += (two & 0xffffu) + (two >> 16u);\n" +
        "    }\n" +
        "    return total;\n" +
        "}\n" +
        "\n" +
        "// Turn the counts of a digit into where each strip's keys start, if the first starts at `start`.\n" +
        "fn rank_spread(digit: u32, start: u32) {\n" +
        "    var sum = start;\n" +
        "    for (var strip = 0u; strip < GROUP_SIZE / strip_width(); strip += 2u) {\n" +
        "        let two = atomicLoad(&cells[rank_cell(strip, digit)]);\n" +
        "        let second = sum + (two & 0xffffu);\n" +
        "        atomicStore(&cells[rank_cell(strip, digit)], sum | (second << 16u));\n" +
        "        sum = second + (two >> 16u);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn rank_start(local: u32, digit: u32) -> u32 {\n" +
        "    let strip = local / strip_width();\n" +
        "    return (atomicLoad(&cells[rank_cell(strip, digit)]) >> rank_shift(strip)) & 0xffffu;\n" +
        "}\n" +
        "\n" +
        "// Once ranks are positions in the sorted tile, `spot` has those of two items a word. They are set in items' order.\n" +
        "fn spot_of(i: u32) -> u32 {\n" +
        "    return (spot[i / 2u] >> (i % 2u * 16u)) & 0xffffu;\n" +
        "}\n" +
        "\n" +
        "fn set_spot(i: u32, number: u32) {\n" +
        "    spot[i / 2u] = select(spot[i / 2u] | (number << 16u), number, i % 2u == 0u);\n" +
        "}\n"
    },
    sum: {
        uses: [],
        text:
        "// sum: the operator of group_exclusive for kernels that count.\n" +
        "\n" +
        "fn combine(a: u32, b: u32) -> u32 {\n" +
        "    return a + b;\n" +
        "}\n" +
        "\n" +
        "fn identity() -> u32 {\n" +
        "    return 0u;\n" +
        "}\n"
    },
    sum_pair: {
        uses: [],
        text:
        "// sum_pair: add up two numbers of each invocation across a workgroup, with barriers alone.\n" +
        "//\n" +
        "// The scheme of lane_portable, for two sums at once: what takes its time are reads that wait, not additions. The\n" +
        "// kernel defines GROUP_SIZE (a multiple of 64) and `cells`, atomics, of which it takes GROUP_SIZE / 8 * 17.\n" +
        "//\n" +
        "//     cells   | x0, x1, … | y0, y1, … | sums of x, 16 invocations each | of y |\n" +
        "\n" +
        "const PAIR_ROW: u32 = 16u;\n" +
        "\n" +
        "fn pair_cell(at: u32) -> vec2<u32> {\n" +
        "    return vec2<u32>(atomicLoad(&cells[at]), atomicLoad(&cells[GROUP_SIZE + at]));\n" +
        "}\n" +
        "\n" +
        "fn pair_sum(row: u32) -> vec2<u32> {\n" +
        "    let at = 2u * GROUP_SIZE + row;\n" +
        "    return vec2<u32>(atomicLoad(&cells[at]), atomicLoad(&cells[at + GROUP_SIZE / PAIR_ROW]));\n" +
        "}\n" +
        "\n" +
        "fn pair_step(sum: vec2<u32>, row: u32, i: u32, lane: u32) -> vec2<u32> {\n" +
        "    return sum + select(vec2<u32>(0u), pair_cell(row + i), i < lane);\n" +
        "}\n" +
        "\n" +
        "// xy: the sums of the invocations below this one, zw: of all. Called by all invocations of the workgroup, in uniform\n" +
        "// control flow. Others may still read cells when it returns.\n" +
        "fn pair_exclusive(local: u32, value: vec2<u32>) -> vec4<u32> {\n" +
        "    atomicStore(&cells[local], value.x);\n" +
        "    atomicStore(&cells[GROUP_SIZE + local], value.y);\n" +
        "    workgroupBarrier();\n" +
        "    let lane = local % PAIR_ROW;\n" +
        "    let row = local - lane;\n" +
        "    var before = vec2<u32>(0u);\n" +
        "    before = pair_step(before, row, 0u, lane);\n" +
        "    before = pair_step(before, row, 1u, lane);\n" +
        "    before = pair_step(before, row, 2u, lane);\n" +
        "    before = pair_step(before, row, 3u, lane);\n" +
        "    before = pair_step(before, row, 4u, lane);\n" +
        "    before = pair_step(before, row, 5u, lane);\n" +
        "    before = pair_step(before, row, 6u, lane);\n" +
        "    before = pair_step(before, row, 7u, lane);\n" +
        "    before = pair_step(before, row, 8u, lane);\n" +
        "    before = pair_step(before, row, 9u, lane);\n" +
        "    before = pair_step(before, row, 10u, lane);\n" +
        "    before = pair_step(before, row, 11u, lane);\n" +
        "    before = pair_step(before, row, 12u, lane);\n" +
        "    before = pair_step(before, row, 13u, lane);\n" +
        "    before = pair_step(before, row, 14u, lane);\n" +
        "    if (lane == PAIR_ROW - 1u) {\n" +
        "        let at = 2u * GROUP_SIZE + local / PAIR_ROW;\n" +
        "        atomicStore(&cells[at], before.x + value.x);\n" +
        "        atomicStore(&cells[at + GROUP_SIZE / PAIR_ROW], before.y + value.y);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    var rows = vec2<u32>(0u);\n" +
        "    var total = vec2<u32>(0u);\n" +
        "    for (var i = 0u; i < GROUP_SIZE / PAIR_ROW; i += 4u) {\n" +
        "        rows = select(rows, total, i == local / PAIR_ROW);\n" +
        "        total += pair_sum(i);\n" +
        "        rows = select(rows, total, i + 1u == local / PAIR_ROW);\n" +
        "        total += pair_sum(i + 1u);\n" +
        "        rows = select(rows, total, i + 2u == local / PAIR_ROW);\n" +
        "        total += pair_sum(i + 2u);\n" +
        "        rows = select(rows, total, i + 3u == local / PAIR_ROW);\n" +
        "        total += pair_sum(i + 3u);\n" +
        "    }\n" +
        "    return vec4<u32>(rows + before, total);\n" +
        "}\n"
    },
    wide: {
        uses: [],
        text:
        "// wide: numbers of 64 bits, x the low word, y the high one.\n" +
        "\n" +
        "fn wide_add(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n" +
        "    let low = a.x + b.x;\n" +
        "    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));\n" +
        "}\n" +
        "\n" +
        "fn wide_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {\n" +
        "    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));\n" +
        "}\n" +
        "\n" +
        "fn wide_less(a: vec2<u32>, b: vec2<u32>) -> bool {\n" +
        "    return a.y < b.y || (a.y == b.y && a.x < b.x);\n" +
        "}\n" +
        "\n" +
        "// By up to 63 bits.\n" +
        "fn wide_left(a: vec2<u32>, by: u32) -> vec2<u32> {\n" +
        "    let rest = by & 31u;\n" +
        "    let carried = select(a.x >> ((32u - rest) & 31u), 0u, rest == 0u);\n" +
        "    let near = vec2<u32>(a.x << rest, (a.y << rest) | carried);\n" +
        "    return select(near, vec2<u32>(0u, near.x), by >= 32u);\n" +
        "}\n" +
        "\n" +
        "fn wide_right(a: vec2<u32>, by: u32) -> vec2<u32> {\n" +
        "    let rest = by & 31u;\n" +
        "    let carried = select(a.y << ((32u - rest) & 31u), 0u, rest == 0u);\n" +
        "    let near = vec2<u32>((a.x >> rest) | carried, a.y >> rest);\n" +
        "    return select(near, vec2<u32>(near.y, 0u), by >= 32u);\n" +
        "}\n" +
        "\n" +
        "fn word_width(word: u32) -> u32 {\n" +
        "    var bits = word | (word >> 1u);\n" +
        "    bits |= bits >> 2u;\n" +
        "    bits |= bits >> 4u;\n" +
        "    bits |= bits >> 8u;\n" +
        "    bits |= bits >> 16u;\n" +
        "    return countOneBits(bits);\n" +
        "}\n" +
        "\n" +
        "// Bits up to the highest that is set: 0 for 0.\n" +
        "fn wide_width(a: vec2<u32>) -> u32 {\n" +
        "    return select(word_width(a.x), 32u + word_width(a.y), a.y > 0u);\n" +
        "}\n" +
        "\n" +
        "// Zeros below the lowest bit that is set: 0 for 0.\n" +
        "fn wide_zeros(a: vec2<u32>) -> u32 {\n" +
        "    let low = countOneBits((a.x & (0u - a.x)) - 1u);\n" +
        "    let high = countOneBits((a.y & (0u - a.y)) - 1u);\n" +
        "    return select(select(0u, 32u + high, a.y > 0u), low, a.x > 0u);\n" +
        "}\n"
    },
    window: {
        uses: [],
        text:
        "// window: which tile is a workgroup's, where what is bound may be a window of a larger array. Uses count;\n" +
        "// the kernel's params have first_tile and window_tiles.\n" +
        "//\n" +
        "//     the array   | tile 0 | tile 1 | … | first_tile | … |\n" +
        "//     bound                             | window_tiles of them: all that this step works off |\n" +
        "\n" +
        "override IN_WINDOWS: bool = false;\n" +
        "\n" +
        "// `tiles`, the number of the run's tiles, or more, where there is none for this workgroup.\n" +
        "fn tile_number(grid: Grid, tiles: u32) -> u32 {\n" +
        "    let number = group_number(grid);\n" +
        "    if (IN_WINDOWS) {\n" +
        "        return select(params.first_tile + number, tiles, number >= params.window_tiles);\n" +
        "    }\n" +
        "    return number;\n" +
        "}\n" +
        "\n" +
        "// The element of the array that is the first bound.\n" +
        "fn window_start(tile_items: u32) -> u32 {\n" +
        "    if (IN_WINDOWS) {\n" +
        "        return params.first_tile * tile_items;\n" +
        "    }\n" +
        "    return 0u;\n" +
        "}\n"
    },
};
