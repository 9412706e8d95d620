//! What type of page this is: article, documentation, service, forum, collection, listing or product.

mod address;
mod declared;
mod features;
mod model;
mod numbers;
mod price_patterns;
mod rows;
mod structure;
mod train;
mod words;

pub use train::{FeatureView, OutOfFoldPredictions, TypeTrainer, TypedPage};

use gristmill_page::{Page, PageType, PageTypes};

use features::{PageFacts, address_of};
use model::shipped;
use numbers::FeatureMask;

/// Judges a page by its text, its tree, its declarations and its address, which it may state itself.
///
/// Boosted trees over some four hundred numbers, none of them the language. O(nodes · log nodes + text).
pub fn types_of(page: &Page<'_>, url: Option<&str>) -> PageTypes {
    let url = address_of(page, url);
    let types = shipped().types(&PageFacts::new(page).seen(page, &FeatureMask { url: url.as_ref(), scripts: true }));
    // Names of members and what is said of them look like posts.
    if declared::is_reference(page) { types.merged(PageType::Forum, PageType::Documentation) } else { types }
}
