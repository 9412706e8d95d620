//! Every setting of every part, in one file and one struct.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_archiver::ArchiverConfig;
use gristmill_browser::BrowserConfig as BrowserSettings;
use gristmill_dataset::output::block_lists;
use gristmill_doors::DoorsConfig;
use gristmill_extractor::{ExtractorConfig, RecordsConfig};
use gristmill_fetch::{FetchConfig, PDF};
use gristmill_fetcher::{FetcherConfig, RendererConfig};
use gristmill_frontier::FrontierConfig;
use gristmill_index::IndexConfig;
use gristmill_indexer::IndexerConfig;
use gristmill_log::LogConfig;
use gristmill_robots::Agent;
use gristmill_runtime::admin::AdminConfig;
use gristmill_runtime::blobs::BlobsConfig;
use gristmill_runtime::process::DATA;
use gristmill_runtime::settings::Override;
use gristmill_runtime::telemetry::TelemetryConfig;
use gristmill_scheduler::SchedulerConfig;
use gristmill_searcher::SearcherConfig;
use gristmill_secrets::Secret;
use gristmill_sink::{AlertConfig, SinkConfig};
use gristmill_subresources::SubresourcesConfig;
use serde::{Deserialize, Serialize};

use crate::cli::{Cli, Command, CrawlArgs, ScopeArg};
use crate::failure::wrong_use;
use crate::sites::{self, SiteSettings};

/// The settings of the whole process; each part documents its own.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Where the corpus lives. Default: `gristmill-data`.
    pub data: PathBuf,
    /// Product token, for `User-Agent`, robots.txt, robots directives. Default: `gristmill`.
    pub agent: Agent,
    /// Rules for single sites. Default: none.
    pub sites: Vec<SiteSettings>,
    pub telemetry: TelemetryConfig,
    pub admin: AdminConfig,
    pub log: LogConfig,
    pub blobs: BlobsConfig,
    pub scheduler: SchedulerConfig,
    pub frontier: FrontierConfig,
    pub fetcher: FetcherConfig,
    pub fetch: FetchConfig,
    pub browser: BrowserSettings,
    pub subresources: SubresourcesConfig,
    pub renderer: RendererConfig,
    pub extractor: ExtractorConfig,
    pub records: RecordsConfig,
    pub indexer: IndexerConfig,
    pub index: IndexConfig,
    pub searcher: SearcherConfig,
    pub doors: DoorsConfig,
    pub sink: SinkConfig,
    pub archiver: ArchiverConfig,
    /// Who is told of which changes. Default: nobody.
    pub alerts: Vec<AlertConfig>,
    /// The file that `--config` named, for hints.
    #[serde(skip)]
    pub file: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            data: DATA.into(),
            agent: Agent::default(),
            sites: Vec::new(),
            telemetry: TelemetryConfig::default(),
            admin: AdminConfig::default(),
            log: LogConfig::default(),
            blobs: BlobsConfig::default(),
            scheduler: SchedulerConfig::default(),
            frontier: FrontierConfig::default(),
            fetcher: FetcherConfig::default(),
            fetch: FetchConfig::default(),
            browser: BrowserSettings::default(),
            subresources: SubresourcesConfig::default(),
            renderer: RendererConfig::default(),
            extractor: ExtractorConfig::default(),
            records: RecordsConfig::default(),
            indexer: IndexerConfig::default(),
            index: IndexConfig::default(),
            searcher: SearcherConfig::default(),
            doors: DoorsConfig::default(),
            sink: SinkConfig::default(),
            archiver: ArchiverConfig::default(),
            alerts: Vec::new(),
            file: None,
        }
    }
}

impl Settings {
    pub fn index_dir(&self) -> PathBuf {
        self.data.join("index")
    }

    pub fn frontier_dir(&self) -> PathBuf {
        self.data.join("frontier")
    }

    /// The settings of a frontier that gives orders, with what stands in its block lists.
    ///
    /// # Errors
    /// A list that cannot be read.
    pub fn frontier_config(&self) -> anyhow::Result<FrontierConfig> {
        let block_list = block_lists(&self.frontier.block).context("`frontier.block`")?;
        Ok(FrontierConfig { block_list: Arc::new(block_list), ..self.frontier.clone() })
    }

    /// What a renderer is built of.
    pub fn rendering(&self) -> gristmill_fetcher::RendererSettings<'_> {
        gristmill_fetcher::RendererSettings {
            renderer: &self.renderer,
            fetcher: &self.fetcher,
            fetch: &self.fetch,
            browser: &self.browser,
            subresources: &self.subresources,
        }
    }

    /// Whether documents are handed on to another engine.
    pub fn has_sink(&self) -> bool {
        self.sink.topic || !self.sink.bulk.url.is_empty()
    }

    /// How far each archive is imported.
    pub fn imports_file(&self) -> PathBuf {
        self.data.join("import.jsonl")
    }

    /// What a running crawl says of itself, for `serve` and `explain`.
    pub fn status_file(&self) -> PathBuf {
        self.data.join("status.json")
    }

    /// What the last crawl said of itself, if one did.
    pub fn last_status(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&std::fs::read(self.status_file()).ok()?).ok()
    }
}

/// Reads all layers; flags win.
pub fn load(cli: &Cli) -> anyhow::Result<Settings> {
    let mut flags: Vec<Override> = Vec::new();
    if let Some(data) = &cli.data {
        flags.push(("data", text(data)?));
    }
    if let Some(filter) = &cli.log {
        flags.push(("telemetry.filter", filter.clone()));
    }
    match &cli.command {
        Command::Crawl(args) => {
            let alone = [("--every", args.every.is_some()), ("--budget", args.budget.is_some())];
            if let Some((flag, _)) = alone.iter().find(|(_, given)| *given && !args.watch) {
                return Err(wrong_use(anyhow::anyhow!("`{flag}` goes with `--watch`, or with `gristmill watch`")));
            }
            crawl_flags(args, &mut flags)?;
            if args.watch {
                watch_flags(args, &mut flags)?;
            }
        }
        Command::Watch(args) => {
            crawl_flags(args, &mut flags)?;
            watch_flags(args, &mut flags)?;
        }
        Command::Serve(args) => {
            flags.extend(args.listen.as_ref().map(|listen| ("searcher.listen", listen.to_string())));
            flags.extend(args.extract.then(|| ("searcher.extract.enabled", "true".into())));
            flags.extend(args.mcp.then(|| ("doors.mcp", "true".into())));
            flags.extend(args.firecrawl.then(|| ("doors.firecrawl", "true".into())));
            flags.extend(args.allow_private.then(|| ("fetch.allow_private", "true".into())));
        }
        Command::Import(args) if args.allow_private => flags.push(("fetch.allow_private", "true".into())),
        Command::Dataset(args) if args.allow_private => flags.push(("fetch.allow_private", "true".into())),
        Command::Extract(args) if args.allow_private => flags.push(("fetch.allow_private", "true".into())),
        _ => {}
    }
    let mut settings: Settings = gristmill_runtime::settings::load(cli.config.as_deref(), &flags)?;
    if settings.data.as_os_str().is_empty() {
        return Err(wrong_use(anyhow::anyhow!(
            "`--data` (setting `data`) is empty: it names the directory of the corpus"
        )));
    }
    settings.file.clone_from(&cli.config);
    let agent = &settings.agent;
    settings.fetch.agent = agent.clone();
    settings.fetch.max_connections = crate::file_handles::half();
    settings.fetcher.agent = agent.clone();
    settings.fetcher.retries_cut_pages = settings.frontier.retry.protocol > 0;
    settings.frontier.robots.agent = agent.clone();
    settings.extractor.agent = agent.clone();
    if let Command::Crawl(args) | Command::Watch(args) = &cli.command {
        request_flags(args, &mut settings);
        settings.frontier.block.extend(args.block.iter().cloned());
    }
    if settings.extractor.pdf {
        settings.frontier.pdf = true;
        let accept = &mut settings.fetch.accept;
        accept.extend((!accept.iter().any(|type_| type_ == PDF)).then(|| PDF.to_owned()));
    }
    sites::distribute(&mut settings)?;
    Ok(settings)
}

fn crawl_flags(args: &CrawlArgs, flags: &mut Vec<Override>) -> anyhow::Result<()> {
    if let Some(scope) = args.scope {
        let name = match scope {
            ScopeArg::Host => "host",
            ScopeArg::Domain => "domain",
            ScopeArg::Prefix => "prefix",
            ScopeArg::Any => "any",
        };
        flags.push(("frontier.scope.rule", name.into()));
    }
    if args.no_follow {
        flags.push(("frontier.scope.follow", "false".into()));
        // What a sitemap or feed lists may stand anywhere, and nothing leads further from there.
        if args.scope.is_none() {
            flags.push(("frontier.scope.rule", "any".into()));
        }
    }
    flags.extend(args.max_pages.map(|pages| ("frontier.max_pages", pages.to_string())));
    flags.extend(args.max_depth.map(|depth| ("frontier.scope.max_depth", depth.to_string())));
    if let Some(delay) = &args.delay {
        delay_flags(delay, flags)?;
    }
    if args.allow_private {
        flags.push(("fetch.allow_private", "true".into()));
    }
    flags.extend(args.render.as_ref().map(|render| ("extractor.render", render.as_str().into())));
    if let Some(place) = &args.archive {
        let key = if place.starts_with("s3://") { "archiver.bucket" } else { "archiver.dir" };
        flags.extend([("fetcher.captures", "true".into()), (key, place.clone())]);
    }
    flags.extend(args.screenshot.then(|| ("renderer.screenshots", "true".into())));
    Ok(())
}

/// What goes into lists and tables: patterns of the scope, and how requests are made.
fn request_flags(args: &CrawlArgs, settings: &mut Settings) {
    if !args.include.is_empty() || !args.exclude.is_empty() {
        let scope = settings.frontier.scope.get_or_insert_default();
        scope.include.extend(args.include.iter().cloned());
        scope.exclude.extend(args.exclude.iter().cloned());
    }
    if let Some(agent) = &args.user_agent {
        settings.fetch.headers.insert("User-Agent".into(), Secret::new(agent));
    }
    if let Some(proxy) = &args.proxy {
        settings.fetch.proxy = Some(proxy.as_str().into());
    }
}

/// The settings of a crawl that comes back for what is new.
fn watch_flags(args: &CrawlArgs, flags: &mut Vec<Override>) -> anyhow::Result<()> {
    flags.push(("frontier.recrawl.enabled", "true".into()));
    flags.push(("frontier.recrawl.sources", args.every.clone().unwrap_or_else(|| "2m".into())));
    if let Some(budget) = args.budget {
        delay_flags(&format!("{}ms", 3_600_000 / budget.get()), flags)?;
    }
    Ok(())
}

/// A pause between two requests, and what must not be longer or shorter than it.
fn delay_flags(delay: &str, flags: &mut Vec<Override>) -> anyhow::Result<()> {
    let parsed: Duration = delay.parse::<humantime::Duration>()?.into();
    let politeness = FrontierConfig::default().politeness;
    flags.push(("frontier.politeness.min_delay", delay.to_owned()));
    if parsed < politeness.ip_delay {
        flags.push(("frontier.politeness.ip_delay", delay.to_owned()));
    }
    if parsed > politeness.max_crawl_delay {
        flags.push(("frontier.politeness.max_crawl_delay", delay.to_owned()));
    }
    Ok(())
}

fn text(path: &Path) -> anyhow::Result<String> {
    path.to_str().map(str::to_owned).with_context(|| format!("`{}` is not valid UTF-8", path.display()))
}

/// Prints the settings in force.
///
/// # Errors
/// Those that break a rule.
pub fn show(settings: &Settings) -> anyhow::Result<()> {
    use std::io::Write;
    write!(std::io::stdout(), "{}{}", toml::to_string_pretty(settings)?, sites::KEYS)?;
    check(settings)
}

/// Runs every check of settings that the parts of a crawl run when they start, and opens nothing.
///
/// # Errors
/// All that break a rule.
fn check(settings: &Settings) -> anyhow::Result<()> {
    let Settings { frontier, sink, .. } = settings;
    let scope = || gristmill_urls::CrawlScope::new(&frontier.scope.clone().unwrap_or_default(), []).map(drop);
    let checks: [anyhow::Result<()>; 18] = [
        gristmill_runtime::telemetry::check(&settings.telemetry),
        settings.log.check().map_err(Into::into),
        settings.blobs.check(&settings.data, &settings.log, settings.fetch.max_wire_bytes),
        settings.scheduler.check(),
        frontier.check().map_err(anyhow::Error::msg),
        scope().map_err(Into::into),
        settings.frontier_config().map(drop),
        settings.fetcher.check(),
        settings.renderer.check(settings.fetcher.captures),
        settings.fetch.validate().map_err(Into::into),
        settings.browser.validate().map_err(Into::into),
        gristmill_extractor::page_reader(&settings.extractor, &settings.records).map(drop),
        settings.indexer.check(),
        settings.searcher.check().map_err(anyhow::Error::msg),
        settings.doors.check().map_err(anyhow::Error::msg),
        if settings.has_sink() { sink.check().map_err(Into::into) } else { Ok(()) },
        settings.archiver.check(),
        AlertConfig::check_all(&settings.alerts).map_err(Into::into),
    ];
    let wrong: Vec<String> = checks.into_iter().filter_map(|checked| Some(format!("{:#}", checked.err()?))).collect();
    anyhow::ensure!(wrong.is_empty(), "{}", wrong.join("\ngristmill: "));
    Ok(())
}
