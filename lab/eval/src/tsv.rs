//! Results as tab-separated files, which any other program can go on with (Gottron §4.3).

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::difference::PairedDifference;
use crate::measures::Measure;
use crate::run::{EvalRun, ResultRow};
use crate::stats::Distribution;
use crate::summary::{EvalSummary, PageGroup, packages};

/// Writes `<package>.<system>.tsv` for each pair, `summary.tsv` and `differences.tsv`; returns the names of the files.
///
/// # Errors
/// When a file cannot be written.
pub fn write_tsv(
    run: &EvalRun,
    summary: &EvalSummary,
    differences: &[PairedDifference],
    folder: &Path,
) -> io::Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut write = |name: String, text: String| {
        std::fs::write(folder.join(&name), text)?;
        names.push(name);
        io::Result::Ok(())
    };
    let mut taken = Vec::new();
    for package in packages(run) {
        for system in 0..run.systems.len() {
            let stem = free_name(&mut taken, &format!("{package}.{}", run.systems[system]));
            write(format!("{stem}.tsv"), documents(run, &package, system))?;
        }
    }
    write("summary.tsv".to_owned(), summary_table(run, summary))?;
    write("differences.tsv".to_owned(), difference_table(run, differences))?;
    Ok(names)
}

/// A file name of letters, digits and `._=-` that is not in `taken` yet, whatever a system is called.
pub(crate) fn free_name(taken: &mut Vec<String>, wanted: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "._=-".contains(c) { c } else { '_' };
    let name: String = wanted.chars().map(safe).take(120).collect();
    let name = name.trim_matches(['.', '_']).to_owned();
    let with_number = |n: usize| if n == 1 { name.clone() } else { format!("{name}_{n}") };
    let free = (1..).map(with_number).find(|name| !taken.contains(name)).expect("numbers do not end");
    taken.push(free.clone());
    free
}

/// One line a document, then `mean` and `sigma` over the documents that enter means.
fn documents(run: &EvalRun, package: &str, system: usize) -> String {
    let mut out = String::from("id\tbytes\tseconds\ts_per_kB");
    for measure in Measure::ALL {
        let name = measure.name();
        let _ = write!(out, "\t{name}_P\t{name}_R\t{name}_F1");
    }
    out.push_str("\twith_rate\twithout_rate\tcpu_seconds\tpage_type\tin_means\terror\n");
    let of_this = |row: &&ResultRow| row.system == system && run.documents[row.document].package == package;
    let rows: Vec<&ResultRow> = run.rows.iter().filter(of_this).collect();
    for row in &rows {
        let document = &run.documents[row.document];
        let _ = write!(out, "{}\t{}", cell(&document.id), row.bytes);
        columns(row).into_iter().for_each(|(digits, value)| push(&mut out, digits, value));
        let page_type = document.page_type.as_deref().unwrap_or("NA");
        let in_means = if document.in_means() { "yes" } else { "no" };
        let error = row.error.as_deref().map_or_else(|| "NA".to_owned(), cell);
        let _ = writeln!(out, "\t{}\t{in_means}\t{error}", cell(page_type));
    }
    let counted: Vec<&ResultRow> = rows.into_iter().filter(|row| run.documents[row.document].in_means()).collect();
    let bytes = Distribution::of(&counted.iter().map(|row| row.bytes as f64).collect::<Vec<_>>());
    for (name, figure) in
        [("mean", (|spread| Some(spread.mean)) as fn(Distribution) -> Option<f64>), ("sigma", |s| s.sigma)]
    {
        out.push_str(name);
        push(&mut out, 6, bytes.and_then(figure));
        let n_columns = columns(&ResultRow::default()).len();
        for column in 0..n_columns {
            let values: Vec<f64> = counted.iter().filter_map(|row| columns(row)[column].1).collect();
            let digits = columns(&ResultRow::default())[column].0;
            push(&mut out, digits, Distribution::of(&values).and_then(figure));
        }
        out.push_str("\tNA\tNA\tNA\n");
    }
    out
}

/// The numbers of a line after `bytes`, each with its decimals.
fn columns(row: &ResultRow) -> Vec<(usize, Option<f64>)> {
    // Nine decimals: a page of 1 kB takes microseconds.
    let mut columns = vec![(9, row.seconds), (9, row.seconds_per_kb())];
    for prf in row.scores.prf {
        columns.extend(
            [prf.map(|prf| prf.precision), prf.map(|prf| prf.recall), prf.map(|prf| prf.f1)].map(|value| (6, value)),
        );
    }
    columns.extend([(6, row.scores.with), (6, row.scores.without), (9, row.cpu_seconds)]);
    columns
}

fn summary_table(run: &EvalRun, summary: &EvalSummary) -> String {
    let mut out = String::from("package\tpage_type\tsystem\tdocuments\tn\terrors");
    for measure in Measure::ALL {
        for part in ["P", "R", "F1"] {
            let name = measure.name();
            let _ = write!(out, "\t{name}_{part}_mean\t{name}_{part}_sigma\t{name}_{part}_median\t{name}_{part}_p10");
        }
    }
    out.push_str("\twith_rate\twithout_rate\tcorrect\tcomplete\ts_per_kB\tcpu_ms_per_page\town_cpu_ms_per_page\n");
    for group in &summary.groups {
        for system in 0..run.systems.len() {
            summary_line(&mut out, run, group, system);
        }
    }
    out
}

fn summary_line(out: &mut String, run: &EvalRun, group: &PageGroup, system: usize) {
    let found = &group.cells[system];
    let language = group.language.as_deref().map(|language| format!("language {language}"));
    let page_type = group.page_type.as_deref().or(language.as_deref()).unwrap_or("all");
    let (package, name) = (cell(&group.package), cell(&run.systems[system]));
    let _ = write!(out, "{package}\t{}\t{name}\t{}\t{}\t{}", cell(page_type), group.documents, found.n, found.errors);
    for spreads in &found.measures {
        for spread in [spreads.precision, spreads.recall, spreads.f1] {
            push(out, 6, spread.map(|spread| spread.mean));
            push(out, 6, spread.and_then(|spread| spread.sigma));
            push(out, 6, spread.map(|spread| spread.median));
            push(out, 6, spread.map(|spread| spread.p10));
        }
    }
    let mean = |spread: Option<Distribution>, factor: f64| spread.map(|spread| spread.mean * factor);
    push(out, 6, mean(found.with, 1.0));
    push(out, 6, mean(found.without, 1.0));
    push(out, 6, found.correct);
    push(out, 6, found.complete);
    push(out, 9, mean(found.seconds_per_kb, 1.0));
    push(out, 6, mean(found.cpu_seconds, 1e3));
    push(out, 6, mean(found.own_cpu_seconds, 1e3));
    out.push('\n');
}

fn difference_table(run: &EvalRun, differences: &[PairedDifference]) -> String {
    let mut out = String::from(
        "package\tsystem\tagainst\tn\tdomains\tmean_difference\tlow\thigh\tlow_by_domain\thigh_by_domain\n",
    );
    for found in differences {
        let (system, against) = (cell(&run.systems[found.system]), cell(&run.systems[found.against]));
        let _ = write!(out, "{}\t{system}\t{against}\t{}\t{}", cell(&found.package), found.n, found.domains);
        let by_domain = (found.by_domain.map(|domain| domain.low), found.by_domain.map(|domain| domain.high));
        let by_page = (Some(found.by_page.low), Some(found.by_page.high));
        let numbers = [Some(found.mean), by_page.0, by_page.1, by_domain.0, by_domain.1];
        numbers.into_iter().for_each(|number| push(&mut out, 6, number));
        out.push('\n');
    }
    out
}

fn push(out: &mut String, digits: usize, value: Option<f64>) {
    let _ = match value {
        Some(value) => write!(out, "\t{value:.digits$}"),
        None => write!(out, "\tNA"),
    };
}

/// Text that cannot break a line or column.
fn cell(text: &str) -> String {
    gristmill_text::collapse(text)
}
