//! `gristmill-lab eval`: judges methods, commands and proxies on test packages.

mod args;
mod in_process;
mod labels;
mod languages;
mod metadata;
mod records;
mod table;

use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::Context;
use gristmill_eval::{
    BatchCommand, CommandLine, EvalRun, EvalSummary, FLAGS_LEFT_OUT, GoldPage, MeasureOptions, Normalisation, Package,
    Proxy, ReportOptions, RunOptions, SingleCommand, SkippedDocument, System, WordDefinition, differences,
    run as run_systems, write_report, write_tsv,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub use args::EvalArgs;
use args::{MeasureSet, TokenKind};
use in_process::MethodRunner;

/// Reads the packages, runs the systems, prints the table, writes the files.
pub fn run(args: &EvalArgs) -> anyhow::Result<()> {
    if let Some(folder) = &args.languages {
        return languages::run(folder);
    }
    if args.records {
        return records::run(args);
    }
    if args.metadata {
        return metadata::run(args);
    }
    if !args.labels.is_empty() {
        return labels::run(args);
    }
    let systems = Systems::new(args)?;
    let (documents, mut problems) = read_packages(args)?;
    anyhow::ensure!(!documents.is_empty(), "{}nothing to score: no document is left", list_of_problems(&problems));
    let n_texts = documents.len() * systems.names().len();
    let bar = progress_bar(n_texts as u64);
    let run = systems.run(documents, &options(args), &|n| bar.inc(n as u64));
    bar.finish_and_clear();
    problems.extend(run.problems.iter().cloned());
    let summary = EvalSummary::new(&run);
    print!("{}", table::tables(&run, &summary));
    if let Some(folder) = &args.out {
        write_files(args, folder, &systems, &run, &summary, &problems)?;
    }
    eprint!("{}{}{}", left_out_of_means(&run), list_of_problems(&problems), failures(&run));
    anyhow::ensure!(!run.rows.is_empty(), "nothing could be scored");
    anyhow::ensure!(run.rows.iter().any(|row| row.error.is_none()), "no system answered for any page");
    Ok(())
}

/// Everything that is judged, in the order of the columns.
struct Systems {
    in_process: Option<MethodRunner>,
    commands: Vec<SingleCommand>,
    proxies: Vec<Proxy>,
    batches: Vec<BatchCommand>,
}

impl Systems {
    fn new(args: &EvalArgs) -> anyhow::Result<Systems> {
        let others = args.command.len() + args.command_batch.len() + args.proxy.len();
        let list = args.method.as_deref().or((others == 0).then_some("all"));
        let in_process = list.map(|list| MethodRunner::new(list, args)).transpose()?;
        let timeout = *args.timeout;
        let mut systems = Systems { in_process, commands: Vec::new(), proxies: Vec::new(), batches: Vec::new() };
        for given in &args.command {
            systems.commands.push(SingleCommand { timeout, ..SingleCommand::new(command_line(given)?) });
        }
        for given in &args.command_batch {
            systems.batches.push(BatchCommand { timeout, ..BatchCommand::new(command_line(given)?) });
        }
        for given in &args.proxy {
            systems.proxies.push(Proxy { timeout, ..Proxy::parse(given)? });
        }
        let names = systems.names();
        let twice = names.iter().enumerate().find(|(n, name)| names[..*n].contains(name));
        if let Some((_, name)) = twice {
            anyhow::bail!("two systems are called `{name}`: name one of them, as in `NAME=COMMAND`");
        }
        Ok(systems)
    }

    fn paged(&self) -> Vec<&dyn System> {
        let own = self.in_process.iter().map(|system| system as &dyn System);
        let commands = self.commands.iter().map(|system| system as &dyn System);
        let proxies = self.proxies.iter().map(|system| system as &dyn System);
        own.chain(commands).chain(proxies).collect()
    }

    fn names(&self) -> Vec<String> {
        let batches = self.batches.iter().map(|batch| batch.name.clone());
        self.paged().iter().flat_map(|system| system.names()).chain(batches).collect()
    }

    fn run(&self, documents: Vec<GoldPage>, options: &RunOptions, progress: &(dyn Fn(usize) + Sync)) -> EvalRun {
        run_systems(documents, &self.paged(), &self.batches, options, progress)
    }

    /// The marked page of one of our own methods, which come first.
    fn marked(&self, system: usize, document: &GoldPage) -> Option<String> {
        let own = self.in_process.as_ref().filter(|own| system < own.n_methods())?;
        own.marked(system, document)
    }
}

/// A command whose program is there: that it is not is told before the first page.
fn command_line(given: &str) -> anyhow::Result<CommandLine> {
    let line = CommandLine::parse(given)?;
    line.check()?;
    Ok(line)
}

fn options(args: &EvalArgs) -> RunOptions {
    let tokens = match args.tokens {
        TokenKind::Word => WordDefinition::Word,
        TokenKind::Space => WordDefinition::Space,
    };
    let normalisation = Normalisation { fold: args.fold, tokens, ..Normalisation::default() };
    let characters = args.measure == MeasureSet::All;
    let settings = MeasureOptions { normalisation, characters, ..MeasureOptions::default() };
    let threads = args.threads.unwrap_or(RunOptions::default().threads).max(1);
    RunOptions { threads, settings }
}

fn read_packages(args: &EvalArgs) -> anyhow::Result<(Vec<GoldPage>, Vec<SkippedDocument>)> {
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    let mut names: Vec<String> = Vec::new();
    for path in &args.packages {
        let package = Package::read(path)?;
        anyhow::ensure!(
            !names.contains(&package.name),
            "two packages are called `{}`; the second is `{}`",
            package.name,
            path.display()
        );
        let wanted = |document: &GoldPage| args.page_type.is_none() || document.page_type == args.page_type;
        let limit = args.limit.unwrap_or(usize::MAX);
        documents.extend(package.documents.into_iter().filter(wanted).take(limit));
        problems.extend(package.problems);
        names.push(package.name);
    }
    Ok((documents, problems))
}

fn write_files(
    args: &EvalArgs,
    folder: &Path,
    systems: &Systems,
    run: &EvalRun,
    summary: &EvalSummary,
    problems: &[SkippedDocument],
) -> anyhow::Result<()> {
    let could_not = || format!("could not write to `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(could_not)?;
    let differences = differences(run);
    write_tsv(run, summary, &differences, folder).with_context(could_not)?;
    let report = ReportOptions {
        command_line: &typed(),
        versions: &[concat!("gristmill ", env!("CARGO_PKG_VERSION")).to_owned()],
        problems,
        worst: args.worst,
        marked: &|system, document| systems.marked(system, document),
    };
    write_report(run, summary, &differences, &report, folder).with_context(could_not)?;
    writeln!(std::io::stderr(), "report: {}", folder.join("report.html").display())?;
    Ok(())
}

/// Silent unless a person looks on.
fn progress_bar(n_texts: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(n_texts), ProgressDrawTarget::stderr());
    if std::io::stderr().is_terminal() {
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} texts judged, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    } else {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

fn left_out_of_means(run: &EvalRun) -> String {
    let n = run.documents.iter().filter(|document| !document.in_means()).count();
    let fragmented = run.documents.iter().filter(|document| document.fragmented).count();
    let mut out = String::new();
    if n > 0 {
        let flags = FLAGS_LEFT_OUT.map(|flag| format!("`{flag}`")).join(" or ");
        out.push_str(&format!("not in the means: {}, flagged {flags}\n", documents(n)));
    }
    if fragmented > 0 {
        out.push_str(&format!("by snippets only: {}, whose gold text is a part\n", documents(fragmented)));
    }
    out
}

/// For each system that failed on pages on how many, and why on the first: such pages count as empty.
fn failures(run: &EvalRun) -> String {
    let mut out = String::new();
    for (system, name) in run.systems.iter().enumerate() {
        let mut failed = run.rows.iter().filter(|row| row.system == system && row.error.is_some()).peekable();
        let Some(first) = failed.peek().copied() else { continue };
        let document = &run.documents[first.document];
        let reason = first.error.as_deref().unwrap_or_default();
        let (n, package, id) = (failed.count(), &document.package, &document.id);
        out.push_str(&format!("`{name}` failed on {}, first on {package}/{id}: {reason}\n", documents(n)));
    }
    out
}

fn list_of_problems(problems: &[SkippedDocument]) -> String {
    let lines: Vec<String> = problems.iter().map(|problem| format!("  {problem}\n")).collect();
    if lines.is_empty() { String::new() } else { format!("left out: {}\n{}", documents(lines.len()), lines.concat()) }
}

fn documents(n: usize) -> String {
    if n == 1 { "1 document".to_owned() } else { format!("{n} documents") }
}

/// What was typed, so that it can be typed again.
fn typed() -> String {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
