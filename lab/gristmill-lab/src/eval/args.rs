//! What `gristmill-lab eval` can be told.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
pub struct EvalArgs {
    /// Test packages: folders of pages with gold texts (docs/evaluation.md)
    #[arg(required_unless_present = "languages", value_name = "PACKAGE_DIR")]
    pub packages: Vec<PathBuf>,
    /// Judge the language of texts instead: a folder of files CODE.txt with a text a line (docs/extraction.md)
    #[arg(long, exclusive = true, value_name = "DIR")]
    pub languages: Option<PathBuf>,
    /// Judge the attribute–value pairs of products instead of texts (docs/records.md); pages of article packages
    /// count by what is found there
    #[arg(long, conflicts_with_all = ["command", "proxy", "measure", "tokens", "fold", "never_empty", "worst"])]
    pub records: bool,
    /// Judge title, author, date, language and site instead of texts: how often they are exactly those of the package
    #[arg(long, conflicts_with_all = ["records", "command", "proxy", "measure", "tokens", "fold", "never_empty", "worst",
        "method", "out"])]
    pub metadata: bool,
    /// With `--records`: train the model again without the shop of each page, in N groups of shops, or `site` for each
    /// shop alone, or without all shops of its `language`, and show these figures too
    #[arg(long, requires = "records", value_name = "N|site|language", default_value = "0")]
    pub folds: FoldKind,
    /// With `--records`: judge each page in a language that does not exist, whose words nobody knows
    #[arg(long, requires = "records", conflicts_with = "command_batch")]
    pub made_up_words: bool,
    /// With `--records`: hide what the pages declare of their product, and show field by field how often the page itself says the same
    #[arg(long, requires = "records", conflicts_with_all = ["command_batch", "method", "out", "made_up_words"])]
    pub fields: bool,
    /// Judge by rows that were marked instead of gold texts: DIR/<name of the package's folder>/<page>.json (docs/labelling.md);
    /// given again, the marks of that folder are judged by those of the first
    #[arg(long, value_name = "DIR", conflicts_with_all = ["records", "metadata", "command", "command_batch", "proxy", "measure",
        "tokens", "fold", "out", "layouts", "page_type", "limit"])]
    pub labels: Vec<PathBuf>,
    /// Extraction methods, separated by commas, or `all` [default: all, or none when another system is given]
    #[arg(long, value_name = "LIST")]
    pub method: Option<String>,
    /// Side-cars that `gristmill-lab layout` made of these packages: our methods read the page as the browser had it, and
    /// those that need boxes (`clg`) can be judged
    #[arg(long, value_name = "DIR", conflicts_with_all = ["records", "metadata"])]
    pub layouts: Option<PathBuf>,
    /// Where the TSV files, the report and the marked pages go [default: nowhere, only the table is printed]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// A command started for each page: HTML on standard input, text on standard output
    #[arg(long, value_name = "[NAME=]COMMAND")]
    pub command: Vec<String>,
    /// A command started once a thread: JSON lines in, JSON lines out, as `gristmill extract --batch`
    #[arg(long, value_name = "[NAME=]COMMAND")]
    pub command_batch: Vec<String>,
    /// An HTTP proxy that cleans the pages that go through it
    #[arg(long, value_name = "[NAME=]URL")]
    pub proxy: Vec<String>,
    /// `fast` leaves out `str`, the longest common subsequence of characters
    #[arg(long, value_enum, default_value_t = MeasureSet::All)]
    pub measure: MeasureSet,
    /// What a word is: letters, digits and underscore, or whatever white space separates
    #[arg(long, value_enum, default_value_t = TokenKind::Word)]
    pub tokens: TokenKind,
    /// Upper and lower case are the same in all measures
    #[arg(long)]
    pub fold: bool,
    /// Workers [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Only the first N documents of each package
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Longest time for a page of a command or proxy
    #[arg(long, value_name = "TIME", default_value = "60s")]
    pub timeout: humantime::Duration,
    /// Only pages of this type; with `--records`, of the pages without a product [default: all; article]
    #[arg(long, value_name = "TYPE")]
    pub page_type: Option<String>,
    /// How many of the worst pages of each system the report shows
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub worst: usize,
    /// When a method keeps nothing, fall back as `gristmill extract` does
    #[arg(long)]
    pub never_empty: bool,
    /// Judge `best` without the rescue of text from JSON-LD and page state
    #[arg(long)]
    pub no_rescue: bool,
    /// Judge `best` with readers' comments in its text; the methods of the papers are judged with all that they keep
    #[arg(long)]
    pub comments: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MeasureSet {
    Fast,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TokenKind {
    Word,
    Space,
}

/// How shops are held out when models are trained again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldKind {
    /// So many groups of shops.
    Number(u64),
    /// Each shop alone: the model has seen all others.
    Site,
    /// All shops of a language: the model has seen those of others.
    Language,
}

impl FoldKind {
    /// What a model of a fold has not seen.
    pub fn of(self) -> &'static str {
        match self {
            FoldKind::Language => "language",
            _ => "site",
        }
    }
}
