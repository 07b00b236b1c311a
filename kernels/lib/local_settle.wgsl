// local_settle: step 4 of local_sort, whose memory it uses: order what lies in order but for neighbours.
//
// An invocation sorts its run of 8 places, then merges its upper half with the next one's lower half. So
// what spans no more than two runs, with no more than 4 in either, is in order afterwards.

var<workgroup> kept: array<u32, 12>; // the lower half of the first run: word 0, word 1, word 2

// Whether element i comes after element j: the last word that is unequal decides, from the least
// significant word up.
fn comes_after(i: u32, j: u32) -> bool {
    var after = false;
    if (TIES) { after = key_c[i] > key_c[j]; }
    if (KEY_WORDS == 2u) { after = select(after, key_b[i] > key_b[j], key_b[i] != key_b[j]); }
    return select(after, key_a[i] > key_a[j], key_a[i] != key_a[j]);
}

// The comparator: the lesser element ends in i, the greater in j.
fn exchange(i: u32, j: u32, lone: bool) {
    if (lone) {
        let lesser = min(key_a[i], key_a[j]);
        key_a[j] = max(key_a[i], key_a[j]);
        key_a[i] = lesser;
    } else {
        let swap = comes_after(i, j);
        let a = key_a[i];
        key_a[i] = select(a, key_a[j], swap);
        key_a[j] = select(key_a[j], a, swap);
        if (KEY_WORDS == 2u) {
            let b = key_b[i];
            key_b[i] = select(b, key_b[j], swap);
            key_b[j] = select(key_b[j], b, swap);
        }
        if (TIES) {
            let c = key_c[i];
            key_c[i] = select(c, key_c[j], swap);
            key_c[j] = select(key_c[j], c, swap);
        }
    }
}

// A least network for 8: 19 comparators.
fn sort_run(lone: bool) {
    exchange(0u, 2u, lone); exchange(1u, 3u, lone); exchange(4u, 6u, lone); exchange(5u, 7u, lone);
    exchange(0u, 4u, lone); exchange(1u, 5u, lone); exchange(2u, 6u, lone); exchange(3u, 7u, lone);
    exchange(0u, 1u, lone); exchange(2u, 3u, lone); exchange(4u, 5u, lone); exchange(6u, 7u, lone);
    exchange(2u, 4u, lone); exchange(3u, 5u, lone);
    exchange(1u, 4u, lone); exchange(3u, 6u, lone);
    exchange(1u, 2u, lone); exchange(3u, 4u, lone); exchange(5u, 6u, lone);
}

// Batcher's odd-even merge of registers 4 to 7 and 0 to 3, in this order.
fn merge_halves(lone: bool) {
    exchange(4u, 0u, lone); exchange(5u, 1u, lone); exchange(6u, 2u, lone); exchange(7u, 3u, lone);
    exchange(6u, 0u, lone); exchange(7u, 1u, lone);
    exchange(5u, 6u, lone); exchange(7u, 0u, lone); exchange(1u, 2u, lone);
}

// Word w of all elements to their places, then those of the invocation's run back.
fn to_runs(local: u32, w: u32) {
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        put(cell_of(place[i]), get_word(w, i));
    }
    workgroupBarrier();
    let run = run_cell(local);
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        set_word(w, i, take(run + i));
    }
}

// Word w of a run's lower half to the run's cells from `first` on.
fn give_lower(local: u32, w: u32, first: u32) {
    let run = run_cell(local) + first;
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        put(run + i, get_word(w, i));
    }
}

// What the next invocation gave.
fn take_lower(local: u32, w: u32, first: u32) {
    let next = run_cell(min(local + 1u, GROUP_SIZE - 1u)) + first;
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        set_word(w, i, select(take(next + i), NONE, local == GROUP_SIZE - 1u));
    }
}

// Word w to its places after merge_halves, then those of elements `at` back.
fn from_runs(local: u32, w: u32) {
    let run = run_cell(local) + 4u;
    let next = run_cell(local + 1u);
    //@unroll
    for (var i = 0u; i < ITEMS / 2u; i++) {
        put(run + i, get_word(w, 4u + i));
        if (local < GROUP_SIZE - 1u) {
            put(next + i, get_word(w, i));
        }
    }
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        set_word(w, i, take(own_cell(local, i)));
    }
}

// The lower half of the first run, which is at its places, aside, and word w of it to the cells.
fn keep_lower(local: u32) {
    if (local == 0u) {
        //@unroll
        for (var i = 0u; i < ITEMS / 2u; i++) {
            kept[i] = key_a[i];
            kept[4u + i] = key_b[i];
            kept[8u + i] = key_c[i];
        }
    }
}

fn return_lower(local: u32, w: u32) {
    if (local < 4u) {
        put(local, kept[w * 4u + local]);
    }
}

// Step 4, for elements of word 0 alone.
fn settle_lone(local: u32) {
    to_runs(local, 0u);
    sort_run(true);
    // No other invocation reads the cells of a run before the barrier, nor after the merge those where it
    // writes: its own upper and the next one's lower half. The lower half of the first run stays.
    give_lower(local, 0u, 0u);
    workgroupBarrier();
    take_lower(local, 0u, 0u);
    merge_halves(true);
    from_runs(local, 0u);
}

// The same for all words.
fn settle_words(local: u32) {
    to_runs(local, 0u);
    if (KEY_WORDS == 2u) {
        workgroupBarrier();
        to_runs(local, 1u);
    }
    if (TIES) {
        workgroupBarrier();
        to_runs(local, 2u);
    }
    sort_run(false);
    // A run has cells for the lower halves of two words.
    let second = select(2u, 1u, KEY_WORDS == 2u);
    give_lower(local, 0u, 0u);
    give_lower(local, second, 4u);
    keep_lower(local);
    workgroupBarrier();
    take_lower(local, 0u, 0u);
    take_lower(local, second, 4u);
    if (KEY_WORDS == 2u && TIES) {
        workgroupBarrier();
        give_lower(local, 2u, 0u);
        workgroupBarrier();
        take_lower(local, 2u, 0u);
    }
    merge_halves(false);
    workgroupBarrier();
    return_lower(local, 0u);
    from_runs(local, 0u);
    if (KEY_WORDS == 2u) {
        workgroupBarrier();
        return_lower(local, 1u);
        from_runs(local, 1u);
    }
    if (TIES) {
        workgroupBarrier();
        return_lower(local, 2u);
        from_runs(local, 2u);
    }
}

// Whether word w of the last element of a run's lower half is less (1) or greater (2) than that of the
// first of its upper half, or equal (0).
fn compare_halves(local: u32, w: u32) -> u32 {
    workgroupBarrier();
    //@unroll
    for (var i = 0u; i < ITEMS; i++) {
        put(own_cell(local, i), get_word(w, i));
    }
    workgroupBarrier();
    let last = take(run_cell(local) + 3u);
    let first = take(run_cell(local) + 4u);
    return select(0u, 1u, last < first) + select(0u, 2u, last > first);
}

// Whether all elements are in order after step 4, which leaves order in doubt only between the halves of
// each run.
fn in_order(local: u32, lone: bool) -> bool {
    var order = compare_halves(local, 0u);
    if (KEY_WORDS == 2u && !lone) {
        let next = compare_halves(local, 1u);
        order = select(order, next, order == 0u);
    }
    if (TIES && !lone) {
        let next = compare_halves(local, 2u);
        order = select(order, next, order == 0u);
    }
    workgroupBarrier();
    if (local == 0u) {
        put(0u, 0u);
    }
    workgroupBarrier();
    if (order == 2u) {
        put(0u, 1u);
    }
    workgroupBarrier();
    if (local == 0u) {
        total = take(0u);
    }
    return workgroupUniformLoad(&total) == 0u;
}
