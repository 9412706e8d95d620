//! Documents in, hits out, crashes between.

mod history;
mod search;
mod top;
mod upsert;
mod words;
