//! What TWCEM calls a row: a stretch of the page's text, by blocks or by the lines of the source.

use gristmill_html::NodeId;
use gristmill_page::{Page, Selection, TextNode, is_dropped};
use gristmill_text::{is_invisible, n_chars, punctuation};

/// Bytes `start..end` of [`Page::text`], trimmed, with their length and punctuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLine {
    pub(super) start: u32,
    pub(super) end: u32,
    /// Characters without white space.
    pub(super) chars: u32,
    pub(super) marks: u32,
}

/// A longer line is cut at the first end of a sentence after so many characters: it may be a whole page.
const LONG: u32 = 2_000;

/// The rows of the page.
pub(super) fn by_blocks(page: &Page<'_>) -> Vec<TextLine> {
    let mut lines = Vec::with_capacity(page.rows.len());
    for row in &page.rows {
        let line = TextLine { start: row.start, end: row.end, chars: row.chars, marks: row.marks.all };
        push(page, line, &mut lines);
    }
    lines
}

/// The lines of the source once its tags are removed: text nodes run on until one has a line break.
///
/// O(nodes + text). Line breaks inside of tags and dropped subtrees are not in the tree, and do not count.
pub(super) fn by_source(page: &Page<'_>) -> Vec<TextLine> {
    let doc = page.doc;
    let body = doc.body().unwrap_or(NodeId::DOCUMENT);
    let mut lines = Vec::new();
    let mut leaf = page.leaves.partition_point(|leaf| leaf.node < body);
    let (mut start, mut at) = (0, body.index());
    while at < doc.end(body) {
        let id = doc.id(at);
        at = if is_dropped(doc.name(id)) { doc.end(id) } else { at + 1 };
        let raw = doc.text(id);
        if let Some(this) = page.leaves.get(leaf).filter(|leaf| leaf.node == id) {
            leaf += 1;
            for_each_break(page, this, raw, |end| line(page, std::mem::replace(&mut start, end), end, &mut lines));
        } else if raw.contains('\n') {
            let end = page.leaves[..leaf].last().map_or(0, |leaf| leaf.end);
            line(page, std::mem::replace(&mut start, end), end, &mut lines);
        }
    }
    line(page, start, page.text.len() as u32, &mut lines);
    lines
}

/// Calls `found` with the place in [`Page::text`] of each line break of a leaf.
fn for_each_break(page: &Page<'_>, leaf: &TextNode, raw: &str, mut found: impl FnMut(u32)) {
    if !raw.contains('\n') {
        return;
    }
    // Both texts have the same visible characters, so counting them finds the place.
    let text = &page.text[leaf.start as usize..leaf.end as usize];
    let mut visible = text.char_indices().filter(|(_, c)| *c != ' ');
    let mut end = leaf.start;
    for c in raw.chars() {
        if c == '\n' {
            found(end);
        } else if !c.is_whitespace()
            && !c.is_control()
            && !is_invisible(c)
            && let Some((at, c)) = visible.next()
        {
            end = leaf.start + (at + c.len_utf8()) as u32;
        }
    }
}

/// Adds the line of bytes `start..end` unless it is empty.
fn line(page: &Page<'_>, start: u32, end: u32, lines: &mut Vec<TextLine>) {
    let text = &page.text[start as usize..end as usize];
    let trimmed = text.trim();
    if !trimmed.is_empty() {
        let start = start + (text.len() - text.trim_start().len()) as u32;
        let (chars, marks) = (n_chars(trimmed) as u32, punctuation(trimmed).all);
        push(page, TextLine { start, end: start + trimmed.len() as u32, chars, marks }, lines);
    }
}

/// Adds a line, in pieces if it is long.
fn push(page: &Page<'_>, line: TextLine, lines: &mut Vec<TextLine>) {
    if line.chars <= LONG {
        lines.push(line);
        return;
    }
    let text = &page.text[line.start as usize..line.end as usize];
    let (mut from, mut n) = (0, 0);
    let mut piece = |from: usize, to: usize| {
        let part = text[from..to].trim_start();
        let start = line.start + (to - part.len()) as u32;
        if !part.is_empty() {
            let (chars, marks) = (n_chars(part) as u32, punctuation(part).all);
            lines.push(TextLine { start, end: line.start + to as u32, chars, marks });
        }
    };
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        n += u32::from(c != ' ');
        let ends = match c {
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| *next == ' ' || *next == '\n'),
            '。' | '！' | '？' | '।' | '۔' => true,
            _ => false,
        };
        if ends && n > LONG {
            let to = at + c.len_utf8();
            piece(from, to);
            (from, n) = (to, 0);
        }
    }
    piece(from, text.len());
}

/// Keeps the text of lines, which must be in document order.
pub(super) fn keep(page: &Page<'_>, lines: &[TextLine], selection: &mut Selection) {
    let mut leaf = 0;
    for line in lines {
        while page.leaves.get(leaf).is_some_and(|leaf| leaf.end <= line.start) {
            leaf += 1;
        }
        let inside = page.leaves[leaf..].iter().take_while(|leaf| leaf.start < line.end);
        for (at, part) in inside.enumerate() {
            selection.keep_part(page, leaf + at, part.start.max(line.start), part.end.min(line.end));
        }
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn texts(html: &str, lines: fn(&Page<'_>) -> Vec<TextLine>) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        lines(&page).iter().map(|line| page.text[line.start as usize..line.end as usize].to_owned()).collect()
    }

    #[test]
    fn lines_of_the_source_end_where_its_text_breaks_and_not_at_blocks() {
        let html =
            "<title>No\n</title><body><p>one</p><p>two <b>th\u{200b}ree</b>\nfour,\u{a0} five</p>\n\n<p>six\n\n</p>
            <script>\n</script>seven";
        assert_eq!(texts(html, by_source), ["one\ntwo three", "four, five", "six", "seven"]);
        assert_eq!(texts(html, by_blocks), ["one", "two three four, five", "six", "seven"]);
    }

    #[test]
    fn a_long_line_is_cut_at_ends_of_sentences() {
        let sentence = "Words, 3.14 of them, and more. ";
        let html = format!("<p>{}</p><p>short", sentence.repeat(200));
        let lines = texts(&html, by_blocks);
        assert!(lines.len() == 4 && lines[3] == "short", "{}", lines.len());
        assert!(lines[..3].iter().all(|line| line.starts_with("Words") && line.ends_with("more.")));
        assert_eq!(lines[..3].join(" "), sentence.repeat(200).trim());
        assert_eq!(texts(&"x".repeat(9_000), by_blocks).len(), 1, "no sentence ends");
    }

    #[test]
    fn keeping_all_lines_keeps_the_page() {
        let html = format!("a<p>b\nc <i>d\n\ne</i></p>{}<pre>\n f \n g\n</pre>", "A sentence. ".repeat(500));
        let doc = Doc::parse(&html, &TreeLimits::default());
        let page = Page::new(&doc);
        for lines in [by_blocks(&page), by_source(&page)] {
            let mut selection = Selection::none(&page);
            keep(&page, &lines, &mut selection);
            assert_eq!(selection, Selection::all(&page));
        }
    }

    #[test]
    fn one_line_of_the_source_keeps_parts_of_leaves() {
        let doc = Doc::parse("<p>one\ntwo <b>three\nfour</b>", &TreeLimits::default());
        let page = Page::new(&doc);
        let mut selection = Selection::none(&page);
        keep(&page, &by_source(&page)[1..2], &mut selection);
        let kept = selection.kept(&page, &page.rows[0]).map(|part| &page.text[part.start as usize..part.end as usize]);
        assert_eq!(kept.map(str::trim).collect::<Vec<_>>(), ["two", "three"]);
    }
}
