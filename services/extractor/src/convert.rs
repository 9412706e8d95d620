//! From a downloaded page to the document message.

use gristmill_extract::{ExtractOptions, PageKind, Post};
use gristmill_fetch::{ContentEncoding, DecodeError, DecodeLimits, decode_body};
use gristmill_html::{Doc, decode_with};
use gristmill_proto::{
    Comment, Document, DocumentChange, FetchedPage, HeadingLine, LanguageShare, RejectCause, RejectReason, RenderInfo,
    Rights, WireEncoding,
};
use gristmill_reading::need::RenderPolicy;
use gristmill_reading::{CharsetHints, OpenError, PageReader, PdfError, UsageHeaders};
use gristmill_robots::Directives;
use gristmill_urls::CanonicalUrl;
use gristmill_walls::{WallFinding, wall};

use crate::metrics::ExtractResult;
use crate::product;
use crate::render::{PageVersion, RenderEvaluation, RenderNeed, asks_password, better, cause, need_of};
use crate::settings::ExtractorConfig;

/// The most that a page says, in bytes, which may be nothing but a login: others have a form for it beside a text of their own.
const LITTLE_TEXT: usize = 500;

/// What became of a page.
pub(crate) struct PageResult {
    pub result: ExtractResult,
    pub document: Option<Document>,
    /// Whether a browser would add to it.
    pub need: RenderNeed,
    /// What a browser added, where one drew it.
    pub drawn: Option<RenderEvaluation>,
    /// Whether it asks for a password; looked for where it says little, or a browser drew it.
    pub asks_password: bool,
}

/// The bodies of a page, wherever they were.
pub(crate) struct PageBodies<'a> {
    /// What the server sent.
    pub sent: &'a [u8],
    /// What a browser made of it.
    pub drawn: Option<&'a [u8]>,
}

/// Unpacks, decodes, parses and extracts one page, in the one or two forms that it has.
///
/// # Errors
/// A body that does not unpack within the limits, or holds no page.
pub(crate) fn convert(
    page: &FetchedPage,
    bodies: &PageBodies<'_>,
    reader: &PageReader,
    config: &ExtractorConfig,
) -> Result<PageResult, RejectReason> {
    let url = CanonicalUrl::parse(&page.url, None).map_err(|error| RejectCause::BadUrl.with(error))?;
    if !(200..300).contains(&page.status) {
        let document = removal(page, &url);
        return Ok(PageResult {
            result: ExtractResult::Gone,
            document,
            need: RenderNeed::No,
            drawn: None,
            asks_password: false,
        });
    }
    let bytes = unpacked(bodies.sent, page.encoding, config)?;
    if page.order_id == 0
        && let Some(found) = wall_of(page, &url, &bytes)
    {
        return Err(RejectCause::Wall.with(found.reason));
    }
    let sent = read(page, &url, &bytes, page.content_type.as_deref(), reader, config)?;
    let drawn = page.rendered.as_ref().zip(bodies.drawn);
    let Some((rendered, body)) = drawn else {
        let PageVersion { result, document, need, asks_password } = of_wanted_kind(sent, page, &url, config);
        return Ok(PageResult { result, document, need, drawn: None, asks_password });
    };
    let bytes = unpacked(body, rendered.encoding, config)?;
    let mut drawn = read(page, &url, &bytes, Some("text/html; charset=utf-8"), reader, config)?;
    if let Some(document) = drawn.document.as_mut().filter(|document| document.change == DocumentChange::Upsert) {
        document.rendered = Some(RenderInfo { mode: rendered.mode.clone(), ended: rendered.ended.clone() });
    }
    let has_wall = drawn.asks_password && !sent.asks_password;
    let was_expected = sent.need == RenderNeed::Perhaps(true);
    let (version, gain) = better(sent, drawn);
    let PageVersion { result, document, asks_password, .. } = of_wanted_kind(version, page, &url, config);
    let drawn = Some(RenderEvaluation { gain: cause(gain, rendered, has_wall), was_expected });
    // Whatever it still needs, a page that a browser drew asks for none.
    Ok(PageResult { result, document, need: RenderNeed::No, drawn, asks_password })
}

/// Without its document, where that is of a kind that the settings do not name.
fn of_wanted_kind(
    version: PageVersion,
    page: &FetchedPage,
    url: &CanonicalUrl,
    config: &ExtractorConfig,
) -> PageVersion {
    let is_wanted = |document: &Document| config.kinds.is_empty() || config.kinds.contains(&document.kind);
    match &version.document {
        Some(document) if document.change == DocumentChange::Upsert && !is_wanted(document) => {
            PageVersion { result: ExtractResult::Unwanted, document: removal(page, url), ..version }
        }
        _ => version,
    }
}

fn removal(page: &FetchedPage, url: &CanonicalUrl) -> Option<Document> {
    let removal = Document::removal(url.key().to_string(), url.as_str().to_owned());
    Some(Document { fetched_at: page.fetched_at, ..removal })
}

/// What stands in the way of a page of an archive; the fetcher has judged what it fetched itself.
fn wall_of(page: &FetchedPage, url: &CanonicalUrl, bytes: &[u8]) -> Option<WallFinding> {
    let hints = CharsetHints { content_type: page.content_type.as_deref(), url: Some(url.as_str()) };
    let html = decode_with(bytes, &hints).text;
    wall(&gristmill_walls::WallInput { status: page.status, url: url.as_str(), html: &html })
}

fn unpacked(body: &[u8], coding: WireEncoding, config: &ExtractorConfig) -> Result<Vec<u8>, RejectReason> {
    // The fetcher has judged the ratio of what servers pack. What it packed itself may be any: a long, dull page packs well.
    let limits = DecodeLimits { max_bytes: config.max_body_bytes, max_ratio: u32::MAX };
    decode_body(body, encoding(coding), limits).map_err(|error| match error {
        DecodeError::TooLarge { limit } => {
            RejectCause::TooLarge.with(format!("the body exceeds `extractor.max_body_bytes` ({limit} bytes)"))
        }
        error => RejectCause::Undecodable.with(error),
    })
}

/// Reads one form of a page.
///
/// # Errors
/// The bytes are no page.
fn read(
    page: &FetchedPage,
    url: &CanonicalUrl,
    bytes: &[u8],
    content_type: Option<&str>,
    reader: &PageReader,
    config: &ExtractorConfig,
) -> Result<PageVersion, RejectReason> {
    let unkept =
        |result| PageVersion { result, document: removal(page, url), need: RenderNeed::No, asks_password: false };
    let hints = CharsetHints { content_type, url: Some(url.as_str()) };
    let parsed = reader.open(bytes, &hints).map_err(refused)?.answered(answer_of(page));
    let options = ExtractOptions { anchor_title: page.anchor_title.as_deref(), ..reader.options() };
    let reading = parsed.read(options);
    let extracted = &reading.document;
    let asked = directives(page, &reading.parsed.doc, reader.agent.as_str());
    if extracted.noindex || asked.noindex_at((page.fetched_at / 1000) as i64) {
        return Ok(unkept(ExtractResult::NoIndex));
    }
    let empty = extracted.text.trim().is_empty();
    let result = if empty { ExtractResult::Empty } else { ExtractResult::Document };
    let decision = reading.decide();
    let attributes = decision.records.as_ref().map(product::attributes).unwrap_or_default();
    // A browser adds nothing to a document of pages.
    let render = if parsed.is_paged { RenderPolicy::Never } else { render_of(url, reader, config) };
    let product = extracted.types.kinds()[PageKind::Product as usize];
    // Of a page that was drawn, whoever asked for it, the model says what it would have said.
    let render = if page.rendered.is_some() { RenderPolicy::Auto } else { render };
    let need = need_of(render, &reading, product, attributes.len());
    let may_be_login = page.rendered.is_some() || reading.document.text.len() <= LITTLE_TEXT;
    let asks_password = may_be_login && asks_password(&reading.parsed.doc);
    if empty && !config.keep_empty {
        return Ok(PageVersion { need, asks_password, ..unkept(result) });
    }
    let rights = rights(reading.rights());
    let extracted = reading.document;
    let document = Document {
        key: url.key().to_string(),
        url: url.as_str().to_owned(),
        change: DocumentChange::Upsert,
        kind: decision.kind.as_str().to_owned(),
        kind_probability: Some(decision.probability),
        title: extracted.title.unwrap_or_default(),
        text: extracted.text,
        headings: extracted.headings.iter().map(heading).collect(),
        site: url.registrable_domain().to_owned(),
        host: url.host().to_owned(),
        author: extracted.author,
        published: extracted.published,
        language: extracted.language,
        language_score: extracted.language_score,
        script: extracted.script.map(str::to_owned),
        languages: extracted.languages.iter().map(|part| share(part.language, part.share)).collect(),
        site_name: extracted.site_name,
        description: extracted.description,
        canonical: extracted.canonical,
        image: extracted.image,
        keywords: extracted.keywords,
        attributes,
        fetched_at: page.fetched_at,
        simhash: decision.fingerprint(extracted.simhash),
        simhash_version: extracted.simhash_version,
        anchor_title: page.anchor_title.clone(),
        comments: extracted.comments.into_iter().map(comment).collect(),
        rights,
        method: extracted.method,
        confidence: extracted.confidence,
        rendered: None,
        published_declared: extracted.sources.published.is_some_and(|from| from.source.is_declared()),
    };
    Ok(PageVersion { result, document: Some(document), need, asks_password })
}

/// Why bytes did not become a document.
fn refused(error: OpenError) -> RejectReason {
    match error {
        OpenError::NoPage(reason) => RejectCause::NoPage.with(format!("whatever its content type says, {reason}")),
        OpenError::Pdf(PdfError::Unreadable(reason)) => RejectCause::Undecodable.with(reason),
        OpenError::Pdf(PdfError::TooLarge(reason)) => RejectCause::TooLarge.with(reason),
    }
}

/// What the header and the page itself ask of robots.
fn directives(page: &FetchedPage, doc: &Doc, agent: &str) -> Directives {
    let is_ours = |key: &str| key.eq_ignore_ascii_case("robots") || key.eq_ignore_ascii_case(agent);
    let header = page.robots_tags.iter().map(|value| Directives::from_header(value, agent));
    let metas = doc.metas().filter(|meta| is_ours(meta.key)).map(|meta| Directives::from_meta(meta.content));
    header.chain(metas).fold(Directives::default(), Directives::union)
}

/// Which pages of its site a browser draws.
fn render_of(url: &CanonicalUrl, reader: &PageReader, config: &ExtractorConfig) -> RenderPolicy {
    let site = reader.rules.for_address(url.host(), url.path()).and_then(|site| site.render.as_deref());
    site.and_then(|name| name.parse().ok()).unwrap_or(config.render)
}

fn heading(found: &gristmill_extract::HeadingLine) -> HeadingLine {
    HeadingLine { line: found.line, level: found.level }
}

fn share(language: &str, share: f32) -> LanguageShare {
    LanguageShare { language: language.to_owned(), share }
}

fn comment(post: Post) -> Comment {
    Comment { author: post.author, published: post.published, text: post.text }
}

fn answer_of(page: &FetchedPage) -> UsageHeaders {
    UsageHeaders {
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

fn encoding(encoding: WireEncoding) -> ContentEncoding {
    match encoding {
        WireEncoding::Identity => ContentEncoding::Identity,
        WireEncoding::Gzip => ContentEncoding::Gzip,
        WireEncoding::Deflate => ContentEncoding::Deflate,
        WireEncoding::Brotli => ContentEncoding::Brotli,
        WireEncoding::Zstd => ContentEncoding::Zstd,
    }
}
