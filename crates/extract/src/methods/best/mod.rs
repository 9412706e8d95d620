//! The method `best`: boosted trees over rows, looked at twice, and the rows with the best expected F1 kept.

mod context;
mod decide;
mod features;
mod lexicon;
mod model;
mod second;
pub(crate) mod training;

pub use decide::Decision;
pub use model::{Model, Tokens};

use crate::method::Query;
use crate::page::Page;
use crate::page_type::PageTypes;
use features::Facts;

/// A page as the model sees it.
pub struct Seen {
    facts: Facts,
}

impl Seen {
    /// O(nodes + text).
    pub fn new(page: &Page<'_>, query: &Query<'_>, types: &PageTypes, tokens: Tokens<'_>) -> Seen {
        Seen { facts: features::facts(page, query, types, tokens) }
    }

    /// The numbers of the first look, row by row.
    pub fn first(&self) -> &[f32] {
        &self.facts.values
    }

    /// The numbers that the second look adds, row by row, given the probabilities of the first.
    pub fn second(&self, page: &Page<'_>, first: &[f32]) -> Vec<f32> {
        second::add(page, &self.facts, first)
    }

    /// What is kept, given the probabilities of the second look.
    pub fn decide(&self, page: &Page<'_>, probabilities: &[f32]) -> Decision {
        decide::decide(page, &self.facts, probabilities)
    }

    /// Words of each row, as measures count them.
    pub fn weights(&self) -> Vec<f32> {
        decide::weights(&self.facts)
    }
}
