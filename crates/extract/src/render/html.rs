//! The HTML renderer: a small safe set of elements, everything from the page escaped.

use gristmill_html::{Doc, FormulaStyle, LocalName, NodeId};
use gristmill_page::{Page, Selection, notes::Note};

use super::Structure;
use super::block::{Block, BlockRole, Container, Marker};
use super::blocks::blocks;
use super::formulas::delimiters;
use super::grid::CellPosition;
use super::raised::{Level, RaisedForm};
use super::spans::StyledRun;

/// The kept rows as an HTML fragment of `h1`–`h6 p br ul ol li dl dt dd blockquote pre code table caption tr th td a strong em mark sup sub`.
///
/// No attributes but `href` with a web or relative address, `class=language-…` of code, `dir=rtl`, the numbers `start`,
/// `colspan` and `rowspan`, and `type` and `reversed` of lists; nothing of the page's own markup is copied. Addresses are resolved
/// against the `base` of the page, if it has an absolute one.
pub fn render_html(page: &Page<'_>, selection: &Selection) -> String {
    render_html_with(page, selection, &Structure::default(), None)
}

/// As [`render_html`], with addresses resolved against that of the page, without addresses of links or with images as
/// `img` of `src` and `alt`; for the rest of [`Structure`] the selection is what [`Structure::select`] leaves.
pub fn render_html_with(page: &Page<'_>, selection: &Selection, structure: &Structure, url: Option<&str>) -> String {
    write(page, &blocks(page, selection, structure, url), false)
}

/// Blocks as an HTML fragment; `marking` puts what is kept into `mark`.
pub(super) fn write(page: &Page<'_>, blocks: &[Block<'_>], marking: bool) -> String {
    let all_rtl = !blocks.is_empty() && blocks.iter().all(|block| block.rtl);
    let mut writer = Writer {
        doc: page.doc,
        notes: &page.notes().notes,
        out: String::new(),
        open: Vec::new(),
        cells: None,
        line: None,
        marking,
        says_rtl: !all_rtl,
    };
    for block in blocks {
        writer.block(block);
    }
    writer.close_to(0);
    if all_rtl { format!("<div dir=\"rtl\">\n{}</div>\n", writer.out) } else { writer.out }
}

/// An element left open because the next block may belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    In(Container),
    Table(NodeId),
    Row(NodeId),
    Cell(NodeId, bool),
}

impl Open {
    fn name(self) -> &'static str {
        match self {
            Open::In(Container::Quote(_)) => "blockquote",
            Open::In(Container::List(_, true)) => "ol",
            Open::In(Container::List(_, false)) => "ul",
            Open::In(Container::Item(..)) => "li",
            Open::In(Container::Terms(_)) => "dl",
            Open::In(Container::Definition(_)) => "dd",
            Open::In(Container::Note(_)) => "aside",
            Open::Table(_) => "table",
            Open::Row(_) => "tr",
            Open::Cell(_, true) => "th",
            Open::Cell(_, false) => "td",
        }
    }
}

struct Writer<'p> {
    doc: &'p Doc,
    notes: &'p [Note],
    out: String,
    open: Vec<Open>,
    /// The row of the last cell, and how many cells of it are written.
    cells: Option<(NodeId, usize)>,
    /// The row of a table within the last cell.
    line: Option<NodeId>,
    marking: bool,
    /// Blocks say that they are written from right to left; else one element around all does.
    says_rtl: bool,
}

impl Writer<'_> {
    fn block(&mut self, block: &Block<'_>) {
        let mut wanted: Vec<Open> = block.within.iter().map(|container| Open::In(*container)).collect();
        let rtl = block.rtl && self.says_rtl;
        match &block.role {
            BlockRole::Paragraph => self.paragraph(&wanted, &block.spans, rtl),
            BlockRole::Term => self.element(&wanted, "dt", &block.spans, rtl),
            BlockRole::Summary => self.element(&wanted, "p", &block.spans, rtl),
            BlockRole::Rule => {
                self.enter(&wanted);
                self.out.push_str("<hr>\n");
            }
            BlockRole::Heading(rank) => {
                self.element(&wanted, ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(*rank) - 1], &block.spans, rtl)
            }
            BlockRole::Code { language } => {
                self.enter(&wanted);
                self.code(language.as_deref(), &block.spans);
                self.out.push('\n');
            }
            BlockRole::Caption { table } => {
                wanted.push(Open::Table(*table));
                self.element(&wanted, "caption", &block.spans, rtl);
            }
            BlockRole::Cell { table, row, cell, header, place, line } => {
                wanted.extend([Open::Table(*table), Open::Row(*row)]);
                let same_line = line.is_some() && *line == self.line;
                self.line = *line;
                self.cell(wanted, Open::Cell(*cell, *header), *row, *place, if same_line { " " } else { "<br>" });
                self.inline(&block.spans);
            }
        }
    }

    fn code(&mut self, language: Option<&str>, spans: &[StyledRun<'_>]) {
        self.out.push_str("<pre>");
        if let Some(language) = language {
            self.out.push_str("<code class=\"language-");
            escape(&mut self.out, language);
            self.out.push_str("\">");
        }
        for span in spans {
            let mark = self.marking && span.kept;
            self.out.push_str(if mark { "<mark>" } else { "" });
            escape(&mut self.out, &span.text);
            self.out.push_str(if mark { "</mark>" } else { "" });
        }
        self.out.push_str(if language.is_some() { "</code></pre>" } else { "</pre>" });
    }

    /// Opens a cell, or a new line in the one that is open; cells before it of which nothing is kept stay as empty ones.
    fn cell(&mut self, mut wanted: Vec<Open>, cell: Open, row: NodeId, place: CellPosition, divider: &str) {
        let depth = wanted.len();
        wanted.push(cell);
        if self.open == wanted {
            self.out.push_str(divider);
            return;
        }
        if self.open.len() > depth && self.open[..depth] == wanted[..depth] {
            self.close_to(depth);
        }
        self.enter(&wanted[..depth]);
        let written = self.cells.filter(|(before, _)| *before == row).map_or(0, |(_, n)| n);
        self.out.push_str(&"<td></td>".repeat(place.ordinal.saturating_sub(written)));
        self.cells = Some((row, place.ordinal + 1));
        self.out.push_str(&format!("<{}", cell.name()));
        for (name, n) in [("colspan", place.columns), ("rowspan", place.rows)] {
            if n > 1 {
                self.out.push_str(&format!(" {name}=\"{n}\""));
            }
        }
        self.out.push('>');
        self.open.push(cell);
    }

    /// The first one of an item or definition needs no element of its own.
    fn paragraph(&mut self, wanted: &[Open], spans: &[StyledRun<'_>], rtl: bool) {
        let opened = self.enter(wanted);
        match wanted.last() {
            Some(Open::In(Container::Item(..) | Container::Definition(_) | Container::Note(_)))
                if opened > 0 && !rtl =>
            {
                self.inline(spans)
            }
            _ => self.element(wanted, "p", spans, rtl),
        }
    }

    fn image(&mut self, address: &str, alt: &str) {
        self.out.push_str("<img src=\"");
        escape(&mut self.out, address);
        self.out.push_str("\" alt=\"");
        escape(&mut self.out, alt);
        self.out.push_str("\">");
    }

    fn element(&mut self, wanted: &[Open], name: &str, spans: &[StyledRun<'_>], rtl: bool) {
        self.enter(wanted);
        let dir = if rtl { " dir=\"rtl\"" } else { "" };
        self.out.push_str(&format!("<{name}{dir}>"));
        self.inline(spans);
        self.out.push_str(&format!("</{name}>\n"));
    }

    /// Makes exactly `wanted` open and returns how many elements it opened.
    fn enter(&mut self, wanted: &[Open]) -> usize {
        let common = self.open.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        self.close_to(common);
        for (at, &open) in wanted.iter().enumerate().skip(common) {
            match (open, wanted.get(at + 1)) {
                (Open::In(Container::List(list, true)), Some(Open::In(Container::Item(_, Marker::Number(number))))) => {
                    self.ordered(list, *number);
                }
                (Open::In(Container::Item(_, Marker::Box { ticked })), _) => {
                    let checked = if ticked { " checked" } else { "" };
                    self.out.push_str(&format!("<li><input type=\"checkbox\" disabled{checked}> "));
                }
                (Open::In(Container::Note(note)), _) => {
                    let label = &self.notes[note].label;
                    self.out.push_str(&format!("<aside id=\"note-{label}\" role=\"doc-footnote\"><sup>{label}</sup> "));
                }
                _ => self.out.push_str(&format!("<{}>", open.name())),
            }
            self.open.push(open);
        }
        wanted.len() - common
    }

    /// Opens an ordered list as the page counts it.
    fn ordered(&mut self, list: NodeId, first: usize) {
        self.out.push_str("<ol");
        if let Some(kind) = self.doc.attr(list, LocalName::TYPE).filter(|kind| ["a", "A", "i", "I"].contains(kind)) {
            self.out.push_str(&format!(" type=\"{kind}\""));
        }
        let is_reversed = self.doc.attributes(list).any(|attribute| self.doc.name_str(attribute.name) == "reversed");
        self.out.push_str(if is_reversed { " reversed" } else { "" });
        if first != 1 {
            self.out.push_str(&format!(" start=\"{first}\""));
        }
        self.out.push('>');
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some(open) = self.open.pop() else { return };
            self.out.push_str(&format!("</{}>", open.name()));
            if !matches!(open, Open::Cell(..)) {
                self.out.push('\n');
            }
        }
    }

    fn inline(&mut self, spans: &[StyledRun<'_>]) {
        for span in spans {
            if span.note.is_some() {
                let label = &span.text;
                self.out.push_str(&format!("<sup><a href=\"#note-{label}\" role=\"doc-noteref\">{label}</a></sup>"));
                continue;
            }
            if span.code && span.text.contains('\n') {
                self.code(None, std::slice::from_ref(span));
                continue;
            }
            let mark = self.marking && span.kept;
            let level = span.raised.as_ref().map(|(level, _)| *level);
            let marks: [(bool, &str); 7] = [
                (span.struck, "del"),
                (mark || span.marked && !self.marking, "mark"),
                (span.strong, "strong"),
                (span.emphasis, "em"),
                (span.code, "code"),
                (level == Some(Level::Above), "sup"),
                (level == Some(Level::Below), "sub"),
            ];
            if let Some(href) = &span.link {
                self.out.push_str("<a href=\"");
                escape(&mut self.out, href);
                self.out.push_str("\">");
            }
            if let Some(address) = &span.image {
                self.image(address, &span.text);
            } else if let Some(style) = span.formula {
                self.out.push_str(if mark { "<mark>" } else { "" });
                self.formula(&span.text, style);
                self.out.push_str(if mark { "</mark>" } else { "" });
            } else {
                self.styled(span, &marks);
            }
            if span.link.is_some() {
                self.out.push_str("</a>");
            }
        }
    }

    fn styled(&mut self, span: &StyledRun<'_>, marks: &[(bool, &str)]) {
        marks.iter().filter(|(on, _)| *on).for_each(|(_, name)| self.out.push_str(&format!("<{name}>")));
        match &span.raised {
            // A reading has its brackets.
            Some((Level::Reading, RaisedForm::Characters(characters))) => self.lines(characters),
            _ => self.lines(&span.text),
        }
        marks.iter().rev().filter(|(on, _)| *on).for_each(|(_, name)| self.out.push_str(&format!("</{name}>")));
    }

    fn formula(&mut self, tex: &str, style: FormulaStyle) {
        let name = if style == FormulaStyle::Display { "display" } else { "inline" };
        let [open, close] = delimiters(style).1;
        self.out.push_str(&format!("<span class=\"math {name}\">{open}"));
        escape(&mut self.out, tex.trim());
        self.out.push_str(&format!("{close}</span>"));
    }

    /// Text with its line breaks, and with its spaces where several stand together.
    fn lines(&mut self, text: &str) {
        if !text.contains(['\n', '\t']) && !text.contains("  ") {
            return escape(&mut self.out, text);
        }
        for (n, line) in text.split('\n').enumerate() {
            if n > 0 {
                self.out.push_str("<br>");
            }
            escape(&mut self.out, &wide_spaces(line, "\u{a0}"));
        }
    }
}

/// All but the last of several white spaces as what readers do not collapse; a tab is as wide as four.
pub(super) fn wide_spaces(line: &str, space: &str) -> String {
    let line = line.replace('\t', "    ");
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(at) = rest.find("  ") {
        out.push_str(&rest[..at]);
        out.push_str(space);
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out
}

pub(super) fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
}
