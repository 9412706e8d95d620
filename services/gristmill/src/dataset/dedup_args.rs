//! Which duplicates are left out, as the command line says.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use gristmill_dataset::duplicates::{MinHashOptions, TextUnit};
use gristmill_dataset::output::{CorpusDedupOptions, DedupPlan, PrintLikeness};
use serde_json::{Value, json};

/// What counts as a duplicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Dedup {
    /// The same text
    Exact,
    /// A text whose fingerprint differs in at most ten bits from one of the newest million; never one under 20 words
    Near,
    /// A text that is likely to share three in four of its runs of five words, in a corpus of any size; the longest stays
    Minhash,
    /// Lines that stand in another text, which are left out of all but one
    Lines,
    /// The same for paragraphs
    Paragraphs,
}

impl Dedup {
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Near => "near",
            Self::Minhash => "minhash",
            Self::Lines => "lines",
            Self::Paragraphs => "paragraphs",
        }
    }
}

#[derive(Args)]
pub struct DedupArgs {
    /// Of a dataset: leave out duplicates; `duplicates.jsonl` tells which, and because of which. One of `exact`, `near` and
    /// `minhash`, and one of `lines` and `paragraphs`
    #[arg(long, requires = "out", value_enum, value_delimiter = ',', value_name = "LIST")]
    pub dedup: Vec<Dedup>,
    /// Buckets, rows and words of `--dedup minhash` [default: 14x8x5]
    #[arg(long, requires = "dedup", value_name = "BxRxW")]
    pub minhash: Option<MinHashOptions>,
    /// Leave out what is in these datasets, too, which were made with the same `--dedup`
    #[arg(long, requires = "dedup", value_delimiter = ',', value_name = "DIRS")]
    pub against: Vec<PathBuf>,
}

impl DedupArgs {
    /// # Errors
    /// Kinds that do not go together.
    pub fn plan(&self) -> anyhow::Result<DedupPlan> {
        let mut texts = self.dedup.iter().filter(|kind| !matches!(kind, Dedup::Lines | Dedup::Paragraphs));
        let units: Vec<TextUnit> = self.dedup.iter().filter_map(|kind| unit(*kind)).collect();
        let text = texts.next();
        anyhow::ensure!(texts.next().is_none(), "`--dedup` takes one of `exact`, `near` and `minhash`");
        anyhow::ensure!(units.len() <= 1, "`--dedup` takes one of `lines` and `paragraphs`");
        let is_minhash = text == Some(&Dedup::Minhash);
        anyhow::ensure!(self.minhash.is_none() || is_minhash, "`--minhash` is of `--dedup minhash`");
        let corpus = CorpusDedupOptions {
            minhash: is_minhash.then(|| self.minhash.unwrap_or_default()),
            unit: units.first().copied(),
            against: self.against.clone(),
        };
        if is_minhash || text.is_none() && corpus.unit.is_some() {
            return Ok(DedupPlan::Corpus(corpus));
        }
        anyhow::ensure!(
            corpus.unit.is_none() && corpus.against.is_empty(),
            "`exact` and `near` go row by row: with `lines`, `paragraphs` or `--against`, write `--dedup minhash`"
        );
        Ok(match text {
            Some(Dedup::Exact) => DedupPlan::Prints(PrintLikeness::Equal),
            Some(_) => DedupPlan::Prints(PrintLikeness::Near),
            None => DedupPlan::Nothing,
        })
    }

    /// For the manifest: what is set.
    pub fn settings(&self) -> Value {
        let names: Vec<&str> = self.dedup.iter().map(|kind| kind.name()).collect();
        let is_minhash = self.dedup.contains(&Dedup::Minhash);
        match names.as_slice() {
            [] => Value::Null,
            [name @ ("exact" | "near")] => json!(name),
            names => json!({
                "kinds": names,
                "minhash": is_minhash.then(|| self.minhash.unwrap_or_default().to_string()),
                "against": self.against,
            }),
        }
    }
}

fn unit(kind: Dedup) -> Option<TextUnit> {
    match kind {
        Dedup::Lines => Some(TextUnit::Line),
        Dedup::Paragraphs => Some(TextUnit::Paragraph),
        _ => None,
    }
}
