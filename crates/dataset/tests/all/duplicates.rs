//! The batches against the definition: every document compared with every one that is kept before it.

use gristmill_dataset::duplicates::{DedupBatch, DuplicateOf};
use proptest::collection::vec;
use proptest::prelude::*;

/// The definition word for word.
fn by_definition(prints: &[u64], max_distance: u32) -> Vec<Option<DuplicateOf>> {
    let mut kept: Vec<u64> = Vec::new();
    let mut decided = Vec::new();
    for &print in prints {
        let near = |other: u64| print != 0 && other != 0 && (print ^ other).count_ones() <= max_distance;
        let found = kept.iter().position(|&other| near(other));
        let original = found.map(|at| DuplicateOf { number: at as u64, distance: (print ^ kept[at]).count_ones() });
        if original.is_none() {
            kept.push(print);
        }
        decided.push(original);
    }
    decided
}

/// In batches of this size; what was kept before is given in pieces.
fn in_batches(prints: &[u64], max_distance: u32, size: usize, threads: usize) -> Vec<Option<DuplicateOf>> {
    let (mut kept, mut decided) = (Vec::new(), Vec::new());
    for chunk in prints.chunks(size) {
        let mut batch = DedupBatch::new(chunk.to_vec(), max_distance, threads);
        for (n, piece) in kept.chunks(40).enumerate() {
            batch.compare(n as u64 * 40, piece);
        }
        let originals = batch.decide(kept.len() as u64);
        kept.extend(chunk.iter().zip(&originals).filter(|(_, original)| original.is_none()).map(|(print, _)| *print));
        decided.extend(originals);
    }
    decided
}

/// Fingerprints of which many are near one another: few origins, a few bits turned, none now and then.
fn prints() -> impl Strategy<Value = Vec<u64>> {
    let near = (0u64..6, vec(0u32..64, 0..14)).prop_map(|(origin, bits)| {
        let origin = origin.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        bits.into_iter().fold(origin, |print, bit| print ^ 1 << bit)
    });
    vec(prop_oneof![12 => near, 2 => any::<u64>(), 1 => Just(0)], 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn batches_of_any_size_decide_as_the_definition_does(
        prints in prints(), size in 5usize..60, threads in 1usize..4,
        max_distance in prop_oneof![Just(0u32), Just(1), Just(3), Just(10), 0..64u32],
    ) {
        prop_assert_eq!(in_batches(&prints, max_distance, size, threads), by_definition(&prints, max_distance));
    }
}

/// Every pair at exactly the largest distance, wherever the differing bits lie.
#[test]
fn no_pair_at_the_largest_distance_is_missed() {
    let mut state = 1u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..20_000 {
        let print = random() | 1 << 63;
        let mut other = print;
        while (print ^ other).count_ones() < 10 {
            other ^= 1 << (random() % 63);
        }
        let original = Some(DuplicateOf { number: 0, distance: 10 });
        assert_eq!(DedupBatch::new(vec![print, other], 10, 1).decide(0), [None, original], "{print:016x} {other:016x}");
    }
}

/// More than are compared each with each, and more than one batch.
#[test]
fn many_are_decided_as_few_are() {
    let mut state = 7u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    let mut prints: Vec<u64> = Vec::new();
    for n in 0..20_000 {
        let copied = if n % 3 == 2 { prints[random() as usize % n] } else { random() };
        prints.push((0..random() % 12).fold(copied, |print, _| print ^ (1 << ((random() >> 8) % 64))));
    }
    assert!(in_batches(&prints, 10, 15_000, 2) == by_definition(&prints, 10));
}
