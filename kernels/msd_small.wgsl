// msd_small: sort a whole array of up to GROUP_SIZE * 8 elements in one workgroup.
//
//@use count image key local_sort local_settle local_network
//
//     keys, keys_out, values_in, values_out   | element 0 | element 1 | …     as the entry point names them
//
// The same sort as that of an item (msd_local). It is stable: ties are broken by position.
// Reads and writes each element once.

override CELLS: u32 = 1320u;      // GROUP_SIZE * 33 / 4
override GROUP_SIZE: u32 = 160u;  // a multiple of 32
override VALUE_WORDS: u32 = 1u;   // words a value

struct Params {
    max_count: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(3) var<storage, read_write> values: array<u32>; // in place, or indices alone
@group(0) @binding(4) var<storage, read_write> values_in: array<u32>;
@group(0) @binding(5) var<storage, read_write> values_out: array<u32>;

// Elements past `size` are copies of the last one.
fn load_keys(local: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = min(i * GROUP_SIZE + local, size - 1u);
        var key = vec2<u32>(keys[at * KEY_WORDS], 0u);
        if (KEY_WORDS == 2u) { key.y = keys[at * KEY_WORDS + 1u]; }
        set_image(i, key);
        key_c[i] = at;
    }
}

fn store_keys(local: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < size) {
            let key = get_key(i);
            keys_out[at * KEY_WORDS] = key.x;
            if (KEY_WORDS == 2u) { keys_out[at * KEY_WORDS + 1u] = key.y; }
        }
    }
}

fn store_keys_in_place(local: u32, size: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < size) {
            let key = get_key(i);
            keys[at * KEY_WORDS] = key.x;
            if (KEY_WORDS == 2u) { keys[at * KEY_WORDS + 1u] = key.y; }
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_small_keys(@builtin(local_invocation_index) local: u32) {
    let size = element_count(params.max_count);
    if (size == 0u) {
        return;
    }
    load_keys(local, size);
    sort_held(local, size);
    store_keys(local, size);
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_small_keys_in_place(@builtin(local_invocation_index) local: u32) {
    let size = element_count(params.max_count);
    if (size == 0u) {
        return;
    }
    load_keys(local, size);
    if (sort_held(local, size)) {
        store_keys_in_place(local, size);
    }
}

// An argsort: values become indices, keys are read alone.
@compute @workgroup_size(GROUP_SIZE)
fn msd_small_index(@builtin(local_invocation_index) local: u32) {
    let size = element_count(params.max_count);
    if (size == 0u) {
        return;
    }
    load_keys(local, size);
    sort_held(local, size);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        let at = i * GROUP_SIZE + local;
        if (at < size) {
            values[at] = key_c[i];
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_small_pairs(@builtin(local_invocation_index) local: u32) {
    let size = element_count(params.max_count);
    if (size == 0u) {
        return;
    }
    load_keys(local, size);
    sort_held(local, size);
    store_keys(local, size);
    for (var w = 0u; w < VALUE_WORDS; w++) {
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = i * GROUP_SIZE + local;
            if (at < size) {
                put(own_cell(local, i), values_in[at * VALUE_WORDS + w]);
            }
        }
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = i * GROUP_SIZE + local;
            if (at < size) {
                values_out[at * VALUE_WORDS + w] = take(cell_of(key_c[i]));
            }
        }
    }
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_small_pairs_in_place(@builtin(local_invocation_index) local: u32) {
    let size = element_count(params.max_count);
    if (size == 0u) {
        return;
    }
    load_keys(local, size);
    if (!sort_held(local, size)) {
        return;
    }
    store_keys_in_place(local, size);
    for (var w = 0u; w < VALUE_WORDS; w++) {
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = i * GROUP_SIZE + local;
            if (at < size) {
                put(own_cell(local, i), values[at * VALUE_WORDS + w]);
            }
        }
        workgroupBarrier();
        //@unroll
        for (var i = 0u; i < ITEMS; i++) {
            let at = i * GROUP_SIZE + local;
            if (at < size) {
                values[at * VALUE_WORDS + w] = take(cell_of(key_c[i]));
            }
        }
    }
}
