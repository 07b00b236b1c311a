// SPDX-License-Identifier: MIT
// Generated from kernels/ by tools/embed.c: edit those, then `./dev build`.

export const kernels = {
    move: {
        uses: ["count"],
        text:
        "// move: copy elements, gather them by index, or write their indices.\n" +
        "//\n" +
        "//@use count\n" +
        "//\n" +
        "//     copy      destination[i] = source[i]\n" +
        "//     gather    destination[i] = source[indices[i]]      elements of `words` words\n" +
        "//     indices   destination[i] = i\n" +
        "//\n" +
        "// A workgroup moves GROUP_SIZE * ITEMS consecutive elements; neighbouring invocations move\n" +
        "// neighbouring words. Reads and writes each word once.\n" +
        "\n" +
        "override GROUP_SIZE: u32 = 256u;\n" +
        "\n" +
        "struct Params {\n" +
        "    max_count: u32,\n" +
        "    words: u32, // words an element\n" +
        "}\n" +
        "\n" +
        "@group(0) @binding(0) var<uniform> params: Params;\n" +
        "@group(0) @binding(2) var<storage, read_write> destination: array<u32>;\n" +
        "@group(0) @binding(3) var<storage, read_write> source: array<u32>;\n" +
        "@group(0) @binding(4) var<storage, read_write> indices: array<u32>;\n" +
        "\n" +
        "// The elements of this workgroup: x first, y how many.\n" +
        "fn share(grid: Grid) -> vec2<u32> {\n" +
        "    let element_total = element_count(params.max_count);\n" +
        "    let tile = GROUP_SIZE * ITEMS;\n" +
        "    let number = group_number(grid);\n" +
        "    if (number >= div_ceil(element_total, tile)) {\n" +
        "        return vec2<u32>(0u, 0u);\n" +
        "    }\n" +
        "    return vec2<u32>(number * tile, min(tile, element_total - number * tile));\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn move_copy(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = share(grid);\n" +
        "    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {\n" +
        "        let word = elements.x * params.words + i;\n" +
        "        destination[word] = source[word];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn move_gather(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = share(grid);\n" +
        "    for (var i = local; i < elements.y * params.words; i += GROUP_SIZE) {\n" +
        "        let element = elements.x + i / params.words;\n" +
        "        let word = i % params.words;\n" +
        "        destination[element * params.words + word] = source[indices[element] * params.words + word];\n" +
        "    }\n" +
        "}\n" +
        "\n" +
        "@compute @workgroup_size(GROUP_SIZE)\n" +
        "fn move_indices(@builtin(local_invocation_index) local: u32, grid: Grid) {\n" +
        "    let elements = share(grid);\n" +
        "    for (var i = local; i < elements.y; i += GROUP_SIZE) {\n" +
        "        destination[elements.x + i] = elements.x + i;\n" +
        "    }\n" +
        "}\n"
    },
    radix_histogram: {
        uses: ["count", "key"],
        text:
        "// radix_histogram: count the digits of each tile of keys.\n" +
        "//\n" +
        "//@use count key\n" +
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
        uses: ["count", "key", "sum", "lane"],
        text:
        "// radix_scatter: rank the keys of a tile by one digit of up to 8 bits, stably, and move them.\n" +
        "//\n" +
        "//@use count key sum lane\n" +
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
        uses: ["count", "key", "sum", "lane"],
        text:
        "// radix_split: the classic form of radix_scatter: digits of up to 4 bits, ranked by one-bit partitions.\n" +
        "//\n" +
        "//@use count key sum lane\n" +
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
        uses: ["count", "lane"],
        text:
        "// scan: prefix sums, minima or maxima over blocks of items, and sums of blocks.\n" +
        "//\n" +
        "//@use count lane\n" +
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
        "// Bits to an unsigned integer whose order is the operator's, and back.\n" +
        "fn image(bits: u32) -> u32 {\n" +
        "    if (OP == 0u || TYPE_KIND == 0u) {\n" +
        "        return bits;\n" +
        "    }\n" +
        "    if (TYPE_KIND == 1u) {\n" +
        "        return bits ^ 0x80000000u;\n" +
        "    }\n" +
        "    return (bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u)) - 0x007fffffu;\n" +
        "}\n" +
        "\n" +
        "fn bits_of(image_value: u32) -> u32 {\n" +
        "    if (OP == 0u || TYPE_KIND == 0u) {\n" +
        "        return image_value;\n" +
        "    }\n" +
        "    if (TYPE_KIND == 1u) {\n" +
        "        return image_value ^ 0x80000000u;\n" +
        "    }\n" +
        "    let flipped = image_value + 0x007fffffu;\n" +
        "    return flipped ^ select(0xffffffffu, 0x80000000u, flipped >= 0x80000000u);\n" +
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
        "}\n"
    },
    key: {
        uses: [],
        text:
        "// key: from the bits of a key to its image, an unsigned integer in the same order.\n" +
        "//\n" +
        "// unsigned: the bits. signed: sign bit flipped. float: all bits of a negative, the sign bit of\n" +
        "// others flipped, then the image of -inf subtracted, so that -inf comes first and the negative\n" +
        "// NaNs wrap round to behind the positive ones. Descending: all bits of that inverted.\n" +
        "// Floats stay integers throughout: WGSL lets an implementation ignore NaNs, infinities and -0.\n" +
        "\n" +
        "override KEY_KIND: u32;     // 0 unsigned, 1 signed, 2 float\n" +
        "override KEY_WORDS: u32;    // 1 or 2 words of 32 bits\n" +
        "override DESCENDING: bool;\n" +
        "\n" +
        "// key: low word, high word (0 for a key of one word).\n" +
        "fn key_image(key: vec2<u32>) -> vec2<u32> {\n" +
        "    var image = key;\n" +
        "    if (KEY_WORDS == 1u) {\n" +
        "        if (KEY_KIND == 1u) {\n" +
        "            image.x = key.x ^ 0x80000000u;\n" +
        "        }\n" +
        "        if (KEY_KIND == 2u) {\n" +
        "            image.x = (key.x ^ select(0x80000000u, 0xffffffffu, key.x >= 0x80000000u)) - 0x007fffffu;\n" +
        "        }\n" +
        "    } else {\n" +
        "        if (KEY_KIND == 1u) {\n" +
        "            image.y = key.y ^ 0x80000000u;\n" +
        "        }\n" +
        "        if (KEY_KIND == 2u) {\n" +
        "            let negative = key.y >= 0x80000000u;\n" +
        "            let low = (key.x ^ select(0u, 0xffffffffu, negative)) + 1u;\n" +
        "            let high = key.y ^ select(0x80000000u, 0xffffffffu, negative);\n" +
        "            // Subtracting 0x000fffffffffffff is adding 0xfff0000000000001.\n" +
        "            image = vec2<u32>(low, high + 0xfff00000u + select(0u, 1u, low == 0u));\n" +
        "        }\n" +
        "    }\n" +
        "    if (DESCENDING) {\n" +
        "        image = ~image;\n" +
        "    }\n" +
        "    return image;\n" +
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
