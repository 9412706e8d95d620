//! What went over the wire, from the fetcher to the archiver.

use gristmill_terms::{Cut, FetchKind};
use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind};
use crate::page::BodyRef;

/// One request and its answer. There is one for each [`FetchOrder`](crate::Order) that was answered, if captures are written; and for an
/// order for a browser one for each answer that the page then asked for.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Capture {
    pub order_id: u64,
    /// Canonical URL.
    pub url: String,
    pub kind: FetchKind,
    /// When the request went out, Unix milliseconds.
    pub started_at: u64,
    /// Address that answered; none behind a proxy.
    pub ip: Option<String>,
    /// `http/1.0`, `http/1.1` or `h2`.
    pub protocol: String,
    /// Head of the request as HTTP/1.1, with its empty line.
    pub request: Vec<u8>,
    pub status: u16,
    /// What the server wrote behind the status.
    pub reason: Vec<u8>,
    /// All header fields of the answer, names in lower case.
    pub fields: Vec<(String, Vec<u8>)>,
    /// As the server sent it, without the chunked coding and with the content coding.
    pub body: BodyRef,
    /// Why the body is not whole, if it is not.
    pub cut: Option<Cut>,
    /// What it was asked for as, if not by the order but by the page that a browser drew: `script`, `stylesheet`, `fetch` or `iframe`.
    pub resource: Option<String>,
}

impl Message for Capture {
    const KIND: MessageKind = MessageKind::Capture;
    const VERSION: u8 = 1;
}
