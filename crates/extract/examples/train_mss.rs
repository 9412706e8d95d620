//! Trains the model of `mss-supervised` and writes it to `models/mss.bin`.
//!
//! ```text
//! cargo run --release -p gristmill-extract --example train_mss -- [--out FILE] [--min-count N] PACKAGE_DIR...
//! ```
//! A package is a folder with `package.json` (`licence`) and `pages/<id>.html.gz`, `<id>.txt`, `<id>.json` (`domain`).
//! Pages without gold, or with only a part of it, are left out. Only name packages that permit a model to be made of
//! them. Prints the word F1 of a three-fold cross-validation by domain.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use gristmill_extract::mss::{Limits as MssLimits, Model as MssModel, Trainer as MssTrainer};
use gristmill_extract::{Page, Trace, render_text};
use gristmill_html::{Doc, Limits, decode};
use gristmill_text::{Bigrams, word_hashes};

type Error = Box<dyn std::error::Error>;

fn main() -> Result<(), Error> {
    let mut out = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/models/mss.bin"));
    let (mut packages, mut limits) = (Vec::new(), MssLimits::default());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => out = arguments.next().ok_or("--out needs a file")?.into(),
            "--min-count" => limits.min_count = arguments.next().ok_or("--min-count needs a number")?.parse()?,
            _ => packages.push(PathBuf::from(argument)),
        }
    }
    let mut trainer = MssTrainer::default();
    for_each_page(&packages, |_, page, about, gold| {
        trainer.add(page, gold, domain(about));
    })?;
    let scores = cross_validate(&packages, &trainer, limits)?;
    let notes = notes(&packages, &trainer, limits, &scores)?;
    println!("{notes}");
    let model = trainer.model(None, limits, notes);
    let bytes = model.to_bytes();
    println!("{} trigrams, {} bytes → {}", model.n_trigrams(), bytes.len(), out.display());
    std::fs::write(out, bytes)?;
    Ok(())
}

/// Word F1 by fold, then by package (and page type of `wcxb-dev`), each page judged by the model that has not seen its
/// domain.
fn cross_validate(
    packages: &[PathBuf],
    trainer: &MssTrainer,
    limits: MssLimits,
) -> Result<BTreeMap<String, Vec<f64>>, Error> {
    let models: Vec<MssModel> =
        (0..MssTrainer::FOLDS).map(|fold| trainer.model(Some(fold), limits, String::new())).collect();
    let mut scores: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for_each_page(packages, |package, page, about, gold| {
        let fold = MssTrainer::fold_of(domain(about));
        let selection = models[fold].select(page, &mut Trace::default());
        let score = word_f1(&render_text(page, &selection), gold);
        let mut note = |name: String| scores.entry(name).or_default().push(score);
        note(format!("fold {fold}"));
        note(package.to_owned());
        if package == "wcxb-dev" {
            note(format!("{package}: {}", about["page_type"].as_str().unwrap_or("?")));
        }
    })?;
    for (name, scores) in &scores {
        println!("{:.3} {name} ({})", mean(scores), scores.len());
    }
    Ok(scores)
}

fn notes(
    packages: &[PathBuf],
    trainer: &MssTrainer,
    limits: MssLimits,
    scores: &BTreeMap<String, Vec<f64>>,
) -> Result<String, Error> {
    let (mut names, mut licences) = (Vec::new(), Vec::new());
    for package in packages {
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(package.join("package.json"))?)?;
        let name = package_name(package);
        let licence = about["licence"].as_str().unwrap_or("unstated");
        licences.push(format!("{name} {}", licence.split(['(', ';']).next().unwrap_or(licence).trim()));
        names.push(name);
    }
    let folds: Vec<String> = (0..MssTrainer::FOLDS)
        .filter_map(|fold| Some(format!("{:.3}", mean(scores.get(&format!("fold {fold}"))?))))
        .collect();
    Ok(format!(
        "version: {}\npackages: {}\nlicences: {}\npages: {}\ntraining set: {:016x}\nfewest occurrences: {}\n\
         cross-validated word F1: {} (three folds by domain)\n",
        MssModel::VERSION,
        names.join(", "),
        licences.join(", "),
        trainer.pages(),
        trainer.fingerprint(),
        limits.min_count,
        folds.join(", "),
    ))
}

fn package_name(package: &Path) -> String {
    package.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn domain(about: &serde_json::Value) -> &str {
    about["domain"].as_str().or(about["publisher"].as_str()).or(about["url"].as_str()).unwrap_or("unknown")
}

/// Calls `work` with package, page, description and gold text of each page that has a whole gold text.
fn for_each_page(
    packages: &[PathBuf],
    mut work: impl FnMut(&str, &Page<'_>, &serde_json::Value, &str),
) -> Result<(), Error> {
    for package in packages {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(package.join("pages"))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.to_string_lossy().ends_with(".html.gz"))
            .collect();
        paths.sort();
        for path in paths {
            let stem = path.to_string_lossy().trim_end_matches(".html.gz").to_owned();
            let about: serde_json::Value = serde_json::from_slice(&std::fs::read(format!("{stem}.json"))?)?;
            let flags = about["flags"].to_string();
            let skip = ["empty_gold", "gold_not_in_source"].iter().any(|flag| flags.contains(flag));
            if skip || about["fragmented"].as_bool() == Some(true) {
                continue;
            }
            let gold = std::fs::read_to_string(format!("{stem}.txt"))?;
            let mut html = Vec::new();
            flate2::read::GzDecoder::new(std::fs::File::open(&path)?).read_to_end(&mut html)?;
            let doc = Doc::parse(&decode(&html, None).text, &Limits::default());
            work(&package_name(package), &Page::new(&doc), &about, &gold);
        }
    }
    Ok(())
}

/// 2 · shared words / all words, counted as bags; both empty give 1.
fn word_f1(text: &str, gold: &str) -> f64 {
    let bag = |text: &str| {
        let mut words = Vec::new();
        word_hashes(text, &Bigrams, usize::MAX, &mut words);
        let mut bag: HashMap<u64, usize> = HashMap::new();
        words.iter().for_each(|&word| *bag.entry(word).or_default() += 1);
        (bag, words.len())
    };
    let ((text, n), (gold, m)) = (bag(text), bag(gold));
    let shared: usize = gold.iter().map(|(word, count)| count.min(text.get(word).unwrap_or(&0))).sum();
    if n + m == 0 { 1.0 } else { 2.0 * shared as f64 / (n + m) as f64 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
