//! Formulas within the runs of a row.

use gristmill_html::{Doc, FormulaStyle};
use gristmill_page::formulas::{formulas_of, has_typesetter};

use super::block::{Block, BlockRole};
use super::spans::StyledRun;

/// Makes runs of their own of the formulas that are written out in the text. O(nodes + text).
pub(super) fn split(doc: &Doc, blocks: &mut Vec<Block<'_>>) {
    let has_signs =
        |span: &StyledRun<'_>| span.text.contains(['$', '\\']) || span.text.contains("[/") || span.text.contains("##");
    let mut typesets = None;
    for block in blocks.iter_mut().filter(|block| !matches!(block.role, BlockRole::Code { .. })) {
        block.spans.retain(|span| span.formula.is_none() || !draws_nothing(&span.text));
        if !block.spans.iter().any(has_signs) {
            continue;
        }
        let typesets = *typesets.get_or_insert_with(|| has_typesetter(doc));
        block.spans = std::mem::take(&mut block.spans).into_iter().flat_map(|span| pieces(span, typesets)).collect();
    }
    // Definitions are no text.
    let is_shown = |span: &StyledRun<'_>| span.image.is_some() || !span.text.trim().is_empty();
    blocks.retain(|block| block.role == BlockRole::Rule || block.spans.iter().any(is_shown));
}

fn pieces(span: StyledRun<'_>, has_typesetter: bool) -> Vec<StyledRun<'_>> {
    let found = match span.code || span.formula.is_some() {
        true => Vec::new(),
        false => formulas_of(&span.text, has_typesetter),
    };
    if found.is_empty() {
        return vec![span];
    }
    let mut pieces = Vec::with_capacity(2 * found.len() + 1);
    let mut at = 0;
    let text = |from: usize, to: usize| StyledRun { text: span.text[from..to].to_owned(), ..span.clone() };
    for formula in found {
        pieces.push(text(at, formula.range.start));
        if !draws_nothing(&formula.tex) {
            pieces.push(StyledRun { text: formula.tex, formula: Some(formula.style), ..span.clone() });
        }
        at = formula.range.end;
    }
    pieces.push(text(at, span.text.len()));
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// Sites of questions put the definitions of each post into a group, of which each end is a formula.
fn draws_nothing(tex: &str) -> bool {
    matches!(tex.trim(), "\\begingroup" | "\\endgroup")
}

/// What stands before and behind TeX in Markdown and, as MathJax and KaTeX find them, in HTML.
pub(super) fn delimiters(style: FormulaStyle) -> (&'static str, [&'static str; 2]) {
    match style {
        FormulaStyle::Inline => ("$", ["\\(", "\\)"]),
        FormulaStyle::Display => ("$$", ["\\[", "\\]"]),
    }
}
