//! The seam between pages and extraction methods: what a method is given, and what it answers.

use std::sync::Arc;

use crate::layout::PageLayout;
use crate::page::Page;
use crate::page_type::PageTypes;
use crate::parameter::{Parameter, ParameterError};
use crate::selection::Selection;
use crate::trace::Trace;

/// What a method may know besides the page itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct MethodInput<'a> {
    /// The title of the page, as the papers have it: the anchor text that led here, or the heading nearest to what is declared.
    pub title: Option<&'a str>,
    /// The page's description of itself, empty when there is none.
    pub description: &'a str,
    /// Where a browser put the nodes of the page; only methods that say so use it.
    pub layout: Option<&'a PageLayout>,
    /// What type of page it is, where that is known already.
    pub types: Option<PageTypes>,
    /// Whether [`ScoredSelection::variants`] are asked for.
    pub variants: bool,
}

/// A way to tell main text from boilerplate: shared statistics in, a decision per leaf out.
///
/// Deterministic, no I/O, linear in the page up to the factors that [`MethodDescription::cost`] states.
pub trait MainTextExtractor: Send + Sync {
    /// Who it is.
    fn about(&self) -> MethodDescription;

    /// Its parameters with their values, in the order of the paper.
    fn parameters(&self) -> Vec<Parameter>;

    /// A copy with one parameter changed.
    fn with(&self, name: &str, value: &str) -> Result<Arc<dyn MainTextExtractor>, ParameterError>;

    /// Whether it works on [`MethodInput::layout`], and on nothing without it.
    fn uses_layout(&self) -> bool {
        false
    }

    /// Whether the words of the link that led to the page may be its title in [`MethodInput::title`].
    fn uses_anchor(&self) -> bool {
        true
    }

    /// The main text of the page. May keep nothing; intermediate numbers go to `trace`.
    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection;

    /// The same with what the method knows of its own answer.
    fn judge(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> ScoredSelection {
        ScoredSelection {
            selection: self.select(page, query, trace),
            confidence: None,
            abstains: false,
            variants: None,
        }
    }
}

/// A selection and how sure its method is of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredSelection {
    /// What is kept.
    pub selection: Selection,
    /// The F1 that such selections had on sites that the method had not seen; `None` from methods without an idea.
    pub confidence: Option<f32>,
    /// It keeps nothing because the page has no main text; no other method shall be asked.
    pub abstains: bool,
    /// The same page at other working points, where they were asked for and the method has some.
    pub variants: Option<Box<SelectionVariants>>,
}

/// What a method keeps of a page when one of two errors counts more than the other.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectionVariants {
    /// Less boilerplate, if need be at the cost of main text.
    pub precision: Selection,
    /// Less main text left out.
    pub recall: Selection,
}

/// Name, source and cost of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodDescription {
    /// Name on the command line.
    pub name: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// Asymptotic time.
    pub cost: &'static str,
}
