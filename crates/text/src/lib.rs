//! Text as numbers: white space, punctuation, words, script, language, SimHash, fingerprint.
//!
//! No I/O and no clock; the dictionary for Chinese is compiled in and loaded on first use.

mod chars;
mod fingerprint;
mod frequent;
mod language;
mod letters;
mod segment;
mod simhash;
mod space;
mod words;

pub use chars::{
    Punctuation, is_cjk, is_han, is_invisible, is_punctuation, is_sentence_mark, is_unspaced, punctuation,
};
pub use fingerprint::{FINGERPRINT_VERSION, MAX_DISTANCE, distance, fingerprint};
pub use language::language;
pub use letters::{is_letter, is_letter_or_number};
pub use segment::{Bigrams, Jieba, Segmenter, jieba};
pub use simhash::{hash, simhash};
pub use space::{Collapser, collapse, n_chars};
pub use words::{for_each_word, word_hashes};
