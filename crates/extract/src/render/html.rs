//! The HTML renderer: a small safe set of elements, everything from the page escaped.

use gristmill_html::NodeId;

use super::Structure;
use super::blocks::{Block, Role, Span, blocks};
use crate::page::Page;
use crate::selection::Selection;

/// The kept rows as an HTML fragment of `h1`–`h6 p ul ol li blockquote pre code table tr th td a strong em`.
///
/// No attribute but `href` with a web or relative address; nothing of the page's own markup is copied.
pub fn render_html(page: &Page<'_>, selection: &Selection) -> String {
    render_html_with(page, selection, &Structure::default())
}

/// As [`render_html`], without addresses of links or with images as `img` of `src` and `alt`; for the rest of
/// [`Structure`] the selection is what [`Structure::select`] leaves.
pub fn render_html_with(page: &Page<'_>, selection: &Selection, structure: &Structure) -> String {
    write(&blocks(page, selection, structure), false)
}

/// Blocks as an HTML fragment; `marking` puts what is kept into `mark`.
pub(super) fn write(blocks: &[Block<'_>], marking: bool) -> String {
    let mut writer = Writer { out: String::new(), open: Vec::new(), marking };
    for block in blocks {
        writer.block(block);
    }
    writer.close_to(0);
    writer.out
}

/// An element left open because the next block may belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Quote,
    List(bool),
    Item,
    Table(NodeId),
    Row(NodeId),
    Cell(NodeId, bool),
    Code(NodeId),
}

impl Open {
    fn name(self) -> &'static str {
        match self {
            Open::Quote => "blockquote",
            Open::List(true) => "ol",
            Open::List(false) => "ul",
            Open::Item => "li",
            Open::Table(_) => "table",
            Open::Row(_) => "tr",
            Open::Cell(_, true) => "th",
            Open::Cell(_, false) => "td",
            Open::Code(_) => "pre",
        }
    }
}

struct Writer {
    out: String,
    open: Vec<Open>,
    marking: bool,
}

impl Writer {
    fn block(&mut self, block: &Block<'_>) {
        let mut wanted = vec![Open::Quote; block.quotes];
        match &block.role {
            Role::Paragraph => self.element(&wanted, "p", &block.spans),
            Role::Heading(rank) => {
                self.element(&wanted, ["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(*rank) - 1], &block.spans)
            }
            Role::Image => self.image(&wanted, &block.spans),
            Role::Code { id } => {
                wanted.push(Open::Code(*id));
                if self.enter(&wanted) == 0 {
                    self.out.push('\n');
                }
                self.inline(&block.spans);
            }
            Role::Cell { table, row, cell, header } => {
                wanted.extend([Open::Table(*table), Open::Row(*row), Open::Cell(*cell, *header)]);
                if self.enter(&wanted) == 0 {
                    self.out.push(' ');
                }
                self.inline(&block.spans);
            }
            Role::Item { lists, number, first } => self.item(wanted, *lists, number.is_some(), *first, &block.spans),
        }
    }

    /// Lists around an item that were not opened yet are opened as plain ones; the innermost knows its kind.
    fn item(&mut self, mut wanted: Vec<Open>, lists: usize, ordered: bool, first: bool, spans: &[Span<'_>]) {
        let quotes = wanted.len();
        for level in 0..lists {
            let innermost = level + 1 == lists;
            let existing = self.open.get(quotes + 2 * level).copied();
            wanted.push(match existing {
                Some(open @ Open::List(_)) if !innermost => open,
                _ => Open::List(ordered && innermost),
            });
            wanted.push(Open::Item);
        }
        if first {
            let depth = wanted.len() - 1;
            if self.open.len() > depth {
                self.close_to(depth);
            }
        }
        if self.enter(&wanted) == 0 {
            self.out.push_str("<br>");
        }
        self.inline(spans);
    }

    fn image(&mut self, wanted: &[Open], spans: &[Span<'_>]) {
        self.enter(wanted);
        for span in spans {
            self.out.push_str("<p><img src=\"");
            escape(&mut self.out, span.link.unwrap_or_default());
            self.out.push_str("\" alt=\"");
            escape(&mut self.out, &span.text);
            self.out.push_str("\"></p>\n");
        }
    }

    fn element(&mut self, wanted: &[Open], name: &str, spans: &[Span<'_>]) {
        self.enter(wanted);
        self.out.push_str(&format!("<{name}>"));
        self.inline(spans);
        self.out.push_str(&format!("</{name}>\n"));
    }

    /// Makes exactly `wanted` open and returns how many elements it opened.
    fn enter(&mut self, wanted: &[Open]) -> usize {
        let common = self.open.iter().zip(wanted).take_while(|(a, b)| a == b).count();
        self.close_to(common);
        for &open in &wanted[common..] {
            self.out.push_str(&format!("<{}>", open.name()));
            self.open.push(open);
        }
        wanted.len() - common
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

    fn inline(&mut self, spans: &[Span<'_>]) {
        for span in spans {
            let mark = self.marking && span.kept;
            let marks: [(bool, &str); 4] =
                [(mark, "mark"), (span.strong, "strong"), (span.emphasis, "em"), (span.code, "code")];
            if let Some(href) = span.link {
                self.out.push_str("<a href=\"");
                escape(&mut self.out, href);
                self.out.push_str("\">");
            }
            marks.iter().filter(|(on, _)| *on).for_each(|(_, name)| self.out.push_str(&format!("<{name}>")));
            escape(&mut self.out, &span.text);
            marks.iter().rev().filter(|(on, _)| *on).for_each(|(_, name)| self.out.push_str(&format!("</{name}>")));
            if span.link.is_some() {
                self.out.push_str("</a>");
            }
        }
    }
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
