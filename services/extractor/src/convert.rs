//! From a downloaded page to the document message.

use gristmill_extract::{Options, Post};
use gristmill_fetch::{ContentEncoding, DecodeError, DecodeLimits, decode_body};
use gristmill_proto::{Change, Comment, Document, Page, Rights, WireEncoding};
use gristmill_reading::{Answer, Hints, PageReader, no_page};
use gristmill_robots::Directives;
use gristmill_urls::CanonicalUrl;

use crate::product;
use crate::settings::ExtractorConfig;

/// What became of a page; `result` is one of [`crate::metrics::RESULTS`].
pub(crate) struct Converted {
    pub result: &'static str,
    pub document: Option<Document>,
}

/// Unpacks, decodes, parses and extracts one page, whose body is `body` wherever it was.
///
/// # Errors
/// A body that does not unpack within the limits; the reason, for the `rejects` topic.
pub(crate) fn convert(
    page: &Page,
    body: &[u8],
    reader: &PageReader,
    config: &ExtractorConfig,
) -> Result<Converted, String> {
    let url = CanonicalUrl::parse(&page.url, None).map_err(|error| error.to_string())?;
    let removal = || {
        let removal = Document::removal(url.key().to_string(), url.as_str().to_owned());
        Some(Document { fetched_at: page.fetched_at, ..removal })
    };
    if page.status != 200 && page.status != 203 {
        return Ok(Converted { result: "gone", document: removal() });
    }
    // The fetcher has judged the ratio of what servers pack. What it packed itself may be any: a long, dull page packs well.
    let limits = DecodeLimits { max_bytes: config.max_body_bytes, max_ratio: u32::MAX };
    let bytes = decode_body(body, encoding(page.encoding), limits).map_err(|error| match error {
        DecodeError::TooLarge { limit } => format!("the body exceeds `extractor.max_body_bytes` ({limit} bytes)"),
        error => error.to_string(),
    })?;
    if let Some(reason) = no_page(&bytes) {
        return Err(format!("whatever its content type says, {reason}"));
    }
    let hints = Hints { content_type: page.content_type.as_deref(), url: Some(url.as_str()) };
    let parsed = reader.parse(&bytes, &hints).answered(answer_of(page));
    let options = Options { anchor_title: page.anchor_title.as_deref(), ..reader.options() };
    let reading = parsed.read(options);
    let extracted = &reading.document;
    let tags = page.robots_tags.iter().map(|value| Directives::from_header(value, reader.agent.as_str()));
    if extracted.noindex || tags.fold(Directives::default(), Directives::union).noindex {
        return Ok(Converted { result: "noindex", document: removal() });
    }
    if stands_elsewhere(&url, extracted.canonical.as_deref()) {
        return Ok(Converted { result: "canonical", document: removal() });
    }
    let empty = extracted.text.trim().is_empty();
    let result = if empty { "empty" } else { "document" };
    if empty && !config.keep_empty {
        return Ok(Converted { result, document: removal() });
    }
    let decision = reading.decide();
    let rights = rights(reading.rights());
    let extracted = reading.document;
    let document = Document {
        key: url.key().to_string(),
        url: url.as_str().to_owned(),
        change: Change::Upsert,
        kind: decision.kind.as_str().to_owned(),
        title: extracted.title.unwrap_or_default(),
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
        comments: extracted.comments.into_iter().map(comment).collect(),
        rights,
        method: extracted.method,
        confidence: extracted.confidence,
        rendered: None,
    };
    Ok(Converted { result, document: Some(document) })
}

fn comment(post: Post) -> Comment {
    Comment { author: post.author, published: post.date, text: post.text }
}

fn answer_of(page: &Page) -> Answer {
    Answer {
        robots_tags: page.robots_tags.clone(),
        tdm_reservation: page.tdm_reservation.clone(),
        tdm_policy: page.tdm_policy.clone(),
    }
}

fn rights(found: gristmill_reading::Rights) -> Rights {
    Rights {
        robots: found.robots,
        tdm_reserved: found.tdm_reserved,
        tdm_policy: found.tdm_policy,
        licence: found.licence,
        licence_url: found.licence_url,
        copyright: found.copyright,
    }
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
