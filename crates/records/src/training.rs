//! Candidates with their features, for those who train and score the accept model.

use gristmill_html::Doc;

use crate::candidate::Candidate;
use crate::dictionary::Dictionary;
use crate::features::{self, Page};
use crate::readers;
use crate::view::View;

/// A candidate as the trainer sees it.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The name as read.
    pub name: String,
    /// The value as read.
    pub value: String,
    /// The layout reader that gave it.
    pub layout: crate::Layout,
    /// What the accept model sees.
    pub features: Vec<f32>,
    /// Byte ranges of name and value in the page's text: candidates that share bytes exclude one another.
    pub spans: [(u32, u32); 2],
}

/// Every candidate of a page with its features.
pub fn samples(doc: &Doc, dictionary: &Dictionary) -> Vec<Sample> {
    let view = View::new(doc);
    let candidates: Vec<Candidate> = readers::read(&view, dictionary).candidates;
    let mut page = Page::new(&view, &candidates, dictionary);
    (0..candidates.len())
        .map(|n| {
            let candidate = &candidates[n];
            Sample {
                name: view.slice(candidate.name).replace('\n', " "),
                value: view.slice(candidate.value).replace('\n', " "),
                layout: candidate.layout,
                features: page.features(&candidates, n),
                spans: [candidate.name, candidate.value].map(|span| (span.start, span.end)),
            }
        })
        .collect()
}

/// The names of the features, in order.
pub fn feature_names() -> Vec<String> {
    features::names()
}

/// Which of the candidates to take: the likeliest first, each byte of the page used once (a header cell that names
/// several values may be used again). Candidates below `threshold` are left out.
pub fn select(samples: &[Sample], probabilities: &[f32], threshold: f32) -> Vec<usize> {
    let spans: Vec<_> = samples.iter().map(|sample| (sample.spans, sample.layout.shares_names())).collect();
    crate::accept::select(&spans, probabilities, threshold)
}
