//! What a user says of a site: CSS selectors for title, price and attributes, and for what is to be left out.
//!
//! No I/O, no clock. A page of a site without rules costs one look at its host name.

mod config;
mod error;
mod pick;
mod rules;
mod tree;

pub use config::{AttributeConfig, SiteConfig};
pub use error::RuleError;
pub use rules::{Found, FoundPair, Ruled, Rules, Site};
