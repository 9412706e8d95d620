//! An index of fingerprints by each quarter of their bits, and what two of them have in common.

use std::ops::Range;

/// Bits of a block.
const BITS: u32 = 16;
const BLOCKS: u32 = 64 / BITS;
const VALUES: usize = 1 << BITS;

/// Fingerprints in the order of each of their four blocks.
///
/// If two fingerprints differ in at most d bits, and the radii rᵢ of the blocks are such that Σ(rᵢ + 1) = d + 1, then some block
/// differs in at most rᵢ bits. So it is enough to compare, for each block, those whose values lie within its radius. For d = 10
/// the radii are 2, 2, 2 and 1: 428 of 262,144 pairs of values.
///
/// Source: Norouzi, Punjani & Fleet, CVPR 2012 (multi-index hashing); Qin et al., ICDE 2018 (radii of a general pigeonhole).
/// Ours: two sorted tables are joined, value by value, instead of one being asked for each fingerprint, which spares the cache.
pub struct Blocks {
    n: usize,
    max_distance: u32,
    tables: Vec<Table>,
}

/// One block: all fingerprints in the order of its value.
struct Table {
    /// What is laid over a value to get all within the radius.
    masks: Vec<u16>,
    /// Where each value begins.
    starts: Vec<u32>,
    prints: Vec<u64>,
    numbers: Vec<u32>,
}

impl Blocks {
    /// An index of these; 48 bytes each, and 1 MB.
    pub fn new(prints: &[u64], max_distance: u32) -> Self {
        let share = |block| (max_distance + BLOCKS - block) / BLOCKS;
        let tables = (0..BLOCKS).filter(|&block| share(block) > 0);
        let tables = tables.map(|block| Table::new(prints, block * BITS, share(block) - 1)).collect();
        Self { n: prints.len(), max_distance, tables }
    }

    /// For each of these the place of the first in `earlier` that is near.
    pub fn first_near(&self, earlier: &Blocks, threads: usize) -> Vec<Option<u32>> {
        let threads = threads.clamp(1, VALUES);
        let piece = VALUES.div_ceil(threads);
        let found = std::thread::scope(|scope| {
            let pieces = (0..VALUES).step_by(piece).map(|start| start..(start + piece).min(VALUES));
            let running: Vec<_> = pieces.map(|values| scope.spawn(|| self.join(earlier, values))).collect();
            running.into_iter().map(|thread| thread.join().expect("comparing cannot panic")).collect::<Vec<_>>()
        });
        (0..self.n).map(|n| found.iter().map(|first| first[n]).min().filter(|first| *first != u32::MAX)).collect()
    }

    /// The same for a range of values of the earlier ones; `u32::MAX` where none is near.
    fn join(&self, earlier: &Blocks, values: Range<usize>) -> Vec<u32> {
        let mut first = vec![u32::MAX; self.n];
        for (table, other) in self.tables.iter().zip(&earlier.tables) {
            for value in values.clone().filter(|&value| !other.range(value).is_empty()) {
                for mask in &table.masks {
                    let own = table.range(value ^ usize::from(*mask));
                    if own.is_empty() {
                        continue;
                    }
                    for at in other.range(value) {
                        table.compare(own.clone(), other.prints[at], self.max_distance, |number| {
                            let first = &mut first[number as usize];
                            *first = (*first).min(other.numbers[at]);
                        });
                    }
                }
            }
        }
        first
    }
}

impl Table {
    fn new(prints: &[u64], shift: u32, radius: u32) -> Self {
        let value = |print: u64| usize::from((print >> shift) as u16);
        let mut starts = vec![0u32; VALUES + 1];
        prints.iter().for_each(|&print| starts[value(print) + 1] += 1);
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut next = starts.clone();
        let (mut sorted, mut numbers) = (vec![0; prints.len()], vec![0; prints.len()]);
        for (number, &print) in prints.iter().enumerate() {
            let place = &mut next[value(print)];
            (sorted[*place as usize], numbers[*place as usize]) = (print, number as u32);
            *place += 1;
        }
        let masks = (0..=u16::MAX).filter(|mask| mask.count_ones() <= radius).collect();
        Self { masks, starts, prints: sorted, numbers }
    }

    fn range(&self, value: usize) -> Range<usize> {
        self.starts[value] as usize..self.starts[value + 1] as usize
    }

    /// Gives the numbers of those in the range that are near.
    #[inline]
    fn compare(&self, range: Range<usize>, print: u64, max_distance: u32, mut found: impl FnMut(u32)) {
        let is_near = |other: &u64| (print ^ other).count_ones() <= max_distance;
        // Without a branch for each: nearly all are far.
        let near: u32 = self.prints[range.clone()].iter().map(|other| u32::from(is_near(other))).sum();
        if near > 0 {
            range.filter(|&at| is_near(&self.prints[at])).for_each(|at| found(self.numbers[at]));
        }
    }
}
