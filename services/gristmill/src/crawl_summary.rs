//! What a crawl says at its end beside its numbers: why nothing came, that all is there, how to go on.

use std::fmt::Write as _;

use gristmill_frontier::Frontier;
use gristmill_proto::{FetchKind, RejectCause};
use gristmill_runtime::clock::now_ms;
use gristmill_scheduler::failure_advice::{FailureAdvice, of_explanation};
use gristmill_scheduler::newest_rejects::RejectedPage;
use gristmill_scheduler::seeds::Seed;
use gristmill_scheduler::{FetchProblem, SchedulerExit};
use gristmill_urls::CanonicalUrl;
use serde_json::Value;

use crate::command_line;
use crate::progress::{CrawlStats, documents};
use crate::settings::Settings;

/// Start URLs whose reasons are told one by one; of the others the number.
const SHOWN: usize = 10;

/// Redirects followed from a start URL to the page that it stands for.
const MAX_HOPS: usize = 10;

/// A crawl that came to its end.
pub struct CrawlSummary<'a> {
    pub totals: &'a CrawlStats,
    pub ended: SchedulerExit,
    /// What this run was asked to start from.
    pub seeds: &'a [Seed],
    pub settings: &'a Settings,
}

impl CrawlSummary<'_> {
    /// Tells on stderr what a person should know.
    ///
    /// # Errors
    /// Nothing was fetched though something was asked for; the reasons are the message.
    pub fn tell(&self) -> anyhow::Result<()> {
        self.tell_empty();
        self.tell_lists();
        let on = match self.ended {
            SchedulerExit::LimitReached => "the limit is reached; a higher `--max-pages` goes on from here",
            SchedulerExit::Stopped => "stopped; the same command goes on from here",
            SchedulerExit::Drained => return self.tell_drained(),
        };
        tell!("{on}");
        Ok(())
    }

    /// Tells of pages that have no text as they came.
    fn tell_empty(&self) {
        if self.totals.missed > 0 {
            tell!(
                "gristmill: {} pages need a browser to show what they have, and none was found: install Debian's package \
                 `chromium-headless-shell` or `chromium`, or name a program with `browser.program`",
                self.totals.missed
            );
        }
        let (empty, fetched) = (self.totals.empty, self.totals.fetched);
        if empty > 0 && 2 * empty >= fetched && !self.settings.extractor.renders() {
            tell!(
                "gristmill: {empty} of {fetched} pages have no text as they were sent; if scripts write it, `--render auto` has a \
                 browser draw them"
            );
        }
        if self.totals.emptied > 0 {
            tell!(
                "gristmill: {} pages that had a text came without one this time; the index keeps what an earlier visit found",
                self.totals.emptied
            );
        }
    }

    /// Tells of sitemaps and feeds that are none, or did not come.
    fn tell_lists(&self) {
        // Where nothing came at all, that is the reason.
        let is_list = |seed: &&Seed| seed.kind != FetchKind::Page && self.totals.fetched > 0;
        for seed in self.seeds.iter().filter(is_list).take(SHOWN) {
            if let Some(reason) = self.listing_reject(seed) {
                tell!("gristmill: {} was taken for a {}, and is {reason}", seed.url, seed.kind.as_str());
            }
        }
        for sitemap in self.totals.crawl.troubles.iter().filter(|trouble| trouble.is_sitemap) {
            let what = match (&sitemap.error, sitemap.status) {
                (Some(error), _) => error.clone(),
                (None, status) => format!("it answers with status {status}"),
            };
            tell!(
                "gristmill: the sitemap `{}`, which robots.txt names, could not be fetched, nor what only it lists: {what}; \
                 the same command asks for it once more",
                sitemap.url
            );
        }
    }

    /// What a start URL is that is not the list it was given as.
    fn listing_reject(&self, seed: &Seed) -> Option<&str> {
        let newest = &self.totals.newest_rejects;
        let is_none = |reject: &&RejectedPage| reject.url == seed.url.as_str() && reject.cause == RejectCause::NoPage;
        newest.iter().find(is_none).map(|reject| reject.reason.as_str())
    }

    fn tell_drained(&self) -> anyhow::Result<()> {
        let crawl = &self.totals.crawl;
        let asked_nothing = self.totals.fetched == 0 && !self.totals.outcomes.contains_key("not_modified");
        if !asked_nothing && crawl.redirected > 0 {
            self.tell_moved();
        }
        let closed = if asked_nothing || crawl.known > crawl.done { self.closed() } else { Vec::new() };
        if asked_nothing && (crawl.done == 0 || !self.seeds.is_empty() && closed.len() == self.seeds.len()) {
            let lists = self.seeds.iter().all(|seed| matches!(seed.kind, FetchKind::Sitemap | FetchKind::Feed));
            if closed.is_empty() && lists && !self.seeds.is_empty() {
                anyhow::bail!("no page was fetched{}", self.empty_lists());
            }
            anyhow::bail!("nothing could be fetched{}", self.list(&closed));
        }
        if !closed.is_empty() {
            let n = format!("{} of {} start URLs could not be fetched", closed.len(), self.seeds.len());
            tell!("gristmill: {n}{}", self.list(&closed));
        }
        if crawl.unreached > 0 {
            tell!(
                "gristmill: {} URLs failed since no answer came from their sites, or none to its end; the same command asks for them once \
                 more",
                crawl.unreached
            );
        }
        if asked_nothing {
            let all = match crawl.failed {
                0 => "everything that was found is fetched already".to_owned(),
                failed => format!("all but {failed} URLs that failed is fetched already"),
            };
            let scope = match self.has_scope_changed() {
                true => ", under another scope: links that it left out are met when their pages are fetched once more",
                false => "; to fetch it once more",
            };
            tell!("{all}{scope}:\n  {} --again", command_line::typed());
        } else if self.totals.documents == 0 && self.totals.rejected > 0 {
            let explain = command_line::command(self.settings, &["explain", "URL"]);
            tell!("gristmill: no page could be read as text; `{explain}` tells why, for each URL");
        } else if self.totals.documents == 0 && documents(self.settings) == 0 {
            let explain = command_line::command(self.settings, &["explain", "URL"]);
            tell!("gristmill: no page that was fetched is to be indexed; `{explain}` tells why, for each URL");
        }
        Ok(())
    }

    /// What start URLs are that were to list pages.
    fn empty_lists(&self) -> String {
        let mut text = String::new();
        for seed in self.seeds.iter().take(SHOWN) {
            let none = || {
                "it lists no page, or none in the scope of the crawl\n    `--no-follow` fetches what it lists wherever it is, \
                 `--scope domain|any` widens the scope"
                    .to_owned()
            };
            let page = |reason: &str| format!("it is {reason}\n    with `page:` before it, it is a page to start from");
            let what = self.listing_reject(seed).map_or_else(none, page);
            let _ = write!(text, "\n  {} was taken for a {}: {what}", seed.url, seed.kind.as_str());
        }
        text
    }

    /// The start URLs that have no page, with the reasons.
    fn closed(&self) -> Vec<(&CanonicalUrl, FailureAdvice)> {
        // Which hosts no list opens is said by the settings alone.
        let Ok(config) = self.settings.frontier_config() else { return Vec::new() };
        let Ok(frontier) = Frontier::open(&self.settings.frontier_dir(), config) else { return Vec::new() };
        self.seeds.iter().filter_map(|seed| Some((&seed.url, reason(&frontier, &seed.url)?))).collect()
    }

    /// Names start URLs that lead to another domain, whose links are left out.
    fn tell_moved(&self) {
        let frontier = Frontier::open(&self.settings.frontier_dir(), self.settings.frontier.clone());
        let Ok(frontier) = frontier else { return };
        for seed in self.seeds.iter().take(SHOWN) {
            let Some((target, explanation)) = destination(&frontier, &seed.url) else { continue };
            let is_elsewhere = target.registrable_domain() != seed.url.registrable_domain();
            if is_elsewhere && explanation["known"]["state"] == "done" && explanation["scope"] != "inside" {
                tell!(
                    "gristmill: {} redirects to another domain, {target}: that page was fetched, but no page there that it links \
                     to; a crawl that starts from {target} fetches these",
                    seed.url
                );
            }
        }
    }

    /// Whether pages were read under another scope than that of this run.
    fn has_scope_changed(&self) -> bool {
        let frontier = Frontier::open(&self.settings.frontier_dir(), self.settings.frontier.clone());
        frontier.and_then(|frontier| frontier.has_scope_changed()).unwrap_or(false)
    }

    fn list(&self, closed: &[(&CanonicalUrl, FailureAdvice)]) -> String {
        let mut text = String::new();
        for (seed, FailureAdvice { what, help }) in closed.iter().take(SHOWN) {
            let _ = write!(text, "\n  {seed}: {what}");
            if let Some(error) = self.error(seed) {
                let _ = write!(text, "\n    {error}");
            }
            if !help.is_empty() {
                let _ = write!(text, "\n    {help}");
            }
        }
        if closed.len() > SHOWN {
            let _ = write!(text, "\n  and {} more", closed.len() - SHOWN);
        }
        let explain =
            command_line::command(self.settings, &["explain", closed.first().map_or("URL", |(seed, _)| seed.as_str())]);
        let _ = write!(text, "\n  more of it: {explain}");
        text
    }

    /// What the fetcher said of the host of a start URL in this run.
    fn error(&self, seed: &CanonicalUrl) -> Option<&str> {
        let of_host =
            |trouble: &&FetchProblem| trouble.url.strip_prefix(seed.origin()).is_some_and(|rest| rest.starts_with('/'));
        self.totals.crawl.troubles.iter().find(of_host)?.error.as_deref()
    }
}

/// Why a start URL, or what it redirects to, has no page.
fn reason(frontier: &Frontier, seed: &CanonicalUrl) -> Option<FailureAdvice> {
    let (url, explanation) = destination(frontier, seed)?;
    let mut reason = of_explanation(&explanation)?;
    if url != *seed {
        reason.what = format!("it redirects to {url}, and there {}", reason.what);
    }
    Some(reason)
}

/// Where the redirects of a start URL end, and what the frontier knows of it.
fn destination(frontier: &Frontier, seed: &CanonicalUrl) -> Option<(CanonicalUrl, Value)> {
    let mut url = seed.clone();
    for _ in 0..=MAX_HOPS {
        let explanation: Value = serde_json::to_value(frontier.explain(&url, now_ms()).ok()?).ok()?;
        match explanation["known"]["redirect"].as_str().filter(|_| explanation["known"]["state"] == "redirected") {
            Some(target) => url = CanonicalUrl::parse(target, None).ok()?,
            None => return Some((url, explanation)),
        }
    }
    None
}
