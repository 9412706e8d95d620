//! Micro sums by package, site, language and layout, their means, and what was found where nothing is.

use std::collections::BTreeMap;

use super::measure::Score;
use super::run::{RecordRow, RecordRun};
use crate::stats::{Interval, RESAMPLES, bootstrap_means, interval};

/// What pages, or pairs, are put together by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKey {
    /// All product pages.
    All,
    /// The package.
    Package,
    /// The brand of the shop.
    Site,
    /// The language of the page.
    Language,
    /// How the pair stands on the page: of a gold pair as [`super::RecordPage::layouts`] says, of a wrong one as its
    /// finder says.
    Layout,
}

impl GroupKey {
    /// In files and tables.
    pub fn as_str(self) -> &'static str {
        match self {
            GroupKey::All => "all",
            GroupKey::Package => "package",
            GroupKey::Site => "site",
            GroupKey::Language => "language",
            GroupKey::Layout => "layout",
        }
    }
}

/// Product pages, or pairs, that have something in common.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordGroup {
    /// What they have in common.
    pub by: GroupKey,
    /// Which one.
    pub name: String,
    /// Number of pages; 0 for layouts.
    pub pages: usize,
    /// Micro sums for each system.
    pub cells: Vec<Score>,
    /// The same for names alone; empty sums for layouts.
    pub names: Vec<Score>,
    /// And for values alone.
    pub values: Vec<Score>,
}

/// Pages of one package that show no product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NegativePages {
    /// The package.
    pub package: String,
    /// Number of pages.
    pub pages: usize,
    /// For each system: pages on which it found a product or a pair.
    pub taken: Vec<usize>,
    /// For each system: pairs.
    pub pairs: Vec<usize>,
}

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordSummary {
    /// Sorted by [`GroupKey`], then name.
    pub groups: Vec<RecordGroup>,
    /// By package.
    pub negatives: Vec<NegativePages>,
    /// 95 % interval of the micro F1 of each system, whole sites drawn with replacement; `None` below two sites.
    pub f1: Vec<Option<Interval>>,
    /// Mean CPU seconds of each system on a page after the parse, and of the parse, where they are known.
    pub cpu_seconds: Vec<Option<(f64, f64)>>,
    /// Pages on which a system failed.
    pub errors: Vec<usize>,
}

impl RecordSummary {
    /// Sums up. Resamples with a fixed seed, so equal runs give equal summaries.
    pub fn new(run: &RecordRun) -> RecordSummary {
        let n = run.systems.len();
        let mut groups: BTreeMap<(GroupKey, String), RecordGroup> = BTreeMap::new();
        let mut negatives: BTreeMap<&str, NegativePages> = BTreeMap::new();
        for row in &run.rows {
            let page = &run.pages[row.page];
            if page.is_product {
                add(&mut groups, run, row);
                add_layouts(&mut groups, run, row);
                continue;
            }
            let package = page.document.package.as_str();
            let sum = negatives.entry(package).or_insert_with(|| NegativePages {
                package: package.to_owned(),
                pages: 0,
                taken: vec![0; n],
                pairs: vec![0; n],
            });
            sum.pages += usize::from(row.system == 0);
            sum.taken[row.system] += usize::from(row.n_products > 0 || row.score.found > 0);
            sum.pairs[row.system] += row.score.found;
        }
        RecordSummary {
            groups: groups.into_values().collect(),
            negatives: negatives.into_values().collect(),
            f1: (0..n).map(|system| f1_interval(run, system)).collect(),
            cpu_seconds: (0..n).map(|system| cpu_seconds(run, system)).collect(),
            errors: (0..n)
                .map(|system| run.rows.iter().filter(|row| row.system == system && row.error.is_some()).count())
                .collect(),
        }
    }

    /// The groups of one kind.
    pub fn by(&self, by: GroupKey) -> impl Iterator<Item = &RecordGroup> {
        self.groups.iter().filter(move |group| group.by == by)
    }

    /// Micro sums over all product pages.
    pub fn all(&self, system: usize) -> Score {
        self.by(GroupKey::All).next().map_or_else(Score::default, |group| group.cells[system])
    }

    /// The groups that enter a macro mean: of layouts only those that hold gold pairs, since a layout that a system
    /// merely mistook something for is no kind of page.
    pub fn in_mean(&self, by: GroupKey) -> impl Iterator<Item = &RecordGroup> {
        self.by(by).filter(move |group| by != GroupKey::Layout || group.cells.iter().any(|cell| cell.gold > 0))
    }

    /// Macro precision, recall and F1: means over the groups of one kind, each counting the same; `None` without any.
    pub fn mean(&self, by: GroupKey, system: usize) -> Option<[f64; 3]> {
        let scores: Vec<Score> = self.in_mean(by).map(|group| group.cells[system]).collect();
        let mean = |of: fn(Score) -> f64| scores.iter().map(|&score| of(score)).sum::<f64>() / scores.len() as f64;
        (!scores.is_empty()).then(|| [mean(Score::precision), mean(Score::recall), mean(Score::f1)])
    }
}

fn group<'g>(
    groups: &'g mut BTreeMap<(GroupKey, String), RecordGroup>,
    by: GroupKey,
    name: &str,
    n_systems: usize,
) -> &'g mut RecordGroup {
    groups.entry((by, name.to_owned())).or_insert_with(|| RecordGroup {
        by,
        name: name.to_owned(),
        pages: 0,
        cells: vec![Score::default(); n_systems],
        names: vec![Score::default(); n_systems],
        values: vec![Score::default(); n_systems],
    })
}

fn add(groups: &mut BTreeMap<(GroupKey, String), RecordGroup>, run: &RecordRun, row: &RecordRow) {
    let page = &run.pages[row.page];
    let language = page.document.language.as_deref().unwrap_or("unknown");
    let keys = [
        (GroupKey::All, "all"),
        (GroupKey::Package, &page.document.package),
        (GroupKey::Site, &page.site),
        (GroupKey::Language, language),
    ];
    for (by, name) in keys {
        let group = group(groups, by, name, run.systems.len());
        group.pages += usize::from(row.system == 0);
        group.cells[row.system].add(row.score);
        group.names[row.system].add(row.names);
        group.values[row.system].add(row.values);
    }
}

/// A gold pair counts for the layout in which it stands, whichever way it was read, so that recalls of systems can be
/// compared; a wrong pair for the layout that its finder took it for.
fn add_layouts(groups: &mut BTreeMap<(GroupKey, String), RecordGroup>, run: &RecordRun, row: &RecordRow) {
    let page = &run.pages[row.page];
    if page.layouts.len() != page.gold.len() {
        return;
    }
    let mut cell = |name: Option<&str>, score: Score| {
        group(groups, GroupKey::Layout, name.unwrap_or("none"), run.systems.len()).cells[row.system].add(score);
    };
    for n in 0..page.gold.len() {
        let right = usize::from(!row.missed.contains(&n));
        cell(page.layouts[n].as_deref(), Score { right, found: right, gold: 1 });
    }
    for wrong in &row.wrong {
        cell(wrong.pair.layout.as_deref(), Score { right: 0, found: 1, gold: 0 });
    }
}

fn f1_interval(run: &RecordRun, system: usize) -> Option<Interval> {
    let rows: Vec<&RecordRow> =
        run.rows.iter().filter(|row| row.system == system && run.pages[row.page].is_product).collect();
    let mut sites: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (n, row) in rows.iter().enumerate() {
        sites.entry(&run.pages[row.page].site).or_default().push(n);
    }
    if sites.len() < 2 {
        return None;
    }
    let counts = |row: &&RecordRow| vec![2.0 * row.score.right as f64, (row.score.found + row.score.gold) as f64];
    let counts: Vec<Vec<f64>> = rows.iter().map(counts).collect();
    let clusters: Vec<Vec<usize>> = sites.into_values().collect();
    // Both means have the same denominator, so their ratio is that of the sums: micro F1.
    let means = bootstrap_means(&counts, &clusters, RESAMPLES);
    let f1: Vec<f64> =
        means[0].iter().zip(&means[1]).map(|(right, sum)| if *sum > 0.0 { right / sum } else { 1.0 }).collect();
    interval(&f1, &vec![0.0; f1.len()])
}

fn cpu_seconds(run: &RecordRun, system: usize) -> Option<(f64, f64)> {
    let rows = run.rows.iter().filter(|row| row.system == system);
    let known: Vec<(f64, f64)> = rows.filter_map(|row| Some((row.cpu_seconds?, row.shared_cpu_seconds?))).collect();
    let n = known.len() as f64;
    let (all, parse) = known.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    (!known.is_empty()).then_some(((all - parse) / n, parse / n))
}
