//! What a training of `best` reached: scores by package and page type, calibration, the card of the model.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::read::FoldPage;
use crate::train::card::ModelCard;
use crate::train::held_out_sites::HELD_OUT;

/// How a page that the model has not seen went.
#[derive(Debug, Clone, Copy)]
pub struct PageScores {
    /// Word F1 of the first look alone, and of both.
    pub first: f64,
    pub f1: f64,
    /// What the model expected.
    pub expected: f64,
    /// Word F1 of the labels: what rows allow.
    pub labels: f64,
    /// Share of the wanted passages that are there, and of the unwanted that are not.
    pub with: Option<f64>,
    pub without: Option<f64>,
    /// Nothing was kept.
    pub empty: bool,
}

/// The package of our own pages (`lab/gristmill-lab/weblogs/make`): they are easier than what sites send, and count in no mean.
const OWN: &str = "weblogs";

/// A table by package, for `wcxb-dev` by type too, and the mean over packages; returns (mean, `wcxb-dev`).
pub fn scores(inputs: &[FoldPage], outcomes: &[PageScores]) -> (f64, f64) {
    println!("Word F1, each page by models that were trained on other domains:\n");
    println!(
        "| package (pages, of them in training) | first look | best | expected | labels |\n|---|---:|---:|---:|---:|"
    );
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let whole = |input: &FoldPage| input.document.in_means() && !input.document.fragmented;
    for (at, input) in inputs.iter().enumerate().take(outcomes.len()).filter(|(_, input)| whole(input)) {
        let package = &input.document.package;
        groups.entry(package.clone()).or_default().push(at);
        if package == "wcxb-dev" {
            let kind = input.document.page_type.clone().unwrap_or_default();
            groups.entry(format!("{package}: {kind}")).or_default().push(at);
        }
    }
    let columns: [fn(&PageScores) -> f64; 4] = [|o| o.first, |o| o.f1, |o| o.expected, |o| o.labels];
    let mut sums = [0.0; 4];
    let mut n_packages = 0;
    let mut wcxb = 0.0;
    for (name, pages) in &groups {
        let mean = |column: fn(&PageScores) -> f64| {
            pages.iter().map(|&at| column(&outcomes[at])).sum::<f64>() / pages.len() as f64
        };
        let means = columns.map(mean);
        let trained = pages.iter().filter(|&&at| inputs[at].trains).count();
        println!("| {name} ({}, {trained}) | {} |", pages.len(), means.map(|m| format!("{m:.3}")).join(" | "));
        if !name.contains(':') && name != OWN {
            n_packages += 1;
            sums.iter_mut().zip(means).for_each(|(sum, mean)| *sum += mean);
        }
        if name == "wcxb-dev" {
            wcxb = means[1];
        }
    }
    let means = sums.map(|sum| sum / f64::from(n_packages.max(1)));
    println!("| mean of packages but our own | {} |\n", means.map(|m| format!("{m:.3}")).join(" | "));
    passages(inputs, outcomes);
    let whole = || inputs.iter().zip(outcomes).filter(|(input, _)| !input.document.fragmented);
    let without = || whole().filter(|(input, _)| input.document.gold.trim().is_empty());
    let found = without().filter(|(_, outcome)| outcome.empty).count();
    let wrong = whole().filter(|(input, o)| o.empty && !input.document.gold.trim().is_empty());
    println!(
        "Pages without main text: {found} of {} left empty; {} others left empty.\n",
        without().count(),
        wrong.count()
    );
    (means[1], wcxb)
}

/// A table of the packages of which passages are known.
fn passages(inputs: &[FoldPage], outcomes: &[PageScores]) {
    let mut packages: BTreeMap<&str, Vec<&PageScores>> = BTreeMap::new();
    for (input, outcome) in inputs.iter().zip(outcomes).filter(|(input, _)| input.document.fragmented) {
        packages.entry(&input.document.package).or_default().push(outcome);
    }
    if packages.is_empty() {
        return;
    }
    println!("| package (pages) | wanted passages found | unwanted passages absent |\n|---|---:|---:|");
    for (package, pages) in packages {
        let mean = |rate: fn(&PageScores) -> Option<f64>| {
            let rates: Vec<f64> = pages.iter().filter_map(|page| rate(page)).collect();
            if rates.is_empty() {
                "–".to_owned()
            } else {
                format!("{:.3}", rates.iter().sum::<f64>() / rates.len() as f64)
            }
        };
        println!("| {package} ({}) | {} | {} |", pages.len(), mean(|page| page.with), mean(|page| page.without));
    }
    println!();
}

/// Ten bins of expected F1: how many pages, what was expected, what came; returns the calibration, 11 points.
pub fn calibration(inputs: &[FoldPage], outcomes: &[PageScores]) -> Vec<f32> {
    let mut pairs: Vec<(f64, f64)> = inputs
        .iter()
        .zip(outcomes)
        .filter(|(input, _)| input.document.in_means() && !input.document.fragmented)
        .map(|(_, outcome)| (outcome.expected, outcome.f1))
        .collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let points = monotone(&pairs);
    println!("| expected F1 | pages | expected | word F1 | calibrated |\n|---|---:|---:|---:|---:|");
    for bin in 0..10 {
        let (low, high) = (f64::from(bin) / 10.0, f64::from(bin + 1) / 10.0);
        let of: Vec<&(f64, f64)> = pairs.iter().filter(|(e, _)| *e >= low && (*e < high || bin == 9)).collect();
        if of.is_empty() {
            continue;
        }
        let mean = |value: fn(&(f64, f64)) -> f64| of.iter().map(|pair| value(pair)).sum::<f64>() / of.len() as f64;
        let middle = points[bin as usize].midpoint(points[bin as usize + 1]);
        println!("| {low:.1}–{high:.1} | {} | {:.3} | {:.3} | {middle:.3} |", of.len(), mean(|p| p.0), mean(|p| p.1));
    }
    println!();
    points
}

/// Isotonic regression of what came on what was expected, read off at 0, .1 … 1.
fn monotone(pairs: &[(f64, f64)]) -> Vec<f32> {
    // (sum of expected, sum of F1, pages); a pool that is worse than the one before joins it.
    let mut pools: Vec<(f64, f64, f64)> = Vec::new();
    for chunk in pairs.chunks(20) {
        let sum = |value: fn(&(f64, f64)) -> f64| chunk.iter().map(value).sum::<f64>();
        pools.push((sum(|p| p.0), sum(|p| p.1), chunk.len() as f64));
        while let [.., before, last] = pools[..]
            && last.1 / last.2 < before.1 / before.2
        {
            pools.truncate(pools.len() - 2);
            pools.push((before.0 + last.0, before.1 + last.1, before.2 + last.2));
        }
    }
    let points: Vec<(f64, f64)> = pools.iter().map(|(e, f, n)| (e / n, f / n)).collect();
    (0..=10).map(|step| along(&points, f64::from(step) / 10.0) as f32).map(|y| (y * 1000.0).round() / 1000.0).collect()
}

/// The value at `x` on straight lines through the points; beyond them that of the last.
fn along(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|point| point.0 < x);
    match (after.checked_sub(1).map(|at| points[at]), points.get(after)) {
        (Some(a), Some(b)) if b.0 > a.0 => a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0),
        (Some(a), _) => a.1,
        // From nothing to the first point.
        (None, Some(b)) => {
            if b.0 > 0.0 {
                b.1 * x / b.0
            } else {
                b.1
            }
        }
        (None, None) => x,
    }
}

/// What the model was trained on; `scores` are the mean word F1 of all packages and that of `wcxb-dev`.
pub fn card(inputs: &[FoldPage], (mean, wcxb): (f64, f64)) -> ModelCard {
    let taught = inputs.iter().filter(|input| input.teaches(None) && !input.disguised);
    ModelCard::new(taught.map(|input| (input.document.package.as_str(), input.licence.as_str(), input.hash)))
        .note(format!(
            "On domains outside of the training: word F1 {wcxb:.3} on wcxb-dev, {mean:.3} in the mean of all packages but our own."
        ))
        .note(HELD_OUT)
}

/// One line a page: package, id, type, language, F1 of the first look and of both, expected F1, F1 of the labels.
pub fn pages(inputs: &[FoldPage], outcomes: &[PageScores]) -> String {
    let mut out = String::from("package\tid\ttype\tlanguage\tfirst\tf1\texpected\tlabels\twith\twithout\n");
    for (input, o) in inputs.iter().zip(outcomes) {
        let document = &input.document;
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let rate = |rate: Option<f64>| rate.map(|rate| format!("{rate:.4}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "{}\t{}\t{}\t{}\t{:.4}\t{:.4}\t{:.4}\t{:.4}\t{}\t{}",
            document.package,
            document.id,
            text(&document.page_type),
            text(&document.language),
            o.first,
            o.f1,
            o.expected,
            o.labels,
            rate(o.with),
            rate(o.without)
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calibration_never_falls_and_follows_what_came() {
        let pairs: Vec<(f64, f64)> = (0..200).map(|n| (f64::from(n) / 200.0, f64::from(n) / 400.0)).collect();
        let points = monotone(&pairs);
        assert!(points.windows(2).all(|two| two[0] <= two[1]), "{points:?}");
        assert!((points[5] - 0.25).abs() < 0.03 && (points[10] - 0.48).abs() < 0.03, "{points:?}");
        let noisy = [(0.1_f64, 0.9_f64), (0.9, 0.1)].repeat(20);
        let mut sorted = noisy;
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(monotone(&sorted).windows(2).all(|two| two[0] <= two[1]));
    }
}
