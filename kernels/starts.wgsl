// starts: where each bucket of a sorted run of bucket numbers starts.
//
//@use count
//
//     keys     | 0 0 0 | 2 2 | 3 | 9 |       last = 4: bucket 4 is for all that is 4 or more
//     starts     0 3 3 5 6 7                 of buckets 0 to last, and where the last one ends
//
//     starts_sorted    keys are sorted
//     starts_indexed   keys are in the order of the input, and indices sort them
//
// An invocation finds one start by search, so that gaps of many empty buckets cost no more than others. It
// reads three keys at a time: what it waits for is memory. Reads about 2 log2(count) keys a bucket, mostly
// the same ones; writes one word a bucket.

override GROUP_SIZE: u32 = 256u;

struct Params {
    max_count: u32,
    last: u32, // greater numbers count as this one
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(2) var<storage, read_write> starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;
@group(0) @binding(4) var<storage, read_write> indices: array<u32>;

// Three places that cut what is left, from begin to end, in four.
fn quarters(begin: u32, end: u32) -> vec3<u32> {
    let left = end - begin;
    return vec3<u32>(begin + left / 4u, begin + left / 2u, begin + (left - 1u - left / 4u));
}

// What is left of `span`, begin and end, by the numbers found at three places.
fn narrow(own: u32, found: vec3<u32>, places: vec3<u32>, span: vec2<u32>) -> vec2<u32> {
    let before = min(found, vec3<u32>(params.last)) < vec3<u32>(own);
    if (before.z) {
        return vec2<u32>(places.z + 1u, span.y);
    }
    if (before.y) {
        return vec2<u32>(places.y + 1u, places.z);
    }
    if (before.x) {
        return vec2<u32>(places.x + 1u, places.y);
    }
    return vec2<u32>(span.x, places.x);
}

fn bucket(local: u32, grid: Grid) -> u32 {
    return group_number(grid) * GROUP_SIZE + local;
}

@compute @workgroup_size(GROUP_SIZE)
fn starts_sorted(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let own = bucket(local, grid);
    if (own > params.last + 1u) {
        return;
    }
    var begin = 0u;
    var end = element_total;
    while (begin < end) {
        let places = quarters(begin, end);
        let a = keys[places.x];
        let b = keys[places.y];
        let c = keys[places.z];
        let here = narrow(own, vec3<u32>(a, b, c), places, vec2<u32>(begin, end));
        begin = here.x;
        end = here.y;
    }
    starts[own] = begin;
}

@compute @workgroup_size(GROUP_SIZE)
fn starts_indexed(@builtin(local_invocation_index) local: u32, grid: Grid) {
    let element_total = element_count(params.max_count);
    let own = bucket(local, grid);
    if (own > params.last + 1u) {
        return;
    }
    var begin = 0u;
    var end = element_total;
    while (begin < end) {
        let places = quarters(begin, end);
        let a = keys[indices[places.x]];
        let b = keys[indices[places.y]];
        let c = keys[indices[places.z]];
        let here = narrow(own, vec3<u32>(a, b, c), places, vec2<u32>(begin, end));
        begin = here.x;
        end = here.y;
    }
    starts[own] = begin;
}
