//! The Markdown renderer (CommonMark with pipe tables).

use std::borrow::Cow;

use gristmill_page::{Page, Selection};

use super::Structure;
use super::block::{Block, Role};
use super::blocks::blocks;
use super::html::wide_spaces;
use super::spans::Span;

/// The kept rows as Markdown: headings, lists, tables, fenced code, block quotes, links, emphasis.
///
/// Characters of the page that Markdown would read as markup are escaped, and marks that it would not read as marks,
/// such as an asterisk within a word beside a quote, are left out, so that the words are those of the text. Addresses
/// are resolved against the `base` of the page, if it has an absolute one.
pub fn render_markdown(page: &Page<'_>, selection: &Selection) -> String {
    render_markdown_with(page, selection, &Structure::default(), None)
}

/// As [`render_markdown`], with addresses resolved against that of the page, without addresses of links or with images;
/// for the rest of [`Structure`] the selection is what [`Structure::select`] leaves.
pub fn render_markdown_with(
    page: &Page<'_>,
    selection: &Selection,
    structure: &Structure,
    url: Option<&str>,
) -> String {
    let blocks = blocks(page, selection, structure, url);
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
            Role::Code { language } => code(language.as_deref(), &group[0].spans),
            Role::Image => image(&group[0].spans),
            Role::Heading(rank) => heading(*rank, &group[0].spans),
            Role::Paragraph | Role::Caption { .. } => lines(&group[0].spans).join(LINE_BREAK),
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

/// What keeps spaces apart that a reader would collapse.
const NO_BREAK_SPACE: &str = "\u{a0}";
/// A line break that is no end of a paragraph.
const LINE_BREAK: &str = "\\\n";

fn heading(rank: u8, spans: &[Span<'_>]) -> String {
    // A heading has one line.
    let mut line = format!("{} {}", "#".repeat(usize::from(rank)), inline(spans).join(" "));
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
        let lines = lines(&block.spans);
        let text = |column: usize| lines.join(&format!("{LINE_BREAK}{}", " ".repeat(column)));
        if !first && !self.columns.is_empty() {
            self.columns.truncate(level);
            self.apart = false;
            return format!("{}{}", " ".repeat(self.column()), text(self.column()));
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
        format!("{}{marker}{}", " ".repeat(column), text(column + marker.len()))
    }
}

/// How many blocks from the first on make one piece of Markdown.
fn group_len(blocks: &[Block<'_>]) -> usize {
    let same = |other: &Block<'_>| match (&blocks[0].role, &other.role) {
        (Role::Cell { table: a, .. }, Role::Cell { table: b, .. }) => a == b,
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
        .map(|span| format!("![{}]({})", escape(&span.text), destination(span.link.as_deref().unwrap_or_default())))
        .collect()
}

fn code(language: Option<&str>, spans: &[Span<'_>]) -> String {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{}\n{text}\n{fence}", language.unwrap_or_default())
}

fn table(blocks: &[Block<'_>]) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut last_row, mut last_cell) = (None, None);
    for block in blocks {
        let Role::Cell { row, cell, place, .. } = block.role else { continue };
        let text = inline(&block.spans).join("<br>").replace('|', "\\|");
        if last_row != Some(row) {
            rows.push(Vec::new());
        }
        let cells = rows.last_mut().expect("a row was pushed at the first cell");
        match cells.last_mut() {
            Some(open) if last_cell == Some(cell) => {
                open.push_str("<br>");
                open.push_str(&text);
            }
            _ => {
                // What is wide, empty or reaches down from above leaves cells empty.
                cells.resize(cells.len().max(place.column), String::new());
                cells.push(text);
            }
        }
        (last_row, last_cell) = (Some(row), Some(cell));
    }
    let reach = |block: &Block<'_>| match block.role {
        Role::Cell { place, .. } => place.column + place.columns,
        _ => 0,
    };
    let width = rows.iter().map(Vec::len).chain(blocks.iter().map(reach)).max().unwrap_or(1);
    // A head with fewer cells than the line below it would make no table.
    rows.first_mut().expect("the first block is a cell").resize(width, String::new());
    let mut lines: Vec<String> = rows.iter().map(|cells| format!("| {} |", cells.join(" | "))).collect();
    lines.insert(1, format!("|{}", " --- |".repeat(width)));
    lines.join("\n")
}

/// The lines of a paragraph.
fn lines(spans: &[Span<'_>]) -> Vec<String> {
    inline(spans).into_iter().map(escape_start).collect()
}

/// Text in styles, line by line.
fn inline(spans: &[Span<'_>]) -> Vec<String> {
    let lines: Vec<Span<'_>> = spans.iter().flat_map(lines_of).collect();
    let text = on_one_line(&lines);
    let lines = text.split('\n').map(|line| line.trim_matches([' ', '\t'])).filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

/// Code cannot hold a line break, so each line is a span of its own.
fn lines_of<'s>(span: &'s Span<'_>) -> impl Iterator<Item = Span<'s>> {
    let code = span.code && span.text.contains('\n');
    let pieces: Vec<&str> = if code { span.text.split_inclusive('\n').collect() } else { vec![&span.text] };
    pieces.into_iter().map(|piece| Span {
        text: piece.to_owned(),
        link: span.link.as_deref().map(Cow::Borrowed),
        ..*span
    })
}

fn on_one_line(spans: &[Span<'_>]) -> String {
    let mut out = String::new();
    for (n, span) in spans.iter().enumerate() {
        let text = span.text.trim_start();
        out.push_str(&wide_spaces(&span.text[..span.text.len() - text.len()], NO_BREAK_SPACE));
        let core = text.trim_end();
        let as_code = span.code && !out.ends_with('`');
        let body = if as_code { code_span(core) } else { escape(&wide_spaces(core, NO_BREAK_SPACE)) };
        let link = span.link.as_deref().filter(|_| !core.is_empty());
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
            Some(href) => out.push_str(&format!("[{mark}{body}{mark}]({})", destination(href))),
            None => out.push_str(&format!("{mark}{body}{mark}")),
        }
        out.push_str(&text[core.len()..]);
    }
    out
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

/// The address as a link destination: in pointed brackets only where CommonMark §6.3 would not read it without.
fn destination(href: &str) -> String {
    let mut address = String::with_capacity(href.len());
    for (at, c) in href.char_indices() {
        match c {
            '<' => address.push_str("%3C"),
            '>' => address.push_str("%3E"),
            '\\' => address.push_str("%5C"),
            // Code would begin here, whatever is around it.
            '`' => address.push_str("%60"),
            '&' if is_entity(&href[at..]) => address.push_str("&amp;"),
            c => address.push(c),
        }
    }
    if is_bare(&address) { address } else { format!("<{address}>") }
}

/// Whether a destination needs no pointed brackets: no white space, and parentheses in pairs, not nested.
fn is_bare(address: &str) -> bool {
    let mut open = false;
    let paired = address.chars().all(|c| match c {
        '(' => !std::mem::replace(&mut open, true),
        ')' => std::mem::replace(&mut open, false),
        c => !c.is_whitespace() && !c.is_control(),
    });
    paired && !open && !address.is_empty()
}

/// Whether a text that begins with `&` begins with a character reference.
fn is_entity(text: &str) -> bool {
    const MAX_BYTES: usize = 40;
    let name =
        text[1..].bytes().take(MAX_BYTES).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
    name > 0 && text.as_bytes().get(1 + name) == Some(&b';')
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
        // Below another line it would make a table of both.
        Some(b':') if digits == 0 && line.bytes().all(|byte| b":-| ".contains(&byte)) => format!("\\{line}"),
        _ => line,
    }
}
