//! How crawls stand: status with documents, errors, cancelling.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use gristmill_searcher::request_origin;
use serde::Deserialize;
use serde_json::{Value, json};

use super::document::time;
use super::error::DoorError;
use super::job_store::{CrawlJob, JobKind, JobPhase};
use super::state::FirecrawlState;

/// Documents of one answer.
const PAGE: usize = 100;

/// Which documents are asked for.
#[derive(Deserialize)]
pub(super) struct PageQuery {
    skip: Option<usize>,
    limit: Option<usize>,
}

type JobAnswer = Result<Json<Value>, DoorError>;

pub(super) async fn crawl_status(
    door: State<FirecrawlState>,
    id: Path<String>,
    page: Query<PageQuery>,
    headers: HeaderMap,
) -> JobAnswer {
    status(&door, &id, JobKind::Crawl, &page, &headers).await
}

pub(super) async fn batch_status(
    door: State<FirecrawlState>,
    id: Path<String>,
    page: Query<PageQuery>,
    headers: HeaderMap,
) -> JobAnswer {
    status(&door, &id, JobKind::Batch, &page, &headers).await
}

async fn status(door: &FirecrawlState, id: &str, kind: JobKind, page: &PageQuery, headers: &HeaderMap) -> JobAnswer {
    let job = door.jobs.get(id, kind)?;
    let phase = job.phase();
    let (skip, limit) = (page.skip.unwrap_or(0), page.limit.unwrap_or(PAGE).clamp(1, PAGE));
    let reading = job.clone();
    let found = tokio::task::spawn_blocking(move || reading.documents(skip, limit)).await;
    let found = found.map_err(|error| DoorError::failed(error.to_string()))?.map_err(|error| {
        tracing::error!(%error, job = id, "documents of a crawl cannot be read");
        DoorError::failed("the documents cannot be read; the log of the server says why")
    })?;
    let ended = phase != JobPhase::Scraping;
    let progress = job.progress.borrow().clone();
    let (completed, total) = match ended {
        true => (job.n_documents() as u64, job.n_documents() as u64),
        false => (progress.done.max(job.n_documents() as u64), progress.known.max(progress.done).max(1)),
    };
    let path = if kind == JobKind::Crawl { "crawl" } else { "batch/scrape" };
    let next = found.next.map(|next| {
        let limit = page.limit.map(|limit| format!("&limit={limit}")).unwrap_or_default();
        format!("{}/v2/{path}/{id}?skip={next}{limit}", request_origin(headers))
    });
    let mut answer = json!({
        "success": phase != JobPhase::Failed,
        "status": phase.as_str(),
        "completed": completed,
        "total": total,
        "creditsUsed": 0,
        "expiresAt": time(job.expires),
        "next": next,
        "data": found.documents,
    });
    if !job.warnings.is_empty() {
        answer["warning"] = job.warnings.join("; ").into();
    }
    if let Some(error) = job.error() {
        answer["error"] = error.into();
    }
    Ok(Json(answer))
}

pub(super) async fn crawl_errors(State(door): State<FirecrawlState>, Path(id): Path<String>) -> JobAnswer {
    Ok(errors(&*door.jobs.get(&id, JobKind::Crawl)?))
}

pub(super) async fn batch_errors(State(door): State<FirecrawlState>, Path(id): Path<String>) -> JobAnswer {
    Ok(errors(&*door.jobs.get(&id, JobKind::Batch)?))
}

fn errors(job: &CrawlJob) -> Json<Value> {
    let progress = job.progress.borrow().clone();
    let (blocked, failed): (Vec<_>, Vec<_>) = progress.problems.iter().partition(|(_, what)| what == "disallowed");
    let errors: Vec<Value> = failed
        .iter()
        .enumerate()
        .map(|(n, (url, what))| json!({ "id": format!("{}-{n}", job.id), "url": url, "code": what, "error": what }))
        .collect();
    let blocked: Vec<&String> = blocked.into_iter().map(|(url, _)| url).collect();
    Json(json!({ "errors": errors, "robotsBlocked": blocked }))
}

pub(super) async fn cancel_crawl(State(door): State<FirecrawlState>, Path(id): Path<String>) -> JobAnswer {
    cancel(&*door.jobs.get(&id, JobKind::Crawl)?)
}

pub(super) async fn cancel_batch(State(door): State<FirecrawlState>, Path(id): Path<String>) -> JobAnswer {
    cancel(&*door.jobs.get(&id, JobKind::Batch)?)
}

fn cancel(job: &CrawlJob) -> JobAnswer {
    match job.cancel() || job.phase() == JobPhase::Cancelled {
        true => Ok(Json(json!({ "success": true, "status": "cancelled" }))),
        false => Err(DoorError::new(StatusCode::CONFLICT, "CRAWL_ALREADY_COMPLETED", "the crawl has ended already")),
    }
}

pub(super) async fn active(State(door): State<FirecrawlState>) -> Json<Value> {
    let one = |job: &std::sync::Arc<CrawlJob>| json!({ "id": job.id, "teamId": "gristmill", "url": job.seed, "options": null });
    let crawls: Vec<Value> = door.jobs.active().iter().map(one).collect();
    Json(json!({ "success": true, "crawls": crawls }))
}
