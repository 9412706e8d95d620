//! The document of version 1, which has its language alone.

use rkyv::{Archive, Deserialize, Serialize};

use super::{Comment, Document, DocumentChange, ProductAttribute, RenderInfo, Rights};

/// As [`Document`], in this order.
#[derive(Archive, Serialize, Deserialize)]
pub(super) struct DocumentV1 {
    key: String,
    url: String,
    change: DocumentChange,
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
    attributes: Vec<ProductAttribute>,
    fetched_at: u64,
    simhash: u64,
    simhash_version: u32,
    anchor_title: Option<String>,
    comments: Vec<Comment>,
    rights: Rights,
    method: String,
    confidence: f32,
    rendered: Option<RenderInfo>,
    published_declared: bool,
}

impl From<DocumentV1> for Document {
    fn from(old: DocumentV1) -> Document {
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
            published_declared: old.published_declared,
            kind_probability: None,
            language_score: None,
            script: None,
            languages: Vec::new(),
        }
    }
}
