//! Which items of two sequences a longest common subsequence pairs.

use crate::lcs::{MatchTable, step};

/// Most bytes that the table of one alignment may take: 256 MiB.
pub const MAX_TABLE_BYTES: u64 = 1 << 28;

/// A longest common subsequence of `a` and `b` as pairs (index in `a`, index in `b`), in order.
///
/// The bit vectors of [`lcs`](crate::lcs) are kept row by row and walked back from the end. Where several
/// subsequences are equally long, an item of `b` is paired with the earliest in `a` that it can be.
///
/// * `a`, `b`: items as numbers, in any range, at most 2³² of them.
/// * `None` when the vectors would take more than [`MAX_TABLE_BYTES`].
/// * O(|a|·|b| / 64) time, O(|a|·|b|) bits of memory.
///
/// Source: as [`lcs`](crate::lcs); a zero bit i of row j says that the subsequence grows with item i of `b`.
pub fn align(a: &[u32], b: &[u32]) -> Option<Vec<(u32, u32)>> {
    let width = b.len().div_ceil(64);
    if (a.len() as u64).saturating_mul(width as u64 * 8) > MAX_TABLE_BYTES {
        return None;
    }
    let matches = MatchTable::new(b);
    let mut table = Vec::with_capacity(a.len() * width);
    let mut row = vec![u64::MAX; width];
    for item in a {
        step(&mut row, matches.of(*item));
        table.extend_from_slice(&row);
    }
    let grows = |i: usize, j: usize| table[i * width + j / 64] >> (j % 64) & 1 == 0;
    let mut pairs = Vec::new();
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 && j > 0 {
        if !grows(i - 1, j - 1) {
            j -= 1;
        } else if i > 1 && grows(i - 2, j - 1) {
            i -= 1;
        } else {
            (i, j) = (i - 1, j - 1);
            pairs.push((i as u32, j as u32));
        }
    }
    pairs.reverse();
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::lcs;

    #[test]
    fn a_moved_word_is_paired_once_and_the_rest_in_order() {
        let (a, b) = ([7, 1, 2, 3, 9, 4], [1, 2, 3, 4, 7]);
        assert_eq!(align(&a, &b), Some(vec![(1, 0), (2, 1), (3, 2), (5, 3)]));
    }

    #[test]
    fn nothing_is_paired_with_nothing_and_too_much_is_refused() {
        assert_eq!(align(&[], &[1]), Some(vec![]));
        assert_eq!(align(&[1], &[]), Some(vec![]));
        assert_eq!(align(&vec![1; 200_000], &vec![2; 200_000]), None);
    }

    proptest! {
        #[test]
        fn pairs_are_of_equal_items_ascend_and_are_as_many_as_the_longest_subsequence_has(
            a in vec(0u32..12, 0..300), b in vec(0u32..12, 0..300),
        ) {
            let pairs = align(&a, &b).unwrap();
            prop_assert_eq!(Some(pairs.len() as u64), lcs(&a, &b, u64::MAX));
            prop_assert!(pairs.iter().all(|&(i, j)| a[i as usize] == b[j as usize]));
            prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        }
    }
}
