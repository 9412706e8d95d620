//! The report: one HTML file that needs nothing else, and the marked pages that it links to.

pub(crate) mod html;
mod plots;
mod scatter;
mod worst;

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::difference::PairedDifference;
use crate::measures::Measure;
use crate::package::SkippedDocument;
use crate::run::{EvalRun, ResultRow};
use crate::stats::{Distribution, Interval};
use crate::summary::{EvalSummary, PageGroup, SystemScore};
use html::{HeatTable, escape, lines_table};

/// Most errors of a system that are listed.
const MAX_ERRORS: usize = 20;

/// What the report says besides the numbers.
pub struct ReportOptions<'r> {
    /// How the run was started.
    pub command_line: &'r str,
    /// Programs and their versions, a line each.
    pub versions: &'r [String],
    /// Documents that were left out.
    pub problems: &'r [SkippedDocument],
    /// How many of the worst pages of each system are listed.
    pub worst: usize,
    /// The page of a document with what the system (by index) keeps marked, as a complete HTML file; `None` for
    /// systems that cannot tell.
    pub marked: &'r (dyn Fn(usize, &crate::GoldPage) -> Option<String> + Sync),
}

/// Writes `report.html`, and the marked pages below `pages/`.
///
/// No script, no font, image or style from elsewhere; every text is escaped. Pages are made once for each system and
/// document that is listed.
///
/// # Errors
/// When a file cannot be written.
pub fn write_report(
    run: &EvalRun,
    summary: &EvalSummary,
    differences: &[PairedDifference],
    options: &ReportOptions<'_>,
    folder: &Path,
) -> io::Result<()> {
    let report = Report { run, summary, differences, options, order: order(run, summary) };
    let worst = report.worst_pages(folder)?;
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Extraction systems compared</title><style>\n",
    );
    out.push_str(include_str!("style.css"));
    out.push_str("</style></head><body>\n");
    report.head(&mut out);
    report.by_package(&mut out);
    report.plots(&mut out);
    report.by_type(&mut out);
    report.by_language(&mut out);
    report.snippets(&mut out);
    report.differences(&mut out);
    report.measures(&mut out);
    out.push_str(&worst);
    report.left_out(&mut out);
    report.tail(&mut out);
    out.push_str("</body></html>\n");
    std::fs::write(folder.join("report.html"), out)
}

struct Report<'r> {
    run: &'r EvalRun,
    summary: &'r EvalSummary,
    differences: &'r [PairedDifference],
    options: &'r ReportOptions<'r>,
    /// Systems, best first.
    order: Vec<usize>,
}

/// By mean of packages, best first; systems without F1 by their share of wanted snippets, last.
fn order(run: &EvalRun, summary: &EvalSummary) -> Vec<usize> {
    let snippets = |system: usize| {
        let rates: Vec<f64> = summary.packages().filter_map(|group| Some(group.cells[system].with?.mean)).collect();
        Distribution::of(&rates).map_or(0.0, |spread| spread.mean)
    };
    let key = |system: usize| (summary.mean_of_packages(system).unwrap_or(-1.0), snippets(system));
    let mut order: Vec<usize> = (0..run.systems.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (key(a), key(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    order
}

impl Report<'_> {
    fn head(&self, out: &mut String) {
        let packages = self.summary.packages().count();
        let counted = self.run.documents.iter().filter(|document| document.in_means()).count();
        let _ = writeln!(
            out,
            "<h1>Extraction systems compared</h1>\n<p class=\"quiet\">{}, {} in {}; {counted} enter the means.</p>",
            count(self.run.systems.len(), "system"),
            count(self.run.documents.len(), "page"),
            count(packages, "package"),
        );
    }

    fn heat(&self, groups: &[&PageGroup], mean: bool, value: &dyn Fn(&SystemScore) -> Option<f64>) -> String {
        let mut columns: Vec<String> = groups.iter().map(|group| group.label()).collect();
        columns.extend(mean.then(|| "mean of packages".to_owned()));
        let row = |&system: &usize| {
            let mut cells: Vec<Option<f64>> = groups.iter().map(|group| value(&group.cells[system])).collect();
            cells.extend(mean.then(|| self.summary.mean_of_packages(system)));
            (self.run.systems[system].clone(), cells)
        };
        HeatTable { corner: "system", columns, rows: self.order.iter().map(row).collect(), mean }.html()
    }

    fn by_package(&self, out: &mut String) {
        let groups: Vec<&PageGroup> = self.summary.packages().filter(|group| group.has_f1()).collect();
        if groups.is_empty() {
            return;
        }
        out.push_str(
            "<h2>Word F1 by package</h2>\n<p class=\"quiet\">Mean over pages of the F1 of lower-cased words as a bag. Each \
             column has its own scale of colour, the best is framed. Packages differ in what they call main text: \
             compare within a column.</p>\n",
        );
        out.push_str(&self.heat(&groups, groups.len() > 1, &SystemScore::word_f1));
    }

    fn by_type(&self, out: &mut String) {
        let groups: Vec<&PageGroup> = self.summary.types().filter(|group| group.has_f1()).collect();
        if !groups.is_empty() {
            out.push_str("<h2>Word F1 by page type</h2>\n");
            out.push_str(&self.heat(&groups, false, &SystemScore::word_f1));
        }
    }

    fn by_language(&self, out: &mut String) {
        let groups: Vec<&PageGroup> = self.summary.languages().into_iter().filter(|group| group.has_f1()).collect();
        if groups.len() > 1 {
            out.push_str("<h2>Word F1 by language</h2>\n");
            out.push_str(&self.heat(&groups, false, &SystemScore::word_f1));
        }
    }

    fn snippets(&self, out: &mut String) {
        let groups: Vec<&PageGroup> = self.summary.packages().filter(|group| group.has_snippets()).collect();
        if groups.is_empty() {
            return;
        }
        out.push_str("<h2>Snippets</h2>\n<p class=\"quiet\">Share of the wanted snippets that are there, then of the unwanted that are absent.</p>\n<div class=\"figures\"><div><h3>wanted, there</h3>\n");
        out.push_str(&self.heat(&groups, false, &|cell| Some(cell.with?.mean)));
        out.push_str("</div><div><h3>unwanted, absent</h3>\n");
        out.push_str(&self.heat(&groups, false, &|cell| Some(cell.without?.mean)));
        out.push_str("</div></div>\n");
    }

    fn differences(&self, out: &mut String) {
        if self.differences.is_empty() {
            return;
        }
        out.push_str(
            "<h2>Differences</h2>\n<p class=\"quiet\">Mean difference of word F1 on the same pages, with 95 % intervals of \
             the paired bootstrap (10 000 resamples) over pages, and over domains, which allows for pages of one site \
             being alike. An interval that holds 0 tells no difference.</p>\n",
        );
        for group in self.summary.packages() {
            let found: Vec<&PairedDifference> =
                self.differences.iter().filter(|found| found.package == group.package).collect();
            let Some(first) = found.first() else { continue };
            let _ = writeln!(
                out,
                "<details><summary>{}<span>{}, {}</span></summary>",
                escape(&group.package),
                count(first.n, "page"),
                count(first.domains, "domain")
            );
            let limits = |found: Interval| format!("{:+.4} … {:+.4}", found.low, found.high);
            let row = |found: &&PairedDifference| {
                let wider = found.by_domain.unwrap_or(found.by_page);
                let class = match (wider.low > 0.0, wider.high < 0.0) {
                    (true, _) => "up",
                    (_, true) => "down",
                    _ => "quiet",
                };
                vec![
                    escape(&self.run.systems[found.system]),
                    escape(&self.run.systems[found.against]),
                    format!("<span class=\"{class}\">{:+.4}</span>", found.mean),
                    limits(found.by_page),
                    found.by_domain.map_or_else(|| "too few".to_owned(), limits),
                ]
            };
            let rows: Vec<Vec<String>> = found.iter().map(row).collect();
            out.push_str(&lines_table(&["system", "against", "difference", "by page", "by domain"], &rows, 2));
            out.push_str("</details>\n");
        }
    }

    fn measures(&self, out: &mut String) {
        out.push_str("<h2>All measures</h2>\n<p class=\"quiet\">Mean F1 ± σ over pages; correct: share of pages with word precision of at least .9; complete: with word recall of at least .9.</p>\n");
        for group in self.summary.packages() {
            let label = count(group.documents, "page");
            let _ = writeln!(out, "<details><summary>{}<span>{label}</span></summary>", escape(&group.package));
            let names: Vec<&str> = Measure::ALL.iter().map(|measure| measure.name()).collect();
            let mut head = vec!["system"];
            head.extend(names);
            head.extend(["correct", "complete", "s/kB", "CPU ms a page", "errors"]);
            let rows: Vec<Vec<String>> =
                self.order.iter().map(|&n| measures_row(&self.run.systems[n], &group.cells[n])).collect();
            out.push_str(&lines_table(&head, &rows, 1));
            out.push_str("</details>\n");
        }
    }

    fn left_out(&self, out: &mut String) {
        let flagged = self.run.documents.iter().filter(|document| !document.in_means());
        let flagged: Vec<String> = flagged
            .map(|document| format!("{}/{} ({})", document.package, document.id, document.flags.join(", ")))
            .collect();
        let problems: Vec<String> = self.options.problems.iter().map(ToString::to_string).collect();
        if !flagged.is_empty() || !problems.is_empty() {
            out.push_str("<h2>Left out</h2>\n");
            list(out, "documents that could not be read", &problems);
            list(out, "measured, not in the means", &flagged);
        }
        let failed: Vec<&ResultRow> = self.run.rows.iter().filter(|row| row.error.is_some()).collect();
        if failed.is_empty() {
            return;
        }
        out.push_str("<h2>Errors</h2>\n<p class=\"quiet\">The text counted as empty.</p>\n");
        for &system in &self.order {
            let of_system: Vec<&&ResultRow> = failed.iter().filter(|row| row.system == system).collect();
            let message = |row: &&&ResultRow| {
                let document = &self.run.documents[row.document];
                format!("{}/{}: {}", document.package, document.id, row.error.as_deref().unwrap_or_default())
            };
            let mut lines: Vec<String> = of_system.iter().take(MAX_ERRORS).map(message).collect();
            if of_system.len() > MAX_ERRORS {
                lines.push(format!("and {} more, see the TSV files", of_system.len() - MAX_ERRORS));
            }
            list(out, &format!("{}: {}", self.run.systems[system], count(of_system.len(), "page")), &lines);
        }
    }

    fn tail(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "<h2>How it was made</h2>\n<pre><code>{}\n\n{}</code></pre>",
            escape(self.options.command_line),
            escape(&self.options.versions.join("\n"))
        );
    }
}

fn measures_row(name: &str, cell: &SystemScore) -> Vec<String> {
    let plain = |value: Option<f64>, digits: usize| value.map_or("–".to_owned(), |value| format!("{value:.digits$}"));
    let mut row = vec![escape(name)];
    for measure in Measure::ALL {
        row.push(match cell.get(measure).f1 {
            Some(Distribution { mean, sigma: Some(sigma), .. }) => {
                format!("{mean:.3} <span class=\"quiet\">± {sigma:.3}</span>")
            }
            other => plain(other.map(|spread| spread.mean), 3),
        });
    }
    row.extend([plain(cell.correct, 3), plain(cell.complete, 3)]);
    row.push(plain(cell.seconds_per_kb.map(|spread| spread.mean), 6));
    row.push(plain(cell.cpu_seconds.map(|spread| spread.mean * 1e3), 2));
    row.push(cell.errors.to_string());
    row
}

fn list(out: &mut String, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    let _ = write!(out, "<details><summary>{}<span>{}</span></summary>\n<pre><code>", escape(title), lines.len());
    for line in lines {
        out.push_str(&escape(line));
        out.push('\n');
    }
    out.push_str("</code></pre></details>\n");
}

fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
