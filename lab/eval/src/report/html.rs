//! Pieces of HTML: escaped text, tables coloured by value.

use std::fmt::Write as _;

/// Text that is text wherever it stands, in attributes too.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// What lies so far below the best of its column has the palest colour.
const MAX_SPAN: f64 = 0.4;

/// A table of shares, darker where better; the best of each column is framed.
pub(crate) struct HeatTable {
    pub corner: &'static str,
    pub columns: Vec<String>,
    /// Name of the system, its shares by column.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// Whether the last column is a mean, set apart by a line.
    pub mean: bool,
}

impl HeatTable {
    pub fn html(&self) -> String {
        let mut out = format!("<div class=\"wide\"><table><thead><tr><th>{}</th>", self.corner);
        for (n, column) in self.columns.iter().enumerate() {
            let _ = write!(out, "<th{}>{}</th>", self.class(n, &[]), escape(column));
        }
        out.push_str("</tr></thead><tbody>\n");
        for (name, cells) in &self.rows {
            let _ = write!(out, "<tr><th>{}</th>", escape(name));
            for (n, cell) in cells.iter().enumerate() {
                self.cell(&mut out, n, *cell);
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody></table></div>\n");
        out
    }

    fn cell(&self, out: &mut String, column: usize, value: Option<f64>) {
        let Some(value) = value else {
            let _ = write!(out, "<td{} title=\"not available\">–</td>", self.class(column, &["quiet"]));
            return;
        };
        let (low, high) = self.range(column);
        let best = self.rows.len() > 1 && value >= high;
        // Colours are relative to the column, since packages differ in how hard they are; and one system that fails
        // altogether must not make all the others look alike.
        let low = low.max(high - MAX_SPAN);
        let heat = if high > low { 6.0 + 64.0 * ((value - low) / (high - low)).max(0.0) } else { 35.0 };
        let class = self.class(column, if best { &["heat", "best"] } else { &["heat"] });
        let _ = write!(out, "<td{class} style=\"--h:{heat:.0}\">{value:.3}</td>");
    }

    fn range(&self, column: usize) -> (f64, f64) {
        let values = self.rows.iter().filter_map(|(_, cells)| cells[column]);
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    }

    fn class(&self, column: usize, classes: &[&str]) -> String {
        let mean = self.mean && column + 1 == self.columns.len();
        let classes: Vec<&str> = classes.iter().copied().chain(mean.then_some("mean")).collect();
        if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
    }
}

/// A plain table; the first `text_columns` cells of a row are text, the others numbers. Cells are HTML.
pub(crate) fn lines_table(head: &[&str], rows: &[Vec<String>], text_columns: usize) -> String {
    let mut out = String::from("<div class=\"wide\"><table class=\"lines\"><thead><tr>");
    for (n, cell) in head.iter().enumerate() {
        let left = if n < text_columns { " style=\"text-align:left\"" } else { "" };
        let _ = write!(out, "<th{left}>{cell}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (n, cell) in row.iter().enumerate() {
            let class = if n < text_columns { " class=\"text\"" } else { "" };
            let _ = write!(out, "<td{class}>{cell}</td>");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_becomes_markup() {
        let table = HeatTable {
            corner: "system",
            columns: vec!["a&b".into(), "mean".into()],
            rows: vec![("<script>'\"".into(), vec![Some(0.5), None]), ("x".into(), vec![Some(0.25), Some(1.0)])],
            mean: true,
        };
        let html = table.html();
        assert!(html.contains("&lt;script&gt;&#39;&quot;") && html.contains("a&amp;b") && !html.contains("<script"));
        assert!(html.contains("class=\"heat best\" style=\"--h:70\">0.500"), "{html}");
        assert!(html.contains("class=\"heat\" style=\"--h:6\">0.250"));
    }
}
