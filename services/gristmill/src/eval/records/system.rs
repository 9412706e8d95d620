//! Our methods for records as systems, the default model and models that have not seen the page's shop.

use std::collections::HashMap;

use cpu_time::ThreadTime;
use gristmill_eval::{Answer, FoundPair, GoldPage, Output, System, guarded};
use gristmill_html::{Doc, Limits};
use gristmill_page::Page;
use gristmill_records::training::AcceptModel;
use gristmill_records::{Method, Options, Records, records};

/// What stands behind the name of a method whose model has not seen the shop of the page.
pub const UNSEEN: &str = " unseen";

/// Models of a cross-validation, and which of them judges which page.
pub struct Folds {
    pub models: Vec<AcceptModel>,
    /// By package and id.
    pub of_page: HashMap<(String, String), usize>,
    /// For pages that are in no training set.
    pub of_others: usize,
}

/// Methods that are run on one parsed page after the other.
pub struct InProcess {
    methods: Vec<(String, Options)>,
    folds: Option<Folds>,
}

impl InProcess {
    pub fn new(methods: Vec<(String, Options)>, folds: Option<Folds>) -> InProcess {
        InProcess { methods, folds }
    }

    /// The methods that a trained model decides in.
    fn folded(&self) -> impl Iterator<Item = &(String, Options)> {
        let has_folds = self.folds.is_some();
        self.methods.iter().filter(move |(_, options)| has_folds && options.method == Method::Records)
    }
}

impl System for InProcess {
    fn names(&self) -> Vec<String> {
        let folded = self.folded().map(|(name, _)| format!("{name}{UNSEEN}"));
        self.methods.iter().map(|(name, _)| name.clone()).chain(folded).collect()
    }

    fn extract(&self, document: &GoldPage, html: &[u8]) -> Vec<Answer> {
        let start = ThreadTime::now();
        let decoded = gristmill_html::decode(html, None);
        let doc = Doc::parse(&decoded.text, &Limits::default());
        let shared = start.elapsed().as_secs_f64();
        let url = document.url.as_deref();
        let answer = |read: &dyn Fn() -> Records| {
            let start = ThreadTime::now();
            let found = guarded(read)?;
            let total = shared + start.elapsed().as_secs_f64();
            let times = (Some(total), Some(total), Some(shared));
            Ok(Output {
                records: pairs(&found),
                seconds: times.0,
                cpu_seconds: times.1,
                shared_cpu_seconds: times.2,
                ..Output::default()
            })
        };
        let plain = self.methods.iter().map(|(_, options)| answer(&|| records(&Page::new(&doc), url, options)));
        let unseen = self.folded().filter_map(|(_, options)| {
            let folds = self.folds.as_ref()?;
            let key = (document.package.clone(), document.id.clone());
            let model = &folds.models[folds.of_page.get(&key).copied().unwrap_or(folds.of_others)];
            Some(answer(&|| model.records(&Page::new(&doc), url, options)))
        });
        plain.chain(unseen).collect()
    }
}

/// All pairs; those of the methods without a decision about the page count although it may show no product.
fn pairs(found: &Records) -> Vec<Vec<FoundPair>> {
    let pair = |pair: &gristmill_records::Pair| FoundPair {
        name: pair.name.clone(),
        value: pair.value.clone(),
        layout: Some(pair.provenance.source.as_str().to_owned()),
    };
    if found.pairs.is_empty() {
        return found.products.iter().map(|_| Vec::new()).collect();
    }
    vec![found.pairs.iter().map(pair).collect()]
}
