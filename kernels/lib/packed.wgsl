// packed: a key of few bits and an index in one word that sorts by key, then by index.
//
//     word   | key: 32 - index_bits bits | index: index_bits bits |

fn ordo_pack(key: u32, index: u32, index_bits: u32) -> u32 {
    return (key << index_bits) | (index & ((1u << index_bits) - 1u));
}

// x: the key, y: the index.
fn ordo_unpack(word: u32, index_bits: u32) -> vec2<u32> {
    return vec2<u32>(word >> index_bits, word & ((1u << index_bits) - 1u));
}
