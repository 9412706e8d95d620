//! How far a run over archives is: bytes read of all, rate, time left.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::inputs::Input;

/// How long the archives are, as far as that is known.
pub struct Sizes(Vec<Option<u64>>);

impl Sizes {
    pub fn of(inputs: &[Input]) -> Sizes {
        Sizes(inputs.iter().map(|input| input.len).collect())
    }

    /// An archive was opened, and told its length.
    pub fn learn(&mut self, at: usize, len: Option<u64>) {
        self.0[at] = self.0[at].or(len);
    }

    /// Bytes of all archives. Those whose length is not known yet count as the mean of the others; none if no length is known.
    pub fn total(&self) -> Option<u64> {
        let known: Vec<u64> = self.0.iter().copied().flatten().collect();
        let sum: u64 = known.iter().sum();
        (!known.is_empty()).then(|| sum + (self.0.len() - known.len()) as u64 * (sum / known.len() as u64))
    }

    /// Bytes of the archives before this one.
    pub fn before(&self, at: usize) -> u64 {
        self.0[..at].iter().flatten().sum()
    }
}

/// A line on the terminal; without a terminal nothing but what is told.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of so many bytes, if that is known, of which some were read by an earlier run.
    pub fn new(total: Option<u64>, before: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(2));
        let progress = Progress { bar };
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
        self.bar.suspend(|| eprintln!("{line}"));
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
