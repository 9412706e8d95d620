//! Tokens of clients, and what each is good for.

use gristmill_secrets::Secret;
use serde::{Deserialize, Serialize};

/// What a token lets its holder do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessScope {
    /// Read the corpus: searches, documents, changes, status.
    Search,
    /// Have pages extracted, and fetched where that is allowed.
    Extract,
    /// Start crawls.
    Crawl,
}

impl AccessScope {
    pub(crate) const ALL: [Self; 3] = [Self::Search, Self::Extract, Self::Crawl];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Extract => "extract",
            Self::Crawl => "crawl",
        }
    }
}

/// A token and what it is good for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccessToken {
    /// Sent as `Authorization: Bearer …`, or as the password of basic authentication.
    pub token: Secret,
    /// `search`, `extract`, `crawl`; all of them if the key is left out.
    #[serde(default = "all_scopes")]
    pub scopes: Vec<AccessScope>,
}

fn all_scopes() -> Vec<AccessScope> {
    AccessScope::ALL.to_vec()
}

/// The scopes of the request at hand, for handlers that do several things.
#[derive(Debug, Clone)]
pub struct ScopeSet(Vec<AccessScope>);

impl ScopeSet {
    /// Everything: of who works on the machine itself.
    pub fn all() -> Self {
        Self(all_scopes())
    }

    pub(crate) fn of(scopes: &[AccessScope]) -> Self {
        Self(scopes.to_vec())
    }

    /// Whether it holds a scope.
    pub fn has(&self, scope: AccessScope) -> bool {
        self.0.contains(&scope)
    }
}
