//! Formulas, in whatever way a page draws them, as one text node of TeX each.
//!
//! ```text
//! <span class="katex">…<annotation>a^2</annotation>…<span class="katex-html">a2</span></span>     a^2
//! <span class="MathJax">…</span><script type="math/tex">a^2</script>                               a^2
//! <math><msup><mi>a</mi><mn>2</mn></msup></math>    <img alt="a^2" src="/latex.php?…">             a^2
//! ```
//! TeX of the page goes before MathML, which is turned into TeX, and both before what is drawn, which is read like MathML.

mod candidates;
mod drawn;
mod image;
mod mathml;
mod prose;
mod source;
mod tex;

use gristmill_html::{Doc, FormulaStyle, LocalName, NodeId};

use crate::blocks::is_heading;
use crate::{
    abbreviations, classifiers, components, converted, icons, listings, quotes, roles, shadow_roots, table_feet, tabs,
};

pub use prose::{Formula, formulas_of, has_typesetter};

/// Puts TeX in the place of each element that draws a formula, empties what draws it a second time, writes the marks around `q` and the
/// meanings behind abbreviations, the colon before the class of a term, names of icons into cells that have nothing else, makes tables
/// of elements that say they are some, boxes of shadow roots, code of tables of numbered lines, puts feet of tables below their rows, labels
/// of tabs into their panels, empties advertisements of AMP, and makes lists and bold words of what programs write that convert documents.
///
/// Formulas in code stay as they are, so do those that are written out in the text ([`formulas_of`] finds them). O(nodes + text).
pub fn spell_out(doc: &mut Doc) {
    shadow_roots::write(doc);
    table_feet::write(doc);
    components::write(doc);
    tabs::write(doc);
    converted::write(doc);
    quotes::write(doc);
    abbreviations::write(doc);
    classifiers::write(doc);
    roles::write(doc);
    listings::write(doc);
    icons::write(doc);
    prose::join_lines(doc);
    let mut end = 0;
    for id in candidates::candidates(doc) {
        if id.index() < end {
            continue;
        }
        let own_end = doc.end(id);
        match what(doc, id) {
            Element::Other => continue,
            Element::Code => {}
            Element::Copy => doc.clear(id),
            Element::Formula(tex, _) if tex.is_empty() => doc.clear(id),
            Element::Formula(tex, style) => {
                let place = within(doc, id);
                doc.set_formula(place, &tex, style);
            }
        }
        end = own_end;
    }
}

/// The node that becomes the formula which an element is: the first one below what must stay itself, of which the others are emptied.
fn within(doc: &mut Doc, id: NodeId) -> NodeId {
    const STAYS: [LocalName; 6] =
        [LocalName::TD, LocalName::TH, LocalName::LI, LocalName::DT, LocalName::DD, LocalName::CAPTION];
    let Some(first) = doc.first_child(id).filter(|_| STAYS.contains(&doc.name(id)) || is_heading(doc.name(id))) else {
        return id;
    };
    let others: Vec<NodeId> = doc.children(id).skip(1).collect();
    others.into_iter().for_each(|other| doc.clear(other));
    first
}

/// What an element is to formulas.
enum Element {
    Other,
    Code,
    /// Draws what stands beside it as TeX.
    Copy,
    /// Empty TeX: definitions only.
    Formula(String, FormulaStyle),
}

fn what(doc: &Doc, id: NodeId) -> Element {
    if source::is_drawn_copy(doc, id) {
        return Element::Copy;
    }
    match source::source(doc, id) {
        Some(source) => Element::Formula(tex::tidy(&source), style(doc, id, &source)),
        None if matches!(doc.name(id), LocalName::PRE | LocalName::CODE | LocalName::TEXTAREA | LocalName::SVG) => {
            Element::Code
        }
        None => Element::Other,
    }
}

/// Whether it stands on a line of its own, as its element, the one around it or its delimiters say.
fn style(doc: &Doc, id: NodeId, source: &str) -> FormulaStyle {
    let is_display = |id: NodeId| {
        let name = doc.name(id);
        let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
        let said = doc.attributes(id).any(|attribute| match doc.name_str(attribute.name) {
            "display" => matches!(attribute.value, "block" | "true"),
            "mode" | "data-math-style" => attribute.value == "display",
            "block" | "data-display" => true,
            "data-type" => words_say_display(attribute.value),
            _ => false,
        });
        said || matches!(name, LocalName::PRE | LocalName::TR)
            || matches!(name, LocalName::DIV | LocalName::FIGURE) && source::is_math(class)
            || words_say_display(class)
    };
    if drawn::attribute(doc, id, "inline").is_some() {
        return FormulaStyle::Inline;
    }
    let script = doc.name(id) == LocalName::SCRIPT
        && doc.attr(id, LocalName::TYPE).is_some_and(|kind| kind.contains("mode=display"));
    let is_alone = |parent: NodeId| doc.first_child(parent) == Some(id) && doc.end(parent) == doc.end(id);
    let around = doc.parent(id).filter(|&parent| {
        let class = doc.attr(parent, LocalName::CLASS).unwrap_or("");
        source::is_root(doc, parent) || is_alone(parent) && source::is_math(class)
    });
    let inner = || source::first_math(doc, id).is_some_and(is_display);
    match script || is_display(id) || around.is_some_and(is_display) || inner() || tex::is_display(source) {
        true => FormulaStyle::Display,
        false => FormulaStyle::Inline,
    }
}

fn words_say_display(value: &str) -> bool {
    source::words(value).any(|word| matches!(word, "display" | "displaymath" | "block" | "numberedequation"))
}

#[cfg(test)]
mod tests;
