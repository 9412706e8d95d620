//! What a dataset is to be, on the command line.

use clap::Args;
use gristmill_dataset::output::MAX_TEXT_BYTES;
use gristmill_dataset::{Columns, DatasetLayout, FileFormat, SCHEMA};
use serde_json::{Value, json};

use super::cleaning_args::CleaningArgs;
use super::dedup_args::DedupArgs;
use super::filter::DocumentFilter;

#[derive(Args)]
pub struct DatasetArgs {
    /// Of a dataset: rows of one file [default: 100000]
    #[arg(long, requires = "out", value_name = "N", value_parser = clap::value_parser!(u64).range(1..), default_value_t = 100_000,
          hide_default_value = true)]
    pub shard_rows: u64,
    /// Of a dataset: these columns alone
    #[arg(long, requires = "out", value_delimiter = ',', value_name = "LIST")]
    pub columns: Option<Vec<String>>,
    #[command(flatten)]
    pub dedup: DedupArgs,
    #[command(flatten)]
    pub cleaning: CleaningArgs,
    /// Of a dataset: the name of the crawl, for the column `dump`
    #[arg(long, requires = "out", value_name = "NAME")]
    pub dump: Option<String>,
}

impl DatasetArgs {
    /// Whether something is asked for that only a dataset has.
    pub fn is_given(&self) -> bool {
        self.cleaning.is_given()
            || self.columns.is_some()
            || !self.dedup.dedup.is_empty()
            || self.dump.is_some()
            || self.shard_rows != 100_000
    }

    /// The columns that are asked for.
    ///
    /// # Errors
    /// A name that no layout or column has.
    pub fn choose(&self, layout: Option<&str>) -> anyhow::Result<Columns> {
        let layout = layout.map_or(Ok(DatasetLayout::default()), str::parse)?;
        let columns = Columns::choose(layout, self.columns.as_deref())?;
        Ok(if self.cleaning.signals {
            columns.with_signals(gristmill_dataset::quality::Signal::NAMES)
        } else {
            columns
        })
    }

    /// For the head: what all datasets are made by, and then what only this source has.
    pub fn settings(
        &self,
        format: FileFormat,
        columns: &Columns,
        filter: &DocumentFilter,
        own: Value,
    ) -> anyhow::Result<Value> {
        let mut settings = json!({
            "format": format.extension(),
            "columns": columns.names(),
            "schema": SCHEMA,
            "shard_rows": self.shard_rows,
            "shard_text_bytes": MAX_TEXT_BYTES,
            "dump": self.dump,
            "dedup": self.dedup.settings(),
            "filter": filter.settings(),
        });
        let cleaning = self.cleaning.settings()?;
        if !cleaning.is_null() {
            settings["cleaning"] = cleaning;
        }
        if let (Some(all), Value::Object(own)) = (settings.as_object_mut(), own) {
            all.extend(own);
        }
        Ok(settings)
    }
}
