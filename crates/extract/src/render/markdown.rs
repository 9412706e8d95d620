//! The Markdown renderer (CommonMark with pipe tables).

use super::blocks::{Block, Role, Span, blocks};
use crate::page::Page;
use crate::selection::Selection;

/// The kept rows as Markdown: headings, lists, tables, fenced code, block quotes, links, emphasis.
///
/// Characters of the page that Markdown would read as markup are escaped. Links stay as written on the page.
pub fn render_markdown(page: &Page<'_>, selection: &Selection) -> String {
    let blocks = blocks(page, selection);
    let mut out = String::new();
    let mut at = 0;
    while at < blocks.len() {
        let n = group_len(&blocks[at..]);
        let group = &blocks[at..at + n];
        let body = match &group[0].role {
            Role::Cell { .. } => table(group),
            Role::Code { .. } => code(group),
            Role::Heading(rank) => format!("{} {}", "#".repeat(usize::from(*rank)), inline(&group[0].spans)),
            Role::Paragraph => escape_start(inline(&group[0].spans)),
            Role::Item { lists, number, first } => item(&group[0], *lists, *number, *first),
        };
        let tight = at > 0 && both_items(&blocks[at - 1], &group[0]);
        if !out.is_empty() {
            out.push_str(if tight { "\n" } else { "\n\n" });
        }
        push_quoted(&mut out, &body, group[0].quotes);
        at += n;
    }
    out
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

fn item(block: &Block<'_>, lists: usize, number: Option<usize>, first: bool) -> String {
    let indent = "    ".repeat(lists - 1);
    let text = escape_start(inline(&block.spans));
    match (first, number) {
        (false, _) => format!("{indent}    {text}"),
        (true, Some(number)) => format!("{indent}{number}. {text}"),
        (true, None) => format!("{indent}- {text}"),
    }
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
    let mut lines: Vec<String> = rows.iter().map(|cells| format!("| {} |", cells.join(" | "))).collect();
    lines.insert(1, format!("|{}", " --- |".repeat(width)));
    lines.join("\n")
}

fn inline(spans: &[Span<'_>]) -> String {
    let mut out = String::new();
    for span in spans {
        let text = span.text.trim_start();
        out.push_str(&span.text[..span.text.len() - text.len()]);
        let core = text.trim_end();
        let mark = match (span.strong, span.emphasis) {
            _ if core.is_empty() => "",
            (true, true) => "***",
            (true, false) => "**",
            (false, true) => "*",
            (false, false) => "",
        };
        let body = if span.code { code_span(core) } else { escape(core) };
        match span.link.filter(|_| !core.is_empty()) {
            Some(href) => out.push_str(&format!("[{mark}{body}{mark}](<{}>)", href.replace(['<', '>'], ""))),
            None => out.push_str(&format!("{mark}{body}{mark}")),
        }
        out.push_str(&text[core.len()..]);
    }
    out.trim().to_owned()
}

fn code_span(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
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
