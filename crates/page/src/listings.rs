//! Tables that draw the lines of a file, a change or who wrote what: one row for each line, its number before it, or nothing else in it.
//!
//! ```text
//! | 7 |   | - | old line |        - old line
//! |   | 7 | + | new line |   ⇒    + new line
//! ```

use gristmill_html::{Doc, LocalName, NodeId};

use crate::attribute_words::has;
use crate::blocks::is_block;

/// Words of the classes of cells with numbers.
const NUMBER: [&str; 9] =
    ["num", "nums", "number", "lineno", "linenos", "linenumber", "linenumbers", "linenum", "gutter"];
/// Words of the classes of cells, rows and tables of code.
const CODE: [&str; 11] =
    ["code", "blame", "diff", "highlight", "source", "sourcecode", "src", "blob", "listing", "pre", "monospace"];
/// Words of the classes of lines that a change took out, and that it put in.
const OLD: [&str; 8] = ["old", "deletion", "deleted", "removed", "removal", "remove", "rem", "del"];
const NEW: [&str; 7] = ["new", "addition", "added", "add", "ins", "insert", "inserted"];
/// The same of cells that hold the sign of a change alone.
const SIGN: [&str; 4] = ["sign", "marker", "prefix", "op"];
/// A row of a listing has no more cells.
const MAX_CELLS: usize = 12;

/// One row.
struct Line {
    row: NodeId,
    cells: Vec<NodeId>,
    /// Which of the cells is the code; `None` for a row that is no line.
    code: Option<usize>,
    sign: Option<char>,
}

/// Makes `pre` of such tables, without the cells beside the code. O(nodes).
pub(crate) fn write(doc: &mut Doc) {
    let tables: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::TABLE).collect();
    for (n, &table) in tables.iter().enumerate() {
        let has_inner = tables.get(n + 1).is_some_and(|inner| inner.index() < doc.end(table));
        if has_inner {
            continue;
        }
        if let Some(lines) = lines(doc, table) {
            lines.iter().for_each(|line| write_line(doc, line));
            doc.set_name(table, LocalName::PRE);
        }
    }
}

/// The rows of a table, if nearly all of them are lines.
fn lines(doc: &Doc, table: NodeId) -> Option<Vec<Line>> {
    /// A table that is none shows it in its first rows.
    const FIRST: usize = 8;
    let class = |id: NodeId| doc.attr(id, LocalName::CLASS).unwrap_or("");
    let says_code = has(class(table), &CODE);
    let rows = doc.subtree(table).filter(|&id| doc.name(id) == LocalName::TR);
    let mut lines: Vec<Line> = Vec::new();
    let mut n_lines = 0;
    for row in rows {
        let line = line(doc, row, says_code || has(class(row), &CODE));
        n_lines += usize::from(line.code.is_some());
        lines.push(line);
        if lines.len() == FIRST && n_lines < FIRST / 2 {
            return None;
        }
    }
    let is_listing = n_lines >= 2 && 10 * n_lines >= 8 * lines.len().saturating_sub(1);
    let in_code = || doc.ancestors(table).any(|id| matches!(doc.name(id), LocalName::PRE | LocalName::CODE));
    if !is_listing || in_code() {
        return None;
    }
    // Where signs are a matter of classes, lines that stay have a blank.
    if lines.iter().any(|line| matches!(line.sign, Some('+' | '-'))) {
        lines.iter_mut().for_each(|line| line.sign = line.sign.or(Some(' ')));
    } else {
        lines.iter_mut().for_each(|line| line.sign = None);
    }
    Some(lines)
}

fn line(doc: &Doc, row: NodeId, says_code: bool) -> Line {
    let is_cell = |&id: &NodeId| matches!(doc.name(id), LocalName::TD | LocalName::TH);
    let cells: Vec<NodeId> = doc.children(row).filter(is_cell).take(MAX_CELLS + 1).collect();
    let none = |cells| Line { row, cells, code: None, sign: None };
    if let [only] = cells[..]
        && is_typed(doc, only)
    {
        return Line { row, code: Some(0), sign: None, cells };
    }
    let Some((&code, before)) = cells.split_last().filter(|(_, before)| !before.is_empty()) else { return none(cells) };
    let is_line = cells.len() <= MAX_CELLS
        && before.iter().any(|&cell| is_number(doc, cell))
        && !is_number(doc, code)
        && (says_code || is_code(doc, code));
    if !is_line {
        return none(cells);
    }
    Line { row, code: Some(cells.len() - 1), sign: sign(doc, row, code), cells }
}

/// Whether a cell holds the number of a line, or room for one.
fn is_number(doc: &Doc, cell: NodeId) -> bool {
    const MAX_NODES: usize = 8;
    if doc.end(cell) - cell.index() > MAX_NODES {
        return false;
    }
    let text = doc.text_content(cell);
    let text = text.trim();
    let says_number = |id: NodeId| {
        doc.attributes(id).any(|attribute| match attribute.name {
            LocalName::CLASS => has(attribute.value, &NUMBER),
            LocalName::HREF | LocalName::ID => {
                !text.is_empty() && attribute.value.trim_start_matches(['#', 'L']) == text
            }
            name => matches!(doc.name_str(name), "data-line-number" | "data-linenumber" | "data-line-num" | "data-n"),
        })
    };
    text.bytes().all(|byte| byte.is_ascii_digit())
        && doc.subtree(cell).filter(|&id| doc.is_element(id)).any(says_number)
}

/// Whether the class of a cell says code, or all of its text is in an element for code.
fn is_code(doc: &Doc, cell: NodeId) -> bool {
    let says_code = |class: &str| {
        has(class, &CODE) || has(class, &["line", "lines"]) && has(class, &["text", "content", "contents"])
    };
    doc.attr(cell, LocalName::CLASS).is_some_and(says_code)
        || doc.children(cell).all(|id| match doc.name(id) {
            LocalName::CODE | LocalName::PRE => true,
            LocalName::TEXT => doc.text(id).trim().is_empty(),
            _ => false,
        })
}

/// Whether all text of the only cell of a row, which may be a paragraph, is written as if typed, and more than a name.
fn is_typed(doc: &Doc, cell: NodeId) -> bool {
    const MAX_NODES: usize = 200;
    if doc.end(cell) - cell.index() > MAX_NODES {
        return false;
    }
    let is_said = |id: &NodeId| doc.is_element(*id) || !doc.text(*id).trim().is_empty();
    let mut said = doc.children(cell).filter(is_said);
    let paragraph = said.next().filter(|&id| said.next().is_none() && doc.name(id) == LocalName::P);
    let mut parts = doc.children(paragraph.unwrap_or(cell)).filter(is_said);
    let text = doc.text_content(cell);
    parts.all(|id| matches!(doc.name(id), LocalName::CODE | LocalName::TT))
        && text.trim().contains([' ', '\u{a0}', '(', ')', ';'])
}

/// What a change did to a line, by an attribute or a class, where its text does not begin with the sign.
fn sign(doc: &Doc, row: NodeId, code: NodeId) -> Option<char> {
    const MAX_NODES: usize = 4;
    let marked = doc.subtree(code).take(MAX_NODES).find_map(|id| {
        doc.attributes(id).find(|attribute| doc.name_str(attribute.name) == "data-code-marker")?.value.chars().next()
    });
    let has = |words: &[&str]| {
        [row, code].iter().any(|&id| doc.attr(id, LocalName::CLASS).is_some_and(|class| has(class, words)))
    };
    let named = || if has(&OLD) { Some('-') } else { has(&NEW).then_some('+') };
    let sign = marked.or_else(named)?;
    let text = doc.subtree(row).filter(|&id| doc.is_text(id)).map(|id| doc.text(id).trim_start());
    let shown = text.filter(|text| !text.bytes().all(|byte| byte.is_ascii_digit())).find(|text| !text.is_empty());
    (!shown.is_some_and(|text| text.starts_with(['+', '-', '−', '@']))).then_some(sign)
}

/// Leaves the sign and the code of a row, on one line.
fn write_line(doc: &mut Doc, line: &Line) {
    let Some(code) = line.code else {
        let is_head = line.cells.iter().all(|&cell| doc.name(cell) == LocalName::TH);
        match is_head {
            true => doc.clear(line.row),
            false => line.cells.iter().for_each(|&cell| flatten(doc, cell)),
        }
        return;
    };
    for (at, &cell) in line.cells.iter().enumerate() {
        if at == code {
            break;
        }
        let text = doc.text_content(cell);
        let sign = match text.trim() {
            _ if at + 1 < code => "",
            sign @ ("+" | "-" | "−") => sign,
            "" if doc.attr(cell, LocalName::CLASS).is_some_and(|class| has(class, &SIGN)) => " ",
            _ => "",
        };
        doc.clear(cell);
        doc.set_text(cell, sign);
    }
    let cell = line.cells[code];
    // A line that is typed has no cell before it.
    if let (Some(sign), Some(before)) = (line.sign, code.checked_sub(1)) {
        doc.set_text(line.cells[before], &sign.to_string());
    }
    if doc.text_content(cell).trim().is_empty() {
        doc.clear(cell);
        doc.set_text(cell, "\n");
    } else {
        flatten(doc, cell);
    }
}

/// Makes one line of an element.
fn flatten(doc: &mut Doc, cell: NodeId) {
    let blocks: Vec<NodeId> =
        doc.subtree(cell).filter(|&id| is_block(doc.name(id)) || doc.name(id) == LocalName::CODE).collect();
    blocks.into_iter().for_each(|id| doc.set_name(id, LocalName::SPAN));
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn is_listing(html: &str) -> bool {
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        doc.first(LocalName::TABLE).is_none()
    }

    #[test]
    fn a_number_before_each_line_of_code_makes_a_listing() {
        let row = "<tr><td class=lineno>1<td class=code>a";
        assert!(is_listing(&format!("<table>{}</table>", row.repeat(3))));
        assert!(is_listing(
            "<table class=code><tr><th id=L1><a href='#L1'>1</a><td>a<tr><th><a href='#L2'>2</a><td>b</table>"
        ));
        for html in [
            format!("<table>{row}</table>"),
            "<table><tr><td>1<td>a<tr><td>2<td>b<tr><td>3<td>c</table>".to_owned(),
            "<table><tr><td class=num>12<td>a<tr><td class=num>2<td>b</table>".to_owned(),
            "<table class=source><tr><td>Wheat<td class=num>12<tr><td>Rye<td class=num>7</table>".to_owned(),
            format!("<pre><table>{}</table></pre>", row.repeat(3)),
        ] {
            assert!(!is_listing(&html), "{html}");
        }
    }

    #[test]
    fn a_typed_line_among_those_of_a_change_has_no_room_for_a_sign() {
        let row = "<tr class=addition><td class=num data-line-number=1>1<td class='code addition'>a";
        assert!(is_listing(&format!("<table class=diff>{}<tr><td><code>b c</code></table>", row.repeat(3))));
    }
}
