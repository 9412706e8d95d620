//! What sites are told to be read by, and documents that are no web pages.

mod paged;
mod rules;
