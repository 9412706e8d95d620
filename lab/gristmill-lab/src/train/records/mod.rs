//! Trains the accept model of product records, and judges it on shops that it has not seen.

mod evaluation;
mod set;

use std::path::PathBuf;

use gristmill_eval::records::{RecordPackage, RecordPage};
use gristmill_eval::{SkippedDocument, is_permissive};
use gristmill_html::{Doc, TreeLimits};
use gristmill_models::{CNBE, ModelFile, RECORDS};
use gristmill_records::cnbe::Cnbe;
use gristmill_records::training::{Example, feature_names, fold_of};
use gristmill_records::{Dictionary, THRESHOLD};

use super::card::ModelCard;
use super::held_out_sites::{HELD_OUT, is_held_out};
use super::pages::fnv;
use evaluation::{bins, causes, line};
pub use set::{TrainingSet, language_of, made_up, text};

/// Folds by site of the cross-validation that the card tells of.
const FOLDS: u64 = 12;
/// Thresholds of the printed table.
const THRESHOLDS: [f32; 8] = [0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9];

/// Reads packages of products and of articles; the order of the folders does not matter.
pub fn read(folders: &[PathBuf]) -> anyhow::Result<(Vec<RecordPage>, Vec<SkippedDocument>)> {
    let (mut pages, mut problems) = (Vec::new(), Vec::new());
    let mut names: Vec<String> = Vec::new();
    for folder in folders {
        let package = RecordPackage::read(folder)?;
        anyhow::ensure!(
            !names.contains(&package.name),
            "two packages are called `{}`; the second is `{}`",
            package.name,
            folder.display()
        );
        names.push(package.name);
        pages.extend(package.pages);
        problems.extend(package.problems);
    }
    pages.sort_by(|a, b| {
        (!a.is_product, &a.document.package, &a.document.id).cmp(&(!b.is_product, &b.document.package, &b.document.id))
    });
    Ok((pages, problems))
}

/// The model. Prints, by threshold, how models that have not seen a page's shop do on it.
pub fn train(folders: &[PathBuf], any_licence: bool) -> anyhow::Result<ModelFile> {
    let (pages, mut problems) = read(folders)?;
    let set = TrainingSet::new(&pages, any_licence, &mut problems);
    anyhow::ensure!(
        set.teachers().any(|page| page.is_product),
        "no product page whose licence permits a model to be made of it and given away; \
         `--any-licence` takes all of them for a model of your own"
    );
    let fold = |page: &RecordPage| fold_of(&page.site, FOLDS);
    let folds: Vec<Option<u64>> = (0..FOLDS).map(Some).collect();
    let models = set.models(&folds, &fold);
    let opinion =
        |(page, one): (&usize, &Example)| models[fold(&set.pages[*page]) as usize].probabilities(&one.samples);
    let opinions: Vec<Vec<f32>> = set.page_of.iter().zip(&set.examples).map(opinion).collect();
    println!("Pairs on shops that the model has not seen, {FOLDS} folds by shop:");
    for (copies, what) in [(false, "as they are"), (true, "copies in languages that do not exist")] {
        println!("{what}:");
        THRESHOLDS.iter().for_each(|&threshold| println!("{}", line(&set, &opinions, copies, threshold)));
        print!("{}", causes(&set, &opinions, copies));
        print!("{}", bins(&set, &opinions, copies));
    }
    problems.iter().for_each(|problem| eprintln!("left out: {problem}"));
    let (first, both) = (feature_names(false).len(), feature_names(true).len());
    let teaches = |n: usize| set.permissive[n] && !is_held_out(&set.pages[n].site);
    let taught = (0..set.pages.len()).filter(|&n| teaches(n)).map(|n| (&set.pages[n], set.hashes[n]));
    let card = ModelCard::new(taught.map(|(page, hash)| (page.document.package.as_str(), page.licence.as_str(), hash)))
        .note(format!("{first} + {} features.", both - first))
        .note(format!("Pairs on shops outside of the training: {}.", line(&set, &opinions, false, THRESHOLD)))
        .note(HELD_OUT);
    Ok(set.fit(&teaches).to_file(&card.text(&RECORDS)))
}

/// The model of the CNBE baseline, co-trained on the product pages without their gold.
pub fn train_cnbe(folders: &[PathBuf], any_licence: bool) -> anyhow::Result<ModelFile> {
    let (pages, problems) = read(folders)?;
    let may = |page: &&RecordPage| any_licence || is_permissive(&page.licence);
    let taken = pages.iter().filter(|page| page.is_product && !is_held_out(&page.site)).filter(may);
    let (mut docs, mut taught) = (Vec::new(), Vec::new());
    for page in taken {
        match text(&page.document) {
            Ok(text) => {
                docs.push(Doc::parse(&text, &TreeLimits::default()));
                taught.push((page.document.package.as_str(), page.licence.as_str(), fnv(text.as_bytes())));
            }
            Err(problem) => eprintln!("left out: {problem}"),
        }
    }
    problems.iter().for_each(|problem| eprintln!("left out: {problem}"));
    anyhow::ensure!(!docs.is_empty(), "no product page whose licence permits a model to be made of it and given away");
    println!("co-trained on {} pages", docs.len());
    let card = ModelCard::new(taught).note("Co-trained without the gold pairs of these pages.").note(HELD_OUT);
    Ok(Cnbe::train(&docs, &Dictionary::built_in()).to_file(&card.text(&CNBE)))
}
