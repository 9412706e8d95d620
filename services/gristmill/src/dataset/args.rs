//! What a dataset is to be, on the command line.

use clap::Args;
use gristmill_dataset::{Columns, DatasetLayout};

use super::dedup::Dedup;

#[derive(Args)]
pub struct DatasetArgs {
    /// Of a dataset: rows of one file [default: 100000]
    #[arg(long, requires = "out", value_name = "N", value_parser = clap::value_parser!(u64).range(1..), default_value_t = 100_000,
          hide_default_value = true)]
    pub shard_rows: u64,
    /// Of a dataset: these columns alone
    #[arg(long, requires = "out", value_delimiter = ',', value_name = "LIST")]
    pub columns: Option<Vec<String>>,
    /// Of a dataset: leave out texts that came before, equal ones (`exact`) or those that differ in few words (`near`);
    /// `duplicates.jsonl` tells which, and because of which
    #[arg(long, requires = "out", value_enum)]
    pub dedup: Option<Dedup>,
    /// Of a dataset: the name of the crawl, for the column `dump`
    #[arg(long, requires = "out", value_name = "NAME")]
    pub dump: Option<String>,
}

impl DatasetArgs {
    /// Whether something is asked for that only a dataset has.
    pub fn is_given(&self) -> bool {
        self.columns.is_some() || self.dedup.is_some() || self.dump.is_some() || self.shard_rows != 100_000
    }

    /// The columns that are asked for.
    ///
    /// # Errors
    /// A name that no layout or column has.
    pub fn choose(&self, layout: Option<&str>) -> anyhow::Result<Columns> {
        let layout = layout.map_or(Ok(DatasetLayout::default()), str::parse)?;
        Ok(Columns::choose(layout, self.columns.as_deref())?)
    }
}
