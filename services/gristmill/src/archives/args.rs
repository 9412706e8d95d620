//! The arguments of `gristmill dataset`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gristmill_dataset::FileFormat;

use crate::dataset::{DatasetArgs, FilterArgs};
use crate::reading_args::ReadingArgs;

#[derive(Args)]
pub struct ArchiveDatasetArgs {
    /// Files, folders, patterns, `https://…`, `s3://bucket/key`, `@LIST` for a list of these, or `-` for standard input
    #[arg(required = true, value_name = "ARCHIVE")]
    pub archives: Vec<String>,
    /// The folder of the dataset: files of at most 100,000 rows in `data/`, a card `README.md` and a `manifest.json`
    /// (docs/datasets.md). The same command goes on where a run was stopped
    #[arg(long, required = true, value_name = "DIR")]
    pub out: PathBuf,
    /// parquet, jsonl, jsonl.gz, jsonl.zst or csv [default: parquet]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<FileFormat>,
    /// Whose columns come first, gristmill, fineweb, fineweb-2 or dclm [default: gristmill]
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
    /// What is put before the relative lines of lists, such as `https://data.commoncrawl.org/`
    #[arg(long, value_name = "URL")]
    pub base: Option<String>,
    #[command(flatten)]
    pub dataset: DatasetArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Columns with the text of the same page with less boilerplate, or with less left out, and how much both agree
    /// (of `best`)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub variants: Vec<TextVariant>,
    /// Threads [default: one for each core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Allow private and loopback addresses when an archive is fetched
    #[arg(long)]
    pub allow_private: bool,
}

/// Another working point of `best`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextVariant {
    /// What is too much counts twice
    Precision,
    /// What is left out counts twice
    Recall,
}

impl TextVariant {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
        }
    }
}

impl ArchiveDatasetArgs {
    /// The names of the variants that are asked for.
    pub fn variants(&self) -> Vec<&'static str> {
        self.variants.iter().map(|variant| variant.name()).collect()
    }
}
