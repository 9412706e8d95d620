//! What the scheduler is told of each page that was read: it knows which other pages say the same.

use gristmill_log::ProducerRecord;
use gristmill_proto::{Document, DocumentChange, FetchedPage, Fingerprint, News, Notice, encode, topics};
use gristmill_text::fingerprint;
use gristmill_urls::CanonicalUrl;

/// The message about a page of a crawl that came, whatever was made of it.
pub(crate) fn notice(page: &FetchedPage, document: Option<&Document>, asks_password: bool) -> Option<ProducerRecord> {
    let is_crawled = page.order_id > 0 && (200..300).contains(&page.status);
    let document = document.filter(|_| is_crawled)?;
    let url = CanonicalUrl::parse(&page.url, None).ok()?;
    let is_kept = document.change == DocumentChange::Upsert;
    let said = is_kept.then(|| Fingerprint { text: document.simhash, title: fingerprint(&document.title) });
    let news = News::Read { fingerprint: said, asks_password };
    let payload = encode(&Notice { url: page.url.clone(), at: page.fetched_at, news });
    Some(ProducerRecord { topic: topics::LINKS, key: url.registrable_domain().to_owned(), payload })
}
