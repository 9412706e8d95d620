//! `gristmill changes`: what became of the pages of the corpus, as JSON lines.
//!
//! The log on one machine belongs to the crawl that runs, which then answers on its admin port. On Kafka it is read directly.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use gristmill_index::parse_period_at;
use gristmill_indexer::change_json;
use gristmill_log::{ConsumerRecord, Log, LogEngine, LogError, LogReader, Positions, StartOffset};
use gristmill_proto::{Change, decode, topics};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::process::open_log;
use gristmill_runtime::shutdown;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::admin_client::AdminClient;
use crate::cli::ChangesArgs;
use crate::crawl::try_lock;
use crate::failure::wrong_use;
use crate::settings::Settings;

/// Changes that are read at once.
const BATCH: usize = 1_000;
/// How often so many are read before the log is closed and they are printed.
const PAGES: usize = 20;
/// Questions that a process may leave open before it is told so.
const MAX_SILENT: u32 = 10;
/// Longest wait for the next ones before it is looked whether there are any.
const WAIT: Duration = Duration::from_millis(200);
/// Pause between two questions to a crawl that runs.
const EVERY: Duration = Duration::from_secs(1);

/// Prints what the log holds of changes; with `--follow` what comes as well.
pub async fn run(args: &ChangesArgs, settings: Settings) -> anyhow::Result<()> {
    let since = args.since.as_deref().map(parse_since).transpose().map_err(wrong_use)?.unwrap_or(0);
    let reading = async {
        if settings.log.engine == LogEngine::Kafka {
            let log = open_log(&settings.data, &settings.log).await?;
            return stream(log.as_ref(), since, args.follow).await;
        }
        anyhow::ensure!(
            args.follow || settings.data.join("log").join("version").is_file(),
            "`{}` holds no crawl: `--data` names the directory of one",
            settings.data.display()
        );
        on_one_machine(&settings, since, args.follow).await
    };
    if !args.follow {
        return reading.await;
    }
    let stop = shutdown::on_signal("what came is printed first")?;
    tokio::select! {
        ended = reading => ended,
        () = stop.cancelled() => Ok(()),
    }
}

/// The newest changes that the log holds, at most `limit`, oldest first; of the crawl that runs, or out of its log.
///
/// # Errors
/// A time that is none, or a log that another process has and does not answer for.
pub async fn newest(settings: &Settings, since: Option<&str>, limit: usize) -> anyhow::Result<Vec<Value>> {
    let since = since.map(parse_since).transpose()?.unwrap_or(0);
    anyhow::ensure!(settings.log.engine != LogEngine::Kafka, "over Kafka `gristmill changes` tells what changed");
    let (mut next, mut newest, mut silent) = (NextPositions::new(), Vec::new(), 0);
    loop {
        let page = match ask_running(settings, &next, since).await {
            Some(page) => Some(page),
            None => read_stored(settings, &next, since).await?,
        };
        let Some(page) = page else {
            silent += 1;
            anyhow::ensure!(silent < MAX_SILENT, no_answer(settings));
            tokio::time::sleep(EVERY).await;
            continue;
        };
        if page.changes.is_empty() {
            return Ok(newest);
        }
        next = page.next;
        newest.extend(page.changes);
        sort_by_time(&mut newest);
        newest.drain(..newest.len().saturating_sub(limit));
    }
}

/// The log has one partition behind the other.
fn sort_by_time(changes: &mut [Value]) {
    // All are written in one form and in UTC.
    changes.sort_by(|one, other| one["at"].as_str().cmp(&other["at"].as_str()));
}

fn no_answer(settings: &Settings) -> String {
    format!("another gristmill works on `{}` and does not answer; ask again in a moment", settings.data.display())
}

/// Unix milliseconds of a time as people write it.
fn parse_since(text: &str) -> anyhow::Result<u64> {
    let period = parse_period_at(text, (now_ms() / 1000) as i64);
    let period = period.with_context(|| {
        format!("`--since {text}` is no time such as 2024-05-31, 2024-05-31T10:30, today, yesterday or now")
    })?;
    Ok(u64::try_from(period.start).unwrap_or(0).saturating_mul(1000))
}

/// Reads a log that is open to everybody.
async fn stream(log: &dyn Log, since: u64, follow: bool) -> anyhow::Result<()> {
    let mut reader = reader(log, &BTreeMap::new()).await?;
    loop {
        let records = reader.poll(BATCH, WAIT).await?;
        if records.is_empty() && !follow && log.is_read(&[topics::CHANGES], &reader.positions()).await? {
            return Ok(());
        }
        print(&told(&records, since))?;
    }
}

/// Asks the crawl that runs, or reads its log where none does. Then nothing can come, until one has run.
async fn on_one_machine(settings: &Settings, since: u64, follow: bool) -> anyhow::Result<()> {
    let (mut next, mut silent) = (NextPositions::new(), 0);
    let mut read_at: Option<Option<SystemTime>> = None;
    loop {
        let ran = std::fs::metadata(settings.status_file()).and_then(|file| file.modified()).ok();
        let page = match ask_running(settings, &next, since).await {
            Some(page) => Some(page),
            None if read_at == Some(ran) => None,
            None => read_stored(settings, &next, since).await?.inspect(|page| {
                read_at = page.changes.is_empty().then_some(ran);
            }),
        };
        let is_end = match page {
            Some(page) => {
                print(&page.changes)?;
                (next, silent) = (page.next, 0);
                page.changes.is_empty()
            }
            None => {
                silent += 1;
                anyhow::ensure!(follow || silent < MAX_SILENT, no_answer(settings));
                tokio::time::sleep(EVERY).await;
                continue;
            }
        };
        match (is_end, follow) {
            (false, _) => {}
            (true, false) => return Ok(()),
            (true, true) => tokio::time::sleep(EVERY).await,
        }
    }
}

/// Opens the log for as long as it takes to read some of it: a crawl that begins waits for that, and not for who reads what is
/// printed. None where another process has it.
async fn read_stored(settings: &Settings, next: &NextPositions, since: u64) -> anyhow::Result<Option<ChangesPage>> {
    let mut read = ChangesPage { changes: Vec::new(), next: next.clone() };
    if !settings.data.join("log").join("version").is_file() {
        return Ok(Some(read));
    }
    let Some(_lock) = try_lock(&settings.data)? else { return Ok(None) };
    let log = match open_log(&settings.data, &settings.log).await {
        // A crawl that has just ended gives it back a moment later.
        Err(error) if matches!(error.downcast_ref(), Some(LogError::Locked { .. })) => return Ok(None),
        opened => opened?,
    };
    for _ in 0..PAGES {
        let page = page(log.as_ref(), &read.next, since).await?;
        read.next = page.next;
        if page.changes.is_empty() {
            break;
        }
        read.changes.extend(page.changes);
    }
    drop(log);
    sort_by_time(&mut read.changes);
    // The thread that writes the log ends a little later than the last handle.
    tokio::time::sleep(Duration::from_millis(50)).await;
    Ok(Some(read))
}

fn print(changes: &[Value]) -> anyhow::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for change in changes {
        serde_json::to_writer(&mut out, change).map_err(std::io::Error::from)?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// The next position to read, by partition; what is absent begins with the oldest.
type NextPositions = BTreeMap<u32, u64>;

/// Some changes, and where the next ones are.
#[derive(Serialize, Deserialize)]
struct ChangesPage {
    changes: Vec<Value>,
    next: NextPositions,
}

/// The next changes that are in the log now. A page without any, that ends where it began, says that there are no more.
async fn page(log: &dyn Log, next: &NextPositions, since: u64) -> anyhow::Result<ChangesPage> {
    let mut reader = reader(log, next).await?;
    loop {
        let records = reader.poll(BATCH, Duration::ZERO).await?;
        let mut changes = told(&records, since);
        sort_by_time(&mut changes);
        // What is too old is passed over here, so that an empty page means the end.
        if !changes.is_empty() || records.is_empty() {
            let next = reader.positions().into_iter().map(|((_, partition), position)| (partition, position)).collect();
            return Ok(ChangesPage { changes, next });
        }
    }
}

fn told(records: &[ConsumerRecord], since: u64) -> Vec<Value> {
    let changes = records.iter().filter_map(|record| decode::<Change>(&record.payload).ok());
    changes.filter(|change| change.at >= since).map(|change| change_json(&change)).collect()
}

/// A reader from `next` on. What the log has dropped since is passed over.
async fn reader(log: &dyn Log, next: &NextPositions) -> anyhow::Result<Box<dyn LogReader>> {
    let mut start: Positions =
        next.iter().map(|(partition, next)| ((topics::CHANGES.to_owned(), *partition), *next)).collect();
    loop {
        match log.reader(&[topics::CHANGES], StartOffset::At(start.clone())).await {
            Err(LogError::OutOfRange { partition, wanted, oldest, .. }) if wanted < oldest => {
                start.insert((topics::CHANGES.to_owned(), partition), oldest);
            }
            opened => return Ok(opened?),
        }
    }
}

/// What a crawl is asked on its admin port.
#[derive(Serialize, Deserialize)]
struct PageRequest {
    /// [`NextPositions`] as JSON.
    next: String,
    since: u64,
}

/// `GET /changes` for the admin port of a running crawl.
pub fn routes(log: Arc<dyn Log>) -> Router {
    Router::new().route("/changes", get(answer)).with_state(log)
}

async fn answer(
    State(log): State<Arc<dyn Log>>,
    Query(asked): Query<PageRequest>,
) -> Result<Json<ChangesPage>, (StatusCode, String)> {
    let next = serde_json::from_str(&asked.next).map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
    let page = page(log.as_ref(), &next, asked.since).await;
    page.map(Json).map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}")))
}

async fn ask_running(settings: &Settings, next: &NextPositions, since: u64) -> Option<ChangesPage> {
    let next = serde_json::to_string(next).expect("numbers have a JSON form");
    let answer =
        AdminClient::of_running(settings)?.get("/changes", &[("next", &next), ("since", &since.to_string())]).await?;
    serde_json::from_slice(&answer).ok()
}
