//! What the model looks at: a few numbers of one page.

use gristmill_html::Doc;

use super::page_signals::{PageSignals, look};

/// What extraction got of a page without a browser.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExtractionSignals {
    /// Characters of main text.
    pub chars: usize,
    /// The word F1 that the text is expected to have.
    pub confidence: f32,
    /// How probable it is that the page shows a product.
    pub product: f32,
    /// Attributes and fields of product records.
    pub pairs: usize,
    /// Whether the text stood in JSON-LD, or in the state that the page carries for its scripts, and not in the tree.
    pub declared: bool,
}

/// Number of features.
pub const N_FEATURES: usize = 26;

/// Their names, for reports.
pub const NAMES: [&str; N_FEATURES] = [
    "main text",
    "visible text",
    "main text of visible text",
    "inline script",
    "linked scripts",
    "module script",
    "empty root",
    "framework",
    "noscript asks for scripts",
    "confidence",
    "product",
    "pairs",
    "text is declared",
    "links",
    "text of links",
    "empty boxes",
    "empty boxes with a name",
    "script share",
    "state for scripts",
    "placeholders",
    "templates",
    "headings",
    "paragraphs",
    "elements",
    "scripts that fetch",
    "declared data",
];

/// The numbers of one page; sizes as natural logarithms, shares from 0 to 1, the rest as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderFeatures {
    /// In the order of [`NAMES`].
    pub values: [f32; N_FEATURES],
    /// Whether any script could change the page.
    pub has_scripts: bool,
}

impl RenderFeatures {
    /// Looks at a page. O(nodes), up to a limit.
    pub fn of(doc: &Doc, got: &ExtractionSignals) -> Self {
        Self::from(&look(doc), got)
    }

    pub(crate) fn from(seen: &PageSignals, got: &ExtractionSignals) -> Self {
        let size = |n: usize| (1.0 + n as f32).ln();
        let flag = |is: bool| f32::from(u8::from(is));
        let share = |part: usize, whole: usize| part as f32 / (whole + 1) as f32;
        let values = [
            size(got.chars),
            size(seen.visible),
            share(got.chars, seen.visible),
            size(seen.inline),
            size(seen.linked),
            flag(seen.module),
            flag(seen.empty_root),
            flag(seen.framework),
            flag(seen.noscript),
            got.confidence,
            got.product,
            size(got.pairs),
            flag(got.declared),
            size(seen.links),
            share(seen.link_text, seen.visible),
            size(seen.empty),
            size(seen.empty_named),
            share(seen.inline, seen.inline + seen.visible + 200),
            size(seen.state),
            size(seen.placeholders),
            size(seen.templates),
            size(seen.headings),
            size(seen.paragraphs),
            size(seen.elements),
            flag(seen.fetches),
            size(seen.declared),
        ];
        Self { values, has_scripts: seen.inline + seen.linked > 0 }
    }
}
