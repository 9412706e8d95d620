//! The table of numbers of a page, whose memory serves the next page of the thread.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// Most numbers of memory that a thread keeps from page to page, 8 MiB: those of some 5,000 rows.
const MOST_KEPT: usize = 2 << 20;

thread_local! {
    static SPARE: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
}

/// Numbers, row by row. The table is a megabyte on usual pages and lives for a millisecond: asked of the system for each page, its
/// memory would be cleared by the kernel each time, which was half of all page faults of a crawl.
#[derive(Default)]
pub(super) struct FeatureMatrix(Vec<f32>);

impl FeatureMatrix {
    /// So many numbers, of which any may hold anything: whoever asks writes them all.
    pub(super) fn unwritten(n: usize) -> Self {
        let mut numbers = SPARE.take();
        numbers.resize(n, 0.0);
        Self(numbers)
    }
}

impl Drop for FeatureMatrix {
    fn drop(&mut self) {
        if (1..=MOST_KEPT).contains(&self.0.capacity()) {
            let numbers = std::mem::take(&mut self.0);
            // At the end of a thread there is nobody to keep it for.
            let _ = SPARE.try_with(|spare| spare.set(numbers));
        }
    }
}

impl Deref for FeatureMatrix {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.0
    }
}

impl DerefMut for FeatureMatrix {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_table_serves_the_next_one_unless_it_is_large() {
        let mut first = FeatureMatrix::unwritten(1000);
        first.fill(1.0);
        let place = first.as_ptr();
        drop(first);
        let second = FeatureMatrix::unwritten(500);
        assert_eq!((second.as_ptr(), second.len()), (place, 500));
        drop(second);
        drop(FeatureMatrix::unwritten(MOST_KEPT + 1));
        assert!(SPARE.take().capacity() <= MOST_KEPT);
    }
}
