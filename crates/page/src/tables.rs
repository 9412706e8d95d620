//! Which tables hold data.

use gristmill_html::{Doc, LocalName, NodeId};

/// Tables for data, not for layout: at least two rows, two columns a row in the mean (a wide or high cell counts by its columns and rows) or a
/// head above one column of short cells, and either header cells or short cells (under 60 words, that is some 350 characters, on average).
///
/// Where no cell is a header and no row fills two cells, the others keep room for signs: no data. Nor is a table without header cells
/// that has a heading, a rule or three paragraphs in one of them.
///
/// A table with another one inside holds data where header cells of its own, which come first, say so and all of its cells are
/// short. O(nodes).
pub fn is_data_table(doc: &Doc, table: NodeId) -> bool {
    const MAX_MEAN_BYTES: usize = 360;
    /// Of the cells of one column without `thead`.
    const MAX_LISTED_BYTES: usize = 60;
    const MAX_SPAN: usize = 50;
    let (mut rows, mut columns, mut cells, mut headers, mut bytes) = (0, 0, 0, 0, 0);
    let (mut has_head, mut is_headed) = (false, false);
    // Cells with something in them of the row, and rows with several.
    let (mut filled, mut full_rows) = (0, 0);
    // Up to here reaches the table inside that was met last.
    let mut inside = 0;
    let (mut paragraphs, mut has_text_cell) = (0, false);
    for id in doc.subtree(table).skip(1) {
        let name = doc.name(id);
        if name == LocalName::TEXT {
            bytes += doc.text(id).trim().len();
        }
        if id.index() < inside {
            continue;
        }
        match name {
            LocalName::TABLE if headers == 0 => return false,
            LocalName::TABLE => inside = doc.end(id),
            LocalName::TR => {
                rows += 1;
                filled = 0;
            }
            LocalName::P | LocalName::DIV if name == LocalName::P || is_paragraph(doc, id) => {
                paragraphs += 1;
                has_text_cell |= paragraphs == 3;
            }
            LocalName::H1 | LocalName::H2 | LocalName::H3 | LocalName::HR => has_text_cell = true,
            LocalName::TD | LocalName::TH => {
                let span =
                    |name| doc.attr(id, name).and_then(|n| n.trim().parse().ok()).unwrap_or(1).clamp(1, MAX_SPAN);
                let is_shown = doc.subtree(id).any(|id| !doc.text(id).trim().is_empty());
                filled += usize::from(is_shown || doc.subtree(id).any(|id| doc.name(id) == LocalName::IMG));
                full_rows += usize::from(filled == 2);
                let high = span(LocalName::ROWSPAN);
                columns += span(LocalName::COLSPAN) * if high > 1 && is_shown { high } else { 1 };
                cells += 1;
                paragraphs = 0;
                is_headed |= cells == 1 && name == LocalName::TH;
                headers += usize::from(name == LocalName::TH);
            }
            LocalName::CAPTION => headers += 1,
            LocalName::THEAD => has_head = true,
            _ => {}
        }
    }
    let is_short = bytes <= MAX_MEAN_BYTES * cells;
    // Nobody gives a head to one column of short cells for the sake of layout.
    let is_list = cells == rows && headers == 1 && (has_head || is_headed && bytes <= MAX_LISTED_BYTES * cells);
    let is_wide = columns >= 2 * rows && (headers > 0 || full_rows > 0) || is_list && rows > 2;
    let is_layout = headers == 0 && has_text_cell;
    rows >= 2 && is_wide && !is_layout && if inside > 0 { headers > 0 && is_short } else { headers > 0 || is_short }
}

/// Whether a box holds a text of some length itself.
fn is_paragraph(doc: &Doc, id: NodeId) -> bool {
    const LEAST_BYTES: usize = 40;
    doc.children(id).map(|id| doc.text(id).trim().len()).sum::<usize>() >= LEAST_BYTES
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    fn is_data(html: &str) -> bool {
        let doc = Doc::parse(html, &TreeLimits::default());
        is_data_table(&doc, doc.first(LocalName::TABLE).unwrap())
    }

    #[test]
    fn wide_cells_count_by_their_columns_and_a_table_inside_needs_headers_around() {
        assert!(is_data("<table><tr><td>a<td>b<tr><td>c<td>d</table>"));
        assert!(is_data("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>"));
        assert!(!is_data("<table><tr><td rowspan=2><td>b<tr><td>c</table>"));
        assert!(is_data("<table><thead><tr><th>a<tbody><tr><td>b<tr><td>c</table>"));
        assert!(is_data("<table><tr><th>a<tr><td>b<tr><td>c</table>"));
        assert!(!is_data(&format!("<table><tr><th>a<tr><td>{0}<tr><td>{0}</table>", "A text of the page. ".repeat(9))));
        assert!(!is_data("<table><tr><td>a<tr><td>b<tr><td>c</table>"));
        assert!(!is_data("<table><tr><td>a<td>b</table>") && !is_data("<table><tr><td>a<tr><td>b</table>"));
        assert!(!is_data("<table><tr><td>menu<td><h2>a</h2>b<tr><td>c<td>d</table>"));
        assert!(!is_data("<table><tr><td>menu<td><p>a<p>b<p>c<tr><td>d<td>e</table>"));
        let text = "<div>A paragraph in a box, as editors of old write it.</div>".repeat(3);
        assert!(!is_data(&format!("<table><tr><td>menu<td>{text}<tr><td>d<td>e</table>")));
        assert!(is_data("<table><tr><td>Mon<td><div>9</div><div>12</div><div>15</div><tr><td>Tue<td>9</table>"));
        assert!(!is_data("<table><tr><td>day<td>#1<tr><td>name<td>Re: a<hr>b</table>"));
        assert!(is_data("<table><tr><td colspan=2>a<tr><td>b<td>c<tr><td colspan=2>d</table>"));
        let inner = "<table><tr><td>1<td>2<tr><td>3<td>4</table>";
        assert!(!is_data(&format!("<table><tr><td>menu<td>x<tr><td>a<td>{inner}</table>")));
        assert!(is_data(&format!("<table><tr><th>Store<th>Stock<tr><td>North<td>{inner}</table>")));
        let signs =
            "<tr><td><td><a><div class=arrow></div></a><td>A thing<tr><td colspan=2><td>by me<tr><td colspan=2><td>Why";
        assert!(
            !is_data(&format!("<table>{signs}</table>")) && is_data(&format!("<table><tr><th>a<th>b{signs}</table>"))
        );
        let text = "A layout that is called a table. ".repeat(40);
        assert!(!is_data(&format!("<table><tr><th>Menu<th>Text<tr><td>{text}<td>{text}{inner}</table>")));
    }
}
