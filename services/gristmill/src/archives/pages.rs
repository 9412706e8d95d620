//! The pages of an archive, and what else stands in it, by reason.

use std::io::Read;

use gristmill_warc::http::{Message, Scratch, decode};
use gristmill_warc::{Damage, Entry, Limits, Reader, Record, RecordKind};

use super::inputs::Input;

/// Longest body of a page in bytes, packed or not; of a longer one the beginning is read.
const MAX_PAGE_BYTES: usize = 16 << 20;

/// Where to read on: an offset, and how many records behind it were read already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    pub offset: u64,
    pub skip: u64,
}

/// A page as it was fetched.
#[derive(Debug, Clone, Default)]
pub struct ArchivedPage {
    pub id: String,
    pub url: String,
    /// WARC-Date as it stands.
    pub date: String,
    pub content_type: Option<String>,
    /// Without transfer and content codings.
    pub body: Vec<u8>,
    /// The WARC fields of its record.
    pub fields: Vec<(String, String)>,
}

/// What stands next in an archive.
#[derive(Debug)]
pub enum Piece {
    Page(Box<ArchivedPage>),
    /// A record that is no page, by the reason that is counted.
    Passed(&'static str),
    Damaged(Damage),
}

/// One piece, how to read on behind it, and whether its page is cut.
#[derive(Debug)]
pub struct Found {
    pub piece: Piece,
    /// None for damage, which belongs to the record before it.
    pub next: Option<Position>,
    pub is_cut: bool,
}

/// Reads the pieces of one archive.
pub struct Pages {
    reader: Reader<Box<dyn Read + Send>>,
    scratch: Scratch,
    skip: u64,
}

impl Pages {
    /// Reads on at a position.
    pub fn open(input: &Input, from: Position) -> anyhow::Result<Pages> {
        let limits = Limits { body_bytes: MAX_PAGE_BYTES, ..Limits::default() };
        let mut reader = Reader::resume(input.open(from.offset)?, from.offset, limits);
        if from.offset > 0 {
            // A dictionary of zstd stands at the start only.
            let mut first = Reader::new(input.open(0)?, limits);
            first.next()?;
            if let Some(dictionary) = first.dictionary() {
                reader = reader.with_dictionary(dictionary);
            }
        }
        Ok(Pages { reader, scratch: Scratch::default(), skip: from.skip })
    }

    /// The next piece; none at the end.
    ///
    /// # Errors
    /// Those of reading the file.
    pub fn next(&mut self) -> std::io::Result<Option<Found>> {
        while self.skip > 0 {
            match self.reader.next()? {
                Some(Entry::Record(_)) => self.skip -= 1,
                Some(Entry::Damage(_)) => {}
                None => return Ok(None),
            }
        }
        Ok(match self.reader.next()? {
            None => None,
            Some(Entry::Damage(damage)) => Some(Found { piece: Piece::Damaged(damage), next: None, is_cut: false }),
            Some(Entry::Record(record)) => {
                let skip = if record.end() == record.offset() { record.ordinal() + 1 } else { 0 };
                let next = Some(Position { offset: record.end(), skip });
                let (piece, is_cut) = piece_of(&record, &mut self.scratch);
                Some(Found { piece, next, is_cut })
            }
        })
    }
}

fn piece_of(record: &Record<'_>, scratch: &mut Scratch) -> (Piece, bool) {
    match read_page(record, scratch) {
        Ok((page, is_cut)) => (Piece::Page(Box::new(page)), is_cut || record.truncated().is_some()),
        Err(reason) => (Piece::Passed(reason), false),
    }
}

/// The page that a record holds, and whether it was cut; else why it holds none.
fn read_page(record: &Record<'_>, scratch: &mut Scratch) -> Result<(ArchivedPage, bool), &'static str> {
    let media_type = |text: &str| text.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let own = record.content_type().unwrap_or_default().into_owned();
    let (content_type, body, is_cut) = match record.kind() {
        RecordKind::Resource => (own, record.body().to_vec(), false),
        RecordKind::Response if media_type(&own) == "text/dns" => return Err("not http"),
        RecordKind::Response => {
            let message = Message::parse(record.body()).map_err(|_| "not http")?;
            if message.status() != Some(200) {
                return Err("status");
            }
            let content_type = message.field("content-type").unwrap_or_default().into_owned();
            if !may_be_html(&media_type(&content_type)) {
                return Err("not html");
            }
            let decoded = decode(&message, MAX_PAGE_BYTES, scratch);
            let is_cut = decoded.bytes.len() >= MAX_PAGE_BYTES;
            (content_type, decoded.bytes.into_owned(), is_cut)
        }
        other => return Err(other.name()),
    };
    if !may_be_html(&media_type(&content_type)) {
        return Err("not html");
    }
    if body.is_empty() {
        return Err("empty");
    }
    let text = |value: Option<std::borrow::Cow<'_, str>>| value.unwrap_or_default().into_owned();
    let page = ArchivedPage {
        id: text(record.id()),
        url: text(record.target_uri()),
        date: text(record.date()),
        content_type: Some(content_type).filter(|kind| !kind.is_empty()),
        body,
        fields: record.fields().map(|(name, value)| (name.into_owned(), value.into_owned())).collect(),
    };
    Ok((page, is_cut))
}

/// Whether a server that says this may have sent a page; without a word the bytes decide.
fn may_be_html(media_type: &str) -> bool {
    matches!(media_type, "" | "text/html" | "application/xhtml+xml" | "application/octet-stream" | "unknown/unknown")
}
