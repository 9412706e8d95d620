//! One page as a document: everything the other modules find, put together.

use gristmill_html::Doc;
use gristmill_text::{fingerprint, language};
use serde::Serialize;

use crate::layout::Layout;
use crate::metadata::{Feed, Metadata};
use crate::method::{Method, Query};
use crate::methods::densest_run;
use crate::page::Page;
use crate::page_type::{Kind, PageTypes};
use crate::render::render_text;
use crate::selection::Selection;
use crate::title;
use crate::trace::{Trace, TraceValue};

/// What to extract, and what is known about the page from elsewhere.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// How main text is told from boilerplate. Default: [`Method::BEST`].
    pub method: Method,
    /// The address of the page, against which its links are resolved.
    pub url: Option<&'a str>,
    /// The text of the link that led here from the site's home page: the first candidate for the title.
    pub anchor_title: Option<&'a str>,
    /// Fall back when the method keeps nothing: densest run of rows, then all rows. Default: on. Off is what the
    /// papers do.
    pub never_empty: bool,
    /// Put the title before the text when the method dropped it. Default: on; off for scoring.
    pub attach_title: bool,
    /// Where a browser put the nodes of the page, from a [side-car](crate::Sidecar) together with the document.
    pub layout: Option<&'a Layout>,
    /// Keep nothing of a page on which the method is less sure than this. Default: none.
    pub min_confidence: Option<f32>,
    /// Record intermediate numbers in [`Document::trace`]. Default: off.
    pub trace: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            method: Method::default(),
            url: None,
            anchor_title: None,
            never_empty: true,
            attach_title: true,
            layout: None,
            min_confidence: None,
            trace: false,
        }
    }
}

/// The result for one page. A poor page gives a poor document, never an error.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Document {
    /// One line, by TWCEM's Algorithm 2.
    pub title: Option<String>,
    /// Main text, one row a line; empty only with a `reason`.
    pub text: String,
    /// What the page is, by [`PageTypes::kind`].
    pub kind: Kind,
    /// How probable that is.
    pub kind_probability: f32,
    /// The seven types behind the kind.
    pub types: PageTypes,
    /// Names, separated by commas.
    pub author: Option<String>,
    /// RFC 3339, with a zone when the page gives one; `YYYY-MM-DD` when it gives no time.
    pub published: Option<String>,
    /// ISO 639-1, from the main text, the page's declaration second.
    pub language: Option<String>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// The page's description of itself.
    pub description: Option<String>,
    /// Canonical address, resolved when [`Options::url`] is given.
    pub canonical: Option<String>,
    /// Leading image, resolved likewise.
    pub image: Option<String>,
    /// Keywords in the order of the page, each once.
    pub keywords: Vec<String>,
    /// RSS and Atom feeds that the page names.
    pub feeds: Vec<Feed>,
    /// Sources of the frames of a frameset.
    pub frames: Vec<String>,
    /// The page asks not to be indexed.
    pub noindex: bool,
    /// The page asks that its links not be followed.
    pub nofollow: bool,
    /// The method that chose the text, or the step of the fallback ladder (`dense-run`, `plain`).
    pub method: String,
    /// How good the text is, 0 to 1. From `best`: the word F1 that such pages had on sites that its model had not seen.
    /// From other methods: agreement (by characters) with the densest run of rows, which is not calibrated.
    pub confidence: f32,
    /// Fingerprint of the main text without the title; 0 for an empty text.
    pub simhash: u64,
    /// Why the text is empty.
    pub reason: Option<String>,
    /// What was odd: limits hit, fallbacks taken, metadata that could not be read.
    pub warnings: Vec<String>,
    /// Intermediate numbers, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// Extracts one parsed page.
///
/// O(page); well under the cost of the parse. Never fails and never panics, whatever the page holds.
pub fn extract(doc: &Doc, options: &Options<'_>) -> Document {
    let page = Page::new(doc);
    extract_from(&page, options).0
}

/// As [`extract`], with the page's statistics at hand, and the selection for the renderers.
pub fn extract_from(page: &Page<'_>, options: &Options<'_>) -> (Document, Selection) {
    let doc = page.doc;
    let mut trace = if options.trace { Trace::recording() } else { Trace::default() };
    let title = title::title(doc, options.anchor_title, &mut trace);
    let mut metadata = Metadata::new(page, title.as_deref(), options.url);
    let description = metadata.description.as_deref().unwrap_or("");
    let types = PageTypes::of(page, options.url);
    let query = Query { title: title.as_deref(), description, layout: options.layout, types: Some(types) };
    let choice = choose(page, options, &query, &mut trace);
    let text = render_text(page, &choice.selection);
    let simhash = fingerprint(&text);
    let (kind, kind_probability) = types.kind();
    let mut warnings: Vec<String> = doc.limits_hit().map(|hit| hit.message().to_owned()).collect();
    warnings.extend(choice.warning);
    warnings.extend(layout_warning(options));
    warnings.append(&mut metadata.warnings);
    let document = Document {
        language: language(&text, metadata.language_hint.as_deref()),
        confidence: choice.confidence,
        simhash,
        method: choice.method,
        reason: text.is_empty().then(|| choice.reason.unwrap_or_else(|| why_empty(page)).to_owned()),
        text: match &title {
            Some(title) if options.attach_title => with_title(text, title),
            _ => text,
        },
        title,
        kind,
        kind_probability,
        types,
        author: metadata.author,
        published: metadata.published,
        site_name: metadata.site_name,
        description: metadata.description,
        canonical: metadata.canonical,
        image: metadata.image,
        keywords: metadata.keywords,
        feeds: metadata.feeds,
        frames: doc.frames().to_vec(),
        noindex: metadata.noindex,
        nofollow: metadata.nofollow,
        warnings,
        trace: options.trace.then_some(trace),
    };
    (document, choice.selection)
}

/// A layout without use, or a method without the layout it needs.
fn layout_warning(options: &Options<'_>) -> Option<String> {
    let name = options.method.name();
    match (options.method.extractor().uses_layout(), options.layout.is_some()) {
        (true, false) => Some(format!("`{name}` needs a layout side-car and kept nothing without one")),
        (false, true) => Some(format!("`{name}` does not use the layout side-car")),
        _ => None,
    }
}

struct Choice {
    selection: Selection,
    method: String,
    confidence: f32,
    warning: Option<String>,
    reason: Option<&'static str>,
}

/// The method's selection, or the first step of the ladder that keeps something.
fn choose(page: &Page<'_>, options: &Options<'_>, query: &Query<'_>, trace: &mut Trace) -> Choice {
    let method = options.method.name().to_owned();
    let judged = options.method.extractor().judge(page, query, trace);
    let selection = judged.selection;
    let dense = densest_run(page);
    let agreement = || if page.leaves.is_empty() { 0.0 } else { selection.agreement(&dense, page) };
    let confidence = judged.confidence.unwrap_or_else(agreement);
    if let Some(least) = options.min_confidence.filter(|least| confidence < *least) {
        let warning = (!selection.is_empty()).then(|| format!("confidence {confidence:.2} is below {least:.2}"));
        let reason = Some("the confidence is too low");
        return Choice { selection: Selection::none(page), method, confidence, warning, reason };
    }
    if judged.abstains {
        return Choice { selection, method, confidence, warning: None, reason: Some("the page has no main text") };
    }
    if !selection.is_empty() || page.leaves.is_empty() || !options.never_empty {
        return Choice { selection, method, confidence, warning: None, reason: None };
    }
    let (selection, name) = if dense.is_empty() { (Selection::all(page), "plain") } else { (dense, "dense-run") };
    trace.note("fallback", || TraceValue::Text(name.to_owned()));
    let warning = Some(format!("`{method}` kept nothing, fell back to `{name}`"));
    Choice { selection, method: name.to_owned(), confidence: 0.0, warning, reason: None }
}

fn why_empty(page: &Page<'_>) -> &'static str {
    let doc = page.doc;
    match () {
        () if !page.leaves.is_empty() => "the method kept nothing",
        () if !doc.frames().is_empty() => "frameset without text",
        () if doc.ids().any(|id| doc.name(id) == gristmill_html::Name::SCRIPT) => "only scripts, no text",
        () => "no text on the page",
    }
}

/// The heading row usually lacks punctuation, so methods drop it (TWCEM §6.6 of the reconstruction).
fn with_title(text: String, title: &str) -> String {
    let starts = text.lines().take(3).any(|line| line == title);
    if text.is_empty() || starts { text } else { format!("{title}\n{text}") }
}
