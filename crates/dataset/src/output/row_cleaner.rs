//! What is done to rows before they are compared with one another: block lists, test sets, rules of quality, masks, counts of tokens.

use std::sync::Arc;

use gristmill_text::WordRuns;
use gristmill_urls::BlockList;
use url::Url;

use super::source_item::{DroppedRow, SourceItem};
use super::tokens::TokenCounter;
use crate::DatasetRow;
use crate::cleaning::{PersonalData, mask};
use crate::quality::{QualityRules, TextSignals};

/// Cleans rows.
pub struct RowCleaner {
    /// Texts that these refuse are left out.
    pub quality: Option<QualityRules>,
    /// Whether rows get the signals that rules look at.
    pub has_signals: bool,
    /// Whether personal data is replaced by its kind.
    pub masks: bool,
    /// Pages that are left out.
    pub block: BlockList,
    /// Texts with one of these runs are left out.
    pub tests: WordRuns,
    /// What counts tokens.
    pub tokens: Arc<TokenCounter>,
}

impl RowCleaner {
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
