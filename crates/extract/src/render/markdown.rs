//! The Markdown renderer (CommonMark with pipe tables).

use super::Structure;
use super::blocks::{Block, Role, Span, blocks};
use crate::page::Page;
use crate::selection::Selection;

/// The kept rows as Markdown: headings, lists, tables, fenced code, block quotes, links, emphasis.
///
/// Characters of the page that Markdown would read as markup are escaped, and marks that it would not read as marks,
/// such as an asterisk within a word beside a quote, are left out, so that the words are those of the text. Links stay
/// as written on the page.
pub fn render_markdown(page: &Page<'_>, selection: &Selection) -> String {
    render_markdown_with(page, selection, &Structure::default())
}

/// As [`render_markdown`], without addresses of links or with images; for the rest of [`Structure`] the selection is what
/// [`Structure::select`] leaves.
pub fn render_markdown_with(page: &Page<'_>, selection: &Selection, structure: &Structure) -> String {
    let blocks = blocks(page, selection, structure);
    let mut out = String::new();
    let mut lists = Lists::default();
    let mut at = 0;
    while at < blocks.len() {
        let n = group_len(&blocks[at..]);
        let group = &blocks[at..at + n];
        let tight = at > 0 && both_items(&blocks[at - 1], &group[0]);
        if !tight {
            lists.close();
        }
        let body = match &group[0].role {
            Role::Cell { .. } => table(group),
            Role::Code { .. } => code(group),
            Role::Image => image(&group[0].spans),
            Role::Heading(rank) => heading(*rank, &group[0].spans),
            Role::Paragraph => escape_start(inline(&group[0].spans)),
            Role::Item { lists: level, number, first } => lists.item(&group[0], *level, *number, *first),
        };
        if !out.is_empty() {
            out.push_str(if tight && !lists.apart { "\n" } else { "\n\n" });
        }
        push_quoted(&mut out, &body, group[0].quotes);
        at += n;
    }
    out
}

fn heading(rank: u8, spans: &[Span<'_>]) -> String {
    let mut line = format!("{} {}", "#".repeat(usize::from(rank)), inline(spans));
    // Number signs at the end would close the heading.
    if line.ends_with('#') {
        line.insert(line.len() - 1, '\\');
    }
    line
}

/// The items that are open, each with the column at which its text begins, where what is below it stands, and whether it has a number.
#[derive(Default)]
struct Lists {
    columns: Vec<(usize, bool)>,
    /// The last item needs an empty line before it: it begins a list with another number than 1.
    apart: bool,
}

impl Lists {
    fn close(&mut self) {
        self.columns.clear();
    }

    fn column(&self) -> usize {
        self.columns.last().map_or(0, |(column, _)| *column)
    }

    /// `level` counts from 1. Lists around an item that hold no item so far are no levels of their own.
    fn item(&mut self, block: &Block<'_>, level: usize, number: Option<usize>, first: bool) -> String {
        let text = escape_start(inline(&block.spans));
        if !first && !self.columns.is_empty() {
            self.columns.truncate(level);
            self.apart = false;
            return format!("{}{text}", " ".repeat(self.column()));
        }
        let before = self.columns.clone();
        self.columns.truncate(level - 1);
        let column = self.column();
        let continues = before.get(self.columns.len()).is_some_and(|(_, numbered)| *numbered);
        self.apart = number.is_some_and(|number| number != 1) && !continues;
        // Nine digits are the most.
        let marker = match number.filter(|number| *number < 1_000_000_000) {
            Some(number) => format!("{number}. "),
            None => "- ".to_owned(),
        };
        self.columns.push((column + marker.len(), number.is_some()));
        format!("{}{marker}{text}", " ".repeat(column))
    }
}

/// How many blocks from the first on make one piece of Markdown.
fn group_len(blocks: &[Block<'_>]) -> usize {
    let same = |other: &Block<'_>| match (&blocks[0].role, &other.role) {
        (Role::Cell { table: a, .. }, Role::Cell { table: b, .. }) => a == b,
        (Role::Code { id: a }, Role::Code { id: b }) => a == b,
        _ => false,
    };
    1 + blocks[1..].iter().take_while(|other| same(other)).count()
}

fn both_items(a: &Block<'_>, b: &Block<'_>) -> bool {
    matches!((&a.role, &b.role), (Role::Item { .. }, Role::Item { .. })) && a.quotes == b.quotes
}

fn push_quoted(out: &mut String, body: &str, quotes: usize) {
    for (n, line) in body.split('\n').enumerate() {
        if n > 0 {
            out.push('\n');
        }
        out.push_str(&"> ".repeat(quotes));
        out.push_str(line);
    }
}

fn image(spans: &[Span<'_>]) -> String {
    spans
        .iter()
        .map(|span| format!("![{}](<{}>)", escape(&span.text), address(span.link.unwrap_or_default())))
        .collect()
}

fn code(blocks: &[Block<'_>]) -> String {
    let text =
        blocks.iter().flat_map(|block| &block.spans).map(|span| span.text.as_str()).collect::<Vec<_>>().join("\n");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}\n{text}\n{fence}")
}

fn table(blocks: &[Block<'_>]) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut last_row, mut last_cell) = (None, None);
    for block in blocks {
        let Role::Cell { row, cell, .. } = block.role else { continue };
        let text = inline(&block.spans).replace('|', "\\|");
        if last_row != Some(row) {
            rows.push(Vec::new());
        }
        let cells = rows.last_mut().expect("a row was pushed at the first cell");
        match cells.last_mut() {
            Some(open) if last_cell == Some(cell) => {
                open.push(' ');
                open.push_str(&text);
            }
            _ => cells.push(text),
        }
        (last_row, last_cell) = (Some(row), Some(cell));
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(1);
    // A head with fewer cells than the line below it would make no table.
    rows.first_mut().expect("the first block is a cell").resize(width, String::new());
    let mut lines: Vec<String> = rows.iter().map(|cells| format!("| {} |", cells.join(" | "))).collect();
    lines.insert(1, format!("|{}", " --- |".repeat(width)));
    lines.join("\n")
}

fn inline(spans: &[Span<'_>]) -> String {
    let mut out = String::new();
    for (n, span) in spans.iter().enumerate() {
        let text = span.text.trim_start();
        out.push_str(&span.text[..span.text.len() - text.len()]);
        let core = text.trim_end();
        let body = if span.code && !out.ends_with('`') { code_span(core) } else { escape(core) };
        let link = span.link.filter(|_| !core.is_empty());
        let mark = match (span.strong, span.emphasis) {
            _ if core.is_empty() => "",
            (true, true) => "***",
            (true, false) => "**",
            (false, true) => "*",
            (false, false) => "",
        };
        let after = if core.len() < text.len() { Some(' ') } else { spans[n + 1..].iter().find_map(first_char) };
        // Within a link the brackets are the neighbours.
        let (before, after) = if link.is_some() { (Some('['), Some(']')) } else { (out.chars().next_back(), after) };
        let mark = if can_mark(before, &body, after) { mark } else { "" };
        if link.is_some() && out.ends_with('!') {
            // Else it would be an image.
            out.insert(out.len() - 1, '\\');
        }
        match link {
            Some(href) => out.push_str(&format!("[{mark}{body}{mark}](<{}>)", address(href))),
            None => out.push_str(&format!("{mark}{body}{mark}")),
        }
        out.push_str(&text[core.len()..]);
    }
    out.trim().to_owned()
}

fn first_char(span: &Span<'_>) -> Option<char> {
    match span.text.chars().next()? {
        c if c.is_whitespace() => Some(c),
        _ if span.link.is_some() => Some('['),
        _ if span.code => Some('`'),
        c => Some(c),
    }
}

/// Whether asterisks around `body` would open and close emphasis there.
///
/// CommonMark §6.2: beside punctuation within, there must be white space, punctuation or an end without. Which letters
/// of all scripts are punctuation is not looked up: what is no letter or digit is taken for it within, and only ASCII
/// without. Asterisks that would touch those of the span before are no marks either.
fn can_mark(before: Option<char>, body: &str, after: Option<char>) -> bool {
    let solid = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let open = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || (c.is_ascii_punctuation() && c != '*'));
    let touches = before == Some('*') || after == Some('*');
    let left = solid(body.chars().next()) || open(before);
    let right = solid(body.chars().next_back()) || open(after);
    !touches && left && right
}

fn address(href: &str) -> String {
    href.replace('<', "%3C").replace('>', "%3E").replace('\\', "%5C")
}

fn code_span(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    match longest {
        0 => format!("`{text}`"),
        n => {
            let ticks = "`".repeat(n + 1);
            format!("{ticks} {text} {ticks}")
        }
    }
}

/// Escapes what CommonMark would read as markup inside of a line.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Escapes what would turn a line into a heading, list or rule.
fn escape_start(line: String) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match line.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => format!("{}\\{}", &line[..digits], &line[digits..]),
        Some(b'#' | b'-' | b'+' | b'=' | b'|') if digits == 0 => format!("\\{line}"),
        _ => line,
    }
}
