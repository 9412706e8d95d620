//! The forms that [`Document`] had in earlier versions.

use rkyv::{Archive, Deserialize, Serialize};

use crate::indexing::{Attribute, Change, Comment, Document, Drawing, Rights};

/// A document before its fingerprint had a version, and before the title of the page and the text of the link to it were two
/// things: `title` may be either.
#[derive(Debug, Archive, Serialize, Deserialize)]
pub(crate) struct Unversioned<A> {
    key: String,
    url: String,
    change: Change,
    kind: String,
    title: String,
    text: String,
    site: String,
    host: String,
    author: Option<String>,
    published: Option<String>,
    language: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    canonical: Option<String>,
    image: Option<String>,
    keywords: Vec<String>,
    attributes: Vec<A>,
    fetched_at: u64,
    simhash: u64,
    method: String,
    confidence: f32,
}

/// Attributes have a name and a value and nothing else.
pub(crate) type DocumentV1 = Unversioned<(String, String)>;
pub(crate) type DocumentV2 = Unversioned<Attribute>;

impl From<(String, String)> for Attribute {
    fn from((name, value): (String, String)) -> Self {
        Attribute { name, value, ..Attribute::default() }
    }
}

impl<A: Into<Attribute>> From<Unversioned<A>> for Document {
    fn from(old: Unversioned<A>) -> Self {
        Document {
            key: old.key,
            url: old.url,
            change: old.change,
            kind: old.kind,
            title: old.title,
            text: old.text,
            site: old.site,
            host: old.host,
            author: old.author,
            published: old.published,
            language: old.language,
            site_name: old.site_name,
            description: old.description,
            canonical: old.canonical,
            image: old.image,
            keywords: old.keywords,
            attributes: old.attributes.into_iter().map(A::into).collect(),
            fetched_at: old.fetched_at,
            simhash: old.simhash,
            simhash_version: 1,
            anchor_title: None,
            comments: Vec::new(),
            rights: Rights::default(),
            method: old.method,
            confidence: old.confidence,
            rendered: None,
            published_declared: false,
        }
    }
}

/// A document before readers' comments were a field of their own.
#[derive(Debug, Archive, Serialize, Deserialize)]
pub(crate) struct DocumentV3 {
    key: String,
    url: String,
    change: Change,
    kind: String,
    title: String,
    text: String,
    site: String,
    host: String,
    author: Option<String>,
    published: Option<String>,
    language: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    canonical: Option<String>,
    image: Option<String>,
    keywords: Vec<String>,
    attributes: Vec<Attribute>,
    fetched_at: u64,
    simhash: u64,
    simhash_version: u32,
    anchor_title: Option<String>,
    method: String,
    confidence: f32,
}

impl From<DocumentV3> for Document {
    fn from(old: DocumentV3) -> Self {
        Document {
            key: old.key,
            url: old.url,
            change: old.change,
            kind: old.kind,
            title: old.title,
            text: old.text,
            site: old.site,
            host: old.host,
            author: old.author,
            published: old.published,
            language: old.language,
            site_name: old.site_name,
            description: old.description,
            canonical: old.canonical,
            image: old.image,
            keywords: old.keywords,
            attributes: old.attributes,
            fetched_at: old.fetched_at,
            simhash: old.simhash,
            simhash_version: old.simhash_version,
            anchor_title: old.anchor_title,
            comments: Vec::new(),
            rights: Rights::default(),
            method: old.method,
            confidence: old.confidence,
            rendered: None,
            published_declared: false,
        }
    }
}

/// A document before what is said of its use travelled with it.
#[derive(Debug, Archive, Serialize, Deserialize)]
pub(crate) struct DocumentV4 {
    key: String,
    url: String,
    change: Change,
    kind: String,
    title: String,
    text: String,
    site: String,
    host: String,
    author: Option<String>,
    published: Option<String>,
    language: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    canonical: Option<String>,
    image: Option<String>,
    keywords: Vec<String>,
    attributes: Vec<Attribute>,
    fetched_at: u64,
    simhash: u64,
    simhash_version: u32,
    anchor_title: Option<String>,
    comments: Vec<Comment>,
    method: String,
    confidence: f32,
}

impl From<DocumentV4> for Document {
    fn from(old: DocumentV4) -> Self {
        Document {
            key: old.key,
            url: old.url,
            change: old.change,
            kind: old.kind,
            title: old.title,
            text: old.text,
            site: old.site,
            host: old.host,
            author: old.author,
            published: old.published,
            language: old.language,
            site_name: old.site_name,
            description: old.description,
            canonical: old.canonical,
            image: old.image,
            keywords: old.keywords,
            attributes: old.attributes,
            fetched_at: old.fetched_at,
            simhash: old.simhash,
            simhash_version: old.simhash_version,
            anchor_title: old.anchor_title,
            comments: old.comments,
            rights: Rights::default(),
            method: old.method,
            confidence: old.confidence,
            rendered: None,
            published_declared: false,
        }
    }
}

/// A document before browsers drew pages.
#[derive(Debug, Archive, Serialize, Deserialize)]
pub(crate) struct DocumentV5 {
    key: String,
    url: String,
    change: Change,
    kind: String,
    title: String,
    text: String,
    site: String,
    host: String,
    author: Option<String>,
    published: Option<String>,
    language: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    canonical: Option<String>,
    image: Option<String>,
    keywords: Vec<String>,
    attributes: Vec<Attribute>,
    fetched_at: u64,
    simhash: u64,
    simhash_version: u32,
    anchor_title: Option<String>,
    comments: Vec<Comment>,
    rights: Rights,
    method: String,
    confidence: f32,
}

impl From<DocumentV5> for Document {
    fn from(old: DocumentV5) -> Self {
        Document {
            key: old.key,
            url: old.url,
            change: old.change,
            kind: old.kind,
            title: old.title,
            text: old.text,
            site: old.site,
            host: old.host,
            author: old.author,
            published: old.published,
            language: old.language,
            site_name: old.site_name,
            description: old.description,
            canonical: old.canonical,
            image: old.image,
            keywords: old.keywords,
            attributes: old.attributes,
            fetched_at: old.fetched_at,
            simhash: old.simhash,
            simhash_version: old.simhash_version,
            anchor_title: old.anchor_title,
            comments: old.comments,
            rights: old.rights,
            method: old.method,
            confidence: old.confidence,
            rendered: None,
            published_declared: false,
        }
    }
}

/// A document before it said whether its page declares its date.
#[derive(Debug, Archive, Serialize, Deserialize)]
pub(crate) struct DocumentV6 {
    key: String,
    url: String,
    change: Change,
    kind: String,
    title: String,
    text: String,
    site: String,
    host: String,
    author: Option<String>,
    published: Option<String>,
    language: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    canonical: Option<String>,
    image: Option<String>,
    keywords: Vec<String>,
    attributes: Vec<Attribute>,
    fetched_at: u64,
    simhash: u64,
    simhash_version: u32,
    anchor_title: Option<String>,
    comments: Vec<Comment>,
    rights: Rights,
    method: String,
    confidence: f32,
    rendered: Option<Drawing>,
}

impl From<DocumentV6> for Document {
    fn from(old: DocumentV6) -> Self {
        Document {
            key: old.key,
            url: old.url,
            change: old.change,
            kind: old.kind,
            title: old.title,
            text: old.text,
            site: old.site,
            host: old.host,
            author: old.author,
            published: old.published,
            language: old.language,
            site_name: old.site_name,
            description: old.description,
            canonical: old.canonical,
            image: old.image,
            keywords: old.keywords,
            attributes: old.attributes,
            fetched_at: old.fetched_at,
            simhash: old.simhash,
            simhash_version: old.simhash_version,
            anchor_title: old.anchor_title,
            comments: old.comments,
            rights: old.rights,
            method: old.method,
            confidence: old.confidence,
            rendered: old.rendered,
            published_declared: false,
        }
    }
}
