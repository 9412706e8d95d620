//! Our methods for records as systems, the default model and models that have not seen the page's shop.

use std::collections::HashMap;

use cpu_time::ThreadTime;
use gristmill_eval::{Answer, ExtractedAttribute, GoldPage, System, SystemOutput, guarded};
use gristmill_html::{Doc, TreeLimits};
use gristmill_page::Page;
use gristmill_records::training::AcceptModel;
use gristmill_records::{Dictionary, PairMethod, ProductRecords, RecordOptions, records};

use crate::train::records::language_of;

/// What stands behind the name of a method whose model has not seen the shop of the page.
pub const UNSEEN: &str = " unseen";

/// Models of a cross-validation, and which of them judges which page.
pub struct Folds {
    pub models: Vec<AcceptModel>,
    /// By package and id.
    pub of_page: HashMap<(String, String), FoldModel>,
    /// The model for pages that are in no training set.
    pub of_others: usize,
}

/// Who judges a page.
pub struct FoldModel {
    /// Its number among the models.
    pub model: usize,
    /// What it knows of names.
    pub dictionary: Dictionary,
}

/// Methods that are run on one parsed page after the other.
pub struct RecordMethodRunner {
    methods: Vec<(String, RecordOptions)>,
    folds: Option<Folds>,
    made_up_words: bool,
}

impl RecordMethodRunner {
    /// `made_up_words`: whether pages are read in languages that do not exist.
    pub fn new(methods: Vec<(String, RecordOptions)>, folds: Option<Folds>, made_up_words: bool) -> RecordMethodRunner {
        RecordMethodRunner { methods, folds, made_up_words }
    }

    /// The methods that a trained model decides in.
    fn folded(&self) -> impl Iterator<Item = &(String, RecordOptions)> {
        let has_folds = self.folds.is_some();
        self.methods.iter().filter(move |(_, options)| has_folds && options.method == PairMethod::Records)
    }
}

impl System for RecordMethodRunner {
    fn names(&self) -> Vec<String> {
        let folded = self.folded().map(|(name, _)| format!("{name}{UNSEEN}"));
        self.methods.iter().map(|(name, _)| name.clone()).chain(folded).collect()
    }

    fn extract(&self, document: &GoldPage, html: &[u8]) -> Vec<Answer> {
        let start = ThreadTime::now();
        let decoded = gristmill_html::decode(html, None);
        let made_up = self.made_up_words.then(|| language_of(&document.id).html(&decoded.text));
        let doc = Doc::parse(made_up.as_deref().unwrap_or(&decoded.text), &TreeLimits::default());
        let shared = start.elapsed().as_secs_f64();
        let url = document.url.as_deref();
        let answer = |read: &dyn Fn() -> ProductRecords| {
            let start = ThreadTime::now();
            let found = guarded(read)?;
            let total = shared + start.elapsed().as_secs_f64();
            let times = (Some(total), Some(total), Some(shared));
            Ok(SystemOutput {
                records: pairs(&found),
                seconds: times.0,
                cpu_seconds: times.1,
                shared_cpu_seconds: times.2,
                ..SystemOutput::default()
            })
        };
        let plain = self.methods.iter().map(|(_, options)| answer(&|| records(&Page::new(&doc), url, options)));
        let unseen = self.folded().filter_map(|(_, options)| {
            let folds = self.folds.as_ref()?;
            let key = (document.package.clone(), document.id.clone());
            let judge = folds.of_page.get(&key);
            let model = &folds.models[judge.map_or(folds.of_others, |judge| judge.model)];
            let known = judge.filter(|_| !options.dictionary.is_empty()).map(|judge| judge.dictionary.clone());
            let options = RecordOptions { dictionary: known.unwrap_or(options.dictionary.clone()), ..options.clone() };
            Some(answer(&|| model.records(&Page::new(&doc), url, &options)))
        });
        plain.chain(unseen).collect()
    }
}

/// All pairs; those of the methods without a decision about the page count although it may show no product.
fn pairs(found: &ProductRecords) -> Vec<Vec<ExtractedAttribute>> {
    let pair = |pair: &gristmill_records::Pair| ExtractedAttribute {
        name: pair.name.clone(),
        value: pair.value.clone(),
        layout: Some(pair.provenance.source.as_str().to_owned()),
    };
    if found.pairs.is_empty() {
        return found.products.iter().map(|_| Vec::new()).collect();
    }
    vec![found.pairs.iter().map(pair).collect()]
}
