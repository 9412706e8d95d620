//! Why rules were refused.

use gristmill_urls::SitePatternError;

/// A rule that cannot be used; `rule` is its place in the settings, such as `sites[0].price`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// No CSS selector.
    #[error("`{rule}`: `{selector}` is no CSS selector: {reason}")]
    Selector { rule: String, selector: String, reason: String },
    /// `::attr(…)` where an element is meant.
    #[error("`{rule}`: `{selector}` names an attribute, and an element is wanted here")]
    Attribute { rule: String, selector: String },
    /// Hosts or a path that cover nothing.
    #[error("`{rule}`: {source}")]
    Pattern { rule: String, source: SitePatternError },
    /// Neither `name` nor `label`, or both.
    #[error("`{rule}` needs either `name` (a selector) or `label` (the name itself)")]
    Name { rule: String },
}
