//! Version 2 of Firecrawl's API, as far as it means something here: scrape, map, crawl, batch and search.
//!
//! What has no meaning here and does no harm is passed over; what would change the answer is refused by its name (`options.tsv`).

mod body;
mod crawl;
mod document;
mod document_collector;
mod error;
mod job_file;
mod job_phase;
mod job_store;
mod jobs;
mod map;
mod options;
mod scrape;
mod search;
mod state;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::service::DoorService;
use error::DoorError;
use job_store::JobStore;
use state::FirecrawlState;

/// Most bytes of a request: a thousand long addresses.
const MAX_BODY: usize = 4 << 20;

/// Adds the routes below `/v2`. Names and tokens are checked by the server around them.
pub fn with_firecrawl(routes: Router, service: &DoorService) -> Router {
    let jobs = Arc::new(JobStore::new(service.folder(), service.config().keep));
    let state = FirecrawlState { service: service.clone(), jobs };
    let api = Router::new()
        .route("/scrape", post(scrape::scrape))
        .route("/map", post(map::map))
        .route("/search", post(search::search))
        .route("/crawl", post(crawl::start))
        .route("/crawl/active", get(jobs::active))
        .route("/crawl/ongoing", get(jobs::active))
        .route("/crawl/{id}", get(jobs::crawl_status).delete(jobs::cancel_crawl))
        .route("/crawl/{id}/errors", get(jobs::crawl_errors))
        .route("/batch/scrape", post(crawl::start_batch))
        .route("/batch/scrape/{id}", get(jobs::batch_status).delete(jobs::cancel_batch))
        .route("/batch/scrape/{id}/errors", get(jobs::batch_errors))
        .fallback(unknown)
        .method_not_allowed_fallback(unknown)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(state);
    routes.nest("/v2", api)
}

async fn unknown() -> DoorError {
    DoorError::absent("there is no such route here: scrape, map, crawl, batch/scrape and search are answered")
}
