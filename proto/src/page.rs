//! A page on its way to the extractor, and its body.

use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind};

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
pub enum BodyRef {
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
pub struct FetchedPage {
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
    pub body: BodyRef,
    /// The same page as a browser drew it, beside what the server sent.
    pub rendered: Option<RenderedPage>,
}

/// A page as a browser drew it: the tree after its scripts ran, as HTML in UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct RenderedPage {
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
    pub body: BodyRef,
}

impl Message for FetchedPage {
    const KIND: MessageKind = MessageKind::Page;
    const VERSION: u8 = 1;
}
