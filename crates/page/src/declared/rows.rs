//! Which rows of a page are texts that it declares.

use std::borrow::Cow;

use gristmill_html::{Doc, TreeLimits};
use gristmill_text::{ByHash, CharacterSegmenter, word_hashes};

use super::texts::{self, DeclaredText};
use crate::page::Page;

/// How much of each row is declared.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredRows {
    /// The share of its words that stand in texts of what the page is about, row by row.
    pub own: Vec<f32>,
    /// The same, of texts that are one of several: ingredients, steps, pairs of a specification.
    pub listed: Vec<f32>,
    /// The same of other things: comments, reviews, items of lists.
    pub other: Vec<f32>,
    /// The share of the texts of what the page is about that stand in its rows.
    pub found: f32,
}

/// Words that are compared at once.
const RUN: usize = 4;
/// What the beginning or end of a short text counts as a row by itself.
const PART: f32 = 0.5;
/// Texts of a list with more words are no labels.
const MAX_LISTED: usize = 40;
/// Words that are read of all texts of a page.
const MAX_WORDS: usize = 100_000;
/// Bytes that are read of one text.
const MAX_BYTES: usize = 1 << 20;

/// What is known of a run of words.
const OWN: u8 = 1;
const OTHER: u8 = 2;
const OWN_PART: u8 = 4;
const LISTED: u8 = 8;
const FOUND: u8 = 16;

impl DeclaredRows {
    /// Compares the rows of a page with what it declares; `None` where it declares no text. Rows of four words or more are compared by runs
    /// of four, shorter ones as a whole with the texts of a list. O(rows + declared texts).
    pub fn of(page: &Page<'_>) -> Option<DeclaredRows> {
        let mut runs = Runs::default();
        for items in [&page.json_ld().items, &page.embedded().items] {
            texts::of_items(items, page.doc).iter().for_each(|text| runs.add(text));
        }
        if runs.known.is_empty() {
            return None;
        }
        let mut words = Vec::new();
        let n = page.rows.len();
        let mut rows = DeclaredRows { own: vec![0.0; n], listed: vec![0.0; n], other: vec![0.0; n], found: 0.0 };
        for (at, row) in page.rows.iter().enumerate() {
            words.clear();
            word_hashes(page.row_text(row), &CharacterSegmenter, usize::MAX, &mut words);
            [rows.own[at], rows.listed[at], rows.other[at]] = runs.shares(&words);
        }
        let n_own = runs.known.values().filter(|run| **run & OWN != 0).count();
        let n_found = runs.known.values().filter(|run| **run & (OWN | FOUND) == OWN | FOUND).count();
        Some(DeclaredRows { found: n_found as f32 / n_own.max(1) as f32, ..rows })
    }
}

/// The runs of words of declared texts.
#[derive(Default)]
struct Runs {
    known: ByHash<u8>,
    n_words: usize,
    words: Vec<u64>,
}

impl Runs {
    fn add(&mut self, declared: &DeclaredText<'_>) {
        if self.n_words == MAX_WORDS {
            return;
        }
        let text = plain(&declared.text[..declared.text.floor_char_boundary(MAX_BYTES)]);
        let lines: Vec<&str> = text.split('\n').filter(|line| !line.trim().is_empty()).collect();
        let listed = declared.listed || lines.len() > 1;
        let whose = match (declared.own, declared.listed) {
            (true, true) => OWN | LISTED,
            (true, false) => OWN,
            (false, _) => OTHER,
        };
        lines.into_iter().for_each(|line| self.line(line, whose, listed));
    }

    fn line(&mut self, line: &str, whose: u8, listed: bool) {
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        word_hashes(line, &CharacterSegmenter, MAX_WORDS - self.n_words, &mut words);
        self.n_words += words.len();
        words.windows(RUN).for_each(|run| self.know(run, whose));
        if listed && words.len() < RUN {
            self.know(&words, whose);
        }
        if listed && whose & OWN != 0 && words.len() <= MAX_LISTED {
            for n in 1..RUN.min(words.len()) {
                self.know(&words[..n], OWN_PART | whose & LISTED);
                self.know(&words[words.len() - n..], OWN_PART | whose & LISTED);
            }
        }
        self.words = words;
    }

    fn know(&mut self, run: &[u64], as_what: u8) {
        if !run.is_empty() {
            *self.known.entry(hash(run)).or_default() |= as_what;
        }
    }

    /// Shares of a row's words in texts of what the page is about, in those of lists, and in texts of other things.
    fn shares(&mut self, words: &[u64]) -> [f32; 3] {
        if words.is_empty() {
            return [0.0; 3];
        }
        if words.len() < RUN {
            let run = self.meet(words);
            let part = if run & OWN_PART != 0 { PART } else { 0.0 };
            let own = if run & OWN != 0 { 1.0 } else { part };
            let listed = if run & LISTED != 0 { own } else { 0.0 };
            return [own, listed, if run & OTHER != 0 { 1.0 } else { 0.0 }];
        }
        let mut covered = [OWN, LISTED, OTHER].map(|whose| (whose, WordCoverage::default()));
        for (at, run) in words.windows(RUN).enumerate() {
            let run = self.meet(run);
            covered.iter_mut().for_each(|(whose, covered)| covered.add(at, run & *whose != 0));
        }
        covered.map(|(_, covered)| covered.words as f32 / words.len() as f32)
    }

    /// What is known of a run that stands on the page.
    fn meet(&mut self, run: &[u64]) -> u8 {
        let Some(known) = self.known.get_mut(&hash(run)) else { return 0 };
        *known |= FOUND;
        *known
    }
}

/// Words that runs cover.
#[derive(Default)]
struct WordCoverage {
    words: usize,
    end: usize,
}

impl WordCoverage {
    fn add(&mut self, at: usize, known: bool) {
        if known {
            self.words += at + RUN - self.end.max(at);
            self.end = at + RUN;
        }
    }
}

fn hash(run: &[u64]) -> u64 {
    run.iter().fold(run.len() as u64, |hash, word| (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// A text without its markup and references to characters.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '&']) {
        return Cow::Borrowed(text);
    }
    let doc = Doc::parse(text, &TreeLimits::default());
    let mut plain = String::new();
    for id in doc.ids() {
        let name = doc.name(id);
        if doc.is_element(id) && gristmill_html::BLOCKS.contains(&name) {
            plain.push('\n');
        }
        plain.push_str(doc.text(id));
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(json: &str, body: &str) -> Option<DeclaredRows> {
        let html = format!(r#"<script type="application/ld+json">{json}</script>{body}"#);
        DeclaredRows::of(&Page::new(&Doc::parse(&html, &TreeLimits::default())))
    }

    #[test]
    fn rows_that_are_declared_are_known_whole_and_in_part() {
        let json = r#"{"@type": "HowTo", "supply": ["2 cups flour", "salt", "one pinch of very dry yeast"],
            "text": "<p>Pour the grain into the hopper.</p>", "comment": {"text": "It worked well for me"}}"#;
        let body = "<p>2 cups<p>flour<p>Salt<p>pour the grain into the mill<p>It worked well for me, too<p>Menu";
        let found = rows(json, body).unwrap();
        assert_eq!(found.own, [0.5, 0.5, 1.0, 5.0 / 6.0, 0.0, 0.0]);
        assert_eq!(found.listed, [0.5, 0.5, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(found.other, [0.0, 0.0, 0.0, 0.0, 5.0 / 6.0, 0.0]);
        assert!(found.found > 0.2 && found.found < 0.8, "{found:?}");
    }

    #[test]
    fn characters_of_chinese_are_words_and_microdata_counts_too() {
        let body = r#"<div itemscope itemtype="https://schema.org/Recipe"><p itemprop="recipeIngredient">面粉
            <p itemprop="recipeIngredient">一小勺盐和糖</div><p>面粉"#;
        let found = rows("{}", body).unwrap();
        assert_eq!(found.own, [1.0, 1.0, 1.0]);
    }

    #[test]
    fn a_page_that_declares_nothing_has_none() {
        assert_eq!(rows(r#"{"@type": "WebSite", "description": "a mill by the old river"}"#, "<p>a mill"), None);
        assert_eq!(rows("{}", "<p>a mill"), None);
    }
}
