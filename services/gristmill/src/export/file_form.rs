//! The forms of an export in one file.

use gristmill_dataset::cell_text;

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

/// Cells as a spreadsheet may open them.
pub fn safe(cells: &[String]) -> Vec<String> {
    cells.iter().map(|cell| cell_text(cell).into_owned()).collect()
}
