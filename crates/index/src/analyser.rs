//! The analyser: text in, terms with byte offsets and positions out.
//!
//! Two layers of terms share one numbering of positions.
//!
//! ```text
//! text        使用 Gristmill 社会主义
//! base     使 用 gristmill 社 会 主 义      one per position, no gaps: phrases are sought here
//! position 0  1  2         3  4  5  6
//! words    使用            社会  主义       at the position of their first character,
//!                          社会主义         and they may overlap
//! ```
//!
//! * Base: in scripts written without spaces (Han, kana) and in Hangul, each character is a term; elsewhere
//!   each word as UAX #29 finds it, further cut at `.`, `:` and `_` unless digits stand on both sides, and
//!   without a closing `'s`. So any quoted piece of Chinese is found, wherever the segmenter cut it, and
//!   `os.path` is found by `path`.
//! * Words: Han runs cut by jieba in search mode, and whole Hangul and katakana words. They make ranking
//!   know `和服` from `产品和服务`.
//!
//! All terms are folded (see [`fold`](crate::fold)); offsets refer to the original text and always lie
//! between characters. Blanks, punctuation and emoji take no position.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use crate::chinese::{self, Cut};
use crate::folding::{fold_han, fold_into, is_ignorable};

/// Terms longer than this (in bytes, folded) are left out, but keep their position: nobody seeks them.
const MAX_TERM_BYTES: usize = 160;

/// A stretch without blanks is analysed in pieces of this many bytes, to bound memory.
const MAX_CHUNK_BYTES: usize = 4096;

/// Which terms to give out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Both layers, words cut finely: what goes into the index.
    Index,
    /// The base layer alone: for phrases and for highlighting. Needs no dictionary.
    Base,
    /// Both layers, each Han character in at most one word: for queries.
    Query,
}

/// How a script separates its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Han,
    Hiragana,
    Katakana,
    Hangul,
    /// Words by UAX #29.
    Spaced,
}

/// One term and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Folded text of the term.
    pub term: String,
    /// First byte in the original text.
    pub from: usize,
    /// Byte behind the last one in the original text.
    pub to: usize,
    /// Number of the first base term that it covers.
    pub position: usize,
    /// How many base terms it covers.
    pub length: usize,
    /// Whether it stands in the base layer.
    pub base: bool,
    /// Pieces of one run of one script, uninterrupted by blanks, have the same number.
    pub(crate) run: usize,
    pub(crate) script: Script,
}

/// All terms of `text` in order of position, at one position the base term first.
///
/// O(n) time and memory; for Chinese, finding the words is most of the time. `benches/index.rs` measures it.
pub fn analyse(text: &str, mode: Mode) -> Vec<Piece> {
    let mut scan = Scan::new(text, mode);
    let mut all = Vec::new();
    while scan.fill() {
        all.append(&mut scan.pieces);
    }
    all
}

/// Analysis in progress: `fill` replaces `pieces` by those of the next stretch of text.
struct Scan<'a> {
    text: &'a str,
    mode: Mode,
    at: usize,
    position: usize,
    run: usize,
    pieces: Vec<Piece>,
    words: Vec<(usize, usize)>,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, mode: Mode) -> Self {
        Self { text, mode, at: 0, position: 0, run: 0, pieces: Vec::new(), words: Vec::new() }
    }

    /// Analyses the next stretch that yields a term; false at the end of the text.
    fn fill(&mut self) -> bool {
        self.pieces.clear();
        while self.pieces.is_empty() {
            let bytes = self.text.as_bytes();
            while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
                self.at += 1;
            }
            if self.at == bytes.len() {
                return false;
            }
            let from = self.at;
            self.at = chunk_end(self.text, from);
            self.chunk(from, self.at);
        }
        true
    }

    fn chunk(&mut self, from: usize, to: usize) {
        let chunk = &self.text[from..to];
        if chunk.is_ascii() {
            self.run += 1;
            return self.ascii(from, to);
        }
        let mut start = from;
        let mut script = None;
        for (at, c) in chunk.char_indices() {
            let here = script_of(c).or(script).unwrap_or(Script::Spaced);
            if script.is_some_and(|script| script != here) {
                self.stretch(start, from + at, script.expect("just seen"));
                start = from + at;
            }
            script = Some(here);
        }
        self.stretch(start, to, script.unwrap_or(Script::Spaced));
    }

    fn stretch(&mut self, from: usize, to: usize, script: Script) {
        self.run += 1;
        match script {
            Script::Spaced => self.spaced(from, to),
            Script::Han => self.han(from, to),
            Script::Hiragana | Script::Katakana | Script::Hangul => self.syllables(from, to, script),
        }
    }

    /// Words of plain ASCII: what `spaced` gives, without its tables.
    fn ascii(&mut self, from: usize, to: usize) {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < to {
            if !bytes[at].is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let start = at;
            at += 1;
            while at < to && (bytes[at].is_ascii_alphanumeric() || ascii_joins(bytes, at, to)) {
                at += 1;
            }
            self.word(start, at);
        }
    }

    fn spaced(&mut self, from: usize, to: usize) {
        let stretch = &self.text[from..to];
        for (at, word) in stretch.unicode_word_indices() {
            let mut start = 0;
            for (cut, c) in word.char_indices() {
                if is_cut(word, cut, c) {
                    self.word(from + at + start, from + at + cut);
                    start = cut + c.len_utf8();
                }
            }
            self.word(from + at + start, from + at + word.len());
        }
    }

    /// Adds one spaced word to the base layer.
    fn word(&mut self, from: usize, mut to: usize) {
        if to - from > 2 && matches!(&self.text.as_bytes()[from..to], [.., b'\'', b's' | b'S']) {
            to -= 2;
        }
        let closing = "\u{2019}s".len();
        if to - from > closing && self.text[from..to].ends_with("\u{2019}s") {
            to -= closing;
        }
        self.base(from, to, Script::Spaced);
    }

    /// Adds the folded text between two offsets to the base layer.
    fn base(&mut self, from: usize, to: usize, script: Script) {
        if from == to {
            return;
        }
        let mut term = String::with_capacity(to - from);
        fold_into(&self.text[from..to], &mut term);
        self.base_term(from, to, script, term);
    }

    fn base_term(&mut self, from: usize, to: usize, script: Script, term: String) {
        if term.is_empty() || !term.chars().any(char::is_alphanumeric) {
            return;
        }
        let (position, run) = (self.position, self.run);
        self.position += 1;
        if term.len() <= MAX_TERM_BYTES {
            self.pieces.push(Piece { term, from, to, position, length: 1, base: true, run, script });
        }
    }

    /// Kana and Hangul: each user-perceived character a base term, the run as a whole a word.
    fn syllables(&mut self, from: usize, to: usize, script: Script) {
        let (first, start) = (self.pieces.len(), self.position);
        for (at, cluster) in self.text[from..to].grapheme_indices(true) {
            self.base(from + at, from + at + cluster.len(), script);
        }
        let length = self.position - start;
        if self.mode == Mode::Base || script == Script::Hiragana || length < 2 || self.pieces.len() - first != length {
            return;
        }
        let pieces = &self.pieces[first..];
        let term: String = pieces.iter().map(|piece| piece.term.as_str()).collect();
        let gap = pieces.windows(2).any(|pair| pair[0].to != pair[1].from);
        if gap || term.len() > MAX_TERM_BYTES {
            return;
        }
        let (from, to) = (pieces[0].from, pieces[length - 1].to);
        let word = Piece { term, from, to, position: start, length, base: false, run: self.run, script };
        self.pieces.insert(first + 1, word);
    }

    /// Han: each character a base term, words by dictionary.
    fn han(&mut self, from: usize, to: usize) {
        let mut folded = String::with_capacity(to - from);
        // Where the characters of `folded` begin in it and in the text, and where they end there.
        let mut places: Vec<(usize, usize, usize)> = Vec::new();
        for (at, c) in self.text[from..to].char_indices() {
            let end = from + at + c.len_utf8();
            match places.last_mut() {
                Some(place) if is_attached(c) => place.2 = end,
                None if is_attached(c) => {}
                _ => {
                    places.push((folded.len(), from + at, end));
                    folded.push(fold_han(c));
                }
            }
        }
        let mut words = std::mem::take(&mut self.words);
        match self.mode {
            Mode::Base => words.clear(),
            Mode::Index => chinese::words(&folded, Cut::Search, &mut words),
            Mode::Query => chinese::words(&folded, Cut::Once, &mut words),
        }
        self.han_pieces(&folded, &places, &words);
        self.words = words;
    }

    fn han_pieces(&mut self, folded: &str, places: &[(usize, usize, usize)], words: &[(usize, usize)]) {
        let begin = |n: usize| places.get(n).map_or(folded.len(), |place| place.0);
        let mut words = words.iter().peekable();
        let (run, script) = (self.run, Script::Han);
        for (n, &(_, from, to)) in places.iter().enumerate() {
            let position = self.position;
            self.base_term(from, to, script, folded[begin(n)..begin(n + 1)].to_owned());
            while let Some(&(start, end)) = words.next_if(|&&(start, _)| start == n) {
                let term = folded[begin(start)..begin(end)].to_owned();
                let (to, length) = (places[end - 1].2, end - start);
                self.pieces.push(Piece { term, from, to, position, length, base: false, run, script });
            }
        }
    }
}

/// End of the stretch that begins at `from`: the next ASCII blank, or a good place to cut before it.
fn chunk_end(text: &str, from: usize) -> usize {
    let rest = &text.as_bytes()[from..];
    let window = &rest[..rest.len().min(MAX_CHUNK_BYTES)];
    if let Some(blank) = window.iter().position(u8::is_ascii_whitespace) {
        return from + blank;
    }
    if window.len() == rest.len() {
        return text.len();
    }
    let hard = text.floor_char_boundary(from + MAX_CHUNK_BYTES);
    let mut back = text[from..hard].char_indices().rev().take(MAX_CHUNK_BYTES / 8);
    let soft = back.find(|&(_, c)| !c.is_alphanumeric() && !is_attached(c)).map(|(at, c)| from + at + c.len_utf8());
    soft.filter(|&soft| soft > from).unwrap_or(hard)
}

/// The script that decides how to cut, or `None` for a character that belongs to what stands before it.
fn script_of(c: char) -> Option<Script> {
    match c {
        '\0'..='\u{7f}' => Some(Script::Spaced),
        '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => Some(Script::Han),
        '\u{2f00}'..='\u{2fd5}' | '\u{f900}'..='\u{fad9}' | '\u{20000}'..='\u{3fffd}' => Some(Script::Han),
        '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' => Some(Script::Hiragana),
        '\u{30a1}'..='\u{30fa}' | '\u{30fd}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Some(Script::Katakana),
        '\u{ff66}'..='\u{ff9d}' if c != '\u{ff70}' => Some(Script::Katakana),
        // The mark of a long vowel and the half-width voicing marks follow kana of either kind.
        '\u{30fc}' | '\u{ff70}' | '\u{ff9e}' | '\u{ff9f}' => None,
        '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{a960}'..='\u{a97c}' => Some(Script::Hangul),
        '\u{ac00}'..='\u{d7fb}' | '\u{ffa1}'..='\u{ffdc}' => Some(Script::Hangul),
        _ if is_attached(c) => None,
        _ => Some(Script::Spaced),
    }
}

/// Marks, selectors and joiners, which are part of the character before them.
fn is_attached(c: char) -> bool {
    is_ignorable(c) || is_combining_mark(c)
}

/// Whether the byte at `at`, not a letter or digit, stands inside a word: `don't`, `3.14`, `1,000`.
fn ascii_joins(bytes: &[u8], at: usize, to: usize) -> bool {
    let (Some(&before), Some(&after)) = (bytes.get(at.wrapping_sub(1)), bytes[..to].get(at + 1)) else {
        return false;
    };
    match bytes[at] {
        b'\'' => {
            before.is_ascii_alphabetic() && after.is_ascii_alphabetic()
                || before.is_ascii_digit() && after.is_ascii_digit()
        }
        b'.' | b',' | b';' => before.is_ascii_digit() && after.is_ascii_digit(),
        _ => false,
    }
}

/// Whether a UAX #29 word is to be cut at the character `c` at `at`.
fn is_cut(word: &str, at: usize, c: char) -> bool {
    if !matches!(c, '.' | ':' | '_' | '\u{b7}' | '\u{2024}' | '\u{203f}' | '\u{ff0e}' | '\u{ff1a}' | '\u{ff3f}') {
        return false;
    }
    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    let inside = digit(word[..at].chars().next_back()) && digit(word[at + c.len_utf8()..].chars().next());
    !inside || matches!(c, '_' | '\u{203f}' | '\u{ff3f}')
}

/// The analyser in tantivy's clothes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Analyser;

/// The terms of one text, stretch by stretch.
pub(crate) struct Stream<'a> {
    scan: Scan<'a>,
    next: usize,
    token: Token,
}

impl Tokenizer for Analyser {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        Stream { scan: Scan::new(text, Mode::Index), next: 0, token: Token::default() }
    }
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        if self.next == self.scan.pieces.len() {
            self.next = 0;
            if !self.scan.fill() {
                return false;
            }
        }
        let piece = &mut self.scan.pieces[self.next];
        self.next += 1;
        self.token.text = std::mem::take(&mut piece.term);
        (self.token.offset_from, self.token.offset_to) = (piece.from, piece.to);
        (self.token.position, self.token.position_length) = (piece.position, piece.length);
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
#[path = "analyser_tests.rs"]
mod tests;
