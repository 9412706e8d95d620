//! The lines that C4 keeps, and their sentences.

use gristmill_text::is_letter_or_number;

use super::lines::{all_lines, is_terminal};
use super::signal::{Signal, TextSignals};

const MIN_WORDS: usize = 3;
const MAX_WORD: usize = 1000;
/// What a kept line ends with.
const ENDS: [char; 5] = ['.', '?', '!', '"', '\''];
/// Signs of notices on cookies and terms.
const NOTICES: [&str; 6] =
    ["terms of use", "privacy policy", "cookie policy", "uses cookies", "use of cookies", "use cookies"];
/// Words before a dot that ends no sentence.
const ABBREVIATIONS: [&str; 24] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "jr", "sr", "co", "corp", "inc", "ltd", "e.g", "i.e", "a.m", "p.m",
    "gen", "gov", "sen", "rep", "rev", "messrs", "mt",
];

pub fn measure(text: &str, signals: &mut TextSignals) {
    let (mut sentences, mut curly, mut lorem) = (0, 0, 0);
    for line in all_lines(text).map(str::trim) {
        let has_long_word =
            || line.split_whitespace().any(|word| word.len() > MAX_WORD && word.chars().count() > MAX_WORD);
        let ends = line_end(line);
        if !ends.ends_with(ENDS)
            || ends.ends_with("...")
            || line.split_whitespace().nth(MIN_WORDS - 1).is_none()
            || has_long_word()
        {
            continue;
        }
        let lower = line.to_lowercase();
        lorem += usize::from(lower.contains("lorem ipsum"));
        if lower.contains("javascript") {
            continue;
        }
        curly += usize::from(line.contains('{'));
        if NOTICES.iter().any(|notice| lower.contains(notice)) {
            continue;
        }
        sentences += count(line);
    }
    signals.set(Signal::Sentences, sentences as f64);
    signals.set(Signal::CurlyBrackets, curly as f64);
    signals.set(Signal::LoremIpsum, lorem as f64);
}

/// A line without the numbers of notes behind it.
fn line_end(line: &str) -> &str {
    let mut line = line;
    while let Some(open) = line.strip_suffix(']').and_then(|inner| inner.rfind('[')) {
        let note = &line[open + 1..line.len() - 1];
        let is_note = note.bytes().all(|byte| byte.is_ascii_digit()) || matches!(note, "edit" | "citation needed");
        if !is_note {
            break;
        }
        line = &line[..open];
    }
    line
}

/// Sentences of a line: one, and one more behind each end of a sentence that something follows.
fn count(line: &str) -> usize {
    let (mut n, mut has_ended, mut word_start) = (1, false, 0);
    let mut before = [' '; 2];
    let mut characters = line.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if has_ended && is_letter_or_number(c) {
            (n, has_ended) = (n + 1, false);
        }
        if c.is_whitespace() {
            word_start = at + c.len_utf8();
        }
        let next = characters.peek().map(|(_, next)| *next);
        let is_free = !c.is_ascii() || next.is_none_or(|next| !is_letter_or_number(next));
        has_ended |= is_terminal(c) && is_free && (c != '.' || ends_sentence(&line[word_start..at], before));
        before = [before[1], c];
    }
    n
}

/// Whether a dot behind a word ends the sentence: not that of an initial, nor of an abbreviation.
fn ends_sentence(word: &str, before: [char; 2]) -> bool {
    let is_initial = before[1].is_uppercase() && !before[0].is_uppercase();
    let word = word.trim_start_matches(|c| !is_letter_or_number(c));
    !is_initial && !ABBREVIATIONS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_with_marks_that_something_follows() {
        assert_eq!(count("Rye is ground. Wheat too! \"Why?\" he asked."), 4);
        assert_eq!(count("Mr. Miller of J. Smith & Co. paid 3.50 at example.com."), 1);
        assert_eq!(count("石磨豆腐。好吃！"), 2);
    }

    #[test]
    fn notes_behind_a_line_do_not_hide_its_end() {
        assert_eq!(line_end("It grinds.[12][citation needed]"), "It grinds.");
        assert_eq!(line_end("see [a]"), "see [a]");
    }
}
