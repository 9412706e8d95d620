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
//!   `.NET` is a word over `net`; in `C++` and `F#` the signs are part of the base term, so that they are no `C`.
//! * Emoji stand beside the layers, at the position of what follows them, and take none.
//!
//! All terms are folded (see [`fold`](crate::fold)); offsets refer to the original text and always lie
//! between characters. Blanks, punctuation and emoji take no position. A new line, which ends a heading, an item or a
//! paragraph, takes [`LINE_GAP`] of them, so that no phrase runs across.

use std::ops::Range;

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use unicode_segmentation::UnicodeSegmentation;

use crate::chinese::{self, SegmentationMode};
use crate::folding::{fold_han, fold_into};
use crate::script_runs::{
    Script, ascii_joins, chunk_end, is_attached, is_cut, is_emoji, is_leading_dot, is_skin_tone, script_of,
    signs_behind,
};

/// Terms longer than this (in bytes, folded) are left out, but keep their position: nobody seeks them.
const MAX_TERM_BYTES: usize = 160;

/// Positions between the end of a line and the next: more than words of a phrase may be apart.
pub(crate) const LINE_GAP: usize = 12;

/// Which terms to give out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnalysisMode {
    /// Both layers, words cut finely: what goes into the index.
    Index,
    /// The base layer alone: for phrases and for highlighting. Needs no dictionary.
    Base,
    /// Both layers, each Han character in at most one word: for queries.
    Query,
}

/// One term and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexToken {
    /// Folded text of the term.
    pub term: String,
    /// First byte in the original text.
    pub from: usize,
    /// Byte behind the last one in the original text.
    pub to: usize,
    /// Number of the first base term that it covers.
    pub position: usize,
    /// How many base terms it covers; none for an emoji.
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
pub fn analyse(text: &str, mode: AnalysisMode) -> Vec<IndexToken> {
    let mut scan = Scan::new(text, mode);
    let mut all = Vec::new();
    while scan.fill() {
        all.extend(scan.places.iter().map(|place| place.piece(&scan.terms)));
    }
    all
}

/// A base term of a script with spaces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'t> {
    /// Folded text of the term.
    pub(crate) term: &'t str,
    /// First byte in the original text.
    pub(crate) from: usize,
    /// Byte behind the last one in the original text.
    pub(crate) to: usize,
}

impl<'t> Word<'t> {
    /// `None` for a character of another script, an emoji, or what stands over other terms.
    pub(crate) fn of(token: &'t IndexToken) -> Option<Self> {
        let &IndexToken { ref term, from, to, base, script, .. } = token;
        (base && script == Script::Spaced).then_some(Self { term, from, to })
    }
}

/// The words of a text, those between two blanks at a time. A word costs no allocation.
pub(crate) struct WordChunks<'a>(Scan<'a>);

impl<'a> WordChunks<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self(Scan::new(text, AnalysisMode::Base))
    }

    /// Goes on to the next chunk; false at the end of the text.
    pub(crate) fn advance(&mut self) -> bool {
        self.0.fill()
    }

    /// The words of the chunk, none before the first.
    pub(crate) fn words(&self) -> impl Iterator<Item = Word<'_>> {
        let Scan { places, terms, .. } = &self.0;
        let is_word = |place: &&Place| place.base && place.script == Script::Spaced;
        places.iter().filter(is_word).map(|p| Word { term: &terms[p.term.clone()], from: p.from, to: p.to })
    }
}

/// A piece whose term is a part of [`Scan::terms`].
struct Place {
    term: Range<usize>,
    from: usize,
    to: usize,
    position: usize,
    length: usize,
    base: bool,
    run: usize,
    script: Script,
}

impl Place {
    fn piece(&self, terms: &str) -> IndexToken {
        let &Place { from, to, position, length, base, run, script, .. } = self;
        IndexToken { term: terms[self.term.clone()].to_owned(), from, to, position, length, base, run, script }
    }
}

/// Analysis in progress: `fill` replaces `places` and `terms` by those of the next stretch of text. Memory is that of the longest
/// stretch; a term costs no allocation.
struct Scan<'a> {
    text: &'a str,
    mode: AnalysisMode,
    at: usize,
    position: usize,
    run: usize,
    places: Vec<Place>,
    /// The terms of all places.
    terms: String,
    words: Vec<(usize, usize)>,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, mode: AnalysisMode) -> Self {
        let (places, terms, words) = (Vec::new(), String::new(), Vec::new());
        Self { text, mode, at: 0, position: 0, run: 0, places, terms, words }
    }

    /// Analyses the next stretch that yields a term; false at the end of the text.
    fn fill(&mut self) -> bool {
        self.places.clear();
        self.terms.clear();
        while self.places.is_empty() {
            let bytes = self.text.as_bytes();
            let blanks = bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let is_line = bytes[self.at..self.at + blanks].contains(&b'\n');
            self.position += if is_line && self.position > 0 { LINE_GAP } else { 0 };
            self.at += blanks;
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
        if !stretch.is_ascii() && stretch.contains(is_emoji) {
            self.emoji(from, to);
        }
    }

    /// Adds the emoji of a stretch, each in front of the word that follows it.
    fn emoji(&mut self, from: usize, to: usize) {
        let first = self.places.partition_point(|place| place.from < from);
        let n_words = self.places.len();
        for (at, cluster) in
            self.text[from..to].grapheme_indices(true).filter(|(_, cluster)| cluster.contains(is_emoji))
        {
            let (from, begin) = (from + at, self.terms.len());
            let picture: String = cluster.chars().filter(|&c| !is_skin_tone(c)).collect();
            fold_into(&picture, &mut self.terms);
            let words = &self.places[first..n_words];
            let next = words.get(words.partition_point(|place| place.from < from));
            let (position, run, script) = (next.map_or(self.position, |next| next.position), self.run, Script::Spaced);
            let (term, to) = (begin..self.terms.len(), from + cluster.len());
            self.places.push(Place { term, from, to, position, length: 0, base: false, run, script });
        }
        self.places[first..].sort_by_key(|place| (place.position, place.length.min(1)));
    }

    /// Adds one spaced word to the base layer, and with its dot in front of it as a word.
    fn word(&mut self, from: usize, mut to: usize) {
        if to - from > 2 && matches!(&self.text.as_bytes()[from..to], [.., b'\'', b's' | b'S']) {
            to -= 2;
        }
        let closing = "\u{2019}s".len();
        if to - from > closing && self.text[from..to].ends_with("\u{2019}s") {
            to -= closing;
        }
        to += signs_behind(&self.text[from..to], &self.text[to..]);
        let n_places = self.places.len();
        self.base(from, to, Script::Spaced);
        let dotted = self.mode != AnalysisMode::Base && is_leading_dot(&self.text[..from], &self.text[from..to]);
        if dotted && self.places.len() > n_places {
            let (begin, script) = (self.terms.len(), Script::Spaced);
            fold_into(&self.text[from - 1..to], &mut self.terms);
            let (term, position, run) = (begin..self.terms.len(), self.position - 1, self.run);
            self.places.push(Place { term, from: from - 1, to, position, length: 1, base: false, run, script });
        }
    }

    /// Adds the folded text between two offsets to the base layer.
    fn base(&mut self, from: usize, to: usize, script: Script) {
        if from == to {
            return;
        }
        let begin = self.terms.len();
        fold_into(&self.text[from..to], &mut self.terms);
        self.base_term(from, to, script, begin);
    }

    /// Adds what stands in `terms` from `begin` on to the base layer, or takes it away.
    fn base_term(&mut self, from: usize, to: usize, script: Script, begin: usize) {
        let term = begin..self.terms.len();
        if !self.terms[begin..].chars().any(char::is_alphanumeric) {
            return self.terms.truncate(begin);
        }
        let (position, run) = (self.position, self.run);
        self.position += 1;
        if term.len() > MAX_TERM_BYTES {
            return self.terms.truncate(begin);
        }
        self.places.push(Place { term, from, to, position, length: 1, base: true, run, script });
    }

    /// Kana and Hangul: each user-perceived character a base term, the run as a whole a word.
    fn syllables(&mut self, from: usize, to: usize, script: Script) {
        let (first, start) = (self.places.len(), self.position);
        for (at, cluster) in self.text[from..to].grapheme_indices(true) {
            self.base(from + at, from + at + cluster.len(), script);
        }
        let length = self.position - start;
        if self.mode == AnalysisMode::Base
            || script == Script::Hiragana
            || length < 2
            || self.places.len() - first != length
        {
            return;
        }
        let places = &self.places[first..];
        // The terms of neighbours are neighbours, too.
        let term = places[0].term.start..places[length - 1].term.end;
        let gap = places.windows(2).any(|pair| pair[0].to != pair[1].from);
        if gap || term.len() > MAX_TERM_BYTES {
            return;
        }
        let (from, to) = (places[0].from, places[length - 1].to);
        let word = Place { term, from, to, position: start, length, base: false, run: self.run, script };
        self.places.insert(first + 1, word);
    }

    /// Han: each character a base term, words by dictionary.
    fn han(&mut self, from: usize, to: usize) {
        let mut folded = String::with_capacity(to - from);
        // Where the characters of `folded` begin in it and in the text, and where they end there.
        let mut chars: Vec<(usize, usize, usize)> = Vec::new();
        for (at, c) in self.text[from..to].char_indices() {
            let end = from + at + c.len_utf8();
            match chars.last_mut() {
                Some(last) if is_attached(c) => last.2 = end,
                None if is_attached(c) => {}
                _ => {
                    chars.push((folded.len(), from + at, end));
                    folded.push(fold_han(c));
                }
            }
        }
        let mut words = std::mem::take(&mut self.words);
        match self.mode {
            AnalysisMode::Base => words.clear(),
            AnalysisMode::Index => chinese::words(&folded, SegmentationMode::Search, &mut words),
            AnalysisMode::Query => chinese::words(&folded, SegmentationMode::Once, &mut words),
        }
        self.han_places(&folded, &chars, &words);
        self.words = words;
    }

    fn han_places(&mut self, folded: &str, chars: &[(usize, usize, usize)], words: &[(usize, usize)]) {
        let begin = |n: usize| chars.get(n).map_or(folded.len(), |char| char.0);
        let mut words = words.iter().peekable();
        let (run, script) = (self.run, Script::Han);
        for (n, &(_, from, to)) in chars.iter().enumerate() {
            let position = self.position;
            let start_of_term = self.terms.len();
            self.terms.push_str(&folded[begin(n)..begin(n + 1)]);
            self.base_term(from, to, script, start_of_term);
            while let Some(&(start, end)) = words.next_if(|&&(start, _)| start == n) {
                let from_term = self.terms.len();
                self.terms.push_str(&folded[begin(start)..begin(end)]);
                let (term, to, length) = (from_term..self.terms.len(), chars[end - 1].2, end - start);
                self.places.push(Place { term, from, to, position, length, base: false, run, script });
            }
        }
    }
}

/// The analyser in tantivy's clothes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Analyser;

/// The terms of one text, stretch by stretch.
pub(crate) struct TermStream<'a> {
    scan: Scan<'a>,
    next: usize,
    token: Token,
}

impl Tokenizer for Analyser {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        TermStream { scan: Scan::new(text, AnalysisMode::Index), next: 0, token: Token::default() }
    }
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        if self.next == self.scan.places.len() {
            self.next = 0;
            if !self.scan.fill() {
                return false;
            }
        }
        let place = &self.scan.places[self.next];
        self.next += 1;
        self.token.text.clear();
        self.token.text.push_str(&self.scan.terms[place.term.clone()]);
        (self.token.offset_from, self.token.offset_to) = (place.from, place.to);
        (self.token.position, self.token.position_length) = (place.position, place.length);
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
