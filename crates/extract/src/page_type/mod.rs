//! What type of page this is: article, documentation, service, forum, collection, listing or product.

mod features;
mod model;
mod regression;
mod tokens;
mod train;

pub use train::{TypeTrainer, TypedPage};

use serde::Serialize;

use crate::page::Page;
use features::features;
use model::MODEL;

/// The types that the model tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PageType {
    /// News, a post, an essay: running text about one thing.
    Article,
    /// Manuals, references, encyclopedias.
    Documentation,
    /// A company's or service's presentation of itself.
    Service,
    /// A thread of posts, questions with answers.
    Forum,
    /// Many products to choose from.
    Collection,
    /// Many articles or entries to choose from.
    Listing,
    /// One product.
    Product,
}

impl PageType {
    /// All types, in the order of the model's classes.
    pub const ALL: [PageType; 7] = [
        PageType::Article,
        PageType::Documentation,
        PageType::Service,
        PageType::Forum,
        PageType::Collection,
        PageType::Listing,
        PageType::Product,
    ];

    /// Lower-case name, as in test packages.
    pub fn as_str(self) -> &'static str {
        match self {
            PageType::Article => "article",
            PageType::Documentation => "documentation",
            PageType::Service => "service",
            PageType::Forum => "forum",
            PageType::Collection => "collection",
            PageType::Listing => "listing",
            PageType::Product => "product",
        }
    }
}

/// Probabilities of the types, in the order of [`PageType::ALL`]; their sum is 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PageTypes(pub [f32; 7]);

impl PageTypes {
    /// Judges a page by its text, markup and own declarations; `url` helps when it is known.
    ///
    /// Multinomial logistic regression over some eighty features. O(nodes + text).
    pub fn of(page: &Page<'_>, url: Option<&str>) -> PageTypes {
        MODEL.types(&features(page, url))
    }

    /// The most probable type and its probability; the first of equals.
    pub fn best(&self) -> (PageType, f32) {
        let better = |best: usize, at: usize| if self.0[at] > self.0[best] { at } else { best };
        let best = (1..self.0.len()).fold(0, better);
        (PageType::ALL[best], self.0[best])
    }

    /// The probability of one type.
    pub fn of_type(&self, page_type: PageType) -> f32 {
        self.0[page_type as usize]
    }
}
