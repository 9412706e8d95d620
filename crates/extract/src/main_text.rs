//! Which part of a page is its main text, and what stands in for it where the method keeps nothing.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{
    MethodInput, Page, PageTypes, Row, ScoredSelection, Selection, SelectionVariants, Trace, TraceValue,
    dense::densest_run,
};

use crate::document::{ExtractOptions, TextVariants};
use crate::fallback::{self, FallbackText, TextSource};
use crate::metadata::{DeclaredTexts, Metadata};
use crate::method::Method;
use crate::parts::{self, Post};
use crate::render::{RenderedText, Structure, render_text};
use crate::title;

/// The main text of a page.
pub(crate) struct MainText {
    pub(crate) choice: Choice,
    /// Taken out of the choice.
    pub(crate) comments: Vec<Post>,
    /// Of a choice that is the method's own.
    pub(crate) variants: Option<Box<SelectionVariants>>,
}

/// What was chosen of a page, and by what.
pub(crate) struct Choice {
    pub(crate) selection: Selection,
    pub(crate) rendered: RenderedText,
    pub(crate) source: TextSource,
    pub(crate) rescued: Option<FallbackText>,
    pub(crate) method: String,
    pub(crate) confidence: f32,
    pub(crate) warning: Option<String>,
    /// Why it is empty.
    pub(crate) reason: Option<&'static str>,
}

impl Choice {
    fn new(page: &Page<'_>, selection: Selection, method: &str, confidence: f32) -> Choice {
        let rendered = RenderedText::new(page, &selection);
        let source = fallback::source(page, &selection);
        let method = method.to_owned();
        Choice { selection, rendered, source, rescued: None, method, confidence, warning: None, reason: None }
    }

    /// With the first heading of the article, where it is not the title.
    pub(crate) fn with_first_heading(mut self, page: &Page<'_>, title: impl FnOnce() -> String) -> Choice {
        if let Some(heading) = first_heading(page, &self.selection, title) {
            self.selection.keep_row(&page.rows[heading]);
            self.rendered = RenderedText::new(page, &self.selection);
        }
        self
    }

    /// Without what the result is not to keep.
    pub(crate) fn with_structure(self, page: &Page<'_>, structure: &Structure) -> Choice {
        if structure.keeps_all_words() {
            return self;
        }
        let had_text = !self.rendered.text.is_empty();
        let selection = structure.select(page, self.selection);
        let rendered = match &self.rescued {
            None => RenderedText::new(page, &selection),
            Some(rescued) => {
                let own = Page::new(&rescued.doc);
                RenderedText::new(&own, &structure.select(&own, Selection::all(&own)))
            }
        };
        let reason = if had_text { Some("all text is of what the result does not keep") } else { self.reason };
        Choice { selection, rendered, reason, ..self }
    }

    /// What stands elsewhere on the page, in place of what the method kept.
    fn rescued(page: &Page<'_>, rescued: FallbackText, method: &str, kept_some: bool) -> Choice {
        let name = rescued.source.name();
        let own = Page::new(&rescued.doc);
        let found = if kept_some { "little" } else { "nothing" };
        Choice {
            selection: Selection::none(page),
            rendered: RenderedText::new(&own, &Selection::all(&own)),
            source: rescued.source,
            method: name.to_owned(),
            confidence: rescued.confidence,
            warning: Some(format!("`{method}` kept {found}, the text is from `{name}`")),
            reason: None,
            rescued: Some(rescued),
        }
    }
}

/// The row of the heading of the first rank right above what is kept, in the same `article`, `main` or element of text alone, when
/// nothing of it is kept and the title of the page does not hold its words.
fn first_heading(page: &Page<'_>, selection: &Selection, title: impl FnOnce() -> String) -> Option<usize> {
    const MAX_ABOVE: usize = 8;
    let doc = page.doc;
    let keeps = |row: &Row| (row.first_leaf..row.end_leaf).any(|leaf| selection.keeps(leaf as usize));
    let first = page.rows.iter().position(keeps)?;
    let is_first_rank = |row: &&usize| {
        let heading = std::iter::once(page.rows[**row].block).chain(doc.ancestors(page.rows[**row].block)).take(4);
        page.rows[**row].in_heading && heading.into_iter().any(|id| doc.name(id) == LocalName::H1)
    };
    let above: Vec<usize> = (first.saturating_sub(MAX_ABOVE)..first).rev().collect();
    let heading = *above.iter().find(is_first_rank)?;
    let holds_text = |id: &NodeId| matches!(doc.name(*id), LocalName::ARTICLE | LocalName::MAIN);
    let holds_heading = |id: &NodeId| doc.contains(*id, page.rows[heading].block);
    let around = || doc.ancestors(page.rows[first].block);
    // An article that is a `div` has no parts of the site in it.
    let is_of_site = |id: NodeId| matches!(doc.name(id), LocalName::BODY | LocalName::NAV | LocalName::FOOTER);
    let is_own = match around().find(holds_text) {
        Some(container) => holds_heading(&container),
        None => {
            let both = around().find(holds_heading)?;
            !page.rows[heading].is_link() && !doc.subtree(both).any(is_of_site)
        }
    };
    if !is_own {
        return None;
    }
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
    };
    let title = title();
    // What the declared title says behind that is the site or a part of it.
    let declared = doc.title().filter(|declared| declared.starts_with(&title));
    let of_title = words(declared.as_deref().unwrap_or(&title));
    let is_title = words(page.row_text(&page.rows[heading])).iter().all(|word| of_title.contains(word));
    (!is_title).then_some(heading)
}

impl MainText {
    /// The method's selection, or the first step of the ladder that keeps something.
    pub(crate) fn of(
        page: &Page<'_>,
        options: &ExtractOptions<'_>,
        types: PageTypes,
        metadata: &Metadata,
        trace: &mut Trace,
    ) -> MainText {
        let anchor = options.anchor_title.filter(|_| options.method.extractor().uses_anchor());
        let title = title::title(page.doc, anchor, trace);
        let input = MethodInput {
            title: title.as_deref(),
            description: metadata.description.as_deref().unwrap_or(""),
            layout: options.layout,
            types: Some(types),
            variants: options.variants,
        };
        let mut judged = options.method.extractor().judge(page, &input, trace);
        let own = |selection| without_others(page, options, &input, selection);
        let comments;
        (judged.selection, comments) = own(judged.selection);
        let variants = judged.variants.take().map(|variants| {
            let SelectionVariants { precision, recall } = *variants;
            Box::new(SelectionVariants { precision: own(precision).0, recall: own(recall).0 })
        });
        let choice = climb(page, options, &input, &metadata.bodies, judged, trace);
        let is_own = choice.method == options.method.name() && !choice.selection.is_empty();
        MainText { choice, comments, variants: variants.filter(|_| is_own) }
    }
}

/// A selection without what is of other pages, with the posts of a thread, and with comments or without them, which then stand beside it.
fn without_others(
    page: &Page<'_>,
    options: &ExtractOptions<'_>,
    input: &MethodInput<'_>,
    selection: Selection,
) -> (Selection, Vec<Post>) {
    let types = input.types.unwrap_or_default();
    let selection = parts::without_others(page, selection, &types, input.title, options.url);
    let is_best = options.method.name() == Method::BEST.name();
    let selection = if is_best { parts::with_posts(page, selection, &types) } else { selection };
    match options.comments {
        true => (parts::with_comments(page, selection, &types), Vec::new()),
        false => parts::without_comments(page, selection, &types, options.url),
    }
}

/// What the method kept, or what stands in for it.
fn climb(
    page: &Page<'_>,
    options: &ExtractOptions<'_>,
    input: &MethodInput<'_>,
    bodies: &DeclaredTexts,
    judged: ScoredSelection,
    trace: &mut Trace,
) -> Choice {
    let method = options.method.name();
    let selection = judged.selection;
    let agreement = || if page.leaves.is_empty() { 0.0 } else { selection.agreement(&densest_run(page), page) };
    let confidence = judged.confidence.unwrap_or_else(agreement);
    let kept_some = !selection.is_empty();
    let mut choice = Choice::new(page, selection, method, confidence);
    let description = if options.describe { input.description } else { "" };
    let rescued = options.rescue.then(|| fallback::rescue(page, &choice.rendered.text, bodies, description)).flatten();
    if let Some(rescued) = rescued {
        trace.note("fallback", || TraceValue::Text(rescued.source.name().to_owned()));
        choice = Choice::rescued(page, rescued, method, kept_some);
    }
    if let Some(least) = options.min_confidence.filter(|least| choice.confidence < *least) {
        let confidence = choice.confidence;
        let warning = kept_some.then(|| format!("confidence {confidence:.2} is below {least:.2}"));
        let none = Choice::new(page, Selection::none(page), method, confidence);
        return Choice { warning, reason: Some("the confidence is too low"), ..none };
    }
    if choice.rescued.is_some() {
        return choice;
    }
    if judged.abstains {
        return Choice { reason: Some("the page has no main text"), ..choice };
    }
    if kept_some || page.leaves.is_empty() || !options.never_empty {
        return choice;
    }
    let dense = densest_run(page);
    let (selection, name) = if dense.is_empty() { (Selection::all(page), "plain") } else { (dense, "dense-run") };
    trace.note("fallback", || TraceValue::Text(name.to_owned()));
    let warning = Some(format!("`{method}` kept nothing, fell back to `{name}`"));
    Choice { warning, ..Choice::new(page, selection, name, 0.0) }
}

impl TextVariants {
    pub(crate) fn of(
        page: &Page<'_>,
        variants: SelectionVariants,
        structure: &Structure,
        title: impl Fn() -> String + Copy,
    ) -> TextVariants {
        let [precision, recall] = [variants.precision, variants.recall].map(|mut selection| {
            if let Some(heading) = first_heading(page, &selection, title) {
                selection.keep_row(&page.rows[heading]);
            }
            if structure.keeps_all_words() { selection } else { structure.select(page, selection) }
        });
        TextVariants {
            agreement: precision.agreement(&recall, page),
            precision: render_text(page, &precision),
            recall: render_text(page, &recall),
        }
    }
}
