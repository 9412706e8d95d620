//! Pages in, documents out, over a log in memory.

mod bodies;
mod comments;
mod common;
mod documents;
