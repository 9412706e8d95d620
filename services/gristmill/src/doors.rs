//! What the doors for programs are given: crawls, changes and a browser of this program; and `gristmill mcp`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use gristmill_archiver::ArchiverConfig;
use gristmill_browser::{RenderMode, RenderRequest, ScreenshotOptions};
use gristmill_doors::{
    CrawlOrder, CrawlProgress, CrawlReach, DoorBackend, DoorService, DrawOrder, DrawnPage, ScreenshotOrder, serve_stdio,
};
use gristmill_fetcher::FetcherConfig;
use gristmill_log::{LogConfig, LogEngine};
use gristmill_runtime::admin::AdminConfig;
use gristmill_runtime::blobs::BlobsConfig;
use gristmill_runtime::shutdown;
use gristmill_scheduler::CrawlStatus;
use gristmill_scheduler::seeds::{Seed, parse_seeds};
use gristmill_searcher::{ExtractConfig, ExtractService, Metrics, Searcher};
use gristmill_sink::SinkConfig;
use gristmill_urls::ScopeRule;
use prometheus::Registry;
use serde_json::Value;
use tokio::sync::{Mutex, watch};
use tokio_util::sync::CancellationToken;

use crate::render::{LocalRenderer, request};
use crate::settings::Settings;
use crate::{changes, crawl, sites};

/// How long an archive of such a crawl is open: its documents come when it is finished.
const ARCHIVE_OPEN: Duration = Duration::from_secs(2);

/// Memory of the index of a crawl that is thrown away.
const SMALL_HEAP: u64 = 20_000_000;

/// `gristmill mcp`: speaks with an agent on standard input and output.
pub async fn mcp(settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal("calls in flight are answered first")?;
    let metrics = Metrics::register(&Registry::new())?;
    let searcher = Searcher::new(settings.index_dir(), settings.status_file(), &settings.searcher, metrics.clone());
    serve_stdio(&service(&settings, searcher, metrics)?, stop).await
}

/// What stands behind the doors.
pub fn service(settings: &Settings, searcher: Searcher, metrics: Metrics) -> anyhow::Result<DoorService> {
    settings.doors.check().map_err(anyhow::Error::msg)?;
    let reader = gristmill_extractor::page_reader(&settings.extractor, &settings.records)?;
    let fetching = ExtractConfig { fetch: true, ..settings.searcher.extract.clone() };
    let pages = ExtractService::new(&fetching, reader, &settings.fetch, metrics)?;
    let backend = Arc::new(ProgramBackend { settings: settings.clone(), renderer: Mutex::new(None) });
    Ok(DoorService::new(&settings.doors, searcher, pages, backend, &settings.data))
}

/// This program behind the doors.
struct ProgramBackend {
    settings: Settings,
    /// Started when it is first needed; draws one page at a time.
    renderer: Mutex<Option<LocalRenderer>>,
}

#[async_trait]
impl DoorBackend for ProgramBackend {
    async fn crawl(
        &self,
        order: CrawlOrder,
        progress: watch::Sender<CrawlProgress>,
        stop: CancellationToken,
    ) -> anyhow::Result<()> {
        let seeds = parse_seeds(&order.seeds)?;
        let settings = crawl_settings(&self.settings, &order, &seeds)?;
        if order.folder.is_none() {
            anyhow::ensure!(
                settings.log.engine != LogEngine::Kafka,
                "crawls over Kafka are started by `gristmill seed`: no door can"
            );
        }
        crawl::for_client(&seeds, settings, order.max_pages, stop, move |status| {
            progress.send_replace(progress_of(status));
        })
        .await
    }

    async fn changes(&self, since: Option<&str>, limit: usize) -> anyhow::Result<Vec<Value>> {
        changes::newest(&self.settings, since, limit).await
    }

    async fn draw(
        &self,
        bytes: &[u8],
        content_type: Option<&str>,
        url: &str,
        order: DrawOrder,
    ) -> anyhow::Result<DrawnPage> {
        let mut renderer = self.renderer.lock().await;
        if renderer.is_none() {
            *renderer = Some(LocalRenderer::start(RenderMode::Scripts, &self.settings, None).await?);
        }
        let renderer = renderer.as_mut().context("there is no browser")?;
        let pictured = |ScreenshotOrder { full_page, quality }| ScreenshotOptions { full_page, quality };
        let page = RenderRequest {
            screenshot: order.screenshot.map(pictured),
            is_mobile: order.is_mobile,
            ..request(bytes, content_type, Some(url))
        };
        let drawn = renderer.draw(&page).await.outcome?;
        Ok(DrawnPage { html: drawn.html, screenshot: drawn.screenshot.map(Into::into) })
    }
}

/// The settings of a crawl for a client: those in force, but for what its order says.
fn crawl_settings(settings: &Settings, order: &CrawlOrder, seeds: &[Seed]) -> anyhow::Result<Settings> {
    let mut settings = settings.clone();
    settings.admin = AdminConfig::default();
    settings.frontier.recrawl.enabled = false;
    if let Some(folder) = &order.folder {
        apart(&mut settings, folder);
    }
    let scope = settings.frontier.scope.get_or_insert_default();
    (scope.rule, scope.follow) = match order.reach {
        CrawlReach::Listed => (ScopeRule::Any, false),
        CrawlReach::Prefix => (ScopeRule::Prefix, true),
        CrawlReach::Host => (ScopeRule::Host, true),
        CrawlReach::Domain => (ScopeRule::Domain, true),
        CrawlReach::Any => (ScopeRule::Any, true),
    };
    scope.max_depth = order.max_depth.or(scope.max_depth);
    scope.include.extend(order.include.iter().cloned());
    scope.exclude.extend(order.exclude.iter().cloned());
    let robots = &mut settings.frontier.robots;
    robots.sitemaps &= !order.without_sitemaps;
    robots.guess_sitemap &= !order.without_sitemaps;
    let politeness = &mut settings.frontier.politeness;
    if let Some(delay) = order.delay.filter(|delay| *delay > politeness.min_delay) {
        politeness.min_delay = delay;
        politeness.max_crawl_delay = politeness.max_crawl_delay.max(delay);
    }
    sites::send_headers(&mut settings, seeds, &order.headers)?;
    Ok(settings)
}

/// A crawl with stores of its own, which tells nobody, and keeps what it fetches in an archive.
fn apart(settings: &mut Settings, folder: &Path) {
    settings.data = folder.join("data");
    settings.fetcher = FetcherConfig { captures: true, ..settings.fetcher.clone() };
    settings.archiver =
        ArchiverConfig { dir: folder.join("archive"), rotate_after: ARCHIVE_OPEN, ..ArchiverConfig::default() };
    (settings.log, settings.blobs, settings.sink) =
        (LogConfig::default(), BlobsConfig::default(), SinkConfig::default());
    settings.alerts.clear();
    settings.frontier.max_pages = None;
    settings.index.heap_bytes = settings.index.heap_bytes.min(SMALL_HEAP);
}

fn progress_of(status: &CrawlStatus) -> CrawlProgress {
    let problems = status.troubles.iter().map(|trouble| (trouble.url.clone(), trouble.outcome.to_owned()));
    let done = status.done + status.failed + status.disallowed + status.redirected + status.nothing_new;
    CrawlProgress { done, known: status.known.max(done), problems: problems.collect() }
}
