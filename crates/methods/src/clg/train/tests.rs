//! Training on a few pages: what comes out separates them, and is printed as it is.

use gristmill_html::TreeLimits;

use super::super::model::{LAYOUT, PSEUDO, Scorer, sigmoid};
use super::*;

pub(super) fn page(n: usize, domain: &str) -> TrainingPage {
    let body: Vec<String> =
        (0..4 + n % 3).map(|k| format!("Sentence {k} of story {n} tells what happened on that day.")).collect();
    let paragraphs: String = body.iter().map(|text| format!("<p>{text}</p>")).collect();
    let menu: String = (0..8 + n).map(|k| format!("<li><a href=x>Entry number {k} of menu {n}</a></li>")).collect();
    let html =
        format!("<body><ul>{menu}</ul><div><h1>Head</h1><div>{paragraphs}</div></div><footer>All rights</footer>");
    TrainingPage {
        doc: Doc::parse(&html, &TreeLimits::default()),
        layout: None,
        gold: body.join("\n"),
        domain: domain.to_owned(),
    }
}

fn pages() -> Vec<TrainingPage> {
    (0..12).map(|n| page(n, &format!("site-{n}.example"))).collect()
}

#[test]
fn paragraphs_outscore_menus_after_training() {
    let trained = train(pages());
    let test = page(20, "other.example");
    let page = Page::new(&test.doc);
    let measures = &NodeFeatures::new(&page, &PageLayout::pseudo(&page));
    for (scorer, threshold) in [(Scorer::Lr, 0.5), (Scorer::Svm, 0.0)] {
        let scores = trained.scores(measures, scorer);
        for (relative, score) in measures.nodes.iter().zip(&scores) {
            match relative.name {
                LocalName::P => assert!(*score > threshold, "{scorer:?} {score}"),
                LocalName::LI | LocalName::A | LocalName::UL => assert!(*score < threshold, "{scorer:?} {score}"),
                _ => {}
            }
        }
    }
}

#[test]
fn features_that_need_a_browser_have_no_weight_without_one() {
    let model = train(pages());
    assert!(NEED_LAYOUT.iter().all(|&feature| model.lr.weights[feature] == 0.0 && model.svm.weights[feature] == 0.0));
    assert!(NEED_LAYOUT.iter().all(|&feature| PSEUDO.lr.weights[feature] == 0.0));
}

#[test]
fn scores_of_the_trainer_and_of_the_methods_agree() {
    let mut trainer = Trainer::new();
    pages().iter().for_each(|page| trainer.add(page));
    let rows: Vec<&Row> = trainer.rows.iter().collect();
    let model = trainer.fit(None);
    // As training sees a row: standardised features under the weights before they were folded.
    let tags = model.tag_table();
    let raw: Vec<Features> =
        rows.iter().map(|row| row.relative.adjusted(&model.best, tags[row.relative.name.index()])).collect();
    let scale = Scale::new(&raw, std::array::from_fn(|feature| !NEED_LAYOUT.contains(&feature)));
    let table: Vec<Features> = raw.iter().map(|row| scale.standardised(row)).collect();
    let positive: Vec<bool> = rows.iter().map(|row| row.positive).collect();
    let linear = newton::fit(&table, &positive);
    let trained: Vec<f64> = table.iter().map(|row| sigmoid(linear.decision(row))).collect();
    // As the methods see it: page by page from the model.
    let measured: Vec<f64> = pages()
        .iter()
        .flat_map(|page| {
            let page = Page::new(&page.doc);
            model.scores(&NodeFeatures::new(&page, &PageLayout::pseudo(&page)), Scorer::Lr)
        })
        .collect();
    assert_eq!(trained.len(), measured.len());
    assert!(trained.iter().zip(&measured).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn tag_scores_are_laplace_smoothed_and_unseen_tags_get_half_the_prior() {
    let training = page(0, "a.example");
    let mut trainer = Trainer::new();
    trainer.add(&training);
    let model = trainer.fit(None);
    let score = |tag: &str| model.tag_scores.iter().find(|(name, _)| *name == tag).map(|(_, score)| *score);
    assert_eq!((score("p"), score("li"), score("footer")), (Some(5.0 / 6.0), Some(1.0 / 10.0), Some(1.0 / 3.0)));
    let (positive, all) = (trainer.rows.iter().filter(|row| row.positive).count(), trainer.rows.len());
    assert_eq!((score("table"), model.unseen_tag), (None, 0.5 * positive as f64 / all as f64));
}

#[test]
fn a_fold_is_left_out_as_a_whole() {
    let mut trainer = Trainer::new();
    pages().iter().for_each(|page| trainer.add(page));
    let fold = fold_of("site-3.example");
    let mut others = Trainer::new();
    pages().iter().filter(|page| fold_of(&page.domain) != fold).for_each(|page| others.add(page));
    assert!(others.rows.len() < trainer.rows.len() && !others.rows.is_empty());
    assert_eq!(trainer.fit(Some(fold)), others.fit(None));
}

#[test]
fn no_pages_give_a_model_that_knows_nothing() {
    let trained = train([]);
    assert_eq!((sigmoid(trained.lr.bias), trained.lr.weights), (0.5, [0.0; D]));
}

#[test]
fn a_model_is_read_as_it_was_written_and_the_shipped_ones_are_for_their_layouts() {
    let model = train(pages());
    assert_eq!(ClgModel::read(&model.to_file("card")), Ok(model.clone()));
    assert!(ClgModel::read(&model.to_file("card").with("features_version", vec![0u32])).is_err());
    assert!(LAYOUT.layout && !PSEUDO.layout);
}

fn train(pages: impl IntoIterator<Item = TrainingPage>) -> ClgModel {
    let mut trainer = Trainer::new();
    pages.into_iter().for_each(|page| trainer.add(&page));
    trainer.fit(None)
}
