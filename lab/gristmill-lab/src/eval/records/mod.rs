//! `gristmill-lab eval --records`: judges attribute–value pairs on product pages, and what is found on articles.

mod fields;
mod methods;
mod system;
mod table;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use gristmill_eval::records::{
    RecordPage, RecordReportOptions, RecordRun, RecordSummary, run_records, write_record_report, write_record_tsv,
};
use gristmill_eval::{BatchCommand, CommandLine, SkippedDocument, System};
use gristmill_records::Dictionary;
use gristmill_records::training::fold_of;

use super::args::FoldKind;
use super::{EvalArgs, list_of_problems, progress_bar};
use crate::train::records::{TrainingSet, made_up, read};
use system::{FoldModel, Folds, RecordMethodRunner};

impl FromStr for FoldKind {
    type Err = String;

    fn from_str(text: &str) -> Result<FoldKind, String> {
        match text.parse() {
            Ok(n @ (0 | 2..=1_000)) => Ok(FoldKind::Number(n)),
            Ok(_) => Err("must be 0, or between 2 and 1000".to_owned()),
            Err(_) if text == "site" => Ok(FoldKind::Site),
            Err(_) if text == "language" => Ok(FoldKind::Language),
            Err(_) => Err("neither a number nor `site` nor `language`".to_owned()),
        }
    }
}

/// Reads the packages, trains if asked to, runs the systems, prints the tables, writes the files.
pub fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let (all, mut problems) = read(&args.packages)?;
    if args.fields {
        print!("{}", fields::table(&all));
        eprint!("{}", list_of_problems(&problems));
        return Ok(());
    }
    let wanted = args.page_type.as_deref().unwrap_or("article");
    let is_wanted =
        |page: &RecordPage| page.is_product || page.document.page_type.as_deref().unwrap_or("article") == wanted;
    // Also without folds: the readers tell in which layout each gold pair stands.
    let set = TrainingSet::new(&all, false, &mut problems);
    let mut pages = limited(all.into_iter().filter(is_wanted), args.limit.unwrap_or(usize::MAX));
    set_layouts(&mut pages, &set);
    anyhow::ensure!(!pages.is_empty(), "{}nothing to score: no page is left", list_of_problems(&problems));
    let mut notes = vec![concat!("gristmill ", env!("CARGO_PKG_VERSION")).to_owned()];
    let folds = folds(args.folds, &set, &mut notes);
    drop(set);
    let others = !args.command_batch.is_empty();
    let methods = args.method.as_deref().or((!others).then_some("all")).map(methods::parse).transpose()?;
    if args.made_up_words {
        pages.iter_mut().for_each(|page| *page = made_up("", page).1);
    }
    let own = methods.map(|methods| RecordMethodRunner::new(methods, folds, args.made_up_words));
    let mut batches = Vec::new();
    for given in &args.command_batch {
        batches.push(BatchCommand { timeout: *args.timeout, ..BatchCommand::new(CommandLine::parse(given)?) });
    }
    let systems: Vec<&dyn System> = own.iter().map(|own| own as &dyn System).collect();
    let n_systems = systems.iter().map(|system| system.names().len()).sum::<usize>() + batches.len();
    let bar = progress_bar((pages.len() * n_systems) as u64);
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let run = run_records(pages, &systems, &batches, threads, &|n| bar.inc(n as u64));
    bar.finish_and_clear();
    problems.extend(run.problems.iter().cloned());
    let summary = RecordSummary::new(&run);
    print!("{}", table::tables(&run, &summary));
    if let Some(folder) = &args.out {
        write(folder, &run, &summary, &notes, &problems)?;
    }
    eprint!("{}", list_of_problems(&problems));
    anyhow::ensure!(!run.rows.is_empty(), "nothing could be scored");
    Ok(())
}

/// The first pages of each package.
fn limited(pages: impl Iterator<Item = RecordPage>, limit: usize) -> Vec<RecordPage> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    pages
        .filter(|page| {
            let count = counts.entry(page.document.package.clone()).or_default();
            *count += 1;
            *count <= limit
        })
        .collect()
}

fn set_layouts(pages: &mut [RecordPage], set: &TrainingSet) {
    let key = |page: &RecordPage| (page.document.package.clone(), page.document.id.clone());
    let mut layouts: HashMap<_, _> = set.pages.iter().map(|page| (key(page), &page.layouts)).collect();
    for page in pages {
        if let Some(known) = layouts.remove(&key(page)) {
            page.layouts = known.clone();
        }
    }
}

/// Trains a model for each fold. A page of a fold that no model learns from is judged by the model of all the others.
///
/// A page is read with a dictionary that its own shop has not filled; with folds by language, that nothing in its language has.
fn folds(kind: FoldKind, set: &TrainingSet, notes: &mut Vec<String>) -> Option<Folds> {
    let mut groups: Vec<&str> = set.teachers().filter(|page| page.is_product).map(|page| group(kind, page)).collect();
    groups.sort_unstable();
    groups.dedup();
    let n = match kind {
        FoldKind::Number(0) => return None,
        FoldKind::Number(n) => n,
        FoldKind::Site | FoldKind::Language => groups.len() as u64,
    };
    let fold = |page: &RecordPage| match (kind, groups.binary_search(&group(kind, page))) {
        (FoldKind::Number(_), _) => fold_of(&page.site, n),
        // Articles are spread over the folds.
        _ if !page.is_product => fold_of(&page.site, n),
        (_, Ok(at)) => at as u64,
        (_, Err(_)) => n,
    };
    let held: Vec<Option<u64>> = (0..n).map(Some).chain([None]).collect();
    let models = set.models(&held, &fold);
    let key = |page: &RecordPage| (page.document.package.clone(), page.document.id.clone());
    let dictionary = |page: &RecordPage, own: &Dictionary| match page.document.language.as_deref() {
        Some(language) if kind == FoldKind::Language => own.and(&Dictionary::built_in_without(language)),
        _ => own.clone(),
    };
    let judge = |(page, own): (&RecordPage, &Dictionary)| {
        (key(page), FoldModel { model: fold(page) as usize, dictionary: dictionary(page, own) })
    };
    notes.push(format!(
        "{n} models trained on {} pages under permissive licences, {}; `unseen`: each page by one that knows no \
         page of its {}, with a dictionary that its shop has not filled",
        set.teachers().count(),
        match kind {
            FoldKind::Number(n) => format!("{n} folds by site"),
            _ => format!("one for each {}", kind.of()),
        },
        kind.of()
    ));
    let of_page = set.pages.iter().zip(&set.dictionaries).map(judge).collect();
    Some(Folds { of_page, of_others: n as usize, models })
}

/// What stays in one fold.
fn group(kind: FoldKind, page: &RecordPage) -> &str {
    match kind {
        FoldKind::Language => page.document.language.as_deref().unwrap_or("unknown"),
        _ => &page.site,
    }
}

fn write(
    folder: &Path,
    run: &RecordRun,
    summary: &RecordSummary,
    notes: &[String],
    problems: &[SkippedDocument],
) -> anyhow::Result<()> {
    let could_not = || format!("could not write to `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(could_not)?;
    write_record_tsv(run, summary, folder).with_context(could_not)?;
    let report = RecordReportOptions { command_line: &crate::eval::typed(), notes, problems };
    write_record_report(run, summary, &report, folder).with_context(could_not)?;
    eprintln!("report: {}", folder.join("report.html").display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_are_none_several_or_by_site() {
        assert_eq!("0".parse(), Ok(FoldKind::Number(0)));
        assert_eq!("12".parse(), Ok(FoldKind::Number(12)));
        assert_eq!("site".parse(), Ok(FoldKind::Site));
        assert_eq!("language".parse(), Ok(FoldKind::Language));
        assert!("1".parse::<FoldKind>().is_err() && "shop".parse::<FoldKind>().is_err());
    }
}
