//! From what a server answered to the records of one order.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use gristmill_fetch::{
    BudgetShare, Client, ContentEncoding, FeedLink, FetchError, Headers, PageLinks, Recorder, Refresh, Request,
    Response, ResponseBody, ScanLimits, Sketch, retry_after, scan_with,
};
use gristmill_html::{CharsetHints, DecodedText, decode_with, is_markdown, markdown_to_html};
use gristmill_log::ProducerRecord;
use gristmill_proto::topics::groups::FETCHER;
use gristmill_proto::{
    Cookie, FetchKind, FetchOrder, FetchOutcome, FetchedPage, News, Notice, Reject, RejectCause, RejectReason, Verdict,
    WireEncoding, encode, topics,
};
use gristmill_robots::{Directives, Listing, is_foreign_xml};
use gristmill_runtime::blobs::{BODIES, Blobs};
use gristmill_runtime::clock::{now_ms, unix_ms};
use gristmill_urls::{CanonicalUrl, UrlError};
use gristmill_walls::{Wall, WallFinding, WallInput, wall};
use tokio::sync::Semaphore;
use xxhash_rust::xxh3::xxh3_64;

use crate::body::{BodyKey, OversizedBody, pack};
use crate::capture::CaptureRecord;
use crate::config::FetcherConfig;
use crate::links::{NewOutlink, OutlinkCollector, Reported, new_links, records};
use crate::memory::Memory;
use crate::novelty::NewLinkTargets;

/// Longest wait that `Retry-After` may ask for.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Everything that one order brings into the log.
pub(crate) struct FetchReport {
    /// Links, the page, the capture.
    pub(crate) records: Vec<ProducerRecord>,
    /// The key of the outcome.
    key: String,
    /// Bodies that must be in the blob store before their records are in the log.
    pub(crate) large: Vec<OversizedBody>,
    pub(crate) outcome: FetchOutcome,
    pub(crate) reported: Vec<Reported>,
    /// Whether a limit left links out.
    pub(crate) links_cut: bool,
    /// Links that were left out since they or the page say `nofollow`.
    pub(crate) nofollow: usize,
    /// Whether what was asked for as a sitemap or feed is neither.
    no_listing: bool,
    /// Processor time of reading the body.
    pub(crate) cpu: Duration,
    /// The memory of the body, which its records have a copy of until they are in the log.
    pub(crate) share: Option<Arc<BudgetShare>>,
}

/// Downloads what `order` asks for, at `own`, and puts together its records. Never fails: a failure is an outcome.
pub(crate) async fn fetch(
    client: &Client,
    order: FetchOrder,
    own: CanonicalUrl,
    config: &FetcherConfig,
    blobs: &Blobs,
    memory: &Arc<Memory>,
    cores: &Semaphore,
) -> FetchReport {
    let (started_at, own_url) = (now_ms(), own.clone());
    let request = Request {
        etag: order.etag.clone(),
        last_modified: order.last_modified.clone(),
        ..Request::of_kind(own.to_url(), order.kind)
    };
    let earlier: Vec<_> = order.cookies.iter().map(cookie_of).collect();
    client.restore_cookies(&request.url, &earlier);
    let recorder = Recorder::new(config.captures);
    let answer = client.fetch_recorded(&request, &recorder).await.and_then(|response| whole(&order, config, response));
    let captured = recorder.take().map(|exchange| CaptureRecord::new(&order, &own, exchange, blobs));
    let mut report = match answer {
        Err(error) => {
            FetchReport::failed(&order, &key_of(&order, &own), started_at, error.verdict(), error.to_string())
        }
        Ok(response) => {
            let (config, blobs, memory) = (config.clone(), blobs.clone(), memory.clone());
            let url = order.url.clone();
            // Reading a body is CPU work: off the async threads.
            let reading = move || {
                let cpu = ThreadTime::now();
                let report = FetchReport::answered(&order, &own, response, started_at, &config, &blobs, &memory);
                FetchReport { cpu: cpu.elapsed(), ..report }
            };
            // More at once than there are cores would only take more memory, and more threads that keep some of it.
            let _core = cores.acquire().await;
            match tokio::task::spawn_blocking(reading).await {
                Ok(report) => report,
                Err(panic) => std::panic::resume_unwind(
                    panic.try_into_panic().unwrap_or_else(|_| Box::new(format!("reading `{url}` was cancelled"))),
                ),
            }
        }
    };
    let cookies = client.cookies_of(&request.url);
    if cookies != earlier {
        report.records.push(cookie_notice(&own_url, &cookies, report.outcome.finished_at));
    }
    // A site of scripts answers every address with its shell: in the archive it would be a page that nothing links to.
    if let Some(captured) = captured.filter(|_| !report.no_listing) {
        captured.join(&mut report);
    }
    report
}

/// An answer, unless it is a page that broke off at its first try: the next one may bring it whole.
fn whole(order: &FetchOrder, config: &FetcherConfig, response: Response) -> Result<Response, FetchError> {
    let is_page = matches!(order.kind, FetchKind::Page | FetchKind::Render);
    if !(config.retries_cut_pages && is_page && order.attempt == 0 && response.body.truncated) {
        return Ok(response);
    }
    let reason = format!("{} bytes came, and the page is asked for again", response.body.decoded.len());
    Err(FetchError::Truncated { url: order.url.clone(), reason })
}

fn cookie_of(Cookie { url, field }: &Cookie) -> gristmill_fetch::Cookie {
    gristmill_fetch::Cookie { url: url.clone(), field: field.clone() }
}

/// What a site wants to see again, for whoever fetches from it later.
fn cookie_notice(own: &CanonicalUrl, cookies: &[gristmill_fetch::Cookie], at: u64) -> ProducerRecord {
    let cookie = |cookie: &gristmill_fetch::Cookie| Cookie { url: cookie.url.clone(), field: cookie.field.clone() };
    let news = News::Cookies { cookies: cookies.iter().map(cookie).collect() };
    let notice = Notice { url: own.as_str().to_owned(), at, news };
    ProducerRecord { topic: topics::LINKS, key: own.registrable_domain().to_owned(), payload: encode(&notice) }
}

impl FetchReport {
    fn answered(
        order: &FetchOrder,
        own: &CanonicalUrl,
        response: Response,
        started_at: u64,
        config: &FetcherConfig,
        blobs: &Blobs,
        memory: &Memory,
    ) -> Self {
        let mut outcome = outcome_of(order, &response, started_at);
        if let Some(found) = refusal_of(order, own, &response) {
            return Self::walled(order, own, outcome, &found);
        }
        let verdict = response.verdict();
        let share = response.body.share.clone();
        let mut records = Vec::new();
        let (mut reported, mut links_cut, mut nofollow, mut no_listing) = (Vec::new(), false, 0, false);
        let mut large = Vec::new();
        match (verdict, order.kind) {
            (Verdict::Ok, asked) if asked.is_wish() => outcome.robots = Some(response.body.decoded.to_vec()),
            (Verdict::Ok, _) => {
                let decoded = text_of(own, &response);
                if let Some(found) = wall_of(order, own, &response, &decoded) {
                    return Self::walled(order, own, outcome, &found);
                }
                outcome.content_hash = Some(xxh3_64(&response.body.decoded));
                let read = Reading::of(order, own, &response, &decoded, config);
                (links_cut, nofollow) = (read.is_cut, read.nofollow);
                let Reading { kind, mut found, notes, target, canonical, is_page, is_listing, sketch, .. } = read;
                no_listing = kind != FetchKind::Page && !is_listing;
                memory.recent.filter(own, kind == FetchKind::Page && order.depth == 0, &mut found);
                outcome.canonical = canonical.filter(|named| named != own).map(|named| named.as_str().to_owned());
                outcome.words_hash = sketch.as_ref().and_then(Sketch::hash);
                let leads = if order.known { NewLinkTargets::Elsewhere } else { new_links(own, &found) };
                outcome.brings_nothing = sketch.and_then(|sketch| memory.brings_nothing(own, &sketch, leads));
                outcome.links = found.len() as u32;
                (records, reported) = self::records(&order.url, outcome.finished_at, found);
                for note in notes {
                    records.push(rejected(order, own.registrable_domain(), FETCHER, note, outcome.finished_at));
                }
                if response.body.truncated {
                    // So that the next visit brings it whole.
                    (outcome.etag, outcome.last_modified) = (None, None);
                }
                if let Some((target, _)) = &target {
                    (outcome.verdict, outcome.redirect) = (Verdict::Redirect, Some(target.as_str().to_owned()));
                }
                // A page that leads on at once is told to the index as one that moved for good.
                let has_moved = order.known && target.is_some_and(|(_, is_instant)| is_instant);
                if is_page || has_moved {
                    let status = if has_moved { 301 } else { response.status };
                    let page = page_record(order, own, Response { status, ..response }, outcome.finished_at, blobs);
                    records.push(page.0);
                    large.extend(page.1);
                }
            }
            (verdict, FetchKind::Page) if order.known && is_gone(verdict, outcome.status) => {
                let page = page_record(order, own, response, outcome.finished_at, blobs);
                records.push(page.0);
                large.extend(page.1);
            }
            _ => {}
        }
        Self {
            reported,
            links_cut,
            nofollow,
            no_listing,
            ..Self::of(&key_of(order, own), outcome, records, large, share)
        }
    }

    /// An answer that stands in the way: no document, and no reason to lose an older one.
    fn walled(order: &FetchOrder, own: &CanonicalUrl, outcome: FetchOutcome, found: &WallFinding) -> Self {
        let reason = RejectCause::Wall.with(&found.reason);
        let note = rejected(order, own.registrable_domain(), FETCHER, reason, outcome.finished_at);
        let (verdict, error) = (verdict_of(found.wall), Some(found.reason.clone()));
        let outcome = FetchOutcome { verdict, error, etag: None, last_modified: None, ..outcome };
        Self::of(&key_of(order, own), outcome, vec![note], Vec::new(), None)
    }

    pub(crate) fn of(
        key: &str,
        outcome: FetchOutcome,
        records: Vec<ProducerRecord>,
        large: Vec<OversizedBody>,
        share: Option<Arc<BudgetShare>>,
    ) -> Self {
        Self {
            records,
            key: key.to_owned(),
            large,
            outcome,
            reported: Vec::new(),
            links_cut: false,
            nofollow: 0,
            no_listing: false,
            cpu: Duration::ZERO,
            share,
        }
    }

    /// The outcome as a record: once it is in the log, the others must be.
    pub(crate) fn outcome_record(&self) -> ProducerRecord {
        let topic = if self.outcome.kind == FetchKind::Render { topics::RENDER_OUTCOMES } else { topics::OUTCOMES };
        ProducerRecord { topic, key: self.key.clone(), payload: encode(&self.outcome) }
    }

    /// An order whose URL nobody can fetch.
    pub(crate) fn bad_url(order: &FetchOrder, error: &UrlError) -> Self {
        Self::failed(order, &order.url, now_ms(), Verdict::BadUrl, error.to_string())
    }

    /// An order that nobody answered.
    ///
    /// * `key`: registrable domain.
    pub(crate) fn failed(order: &FetchOrder, key: &str, started_at: u64, verdict: Verdict, error: String) -> Self {
        // The frontier keeps that the type is wrong, and not which one it is.
        let note = (verdict == Verdict::BadType).then(|| RejectCause::NoPage.with(&error));
        let note = note.map(|reason| rejected(order, key, FETCHER, reason, now_ms()));
        let outcome = FetchOutcome { error: Some(error), ..blank(order, started_at, verdict) };
        Self::of(key, outcome, note.into_iter().collect(), Vec::new(), None)
    }
}

/// What stands in the way of a page, where the answer itself refuses it.
fn refusal_of(order: &FetchOrder, own: &CanonicalUrl, response: &Response) -> Option<WallFinding> {
    if order.kind != FetchKind::Page {
        return None;
    }
    if let Some(provider) = response.headers.challenger {
        return Some(WallFinding { wall: Wall::Blocked, reason: format!("a challenge of {provider}") });
    }
    if response.refusal.is_empty() {
        return None;
    }
    wall_of(order, own, response, &decode_with(&response.refusal, &hints_of(own, response)))
}

/// What stands in the way of a page that was asked for, by what came instead.
fn wall_of(order: &FetchOrder, own: &CanonicalUrl, response: &Response, html: &DecodedText<'_>) -> Option<WallFinding> {
    let answer = WallInput { status: response.status, url: own.as_str(), html: &html.text };
    if order.kind == FetchKind::Page { wall(&answer) } else { None }
}

fn verdict_of(wall: Wall) -> Verdict {
    match wall {
        Wall::Blocked => Verdict::Blocked,
        Wall::SoftNotFound => Verdict::SoftNotFound,
        Wall::Login => Verdict::Login,
        Wall::Parked => Verdict::Parked,
    }
}

/// The key of an order at `own`, and so of its outcome.
fn key_of(order: &FetchOrder, own: &CanonicalUrl) -> String {
    let subject = CanonicalUrl::parse(order.subject(), None);
    subject.as_ref().unwrap_or(own).registrable_domain().to_owned()
}

/// Whether a page that was there is no longer, so that the index must lose it. What is refused, fails or stands elsewhere for now
/// may come back.
fn is_gone(verdict: Verdict, status: u16) -> bool {
    matches!(verdict, Verdict::NotFound | Verdict::Gone) || verdict == Verdict::Redirect && matches!(status, 301 | 308)
}

/// What the answer says, without what its body does.
pub(crate) fn outcome_of(order: &FetchOrder, response: &Response, started_at: u64) -> FetchOutcome {
    let headers = &response.headers;
    // With a page the field says nothing (RFC 9110 §10.2.3).
    let wait = headers.retry_after.as_deref().filter(|_| response.status >= 300);
    let wait = wait.and_then(|value| retry_after(value, response.finished, MAX_RETRY_AFTER));
    let target = response.redirect_target().and_then(|target| CanonicalUrl::from_url(&target).ok());
    FetchOutcome {
        status: response.status,
        finished_at: unix_ms(response.finished),
        ip: response.ip.map(|ip| ip.to_string()),
        bytes: response.wire_bytes,
        retry_after_ms: wait.map(|wait| wait.as_millis() as u64),
        redirect: target.map(|target| target.as_str().to_owned()),
        etag: headers.etag.clone(),
        last_modified: headers.last_modified.clone(),
        ..blank(order, started_at, response.verdict())
    }
}

fn blank(order: &FetchOrder, started_at: u64, verdict: Verdict) -> FetchOutcome {
    FetchOutcome {
        order_id: order.id,
        url: order.url.clone(),
        kind: order.kind,
        verdict,
        status: 0,
        ip: None,
        retry_after_ms: None,
        redirect: None,
        etag: None,
        last_modified: None,
        content_hash: None,
        robots: None,
        started_at,
        finished_at: now_ms(),
        bytes: 0,
        links: 0,
        error: None,
        brings_nothing: None,
        canonical: None,
        words_hash: None,
    }
}

/// What the topic `rejects` is told of a page by the service `stage`.
pub(crate) fn rejected(order: &FetchOrder, key: &str, stage: &str, reason: RejectReason, at: u64) -> ProducerRecord {
    let reject = Reject { url: order.url.clone(), stage: stage.to_owned(), reason, at };
    ProducerRecord { topic: topics::REJECTS, key: key.to_owned(), payload: encode(&reject) }
}

/// Longest wait of a page that leads on by itself, in seconds, for which it is a redirect.
const MAX_REFRESH_SECONDS: u32 = 10;

/// A page that says so much, in bytes without white space, is one, although it leads on after a while, by a script, or where scripts are
/// off.
const MUCH_TEXT_BYTES: usize = 1_000;

/// What a body of an answer of success is, and where it leads.
struct Reading {
    kind: FetchKind,
    found: Vec<NewOutlink>,
    /// Whether a limit left links out.
    is_cut: bool,
    /// Links left out as `nofollow`.
    nofollow: usize,
    /// What people should know of it.
    notes: Vec<RejectReason>,
    /// Where the page leads on by itself, and whether at once.
    target: Option<(CanonicalUrl, bool)>,
    /// The page that it names as its canonical one.
    canonical: Option<CanonicalUrl>,
    /// Whether it goes to the extractor.
    is_page: bool,
    /// Whether it is a sitemap or a feed.
    is_listing: bool,
    /// What a page says.
    sketch: Option<Sketch>,
}

impl Reading {
    /// * `decoded`: the body as text.
    fn of(
        order: &FetchOrder,
        own: &CanonicalUrl,
        response: &Response,
        decoded: &DecodedText<'_>,
        config: &FetcherConfig,
    ) -> Self {
        let listing = Listing::of(&decoded.text).map(|listing| match listing {
            Listing::Sitemap => FetchKind::Sitemap,
            Listing::Feed => FetchKind::Feed,
        });
        // Nobody needs to have called it a sitemap or a feed.
        let kind = listing.filter(|_| order.kind == FetchKind::Page).unwrap_or(order.kind);
        let mut notes = Vec::new();
        if response.body.truncated {
            let n_bytes = response.body.decoded.len();
            notes.push(RejectCause::BodyCut.with(format!("{n_bytes} bytes")));
        }
        let (mut sketch, mut canonical, mut nofollow) = (None, None, 0);
        let (found, is_cut, target, is_page) = if kind == FetchKind::Page {
            let links = links_in(order, own, &response.headers, decoded, config);
            nofollow = links.nofollow;
            let is_foreign = is_foreign_xml(&decoded.text);
            notes.extend(is_foreign.then(|| RejectCause::NoPage.with("XML, but no page")));
            // Mostly a fault of the server: nothing to keep, and no reason to lose what was there.
            let is_blank = response.body.decoded.trim_ascii().is_empty();
            notes.extend(is_blank.then(|| RejectCause::NoPage.with("the answer is empty")));
            let is_page = links.target.is_none() && !is_foreign && !is_blank;
            (sketch, canonical) = if is_page { (Some(links.sketch), links.canonical) } else { (None, None) };
            (if links.target.is_some() { Vec::new() } else { links.found }, links.is_cut, links.target, is_page)
        } else {
            let most = config.max_listing_entries;
            let (found, is_full) = OutlinkCollector::new(order).listing(kind, &decoded.text, own, most);
            // Asked for as a page, so nothing else tells what it is.
            let cause = if kind == FetchKind::Sitemap { RejectCause::Sitemap } else { RejectCause::Feed };
            notes.extend((order.kind == FetchKind::Page).then(|| cause.into()));
            notes.extend(is_full.then(|| RejectCause::LinksCut.with(": `fetcher.max_listing_entries` is the limit")));
            (found, is_full || response.body.truncated, None, false)
        };
        let is_told = notes.iter().any(|note| note.cause == RejectCause::LinksCut);
        notes.extend((is_cut && !is_told).then(|| RejectCause::LinksCut.into()));
        // A list of addresses in plain text is a sitemap, too.
        let is_listing = listing.is_some() || !found.is_empty();
        if kind != FetchKind::Page && !is_listing {
            let content_type = response.headers.content_type.as_deref().unwrap_or_default();
            let what = if content_type.contains("html") { "an HTML page" } else { "another text" };
            notes.push(RejectCause::NoPage.with(format!("no {}, but {what}", kind.as_str())));
        }
        Self { kind, found, is_cut, nofollow, notes, target, canonical, is_page, is_listing, sketch }
    }
}

/// The body as text, of whatever kind: the one place where the fetcher looks at charsets.
pub(crate) fn text_of<'a>(own: &CanonicalUrl, response: &'a Response) -> DecodedText<'a> {
    decode_with(&response.body.decoded, &hints_of(own, response))
}

fn hints_of<'a>(own: &'a CanonicalUrl, response: &'a Response) -> CharsetHints<'a> {
    CharsetHints { content_type: response.headers.content_type.as_deref(), url: Some(own.as_str()) }
}

/// The links of a page, and where it leads on by itself.
pub(crate) struct Outlinks {
    pub(crate) found: Vec<NewOutlink>,
    /// The target, and whether at once.
    target: Option<(CanonicalUrl, bool)>,
    /// The page that it names as its canonical one.
    canonical: Option<CanonicalUrl>,
    /// Whether a limit left some out.
    is_cut: bool,
    /// How many were left out as `nofollow`.
    nofollow: usize,
    sketch: Sketch,
}

/// The links of a page whose text is `html`.
pub(crate) fn links_in(
    order: &FetchOrder,
    own: &CanonicalUrl,
    headers: &Headers,
    html: &DecodedText<'_>,
    config: &FetcherConfig,
) -> Outlinks {
    let limits = ScanLimits { agent: config.agent.to_string(), ..ScanLimits::default() };
    let hints = CharsetHints { content_type: headers.content_type.as_deref(), url: Some(own.as_str()) };
    let from_markdown = is_markdown(&html.text, &hints).then(|| markdown_to_html(&html.text));
    let mut links = scan_with(from_markdown.as_deref().unwrap_or(&html.text), own.as_str(), &limits);
    let tags = headers.x_robots_tag.iter().map(|value| Directives::from_header(value, config.agent.as_str()));
    links.nofollow |= tags.fold(Directives::default(), Directives::union).nofollow;
    links.canonicals.extend(headers.canonicals.iter().cloned());
    links.related.extend(headers.related.iter().cloned());
    links.feeds.extend(headers.feeds.iter().map(|href| FeedLink { href: href.clone(), title: String::new() }));
    if let Some(refresh) = headers.refresh.as_deref().and_then(Refresh::parse) {
        links.refresh = Some(refresh);
    }
    let target = leads_on(&links).filter(|(target, _)| target != own);
    let canonical = canonical_of(&links);
    let nofollow = if config.follow_nofollow { 0 } else { OutlinkCollector::n_nofollow(&links) };
    let found = OutlinkCollector::new(order).in_charset(html.charset).page(&links, own, config.follow_nofollow);
    Outlinks { found, target, canonical, is_cut: links.truncated, nofollow, sketch: links.sketch }
}

/// The page that a page names as its canonical one. One that names two has made a mistake with one of them, and names none.
fn canonical_of(links: &PageLinks) -> Option<CanonicalUrl> {
    let targets = links.canonicals.iter().filter_map(|href| links.resolve(href));
    let mut named = targets.filter_map(|target| CanonicalUrl::from_url(&target).ok());
    let first = named.next()?;
    named.all(|other| other == first).then_some(first)
}

/// Where a page sends its visitors before they can have read it, and whether at once.
fn leads_on(links: &PageLinks) -> Option<(CanonicalUrl, bool)> {
    let refresh = links.refresh.as_ref().filter(|refresh| refresh.seconds <= MAX_REFRESH_SECONDS)?;
    let is_instant = refresh.seconds == 0 && !refresh.without_scripts;
    if (!is_instant || refresh.by_script) && links.n_text_bytes >= MUCH_TEXT_BYTES {
        return None;
    }
    let target = links.resolve(&refresh.target)?;
    Some((CanonicalUrl::from_url(&target).ok()?, is_instant))
}

/// The header's reservation and policy, or those of the site's file where the header has no valid one (TDM Reservation Protocol,
/// "Processing priority").
fn reservation(order: &FetchOrder, value: Option<String>, policy: Option<String>) -> (Option<String>, Option<String>) {
    match (value.as_deref().map(str::trim), order.tdm_reserved) {
        (Some("0" | "1"), _) | (_, None) => (value, policy),
        (_, Some(reserved)) => (Some(u8::from(reserved).to_string()), order.tdm_policy.clone()),
    }
}

/// The page as a record, and its body if that goes to the blob store.
fn page_record(
    order: &FetchOrder,
    own: &CanonicalUrl,
    response: Response,
    fetched_at: u64,
    blobs: &Blobs,
) -> (ProducerRecord, Option<OversizedBody>) {
    let (page, large) = page_of(order, own, response, fetched_at, blobs);
    (record_of(own, &page), large)
}

pub(crate) fn record_of(own: &CanonicalUrl, page: &FetchedPage) -> ProducerRecord {
    ProducerRecord { topic: topics::PAGES, key: own.registrable_domain().to_owned(), payload: encode(page) }
}

/// The page as a message, and its body if that goes to the blob store.
pub(crate) fn page_of(
    order: &FetchOrder,
    own: &CanonicalUrl,
    response: Response,
    fetched_at: u64,
    blobs: &Blobs,
) -> (FetchedPage, Option<OversizedBody>) {
    let unpacked = Some(response.body.decoded.len() as u64);
    let (encoding, body) = carried(response.body);
    let name = format!("{}-{}", own.key(), order.id);
    let owner = BodyKey { folder: BODIES, name: &name, at: fetched_at };
    let (body, large) = owner.place(body.into(), 0, blobs);
    let (tdm_reservation, tdm_policy) =
        reservation(order, response.headers.tdm_reservation, response.headers.tdm_policy);
    let page = FetchedPage {
        order_id: order.id,
        url: order.url.clone(),
        status: response.status,
        content_type: response.headers.content_type,
        robots_tags: response.headers.x_robots_tag.into_iter().chain(order.usage.clone()).collect(),
        tdm_reservation,
        tdm_policy,
        anchor_title: order.anchor_title.clone(),
        fetched_at,
        encoding,
        unpacked,
        body,
        rendered: None,
    };
    (page, large)
}

/// The body as it travels on: as the server packed it, or packed by us.
fn carried(body: ResponseBody) -> (WireEncoding, Vec<u8>) {
    let encoding = match body.encoding {
        ContentEncoding::Identity => WireEncoding::Identity,
        ContentEncoding::Gzip => WireEncoding::Gzip,
        ContentEncoding::Deflate => WireEncoding::Deflate,
        ContentEncoding::Brotli => WireEncoding::Brotli,
        ContentEncoding::Zstd => WireEncoding::Zstd,
    };
    match encoding {
        WireEncoding::Identity => pack(&body.wire),
        _ => (encoding, body.wire.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use gristmill_fetch::FetchConfig;
    use gristmill_proto::{OutlinkBatch, decode};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// What a server that answers with `body` of this media type gives for `kind`: anchors or titles of the links.
    async fn titles(kind: FetchKind, media: impl Into<String>, body: Vec<u8>) -> Vec<Option<String>> {
        let report = answered(kind, &format!("Content-Type: {}\r\n", media.into()), body).await;
        links_of(&report).into_iter().map(|link| link.anchor).collect()
    }

    fn links_of(report: &FetchReport) -> Vec<gristmill_proto::Outlink> {
        let links = report.records.iter().filter(|record| record.topic == topics::LINKS);
        links.flat_map(|record| decode::<OutlinkBatch>(&record.payload).unwrap().links).collect()
    }

    /// The report on a server that answers with these fields and `body`.
    async fn answered(kind: FetchKind, fields: &str, body: Vec<u8>) -> FetchReport {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/x", listener.local_addr().unwrap());
        let head = format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n", body.len());
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            stream.write_all(&[head.into_bytes(), body].concat()).await.unwrap();
        });
        let client = Client::new(&FetchConfig { allow_private: true, ..FetchConfig::default() }).unwrap();
        let (dir, log) = (std::path::Path::new("."), gristmill_log::LogConfig::default());
        let blobs = Blobs::open(dir, &gristmill_runtime::blobs::BlobsConfig::default(), &log).unwrap();
        let order = FetchOrder { kind, ..crate::links::tests::order(&url) };
        let memory = Arc::new(Memory::new(100));
        let own = CanonicalUrl::parse(&order.url, None).unwrap();
        let report = fetch(&client, order, own, &FetcherConfig::default(), &blobs, &memory, &Semaphore::new(1)).await;
        assert_eq!(report.outcome.error, None);
        report
    }

    #[tokio::test]
    async fn a_page_that_leads_on_before_it_can_be_read_is_a_redirect_and_another_is_a_page() {
        const HTML: &str = "Content-Type: text/html\r\n";
        let much = "<p>The mill stands beside the river and grinds wheat for the bakers of the village. ".repeat(20);
        let page = |head: &str, text: &str| format!("<!doctype html><head>{head}</head><body><p>Please wait. {text}");
        let meta = |content: &str| format!("<meta http-equiv=refresh content='{content}'>");
        for (fields, head, text, target) in [
            ("", meta("0; url=/t"), "", Some("/t")),
            ("", meta("0;URL=\"/t\""), &*much, Some("/t")),
            ("", meta("0, url=/t"), "", Some("/t")),
            ("", meta("0.5;/t"), "", Some("/t")),
            ("", meta("5; url=/t"), "", Some("/t")),
            ("", meta("5; url=/t"), &much, None),
            ("", meta("300; url=/t"), "", None),
            ("", meta("0"), "", None),
            ("", meta("0; url=/x"), "", None),
            ("", meta("0; url=#top"), "", None),
            ("", meta("0; url=javascript:go()"), "", None),
            ("", format!("<base href=/b/>{}", meta("0; url=t")), "", Some("/b/t")),
            ("", format!("<noscript>{}</noscript>", meta("0; url=/t")), "", Some("/t")),
            ("", format!("<noscript>{}</noscript>", meta("0; url=/t")), &much, None),
            ("", "<script>window.location.href = '/t';</script>".to_owned(), "", Some("/t")),
            ("", "<script>window.location.href = '/t';</script>".to_owned(), &much, None),
            ("", "<script>if (isPhone) location = '/t'</script>".to_owned(), "", None),
            ("Refresh: 0; url=/t\r\n", String::new(), &much, Some("/t")),
            ("Refresh: 60; url=/t\r\n", String::new(), "", None),
        ] {
            let body = page(&head, text);
            let report = answered(FetchKind::Page, &format!("{HTML}{fields}"), body.clone().into_bytes()).await;
            let origin = report.outcome.url.trim_end_matches("/x").to_owned();
            let expected = target.map(|path| format!("{origin}{path}"));
            assert_eq!(report.outcome.redirect, expected, "{fields}{head}");
            let verdict = if target.is_some() { Verdict::Redirect } else { Verdict::Ok };
            assert_eq!(report.outcome.verdict, verdict, "{fields}{head}");
            let is_page = report.records.iter().any(|record| record.topic == topics::PAGES);
            assert_eq!(is_page, target.is_none(), "{fields}{head}");
        }
    }

    #[tokio::test]
    async fn a_site_that_gives_its_page_is_not_to_be_waited_for() {
        let fields = "Content-Type: text/html\r\nRetry-After: 120\r\n";
        let report = answered(FetchKind::Page, fields, b"<p>A mill".to_vec()).await;
        assert_eq!(report.outcome.retry_after_ms, None);
    }

    #[tokio::test]
    async fn a_listing_is_read_as_one_wherever_it_is_met_and_no_xml_is_a_page() {
        for (body, n_links, is_page) in [
            ("<?xml version='1.0'?><urlset><url><loc>/a</loc></url><url><loc>/b.xml</loc></url></urlset>", 2, false),
            ("<?xml version='1.0'?><rss><channel><item><link>/a</link></item></channel></rss>", 1, false),
            ("<?xml version='1.0'?><opml><body><outline/></body></opml>", 0, false),
            ("<?xml version='1.0'?><html xmlns='x'><body><a href='/a'>a</a></body></html>", 1, true),
            ("", 0, false),
            (" \n\n", 0, false),
        ] {
            let report = answered(FetchKind::Page, "Content-Type: application/xml\r\n", body.into()).await;
            let found = report.records.iter().any(|record| record.topic == topics::PAGES);
            assert_eq!((links_of(&report).len(), found), (n_links, is_page), "{body}");
        }
    }

    #[tokio::test]
    async fn a_body_that_ended_early_is_noted_and_asked_for_whole_the_next_time() {
        let packed = {
            use std::io::Write;
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
            writer.write_all("<p>The mill stands beside the river. ".repeat(50).as_bytes()).unwrap();
            writer.finish().unwrap()
        };
        let fields = "Content-Type: text/html\r\nContent-Encoding: gzip\r\nETag: \"1\"\r\n";
        for (body, is_whole) in [(&packed[..], true), (&packed[..packed.len() - 9], false)] {
            let report = answered(FetchKind::Page, fields, body.to_vec()).await;
            let notes = report.records.iter().filter(|record| record.topic == topics::REJECTS);
            let notes: Vec<_> =
                notes.map(|record| decode::<Reject>(&record.payload).unwrap().reason.to_string()).collect();
            assert_eq!((report.outcome.etag.is_some(), notes.is_empty()), (is_whole, is_whole), "{notes:?}");
            assert!(report.records.iter().any(|record| record.topic == topics::PAGES));
        }
    }

    fn encoded(text: &str, charset: &str) -> Vec<u8> {
        match charset {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => {
                let (bytes, _, lost) = encoding_rs::Encoding::for_label(charset.as_bytes()).unwrap().encode(text);
                assert!(!lost, "{charset}");
                bytes.into_owned()
            }
        }
    }

    #[tokio::test]
    async fn titles_of_feeds_and_sitemaps_are_read_in_the_charset_that_header_or_declaration_names() {
        let samples = [
            ("big5 shift_jis euc-jp euc-kr gb2312 gb18030 iso-2022-jp utf-8 utf-16le utf-16be", "中日文字"),
            ("windows-1251 koi8-r koi8-u iso-8859-5 ibm866 x-mac-cyrillic", "Русские новости"),
            ("windows-1250 iso-8859-2 iso-8859-16", "Książka ősz"),
            ("windows-1252 iso-8859-1 iso-8859-15 macintosh windows-1254", "Été à Zürich"),
            ("windows-1253 iso-8859-7", "Ελληνικά νέα"),
            ("windows-1255 iso-8859-8", "חדשות"),
            ("windows-1256 iso-8859-6", "أخبار"),
            ("windows-1257 iso-8859-13 iso-8859-4", "Žinios"),
            ("windows-874", "ข่าววันนี้"),
            ("windows-1258", "Tiêu"),
        ];
        for (charsets, title) in samples {
            for charset in charsets.split(' ') {
                let feed = |declared: &str| {
                    format!(
                        "{declared}<rss><channel><item><title>{title}</title><link>http://a.test/1</link></item></channel></rss>"
                    )
                };
                let sitemap = format!(
                    "<?xml version=\"1.0\" encoding='{charset}'?><urlset xmlns:n=\"n\"><url><loc>http://a.test/1</loc>\
                     <n:news><n:title>{title}</n:title></n:news></url></urlset>"
                );
                let declared = format!("<?xml version='1.0' encoding=\"{charset}\"?>");
                let expected = vec![Some(title.to_owned())];
                let feed_of =
                    |text: &str, media: &str| titles(FetchKind::Feed, media.to_owned(), encoded(text, charset));
                assert_eq!(feed_of(&feed(&declared), "application/xml").await, expected, "{charset} by declaration");
                let media = format!("text/xml; charset={charset}");
                assert_eq!(feed_of(&feed(""), &media).await, expected, "{charset} by header");
                let read = titles(FetchKind::Sitemap, "application/xml", encoded(&sitemap, charset)).await;
                assert_eq!(read, expected, "{charset} in a sitemap");
            }
        }
        let marked =
            encoded("\u{feff}<rss><item><title>新闻</title><link>http://a.test/1</link></item></rss>", "utf-16be");
        let read = titles(FetchKind::Feed, "text/xml; charset=iso-8859-1", marked).await;
        assert_eq!(read, [Some("新闻".to_owned())], "a byte order mark is above all");
    }
}
