//! The pages of test packages as trainers take them, and the scores of a cross-validation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use gristmill_eval::{
    GoldPage, Measure, MeasureOptions, PERMISSIVE, Package, SkippedDocument, TextScorer, is_permissive,
};
use gristmill_extract::PageLayout;
use gristmill_html::{Doc, TreeLimits};

use crate::layout::Sidecars;

/// FNV-1a.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// All pages with a whole gold text, package by package.
pub struct GoldPages {
    packages: Vec<(PackageSource, Vec<GoldPage>)>,
    layouts: Option<Sidecars>,
    problems: RefCell<Vec<SkippedDocument>>,
}

/// Where pages come from.
#[derive(Debug, Clone)]
pub struct PackageSource {
    pub package: String,
    pub licence: String,
}

/// One page, parsed.
pub struct TrainingInput<'p> {
    pub source: &'p PackageSource,
    pub document: &'p GoldPage,
    pub doc: Doc,
    /// Where a browser put its nodes, if [`GoldPages::with_layouts`] says so.
    pub layout: Option<PageLayout>,
    /// Registrable domain of the page; its own name where none is known.
    pub domain: &'p str,
}

impl GoldPages {
    /// Reads what the packages hold, but not yet the pages.
    pub fn read(folders: &[PathBuf], any_licence: bool) -> anyhow::Result<GoldPages> {
        let mut packages = Vec::new();
        let mut problems = Vec::new();
        for folder in folders {
            let package = Package::read(folder)?;
            let licence = licence(folder);
            anyhow::ensure!(
                is_permissive(&licence) || any_licence,
                "package `{}` has the licence `{licence}`, and only models from {} may be given away; \
                 `--any-licence` takes it for a model of your own",
                package.name,
                PERMISSIVE.join(", ")
            );
            problems.extend(package.problems);
            let usable = |document: &GoldPage| document.in_means() && !document.fragmented;
            let documents = package.documents.into_iter().filter(usable).collect();
            packages.push((PackageSource { package: package.name, licence }, documents));
        }
        Ok(GoldPages { packages, layouts: None, problems: RefCell::new(problems) })
    }

    /// The same pages as a browser had them: their trees are those of side-cars.
    pub fn with_layouts(self, sidecars: Sidecars) -> GoldPages {
        GoldPages { layouts: Some(sidecars), ..self }
    }

    /// Calls `with` for every page; one that cannot be read is left out and told at the end.
    pub fn for_each(&self, mut with: impl FnMut(TrainingInput<'_>)) {
        for (source, documents) in &self.packages {
            for document in documents {
                match self.parse(document) {
                    Ok((doc, layout)) => {
                        let domain = document.domain.as_deref().unwrap_or(&document.id);
                        with(TrainingInput { source, document, doc, layout, domain });
                    }
                    Err(problem) => {
                        let mut problems = self.problems.borrow_mut();
                        if !problems.contains(&problem) {
                            problems.push(problem);
                        }
                    }
                }
            }
        }
    }

    fn parse(&self, document: &GoldPage) -> Result<(Doc, Option<PageLayout>), SkippedDocument> {
        let Some(sidecars) = &self.layouts else {
            let html = document.read_html()?;
            return Ok((Doc::parse(&gristmill_html::decode(&html, None).text, &TreeLimits::default()), None));
        };
        let unread =
            |error: anyhow::Error| SkippedDocument { path: sidecars.path(document), message: format!("{error:#}") };
        sidecars.read(document).map(|(doc, layout)| (doc, Some(layout))).map_err(unread)
    }

    /// What was left out, on stderr.
    pub fn print_problems(&self) {
        self.problems.borrow().iter().for_each(|problem| eprintln!("left out: {problem}"));
    }
}

fn licence(package: &Path) -> String {
    let described = std::fs::read(package.join("package.json")).unwrap_or_default();
    let described: serde_json::Value = serde_json::from_slice(&described).unwrap_or_default();
    described["licence"].as_str().unwrap_or("unstated").to_owned()
}

/// Word F1 of a text against the gold text of a document.
pub fn word_f1(document: &GoldPage, text: &str) -> f64 {
    let settings = MeasureOptions { characters: false, ..MeasureOptions::default() };
    let scores = TextScorer::new(Some(&document.gold), &[], &[], settings).score(text);
    scores.get(Measure::Wcxb).map_or(0.0, |score| score.f1)
}

/// Mean word F1 by package and, where there are several, page type; one column for each method.
pub struct ScoreTable {
    columns: Vec<&'static str>,
    rows: BTreeMap<(String, String), (usize, Vec<f64>)>,
}

impl ScoreTable {
    pub fn new(columns: &[&'static str]) -> ScoreTable {
        ScoreTable { columns: columns.to_vec(), rows: BTreeMap::new() }
    }

    /// Adds the scores of one page.
    pub fn add(&mut self, document: &GoldPage, scores: &[f64]) {
        let page_type = document.page_type.clone().unwrap_or_else(|| "unknown".to_owned());
        for row in [String::new(), page_type] {
            let zeros = || (0, vec![0.0; scores.len()]);
            let (n, sums) = self.rows.entry((document.package.clone(), row)).or_insert_with(zeros);
            *n += 1;
            sums.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score);
        }
    }

    /// A table on stdout.
    pub fn print(&self, heading: &str) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{heading}\n\n| package (pages) | {} |", self.columns.join(" | "))?;
        writeln!(out, "|---|{}", "---:|".repeat(self.columns.len()))?;
        for ((package, page_type), (n, sums)) in &self.rows {
            let n_types = self.rows.keys().filter(|(other, _)| other == package).count() - 1;
            if !page_type.is_empty() && n_types < 2 {
                continue;
            }
            let name = if page_type.is_empty() { package.clone() } else { format!("{package}: {page_type}") };
            let means: Vec<String> = sums.iter().map(|sum| format!("{:.3}", sum / *n as f64)).collect();
            writeln!(out, "| {name} ({n}) | {} |", means.join(" | "))?;
        }
        writeln!(out)?;
        Ok(())
    }
}
