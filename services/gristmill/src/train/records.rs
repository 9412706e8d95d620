//! Trains the accept model of product records, and judges it on shops that it has not seen.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gristmill_eval::records::{RecordPackage, RecordPage, Score, compare, normal_name, normal_set, normal_value};
use gristmill_eval::{GoldPage, Problem};
use gristmill_html::{Doc, Limits};
use gristmill_models::{CNBE, ModelFile, RECORDS};
use gristmill_records::cnbe::Cnbe;
use gristmill_records::training::{
    AcceptModel, Example, Label, PageSamples, Sample, feature_names, fit, fold_of, samples, select,
};
use gristmill_records::{Dictionary, THRESHOLD};

use super::card::Card;
use super::held_out::{HELD_OUT, is_held_out};
use super::pages::{fnv, is_permissive};
pub use crate::threads::in_threads;

/// Types of pages that may teach what no product is; a shop's listings would be doubtful.
const NEGATIVE_TYPES: [&str; 4] = ["article", "forum", "documentation", "service"];
/// Of these pages every so manieth takes part, so that they are about as many as the products.
const N_NEGATIVES: usize = 240;
/// Folds by site of the cross-validation that the card tells of.
const FOLDS: u64 = 12;
/// Thresholds of the printed table.
const THRESHOLDS: [f32; 8] = [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8];

/// Product pages, and the thinned out negatives, with their candidates.
pub struct TrainingSet {
    /// Product pages by package and id, then the others.
    pub pages: Vec<RecordPage>,
    /// In the same order.
    pub examples: Vec<Example>,
    /// Whether the licence of a page allows to learn from it.
    pub permissive: Vec<bool>,
    /// FNV-1a of the text of each page.
    hashes: Vec<u64>,
}

/// Reads packages of products and of articles; the order of the folders does not matter.
pub fn read(folders: &[PathBuf]) -> anyhow::Result<(Vec<RecordPage>, Vec<Problem>)> {
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

impl TrainingSet {
    /// Reads the pages and finds their candidates; a page that cannot be read becomes a problem.
    pub fn new(pages: &[RecordPage], any_licence: bool, problems: &mut Vec<Problem>) -> TrainingSet {
        let is_other = |page: &&RecordPage| {
            let kind = page.document.page_type.as_deref().unwrap_or("article");
            !page.is_product && NEGATIVE_TYPES.contains(&kind) && (any_licence || is_permissive(&page.licence))
        };
        let other: Vec<&RecordPage> = pages.iter().filter(is_other).collect();
        let step = (other.len() / N_NEGATIVES).max(1);
        let products = pages.iter().filter(|page| page.is_product);
        let taken: Vec<&RecordPage> = products.chain(other.into_iter().step_by(step)).collect();
        let dictionary = Dictionary::built_in();
        let read = in_threads(&taken, |page| {
            let text = text(&page.document)?;
            let samples = samples(&Doc::parse(&text, &Limits::default()), &dictionary);
            Ok((example(page, samples), text))
        });
        let mut set =
            TrainingSet { pages: Vec::new(), examples: Vec::new(), permissive: Vec::new(), hashes: Vec::new() };
        for (page, read) in taken.into_iter().zip(read) {
            match read {
                Ok((example, text)) => set.add(page, example, &text, any_licence || is_permissive(&page.licence)),
                Err(problem) => problems.push(problem),
            }
        }
        set
    }

    fn add(&mut self, page: &RecordPage, example: Example, text: &str, permissive: bool) {
        self.hashes.push(fnv(text.as_bytes()));
        self.pages.push(RecordPage { layouts: layouts(page, &example.samples), ..page.clone() });
        self.examples.push(example);
        self.permissive.push(permissive);
    }

    /// A model for each fold that has not seen its pages; `None` stands for a model of all.
    pub fn models(&self, folds: &[Option<u64>], fold: &(dyn Fn(&Example) -> u64 + Sync)) -> Vec<AcceptModel> {
        in_threads(folds, |held| fit(&self.examples, &|n| self.permissive[n] && Some(fold(&self.examples[n])) != *held))
    }
}

fn text(document: &GoldPage) -> Result<String, Problem> {
    Ok(gristmill_html::decode(&document.read_html()?, None).text.into_owned())
}

fn example(page: &RecordPage, samples: PageSamples) -> Example {
    let (gold, optional) = (set(&page.gold), set(&page.optional));
    let label = |sample: &Sample| {
        let key = key(sample);
        match (gold.contains(&key), optional.contains(&key)) {
            (true, _) => Label::Right,
            (false, true) => Label::Open,
            (false, false) => Label::Wrong,
        }
    };
    let labels = samples.samples.iter().map(label).collect();
    Example { samples, labels, site: page.site.clone(), is_product: page.is_product }
}

fn key(sample: &Sample) -> (String, String) {
    (normal_name(&sample.name), normal_value(&sample.value))
}

fn set(pairs: &[(String, String)]) -> std::collections::HashSet<(String, String)> {
    normal_set(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}

/// The plainest layout in which a reader finds each gold pair.
fn layouts(page: &RecordPage, samples: &PageSamples) -> Vec<Option<String>> {
    let mut plainest: BTreeMap<(String, String), gristmill_records::Layout> = BTreeMap::new();
    for sample in &samples.samples {
        let layout = plainest.entry(key(sample)).or_insert(sample.layout);
        *layout = sample.layout.min(*layout);
    }
    let layout = |(name, value): &(String, String)| plainest.get(&(normal_name(name), normal_value(value)));
    page.gold.iter().map(|pair| Some(layout(pair)?.as_str().to_owned())).collect()
}

/// The model. Prints, by threshold, how models that have not seen a page's shop do on it.
pub fn train(folders: &[PathBuf], any_licence: bool) -> anyhow::Result<ModelFile> {
    let (pages, mut problems) = read(folders)?;
    let set = TrainingSet::new(&pages, any_licence, &mut problems);
    anyhow::ensure!(
        set.examples.iter().zip(&set.permissive).any(|(example, permissive)| example.is_product && *permissive),
        "no product page whose licence permits a model to be made of it and given away; \
         `--any-licence` takes all of them for a model of your own"
    );
    let fold = |example: &Example| fold_of(&example.site, FOLDS);
    let folds: Vec<Option<u64>> = (0..FOLDS).map(Some).collect();
    let models = set.models(&folds, &fold);
    let opinions: Vec<Vec<f32>> =
        set.examples.iter().map(|one| models[fold(one) as usize].probabilities(&one.samples)).collect();
    println!("Pairs on shops that the model has not seen, {FOLDS} folds by shop:");
    for threshold in THRESHOLDS {
        println!("{}", line(&set, &opinions, threshold));
    }
    problems.iter().for_each(|problem| eprintln!("left out: {problem}"));
    let (first, both) = (feature_names(false).len(), feature_names(true).len());
    let teaches = |n: usize| set.permissive[n] && !is_held_out(&set.examples[n].site);
    let taught = (0..set.pages.len()).filter(|&n| teaches(n)).map(|n| (&set.pages[n], set.hashes[n]));
    let card = Card::new(taught.map(|(page, hash)| (page.document.package.as_str(), page.licence.as_str(), hash)))
        .note(format!("{first} + {} features.", both - first))
        .note(format!("Pairs on shops outside of the training: {}.", line(&set, &opinions, THRESHOLD)))
        .note(HELD_OUT);
    Ok(fit(&set.examples, &teaches).to_file(&card.text(&RECORDS)))
}

/// The scores at one threshold, of pairs alone: whether the page sells something is not asked here.
fn line(set: &TrainingSet, opinions: &[Vec<f32>], threshold: f32) -> String {
    let (mut all, mut learnt, mut n_false, mut n_taken) = (Score::default(), Score::default(), 0, 0);
    for (n, example) in set.examples.iter().enumerate() {
        let samples = &example.samples.samples;
        let kept = select(samples, &opinions[n], threshold);
        if !example.is_product {
            n_false += kept.len();
            n_taken += usize::from(kept.len() >= 2);
            continue;
        }
        let found = kept.iter().map(|&k| key(&samples[k])).collect();
        let page = &set.pages[n];
        let score = compare(&found, &self::set(&page.gold), &self::set(&page.optional));
        all.add(score);
        if set.permissive[n] {
            learnt.add(score);
        }
    }
    let show = |score: Score| format!("P {:.4} R {:.4} F1 {:.4}", score.precision(), score.recall(), score.f1());
    format!(
        "threshold {threshold:.2}: all {}; permissive {}; other pages: {n_false} pairs, {n_taken} with two",
        show(all),
        show(learnt)
    )
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
                docs.push(Doc::parse(&text, &Limits::default()));
                taught.push((page.document.package.as_str(), page.licence.as_str(), fnv(text.as_bytes())));
            }
            Err(problem) => eprintln!("left out: {problem}"),
        }
    }
    problems.iter().for_each(|problem| eprintln!("left out: {problem}"));
    anyhow::ensure!(!docs.is_empty(), "no product page whose licence permits a model to be made of it and given away");
    println!("co-trained on {} pages", docs.len());
    let card = Card::new(taught).note("Co-trained without the gold pairs of these pages.").note(HELD_OUT);
    Ok(Cnbe::train(&docs, &Dictionary::built_in()).to_file(&card.text(&CNBE)))
}
