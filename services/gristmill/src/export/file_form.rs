//! The forms of an export in one file.

/// The form of the file.
#[derive(Debug, Clone, Copy)]
pub enum ExportForm {
    /// JSON lines.
    Lines,
    /// A row for each document, or for each attribute of products.
    Table,
    /// A row for each product.
    Wide,
}

/// Cells that a spreadsheet would take for a formula get a quote before them.
pub fn safe(cells: &[String]) -> Vec<String> {
    let is_formula = |cell: &str| {
        let dangerous = cell
            .trim_start_matches([' ', '\u{feff}'])
            .starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
        dangerous && cell.parse::<f64>().is_err()
    };
    cells.iter().map(|cell| if is_formula(cell) { format!("'{cell}") } else { cell.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_would_run_as_formulas_are_quoted_and_numbers_are_not() {
        let cells =
            ["=cmd|' /C calc'!A0", "@SUM(1)", "+1 800", " -x", "-1.5", "plain = fine", "＝1+1"].map(str::to_owned);
        assert_eq!(
            safe(&cells),
            ["'=cmd|' /C calc'!A0", "'@SUM(1)", "'+1 800", "' -x", "-1.5", "plain = fine", "'＝1+1"]
        );
    }
}
