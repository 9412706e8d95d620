//! How far a run over archives is: bytes read of all, rate, time left.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line on the terminal; without a terminal nothing but what is told.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of so many bytes, if that is known, of which some were read by an earlier run.
    pub fn new(total: Option<u64>, before: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(2));
        let known = "{wide_bar} {bytes}/{total_bytes}, {msg}, {bytes_per_sec}, {eta} left";
        let template = if total.is_some() { known } else { "{bytes}, {msg}, {bytes_per_sec}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(before);
        bar.reset_eta();
        Progress { bar }
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
