//! The web pages: plain HTML that works without scripts, on a telephone, and in the dark.

mod document;
mod history;
mod layout;
mod plots;
mod search;
mod status;

pub use plots::duration;

use axum::extract::{Path, Query as Parameters, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{Html as HtmlResponse, IntoResponse, Redirect, Response};

use gristmill_index::{SearchQuery, Sort};

use crate::api;
use crate::html::HtmlWriter;
use crate::markdown;
use crate::request::SearchRequest;
use crate::searcher::{SearchError, Searcher};
use crate::server::asset;

pub(crate) use history::price;
use layout::{PageFrame, page};

/// Documents on the status page.
const NEWEST: usize = 8;

/// `GET /`: the query box.
pub(crate) async fn start(State(searcher): State<Searcher>) -> Response {
    match searcher.holdings().await {
        Ok(holdings) => ok(search::start(holdings)),
        Err(error) => failed(error),
    }
}

/// `GET /search`: hits.
pub(crate) async fn search(
    State(searcher): State<Searcher>,
    Parameters(pairs): Parameters<Vec<(String, String)>>,
) -> Response {
    // Parameters that others append to links, for tracking, do no harm here.
    let (request, _) = SearchRequest::new(pairs);
    if request.is_empty() {
        return Redirect::to("/").into_response();
    }
    let now = time::OffsetDateTime::now_utc().unix_timestamp();
    let query = match request.query(now) {
        Ok(query) => query,
        Err(message) => return answer(StatusCode::BAD_REQUEST, search::refused(&request, &message)),
    };
    match searcher.search(query.clone()).await {
        Ok(Some(results)) => ok(search::results(&request, &query, &results)),
        Ok(None) => ok(search::nothing_yet(&request)),
        Err(error) => failed(error),
    }
}

/// `GET /document/{key}`: the clean text, as a page or as Markdown.
pub(crate) async fn document(State(searcher): State<Searcher>, Path(key): Path<String>, asked: HeaderMap) -> Response {
    match searcher.document(key).await {
        Ok(found) => match found.flatten() {
            Some((document, _)) if markdown::is_wanted(&asked, "text/html") => {
                markdown::varies(markdown::answer(&document))
            }
            Some((document, duplicates)) => markdown::varies(ok(document::show(&document, &duplicates))),
            None => answer(StatusCode::NOT_FOUND, message("Not found", "There is no document with this key.")),
        },
        Err(error) => failed(error),
    }
}

/// `GET /status`: how the crawl stands.
pub(crate) async fn status(State(searcher): State<Searcher>) -> Response {
    let crawl = searcher.crawl().await;
    let newest = SearchQuery { sort: Sort::Updated, limit: NEWEST, count_up_to: 1, ..SearchQuery::default() };
    match (searcher.count().await, searcher.search(newest).await) {
        (Ok(count), Ok(newest)) => {
            let newest = newest.map(|newest| newest.hits).unwrap_or_default();
            ok(status::show(count, &newest, crawl.as_ref(), time::OffsetDateTime::now_utc()))
        }
        (Err(error), _) | (_, Err(error)) => failed(error),
    }
}

/// Any other address.
pub(crate) async fn unknown(uri: Uri) -> Response {
    if let Some(told) = api::unknown_at(uri.path()) {
        return told;
    }
    answer(StatusCode::NOT_FOUND, message("Not found", "There is no such page."))
}

/// `GET /style.css`
pub(crate) async fn style() -> Response {
    asset("text/css; charset=utf-8", include_str!("../assets/style.css"))
}

/// `GET /icon.svg`
pub(crate) async fn icon() -> Response {
    asset("image/svg+xml", include_str!("../assets/icon.svg"))
}

fn ok(page: String) -> Response {
    answer(StatusCode::OK, page)
}

fn answer(status: StatusCode, page: String) -> Response {
    (status, HtmlResponse(page)).into_response()
}

fn failed(error: SearchError) -> Response {
    match error {
        SearchError::Busy => {
            let page = message("Busy", "Too many searches are running. Try again in a moment.");
            answer(StatusCode::SERVICE_UNAVAILABLE, page)
        }
        error => {
            tracing::error!(%error, cause = ?error, "page not answered");
            let sentence = match error {
                SearchError::Damaged(_) => {
                    "The index is damaged. The log of the searcher says which file, and what to do."
                }
                _ => "The index cannot be read. The log of the searcher says why.",
            };
            let page = message("Failed", sentence);
            answer(StatusCode::INTERNAL_SERVER_ERROR, page)
        }
    }
}

/// A page that says one thing.
fn message(title: &str, sentence: &str) -> String {
    page(&PageFrame { title, ..PageFrame::default() }, |html: &mut HtmlWriter| {
        html.raw("<div class=\"note\"><h1>").text(title).raw("</h1><p>").text(sentence);
        html.raw("</p><p><a href=\"/\">Search</a> · <a href=\"/status\">Status</a></p></div>");
    })
}
