//! Trains CLG: logistic regression and linear SVM over nodes, on layouts of a browser or on pseudo-layouts.

use gristmill_extract::{MainTextExtractor, MethodInput, Page, Trace, render_text};
use gristmill_methods::clg::{ClgModel, Scorer, Trainer, TrainingPage, fold_of};
use gristmill_methods::{BestNode, Clg, ThresholdBaseline};
use gristmill_models::{CLG, CLG_LAYOUT, ModelFile};

use super::card::ModelCard;
use super::pages::{GoldPages, ScoreTable, TrainingInput, word_f1};

const METHODS: [&str; 5] = ["clg", "lr", "lr-a", "svm", "svm-a"];
const FOLDS: u64 = 3;

/// The model. Prints how models that have not seen a page's domain do on it, and the final one.
pub fn train(pages: &GoldPages) -> anyhow::Result<ModelFile> {
    let mut trainer = Trainer::new();
    let mut sources = Vec::new();
    let mut layout = false;
    pages.for_each(|input| {
        layout |= input.layout.is_some();
        sources.push(input.source.clone());
        trainer.add(&training_page(input));
    });
    // Methods hold their model for as long as the program runs; a training run makes four.
    let kept = |model: ClgModel| -> &'static ClgModel { Box::leak(Box::new(model)) };
    let unseen: Vec<&'static ClgModel> = (0..FOLDS).map(|fold| kept(trainer.fit(Some(fold)))).collect();
    let all = kept(trainer.fit(None));
    let (mut fair, mut contaminated) = (ScoreTable::new(&METHODS), ScoreTable::new(&METHODS));
    let mut folds = [(0usize, 0.0); FOLDS as usize];
    pages.for_each(|input| {
        let fold = fold_of(input.domain) as usize;
        let scores = scores(&input, unseen[fold]);
        folds[fold] = (folds[fold].0 + 1, folds[fold].1 + scores[0]);
        fair.add(input.document, &scores);
        contaminated.add(input.document, &self::scores(&input, all));
    });
    fair.print("Word F1, each page by models that were trained on other domains:")?;
    contaminated.print("Word F1 of the final model, which has seen these pages:")?;
    let folds = folds.map(|(n, sum)| format!("{:.3}", sum / n.max(1) as f64)).join(", ");
    let (n_nodes, n_positive) = trainer.n_nodes();
    let card = ModelCard::of(&sources, trainer.hash())
        .note(format!("{n_positive} of {n_nodes} nodes are main text."))
        .note(format!("On domains outside of the training: word F1 of CLG {folds} (three folds by domain)."));
    Ok(all.to_file(&card.text(if layout { &CLG_LAYOUT } else { &CLG })))
}

fn training_page(input: TrainingInput<'_>) -> TrainingPage {
    TrainingPage {
        gold: input.document.gold.clone(),
        domain: input.domain.to_owned(),
        layout: input.layout,
        doc: input.doc,
    }
}

fn scores(input: &TrainingInput<'_>, model: &'static ClgModel) -> [f64; 5] {
    let page = Page::new(&input.doc);
    let query = MethodInput { layout: input.layout.as_ref(), ..MethodInput::default() };
    let score = |method: &dyn MainTextExtractor| {
        let selection = method.select(&page, &query, &mut Trace::default());
        word_f1(input.document, &render_text(&page, &selection))
    };
    [
        score(&Clg::new(model)),
        score(&ThresholdBaseline::new(model, Scorer::Lr)),
        score(&BestNode::new(model, Scorer::Lr)),
        score(&ThresholdBaseline::new(model, Scorer::Svm)),
        score(&BestNode::new(model, Scorer::Svm)),
    ]
}
