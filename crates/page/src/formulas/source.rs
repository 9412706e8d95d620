//! Which elements draw a formula, and where its source stands.

use gristmill_html::{Doc, LocalName, NodeId, TreeLimits, unescape};

use super::drawn::{attribute, local_name};
use super::{drawn, image, mathml, tex};
use crate::attribute_words;

/// Words of the classes and names of elements that hold a formula.
const MATH: [&str; 18] = [
    "math",
    "kdmath",
    "tex",
    "latex",
    "katex",
    "mathjax",
    "mjx",
    "arithmatex",
    "formula",
    "equation",
    "mwe",
    "ztext",
    "asciimath",
    "mathml",
    "mjpage",
    "inlineformula",
    "displayformula",
    "numberedequation",
];
/// Elements of which all is the drawing of one formula.
const ROOTS: [&str; 10] = [
    "katex",
    "katex-display",
    "katex-error",
    "mwe-math-element",
    "ql-formula",
    "ztext-math",
    "MathJax",
    "mjpage",
    "mjx-chtml",
    "MathJax_SVG",
];
/// What version 2 of MathJax puts before the script that holds the source.
const DRAWN: [&str; 9] = [
    "MathJax_Preview",
    "MathJax",
    "MathJax_Display",
    "MathJax_SVG",
    "MathJax_SVG_Display",
    "MathJax_CHTML",
    "mjx-chtml",
    "MJXc-display",
    "MathJax_MathML",
];
/// Elements that are for nothing else.
const ELEMENTS: [&str; 15] = [
    "formula",
    "math",
    "mjx-container",
    "math-renderer",
    "math-field",
    "tex-math",
    "d-math",
    "la-tex",
    "katex-element",
    "amp-mathml",
    "tex",
    "katex",
    "math-inline",
    "math-block",
    "math-tex",
];
/// Attributes with the source of what the element draws; those that others use, too, need a sign that they are TeX.
pub(super) const ATTRIBUTES: [(&str, bool); 12] = [
    ("data-tex", true),
    ("data-latex", true),
    ("data-katex", true),
    ("data-tex-content", true),
    ("data-formula", false),
    ("data-equation", false),
    ("data-math", false),
    ("data-expr", false),
    ("data-value", false),
    ("data-original-tex", true),
    ("data-math-source", true),
    ("tex", false),
];
/// A formula has no more elements around its source than these.
const MAX_NODES: usize = 200_000;

/// Words of a class, cut at signs: `math-display` is two.
pub(super) fn words(class: &str) -> impl Iterator<Item = &str> {
    class.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a class or the name of an element says that it is about formulas.
pub(super) fn is_math(value: &str) -> bool {
    attribute_words::has(value, &MATH)
}

/// Whether all of an element draws one formula.
pub(super) fn is_root(doc: &Doc, id: NodeId) -> bool {
    doc.attr(id, LocalName::CLASS).is_some_and(is_root_class) || ELEMENTS.contains(&local_name(doc, id))
}

/// The same, by its class alone.
pub(super) fn is_root_class(class: &str) -> bool {
    class.split_ascii_whitespace().any(|word| ROOTS.contains(&word) || word.starts_with("MathJax_"))
}

/// The first MathML of an element.
pub(super) fn first_math(doc: &Doc, id: NodeId) -> Option<NodeId> {
    doc.subtree(id).take(MAX_NODES).find(|&id| is_mathml(doc, id))
}

fn is_mathml(doc: &Doc, id: NodeId) -> bool {
    doc.name(id) == LocalName::MATH || doc.is_element(id) && doc.name_str(doc.name(id)).ends_with(":math")
}

/// Whether an element draws what a script behind it holds as TeX.
pub(super) fn is_drawn_copy(doc: &Doc, id: NodeId) -> bool {
    is_drawn(doc, id) && {
        let mut behind = std::iter::successors(doc.next_sibling(id), |&id| doc.next_sibling(id)).take(6);
        behind
            .find(|&id| !(is_drawn(doc, id) || doc.is_text(id) && doc.text(id).trim().is_empty()))
            .is_some_and(|id| is_script(doc, id))
    }
}

fn is_drawn(doc: &Doc, id: NodeId) -> bool {
    doc.attr(id, LocalName::CLASS).is_some_and(draws)
}

/// Whether a class is one of drawings that have their source beside them.
pub(super) fn draws(class: &str) -> bool {
    class.split_ascii_whitespace().any(|word| DRAWN.contains(&word))
}

fn is_script(doc: &Doc, id: NodeId) -> bool {
    doc.name(id) == LocalName::SCRIPT
        && doc.attr(id, LocalName::TYPE).is_some_and(|kind| kind.trim_start().starts_with("math/"))
}

/// The source of the formula that an element draws; `None` when it draws none, or nothing says what.
pub(super) fn source(doc: &Doc, id: NodeId) -> Option<String> {
    let name = doc.name(id);
    match name {
        LocalName::SCRIPT => is_script(doc, id).then(|| of_script(doc, id)).flatten(),
        LocalName::IMG => of_attributes(doc, id, false).or_else(|| image::source(doc, id)),
        LocalName::SVG => None,
        _ if doc.is_foreign(id) && !is_mathml(doc, id) => None,
        LocalName::PRE | LocalName::CODE => of_code(doc, id),
        _ => of_element(doc, id),
    }
}

fn of_script(doc: &Doc, id: NodeId) -> Option<String> {
    let text = doc.text_content(id);
    let text = text.trim().trim_start_matches("% <![CDATA[").trim_end_matches("%]]>").trim();
    let kind = doc.attr(id, LocalName::TYPE)?;
    if kind.contains("mml") { of_markup(text) } else { Some(text.to_owned()) }
}

/// Code that says it is a formula to be drawn, by itself or as all that stands in its `pre`.
fn of_code(doc: &Doc, id: NodeId) -> Option<String> {
    if doc.name(id) == LocalName::PRE
        && let Some(code) = doc.first_child(id).filter(|&code| doc.name(code) == LocalName::CODE)
        && doc.end(code) == doc.end(id)
        && let Some(source) = of_code(doc, code)
    {
        return Some(source);
    }
    let is_drawn = attribute(doc, id, "data-math-style").is_some()
        || doc.attr(id, LocalName::LANG) == Some("math")
        || doc.attr(id, LocalName::CLASS).is_some_and(says_math);
    is_drawn.then(|| doc.text_content(id)).filter(|text| !text.trim().is_empty())
}

/// `language-math` and, as Verso has it, `math inline`.
fn says_math(class: &str) -> bool {
    let mut words = class.split_ascii_whitespace();
    let first = words.next();
    class.split_ascii_whitespace().any(|word| word == "language-math")
        || first == Some("math") && matches!(words.next(), Some("inline" | "display" | "block"))
}

fn of_element(doc: &Doc, id: NodeId) -> Option<String> {
    let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
    let (name, is_math_class) = (local_name(doc, id), is_math(class));
    if let Some(source) = of_attributes(doc, id, is_math_class || ELEMENTS.contains(&name)) {
        return Some(source);
    }
    if is_math_class && let Some(source) = of_json(doc, id) {
        return Some(source);
    }
    if doc.name(id) == LocalName::TR {
        return of_row(doc, id);
    }
    if is_root(doc, id) {
        return of_drawing(doc, id).or_else(|| of_text(doc, id, true));
    }
    let is_bare = || {
        class.split_ascii_whitespace().any(|word| word == "math")
            || doc.end(id) == id.index() + 2 && tex::is_whole(&doc.text_content(id))
    };
    if is_math_class { of_text(doc, id, is_bare()) } else { None }
}

/// A formula that LaTeXML aligns: its parts stand in the cells of one row.
fn of_row(doc: &Doc, row: NodeId) -> Option<String> {
    let has = |id: NodeId, words: [&str; 2]| {
        doc.attr(id, LocalName::CLASS)
            .is_some_and(|class| class.split_ascii_whitespace().any(|word| words.contains(&word)))
    };
    let (mut parts, mut inside) = (Vec::new(), 0);
    for id in doc.subtree(row).take(MAX_NODES) {
        if id.index() < inside || doc.is_text(id) && doc.text(id).trim().is_empty() {
            continue;
        }
        if doc.is_text(id) || id == row && !has(id, ["ltx_eqn_row"; 2]) {
            return None;
        }
        if has(id, ["ltx_eqn_eqno", "ltx_tag"]) {
            inside = doc.end(id);
        } else if is_mathml(doc, id) {
            let part = tex::tidy(&of_drawing(doc, id)?);
            parts.push(part.trim_start_matches("\\displaystyle").trim().to_owned());
            inside = doc.end(id);
        }
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// An attribute with the source.
fn of_attributes(doc: &Doc, id: NodeId, is_math: bool) -> Option<String> {
    const FLAGS: [&str; 8] = ["true", "false", "inline", "block", "display", "0", "1", "none"];
    // None of these names is a usual one.
    let unusual = doc.attributes(id).filter(|attribute| attribute.name.as_known_str().is_none());
    let found = unusual.into_iter().find(|attribute| {
        let known = ATTRIBUTES.iter().find(|(name, _)| *name == doc.name_str(attribute.name));
        let value = attribute.value.trim();
        // Others have names of their own in such attributes: `data-value="dark_mode"`.
        let fits = |sure: bool| sure || is_math || tex::has_command(value) && value.contains(['{', '^', '_', '=']);
        !value.is_empty() && !FLAGS.contains(&value) && known.is_some_and(|(_, sure)| fits(*sure))
    })?;
    // The attribute of a part of the page is about something else.
    let drawn = doc.subtree(id).take(MAX_NODES).map(|id| doc.text(id).trim().len()).sum::<usize>();
    (drawn <= 200 + 20 * found.value.len()).then(|| found.value.to_owned())
}

/// The source in what Substack keeps of a block for its editor.
fn of_json(doc: &Doc, id: NodeId) -> Option<String> {
    let stored: serde_json::Value = serde_json::from_str(attribute(doc, id, "data-attrs")?).ok()?;
    let source = stored.get("persistentExpression")?.as_str()?.trim();
    (!source.is_empty()).then(|| source.to_owned())
}

/// What version 2 of MathJax says to screen readers where it was run on a server: the source.
fn spoken(doc: &Doc, id: NodeId) -> Option<String> {
    let text = doc.attr(id, LocalName::ARIA_LABEL)?.trim();
    let is_drawing = doc.attr(id, LocalName::CLASS).is_some_and(|class| class.contains("mjx-math"));
    (is_drawing && (tex::is_likely(text) || !text.is_empty() && !text.contains(' '))).then(|| text.to_owned())
}

/// The source that stands within the drawing.
fn of_drawing(doc: &Doc, root: NodeId) -> Option<String> {
    let (mut inner, mut image, mut text, mut math) = (None, None, None, None);
    for id in doc.subtree(root).take(MAX_NODES) {
        match local_name(doc, id) {
            "annotation" if is_tex(doc.attr(id, LocalName::ENCODING).unwrap_or("")) => {
                let source = doc.text_content(id);
                if !source.trim().is_empty() {
                    return Some(source);
                }
            }
            "script" if is_script(doc, id) => return of_script(doc, id),
            "img" => image = image.or_else(|| image::of_formula(doc, id)),
            "math" => {
                math = math.or(Some(id));
                text = text.or_else(|| alt_text(doc, id));
            }
            _ => {}
        }
        inner = inner.or_else(|| if id == root { None } else { of_attributes(doc, id, false) });
        text = text.or_else(|| spoken(doc, id));
    }
    let stored = || attribute(doc, root, "data-mathml").and_then(of_markup);
    let drawn = || drawn::root(doc, root).and_then(|drawing| mathml::tex(doc, drawing));
    inner.or(text).or(image).or_else(|| math.and_then(|math| mathml::tex(doc, math))).or_else(stored).or_else(drawn)
}

fn is_tex(encoding: &str) -> bool {
    let encoding = encoding.to_ascii_lowercase();
    encoding.contains("tex")
}

fn alt_text(doc: &Doc, math: NodeId) -> Option<String> {
    // Some describe the formula in words.
    let text = attribute(doc, math, "alttext")?.trim();
    (tex::is_likely(text) || !text.is_empty() && !text.contains(' ')).then(|| text.to_owned())
}

/// MathML that stands in an attribute or a script.
pub(super) fn of_markup(markup: &str) -> Option<String> {
    let markup =
        if markup.trim_start().starts_with("&lt;") { unescape(markup).into_owned() } else { markup.to_owned() };
    let doc = Doc::parse(&markup, &TreeLimits { max_nodes: MAX_NODES, max_depth: 256, ..TreeLimits::default() });
    let math = first_math(&doc, NodeId::DOCUMENT)?;
    of_drawing(&doc, math)
}

/// The text of an element without elements in it that have any, but for the number of an equation.
fn only_text(doc: &Doc, id: NodeId) -> Option<String> {
    const MAX_INNER: usize = 20;
    let is_number = |id: NodeId| {
        doc.attr(id, LocalName::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(|word| word == "eqno"))
    };
    let is_empty = |id: NodeId| doc.subtree(id).all(|id| doc.text(id).trim().is_empty());
    let mut text = String::new();
    let mut at = id.index() + 1;
    while at < doc.end(id) {
        let inner = doc.id(at);
        at += 1;
        match () {
            () if doc.is_text(inner) => text.push_str(doc.text(inner)),
            () if !doc.is_element(inner) || doc.name(inner) == LocalName::BR => {}
            () if doc.end(inner) - inner.index() > MAX_INNER => return None,
            () if is_number(inner) || is_empty(inner) => at = doc.end(inner),
            () => return None,
        }
    }
    Some(text)
}

/// TeX that stands as the only text of an element which says that it is a formula: between delimiters, or bare.
fn of_text(doc: &Doc, id: NodeId, bare: bool) -> Option<String> {
    let text = only_text(doc, id)?;
    let text = text.trim();
    let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
    if let Some(inner) = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'))
        && class.contains("asciimath")
    {
        return Some(inner.trim().to_owned()).filter(|inner| !inner.is_empty());
    }
    let delimited = tex::DELIMITERS.iter().any(|(open, close, _)| {
        text.len() > open.len() + close.len()
            && text.starts_with(open)
            && text.ends_with(close)
            && text.matches(open).count() <= 2
    });
    (!text.is_empty() && (delimited || bare && tex::is_likely(text) || text.starts_with("\\begin{")))
        .then(|| text.to_owned())
}
