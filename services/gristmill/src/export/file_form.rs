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
