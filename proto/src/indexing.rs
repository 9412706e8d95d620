//! Messages between extractor and indexer, and what fell by the way.

mod older;

use gristmill_terms::{RejectCause, RejectReason};
use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Message, MessageKind, ProtoError, read_archive};
use older::{DocumentV1, DocumentV2, DocumentV3};

/// What the index must do with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum DocumentChange {
    Upsert,
    /// The page is gone, or asks not to be indexed: every field but `key`, `url` and `fetched_at` is empty.
    Remove,
    /// What `url` names is taken out for good: a page, or, where `key` is empty, the host of a site with all below it.
    TakeDown,
}

/// A cleaned page.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Document {
    /// URL key, 32 hexadecimal digits: the identity in the index.
    pub key: String,
    pub url: String,
    pub change: DocumentChange,
    /// `article`, `product`, `listing` or `other`.
    pub kind: String,
    /// How probable it is, 0 to 1.
    pub kind_probability: Option<f32>,
    pub title: String,
    pub text: String,
    /// Which of its lines are headings, in order.
    pub headings: Vec<HeadingLine>,
    /// Registrable domain.
    pub site: String,
    pub host: String,
    pub author: Option<String>,
    /// RFC 3339, or a bare date.
    pub published: Option<String>,
    pub language: Option<String>,
    /// How probable it is, 0 to 1.
    pub language_score: Option<f32>,
    /// ISO 15924.
    pub script: Option<String>,
    /// Those of the paragraphs, greatest share first.
    pub languages: Vec<LanguageShare>,
    pub site_name: Option<String>,
    pub description: Option<String>,
    pub canonical: Option<String>,
    pub image: Option<String>,
    pub keywords: Vec<String>,
    /// What is known of a product, in the order of the page.
    pub attributes: Vec<ProductAttribute>,
    /// Unix milliseconds.
    pub fetched_at: u64,
    pub simhash: u64,
    /// Which rules made `simhash`; those of different versions are not comparable.
    pub simhash_version: u32,
    /// The text of the link that led here from the site's home page, a feed or a sitemap.
    pub anchor_title: Option<String>,
    /// What readers wrote below the page, where it is not part of `text`.
    pub comments: Vec<Comment>,
    /// What page and server say of its use.
    pub rights: Rights,
    pub method: String,
    pub confidence: f32,
    /// How a browser drew it, where it stands for what a browser drew.
    pub rendered: Option<RenderInfo>,
    /// Whether the page declares `published`, and does not only show it.
    pub published_declared: bool,
}

/// How a page was drawn, in the words of [`RenderedPage`](crate::Rendered).
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct RenderInfo {
    /// How much: `styles`, `scripts`.
    pub mode: String,
    /// When the browser was done: `loaded`, `quiet`, `cap`.
    pub ended: String,
}

/// What a page and its server say of the use of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Rights {
    /// Robots directives that limit a use: `noai`, `max-snippet:50`.
    pub robots: Vec<String>,
    /// Whether text and data mining is reserved.
    pub tdm_reserved: Option<bool>,
    /// Where the terms for mining stand.
    pub tdm_policy: Option<String>,
    /// `cc-by-4.0` and so on, else the address or name of the licence.
    pub licence: Option<String>,
    pub licence_url: Option<String>,
    /// The copyright notice.
    pub copyright: Option<String>,
}

/// A line of a text that is a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct HeadingLine {
    /// Which line of the text, from 0.
    pub line: u32,
    /// 1 to 6.
    pub level: u8,
}

/// A language, and its share of the letters of a text.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct LanguageShare {
    pub language: String,
    /// Above 0, to 1.
    pub share: f32,
}

/// What a reader wrote below a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Comment {
    pub author: Option<String>,
    /// As `published` of a [`Document`].
    pub published: Option<String>,
    pub text: String,
}

impl Document {
    /// Tells the index to forget the page.
    pub fn removal(key: String, url: String) -> Document {
        Document {
            key,
            url,
            change: DocumentChange::Remove,
            kind: String::new(),
            kind_probability: None,
            title: String::new(),
            text: String::new(),
            headings: Vec::new(),
            site: String::new(),
            host: String::new(),
            author: None,
            published: None,
            language: None,
            language_score: None,
            script: None,
            languages: Vec::new(),
            site_name: None,
            description: None,
            canonical: None,
            image: None,
            keywords: Vec::new(),
            attributes: Vec::new(),
            fetched_at: 0,
            simhash: 0,
            simhash_version: 0,
            anchor_title: None,
            comments: Vec::new(),
            rights: Rights::default(),
            method: String::new(),
            confidence: 0.0,
            rendered: None,
            published_declared: false,
        }
    }
}

/// One thing that is known of a product: a pair of its page, or a field that the page declares.
#[derive(Debug, Clone, Default, PartialEq, Archive, Serialize, Deserialize)]
pub struct ProductAttribute {
    /// As the page words it.
    pub name: String,
    pub value: String,
    /// The one name of all synonyms (`brand` for 品牌), when the name is known.
    pub canonical: Option<String>,
    /// The number in the value, in `unit`.
    pub number: Option<f64>,
    pub unit: Option<String>,
    /// Which record of the page it belongs to, from 0.
    pub record: u32,
    /// Where it was found: `json-ld`, `microdata`, `table`, …
    pub source: String,
    pub confidence: f32,
}

impl Message for Document {
    const KIND: MessageKind = MessageKind::Document;
    const VERSION: u8 = 4;

    fn read_older(version: u8, archive: &[u8]) -> Option<Result<Self, ProtoError>> {
        match version {
            1 => Some(read_archive::<DocumentV1>(archive).map(Self::from)),
            2 => Some(read_archive::<DocumentV2>(archive).map(Self::from)),
            3 => Some(read_archive::<DocumentV3>(archive).map(Self::from)),
            _ => None,
        }
    }
}

/// A page that a stage could not handle, or that there is something to tell of.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Reject {
    pub url: String,
    /// The stage that gave up: `extractor`, `indexer`, …
    pub stage: String,
    pub reason: RejectReason,
    /// Unix milliseconds.
    pub at: u64,
}

impl Message for Reject {
    const KIND: MessageKind = MessageKind::Reject;
    const VERSION: u8 = 2;

    fn read_older(version: u8, archive: &[u8]) -> Option<Result<Self, ProtoError>> {
        (version == 1).then(|| read_archive::<RejectV1>(archive).map(Self::from))
    }
}

/// A reject of version 1, whose reason is a sentence alone.
#[derive(Archive, Serialize, Deserialize)]
struct RejectV1 {
    url: String,
    stage: String,
    reason: String,
    at: u64,
}

impl From<RejectV1> for Reject {
    fn from(RejectV1 { url, stage, reason, at }: RejectV1) -> Self {
        Self { url, stage, reason: RejectCause::Other.with(reason), at }
    }
}
