// depth: bucket numbers from depths.
//
//@use count image bin
//
//     depths    f32 bits
//     edges     the table of even bins, see lib/bin
//     buckets   NaN: bin_count; else the depth's bin, the first one if it is below all, the last
//               one if above; if reversed, bin_count - 1 less that
//
// A workgroup takes GROUP_SIZE * ITEMS consecutive elements. Reads and writes one word an element.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    bin_count: u32,
    first: u32,
    span: u32,
    scale: u32,
    origin: u32,
    shift: u32,
    reversed: u32, // 0 or 1
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> buckets: array<u32>;
@group(0) @binding(3) var<storage, read_write> depths: array<u32>;
@group(0) @binding(4) var<storage, read_write> edges: array<u32>;

fn bin_edge(i: u32) -> u32 {
    return edges[i];
}

fn bucket_of(bits: u32) -> u32 {
    let image = word_image(bits, TYPE_KIND);
    let side = bin_side(image);
    if (side == NOT_A_NUMBER) {
        return params.bin_count;
    }
    var bin = select(params.bin_count - 1u, 0u, side == BELOW);
    if (side == INSIDE) {
        bin = bin_of_even(bits, image);
    }
    return select(bin, params.bin_count - 1u - bin, params.reversed != 0u);
}

@compute @workgroup_size(GROUP_SIZE)
fn depth_buckets(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let share = group_share(grid, params.max_count);
    bin_begin();
    for (var i = local; i < share.y; i += GROUP_SIZE) {
        buckets[share.x + i] = bucket_of(depths[share.x + i]);
    }
}
