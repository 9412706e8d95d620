//! Rules of a user for single sites: CSS selectors for title, price and attributes, and for what to leave out.
//!
//! ```
//! use gristmill_html::{Doc, TreeLimits};
//! use gristmill_reading::rules::{SiteRuleSet, SiteRulesConfig};
//!
//! let site = SiteRulesConfig {
//!     hosts: vec!["*.shop.example".into()],
//!     price: Some("meta[itemprop=price]::attr(content)".into()),
//!     remove: vec![".related".into()],
//!     ..SiteRulesConfig::default()
//! };
//! let rules = SiteRuleSet::compile(&[site], "sites").unwrap();
//! let html = "<meta itemprop=price content=49.00><p>A hand mill.</p><p class=related>A sieve.</p>";
//! let found = rules.for_address("www.shop.example", "/").unwrap().apply(&Doc::parse(html, &TreeLimits::default()));
//! assert_eq!(found.price.unwrap().text, "49.00");
//! let rest = found.rest.unwrap();
//! assert_eq!(rest.text_content(rest.body().unwrap()), "A hand mill.");
//! assert!(rules.for_address("other.example", "/").is_none());
//! ```
//!
//! No I/O, no clock. A page of a site without rules costs one look at its host name.

mod config;
mod error;
mod parts;
mod selector;
mod site_rules;
mod tree;

pub use config::{AttributeConfig, SiteRulesConfig};
pub use error::RuleError;
pub use parts::PartSelectors;
pub use site_rules::{RuleAttribute, RuleMatch, RuleResults, SiteRuleSet, SiteRules};
