//! The record of one URL.

use gristmill_terms::{Departure, FetchKind};
use serde::Serialize;

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::failure::FailureKind;
use crate::find_rate::FindRate;
use crate::message::{FetchOrder, Fingerprint};

/// Where a URL stands on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UrlState {
    /// In its host's queue.
    Queued,
    /// In flight by an order.
    Leased,
    /// Failed, to be tried again later.
    Retrying,
    /// Fetched with success; with recrawl on, to be visited again later.
    Done,
    /// Answered by a redirect.
    Redirected,
    /// robots.txt forbids it.
    Disallowed,
    /// Failed for good.
    Failed(FailureKind),
}

impl UrlState {
    /// Whether nothing more will happen to the URL in a crawl without recrawl.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Leased | Self::Retrying)
    }

    /// Whether the server said that there is no such page.
    pub(crate) fn is_gone(self) -> bool {
        matches!(self, Self::Failed(kind) if kind.is_gone())
    }

    /// A dense number, for counters.
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Queued => 0,
            Self::Leased => 1,
            Self::Retrying => 2,
            Self::Done => 3,
            Self::Redirected => 4,
            Self::Disallowed => 5,
            Self::Failed(kind) => 6 + kind.index(),
        }
    }

    fn from_index(index: u64) -> Option<Self> {
        Some(match index {
            0 => Self::Queued,
            1 => Self::Leased,
            2 => Self::Retrying,
            3 => Self::Done,
            4 => Self::Redirected,
            5 => Self::Disallowed,
            _ => Self::Failed(FailureKind::from_byte(u8::try_from(index.checked_sub(6)?).ok()?)?),
        })
    }
}

/// Number of [`UrlState::index`] values.
pub(crate) const N_STATES: usize = 6 + FailureKind::ALL.len();

/// The priority of home pages; see `admission.rs` for the others.
pub(crate) const HOMES: u8 = 3;

/// The first priority of pages that were met by links; see `admission.rs`.
pub(crate) const LINKS: u8 = 10;

/// Whether a page at this depth is one that a start page or a sitemap lists itself: of those there is an end.
pub(crate) fn is_listed(depth: u16) -> bool {
    depth <= 1
}

/// The priority of pages that a source brought at a later visit: before all that was there when the site was met.
pub(crate) const NEWS: u8 = 4;

/// The priority of further visits of what leads to new pages, and of such new pages beyond the first few of a visit.
pub(crate) const SOURCES: u8 = 5;

/// Everything the frontier knows of one URL.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UrlRecord {
    pub(crate) url: String,
    pub(crate) kind: FetchKind,
    pub(crate) state: UrlState,
    /// Queued: sequence in the host's queue. Leased: order id. Retrying, or Done with a revisit: sequence in `later`.
    pub(crate) place: u64,
    /// Retrying, or Done with a revisit: when, Unix milliseconds; else 0.
    pub(crate) due: u64,
    pub(crate) priority: u8,
    pub(crate) depth: u16,
    pub(crate) hops: u8,
    /// Failures since the last success.
    pub(crate) attempt: u16,
    /// A start; or, at a depth above 0, a part of a sitemap or feed that is one, whose entries stand for it, and which opens nothing.
    pub(crate) is_seed: bool,
    /// Was fetched with success before.
    pub(crate) known: bool,
    /// And before that, too.
    pub(crate) revisited: bool,
    /// The title stems from a home page.
    pub(crate) home_title: bool,
    /// A later visit brought pages that were new.
    pub(crate) brought_pages: bool,
    /// How many the visit under way brings.
    pub(crate) brings: u32,
    /// How often it is the first to bring a page, where it is a source that was visited.
    pub(crate) finds: Option<FindRate>,
    /// It may show pages that it will not show for long, since so many came at once: it is visited before those that wait.
    pub(crate) floods: bool,
    /// It is visited because a listing says that it changed.
    pub(crate) by_date: bool,
    pub(crate) anchor_title: Option<String>,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
    pub(crate) content_hash: Option<u64>,
    pub(crate) first_seen: u64,
    /// End of the last fetch; 0 before the first.
    pub(crate) last_fetch: u64,
    /// Time between visits, once there was one; milliseconds.
    pub(crate) interval: u64,
    pub(crate) last_failure: Option<FailureKind>,
    pub(crate) status: u16,
    pub(crate) redirect: Option<String>,
    /// The other page that it names as its canonical one.
    pub(crate) canonical: Option<String>,
    /// Of its document, where it gave one when it was last read.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// Why it left the corpus, if it did.
    pub(crate) departure: Option<Departure>,
    /// Whether others stand or fall with it: see the table `dependants`.
    pub(crate) has_dependants: bool,
    /// How it was met, where a watch met it as new and it cannot be found yet.
    pub(crate) sighting: Option<Sighting>,
}

/// How a page was met that a source brought at a later visit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sighting {
    /// When its source was met: what was published before is old, however late it is met.
    pub(crate) source_since: u64,
    /// When it was published, or last changed, as the source says: Unix milliseconds by the site's clock.
    pub(crate) listed_at: Option<u64>,
}

impl UrlRecord {
    /// A URL that was met at `first_seen` and never fetched; without a place as yet.
    pub(crate) fn new(url: String, kind: FetchKind, priority: u8, first_seen: u64) -> Self {
        Self {
            url,
            kind,
            state: UrlState::Queued,
            place: 0,
            due: 0,
            priority,
            depth: 0,
            hops: 0,
            attempt: 0,
            is_seed: false,
            known: false,
            revisited: false,
            home_title: false,
            brought_pages: false,
            brings: 0,
            finds: None,
            floods: false,
            by_date: false,
            anchor_title: None,
            etag: None,
            last_modified: None,
            content_hash: None,
            first_seen,
            last_fetch: 0,
            interval: 0,
            last_failure: None,
            status: 0,
            redirect: None,
            canonical: None,
            fingerprint: None,
            departure: None,
            has_dependants: false,
            sighting: None,
        }
    }

    /// Whether a request asks for a change only.
    pub(crate) fn is_conditional(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder(Vec::with_capacity(self.url.len() + 48));
        let flags = [
            self.is_seed,
            self.known,
            self.home_title,
            self.brought_pages,
            self.brings > 0,
            self.by_date,
            self.finds.is_some(),
            self.has_dependants,
            self.revisited,
            self.floods,
        ];
        let flags = flags.iter().rev().fold(0, |flags, flag| flags << 1 | u64::from(*flag));
        writer
            .text(&self.url)
            .number(self.kind as u64)
            .number(self.state.index() as u64)
            .number(self.place)
            .number(self.due)
            .number(u64::from(self.priority))
            .number(u64::from(self.depth))
            .number(u64::from(self.hops))
            .number(u64::from(self.attempt))
            .number(flags)
            .optional_text(self.anchor_title.as_deref())
            .optional_text(self.etag.as_deref())
            .optional_text(self.last_modified.as_deref())
            .optional_number(self.content_hash)
            .number(self.first_seen)
            .number(self.last_fetch)
            .number(self.interval)
            .number(self.last_failure.map_or(0, |kind| kind.index() as u64 + 1))
            .number(u64::from(self.status))
            .optional_text(self.redirect.as_deref());
        let has_more = self.canonical.is_some() || self.fingerprint.is_some() || self.departure.is_some();
        let is_source = self.brings > 0 || self.finds.is_some();
        if has_more || is_source || self.sighting.is_some() {
            writer
                .optional_text(self.canonical.as_deref())
                .optional_number(self.fingerprint.map(|fingerprint| fingerprint.text))
                .number(self.fingerprint.map_or(0, |fingerprint| fingerprint.title))
                .number(self.departure.map_or(0, |departure| departure as u64 + 1));
        }
        if is_source || self.sighting.is_some() {
            let Sighting { source_since, listed_at } = self.sighting.unwrap_or_default();
            writer.number(source_since).optional_number(listed_at);
        }
        if is_source {
            writer.number(u64::from(self.brings));
            self.finds.unwrap_or_default().encode(&mut writer);
        }
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        let (url, kind) = (reader.text()?, FetchKind::from_byte(reader.small()?).filter(|kind| !kind.is_wish())?);
        let state = UrlState::from_index(reader.number()?)?;
        let (place, due) = (reader.number()?, reader.number()?);
        let (priority, depth, hops, attempt) = (reader.small()?, reader.small()?, reader.small()?, reader.small()?);
        let flags = reader.number()?;
        let mut record = Self {
            url,
            kind,
            state,
            place,
            due,
            priority,
            depth,
            hops,
            attempt,
            is_seed: flags & 1 != 0,
            known: flags & 2 != 0,
            revisited: flags & 256 != 0,
            home_title: flags & 4 != 0,
            brought_pages: flags & 8 != 0,
            brings: u32::from(flags & 16 != 0),
            finds: None,
            floods: flags & 512 != 0,
            by_date: flags & 32 != 0,
            anchor_title: reader.optional_text()?,
            etag: reader.optional_text()?,
            last_modified: reader.optional_text()?,
            content_hash: reader.optional_number()?,
            first_seen: reader.number()?,
            last_fetch: reader.number()?,
            interval: reader.number()?,
            last_failure: match reader.small::<u8>()? {
                0 => None,
                code => Some(FailureKind::from_byte(code - 1)?),
            },
            status: reader.small()?,
            redirect: reader.optional_text()?,
            canonical: None,
            fingerprint: None,
            departure: None,
            has_dependants: flags & 128 != 0,
            sighting: None,
        };
        // Most records end here, and those of older stores.
        if !reader.0.is_empty() {
            record.canonical = reader.optional_text()?;
            let (text, title) = (reader.optional_number()?, reader.number()?);
            record.fingerprint = text.map(|text| Fingerprint { text, title });
            record.departure = match reader.small::<u8>()? {
                0 => None,
                code => Some(Departure::from_byte(code - 1)?),
            };
        }
        if !reader.0.is_empty() {
            let sighting = Sighting { source_since: reader.number()?, listed_at: reader.optional_number()? };
            record.sighting = (sighting != Sighting::default()).then_some(sighting);
        }
        if !reader.0.is_empty() {
            record.brings = reader.small()?;
            record.finds = Some(FindRate::decode(&mut reader)?).filter(|_| flags & 64 != 0);
        }
        Some(record)
    }

    pub(crate) fn order(&self, id: u64, now: u64) -> FetchOrder {
        FetchOrder {
            id,
            url: self.url.clone(),
            kind: self.kind,
            robots_for: None,
            depth: self.depth,
            hops: self.hops,
            attempt: self.attempt,
            anchor_title: self.anchor_title.clone(),
            etag: self.etag.clone(),
            last_modified: self.last_modified.clone(),
            known: self.known,
            ordered_at: now,
            pause: 0,
            ip_pause: 0,
            tdm: None,
            usage: None,
            cookies: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_state_has_its_own_number() {
        for index in 0..N_STATES {
            assert_eq!(UrlState::from_index(index as u64).unwrap().index(), index);
        }
        assert_eq!(UrlState::from_index(N_STATES as u64), None);
    }

    prop_compose! {
        fn any_record()(
            url in "http://[a-z]{1,9}/\\PC{0,9}", state in 0..N_STATES as u64, numbers: [u64; 4], small: [u8; 3], wide: [u16; 3],
            flags: [bool; 10], texts: [Option<String>; 5], hash: Option<u64>, said: Option<(u64, u64)>, left: Option<bool>,
            sighting: Option<(u64, Option<u64>)>, failure in prop::option::of(0u8..FailureKind::ALL.len() as u8),
        ) -> UrlRecord {
            let [anchor_title, etag, last_modified, redirect, canonical] = texts.map(|text| text.filter(|text| !text.is_empty()));
            UrlRecord {
                url, kind: FetchKind::Sitemap, state: UrlState::from_index(state).unwrap(), place: numbers[0], due: numbers[1],
                priority: small[0], depth: wide[0], hops: small[1], attempt: wide[1], is_seed: flags[0], known: flags[1], revisited: flags[8],
                home_title: flags[2], brought_pages: flags[3], brings: wide[2].into(), by_date: flags[5], floods: flags[9],
                finds: flags[6].then(|| FindRate::new(numbers[1])), anchor_title, etag, last_modified, content_hash: hash, first_seen: numbers[2],
                last_fetch: numbers[3], interval: numbers[0], last_failure: failure.and_then(FailureKind::from_byte),
                status: wide[2], redirect, canonical, has_dependants: flags[7],
                fingerprint: said.map(|(text, title)| Fingerprint { text, title }),
                departure: left.map(|left| if left { Departure::DeadEnd } else { Departure::Canonical }),
                sighting: sighting.map(|(since, listed_at)| Sighting { source_since: since.max(1), listed_at }),
            }
        }
    }

    proptest! {
        #[test]
        fn a_url_record_survives_the_disk(record in any_record()) {
            prop_assert_eq!(UrlRecord::decode(&record.encode()), Some(record));
        }

        #[test]
        fn a_damaged_url_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = UrlRecord::decode(&bytes);
        }
    }
}
