//! The text of a block of code, character for character: its spaces, its lines and its blank lines.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::{is_invisible, is_joiner};

use super::facts::{LINE, has_class};
use super::{CodeBlock, WhiteSpaceMode};
use crate::blocks::{is_block, is_dropped};
use crate::rows::{Row, Rows, TextNode};
use crate::selection::Selection;

/// The text of `rows`, which follow one another in `block`, as runs that are kept and, when `all` is asked for, others.
///
/// All white space stays but blank lines before the first line and white space after the last. A no-break space is a
/// space, invisible and control characters vanish as they do elsewhere. Nothing when nothing is kept. O(nodes + text of
/// the rows).
pub fn code(page: &Rows<'_>, block: &CodeBlock, rows: &[Row], selection: &Selection, all: bool) -> Vec<(String, bool)> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return Vec::new() };
    let leaves = first.first_leaf as usize..last.end_leaf as usize;
    if !all && !leaves.clone().any(|leaf| selection.keeps(leaf)) {
        return Vec::new();
    }
    let before = leaves.start.checked_sub(1).map_or(0, |leaf| page.leaves[leaf].node.index());
    let after = page.leaves.get(leaves.end).map_or(page.doc.len(), |leaf| leaf.node.index());
    let nodes = (block.node.index() + 1).max(before + 1)..page.doc.end(block.node).min(after);
    let mut writer = Writer::new(block.space);
    let whole = all || leaves.clone().all(|leaf| selection.keeps(leaf));
    let mut walk = Walk {
        page,
        selection,
        all,
        whole,
        next_leaf: leaves.start,
        behind_left_out: 0,
        open: Vec::new(),
        edge: Edge::Start,
    };
    walk.run(nodes.start, nodes.end, &mut writer);
    writer.finish()
}

/// The part of the raw text of a leaf that became bytes `start..end` of [`Rows::text`]. O(text of the leaf).
pub fn raw_part<'d>(page: &Rows<'d>, leaf: &TextNode, start: u32, end: u32) -> &'d str {
    let raw = page.doc.text(leaf.node);
    if (start, end) == (leaf.start, leaf.end) {
        return raw;
    }
    let is_visible = |c: &char| *c != ' ' && !is_invisible(*c);
    let count = |from: u32, to: u32| page.text[from as usize..to as usize].chars().filter(is_visible).count();
    let (skip, n) = (count(leaf.start, start), count(start, end));
    // What is visible is the same characters in both.
    let mut visible = raw.char_indices().filter(|(_, c)| !is_blank(*c) && !is_invisible(*c)).skip(skip).take(n);
    let Some((from, c)) = visible.next() else { return "" };
    let to = visible.last().map_or(from + c.len_utf8(), |(at, c)| at + c.len_utf8());
    &raw[from..to]
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// What was last met besides text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    /// The start of the rows or of a block in them.
    Start,
    /// The end of a block.
    End,
    /// Text followed.
    None,
}

struct Walk<'p, 'd> {
    page: &'p Rows<'d>,
    selection: &'p Selection,
    all: bool,
    /// Nothing is left out.
    whole: bool,
    next_leaf: usize,
    /// The node behind the element that was left out last.
    behind_left_out: usize,
    /// Ends of the blocks that are open.
    open: Vec<usize>,
    edge: Edge,
}

impl Walk<'_, '_> {
    fn run(&mut self, from: usize, to: usize, writer: &mut Writer) {
        let doc = self.page.doc;
        let mut at = from;
        while at < to {
            while self.open.pop_if(|end| *end <= at).is_some() {
                writer.end_line();
                self.edge = Edge::End;
            }
            let id = doc.id(at);
            let name = doc.name(id);
            at += 1;
            if doc.is_element(id) {
                if let Some(leaves) = self.left_out(id, name) {
                    self.next_leaf = leaves;
                    at = doc.end(id);
                    self.behind_left_out = at;
                    continue;
                }
                match line_before(doc, id) {
                    Some(before) if is_empty(doc, before) && !is_block(name) => writer.line_break(),
                    Some(_) => writer.end_line(),
                    None => {}
                }
                if is_block(name) && is_line(doc, id) && is_empty(doc, id) {
                    writer.end_line();
                    writer.line_break();
                    self.edge = Edge::None;
                    at = doc.end(id);
                    continue;
                }
            }
            match name {
                LocalName::TEXT => self.text(id, to, writer),
                LocalName::BR => {
                    writer.line_break();
                    self.edge = Edge::None;
                }
                _ if is_dropped(name) => at = doc.end(id),
                _ if is_block(name) || name == LocalName::SPAN && has_class(doc, id, &MARKED_LINE) => {
                    writer.end_line();
                    self.open.push(doc.end(id));
                    self.edge = Edge::Start;
                }
                _ => {}
            }
        }
    }

    /// One past the leaves of an inline element of which nothing is kept: its blocks end no lines.
    fn left_out(&self, id: NodeId, name: LocalName) -> Option<usize> {
        if self.whole || is_block(name) {
            return None;
        }
        let leaves = self.page.leaves_in(id.index()..self.page.doc.end(id));
        let is_out = !leaves.is_empty() && !leaves.clone().any(|leaf| self.selection.keeps(leaf));
        (is_out && leaves.start == self.next_leaf).then_some(leaves.end)
    }

    fn text(&mut self, id: NodeId, to: usize, writer: &mut Writer) {
        let leaf = self.page.leaves.get(self.next_leaf).filter(|leaf| leaf.node == id);
        // A no-break space parts the number of a line from its code.
        let parts_number = id.index() == self.behind_left_out;
        let Some(leaf) = leaf else {
            if parts_number && self.page.doc.text(id) == "\u{a0}" && self.page.doc.next_sibling(id).is_some() {
                return;
            }
            let is_blank = self.page.doc.text(id).chars().all(is_blank);
            if is_blank && !self.is_between_blocks(id, to) && !holds_line_open(self.page.doc, id) {
                writer.push(self.page.doc.text(id), true);
                self.edge = Edge::None;
            }
            return;
        };
        self.edge = Edge::None;
        for (piece, kept) in self.selection.pieces_of(self.page, self.next_leaf) {
            if kept || self.all {
                let raw = raw_part(self.page, leaf, piece.start, piece.end);
                writer.push(if parts_number { raw.strip_prefix('\u{a0}').unwrap_or(raw) } else { raw }, kept);
            } else {
                writer.gap(raw_part(self.page, leaf, piece.start, piece.end));
            }
            if !piece.is_whole() {
                writer.gap(" ");
            }
        }
        self.next_leaf += 1;
    }

    /// Whether white space stands between two blocks, where it only lays the source out.
    fn is_between_blocks(&self, id: NodeId, to: usize) -> bool {
        let doc = self.page.doc;
        if self.edge == Edge::None || !doc.text(id).contains('\n') {
            return false;
        }
        let next = id.index() + 1;
        let closes = next >= to || self.open.last().is_some_and(|end| *end <= next);
        if closes { self.edge == Edge::End } else { is_block(doc.name(doc.id(next))) }
    }
}

/// The line of code right before an element that is another one, where no line break divides them.
fn line_before(doc: &Doc, id: NodeId) -> Option<NodeId> {
    let is_blank = |id: NodeId| doc.is_text(id) && doc.text(id).chars().all(|c| c == ' ' || c == '\t');
    if !is_line(doc, id) {
        return None;
    }
    let before = doc.prev_sibling(id)?;
    let before = if is_blank(before) { doc.prev_sibling(before)? } else { before };
    (doc.is_element(before) && is_line(doc, before) && !ends_line(doc, before)).then_some(before)
}

/// Classes of marked lines that take the line break behind them away, since they are blocks by style.
const MARKED_LINE: [&str; 2] = ["gatsby-highlight-code-line", "docusaurus-highlight-code-line"];

/// Whether a class, an attribute or a style makes an element one line of code.
fn is_line(doc: &Doc, id: NodeId) -> bool {
    let parent = || doc.parent(id).map(|parent| doc.name(parent));
    match doc.name(id) {
        // Programs that colour code make each word a `code`.
        LocalName::CODE => parent() == Some(LocalName::PRE),
        LocalName::SPAN if has_class(doc, id, &LINE) => true,
        LocalName::SPAN => {
            let is_line = |attribute: gristmill_html::Attribute<'_>| match attribute.name {
                LocalName::STYLE => is_row(attribute.value),
                // Of the paragraphs of code that Medium has in one `pre`.
                LocalName::ID => parent() == Some(LocalName::PRE),
                name => doc.name_str(name) == "data-line",
            };
            matches!(parent(), Some(LocalName::CODE | LocalName::PRE)) && doc.attributes(id).any(is_line)
        }
        _ => has_class(doc, id, &LINE),
    }
}

/// Whether an inline style gives an element a row of its own.
fn is_row(style: &str) -> bool {
    style.split(';').filter_map(|declaration| declaration.split_once(':')).any(|(property, value)| {
        property.trim().eq_ignore_ascii_case("display") && matches!(value.trim(), "flex" | "block" | "grid")
    })
}

/// Whether nothing stands in a line, or only what holds it open.
fn is_empty(doc: &Doc, line: NodeId) -> bool {
    const MAX_NODES: usize = 12;
    let mut nodes = doc.subtree(line).skip(1);
    nodes.len() <= MAX_NODES
        && nodes.all(|id| doc.name(id) != LocalName::BR && doc.text(id).chars().all(|c| c.is_whitespace() && c != '\n'))
}

/// Whether a text is the one blank that gives an empty line its height.
fn holds_line_open(doc: &Doc, id: NodeId) -> bool {
    matches!(doc.text(id), " " | "\u{a0}")
        && doc.ancestors(id).take(2).any(|line| is_line(doc, line) && is_empty(doc, line))
}

/// Whether the last text of an element ends a line.
fn ends_line(doc: &Doc, id: NodeId) -> bool {
    doc.subtree(id).rev().find(|&id| doc.is_text(id)).is_some_and(|id| doc.text(id).ends_with('\n'))
}

/// Takes text in and keeps of its white space what counts.
struct Writer {
    space: WhiteSpaceMode,
    runs: Vec<(String, bool)>,
    /// A space that is not written at the end of a line, where runs of them collapse.
    pending: bool,
    /// White space for what was left out, unless other white space stands there.
    gap: Option<char>,
    /// The last character.
    last: char,
}

impl Writer {
    fn new(space: WhiteSpaceMode) -> Writer {
        Writer { space, runs: Vec::new(), pending: false, gap: None, last: '\n' }
    }

    fn push(&mut self, text: &str, kept: bool) {
        let mut returned = false;
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            // However lines end, they end once.
            let line_feed_of_pair = returned && c == '\n';
            returned = c == '\r';
            match c {
                '\n' if line_feed_of_pair => {}
                '\n' | '\r' => self.white('\n', kept),
                ' ' | '\t' => self.white(c, kept),
                c if c.is_whitespace() => self.write(' ', kept),
                c if c.is_control() => {}
                c if is_invisible(c) && !is_joiner(Some(self.last), c, chars.clone().next()) => {}
                c => self.write(c, kept),
            }
        }
    }

    fn white(&mut self, c: char, kept: bool) {
        match self.space {
            WhiteSpaceMode::Keep => self.write(c, kept),
            WhiteSpaceMode::Lines if c == '\n' => self.line_break(),
            WhiteSpaceMode::Lines | WhiteSpaceMode::Collapse => self.pending = true,
        }
    }

    fn write(&mut self, c: char, kept: bool) {
        if std::mem::take(&mut self.pending) && self.last != '\n' {
            self.put(' ', kept);
        }
        if let Some(gap) = self.gap.take() {
            let wanted = |c: char| if gap == '\n' { c != '\n' } else { !is_blank(c) };
            if wanted(self.last) && wanted(c) {
                self.put(gap, kept);
            }
        }
        self.put(c, kept);
    }

    fn put(&mut self, c: char, kept: bool) {
        match self.runs.last_mut() {
            Some((run, same)) if *same == kept => run.push(c),
            _ => self.runs.push((c.to_string(), kept)),
        }
        self.last = c;
    }

    fn line_break(&mut self) {
        self.pending = false;
        let kept = self.runs.last().is_none_or(|(_, kept)| *kept);
        self.put('\n', kept);
    }

    /// Ends a line that has begun.
    fn end_line(&mut self) {
        if self.last != '\n' {
            self.line_break();
        }
        self.pending = false;
    }

    /// What was left out is a space, or a line break if it held one.
    fn gap(&mut self, left_out: &str) {
        let gap = if left_out.contains('\n') { '\n' } else { ' ' };
        if self.gap != Some('\n') {
            self.gap = Some(gap);
        }
    }

    fn finish(mut self) -> Vec<(String, bool)> {
        while let Some((run, _)) = self.runs.last_mut() {
            run.truncate(run.trim_end().len());
            if !run.is_empty() {
                break;
            }
            self.runs.pop();
        }
        let first = self.runs.iter().position(|(run, _)| !run.trim().is_empty()).unwrap_or(0);
        // The indentation of the first line may stand in a run of its own.
        let head: String = self.runs.drain(..first).map(|(run, _)| run).collect();
        if let Some((run, _)) = self.runs.first_mut() {
            let whole = head + run;
            let visible = whole.len() - whole.trim_start().len();
            let line = whole[..visible].rfind('\n').map_or(0, |at| at + 1);
            *run = whole[line..].to_owned();
        }
        self.runs
    }
}
