//! What can be said on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use gristmill_index::Sort;
use gristmill_reading::need::RenderPolicy;
use gristmill_runtime::listen::Listen;

use crate::archives::ArchiveDatasetArgs;
use crate::dataset::KindArg;
use crate::export::ExportArgs;
use crate::extract_args::ExtractArgs;
use crate::reading_args::OptionalText;
use crate::values;

/// Turns web addresses into a clean, searchable corpus.
#[derive(Parser)]
#[command(name = "gristmill", version, about, propagate_version = true)]
pub struct Cli {
    /// Settings file (TOML); `gristmill config show` prints what is in force
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Where the corpus lives [default: gristmill-data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// What is logged to stderr, such as `info` or `warn,gristmill_fetcher=debug` [default: warn]
    #[arg(long, global = true, value_name = "FILTER")]
    pub log: Option<String>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Crawl, extract and index; again to go on where it stopped. Without URL it shows itself on a small built-in site
    Crawl(CrawlArgs),
    /// Follow sites: crawl them, and come back for what is new until it is stopped, as `crawl --watch` does
    Watch(CrawlArgs),
    /// Take the pages of web archives into the index, as if they had just been fetched; again to go on where it stopped
    Import(ImportArgs),
    /// Run one service as a process of its own, over Kafka; as many of each as you like
    Run(RunArgs),
    /// Give start URLs to the schedulers that run over Kafka
    Seed(SeedArgs),
    /// Search what was crawled
    Search(SearchArgs),
    /// Serve the search page and the JSON API
    Serve(ServeArgs),
    /// Speak the Model Context Protocol on standard input and output: the corpus and the web for an agent (docs/agents.md)
    Mcp,
    /// Extract the main text of pages
    Extract(ExtractArgs),
    /// Make a dataset of the pages of web archives (docs/datasets.md); again to go on where it stopped
    Dataset(ArchiveDatasetArgs),
    /// Print what became of pages, as JSON lines: new, changed with old and new values, gone
    Changes(ChangesArgs),
    /// Write the corpus as JSON lines or CSV, or as a dataset in a folder (docs/datasets.md)
    Export(ExportArgs),
    /// Tell what a crawl does now, or what waits for each service over Kafka
    Status(StatusArgs),
    /// Ask for no further page, of some sites or of all, until `resume`; a running crawl stays
    Pause(SitesArgs),
    /// Go on after `pause`
    Resume(SitesArgs),
    /// Take pages or whole sites out of the corpus for good
    Forget(ForgetArgs),
    /// Tell what is known of a URL: why it was fetched or not, extracted, indexed
    Explain(ExplainArgs),
    /// Look whether index, log, frontier and bodies are as they were written, and say what to do where they are not
    Check,
    /// Build the index anew: from what can be read of it and from the log, or from an export
    Reindex(ReindexArgs),
    /// Write shell completions and manual pages into a folder, for packages
    #[command(hide = true)]
    Manual {
        /// The folder
        folder: PathBuf,
    },
    /// Look at the settings
    #[command(subcommand)]
    Config(ConfigCommand),
}

#[derive(Args)]
pub struct CrawlArgs {
    #[command(flatten)]
    pub start: UrlArgs,
    /// How far to go from there [default: host]
    #[arg(long, value_enum)]
    pub scope: Option<ScopeArg>,
    /// Stop after this many pages, over all runs on one data directory
    #[arg(long, value_name = "N", alias = "limit", allow_negative_numbers = true, value_parser = values::whole::<u64>)]
    pub max_pages: Option<u64>,
    /// Fetch the start URLs, what the sitemaps and feeds among them list, and nothing else
    #[arg(long)]
    pub no_follow: bool,
    /// Follow at most this many links from a start URL
    #[arg(long, value_name = "N", alias = "depth", allow_negative_numbers = true, value_parser = values::whole::<u16>)]
    pub max_depth: Option<u16>,
    /// Follow only links whose URL matches this regular expression; may be given again
    #[arg(long, value_name = "REGEX", value_parser = values::pattern)]
    pub include: Vec<String>,
    /// Leave out URLs that match this regular expression; may be given again
    #[arg(long, value_name = "REGEX", value_parser = values::pattern)]
    pub exclude: Vec<String>,
    /// Fetch nothing of the hosts and addresses in these block lists, files or folders; may be given again
    #[arg(long, value_name = "PATH")]
    pub block: Vec<PathBuf>,
    /// Shortest pause between two requests to one registrable domain, such as `500ms` [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub delay: Option<String>,
    /// A header field for the hosts of the start URLs alone, such as `Authorization: Bearer TOKEN`; may be given again
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = values::header)]
    pub headers: Vec<(String, String)>,
    /// What the crawler calls itself to servers; robots.txt is read for `agent` of the settings all the same
    #[arg(long, value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// A proxy for all requests: `http://host:port`, `socks5://…`
    #[arg(long, value_name = "URL")]
    pub proxy: Option<String>,
    /// Allow private and loopback addresses: for tests and intranets
    #[arg(long)]
    pub allow_private: bool,
    /// Fetch everything once more that an earlier run came to an end with, pages that failed too
    #[arg(long)]
    pub again: bool,
    /// Run until it is stopped, and come back to feeds, sitemaps, home pages and lists for what is new
    #[arg(long)]
    pub watch: bool,
    /// With `watch`: time between two visits of these where something is new; longer where nothing is [default: 2m]
    #[arg(long, value_name = "TIME", value_parser = values::interval)]
    pub every: Option<String>,
    /// With `watch`: most requests to one registrable domain in an hour
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::whole::<std::num::NonZeroU32>)]
    pub budget: Option<std::num::NonZeroU32>,
    /// Let a browser draw pages: those to which it would add (`auto`), or all; needs Chromium [default: never]
    #[arg(long, value_name = "never|auto|always")]
    pub render: Option<RenderPolicy>,
    /// Write everything that is fetched into web archives (WARC) in this folder, or in `s3://bucket/prefix`
    #[arg(long, value_name = "DIR")]
    pub archive: Option<String>,
    /// With `--render` and `--archive`: a picture of each page that a browser drew, too
    #[arg(long, requires_all = ["render", "archive"])]
    pub screenshot: bool,
}

#[derive(Args)]
pub struct StatusArgs {
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct SitesArgs {
    /// Registrable domains; all without any
    #[arg(value_name = "SITE")]
    pub sites: Vec<String>,
}

#[derive(Args)]
pub struct ForgetArgs {
    /// A page by its URL, or a site with all hosts below it by its name, such as `www.example.org`
    #[arg(value_name = "URL|SITE", required = true)]
    pub targets: Vec<String>,
}

#[derive(Args)]
pub struct ImportArgs {
    /// Files, folders, patterns, `https://…`, `s3://bucket/key`, `@LIST` for a list of these, or `-` for standard input
    #[arg(required = true, value_name = "ARCHIVE")]
    pub archives: Vec<String>,
    /// What stands before the relative lines of lists, such as `https://data.commoncrawl.org/`
    #[arg(long, value_name = "URL")]
    pub base: Option<String>,
    /// Read archives once more that were imported
    #[arg(long)]
    pub again: bool,
    /// Allow private and loopback addresses when an archive is fetched
    #[arg(long)]
    pub allow_private: bool,
}

/// Addresses to start from.
#[derive(Args)]
pub struct UrlArgs {
    /// Where to start; `-` reads a list from standard input, one URL a line. `sitemap:URL` and `feed:URL` start from what is
    /// listed there, as URLs do that are named like one; `page:URL` is a page, whatever its name
    #[arg(value_name = "URL")]
    pub urls: Vec<String>,
    /// A file with URLs to start from, one a line, `-` for standard input; what begins with `#` is passed over
    #[arg(long = "urls", value_name = "FILE")]
    pub list: Option<PathBuf>,
}

#[derive(Args)]
pub struct RunArgs {
    /// Which one
    #[arg(value_enum)]
    pub service: Service,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Service {
    Scheduler,
    Fetcher,
    /// Lets browsers draw the pages that need one (`extractor.render`)
    Renderer,
    Extractor,
    Indexer,
    /// The search page and the JSON API, as `gristmill serve`
    Searcher,
    /// Hands documents on to OpenSearch, Elasticsearch or Quickwit
    Sink,
    /// Writes everything that is fetched into web archives (WARC); `fetcher.captures` tells the fetchers to pass it on
    Archiver,
}

impl Service {
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheduler => "scheduler",
            Self::Fetcher => "fetcher",
            Self::Renderer => "renderer",
            Self::Extractor => "extractor",
            Self::Indexer => "indexer",
            Self::Searcher => "searcher",
            Self::Sink => "sink",
            Self::Archiver => "archiver",
        }
    }
}

#[derive(Args)]
pub struct SeedArgs {
    #[command(flatten)]
    pub start: UrlArgs,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ScopeArg {
    Host,
    Domain,
    Prefix,
    Any,
}

/// The arguments of the process. Of those of `search`, `-word` is a word to leave out; a blank before it keeps clap from reading options.
pub fn arguments() -> impl Iterator<Item = OsString> {
    let mut is_search = false;
    std::env::args_os().map(move |argument| {
        is_search |= argument == "search";
        match argument.as_encoded_bytes() {
            [b'-', first, _, ..] if is_search && *first != b'-' => {
                let mut word = OsString::from(" ");
                word.push(argument);
                word
            }
            _ => argument,
        }
    })
}

#[derive(Args)]
pub struct SearchArgs {
    /// Words, "phrases", begin*, slip~1, site:example.org, title:word, date:2024..2025, price:[10 TO 20], -without, OR
    #[arg(required = true)]
    pub query: Vec<String>,
    /// Only this kind
    #[arg(long, value_enum)]
    pub kind: Option<KindArg>,
    /// Only this registrable domain or host
    #[arg(long)]
    pub site: Option<String>,
    /// Only this language, such as `en` or `zh`
    #[arg(long, value_name = "CODE", value_parser = values::language)]
    pub lang: Option<String>,
    /// Published then or later: 2024, 2024-05, 2024-05-31, 2024-05-31T10:30 (UTC), today, yesterday
    #[arg(long, value_name = "TIME")]
    pub from: Option<String>,
    /// Published then or earlier
    #[arg(long, value_name = "TIME")]
    pub to: Option<String>,
    /// Best, newest, cheapest or dearest first
    #[arg(long, value_enum, default_value_t)]
    pub sort: SortArg,
    /// Most hits
    #[arg(long, default_value_t = 10, value_name = "N", allow_negative_numbers = true, value_parser = values::whole::<usize>)]
    pub limit: usize,
    /// Show one of each cluster of near-duplicates
    #[arg(long)]
    pub collapse: bool,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

/// The order of the hits.
#[derive(Clone, Copy, Default, ValueEnum)]
pub enum SortArg {
    #[default]
    Score,
    Date,
    /// What changed or came last
    Updated,
    Price,
    PriceDesc,
}

impl From<SortArg> for Sort {
    fn from(sort: SortArg) -> Self {
        match sort {
            SortArg::Score => Self::Score,
            SortArg::Date => Self::Date,
            SortArg::Updated => Self::Updated,
            SortArg::Price => Self::Price,
            SortArg::PriceDesc => Self::PriceDescending,
        }
    }
}

#[derive(Args)]
pub struct ServeArgs {
    /// Where to listen: `ADDRESS:PORT`, `NAME:PORT`, or `:PORT` for every address [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<Listen>,
    /// Extract pages that clients send to `POST /api/v1/extract` (docs/search-api.md)
    #[arg(long, conflicts_with = "proxy")]
    pub extract: bool,
    /// Speak the Model Context Protocol at `/mcp`, for who has a token (docs/agents.md)
    #[arg(long, conflicts_with = "proxy")]
    pub mcp: bool,
    /// Speak version 2 of Firecrawl's API below `/v2`, for who has a token (docs/agents.md)
    #[arg(long, conflicts_with = "proxy")]
    pub firecrawl: bool,
    /// Be an HTTP proxy on this address instead: every page that goes through it is cut down to its main text
    #[arg(long, value_name = "ADDRESS", conflicts_with = "listen")]
    pub proxy: Option<Listen>,
    /// Extraction method of the proxy
    #[arg(long, default_value = "best", requires = "proxy", value_parser = values::method)]
    pub method: String,
    /// The proxy falls back when the method keeps nothing, as `gristmill extract` does
    #[arg(long, requires = "proxy")]
    pub never_empty: bool,
    /// The proxy keeps these in the text
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST", requires = "proxy")]
    pub include: Vec<OptionalText>,
    /// Pages may be fetched from private and loopback addresses: by the proxy, or for who asks
    #[arg(long)]
    pub allow_private: bool,
}

#[derive(Args)]
pub struct ReindexArgs {
    /// Take the documents from this export (JSON lines) instead of the index that is there
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
}

#[derive(Args)]
pub struct ChangesArgs {
    /// Only what was seen then or later: 2024, 2024-05, 2024-05-31, 2024-05-31T10:30 (UTC), today, yesterday, now
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Go on with what comes, until it is stopped
    #[arg(long)]
    pub follow: bool,
}

#[derive(Args)]
pub struct ExplainArgs {
    pub url: String,
    /// One JSON object with all that is known, for programs
    #[arg(long)]
    pub json: bool,
}

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Print the settings in force as TOML
    Show,
}
