//! The state of the crawl at a moment, for progress displays.

use std::collections::HashMap;

use gristmill_frontier::SiteActivity;
use gristmill_proto::{FetchKind, FetchOutcome, Verdict};
use gristmill_urls::CanonicalUrl;
use serde::Serialize;

use crate::freshness::Freshness;

/// What the scheduler knows of the crawl.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CrawlStatus {
    /// URLs in the seen set.
    pub known: u64,
    /// URLs that wait for their turn, a retry or a recrawl.
    pub queued: u64,
    /// Orders without outcome.
    pub in_flight: u64,
    /// URLs fetched with success.
    pub done: u64,
    /// URLs that failed for good.
    pub failed: u64,
    /// Those of them from whose site no answer came, or none to its end.
    pub unreached: u64,
    /// URLs that are not fetched since others like them brought nothing new.
    pub nothing_new: u64,
    /// URLs that robots.txt forbids.
    pub disallowed: u64,
    /// URLs that led elsewhere.
    pub redirected: u64,
    /// Pages that wait for a browser, or are drawn by one.
    pub to_render: u64,
    /// Hosts that are being fetched from now.
    pub hosts: Vec<String>,
    /// When a further URL may be asked for, at the soonest; Unix milliseconds. None while one is due, or where nothing waits.
    pub next_turn: Option<u64>,
    /// Registrable domains that are paused; an empty name stands for the whole crawl.
    pub paused: Vec<String>,
    /// What went wrong since the start, the first of each kind at each host, at most [`MAX_TROUBLES`].
    pub troubles: Vec<FetchProblem>,
    /// How soon news could be found, where there was some in the last day.
    pub freshness: Option<Freshness>,
    /// The sites that matter now, at most 30: those at work, those in trouble, those whose turn comes next.
    pub sites: Vec<SiteStatus>,
}

/// A site with work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteStatus {
    #[serde(flatten)]
    pub activity: SiteActivity,
    /// What went wrong there last, since the start: the stable name of an outcome.
    pub trouble: Option<&'static str>,
}

impl SiteStatus {
    /// Each site with the last of these troubles that is its own.
    pub(crate) fn all(sites: Vec<SiteActivity>, troubles: &[FetchProblem]) -> Vec<Self> {
        let site_of = |url: &str| Some(CanonicalUrl::parse(url, None).ok()?.registrable_domain().to_owned());
        let by_site: HashMap<String, &'static str> =
            troubles.iter().filter_map(|problem| Some((site_of(&problem.url)?, problem.outcome))).collect();
        let with_trouble = |activity: SiteActivity| {
            let trouble = by_site.get(&activity.site).copied();
            Self { activity, trouble }
        };
        sites.into_iter().map(with_trouble).collect()
    }
}

/// Most troubles that a status tells of.
pub const MAX_TROUBLES: usize = 20;

/// A page, a robots.txt that pages wait for, or a sitemap that it names, that could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FetchProblem {
    pub url: String,
    /// Whether it is a sitemap, and what it lists is not known.
    #[serde(skip)]
    pub is_sitemap: bool,
    /// The stable name of the outcome, such as `dns`.
    pub outcome: &'static str,
    /// HTTP status, 0 without an answer.
    pub status: u16,
    /// What the fetcher said, where there was no answer.
    pub error: Option<String>,
    /// Whether it is tried again.
    pub again: bool,
}

impl FetchProblem {
    /// What an outcome tells of, if it is trouble. A robots.txt that is missing or forbidden means that there are no rules.
    ///
    /// * `is_named`: whether robots.txt names what was fetched as a sitemap; others are looked for where most sites have one.
    pub(crate) fn of(outcome: &FetchOutcome, is_named: bool) -> Option<Self> {
        let fine = matches!(outcome.verdict, Verdict::Ok | Verdict::NotModified | Verdict::Redirect);
        let wanted = match outcome.kind {
            FetchKind::Page => !fine,
            // The page itself came, and its renderer says what went wrong.
            FetchKind::Render => false,
            FetchKind::Robots => !fine && (outcome.status == 0 || outcome.status == 429 || outcome.status >= 500),
            FetchKind::Sitemap => !fine && is_named,
            FetchKind::Feed | FetchKind::Tdm => false,
        };
        wanted.then(|| Self {
            url: outcome.url.clone(),
            is_sitemap: outcome.kind == FetchKind::Sitemap,
            outcome: outcome.verdict.as_str(),
            status: outcome.status,
            error: outcome.error.clone(),
            again: false,
        })
    }

    fn host(&self) -> &str {
        self.url.split('/').nth(2).unwrap_or_default()
    }

    /// Adds it to `troubles`, unless the host had this one.
    pub(crate) fn note(self, troubles: &mut Vec<Self>) {
        let same = |known: &Self| {
            known.outcome == self.outcome && known.host() == self.host() && known.is_sitemap == self.is_sitemap
        };
        match troubles.iter().position(same) {
            Some(at) => troubles[at].again = self.again,
            None if troubles.len() < MAX_TROUBLES => troubles.push(self),
            None => {}
        }
    }
}
