//! One page in the forms that clients ask for: Markdown, HTML, links, records, and what the page says of itself.

use std::collections::BTreeSet;

use gristmill_extract::{ExtractOptions, Selection, Structure, render_html_with, render_markdown_with};
use gristmill_fetch::scan;
use gristmill_html::Doc;
use gristmill_reading::rules::PartSelectors;
use gristmill_reading::{CharsetHints, OpenError, PageReader, Reading};
use serde_json::{Map, Value, json};
use url::Url;

/// Most links of a page that are listed.
const MAX_LINKS: usize = 10_000;

/// Which forms, and of which parts of the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormRequest {
    pub markdown: bool,
    pub html: bool,
    pub raw_html: bool,
    pub links: bool,
    pub images: bool,
    pub records: bool,
    pub text: bool,
    /// The main text, and not the page with its menus.
    pub only_main: bool,
    pub parts: PartSelectors,
}

/// A page as bytes, and what is known of them.
pub(crate) struct PageInput<'a> {
    pub bytes: &'a [u8],
    pub content_type: Option<&'a str>,
    pub url: &'a str,
}

/// What was asked for of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageForms {
    pub markdown: Option<String>,
    pub html: Option<String>,
    pub raw_html: Option<String>,
    pub links: Option<Vec<String>>,
    pub images: Option<Vec<String>>,
    /// The main text without any form.
    pub text: Option<String>,
    /// Everything that is known of the page, its product records among it.
    pub reading: Option<Value>,
    /// What the page says of itself, by the names that its elements have.
    pub metadata: Map<String, Value>,
    /// Why there is no text.
    pub reason: Option<String>,
}

impl PageForms {
    /// Reads a page. O(bytes).
    ///
    /// # Errors
    /// The bytes are no page, or a PDF without a text to be had.
    pub(crate) fn of(
        source: &PageInput<'_>,
        request: &FormRequest,
        reader: &PageReader,
    ) -> Result<PageForms, OpenError> {
        let hints = CharsetHints { content_type: source.content_type, url: Some(source.url) };
        let mut parsed = reader.open(source.bytes, &hints)?;
        let metadata = metadata(&parsed.doc, source.url);
        if let Some(rest) = request.parts.apply(&parsed.doc) {
            parsed.doc = rest;
        }
        let structure = Structure { images: true, ..Structure::default() };
        let reading = parsed.read(ExtractOptions { structure, parts: request.records, ..reader.options() });
        // Who names parts has chosen already.
        let whole = !request.only_main || request.parts.has_kept();
        let text = || gristmill_html::decode_with(source.bytes, &hints).text.into_owned();
        let mut forms = PageForms {
            markdown: request.markdown.then(|| markdown(&reading, whole)),
            html: request.html.then(|| html(&reading, whole)),
            raw_html: request.raw_html.then(text),
            links: request.links.then(|| links(&text(), source.url)),
            images: request.images.then(|| images(&reading, source.url)),
            text: request.text.then(|| reading.document.text.clone()),
            reading: request.records.then(|| reading.json()),
            metadata,
            reason: reading.document.reason.clone(),
        };
        forms.describe(&reading);
        Ok(forms)
    }

    /// What was found out about the page, where it does not say it itself.
    fn describe(&mut self, reading: &Reading<'_>) {
        let document = &reading.document;
        let found = [
            ("title", document.title.clone()),
            ("language", document.language.clone()),
            ("author", document.author.clone()),
            ("publishedTime", document.published.clone()),
        ];
        for (name, value) in found {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                self.metadata.insert(name.to_owned(), value.into());
            }
        }
    }
}

fn markdown(reading: &Reading<'_>, whole: bool) -> String {
    if !whole {
        return reading.markdown();
    }
    let (page, url) = (&reading.page, reading.parsed.url.as_deref());
    render_markdown_with(page, &Selection::all(page), &reading.structure, url)
}

fn html(reading: &Reading<'_>, whole: bool) -> String {
    if !whole {
        return reading.html();
    }
    let (page, url) = (&reading.page, reading.parsed.url.as_deref());
    render_html_with(page, &Selection::all(page), &reading.structure, url)
}

/// Where the links of a page lead, each once, in page order.
pub(crate) fn links(html: &str, url: &str) -> Vec<String> {
    let found = scan(html, url);
    let base = found.base.or_else(|| Url::parse(url).ok());
    let mut seen = BTreeSet::new();
    let targets = found.anchors.iter().filter_map(|anchor| base.as_ref()?.join(&anchor.href).ok());
    let web = targets.filter(|target| matches!(target.scheme(), "http" | "https")).map(String::from);
    web.filter(|target| seen.insert(target.clone())).take(MAX_LINKS).collect()
}

/// Where the pictures of a page are, each once, in page order.
fn images(reading: &Reading<'_>, url: &str) -> Vec<String> {
    let doc = reading.page.doc;
    let base = Url::parse(url).ok().map(|url| doc.base_href().and_then(|base| url.join(base).ok()).unwrap_or(url));
    let (Some(base), Some(img), Some(src)) = (base, doc.find_name("img"), doc.find_name("src")) else {
        return Vec::new();
    };
    let mut seen = BTreeSet::new();
    let sources = doc.ids().filter(|id| doc.is_element(*id) && doc.name(*id) == img).filter_map(|id| doc.attr(id, src));
    let sources = sources.filter_map(|source| base.join(source).ok()).filter(|source| source.scheme() != "data");
    sources.map(String::from).filter(|source| seen.insert(source.clone())).take(MAX_LINKS).collect()
}

/// Names of `meta` elements, and what Firecrawl calls them.
const NAMES: &str = include_str!("metadata.tsv");

fn metadata(doc: &Doc, url: &str) -> Map<String, Value> {
    let mut found = Map::new();
    for line in NAMES.lines() {
        let Some((name, field)) = line.split_once('\t') else { continue };
        if let Some(content) = doc.meta(name).filter(|content| !content.trim().is_empty()) {
            found.entry(field).or_insert_with(|| content.trim().into());
        }
    }
    if let Some(title) = doc.title() {
        found.insert("title".to_owned(), title.into());
    }
    if let Some(lang) = doc.lang() {
        found.insert("language".to_owned(), lang.into());
    }
    let icon =
        doc.links().find(|link| link.has_rel("icon")).and_then(|link| Url::parse(url).ok()?.join(link.href).ok());
    if let Some(icon) = icon {
        found.insert("favicon".to_owned(), json!(icon.as_str()));
    }
    found
}
