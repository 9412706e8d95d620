//! Text statistics: white space, punctuation, words, phrases, SimHash, fingerprint, language.
//!
//! ```
//! use gristmill_text::{MAX_DISTANCE, collapse, distance, fingerprint};
//!
//! assert_eq!(collapse("  stone \n mill "), "stone mill");
//!
//! let text = "The mill by the river grinds rye and wheat for the bakers of the town, day and night, all year.";
//! let other = "Hurricane Berta floods the harbour, and engineers found cracks in two bridges.";
//! assert!(distance(fingerprint(text), fingerprint(&text.to_uppercase())) <= MAX_DISTANCE);
//! assert!(distance(fingerprint(text), fingerprint(other)) > MAX_DISTANCE);
//! ```
//!
//! No I/O, no clock. The dictionary for Chinese is built in and loaded on first use.

mod by_hash;
mod chars;
mod fingerprint;
mod frequent_words;
pub mod language;
mod letters;
mod phrases;
mod segment;
mod simhash;
mod space;
mod word_runs;
mod words;

pub use by_hash::{ByHash, Hashes, IdentityHasher};
pub use chars::{
    PunctuationCounts, is_cjk, is_han, is_invisible, is_joiner, is_punctuation, is_sentence_mark, is_unspaced,
    punctuation,
};
pub use fingerprint::{FINGERPRINT_VERSION, MAX_DISTANCE, MIN_WORDS, distance, fingerprint, has_min_words};
pub use letters::{is_letter, is_letter_or_number, lower_letters};
pub use phrases::PhraseMatcher;
pub use segment::{BigramSegmenter, CharacterSegmenter, Jieba, Segmenter, jieba};
pub use simhash::{hash, simhash};
pub use space::{WhitespaceCollapser, collapse, n_chars};
pub use word_runs::WordRuns;
pub use words::{for_each_word, hash_lower, word_hashes};
