//! Lines of training text of one language.

use std::collections::HashSet;

use crate::language::ngrams::{Letters, keep_script};
use crate::language::script::Script;

use super::LanguageSource;
use super::counts::WordSource;
use super::random::Random;

/// Words that are drawn to have distinct ones from.
const DRAWN: usize = 60_000;
/// Real texts with so many words are a part of the lines of a language that has counts.
const ENOUGH_WORDS: usize = 3_000;
/// A language without counts and with few words has one line for so many of the others: with fewer, its relatives take its words.
const FEWER: usize = 3;
/// Words in the longest line.
const LONGEST_LINE: u64 = 15;

pub(super) struct LineMaker {
    /// The words of real texts in their order.
    real: Vec<String>,
    distinct_real: Vec<String>,
    drawn: Option<WordSource>,
    distinct_drawn: Vec<String>,
    random: Random,
}

impl LineMaker {
    pub(super) fn new(script: Script, source: LanguageSource, mut random: Random) -> LineMaker {
        let real: Vec<String> = source.texts.iter().flat_map(|text| words(text, script)).collect();
        let drawn = source.counts.filter(|counts| counts.has_words()).map(WordSource::new);
        let draw = |source: &WordSource| distinct((0..DRAWN).map(|_| source.word(&mut random)));
        let distinct_drawn = drawn.as_ref().map(draw).unwrap_or_default();
        LineMaker { distinct_real: distinct(real.iter().cloned()), real, drawn, distinct_drawn, random }
    }

    /// The lines: letters with a blank at either end and between words. About `n` where there is enough to make them of.
    pub(super) fn lines(mut self, n: usize) -> Vec<String> {
        let n = if self.drawn.is_some() { n } else { n.min((n / FEWER).max(self.real.len() / 4)) };
        if self.drawn.is_none() && self.real.is_empty() {
            return Vec::new();
        }
        (0..n).map(|_| self.line()).collect()
    }

    fn line(&mut self) -> String {
        let real_percent = match self.drawn {
            None => 100,
            Some(_) if self.real.len() >= ENOUGH_WORDS => 25,
            Some(_) => 0,
        };
        let is_real = self.random.percent(real_percent);
        let n_words = match self.random.below(100) {
            0..35 => 1,
            35..60 => 2,
            _ => 3 + self.random.below(LONGEST_LINE - 2) as usize,
        };
        let mut line = String::from(" ");
        let from = if is_real { self.random.index(self.real.len()) } else { 0 };
        for at in 0..n_words {
            let word = self.word(is_real, n_words <= 2, from + at);
            line.push_str(&word);
            line.push(' ');
        }
        line
    }

    /// Four in five words of short lines are drawn from the distinct ones: names and queries have rare words more often.
    fn word(&mut self, is_real: bool, is_short: bool, at: usize) -> String {
        let distinct = if is_real { &self.distinct_real } else { &self.distinct_drawn };
        if is_short && self.random.percent(80) {
            return distinct[self.random.index(distinct.len())].clone();
        }
        match &self.drawn {
            Some(drawn) if !is_real => drawn.word(&mut self.random),
            _ => self.real[at % self.real.len()].clone(),
        }
    }
}

fn words(text: &str, script: Script) -> Vec<String> {
    let mut out = Vec::new();
    let mut letters = Letters::new(&mut out);
    text.chars().for_each(|c| {
        letters.push(c);
    });
    letters.end();
    keep_script(&mut out, script);
    out.split(|c| *c == ' ').filter(|word| !word.is_empty()).map(|word| word.iter().collect()).collect()
}

fn distinct(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    words.filter(|word| seen.insert(word.clone())).collect()
}
