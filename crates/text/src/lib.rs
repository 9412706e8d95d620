//! Text as numbers: white space, punctuation, words, script, language, fingerprint.
//!
//! No I/O and no clock; the dictionary for Chinese is compiled in and loaded on first use.

mod chars;
mod fingerprint;
mod language;
mod letters;
mod segment;
mod space;
mod words;

pub use chars::{
    Punctuation, is_cjk, is_han, is_invisible, is_punctuation, is_sentence_mark, is_unspaced, punctuation,
};
pub use fingerprint::{distance, fingerprint, hash, simhash};
pub use language::language;
pub use letters::{is_letter, is_letter_or_number};
pub use segment::{Bigrams, Jieba, Segmenter};
pub use space::{Collapser, collapse, n_chars};
pub use words::{for_each_word, word_hashes};
