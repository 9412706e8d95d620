//! The tables that `gristmill-lab eval --records` prints.

use gristmill_eval::records::{GroupKey, RecordRun, RecordSummary, Score};

use crate::eval::table::markdown;

/// Languages, layouts and packages are few; sites stand in the files.
const TABLES: [GroupKey; 3] = [GroupKey::Package, GroupKey::Language, GroupKey::Layout];

/// Markdown tables: pairs of all pages, P / R / F1 by package, language and layout, negatives, time.
pub fn tables(run: &RecordRun, summary: &RecordSummary) -> String {
    let mut out = overall(run, summary);
    for by in TABLES {
        let mut lines = vec![head(by.as_str(), run)];
        for group in summary.by(by) {
            let gold = group.cells.iter().map(|cell| cell.gold).max().unwrap_or(0);
            let mut line = vec![format!("{} ({gold})", group.name)];
            line.extend(group.cells.iter().map(shares));
            lines.push(line);
        }
        if lines.len() > 1 {
            out.push_str(&markdown(&lines));
        }
    }
    out.push_str(&negatives(run, summary));
    out
}

fn head(corner: &str, run: &RecordRun) -> Vec<String> {
    std::iter::once(corner.to_owned()).chain(run.systems.iter().cloned()).collect()
}

fn shares(score: &Score) -> String {
    format!("{:.3} / {:.3} / {:.3}", score.precision(), score.recall(), score.f1())
}

/// One line a system: there may be many, as in a sweep of parameters.
fn overall(run: &RecordRun, summary: &RecordSummary) -> String {
    if summary.by(GroupKey::All).next().is_none() {
        return String::new();
    }
    let n = |by: GroupKey| summary.in_mean(by).count();
    let mut lines = vec![vec![
        "pairs".to_owned(),
        format!("mean of {} sites", n(GroupKey::Site)),
        format!("of {} languages", n(GroupKey::Language)),
        "all: P".to_owned(),
        "R".to_owned(),
        "F1".to_owned(),
        "95 % by site".to_owned(),
        format!("of {} layouts", n(GroupKey::Layout)),
        "names F1".to_owned(),
        "values P / R / F1".to_owned(),
        "time / parse".to_owned(),
    ]];
    let share = |value: f64| format!("{value:.3}");
    for (system, name) in run.systems.iter().enumerate() {
        let all = summary.all(system);
        let mean = |by: GroupKey| {
            let mean = summary.mean(by, system);
            mean.map_or_else(|| "–".to_owned(), |[p, r, f1]| format!("{p:.3} / {r:.3} / {f1:.3}"))
        };
        let parts = summary.by(GroupKey::All).next().map(|group| (group.names[system], group.values[system]));
        let (names, values) = parts.unwrap_or_default();
        let interval = summary.f1[system];
        let cost = summary.cpu_seconds[system].filter(|(_, parse)| *parse > 0.0);
        lines.push(vec![
            name.clone(),
            mean(GroupKey::Site),
            mean(GroupKey::Language),
            share(all.precision()),
            share(all.recall()),
            share(all.f1()),
            interval.map_or_else(|| "–".to_owned(), |one| format!("{:.3} … {:.3}", one.low, one.high)),
            mean(GroupKey::Layout),
            share(names.f1()),
            shares(&values),
            cost.map_or_else(|| "–".to_owned(), |(own, parse)| format!("{:.2}", own / parse)),
        ]);
    }
    markdown(&lines)
}

fn negatives(run: &RecordRun, summary: &RecordSummary) -> String {
    let mut lines = vec![head("no product (pages): taken for one, false pairs", run)];
    for package in &summary.negatives {
        let mut line = vec![format!("{} ({})", package.package, package.pages)];
        line.extend(package.taken.iter().zip(&package.pairs).map(|(taken, pairs)| format!("{taken}, {pairs}")));
        lines.push(line);
    }
    let mut out = if lines.len() > 1 { markdown(&lines) } else { String::new() };
    if summary.errors.iter().any(|&n| n > 0) {
        let mut line = vec!["pages with errors".to_owned()];
        line.extend(summary.errors.iter().map(usize::to_string));
        out.push_str(&markdown(&[head("errors", run), line]));
    }
    out
}
