//! The quality gate: word F1 of the default method on thirteen CC-BY pages of all types, with pinned floors.
//!
//! The pages are among those that the model was trained on, so the floors guard against breakage and say nothing of
//! unseen sites; `docs/best-model-card.md` has those scores. Lowering a floor needs a commit of its own with the reason.

use std::path::Path;

use gristmill_eval::{Judge, Measure, Package, Settings};
use gristmill_extract::{Options, extract};
use gristmill_html::{Doc, Limits, decode};

/// Page, and the least word F1.
const FLOORS: [(&str, f64); 13] = FLOORS_HERE;
/// Least mean.
const MEAN: f64 = MEAN_HERE;

#[test]
fn the_default_method_holds_its_scores_on_the_sample() {
    let package = Package::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wcxb-sample")).unwrap();
    assert!(package.problems.is_empty(), "{:?}", package.problems);
    let mut scores = Vec::new();
    for document in &package.documents {
        let html = document.read_html().unwrap();
        let doc = Doc::parse(&decode(&html, None).text, &Limits::default());
        let options = Options { url: document.url.as_deref(), attach_title: false, ..Options::default() };
        let judge = Judge::new(Some(&document.gold), &[], &[], Settings::default());
        let scored = judge.score(&extract(&doc, &options).text);
        scores.push((document.id.as_str(), scored.get(Measure::Wcxb).map_or(0.0, |score| score.f1)));
    }
    let mean = scores.iter().map(|(_, f1)| f1).sum::<f64>() / scores.len() as f64;
    let floor = |id: &str| FLOORS.iter().find(|(known, _)| *known == id).expect("every page has a floor").1;
    let fallen: Vec<_> = scores.iter().filter(|(id, f1)| *f1 < floor(id)).collect();
    assert!(fallen.is_empty() && scores.len() == FLOORS.len(), "fell below their floors: {fallen:?} of {scores:?}");
    assert!(mean >= MEAN, "mean {mean:.4} of {scores:?}");
}
