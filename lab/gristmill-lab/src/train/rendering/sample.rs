//! A page, and what a browser does for it.

use std::time::Instant;

use gristmill_extract::PageKind;
use gristmill_html::Doc;
use gristmill_reading::PageReader;
use gristmill_reading::need::{ContentSize, ExtractionSignals, RenderFeatures};

/// One page, with what a browser does for it.
pub struct RenderSample {
    /// URL, or package and file.
    pub name: String,
    /// What is not seen at once: all pages of a site are in one fold.
    pub site: String,
    /// Where it comes from.
    pub class: &'static str,
    /// Package and licence, for the card.
    pub source: (String, String),
    /// Whether the shipped model may learn from it.
    pub trains: bool,
    pub needs: bool,
    pub features: RenderFeatures,
    /// Time of the walk over the page, once, as in a crawl.
    pub seconds: f64,
}

/// What is known of a page before it is read.
#[derive(Clone)]
pub struct SampleOrigin {
    pub name: String,
    pub site: String,
    pub source: (String, String),
    pub trains: bool,
}

impl SampleOrigin {
    /// A sample of a page that was read.
    pub fn sample(&self, class: &'static str, needs: bool, page: &SampledPage) -> RenderSample {
        let SampleOrigin { name, site, source, trains } = self.clone();
        let SampledPage { features, seconds, .. } = *page;
        RenderSample { name, site, class, source, trains, needs, features, seconds }
    }
}

/// A page that was read.
pub struct SampledPage {
    pub text: String,
    /// What counts of it.
    pub amount: ContentSize,
    pub features: RenderFeatures,
    /// Time of the walk for the features, when all else was done, as in a crawl.
    pub seconds: f64,
}

/// Reads a page as the extractor does.
pub fn read(doc: Doc, url: Option<&str>) -> SampledPage {
    let reader = PageReader::default();
    let parsed = reader.parsed(doc, url);
    let reading = parsed.read(reader.options());
    let decision = reading.decide();
    let pairs =
        decision.records.as_ref().map_or(0, |records| records.pairs.len() + usize::from(!records.products.is_empty()));
    let document = &reading.document;
    let got = ExtractionSignals {
        chars: document.text.chars().count(),
        confidence: document.confidence,
        product: document.types.kinds()[PageKind::Product as usize],
        pairs,
        declared: document.rescued.is_some(),
    };
    let begun = Instant::now();
    let features = RenderFeatures::of(&reading.parsed.doc, &got);
    let seconds = begun.elapsed().as_secs_f64();
    let amount = ContentSize { chars: got.chars, pairs: got.pairs };
    SampledPage { text: reading.document.text.clone(), amount, features, seconds }
}
