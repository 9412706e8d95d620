//! The arguments of `gristmill extract`, and what they say of the parts of a page.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gristmill_extract::Structure;

use crate::forms::Format;

#[derive(Args)]
pub struct ExtractArgs {
    /// Files, URLs, or `-` for standard input [default: -]
    #[arg(value_name = "FILE|URL")]
    pub inputs: Vec<String>,
    /// Extraction method such as `vsse` or `vsse(t1=0.3)`; `gristmill methods` lists them [default: `extractor.method`]
    #[arg(long)]
    pub method: Option<String>,
    /// URL of the page, when it is read from a file
    #[arg(long)]
    pub url: Option<String>,
    /// Words of the link that leads to the page from its site's home page: a witness for the title
    #[arg(long, value_name = "TEXT", conflicts_with = "batch")]
    pub anchor_title: Option<String>,
    /// Print nothing of a page on which the method is less sure than this, 0 to 1 (`best`: the expected word F1)
    #[arg(long, value_name = "X", value_parser = share)]
    pub min_confidence: Option<f32>,
    /// Form of the output; `--batch` answers in JSON, with the form in a field of its name
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
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
    /// The page as a layout side-car (docs/layout-sidecar.md), with the boxes that methods such as `clg` need
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    pub layout: Option<PathBuf>,
    /// Show the method's intermediate numbers: on stderr, or as a field of `--format json`
    #[arg(long)]
    pub trace: bool,
    /// Instead of the content, show where each part of it came from: kind, title, price, and each pair with its layout or rule
    #[arg(long, conflicts_with_all = ["format", "trace"])]
    pub explain: bool,
    /// Read requests as JSON lines, write answers as JSON lines in the same order
    ///
    /// A request has `id` (anything, which comes back), the page as `html` or the `path` of a file, and if known `url` and
    /// `anchor_title`; `parts: true` asks for posts, comments and items, `format` for a form of its own. An answer has `id`, `text`,
    /// `title`, `author`, `date`, `language`, `site`, `kind`, `kind_probability`, `records`, `source`, `method`, `confidence`,
    /// `seconds` and `cpu_seconds`; with `--format markdown`, `html` or `clean` also a field of that name; `reason` where there is no
    /// text, `warnings`, and `error` where the request could not be answered. A line has at most 16 MiB.
    #[arg(long, conflicts_with_all = ["inputs", "url", "trace", "layout", "explain"])]
    pub batch: bool,
    /// Threads for `--batch` [default: one for each core]
    #[arg(long, requires = "batch", conflicts_with_all = ["inputs", "layout"], value_name = "N")]
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
    Links,
    /// What readers wrote below an article, even if `extractor.comments` keeps it
    Comments,
}

impl ExtractArgs {
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
            links: keeps(Part::Links),
            images: self.images,
        }
    }
}

fn share(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|value| (0.0..=1.0).contains(value))
        .ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
