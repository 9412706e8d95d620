//! The model: one forest for each type, their log odds brought to one scale.

use std::sync::LazyLock;

use gristmill_models::trees::Forest;
use gristmill_models::{ModelError, ModelFile, PAGE_KIND};
use gristmill_page::{PageType, PageTypes};

/// Seven forests and how much their log odds count.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PageTypeModel {
    /// Number of features.
    pub(super) width: usize,
    /// Factor of the log odds before they become probabilities: below 1 where the forests are too sure.
    pub(super) sharpness: f32,
    /// In the order of `PageType::ALL`.
    pub(super) forests: Vec<Forest>,
}

static SHIPPED: LazyLock<PageTypeModel> = LazyLock::new(|| PAGE_KIND.load(PageTypeModel::read));

/// The model that comes with the program; read at the first call.
pub(super) fn shipped() -> &'static PageTypeModel {
    &SHIPPED
}

impl PageTypeModel {
    pub(super) fn to_file(&self, card: &str) -> ModelFile {
        let file = ModelFile::new(card).with("width", vec![self.width as u32]).with("sharpness", vec![self.sharpness]);
        PageType::ALL.iter().zip(&self.forests).fold(file, |file, (label, forest)| forest.add_to(file, label.as_str()))
    }

    fn read(file: &ModelFile) -> Result<PageTypeModel, ModelError> {
        Ok(PageTypeModel {
            width: file.number::<u32>("width")? as usize,
            sharpness: file.number("sharpness")?,
            forests: PageType::ALL.iter().map(|label| Forest::read(file, label.as_str())).collect::<Result<_, _>>()?,
        })
    }

    pub(super) fn types(&self, features: &[f32]) -> PageTypes {
        debug_assert_eq!(features.len(), self.width, "features changed: train again");
        PageTypes::from_log_odds(log_odds(&self.forests, features), self.sharpness)
    }
}

/// The log odds of each type.
pub(super) fn log_odds(forests: &[Forest], features: &[f32]) -> [f32; 7] {
    std::array::from_fn(|class| forests[class].as_ref().log_odds(features))
}
