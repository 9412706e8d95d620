//! What went over the wire in one fetch, kept for those who archive it.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::{Bytes, BytesMut};
use gristmill_terms::Cut;
use hyper::ext::ReasonPhrase;
use reqwest::Version;
use reqwest::header::{AUTHORIZATION, COOKIE, HOST, HeaderMap, PROXY_AUTHORIZATION};
use url::{Position, Url};

use crate::budget::BudgetShare;
use crate::error::FetchError;

/// A request and what came back, also where the fetch failed afterwards.
///
/// The HTTP reader gives the names of fields in lower case and undoes the chunked coding; `Transfer-Encoding` still stands among the
/// fields then. The content coding is kept.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The head of the request as HTTP/1.1, with its empty line and without fields that hold secrets. HTTP/2 sends the same in another
    /// form.
    pub request: Vec<u8>,
    /// `http/1.0`, `http/1.1` or `h2`: that of the answer.
    pub protocol: &'static str,
    /// The address that answered; none behind a proxy.
    pub ip: Option<IpAddr>,
    /// When the request went out.
    pub started: SystemTime,
    /// Status code, 100 to 999.
    pub status: u16,
    /// What the server wrote behind the code; empty over HTTP/2.
    pub reason: Vec<u8>,
    /// All header fields. Fields of one name stand together.
    pub fields: Vec<(String, Vec<u8>)>,
    /// The body as it was sent, as far as it was taken in.
    pub body: Bytes,
    /// Why `body` is not all of it, if it is not.
    pub cut: Option<Cut>,
    /// The memory of the body.
    pub share: Option<Arc<BudgetShare>>,
}

/// Keeps the [`Exchange`] of one fetch, if it is to.
#[derive(Debug, Default)]
pub struct Recorder {
    is_on: bool,
    exchange: Mutex<Option<Exchange>>,
}

impl Recorder {
    /// One that keeps it where `is_on`, and else costs nothing.
    pub fn new(is_on: bool) -> Self {
        Self { is_on, exchange: Mutex::default() }
    }

    /// What was kept: nothing where no answer came.
    pub fn take(self) -> Option<Exchange> {
        self.exchange.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on
    }

    fn lock(&self) -> MutexGuard<'_, Option<Exchange>> {
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The header has come.
    pub(crate) fn answered(&self, request: Vec<u8>, answer: &reqwest::Response, ip: Option<IpAddr>, at: SystemTime) {
        let reason = answer.extensions().get::<ReasonPhrase>().map(|reason| reason.as_bytes().to_vec());
        let reason = reason.or_else(|| answer.status().canonical_reason().map(|reason| reason.as_bytes().to_vec()));
        let fields = answer.headers().iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()));
        *self.lock() = Some(Exchange {
            request,
            protocol: match answer.version() {
                Version::HTTP_2 => "h2",
                Version::HTTP_10 => "http/1.0",
                _ => "http/1.1",
            },
            ip,
            started: at,
            status: answer.status().as_u16(),
            reason: reason.unwrap_or_default(),
            fields: fields.collect(),
            body: Bytes::new(),
            cut: Some(Cut::Unwanted),
            share: None,
        });
    }

    /// The body, as far as it has come.
    pub(crate) fn body(&self, body: Bytes, cut: Option<Cut>, share: Option<Arc<BudgetShare>>) {
        if let Some(exchange) = self.lock().as_mut() {
            (exchange.body, exchange.cut, exchange.share) = (body, cut, share);
        }
    }

    /// The fetch failed: a body that is not whole is so because of `error`.
    pub(crate) fn failed(&self, error: &FetchError) {
        if let Some(exchange) = self.lock().as_mut()
            && exchange.cut == Some(Cut::Unwanted)
        {
            exchange.cut = Some(cut_by(error));
        }
    }
}

fn cut_by(error: &FetchError) -> Cut {
    match error {
        FetchError::TooLarge { .. } | FetchError::Ratio { .. } => Cut::Length,
        FetchError::Timeout { .. } | FetchError::TooSlow { .. } => Cut::Time,
        FetchError::Truncated { .. } | FetchError::Protocol { .. } => Cut::Disconnect,
        _ => Cut::Unwanted,
    }
}

/// A body that comes in. When it is dropped, at its end or before, the recorder gets what there is of it.
pub(crate) struct RecordedBody<'r> {
    pub(crate) wire: BytesMut,
    /// The same when nothing more comes.
    whole: Bytes,
    pub(crate) share: BudgetShare,
    pub(crate) cut: Option<Cut>,
    recorder: &'r Recorder,
}

impl<'r> RecordedBody<'r> {
    pub(crate) fn new(share: BudgetShare, recorder: &'r Recorder) -> Self {
        Self { wire: BytesMut::new(), whole: Bytes::new(), share, cut: Some(Cut::Unwanted), recorder }
    }

    /// The bytes, to which nothing will be added, as `cut` says.
    pub(crate) fn end(&mut self, cut: Option<Cut>) -> Bytes {
        self.cut = cut;
        let wire = self.wire.split().freeze();
        if self.recorder.is_on {
            self.whole = wire.clone();
        }
        wire
    }
}

impl Drop for RecordedBody<'_> {
    fn drop(&mut self) {
        if self.recorder.is_on {
            let body = if self.whole.is_empty() { self.wire.split().freeze() } else { std::mem::take(&mut self.whole) };
            self.recorder.body(body, self.cut, Some(Arc::new(self.share.take())));
        }
    }
}

/// The head of a request for `url` as HTTP/1.1, without what says who is let in: archives are handed on.
///
/// * `fields`: those of the request.
/// * `defaults`: those that the client adds to every request where they are missing.
pub(crate) fn request_head(url: &Url, fields: &HeaderMap, defaults: &HeaderMap) -> Vec<u8> {
    let path = &url[Position::BeforePath..Position::AfterQuery];
    let mut head = format!("GET {path} HTTP/1.1\r\n").into_bytes();
    let mut field = |name: &str, value: &[u8]| {
        head.extend_from_slice(name.as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value);
        head.extend_from_slice(b"\r\n");
    };
    let added = defaults.iter().filter(|(name, _)| !fields.contains_key(*name));
    let is_secret = |name| [AUTHORIZATION, COOKIE, PROXY_AUTHORIZATION].contains(name);
    for (name, value) in fields.iter().chain(added).filter(|(name, value)| !value.is_sensitive() && !is_secret(*name)) {
        field(name.as_str(), value.as_bytes());
    }
    if !fields.contains_key(HOST) && !defaults.contains_key(HOST) {
        field("host", url[Position::BeforeHost..Position::AfterPort].as_bytes());
    }
    head.extend_from_slice(b"\r\n");
    head
}
