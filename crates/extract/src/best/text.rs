//! What the text of a row shows: words, digits, capitals, how it begins and ends, what it shares with the title.

use gristmill_page::attribute_words::{MAX_WORD, each_as_written, each_spelling, lowered};
use gristmill_page::{MethodInput, Page, Row};
use gristmill_text::{hash, is_cjk, is_letter_or_number};

use super::lexicon::ByHash;

/// What the text of a row shows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct TextFeatures {
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

pub(super) fn text_of(page: &Page<'_>, row: &Row) -> TextFeatures {
    let text = page.row_text(row);
    if text.is_ascii() {
        return ascii(text.as_bytes(), row);
    }
    let mut facts =
        TextFeatures { link_share: row.link_chars as f32 / row.chars.max(1) as f32, ..TextFeatures::default() };
    let (mut words, mut digits, mut capitals, mut inside) = (0u32, 0u32, 0u32, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // The commonest Chinese characters, U+5000 to U+9FFF, are told by their first byte.
        if matches!(bytes[at], 0xE5..=0xE9) {
            let n = bytes[at..].chunks_exact(3).take_while(|c| matches!(c[0], 0xE5..=0xE9)).count();
            facts.letters += n as u32;
            facts.cjk += n as u32;
            inside = false;
            at += 3 * n;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        at += c.len_utf8();
        if c.is_ascii() {
            // Six bits for each count, as in [`KINDS`].
            let kind = KINDS[c as usize];
            let visible = kind >> 24 == 1;
            facts.letters += kind & 1;
            digits += kind >> 6 & 1;
            capitals += kind >> 12 & 1;
            facts.bar |= kind >> 18 & 1 == 1;
            words += u32::from(visible && !inside);
            inside = visible;
            continue;
        }
        facts.letters += 1;
        if is_cjk(c) {
            facts.cjk += 1;
            inside = false;
            continue;
        }
        facts.bar |= matches!(c, '»' | '›' | '«' | '·' | '•' | '→' | '←' | '©');
        words += u32::from(!inside);
        inside = true;
    }
    facts.first = text.chars().find(|&c| c != ' ').unwrap_or_default();
    facts.last = text.chars().rev().find(|&c| c != ' ').unwrap_or_default();
    facts.words = words as f32 + 0.6 * facts.cjk as f32;
    facts.digits = digits as f32 / row.chars.max(1) as f32;
    facts.capitals = capitals as f32 / facts.letters.max(1) as f32;
    facts
}

/// What [`text_of`] says of a row in ASCII, as counts of bytes that become vector instructions.
fn ascii(text: &[u8], row: &Row) -> TextFeatures {
    if text.len() <= SHORT { short(text, row) } else { long(text, row) }
}

fn long(text: &[u8], row: &Row) -> TextFeatures {
    let letters = count(text, |byte| byte.is_ascii_alphabetic());
    let starts = text.iter().skip(1).zip(text).map(|(&byte, &before)| u32::from(byte != b' ' && before == b' '));
    let words = u32::from(text.first().is_some_and(|&byte| byte != b' ')) + starts.sum::<u32>();
    let visible = |byte: &&u8| **byte != b' ';
    TextFeatures {
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

/// So many bytes are counted faster one by one.
const SHORT: usize = 60;

/// What a byte is, six bits for each count: letter, digit, capital, bar, visible.
static KINDS: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        table[at] = byte.is_ascii_alphabetic() as u32
            | (byte.is_ascii_digit() as u32) << 6
            | (byte.is_ascii_uppercase() as u32) << 12
            | (matches!(byte, b'|' | b'>' | b'<') as u32) << 18
            | ((byte != b' ') as u32) << 24;
        at += 1;
    }
    table
};

/// The same of at most [`SHORT`] bytes, in one pass.
fn short(text: &[u8], row: &Row) -> TextFeatures {
    let (mut counts, mut words, mut before) = (0u32, 0u32, 0);
    for &byte in text {
        let kind = KINDS[usize::from(byte)];
        counts += kind;
        words += kind >> 24 & !before;
        before = kind >> 24;
    }
    let visible = |byte: &&u8| **byte != b' ';
    let count = |at: u32| counts >> at & 63;
    TextFeatures {
        words: words as f32,
        link_share: row.link_chars as f32 / row.chars.max(1) as f32,
        digits: count(6) as f32 / row.chars.max(1) as f32,
        capitals: count(12) as f32 / count(0).max(1) as f32,
        first: text.iter().find(visible).map_or('\0', |&byte| char::from(byte)),
        last: text.iter().rev().find(visible).map_or('\0', |&byte| char::from(byte)),
        bar: count(18) > 0,
        cjk: 0,
        letters: count(0),
    }
}

fn count(text: &[u8], test: impl Fn(u8) -> bool) -> u32 {
    // Sums of a byte each over few enough bytes.
    let of_few = |few: &[u8]| few.iter().map(|&byte| u8::from(test(byte))).sum::<u8>();
    text.chunks(255).map(|few| u32::from(of_few(few))).sum()
}

/// Rows longer than this are no title.
const MAX_TITLE: usize = 300;

/// The words of a title.
pub(super) struct TitleTerms {
    hashes: ByHash<()>,
    /// Lengths, as bits, of the words that begin with each byte: a glance that most other words fail.
    lengths: [u32; 256],
}

impl TitleTerms {
    pub(super) fn new(query: &MethodInput<'_>) -> TitleTerms {
        let mut words = TitleTerms { hashes: ByHash::default(), lengths: [0; 256] };
        words_of(query.title.unwrap_or(""), |word| {
            words.hashes.insert(hash(word), ());
            words.lengths[usize::from(word[0])] |= 1 << (word.len() % 32);
        });
        words
    }

    fn contains(&self, word: &[u8]) -> bool {
        self.may_contain(word[0], word.len()) && self.hashes.contains_key(&hash(word))
    }

    #[inline]
    fn may_contain(&self, first: u8, len: usize) -> bool {
        self.lengths[usize::from(first)] >> (len % 32) & 1 == 1
    }
}

pub(super) fn title_share(text: &str, title: &TitleTerms) -> f32 {
    if text.len() > MAX_TITLE || title.hashes.is_empty() {
        return 0.0;
    }
    let (mut found, mut all) = (0u32, 0u32);
    if text.is_ascii() {
        each_as_written(text, |word| {
            all += 1;
            if title.may_contain(word[0].to_ascii_lowercase(), word.len()) {
                found += u32::from(title.hashes.contains_key(&hash(lowered(word, &mut [0; MAX_WORD]))));
            }
        });
        return found as f32 / all.max(1) as f32;
    }
    words_of(text, |word| {
        found += u32::from(title.contains(word));
        all += 1;
    });
    found as f32 / all.max(1) as f32
}

/// Words for comparing, none of them empty: ASCII ones as in class names, other characters one by one.
fn words_of(text: &str, mut each: impl FnMut(&[u8])) {
    let text = &text[..text.floor_char_boundary(MAX_TITLE)];
    if text.is_ascii() {
        each_spelling(text, each);
        return;
    }
    for word in text.split(|c: char| !is_letter_or_number(c)).filter(|word| !word.is_empty()) {
        if word.is_ascii() {
            let mut lower = [0; MAX_TITLE];
            let lower = &mut lower[..word.len()];
            lower.copy_from_slice(word.as_bytes());
            lower.make_ascii_lowercase();
            each(lower);
        } else if word.chars().any(is_cjk) {
            word.chars().for_each(|c| each(c.encode_utf8(&mut [0; 4]).as_bytes()));
        } else {
            each(word.to_lowercase().as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn short_rows_are_counted_as_long_ones_are() {
        let doc = Doc::parse("<p>x", &TreeLimits::default());
        let page = Page::new(&doc);
        for text in ["", "x", " a  B 12 |", "Hello, World > 2024 (X-9) <b>", &"Az 9| ".repeat(10)] {
            assert_eq!(short(text.as_bytes(), &page.rows[0]), long(text.as_bytes(), &page.rows[0]), "{text}");
        }
    }

    #[test]
    fn the_glance_at_a_word_of_the_title_lets_no_such_word_pass_by() {
        let title =
            TitleTerms::new(&MethodInput { title: Some("Storm HITS the Éire coast"), ..MethodInput::default() });
        assert_eq!(title_share("storm hits coast today", &title), 0.75);
        assert_eq!(title_share("Éire STORM —", &title), 1.0);
        assert_eq!(title_share("start hats coats", &title), 0.0);
    }
}
