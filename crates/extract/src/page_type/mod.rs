//! What type of page this is: article, documentation, service, forum, collection, listing or product.

mod address;
mod declared;
mod features;
mod forest;
mod model;
mod rows;
mod signs;
mod structure;
mod train;
mod words;

pub use train::{CrossValidated, TypeTrainer, TypedPage, View};

use serde::Serialize;

use crate::page::Page;
use features::{PageFacts, Seen, address_of};
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageTypes(pub [f32; 7]);

impl PageTypes {
    /// Judges a page by its text, its tree, its declarations and its address, which it may state itself.
    ///
    /// Boosted trees over some four hundred numbers, none of them the language. O(nodes · log nodes + text).
    pub fn of(page: &Page<'_>, url: Option<&str>) -> PageTypes {
        let url = address_of(page, url);
        MODEL.types(&PageFacts::new(page).seen(page, &Seen { url: url.as_ref(), scripts: true }))
    }

    fn from_log_odds(log_odds: [f32; 7], sharpness: f32) -> PageTypes {
        let most = log_odds.into_iter().fold(f32::MIN, f32::max);
        let weights = log_odds.map(|odds| ((odds - most) * sharpness).exp());
        let sum: f32 = weights.iter().sum();
        PageTypes(weights.map(|weight| weight / sum))
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
