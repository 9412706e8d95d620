//! The rows of a run condensed: one cell for each package, page type and system.

use crate::measures::{Measure, Prf};
use crate::package::GoldPage;
use crate::run::{EvalRun, ResultRow};
use crate::stats::Distribution;

/// Word precision from which a page counts as correct, and recall from which it counts as complete.
pub const GOOD_SHARE: f64 = 0.9;

/// Which scores of a measure.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PrfSpread {
    /// Of the precisions.
    pub precision: Option<Distribution>,
    /// Of the recalls.
    pub recall: Option<Distribution>,
    /// Of the F1 values.
    pub f1: Option<Distribution>,
}

/// One system on the pages of one group.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SystemScore {
    /// Pages that enter the means.
    pub n: usize,
    /// By [`Measure::ALL`].
    pub measures: [PrfSpread; 7],
    /// Share of wanted snippets.
    pub with: Option<Distribution>,
    /// Share of unwanted snippets that are absent.
    pub without: Option<Distribution>,
    /// Share of pages with word precision (WCXB) of at least [`GOOD_SHARE`].
    pub correct: Option<f64>,
    /// Share of pages with word recall (WCXB) of at least [`GOOD_SHARE`].
    pub complete: Option<f64>,
    /// Wall seconds for 1000 bytes of page.
    pub seconds_per_kb: Option<Distribution>,
    /// Wall seconds a page.
    pub seconds_a_page: Option<Distribution>,
    /// CPU seconds a page.
    pub cpu_seconds: Option<Distribution>,
    /// CPU seconds a page beyond what systems share.
    pub own_cpu_seconds: Option<Distribution>,
    /// Pages where the system failed.
    pub errors: usize,
}

impl SystemScore {
    /// The spread of one measure.
    pub fn get(&self, measure: Measure) -> &PrfSpread {
        &self.measures[measure as usize]
    }

    /// Mean WCXB word F1, the figure of the tables.
    pub fn word_f1(&self) -> Option<f64> {
        Some(self.get(Measure::Wcxb).f1?.mean)
    }

    fn of(run: &EvalRun, rows: &[&ResultRow]) -> SystemScore {
        let rows: Vec<&ResultRow> = rows.iter().copied().filter(|row| run.documents[row.document].in_means()).collect();
        let spread = |value: &dyn Fn(&ResultRow) -> Option<f64>| {
            Distribution::of(&rows.iter().filter_map(|row| value(row)).collect::<Vec<f64>>())
        };
        let prf = |measure: Measure, value: fn(Prf) -> f64| {
            spread(&move |row: &ResultRow| row.scores.get(measure).map(value))
        };
        let good = |value: fn(Prf) -> f64| {
            let shares = spread(&move |row: &ResultRow| {
                row.scores.get(Measure::Wcxb).map(|prf| if value(prf) >= GOOD_SHARE { 1.0 } else { 0.0 })
            });
            shares.map(|spread| spread.mean)
        };
        SystemScore {
            n: rows.len(),
            measures: Measure::ALL.map(|measure| PrfSpread {
                precision: prf(measure, |prf| prf.precision),
                recall: prf(measure, |prf| prf.recall),
                f1: prf(measure, |prf| prf.f1),
            }),
            with: spread(&|row| row.scores.with),
            without: spread(&|row| row.scores.without),
            correct: good(|prf| prf.precision),
            complete: good(|prf| prf.recall),
            seconds_per_kb: spread(&ResultRow::seconds_per_kb),
            seconds_a_page: spread(&|row| row.seconds),
            cpu_seconds: spread(&|row| row.cpu_seconds),
            own_cpu_seconds: spread(&|row| Some(row.cpu_seconds? - row.shared_cpu_seconds?)),
            errors: rows.iter().filter(|row| row.error.is_some()).count(),
        }
    }
}

impl ResultRow {
    /// Wall seconds for 1000 bytes of page; `None` for an empty page.
    pub fn seconds_per_kb(&self) -> Option<f64> {
        (self.bytes > 0).then(|| Some(self.seconds? * 1000.0 / self.bytes as f64)).flatten()
    }
}

/// All systems on the pages of a package, or of one page type or one language of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PageGroup {
    /// The package.
    pub package: String,
    /// `None`: all its pages.
    pub page_type: Option<String>,
    /// `None`: pages of all languages. Without subtags: `zh`, not `zh-CN`.
    pub language: Option<String>,
    /// Pages measured, those left out of means among them.
    pub documents: usize,
    /// By [`EvalRun::systems`].
    pub cells: Vec<SystemScore>,
}

impl PageGroup {
    /// Pages that enter the means.
    pub fn n(&self) -> usize {
        self.cells.iter().map(|cell| cell.n).max().unwrap_or(0)
    }

    /// The package, its page type or language, and [`n`](Self::n): `wcxb-dev: article (709)`, `de: fundus (58)`.
    pub fn label(&self) -> String {
        match (&self.page_type, &self.language) {
            (Some(page_type), _) => format!("{}: {page_type} ({})", self.package, self.n()),
            (_, Some(language)) => format!("{language}: {} ({})", self.package, self.n()),
            _ => format!("{} ({})", self.package, self.n()),
        }
    }

    /// Whether there is a full gold text, so that F1 means something.
    pub fn has_f1(&self) -> bool {
        self.cells.iter().any(|cell| cell.word_f1().is_some())
    }

    /// Whether there are snippets.
    pub fn has_snippets(&self) -> bool {
        self.cells.iter().any(|cell| cell.with.is_some() || cell.without.is_some())
    }
}

/// The packages of a run, each followed by its page types when it has several, and its languages.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EvalSummary {
    /// Packages in the order of the run; types and languages by number of pages, most first.
    pub groups: Vec<PageGroup>,
}

impl EvalSummary {
    /// O(rows · groups).
    pub fn new(run: &EvalRun) -> EvalSummary {
        let mut groups = Vec::new();
        for package in packages(run) {
            let of_package = |document: &GoldPage| document.package == package;
            groups.push(group(run, &package, None, &of_package));
            let types = names(run, &package, &type_of);
            if types.len() > 1 {
                for page_type in types {
                    let of_type = |document: &GoldPage| document.package == package && type_of(document) == page_type;
                    groups.push(group(run, &package, Some(page_type.clone()), &of_type));
                }
            }
            for language in names(run, &package, &language_of) {
                let is_in = |document: &GoldPage| document.package == package && language_of(document) == language;
                groups.push(PageGroup { language: Some(language.clone()), ..group(run, &package, None, &is_in) });
            }
        }
        EvalSummary { groups }
    }

    /// Whole packages.
    pub fn packages(&self) -> impl Iterator<Item = &PageGroup> {
        self.groups.iter().filter(|group| group.page_type.is_none() && group.language.is_none())
    }

    /// The languages of packages, in the order of their names, the packages of each in the order of the run.
    pub fn languages(&self) -> Vec<&PageGroup> {
        let mut groups: Vec<&PageGroup> = self.groups.iter().filter(|group| group.language.is_some()).collect();
        groups.sort_by(|a, b| a.language.cmp(&b.language));
        groups
    }

    /// The page types of packages that have several.
    pub fn types(&self) -> impl Iterator<Item = &PageGroup> {
        self.groups.iter().filter(|group| group.page_type.is_some())
    }

    /// Mean over the packages of a system's mean word F1, each package counting the same. Never over all pages:
    /// packages differ in what they call main text.
    pub fn mean_of_packages(&self, system: usize) -> Option<f64> {
        let means: Vec<f64> = self.packages().filter_map(|group| group.cells[system].word_f1()).collect();
        Some(Distribution::of(&means)?.mean)
    }
}

fn group(run: &EvalRun, package: &str, page_type: Option<String>, is_in: &dyn Fn(&GoldPage) -> bool) -> PageGroup {
    let mut rows: Vec<Vec<&ResultRow>> = vec![Vec::new(); run.systems.len()];
    for row in run.rows.iter().filter(|row| is_in(&run.documents[row.document])) {
        rows[row.system].push(row);
    }
    PageGroup {
        package: package.to_owned(),
        page_type,
        language: None,
        documents: rows.iter().map(Vec::len).max().unwrap_or(0),
        cells: rows.iter().map(|rows| SystemScore::of(run, rows)).collect(),
    }
}

/// Names of the packages in the order of their documents.
pub(crate) fn packages(run: &EvalRun) -> Vec<String> {
    let mut packages: Vec<String> = Vec::new();
    for document in &run.documents {
        if !packages.contains(&document.package) {
            packages.push(document.package.clone());
        }
    }
    packages
}

/// What the documents of a package are called, most frequent first.
fn names(run: &EvalRun, package: &str, name_of: &dyn Fn(&GoldPage) -> &str) -> Vec<String> {
    let mut names: Vec<(usize, String)> = Vec::new();
    for document in run.documents.iter().filter(|document| document.package == package) {
        match names.iter_mut().find(|(_, name)| *name == name_of(document)) {
            Some((n, _)) => *n += 1,
            None => names.push((1, name_of(document).to_owned())),
        }
    }
    names.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    names.into_iter().map(|(_, name)| name).collect()
}

fn language_of(document: &GoldPage) -> &str {
    let language = document.language.as_deref().unwrap_or("unknown");
    language.split(['-', '_']).next().unwrap_or(language)
}

fn type_of(document: &GoldPage) -> &str {
    document.page_type.as_deref().unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_labelled_by_its_package_and_what_sets_it_apart() {
        let whole =
            PageGroup { package: "small".into(), page_type: None, language: None, documents: 3, cells: Vec::new() };
        assert_eq!(whole.label(), "small (0)");
        let of_type = PageGroup { page_type: Some("article".into()), ..whole.clone() };
        assert_eq!(of_type.label(), "small: article (0)");
        assert_eq!(PageGroup { language: Some("de".into()), ..whole }.label(), "de: small (0)");
    }
}
