//! The JSON API, version 1. `docs/search-api.md` describes it.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query as Parameters, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gristmill_index::{Duplicate, Facets, Hit, IndexDocument, SearchQuery, SearchResults, format_time};
use serde_json::{Value, json};

use crate::markdown;
use crate::request::SearchRequest;
use crate::searcher::{SearchError, Searcher};

/// Longest message of an error.
const MAX_MESSAGE_CHARS: usize = 600;

/// An answer that is an error: `{"error":{"code":…,"message":…}}`.
#[derive(Debug)]
pub struct ApiError {
    /// The status of the answer.
    pub status: StatusCode,
    /// A stable word for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// What a server answered with instead of the page that was to be fetched from it.
    pub page_status: Option<u16>,
}

impl ApiError {
    /// An error; of a message that repeats much of the request only the beginning is told.
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE_CHARS) {
            message.replace_range(end.., "…");
        }
        Self { status, code, message, page_status: None }
    }

    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }

    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    }

    pub(crate) fn bad_parameter(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_parameter", message)
    }
}

impl ApiError {
    /// The answer at a path: below `/v2` and its elder sisters as clients of Firecrawl read it.
    pub(crate) fn at(self, path: &str) -> Response {
        let of_firecrawl = ["/v0/", "/v1/", "/v2/"].iter().any(|version| path.starts_with(version));
        if !of_firecrawl {
            return self.into_response();
        }
        let body = json!({ "success": false, "code": self.code.to_ascii_uppercase(), "error": self.message });
        (self.status, Json(body)).into_response()
    }
}

impl From<SearchError> for ApiError {
    fn from(error: SearchError) -> Self {
        match &error {
            SearchError::Busy => Self::busy(error.to_string()),
            // The cause may name paths of this machine: for the log, not for visitors.
            SearchError::Damaged(cause) | SearchError::Index(cause) => {
                tracing::error!(error = %cause, cause = ?cause, "index not readable");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "index_unreadable", error.to_string())
            }
            SearchError::Failed => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", error.to_string()),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "code": self.code, "message": self.message } });
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// `GET /api/v1/search`
pub(crate) async fn search(
    State(searcher): State<Searcher>,
    Parameters(pairs): Parameters<Vec<(String, String)>>,
) -> Result<Json<Value>, ApiError> {
    let request = SearchRequest::strict(pairs).map_err(ApiError::bad_parameter)?;
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    let query = request.query(now).map_err(ApiError::bad_parameter)?;
    // Before the first commit there is nothing to find, which is no error.
    let results = searcher.search(query.clone()).await?.unwrap_or_default();
    Ok(Json(results_json(&query, &results)))
}

/// `GET /api/v1/document/{key}`: JSON, or Markdown
pub(crate) async fn document(
    State(searcher): State<Searcher>,
    key: Result<Path<String>, PathRejection>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let Path(key) = key.map_err(|rejection| ApiError::bad_parameter(rejection.body_text()))?;
    let found = searcher.document(key).await?.flatten();
    let absent = || ApiError::new(StatusCode::NOT_FOUND, "not_found", "there is no document with this key");
    let (document, duplicates) = found.ok_or_else(absent)?;
    let answer = match markdown::is_wanted(&asked, "application/json") {
        true => markdown::answer(&document),
        false => Json(document_json(&document, &duplicates)).into_response(),
    };
    Ok(markdown::varies(answer))
}

/// `GET /api/v1/status`
pub(crate) async fn status(State(searcher): State<Searcher>) -> Result<Json<Value>, ApiError> {
    let documents = searcher.count().await?;
    let crawl = searcher.crawl().await.map(|crawl| crawl.fields);
    let index = json!({ "exists": documents.is_some(), "documents": documents.unwrap_or(0) });
    Ok(Json(json!({ "index": index, "crawl": crawl })))
}

pub(crate) async fn unknown() -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "not_found", "there is no such route")
}

/// What programs hear that ask for another version.
pub(crate) fn unknown_at(path: &str) -> Option<Response> {
    let elder = "Firecrawl's API is spoken in version 2, below `/v2`, by `gristmill serve --firecrawl`";
    let message = match path {
        path if path.starts_with("/api/") => "there is no such route: this API is below `/api/v1`",
        path if path.starts_with("/v0/") || path.starts_with("/v1/") => elder,
        _ => return None,
    };
    Some(ApiError::new(StatusCode::NOT_FOUND, "not_found", message).at(path))
}

pub(crate) async fn not_allowed() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "only GET and HEAD are answered")
}

fn results_json(query: &SearchQuery, results: &SearchResults) -> Value {
    json!({
        "query": query.text,
        "total": results.total,
        "total_is_exact": !results.at_least,
        "offset": query.offset,
        "limit": query.limit,
        "more": results.more,
        "partial": results.partial,
        "took_ms": (results.elapsed.as_secs_f64() * 1e6).round() / 1e3,
        "warnings": results.warnings,
        "suggestion": results.suggestion,
        "facets": facets_json(&results.facets),
        "facets_estimated": results.facets_sampled,
        "hits": results.hits.iter().map(hit_json).collect::<Vec<_>>(),
    })
}

fn facets_json(facets: &Facets) -> Value {
    let list = |counts: &[(String, u64)]| -> Vec<Value> {
        counts.iter().map(|(value, count)| json!({ "value": value, "count": count })).collect()
    };
    json!({
        "site": list(&facets.sites),
        "kind": list(&facets.kinds),
        "language": list(&facets.languages),
        "attribute": list(&facets.attributes),
        "rendered": list(&facets.rendered),
    })
}

fn hit_json(hit: &Hit) -> Value {
    let marks: Vec<_> = hit.snippet.ranges.iter().map(|range| [range.start, range.end]).collect();
    json!({
        "key": hit.key,
        "url": hit.url,
        "title": hit.title,
        "title_html": hit.title_marked.to_html(),
        "snippet": { "text": hit.snippet.text, "marks": marks },
        "snippet_html": hit.snippet_html,
        "domain": hit.site,
        "author": hit.author,
        "published": hit.published.and_then(format_time),
        "language": hit.language,
        "kind": hit.kind,
        "score": hit.score,
        "fetched_at": format_time(hit.fetched_at),
        "duplicates": hit.duplicates,
        "attributes": hit.attributes,
        "rendered": hit.rendered,
    })
}

fn document_json(document: &IndexDocument, duplicates: &[Duplicate]) -> Value {
    let near: Vec<_> = duplicates
        .iter()
        .map(|near| json!({ "key": near.key, "url": near.url, "title": near.title, "distance": near.distance }))
        .collect();
    json!({
        "key": document.key,
        "url": document.url,
        "canonical_url": document.canonical,
        "title": document.title,
        "anchor_title": document.anchor_title,
        "text": document.text,
        "headings": document.headings,
        "domain": document.site,
        "host": document.host,
        "author": document.author,
        "published": document.published.and_then(format_time),
        "published_text": document.published_text,
        "language": document.language,
        "language_score": document.language_score,
        "script": document.script,
        "languages": document.languages,
        "kind": document.kind,
        "kind_probability": document.kind_probability,
        "attributes": document.attributes,
        "comments": document.comments,
        "rights": document.rights,
        "rendered": document.rendered,
        "description": document.description,
        "image": document.image,
        "fetched_at": format_time(document.fetched_at),
        "simhash": format!("{:016x}", document.simhash),
        "simhash_version": document.simhash_version,
        "method": document.method,
        "confidence": document.confidence,
        "history": document.history,
        "near_duplicates": near,
    })
}
