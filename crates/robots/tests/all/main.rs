//! What sites tell crawlers, as they write it.

mod exceptions;
mod listings;
mod robots;
