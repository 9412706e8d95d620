//! Messages between scheduler and fetcher, or renderer.

mod older;

use gristmill_terms::{FetchKind, LinkSource, Verdict};
use rkyv::{Archive, Deserialize, Serialize};

use older::FetchOrderV1;

use crate::envelope::{Message, MessageKind, ProtoError, decode, peek, read_archive};
use crate::notice::Cookie;

/// One fetch that the scheduler wants now. The scheduler gives at most one per registrable domain at a time.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct FetchOrder {
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
    /// What its robots.txt says of the use of this page (`Content-Usage`, `Content-Signal`).
    pub usage: Option<String>,
    /// What the site has set and wants to see again.
    pub cookies: Vec<Cookie>,
}

impl FetchOrder {
    /// The URL whose registrable domain is the key of the order and of its outcome. For robots.txt and tdmrep.json that is the origin
    /// they are asked for, wherever a redirect led: who waits for the answer must get it.
    pub fn subject(&self) -> &str {
        self.robots_for.as_deref().unwrap_or(&self.url)
    }
}

impl Message for FetchOrder {
    const KIND: MessageKind = MessageKind::Order;
    const VERSION: u8 = 2;

    fn read_older(version: u8, archive: &[u8]) -> Option<Result<Self, ProtoError>> {
        (version == 1).then(|| read_archive::<FetchOrderV1>(archive).map(Self::from))
    }
}

/// Says that a scheduler took over a partition of `orders`, in that partition. Orders of a lower epoch that stand behind it
/// come from a predecessor that did not know, and nobody follows them.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct PartitionClaim {
    pub partition: u32,
    /// Higher than every epoch before it in its partition. Of two claims with the same epoch the first one counts.
    pub epoch: u64,
    /// Random, to tell two claims apart.
    pub owner: u64,
    /// Unix milliseconds.
    pub at: u64,
}

impl Message for PartitionClaim {
    const KIND: MessageKind = MessageKind::Claim;
    const VERSION: u8 = 1;
}

/// What may stand in the topic `orders`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Instruction {
    Order(Box<FetchOrder>),
    Claim(PartitionClaim),
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
pub struct FetchOutcome {
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

impl Message for FetchOutcome {
    const KIND: MessageKind = MessageKind::Outcome;
    const VERSION: u8 = 1;
}

/// One outlink with its words.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Outlink {
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
pub struct OutlinkBatch {
    /// The page they were found on; empty for seeds.
    pub from: String,
    /// Unix milliseconds.
    pub found_at: u64,
    pub links: Vec<Outlink>,
}

impl Message for OutlinkBatch {
    const KIND: MessageKind = MessageKind::Links;
    const VERSION: u8 = 1;
}
