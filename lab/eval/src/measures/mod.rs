//! How close an extracted text is to the gold text: precision, recall and F1 by several kinds of items.

use std::collections::{HashMap, HashSet};

use gristmill_text::is_sentence_mark;

use crate::lcs::{DEFAULT_CAP, lcs};
use crate::normalise::{Normalisation, words};

/// Precision, recall and F1, each 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prf {
    /// Share of the extracted items that are in the gold text.
    pub precision: f64,
    /// Share of the gold items that were extracted.
    pub recall: f64,
    /// 2PR / (P + R).
    pub f1: f64,
}

impl Prf {
    /// From the sizes of both sides and of what they share. Both empty: all 1; one empty: all 0.
    pub fn new(shared: u64, extracted: u64, gold: u64) -> Prf {
        match (extracted, gold) {
            (0, 0) => Prf { precision: 1.0, recall: 1.0, f1: 1.0 },
            (0, _) | (_, 0) => Prf::default(),
            _ => Prf {
                precision: shared as f64 / extracted as f64,
                recall: shared as f64 / gold as f64,
                f1: 2.0 * shared as f64 / (extracted + gold) as f64,
            },
        }
    }
}

/// What the items of a comparison are. The first four are the paper's (Gottron §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// Characters in order: longest common subsequence.
    Str,
    /// Words in order: longest common subsequence.
    Seq,
    /// Bag of words.
    Vec,
    /// Distinct words.
    Set,
    /// Bag of lower-cased words, whatever the normalisation: the word F1 of WCXB.
    Wcxb,
    /// Bag of runs of four lower-cased words; a text of one to three words is one run.
    Shingle4,
    /// Set of sentences.
    SentSet,
}

impl Measure {
    /// In the order of columns.
    pub const ALL: [Measure; 7] =
        [Measure::Str, Measure::Seq, Measure::Vec, Measure::Set, Measure::Wcxb, Measure::Shingle4, Measure::SentSet];

    /// Its name in columns and options.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Str => "str",
            Measure::Seq => "seq",
            Measure::Vec => "vec",
            Measure::Set => "set",
            Measure::Wcxb => "wcxb",
            Measure::Shingle4 => "shingle4",
            Measure::SentSet => "sent_set",
        }
    }
}

/// What one extracted text scores.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TextScores {
    /// By [`Measure::ALL`]; `None` where a measure was not asked for, exceeded its cap, or has no full gold text.
    pub prf: [Option<Prf>; 7],
    /// Share of the wanted snippets that are there; `None` without any.
    pub with: Option<f64>,
    /// Share of the unwanted snippets that are not there; `None` without any.
    pub without: Option<f64>,
}

impl TextScores {
    /// One measure.
    pub fn get(&self, measure: Measure) -> Option<Prf> {
        self.prf[measure as usize]
    }
}

/// Which measures, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasureOptions {
    /// The common form of both sides.
    pub normalisation: Normalisation,
    /// Also compare characters in order, which costs more than all the rest. Default: yes.
    pub characters: bool,
    /// Largest |extracted|·|gold| for `str` and `seq`; above it they are not available. Default: 4·10¹⁰.
    pub lcs_cap: u64,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        MeasureOptions { normalisation: Normalisation::default(), characters: true, lcs_cap: DEFAULT_CAP }
    }
}

/// A gold text made ready to judge many extracted ones.
#[derive(Debug)]
pub struct TextScorer {
    settings: MeasureOptions,
    /// Words and sentences as numbers; extracted items that gold lacks get numbers of their own, one text at a time.
    numbers: HashMap<String, u32>,
    /// `None` when the gold text is only a part of the main text.
    gold: Option<Items>,
    with: Vec<String>,
    without: Vec<String>,
}

/// A text in all the forms that are compared.
#[derive(Debug, Default)]
struct Items {
    chars: Vec<u32>,
    words: Vec<u32>,
    lower: Vec<u32>,
    sentences: HashSet<u32>,
}

impl TextScorer {
    /// `gold` is the gold text, `None` to judge by snippets only.
    pub fn new(gold: Option<&str>, with: &[String], without: &[String], settings: MeasureOptions) -> TextScorer {
        let snippets = |list: &[String]| {
            list.iter().map(|text| settings.normalisation.text(text)).filter(|text| !text.is_empty()).collect()
        };
        let mut numbers = HashMap::new();
        let gold = gold.map(|text| items(text, &settings, &mut Numbers::growing(&mut numbers)));
        TextScorer { settings, gold, with: snippets(with), without: snippets(without), numbers }
    }

    /// Judges one extracted text.
    ///
    /// O(text) but for `seq` and `str`, which cost O(|text|·|gold| / 64).
    pub fn score(&self, text: &str) -> TextScores {
        let mut scores = TextScores::default();
        if !self.with.is_empty() || !self.without.is_empty() {
            let text = self.settings.normalisation.text(text);
            let present = |list: &[String]| list.iter().filter(|snippet| text.contains(*snippet)).count() as f64;
            let rate = |list: &[String], n: f64| (!list.is_empty()).then(|| n / list.len() as f64);
            scores.with = rate(&self.with, present(&self.with));
            scores.without = rate(&self.without, self.without.len() as f64 - present(&self.without));
        }
        if let Some(gold) = &self.gold {
            let extracted = items(text, &self.settings, &mut Numbers::on(&self.numbers));
            scores.prf = compare(&extracted, gold, &self.settings);
        }
        scores
    }
}

fn compare(extracted: &Items, gold: &Items, settings: &MeasureOptions) -> [Option<Prf>; 7] {
    let in_order = |extracted: &[u32], gold: &[u32]| {
        let shared = lcs(extracted, gold, settings.lcs_cap)?;
        Some(Prf::new(shared, extracted.len() as u64, gold.len() as u64))
    };
    let set = |words: &[u32]| words.iter().copied().collect::<HashSet<u32>>();
    [
        settings.characters.then(|| in_order(&extracted.chars, &gold.chars)).flatten(),
        in_order(&extracted.words, &gold.words),
        Some(bag(extracted.words.iter(), gold.words.iter())),
        Some(sets(&set(&extracted.words), &set(&gold.words))),
        Some(bag(extracted.lower.iter(), gold.lower.iter())),
        Some(bag(shingles(&extracted.lower), shingles(&gold.lower))),
        Some(sets(&extracted.sentences, &gold.sentences)),
    ]
}

/// Σ min(count) of two bags.
fn bag<T: Eq + std::hash::Hash>(extracted: impl Iterator<Item = T>, gold: impl Iterator<Item = T>) -> Prf {
    let mut counts: HashMap<T, u64> = HashMap::new();
    let (mut n_gold, mut n_extracted, mut shared) = (0, 0, 0);
    for item in gold {
        *counts.entry(item).or_insert(0) += 1;
        n_gold += 1;
    }
    for item in extracted {
        n_extracted += 1;
        if let Some(left) = counts.get_mut(&item).filter(|left| **left > 0) {
            *left -= 1;
            shared += 1;
        }
    }
    Prf::new(shared, n_extracted, n_gold)
}

fn sets(extracted: &HashSet<u32>, gold: &HashSet<u32>) -> Prf {
    Prf::new(extracted.intersection(gold).count() as u64, extracted.len() as u64, gold.len() as u64)
}

fn shingles(words: &[u32]) -> impl Iterator<Item = &[u32]> {
    // Else two short texts would share nothing whatever they say.
    words.windows(words.len().clamp(1, 4))
}

fn items(text: &str, settings: &MeasureOptions, numbers: &mut Numbers<'_>) -> Items {
    let normal = settings.normalisation.text(text);
    let lower = normal.to_lowercase();
    let words_of = settings.normalisation.words(&normal);
    Items {
        chars: if settings.characters { normal.chars().map(u32::from).collect() } else { Vec::new() },
        words: words_of.into_iter().map(|word| numbers.of(word)).collect(),
        lower: words(&lower).into_iter().map(|word| numbers.of(word)).collect(),
        sentences: sentences(text, settings, numbers),
    }
}

/// Sentences, each normalised; rows of the text end sentences too, since headings and items have no full stop.
///
/// Source: VSSE §5.1 compares sets of sentences and does not say how it splits. Ours: at `P_SENT` marks that end
/// sentences (a comma is no end), where white space or the end follows, or at once after full-width marks.
fn sentences(text: &str, settings: &MeasureOptions, numbers: &mut Numbers<'_>) -> HashSet<u32> {
    let mut found = HashSet::new();
    for line in text.lines() {
        for sentence in split_sentences(line) {
            let sentence = settings.normalisation.text(sentence);
            if sentence.chars().any(char::is_alphanumeric) {
                found.insert(numbers.of(&sentence));
            }
        }
    }
    found
}

fn split_sentences(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let ends = ends_sentence(c) && (!c.is_ascii() || chars.peek().is_none_or(|(_, next)| next.is_whitespace()));
        if ends {
            out.push(&line[start..end]);
            start = end;
        }
    }
    out.push(&line[start..]);
    out
}

fn ends_sentence(c: char) -> bool {
    is_sentence_mark(c) && !matches!(c, ',' | ':' | '，' | '、' | '：' | '،' | '､' | '፣' | '·')
}

/// Texts as numbers: those of the gold text are kept, those met only in an extracted text live as long as it does.
struct Numbers<'n> {
    gold: Known<'n>,
    own: HashMap<String, u32>,
}

enum Known<'n> {
    Growing(&'n mut HashMap<String, u32>),
    Fixed(&'n HashMap<String, u32>),
}

impl<'n> Numbers<'n> {
    fn growing(gold: &'n mut HashMap<String, u32>) -> Numbers<'n> {
        Numbers { gold: Known::Growing(gold), own: HashMap::new() }
    }

    fn on(gold: &'n HashMap<String, u32>) -> Numbers<'n> {
        Numbers { gold: Known::Fixed(gold), own: HashMap::new() }
    }

    fn of(&mut self, text: &str) -> u32 {
        match &mut self.gold {
            Known::Growing(numbers) => number(numbers, 0, text),
            Known::Fixed(numbers) => match numbers.get(text) {
                Some(&number) => number,
                None => number(&mut self.own, numbers.len(), text),
            },
        }
    }
}

fn number(numbers: &mut HashMap<String, u32>, first: usize, text: &str) -> u32 {
    let next = (first + numbers.len()) as u32;
    match numbers.get(text) {
        Some(&number) => number,
        None => {
            numbers.insert(text.to_owned(), next);
            next
        }
    }
}

#[cfg(test)]
mod tests;
