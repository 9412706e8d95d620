//! What may be wrong with a model.

/// The version of the form that is written and read.
pub(crate) const VERSION: u32 = 1;

/// Why bytes are no model, or not the one that was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Another kind of file.
    #[error("not a model: the first bytes are not `GRISTMDL`")]
    Magic,
    /// Written by another version of the program.
    #[error("a model of version {found}, and this program reads version {VERSION}: train it again")]
    Version {
        /// Its version.
        found: u32,
    },
    /// Some bytes are not those that were written.
    #[error("the model is damaged: its checksum is not that of its bytes")]
    Checksum,
    /// The bytes end too early.
    #[error("the model is cut off")]
    CutOff,
    /// Something stands behind the last table, or tables are out of order.
    #[error("the model is not as it is written: {0}")]
    Shape(&'static str),
    /// A text is not UTF-8.
    #[error("a text of the model is not UTF-8")]
    NoText,
    /// A table is missing, or holds values of another kind or number.
    #[error("the model has no table `{name}` of {expected}: it is the model of something else")]
    Table {
        /// Its name.
        name: String,
        /// Kind and number of values.
        expected: String,
    },
}
