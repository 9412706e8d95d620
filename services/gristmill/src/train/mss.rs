//! Trains supervised MSS: naive Bayes over trigrams and the tag that is open.

use gristmill_extract::{Page, Trace, render_text};
use gristmill_methods::mss::{MssLimits as Limits, MssModel as Model, MssTrainer as Trainer};

use super::pages::{Pages, Scores, word_f1};

/// The model in the form of `models/mss.bin`. Prints how models that have not seen a page's domain do on it.
pub fn train(pages: &Pages) -> anyhow::Result<Vec<u8>> {
    let mut trainer = Trainer::default();
    pages.for_each(|input| {
        trainer.add(&Page::new(&input.doc), &input.document.gold, input.domain);
    });
    let limits = Limits::default();
    let models: Vec<Model> = (0..Trainer::FOLDS).map(|fold| trainer.model(Some(fold), limits, String::new())).collect();
    let mut scores = Scores::new(&["mss-supervised"]);
    let mut folds = [(0usize, 0.0); Trainer::FOLDS];
    pages.for_each(|input| {
        let page = Page::new(&input.doc);
        let fold = Trainer::fold_of(input.domain);
        let selection = models[fold].select(&page, &mut Trace::default());
        let score = word_f1(input.document, &render_text(&page, &selection));
        folds[fold] = (folds[fold].0 + 1, folds[fold].1 + score);
        scores.add(input.document, &[score]);
    });
    scores.print("Word F1, each page by models that were trained on other domains:")?;
    let folds: Vec<String> = folds.iter().map(|(n, sum)| format!("{:.3}", sum / (*n).max(1) as f64)).collect();
    let notes = notes(pages, &trainer, &limits, &folds);
    println!("{notes}");
    Ok(trainer.model(None, limits, notes).to_bytes())
}

fn notes(pages: &Pages, trainer: &Trainer, limits: &Limits, folds: &[String]) -> String {
    let names: Vec<&str> = pages.sources().map(|source| source.package.as_str()).collect();
    let licence = |text: &str| text.split(['(', ';']).next().unwrap_or(text).trim().to_owned();
    let licences: Vec<String> =
        pages.sources().map(|source| format!("{} {}", source.package, licence(&source.licence))).collect();
    format!(
        "version: {}\npackages: {}\nlicences: {}\npages: {}\ntraining set: {:016x}\nfewest occurrences: {}\n\
         cross-validated word F1: {} (three folds by domain)\n",
        Model::VERSION,
        names.join(", "),
        licences.join(", "),
        trainer.pages(),
        trainer.fingerprint(),
        limits.min_count,
        folds.join(", "),
    )
}
