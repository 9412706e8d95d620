//! Which partition a key belongs to.

/// The partition of `key` among `partitions`: the same key always lands in the same one.
///
/// murmur2 with the sign bit cleared, modulo the count: what Kafka's own default partitioner does for keyed records,
/// so that producers in other languages agree. Changing the count moves keys; it is therefore fixed at a topic's birth.
///
/// * `partitions` must be at least 1. O(key) time.
///
/// Source: Appleby's MurmurHash2 with seed 0x9747b28c, as used by `org.apache.kafka.common.utils.Utils#murmur2`.
pub fn partition_of(key: &[u8], partitions: u32) -> u32 {
    (murmur2(key) & 0x7fff_ffff) % partitions.max(1)
}

/// A key of each partition, for records that all must see.
///
/// * `partitions` must be at least 1.
pub fn keys_of_all(partitions: u32) -> Vec<String> {
    let mut keys = (0u64..).map(|n| n.to_string());
    let mut key_of =
        |partition| keys.find(|key| partition_of(key.as_bytes(), partitions) == partition).unwrap_or_default();
    (0..partitions).map(&mut key_of).collect()
}

fn murmur2(data: &[u8]) -> u32 {
    const SEED: u32 = 0x9747_b28c;
    const M: u32 = 0x5bd1_e995;
    let mut hash = SEED ^ data.len() as u32;
    let mut words = data.chunks_exact(4);
    for word in &mut words {
        let mut k = u32::from_le_bytes([word[0], word[1], word[2], word[3]]).wrapping_mul(M);
        k = (k ^ (k >> 24)).wrapping_mul(M);
        hash = hash.wrapping_mul(M) ^ k;
    }
    let tail = words.remainder();
    if !tail.is_empty() {
        for (i, byte) in tail.iter().enumerate() {
            hash ^= u32::from(*byte) << (8 * i);
        }
        hash = hash.wrapping_mul(M);
    }
    hash = (hash ^ (hash >> 13)).wrapping_mul(M);
    hash ^ (hash >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn murmur2_agrees_with_the_values_in_kafkas_own_tests() {
        let cases: [(&[u8], i32); 6] = [
            (b"21", -973_932_308),
            (b"foobar", -790_332_482),
            (b"a-little-bit-long-string", -985_981_536),
            (b"a-little-bit-longer-string", -1_486_304_829),
            (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
            (b"abc", 479_470_107),
        ];
        for (key, expected) in cases {
            assert_eq!(murmur2(key) as i32, expected, "{}", String::from_utf8_lossy(key));
        }
    }

    #[test]
    fn every_partition_is_reachable() {
        let mut hit = [0u32; 7];
        for i in 0..700 {
            hit[partition_of(format!("host{i}.example").as_bytes(), 7) as usize] += 1;
        }
        assert!(hit.iter().all(|n| *n > 50), "{hit:?}");
    }
}
