//! Queries: what a caller asks.

use std::time::Duration;

use crate::document::DocumentKind;

/// Longest query text in characters; what stands behind is ignored with a warning.
pub const MAX_QUERY_CHARS: usize = 500;
/// Matches that people want to know the number of; for [`SearchQuery::count_up_to`].
pub const COUNT_UP_TO: u64 = 10_000;
/// Most hits in one answer.
pub const MAX_LIMIT: usize = 1000;
/// Farthest hit that can be reached; narrow the query instead of paging on.
pub const MAX_OFFSET: usize = 10_000;

/// What is asked of the index.
#[derive(Debug, Clone)]
pub struct SearchQuery {
    /// Words, `"phrases"`, `field:value`, `-word` and `a OR b`; empty for every document.
    ///
    /// Fields: `title`, `text`, `author`, `url`, `site`, `language` (or `lang`), `kind`, `rendered`, `date`, `changed`,
    /// `price_dropped` (in percent) and `attr.NAME`, for usual attributes such as `brand` and `price` the bare name. Numbers of attributes are
    /// asked for as `[3000 TO 5000]`, `3000..5000`, `>=3000` or `<5000`. A date is `2024`, `2024-05`, `2024-05-31`,
    /// `2024-05-31T10:30`, `today`, `yesterday`, or a range of these in the same forms.
    pub text: String,
    /// Conditions that do not touch the ranking.
    pub filter: SearchFilter,
    /// Most hits to return, up to [`MAX_LIMIT`]. Default: 10.
    pub limit: usize,
    /// Hits to leave out first, up to [`MAX_OFFSET`].
    pub offset: usize,
    /// The order of the hits.
    pub sort: Sort,
    /// Show one of each cluster of near-duplicates.
    pub collapse: bool,
    /// Matches that are counted one by one. Of more it is only told that they are more, and facets are estimated; that
    /// is what makes searches of many documents quick. Counting ends as well after ten times as many documents that have
    /// the words of a phrase but not in a row. Default: no bound.
    pub count_up_to: u64,
    /// When now is, in seconds since 1970-01-01 UTC, for `date:today`. Default: nobody knows.
    pub now: Option<i64>,
    /// Time after which matching ends with what was found so far; `None` for no bound. Default: 5 s.
    pub time_limit: Option<Duration>,
}

impl Default for SearchQuery {
    fn default() -> Self {
        let time_limit = Some(Duration::from_secs(5));
        let (text, filter, sort) = Default::default();
        Self { text, filter, limit: 10, offset: 0, sort, collapse: false, count_up_to: u64::MAX, now: None, time_limit }
    }
}

/// The order of hits. Equal ones are ordered by key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// Best first.
    #[default]
    Score,
    /// Newest first by date of publication, and those without a date last. A date that is its site's does not count.
    Date,
    /// What last changed for a reader first, or was first seen.
    Updated,
    /// Cheapest first, and those without a price last. Currencies are not converted.
    Price,
    /// Dearest first, and those without a price last.
    PriceDescending,
}

/// Conditions beside the query text. All that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchFilter {
    /// Registrable domain or host.
    pub site: Option<String>,
    /// What the pages are about.
    pub kind: Option<DocumentKind>,
    /// Language code.
    pub language: Option<String>,
    /// Published at this second or later.
    pub from: Option<i64>,
    /// Published before this second.
    pub to: Option<i64>,
}
