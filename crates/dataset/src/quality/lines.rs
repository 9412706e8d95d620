//! What lines and paragraphs are like, and which came before.

use std::collections::HashSet;

use gristmill_text::hash;

use super::signal::{Signal, TextSignals, share};
use super::tokens::Tokens;

/// Characters of the longest short line.
const SHORT: usize = 30;
/// What ends a sentence, in any script.
const TERMINALS: &str = include_str!("terminals.txt");

/// Whether a character ends a sentence.
pub fn is_terminal(c: char) -> bool {
    if c.is_ascii() { matches!(c, '.' | '?' | '!') } else { TERMINALS.contains(c) }
}

/// Lines as text editors tell them: also by form feeds and the separators of Unicode.
pub fn all_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| {
        matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
    };
    text.split_terminator(is_end)
}

pub fn measure(text: &str, tokens: &Tokens, signals: &mut TextSignals) {
    let (mut n, mut bullets, mut ellipses) = (0, 0, 0);
    for line in all_lines(text) {
        n += 1;
        bullets += usize::from(line.trim_start().starts_with(['•', '-']));
        let end = line.trim_end();
        ellipses += usize::from(end.ends_with("...") || end.ends_with('…'));
    }
    signals.set(Signal::BulletLines, share(bullets, n));
    signals.set(Signal::EllipsisLines, share(ellipses, n));
    measure_filled(text, signals);
    measure_repeated(text, signals);
    let line_ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    signals.set(Signal::LineEndsPerWord, share(line_ends, tokens.n));
}

/// What FineWeb looks at: lines with something in them.
fn measure_filled(text: &str, signals: &mut TextSignals) {
    let (mut n, mut punctuated, mut short) = (0, 0, 0);
    let lines = || text.split('\n').filter(|line| !line.trim().is_empty());
    for line in lines() {
        n += 1;
        punctuated += usize::from(line.ends_with(is_terminal));
        short += usize::from(line.chars().take(SHORT + 1).count() <= SHORT);
    }
    signals.set(Signal::PunctuatedLines, share(punctuated, n));
    signals.set(Signal::ShortLines, share(short, n));
    let all = text.chars().filter(|c| *c != '\n').count();
    signals.set(Signal::RepeatedTextLineChars, share(repeated(lines()).chars, all));
}

/// What Gopher looks at.
fn measure_repeated(text: &str, signals: &mut TextSignals) {
    let all = text.chars().count();
    let paragraphs = repeated(split_runs(text.trim(), 2));
    let lines = repeated(split_runs(text, 1));
    signals.set(Signal::RepeatedParagraphs, share(paragraphs.n, paragraphs.of));
    signals.set(Signal::RepeatedParagraphChars, share(paragraphs.chars, all));
    signals.set(Signal::RepeatedLines, share(lines.n, lines.of));
    signals.set(Signal::RepeatedLineChars, share(lines.chars, all));
}

/// The pieces between runs of at least so many line ends.
fn split_runs(text: &str, least: usize) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let all = rest?;
        let mut from = 0;
        while let Some(found) = memchr::memchr(b'\n', &all.as_bytes()[from..]) {
            let start = from + found;
            let behind = all[start..].trim_start_matches('\n');
            let end = all.len() - behind.len();
            if end - start >= least {
                rest = Some(behind);
                return Some(&all[..start]);
            }
            from = end;
        }
        rest = None;
        Some(all)
    })
}

/// Pieces that came before.
struct Repeats {
    n: usize,
    chars: usize,
    of: usize,
}

fn repeated<'t>(pieces: impl Iterator<Item = &'t str>) -> Repeats {
    let (mut seen, mut repeats) = (HashSet::new(), Repeats { n: 0, chars: 0, of: 0 });
    for piece in pieces {
        repeats.of += 1;
        if !seen.insert(hash(piece.as_bytes())) {
            repeats.n += 1;
            repeats.chars += piece.chars().count();
        }
    }
    repeats
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_between_runs_of_line_ends() {
        let pieces = |text, least| split_runs(text, least).collect::<Vec<_>>();
        assert_eq!(pieces("a\nb\n\n\nc\n\nd", 2), ["a\nb", "c", "d"]);
        assert_eq!(pieces("a\n\nb\n", 1), ["a", "b", ""]);
        assert_eq!(pieces("", 1), [""]);
    }

    #[test]
    fn lines_end_where_editors_end_them() {
        assert_eq!(all_lines("a\u{2028}b\u{c}c\n").collect::<Vec<_>>(), ["a", "b", "c"]);
    }
}
