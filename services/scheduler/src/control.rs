//! What an operator tells a crawl: to pause, to go on, to forget pages.
//!
//! A command is a record of the topic `links`, so that it holds whatever dies in between. Of a crawl that does not run the frontier is
//! changed.

use std::sync::{Arc, OnceLock};

use anyhow::Context;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post};
use axum::{Json, Router};
use gristmill_frontier::{Frontier, Positions};
use gristmill_log::{Log, ProducerRecord, keys_of_all};
use gristmill_proto::{ControlAction, ControlCommand, encode, topics};
use gristmill_runtime::clock::now_ms;
use gristmill_secrets::is_same;
use gristmill_urls::{CanonicalUrl, Takedown, is_registry_suffix, registrable_domain};
use serde::Deserialize;

use crate::partitioned::PartitionStatuses;
use crate::seeds::parse_address;

/// A command as it is typed.
pub struct Control {
    pub action: ControlAction,
    /// Sites, or pages that are to be forgotten; empty for the whole crawl.
    pub targets: Vec<String>,
}

/// What is to be done with one target.
pub struct ControlOrder {
    /// The messages, at least one: a page is meant by http and by https alike.
    pub commands: Vec<ControlCommand>,
}

impl Control {
    /// What is to be done, one for each target.
    ///
    /// # Errors
    /// A target that is neither a URL nor the name of a site.
    pub fn orders(&self) -> anyhow::Result<Vec<ControlOrder>> {
        let command = |target| ControlCommand { action: self.action, target, at: now_ms() };
        if self.targets.is_empty() {
            return Ok(vec![ControlOrder { commands: vec![command(String::new())] }]);
        }
        let order = |text: &String| {
            let target = target(self.action, text)?;
            let other = other_scheme(&target);
            Ok(ControlOrder { commands: [Some(target), other].into_iter().flatten().map(command).collect() })
        };
        self.targets.iter().map(order).collect()
    }
}

/// The same page by the other of http and https; none of a host.
fn other_scheme(target: &str) -> Option<String> {
    let (scheme, rest) = target.split_once("://")?;
    let other = if scheme == "http" { "https" } else { "http" };
    Some(CanonicalUrl::parse(&format!("{other}://{rest}"), None).ok()?.as_str().to_owned())
}

/// The target as commands have it: a page by its URL, which only forgetting knows, or a host.
fn target(action: ControlAction, text: &str) -> anyhow::Result<String> {
    anyhow::ensure!(
        !text.contains('*') || text.contains('/') && !text.ends_with('*'),
        "`{text}` is a pattern, and names are meant: a site covers all hosts below it, a URL one page"
    );
    // As elsewhere, a page may be named without its scheme.
    let page = (text.contains('/') && !text.contains("://")).then(|| parse_address(text)).transpose()?;
    let named = page.as_ref().map_or(text, CanonicalUrl::as_str);
    let takedown =
        Takedown::parse(named).with_context(|| format!("`{text}` is neither a URL nor the name of a site"))?;
    Ok(match action {
        ControlAction::TakeDown => {
            let is_suffix = matches!(&takedown, Takedown::Site(host) if is_registry_suffix(host));
            anyhow::ensure!(
                !is_suffix,
                "`{text}` is no site: everybody registers names below it; forget sites one by one"
            );
            takedown.to_string()
        }
        ControlAction::Pause | ControlAction::Resume => registrable_domain(takedown.host()).to_owned(),
    })
}

/// The name of an action, as people write it.
pub fn name(action: ControlAction) -> &'static str {
    match action {
        ControlAction::Pause => "pause",
        ControlAction::Resume => "resume",
        ControlAction::TakeDown => "forget",
    }
}

/// Puts commands into the log, where the schedulers find them.
///
/// # Errors
/// The log failed.
pub async fn append(log: &dyn Log, commands: &[ControlCommand]) -> anyhow::Result<()> {
    let record = |key, command: &ControlCommand| ProducerRecord { topic: topics::LINKS, key, payload: encode(command) };
    let records = |command: &ControlCommand| match Takedown::parse(&command.target) {
        Ok(takedown) => vec![record(registrable_domain(takedown.host()).to_owned(), command)],
        Err(_) => keys_of_all(log.partitions()).into_iter().map(|key| record(key, command)).collect(),
    };
    log.append(commands.iter().flat_map(records).collect()).await.context("could not write to the log")?;
    Ok(())
}

/// Changes the frontier of a crawl that does not run.
///
/// # Errors
/// The store failed.
pub fn change_frontier(commands: &[ControlCommand], frontier: &mut Frontier) -> anyhow::Result<()> {
    for ControlCommand { action, target, at } in commands {
        let site = Some(target.as_str()).filter(|site| !site.is_empty());
        match action {
            ControlAction::Pause => frontier.pause(site),
            ControlAction::Resume => frontier.resume(site)?,
            ControlAction::TakeDown => frontier.take_down(&Takedown::parse(target)?, *at)?,
        }
    }
    let positions: Positions = frontier.positions().clone();
    Ok(frontier.commit(&positions)?)
}

/// The log of a process, once it is open.
pub type LogSlot = Arc<OnceLock<Arc<dyn Log>>>;

#[derive(Clone)]
struct ControlState {
    log: LogSlot,
    token: Arc<str>,
}

#[derive(Deserialize)]
struct ControlQuery {
    #[serde(default)]
    target: String,
}

/// `POST /control/pause`, `/control/resume` and `/control/forget`, each with `?target=…` and the token of the admin port.
pub fn routes(log: LogSlot, token: &str) -> Router {
    let route = |action: ControlAction| {
        post(move |state: State<ControlState>, query: Query<ControlQuery>, headers: HeaderMap| {
            answer(action, state, query, headers)
        })
    };
    Router::new()
        .route("/control/pause", route(ControlAction::Pause))
        .route("/control/resume", route(ControlAction::Resume))
        .route("/control/forget", route(ControlAction::TakeDown))
        .with_state(ControlState { log, token: token.into() })
}

async fn answer(
    action: ControlAction,
    State(state): State<ControlState>,
    Query(ControlQuery { target }): Query<ControlQuery>,
    headers: HeaderMap,
) -> (StatusCode, String) {
    if !has_token(&headers, &state.token) {
        return (StatusCode::UNAUTHORIZED, TOKEN_IS_WRONG.to_owned());
    }
    let Some(log) = state.log.get() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "the log is not open yet\n".to_owned());
    };
    let targets = if target.is_empty() { Vec::new() } else { vec![target] };
    if targets.is_empty() && action == ControlAction::TakeDown {
        return (StatusCode::BAD_REQUEST, "`target` names the page or site to forget\n".to_owned());
    }
    let orders = match (Control { action, targets }).orders() {
        Ok(orders) => orders,
        Err(error) => return (StatusCode::BAD_REQUEST, format!("{error:#}\n")),
    };
    let commands: Vec<ControlCommand> = orders.into_iter().flat_map(|order| order.commands).collect();
    match append(log.as_ref(), &commands).await {
        Ok(()) => (StatusCode::OK, "ok\n".to_owned()),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")),
    }
}

/// `GET /control/status` with the token of the admin port: what the scheduler in `slot` says of each of its partitions.
pub fn status_routes(slot: Arc<OnceLock<PartitionStatuses>>, token: &str) -> Router {
    let token: Arc<str> = token.into();
    let answer = move |headers: HeaderMap| async move {
        match slot.get() {
            _ if !has_token(&headers, &token) => Err((StatusCode::UNAUTHORIZED, TOKEN_IS_WRONG)),
            None => Err((StatusCode::SERVICE_UNAVAILABLE, "the scheduler is not ready yet\n")),
            Some(statuses) => Ok(Json(statuses.now())),
        }
    };
    Router::new().route("/control/status", get(answer))
}

const TOKEN_IS_WRONG: &str = "the token of `admin.token` is missing or wrong\n";

fn has_token(headers: &HeaderMap, token: &str) -> bool {
    let said = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    is_same(said, &format!("Bearer {token}"))
}
