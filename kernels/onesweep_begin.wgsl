// onesweep_begin: the counters of a sort by onesweep_scatter, before it begins.
//
//@use count
//
//     counters   | tickets: a word a step of onesweep_scatter | starts: of each pass, where keys of each digit go |
//
// All become 0, for scratch holds anything. One workgroup.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    counter_words: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> counters: array<u32>;

@compute @workgroup_size(GROUP_SIZE)
fn onesweep_begin(@builtin(local_invocation_index) local: u32, grid: Grid) {
    if (group_number(grid) > 0u) {
        return;
    }
    for (var i = local; i < params.counter_words; i += GROUP_SIZE) {
        counters[i] = 0u;
    }
}
