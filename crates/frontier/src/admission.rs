//! Taking in links: canonical form, scope, traps, seen set, priority.

use gristmill_urls::{CanonicalUrl, ScopeVerdict, UrlKey, find_trap};

use crate::error::FrontierError;
use crate::failure::FailureKind;
use crate::frontier::{Frontier, origin_of};
use crate::link_log::NewUrl;
use crate::message::{AdmissionResult, LinkRejection, Outlink};
use crate::seen::SeenUrl;
use crate::store::row_of;
use crate::url_record::{HOMES, LINKS, UrlRecord, UrlState, is_listed};
use gristmill_terms::{FetchKind, LinkSource};

/// What is remembered of a recently seen URL: enough to tell that a link brings nothing new.
#[derive(Clone, Copy)]
pub(crate) struct SeenEntry {
    priority: u8,
    depth: u16,
    title: TitleRank,
    is_seed: bool,
}

/// How good a candidate title is; a better one replaces another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TitleRank {
    None,
    Anchor,
    Home,
}

/// In the seen set's bits of a URL: they tell what links to it may bring.
const USABLE: u32 = 1 << 23;

/// Longest anchor text that is kept, in bytes.
const MAX_TITLE_BYTES: usize = 512;

/// Most sitemap indexes around a sitemap. The protocol knows one, and some crawlers take two or three.
const MAX_SITEMAP_NESTING: u16 = 5;

/// Priorities by source; smaller goes first. Links follow at `LINKS + depth`, and somewhat later where others like them brought nothing.
const SEEDS: u8 = 1;
const LISTINGS: u8 = 2;
const LISTED: u8 = 7;

/// Whether a link is a seed, where one leads, or an entry of a sitemap or feed that is one. The others have no entries when no links
/// are followed, as they are not fetched: those of robots.txt (depth 0) and of home pages.
fn is_named(link: &Outlink<'_>) -> bool {
    match (link.source, link.kind) {
        (LinkSource::Seed | LinkSource::Redirect, _) => true,
        (LinkSource::Sitemap, FetchKind::Sitemap) => link.depth > 0,
        (LinkSource::Sitemap | LinkSource::Feed, FetchKind::Page) => true,
        _ => false,
    }
}

impl Frontier {
    /// Takes in a link, a seed, or an entry of a sitemap or feed.
    ///
    /// A known URL that still waits is improved by a better priority, a smaller depth or a better title. Seeds open their
    /// place in the scope, and a seed that failed or was disallowed is tried anew: who gives it again asks for that. Offering
    /// another link twice changes nothing.
    ///
    /// # Errors
    /// When the store cannot be read; never because of the link.
    pub fn offer(&mut self, link: &Outlink<'_>, now: u64) -> Result<AdmissionResult, FrontierError> {
        self.at(now);
        self.take_in(link, None)
    }

    /// The same of a link that stands at `from`, which may name listings, and list pages, out of the crawl's place.
    ///
    /// # Errors
    /// When the store cannot be read; never because of the link.
    pub fn offer_found(&mut self, link: &Outlink<'_>, from: &str, now: u64) -> Result<AdmissionResult, FrontierError> {
        self.at(now);
        self.take_in(link, Some(from))
    }

    /// Takes note that the page `from` links to the page `to`: how many other domains link to one tells what it is worth. Only domains with
    /// work are counted for, and links from those whose pages mostly bring nothing do not count. Some 1 µs for two sites, less for one.
    pub fn linked(&mut self, from: &str, to: &str) {
        if origin_of(from) == origin_of(to) {
            return;
        }
        let (Ok(from), Ok(to)) = (CanonicalUrl::parse(from, None), CanonicalUrl::parse(to, None)) else { return };
        let (from, to) = (from.registrable_domain(), to.registrable_domain());
        let source = self.places.find_domain(from);
        if from != to && source.is_none_or(|source| source.record.budget.vouches()) {
            let hash = self.store.seen.keyed(from);
            self.places.link(to, hash);
        }
    }

    pub(crate) fn take_in(&mut self, link: &Outlink<'_>, from: Option<&str>) -> Result<AdmissionResult, FrontierError> {
        // Links mostly come in canonical form, and mostly are known: one hash decides.
        let spelled = UrlKey::of(link.url);
        let given = link.source == LinkSource::Seed && link.hops == 0;
        if !given && self.recent.get(&spelled).is_some_and(|seen| seen.covers(link)) {
            return Ok(AdmissionResult::Known);
        }
        let found = self.store.seen.find(spelled)?;
        if !given && let Some(seen) = found.and_then(SeenEntry::unpack).filter(|seen| seen.covers(link)) {
            self.recent.insert(spelled, seen, 1);
            return Ok(AdmissionResult::Known);
        }
        let url = match CanonicalUrl::parse(link.url, None) {
            Ok(url) => url,
            Err(error) => return Ok(AdmissionResult::Rejected(LinkRejection::Invalid(error.to_string()))),
        };
        if !self.is_own(&url) {
            return Ok(AdmissionResult::Rejected(LinkRejection::NotOwn));
        }
        let key = url.key();
        if link.source == LinkSource::Seed {
            self.add_seed(&url)?;
        }
        // Links out of the crawl's place are many, and no disk needs to be asked about them.
        let verdict = self.judge(&url, link);
        let named = if matches!(verdict, ScopeVerdict::Elsewhere(_)) { self.named_by(from, link, &url)? } else { None };
        let (link, verdict) = named.as_ref().map_or((link, verdict), |(link, verdict)| (link, verdict.clone()));
        if let ScopeVerdict::Elsewhere(_) = verdict {
            return Ok(AdmissionResult::Rejected(LinkRejection::Scope(verdict)));
        }
        let found = if key == spelled { found } else { self.store.seen.find(key)? };
        if let Some(mut record) = found.map(|seen| self.record_at(key, seen)).transpose()? {
            let is_back = match record.state {
                UrlState::Failed(FailureKind::OutOfScope) => verdict == ScopeVerdict::Inside,
                UrlState::Failed(FailureKind::NothingNew) => is_listed(link.depth) && !is_listed(record.depth),
                _ => false,
            };
            // A listing that is given again may list more by now.
            let lists_more = record.kind.is_listing() && matches!(record.state, UrlState::Done | UrlState::Redirected);
            let is_shut = matches!(record.state, UrlState::Failed(_) | UrlState::Disallowed);
            if is_back || given && (is_shut || lists_more) {
                self.try_anew(key, &mut record, &url)?;
            }
            self.improve(key, record, &url, link)?;
            return Ok(AdmissionResult::Known);
        }
        let is_start = link.source == LinkSource::Seed || self.is_part_of_start(from, link)?;
        if let Some(rejection) = self.reject(&url, link, verdict, is_start) {
            return Ok(AdmissionResult::Rejected(rejection));
        }
        let result = self.admit(key, &url, link, is_start)?;
        if result == AdmissionResult::New
            && !self.templates.is_empty()
            && let Some(from) = from.and_then(|from| CanonicalUrl::parse(from, None).ok())
        {
            for wronged in self.templates.lead(&from, &url) {
                self.readmit(wronged)?;
            }
        }
        Ok(result)
    }

    /// What the scope of the crawl and the rules of its site say of a page.
    pub(crate) fn judge_page(&self, url: &CanonicalUrl, depth: u16) -> ScopeVerdict {
        self.judge_place(url).unwrap_or_else(|| self.judge_scope(url, depth))
    }

    /// The same of a page whose place is not refused.
    pub(crate) fn judge_scope(&self, url: &CanonicalUrl, depth: u16) -> ScopeVerdict {
        match self.scope.judge(url, depth) {
            ScopeVerdict::Inside => self.sites.judge(url, depth),
            verdict => verdict,
        }
    }

    /// What no scope opens: what was taken down, and what block lists name.
    pub(crate) fn judge_place(&self, url: &CanonicalUrl) -> Option<ScopeVerdict> {
        if self.is_taken_down(url) {
            return Some(ScopeVerdict::TakenDown);
        }
        let blocked = &self.config.block_list;
        (!blocked.is_empty() && blocked.blocks_url(url.host(), url.path_and_query()).is_some())
            .then_some(ScopeVerdict::Blocked)
    }

    /// What the patterns say of a page that a start lists, wherever it is.
    pub(crate) fn judge_entry(&self, url: &CanonicalUrl) -> ScopeVerdict {
        match self.scope.judge_anywhere(url, 1) {
            ScopeVerdict::Inside => self.sites.judge(url, 1),
            verdict => verdict,
        }
    }

    fn judge(&self, url: &CanonicalUrl, link: &Outlink<'_>) -> ScopeVerdict {
        if let Some(refused) = self.judge_place(url) {
            return refused;
        }
        // Where a seed leads into another domain, that one page or feed stands for it, and opens nothing. So do the pages of a feed.
        match (link.source, link.kind, link.depth) {
            (LinkSource::Redirect, FetchKind::Page | FetchKind::Feed, 0)
                if self.scope.config().follow_seed_redirects =>
            {
                return ScopeVerdict::Inside;
            }
            (LinkSource::Feed, FetchKind::Page, 0) => return self.judge_entry(url),
            _ => {}
        }
        match link.kind {
            FetchKind::Page | FetchKind::Render => {
                self.judge_scope(url, if link.source == LinkSource::Seed { 0 } else { link.depth })
            }
            FetchKind::Robots | FetchKind::Tdm | FetchKind::Sitemap | FetchKind::Feed => self.scope.judge_listing(url),
        }
    }

    /// Reasons against a URL that is not in the seen set, but for its host's budget.
    fn reject(
        &self,
        url: &CanonicalUrl,
        link: &Outlink<'_>,
        verdict: ScopeVerdict,
        is_start: bool,
    ) -> Option<LinkRejection> {
        if verdict != ScopeVerdict::Inside {
            return Some(LinkRejection::Scope(verdict));
        }
        if !self.scope.config().follow && !is_start && !is_named(link) {
            return Some(LinkRejection::NotFollowed);
        }
        if link.hops > self.config.max_redirects {
            return Some(LinkRejection::TooManyRedirects(self.config.max_redirects));
        }
        if link.kind.is_wish() {
            return Some(LinkRejection::Invalid("robots.txt is ordered by the frontier itself".to_owned()));
        }
        if link.kind == FetchKind::Render {
            return Some(LinkRejection::NoPage);
        }
        if link.kind == FetchKind::Sitemap && link.depth > MAX_SITEMAP_NESTING {
            return Some(LinkRejection::SitemapNesting(MAX_SITEMAP_NESTING));
        }
        if !self.config.avoid_traps || link.source == LinkSource::Seed || link.kind != FetchKind::Page {
            return None;
        }
        find_trap(url, &self.config.traps, year_of(self.clock.callers(self.clock.now))).map(LinkRejection::Trap)
    }

    fn admit(
        &mut self,
        key: UrlKey,
        url: &CanonicalUrl,
        link: &Outlink<'_>,
        is_seed: bool,
    ) -> Result<AdmissionResult, FrontierError> {
        let host = self.places.host(url, &mut self.store, &mut self.meta)?;
        if link.kind == FetchKind::Page {
            let n_pages = self.places.hosts[&host].record.n_pages;
            let limit = self.config.max_pages_per_host.filter(|&limit| n_pages >= u64::from(limit) && !is_seed);
            if let Some(limit) = limit {
                return Ok(AdmissionResult::Rejected(LinkRejection::HostBudget(limit)));
            }
        } else {
            let limit = self.config.max_sitemaps_per_site;
            let domain = self.places.hosts[&host].domain;
            let n_listings = &mut self.places.domain_mut(domain).record.n_listings;
            if *n_listings >= u64::from(limit) && !is_seed {
                return Ok(AdmissionResult::Rejected(LinkRejection::SiteSitemaps(limit)));
            }
            *n_listings += 1;
        }
        let (url, priority) = (url.as_str().to_owned(), self.priority_of(url, link));
        let mut record = UrlRecord {
            depth: link.depth,
            hops: link.hops,
            is_seed,
            home_title: title_rank(link) == TitleRank::Home,
            anchor_title: title_of(link),
            ..UrlRecord::new(url, link.kind, priority, self.clock.now)
        };
        self.meta.counts[row_of(link.kind)][UrlState::Queued.index()] += 1;
        self.enqueue_new(key, &mut record, host)?;
        Ok(AdmissionResult::New)
    }

    /// Lets a known URL gain from one more link to it.
    fn improve(
        &mut self,
        key: UrlKey,
        mut record: UrlRecord,
        url: &CanonicalUrl,
        link: &Outlink<'_>,
    ) -> Result<(), FrontierError> {
        let mut changed = false;
        if link.source == LinkSource::Seed && !record.is_seed {
            record.is_seed = true;
            changed = true;
        }
        if link.depth < record.depth {
            record.depth = link.depth;
            changed = true;
        }
        let rank = if record.home_title { TitleRank::Home } else { TitleRank::of(record.anchor_title.as_deref()) };
        if title_rank(link) > rank {
            record.anchor_title = title_of(link);
            record.home_title = title_rank(link) == TitleRank::Home;
            changed = true;
        }
        let priority = self.priority_of(url, link);
        if priority < record.priority {
            changed = true;
            if record.state == UrlState::Queued {
                let host = self.places.host(url, &mut self.store, &mut self.meta)?;
                self.withdraw(key, &record, host)?;
                record.priority = priority;
                self.enqueue(key, &mut record, host)?;
            }
            record.priority = priority;
        }
        if changed {
            self.put_record(key, &record);
        }
        self.recent.insert(key, SeenEntry::of(&record), 1);
        Ok(())
    }

    fn priority_of(&self, url: &CanonicalUrl, link: &Outlink<'_>) -> u8 {
        match link.source {
            LinkSource::Seed => SEEDS,
            _ if link.kind != FetchKind::Page => LISTINGS,
            _ if url.is_home() => HOMES,
            LinkSource::Feed => LISTED,
            _ if is_listed(link.depth) => LINKS + link.depth as u8,
            _ => LINKS + link.depth.saturating_add(self.templates.setback(url)).min(200) as u8,
        }
    }

    /// Opens the place of a seed, and remembers it with the store.
    fn add_seed(&mut self, url: &CanonicalUrl) -> Result<(), FrontierError> {
        let key = url.as_str().as_bytes();
        if self.store.seeds.get(key, |_| Some(()))?.is_none() {
            self.store.seeds.put(key.to_vec(), Vec::new());
            self.scope.add_seed(url);
        }
        Ok(())
    }
}

impl SeenEntry {
    fn of(record: &UrlRecord) -> Self {
        let title = if record.home_title { TitleRank::Home } else { TitleRank::of(record.anchor_title.as_deref()) };
        Self { priority: record.priority, depth: record.depth, title, is_seed: record.is_seed }
    }

    /// What the seen set keeps of a record, in 24 bits. Only that of a page whose links change nothing is of use there.
    pub(crate) fn pack(record: &UrlRecord) -> u32 {
        let is_back_one_day = record.state == UrlState::Failed(FailureKind::OutOfScope);
        if is_back_one_day { 0 } else { Self::of(record).packed(record.kind) }
    }

    /// [`SeenEntry::pack`] of a record as it is in the link log.
    pub(crate) fn pack_new(link: &NewUrl<'_>) -> u32 {
        let title = if link.home_title { TitleRank::Home } else { TitleRank::of(link.anchor_title) };
        Self { priority: link.priority, depth: link.depth, title, is_seed: link.is_seed }.packed(link.kind)
    }

    fn packed(self, kind: FetchKind) -> u32 {
        let Self { priority, depth, title, is_seed } = self;
        let Some(depth) = u8::try_from(depth).ok().filter(|_| kind == FetchKind::Page) else { return 0 };
        USABLE | u32::from(is_seed) << 18 | (title as u32) << 16 | u32::from(depth) << 8 | u32::from(priority)
    }

    /// What [`SeenEntry::pack`] kept. It may be older than the record, which links only ever improve.
    fn unpack(seen: SeenUrl) -> Option<Self> {
        let bits = seen.summary();
        let title = [TitleRank::None, TitleRank::Anchor, TitleRank::Home].into_iter().nth((bits >> 16 & 3) as usize)?;
        let [priority, depth, ..] = bits.to_le_bytes();
        let seen = Self { priority, depth: depth.into(), title, is_seed: bits >> 18 & 1 == 1 };
        (bits & USABLE != 0).then_some(seen)
    }

    fn covers(self, link: &Outlink<'_>) -> bool {
        let same_source = match link.source {
            LinkSource::Seed => self.is_seed,
            LinkSource::Feed => self.priority <= LISTED,
            _ => link.kind == FetchKind::Page || self.priority <= LISTINGS,
        };
        // A home page's priority is not known without parsing, but the record's own is no worse than any link's.
        same_source && self.depth <= link.depth && self.title >= title_rank(link)
    }
}

impl TitleRank {
    fn of(title: Option<&str>) -> Self {
        if title.is_some() { Self::Anchor } else { Self::None }
    }
}

fn title_rank(link: &Outlink<'_>) -> TitleRank {
    match link.anchor_title.map(str::trim) {
        None | Some("") => TitleRank::None,
        Some(_) if link.source == LinkSource::HomeAnchor => TitleRank::Home,
        Some(_) => TitleRank::Anchor,
    }
}

fn title_of(link: &Outlink<'_>) -> Option<String> {
    let title = link.anchor_title.map(str::trim).filter(|title| !title.is_empty())?;
    let mut end = title.len().min(MAX_TITLE_BYTES);
    while !title.is_char_boundary(end) {
        end -= 1;
    }
    Some(title[..end].to_owned())
}

/// Today's year, from Unix milliseconds; right but for some hours around New Year.
fn year_of(now: u64) -> Option<u16> {
    const MILLIS_IN_YEAR: u64 = 31_556_952_000;
    u16::try_from(1970 + now / MILLIS_IN_YEAR).ok()
}
