//! `gristmill-lab eval --labels`: judges methods on rows that were marked (docs/labelling.md).
//!
//! The text is judged as ever, against the rows marked main. What of the others is in it is told by words of kept rows, so that a
//! comment that uses the article's words is none of its words.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, ensure};
use gristmill_eval::{GoldPage, Measure, MeasureOptions, Prf, TextScorer, guarded, words};
use gristmill_extract::{Page, Selection};

use super::in_process::MethodRunner;
use super::{EvalArgs, table};
use crate::label::{PageMarks, RowKind, package_name, pages};
use crate::threads::each;

/// How a method did on one page.
struct LabelScore {
    page: String,
    /// Its page type and its package.
    groups: [String; 2],
    text: Prf,
    /// Words of the rows of each kind: all, and those kept.
    words: [[usize; 4]; 2],
}

/// Prints for each method, and for each further folder of marks against the first, means by page type and package, and the worst
/// pages.
pub fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let runner = MethodRunner::new(args.method.as_deref().unwrap_or("best"), args)?;
    let marked = marked(args)?;
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    for system in 0..runner.n_methods() + args.labels.len() - 1 {
        let second = system.checked_sub(runner.n_methods()).map(|n| &*args.labels[n + 1]);
        let done = each(marked.len(), threads, |at| {
            let (page, first) = (&marked[at], marks_of(&args.labels[0], &marked[at]));
            let second = second.map(|second| marks_of(second, page));
            // A second opinion is asked where there is one.
            let there = second.as_ref().is_none_or(|second| second.is_file());
            let judged = || judge(&runner, system, &first, second.as_deref(), page);
            there.then(|| guarded(judged).unwrap_or_else(|panic| Err(anyhow!(panic))))
        });
        let mut judged = Vec::new();
        for (page, done) in marked.iter().zip(done) {
            match done.transpose() {
                Ok(done) => judged.extend(done),
                Err(error) => eprintln!("left out: `{}/{}`: {error:#}", page.package, page.id),
            }
        }
        ensure!(!judged.is_empty(), "nothing could be scored");
        let name = second.map_or_else(|| runner.name(system).to_owned(), |folder| folder.display().to_string());
        print!("{}", tables(&name, judged, args.worst));
    }
    Ok(())
}

/// The pages of the packages that have marks.
fn marked(args: &EvalArgs) -> anyhow::Result<Vec<GoldPage>> {
    let mut marked = Vec::new();
    for path in &args.packages {
        let package = package_name(path)?;
        for (id, html) in pages(path)? {
            let url = crate::digest::url_beside(&html)?;
            marked.push(GoldPage { package: package.clone(), id, html, url, ..GoldPage::default() });
        }
    }
    marked.retain(|page| marks_of(&args.labels[0], page).is_file());
    ensure!(!marked.is_empty(), "no marks of these packages in `{}`", args.labels[0].display());
    Ok(marked)
}

fn marks_of(labels: &Path, page: &GoldPage) -> PathBuf {
    labels.join(&page.package).join(format!("{}.json", page.id))
}

/// A method on one page, or the marks of a second file, by those of the first.
fn judge(
    runner: &MethodRunner,
    n: usize,
    first: &Path,
    second: Option<&Path>,
    of: &GoldPage,
) -> anyhow::Result<LabelScore> {
    let html = of.read_html()?;
    let parsed = runner.parsed(&html, of.url.as_deref());
    let page = Page::new(&parsed.doc);
    let marks = PageMarks::read(first)?;
    let kinds = marks.kinds(&page)?;
    let (text, selection) = match second {
        None => runner.kept(n, &page, of),
        Some(second) => main_rows(&page, &PageMarks::read(second)?.kinds(&page)?),
    };
    let options = MeasureOptions { characters: false, ..MeasureOptions::default() };
    let scores = TextScorer::new(Some(&main_rows(&page, &kinds).0), &[], &[], options).score(&text);
    let mut sums = [[0; 4]; 2];
    for (row, kind) in page.rows.iter().zip(kinds) {
        for (span, keeps) in selection.pieces(&page, row) {
            let n = words(&page.text[span.start as usize..span.end as usize]).len();
            sums[0][kind as usize] += n;
            sums[1][kind as usize] += if keeps { n } else { 0 };
        }
    }
    let groups = [marks.page_type.unwrap_or_else(|| "unknown".to_owned()), of.package.clone()];
    let text = scores.get(Measure::Wcxb).unwrap_or_default();
    Ok(LabelScore { page: format!("{}/{}", of.package, of.id), groups, text, words: sums })
}

/// The text of the rows marked main, and themselves.
fn main_rows(page: &Page<'_>, kinds: &[RowKind]) -> (String, Selection) {
    let mut selection = Selection::none(page);
    let main = page.rows.iter().zip(kinds).filter(|(_, kind)| **kind == RowKind::Main).map(|(row, _)| row);
    let text: Vec<&str> = main.inspect(|row| selection.keep_row(row)).map(|row| page.row_text(row)).collect();
    (text.join("\n"), selection)
}

/// One line: means over pages; of comments and asides the share of their words that is kept, over all pages together.
fn line(name: &str, judged: &[&LabelScore]) -> Vec<String> {
    let mean = |value: fn(&LabelScore) -> f64| judged.iter().map(|page| value(page)).sum::<f64>() / judged.len() as f64;
    let share = |kind: RowKind| {
        let [all, kept] = [0, 1].map(|n| judged.iter().map(|page| page.words[n][kind as usize]).sum::<usize>() as f64);
        kept / all
    };
    // Where asides are neither right nor wrong.
    let but_asides = |page: &LabelScore| {
        let [all, [main, _, comments, boilerplate]] = page.words;
        Prf::new(main as u64, (main + comments + boilerplate) as u64, all[0] as u64).f1
    };
    let figures = [
        mean(|page| page.text.precision),
        mean(|page| page.text.recall),
        mean(|page| page.text.f1),
        mean(but_asides),
        share(RowKind::Aside),
        share(RowKind::Comment),
    ];
    let figures = figures.map(|figure| if figure.is_nan() { "–".to_owned() } else { format!("{figure:.3}") });
    [name.to_owned(), judged.len().to_string()].into_iter().chain(figures).collect()
}

fn tables(system: &str, mut judged: Vec<LabelScore>, worst: usize) -> String {
    let head = [system, "pages", "P", "R", "F1", "F1 but asides", "asides kept", "comments kept"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for by in 0..2 {
        let mut groups: BTreeMap<&String, Vec<&LabelScore>> = BTreeMap::new();
        judged.iter().for_each(|page| groups.entry(&page.groups[by]).or_default().push(page));
        lines.extend(groups.iter().map(|(name, pages)| line(name, pages)));
    }
    lines.push(line("all", &judged.iter().collect::<Vec<_>>()));
    let out = table::markdown(&lines);
    judged.sort_by(|a, b| a.text.f1.total_cmp(&b.text.f1));
    let head = ["worst pages", "type", "F1", "main", "main kept", "asides", "comments", "boilerplate"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for page in judged.iter().take(worst) {
        let [[main, ..], kept] = page.words;
        let about = [page.page.clone(), page.groups[0].clone(), format!("{:.3}", page.text.f1), main.to_string()];
        lines.push(about.into_iter().chain(kept.map(|n| n.to_string())).collect());
    }
    out + &table::markdown(&lines)
}
