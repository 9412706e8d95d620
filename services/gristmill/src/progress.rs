//! What a person sees while a crawl runs, and the summary at its end.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use gristmill_index::IndexReader;
use gristmill_scheduler::newest_rejects::RejectedPage;
use gristmill_scheduler::timeline::{CrawlCounts, Timeline};
use gristmill_scheduler::{CrawlStatus, SchedulerExit};
use indicatif::{ProgressBar, ProgressStyle};
use prometheus::Registry;
use serde::Serialize;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::settings::Settings;
use gristmill_runtime::clock::now_ms;

const TICK: Duration = Duration::from_millis(500);

/// Without a terminal a line is enough now and then.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Troubles told one by one while nothing came yet.
const TOLD_TROUBLES: usize = 5;

/// The numbers of this run and the state of the whole crawl; `status.json` holds them.
#[derive(Debug, Clone, Default, Serialize)]
pub struct CrawlStats {
    pub state: &'static str,
    /// Whether the built-in site is crawled, which nobody serves else.
    pub demo: bool,
    pub pid: u32,
    /// Address of the admin port, for `gristmill explain`.
    pub admin: String,
    /// Unix seconds.
    pub started_at: u64,
    pub updated_at: u64,
    /// Pages of this run; robots.txt, sitemaps and feeds are among `outcomes` only.
    pub fetched: u64,
    pub documents: u64,
    pub rejected: u64,
    /// Pages of this run that ask not to be indexed.
    pub noindex: u64,
    /// Pages of this run without a text.
    pub empty: u64,
    /// Those of them that keep the text of an earlier visit.
    pub emptied: u64,
    /// Pages of this run that needed a browser where there was none.
    pub missed: u64,
    /// What browsers did in this run: orders by result, rendered pages by when they were taken (`ended_…`), by what they
    /// added (`added`, `no_gain`), and those that came out otherwise a second time (`differs`).
    pub renders: BTreeMap<String, u64>,
    pub bytes: u64,
    pub pages_per_second: f64,
    /// The last hour of this run by minutes, and the last day by ten.
    pub hour: Timeline,
    pub day: Timeline,
    /// Pages that gave no document, newest first.
    pub newest_rejects: VecDeque<RejectedPage>,
    /// Processor seconds of this run by stage; `other` is sockets, unpacking, log and index.
    pub cpu_seconds: BTreeMap<&'static str, f64>,
    #[serde(flatten)]
    pub crawl: CrawlStatus,
    /// Orders given in this run; as many as outcomes, save for those in flight at its ends.
    pub orders: u64,
    /// Finished orders of this run by outcome.
    pub outcomes: BTreeMap<String, u64>,
    /// Links of this run that were not taken, by reason; one on many pages counts each time.
    pub left_out: BTreeMap<String, u64>,
    #[serde(skip)]
    pub seconds: f64,
}

/// Shows progress until it is finished.
pub struct CrawlProgressBar {
    stop: CancellationToken,
    task: JoinHandle<CrawlStats>,
}

struct Display {
    status: watch::Receiver<CrawlStatus>,
    registry: Registry,
    file: PathBuf,
    totals: CrawlStats,
    begun: Instant,
    cpu: ProcessTime,
    bar: Option<ProgressBar>,
    last_line: Instant,
    /// Pages fetched at the last looks, for the present speed.
    window: VecDeque<(Instant, u64)>,
    rejects: watch::Receiver<VecDeque<RejectedPage>>,
    /// How many troubles were told.
    n_told: usize,
    /// Whether nobody looks.
    is_quiet: bool,
}

impl CrawlProgressBar {
    /// Starts to show what `status` and the metrics of `registry` say, and to write the status file.
    pub fn start(
        status: watch::Receiver<CrawlStatus>,
        rejects: watch::Receiver<VecDeque<RejectedPage>>,
        registry: Registry,
        settings: &Settings,
        admin: SocketAddr,
        demo: bool,
        is_quiet: bool,
    ) -> Self {
        let totals = CrawlStats {
            state: "running",
            demo,
            pid: std::process::id(),
            admin: admin.to_string(),
            started_at: now_ms() / 1000,
            hour: Timeline::new(60, 60),
            day: Timeline::new(600, 144),
            ..CrawlStats::default()
        };
        let bar = (!is_quiet && std::io::stderr().is_terminal()).then(bar);
        let (file, begun) = (settings.status_file(), Instant::now());
        let window = VecDeque::new();
        let cpu = ProcessTime::now();
        let mut display = Display {
            status,
            registry,
            file,
            totals,
            begun,
            cpu,
            bar,
            last_line: begun,
            window,
            rejects,
            n_told: 0,
            is_quiet,
        };
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            let mut tick = tokio::time::interval(TICK);
            loop {
                tokio::select! {
                    _ = tick.tick() => display.show(),
                    () = stopped.cancelled() => {
                        // On a busy machine the last turn may have been long before the end.
                        display.show();
                        return std::mem::take(&mut display.totals);
                    }
                }
            }
        });
        Self { stop, task }
    }

    /// Stops showing, writes the last status, and returns the final numbers.
    pub async fn finish(self, ended: Option<SchedulerExit>) -> CrawlStats {
        tokio::time::sleep(TICK).await;
        self.stop.cancel();
        let mut totals = self.task.await.unwrap_or_default();
        totals.state = match ended {
            Some(SchedulerExit::Drained) => "finished",
            Some(SchedulerExit::LimitReached) => "limit reached",
            Some(SchedulerExit::Stopped) => "stopped",
            None => "failed",
        };
        totals
    }
}

impl CrawlStats {
    /// Writes the status file, whole or not at all. A full disk must not stop the crawl, so a failure is only logged.
    pub fn write(&self, file: &std::path::Path) {
        if let Err(error) = write_status(self, file) {
            tracing::warn!(%error, file = %file.display(), "status not written");
        }
    }
}

/// Replaces a status file by another, whole or not at all.
pub fn write_status(status: &impl serde::Serialize, file: &std::path::Path) -> std::io::Result<()> {
    let draft = file.with_extension("json.new");
    let text = serde_json::to_string_pretty(status).expect("numbers and strings have a JSON form");
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, file)
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise}  {msg}") {
        bar.set_style(style);
    }
    bar
}

impl Display {
    fn show(&mut self) {
        self.collect();
        self.totals.write(&self.file);
        if self.is_quiet {
            return;
        }
        self.tell_troubles();
        let line = line(&self.totals);
        if let Some(bar) = &self.bar {
            bar.set_message(line);
            bar.tick();
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            tell!("{line}");
        }
    }

    /// As long as nothing came, a person wants to know what is waited for.
    fn tell_troubles(&mut self) {
        let troubles = &self.totals.crawl.troubles;
        if self.totals.fetched > 0 || self.n_told >= TOLD_TROUBLES {
            return;
        }
        for trouble in troubles.iter().skip(self.n_told).take(TOLD_TROUBLES - self.n_told) {
            let what = trouble.error.clone().unwrap_or_else(|| match trouble.status {
                0 => format!("`{}`: {}", trouble.url, trouble.outcome.replace('_', " ")),
                status => format!("`{}` answers with status {status}", trouble.url),
            });
            let again = if trouble.again { "; it is tried again (`frontier.retry` says how often)" } else { "" };
            let told = format!("gristmill: {what}{again}");
            match &self.bar {
                Some(bar) => bar.println(told),
                None => tell!("{told}"),
            }
        }
        self.n_told = troubles.len().max(self.n_told);
    }

    /// The metrics are the one place where things are counted.
    fn collect(&mut self) {
        let mut totals = std::mem::take(&mut self.totals);
        totals.crawl = self.status.borrow().clone();
        (totals.orders, totals.missed) = (0, 0);
        totals.renders.clear();
        for family in self.registry.gather() {
            for metric in family.get_metric() {
                let value = metric.get_counter().get_value() as u64;
                let labels = metric.get_label();
                let label = labels.iter().find(|label| label.name() == "result").or(labels.first());
                let label = label.map_or("", |label| label.value());
                match (family.name(), label) {
                    ("gristmill_fetches_total", outcome) => drop(totals.outcomes.insert(outcome.to_owned(), value)),
                    ("gristmill_fetched_pages_total", _) => totals.fetched = value,
                    ("gristmill_orders_total", _) => totals.orders += value,
                    ("gristmill_index_documents_total", "upsert") => totals.documents = value,
                    ("gristmill_index_documents_total", "emptied") => totals.emptied = value,
                    ("gristmill_extract_pages_total", "reject") => totals.rejected = value,
                    ("gristmill_extract_pages_total", "noindex") => totals.noindex = value,
                    ("gristmill_extract_pages_total", "empty") => totals.empty = value,
                    ("gristmill_offered_links_total", reason) if !matches!(reason, "new" | "known") => {
                        _ = totals.left_out.insert(reason.to_owned(), value);
                    }
                    ("gristmill_nofollow_links_total", _) => drop(totals.left_out.insert("nofollow".to_owned(), value)),
                    ("gristmill_fetched_bytes_total", _) => totals.bytes = value,
                    ("gristmill_pages_need_browser_total", "no_browser") => totals.missed += value,
                    ("gristmill_renders_total" | "gristmill_rendered_pages_total", result) => {
                        *totals.renders.entry(result.to_owned()).or_default() += value;
                    }
                    ("gristmill_renders_twice_total", "differs") => {
                        _ = totals.renders.insert("differs".to_owned(), value);
                    }
                    ("gristmill_renders_ended_total", ended) => {
                        _ = totals.renders.insert(format!("ended_{ended}"), value);
                    }
                    ("gristmill_read_cpu_seconds_total", _) => cpu(&mut totals, "read", metric),
                    ("gristmill_extract_cpu_seconds_total", _) => cpu(&mut totals, "extract", metric),
                    ("gristmill_frontier_cpu_seconds_total", _) => cpu(&mut totals, "frontier", metric),
                    _ => {}
                }
            }
        }
        let known: f64 = ["read", "extract", "frontier"].iter().filter_map(|stage| totals.cpu_seconds.get(stage)).sum();
        let all = self.cpu.elapsed().as_secs_f64();
        totals.cpu_seconds.insert("other", (all - known).max(0.0));
        totals.outcomes.retain(|_, count| *count > 0);
        totals.left_out.retain(|_, count| *count > 0);
        totals.renders.retain(|_, count| *count > 0);
        totals.seconds = self.begun.elapsed().as_secs_f64();
        totals.updated_at = now_ms() / 1000;
        self.window.push_back((Instant::now(), totals.fetched));
        if self.window.len() > 10 {
            self.window.pop_front();
        }
        if let (Some(first), Some(last)) = (self.window.front(), self.window.back()) {
            let seconds = last.0.duration_since(first.0).as_secs_f64();
            totals.pages_per_second = if seconds > 0.0 { (last.1 - first.1) as f64 / seconds } else { 0.0 };
        }
        let counts = CrawlCounts {
            pages: totals.fetched,
            queued: totals.crawl.queued,
            cpu_seconds: totals.cpu_seconds.iter().map(|(stage, seconds)| (*stage, *seconds)).collect(),
        };
        totals.hour.note(self.begun.elapsed().as_secs(), counts.clone());
        totals.day.note(self.begun.elapsed().as_secs(), counts);
        totals.newest_rejects.clone_from(&self.rejects.borrow());
        self.totals = totals;
    }
}

fn cpu(totals: &mut CrawlStats, stage: &'static str, metric: &prometheus::proto::Metric) {
    totals.cpu_seconds.insert(stage, metric.get_counter().get_value());
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn line(totals: &CrawlStats) -> String {
    let crawl = &totals.crawl;
    let mut line = format!(
        "{} fetched · {} queued · {} failed · {} indexed · {:.1} pages/s",
        totals.fetched, crawl.queued, crawl.failed, totals.documents, totals.pages_per_second
    );
    if let Some(rendered) = totals.renders.get("rendered") {
        let of = |name: &str| totals.renders.get(name).copied().unwrap_or(0);
        let _ = write!(line, " · {rendered} rendered, {} added", of("added"));
    }
    if crawl.paused.iter().any(String::is_empty) {
        let _ = write!(line, " · paused; `gristmill resume` goes on");
    } else if let Some(host) = crawl.hosts.first() {
        let _ = write!(line, " · {host}");
        if crawl.hosts.len() > 1 {
            let _ = write!(line, " and {} more", crawl.hosts.len() - 1);
        }
    } else if let Some(wait) = wait(crawl, now_ms()) {
        let _ = write!(line, " · {wait}");
    }
    line
}

/// When a crawl goes on that asks for nothing now, so that nobody takes it for stuck.
fn wait(crawl: &CrawlStatus, now: u64) -> Option<String> {
    let ahead = crawl.next_turn?.checked_sub(now).filter(|ahead| *ahead > 0)?.div_ceil(1000);
    Some(format!("next request in {}", humantime::format_duration(Duration::from_secs(ahead))))
}

/// How many documents are in the index; none if there is no index.
pub fn documents(settings: &Settings) -> u64 {
    IndexReader::open(&settings.index_dir()).map_or(0, |reader| reader.count())
}

/// The last words of a crawl, before which there were so many documents in the index.
pub fn summary(totals: &CrawlStats, ended: SchedulerExit, before: u64, settings: &Settings) -> String {
    let documents = documents(settings);
    let new = documents.saturating_sub(before);
    let crawl = &totals.crawl;
    let how = match ended {
        SchedulerExit::Drained => "finished",
        SchedulerExit::LimitReached => "reached its page limit",
        SchedulerExit::Stopped => "stopped",
    };
    let speed = if totals.seconds > 0.0 { totals.fetched as f64 / totals.seconds } else { 0.0 };
    let mut text = format!("the crawl {how} after {:.1} s\n", totals.seconds);
    let _ = writeln!(
        text,
        "  this run     {} pages fetched ({speed:.1} pages/s, {:.1} MB), {new} new documents indexed{}{}{}, {} rejected",
        totals.fetched,
        totals.bytes as f64 / 1e6,
        and(totals.documents.saturating_sub(new), "written again"),
        and(before.saturating_sub(documents), "fewer than before"),
        and(totals.noindex, "not to be indexed"),
        totals.rejected
    );
    let _ = writeln!(
        text,
        "  whole crawl  {} URLs known: {} done, {} queued, {} redirected, {} disallowed, {} failed",
        crawl.known, crawl.done, crawl.queued, crawl.redirected, crawl.disallowed, crawl.failed
    );
    if crawl.nothing_new > 0 {
        let n = crawl.nothing_new;
        let _ = writeln!(text, "  not fetched  {n} URLs, since others like them brought nothing new");
    }
    let outcomes: Vec<String> = totals.outcomes.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if !outcomes.is_empty() {
        let _ = writeln!(text, "  outcomes     {}", outcomes.join(", "));
    }
    let left_out: Vec<String> =
        totals.left_out.iter().map(|(name, count)| format!("{} {count}", name.replace('_', " "))).collect();
    if !left_out.is_empty() {
        let _ = writeln!(text, "  left out     links: {} (`gristmill explain URL` tells why)", left_out.join(", "));
    }
    if !totals.renders.is_empty() {
        let of = |name: &str| totals.renders.get(name).copied().unwrap_or(0);
        let ended = ["rendered", "added", "no_gain", "ended_loaded", "ended_quiet", "ended_cap"];
        let failed = totals.renders.iter().filter(|(name, _)| !ended.contains(&name.as_str()));
        let failed: String = failed.map(|(name, count)| format!(", {} {count}", name.replace('_', " "))).collect();
        let (rendered, added, no_gain, cap) = (of("rendered"), of("added"), of("no_gain"), of("ended_cap"));
        let _ = writeln!(
            text,
            "  browser      {rendered} pages rendered: {added} added, {no_gain} without gain, {cap} cut off at the longest wait{failed}"
        );
    }
    let pages = totals.fetched.max(1) as f64;
    let cpu: Vec<String> =
        totals.cpu_seconds.iter().map(|(stage, seconds)| format!("{stage} {:.2}", seconds * 1000.0 / pages)).collect();
    let all: f64 = totals.cpu_seconds.values().sum();
    let _ = writeln!(text, "  processor    {all:.1} s; ms a page: {}", cpu.join(", "));
    let _ = write!(text, "  index        {documents} documents in `{}`", settings.index_dir().display());
    text
}

/// Documents that were there, and are written anew, as they were fetched again or drawn after they were read, or are gone, and pages that
/// ask to be none; nothing of none.
fn and(n: u64, what: &str) -> String {
    if n == 0 { String::new() } else { format!(", {n} {what}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_that_asks_for_nothing_says_when_it_goes_on() {
        let mut crawl = CrawlStatus { next_turn: Some(310_500), ..CrawlStatus::default() };
        assert_eq!(wait(&crawl, 500).unwrap(), "next request in 5m 10s");
        assert_eq!(wait(&crawl, 310_500), None);
        crawl.hosts = vec!["mill.example".to_owned()];
        crawl.next_turn = Some(u64::MAX);
        assert!(line(&CrawlStats { crawl, ..CrawlStats::default() }).ends_with("pages/s · mill.example"));
    }
}
