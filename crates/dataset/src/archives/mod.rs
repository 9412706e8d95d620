//! From the bytes of web archives to rows of a dataset: the pages of an archive, the row of each, on many threads in order.

mod pages;
mod pipeline;
mod rows;

pub use pages::{ArchiveItem, ArchivePages, ArchiveRecordPage, LocatedItem, MAX_PAGE_BYTES, PageFieldsWanted};
pub use pipeline::{EntryResult, PipelineItem, run};
pub use rows::{RowBuilder, RowResult};
