//! The lines of the source, rebuilt from the tree: for the methods that were made for source text.

use gristmill_html::LocalName;
use gristmill_page::{
    Page, is_block,
    tokens::{MarkupEvent, for_each_step},
};
use gristmill_text::{is_invisible, is_sentence_mark};

/// Where lines end, besides the line breaks of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineRules {
    /// A source with fewer lines (blank ones not counted) is broken after every tag as well.
    pub min_lines: usize,
    /// A line of at least this many characters ends at the next white space; 0 never does.
    pub wrap: usize,
    /// Whether lines also end before and after the tags of block elements, as a pretty-printer writes them.
    pub pretty: bool,
    /// Whether lines without tag and text are lines.
    pub blank: bool,
}

/// One line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SourceLine {
    /// Characters of text without white space.
    pub chars: u32,
    /// Tags that start on it.
    pub tags: u32,
    /// One past its last piece in [`SourceLines::pieces`].
    pub end_piece: u32,
}

/// A leaf or part of one: bytes `start..end` of [`Page::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LinePiece {
    pub leaf: u32,
    pub start: u32,
    pub end: u32,
}

/// The lines of `body` in order; dropped subtrees are not there.
///
/// The text of the tree keeps its line breaks, and a tag belongs to the line where it starts. What the tree does not
/// know: line breaks inside of tags and comments, and which end tags were written (every element that is not void has
/// one). A text of more than 2,000 characters on one line is split at the next sentence end. O(nodes + text).
#[derive(Debug, Clone)]
pub(crate) struct SourceLines {
    pub lines: Vec<SourceLine>,
    pub pieces: Vec<LinePiece>,
}

/// Characters after which a line ends at the next sentence end, and at which it ends anyway.
const LONG: u32 = 2_000;
const TOO_LONG: u32 = 4_000;

impl SourceLines {
    pub(crate) fn new(page: &Page<'_>, rules: LineRules) -> SourceLines {
        let lines = Walk::new(page, rules, false).run();
        let visible = lines.lines.iter().filter(|line| line.chars + line.tags > 0).count();
        if visible < rules.min_lines { Walk::new(page, rules, true).run() } else { lines }
    }

    /// The pieces of the line with this index.
    pub(crate) fn pieces_of(&self, line: usize) -> &[LinePiece] {
        let first = line.checked_sub(1).map_or(0, |before| self.lines[before].end_piece);
        &self.pieces[first as usize..self.lines[line].end_piece as usize]
    }
}

struct Walk<'p, 'd> {
    page: &'p Page<'d>,
    rules: LineRules,
    every_tag: bool,
    lines: SourceLines,
    line: SourceLine,
}

impl<'p, 'd> Walk<'p, 'd> {
    fn new(page: &'p Page<'d>, rules: LineRules, every_tag: bool) -> Walk<'p, 'd> {
        let lines = SourceLines { lines: Vec::new(), pieces: Vec::with_capacity(page.leaves.len()) };
        Walk { page, rules, every_tag, lines, line: SourceLine::default() }
    }

    fn run(mut self) -> SourceLines {
        let page = self.page;
        for_each_step(page, |step| match step {
            MarkupEvent::Open(id) | MarkupEvent::Close(id) => self.tag(page.doc.name(id)),
            MarkupEvent::Leaf(leaf) => self.leaf(leaf),
            MarkupEvent::Blank(id) => {
                page.doc.text(id).bytes().filter(|&byte| byte == b'\n').for_each(|_| self.end_line());
            }
        });
        self.end_line();
        self.lines
    }

    fn tag(&mut self, name: LocalName) {
        let pretty = self.rules.pretty && is_block(name);
        if pretty && self.line != (SourceLine { end_piece: self.line.end_piece, ..SourceLine::default() }) {
            self.end_line();
        }
        self.line.tags += 1;
        if pretty || self.every_tag {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        if self.line.chars + self.line.tags > 0 || self.rules.blank {
            self.line.end_piece = self.lines.pieces.len() as u32;
            self.lines.lines.push(self.line);
        }
        self.line = SourceLine::default();
    }

    fn leaf(&mut self, index: usize) {
        let leaf = &self.page.leaves[index];
        let raw = self.page.doc.text(leaf.node);
        let whole = LinePiece { leaf: index as u32, start: leaf.start, end: leaf.end };
        if self.rules.wrap == 0 && leaf.chars <= LONG && !raw.bytes().any(|byte| byte == b'\n') {
            self.line.chars += leaf.chars;
            self.lines.pieces.push(whole);
            return;
        }
        Cutter { walk: self, leaf: whole, from: leaf.start, at: leaf.start, chars: 0 }.run(raw);
    }
}

/// Follows the raw text of a leaf and, in step, its normalised text.
struct Cutter<'w, 'p, 'd> {
    walk: &'w mut Walk<'p, 'd>,
    leaf: LinePiece,
    /// Where the open piece starts in the normalised text, and where the next character is.
    from: u32,
    at: u32,
    /// Characters since the last cut.
    chars: u32,
}

impl Cutter<'_, '_, '_> {
    fn run(mut self, raw: &str) {
        let text = &self.walk.page.text[..];
        let wrap = self.walk.rules.wrap as u32;
        for c in raw.chars() {
            if c.is_whitespace() || c.is_control() {
                if c == '\n' || (wrap > 0 && self.walk.line.chars >= wrap) {
                    self.cut();
                }
                continue;
            }
            if is_invisible(c) {
                continue;
            }
            // A visible character is one character of the normalised text, with at most one space before it.
            if text.as_bytes()[self.at as usize] == b' ' {
                self.at += 1;
            }
            self.at += c.len_utf8() as u32;
            self.chars += 1;
            self.walk.line.chars += 1;
            if self.chars >= TOO_LONG || (self.chars >= LONG && is_sentence_mark(c)) {
                self.cut();
            }
        }
        self.push_piece();
    }

    fn push_piece(&mut self) {
        if self.from < self.at {
            self.walk.lines.pieces.push(LinePiece { start: self.from, end: self.at, ..self.leaf });
            self.from = self.at;
        }
    }

    fn cut(&mut self) {
        self.push_piece();
        self.walk.end_line();
        self.chars = 0;
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    const SOURCE: LineRules = LineRules { min_lines: 0, wrap: 0, pretty: false, blank: false };

    /// `chars/tags text` of each line.
    fn lines(html: &str, rules: LineRules) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let lines = SourceLines::new(&page, rules);
        let show = |at: usize| {
            let text = |piece: &LinePiece| page.text[piece.start as usize..piece.end as usize].trim().to_owned();
            let text = lines.pieces_of(at).iter().map(text).collect::<Vec<_>>().join(" ");
            format!("{}/{} {text}", lines.lines[at].chars, lines.lines[at].tags)
        };
        (0..lines.lines.len()).map(show).collect()
    }

    #[test]
    fn lines_end_where_the_text_of_the_source_breaks() {
        let html = "<body><div>\n<p>one <b>two</b>\nthree&nbsp;\u{200b}four</p>\n\n<script>\nx\n</script></div>";
        assert_eq!(lines(html, SOURCE), ["0/1 ", "6/3 one two", "9/1 three four", "0/1 "]);
    }

    #[test]
    fn blank_lines_count_when_they_should() {
        let html = "<body><p>a</p>\n\n<p>b</p>";
        assert_eq!(lines(html, LineRules { blank: true, ..SOURCE }), ["1/2 a", "0/0 ", "1/2 b"]);
    }

    #[test]
    fn a_source_on_few_lines_is_broken_after_every_tag() {
        let rules = LineRules { min_lines: 20, ..SOURCE };
        assert_eq!(lines("<body><p>one <b>two</b> three</p>", rules), ["0/1 ", "3/1 one", "3/1 two", "5/1 three"]);
    }

    #[test]
    fn a_pretty_source_breaks_around_blocks_only() {
        let rules = LineRules { pretty: true, ..SOURCE };
        assert_eq!(
            lines("<body><div><p>one <b>two</b></p></div>", rules),
            ["0/1 ", "0/1 ", "6/2 one two", "0/1 ", "0/1 "]
        );
    }

    #[test]
    fn long_lines_are_wrapped_at_white_space() {
        let rules = LineRules { wrap: 5, ..SOURCE };
        assert_eq!(lines("<body>ab cd ef gh ijklmnop", rules), ["6/0 ab cd ef", "10/0 gh ijklmnop"]);
    }

    #[test]
    fn a_giant_text_is_split_at_sentence_ends() {
        let html = format!("<body>{}", "Twenty chars of text. ".repeat(500));
        let lines = lines(&html, SOURCE);
        assert!(lines.len() == 5 && lines.iter().all(|line| line.ends_with("text.")), "{}", lines.len());
        let html = format!("<body>{}", "x".repeat(10_000));
        assert_eq!(self::lines(&html, SOURCE).len(), 3);
    }
}
