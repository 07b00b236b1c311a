// shuffle_portable: no values pass between invocations but through workgroup memory.
//
// Defines the same as shuffle_subgroup: SHUFFLES, shuffle_bits, shuffle.

const SHUFFLES: bool = false;

fn shuffle_bits(local: u32) -> u32 {
    return 0u;
}

fn shuffle(value: u32, mask: u32) -> u32 {
    return value;
}
