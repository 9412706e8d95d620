//! `gristmill explain`: everything that the stores know of one URL.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use gristmill_frontier::{Explanation, Frontier, FrontierError};
use gristmill_index::IndexReader;
use gristmill_log::{Log, StartOffset};
use gristmill_proto::{Reject, RejectReason, decode, topics};
use gristmill_runtime::process::open_log;
use gristmill_scheduler::Explainer;
use gristmill_scheduler::explain_prose::prose;
use gristmill_scheduler::seeds::{parse_address, shorten};
use gristmill_urls::CanonicalUrl;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::admin_client::AdminClient;
use crate::cli::ExplainArgs;
use crate::failure::wrong_use;
use crate::settings::Settings;
use gristmill_runtime::clock::now_ms;

/// Prints what is known, asking the running crawl if there is one.
pub async fn run(args: &ExplainArgs, settings: Settings) -> anyhow::Result<()> {
    let url = parse_address(&args.url).with_context(|| format!("`{}` is not a URL", shorten(&args.url)));
    let url = url.map_err(wrong_use)?;
    anyhow::ensure!(
        settings.frontier_dir().is_dir() || settings.index_dir().is_dir(),
        "`{}` holds no crawl: `--data` names the directory of one",
        settings.data.display()
    );
    let mut known = known_of(&url, &settings).await?;
    // Without its scheme an address is https by guess, and the crawl may know the other one.
    let path = url.as_str().strip_prefix("https://").filter(|_| !args.url.contains("://"));
    if let Some(path) = path.filter(|_| known["frontier"]["known"].is_null() && known["document"].is_null()) {
        let other = known_of(&CanonicalUrl::parse(&format!("http://{path}"), None)?, &settings).await?;
        if !other["frontier"]["known"].is_null() || !other["document"].is_null() {
            known = other;
        }
    }
    let told = match args.json {
        true => serde_json::to_string_pretty(&known)? + "\n",
        false => prose(&known, now_ms()),
    };
    write!(std::io::stdout(), "{told}")?;
    Ok(())
}

/// What is known of `url`, by the running crawl or else by the stores.
async fn known_of(url: &CanonicalUrl, settings: &Settings) -> anyhow::Result<Value> {
    match ask_running(url, settings).await {
        Some(known) => Ok(known),
        None => read_stores(url, settings).await,
    }
}

/// What the stores of a crawl that does not run know.
async fn read_stores(url: &CanonicalUrl, settings: &Settings) -> anyhow::Result<Value> {
    let explanation = match settings.frontier_dir().is_dir() {
        true => {
            let frontier =
                Frontier::open(&settings.frontier_dir(), settings.frontier_config()?).map_err(cannot_open)?;
            Some(frontier.explain(url, now_ms()).map_err(cannot_open)?)
        }
        // Pages were imported, and nothing was crawled.
        false => None,
    };
    let log = open_log(&settings.data, &settings.log).await?;
    let mut known = gather(url, explanation, log.as_ref(), settings).await?;
    known["imported"] = settings.imports_file().is_file().into();
    Ok(known)
}

/// The error as it is; of a store in use, what to do about it. What to do about damage is said for all commands.
fn cannot_open(error: FrontierError) -> anyhow::Error {
    let is_locked = matches!(error, FrontierError::Locked { .. });
    let error = anyhow::Error::new(error);
    match is_locked {
        true => error.context("a crawl or another `explain` has it open and did not answer; ask again in a moment"),
        false => error,
    }
}

/// The running crawl holds the stores, so it answers on its admin port.
async fn ask_running(url: &CanonicalUrl, settings: &Settings) -> Option<Value> {
    let answer = AdminClient::of_running(settings)?.get("/explain", &[("url", url.as_str())]).await?;
    serde_json::from_slice(&answer).ok()
}

#[derive(Clone)]
struct Stores {
    explainer: Explainer,
    log: Arc<dyn Log>,
    settings: Arc<Settings>,
}

#[derive(Deserialize)]
struct Asked {
    url: String,
}

/// `GET /explain?url=…` for the admin port of a running crawl.
pub fn routes(explainer: Explainer, log: Arc<dyn Log>, settings: Settings) -> Router {
    let stores = Stores { explainer, log, settings: Arc::new(settings) };
    Router::new().route("/explain", get(answer)).with_state(stores)
}

async fn answer(State(stores): State<Stores>, Query(asked): Query<Asked>) -> Result<Json<Value>, (StatusCode, String)> {
    let url = CanonicalUrl::parse(&asked.url, None).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    let explanation = stores.explainer.explain(url.clone()).await;
    let known = gather(&url, explanation, stores.log.as_ref(), &stores.settings).await;
    known.map(Json).map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}")))
}

async fn gather(
    url: &CanonicalUrl,
    explanation: Option<Explanation>,
    log: &dyn Log,
    settings: &Settings,
) -> anyhow::Result<Value> {
    let document = IndexReader::open(&settings.index_dir()).ok().and_then(|reader| {
        let document = reader.get(url.as_str()).ok()??;
        Some(json!({
            "key": document.key, "title": document.title, "kind": document.kind.as_str(),
            "language": document.language, "language_score": document.language_score, "published": (!document.published_of_site).then_some(&document.published_text),
            "published_text": document.published_text, "published_declared": document.published_declared,
            "published_of_site": document.published_of_site,
            "characters": document.text.chars().count(), "method": document.method,
            "confidence": document.confidence, "fetched_at": document.fetched_at,
        }))
    });
    Ok(json!({
        "url": url.as_str(),
        "key": url.key().to_string(),
        "frontier": explanation,
        "rejected": rejected(url, log).await?,
        "document": document,
        "insecure": settings.fetch.is_insecure(url.host()),
    }))
}

/// What stages told of this page, each with its sentence, as far as the log still holds them.
async fn rejected(url: &CanonicalUrl, log: &dyn Log) -> anyhow::Result<Vec<Value>> {
    let mut reader = log.reader(&[topics::REJECTS], StartOffset::Group("explain")).await?;
    let mut reasons = BTreeSet::<RejectReason>::new();
    loop {
        let records = reader.poll(1024, Duration::ZERO).await?;
        if records.is_empty() {
            let told = |reason: &RejectReason| json!({"cause": reason.cause, "detail": reason.detail, "reason": reason.to_string()});
            return Ok(reasons.iter().map(told).collect());
        }
        let rejects = records.iter().filter_map(|record| decode::<Reject>(&record.payload).ok());
        reasons.extend(rejects.filter(|reject| reject.url == url.as_str()).map(|reject| reject.reason));
    }
}
