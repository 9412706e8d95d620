//! How far a run over archives is: bytes read of all, rate, time left.

use gristmill_archiver::source::ArchiveInput;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long the archives are, as far as that is known. They are read in their order, and each is asked about in constant time.
pub struct ArchiveSizes {
    lens: Vec<Option<u64>>,
    n_known: u64,
    sum: u64,
    /// An archive, and the bytes of those before it.
    before: (usize, u64),
}

impl ArchiveSizes {
    pub fn of(inputs: &[ArchiveInput]) -> ArchiveSizes {
        let lens: Vec<Option<u64>> = inputs.iter().map(|input| input.len).collect();
        let known = || lens.iter().flatten();
        ArchiveSizes { n_known: known().count() as u64, sum: known().sum(), before: (0, 0), lens }
    }

    /// An archive was opened, and told its length.
    pub fn learn(&mut self, at: usize, len: Option<u64>) {
        if let (None, Some(len)) = (self.lens[at], len) {
            self.lens[at] = Some(len);
            (self.n_known, self.sum) = (self.n_known + 1, self.sum + len);
        }
    }

    /// Bytes of all archives. Those whose length is not known yet count as the mean of the others; none if no length is known.
    pub fn total(&self) -> Option<u64> {
        let mean = self.sum.checked_div(self.n_known)?;
        Some(self.sum + (self.lens.len() as u64 - self.n_known) * mean)
    }

    /// Bytes of the archives before this one, which is no earlier than the one asked about last.
    pub fn before(&mut self, at: usize) -> u64 {
        let (from, sum) = self.before;
        self.before = (at, sum + self.lens.get(from..at).unwrap_or_default().iter().flatten().sum::<u64>());
        self.before.1
    }
}

/// A line on the terminal; without a terminal nothing but what is told.
pub struct ArchiveProgressBar {
    bar: ProgressBar,
}

impl ArchiveProgressBar {
    /// Of so many bytes, if that is known, of which some were read by an earlier run.
    pub fn new(total: Option<u64>, before: u64) -> ArchiveProgressBar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(2));
        let progress = ArchiveProgressBar { bar };
        progress.of(total);
        progress.bar.set_position(before);
        progress.bar.reset_eta();
        progress
    }

    /// More is known of how much there is to read.
    pub fn of(&self, total: Option<u64>) {
        let known = "{wide_bar} {bytes}/{total_bytes}, {msg}, {bytes_per_sec}, {eta} left";
        let template = if total.is_some() { known } else { "{bytes}, {msg}, {bytes_per_sec}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        if let Some(total) = total {
            self.bar.set_length(total);
        }
    }

    /// So many bytes of all archives are done, and so many pages written.
    pub fn at(&self, bytes: u64, pages: u64) {
        self.bar.set_position(bytes);
        if pages.is_multiple_of(100) {
            self.bar.set_message(format!("{pages} pages"));
        }
    }

    /// A line that stays.
    pub fn tell(&self, line: &str) {
        self.bar.suspend(|| tell!("{line}"));
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn sizes_are_learnt_on_the_way_and_hundreds_of_thousands_cost_nothing() {
        let input = |len| ArchiveInput::remote("a".to_owned(), len);
        let mut sizes = ArchiveSizes::of(&[input(Some(10)), input(None), input(Some(20)), input(None)]);
        assert_eq!((sizes.total(), sizes.before(1)), (Some(60), 10));
        sizes.learn(1, Some(6));
        sizes.learn(2, Some(7));
        assert_eq!((sizes.before(2), sizes.before(3), sizes.total()), (16, 36, Some(48)));
        assert_eq!(ArchiveSizes::of(&[input(None)]).total(), None);
        let many: Vec<ArchiveInput> = (0..300_000).map(|_| input(Some(1))).collect();
        let (mut sizes, begun) = (ArchiveSizes::of(&many), Instant::now());
        let sum: u64 = (0..many.len()).map(|at| sizes.before(at) + sizes.total().unwrap()).sum();
        assert_eq!(sum, 300_000 * 299_999 / 2 + 300_000 * 300_000);
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    }
}
