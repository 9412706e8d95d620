//! `gristmill eval --records`: judges attribute–value pairs on product pages, and what is found on articles.

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
use gristmill_eval::{BatchCommand, CommandLine, Problem, System};
use gristmill_records::training::{Example, fold_of};

use super::args::FoldKind;
use super::{EvalArgs, list_of_problems, progress_bar};
use crate::paste;
use crate::train::records::{TrainingSet, read};
use system::{Folds, InProcess};

impl FromStr for FoldKind {
    type Err = String;

    fn from_str(text: &str) -> Result<FoldKind, String> {
        match text.parse() {
            Ok(n @ (0 | 2..=1_000)) => Ok(FoldKind::Number(n)),
            Ok(_) => Err("must be 0, or between 2 and 1000".to_owned()),
            Err(_) if text == "site" => Ok(FoldKind::Site),
            Err(_) => Err("neither a number nor `site`".to_owned()),
        }
    }
}

/// Reads the packages, trains if asked to, runs the systems, prints the tables, writes the files.
pub fn run(args: &EvalArgs) -> anyhow::Result<()> {
    let (all, mut problems) = read(&args.packages)?;
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
    let own = methods.map(|methods| InProcess::new(methods, folds));
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

/// Trains a model for each fold. A page of a shop that no model learns from is judged by the model of all the others.
fn folds(kind: FoldKind, set: &TrainingSet, notes: &mut Vec<String>) -> Option<Folds> {
    let learnt = || set.examples.iter().zip(&set.permissive).filter(|(_, permissive)| **permissive);
    let n_learnt = learnt().count();
    let mut sites: Vec<&str> =
        learnt().filter(|(example, _)| example.is_product).map(|(example, _)| example.site.as_str()).collect();
    sites.sort_unstable();
    sites.dedup();
    let n = match kind {
        FoldKind::Number(0) => return None,
        FoldKind::Number(n) => n,
        FoldKind::Site => sites.len() as u64,
    };
    let fold = |example: &Example| match (kind, sites.binary_search(&example.site.as_str())) {
        (FoldKind::Site, Ok(at)) => at as u64,
        // A shop that no model learns from; articles are spread over the folds.
        (FoldKind::Site, Err(_)) if example.is_product => n,
        _ => fold_of(&example.site, n),
    };
    let held: Vec<Option<u64>> = (0..n).map(Some).chain([None]).collect();
    let models = set.models(&held, &fold);
    let key = |page: &RecordPage| (page.document.package.clone(), page.document.id.clone());
    let of_page = set.pages.iter().zip(&set.examples).map(|(page, example)| (key(page), fold(example) as usize));
    notes.push(format!(
        "{} models trained on {n_learnt} pages under permissive licences, {}; `unseen`: each page by one that knows no \
         page of its site",
        n,
        if kind == FoldKind::Site { "one for each site".to_owned() } else { format!("{n} folds by site") }
    ));
    Some(Folds { of_page: of_page.collect(), of_others: n as usize, models })
}

fn write(
    folder: &Path,
    run: &RecordRun,
    summary: &RecordSummary,
    notes: &[String],
    problems: &[Problem],
) -> anyhow::Result<()> {
    let could_not = || format!("could not write to `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(could_not)?;
    write_record_tsv(run, summary, folder).with_context(could_not)?;
    let report = RecordReportOptions { command_line: &paste::typed(), notes, problems };
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
        assert!("1".parse::<FoldKind>().is_err() && "shop".parse::<FoldKind>().is_err());
    }
}
