//! `GET /feed`: a search as an Atom feed (RFC 4287), what changed or came last first.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, SystemTime};

use axum::extract::{Query as Parameters, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gristmill_index::{Hit, PastOffer, SearchResults, Sort, format_time};

use crate::html::{HtmlWriter, is_web};
use crate::pages::price;
use crate::request::SearchRequest;
use crate::searcher::{SearchError, Searcher};

/// Entries unless `limit` asks for others.
const ENTRIES: usize = 50;
/// The last that a date in a header can name: 9999-12-31T23:59:59Z.
const LAST_SECOND: u64 = 253_402_300_799;
const KIND: &str = "application/atom+xml; charset=utf-8";

/// Answers with the hits of a search.
pub(crate) async fn feed(
    State(searcher): State<Searcher>,
    Parameters(pairs): Parameters<Vec<(String, String)>>,
    asked: HeaderMap,
) -> Response {
    let (request, _) = SearchRequest::new(pairs);
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    let mut query = match request.query(now) {
        Ok(query) => query,
        Err(message) => return (StatusCode::BAD_REQUEST, message).into_response(),
    };
    if request.limit.is_empty() {
        query.limit = ENTRIES;
    }
    if request.sort.is_empty() {
        query.sort = Sort::Updated;
    }
    match searcher.search(query).await {
        Ok(results) => answer(&asked, &request, &results.unwrap_or_default()),
        Err(SearchError::Busy) => (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "10")]).into_response(),
        Err(error) => {
            tracing::error!(%error, cause = ?error, "feed not answered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The feed, or that it is as the client has it.
fn answer(asked: &HeaderMap, request: &SearchRequest, results: &SearchResults) -> Response {
    let latest = results.hits.iter().map(Hit::updated).max().unwrap_or(0);
    let body = atom(request, results, latest);
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(latest).unwrap_or(0).min(LAST_SECOND));
    let headers = [
        (header::CONTENT_TYPE, KIND.to_owned()),
        (header::ETAG, tag.clone()),
        (header::LAST_MODIFIED, httpdate::fmt_http_date(modified)),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    match is_known(asked, &tag, modified) {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, body).into_response(),
    }
}

/// Whether the client has this already: by its tag, or by its time where it has no tag (RFC 9110, section 13.2.2).
fn is_known(asked: &HeaderMap, tag: &str, modified: SystemTime) -> bool {
    let field = |name| asked.get(name).and_then(|value| value.to_str().ok());
    match field(header::IF_NONE_MATCH) {
        Some(tags) => tags.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag),
        None => {
            let since = field(header::IF_MODIFIED_SINCE).and_then(|date| httpdate::parse_http_date(date).ok());
            since.is_some_and(|since| since >= modified)
        }
    }
}

/// Text is escaped for XML as it is for HTML: the five characters that matter are the same.
fn atom(request: &SearchRequest, results: &SearchResults, latest: i64) -> String {
    let mut xml = HtmlWriter::default();
    xml.raw("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">");
    xml.raw("<title>");
    xml.text(if request.q.trim().is_empty() { "Gristmill" } else { &request.q }).raw("</title>");
    xml.raw("<id>urn:x-gristmill:feed:").text(&request.feed_path()).raw("</id>");
    xml.raw("<updated>").text(&time_of(latest)).raw("</updated><author><name>Gristmill</name></author>");
    xml.raw("<link rel=\"self\" type=\"application/atom+xml\"").attr("href", &request.feed_path()).raw("/>");
    xml.raw("<link rel=\"alternate\" type=\"text/html\"").attr("href", &request.path()).raw("/>\n");
    results.hits.iter().for_each(|hit| entry(&mut xml, hit));
    xml.raw("</feed>\n");
    xml.finish()
}

fn entry(xml: &mut HtmlWriter, hit: &Hit) {
    let title = if hit.title.trim().is_empty() { hit.url.as_str() } else { &hit.title };
    xml.raw("<entry><title>").text(title).raw("</title><id>urn:x-gristmill:document:").text(&hit.key).raw("</id>");
    xml.raw("<updated>").text(&time_of(hit.updated())).raw("</updated>");
    if let Some(published) = hit.published.and_then(format_time) {
        xml.raw("<published>").text(&published).raw("</published>");
    }
    if !hit.author.is_empty() {
        xml.raw("<author><name>").text(&hit.author).raw("</name></author>");
    }
    if is_web(&hit.url) {
        xml.raw("<link rel=\"alternate\"").attr("href", &hit.url).raw("/>");
    }
    xml.raw("<category").attr("term", hit.kind.as_str());
    xml.raw("/><summary>").text(&summary(hit)).raw("</summary></entry>\n");
}

/// The snippet; before it, of a product, what it is offered for and what it was offered for before.
fn summary(hit: &Hit) -> String {
    let mut offers = hit.history.offers.iter().rev().map(offered).filter(|offered| !offered.is_empty());
    let now = offers.next().unwrap_or_default();
    let before = offers.next().map(|before| format!("before: {before}")).unwrap_or_default();
    joined(&[&now, &before, &hit.snippet.text], " · ")
}

fn offered(offer: &PastOffer) -> String {
    joined(&[&price(offer), &offer.availability], ", ")
}

fn joined(parts: &[&str], with: &str) -> String {
    parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(with)
}

/// RFC 3339, which Atom asks for; years that it cannot write are the first.
fn time_of(seconds: i64) -> String {
    format_time(seconds).unwrap_or_else(|| "1970-01-01T00:00:00Z".to_owned())
}
