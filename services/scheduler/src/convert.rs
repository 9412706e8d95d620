//! Between messages and the frontier's own types.

use std::collections::BTreeMap;

use gristmill_frontier as frontier;
use gristmill_frontier::{FetchOutcome, FetchResult, Referral, Reservation};
use gristmill_log::{ProducerRecord, keys_of_all};
use gristmill_proto::{
    Cookie, Document, DocumentChange, FetchOrder, Fingerprint, LinkSource, News, Notice, Outlink, OutlinkBatch, Tie,
    encode, topics,
};
use gristmill_urls::{CanonicalUrl, Takedown};

pub(crate) fn link(link: &Outlink) -> frontier::Outlink<'_> {
    frontier::Outlink {
        url: &link.url,
        kind: link.kind,
        source: link.source,
        depth: link.depth,
        hops: link.hops,
        // The words of a link are a title where a site lists its articles, and anything ("here", a keyword) elsewhere.
        anchor_title: link
            .anchor
            .as_deref()
            .filter(|_| !matches!(link.source, LinkSource::Anchor | LinkSource::Canonical)),
    }
}

/// What other frontiers must know, as links to their domains.
pub(crate) fn referrals(referrals: Vec<Referral>, found_at: u64) -> Vec<ProducerRecord> {
    let mut by_domain: BTreeMap<(String, String), Vec<Outlink>> = BTreeMap::new();
    for Referral { from, url, kind, source, depth, hops, anchor_title } in referrals {
        let link = Outlink {
            url: url.as_str().to_owned(),
            kind,
            source,
            depth,
            hops,
            anchor: anchor_title,
            modified_at: None,
        };
        by_domain.entry((url.registrable_domain().to_owned(), from)).or_default().push(link);
    }
    let record = |((key, from), links)| {
        let payload = encode(&OutlinkBatch { from, found_at, links });
        ProducerRecord { topic: topics::LINKS, key, payload }
    };
    by_domain.into_iter().map(record).collect()
}

/// What other frontiers must know of pages.
pub(crate) fn notices(notices: Vec<frontier::Notice>, at: u64) -> Vec<ProducerRecord> {
    let record = |notice: frontier::Notice| {
        let subject = CanonicalUrl::parse(notice.subject(), None);
        let key = subject.as_ref().map_or(notice.subject(), CanonicalUrl::registrable_domain).to_owned();
        let news = match notice.news {
            frontier::News::Read { fingerprint, asks_password } => {
                News::Read { fingerprint: fingerprint.map(fingerprint_message), asks_password }
            }
            frontier::News::Depends { on, tie } => News::Depends { on, tie: tie_message(tie) },
            frontier::News::Settled { on, departure } => News::Settled { on, departure },
            frontier::News::Cookies { cookies } => {
                News::Cookies { cookies: cookies.into_iter().map(cookie_message).collect() }
            }
        };
        ProducerRecord { topic: topics::LINKS, key, payload: encode(&Notice { url: notice.url, at, news }) }
    };
    notices.into_iter().map(record).collect()
}

fn cookie_message(frontier::Cookie { url, field }: frontier::Cookie) -> Cookie {
    Cookie { url, field }
}

fn cookie(Cookie { url, field }: Cookie) -> frontier::Cookie {
    frontier::Cookie { url, field }
}

fn fingerprint_message(frontier::Fingerprint { text, title }: frontier::Fingerprint) -> Fingerprint {
    Fingerprint { text, title }
}

fn tie_message(tie: frontier::Tie) -> Tie {
    match tie {
        frontier::Tie::None => Tie::None,
        frontier::Tie::Redirect(hops) => Tie::Redirect(hops),
        frontier::Tie::Copy(said) => Tie::Copy(fingerprint_message(said)),
    }
}

/// What the frontier is to know of a page; nothing of its way into the index.
pub(crate) fn notice(message: Notice) -> Option<frontier::Notice> {
    let fingerprint = |Fingerprint { text, title }| frontier::Fingerprint { text, title };
    let news = match message.news {
        News::Read { fingerprint: said, asks_password } => {
            frontier::News::Read { fingerprint: said.map(fingerprint), asks_password }
        }
        News::Depends { on, tie } => {
            let tie = match tie {
                Tie::None => frontier::Tie::None,
                Tie::Redirect(hops) => frontier::Tie::Redirect(hops),
                Tie::Copy(said) => frontier::Tie::Copy(fingerprint(said)),
            };
            frontier::News::Depends { on, tie }
        }
        News::Settled { on, departure } => frontier::News::Settled { on, departure },
        News::Cookies { cookies } => frontier::News::Cookies { cookies: cookies.into_iter().map(cookie).collect() },
        News::Indexed { .. } => return None,
    };
    Some(frontier::Notice { url: message.url, news })
}

/// What is to leave the index, as documents that say so.
pub(crate) fn removals(urls: Vec<CanonicalUrl>, at: u64) -> Vec<ProducerRecord> {
    let removal = |url: CanonicalUrl| {
        let key = url.key().to_string();
        let removal = Document { fetched_at: at, ..Document::removal(key.clone(), url.as_str().to_owned()) };
        ProducerRecord { topic: topics::DOCUMENTS, key, payload: encode(&removal) }
    };
    urls.into_iter().map(removal).collect()
}

/// Takedowns for those who keep documents: a page for the one that has it, a site for all.
pub(crate) fn takedowns(takedowns: Vec<Takedown>, partitions: u32, at: u64) -> Vec<ProducerRecord> {
    let record = |takedown: &Takedown, document_key: String, key: String| {
        let removal = Document::removal(document_key, takedown.to_string());
        let document = Document { change: DocumentChange::TakeDown, fetched_at: at, ..removal };
        ProducerRecord { topic: topics::DOCUMENTS, key, payload: encode(&document) }
    };
    let records = |takedown: &Takedown| match takedown {
        Takedown::Page(url) => vec![record(takedown, url.key().to_string(), url.key().to_string())],
        Takedown::Site(_) => {
            keys_of_all(partitions).into_iter().map(|key| record(takedown, String::new(), key)).collect()
        }
    };
    takedowns.iter().flat_map(records).collect()
}

pub(crate) fn message(order: frontier::FetchOrder, epoch: u64) -> FetchOrder {
    FetchOrder {
        id: order.id,
        url: order.url,
        kind: order.kind,
        robots_for: order.robots_for,
        depth: order.depth,
        hops: order.hops,
        attempt: order.attempt,
        anchor_title: order.anchor_title,
        etag: order.etag,
        last_modified: order.last_modified,
        known: order.known,
        ordered_at: order.ordered_at,
        pause: order.pause,
        ip_pause: order.ip_pause,
        epoch,
        tdm_reserved: order.tdm.as_ref().map(|said| said.reserved),
        tdm_policy: order.tdm.and_then(|said| said.policy),
        usage: order.usage,
        cookies: order.cookies.into_iter().map(cookie_message).collect(),
    }
}

pub(crate) fn order(message: FetchOrder) -> frontier::FetchOrder {
    frontier::FetchOrder {
        id: message.id,
        url: message.url,
        kind: message.kind,
        robots_for: message.robots_for,
        depth: message.depth,
        hops: message.hops,
        attempt: message.attempt,
        anchor_title: message.anchor_title,
        etag: message.etag,
        last_modified: message.last_modified,
        known: message.known,
        ordered_at: message.ordered_at,
        pause: message.pause,
        ip_pause: message.ip_pause,
        cookies: message.cookies.into_iter().map(cookie).collect(),
        tdm: message.tdm_reserved.map(|reserved| Reservation { reserved, policy: message.tdm_policy }),
        usage: message.usage,
    }
}

pub(crate) fn outcome(message: gristmill_proto::FetchOutcome) -> FetchOutcome {
    FetchOutcome {
        order_id: message.order_id,
        result: FetchResult::of(message.verdict, message.redirect),
        status: message.status,
        retry_after_ms: message.retry_after_ms,
        ip: message.ip,
        etag: message.etag,
        last_modified: message.last_modified,
        content_hash: message.content_hash,
        robots_body: message.robots,
        brings_nothing: message.brings_nothing,
        canonical: message.canonical,
        words_hash: message.words_hash,
        finished_at: message.finished_at,
    }
}
