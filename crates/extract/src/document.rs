//! One page as a document: everything the other modules find, put together.

use gristmill_html::{Doc, LocalName};
use gristmill_page::{Page, PageKind, PageType, PageTypes, Selection, Trace, layout::PageLayout};
use gristmill_text::language::{LanguageShare, identify};
use gristmill_text::{FINGERPRINT_VERSION, fingerprint};
use serde::Serialize;

use crate::fallback::{FallbackText, TextSource};
use crate::headline::{TitleHints, headline};
use crate::main_text::{Choice, MainText};
use crate::metadata::sources::{SourcedValue, ValueSources};
use crate::metadata::{FeedLink, Metadata};
use crate::method::Method;
use crate::page_type::types_of;
use crate::parts::{self, ListEntry, PageParts, Post};
use crate::render::{HeadingLine, RenderedText, Structure};

/// What to extract, and what is known about the page from elsewhere.
#[derive(Debug, Clone)]
pub struct ExtractOptions<'a> {
    /// How main text is told from boilerplate. Default: [`Method::BEST`].
    pub method: Method,
    /// Our product token: robots directives in `meta` elements of this name are for us. Default: `gristmill`.
    pub agent: &'a str,
    /// The address of the page, against which its links are resolved.
    pub url: Option<&'a str>,
    /// The text of the link that led here from the site's home page: the title that methods are given, and a witness for the
    /// one that is shown.
    pub anchor_title: Option<&'a str>,
    /// Fall back when the method keeps nothing: densest run of rows, then all rows. Default: on. Off is what the
    /// papers do.
    pub never_empty: bool,
    /// When the method finds next to nothing, or far less than the page declares, take the main text from JSON-LD or
    /// from the state that the page carries for its scripts. Default: on; off is what the papers do.
    pub rescue: bool,
    /// With `rescue`: take the page's description of itself in `meta` for the text of a page that has nothing else.
    /// Default: off, since most such pages have no main text.
    pub describe: bool,
    /// Keep what readers wrote below an article in its text. Default: off, which takes comments
    /// that are marked as such out of the selection, on all pages but forums, listings and collections, and puts them into
    /// [`Extraction::comments`].
    pub comments: bool,
    /// Find posts, comments and items. Default: off, since neither the index nor evaluation asks for them.
    pub parts: bool,
    /// Put the title before the text when the method dropped it. Default: on; off for scoring.
    pub attach_title: bool,
    /// What of headings, lists, tables, code, quotes and captions stays in the text, and in the selection for the renderers.
    /// Default: all.
    pub structure: Structure,
    /// Where a browser put the nodes of the page, from a [side-car](crate::Sidecar) together with the document.
    pub layout: Option<&'a PageLayout>,
    /// Keep nothing of a page on which the method is less sure than this. Default: none.
    pub min_confidence: Option<f32>,
    /// Give [`Extraction::variants`]. Default: off.
    pub variants: bool,
    /// Record intermediate numbers in [`Extraction::trace`]. Default: off.
    pub trace: bool,
}

impl Default for ExtractOptions<'_> {
    fn default() -> Self {
        ExtractOptions {
            method: Method::default(),
            agent: "gristmill",
            url: None,
            anchor_title: None,
            never_empty: true,
            rescue: true,
            describe: false,
            comments: false,
            parts: false,
            attach_title: true,
            structure: Structure::default(),
            layout: None,
            min_confidence: None,
            variants: false,
            trace: false,
        }
    }
}

/// The result for one page. A poor page gives a poor document, never an error.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Extraction {
    /// One line: the heading or the part of the declared title that names the page and not its site.
    pub title: Option<String>,
    /// Main text, one row a line; empty only with a `reason`.
    pub text: String,
    /// Which of its lines are headings, in order.
    #[serde(skip)]
    pub headings: Vec<HeadingLine>,
    /// What the page is, by [`PageTypes::kind`].
    pub kind: PageKind,
    /// How probable that is.
    pub kind_probability: f32,
    /// The seven types behind the kind.
    pub types: PageTypes,
    /// Names, separated by commas.
    pub author: Option<String>,
    /// RFC 3339, with a zone when the page gives one; `YYYY-MM-DD` when it gives no time.
    pub published: Option<String>,
    /// Where title, author and date were found, and how sure they are.
    pub sources: ValueSources,
    /// ISO 639-1, from the main text, the page's declaration second.
    pub language: Option<String>,
    /// How probable that is, 0 to 1.
    pub language_score: Option<f32>,
    /// The script of most letters, ISO 15924.
    pub script: Option<&'static str>,
    /// The languages of the paragraphs and their shares of the letters, greatest first.
    pub languages: Vec<LanguageShare>,
    /// Name of the site.
    pub site_name: Option<String>,
    /// The page's description of itself.
    pub description: Option<String>,
    /// Canonical address, resolved when [`ExtractOptions::url`] is given.
    #[serde(rename = "canonical_url")]
    pub canonical: Option<String>,
    /// Leading image, resolved likewise.
    pub image: Option<String>,
    /// Keywords in the order of the page, each once.
    pub keywords: Vec<String>,
    /// RSS and Atom feeds that the page names.
    pub feeds: Vec<FeedLink>,
    /// Sources of the frames of a frameset.
    pub frames: Vec<String>,
    /// The page asks not to be indexed.
    pub noindex: bool,
    /// The page asks that its links not be followed.
    pub nofollow: bool,
    /// The method that chose the text, or the step of the fallback ladder (`json-ld`, `page-state`, `template`,
    /// `meta-description`, `dense-run`, `plain`).
    pub method: String,
    /// Where the text stood on the page.
    pub source: TextSource,
    /// The text as a page of its own, when it did not stand in the tree: what renderers are to be given instead.
    #[serde(skip)]
    pub rescued: Option<FallbackText>,
    /// How good the text is, 0 to 1. From `best`: the word F1 that such pages had on sites that its model had not seen.
    /// From other methods: agreement (by characters) with the densest run of rows, which is not calibrated.
    pub confidence: f32,
    /// [`fingerprint`] of the main text without the title; 0 for an empty text. 16 hexadecimal digits in JSON.
    #[serde(serialize_with = "hexadecimal")]
    pub simhash: u64,
    /// The version of its rules.
    pub simhash_version: u32,
    /// Why the text is empty.
    pub reason: Option<String>,
    /// The posts of a thread, when the page is a forum and they are marked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub posts: Vec<Post>,
    /// Comments of readers, when the page is no thread and they are marked, and what else was taken out of the text as such; empty
    /// where the text keeps them, unless [`ExtractOptions::parts`] asks for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<Post>,
    /// The entries of a listing or collection.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ListEntry>,
    /// What was odd: limits hit, fallbacks taken, metadata that could not be read.
    pub warnings: Vec<String>,
    /// The text at other working points of the method, when asked for; none where the text does not come from a method that has
    /// some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variants: Option<TextVariants>,
    /// Intermediate numbers, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
}

/// The text of a page when one of two errors counts twice as much as the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextVariants {
    /// With less boilerplate, if need be at the cost of main text.
    pub precision: String,
    /// With less main text left out.
    pub recall: String,
    /// How much both have in common, 0 to 1 ([`Selection::agreement`]).
    pub agreement: f32,
}

/// Numbers over 2^53 are rounded by many readers of JSON.
fn hexadecimal<S: serde::Serializer>(bits: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&format_args!("{bits:016x}"))
}

/// Extracts one parsed page.
///
/// O(page); well under the cost of the parse. Never fails and never panics, whatever the page holds.
pub fn extract(doc: &Doc, options: &ExtractOptions<'_>) -> Extraction {
    let page = Page::new(doc);
    extract_from(&page, options).0
}

/// As [`extract`], with the page's statistics at hand, and the selection for the renderers.
pub fn extract_from(page: &Page<'_>, options: &ExtractOptions<'_>) -> (Extraction, Selection) {
    let mut trace = if options.trace { Trace::recording() } else { Trace::default() };
    let types = types_of(page, options.url);
    let mut metadata = metadata_of(page, options, &types);
    let MainText { mut choice, comments, variants } = MainText::of(page, options, types, &metadata, &mut trace);
    let is_thread = types.best().0 == PageType::Forum;
    if is_thread && (metadata.author.is_none() || metadata.published.is_none()) {
        let opener = parts::opener(page, &choice.selection).unwrap_or_default();
        metadata.add_opener(opener.author, opener.published);
    }
    let mut parts = match options.parts {
        true => parts::parts(page, &choice.selection, &types, options.url),
        false => PageParts::default(),
    };
    if parts.comments.is_empty() {
        parts.comments = comments;
    }
    let hints = TitleHints {
        anchor: options.anchor_title,
        url: options.url,
        site_name: metadata.site_name.as_deref(),
        author: metadata.author.as_deref(),
    };
    // A page has one text, whichever link led to it.
    let own_title =
        || headline(page.doc, &TitleHints { anchor: None, ..hints }).map(|found| found.value).unwrap_or_default();
    if options.method.name() == Method::BEST.name() {
        choice = choice.with_first_heading(page, own_title);
    }
    let variants = variants.map(|variants| TextVariants::of(page, *variants, &options.structure, own_title));
    let title = headline(page.doc, &hints);
    let choice = choice.with_structure(page, &options.structure);
    let trace = options.trace.then_some(trace);
    PageFindings { types, metadata, title, choice, parts, variants, trace }.into_extraction(page, options)
}

/// What the page says of itself, without what pages of its type show of others.
fn metadata_of(page: &Page<'_>, options: &ExtractOptions<'_>, types: &PageTypes) -> Metadata {
    let shown = headline(page.doc, &TitleHints { url: options.url, ..TitleHints::default() }).map(|found| found.value);
    let mut metadata = Metadata::new(page, shown.as_deref(), options.url, options.agent);
    let kind = types.kind().0;
    if metadata.declares_product || kind == PageKind::Product {
        metadata.drop_shown_date();
    }
    if kind == PageKind::Listing {
        metadata.drop_shown_author();
    }
    metadata
}

/// All that was found of a page.
struct PageFindings {
    types: PageTypes,
    metadata: Metadata,
    title: Option<SourcedValue<String>>,
    choice: Choice,
    parts: PageParts,
    variants: Option<TextVariants>,
    trace: Option<Trace>,
}

impl PageFindings {
    fn into_extraction(self, page: &Page<'_>, options: &ExtractOptions<'_>) -> (Extraction, Selection) {
        let PageFindings { types, mut metadata, title, choice, parts, variants, trace } = self;
        let doc = page.doc;
        let (title, title_source) = SourcedValue::parts(title);
        let RenderedText { text, mut headings } = choice.rendered;
        let language = identify(&text, metadata.language_hint.as_deref());
        let (kind, kind_probability) = types.kind();
        let mut warnings: Vec<String> = doc.limits_hit().map(|hit| hit.message().to_owned()).collect();
        warnings.extend(choice.warning);
        warnings.extend(layout_warning(options));
        warnings.append(&mut metadata.warnings);
        let extraction = Extraction {
            language: language.language.map(str::to_owned),
            language_score: language.score,
            script: language.script,
            languages: language.shares,
            confidence: choice.confidence,
            simhash: fingerprint(&text),
            simhash_version: FINGERPRINT_VERSION,
            method: choice.method,
            source: choice.source,
            rescued: choice.rescued,
            reason: text.is_empty().then(|| choice.reason.unwrap_or_else(|| why_empty(page)).to_owned()),
            text: match &title {
                Some(title) if options.attach_title => with_title(text, &mut headings, title),
                _ => text,
            },
            headings,
            title,
            kind,
            kind_probability,
            types,
            author: metadata.author,
            published: metadata.published,
            sources: ValueSources { title: title_source, ..metadata.sources },
            site_name: metadata.site_name,
            description: metadata.description,
            canonical: metadata.canonical,
            image: metadata.image,
            keywords: metadata.keywords,
            feeds: metadata.feeds,
            frames: doc.frames().to_vec(),
            noindex: metadata.noindex,
            nofollow: metadata.nofollow,
            posts: parts.posts,
            comments: parts.comments,
            items: parts.items,
            variants,
            warnings,
            trace,
        };
        (extraction, choice.selection)
    }
}

/// A layout without use, or a method without the layout it needs.
fn layout_warning(options: &ExtractOptions<'_>) -> Option<String> {
    let name = options.method.name();
    match (options.method.extractor().uses_layout(), options.layout.is_some()) {
        (true, false) => Some(format!("`{name}` needs a layout side-car and kept nothing without one")),
        (false, true) => Some(format!("`{name}` does not use the layout side-car")),
        _ => None,
    }
}

fn why_empty(page: &Page<'_>) -> &'static str {
    let doc = page.doc;
    match () {
        () if !page.leaves.is_empty() => "the method kept nothing",
        () if !doc.frames().is_empty() => "frameset without text",
        () if doc.ids().any(|id| doc.name(id) == LocalName::SCRIPT) => "only scripts, no text",
        () => "no text on the page",
    }
}

/// The heading row usually lacks punctuation, so methods drop it (TWCEM §6.6 of the reconstruction).
fn with_title(text: String, headings: &mut [HeadingLine], title: &str) -> String {
    if text.is_empty() || begins_with_title(&text, title) {
        return text;
    }
    headings.iter_mut().for_each(|heading| heading.line += 1);
    format!("{title}\n{text}")
}

/// Whether one of the first three lines of a text is the title, or begins the lines that are, so that it need not be put before it. A
/// heading may have breaks where the title has spaces or nothing.
#[must_use]
pub fn begins_with_title(text: &str, title: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let title = letters(title);
    let is_title = |from: usize| {
        let mut rest = title.as_str();
        for line in text.lines().skip(from) {
            match rest.strip_prefix(&letters(line)) {
                Some("") => return true,
                Some(left) => rest = left,
                None => return false,
            }
        }
        false
    };
    !title.is_empty() && (0..3).any(is_title)
}
