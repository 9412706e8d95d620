//! From what a browser made of a page to the records of its order.

use std::collections::HashSet;

use bytes::Bytes;
use gristmill_fetch::{Exchange, Response};
use gristmill_html::DecodedText;
use gristmill_proto::topics::groups::RENDERER;
use gristmill_proto::{FetchOrder, RejectCause, RenderedPage, Verdict};
use gristmill_runtime::blobs::{BODIES, Blobs};
use gristmill_runtime::clock::unix_ms;
use gristmill_urls::CanonicalUrl;
use gristmill_walls::{Wall, WallInput, wall};
use xxhash_rust::xxh3::xxh3_64;

use crate::body::{BodyKey, pack};
use crate::capture::CaptureRecord;
use crate::config::FetcherConfig;
use crate::links::records;
use crate::report::{FetchReport, links_in, outcome_of, page_of, record_of, rejected, text_of};

/// A page as a browser drew it.
pub(crate) struct RenderRecord {
    /// The tree after its scripts ran.
    pub(crate) html: String,
    /// How much was drawn, in the browser's words.
    pub(crate) mode: &'static str,
    /// When the browser was done, in its words.
    pub(crate) ended: &'static str,
    /// From the start of the drawing to its end.
    pub(crate) millis: u32,
    /// What scripts, frames and styles asked for.
    pub(crate) requests: u32,
    /// Requests of these that a server answered with 401, 403, 429 or 503.
    pub(crate) denied: u32,
    /// Where the page wanted to go on to by itself.
    pub(crate) leads_to: Option<String>,
    /// Which part of its words it has in common with a second drawing, where the two are not the same.
    pub(crate) agreement: Option<f64>,
    /// What servers answered to its scripts, frames and styles, if that is to be archived.
    pub(crate) asked: Vec<SubresourceCapture>,
    /// A picture of it, as PNG, if that is to be archived.
    pub(crate) screenshot: Option<Bytes>,
}

/// What a drawn page asked for, and what went over the wire.
pub(crate) struct SubresourceCapture {
    pub(crate) url: String,
    /// What it was asked for as, in the words of archives: `script`, `stylesheet`, `fetch` or `iframe`.
    pub(crate) kind: &'static str,
    pub(crate) exchange: Exchange,
}

impl FetchReport {
    /// With what went over the wire, if that is to be archived.
    #[must_use]
    pub(crate) fn captured(
        mut self,
        order: &FetchOrder,
        own: &CanonicalUrl,
        exchange: Option<Exchange>,
        blobs: &Blobs,
    ) -> Self {
        if let Some(exchange) = exchange {
            CaptureRecord::new(order, own, exchange, blobs).join(&mut self);
        }
        self
    }

    /// The records of an order whose answer a browser did not need to draw, since it brought no page.
    pub(crate) fn undrawn(order: &FetchOrder, own: &CanonicalUrl, response: &Response, started_at: u64) -> Self {
        let outcome = outcome_of(order, response, started_at);
        Self::of(own.registrable_domain(), outcome, Vec::new(), Vec::new(), None)
    }

    /// The records of an order for a browser: the page in both forms and the links that only the browser saw; or, where it saw
    /// nothing, why not.
    ///
    /// * `finished_at`: the end of the drawing, Unix milliseconds.
    pub(crate) fn drawn(
        order: &FetchOrder,
        own: &CanonicalUrl,
        (response, exchange): (Response, Option<Exchange>),
        drawn: Result<RenderRecord, String>,
        (started_at, finished_at): (u64, u64),
        config: &FetcherConfig,
        blobs: &Blobs,
    ) -> Self {
        let mut outcome = outcome_of(order, &response, started_at);
        outcome.content_hash = Some(xxh3_64(&response.body.decoded));
        let share = response.body.share.clone();
        let fetched_at = std::mem::replace(&mut outcome.finished_at, finished_at);
        let key = own.registrable_domain();
        let status = response.status;
        // A login that only a browser sees is judged by who reads both forms.
        let walled = |drawn: &RenderRecord| {
            let found = wall(&WallInput { status, url: own.as_str(), html: &drawn.html });
            found.filter(|found| found.wall == Wall::Blocked)
        };
        let drawn = drawn.and_then(|drawn| walled(&drawn).map_or(Ok(drawn), |found| Err(found.reason)));
        let mut drawn = match drawn {
            Ok(drawn) => drawn,
            Err(reason) => {
                (outcome.verdict, outcome.error) = (Verdict::Unrendered, Some(reason.clone()));
                let reason = RejectCause::NotRendered.with(reason);
                let reject = rejected(order, key, RENDERER, reason, finished_at);
                let report = Self::of(key, outcome, vec![reject], Vec::new(), share);
                return report.captured(order, own, exchange, blobs);
            }
        };
        let sent = links_in(order, own, &response.headers, &text_of(own, &response), config).found;
        let sent: HashSet<_> = sent.iter().map(crate::links::NewOutlink::key).collect();
        let html = DecodedText { text: (&*drawn.html).into(), charset: "UTF-8", lossy: false };
        let mut found = links_in(order, own, &response.headers, &html, config).found;
        found.retain(|found| !sent.contains(&found.key()));
        outcome.links = found.len() as u32;
        let (mut records, _) = records(&order.url, finished_at, found);
        let begun = exchange.as_ref().map(|exchange| unix_ms(exchange.started));
        let mut archived: Vec<CaptureRecord> = Vec::new();
        archived.extend(begun.map(|begun| CaptureRecord::drawn(order, own, &drawn, begun, blobs)));
        let pictured = drawn.screenshot.take().zip(begun);
        archived.extend(pictured.map(|(png, begun)| CaptureRecord::screenshot(order, own, png, begun, blobs)));
        let asked = std::mem::take(&mut drawn.asked).into_iter();
        archived.extend(asked.map(|asked| CaptureRecord::resource(order, own, asked, blobs)));

        let (mut page, mut large) = page_of(order, own, response, fetched_at, blobs);
        let unpacked = drawn.html.len() as u64;
        let (encoding, body) = pack(drawn.html.as_bytes());
        let name = format!("{}-{}-drawn", own.key(), order.id);
        let beside = match &page.body {
            gristmill_proto::BodyRef::Inline(bytes) => bytes.len(),
            gristmill_proto::BodyRef::Stored { .. } => 0,
        };
        let (body, large_drawn) =
            BodyKey { folder: BODIES, name: &name, at: fetched_at }.place(body.into(), beside, blobs);
        let RenderRecord { mode, ended, millis, requests, denied, leads_to, agreement, .. } = drawn;
        let (mode, ended) = (mode.to_owned(), ended.to_owned());
        page.rendered =
            Some(RenderedPage { mode, ended, millis, requests, denied, leads_to, encoding, unpacked, body });
        records.push(record_of(own, &page));
        if let Some(agreement) = agreement {
            let share = agreement * 100.0;
            let detail = format!("and a second time with only {share:.0} % of the same words");
            let reason = RejectCause::RenderVaries.with(detail);
            records.push(rejected(order, key, RENDERER, reason, finished_at));
        }
        let large = large.take().into_iter().chain(large_drawn).collect();
        let mut report = Self::of(key, outcome, records, large, share).captured(order, own, exchange, blobs);
        archived.into_iter().for_each(|captured| captured.join(&mut report));
        report
    }
}
