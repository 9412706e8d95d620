//! What is done to rows before they are compared with one another, as the command line says.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use gristmill_dataset::output::{RowCleaner, TokenCounter, block_lists, digest, test_texts};
use gristmill_dataset::quality::QualityRules;
use gristmill_text::WordRuns;
use serde_json::{Value, json};

/// What is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mask {
    /// Mail addresses, telephone numbers, bank accounts, card numbers and IP addresses
    Pii,
}

#[derive(Args)]
pub struct CleaningArgs {
    /// Of a dataset: leave out texts that these rules refuse: gopher, c4, fineweb; `dropped.jsonl` tells which, and by which rule
    #[arg(long, requires = "out", value_name = "LIST")]
    pub quality: Option<QualityRules>,
    /// Of a dataset: add a column for each signal that the rules of quality look at
    #[arg(long, requires = "out")]
    pub signals: bool,
    /// Of a dataset: replace personal data in texts by the name of its kind, such as `[email]`
    #[arg(long, requires = "out", value_enum)]
    pub mask: Option<Mask>,
    /// Of a dataset: leave out pages of these hosts, addresses and words: a list, or a folder of lists as UT1 has them
    #[arg(long, requires = "out", value_delimiter = ',', value_name = "FILE|DIR")]
    pub block: Vec<PathBuf>,
    /// Of a dataset: leave out texts that share 13 words in a row with one of these test sets: texts, or JSON lines
    #[arg(long, requires = "out", value_delimiter = ',', value_name = "FILE")]
    pub decontaminate: Vec<PathBuf>,
    /// Of a dataset: count the tokens of this `tokenizer.json` instead of words
    #[arg(long, requires = "out", value_name = "FILE")]
    pub tokenizer: Option<PathBuf>,
}

impl CleaningArgs {
    /// Whether something is asked for.
    pub fn is_given(&self) -> bool {
        let has_files = !self.block.is_empty() || !self.decontaminate.is_empty() || self.tokenizer.is_some();
        has_files || self.quality.is_some() || self.signals || self.mask.is_some()
    }

    /// Reads the files.
    ///
    /// # Errors
    /// Files that cannot be read, or are something else.
    pub fn cleaner(&self) -> anyhow::Result<RowCleaner> {
        let mut tests = WordRuns::default();
        for path in &self.decontaminate {
            test_texts(path, |text| tests.add_test(text))?;
        }
        anyhow::ensure!(
            self.decontaminate.is_empty() || !tests.is_empty(),
            "`--decontaminate`: no text of eight words or more is in these files"
        );
        let block = block_lists(&self.block)?;
        anyhow::ensure!(self.block.is_empty() || !block.is_empty(), "`--block`: nothing is in these lists");
        Ok(RowCleaner {
            quality: self.quality.clone(),
            has_signals: self.signals,
            masks: self.mask.is_some(),
            block,
            tests,
            tokens: Arc::new(TokenCounter::open(self.tokenizer.as_deref())?),
        })
    }

    /// For the manifest: what is set, and which files they were.
    ///
    /// # Errors
    /// Files that cannot be read.
    pub fn settings(&self) -> anyhow::Result<Value> {
        if !self.is_given() {
            return Ok(Value::Null);
        }
        let digests = |paths: &[PathBuf]| paths.iter().map(|path| digest(path)).collect::<anyhow::Result<Vec<_>>>();
        Ok(json!({
            "quality": self.quality.as_ref().map(QualityRules::sets),
            "signals": self.signals,
            "mask": self.mask.map(|_| "pii"),
            "block": digests(&self.block)?,
            "decontaminate": digests(&self.decontaminate)?,
            "tokenizer": self.tokenizer.as_deref().map(digest).transpose()?,
        }))
    }
}
