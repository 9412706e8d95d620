//! From an archived page to a row of the dataset.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gristmill_extract::{ExtractOptions, Structure};
use gristmill_reading::PageReader;
use gristmill_urls::{CanonicalUrl, Takedowns};

use super::pages::ArchiveRecordPage;
use crate::output::{RowCleaner, SourceItem};
use crate::pages::{NoRow, RowOrigin, row_of_archived};
use crate::row::DatasetRow;

/// How pages are read.
pub struct RowBuilder<'f> {
    pub reader: PageReader,
    /// What the texts are without.
    pub structure: Structure,
    /// Whether pictures are described.
    pub describe: bool,
    /// Why a row is not wanted.
    pub refuses: &'f (dyn Fn(&DatasetRow) -> Option<&'static str> + Sync),
    pub cleaner: RowCleaner,
    /// The name of the crawl; else that of the archive.
    pub dump: Option<String>,
    /// What was taken out of the corpus for good.
    pub takedowns: Takedowns,
    /// Whether the dataset has the text as Markdown, too.
    pub with_markdown: bool,
    /// Whether it has the text at other working points, too.
    pub with_variants: bool,
}

/// What became of a page.
pub enum RowResult {
    /// A row, or what is reported of one that was left out.
    Row(Box<SourceItem>),
    /// No text: the reason that is counted.
    Passed(NoRow),
}

impl RowBuilder<'_> {
    /// Reads one page. A page on which the extraction panics is passed over, as in the extractor service.
    pub fn make(&self, page: ArchiveRecordPage, file: &str) -> RowResult {
        catch_unwind(AssertUnwindSafe(|| self.read(page, file))).unwrap_or(RowResult::Passed("panic".into()))
    }

    fn read(&self, ArchiveRecordPage { page, fields, warcinfo }: ArchiveRecordPage, file: &str) -> RowResult {
        if self.is_taken_down(&page.url) {
            return RowResult::Passed("taken down".into());
        }
        let options = ExtractOptions {
            structure: self.structure,
            describe: self.describe,
            variants: self.with_variants,
            ..self.reader.options()
        };
        let mut row = match row_of_archived(&self.reader, &options, page, self.with_markdown) {
            Ok(row) => row,
            Err(none) => return RowResult::Passed(none),
        };
        RowOrigin { file, fields, warcinfo: warcinfo.as_deref(), dump: self.dump.as_deref() }.set(&mut row);
        if let Some(option) = (self.refuses)(&row) {
            return RowResult::Passed(option.into());
        }
        let counted = vec!["pages".to_owned()];
        let mut step = SourceItem { row: Some(Box::new(row)), counted, ..SourceItem::default() };
        self.cleaner.clean(&mut step);
        RowResult::Row(Box::new(step))
    }

    fn is_taken_down(&self, url: &str) -> bool {
        let covers = |url: CanonicalUrl| self.takedowns.covers(url.key(), url.host());
        !self.takedowns.is_empty() && CanonicalUrl::parse(url, None).is_ok_and(covers)
    }
}
