//! The records of the store: a URL, a host, a domain, a lease.

use serde::Serialize;

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::crawl_budget::CrawlBudget;
use crate::failure::FailureKind;
use crate::find_rate::FindRate;
use crate::link_queue::LinkRows;
use crate::message::{FetchOrder, Fingerprint};
use gristmill_terms::{Departure, FetchKind};

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

/// What is known of one host's robots.txt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RobotsState {
    Unknown,
    /// The file is in the table `robots`; without one there are no rules.
    Known {
        fetched_at: u64,
        valid_until: u64,
    },
    /// Could not be had, for this reason: nothing may be fetched until then.
    Unavailable {
        until: u64,
        failure: FailureKind,
    },
}

/// The fetching of one host's robots.txt or tdmrep.json: while there is one, the host's pages wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostTask {
    /// [`FetchKind::Robots`] or [`FetchKind::Tdm`].
    pub(crate) kind: FetchKind,
    pub(crate) url: String,
    pub(crate) hops: u8,
    pub(crate) attempt: u16,
    pub(crate) place: HostTaskState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostTaskState {
    /// In the domain's heads under this sequence.
    Queued(u64),
    Leased(u64),
    /// In `later`, by due time and sequence.
    Retrying(u64, u64),
}

/// One host: scheme, name and port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostRecord {
    /// Prefix of the host's queue.
    pub(crate) id: u64,
    pub(crate) robots: RobotsState,
    pub(crate) task: Option<HostTask>,
    pub(crate) crawl_delay: u64,
    /// Page URLs in the seen set.
    pub(crate) n_pages: u64,
    /// Length of the queue, without new URLs.
    pub(crate) n_queued: u64,
    /// Pages that wait for a browser.
    pub(crate) n_renders: u64,
    /// The new URLs that wait and have rows.
    pub(crate) links: LinkRows,
    /// Pages of lower sequences are in `n_pages`.
    pub(crate) counted_to: u64,
    /// New URLs of lower sequences have rows, or wait no more.
    pub(crate) flushed_to: u64,
}

impl HostRecord {
    /// A host of which nothing is known yet.
    pub(crate) fn new(id: u64) -> Self {
        Self {
            id,
            robots: RobotsState::Unknown,
            task: None,
            crawl_delay: 0,
            n_pages: 0,
            n_queued: 0,
            n_renders: 0,
            links: LinkRows::default(),
            counted_to: 0,
            flushed_to: 0,
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer.number(self.id);
        match self.robots {
            RobotsState::Unknown => writer.number(0),
            RobotsState::Known { fetched_at, valid_until } => writer.number(1).number(fetched_at).number(valid_until),
            RobotsState::Unavailable { until, failure } => {
                writer.number(2).number(until).number(failure.index() as u64)
            }
        };
        writer.flag(self.task.is_some());
        if let Some(task) = &self.task {
            writer.text(&task.url).number(u64::from(task.hops)).number(u64::from(task.attempt));
            // Places of robots.txt are 0 to 2, those of tdmrep.json 3 to 5.
            let first = if task.kind == FetchKind::Tdm { 3 } else { 0 };
            match task.place {
                HostTaskState::Queued(sequence) => writer.number(first).number(sequence),
                HostTaskState::Leased(order) => writer.number(first + 1).number(order),
                HostTaskState::Retrying(due, sequence) => writer.number(first + 2).number(due).number(sequence),
            };
        }
        writer.number(self.crawl_delay).number(self.n_pages).number(self.n_queued).number(self.n_renders);
        self.links.encode(&mut writer);
        writer.number(self.counted_to).number(self.flushed_to);
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        let id = reader.number()?;
        let robots = match reader.number()? {
            0 => RobotsState::Unknown,
            1 => RobotsState::Known { fetched_at: reader.number()?, valid_until: reader.number()? },
            2 => {
                RobotsState::Unavailable { until: reader.number()?, failure: FailureKind::from_byte(reader.small()?)? }
            }
            _ => return None,
        };
        let task = if reader.flag()? { Some(HostTask::decode(&mut reader)?) } else { None };
        Some(Self {
            id,
            robots,
            task,
            crawl_delay: reader.number()?,
            n_pages: reader.number()?,
            n_queued: reader.number()?,
            // Older stores knew none, nor what follows.
            n_renders: reader.number().unwrap_or(0),
            links: LinkRows::decode(&mut reader).unwrap_or_default(),
            counted_to: reader.number().unwrap_or(0),
            flushed_to: reader.number().unwrap_or(0),
        })
    }
}

impl HostTask {
    fn decode(reader: &mut RecordDecoder<'_>) -> Option<Self> {
        let (url, hops, attempt) = (reader.text()?, reader.small()?, reader.small()?);
        let place = reader.number()?;
        let kind = if place < 3 { FetchKind::Robots } else { FetchKind::Tdm };
        let place = match place {
            0 | 3 => HostTaskState::Queued(reader.number()?),
            1 | 4 => HostTaskState::Leased(reader.number()?),
            2 | 5 => HostTaskState::Retrying(reader.number()?, reader.number()?),
            _ => return None,
        };
        Some(Self { kind, url, hops, attempt, place })
    }
}

/// What one registrable domain is owed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DomainRecord {
    /// No order before this time.
    pub(crate) next_allowed: u64,
    /// Steps of back-off.
    pub(crate) backoff: u32,
    /// Failures in a row without any answer.
    pub(crate) silences: u32,
    pub(crate) given_up_until: u64,
    pub(crate) last_ip: Option<String>,
    /// Sitemaps and feeds in the seen set.
    pub(crate) n_listings: u64,
    pub(crate) budget: CrawlBudget,
}

impl DomainRecord {
    pub(crate) fn not_beyond(mut self, latest: TimestampLimits) -> Self {
        self.next_allowed = self.next_allowed.min(latest.next_allowed);
        self.given_up_until = self.given_up_until.min(latest.given_up_until);
        self
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer
            .number(self.next_allowed)
            .number(u64::from(self.backoff))
            .number(u64::from(self.silences))
            .number(self.given_up_until)
            .optional_text(self.last_ip.as_deref())
            .number(self.n_listings);
        self.budget.encode(&mut writer);
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        Some(Self {
            next_allowed: reader.number()?,
            backoff: reader.small()?,
            silences: reader.small()?,
            given_up_until: reader.number()?,
            last_ip: reader.optional_text()?,
            // Older stores did not count them.
            n_listings: reader.number().unwrap_or(0),
            budget: CrawlBudget::decode(&mut reader)?,
        })
    }
}

/// One order in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OrderLease {
    pub(crate) url: String,
    pub(crate) kind: FetchKind,
    /// For robots.txt: the origin whose rules are asked for.
    pub(crate) robots_for: Option<String>,
    pub(crate) ordered_at: u64,
    /// A page that was not fetched with success before, so that it may use up `max_pages`.
    pub(crate) counts: bool,
}

impl OrderLease {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer
            .text(&self.url)
            .number(self.kind as u64)
            .optional_text(self.robots_for.as_deref())
            .number(self.ordered_at)
            .flag(self.counts);
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        Some(Self {
            url: reader.text()?,
            kind: FetchKind::from_byte(reader.small()?)?,
            robots_for: reader.optional_text()?,
            ordered_at: reader.number()?,
            counts: reader.flag()?,
        })
    }
}

/// Who waits in `later`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DelayedEntry {
    Url(gristmill_urls::UrlKey),
    /// The robots.txt of this origin.
    Robots(String),
}

impl DelayedEntry {
    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Url(key) => [&[0], &key.to_bytes()[..]].concat(),
            Self::Robots(origin) => [&[1], origin.as_bytes()].concat(),
        }
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, key) => Some(Self::Url(gristmill_urls::UrlKey::from_bytes(key.try_into().ok()?))),
            (1, origin) => Some(Self::Robots(std::str::from_utf8(origin).ok()?.to_owned())),
            _ => None,
        }
    }
}

/// The latest times that a domain's record may name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimestampLimits {
    pub(crate) next_allowed: u64,
    pub(crate) given_up_until: u64,
}

impl Default for TimestampLimits {
    fn default() -> Self {
        Self { next_allowed: u64::MAX, given_up_until: u64::MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_terms::Verdict;
    use proptest::prelude::*;

    #[test]
    fn every_state_has_its_own_number() {
        for index in 0..N_STATES {
            assert_eq!(UrlState::from_index(index as u64).unwrap().index(), index);
        }
        assert_eq!(UrlState::from_index(N_STATES as u64), None);
    }

    #[test]
    fn hosts_domains_and_leases_survive_the_disk() {
        let robots_states = [
            RobotsState::Unknown,
            RobotsState::Known { fetched_at: 5, valid_until: 1 << 40 },
            RobotsState::Unavailable { until: 9, failure: FailureKind::Fetch(Verdict::Dns) },
        ];
        let places = [HostTaskState::Queued(3), HostTaskState::Leased(4), HostTaskState::Retrying(5, 6)];
        for (robots, place) in robots_states.into_iter().zip(places) {
            for kind in [FetchKind::Robots, FetchKind::Tdm] {
                let task = Some(HostTask { kind, url: "http://h/robots.txt".into(), hops: 2, attempt: 1, place });
                let (n_pages, n_queued, n_renders) = (70_000, 12, 7);
                let links = LinkRows { n_entries: 80, least: 10 << 56, is_exact: true };
                let (crawl_delay, counted_to, flushed_to) = (1_500, 64, 128);
                let counts = HostRecord { crawl_delay, n_pages, n_queued, n_renders, ..HostRecord::new(300) };
                let host = HostRecord { robots, task, links, counted_to, flushed_to, ..counts };
                let bytes = host.encode();
                let old = HostRecord { links: LinkRows::default(), counted_to: 0, flushed_to: 0, ..host.clone() };
                let n_new = 1 + 9 + 1 + 1 + 2;
                assert_eq!(HostRecord::decode(&bytes[..bytes.len() - n_new]), Some(old), "as format 1 has it");
                assert_eq!(HostRecord::decode(&bytes), Some(host));
            }
        }
        let last_ip = Some("::1".to_owned());
        let (n_listings, budget) = (5, CrawlBudget::default());
        let domain =
            DomainRecord { next_allowed: 1, backoff: 2, silences: 3, given_up_until: 4, last_ip, n_listings, budget };
        let bytes = domain.encode();
        let old = DomainRecord { n_listings: 0, ..domain.clone() };
        assert_eq!(DomainRecord::decode(&bytes[..bytes.len() - 1]), Some(old), "as older versions wrote it");
        assert_eq!(DomainRecord::decode(&bytes).as_ref(), Some(&domain), "as long as it was asked for nothing");
        let mut linked = domain;
        linked.budget.link(1);
        assert_eq!(DomainRecord::decode(&linked.encode()), Some(linked));
        let lease = OrderLease {
            url: "u".into(),
            kind: FetchKind::Robots,
            robots_for: Some("o".into()),
            ordered_at: 7,
            counts: true,
        };
        assert_eq!(OrderLease::decode(&lease.encode()), Some(lease));
        for waiting in [DelayedEntry::Robots("http://h".into()), DelayedEntry::Url(gristmill_urls::UrlKey::of("u"))] {
            assert_eq!(DelayedEntry::decode(&waiting.encode()), Some(waiting));
        }
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
        fn damaged_records_are_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = (UrlRecord::decode(&bytes), HostRecord::decode(&bytes), DomainRecord::decode(&bytes), OrderLease::decode(&bytes), DelayedEntry::decode(&bytes));
        }
    }
}
