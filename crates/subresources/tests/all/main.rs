//! What drawn pages ask for, and where they must not get.

mod escape;
mod supply;
