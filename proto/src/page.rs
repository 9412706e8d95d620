//! A page on its way to the extractor, and its body.

use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind, ProtoError, read_archive};

/// Content coding of a body as it is carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum WireEncoding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// The body of a page as it is carried.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum Body {
    /// In the message itself.
    Inline(Vec<u8>),
    /// In the blob store, because it would make the message too large for the log.
    Stored {
        /// Its key there.
        key: String,
        /// Bytes.
        size: u64,
        /// CRC32C of these bytes.
        checksum: u32,
    },
}

/// A downloaded page on its way to the extractor, its body as the server sent it (or zstd where it came unpacked).
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Page {
    pub order_id: u64,
    pub url: String,
    /// 2xx, or another for a page that the index must forget.
    pub status: u16,
    pub content_type: Option<String>,
    /// Values of X-Robots-Tag.
    pub robots_tags: Vec<String>,
    /// Value of `tdm-reservation` (TDM Reservation Protocol): of the answer, else of the site's file.
    pub tdm_reservation: Option<String>,
    /// Value of `tdm-policy`.
    pub tdm_policy: Option<String>,
    pub anchor_title: Option<String>,
    /// Unix milliseconds.
    pub fetched_at: u64,
    pub encoding: WireEncoding,
    /// Bytes of the body when it is unpacked, so that whoever unpacks it knows before what it costs; `None` in older messages.
    pub unpacked: Option<u64>,
    pub body: Body,
    /// The same page as a browser drew it, beside what the server sent.
    pub rendered: Option<Rendered>,
}

/// A page as a browser drew it: the tree after its scripts ran, as HTML in UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Rendered {
    /// How much was drawn, in the browser's words: `styles`, `scripts`.
    pub mode: String,
    /// When the browser was done, in its words: `loaded`, `quiet`, `cap`.
    pub ended: String,
    /// From the start of the drawing to its end.
    pub millis: u32,
    /// What scripts, frames and styles asked for.
    pub requests: u32,
    /// Requests of these that a server answered with 401, 403, 429 or 503.
    pub denied: u32,
    /// Where the page wanted to go on to by itself; it was not let.
    pub leads_to: Option<String>,
    pub encoding: WireEncoding,
    /// Bytes of the body when it is unpacked.
    pub unpacked: u64,
    pub body: Body,
}

impl Message for Page {
    const KIND: MessageKind = MessageKind::Page;
    const VERSION: u8 = 5;

    fn read_old(version: u8, archive: &[u8]) -> Option<Result<Self, ProtoError>> {
        match version {
            1 => Some(read_archive::<PageV1>(archive).map(Page::from)),
            2 => Some(read_archive::<PageV2>(archive).map(Page::from)),
            3 => Some(read_archive::<PageV3>(archive).map(Page::from)),
            4 => Some(read_archive::<PageV4>(archive).map(Page::from)),
            _ => None,
        }
    }
}

/// A page when no browser drew any.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct PageV4 {
    order_id: u64,
    url: String,
    status: u16,
    content_type: Option<String>,
    robots_tags: Vec<String>,
    tdm_reservation: Option<String>,
    tdm_policy: Option<String>,
    anchor_title: Option<String>,
    fetched_at: u64,
    encoding: WireEncoding,
    unpacked: Option<u64>,
    body: Body,
}

impl From<PageV4> for Page {
    fn from(old: PageV4) -> Self {
        Page {
            order_id: old.order_id,
            url: old.url,
            status: old.status,
            content_type: old.content_type,
            robots_tags: old.robots_tags,
            tdm_reservation: old.tdm_reservation,
            tdm_policy: old.tdm_policy,
            anchor_title: old.anchor_title,
            fetched_at: old.fetched_at,
            encoding: old.encoding,
            unpacked: old.unpacked,
            body: old.body,
            rendered: None,
        }
    }
}

/// A page before it told what its server reserves.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct PageV3 {
    order_id: u64,
    url: String,
    status: u16,
    content_type: Option<String>,
    robots_tags: Vec<String>,
    anchor_title: Option<String>,
    fetched_at: u64,
    encoding: WireEncoding,
    unpacked: Option<u64>,
    body: Body,
}

impl From<PageV3> for Page {
    fn from(old: PageV3) -> Self {
        Page {
            order_id: old.order_id,
            url: old.url,
            status: old.status,
            content_type: old.content_type,
            robots_tags: old.robots_tags,
            tdm_reservation: None,
            tdm_policy: None,
            anchor_title: old.anchor_title,
            fetched_at: old.fetched_at,
            encoding: old.encoding,
            unpacked: old.unpacked,
            body: old.body,
            rendered: None,
        }
    }
}

/// A page before it told the size of its body.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct PageV2 {
    order_id: u64,
    url: String,
    status: u16,
    content_type: Option<String>,
    robots_tags: Vec<String>,
    anchor_title: Option<String>,
    fetched_at: u64,
    encoding: WireEncoding,
    body: Body,
}

impl From<PageV2> for Page {
    fn from(old: PageV2) -> Self {
        Page {
            order_id: old.order_id,
            url: old.url,
            status: old.status,
            content_type: old.content_type,
            robots_tags: old.robots_tags,
            tdm_reservation: None,
            tdm_policy: None,
            anchor_title: old.anchor_title,
            fetched_at: old.fetched_at,
            encoding: old.encoding,
            unpacked: None,
            body: old.body,
            rendered: None,
        }
    }
}

/// A page when every body stood in its message.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct PageV1 {
    order_id: u64,
    url: String,
    status: u16,
    content_type: Option<String>,
    robots_tags: Vec<String>,
    anchor_title: Option<String>,
    fetched_at: u64,
    encoding: WireEncoding,
    body: Vec<u8>,
}

impl From<PageV1> for Page {
    fn from(old: PageV1) -> Self {
        Page {
            order_id: old.order_id,
            url: old.url,
            status: old.status,
            content_type: old.content_type,
            robots_tags: old.robots_tags,
            tdm_reservation: None,
            tdm_policy: None,
            anchor_title: old.anchor_title,
            fetched_at: old.fetched_at,
            encoding: old.encoding,
            unpacked: None,
            body: Body::Inline(old.body),
            rendered: None,
        }
    }
}
