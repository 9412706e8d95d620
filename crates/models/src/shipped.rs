//! The models that come with the program, as their trainers wrote them to the folder `models`.

use crate::error::ModelError;
use crate::file::ModelFile;

/// A model that is compiled in.
#[derive(Debug, Clone, Copy)]
pub struct BundledModel {
    /// Its name: `gristmill train NAME` makes it.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

macro_rules! shipped {
    ($($constant:ident, $name:literal, $purpose:literal;)*) => {
        $(
            #[doc = $purpose]
            pub const $constant: BundledModel = BundledModel {
                name: $name,
                purpose: $purpose,
                bytes: include_bytes!(concat!("../../../models/", $name, ".model")),
            };
        )*

        /// All of them.
        pub const SHIPPED: &[BundledModel] = &[$($constant),*];
    };
}

shipped! {
    BEST, "best", "Main text of any page: class words, trees for both looks, calibration.";
    PAGE_KIND, "page-kind", "What type of page it is: seven forests.";
    LANGUAGE, "language", "Which language a text is in: weights of n-grams for each script.";
    RENDERING, "rendering", "Whether a browser would add to a page: trees.";
    RECORDS, "records", "Which attribute-value pairs of a page describe its product: trees for both looks.";
    CNBE, "cnbe", "The baseline CNBE for product records: log ratios of features.";
    CLG, "clg", "CLG and its baselines on pseudo-layouts: weights and tag scores.";
    CLG_LAYOUT, "clg-layout", "CLG and its baselines on layouts of a browser: weights and tag scores.";
    MSS, "mss", "Supervised MSS: log odds of trigrams and tags.";
}

impl BundledModel {
    /// Reads the file. O(bytes); keep the result.
    ///
    /// # Panics
    /// If the program was built with a file that is no model; the tests of this crate read each.
    pub fn open(&self) -> ModelFile {
        self.whole(ModelFile::read(self.bytes))
    }

    /// The model in the file, as `read` has it. O(bytes); keep the result.
    ///
    /// # Panics
    /// As [`BundledModel::open`], and if the file is the model of something else.
    pub fn load<M>(&self, read: impl FnOnce(&ModelFile) -> Result<M, ModelError>) -> M {
        self.whole(read(&self.open()))
    }

    fn whole<M>(&self, model: Result<M, ModelError>) -> M {
        model.unwrap_or_else(|error| panic!("models/{}.model: {error}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_model_says_what_it_was_trained_on_under_licences_that_permit_it() {
        for shipped in SHIPPED {
            let model = shipped.open();
            let card = model.card();
            assert!(card.starts_with(&format!("{}: ", shipped.name)), "{}: {card}", shipped.name);
            let sources: Vec<&str> = card.lines().filter(|line| line.starts_with("* ")).collect();
            assert!(!sources.is_empty(), "{}: no source: {card}", shipped.name);
            let free = |source: &&str| {
                ["CC-BY-4.0", "MIT", "Apache-2.0", "BSD-3-Clause", "Unicode-3.0"]
                    .iter()
                    .any(|known| source.contains(known))
            };
            assert!(sources.iter().all(free), "{}: {sources:?}", shipped.name);
            assert_eq!(model.to_bytes(), shipped.bytes, "{}: not as the writer writes it", shipped.name);
        }
    }
}
