//! Why rules were refused.

/// A rule that cannot be used; `rule` is its place in the settings, such as `extractor.sites[0].price`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// No CSS selector.
    #[error("`{rule}`: `{selector}` is no CSS selector: {reason}")]
    Selector { rule: String, selector: String, reason: String },
    /// `::attr(…)` where an element is meant.
    #[error("`{rule}`: `{selector}` names an attribute, and an element is wanted here")]
    Attribute { rule: String, selector: String },
    /// An entry without hosts would never apply.
    #[error("`{rule}.hosts` is empty: name the hosts, such as `shop.example` or `*.shop.example`")]
    NoHost { rule: String },
    /// A host name with a scheme, a path, a port or a star elsewhere.
    #[error("`{rule}.hosts`: `{host}` is no host name; write `shop.example` or `*.shop.example`")]
    Host { rule: String, host: String },
    /// Neither `name` nor `label`, or both.
    #[error("`{rule}` needs either `name` (a selector) or `label` (the name itself)")]
    Name { rule: String },
}
