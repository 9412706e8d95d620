//! Results as tab-separated files: sums, pages, and every wrong and missed pair.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use super::measure::Score;
use super::run::RecordRun;
use super::summary::{GroupKey, RecordSummary};

/// Writes `summary.tsv`, `pages.tsv`, `wrong.tsv` and `missed.tsv`.
///
/// # Errors
/// When a file cannot be written.
pub fn write_record_tsv(run: &RecordRun, summary: &RecordSummary, folder: &Path) -> io::Result<()> {
    std::fs::write(folder.join("summary.tsv"), sums(run, summary))?;
    std::fs::write(folder.join("pages.tsv"), pages(run))?;
    std::fs::write(folder.join("wrong.tsv"), wrong(run))?;
    std::fs::write(folder.join("missed.tsv"), missed(run))
}

fn numbers(score: Score) -> String {
    let Score { right, found, gold } = score;
    format!("{gold}\t{found}\t{right}\t{:.6}\t{:.6}\t{:.6}", score.precision(), score.recall(), score.f1())
}

fn sums(run: &RecordRun, summary: &RecordSummary) -> String {
    let mut out = String::from(
        "by\tgroup\tsystem\tpages\tgold\tfound\tright\tP\tR\tF1\tname_P\tname_R\tname_F1\tvalue_P\tvalue_R\tvalue_F1\n",
    );
    for group in &summary.groups {
        for (n, system) in run.systems.iter().enumerate() {
            let (system, name) = (cell(system), cell(&group.name));
            let _ =
                write!(out, "{}\t{name}\t{system}\t{}\t{}", group.by.as_str(), group.pages, numbers(group.cells[n]));
            for part in [group.names[n], group.values[n]] {
                let _ = if group.by == GroupKey::Layout {
                    write!(out, "\tNA\tNA\tNA")
                } else {
                    write!(out, "\t{:.6}\t{:.6}\t{:.6}", part.precision(), part.recall(), part.f1())
                };
            }
            out.push('\n');
        }
    }
    for by in [GroupKey::Site, GroupKey::Language, GroupKey::Layout] {
        for (n, system) in run.systems.iter().enumerate() {
            if let Some([p, r, f1]) = summary.mean(by, n) {
                let (n_groups, system) = (summary.in_mean(by).count(), cell(system));
                let _ = writeln!(
                    out,
                    "mean\tof {n_groups} {}s\t{system}\tNA\tNA\tNA\tNA\t{p:.6}\t{r:.6}\t{f1:.6}\tNA\tNA\tNA\tNA\tNA\tNA",
                    by.as_str()
                );
            }
        }
    }
    for package in &summary.negatives {
        for (n, system) in run.systems.iter().enumerate() {
            let _ = writeln!(
                out,
                "negatives\t{}\t{}\t{}\t0\t{}\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA",
                cell(&package.package),
                cell(system),
                package.pages,
                package.pairs[n]
            );
        }
    }
    out
}

fn pages(run: &RecordRun) -> String {
    let mut out = String::from(
        "package\tid\tsystem\tsite\tlanguage\tis_product\tproducts\tgold\tfound\tright\tP\tR\tF1\tcpu_seconds\terror\n",
    );
    for row in &run.rows {
        let page = &run.pages[row.page];
        let cpu = row.cpu_seconds.map_or_else(|| "NA".to_owned(), |seconds| format!("{seconds:.9}"));
        let _ = writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{cpu}\t{}",
            cell(&page.document.package),
            cell(&page.document.id),
            cell(&run.systems[row.system]),
            cell(&page.site),
            cell(page.document.language.as_deref().unwrap_or("NA")),
            if page.is_product { "yes" } else { "no" },
            row.n_products,
            numbers(row.score),
            row.error.as_deref().map_or_else(|| "NA".to_owned(), cell),
        );
    }
    out
}

fn wrong(run: &RecordRun) -> String {
    let mut out = String::from("package\tid\tsystem\tlayout\tname_is_gold\tname\tvalue\n");
    for row in &run.rows {
        let page = &run.pages[row.page];
        for wrong in &row.wrong {
            let _ = writeln!(
                out,
                "{}\t{}\t{}\t{}\t{}\t{}\t{}",
                cell(&page.document.package),
                cell(&page.document.id),
                cell(&run.systems[row.system]),
                wrong.pair.layout.as_deref().map_or_else(|| "NA".to_owned(), cell),
                if wrong.name_is_gold { "yes" } else { "no" },
                cell(&wrong.pair.name),
                cell(&wrong.pair.value),
            );
        }
    }
    out
}

fn missed(run: &RecordRun) -> String {
    let mut out = String::from("package\tid\tsystem\tlayout\tname\tvalue\n");
    for row in &run.rows {
        let page = &run.pages[row.page];
        for &n in &row.missed {
            let layout = page.layouts.get(n).and_then(Option::as_deref);
            let (name, value) = &page.gold[n];
            let _ = writeln!(
                out,
                "{}\t{}\t{}\t{}\t{}\t{}",
                cell(&page.document.package),
                cell(&page.document.id),
                cell(&run.systems[row.system]),
                layout.map_or_else(|| "NA".to_owned(), cell),
                cell(name),
                cell(value),
            );
        }
    }
    out
}

/// Text that cannot break a line or column.
fn cell(text: &str) -> String {
    gristmill_text::collapse(text)
}
