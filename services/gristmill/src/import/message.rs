//! From an archived page to the message that a fetcher would have sent.

use std::sync::atomic::{AtomicU64, Ordering};

use gristmill_fetcher::{Large, Owner, pack};
use gristmill_log::Record;
use gristmill_proto::{Page, encode, topics};
use gristmill_reading::no_page;
use gristmill_runtime::blobs::{BODIES, Blobs};
use gristmill_runtime::clock::now_ms;
use gristmill_urls::CanonicalUrl;
use gristmill_warc::ArchivedPage;

/// The time of a page whose record has no date: the oldest that there is, so that every other capture is newer.
const UNDATED: u64 = 1;

/// Makes messages.
pub struct Maker {
    blobs: Blobs,
    /// Names of bodies in the blob store are this and a number: each body is deleted when its page is read, so no two share one.
    run: u64,
    made: AtomicU64,
}

impl Maker {
    pub fn new(blobs: Blobs) -> Maker {
        Maker { blobs, run: now_ms(), made: AtomicU64::new(0) }
    }

    /// The record for the topic `pages`, and the body that must be in the blob store before.
    ///
    /// # Errors
    /// Why there is none, for counting: `not html`, `bad url`, `too large`.
    pub fn make(&self, page: ArchivedPage) -> Result<(Record, Option<Large>), &'static str> {
        if no_page(&page.body).is_some() {
            return Err("not html");
        }
        let url = CanonicalUrl::parse(&page.url, None).map_err(|_| "bad url")?;
        let now = now_ms();
        let seconds = page.seconds.and_then(|seconds| u64::try_from(seconds).ok());
        // A date to come would be newer than every fetch until then.
        let fetched_at = seconds.map_or(UNDATED, |seconds| seconds.saturating_mul(1000)).clamp(UNDATED, now);
        let (encoding, body) = pack(&page.body);
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-import-{}-{number}", url.key(), self.run);
        let (body, large) = Owner { folder: BODIES, name: &name, at: now }.place(body.into(), 0, &self.blobs);
        let message = Page {
            order_id: 0,
            url: url.as_str().to_owned(),
            status: 200,
            content_type: page.content_type,
            robots_tags: page.robots_tags,
            tdm_reservation: page.tdm_reservation,
            tdm_policy: page.tdm_policy,
            anchor_title: None,
            fetched_at,
            encoding,
            unpacked: Some(page.body.len() as u64),
            body,
            rendered: None,
        };
        let key = url.registrable_domain().to_owned();
        let record = Record { topic: topics::PAGES, key, payload: encode(&message) };
        self.blobs.check_record(&record).map_err(|_| "too large")?;
        Ok((record, large))
    }
}
