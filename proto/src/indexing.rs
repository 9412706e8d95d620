//! Messages between extractor and indexer, and what fell by the way.

use rkyv::{Archive, Deserialize, Serialize};

use crate::envelope::{Kind, Message};

/// What the index must do with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub enum Change {
    Upsert,
    /// The page is gone, or asks not to be indexed: every field but `key` and `url` is empty.
    Remove,
}

/// A cleaned page.
#[derive(Debug, Clone, PartialEq, Archive, Serialize, Deserialize)]
pub struct Document {
    /// URL key, 32 hexadecimal digits: the identity in the index.
    pub key: String,
    pub url: String,
    pub change: Change,
    /// `article` or `product`.
    pub kind: String,
    pub title: String,
    pub text: String,
    /// Registrable domain.
    pub site: String,
    pub host: String,
    pub author: Option<String>,
    /// RFC 3339, or a bare date.
    pub published: Option<String>,
    pub language: Option<String>,
    pub site_name: Option<String>,
    pub description: Option<String>,
    pub canonical: Option<String>,
    pub image: Option<String>,
    pub keywords: Vec<String>,
    /// Attribute–value pairs of a product.
    pub attributes: Vec<(String, String)>,
    /// Unix milliseconds.
    pub fetched_at: u64,
    pub simhash: u64,
    pub method: String,
    pub confidence: f32,
}

impl Message for Document {
    const KIND: Kind = Kind::Document;
    const VERSION: u8 = 1;
}

/// A page that a stage could not handle.
#[derive(Debug, Clone, PartialEq, Eq, Archive, Serialize, Deserialize)]
pub struct Reject {
    pub url: String,
    /// The stage that gave up: `extractor`, `indexer`, …
    pub stage: String,
    pub reason: String,
    /// Unix milliseconds.
    pub at: u64,
}

impl Message for Reject {
    const KIND: Kind = Kind::Reject;
    const VERSION: u8 = 1;
}
