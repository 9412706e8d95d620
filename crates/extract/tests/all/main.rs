//! Main text, its parts and its metadata, on pages of every kind.

mod best;
mod blocks;
mod corpus;
mod forms;
mod page_type;
mod pages;
mod parts;
mod reference_outputs;
mod reference_tree;
mod round_trip;
mod short_texts;
