//! Why a blob could not be put, got, listed or deleted.

/// Why an operation on a store failed.
#[derive(Debug, thiserror::Error)]
pub enum BlobError {
    #[error("there is no blob `{key}`")]
    Missing { key: String },
    #[error("blob `{key}` holds {size} bytes, more than the {limit} that were asked for")]
    TooLarge { key: String, size: u64, limit: u64 },
    #[error("`{key}` cannot be the key of a blob")]
    Key { key: String },
    #[error("`{key}`: {problem}")]
    Setting { key: &'static str, problem: String },
    #[error("the blob store could not {doing} `{key}`")]
    Store { doing: &'static str, key: String, source: Box<dyn std::error::Error + Send + Sync> },
}

impl BlobError {
    /// Whether the same again may succeed: the store, not what was asked of it, is at fault.
    #[must_use]
    pub fn passes(&self) -> bool {
        matches!(self, Self::Store { .. })
    }

    /// Whether the store refuses the credentials that it was given, or that it was given none.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        use object_store::Error::{PermissionDenied, Unauthenticated};
        let Self::Store { source, .. } = self else { return false };
        matches!(source.downcast_ref(), Some(PermissionDenied { .. } | Unauthenticated { .. }))
    }

    pub(crate) fn of(doing: &'static str, key: &str, source: object_store::Error) -> Self {
        let key = key.to_owned();
        match source {
            object_store::Error::NotFound { .. } => Self::Missing { key },
            source => Self::Store { doing, key, source: Box::new(source) },
        }
    }
}
