// msd_local: sort items of a partition, each by one workgroup, and leave them where they belong.
//
//@use count image key local_sort local_settle local_network
//
//     control        | … | item count | …
//     items          | first element | size, and in bit 31 whether the item lies in `final` | …
//     keys, values   | an item lies in one of two buffers, and is left at the same place in `final` | …
//
// An item has up to GROUP_SIZE * 8 elements, which are sorted in registers and workgroup memory
// (lib/local_sort). Where there are values, equal keys keep the order that they have in the item.
// Reads and writes each element once.

override CELLS: u32 = 1320u;      // GROUP_SIZE * 33 / 4
override GROUP_SIZE: u32 = 160u;  // a multiple of 32
override WRITE_KEYS: bool = true; // false: an argsort, which wants no keys
override VALUE_WORDS: u32 = 1u;   // words a value

@group(0) @binding(2) var<storage, read_write> control: array<u32>;
@group(0) @binding(3) var<storage, read_write> items: array<u32>;
@group(0) @binding(4) var<storage, read_write> keys_alternate: array<u32>;
@group(0) @binding(5) var<storage, read_write> keys_final: array<u32>;
@group(0) @binding(6) var<storage, read_write> values_alternate: array<u32>;
@group(0) @binding(7) var<storage, read_write> values_final: array<u32>;

const IN_FINAL: u32 = 0x80000000u;

var<workgroup> item: vec2<u32>;

var<private> carried: array<u32, ITEMS>; // a word of the values, as elements stand in the item

// Item `number`: x the first element, y as it stands in memory, or 0 past the last item.
fn load_item(local: u32, number: u32) -> vec2<u32> {
    if (local == 0u) {
        item = vec2<u32>(0u);
        if (number < control[1]) {
            item = vec2<u32>(items[number * 2u], items[number * 2u + 1u]);
        }
    }
    return workgroupUniformLoad(&item);
}

fn group_total(grid: Grid) -> u32 {
    return grid.group_count.x * grid.group_count.y;
}

// ---- Memory --------------------------------------------------------------------------------------

fn key_from(in_final: bool, element: u32) -> vec2<u32> {
    var key = vec2<u32>(0u);
    if (in_final) {
        key.x = keys_final[element * KEY_WORDS];
        if (KEY_WORDS == 2u) { key.y = keys_final[element * KEY_WORDS + 1u]; }
    } else {
        key.x = keys_alternate[element * KEY_WORDS];
        if (KEY_WORDS == 2u) { key.y = keys_alternate[element * KEY_WORDS + 1u]; }
    }
    return key;
}

// Elements past `size` are copies of the last one.
fn load_keys(local: u32, first: u32, size: u32, in_final: bool) {
    if (in_final) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = min(i * GROUP_SIZE + local, size - 1u);
            set_image(i, key_from(true, first + at));
            key_c[i] = at;
        }
    } else {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = min(i * GROUP_SIZE + local, size - 1u);
            set_image(i, key_from(false, first + at));
            key_c[i] = at;
        }
    }
}

fn store_keys(local: u32, first: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < size) {
            let key = get_key(i);
            keys_final[(first + at) * KEY_WORDS] = key.x;
            if (KEY_WORDS == 2u) { keys_final[(first + at) * KEY_WORDS + 1u] = key.y; }
        }
    }
}

fn load_value_word(local: u32, first: u32, size: u32, in_final: bool, w: u32) {
    if (in_final) {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = min(i * GROUP_SIZE + local, size - 1u);
            carried[i] = values_final[(first + at) * VALUE_WORDS + w];
        }
    } else {
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = min(i * GROUP_SIZE + local, size - 1u);
            carried[i] = values_alternate[(first + at) * VALUE_WORDS + w];
        }
    }
}

// ---- Entry points --------------------------------------------------------------------------------

@compute @workgroup_size(GROUP_SIZE)
fn msd_local_keys(@builtin(local_invocation_index) local: u32, grid: Grid) {
    for (var number = group_number(grid); ; number += group_total(grid)) {
        let entry = load_item(local, number);
        let size = entry.y & ~IN_FINAL;
        let in_final = entry.y >= IN_FINAL;
        if (size == 0u) {
            break;
        }
        load_keys(local, entry.x, size, in_final);
        let changed = sort_held(local, size);
        if (changed || !in_final) {
            store_keys(local, entry.x, size);
        }
    }
}

// Equal keys keep the order of the item, and values go with them. The first word of the values is on its way while
// keys are sorted.
@compute @workgroup_size(GROUP_SIZE)
fn msd_local_pairs(@builtin(local_invocation_index) local: u32, grid: Grid) {
    for (var number = group_number(grid); ; number += group_total(grid)) {
        let entry = load_item(local, number);
        let size = entry.y & ~IN_FINAL;
        let in_final = entry.y >= IN_FINAL;
        if (size == 0u) {
            break;
        }
        load_keys(local, entry.x, size, in_final);
        load_value_word(local, entry.x, size, in_final, 0u);
        let changed = sort_held(local, size);
        if (changed || !in_final) {
            if (WRITE_KEYS) {
                store_keys(local, entry.x, size);
            }
            // A word of the values is read whole before it is written.
            for (var w = 0u; w < VALUE_WORDS; w++) {
                if (w > 0u) {
                    load_value_word(local, entry.x, size, in_final, w);
                }
                workgroupBarrier();
                //@unroll
                for (var i = 0u; i < ITEMS; i++) {
                    put(own_cell(local, i), carried[i]);
                }
                workgroupBarrier();
                //@unroll
                for (var i = 0u; i < ITEMS; i++) {
                    let at = i * GROUP_SIZE + local;
                    if (at < size) {
                        values_final[(entry.x + at) * VALUE_WORDS + w] = take(cell_of(key_c[i]));
                    }
                }
            }
        }
    }
}
