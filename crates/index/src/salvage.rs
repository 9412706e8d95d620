//! What can still be read of an index whose files are damaged, or whose fields are those of another version.
//!
//! Documents are stored apart from postings and columns, so that they can be read without either.

use std::path::{Path, PathBuf};

use tantivy::fastfield::AliveBitSet;
use tantivy::index::SegmentComponent;
use tantivy::schema::Schema;
use tantivy::store::StoreReader;
use tantivy::{Index, Segment, TantivyDocument};

use crate::directory::Trust;
use crate::doc_store;
use crate::document::IndexDocument;
use crate::error::IndexError;
use crate::panics::guarded;
use crate::payload::{self, Positions};
use crate::reader::open_to_read;
use crate::schema::{self, Fields};
use crate::shards::folders;

/// Blocks of the document store that are kept unpacked.
const CACHED_BLOCKS: usize = 10;

/// What [`salvage`] came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SalvageReport {
    /// Documents that were read.
    pub documents: u64,
    /// Those of them from files whose checksum does not fit, where some may not be as they were written.
    pub doubtful: u64,
    /// Documents that could not be.
    pub lost: u64,
    /// Folders of which not even the list of segments can be read, so that nobody knows what they held.
    pub unreadable: Vec<PathBuf>,
    /// The input positions of the last commits, where they can be read.
    pub positions: Positions,
}

/// Gives every document that can be read in the index in `dir`, or in the indexes in its folders, to `take`. A document may
/// come twice where the list of replaced ones is damaged; the newer one comes last.
///
/// # Errors
/// `Missing` if nothing was ever written there; else what `take` says. Damage is no error here.
pub fn salvage(
    dir: &Path,
    mut take: impl FnMut(IndexDocument) -> Result<(), IndexError>,
) -> Result<SalvageReport, IndexError> {
    let folders = folders(dir);
    if folders.is_empty() {
        return Err(IndexError::Missing { dir: dir.to_owned() });
    }
    let (schema, fields) = schema::build();
    let mut salvaged = SalvageReport::default();
    for folder in folders {
        let opened = guarded(&folder, || {
            let index = open_to_read(&folder, Trust::Blind)?;
            let metas = index.load_metas()?;
            Ok((index, payload::decode(metas.payload.as_deref()).unwrap_or_default()))
        });
        let Ok((index, positions)) = opened else {
            salvaged.unreadable.push(folder);
            continue;
        };
        salvaged.positions.extend(positions);
        let reading = Reading { folder: &folder, from: index.schema(), to: &schema, fields: &fields };
        for (segment, alive) in segments(&index)? {
            reading.segment(&segment, alive.as_ref(), &mut salvaged, &mut take)?;
        }
    }
    Ok(salvaged)
}

/// All segments with what is alive in each: first those of which that cannot be read, so that newer versions come behind.
fn segments(index: &Index) -> Result<Vec<(Segment, Option<AliveBitSet>)>, IndexError> {
    let mut segments = Vec::new();
    for segment in index.searchable_segments()? {
        let replaced = segment.meta().has_deletes();
        let alive = if replaced && is_sound(&segment, SegmentComponent::Delete) { alive(&segment) } else { None };
        segments.push((replaced && alive.is_none(), segment, alive));
    }
    segments.sort_by_key(|(unknown, ..)| !unknown);
    Ok(segments.into_iter().map(|(_, segment, alive)| (segment, alive)).collect())
}

fn alive(segment: &Segment) -> Option<AliveBitSet> {
    Some(AliveBitSet::open(segment.open_read(SegmentComponent::Delete).ok()?.read_bytes().ok()?))
}

fn is_sound(segment: &Segment, component: SegmentComponent) -> bool {
    let path = segment.relative_path(component);
    guarded(&path, || Ok(segment.index().directory().validate_checksum(&path).unwrap_or(false))).unwrap_or(false)
}

struct Reading<'a> {
    folder: &'a Path,
    from: Schema,
    to: &'a Schema,
    fields: &'a Fields,
}

impl Reading<'_> {
    fn segment(
        &self,
        segment: &Segment,
        alive: Option<&AliveBitSet>,
        salvaged: &mut SalvageReport,
        take: &mut impl FnMut(IndexDocument) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let store = guarded(self.folder, || {
            let file = segment.open_read(SegmentComponent::Store).map_err(tantivy::TantivyError::from)?;
            Ok(StoreReader::open(file, CACHED_BLOCKS).map_err(tantivy::TantivyError::from)?)
        });
        let store = store.ok();
        let doubtful = !is_sound(segment, SegmentComponent::Store);
        for doc in 0..segment.meta().max_doc() {
            if alive.is_some_and(|alive| alive.is_deleted(doc)) {
                continue;
            }
            let read = |store: &StoreReader| guarded(self.folder, || Ok(doc_store::read(store, doc)?)).ok();
            match store.as_ref().and_then(read).map(|stored| self.document(&stored)) {
                // Whatever a damaged block gives, a document has a key.
                Some(document) if !document.key.is_empty() => {
                    take(document)?;
                    salvaged.documents += 1;
                    salvaged.doubtful += u64::from(doubtful);
                }
                _ => salvaged.lost += 1,
            }
        }
        Ok(())
    }

    /// Fields are known by their names: an index of another version has other numbers.
    fn document(&self, stored: &TantivyDocument) -> IndexDocument {
        let mut renamed = TantivyDocument::default();
        for (field, value) in stored.field_values() {
            if field.field_id() < self.from.num_fields() as u32
                && let Ok(field) = self.to.get_field(self.from.get_field_name(field))
            {
                renamed.add_field_value(field, value);
            }
        }
        self.fields.decode(&renamed)
    }
}
