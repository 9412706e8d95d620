//! Trains `best`: trees over rows, looked at twice, each page judged by models that have not seen its domain.
//!
//! One split of domains into folds serves everything: a page's class words, its page type and its first look come
//! from models without its fold, in training as in judging, so the second look learns from opinions as good as those
//! that it will get.

mod disguise;
mod labels;
mod read;
mod report;
mod sample;

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use gristmill_eval::{Measure, MeasureOptions, TextScorer};
use gristmill_extract::best::{
    BestModel, FIRST, RowFeatures, SECOND, TAUGHT, TokenTable, first_names, second_look, second_names,
};
use gristmill_extract::{FeatureView, Page, PageTypes, Selection, TypeTrainer, TypedPage, render_text};
use gristmill_models::trees::{BatchForest, Forest, LeafwiseParams, TrainingRows, grow_leaves};

use crate::threads::in_threads;
use read::{FOLDS, FoldPage, read};
use report::PageScores;

/// At most so many rows of a page teach.
const MAX_ROWS: usize = 450;
/// The large package does not drown the others: their pages count this much more.
const OTHERS: f32 = 3.0;
/// What a page in disguise weighs, against the page itself.
const DISGUISE: f32 = 0.5;
/// A row weighs its words to this power.
const LONG_ROWS: f32 = 0.6;

#[derive(Args)]
pub struct BestArgs {
    /// Test packages; pages whose licence does not permit a model are only asked about
    #[arg(required = true, value_name = "PACKAGE_DIR")]
    packages: Vec<PathBuf>,
    /// Where the model goes [default: only the tables are printed]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where 1,000 rows of CC-BY pages go with what the trainer says of them, for a test of the model
    #[arg(long, value_name = "FILE")]
    sample: Option<PathBuf>,
    /// Where a line for each page goes
    #[arg(long, value_name = "FILE")]
    pages: Option<PathBuf>,
    /// Take packages of any licence: for a model that is not given to others
    #[arg(long)]
    any_licence: bool,
    /// Judge each fifth of the sites by models no part of which has seen it, as a new site is judged: four times as long
    #[arg(long, conflicts_with_all = ["out", "sample", "without"])]
    nested: bool,
    /// Teach pages as they are alone, to see what those in disguise bring
    #[arg(long, conflicts_with_all = ["out", "sample"])]
    undisguised: bool,
    /// Do without the numbers whose names contain one of these, to see what they bring
    #[arg(long, value_name = "TEXT", value_delimiter = ',', conflicts_with_all = ["out", "sample"])]
    without: Vec<String>,
}

/// Cross-validates, prints the tables of `docs/best.md`, and writes the model.
pub fn run(args: &BestArgs) -> anyhow::Result<()> {
    let mut inputs = read(&args.packages, args.any_licence, !args.undisguised)?;
    anyhow::ensure!(
        inputs.iter().any(|input| input.trains),
        "no page whose licence permits a model to be made of it and given away; `--any-licence` takes all of them \
         for a model of your own"
    );
    let unused = unused(&args.without)?;
    if args.nested {
        let outcomes = nested(&mut inputs);
        return tell(args, &inputs, &outcomes).map(|_| ());
    }
    let crossed = Crossed::new(&inputs, unused);
    let outcomes = crossed.outcomes(&inputs);
    let (scores, calibration) = tell(args, &inputs, &outcomes)?;
    if args.out.is_none() && args.sample.is_none() {
        return Ok(());
    }
    let forests = in_threads(&[false, true], |&second| crossed.grow(&inputs, second, None));
    let [first, second] = forests.try_into().expect("two looks");
    let model = BestModel { tokens: tokens(&inputs, None), first, second, calibration };
    if let Some(path) = &args.out {
        let card = report::card(&inputs, scores);
        write(path, model.to_file(&card.text(&gristmill_models::BEST)).to_bytes())?;
    }
    match &args.sample {
        Some(path) => write(path, sample::sample(&inputs, &crossed.seen, &model)?),
        None => Ok(()),
    }
}

/// Prints the tables; returns the scores of the card and the calibration.
fn tell(args: &BestArgs, inputs: &[FoldPage], outcomes: &[PageScores]) -> anyhow::Result<((f64, f64), Vec<f32>)> {
    let scores = report::scores(inputs, outcomes);
    let calibration = report::calibration(inputs, outcomes);
    if let Some(path) = &args.pages {
        write(path, report::pages(inputs, outcomes).into_bytes())?;
    }
    Ok((scores, calibration))
}

fn write(path: &PathBuf, bytes: Vec<u8>) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("could not write `{}`", path.display()))
}

/// What becomes of each page by models no part of which has seen its fold.
///
/// [`Crossed`] by itself is a little kinder: what its second looks learn from are opinions of models without the fold of the
/// page that teaches, but with that of the page that is judged.
fn nested(inputs: &mut [FoldPage]) -> Vec<PageScores> {
    let teach = |inputs: &mut [FoldPage], flags: &dyn Fn(usize, &FoldPage) -> bool| {
        for (at, input) in inputs.iter_mut().enumerate() {
            input.trains = flags(at, input);
            input.typed.trains = input.trains;
        }
    };
    let trains: Vec<bool> = inputs.iter().map(|input| input.trains).collect();
    let mut outcomes = Vec::new();
    for held in 0..FOLDS as usize {
        teach(inputs, &|at, input| trains[at] && input.fold != held);
        let crossed = Crossed::new(inputs, Vec::new());
        let of_fold: Vec<usize> =
            (0..inputs.len()).filter(|&at| inputs[at].fold == held && !inputs[at].disguised).collect();
        let judged = in_threads(&of_fold, |&at| crossed.outcome(&inputs[at], at));
        outcomes.extend(of_fold.into_iter().zip(judged));
    }
    teach(inputs, &|at, _| trains[at]);
    outcomes.sort_by_key(|(at, _)| *at);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Which numbers of a row stay unused; each of the texts has to be in a name.
fn unused(without: &[String]) -> anyhow::Result<Vec<usize>> {
    let names: Vec<String> = first_names().into_iter().chain(second_names()).collect();
    if let Some(text) = without.iter().find(|text| !names.iter().any(|name| name.contains(*text))) {
        anyhow::bail!("`--without {text}`: no number's name contains that; `gristmill extract --explain` shows names");
    }
    Ok((0..names.len()).filter(|&n| without.iter().any(|text| names[n].contains(text))).collect())
}

/// Everything that is seen of the pages by models without their folds.
struct Crossed {
    /// Numbers that no tree may ask for.
    unused: Vec<usize>,
    types: Vec<PageTypes>,
    tokens: Vec<TokenTable>,
    /// Words of each row.
    weights: Vec<Vec<f32>>,
    /// Probabilities of the first look.
    first: Vec<Vec<f32>>,
    /// Numbers of both looks, row by row.
    seen: Vec<Vec<f32>>,
    second: Vec<Vec<f32>>,
}

impl Crossed {
    fn new(inputs: &[FoldPage], unused: Vec<usize>) -> Crossed {
        let folds: Vec<usize> = (0..FOLDS as usize).collect();
        let at: Vec<usize> = (0..inputs.len()).collect();
        let mut crossed = Crossed {
            unused,
            types: types(inputs),
            tokens: folds.iter().map(|&held| tokens(inputs, Some(held))).collect(),
            weights: Vec::new(),
            first: Vec::new(),
            seen: Vec::new(),
            second: Vec::new(),
        };
        let looked = in_threads(&at, |&at| {
            let seen = crossed.look(&inputs[at], at, &Page::new(&inputs[at].doc));
            (seen.numbers().to_vec(), seen.weights())
        });
        (crossed.seen, crossed.weights) = looked.into_iter().unzip();
        let forests = in_threads(&folds, |&held| BatchForest::from(crossed.grow(inputs, false, Some(held)).as_ref()));
        let asked = in_threads(&at, |&at| {
            let page = Page::new(&inputs[at].doc);
            let mut seen = crossed.look(&inputs[at], at, &page);
            let first = seen.first_look(&forests[inputs[at].fold]);
            seen.look_again(&page, &first, TAUGHT);
            (first, seen.numbers().to_vec())
        });
        (crossed.first, crossed.seen) = asked.into_iter().unzip();
        let forests = in_threads(&folds, |&held| BatchForest::from(crossed.grow(inputs, true, Some(held)).as_ref()));
        crossed.second =
            in_threads(&at, |&at| second_look(&forests[inputs[at].fold], &crossed.seen[at], &crossed.first[at]));
        crossed
    }

    fn look(&self, input: &FoldPage, at: usize, page: &Page<'_>) -> RowFeatures {
        RowFeatures::new(page, &input.query(), &self.types[at], &self.tokens[input.fold])
    }

    /// The trees of one look from all pages that may teach, but for those of one fold.
    ///
    /// The first look learns whether a text is in the gold, the second, which knows the copies of a row and what is around
    /// it, which of them: .893 on `wcxb-dev`, for .887 and .888 with one kind of label for both.
    fn grow(&self, inputs: &[FoldPage], second: bool, held: Option<usize>) -> Forest {
        let growth = LeafwiseParams {
            n_trees: 100,
            n_leaves: 28,
            rate: 0.1,
            lambda: 30.0,
            min_weight: 50.0,
            feature_share: 0.25,
            row_share: 0.6,
        };
        let mut rows = TrainingRows { width: if second { FIRST + SECOND } else { FIRST }, ..TrainingRows::default() };
        for (at, input) in inputs.iter().enumerate() {
            if input.teaches(held) {
                let asked = |row: usize| !second || self.first[at][row] >= TAUGHT;
                let labels = if second { &input.labels } else { &input.said };
                add(&mut rows, labels, input, &self.weights[at], &self.seen[at], asked);
            }
        }
        // No tree can split by what is the same everywhere.
        let width = rows.width;
        for row in rows.features.chunks_mut(width) {
            self.unused.iter().filter(|&&n| n < width).for_each(|&n| row[n] = 0.0);
        }
        grow_leaves(&rows, &growth)
    }

    fn outcomes(&self, inputs: &[FoldPage]) -> Vec<PageScores> {
        let at: Vec<usize> = (0..inputs.len()).filter(|&at| !inputs[at].disguised).collect();
        in_threads(&at, |&at| self.outcome(&inputs[at], at))
    }

    fn outcome(&self, input: &FoldPage, at: usize) -> PageScores {
        let page = Page::new(&input.doc);
        let seen = self.look(input, at, &page);
        let settings = MeasureOptions { characters: false, ..MeasureOptions::default() };
        let document = &input.document;
        let gold = (!document.fragmented).then_some(document.gold.as_str());
        let judge = TextScorer::new(gold, &document.with, &document.without, settings);
        let judged = |keep: &[bool]| {
            let mut selection = Selection::none(&page);
            page.rows.iter().zip(keep).filter(|(_, keep)| **keep).for_each(|(row, _)| selection.keep_row(row));
            judge.score(&render_text(&page, &selection))
        };
        let f1 = |keep: &[bool]| judged(keep).get(Measure::Wcxb).map_or(0.0, |score| score.f1);
        let decision = seen.decide(&page, self.second[at].clone());
        let scores = judged(&decision.keep);
        PageScores {
            with: scores.with,
            without: scores.without,
            first: f1(&seen.decide(&page, self.first[at].clone()).keep),
            f1: f1(&decision.keep),
            expected: f64::from(decision.expected),
            labels: f1(&input.labels),
            empty: !decision.keep.contains(&true),
        }
    }
}

/// Page types by models that have not seen the page's site.
fn types(inputs: &[FoldPage]) -> Vec<PageTypes> {
    let typed: Vec<TypedPage> = inputs.iter().map(|input| input.typed.clone()).collect();
    let predicted = TypeTrainer::default().cross_validate(&typed, FOLDS as usize);
    (0..typed.len()).map(|at| predicted.types(at, FeatureView::Whole)).collect()
}

fn tokens(inputs: &[FoldPage], held: Option<usize>) -> TokenTable {
    let taken = inputs.iter().filter(|input| input.teaches(held) && !input.disguised);
    TokenTable::learn(taken.map(|input| (input.domain.as_str(), &input.stats)))
}

/// Adds those rows of a page that are asked about. Each page has the same weight, however many rows it has.
fn add(
    rows: &mut TrainingRows,
    labels: &[bool],
    input: &FoldPage,
    weights: &[f32],
    seen: &[f32],
    asked: impl Fn(usize) -> bool,
) {
    let step = labels.len().div_ceil(MAX_ROWS).max(1);
    let taken = || (0..labels.len()).step_by(step);
    let weight = |row: usize| weights[row].powf(LONG_ROWS);
    let total: f32 = taken().map(weight).sum();
    let boost = if input.document.package == "wcxb-dev" { 1.0 } else { OTHERS };
    let boost = if input.disguised { boost * DISGUISE } else { boost };
    for row in taken().filter(|&row| asked(row)) {
        rows.features.extend_from_slice(&seen[row * (FIRST + SECOND)..][..rows.width]);
        rows.labels.push(f32::from(u8::from(labels[row])));
        rows.weights.push(weight(row) / total * 100.0 * boost);
    }
}
