//! What programs that colour code put beside it: line numbers and buttons.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::hash;

use super::known::LeftoverContext;
use super::toggles;
use crate::attribute_words::is_named;
use crate::blocks::is_dropped;
use crate::verbatim::{is_name, language};

/// Words of the classes of line numbers: the gate before [`NUMBERS`] is asked.
const WORDS: [&str; 20] = [
    "select",
    "noselect",
    "unselectable",
    "linenos",
    "linenums",
    "linenum",
    "linenumber",
    "linenumbers",
    "lineno",
    "linenr",
    "numbering",
    "listingline",
    "line",
    "ln",
    "lnt",
    "lnum",
    "gutter",
    "blob",
    "nums",
    "num",
];
/// Classes of line numbers, without hyphens and the like.
const NUMBERS: [&str; 26] = [
    "selectnone",
    "userselectnone",
    "noselect",
    "unselectable",
    "linenos",
    "lineno",
    "linenr",
    "prenumbering",
    "ltxtaglistingline",
    "linenum",
    "linenums",
    "linenumber",
    "linenumbers",
    "linenumbersrows",
    "ln",
    "lnt",
    "lnum",
    "lnums",
    "gutter",
    "gl",
    "rougegutter",
    "rougelineno",
    "blobnum",
    "hljslnnumbers",
    "hljslnn",
    "crayonnums",
];
/// Words of the classes of what copies code and the like.
const BUTTON: [&str; 7] = ["copy", "copybtn", "clipboard", "toolbar", "tools", "btn", "button"];
/// How far up the code stands that an element with numbers belongs to: the row of a table, the table, what is around it.
const AROUND: usize = 6;

pub(super) fn find(page: &LeftoverContext<'_, '_>, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    if page.verbatim.blocks().is_empty() {
        return;
    }
    for block in page.verbatim.blocks().iter().filter(|block| doc.name(block.node) == LocalName::PRE) {
        found.extend(counted_lines(page, block.node));
    }
    let hashes = WORDS.map(|word| hash(word.as_bytes()));
    let named = page.named.has_word(&hashes);
    let mut at = 1;
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        let name = doc.name(id);
        if is_dropped(name) {
            at = doc.end(id);
            continue;
        }
        if doc.is_text(id) || doc.end(id) == at {
            continue;
        }
        let numbers = (named || doc.attr(id, LocalName::STYLE).is_some())
            && is_numbers_by_name(doc, id)
            && is_beside_code(page, id)
            && holds_numbers(page, id);
        let is_chrome =
            || is_button(page, id, name) || is_tip(page, id) || is_label(page, id, name) || is_head(page, id, name);
        let is_number = || is_unnamed_gutter(page, id, name) || is_self_linked_number(page, id, name);
        if numbers || is_number() || is_chrome() || is_twin(page, id, name) {
            at = doc.end(id);
            found.extend(text_of(page, id));
        }
    }
}

/// Numbers that begin each line of code, each coloured by an element of its own, without a name.
fn counted_lines(page: &LeftoverContext<'_, '_>, code: NodeId) -> Vec<Range<u32>> {
    const LEAST: usize = 2;
    let doc = page.doc;
    let (mut numbers, mut begins) = (Vec::new(), true);
    for id in doc.subtree(code).filter(|&id| doc.is_text(id)) {
        let text = doc.text(id);
        let is_number = begins && text.trim().parse() == Ok(numbers.len() + 1) && !text.contains('\n');
        let is_coloured =
            || doc.parent(id).is_some_and(|id| doc.name(id) == LocalName::SPAN && doc.end(id) == id.index() + 2);
        if is_number && is_coloured() {
            numbers.extend(
                page.leaves_in(id.index()..id.index() + 1).map(|at| page.leaves[at].start..page.leaves[at].end),
            );
            begins = false;
        } else if begins && !text.trim_matches(['\n', '\r']).is_empty() {
            return Vec::new();
        }
        begins = if text.is_empty() { begins } else { text.ends_with('\n') || begins && text.trim().is_empty() };
        // A line within one text has no number.
        if text.trim_matches(['\n', '\r']).contains('\n') {
            return Vec::new();
        }
    }
    // Code may be a list of numbers.
    let n_texts = page.leaves_in(code.index()..doc.end(code)).len();
    if numbers.len() < LEAST || numbers.len() == n_texts { Vec::new() } else { numbers }
}

fn leaves(page: &LeftoverContext<'_, '_>, id: NodeId) -> Range<usize> {
    page.leaves_in(id.index()..page.doc.end(id))
}

/// One range a leaf, so that none reaches over the end of a row.
fn text_of(page: &LeftoverContext<'_, '_>, id: NodeId) -> impl Iterator<Item = Range<u32>> {
    page.leaves[leaves(page, id)].iter().map(|leaf| leaf.start..leaf.end)
}

fn is_numbers_by_name(doc: &Doc, id: NodeId) -> bool {
    const MAX_BYTES: usize = 48;
    const ENDS: [&str; 3] = ["linenumber", "linenumbers", "lineno"];
    let plain = |class: &str| -> String {
        class.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
    };
    let names = |plain: &str| NUMBERS.contains(&plain) || ENDS.iter().any(|end| plain.ends_with(end));
    let is_number = |class: &str| class.len() <= MAX_BYTES && names(&plain(class));
    let is_unselectable =
        doc.attr(id, LocalName::STYLE).is_some_and(|style| style.contains("user-select") && style.contains("none"));
    is_unselectable || doc.attr(id, LocalName::CLASS).is_some_and(|value| value.split_ascii_whitespace().any(is_number))
}

/// Whether it stands in a block of code or close to one that is not its own.
fn is_beside_code(page: &LeftoverContext<'_, '_>, id: NodeId) -> bool {
    let verbatim = page.verbatim;
    let own = verbatim.within(page, id).len();
    verbatim.around(page, id).is_some_and(|block| block.node != id)
        || page.doc.ancestors(id).take(AROUND).any(|around| verbatim.within(page, around).len() > own)
}

/// Whether its visible text is nothing but numbers, and how they end.
fn holds_numbers(page: &LeftoverContext<'_, '_>, id: NodeId) -> bool {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '.' | ':' | '|');
    let own = &page.leaves[leaves(page, id)];
    !own.is_empty() && own.iter().all(|leaf| page.leaf_text(leaf).chars().all(is_number))
}

/// The number of a line of code that is a link to itself, so that others can point there.
fn is_self_linked_number(page: &LeftoverContext<'_, '_>, id: NodeId, name: LocalName) -> bool {
    let doc = page.doc;
    let is_own = |target: &str| [LocalName::ID, LocalName::NAME].iter().any(|&at| doc.attr(id, at) == Some(target));
    let target = || doc.attr(id, LocalName::HREF).and_then(|href| href.strip_prefix('#'));
    name == LocalName::A
        && target().is_some_and(is_own)
        && page.verbatim.around(page, id).is_some()
        && holds_numbers(page, id)
}

/// A cell or `pre` that holds the numbers from some number on, in a row of a table whose other cell holds code.
fn is_unnamed_gutter(page: &LeftoverContext<'_, '_>, id: NodeId, name: LocalName) -> bool {
    const MAX_LINES: usize = 100_000;
    if !matches!(name, LocalName::TD | LocalName::TH) {
        return false;
    }
    let doc = page.doc;
    let row = doc.parent(id).filter(|&row| doc.name(row) == LocalName::TR);
    let verbatim = page.verbatim;
    if row.is_none_or(|row| verbatim.within(page, row).len() <= verbatim.within(page, id).len()) {
        return false;
    }
    let text = page.leaves[leaves(page, id)].iter().map(|leaf| page.leaf_text(leaf));
    let mut numbers = text.flat_map(|text| text.split(' ')).map(|word| word.parse::<u32>().ok()).take(MAX_LINES);
    let Some(Some(first)) = numbers.next() else { return false };
    let mut n = 0;
    numbers.zip(first + 1..).all(|(number, expected)| {
        n += 1;
        number == Some(expected)
    }) && n > 0
}

/// A button in or right beside a block of code.
fn is_button(page: &LeftoverContext<'_, '_>, id: NodeId, name: LocalName) -> bool {
    const MAX_CHARS: u32 = 24;
    // A button in code has all the words that it shows in turn.
    const MAX_OF_BUTTON: u32 = 80;
    let doc = page.doc;
    let copies = || {
        doc.attributes(id).any(|attribute| match doc.name_str(attribute.name) {
            "onclick" => {
                !matches!(name, LocalName::CODE | LocalName::PRE)
                    && attribute.value.to_ascii_lowercase().contains("copy")
            }
            "download" => name == LocalName::A,
            name => name.starts_with("data-clipboard"),
        })
    };
    let is_inside = || page.verbatim.around(page, id).is_some();
    // Code is folded, too; what unfolds it is a button.
    let is_button = name == LocalName::BUTTON || name == LocalName::SUMMARY && is_inside() && unfolds(page, id);
    let is_called = || matches!(name, LocalName::A | LocalName::SPAN | LocalName::DIV) && is_named(doc, id, &BUTTON);
    if !(is_button || is_called() || copies()) {
        return false;
    }
    let chars: u32 = page.leaves[leaves(page, id)].iter().map(|leaf| leaf.chars).sum();
    let around = || {
        doc.parent(id).is_some_and(|parent| !page.verbatim.within(page, parent).is_empty())
            || framed_code(page, id).is_some()
    };
    let is_inside = is_inside();
    is_inside && is_button && chars <= MAX_OF_BUTTON
        || chars <= MAX_CHARS && (is_inside || name == LocalName::BUTTON && around())
}

/// Whether an element begins with a word that unfolds: `Show 7 methods`.
fn unfolds(page: &LeftoverContext<'_, '_>, id: NodeId) -> bool {
    let first = page.leaves[leaves(page, id)].first().map(|leaf| page.leaf_text(leaf));
    first.and_then(|text| text.split_whitespace().next()).is_some_and(toggles::is_one)
}

/// What shows beside a word of code when the mouse is over it, or a box behind the word is ticked.
fn is_tip(page: &LeftoverContext<'_, '_>, id: NodeId) -> bool {
    const WORDS: [&str; 7] = ["popup", "popover", "tooltip", "tooltiptext", "tippy", "hovercard", "ttc"];
    let doc = page.doc;
    let is_tip = || {
        doc.attr(id, LocalName::ROLE) == Some("tooltip")
            || is_named(doc, id, &WORDS)
            || is_named(doc, id, &["hover"]) && is_named(doc, id, &["info"])
            || doc.elements_before(id).next().is_some_and(|before| is_tick_box(doc, before))
    };
    page.verbatim.around(page, id).is_some_and(|block| block.node != id) && is_tip()
}

fn is_tick_box(doc: &Doc, id: NodeId) -> bool {
    doc.name(id) == LocalName::INPUT && doc.attr(id, LocalName::TYPE) == Some("checkbox")
}

/// The only block of code of a frame that holds little else, or right behind a short bar: the bar is that of the code.
fn framed_code(page: &LeftoverContext<'_, '_>, id: NodeId) -> Option<NodeId> {
    const MAX_BESIDE: u32 = 80;
    const AROUND: usize = 3;
    let doc = page.doc;
    let only = |around: NodeId| {
        let [block] = page.verbatim.within(page, around) else { return None };
        (bytes(page, around) - bytes(page, block.node) <= MAX_BESIDE).then_some(block.node)
    };
    let behind =
        |bar: NodeId| doc.elements_behind(bar).next().filter(|_| bytes(page, bar) <= MAX_BESIDE).and_then(only);
    doc.ancestors(id).take(AROUND).find_map(only).or_else(|| doc.ancestors(id).take(AROUND).find_map(behind))
}

/// The name of the language above or below a block of code, with nothing but buttons around the two.
fn is_label(page: &LeftoverContext<'_, '_>, id: NodeId, name: LocalName) -> bool {
    const MAX_NODES: usize = 200;
    let is_text = matches!(name, LocalName::P | LocalName::STRONG | LocalName::B);
    if !is_text && !matches!(name, LocalName::SPAN | LocalName::DIV | LocalName::SMALL | LocalName::LABEL) {
        return false;
    }
    let doc = page.doc;
    let [leaf] = &page.leaves[leaves(page, id)] else { return false };
    let classes = || doc.attr(id, LocalName::CLASS).into_iter().flat_map(str::split_ascii_whitespace);
    let is_called = || classes().any(|class| matches!(class, "language" | "lang"));
    if leaf.end - leaf.start > 20 || !(is_name(page.leaf_text(leaf)) || is_called()) {
        return false;
    }
    if let Some(block) = page.verbatim.around(page, id) {
        // Of the text in a `pre`, what is not in its `code`.
        let is_code = |id: NodeId| doc.name(id) == LocalName::CODE;
        return !doc.ancestors(id).take_while(|&around| around != block.node).any(is_code)
            && doc.subtree(block.node).take(MAX_NODES).any(is_code)
            && is_alone(page, id);
    }
    // What a writer wrote stays where nothing else says it.
    let is_said = |block: NodeId| !is_text || language(doc, block).is_some();
    framed_code(page, id).is_some_and(is_said) && is_alone(page, id)
}

/// `Code: Select all`: what forums write above each block of code, in the box of the block.
fn is_head(page: &LeftoverContext<'_, '_>, id: NodeId, name: LocalName) -> bool {
    const WORDS: [&str; 8] = ["code", "php code", "html code", "quellcode", "código", "код", "代码", "コード"];
    const BUTTONS: usize = 3;
    if !matches!(name, LocalName::P | LocalName::DIV | LocalName::DT) {
        return false;
    }
    let [head, buttons @ ..] = &page.leaves[leaves(page, id)] else { return false };
    let is_word = || {
        let text = page.leaf_text(head).trim().trim_end_matches([':', '：']).to_lowercase();
        WORDS.contains(&text.as_str())
    };
    let are_buttons = buttons.len() <= BUTTONS && buttons.iter().all(|leaf| leaf.in_link);
    head.end - head.start <= 20 && are_buttons && is_word() && framed_code(page, id).is_some()
}

/// How many bytes of the text an element holds. O(log leaves).
fn bytes(page: &LeftoverContext<'_, '_>, id: NodeId) -> u32 {
    let own = &page.leaves[leaves(page, id)];
    own.last().map_or(0, |last| last.end - own[0].start)
}

/// Whether nothing but buttons stands in the row of an element beside it.
fn is_alone(page: &LeftoverContext<'_, '_>, id: NodeId) -> bool {
    const LEVELS: usize = 3;
    let own = leaves(page, id);
    let Some(first) = page.leaves.get(own.start) else { return false };
    let row = &page.rows[first.row as usize];
    let is_button = |at: usize| {
        page.doc.ancestors(page.leaves[at].node).take(LEVELS).any(|id| page.doc.name(id) == LocalName::BUTTON)
    };
    (row.first_leaf as usize..row.end_leaf as usize).all(|at| own.contains(&at) || is_button(at))
}

/// A field to copy code from, beside the code.
fn is_twin(page: &LeftoverContext<'_, '_>, id: NodeId, name: LocalName) -> bool {
    const AROUND: usize = 3;
    let doc = page.doc;
    if name != LocalName::TEXTAREA || !page.verbatim.is_block(id) {
        return false;
    }
    let squashed = |id: NodeId| {
        let text = page.leaves[leaves(page, id)].iter().flat_map(|leaf| page.leaf_text(leaf).chars());
        text.filter(|c| !c.is_whitespace()).collect::<String>()
    };
    let blocks = page.verbatim.blocks();
    let next = blocks.get(blocks.partition_point(|block| block.node <= id));
    next.is_some_and(|next| {
        doc.ancestors(id).take(AROUND).any(|around| doc.contains(around, next.node))
            && squashed(next.node) == squashed(id)
    })
}
