//! Main text that is not in the tree: JSON-LD bodies and the state that a page carries for its scripts.
//!
//! Only asked when the method found next to nothing, or when the page declares a body several times as long as what
//! the method found. Nothing is run: strings are read from JSON or JavaScript source, cleaned by our own parser where
//! they hold markup, and become a small page of their own, so that every renderer works on them as on any other.

mod html;
mod state;

use gristmill_html::Doc;
use gristmill_page::{Page, Selection};
use gristmill_text::{BigramSegmenter, CharacterSegmenter, for_each_word};
use serde::Serialize;

use crate::metadata::DeclaredTexts;

/// Where the main text of a document stood on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextSource {
    /// In the tree, as usual.
    #[default]
    Page,
    /// In the tree, most of it below `noscript`.
    Noscript,
    /// In `articleBody`, `text` or `description` of JSON-LD.
    JsonLd,
    /// In strings that the page carries for its scripts.
    PageState,
    /// In the tree, below `template`, where scripts take it from.
    Template,
    /// In the description of itself that the page gives in `meta`.
    MetaDescription,
}

impl TextSource {
    /// The name that the product uses: `page`, `noscript`, `json-ld`, `page-state`, `template`, `meta-description`.
    pub fn name(self) -> &'static str {
        match self {
            TextSource::Page => "page",
            TextSource::Noscript => "noscript",
            TextSource::JsonLd => "json-ld",
            TextSource::PageState => "page-state",
            TextSource::Template => "template",
            TextSource::MetaDescription => "meta-description",
        }
    }
}

/// Text found outside of the tree, as a page of its own: all of it is main text.
#[derive(Debug, Clone)]
pub struct FallbackText {
    /// Where it stood.
    pub source: TextSource,
    /// Word F1 that such texts have: see docs/extraction.md, "Fallback text".
    pub confidence: f32,
    /// The strings as a document.
    pub doc: Doc,
}

/// A declared body replaces what was found in the tree when it has this many times its words.
const MUCH_LONGER: usize = 3;
/// Fewer words than that are next to nothing.
const NEXT_TO_NOTHING: usize = 30;
/// A page with fewer words than that has its text elsewhere, if it has any: only then its state is read.
const SHELL: usize = 150;
/// Less than that is no main text worth a rescue.
const LEAST_BODY: usize = 20;
const LEAST_DESCRIPTION: usize = 25;
const LEAST_STATE: usize = 60;
/// Word F1 of such texts on pages of the test packages from which everything but their scripts was taken away.
const BODY: f32 = 0.7;
const STATE: f32 = 0.45;
const DESCRIPTION: f32 = 0.2;
/// All text of templates, of which some is of the page's frame: as what `plain` has, rounded down.
const TEMPLATE: f32 = 0.5;

/// Looks for main text outside of the tree. `text` is what the method found in it, `description` what the page says of
/// itself in `meta`.
///
/// O(bytes of the page) for a few pages; for all others a count of words, of many the first. State is read without a JSON parser, so
/// that JavaScript objects and cut-off scripts are read too.
pub(crate) fn rescue(page: &Page<'_>, text: &str, bodies: &DeclaredTexts, description: &str) -> Option<FallbackText> {
    if bodies.body.is_none() && has_words(text, NEXT_TO_NOTHING) {
        return None;
    }
    let found = words(text);
    let may_do = |body: &&String| most_words(body) >= LEAST_BODY.max(MUCH_LONGER * found + 1);
    if let Some(body) = bodies.body.as_ref().filter(may_do) {
        let rescued = FallbackText::new(TextSource::JsonLd, BODY, [body.as_str()]);
        let n = rescued.words();
        // A body that stands in the tree, and of which the method kept a part, is left to the method.
        let elsewhere = || found < NEXT_TO_NOTHING || n > words(&page.text);
        if n >= LEAST_BODY && n > MUCH_LONGER * found && elsewhere() {
            return Some(rescued);
        }
    }
    if found < NEXT_TO_NOTHING && !has_words(&page.text, SHELL) {
        let strings = state::longest_group(page.doc);
        let state = FallbackText::new(TextSource::PageState, STATE, strings.iter().map(String::as_str));
        if better(&state, found, LEAST_STATE) {
            return Some(state);
        }
        let templates =
            FallbackText { source: TextSource::Template, confidence: TEMPLATE, doc: html::templates(page.doc) };
        if better(&templates, found, LEAST_STATE) {
            return Some(templates);
        }
    }
    if found > 0 {
        return None;
    }
    let described = |source, text: &str| {
        let rescued = FallbackText::new(source, DESCRIPTION, [text]);
        better(&rescued, found, LEAST_DESCRIPTION).then_some(rescued)
    };
    let declared = bodies.description.as_deref().and_then(|text| described(TextSource::JsonLd, text));
    // Pages with text of their own may abstain; a shell has nothing else.
    let shell = || !has_words(&page.text, NEXT_TO_NOTHING);
    declared.or_else(|| described(TextSource::MetaDescription, description).filter(|_| shell()))
}

fn better(rescued: &FallbackText, found: usize, least: usize) -> bool {
    let n = rescued.words();
    n >= least && n > MUCH_LONGER * found
}

impl FallbackText {
    fn new<'s>(source: TextSource, confidence: f32, strings: impl IntoIterator<Item = &'s str>) -> FallbackText {
        FallbackText { source, confidence, doc: html::document(strings) }
    }

    fn words(&self) -> usize {
        words(&Page::new(&self.doc).text)
    }
}

/// Where kept text of the tree stands.
pub(crate) fn source(page: &Page<'_>, selection: &Selection) -> TextSource {
    use gristmill_html::LocalName;
    let noscript: Vec<(usize, usize)> = page
        .doc
        .ids()
        .filter(|&id| page.doc.name(id) == LocalName::NOSCRIPT)
        .map(|id| (id.index(), page.doc.end(id)))
        .collect();
    if noscript.is_empty() {
        return TextSource::Page;
    }
    let (mut all, mut below) = (0u64, 0u64);
    let mut at = 0;
    for (_, leaf) in page.leaves.iter().enumerate().filter(|(n, _)| selection.keeps(*n)) {
        let index = leaf.node.index();
        while noscript.get(at).is_some_and(|&(_, end)| end <= index) {
            at += 1;
        }
        all += u64::from(leaf.chars);
        below += if noscript.get(at).is_some_and(|&(start, _)| start < index) { u64::from(leaf.chars) } else { 0 };
    }
    if below * 2 > all { TextSource::Noscript } else { TextSource::Page }
}

/// Whether a text has so many words. Of most texts the beginning tells: what is cut off it takes no word away.
fn has_words(text: &str, least: usize) -> bool {
    const BEGINNING: usize = 2_000;
    words(&text[..text.floor_char_boundary(BEGINNING)]) >= least || text.len() > BEGINNING && words(text) >= least
}

/// No fewer words than there are once a string was cleaned of markup and its character references were resolved.
///
/// Text without tags has no more words than its source has, but for unspaced script, where what stood between two
/// characters may have kept them from being a word, and for references that letters follow.
fn most_words(source: &str) -> usize {
    let mut n = 2 * source.bytes().filter(|&byte| byte == b'&').count();
    for_each_word(source, &CharacterSegmenter, |_| n += 1);
    n
}

fn words(text: &str) -> usize {
    let mut n = 0;
    for_each_word(text, &BigramSegmenter, |_| n += 1);
    n
}

#[cfg(test)]
mod tests;
