// msd_histogram: count the digits of each bucket's keys (lib/msd_count).
//
//@use count image key msd msd_digit msd_count
//
// The root's keys are counted by the plan's digit or a fixed-point one, unless msd_check has counted them by
// a better one or msd_finish has ended the sort.
// Reads KEY_WORDS words a key.

override GROUP_SIZE: u32 = 256u; // at least BINS
override BINS: u32 = 256u;       // at least the digits of a bucket

fn tile_to_count(local: u32, number: u32, root: u32) -> Tile {
    if (local == 0u) {
        if (params.level == 0u) {
            shared_tile = root_tile(number, root);
        } else {
            shared_tile = listed_tile(number);
        }
    }
    return workgroupUniformLoad(&shared_tile);
}

@compute @workgroup_size(GROUP_SIZE)
fn msd_histogram(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let groups = grid.group_count.x * grid.group_count.y;
    let first = group_number(grid);
    var root = planned_root();
    if (params.level == 0u && params.sampled != 0u) {
        root = settled_root(load_root(local));
        if (root == 0u || (root & ROOT_RANGED) != 0u) {
            return;
        }
    }
    var tile = tile_to_count(local, first, root);
    if (tile.held == 0u) {
        return;
    }
    clear_bins(local);
    for (var number = first; tile.held > 0u; number += groups) {
        for (var done = 0u; done < tile.held; done += GROUP_SIZE * ITEMS) {
            load_part(local, tile, done);
            count_part(local, tile, done);
        }
        let next = tile_to_count(local, number + groups, root);
        take_bins(local, tile, next);
        tile = next;
    }
}
