//! Other forms of the words of a text, which are found below the words themselves.
//!
//! ```text
//! text       The councils’ e-mail on the iPhone15Pro cost 1,200.
//! forms      en:the en:council en:e en:mail email en:on … iphone 15 pro … 1200
//! ```
//! * Stems, with their language before them ([`Stems`]).
//! * What is written together with a hyphen, dot, underscore, slash or `&`, without it: `node.js` is `nodejs`.
//! * Words and numbers that touch, one by one; a word without its apostrophe, and what stands behind one: `l'eau` is `eau`.
//! * Numbers without thousands separators, and without a fraction of zeros; words without the signs that are part of them: `notepad++`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::analyser::{Word, WordChunks};
use crate::stems::Stems;

/// More parts of letters and digits are a checksum or a serial number.
const MAX_PARTS: usize = 4;
/// Longest chain of words that counts as one: an ISBN has five.
const MAX_JOINED: usize = 5;
const MAX_JOINED_BYTES: usize = 48;
/// Words of a language whose forms are remembered: most words of a text stood in another before it.
const MAX_KNOWN: usize = 1 << 14;
/// Languages whose words are remembered.
const MAX_LANGUAGES: usize = 8;
/// Letters that must stand behind an apostrophe to be a word.
const TAIL_LETTERS: usize = 3;

/// What parts the language from the text in the value of a field of forms.
const MARK: char = '\u{1}';

/// The value of a field of forms for a text in this language.
pub(crate) fn value(language: &str, text: &str) -> String {
    let mut value = String::with_capacity(language.len() + 1 + text.len());
    value.push_str(language);
    value.push(MARK);
    value.push_str(text);
    value
}

/// A form, and which part of the text it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordForm {
    pub term: Arc<str>,
    pub range: Range<usize>,
}

/// The forms of the words of a language, remembered since most words come again.
#[derive(Debug, Clone)]
pub(crate) struct WordForms {
    stems: Option<Stems>,
    /// The first letters of words whose stems are wanted; `None` for all.
    initials: Option<Vec<char>>,
    /// By the word as it is written.
    known: HashMap<Box<str>, Arc<[Arc<str>]>>,
}

impl WordForms {
    pub(crate) fn new(language: &str) -> Self {
        Self { stems: Stems::of(language), initials: None, known: HashMap::new() }
    }

    /// The same where only words with these forms are looked for: others need no stems.
    pub(crate) fn wanting<'f>(language: &str, forms: impl Iterator<Item = &'f str>) -> Self {
        let words = Self::new(language);
        let limited = words.stems.as_ref().is_none_or(Stems::keep_beginnings);
        let initials = forms.filter_map(|form| form.split_once(MARK)?.1.chars().next()).collect();
        Self { initials: limited.then_some(initials), ..words }
    }

    /// The forms of words, each behind the one before in the text.
    pub(crate) fn forms<'w>(&mut self, text: &str, words: impl Iterator<Item = Word<'w>>, out: &mut Vec<WordForm>) {
        // Words that signs join, once there are two.
        let mut chain: Vec<Word<'w>> = Vec::new();
        let mut before: Option<Word<'w>> = None;
        for word in words {
            let written = &text[word.from..word.to];
            let may_be_stem = self.initials.as_ref().is_none_or(|initials| word.term.starts_with(initials.as_slice()));
            if may_be_stem || !is_plain(written) {
                let forms = self.of_word(written, word.term);
                out.extend(forms.iter().map(|term| WordForm { term: Arc::clone(term), range: word.from..word.to }));
            }
            match before.replace(word).filter(|before| joins(text, before, &word)) {
                Some(before) if chain.is_empty() => chain.extend([before, word]),
                Some(_) => chain.push(word),
                None => out.extend(joined_form(text, std::mem::take(&mut chain))),
            }
        }
        out.extend(joined_form(text, chain));
    }

    fn of_word(&mut self, written: &str, term: &str) -> Arc<[Arc<str>]> {
        if let Some(known) = self.known.get(written) {
            return Arc::clone(known);
        }
        let mut forms: Vec<Arc<str>> = Vec::new();
        let mut add = |form: &str| forms.push(form.into());
        if let Some(stems) = &self.stems {
            stems.each(written, &mut add);
            if let Some(tail) = tail(written) {
                stems.each(tail, &mut add);
            }
        }
        others(term, &mut add);
        if self.known.len() == MAX_KNOWN {
            self.known.clear();
        }
        let forms: Arc<[Arc<str>]> = forms.into();
        self.known.insert(written.into(), Arc::clone(&forms));
        forms
    }
}

/// Whether a word has nothing but plain letters, so that stems are its only other forms.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether a word follows another by a single sign that joins.
fn joins(text: &str, a: &Word<'_>, b: &Word<'_>) -> bool {
    let between = text.get(a.to..b.from).unwrap_or_default();
    matches!(between, "-" | "\u{2010}" | "\u{2011}" | "." | "_" | "/" | "&" | "'s-" | "’s-")
}

/// A few words as one word, if nothing but signs that join stand between them.
pub(crate) fn joined(text: &str, words: &[Word<'_>]) -> Option<String> {
    let few = (2..=MAX_JOINED).contains(&words.len());
    let all = few && words.windows(2).all(|pair| joins(text, &pair[0], &pair[1]));
    let term: String = all.then(|| words.iter().map(|word| word.term).collect())?;
    (term.len() <= MAX_JOINED_BYTES).then_some(term)
}

/// As [`joined`], with its place.
fn joined_form(text: &str, words: Vec<Word<'_>>) -> Option<WordForm> {
    let range = words.first()?.from..words.last()?.to;
    Some(WordForm { term: joined(text, &words)?.into(), range })
}

/// What else a folded word is found by, in any language.
pub(crate) fn others(term: &str, mut add: impl FnMut(&str)) {
    if is_plain(term) {
        return;
    }
    if let Some((head, tail)) = term.split_once('\'').filter(|(_, tail)| tail.starts_with(char::is_alphabetic)) {
        add(&[head, tail].concat());
        if tail.chars().count() >= TAIL_LETTERS {
            add(tail);
        }
    }
    let plain = term.trim_end_matches(['+', '#']);
    if plain.len() < term.len() && plain.len() >= TAIL_LETTERS {
        add(plain);
    }
    let number = without_thousands(term);
    number.iter().for_each(|number| add(number));
    if let Some(whole) = without_zeros(number.as_deref().unwrap_or(term)) {
        add(whole);
    }
    let parts = parts(term);
    if parts.len() > 1 {
        parts.iter().for_each(|part| add(part));
    }
}

/// The letters and the numbers of a word, in a row, where these border on one another; nothing where they are too many.
pub(crate) fn parts(term: &str) -> Vec<&str> {
    let kind = |c: char| if c.is_numeric() { Some(true) } else { c.is_alphabetic().then_some(false) };
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in term.char_indices() {
        let now = kind(c).or(before);
        if before.is_some() && now != before {
            parts.push(&term[start..at]);
            start = at;
        }
        before = now;
    }
    parts.push(&term[start..]);
    if parts.len() > MAX_PARTS { Vec::new() } else { parts }
}

/// `1,234.56` as `1234.56`, and `1.234,56` as well; `None` where no group of three digits follows a separator.
fn without_thousands(term: &str) -> Option<String> {
    let separator = term.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, ',' | '.' | '\''))?;
    let decimal = if separator == '.' { ',' } else { '.' };
    let (whole, fraction) = term.split_once(decimal).map_or((term, None), |(whole, rest)| (whole, Some(rest)));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(separator);
    let first = groups.next().filter(|first| digits(first) && first.len() <= 3 && *first != "0")?;
    let mut number = first.to_owned();
    for group in groups {
        if !digits(group) || group.len() != 3 {
            return None;
        }
        number.push_str(group);
    }
    // `3.141` is a fraction as often as not; only with more groups or a fraction behind it is it sure.
    let sure = separator != '.' || fraction.is_some() || number.len() > 6;
    if number == first || !sure {
        return None;
    }
    if let Some(fraction) = fraction {
        digits(fraction).then(|| number.extend(['.'].into_iter().chain(fraction.chars())))?;
    }
    Some(number)
}

/// The whole of a number whose fraction is one or two zeros, as prices have it: `49.00`, `49,00`.
fn without_zeros(number: &str) -> Option<&str> {
    let (whole, zeros) = number.split_once(['.', ','])?;
    let is_whole = !whole.is_empty() && whole.bytes().all(|byte| byte.is_ascii_digit());
    (is_whole && matches!(zeros, "0" | "00")).then_some(whole)
}

/// What stands behind the apostrophe of a word as it is written, such as `eaux` of `l’eaux`.
fn tail(word: &str) -> Option<&str> {
    let (_, tail) = word.split_once(['\'', '\u{2019}'])?;
    (tail.chars().count() >= TAIL_LETTERS && tail.starts_with(char::is_alphabetic)).then_some(tail)
}

/// The forms in tantivy's clothes; the text is what [`value`] makes. What is remembered of words serves the next text too.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormAnalyser {
    by_language: HashMap<String, WordForms>,
}

/// The forms of one text, chunk by chunk.
pub(crate) struct Stream<'a> {
    text: &'a str,
    chunks: WordChunks<'a>,
    words: &'a mut WordForms,
    /// Those of the last chunk that was read.
    forms: Vec<WordForm>,
    next: usize,
    token: Token,
}

impl Stream<'_> {
    /// Reads on to the next chunk that has forms; false at the end of the text.
    fn fill(&mut self) -> bool {
        self.forms.clear();
        self.next = 0;
        while self.forms.is_empty() {
            if !self.chunks.advance() {
                return false;
            }
            self.words.forms(self.text, self.chunks.words(), &mut self.forms);
        }
        true
    }
}

impl Tokenizer for FormAnalyser {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, value: &'a str) -> Stream<'a> {
        let (language, text) = value.split_once(MARK).unwrap_or(("", value));
        if self.by_language.len() == MAX_LANGUAGES && !self.by_language.contains_key(language) {
            self.by_language.clear();
        }
        let words = self.by_language.entry(language.to_owned()).or_insert_with(|| WordForms::new(language));
        Stream { text, chunks: WordChunks::new(text), words, forms: Vec::new(), next: 0, token: Token::default() }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        if self.next == self.forms.len() && !self.fill() {
            return false;
        }
        let form = &self.forms[self.next];
        self.next += 1;
        self.token.text.clear();
        self.token.text.push_str(&form.term);
        (self.token.offset_from, self.token.offset_to) = (form.range.start, form.range.end);
        self.token.position = 0;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyser::{AnalysisMode, analyse};

    fn forms(language: &str, text: &str) -> Vec<String> {
        let value = value(language, text);
        let mut analyser = FormAnalyser::default();
        let mut stream = analyser.token_stream(&value);
        let mut all = Vec::new();
        while stream.advance() {
            all.push(stream.token().text.clone());
        }
        all
    }

    #[test]
    fn compounds_numbers_and_mixed_words_have_other_forms() {
        assert_eq!(forms("", "node.js e-mail USB-C AT&T"), ["nodejs", "email", "usbc", "att"]);
        assert_eq!(forms("", "978-3-16-148410-0"), ["9783161484100"]);
        assert_eq!(forms("", "iPhone15ProMax"), ["iphone", "15", "promax"]);
        assert_eq!(forms("", "O'Reilly l’eau don't"), ["oreilly", "reilly", "leau", "eau", "dont"]);
        assert_eq!(forms("", "1,234.56 1.234,56 1,200 1.234.567"), ["1234.56", "1234.56", "1200", "1234567"]);
        assert_eq!(forms("", "Notepad++ C++ C#"), ["notepad"]);
        assert_eq!(forms("", "49.00 49,00 1,199.00 5.0"), ["49", "49", "1199.00", "1199", "5"]);
        for plain in [
            "3.141",
            "1,2",
            "49.000",
            "1.0.0",
            "0,123",
            "9f86d081884c7d65",
            "plain words here",
            "社会主义",
            "a - b",
            "a.b.c.d.e.f",
        ] {
            assert_eq!(forms("", plain), [""; 0], "{plain}");
        }
    }

    #[test]
    fn words_that_begin_otherwise_than_what_is_wanted_are_passed_over() {
        let text = "mills grind the l’eau of iPhone15";
        let mut words = WordForms::wanting("en", ["en\u{1}mill", "eau"].into_iter());
        let mut found = Vec::new();
        let pieces = analyse(text, AnalysisMode::Base);
        words.forms(text, pieces.iter().filter_map(Word::of), &mut found);
        let found: Vec<&str> = found.iter().map(|form| &*form.term).collect();
        assert!(found.contains(&"en\u{1}mill") && found.contains(&"eau") && found.contains(&"15"), "{found:?}");
        assert!(!found.iter().any(|form| form.ends_with("grind")), "{found:?}");
    }

    #[test]
    fn what_is_remembered_of_a_word_stays_with_its_language() {
        let mut analyser = FormAnalyser::default();
        let mut forms = |language: &str| {
            let value = value(language, "die Mills");
            let mut stream = analyser.token_stream(&value);
            let mut all = Vec::new();
            while stream.advance() {
                all.push(stream.token().text.clone());
            }
            all
        };
        let others = ["da", "nl", "sv", "no", "fi", "it", "es", "pt", "fr"];
        for language in ["en", "de", ""].into_iter().chain(others).chain(["en", "de", ""]) {
            let found = forms(language);
            assert!(found.iter().all(|form| form.starts_with(&format!("{language}\u{1}"))), "{language}: {found:?}");
            assert_eq!(found.len(), if language.is_empty() { 0 } else { 2 }, "{language}");
        }
        assert!(analyser.by_language.len() <= MAX_LANGUAGES);
    }

    #[test]
    fn stems_stand_beside_the_other_forms() {
        assert_eq!(forms("en", "The baker's mills"), ["en\u{1}the", "en\u{1}baker", "en\u{1}mill"]);
        let french = forms("fr", "l’eaux");
        assert!(french.contains(&"fr\u{1}eau".into()), "{french:?}");
    }
}
