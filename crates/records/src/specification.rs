//! Pages that are the specification of one thing: a name in a heading, and below it rows of label over value.

use gristmill_html::LocalName;
use gristmill_page::{Page, Row};

use crate::units::quantity;

/// Values with a unit at least, and those of them in units that things for sale are measured in.
const MIN_VALUES: usize = 4;
const MIN_OF_GOODS: usize = 2;
/// Paragraphs of text at most, and how long one is.
const MAX_PARAGRAPHS: usize = 2;
const PARAGRAPH: u32 = 120;
/// Longest label or value.
const MAX_CHARS: u32 = 40;
/// Of the rows from the first value to the last one in so many is a value with a unit.
const ONE_OF: usize = 4;

/// Whether a page shows little but labels and below each its value, several of them measures. O(rows).
pub fn is_specification(page: &Page<'_>) -> bool {
    const GOODS: [&str; 14] = ["mm", "cm", "m", "in", "ft", "g", "kg", "lb", "W", "kW", "V", "mAh", "GB", "L"];
    let is_name = |row: &Row| {
        let block = row.block;
        row.in_heading
            && std::iter::once(block)
                .chain(page.doc.ancestors(block))
                .take(3)
                .any(|id| page.doc.name(id) == LocalName::H1)
    };
    let Some(name) = page.rows.iter().position(is_name) else { return false };
    let rows = &page.rows[name + 1..];
    let unit_of = |at: usize| {
        let (label, value) = (page.row_text(&rows[at - 1]), &rows[at]);
        let is_label = rows[at - 1].chars <= MAX_CHARS
            && !rows[at - 1].is_link()
            && !label.contains(|c: char| c.is_ascii_digit())
            && label.starts_with(char::is_alphabetic);
        let found = quantity(page.row_text(value)).filter(|_| is_label && value.chars <= MAX_CHARS)?;
        (!found.unit.is_empty()).then_some(found.unit)
    };
    let values: Vec<(usize, &str)> = (1..rows.len()).filter_map(|at| Some((at, unit_of(at)?))).collect();
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return false };
    let of_goods = values.iter().filter(|(_, unit)| GOODS.contains(unit)).count();
    let paragraphs = rows.iter().filter(|row| row.chars > PARAGRAPH && !row.is_link()).count();
    values.len() >= MIN_VALUES
        && of_goods >= MIN_OF_GOODS
        && paragraphs <= MAX_PARAGRAPHS
        && ONE_OF * values.len() >= last.0 - first.0
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn is(html: &str) -> bool {
        is_specification(&Page::new(&Doc::parse(html, &TreeLimits::default())))
    }

    #[test]
    fn rows_of_label_over_value_below_a_name_are_a_specification() {
        let pairs = [
            ("width max", "31.0 cm"),
            ("height", "42 cm"),
            ("material", "brass"),
            ("weight", "2.4 kg"),
            ("power", "60 W"),
        ];
        for (open, between, close) in [
            ("<div>", "</div><div>", "</div>"),
            ("<li><span>", "</span><br><b>", "</b>"),
            ("<tr><td>", "<tr><td>", ""),
            ("<dt>", "<dd>", ""),
        ] {
            let rows: String = pairs.map(|(label, value)| format!("{open}{label}{between}{value}{close}")).concat();
            let rows = if open.starts_with("<tr") { format!("<table>{rows}</table>") } else { rows };
            assert!(is(&format!("<h1>Aurora 31</h1>{rows}")), "{rows}");
            assert!(!is(&rows), "no name: {rows}");
        }
        let text = format!("<p>{}", "The lamp was drawn by a miller who had no light at night. ".repeat(4)).repeat(3);
        let rows = pairs.map(|(label, value)| format!("<p>{label}<p>{value}")).concat();
        assert!(!is(&format!("<h1>Aurora 31</h1>{rows}{text}")), "an article");
        let weather = "<h1>Quay</h1><p>Wind<p>12 km/h<p>Humidity<p>80 %<p>Sight<p>10 km<p>Rain<p>2 mm<p>Warmth<p>12 °C";
        assert!(!is(weather));
    }
}
