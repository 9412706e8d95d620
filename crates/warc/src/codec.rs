//! What the decoders of gzip and zstd have in common: one step of decoding.

use crate::damage::Reason;

/// What one step made.
pub(crate) struct Step {
    /// Bytes that were written to the output.
    pub n_made: usize,
    pub state: State,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum State {
    More,
    /// The member or frame ended, and was right.
    Ended,
    Failed(Reason),
}

impl Step {
    pub fn failed(reason: Reason) -> Self {
        Step { n_made: 0, state: State::Failed(reason) }
    }
}
