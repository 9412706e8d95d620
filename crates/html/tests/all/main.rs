//! The tree beside that of another parser, and beside the suite of the standard.

mod differential;
mod reference;
mod tree;
