//! From an archived page to the message that a fetcher would have sent.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use gristmill_dataset::pages::DRAWN;
use gristmill_fetcher::{BodyKey, OversizedBody, pack};
use gristmill_html::is_pdf;
use gristmill_log::ProducerRecord;
use gristmill_proto::{FetchedPage, RenderedPage, WireEncoding, encode, topics};
use gristmill_reading::no_page;
use gristmill_runtime::blobs::{BODIES, Blobs};
use gristmill_runtime::clock::now_ms;
use gristmill_urls::{CanonicalUrl, UrlKey};
use gristmill_warc::ArchivedPage;

/// The time of a page whose record has no date: the oldest that there is, so that every other capture is newer.
const UNDATED: u64 = 1;

/// Makes messages.
pub struct MessageBuilder {
    blobs: Blobs,
    /// Whether PDFs are pages.
    takes_pdf: bool,
    /// Names of bodies in the blob store are this and a number: each body is deleted when its page is read, so no two share one.
    run: u64,
    made: AtomicU64,
    recent: Mutex<Recent>,
}

/// The record for the topic `pages`, and the bodies that must be in the blob store before.
pub type PageMessage = (ProducerRecord, Vec<OversizedBody>);

impl MessageBuilder {
    pub fn new(blobs: Blobs, takes_pdf: bool) -> MessageBuilder {
        MessageBuilder { blobs, takes_pdf, run: now_ms(), made: AtomicU64::new(0), recent: Mutex::default() }
    }

    /// The message of a page, as a server sent it or as a browser drew it.
    ///
    /// # Errors
    /// Why there is none, for counting: `not html`, `bad url`, `too large`.
    pub fn make(&self, page: ArchivedPage) -> Result<PageMessage, &'static str> {
        let is_taken = self.takes_pdf && is_pdf(&page.body);
        if !is_taken && no_page(&page.body).is_some() {
            return Err("not html");
        }
        let url = CanonicalUrl::parse(&page.url, None).map_err(|_| "bad url")?;
        let now = now_ms();
        let seconds = page.seconds.and_then(|seconds| u64::try_from(seconds).ok());
        // A date to come would be newer than every fetch until then.
        let fetched_at = seconds.map_or(UNDATED, |seconds| seconds.saturating_mul(1000)).clamp(UNDATED, now);
        let own = Sent::of(&page);
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let (sent, drawn) = match page.drawn {
            None => {
                recent.keep(url.key(), own.clone());
                (own, None)
            }
            // Without the answer that it was drawn from, the drawn form is all there is.
            Some(ended) => (recent.of(url.key()).unwrap_or_else(|| own.clone()), Some((own, ended))),
        };
        drop(recent);
        let mut large = Vec::new();
        let mut place = |packed: Bytes| {
            let number = self.made.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}-import-{}-{number}", url.key(), self.run);
            let (body, stored) = BodyKey { folder: BODIES, name: &name, at: now }.place(packed, 0, &self.blobs);
            large.extend(stored);
            body
        };
        let body = place(sent.packed);
        let rendered = drawn.map(|(drawn, ended)| RenderedPage {
            mode: DRAWN.to_owned(),
            ended,
            millis: 0,
            requests: 0,
            denied: 0,
            leads_to: None,
            encoding: drawn.encoding,
            unpacked: drawn.unpacked,
            body: place(drawn.packed),
        });
        let message = FetchedPage {
            order_id: 0,
            url: url.as_str().to_owned(),
            status: 200,
            content_type: sent.content_type,
            robots_tags: sent.robots_tags,
            tdm_reservation: sent.tdm_reservation,
            tdm_policy: sent.tdm_policy,
            anchor_title: page.anchor_title,
            fetched_at,
            encoding: sent.encoding,
            unpacked: Some(sent.unpacked),
            body,
            rendered,
        };
        let key = url.registrable_domain().to_owned();
        let record = ProducerRecord { topic: topics::PAGES, key, payload: encode(&message) };
        self.blobs.check_record(&record).map_err(|_| "too large")?;
        Ok((record, large))
    }
}

/// One form of a page, packed for the log.
#[derive(Clone)]
struct Sent {
    content_type: Option<String>,
    robots_tags: Vec<String>,
    tdm_reservation: Option<String>,
    tdm_policy: Option<String>,
    encoding: WireEncoding,
    unpacked: u64,
    packed: Bytes,
}

impl Sent {
    fn of(page: &ArchivedPage) -> Sent {
        let (encoding, packed) = pack(&page.body);
        Sent {
            content_type: page.content_type.clone(),
            robots_tags: page.robots_tags.clone(),
            tdm_reservation: page.tdm_reservation.clone(),
            tdm_policy: page.tdm_policy.clone(),
            encoding,
            unpacked: page.body.len() as u64,
            packed: packed.into(),
        }
    }
}

/// Packed bytes of answers that are remembered.
const MAX_RECENT: usize = 64 << 20;

/// The answers read last, by URL: what a browser drew stands behind the answer that it was drawn from, whose body the archive holds once.
#[derive(Default)]
struct Recent {
    answers: HashMap<UrlKey, Sent>,
    /// In the order of reading.
    order: VecDeque<UrlKey>,
    bytes: usize,
}

impl Recent {
    fn of(&self, key: UrlKey) -> Option<Sent> {
        self.answers.get(&key).cloned()
    }

    fn keep(&mut self, key: UrlKey, sent: Sent) {
        self.bytes += sent.packed.len();
        match self.answers.insert(key, sent) {
            Some(before) => self.bytes -= before.packed.len(),
            None => self.order.push_back(key),
        }
        while self.bytes > MAX_RECENT
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.answers.remove(&oldest).map_or(0, |sent| sent.packed.len());
        }
    }
}
