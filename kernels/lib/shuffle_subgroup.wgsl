// shuffle_subgroup: pass values between invocations of a subgroup, of any width.
//
// Defines the same as shuffle_portable: SHUFFLES, shuffle_bits, shuffle. The kernel defines
// of_first(local, value), the value of the workgroup's first invocation. As for lane_subgroup, a
// subgroup is taken to hold consecutive invocations, and only kernels whose invocations never part may
// use this.

const SHUFFLES: bool = true;

// How many low bits of an invocation's number may differ between those that shuffle joins. Called by all
// invocations of the workgroup, in uniform control flow.
fn shuffle_bits(local: u32) -> u32 {
    // Counted, not taken from the builtin: some drivers report another width than they run. Nothing but
    // memory makes it uniform to a compiler that proves control flow.
    return countOneBits(of_first(local, subgroupAdd(1u)) - 1u);
}

// The value of the invocation whose number differs by `mask`.
fn shuffle(value: u32, mask: u32) -> u32 {
    return subgroupShuffleXor(value, mask);
}
