//! The report on records: one HTML file that needs nothing else.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::measure::Score;
use super::run::{RecordRow, RecordRun};
use super::summary::{GroupKey, RecordGroup, RecordSummary};
use crate::package::SkippedDocument;
use crate::report::html::{HeatTable, escape, lines_table};

/// Most wrong, and most missed, pairs of a page that are listed.
const MAX_PAIRS: usize = 40;
/// Longest text of a pair that is shown.
const MAX_CHARS: usize = 160;
/// Groups beyond that stand in lines, since so many columns cannot be read.
const MAX_COLUMNS: usize = 20;

/// What the report says besides the numbers.
pub struct RecordReportOptions<'r> {
    /// How the run was started.
    pub command_line: &'r str,
    /// Programs and their versions, and how models were trained, a line each.
    pub notes: &'r [String],
    /// Pages that were left out.
    pub problems: &'r [SkippedDocument],
}

/// Writes `report.html`. No script, no font, image or style from elsewhere; every text is escaped.
///
/// # Errors
/// When the file cannot be written.
pub fn write_record_report(
    run: &RecordRun,
    summary: &RecordSummary,
    options: &RecordReportOptions<'_>,
    folder: &Path,
) -> io::Result<()> {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Product records compared</title><style>\n",
    );
    out.push_str(include_str!("../report/style.css"));
    out.push_str("</style></head><body>\n");
    let report = Report { run, summary };
    report.head(&mut out);
    report.overall(&mut out);
    report.negatives(&mut out);
    for (by, title) in [
        (GroupKey::Package, "F1 by package"),
        (GroupKey::Language, "F1 by language"),
        (GroupKey::Layout, "F1 by layout"),
        (GroupKey::Site, "F1 by site"),
    ] {
        report.groups(&mut out, by, title);
    }
    report.pages(&mut out);
    report.tail(&mut out, options);
    out.push_str("</body></html>\n");
    std::fs::write(folder.join("report.html"), out)
}

struct Report<'r> {
    run: &'r RecordRun,
    summary: &'r RecordSummary,
}

impl Report<'_> {
    fn head(&self, out: &mut String) {
        let products = self.run.pages.iter().filter(|page| page.is_product).count();
        let gold: usize = self.run.pages.iter().map(|page| page.gold.len()).sum();
        let _ = writeln!(
            out,
            "<h1>Product records compared</h1>\n<p class=\"quiet\">{} systems; {products} product pages of {} sites with \
             {gold} pairs; {} pages without a product.</p>",
            self.run.systems.len(),
            self.summary.by(GroupKey::Site).count(),
            self.run.pages.len() - products,
        );
    }

    fn overall(&self, out: &mut String) {
        if self.summary.by(GroupKey::All).next().is_none() {
            return;
        }
        out.push_str(
            "<h2>Pairs</h2>\n<p class=\"quiet\">Micro: pairs of all pages together; 95 % interval of F1 by the bootstrap over \
             sites. Macro: mean over sites, languages, layouts. Names: whether the attribute was found, whatever its value; \
             values the other way round.</p>\n",
        );
        let head = [
            "system",
            "P",
            "R",
            "F1",
            "interval",
            "site P",
            "site R",
            "site F1",
            "language F1",
            "layout F1",
            "name F1",
        ];
        let rows: Vec<Vec<String>> = (0..self.run.systems.len()).map(|system| self.overall_row(system)).collect();
        out.push_str(&lines_table(&head, &rows, 1));
    }

    fn overall_row(&self, system: usize) -> Vec<String> {
        let all = self.summary.all(system);
        let mut row = vec![escape(&self.run.systems[system])];
        row.extend([all.precision(), all.recall(), all.f1()].map(|share| format!("{share:.3}")));
        let interval = self.summary.f1.get(system).copied().flatten();
        row.push(interval.map_or_else(|| "–".to_owned(), |one| format!("{:.3} … {:.3}", one.low, one.high)));
        let mean = |by: GroupKey, part: usize| {
            self.summary.mean(by, system).map_or_else(|| "–".to_owned(), |mean| format!("{:.3}", mean[part]))
        };
        row.extend([
            mean(GroupKey::Site, 0),
            mean(GroupKey::Site, 1),
            mean(GroupKey::Site, 2),
            mean(GroupKey::Language, 2),
            mean(GroupKey::Layout, 2),
        ]);
        if let Some(group) = self.summary.by(GroupKey::All).next() {
            row.extend([group.names[system], group.values[system]].map(|part| format!("{:.3}", part.f1())));
        }
        row
    }

    fn negatives(&self, out: &mut String) {
        if self.summary.negatives.is_empty() {
            return;
        }
        out.push_str("<h2>Where nothing is</h2>\n<p class=\"quiet\">Pages without a product: on how many something was found, and how many pairs.</p>\n");
        let mut head = vec!["package".to_owned(), "pages".to_owned()];
        head.extend(self.run.systems.iter().map(|system| escape(system)));
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let row = |package: &super::NegativePages| {
            let mut row = vec![escape(&package.package), package.pages.to_string()];
            row.extend(package.taken.iter().zip(&package.pairs).map(|(taken, pairs)| format!("{taken} ({pairs})")));
            row
        };
        let rows: Vec<Vec<String>> = self.summary.negatives.iter().map(row).collect();
        out.push_str(&lines_table(&head, &rows, 1));
    }

    fn groups(&self, out: &mut String, by: GroupKey, title: &str) {
        let groups: Vec<&RecordGroup> = self.summary.by(by).collect();
        if groups.is_empty() {
            return;
        }
        let _ = writeln!(out, "<h2>{title}</h2>");
        if groups.len() <= MAX_COLUMNS {
            let column = |group: &&RecordGroup| format!("{} ({})", group.name, most_gold(group));
            let row = |(n, system): (usize, &String)| {
                (system.clone(), groups.iter().map(|group| Some(group.cells[n].f1())).collect())
            };
            let columns = groups.iter().map(column).collect();
            let rows = self.run.systems.iter().enumerate().map(row).collect();
            out.push_str(&HeatTable { corner: "system", columns, rows, mean: false }.html());
            return;
        }
        let mut head = vec![by.as_str().to_owned(), "pages".to_owned(), "pairs".to_owned()];
        head.extend(self.run.systems.iter().map(|system| escape(system)));
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let shares = |score: &Score| {
            let (p, r) = (score.precision(), score.recall());
            format!("{:.3} <span class=\"quiet\">{p:.2}/{r:.2}</span>", score.f1())
        };
        let row = |group: &&RecordGroup| {
            let mut row = vec![escape(&group.name), group.pages.to_string(), most_gold(group).to_string()];
            row.extend(group.cells.iter().map(shares));
            row
        };
        let rows: Vec<Vec<String>> = groups.iter().map(row).collect();
        out.push_str(&lines_table(&head, &rows, 1));
    }

    /// Every page with a wrong or missed pair, the worst first.
    fn pages(&self, out: &mut String) {
        out.push_str("<h2>Wrong and missed pairs</h2>\n");
        for (system, name) in self.run.systems.iter().enumerate() {
            let mut rows: Vec<&RecordRow> = self
                .run
                .rows
                .iter()
                .filter(|row| row.system == system && row.wrong.len() + row.missed.len() > 0)
                .collect();
            rows.sort_by_key(|row| (std::cmp::Reverse(row.wrong.len() + row.missed.len()), row.page));
            let _ = writeln!(out, "<details><summary>{}<span>{} pages</span></summary>", escape(name), rows.len());
            rows.iter().for_each(|row| self.page(out, row));
            out.push_str("</details>\n");
        }
    }

    fn page(&self, out: &mut String, row: &RecordRow) {
        let page = &self.run.pages[row.page];
        let address: String = page.document.url.as_deref().unwrap_or_default().chars().take(90).collect();
        let _ = writeln!(
            out,
            "<h3>{}/{} <span class=\"quiet\">{} {} right of {}, {} wrong, {} missed</span></h3>\n<pre><code>",
            escape(&page.document.package),
            escape(&page.document.id),
            escape(&address),
            row.score.right,
            row.score.gold,
            row.wrong.len(),
            row.missed.len()
        );
        let line = |out: &mut String, sign: char, name: &str, value: &str, layout: Option<&str>| {
            let layout = layout.map_or_else(String::new, |layout| format!("   [{layout}]"));
            let text = format!("{sign} {} = {}{layout}", cut(name), cut(value));
            let _ = writeln!(out, "{}", escape(&text));
        };
        for wrong in row.wrong.iter().take(MAX_PAIRS) {
            line(out, '+', &wrong.pair.name, &wrong.pair.value, wrong.pair.layout.as_deref());
        }
        for &n in row.missed.iter().take(MAX_PAIRS) {
            let (name, value) = &page.gold[n];
            line(out, '−', name, value, page.layouts.get(n).and_then(Option::as_deref));
        }
        let more = row.wrong.len().saturating_sub(MAX_PAIRS) + row.missed.len().saturating_sub(MAX_PAIRS);
        if more > 0 {
            let _ = writeln!(out, "and {more} more, see wrong.tsv and missed.tsv");
        }
        out.push_str("</code></pre>\n");
    }

    fn tail(&self, out: &mut String, options: &RecordReportOptions<'_>) {
        let failed = self.run.rows.iter().filter_map(|row| {
            let document = &self.run.pages[row.page].document;
            let error = row.error.as_deref()?;
            Some(format!("{}: {}/{}: {error}", self.run.systems[row.system], document.package, document.id))
        });
        let lines: Vec<String> = options.problems.iter().map(ToString::to_string).chain(failed.take(100)).collect();
        if !lines.is_empty() {
            let _ =
                writeln!(out, "<h2>Left out, and errors</h2>\n<pre><code>{}</code></pre>", escape(&lines.join("\n")));
        }
        let _ = writeln!(
            out,
            "<h2>How it was made</h2>\n<pre><code>{}\n\n{}</code></pre>",
            escape(options.command_line),
            escape(&options.notes.join("\n"))
        );
    }
}

/// Gold pairs of a group: those of its systems are the same, but for one that has no row.
fn most_gold(group: &RecordGroup) -> usize {
    group.cells.iter().map(|cell| cell.gold).max().unwrap_or(0)
}

fn cut(text: &str) -> String {
    let text = gristmill_text::collapse(text);
    let short: String = text.chars().take(MAX_CHARS).collect();
    if short.len() < text.len() { short + "…" } else { short }
}
