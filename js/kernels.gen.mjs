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
    move: {
        uses: ["count"],
        text:
        "// move: copy elements, gather them by index, or write their indices.\n" +
        "//\n" +
        "//@use count\n" +
        "//\n" +
        "//     copy      destination[i] = source[i]\n" +
        "//     gather    destination[i] = source[indices[i]]      elements of `words` words; of an index only\n" +
        "//                                                       the bits under `mask` count\n" +
        "//     indices   destination[i] = i\n" +
        "//\n" +
        "// With rows, indices count from the start of their row.\n" +
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
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn move_copy(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = group_share(grid, params.max_count);\n" +
        "    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {\n" +
        "        let word = elements.x * params.words + i;\n" +
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
        "    let elements = group_share(grid, params.max_count);\n" +
        "    for (var i = local; i < elements.y; i += GROUP_SIZE) {\n" +
        "        destination[elements.x + i] = elements.x + i - row_start(elements.x + i);\n" +
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
        "        let window = key_digit(key, params.shift, params.mask);\n" +
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
        uses: ["count", "image", "key"],
        text:
        "// radix_histogram: count the digits of each tile of keys.\n" +
        "//\n" +
        "//@use count image key\n" +
        "//\n" +
        "//     keys     | tile 0 | tile 1 | …                     tile_items keys each, the last may be short\n" +
        "//     counts   | digit 0: tile 0, tile 1, … | digit 1: tile 0, tile 1, … | …\n" +
        "//\n" +
        "// Digit-major, so that one exclusive scan over all counts gives each tile the place of its first\n" +
        "// key of each digit. tiles = ceil(count / tile_items): a run with fewer elements than planned\n" +
        "// packs its table tighter.\n" +
        "// Reads KEY_WORDS words a key; writes one word a digit and tile.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "const BINS: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32,\n" +
        "    shift: u32,\n" +
        "    mask: u32, // digits in use - 1\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> keys: array<u32>;\n" +
        "\n" +
        "var<workgroup> bins: array<atomic<u32>, BINS>;\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let tiles = div_ceil(element_total, params.tile_items);\n" +
        "    let tile = group_number(grid);\n" +
        "    if (tile >= tiles) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = tile * params.tile_items;\n" +
        "    let tile_count = min(params.tile_items, element_total - first);\n" +
        "\n" +
        "    // 1. Clear. Not left to WebGPU: a host may have switched its zeroing off.\n" +
        "    for (var bin = local; bin < BINS; bin += GROUP_SIZE) {\n" +
        "        atomicStore(&bins[bin], 0u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "\n" +
        "    // 2. Count.\n" +
        "    for (var i = local; i < tile_count; i += GROUP_SIZE) {\n" +
        "        var key = vec2<u32>(keys[(first + i) * KEY_WORDS], 0u);\n" +
        "        if (KEY_WORDS == 2u) {\n" +
        "            key.y = keys[(first + i) * KEY_WORDS + 1u];\n" +
        "        }\n" +
        "        atomicAdd(&bins[key_digit(key, params.shift, params.mask)], 1u);\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "\n" +
        "    // 3. Write this tile's column.\n" +
        "    for (var bin = local; bin <= params.mask; bin += GROUP_SIZE) {\n" +
        "        counts[bin * tiles + tile] = atomicLoad(&bins[bin]);\n" +
        "    }\n" +
        "}\n"
    },
    radix_scatter: {
        uses: ["count", "image", "key", "sum", "lane"],
        text:
        "// radix_scatter: rank the keys of a tile by one digit of up to 8 bits, stably, and move them.\n" +
        "//\n" +
        "//@use count image key sum lane\n" +
        "//\n" +
        "// A tile is worked off in subtiles of GROUP_SIZE * ITEMS keys, held in registers. A strip, 32\n" +
        "// invocations, owns a consecutive run of 32 * ITEMS of them, in rounds of 32, so (strip, round,\n" +
        "// invocation) is the order of the input. In each round an invocation sets its bit in the mask of\n" +
        "// its strip and digit; the bits below it, and the keys counted in earlier rounds, are its rank.\n" +
        "//\n" +
        "//     cells while ranking   | masks: strip, digit -> 32 bits | counts: two strips a word, 16 bits each |\n" +
        "//     cells while moving    | one word of each key or value, in the order of the sorted subtile |\n" +
        "//     counts (memory)       | digit 0: tile 0, tile 1, … | digit 1: … |   scanned: places\n" +
        "//     place of a key        = shift_of[digit] + its position in the sorted subtile\n" +
        "//\n" +
        "// Moving through the cells makes writes to memory run on in long stretches of one digit each.\n" +
        "// On entry counts hold the scanned table of radix_histogram (ONE_TILE: not used).\n" +
        "// Reads and writes each key once, each value once; of counts one word a digit and tile.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;  // a multiple of 64, at least BINS\n" +
        "override CELLS: u32 = 3072u;      // the greater of GROUP_SIZE * ITEMS and GROUP_SIZE * 12\n" +
        "override ONE_TILE: bool = false;  // all keys fit one subtile: its own digit starts are the places\n" +
        "override WRITE_KEYS: bool = true; // false: the last pass of an argsort, which wants no keys\n" +
        "override VALUE_WORDS: u32 = 1u;   // words a value, 1 or more\n" +
        "const BINS: u32 = 256u;\n" +
        "const STRIP: u32 = 32u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    tile_items: u32,\n" +
        "    shift: u32,\n" +
        "    mask: u32, // digits in use - 1\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> counts: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> keys_in: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> keys_out: array<u32>;\n" +
        "@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;\n" +
        "@group(0) @binding(6) var<storage, read_write> values_in: array<u32>;\n" +
        "\n" +
        "var<workgroup> cells: array<atomic<u32>, CELLS>;\n" +
        "var<workgroup> shift_of: array<u32, BINS>;\n" +
        "\n" +
        "// What an invocation keeps of its ITEMS elements of a subtile.\n" +
        "var<private> low: array<u32, ITEMS>;      // key words as read …\n" +
        "var<private> high: array<u32, ITEMS>;\n" +
        "var<private> digit: array<u32, ITEMS>;\n" +
        "var<private> position: array<u32, ITEMS>; // where it stands in the sorted subtile\n" +
        "var<private> place: array<u32, ITEMS>;    // where element GROUP_SIZE * i + local of it goes\n" +
        "\n" +
        "var<private> next_place: u32; // of invocation d: where the tile's next key of digit d goes\n" +
        "\n" +
        "// Where item i of an invocation stands in its subtile, in input order.\n" +
        "fn source(local: u32, i: u32) -> u32 {\n" +
        "    return local / STRIP * (STRIP * ITEMS) + i * STRIP + local % STRIP;\n" +
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
        "        digit[i] = key_digit(vec2<u32>(low[i], high[i]), params.shift, params.mask);\n" +
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
        "// 3. Turn counts of strips into starts of strips; set shift_of; make positions those of the subtile.\n" +
        "fn spread(local: u32, held: u32) {\n" +
        "    let own = local;\n" +
        "    var total = 0u;\n" +
        "    if (own < BINS) {\n" +
        "        for (var pair = 0u; pair < GROUP_SIZE / STRIP; pair += 2u) {\n" +
        "            let two = atomicLoad(&cells[count_cell(pair, own)]);\n" +
        "            total += (two & 0xffffu) + (two >> 16u);\n" +
        "        }\n" +
        "    }\n" +
        "    let digit_start = group_exclusive(local, total).x;\n" +
        "    if (own < BINS) {\n" +
        "        var start = digit_start;\n" +
        "        for (var pair = 0u; pair < GROUP_SIZE / STRIP; pair += 2u) {\n" +
        "            let two = atomicLoad(&cells[count_cell(pair, own)]);\n" +
        "            let second = start + (two & 0xffffu);\n" +
        "            atomicStore(&cells[count_cell(pair, own)], start | (second << 16u));\n" +
        "            start = second + (two >> 16u);\n" +
        "        }\n" +
        "        shift_of[own] = select(next_place - digit_start, 0u, ONE_TILE);\n" +
        "        next_place += total;\n" +
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
        "// 4. Sort the keys through the cells, word by word, and write them.\n" +
        "fn move_keys(local: u32, held: u32) {\n" +
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
        "    //@unroll\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let at = i * GROUP_SIZE + local;\n" +
        "        if (at < held) {\n" +
        "            place[i] = at + shift_of[key_digit(vec2<u32>(low[i], high[i]), params.shift, params.mask)];\n" +
        "            if (WRITE_KEYS) {\n" +
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
        "// 5. Sort one word of each value, in low[], the same way; it goes to word `word` of its value.\n" +
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
        "        if (at < held) {\n" +
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
        "    let tile = group_number(grid);\n" +
        "    if (tile >= tiles) {\n" +
        "        return vec2<u32>(0u, 0u);\n" +
        "    }\n" +
        "    if (!ONE_TILE && local <= params.mask) {\n" +
        "        next_place = counts[local * tiles + tile];\n" +
        "    }\n" +
        "    let first = tile * params.tile_items;\n" +
        "    return vec2<u32>(first, min(params.tile_items, element_total - first));\n" +
        "}\n" +
        "\n" +
        "// Rank and move the keys of one subtile: `done` elements of the tile lie before it.\n" +
        "fn sort_keys(local: u32, tile: vec2<u32>, done: u32) -> u32 {\n" +
        "    let held = min(GROUP_SIZE * ITEMS, tile.y - done);\n" +
        "    load(local, tile.x + done, held);\n" +
        "    rank(local, held);\n" +
        "    spread(local, held);\n" +
        "    move_keys(local, held);\n" +
        "    return held;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_scatter_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(local, grid);\n" +
        "    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {\n" +
        "        sort_keys(local, tile, done);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn radix_scatter_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let tile = begin_tile(local, grid);\n" +
        "    for (var done = 0u; done < tile.y; done += GROUP_SIZE * ITEMS) {\n" +
        "        let held = sort_keys(local, tile, done);\n" +
        "        for (var word = 0u; word < VALUE_WORDS; word++) {\n" +
        "            //@unroll\n" +
        "            for (var i = 0u; i < ITEMS; i++) {\n" +
        "                let at = source(local, i);\n" +
        "                if (at < held) {\n" +
        "                    low[i] = values_in[(tile.x + done + at) * VALUE_WORDS + word];\n" +
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
        "    mask: u32, // digits in use - 1\n" +
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
        "            own[i] |= key_digit(key, params.shift, params.mask) << 16u;\n" +
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
    scan: {
        uses: ["count", "image", "lane"],
        text:
        "// scan: prefix sums, minima or maxima over blocks of items, and sums of blocks.\n" +
        "//\n" +
        "//@use count image lane\n" +
        "//\n" +
        "//     items     | block 0 | block 1 | …     GROUP_SIZE * ITEMS each, ITEMS consecutive an invocation\n" +
        "//     carries   | what all blocks before it combine to, one a block |\n" +
        "//\n" +
        "//     scan_reduce            sums[block] = its items combined; identity_bits if there are none\n" +
        "//     scan_nothing           sums[0] = identity_bits, for a plan without items\n" +
        "//     scan_block[_in_place]  a single block\n" +
        "//     scan_apply[_in_place]  a block, on top of its carry\n" +
        "//\n" +
        "// Items are combined as images (min and max of signed and floats become those of unsigned) and\n" +
        "// turned back when written. Item counts of a level are ceil(items / unit), see item_count.\n" +
        "// Reads and writes each item once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
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
        "@group(0) @binding(3) var<storage, read_write> items_in: array<u32>;         // not in place\n" +
        "@group(0) @binding(4) var<storage, read_write> carries: array<u32>;          // not in place\n" +
        "@group(0) @binding(3) var<storage, read_write> carries_in_place: array<u32>; // in place\n" +
        "\n" +
        "var<private> held: array<u32, ITEMS>;\n" +
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
        "}\n" +
        "\n" +
        "fn item_count() -> u32 {\n" +
        "    let items = div_ceil(element_count(params.max_count), params.per) * params.times;\n" +
        "    return div_ceil(items, params.unit);\n" +
        "}\n" +
        "\n" +
        "// Combine the held items of all invocations: x those before this one's, y all. Positions past the\n" +
        "// items hold the identity.\n" +
        "fn combine_held(local: u32) -> vec2<u32> {\n" +
        "    var sum = identity();\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        sum = combine(sum, held[i]);\n" +
        "    }\n" +
        "    return group_exclusive(local, sum);\n" +
        "}\n" +
        "\n" +
        "// Write the scan of the held items over `before`, from item `first` on.\n" +
        "fn write_scan(first: u32, items: u32, before: u32) {\n" +
        "    var sum = before;\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let through = combine(sum, held[i]);\n" +
        "        let at = first + i;\n" +
        "        if (at < items) {\n" +
        "            if (INCLUSIVE) {\n" +
        "                items_out[at] = bits_of(through);\n" +
        "            } else if (at == 0u) {\n" +
        "                items_out[at] = identity_bits();\n" +
        "            } else {\n" +
        "                items_out[at] = bits_of(sum);\n" +
        "            }\n" +
        "        }\n" +
        "        sum = through;\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "// Nothing branches on whether an item exists, for group_exclusive follows: see lib/lane_subgroup.\n" +
        "fn load_items(first: u32, items: u32) {\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let bits = items_in[min(first + i, max(items, 1u) - 1u)];\n" +
        "        held[i] = select(identity(), image(bits), first + i < items);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn load_items_in_place(first: u32, items: u32) {\n" +
        "    for (var i = 0u; i < ITEMS; i++) {\n" +
        "        let bits = items_out[min(first + i, max(items, 1u) - 1u)];\n" +
        "        held[i] = select(identity(), image(bits), first + i < items);\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "fn block_count(items: u32) -> u32 {\n" +
        "    return div_ceil(items, GROUP_SIZE * ITEMS);\n" +
        "}\n" +
        "\n" +
        "fn first_item(local: u32, block: u32) -> u32 {\n" +
        "    return (block * GROUP_SIZE + local) * ITEMS;\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_reduce(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= max(block_count(items), 1u)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    load_items(first_item(local, block), items);\n" +
        "    let sum = combine_held(local).y;\n" +
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
        "    let first = first_item(local, 0u);\n" +
        "    load_items(first, items);\n" +
        "    write_scan(first, items, combine_held(local).x);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_block_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    if (group_number(grid) > 0u) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = first_item(local, 0u);\n" +
        "    load_items_in_place(first, items);\n" +
        "    write_scan(first, items, combine_held(local).x);\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_apply(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= block_count(items)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = first_item(local, block);\n" +
        "    load_items(first, items);\n" +
        "    let before = combine_held(local).x;\n" +
        "    if (block == 0u) {\n" +
        "        write_scan(first, items, before);\n" +
        "    } else {\n" +
        "        write_scan(first, items, combine(image(carries[block]), before));\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn scan_apply_in_place(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let items = item_count();\n" +
        "    let block = group_number(grid);\n" +
        "    if (block >= block_count(items)) {\n" +
        "        return;\n" +
        "    }\n" +
        "    let first = first_item(local, block);\n" +
        "    load_items_in_place(first, items);\n" +
        "    let before = combine_held(local).x;\n" +
        "    if (block == 0u) {\n" +
        "        write_scan(first, items, before);\n" +
        "    } else {\n" +
        "        write_scan(first, items, combine(image(carries_in_place[block]), before));\n" +
        "    }\n" +
        "}\n"
    },
};

export const snippets = {
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
        "    key_a[i] = word_image(key_a[i], kinds);\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = word_image(key_b[i], kinds >> 4u); }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = word_image(key_c[i], kinds >> 8u); }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = word_image(key_d[i], kinds >> 12u); }\n" +
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
        "    key_a[i] = word_bits(key_a[i], kinds);\n" +
        "    if (KEY_WORDS > 1u) { key_b[i] = word_bits(key_b[i], kinds >> 4u); }\n" +
        "    if (KEY_WORDS > 2u) { key_c[i] = word_bits(key_c[i], kinds >> 8u); }\n" +
        "    if (KEY_WORDS > 3u) { key_d[i] = word_bits(key_d[i], kinds >> 12u); }\n" +
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
        "// The kind is a constant to most callers. Branches on it are cut by every compiler; lavapipe keeps\n" +
        "// selects, and then takes a third longer for a radix sort.\n" +
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
        "// The bits of the key's image from `shift` on, under `mask`; a digit may straddle the two words.\n" +
        "fn key_digit(key: vec2<u32>, shift: u32, mask: u32) -> u32 {\n" +
        "    let image = key_image(key);\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        return (image.x >> (shift & 31u)) & mask;\n" +
        "    }\n" +
        "    if (shift >= 32u) {\n" +
        "        return (image.y >> (shift & 31u)) & mask;\n" +
        "    }\n" +
        "    let high = select(image.y << ((32u - shift) & 31u), 0u, shift == 0u);\n" +
        "    return ((image.x >> (shift & 31u)) | high) & mask;\n" +
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
        "//     cells   | x0 … x15 | x16 … x31 | …      each of GROUP_SIZE / 16 invocations scans one row\n" +
        "//     sums    | s0       | s1        | …      invocation 0 scans these\n" +
        "//\n" +
        "// The association is fixed, so rounding operators give the same bits on every device.\n" +
        "\n" +
        "const LANE_ROW: u32 = 16u;\n" +
        "const LANE_ROWS: u32 = 64u; // enough for 1,024 invocations\n" +
        "\n" +
        "var<workgroup> lane_cells: array<u32, GROUP_SIZE>;\n" +
        "var<workgroup> lane_sums: array<u32, LANE_ROWS>;\n" +
        "var<workgroup> lane_total: u32;\n" +
        "\n" +
        "// x: what the invocations below this one combine to (the identity for the first).\n" +
        "// y: what all combine to. Called by all invocations of the workgroup, in uniform control flow.\n" +
        "fn group_exclusive(local: u32, value: u32) -> vec2<u32> {\n" +
        "    lane_cells[local] = value;\n" +
        "    workgroupBarrier();\n" +
        "    if (local < GROUP_SIZE / LANE_ROW) {\n" +
        "        var sum = identity();\n" +
        "        for (var i = local * LANE_ROW; i < (local + 1u) * LANE_ROW; i++) {\n" +
        "            let cell = lane_cells[i];\n" +
        "            lane_cells[i] = sum;\n" +
        "            sum = combine(sum, cell);\n" +
        "        }\n" +
        "        lane_sums[local] = sum;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    if (local == 0u) {\n" +
        "        var sum = identity();\n" +
        "        for (var i = 0u; i < GROUP_SIZE / LANE_ROW; i++) {\n" +
        "            let row = lane_sums[i];\n" +
        "            lane_sums[i] = sum;\n" +
        "            sum = combine(sum, row);\n" +
        "        }\n" +
        "        lane_total = sum;\n" +
        "    }\n" +
        "    workgroupBarrier();\n" +
        "    // The next call writes sums and total only behind barriers, so none is needed here.\n" +
        "    let before = combine(lane_sums[local / LANE_ROW], lane_cells[local]);\n" +
        "    return vec2<u32>(before, lane_total);\n" +
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
};
