//! What can be said of an export on the command line.

use std::path::{Path, PathBuf};

use clap::Args;
use gristmill_dataset::FileFormat;

use super::file_form::ExportForm;
use crate::dataset::{DatasetArgs, FilterArgs};

#[derive(Args)]
pub struct ExportArgs {
    /// Only what this query finds, with all of its words; as in `gristmill search`
    #[arg(long)]
    pub query: Option<String>,
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Form of the output: jsonl or csv [default: by the end of FILE, else jsonl]; products as CSV (`--kind product`) have one row for each attribute.
    /// Of a dataset: parquet, jsonl, jsonl.gz, jsonl.zst or csv [default: parquet]
    #[arg(long)]
    format: Option<FileFormat>,
    /// Products as CSV with a row for each product and a column for each attribute, the commonest first (with `--kind product`)
    #[arg(long)]
    wide: bool,
    /// With what changed on each page since it was first seen, in its field `history` (JSON lines)
    #[arg(long)]
    pub history: bool,
    /// Where to write; `-` is standard output [default: -]
    ///
    /// A folder gets a dataset: files of at most 100,000 rows in `data/`, a card `README.md` and a `manifest.json`
    /// (docs/datasets.md). It is a folder if it ends with `/`, if it is one already, or if the format is parquet, jsonl.gz or
    /// jsonl.zst. The same command goes on where a run was stopped.
    #[arg(long, value_name = "FILE|DIR/")]
    out: Option<PathBuf>,
    /// Of a dataset: whose columns come first, gristmill, fineweb, fineweb-2 or dclm [default: gristmill]
    #[arg(long, requires = "out", value_name = "NAME")]
    layout: Option<String>,
    #[command(flatten)]
    pub dataset: DatasetArgs,
    /// Of a dataset: add to it what is new. `last`: what was fetched since its last export, or is not in it yet; a date: what was
    /// fetched on that day or later; a path: what was fetched since the export that wrote this `manifest.json`
    #[arg(long, requires = "out", value_name = "last|DATE|MANIFEST")]
    pub since: Option<String>,
}

/// Where an export goes.
pub enum ExportTarget<'a> {
    /// To one file, or to standard output.
    File(ExportForm, Option<&'a Path>),
    Dataset(FileFormat, &'a Path),
}

impl ExportArgs {
    /// # Errors
    /// Options that do not go together.
    pub fn target(&self) -> anyhow::Result<ExportTarget<'_>> {
        let target = self.any_target()?;
        let is_lines = matches!(target, ExportTarget::File(ExportForm::Lines, _));
        anyhow::ensure!(
            !self.history || is_lines,
            "`--history` goes into JSON lines: write `--format jsonl`, and a file with `--out`"
        );
        Ok(target)
    }

    /// The file or folder that is named.
    fn out(&self) -> Option<&Path> {
        self.out.as_deref().filter(|out| *out != Path::new("-"))
    }

    fn any_target(&self) -> anyhow::Result<ExportTarget<'_>> {
        if self.wide {
            let is_csv = matches!(self.format, None | Some(FileFormat::Csv));
            anyhow::ensure!(is_csv, "`--wide` is a table: write `--format csv`, or no `--format`");
            let is_of_products = self.filter.filter()?.is_of_products();
            anyhow::ensure!(
                is_of_products,
                "`--wide` has a column for each attribute of products: add `--kind product`"
            );
            let is_file = self.out().is_none_or(|out| !out.is_dir() && !ends_with_slash(out));
            anyhow::ensure!(is_file, "`--wide` writes one file, and `--out` names a folder");
            return Ok(ExportTarget::File(ExportForm::Wide, self.out()));
        }
        let format = self.format();
        let only_in_folder = !matches!(format, None | Some(FileFormat::JsonLines | FileFormat::Csv));
        let Some(out) = self.out() else {
            anyhow::ensure!(!only_in_folder, "this `--format` is one of datasets: name their folder with `--out DIR/`");
            return Ok(ExportTarget::File(self.form(), None));
        };
        let format = format.unwrap_or_default();
        if ends_with_slash(out) || out.is_dir() {
            return Ok(ExportTarget::Dataset(format, out));
        }
        let shown = out.display();
        if only_in_folder {
            let is_like_a_file = out.extension().is_some() && !out.exists();
            anyhow::ensure!(
                !is_like_a_file,
                "a dataset is a folder, and `{shown}` looks like a file: write `--out {shown}/`, or another name"
            );
            return Ok(ExportTarget::Dataset(format, out));
        }
        let is_given = self.dataset.is_given() || self.layout.is_some() || self.since.is_some();
        anyhow::ensure!(
            !is_given,
            "`--layout`, `--columns`, `--shard-rows`, `--dump`, `--dedup`, `--quality` and their like, and `--since` are of datasets, and these are folders: \
             write `--out {shown}/`"
        );
        Ok(ExportTarget::File(self.form(), Some(out)))
    }

    fn form(&self) -> ExportForm {
        if self.format() == Some(FileFormat::Csv) { ExportForm::Table } else { ExportForm::Lines }
    }

    /// What is asked for, or what the name of the file ends with.
    fn format(&self) -> Option<FileFormat> {
        self.format.or_else(|| {
            let out = self.out().filter(|out| !ends_with_slash(out) && !out.is_dir())?;
            let name = out.file_name()?.to_str()?.to_ascii_lowercase();
            FileFormat::ALL.into_iter().find(|format| name.ends_with(&format!(".{}", format.extension())))
        })
    }

    /// A name that promises another form than what its file gets.
    pub fn odd_name(&self) -> Option<&Path> {
        const OTHER: [&str; 10] = ["md", "html", "htm", "xml", "xls", "xlsx", "tsv", "arrow", "gz", "zst"];
        let out = self.out().filter(|_| self.format().is_none() && !self.wide)?;
        let extension = out.extension()?.to_str()?.to_ascii_lowercase();
        (OTHER.contains(&&*extension) && !out.is_dir()).then_some(out)
    }

    /// The columns of a dataset.
    ///
    /// # Errors
    /// A name that no layout or column has.
    pub fn columns(&self) -> anyhow::Result<gristmill_dataset::Columns> {
        self.dataset.choose(self.layout.as_deref())
    }
}

fn ends_with_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}
