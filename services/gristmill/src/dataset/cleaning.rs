//! What is done to rows before they are compared with one another: block lists, test sets, rules of quality, masks, counts of tokens.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, ValueEnum};
use gristmill_dataset::DatasetRow;
use gristmill_dataset::cleaning::{PersonalData, mask};
use gristmill_dataset::quality::{QualityRules, TextSignals};
use gristmill_text::WordRuns;
use gristmill_urls::BlockList;
use serde_json::{Value, json};
use url::Url;
use xxhash_rust::xxh3::Xxh3;

use super::source_item::{DroppedRow, SourceItem};
use super::tokens::TokenCounter;
use super::word_lists::{block_lists, test_texts};

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

/// A file, or all lists of a folder, as it is now.
fn digest(path: &Path) -> anyhow::Result<Value> {
    let mut hash = Xxh3::new();
    for file in super::word_lists::files(path)? {
        hash.update(&std::fs::read(&file).with_context(|| format!("could not read `{}`", file.display()))?);
    }
    Ok(json!({ "path": path, "xxh3": format!("{:032x}", hash.digest128()) }))
}

/// Cleans rows.
pub struct RowCleaner {
    quality: Option<QualityRules>,
    has_signals: bool,
    masks: bool,
    block: BlockList,
    tests: WordRuns,
    tokens: Arc<TokenCounter>,
}

impl RowCleaner {
    /// What counts tokens.
    pub fn tokens(&self) -> Arc<TokenCounter> {
        self.tokens.clone()
    }

    /// Cleans the row of a step, or takes it out.
    pub fn clean(&self, step: &mut SourceItem) {
        let Some(row) = step.row.as_deref_mut() else { return };
        let signals = (self.has_signals || self.quality.is_some()).then(|| TextSignals::of(&row.text, &row.language));
        if let Some((option, dropped)) = self.refuses(row, signals.as_ref()) {
            step.counted = vec![format!("{option} {}", dropped.rule)];
            (step.row, step.dropped) = (None, Some(dropped));
            return;
        }
        if self.has_signals {
            row.signals = signals.map(|signals| signals.values().to_vec()).unwrap_or_default();
        }
        if self.masks {
            step.counted.extend(mask_row(row));
        }
        if let Some(n) = self.tokens.tokens(&row.text) {
            row.token_count = n;
        }
    }

    /// The option that leaves a row out, and why.
    fn refuses(&self, row: &DatasetRow, signals: Option<&TextSignals>) -> Option<(&'static str, DroppedRow)> {
        let dropped = |rule: String, value, limit| DroppedRow { url: row.url.clone(), rule, value, limit };
        if let Some(what) = self.blocks(row) {
            return Some(("--block", dropped(what.to_owned(), None, None)));
        }
        let n = self.tests.count_in(&row.text);
        if n > 0 {
            return Some(("--decontaminate", dropped("test set".to_owned(), Some(n as f64), Some(0.0))));
        }
        let refusal = self.quality.as_ref()?.refuses(signals?)?;
        let rule = format!("{} {}", refusal.set, refusal.rule);
        Some(("--quality", dropped(rule, Some(refusal.value), Some(refusal.limit))))
    }

    fn blocks(&self, row: &DatasetRow) -> Option<&'static str> {
        if self.block.is_empty() {
            return None;
        }
        let url = Url::parse(&row.url).ok();
        let of_url = url.as_ref().and_then(|url| {
            let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
            self.block.blocks_url(url.host_str()?, path)
        });
        let has_word = || {
            self.block.blocks_text(&row.text) || row.title.as_deref().is_some_and(|title| self.block.blocks_text(title))
        };
        of_url.or_else(|| has_word().then_some("word"))
    }
}

/// Masks what people read of a row, and gives what is counted: each kind once for each that was found in the text.
fn mask_row(row: &mut DatasetRow) -> Vec<String> {
    let mut counted = Vec::new();
    if let Some(masked) = mask(&row.text) {
        for kind in PersonalData::ALL {
            counted.extend((0..masked.count(kind)).map(|_| format!("masked {}", kind.name())));
        }
        row.text = masked.text;
    }
    if let Some(records) = &mut row.records {
        records.edit_texts(|text| mask(text).map(|masked| masked.text));
    }
    for part in [&mut row.markdown, &mut row.text_precision, &mut row.text_recall, &mut row.title, &mut row.author] {
        if let Some(masked) = part.as_deref().and_then(mask) {
            *part = Some(masked.text);
        }
    }
    counted
}
