//! Trains the accept model: candidates with their features, and the two looks that are grown from them.

mod fit;
mod pseudo_language;

use gristmill_html::Doc;
use gristmill_page::Page;

use crate::candidate::Candidate;
use crate::dictionary::Dictionary;
use crate::features::{self, PageFeatureBlock};
use crate::readers;
use crate::second_stage::{self, CandidateGrouping};
use crate::structured::structured;
use crate::view::RecordView;

pub use crate::model::AcceptModel;
pub use fit::{Example, PairLabel, fit, fold_of};
pub use pseudo_language::PseudoLanguage;

/// A candidate as the trainer sees it.
#[derive(Debug, Clone)]
pub struct CandidateSample {
    /// The name as read.
    pub name: String,
    /// The value as read.
    pub value: String,
    /// The layout reader that gave it.
    pub layout: crate::PairLayout,
    /// What the accept model sees.
    pub features: Vec<f32>,
    /// Whether it is left out whatever the model thinks.
    pub is_elsewhere: bool,
    /// Byte ranges of name and value in the page's text: candidates that share bytes exclude one another.
    pub spans: [(u32, u32); 2],
}

/// The candidates of one page.
#[derive(Debug)]
pub struct PageSamples {
    /// Every candidate with what the first look sees.
    pub samples: Vec<CandidateSample>,
    shape: CandidateGrouping,
}

impl PageSamples {
    /// The features of the second look: those of the first, and what their probabilities add.
    pub fn second(&self, first: &[f32]) -> Vec<Vec<f32>> {
        let added = self.shape.second(first);
        let both = self.samples.iter().zip(added).map(|(sample, added)| [&sample.features[..], &added[..]].concat());
        both.collect()
    }
}

/// Every candidate of a page with its features.
pub fn samples(doc: &Doc, dictionary: &Dictionary) -> PageSamples {
    let page = Page::new(doc);
    let view = RecordView::new(&page);
    let candidates: Vec<Candidate> = readers::read_cut(&view, dictionary).candidates;
    let mut numbers = PageFeatureBlock::new(&view, &candidates, dictionary, &structured(&page, None));
    let samples = (0..candidates.len()).map(|n| {
        let candidate = &candidates[n];
        let mut features = Vec::with_capacity(features::N_FEATURES);
        numbers.features(&candidates, n, &mut features);
        CandidateSample {
            name: view.slice(candidate.name).replace('\n', " "),
            value: view.slice(candidate.value).replace('\n', " "),
            layout: candidate.layout,
            features,
            is_elsewhere: numbers.is_elsewhere(&candidates, n),
            spans: [candidate.name, candidate.value].map(|span| (span.start, span.end)),
        }
    });
    PageSamples { samples: samples.collect(), shape: numbers.shape(&candidates) }
}

/// The names of the features, in order; `second` adds those of the second look.
pub fn feature_names(second: bool) -> Vec<String> {
    let mut names = features::names();
    if second {
        names.extend(second_stage::SECOND.iter().map(|name| format!("second {name}")));
    }
    names
}

/// Which of the candidates to take: the likeliest first, each byte of the page used once (a header cell that names
/// several values may be used again). Candidates below `threshold` are left out, or below less where a page has nothing certain.
pub fn select(samples: &[CandidateSample], probabilities: &[f32], threshold: f32) -> Vec<usize> {
    let spans: Vec<_> = samples.iter().map(|sample| (sample.spans, sample.layout.shares_names())).collect();
    let ranks = crate::accept::ranks(samples.iter().map(|one| one.layout), probabilities);
    crate::accept::choose(&spans, probabilities, &ranks, threshold)
}
