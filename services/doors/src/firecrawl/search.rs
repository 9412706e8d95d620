//! `POST /v2/search`: hits of the corpus.

use axum::Json;
use axum::extract::State;
use gristmill_index::{Hit, IndexDocument, format_time};
use gristmill_searcher::search_query;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use super::body::{JsonBody, fields, no_others, pass_over, take};
use super::error::DoorError;
use super::options::ScrapeOptions;
use super::state::FirecrawlState;

/// Hits unless another number is asked for, and most of them.
const LIMIT: usize = 5;
const MAX_LIMIT: usize = 100;
/// Most domains to ask for or to leave out.
const MAX_DOMAINS: usize = 20;

#[derive(Deserialize)]
#[serde(untagged)]
enum SearchSource {
    Name(String),
    Object {
        #[serde(rename = "type")]
        name: String,
    },
}

pub(super) async fn search(State(door): State<FirecrawlState>, body: JsonBody) -> Result<Json<Value>, DoorError> {
    let mut fields = fields(body)?;
    let fields = &mut fields;
    let query: String = take(fields, "query")?.ok_or_else(|| DoorError::bad("`query` is missing"))?;
    let limit = take::<usize>(fields, "limit")?.unwrap_or(LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(DoorError::bad(format!("`limit` must be a whole number from 1 to {MAX_LIMIT}")));
    }
    let sources: Vec<SearchSource> =
        take(fields, "sources")?.unwrap_or_else(|| vec![SearchSource::Name("web".to_owned())]);
    let (only, without) = (domains(fields, "includeDomains")?, domains(fields, "excludeDomains")?);
    let since = take::<String>(fields, "tbs")?.map(|tbs| since(&tbs)).transpose()?;
    let mut scraping: Map<String, Value> = take(fields, "scrapeOptions")?.unwrap_or_default();
    let options = if scraping.is_empty() { None } else { Some(ScrapeOptions::take_from(&mut scraping)?) };
    no_others(&scraping, &["scrapeOptions"])?;
    pass_over(fields, &OTHERS);
    no_others(fields, &[])?;
    let text = with_domains(query, &only, &without);
    let mut data = Map::new();
    for source in &sources {
        let (SearchSource::Name(name) | SearchSource::Object { name }) = source;
        let kind = match name.as_str() {
            "web" => "",
            "news" => "article",
            // The corpus is one of texts.
            "images" => {
                data.insert("images".to_owned(), json!([]));
                continue;
            }
            _ => return Err(DoorError::bad("`sources` are `web`, `news` and `images`")),
        };
        let hits = hits(&door, &text, kind, limit, since.as_deref()).await?;
        data.insert(name.clone(), results(&door, hits, name == "news", options.as_ref()).await?.into());
    }
    Ok(Json(json!({ "success": true, "data": data })))
}

/// What others need and the corpus does not.
const OTHERS: [&str; 15] = [
    "integration",
    "origin",
    "location",
    "country",
    "timeout",
    "ignoreInvalidURLs",
    "categories",
    "highlights",
    "enterprise",
    "threatProtection",
    "domainTools",
    "toolDetail",
    "asyncScraping",
    "auditMetadata",
    "lang",
];

async fn hits(
    door: &FirecrawlState,
    text: &str,
    kind: &str,
    limit: usize,
    since: Option<&str>,
) -> Result<Vec<Hit>, DoorError> {
    let limit = limit.to_string();
    let mut pairs = vec![("q", text), ("limit", &limit), ("kind", kind), ("from", since.unwrap_or_default())];
    if !kind.is_empty() {
        pairs.push(("sort", "date"));
    }
    let pairs = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let query = search_query(pairs, OffsetDateTime::now_utc().unix_timestamp()).map_err(DoorError::bad)?;
    Ok(door.service.searcher().search(query).await?.unwrap_or_default().hits)
}

async fn results(
    door: &FirecrawlState,
    hits: Vec<Hit>,
    is_news: bool,
    options: Option<&ScrapeOptions>,
) -> Result<Vec<Value>, DoorError> {
    let mut results = Vec::new();
    for (n, hit) in hits.into_iter().enumerate() {
        let mut result = match is_news {
            true => {
                json!({ "title": hit.title, "url": hit.url, "snippet": hit.snippet.text, "date": hit.published.and_then(format_time) })
            }
            false => json!({ "title": hit.title, "url": hit.url, "description": hit.snippet.text }),
        };
        result["position"] = (n + 1).into();
        if options.is_some_and(|options| options.forms.markdown) {
            let document = door.service.searcher().document(hit.key).await?.flatten();
            if let Some((document, _)) = document {
                add_document(&mut result, &document);
            }
        }
        results.push(result);
    }
    Ok(results)
}

/// What the corpus has of the page, as a scrape would give it.
fn add_document(result: &mut Value, document: &IndexDocument) {
    result["markdown"] = document.to_markdown().into();
    result["metadata"] = json!({
        "title": document.title,
        "description": document.description,
        "language": document.language,
        "sourceURL": document.url,
        "url": document.url,
        "statusCode": 200,
        "publishedTime": document.published.and_then(format_time),
        "cacheState": "hit",
        "cachedAt": format_time(document.fetched_at),
    });
}

fn domains(fields: &mut Map<String, Value>, name: &str) -> Result<Vec<String>, DoorError> {
    let list: Vec<String> = take(fields, name)?.unwrap_or_default();
    let is_domain = |domain: &String| {
        !domain.is_empty() && domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte))
    };
    match list.len() <= MAX_DOMAINS && list.iter().all(is_domain) {
        true => Ok(list),
        false => Err(DoorError::bad(format!("`{name}` must hold at most {MAX_DOMAINS} names of domains"))),
    }
}

/// The words of the query with the domains, in the language of our own searches.
fn with_domains(query: String, only: &[String], without: &[String]) -> String {
    let mut text = query;
    let sites: Vec<String> = only.iter().map(|domain| format!("site:{domain}")).collect();
    if !sites.is_empty() {
        text.push(' ');
        text.push_str(&sites.join(" OR "));
    }
    without.iter().for_each(|domain| text.push_str(&format!(" -site:{domain}")));
    text
}

/// Since when, by Google's word for it: `qdr:d` is the last day.
fn since(tbs: &str) -> Result<String, DoorError> {
    let days = match tbs.strip_prefix("qdr:").and_then(|rest| rest.chars().next()) {
        Some('h' | 'd') => 1,
        Some('w') => 7,
        Some('m') => 31,
        Some('y') => 366,
        _ => return Err(DoorError::bad("`tbs` is one of `qdr:h`, `qdr:d`, `qdr:w`, `qdr:m` and `qdr:y`")),
    };
    let day = (OffsetDateTime::now_utc() - time::Duration::days(days)).date();
    Ok(day.to_string())
}
