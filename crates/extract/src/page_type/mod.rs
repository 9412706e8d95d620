//! What type of page this is: article, documentation, service, forum, collection, listing or product.

mod address;
mod declared;
mod features;
mod forest;
#[allow(clippy::approx_constant, reason = "thresholds lie between counts on a logarithmic scale")]
mod model;
mod numbers;
mod rows;
mod signs;
mod structure;
mod train;
mod words;

pub use train::{CrossValidated, TypeTrainer, TypedPage, View};

use gristmill_page::{Page, PageTypes};

use features::{PageFacts, address_of};
use model::MODEL;
use numbers::Seen;

/// Judges a page by its text, its tree, its declarations and its address, which it may state itself.
///
/// Boosted trees over some four hundred numbers, none of them the language. O(nodes · log nodes + text).
pub fn types_of(page: &Page<'_>, url: Option<&str>) -> PageTypes {
    let url = address_of(page, url);
    MODEL.types(&PageFacts::new(page).seen(page, &Seen { url: url.as_ref(), scripts: true }))
}
