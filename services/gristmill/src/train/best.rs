//! Trains `best`: trees over rows, looked at twice, each page judged by models that have not seen its domain.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gristmill_eval::{Document, Judge, Measure, Package, Settings};
use gristmill_extract::best::{FIRST, SECOND, Seen, TokenTable, WordStats, word_stats};
use gristmill_extract::{
    Method, Options, Page, PageType, PageTypes, Query, Selection, TypeTrainer, TypedPage, View, extract_from,
    gold_rows, render_text,
};
use gristmill_html::{Doc, Limits};
use gristmill_trees::{Forest, LeafGrowth, Rows, grow_leaves};

use super::pages::is_permissive;
use super::threads::in_threads;

/// Folds by domain.
const FOLDS: u64 = 5;
/// At most so many rows of a page teach.
const MAX_ROWS: usize = 300;

struct Input {
    document: Document,
    doc: Doc,
    domain: String,
    fold: usize,
    trains: bool,
    title: Option<String>,
    description: String,
    typed: TypedPage,
    labels: Vec<bool>,
    stats: WordStats,
}

impl Input {
    fn query(&self) -> Query<'_> {
        Query { title: self.title.as_deref(), description: &self.description, ..Query::default() }
    }
}

/// What the first look saw of a page.
struct Looked {
    types: PageTypes,
    first: Vec<f32>,
    weights: Vec<f32>,
}

fn fold_of(domain: &str) -> usize {
    (gristmill_extract::best::domain_hash(domain) % FOLDS) as usize
}

pub fn train(folders: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let clock = std::time::Instant::now();
    let lap = |what: &str| eprintln!("{what}: {:.0} s", clock.elapsed().as_secs_f64());
    let inputs = read(folders)?;
    lap("read");
    let typed: Vec<TypedPage> = inputs.iter().map(|input| input.typed.clone()).collect();
    let types = types(&typed);
    lap("types");
    let tables: Vec<TokenTable> = (0..FOLDS as usize).map(|fold| table(&inputs, Some(fold))).collect();
    lap("tables");
    let pairs: Vec<(&Input, PageTypes)> = inputs.iter().zip(types).collect();
    let looked = in_threads(&pairs, |(input, types)| {
        let page = Page::new(&input.doc);
        let seen = Seen::new(&page, &input.query(), types, tables[input.fold].as_ref());
        Looked { types: *types, first: seen.first().to_vec(), weights: seen.weights() }
    });
    lap("first look");
    let n_rows: usize = inputs.iter().map(|input| input.labels.len()).sum();
    eprintln!("{} pages, {n_rows} rows, {} words", inputs.len(), tables[0].len());
    let growth = LeafGrowth {
        n_trees: 60,
        n_leaves: 24,
        rate: 0.15,
        lambda: 20.0,
        min_weight: 20.0,
        feature_share: 0.3,
        row_share: 0.6,
    };
    let folds: Vec<usize> = (0..FOLDS as usize).collect();
    let firsts = in_threads(&folds, |&held| {
        let take = |at: usize| inputs[at].trains && inputs[at].fold != held;
        grow_leaves(&rows(&inputs, &looked, FIRST, &take, |at| &looked[at].first), &growth)
    });
    lap("first trees");
    let opinions: Vec<Vec<f32>> =
        inputs.iter().zip(&looked).map(|(input, looked)| ask(&firsts[input.fold], &looked.first, FIRST)).collect();
    lap("first opinions");
    let numbers: Vec<usize> = (0..inputs.len()).collect();
    let seconds_seen = in_threads(&numbers, |&at| {
        let input = &inputs[at];
        let page = Page::new(&input.doc);
        let seen = Seen::new(&page, &input.query(), &looked[at].types, tables[input.fold].as_ref());
        join(seen.first(), &seen.second(&page, &opinions[at]))
    });
    lap("second look");
    let seconds = in_threads(&folds, |&held| {
        let take = |at: usize| inputs[at].trains && inputs[at].fold != held;
        grow_leaves(&rows(&inputs, &looked, FIRST + SECOND, &take, |at| &seconds_seen[at]), &growth)
    });
    lap("second trees");
    let scores = in_threads(&numbers, |&at| {
        let input = &inputs[at];
        let page = Page::new(&input.doc);
        let seen = Seen::new(&page, &input.query(), &looked[at].types, tables[input.fold].as_ref());
        let second = ask(&seconds[input.fold], &seconds_seen[at], FIRST + SECOND);
        let judge = Judge::new(
            Some(&input.document.gold),
            &[],
            &[],
            Settings { characters: false, ..Settings::default() },
        );
        let f1 = |keep: &[bool]| {
            let mut selection = Selection::none(&page);
            page.rows.iter().zip(keep).filter(|(_, keep)| **keep).for_each(|(row, _)| selection.keep_row(row));
            judge.score(&render_text(&page, &selection)).get(Measure::Wcxb).map_or(0.0, |score| score.f1)
        };
        let fixed = |t: f32| f1(&second.iter().map(|&p| p >= t).collect::<Vec<_>>());
        let decision = seen.decide(&page, &second);
        [
            f1(&seen.decide(&page, &opinions[at]).keep),
            fixed(0.5),
            fixed(0.35),
            f1(&decision.keep),
            f64::from(decision.expected),
            f1(&input.labels),
        ]
    });
    lap("scores");
    report(&inputs, &scores);
    Ok(Vec::new())
}

fn read(folders: &[PathBuf]) -> anyhow::Result<Vec<Input>> {
    let mut documents = Vec::new();
    for folder in folders {
        let package = Package::read(folder)?;
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(folder.join("package.json"))?)?;
        let licence = about["licence"].as_str().unwrap_or("unstated").to_owned();
        for document in package.documents.into_iter().filter(|document| !document.fragmented) {
            let own = std::fs::read(folder.join("pages").join(format!("{}.json", document.id))).unwrap_or_default();
            let own: serde_json::Value = serde_json::from_slice(&own).unwrap_or_default();
            let repository = own["source_repo"].as_str().unwrap_or_default().to_owned();
            let trains = is_permissive(&licence_of(&licence, &repository));
            documents.push((document, trains));
        }
    }
    Ok(in_threads(&documents, |(document, trains)| input(document, *trains)).into_iter().flatten().collect())
}

/// The licence of a page: that of its package, or the part which names its repository.
fn licence_of(licence: &str, repository: &str) -> String {
    let name = repository.rsplit('/').next().unwrap_or_default();
    let parts = || licence.split([',', ';']).map(str::trim);
    let named = parts().find(|part| !name.is_empty() && part.contains(name));
    // "MIT (a, repository)" is cut in two by the comma.
    named.unwrap_or(licence).to_owned()
}

fn input(document: &Document, trains: bool) -> Option<Input> {
    let bytes = document.read_html().map_err(|problem| eprintln!("left out: {problem}")).ok()?;
    let doc = Doc::parse(&gristmill_html::decode(&bytes, None).text, &Limits::default());
    let page = Page::new(&doc);
    let options = Options { method: Method::SUN, url: document.url.as_deref(), ..Options::default() };
    let (about, _) = extract_from(&page, &options);
    let domain = document.domain.clone().unwrap_or_else(|| document.id.clone());
    let label = PageType::ALL.into_iter().find(|kind| Some(kind.as_str()) == document.page_type.as_deref());
    let typed = TypedPage::new(&page, document.url.as_deref(), label, &domain, trains);
    let labels = gold_rows(&page, &document.gold);
    let weights: Vec<f32> = page.rows.iter().map(|row| row.chars as f32).collect();
    let stats = word_stats(&page, &labels, &weights);
    drop(page);
    Some(Input {
        document: document.clone(),
        doc,
        fold: fold_of(&domain),
        domain,
        trains,
        title: about.title,
        description: about.description.unwrap_or_default(),
        typed,
        labels,
        stats,
    })
}

/// Types by models that have not seen the page's site.
fn types(typed: &[TypedPage]) -> Vec<PageTypes> {
    let predicted = TypeTrainer::default().cross_validate(typed, FOLDS as usize);
    (0..typed.len()).map(|at| predicted.types(at, View::Whole)).collect()
}

fn table(inputs: &[Input], held: Option<usize>) -> TokenTable {
    let taken = inputs.iter().filter(|input| input.trains && Some(input.fold) != held);
    TokenTable::learn(taken.map(|input| (input.domain.as_str(), &input.stats)))
}

/// Rows of the pages that may teach. Each page has the same weight, however many rows it has.
fn rows<'i>(
    inputs: &[Input],
    looked: &[Looked],
    width: usize,
    take: &dyn Fn(usize) -> bool,
    features: impl Fn(usize) -> &'i Vec<f32>,
) -> Rows {
    let mut rows = Rows { width, ..Rows::default() };
    for at in (0..inputs.len()).filter(|&at| take(at)) {
        let (input, weights) = (&inputs[at], &looked[at].weights);
        let step = input.labels.len().div_ceil(MAX_ROWS).max(1);
        let taken = || (0..input.labels.len()).step_by(step);
        let total: f32 = taken().map(|row| weights[row].sqrt()).sum();
        let boost = if input.document.package == "wcxb-dev" { 1.0 } else { 2.0 };
        for row in taken() {
            rows.features.extend_from_slice(&features(at)[row * width..(row + 1) * width]);
            rows.labels.push(f32::from(u8::from(input.labels[row])));
            rows.weights.push(weights[row].sqrt() / total * 100.0 * boost);
        }
    }
    rows
}

fn ask(forest: &Forest, features: &[f32], width: usize) -> Vec<f32> {
    features.chunks(width).map(|row| forest.as_ref().probability(row)).collect()
}

fn join(first: &[f32], second: &[f32]) -> Vec<f32> {
    let mut joined = Vec::with_capacity(first.len() + second.len());
    for (first, second) in first.chunks(FIRST).zip(second.chunks(SECOND)) {
        joined.extend_from_slice(first);
        joined.extend_from_slice(second);
    }
    joined
}

fn report(inputs: &[Input], scores: &[[f64; 6]]) {
    println!("| package (pages) | first look | p ≥ .5 | p ≥ .35 | expected F1 | its guess | labels |\n|---|---|---|---|---|---|---|");
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, input) in inputs.iter().enumerate().filter(|(_, input)| input.document.in_means()) {
        let package = &input.document.package;
        groups.entry(package.clone()).or_default().push(at);
        if package == "wcxb-dev" {
            let kind = input.document.page_type.clone().unwrap_or_default();
            groups.entry(format!("{package}: {kind}")).or_default().push(at);
        }
    }
    let mut means = [(0, 0.0); 6];
    for (name, pages) in &groups {
        let mean = |column: usize| pages.iter().map(|&at| scores[at][column]).sum::<f64>() / pages.len() as f64;
        let cells: Vec<String> = (0..6).map(|column| format!("{:.3}", mean(column))).collect();
        println!("| {name} ({}) | {} |", pages.len(), cells.join(" | "));
        if !name.contains(':') {
            for (column, sum) in means.iter_mut().enumerate() {
                *sum = (sum.0 + 1, sum.1 + mean(column));
            }
        }
    }
    let cells: Vec<String> = means.iter().map(|(n, sum)| format!("{:.3}", sum / f64::from(*n))).collect();
    println!("| mean | {} |", cells.join(" | "));
}
