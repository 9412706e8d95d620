//! The arguments of `gristmill extract`, and what they say of the parts of a page.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use gristmill_extract::Structure;
use gristmill_reading::Format;

use crate::dataset::{DatasetArgs, FilterArgs};
use crate::values;

#[derive(Args)]
pub struct ExtractArgs {
    /// Files, URLs, or `-` for standard input [default: -]
    #[arg(value_name = "FILE|URL")]
    pub inputs: Vec<String>,
    /// Extraction method such as `vsse` or `vsse(t1=0.3)`; `gristmill methods` lists them [default: `extractor.method`]
    #[arg(long, value_parser = values::method)]
    pub method: Option<String>,
    /// URL of the page, when it is read from a file
    #[arg(long)]
    pub url: Option<String>,
    /// Words of the link that leads to the page from its site's home page: a witness for the title
    #[arg(long, value_name = "TEXT", conflicts_with = "batch")]
    pub anchor_title: Option<String>,
    /// Form of the output: text, json, markdown, html (the page with the kept parts marked) or clean (these alone) [default: text];
    /// `--batch` answers in JSON, with the form in a field of its name. With `--out`: parquet, jsonl, jsonl.gz, jsonl.zst or csv
    /// [default: parquet]
    #[arg(long, value_name = "FORMAT", value_parser = asked)]
    format: Option<Asked>,
    /// Read web archives (WARC, gzip or zstd or neither, WACZ) and write a dataset into this folder
    ///
    /// `--kind`, `--site`, `--lang`, `--from`, `--to`, `--min-chars` and `--max-chars` choose its pages (docs/datasets.md).
    /// Inputs are files, folders, patterns, `https://…`, `s3://bucket/key`, `@LIST` for a list of these, or `-`. The same command
    /// goes on where a run was stopped.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["batch", "url", "trace", "explain", "anchor_title"])]
    pub out: Option<PathBuf>,
    /// With `--out`: what stands before the relative lines of lists, such as `https://data.commoncrawl.org/`
    #[arg(long, requires = "out", value_name = "URL")]
    pub base: Option<String>,
    #[command(flatten)]
    pub dataset: DatasetArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Leave these out of the text and every other form: of links the addresses, of all others the words too
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub drop: Vec<Part>,
    /// Keep these in the text and every other form [default: as `extractor.comments` says]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub include: Vec<Extra>,
    /// Print the page's description of itself when it has no text at all
    #[arg(long)]
    pub describe: bool,
    /// Show images between kept parts, with `--format markdown` or `clean`
    #[arg(long, conflicts_with = "batch")]
    pub images: bool,
    /// The page as a layout side-car (docs/rendering.md), with the boxes that methods such as `clg` need. With `--out`: the
    /// dataset whose columns come first, gristmill, fineweb or dclm [default: gristmill]
    #[arg(long, value_name = "FILE|NAME", conflicts_with = "batch")]
    layout: Option<String>,
    /// Draw pages in a browser before their text is taken: `styles` with the style sheets that they link to, `scripts` with their
    /// scripts too (docs/rendering.md). A page that cannot be drawn is taken as it came, and the reason is told
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "scripts",
        conflicts_with_all = ["batch", "out", "layout"])]
    pub render: Option<gristmill_browser::Mode>,
    /// Take the pages of URLs, and what they ask for, from these web archives and not from the network (docs/rendering.md): files,
    /// folders, patterns, or `https://…` and `s3://…`
    #[arg(long, value_name = "ARCHIVE", requires = "render")]
    pub replay: Vec<String>,
    /// Show the method's intermediate numbers: on stderr, or as a field of `--format json`
    #[arg(long)]
    pub trace: bool,
    /// Instead of the content, show where each part of it came from: kind, title, price, and each pair with its layout or rule
    #[arg(long, conflicts_with_all = ["format", "trace"])]
    pub explain: bool,
    /// Read requests in JSON, one behind the other, on lines or not, and write answers as JSON lines in the same order
    ///
    /// A request has `id` (anything, which comes back), the page as `html` or the `path` of a file, and if known `url` and
    /// `anchor_title`; `parts: true` asks for posts, comments and items, `format` for a form of its own. An answer has `id`, `text`,
    /// `title`, `author`, `date`, `language`, `site`, `kind`, `kind_probability`, `records`, `source`, `method`, `confidence`,
    /// `seconds` and `cpu_seconds`; with `--format markdown`, `html` or `clean` also a field of that name; `reason` where there is no
    /// text, `warnings`, and `error` where the request could not be answered. A line has at most 16 MiB.
    #[arg(long, conflicts_with_all = ["inputs", "url", "trace", "explain"])]
    pub batch: bool,
    /// Fetch the pages of this list of URLs, one a line, as they come; `-` reads them from standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["inputs", "batch", "out", "url", "anchor_title"])]
    pub urls: Option<PathBuf>,
    /// Threads for `--batch` and `--out` [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Allow private and loopback addresses when a URL is fetched
    #[arg(long)]
    pub allow_private: bool,
}

/// What stands in the text only when it is asked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Extra {
    /// What readers wrote below an article
    Comments,
}

/// Part of the structure that `--drop` leaves out.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    Headings,
    Lists,
    Tables,
    Code,
    Quotes,
    Captions,
    Notes,
    Links,
    /// What readers wrote below an article, even if `extractor.comments` keeps it
    Comments,
}

/// What `--format` asks for.
#[derive(Clone, Copy)]
enum Asked {
    Page(Format),
    Dataset(gristmill_dataset::Format),
}

fn asked(name: &str) -> Result<Asked, String> {
    let dataset = name.parse().map(Asked::Dataset);
    let page = name.parse().map(Asked::Page);
    page.ok().or(dataset.ok()).ok_or_else(|| {
        "expected text, json, markdown, html or clean, and with `--out` parquet, jsonl, jsonl.gz, jsonl.zst or csv"
            .to_owned()
    })
}

impl ExtractArgs {
    /// The form of a page; text where none is asked for.
    pub fn format(&self) -> Format {
        match self.format {
            Some(Asked::Page(format)) => format,
            _ => Format::Text,
        }
    }

    /// The format of a dataset.
    ///
    /// # Errors
    /// The form of a single page was asked for.
    pub fn dataset_format(&self) -> anyhow::Result<gristmill_dataset::Format> {
        match self.format {
            None => Ok(gristmill_dataset::Format::Parquet),
            Some(Asked::Dataset(format)) => Ok(format),
            Some(Asked::Page(_)) => {
                anyhow::bail!("with `--out`, `--format` is parquet, jsonl, jsonl.gz, jsonl.zst or csv")
            }
        }
    }

    /// Refuses what makes sense with `--out` only.
    pub fn without_out(&self) -> anyhow::Result<()> {
        if let Some(option) = self.filter.given().first() {
            anyhow::bail!("`{option}` chooses pages for a dataset: name its folder with `--out DIR`");
        }
        let is_dataset = matches!(self.format, Some(Asked::Dataset(_)));
        anyhow::ensure!(!is_dataset, "this `--format` is one of datasets: name their folder with `--out DIR`");
        anyhow::ensure!(
            self.layout.is_none() || self.inputs.is_empty(),
            "a side-car (`--layout`) holds the page: name no input"
        );
        anyhow::ensure!(self.threads.is_none() || self.batch, "`--threads` goes with `--batch` or `--out`");
        Ok(())
    }

    /// The side-car that holds the page, if one does.
    pub fn sidecar(&self) -> Option<&Path> {
        self.layout.as_deref().map(Path::new)
    }

    /// The columns of a dataset.
    ///
    /// # Errors
    /// A name that no dataset or column has.
    pub fn columns(&self) -> anyhow::Result<gristmill_dataset::Columns> {
        self.dataset.choose(self.layout.as_deref())
    }

    /// Whether comments stay in texts, if the settings say so or not.
    pub fn comments(&self, by_settings: bool) -> bool {
        (by_settings || self.include.contains(&Extra::Comments)) && !self.drop.contains(&Part::Comments)
    }

    /// What of the structure of pages the results keep.
    pub fn structure(&self) -> Structure {
        let keeps = |part| !self.drop.contains(&part);
        Structure {
            headings: keeps(Part::Headings),
            lists: keeps(Part::Lists),
            tables: keeps(Part::Tables),
            code: keeps(Part::Code),
            quotes: keeps(Part::Quotes),
            captions: keeps(Part::Captions),
            notes: keeps(Part::Notes),
            links: keeps(Part::Links),
            images: self.images,
        }
    }
}
