//! What is known of one page, and its forms.

use crate::rights::Rights;
use gristmill_extract::{
    Extraction, Page, PageKind, PageTypes, Selection, Structure, begins_with_title, render_html_with,
    render_markdown_with, render_marked,
};
use gristmill_records::{is_specification, records};

use crate::kind::{self, KindDecision};
use crate::reader::ParsedPage;

/// What was read from a page.
#[derive(Debug, Clone)]
pub struct Reading<'p> {
    /// The page it was read from.
    pub parsed: &'p ParsedPage<'p>,
    /// Its rows and statistics.
    pub page: Page<'p>,
    /// Main text and metadata.
    pub document: Extraction,
    /// What of the page is its main text.
    pub selection: Selection,
    /// What of headings, lists, tables and so on the renderings keep.
    pub structure: Structure,
}

impl Reading<'_> {
    /// Decides what the page is and finds its product records, which takes about as long as the extraction where a product is
    /// possible. A kind by rule ends the matter, and so does a price or a pair by rule, which only products have.
    pub fn decide(&self) -> KindDecision {
        self.parsed.decide(&self.page, &self.document.types)
    }

    /// What the page, and the answer that brought it, say of the use of its text.
    pub fn rights(&self) -> Rights {
        let ParsedPage { reader, url, answer, .. } = self.parsed;
        Rights::of(&self.page, url.as_deref(), reader.agent.as_str(), answer)
    }

    /// The main text as Markdown, under its title, unless a heading of the first rank is among its first three lines.
    pub fn markdown(&self) -> String {
        let is_headed = self.document.headings.iter().any(|heading| heading.level == 1 && heading.line < 3);
        let title = self.document.title.as_ref().filter(|_| self.structure.headings && !is_headed);
        let title = title.filter(|title| !begins_with_title(&self.document.text, title));
        let head = title.map(|title| format!("# {title}\n\n")).unwrap_or_default();
        let url = self.parsed.url.as_deref();
        head + &self.on_its_page(|page, selection| render_markdown_with(page, selection, &self.structure, url))
    }

    /// The main text as HTML without anything else.
    pub fn html(&self) -> String {
        let url = self.parsed.url.as_deref();
        self.on_its_page(|page, selection| render_html_with(page, selection, &self.structure, url))
    }

    /// The whole page with its main text marked.
    pub fn marked_html(&self) -> String {
        self.on_its_page(|page, selection| render_marked(page, selection, &self.document.method))
    }

    /// Writes where each part of the result came from, a line for each fact; with `best`, a line for each row of the page too.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn explain(&self, out: &mut impl std::io::Write) -> std::io::Result<()> {
        crate::explain::write(out, self)
    }

    /// Calls `work` with the page on which the text stands: a page of its own where it was found outside of the tree.
    pub fn on_its_page<R>(&self, work: impl FnOnce(&Page<'_>, &Selection) -> R) -> R {
        match &self.document.rescued {
            None => work(&self.page, &self.selection),
            Some(rescued) => {
                let page = Page::new(&rescued.doc);
                let selection = self.structure.select(&page, Selection::all(&page));
                work(&page, &selection)
            }
        }
    }
}

impl ParsedPage<'_> {
    /// As [`Reading::decide`], given the page and its types.
    pub fn decide(&self, page: &Page<'_>, types: &PageTypes) -> KindDecision {
        let (options, url) = (&self.reader.records, self.url.as_deref());
        let by_rule = (!self.overrides.shows_no_product()).then_some(PageKind::Product);
        let find = || {
            let mut found = records(page, url, options);
            found.override_with(self.overrides.clone(), &self.doc, url, &options.dictionary);
            found
        };
        let wanted = self.kind.or(by_rule);
        let decision = kind::decide(types, wanted, find);
        if wanted.is_none() && decision.kind == PageKind::Other && is_specification(page) {
            return KindDecision {
                kind: PageKind::Product,
                probability: 1.0 - decision.probability,
                records: Some(find()),
            };
        }
        decision
    }
}
