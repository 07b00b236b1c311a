// msd_begin: the lists of a most-significant-digit sort before its first level: one bucket, all keys.
//
//@use count msd
//
// One workgroup. Scratch holds anything before it. Of the root's record only totals and cursors are used:
// the rest follows from the count.

override GROUP_SIZE: u32 = 256u;

const CONTROL_WORDS: u32 = 64u;

@compute @workgroup_size(GROUP_SIZE)
fn msd_begin(@builtin(local_invocation_index) local: u32) {
    for (var i = local; i < CONTROL_WORDS; i += GROUP_SIZE) {
        atomicStore(&work[i], 0u);
    }
    for (var i = local; i < (2u << params.root_bits); i += GROUP_SIZE) {
        atomicStore(&work[params.records + RECORD_TOTALS + i], 0u);
    }
}
