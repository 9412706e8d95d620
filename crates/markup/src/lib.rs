//! What a page declares of itself, as items with properties: their common form, and the reader of JSON-LD.
//!
//! No I/O, no clock, no recursion, and bounded time and memory for any script.

mod items;
mod json_ld;
mod repair;

pub use items::{Content, Item, Items, local};
pub use json_ld::{MAX_SCRIPT, read};
