//! Messages between scheduler and fetcher, or renderer.

use gristmill_terms::{FetchKind, LinkSource, Verdict};
use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind, ProtoError, decode, peek, read_archive};
use crate::notice::Cookie;

/// One fetch that the scheduler wants now. The scheduler gives at most one per registrable domain at a time.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Order {
    /// Strictly increasing in one scheduler, so that a repeated order is recognised.
    pub id: u64,
    /// Canonical URL.
    pub url: String,
    pub kind: FetchKind,
    /// For [`FetchKind::Robots`] and [`FetchKind::Tdm`]: the origin whose rules are asked for, which after a redirect is not
    /// that of `url`.
    pub robots_for: Option<String>,
    /// Links followed from a seed to here.
    pub depth: u16,
    /// Redirects followed to here.
    pub hops: u8,
    /// 0 for the first try.
    pub attempt: u16,
    /// Anchor text met on the site's home page ([P3] Algorithm 2), to travel on with the page.
    pub anchor_title: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Whether an earlier fetch of this URL went to the extractor, so that its loss must be told to the index.
    pub known: bool,
    /// Unix milliseconds.
    pub ordered_at: u64,
    /// The pause between two requests that the site is owed, in milliseconds: what a fetcher waits before it repeats an
    /// order that a crash cut off in the middle.
    pub pause: u64,
    /// Likewise of an IP address, whatever the names: only the fetcher knows in time who shares one.
    pub ip_pause: u64,
    /// The [`Claim`] under which it was given; 0 before there were claims, and where nobody ever takes over.
    pub epoch: u64,
    /// What the site's tdmrep.json says of this page; what comes with the page itself goes before it.
    pub tdm_reserved: Option<bool>,
    pub tdm_policy: Option<String>,
    /// What the site has set and wants to see again.
    pub cookies: Vec<Cookie>,
}

impl Order {
    /// The URL whose registrable domain is the key of the order and of its outcome. For robots.txt and tdmrep.json that is the origin
    /// they are asked for, wherever a redirect led: who waits for the answer must get it.
    pub fn subject(&self) -> &str {
        self.robots_for.as_deref().unwrap_or(&self.url)
    }
}

impl Message for Order {
    const KIND: MessageKind = MessageKind::Order;
    const VERSION: u8 = 5;

    fn read_old(version: u8, archive: &[u8]) -> Option<Result<Self, ProtoError>> {
        match version {
            1 => Some(read_archive::<OrderV1>(archive).map(Order::from)),
            2 => Some(read_archive::<OrderV2>(archive).map(Order::from)),
            3 => Some(read_archive::<OrderV3>(archive).map(Order::from)),
            4 => Some(read_archive::<OrderV4>(archive).map(Order::from)),
            _ => None,
        }
    }
}

/// An order before it named cookies.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct OrderV4 {
    id: u64,
    url: String,
    kind: FetchKind,
    robots_for: Option<String>,
    depth: u16,
    hops: u8,
    attempt: u16,
    anchor_title: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    known: bool,
    ordered_at: u64,
    pause: u64,
    ip_pause: u64,
    epoch: u64,
    tdm_reserved: Option<bool>,
    tdm_policy: Option<String>,
}

impl From<OrderV4> for Order {
    fn from(old: OrderV4) -> Self {
        Order {
            id: old.id,
            url: old.url,
            kind: old.kind,
            robots_for: old.robots_for,
            depth: old.depth,
            hops: old.hops,
            attempt: old.attempt,
            anchor_title: old.anchor_title,
            etag: old.etag,
            last_modified: old.last_modified,
            known: old.known,
            ordered_at: old.ordered_at,
            pause: old.pause,
            ip_pause: old.ip_pause,
            epoch: old.epoch,
            tdm_reserved: old.tdm_reserved,
            tdm_policy: old.tdm_policy,
            cookies: Vec::new(),
        }
    }
}

/// An order before it said what a site reserves.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct OrderV3 {
    id: u64,
    url: String,
    kind: FetchKind,
    robots_for: Option<String>,
    depth: u16,
    hops: u8,
    attempt: u16,
    anchor_title: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    known: bool,
    ordered_at: u64,
    pause: u64,
    ip_pause: u64,
    epoch: u64,
}

impl From<OrderV3> for Order {
    fn from(old: OrderV3) -> Self {
        Order {
            id: old.id,
            url: old.url,
            kind: old.kind,
            robots_for: old.robots_for,
            depth: old.depth,
            hops: old.hops,
            attempt: old.attempt,
            anchor_title: old.anchor_title,
            etag: old.etag,
            last_modified: old.last_modified,
            known: old.known,
            ordered_at: old.ordered_at,
            pause: old.pause,
            ip_pause: old.ip_pause,
            epoch: old.epoch,
            tdm_reserved: None,
            tdm_policy: None,
            cookies: Vec::new(),
        }
    }
}

/// An order before it named the pause of an address.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct OrderV2 {
    id: u64,
    url: String,
    kind: FetchKind,
    robots_for: Option<String>,
    depth: u16,
    hops: u8,
    attempt: u16,
    anchor_title: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    known: bool,
    ordered_at: u64,
    pause: u64,
    epoch: u64,
}

impl From<OrderV2> for Order {
    fn from(old: OrderV2) -> Self {
        Order {
            id: old.id,
            url: old.url,
            kind: old.kind,
            robots_for: old.robots_for,
            depth: old.depth,
            hops: old.hops,
            attempt: old.attempt,
            anchor_title: old.anchor_title,
            etag: old.etag,
            last_modified: old.last_modified,
            known: old.known,
            ordered_at: old.ordered_at,
            pause: old.pause,
            ip_pause: 0,
            epoch: old.epoch,
            tdm_reserved: None,
            tdm_policy: None,
            cookies: Vec::new(),
        }
    }
}

/// An order before there were epochs.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct OrderV1 {
    id: u64,
    url: String,
    kind: FetchKind,
    robots_for: Option<String>,
    depth: u16,
    hops: u8,
    attempt: u16,
    anchor_title: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    known: bool,
    ordered_at: u64,
    pause: u64,
}

impl From<OrderV1> for Order {
    fn from(old: OrderV1) -> Self {
        Order {
            id: old.id,
            url: old.url,
            kind: old.kind,
            robots_for: old.robots_for,
            depth: old.depth,
            hops: old.hops,
            attempt: old.attempt,
            anchor_title: old.anchor_title,
            etag: old.etag,
            last_modified: old.last_modified,
            known: old.known,
            ordered_at: old.ordered_at,
            pause: old.pause,
            ip_pause: 0,
            epoch: 0,
            tdm_reserved: None,
            tdm_policy: None,
            cookies: Vec::new(),
        }
    }
}

/// Says that a scheduler took over a partition of `orders`, in that partition. Orders of a lower epoch that stand behind it
/// come from a predecessor that did not know, and nobody follows them.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Claim {
    pub partition: u32,
    /// Higher than every epoch before it in its partition. Of two claims with the same epoch the first one counts.
    pub epoch: u64,
    /// Random, to tell two claims apart.
    pub owner: u64,
    /// Unix milliseconds.
    pub at: u64,
}

impl Message for Claim {
    const KIND: MessageKind = MessageKind::Claim;
    const VERSION: u8 = 1;
}

/// What may stand in the topic `orders`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instruction {
    Order(Box<Order>),
    Claim(Claim),
}

impl Instruction {
    /// Reads a record of the topic `orders`.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn read(bytes: &[u8]) -> Result<Self, ProtoError> {
        match peek(bytes)? {
            (MessageKind::Claim, _) => decode(bytes).map(Self::Claim),
            _ => decode(bytes).map(|order| Self::Order(Box::new(order))),
        }
    }

    /// The epoch under which it was written.
    pub fn epoch(&self) -> u64 {
        match self {
            Self::Order(order) => order.epoch,
            Self::Claim(claim) => claim.epoch,
        }
    }
}

/// The epochs of one partition of `orders`, as its records are read in order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Epochs {
    highest: u64,
}

impl Epochs {
    /// Takes the next record; tells whether it counts: not when its epoch is over.
    pub fn take(&mut self, instruction: &Instruction) -> bool {
        let counts = match instruction {
            Instruction::Order(order) => order.epoch >= self.highest,
            // The second claim with the same epoch lost the race.
            Instruction::Claim(claim) => claim.epoch > self.highest,
        };
        self.highest = self.highest.max(instruction.epoch());
        counts
    }

    /// The highest epoch so far.
    pub fn highest(&self) -> u64 {
        self.highest
    }
}

/// What became of one [`Order`]; exactly one for each.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Outcome {
    pub order_id: u64,
    pub url: String,
    pub kind: FetchKind,
    pub verdict: Verdict,
    /// HTTP status, 0 when no response came.
    pub status: u16,
    /// Address that was dialled.
    pub ip: Option<String>,
    /// From `Retry-After`, in milliseconds from `finished_at`.
    pub retry_after_ms: Option<u64>,
    /// Canonical target of a redirect, if it had a usable one.
    pub redirect: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    /// Hash of the decoded body: equal hashes mean an unchanged page.
    pub content_hash: Option<u64>,
    /// The file itself for [`FetchKind::Robots`] and [`FetchKind::Tdm`], at most 500 KiB.
    pub robots: Option<Vec<u8>>,
    /// Unix milliseconds.
    pub started_at: u64,
    pub finished_at: u64,
    /// Bytes on the wire.
    pub bytes: u64,
    /// Links sent to the `links` topic.
    pub links: u32,
    /// Details of a failure, for people.
    pub error: Option<String>,
    /// Whether a page says nothing that its site has not said on others; `None` where nobody can tell.
    pub brings_nothing: Option<bool>,
    /// The other page that a page names as its canonical one, in its head or header; `None` where it names several.
    pub canonical: Option<String>,
    /// Hash of the words of a page, numbers aside; `None` where it has too few to tell it from others.
    pub words_hash: Option<u64>,
}

impl Message for Outcome {
    const KIND: MessageKind = MessageKind::Outcome;
    const VERSION: u8 = 3;

    fn read_old(version: u8, archive: &[u8]) -> Option<Result<Self, ProtoError>> {
        match version {
            1 => Some(read_archive::<OutcomeV1>(archive).map(Outcome::from)),
            2 => Some(read_archive::<OutcomeV2>(archive).map(Outcome::from)),
            _ => None,
        }
    }
}

/// An outcome before it told which page is the canonical one.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct OutcomeV2 {
    order_id: u64,
    url: String,
    kind: FetchKind,
    verdict: Verdict,
    status: u16,
    ip: Option<String>,
    retry_after_ms: Option<u64>,
    redirect: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    content_hash: Option<u64>,
    robots: Option<Vec<u8>>,
    started_at: u64,
    finished_at: u64,
    bytes: u64,
    links: u32,
    error: Option<String>,
    brings_nothing: Option<bool>,
}

impl From<OutcomeV2> for Outcome {
    fn from(old: OutcomeV2) -> Self {
        Outcome {
            order_id: old.order_id,
            url: old.url,
            kind: old.kind,
            verdict: old.verdict,
            status: old.status,
            ip: old.ip,
            retry_after_ms: old.retry_after_ms,
            redirect: old.redirect,
            etag: old.etag,
            last_modified: old.last_modified,
            content_hash: old.content_hash,
            robots: old.robots,
            started_at: old.started_at,
            finished_at: old.finished_at,
            bytes: old.bytes,
            links: old.links,
            error: old.error,
            brings_nothing: old.brings_nothing,
            canonical: None,
            words_hash: None,
        }
    }
}

/// An outcome before it told what is new on a page.
#[derive(Debug, Archive, Serialize, Deserialize)]
struct OutcomeV1 {
    order_id: u64,
    url: String,
    kind: FetchKind,
    verdict: Verdict,
    status: u16,
    ip: Option<String>,
    retry_after_ms: Option<u64>,
    redirect: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    content_hash: Option<u64>,
    robots: Option<Vec<u8>>,
    started_at: u64,
    finished_at: u64,
    bytes: u64,
    links: u32,
    error: Option<String>,
}

impl From<OutcomeV1> for Outcome {
    fn from(old: OutcomeV1) -> Self {
        Outcome {
            order_id: old.order_id,
            url: old.url,
            kind: old.kind,
            verdict: old.verdict,
            status: old.status,
            ip: old.ip,
            retry_after_ms: old.retry_after_ms,
            redirect: old.redirect,
            etag: old.etag,
            last_modified: old.last_modified,
            content_hash: old.content_hash,
            robots: old.robots,
            started_at: old.started_at,
            finished_at: old.finished_at,
            bytes: old.bytes,
            links: old.links,
            error: old.error,
            brings_nothing: None,
            canonical: None,
            words_hash: None,
        }
    }
}

/// One outlink with its words.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Link {
    /// Canonical URL.
    pub url: String,
    pub kind: FetchKind,
    pub source: LinkSource,
    pub depth: u16,
    pub hops: u8,
    pub anchor: Option<String>,
    /// Last change as a sitemap or feed states it, Unix milliseconds.
    pub modified_at: Option<u64>,
}

/// The links of one page to one registrable domain: batched, since the message is the cost and not the URL.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Links {
    /// The page they were found on; empty for seeds.
    pub from: String,
    /// Unix milliseconds.
    pub found_at: u64,
    pub links: Vec<Link>,
}

impl Message for Links {
    const KIND: MessageKind = MessageKind::Links;
    const VERSION: u8 = 1;
}
