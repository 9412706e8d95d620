//! `POST /v2/map`: the addresses of a site, by its sitemaps and the links of one page.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use gristmill_fetch::{Client, FetchKind, Request, scan};
use gristmill_robots::{ListingLimits, parse_sitemap};
use gristmill_urls::CanonicalUrl;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::body::{JsonBody, address, fields, no_others, pass_over, take};
use super::error::DoorError;
use super::state::FirecrawlState;

/// Addresses unless another number is asked for, and most of them.
const LIMIT: usize = 5_000;
const MAX_LIMIT: usize = 100_000;
/// Most files of sitemaps, and redirects of one.
const MAX_SITEMAPS: usize = 20;
const MAX_REDIRECTS: usize = 5;
/// Longest time; what was found by then is the answer.
const TIME: Duration = Duration::from_secs(20);

/// What is asked.
struct MapRequest {
    url: Url,
    search: Option<String>,
    /// `include`, `skip` or `only`.
    sitemap: String,
    subdomains: bool,
    ignore_query: bool,
    limit: usize,
    time: Duration,
}

/// What is known of an address.
#[derive(Default)]
struct FoundLink {
    title: Option<String>,
}

pub(super) async fn map(State(door): State<FirecrawlState>, body: JsonBody) -> Result<Json<Value>, DoorError> {
    let asked = MapRequest::new(body)?;
    let client = door.service.pages().fetcher().ok_or_else(|| DoorError::failed("pages are not fetched here"))?;
    let mut map = SiteMap { asked: &asked, links: BTreeMap::new(), order: Vec::new() };
    let ends = Instant::now() + asked.time.min(TIME);
    let mut refused = None;
    if asked.sitemap != "only" {
        // A site whose page cannot be had may have a sitemap all the same.
        match timeout_at(ends, client.visit_politely(asked.url.clone())).await {
            Ok(Ok(page)) => map.add_page(
                &gristmill_html::decode(&page.body.decoded, page.headers.content_type.as_deref()).text,
                &page.url,
            ),
            Ok(Err(error)) => refused = Some(error.into()),
            Err(_) => {}
        }
    }
    if asked.sitemap != "skip"
        && !matches!(&refused, Some(gristmill_searcher::ApiError { code: "refused_address" | "disallowed", .. }))
    {
        let _ = timeout_at(ends, map.add_sitemaps(client)).await;
    }
    match (map.links.is_empty(), refused) {
        (true, Some(error)) => Err(error.into()),
        _ => Ok(Json(json!({ "success": true, "links": map.chosen() }))),
    }
}

impl MapRequest {
    fn new(body: JsonBody) -> Result<Self, DoorError> {
        let mut fields = fields(body)?;
        let fields = &mut fields;
        let url: String = take(fields, "url")?.ok_or_else(|| DoorError::bad("`url` is missing"))?;
        let asked = Self {
            url: address(&url)?,
            search: take(fields, "search")?,
            sitemap: take(fields, "sitemap")?.unwrap_or_else(|| "include".to_owned()),
            subdomains: take(fields, "includeSubdomains")?.unwrap_or(true),
            ignore_query: take(fields, "ignoreQueryParameters")?.unwrap_or(true),
            limit: take::<usize>(fields, "limit")?.unwrap_or(LIMIT),
            time: take::<u64>(fields, "timeout")?.map_or(TIME, Duration::from_millis),
        };
        pass_over(
            fields,
            &[
                "integration",
                "origin",
                "location",
                "useMock",
                "ignoreCache",
                "useIndex",
                "auditMetadata",
                "threatProtection",
            ],
        );
        no_others(fields, &[])?;
        if !(1..=MAX_LIMIT).contains(&asked.limit) {
            return Err(DoorError::bad(format!("`limit` must be a whole number from 1 to {MAX_LIMIT}")));
        }
        match asked.sitemap.as_str() {
            "include" | "skip" | "only" => Ok(asked),
            _ => Err(DoorError::bad("`sitemap` is one of `include`, `skip` and `only`")),
        }
    }

    /// An address as it is listed, if it belongs to the site.
    fn listed(&self, url: Url) -> Option<String> {
        let (own, other) = (self.url.host_str()?, url.host_str()?);
        let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
        let (own, other) = (bare(own), bare(other));
        let is_below = || {
            let domain = CanonicalUrl::parse(self.url.as_str(), None).ok();
            let domain = domain.map_or(own.clone(), |url| url.registrable_domain().to_owned());
            other == domain || other.ends_with(&format!(".{domain}"))
        };
        let belongs = url.port_or_known_default() == self.url.port_or_known_default() || url.port().is_none();
        if !belongs || !matches!(url.scheme(), "http" | "https") || !(own == other || self.subdomains && is_below()) {
            return None;
        }
        let mut url = url;
        url.set_fragment(None);
        if self.ignore_query {
            url.set_query(None);
        }
        Some(url.into())
    }
}

/// The addresses that were found, in the order in which they were.
struct SiteMap<'a> {
    asked: &'a MapRequest,
    links: BTreeMap<String, FoundLink>,
    order: Vec<String>,
}

impl SiteMap<'_> {
    fn add(&mut self, url: Url, title: Option<String>) {
        if self.links.len() >= MAX_LIMIT {
            return;
        }
        let Some(url) = self.asked.listed(url) else { return };
        let title = title.filter(|title| !title.trim().is_empty());
        match self.links.get_mut(&url) {
            Some(known) => known.title = known.title.take().or(title),
            None => {
                self.order.push(url.clone());
                self.links.insert(url, FoundLink { title });
            }
        }
    }

    fn add_page(&mut self, html: &str, url: &Url) {
        self.add(url.clone(), None);
        let found = scan(html, url.as_str());
        let base = found.base.unwrap_or_else(|| url.clone());
        for anchor in found.anchors {
            if let Ok(target) = base.join(&anchor.href) {
                self.add(target, Some(anchor.text));
            }
        }
    }

    /// Follows the sitemaps that robots.txt names, or the one that has the usual name.
    async fn add_sitemaps(&mut self, client: &Client) {
        let robots = client.robots_of(&self.asked.url).await;
        let named: Vec<String> = robots.map(|robots| robots.sitemaps().to_vec()).unwrap_or_default();
        let mut open: Vec<Url> = named.iter().filter_map(|name| self.asked.url.join(name).ok()).collect();
        if open.is_empty() {
            open.extend(self.asked.url.join("/sitemap.xml").ok());
        }
        open.reverse();
        let mut left = MAX_SITEMAPS;
        while let Some(url) = open.pop().filter(|_| left > 0) {
            left -= 1;
            let Some((url, text)) = sitemap(client, url).await else { continue };
            let mut further = Vec::new();
            for entry in parse_sitemap(&text, &ListingLimits::default()).entries {
                match url.join(&entry.loc) {
                    Ok(target) if entry.is_sitemap => further.push(target),
                    Ok(target) => self.add(target, entry.title),
                    Err(_) => {}
                }
            }
            further.truncate(MAX_SITEMAPS);
            open.extend(further.into_iter().rev());
        }
    }

    /// The addresses that are asked for, those first that hold all words of the search.
    fn chosen(&self) -> Vec<Value> {
        let words: Vec<String> =
            self.asked.search.iter().flat_map(|text| text.split_whitespace()).map(str::to_lowercase).collect();
        let score = |url: &String| {
            let title = self.links[url].title.as_deref().unwrap_or_default();
            let place = format!("{url} {title}").to_lowercase();
            words.iter().filter(|word| place.contains(word.as_str())).count()
        };
        let mut found: Vec<(usize, &String)> = self.order.iter().map(|url| (score(url), url)).collect();
        found.retain(|(score, _)| words.is_empty() || *score > 0);
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let link = |(_, url): &(usize, &String)| match &self.links[*url].title {
            Some(title) => json!({ "url": url, "title": title }),
            None => json!({ "url": url }),
        };
        found.iter().take(self.asked.limit).map(link).collect()
    }
}

/// The text of a sitemap and where it was in the end.
async fn sitemap(client: &Client, mut url: Url) -> Option<(Url, String)> {
    for _ in 0..=MAX_REDIRECTS {
        let answer = client.fetch(&Request::of_kind(url, FetchKind::Sitemap)).await.ok()?;
        match answer.redirect_target() {
            Some(target) => url = target,
            None if answer.status == 200 => {
                let text = gristmill_html::decode(&answer.body.decoded, answer.headers.content_type.as_deref()).text;
                return Some((answer.url, text.into_owned()));
            }
            None => return None,
        }
    }
    None
}
