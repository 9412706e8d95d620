//! The laboratory as people call it.

#[path = "../common/mod.rs"]
mod common;

mod digest;
mod eval;
mod gate;
mod label;
mod methods;
mod train;
