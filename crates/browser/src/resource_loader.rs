//! What the browser asks its caller for, and what it may be answered.

use async_trait::async_trait;
use bytes::Bytes;

/// Answers what a page asks for. One page has several requests open at a time.
#[async_trait]
pub trait ResourceLoader: Send + Sync {
    /// The bytes, or why there are none. It is dropped unfinished when the page is done.
    async fn answer(&self, request: ResourceRequest) -> ResourceResponse;
}

/// A request of a page; always a GET for an http or https URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceRequest {
    /// What is asked for, without its fragment.
    pub url: String,
    /// What it is asked for as.
    pub kind: ResourceKind,
    /// The URL of the page that is drawn.
    pub page: String,
    /// `Accept`, as the browser would send it.
    pub accept: Option<String>,
}

/// What a page wants to make of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// A style sheet.
    Style,
    /// A script of a document or of a worker.
    Script,
    /// Data that a script asks for, by `fetch`, `XMLHttpRequest` or what else there is.
    Data,
    /// The document of a frame.
    Frame,
    /// A picture; only where a screenshot is wanted.
    Picture,
}

impl ResourceKind {
    /// The stable name, as in logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            ResourceKind::Style => "style",
            ResourceKind::Script => "script",
            ResourceKind::Data => "data",
            ResourceKind::Frame => "frame",
            ResourceKind::Picture => "picture",
        }
    }
}

/// What a request is answered.
#[derive(Debug, Clone)]
pub enum ResourceResponse {
    /// An answer of a server, whatever its status. A redirect is followed by the browser, which asks for the target as for any URL.
    Found(LoadedResource),
    /// Nothing: the page sees a network error.
    Refused(LoadRefusal),
}

/// The answer of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadedResource {
    /// Status code.
    pub status: u16,
    /// Header fields. Those of the content coding and of the connection are left out, since the body is decoded.
    pub headers: Vec<(String, String)>,
    /// The body, decoded.
    pub body: Bytes,
}

/// Why a request is not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadRefusal {
    /// In words for people, without the URL.
    pub reason: String,
}

impl LoadRefusal {
    /// A refusal for that reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}
