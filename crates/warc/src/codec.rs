//! What the decoders of gzip and zstd have in common: one step of decoding.

use crate::damage::DamageReason;

/// What one step made.
pub(crate) struct CodecStep {
    /// Bytes that were written to the output.
    pub n_made: usize,
    pub state: CodecState,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum CodecState {
    More,
    /// The member or frame ended, and was right.
    Ended,
    Failed(DamageReason),
}

impl CodecStep {
    pub fn failed(reason: DamageReason) -> Self {
        CodecStep { n_made: 0, state: CodecState::Failed(reason) }
    }
}
