//! Archives of others, of ours, and damaged ones.

mod damage;
mod properties;
mod real;
