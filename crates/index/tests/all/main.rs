//! Documents in, hits out, crashes between.

mod search;
mod top;
mod upsert;
mod words;
