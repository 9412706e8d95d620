//! The arguments of `gristmill extract`.

use std::path::PathBuf;

use clap::Args;
use gristmill_extract::Structure;
use gristmill_reading::OutputFormat;

use crate::dataset::share;
use crate::reading_args::ReadingArgs;
use crate::values::address;

#[derive(Args)]
pub struct ExtractArgs {
    /// Files, URLs, or `-` for standard input [default: -]
    #[arg(value_name = "FILE|URL")]
    pub inputs: Vec<String>,
    /// URL of the page, when it is read from a file
    #[arg(long, value_parser = address)]
    pub url: Option<String>,
    /// Words of the link that leads to the page from its site's home page: a witness for the title
    #[arg(long, value_name = "TEXT", conflicts_with = "batch")]
    pub anchor_title: Option<String>,
    /// Form of the output: text, json, markdown, html (the kept parts) or marked (the page with these marked) [default: text];
    /// `--batch` answers in JSON, with the form in a field of its name
    #[arg(long, value_name = "FORMAT", value_parser = form)]
    format: Option<OutputFormat>,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Nothing of which the method is less sure than this, 0 to 1 (`best`: the expected word F1)
    #[arg(long, value_name = "X", value_parser = share)]
    pub min_confidence: Option<f32>,
    /// Show images between kept parts, with `--format markdown` or `html`
    #[arg(long, conflicts_with = "batch")]
    pub images: bool,
    /// The page as a layout side-car (docs/rendering.md), with the boxes that methods such as `clg` need
    #[arg(long, value_name = "FILE", conflicts_with_all = ["batch", "inputs"])]
    pub layout: Option<PathBuf>,
    /// Draw pages in a browser before their text is taken: `styles` with the style sheets that they link to, `scripts` with their
    /// scripts too (docs/rendering.md). A page that cannot be drawn is taken as it came, and the reason is told
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "scripts",
        conflicts_with_all = ["batch", "layout"])]
    pub render: Option<gristmill_browser::RenderMode>,
    /// With `--render`: write a picture of the whole page into this file, as PNG, with its pictures
    #[arg(long, value_name = "FILE", requires = "render")]
    pub screenshot: Option<PathBuf>,
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
    /// all fields of `--format json` (docs/fields.md), `seconds` and `cpu_seconds`; with `--format markdown`, `html` or `marked` also a field of that
    /// name; or `id` and `reason` where the bytes are no page, and `error` where the request could not be answered. A line has at most
    /// 16 MiB.
    #[arg(long, conflicts_with_all = ["inputs", "url", "trace", "explain"])]
    pub batch: bool,
    /// Fetch the pages of this list of URLs, one a line, as they come; `-` reads them from standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["inputs", "batch", "url", "anchor_title"])]
    pub urls: Option<PathBuf>,
    /// Threads for `--batch` [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Allow private and loopback addresses when a URL is fetched
    #[arg(long)]
    pub allow_private: bool,
}

fn form(name: &str) -> Result<OutputFormat, String> {
    name.parse().map_err(|_| "expected text, json, markdown, html or marked; datasets: `gristmill dataset`".to_owned())
}

impl ExtractArgs {
    /// The form of a page; text where none is asked for.
    pub fn format(&self) -> OutputFormat {
        self.format.unwrap_or(OutputFormat::Text)
    }

    /// What of the structure of pages the results keep.
    pub fn structure(&self) -> Structure {
        Structure { images: self.images, ..self.reading.structure() }
    }
}
