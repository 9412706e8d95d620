//! Grows the model `rendering`, and tells how well it does on sites that it has not seen (docs/rendering.md).
//!
//! ```text
//! cargo run --release -p gristmill-rendering --example fit -- [--archives DIR] [--out FILE] [--errors] PACKAGE_DIR...
//! ```
//! `--archives` names a folder of archives of a crawl with `--render always`: each answer and the drawn page beside it are a pair.
//! `--errors` lists the pages that were judged wrongly.

mod archives;
mod packages;
mod report;

use std::path::PathBuf;
use std::time::Instant;

use gristmill_extract::PageKind;
use gristmill_html::Doc;
use gristmill_models::trees::{LevelwiseParams, TrainingRows, grow};
use gristmill_reading::PageReader;
use gristmill_rendering::{ContentSize, ExtractionSignals, N_FEATURES, RenderFeatures, RenderModel};

/// One page, with what a browser does for it.
pub struct Sample {
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
pub struct Origin {
    pub name: String,
    pub site: String,
    pub source: (String, String),
    pub trains: bool,
}

impl Origin {
    /// A sample of a page that was read.
    pub fn sample(&self, class: &'static str, needs: bool, page: &Page) -> Sample {
        let Origin { name, site, source, trains } = self.clone();
        let Page { features, seconds, .. } = *page;
        Sample { name, site, class, source, trains, needs, features, seconds }
    }
}

const FOLDS: u64 = 5;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let n_arguments = arguments.len();
    arguments.retain(|argument| argument != "--errors");
    let errors = arguments.len() < n_arguments;
    let mut option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.drain(at..at + 2).nth(1)
    };
    let (crawled, out) = (option("--archives"), option("--out"));
    let mut samples = Vec::new();
    for folder in crawled.iter() {
        samples.extend(archives::samples(&PathBuf::from(folder)));
    }
    for package in &arguments {
        samples.extend(packages::samples(&PathBuf::from(package)));
    }
    // Pages without scripts are not asked about.
    samples.retain(|sample| sample.features.has_scripts);
    let mut judged = Vec::new();
    for fold in 0..FOLDS {
        let model = fit(samples.iter().filter(|sample| fold_of(sample) != fold && sample.trains));
        let held_out = samples.iter().filter(|sample| fold_of(sample) == fold);
        judged.extend(held_out.map(|sample| {
            let begun = Instant::now();
            let p = model.probability(&sample.features).unwrap_or_default();
            (sample, p, sample.seconds + begun.elapsed().as_secs_f64())
        }));
    }
    report::print(&judged);
    if errors {
        report::errors(&judged);
    }
    if let Some(out) = out {
        let model = fit(samples.iter().filter(|sample| sample.trains));
        let card = report::card(samples.iter().filter(|sample| sample.trains));
        std::fs::write(&out, model.to_file(&card).to_bytes()).expect("`--out` can be written");
    }
}

/// A page that was read.
pub struct Page {
    pub text: String,
    /// What counts of it.
    pub amount: ContentSize,
    pub features: RenderFeatures,
    /// Time of the walk for the features, when all else was done, as in a crawl.
    pub seconds: f64,
}

/// Reads a page as the extractor does.
pub fn read(doc: Doc, url: Option<&str>) -> Page {
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
    Page { text: reading.document.text.clone(), amount, features, seconds }
}

/// FNV-1a of the site's name.
fn fold_of(sample: &Sample) -> u64 {
    let hash = sample
        .site
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) % FOLDS
}

fn fit<'s>(samples: impl Iterator<Item = &'s Sample>) -> RenderModel {
    let mut rows = TrainingRows { width: N_FEATURES, ..TrainingRows::default() };
    for sample in samples {
        rows.features.extend(sample.features.values);
        rows.labels.push(f32::from(u8::from(sample.needs)));
        rows.weights.push(1.0);
    }
    let growth = LevelwiseParams {
        n_trees: 200,
        depth: 4,
        rate: 0.06,
        lambda: 4.0,
        min_weight: 2.0,
        feature_share: 0.3,
        row_share: 1.0,
        n_forests: 1,
    };
    RenderModel::new(grow(&rows, &growth))
}
