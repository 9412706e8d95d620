//! Pages with their candidates, as the accept model learns from them: each also in a language that does not exist, and read with a
//! dictionary that its own shop has not filled.

use std::collections::{BTreeMap, HashMap, HashSet};

use gristmill_eval::is_permissive;
use gristmill_eval::records::{RecordPage, normal_name, normal_set, normal_value};
use gristmill_eval::{GoldPage, SkippedDocument};
use gristmill_html::{Doc, TreeLimits};
use gristmill_records::Dictionary;
use gristmill_records::training::{
    AcceptModel, CandidateSample, Example, PageSamples, PairLabel, PseudoLanguage, fit, samples,
};

use crate::threads::in_threads;
use crate::train::pages::fnv;

/// Types of pages that may teach what no product is; a shop's listings would be doubtful.
const NEGATIVE_TYPES: [&str; 4] = ["article", "forum", "documentation", "service"];
/// Of these pages every so manieth takes part, so that they are about as many as the products.
const N_NEGATIVES: usize = 240;

/// Product pages, and the thinned out negatives, with their candidates; of each that may teach also a copy in a language that
/// does not exist.
pub struct TrainingSet {
    /// Product pages by package and id, then the others.
    pub pages: Vec<RecordPage>,
    /// In the same order, then the copies.
    pub examples: Vec<Example>,
    /// The page of each example.
    pub page_of: Vec<usize>,
    /// Whether the licence of a page allows to learn from it.
    pub permissive: Vec<bool>,
    /// FNV-1a of the text of each page.
    pub hashes: Vec<u64>,
    /// The dictionary of each page, see [`NameUsage`].
    pub dictionaries: Vec<Dictionary>,
}

/// What a page that takes part gives.
struct Read {
    text: String,
    dictionary: Dictionary,
    example: Example,
    copy: Option<Example>,
}

/// Which shops use a name, so that a dictionary can be had that knows nothing from one of them: it was written with these very
/// pages at hand, and a model that saw all of its names would trust it more than a shop never seen deserves.
pub struct NameUsage {
    /// The only shop that uses the name; `None` where several do.
    only: HashMap<String, Option<String>>,
}

impl NameUsage {
    pub fn of(pages: &[RecordPage]) -> NameUsage {
        let mut only: HashMap<String, Option<String>> = HashMap::new();
        for page in pages {
            for (name, _) in &page.gold {
                let site = only.entry(name.clone()).or_insert_with(|| Some(page.site.clone()));
                if site.as_deref() != Some(&page.site) {
                    *site = None;
                }
            }
        }
        NameUsage { only }
    }

    /// The dictionary without the names that only this page's shop uses.
    pub fn unknown(&self, dictionary: &Dictionary, page: &RecordPage) -> Dictionary {
        let is_own = |name: &&str| self.only.get(*name).is_some_and(|site| site.as_deref() == Some(&page.site));
        dictionary.without(self.only.keys().map(String::as_str).filter(is_own))
    }
}

impl TrainingSet {
    /// Reads the pages and finds their candidates; a page that cannot be read becomes a problem.
    pub fn new(pages: &[RecordPage], any_licence: bool, problems: &mut Vec<SkippedDocument>) -> TrainingSet {
        let is_other = |page: &&RecordPage| {
            let kind = page.document.page_type.as_deref().unwrap_or("article");
            !page.is_product && NEGATIVE_TYPES.contains(&kind) && (any_licence || is_permissive(&page.licence))
        };
        let other: Vec<&RecordPage> = pages.iter().filter(is_other).collect();
        let step = (other.len() / N_NEGATIVES).max(1);
        let products = pages.iter().filter(|page| page.is_product);
        let taken: Vec<&RecordPage> = products.chain(other.into_iter().step_by(step)).collect();
        let (names, built_in) = (NameUsage::of(pages), Dictionary::built_in());
        let may_teach = |page: &RecordPage| any_licence || is_permissive(&page.licence);
        let read = in_threads(&taken, |page| {
            let text = text(&page.document)?;
            let dictionary = if page.is_product { names.unknown(&built_in, page) } else { built_in.clone() };
            let read = |text: &str, page: &RecordPage| {
                example(page, samples(&Doc::parse(text, &TreeLimits::default()), &dictionary))
            };
            let example = read(&text, page);
            let copy = may_teach(page).then(|| {
                let (text, page) = made_up(&text, page);
                read(&text, &page)
            });
            Ok(Read { text, dictionary, example, copy })
        });
        let mut set = TrainingSet {
            pages: Vec::new(),
            examples: Vec::new(),
            page_of: Vec::new(),
            permissive: Vec::new(),
            hashes: Vec::new(),
            dictionaries: Vec::new(),
        };
        let mut copies = Vec::new();
        for (page, read) in taken.into_iter().zip(read) {
            match read {
                Ok(read) => {
                    copies.extend(read.copy.map(|copy| (set.pages.len(), copy)));
                    set.hashes.push(fnv(read.text.as_bytes()));
                    set.pages.push(RecordPage { layouts: layouts(page, &read.example.samples), ..page.clone() });
                    set.examples.push(read.example);
                    set.permissive.push(may_teach(page));
                    set.dictionaries.push(read.dictionary);
                }
                Err(problem) => problems.push(problem),
            }
        }
        set.page_of = (0..set.pages.len()).chain(copies.iter().map(|&(page, _)| page)).collect();
        set.examples.extend(copies.into_iter().map(|(_, copy)| copy));
        set
    }

    /// The numbers of the pages as they are, or of the copies.
    pub fn part(&self, copies: bool) -> std::ops::Range<usize> {
        if copies { self.pages.len()..self.examples.len() } else { 0..self.pages.len() }
    }

    /// The pages that may teach.
    pub fn teachers(&self) -> impl Iterator<Item = &RecordPage> {
        self.pages.iter().zip(&self.permissive).filter(|(_, permissive)| **permissive).map(|(page, _)| page)
    }

    /// A model for each fold that has not seen its pages; `None` stands for a model of all.
    pub fn models(&self, folds: &[Option<u64>], fold: &(dyn Fn(&RecordPage) -> u64 + Sync)) -> Vec<AcceptModel> {
        in_threads(folds, |held| self.fit(&|page| Some(fold(&self.pages[page])) != *held))
    }

    /// A model of the pages that may teach and are `taken`.
    pub fn fit(&self, taken: &dyn Fn(usize) -> bool) -> AcceptModel {
        fit(&self.examples, &|n| self.permissive[self.page_of[n]] && taken(self.page_of[n]))
    }
}

/// The language that does not exist into which a page is put, by its id.
pub fn language_of(id: &str) -> PseudoLanguage {
    PseudoLanguage::new(fnv(id.as_bytes()) as u32)
}

/// A page, and what is known of it, in a language that does not exist.
pub fn made_up(text: &str, page: &RecordPage) -> (String, RecordPage) {
    let language = language_of(&page.document.id);
    let pairs = |pairs: &[(String, String)]| {
        pairs.iter().map(|(name, value)| (language.text(name), language.text(value))).collect()
    };
    let page = RecordPage { gold: pairs(&page.gold), optional: pairs(&page.optional), ..page.clone() };
    (language.html(text), page)
}

/// The text of a page, whatever its charset.
pub fn text(document: &GoldPage) -> Result<String, SkippedDocument> {
    Ok(gristmill_html::decode(&document.read_html()?, None).text.into_owned())
}

fn example(page: &RecordPage, samples: PageSamples) -> Example {
    let (gold, optional) = (pairs(&page.gold), pairs(&page.optional));
    let label = |sample: &CandidateSample| {
        let key = key(sample);
        match (gold.contains(&key), optional.contains(&key)) {
            (true, _) => PairLabel::Right,
            (false, true) => PairLabel::Open,
            (false, false) => PairLabel::Wrong,
        }
    };
    let labels = samples.samples.iter().map(label).collect();
    Example { samples, labels, site: page.site.clone(), is_product: page.is_product }
}

/// A candidate's name and value as they are compared.
pub fn key(sample: &CandidateSample) -> (String, String) {
    (normal_name(&sample.name), normal_value(&sample.value))
}

/// Pairs as they are compared.
pub fn pairs(pairs: &[(String, String)]) -> HashSet<(String, String)> {
    normal_set(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}

/// The plainest layout in which a reader finds each gold pair.
fn layouts(page: &RecordPage, samples: &PageSamples) -> Vec<Option<String>> {
    let mut plainest: BTreeMap<(String, String), gristmill_records::PairLayout> = BTreeMap::new();
    for sample in &samples.samples {
        let layout = plainest.entry(key(sample)).or_insert(sample.layout);
        *layout = sample.layout.min(*layout);
    }
    let layout = |(name, value): &(String, String)| plainest.get(&(normal_name(name), normal_value(value)));
    page.gold.iter().map(|pair| Some(layout(pair)?.as_str().to_owned())).collect()
}
