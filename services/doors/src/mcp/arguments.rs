//! What each tool is given.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

/// Most tokens of an answer, unless another number is asked for.
pub(super) const BUDGET: usize = 4_000;
/// Most that may be asked for.
pub(super) const MAX_BUDGET: usize = 50_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    /// Words, "phrases", title:word, site:example.org, lang:zh, kind:product, date:2024..2025, price:[10 TO 50], -without, OR
    pub query: String,
    /// Most hits, 1 to 50; 10 if left out
    pub limit: Option<usize>,
    /// Hits to pass over
    pub offset: Option<usize>,
    /// Only this registrable domain or host
    pub site: Option<String>,
    /// Only this kind of page: article, product, listing, thread, other …
    pub kind: Option<String>,
    /// Only this language, such as en or zh
    pub language: Option<String>,
    /// Published then or later: 2024, 2024-05, 2024-05-31, today, yesterday
    pub from: Option<String>,
    /// Published then or earlier
    pub to: Option<String>,
    /// score, date, updated, price or price-desc
    pub sort: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadArguments {
    /// Key or address of a document of the corpus, as `search` gives it
    pub document: String,
    /// Only the section below this heading: its words, or its number in the list of sections
    pub section: Option<String>,
    /// Most tokens of the answer; 4000 if left out, at most 50000
    pub budget: Option<usize>,
    /// Where to go on, as the end of a cut answer says
    pub start: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExtractArguments {
    /// Address of a page, http or https; private networks are refused
    pub url: String,
    /// Only the section below this heading: its words, or its number in the list of sections
    pub section: Option<String>,
    /// Most tokens of the answer; 4000 if left out, at most 50000
    pub budget: Option<usize>,
    /// Where to go on, as the end of a cut answer says
    pub start: Option<usize>,
    /// Let a browser draw the page, where there is one: for pages that scripts build
    pub draw: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CrawlArguments {
    /// Where to start: an address of a page, or `sitemap:URL` or `feed:URL`
    pub url: String,
    /// Most pages; 20 if left out
    pub max_pages: Option<u64>,
    /// Most links from the start to a page
    pub max_depth: Option<u16>,
    /// How far to go: listed (follow no link), prefix (below the address), host, or domain; host if left out
    pub scope: Option<String>,
    /// Regular expressions, one of which the address of a page must match
    #[serde(default)]
    pub include: Vec<String>,
    /// Regular expressions of which none may match
    #[serde(default)]
    pub exclude: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordsArguments {
    /// Which products, in the language of `search`; all if left out. attr.NAME:word asks for an attribute
    pub query: Option<String>,
    /// Most products, 1 to 50; 10 if left out
    pub limit: Option<usize>,
    /// Products to pass over
    pub offset: Option<usize>,
    /// Only this registrable domain or host
    pub site: Option<String>,
    /// score, updated, price or price-desc
    pub sort: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ChangesArguments {
    /// Only what was seen then or later: 2024-05-31, 2024-05-31T10:30, today, yesterday
    pub since: Option<String>,
    /// Most changes, the newest, 1 to 200; 50 if left out
    pub limit: Option<usize>,
}

/// A number within its bounds.
pub(super) fn bounded(number: Option<usize>, default: usize, most: usize) -> usize {
    number.unwrap_or(default).clamp(1, most)
}
