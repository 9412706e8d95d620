//! `gristmill export`: the corpus in one file, or as a dataset in a folder.

mod args;
mod export_snapshot;
mod file_form;
mod lower_bound;
mod plain;
mod row;
mod to_dataset;

use std::cell::Cell;
use std::path::Path;

use gristmill_index::{IndexDocument, IndexError, IndexReader, SearchQuery, SortedDocuments};

pub use args::ExportArgs;
use args::ExportTarget;

use crate::dataset::{DocumentFilter, FilterFields};
use crate::failure::wrong_use;
use crate::settings::Settings;

/// Writes every document that is wanted.
///
/// # Errors
/// An index, file or folder that cannot be read or written. Documents that cannot be read: the others are written all the same.
pub fn run(args: &ExportArgs, settings: &Settings) -> anyhow::Result<()> {
    let target = args.target().map_err(wrong_use)?;
    let filter = args.filter.filter().map_err(wrong_use)?;
    let reader = IndexReader::open_damaged(&settings.index_dir())?;
    let source = Source { reader, query: args.query.clone().unwrap_or_default(), filter, unreadable: Cell::new(0) };
    if let Some(name) = args.odd_name() {
        tell!("gristmill: `{}` holds JSON lines, whatever its name: `--format` sets another form", name.display());
    }
    match target {
        ExportTarget::File(form, out) => tell!("{} documents", plain::write(&source, form, args.history, out)?),
        ExportTarget::Dataset(format, out) => to_dataset::write(args, &source, format, out)?,
    }
    source.all_were_readable(&settings.data)
}

/// The index, and what is wanted of it.
struct Source {
    reader: IndexReader,
    query: String,
    filter: DocumentFilter,
    unreadable: Cell<u64>,
}

impl Source {
    /// What the index can tell of what is wanted, to spare reading the rest.
    fn narrow_query(&self) -> SearchQuery {
        SearchQuery { filter: self.filter.of_index(), ..self.query() }
    }

    /// What is wanted of the answer to a query, in no order to rely on.
    fn documents<'s>(&'s self, query: &'s SearchQuery) -> anyhow::Result<impl Iterator<Item = IndexDocument> + 's> {
        let (found, warnings) = self.reader.matching(query)?;
        warn(&warnings);
        let readable = found.filter_map(|document| self.readable(document));
        Ok(readable.filter(|document| self.filter.refuses(&FilterFields::of_document(document)).is_none()))
    }

    /// All that the query finds, whatever the filter says, in the order of the keys.
    fn ordered(&self) -> anyhow::Result<SortedDocuments<'_>> {
        let (found, warnings) = self.reader.ordered(&self.query())?;
        warn(&warnings);
        Ok(found)
    }

    /// All of it, so without limits of time and number.
    fn query(&self) -> SearchQuery {
        SearchQuery { text: self.query.clone(), time_limit: None, ..SearchQuery::default() }
    }

    /// A document that cannot be read is counted and left out: the others are worth having.
    fn readable(&self, document: Result<IndexDocument, IndexError>) -> Option<IndexDocument> {
        document
            .inspect_err(|error| {
                tracing::debug!(%error, "a document cannot be read");
                self.unreadable.set(self.unreadable.get() + 1);
            })
            .ok()
    }

    fn all_were_readable(&self, data: &Path) -> anyhow::Result<()> {
        let (unreadable, data) = (self.unreadable.get(), data.display());
        anyhow::ensure!(
            unreadable == 0,
            "{unreadable} more documents cannot be read, since files of the index are damaged: `gristmill check --data {data}` \
             names them, `gristmill reindex --data {data}` builds the index anew"
        );
        Ok(())
    }
}

/// What was odd about the query.
fn warn(warnings: &[String]) {
    warnings.iter().for_each(|warning| tell!("gristmill: {warning}"));
}
