//! `gristmill-lab layout`: loads pages in a browser and writes where everything stands, as side-cars.

mod files;
mod layout_browser;
mod store;

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, ensure};
use clap::Args;
use gristmill_browser::{BrowserConfig, RenderMode, RenderRequest};
use gristmill_eval::{GoldPage, Package};
use tokio::task::JoinSet;

use files::LocalSite;
use gristmill_eval::read_file;
use layout_browser::LayoutBrowser;
pub use store::Sidecars;

#[derive(Args)]
pub struct LayoutArgs {
    /// HTML files, or test packages (docs/evaluation.md)
    #[arg(required = true, value_name = "FILE|PACKAGE_DIR")]
    inputs: Vec<PathBuf>,
    /// Where the side-cars go: NAME.layout.json.gz for each file, PACKAGE/ID.layout.json.gz for each page of a package
    #[arg(long, value_name = "DIR", default_value = ".")]
    out: PathBuf,
    /// Run the scripts of pages too: those in them, and those that they link to and that are among the files
    #[arg(long)]
    scripts: bool,
    /// Style sheets and scripts that pages link to: HOST/PATH of their URLs, or PATH for a page whose URL nobody knows [default: the folder
    /// `files` of a package, if it has one]
    #[arg(long, value_name = "DIR")]
    files: Option<PathBuf>,
    /// Lay pages out by their own markup alone, also where there are files
    #[arg(long, conflicts_with = "files")]
    no_files: bool,
    /// Chromium or Chrome [default: `browser.program`]
    #[arg(long, value_name = "PROGRAM")]
    browser: Option<PathBuf>,
    /// Browsers at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Longest time for a page
    #[arg(long, value_name = "TIME", default_value = "20s")]
    timeout: humantime::Duration,
}

/// A page and the place of its side-car.
struct Job {
    page: Source,
    out: PathBuf,
    files: LocalSite,
}

enum Source {
    File(PathBuf),
    Gold(Box<GoldPage>),
}

impl Job {
    fn name(&self) -> String {
        match &self.page {
            Source::File(path) => path.display().to_string(),
            Source::Gold(document) => format!("{}/{}", document.package, document.id),
        }
    }

    fn read(&self) -> anyhow::Result<Vec<u8>> {
        match &self.page {
            Source::File(path) => Ok(read_file(path)?),
            Source::Gold(document) => document.read_html().map_err(|problem| anyhow::anyhow!("{problem}")),
        }
    }

    /// Where the page takes itself to be: that decides what its links mean.
    fn url(&self) -> &str {
        match &self.page {
            Source::Gold(document) if self.files.are_there() => {
                document.url.as_deref().unwrap_or(RenderRequest::UNKNOWN_URL)
            }
            _ => RenderRequest::UNKNOWN_URL,
        }
    }
}

/// Writes a side-car for every page; tells which pages have none, and fails when that is all of them.
pub async fn run(args: &LayoutArgs) -> anyhow::Result<()> {
    let jobs = Arc::new(jobs(args)?);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let n_tabs = args.threads.unwrap_or_else(cores).clamp(1, jobs.len().max(1));
    let settings = BrowserConfig {
        program: args.browser.clone(),
        max_wait: *args.timeout,
        timeout: *args.timeout,
        ..BrowserConfig::default()
    };
    let mode = if args.scripts { RenderMode::Scripts } else { RenderMode::Styles };
    let next = Arc::new(AtomicUsize::new(0));
    let mut tabs = JoinSet::new();
    for _ in 0..n_tabs {
        let tab = LayoutBrowser::open(&settings, mode)
            .await
            .context("no browser for side-cars; `--browser` names Chromium or Chrome")?;
        tabs.spawn(work(tab, Arc::clone(&jobs), Arc::clone(&next)));
    }
    let mut problems: Vec<String> = tabs.join_all().await.into_iter().flatten().collect();
    problems.sort();
    let mut err = std::io::stderr().lock();
    let missing: BTreeSet<(&str, String)> = jobs.iter().flat_map(|job| job.files.missing()).collect();
    missing.iter().try_for_each(|(kind, url)| writeln!(err, "without {kind}: {url}"))?;
    problems.iter().try_for_each(|problem| writeln!(err, "without side-car: {problem}"))?;
    writeln!(err, "side-cars of {} of {} pages", jobs.len() - problems.len(), jobs.len())?;
    ensure!(problems.len() < jobs.len(), "no side-car was made");
    Ok(())
}

/// Takes jobs until none is left; why some have no side-car.
async fn work(mut tab: LayoutBrowser, jobs: Arc<Vec<Job>>, next: Arc<AtomicUsize>) -> Vec<String> {
    let mut problems = Vec::new();
    while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
        if let Err(error) = capture(job, &mut tab).await {
            problems.push(format!("{}: {error:#}", job.name()));
        }
    }
    problems
}

async fn capture(job: &Job, tab: &mut LayoutBrowser) -> anyhow::Result<()> {
    let json = tab.capture(&job.read()?, job.url(), &job.files).await?;
    store::write(&job.out, &json).with_context(|| format!("could not write `{}`", job.out.display()))
}

fn jobs(args: &LayoutArgs) -> anyhow::Result<Vec<Job>> {
    let mut jobs = Vec::new();
    let sidecars = Sidecars::new(&args.out);
    let given = args.files.as_deref();
    ensure!(
        given.is_none_or(Path::is_dir),
        "`--files {}` names no folder",
        given.map_or(Path::new(""), |folder| folder).display()
    );
    for input in &args.inputs {
        let own = input.join("files");
        let files = LocalSite::new(given.or((!args.no_files).then_some(own.as_path())));
        if input.is_dir() {
            let package = Package::read(input)?;
            package.problems.iter().for_each(|problem| eprintln!("left out: {problem}"));
            jobs.extend(package.documents.into_iter().map(|page| Job {
                out: sidecars.path(&page),
                page: Source::Gold(Box::new(page)),
                files: files.clone(),
            }));
        } else {
            let out = args.out.join(store::file_name(&stem(input)?));
            jobs.push(Job { out, page: Source::File(input.clone()), files });
        }
    }
    let mut places = HashSet::new();
    let twice = jobs.iter().find(|job| !places.insert(&job.out));
    ensure!(
        twice.is_none(),
        "two pages would have the side-car `{}`",
        twice.map_or(Path::new(""), |job| &job.out).display()
    );
    Ok(jobs)
}

/// `page` of `page.html` and of `page.html.gz`.
fn stem(path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.with_context(|| format!("`{}` names no file", path.display()))?;
    let name = name.strip_suffix(".gz").unwrap_or(name);
    Ok(name.strip_suffix(".html").or_else(|| name.strip_suffix(".htm")).unwrap_or(name).to_owned())
}
