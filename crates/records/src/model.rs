//! The accept model: a first look at each candidate alone, a second one that knows what the first thought of its neighbours.

use std::sync::LazyLock;

use gristmill_models::{ModelError, ModelFile, RECORDS};
use gristmill_trees::Forest;

/// The first look, and the second, whose features are those of the first and `second::SECOND`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AcceptModel {
    pub(crate) first: Forest,
    pub(crate) second: Forest,
}

static SHIPPED: LazyLock<AcceptModel> = LazyLock::new(|| RECORDS.load(AcceptModel::read));

impl AcceptModel {
    /// The model that comes with the program; read at the first call.
    pub fn shipped() -> &'static AcceptModel {
        &SHIPPED
    }

    /// The model as a file with this card.
    pub fn to_file(&self, card: &str) -> ModelFile {
        self.second.add_to(self.first.add_to(ModelFile::new(card), "first"), "second")
    }

    /// The model in a file.
    ///
    /// # Errors
    /// If the file holds the model of something else.
    pub fn read(file: &ModelFile) -> Result<AcceptModel, ModelError> {
        Ok(AcceptModel { first: Forest::read(file, "first")?, second: Forest::read(file, "second")? })
    }
}
