//! Trains the model of CLG on test packages, scores it on pages it has not seen, and prints it as Rust source.
//!
//! ```text
//! cargo run --release -p gristmill-extract --example train_clg -- PACKAGE_DIR... [--out FILE]
//! ```
//! A package is a folder as for the `score` example, with `licence` in its `package.json`. Three folds are split by
//! domain; each page is scored by models trained on the other two, and then, for comparison, by the final model.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_extract::clg::{Model, Scorer, Trainer, TrainingPage, fold_of};
use gristmill_extract::{BestNode, Candidates, Clg, Extractor, Page, Query, Trace, render_text};
use gristmill_html::{Doc, Limits, decode};

const METHODS: [&str; 5] = ["clg", "lr", "lr-a", "svm", "svm-a"];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let (mut packages, mut out) = (Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => out = Some(PathBuf::from(arguments.next().ok_or("--out needs a file")?)),
            _ => packages.push(PathBuf::from(argument)),
        }
    }
    let mut trainer = Trainer::new();
    for package in &packages {
        each_page(package, |page, _| trainer.add(&page))?;
    }
    let leak = |model: Model| -> &'static Model { Box::leak(Box::new(model)) };
    let folds: Vec<&'static Model> = (0..3).map(|fold| leak(trainer.fit(Some(fold)))).collect();
    let all = leak(trainer.fit(None));
    let (mut unseen, mut seen, mut by_fold) = (Table::default(), Table::default(), [(0usize, 0.0); 3]);
    for package in &packages {
        each_page(package, |page, page_type| {
            let fold = fold_of(&page.domain) as usize;
            let scores = scores(&page, folds[fold]);
            by_fold[fold] = (by_fold[fold].0 + 1, by_fold[fold].1 + scores[0]);
            unseen.add(&page.package, page_type, &scores);
            seen.add(&page.package, page_type, &self::scores(&page, all));
        })?;
    }
    unseen.print("each page by models trained on other domains");
    seen.print("each page by the final model, which was trained on it: contaminated");
    let trained = trainer.finish(by_fold.iter().map(|(n, sum)| sum / (*n).max(1) as f64).collect());
    match out {
        Some(file) => std::fs::write(file, trained.to_rust())?,
        None => print!("{}", trained.to_rust()),
    }
    Ok(())
}

/// Calls `with` for every page that has a usable gold, with its page type.
fn each_page(package: &Path, mut with: impl FnMut(TrainingPage, &str)) -> Result<(), Failure> {
    let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let described: serde_json::Value = serde_json::from_slice(&std::fs::read(package.join("package.json"))?)?;
    let licence = described["licence"].as_str().unwrap_or("unstated").to_owned();
    let mut pages: Vec<PathBuf> = std::fs::read_dir(package.join("pages"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(".html.gz"))
        .collect();
    pages.sort();
    for path in pages {
        let stem = path.to_string_lossy().trim_end_matches(".html.gz").to_owned();
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(format!("{stem}.json"))?)?;
        let flags = about["flags"].to_string();
        let skip = ["empty_gold", "gold_not_in_source"].iter().any(|flag| flags.contains(flag));
        if skip || about["fragmented"].as_bool() == Some(true) {
            continue;
        }
        let mut html = Vec::new();
        flate2::read::GzDecoder::new(std::fs::File::open(&path)?).read_to_end(&mut html)?;
        let page = TrainingPage {
            doc: Doc::parse(&decode(&html, None).text, &Limits::default()),
            layout: None,
            gold: std::fs::read_to_string(format!("{stem}.txt"))?,
            domain: about["domain"].as_str().unwrap_or(&stem).to_owned(),
            package: name.clone(),
            licence: licence.clone(),
        };
        with(page, about["page_type"].as_str().unwrap_or("?"));
    }
    Ok(())
}

/// Word F1 of [`METHODS`].
fn scores(page: &TrainingPage, model: &'static Model) -> [f64; 5] {
    let statistics = Page::new(&page.doc);
    let gold = tokens(&page.gold);
    let score = |method: &dyn Extractor| {
        let selection = method.select(&statistics, &Query::default(), &mut Trace::default());
        f1(&tokens(&render_text(&statistics, &selection)), &gold)
    };
    [
        score(&Clg::new(model)),
        score(&Candidates::new(model, Scorer::Lr)),
        score(&BestNode::new(model, Scorer::Lr)),
        score(&Candidates::new(model, Scorer::Svm)),
        score(&BestNode::new(model, Scorer::Svm)),
    ]
}

/// Row name → (pages, sum of F1 by method).
#[derive(Default)]
struct Table(BTreeMap<String, (usize, [f64; 5])>);

impl Table {
    fn add(&mut self, package: &str, page_type: &str, scores: &[f64; 5]) {
        let mut rows = vec![package.to_owned()];
        if package == "wcxb-dev" {
            rows.push(format!("{package}: {page_type}"));
        }
        for row in rows {
            let (n, sums) = self.0.entry(row).or_default();
            *n += 1;
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
        }
    }

    fn print(&self, title: &str) {
        eprintln!("\n{title}\n\n| package (pages) | {} |\n|---|{}", METHODS.join(" | "), "---:|".repeat(5));
        let (mut mean, mut n_packages) = ([0.0; 5], 0.0);
        for (row, (n, sums)) in &self.0 {
            let means = sums.map(|sum| sum / *n as f64);
            eprintln!("| {row} ({n}) | {} |", means.map(|mean| format!("{mean:.3}")).join(" | "));
            if !row.contains(": ") {
                n_packages += 1.0;
                mean.iter_mut().zip(means).for_each(|(sum, value)| *sum += value);
            }
        }
        eprintln!("| mean of packages | {} |", mean.map(|sum| format!("{:.3}", sum / n_packages)).join(" | "));
    }
}

/// Lower-cased runs of letters, digits and `_`; a character of an unspaced script or of Hangul stands alone.
fn tokens(text: &str) -> HashMap<String, i64> {
    let mut bag = HashMap::new();
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        if !word.is_empty() {
            *bag.entry(std::mem::take(word)).or_insert(0) += 1;
        }
    };
    for c in text.chars() {
        if gristmill_text::is_cjk(c) || gristmill_text::is_unspaced(c) {
            flush(&mut word);
            word.push(c);
            flush(&mut word);
        } else if c.is_alphanumeric() || c == '_' {
            word.extend(c.to_lowercase());
        } else {
            flush(&mut word);
        }
    }
    flush(&mut word);
    bag
}

/// 2·|E ∩ M| / (|E| + |M|); both empty give 1.
fn f1(extracted: &HashMap<String, i64>, gold: &HashMap<String, i64>) -> f64 {
    let total: i64 = extracted.values().sum::<i64>() + gold.values().sum::<i64>();
    let shared: i64 = gold.iter().map(|(word, n)| n.min(extracted.get(word).unwrap_or(&0))).sum();
    if total == 0 { 1.0 } else { 2.0 * shared as f64 / total as f64 }
}
