//! The accept model: a first look at each candidate alone, a second one that knows what the first thought of its neighbours.

use std::sync::LazyLock;

use gristmill_models::trees::{BatchForest, Forest};
use gristmill_models::{ModelError, ModelFile, RECORDS};

/// The first look, and the second, whose features are those of the first and `second::SECOND`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AcceptModel {
    forests: [Forest; 2],
    /// The same, laid out for all candidates of a page at once.
    batches: [BatchForest; 2],
}

static SHIPPED: LazyLock<AcceptModel> = LazyLock::new(|| RECORDS.load(AcceptModel::read));

impl AcceptModel {
    pub(crate) fn new(first: Forest, second: Forest) -> AcceptModel {
        let forests = [first, second];
        let batches = [0, 1].map(|look| BatchForest::from(forests[look].as_ref()));
        AcceptModel { forests, batches }
    }

    pub(crate) fn first(&self) -> &BatchForest {
        &self.batches[0]
    }

    pub(crate) fn second(&self) -> &BatchForest {
        &self.batches[1]
    }

    /// The model that comes with the program; read at the first call.
    pub fn shipped() -> &'static AcceptModel {
        &SHIPPED
    }

    /// The model as a file with this card.
    pub fn to_file(&self, card: &str) -> ModelFile {
        self.forests[1].add_to(self.forests[0].add_to(ModelFile::new(card), "first"), "second")
    }

    /// The model in a file.
    ///
    /// # Errors
    /// If the file holds the model of something else.
    pub fn read(file: &ModelFile) -> Result<AcceptModel, ModelError> {
        Ok(AcceptModel::new(Forest::read(file, "first")?, Forest::read(file, "second")?))
    }
}
