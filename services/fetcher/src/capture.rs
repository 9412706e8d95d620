//! From what went over the wire to the record that the archiver gets.

use std::sync::Arc;

use bytes::Bytes;
use gristmill_fetch::{BudgetShare, Exchange};
use gristmill_log::ProducerRecord;
use gristmill_proto::{Capture, Cut, FetchOrder, encode, topics};
use gristmill_runtime::blobs::{Blobs, CAPTURES};
use gristmill_runtime::clock::unix_ms;
use gristmill_urls::CanonicalUrl;

use crate::body::{BodyKey, OversizedBody};
use crate::render::record::{RenderRecord, SubresourceCapture};
use crate::report::FetchReport;

/// A capture as a record, and its body if that goes to the blob store.
pub(crate) struct CaptureRecord {
    record: ProducerRecord,
    large: Option<OversizedBody>,
    share: Option<Arc<BudgetShare>>,
}

impl CaptureRecord {
    /// What the order asked for.
    pub(crate) fn new(order: &FetchOrder, own: &CanonicalUrl, exchange: Exchange, blobs: &Blobs) -> Self {
        Self::exchange(order, own, None, exchange, blobs)
    }

    /// What the drawn page asked for.
    pub(crate) fn resource(order: &FetchOrder, own: &CanonicalUrl, asked: SubresourceCapture, blobs: &Blobs) -> Self {
        Self::exchange(order, own, Some((asked.url, asked.kind)), asked.exchange, blobs)
    }

    fn exchange(
        order: &FetchOrder,
        own: &CanonicalUrl,
        asked: Option<(String, &'static str)>,
        exchange: Exchange,
        blobs: &Blobs,
    ) -> Self {
        let started_at = unix_ms(exchange.started);
        let fields: usize = exchange.fields.iter().map(|(name, value)| name.len() + value.len()).sum();
        let (mut body, mut cut) = (exchange.body, exchange.cut);
        // Where there is no blob store, a body that is kept only for the archive may be longer than any page.
        let room = blobs.largest_body().saturating_sub(fields);
        if body.len() > room {
            (body, cut) = (body.slice(..room), Some(Cut::Length));
        }
        let name = format!("{}-{}", own.key(), order.id);
        let owner = BodyKey { folder: CAPTURES, name: &name, at: started_at };
        let (body, large) = owner.place(body, fields, blobs);
        let (url, resource) = match asked {
            Some((url, kind)) => (url, Some(kind.to_owned())),
            None => (order.url.clone(), None),
        };
        let capture = Capture {
            order_id: order.id,
            url,
            kind: order.kind,
            started_at,
            ip: exchange.ip.map(|ip| ip.to_string()),
            protocol: exchange.protocol.to_owned(),
            request: exchange.request,
            status: exchange.status,
            reason: exchange.reason,
            fields: exchange.fields,
            body,
            cut,
            resource,
        };
        let key = own.registrable_domain().to_owned();
        let record = ProducerRecord { topic: topics::CAPTURES, key, payload: encode(&capture) };
        Self { record, large, share: exchange.share }
    }

    /// The page as a browser drew it, beside the exchange that brought it: a capture without a request.
    ///
    /// * `started_at`: of that exchange.
    pub(crate) fn drawn(
        order: &FetchOrder,
        own: &CanonicalUrl,
        drawn: &RenderRecord,
        started_at: u64,
        blobs: &Blobs,
    ) -> Self {
        let field = |name: &str, value: &str| (name.to_owned(), value.as_bytes().to_vec());
        let mut fields = vec![field("content-type", "text/html; charset=utf-8"), field("x-rendered", drawn.ended)];
        fields.extend(order.anchor_title.iter().map(|anchor| field("x-anchor-text", anchor)));
        let html = Bytes::copy_from_slice(drawn.html.as_bytes());
        Self::without_exchange(order, own, ("drawn", html), fields, started_at, blobs)
    }

    /// A picture of the page as a browser drew it: a capture without a request too, of the type `image/png`.
    pub(crate) fn screenshot(
        order: &FetchOrder,
        own: &CanonicalUrl,
        png: Bytes,
        started_at: u64,
        blobs: &Blobs,
    ) -> Self {
        let fields = vec![("content-type".to_owned(), b"image/png".to_vec())];
        Self::without_exchange(order, own, ("screenshot", png), fields, started_at, blobs)
    }

    fn without_exchange(
        order: &FetchOrder,
        own: &CanonicalUrl,
        (role, mut body): (&str, Bytes),
        fields: Vec<(String, Vec<u8>)>,
        started_at: u64,
        blobs: &Blobs,
    ) -> Self {
        let mut cut = None;
        if body.len() > blobs.largest_body() {
            (body, cut) = (body.slice(..blobs.largest_body()), Some(Cut::Length));
        }
        let name = format!("{}-{}-{role}", own.key(), order.id);
        let (body, large) = BodyKey { folder: CAPTURES, name: &name, at: started_at }.place(body, 0, blobs);
        let capture = Capture {
            order_id: order.id,
            url: order.url.clone(),
            kind: order.kind,
            started_at,
            ip: None,
            protocol: String::new(),
            request: Vec::new(),
            status: 0,
            reason: Vec::new(),
            fields,
            body,
            cut,
            resource: None,
        };
        let key = own.registrable_domain().to_owned();
        Self { record: ProducerRecord { topic: topics::CAPTURES, key, payload: encode(&capture) }, large, share: None }
    }

    /// Adds it to what its order brings into the log.
    pub(crate) fn join(self, report: &mut FetchReport) {
        report.records.push(self.record);
        report.large.extend(self.large);
        report.share = report.share.take().or(self.share);
    }
}
