//! Documents of earlier versions: each as [`Document`] is, without the fields that came later.

use rkyv::{Archive, Deserialize, Serialize};

use super::{Comment, Document, DocumentChange, LanguageShare, ProductAttribute, RenderInfo, Rights};

/// The fields of a version stand in the order of [`Document`]; those that some versions lack are named by each version that has them.
macro_rules! older {
    ($name:ident, kind: [$($kind:ident: $of_kind:ty),*], language: [$($language:ident: $of_language:ty),*]) => {
        #[derive(Archive, Serialize, Deserialize)]
        pub(super) struct $name {
            key: String,
            url: String,
            change: DocumentChange,
            kind: String,
            $($kind: $of_kind,)*
            title: String,
            text: String,
            site: String,
            host: String,
            author: Option<String>,
            published: Option<String>,
            language: Option<String>,
            $($language: $of_language,)*
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

        impl From<$name> for Document {
            fn from(old: $name) -> Document {
                Document {
                    change: old.change,
                    kind: old.kind,
                    $($kind: old.$kind,)*
                    title: old.title,
                    text: old.text,
                    site: old.site,
                    host: old.host,
                    author: old.author,
                    published: old.published,
                    language: old.language,
                    $($language: old.$language,)*
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
                    ..Document::removal(old.key, old.url)
                }
            }
        }
    };
}

older!(DocumentV1, kind: [], language: []);
older!(
    DocumentV2,
    kind: [],
    language: [language_score: Option<f32>, script: Option<String>, languages: Vec<LanguageShare>]
);
older!(
    DocumentV3,
    kind: [kind_probability: Option<f32>],
    language: [language_score: Option<f32>, script: Option<String>, languages: Vec<LanguageShare>]
);
