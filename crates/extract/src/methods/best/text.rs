//! What the text of a row shows: words, digits, capitals, how it begins and ends, what it shares with the title.

use gristmill_text::{hash, is_cjk};

use super::lexicon::{ByHash, for_each_word};
use crate::method::Query;
use crate::page::{Page, Row};

/// What the text of a row shows.
#[derive(Clone, Copy, Default)]
pub(super) struct Text {
    pub(super) words: f32,
    pub(super) link_share: f32,
    pub(super) digits: f32,
    pub(super) capitals: f32,
    pub(super) first: char,
    pub(super) last: char,
    pub(super) bar: bool,
    pub(super) cjk: u32,
    pub(super) letters: u32,
}

pub(super) fn text_of(page: &Page<'_>, row: &Row) -> Text {
    let text = page.row_text(row);
    if text.is_ascii() {
        return ascii(text.as_bytes(), row);
    }
    let mut facts = Text { link_share: row.link_chars as f32 / row.chars.max(1) as f32, ..Text::default() };
    let (mut words, mut digits, mut capitals, mut inside) = (0u32, 0u32, 0u32, false);
    let mut count = |c: char, facts: &mut Text| {
        if c == ' ' {
            inside = false;
            return;
        }
        if facts.first == '\0' {
            facts.first = c;
        }
        facts.last = c;
        if c.is_ascii() {
            digits += u32::from(c.is_ascii_digit());
            capitals += u32::from(c.is_ascii_uppercase());
            facts.letters += u32::from(c.is_ascii_alphabetic());
            facts.bar |= matches!(c, '|' | '>' | '<');
        } else if is_cjk(c) {
            facts.cjk += 1;
            facts.letters += 1;
            inside = false;
            return;
        } else {
            facts.bar |= matches!(c, '»' | '›' | '«' | '·' | '•' | '→' | '←' | '©');
            facts.letters += 1;
        }
        words += u32::from(!inside);
        inside = true;
    };
    text.chars().for_each(|c| count(c, &mut facts));
    facts.words = words as f32 + 0.6 * facts.cjk as f32;
    facts.digits = digits as f32 / row.chars.max(1) as f32;
    facts.capitals = capitals as f32 / facts.letters.max(1) as f32;
    facts
}

/// What [`text_of`] says of a row in ASCII, as counts of bytes that become vector instructions.
fn ascii(text: &[u8], row: &Row) -> Text {
    let letters = count(text, |byte| byte.is_ascii_alphabetic());
    let starts = text.iter().skip(1).zip(text).map(|(&byte, &before)| u32::from(byte != b' ' && before == b' '));
    let words = u32::from(text.first().is_some_and(|&byte| byte != b' ')) + starts.sum::<u32>();
    let visible = |byte: &&u8| **byte != b' ';
    Text {
        words: words as f32,
        link_share: row.link_chars as f32 / row.chars.max(1) as f32,
        digits: count(text, |byte| byte.is_ascii_digit()) as f32 / row.chars.max(1) as f32,
        capitals: count(text, |byte| byte.is_ascii_uppercase()) as f32 / letters.max(1) as f32,
        first: text.iter().find(visible).map_or('\0', |&byte| char::from(byte)),
        last: text.iter().rev().find(visible).map_or('\0', |&byte| char::from(byte)),
        bar: count(text, |byte| matches!(byte, b'|' | b'>' | b'<')) > 0,
        cjk: 0,
        letters,
    }
}

fn count(text: &[u8], test: impl Fn(u8) -> bool) -> u32 {
    // Sums of a byte each over few enough bytes.
    let of_few = |few: &[u8]| few.iter().map(|&byte| u8::from(test(byte))).sum::<u8>();
    text.chunks(255).map(|few| u32::from(of_few(few))).sum()
}

/// Rows longer than this are no title.
const MAX_TITLE: usize = 300;

pub(super) fn title_words(query: &Query<'_>) -> ByHash<()> {
    let mut words = ByHash::default();
    words_of(query.title.unwrap_or(""), |word| {
        words.insert(word, ());
    });
    words
}

pub(super) fn title_share(text: &str, title: &ByHash<()>) -> f32 {
    if text.len() > MAX_TITLE || title.is_empty() {
        return 0.0;
    }
    let (mut found, mut all) = (0u32, 0u32);
    words_of(text, |word| {
        found += u32::from(title.contains_key(&word));
        all += 1;
    });
    found as f32 / all.max(1) as f32
}

/// Words for comparing: ASCII ones as in class names, other characters one by one.
fn words_of(text: &str, mut each: impl FnMut(u64)) {
    let text = &text[..text.floor_char_boundary(MAX_TITLE)];
    if text.is_ascii() {
        for_each_word(text, each);
        return;
    }
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if word.chars().any(is_cjk) {
            word.chars().for_each(|c| each(hash(c.encode_utf8(&mut [0; 4]).as_bytes())));
        } else {
            each(hash(word.to_lowercase().as_bytes()));
        }
    }
}
