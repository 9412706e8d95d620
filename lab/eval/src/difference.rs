//! Whether one system is better than another, or the pages just fell that way.

use std::collections::BTreeMap;

use crate::measures::Measure;
use crate::run::EvalRun;
use crate::stats::{Interval, RESAMPLES, bootstrap_means, interval};
use crate::summary::packages;

/// With fewer domains a resample of them says nothing; with one its interval would have no width.
pub const MIN_DOMAINS: usize = 10;

/// Two systems on the pages of one package, by WCXB word F1.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedDifference {
    /// The package.
    pub package: String,
    /// Index of one system.
    pub system: usize,
    /// Index of the other, which it is measured against.
    pub against: usize,
    /// Pages.
    pub n: usize,
    /// Domains of those pages.
    pub domains: usize,
    /// Mean of `system` minus mean of `against`.
    pub mean: f64,
    /// 95 % interval when pages are drawn.
    pub by_page: Interval,
    /// 95 % interval when domains are drawn; `None` below [`MIN_DOMAINS`].
    pub by_domain: Option<Interval>,
}

/// Every system of a package against the first one, and against the best one of the package.
pub fn differences(run: &EvalRun) -> Vec<PairedDifference> {
    packages(run).iter().flat_map(|package| of_package(run, package)).collect()
}

fn of_package(run: &EvalRun, package: &str) -> Vec<PairedDifference> {
    let n_systems = run.systems.len();
    let (mut scores, mut domains): (Vec<Vec<f64>>, BTreeMap<String, Vec<usize>>) = Default::default();
    // Rows of one document stand together.
    for rows in run.rows.chunk_by(|a, b| a.document == b.document) {
        let document = &run.documents[rows[0].document];
        let f1 = |row: &crate::run::ResultRow| row.scores.get(Measure::Wcxb).map(|prf| prf.f1);
        let page: Vec<f64> = rows.iter().filter_map(f1).collect();
        if document.package == package && document.in_means() && page.len() == n_systems {
            let domain = document.domain.clone().unwrap_or_else(|| format!("page {}", document.id));
            domains.entry(domain).or_default().push(scores.len());
            scores.push(page);
        }
    }
    if scores.is_empty() || n_systems < 2 {
        return Vec::new();
    }
    let mean = |system: usize| scores.iter().map(|page| page[system]).sum::<f64>() / scores.len() as f64;
    let means: Vec<f64> = (0..n_systems).map(mean).collect();
    let best = (1..n_systems).fold(0, |best, system| if means[system] > means[best] { system } else { best });
    let pages: Vec<Vec<usize>> = (0..scores.len()).map(|page| vec![page]).collect();
    let domains: Vec<Vec<usize>> = domains.into_values().collect();
    let by_page = bootstrap_means(&scores, &pages, RESAMPLES);
    let by_domain = bootstrap_means(&scores, &domains, RESAMPLES);
    let pairs = (1..n_systems).map(|system| (system, 0));
    let pairs = pairs.chain((0..n_systems).filter(|&system| best != 0 && system != best).map(|system| (system, best)));
    pairs
        .filter_map(|(system, against)| {
            Some(PairedDifference {
                package: package.to_owned(),
                system,
                against,
                n: scores.len(),
                domains: domains.len(),
                mean: means[system] - means[against],
                by_page: interval(&by_page[system], &by_page[against])?,
                by_domain: if domains.len() < MIN_DOMAINS {
                    None
                } else {
                    interval(&by_domain[system], &by_domain[against])
                },
            })
        })
        .collect()
}
