//! Drawings of formulas that say nothing else about themselves: what the parts of those of KaTeX and MathJax are in MathML.
//!
//! ```text
//! KaTeX    <span class=mord>x<span class=msupsub><span class=vlist-t>…2       x^2
//! MathJax  <mjx-msup><mjx-mi><mjx-c class=mjx-c1D465>…   <g data-mml-node=msup>…<path data-c=1D465>
//! ```

use gristmill_html::{Doc, LocalName, NodeId};

/// Words of the class of an element, cut at white space only.
pub(super) fn class_words(doc: &Doc, id: NodeId) -> impl DoubleEndedIterator<Item = &str> {
    doc.attr(id, LocalName::CLASS).unwrap_or("").split_ascii_whitespace()
}

/// An attribute by its name, which need be none that HTML knows.
pub(super) fn attribute<'d>(doc: &'d Doc, id: NodeId, name: &str) -> Option<&'d str> {
    doc.attributes(id).find(|found| doc.name_str(found.name) == name).map(|found| found.value)
}

/// The name without a prefix such as `mml:`.
pub(super) fn local_name(doc: &Doc, id: NodeId) -> &str {
    let name = doc.name_str(doc.name(id));
    name.rsplit(':').next().unwrap_or(name)
}

/// Where a part stands to the others of its element.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum VerticalPosition {
    #[default]
    Line,
    Above,
    Under,
}

/// The drawing within what draws a formula.
pub(super) fn root(doc: &Doc, around: NodeId) -> Option<NodeId> {
    const MAX_NODES: usize = 200;
    let is_drawing = |id: &NodeId| {
        class_words(doc, *id).any(|word| word == "katex-html")
            || matches!(role(doc, *id), "math") && doc.is_element(*id)
    };
    doc.subtree(around).take(MAX_NODES).find(is_drawing)
}

/// What an element is, by the names of MathML where it has the same parts; `box` where it only holds parts, `room` where it only
/// makes room.
pub(super) fn role(doc: &Doc, id: NodeId) -> &str {
    let name = local_name(doc, id);
    let mathjax = |name| match name {
        "frac" | "dbox" | "dtable" | "row" | "box" | "table" | "itable" | "script" | "stack" | "stacked" => "box",
        "surd" | "line" | "spacer" | "nstrut" | "dstrut" | "strut" => "room",
        name => name,
    };
    if let Some(name) = name.strip_prefix("mjx-") {
        return mathjax(name);
    }
    if let Some(name) = attribute(doc, id, "data-mml-node") {
        return name;
    }
    // The first word is more general: `mop op-limits`.
    let mut words = class_words(doc, id).rev().filter(|_| doc.name(id) == LocalName::SPAN);
    words.find_map(|word| word.strip_prefix("mjx-").map(mathjax).or_else(|| katex(word))).unwrap_or(name)
}

fn katex(word: &str) -> Option<&'static str> {
    Some(match word {
        "vlist" | "vlist-t" | "vlist-r" => "box",
        "strut" | "pstrut" | "vlist-s" | "frac-line" | "nulldelimiter" | "mspace" | "hide-tail" | "katex-mathml"
        | "overline-line" | "underline-line" | "arraycolsep" => "room",
        "msupsub" => "supsub",
        "mfrac" => "stacked-fraction",
        "sqrt" => "mroot",
        "root" => "root",
        "op-limits" => "stacked-limits",
        "accent" => "stacked-accent",
        "overline" => "overline",
        "underline" => "underline",
        "mtable" => "columns",
        "text" => "mtext",
        "delimsizing" | "mbin" | "mrel" | "mopen" | "mclose" | "mpunct" => "mo",
        "mop" => "mi",
        word if word.starts_with("col-align-") => "box",
        _ => return None,
    })
}

/// Where the place of an element in its drawing says that it stands.
pub(super) fn vertical_position(doc: &Doc, id: NodeId, role: &str) -> VerticalPosition {
    let shift = || {
        let (_, shift) = attribute(doc, id, "transform")?.strip_prefix("translate(")?.split_once([',', ' '])?;
        shift.trim().split([')', ' ']).next()?.parse::<f32>().ok()
    };
    let is_small = || class_words(doc, id).any(|word| word == "sizing");
    match role {
        "over" | "sup" | "num" | "numerator" | "root" => VerticalPosition::Above,
        "under" | "sub" | "den" | "denominator" => VerticalPosition::Under,
        _ if local_name(doc, id) == "g" => match shift() {
            Some(y) if y > 0.0 => VerticalPosition::Above,
            Some(y) if y < 0.0 => VerticalPosition::Under,
            _ => VerticalPosition::Line,
        },
        // Limits of KaTeX are told from what they belong to by their size.
        _ if is_small() => VerticalPosition::Above,
        _ => VerticalPosition::Line,
    }
}

/// Whether the scripts of KaTeX, of which there is one, stand below the line.
pub(super) fn is_lowered(doc: &Doc, scripts: NodeId) -> bool {
    doc.first_child(scripts).is_some_and(|list| class_words(doc, list).any(|word| word == "vlist-t2"))
}

/// The alphabet that a class says a letter is of, as `mathvariant` does.
pub(super) fn variant(doc: &Doc, id: NodeId) -> Option<&'static str> {
    class_words(doc, id).find_map(|word| match word {
        "mathbf" | "textbf" => Some("bold"),
        "boldsymbol" => Some("bold-italic"),
        "mathbb" => Some("double-struck"),
        "mathcal" | "mathscr" => Some("script"),
        "mathfrak" => Some("fraktur"),
        _ => None,
    })
}

/// The letters of a part: MathJax has them in classes and attributes. Slanted ones are plain, as `mi` is slanted anyway, and
/// brackets that are put together of pieces are one.
pub(super) fn letters(doc: &Doc, id: NodeId) -> String {
    let code = |code: &str| u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
    let drawn = |id: NodeId| {
        let stored = attribute(doc, id, "data-c").and_then(code);
        stored.or_else(|| class_words(doc, id).find_map(|word| code(word.strip_prefix("mjx-c")?)))
    };
    let mut text = String::new();
    for id in doc.subtree(id) {
        text.push_str(doc.text(id));
        text.extend(drawn(id).filter(|_| doc.is_element(id)));
    }
    let text: String = text.chars().filter(|c| *c != '\u{200B}').map(plain).collect();
    match text.chars().map(whole).reduce(|a, b| if a == b { a } else { None }).flatten() {
        Some(bracket) => bracket.to_string(),
        None => text,
    }
}

/// The letter of a slanted one (The Unicode Standard, chapter 22.2).
fn plain(c: char) -> char {
    let moved = |from: u32, to: u32| char::from_u32(c as u32 - from + to).unwrap_or(c);
    match c as u32 {
        0x210E => 'h',
        0x1D434..0x1D44E => moved(0x1D434, 'A' as u32),
        0x1D44E..0x1D468 => moved(0x1D44E, 'a' as u32),
        0x1D6E2..0x1D6FC => moved(0x1D6E2, 'Α' as u32),
        0x1D6FC..0x1D715 => moved(0x1D6FC, 'α' as u32),
        _ => c,
    }
}

/// The bracket that a piece is of.
fn whole(piece: char) -> Option<char> {
    match piece {
        '⎛' | '⎜' | '⎝' => Some('('),
        '⎞' | '⎟' | '⎠' => Some(')'),
        '⎡' | '⎢' | '⎣' => Some('['),
        '⎤' | '⎥' | '⎦' => Some(']'),
        '⎧' | '⎨' | '⎩' | '⎪' => Some('{'),
        '∣' => Some('|'),
        _ => None,
    }
}
