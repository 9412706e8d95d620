//! From a downloaded page to the document message.

use gristmill_extract::{Options, extract};
use gristmill_fetch::{ContentEncoding, DecodeError, DecodeLimits, decode_body};
use gristmill_html::{Doc, Hints, Limits};
use gristmill_proto::{Change, Document, Page, WireEncoding};
use gristmill_robots::Directives;
use gristmill_urls::CanonicalUrl;

use crate::product;
use crate::recipe::Recipe;
use crate::service::ExtractorConfig;

/// Product token that X-Robots-Tag may name.
const AGENT: &str = "gristmill";

/// What became of a page; `result` is one of [`crate::metrics::RESULTS`].
pub(crate) struct Made {
    pub result: &'static str,
    pub document: Option<Document>,
}

/// Unpacks, decodes, parses and extracts one page, whose body is `body` wherever it was.
///
/// # Errors
/// A body that does not unpack within the limits; the reason, for the `rejects` topic.
pub(crate) fn make(page: &Page, body: &[u8], recipe: &Recipe, config: &ExtractorConfig) -> Result<Made, String> {
    let url = CanonicalUrl::parse(&page.url, None).map_err(|error| error.to_string())?;
    let removal = || Some(Document::removal(url.key().to_string(), url.as_str().to_owned()));
    if page.status != 200 && page.status != 203 {
        return Ok(Made { result: "gone", document: removal() });
    }
    // The fetcher has judged the ratio of what servers pack. What it packed itself may be any: a long, dull page packs well.
    let limits = DecodeLimits { max_bytes: config.max_body_bytes, max_ratio: u32::MAX };
    let bytes = decode_body(body, encoding(page.encoding), limits).map_err(|error| match error {
        DecodeError::TooLarge { limit } => format!("the body exceeds `extractor.max_body_bytes` ({limit} bytes)"),
        error => error.to_string(),
    })?;
    if gristmill_html::is_binary(&bytes) {
        return Err("the body is no text, whatever its content type says".into());
    }
    let hints = Hints { content_type: page.content_type.as_deref(), url: Some(&page.url) };
    let html = gristmill_html::decode_with(&bytes, &hints);
    let doc = Doc::parse(&html.text, &Limits::default());
    let options = Options {
        method: recipe.method.clone(),
        comments: recipe.comments,
        url: Some(url.as_str()),
        anchor_title: page.anchor_title.as_deref(),
        // The title is a field of its own in the index.
        attach_title: false,
        ..Options::default()
    };
    let prepared = recipe.prepare(&doc, Some(url.as_str()));
    let extracted = extract(prepared.doc(), &options);
    let tags = page.robots_tags.iter().map(|value| Directives::from_header(value, AGENT));
    if extracted.noindex || tags.fold(Directives::default(), Directives::union).noindex {
        return Ok(Made { result: "noindex", document: removal() });
    }
    if stands_elsewhere(&url, extracted.canonical.as_deref()) {
        return Ok(Made { result: "canonical", document: removal() });
    }
    let empty = extracted.text.trim().is_empty();
    let result = if empty { "empty" } else { "document" };
    if empty && !config.keep_empty {
        return Ok(Made { result, document: removal() });
    }
    let decision = prepared.decide(&extracted.types, Some(url.as_str()), &recipe.products);
    let document = Document {
        key: url.key().to_string(),
        url: url.as_str().to_owned(),
        change: Change::Upsert,
        kind: decision.kind.as_str().to_owned(),
        title: prepared.title(extracted.title).unwrap_or_default(),
        text: extracted.text,
        site: url.registrable_domain().to_owned(),
        host: url.host().to_owned(),
        author: extracted.author,
        published: extracted.published,
        language: extracted.language,
        site_name: extracted.site_name,
        description: extracted.description,
        canonical: extracted.canonical,
        image: extracted.image,
        keywords: extracted.keywords,
        attributes: decision.records.as_ref().map(product::attributes).unwrap_or_default(),
        fetched_at: page.fetched_at,
        simhash: extracted.simhash,
        simhash_version: extracted.simhash_version,
        anchor_title: page.anchor_title.clone(),
        method: extracted.method,
        confidence: extracted.confidence,
    };
    Ok(Made { result, document: Some(document) })
}

/// Whether the page names another page of its host as the one to index. The fetcher has offered that page to the
/// scheduler. A canonical link to another host is only kept as metadata: mirrors are worth indexing.
fn stands_elsewhere(url: &CanonicalUrl, canonical: Option<&str>) -> bool {
    let canonical = canonical.and_then(|canonical| CanonicalUrl::parse(canonical, Some(&url.to_url())).ok());
    canonical.is_some_and(|canonical| {
        canonical.authority() == url.authority() && canonical.path_and_query() != url.path_and_query()
    })
}

fn encoding(encoding: WireEncoding) -> ContentEncoding {
    match encoding {
        WireEncoding::Identity => ContentEncoding::Identity,
        WireEncoding::Gzip => ContentEncoding::Gzip,
        WireEncoding::Deflate => ContentEncoding::Deflate,
        WireEncoding::Brotli => ContentEncoding::Brotli,
        WireEncoding::Zstd => ContentEncoding::Zstd,
    }
}
