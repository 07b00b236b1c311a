// sum: the operator of group_exclusive for kernels that count.

fn combine(a: u32, b: u32) -> u32 {
    return a + b;
}

fn identity() -> u32 {
    return 0u;
}
