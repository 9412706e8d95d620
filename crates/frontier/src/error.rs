//! What can go wrong in the frontier: its store, its settings, and nothing that strangers send.

/// Why a frontier operation failed. None is worth a second try on the same value: drop it and open anew.
#[derive(Debug, thiserror::Error)]
pub enum FrontierError {
    #[error("could not read or write the frontier's store")]
    Store(#[from] fjall::Error),
    #[error("the frontier in `{dir}` is damaged")]
    DamagedStore { dir: std::path::PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the frontier in `{dir}` is in use by another process")]
    Locked { dir: std::path::PathBuf },
    #[error("entry `{key}` of the frontier's table `{table}` is damaged")]
    Damaged { table: &'static str, key: String },
    #[error(
        "the frontier's store has format {found}, this program reads formats up to {expected}: go on with the version that made \
         it, or remove the folder `frontier` and crawl again"
    )]
    Format { found: u64, expected: u64 },
    #[error("could not write or read a snapshot of the frontier")]
    Snapshot(#[source] std::io::Error),
    #[error("the snapshot of a frontier is damaged: {0}")]
    SnapshotDamaged(&'static str),
    #[error(transparent)]
    Scope(#[from] gristmill_urls::ScopeError),
    #[error("{0}")]
    Config(String),
}

/// The disk did not do what a file of the store asked for.
pub(crate) fn disk(error: std::io::Error) -> FrontierError {
    FrontierError::Store(error.into())
}

impl FrontierError {
    /// Whether it tells of wrong bytes in the store, which stay wrong.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } | Self::DamagedStore { .. } => true,
            Self::Store(error) => gristmill_verify::is_damage(error),
            _ => false,
        }
    }
}
