//! All integration tests of this crate in one program, so that they are linked once.

mod accuracy;
mod bounds;
mod claims;
mod families;
mod shares;
