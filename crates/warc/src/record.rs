//! One record as its reader sees it.

use std::borrow::Cow;

use crate::date;
use crate::header::{self, HeaderField};

/// What a record is, by its WARC-Type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Warcinfo,
    Request,
    Response,
    Resource,
    Metadata,
    Revisit,
    Conversion,
    Continuation,
    /// A type that the standard does not know, or none.
    Other,
}

const NAMES: [(&str, RecordKind); 8] = [
    ("warcinfo", RecordKind::Warcinfo),
    ("request", RecordKind::Request),
    ("response", RecordKind::Response),
    ("resource", RecordKind::Resource),
    ("metadata", RecordKind::Metadata),
    ("revisit", RecordKind::Revisit),
    ("conversion", RecordKind::Conversion),
    ("continuation", RecordKind::Continuation),
];

impl RecordKind {
    fn of(name: &[u8]) -> Self {
        let known = NAMES.iter().find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
        known.map_or(RecordKind::Other, |(_, kind)| *kind)
    }

    /// Its name in a header; `other` for [`RecordKind::Other`].
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, kind)| *kind == self).map_or("other", |(name, _)| name)
    }
}

/// Why a body is not all of what was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Truncation {
    /// It is longer than [`ReadLimits::body_bytes`](crate::Limits::body_bytes); its head is here.
    Limit,
    /// The data ended before it did; what there was is here.
    DataEnded,
    /// It is whole, but the compressed member that holds it is wrong at its end, so any byte may be.
    Corrupt,
    /// The record itself says so in WARC-Truncated, with this word: `length`, `time`, `disconnect` or another.
    Declared(String),
}

/// What the reader knows about a record beside its bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordBounds {
    pub offset: u64,
    pub end: u64,
    pub ordinal: u64,
    pub is_limited: bool,
    pub is_short: bool,
    pub is_corrupt: bool,
    pub is_whole: bool,
}

/// One record. It borrows from the reader until the next call.
#[derive(Debug, Clone, Copy)]
pub struct WarcRecord<'r> {
    pub(crate) header: &'r [u8],
    pub(crate) fields: &'r [HeaderField],
    pub(crate) body: &'r [u8],
    pub(crate) facts: RecordBounds,
}

impl<'r> WarcRecord<'r> {
    /// File offset of the compressed member that begins the record, or of the record itself if it is plain.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.facts.offset
    }

    /// File offset from which a reader gives all records behind this one: see [`WarcReader::resume`](crate::Reader::resume).
    ///
    /// If more records follow in the same compressed member, it is the begin of that member; pass over the first
    /// [`ordinal`](Record::ordinal) + 1 records there.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.facts.end
    }

    /// How many records begin before this one in its compressed member; 0 for plain ones.
    #[must_use]
    pub fn ordinal(&self) -> u64 {
        self.facts.ordinal
    }

    /// The value of a field, by its name in any case; the first if it is there twice. Bytes that are no UTF-8 become U+FFFD.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Cow<'r, str>> {
        self.bytes(name).map(header::text)
    }

    /// Names and values of all fields, in the order of the header.
    pub fn fields(&self) -> impl Iterator<Item = (Cow<'r, str>, Cow<'r, str>)> + use<'r> {
        let header = self.header;
        let text = move |range: &std::ops::Range<usize>| header::text(&header[range.clone()]);
        self.fields.iter().map(move |field| (text(&field.name), text(&field.value)))
    }

    /// The same, for keeping.
    pub fn owned_fields(&self) -> Vec<(String, String)> {
        self.fields().map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
    }

    fn bytes(&self, name: &str) -> Option<&'r [u8]> {
        header::value(self.header, self.fields, name)
    }

    /// WARC-Type.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        self.bytes("WARC-Type").map_or(RecordKind::Other, RecordKind::of)
    }

    /// WARC-Record-ID, without angle brackets.
    #[must_use]
    pub fn id(&self) -> Option<Cow<'r, str>> {
        self.bytes("WARC-Record-ID").map(|value| header::text(without_brackets(value)))
    }

    /// WARC-Target-URI, without the angle brackets that some writers put around it, and otherwise as it stands: with its
    /// spaces and brackets.
    #[must_use]
    pub fn target_uri(&self) -> Option<Cow<'r, str>> {
        self.bytes("WARC-Target-URI").map(|value| header::text(without_brackets(value)))
    }

    /// WARC-Date as it stands.
    #[must_use]
    pub fn date(&self) -> Option<Cow<'r, str>> {
        self.field("WARC-Date")
    }

    /// WARC-Date in seconds since 1970; `None` if there is none or it is no date.
    #[must_use]
    pub fn date_seconds(&self) -> Option<i64> {
        self.bytes("WARC-Date").and_then(date::seconds)
    }

    /// Content-Type as it stands.
    #[must_use]
    pub fn content_type(&self) -> Option<Cow<'r, str>> {
        self.field("Content-Type")
    }

    /// The block of the record: for most responses an HTTP message, see [`http::Message`](crate::http::Message).
    #[must_use]
    pub fn body(&self) -> &'r [u8] {
        self.body
    }

    /// Why the body is not all of what was fetched; what the reader noticed comes before what the record says.
    #[must_use]
    pub fn truncated(&self) -> Option<Truncation> {
        match self.facts {
            RecordBounds { is_short: true, .. } => Some(Truncation::DataEnded),
            RecordBounds { is_limited: true, .. } => Some(Truncation::Limit),
            RecordBounds { is_corrupt: true, .. } => Some(Truncation::Corrupt),
            _ => self.field("WARC-Truncated").map(|reason| Truncation::Declared(reason.into_owned())),
        }
    }

    /// Whether the input holds the record to its end, and what packs it was right up to there.
    pub(crate) fn is_whole(&self) -> bool {
        self.facts.is_whole
    }
}

fn without_brackets(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">")).unwrap_or(value)
}
