//! Trains the language identifier on the texts and counts that `scripts/language/fetch` unpacks.

use std::fmt::Write as _;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;
use gristmill_eval::is_permissive;
use gristmill_models::LANGUAGE;
use gristmill_text::language::training::{LanguageSource, NgramCounts, TrainingPlan, train};
use xxhash_rust::xxh3::Xxh3;

#[derive(Args)]
pub struct LanguageArgs {
    /// Folders with about.txt, and text/CODE.txt or counts/CODE.txt, as `scripts/language/fetch` makes them
    #[arg(required = true, value_name = "SOURCE_DIR")]
    sources: Vec<PathBuf>,
    /// Where the model goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Lines of each language that has counts [default: what the shipped model was trained with]
    #[arg(long, value_name = "N")]
    lines: Option<usize>,
    /// Rounds over all lines [default: likewise]
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
}

/// Trains and writes the model.
pub fn run(args: &LanguageArgs) -> anyhow::Result<()> {
    let shipped = TrainingPlan::default();
    let plan =
        TrainingPlan { lines: args.lines.unwrap_or(shipped.lines), rounds: args.rounds.unwrap_or(shipped.rounds) };
    let sources = args.sources.iter().map(|folder| TextSource::open(folder)).collect::<anyhow::Result<Vec<_>>>()?;
    let model = train(plan, &card(plan, &sources)?, |name| read(&sources, name))?;
    std::fs::write(&args.out, model.to_bytes()).with_context(|| format!("could not write `{}`", args.out.display()))
}

/// One folder, and what its first line says of it.
struct TextSource {
    folder: PathBuf,
    name: String,
    licence: String,
}

impl TextSource {
    fn open(folder: &Path) -> anyhow::Result<TextSource> {
        let about = folder.join("about.txt");
        let text = std::fs::read_to_string(&about).with_context(|| format!("could not read `{}`", about.display()))?;
        let (name, licence) =
            text.trim().split_once('\t').with_context(|| format!("`{}` names no licence", about.display()))?;
        ensure!(is_permissive(licence), "`{}` has the licence `{licence}`, which permits no model", folder.display());
        Ok(TextSource { folder: folder.to_owned(), name: name.to_owned(), licence: licence.to_owned() })
    }

    /// Its file of a language, if it has one.
    fn file(&self, kind: &str, name: &str) -> anyhow::Result<Option<String>> {
        let path = self.folder.join(kind).join(format!("{name}.txt"));
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("could not read `{}`", path.display())),
        }
    }

    /// How many files it has, and a hash of them in the order of their names.
    fn hash(&self) -> anyhow::Result<(usize, u64)> {
        let (mut n, mut hash) = (0, Xxh3::new());
        for folder in ["text", "counts"].map(|kind| self.folder.join(kind)).iter().filter(|folder| folder.is_dir()) {
            let mut files =
                std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
            files.sort();
            n += files.len();
            for file in files {
                hash.write(&std::fs::read(file)?);
            }
        }
        Ok((n, hash.finish()))
    }
}

fn read(sources: &[TextSource], name: &str) -> anyhow::Result<LanguageSource> {
    let mut found = LanguageSource::default();
    for source in sources {
        if let Some(text) = source.file("text", name)? {
            found.texts.extend(text.lines().map(str::to_owned));
        }
        if let Some(shares) = source.file("counts", name)? {
            found.counts = Some(NgramCounts::from_shares(&shares));
        }
    }
    Ok(found)
}

fn card(plan: TrainingPlan, sources: &[TextSource]) -> anyhow::Result<String> {
    let mut text = format!("{}: {}\n", LANGUAGE.name, LANGUAGE.purpose);
    let _ = writeln!(text, "Made by `gristmill-lab train language SOURCE_DIR... --out models/language.model`.");
    let _ = writeln!(
        text,
        "Trained in {} rounds on {} lines of each language with counts, made of:",
        plan.rounds, plan.lines
    );
    for source in sources {
        let (n, hash) = source.hash()?;
        let _ = writeln!(text, "* {}, {}: {n} languages and forms (hash {hash:016x})", source.name, source.licence);
    }
    Ok(text)
}
