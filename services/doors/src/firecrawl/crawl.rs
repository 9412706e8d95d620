//! `POST /v2/crawl` and `POST /v2/batch/scrape`: orders for crawls.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use gristmill_searcher::request_origin;
use regex::Regex;
use serde_json::{Map, Value, json};
use url::Url;

use super::body::{JsonBody, address, fields, no_others, pass_over, refuse, take};
use super::error::DoorError;
use super::job_store::{JobKind, JobOrder};
use super::options::ScrapeOptions;
use super::state::FirecrawlState;
use crate::backend::{CrawlOrder, CrawlReach};

/// Pages unless another number is asked for.
const LIMIT: u64 = 10_000;
/// Most patterns, and longest of them, in bytes.
const MAX_PATTERNS: usize = 100;
const MAX_PATTERN: usize = 1_000;

pub(super) async fn start(
    State(door): State<FirecrawlState>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Json<Value>, DoorError> {
    let mut fields = fields(body)?;
    let (order, options) = crawl_order(&mut fields)?;
    let limited = limit_warning(&door, order.max_pages);
    let job = JobOrder {
        kind: JobKind::Crawl,
        warnings: limited.into_iter().chain(options.warnings.clone()).collect(),
        options,
    };
    let id = door.jobs.begin(&door.service, order, job)?;
    Ok(Json(json!({ "success": true, "id": id, "url": format!("{}/v2/crawl/{id}", request_origin(&headers)) })))
}

pub(super) async fn start_batch(
    State(door): State<FirecrawlState>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Json<Value>, DoorError> {
    let mut fields = fields(body)?;
    let urls: Vec<String> = take(&mut fields, "urls")?.ok_or_else(|| DoorError::bad("`urls` is missing"))?;
    let ignore: bool = take(&mut fields, "ignoreInvalidURLs")?.unwrap_or(true);
    refuse(&mut fields, &["webhook", "appendToId"])?;
    pass_over(&mut fields, &["maxConcurrency"]);
    let options = ScrapeOptions::take_from(&mut fields)?.for_crawls()?;
    no_others(&fields, &[])?;
    let (mut seeds, mut invalid) = (Vec::new(), Vec::new());
    for text in urls {
        match address(&text) {
            Ok(url) => seeds.push(format!("page:{url}")),
            Err(_) if ignore => invalid.push(text),
            Err(error) => return Err(error),
        }
    }
    let most = door.service.desk().pages(u64::MAX);
    if seeds.is_empty() || seeds.len() as u64 > most {
        return Err(DoorError::bad(format!("`urls` must hold from 1 to {most} addresses (`doors.max_pages`)")));
    }
    let max_pages = seeds.len() as u64;
    let order = CrawlOrder { seeds, reach: CrawlReach::Listed, max_pages, ..CrawlOrder::default() };
    let order = with_headers(order, &options);
    let job = JobOrder { kind: JobKind::Batch, warnings: options.warnings.clone(), options };
    let id = door.jobs.begin(&door.service, order, job)?;
    let url = format!("{}/v2/batch/scrape/{id}", request_origin(&headers));
    let mut answer = json!({ "success": true, "id": id, "url": url });
    if ignore {
        answer["invalidURLs"] = invalid.into();
    }
    Ok(Json(answer))
}

fn crawl_order(fields: &mut Map<String, Value>) -> Result<(CrawlOrder, ScrapeOptions), DoorError> {
    let url: String = take(fields, "url")?.ok_or_else(|| DoorError::bad("`url` is missing"))?;
    let url = address(&url)?;
    let mut scraping: Map<String, Value> = take(fields, "scrapeOptions")?.unwrap_or_default();
    let options = ScrapeOptions::take_from(&mut scraping)?.for_crawls()?;
    no_others(&scraping, &["scrapeOptions"])?;
    refuse(fields, &["webhook", "prompt", "ignoreRobotsTxt", "robotsUserAgent", "threatProtection"])?;
    let whole: bool = take(fields, "regexOnFullURL")?.unwrap_or(false);
    let (include, exclude) = (patterns(fields, "includePaths", whole)?, patterns(fields, "excludePaths", whole)?);
    let sitemap: String = take(fields, "sitemap")?.unwrap_or_else(|| "include".to_owned());
    let (seeds, listed) = match sitemap.as_str() {
        "include" => (vec![url.to_string(), sitemap_of(&url)], false),
        "skip" => (vec![url.to_string()], false),
        "only" => (vec![sitemap_of(&url)], true),
        _ => return Err(DoorError::bad("`sitemap` is one of `include`, `skip` and `only`")),
    };
    let mut flag = |name: &str| take::<bool>(fields, name).map(|value| value.unwrap_or(false));
    let (whole_domain, external, subdomains) =
        (flag("crawlEntireDomain")?, flag("allowExternalLinks")?, flag("allowSubdomains")?);
    let reach = match () {
        () if listed => CrawlReach::Listed,
        () if external => CrawlReach::Any,
        () if subdomains => CrawlReach::Domain,
        () if whole_domain || url.path() == "/" => CrawlReach::Host,
        () => CrawlReach::Prefix,
    };
    let limit = take::<u64>(fields, "limit")?.unwrap_or(LIMIT);
    if limit == 0 {
        return Err(DoorError::bad("`limit` must be more than 0"));
    }
    let order = CrawlOrder {
        seeds,
        reach,
        max_pages: limit,
        max_depth: take(fields, "maxDiscoveryDepth")?,
        include,
        exclude,
        without_sitemaps: sitemap == "skip",
        delay: delay(fields)?,
        ..CrawlOrder::default()
    };
    pass_over(
        fields,
        &[
            "ignoreQueryParameters",
            "deduplicateSimilarURLs",
            "maxConcurrency",
            "integration",
            "origin",
            "zeroDataRetention",
            "auditMetadata",
            "ignoreSitemap",
        ],
    );
    no_others(fields, &[])?;
    Ok((with_headers(order, &options), options))
}

fn sitemap_of(url: &Url) -> String {
    url.join("/sitemap.xml").map_or_else(|_| url.to_string(), |sitemap| format!("sitemap:{sitemap}"))
}

/// Patterns over paths, as patterns over whole addresses.
fn patterns(fields: &mut Map<String, Value>, name: &str, whole: bool) -> Result<Vec<String>, DoorError> {
    let list: Vec<String> = take(fields, name)?.unwrap_or_default();
    if list.len() > MAX_PATTERNS || list.iter().any(|pattern| pattern.len() > MAX_PATTERN) {
        return Err(DoorError::bad(format!(
            "`{name}`: at most {MAX_PATTERNS} patterns of at most {MAX_PATTERN} bytes"
        )));
    }
    let over_url = |pattern: String| -> Result<String, DoorError> {
        Regex::new(&pattern).map_err(|error| DoorError::bad(format!("`{name}`: {error}")))?;
        if whole {
            return Ok(pattern);
        }
        // A path begins behind the host, and a pattern may stand anywhere in it unless it says otherwise.
        let (anchor, rest) = pattern.strip_prefix('^').map_or((".*", &pattern[..]), |rest| ("", rest));
        Ok(format!("^https?://[^/?#]+{anchor}(?:{rest})"))
    };
    list.into_iter().map(over_url).collect()
}

fn delay(fields: &mut Map<String, Value>) -> Result<Option<Duration>, DoorError> {
    let seconds: Option<f64> = take(fields, "delay")?;
    let read = seconds.map(Duration::try_from_secs_f64).transpose();
    read.ok()
        .filter(|delay| delay.is_none_or(|delay| delay <= Duration::from_secs(600)))
        .ok_or_else(|| DoorError::bad("`delay` must be a number of seconds from 0 to 600"))
}

fn with_headers(order: CrawlOrder, options: &ScrapeOptions) -> CrawlOrder {
    let headers = options.headers.iter().map(|(name, value)| (name.clone(), value.reveal().to_owned())).collect();
    CrawlOrder { headers, ..order }
}

fn limit_warning(door: &FirecrawlState, wanted: u64) -> Option<String> {
    let most = door.service.desk().pages(wanted);
    (most < wanted).then(|| format!("at most {most} pages are crawled (`doors.max_pages`)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(body: Value) -> Result<CrawlOrder, DoorError> {
        let Value::Object(mut fields) = body else { unreachable!("an object") };
        crawl_order(&mut fields).map(|(order, _)| order)
    }

    #[test]
    fn a_crawl_stays_below_its_start_unless_more_is_asked_for() {
        let site = "https://mill.example/";
        let below = "https://mill.example/docs/";
        for (body, reach) in [
            (json!({"url": site}), CrawlReach::Host),
            (json!({"url": below}), CrawlReach::Prefix),
            (json!({"url": below, "crawlEntireDomain": true}), CrawlReach::Host),
            (json!({"url": below, "allowSubdomains": true}), CrawlReach::Domain),
            (json!({"url": below, "allowExternalLinks": true}), CrawlReach::Any),
            (json!({"url": below, "sitemap": "only"}), CrawlReach::Listed),
        ] {
            assert_eq!(order(body.clone()).unwrap().reach, reach, "{body}");
        }
        assert_eq!(order(json!({"url": "mill.example"})).unwrap().seeds[0], "http://mill.example/");
        let skipped = order(json!({"url": site, "sitemap": "skip"})).unwrap();
        assert_eq!((skipped.seeds, skipped.without_sitemaps), (vec![site.to_owned()], true));
    }

    #[test]
    fn patterns_are_about_paths_unless_they_are_about_whole_addresses() {
        let include = |body: Value| Regex::new(&order(body).unwrap().include[0]).unwrap();
        let url = "https://mill.example/";
        let paths = include(json!({"url": url, "includePaths": ["^/docs/.*"]}));
        assert!(paths.is_match("https://mill.example/docs/a") && !paths.is_match("https://mill.example/x/docs/a"));
        let anywhere = include(json!({"url": url, "includePaths": ["docs|mill"]}));
        assert!(anywhere.is_match("https://mill.example/x/docs") && !anywhere.is_match("https://mill.example/x"));
        let whole = include(json!({"url": url, "includePaths": ["^https://mill"], "regexOnFullURL": true}));
        assert!(whole.is_match("https://mill.example/x"));
    }

    #[test]
    fn orders_that_make_no_sense_are_refused() {
        let url = "https://mill.example/";
        for body in [
            json!({}),
            json!({"url": "ftp://mill.example/"}),
            json!({"url": url, "limit": 0}),
            json!({"url": url, "includePaths": ["("]}),
            json!({"url": url, "includePaths": vec!["a"; 101]}),
            json!({"url": url, "excludePaths": ["a".repeat(1001)]}),
            json!({"url": url, "delay": -1}),
            json!({"url": url, "delay": 1e9}),
            json!({"url": url, "sitemap": "maybe"}),
            json!({"url": url, "webhook": "https://mill.example/hook"}),
            json!({"url": url, "ignoreRobotsTxt": true}),
            json!({"url": url, "prompt": "all of it"}),
            json!({"url": url, "unknown": 1}),
            json!({"url": url, "scrapeOptions": {"unknown": 1}}),
        ] {
            assert!(order(body.clone()).is_err(), "{body}");
        }
    }
}
