//! The Markdown renderer (CommonMark with pipe tables).

use std::borrow::Cow;
use std::ops::Range;

use gristmill_page::{Page, Selection, notes::Note};
use gristmill_text::is_punctuation;

use super::Structure;
use super::block::{Block, BlockRole, Container, Marker};
use super::blocks::blocks;
use super::escape;
use super::formulas::delimiters;
use super::html::wide_spaces;
use super::raised::{Level, RaisedForm};
use super::spans::StyledRun;

/// The kept rows as Markdown: headings, lists, definitions, tables, fenced code, block quotes, links, emphasis.
///
/// Characters of the page that a reader of Markdown would take for markup have a backslash, others have none, and marks that it would not
/// read as marks, such as an asterisk within a word beside a quote, are left out, so that the words are those of the text. Addresses are
/// resolved against the `base` of the page, if it has an absolute one.
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
    let mut writer = Writer { notes: &page.notes().notes, out: String::new(), open: Vec::new() };
    let mut at = 0;
    while at < blocks.len() {
        let group = &blocks[at..at + group_len(&blocks[at..])];
        let body = match &group[0].role {
            BlockRole::Cell { .. } => table(group),
            BlockRole::Code { language } => code(language.as_deref(), &group[0].spans),
            BlockRole::Heading(rank) => heading(*rank, &group[0].spans),
            BlockRole::Rule => "---".to_owned(),
            BlockRole::Paragraph | BlockRole::Term | BlockRole::Summary | BlockRole::Caption { .. } => {
                lines(&group[0].spans).join(LINE_BREAK)
            }
        };
        writer.block(&group[0].within, &body);
        at += group.len();
    }
    writer.out
}

/// Writes blocks below one another, with what begins the lines of the containers that they stand in.
struct Writer<'p> {
    notes: &'p [Note],
    out: String,
    /// The containers of the last block, each with what its lines begin with behind the first.
    open: Vec<(Container, String)>,
}

impl Writer<'_> {
    fn block(&mut self, within: &[Container], body: &str) {
        let common = self.open.iter().zip(within).take_while(|((open, _), wanted)| open == *wanted).count();
        let stays_in_list = within[common..].first().is_some_and(|first| self.goes_on(common, *first, within));
        self.open.truncate(common);
        let outside: String = self.open.iter().map(|(_, begin)| begin.as_str()).collect();
        if !self.out.is_empty() {
            self.out.push('\n');
            if !stays_in_list {
                self.out.push_str(outside.trim_end());
                self.out.push('\n');
            }
        }
        let mut begin = outside;
        for container in &within[common..] {
            let (first, others) = self.marker(*container);
            begin.push_str(&first);
            self.open.push((*container, others));
        }
        let others: String = self.open.iter().map(|(_, begin)| begin.as_str()).collect();
        for (n, line) in body.split('\n').enumerate() {
            match n {
                0 => self.out.push_str(&begin),
                _ => self.out.extend(["\n", if line.is_empty() { others.trim_end() } else { &others }]),
            }
            self.out.push_str(line);
        }
    }

    /// What the first line of a container begins with, and the others.
    fn marker(&self, container: Container) -> (String, String) {
        match container {
            Container::Quote(_) => ("> ".to_owned(), "> ".to_owned()),
            Container::List(..) | Container::Terms(_) => (String::new(), String::new()),
            // Nine digits are the most.
            Container::Item(_, Marker::Number(number)) if number < 1_000_000_000 => {
                let marker = format!("{number}. ");
                let width = marker.len();
                (marker, " ".repeat(width))
            }
            Container::Item(_, Marker::Box { ticked }) => {
                (if ticked { "- [x] " } else { "- [ ] " }.to_owned(), "  ".to_owned())
            }
            Container::Item(..) => ("- ".to_owned(), "  ".to_owned()),
            Container::Note(note) => (format!("[^{}]: ", self.notes[note].label), "    ".to_owned()),
            // As pandoc and PHP Markdown Extra have it; others see a line that begins with a colon.
            Container::Definition(_) => (":   ".to_owned(), "    ".to_owned()),
        }
    }

    /// Whether no empty line is wanted before the container that begins inside of the `common` ones: the next item of a list, a list
    /// below the text of an item, a definition.
    fn goes_on(&self, common: usize, first: Container, within: &[Container]) -> bool {
        match (self.open[..common].last(), first) {
            (Some((Container::List(..), _)), Container::Item(..)) => true,
            // A list that begins with another number than 1 cannot interrupt a paragraph.
            (Some((Container::Item(..), _)), Container::List(..)) => {
                !matches!(within.get(common + 1), Some(Container::Item(_, Marker::Number(number))) if *number != 1)
            }
            (Some((Container::Terms(_), _)), Container::Definition(_)) => true,
            _ => false,
        }
    }
}

/// What keeps spaces apart that a reader would collapse.
const NO_BREAK_SPACE: &str = "\u{a0}";
/// A line break that is no end of a paragraph.
const LINE_BREAK: &str = "\\\n";

fn heading(rank: u8, spans: &[StyledRun<'_>]) -> String {
    // A heading has one line.
    let mut line = format!("{} {}", "#".repeat(usize::from(rank)), inline(spans).join(" "));
    // Number signs behind a space would close the heading.
    let text = line.trim_end_matches('#');
    if text.len() < line.len() && text.ends_with(' ') {
        line.insert(line.len() - 1, '\\');
    }
    line
}

/// How many blocks from the first on make one piece of Markdown.
fn group_len(blocks: &[Block<'_>]) -> usize {
    let same = |other: &Block<'_>| match (&blocks[0].role, &other.role) {
        (BlockRole::Cell { table: a, .. }, BlockRole::Cell { table: b, .. }) => a == b,
        _ => false,
    };
    1 + blocks[1..].iter().take_while(|other| same(other)).count()
}

fn image(alt: &str, address: &str, link: Option<&str>) -> String {
    let image = format!("![{}]({})", label(alt), destination(address));
    match link {
        Some(href) => format!("[{image}]({})", destination(href)),
        None => image,
    }
}

fn code(language: Option<&str>, spans: &[StyledRun<'_>]) -> String {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    format!("{fence}{}\n{text}\n{fence}", language.unwrap_or_default())
}

fn table(blocks: &[Block<'_>]) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let (mut last_row, mut last_cell, mut last_line) = (None, None, None);
    for block in blocks {
        let BlockRole::Cell { row, cell, place, line, .. } = block.role else { continue };
        let text = inline(&block.spans).join("<br>").replace('|', "\\|");
        if last_row != Some(row) {
            rows.push(Vec::new());
        }
        let cells = rows.last_mut().expect("a row was pushed at the first cell");
        match cells.last_mut() {
            Some(open) if last_cell == Some(cell) => {
                open.push_str(if line.is_some() && line == last_line { " " } else { "<br>" });
                open.push_str(&text);
            }
            _ => {
                // What is wide, empty or reaches down from above leaves cells empty.
                cells.resize(cells.len().max(place.column), String::new());
                cells.push(text);
            }
        }
        (last_row, last_cell, last_line) = (Some(row), Some(cell), line);
    }
    let reach = |block: &Block<'_>| match block.role {
        BlockRole::Cell { place, .. } => place.column + place.columns,
        _ => 0,
    };
    let width = rows.iter().map(Vec::len).chain(blocks.iter().map(reach)).max().unwrap_or(1);
    without_empty_columns(&mut rows, width);
    let width = rows.iter().map(Vec::len).max().unwrap_or(1);
    if rows.len() == 1 && width == 1 {
        // What is left of a table whose other cells are menus.
        let lines: Vec<String> = blocks.iter().map(|block| inline(&block.spans).join("\\\n")).collect();
        return lines.join("\n\n");
    }
    let mut lines: Vec<String> = rows.iter().map(|cells| format!("| {} |", cells.join(" | "))).collect();
    lines.insert(1, format!("|{}", " --- |".repeat(width)));
    lines.join("\n")
}

/// Gives all rows the same number of cells, without columns that only make room on the page. Rows that are much shorter than the head stay
/// short, which a reader of Markdown fills up, lest the text be many times as long as the page.
fn without_empty_columns(rows: &mut [Vec<String>], width: usize) {
    const MAX_ADDED: usize = 20;
    let mut is_used = vec![false; width];
    for cells in rows.iter() {
        cells.iter().zip(&mut is_used).for_each(|(cell, used)| *used |= !cell.is_empty());
    }
    let width = is_used.iter().filter(|used| **used).count().max(1);
    for (n, cells) in rows.iter_mut().enumerate() {
        let mut used = is_used.iter();
        cells.retain(|_| used.next().is_some_and(|used| *used));
        // A head with fewer cells than the line below it would make no table.
        if n == 0 || width <= 2 * cells.len() + MAX_ADDED {
            cells.resize(width, String::new());
        }
    }
}

/// The lines of a paragraph.
fn lines(spans: &[StyledRun<'_>]) -> Vec<String> {
    inline(spans).into_iter().enumerate().map(|(n, line)| escape::start(line, n == 0)).collect()
}

/// Text in styles, line by line.
fn inline(spans: &[StyledRun<'_>]) -> Vec<String> {
    let lines: Vec<StyledRun<'_>> = spans.iter().flat_map(lines_of).collect();
    let text = escape::resolve(&on_one_line(&lines));
    let lines = text.split('\n').map(|line| line.trim_matches([' ', '\t'])).filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

/// Code cannot hold a line break, so each line is a span of its own.
fn lines_of<'s>(span: &'s StyledRun<'_>) -> impl Iterator<Item = StyledRun<'s>> {
    let code = span.code && span.text.contains('\n');
    let pieces: Vec<&str> = if code { span.text.split_inclusive('\n').collect() } else { vec![&span.text] };
    pieces.into_iter().map(|piece| StyledRun {
        text: piece.to_owned(),
        link: span.link.as_deref().map(Cow::Borrowed),
        image: span.image.as_deref().map(Cow::Borrowed),
        raised: span.raised.clone(),
        ..*span
    })
}

fn on_one_line(spans: &[StyledRun<'_>]) -> String {
    runs(spans, false)
}

/// How many spans from the first on are of one link: text in several styles, and the blanks between.
fn n_linked(spans: &[StyledRun<'_>]) -> usize {
    let is_text = |span: &StyledRun<'_>| span.image.is_none() && span.note.is_none();
    let mut n = 0;
    for (at, span) in spans.iter().enumerate() {
        match &span.link {
            Some(_) if span.anchor.is_some() && span.anchor == spans[0].anchor && is_text(span) => n = at + 1,
            None if at > 0 && span.text.trim().is_empty() && is_text(span) => {}
            _ => break,
        }
    }
    n
}

/// A link around spans of several styles.
fn push_linked(out: &mut String, spans: &[StyledRun<'_>]) {
    let inner = runs(spans, true);
    let text = inner.trim();
    out.push_str(&inner[..inner.len() - inner.trim_start().len()]);
    if out.ends_with('!') {
        // Else it would be an image.
        out.insert(out.len() - 1, '\\');
    }
    match spans[0].link.as_deref().filter(|_| !text.is_empty()) {
        Some(href) => out.push_str(&format!("[{text}]({})", destination(href))),
        None => out.push_str(text),
    }
    out.push_str(&inner[inner.trim_end().len()..]);
}

/// Runs of one style behind one another; `in_link` where they stand between the brackets of one.
fn runs(spans: &[StyledRun<'_>], in_link: bool) -> String {
    let mut out = String::new();
    let mut behind = 0;
    for (n, span) in spans.iter().enumerate() {
        if n < behind {
            continue;
        }
        let linked = if in_link { 0 } else { n_linked(&spans[n..]) };
        if linked > 1 {
            push_linked(&mut out, &spans[n..n + linked]);
            behind = n + linked;
            continue;
        }
        let text = span.text.trim_start();
        out.push_str(&wide_spaces(&span.text[..span.text.len() - text.len()], NO_BREAK_SPACE));
        let core = text.trim_end();
        let as_code = span.code && !out.ends_with('`');
        if span.note.is_some() {
            out.push_str(&format!("[^{core}]"));
            continue;
        }
        if let Some(address) = &span.image {
            out.push_str(&image(core, address, span.link.as_deref()));
            continue;
        }
        let link = span.link.as_deref().filter(|_| !core.is_empty() && !in_link);
        let said = match &span.raised {
            Some((_, RaisedForm::Characters(characters))) => characters,
            _ => core,
        };
        let body = match (span.formula, link) {
            (Some(style), _) => formula(core, delimiters(style).0),
            _ if as_code => code_span(said),
            (None, Some(_)) => literal(escape::push_label, said),
            (None, None) if in_link => literal(escape::push_label, said),
            (None, None) => literal(escape::push_literal, said),
        };
        let around = match span.raised {
            Some((Level::Below, RaisedForm::Marks)) => "sub",
            Some((_, RaisedForm::Marks)) => "sup",
            _ => "",
        };
        let mark = match (span.strong, span.emphasis) {
            _ if core.is_empty() || span.formula.is_some() => "",
            (true, true) => "***",
            (true, false) => "**",
            (false, true) => "*",
            (false, false) => "",
        };
        let after = if core.len() < text.len() {
            Some(' ')
        } else {
            spans[n + 1..].iter().find_map(|span| first_char(span, in_link))
        };
        let (before, after) = match in_link {
            true => (out.chars().next_back().or(Some('[')), after.or(Some(']'))),
            false => (out.chars().next_back(), after),
        };
        // Within a link the brackets are the neighbours.
        let (before, after) = if link.is_some() { (Some('['), Some(']')) } else { (before, after) };
        let is_plain = !as_code && span.raised.is_none() && link.is_none() && !in_link && !span.struck && !span.marked;
        let (mark, body) = match can_mark(before, &body, after) {
            true => (mark, body),
            false if mark.is_empty() || !is_plain => ("", body),
            false => ("", inner_words(before, said, after).map_or(body, |words| marked_within(said, words, mark))),
        };
        let struck = if span.struck && !body.is_empty() && !out.ends_with('~') { "~~" } else { "" };
        if link.is_some() && out.ends_with('!') {
            // Else it would be an image.
            out.insert(out.len() - 1, '\\');
        }
        let around = if around.is_empty() && span.marked && !body.is_empty() { "mark" } else { around };
        let inner = match around {
            "" => format!("{struck}{mark}{body}{mark}{struck}"),
            name => format!("<{name}>{mark}{body}{mark}</{name}>"),
        };
        match link {
            Some(href) => out.push_str(&format!("[{inner}]({})", destination(href))),
            None => out.push_str(&inner),
        }
        out.push_str(&text[core.len()..]);
    }
    out
}

fn formula(tex: &str, delimiter: &str) -> String {
    let mut out = String::with_capacity(tex.len() + 8);
    out.push_str(delimiter);
    escape::push_formula(&mut out, tex);
    out.push_str(delimiter);
    out
}

fn first_char(span: &StyledRun<'_>, in_link: bool) -> Option<char> {
    match span.text.chars().next()? {
        c if c.is_whitespace() => Some(c),
        _ if span.link.is_some() && !in_link => Some('['),
        _ if span.code => Some('`'),
        _ if span.formula.is_some() => Some('$'),
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

/// The words that can stand between asterisks where all of a text cannot: the signs stay outside that would make none of the marks, as in
/// `これは「**重要**」です`.
fn inner_words(before: Option<char>, text: &str, after: Option<char>) -> Option<Range<usize>> {
    let is_sign = |c: char| c != '*' && (c.is_whitespace() || c.is_ascii_punctuation() || is_punctuation(c));
    let start = text.len() - text.trim_start_matches(is_sign).len();
    let end = text.trim_end_matches(is_sign).len();
    let words = text.get(start..end).filter(|words| !words.is_empty())?;
    let (before, after) = (text[..start].chars().next_back().or(before), text[end..].chars().next().or(after));
    can_mark(before, words, after).then_some(start..end)
}

/// A text of the page of which a part is marked.
fn marked_within(text: &str, words: Range<usize>, mark: &str) -> String {
    let plain = |text: &str| literal(escape::push_literal, text);
    format!("{}{mark}{}{mark}{}", plain(&text[..words.start]), plain(&text[words.clone()]), plain(&text[words.end..]))
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
            '&' if escape::is_entity(&href[at..]) => address.push_str("&amp;"),
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

fn literal(push: fn(&mut String, &str), text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push(&mut out, &wide_spaces(text, NO_BREAK_SPACE));
    out
}

/// The description of an image.
fn label(text: &str) -> String {
    escape::resolve(&literal(escape::push_label, text))
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
