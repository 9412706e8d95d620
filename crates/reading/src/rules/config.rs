//! Rules as they stand in the settings.

use serde::{Deserialize, Serialize};

/// What an entry of `[[sites]]` says of reading pages.
///
/// A selector is CSS, with `::attr(NAME)` at its end where the text is that of an attribute.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SiteRulesConfig {
    /// Host names; `*.shop.example` means `shop.example` and every host below it. The first entry that covers an address counts.
    pub hosts: Vec<String>,
    /// How paths begin that it covers; all if not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What every page of these hosts is: `article`, `product`, `listing` or `other`; judged page by page if not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Which of their pages a browser draws: `never`, `auto` or `always`; as `extractor.render` says if not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub render: Option<String>,
    /// Where the title stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where the price stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<String>,
    /// Where attributes stand; on pages where these find some, they replace what would be found without rules.
    pub attributes: Vec<AttributeConfig>,
    /// Elements that are left out of text and records.
    pub remove: Vec<String>,
}

impl SiteRulesConfig {
    /// Whether it says more than which addresses it covers.
    pub fn says_anything(&self) -> bool {
        let nothing = Self { hosts: self.hosts.clone(), path: self.path.clone(), ..Self::default() };
        *self != nothing
    }
}

/// Where attributes stand: in rows, side by side, or one of a given name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AttributeConfig {
    /// Elements that hold one name and one value each. Without it, each name goes with the values between it and the next name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// Where the names stand; within the row if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name itself, in place of `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Where the values stand; within the row if there is one.
    pub value: String,
}
