//! Web addresses: canonical form, host, registrable domain, key, scope and traps.
//!
//! ```
//! use gristmill_urls::{CanonicalUrl, CrawlScope, ScopeConfig, ScopeVerdict};
//!
//! let url = CanonicalUrl::parse("HTTP://www.Mill.co.uk:80/a/../rye?utm_source=x#top", None).unwrap();
//! assert_eq!(url.as_str(), "http://www.mill.co.uk/rye");
//! assert_eq!(url.registrable_domain(), "mill.co.uk");
//! assert_eq!(url.key(), CanonicalUrl::parse("http://www.mill.co.uk/rye", None).unwrap().key());
//!
//! let scope = CrawlScope::new(&ScopeConfig::default(), [&url]).unwrap(); // the hosts of the seeds
//! let elsewhere = CanonicalUrl::parse("http://example.org/", None).unwrap();
//! assert_eq!(scope.judge(&url, 0), ScopeVerdict::Inside);
//! assert_ne!(scope.judge(&elsewhere, 1), ScopeVerdict::Inside);
//! ```
//!
//! One address has many spellings. [`CanonicalUrl`] chooses one of them, so that the seen set, politeness and the index all use
//! the same one. [`UrlKey`] is that spelling in 16 bytes. No I/O, no clock.

mod block_list;
mod calendar;
mod canonical;
mod domain;
mod escape;
mod join;
mod key;
mod scope;
mod site_pattern;
mod site_scope;
mod takedown;
mod tracking;
mod trap;

pub use block_list::BlockList;
pub use canonical::{CanonicalOptions, CanonicalUrl, UrlError};
pub use domain::{is_registry_suffix, registrable_domain};
pub use escape::normalise_escapes;
pub use join::{join, join_as};
pub use key::{ParseKeyError, UrlKey};
pub use scope::{CrawlScope, ScopeConfig, ScopeError, ScopeRule, ScopeVerdict};
pub use site_pattern::{SitePattern, SitePatternError};
pub use site_scope::SiteScope;
pub use takedown::{Takedown, Takedowns, host_named};
pub use tracking::is_tracking_parameter;
pub use trap::{Trap, TrapLimits, find_trap};
pub use url::{EncodingOverride, Url};
