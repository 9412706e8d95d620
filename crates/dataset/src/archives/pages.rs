//! The pages of an archive, and what else stands in it, by reason.

use std::io::Read;
use std::sync::Arc;

use gristmill_warc::http::{DecodeBuffers, HttpMessage};
use gristmill_warc::{
    ArchiveStream, ArchivedPage, Damage, FromArc, ReadLimits, ReaderItem, RecordKind, WarcReader, WarcRecord, Warcinfo,
    page_of,
};
use url::Url;

use crate::output::{AnswerFacts, ArchiveOffset};

/// Longest body of a page in bytes, packed or not; of a longer one the beginning is read.
pub const MAX_PAGE_BYTES: usize = 16 << 20;

/// What of a page's record and archive is asked for, besides the page.
#[derive(Debug, Clone, Copy, Default)]
pub struct PageFieldsWanted {
    /// The header fields of the record.
    pub fields: bool,
    /// What the archive says of itself.
    pub warcinfo: bool,
}

/// A page, with what is asked for besides.
#[derive(Debug)]
pub struct ArchiveRecordPage {
    pub page: ArchivedPage,
    pub fields: Vec<(String, String)>,
    pub warcinfo: Option<Arc<Warcinfo>>,
}

/// What stands next in an archive.
#[derive(Debug)]
pub enum ArchiveItem {
    Page(Box<ArchiveRecordPage>),
    /// A record that is no page, by the reason that is counted.
    Passed(&'static str),
    Damaged(Damage),
}

/// One piece, and how to read on behind it.
#[derive(Debug)]
pub struct LocatedItem {
    pub piece: ArchiveItem,
    /// None for damage, which belongs to the record before it.
    pub next: Option<ArchiveOffset>,
    /// Of a record that is an answer.
    pub answer: Option<Box<AnswerFacts>>,
}

/// Reads the pieces of one archive.
pub struct ArchivePages {
    reader: WarcReader<Box<dyn Read + Send>>,
    scratch: DecodeBuffers,
    skip: u64,
    version: Option<u64>,
    /// Bytes of the archive, if that is known.
    pub len: Option<u64>,
    needs: PageFieldsWanted,
    warcinfo: Option<Arc<Warcinfo>>,
}

impl ArchivePages {
    /// Reads on at a position of the archive of this name. `open` gives its bytes from an offset on, of a version if one is named.
    ///
    /// # Errors
    /// Those of `open` and of reading.
    pub fn open(
        name: &str,
        from: ArchiveOffset,
        needs: PageFieldsWanted,
        open: impl Fn(u64, Option<u64>) -> anyhow::Result<ArchiveStream>,
    ) -> anyhow::Result<ArchivePages> {
        let limits = ReadLimits { body_bytes: MAX_PAGE_BYTES, ..ReadLimits::default() };
        if gristmill_warc::is_arc(name) {
            return ArchivePages::open_arc(open(0, from.version)?, from, needs, limits);
        }
        let (mut dictionary, mut warcinfo) = (None, None);
        if from != ArchiveOffset::default() {
            // A dictionary of zstd stands at the start only, and so does what an archive says of itself.
            let mut first = WarcReader::new(open(0, from.version)?.bytes, limits);
            if let Some(ReaderItem::Record(record)) = first.next()? {
                warcinfo = Warcinfo::of(&record).map(Arc::new);
            }
            dictionary = first.dictionary().filter(|_| from.offset > 0).map(<[u8]>::to_vec);
        }
        let ArchiveStream { bytes, len, version } = open(from.offset, from.version)?;
        let mut reader = WarcReader::resume(bytes, from.offset, limits);
        if let Some(dictionary) = dictionary {
            reader = reader.with_dictionary(&dictionary);
        }
        Ok(ArchivePages { reader, scratch: DecodeBuffers::default(), skip: from.skip, version, len, needs, warcinfo })
    }

    /// Reads an ARC, whose positions are those of the WARC that it would be: it is read from its start.
    fn open_arc(
        ArchiveStream { bytes, len, version }: ArchiveStream,
        from: ArchiveOffset,
        needs: PageFieldsWanted,
        limits: ReadLimits,
    ) -> anyhow::Result<ArchivePages> {
        let mut bytes: Box<dyn Read + Send> = Box::new(FromArc::new(bytes)?);
        std::io::copy(&mut bytes.by_ref().take(from.offset), &mut std::io::sink())?;
        let reader = WarcReader::resume(bytes, from.offset, limits);
        Ok(ArchivePages {
            reader,
            scratch: DecodeBuffers::default(),
            skip: from.skip,
            version,
            len,
            needs,
            warcinfo: None,
        })
    }

    /// The next piece; none at the end.
    ///
    /// # Errors
    /// Those of reading the file.
    pub fn next_item(&mut self) -> std::io::Result<Option<LocatedItem>> {
        while self.skip > 0 {
            match self.reader.next()? {
                Some(ReaderItem::Record(_)) => self.skip -= 1,
                Some(ReaderItem::Damage(_)) => {}
                None => return Ok(None),
            }
        }
        Ok(match self.reader.next()? {
            None => None,
            Some(ReaderItem::Damage(damage)) => {
                Some(LocatedItem { piece: ArchiveItem::Damaged(damage), next: None, answer: None })
            }
            Some(ReaderItem::Record(record)) => {
                let skip = if record.end() == record.offset() { record.ordinal() + 1 } else { 0 };
                let next = Some(ArchiveOffset { offset: record.end(), skip, version: self.version });
                if record.offset() == 0 && record.ordinal() == 0 {
                    self.warcinfo = Warcinfo::of(&record).map(Arc::new);
                }
                let answer = answer_of(&record);
                let piece = match page_of(&record, MAX_PAGE_BYTES, &mut self.scratch) {
                    Ok(page) => {
                        let fields = if self.needs.fields { record.owned_fields() } else { Vec::new() };
                        let warcinfo = self.warcinfo.clone().filter(|_| self.needs.warcinfo);
                        ArchiveItem::Page(Box::new(ArchiveRecordPage { page, fields, warcinfo }))
                    }
                    Err(reason) => ArchiveItem::Passed(reason),
                };
                Some(LocatedItem { piece, next, answer })
            }
        })
    }
}

/// What a record says of the host that answered; none of a record that is no answer.
fn answer_of(record: &WarcRecord<'_>) -> Option<Box<AnswerFacts>> {
    let status = match record.kind() {
        RecordKind::Response => HttpMessage::parse(record.body()).ok().and_then(|message| message.status()),
        RecordKind::Resource | RecordKind::Conversion => None,
        _ => return None,
    };
    let url = record.target_uri().and_then(|url| Url::parse(&url).ok());
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
    Some(Box::new(AnswerFacts { host, status, bytes: record.body().len() as u64, wall: None }))
}
