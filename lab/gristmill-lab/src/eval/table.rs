//! The tables that `gristmill-lab eval` prints.

use std::fmt::Write as _;

use gristmill_eval::{Distribution, EvalRun, EvalSummary, Measure, PageGroup, SystemScore};

/// More systems than that stand in lines instead of columns.
const MAX_COLUMNS: usize = 9;

/// Markdown tables: word F1 by package, snippets, word F1 by page type and by language, time.
pub fn tables(run: &EvalRun, summary: &EvalSummary) -> String {
    let mut out = String::new();
    let packages: Vec<&PageGroup> = summary.packages().filter(|group| group.has_f1()).collect();
    if !packages.is_empty() {
        let mut table = Table::new("word F1 by package", run);
        for group in &packages {
            table.row(group.label(), group, &|cell| number(cell.word_f1()));
        }
        if packages.len() > 1 {
            let means = (0..run.systems.len()).map(|system| number(summary.mean_of_packages(system)));
            table.rows.push(("mean of packages".to_owned(), means.collect()));
        }
        out.push_str(&table.markdown());
        figures(&mut out, run, &packages);
    }
    snippets(&mut out, run, summary);
    let types: Vec<&PageGroup> = summary.types().filter(|group| group.has_f1()).collect();
    if !types.is_empty() {
        let mut table = Table::new("word F1 by page type", run);
        for group in types {
            table.row(group.label(), group, &|cell| number(cell.word_f1()));
        }
        out.push_str(&table.markdown());
    }
    let languages: Vec<&PageGroup> = summary.languages().into_iter().filter(|group| group.has_f1()).collect();
    if languages.len() > 1 {
        let mut table = Table::new("word F1 by language", run);
        for group in languages {
            table.row(group.label(), group, &|cell| number(cell.word_f1()));
        }
        out.push_str(&table.markdown());
    }
    times(&mut out, run, summary);
    out
}

/// The measures of the paper, for a single package: there is room for them.
fn figures(out: &mut String, run: &EvalRun, packages: &[&PageGroup]) {
    let [group] = packages else { return };
    let mut table = Table::new(&format!("measures on {}", group.package), run);
    for measure in Measure::ALL {
        let mean = |spread: Option<Distribution>| number(spread.map(|spread| spread.mean));
        let name = measure.name();
        table.row(format!("{name} P"), group, &|cell| mean(cell.get(measure).precision));
        table.row(format!("{name} R"), group, &|cell| mean(cell.get(measure).recall));
        table.row(format!("{name} F1"), group, &|cell| mean(cell.get(measure).f1));
        table.row(format!("{name} σ"), group, &|cell| number(cell.get(measure).f1.and_then(|spread| spread.sigma)));
    }
    table.row("correct (P ≥ .9)".to_owned(), group, &|cell| number(cell.correct));
    table.row("complete (R ≥ .9)".to_owned(), group, &|cell| number(cell.complete));
    out.push_str(&table.markdown());
}

fn snippets(out: &mut String, run: &EvalRun, summary: &EvalSummary) {
    let groups: Vec<&PageGroup> = summary.packages().filter(|group| group.has_snippets()).collect();
    if groups.is_empty() {
        return;
    }
    let mut table = Table::new("snippets: wanted there, unwanted absent", run);
    for group in groups {
        let mean = |spread: Option<Distribution>| number(spread.map(|spread| spread.mean));
        table.row(format!("{} with", group.package), group, &|cell| mean(cell.with));
        table.row(format!("{} without", group.package), group, &|cell| mean(cell.without));
    }
    out.push_str(&table.markdown());
}

fn times(out: &mut String, run: &EvalRun, summary: &EvalSummary) {
    let mut table = Table::new("time", run);
    let columns = |value: &dyn Fn(usize) -> Option<f64>| (0..run.systems.len()).map(|n| micros(value(n))).collect();
    let mean = |system: usize, value: &dyn Fn(&SystemScore) -> Option<Distribution>| {
        let spreads: Vec<Distribution> = summary.packages().filter_map(|group| value(&group.cells[system])).collect();
        let n: usize = spreads.iter().map(|spread| spread.n).sum();
        (n > 0).then(|| spreads.iter().map(|spread| spread.mean * spread.n as f64).sum::<f64>() / n as f64)
    };
    let own = |system: usize| mean(system, &|cell| cell.own_cpu_seconds);
    if (0..run.systems.len()).any(|system| own(system).is_some()) {
        table.rows.push(("CPU µs a page after the parse".to_owned(), columns(&own)));
    }
    table.rows.push(("CPU µs a page".to_owned(), columns(&|system| mean(system, &|cell| cell.cpu_seconds))));
    let per_kb = |system| mean(system, &|cell| cell.seconds_per_kb);
    table.rows.push(("wall µs a kB".to_owned(), columns(&per_kb)));
    let errors = |system: usize| summary.packages().map(|group| group.cells[system].errors).sum::<usize>();
    if (0..run.systems.len()).any(|system| errors(system) > 0) {
        let counts = (0..run.systems.len()).map(|system| errors(system).to_string()).collect();
        table.rows.push(("pages with errors".to_owned(), counts));
    }
    out.push_str(&table.markdown());
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

fn micros(seconds: Option<f64>) -> String {
    match seconds.map(|seconds| seconds * 1e6) {
        None => "–".to_owned(),
        Some(micros) if micros < 10.0 => format!("{micros:.1}"),
        Some(micros) => format!("{micros:.0}"),
    }
}

/// Named rows over the systems.
struct Table {
    title: String,
    systems: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    fn new(title: &str, run: &EvalRun) -> Table {
        Table { title: title.to_owned(), systems: run.systems.clone(), rows: Vec::new() }
    }

    fn row(&mut self, name: String, group: &PageGroup, value: &dyn Fn(&SystemScore) -> String) {
        self.rows.push((name, group.cells.iter().map(value).collect()));
    }

    /// As Markdown, padded so that it reads well unrendered; turned when there are many systems.
    fn markdown(&self) -> String {
        let mut lines: Vec<Vec<String>> = Vec::new();
        if self.systems.len() <= MAX_COLUMNS {
            lines.push(std::iter::once(&self.title).chain(&self.systems).cloned().collect());
            lines.extend(self.rows.iter().map(|(name, cells)| std::iter::once(name).chain(cells).cloned().collect()));
        } else {
            lines.push(std::iter::once(&self.title).chain(self.rows.iter().map(|(name, _)| name)).cloned().collect());
            for (n, system) in self.systems.iter().enumerate() {
                lines.push(
                    std::iter::once(system).chain(self.rows.iter().map(|(_, cells)| &cells[n])).cloned().collect(),
                );
            }
        }
        markdown(&lines)
    }
}

/// Lines of cells, the first of them the head, padded so that they read well unrendered.
pub fn markdown(lines: &[Vec<String>]) -> String {
    let n_columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut out = String::new();
    for (n, line) in lines.iter().enumerate() {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let _ = if column == 0 { write!(out, "| {cell:<width$} ") } else { write!(out, "| {cell:>width$} ") };
        }
        out.push_str("|\n");
        if n == 0 {
            for (column, width) in widths.iter().enumerate() {
                let _ = if column == 0 {
                    write!(out, "|{:-<1$}", "", width + 2)
                } else {
                    write!(out, "|{:-<1$}:", "", width + 1)
                };
            }
            out.push_str("|\n");
        }
    }
    out.push('\n');
    out
}
