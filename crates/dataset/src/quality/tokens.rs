//! Tokens: words, and runs of punctuation between them.

use gristmill_text::{hash, is_letter, is_letter_or_number, is_unspaced};

use super::signal::{Signal, TextSignals, share};

/// Tokens that are compared with one another: more are counted, but a text of many megabytes repeats itself early.
const MAX_KEPT: usize = 1 << 20;

/// One token.
#[derive(Debug, Clone, Copy)]
pub struct TextToken {
    /// Of its bytes, case included.
    pub hash: u64,
    pub chars: u32,
}

/// The tokens of a text, as the tools count them by which the rules were made: a word, a number or a sign is one.
#[derive(Default)]
pub struct Tokens {
    /// The first of them.
    pub kept: Vec<TextToken>,
    pub n: usize,
    n_words: usize,
    word_chars: usize,
    n_with_letter: usize,
}

impl Tokens {
    pub fn of(text: &str) -> Tokens {
        let mut tokens = Tokens::default();
        each(text, |token, first| tokens.add(token, first));
        tokens
    }

    fn add(&mut self, token: &str, first: char) {
        let is_word = is_letter_or_number(first) || first == '_' || token.len() > 1 && matches!(first, '\'' | '’');
        let chars = if token.is_ascii() { token.len() } else { token.chars().count() };
        self.n += 1;
        if is_word {
            self.n_words += 1;
            self.word_chars += chars;
            self.n_with_letter += usize::from(token.chars().any(is_letter));
        }
        if self.kept.len() < MAX_KEPT {
            self.kept.push(TextToken { hash: hash(token.as_bytes()), chars: chars as u32 });
        }
    }

    pub fn measure(&self, text: &str, signals: &mut TextSignals) {
        let hashes = memchr::memchr_iter(b'#', text.as_bytes()).count();
        let ellipses = memchr::memmem::find_iter(text.as_bytes(), "...").count()
            + memchr::memmem::find_iter(text.as_bytes(), "…").count();
        signals.set(Signal::Words, self.n_words as f64);
        signals.set(Signal::MeanWordLength, share(self.word_chars, self.n_words));
        signals.set(Signal::HashRatio, share(hashes, self.n));
        signals.set(Signal::EllipsisRatio, share(ellipses, self.n));
        signals.set(Signal::LetterWords, share(self.n_with_letter, self.n));
    }
}

/// Gives each token with its first character.
fn each<'t>(text: &'t str, mut take: impl FnMut(&'t str, char)) {
    let (mut rest, mut before) = (text, ' ');
    while let Some(first) = rest.chars().next() {
        let end = if follows_word(before, first, rest) { clitic_end(rest) } else { token_end(first, rest) };
        let (token, behind) = rest.split_at(end);
        if !first.is_whitespace() {
            take(token, first);
        }
        (rest, before) = (behind, token.chars().next_back().unwrap_or(' '));
    }
}

/// Whether an apostrophe begins what is joined to the word before it: `'s`, `'t`.
fn follows_word(before: char, first: char, text: &str) -> bool {
    let next = text[first.len_utf8()..].chars().next();
    matches!(first, '\'' | '’') && is_letter(before) && next.is_some_and(is_letter)
}

/// Where it ends.
fn clitic_end(text: &str) -> usize {
    let letters = text.char_indices().skip(1).find(|(_, c)| !is_letter(*c));
    letters.map_or(text.len(), |(end, _)| end)
}

/// Where the token ends that begins with `first`; of white space, one character.
fn token_end(first: char, text: &str) -> usize {
    let width = first.len_utf8();
    if first.is_whitespace() {
        return width;
    }
    if matches!(first, 'h' | 'w') && ["http://", "https://", "www."].iter().any(|start| text.starts_with(start)) {
        return text.find(char::is_whitespace).unwrap_or(text.len());
    }
    if is_unspaced(first) {
        // Words of scripts without spaces have about two characters.
        let second = text[width..].chars().next().filter(|c| is_unspaced(*c));
        return width + second.map_or(0, char::len_utf8);
    }
    let is_inside = |c: char| is_letter_or_number(c) && !is_unspaced(c) || is_mark(c) || c == '_';
    if !is_inside(first) {
        // Dots and dashes come in runs.
        return if matches!(first, '.' | '-') { text.len() - text.trim_start_matches(first).len() } else { width };
    }
    if let Some(end) = plain_word_end(text) {
        return end;
    }
    let mut end = width;
    let mut rest = text[width..].char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let joins = matches!(c, '.' | ',' | ':') && text[..width + at].ends_with(|c: char| c.is_ascii_digit())
            || c == '.' && text[..width + at].chars().next_back().is_some_and(char::is_uppercase);
        let goes_on = is_inside(c) || joins && rest.peek().is_some_and(|(_, next)| is_inside(*next));
        if !goes_on {
            break;
        }
        end = width + at + c.len_utf8();
    }
    end
}

/// Where a word of ASCII ends, if what follows can be no part of it: the way of most words.
fn plain_word_end(text: &str) -> Option<usize> {
    let end = text.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'_').unwrap_or(text.len());
    let is_over = text.as_bytes().get(end).is_none_or(|next| next.is_ascii() && !matches!(next, b'.' | b',' | b':'));
    (end > 0 && is_over).then_some(end)
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05C7}' | '\u{0610}'..='\u{061A}' | '\u{064B}'..='\u{065F}'
        | '\u{0900}'..='\u{0DFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        each(text, |token, _| found.push(token));
        found
    }

    #[test]
    fn words_numbers_and_signs_are_tokens() {
        assert_eq!(
            tokens("Rye, 3.14 and 1,000... (U.S.)"),
            ["Rye", ",", "3.14", "and", "1,000", "...", "(", "U.S", ".", ")"]
        );
        assert_eq!(tokens("well-known -- «é»"), ["well", "-", "known", "--", "«", "é", "»"]);
        assert_eq!(
            tokens("don't 'quote' mill’s www.a.b/c?d=1"),
            ["don", "'t", "'", "quote", "'", "mill", "’s", "www.a.b/c?d=1"]
        );
        assert_eq!(tokens("石磨豆腐好。"), ["石磨", "豆腐", "好", "。"]);
    }
}
