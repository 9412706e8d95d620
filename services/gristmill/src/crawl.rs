//! `gristmill crawl`: one process from URLs to an index.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_browser::StartError;
use gristmill_fetcher::BrowserPool;
use gristmill_frontier::Frontier;
use gristmill_log::Log;
use gristmill_proto::topics::{self, groups};
use gristmill_runtime::admin::{self, ProcessHealth};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::lag_gauges::LagGauges;
use gristmill_runtime::shutdown;
use gristmill_scheduler::seeds::{Seed, parse_seeds, seed};
use gristmill_scheduler::{CrawlStatus, SchedulerExit, control, newest_rejects};
use gristmill_urls::{CrawlScope, ScopeConfig, ScopeRule, ScopeVerdict};
use prometheus::Registry;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::changes;
use crate::cli::CrawlArgs;
use crate::command_line;
use crate::crawl_summary::CrawlSummary;
use crate::explain;
use crate::failure::wrong_use;
use crate::pipeline::Pipeline;
use crate::progress::{CrawlProgressBar, CrawlStats};
use crate::seeds::seeds;
use crate::settings::Settings;
use crate::{admin_client, demo, progress, sites};

/// Crawls from the given URLs, goes on with what a data directory holds, or shows itself on the built-in site.
pub async fn run(args: CrawlArgs, mut settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal("pages in flight are finished first")?;
    let serving = CancellationToken::new();
    let mut seeds = seeds(&args.start)?;
    let resumes = settings.frontier_dir().is_dir();
    let is_new = !resumes && !settings.index_dir().is_dir();
    let is_for_show = is_new && !args.watch;
    let shows_itself =
        seeds.is_empty() && (is_for_show || settings.data == Path::new(DEMO_DATA) || was_demo(&settings));
    if shows_itself {
        seeds = parse_seeds(&[demo::serve(serving.clone()).await?])?;
        prepare_demo(&mut settings);
        tell!("no URL given: crawling the built-in site at {} into `{}`", seeds[0].url, settings.data.display());
    }
    anyhow::ensure!(
        resumes || shows_itself || !seeds.is_empty(),
        "`{}` holds no crawl to go on with: name a URL to start from",
        settings.data.display()
    );
    anyhow::ensure!(
        !args.again || settings.frontier_dir().is_dir(),
        "`--again` fetches once more what was fetched, but `{}` holds no crawl; `--data` names the directory of one",
        settings.data.display()
    );
    sites::send_headers(&mut settings, &seeds, &args.headers)?;
    // Before anything is made that a wrong setting would leave behind.
    settings.fetch.validate().map_err(|error| wrong_use(error.into()))?;
    warn_about(&settings, shows_itself);
    if let Some(scope) = &settings.frontier.scope {
        tell_of_excluded(&seeds, scope)?;
    }
    let how = How { again: args.again, demo: shows_itself, quiet: false };
    let outcome = crawl(&seeds, how, &settings, stop).await;
    serving.cancel();
    outcome?;
    if shows_itself {
        say!("\ntry:  {}", command_line::command(&settings, &["search", "water wheel"]));
        say!("      {}", command_line::command(&settings, &["search", "石磨豆腐"]));
        say!("      {}", command_line::command(&settings, &["serve"]));
    }
    Ok(())
}

/// Where the built-in site's corpus goes unless `--data` says otherwise.
const DEMO_DATA: &str = "gristmill-demo";

/// Whether the crawl in the data directory is one of the built-in site, wherever `--data` put it.
fn was_demo(settings: &Settings) -> bool {
    settings.last_status().is_some_and(|status| status["demo"] == true)
}

/// Of what kind a crawl is.
#[derive(Clone, Copy)]
struct How {
    /// Everything that came to its end is fetched once more.
    again: bool,
    /// It is the built-in site that is crawled.
    demo: bool,
    /// Nobody looks at its progress.
    quiet: bool,
}

/// Our own site on loopback needs neither the address guard nor a pause.
fn prepare_demo(settings: &mut Settings) {
    if settings.data == Settings::default().data {
        settings.data = DEMO_DATA.into();
    }
    settings.fetch.allow_private = true;
    settings.frontier.politeness.min_delay = std::time::Duration::ZERO;
    settings.frontier.politeness.ip_delay = std::time::Duration::ZERO;
}

fn warn_about(settings: &Settings, shows_itself: bool) {
    for site in settings.sites.iter().filter(|site| site.insecure) {
        let hosts = site.hosts.join(", ");
        tell!(
            "gristmill: certificates of {hosts} are not checked (`insecure` in `[[sites]]`): what comes from there may come from anybody"
        );
    }
    if settings.fetch.contact.is_empty() && !settings.fetch.allow_private && !shows_itself {
        tell!(
            "gristmill: `fetch.contact` is not set: site owners cannot reach you; \
             GRISTMILL__FETCH__CONTACT=https://… or mail address sets it"
        );
    }
}

/// Patterns are for links: what is given as a start URL is fetched whatever they say, and whoever gives both may not know.
fn tell_of_excluded(seeds: &[Seed], scope: &ScopeConfig) -> anyhow::Result<()> {
    let exclude = scope.exclude.clone();
    let patterns = CrawlScope::new(&ScopeConfig { rule: ScopeRule::Any, exclude, ..ScopeConfig::default() }, [])?;
    for seed in seeds.iter().take(TOLD_SEEDS) {
        if let ScopeVerdict::Excluded(pattern) = patterns.judge_anywhere(&seed.url, 0) {
            tell!(
                "gristmill: the pattern `{pattern}` (`--exclude`, `frontier.scope.exclude`) excludes the start URL {}, which is \
                 fetched all the same: leave it out if you do not want it",
                seed.url
            );
        }
    }
    Ok(())
}

/// Start URLs that are looked at for that.
const TOLD_SEEDS: usize = 100;

async fn crawl(seeds: &[Seed], how: How, settings: &Settings, stop: CancellationToken) -> anyhow::Result<()> {
    let _lock = lock(&settings.data)?;
    let before = progress::documents(settings);
    let (totals, ended) = work(seeds, how, settings, stop, |_| {}).await?;
    say!("{}", progress::summary(&totals, ended, before, settings));
    CrawlSummary { totals: &totals, ended, seeds, settings }.tell()
}

/// A crawl for a client, of at most `max_pages` beside those that earlier ones brought. It prints nothing.
///
/// # Errors
/// Another process works on the data directory, or a stage failed.
pub async fn for_client(
    seeds: &[Seed],
    mut settings: Settings,
    max_pages: u64,
    stop: CancellationToken,
    tell: impl Fn(&CrawlStatus) + Send + 'static,
) -> anyhow::Result<()> {
    let busy = "a crawl works on the corpus already, and one at a time can; ask again when it has ended";
    let _lock = try_lock(&settings.data)?.context(busy)?;
    let pages = max_pages.saturating_add(pages_before(&settings)?);
    settings.frontier.max_pages = Some(settings.frontier.max_pages.map_or(pages, |most| most.min(pages)));
    let how = How { again: false, demo: false, quiet: true };
    work(seeds, how, &settings, stop, tell).await.map(drop)
}

/// Pages that the data directory has of earlier crawls, which `frontier.max_pages` counts too.
fn pages_before(settings: &Settings) -> anyhow::Result<u64> {
    match settings.frontier_dir().is_dir() {
        true => Ok(Frontier::open(&settings.frontier_dir(), settings.frontier.clone())?.stats().pages_done),
        false => Ok(0),
    }
}

/// Where nothing is left to fetch of an earlier run, what failed then may come now.
fn ask_failed_again(settings: &Settings) -> anyhow::Result<()> {
    // A frontier with work is not opened twice: that takes seconds where it is large.
    if settings.last_status().is_none_or(|status| status["queued"] != 0) || !settings.frontier_dir().is_dir() {
        return Ok(());
    }
    let mut frontier = Frontier::open(&settings.frontier_dir(), settings.frontier.clone())?;
    let pages = frontier.stats().pages;
    let n_urls = if pages.queued + pages.retrying == 0 { frontier.failed_again(now_ms())? } else { 0 };
    if n_urls > 0 {
        tell!("{n_urls} URLs that failed by the network or by a fault of their server will be tried once more");
    }
    Ok(())
}

/// Runs all stages to the end. `tell` hears each half second at most how the crawl stands.
async fn work(
    seeds: &[Seed],
    how: How,
    settings: &Settings,
    stop: CancellationToken,
    tell: impl Fn(&CrawlStatus) + Send + 'static,
) -> anyhow::Result<(CrawlStats, SchedulerExit)> {
    if how.again {
        let mut frontier = Frontier::open(&settings.frontier_dir(), settings.frontier.clone())?;
        tell!("{} URLs will be fetched once more", frontier.again(now_ms())?);
    } else if !how.quiet {
        ask_failed_again(settings)?;
    }
    let registry = Registry::new();
    let health = ProcessHealth::default();
    let browsers = browsers(settings).await?;
    let draws = browsers.is_some();
    let pipeline = Pipeline::build(settings, browsers, &registry).await?;
    tell_of_captures(pipeline.log.as_ref(), settings).await?;
    seed(pipeline.log.as_ref(), seeds, now_ms()).await?;
    let asked = explain::routes(pipeline.explainer.clone(), pipeline.log.clone(), settings.clone())
        .merge(changes::routes(pipeline.log.clone()));
    let told = control::routes(Arc::new(pipeline.log.clone().into()), &admin_client::token(settings)?);
    let admin_stop = CancellationToken::new();
    let watch = |service| LagGauges::watch(pipeline.log.clone(), &registry, service);
    // What waits for a service that does not run here means nothing.
    let runs = |group: &&str| match *group {
        groups::SINK => false,
        groups::ARCHIVER => settings.fetcher.captures,
        groups::RENDERER => draws,
        _ => true,
    };
    let watched = groups::ALL.into_iter().filter(runs).map(watch).collect::<anyhow::Result<Vec<_>>>()?;
    let admin =
        admin::serve(&settings.admin, registry.clone(), health.clone(), asked.merge(told), admin_stop.clone()).await?;
    let rejects = newest_rejects::follow(&pipeline.log).await?;
    let telling = tokio::spawn(tell_changes(pipeline.status.clone(), tell));
    let progress =
        CrawlProgressBar::start(pipeline.status.clone(), rejects, registry, settings, admin, how.demo, how.quiet);
    let outcome = pipeline.run(&health, stop).await;
    drop(watched);
    let totals = progress.finish(outcome.as_ref().ok().copied()).await;
    totals.write(&settings.status_file());
    admin_stop.cancel();
    // Its source is gone by now.
    let _ = telling.await;
    Ok((totals, outcome?))
}

/// Tells of each change of `status`, with a pause between two, until there are no more.
async fn tell_changes(mut status: watch::Receiver<CrawlStatus>, tell: impl Fn(&CrawlStatus)) {
    loop {
        tell(&status.borrow_and_update());
        if status.changed().await.is_err() {
            return tell(&status.borrow());
        }
        tokio::time::sleep(TELL_EVERY).await;
    }
}

/// Pause between two of them.
const TELL_EVERY: Duration = Duration::from_millis(500);

/// The browsers of this crawl, if it may use any and there is one.
///
/// # Errors
/// All pages of some place are to be drawn, and there is none; or one is there and does not start.
async fn browsers(settings: &Settings) -> anyhow::Result<Option<BrowserPool>> {
    if !settings.extractor.renders() {
        return Ok(None);
    }
    match settings.rendering().browsers().await {
        Ok(browsers) => Ok(Some(browsers)),
        // `auto` does without, and tells at the end what was missed.
        Err(StartError::NotFound) if !settings.extractor.must_render() => Ok(None),
        Err(error) => Err(error).context("pages cannot be drawn, as `extractor.render` asks"),
    }
}

/// What a run with an archive left when it was killed stays in the log until the next one.
async fn tell_of_captures(log: &dyn Log, settings: &Settings) -> anyhow::Result<()> {
    let waiting = log.lag(groups::ARCHIVER, topics::CAPTURES).await?;
    if waiting > 0 && !settings.fetcher.captures {
        tell!("{waiting} captures of an earlier run are in no archive yet; `--archive DIR` writes them");
    }
    Ok(())
}

/// Longest wait for another process to let go of the data directory.
const LOCK_PATIENCE: Duration = Duration::from_secs(3);

/// Takes the data directory for this process. Who only reads it, as `changes` does, holds it for a moment.
pub fn lock(data: &Path) -> anyhow::Result<File> {
    let begun = Instant::now();
    loop {
        if let Some(lock) = try_lock(data)? {
            return Ok(lock);
        }
        anyhow::ensure!(
            begun.elapsed() < LOCK_PATIENCE,
            "another gristmill is crawling into `{}`; wait for it, or set another directory with `--data`",
            data.display()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Takes the data directory; none where another process has it.
pub fn try_lock(data: &Path) -> anyhow::Result<Option<File>> {
    std::fs::create_dir_all(data).with_context(|| format!("cannot create the data directory `{}`", data.display()))?;
    let path = data.join("lock");
    let file = File::create(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock `{}`", path.display())),
    }
}
