//! Web addresses: canonical form, host, registrable domain, key, scope and traps. No I/O, no clock.
//!
//! One address has many spellings. [`CanonicalUrl`] picks one of them, so that the seen set, the politeness
//! key and the index all speak of the same page by the same words; [`UrlKey`] is that spelling in 16 bytes.

mod calendar;
mod canonical;
mod domain;
mod escape;
mod join;
mod key;
mod scope;
mod tracking;
mod trap;

pub use canonical::{CanonicalOptions, CanonicalUrl, UrlError};
pub use domain::registrable_domain;
pub use escape::normalise_escapes;
pub use join::join;
pub use key::{ParseKeyError, UrlKey};
pub use scope::{Scope, ScopeConfig, ScopeError, ScopeRule, ScopeVerdict};
pub use tracking::is_tracking_parameter;
pub use trap::{Trap, TrapLimits, find_trap};
pub use url::Url;
