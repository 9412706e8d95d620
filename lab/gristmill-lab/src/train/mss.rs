//! Trains supervised MSS: naive Bayes over trigrams and the tag that is open.

use gristmill_extract::{Page, Trace, render_text};
use gristmill_methods::mss::{MssLimits as Limits, MssModel as Model, MssTrainer as Trainer};
use gristmill_models::{MSS, ModelFile};

use super::card::ModelCard;
use super::pages::{GoldPages, ScoreTable, word_f1};

/// The model. Prints how models that have not seen a page's domain do on it.
pub fn train(pages: &GoldPages) -> anyhow::Result<ModelFile> {
    let mut trainer = Trainer::default();
    let mut sources = Vec::new();
    pages.for_each(|input| {
        if trainer.add(&Page::new(&input.doc), &input.document.gold, input.domain) {
            sources.push(input.source.clone());
        }
    });
    let limits = Limits::default();
    let models: Vec<Model> = (0..Trainer::FOLDS).map(|fold| trainer.model(Some(fold), limits)).collect();
    let mut scores = ScoreTable::new(&["mss-supervised"]);
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
    let card = ModelCard::of(&sources, trainer.fingerprint())
        .note(format!("Fewest occurrences of a trigram: {}.", limits.min_count))
        .note(format!("On domains outside of the training: word F1 {} (three folds by domain).", folds.join(", ")));
    Ok(trainer.model(None, limits).to_file(&card.text(&MSS)))
}
