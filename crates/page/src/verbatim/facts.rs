//! What stands in an element that may be a block of code.

use gristmill_html::{Doc, LocalName, NodeId};

use super::style::Style;
use super::{EDITORS, STRONG, WEAK, WhiteSpaceMode};
use crate::blocks::is_heading;
use crate::rows::Rows;

/// What one look over the element finds.
#[derive(Debug, Default)]
pub(super) struct CodeBlockSignals {
    /// Visible characters.
    pub(super) chars: u32,
    /// Those of them in `code` and the like.
    code_chars: u32,
    /// Headings, paragraphs and other elements that code has none of.
    pub(super) prose: bool,
    /// Another `pre`.
    pre: bool,
    /// Line breaks that are elements.
    breaks: bool,
    /// A line break in the text, and not only at its ends.
    lines: bool,
    /// How many line breaks of the text have text before and behind them.
    n_lines: u32,
    /// A line begins with white space.
    indented: bool,
    /// Elements whose class says that they are lines.
    named_lines: usize,
    /// What programs that colour code make stands in it.
    coloured: bool,
    /// Its rows are its own.
    aligned: bool,
    /// It is more than one row.
    rows: bool,
}

const PROSE: [LocalName; 15] = [
    LocalName::P,
    LocalName::BLOCKQUOTE,
    LocalName::FIGURE,
    LocalName::SECTION,
    LocalName::ARTICLE,
    LocalName::ASIDE,
    LocalName::MAIN,
    LocalName::NAV,
    LocalName::HEADER,
    LocalName::FOOTER,
    LocalName::FORM,
    LocalName::DL,
    LocalName::SELECT,
    LocalName::ADDRESS,
    LocalName::HR,
];
pub(super) const MONOSPACE: [LocalName; 4] = [LocalName::CODE, LocalName::SAMP, LocalName::KBD, LocalName::TT];
/// Classes of the lines of code.
pub(super) const LINE: [&str; 16] = [
    "line",
    "code-line",
    "cl",
    "cm-line",
    "ace_line",
    "blob-code",
    "crayon-line",
    "de1",
    "de2",
    "js-file-line",
    "highlight-line",
    "hljs-ln-code",
    "ltx_listingline",
    "view-line",
    "token-line",
    "ql-code-block",
];

impl CodeBlockSignals {
    /// O(nodes + text of the element).
    pub(super) fn new(page: &Rows<'_>, id: NodeId) -> CodeBlockSignals {
        let doc = page.doc;
        let std::ops::Range { start: first, end } = page.leaves_in(id.index()..doc.end(id));
        let (Some(head), Some(last)) = (page.leaves[..end].get(first), page.leaves[first..end].last()) else {
            return CodeBlockSignals::default();
        };
        let mut facts = CodeBlockSignals {
            aligned: page.rows[head.row as usize].first_leaf as usize == first
                && page.rows[last.row as usize].end_leaf as usize == end,
            rows: head.row < last.row,
            ..CodeBlockSignals::default()
        };
        let mut leaves = page.leaves[first..end].iter().peekable();
        let mut code_to = if MONOSPACE.contains(&doc.name(id)) { doc.end(id) } else { 0 };
        for node in doc.subtree(id).skip(1) {
            let name = doc.name(node);
            match name {
                LocalName::TEXT => {
                    let visible = leaves.next_if(|leaf| leaf.node == node).map_or(0, |leaf| leaf.chars);
                    facts.code_chars += if node.index() < code_to { visible } else { 0 };
                    facts.text(doc.text(node), visible, leaves.peek().is_some());
                }
                LocalName::BR => facts.breaks = true,
                LocalName::PRE => facts.pre = true,
                _ if MONOSPACE.contains(&name) => code_to = code_to.max(doc.end(node)),
                _ if PROSE.contains(&name) || is_heading(name) => facts.prose = true,
                _ => {
                    facts.named_lines += usize::from(has_class(doc, node, &LINE));
                    facts.coloured |= name == LocalName::DIV && has_class(doc, node, &STRONG);
                }
            }
        }
        facts
    }

    /// O(text), however many lines it has.
    fn text(&mut self, text: &str, visible: u32, more: bool) {
        let first = text.find(|c: char| !c.is_whitespace()).filter(|_| visible > 0);
        let last = text.rfind(|c: char| !c.is_whitespace());
        for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
            let before = self.chars > 0 || first.is_some_and(|first| first < at);
            let is_inner = before && (more || last.is_some_and(|last| last > at));
            self.lines |= is_inner;
            self.n_lines += u32::from(is_inner);
            self.indented |= text[at + 1..].starts_with([' ', '\t']);
        }
        self.chars += visible;
    }

    /// How the white space of the element is treated when it is a block of code; `classed` says that its class may name
    /// one.
    pub(super) fn block(&self, doc: &Doc, id: NodeId, classed: bool, style: Option<Style>) -> Option<WhiteSpaceMode> {
        if classed && self.chars > 0 && self.aligned && has_class(doc, id, &EDITORS) {
            return Some(WhiteSpaceMode::Keep);
        }
        if self.chars == 0 || self.pre || self.prose || !self.aligned {
            return None;
        }
        let name = doc.name(id);
        let space = style.map(|style| style.space);
        let by_class = classed && (has_class(doc, id, &STRONG) || has_class(doc, id, &WEAK) && self.looks_like_code());
        match name {
            LocalName::XMP | LocalName::PLAINTEXT | LocalName::TEXTAREA => self.lines.then_some(WhiteSpaceMode::Keep),
            LocalName::CODE if self.rows && self.breaks => Some(space.unwrap_or(WhiteSpaceMode::Collapse)),
            LocalName::CODE if self.rows => Some(space.unwrap_or(WhiteSpaceMode::Keep)),
            LocalName::CODE if self.lines && (by_class || says_language(doc, id)) => {
                Some(space.unwrap_or(WhiteSpaceMode::Keep))
            }
            _ if by_class
                && (self.rows || self.lines && space.is_some_and(|space| space != WhiteSpaceMode::Collapse)) =>
            {
                Some(space.unwrap_or(WhiteSpaceMode::Keep))
            }
            _ => {
                let style =
                    style.filter(|style| style.space != WhiteSpaceMode::Collapse && (self.rows || self.lines))?;
                let code = style.monospace || self.code_chars == self.chars || style.unbroken && self.indented;
                code.then_some(style.space)
            }
        }
    }

    /// The same of what no class or style says: `code` with lines of its own, a paragraph that is `code` line by line, an element that
    /// names a language of programs.
    pub(super) fn block_of_lines(&self, name: LocalName, names_language: bool) -> Option<WhiteSpaceMode> {
        if self.chars == 0 || self.pre || self.prose || !self.aligned {
            return None;
        }
        let all_code = self.code_chars == self.chars;
        match name {
            LocalName::CODE | LocalName::SAMP | LocalName::TT if !self.rows => {
                (self.lines && (self.indented || self.n_lines > 1)).then_some(WhiteSpaceMode::Keep)
            }
            _ if names_language && (self.rows || self.lines) => {
                Some(if self.breaks { WhiteSpaceMode::Collapse } else { WhiteSpaceMode::Keep })
            }
            _ => (all_code && self.rows && self.breaks).then_some(WhiteSpaceMode::Collapse),
        }
    }

    fn looks_like_code(&self) -> bool {
        // A title may stand beside what is coloured.
        !self.coloured && (self.named_lines >= 2 || self.code_chars * 10 >= self.chars * 9)
    }
}

fn says_language(doc: &Doc, id: NodeId) -> bool {
    let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
    class.split_ascii_whitespace().any(|class| class.starts_with("language-") || class.starts_with("lang-"))
}

/// Whether an element has one of these classes, in any case.
pub(super) fn has_class(doc: &Doc, id: NodeId, classes: &[&str]) -> bool {
    let Some(value) = doc.attr(id, LocalName::CLASS) else { return false };
    value.split_ascii_whitespace().any(|class| classes.iter().any(|other| class.eq_ignore_ascii_case(other)))
}
