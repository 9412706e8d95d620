//! What is taken out of a corpus: personal data, pages on block lists, texts of test sets.
//!
//! ```
//! use gristmill_cleaning::{BlockList, PersonalData, WordRuns, mask};
//!
//! let masked = mask("Write to ann@mill.example or call +49 30 1234567.").unwrap();
//! assert_eq!(masked.text, "Write to [email] or call [phone].");
//! assert_eq!(masked.count(PersonalData::Phone), 1);
//!
//! let mut list = BlockList::default();
//! list.add_lines("# comment\nads.example\nfree spins\n");
//! assert_eq!(list.blocks_url("www.ads.example", "/x"), Some("host"));
//! assert!(list.blocks_text("Win FREE spins now!"));
//!
//! let test_set = WordRuns::of_test_set(["What do millers do when the river by the mill is frozen in a long winter?"]);
//! assert_eq!(test_set.count_in("They asked: what do millers do when the river by the mill is frozen in May?"), 1);
//! ```
//!
//! No I/O, no clock. Time and memory are linear in the text.

mod bank;
mod block_list;
mod mail;
mod mask;
mod network;
mod numbers;
mod phone;
mod word_runs;

pub use block_list::BlockList;
pub use mask::{MaskedText, PersonalData, mask};
pub use word_runs::WordRuns;
