//! The laboratory as people call it.

#[path = "../common/mod.rs"]
mod common;

mod digest;
mod eval;
mod gate;
mod methods;
mod train;
