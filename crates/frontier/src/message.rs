//! What goes into the frontier and what comes out: links, orders, outcomes.

use std::fmt;

use gristmill_robots::Reservation;
use gristmill_terms::{Departure, FetchKind, LinkSource, Verdict};
use gristmill_urls::{CanonicalUrl, ScopeVerdict, Trap};
use serde::Serialize;

use crate::failure::FailureKind;

/// One address to be considered.
#[derive(Debug, Clone, Copy)]
pub struct Outlink<'a> {
    /// Absolute; quickest when already canonical.
    pub url: &'a str,
    /// Not [`FetchKind::Robots`] or [`FetchKind::Tdm`]: the frontier orders these by itself. Nor [`FetchKind::Render`]: see
    /// [`Frontier::offer_render`](crate::Frontier::offer_render).
    pub kind: FetchKind,
    pub source: LinkSource,
    /// Links followed from a seed to here: the page's own depth plus one, 0 for seeds and entries of feeds that are seeds, 1 for
    /// entries of sitemaps. Of a sitemap: the sitemap indexes around it.
    pub depth: u16,
    /// Redirects followed to here.
    pub hops: u8,
    /// The link's words, to travel with the order; those of a home page replace others.
    pub anchor_title: Option<&'a str>,
}

/// A link into the domain of another frontier, which is to be offered there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Referral {
    /// Where it was met: the URL that redirects, or the origin whose robots.txt names it.
    pub from: String,
    pub url: CanonicalUrl,
    pub kind: FetchKind,
    pub source: LinkSource,
    pub depth: u16,
    pub hops: u8,
    pub anchor_title: Option<String>,
}

/// What is told of one page beside its links and outcomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Canonical.
    pub url: String,
    pub news: News,
}

/// What there is to tell of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// It was read.
    Read {
        /// Of its document; none where it gave none that is kept.
        fingerprint: Option<Fingerprint>,
        asks_password: bool,
    },
    /// It stands or falls with the page `on`, whose frontier is told.
    Depends { on: String, tie: Tie },
    /// What the page `on` means for it: why it leaves the corpus, or none where it comes back.
    Settled { on: String, departure: Option<Departure> },
    /// All cookies that its site wants to see again.
    Cookies { cookies: Vec<Cookie> },
}

/// A cookie as a site has set it.
#[derive(Clone, PartialEq, Eq)]
pub struct Cookie {
    /// What was asked for.
    pub url: String,
    /// The value of `Set-Cookie`.
    pub field: String,
}

impl fmt::Debug for Cookie {
    /// Without what may be a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookie").field("url", &self.url).finish_non_exhaustive()
    }
}

/// What a document says, in short: fingerprints of its text, which differ in few bits where texts do in little, and of its title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// 0 for a text without words, which is like no other.
    pub text: u64,
    pub title: u64,
}

/// How a page depends on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tie {
    /// No more.
    None,
    /// It redirects there, over so many redirects before the last.
    Redirect(u8),
    /// It names it as its canonical page, and says this itself.
    Copy(Fingerprint),
}

impl Notice {
    /// The page whose frontier must know.
    #[must_use]
    pub fn subject(&self) -> &str {
        match &self.news {
            News::Depends { on, .. } => on,
            News::Read { .. } | News::Settled { .. } | News::Cookies { .. } => &self.url,
        }
    }
}

/// What became of an offered link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdmissionResult {
    /// Entered the seen set and a queue.
    New,
    /// Was in the seen set; its priority, depth or title may have improved.
    Known,
    /// Does not belong to the crawl; nothing is kept of it.
    Rejected(LinkRejection),
}

/// Why a link does not belong to the crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkRejection {
    /// Not a URL that can be crawled; the reason in words.
    Invalid(String),
    Scope(ScopeVerdict),
    Trap(Trap),
    /// `max_pages_per_host` is used up.
    HostBudget(u32),
    /// `max_redirects` is used up.
    TooManyRedirects(u8),
    /// A sitemap within more sitemap indexes than this.
    SitemapNesting(u16),
    /// `max_sitemaps_per_site` is used up.
    SiteSitemaps(u32),
    /// No links are followed (`scope.follow`), and nobody named it.
    NotFollowed,
    /// A browser was asked for a page that this crawl did not fetch.
    NoPage,
    /// Its domain belongs to another frontier.
    NotOwn,
}

impl LinkRejection {
    /// The names of all kinds, as in metrics and summaries.
    pub const NAMES: [&str; 7] = ["out_of_scope", "excluded", "file", "trap", "limit", "not_followed", "invalid"];

    /// The kind that it is counted as.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Scope(ScopeVerdict::Binary(_)) => "file",
            Self::Scope(
                ScopeVerdict::Excluded(_) | ScopeVerdict::NotIncluded | ScopeVerdict::Blocked | ScopeVerdict::TakenDown,
            ) => "excluded",
            Self::Scope(_) => "out_of_scope",
            Self::Trap(_) => "trap",
            Self::HostBudget(_) | Self::TooManyRedirects(_) | Self::SitemapNesting(_) | Self::SiteSitemaps(_) => {
                "limit"
            }
            Self::NotFollowed => "not_followed",
            Self::Invalid(_) | Self::NoPage | Self::NotOwn => "invalid",
        }
    }
}

/// One fetch that is due now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOrder {
    /// Strictly increasing over the life of the store.
    pub id: u64,
    /// Canonical.
    pub url: String,
    pub kind: FetchKind,
    /// For [`FetchKind::Robots`] and [`FetchKind::Tdm`]: the origin (`scheme://authority`) whose rules are asked for, which
    /// after a redirect is not that of `url`. `None` for other kinds.
    pub robots_for: Option<String>,
    pub depth: u16,
    pub hops: u8,
    /// 0 for the first try.
    pub attempt: u16,
    pub anchor_title: Option<String>,
    /// Validators of the last successful fetch, for a conditional request.
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Whether an earlier order for this URL was fetched with success, so that its loss must be told on.
    pub known: bool,
    /// Unix milliseconds.
    pub ordered_at: u64,
    /// The pause between two requests that the site is owed, in milliseconds: what a fetcher waits before it repeats an
    /// order that a crash cut off in the middle.
    pub pause: u64,
    /// The pause between two requests to one IP address, in milliseconds, whatever the names: which sites share one is known for sure
    /// only where they are dialled.
    pub ip_pause: u64,
    /// What the site's tdmrep.json says of this page; what comes with the page itself goes before it.
    pub tdm: Option<Reservation>,
    /// What its robots.txt says of the use of this page (`Content-Usage`, `Content-Signal`).
    pub usage: Option<String>,
    /// What its site has set and wants to see again.
    pub cookies: Vec<Cookie>,
}

/// What is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextAction {
    /// Fetch this. The URL is leased and its domain busy until the outcome comes.
    Order(Box<FetchOrder>),
    /// Nothing before this time, unless an outcome or a new link comes first.
    WaitUntil(u64),
    /// Nothing until an outcome comes.
    Busy,
    /// Everything that is known has reached a final state.
    Drained,
    /// What is left is paused, and nothing is in flight.
    Paused,
    /// `max_pages` is reached and nothing is in flight; URLs may be left in the queues.
    LimitReached,
}

/// How a fetch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchResult {
    /// A 2xx answer with its body.
    Ok,
    /// 304: the body is the one that is known.
    NotModified,
    /// A redirect, and where to, if that could be read.
    Redirect(Option<String>),
    Failed(FailureKind),
}

impl FetchResult {
    /// The result that a verdict stands for; `target` is that of a redirect.
    #[must_use]
    pub fn of(verdict: Verdict, target: Option<String>) -> Self {
        match verdict {
            Verdict::Ok => Self::Ok,
            Verdict::NotModified => Self::NotModified,
            Verdict::Redirect => Self::Redirect(target),
            failure => Self::Failed(FailureKind::Fetch(failure)),
        }
    }
}

/// The end of one order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOutcome {
    pub order_id: u64,
    pub result: FetchResult,
    /// HTTP status, 0 without an answer.
    pub status: u16,
    /// `Retry-After`, from `finished_at`.
    pub retry_after_ms: Option<u64>,
    /// Address that was dialled.
    pub ip: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Hash of the decoded body: equal hashes mean an unchanged page.
    pub content_hash: Option<u64>,
    /// Whether the page says nothing that its site has not said on others; `None` where nobody can tell.
    pub brings_nothing: Option<bool>,
    /// The other page that a page names as its canonical one.
    pub canonical: Option<String>,
    /// Hash of the words of a page, numbers aside; `None` where it has too few to tell it from others.
    pub words_hash: Option<u64>,
    /// For robots.txt and tdmrep.json: the file.
    pub robots_body: Option<Vec<u8>>,
    /// When the last byte came, Unix milliseconds: politeness counts from here. Later than `now` counts as `now`.
    pub finished_at: u64,
}

impl FetchOutcome {
    /// An outcome that tells nothing else.
    #[must_use]
    pub fn new(order_id: u64, result: FetchResult, status: u16, finished_at: u64) -> Self {
        Self {
            order_id,
            result,
            status,
            retry_after_ms: None,
            ip: None,
            etag: None,
            last_modified: None,
            content_hash: None,
            brings_nothing: None,
            canonical: None,
            words_hash: None,
            robots_body: None,
            finished_at,
        }
    }
}

/// What an outcome did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeEffect {
    /// The URL is done, redirected, or failed for good.
    Final,
    /// The URL (or robots.txt) will be tried again.
    Retry,
    /// No lease has this id: it was applied before, or the order was lost and given out again. Nothing changed.
    Stale,
}
